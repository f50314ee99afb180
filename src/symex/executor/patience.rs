//! Questions that stay open at first.
//!
//! A state is put off where the solver has not decided within the time of a first query whether it
//! exists, or where its step leads. It is asked about again with four times as much time, up to that
//! of a query: at once when no other state waits, and otherwise as long as such questions have taken
//! less than their share of the time. So one hard query does not hold up the rest, and the rest does
//! not hold up a query that needs a little longer.
//!
//! A question that the end of the run cut short is put off too: no time limit of a query decided
//! about it, so that it is not lost, its state is left waiting.

use super::{Executor, Origin, Stepped};
use crate::flowgraph::Span;
use crate::semantics::{Admission, Outcome, PathEnd, State};
use crate::symex::tree::NodeKind;
use crate::symex::verdict::Reason;
use crate::symex::witness::{Confirmation, Witness};
use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

/// Asking again has one part in so many of the time, while other states wait.
const SHARE: u32 = 3;

/// A state about which the solver has not decided yet.
pub(super) struct PutOff {
    pub(super) state: State,
    pub(super) open: Open,
    pub(super) origin: Origin,
    /// Solver time for the next question.
    pub(super) time: Duration,
}

/// What the solver has not decided about a state.
pub(super) enum Open {
    /// Whether it exists, and how the path ends then; `None` where it goes on. The question came
    /// up at the span.
    Existence(Option<PathEnd>, Span),
    /// Where its next step leads.
    Step,
}

/// States that were put off.
pub(super) struct PutOffQueue {
    /// By the solver time for their next question, the first put off first.
    levels: BTreeMap<Duration, VecDeque<PutOff>>,
    started: Instant,
    /// Time that asking again took.
    spent: Duration,
}

impl PutOffQueue {
    pub(super) fn new() -> PutOffQueue {
        PutOffQueue {
            levels: BTreeMap::new(),
            started: Instant::now(),
            spent: Duration::ZERO,
        }
    }

    /// Whether one of them comes next, although other states wait.
    fn has_time(&self) -> bool {
        !self.levels.is_empty() && self.spent * SHARE < self.started.elapsed()
    }

    pub(super) fn len(&self) -> usize {
        self.levels.values().map(VecDeque::len).sum()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &PutOff> {
        self.levels.values().flatten()
    }

    fn push(&mut self, put_off: PutOff) {
        let level = self.levels.entry(put_off.time).or_default();
        level.push_back(put_off);
    }

    /// One with the least time for its next question.
    fn pop(&mut self) -> Option<PutOff> {
        let mut level = self.levels.first_entry()?;
        let put_off = level.get_mut().pop_front();
        if level.get().is_empty() {
            level.remove();
        }
        put_off
    }
}

/// Whether a path ends only because the solver did not decide.
fn is_left_open(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Ended(_, PathEnd::Undecided(_)))
}

/// The next time to try.
fn longer(time: Duration, most: Duration) -> Duration {
    (time * 4).min(most)
}

fn is_undecided(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Undecided { .. })
}

impl Executor<'_> {
    /// Solver time for a question about a template, which is computed once for all states.
    pub(super) fn time_for_templates(&self) -> Duration {
        longer(
            self.options.budget.first_query_time(),
            self.options.budget.query_time,
        )
    }

    /// A classic step, with so much solver time for each question. One that stays open in the
    /// middle of an edge ends the path, unless it has not had all the time of a query.
    pub(super) fn step(&mut self, state: State, time: Duration) -> Stepped {
        // A clone shares its registers, which the step has to copy then.
        let before = self.machine.may_ask_midway(&state).then(|| state.clone());
        let n_failed = self.oracle.n_failed;
        let successors = self.oracle.with_time(time, |oracle| {
            self.machine.step(&mut self.pool, oracle, state)
        });
        let n_open = successors.iter().filter(|o| is_left_open(o)).count();
        let n_undecided = successors.iter().filter(|o| is_undecided(o)).count();
        // A question on which no path hangs is not lost: the other branches answered it.
        self.oracle.n_failed = n_failed + (n_open + n_undecided) as u64;
        match before {
            Some(state) if n_open > 0 && self.is_early(time) => {
                self.oracle.n_failed = n_failed;
                Stepped::Open(Box::new(state))
            }
            _ => Stepped::Done(successors, None),
        }
    }

    /// Whether a question that has had this time may stay open because it had too little.
    fn is_early(&self, time: Duration) -> bool {
        time < self.options.budget.query_time || self.oracle.limits.exceeded()
    }

    /// A state about whose existence the solver did not decide within a time: asked about again
    /// later, or a failed leaf where it had all the time of a query.
    pub(super) fn put_off_or_fail(&mut self, put_off: PutOff, span: Span) {
        if self.is_early(put_off.time) {
            // The query is not lost yet.
            self.oracle.n_failed -= 1;
            self.put_off(put_off);
        } else {
            self.statistics.n_paths += 1;
            self.reasons.add(Reason::Undecided(span));
            self.open_loops.add(&put_off.state);
            let kind = NodeKind::Leaf(PathEnd::Undecided(span));
            self.insert(put_off.state, put_off.origin, kind);
        }
    }

    /// With more time the next time.
    pub(super) fn put_off(&mut self, mut put_off: PutOff) {
        put_off.time = longer(put_off.time, self.options.budget.query_time);
        self.put_off.push(put_off);
    }

    /// Whether a state that was put off comes next.
    pub(super) fn is_turn_of_put_off(&self) -> bool {
        self.put_off.has_time() || self.queue.len() == 0 && self.put_off.len() > 0
    }

    /// Asks again about a state that was put off.
    pub(super) fn ask_again(
        &mut self,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) -> Option<Witness> {
        let put_off = self.put_off.pop()?;
        let started = Instant::now();
        let found = self.decide(put_off, confirm);
        self.put_off.spent += started.elapsed();
        found
    }

    fn decide(
        &mut self,
        put_off: PutOff,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) -> Option<Witness> {
        let PutOff {
            state,
            open,
            origin,
            time,
        } = put_off;
        let (then, span) = match open {
            Open::Existence(then, span) => (then, span),
            Open::Step => {
                return match self.step(state, time) {
                    Stepped::Done(successors, _) => self.take_all(successors, &origin, confirm),
                    Stepped::Open(state) => {
                        self.put_off(PutOff {
                            state: *state,
                            open,
                            origin,
                            time,
                        });
                        None
                    }
                };
            }
        };
        match self
            .oracle
            .satisfiable(&mut self.pool, &state.path_cond, time)
        {
            Admission::Infeasible => None,
            Admission::Unknown => {
                let put_off = PutOff {
                    state,
                    open: Open::Existence(then, span),
                    origin,
                    time,
                };
                self.put_off_or_fail(put_off, span);
                None
            }
            Admission::Feasible => {
                let outcome = match then {
                    None => Outcome::Running(state),
                    Some(end) => Outcome::Ended(state, end),
                };
                self.take(outcome, origin, confirm)
            }
        }
    }
}
