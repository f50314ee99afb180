//! Concrete bit-vectors of any width.
//!
//! Values of up to 64 bits are machine words, wider ones big integers. [`word`] holds the same operations on
//! bare words; the term pool folds constants with them.

use std::fmt;

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, ToPrimitive, Zero};
use serde::{Deserialize, Serialize};

use super::{BinOp, CastOp, CmpOp};

/// A concrete bit-vector: `width` bits, value in 0..2^width.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Bv {
    width: u32,
    bits: Bits,
}

/// `Small` exactly when the width is at most 64.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
enum Bits {
    Small(u64),
    Wide(BigUint),
}

/// Two's complement arithmetic on machine words; `width` is 1..=64 and operands are below 2^width.
pub mod word {
    use super::{BinOp, CmpOp};

    /// 2^width − 1.
    #[inline]
    #[must_use]
    pub fn mask(width: u32) -> u64 {
        u64::MAX >> (64 - width)
    }

    /// The value read as two's complement.
    ///
    /// ```
    /// use compact_se_term::word;
    /// assert_eq!(word::signed(8, 0xff), -1);
    /// assert_eq!(word::signed(9, 0xff), 255);
    /// ```
    #[inline]
    #[must_use]
    #[expect(clippy::cast_possible_wrap, reason = "two's complement is meant")]
    pub fn signed(width: u32, value: u64) -> i64 {
        let shift = 64 - width;
        ((value << shift) as i64) >> shift
    }

    /// The value read as two's complement, or without sign.
    #[inline]
    #[must_use]
    pub fn number(width: u32, value: u64, signed: bool) -> i128 {
        if signed {
            self::signed(width, value).into()
        } else {
            value.into()
        }
    }

    /// The word that stands for a signed value, modulo 2^width.
    #[inline]
    #[must_use]
    #[expect(clippy::cast_sign_loss, reason = "two's complement is meant")]
    pub fn unsigned(width: u32, value: i64) -> u64 {
        value as u64 & mask(width)
    }

    /// 2^(width−1): the sign bit, also the least signed value.
    #[inline]
    #[must_use]
    pub fn sign_bit(width: u32) -> u64 {
        1 << (width - 1)
    }

    /// One operation; see [`BinOp`] for division by zero and large shifts.
    #[inline]
    #[must_use]
    pub fn binary(op: BinOp, width: u32, a: u64, b: u64) -> u64 {
        let all = mask(width);
        let result = match op {
            BinOp::Add => a.wrapping_add(b),
            BinOp::Sub => a.wrapping_sub(b),
            BinOp::Mul => a.wrapping_mul(b),
            BinOp::And => a & b,
            BinOp::Or => a | b,
            BinOp::Xor => a ^ b,
            BinOp::UDiv => a.checked_div(b).unwrap_or(all),
            BinOp::URem => a.checked_rem(b).unwrap_or(a),
            BinOp::SDiv => {
                let (x, y) = (signed(width, a), signed(width, b));
                if y == 0 {
                    if x < 0 { 1 } else { all }
                } else {
                    unsigned(width, x.wrapping_div(y))
                }
            }
            BinOp::SRem => {
                let (x, y) = (signed(width, a), signed(width, b));
                if y == 0 {
                    a
                } else {
                    unsigned(width, x.wrapping_rem(y))
                }
            }
            BinOp::Shl => {
                if b >= u64::from(width) {
                    0
                } else {
                    a << b
                }
            }
            BinOp::LShr => {
                if b >= u64::from(width) {
                    0
                } else {
                    a >> b
                }
            }
            BinOp::AShr => unsigned(width, signed(width, a) >> b.min(u64::from(width) - 1)),
        };
        result & all
    }

    /// One comparison.
    #[inline]
    #[must_use]
    pub fn compare(op: CmpOp, width: u32, a: u64, b: u64) -> bool {
        match op {
            CmpOp::Eq => a == b,
            CmpOp::Ne => a != b,
            CmpOp::Ult => a < b,
            CmpOp::Ule => a <= b,
            CmpOp::Ugt => a > b,
            CmpOp::Uge => a >= b,
            CmpOp::Slt => signed(width, a) < signed(width, b),
            CmpOp::Sle => signed(width, a) <= signed(width, b),
            CmpOp::Sgt => signed(width, a) > signed(width, b),
            CmpOp::Sge => signed(width, a) >= signed(width, b),
        }
    }

    /// The inverse of an odd number modulo 2^64.
    #[must_use]
    pub fn inverse(odd: u64) -> u64 {
        debug_assert!(odd & 1 == 1, "only odd numbers are invertible");
        // Newton: each step doubles the number of right bits, beginning with 3.
        let mut inverse = odd.wrapping_mul(3) ^ 2;
        for _ in 0..4 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
        }
        inverse
    }

    /// base^exponent mod 2^64.
    #[must_use]
    pub fn pow(mut base: u64, mut exponent: u64) -> u64 {
        let mut result = 1u64;
        while exponent != 0 {
            if exponent & 1 == 1 {
                result = result.wrapping_mul(base);
            }
            base = base.wrapping_mul(base);
            exponent >>= 1;
        }
        result
    }
}

fn modulus(width: u32) -> BigUint {
    BigUint::one() << width
}

impl Bv {
    /// `value` mod 2^width.
    ///
    /// # Panics
    /// When the width is 0.
    #[must_use]
    pub fn new(width: u32, value: u64) -> Bv {
        assert!(width >= 1, "a bit-vector has at least one bit");
        let bits = if width <= 64 {
            Bits::Small(value & word::mask(width))
        } else {
            Bits::Wide(BigUint::from(value))
        };
        Bv { width, bits }
    }

    /// `value` mod 2^width, for values of any size.
    ///
    /// # Panics
    /// When the width is 0.
    #[must_use]
    pub fn from_biguint(width: u32, value: &BigUint) -> Bv {
        assert!(width >= 1, "a bit-vector has at least one bit");
        let reduced = value % modulus(width);
        if width <= 64 {
            Bv::new(width, reduced.to_u64().expect("reduced below 2^64"))
        } else {
            Bv {
                width,
                bits: Bits::Wide(reduced),
            }
        }
    }

    /// `value` mod 2^width, for signed values of any size.
    #[must_use]
    pub fn from_bigint(width: u32, value: &BigInt) -> Bv {
        let modulus = BigInt::from(modulus(width));
        let reduced = ((value % &modulus) + &modulus) % &modulus;
        Bv::from_biguint(width, reduced.magnitude())
    }

    /// `value` mod 2^width, sign-extended to widths above 64.
    ///
    /// ```
    /// use compact_se_term::Bv;
    /// assert_eq!(Bv::from_i64(8, -1), Bv::new(8, 255));
    /// assert_eq!(Bv::from_i64(8, 300).to_u64(), Some(44));
    /// ```
    #[must_use]
    pub fn from_i64(width: u32, value: i64) -> Bv {
        if width <= 64 {
            return Bv::new(width, word::unsigned(width, value));
        }
        Bv::from_bigint(width, &BigInt::from(value))
    }

    /// A truth value: width 1.
    #[must_use]
    pub fn truth(value: bool) -> Bv {
        Bv::new(1, u64::from(value))
    }

    /// 0.
    #[must_use]
    pub fn zero(width: u32) -> Bv {
        Bv::new(width, 0)
    }

    /// 2^width − 1.
    #[must_use]
    pub fn ones(width: u32) -> Bv {
        Bv::from_i64(width, -1)
    }

    /// Number of bits, at least 1.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The unsigned value, when it is below 2^64 (whatever the width).
    #[must_use]
    pub fn to_u64(&self) -> Option<u64> {
        match &self.bits {
            Bits::Small(value) => Some(*value),
            Bits::Wide(value) => value.to_u64(),
        }
    }

    /// The signed value, when it lies in −2^63..2^63 (whatever the width).
    #[must_use]
    pub fn to_i64(&self) -> Option<i64> {
        match &self.bits {
            Bits::Small(value) => Some(word::signed(self.width, *value)),
            Bits::Wide(_) => self.to_bigint().to_i64(),
        }
    }

    /// The unsigned value.
    #[must_use]
    pub fn to_biguint(&self) -> BigUint {
        match &self.bits {
            Bits::Small(value) => BigUint::from(*value),
            Bits::Wide(value) => value.clone(),
        }
    }

    /// The signed value.
    #[must_use]
    pub fn to_bigint(&self) -> BigInt {
        let value = BigInt::from_biguint(Sign::Plus, self.to_biguint());
        if self.sign() {
            value - BigInt::from(modulus(self.width))
        } else {
            value
        }
    }

    /// The word, when the width is at most 64.
    #[must_use]
    pub fn word(&self) -> Option<u64> {
        match self.bits {
            Bits::Small(value) => Some(value),
            Bits::Wide(_) => None,
        }
    }

    /// True iff the value is 0.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        match &self.bits {
            Bits::Small(value) => *value == 0,
            Bits::Wide(value) => value.is_zero(),
        }
    }

    /// True iff all bits are set; for width 1: the truth value true.
    #[must_use]
    pub fn is_ones(&self) -> bool {
        *self == Bv::ones(self.width)
    }

    /// Bit `index`, 0 being the lowest; false above the width.
    #[must_use]
    pub fn bit(&self, index: u32) -> bool {
        match &self.bits {
            Bits::Small(value) => index < 64 && (value >> index) & 1 == 1,
            Bits::Wide(value) => value.bit(u64::from(index)),
        }
    }

    /// The sign bit.
    #[must_use]
    pub fn sign(&self) -> bool {
        self.bit(self.width - 1)
    }

    /// One operation on two bit-vectors of the same width.
    ///
    /// # Panics
    /// When the widths differ.
    #[must_use]
    pub fn binary(op: BinOp, a: &Bv, b: &Bv) -> Bv {
        assert_eq!(a.width, b.width, "operands of {op:?} have the same width");
        let width = a.width;
        if let (Bits::Small(x), Bits::Small(y)) = (&a.bits, &b.bits) {
            return Bv {
                width,
                bits: Bits::Small(word::binary(op, width, *x, *y)),
            };
        }
        let (x, y) = (a.to_biguint(), b.to_biguint());
        let shift = || b.to_u64().filter(|s| *s < u64::from(width));
        match op {
            BinOp::Add => Bv::from_biguint(width, &(x + y)),
            BinOp::Sub => Bv::from_biguint(width, &(x + modulus(width) - y)),
            BinOp::Mul => Bv::from_biguint(width, &(x * y)),
            BinOp::And => Bv::from_biguint(width, &(x & y)),
            BinOp::Or => Bv::from_biguint(width, &(x | y)),
            BinOp::Xor => Bv::from_biguint(width, &(x ^ y)),
            BinOp::UDiv => {
                if y.is_zero() {
                    Bv::ones(width)
                } else {
                    Bv::from_biguint(width, &(x / y))
                }
            }
            BinOp::URem => {
                if y.is_zero() {
                    a.clone()
                } else {
                    Bv::from_biguint(width, &(x % y))
                }
            }
            BinOp::SDiv => {
                let (x, y) = (a.to_bigint(), b.to_bigint());
                if y.is_zero() {
                    if a.sign() {
                        Bv::new(width, 1)
                    } else {
                        Bv::ones(width)
                    }
                } else {
                    Bv::from_bigint(width, &(x / y))
                }
            }
            BinOp::SRem => {
                let (x, y) = (a.to_bigint(), b.to_bigint());
                if y.is_zero() {
                    a.clone()
                } else {
                    Bv::from_bigint(width, &(x % y))
                }
            }
            BinOp::Shl => match shift() {
                Some(s) => Bv::from_biguint(width, &(x << s)),
                None => Bv::zero(width),
            },
            BinOp::LShr => match shift() {
                Some(s) => Bv::from_biguint(width, &(x >> s)),
                None => Bv::zero(width),
            },
            BinOp::AShr => match shift() {
                Some(s) => Bv::from_bigint(width, &(a.to_bigint() >> s)),
                None => {
                    if a.sign() {
                        Bv::ones(width)
                    } else {
                        Bv::zero(width)
                    }
                }
            },
        }
    }

    /// One comparison of two bit-vectors of the same width.
    ///
    /// # Panics
    /// When the widths differ.
    #[must_use]
    pub fn compare(op: CmpOp, a: &Bv, b: &Bv) -> bool {
        assert_eq!(a.width, b.width, "operands of {op:?} have the same width");
        if let (Bits::Small(x), Bits::Small(y)) = (&a.bits, &b.bits) {
            return word::compare(op, a.width, *x, *y);
        }
        match op {
            CmpOp::Eq => a == b,
            CmpOp::Ne => a != b,
            CmpOp::Ult => a.to_biguint() < b.to_biguint(),
            CmpOp::Ule => a.to_biguint() <= b.to_biguint(),
            CmpOp::Ugt => a.to_biguint() > b.to_biguint(),
            CmpOp::Uge => a.to_biguint() >= b.to_biguint(),
            CmpOp::Slt => a.to_bigint() < b.to_bigint(),
            CmpOp::Sle => a.to_bigint() <= b.to_bigint(),
            CmpOp::Sgt => a.to_bigint() > b.to_bigint(),
            CmpOp::Sge => a.to_bigint() >= b.to_bigint(),
        }
    }

    /// One change of width; the new width may equal the old one.
    ///
    /// # Panics
    /// When a truncation would widen or an extension would narrow.
    #[must_use]
    pub fn cast(&self, op: CastOp, width: u32) -> Bv {
        match op {
            CastOp::Trunc => {
                assert!(width <= self.width, "a truncation does not widen");
                self.extract(0, width)
            }
            CastOp::ZExt => {
                assert!(width >= self.width, "an extension does not narrow");
                Bv::from_biguint(width, &self.to_biguint())
            }
            CastOp::SExt => {
                assert!(width >= self.width, "an extension does not narrow");
                Bv::from_bigint(width, &self.to_bigint())
            }
        }
    }

    /// Bits `low`..`low + width`.
    ///
    /// ```
    /// use compact_se_term::Bv;
    /// let value = Bv::new(16, 0xab_cd);
    /// assert_eq!(value.extract(8, 8).concat(&value.extract(0, 8)), value);
    /// ```
    ///
    /// # Panics
    /// When they do not lie in the bit-vector.
    #[must_use]
    pub fn extract(&self, low: u32, width: u32) -> Bv {
        assert!(
            width >= 1 && low + width <= self.width,
            "extracted bits lie inside"
        );
        match &self.bits {
            Bits::Small(value) => Bv::new(width, value >> low),
            Bits::Wide(value) => Bv::from_biguint(width, &(value >> low)),
        }
    }

    /// `self` above, `low` below.
    #[must_use]
    pub fn concat(&self, low: &Bv) -> Bv {
        let width = self.width + low.width;
        if let (Bits::Small(x), Bits::Small(y), true) = (&self.bits, &low.bits, width <= 64) {
            return Bv::new(width, (x << low.width) | y);
        }
        Bv::from_biguint(
            width,
            &((self.to_biguint() << low.width) | low.to_biguint()),
        )
    }

    /// All bits flipped.
    #[must_use]
    pub fn not(&self) -> Bv {
        Bv::binary(BinOp::Xor, self, &Bv::ones(self.width))
    }

    /// 0 − self.
    #[must_use]
    pub fn neg(&self) -> Bv {
        Bv::binary(BinOp::Sub, &Bv::zero(self.width), self)
    }

    /// self^exponent mod 2^width; the exponent is unsigned and of any width.
    #[must_use]
    pub fn pow(&self, exponent: &Bv) -> Bv {
        if let (Bits::Small(base), Some(exponent)) = (&self.bits, exponent.to_u64()) {
            return Bv::new(self.width, word::pow(*base, exponent));
        }
        let value = self
            .to_biguint()
            .modpow(&exponent.to_biguint(), &modulus(self.width));
        Bv::from_biguint(self.width, &value)
    }
}

/// Small negative numbers print with a sign, all others unsigned: within 2^16 below 2^width, from
/// 8 bits on.
impl fmt::Display for Bv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.width >= 8 && self.sign() {
            let signed = self.to_bigint();
            if signed >= BigInt::from(-(1i64 << 16).min(1i64 << (self.width.min(32) - 1))) {
                return write!(f, "{signed}");
            }
        }
        write!(f, "{}", self.to_biguint())
    }
}
