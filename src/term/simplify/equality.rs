//! Equality.

use crate::Interval;
use crate::bv::word;
use crate::pool::TermData;
use crate::{BinOp, Bv, CastOp, CmpOp, Linear, Sort, TermId, TermPool};

/// `eq-ite` goes through at most this many nested choices.
const MAX_CHOICES: usize = 8;

impl TermPool {
    pub(super) fn mk_eq(&mut self, a: TermId, b: TermId) -> TermId {
        // rule: eq-same
        if a == b {
            return TermId::TRUE;
        }
        let width = self.width(a);
        if width == 1 {
            return self.mk_equivalence(a, b);
        }
        let (lhs, rhs) = if width <= 64 {
            match self.normal_equation(a, b) {
                Ok(sides) => sides,
                Err(decided) => return TermPool::truth_value(decided),
            }
        } else {
            let swap = self.is_const(a) || (!self.is_const(b) && b < a);
            if swap { (b, a) } else { (a, b) }
        };
        if let Some(done) = self.eq_structural(lhs, rhs) {
            return done;
        }
        self.intern(TermData::Compare(CmpOp::Eq, lhs, rhs), Sort::Bv(1))
    }

    /// Left and right side of the canonical equation, or its truth value.
    fn normal_equation(&mut self, a: TermId, b: TermId) -> Result<(TermId, TermId), bool> {
        // rule: eq-linear
        let difference = self.linear(a).sub(&self.linear(b));
        let mut difference = self.without_shifts(difference);
        let width = difference.width;
        if let Some(value) = difference.as_constant() {
            return Err(value == 0);
        }
        // rule: eq-invert
        let power = difference
            .terms
            .iter()
            .fold(0, |bits, (c, _)| bits | c)
            .trailing_zeros();
        if difference.constant.trailing_zeros() < power {
            return Err(false);
        }
        if let [(factor, _)] = difference.terms.as_slice() {
            difference = difference.scale(word::inverse(factor >> power));
        } else {
            // rule: eq-scale
            let factor = common_factor(&difference);
            let odd = factor >> factor.trailing_zeros();
            difference = divide(&difference, i128::from(odd));
        }
        // rule: eq-sign
        let half = word::sign_bit(width);
        if difference
            .terms
            .iter()
            .map(|(c, _)| *c)
            .find(|c| *c != half)
            .is_some_and(|c| c > half)
        {
            difference = difference.scale(u64::MAX);
        }
        // rule: eq-range
        let range = self.sum_range(&difference);
        let modulus = 1i128 << width;
        if range.low.div_euclid(modulus) == range.high.div_euclid(modulus)
            && range.low.rem_euclid(modulus) > 0
        {
            return Err(false);
        }
        // rule: eq-divide
        if power > 0 && -modulus < range.low && range.high < modulus {
            difference = divide(&difference, 1i128 << power);
            if let Some(decided) = self.out_of_range(&difference) {
                return Err(decided);
            }
        }
        let zero = Linear::constant(width, 0);
        let (left, right): (Vec<_>, Vec<_>) = difference
            .terms
            .iter()
            .copied()
            .partition(|(c, _)| *c <= half);
        let lhs = self.linear_term(Linear {
            terms: left,
            ..zero.clone()
        });
        let rest = Linear {
            terms: right,
            constant: difference.constant,
            ..zero
        };
        let rhs = self.linear_term(rest.scale(u64::MAX));
        Ok((lhs, rhs))
    }

    /// A difference in which 2^k·(x >> k) is x − (x mod 2^k), where that leaves fewer terms.
    fn without_shifts(&mut self, mut difference: Linear) -> Linear {
        // rule: eq-shift
        let mut position = 0;
        while let Some(&(factor, term)) = difference.terms.get(position) {
            position += 1;
            let Some((bits, shifted)) = self.shift_right(term) else {
                continue;
            };
            if factor.trailing_zeros() < bits {
                continue;
            }
            let low = self.extract(0, bits, shifted);
            let low = self.cast(CastOp::ZExt, difference.width, low);
            let high = self.linear(shifted).sub(&self.linear(low));
            let without = difference
                .sub(&self.linear(term).scale(factor))
                .add_scaled(factor >> bits, &high);
            if without.terms.len() < difference.terms.len() {
                difference = without;
                position = 0;
            }
        }
        difference
    }

    /// k and x of x >> k, a logical shift by 0 < k < width.
    fn shift_right(&self, term: TermId) -> Option<(u32, TermId)> {
        let high = self.cast_operand(CastOp::ZExt, term)?;
        let &TermData::Extract { low, of } = self.data(high)? else {
            return None;
        };
        let width = self.width(of);
        let is_shift = low > 0 && low + self.width(high) == width && width == self.width(term);
        is_shift.then_some((low, of))
    }

    fn out_of_range(&self, difference: &Linear) -> Option<bool> {
        let Interval { low, high } = self.sum_range(difference);
        let modulus = 1i128 << difference.width;
        let never =
            low.div_euclid(modulus) == high.div_euclid(modulus) && low.rem_euclid(modulus) > 0;
        never.then_some(false)
    }

    /// Rules that look at the operators of both sides.
    fn eq_structural(&mut self, lhs: TermId, rhs: TermId) -> Option<TermId> {
        // rule: eq-extend
        for op in [CastOp::ZExt, CastOp::SExt] {
            if let Some((x, y)) = self.ext_pair(op, lhs, rhs) {
                return Some(self.eq(x, y));
            }
            for (side, other) in [(lhs, rhs), (rhs, lhs)] {
                if self.cast_operand(op, side).is_some() && self.is_const(other) {
                    return Some(TermId::FALSE);
                }
            }
        }
        if let Some(wraps) = self.eq_wrap(lhs, rhs) {
            return Some(wraps);
        }
        for (side, other) in [(lhs, rhs), (rhs, lhs)] {
            // rule: eq-xor
            if let Some(rest) = self.cancelled(side, other) {
                let zero = self.bv(self.width(rest), 0);
                return Some(self.eq(rest, zero));
            }
            if let Some(done) = self
                .eq_ite(side, other)
                .or_else(|| self.eq_concat(side, other))
                .or_else(|| self.eq_quotient(side, other))
            {
                return Some(done);
            }
        }
        None
    }

    /// Extensions of two terms that differ by a constant, and numbers added: whether adding the constant wraps around.
    fn eq_wrap(&mut self, lhs: TermId, rhs: TermId) -> Option<TermId> {
        // rule: eq-wrap
        let (op, moved, to_moved) = self.moved_extension(lhs)?;
        let (other_op, of, to_of) = self.moved_extension(rhs)?;
        let width = self.width(of);
        if op != other_op || width != self.width(moved) || width > 64 {
            return None;
        }
        let by = self.linear(moved).sub(&self.linear(of)).as_constant()?;
        if by == 0 {
            // Of more than 64 bits, which do not cancel.
            return Some(TermPool::truth_value(to_moved == to_of));
        }
        // ext(of + by) − ext of is `by`, or that less 2^w upwards, that and 2^w downwards.
        let difference = Bv::binary(BinOp::Sub, &to_of, &to_moved);
        let straight = Bv::new(width, by).cast(op, difference.width());
        let around = Bv::binary(
            BinOp::Shl,
            &Bv::new(difference.width(), 1),
            &Bv::new(difference.width(), width.into()),
        );
        let is_upwards = op == CastOp::ZExt || !straight.sign();
        let around = match is_upwards {
            true => Bv::binary(BinOp::Sub, &straight, &around),
            false => Bv::binary(BinOp::Add, &straight, &around),
        };
        if difference != straight && difference != around {
            return Some(TermId::FALSE);
        }
        // Upwards it stays in range below 2^w − by, or 2^(w−1) − by; downwards not below the same number.
        let stays_below = match op {
            CastOp::SExt => {
                let bound = self.bv(width, word::sign_bit(width).wrapping_sub(by));
                self.slt(of, bound)
            }
            CastOp::ZExt | CastOp::Trunc => {
                let bound = self.bv(width, by.wrapping_neg());
                self.ult(of, bound)
            }
        };
        match (difference == straight) == is_upwards {
            true => Some(stays_below),
            false => Some(self.not(stays_below)),
        }
    }

    /// An extension and the constant that is added to it.
    fn moved_extension(&self, term: TermId) -> Option<(CastOp, TermId, Bv)> {
        let (extension, constant) = match self.data(term)? {
            TermData::Cast(..) => (term, Bv::zero(self.width(term))),
            TermData::Sum { constant, terms } => match terms.as_ref() {
                [(1, only)] => (*only, Bv::new(self.width(term), *constant)),
                _ => return None,
            },
            &TermData::Binary(BinOp::Add, a, b) => match (self.as_const(a), self.as_const(b)) {
                (Some(constant), None) => (b, constant),
                (None, Some(constant)) => (a, constant),
                _ => return None,
            },
            _ => return None,
        };
        match self.data(extension)? {
            &TermData::Cast(op, of) => Some((op, of, constant)),
            _ => None,
        }
    }

    fn eq_quotient(&mut self, side: TermId, constant: TermId) -> Option<TermId> {
        // rule: cmp-quotient
        if !self.is_const(constant) {
            return None;
        }
        self.quotient(side)?.equals(self, constant)
    }

    fn eq_ite(&mut self, side: TermId, constant: TermId) -> Option<TermId> {
        // rule: eq-ite
        if !self.is_const(constant) {
            return None;
        }
        let mut choices = 0;
        let mut inner = side;
        while let Some(TermData::Ite(_, t, e)) = self.data(inner) {
            choices += 1;
            inner = match (self.is_const(*t), self.is_const(*e)) {
                (true, _) => *e,
                (false, true) => *t,
                (false, false) => return None,
            };
        }
        if choices == 0 || choices > MAX_CHOICES {
            return None;
        }
        let Some(&TermData::Ite(c, t, e)) = self.data(side) else {
            return None;
        };
        let (c, fixed, open) = if self.is_const(t) {
            (c, t, e)
        } else {
            (self.not(c), e, t)
        };
        let rest = self.eq(open, constant);
        Some(if fixed == constant {
            self.or(c, rest)
        } else {
            let not_c = self.not(c);
            self.and(not_c, rest)
        })
    }

    fn eq_concat(&mut self, side: TermId, other: TermId) -> Option<TermId> {
        // rule: eq-concat
        let Some(&TermData::Concat { high, low }) = self.data(side) else {
            return None;
        };
        let cut = self.width(low);
        let splits = match self.data(other) {
            Some(TermData::Concat { low, .. }) => self.width(*low) == cut,
            _ => self.is_const(other),
        };
        if !splits {
            return None;
        }
        let (other_high, other_low) = (
            self.extract(cut, self.width(high), other),
            self.extract(0, cut, other),
        );
        let highs = self.eq(high, other_high);
        let lows = self.eq(low, other_low);
        Some(self.and(highs, lows))
    }
}

/// The greatest common divisor of all numbers of a form, read as signed; not 0.
fn common_factor(linear: &Linear) -> u64 {
    let constant = word::signed(linear.width, linear.constant).unsigned_abs();
    linear
        .signed_terms()
        .fold(constant, |factor, (c, _)| gcd(factor, c.unsigned_abs()))
}

pub(super) fn gcd(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// All numbers, read as signed, divided exactly.
fn divide(linear: &Linear, divisor: i128) -> Linear {
    let width = linear.width;
    let quotient = |value: u64| {
        let value = i128::from(word::signed(width, value));
        debug_assert_eq!(value % divisor, 0, "the divisor is common");
        let quotient = i64::try_from(value / divisor).expect("a quotient is not larger");
        word::unsigned(width, quotient)
    };
    Linear {
        width,
        constant: quotient(linear.constant),
        terms: linear
            .terms
            .iter()
            .map(|(c, t)| (quotient(*c), *t))
            .collect(),
    }
}
