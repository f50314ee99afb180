//! Outlooks: necessary conditions of states, for searches that make no progress towards uncovered locations.
//!
//! If no path has reached a new location for a while, φ_state ∧ φ̂ is checked for states that are taken from
//! the queue: if it is unsatisfiable, the state is closed; a model is a guess. For goals of coverage it is
//! run natively at once; for violations the inputs are left to the caller of the executor
//! ([`next_guess`](crate::Executor::next_guess)), since a native run that reaches the target is not enough.
//!
//! # Invariants
//! - A closed state has no successor that is relevant for the verdict, goals, or reports.
//! - A model without a hit has no effect.
//!
//! # Source
//! ISSTA 2012, Section 5.

use super::{Candidate, Closer};
use crate::options::ExecutionOptions;
use crate::queue::SearchStrategy;
use crate::run::Run;
use crate::tree::NodeKind;
use crate::witness::{Confirmation, Witness, WitnessInput, find_witness};
use flowgraph::{BitSet, GoalId, Program, Span};
use invariants::CutHandling;
use necessary::{Outlook, StateConditionStatistics, StateConditions};
use property::ErrorKind;
use semantics::State;
use std::collections::{BTreeSet, VecDeque};
use std::time::Instant;
use term::Work;

/// No more inputs wait to be run.
const MOST_GUESSES: usize = 8;

/// The outlooks of a run.
pub(crate) struct Outlooks {
    conditions: StateConditions,
    /// The locations at which a state was taken, by function.
    seen: Vec<BitSet>,
    /// The work when something was covered for the last time.
    new_at: Work,
    /// Inputs to be run.
    guesses: VecDeque<Vec<WitnessInput>>,
}

impl Outlooks {
    /// Those that are in force: none but in a search for what is not covered, and none where more is
    /// asked of paths than what they lead to, or where inputs are identified by their number.
    pub fn of(options: &ExecutionOptions, program: &Program) -> Option<Outlooks> {
        let is_for_coverage = matches!(
            options.search,
            SearchStrategy::Coverage(_) | SearchStrategy::Klee(_)
        );
        let checks = options.property.checks;
        let is_wanted = options.state_conditions
            && is_for_coverage
            && !checks.follows_blocks()
            && !checks.follows_each_iteration()
            && !options.annotations
            && options.cuts == CutHandling::Ignore
            && options.given_inputs.is_none();
        let functions = program.functions.iter();
        is_wanted.then(|| Outlooks {
            conditions: StateConditions::new(options.policy.state_conditions.clone()),
            seen: functions
                .map(|function| BitSet::new(function.n_nodes()))
                .collect(),
            new_at: Work::ZERO,
            guesses: VecDeque::new(),
        })
    }

    pub fn statistics(&self) -> &StateConditionStatistics {
        &self.conditions.statistics
    }

    pub fn statistics_mut(&mut self) -> &mut StateConditionStatistics {
        &mut self.conditions.statistics
    }

    /// Inputs that are to be run.
    pub fn next_guess(&mut self) -> Option<Vec<WitnessInput>> {
        self.guesses.pop_front()
    }
}

/// Closes states whose necessary condition is unsatisfiable.
pub(super) struct Hopeless;

impl Closer for Hopeless {
    fn close(&self, run: &mut Run, candidate: &mut Candidate) -> Option<NodeKind> {
        let (state, now) = (candidate.state, run.pool.work());
        let is_place = run.is_place(state.location);
        let outlooks = run.outlooks.as_mut()?;
        let (function, at) = (state.location.function.index(), state.location.node.index());
        if outlooks.seen[function].insert(at) {
            outlooks.new_at = now;
        }
        let patience = outlooks.conditions.policy().patience;
        let is_due = is_place
            && now.saturating_sub(outlooks.new_at) >= patience
            && outlooks.conditions.has_share(now);
        if !is_due {
            return None;
        }
        let outlook = outlooks.conditions.ask(
            &run.machine,
            &mut run.pool,
            &mut *run.oracle.solver,
            &run.oracle.limits,
            run.options.property,
            state,
        );
        match outlook {
            Outlook::Refuted => Some(NodeKind::Hopeless),
            Outlook::Possible(end) => {
                run.guess(&end, candidate.confirm);
                None
            }
            Outlook::Unknown => None,
        }
    }
}

impl Run<'_> {
    /// Finds inputs for the end of a path that may be possible.
    fn guess(&mut self, end: &State, confirm: &mut dyn FnMut(&Witness) -> Confirmation) {
        let Run {
            machine,
            pool,
            oracle,
            outlooks: Some(outlooks),
            ..
        } = self
        else {
            return;
        };
        if !outlooks.conditions.tries_models() || outlooks.guesses.len() >= MOST_GUESSES {
            return;
        }
        let (policy, before) = (outlooks.conditions.policy(), pool.work());
        let found = oracle.with_work(policy.question, |oracle| {
            find_witness(machine, pool, oracle, end, policy.guess)
        });
        outlooks.conditions.statistics.work += pool.work() - before;
        let Ok((inputs, _)) = found else {
            outlooks.conditions.statistics.tried(false);
            return;
        };
        if end.goals.is_empty() {
            outlooks.guesses.push_back(inputs);
        } else {
            self.run_for_goals(end, inputs, confirm);
        }
    }

    /// Runs the program natively with inputs that may lead to open goals, and closes those that it passes.
    fn run_for_goals(
        &mut self,
        end: &State,
        inputs: Vec<WitnessInput>,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) {
        let wanted: BTreeSet<GoalId> = end.goals.iter().copied().collect();
        let witness = Witness {
            inputs,
            path: Vec::new(),
            target: Span::UNKNOWN,
            error: ErrorKind::Target,
            report: None,
            goals: wanted.into_iter().collect(),
        };
        let started = Instant::now();
        let passed = match confirm(&witness) {
            Confirmation::Passed(passed) => passed,
            Confirmation::Confirmed(_)
            | Confirmation::Skipped
            | Confirmation::Refuted(_)
            | Confirmation::Stopped(_)
            | Confirmation::Impossible(_) => Vec::new(),
        };
        self.statistics.replay_time += started.elapsed();
        let machine = &self.machine;
        let mut is_hit = false;
        for goal in passed {
            is_hit |= machine.is_open_goal(goal);
            machine.close_goal(goal);
        }
        if let Some(outlooks) = &mut self.outlooks {
            outlooks.conditions.statistics.tried(is_hit);
            if is_hit {
                outlooks.new_at = self.pool.work();
            }
        }
    }
}
