//! The parameters of predicates as variables of C.

use super::system::{Parameter, Predicate, System, ValueOf};
use invariants::{Variable, in_c, name_in_source};
use solver::horn::Formula;
use std::rc::Rc;

/// What the parameters of a predicate are called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Names {
    /// Variables at the head of a loop.
    Loop,
    /// What a function is called with.
    Entry,
    /// That, and what it returns.
    Result,
}

impl System {
    /// Conjuncts about a predicate in C.
    pub(super) fn in_c(
        &self,
        names: Names,
        predicate: &Predicate,
        conjuncts: &[Rc<Formula>],
    ) -> Vec<String> {
        let variable = |position: usize| {
            let parameter = predicate.parameters.get(position)?;
            Some(Variable {
                name: named(names, parameter),
                bits: parameter.data.bits,
                is_unsigned: self.signs.is_unsigned(parameter.slot),
                is_converted: false,
            })
        };
        in_c(&variable, conjuncts)
    }
}

/// The name of a variable of the source.
fn named(names: Names, parameter: &Parameter) -> Option<String> {
    if parameter.value == ValueOf::Result {
        return Some("\\result".to_owned());
    }
    let name = name_in_source(&parameter.data.name)?;
    match (names, parameter.value) {
        (Names::Loop, ValueOf::Register(_) | ValueOf::Cell(_)) | (Names::Entry, _) => {
            Some(name.to_owned())
        }
        (Names::Result, ValueOf::Cell(_)) => Some(name.to_owned()),
        (Names::Result, ValueOf::Argument(_) | ValueOf::CellBefore(_)) => {
            Some(format!("\\at({name}, Old)"))
        }
        (Names::Loop | Names::Result, _) => None,
    }
}
