//! The decision to merge states, by the values in which they differ.

use super::MergeStrategy;
use crate::steering::MergingPolicy;
use flowgraph::query_counts::{Estimate, LoopEstimate, Ways};
use flowgraph::{Extent, FunctionId, Meeting, NodeId, Program, QueryCounts};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use semantics::{Difference, Holder, Location, State, without_common};
use term::{Term, TermId, TermPool};

type Map<K, V> = IndexMap<K, V, FxBuildHasher>;

/// Applies a strategy.
pub(crate) struct Judge {
    strategy: MergeStrategy,
    policy: MergingPolicy,
    /// `None` where they take too long to compute.
    counts: Map<FunctionId, Option<QueryCounts>>,
    is_near: Map<Location, bool>,
}

/// The differences of two states, as far as they were examined.
pub(crate) struct Verdict<'a> {
    judge: &'a mut Judge,
    program: &'a Program,
    location: Location,
    /// Headers of the loops of the function that the states are in.
    headers: Vec<NodeId>,
    /// Whether the states are in a loop, of whichever function that runs.
    is_in_loop: bool,
    n_differences: u32,
    /// Those that last, where the states are in a loop.
    n_lasting: u32,
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

    /// The verdict on two states at one place, one of which is given, of which nothing was looked
    /// at yet.
    pub fn look<'a>(&'a mut self, program: &'a Program, state: &State) -> Verdict<'a> {
        let location = state.location;
        let loops = program.function(location.function).loops();
        let mut headers = loops.headers_around(location.node);
        if loops.by_header(location.node).is_some() {
            headers.push(location.node);
        }
        Verdict {
            judge: self,
            program,
            location,
            headers,
            is_in_loop: is_in_loop(program, state),
            n_differences: 0,
            n_lasting: 0,
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
        let (limit, most_queries) = (self.judge.policy.limit, self.judge.policy.queries);
        match self.judge.strategy {
            MergeStrategy::None => false,
            MergeStrategy::Aggressive => true,
            MergeStrategy::Lattice | MergeStrategy::Recursive => {
                let count = self.count(difference);
                self.n_queries = self.n_queries.saturating_add(count);
                self.n_queries < limit
            }
            MergeStrategy::Dynamic => {
                self.n_differences += 1;
                self.n_lasting += u32::from(self.is_in_loop && self.lasts(difference));
                let policy = &self.judge.policy;
                let is_small = self.n_differences <= policy.most_differences
                    && self.n_lasting <= policy.most_differences_in_loops
                    && self.is_number(difference)
                    && is_simple(pool, difference);
                if !is_small {
                    return false;
                }
                let count = self.count(difference);
                self.n_queries = self.n_queries.saturating_add(count);
                self.n_queries <= most_queries
            }
        }
    }

    /// Queries about a value that is to be a choice; the largest number where that is not known.
    fn count(&mut self, difference: &Difference) -> u32 {
        let Some(estimate) = self.judge.estimate() else {
            return u32::MAX;
        };
        let id = self.location.function;
        let function = self.program.function(id);
        let counts = self.judge.counts.entry(id);
        let Some(counts) = counts.or_insert_with(|| QueryCounts::of(function, estimate)) else {
            return u32::MAX;
        };
        let node = self.location.node;
        match difference.place {
            Holder::Register(reg) => counts.of_register(node, reg),
            Holder::Cell | Holder::Content => counts.of_memory(node),
        }
    }

    /// Whether a value in a loop may be read in later iterations. A register that is dead at the headers
    /// is written again in each, so that it keeps no state at a header from being subsumed.
    fn lasts(&self, difference: &Difference) -> bool {
        let Holder::Register(reg) = difference.place else {
            return true;
        };
        let liveness = self.program.function(self.location.function).liveness();
        let mut headers = self.headers.iter();
        headers.any(|header| liveness.is_live(*header, reg))
    }

    /// Whether the value is neither a pointer nor an array.
    fn is_number(&self, difference: &Difference) -> bool {
        let function = self.program.function(self.location.function);
        match difference.place {
            Holder::Register(reg) => !function.reg(reg).pointer,
            Holder::Cell => true,
            Holder::Content => false,
        }
    }
}

/// Whether a state is in a loop of its function, or of one that has called it.
fn is_in_loop(program: &Program, state: &State) -> bool {
    state.locations().any(|location| {
        let nest = program.function(location.function).loops();
        nest.innermost(location.node).is_some()
    })
}

/// Whether a choice between the values stays small: of numbers, symbols, and choices between these, each
/// of which may be added to what both sides have.
fn is_simple(pool: &mut TermPool, difference: &Difference) -> bool {
    let (_, first, second) = without_common(pool, difference.first, difference.second);
    is_choice(pool, first, MOST_CHOICES) && is_choice(pool, second, MOST_CHOICES)
}

/// Choices, one within the other, that a value may have already.
const MOST_CHOICES: u32 = 3;

fn is_choice(pool: &TermPool, term: TermId, n_left: u32) -> bool {
    if pool.is_const(term) || pool.as_symbol(term).is_some() || pool.width(term) == 1 {
        return true;
    }
    if n_left == 0 {
        return false;
    }
    match pool.view(term) {
        Term::Ite(_, then, otherwise) => {
            is_choice(pool, then, n_left - 1) && is_choice(pool, otherwise, n_left - 1)
        }
        Term::Cast(_, of) => is_choice(pool, of, n_left - 1),
        Term::Sum {
            terms: [(_, only)], ..
        } => is_choice(pool, *only, n_left - 1),
        _ => false,
    }
}
