//! Formulas over the integers as terms over bit-vectors, exactly: numbers are widened until nothing
//! wraps around.

use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use rustc_hash::FxHashMap;
use solver::horn::{Formula, Operator};
use std::rc::Rc;
use term::{BinOp, Bv, CastOp, CmpOp, TermId, TermPool};

/// No number is wider.
const WIDEST: u32 = 256;

/// What the parameter of a formula holds: a term, read with or without sign.
#[derive(Clone, Copy)]
pub struct Argument {
    pub term: TermId,
    pub is_unsigned: bool,
}

/// Makes terms of formulas whose parameters hold these arguments.
pub struct Meaning<'a> {
    pool: &'a mut TermPool,
    arguments: &'a [Argument],
    known: FxHashMap<*const Formula, Value>,
}

/// A term of width 1 as a truth value, or a number with its sign.
#[derive(Clone, Copy)]
enum Value {
    Truth(TermId),
    Number(TermId),
}

impl<'a> Meaning<'a> {
    pub fn new(pool: &'a mut TermPool, arguments: &'a [Argument]) -> Meaning<'a> {
        Meaning {
            pool,
            arguments,
            known: FxHashMap::default(),
        }
    }

    /// The truth of a formula, of width 1; `None` if it has no form, as with numbers that are too
    /// wide.
    pub fn truth(&mut self, formula: &Rc<Formula>) -> Option<TermId> {
        match self.value(formula)? {
            Value::Truth(term) => Some(term),
            Value::Number(_) => None,
        }
    }

    fn value(&mut self, formula: &Rc<Formula>) -> Option<Value> {
        if let Some(value) = self.known.get(&Rc::as_ptr(formula)) {
            return Some(*value);
        }
        let value = match &**formula {
            Formula::Truth(value) => Value::Truth(self.pool.truth(*value)),
            Formula::Number(value) => Value::Number(self.constant(value)?),
            Formula::Parameter(position) => self.parameter(*position)?,
            Formula::Apply(operator, parts) => self.apply(*operator, parts)?,
        };
        self.known.insert(Rc::as_ptr(formula), value);
        Some(value)
    }

    fn parameter(&mut self, position: usize) -> Option<Value> {
        let argument = self.arguments.get(position)?;
        let bits = self.pool.width(argument.term);
        Some(if bits == 1 {
            Value::Truth(argument.term)
        } else if argument.is_unsigned {
            Value::Number(self.pool.cast(CastOp::ZExt, bits + 1, argument.term))
        } else {
            Value::Number(argument.term)
        })
    }

    fn constant(&mut self, value: &BigInt) -> Option<TermId> {
        let bits = u32::try_from(value.bits()).ok()? + 1;
        (bits <= WIDEST).then(|| self.pool.constant(&Bv::from_bigint(bits, value)))
    }

    fn truths(&mut self, parts: &[Rc<Formula>]) -> Option<Vec<TermId>> {
        parts.iter().map(|part| self.truth(part)).collect()
    }

    fn number(&mut self, part: &Rc<Formula>) -> Option<TermId> {
        match self.value(part)? {
            Value::Number(term) => Some(term),
            Value::Truth(_) => None,
        }
    }

    fn numbers(&mut self, parts: &[Rc<Formula>]) -> Option<Vec<TermId>> {
        parts.iter().map(|part| self.number(part)).collect()
    }

    /// The same number in so many bits; it has no more now.
    fn widened(&mut self, term: TermId, bits: u32) -> TermId {
        self.pool.cast(CastOp::SExt, bits, term)
    }

    /// Numbers in one width, with so many bits more than the widest has.
    fn aligned(&mut self, terms: &[TermId], more: u32) -> Option<Vec<TermId>> {
        let widest = terms.iter().map(|term| self.pool.width(*term)).max()?;
        let bits = widest + more;
        (bits <= WIDEST).then(|| terms.iter().map(|term| self.widened(*term, bits)).collect())
    }

    fn apply(&mut self, operator: Operator, parts: &[Rc<Formula>]) -> Option<Value> {
        Some(match operator {
            Operator::Not => {
                let of = self.truth(parts.first()?)?;
                Value::Truth(self.pool.not(of))
            }
            Operator::And => {
                let parts = self.truths(parts)?;
                Value::Truth(self.pool.conj(parts))
            }
            Operator::Or => {
                let parts = self.truths(parts)?;
                let nothing = self.pool.truth(false);
                let pool = &mut *self.pool;
                Value::Truth(
                    parts
                        .into_iter()
                        .fold(nothing, |all, part| pool.or(all, part)),
                )
            }
            Operator::Implies => {
                let [premise, claim] = <[TermId; 2]>::try_from(self.truths(parts)?).ok()?;
                Value::Truth(self.pool.implies(premise, claim))
            }
            Operator::Equal => {
                let [lhs, rhs] = parts else { return None };
                let (lhs, rhs) = (self.value(lhs)?, self.value(rhs)?);
                match (lhs, rhs) {
                    (Value::Truth(lhs), Value::Truth(rhs)) => Value::Truth(self.pool.eq(lhs, rhs)),
                    (Value::Number(lhs), Value::Number(rhs)) => {
                        self.compared(CmpOp::Eq, &[lhs, rhs])?
                    }
                    _ => return None,
                }
            }
            Operator::LessEqual | Operator::Less | Operator::GreaterEqual | Operator::Greater => {
                let numbers = self.numbers(parts)?;
                let op = match operator {
                    Operator::LessEqual => CmpOp::Sle,
                    Operator::Less => CmpOp::Slt,
                    Operator::GreaterEqual => CmpOp::Sge,
                    _ => CmpOp::Sgt,
                };
                self.compared(op, &numbers)?
            }
            Operator::IfThenElse => {
                let [condition, then, otherwise] = parts else {
                    return None;
                };
                let condition = self.truth(condition)?;
                match (self.value(then)?, self.value(otherwise)?) {
                    (Value::Truth(then), Value::Truth(otherwise)) => {
                        Value::Truth(self.pool.ite(condition, then, otherwise))
                    }
                    (Value::Number(then), Value::Number(otherwise)) => {
                        let both = self.aligned(&[then, otherwise], 0)?;
                        Value::Number(self.pool.ite(condition, both[0], both[1]))
                    }
                    _ => return None,
                }
            }
            Operator::Add | Operator::Subtract => {
                let numbers = self.numbers(parts)?;
                let more = usize::BITS - numbers.len().leading_zeros();
                let numbers = self.aligned(&numbers, more)?;
                let (first, rest) = numbers.split_first()?;
                let zero = self.pool.bv(self.pool.width(*first), 0);
                let pool = &mut *self.pool;
                Value::Number(match operator {
                    Operator::Add => rest.iter().fold(*first, |sum, term| pool.add(sum, *term)),
                    _ if rest.is_empty() => pool.sub(zero, *first),
                    _ => rest.iter().fold(*first, |sum, term| pool.sub(sum, *term)),
                })
            }
            Operator::Multiply => {
                let numbers = self.numbers(parts)?;
                let bits = numbers.iter().map(|term| self.pool.width(*term)).sum();
                if bits > WIDEST {
                    return None;
                }
                let mut product = self.pool.bv(bits, 1);
                for number in numbers {
                    let number = self.widened(number, bits);
                    product = self.pool.mul(product, number);
                }
                Value::Number(product)
            }
            Operator::Divide | Operator::Modulo => {
                let [of, by] = parts else { return None };
                let Formula::Number(divisor) = &**by else {
                    return None;
                };
                if !divisor.is_positive() {
                    return None;
                }
                if let (Operator::Modulo, Some(bits)) = (operator, word(divisor))
                    && let Some(low) = self.low_bits(of, bits)
                {
                    return Some(Value::Number(self.pool.cast(CastOp::ZExt, bits + 1, low)));
                }
                let (of, by) = (self.number(of)?, self.constant(divisor)?);
                let both = self.aligned(&[of, by], 1)?;
                Value::Number(self.divided(operator, both[0], both[1]))
            }
        })
    }

    /// The low bits of a number, by arithmetic in so many bits; `None` if it is more than sums and products.
    fn low_bits(&mut self, formula: &Rc<Formula>, bits: u32) -> Option<TermId> {
        match &**formula {
            Formula::Number(value) => Some(self.pool.constant(&Bv::from_bigint(bits, value))),
            Formula::Parameter(position) => {
                let Argument { term, is_unsigned } = *self.arguments.get(*position)?;
                let op = match self.pool.width(term) {
                    1 => return None,
                    width if width >= bits => CastOp::Trunc,
                    _ if is_unsigned => CastOp::ZExt,
                    _ => CastOp::SExt,
                };
                Some(self.pool.cast(op, bits, term))
            }
            Formula::Apply(operator @ (Operator::Add | Operator::Multiply), parts) => {
                let mut all = self
                    .pool
                    .bv(bits, u64::from(*operator == Operator::Multiply));
                for part in parts {
                    let part = self.low_bits(part, bits)?;
                    all = match operator {
                        Operator::Add => self.pool.add(all, part),
                        _ => self.pool.mul(all, part),
                    };
                }
                Some(all)
            }
            Formula::Apply(..) | Formula::Truth(_) => None,
        }
    }

    fn compared(&mut self, op: CmpOp, numbers: &[TermId]) -> Option<Value> {
        let numbers = self.aligned(numbers, 0)?;
        let [lhs, rhs] = numbers.as_slice() else {
            return None;
        };
        Some(Value::Truth(self.pool.compare(op, *lhs, *rhs)))
    }

    /// Quotient rounded down, or remainder that is not negative, for a positive divisor.
    fn divided(&mut self, operator: Operator, of: TermId, by: TermId) -> TermId {
        let pool = &mut *self.pool;
        let bits = pool.width(of);
        let one = pool.bv(bits, 1);
        if operator == Operator::Modulo && pool.as_u64(by).is_some_and(u64::is_power_of_two) {
            let mask = pool.sub(by, one);
            return pool.binary(BinOp::And, of, mask);
        }
        let rest = pool.binary(BinOp::SRem, of, by);
        let zero = pool.constant(&Bv::from_bigint(bits, &BigInt::zero()));
        let is_below = pool.compare(CmpOp::Slt, rest, zero);
        if operator == Operator::Modulo {
            let above = pool.add(rest, by);
            return pool.ite(is_below, above, rest);
        }
        let quotient = pool.binary(BinOp::SDiv, of, by);
        let lower = pool.sub(quotient, one);
        pool.ite(is_below, lower, quotient)
    }
}

/// w, for the modulus 2^w of a word of C.
pub(super) fn word(modulus: &BigInt) -> Option<u32> {
    [32, 64]
        .into_iter()
        .find(|bits| *modulus == BigInt::from(1u8) << *bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::{Assignment, Sort};

    fn apply(operator: Operator, parts: &[&Rc<Formula>]) -> Rc<Formula> {
        let parts = parts.iter().map(|part| Rc::clone(part)).collect();
        Rc::new(Formula::Apply(operator, parts))
    }

    fn number(value: i64) -> Rc<Formula> {
        Rc::new(Formula::Number(BigInt::from(value)))
    }

    /// x² + y ≡ 3 modulo 2^32, for the largest numbers too.
    #[test]
    fn equations_modulo_a_word_wrap_around() {
        let modulus = Rc::new(Formula::Number(BigInt::from(1u64 << 32)));
        let (x, y) = (
            Rc::new(Formula::Parameter(0)),
            Rc::new(Formula::Parameter(1)),
        );
        let sum = apply(Operator::Add, &[&apply(Operator::Multiply, &[&x, &x]), &y]);
        let rest = apply(Operator::Modulo, &[&sum, &modulus]);
        let formula = apply(Operator::Equal, &[&rest, &number(3)]);
        let mut pool = TermPool::new();
        let symbols = [("x", 64), ("y", 16)].map(|(name, bits)| pool.symbol(name, Sort::Bv(bits)));
        let arguments = symbols.map(|symbol| Argument {
            term: pool.symbol_term(symbol),
            is_unsigned: false,
        });
        let truth = Meaning::new(&mut pool, &arguments)
            .truth(&formula)
            .expect("it has a form");
        for (x, y, expected) in [
            (0, 3, true),
            (1 << 16, 3, true),
            (2, -1, true),
            (2, 1, false),
        ] {
            let mut assignment = Assignment::new();
            assignment.set(symbols[0], Bv::from_i64(64, x));
            assignment.set(symbols[1], Bv::from_i64(16, y));
            let found = pool.evaluate(truth, &assignment).expect("all are known");
            assert_eq!(!found.is_zero(), expected, "{x}, {y}");
        }
    }

    /// All values of two parameters of four bits, the second unsigned, by exact arithmetic.
    #[test]
    fn terms_mean_what_formulas_mean_at_the_ends_of_ranges_too() {
        let (x, y) = (
            Rc::new(Formula::Parameter(0)),
            Rc::new(Formula::Parameter(1)),
        );
        let doubled = apply(Operator::Multiply, &[&number(2), &x]);
        let sum = apply(Operator::Add, &[&doubled, &y, &number(-3)]);
        let formulas = [
            (apply(Operator::LessEqual, &[&sum, &number(7)]), 0),
            (
                apply(
                    Operator::Equal,
                    &[&apply(Operator::Modulo, &[&sum, &number(3)]), &number(1)],
                ),
                1,
            ),
            (
                apply(
                    Operator::Less,
                    &[&apply(Operator::Divide, &[&sum, &number(4)]), &number(-2)],
                ),
                2,
            ),
            (
                apply(Operator::Greater, &[&apply(Operator::Subtract, &[&x]), &y]),
                3,
            ),
        ];
        let mut pool = TermPool::new();
        let symbols = ["x", "y"].map(|name| pool.symbol(name, Sort::Bv(4)));
        let arguments =
            [(symbols[0], false), (symbols[1], true)].map(|(symbol, is_unsigned)| Argument {
                term: pool.symbol_term(symbol),
                is_unsigned,
            });
        let truths: Vec<TermId> = formulas
            .iter()
            .map(|(formula, _)| {
                let mut meaning = Meaning::new(&mut pool, &arguments);
                meaning.truth(formula).expect("all have a form")
            })
            .collect();
        for x in -8..8i64 {
            for y in 0..16i64 {
                let sum = 2 * x + y - 3;
                let expected = [
                    sum <= 7,
                    sum.rem_euclid(3) == 1,
                    sum.div_euclid(4) < -2,
                    -x > y,
                ];
                let mut assignment = Assignment::new();
                assignment.set(symbols[0], Bv::from_i64(4, x));
                assignment.set(symbols[1], Bv::from_i64(4, y));
                for (truth, (_, number)) in truths.iter().zip(&formulas) {
                    let found = pool.evaluate(*truth, &assignment).expect("all are known");
                    assert_eq!(!found.is_zero(), expected[*number], "{number}: {x}, {y}");
                }
            }
        }
    }
}
