//! Turns remaining `undef` and `poison` values into inputs, after the passes.

use super::RUNTIME_PREFIX;
use super::externals::unwritten;
use super::ir::{Ir, Value};
use super::vectors;
use inkwell::llvm_sys::LLVMOpcode;
use std::collections::BTreeSet;

pub(super) fn fill_undefined(ir: &Ir<'_>) {
    for function in ir.definitions() {
        if function.name().starts_with(RUNTIME_PREFIX) {
            continue;
        }
        for instruction in function.instructions() {
            if instruction.opcode() == LLVMOpcode::LLVMPHI {
                fill_phi(ir, instruction);
            } else {
                fill_instruction(ir, instruction);
            }
        }
    }
}

fn fill_instruction(ir: &Ir<'_>, instruction: Value) {
    for (index, operand) in instruction.operands().into_iter().enumerate() {
        if operand.is_undefined() && operand.ty().is_scalar() {
            ir.before(instruction);
            if let Some(value) = unwritten(ir, operand.ty(), &name_of(instruction)) {
                instruction.set_operand(index, value);
            }
        }
        let undefined = vectors::undefined_elements(operand);
        if !undefined.is_empty() {
            ir.before(instruction);
            if let Some(value) = with_inputs(ir, operand, &undefined, &name_of(instruction)) {
                instruction.set_operand(index, value);
            }
        }
    }
}

/// A constant vector with inputs in the place of its undefined elements.
fn with_inputs(ir: &Ir<'_>, vector: Value, undefined: &BTreeSet<i64>, name: &str) -> Option<Value> {
    let (element, _) = vector.ty().elements()?;
    let mut filled = vectors::with_zeros(ir, vector);
    for index in undefined {
        let value = unwritten(ir, element, name)?;
        filled = ir.with_element(filled, value, u32::try_from(*index).ok()?);
    }
    Some(filled)
}

/// The input happens in the predecessor, once for all edges from there.
fn fill_phi(ir: &Ir<'_>, phi: Value) {
    let incoming = phi.incoming();
    for (index, &(operand, block)) in incoming.iter().enumerate() {
        let current = phi.operand(u32::try_from(index).expect("operand counts are small"));
        if !current.is_undefined() || !operand.ty().is_scalar() {
            continue;
        }
        let Some(terminator) = block.terminator() else {
            continue;
        };
        ir.before(terminator);
        if let Some(value) = unwritten(ir, operand.ty(), &name_of(phi)) {
            for (other, (_, from)) in incoming.iter().enumerate() {
                if *from == block {
                    phi.set_operand(other, value);
                }
            }
        }
    }
}

fn name_of(instruction: Value) -> String {
    let name = instruction.name();
    if name.is_empty() {
        "undefined".to_owned()
    } else {
        name
    }
}
