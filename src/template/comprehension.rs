//! Closed forms of arrays that iterations write.
//!
//! An iteration writes an object at offsets o(κ), which is a chain of stores over the entry content
//! A. After κ iterations cell j holds what the last iteration wrote there, or A(j):
//!
//! ```text
//! λj. ite(τ̂(j) < κ ∧ o(τ̂(j)) = j, v(τ̂(j)), A(j))
//! ```
//!
//! where τ̂ inverts o. If several stores of an iteration write j, the one with the greatest τ̂(j) < κ counts,
//! and within one iteration the last. The condition o(τ̂(j)) = j makes the form sound for any τ̂; injectivity
//! of o, by the construction of its inverse, makes it complete. An offset a + 2^e·κ that is as wide as κ is
//! injective only until it wraps around: there τ̂ is the first iteration that writes j, and a query excludes
//! a second one. The values v may read the object only where no earlier iteration has written, so that they
//! read A; this is checked by a query.
//!
//! # Source
//! An extension of Algorithm 1, whose arrays are read-only.

use indexmap::IndexMap;
use semantics::{Admission, Oracle, PathCondition};
use term::{BinOp, Bv, CastOp, CmpOp, Sort, SymbolId, Term, TermId, TermPool};

/// A store of one iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct IterationStore {
    /// Byte offset in iteration κ, over entry symbols and κ.
    pub offset: TermId,
    /// Value in iteration κ, over entry symbols, κ and reads of the entry content.
    pub value: TermId,
}

/// The stores over `entry` that make `array`, the first first; `None` where it is not such a
/// chain.
pub(super) fn stores_over(
    pool: &TermPool,
    entry: SymbolId,
    array: TermId,
) -> Option<Vec<(TermId, TermId)>> {
    let mut stores = Vec::new();
    let mut below = array;
    loop {
        match pool.view(below) {
            Term::Store(inner, offset, value) => {
                stores.push((offset, value));
                below = inner;
            }
            Term::Symbol(symbol) if symbol == entry => break,
            _ => return None,
        }
    }
    stores.reverse();
    Some(stores)
}

/// The content after κ iterations; `None` where an offset cannot be inverted.
///
/// `stores` are in the order of the iteration. The last iteration that writes a cell wins, and in that the
/// last store. `overwritten` has the pairs of stores, by position, of which the first may write in a later
/// iteration where the second, which follows it, wrote before.
pub(super) fn comprehension(
    pool: &mut TermPool,
    entry: SymbolId,
    kappa: SymbolId,
    stores: &[IterationStore],
    overwritten: &[(usize, usize)],
) -> Option<TermId> {
    let Sort::Array { index, .. } = pool.symbol_sort(entry) else {
        return None;
    };
    let cell = pool.symbol("j", Sort::Bv(index));
    let at = pool.symbol_term(cell);
    let kappa_term = pool.symbol_term(kappa);
    let array = pool.symbol_term(entry);
    let mut content = pool.select(array, at);
    let mut before: Vec<(TermId, TermId)> = Vec::new();
    for (position, store) in stores.iter().enumerate() {
        let iteration = writing_iteration(pool, store.offset, kappa, at)?;
        let mut map: IndexMap<SymbolId, TermId> = IndexMap::from([(kappa, iteration)]);
        let offset = pool.substitute(store.offset, &mut map);
        let value = pool.substitute(store.value, &mut map);
        let happened = pool.ult(iteration, kappa_term);
        let here = pool.eq(offset, at);
        let written = pool.and(happened, here);
        let mut is_last = vec![written];
        for (by, _) in overwritten.iter().filter(|(_, of)| *of == position) {
            let (is_written, later) = before[*by];
            let is_later = pool.ult(iteration, later);
            let wins = pool.and(is_written, is_later);
            is_last.push(pool.not(wins));
        }
        let is_last = pool.conj(is_last);
        content = pool.ite(is_last, value, content);
        before.push((written, iteration));
    }
    Some(pool.lambda(cell, content))
}

/// The last iteration before κ that may write at `at`, as wide as κ: the only iteration for an
/// offset that moves, the latest for one that does not.
fn writing_iteration(
    pool: &mut TermPool,
    offset: TermId,
    kappa: SymbolId,
    at: TermId,
) -> Option<TermId> {
    if pool.symbols_of(offset).contains(&kappa) {
        return invert(pool, offset, kappa, at);
    }
    let kappa = pool.symbol_term(kappa);
    let one = pool.bv(pool.width(kappa), 1);
    Some(pool.sub(kappa, one))
}

/// The κ for which `term` is `value`, if there is one; the ways of building a term that are
/// inverted here are injective in κ.
fn invert(pool: &mut TermPool, term: TermId, kappa: SymbolId, value: TermId) -> Option<TermId> {
    if pool.as_symbol(term) == Some(kappa) {
        return Some(value);
    }
    match pool.view(term) {
        Term::Cast(CastOp::ZExt | CastOp::SExt, inner) => {
            let low = pool.cast(CastOp::Trunc, pool.width(inner), value);
            invert(pool, inner, kappa, low)
        }
        Term::Sum { terms, .. } => {
            let terms = terms.to_vec();
            let mut moving = Vec::new();
            for (coefficient, part) in terms {
                if pool.symbols_of(part).contains(&kappa) {
                    moving.push((coefficient, part));
                }
            }
            let [(coefficient, part)] = moving.as_slice() else {
                return None;
            };
            let width = pool.width(term);
            let factor = pool.bv(width, *coefficient);
            let product = pool.mul(factor, *part);
            let rest = pool.sub(term, product);
            let difference = pool.sub(value, rest);
            // coefficient = 2^e · odd: the low e bits of the difference are zero, and the upper
            // ones give the part but for its own upper e bits.
            let shift = coefficient.trailing_zeros();
            let known = significant_bits(pool, *part);
            // Otherwise the first of several iterations is found, where it is κ that is scaled.
            if known + shift > width && !is_counter(pool, *part, kappa) {
                return None;
            }
            let quotient = pool.extract(shift, width - shift, difference);
            let odd = Bv::new(width - shift, coefficient >> shift);
            let inverse = inverse_of_odd(&odd);
            let inverse = pool.constant(&inverse);
            let solved = pool.mul(quotient, inverse);
            match pool.view(*part) {
                Term::Cast(CastOp::ZExt | CastOp::SExt, inner)
                    if pool.width(inner) <= width - shift =>
                {
                    let low = pool.cast(CastOp::Trunc, pool.width(inner), solved);
                    invert(pool, inner, kappa, low)
                }
                Term::Cast(_, inner) => {
                    let solved = pool.cast(CastOp::ZExt, pool.width(inner), solved);
                    invert(pool, inner, kappa, solved)
                }
                _ => {
                    let solved = pool.cast(CastOp::ZExt, width, solved);
                    invert(pool, *part, kappa, solved)
                }
            }
        }
        _ => None,
    }
}

/// Whether a term is κ, perhaps zero-extended.
fn is_counter(pool: &TermPool, term: TermId, kappa: SymbolId) -> bool {
    match pool.view(term) {
        Term::Cast(CastOp::ZExt, inner) => pool.as_symbol(inner) == Some(kappa),
        _ => pool.as_symbol(term) == Some(kappa),
    }
}

/// Whether an offset comes around before κ does, so that two iterations may write at it: κ times
/// so large a power of two that its upper bits are lost, perhaps in what is extended.
pub(super) fn wraps_around(pool: &TermPool, offset: TermId, kappa: SymbolId) -> bool {
    if is_counter(pool, offset, kappa) {
        return false;
    }
    match pool.view(offset) {
        Term::Cast(_, inner) => wraps_around(pool, inner, kappa),
        Term::Sum { terms, .. } => terms.iter().any(|(coefficient, part)| {
            let is_lost =
                significant_bits(pool, *part) + coefficient.trailing_zeros() > pool.width(offset);
            (is_lost && is_counter(pool, *part, kappa)) || wraps_around(pool, *part, kappa)
        }),
        _ => false,
    }
}

/// How many low bits determine the value.
fn significant_bits(pool: &TermPool, term: TermId) -> u32 {
    match pool.view(term) {
        Term::Cast(_, inner) => pool.width(inner),
        _ => pool.width(term),
    }
}

/// x with x·odd = 1 mod 2^w.
fn inverse_of_odd(odd: &Bv) -> Bv {
    // Each step doubles the number of right low bits, beginning with one.
    let width = odd.width();
    let two = Bv::new(width, 2);
    let mut inverse = odd.clone();
    let mut right = 1;
    while right < width {
        let product = Bv::binary(BinOp::Mul, odd, &inverse);
        let correction = Bv::binary(BinOp::Sub, &two, &product);
        inverse = Bv::binary(BinOp::Mul, &inverse, &correction);
        right *= 2;
    }
    inverse
}

/// Whether some iteration can touch, at `later(τ)`, a cell that an earlier iteration τ' < τ wrote
/// at `earlier(τ')`. All iterations up to τ fulfil the condition of an iteration; offsets and
/// condition are over entry symbols and κ.
pub(super) fn iterations_interfere(
    pool: &mut TermPool,
    oracle: &mut dyn Oracle,
    kappa: SymbolId,
    condition: TermId,
    earlier: TermId,
    later: TermId,
) -> Admission {
    let sort = pool.symbol_sort(kappa);
    let first = pool.fresh("τ'", sort);
    let second = pool.fresh("τ", sort);
    let mut at_first: IndexMap<SymbolId, TermId> = IndexMap::from([(kappa, first)]);
    let mut at_second: IndexMap<SymbolId, TermId> = IndexMap::from([(kappa, second)]);
    let between = pool.symbol("σ", sort);
    let mut at_between: IndexMap<SymbolId, TermId> =
        IndexMap::from([(kappa, pool.symbol_term(between))]);
    let between_holds = pool.substitute(condition, &mut at_between);
    let parts = [
        pool.compare(CmpOp::Ult, first, second),
        pool.substitute(condition, &mut at_first),
        pool.substitute(condition, &mut at_second),
        pool.forall_below(between, second, between_holds),
    ];
    let meets = {
        let earlier = pool.substitute(earlier, &mut at_first);
        let later = pool.substitute(later, &mut at_second);
        pool.eq(earlier, later)
    };
    let question = pool.conj(parts.into_iter().chain([meets]));
    oracle.admits(pool, &PathCondition::default(), question)
}

/// The indices at which `term` reads an array symbol.
#[must_use]
pub fn reads_of(pool: &TermPool, array: SymbolId, term: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Term::Select(of, index) = pool.view(term)
            && pool.as_symbol(of) == Some(array)
        {
            found.push(index);
        }
        pool.for_each_operand(term, |operand| open.push(operand));
    }
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaled_counters_come_around_where_their_upper_bits_are_lost() {
        let mut pool = TermPool::new();
        let wide = pool.symbol("κ", Sort::Bv(8));
        let narrow = pool.symbol("κ'", Sort::Bv(6));
        let start = pool.fresh("i", Sort::Bv(8));
        let mut offset = |counter: SymbolId, factor: u64| {
            let counter = pool.symbol_term(counter);
            let counter = pool.cast(CastOp::ZExt, 8, counter);
            let factor = pool.bv(8, factor);
            let scaled = pool.mul(factor, counter);
            pool.add(start, scaled)
        };
        let offsets = [
            (offset(wide, 4), wide, true),
            (offset(wide, 3), wide, false),
            (offset(narrow, 4), narrow, false),
            (offset(narrow, 8), narrow, true),
        ];
        for (offset, kappa, expected) in offsets {
            assert_eq!(wraps_around(&pool, offset, kappa), expected);
            // As an index of bytes, as C programs have it: the bits are lost before it is extended.
            let extended = pool.cast(CastOp::ZExt, 16, offset);
            let four = pool.bv(16, 4);
            let scaled = pool.mul(four, extended);
            assert_eq!(wraps_around(&pool, scaled, kappa), expected);
        }
        // The first iteration that reaches a cell, not any: 4·κ = 12 for κ = 3, 67, 131, 195.
        let value = pool.bv(8, 12);
        let zero = pool.bv(8, 0);
        let symbol = pool.symbols_of(start)[0];
        let mut theta = IndexMap::from([(symbol, zero)]);
        let iteration = invert(&mut pool, offsets[0].0, wide, value).unwrap();
        let iteration = pool.substitute(iteration, &mut theta);
        assert_eq!(pool.as_u64(iteration), Some(3));
    }

    #[test]
    fn inverses_of_odd_numbers() {
        for width in [1, 3, 8, 32, 62, 64, 65] {
            for odd in [1_u64, 3, 5, 7, 0x55, 0xdead_beef] {
                let odd = Bv::new(width, odd);
                let product = Bv::binary(BinOp::Mul, &odd, &inverse_of_odd(&odd));
                assert_eq!(product, Bv::new(width, 1), "{odd:?}");
            }
        }
    }
}
