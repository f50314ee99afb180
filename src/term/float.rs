//! Floating point: IEEE 754 binary16, binary32 and binary64, held as the bits of their interchange
//! format.
//!
//! A float is a bit-vector of 16, 32 or 64 bits like any other, so that memory, copies and casts of
//! pointers need no second kind of value. Arithmetic rounds to nearest, ties to even, as C does
//! unless a program says otherwise.
//!
//! IEEE 754 and LLVM do not define the bits of a NaN result; here they are those of x86, since a program may
//! read them: the first operand that is a NaN, made quiet, or else the negative quiet NaN without payload
//! ([`nan`]).

use super::pool::{Map, TermData};
use super::{Bv, Sort, TermId, TermPool};
use serde::{Deserialize, Serialize};

/// Operations on two floats of the same format.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    /// Ordered and equal; +0 equals −0. Width 1.
    Eq,
    /// Ordered and less. Width 1.
    Lt,
    /// Ordered and less or equal. Width 1.
    Le,
}

impl FloatOp {
    /// All operations, in the order of their declaration.
    pub const ALL: [FloatOp; 7] = [
        FloatOp::Add,
        FloatOp::Sub,
        FloatOp::Mul,
        FloatOp::Div,
        FloatOp::Eq,
        FloatOp::Lt,
        FloatOp::Le,
    ];

    /// Bits of the result for operands of `bits` bits.
    #[must_use]
    pub fn result_bits(self, bits: u32) -> u32 {
        match self {
            FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Div => bits,
            FloatOp::Eq | FloatOp::Lt | FloatOp::Le => 1,
        }
    }
}

/// Operations on one value, with a result of a given width.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum FloatCast {
    /// Float to a float of another format.
    Resize,
    /// Signed integer of at most 64 bits to float.
    FromSigned,
    /// Unsigned integer of at most 64 bits to float.
    FromUnsigned,
    /// Float to signed integer of at most 64 bits, towards zero; 0 if that does not fit.
    ToSigned,
    /// Float to unsigned integer of at most 64 bits, towards zero; 0 if that does not fit.
    ToUnsigned,
    /// Square root of a float, in the same format.
    Sqrt,
}

impl FloatCast {
    /// All operations, in the order of their declaration.
    pub const ALL: [FloatCast; 6] = [
        FloatCast::Resize,
        FloatCast::FromSigned,
        FloatCast::FromUnsigned,
        FloatCast::ToSigned,
        FloatCast::ToUnsigned,
        FloatCast::Sqrt,
    ];

    /// Whether a value of `from` bits can become one of `to` bits.
    #[must_use]
    pub fn takes(self, from: u32, to: u32) -> bool {
        match self {
            FloatCast::Resize => is_format(from) && is_format(to),
            FloatCast::Sqrt => is_format(from) && from == to,
            FloatCast::FromSigned | FloatCast::FromUnsigned => from <= 64 && is_format(to),
            FloatCast::ToSigned | FloatCast::ToUnsigned => is_format(from) && to <= 64,
        }
    }
}

/// Whether floats of this many bits are known.
#[must_use]
pub fn is_format(bits: u32) -> bool {
    matches!(bits, 16 | 32 | 64)
}

/// The type of C whose values are floats of this many bits.
#[must_use]
pub fn name_in_c(bits: u32) -> Option<&'static str> {
    match bits {
        16 => Some("_Float16"),
        32 => Some("float"),
        64 => Some("double"),
        _ => None,
    }
}

/// The shortest decimal number of which this float is the nearest, `inf` or `NaN`; `None` where the width is no format.
#[must_use]
pub fn shortest(bits: u32, value: u64) -> Option<String> {
    let number = match bits {
        16 => {
            // Five digits tell any two numbers apart.
            let number = widen(value);
            let is_it = |digits: &String| digits.parse().is_ok_and(|near| narrow(near) == value);
            let digits = (0..5).map(|n| format!("{number:.n$e}")).find(is_it);
            let number: f64 = digits.map_or(number, |digits| digits.parse().unwrap_or(number));
            format!("{number:?}")
        }
        32 => format!("{:?}", single(value)),
        64 => format!("{:?}", f64::from_bits(value)),
        _ => return None,
    };
    Some(number)
}

/// Bits of the exponent of a format of 16, 32 or 64 bits.
#[must_use]
pub fn exponent_bits(bits: u32) -> u32 {
    match bits {
        16 => 5,
        32 => 8,
        _ => 11,
    }
}

/// Bits of the fraction of a format of 16, 32 or 64 bits, without the leading one.
#[must_use]
pub fn fraction_bits(bits: u32) -> u32 {
    bits - exponent_bits(bits) - 1
}

/// The bias of the exponent.
fn bias(bits: u32) -> u32 {
    (1 << (exponent_bits(bits) - 1)) - 1
}

/// The bits of the NaN that arithmetic makes of operands that are none.
#[must_use]
pub fn nan(bits: u32) -> u64 {
    quiet(bits) | 1 << (bits - 1)
}

/// The bits that make a NaN quiet, whatever its sign and payload.
#[must_use]
pub fn quiet(bits: u32) -> u64 {
    infinity(bits) | 1 << (fraction_bits(bits) - 1)
}

fn is_nan(bits: u32, value: u64) -> bool {
    value & (u64::MAX >> (65 - bits)) > infinity(bits)
}

/// The bits of the NaN that arithmetic makes of these operands.
fn nan_of(bits: u32, operands: &[u64]) -> u64 {
    let first = operands.iter().find(|operand| is_nan(bits, **operand));
    first.map_or(nan(bits), |operand| operand | quiet(bits))
}

/// A NaN in another format: its sign, and as much of its payload as both have.
fn resize_nan(from: u32, to: u32, value: u64) -> u64 {
    let sign = (value >> (from - 1)) << (to - 1);
    let (before, after) = (fraction_bits(from), fraction_bits(to));
    let fraction = value & ((1 << before) - 1);
    let resized = if after < before {
        fraction >> (before - after)
    } else {
        fraction << (after - before)
    };
    sign | resized | quiet(to)
}

/// A float of any format; every binary16 and binary32 is a binary64 too.
fn decode(bits: u32, value: u64) -> f64 {
    match bits {
        16 => widen(value),
        32 => f64::from(single(value)),
        _ => f64::from_bits(value),
    }
}

/// The binary64 that is a binary16.
#[expect(
    clippy::cast_precision_loss,
    reason = "eleven bits are exact in a binary64"
)]
fn widen(value: u64) -> f64 {
    let (exponent, fraction) = (value >> 10 & 0x1f, value & 0x3ff);
    let size = match exponent {
        0x1f if fraction == 0 => f64::INFINITY,
        0x1f => f64::NAN,
        // Subnormal numbers and the smallest normal ones are multiples of the same number.
        0 => fraction as f64 / f64::from(1 << 24),
        _ => (fraction | 0x400) as f64 * f64::from(1u32 << (exponent - 1)) / f64::from(1 << 24),
    };
    if value >> 15 == 0 { size } else { -size }
}

/// The binary16 nearest to a number, ties to even.
///
/// The result of an operation on binary16 may be rounded to binary64 before: that has more than
/// twice as many digits and two, so that it never falls on the middle between two binary16 that
/// the exact result does not fall on.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "numbers below 4,096 without a fraction"
)]
fn narrow(number: f64) -> u64 {
    if number.is_nan() {
        return nan(16);
    }
    let sign = u64::from(number.is_sign_negative()) << 15;
    let size = number.abs();
    // The middle between the largest number and what would be the next.
    if size >= 65520.0 {
        return sign | infinity(16);
    }
    // Exponent 1 is that of subnormal numbers too.
    let exponent = (size.to_bits() >> 52).saturating_sub(1023 - 15).max(1);
    let unit = f64::from(1u32 << (exponent - 1)) / f64::from(1 << 24);
    let multiple = (size / unit).round_ties_even() as u64;
    // The leading one of a normal number, also of one that rounding makes longer, adds one to the exponent.
    sign | (((exponent - 1) << 10) + multiple)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the bits of a binary32 in a word"
)]
fn single(value: u64) -> f32 {
    f32::from_bits(value as u32)
}

pub(super) fn binary(op: FloatOp, bits: u32, a: u64, b: u64) -> u64 {
    let (x, y) = (decode(bits, a), decode(bits, b));
    macro_rules! arithmetic {
        ($op:tt) => {{
            let result = match bits {
                16 => narrow(x $op y),
                32 => (single(a) $op single(b)).to_bits().into(),
                _ => (x $op y).to_bits(),
            };
            if is_nan(bits, result) {
                nan_of(bits, &[a, b])
            } else {
                result
            }
        }};
    }
    match op {
        FloatOp::Add => arithmetic!(+),
        FloatOp::Sub => arithmetic!(-),
        FloatOp::Mul => arithmetic!(*),
        FloatOp::Div => arithmetic!(/),
        #[expect(clippy::float_cmp, reason = "the comparison of IEEE 754 is meant")]
        FloatOp::Eq => (x == y).into(),
        FloatOp::Lt => (x < y).into(),
        FloatOp::Le => (x <= y).into(),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "rounding is what these conversions are for; integers are checked to fit"
)]
pub(super) fn cast(op: FloatCast, from: u32, to: u32, value: u64) -> u64 {
    use super::bv::word;
    let in_format = |double: f64, single: f32| match to {
        16 => narrow(double),
        32 => single.to_bits().into(),
        _ => double.to_bits(),
    };
    match op {
        FloatCast::Resize if from != to && is_nan(from, value) => resize_nan(from, to, value),
        FloatCast::Resize if from == to => value,
        FloatCast::Resize => {
            let value = decode(from, value);
            in_format(value, value as f32)
        }
        FloatCast::Sqrt => {
            let root = in_format(decode(from, value).sqrt(), single(value).sqrt());
            if is_nan(to, root) {
                nan_of(to, &[value])
            } else {
                root
            }
        }
        FloatCast::FromSigned => {
            let value = word::signed(from, value);
            in_format(value as f64, value as f32)
        }
        FloatCast::FromUnsigned => in_format(value as f64, value as f32),
        FloatCast::ToSigned => {
            let whole = decode(from, value).trunc();
            let limit = 2f64.powi(to as i32 - 1);
            if whole >= -limit && whole < limit {
                word::unsigned(to, whole as i64)
            } else {
                0
            }
        }
        FloatCast::ToUnsigned => {
            let whole = decode(from, value).trunc();
            if whole >= 0.0 && whole < 2f64.powi(to as i32) {
                whole as u64
            } else {
                0
            }
        }
    }
}

impl TermPool {
    /// An operation on two floats of the same format.
    ///
    /// # Panics
    /// When the operands have different widths, or a width that is no format.
    pub fn float_binary(&mut self, op: FloatOp, a: TermId, b: TermId) -> TermId {
        let bits = self.width(a);
        assert!(
            is_format(bits) && self.width(b) == bits,
            "floats of one format"
        );
        if let (Some(x), Some(y)) = (self.as_u64(a), self.as_u64(b)) {
            return self.bv(op.result_bits(bits), binary(op, bits, x, y));
        }
        if let Some(simpler) = self.simpler_float_comparison(op, a, b) {
            return simpler;
        }
        self.has_floats = true;
        self.intern(
            TermData::FloatBinary(op, a, b),
            Sort::Bv(op.result_bits(bits)),
        )
    }

    /// A conversion from or to floats, to `to` bits.
    ///
    /// # Panics
    /// When [`FloatCast::takes`] says that the widths do not fit.
    pub fn float_cast(&mut self, op: FloatCast, to: u32, a: TermId) -> TermId {
        let from = self.width(a);
        assert!(op.takes(from, to), "widths that fit the conversion");
        if let Some(value) = self.as_u64(a) {
            return self.bv(to, cast(op, from, to, value));
        }
        self.has_floats = true;
        self.intern(TermData::FloatCast(op, a), Sort::Bv(to))
    }

    /// Whether a float, cut off towards zero, is an integer of `to` bits: a term of width 1.
    ///
    /// # Panics
    /// When the width of the float is no format, or `to` is not in 1..=64.
    pub fn float_fits(&mut self, a: TermId, to: u32, signed: bool) -> TermId {
        let bounds = IntegerBounds::new(self.width(a), to, signed);
        let (lower, upper) = (self.constant(&bounds.lower), self.constant(&bounds.upper));
        let above = self.float_binary(bounds.lower_comparison(), lower, a);
        let below = self.float_binary(FloatOp::Lt, a, upper);
        self.and(above, below)
    }

    /// True iff an operation on floats occurs in one of the terms.
    #[must_use]
    pub fn has_float(&self, terms: &[TermId]) -> bool {
        if !self.has_floats {
            return false;
        }
        let mut seen: Map<TermId, ()> = Map::default();
        let mut stack = terms.to_vec();
        while let Some(term) = stack.pop() {
            match self.data(term) {
                Some(TermData::FloatBinary(..) | TermData::FloatCast(..)) => return true,
                Some(_) if seen.insert(term, ()).is_none() => {
                    self.for_each_child(term, |child, _| stack.push(child));
                }
                _ => {}
            }
        }
        false
    }

    /// Whether a float is not a number, as a term of width 1 over its bits.
    ///
    /// # Panics
    /// When the width is no format.
    pub fn float_is_nan(&mut self, a: TermId) -> TermId {
        let bits = self.width(a);
        assert!(is_format(bits), "a float");
        let magnitude = self.extract(0, bits - 1, a);
        let infinity = self.bv(bits - 1, infinity(bits));
        self.ult(infinity, magnitude)
    }
}

/// The floats between which all lie that are integers of some width after rounding towards zero.
pub struct IntegerBounds {
    /// The lower bound, as bits of the float.
    pub lower: Bv,
    /// Whether the lower bound itself fits.
    pub lower_fits: bool,
    /// The upper bound, which does not fit.
    pub upper: Bv,
}

impl IntegerBounds {
    /// Bounds for floats of `bits` bits and integers of `to` bits, 1..=64.
    #[must_use]
    pub fn new(bits: u32, to: u32, signed: bool) -> IntegerBounds {
        // −2^(to−1) − 1 is the first that does not fit; where the format has no such number, the
        // next one below −2^(to−1) does not fit either. Where −2^(to−1) is none, all finite ones fit.
        let (lower, lower_fits) = if !signed {
            (number(bits, -1), false)
        } else if to <= fraction_bits(bits) + 1 {
            (number(bits, -(1 << (to - 1)) - 1), false)
        } else {
            let fits = to - 1 <= bias(bits);
            (power_of_two(bits, to - 1, true), fits)
        };
        IntegerBounds {
            lower,
            lower_fits,
            upper: power_of_two(bits, to - u32::from(signed), false),
        }
    }

    /// The comparison that the lower bound and a float that fits pass, in this order.
    #[must_use]
    pub fn lower_comparison(&self) -> FloatOp {
        if self.lower_fits {
            FloatOp::Le
        } else {
            FloatOp::Lt
        }
    }
}

/// A small integer as a float.
fn number(bits: u32, value: i64) -> Bv {
    let word = super::bv::word::unsigned(64, value);
    Bv::new(bits, cast(FloatCast::FromSigned, 64, bits, word))
}

/// The bits of +∞.
#[must_use]
pub fn infinity(bits: u32) -> u64 {
    ((1 << exponent_bits(bits)) - 1) << fraction_bits(bits)
}

/// The bits of 2^exponent with a sign; infinity where the format has no such number.
fn power_of_two(bits: u32, exponent: u32, negative: bool) -> Bv {
    let sign = u64::from(negative) << (bits - 1);
    let size = if exponent > bias(bits) {
        infinity(bits)
    } else {
        u64::from(exponent + bias(bits)) << fraction_bits(bits)
    };
    Bv::new(bits, sign | size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Assignment, Term};

    #[test]
    fn arithmetic_is_that_of_the_format() {
        let third = binary(
            FloatOp::Div,
            32,
            1f32.to_bits().into(),
            3f32.to_bits().into(),
        );
        assert_eq!(third, u64::from((1f32 / 3f32).to_bits()));
        let nothing = binary(FloatOp::Div, 64, 0, 0);
        assert_eq!(nothing, nan(64));
        assert_eq!(binary(FloatOp::Eq, 64, nothing, nothing), 0);
        assert_eq!(binary(FloatOp::Eq, 64, 0, 1 << 63), 1);
        assert_eq!(binary(FloatOp::Lt, 64, 1 << 63, 0), 0);
        assert_eq!(binary(FloatOp::Le, 32, 1 << 31, 0), 1);
    }

    /// Between two neighbours the nearest is taken, and of the middle the even one.
    #[test]
    fn every_binary16_is_a_binary64_and_no_other_is_nearer() {
        for value in 0..infinity(16) {
            let (here, next) = (widen(value), widen(value + 1));
            let next = if next.is_infinite() { 65536.0 } else { next };
            assert!(here < next);
            let middle = f64::midpoint(here, next);
            let even = value + (value & 1);
            let around = [
                (here, value),
                (middle.next_down(), value),
                (middle, even),
                (middle.next_up(), value + 1),
            ];
            for (number, nearest) in around {
                assert_eq!(narrow(number), nearest, "{number:e}");
                assert_eq!(narrow(-number), nearest | 1 << 15, "{number:e}");
            }
        }
        assert_eq!(narrow(f64::INFINITY), infinity(16));
        assert!(widen(infinity(16)).is_infinite());
        assert!(widen(nan(16)).is_nan());
    }

    #[test]
    fn short_decimal_numbers() {
        let shown = |value: u64| shortest(16, value).expect("a format");
        assert_eq!(shown(0x3c00), "1.0");
        assert_eq!(shown(0xbc01), "-1.001");
        assert_eq!(shown(0x7bff), "65500.0");
        assert_eq!(shown(0x0001), "6e-8");
        assert_eq!(shown(0x7c00), "inf");
        assert_eq!(shown(0x7e00), "NaN");
        assert_eq!(shortest(80, 1), None);
    }

    #[test]
    fn conversions_round_and_refuse() {
        let odd = (1u64 << 53) + 1;
        assert_eq!(
            cast(FloatCast::FromUnsigned, 64, 64, odd),
            ((1u64 << 53) as f64).to_bits()
        );
        assert_eq!(
            cast(FloatCast::ToSigned, 64, 8, (-128.9f64).to_bits()),
            0x80
        );
        assert_eq!(cast(FloatCast::ToSigned, 64, 8, 128f64.to_bits()), 0);
        assert_eq!(
            cast(FloatCast::ToUnsigned, 32, 8, (-0.5f32).to_bits().into()),
            0
        );
        assert_eq!(
            cast(FloatCast::ToUnsigned, 32, 8, 255.5f32.to_bits().into()),
            255
        );
        assert_eq!(cast(FloatCast::ToSigned, 64, 64, nan(64)), 0);
        assert_eq!(
            cast(FloatCast::Resize, 64, 32, 1e300f64.to_bits()),
            infinity(32)
        );
    }

    #[test]
    fn what_fits_is_what_converts() {
        for (to, signed) in [
            (1, true),
            (1, false),
            (8, true),
            (8, false),
            (24, true),
            (25, true),
        ] {
            for bits in [16, 32, 64] {
                let mut pool = TermPool::new();
                let half = 2f64.powi(to as i32 - i32::from(signed));
                let near = [-half, half, 0.0, -1.0, 1.0];
                for value in near
                    .iter()
                    .flat_map(|n| [-1.0, -0.5, 0.0, 0.5, 1.0].map(|d| n + d))
                {
                    let float = cast(FloatCast::Resize, 64, bits, value.to_bits());
                    let whole = decode(bits, float).trunc();
                    let fits = if signed {
                        whole >= -half && whole < half
                    } else {
                        whole >= 0.0 && whole < half
                    };
                    let term = pool.bv(bits, float);
                    let found = pool.float_fits(term, to, signed);
                    assert_eq!(pool.is_true(found), fits, "{value} in {to} bits");
                }
            }
        }
    }

    #[test]
    fn powers_of_two() {
        assert_eq!(
            power_of_two(64, 31, true).word(),
            Some((-(2f64.powi(31))).to_bits())
        );
        assert_eq!(
            power_of_two(32, 0, false).word(),
            Some(1f32.to_bits().into())
        );
    }

    /// "float-root-sign", for every binary16.
    #[test]
    fn roots_have_the_sign_of_their_squares() {
        let mut pool = TermPool::new();
        let x = pool.fresh("x", Sort::Bv(16));
        let symbol = pool.as_symbol(x).expect("a symbol");
        let root = pool.float_cast(FloatCast::Sqrt, 16, x);
        for zero in [0, 0x8000] {
            let constant = pool.bv(16, zero);
            for op in [FloatOp::Eq, FloatOp::Lt, FloatOp::Le] {
                for is_first in [true, false] {
                    let (a, b) = if is_first {
                        (root, constant)
                    } else {
                        (constant, root)
                    };
                    let simpler = pool.float_binary(op, a, b);
                    for bits in 0..=u64::from(u16::MAX) {
                        let mut assignment = Assignment::default();
                        assignment.set(symbol, Bv::new(16, bits));
                        let value = cast(FloatCast::Sqrt, 16, 16, bits);
                        let (a, b) = if is_first {
                            (value, zero)
                        } else {
                            (zero, value)
                        };
                        let found = pool.evaluate(simpler, &assignment).expect("all is known");
                        let expected = binary(op, 16, a, b);
                        assert_eq!(found.to_u64(), Some(expected), "{op:?} {bits:x} {is_first}");
                    }
                }
            }
        }
        // Of other numbers nothing is known.
        let one = pool.bv(16, 0x3c00);
        let less = pool.float_binary(FloatOp::Lt, root, one);
        assert!(matches!(pool.view(less), Term::FloatBinary(..)));
    }

    #[test]
    fn constants_fold_and_symbols_do_not() {
        let mut pool = TermPool::new();
        let one = pool.bv(64, 1f64.to_bits());
        let two = pool.float_binary(FloatOp::Add, one, one);
        assert_eq!(pool.as_u64(two), Some(2f64.to_bits()));
        let x = pool.fresh("x", Sort::Bv(64));
        let sum = pool.float_binary(FloatOp::Add, x, one);
        assert_eq!(pool.width(sum), 64);
        let less = pool.float_binary(FloatOp::Lt, sum, one);
        assert_eq!(pool.width(less), 1);
        let text = pool.to_text(less);
        assert_eq!(pool.parse(&text).unwrap(), less);
        let (nan, one) = (pool.bv(64, nan(64)), pool.bv(64, infinity(64)));
        let (yes, no) = (pool.float_is_nan(nan), pool.float_is_nan(one));
        assert!(pool.is_true(yes) && pool.is_false(no));
    }
}
