//! Clauses over the integers, in SMT-LIB 2.
//!
//! A value of one bit is a Boolean, any other the number that it stands for, signed or not as
//! [`Signs`] says. Signed sums are taken not to wrap around, unsigned ones wrap once
//! at most; a comparison of a sum with the same sum in more bits, as clang's checks for overflow are,
//! asks whether the sum fits. What has no linear form is arbitrary, but for some facts about products and
//! quotients ([`lemmas`](super::lemmas)).

use super::check::Guess;
use super::lemmas::{product, quotient, remainder};
use super::signs::Signs;
use super::system::{Atom, Clause, Head, Predicate, System};
use flowgraph::{Expr, RegId};
use solver::horn::{Formula, ImplicationQuery, Operator};
use solver::smtlib::integers::{compared, number, sort, two_to};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::rc::Rc;
use term::{BinOp, Bv, CastOp, CmpOp, Interval};

/// The clauses that Spacer is asked about: all but those into undefined behaviour, and these that follow. What
/// is known of predicates stands among the premises.
pub(super) fn script(system: &System, following: &[Clause], known: &Guess) -> String {
    let mut text = "(set-logic HORN)\n".to_owned();
    for (number, predicate) in system.predicates.iter().enumerate() {
        let sorts = predicate.parameters.iter();
        let sorts: Vec<&str> = sorts.map(|one| sort(one.data.bits)).collect();
        let _ = writeln!(
            text,
            "(declare-fun {} ({}) Bool)",
            name(number),
            sorts.join(" ")
        );
    }
    for clause in system.clauses.iter().chain(following) {
        if !matches!(clause.head, Head::Undefined(_)) {
            text.push_str(&Writer::new(system, clause).clause(known));
        }
    }
    text
}

/// A question: does a state satisfy the premises of a clause, with what is guessed of them, and not all that
/// the first of the guesses says of its head? `None` where there is nothing to refute.
pub(super) fn refutation(
    system: &System,
    clause: &Clause,
    guesses: [&Guess; 2],
) -> Option<ImplicationQuery> {
    Writer::new(system, clause).refutation(guesses)
}

/// A question: does one of the claims about a predicate follow from the others, and from what is known of it?
/// `None` where it has products of parameters.
pub(super) fn redundancy(
    predicate: &Predicate,
    signs: &Signs,
    [claims, known]: [&[Rc<Formula>]; 2],
    position: usize,
) -> Option<ImplicationQuery> {
    let parameters = predicate.parameters.iter().enumerate();
    let (mut declared, mut premises) = (Vec::new(), Vec::new());
    for (number, parameter) in parameters {
        let name = format!("v{number}");
        if parameter.data.bits > 1 {
            let is_unsigned = signs.is_unsigned(parameter.slot);
            premises.push(fits(&name, parameter.data.bits, is_unsigned));
        }
        declared.push((name, sort(parameter.data.bits)));
    }
    let arguments: Vec<String> = declared.iter().map(|(name, _)| name.clone()).collect();
    let claim = applied(&claims[position], &arguments)?;
    let others = claims.iter().enumerate();
    let others = others.filter(|(other, _)| *other != position);
    let others = others.map(|(_, claim)| claim).chain(known);
    premises.extend(others.filter_map(|other| applied(other, &arguments)));
    Some(ImplicationQuery {
        declared,
        premises,
        claims: vec![(position, claim)],
    })
}

/// The name of the predicate of this number.
pub(super) fn name(number: usize) -> String {
    format!("p{number}")
}

/// How a number over the integers stands for a bit-vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reading {
    Signed,
    Unsigned,
    /// Both give the same.
    Either,
}

/// A number as text, without constants.
struct Number {
    text: String,
    reading: Reading,
    bits: u32,
}

struct Writer<'s> {
    system: &'s System,
    clause: &'s Clause,
    /// Variables besides those of the clause, for what is arbitrary.
    further: Vec<(String, u32)>,
    /// Results that are not linear, by kind and operands.
    nonlinear: BTreeMap<(&'static str, String, String), String>,
    conditions: Vec<String>,
}

impl<'s> Writer<'s> {
    fn new(system: &'s System, clause: &'s Clause) -> Writer<'s> {
        Writer {
            system,
            clause,
            further: Vec::new(),
            nonlinear: BTreeMap::new(),
            conditions: Vec::new(),
        }
    }

    fn clause(mut self, known: &Guess) -> String {
        let clause = self.clause;
        for atom in &clause.atoms {
            let arguments = self.arguments(atom);
            for formula in &known[atom.predicate.0] {
                self.conditions.extend(applied(formula, &arguments));
            }
            self.conditions.push(application(atom, &arguments));
        }
        for condition in &clause.conditions {
            let text = self.truth(condition);
            self.conditions.push(text);
        }
        let head = match &clause.head {
            Head::Reached(atom) => application(atom, &self.arguments(atom)),
            Head::Violation | Head::Undefined(_) => "false".to_owned(),
        };
        for number in 0..clause.variables.len() {
            self.bound(number);
        }
        let variables = clause.variables.iter().enumerate();
        let variables = variables.map(|(number, data)| format!("(v{number} {})", sort(data.bits)));
        let further = self.further.iter();
        let further = further.map(|(name, bits)| format!("({name} {})", sort(*bits)));
        let quantified: Vec<String> = variables.chain(further).collect();
        let body = match self.conditions.as_slice() {
            [] => "true".to_owned(),
            [one] => one.clone(),
            many => format!("(and {})", many.join(" ")),
        };
        if quantified.is_empty() {
            return format!("(assert (=> {body} {head}))\n");
        }
        format!(
            "(assert (forall ({}) (=> {body} {head})))\n",
            quantified.join(" ")
        )
    }

    fn refutation(mut self, guesses: [&Guess; 2]) -> Option<ImplicationQuery> {
        let clause = self.clause;
        let Head::Reached(head) = &clause.head else {
            return None;
        };
        for atom in &clause.atoms {
            let arguments = self.arguments(atom);
            for formula in guesses.iter().flat_map(|guess| &guess[atom.predicate.0]) {
                self.conditions.extend(applied(formula, &arguments));
            }
        }
        for condition in &clause.conditions {
            let text = self.truth(condition);
            self.conditions.push(text);
        }
        let arguments = self.arguments(head);
        for number in 0..clause.variables.len() {
            self.bound(number);
        }
        let claims = guesses[0][head.predicate.0].iter().enumerate();
        let claims =
            claims.filter_map(|(number, claim)| Some((number, applied(claim, &arguments)?)));
        let claims: Vec<(usize, String)> = claims.collect();
        if claims.is_empty() {
            return None;
        }
        let variables = clause.variables.iter().enumerate();
        let variables = variables.map(|(number, data)| (format!("v{number}"), data.bits));
        Some(ImplicationQuery {
            declared: variables
                .chain(self.further)
                .map(|(name, bits)| (name, sort(bits)))
                .collect(),
            premises: self.conditions,
            claims,
        })
    }

    /// A variable stays within its width: what is an input, and what is unsigned below.
    fn bound(&mut self, position: usize) {
        let data = &self.clause.variables[position];
        if data.bits == 1 {
            return;
        }
        let is_unsigned = self.system.signs.is_unsigned(self.clause.slots[position]);
        let is_determined = self.is_determined(RegId(u32::try_from(position).unwrap_or(u32::MAX)));
        if !is_determined {
            let fits = fits(&format!("v{position}"), data.bits, is_unsigned);
            self.conditions.push(fits);
        } else if is_unsigned {
            self.conditions.push(format!("(>= v{position} 0)"));
        }
    }

    /// Whether a premise says what a variable holds.
    fn is_determined(&self, variable: RegId) -> bool {
        let is_it = |expr: &Expr| *expr == Expr::Reg(variable);
        let atoms = self.clause.atoms.iter();
        atoms.flat_map(|atom| &atom.arguments).any(is_it)
            || self.clause.conditions.iter().any(
                |condition| matches!(condition, Expr::Compare(CmpOp::Eq, lhs, _) if is_it(lhs)),
            )
    }

    fn arguments(&mut self, atom: &Atom) -> Vec<String> {
        let predicate = &self.system.predicates[atom.predicate.0];
        let mut arguments = Vec::new();
        for (argument, parameter) in atom.arguments.iter().zip(&predicate.parameters) {
            arguments.push(if parameter.data.bits == 1 {
                self.truth(argument)
            } else if self.system.signs.is_unsigned(parameter.slot) {
                self.read(argument, Reading::Unsigned)
            } else {
                self.read(argument, Reading::Signed)
            });
        }
        arguments
    }

    fn bits(&self, expr: &Expr) -> u32 {
        expr.bits(&self.clause.variables, self.system.pointer_bits)
    }

    fn arbitrary(&mut self, bits: u32) -> String {
        let name = self.fresh(bits);
        if bits > 1 {
            self.conditions.push(fits(&name, bits, false));
        }
        name
    }

    fn fresh(&mut self, bits: u32) -> String {
        let name = format!("a{}", self.further.len());
        self.further.push((name.clone(), bits));
        name
    }

    /// An expression of width 1.
    fn truth(&mut self, expr: &Expr) -> String {
        match expr {
            Expr::Const(value) => (!value.is_zero()).to_string(),
            Expr::Reg(reg) => format!("v{}", reg.0),
            Expr::Compare(op, lhs, rhs) => self.comparison(*op, lhs, rhs),
            Expr::Binary(op @ (BinOp::And | BinOp::Or | BinOp::Xor), lhs, rhs) => {
                let (lhs, rhs) = (self.truth(lhs), self.truth(rhs));
                let op = match op {
                    BinOp::And => "and",
                    BinOp::Or => "or",
                    _ => "xor",
                };
                format!("({op} {lhs} {rhs})")
            }
            Expr::Ite(condition, then, otherwise) => {
                let condition = self.truth(condition);
                let (then, otherwise) = (self.truth(then), self.truth(otherwise));
                format!("(ite {condition} {then} {otherwise})")
            }
            Expr::Cast(CastOp::Trunc, _, of) if self.bits(of) > 1 => {
                let of = self.any(of);
                format!("(= (mod {of} 2) 1)")
            }
            Expr::Cast(_, _, of) => self.truth(of),
            Expr::Binary(..)
            | Expr::FloatBinary(..)
            | Expr::FloatCast(..)
            | Expr::Global(_)
            | Expr::Function(_) => self.arbitrary(1),
        }
    }

    fn comparison(&mut self, op: CmpOp, lhs: &Expr, rhs: &Expr) -> String {
        if self.bits(lhs) == 1 {
            let (lhs, rhs) = (self.truth(lhs), self.truth(rhs));
            return match op {
                CmpOp::Eq | CmpOp::Ne => compared(op, &lhs, &rhs),
                CmpOp::Ult => format!("(and (not {lhs}) {rhs})"),
                CmpOp::Ule => format!("(=> {lhs} {rhs})"),
                CmpOp::Ugt => format!("(and {lhs} (not {rhs}))"),
                CmpOp::Uge => format!("(=> {rhs} {lhs})"),
                CmpOp::Slt | CmpOp::Sle | CmpOp::Sgt | CmpOp::Sge => self.arbitrary(1),
            };
        }
        if let Some((sum, narrow)) = checked_sum(lhs, rhs)
            && matches!(op, CmpOp::Eq | CmpOp::Ne)
        {
            let bits = self.bits(narrow);
            let sum = self.read(sum, Reading::Signed);
            let fits = fits(&sum, bits, false);
            return if op == CmpOp::Eq {
                fits
            } else {
                format!("(not {fits})")
            };
        }
        let reading = match op {
            CmpOp::Eq | CmpOp::Ne => self.common_reading(lhs, rhs),
            CmpOp::Ult | CmpOp::Ule | CmpOp::Ugt | CmpOp::Uge => Reading::Unsigned,
            CmpOp::Slt | CmpOp::Sle | CmpOp::Sgt | CmpOp::Sge => Reading::Signed,
        };
        let (lhs, rhs) = (self.read(lhs, reading), self.read(rhs, reading));
        compared(op, &lhs, &rhs)
    }

    /// How both of two expressions are read best.
    fn common_reading(&mut self, lhs: &Expr, rhs: &Expr) -> Reading {
        match (self.reading(lhs), self.reading(rhs)) {
            (Reading::Unsigned, Reading::Unsigned | Reading::Either)
            | (Reading::Either, Reading::Unsigned) => Reading::Unsigned,
            _ => Reading::Signed,
        }
    }

    /// How an expression is read without a case distinction.
    fn reading(&self, expr: &Expr) -> Reading {
        match expr {
            Expr::Const(value) if !value.sign() => Reading::Either,
            Expr::Reg(reg) => {
                if self
                    .system
                    .signs
                    .is_unsigned(self.clause.slots[reg.index()])
                {
                    Reading::Unsigned
                } else {
                    Reading::Signed
                }
            }
            Expr::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul, lhs, rhs) => {
                match (self.reading(lhs), self.reading(rhs)) {
                    (Reading::Unsigned, _) if matches!(**rhs, Expr::Const(_)) => Reading::Unsigned,
                    (_, Reading::Unsigned) if matches!(**lhs, Expr::Const(_)) => Reading::Unsigned,
                    (Reading::Unsigned, Reading::Unsigned | Reading::Either)
                    | (Reading::Either, Reading::Unsigned) => Reading::Unsigned,
                    _ => Reading::Signed,
                }
            }
            Expr::Binary(BinOp::UDiv | BinOp::URem | BinOp::LShr, ..) => Reading::Unsigned,
            Expr::Cast(CastOp::ZExt, ..) => Reading::Either,
            Expr::Ite(_, then, otherwise) => match (self.reading(then), self.reading(otherwise)) {
                (one, other) if one == other => one,
                (Reading::Either, other) => other,
                (one, Reading::Either) => one,
                _ => Reading::Signed,
            },
            _ => Reading::Signed,
        }
    }

    /// The number in any reading, for what is asked modulo a power of two.
    fn any(&mut self, expr: &Expr) -> String {
        let reading = self.reading(expr);
        self.read(expr, reading)
    }

    /// The number in this reading.
    fn read(&mut self, expr: &Expr, reading: Reading) -> String {
        if let Expr::Const(value) = expr {
            return constant(value, reading);
        }
        let number = self.number(expr);
        match (number.reading, reading) {
            (Reading::Signed, Reading::Unsigned) => {
                let all = two_to(number.bits);
                format!("(ite (< {0} 0) (+ {0} {all}) {0})", number.text)
            }
            (Reading::Unsigned, Reading::Signed) => {
                let (half, all) = (two_to(number.bits - 1), two_to(number.bits));
                format!("(ite (>= {0} {half}) (- {0} {all}) {0})", number.text)
            }
            _ => number.text,
        }
    }

    /// A number of more than one bit that is no constant.
    fn number(&mut self, expr: &Expr) -> Number {
        let bits = self.bits(expr);
        let reading = self.reading(expr);
        let with = |text: String, reading: Reading| Number {
            text,
            reading,
            bits,
        };
        match expr {
            Expr::Reg(reg) => with(format!("v{}", reg.0), reading),
            Expr::Const(value) => with(constant(value, reading), reading),
            Expr::Binary(op @ (BinOp::Add | BinOp::Sub), lhs, rhs) => {
                let sign = if *op == BinOp::Add { "+" } else { "-" };
                // A constant that is added to an unsigned number may be negative.
                let text = |writer: &mut Self, side: &Expr| match side {
                    Expr::Const(value) => constant(value, Reading::Signed),
                    _ => writer.read(side, reading),
                };
                let (lhs, rhs) = (text(self, lhs), text(self, rhs));
                let sum = format!("({sign} {lhs} {rhs})");
                if reading == Reading::Unsigned {
                    let all = two_to(bits);
                    let wrapped = format!(
                        "(ite (< {sum} 0) (+ {sum} {all}) (ite (>= {sum} {all}) (- {sum} {all}) {sum}))"
                    );
                    return with(wrapped, reading);
                }
                with(sum, reading)
            }
            Expr::Binary(BinOp::Mul, lhs, rhs) => match (&**lhs, &**rhs) {
                (Expr::Const(factor), other) | (other, Expr::Const(factor)) => {
                    let factor = constant(factor, Reading::Signed);
                    let other = self.read(other, reading);
                    with(format!("(* {factor} {other})"), reading)
                }
                // Those of unsigned numbers mostly wrap around.
                _ if reading == Reading::Unsigned => self.unknown(bits),
                _ => {
                    let (lhs, rhs) = (self.read(lhs, reading), self.read(rhs, reading));
                    let both = (lhs.clone().min(rhs.clone()), lhs.max(rhs));
                    with(self.nonlinear("*", product, both, bits), reading)
                }
            },
            Expr::Binary(BinOp::Shl, of, by) => match shift(by) {
                Some(by) if by < bits => {
                    let of = self.any(of);
                    with(format!("(* {} {of})", two_to(by)), reading)
                }
                _ => self.unknown(bits),
            },
            Expr::Binary(BinOp::LShr, of, by) => match shift(by) {
                Some(by) if by < bits => {
                    let of = self.read(of, Reading::Unsigned);
                    with(format!("(div {of} {})", two_to(by)), Reading::Unsigned)
                }
                _ => self.unknown(bits),
            },
            Expr::Binary(BinOp::AShr, of, by) => match shift(by) {
                Some(by) if by < bits => {
                    let of = self.read(of, Reading::Signed);
                    with(format!("(div {of} {})", two_to(by)), Reading::Signed)
                }
                _ => self.unknown(bits),
            },
            Expr::Binary(op @ (BinOp::UDiv | BinOp::URem), of, by) => match &**by {
                Expr::Const(by) if !by.is_zero() => {
                    let of = self.read(of, Reading::Unsigned);
                    let by = constant(by, Reading::Unsigned);
                    let op = if *op == BinOp::UDiv { "div" } else { "mod" };
                    with(format!("({op} {of} {by})"), Reading::Unsigned)
                }
                _ => {
                    let both = (
                        self.read(of, Reading::Unsigned),
                        self.read(by, Reading::Unsigned),
                    );
                    let text = match op {
                        BinOp::UDiv => self.nonlinear("div", quotient, both, bits),
                        _ => self.nonlinear("mod", remainder, both, bits),
                    };
                    with(text, Reading::Unsigned)
                }
            },
            Expr::Binary(op @ (BinOp::SDiv | BinOp::SRem), of, by) => match &**by {
                Expr::Const(by) if !by.is_zero() && !by.sign() => {
                    let of = self.read(of, Reading::Signed);
                    let by = constant(by, Reading::Signed);
                    let op = if *op == BinOp::SDiv { "div" } else { "mod" };
                    let text =
                        format!("(ite (>= {of} 0) ({op} {of} {by}) (- ({op} (- {of}) {by})))");
                    with(text, Reading::Signed)
                }
                _ => {
                    let both = (
                        self.read(of, Reading::Signed),
                        self.read(by, Reading::Signed),
                    );
                    let text = match op {
                        BinOp::SDiv => self.nonlinear("div", quotient, both, bits),
                        _ => self.nonlinear("mod", remainder, both, bits),
                    };
                    with(text, Reading::Signed)
                }
            },
            Expr::Binary(BinOp::And, lhs, rhs) => match (&**lhs, &**rhs) {
                (Expr::Const(mask), other) | (other, Expr::Const(mask)) => match low_mask(mask) {
                    Some(low) => {
                        let other = self.any(other);
                        with(format!("(mod {other} {})", two_to(low)), Reading::Either)
                    }
                    None => self.unknown(bits),
                },
                _ => self.unknown(bits),
            },
            Expr::Cast(CastOp::Trunc, _, of) => {
                let of = self.any(of);
                if bits >= 32 {
                    // Whoever makes an `int` of a `long` rarely means the low bits only.
                    return with(of, Reading::Signed);
                }
                let (half, all) = (two_to(bits - 1), two_to(bits));
                with(
                    format!("(- (mod (+ {of} {half}) {all}) {half})"),
                    Reading::Signed,
                )
            }
            Expr::Cast(op, _, of) if self.bits(of) == 1 => {
                let of = self.truth(of);
                if *op == CastOp::ZExt {
                    with(format!("(ite {of} 1 0)"), Reading::Either)
                } else {
                    with(format!("(ite {of} (- 1) 0)"), Reading::Signed)
                }
            }
            Expr::Cast(CastOp::ZExt, _, of) => {
                let of = self.read(of, Reading::Unsigned);
                with(of, Reading::Either)
            }
            Expr::Cast(CastOp::SExt, _, of) => {
                let of = self.read(of, Reading::Signed);
                with(of, Reading::Signed)
            }
            Expr::Ite(condition, then, otherwise) => {
                let condition = self.truth(condition);
                let then = self.read(then, reading);
                let otherwise = self.read(otherwise, reading);
                with(format!("(ite {condition} {then} {otherwise})"), reading)
            }
            Expr::Binary(..)
            | Expr::Compare(..)
            | Expr::FloatBinary(..)
            | Expr::FloatCast(..)
            | Expr::Global(_)
            | Expr::Function(_) => self.unknown(bits),
        }
    }

    /// The result of an operation of which only some facts are said.
    fn nonlinear(
        &mut self,
        kind: &'static str,
        facts: fn(&str, &str, &str) -> String,
        (lhs, rhs): (String, String),
        bits: u32,
    ) -> String {
        let key = (kind, lhs, rhs);
        if let Some(known) = self.nonlinear.get(&key) {
            return known.clone();
        }
        let name = self.fresh(bits);
        self.conditions.push(facts(&name, &key.1, &key.2));
        self.nonlinear.insert(key, name.clone());
        name
    }

    fn unknown(&mut self, bits: u32) -> Number {
        Number {
            text: self.arbitrary(bits),
            reading: Reading::Signed,
            bits,
        }
    }
}

fn application(atom: &Atom, arguments: &[String]) -> String {
    let name = name(atom.predicate.0);
    if arguments.is_empty() {
        name
    } else {
        format!("({name} {})", arguments.join(" "))
    }
}

/// A formula over these arguments; `None` if it has parameters beyond, or products of parameters, which
/// keep Spacer from answering.
fn applied(formula: &Formula, arguments: &[String]) -> Option<String> {
    let (operator, parts) = match formula {
        Formula::Parameter(position) => return arguments.get(*position).cloned(),
        Formula::Number(value) => return Some(number(value)),
        Formula::Truth(value) => return Some(value.to_string()),
        Formula::Apply(operator, parts) => (operator, parts),
    };
    let numbers = parts.iter();
    let numbers = numbers.filter(|part| matches!(***part, Formula::Number(_)));
    if *operator == Operator::Multiply && numbers.count() + 1 < parts.len() {
        return None;
    }
    let parts: Option<Vec<String>> = parts.iter().map(|part| applied(part, arguments)).collect();
    Some(format!("({} {})", operator.symbol(), parts?.join(" ")))
}

/// That a number fits a width. Spacer's time for a proof differs by this form, with `<` at the end.
fn fits(text: &str, bits: u32, is_unsigned: bool) -> String {
    let range = Interval::reading(bits, !is_unsigned);
    let (low, beyond) = (number(&range.low), number(&(range.high + 1)));
    format!("(and (>= {text} {low}) (< {text} {beyond}))")
}

fn constant(value: &Bv, reading: Reading) -> String {
    match reading {
        Reading::Unsigned => value.to_biguint().to_string(),
        Reading::Signed | Reading::Either => number(&value.to_bigint()),
    }
}

/// The number of places of a constant shift.
fn shift(by: &Expr) -> Option<u32> {
    match by {
        Expr::Const(by) => u32::try_from(by.to_u64()?).ok(),
        _ => None,
    }
}

/// k for the mask 2^k − 1, where k is not 0.
fn low_mask(mask: &Bv) -> Option<u32> {
    let mask = mask.to_u64()?;
    let low = mask.trailing_ones();
    (low > 0 && low < 64 && mask == (1 << low) - 1).then_some(low)
}

/// The sum in more bits of which a comparison asks whether it is the same in fewer, and that sum.
pub(super) fn checked_sum<'e>(lhs: &'e Expr, rhs: &'e Expr) -> Option<(&'e Expr, &'e Expr)> {
    let (wide, narrow) = match (lhs, rhs) {
        (wide @ Expr::Binary(..), Expr::Cast(CastOp::SExt, _, narrow))
        | (Expr::Cast(CastOp::SExt, _, narrow), wide @ Expr::Binary(..)) => (wide, &**narrow),
        _ => return None,
    };
    let (Expr::Binary(op, wide_lhs, wide_rhs), Expr::Binary(narrow_op, lhs, rhs)) = (wide, narrow)
    else {
        return None;
    };
    let is_sum = matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul) && op == narrow_op;
    let is_same = is_extended(wide_lhs, lhs) && is_extended(wide_rhs, rhs);
    (is_sum && is_same).then_some((wide, narrow))
}

/// Whether `wide` is `narrow` with copies of its sign above.
fn is_extended(wide: &Expr, narrow: &Expr) -> bool {
    match (wide, narrow) {
        (Expr::Const(wide), Expr::Const(narrow)) => wide.to_bigint() == narrow.to_bigint(),
        (Expr::Cast(CastOp::SExt, _, of), narrow) => **of == *narrow,
        _ => false,
    }
}
