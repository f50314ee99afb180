//! Exact integers beside bit-vectors: two solvers on two threads.
//!
//! Bit-vector solvers compute with single bits, which is exact and often quick, but multiplication
//! and remainders of 32 bits can keep them busy for ever. The same question over the integers, with
//! `mod 2^w` wherever a value may wrap (`script`), is often simple for a solver of arithmetic.
//! What the link below does not decide within [`IntegerOptions::patience`] is asked both ways, the
//! integers on a second thread, and the first answer counts.
//!
//! # Invariants
//! - The translation is exact: both questions have the same answer. A model counts only when the
//!   evaluator has confirmed it.
//! - The second thread has ended when [`Solver::check`] returns.

mod script;

use std::rc::Rc;
use std::thread;
use std::time::{Duration, Instant};

use super::{
    Answer, Limits, LinkStatistics, Query, Solver, Statistics, UnknownReason, confirms, z3,
};
use crate::term::TermPool;
use script::Script;
use z3::Said;

/// Questions with more operators stay with bit-vectors.
const MAX_NODES: usize = 20_000;

/// Settings of the link.
#[derive(Clone, Debug)]
pub struct IntegerOptions {
    /// Time that bit-vectors have alone. Default: 1 s.
    pub patience: Duration,
}

impl Default for IntegerOptions {
    fn default() -> IntegerOptions {
        IntegerOptions {
            patience: Duration::from_secs(1),
        }
    }
}

/// See the module's head.
pub struct Integers {
    options: IntegerOptions,
    below: Box<dyn Solver>,
    statistics: LinkStatistics,
}

impl Integers {
    /// Asks `below` with bit-vectors.
    #[must_use]
    pub fn new(options: IntegerOptions, below: Box<dyn Solver>) -> Integers {
        Integers {
            options,
            below,
            statistics: LinkStatistics::new("integers"),
        }
    }

    fn answer(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        let has_binder = |c: &crate::term::TermId| pool.has_quantifier(*c) || pool.has_sum(*c);
        let left = query.limits.deadline.remaining();
        let is_short = left.is_some_and(|left| left <= self.options.patience);
        if is_short || query.conjuncts.iter().any(has_binder) {
            return self.below.check(pool, query);
        }
        let alone = query.limits.within(self.options.patience);
        let answer = self.below.check(
            pool,
            &Query {
                limits: &alone,
                ..*query
            },
        );
        let is_open = matches!(
            answer,
            Answer::Unknown(UnknownReason::Timeout | UnknownReason::GaveUp(_))
        );
        if !is_open || query.limits.exceeded() {
            return answer;
        }
        match Script::new(pool, query.conjuncts) {
            Ok(script) => self.both_ways(pool, query, &script),
            Err(_) => {
                self.statistics.event("not arithmetic");
                self.below.check(pool, query)
            }
        }
    }

    /// Asks both ways at once.
    fn both_ways(&mut self, pool: &mut TermPool, query: &Query<'_>, script: &Script) -> Answer {
        self.statistics.event("both ways");
        let limits = |interrupt| Limits {
            interrupt,
            ..query.limits.clone()
        };
        let here = limits(query.limits.interrupt.inner());
        let there = limits(query.limits.interrupt.inner());
        let (answer, said) = thread::scope(|scope| {
            let beside = thread::Builder::new()
                .name("integers".to_owned())
                .spawn_scoped(scope, || {
                    let said = z3::ask_script(&script.question, &script.values, &there);
                    if matches!(said, Ok(Said::Unsat | Said::Sat(_))) {
                        here.interrupt.raise();
                    }
                    said
                });
            let query = Query {
                limits: &here,
                ..*query
            };
            let answer = self.below.check(pool, &query);
            if !matches!(answer, Answer::Unknown(_)) {
                there.interrupt.raise();
            }
            // Without a second thread there is one way.
            let said = beside.ok().and_then(|beside| beside.join().ok());
            (answer, said)
        });
        match (&answer, said) {
            (Answer::Unknown(_), Some(Ok(Said::Unsat))) => {
                self.statistics.event("unsat by integers");
                Answer::Unsat(None)
            }
            (Answer::Unknown(_), Some(Ok(Said::Sat(printed)))) => {
                match script.assignment(&printed) {
                    Some(model) if confirms(pool, query.conjuncts, &model) => {
                        self.statistics.event("sat by integers");
                        Answer::Sat(Rc::new(model))
                    }
                    _ => {
                        self.statistics.event("model not confirmed");
                        self.below.check(pool, query)
                    }
                }
            }
            _ => answer,
        }
    }
}

impl Solver for Integers {
    fn check(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        let start = Instant::now();
        let answer = self.answer(pool, query);
        self.statistics.count(start, &answer);
        answer
    }

    fn statistics(&self, out: &mut Statistics) {
        out.push(self.statistics.clone());
        self.below.statistics(out);
    }
}

#[cfg(test)]
mod tests;
