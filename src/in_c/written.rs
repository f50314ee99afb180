//! Expressions of C as text, with what an expression around them has to know: how strongly they bind, and how C
//! reads their number.

/// How C reads a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sign {
    Signed,
    Unsigned,
    /// As its neighbour: constants and path counters; as a demand, any.
    Either,
}

/// Binding strength in C, the weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// Quantifiers reach as far to the right as they can.
    Quantifier,
    Choice,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    Order,
    Shift,
    Sum,
    Product,
    Unary,
    Atom,
}

/// An expression.
pub(super) struct Written {
    pub text: String,
    pub level: Level,
    pub sign: Sign,
}

impl Written {
    pub fn new(text: impl Into<String>, level: Level, sign: Sign) -> Written {
        Written {
            text: text.into(),
            level,
            sign,
        }
    }

    /// For a place where only what binds so strongly stands without parentheses.
    pub fn at(&self, level: Level) -> String {
        // Readers do not know how bits and comparisons bind.
        let is_bits = (Level::BitOr..=Level::BitAnd).contains(&self.level);
        if self.level < level || is_bits && level > Level::And {
            format!("({})", self.text)
        } else {
            self.text.clone()
        }
    }
}

/// The type of so many bits; `None` if C has none.
#[must_use]
pub fn type_name(bits: u32, is_signed: bool) -> Option<&'static str> {
    Some(match (bits, is_signed) {
        (8, true) => "signed char",
        (16, true) => "short",
        (32, true) => "int",
        (64, true) => "long long",
        (128, true) => "__int128",
        (8, false) => "unsigned char",
        (16, false) => "unsigned short",
        (32, false) => "unsigned",
        (64, false) => "unsigned long long",
        (128, false) => "unsigned __int128",
        _ => return None,
    })
}

/// What operands have to be where the result is cut to so many bits: anything where C has more.
pub(super) fn narrow(bits: u32, want: Sign) -> Sign {
    if bits < 32 { Sign::Either } else { want }
}

/// A number that C may have in an `int`, in as many bits as it has.
pub(super) fn widened(bits: u32, written: Written) -> Option<Written> {
    if bits <= 32 || written.sign != Sign::Either {
        return Some(written);
    }
    let text = format!("({}){}", type_name(bits, true)?, written.at(Level::Unary));
    Some(Written::new(text, Level::Unary, Sign::Signed))
}

/// A number that C computes in an `int`, cut to its bits again.
pub(super) fn converted(bits: u32, written: Written, want: Sign) -> Option<Written> {
    if bits >= 32 {
        return Some(written);
    }
    let is_signed = want != Sign::Unsigned;
    let ty = type_name(bits, is_signed)?;
    let text = format!("({ty}){}", written.at(Level::Unary));
    let sign = if is_signed {
        Sign::Signed
    } else {
        Sign::Unsigned
    };
    Some(Written::new(text, Level::Unary, sign))
}
