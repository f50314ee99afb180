//! Expressions of C: conditions and sums as people write them who know the program and not the notation of papers,
//! and the types of inputs.
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

mod bits;
mod input_type;
mod literals;
mod sums;
mod written;

pub use self::input_type::{InputType, Member, NumberType, Reading};
pub use self::sums::sum;
pub use self::written::type_name;

use self::literals::{add, add_number, decimal, float_literal, limit, mask, signed, string_of};
use self::written::{Level, Sign, Written, converted, narrow, widened};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use term::float;
use term::{
    BinOp, CastOp, CmpOp, FloatCast, FloatOp, SymbolId, SymbolNames, Term, TermId, TermPool,
};

/// Conditions of more operators are not written in C: too long to read, and writing is recursive.
const MOST_OPERATORS: usize = 300;

/// Writes terms in C.
pub struct InC<'a> {
    /// Where the terms are.
    pub pool: &'a TermPool,
    /// What symbols are called.
    pub names: &'a SymbolNames,
    /// What numbers inputs of these names are.
    pub types: &'a BTreeMap<String, InputType>,
    /// Path counters, which no operator has to convert.
    pub counters: &'a BTreeSet<SymbolId>,
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

    /// What an input is, where that is known.
    fn ty(&self, symbol: SymbolId) -> Option<&InputType> {
        self.of.types.get(self.pool().given_name(symbol))
    }

    /// A number within a structure, at an offset in bytes.
    fn member(&self, symbol: SymbolId, offset: TermId, bits: u32) -> Option<(String, Reading)> {
        let offset = self.pool().as_const(offset)?.to_u64()?.checked_mul(8)?;
        let (path, number) = self.ty(symbol)?.member(offset, bits)?;
        Some((format!("{}{path}", self.name(symbol)), number.reading))
    }

    /// How a variable of so many bits is read, where that is known.
    fn reading(&self, symbol: SymbolId, bits: u32) -> Option<Reading> {
        let number = self.ty(symbol)?.number()?;
        (number.bits == bits).then_some(number.reading)
    }

    /// How an element of an array is read, where that is known.
    fn reading_of_element(&self, symbol: SymbolId, bits: u32) -> Option<Reading> {
        let number = self.ty(symbol)?.element()?;
        (number.bits == bits).then_some(number.reading)
    }

    /// Whether an array has elements of so many bits; yes where nobody knows.
    fn has_elements(&self, symbol: SymbolId, bits: u32) -> bool {
        let has = |ty: &InputType| ty.element().is_some_and(|number| number.bits == bits);
        self.ty(symbol).is_none_or(has)
    }

    /// A pointer to what is called so.
    fn pointer(&self, symbol: SymbolId, name: String) -> String {
        match self.ty(symbol) {
            None | Some(InputType::Array { .. }) => name,
            Some(_) => format!("&{name}"),
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
                    self.comparison(op.exchanged(), rhs, lhs)
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
                if let Some((member, reading)) = self.member(symbol, offset, bits) {
                    let sign = match reading {
                        Reading::Unsigned => Sign::Unsigned,
                        Reading::Signed => Sign::Signed,
                        Reading::Float => return None,
                    };
                    return Some(Written::new(member, Level::Atom, sign));
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

    /// A float.
    fn float(&self, term: TermId) -> Option<Written> {
        self.count()?;
        let pool = self.pool();
        let bits = pool.width(term);
        let ty = float::name_in_c(bits)?;
        let atom = |text: String| Some(Written::new(text, Level::Atom, Sign::Either));
        let of_type = |text: String| {
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
                if let Some((member, Reading::Float)) = self.member(symbol, offset, bits) {
                    return atom(member);
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
                let function = match bits {
                    16 => return None,
                    32 => "sqrtf",
                    _ => "sqrt",
                };
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

fn is_address(pool: &TermPool, term: TermId) -> bool {
    let symbol = pool.as_symbol(term);
    symbol.is_some_and(|symbol| pool.symbol_name(symbol).starts_with('&'))
}

#[cfg(test)]
mod tests;
