//! Models with small numbers: a step of the link that asks a backend.
//!
//! Products of wide numbers are expensive for a bit-blasting solver, though small numbers often suffice for a
//! model: `i·i < j·j ∧ j ≤ i` has 0 and −1. Each symbol x becomes sext(x′) with a new symbol x′ of few bits,
//! so that most bits of the products coincide.
//!
//! # Invariants
//! - A model assigns the symbols of the original query. The absence of a model with small numbers proves nothing.

use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use super::backend::symbols;
use term::{Assignment, CastOp, Sort, SymbolId, TermId, TermPool};

/// The small symbols made so far: the same ones for the same number of bits.
#[derive(Default)]
pub(super) struct SmallSymbols(FxHashMap<(SymbolId, u32), SymbolId>);

/// A query with small symbols.
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
            // A small symbol would not be known as a multiple, nor to lie within a range.
            if width <= bits || pool.is_restricted(symbol) {
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
    /// The model of the query, by one with small symbols.
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
