//! Checks of the types of called functions through pointers.
//!
//! Clang's check reads two words before a function's code: a mark, and a hash of its type. The flowgraph has
//! no object there, so the check becomes comparisons with the program's functions, whose types are known:
//!
//! ```text
//! mark(f) == M && hash(f) != H  -->  f == g || f == h || …      all whose hash is not H
//! ```
//!
//! # Invariants
//! - A function without a hash, such as one of the C library, passes each check, as it does natively.

use super::ir::{Ir, Value};
use inkwell::llvm_sys::LLVMOpcode;

/// The name of clang's handler.
const HANDLER: &str = "function_type_mismatch";

/// Replaces all checks of the program.
pub(super) fn compare_functions(ir: &Ir<'_>) {
    let is_checked = |function: &Value| function.name().contains(HANDLER);
    if !ir.functions().iter().any(is_checked) {
        return;
    }
    let typed: Vec<(Value, i64)> = (ir.definitions().into_iter())
        .filter(|function| {
            function
                .users()
                .iter()
                .any(|user| is_address(*user, *function))
        })
        .filter_map(|function| Some((function, hash_of(ir, function)?)))
        .collect();
    for function in ir.definitions() {
        for load in function.instructions() {
            if let Some((callee, word)) = word_before_code(load) {
                compare(ir, load, (callee, word), &typed);
            }
        }
    }
}

/// Whether a function is used as more than what is called.
fn is_address(user: Value, function: Value) -> bool {
    let is_call = user.is_instruction() && user.opcode() == LLVMOpcode::LLVMCall;
    !is_call || user.callee() != Some(function) || user.call_arguments().contains(&function)
}

/// The hash of a function's type.
fn hash_of(ir: &Ir<'_>, function: Value) -> Option<i64> {
    let words = ir.metadata_of(function, "func_sanitize")?;
    let hash = words.metadata_operands().get(1).copied()?;
    hash.and_then(Value::as_i64)
}

/// The pointer to a function, and which of the two words before its code is loaded.
fn word_before_code(load: Value) -> Option<(Value, i64)> {
    if load.opcode() != LLVMOpcode::LLVMLoad {
        return None;
    }
    let address = load.operand(0);
    let is_element = match address.is_instruction() {
        true => address.opcode() == LLVMOpcode::LLVMGetElementPtr,
        false => {
            address.is_constant_expression()
                && address.constant_opcode() == LLVMOpcode::LLVMGetElementPtr
        }
    };
    if !is_element {
        return None;
    }
    let [callee, before, word] = address.operands()[..] else {
        return None;
    };
    let is_before = address.gep_source_type().is_struct() && before.as_i64() == Some(-1);
    is_before.then(|| word.as_i64().map(|word| (callee, word)))?
}

/// Replaces the comparisons of a word.
fn compare(ir: &Ir<'_>, load: Value, (callee, word): (Value, i64), typed: &[(Value, i64)]) {
    for comparison in load.users() {
        let expected = comparison.operands().into_iter().find_map(Value::as_i64);
        let (true, Some(expected)) = (comparison.opcode() == LLVMOpcode::LLVMICmp, expected) else {
            continue;
        };
        ir.before(comparison);
        let truth = |value: u64| ir.constant(ir.int(1), value);
        let mut passes = truth(1);
        if word == 1 {
            for (function, _) in typed.iter().filter(|(_, hash)| *hash != expected) {
                let is_other = ir.equals(callee, *function);
                passes = ir.select(is_other, truth(0), passes);
            }
        }
        comparison.replace_uses(passes);
        comparison.erase();
    }
    if load.users().is_empty() {
        load.erase();
    }
}
