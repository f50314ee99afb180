//! Orderings.

use crate::Interval;
use crate::bv::word;
use crate::pool::TermData;
use crate::{BinOp, Bv, CastOp, CmpOp, Sort, TermId, TermPool};

impl TermPool {
    /// a < b.
    pub(super) fn mk_less(&mut self, signed: bool, a: TermId, b: TermId) -> TermId {
        match self.less_rules(signed, a, b) {
            Some(done) => done,
            None => {
                let op = if signed { CmpOp::Slt } else { CmpOp::Ult };
                self.intern(TermData::Compare(op, a, b), Sort::Bv(1))
            }
        }
    }

    /// a ≤ b: the negation of b < a.
    pub(super) fn mk_less_equal(&mut self, signed: bool, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        // rule: ule-constant
        if let Some(value) = self.as_const(b) {
            if value == greatest(signed, width) {
                return TermId::TRUE;
            }
            let next = self.shifted(&value, 1);
            return self.less(signed, a, next);
        }
        if let Some(value) = self.as_const(a) {
            if value == least(signed, width) {
                return TermId::TRUE;
            }
            let previous = self.shifted(&value, -1);
            return self.less(signed, previous, b);
        }
        match self.less_rules(signed, b, a) {
            Some(done) => self.not(done),
            None => {
                let op = if signed { CmpOp::Sle } else { CmpOp::Ule };
                self.intern(TermData::Compare(op, a, b), Sort::Bv(1))
            }
        }
    }

    fn less(&mut self, signed: bool, a: TermId, b: TermId) -> TermId {
        self.compare(if signed { CmpOp::Slt } else { CmpOp::Ult }, a, b)
    }

    fn shifted(&mut self, value: &Bv, by: i64) -> TermId {
        let by = Bv::from_i64(value.width(), by);
        self.constant(&Bv::binary(crate::BinOp::Add, value, &by))
    }

    /// a < b by a rule; `None` when it has to become a node.
    fn less_rules(&mut self, signed: bool, a: TermId, b: TermId) -> Option<TermId> {
        // rule: cmp-same
        if a == b {
            return Some(TermId::FALSE);
        }
        let width = self.width(a);
        if width == 1 {
            // rule: cmp-bool
            let (zero, one) = if signed { (b, a) } else { (a, b) };
            let zero = self.not(zero);
            return Some(self.and(zero, one));
        }
        if width <= 64 {
            // rule: cmp-range
            let (x, y) = if signed {
                (self.signed_range(a), self.signed_range(b))
            } else {
                (self.unsigned_range(a), self.unsigned_range(b))
            };
            if x.high < y.low {
                return Some(TermId::TRUE);
            }
            if x.low >= y.high {
                return Some(TermId::FALSE);
            }
            // rule: slt-unsigned
            if signed && ((x.low >= 0 && y.low >= 0) || (x.high < 0 && y.high < 0)) {
                return Some(self.ult(a, b));
            }
        }
        self.less_constant(signed, a, b)
            .or_else(|| self.less_extended(signed, a, b))
            .or_else(|| self.less_shifted(signed, a, b))
            .or_else(|| self.less_choice(signed, a, b))
            .or_else(|| self.less_quotient(signed, a, b))
    }

    /// One side is at the edge of the range.
    fn less_constant(&mut self, signed: bool, a: TermId, b: TermId) -> Option<TermId> {
        // rule: ult-edge
        let width = self.width(a);
        let (least, greatest) = (least(signed, width), greatest(signed, width));
        if let Some(value) = self.as_const(b) {
            if value == least {
                return Some(TermId::FALSE);
            }
            if value == greatest {
                return Some(self.ne(a, b));
            }
            let below = self.shifted(&value, -1);
            return (self.as_const(below)? == least).then(|| self.eq(a, below));
        }
        let value = self.as_const(a)?;
        if value == greatest {
            return Some(TermId::FALSE);
        }
        if value == least {
            return Some(self.ne(a, b));
        }
        let above = self.shifted(&value, 1);
        (self.as_const(above)? == greatest).then(|| self.eq(above, b))
    }

    /// Extensions on both sides.
    fn less_extended(&mut self, signed: bool, a: TermId, b: TermId) -> Option<TermId> {
        // rule: ult-extend
        if let Some((x, y)) = self.ext_pair(CastOp::ZExt, a, b) {
            // Strictly wider, so that no extension has a sign.
            return Some(self.ult(x, y));
        }
        let (x, y) = self.ext_pair(CastOp::SExt, a, b)?;
        Some(self.less(signed, x, y))
    }

    /// The same terms on both sides, with other constants.
    fn less_shifted(&mut self, signed: bool, a: TermId, b: TermId) -> Option<TermId> {
        let width = self.width(a);
        if width > 64 {
            return None;
        }
        let offset = self.linear(b).sub(&self.linear(a)).as_constant()?;
        if self.is_const(a) || self.is_const(b) {
            return None;
        }
        if signed {
            // rule: slt-shift
            let sign = word::sign_bit(width);
            // Upwards: a + d does not wrap iff a < 2^(w−1) − d, as long as d is positive.
            // Downwards: it wraps, and so is greater, iff a < −2^(w−1) − d. The same number.
            let bound = self.bv(width, sign.wrapping_sub(offset));
            return Some(self.slt(a, bound));
        }
        // rule: ult-shift
        let bound = self.bv(width, offset.wrapping_neg());
        Some(self.ult(a, bound))
    }

    /// A choice between constants against a constant.
    fn less_choice(&mut self, signed: bool, a: TermId, b: TermId) -> Option<TermId> {
        // rule: cmp-ite
        let choice = |pool: &TermPool, side: TermId| match pool.data(side) {
            Some(&TermData::Ite(c, t, e)) if pool.is_const(t) && pool.is_const(e) => {
                Some((c, t, e))
            }
            _ => None,
        };
        let (c, on_true, on_false) = if self.is_const(b) {
            let (c, t, e) = choice(self, a)?;
            (c, self.less(signed, t, b), self.less(signed, e, b))
        } else if self.is_const(a) {
            let (c, t, e) = choice(self, b)?;
            (c, self.less(signed, a, t), self.less(signed, a, e))
        } else {
            return None;
        };
        Some(self.ite(c, on_true, on_false))
    }
}

/// A quotient of up to 64 bits by a constant: x / c, as integers.
pub(super) struct Quotient {
    signed: bool,
    width: u32,
    of: TermId,
    divisor: i128,
}

impl Quotient {
    /// x / c ≤ m.
    fn at_most(&self, pool: &mut TermPool, m: i128) -> TermId {
        let below = if m < 0 { 0 } else { self.divisor - 1 };
        let bound = m * self.divisor + below;
        match self.bound(pool, bound) {
            Ok(bound) => pool.compare(self.less_equal(), self.of, bound),
            Err(above) => TermPool::truth_value(above),
        }
    }

    /// m ≤ x / c.
    fn at_least(&self, pool: &mut TermPool, m: i128) -> TermId {
        let above = if m > 0 { 0 } else { self.divisor - 1 };
        let bound = m * self.divisor - above;
        match self.bound(pool, bound) {
            Ok(bound) => pool.compare(self.less_equal(), bound, self.of),
            Err(above) => TermPool::truth_value(!above),
        }
    }

    /// x / c = m.
    pub(super) fn equals(&self, pool: &mut TermPool, m: TermId) -> Option<TermId> {
        let m = self.number(pool, m)?;
        let (low, high) = (self.at_least(pool, m), self.at_most(pool, m));
        Some(pool.and(low, high))
    }

    /// A number as it is compared with x, or whether it is above all of these.
    fn bound(&self, pool: &mut TermPool, bound: i128) -> Result<TermId, bool> {
        let all = Interval::reading(self.width, self.signed);
        if !all.contains(&bound) {
            return Err(bound > all.high);
        }
        let low_bits = bound & i128::from(word::mask(self.width));
        Ok(pool.bv(self.width, u64::try_from(low_bits).expect("cut to 64 bits")))
    }

    fn number(&self, pool: &TermPool, m: TermId) -> Option<i128> {
        Some(word::number(self.width, pool.as_u64(m)?, self.signed))
    }

    fn less_equal(&self) -> CmpOp {
        if self.signed { CmpOp::Sle } else { CmpOp::Ule }
    }
}

impl TermPool {
    /// A quotient by a constant, which is positive.
    pub(super) fn quotient(&self, term: TermId) -> Option<Quotient> {
        let Some(&TermData::Binary(op, of, divisor)) = self.data(term) else {
            return None;
        };
        let width = self.width(term);
        let signed = match op {
            BinOp::UDiv => false,
            BinOp::SDiv => true,
            _ => return None,
        };
        let quotient = Quotient {
            signed,
            width,
            of,
            divisor: 1,
        };
        let divisor = (width <= 64).then(|| quotient.number(self, divisor))??;
        (divisor > 0).then_some(Quotient {
            divisor,
            ..quotient
        })
    }

    /// A quotient by a constant against a constant.
    fn less_quotient(&mut self, signed: bool, a: TermId, b: TermId) -> Option<TermId> {
        // rule: cmp-quotient
        if let Some(quotient) = self.quotient(a).filter(|found| found.signed == signed) {
            let m = quotient.number(self, b)?;
            return Some(quotient.at_most(self, m - 1));
        }
        let quotient = self.quotient(b).filter(|found| found.signed == signed)?;
        let m = quotient.number(self, a)?;
        Some(quotient.at_least(self, m + 1))
    }
}

fn least(signed: bool, width: u32) -> Bv {
    if signed {
        greatest(true, width).not()
    } else {
        Bv::zero(width)
    }
}

fn greatest(signed: bool, width: u32) -> Bv {
    let ones = Bv::ones(width);
    if signed {
        Bv::binary(crate::BinOp::LShr, &ones, &Bv::new(width, 1))
    } else {
        ones
    }
}
