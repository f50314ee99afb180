//! Linear sums over the integers.

use super::literals::{add, add_number};
use super::written::{Level, Sign, Written};
use term::LinearSum;

/// A sum of variables, written as the caller says, of types in which the sum does not wrap around; `None` where
/// one has no form in C or a number has no literal.
#[must_use]
pub fn sum<V: Ord + Clone>(
    sum: &LinearSum<V>,
    variable: &dyn Fn(&V) -> Option<String>,
) -> Option<String> {
    let mut text = String::new();
    for (of, factor) in sum.terms() {
        let written = Written::new(variable(of)?, Level::Unary, Sign::Either);
        add(&mut text, literal(*factor)?, &written);
    }
    add_number(&mut text, literal(sum.number())?);
    Some(text)
}

/// A number that has a literal: the least one has none.
fn literal(number: i128) -> Option<i64> {
    i64::try_from(number)
        .ok()
        .filter(|number| *number > i64::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_stand_between_summands() {
        let mut some = LinearSum::constant(-7);
        for (factor, variable) in [(-1, "a"), (3, "b"), (1, "c"), (-2, "d")] {
            some.add(factor, variable).unwrap();
        }
        let text =
            |sum: &LinearSum<&str>| self::sum(sum, &|name| Some(format!("(long long){name}")));
        let written = "-(long long)a + 3 * (long long)b + (long long)c - 2 * (long long)d - 7";
        assert_eq!(text(&some).as_deref(), Some(written));
        assert_eq!(text(&LinearSum::constant(0)).as_deref(), Some("0"));
        assert_eq!(text(&LinearSum::constant(1 << 70)), None);
        assert_eq!(self::sum(&some, &|_| None), None);
    }
}
