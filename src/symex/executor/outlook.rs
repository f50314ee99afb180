//! Necessary conditions of states, where a search for what is not covered makes no progress.
//!
//! When no path has come to a new location for a while, φ_state ∧ φ̂ is asked about states that are taken
//! from the queue: unsatisfiable, the state is closed; a model is a guess. For goals of coverage it is
//! run natively at once; for the question itself the inputs are left to whoever runs the executor
//! ([`Executor::next_guess`]), since that a native run comes to the target is not enough.
//!
//! # Invariants
//! - A closed state has no successor that matters: for the verdict, for goals, for what a run tells of.
//! - A model that hits nothing is no reason for anything.
//!
//! # Source
//! ISSTA 2012, Section 5.

use super::{Confirmation, Executor, Options, SearchStrategy, Witness, find_witness};
use crate::flowgraph::{BitSet, GoalId, Program, Span};
use crate::necessary::{Outlook, StateConditionStatistics, StateConditions};
use crate::property::ErrorKind;
use crate::semantics::State;
use crate::symex::cuts::CutHandling;
use crate::symex::path::PathSoFar;
use crate::symex::run::Run;
use crate::symex::tree::{NodeKind, TreeNodeId};
use crate::symex::witness::WitnessInput;
use crate::term::Work;
use std::collections::{BTreeSet, VecDeque};
use std::time::Instant;

/// No more inputs wait to be run.
const MOST_GUESSES: usize = 8;

/// What a run knows of the states ahead of it.
pub(super) struct Outlooks {
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
    /// asked of paths than what they lead to, or where inputs are told by their number.
    pub fn of(options: &Options, program: &Program) -> Option<Outlooks> {
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
            conditions: StateConditions::new(options.outlooks.clone()),
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
}

impl Executor<'_> {
    /// Whether the condition of a state that is about to go on closes it.
    pub(super) fn is_closed_by_condition(
        &mut self,
        state: &mut State,
        path: &mut PathSoFar,
        node: Option<TreeNodeId>,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) -> bool {
        let Some(outlooks) = &mut self.outlooks else {
            return false;
        };
        let now = self.run.pool.work();
        let (function, at) = (state.location.function.index(), state.location.node.index());
        if outlooks.seen[function].insert(at) {
            outlooks.new_at = now;
        }
        let patience = outlooks.conditions.policy().patience;
        let is_due = self.run.facts.places()[function].contains(at)
            && now.saturating_sub(outlooks.new_at) >= patience
            && outlooks.conditions.has_share(now);
        if !is_due {
            return false;
        }
        let outlook = outlooks.conditions.ask(
            &self.run.machine,
            &mut self.run.pool,
            &mut *self.run.oracle.solver,
            &self.run.oracle.limits,
            self.run.options.property,
            state,
        );
        match outlook {
            Outlook::Refuted => {
                self.run.statistics.n_paths += 1;
                self.pass_goals(state, confirm);
                if let (Some(tree), Some(node)) = (&mut self.tree, node) {
                    tree.set_kind(node, NodeKind::Hopeless);
                }
                self.finish_subtrees(path.trail.take());
                true
            }
            Outlook::Possible(end) => {
                self.guess(&end, confirm);
                false
            }
            Outlook::Unknown => false,
        }
    }

    /// Finds inputs for the end of a path that may be possible.
    fn guess(&mut self, end: &State, confirm: &mut dyn FnMut(&Witness) -> Confirmation) {
        let Some(outlooks) = &mut self.outlooks else {
            return;
        };
        if !outlooks.conditions.tries_models() || outlooks.guesses.len() >= MOST_GUESSES {
            return;
        }
        let (policy, before) = (outlooks.conditions.policy(), self.run.pool.work());
        let Run {
            machine,
            pool,
            oracle,
            ..
        } = &mut self.run;
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
        self.run.statistics.replay_time += started.elapsed();
        let machine = &self.run.machine;
        let mut is_hit = false;
        for goal in passed {
            is_hit |= machine.is_open_goal(goal);
            machine.close_goal(goal);
        }
        if let Some(outlooks) = &mut self.outlooks {
            outlooks.conditions.statistics.tried(is_hit);
            if is_hit {
                outlooks.new_at = self.run.pool.work();
            }
        }
    }

    /// Whether there may be guesses to execute.
    #[must_use]
    pub fn makes_guesses(&self) -> bool {
        self.outlooks.is_some()
    }

    /// Inputs that may lead to a violation, by a model of φ_state ∧ φ̂: a guess that is to be executed.
    pub fn next_guess(&mut self) -> Option<Vec<WitnessInput>> {
        self.outlooks.as_mut()?.guesses.pop_front()
    }

    /// Counts work that executing the program with such inputs took.
    pub fn count_work_for_guess(&mut self, work: Work) {
        self.run.pool.count_work(work);
        if let Some(outlooks) = &mut self.outlooks {
            outlooks.conditions.statistics.work += work;
        }
    }

    /// What came of such inputs, with the last of the work that they took.
    pub fn note_guess(&mut self, is_hit: bool, work: Work) {
        self.count_work_for_guess(work);
        if let Some(outlooks) = &mut self.outlooks {
            outlooks.conditions.statistics.tried(is_hit);
        }
        self.refresh(&mut |_| ());
    }
}
