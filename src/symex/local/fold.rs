//! Templates of loops and cycles, applied (lines 9 to 16 of Algorithm 2).
//!
//! If subsumption is on, templates are only used at locations where it is checked, so that folded paths pass
//! such locations, and only templates whose iterations make progress: the classic path around a loop that
//! changes nothing ends in a subsumed state, while folding would add its path counter and inputs to all later
//! states. Templates of cycles that pass through other loops wait until the path has folded those. A path on
//! which nothing was closed in many iterations uses every template.

use super::{Course, Folded, LocalTechnique, Proposal, Standing};
use crate::path::PathSoFar;
use crate::run::Run;
use semantics::{Admission, Oracle, Outcome, State, Successors};
use std::ops::ControlFlow;
use std::rc::Rc;
use template::{Application, ExitTarget, Template};
use term::TermId;

/// Applies a template of the loop, or of a cycle, at whose entry the state is.
pub(super) struct Fold;

impl LocalTechnique for Fold {
    fn propose(&self, run: &mut Run, path: &mut PathSoFar, standing: Standing) -> Proposal {
        let candidates = run.templates_for(&standing.state, path);
        let Some(template) = run.choose(&candidates) else {
            return ControlFlow::Continue(standing);
        };
        let state = &standing.state;
        if let Some(ahead) = &standing.ahead {
            run.concrete.was_too_far(state.location, ahead);
        }
        let first = run.iterations_first(state);
        let (successors, folded) = run.fold(template, state, AtLeast::None, first);
        let is_early = path.passed <= run.options.policy.folding.every_template_first;
        // Where no state is closed nobody counts what is passed, and line 9 chooses, as in the paper.
        if candidates.len() == 1 || !is_early || run.explored.is_none() {
            return ControlFlow::Break(Course::By(successors, folded));
        }
        let mut ways = vec![(successors, folded)];
        for other in candidates
            .iter()
            .filter(|other| !Rc::ptr_eq(other, template))
        {
            let (mut successors, folded) = run.fold(other, state, AtLeast::One, first);
            // What stays undecided here is among what the first leads to, and keeps no verdict open.
            successors.retain(|outcome| !matches!(outcome, Outcome::Undecided { .. }));
            ways.push((successors, folded));
        }
        ControlFlow::Break(Course::ByEach(ways))
    }
}

/// How many iterations the application of a template stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AtLeast {
    None,
    /// Those without any are another template's.
    One,
}

impl Run<'_> {
    /// Whether templates are used at a state: where states are closed, where that is examined.
    pub(super) fn folds_at(&self, state: &State) -> bool {
        let explored = self.explored.as_ref();
        explored.is_none_or(|explored| explored.is_place(state.location))
    }

    /// The templates that may be applied to a state.
    fn templates_for(&mut self, state: &State, path: &PathSoFar) -> Vec<Rc<Template>> {
        if !self.folds_at(state) {
            return Vec::new();
        }
        let work = self.options.budget.queries.for_template();
        let mut candidates = self.oracle.with_work(work, |oracle| {
            let (table, pool) = (&mut self.table, &mut self.pool);
            table.templates_for(&self.machine, pool, oracle, state)
        });
        let is_first = self.is_folded_first(state.location);
        if let Some(explored) = &self.explored {
            let matters = |reg| explored.matters_by_value(state.location, reg);
            let (table, program) = (&self.table, self.machine.program);
            let policy = &self.options.policy.folding;
            let mut n_early = 0;
            candidates.retain(|template| {
                let is_early = path.passed <= policy.inner_loops_first;
                let is_due = (!is_early || !table.passes_loops(program, template))
                    && (path.passed > policy.progress_first || template.makes_progress(matters));
                n_early += u64::from(!is_due && is_first);
                is_due || is_first
            });
            if let Some(hinter) = &mut self.hinter {
                hinter.statistics.n_early += n_early;
            }
        }
        if let Some(cutter) = &self.cutter {
            // A loop that is cut is not folded too.
            let function = state.location.function;
            candidates.retain(|template| !cutter.is_cut(function, &template.region));
        }
        candidates
    }

    fn fold(
        &mut self,
        template: &Template,
        state: &State,
        iterations: AtLeast,
        first: Option<u64>,
    ) -> (Successors, Folded) {
        let application = Application::new(&mut self.pool, template, state);
        let wanted = match iterations {
            AtLeast::None => self.pool.truth(true),
            AtLeast::One => {
                let width = self.pool.width(application.kappa);
                let zero = self.pool.bv(width, 0);
                let is_none = self.pool.eq(application.kappa, zero);
                self.pool.not(is_none)
            }
        };
        self.apply(template, application, state, (wanted, first))
    }

    /// Lines 10 to 16, with lines 20 and 23: the feasible exits, and the undecided ones where they are
    /// wanted, too. Where a number of iterations is given, exits are checked with that first.
    pub(super) fn apply(
        &mut self,
        template: &Template,
        mut application: Application,
        state: &State,
        (wanted, first): (TermId, Option<u64>),
    ) -> (Successors, Folded) {
        self.statistics.n_applications += 1;
        let mut successors = Successors::new();
        for exit in &template.exits {
            let condition = application.condition(&mut self.pool, exit);
            let condition = self.pool.and(wanted, condition);
            let (path_cond, kappa) = (&state.path_cond, application.kappa);
            let is_feasible = first
                .is_some_and(|first| self.is_feasible_after(path_cond, condition, (kappa, first)));
            let admission = if is_feasible {
                Admission::Feasible
            } else {
                self.oracle.admits(&mut self.pool, path_cond, condition)
            };
            if admission == Admission::Infeasible {
                continue;
            }
            let next = application.leave(&mut self.pool, exit, condition);
            successors.push(match (&exit.target, admission) {
                (_, Admission::Unknown | Admission::Infeasible) => {
                    let span = self.machine.edge_span(template.entry.function, exit.edge);
                    let then = match &exit.target {
                        ExitTarget::Location(_) => None,
                        ExitTarget::End(end) => Some(end.clone()),
                    };
                    Outcome::Undecided {
                        state: next,
                        then,
                        span,
                    }
                }
                (ExitTarget::Location(_), Admission::Feasible) => Outcome::Running(next),
                (ExitTarget::End(end), Admission::Feasible) => Outcome::Ended(next, end.clone()),
            });
        }
        (
            successors,
            Some((template.region.clone(), application.kappa)),
        )
    }
}
