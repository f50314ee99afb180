//! One iteration and its exits: `executePath` of Algorithm 1.

use super::entry::Entry;
use super::{ExitTarget, NoTemplate};
use flowgraph::{Cycle, EdgeId, Span};
use semantics::{Admission, Machine, Oracle, Outcome, PathCondition, State, Successors, Trusting};
use term::{SymbolId, TermPool, Work};

/// One iteration, from the entry back to it.
pub(super) struct Iteration {
    /// The state at its end: (e, θ, φ) of line 1.
    pub end: State,
    /// Its first line.
    pub span: Span,
}

/// One iteration along a core, and its exits.
pub(super) struct Walk {
    pub iteration: Iteration,
    /// The states before each edge of the core.
    before: Vec<State>,
    /// Paths that end on the core itself: the edge, and how.
    ended: Vec<(EdgeId, Outcome)>,
}

/// An exit in the unfinished last iteration.
#[derive(Clone)]
pub(super) struct IterationExit {
    pub edge: EdgeId,
    pub state: State,
    pub target: ExitTarget,
    /// See [`super::TemplateExit::inner`].
    pub inner: Vec<(EdgeId, SymbolId)>,
}

impl Walk {
    /// Lines 1 and 24: `executePath` along the core.
    pub fn execute(
        machine: &Machine,
        pool: &mut TermPool,
        oracle: &dyn Oracle,
        entry: &Entry,
        cycle: &Cycle,
    ) -> Result<Walk, NoTemplate> {
        let function = entry.state.location.function;
        let span = cycle
            .core
            .iter()
            .map(|edge| machine.edge_span(function, *edge))
            .find(|span| span.line > 0);
        let span = span.unwrap_or_default();
        let mut state = entry.state.clone();
        let mut before = Vec::with_capacity(cycle.core.len());
        let mut ended = Vec::new();
        for edge in &cycle.core {
            pool.count_work(Work::CORE_EDGE);
            if oracle.is_exhausted() {
                return Err(NoTemplate::Limit(span));
            }
            before.push(state.clone());
            let at = machine.edge_span(function, *edge);
            let mut running = None;
            for outcome in machine.follow(pool, &mut Trusting, state, *edge) {
                match outcome {
                    Outcome::Running(next) if running.is_none() => running = Some(next),
                    Outcome::Running(_) => return Err(NoTemplate::Splits(at)),
                    Outcome::Undecided { span, .. } => return Err(NoTemplate::Undecided(span)),
                    Outcome::Ended(..) => ended.push((*edge, outcome)),
                }
            }
            state = running.ok_or(NoTemplate::Infeasible)?;
            let stays = state.location.function == function && state.callers.is_empty();
            if !stays {
                return Err(NoTemplate::Calls(at));
            }
            if !state.frame.allocas.is_empty() {
                return Err(NoTemplate::Allocates(at));
            }
        }
        debug_assert_eq!(
            state.location, entry.state.location,
            "a core leads back to its entry"
        );
        Ok(Walk {
            iteration: Iteration { end: state, span },
            before,
            ended,
        })
    }

    /// Lines 22 to 26: the feasible ways to leave the core, those included on which a path ends.
    pub fn exits(
        &self,
        machine: &Machine,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        cycle: &Cycle,
    ) -> Result<Vec<IterationExit>, NoTemplate> {
        let mut candidates: Vec<(EdgeId, Successors)> = Vec::new();
        for exit in &cycle.exits {
            let state = self.before[exit.position].clone();
            candidates.push((
                exit.edge,
                machine.follow(pool, &mut Trusting, state, exit.edge),
            ));
        }
        candidates.extend(
            self.ended
                .iter()
                .map(|(edge, outcome)| (*edge, vec![outcome.clone()])),
        );
        let mut ways = Vec::new();
        for (edge, outcomes) in candidates {
            for outcome in outcomes {
                let (state, target) = match outcome {
                    Outcome::Running(state) => {
                        let target = ExitTarget::Location(state.location);
                        (state, target)
                    }
                    Outcome::Ended(state, end) => (state, ExitTarget::End(end)),
                    Outcome::Undecided { span, .. } => return Err(NoTemplate::Undecided(span)),
                };
                if !state.callers.is_empty() {
                    return Err(NoTemplate::Calls(self.iteration.span));
                }
                let condition = pool.conj(state.path_cond.to_vec());
                match oracle.admits(pool, &PathCondition::default(), condition) {
                    Admission::Feasible => ways.push(IterationExit {
                        edge,
                        state,
                        target,
                        inner: Vec::new(),
                    }),
                    Admission::Infeasible => {}
                    Admission::Unknown => {
                        let span = machine.edge_span(self.iteration.end.location.function, edge);
                        return Err(NoTemplate::Undecided(span));
                    }
                }
            }
        }
        Ok(ways)
    }
}
