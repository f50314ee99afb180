//! Invariants of loops as expressions of C.

use super::meaning::word;
use super::signs::Signs;
use super::system::Parameter;
use crate::solver::horn::{Formula, Operator};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::rc::Rc;

/// An equation modulo 2^w in C, by unsigned arithmetic: sums and products wrap around as it does.
fn in_words(parameters: &[Parameter], formula: &Formula, ty: &str) -> Option<String> {
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
fn named(parameters: &[Parameter], position: usize) -> Option<&str> {
    let parameter = parameters.get(position)?;
    let name = parameter.data.name.split(['.', '#', '+']).next()?;
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    (!parameter.is_argument && is_name).then_some(name)
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
pub(super) fn in_c(signs: &Signs, parameters: &[Parameter], formula: &Formula) -> Option<String> {
    let part = |formula: &Rc<Formula>| in_c(signs, parameters, formula);
    match formula {
        Formula::Parameter(position) => {
            let parameter = parameters.get(*position)?;
            let name = named(parameters, *position)?;
            // In more bits, so that no sum overflows.
            Some(
                match (parameter.data.bits, signs.is_unsigned(parameter.slot)) {
                    (1, _) => name.to_owned(),
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
