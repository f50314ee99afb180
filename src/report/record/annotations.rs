//! Annotations of locations, for people and machines.

use super::place;
use flowgraph::Program;
use invariants::Annotation;
use serde::{Deserialize, Serialize};

/// A condition under which nothing bad follows a location.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AnnotationRecord {
    /// `file:line:column`; empty where the source is not known.
    pub place: String,
    pub function: String,
    /// How many calls are around it.
    pub callers: usize,
    /// Over registers, and over names for what is read later.
    pub condition: String,
    /// Whether it holds in all iterations of a loop, and excludes errors in and behind it.
    pub of_loop: bool,
}

impl AnnotationRecord {
    pub(super) fn of(annotation: &Annotation, program: &Program) -> AnnotationRecord {
        let function = program.function(annotation.location.function);
        AnnotationRecord {
            place: place(program, function.node(annotation.location.node).span),
            function: function.name.clone(),
            callers: annotation.n_callers,
            condition: annotation.condition.clone(),
            of_loop: annotation.is_inductive,
        }
    }
}
