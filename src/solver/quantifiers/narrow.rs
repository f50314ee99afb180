//! Symbols that bounds confine to small numbers become zero-extensions of fewer bits.
//!
//! Comparisons between symbols and constants, and between symbols, give each symbol an interval: 0 ≤ j, j <
//! m, m < n, n ≤ 16 confine all three. So does ∀τ<κ. a + τ < b (`counting`) where there are products. Where
//! the interval is 0..2^b with b below the width, x is replaced by zext(x′) with a new symbol x′ of b bits.
//! The constructors' interval rules then decide comparisons, drop signs, and products become narrower.
//! Comparisons that are not implied by the intervals stay.

use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use super::Binders;
use super::closed_form::{Solution, flat};
use super::counting::Counting;
use term::{CastOp, CmpOp, Sort, SymbolId, Term, TermId, TermPool};

/// Passes over the comparisons; a chain of more gets only some of its bounds.
const MAX_PASSES: usize = 8;

/// The narrow symbols made so far: the same ones for the same bounds.
#[derive(Clone, Default, Debug)]
pub(crate) struct Narrowed(FxHashMap<(SymbolId, u32), SymbolId>);

/// Inclusive bounds of a bit-vector, both as a signed and as an unsigned number.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Interval {
    signed: (i128, i128),
    unsigned: (i128, i128),
    /// 2^(w−1).
    half: i128,
}

impl Interval {
    fn full(width: u32) -> Interval {
        let half = 1i128 << (width - 1);
        Interval {
            signed: (-half, half - 1),
            unsigned: (0, 2 * half - 1),
            half,
        }
    }

    fn constant(width: u32, value: u64) -> Interval {
        let half = 1i128 << (width - 1);
        let value = i128::from(value);
        let signed = if value >= half {
            value - 2 * half
        } else {
            value
        };
        Interval {
            signed: (signed, signed),
            unsigned: (value, value),
            half,
        }
    }

    /// That of sums with a constant, where these do not wrap around; what is known otherwise.
    fn moved(self, by: i128, otherwise: Interval) -> Interval {
        let within = |(least, greatest): (i128, i128), all: (i128, i128)| {
            let is_within = all.0 <= least + by && greatest + by <= all.1;
            if is_within {
                (least + by, greatest + by)
            } else {
                all
            }
        };
        let mut moved = Interval {
            signed: within(self.signed, otherwise.signed),
            unsigned: within(self.unsigned, otherwise.unsigned),
            ..otherwise
        };
        moved.reconcile();
        moved
    }

    /// What one reading says, said in the other as well.
    fn reconcile(&mut self) {
        if self.signed.0 >= 0 {
            meet(&mut self.unsigned, self.signed);
        }
        if self.unsigned.1 < self.half {
            meet(&mut self.signed, self.unsigned);
        }
    }
}

fn meet(bounds: &mut (i128, i128), other: (i128, i128)) {
    bounds.0 = bounds.0.max(other.0);
    bounds.1 = bounds.1.min(other.1);
}

/// Intervals of symbols.
#[derive(Default)]
struct Intervals(IndexMap<SymbolId, Interval>);

impl Intervals {
    /// The interval of a constant, a symbol or a zero-extended symbol.
    fn of(&self, pool: &TermPool, term: TermId) -> Interval {
        let width = pool.width(term);
        if let Some(value) = pool.as_u64(term) {
            return Interval::constant(width, value);
        }
        let mut full = Interval::full(width);
        match pool.view(term) {
            Term::Symbol(symbol) => self.0.get(&symbol).copied().unwrap_or(full),
            Term::Cast(CastOp::ZExt, inner) => {
                full.unsigned = self.of(pool, inner).unsigned;
                full.reconcile();
                full
            }
            _ => full,
        }
    }

    /// Also of what differs from these by a constant.
    fn of_moved(&self, pool: &TermPool, term: TermId) -> Interval {
        let width = pool.width(term);
        let linear = pool.linear(term);
        match linear.terms[..] {
            [(1, part)] => {
                let by = Interval::constant(width, linear.constant).signed.0;
                self.of(pool, part).moved(by, Interval::full(width))
            }
            _ => self.of(pool, term),
        }
    }

    /// What ∀τ<κ. P(τ) says about κ.
    fn learn_limit(&mut self, pool: &TermPool, counting: &Counting) {
        let base = self.of_moved(pool, counting.base);
        let bound = self.of_moved(pool, counting.bound);
        if counting.comparison == CmpOp::Ne {
            let modulus = 2 * bound.half;
            let is_one = |(least, greatest)| least == greatest;
            let most = match is_one(base.unsigned) && is_one(bound.unsigned) {
                true => (bound.unsigned.0 - base.unsigned.0).rem_euclid(modulus),
                false => modulus - 1,
            };
            return self.learn_most(pool, counting.limit, most);
        }
        let (least, greatest, top) = match counting.is_signed() {
            true => (base.signed.0, bound.signed.1, bound.half - 1),
            false => (base.unsigned.0, bound.unsigned.1, 2 * bound.half - 1),
        };
        let most = match counting.is_strict() {
            true => greatest - least,
            false if greatest < top => greatest - least + 1,
            false => return,
        };
        self.learn_most(pool, counting.limit, most.max(0));
    }

    /// What an unsigned upper bound says.
    fn learn_most(&mut self, pool: &TermPool, term: TermId, most: i128) {
        let mut interval = self.of(pool, term);
        interval.unsigned.1 = interval.unsigned.1.min(most);
        self.restrict(pool, term, interval);
    }

    /// Takes over what is known about such a term.
    fn restrict(&mut self, pool: &TermPool, term: TermId, mut found: Interval) {
        found.reconcile();
        match pool.view(term) {
            Term::Symbol(symbol) => {
                self.0.insert(symbol, found);
            }
            Term::Cast(CastOp::ZExt, inner) => {
                let mut narrow = self.of(pool, inner);
                meet(&mut narrow.unsigned, found.unsigned);
                self.restrict(pool, inner, narrow);
            }
            _ => {}
        }
    }

    /// What a < b, or a ≤ b, says about both sides.
    fn learn(&mut self, pool: &TermPool, op: CmpOp, lhs: TermId, rhs: TermId) {
        let gap = i128::from(matches!(op, CmpOp::Ult | CmpOp::Slt));
        let (mut less, mut more) = (self.of(pool, lhs), self.of(pool, rhs));
        if matches!(op, CmpOp::Slt | CmpOp::Sle) {
            less.signed.1 = less.signed.1.min(more.signed.1 - gap);
            more.signed.0 = more.signed.0.max(less.signed.0 + gap);
        } else {
            less.unsigned.1 = less.unsigned.1.min(more.unsigned.1 - gap);
            more.unsigned.0 = more.unsigned.0.max(less.unsigned.0 + gap);
        }
        self.restrict(pool, lhs, less);
        self.restrict(pool, rhs, more);
    }
}

/// The conjuncts with narrow symbols; adds the values of the replaced ones.
pub(crate) fn narrow(
    pool: &mut TermPool,
    narrowed: &mut Narrowed,
    binders: &mut Binders,
    conjuncts: Vec<TermId>,
    solutions: &mut Vec<Solution>,
) -> Vec<TermId> {
    let mut theta = IndexMap::new();
    for (symbol, interval) in intervals(pool, binders, &conjuncts).0 {
        let Sort::Bv(width) = pool.symbol_sort(symbol) else {
            continue;
        };
        // An empty interval is a contradiction that the comparisons keep.
        let most = interval.unsigned.1.max(0);
        let bits = (i128::BITS - most.leading_zeros()).max(1);
        // A narrow symbol would not be known as a multiple.
        if bits >= width || pool.is_restricted(symbol) {
            continue;
        }
        let name = pool.symbol_name(symbol).to_owned();
        let small = *narrowed
            .0
            .entry((symbol, bits))
            .or_insert_with(|| pool.symbol(&name, Sort::Bv(bits)));
        let small = pool.symbol_term(small);
        let value = pool.cast(CastOp::ZExt, width, small);
        theta.insert(symbol, value);
        solutions.push((symbol, value));
    }
    if theta.is_empty() {
        return conjuncts;
    }
    let substituted: Vec<TermId> = conjuncts
        .iter()
        .map(|conjunct| pool.substitute(*conjunct, &mut theta))
        .collect();
    flat(pool, &substituted)
}

fn intervals(pool: &mut TermPool, binders: &mut Binders, conjuncts: &[TermId]) -> Intervals {
    let mut countings = Vec::new();
    // Elsewhere wide terms are left as they are, so that iterations are found at which elements are read.
    if conjuncts.iter().any(|conjunct| pool.has_product(*conjunct)) {
        for conjunct in conjuncts {
            let mut variable = |pool: &mut TermPool, width| {
                let variable = binders.variable(pool, width);
                pool.symbol_term(variable)
            };
            countings.extend(Counting::all(pool, *conjunct, &mut variable));
        }
    }
    let comparisons: Vec<(CmpOp, TermId, TermId)> = conjuncts
        .iter()
        .filter_map(|conjunct| match pool.view(*conjunct) {
            Term::Compare(op, lhs, rhs) if op != CmpOp::Eq => (2..=64)
                .contains(&pool.width(lhs))
                .then_some((op, lhs, rhs)),
            _ => None,
        })
        .collect();
    let mut found = Intervals::default();
    for _ in 0..MAX_PASSES {
        let before = found.0.clone();
        for (op, lhs, rhs) in &comparisons {
            found.learn(pool, *op, *lhs, *rhs);
        }
        for counting in &countings {
            found.learn_limit(pool, counting);
        }
        if found.0 == before {
            break;
        }
    }
    found
}
