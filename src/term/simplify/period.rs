//! Periods: the number of iterations after which a term below a binder repeats.
//!
//! Remainders of a counter with a constant start and step are periodic until the counter wraps around; its
//! low bits are always periodic. For an arbitrary start, the remainders come in order.

use super::equality::gcd;
use crate::bv::word;
use crate::pool::TermData;
use crate::{BinOp, CastOp, TermId, TermPool};
use rustc_hash::FxHashSet;

/// No longer period is searched for.
const MAX_PERIOD: u64 = 64;

/// No body with more parts is looked into.
const MAX_PARTS: usize = 64;

/// The value in iteration τ is that in iteration τ mod `length`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Period {
    /// At least 1.
    pub length: u64,
    /// Of the first so many iterations; `None` for all.
    pub most: Option<u128>,
}

impl Period {
    /// Of two values together.
    fn and(self, other: Period) -> Option<Period> {
        let length = self.length / gcd(self.length, other.length) * other.length;
        let most = match (self.most, other.most) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        (length <= MAX_PERIOD).then_some(Period { length, most })
    }
}

/// A remainder of a counter that moves by one from anywhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RemainderFrom {
    pub remainder: TermId,
    /// Where the counter starts: below the binder, whose variable it does not mention.
    pub start: TermId,
    /// At least 2, and not greater than `greatest`.
    pub divisor: u64,
    /// Up to here the counter is what is divided: it is neither negative nor wraps around.
    pub greatest: u64,
}

impl TermPool {
    /// The only remainder in a body over `Bound` 0, where the body knows its variable by it only.
    pub(super) fn only_remainder(&mut self, body: TermId) -> Option<RemainderFrom> {
        let mut found = None;
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut open = vec![body];
        while let Some(part) = open.pop() {
            if !self.may_mention_bound(part, 0) || !seen.insert(part) {
                continue;
            }
            if seen.len() > MAX_PARTS {
                return None;
            }
            if let Some(TermData::Binary(BinOp::URem | BinOp::SRem, ..)) = self.data(part) {
                if found.replace(part).is_some() {
                    return None;
                }
                continue;
            }
            let mut is_plain = !matches!(self.data(part), Some(TermData::Bound(_)));
            self.for_each_child(part, |child, binders| {
                is_plain &= binders == 0;
                open.push(child);
            });
            if !is_plain {
                return None;
            }
        }
        self.remainder_from(found?)
    }

    /// a + τ modulo a constant, for any a.
    fn remainder_from(&mut self, remainder: TermId) -> Option<RemainderFrom> {
        let &TermData::Binary(op, of, divisor) = self.data(remainder)? else {
            return None;
        };
        if self.width(of) > 64 {
            return None;
        }
        let divisor = self.as_u64(divisor)?;
        let (of, signed) = self.below_extension(of, op == BinOp::SRem);
        let greatest = word::mask(self.width(of)) >> u32::from(signed);
        if !(2..=MAX_PERIOD.min(greatest)).contains(&divisor) {
            return None;
        }
        let mut start = self.linear(of);
        let position = start
            .terms
            .iter()
            .position(|(step, counter)| *step == 1 && self.is_counter_resized(*counter))?;
        start.terms.remove(position);
        let mut others = start.terms.iter();
        if others.any(|(_, part)| self.may_mention_bound(*part, 0)) {
            return None;
        }
        Some(RemainderFrom {
            remainder,
            start: self.linear_term(start),
            divisor,
            greatest,
        })
    }

    /// The period of a body over `Bound` 0, where that is found in remainders and low bits only.
    pub(super) fn period(&self, body: TermId) -> Option<Period> {
        let mut period = Period {
            length: 1,
            most: None,
        };
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut open = vec![body];
        while let Some(part) = open.pop() {
            if !self.may_mention_bound(part, 0) || !seen.insert(part) {
                continue;
            }
            if seen.len() > MAX_PARTS {
                return None;
            }
            if let Some(own) = self.own_period(part) {
                period = period.and(own)?;
                continue;
            }
            let mut is_plain = !matches!(self.data(part), Some(TermData::Bound(_)));
            self.for_each_child(part, |child, binders| {
                is_plain &= binders == 0;
                open.push(child);
            });
            if !is_plain {
                return None;
            }
        }
        Some(period)
    }

    fn own_period(&self, part: TermId) -> Option<Period> {
        match self.data(part)? {
            TermData::Extract { low, of } if self.is_counter(*of) => {
                let bits = low + self.width(part);
                let length = 1u64.checked_shl(bits)?;
                (length <= MAX_PERIOD).then_some(Period { length, most: None })
            }
            &TermData::Binary(op @ (BinOp::URem | BinOp::SRem), of, divisor) => {
                self.period_of_remainder(op == BinOp::SRem, of, divisor)
            }
            _ => None,
        }
    }

    /// a + d·τ modulo a constant, as long as the sum is neither negative nor wraps around.
    fn period_of_remainder(&self, signed: bool, of: TermId, divisor: TermId) -> Option<Period> {
        let width = self.width(of);
        if width > 64 {
            return None;
        }
        let divisor = self.as_u64(divisor).filter(|divisor| *divisor != 0)?;
        if signed && word::signed(width, divisor) < 0 {
            return None;
        }
        let (of, signed) = self.below_extension(of, signed);
        let width = self.width(of);
        let greatest = word::mask(width) >> u32::from(signed);
        let form = self.linear(of);
        let &[(step, counter)] = form.terms.as_slice() else {
            return None;
        };
        if !self.is_counter_resized(counter) || form.constant > greatest {
            return None;
        }
        let step = word::signed(width, step);
        let room = if step < 0 {
            form.constant
        } else {
            greatest - form.constant
        };
        let by = step.unsigned_abs();
        let length = divisor / gcd(divisor, by);
        (length <= MAX_PERIOD).then_some(Period {
            length,
            most: Some(u128::from(room / by) + 1),
        })
    }

    /// The value below an extension, and how it is read.
    fn below_extension(&self, of: TermId, signed: bool) -> (TermId, bool) {
        match self.data(of) {
            Some(&TermData::Cast(CastOp::ZExt, inner)) => (inner, false),
            Some(&TermData::Cast(CastOp::SExt, inner)) => (inner, true),
            _ => (of, signed),
        }
    }

    /// The variable, its low bits, or zeros above it.
    fn is_counter_resized(&self, term: TermId) -> bool {
        match self.data(term) {
            Some(TermData::Cast(CastOp::ZExt, inner) | TermData::Extract { low: 0, of: inner }) => {
                self.is_counter(*inner)
            }
            _ => self.is_counter(term),
        }
    }

    fn is_counter(&self, term: TermId) -> bool {
        matches!(self.data(term), Some(TermData::Bound(0)))
    }
}
