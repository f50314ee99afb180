//! Short constructors of expressions; they fold trivial cases, so that addresses of variables and of their
//! first fields stay plain.

use flowgraph::{Expr, RegId};
use term::{BinOp, Bv, CastOp, CmpOp};

pub(super) fn int(bits: u32, value: u64) -> Expr {
    Expr::Const(Bv::new(bits, value))
}

/// All bits one.
pub(super) fn ones(bits: u32) -> Expr {
    Expr::Const(Bv::ones(bits))
}

/// The smallest signed value: 2^(bits−1).
pub(super) fn sign_bit(bits: u32) -> Expr {
    let one = Bv::new(bits, 1);
    Expr::Const(Bv::binary(
        BinOp::Shl,
        &one,
        &Bv::new(bits, u64::from(bits - 1)),
    ))
}

pub(super) fn reg(reg: RegId) -> Expr {
    Expr::Reg(reg)
}

/// Folds constants.
pub(super) fn binary(op: BinOp, lhs: Expr, rhs: Expr) -> Expr {
    match (&lhs, &rhs) {
        (Expr::Const(a), Expr::Const(b)) => Expr::Const(Bv::binary(op, a, b)),
        _ => Expr::Binary(op, Box::new(lhs), Box::new(rhs)),
    }
}

/// Leaves out zero, and adds constants up.
pub(super) fn add(lhs: Expr, rhs: Expr) -> Expr {
    match (lhs, rhs) {
        (Expr::Const(zero), other) | (other, Expr::Const(zero)) if zero.is_zero() => other,
        (Expr::Binary(BinOp::Add, base, first), second)
            if matches!(*first, Expr::Const(_)) && matches!(second, Expr::Const(_)) =>
        {
            add(*base, binary(BinOp::Add, *first, second))
        }
        (lhs, rhs) => binary(BinOp::Add, lhs, rhs),
    }
}

/// `factor · expr` in `bits` bits.
pub(super) fn scale(bits: u32, factor: u64, expr: Expr) -> Expr {
    match factor {
        0 => int(bits, 0),
        1 => expr,
        _ => binary(BinOp::Mul, expr, int(bits, factor)),
    }
}

/// Folds constants, and takes the detour of C's comparisons through `int` back.
pub(super) fn compare(op: CmpOp, lhs: Expr, rhs: Expr) -> Expr {
    match (&lhs, &rhs) {
        (Expr::Cast(CastOp::ZExt, _, truth), Expr::Const(zero))
            if zero.is_zero() && matches!(**truth, Expr::Compare(..)) =>
        {
            match op {
                CmpOp::Ne => (**truth).clone(),
                CmpOp::Eq => not(truth),
                _ => Expr::Compare(op, Box::new(lhs), Box::new(rhs)),
            }
        }
        (Expr::Const(a), Expr::Const(b)) => int(1, u64::from(Bv::compare(op, a, b))),
        _ => Expr::Compare(op, Box::new(lhs), Box::new(rhs)),
    }
}

pub(super) fn cast(op: CastOp, bits: u32, expr: Expr) -> Expr {
    match &expr {
        Expr::Const(value) => Expr::Const(value.cast(op, bits)),
        _ => Expr::Cast(op, bits, Box::new(expr)),
    }
}

/// From `from` to `to` bits: truncated, or extended with zeros.
pub(super) fn resize(expr: Expr, from: u32, to: u32) -> Expr {
    match from.cmp(&to) {
        std::cmp::Ordering::Equal => expr,
        std::cmp::Ordering::Less => cast(CastOp::ZExt, to, expr),
        std::cmp::Ordering::Greater => cast(CastOp::Trunc, to, expr),
    }
}

/// From `from` to `to` bits: truncated, or extended with the sign.
pub(super) fn resize_signed(expr: Expr, from: u32, to: u32) -> Expr {
    if from < to {
        cast(CastOp::SExt, to, expr)
    } else {
        resize(expr, from, to)
    }
}

pub(super) fn ite(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    Expr::Ite(Box::new(condition), Box::new(then), Box::new(otherwise))
}

/// Conjunction of two expressions of width 1.
pub(super) fn and(lhs: Expr, rhs: Expr) -> Expr {
    binary(BinOp::And, lhs, rhs)
}

/// Disjunction of two expressions of width 1.
pub(super) fn or(lhs: Expr, rhs: Expr) -> Expr {
    binary(BinOp::Or, lhs, rhs)
}

/// Negation of an expression of width 1; a comparison becomes its opposite.
pub(super) fn not(expr: &Expr) -> Expr {
    match expr {
        Expr::Compare(op, lhs, rhs) => Expr::Compare(op.negated(), lhs.clone(), rhs.clone()),
        Expr::Binary(BinOp::Or, lhs, rhs) => and(not(lhs), not(rhs)),
        Expr::Binary(BinOp::And, lhs, rhs) => or(not(lhs), not(rhs)),
        _ => compare(CmpOp::Eq, expr.clone(), int(1, 0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_added_up() {
        let base = reg(RegId(0));
        let sum = add(add(base.clone(), int(64, 3)), int(64, 4));
        assert_eq!(sum, binary(BinOp::Add, base.clone(), int(64, 7)));
        assert_eq!(add(base.clone(), int(64, 0)), base);
    }

    #[test]
    fn negation_is_an_opposite_comparison() {
        let less = compare(CmpOp::Slt, reg(RegId(0)), int(32, 5));
        assert_eq!(not(&less), compare(CmpOp::Sge, reg(RegId(0)), int(32, 5)));
        assert_eq!(not(&not(&less)), less);
    }

    #[test]
    fn truth_values_in_integers_are_found() {
        let less = compare(CmpOp::Slt, reg(RegId(0)), int(32, 5));
        let wide = cast(CastOp::ZExt, 32, less.clone());
        assert_eq!(compare(CmpOp::Ne, wide.clone(), int(32, 0)), less);
        assert_eq!(compare(CmpOp::Eq, wide.clone(), int(32, 0)), not(&less));
        let other = compare(CmpOp::Eq, wide, int(32, 1));
        assert!(matches!(other, Expr::Compare(CmpOp::Eq, ..)));
    }

    #[test]
    fn sign_bits() {
        assert_eq!(sign_bit(8), int(8, 128));
        assert_eq!(sign_bit(1), int(1, 1));
    }
}
