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
use term::{CastOp, CmpOp, Interval, Readings, Sort, SymbolId, Term, TermId, TermPool, word};

/// Passes over the comparisons; a chain of more gets only some of its bounds.
const MAX_PASSES: usize = 8;

/// The narrow symbols made so far: the same ones for the same bounds.
#[derive(Clone, Default, Debug)]
pub(crate) struct Narrowed(FxHashMap<(SymbolId, u32), SymbolId>);

/// Intervals of symbols.
#[derive(Default)]
struct Intervals(IndexMap<SymbolId, Readings>);

impl Intervals {
    /// The interval of a constant, a symbol or a zero-extended symbol.
    fn of(&self, pool: &TermPool, term: TermId) -> Readings {
        let width = pool.width(term);
        if let Some(value) = pool.as_u64(term) {
            return Readings::value(width, value);
        }
        let mut full = Readings::all(width);
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
    fn of_moved(&self, pool: &TermPool, term: TermId) -> Readings {
        let linear = pool.linear(term);
        match linear.terms[..] {
            [(1, part)] => {
                let by = word::number(linear.width, linear.constant, true);
                self.of(pool, part).moved(by)
            }
            _ => self.of(pool, term),
        }
    }

    /// What ∀τ<κ. P(τ) says about κ.
    fn learn_limit(&mut self, pool: &TermPool, counting: &Counting) {
        let base = self.of_moved(pool, counting.base);
        let bound = self.of_moved(pool, counting.bound);
        let signed = counting.is_signed();
        if counting.comparison == CmpOp::Ne {
            let modulus = 1 << bound.width;
            let points = base.unsigned.as_point().zip(bound.unsigned.as_point());
            let most = points.map_or(modulus - 1, |(base, bound)| {
                (bound - base).rem_euclid(modulus)
            });
            return self.learn_most(pool, counting.limit, most);
        }
        let (least, greatest) = (base.read(signed).low, bound.read(signed).high);
        let most = match counting.is_strict() {
            true => greatest - least,
            false if greatest < Interval::reading(bound.width, signed).high => greatest - least + 1,
            false => return,
        };
        self.learn_most(pool, counting.limit, most.max(0));
    }

    /// What an unsigned upper bound says.
    fn learn_most(&mut self, pool: &TermPool, term: TermId, most: i128) {
        let mut interval = self.of(pool, term);
        interval.unsigned.high = interval.unsigned.high.min(most);
        self.restrict(pool, term, interval);
    }

    /// Takes over what is known about such a term.
    fn restrict(&mut self, pool: &TermPool, term: TermId, mut found: Readings) {
        found.reconcile();
        match pool.view(term) {
            Term::Symbol(symbol) => {
                self.0.insert(symbol, found);
            }
            Term::Cast(CastOp::ZExt, inner) => {
                let mut narrow = self.of(pool, inner);
                narrow.unsigned = narrow.unsigned.meet(&found.unsigned);
                self.restrict(pool, inner, narrow);
            }
            _ => {}
        }
    }

    /// What a < b, or a ≤ b, says about both sides.
    fn learn(&mut self, pool: &TermPool, op: CmpOp, lhs: TermId, rhs: TermId) {
        let gap = i128::from(matches!(op, CmpOp::Ult | CmpOp::Slt));
        let signed = matches!(op, CmpOp::Slt | CmpOp::Sle);
        let (mut less, mut more) = (self.of(pool, lhs), self.of(pool, rhs));
        let (below, above) = (less.read_mut(signed), more.read_mut(signed));
        below.high = below.high.min(above.high - gap);
        above.low = above.low.max(below.low + gap);
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
        let most = interval.unsigned.high.max(0);
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
