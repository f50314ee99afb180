//! An execution whose guesses are tried: models of φ_state ∧ φ̂ for waiting states.
//!
//! ```text
//! executor --inputs--> execution with them --a path to a violation--> native run --> Reachable
//! ```
//!
//! # Invariants
//! - Like models of φ̂, a guess is executed symbolically before it is run natively, so that its path to the
//!   target has defined behaviour.
//! - An unsuccessful guess only costs work.

use super::guess::{GuessRun, Guesses};
use super::limits;
use crate::AnalysisOptions;
use ::necessary::Side;
use flowgraph::ProgramFacts;
use std::rc::Rc;
use symex::{Advance, Advancing, Confirmation, Executor, Report, Statistics, Verdict, Witness};
use term::{Clock, Work};

/// The execution, and the guess that is being tried.
pub(crate) struct WithGuesses<'p> {
    executor: Box<Executor<'p>>,
    guesses: Guesses<'p>,
    running: Option<Box<GuessRun<'p>>>,
    slice: Work,
    found: Option<Witness>,
}

impl<'p> WithGuesses<'p> {
    /// For an execution of this program; nothing is done yet.
    pub fn new(
        options: &AnalysisOptions,
        facts: ProgramFacts<'p>,
        executor: Executor<'p>,
    ) -> WithGuesses<'p> {
        let policy = &options.execution.policy.state_conditions;
        let guesses = Guesses::new(
            Rc::new(options.clone()),
            facts,
            limits(&options.execution.budget),
            policy.k,
            policy.guess,
        );
        WithGuesses {
            executor: Box::new(executor),
            guesses,
            running: None,
            slice: options.policy.slice,
            found: None,
        }
    }

    /// Continues with a guess.
    fn try_guess(
        &mut self,
        mut run: Box<GuessRun<'p>>,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) {
        let (advance, work) = run.advance(self.slice, confirm);
        if advance == Advance::Goes {
            self.executor.count_work_for_guess(work);
            self.running = Some(run);
            return;
        }
        self.found = self.guesses.end(*run);
        self.executor.note_guess(self.found.is_some(), work);
    }
}

impl Advancing for WithGuesses<'_> {
    fn clock(&self) -> Clock {
        self.executor.clock()
    }

    fn inner(&self) -> Option<&dyn Advancing> {
        Some(self.executor.as_ref())
    }

    fn advance(
        &mut self,
        until: Work,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
        progress: &mut dyn FnMut(&Statistics),
    ) -> Advance {
        let mut is_over = false;
        while self.found.is_none() {
            if let Some(run) = self.running.take() {
                self.try_guess(run, confirm);
            } else if self.executor.has_settled() {
                return Advance::Over;
            } else if let Some(inputs) = self.executor.next_guess() {
                // The path is none of φ̂ from the start, of which guesses keep the numbers.
                let run = self.guesses.begin((0, Side::Quantified), inputs);
                self.running = Some(Box::new(run));
            } else if is_over {
                return Advance::Over;
            } else if self.executor.work() < until {
                is_over = self.executor.advance(until, confirm, progress) == Advance::Over;
                continue;
            } else {
                return Advance::Goes;
            }
            if self.executor.work() >= until {
                return Advance::Goes;
            }
        }
        Advance::Over
    }

    fn has_settled(&self) -> bool {
        self.found.is_some() || self.executor.has_settled()
    }

    fn finish(self: Box<Self>) -> Report {
        let mut report = self.executor.finish();
        if let (Some(witness), Verdict::Unreachable | Verdict::Unknown) =
            (self.found, &report.verdict)
        {
            report.verdict = Verdict::Reachable(Box::new(witness));
        }
        report
    }
}
