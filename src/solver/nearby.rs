//! Path counters as in a model nearby.
//!
//! The question that a path asks is one that it asked before, with a conjunct more. A model of the
//! earlier one says how often each loop goes around; often the new conjunct can be satisfied with
//! the same numbers and other inputs. With these numbers quantifiers and sums can be written out,
//! and what is left is ground.
//!
//! ```text
//! conjuncts, a model nearby --limits as in the model, written out--> Sat, or the link below
//! ```
//!
//! Questions without binders, and those with no model nearby, pass through.
//!
//! # Invariants
//! - `Sat` only when the exact evaluator confirmed the model on the question's own conjuncts.
//! - That there is no model with these numbers means nothing, unless none was taken.

use std::time::Instant;

use super::expand::{Expansion, Which, expand};
use super::{Answer, LinkStatistics, Query, Solver, Statistics, confirms};
use crate::term::{TermId, TermPool};

/// Settings of the link.
#[derive(Clone, Debug)]
pub struct NearbyOptions {
    /// Instances that one question may have. Default: 1,024.
    pub max_instances: u64,
    /// Share of the remaining time, in percent. Default: 25.
    pub percent: u32,
}

impl Default for NearbyOptions {
    fn default() -> NearbyOptions {
        NearbyOptions {
            max_instances: 1024,
            percent: 25,
        }
    }
}

/// See the module's head.
pub struct Nearby {
    options: NearbyOptions,
    below: Box<dyn Solver>,
    statistics: LinkStatistics,
}

impl Nearby {
    /// Asks `below` ground questions first, where there is a model nearby.
    #[must_use]
    pub fn new(options: NearbyOptions, below: Box<dyn Solver>) -> Nearby {
        Nearby {
            options,
            below,
            statistics: LinkStatistics::new("nearby"),
        }
    }

    /// The answer with the numbers of rounds of the model nearby, where that says something.
    fn answer(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Option<Answer> {
        let near = query.near?;
        let has_binder = |c: &_| pool.has_quantifier(*c) || pool.has_sum(*c);
        if !query.conjuncts.iter().any(has_binder) {
            return None;
        }
        let most = self.options.max_instances;
        let Some(Expansion { conjuncts, limits }) =
            expand(pool, query.conjuncts, Which::All, near, most)
        else {
            self.statistics.event("too large");
            return None;
        };
        let time = match query.limits.deadline.remaining() {
            Some(left) => query.limits.within(left * self.options.percent / 100),
            None => query.limits.clone(),
        };
        let answer = if conjuncts.contains(&TermId::FALSE) {
            Answer::Unsat(None)
        } else {
            self.below.check(pool, &Query::new(&conjuncts, &time))
        };
        let (event, answer) = match answer {
            Answer::Sat(model) if confirms(pool, query.conjuncts, &model) => {
                ("the same rounds", Some(Answer::Sat(model)))
            }
            Answer::Unsat(_) if limits.is_empty() => ("written out", Some(Answer::Unsat(None))),
            Answer::Unsat(_) => ("other rounds", None),
            Answer::Sat(_) | Answer::Unknown(_) => ("open", None),
        };
        self.statistics.event(event);
        answer
    }
}

impl Solver for Nearby {
    fn check(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        let start = Instant::now();
        let answer = match self.answer(pool, query) {
            Some(answer) => answer,
            None => self.below.check(pool, query),
        };
        self.statistics.count(start, &answer);
        answer
    }

    fn statistics(&self, out: &mut Statistics) {
        out.push(self.statistics.clone());
        self.below.statistics(out);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::time::Duration;

    use super::{Nearby, NearbyOptions};
    use crate::solver::random_terms::{Generator, brute_force};
    use crate::solver::{Answer, Config, Limits, Link, Query, Solver, Statistics, confirms};
    use crate::term::{ArrayValue, Assignment, Bv, SymbolId, TermId, TermPool};

    /// Any assignment may be given as the model nearby, since it is a hint only.
    fn any(generator: &mut Generator) -> Assignment {
        let mut near = Assignment::new();
        let rng = &mut generator.rng;
        let mut value = || Bv::new(2, rng.u64(0..4));
        for word in generator.words.clone() {
            near.set(word, value());
        }
        for array in generator.arrays.clone() {
            let mut cells = ArrayValue::constant(value());
            cells.entries.insert(value(), value());
            near.set_array(array, cells);
        }
        near
    }

    #[test]
    fn agrees_with_brute_force_whatever_is_nearby() {
        let mut events = BTreeSet::new();
        for seed in 0..300 {
            let mut pool = TermPool::new();
            let mut generator = Generator::new(&mut pool, seed, 2, 2, usize::from(seed % 3 == 0));
            generator.quantifiers = true;
            generator.sums = seed % 2 == 0;
            let n = generator.rng.usize(1..=3);
            let conjuncts: Vec<TermId> = (0..n).map(|_| generator.truth(&mut pool, 4)).collect();
            let near = any(&mut generator);
            let symbols: Vec<SymbolId> = generator
                .words
                .iter()
                .chain(&generator.arrays)
                .copied()
                .collect();
            let expected = brute_force(&pool, &symbols, &conjuncts).is_some();
            let limits = Limits::default().within(Duration::from_secs(2));
            let query = Query {
                near: Some(&near),
                ..Query::new(&conjuncts, &limits)
            };
            let below = Config {
                without: [Link::Nearby].into(),
                ..Config::default()
            };
            let mut nearby = Nearby::new(NearbyOptions::default(), below.build());
            match nearby.check(&mut pool, &query) {
                Answer::Sat(model) => {
                    assert!(expected, "seed {seed} is unsatisfiable");
                    assert!(confirms(&pool, &conjuncts, &model), "seed {seed}");
                }
                Answer::Unsat(_) => assert!(!expected, "seed {seed} is satisfiable"),
                Answer::Unknown(_) => {}
            }
            let mut statistics = Statistics::default();
            nearby.statistics(&mut statistics);
            let own = statistics.first().expect("the link counts");
            events.extend(own.events.iter().map(|(name, _)| name.clone()));
        }
        for event in ["the same rounds", "other rounds", "written out"] {
            assert!(events.contains(event), "{event}: {events:?}");
        }
    }
}
