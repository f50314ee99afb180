//! Proofs by induction, in two attempts.
//!
//! First bounds of registers are guessed for the loops, which takes little; where that proves nothing
//! and loops access memory, what the elements of arrays have in common is guessed besides.

use super::{AnalysisOptions, Technique};
use crate::flowgraph::{Action, Function, Program, ProgramFacts};
use crate::symex::{
    Advance, Advancing, Confirmation, CutHandling, Executor, Report, Statistics, Witness,
};
use crate::term::{Clock, Work};
use std::time::Instant;

pub(super) struct InductionRun<'p> {
    options: AnalysisOptions,
    facts: ProgramFacts<'p>,
    began: Instant,
    attempt: Attempt<'p>,
}

enum Attempt<'p> {
    First(Box<Executor<'p>>),
    Last(Box<Executor<'p>>),
    /// While one follows the other.
    Between,
}

impl<'p> InductionRun<'p> {
    /// For a program; nothing is done yet.
    pub fn new(options: &AnalysisOptions, facts: ProgramFacts<'p>) -> InductionRun<'p> {
        let executor = Box::new(options.executor(Technique::Induction, facts.clone()));
        let attempt = if loops_access_memory(facts.program()) {
            Attempt::First(executor)
        } else {
            Attempt::Last(executor)
        };
        InductionRun {
            options: options.clone(),
            facts,
            began: Instant::now(),
            attempt,
        }
    }

    fn executor(&self) -> &Executor<'p> {
        match &self.attempt {
            Attempt::First(executor) | Attempt::Last(executor) => executor,
            Attempt::Between => unreachable!("one attempt follows the other at once"),
        }
    }

    /// The second attempt, with the terms, the work and what is left of the time of the first.
    fn again(&self, first: Box<Executor<'p>>) -> Attempt<'p> {
        let mut options = self.options.clone();
        let time = options.execution.budget.time;
        options.execution.budget.time = time.saturating_sub(self.began.elapsed());
        let mut execution = options.execution_for(Technique::Induction);
        execution.cuts = CutHandling::HeadersWithElements;
        execution.budget.queries.candidate = execution.budget.queries.elements;
        let table = options.table_for(Technique::Induction);
        let solver = options.solver.build();
        let executor = Executor::new(self.facts.clone(), solver, table, execution);
        Attempt::Last(Box::new(executor.with_terms(first.finish().pool)))
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
        let first = match &mut self.attempt {
            Attempt::First(first) => first,
            Attempt::Last(last) => return last.advance(until, confirm, progress),
            Attempt::Between => return Advance::Over,
        };
        let is_over = first.advance(until, confirm, progress) == Advance::Over;
        if is_over && (first.has_settled() || first.exhausted().is_some()) {
            return Advance::Over;
        }
        if is_over
            && let Attempt::First(first) = std::mem::replace(&mut self.attempt, Attempt::Between)
        {
            self.attempt = self.again(first);
        }
        Advance::Goes
    }

    fn has_settled(&self) -> bool {
        self.executor().has_settled()
    }

    fn finish(self: Box<Self>) -> Report {
        match self.attempt {
            Attempt::First(executor) | Attempt::Last(executor) => executor.finish(),
            Attempt::Between => unreachable!("one attempt follows the other at once"),
        }
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
