//! Invariants of loops as expressions of C.

use super::meaning::word;
use super::signs::Signs;
use super::system::{Parameter, ValueOf};
use crate::solver::horn::{Formula, Operator};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::rc::Rc;

/// What the parameters of a predicate are called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Names {
    /// Variables at the head of a loop.
    Loop,
    /// What a function is called with.
    Entry,
    /// That, and what it returns.
    Result,
}

/// The parameters of a predicate, and what they are called.
pub(super) type Scope<'a> = (Names, &'a [Parameter]);

/// An equation modulo 2^w in C, by unsigned arithmetic: sums and products wrap around as it does.
fn in_words(parameters: Scope, formula: &Formula, ty: &str) -> Option<String> {
    match formula {
        Formula::Parameter(position) => Some(format!("({ty}){}", named(parameters, *position)?)),
        Formula::Number(value) => Some(format!("({ty}){}", written(value)?)),
        Formula::Apply(operator @ (Operator::Add | Operator::Multiply), parts) => {
            let parts: Vec<String> = (parts.iter())
                .map(|part| in_words(parameters, part, ty))
                .collect::<Option<_>>()?;
            let sign = if *operator == Operator::Add {
                " + "
            } else {
                " * "
            };
            Some(format!("({})", parts.join(sign)))
        }
        Formula::Truth(_) | Formula::Apply(..) => None,
    }
}

/// The name of a variable of the source.
fn named((names, parameters): Scope, position: usize) -> Option<String> {
    let parameter = parameters.get(position)?;
    if parameter.value == ValueOf::Result {
        return Some("\\result".to_owned());
    }
    let name = parameter.data.name.split(['.', '#', '+']).next()?;
    if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        return None;
    }
    match (names, parameter.value) {
        (Names::Loop, ValueOf::Register(_) | ValueOf::Cell(_)) | (Names::Entry, _) => {
            Some(name.to_owned())
        }
        (Names::Result, ValueOf::Cell(_)) => Some(name.to_owned()),
        (Names::Result, ValueOf::Argument(_) | ValueOf::CellBefore(_)) => {
            Some(format!("\\at({name}, Old)"))
        }
        (Names::Loop | Names::Result, _) => None,
    }
}

/// The type of a word of so many bits, where an equation is one modulo its size.
fn word_of(operator: Operator, lhs: &Formula) -> Option<(&Formula, &'static str)> {
    match (operator, lhs) {
        (Operator::Equal, Formula::Apply(Operator::Modulo, parts)) => {
            let [of, by] = parts.as_slice() else {
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
        _ => None,
    }
}

/// A formula in C, over the names of variables; `None` if it has no such form.
pub(super) fn in_c(signs: &Signs, parameters: Scope, formula: &Formula) -> Option<String> {
    let part = |formula: &Rc<Formula>| in_c(signs, parameters, formula);
    match formula {
        Formula::Parameter(position) => {
            let parameter = parameters.1.get(*position)?;
            let name = named(parameters, *position)?;
            // In more bits, so that no sum overflows.
            Some(
                match (parameter.data.bits, signs.is_unsigned(parameter.slot)) {
                    (1, _) => name,
                    (64, true) => format!("(__int128){name}"),
                    _ => format!("(long long){name}"),
                },
            )
        }
        Formula::Number(value) => written(value),
        Formula::Truth(value) => Some(u8::from(*value).to_string()),
        Formula::Apply(operator, parts) => {
            if let [lhs, rhs] = parts.as_slice()
                && let Some((of, ty)) = word_of(*operator, lhs)
            {
                let (lhs, rhs) = (
                    in_words(parameters, of, ty)?,
                    in_words(parameters, rhs, ty)?,
                );
                return Some(format!("({lhs} == {rhs})"));
            }
            let parts: Vec<String> = parts.iter().map(part).collect::<Option<_>>()?;
            let joined = |sign: &str| Some(format!("({})", parts.join(&format!(" {sign} "))));
            match (operator, parts.as_slice()) {
                (Operator::Not, [of]) => Some(format!("!({of})")),
                (Operator::Subtract, [of]) => Some(format!("(-({of}))")),
                (Operator::And, _) => joined("&&"),
                (Operator::Or, _) => joined("||"),
                (Operator::Implies, [premise, claim]) => Some(format!("(!({premise}) || {claim})")),
                (Operator::Equal, [_, _]) => joined("=="),
                (Operator::LessEqual, [_, _]) => joined("<="),
                (Operator::Less, [_, _]) => joined("<"),
                (Operator::GreaterEqual, [_, _]) => joined(">="),
                (Operator::Greater, [_, _]) => joined(">"),
                (Operator::IfThenElse, [condition, then, otherwise]) => {
                    Some(format!("({condition} ? {then} : {otherwise})"))
                }
                (Operator::Add, _) => joined("+"),
                (Operator::Subtract, _) => joined("-"),
                (Operator::Multiply, _) => joined("*"),
                (Operator::Modulo, [of, by]) => Some(format!("(({of} % {by} + {by}) % {by})")),
                _ => None,
            }
        }
    }
}

fn written(value: &BigInt) -> Option<String> {
    // The least number has no literal.
    let value = value.to_i64().filter(|value| *value > i64::MIN)?;
    Some(if value < 0 {
        format!("(-{}LL)", value.unsigned_abs())
    } else {
        format!("{value}LL")
    })
}
