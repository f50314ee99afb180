//! Candidates and invariants as expressions of C.

use super::meaning::word;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use solver::horn::{Formula, Operator};
use std::rc::Rc;
use term::{Interval, LinearSum};

/// Congruences by larger numbers are not compared with equations.
const LARGEST_MODULUS: i128 = 1 << 12;

/// A variable of C that the parameter of a formula stands for.
#[derive(Clone, Debug)]
pub struct Variable {
    /// `None` where it has no name in the source.
    pub name: Option<String>,
    pub bits: u32,
    pub is_unsigned: bool,
    /// Whether its type in the source may be another.
    pub is_converted: bool,
}

/// The variables of the parameters of formulas, by position.
pub type Variables<'a> = &'a dyn Fn(usize) -> Option<Variable>;

impl Variable {
    /// Its value in C.
    fn value(&self) -> Option<String> {
        let name = self.name.as_ref()?;
        if !self.is_converted {
            return Some(name.clone());
        }
        let ty = ::in_c::type_name(self.bits, !self.is_unsigned)?;
        Some(format!("({ty}){name}"))
    }

    /// The numbers of its type.
    fn range(&self) -> Interval {
        let bits = self.bits.clamp(1, 64);
        Interval::reading(bits, !self.is_unsigned && bits > 1)
    }
}

/// What a register or variable of the program is called in the source; `None` for a result without a name.
#[must_use]
pub fn name_in_source(name: &str) -> Option<&str> {
    let name = name.split(['.', '#', '+']).next()?;
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    is_name.then_some(name)
}

/// An equation modulo 2^w in C, by unsigned arithmetic: sums and products wrap around as it does.
fn in_words(variables: Variables, formula: &Formula, ty: &str) -> Option<String> {
    match formula {
        Formula::Parameter(position) => {
            let name = variables(*position)?.name?;
            Some(format!("({ty}){name}"))
        }
        Formula::Number(value) => Some(format!("({ty}){}", written(value)?)),
        Formula::Apply(operator @ (Operator::Add | Operator::Multiply), parts) => {
            let parts: Vec<String> = (parts.iter())
                .map(|part| in_words(variables, part, ty))
                .collect::<Option<_>>()?;
            let sign = if *operator == Operator::Add {
                " + "
            } else {
                " * "
            };
            Some(format!("({})", parts.join(sign)))
        }
        // The same modulus, which makes no difference.
        Formula::Apply(operator, parts) => match word_of(*operator, parts)? {
            (of, same) if same == ty => in_words(variables, of, ty),
            _ => None,
        },
        Formula::Truth(_) => None,
    }
}

/// What is taken modulo the size of a word, and the type of such words.
fn word_of(operator: Operator, parts: &[Rc<Formula>]) -> Option<(&Formula, &'static str)> {
    let (Operator::Modulo, [of, by]) = (operator, parts) else {
        return None;
    };
    let Formula::Number(modulus) = &**by else {
        return None;
    };
    let ty = match word(modulus)? {
        32 => "unsigned",
        _ => "unsigned long long",
    };
    Some((&**of, ty))
}

/// Conjuncts in C, over the names of variables, without those that have no such form: bounds of a sum are
/// one, and those that follow from bounds of its variables or from their types are left out, as are congruences that
/// follow from an equation. Sums are computed in so many bits that none overflows.
#[must_use]
pub fn in_c(variables: Variables, conjuncts: &[Rc<Formula>]) -> Vec<String> {
    let writer = Writer { variables };
    let (mut ranges, mut others): (Vec<Range>, Vec<&Rc<Formula>>) = Default::default();
    for conjunct in conjuncts {
        match Range::of(conjunct, true) {
            Some(range) => match ranges.iter_mut().find(|other| other.sum == range.sum) {
                Some(other) => other.within = other.within.meet(&range.within),
                None => ranges.push(range),
            },
            None => others.push(conjunct),
        }
    }
    let narrowed: Vec<Range> = (ranges.iter())
        .map(|range| range.without(&ranges, variables))
        .collect();
    let mut found: Vec<String> = Vec::new();
    let mut equations: Vec<&Range> = Vec::new();
    for range in &narrowed {
        let texts = writer.range(range);
        equations.extend((texts.is_some() && range.within.as_point().is_some()).then_some(range));
        found.extend(texts.unwrap_or_default());
    }
    for conjunct in others {
        let congruence = Congruence::of(conjunct);
        if !congruence.is_some_and(|congruence| congruence.follows(&equations)) {
            found.extend(writer.truth(conjunct, true));
        }
    }
    found
}

/// A modulus divides a sum.
struct Congruence {
    sum: Sum,
    modulus: BigInt,
}

impl Congruence {
    /// What an equation of a remainder and a number says; `None` if a formula is none.
    fn of(formula: &Formula) -> Option<Congruence> {
        match formula {
            Formula::Apply(Operator::Equal, parts) => Congruence::between(parts),
            _ => None,
        }
    }

    /// That a remainder is a number.
    fn between(parts: &[Rc<Formula>]) -> Option<Congruence> {
        let [lhs, rhs] = parts else { return None };
        let (Formula::Apply(Operator::Modulo, parts), Formula::Number(rest)) = (&**lhs, &**rhs)
        else {
            return None;
        };
        let [of, by] = parts.as_slice() else {
            return None;
        };
        let Formula::Number(modulus) = &**by else {
            return None;
        };
        let mut sum = sum_of(of)?;
        sum.add_number(-i128::from(rest.to_i64()?))?;
        Some(Congruence {
            sum,
            modulus: modulus.clone(),
        })
    }

    /// Whether the sum differs from a multiple of what an equation says only by multiples of the modulus.
    fn follows(&self, equations: &[&Range]) -> bool {
        let Some(modulus) = self.modulus.to_i128() else {
            return false;
        };
        let is_multiple = |equation: &Range, times: i128| {
            let mut rest = self.sum.clone();
            rest.add_scaled(-times, &equation.sum)?;
            rest.add_number(equation.within.as_point()?.checked_mul(times)?)?;
            let divides = |value: &i128| value % modulus == 0;
            Some(divides(&rest.number()) && rest.terms().values().all(divides))
        };
        (2..=LARGEST_MODULUS).contains(&modulus)
            && equations.iter().any(|equation| {
                (0..modulus).any(|times| is_multiple(equation, times) == Some(true))
            })
    }
}

/// Σ factor · parameter, without a number, the first factor positive and all without a common divisor, within bounds.
#[derive(Clone, Debug)]
struct Range {
    sum: Sum,
    within: Interval,
}

impl Range {
    /// What a comparison says, or its negation; `None` if it is not one of sums, or an inequation.
    fn of(formula: &Formula, holds: bool) -> Option<Range> {
        let Formula::Apply(operator, parts) = formula else {
            return None;
        };
        let (lhs, rhs) = match (operator, parts.as_slice()) {
            (Operator::Not, [of]) => return Range::of(of, !holds),
            (_, [lhs, rhs]) => (lhs, rhs),
            _ => return None,
        };
        let sum = sum_of(lhs)?.minus(&sum_of(rhs)?)?;
        let value = sum.number().checked_neg()?;
        let within = match (operator, holds) {
            (Operator::Equal, true) => Interval::point(value),
            (Operator::LessEqual, true) | (Operator::Greater, false) => Interval::at_most(value),
            (Operator::Less, true) | (Operator::GreaterEqual, false) => {
                Interval::at_most(value - 1)
            }
            (Operator::GreaterEqual, true) | (Operator::Less, false) => Interval::at_least(value),
            (Operator::Greater, true) | (Operator::LessEqual, false) => {
                Interval::at_least(value + 1)
            }
            _ => return None,
        };
        let (divisor, sum) = sum.primitive()?;
        // An equation without a solution has no bounds.
        let within = within.over(divisor);
        (!within.is_empty()).then_some(Range { sum, within })
    }

    /// The range without what follows from those of its parameters.
    fn without(&self, all: &[Range], variables: Variables) -> Range {
        let is_sum = self.sum.terms().len() > 1;
        let of = |position: &usize| {
            let mut alone = all
                .iter()
                .filter(|one| is_sum && one.sum.terms().len() == 1);
            let alone = alone.find(|one| one.sum.factor(position) != 0);
            let ty = variables(*position)?.range();
            Some(alone.map_or(ty, |alone| ty.meet(&alone.within)))
        };
        let (least, greatest) = (self.sum.least(&of), self.sum.greatest(&of));
        let mut range = self.clone();
        if least.is_some_and(|least| self.within.low <= least) {
            range.within.low = Interval::ALL.low;
        }
        if greatest.is_some_and(|greatest| self.within.high >= greatest) {
            range.within.high = Interval::ALL.high;
        }
        range
    }
}

/// Σ factor · parameter, and a number.
type Sum = LinearSum<usize>;

/// The sum that a formula is; `None` if it is not linear.
fn sum_of(formula: &Formula) -> Option<Sum> {
    let mut sum = Sum::constant(0);
    add(&mut sum, formula, 1)?;
    Some(sum)
}

/// Adds so many times a formula; `None` if it is not linear.
fn add(sum: &mut Sum, formula: &Formula, times: i128) -> Option<()> {
    match formula {
        Formula::Parameter(position) => sum.add(times, *position),
        Formula::Number(value) => sum.add_number(i128::from(value.to_i64()?).checked_mul(times)?),
        Formula::Apply(Operator::Add, parts) => {
            parts.iter().try_for_each(|part| add(sum, part, times))
        }
        Formula::Apply(Operator::Subtract, parts) => {
            let negated = times.checked_neg()?;
            match parts.as_slice() {
                [of] => add(sum, of, negated),
                [first, others @ ..] => {
                    add(sum, first, times)?;
                    others.iter().try_for_each(|part| add(sum, part, negated))
                }
                [] => Some(()),
            }
        }
        Formula::Apply(Operator::Multiply, parts) => {
            let (mut times, mut unknown) = (times, None);
            for part in parts {
                match &**part {
                    Formula::Number(value) => {
                        times = times.checked_mul(i128::from(value.to_i64()?))?;
                    }
                    _ if unknown.is_none() => unknown = Some(part),
                    _ => return None,
                }
            }
            match unknown {
                Some(part) => add(sum, part, times),
                None => sum.add_number(times),
            }
        }
        Formula::Truth(_) | Formula::Apply(..) => None,
    }
}

/// Writes formulas over the parameters of a predicate.
struct Writer<'a> {
    variables: Variables<'a>,
}

impl Writer<'_> {
    /// A variable in C.
    fn variable(&self, position: usize) -> Option<String> {
        (self.variables)(position)?.value()
    }

    /// A formula that is true or false, or its negation.
    fn truth(&self, formula: &Formula, holds: bool) -> Option<String> {
        if let Some(range) = Range::of(formula, holds) {
            return Some(match self.range(&range)?.as_slice() {
                [one] => one.clone(),
                several => format!("({})", several.join(" && ")),
            });
        }
        let not = |text: String| {
            if holds { text } else { format!("!({text})") }
        };
        match formula {
            Formula::Parameter(position) => {
                let name = self.variable(*position)?;
                Some(if holds { name } else { format!("!{name}") })
            }
            Formula::Truth(value) => Some(u8::from(*value == holds).to_string()),
            Formula::Number(_) => None,
            Formula::Apply(operator, parts) => match (operator, parts.as_slice()) {
                (Operator::Not, [of]) => self.truth(of, !holds),
                (Operator::And, _) => self.joined(parts.iter().map(|part| (part, holds)), holds),
                (Operator::Or, _) => self.joined(parts.iter().map(|part| (part, holds)), !holds),
                (Operator::Implies, [premise, claim]) => {
                    self.joined([(premise, !holds), (claim, holds)].into_iter(), !holds)
                }
                (Operator::IfThenElse, [condition, then, otherwise]) => Some(format!(
                    "({} ? {} : {})",
                    self.truth(condition, true)?,
                    self.truth(then, holds)?,
                    self.truth(otherwise, holds)?
                )),
                (Operator::Equal, [lhs, rhs]) => {
                    let of_word = match &**lhs {
                        Formula::Apply(operator, parts) => word_of(*operator, parts),
                        _ => None,
                    };
                    if let Some((of, ty)) = of_word {
                        let [lhs, rhs] = [of, &**rhs].map(|of| in_words(self.variables, of, ty));
                        let (lhs, rhs) = (lhs?, rhs?);
                        return Some(not(format!("{lhs} == {rhs}")));
                    }
                    let sign = if holds { "==" } else { "!=" };
                    let texts = self.value(lhs).zip(self.value(rhs));
                    let (lhs, rhs) = match texts {
                        Some(texts) => texts,
                        None => (
                            format!("({})", self.truth(lhs, true)?),
                            format!("({})", self.truth(rhs, true)?),
                        ),
                    };
                    self.residue(parts, holds)
                        .or_else(|| Some(format!("{lhs} {sign} {rhs}")))
                }
                (Operator::LessEqual | Operator::Greater, [..]) => self.compared(
                    parts,
                    if (*operator == Operator::LessEqual) == holds {
                        "<="
                    } else {
                        ">"
                    },
                ),
                (Operator::GreaterEqual | Operator::Less, [..]) => self.compared(
                    parts,
                    if (*operator == Operator::GreaterEqual) == holds {
                        ">="
                    } else {
                        "<"
                    },
                ),
                _ => None,
            },
        }
    }

    /// Conjuncts or disjuncts.
    fn joined<'f>(
        &self,
        parts: impl Iterator<Item = (&'f Rc<Formula>, bool)>,
        are_conjuncts: bool,
    ) -> Option<String> {
        let parts = parts.map(|(part, holds)| self.truth(part, holds));
        let parts: Vec<String> = parts.collect::<Option<_>>()?;
        let sign = if are_conjuncts { " && " } else { " || " };
        Some(format!("({})", parts.join(sign)))
    }

    /// Two numbers of which one is no sum.
    fn compared(&self, parts: &[Rc<Formula>], sign: &str) -> Option<String> {
        let [lhs, rhs] = parts else { return None };
        // A remainder is 0 or not.
        let residue = |holds: bool, rest: i64| {
            let rest = Rc::new(Formula::Number(rest.into()));
            self.residue(&[Rc::clone(lhs), rest], holds)
        };
        let number = match &**rhs {
            Formula::Number(value) => value.to_i64(),
            _ => None,
        };
        let as_residue = match (sign, number) {
            ("<=", Some(0)) | ("<", Some(1)) => residue(true, 0),
            (">", Some(0)) | (">=", Some(1)) => residue(false, 0),
            _ => None,
        };
        as_residue.or_else(|| Some(format!("{} {sign} {}", self.value(lhs)?, self.value(rhs)?)))
    }

    /// That a sum leaves a rest, or does not.
    fn residue(&self, parts: &[Rc<Formula>], holds: bool) -> Option<String> {
        let Congruence { sum, modulus } = Congruence::between(parts)?;
        let text = self.sum(&sum)?;
        let text = if sum.terms().len() > 1 || sum.number() != 0 {
            format!("({text})")
        } else {
            text
        };
        let sign = if holds { "==" } else { "!=" };
        Some(format!("{text} % {} {sign} 0", written(&modulus)?))
    }

    /// The bounds of a sum.
    fn range(&self, range: &Range) -> Option<Vec<String>> {
        let bounds = match range.within.as_point() {
            Some(value) => vec![("==", *value)],
            None => {
                let least = range.within.least().map(|least| (">=", least));
                let greatest = range.within.greatest().map(|greatest| ("<=", greatest));
                least.into_iter().chain(greatest).collect()
            }
        };
        let (mut left, mut right) = (Sum::constant(0), Sum::constant(0));
        for (position, factor) in range.sum.terms() {
            let side = if *factor > 0 { &mut left } else { &mut right };
            side.add(factor.checked_abs()?, *position)?;
        }
        let texts = bounds.into_iter().map(|(sign, value)| {
            let above = if right.terms().is_empty() || value > 0 {
                value
            } else {
                0
            };
            let (mut left, mut right) = (left.clone(), right.clone());
            left.add_number(above - value)?;
            right.add_number(above)?;
            let lhs = match left.terms().first_key_value() {
                // A number that is not negative compares so with each type.
                Some((position, 1))
                    if left.terms().len() == 1
                        && right.as_number().is_some_and(|right| right >= 0) =>
                {
                    self.variable(*position)?
                }
                _ => self.sum(&left)?,
            };
            Some(format!("{lhs} {sign} {}", self.sum(&right)?))
        });
        texts.collect()
    }

    /// A sum in C.
    fn sum(&self, sum: &Sum) -> Option<String> {
        let is_alone = sum.terms().len() == 1 && sum.number() == 0;
        ::in_c::sum(sum, &|position| {
            let variable = (self.variables)(*position)?;
            let is_itself = is_alone && sum.factor(position) == 1;
            let ty = match (variable.bits, variable.is_unsigned) {
                (1, _) => "",
                (64, is_unsigned) if is_unsigned || !is_itself => "(__int128)",
                _ => "(long long)",
            };
            Some(format!("{ty}{}", variable.value()?))
        })
    }

    /// A number.
    fn value(&self, formula: &Formula) -> Option<String> {
        if let Some(sum) = sum_of(formula) {
            return self.sum(&sum);
        }
        let Formula::Apply(operator, parts) = formula else {
            return None;
        };
        if let (Operator::IfThenElse, [condition, then, otherwise]) = (operator, parts.as_slice()) {
            let condition = self.truth(condition, true)?;
            let (then, otherwise) = (self.value(then)?, self.value(otherwise)?);
            return Some(format!("({condition} ? {then} : {otherwise})"));
        }
        let parts = parts.iter().map(|part| {
            if let Formula::Parameter(position) = **part
                && (self.variables)(position)?.bits == 64
            {
                return Some(format!("(__int128){}", self.variable(position)?));
            }
            let text = self.value(part)?;
            let is_simple = matches!(**part, Formula::Parameter(_) | Formula::Number(_));
            Some(if is_simple { text } else { format!("({text})") })
        });
        let parts: Vec<String> = parts.collect::<Option<_>>()?;
        match (operator, parts.as_slice()) {
            (Operator::Add, _) => Some(parts.join(" + ")),
            (Operator::Subtract, [of]) => Some(format!("-{of}")),
            (Operator::Subtract, _) => Some(parts.join(" - ")),
            (Operator::Multiply, _) => Some(parts.join(" * ")),
            (Operator::Modulo, [of, by]) => Some(format!("({of} % {by} + {by}) % {by}")),
            _ => None,
        }
    }
}

/// A number; the least one of 64 bits has no literal.
fn written(value: &BigInt) -> Option<String> {
    let value = value.to_i64().filter(|value| *value > i64::MIN)?;
    Some(value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(operator: Operator, parts: Vec<Formula>) -> Formula {
        Formula::Apply(operator, parts.into_iter().map(Rc::new).collect())
    }

    fn number(value: i64) -> Formula {
        Formula::Number(value.into())
    }

    /// factor · x + y
    fn sum(factor: i64) -> Formula {
        let product = apply(
            Operator::Multiply,
            vec![number(factor), Formula::Parameter(0)],
        );
        apply(Operator::Add, vec![product, Formula::Parameter(1)])
    }

    #[test]
    fn congruences_that_follow_from_an_equation() {
        let equation = apply(Operator::Equal, vec![sum(3), number(7)]);
        let equation = Range::of(&equation, true).expect("it is linear");
        let follows = |factor: i64, modulus: i64, rest: i64| {
            let remainder = apply(Operator::Modulo, vec![sum(factor), number(modulus)]);
            let formula = apply(Operator::Equal, vec![remainder, number(rest)]);
            let congruence = Congruence::of(&formula).expect("it is one");
            congruence.follows(&[&equation])
        };
        // 3x + y = 7, so that x + y is odd and 3x + y leaves 2 modulo 5.
        assert!(follows(1, 2, 1));
        assert!(follows(3, 5, 2));
        assert!(!follows(1, 2, 0));
        assert!(!follows(1, 5, 2));
    }
}
