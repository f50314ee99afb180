//! Block-scoped variables that stay in memory, for the check of accesses out of scope.
//!
//! If a pointer became a register, its variable would be known and become a register, too, and accesses after
//! its block would be lost. Loads from block-scoped variables are kept for the same reason (`partial`).
//!
//! Clang marks the begin and end of the blocks of most variables. This pass marks the begin of variables that
//! live as long as their function, or until the stack is restored. The others are variables into whose block
//! a jump leads, and compound literals of inner blocks: they stay in memory without marks, and keep the
//! verdict open.
//!
//! # Invariants
//! - The program behaves as before, and reads the same inputs.

use super::RUNTIME_PREFIX;
use super::ir::{Ir, Value};
use inkwell::llvm_sys::LLVMOpcode;

const LIFETIME: &str = "llvm.lifetime.";

/// Metadata of the variables that stay in memory.
const KEPT: &str = "compact_se.kept";

/// Is to run when what C leaves uninitialised has its content, and before variables become registers.
pub(super) fn keep_variables_of_blocks(ir: &Ir<'_>) {
    for function in ir.definitions() {
        if function.name().starts_with(RUNTIME_PREFIX) {
            continue;
        }
        let entry = function.blocks()[0];
        let mut variables = function.instructions();
        variables.retain(|instruction| instruction.is_alloca());
        for variable in variables {
            let is_pointed_to = is_pointed_to(ir, variable);
            if !has_marks(variable) {
                let is_array = variable.parent() != entry || !variable.operand(0).is_constant_int();
                if is_array || !is_pointed_to || is_of_function(variable) {
                    begin(ir, variable);
                    continue;
                }
            }
            if is_pointed_to {
                ir.mark(variable, KEPT);
                // No pass turns a variable into a register that is stored to like this.
                let stores = variable.users().into_iter();
                for store in stores.filter(|user| user.stored_to() == Some(variable)) {
                    store.set_volatile(true);
                }
            }
        }
    }
}

/// Whether each load from a variable stays, since its block may have been left.
pub(super) fn is_kept(ir: &Ir<'_>, variable: Value) -> bool {
    ir.is_marked(variable, KEPT)
}

/// Whether it is marked where the block of a variable begins, and where it ends.
fn has_marks(variable: Value) -> bool {
    variable.users().into_iter().any(is_mark)
}

fn is_mark(user: Value) -> bool {
    let name = user.is_instruction().then(|| user.callee_name()).flatten();
    name.is_some_and(|name| name.starts_with(LIFETIME))
}

/// Marks that a variable begins where its memory is made, and lives as long as that.
fn begin(ir: &Ir<'_>, variable: Value) {
    let Some(next) = variable.next() else {
        return;
    };
    let (int64, pointer) = (ir.int(64), ir.pointer());
    let start = ir.declare("llvm.lifetime.start.p0", ir.void(), &[int64, pointer]);
    ir.before(next);
    ir.at_place_of(variable);
    // Of a size that is not told.
    ir.call(start, &[ir.constant(int64, u64::MAX), variable], "");
}

/// Whether something may point to a variable, or to a part of it, from elsewhere than an access to it.
fn is_pointed_to(ir: &Ir<'_>, variable: Value) -> bool {
    let mut addresses = vec![variable];
    while let Some(address) = addresses.pop() {
        for user in address.users() {
            if !user.is_instruction() {
                return true;
            }
            match user.opcode() {
                LLVMOpcode::LLVMLoad => {}
                LLVMOpcode::LLVMStore if user.operand(0) != address => {}
                LLVMOpcode::LLVMGetElementPtr => addresses.push(user),
                LLVMOpcode::LLVMCall if only_accesses(ir, user, address) => {}
                _ => return true,
            }
        }
    }
    false
}

/// Whether a call does with an address what an access does.
fn only_accesses(ir: &Ir<'_>, call: Value, address: Value) -> bool {
    let Some(callee) = call.callee() else {
        return false;
    };
    let name = callee.name();
    if name.starts_with("llvm.") || name.starts_with(RUNTIME_PREFIX) {
        return !name.starts_with("llvm.launder");
    }
    // The results and arguments of calls that are passed in memory.
    let arguments = call.call_arguments().into_iter().enumerate();
    let mut places = arguments.filter(|(_, argument)| *argument == address);
    places.all(|(index, _)| {
        let is_passed = |name| ir.type_at_parameter(callee, index, name).is_some();
        is_passed("sret") || is_passed("byval")
    })
}

/// Whether a variable without marks is a parameter, or of the outermost block of its function.
fn is_of_function(variable: Value) -> bool {
    let is_of_argument = |user: &Value| {
        let is_store = user.is_instruction() && user.opcode() == LLVMOpcode::LLVMStore;
        is_store && user.operand(0).is_argument()
    };
    let users = variable.users();
    // A structure that is passed in registers is put together in its variable.
    let is_parameter = users.iter().any(|user| {
        let is_part = user.is_instruction() && user.opcode() == LLVMOpcode::LLVMGetElementPtr;
        is_of_argument(user) || is_part && user.users().iter().any(is_of_argument)
    });
    is_parameter || users.into_iter().all(Value::is_in_outermost_block)
}
