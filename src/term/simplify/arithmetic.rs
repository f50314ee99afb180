//! Sums, products, division, shifts; widths from 2.

use crate::Interval;
use crate::bv::word;
use crate::pool::TermData;
use crate::{BinOp, Bv, CastOp, Linear, Sort, TermId, TermPool};

/// A product distributes over a sum when at most this many products of terms come out.
const MAX_PRODUCTS: usize = 2;
/// Products of up to this many factors are kept flat and sorted.
const MAX_FACTORS: usize = 16;

impl TermPool {
    pub(super) fn mk_add(&mut self, a: TermId, b: TermId) -> TermId {
        if self.width(a) > 64 {
            let narrow = self.computed_in_64_bits(BinOp::Add, a, b);
            return narrow.unwrap_or_else(|| self.add_wide(a, b));
        }
        // rule: sum-normal
        let sum = self.linear(a).add(&self.linear(b));
        self.linear_term(sum)
    }

    pub(super) fn mk_sub(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if width > 64 {
            let minus_one = self.constant(&Bv::ones(width));
            let negated = self.mul(minus_one, b);
            return self.add(a, negated);
        }
        // rule: sum-normal
        let difference = self.linear(a).sub(&self.linear(b));
        self.linear_term(difference)
    }

    pub(super) fn mk_mul(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if width > 64 {
            let narrow = self.computed_in_64_bits(BinOp::Mul, a, b);
            return narrow.unwrap_or_else(|| self.mul_wide(a, b));
        }
        // rule: sum-normal
        let (x, y) = (self.linear(a), self.linear(b));
        if let Some(factor) = x.as_constant() {
            return self.linear_term(y.scale(factor));
        }
        if let Some(factor) = y.as_constant() {
            return self.linear_term(x.scale(factor));
        }
        // rule: mul-distribute
        if x.terms.len() * y.terms.len() <= MAX_PRODUCTS {
            let mut result = Linear::constant(width, x.constant.wrapping_mul(y.constant))
                .add_scaled(
                    x.constant,
                    &Linear {
                        constant: 0,
                        ..y.clone()
                    },
                )
                .add_scaled(
                    y.constant,
                    &Linear {
                        constant: 0,
                        ..x.clone()
                    },
                );
            for (c, t) in &x.terms {
                for (d, u) in &y.terms {
                    let product = self.product(*t, *u);
                    let product = Linear {
                        width,
                        constant: 0,
                        terms: vec![(1, product)],
                    };
                    result = result.add_scaled(c.wrapping_mul(*d), &product);
                }
            }
            return self.linear_term(result);
        }
        for (linear, other) in [(&x, b), (&y, a)] {
            if let ([(factor, term)], 0) = (linear.terms.as_slice(), linear.constant)
                && *factor != 1
            {
                let product = self.product(*term, other);
                return self.linear_term(self.linear(product).scale(*factor));
            }
        }
        self.product(a, b)
    }

    /// A product of terms that are not constants; never a sum.
    fn product(&mut self, a: TermId, b: TermId) -> TermId {
        // rule: mul-order
        let sort = self.sort(a);
        let mut factors = Vec::new();
        if self.push_factors(a, &mut factors)
            && self.push_factors(b, &mut factors)
            && factors.len() <= MAX_FACTORS
        {
            factors.sort_unstable();
        } else {
            factors = vec![a.min(b), a.max(b)];
        }
        let mut product = factors[0];
        for factor in &factors[1..] {
            product = self.intern(TermData::Binary(BinOp::Mul, product, *factor), sort);
        }
        product
    }

    /// Appends the factors of a chain without sums; false when there is a sum or too many.
    fn push_factors(&self, term: TermId, factors: &mut Vec<TermId>) -> bool {
        let mut rest = term;
        while let Some(TermData::Binary(BinOp::Mul, a, b)) = self.data(rest) {
            if factors.len() > MAX_FACTORS || self.is_compound_factor(*b) {
                return false;
            }
            factors.push(*b);
            rest = *a;
        }
        factors.push(rest);
        !self.is_compound_factor(rest)
    }

    fn is_compound_factor(&self, term: TermId) -> bool {
        matches!(
            self.data(term),
            Some(TermData::Sum { .. } | TermData::Binary(BinOp::Mul, ..))
        )
    }

    /// A sum or product above 64 bits as the extension of one of 64 bits, where that is exact.
    fn computed_in_64_bits(&mut self, op: BinOp, a: TermId, b: TermId) -> Option<TermId> {
        // rule: narrow-wide
        let (x, y) = (self.range_of_wide(a)?, self.range_of_wide(b)?);
        let range = if op == BinOp::Mul {
            x.product(&y, a == b)?
        } else {
            x.plus(&y)?
        };
        let cast = if range.within(&Interval::signed(64)) {
            CastOp::SExt
        } else if range.within(&Interval::unsigned(64)) {
            CastOp::ZExt
        } else {
            return None;
        };
        let width = self.width(a);
        let (a, b) = (self.extract(0, 64, a), self.extract(0, 64, b));
        let narrow = self.binary(op, a, b);
        Some(self.cast(cast, width, narrow))
    }

    /// Bounds of a term above 64 bits, read as signed: of an extension of no more, and of a constant that
    /// has as many.
    fn range_of_wide(&self, term: TermId) -> Option<Interval> {
        if let Some(value) = self.as_const(term) {
            return value
                .to_i64()
                .map(|value| Interval::point(i128::from(value)));
        }
        match self.data(term)? {
            TermData::Cast(CastOp::ZExt, of) if self.width(*of) <= 64 => {
                Some(self.unsigned_range(*of))
            }
            TermData::Cast(CastOp::SExt, of) if self.width(*of) <= 64 => {
                Some(self.signed_range(*of))
            }
            _ => None,
        }
    }

    /// A term above 64 bits as `base + constant`.
    fn split_wide(&self, term: TermId) -> (TermId, Option<Bv>) {
        if let Some(TermData::Binary(BinOp::Add, base, constant)) = self.data(term)
            && let Some(constant) = self.as_const(*constant)
        {
            return (*base, Some(constant));
        }
        (term, None)
    }

    fn add_wide(&mut self, a: TermId, b: TermId) -> TermId {
        // rule: add-wide
        let sort = self.sort(a);
        let (a, b) = if self.is_const(a) { (b, a) } else { (a, b) };
        let (x, c) = self.split_wide(a);
        if let Some(d) = self.as_const(b) {
            let sum = c.map_or(d.clone(), |c| Bv::binary(BinOp::Add, &c, &d));
            return self.add_wide_constant(x, &sum);
        }
        let (y, d) = self.split_wide(b);
        let constant = match (c, d) {
            (Some(c), Some(d)) => Bv::binary(BinOp::Add, &c, &d),
            (Some(c), None) | (None, Some(c)) => c,
            (None, None) => Bv::zero(self.width(a)),
        };
        let base = if self.is_negation_wide(x, y) || self.is_negation_wide(y, x) {
            return self.constant(&constant);
        } else {
            self.intern(TermData::Binary(BinOp::Add, x.min(y), x.max(y)), sort)
        };
        self.add_wide_constant(base, &constant)
    }

    fn add_wide_constant(&mut self, base: TermId, constant: &Bv) -> TermId {
        if constant.is_zero() {
            return base;
        }
        let sort = self.sort(base);
        let constant = self.constant(constant);
        self.intern(TermData::Binary(BinOp::Add, base, constant), sort)
    }

    /// True iff `a` is (−1)·b.
    fn is_negation_wide(&self, a: TermId, b: TermId) -> bool {
        match self.data(a) {
            Some(TermData::Binary(BinOp::Mul, x, c)) => {
                *x == b && self.as_const(*c).is_some_and(|c| c.is_ones())
            }
            _ => false,
        }
    }

    fn mul_wide(&mut self, a: TermId, b: TermId) -> TermId {
        // rule: mul-wide
        let (a, b) = if self.is_const(a) { (b, a) } else { (a, b) };
        let sort = self.sort(a);
        let Some(factor) = self.as_const(b) else {
            return self.intern(TermData::Binary(BinOp::Mul, a.min(b), a.max(b)), sort);
        };
        let (base, factor) = match self.data(a) {
            Some(TermData::Binary(BinOp::Mul, x, c)) if self.is_const(*c) => {
                (*x, Bv::binary(BinOp::Mul, &self.bits(*c), &factor))
            }
            _ => (a, factor),
        };
        match factor.to_u64() {
            Some(0) => self.constant(&factor),
            Some(1) => base,
            _ => {
                let factor = self.constant(&factor);
                self.intern(TermData::Binary(BinOp::Mul, base, factor), sort)
            }
        }
    }

    // ----- shifts -----

    pub(super) fn mk_shl(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if let Some(shift) = self.shift_amount(width, b) {
            // rule: sum-normal
            let factor = Bv::binary(BinOp::Shl, &Bv::new(width, 1), &Bv::new(width, shift));
            let factor = self.constant(&factor);
            return self.mul(a, factor);
        }
        // rule: shl-zero
        if self.is_zero(a) || self.always_shifted_out(width, b) {
            return self.constant(&Bv::zero(width));
        }
        self.binary_node(BinOp::Shl, a, b)
    }

    pub(super) fn mk_lshr(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        // rule: shift-zero
        if self.is_zero(a) || self.is_zero(b) {
            return a;
        }
        // rule: lshr-extract
        if self.always_shifted_out(width, b) {
            return self.constant(&Bv::zero(width));
        }
        match self.shift_amount(width, b) {
            Some(shift) => {
                let shift = narrow(shift);
                let high = self.extract(shift, width - shift, a);
                self.cast(CastOp::ZExt, width, high)
            }
            None => self.binary_node(BinOp::LShr, a, b),
        }
    }

    pub(super) fn mk_ashr(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        // rule: shift-zero
        if self.is_zero(a) || self.is_zero(b) {
            return a;
        }
        // rule: ashr-positive
        if self.is_non_negative(a) {
            return self.mk_lshr(a, b);
        }
        // rule: ashr-extract
        let shift = if self.always_shifted_out(width, b) {
            Some(u64::from(width) - 1)
        } else {
            self.shift_amount(width, b)
        };
        match shift {
            Some(shift) => {
                let shift = narrow(shift);
                let high = self.extract(shift, width - shift, a);
                self.cast(CastOp::SExt, width, high)
            }
            None => self.binary_node(BinOp::AShr, a, b),
        }
    }

    /// A constant shift, capped at the width.
    fn shift_amount(&self, width: u32, shift: TermId) -> Option<u64> {
        let shift = self.as_const(shift)?;
        Some(shift.to_u64().unwrap_or(u64::MAX).min(u64::from(width)))
    }

    /// True only if the shift always is at least the width.
    fn always_shifted_out(&self, width: u32, shift: TermId) -> bool {
        if width <= 64 {
            self.umin(shift) >= u64::from(width)
        } else {
            self.shift_amount(width, shift) == Some(u64::from(width))
        }
    }

    // ----- division -----

    pub(super) fn mk_udiv(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if let Some(divisor) = self.as_const(b) {
            // rule: udiv-identity
            if divisor.is_zero() {
                return self.constant(&Bv::ones(width));
            }
            // rule: udiv-power
            if let Some(shift) = log2(&divisor) {
                let shift = self.bv(width, u64::from(shift));
                return self.binary(BinOp::LShr, a, shift);
            }
        }
        // rule: udiv-small
        if width <= 64 && self.umax(a) < self.umin(b) {
            return self.bv(width, 0);
        }
        // rule: udiv-narrow
        if let Some((x, y)) = self.zext_pair(a, b) {
            // Division by zero gives all ones of the width it is done in.
            if self.is_const(y) || (width <= 64 && self.umin(y) > 0) {
                let quotient = self.binary(BinOp::UDiv, x, y);
                return self.cast(CastOp::ZExt, width, quotient);
            }
        }
        // rule: udiv-udiv
        if let (Some(TermData::Binary(BinOp::UDiv, x, c)), Some(d)) = (self.data(a), self.as_u64(b))
            && let Some(product) = self.as_u64(*c).and_then(|c| c.checked_mul(d))
        {
            let x = *x;
            if product <= word::mask(width) && product != 0 {
                let product = self.bv(width, product);
                return self.binary(BinOp::UDiv, x, product);
            }
        }
        self.binary_node(BinOp::UDiv, a, b)
    }

    pub(super) fn mk_urem(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        // rule: urem-identity
        if a == b {
            return self.constant(&Bv::zero(width));
        }
        if let Some(divisor) = self.as_const(b) {
            if divisor.is_zero() {
                return a;
            }
            // rule: urem-power
            if log2(&divisor).is_some() {
                let mask = Bv::binary(BinOp::Sub, &divisor, &Bv::new(width, 1));
                let mask = self.constant(&mask);
                return self.and(a, mask);
            }
        }
        // rule: urem-small
        if width <= 64 && self.umax(a) < self.umin(b) {
            return a;
        }
        // rule: urem-narrow
        if let Some((x, y)) = self.zext_pair(a, b) {
            let remainder = self.binary(BinOp::URem, x, y);
            return self.cast(CastOp::ZExt, width, remainder);
        }
        self.binary_node(BinOp::URem, a, b)
    }

    pub(super) fn mk_sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if let Some(divisor) = self.as_const(b) {
            // rule: sdiv-identity
            if divisor.is_ones() {
                return self.neg(a);
            }
            if divisor.to_u64() == Some(1) {
                return a;
            }
            if divisor.is_zero() {
                let negative = self.slt(a, b);
                let (one, minus_one) = (self.bv(width, 1), self.bv_signed(width, -1));
                return self.ite(negative, one, minus_one);
            }
        }
        // rule: sdiv-sdiv
        if let (Some(TermData::Binary(BinOp::SDiv, x, c)), Some(d)) = (self.data(a), self.as_u64(b))
            && let Some(product) = self.as_u64(*c).and_then(|c| c.checked_mul(d))
        {
            let (x, limit) = (*x, word::sign_bit(width));
            if (1..limit).contains(&product) {
                let product = self.bv(width, product);
                return self.binary(BinOp::SDiv, x, product);
            }
        }
        // rule: sdiv-positive
        if self.is_non_negative(a) && self.is_non_negative(b) {
            return self.binary(BinOp::UDiv, a, b);
        }
        self.binary_node(BinOp::SDiv, a, b)
    }

    pub(super) fn mk_srem(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        // rule: srem-identity
        if a == b {
            return self.constant(&Bv::zero(width));
        }
        if let Some(divisor) = self.as_const(b) {
            if divisor.is_zero() {
                return a;
            }
            if divisor.is_ones() || divisor.to_u64() == Some(1) {
                return self.constant(&Bv::zero(width));
            }
        }
        // rule: srem-positive
        if self.is_non_negative(a) && self.is_non_negative(b) {
            return self.binary(BinOp::URem, a, b);
        }
        self.binary_node(BinOp::SRem, a, b)
    }

    // ----- shared by the families -----

    pub(super) fn binary_node(&mut self, op: BinOp, a: TermId, b: TermId) -> TermId {
        let sort = Sort::Bv(self.width(a));
        self.intern(TermData::Binary(op, a, b), sort)
    }

    pub(super) fn is_zero(&self, term: TermId) -> bool {
        match self.as_u64(term) {
            Some(value) => value == 0,
            None => self.as_const(term).is_some_and(|value| value.is_zero()),
        }
    }

    /// True only if the sign bit is never set.
    pub(super) fn is_non_negative(&self, term: TermId) -> bool {
        let width = self.width(term);
        if width <= 64 {
            self.umax(term) < word::sign_bit(width)
        } else if let Some(value) = self.as_const(term) {
            !value.sign()
        } else {
            self.cast_operand(CastOp::ZExt, term).is_some()
        }
    }

    /// Two zero-extensions, or one and a constant that fits: the narrower terms, of one width.
    pub(super) fn zext_pair(&mut self, a: TermId, b: TermId) -> Option<(TermId, TermId)> {
        self.ext_pair(CastOp::ZExt, a, b)
    }

    /// Two terms that are extensions of the same kind, or one and a constant that is the
    /// extension of a narrower one: the narrower terms, of one width.
    pub(super) fn ext_pair(
        &mut self,
        op: CastOp,
        a: TermId,
        b: TermId,
    ) -> Option<(TermId, TermId)> {
        match (self.cast_operand(op, a), self.cast_operand(op, b)) {
            (Some(x), Some(y)) => {
                let width = self.width(x).max(self.width(y));
                Some((self.cast(op, width, x), self.cast(op, width, y)))
            }
            (Some(x), None) => Some((x, self.narrow_constant(op, self.width(x), b)?)),
            (None, Some(y)) => Some((self.narrow_constant(op, self.width(y), a)?, y)),
            (None, None) => None,
        }
    }

    /// The constant of this width whose extension a constant is.
    fn narrow_constant(&mut self, op: CastOp, width: u32, constant: TermId) -> Option<TermId> {
        let value = self.as_const(constant)?;
        let narrow = value.cast(CastOp::Trunc, width);
        (narrow.cast(op, value.width()) == value).then(|| self.constant(&narrow))
    }
}

/// The exponent of a power of two.
pub(super) fn log2(value: &Bv) -> Option<u32> {
    match value.word() {
        Some(word) => word.is_power_of_two().then(|| word.trailing_zeros()),
        None => {
            let value = value.to_biguint();
            let zeros = value.trailing_zeros()?;
            (value.count_ones() == 1).then(|| u32::try_from(zeros).expect("below the width"))
        }
    }
}

fn narrow(shift: u64) -> u32 {
    u32::try_from(shift).expect("a shift below the width")
}
