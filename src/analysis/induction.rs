//! Proofs by induction, in several attempts.
//!
//! First bounds of registers are guessed for the loops, which takes little; where that proves nothing
//! and loops access memory, what the elements of arrays have in common is guessed besides, then what
//! those of segments have, and at last the same with more work for each question.

use super::{AnalysisOptions, Technique};
use crate::flowgraph::{Action, Function, Program, ProgramFacts};
use crate::symex::{
    Advance, Advancing, Confirmation, CutHandling, Executor, Guesses, Report, Statistics, Witness,
};
use crate::term::{Clock, Work};
use std::time::Instant;

/// What is guessed in the attempts behind the first, and how many times the work for elements a question
/// may take. Whether an insertion sort's inner loop keeps its segments in order takes 1 to 3 s.
const FURTHER: [(Guesses, u64); 3] = [
    (Guesses::Elements, 1),
    (Guesses::Segments, 1),
    (Guesses::Segments, 8),
];

pub(super) struct InductionRun<'p> {
    options: AnalysisOptions,
    facts: ProgramFacts<'p>,
    began: Instant,
    /// Of the attempt under way; `None` only while one follows the other.
    executor: Option<Box<Executor<'p>>>,
    /// The attempts behind it.
    further: &'static [(Guesses, u64)],
}

impl<'p> InductionRun<'p> {
    /// For a program; nothing is done yet.
    pub fn new(options: &AnalysisOptions, facts: ProgramFacts<'p>) -> InductionRun<'p> {
        let executor = options.executor(Technique::Induction, facts.clone());
        let further: &[(Guesses, u64)] = if loops_access_memory(facts.program()) {
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
    fn next(&self, last: Box<Executor<'p>>, (guesses, times): (Guesses, u64)) -> Box<Executor<'p>> {
        let mut options = self.options.clone();
        let time = options.execution.budget.time;
        options.execution.budget.time = time.saturating_sub(self.began.elapsed());
        let mut execution = options.execution_for(Technique::Induction);
        execution.cuts = CutHandling::Headers(guesses);
        execution.budget.queries.candidate = execution.budget.queries.elements * times;
        let table = options.table_for(Technique::Induction);
        let solver = options.solver.build();
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
        let Some((next, further)) = self.further.split_first().filter(|_| !has_ended) else {
            return Advance::Over;
        };
        self.further = further;
        if let Some(last) = self.executor.take() {
            self.executor = Some(self.next(last, *next));
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
