//! And, or, exclusive or of widths from 2.

use crate::bv::word;
use crate::pool::TermData;
use crate::{BinOp, Bv, CastOp, Linear, TermId, TermPool};

impl TermPool {
    pub(super) fn mk_bitwise(&mut self, op: BinOp, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        // rule: bit-idempotent
        if a == b {
            return if op == BinOp::Xor {
                self.constant(&Bv::zero(width))
            } else {
                a
            };
        }
        // Constants stand last, other operands in order.
        let swap = self.is_const(a) || (!self.is_const(b) && b < a);
        let (a, b) = if swap { (b, a) } else { (a, b) };
        if let Some(value) = self.as_const(b)
            && let Some(done) = self.bitwise_constant(op, a, b, &value)
        {
            return done;
        }
        // rule: bit-complement
        if self.is_complement(a, b) {
            let result = if op == BinOp::And {
                Bv::zero(width)
            } else {
                Bv::ones(width)
            };
            return self.constant(&result);
        }
        // rule: xor-cancel
        if op == BinOp::Xor
            && let Some(rest) = self.cancelled(a, b).or_else(|| self.cancelled(b, a))
        {
            return rest;
        }
        // rule: bit-disjoint
        if width <= 64 && (self.fits_below(a, b) || self.fits_below(b, a)) {
            return if op == BinOp::And {
                self.bv(width, 0)
            } else {
                self.add(a, b)
            };
        }
        // rule: or-concat
        if op == BinOp::Or
            && width > 64
            && let Some(joined) = self.put_above(a, b).or_else(|| self.put_above(b, a))
        {
            return joined;
        }
        // rule: bit-narrow
        for cast in [CastOp::ZExt, CastOp::SExt] {
            if let Some((x, y)) = self.ext_pair(cast, a, b) {
                let narrow = self.binary(op, x, y);
                return self.cast(cast, width, narrow);
            }
        }
        self.binary_node(op, a, b)
    }

    /// Rules for a constant second operand.
    fn bitwise_constant(&mut self, op: BinOp, a: TermId, b: TermId, value: &Bv) -> Option<TermId> {
        let width = self.width(a);
        // rule: bit-neutral
        match (op, value.is_zero(), value.is_ones()) {
            (BinOp::And, true, _) | (BinOp::Or, _, true) => return Some(b),
            (BinOp::And, _, true) | (BinOp::Or | BinOp::Xor, true, _) => return Some(a),
            (BinOp::Xor, _, true) => return Some(self.not(a)),
            _ => {}
        }
        // rule: bit-constants
        if let Some(TermData::Binary(inner, x, c)) = self.data(a)
            && *inner == op
            && self.is_const(*c)
        {
            let (x, c) = (*x, *c);
            let constants = self.binary(op, c, b);
            return Some(self.binary(op, x, constants));
        }
        match op {
            BinOp::And => {
                // rule: and-mask
                let word = value.word().or_else(|| mask_of_wide(value))?;
                let low = word.trailing_zeros();
                let ones = (word >> low).trailing_ones();
                if width <= 64
                    && low + ones == width
                    && let Some(aligned) = self.aligned_down(a, low)
                {
                    return Some(aligned);
                }
                let contiguous = low + ones == 64 - word.leading_zeros();
                if !contiguous || (width > 64 && low > 0) {
                    return self.narrow_mask(a, value);
                }
                let bits = self.extract(low, ones, a);
                let wide = self.cast(CastOp::ZExt, width, bits);
                let factor = self.bv(width, 1 << low);
                Some(self.mul(wide, factor))
            }
            BinOp::Or if width <= 64 => {
                // rule: or-constant
                let others = self.constant(&value.not());
                let rest = self.and(a, others);
                Some(self.add(rest, b))
            }
            BinOp::Xor if value.word() == Some(word::sign_bit(width.min(64))) && width <= 64 => {
                // rule: xor-sign
                Some(self.add(a, b))
            }
            _ => None,
        }
    }

    /// A mask on a zero-extension cuts to the narrower width, even when it is no extension.
    fn narrow_mask(&mut self, a: TermId, mask: &Bv) -> Option<TermId> {
        // rule: bit-narrow
        let x = self.cast_operand(CastOp::ZExt, a)?;
        let narrow = self.constant(&mask.cast(CastOp::Trunc, self.width(x)));
        let masked = self.and(x, narrow);
        Some(self.cast(CastOp::ZExt, mask.width(), masked))
    }

    /// `rest` for a = x and b = x ^ rest.
    pub(super) fn cancelled(&self, a: TermId, b: TermId) -> Option<TermId> {
        match self.data(b) {
            Some(TermData::Binary(BinOp::Xor, x, rest)) if *x == a => Some(*rest),
            Some(TermData::Binary(BinOp::Xor, rest, x)) if *x == a => Some(*rest),
            _ => None,
        }
    }

    /// The term without its low bits, of up to 64 bits, where symbols in it are known to be without
    /// them; `None` where none is.
    fn aligned_down(&mut self, term: TermId, low: u32) -> Option<TermId> {
        // rule: and-multiple
        let sum = self.linear(term);
        let is_aligned = |(factor, part): &(u64, TermId)| {
            factor.trailing_zeros() + self.trailing_zeros(*part) >= low
        };
        let is_address = |part: &&(u64, TermId)| {
            is_aligned(part) && matches!(self.data(part.1), Some(TermData::Symbol(_)))
        };
        if low == 0 || !sum.terms.iter().any(|part| is_address(&part)) {
            return None;
        }
        let (aligned, rest): (Vec<_>, Vec<_>) = sum.terms.iter().copied().partition(is_aligned);
        let aligned = Linear {
            terms: aligned,
            constant: 0,
            ..sum
        };
        let rest = Linear {
            terms: rest,
            constant: sum.constant,
            ..aligned
        };
        let (aligned, rest) = (self.linear_term(aligned), self.linear_term(rest));
        let mask = self.bv(sum.width, word::mask(sum.width) << low);
        let rest = self.and(rest, mask);
        Some(self.add(aligned, rest))
    }

    /// What is shifted to the left above what lies below it, for terms of more than 64 bits.
    fn put_above(&mut self, shifted: TermId, below: TermId) -> Option<TermId> {
        let &TermData::Binary(BinOp::Mul, upper, factor) = self.data(shifted)? else {
            return None;
        };
        let factor = self.as_const(factor)?.to_biguint();
        let shift = u32::try_from(factor.trailing_zeros()?).ok()?;
        let low = self.cast_operand(CastOp::ZExt, below)?;
        if factor.count_ones() != 1 || self.width(low) > shift {
            return None;
        }
        let high = self.extract(0, self.width(shifted) - shift, upper);
        let low = self.cast(CastOp::ZExt, shift, low);
        Some(self.concat(high, low))
    }

    /// True only if a = ~b.
    fn is_complement(&self, a: TermId, b: TermId) -> bool {
        if self.width(a) <= 64 {
            let sum = self.linear(a).add(&self.linear(b));
            sum.as_constant() == Some(word::mask(sum.width))
        } else {
            let is_not = |x, y| matches!(self.data(x), Some(TermData::Not(z)) if *z == y);
            is_not(a, b) || is_not(b, a)
        }
    }

    /// True only if every bit of `a` is below every bit of `b`; up to 64 bits.
    fn fits_below(&self, a: TermId, b: TermId) -> bool {
        let zeros = self.trailing_zeros(b);
        zeros >= 64 || self.umax(a) >> zeros == 0
    }

    /// Low bits that always are zero, at least; up to 64 bits.
    pub(super) fn trailing_zeros(&self, term: TermId) -> u32 {
        if let Some(value) = self.as_u64(term) {
            return value.trailing_zeros();
        }
        match self.data(term) {
            Some(TermData::Sum { constant, terms }) => {
                let zeros =
                    |(c, part): &(u64, TermId)| c.trailing_zeros() + self.trailing_zeros(*part);
                let zeros = terms.iter().map(zeros).min().unwrap_or(64);
                zeros.min(constant.trailing_zeros())
            }
            Some(TermData::Symbol(symbol)) => self.symbol_divisor(*symbol).trailing_zeros(),
            _ => 0,
        }
    }
}

/// A mask above 64 bits that is a run of at most 64 ones from bit 0.
fn mask_of_wide(value: &Bv) -> Option<u64> {
    value
        .to_u64()
        .filter(|word| word.trailing_ones() == 64 - word.leading_zeros())
}
