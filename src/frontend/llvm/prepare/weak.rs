//! Undefined weak symbols: a linker gives them the null address, unless a library or the linker itself defines them.
//!
//! | it may be | use | becomes |
//! |---|---|---|
//! | of no library | any | the null address, with a note |
//! | a target | any | what it is without the attribute |
//! | of a library, or of the compiler's | by an instruction: a call, a comparison, a copy of the address | unsupported, where it is executed |
//! | the same | within a constant: the initial value of a variable | the program is refused |

use super::super::LoadError;
use super::super::symbols::in_source;
use super::externals::unsupported_function;
use super::ir::{Ir, Value};
use super::library::{Owner, owner};
use inkwell::llvm_sys::LLVMOpcode;

/// Names of inputs begin so, which a harness defines.
const INPUT: &str = "__VERIFIER_";

/// Gives what is declared weak and not defined an address, or ends paths where that matters.
pub(super) fn resolve_weak(ir: &Ir<'_>, notes: &mut Vec<String>) -> Result<(), LoadError> {
    for value in ir.functions().into_iter().chain(ir.globals()) {
        let users = value.users();
        if !value.may_be_null() || users.is_empty() {
            continue;
        }
        let symbol = value.name();
        let name = in_source(&symbol);
        if owner(&symbol) == Owner::Nobody && !symbol.starts_with(INPUT) {
            notes.push(format!(
                "{name} is declared weak and not defined by any file: its address is null"
            ));
            value.replace_uses(ir.zero(ir.pointer()));
            continue;
        }
        let has_place =
            |user: &Value| user.is_instruction() && user.opcode() != LLVMOpcode::LLVMPHI;
        if !users.iter().all(has_place) {
            return Err(LoadError::Refused {
                what: format!(
                    "{name} is declared weak and not defined, so that it may or may not exist, and its \
                     address is part of a constant or chosen by a condition; define it, or declare it \
                     without the attribute"
                ),
            });
        }
        let what = format!("use of {name}, which is declared weak and not defined");
        for user in users {
            ir.before(user);
            ir.call(unsupported_function(ir), &[ir.text(&what)], "");
        }
        // No path gets there.
        value.replace_uses(ir.zero(ir.pointer()));
    }
    Ok(())
}
