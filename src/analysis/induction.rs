//! Proofs by induction and by k-induction, in several attempts.
//!
//! Induction first guesses bounds of registers for the loops, which is cheap. If that proves nothing and
//! loops access memory, it also guesses common properties of array elements, then of segments, and finally
//! the same with more work for each query. K-induction considers k successive iterations, with a larger k in
//! each attempt.

use super::{AnalysisOptions, Technique};
use flowgraph::{Action, Function, FunctionId, NodeId, Program, ProgramFacts};
use horn::claims;
use invariants::{Claim, CutHandling, Guesses, has_rows_of_unknown_length};
use std::time::Instant;
use symex::{Advance, Advancing, Confirmation, Executor, Report, Statistics, Witness};
use term::{Clock, Work};

/// What is guessed in an attempt, how many iterations are examined together, and how many times the work
/// for elements a query may take; without a number it is that of bounds.
type Attempt = (Guesses, u32, Option<u64>);

/// Whether an insertion sort's inner loop keeps its segments in order takes 1 to 3 s.
const BY_INDUCTION: [Attempt; 3] = [
    (Guesses::Bounds, 1, None),
    (Guesses::Elements, 1, Some(1)),
    (Guesses::Segments, 1, Some(8)),
];
/// Where an element is depends on products of unknown numbers: with the work of other arrays, a matrix that is filled
/// stays open.
const BY_INDUCTION_OF_MATRICES: [Attempt; 3] = [
    (Guesses::Bounds, 1, None),
    (Guesses::Elements, 1, Some(6)),
    (Guesses::Segments, 1, Some(8)),
];
const BY_K_INDUCTION: [Attempt; 7] = [
    (Guesses::Bounds, 2, None),
    (Guesses::Bounds, 3, None),
    (Guesses::Orders, 2, None),
    (Guesses::Orders, 4, None),
    (Guesses::Orders, 6, None),
    (Guesses::Orders, 8, None),
    (Guesses::Orders, 12, None),
];
/// For k-induction in all: paths become many with k.
const MOST_FOR_K_INDUCTION: Work = Work::seconds(20);

/// Additional guesses, by function and header.
type ClaimsAtHeaders = Vec<((FunctionId, NodeId), Vec<Claim>)>;

pub(super) struct InductionRun<'p> {
    options: AnalysisOptions,
    technique: Technique,
    facts: ProgramFacts<'p>,
    began: Instant,
    /// Of the attempt under way; `None` only while one follows the other.
    executor: Option<Box<Executor<'p>>>,
    /// The attempts behind it.
    further: &'static [Attempt],
    /// Common properties of executions, once they were computed.
    claims: Option<ClaimsAtHeaders>,
}

impl<'p> InductionRun<'p> {
    /// For a program, by induction or by k-induction; nothing is done yet.
    pub fn new(
        options: &AnalysisOptions,
        technique: Technique,
        facts: ProgramFacts<'p>,
    ) -> InductionRun<'p> {
        let mut options = options.clone();
        let attempts: &'static [Attempt] = match technique {
            Technique::KInduction => {
                let work = &mut options.execution.budget.work;
                let most = MOST_FOR_K_INDUCTION;
                *work = Some(work.map_or(most, |work| work.min(most)));
                &BY_K_INDUCTION
            }
            _ if !loops_access_memory(facts.program()) => &BY_INDUCTION[..1],
            _ if has_rows_of_unknown_length(facts.program()) => &BY_INDUCTION_OF_MATRICES,
            _ => &BY_INDUCTION,
        };
        let (first, further) = attempts.split_first().expect("there are attempts");
        let mut run = InductionRun {
            options,
            technique,
            facts,
            began: Instant::now(),
            executor: None,
            further,
            claims: None,
        };
        run.executor = Some(Box::new(run.attempt(*first)));
        run
    }

    fn executor(&self) -> &Executor<'p> {
        let executor = self.executor.as_ref();
        executor.expect("one attempt follows the other at once")
    }

    fn attempt(&self, (guesses, k, times): Attempt) -> Executor<'p> {
        let mut options = self.options.clone();
        let time = options.execution.budget.time;
        options.execution.budget.time = time.saturating_sub(self.began.elapsed());
        let mut execution = options.execution_for(self.technique);
        execution.cuts = CutHandling::Headers(guesses, k);
        if let Some(times) = times {
            let queries = &mut execution.budget.queries;
            queries.candidate = queries.elements * times;
            // What was assumed about elements makes queries about paths as long, and one that stays open ends
            // the proof.
            queries.most = queries.most.max(queries.candidate);
            queries.first = None;
        }
        let table = options.table_for(self.technique);
        let solver = options.solver.build();
        Executor::new(self.facts.clone(), solver, table, execution)
    }

    /// The next attempt, with the terms, the work and what is left of the time of those before.
    fn next(&mut self, last: Box<Executor<'p>>, attempt: Attempt) -> Box<Executor<'p>> {
        let pool = last.finish().pool;
        let mut executor = self.attempt(attempt);
        if self.technique == Technique::KInduction && attempt.0 != Guesses::Bounds {
            let property = self.options.execution.property;
            let program = self.facts.program();
            let claims = self
                .claims
                .get_or_insert_with(|| claims(&pool, program, property));
            executor = executor.with_claims(claims.clone());
        }
        Box::new(executor.with_terms(pool))
    }
}

impl Advancing for InductionRun<'_> {
    fn clock(&self) -> Clock {
        self.executor().clock()
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
        // What an attempt reaches says nothing of the next one.
        let mut refuted = |_: &Witness| Confirmation::Refuted("loops are cut".to_owned());
        let confirm = match self.technique {
            Technique::KInduction => &mut refuted,
            _ => confirm,
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

    /// A proof about arrays is under way, which takes longer than one by bounds.
    fn has_effect(&self) -> bool {
        self.technique == Technique::KInduction || self.executor().keeps_elements()
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
