//! Errors of a program.

use super::Check;
use flowgraph::{EndKind, Span};
use semantics::{Leak, MemoryFault, PathEnd};

/// The error.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ErrorKind {
    /// The target was reached.
    Target,
    /// An operation, or an assertion.
    Program(EndKind),
    /// An access to memory.
    Memory(MemoryFault),
    /// Memory that is left when the program ends; its place is that of the allocation.
    Leak(Leak),
}

/// An error with its place in the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Violation {
    pub kind: ErrorKind,
    pub place: Span,
}

impl ErrorKind {
    /// The checks that find it, one of which is enough: none for the target.
    #[must_use]
    pub fn checks(self) -> &'static [Check] {
        self.facts().checks
    }

    /// For a list of errors, the worst first.
    #[must_use]
    pub fn rank(self) -> u32 {
        self.facts().rank
    }
}

impl Violation {
    /// The error at which a path ends, if a check could be about that end.
    pub(super) fn at(end: &PathEnd) -> Option<Violation> {
        let (kind, place) = match end {
            PathEnd::Target(place) => (ErrorKind::Target, *place),
            PathEnd::Program(kind, place) => (ErrorKind::Program(*kind), *place),
            PathEnd::Fault(fault, place) => (ErrorKind::Memory(*fault), *place),
            PathEnd::Returned
            | PathEnd::Assumed(_)
            | PathEnd::Unsupported(..)
            | PathEnd::Undecided(_) => return None,
        };
        Some(Violation { kind, place })
    }
}

/// In a few words, for people.
impl std::fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ErrorKind::Target => f.write_str("the target is reached"),
            ErrorKind::Program(kind) => write!(f, "{kind}"),
            ErrorKind::Memory(fault) => write!(f, "{fault}"),
            ErrorKind::Leak(leak) => write!(f, "{leak}"),
        }
    }
}
