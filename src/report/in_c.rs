//! Conditions as expressions of C, for people who know the program and not the notation of papers.
//!
//! ```text
//! term --(how its symbols are read: signed, unsigned)--> js[0] == '{' && (unsigned char)js[1] - 48 …
//! ```
//!
//! The text means what the term means by the rules of C, with arithmetic that wraps around: where an
//! operator needs its operands signed or unsigned and C would not take them so, there is a conversion.
//! What is undefined in C (shifts by the width, divisions by zero) may mean anything. A number that nobody
//! knows more about is signed. Bytes that are printable stand as characters.
//!
//! Quantifiers have no form in C. They stand as in the papers, with C behind the colon:
//! `∀τ < κ: A[τ] != x`.
//!
//! # Deliberately absent
//! Arrays that were written to, and values of which not every byte is read: such a condition has no form
//! in C ([`InC::truth`] is `None`), and the caller has the notation of the papers for it.

use crate::frontend::{InputType, Reading};
use crate::term::{
    BinOp, Bv, CastOp, CmpOp, FloatCast, FloatOp, LookUpTable, SymbolId, SymbolNames, Term, TermId,
    TermPool,
};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// Conditions of more operators are not written in C: nobody reads them, and they are written by recursion.
const MOST_OPERATORS: usize = 300;

/// Writes terms in C.
pub(super) struct InC<'a> {
    pub pool: &'a TermPool,
    pub names: &'a SymbolNames,
    /// What numbers inputs of these names are.
    pub types: &'a BTreeMap<String, InputType>,
    /// Path counters, which no operator has to convert.
    pub counters: &'a BTreeSet<SymbolId>,
}

/// How C reads a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sign {
    Signed,
    Unsigned,
    /// As its neighbour: constants and path counters; as a demand, any.
    Either,
}

/// Binding strength in C, the weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
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
struct Written {
    text: String,
    level: Level,
    sign: Sign,
}

impl Written {
    fn new(text: impl Into<String>, level: Level, sign: Sign) -> Written {
        Written {
            text: text.into(),
            level,
            sign,
        }
    }

    /// For a place where only what binds so strongly stands without parentheses.
    fn at(&self, level: Level) -> String {
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
fn type_name(bits: u32, is_signed: bool) -> Option<&'static str> {
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

/// The comparison with its sides exchanged.
fn exchanged(op: CmpOp) -> CmpOp {
    match op {
        CmpOp::Eq | CmpOp::Ne => op,
        CmpOp::Ult => CmpOp::Ugt,
        CmpOp::Ule => CmpOp::Uge,
        CmpOp::Ugt => CmpOp::Ult,
        CmpOp::Uge => CmpOp::Ule,
        CmpOp::Slt => CmpOp::Sgt,
        CmpOp::Sle => CmpOp::Sge,
        CmpOp::Sgt => CmpOp::Slt,
        CmpOp::Sge => CmpOp::Sle,
    }
}

impl InC<'_> {
    /// A condition; `None` if it has no form in C.
    pub fn truth(&self, term: TermId) -> Option<String> {
        Some(self.writing(None).truth(term, false)?.text)
    }

    /// A condition, for a place between `&&` signs; `None` if it has no form in C.
    pub fn conjunct(&self, term: TermId) -> Option<String> {
        let written = self.writing(None).truth(term, false)?;
        Some(written.at(Level::BitOr))
    }

    /// The symbols of a condition that has a form in C.
    pub fn symbols(&self, term: TermId, found: &mut BTreeSet<SymbolId>) {
        let met = RefCell::new(BTreeSet::new());
        if self.writing(Some(&met)).truth(term, false).is_some() {
            found.append(&mut met.borrow_mut());
        }
    }

    fn writing<'w>(&'w self, met: Option<&'w RefCell<BTreeSet<SymbolId>>>) -> Writing<'w> {
        Writing {
            of: self,
            left: Cell::new(MOST_OPERATORS),
            binders: Cell::new(0),
            met,
        }
    }
}

/// A term that is being written.
struct Writing<'w> {
    of: &'w InC<'w>,
    left: Cell<usize>,
    /// Quantifiers around the place.
    binders: Cell<u32>,
    met: Option<&'w RefCell<BTreeSet<SymbolId>>>,
}

impl Writing<'_> {
    fn pool(&self) -> &TermPool {
        self.of.pool
    }

    fn count(&self) -> Option<()> {
        self.left.set(self.left.get().checked_sub(1)?);
        Some(())
    }

    /// What is behind a quantifier's colon.
    fn below<T>(&self, write: impl FnOnce() -> Option<T>) -> Option<(String, T)> {
        let binders = self.binders.get();
        self.binders.set(binders + 1);
        let written = write();
        self.binders.set(binders);
        Some((bound_name(binders), written?))
    }

    fn name(&self, symbol: SymbolId) -> &str {
        if let Some(met) = self.met {
            met.borrow_mut().insert(symbol);
        }
        self.of.names.get(self.pool(), symbol)
    }

    /// How a variable of so many bits is read, where that is known.
    fn reading(&self, symbol: SymbolId, bits: u32) -> Option<Reading> {
        let ty = self.of.types.get(self.pool().given_name(symbol))?;
        (!ty.is_array && ty.bits == bits).then_some(ty.reading)
    }

    /// How an element of an array is read, where that is known.
    fn reading_of_element(&self, symbol: SymbolId, bits: u32) -> Option<Reading> {
        let ty = self.of.types.get(self.pool().given_name(symbol))?;
        (ty.is_array && ty.bits == bits).then_some(ty.reading)
    }

    /// Whether an array has elements of so many bits; yes where nobody knows.
    fn has_elements(&self, symbol: SymbolId, bits: u32) -> bool {
        let ty = self.of.types.get(self.pool().given_name(symbol));
        ty.is_none_or(|ty| ty.is_array && ty.bits == bits)
    }

    /// A pointer to what is called so.
    fn pointer(&self, symbol: SymbolId, name: String) -> String {
        let ty = self.of.types.get(self.pool().given_name(symbol));
        match ty {
            Some(ty) if !ty.is_array => format!("&{name}"),
            _ => name,
        }
    }

    /// A truth value, or its negation.
    fn truth(&self, term: TermId, negated: bool) -> Option<Written> {
        self.count()?;
        let pool = self.pool();
        let not = |written: Written| {
            if negated {
                let text = format!("!{}", written.at(Level::Unary));
                Written::new(text, Level::Unary, Sign::Either)
            } else {
                written
            }
        };
        match pool.view(term) {
            Term::Constant(value) => {
                let holds = value.is_zero() == negated;
                Some(Written::new(
                    u8::from(holds).to_string(),
                    Level::Atom,
                    Sign::Either,
                ))
            }
            Term::Not(of) => self.truth(of, !negated),
            Term::Binary(op @ (BinOp::And | BinOp::Or), ..) => {
                let parts = match op {
                    BinOp::And => pool.conjuncts(term),
                    _ => pool.disjuncts(term),
                };
                let (level, sign) = match (op == BinOp::And) != negated {
                    true => (Level::And, " && "),
                    false => (Level::Or, " || "),
                };
                // Compilers warn where `||` has `&&` beside it.
                let place = Level::BitOr;
                let parts = parts
                    .into_iter()
                    .map(|part| Some(self.truth(part, negated)?.at(place)));
                let parts: Vec<String> = parts.collect::<Option<_>>()?;
                Some(Written::new(parts.join(sign), level, Sign::Either))
            }
            Term::Compare(op, lhs, rhs) if pool.width(lhs) == 1 => {
                let sign = match (op, negated) {
                    (CmpOp::Eq, false) | (CmpOp::Ne, true) => "==",
                    (CmpOp::Eq, true) | (CmpOp::Ne, false) => "!=",
                    _ => return None,
                };
                let lhs = self.truth(lhs, false)?.at(Level::Unary);
                let rhs = self.truth(rhs, false)?.at(Level::Unary);
                let text = format!("{lhs} {sign} {rhs}");
                Some(Written::new(text, Level::Equal, Sign::Either))
            }
            Term::Compare(op, lhs, rhs) => {
                let op = if negated { op.negated() } else { op };
                if pool.as_const(lhs).is_some() {
                    self.comparison(exchanged(op), rhs, lhs)
                } else {
                    self.comparison(op, lhs, rhs)
                }
            }
            Term::FloatBinary(op, lhs, rhs) => {
                let (sign, level) = match op {
                    FloatOp::Eq => ("==", Level::Equal),
                    FloatOp::Lt => ("<", Level::Order),
                    FloatOp::Le => ("<=", Level::Order),
                    FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Div => return None,
                };
                let lhs = self.float(lhs)?.at(Level::Shift);
                let rhs = self.float(rhs)?.at(Level::Shift);
                let text = format!("{lhs} {sign} {rhs}");
                Some(not(Written::new(text, level, Sign::Either)))
            }
            Term::Symbol(symbol) => {
                let name = self.name(symbol).to_owned();
                Some(not(Written::new(name, Level::Atom, Sign::Either)))
            }
            Term::Extract { low, of } => Some(not(self.bits_of(of, low, 1)?)),
            Term::Ite(condition, then, otherwise) => {
                let condition = self.truth(condition, false)?.at(Level::Or);
                let then = self.truth(then, negated)?.at(Level::Or);
                let otherwise = self.truth(otherwise, negated)?.at(Level::Or);
                let text = format!("{condition} ? {then} : {otherwise}");
                Some(Written::new(text, Level::Choice, Sign::Either))
            }
            Term::ForAll { limit, body } => {
                let limit = self.value(limit, Sign::Unsigned)?.at(Level::Shift);
                let (name, body) = self.below(|| self.truth(body, negated))?;
                let quantifier = if negated { "∃" } else { "∀" };
                let text = format!("{quantifier}{name} < {limit}: {}", body.text);
                Some(Written::new(text, Level::Quantifier, Sign::Either))
            }
            _ => None,
        }
    }

    /// A comparison of numbers, of which only the second may be a constant.
    fn comparison(&self, op: CmpOp, lhs: TermId, rhs: TermId) -> Option<Written> {
        let bits = self.pool().width(lhs);
        let constant = self.pool().as_const(rhs);
        let want = match op {
            CmpOp::Eq | CmpOp::Ne => Sign::Either,
            CmpOp::Ult | CmpOp::Ule | CmpOp::Ugt | CmpOp::Uge => Sign::Unsigned,
            CmpOp::Slt | CmpOp::Sle | CmpOp::Sgt | CmpOp::Sge => Sign::Signed,
        };
        let left = self.value(lhs, want)?;
        // A number of few bits is compared as an `int`.
        let want_right = match left.sign {
            Sign::Either => want,
            sign if want != Sign::Either || bits < 32 || constant.is_some() => sign,
            _ => Sign::Either,
        };
        let (op, right) = match constant {
            Some(value) => limit(op, &value, want_right),
            None => {
                // What is unsigned makes the other so.
                let is_enough = bits >= 32
                    && want == Sign::Unsigned
                    && left.sign == Sign::Unsigned
                    && type_name(bits, false).is_some();
                let want = if is_enough { Sign::Either } else { want_right };
                (op, self.value(rhs, want)?)
            }
        };
        let (sign, level) = match op {
            CmpOp::Eq => ("==", Level::Equal),
            CmpOp::Ne => ("!=", Level::Equal),
            CmpOp::Ult | CmpOp::Slt => ("<", Level::Order),
            CmpOp::Ule | CmpOp::Sle => ("<=", Level::Order),
            CmpOp::Ugt | CmpOp::Sgt => (">", Level::Order),
            CmpOp::Uge | CmpOp::Sge => (">=", Level::Order),
        };
        let (left, right) = (left.at(Level::Shift), right.at(Level::Shift));
        Some(Written::new(
            format!("{left} {sign} {right}"),
            level,
            Sign::Either,
        ))
    }

    /// A number that C reads so, by a conversion if need be.
    fn value(&self, term: TermId, want: Sign) -> Option<Written> {
        let bits = self.pool().width(term);
        if let Some(value) = self.pool().as_const(term) {
            return Some(decimal(&value, want));
        }
        let written = self.natural(term, want)?;
        if want == Sign::Either || written.sign == Sign::Either || written.sign == want {
            return Some(written);
        }
        let ty = type_name(bits, want == Sign::Signed)?;
        let text = format!("({ty}){}", written.at(Level::Unary));
        Some(Written::new(text, Level::Unary, want))
    }

    /// A number as C reads it by itself; where there is a choice, as it is wanted. One of a number of bits
    /// for which C has no type is unsigned, in a wider one.
    fn natural(&self, term: TermId, want: Sign) -> Option<Written> {
        self.count()?;
        let pool = self.pool();
        let bits = pool.width(term);
        if bits == 1 {
            return Some(Written {
                sign: Sign::Unsigned,
                ..self.truth(term, false)?
            });
        }
        match pool.view(term) {
            Term::Symbol(symbol) => self.variable(symbol, self.name(symbol).to_owned(), bits),
            Term::Select(array, index) => self.element(array, index, bits),
            Term::Bound { index, .. } => {
                let level = self.binders.get().checked_sub(index + 1)?;
                Some(Written::new(bound_name(level), Level::Atom, Sign::Either))
            }
            Term::Sum { constant, terms } => self.sum(bits, constant, terms, want),
            Term::Binary(op, lhs, rhs) => self.binary(bits, op, lhs, rhs, want),
            Term::Not(of) => {
                type_name(bits, true)?;
                let of = self.value(of, narrow(bits, want))?;
                let text = format!("~{}", of.at(Level::Unary));
                converted(bits, Written::new(text, Level::Unary, of.sign), want)
            }
            Term::Cast(op, of) => self.cast(bits, op, of, want),
            Term::Extract { low, of } => self.part(bits, low, of, want),
            Term::Concat { high, low } => self.concat(bits, high, low),
            Term::Ite(condition, then, otherwise) => {
                // Both sides have to be read alike, and be of one type.
                type_name(bits, true)?;
                let want = match want {
                    Sign::Either => Sign::Signed,
                    want => want,
                };
                let condition = self.truth(condition, false)?.at(Level::Or);
                let then = self.value(then, want)?;
                let otherwise = self.value(otherwise, want)?;
                let sign = match (then.sign, otherwise.sign) {
                    (Sign::Either, Sign::Either) => Sign::Either,
                    _ => want,
                };
                let (then, otherwise) = (then.at(Level::Or), otherwise.at(Level::Or));
                let text = format!("{condition} ? {then} : {otherwise}");
                widened(bits, Written::new(text, Level::Choice, sign))
            }
            Term::FloatCast(op @ (FloatCast::ToSigned | FloatCast::ToUnsigned), of) => {
                let is_signed = op == FloatCast::ToSigned;
                let ty = type_name(bits, is_signed)?;
                let text = format!("({ty}){}", self.float(of)?.at(Level::Unary));
                let sign = if is_signed {
                    Sign::Signed
                } else {
                    Sign::Unsigned
                };
                Some(Written::new(text, Level::Unary, sign))
            }
            Term::SumBelow { limit, body } => {
                type_name(bits, true)?;
                let limit = self.value(limit, Sign::Unsigned)?.at(Level::Shift);
                let (name, body) = self.below(|| self.value(body, want))?;
                let text = format!("Σ{name} < {limit}: {}", body.text);
                Some(Written::new(text, Level::Quantifier, body.sign))
            }
            _ => None,
        }
    }

    /// A variable, of which it may be known what it is.
    fn variable(&self, symbol: SymbolId, name: String, bits: u32) -> Option<Written> {
        if self.of.counters.contains(&symbol) {
            return Some(Written::new(name, Level::Atom, Sign::Either));
        }
        if let Some(address) = name.strip_prefix('&') {
            // Addresses are compared, and nothing else.
            let is_word = address
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            return is_word.then(|| Written::new(name, Level::Unary, Sign::Unsigned));
        }
        let sign = match self.reading(symbol, bits) {
            Some(Reading::Unsigned) => Sign::Unsigned,
            // The bits of a float are no number in C.
            Some(Reading::Float) => return None,
            Some(Reading::Signed) | None => Sign::Signed,
        };
        type_name(bits, true)?;
        Some(Written::new(name, Level::Atom, sign))
    }

    /// The value of an array at a byte offset.
    fn element(&self, array: TermId, offset: TermId, bits: u32) -> Option<Written> {
        type_name(bits, true)?;
        let bytes = u64::from(bits / 8);
        match self.pool().view(array) {
            Term::Symbol(symbol) => {
                let is_first = self
                    .pool()
                    .as_const(offset)
                    .is_some_and(|offset| offset.is_zero());
                let name = self.name(symbol).to_owned();
                if is_first && self.reading(symbol, bits).is_some() {
                    return self.variable(symbol, name, bits);
                }
                let sign = match self.reading_of_element(symbol, bits) {
                    Some(Reading::Unsigned) => Sign::Unsigned,
                    Some(Reading::Float) => return None,
                    Some(Reading::Signed) | None => Sign::Signed,
                };
                let ty = type_name(bits, true)?;
                let name = self.pointer(symbol, name);
                if let Some(index) = self.index(offset, bytes) {
                    let text = if self.has_elements(symbol, bits) {
                        format!("{name}[{index}]")
                    } else {
                        format!("(({ty} *){name})[{index}]")
                    };
                    return Some(Written::new(text, Level::Atom, sign));
                }
                let offset = self.value(offset, Sign::Either)?.at(Level::Product);
                let text = format!("*({ty} *)((char *){name} + {offset})");
                Some(Written::new(text, Level::Unary, Sign::Signed))
            }
            Term::Table(table) => {
                let text = string_of(table).filter(|_| bits == 8)?;
                let index = self.index(offset, 1)?;
                let text = format!("{text}[{index}]");
                Some(Written::new(text, Level::Atom, Sign::Signed))
            }
            _ => None,
        }
    }

    /// The index that leads to a byte offset, where elements have so many bytes; `None` if none does, whatever
    /// the values. An index may be an `int`: it does not overflow in C, where the term is wider.
    fn index(&self, offset: TermId, bytes: u64) -> Option<String> {
        let pool = self.pool();
        if let Some(value) = pool.as_const(offset) {
            let value = value.to_u64()?;
            return value
                .is_multiple_of(bytes)
                .then(|| (value / bytes).to_string());
        }
        let (constant, terms) = match pool.view(offset) {
            Term::Sum { constant, terms } => (constant, terms.to_vec()),
            _ => (0, vec![(1, offset)]),
        };
        let width = pool.width(offset);
        let by = i64::try_from(bytes).ok()?;
        let divided = |value: u64| {
            let value = signed(width, value);
            (value % by == 0).then_some(value / by)
        };
        let mut text = String::new();
        let is_alone = terms.len() == 1 && constant == 0;
        for (factor, term) in terms {
            let factor = divided(factor)?;
            let term = match pool.view(term) {
                Term::Cast(CastOp::SExt, of) if type_name(pool.width(of), true).is_some() => {
                    self.value(of, Sign::Signed)?
                }
                // A sum of unsigned numbers may wrap around.
                Term::Cast(CastOp::ZExt, of)
                    if is_alone && factor == 1 && type_name(pool.width(of), true).is_some() =>
                {
                    self.value(of, Sign::Unsigned)?
                }
                _ => self.value(term, Sign::Either)?,
            };
            add(&mut text, factor, &term);
        }
        add_number(&mut text, divided(constant)?);
        Some(text)
    }

    /// Σ factor · term + constant.
    fn sum(
        &self,
        bits: u32,
        constant: u64,
        terms: &[(u64, TermId)],
        want: Sign,
    ) -> Option<Written> {
        type_name(bits, true)?;
        let mut parts = Vec::new();
        for (factor, term) in terms {
            if is_address(self.pool(), *term) {
                return None;
            }
            let demanded = match want {
                // What is computed in more bits and cut is the same for each reading.
                _ if bits < 32 => Sign::Either,
                Sign::Signed => Sign::Signed,
                // One that is widened needs no second conversion; else what is unsigned makes the others so.
                want if matches!(self.pool().view(*term), Term::Cast(..)) => want,
                Sign::Unsigned | Sign::Either => Sign::Either,
            };
            parts.push((signed(bits, *factor), self.value(*term, demanded)?));
        }
        let sign = parts.iter().fold(Sign::Either, |all, (_, part)| {
            match (all, part.sign) {
                // What is unsigned makes the others so.
                (Sign::Unsigned, _) | (_, Sign::Unsigned) => Sign::Unsigned,
                (Sign::Signed, _) | (_, Sign::Signed) => Sign::Signed,
                _ => Sign::Either,
            }
        });
        // A positive summand stands first, if there is one.
        let first = parts
            .iter()
            .position(|(factor, _)| *factor > 0)
            .unwrap_or(0);
        let first = parts.remove(first);
        parts.insert(0, first);
        let level = match parts.as_slice() {
            [_] if constant == 0 => Level::Product,
            _ => Level::Sum,
        };
        let mut text = String::new();
        for (factor, part) in &parts {
            add(&mut text, *factor, part);
        }
        add_number(&mut text, signed(bits, constant));
        // The least number has an unsigned literal only.
        let is_least = |value: u64| bits >= 32 && value == 1 << (bits - 1);
        let sign = match is_least(constant) || terms.iter().any(|(factor, _)| is_least(*factor)) {
            true => Sign::Unsigned,
            false => sign,
        };
        converted(bits, Written::new(text, level, sign), want)
    }

    fn binary(
        &self,
        bits: u32,
        op: BinOp,
        lhs: TermId,
        rhs: TermId,
        want: Sign,
    ) -> Option<Written> {
        let has_type = type_name(bits, true).is_some();
        let of_sign = match op {
            BinOp::UDiv | BinOp::URem | BinOp::LShr => Sign::Unsigned,
            // What has no type of its own is unsigned.
            BinOp::And | BinOp::Or | BinOp::Xor if !has_type => Sign::Unsigned,
            _ if !has_type => return None,
            BinOp::SDiv | BinOp::SRem | BinOp::AShr => Sign::Signed,
            BinOp::And | BinOp::Or | BinOp::Xor => match want {
                // As its operands are, which have to be alike where C widens them.
                Sign::Either if bits < 32 => Sign::Unsigned,
                want => want,
            },
            BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl => narrow(bits, want),
        };
        let (sign, level) = match op {
            BinOp::Add => ("+", Level::Sum),
            BinOp::Sub => ("-", Level::Sum),
            BinOp::Mul => ("*", Level::Product),
            BinOp::UDiv | BinOp::SDiv => ("/", Level::Product),
            BinOp::URem | BinOp::SRem => ("%", Level::Product),
            BinOp::Shl => ("<<", Level::Shift),
            BinOp::LShr | BinOp::AShr => (">>", Level::Shift),
            BinOp::And => ("&", Level::BitAnd),
            BinOp::Xor => ("^", Level::BitXor),
            BinOp::Or => ("|", Level::BitOr),
        };
        let is_shift = level == Level::Shift;
        let is_bits = (Level::BitOr..=Level::BitAnd).contains(&level);
        let left = self.value(lhs, of_sign)?;
        let left = if is_shift { widened(bits, left)? } else { left };
        let want_right = match of_sign {
            _ if is_shift => Sign::Either,
            sign => sign,
        };
        let right = match self.pool().as_const(rhs) {
            Some(value) if is_bits => mask(&value, left.sign),
            _ => self.value(rhs, want_right)?,
        };
        // Without a demand, what is unsigned makes the other so.
        let joint = match (left.sign, right.sign) {
            (sign, _) if is_shift => sign,
            (Sign::Unsigned, _) | (_, Sign::Unsigned) => Sign::Unsigned,
            (Sign::Signed, _) | (_, Sign::Signed) => Sign::Signed,
            _ => Sign::Either,
        };
        let place = match level {
            // Nobody has to know how operators of one strength follow each other.
            Level::Sum | Level::Shift => Level::Product,
            _ => Level::Unary,
        };
        let text = format!("{} {sign} {}", left.at(place), right.at(place));
        let written = Written::new(text, level, joint);
        // Narrow numbers whose result C has in more bits.
        match op {
            BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl => converted(bits, written, want),
            // The least number by -1.
            BinOp::SDiv if self.pool().as_const(rhs).is_none() => converted(bits, written, want),
            _ => Some(written),
        }
    }

    fn cast(&self, bits: u32, op: CastOp, of: TermId, wanted: Sign) -> Option<Written> {
        let is_signed = op == CastOp::SExt;
        let from = self.pool().width(of);
        let ty = type_name(bits, is_signed);
        if from == 1 {
            let truth = self.truth(of, false)?;
            let written = match truth.sign {
                // A bit of a number, which C may read as unsigned; what is compared is an `int`.
                Sign::Unsigned => {
                    let ty = type_name(bits.max(32), true)?;
                    let text = format!("({ty}){}", truth.at(Level::Unary));
                    Written::new(text, Level::Unary, Sign::Signed)
                }
                Sign::Signed | Sign::Either => widened(bits, truth)?,
            };
            if is_signed {
                let text = format!("-{}", written.at(Level::Unary));
                return Some(Written::new(text, Level::Unary, Sign::Signed));
            }
            return Some(Written {
                sign: Sign::Signed,
                ..written
            });
        }
        let want = if is_signed {
            Sign::Signed
        } else {
            Sign::Unsigned
        };
        if type_name(from, true).is_none() && is_signed {
            return self.upper_bits(bits, of);
        }
        if type_name(from, true).is_none() {
            let text = format!("({}){}", ty?, self.value(of, want)?.at(Level::Unary));
            return Some(Written::new(text, Level::Unary, want));
        }
        let written = self.value(of, want)?;
        if bits <= 32 && type_name(bits, true).is_some() {
            // C computes in `int`s, which have room for each.
            return Some(Written {
                sign: Sign::Signed,
                ..written
            });
        }
        // What is signed is widened so to either type.
        let sign = match wanted {
            Sign::Either => want,
            sign => sign,
        };
        let ty = type_name(bits, sign == Sign::Signed)?;
        let text = format!("({ty}){}", written.at(Level::Unary));
        Some(Written::new(text, Level::Unary, sign))
    }

    /// The upper bits of a number, which have its sign.
    fn upper_bits(&self, bits: u32, part: TermId) -> Option<Written> {
        let pool = self.pool();
        let Term::Extract { low, of } = pool.view(part) else {
            return None;
        };
        let from = pool.width(of);
        if low + pool.width(part) != from || type_name(from, true).is_none() {
            return None;
        }
        let text = format!(
            "{} >> {low}",
            self.value(of, Sign::Signed)?.at(Level::Product)
        );
        let written = Written::new(text, Level::Shift, Sign::Signed);
        if from == bits {
            return Some(written);
        }
        let text = format!("({}){}", type_name(bits, true)?, written.at(Level::Unary));
        Some(Written::new(text, Level::Unary, Sign::Signed))
    }

    /// Some bits of a number.
    fn part(&self, bits: u32, low: u32, of: TermId, want: Sign) -> Option<Written> {
        if type_name(bits, true).is_none() {
            return self.bits_of(of, low, bits);
        }
        let from = self.pool().width(of);
        type_name(from, true)?;
        let is_signed = want != Sign::Unsigned;
        let ty = type_name(bits, is_signed)?;
        let written = self.value(of, Sign::Either)?;
        let text = match low {
            0 => format!("({ty}){}", written.at(Level::Unary)),
            low => format!("({ty})({} >> {low})", written.at(Level::Product)),
        };
        let sign = if is_signed {
            Sign::Signed
        } else {
            Sign::Unsigned
        };
        Some(Written::new(text, Level::Unary, sign))
    }

    /// So few bits of a number that C has no type for them.
    fn bits_of(&self, of: TermId, low: u32, bits: u32) -> Option<Written> {
        let from = self.pool().width(of);
        if from > 64 || bits >= 64 || type_name(from, true).is_none() {
            return None;
        }
        let written = self.value(of, Sign::Either)?;
        let mask = written_mask((1u64 << bits) - 1);
        let text = match low {
            0 => format!("{} & {mask}", written.at(Level::Shift)),
            low => format!("{} >> {low} & {mask}", written.at(Level::Product)),
        };
        let written = Written::new(text, Level::BitAnd, Sign::Unsigned);
        if from <= 32 || bits > 32 {
            return Some(written);
        }
        let text = format!("(unsigned){}", written.at(Level::Unary));
        Some(Written::new(text, Level::Unary, Sign::Unsigned))
    }

    /// One number above another.
    fn concat(&self, bits: u32, high: TermId, low: TermId) -> Option<Written> {
        if let Some(written) = self.read(bits, high, low) {
            return Some(written);
        }
        let pool = self.pool();
        let ty = match bits {
            ..=32 => "unsigned",
            33..=64 => "unsigned long long",
            _ => return None,
        };
        let above = self.value(high, Sign::Unsigned)?.at(Level::Unary);
        let above = format!("({ty}){above} << {}", pool.width(low));
        let is_zero = pool.as_const(low).is_some_and(|low| low.is_zero());
        let written = if is_zero {
            Written::new(above, Level::Shift, Sign::Unsigned)
        } else {
            let below = self.value(low, Sign::Unsigned)?.at(Level::Unary);
            Written::new(format!("{above} | {below}"), Level::BitOr, Sign::Unsigned)
        };
        match type_name(bits, false).filter(|_| bits < 32) {
            Some(ty) => {
                let text = format!("({ty}){}", written.at(Level::Unary));
                Some(Written::new(text, Level::Unary, Sign::Unsigned))
            }
            None => Some(written),
        }
    }

    /// Bytes of an array that make one number, the lowest first.
    fn read(&self, bits: u32, high: TermId, low: TermId) -> Option<Written> {
        let pool = self.pool();
        let ty = type_name(bits, true)?;
        let mut bytes = vec![high];
        let mut rest = low;
        while let Term::Concat { high, low } = pool.view(rest) {
            bytes.push(high);
            rest = low;
        }
        bytes.push(rest);
        bytes.reverse();
        let mut known: Option<(SymbolId, u64)> = None;
        for (position, byte) in (0..).zip(&bytes) {
            self.count()?;
            let Term::Select(array, index) = pool.view(*byte) else {
                return None;
            };
            let Term::Symbol(symbol) = pool.view(array) else {
                return None;
            };
            let start = pool.as_const(index)?.to_u64()?.checked_sub(position)?;
            let expected = *known.get_or_insert((symbol, start));
            if pool.width(*byte) != 8 || expected != (symbol, start) {
                return None;
            }
        }
        let (symbol, start) = known?;
        let name = self.name(symbol).to_owned();
        if start == 0 && self.reading(symbol, bits).is_some() {
            return self.variable(symbol, name, bits);
        }
        let name = self.pointer(symbol, name);
        let text = if self.has_elements(symbol, 8) {
            format!("*({ty} *)&{name}[{start}]")
        } else {
            format!("*({ty} *)((char *){name} + {start})")
        };
        Some(Written::new(text, Level::Unary, Sign::Signed))
    }

    /// A float.
    fn float(&self, term: TermId) -> Option<Written> {
        self.count()?;
        let pool = self.pool();
        let bits = pool.width(term);
        let ty = |bits: u32| match bits {
            32 => Some("float"),
            64 => Some("double"),
            _ => None,
        };
        ty(bits)?;
        let atom = |text: String| Some(Written::new(text, Level::Atom, Sign::Either));
        let of_type = |text: String| {
            let ty = ty(bits)?;
            Some(Written::new(
                format!("({ty}){text}"),
                Level::Unary,
                Sign::Either,
            ))
        };
        if let Some(value) = pool.as_const(term) {
            let text = float_literal(bits, value.to_u64()?)?;
            let level = if text.starts_with('-') {
                Level::Unary
            } else {
                Level::Atom
            };
            return Some(Written::new(text, level, Sign::Either));
        }
        let is_float = |symbol: SymbolId| {
            let reading = self.reading(symbol, bits);
            reading.is_none_or(|reading| reading == Reading::Float)
        };
        match pool.view(term) {
            Term::Symbol(symbol) if is_float(symbol) => atom(self.name(symbol).to_owned()),
            Term::Select(array, offset) => {
                let Term::Symbol(symbol) = pool.view(array) else {
                    return None;
                };
                let is_first = pool.as_const(offset).is_some_and(|offset| offset.is_zero());
                let name = self.name(symbol).to_owned();
                if is_first && self.reading(symbol, bits) == Some(Reading::Float) {
                    return atom(name);
                }
                let reading = self.reading_of_element(symbol, bits);
                if reading.is_some_and(|reading| reading != Reading::Float) {
                    return None;
                }
                let index = self.index(offset, u64::from(bits / 8))?;
                atom(format!("{name}[{index}]"))
            }
            Term::FloatBinary(op, lhs, rhs) => {
                let (sign, level) = match op {
                    FloatOp::Add => ("+", Level::Sum),
                    FloatOp::Sub => ("-", Level::Sum),
                    FloatOp::Mul => ("*", Level::Product),
                    FloatOp::Div => ("/", Level::Product),
                    FloatOp::Eq | FloatOp::Lt | FloatOp::Le => return None,
                };
                let lhs = self.float(lhs)?.at(Level::Unary);
                let rhs = self.float(rhs)?.at(Level::Unary);
                Some(Written::new(
                    format!("{lhs} {sign} {rhs}"),
                    level,
                    Sign::Either,
                ))
            }
            Term::FloatCast(FloatCast::Resize, of) => of_type(self.float(of)?.at(Level::Unary)),
            Term::FloatCast(FloatCast::FromSigned, of) => {
                type_name(pool.width(of), true)?;
                of_type(self.value(of, Sign::Signed)?.at(Level::Unary))
            }
            Term::FloatCast(FloatCast::FromUnsigned, of) => {
                of_type(self.value(of, Sign::Unsigned)?.at(Level::Unary))
            }
            Term::FloatCast(FloatCast::Sqrt, of) => {
                let function = if bits == 32 { "sqrtf" } else { "sqrt" };
                atom(format!("{function}({})", self.float(of)?.text))
            }
            Term::Ite(condition, then, otherwise) => {
                let condition = self.truth(condition, false)?.at(Level::Or);
                let then = self.float(then)?.at(Level::Or);
                let otherwise = self.float(otherwise)?.at(Level::Or);
                let text = format!("{condition} ? {then} : {otherwise}");
                Some(Written::new(text, Level::Choice, Sign::Either))
            }
            _ => None,
        }
    }
}

fn bound_name(level: u32) -> String {
    match level {
        0 => "τ".to_owned(),
        level => format!("τ{level}"),
    }
}

/// What operands have to be where the result is cut to so many bits: anything where C has more.
fn narrow(bits: u32, want: Sign) -> Sign {
    if bits < 32 { Sign::Either } else { want }
}

/// A number that C may have in an `int`, in as many bits as it has.
fn widened(bits: u32, written: Written) -> Option<Written> {
    if bits <= 32 || written.sign != Sign::Either {
        return Some(written);
    }
    let text = format!("({}){}", type_name(bits, true)?, written.at(Level::Unary));
    Some(Written::new(text, Level::Unary, Sign::Signed))
}

/// A number that C computes in an `int`, cut to its bits again.
fn converted(bits: u32, written: Written, want: Sign) -> Option<Written> {
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

fn is_address(pool: &TermPool, term: TermId) -> bool {
    let symbol = pool.as_symbol(term);
    symbol.is_some_and(|symbol| pool.symbol_name(symbol).starts_with('&'))
}

fn signed(bits: u32, value: u64) -> i64 {
    crate::term::word::signed(bits, value)
}

/// Adds a factor times a term to a sum.
fn add(text: &mut String, factor: i64, term: &Written) {
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

fn add_number(text: &mut String, value: i64) {
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
fn decimal(value: &Bv, want: Sign) -> Written {
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
fn mask(value: &Bv, sign: Sign) -> Written {
    match value.to_u64() {
        Some(bits) if sign != Sign::Signed || !value.sign() => {
            Written::new(written_mask(bits), Level::Atom, Sign::Either)
        }
        _ => decimal(value, Sign::Signed),
    }
}

fn written_mask(bits: u64) -> String {
    if bits < 10 {
        bits.to_string()
    } else {
        format!("0x{bits:x}")
    }
}

/// A comparison with a constant, as people write it: `c >= '0'` instead of `c > '/'`, `n >= 0` instead of
/// `n > -1`.
fn limit(op: CmpOp, value: &Bv, sign: Sign) -> (CmpOp, Written) {
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
fn string_of(table: &LookUpTable) -> Option<String> {
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

fn float_literal(bits: u32, value: u64) -> Option<String> {
    match bits {
        32 => {
            let value = f32::from_bits(u32::try_from(value).ok()?);
            value.is_finite().then(|| format!("{value:?}f"))
        }
        64 => {
            let value = f64::from_bits(value);
            value.is_finite().then(|| format!("{value:?}"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::find_clang;
    use crate::term::{ArrayValue, Assignment, Sort};
    use std::fmt::Write as _;
    use std::process::Command;

    /// The variables of a program.
    struct Variables {
        pool: TermPool,
        types: BTreeMap<String, InputType>,
        /// Numbers, and arrays of eight, each as its name in C, its type there and its bits.
        numbers: Vec<(SymbolId, &'static str, &'static str, u32)>,
        arrays: Vec<(SymbolId, &'static str, &'static str, u32)>,
    }

    const IN_ARRAY: u64 = 8;

    fn variables() -> Variables {
        let mut pool = TermPool::new();
        let mut types = BTreeMap::new();
        let numbers = [
            ("c", "signed char", 8),
            ("d", "unsigned char", 8),
            ("s", "short", 16),
            ("t", "unsigned short", 16),
            ("i", "int", 32),
            ("u", "unsigned", 32),
            ("l", "long long", 64),
            ("m", "unsigned long long", 64),
        ];
        let numbers = numbers.map(|(name, ty, bits)| {
            let reading = match ty.starts_with("unsigned") {
                true => Reading::Unsigned,
                false => Reading::Signed,
            };
            let known = InputType {
                bits,
                reading,
                is_array: false,
            };
            types.insert(name.to_owned(), known);
            (pool.symbol(name, Sort::Bv(bits)), name, ty, bits)
        });
        let arrays = [
            ("text", "signed char", 8),
            ("bytes", "unsigned char", 8),
            ("all", "int", 32),
        ];
        let arrays = arrays.map(|(name, ty, bits)| {
            let reading = match ty.starts_with("unsigned") {
                true => Reading::Unsigned,
                false => Reading::Signed,
            };
            let is_array = true;
            let known = InputType {
                bits,
                reading,
                is_array,
            };
            types.insert(name.to_owned(), known);
            let (index, value) = (64, bits);
            (
                pool.symbol(name, Sort::Array { index, value }),
                name,
                ty,
                bits,
            )
        });
        Variables {
            pool,
            types,
            numbers: numbers.to_vec(),
            arrays: arrays.to_vec(),
        }
    }

    impl Variables {
        fn in_c(&self, term: TermId) -> Option<String> {
            let writer = InC {
                pool: &self.pool,
                names: &SymbolNames::default(),
                types: &self.types,
                counters: &BTreeSet::new(),
            };
            writer.truth(term)
        }

        fn number(&self, name: &str) -> TermId {
            let symbol = self.pool.symbol_named(name).expect("it is a variable");
            self.pool.symbol_term(symbol)
        }

        fn constant(&mut self, bits: u32, value: i64) -> TermId {
            self.pool.constant(&Bv::from_i64(bits, value))
        }

        fn element(&mut self, array: &str, offset: TermId) -> TermId {
            let array = self.number(array);
            self.pool.select(array, offset)
        }

        /// A random number of so many bits.
        fn value(&mut self, rng: &mut fastrand::Rng, bits: u32, depth: u32) -> TermId {
            let is_leaf = depth == 0 || rng.u8(..5) == 0;
            if is_leaf {
                return match rng.u8(..4) {
                    0 => {
                        let value = rng.i64(-4..70) << [0, 0, 0, bits - 7][rng.usize(..4)];
                        self.constant(bits, value)
                    }
                    1 if bits == 8 || bits == 32 => {
                        let fitting = self.arrays.iter().filter(|array| array.3 == bits);
                        let fitting: Vec<&str> = fitting.map(|array| array.1).collect();
                        let name = fitting[rng.usize(..fitting.len())];
                        let at = self.value(rng, 32, 0);
                        let mask = self.constant(32, 7);
                        let at = self.pool.binary(BinOp::And, at, mask);
                        let at = self.pool.cast(CastOp::ZExt, 64, at);
                        let bytes = self.constant(64, i64::from(bits / 8));
                        let offset = self.pool.binary(BinOp::Mul, at, bytes);
                        self.element(name, offset)
                    }
                    _ => {
                        let fitting = self.numbers.iter().filter(|number| number.3 == bits);
                        let fitting: Vec<SymbolId> = fitting.map(|number| number.0).collect();
                        self.pool.symbol_term(fitting[rng.usize(..fitting.len())])
                    }
                };
            }
            match rng.u8(..8) {
                0 => {
                    let narrower: Vec<u32> =
                        [8, 16, 32].into_iter().filter(|n| *n < bits).collect();
                    if narrower.is_empty() {
                        let wide = self.value(rng, 32, depth - 1);
                        return self.pool.extract(8 * rng.u32(..3), bits, wide);
                    }
                    let from = narrower[rng.usize(..narrower.len())];
                    let of = self.value(rng, from, depth - 1);
                    let op = [CastOp::ZExt, CastOp::SExt][rng.usize(..2)];
                    self.pool.cast(op, bits, of)
                }
                1 if bits < 64 => {
                    let wide = self.value(rng, 64, depth - 1);
                    self.pool.extract(rng.u32(..=64 - bits), bits, wide)
                }
                2 => {
                    let condition = self.condition(rng, depth - 1);
                    let then = self.value(rng, bits, depth - 1);
                    let otherwise = self.value(rng, bits, depth - 1);
                    self.pool.ite(condition, then, otherwise)
                }
                3 => {
                    let op = [BinOp::UDiv, BinOp::SDiv, BinOp::URem, BinOp::SRem][rng.usize(..4)];
                    let by = self.constant(bits, rng.i64(2..20));
                    let of = self.value(rng, bits, depth - 1);
                    self.pool.binary(op, of, by)
                }
                4 => {
                    let op = [BinOp::Shl, BinOp::LShr, BinOp::AShr][rng.usize(..3)];
                    let by = self.constant(bits, rng.i64(1..8));
                    let of = self.value(rng, bits, depth - 1);
                    self.pool.binary(op, of, by)
                }
                5 => {
                    let of = self.condition(rng, depth - 1);
                    self.pool.cast(CastOp::ZExt, bits, of)
                }
                _ => {
                    let ops = [
                        BinOp::Add,
                        BinOp::Sub,
                        BinOp::Mul,
                        BinOp::And,
                        BinOp::Or,
                        BinOp::Xor,
                    ];
                    let lhs = self.value(rng, bits, depth - 1);
                    let rhs = self.value(rng, bits, depth - 1);
                    self.pool.binary(ops[rng.usize(..ops.len())], lhs, rhs)
                }
            }
        }

        /// A random condition.
        fn condition(&mut self, rng: &mut fastrand::Rng, depth: u32) -> TermId {
            if depth > 0 && rng.u8(..3) == 0 {
                let op = [BinOp::And, BinOp::Or, BinOp::Xor][rng.usize(..3)];
                let lhs = self.condition(rng, depth - 1);
                let rhs = self.condition(rng, depth - 1);
                return self.pool.binary(op, lhs, rhs);
            }
            let bits = [8, 16, 32, 64][rng.usize(..4)];
            let lhs = self.value(rng, bits, depth);
            let rhs = self.value(rng, bits, depth);
            let op = CmpOp::ALL[rng.usize(..CmpOp::ALL.len())];
            let compared = self.pool.compare(op, lhs, rhs);
            if rng.bool() {
                self.pool.not(compared)
            } else {
                compared
            }
        }
    }

    #[test]
    fn conditions_read_as_in_the_program() {
        let mut all = variables();
        let zero = all.constant(64, 0);
        let one = all.constant(64, 1);
        let four = all.constant(64, 4);
        let first = all.element("text", zero);
        let second = all.element("bytes", one);
        let word = all.element("all", four);
        let (i, u, c) = (all.number("i"), all.number("u"), all.number("c"));
        let mut said = |op: CmpOp, lhs: TermId, value: i64| {
            let value = all.constant(all.pool.width(lhs), value);
            let term = all.pool.compare(op, lhs, value);
            all.in_c(term).unwrap()
        };
        assert_eq!(said(CmpOp::Eq, first, 123), "text[0] == '{'");
        assert_eq!(said(CmpOp::Ne, first, 39), "text[0] != '\\''");
        assert_eq!(said(CmpOp::Sgt, first, 47), "text[0] >= '0'");
        assert_eq!(said(CmpOp::Slt, first, 58), "text[0] <= '9'");
        assert_eq!(said(CmpOp::Ugt, second, -56), "bytes[1] > 200");
        assert_eq!(said(CmpOp::Eq, second, -1), "bytes[1] == 255");
        assert_eq!(said(CmpOp::Eq, first, -1), "text[0] == -1");
        assert_eq!(said(CmpOp::Ult, first, 10), "(unsigned char)text[0] < 10");
        assert_eq!(said(CmpOp::Ult, c, 200), "(unsigned char)c < 200");
        assert_eq!(said(CmpOp::Slt, word, 7), "all[1] < 7");
        assert_eq!(said(CmpOp::Sgt, i, -1), "i >= 0");
        assert_eq!(said(CmpOp::Ult, u, 8), "u < 8");
        assert_eq!(said(CmpOp::Ult, i, 8), "(unsigned)i < 8");
        assert_eq!(said(CmpOp::Slt, u, 0), "(int)u < 0");
    }

    #[test]
    fn what_has_no_form_in_c_is_not_written() {
        let mut all = variables();
        let text = all.number("text");
        let (zero, byte) = (all.constant(64, 0), all.number("c"));
        let index = all.number("l");
        let changed = all.pool.store(text, zero, byte);
        let read = all.pool.select(changed, index);
        let condition = all.pool.eq(read, byte);
        // A read of what was written is a choice of two, which is one of C; the array alone is none.
        let said = all.in_c(condition);
        assert!(said.is_none_or(|said| said.contains("text[l]")));
        let wide = all.pool.symbol("wide", Sort::Bv(24));
        let wide = all.pool.symbol_term(wide);
        let number = all.constant(24, 5);
        let condition = all.pool.eq(wide, number);
        assert_eq!(all.in_c(condition), None);
    }

    /// Random conditions are compiled and asked about random numbers.
    #[test]
    fn clang_reads_what_the_term_means() {
        (0..8).for_each(clang_reads_conditions_of);
    }

    fn clang_reads_conditions_of(seed: u64) {
        let clang = find_clang().expect("the tests need clang");
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut all = variables();
        let mut terms = Vec::new();
        let mut n_unwritten = 0;
        while terms.len() < 1500 {
            let depth = rng.u32(1..4);
            let term = all.condition(&mut rng, depth);
            match all.in_c(term) {
                Some(text) => terms.push((term, text)),
                None => n_unwritten += 1,
            }
        }
        assert!(n_unwritten < 750, "{n_unwritten} are not written");
        let mut code = String::new();
        for (_, name, ty, _) in &all.numbers {
            let _ = writeln!(code, "static {ty} {name};");
        }
        for (_, name, ty, _) in &all.arrays {
            let _ = writeln!(code, "static {ty} {name}[{IN_ARRAY}];");
        }
        for (number, (_, text)) in terms.iter().enumerate() {
            let _ = writeln!(code, "static int f{number}(void) {{ return {text}; }}");
        }
        let functions: Vec<String> = (0..terms.len())
            .map(|number| format!("f{number}"))
            .collect();
        let _ = writeln!(
            code,
            "static int (*const all_of_them[])(void) = {{{}}};\nint putchar(int);\nint main(void) {{",
            functions.join(", ")
        );
        let mut assignments = Vec::new();
        for _ in 0..24 {
            let mut assignment = Assignment::new();
            let mut number = |bits: u32| {
                let value = [rng.u64(..), rng.u64(..200), !rng.u64(..200)][rng.usize(..3)];
                Bv::new(bits, value & (u64::MAX >> (64 - bits)))
            };
            for (symbol, name, ty, bits) in &all.numbers {
                let value = number(*bits);
                let _ = writeln!(code, "{name} = ({ty}){}ULL;", value.to_biguint());
                assignment.set(*symbol, value);
            }
            for (symbol, name, ty, bits) in &all.arrays {
                let mut content = ArrayValue::constant(Bv::zero(*bits));
                for at in 0..IN_ARRAY {
                    let value = number(*bits);
                    let _ = writeln!(code, "{name}[{at}] = ({ty}){}ULL;", value.to_biguint());
                    content
                        .entries
                        .insert(Bv::new(64, at * u64::from(bits / 8)), value);
                }
                assignment.set_array(*symbol, content);
            }
            let n = terms.len();
            let _ = writeln!(
                code,
                "for (int k = 0; k < {n}; k++) putchar('0' + !!all_of_them[k]());"
            );
            assignments.push(assignment);
        }
        code.push_str("return 0; }\n");
        let folder = tempfile::tempdir().unwrap();
        let (file, program) = (folder.path().join("all.c"), folder.path().join("all"));
        std::fs::write(&file, &code).unwrap();
        let mut compile = Command::new(clang);
        compile
            .args(["-w", "-fwrapv"])
            .arg(&file)
            .arg("-o")
            .arg(&program);
        let compiled = compile.output().unwrap();
        let said = String::from_utf8_lossy(&compiled.stderr);
        assert!(compiled.status.success(), "{said}");
        let output = Command::new(&program).output().unwrap().stdout;
        let mut bytes = output.iter();
        for assignment in &assignments {
            for (term, text) in &terms {
                let expected = all.pool.evaluate(*term, assignment).unwrap();
                let got = bytes.next().expect("each has an answer");
                let meant = all.pool.display(*term);
                assert_eq!(*got == b'1', !expected.is_zero(), "{text}\nis {meant}");
            }
        }
    }
}
