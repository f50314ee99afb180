//! Models with small numbers: a step of the link that asks a backend.
//!
//! Products of wide numbers keep a solver busy that computes with single bits, though a model often has small
//! numbers only: `i·i < j·j ∧ j ≤ i` has 0 and −1. Each symbol x becomes sext(x′) with a new symbol x′ of few
//! bits, so that most bits of the products are the same one.
//!
//! # Invariants
//! - A model is of the question's own symbols. That there is none with small numbers means nothing.

use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use super::backend::symbols;
use crate::term::{Assignment, CastOp, Sort, SymbolId, TermId, TermPool};

/// The small symbols made so far: the same ones for the same number of bits.
#[derive(Default)]
pub(super) struct SmallSymbols(FxHashMap<(SymbolId, u32), SymbolId>);

/// A question with small symbols.
pub(super) struct Small {
    pub conjuncts: Vec<TermId>,
    /// The width of each symbol that was replaced, and what replaced it.
    replaced: Vec<(SymbolId, u32, SymbolId)>,
}

impl SmallSymbols {
    /// The conjuncts with numbers of so many bits, as signed numbers; `None` where no symbol has more.
    pub fn narrowed(
        &mut self,
        pool: &mut TermPool,
        conjuncts: &[TermId],
        bits: u32,
    ) -> Option<Small> {
        let mut theta = IndexMap::new();
        let mut replaced = Vec::new();
        for symbol in symbols(pool, conjuncts) {
            let Sort::Bv(width) = pool.symbol_sort(symbol) else {
                continue;
            };
            // A small symbol would not be known as a multiple.
            if width <= bits || pool.symbol_divisor(symbol) > 1 {
                continue;
            }
            let name = pool.symbol_name(symbol).to_owned();
            let small = self.0.entry((symbol, bits));
            let small = *small.or_insert_with(|| pool.symbol(&name, Sort::Bv(bits)));
            let term = pool.symbol_term(small);
            theta.insert(symbol, pool.cast(CastOp::SExt, width, term));
            replaced.push((symbol, width, small));
        }
        if replaced.is_empty() {
            return None;
        }
        let conjuncts = conjuncts.iter();
        let conjuncts = conjuncts.map(|conjunct| pool.substitute(*conjunct, &mut theta));
        Some(Small {
            conjuncts: conjuncts.collect(),
            replaced,
        })
    }
}

impl Small {
    /// The model of the question, by one with small symbols.
    pub fn model(&self, mut small: Assignment) -> Assignment {
        for (symbol, width, replacement) in &self.replaced {
            if let Some(value) = small.bits(*replacement) {
                let value = value.cast(CastOp::SExt, *width);
                small.set(*symbol, value);
            }
        }
        small
    }
}

#[cfg(test)]
mod tests {
    use crate::solver::random_terms::{Generator, brute_force};
    use crate::solver::z3::{Z3Options, link};
    use crate::solver::{Answer, Limits, Query, Solver, Statistics, confirms};
    use crate::term::{BinOp, CastOp, CmpOp, Sort, TermId, TermPool, Work};

    fn n_events(solver: &dyn Solver) -> u64 {
        let mut all = Statistics::new();
        solver.statistics(&mut all);
        let events = all.iter().flat_map(|link| link.events.iter());
        let small = events.filter(|(event, _)| event.as_str() == "small numbers");
        small.map(|(_, n)| n).sum()
    }

    #[test]
    fn agrees_with_brute_force_whatever_is_small() {
        let mut n_small = 0;
        for seed in 0..200 {
            let mut pool = TermPool::new();
            let mut generator = Generator::new(&mut pool, seed, 6, 2, 0);
            let n = generator.rng.usize(1..=3);
            let conjuncts: Vec<TermId> = (0..n).map(|_| generator.truth(&mut pool, 4)).collect();
            let expected = brute_force(&pool, &generator.symbols(), &conjuncts).is_some();
            let mut solver = link(Z3Options {
                incremental: Work::ZERO,
                ..Z3Options::default()
            });
            match solver.check(&mut pool, &Query::new(&conjuncts, &Limits::default())) {
                Answer::Sat(model) => {
                    assert!(expected, "seed {seed} is unsatisfiable");
                    assert!(confirms(&pool, &conjuncts, &model), "seed {seed}");
                }
                Answer::Unsat(_) => assert!(!expected, "seed {seed} is satisfiable"),
                Answer::Unknown(reason) => panic!("seed {seed}: {reason:?}"),
            }
            n_small += n_events(&solver);
        }
        assert!(n_small > 20, "{n_small}");
    }

    /// i·i < j·j and j < i, where neither square overflows.
    #[test]
    fn squares_that_do_not_overflow_are_compared_soon() {
        let mut pool = TermPool::new();
        let [i, j] = ["i", "j"].map(|name| pool.fresh(name, Sort::Bv(32)));
        let mut conjuncts = Vec::new();
        let mut squares = Vec::new();
        for number in [i, j] {
            let wide = pool.cast(CastOp::SExt, 64, number);
            let exact = pool.binary(BinOp::Mul, wide, wide);
            let square = pool.cast(CastOp::Trunc, 32, exact);
            let wrapped = pool.cast(CastOp::SExt, 64, square);
            conjuncts.push(pool.eq(wrapped, exact));
            squares.push(square);
        }
        conjuncts.push(pool.compare(CmpOp::Slt, squares[0], squares[1]));
        conjuncts.push(pool.compare(CmpOp::Slt, j, i));
        let mut solver = link(Z3Options::default());
        let limits = Limits::default().within_work(&pool, Work::seconds(1));
        let answer = solver.check(&mut pool, &Query::new(&conjuncts, &limits));
        assert!(answer.is_sat(), "{answer:?}");
        assert_eq!(n_events(&solver), 1);
    }
}
