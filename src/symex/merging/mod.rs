//! Merging: states that meet after a branching become one.
//!
//! ```text
//! branching --its paths, newest state first--> meeting (post-dominator) --merge--> one state, or few
//! ```
//!
//! If a state has several successors, these meet at the immediate post-dominator of its location. The states
//! between branching and meeting are executed before all others, and arrived states wait for the rest, so
//! that all are merged at once and not one after another in the order of the queue. Inner branchings have
//! their own meetings. A meeting with too many states is abandoned: the states that have arrived are merged,
//! and all go back to the queue.
//!
//! A [`MergeStrategy`] selects the states to merge, by the values in which they differ and by [query
//! counts](flowgraph::QueryCounts): a conditional value makes the queries about it harder, while merged
//! states are executed, and queried, once.
//!
//! # Invariants
//! - A state that has arrived subsumes no other before the meeting is over: it is checked and added when it,
//!   or the state that it became a part of, is queued.
//! - Each state between branching and meeting is executed, or queued, or among the arrived; each of
//!   these is queued, or part of a state that is.
//!
//! # Deliberately absent
//! The effect of merging on states is in [`semantics`](semantics::Machine::merge). Nothing is merged if loops
//! are cut, since states are then compared by their frames, or if inputs are given, since these are
//! identified by their number.
//!
//! # Source
//! Rozhoň, *Nested loops and path explosion in symbolic execution*, Sections 4.3 and 5.4.3; Kuznetsov,
//! Kinder, Bucur, Candea, *Efficient State Merging in Symbolic Execution*, PLDI 2012.

mod decide;
mod group;
mod meeting;

pub(super) use self::decide::Judge;
pub(super) use self::group::{Member, merge_all};
pub(super) use self::meeting::{Fork, Meeting, Meetings, Turn};

/// Which states that meet are merged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MergeStrategy {
    /// None.
    #[default]
    None,
    /// All pairs that can be merged.
    Aggressive,
    /// Those that differ in values about which few queries are estimated, with a limit to what is
    /// counted.
    Lattice,
    /// The same with a number of iterations for each loop.
    Recursive,
    /// Those that are about to meet, not far behind the branching and with no loop between, if they
    /// differ in few numbers about which few queries come on any one path.
    Dynamic,
}

impl MergeStrategy {
    pub const ALL: [MergeStrategy; 5] = [
        MergeStrategy::None,
        MergeStrategy::Aggressive,
        MergeStrategy::Lattice,
        MergeStrategy::Recursive,
        MergeStrategy::Dynamic,
    ];

    /// Which states it merges, in a line.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            MergeStrategy::None => "No states",
            MergeStrategy::Aggressive => "All pairs that can be merged",
            MergeStrategy::Lattice => {
                "Where few queries about differing values are estimated, by a backward data flow analysis"
            }
            MergeStrategy::Recursive => "The same, with a number of iterations for each loop",
            MergeStrategy::Dynamic => {
                "States that meet soon and differ in few numbers that occur in few queries"
            }
        }
    }

    /// What it is called by option and in records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            MergeStrategy::None => "none",
            MergeStrategy::Aggressive => "aggressive",
            MergeStrategy::Lattice => "lattice",
            MergeStrategy::Recursive => "recursive",
            MergeStrategy::Dynamic => "dynamic",
        }
    }
}

/// Numbers of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MergingStatistics {
    /// States that became a part of others.
    pub n_merged: u64,
    /// Meetings to which at least two states came.
    pub n_meetings: u64,
    /// Meetings that were abandoned, since they took too many states.
    pub n_given_up: u64,
}
