//! What sanitizers need in the prepared module, and what the flowgraph does not need.

use super::super::sanitizer::HANDLER_PREFIX;
use super::ir::{Ir, TEXT_PREFIX, Value};
use inkwell::llvm_sys::LLVMOpcode;

/// What checks tell their handlers (places, types, operands that are too wide to be passed by value)
/// are no objects of the program. Whether there are checks.
pub(super) fn hide_descriptions(ir: &Ir<'_>) -> bool {
    let mut open: Vec<Value> = Vec::new();
    let functions = ir.functions().into_iter();
    for handler in functions.filter(|function| function.name().starts_with(HANDLER_PREFIX)) {
        let calls = handler.users().into_iter();
        for call in calls.filter(|user| user.is_instruction()) {
            let arguments = call.call_arguments();
            let Some((description, operands)) = arguments.split_first() else {
                continue;
            };
            open.push(*description);
            for operand in operands {
                hide_operand(ir, *operand);
            }
        }
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

/// An operand that a handler is told by the address of a variable, which holds nothing else: the
/// variable becomes one that the flowgraph does not have.
fn hide_operand(ir: &Ir<'_>, told: Value) {
    let is_address = told.is_instruction() && told.opcode() == LLVMOpcode::LLVMPtrToInt;
    if !is_address || !told.operand(0).is_alloca() {
        return;
    }
    let variable = told.operand(0);
    let is_told_only =
        |user: &Value| *user == told || user.stored_to().is_some_and(|to| to == variable);
    if !variable.users().iter().all(is_told_only) {
        return;
    }
    let ty = variable.allocated_type();
    let name = format!("{TEXT_PREFIX}operand");
    let hidden = ir.add_global(&name, ty, ir.zero(ty));
    variable.replace_uses(hidden);
    variable.erase();
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
