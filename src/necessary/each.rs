//! Unknowns of one iteration as functions of the iteration.
//!
//! An ∃ below a ∀τ becomes an array indexed by τ above it: ∀τ<κ ∃x. γ becomes ∃X ∀τ<κ. γ\[x/X(τ)\]. That is
//! an equivalence, and leaves the solver with one kind of quantifier. Arrays from an inner loop are indexed
//! by both iterations.

use indexmap::IndexMap;
use term::{Sort, Substitution, SymbolId, TermId, TermPool};

/// The unknowns of an iteration along one backbone, each with the array that holds it for every
/// iteration.
#[derive(Clone, Default, Debug)]
pub(super) struct Each {
    pub arrays: IndexMap<SymbolId, SymbolId>,
}

impl Each {
    /// Arrays for these unknowns, indexed by iterations that are so many bits wide.
    pub fn of(
        pool: &mut TermPool,
        unknowns: impl IntoIterator<Item = SymbolId>,
        bits: u32,
    ) -> Each {
        let arrays = unknowns.into_iter().map(|unknown| {
            let sort = match pool.symbol_sort(unknown) {
                Sort::Bv(value) => Sort::Array { index: bits, value },
                Sort::Array { index, value } => Sort::Array {
                    index: bits + index,
                    value,
                },
            };
            let name = pool.given_name(unknown).to_owned();
            (unknown, pool.symbol(&name, sort))
        });
        Each {
            arrays: arrays.collect(),
        }
    }
}

/// θ⟨·⟩ in one iteration: entry symbols are replaced by their values there, unknowns by the
/// elements of their arrays.
pub(super) struct AtIteration<'a> {
    pub values: IndexMap<SymbolId, TermId>,
    pub each: &'a Each,
    /// The iteration along the backbone.
    pub iteration: TermId,
}

impl Substitution for AtIteration<'_> {
    fn symbol(&mut self, pool: &mut TermPool, symbol: SymbolId) -> Option<TermId> {
        if let Some(value) = self.values.get(&symbol) {
            return Some(*value);
        }
        let array = *self.each.arrays.get(&symbol)?;
        if let Sort::Array { .. } = pool.symbol_sort(symbol) {
            // It is only read.
            return None;
        }
        let array = pool.symbol_term(array);
        Some(pool.select(array, self.iteration))
    }

    fn select(&mut self, pool: &mut TermPool, array: SymbolId, index: TermId) -> Option<TermId> {
        let lifted = *self.each.arrays.get(&array)?;
        let lifted = pool.symbol_term(lifted);
        let index = pool.concat(self.iteration, index);
        Some(pool.select(lifted, index))
    }
}
