//! Path dependency automata: the possible orders of the paths through a loop.
//!
//! ```text
//! loop --explore--> paths --edges--> automaton --words--> phases --runs--> Template
//! ```
//!
//! The states of the automaton are the paths through the loop's body, those that leave it included; an edge
//! leads from p to q if an iteration along q may follow one along p. A *phase* repeats a word of paths: one
//! path that follows itself as long as possible, or a turn of several paths whose order is unique once they
//! are entered by a certain edge (the *periods* of the thesis are the numbers of occurrences of each path in
//! the word). If a path of a turn repeats itself for a number of iterations that the state determines, its
//! period is a term: the word has it once, repeated. A phase is a cycle, so that it has a template by
//! Algorithm 1, whose exits are the paths that follow the phase.
//!
//! A *way* through the automaton is a sequence of phases, up to a path that leaves the loop. Their
//! composition is one exit of the loop's template, with a path counter for each phase whose number of
//! iterations is not determined otherwise. All ways are enumerated first, by querying the possible successors
//! of each phase; if there are too many, the loop has no template.
//!
//! # Invariants
//! - The exits of a template are the states that leave the loop, each exactly once: a phase ends when a path
//!   other than the next of its word is taken, so that its number of iterations is maximal; all other
//!   continuations are infeasible (Theorem 1).
//! - Under wrap-around "κ iterations along p" is ∀τ (τ < κ → p's condition), by the same quantifier as for
//!   cycles: no condition is assumed to be monotone.
//!
//! # Differences from the thesis
//! - A turn need not be a simple cycle: a word extends until its entering edge is taken again, so that
//!   periods are those of paths *entered by that edge*. Over all states the paths of listing 4.10 have
//!   periods z − x and x − z + 1.
//! - Turns may be nested: an inner word ends, after a number of iterations that the state determines, and
//!   another part of the turn follows. Its edges have more than one successor over all states.
//! - The first iteration may have other successors than later ones, which see the results of earlier
//!   iterations (the bound of a `do` loop): it is treated separately if the order is irregular otherwise.
//! - Conditions need not be over induction variables: a phase has a closed form or it has none.
//! - *Accept* are the paths without a successor. The thesis says of listing 4.10 once that all paths
//!   are in *Accept*, where it means *Init*; Tables 4.3 and 4.6 disagree on the successors of p3, and
//!   Table 4.4 misses edges; `tests/golden/automaton` has the right ones.
//!
//! # Deliberately absent
//! A path that is repeated within a turn writes no arrays, and its number of repetitions is the same in all
//! turns but the first.
//!
//! Loops whose paths read inputs have an automaton but no template by it; irregular ones have one only if few
//! ways are feasible, which are then all enumerated. The others are approximated by necessary conditions
//! (Section 4.4.2.5), in `necessary`.
//!
//! # Source
//! Rozhoň, *Nested loops and path explosion in symbolic execution*, Section 4.4; Xie et al., *Proteus:
//! computing disjunctive loop summary via path dependency analysis*, FSE 2016.

mod body;
mod build;
mod classify;
mod notation;
mod phase;
mod policy;
mod ways;
mod word;

pub use build::Automaton;
pub use classify::{Conditions, Interleaving};
pub use notation::PeriodText;
pub use policy::AutomatonPolicy;
pub(super) use ways::{Otherwise, compute_automaton_template, describe_automaton};

use std::fmt;

/// A path through the body of a loop: its number in the automaton.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PathId(pub usize);

impl fmt::Display for PathId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p{}", self.0 + 1)
    }
}
