//! What sanitizers need in the prepared module, and what the flowgraph does not need.

use super::super::sanitizer::HANDLER_PREFIX;
use super::ir::{Ir, TEXT_PREFIX, Value};
use inkwell::llvm_sys::LLVMOpcode;

/// What checks tell their handlers (places, types) are no objects of the program. Whether there are
/// checks.
pub(super) fn hide_descriptions(ir: &Ir<'_>) -> bool {
    let mut open: Vec<Value> = Vec::new();
    let functions = ir.functions().into_iter();
    for handler in functions.filter(|function| function.name().starts_with(HANDLER_PREFIX)) {
        let calls = handler.users().into_iter();
        let calls = calls.filter(|user| user.is_instruction());
        open.extend(calls.filter_map(|call| call.call_arguments().first().copied()));
    }
    let is_checked = !open.is_empty();
    let mut number = 0;
    while let Some(value) = open.pop() {
        if value.is_global_variable() {
            if !value.name().starts_with(TEXT_PREFIX) {
                value.set_name(&format!("{TEXT_PREFIX}check.{number}"));
                number += 1;
                open.extend(value.initializer());
            }
        } else if value.is_aggregate_constant() {
            open.extend(value.operands());
        }
    }
    is_checked
}

/// Arithmetic wraps: what is said of results that do not wrap would let passes take for granted what
/// is not checked.
pub(super) fn let_arithmetic_wrap(ir: &Ir<'_>) {
    for function in ir.definitions() {
        for instruction in function.instructions() {
            let may_say_so = matches!(
                instruction.opcode(),
                LLVMOpcode::LLVMAdd
                    | LLVMOpcode::LLVMSub
                    | LLVMOpcode::LLVMMul
                    | LLVMOpcode::LLVMShl
            );
            if may_say_so {
                instruction.let_wrap();
            }
        }
    }
}

/// Marks what `AddressSanitizer` and `MemorySanitizer` instrument where a replay asks for it: all that is the program's.
pub(super) fn mark_for_sanitizers(ir: &Ir<'_>) {
    for function in ir.definitions() {
        ir.add_attribute(function, "sanitize_address", 0);
        ir.add_attribute(function, "sanitize_memory", 0);
    }
}
