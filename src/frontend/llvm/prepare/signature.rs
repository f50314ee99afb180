//! The types of functions, as seen by calls.

use super::debug_types::tag;
use super::input_types::basic;
use super::ir::Value;
use crate::Reading;

/// What a function gives and takes, its names apart: `None` for nothing, else the kind of the type and its bits.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Signature(pub Vec<Option<Class>>);

/// A kind of types between which calls make no difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    Integer(u64),
    Pointer,
    /// Another, by its node.
    Other(Value),
}

impl Signature {
    /// Of a function with debug information.
    pub(super) fn of_function(function: Value) -> Option<Signature> {
        Signature::of(function.subprogram_type()?)
    }

    /// Of a subroutine's type. Its operands are file, scope, name, types: the result's and those of the parameters.
    pub(super) fn of(subroutine: Value) -> Option<Signature> {
        if subroutine.debug_tag()? != tag::SUBROUTINE {
            return None;
        }
        let types = subroutine.base_type()?.metadata_operands();
        let classes = types.into_iter().map(|ty| ty.map(class));
        Some(Signature(classes.collect()))
    }
}

fn class(ty: Value) -> Class {
    let ty = ty.unqualified_type().unwrap_or(ty);
    match ty.debug_tag() {
        Some(tag::POINTER) => Class::Pointer,
        Some(tag::BASE) if basic(&ty.print()).is_some_and(|ty| ty.reading != Reading::Float) => {
            Class::Integer(ty.debug_bits().unwrap_or_default())
        }
        _ => Class::Other(ty),
    }
}
