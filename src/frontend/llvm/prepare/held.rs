//! Held pointers (leak-check roots): variables that keep their pointers in memory, for replays that search
//! for lost blocks where a program ends within functions.
//!
//! A variable that becomes a register may be gone at the end of the program, although it is in scope in C. So
//! each possible pointer is also stored in memory that no pass removes.
//!
//! # Invariants
//! - The program behaves as before, and reads the same inputs.

use super::RUNTIME_PREFIX;
use super::ir::{Ir, Ty, Value};
use inkwell::llvm_sys::LLVMOpcode;

/// Is to run when what C leaves uninitialised has its content, and before variables become registers.
pub(super) fn hold_variables(ir: &Ir<'_>) {
    for function in ir.definitions() {
        if function.name().starts_with(RUNTIME_PREFIX) {
            continue;
        }
        for instruction in function.instructions() {
            if instruction.opcode() == LLVMOpcode::LLVMAlloca
                && may_point(ir, instruction.allocated_type())
            {
                hold(ir, function, instruction);
            }
        }
    }
}

/// Whether a value of this type may be a pointer, or an integer that was one.
fn may_point(ir: &Ir<'_>, ty: Ty) -> bool {
    ty.is_sized() && ty.is_scalar() && ir.bits_of(ty) >= u64::from(ir.pointer_bits())
}

fn hold(ir: &Ir<'_>, function: Value, variable: Value) {
    let stores: Vec<Value> = variable
        .users()
        .into_iter()
        .filter(|user| {
            user.is_instruction()
                && user.opcode() == LLVMOpcode::LLVMStore
                && user.operand(1) == variable
                && may_point(ir, user.operand(0).ty())
                && !is_arbitrary(user.operand(0))
        })
        .collect();
    if stores.is_empty() {
        return;
    }
    let entry = function.blocks()[0];
    ir.before(entry.instructions()[0]);
    let ty = variable.allocated_type();
    let held = ir.alloca(ty, "held");
    ir.store(ir.zero(ty), held).set_volatile(true);
    for store in stores {
        ir.before(store);
        ir.store(store.operand(0), held).set_volatile(true);
    }
}

/// Whether a value is uninitialised in C, which is removed if it is never read.
fn is_arbitrary(value: Value) -> bool {
    if !value.is_instruction() {
        return false;
    }
    match value.callee_name() {
        Some(name) => {
            let ours = name.strip_prefix(RUNTIME_PREFIX);
            ours.is_some_and(|name| name.starts_with("unwritten"))
        }
        // A pointer is made of an integer.
        None => {
            let is_conversion = matches!(
                value.opcode(),
                LLVMOpcode::LLVMIntToPtr | LLVMOpcode::LLVMBitCast
            );
            is_conversion && is_arbitrary(value.operand(0))
        }
    }
}
