//! Both parts of a template of recursion, applied (arXiv, Section 3).

use super::{Course, Folded, LocalTechnique, Proposal, Standing};
use crate::path::PathSoFar;
use crate::run::Run;
use flowgraph::Stack;
use semantics::{Admission, MemoryFault, Oracle, Outcome, PathEnd, State, Successors};
use std::ops::ControlFlow;
use std::rc::Rc;
use template::{Application, Ascended, RecursionTemplate, Region};
use term::{CmpOp, TermId};

/// Multiple of the calls that certainly exceed the stack, which is tried first: frames of a replay may be smaller than
/// those of the program, since its variables are registers.
const CLEARLY: u64 = 16;

/// Folds calls at the entry of a function that calls itself, and returns into folded frames.
pub(super) struct FoldCalls;

impl LocalTechnique for FoldCalls {
    fn propose(&self, run: &mut Run, _: &mut PathSoFar, standing: Standing) -> Proposal {
        match run.fold_calls(&standing.state) {
            Some((successors, folded)) => ControlFlow::Break(Course::By(successors, folded)),
            None => ControlFlow::Continue(standing),
        }
    }
}

impl Run<'_> {
    /// The successors of a state by either part of a template of recursion: at the entry of the
    /// function, or at a return into folded frames.
    fn fold_calls(&mut self, state: &State) -> Option<(Successors, Folded)> {
        if let Some(folded) = &state.frame.folded {
            let count = folded.count;
            let ways = self
                .table
                .ascend(&self.machine, &mut self.pool, &mut self.oracle, state)?;
            return Some(self.ascend(state, ways, count));
        }
        if !self.folds_at(state) {
            return None;
        }
        let work = self.options.budget.queries.for_template();
        let candidates = self.oracle.with_work(work, |oracle| {
            let (table, pool) = (&mut self.table, &mut self.pool);
            table.recursions_for(&self.machine, pool, oracle, state)
        });
        let recursion = Rc::clone(self.choose(&candidates)?);
        let application = Application::descent(&mut self.pool, &recursion, state);
        let wanted = self.pool.truth(true);
        let (mut successors, folded) =
            self.apply(&recursion.descent, application, state, (wanted, None));
        if let Some(stack) = self.machine.stack.clone() {
            let beyond = self.descend_beyond(&stack, &recursion, state, successors.is_empty());
            successors.extend(beyond);
        }
        Some((successors, folded))
    }

    /// The end of folded calls that exceed the stack: of an exit behind that many calls, of calls that
    /// continue, or of all calls, if they are `endless`.
    fn descend_beyond(
        &mut self,
        stack: &Stack,
        recursion: &RecursionTemplate,
        state: &State,
        endless: bool,
    ) -> Option<Outcome> {
        self.machine.deepest.set(u64::MAX);
        let function = state.location.function;
        let span = match &recursion.descent.region {
            Region::Recursion(region) => self.machine.edge_span(function, *region.calls.first()?),
            Region::Core(_) | Region::Loop(_) => return None,
        };
        let end = PathEnd::Fault(MemoryFault::StackOverflow, span);
        if endless {
            return Some(Outcome::Ended(state.clone(), end));
        }
        let mut application = Application::descent(&mut self.pool, recursion, state);
        let width = self.pool.width(application.kappa);
        let fewest = stack.calls_beyond(state.frame.stack, function);
        let mut open = None;
        for n_calls in [fewest.saturating_mul(CLEARLY), fewest] {
            // More calls than κ can number repeat earlier states.
            let is_numbered = n_calls.checked_shr(width).unwrap_or(0) == 0;
            let n_calls = n_calls.min(u64::MAX >> (64 - width.min(64)));
            let n_calls = self.pool.bv(width, n_calls);
            let is_beyond = self.pool.compare(CmpOp::Ule, n_calls, application.kappa);
            let exits = recursion.descent.exits.iter().filter(|_| is_numbered);
            for exit in exits.chain([&recursion.deeper]) {
                let condition = application.condition(&mut self.pool, exit);
                let condition = self.pool.and(is_beyond, condition);
                let admission = self
                    .oracle
                    .admits(&mut self.pool, &state.path_cond, condition);
                if admission == Admission::Infeasible {
                    continue;
                }
                let state = application.leave(&mut self.pool, exit, condition);
                if admission == Admission::Feasible {
                    return Some(Outcome::Ended(state, end));
                }
                open = Some(Outcome::Undecided {
                    state,
                    then: Some(end.clone()),
                    span,
                });
            }
        }
        open
    }

    /// The second part: the feasible and the undecided exits of folded frames.
    fn ascend(
        &mut self,
        state: &State,
        ways: Vec<Ascended>,
        count: TermId,
    ) -> (Successors, Folded) {
        self.statistics.n_applications += 1;
        let mut successors = Successors::new();
        let mut region = None;
        for way in ways {
            let admission = self
                .oracle
                .admits(&mut self.pool, &state.path_cond, way.condition);
            region = Some(way.region);
            match (way.end, admission) {
                (_, Admission::Infeasible) => {}
                (then, Admission::Unknown) => successors.push(Outcome::Undecided {
                    state: way.state,
                    then,
                    span: way.span,
                }),
                (None, Admission::Feasible) => successors.push(Outcome::Running(way.state)),
                (Some(end), Admission::Feasible) => {
                    successors.push(Outcome::Ended(way.state, end));
                }
            }
        }
        (successors, region.map(|region| (region, count)))
    }
}
