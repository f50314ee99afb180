//! Operations on floats as SMT-LIB 2, theory FloatingPoint.
//!
//! Floats are bit-vectors here, so that each operation converts its operands and its result. For
//! the result the theory has no function; `fp.to_ieee_bv` is what Z3 and others call it.

use super::Bv;
use super::float::{FloatCast, FloatOp, IntegerBounds, exponent_bits, nan};

fn format(bits: u32) -> String {
    let exponent = exponent_bits(bits);
    format!("(_ to_fp {exponent} {})", bits - exponent)
}

fn operand(bits: u32, name: &str) -> String {
    format!("({} {name})", format(bits))
}

/// The bits of a float, with the one NaN.
fn result(bits: u32, float: &str) -> String {
    format!(
        "(let ((f! {float})) (ite (fp.isNaN f!) (_ bv{} {bits}) (fp.to_ieee_bv f!)))",
        nan(bits)
    )
}

/// The operation on two operands of `bits` bits that have names.
pub(super) fn binary(op: FloatOp, bits: u32, a: &str, b: &str) -> String {
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
        result(bits, &format!("({name} RNE {a} {b})"))
    }
}

/// The conversion of a named operand of `from` bits to `to` bits.
pub(super) fn cast(op: FloatCast, from: u32, to: u32, a: &str) -> String {
    match op {
        FloatCast::Resize => result(to, &format!("({} RNE {})", format(to), operand(from, a))),
        FloatCast::Sqrt => result(to, &format!("(fp.sqrt RNE {})", operand(from, a))),
        FloatCast::FromSigned => result(to, &format!("({} RNE {a})", format(to))),
        FloatCast::FromUnsigned => {
            let exponent = exponent_bits(to);
            let unsigned = format!("(_ to_fp_unsigned {exponent} {})", to - exponent);
            result(to, &format!("({unsigned} RNE {a})"))
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
