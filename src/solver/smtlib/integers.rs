//! The theory of integers: how scripts write its numbers and comparisons, and the values that Z3 prints.

use super::sexpr::parse;
use num_bigint::BigInt;
use num_traits::{One, Signed};
use std::collections::BTreeMap;
use term::{CmpOp, Interval};

/// 2^bits.
#[must_use]
pub fn two_to(bits: u32) -> BigInt {
    BigInt::one() << bits
}

/// The sort of the values of so many bits: one bit is a truth value.
#[must_use]
pub fn sort(bits: u32) -> &'static str {
    if bits == 1 { "Bool" } else { "Int" }
}

/// A number.
#[must_use]
pub fn number(value: &BigInt) -> String {
    if value.is_negative() {
        format!("(- {})", value.magnitude())
    } else {
        value.to_string()
    }
}

/// That a number lies in an interval.
#[must_use]
pub fn within(text: &str, range: &Interval<BigInt>) -> String {
    let (low, high) = (number(&range.low), number(&range.high));
    format!("(and (<= {low} {text}) (<= {text} {high}))")
}

/// A comparison of numbers, or whether truth values are the same.
#[must_use]
pub fn compared(op: CmpOp, lhs: &str, rhs: &str) -> String {
    let symbol = match op {
        CmpOp::Eq => "=",
        CmpOp::Ne => return format!("(not (= {lhs} {rhs}))"),
        CmpOp::Ult | CmpOp::Slt => "<",
        CmpOp::Ule | CmpOp::Sle => "<=",
        CmpOp::Ugt | CmpOp::Sgt => ">",
        CmpOp::Uge | CmpOp::Sge => ">=",
    };
    format!("({symbol} {lhs} {rhs})")
}

/// The words in the answer to `get-value`, if there is one, by name; `None` where something in it is no word.
pub(crate) fn values(printed: &str) -> Option<BTreeMap<String, String>> {
    let mut found = BTreeMap::new();
    let answers = parse(printed).ok()?;
    let Some(answer) = answers.first() else {
        return Some(found);
    };
    for pair in answer.list()? {
        let [name, value] = pair.list()? else {
            return None;
        };
        found.insert(name.atom()?.to_owned(), value.atom()?.to_owned());
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_comparisons_are_those_of_the_theory() {
        assert_eq!(number(&BigInt::from(-7)), "(- 7)");
        let range = Interval::signed(8);
        assert_eq!(within("x", &range), "(and (<= (- 128) x) (<= x 127))");
        assert_eq!(compared(CmpOp::Sgt, "x", "y"), "(> x y)");
        assert_eq!(compared(CmpOp::Ne, "x", "y"), "(not (= x y))");
    }

    #[test]
    fn values_are_read_by_name() {
        let found = values("((x 12)\n (b false))").expect("all are words");
        assert_eq!(found["x"], "12");
        assert_eq!(found["b"], "false");
        assert_eq!(values(""), Some(BTreeMap::new()));
        assert_eq!(values("((x (- 1)))"), None);
    }
}
