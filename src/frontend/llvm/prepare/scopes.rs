//! Variables of blocks that stay in memory, where it is an error to access one whose block was left.
//!
//! A pointer that becomes a register shows which variable it points to. That variable would then become a
//! register too, with accesses behind its block as good as others.
//!
//! # Invariants
//! - The program does what it did before, and asks for the same inputs.

use super::RUNTIME_PREFIX;
use super::ir::{Ir, Value};
use inkwell::llvm_sys::LLVMOpcode;

/// Is to run when what C leaves uninitialised has its content, and before variables become registers.
pub(super) fn keep_variables_of_blocks(ir: &Ir<'_>) {
    for function in ir.definitions() {
        if function.name().starts_with(RUNTIME_PREFIX) {
            continue;
        }
        for variable in function.instructions() {
            if variable.opcode() == LLVMOpcode::LLVMAlloca && may_be_left(variable) {
                // No pass turns a variable into a register that is stored to like this.
                let stores = variable.users().into_iter();
                for store in stores.filter(|user| user.stored_to() == Some(variable)) {
                    store.set_volatile(true);
                }
            }
        }
    }
}

/// Whether a variable is of a block, and something may point to it.
fn may_be_left(variable: Value) -> bool {
    let users = variable.users();
    let is_of_block = |user: &Value| {
        let name = user.is_instruction().then(|| user.callee_name()).flatten();
        name.is_some_and(|name| name.starts_with("llvm.lifetime."))
    };
    users.iter().any(is_of_block) && users.iter().any(|user| is_pointed_to(variable, *user))
}

/// Whether a use of a variable is one of its address, beside what tells where its block is.
fn is_pointed_to(variable: Value, user: Value) -> bool {
    if !user.is_instruction() {
        return true;
    }
    match user.opcode() {
        LLVMOpcode::LLVMLoad => false,
        LLVMOpcode::LLVMStore => user.operand(0) == variable,
        _ => user
            .callee_name()
            .is_none_or(|name| !name.starts_with("llvm.")),
    }
}
