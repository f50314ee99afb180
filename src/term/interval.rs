//! Intervals of integers: bounds of the values that a number may have.
//!
//! Ends are `i128` where widths of at most 64 bits are computed with, and integers of any size otherwise.
//!
//! # Invariants
//! - Results of operations contain the results for all members; `None` where an end has no room.
//! - An interval whose greatest number lies below its least one is empty: a contradiction, which operations keep.

use super::bv::word;
use num_bigint::BigInt;
use num_traits::{CheckedAdd, CheckedMul, CheckedSub, Signed};
use std::ops::Shl;

/// The integers that ends of intervals may be.
pub trait Integer:
    Clone + Ord + Signed + CheckedAdd + CheckedSub + CheckedMul + Shl<u32, Output = Self>
{
}

impl Integer for i128 {}
impl Integer for BigInt {}

/// All integers from `low` to `high`, both included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval<N = i128> {
    /// The least number.
    pub low: N,
    /// The greatest number.
    pub high: N,
}

impl<N: Integer> Interval<N> {
    /// From the least to the greatest number.
    pub const fn new(low: N, high: N) -> Interval<N> {
        Interval { low, high }
    }

    /// One number.
    pub fn point(value: N) -> Interval<N> {
        Interval::new(value.clone(), value)
    }

    /// The numbers of so many bits, with or without sign.
    pub fn reading(width: u32, signed: bool) -> Interval<N> {
        if signed {
            Interval::signed(width)
        } else {
            Interval::unsigned(width)
        }
    }

    /// From 0 to 2^width − 1.
    pub fn unsigned(width: u32) -> Interval<N> {
        Interval::new(N::zero(), (N::one() << width) - N::one())
    }

    /// From −2^(width−1) to 2^(width−1) − 1.
    pub fn signed(width: u32) -> Interval<N> {
        let half = N::one() << (width - 1);
        Interval::new(-half.clone(), half - N::one())
    }

    /// Whether no number is in it.
    pub fn is_empty(&self) -> bool {
        self.high < self.low
    }

    /// The only number in it.
    pub fn as_point(&self) -> Option<&N> {
        (self.low == self.high).then_some(&self.low)
    }

    /// Whether a number is in it.
    pub fn contains(&self, value: &N) -> bool {
        self.low <= *value && *value <= self.high
    }

    /// Whether both ends are in the other.
    pub fn within(&self, other: &Interval<N>) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    /// The least interval that contains both.
    pub fn hull(&self, other: &Interval<N>) -> Interval<N> {
        Interval::new(
            (&self.low).min(&other.low).clone(),
            (&self.high).max(&other.high).clone(),
        )
    }

    /// The numbers in both.
    pub fn meet(&self, other: &Interval<N>) -> Interval<N> {
        Interval::new(
            (&self.low).max(&other.low).clone(),
            (&self.high).min(&other.high).clone(),
        )
    }

    /// x + y.
    pub fn plus(&self, y: &Interval<N>) -> Option<Interval<N>> {
        let (low, high) = (self.low.checked_add(&y.low), self.high.checked_add(&y.high));
        Some(Interval::new(low?, high?))
    }

    /// x − y.
    pub fn minus(&self, y: &Interval<N>) -> Option<Interval<N>> {
        let (low, high) = (self.low.checked_sub(&y.high), self.high.checked_sub(&y.low));
        Some(Interval::new(low?, high?))
    }

    /// factor·x.
    pub fn times(&self, factor: &N) -> Option<Interval<N>> {
        let (low, high) = (
            self.low.checked_mul(factor)?,
            self.high.checked_mul(factor)?,
        );
        Some(if factor.is_negative() {
            Interval::new(high, low)
        } else {
            Interval::new(low, high)
        })
    }

    /// x·y; of x² when `square`.
    pub fn product(&self, y: &Interval<N>, square: bool) -> Option<Interval<N>> {
        let mut product = self.times(&y.low)?.hull(&self.times(&y.high)?);
        if square {
            // Of one sign, x² is monotone: its ends are among those above, and the others lie between.
            product.low = product.low.max(N::zero());
        }
        Some(product)
    }

    /// The numbers of so many bits whose bits are those of the members, where they do not wrap around between two
    /// of them.
    pub fn reread(&self, width: u32, signed: bool) -> Option<Interval<N>> {
        let full = Interval::reading(width, signed);
        let modulus = N::one() << width;
        [N::zero(), modulus.clone(), -modulus]
            .into_iter()
            .find_map(|offset| {
                let moved = self.plus(&Interval::point(offset))?;
                moved.within(&full).then_some(moved)
            })
    }
}

impl Interval {
    /// All integers: ends at the limits of `i128` are none.
    pub const ALL: Interval = Interval::new(i128::MIN, i128::MAX);

    /// A number and all above.
    #[must_use]
    pub fn at_least(number: i128) -> Interval {
        Interval::new(number, i128::MAX)
    }

    /// A number and all below.
    #[must_use]
    pub fn at_most(number: i128) -> Interval {
        Interval::new(i128::MIN, number)
    }

    /// The least number, where there is one.
    #[must_use]
    pub fn least(&self) -> Option<i128> {
        (self.low > i128::MIN).then_some(self.low)
    }

    /// The greatest number, where there is one.
    #[must_use]
    pub fn greatest(&self) -> Option<i128> {
        (self.high < i128::MAX).then_some(self.high)
    }

    /// All x with divisor·x in the interval, for a divisor that is not 0.
    #[must_use]
    pub fn over(&self, divisor: i128) -> Interval {
        let (mut low, mut high) = (self.least(), self.greatest());
        if divisor < 0 {
            (low, high) = (high.map(|high| -high), low.map(|low| -low));
        }
        let divisor = divisor.abs();
        Interval::new(
            low.map_or(i128::MIN, |low| -(-low).div_euclid(divisor)),
            high.map_or(i128::MAX, |high| high.div_euclid(divisor)),
        )
    }

    /// x / y, rounded to zero, for positive y.
    pub(super) fn quotient(self, y: Interval) -> Interval {
        let ends = [self.low, self.high].map(|x| [x / y.low, x / y.high]);
        let ends = ends.as_flattened();
        let (low, high) = (ends.iter().min(), ends.iter().max());
        Interval::new(*low.expect("four ends"), *high.expect("four ends"))
    }

    /// x − y·(x / y), whose sign is that of x; x where y is 0.
    pub(super) fn remainder(self, y: Interval) -> Interval {
        let range = Interval::new(self.low.min(0), self.high.max(0));
        if y.contains(&0) {
            return range;
        }
        let most = y.low.abs().max(y.high.abs()) - 1;
        range.meet(&Interval::new(-most, most))
    }
}

/// The values of a word, read without and with sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Readings {
    /// Bits, at most 64.
    pub width: u32,
    /// As unsigned numbers.
    pub unsigned: Interval,
    /// As signed numbers.
    pub signed: Interval,
}

impl Readings {
    /// All values of so many bits.
    #[must_use]
    pub fn all(width: u32) -> Readings {
        Readings {
            width,
            unsigned: Interval::unsigned(width),
            signed: Interval::signed(width),
        }
    }

    /// One value.
    #[must_use]
    pub fn value(width: u32, value: u64) -> Readings {
        Readings {
            width,
            unsigned: Interval::point(value.into()),
            signed: Interval::point(word::number(width, value, true)),
        }
    }

    /// In one of the readings.
    #[must_use]
    pub fn read(&self, signed: bool) -> Interval {
        if signed { self.signed } else { self.unsigned }
    }

    /// In one of the readings, to be narrowed; [`reconcile`](Readings::reconcile) passes on what becomes known so.
    pub fn read_mut(&mut self, signed: bool) -> &mut Interval {
        if signed {
            &mut self.signed
        } else {
            &mut self.unsigned
        }
    }

    /// The sums with a number, in each reading in which none wraps around.
    #[must_use]
    pub fn moved(&self, by: i128) -> Readings {
        let mut moved = Readings::all(self.width);
        for signed in [false, true] {
            let sum = self.read(signed).plus(&Interval::point(by));
            let all = moved.read_mut(signed);
            *all = sum.filter(|sum| sum.within(all)).unwrap_or(*all);
        }
        moved.reconcile();
        moved
    }

    /// Passes on between the readings what is known of values without a sign bit, which are the same in both.
    pub fn reconcile(&mut self) {
        if self.signed.low >= 0 {
            self.unsigned = self.unsigned.meet(&self.signed);
        }
        if self.unsigned.high <= Interval::signed(self.width).high {
            self.signed = self.signed.meet(&self.unsigned);
        }
    }
}
