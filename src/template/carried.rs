//! Loop-carried memory: reads of cells that the previous iteration has written.
//!
//! ```text
//! a[i] = a[i − 1] + d:   c = a[i − 1] before the first iteration, c' = c + d, a[i] = c + d
//! ```
//!
//! The only store of an iteration writes at o(κ), and its value depends on a read at r(κ) with r(κ + 1) =
//! o(κ): each iteration but the first reads the value that the previous one has just written. So the value is
//! carried from iteration to iteration like a variable, and has a closed form under the same conditions.
//!
//! # Source
//! An extension of our own: Algorithm 1 has no rule for written arrays.

use super::comprehension::reads_of;
use super::progression::Progressions;
use indexmap::IndexMap;
use term::{Sort, Substitution, SymbolId, TermId, TermPool};

/// A value that iterations hand on through an array.
pub(super) struct Carried {
    /// What an iteration reads: a variable of the progressions until [`Carried::settle`].
    symbol: SymbolId,
    /// What the iteration writes, over that variable.
    pub value: TermId,
    /// Where the first iteration reads.
    first: TermId,
}

impl Carried {
    /// Of a store of `value`, over entry symbols and reads of the entry content `array`, at `offset` in
    /// iteration κ; `None` where it reads no such cell, or the variable has no closed form. A cell that all
    /// iterations write is a variable already, with closed forms that are simpler.
    pub fn of(
        pool: &mut TermPool,
        progressions: &mut Progressions,
        array: SymbolId,
        offset: TermId,
        value: TermId,
    ) -> Option<Carried> {
        if !pool.symbols_of(offset).contains(&progressions.kappa) {
            return None;
        }
        let kappa = pool.symbol_term(progressions.kappa);
        let bits = pool.width(kappa);
        let one = pool.bv(bits, 1);
        let mut next = IndexMap::from([(progressions.kappa, pool.add(kappa, one))]);
        let mut begin = IndexMap::from([(progressions.kappa, pool.bv(bits, 0))]);
        let mut reads = Vec::new();
        let mut first = None;
        for read in reads_of(pool, array, value) {
            let Ok(at) = progressions.after(pool, read) else {
                continue;
            };
            if pool.substitute(at, &mut next) == offset {
                reads.push(read);
                first = Some(pool.substitute(at, &mut begin));
            }
        }
        let first = first?;
        let sort = Sort::Bv(pool.width(value));
        let carried = pool.fresh("carried", sort);
        let mut theta = Reads {
            array,
            at: &reads,
            value: carried,
        };
        let value = pool.substitute(value, &mut theta);
        let symbol = pool.as_symbol(carried).expect("a symbol was made");
        progressions.step.insert(symbol, Some(value));
        if progressions.closed_form(pool, symbol).is_err() {
            progressions.forget(symbol);
            return None;
        }
        Some(Carried {
            symbol,
            value,
            first,
        })
    }

    /// A value in iteration κ with what the first iteration reads of `array` for what is carried, which is
    /// no variable any more.
    pub fn settle(
        &self,
        pool: &mut TermPool,
        progressions: &mut Progressions,
        array: SymbolId,
        value: TermId,
    ) -> TermId {
        progressions.forget(self.symbol);
        let array = pool.symbol_term(array);
        let first = pool.select(array, self.first);
        pool.substitute(value, &mut IndexMap::from([(self.symbol, first)]))
    }
}

/// Reads of an array at some indices become a value.
struct Reads<'a> {
    array: SymbolId,
    at: &'a [TermId],
    value: TermId,
}

impl Substitution for Reads<'_> {
    fn symbol(&mut self, _: &mut TermPool, _: SymbolId) -> Option<TermId> {
        None
    }

    fn select(&mut self, _: &mut TermPool, array: SymbolId, index: TermId) -> Option<TermId> {
        (array == self.array && self.at.contains(&index)).then_some(self.value)
    }
}
