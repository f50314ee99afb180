//! Words: what a phase repeats.

use super::PathId;
use crate::term::TermId;

/// A letter of a word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Step {
    /// One iteration along a path.
    Once(PathId),
    /// Iterations along a path for as long as it follows itself, at least one.
    Repeated(PathId),
}

impl Step {
    /// The path that is taken.
    #[must_use]
    pub fn path(self) -> PathId {
        match self {
            Step::Once(path) | Step::Repeated(path) => path,
        }
    }
}

/// The word of paths that take turns, from the edge on by which it is entered.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    pub word: Vec<Step>,
    /// How many iterations each step is: over the entry, as it was before the edge.
    pub times: Vec<TermId>,
}
