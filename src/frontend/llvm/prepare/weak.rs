//! What is declared weak and that no file defines: its address is null, as linkers have it.
//!
//! Names that somebody else gives a meaning to stay refused: whether the C library of a machine defines
//! them is not known, and targets and inputs have no definition anywhere.

use super::super::folded::TargetName;
use super::super::{LoadError, LoadOptions};
use super::ir::Ir;
use super::library::{Owner, owner};

/// Gives what is weak and defined nowhere the null address.
pub(super) fn resolve_weak(ir: &Ir<'_>, options: &LoadOptions) -> Result<(), LoadError> {
    let has_meaning = |name: &str| {
        owner(name) != Owner::Nobody
            || name.starts_with("__VERIFIER_")
            || options.further_targets.iter().any(|target| target == name)
            || options.target.names().iter().any(|target| match target {
                TargetName::Call(target) | TargetName::Function(target) => target == name,
                TargetName::Label(_) => false,
            })
    };
    for value in ir.functions().into_iter().chain(ir.globals()) {
        if !value.may_be_null() || value.users().is_empty() {
            continue;
        }
        let name = value.name();
        if has_meaning(&name) {
            return Err(LoadError::Refused {
                what: format!(
                    "{name} is declared weak and not defined, so that it may be there or not; declare it \
                     without the attribute, or define it"
                ),
            });
        }
        value.replace_uses(ir.zero(ir.pointer()));
    }
    Ok(())
}
