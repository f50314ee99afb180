//! Coverage goals: inputs for goals that a path is the first to pass.
//!
//! A path that passes a goal without known inputs carries it along, so that one native run covers several
//! goals and continues to the program's end if it can. Inputs are computed when the path ends, when it is
//! closed by subsumption, and when it has carried goals for long.
//!
//! # Invariants
//! - Only a native run closes a goal.
//! - A run that ends without open reasons has handled each goal that one of its paths passed.

use super::{Confirmation, Executor, PathSoFar, Witness};
use crate::witness::find_witness;
use flowgraph::{BitSet, GoalId, Span};
use property::{ErrorKind, Reason};
use semantics::State;
use std::collections::BTreeSet;
use std::time::Instant;

/// For which goals inputs are wanted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WantedGoals {
    /// Their numbers.
    pub open: BitSet,
    /// Steps for which a path carries a goal before inputs are found.
    pub patience: u32,
}

impl Executor<'_> {
    /// Finds inputs for all that waiting states carry, for a run that is not to continue.
    pub fn settle_goals(&mut self, confirm: &mut dyn FnMut(&Witness) -> Confirmation) {
        let mut waiting: Vec<State> = Vec::new();
        for state in self.queue.iter().map(|waiting| &waiting.state) {
            if !state.goals.is_empty() {
                waiting.push(state.clone());
            }
        }
        for mut state in waiting {
            if self.run.watch.is_over() {
                return;
            }
            self.pass_goals(&mut state, confirm);
        }
    }

    /// A step of a path that may carry goals.
    pub(super) fn carry_goals(
        &mut self,
        state: &mut State,
        path: &mut PathSoFar,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) {
        if state.goals.is_empty() {
            path.with_goals = 0;
            return;
        }
        path.with_goals += 1;
        if path.with_goals > self.run.options.goals.patience {
            path.with_goals = 0;
            self.pass_goals(state, confirm);
        }
    }

    /// Finds inputs for a path that carries goals. Where there are none that do, that is a reason;
    /// the goal is not tried again in this run.
    pub(super) fn pass_goals(
        &mut self,
        state: &mut State,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) {
        if state.goals.is_empty() {
            return;
        }
        let goals = std::mem::take(&mut state.goals);
        let machine = &self.run.machine;
        let open: BTreeSet<GoalId> = (goals.iter().copied())
            .filter(|goal| machine.is_open_goal(*goal))
            .collect();
        if open.is_empty() {
            return;
        }
        let passed = self.inputs_for(state, &open, confirm);
        let machine = &self.run.machine;
        let all = passed.iter().chain(&open);
        all.for_each(|goal| machine.close_goal(*goal));
    }

    /// The goals that a native run with the inputs of a path passes.
    fn inputs_for(
        &mut self,
        state: &State,
        open: &BTreeSet<GoalId>,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) -> Vec<GoalId> {
        let work = self.run.options.budget.queries.at_first();
        let found = find_witness(
            &self.run.machine,
            &mut self.run.pool,
            &mut self.run.oracle,
            state,
            work,
        );
        let (inputs, path) = match found {
            Ok(found) => found,
            Err(reason) => {
                self.reasons.add(reason);
                return Vec::new();
            }
        };
        let witness = Witness {
            inputs,
            path,
            target: Span::UNKNOWN,
            error: ErrorKind::Target,
            report: None,
            goals: open.iter().copied().collect(),
        };
        let started = Instant::now();
        let confirmation = confirm(&witness);
        self.run.statistics.replay_time += started.elapsed();
        let (passed, why) = match confirmation {
            Confirmation::Passed(passed) => (passed, None),
            Confirmation::Confirmed(_) | Confirmation::Skipped => (Vec::new(), None),
            Confirmation::Refuted(why) => (Vec::new(), Some(Reason::NotConfirmed(why))),
            Confirmation::Stopped(why) => (Vec::new(), Some(Reason::ReplayTooLong(why))),
            Confirmation::Impossible(why) => (Vec::new(), Some(Reason::NotReplayable(why))),
        };
        if open.iter().any(|goal| !passed.contains(goal)) {
            let why = why.unwrap_or_else(|| {
                Reason::NotConfirmed("the run does not pass the goal".to_owned())
            });
            self.reasons.add(why);
        }
        passed
    }
}
