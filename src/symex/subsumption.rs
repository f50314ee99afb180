//! Closing of subsumed states.
//!
//! A state whose projection is subsumed by that of a state that was queued before, at the same location, is
//! closed: it becomes a leaf of the tree that names the other. Nothing relevant is lost, see [`super`].
//!
//! ```text
//! projection --shape--> forms --values at the fixed places--> entries --match, solver--> subsumed?
//! ```
//!
//! A *form* says at which places of a shape the entries hold fixed values, that is, terms without symbols; at
//! these a subsumed state holds the same values. So candidate entries are found by one look-up per form, and
//! there are few forms.
//!
//! States are checked at locations that each infinite path passes: at targets of retreating edges and at
//! entries of functions. A state without a branching since the last checked state is likely to be in a loop
//! with a fixed bound, so that fewer and fewer of these are checked: at first all, then one in 64, in runs of
//! growing length, so that a cycle of any length is noticed eventually.
//!
//! Matching a state with many entries costs more than executing it, and there are loops in which no state
//! ever subsumes another, for example if each iteration counts. So after unsuccessful checks at a location,
//! most states there are only matched with the latest entries, until one is subsumed again.

use super::steering::SubsumptionPolicy;
use super::subsuming::{Conjuncts, obligations};
use super::tree::TreeNodeId;
use flowgraph::{BitSet, ProgramFacts, RegId};
use indexmap::IndexMap;
use memory::Memory;
use rustc_hash::FxBuildHasher;
use semantics::{Location, Machine, PathCondition, Projection, Projector, State};
use std::sync::Arc;
use std::time::{Duration, Instant};
use template::SolverOracle;
use term::{TermId, TermPool, Work};

type Map<K, V> = IndexMap<K, V, FxBuildHasher>;

/// The number of successive states without branching that are all checked, and of unsuccessful full checks.
const ALL_AT_FIRST: u32 = 64;

/// Numbers of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SubsumptionStatistics {
    /// States that were closed.
    pub n_subsumed: u64,
    /// States that were examined.
    pub n_checked: u64,
    /// Queries to the solver.
    pub n_queries: u64,
    /// Spent on all that.
    pub time: Duration,
    pub work: Work,
}

/// The states that were queued, by what matters for their future.
pub(super) struct Explored {
    projector: Projector,
    /// By function: the locations where states are examined.
    places: Arc<[BitSet]>,
    shapes: Map<Box<[u64]>, Vec<Form>>,
    /// By place: the looks in a row that matched entries and found none that subsumes.
    unsuccessful: Map<Location, u32>,
    policy: SubsumptionPolicy,
    pub statistics: SubsumptionStatistics,
}

/// Projections of one shape with fixed values at the same places.
struct Form {
    /// Ascending; the others are `open`.
    fixed: Box<[u32]>,
    open: Box<[u32]>,
    /// By the values at the fixed places.
    entries: Map<Box<[TermId]>, Vec<Entry>>,
}

/// A projection without what its place in the index says.
struct Entry {
    values: Box<[TermId]>,
    conjuncts: Box<[TermId]>,
    node: Option<TreeNodeId>,
}

/// The answer of the index about a state.
pub(super) enum Lookup {
    /// It is subsumed by a state that was queued; its node where the tree has it.
    Subsumed(Option<TreeNodeId>),
    /// It is not; to be added if it is queued.
    New(Box<Projection>),
    /// It is too large to tell.
    Unknown,
}

impl Explored {
    pub fn new(
        machine: &Machine,
        facts: &ProgramFacts,
        initial: &Memory,
        policy: SubsumptionPolicy,
    ) -> Explored {
        Explored {
            projector: Projector::new(machine, initial),
            places: Arc::clone(facts.places()),
            shapes: Map::default(),
            unsuccessful: Map::default(),
            policy,
            statistics: SubsumptionStatistics::default(),
        }
    }

    /// Whether states are examined here.
    pub fn is_place(&self, location: Location) -> bool {
        self.places[location.function.index()].contains(location.node.index())
    }

    /// Whether more of a register matters here than its distance to another.
    pub fn matters_by_value(&self, location: Location, reg: RegId) -> bool {
        self.projector.is_live_by_value(location, reg)
    }

    /// Looks for a state that subsumes this one.
    pub fn look_up(
        &mut self,
        machine: &Machine,
        pool: &mut TermPool,
        oracle: &mut SolverOracle,
        state: &State,
    ) -> Lookup {
        if !self.has_share(pool.work()) {
            return Lookup::Unknown;
        }
        let started = Instant::now();
        let work_before = pool.work();
        self.statistics.n_checked += 1;
        let mut implies = |pool: &mut TermPool, path_cond: &PathCondition, condition| {
            let work = oracle.queries.subsumption;
            oracle.implies(pool, &path_cond.to_vec(), &[condition], work)
        };
        let projection = self.projector.project(machine, pool, &mut implies, state);
        let lookup = match projection {
            None => Lookup::Unknown,
            Some(projection) => match self.subsuming(pool, oracle, state.location, &projection) {
                Some(node) => {
                    self.statistics.n_subsumed += 1;
                    Lookup::Subsumed(node)
                }
                None => Lookup::New(Box::new(projection)),
            },
        };
        self.statistics.time += started.elapsed();
        self.statistics.work += pool.work() - work_before;
        lookup
    }

    /// Whether looking has taken less than its share of all work, which grows with what it closes.
    fn has_share(&self, all: Work) -> bool {
        let policy = &self.policy;
        let SubsumptionStatistics {
            n_subsumed,
            n_checked,
            work,
            ..
        } = self.statistics;
        let closed = u32::try_from(100 * n_subsumed / n_checked.max(1)).unwrap_or(100);
        let more = closed.saturating_mul(policy.percent_a_percent);
        let share = policy.percent.saturating_add(more).min(50);
        work <= policy.at_least + all.percent(share)
    }

    /// The node of a state that subsumes the projection, if there is one; counts unsuccessful checks.
    fn subsuming(
        &mut self,
        pool: &mut TermPool,
        oracle: &mut SolverOracle,
        place: Location,
        projection: &Projection,
    ) -> Option<Option<TreeNodeId>> {
        let unsuccessful = self.unsuccessful.get(&place).copied().unwrap_or(0);
        let most_matches = if is_due(unsuccessful + 1) {
            self.policy.most_matches
        } else {
            self.policy.matches_without_success
        };
        let mut n_left = most_matches;
        let subsuming = self.match_entries(pool, oracle, projection, &mut n_left);
        if subsuming.is_some() {
            self.unsuccessful.insert(place, 0);
        } else if n_left < most_matches {
            self.unsuccessful
                .insert(place, unsuccessful.saturating_add(1));
        }
        subsuming
    }

    /// The node of a state that subsumes the projection among the latest that come into query;
    /// `n_left` says how many may still be matched.
    fn match_entries(
        &mut self,
        pool: &mut TermPool,
        oracle: &mut SolverOracle,
        projection: &Projection,
        n_left: &mut usize,
    ) -> Option<Option<TreeNodeId>> {
        let forms = self.shapes.get(&projection.shape)?;
        let known: Conjuncts = projection.conjuncts.iter().copied().collect();
        let mut n_queries = 0;
        let mut key = Vec::new();
        for form in forms {
            key.clear();
            key.extend(
                form.fixed
                    .iter()
                    .map(|place| projection.values[*place as usize]),
            );
            let entries = form.entries.get(key.as_slice());
            for entry in entries.into_iter().flatten().rev() {
                *n_left = n_left.checked_sub(1)?;
                pool.count_work(Work::MATCHED_ENTRY);
                let pattern = (&*entry.values, &*entry.conjuncts);
                let Some(obligations) = obligations(
                    pool,
                    &self.projector,
                    pattern,
                    (projection, &known),
                    &form.open,
                ) else {
                    continue;
                };
                if obligations.is_empty() {
                    return Some(entry.node);
                }
                if n_queries < self.policy.most_queries {
                    n_queries += 1;
                    self.statistics.n_queries += 1;
                    let work = oracle.queries.subsumption;
                    if oracle.implies(pool, &projection.conjuncts, &obligations, work) {
                        return Some(entry.node);
                    }
                }
            }
        }
        None
    }

    /// Adds a state that goes into the queue, with its node where the tree has it.
    pub fn add(&mut self, pool: &mut TermPool, projection: Projection, node: Option<TreeNodeId>) {
        let Projection {
            shape,
            values,
            conjuncts,
        } = projection;
        let mut fixed = Vec::new();
        let mut open = Vec::new();
        for (place, value) in (0..).zip(&values) {
            let is_fixed = pool.is_const(*value)
                || pool
                    .symbols_of(*value)
                    .iter()
                    .all(|symbol| self.projector.is_rigid(*symbol));
            if is_fixed {
                fixed.push(place);
            } else {
                open.push(place);
            }
        }
        let at = |places: &[u32]| places.iter().map(|place| values[*place as usize]).collect();
        let key = at(&fixed);
        let entry = Entry {
            values: at(&open),
            conjuncts: conjuncts.into(),
            node,
        };
        let forms = self.shapes.entry(shape).or_default();
        let known = forms.iter().position(|form| *form.fixed == *fixed);
        let position = known.unwrap_or_else(|| {
            forms.push(Form {
                fixed: fixed.into(),
                open: open.into(),
                entries: Map::default(),
            });
            forms.len() - 1
        });
        if position < self.policy.most_forms {
            forms[position].entries.entry(key).or_default().push(entry);
        } else {
            forms.truncate(self.policy.most_forms);
        }
    }
}

/// Whether a state is examined with all care that is the `visit`-th of a row, from 1: one without branching,
/// or one of unsuccessful checks.
pub(super) fn is_due(visit: u32) -> bool {
    if visit <= ALL_AT_FIRST {
        return true;
    }
    let power = 1 << visit.ilog2();
    visit - power < power / 64
}

#[cfg(test)]
mod tests {
    use super::is_due;

    /// The visit at which a cycle of this many visits is noticed: one that comes a whole number of
    /// iterations after another that was examined.
    fn noticed(period: u32) -> Option<u32> {
        let mut phases = std::collections::BTreeSet::new();
        (1..1 << 20)
            .filter(|visit| is_due(*visit))
            .find(|visit| !phases.insert(visit % period))
    }

    #[test]
    fn cycles_of_any_length_are_noticed() {
        for period in [1, 2, 7, 63, 100, 1000, 4000] {
            let visit = noticed(period).expect("some visit is due");
            assert!(visit <= (64 * period).max(256), "{period}: {visit}");
        }
    }

    #[test]
    fn few_of_many_visits_are_looked_at() {
        let due = (1..100_000).filter(|visit| is_due(*visit)).count();
        assert!(due < 100_000 / 32, "{due}");
    }
}
