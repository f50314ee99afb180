//! Guess and check (Houdini): guessed loop invariants, of which those that are not inductive are dropped.
//!
//! ```text
//! program, executions --candidates--> guessed invariant --check, drop, check again--> inductive invariant --> C
//! ```
//!
//! The loop is [`Houdini`]: candidates at points, steps between points, and a caller that judges steps.
//! Formulas over numbers have one meaning over bit-vectors ([`Meaning`]) and one form in C ([`in_c()`]). Horn
//! clauses and correctness witnesses use both from above. Two techniques of the executor live here: cuts of
//! loops at their headers ([`Cutter`], the technique *induction*), and annotations of locations
//! ([`Annotations`]).
//!
//! # Deliberately absent
//! No search: the executor chooses states. No clauses, and no text of a program: their owners judge steps.
//!
//! # Source
//! Flanagan, Leino, *Houdini, an Annotation Assistant for ESC/Java*, FME 2001.
//!
//! ```
//! use compact_se_invariants::{Houdini, Step};
//!
//! // A point, and a step from it to itself: of these candidates the even one stays.
//! let step = Step { from: vec![0], to: 0 };
//! let mut houdini = Houdini::new(vec![vec![2, 3]], vec![step]);
//! while !houdini.is_inductive() {
//!     houdini.go_on(|_, guess| Ok::<_, ()>(guess[0].iter().map(|n| n % 2 == 0).collect()))?;
//! }
//! assert_eq!(houdini.guess, [[2]]);
//! # Ok::<(), ()>(())
//! ```

mod annotations;
mod candidates;
mod cuts;
mod houdini;
mod in_c;
mod meaning;

pub use self::in_c::{Variable, Variables, in_c, name_in_source};
pub use annotations::{
    Annotation, AnnotationPolicy, AnnotationStatistics, Annotations, Means, Point, Trail,
};
pub use candidates::{Claim, Guesses, Part, Relation, has_rows_of_unknown_length};
pub use cuts::{Arrival, Asking, CutHandling, CutStack, Cutter};
pub use houdini::{Guess, Houdini, Step, implied};
pub use meaning::{Argument, Meaning};

use flowgraph::{FunctionId, NodeId, Program, Span};

/// A formula that holds at each evaluation of a loop's condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopInvariant {
    /// Where the loop begins in the source; the column is unknown.
    pub place: Span,
    /// Its conjuncts, expressions of C over the variables' names.
    pub conjuncts: Vec<String>,
}

impl LoopInvariant {
    /// These conjuncts at a header; `None` where there are none, or the loop has no place in the source.
    #[must_use]
    pub fn of(
        program: &Program,
        function: FunctionId,
        header: NodeId,
        conjuncts: Vec<String>,
    ) -> Option<LoopInvariant> {
        let nest = program.function(function).loops();
        let natural = &nest.loops[nest.by_header(header)?.index()];
        let lines = natural.lines.filter(|_| !conjuncts.is_empty())?;
        let place = Span {
            file: lines.file,
            line: lines.first,
            column: 0,
        };
        Some(LoopInvariant { place, conjuncts })
    }
}

/// What a function requires of its calls, and ensures when it returns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionContract {
    pub function: String,
    /// Conjuncts, expressions of C over the parameters.
    pub requires: Vec<String>,
    /// The same over `\result` and `\at(x, Old)` for each parameter x.
    pub ensures: Vec<String>,
}
