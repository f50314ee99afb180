//! Proofs by induction, in several attempts.
//!
//! First bounds of registers are guessed for the loops, which takes little; where that proves nothing
//! and loops access memory, what the elements of arrays have in common is guessed besides, and at last
//! what those of segments have.

use super::{AnalysisOptions, Technique};
use crate::flowgraph::{Action, Function, Program, ProgramFacts};
use crate::symex::{
    Advance, Advancing, Confirmation, CutHandling, Executor, Guesses, Report, Statistics, Witness,
};
use crate::term::{Clock, Work};
use std::time::Instant;

/// What is guessed in the attempts behind the first.
const FURTHER: [Guesses; 2] = [Guesses::Elements, Guesses::Segments];

pub(super) struct InductionRun<'p> {
    options: AnalysisOptions,
    facts: ProgramFacts<'p>,
    began: Instant,
    /// Of the attempt under way; `None` only while one follows the other.
    executor: Option<Box<Executor<'p>>>,
    /// What the attempts behind it guess.
    further: &'static [Guesses],
}

impl<'p> InductionRun<'p> {
    /// For a program; nothing is done yet.
    pub fn new(options: &AnalysisOptions, facts: ProgramFacts<'p>) -> InductionRun<'p> {
        let executor = options.executor(Technique::Induction, facts.clone());
        let further: &[Guesses] = if loops_access_memory(facts.program()) {
            &FURTHER
        } else {
            &[]
        };
        InductionRun {
            options: options.clone(),
            facts,
            began: Instant::now(),
            executor: Some(Box::new(executor)),
            further,
        }
    }

    fn executor(&self) -> &Executor<'p> {
        let executor = self.executor.as_ref();
        executor.expect("one attempt follows the other at once")
    }

    /// The next attempt, with the terms, the work and what is left of the time of those before.
    fn next(&self, last: Box<Executor<'p>>, guesses: Guesses) -> Box<Executor<'p>> {
        let mut options = self.options.clone();
        let time = options.execution.budget.time;
        options.execution.budget.time = time.saturating_sub(self.began.elapsed());
        let mut execution = options.execution_for(Technique::Induction);
        execution.cuts = CutHandling::Headers(guesses);
        execution.budget.queries.candidate = execution.budget.queries.elements;
        let table = options.table_for(Technique::Induction);
        let solver = options.solver_for(Technique::Induction).build();
        let executor = Executor::new(self.facts.clone(), solver, table, execution);
        Box::new(executor.with_terms(last.finish().pool))
    }
}

impl Advancing for InductionRun<'_> {
    fn clock(&self) -> Clock {
        self.executor().clock()
    }

    fn work(&self) -> Work {
        self.executor().work()
    }

    fn advance(
        &mut self,
        until: Work,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
        progress: &mut dyn FnMut(&Statistics),
    ) -> Advance {
        let Some(executor) = &mut self.executor else {
            return Advance::Over;
        };
        if executor.advance(until, confirm, progress) == Advance::Goes {
            return Advance::Goes;
        }
        let has_ended = executor.has_settled() || executor.exhausted().is_some();
        let Some((guesses, further)) = self.further.split_first().filter(|_| !has_ended) else {
            return Advance::Over;
        };
        self.further = further;
        if let Some(last) = self.executor.take() {
            self.executor = Some(self.next(last, *guesses));
        }
        Advance::Goes
    }

    fn has_settled(&self) -> bool {
        self.executor().has_settled()
    }

    fn finish(self: Box<Self>) -> Report {
        let executor = self.executor;
        executor
            .expect("one attempt follows the other at once")
            .finish()
    }
}

/// Whether a loop of the program reads memory or writes to it.
fn loops_access_memory(program: &Program) -> bool {
    let accesses = |function: &Function| {
        let loops = function.loops().loops.iter();
        let mut edges = loops.flat_map(|natural| {
            function
                .edge_ids()
                .filter(|&edge| natural.body.contains(function.source(edge).index()))
        });
        edges.any(|edge| {
            let mut steps = function.edge(edge).steps.iter();
            steps.any(|step| matches!(step.action, Action::Load { .. } | Action::Store { .. }))
        })
    };
    program.functions.iter().any(|function| accesses(function))
}
