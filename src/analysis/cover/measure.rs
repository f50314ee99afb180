//! Measurement: native runs that report the goals that they pass.

use super::Test;
use crate::{records, surroundings};
use flowgraph::{BitSet, GoalId};
use frontend::Loaded;
use limits::Interrupt;
use replay::{Build, Inputs, ReplayLimits, ReplayOutcome, Runnable};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use symex::Witness;

/// The goals that native runs have passed so far; several threads may share it.
pub(super) struct Measure<'a> {
    loaded: &'a Loaded,
    limits: ReplayLimits,
    state: Mutex<State>,
}

struct State {
    /// Compiled once, for all runs; why it cannot be.
    program: Result<Arc<dyn Runnable>, String>,
    covered: BitSet,
    tests: Vec<Test>,
}

impl<'a> Measure<'a> {
    /// Compiles the program; an interrupt ends its runs.
    pub fn new(loaded: &'a Loaded, interrupt: Interrupt) -> Measure<'a> {
        let build = if loaded.is_instrumented {
            Build::Checked
        } else {
            Build::Plain
        };
        let program = loaded.replayer.prepare(build);
        Measure {
            loaded,
            limits: ReplayLimits {
                interrupt,
                ..ReplayLimits::default()
            },
            state: Mutex::new(State {
                program: program.map_err(|error| error.to_string()),
                covered: BitSet::new(loaded.goals.len()),
                tests: Vec::new(),
            }),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs the program with the inputs of a witness; a run that passes something new is a test.
    pub fn run(&self, witness: &Witness) -> Result<(ReplayOutcome, Vec<GoalId>), String> {
        let inputs = Inputs {
            records: records(witness),
            surroundings: surroundings(self.loaded, witness).unwrap_or_default(),
        };
        let mut state = self.state();
        let program = state.program.as_ref().map_err(Clone::clone)?;
        let run = program.pass(&inputs, &self.limits);
        let run = run.map_err(|error| error.to_string())?;
        let is_goal = |number: &u32| (*number as usize) < self.loaded.goals.len();
        let goals = run.goals.into_iter().filter(is_goal).map(GoalId);
        let goals: Vec<GoalId> = goals.collect();
        let mut is_new = false;
        for goal in &goals {
            is_new |= state.covered.insert(goal.index());
        }
        if is_new {
            state.tests.push(Test {
                witness: witness.clone(),
                goals: goals.iter().copied().collect(),
                outcome: run.outcome.clone(),
            });
        }
        Ok((run.outcome, goals))
    }

    /// The goals that were passed.
    pub fn covered(&self) -> BitSet {
        self.state().covered.clone()
    }

    /// How many.
    pub fn n_covered(&self) -> usize {
        self.state().covered.len()
    }

    /// Whether nothing can be run here.
    pub fn is_impossible(&self) -> bool {
        self.state().program.is_err()
    }

    /// The tests, in the order in which they were found, and why nothing could be run.
    pub fn into_tests(self) -> (Vec<Test>, Option<String>) {
        let state = self.state.into_inner();
        let state = state.unwrap_or_else(PoisonError::into_inner);
        (state.tests, state.program.err())
    }
}
