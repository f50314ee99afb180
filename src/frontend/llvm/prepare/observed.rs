//! Marks for checks on values that later passes would remove from the code.
//!
//! | check | a call of | before |
//! |---|---|---|
//! | uninitialised values | `__compact_se_use(value)` | a call with such an argument, a return with such a result |
//! | pairs of pointers | `__compact_se_pair(p, q)` | a comparison by order of two pointers, their difference |
//!
//! In a replay, `MemorySanitizer` checks the argument of `use`, and `pair` calls the library of `AddressSanitizer`.
//!
//! Runs before inlining, which drops arguments and results. Models of the C library are not marked, as the
//! native library is not checked.

use super::RUNTIME_PREFIX;
use super::ir::{Ir, Value};
use inkwell::llvm_sys::LLVMOpcode;
use std::collections::BTreeSet;

const USE_FUNCTION: &str = "__compact_se_use";
const PAIR_FUNCTION: &str = "__compact_se_pair";

/// Arguments are uses where C does not let them be indeterminate (`noundef`), and so are results, as for
/// `MemorySanitizer`.
pub(super) fn mark_uses(ir: &Ir<'_>, models: &BTreeSet<String>) {
    for function in program(ir, models) {
        for instruction in function.instructions() {
            let values: Vec<Value> = match instruction.opcode() {
                LLVMOpcode::LLVMCall if is_of_program(instruction) => {
                    let arguments = instruction.call_arguments().into_iter().enumerate();
                    let defined =
                        arguments.filter(|(at, _)| ir.is_argument_defined(instruction, *at));
                    defined.map(|(_, value)| value).collect()
                }
                LLVMOpcode::LLVMRet => instruction.operands(),
                _ => continue,
            };
            for value in values {
                mark_use(ir, instruction, value);
            }
        }
    }
}

/// The functions of the program.
fn program<'m>(ir: &Ir<'_>, models: &'m BTreeSet<String>) -> impl Iterator<Item = Value> + 'm {
    let functions = ir.definitions().into_iter();
    functions.filter(|function| {
        let name = function.name();
        !name.starts_with(RUNTIME_PREFIX) && !models.contains(&name)
    })
}

/// Whether a call is not one of an intrinsic or of our runtime.
fn is_of_program(call: Value) -> bool {
    let is_own = |name: String| name.starts_with("llvm.") || name.starts_with(RUNTIME_PREFIX);
    !call.callee_name().is_some_and(is_own)
}

fn mark_use(ir: &Ir<'_>, user: Value, value: Value) {
    let is_variable = value.is_instruction() || value.is_argument();
    let ty = value.ty();
    if !is_variable || !ty.is_scalar() || ir.bits_of(ty) > 64 {
        return;
    }
    ir.before(user);
    let word = ir.int(64);
    let bits = ir.bits_as_int(value, word);
    let mark = ir.declare(USE_FUNCTION, ir.void(), &[word]);
    ir.define_parameter(mark, 0);
    ir.call(mark, &[bits], "");
}

/// Comparisons by order, and differences.
pub(super) fn mark_pairs(ir: &Ir<'_>, models: &BTreeSet<String>) {
    for function in program(ir, models) {
        for instruction in function.instructions() {
            if let Some(pair) = compared(instruction).or_else(|| subtracted(instruction)) {
                ir.before(instruction);
                let mark = ir.declare(PAIR_FUNCTION, ir.void(), &pair.map(Value::ty));
                ir.call(mark, &pair, "");
            }
        }
    }
}

fn compared(instruction: Value) -> Option<[Value; 2]> {
    if instruction.opcode() != LLVMOpcode::LLVMICmp || !instruction.is_by_order() {
        return None;
    }
    let operands = [0, 1].map(|index| instruction.operand(index));
    operands
        .iter()
        .all(|one| one.ty().is_pointer())
        .then_some(operands)
}

fn subtracted(instruction: Value) -> Option<[Value; 2]> {
    if instruction.opcode() != LLVMOpcode::LLVMSub {
        return None;
    }
    let operands = [0, 1].map(|index| instruction.operand(index));
    let is_address = |one: &Value| match one.is_instruction() {
        true => one.opcode() == LLVMOpcode::LLVMPtrToInt,
        false => one.is_constant_expression() && one.constant_opcode() == LLVMOpcode::LLVMPtrToInt,
    };
    operands
        .iter()
        .all(is_address)
        .then(|| operands.map(|one| one.operand(0)))
}
