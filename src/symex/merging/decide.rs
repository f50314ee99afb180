//! Which states are merged, by the values in which they differ.

use super::MergeStrategy;
use crate::flowgraph::query_counts::{Estimate, LoopEstimate, Ways};
use crate::flowgraph::{Extent, FunctionId, Meeting, Program, QueryCounts};
use crate::semantics::{Difference, Location, Place, State};
use crate::symex::steering::MergingPolicy;
use crate::term::{TermId, TermPool};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

type Map<K, V> = IndexMap<K, V, FxBuildHasher>;

/// Applies a strategy.
pub(in crate::symex) struct Judge {
    strategy: MergeStrategy,
    policy: MergingPolicy,
    /// `None` where they take too long to compute.
    counts: Map<FunctionId, Option<QueryCounts>>,
    is_near: Map<Location, bool>,
}

/// What two states differ in, as far as it was looked at.
pub(in crate::symex) struct Verdict<'a> {
    judge: &'a Judge,
    program: &'a Program,
    location: Location,
    n_differences: u32,
    n_queries: u32,
}

impl Judge {
    pub fn new(strategy: MergeStrategy, policy: MergingPolicy) -> Judge {
        Judge {
            strategy,
            policy,
            counts: Map::default(),
            is_near: Map::default(),
        }
    }

    /// Where the ways from a state meet, if they are to be merged: the location, and how many
    /// callers there are.
    pub fn meeting(&mut self, program: &Program, state: &State) -> Option<(Location, usize)> {
        if self.strategy == MergeStrategy::None {
            return None;
        }
        let location = state.location;
        let function = program.function(location.function);
        let n_callers = state.callers.len();
        match function.post_dominators().immediate(location.node)? {
            Meeting::At(node) => Some((Location { node, ..location }, n_callers)),
            Meeting::AtReturn if state.frame.folded.is_none() => {
                let (return_to, _) = state.frame.return_to?;
                Some((return_to, n_callers.checked_sub(1)?))
            }
            Meeting::AtReturn => None,
        }
    }

    /// Whether states that part here are worth waiting for.
    pub fn is_near(&mut self, program: &Program, fork: Location) -> bool {
        if self.strategy != MergeStrategy::Dynamic {
            return true;
        }
        let most = self.policy.near;
        *self.is_near.entry(fork).or_insert_with(|| {
            let function = program.function(fork.function);
            let extent = function.post_dominators().extent(function, fork.node, most);
            let is_free = |extent: Extent| !extent.has_cycle && !extent.has_call;
            extent.is_some_and(is_free)
        })
    }

    /// The verdict on two states at a location of which nothing was looked at yet.
    pub fn look<'a>(&'a mut self, program: &'a Program, location: Location) -> Verdict<'a> {
        if let Some(estimate) = self.estimate() {
            let function = program.function(location.function);
            let counts = self.counts.entry(location.function);
            counts.or_insert_with(|| QueryCounts::of(function, estimate));
        }
        Verdict {
            judge: self,
            program,
            location,
            n_differences: 0,
            n_queries: 0,
        }
    }

    fn estimate(&self) -> Option<Estimate> {
        let policy = &self.policy;
        let (loops, ways) = match self.strategy {
            MergeStrategy::None | MergeStrategy::Aggressive => return None,
            MergeStrategy::Lattice => (LoopEstimate::AtMost(policy.most_counted), Ways::Sum),
            MergeStrategy::Recursive => (LoopEstimate::Iterations(policy.iterations), Ways::Sum),
            MergeStrategy::Dynamic => (LoopEstimate::AtMost(policy.most_counted), Ways::Most),
        };
        Some(Estimate { loops, ways })
    }
}

impl Verdict<'_> {
    /// Whether the states may still be merged if they differ in this too.
    pub fn accepts(&mut self, pool: &mut TermPool, difference: &Difference) -> bool {
        let policy = &self.judge.policy;
        match self.judge.strategy {
            MergeStrategy::None => false,
            MergeStrategy::Aggressive => true,
            MergeStrategy::Lattice | MergeStrategy::Recursive => {
                self.n_queries = self.n_queries.saturating_add(self.count(difference));
                self.n_queries < policy.limit
            }
            MergeStrategy::Dynamic => {
                self.n_differences += 1;
                self.n_queries = self.n_queries.saturating_add(self.count(difference));
                self.n_differences <= policy.most_differences
                    && self.n_queries <= policy.queries
                    && self.is_number(difference)
                    && is_simple(pool, difference)
            }
        }
    }

    /// Queries about a value that is to be a choice; the largest number where that is not known.
    fn count(&self, difference: &Difference) -> u32 {
        let counts = self.judge.counts.get(&self.location.function);
        let Some(Some(counts)) = counts else {
            return u32::MAX;
        };
        let node = self.location.node;
        match difference.place {
            Place::Register(reg) => counts.of_register(node, reg),
            Place::Cell | Place::Content => counts.of_memory(node),
        }
    }

    /// Whether the value is neither a pointer nor an array.
    fn is_number(&self, difference: &Difference) -> bool {
        let function = self.program.function(self.location.function);
        match difference.place {
            Place::Register(reg) => !function.reg(reg).pointer,
            Place::Cell => true,
            Place::Content => false,
        }
    }
}

/// Whether a choice between the values does not grow with each merge: between constants and symbols,
/// or of what is added.
fn is_simple(pool: &mut TermPool, difference: &Difference) -> bool {
    let is_atom = |pool: &TermPool, term: TermId| {
        pool.is_const(term) || pool.as_symbol(term).is_some() || pool.width(term) == 1
    };
    if is_atom(pool, difference.first) && is_atom(pool, difference.second) {
        return true;
    }
    let change = pool.sub(difference.first, difference.second);
    pool.is_const(change) || pool.as_symbol(change).is_some()
}
