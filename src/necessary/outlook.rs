//! Outlook: necessary conditions of states, φ_state ∧ φ̂, with φ̂ from the state's location over its memory
//! (a backward-reachability check).
//!
//! ```text
//! state --Algorithms 1 and 2 from its location on--> paths to reportable ends
//!       --φ̂ and φ̂^K side by side--> Refuted (by which loops) | Possible (a state for inputs) | Unknown
//! ```
//!
//! The targets are violations of the property and, if there are any, open goals of coverage. The paper has φ̂
//! from the start of the program, over inputs; from a state it is more precise, since values known in the
//! state need no counters.
//!
//! # Invariants
//! - [`Outlook::Refuted`] only if no violation, open goal, reportable end of an execution, or unsupported
//!   operation can follow.
//!
//! # Deliberately absent
//! The executor decides when a state is checked, beyond its share of the work, and the effect of the answer
//! on the queue. No native runs.
//!
//! # Source
//! ISSTA 2012, Section 5.

use super::{
    AbstractPath, Asking, BuildOptions, Decision, Known, NecessaryCondition, Round, Side, Verdict,
};
use flowgraph::NodeId;
use property::Property;
use semantics::{Machine, PathCondition, State};
use serde::{Deserialize, Serialize};
use solver::{Limits, Solver};
use std::collections::{BTreeMap, BTreeSet};
use term::{TermPool, Work};

/// How much is done with necessary conditions of states. None of these numbers decides whether an
/// answer is right: a state of which nothing is found out is executed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StateConditionPolicy {
    /// States are checked when no path has reached a new location, nor covered a goal, for this amount of
    /// work. Default: 50 ms.
    pub patience: Work,
    /// Work for it in any case. Default: 200 ms.
    pub at_least: Work,
    /// Its share of all work where it brings nothing, in percent. Default: 5.
    pub percent: u32,
    /// So much more, in percent, for each percent of the states asked about that it closes or whose
    /// models hit, up to half of all work. Default: 4.
    pub percent_a_percent: u32,
    /// Work for constructing the condition of a state. Default: 50 ms.
    pub build: Work,
    /// Work for all queries about a state. Default: 50 ms.
    pub questions: Work,
    /// Work of the first of these; later rounds have twice as much each. Default: 5 ms.
    pub question: Work,
    /// Instances of each quantifier in φ̂^K. Default: 5; with 25, of nested ones too, a state of EQCNTex
    /// took 0.44 s of work, and not 0.11 s.
    pub k: u64,
    /// Work for the inputs of a model, and for executing the program with them. Default: 200 ms.
    pub guess: Work,
    /// So many models in a row that hit nothing are tried. Default: 8: a native run is not work.
    pub most_in_vain: u64,
}

impl Default for StateConditionPolicy {
    fn default() -> StateConditionPolicy {
        StateConditionPolicy {
            patience: Work::millis(50),
            at_least: Work::millis(200),
            percent: 5,
            percent_a_percent: 4,
            build: Work::millis(50),
            questions: Work::millis(50),
            question: Work::millis(5),
            k: 5,
            guess: Work::millis(200),
            most_in_vain: 8,
        }
    }
}

/// Statistics of necessary conditions of states.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StateConditionStatistics {
    /// States that were checked.
    pub n_asked: u64,
    /// Those that were closed.
    pub n_closed: u64,
    /// Models that were tried natively, or failed before that.
    pub n_models: u64,
    /// Those of them that reached the target, or passed an open goal.
    pub n_hits: u64,
    /// Models since the last hit.
    pub n_in_vain: u64,
    /// How many states each loop of the main function closed: those with a predicate with its counters in
    /// the unsatisfiable cores. `None` for those that no loop is to blame for.
    pub closed_by: BTreeMap<Option<NodeId>, u64>,
    /// Work for conditions, queries and models.
    pub work: Work,
}

impl StateConditionStatistics {
    /// A model that was tried.
    pub fn tried(&mut self, is_hit: bool) {
        self.n_models += 1;
        self.n_hits += u64::from(is_hit);
        self.n_in_vain = if is_hit { 0 } else { self.n_in_vain + 1 };
    }
}

/// The outlook of a state.
pub enum Outlook {
    /// Nothing that matters.
    Refuted,
    /// A violation or an open goal, perhaps: the state at the end, with φ_state ∧ φ̂ as path condition.
    Possible(Box<State>),
    /// Neither is known, or the state is in a called function.
    Unknown,
}

/// Asks about the states of one run.
pub struct StateConditions {
    policy: StateConditionPolicy,
    build: BuildOptions,
    known: Known,
    /// Open goals when that was found out.
    n_open_goals: usize,
    pub statistics: StateConditionStatistics,
}

impl StateConditions {
    /// Nothing is known yet.
    #[must_use]
    pub fn new(policy: StateConditionPolicy) -> StateConditions {
        StateConditions {
            build: BuildOptions {
                work: policy.build,
                tells_of_all: true,
                ..BuildOptions::default()
            },
            policy,
            known: Known::default(),
            n_open_goals: 0,
            statistics: StateConditionStatistics::default(),
        }
    }

    /// The numbers in force.
    #[must_use]
    pub fn policy(&self) -> &StateConditionPolicy {
        &self.policy
    }

    /// Whether it has not had its share of all work, which grows with what it brings.
    #[must_use]
    pub fn has_share(&self, all: Work) -> bool {
        let policy = &self.policy;
        let statistics = &self.statistics;
        let successes = statistics.n_closed + statistics.n_hits;
        let in_percent = 100 * successes / statistics.n_asked.max(1);
        let more = u32::try_from(in_percent).unwrap_or(100);
        let more = more.saturating_mul(policy.percent_a_percent);
        let share = policy.percent.saturating_add(more).min(50);
        statistics.work <= policy.at_least + all.percent(share)
    }

    /// Whether models are tried still.
    #[must_use]
    pub fn tries_models(&self) -> bool {
        self.statistics.n_in_vain < self.policy.most_in_vain
    }

    /// The possible continuations of a state.
    pub fn ask(
        &mut self,
        machine: &Machine,
        pool: &mut TermPool,
        solver: &mut dyn Solver,
        limits: &Limits,
        property: Property,
        state: &State,
    ) -> Outlook {
        let is_of_main = state.location.function == machine.program.main
            && state.callers.is_empty()
            && state.frame.folded.is_none();
        if !is_of_main {
            return Outlook::Unknown;
        }
        let before = pool.work();
        let n_open_goals = machine.n_open_goals();
        if n_open_goals != self.n_open_goals {
            // Iterations that pass a goal count once the goal is no longer open.
            self.known = Known::default();
            self.n_open_goals = n_open_goals;
        }
        let mut from = state.clone();
        from.goals = rpds::List::new();
        let (paths, open) = self.paths(machine, pool, limits, property, from);
        // Errors on the way to goals are found by the way.
        let is_wanted = |path: &AbstractPath| {
            path.violates() && (n_open_goals == 0 || !path.state.goals.is_empty())
        };
        let (wanted, others): (Vec<_>, Vec<_>) = paths.into_iter().partition(is_wanted);
        let others: Vec<AbstractPath> = others.into_iter().chain(open).collect();
        let end = pool.work() + self.policy.questions;
        let outlook = self.decide(pool, solver, limits, end, (&wanted, &others));
        self.statistics.n_asked += 1;
        self.statistics.work += pool.work() - before;
        outlook
    }

    /// The headers of the loops that exclude ways from a state to a violation: their predicates are in
    /// unsatisfiable cores of φ̂.
    pub fn to_blame(
        &mut self,
        machine: &Machine,
        pool: &mut TermPool,
        solver: &mut dyn Solver,
        limits: &Limits,
        property: Property,
        state: &State,
    ) -> BTreeSet<NodeId> {
        let (paths, _) = self.paths(machine, pool, limits, property, state.clone());
        let mut to_blame = BTreeSet::new();
        let end = pool.work() + self.policy.questions;
        for path in paths.iter().filter(|path| path.violates()) {
            let asking = Asking::of_whole(&[path]);
            let decision = self.answered(pool, solver, limits, end, asking);
            if let Verdict::Unsatisfiable = decision.verdict() {
                to_blame.extend(path.loops_in(pool, decision.core()));
            }
        }
        to_blame
    }

    /// The paths of φ̂ from a state on, and those that stay open.
    fn paths(
        &mut self,
        machine: &Machine,
        pool: &mut TermPool,
        limits: &Limits,
        property: Property,
        from: State,
    ) -> (Vec<AbstractPath>, Vec<AbstractPath>) {
        let (build, known) = (&self.build, &mut self.known);
        NecessaryCondition::from(
            machine,
            pool,
            build,
            property,
            &limits.interrupt,
            known,
            from,
        )
    }

    /// Asks until there is an answer, or the work is done.
    fn answered(
        &self,
        pool: &mut TermPool,
        solver: &mut dyn Solver,
        limits: &Limits,
        end: Work,
        mut asking: Asking,
    ) -> Decision {
        let mut slice = self.policy.question;
        while !asking.is_done() && pool.work() < end && !limits.exceeded() {
            let left = end.saturating_sub(pool.work());
            if asking.step(pool, solver, limits, slice.min(left)) == Round::Over {
                slice = slice + slice;
            }
        }
        asking.decision()
    }

    fn decide(
        &mut self,
        pool: &mut TermPool,
        solver: &mut dyn Solver,
        limits: &Limits,
        end: Work,
        (wanted, others): (&[AbstractPath], &[AbstractPath]),
    ) -> Outlook {
        let mut to_blame = BTreeSet::new();
        for (paths, are_wanted) in [(wanted, true), (others, false)] {
            let paths: Vec<&AbstractPath> = paths.iter().collect();
            let asking = Asking::new(pool, &paths, self.policy.k, false);
            let mut decision = self.answered(pool, solver, limits, end, asking);
            let has_model = matches!(decision.verdict(), Verdict::Satisfiable { .. });
            if has_model && decision.decided_by == Some(Side::Instances) {
                // It need not be one of φ̂, which may be unsatisfiable.
                let whole = Asking::of_whole(&paths);
                let whole = self.answered(pool, solver, limits, end, whole);
                if !matches!(whole.verdict(), Verdict::Open) {
                    decision = whole;
                }
            }
            match decision.verdict() {
                Verdict::Unsatisfiable => {
                    for path in paths {
                        to_blame.extend(path.loops_in(pool, decision.core()));
                    }
                }
                Verdict::Satisfiable { path, formula, .. } if are_wanted => {
                    let mut state = paths[*path].state.clone();
                    state.path_cond = PathCondition::default();
                    state.path_cond.assume(pool, *formula);
                    return Outlook::Possible(Box::new(state));
                }
                Verdict::Satisfiable { .. } | Verdict::Open => return Outlook::Unknown,
            }
        }
        let closed_by = &mut self.statistics.closed_by;
        if to_blame.is_empty() {
            *closed_by.entry(None).or_default() += 1;
        }
        for header in to_blame {
            *closed_by.entry(Some(header)).or_default() += 1;
        }
        self.statistics.n_closed += 1;
        Outlook::Refuted
    }
}
