//! Operations on floats in Z3's theory of floating point.

use super::raw::{Ast, Context, FloatFrom, FloatOp2, Op1, Op2, OpN};
use term::float::{IntegerBounds, exponent_bits, fraction_bits, nan, quiet};
use term::{Bv, FloatCast, FloatOp};

/// Whether the operation makes a float, rather than an integer.
pub(super) fn is_made_by(op: FloatCast) -> bool {
    !matches!(op, FloatCast::ToSigned | FloatCast::ToUnsigned)
}

/// The float that a bit-vector of 16, 32 or 64 bits is.
pub(super) fn of_bits(ctx: &Context, bits: u32, word: &Ast) -> Ast {
    ctx.float_of_bits(bits, word)
}

/// The bits of a float that is made by an operation, with those of the terms where it is a NaN.
pub(super) fn bits_of(ctx: &Context, float: &Ast, of_nan: &Ast) -> Ast {
    let is_nan = ctx.op1(Op1::FLOAT_IS_NAN, float);
    let word = ctx.op1(Op1::FLOAT_BITS, float);
    ctx.ite(&is_nan, of_nan, &word)
}

/// The bits of the NaN that arithmetic makes of operands, each as a float and as its bits.
pub(super) fn nan_of(ctx: &Context, bits: u32, operands: &[(&Ast, &Ast)]) -> Ast {
    let quiet = ctx.word(bits, quiet(bits));
    let none = ctx.word(bits, nan(bits));
    operands.iter().rev().fold(none, |other, (float, word)| {
        let is_nan = ctx.op1(Op1::FLOAT_IS_NAN, float);
        ctx.ite(&is_nan, &ctx.op2(Op2::BV_OR, word, &quiet), &other)
    })
}

/// The bits of a NaN in the format of `to` bits, from those in another.
pub(super) fn resized_nan(ctx: &Context, from: u32, to: u32, word: &Ast) -> Ast {
    let (before, after) = (fraction_bits(from), fraction_bits(to));
    // Behind the bit that makes a NaN quiet.
    let payload = before.min(after) - 1;
    let sign = ctx.extract(from - 1, from - 1, word);
    let head = exponent_bits(to) + 1;
    let head = ctx.op2(Op2::CONCAT, &sign, &ctx.word(head, u64::MAX >> (64 - head)));
    let kept = ctx.extract(before - 2, before - 1 - payload, word);
    let nan = ctx.op2(Op2::CONCAT, &head, &kept);
    if after > before {
        ctx.op2(Op2::CONCAT, &nan, &ctx.word(after - before, 0))
    } else {
        nan
    }
}

/// An operation on floats: a float, or a Boolean for a comparison.
pub(super) fn binary(ctx: &Context, op: FloatOp, a: &Ast, b: &Ast) -> Ast {
    match op {
        FloatOp::Add => ctx.float_op2(FloatOp2::ADD, a, b),
        FloatOp::Sub => ctx.float_op2(FloatOp2::SUB, a, b),
        FloatOp::Mul => ctx.float_op2(FloatOp2::MUL, a, b),
        FloatOp::Div => ctx.float_op2(FloatOp2::DIV, a, b),
        FloatOp::Eq => ctx.op2(Op2::FLOAT_EQ, a, b),
        FloatOp::Lt => ctx.op2(Op2::FLOAT_LT, a, b),
        FloatOp::Le => ctx.op2(Op2::FLOAT_LE, a, b),
    }
}

/// A float of `to` bits from a float (`Resize`, `Sqrt`) or a bit-vector.
pub(super) fn cast(ctx: &Context, op: FloatCast, to: u32, a: &Ast) -> Ast {
    let convert = match op {
        FloatCast::Sqrt => return ctx.float_sqrt(a),
        FloatCast::Resize => FloatFrom::RESIZE,
        FloatCast::FromSigned => FloatFrom::SIGNED,
        FloatCast::FromUnsigned => FloatFrom::UNSIGNED,
        FloatCast::ToSigned | FloatCast::ToUnsigned => {
            unreachable!("only what makes a float")
        }
    };
    ctx.float_from(convert, to, a)
}

/// A bit-vector of `to` bits from a float of `from` bits, 0 if it does not fit.
pub(super) fn to_integer(ctx: &Context, op: FloatCast, from: u32, to: u32, float: &Ast) -> Ast {
    let signed = op == FloatCast::ToSigned;
    let bounds = IntegerBounds::new(from, to, signed);
    let constant = |value: &Bv| {
        let word = ctx.word(from, value.word().expect("at most 64 bits"));
        of_bits(ctx, from, &word)
    };
    let above = binary(
        ctx,
        bounds.lower_comparison(),
        &constant(&bounds.lower),
        float,
    );
    let below = binary(ctx, FloatOp::Lt, float, &constant(&bounds.upper));
    let fits = ctx.op_n(OpN::And, &[above, below]);
    let whole = ctx.float_to_integer(signed, float, to);
    ctx.ite(&fits, &whole, &ctx.word(to, 0))
}
