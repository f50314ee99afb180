//! Candidates for instances: the iterations τ at which a quantifier's body reads a cell that is also read elsewhere.
//!
//! For a read of A at an index i(τ) in a body and a read of A at g elsewhere, a solution of i(τ) = g is a
//! term for τ. Any term is a sound instance, so the solution may be a guess: casts are ignored, and divisions
//! drop remainders.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashSet;

use super::progression::{mentions, resize};
use term::{BinOp, CastOp, Linear, SymbolId, Term, TermId, TermPool, word};

/// Indices at which array symbols are read, in order of discovery.
#[derive(Clone, Default, Debug)]
pub(super) struct Reads {
    by_array: IndexMap<SymbolId, IndexSet<TermId>>,
    seen: FxHashSet<TermId>,
}

impl Reads {
    /// Adds the closed reads of a term.
    pub(super) fn collect(&mut self, pool: &TermPool, term: TermId) {
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            if pool.is_const(term) || !self.seen.insert(term) {
                continue;
            }
            if let Term::Select(array, index) = pool.view(term)
                && pool.is_closed(index)
            {
                for base in bases(pool, array) {
                    self.by_array.entry(base).or_default().insert(index);
                }
            }
            pool.for_each_operand(term, |operand| stack.push(operand));
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (SymbolId, &IndexSet<TermId>)> {
        self.by_array
            .iter()
            .map(|(array, indices)| (*array, indices))
    }

    pub(super) fn of(&self, array: SymbolId) -> impl Iterator<Item = TermId> + '_ {
        self.by_array.get(&array).into_iter().flatten().copied()
    }
}

/// The array symbols that an array term may be read from.
fn bases(pool: &TermPool, array: TermId) -> Vec<SymbolId> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack = vec![array];
    while let Some(array) = stack.pop() {
        if !seen.insert(array) {
            continue;
        }
        match pool.view(array) {
            Term::Symbol(symbol) => found.push(symbol),
            Term::Store(inner, ..) => stack.push(inner),
            Term::Ite(_, t, e) => stack.extend([t, e]),
            _ => {}
        }
    }
    found
}

/// Terms for τ at which an opened body reads a cell that `reads` lists.
pub(super) fn candidates(
    pool: &mut TermPool,
    tau: SymbolId,
    body: TermId,
    reads: &Reads,
) -> Vec<TermId> {
    let mut own = Reads::default();
    own.collect(pool, body);
    let mut found = IndexSet::new();
    for (array, indices) in own.iter() {
        for index in indices {
            if !mentions(pool, *index, tau) {
                continue;
            }
            for target in reads.of(array) {
                if mentions(pool, target, tau) {
                    continue;
                }
                found.extend(solve(pool, *index, target, tau));
            }
        }
    }
    found.into_iter().collect()
}

/// A τ for which `term` is likely to be `target`; as wide as τ.
fn solve(
    pool: &mut TermPool,
    mut term: TermId,
    mut target: TermId,
    tau: SymbolId,
) -> Option<TermId> {
    loop {
        if pool.as_symbol(term) == Some(tau) {
            return Some(target);
        }
        match pool.view(term) {
            Term::Cast(_, inner) => {
                let width = pool.width(inner);
                target = pool.extract(0, width, target);
                term = inner;
            }
            Term::Extract { low, of } => {
                let width = pool.width(of);
                let wide = pool.cast(CastOp::ZExt, width, target);
                let shift = pool.bv(width, u64::from(low));
                target = pool.binary(BinOp::Shl, wide, shift);
                term = of;
            }
            Term::Concat { high, low } => {
                let (below, above) = (pool.width(low), pool.width(high));
                (term, target) = if mentions(pool, low, tau) {
                    (low, pool.extract(0, below, target))
                } else {
                    (high, pool.extract(below, above, target))
                };
            }
            Term::Sum { .. } => {
                let linear = pool.linear(term);
                let width = linear.width;
                let mut moving = linear
                    .terms
                    .iter()
                    .copied()
                    .filter(|(_, part)| pool.symbols_of(*part).binary_search(&tau).is_ok());
                let (factor, part) = moving.next()?;
                if moving.next().is_some() {
                    return None;
                }
                let scaled = pool.from_linear(&Linear {
                    terms: vec![(factor, part)],
                    constant: 0,
                    width,
                });
                let rest = pool.sub(term, scaled);
                let distance = pool.sub(target, rest);
                let power = factor.trailing_zeros();
                let quotient = pool.extract(power, width - power, distance);
                let odd = pool.bv(width - power, word::inverse(factor >> power));
                let quotient = pool.mul(quotient, odd);
                target = resize(pool, quotient, width);
                term = part;
            }
            _ => return None,
        }
    }
}
