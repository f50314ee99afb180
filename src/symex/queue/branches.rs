//! Search order: states of the least often encountered branch first, as in the thesis (Section 3.6).
//!
//! A branch is a side of a branching; a state belongs to the branch at which its path split off last. A
//! branch is encountered when a path splits off and waits; paths that continue directly do not encounter it
//! again. The thesis names the order without details: among states of one branch, and among branches
//! encountered equally often, the oldest state comes first.
//!
//! # Source
//! Rozhoň, *Nested loops and path explosion in symbolic execution*, Section 3.6.

use super::{Branch, Order, Priority, Ticket};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use std::collections::{BTreeSet, VecDeque};

/// Least often encountered, the oldest of several.
#[derive(Default)]
pub(super) struct LeastEncountered {
    /// States that never split have a place of their own.
    branches: IndexMap<Option<Branch>, Encounters, FxBuildHasher>,
    /// The branches of which states wait, in the order in which they are due: encounters, oldest state, position in
    /// `branches`.
    due: BTreeSet<(u64, Ticket, usize)>,
}

/// Data about a branch.
#[derive(Default)]
struct Encounters {
    n: u64,
    /// The oldest first.
    waiting: VecDeque<Ticket>,
}

impl Encounters {
    /// When its states are due, if any wait.
    fn key(&self, position: usize) -> Option<(u64, Ticket, usize)> {
        let oldest = self.waiting.front()?;
        Some((self.n, *oldest, position))
    }
}

impl LeastEncountered {
    /// Changes what is known of a branch.
    fn change<T>(&mut self, position: usize, change: impl FnOnce(&mut Encounters) -> T) -> T {
        let (_, branch) = self
            .branches
            .get_index_mut(position)
            .expect("branches are never taken away");
        if let Some(key) = branch.key(position) {
            self.due.remove(&key);
        }
        let result = change(branch);
        self.due.extend(branch.key(position));
        result
    }
}

impl Order for LeastEncountered {
    fn push(&mut self, ticket: Ticket, priority: Priority) {
        let entry = self.branches.entry(priority.branch);
        let position = entry.index();
        entry.or_default();
        self.change(position, |branch| {
            branch.n += u64::from(priority.has_split);
            branch.waiting.push_back(ticket);
        });
    }

    fn pop(&mut self, waits: &dyn Fn(Ticket) -> bool) -> Option<Ticket> {
        loop {
            let (_, _, position) = *self.due.first()?;
            let ticket = self.change(position, |branch| branch.waiting.pop_front())?;
            if waits(ticket) {
                return Some(ticket);
            }
        }
    }
}
