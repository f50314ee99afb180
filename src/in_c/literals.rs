//! Numbers and texts as people write them in C.

use super::written::{Level, Sign, Written, type_name};
use term::{Bv, CmpOp, LookUpTable, float};

/// A byte as a character, where it is one that people write.
fn character(value: u64) -> Option<String> {
    let byte = u8::try_from(value).ok()?;
    Some(match byte {
        b'\n' => "'\\n'".to_owned(),
        b'\t' => "'\\t'".to_owned(),
        b'\r' => "'\\r'".to_owned(),
        b'\'' => "'\\''".to_owned(),
        b'\\' => "'\\\\'".to_owned(),
        b' '..=b'~' => format!("'{}'", char::from(byte)),
        _ => return None,
    })
}

pub(super) fn signed(bits: u32, value: u64) -> i64 {
    term::word::signed(bits, value)
}

/// Adds a factor times a term to a sum.
pub(super) fn add(text: &mut String, factor: i64, term: &Written) {
    text.push_str(match (text.is_empty(), factor < 0) {
        (true, true) => "-",
        (true, false) => "",
        (false, true) => " - ",
        (false, false) => " + ",
    });
    match factor.unsigned_abs() {
        1 if factor > 0 && text.is_empty() => text.push_str(&term.at(Level::Product)),
        1 => text.push_str(&term.at(Level::Unary)),
        size => text.push_str(&format!(
            "{} * {}",
            size_literal(size),
            term.at(Level::Unary)
        )),
    }
}

pub(super) fn add_number(text: &mut String, value: i64) {
    match value {
        0 if text.is_empty() => text.push('0'),
        0 => {}
        _ if text.is_empty() => text.push_str(&value.to_string()),
        value if value < 0 => text.push_str(&format!(" - {}", size_literal(value.unsigned_abs()))),
        value => text.push_str(&format!(" + {value}")),
    }
}

/// The size of a number that has its sign apart.
fn size_literal(size: u64) -> String {
    match size {
        0x8000_0000 => format!("{size}u"),
        0x8000_0000_0000_0000 => format!("{size}ULL"),
        _ => size.to_string(),
    }
}

/// A number as it is written; bytes as characters.
fn constant(value: &Bv, want: Sign) -> Written {
    let short = value.to_u64();
    if let Some(text) = short.filter(|_| value.width() == 8).and_then(character) {
        return Written::new(text, Level::Atom, Sign::Either);
    }
    decimal(value, want)
}

/// A number in decimal.
pub(super) fn decimal(value: &Bv, want: Sign) -> Written {
    let text = if want == Sign::Unsigned || type_name(value.width(), true).is_none() {
        let text = value.to_biguint().to_string();
        if text.parse::<i64>().is_err() {
            text + "ULL"
        } else if value.width() == 32 && value.sign() {
            text + "u"
        } else {
            text
        }
    } else {
        // The least number has no literal.
        match (value.width(), value.to_bigint().to_string()) {
            (32, text) if text == "-2147483648" => {
                return Written::new("-2147483647 - 1", Level::Sum, Sign::Either);
            }
            (_, text) if text == "-9223372036854775808" => {
                return Written::new("-9223372036854775807LL - 1", Level::Sum, Sign::Either);
            }
            (_, text) => text,
        }
    };
    let level = if text.starts_with('-') {
        Level::Unary
    } else {
        Level::Atom
    };
    Written::new(text, level, Sign::Either)
}

/// A number that selects bits.
pub(super) fn mask(value: &Bv, sign: Sign) -> Written {
    match value.to_u64() {
        Some(bits) if sign != Sign::Signed || !value.sign() => {
            Written::new(written_mask(bits), Level::Atom, Sign::Either)
        }
        _ => decimal(value, Sign::Signed),
    }
}

pub(super) fn written_mask(bits: u64) -> String {
    if bits < 10 {
        bits.to_string()
    } else {
        format!("0x{bits:x}")
    }
}

/// A comparison with a constant, as people write it: `c >= '0'` instead of `c > '/'`, `n >= 0` instead of
/// `n > -1`.
pub(super) fn limit(op: CmpOp, value: &Bv, sign: Sign) -> (CmpOp, Written) {
    let is_text = |byte: u64| {
        u8::try_from(byte).is_ok_and(|byte| byte == b' ' || byte.is_ascii_alphanumeric())
    };
    let as_it_is = match op {
        CmpOp::Eq | CmpOp::Ne => (op, constant(value, sign)),
        _ if value.to_u64().is_some_and(is_text) => (op, constant(value, sign)),
        // A limit of 10 is hardly the end of a line.
        _ => (op, decimal(value, sign)),
    };
    let Some(number) = value.to_i64() else {
        return as_it_is;
    };
    let is_letter = |number: i64| {
        let byte = u8::try_from(number).ok();
        value.width() == 8 && byte.is_some_and(|byte| byte.is_ascii_alphanumeric())
    };
    let (other, next) = match op {
        CmpOp::Sgt => (CmpOp::Sge, number.checked_add(1)),
        CmpOp::Ugt if number >= 0 => (CmpOp::Uge, number.checked_add(1)),
        CmpOp::Slt => (CmpOp::Sle, number.checked_sub(1)),
        CmpOp::Ult if number > 0 => (CmpOp::Ule, number.checked_sub(1)),
        _ => return as_it_is,
    };
    match next {
        Some(next) if is_letter(next) && !is_letter(number) => {
            (other, constant(&Bv::from_i64(value.width(), next), sign))
        }
        Some(0) if op == CmpOp::Sgt => (other, decimal(&Bv::zero(value.width()), sign)),
        _ => as_it_is,
    }
}

/// A table of printable bytes as a string.
pub(super) fn string_of(table: &LookUpTable) -> Option<String> {
    let is_text = |value: &u64| (u64::from(b' ')..=u64::from(b'~')).contains(value);
    let values = table.values();
    if table.stride() != 1 || values.len() > 64 || !values.iter().all(is_text) {
        return None;
    }
    let characters = values.iter().filter_map(|value| u8::try_from(*value).ok());
    let text: String = characters.map(char::from).collect();
    Some(format!(
        "\"{}\"",
        text.replace('\\', "\\\\").replace('"', "\\\"")
    ))
}

pub(super) fn float_literal(bits: u32, value: u64) -> Option<String> {
    let digits = float::shortest(bits, value)?;
    let suffix = match bits {
        16 => "f16",
        32 => "f",
        _ => "",
    };
    let is_finite = digits.ends_with(|last: char| last.is_ascii_digit());
    is_finite.then(|| format!("{digits}{suffix}"))
}
