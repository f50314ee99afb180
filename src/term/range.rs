//! Intervals of terms, by a walk of bounded depth; used to fold comparisons and extensions.
//!
//! All answers are over-approximations. Widths up to 64 only.

use super::bv::word;
use super::pool::TermData;
use super::{BinOp, CastOp, Linear, TermId, TermPool};

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
const MAX_SUM: i128 = 1 << 120;

/// Inclusive bounds in the integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Interval {
    pub low: i128,
    pub high: i128,
}

impl Interval {
    const fn new(low: i128, high: i128) -> Interval {
        Interval { low, high }
    }

    pub fn point(value: i128) -> Interval {
        Interval::new(value, value)
    }

    fn hull(self, other: Interval) -> Interval {
        Interval::new(self.low.min(other.low), self.high.max(other.high))
    }

    pub fn within(self, other: Interval) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    pub(super) fn reading(width: u32, signed: bool) -> Interval {
        if signed {
            Interval::signed(width)
        } else {
            Interval::unsigned(width)
        }
    }

    pub fn unsigned(width: u32) -> Interval {
        Interval::new(0, (1i128 << width) - 1)
    }

    pub fn signed(width: u32) -> Interval {
        Interval::new(-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1)
    }

    /// Bounds of x·y, of x² when `square`; `None` when they are too large to compute with.
    pub fn product(self, y: Interval, square: bool) -> Option<Interval> {
        let ends = [
            self.low.checked_mul(y.low)?,
            self.low.checked_mul(y.high)?,
            self.high.checked_mul(y.low)?,
            self.high.checked_mul(y.high)?,
        ];
        let (mut low, high) = ends.iter().fold((ends[0], ends[0]), |(low, high), end| {
            (low.min(*end), high.max(*end))
        });
        if square {
            // Of one sign, x² is monotone: its ends are among those above, and the others lie between.
            low = low.max(0);
        }
        Some(Interval::new(low, high))
    }

    /// That of x / y, rounded to zero, for positive y.
    fn quotient(self, y: Interval) -> Interval {
        let ends = [self.low, self.high].map(|x| [x / y.low, x / y.high]);
        let ends = ends.as_flattened();
        let (low, high) = (ends.iter().min(), ends.iter().max());
        Interval::new(*low.expect("four ends"), *high.expect("four ends"))
    }

    /// That of x − y·(x / y), whose sign is that of x; x where y is 0.
    fn remainder(self, y: Interval) -> Interval {
        let mut range = Interval::new(self.low.min(0), self.high.max(0));
        if y.low > 0 || y.high < 0 {
            let most = y.low.abs().max(y.high.abs()) - 1;
            range = Interval::new(range.low.max(-most), range.high.min(most));
        }
        range
    }

    /// Bounds of x + y.
    pub fn sum(self, y: Interval) -> Interval {
        Interval::new(self.low + y.low, self.high + y.high)
    }
}

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
        let number = |c: u64| {
            if signed {
                i128::from(word::signed(width, c))
            } else {
                i128::from(c)
            }
        };
        let mut sum = Interval::point(number(constant));
        for (coefficient, term) in terms {
            let range = self.range(*term, signed_terms, depth);
            let factor = number(*coefficient);
            let (x, y) = (
                factor.saturating_mul(range.low),
                factor.saturating_mul(range.high),
            );
            sum.low = sum.low.saturating_add(x.min(y));
            sum.high = sum.high.saturating_add(x.max(y));
            if !sum.within(Interval::new(-MAX_SUM, MAX_SUM)) {
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
            return Interval::point(if signed {
                i128::from(word::signed(width, value))
            } else {
                i128::from(value)
            });
        }
        let Some(data) = self.data(term) else {
            return full;
        };
        if depth == 0 {
            return full;
        }
        let unsigned_of = |t: TermId| self.range(t, false, depth - 1);
        match data {
            TermData::Symbol(symbol) => match self.symbol_range(*symbol) {
                Some(range) => {
                    let known = Interval::new(range.start.into(), i128::from(range.end) - 1);
                    self.reread(known, width, signed)
                }
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
                    if sum.within(full) {
                        return sum;
                    }
                }
                full
            }
            TermData::Ite(_, t, e) => {
                self.range(*t, signed, depth - 1)
                    .hull(self.range(*e, signed, depth - 1))
            }
            TermData::Cast(CastOp::ZExt, a) if self.width(*a) <= 64 => unsigned_of(*a),
            TermData::Cast(CastOp::SExt, a) => {
                self.reread(self.range(*a, true, depth - 1), width, signed)
            }
            TermData::Extract { low, of } if self.width(*of) <= 64 => {
                let of = unsigned_of(*of);
                let range = Interval::new(of.low >> low, of.high >> low);
                if range.within(Interval::unsigned(width)) {
                    self.reread(range, width, signed)
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
                self.reread(range, width, signed)
            }
            TermData::Binary(BinOp::Mul, a, b) => {
                for reading in [false, true] {
                    let (x, y) = (
                        self.range(*a, reading, depth - 1),
                        self.range(*b, reading, depth - 1),
                    );
                    if let Some(range) = x.product(y, a == b)
                        && range.within(Interval::reading(width, reading))
                    {
                        return self.reread(range, width, signed);
                    }
                }
                full
            }
            TermData::SumBelow { limit, body } if self.width(*limit) <= 64 => {
                let iterations = unsigned_of(*limit);
                for reading in [false, true] {
                    let summand = self.range(*body, reading, depth - 1);
                    if let Some(range) = iterations.product(summand, false)
                        && range.within(Interval::reading(width, reading))
                    {
                        return self.reread(range, width, signed);
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
                    BinOp::AShr if y.low == y.high && (0..64).contains(&y.low) => {
                        Interval::new(x.low >> y.low, x.high >> y.low)
                    }
                    _ => return full,
                };
                self.reread(range, width, signed)
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
                self.reread(range, width, signed)
            }
            _ => full,
        }
    }

    /// Bounds under one reading (signed or unsigned values that fit) turned into the other.
    #[expect(clippy::unused_self, reason = "keeps calls uniform")]
    fn reread(&self, range: Interval, width: u32, signed: bool) -> Interval {
        let full = Interval::reading(width, signed);
        let modulus = 1i128 << width;
        for offset in [0, modulus, -modulus] {
            let moved = Interval::new(range.low + offset, range.high + offset);
            if moved.within(full) {
                return moved;
            }
        }
        full
    }
}

/// The least 2^k − 1 that is at least a value.
fn bits_of(value: i128) -> i128 {
    (1i128 << (128 - value.leading_zeros())) - 1
}
