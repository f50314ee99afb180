//! Path counters as in a model nearby: a step of the links that remove binders.
//!
//! The question that a path asks is one that it asked before, with a conjunct more. A model of the
//! earlier one says how often each loop goes around; often the new conjunct can be satisfied with
//! the same numbers and other inputs. With these numbers quantifiers and sums can be written out,
//! and what is left is ground.
//!
//! ```text
//! conjuncts, a model nearby --limits as in the model, written out--> Sat, or nothing
//! ```
//!
//! Any assignment may be nearby: it is a hint.
//!
//! # Invariants
//! - `Sat` only when the exact evaluator confirmed the model on the question's own conjuncts.
//! - That there is no model with these numbers means nothing, unless none was taken.

use super::expand::{Expansion, Which, expand};
use super::{Answer, LinkStatistics, Query, Solver, confirms};
use crate::term::{TermId, TermPool};

/// Instances that one question may have.
const MAX_INSTANCES: u64 = 256;
/// Share of the remaining time, in percent.
const PERCENT: u32 = 25;

/// The answer with the numbers of rounds of the model nearby, where there is one and that says
/// something; by the link below.
pub(super) fn with_rounds_nearby(
    pool: &mut TermPool,
    below: &mut dyn Solver,
    query: &Query<'_>,
    statistics: &mut LinkStatistics,
) -> Option<Answer> {
    let Some(Expansion { conjuncts, limits }) = expand(
        pool,
        query.conjuncts,
        Which::All,
        query.near?,
        MAX_INSTANCES,
    ) else {
        statistics.event("nearby: too many rounds");
        return None;
    };
    let time = match query.limits.deadline.remaining() {
        Some(left) => query.limits.within(left * PERCENT / 100),
        None => query.limits.clone(),
    };
    let answer = if conjuncts.contains(&TermId::FALSE) {
        Answer::Unsat(None)
    } else {
        below.check(pool, &Query::new(&conjuncts, &time))
    };
    let (event, answer) = match answer {
        Answer::Sat(model) if confirms(pool, query.conjuncts, &model) => {
            ("nearby: the same rounds", Some(Answer::Sat(model)))
        }
        Answer::Unsat(_) if limits.is_empty() => ("nearby: written out", Some(Answer::Unsat(None))),
        Answer::Unsat(_) => ("nearby: other rounds", None),
        Answer::Sat(_) | Answer::Unknown(_) => ("nearby: open", None),
    };
    statistics.event(event);
    answer
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::time::Duration;

    use super::with_rounds_nearby;
    use crate::solver::random_terms::{Generator, brute_force};
    use crate::solver::{Answer, Config, Limits, LinkStatistics, Query, confirms};
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
            let mut below = Config::default().build();
            let mut statistics = LinkStatistics::new("");
            match with_rounds_nearby(&mut pool, &mut *below, &query, &mut statistics) {
                Some(Answer::Sat(model)) => {
                    assert!(expected, "seed {seed} is unsatisfiable");
                    assert!(confirms(&pool, &conjuncts, &model), "seed {seed}");
                }
                Some(Answer::Unsat(_)) => assert!(!expected, "seed {seed} is satisfiable"),
                Some(Answer::Unknown(_)) | None => {}
            }
            events.extend(statistics.events.iter().map(|(name, _)| name.clone()));
        }
        for event in ["the same rounds", "other rounds", "written out"] {
            let event = &format!("nearby: {event}");
            assert!(events.contains(event), "{event}: {events:?}");
        }
    }
}
