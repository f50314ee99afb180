//! Integer arithmetic in addition to bit-vectors: two exact encodings that alternate.
//!
//! Bit-blasting is exact and often quick, but multiplications and remainders of 32 bits can take practically
//! forever. The same query over the integers, with `mod 2^w` wherever a value may wrap (`script`), is often
//! simple for an arithmetic solver. Queries that the link below does not decide within
//! [`IntegerPolicy::early`] are tried over the integers for the same amount of work. Queries that
//! bit-vectors then do not decide within [`IntegerPolicy::patience`] are tried both ways, in turns of
//! growing work, and the first answer counts. Queries with products of unknown numbers are tried both ways
//! even with less work.
//!
//! # Invariants
//! - The translation is exact: both queries have the same answer. A model counts only if the evaluator has
//!   confirmed it.
//! - The choice of the encoding that answers depends on the query and the work alone.

mod script;

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::backend::{Said, ask_script};
use super::{Answer, LinkStatistics, Query, Solver, UnknownReason, confirms};
use script::Script;
use term::{TermPool, Work};

/// Queries with more operators stay with bit-vectors.
const MAX_NODES: usize = 20_000;

/// Settings of the link.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct IntegerPolicy {
    /// Work of a first try over the integers, behind as much with bit-vectors. Default: 50 ms.
    pub early: Work,
    /// Work that bit-vectors have before both ways take turns. Default: 1 s.
    pub patience: Work,
    /// Work of the first turns, of integers and then of bit-vectors. Default: 2 s.
    pub turn: Work,
    /// Each pair of turns is so many times longer than the one before. Default: 4.
    pub growth: u64,
}

impl Default for IntegerPolicy {
    fn default() -> IntegerPolicy {
        IntegerPolicy {
            early: Work::millis(50),
            patience: Work::seconds(1),
            turn: Work::seconds(2),
            growth: 4,
        }
    }
}

impl IntegerPolicy {
    /// With so many hundredths of the work.
    fn within(&self, percent: u32) -> IntegerPolicy {
        IntegerPolicy {
            early: self.early.percent(percent),
            patience: self.patience.percent(percent),
            turn: self.turn.percent(percent),
            growth: self.growth,
        }
    }

    /// With as much work for either way where there is no more than this.
    fn fitting(&self, left: Work) -> IntegerPolicy {
        IntegerPolicy {
            early: self.early.min(left.percent(20)),
            patience: left.percent(20),
            turn: left.percent(40),
            growth: self.growth,
        }
    }

    /// Work of bit-vectors, and then of integers, in turn.
    fn turns(&self) -> impl Iterator<Item = (Work, Work)> + use<> {
        let growth = self.growth;
        let turns = std::iter::successors(Some(self.turn), move |turn| Some(*turn * growth));
        let later = turns.take_while(|turn| *turn <= MAX_TURN);
        let later = later.map(move |turn| (turn, turn * growth));
        [(self.early, self.early), (self.patience, self.turn)]
            .into_iter()
            .chain(later)
    }
}

/// No turn follows one that was longer.
const MAX_TURN: Work = Work::seconds(24 * 3600);

/// See the module's head.
pub struct Integers {
    options: IntegerPolicy,
    products_percent: u32,
    below: Box<dyn Solver>,
    statistics: LinkStatistics,
}

impl Integers {
    /// Asks `below` with bit-vectors. Queries with products of unknown numbers get so many hundredths of their work.
    #[must_use]
    pub fn new(options: IntegerPolicy, products_percent: u32, below: Box<dyn Solver>) -> Integers {
        Integers {
            options,
            products_percent,
            below,
            statistics: LinkStatistics::new("integers"),
        }
    }

    fn answer(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        let has_binder = |c: &term::TermId| pool.has_quantifier(*c) || pool.has_sum(*c);
        if query.conjuncts.iter().any(has_binder) {
            return self.below.check(pool, query);
        }
        if query.conjuncts.iter().any(|c| pool.has_product(*c)) {
            let percent = self.products_percent;
            let limits = query.limits.within_share(pool, percent);
            let query = Query {
                limits: &limits,
                ..*query
            };
            return self.both_ways(pool, &query, &self.options.within(percent));
        }
        self.both_ways(pool, query, &self.options.clone())
    }

    /// Answers a query without binders, both ways where there is work for it.
    fn both_ways(
        &mut self,
        pool: &mut TermPool,
        query: &Query<'_>,
        options: &IntegerPolicy,
    ) -> Answer {
        let left = query.limits.work_left(pool);
        let has_products = query.conjuncts.iter().any(|c| pool.has_product(*c));
        let options = match left.filter(|left| *left <= options.patience) {
            Some(left) if !has_products || left < options.early * 2 => {
                return self.below.check(pool, query);
            }
            Some(left) => &options.fitting(left),
            None => options,
        };
        let mut script = None;
        for (bits, integers) in options.turns() {
            let answer = self.bits(pool, query, bits);
            if !is_open(&answer) || query.limits.reached(pool).is_some() {
                return answer;
            }
            let script = script.get_or_insert_with(|| Script::new(pool, query.conjuncts));
            let Ok(script) = script else {
                self.statistics.event("not arithmetic");
                break;
            };
            match self.integers(pool, query, script, integers) {
                ByIntegers::Answer(answer) => return answer,
                ByIntegers::GaveUp => break,
                ByIntegers::Open => {}
            }
            if let Some(reason) = query.limits.reached(pool) {
                return Answer::Unknown(reason);
            }
        }
        self.below.check(pool, query)
    }

    /// Asks over the integers, within this work.
    fn integers(
        &mut self,
        pool: &mut TermPool,
        query: &Query<'_>,
        script: &Script,
        work: Work,
    ) -> ByIntegers {
        let has_products = query.conjuncts.iter().any(|c| pool.has_product(*c));
        let text = (script.question.as_str(), script.values.as_str());
        let limits = query.limits.within_work(pool, work);
        match ask_script(pool, text, has_products, &limits) {
            Ok(Said::Unsat) => {
                self.statistics.event("unsat by integers");
                ByIntegers::Answer(Answer::Unsat(None))
            }
            Ok(Said::Sat(printed)) => match script.assignment(&printed) {
                Some(model) if confirms(pool, query.conjuncts, &model) => {
                    self.statistics.event("sat by integers");
                    ByIntegers::Answer(Answer::Sat(Rc::new(model)))
                }
                _ => {
                    self.statistics.event("model not confirmed");
                    ByIntegers::GaveUp
                }
            },
            Ok(Said::Limit) => ByIntegers::Open,
            Ok(Said::Unknown) | Err(_) => {
                self.statistics.event("integers gave up");
                ByIntegers::GaveUp
            }
        }
    }

    /// Asks with bit-vectors, within this work.
    fn bits(&mut self, pool: &mut TermPool, query: &Query<'_>, work: Work) -> Answer {
        let limits = query.limits.within_work(pool, work);
        let query = Query {
            limits: &limits,
            ..*query
        };
        self.below.check(pool, &query)
    }
}

/// The result of a turn over the integers.
enum ByIntegers {
    Answer(Answer),
    /// Its work was not enough.
    Open,
    /// More work will not help.
    GaveUp,
}

/// Whether more work may give another answer.
fn is_open(answer: &Answer) -> bool {
    matches!(
        answer,
        Answer::Unknown(UnknownReason::Work | UnknownReason::GaveUp(_))
    )
}

counted_link!(Integers);

#[cfg(test)]
mod tests;
