//! Cheap interval bounds of terms under a conjunction.
//!
//! The bounds come from comparisons with constants, and with terms whose range is known. The conjunction
//! implies each range; a caller that drops a conjunct because of a range has to assert the range.

#[cfg(test)]
mod tests;

use num_bigint::BigInt;
use num_traits::{One, Zero};
use rustc_hash::FxHashMap;
use term::{CmpOp, Sort, Term, TermId, TermPool};

/// How often what is known of one side of a comparison is passed on to the other.
const N_PASSES: usize = 2;

/// Least and greatest value.
pub(super) type Range = (BigInt, BigInt);

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
        let ends = if fact.is_signed {
            as_signed(&below, width).zip(as_signed(&above, width))
        } else {
            Some((below.clone(), above.clone()))
        };
        // Of numbers whose sign is open nothing but their sign is learnt.
        let Some((below, above)) = ends else {
            self.learn_sign(pool, fact, (&below, &above));
            return;
        };
        let most = &above.1 - &apart;
        let least = &below.0 + &apart;
        self.set(pool, lesser, &as_unsigned((below.0, most), width));
        self.set(pool, greater, &as_unsigned((least, above.1), width));
    }

    /// What a signed comparison says of the sign of a side whose sign is open, and of its range then.
    fn learn_sign(&mut self, pool: &TermPool, fact: &Less, (below, above): (&Range, &Range)) {
        let width = pool.width(fact.lesser);
        let half = BigInt::one() << (width - 1);
        let all = BigInt::one() << width;
        let apart = BigInt::from(u8::from(fact.is_strict));
        // What is not less than a number that is not negative is not negative either.
        if let Some((least, _)) = as_signed(below, width) {
            let least = least + &apart;
            if least >= BigInt::zero() {
                self.set(pool, fact.greater, &(least, half - 1));
            }
        } else if let Some((_, most)) = as_signed(above, width) {
            let most = most - &apart;
            if most < BigInt::zero() {
                self.set(pool, fact.lesser, &(half, all + most));
            }
        }
    }

    fn set(&mut self, pool: &TermPool, term: TermId, range: &Range) {
        let before = self.range(pool, term);
        let range = intersection(&before, range);
        // An empty range is a contradiction, which is left to those who solve.
        if range.0 <= range.1 && range != before && pool.as_const(term).is_none() {
            self.known.insert(term, range);
        }
    }
}

/// The intersection; it may be empty, with a greatest value below the least one.
pub(super) fn intersection(one: &Range, other: &Range) -> Range {
    let least = (&one.0).max(&other.0);
    let greatest = (&one.1).min(&other.1);
    (least.clone(), greatest.clone())
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

/// Least and greatest value of a term by itself, as an unsigned number.
pub(super) fn of_term(pool: &TermPool, term: TermId) -> Range {
    let width = pool.width(term);
    if width > 64 {
        (BigInt::zero(), (BigInt::one() << width) - 1)
    } else {
        (pool.umin(term).into(), pool.umax(term).into())
    }
}

/// A range as signed numbers; `None` where it has numbers of both signs.
fn as_signed((least, greatest): &Range, width: u32) -> Option<Range> {
    let half = BigInt::one() << (width - 1);
    let all = BigInt::one() << width;
    if *greatest < half {
        Some((least.clone(), greatest.clone()))
    } else if *least >= half {
        Some((least - &all, greatest - &all))
    } else {
        None
    }
}

/// A range of numbers, signed or not, as unsigned ones; all of them where it has some of both signs.
fn as_unsigned((least, greatest): Range, width: u32) -> Range {
    let zero = BigInt::zero();
    let all = BigInt::one() << width;
    match (least < zero, greatest < zero) {
        (true, true) => (least + &all, greatest + &all),
        (true, false) => (zero, all - 1),
        _ => (least, greatest),
    }
}
