//! Computed gotos: addresses of labels become numbers, and a jump to one of them a switch.
//!
//! Programs can compare such addresses, store them and jump to them, and in GNU C take differences; numbers
//! support all of that. A jump to anything else is undefined. The numbers are small, so that no object lies
//! there, and unique in the whole program.

use super::ir::{Ir, Value};
use inkwell::llvm_sys::LLVMOpcode;

/// The prefix of labels that start threads in CBMC.
const THREAD: &str = "__CPROVER_ASYNC_";

/// A label with which CBMC starts a thread, where the program has one.
pub(super) fn of_threads(ir: &Ir<'_>) -> Option<String> {
    let functions = ir.definitions().into_iter();
    let mut blocks = functions.flat_map(Value::blocks);
    blocks.find_map(|block| Some(block.name()).filter(|name| name.starts_with(THREAD)))
}

/// Numbers all labels that a program jumps to by their addresses.
pub(super) fn number_labels(ir: &Ir<'_>) {
    // 0 is the null pointer.
    let mut last = 0u64;
    for function in ir.definitions() {
        let blocks = function.blocks().into_iter();
        let jumps: Vec<Value> = blocks
            .filter_map(|block| block.terminator())
            .filter(|terminator| terminator.opcode() == LLVMOpcode::LLVMIndirectBr)
            .collect();
        let first = last + 1;
        let mut labels = Vec::new();
        for jump in &jumps {
            for label in jump.parent().successors() {
                if !labels.contains(&label) {
                    labels.push(label);
                    last += 1;
                    let number = ir.constant(ir.size_type(), last);
                    ir.replace_label(function, label, ir.constant_pointer(number));
                }
            }
        }
        let number_of = |label| {
            let position = labels.iter().position(|known| *known == label);
            first + position.expect("every label of a jump has a number") as u64
        };
        for jump in jumps {
            let elsewhere = ir.append_block(function, "no.label");
            ir.at_end(elsewhere);
            ir.unreachable();
            ir.before(jump);
            let address = ir.pointer_to_int(jump.operand(0));
            // A label that stands there several times has as many phi entries behind it: the
            // others get numbers that no label has.
            let mut seen = Vec::new();
            let mut cases = Vec::new();
            for label in jump.parent().successors() {
                let number = if seen.contains(&label) {
                    last += 1;
                    last
                } else {
                    number_of(label)
                };
                seen.push(label);
                cases.push((ir.constant(ir.size_type(), number), label));
            }
            ir.switch(address, elsewhere, &cases);
            jump.erase();
        }
    }
}
