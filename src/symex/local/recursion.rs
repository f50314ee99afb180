//! Both parts of a template of recursion, applied (arXiv, Section 3).

use super::{Course, Folded, LocalTechnique, Proposal, Standing};
use crate::semantics::{Admission, Oracle, Outcome, State, Successors};
use crate::symex::path::PathSoFar;
use crate::symex::run::Run;
use crate::template::{Application, Ascended};
use crate::term::TermId;
use std::ops::ControlFlow;
use std::rc::Rc;

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
        Some(self.apply(&recursion.descent, application, state, (wanted, None)))
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
