//! Global variables that only `main` uses become its local variables, which mem2reg turns into
//! registers.
//!
//! After inlining, these are most scalar globals of a small program. As registers they have liveness, so that
//! values that are overwritten before any read do not distinguish states.
//!
//! # Invariants
//! - Only variables that are loaded and stored as a whole, with their own type, by `main`, which is never
//!   called: their addresses are not taken.

use super::ir::{Ir, Value};
use inkwell::llvm_sys::LLVMOpcode;

/// Moves what can be moved.
pub(super) fn localise_globals(ir: &Ir<'_>) {
    let Some(main) = ir.function("main") else {
        return;
    };
    if !main.users().is_empty() {
        return;
    }
    for global in ir.globals() {
        let Some(initializer) = global.initializer() else {
            continue;
        };
        let is_variable =
            global.is_internal() && !global.is_constant_global() && !global.is_thread_local();
        if !is_variable || !global.value_type().is_scalar() || !is_private_to(global, main) {
            continue;
        }
        let entry = main.blocks()[0];
        let name = global.name();
        ir.before(entry.first_insertion_point(false));
        let local = ir.alloca(global.value_type(), &name);
        ir.before(entry.first_insertion_point(true));
        ir.store(initializer, local);
        global.replace_uses(local);
    }
}

/// Whether a global is only loaded and stored, and only by this function.
fn is_private_to(global: Value, function: Value) -> bool {
    let ty = global.value_type();
    let blocks = function.blocks();
    let users = global.users();
    !users.is_empty()
        && users.iter().all(|user| {
            if !user.is_instruction() {
                return false;
            }
            let is_whole = match user.opcode() {
                LLVMOpcode::LLVMLoad => user.ty() == ty && !user.is_volatile(),
                LLVMOpcode::LLVMStore => {
                    let value = user.operand(0);
                    value != global && value.ty() == ty && !user.is_volatile()
                }
                _ => false,
            };
            is_whole && blocks.contains(&user.parent())
        })
}
