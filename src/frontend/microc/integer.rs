//! Numbers of microc: of 32 bits, or of any size.

use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};

/// How numbers are computed with. Division is towards zero; that by zero is an error of the
/// program, and not asked for here.
pub trait Integer: Clone + Ord + std::fmt::Display + Send + Sync {
    /// `None` where the literal is too large.
    fn literal(value: &BigInt) -> Option<Self>;
    #[must_use]
    fn add(&self, other: &Self) -> Self;
    #[must_use]
    fn subtract(&self, other: &Self) -> Self;
    #[must_use]
    fn multiply(&self, other: &Self) -> Self;
    /// `other` is not zero.
    #[must_use]
    fn divide(&self, other: &Self) -> Self;
    fn is_zero(&self) -> bool;
    /// As an index of an array or a character.
    fn to_u64(&self) -> Option<u64>;
    /// 1 or 0.
    fn truth(value: bool) -> Self;
}

/// Two's complement of 32 bits: results wrap around.
impl Integer for i32 {
    fn literal(value: &BigInt) -> Option<i32> {
        value.to_i32()
    }

    fn add(&self, other: &i32) -> i32 {
        self.wrapping_add(*other)
    }

    fn subtract(&self, other: &i32) -> i32 {
        self.wrapping_sub(*other)
    }

    fn multiply(&self, other: &i32) -> i32 {
        self.wrapping_mul(*other)
    }

    fn divide(&self, other: &i32) -> i32 {
        self.wrapping_div(*other)
    }

    fn is_zero(&self) -> bool {
        *self == 0
    }

    fn to_u64(&self) -> Option<u64> {
        ToPrimitive::to_u64(self)
    }

    fn truth(value: bool) -> i32 {
        i32::from(value)
    }
}

/// Mathematical integers.
impl Integer for BigInt {
    fn literal(value: &BigInt) -> Option<BigInt> {
        Some(value.clone())
    }

    fn add(&self, other: &BigInt) -> BigInt {
        self + other
    }

    fn subtract(&self, other: &BigInt) -> BigInt {
        self - other
    }

    fn multiply(&self, other: &BigInt) -> BigInt {
        self * other
    }

    fn divide(&self, other: &BigInt) -> BigInt {
        self / other
    }

    fn is_zero(&self) -> bool {
        Zero::is_zero(self)
    }

    fn to_u64(&self) -> Option<u64> {
        ToPrimitive::to_u64(self)
    }

    fn truth(value: bool) -> BigInt {
        BigInt::from(u8::from(value))
    }
}

#[cfg(test)]
mod tests {
    use super::Integer;
    use num_bigint::BigInt;

    #[test]
    fn small_numbers_wrap_around_and_large_ones_do_not() {
        assert_eq!(Integer::add(&i32::MAX, &1), i32::MIN);
        assert_eq!(Integer::divide(&i32::MIN, &-1), i32::MIN);
        assert_eq!(Integer::divide(&-7, &2), -3);
        let (large, one) = (BigInt::from(i32::MAX), BigInt::from(1));
        assert_eq!(Integer::add(&large, &one), BigInt::from(1u64 << 31));
        assert_eq!(
            Integer::divide(&BigInt::from(-7), &BigInt::from(2)),
            BigInt::from(-3)
        );
        assert_eq!(<i32 as Integer>::literal(&BigInt::from(1u64 << 31)), None);
    }
}
