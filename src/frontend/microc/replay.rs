//! Replay: the interpreter runs the program on the inputs of a witness.

use super::ast::{Position, Program};
use super::interpret::{End, RunOptions, World, run};
use super::marks::Marks;
use super::targets::Targets;
use ::replay::{
    Build, InputRecord, InputValue, Inputs, Passage, ReplayError, ReplayLimits, ReplayOutcome,
    Replayer, Runnable,
};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

/// A program that the interpreter runs.
#[derive(Clone, Debug)]
pub(super) struct Interpreted {
    program: Arc<Program>,
    targets: Arc<Targets>,
    marks: Arc<Marks>,
}

impl Interpreted {
    /// A program that is well typed, with its targets and goals.
    pub(super) fn new(program: Program, targets: Targets, marks: Marks) -> Interpreted {
        Interpreted {
            program: Arc::new(program),
            targets: Arc::new(targets),
            marks: Arc::new(marks),
        }
    }
}

impl Replayer for Interpreted {
    fn prepare(&self, _: Build) -> Result<Arc<dyn Runnable>, ReplayError> {
        Ok(Arc::new(self.clone()))
    }
}

/// Recorded inputs, in order.
struct Recorded {
    values: VecDeque<i32>,
    /// A record that is no number of 32 bits comes next.
    is_wrong: bool,
    /// The goals that were passed, in the order in which they were first.
    passed: IndexSet<u32, FxBuildHasher>,
}

impl Recorded {
    fn new(records: &[InputRecord]) -> Recorded {
        let value = |record: &InputRecord| match &record.value {
            InputValue::Int(value) if value.width() == 32 => value.to_i64(),
            InputValue::Int(_) | InputValue::Bytes { .. } => None,
        };
        let number = |record| value(record).and_then(|value| i32::try_from(value).ok());
        let values: VecDeque<i32> = records.iter().map_while(number).collect();
        Recorded {
            is_wrong: values.len() < records.len(),
            values,
            passed: IndexSet::default(),
        }
    }
}

impl World<i32> for Recorded {
    fn input(&mut self) -> Option<i32> {
        self.values.pop_front()
    }

    fn output(&mut self, _: &i32) {}

    fn pass(&mut self, goal: u32) {
        self.passed.insert(goal);
    }
}

impl Runnable for Interpreted {
    fn run(&self, inputs: &Inputs, limits: &ReplayLimits) -> Result<ReplayOutcome, ReplayError> {
        Ok(self.pass(inputs, limits)?.outcome)
    }

    fn pass(&self, inputs: &Inputs, limits: &ReplayLimits) -> Result<Passage, ReplayError> {
        let mut recorded = Recorded::new(&inputs.records);
        let main = self.program.function("main");
        let parameters = main.map_or(0, |main| main.parameters.len());
        let arguments: Vec<i32> = (0..parameters).map_while(|_| recorded.input()).collect();
        if arguments.len() < parameters {
            let why = "the arguments of main are not recorded".to_owned();
            return Ok(Passage {
                outcome: ReplayOutcome::Diverged(why),
                goals: Vec::new(),
            });
        }
        let options = RunOptions {
            deadline: Instant::now().checked_add(limits.wall),
            targets: Some(&self.targets),
            marks: Some(&self.marks),
            notice_endless: true,
            ..RunOptions::default()
        };
        let end = run(&self.program, &arguments, &mut recorded, &options)
            .map_err(::replay::system("start a thread for the interpreter"))?;
        let outcome = match end {
            End::Returned(code) => ReplayOutcome::NotReached(code),
            End::Error(error, Position { line, column }) => {
                ReplayOutcome::Erred(error, (line, column))
            }
            End::Target(_) => ReplayOutcome::Reached,
            End::EndOfInput(at) if recorded.is_wrong => ReplayOutcome::Diverged(format!(
                "the recorded value for the input at {at} is not a number of 32 bits"
            )),
            End::EndOfInput(at) => {
                ReplayOutcome::Diverged(format!("no value is recorded for the input at {at}"))
            }
            End::Limit(which) => ReplayOutcome::Limit(which),
            End::Endless(Position { line, column }) => ReplayOutcome::Endless((line, column)),
        };
        Ok(Passage {
            outcome,
            goals: recorded.passed.into_iter().collect(),
        })
    }
}
