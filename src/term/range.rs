//! Intervals of terms, by a walk of bounded depth; used to fold comparisons and extensions.
//!
//! All answers are over-approximations. Widths up to 64 only.

use super::bv::word;
use super::pool::TermData;
use super::{BinOp, CastOp, Interval, Linear, TermId, TermPool};

/// Operators below a term that are examined.
const DEPTH: u32 = 5;
/// Summands of a sum that are looked into as deep as the sum itself.
const MAX_SUMMANDS: usize = 12;
/// Summands of a sum that are examined, each no deeper than its own operator: enough for sums of
/// extended truth values.
const MAX_SHALLOW_SUMMANDS: usize = 1024;
/// Operators that are examined below one of many summands.
const SHALLOW_DEPTH: u32 = 1;
/// Bounds of sums beyond this are abandoned, so that computing with them does not overflow.
const MAX_SUM: Interval = Interval::new(-(1 << 120), 1 << 120);

impl TermPool {
    /// Greatest unsigned value that a term of at most 64 bits may have, cheaply bounded.
    ///
    /// # Panics
    /// When the term is an array or wider than 64 bits.
    #[must_use]
    pub fn umax(&self, term: TermId) -> u64 {
        u64::try_from(self.unsigned_range(term).high).expect("within the width")
    }

    /// Least unsigned value that a term of at most 64 bits may have, cheaply bounded.
    ///
    /// # Panics
    /// When the term is an array or wider than 64 bits.
    #[must_use]
    pub fn umin(&self, term: TermId) -> u64 {
        u64::try_from(self.unsigned_range(term).low).expect("within the width")
    }

    /// Least and greatest signed value that a term of at most 64 bits may have, cheaply bounded.
    ///
    /// # Panics
    /// When the term is an array or wider than 64 bits.
    #[must_use]
    pub fn signed_bounds(&self, term: TermId) -> (i64, i64) {
        let range = self.signed_range(term);
        let end = |value| i64::try_from(value).expect("within the width");
        (end(range.low), end(range.high))
    }

    pub(super) fn unsigned_range(&self, term: TermId) -> Interval {
        self.range(term, false, DEPTH)
    }

    pub(super) fn signed_range(&self, term: TermId) -> Interval {
        self.range(term, true, DEPTH)
    }

    /// The integer Σ of a form with its coefficients and its constant read as signed, and each
    /// term read as an unsigned number.
    pub(super) fn sum_range(&self, linear: &Linear) -> Interval {
        self.sum_reading(linear, true, false)
            .unwrap_or(Interval::new(i128::MIN / 2, i128::MAX / 2))
    }

    /// The integer Σ with numbers and terms read as signed or unsigned; `None` when there are too
    /// many summands.
    pub(super) fn sum_reading(
        &self,
        linear: &Linear,
        signed_numbers: bool,
        signed_terms: bool,
    ) -> Option<Interval> {
        self.sum_interval(
            linear.width,
            linear.constant,
            &linear.terms,
            signed_numbers,
            (signed_terms, DEPTH - 1),
        )
    }

    /// The integer Σ with the numbers read as signed or unsigned, and the terms read as the last
    /// argument says and looked into as deep; `None` when there are too many summands, or the
    /// numbers are too large.
    fn sum_interval(
        &self,
        width: u32,
        constant: u64,
        terms: &[(u64, TermId)],
        signed: bool,
        (signed_terms, depth): (bool, u32),
    ) -> Option<Interval> {
        let depth = if terms.len() <= MAX_SUMMANDS {
            depth
        } else if terms.len() <= MAX_SHALLOW_SUMMANDS {
            depth.min(SHALLOW_DEPTH)
        } else {
            return None;
        };
        let mut sum = Interval::point(word::number(width, constant, signed));
        for (coefficient, term) in terms {
            let range = self.range(*term, signed_terms, depth);
            sum = sum.plus(&range.times(&word::number(width, *coefficient, signed))?)?;
            if !sum.within(&MAX_SUM) {
                return None;
            }
        }
        Some(sum)
    }

    /// Bounds of a term read as an unsigned or as a signed number.
    fn range(&self, term: TermId, signed: bool, depth: u32) -> Interval {
        let width = self.width(term);
        assert!(width <= 64, "ranges are of at most 64 bits");
        let full = Interval::reading(width, signed);
        if let Some(value) = self.as_u64(term) {
            return Interval::point(word::number(width, value, signed));
        }
        let Some(data) = self.data(term) else {
            return full;
        };
        if depth == 0 {
            return full;
        }
        let unsigned_of = |t: TermId| self.range(t, false, depth - 1);
        let reread = |range: Interval| range.reread(width, signed).unwrap_or(full);
        match data {
            TermData::Symbol(symbol) => match self.symbol_range(*symbol) {
                Some(range) => reread(Interval::new(range.start.into(), i128::from(range.end) - 1)),
                None => full,
            },
            TermData::Sum { constant, terms } => {
                // Choices between small numbers may be small in the other reading only.
                let is_choice =
                    |(_, term): &(u64, TermId)| matches!(self.data(*term), Some(TermData::Ite(..)));
                let has_choice = terms.iter().any(is_choice);
                let readings = [
                    (true, signed),
                    (false, signed),
                    (true, !signed),
                    (false, !signed),
                ];
                let readings = readings.iter().take(if has_choice { 4 } else { 2 });
                for (reading, of_terms) in readings {
                    let below = (*of_terms, depth - 1);
                    let Some(sum) = self.sum_interval(width, *constant, terms, *reading, below)
                    else {
                        continue;
                    };
                    // The same multiple of 2^w is subtracted from all values of the sum.
                    let wraps = (sum.low - full.low).div_euclid(1i128 << width);
                    let offset = wraps << width;
                    let sum = Interval::new(sum.low - offset, sum.high - offset);
                    if sum.within(&full) {
                        return sum;
                    }
                }
                full
            }
            TermData::Ite(_, t, e) => {
                self.range(*t, signed, depth - 1)
                    .hull(&self.range(*e, signed, depth - 1))
            }
            TermData::Cast(CastOp::ZExt, a) if self.width(*a) <= 64 => unsigned_of(*a),
            TermData::Cast(CastOp::SExt, a) => reread(self.range(*a, true, depth - 1)),
            TermData::Extract { low, of } if self.width(*of) <= 64 => {
                let of = unsigned_of(*of);
                let range = Interval::new(of.low >> low, of.high >> low);
                if range.within(&Interval::unsigned(width)) {
                    reread(range)
                } else {
                    full
                }
            }
            TermData::Concat { high, low } => {
                let shift = self.width(*low);
                let (high, low) = (unsigned_of(*high), unsigned_of(*low));
                let range = Interval::new(
                    (high.low << shift) + low.low,
                    (high.high << shift) + low.high,
                );
                reread(range)
            }
            TermData::Binary(BinOp::Mul, a, b) => {
                for reading in [false, true] {
                    let (x, y) = (
                        self.range(*a, reading, depth - 1),
                        self.range(*b, reading, depth - 1),
                    );
                    if let Some(range) = x.product(&y, a == b)
                        && range.within(&Interval::reading(width, reading))
                    {
                        return reread(range);
                    }
                }
                full
            }
            TermData::SumBelow { limit, body } if self.width(*limit) <= 64 => {
                let iterations = unsigned_of(*limit);
                for reading in [false, true] {
                    let summand = self.range(*body, reading, depth - 1);
                    if let Some(range) = iterations.product(&summand, false)
                        && range.within(&Interval::reading(width, reading))
                    {
                        return reread(range);
                    }
                }
                full
            }
            TermData::Binary(op @ (BinOp::SDiv | BinOp::SRem | BinOp::AShr), a, b) => {
                let signed_of = |t: TermId| self.range(t, true, depth - 1);
                let (x, y) = (signed_of(*a), signed_of(*b));
                let range = match op {
                    BinOp::SRem => x.remainder(y),
                    BinOp::SDiv if y.low > 0 => x.quotient(y),
                    BinOp::AShr if y.as_point().is_some_and(|by| (0..64).contains(by)) => {
                        Interval::new(x.low >> y.low, x.high >> y.low)
                    }
                    _ => return full,
                };
                reread(range)
            }
            TermData::Binary(op, a, b) => {
                let (x, y) = (unsigned_of(*a), unsigned_of(*b));
                let range = match op {
                    BinOp::And => Interval::new(0, x.high.min(y.high)),
                    BinOp::Or => Interval::new(x.low.max(y.low), bits_of(x.high | y.high)),
                    BinOp::Xor => Interval::new(0, bits_of(x.high | y.high)),
                    BinOp::URem if y.low > 0 => Interval::new(0, x.high.min(y.high - 1)),
                    BinOp::URem | BinOp::LShr => Interval::new(0, x.high),
                    BinOp::UDiv if y.low > 0 => {
                        Interval::new(x.low / y.high.max(1), x.high / y.low)
                    }
                    _ => return full,
                };
                reread(range)
            }
            _ => full,
        }
    }
}

/// The least 2^k − 1 that is at least a value.
fn bits_of(value: i128) -> i128 {
    (1i128 << (128 - value.leading_zeros())) - 1
}
