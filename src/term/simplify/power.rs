//! Geometric progressions: constants raised to a symbolic exponent.

use crate::pool::TermData;
use crate::{BinOp, Bv, CastOp, Linear, Sort, TermId, TermPool};

impl TermPool {
    /// base^exponent mod 2^w, w being the width of the base; the exponent is unsigned, of any
    /// width. 0^0 = 1.
    ///
    /// ```
    /// use compact_se_term::{Bv, TermPool};
    /// let mut pool = TermPool::new();
    /// let exponent = pool.bv(8, 5);
    /// let power = pool.power(&Bv::new(8, 3), exponent);
    /// assert_eq!(pool.as_u64(power), Some(243));
    /// ```
    pub fn power(&mut self, base: &Bv, exponent: TermId) -> TermId {
        let width = base.width();
        // rule: power-constant
        if let Some(exponent) = self.as_const(exponent) {
            return self.constant(&base.pow(&exponent));
        }
        if base.to_u64() == Some(1) {
            return self.constant(base);
        }
        let one = self.constant(&Bv::new(width, 1));
        if base.is_zero() {
            let zero_iterations = self.bv(self.width(exponent), 0);
            let is_zero = self.eq(exponent, zero_iterations);
            return self.cast(CastOp::ZExt, width, is_zero);
        }
        if base.is_ones() {
            let odd = self.extract(0, 1, exponent);
            let minus_one = self.constant(base);
            return self.ite(odd, minus_one, one);
        }
        // rule: power-two
        if base.to_u64() == Some(2) {
            return self.power_of_two(width, one, exponent);
        }
        // rule: power-split
        let exponent_width = self.width(exponent);
        if exponent_width <= 64 && base.bit(0) && exponent_width + 2 >= width {
            // The order of an odd number modulo 2^w divides 2^(w−2), so that exponents may wrap.
            let linear = self.linear(exponent);
            if linear.constant != 0 {
                let constant = Bv::new(exponent_width, linear.constant);
                let factor = self.constant(&base.pow(&constant));
                let rest = self.linear_term(Linear {
                    constant: 0,
                    ..linear
                });
                let power = self.power(base, rest);
                return self.mul(factor, power);
            }
        }
        self.intern(
            TermData::Power {
                base: Box::new(base.clone()),
                exponent,
            },
            Sort::Bv(width),
        )
    }

    fn power_of_two(&mut self, width: u32, one: TermId, exponent: TermId) -> TermId {
        let exponent_width = self.width(exponent);
        if exponent_width <= width {
            let shift = self.cast(CastOp::ZExt, width, exponent);
            return self.binary(BinOp::Shl, one, shift);
        }
        let limit = self.bv(exponent_width, u64::from(width));
        let small = self.ult(exponent, limit);
        let shift = self.extract(0, width, exponent);
        let shifted = self.binary(BinOp::Shl, one, shift);
        let zero = self.constant(&Bv::zero(width));
        self.ite(small, shifted, zero)
    }
}
