//! Cheap interval bounds of terms under a conjunction.
//!
//! The bounds come from comparisons with constants, and with terms whose range is known. The conjunction
//! implies each range; a caller that drops a conjunct because of a range has to assert the range.

#[cfg(test)]
mod tests;

use num_bigint::BigInt;
use num_traits::Signed;
use rustc_hash::FxHashMap;
use term::{CmpOp, Interval, Sort, Term, TermId, TermPool};

/// How often what is known of one side of a comparison is passed on to the other.
const N_PASSES: usize = 2;

/// Values of a term of any width.
pub(super) type Range = Interval<BigInt>;

/// The ranges of terms that a conjunction compares, as unsigned numbers.
pub(super) struct Ranges {
    known: FxHashMap<TermId, Range>,
}

/// A comparison that holds: less, or less or equal, as signed numbers or not.
struct Less {
    is_signed: bool,
    is_strict: bool,
    lesser: TermId,
    greater: TermId,
}

impl Ranges {
    pub fn of(pool: &TermPool, conjuncts: &[TermId]) -> Ranges {
        let mut ranges = Ranges {
            known: FxHashMap::default(),
        };
        let facts: Vec<Less> = (conjuncts.iter())
            .flat_map(|conjunct| comparisons(pool, *conjunct))
            .collect();
        for _ in 0..N_PASSES {
            for fact in &facts {
                ranges.learn(pool, fact);
            }
        }
        ranges
    }

    /// The range of a term under the conjunction, if it is narrower than that of the term itself.
    pub fn known(&self, term: TermId) -> Option<&Range> {
        self.known.get(&term)
    }

    fn range(&self, pool: &TermPool, term: TermId) -> Range {
        (self.known.get(&term).cloned()).unwrap_or_else(|| of_term(pool, term))
    }

    fn learn(&mut self, pool: &TermPool, fact: &Less) {
        let (lesser, greater) = (fact.lesser, fact.greater);
        let (below, above) = (self.range(pool, lesser), self.range(pool, greater));
        let width = pool.width(lesser);
        let apart = BigInt::from(u8::from(fact.is_strict));
        let ends = [&below, &above].map(|range| range.reread(width, fact.is_signed));
        // Of numbers whose sign is open nothing but their sign is learnt.
        let [Some(below), Some(above)] = ends else {
            self.learn_sign(pool, fact, ends);
            return;
        };
        let most = &above.high - &apart;
        let least = &below.low + &apart;
        self.set(pool, lesser, &Range::new(below.low, most));
        self.set(pool, greater, &Range::new(least, above.high));
    }

    /// What a signed comparison says of the sign of a side whose sign is open, and of its range then.
    fn learn_sign(&mut self, pool: &TermPool, fact: &Less, [below, above]: [Option<Range>; 2]) {
        let mut all = Range::signed(pool.width(fact.lesser));
        let apart = BigInt::from(u8::from(fact.is_strict));
        // What is not less than a number that is not negative is not negative either.
        if let Some(below) = below {
            all.low = below.low + apart;
            if !all.low.is_negative() {
                self.set(pool, fact.greater, &all);
            }
        } else if let Some(above) = above {
            all.high = above.high - apart;
            if all.high.is_negative() {
                self.set(pool, fact.lesser, &all);
            }
        }
    }

    /// Takes over the range of a term, read with or without sign.
    fn set(&mut self, pool: &TermPool, term: TermId, range: &Range) {
        let before = self.range(pool, term);
        let Some(range) = range.reread(pool.width(term), false) else {
            return;
        };
        let range = before.meet(&range);
        // An empty range is a contradiction, which is left to those who solve.
        if !range.is_empty() && range != before && pool.as_const(term).is_none() {
            self.known.insert(term, range);
        }
    }
}

/// The comparisons that a conjunct says.
fn comparisons(pool: &TermPool, conjunct: TermId) -> Vec<Less> {
    let mut facts = Vec::new();
    for part in pool.conjuncts(conjunct) {
        let Term::Compare(op, a, b) = pool.view(part) else {
            continue;
        };
        if !is_number(pool, a) {
            continue;
        }
        let less = |is_signed, is_strict, lesser, greater| Less {
            is_signed,
            is_strict,
            lesser,
            greater,
        };
        match op {
            CmpOp::Ult => facts.push(less(false, true, a, b)),
            CmpOp::Ule => facts.push(less(false, false, a, b)),
            CmpOp::Ugt => facts.push(less(false, true, b, a)),
            CmpOp::Uge => facts.push(less(false, false, b, a)),
            CmpOp::Slt => facts.push(less(true, true, a, b)),
            CmpOp::Sle => facts.push(less(true, false, a, b)),
            CmpOp::Sgt => facts.push(less(true, true, b, a)),
            CmpOp::Sge => facts.push(less(true, false, b, a)),
            CmpOp::Eq => facts.extend([less(false, false, a, b), less(false, false, b, a)]),
            CmpOp::Ne => {}
        }
    }
    facts
}

fn is_number(pool: &TermPool, term: TermId) -> bool {
    matches!(pool.sort(term), Sort::Bv(width) if width > 1)
}

/// The values of a term by itself, as unsigned numbers.
pub(super) fn of_term(pool: &TermPool, term: TermId) -> Range {
    let width = pool.width(term);
    if width > 64 {
        Range::unsigned(width)
    } else {
        Range::new(pool.umin(term).into(), pool.umax(term).into())
    }
}
