//! Deferred queries: queries that stay open at first.
//!
//! A state is deferred if the solver has not decided its feasibility, or that of its successors, within the
//! work of a first query. The query is repeated with several times as much work, up to the limit of a query:
//! at once if no other state waits, and otherwise as long as such queries have taken less than their share of
//! the work. So one hard query does not delay the rest, and the rest does not delay a query that needs a
//! little more.
//!
//! A query that is interrupted by the end of the run is deferred, too: it did not reach its own limit, so its
//! state is left waiting.
//!
//! A state that was deferred at a branching is still there, with the condition of its edge assumed. Its
//! parent, of which it is a part, would subsume it, so that it is queued without a subsumption check: through
//! it the parent covers the states that it subsumes.

use super::{Executor, Origin, Waiting};
use crate::report::Statistics;
use crate::tree::NodeKind;
use crate::witness::{Confirmation, Witness};
use flowgraph::Span;
use property::Reason;
use semantics::{Admission, Outcome, PathEnd, State};
use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use term::Work;

/// A state about which the solver has not decided yet.
pub(super) struct Deferred {
    pub(super) state: State,
    pub(super) open: Open,
    pub(super) origin: Origin,
    /// Work for the next query.
    pub(super) work: Work,
}

/// An open query about a state.
pub(super) enum Open {
    /// Whether it exists, and how the path ends then; `None` where it continues. The query came
    /// up at the span.
    Existence(Option<PathEnd>, Span),
    /// Where its next step leads.
    Step,
}

/// States that were deferred.
pub(super) struct DeferredQueue {
    /// By the work for their next query, the first deferred first.
    levels: BTreeMap<Work, VecDeque<Deferred>>,
    /// Work that asking again took.
    spent: Work,
}

impl DeferredQueue {
    pub(super) fn new() -> DeferredQueue {
        DeferredQueue {
            levels: BTreeMap::new(),
            spent: Work::ZERO,
        }
    }

    /// Whether one of them comes next although other states wait, where they have a share, in
    /// percent, of all work.
    fn is_due(&self, all: Work, percent: u32) -> bool {
        !self.levels.is_empty() && self.spent < all.percent(percent)
    }

    pub(super) fn len(&self) -> usize {
        self.levels.values().map(VecDeque::len).sum()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Deferred> {
        self.levels.values().flatten()
    }

    fn push(&mut self, deferred: Deferred) {
        let level = self.levels.entry(deferred.work).or_default();
        level.push_back(deferred);
    }

    /// One with the least work for its next query.
    fn pop(&mut self) -> Option<Deferred> {
        let mut level = self.levels.first_entry()?;
        let deferred = level.get_mut().pop_front();
        if level.get().is_empty() {
            level.remove();
        }
        deferred
    }
}

impl Executor<'_> {
    /// A state about whose existence the solver did not decide within its work: asked about again
    /// later, or a failed leaf where it had all the work of a query.
    pub(super) fn defer_or_fail(&mut self, deferred: Deferred, span: Span) {
        if self.run.is_early(deferred.work) {
            // The query is not lost yet.
            self.run.oracle.n_failed -= 1;
            self.defer(deferred);
        } else {
            self.run.statistics.n_paths += 1;
            self.reasons.add(Reason::Undecided(span));
            self.open_loops.add(&deferred.state);
            let kind = NodeKind::Leaf(PathEnd::Undecided(span));
            // What it carries is not known to be passed.
            let mut state = deferred.state;
            state.goals = rpds::List::new();
            self.insert(state, deferred.origin, kind, &mut |_| Confirmation::Skipped);
        }
    }

    /// With more work the next time.
    pub(super) fn defer(&mut self, mut deferred: Deferred) {
        deferred.work = self.run.options.budget.queries.after(deferred.work);
        self.deferred.push(deferred);
    }

    /// Whether a state that was deferred comes next.
    pub(super) fn is_turn_of_deferred(&self) -> bool {
        let percent = self.run.options.budget.queries.deferred_percent;
        self.deferred.is_due(self.run.pool.work(), percent)
            || self.queue.len() == 0 && self.deferred.len() > 0
    }

    /// Asks again about a state that was deferred.
    pub(super) fn ask_again(
        &mut self,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
        progress: &mut dyn FnMut(&Statistics),
    ) -> ControlFlow<()> {
        let Some(deferred) = self.deferred.pop() else {
            return ControlFlow::Continue(());
        };
        self.begin_step(deferred.state.location, progress);
        let before = self.run.pool.work();
        let found = self.decide(deferred, confirm);
        self.deferred.spent += self.run.pool.work() - before;
        found
    }

    fn decide(
        &mut self,
        deferred: Deferred,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) -> ControlFlow<()> {
        let Deferred {
            state,
            open,
            origin,
            work,
        } = deferred;
        let (then, span) = match open {
            Open::Existence(then, span) => (then, span),
            Open::Step => {
                let course = self.run.classic_step(state, work);
                return self.go_on(course, origin, work, confirm);
            }
        };
        match self
            .run
            .oracle
            .satisfiable(&mut self.run.pool, &state.path_cond, work)
        {
            Admission::Infeasible => ControlFlow::Continue(()),
            Admission::Unknown => {
                let deferred = Deferred {
                    state,
                    open: Open::Existence(then, span),
                    origin,
                    work,
                };
                self.defer_or_fail(deferred, span);
                ControlFlow::Continue(())
            }
            Admission::Feasible => {
                let is_halfway = origin.folded.is_none();
                match then {
                    None if is_halfway => {
                        self.go_on_from_branching(state, origin, confirm);
                        ControlFlow::Continue(())
                    }
                    None => self.take(Outcome::Running(state), origin, confirm),
                    Some(end) => self.take(Outcome::Ended(state, end), origin, confirm),
                }
            }
        }
    }

    /// Queues a state that stands at a branching, where its edge is the only one that is left.
    fn go_on_from_branching(
        &mut self,
        mut state: State,
        mut origin: Origin,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) {
        self.carry_goals(&mut state, &mut origin.path, confirm);
        self.run.statistics.n_states += 1;
        self.run.pool.count_work(Work::STATE);
        let node = self.add_node(&state, &origin, NodeKind::Inner);
        let path = origin.path;
        self.wait(Waiting { state, node, path });
    }
}
