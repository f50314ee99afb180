//! Sums that a program compares with constants, as in `a + b + c < 100` or `high - low <= steps`.
//!
//! What a program compares it often keeps within that bound: a place to look for invariants. Wrap-around
//! is left out of account, since these are guesses.

use super::check::definitions;
use super::system::{Clause, System, ValueOf};
use flowgraph::{Expr, FunctionId, RegId};
use num_traits::ToPrimitive;
use std::collections::BTreeMap;
use term::{BinOp, CastOp, LinearSum};

/// Larger coefficients are none of a bound.
const LARGEST_FACTOR: i128 = 1 << 12;
/// Sums of more values take long to check.
const MOST_VALUES: usize = 6;
/// No more comparisons are looked at.
const MOST_COMPARISONS: usize = 60;

/// Σ factor · value, which a function compares with a number.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Comparison {
    pub function: FunctionId,
    pub form: Vec<(ValueOf, i128)>,
    pub with: i128,
}

/// What the clauses of a program compare, each once: the first factor is positive.
pub(super) fn comparisons(system: &System) -> Vec<Comparison> {
    let mut found = Vec::new();
    for clause in &system.clauses {
        let mut sides = Vec::new();
        for condition in &clause.conditions {
            compared(condition, &mut sides);
        }
        let known = sums(clause);
        let sums = sides.into_iter();
        for sum in sums.filter_map(|sides| difference(sides, &known)) {
            let of_clause = comparison(system, clause, &sum);
            let new = of_clause.filter(|comparison| !found.contains(comparison));
            found.extend(new);
            if found.len() >= MOST_COMPARISONS {
                return found;
            }
        }
    }
    found
}

/// The sum in terms of what one of the clause's atoms is about.
fn comparison(system: &System, clause: &Clause, sum: &Sum) -> Option<Comparison> {
    let first = sum.terms().values().next()?;
    let sign = first.signum();
    let is_small = |factor: &i128| factor.abs() < LARGEST_FACTOR;
    if sum.terms().len() > MOST_VALUES || !sum.terms().values().all(is_small) {
        return None;
    }
    clause.atoms.iter().find_map(|atom| {
        let predicate = &system.predicates[atom.predicate.0];
        let form = sum.terms().iter().map(|(reg, factor)| {
            let mut arguments = atom.arguments.iter();
            let position = arguments.position(|argument| *argument == Expr::Reg(*reg))?;
            Some((predicate.parameters[position].value, sign * factor))
        });
        Some(Comparison {
            function: predicate.function,
            form: form.collect::<Option<_>>()?,
            with: sign.checked_mul(sum.number())?.checked_neg()?,
        })
    })
}

/// Both sides of the comparisons in a condition.
fn compared<'a>(condition: &'a Expr, found: &mut Vec<(&'a Expr, &'a Expr)>) {
    match condition {
        Expr::Compare(_, lhs, rhs) => {
            found.push((lhs, rhs));
            compared(lhs, found);
            compared(rhs, found);
        }
        Expr::Binary(_, lhs, rhs) => {
            compared(lhs, found);
            compared(rhs, found);
        }
        Expr::Ite(condition, then, otherwise) => {
            for part in [condition, then, otherwise] {
                compared(part, found);
            }
        }
        Expr::Cast(_, _, of) => compared(of, found),
        _ => {}
    }
}

/// The variables of a clause that are sums of others: of those of its atoms, and of inputs.
pub(super) fn sums(clause: &Clause) -> BTreeMap<RegId, Sum> {
    let mut found = BTreeMap::new();
    for (reg, value) in definitions(clause) {
        let sum = sum(value, &found);
        found.extend(sum.map(|sum| (reg, sum)));
    }
    found
}

/// A sum of variables.
pub(super) type Sum = LinearSum<RegId>;

/// The sum that an expression is, where some variables are known to be sums.
pub(super) fn sum(expr: &Expr, known: &BTreeMap<RegId, Sum>) -> Option<Sum> {
    let mut sum = Sum::constant(0);
    add(&mut sum, expr, 1, known)?;
    Some(sum)
}

/// The left side less the right one, where some variables are known to be sums.
fn difference((lhs, rhs): (&Expr, &Expr), known: &BTreeMap<RegId, Sum>) -> Option<Sum> {
    sum(lhs, known)?.minus(&sum(rhs, known)?)
}

/// Adds so many times an expression, where some variables are known to be sums; `None` if it is not linear.
fn add(sum: &mut Sum, expr: &Expr, times: i128, known: &BTreeMap<RegId, Sum>) -> Option<()> {
    match expr {
        Expr::Const(value) => {
            let value = value.to_bigint().to_i128()?;
            sum.add_number(value.checked_mul(times)?)
        }
        Expr::Reg(reg) => match known.get(reg) {
            Some(value) => sum.add_scaled(times, value),
            None => sum.add(times, *reg),
        },
        Expr::Binary(BinOp::Add, lhs, rhs) => {
            add(sum, lhs, times, known)?;
            add(sum, rhs, times, known)
        }
        Expr::Binary(BinOp::Sub, lhs, rhs) => {
            add(sum, lhs, times, known)?;
            add(sum, rhs, times.checked_neg()?, known)
        }
        Expr::Binary(BinOp::Mul, lhs, rhs) => {
            let ((of, Expr::Const(by)) | (Expr::Const(by), of)) = (&**lhs, &**rhs) else {
                return None;
            };
            add(
                sum,
                of,
                times.checked_mul(by.to_bigint().to_i128()?)?,
                known,
            )
        }
        Expr::Cast(CastOp::ZExt | CastOp::SExt, _, of) => add(sum, of, times, known),
        _ => None,
    }
}
