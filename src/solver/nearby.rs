//! Path counters from a nearby model (model reuse): a step of the links that eliminate binders.
//!
//! A path's query is often its previous query with one more conjunct. A model of the previous query fixes the
//! number of iterations of each loop; often the new conjunct can be satisfied with the same numbers and other
//! inputs. With these numbers quantifiers and sums are expanded, and the rest is ground.
//!
//! ```text
//! conjuncts, a model nearby --limits as in the model, written out--> Sat, or nothing
//! ```
//!
//! Any assignment can serve as the nearby model: it is only a hint.
//!
//! # Invariants
//! - `Sat` only when the exact evaluator confirmed the model on the query's own conjuncts.
//! - The absence of a model with these numbers proves nothing, unless no number was taken.

use super::expand::{Expansion, Which, expand};
use super::{Answer, Query, Solver, confirms};
use term::{TermId, TermPool};

/// Instances that one query may have.
const MAX_INSTANCES: u64 = 256;
/// Share of the remaining work, in percent.
const PERCENT: u32 = 25;

/// The result of the numbers of iterations of the nearby model.
pub(super) struct Nearby {
    pub(super) event: &'static str,
    pub(super) answer: Option<Answer>,
}

/// Asks the link itself with the numbers of iterations of the model nearby, if there is one.
/// Binders about which that says nothing stay.
pub(super) fn with_iterations_nearby(
    pool: &mut TermPool,
    link: &mut dyn Solver,
    query: &Query<'_>,
) -> Option<Nearby> {
    let found = |event, answer| Some(Nearby { event, answer });
    let Some(Expansion { conjuncts, limits }) = expand(
        pool,
        query.conjuncts,
        Which::All,
        query.near?,
        MAX_INSTANCES,
    ) else {
        return found("nearby: too many iterations", None);
    };
    let limited = query.limits.within_share(pool, PERCENT);
    let answer = if conjuncts.contains(&TermId::FALSE) {
        Answer::Unsat(None)
    } else {
        link.check(pool, &Query::new(&conjuncts, &limited))
    };
    match answer {
        Answer::Sat(model) if confirms(pool, query.conjuncts, &model) => {
            found("nearby: the same iterations", Some(Answer::Sat(model)))
        }
        Answer::Unsat(_) if limits.is_empty() => {
            found("nearby: written out", Some(Answer::Unsat(None)))
        }
        Answer::Unsat(_) => found("nearby: other iterations", None),
        Answer::Sat(_) | Answer::Unknown(_) => found("nearby: open", None),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::with_iterations_nearby;
    use crate::random_terms::{Generator, brute_force};
    use crate::{Answer, Limits, Query, SolverOptions, confirms};
    use term::{ArrayValue, Assignment, Bv, SymbolId, TermId, TermPool, Work};

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
            let symbols: Vec<SymbolId> = generator.symbols();
            let expected = brute_force(&pool, &symbols, &conjuncts).is_some();
            let limits = Limits::default().within_work(&pool, Work::seconds(2));
            let query = Query {
                near: Some(&near),
                ..Query::new(&conjuncts, &limits)
            };
            let mut chain = SolverOptions::default().build();
            let Some(nearby) = with_iterations_nearby(&mut pool, &mut *chain, &query) else {
                panic!("there is always something nearby");
            };
            events.insert(nearby.event);
            match nearby.answer {
                Some(Answer::Sat(model)) => {
                    assert!(expected, "seed {seed} is unsatisfiable");
                    assert!(confirms(&pool, &conjuncts, &model), "seed {seed}");
                }
                Some(Answer::Unsat(_)) => assert!(!expected, "seed {seed} is satisfiable"),
                Some(Answer::Unknown(_)) | None => {}
            }
        }
        for event in ["the same iterations", "other iterations", "written out"] {
            let event = format!("nearby: {event}");
            assert!(events.contains(event.as_str()), "{event}: {events:?}");
        }
    }
}
