//! Arrival of jumps: `setjmp` has not returned 0, which decides the comparison after it.
//!
//! Otherwise each `if (setjmp(…) == 0)` would be a loop, since a jump from the guarded code would lead back
//! before the branching to it. So the code between a `setjmp` and the end of its block is copied for each
//! jump, if it only computes and stores into variables, and the branch of the copy drops the side of 0.
//!
//! Needs values that are used in their block only (`reg2mem`).

use super::super::ir::{Block, Ir, Value};
use super::ResumePoint;
use inkwell::llvm_sys::LLVMOpcode;
use std::collections::BTreeMap;

/// Builds the code after a `setjmp` that returns `value`, which is not 0.
pub(super) fn resume(ir: &Ir<'_>, place: &ResumePoint, value: Value) {
    ir.store(value, place.result);
    let block = place.resumed.parent();
    if block.instructions().into_iter().all(can_be_copied) {
        copy(ir, block, place.result, value);
    } else {
        ir.jump(block);
    }
}

fn can_be_copied(instruction: Value) -> bool {
    use LLVMOpcode as Op;
    match instruction.opcode() {
        Op::LLVMLoad => instruction.operand(0).is_alloca(),
        Op::LLVMStore => instruction.operand(1).is_alloca(),
        Op::LLVMICmp
        | Op::LLVMZExt
        | Op::LLVMSExt
        | Op::LLVMTrunc
        | Op::LLVMXor
        | Op::LLVMBr
        | Op::LLVMSwitch => true,
        Op::LLVMCall => is_for_debuggers(instruction),
        _ => false,
    }
}

fn is_for_debuggers(call: Value) -> bool {
    let name = call.callee_name().unwrap_or_default();
    name.starts_with("llvm.dbg.")
}

/// Facts known while a block is copied.
struct Known {
    /// Instructions of the block, with what stands for them.
    copies: BTreeMap<Value, Value>,
    /// Variables that hold the result.
    holders: Vec<Value>,
    /// The result, which is not 0.
    result: Value,
}

impl Known {
    fn of(&self, value: Value) -> Value {
        self.copies.get(&value).copied().unwrap_or(value)
    }
}

fn copy(ir: &Ir<'_>, block: Block, variable: Value, result: Value) {
    let mut known = Known {
        copies: BTreeMap::new(),
        holders: vec![variable],
        result,
    };
    for instruction in block.instructions() {
        ir.at_place_of(instruction);
        match instruction.opcode() {
            LLVMOpcode::LLVMCall => {}
            LLVMOpcode::LLVMLoad
                if !instruction.is_volatile()
                    && known.holders.contains(&instruction.operand(0))
                    && instruction.ty() == result.ty() =>
            {
                known.copies.insert(instruction, result);
            }
            LLVMOpcode::LLVMICmp if known.of(instruction.operand(0)) == result => {
                let decided = instruction.zero_test(instruction.operand(0));
                let copied = match decided {
                    Some(is_equality) => ir.constant(ir.int(1), u64::from(!is_equality)),
                    None => ir.copy(instruction, |operand| known.of(operand)),
                };
                known.copies.insert(instruction, copied);
            }
            LLVMOpcode::LLVMBr | LLVMOpcode::LLVMSwitch => leave(ir, instruction, &known),
            opcode => {
                let copied = ir.copy(instruction, |operand| known.of(operand));
                if opcode == LLVMOpcode::LLVMStore {
                    let (stored, to) = (instruction.operand(0), instruction.operand(1));
                    known.holders.retain(|holder| *holder != to);
                    if known.of(stored) == result {
                        known.holders.push(to);
                    }
                } else {
                    known.copies.insert(instruction, copied);
                }
            }
        }
    }
}

/// The copy of the block's end.
fn leave(ir: &Ir<'_>, end: Value, known: &Known) {
    let successors = end.parent().successors();
    let asked = known.of(end.operand(0));
    match (end.opcode(), successors.as_slice()) {
        (LLVMOpcode::LLVMBr, [then, otherwise]) => match asked.as_i64() {
            Some(0) => ir.jump(*otherwise),
            Some(_) => ir.jump(*then),
            None => ir.branch(asked, *then, *otherwise),
        },
        (LLVMOpcode::LLVMBr, [next]) => ir.jump(*next),
        (_, [otherwise, ..]) => {
            // The operands are the value, the default, and each case with its block.
            let values = end.operands().into_iter().skip(2).step_by(2);
            let cases = values.zip(successors[1..].iter().copied());
            let is_possible =
                |(value, _): &(Value, Block)| asked != known.result || value.as_i64() != Some(0);
            let cases: Vec<(Value, Block)> = cases.filter(is_possible).collect();
            ir.switch(asked, *otherwise, &cases);
        }
        (_, []) => ir.unreachable(),
    }
}
