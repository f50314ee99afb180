//! Operations on floats as SMT-LIB 2, theory FloatingPoint.
//!
//! Floats are bit-vectors here, so that each operation converts its operands and its result. For
//! the result the theory has no function; `fp.to_ieee_bv` is what Z3 and others call it.

use super::Bv;
use super::float::{FloatCast, FloatOp, IntegerBounds, exponent_bits, fraction_bits, nan, quiet};

fn format(bits: u32) -> String {
    let exponent = exponent_bits(bits);
    format!("(_ to_fp {exponent} {})", bits - exponent)
}

fn operand(bits: u32, name: &str) -> String {
    format!("({} {name})", format(bits))
}

/// The bits of a float that an operation makes, with those of the terms where it is a NaN.
fn result(float: &str, of_nan: &str) -> String {
    format!("(let ((f! {float})) (ite (fp.isNaN f!) {of_nan} (fp.to_ieee_bv f!)))")
}

/// The bits of the NaN that arithmetic makes of named operands.
fn nan_of(bits: u32, operands: &[&str]) -> String {
    let none = format!("(_ bv{} {bits})", nan(bits));
    operands.iter().rev().fold(none, |other, name| {
        let (float, quiet) = (operand(bits, name), quiet(bits));
        format!("(ite (fp.isNaN {float}) (bvor {name} (_ bv{quiet} {bits})) {other})")
    })
}

/// The bits of a NaN in the format of `to` bits, from the named ones in another.
fn resized_nan(from: u32, to: u32, name: &str) -> String {
    let (before, after) = (fraction_bits(from), fraction_bits(to));
    // Behind the bit that makes a NaN quiet.
    let payload = before.min(after) - 1;
    let sign = format!("((_ extract {0} {0}) {name})", from - 1);
    let head = "1".repeat(to as usize - after as usize);
    let kept = format!(
        "((_ extract {} {}) {name})",
        before - 2,
        before - 1 - payload
    );
    if after > before {
        format!("(concat {sign} #b{head} {kept} (_ bv0 {}))", after - before)
    } else {
        format!("(concat {sign} #b{head} {kept})")
    }
}

/// The operation on two operands of `bits` bits that have names.
pub(super) fn binary(op: FloatOp, bits: u32, a: &str, b: &str) -> String {
    let of_nan = nan_of(bits, &[a, b]);
    let (a, b) = (operand(bits, a), operand(bits, b));
    let name = match op {
        FloatOp::Add => "fp.add",
        FloatOp::Sub => "fp.sub",
        FloatOp::Mul => "fp.mul",
        FloatOp::Div => "fp.div",
        FloatOp::Eq => "fp.eq",
        FloatOp::Lt => "fp.lt",
        FloatOp::Le => "fp.leq",
    };
    if op.result_bits(bits) == 1 {
        format!("(ite ({name} {a} {b}) #b1 #b0)")
    } else {
        result(&format!("({name} RNE {a} {b})"), &of_nan)
    }
}

/// The conversion of a named operand of `from` bits to `to` bits.
pub(super) fn cast(op: FloatCast, from: u32, to: u32, a: &str) -> String {
    match op {
        FloatCast::Resize if from == to => a.to_owned(),
        FloatCast::Resize => result(
            &format!("({} RNE {})", format(to), operand(from, a)),
            &resized_nan(from, to, a),
        ),
        FloatCast::Sqrt => {
            let root = format!("(fp.sqrt RNE {})", operand(from, a));
            result(&root, &nan_of(to, &[a]))
        }
        FloatCast::FromSigned => format!("(fp.to_ieee_bv ({} RNE {a}))", format(to)),
        FloatCast::FromUnsigned => {
            let exponent = exponent_bits(to);
            let unsigned = format!("(_ to_fp_unsigned {exponent} {})", to - exponent);
            format!("(fp.to_ieee_bv ({unsigned} RNE {a}))")
        }
        FloatCast::ToSigned => to_integer("fp.to_sbv", from, to, a, true),
        FloatCast::ToUnsigned => to_integer("fp.to_ubv", from, to, a, false),
    }
}

/// The theory leaves open what does not fit; here it is 0.
fn to_integer(name: &str, from: u32, to: u32, a: &str, signed: bool) -> String {
    let bounds = IntegerBounds::new(from, to, signed);
    let constant = |value: &Bv| operand(from, &format!("(_ bv{} {from})", value.to_biguint()));
    let lower = match bounds.lower_comparison() {
        FloatOp::Le => "fp.leq",
        _ => "fp.lt",
    };
    let a = operand(from, a);
    format!(
        "(ite (and ({lower} {} {a}) (fp.lt {a} {})) ((_ {name} {to}) RTZ {a}) (_ bv0 {to}))",
        constant(&bounds.lower),
        constant(&bounds.upper)
    )
}
