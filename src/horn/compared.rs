//! Sums that a program compares with constants, as in `a + b + c < 100` or `high - low <= steps`.
//!
//! What a program compares it often keeps within that bound: a place to look for invariants. Wrap-around
//! is left out of account, since these are guesses.

use super::check::definitions;
use super::system::{Clause, System, ValueOf};
use flowgraph::{Expr, FunctionId, RegId};
use num_traits::ToPrimitive;
use std::collections::BTreeMap;
use term::{BinOp, CastOp};

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
        for sum in sums.filter_map(|sides| Sum::difference(sides, &known)) {
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
    let first = sum.factors.values().next()?;
    let sign = first.signum();
    let is_small = |factor: &i128| factor.abs() < LARGEST_FACTOR;
    if sum.factors.len() > MOST_VALUES || !sum.factors.values().all(is_small) {
        return None;
    }
    clause.atoms.iter().find_map(|atom| {
        let predicate = &system.predicates[atom.predicate.0];
        let form = sum.factors.iter().map(|(reg, factor)| {
            let mut arguments = atom.arguments.iter();
            let position = arguments.position(|argument| *argument == Expr::Reg(*reg))?;
            Some((predicate.parameters[position].value, sign * factor))
        });
        Some(Comparison {
            function: predicate.function,
            form: form.collect::<Option<_>>()?,
            with: sign.checked_mul(sum.constant)?.checked_neg()?,
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
        let sum = Sum::of(value, &found);
        found.extend(sum.map(|sum| (reg, sum)));
    }
    found
}

/// constant + Σ factor · variable; no factor is 0.
#[derive(Default)]
pub(super) struct Sum {
    factors: BTreeMap<RegId, i128>,
    constant: i128,
}

impl Sum {
    /// The sum that an expression is, where some variables are known to be sums.
    pub fn of(expr: &Expr, known: &BTreeMap<RegId, Sum>) -> Option<Sum> {
        let mut sum = Sum::default();
        sum.add(expr, 1)?;
        sum.replaced(known)
    }

    /// The same sum without the variables that are known to be sums.
    fn replaced(self, known: &BTreeMap<RegId, Sum>) -> Option<Sum> {
        let mut sum = Sum {
            constant: self.constant,
            ..Sum::default()
        };
        for (reg, times) in self.factors {
            let itself = Sum {
                factors: BTreeMap::from([(reg, 1)]),
                constant: 0,
            };
            let value = known.get(&reg).unwrap_or(&itself);
            sum.constant = (sum.constant).checked_add(value.constant.checked_mul(times)?)?;
            for (part, factor) in &value.factors {
                let all = sum.factors.entry(*part).or_default();
                *all = all.checked_add(factor.checked_mul(times)?)?;
            }
        }
        sum.factors.retain(|_, factor| *factor != 0);
        Some(sum)
    }

    /// What the sum has beyond a variable, if that is a number.
    pub fn beyond(&self, variable: RegId) -> Option<i128> {
        let is_alone = self.factors.len() == 1 && self.factors.get(&variable) == Some(&1);
        is_alone.then_some(self.constant)
    }

    pub fn variables(&self) -> impl Iterator<Item = &RegId> {
        self.factors.keys()
    }

    /// The left side less the right one, where some variables are known to be sums.
    fn difference((lhs, rhs): (&Expr, &Expr), known: &BTreeMap<RegId, Sum>) -> Option<Sum> {
        let mut sum = Sum::default();
        sum.add(lhs, 1)?;
        sum.add(rhs, -1)?;
        sum.replaced(known)
    }

    /// Adds so many times an expression; `None` if it is not linear.
    fn add(&mut self, expr: &Expr, times: i128) -> Option<()> {
        match expr {
            Expr::Const(value) => {
                let value = value.to_bigint().to_i128()?;
                self.constant = self.constant.checked_add(value.checked_mul(times)?)?;
            }
            Expr::Reg(reg) => {
                let factor = self.factors.entry(*reg).or_default();
                *factor = factor.checked_add(times)?;
            }
            Expr::Binary(BinOp::Add, lhs, rhs) => {
                self.add(lhs, times)?;
                self.add(rhs, times)?;
            }
            Expr::Binary(BinOp::Sub, lhs, rhs) => {
                self.add(lhs, times)?;
                self.add(rhs, times.checked_neg()?)?;
            }
            Expr::Binary(BinOp::Mul, lhs, rhs) => {
                let ((of, Expr::Const(by)) | (Expr::Const(by), of)) = (&**lhs, &**rhs) else {
                    return None;
                };
                self.add(of, times.checked_mul(by.to_bigint().to_i128()?)?)?;
            }
            Expr::Cast(CastOp::ZExt | CastOp::SExt, _, of) => self.add(of, times)?,
            _ => return None,
        }
        Some(())
    }
}
