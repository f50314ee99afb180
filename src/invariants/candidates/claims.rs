//! Claims about sums of registers as integers: common properties of states in observed executions.
//!
//! A claim is exact: registers are interpreted as signed or unsigned and widened until no sum wraps around.

use crate::meaning::{Argument, Meaning};
use flowgraph::RegId;
use num_bigint::BigInt;
use semantics::State;
use solver::horn::{Formula, Operator};
use std::rc::Rc;
use term::{TermId, TermPool};

/// A claim about Σ factor · register.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Claim {
    pub form: Vec<Part>,
    pub relation: Relation,
}

/// A register with its factor, below 2¹² in absolute value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Part {
    pub factor: i64,
    pub reg: RegId,
    pub is_unsigned: bool,
}

/// What is claimed of the sum; numbers are below 2⁴⁰ in absolute value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Relation {
    Equal(i64),
    AtLeast(i64),
    AtMost(i64),
    /// It leaves this rest.
    Residue {
        modulus: i64,
        rest: i64,
    },
}

impl Claim {
    /// That the claim holds of a state.
    pub fn holds(&self, pool: &mut TermPool, now: &State) -> TermId {
        let arguments: Vec<Argument> = (self.form.iter())
            .map(|part| Argument {
                term: now.frame.get(part.reg),
                is_unsigned: part.is_unsigned,
            })
            .collect();
        let mut positions = 0..;
        let formula = self.formula(|_| positions.next().unwrap_or_default());
        let holds = Meaning::new(pool, &arguments).truth(&formula);
        holds.unwrap_or(TermId::FALSE)
    }

    /// The claim as a formula, where a register has the parameter of this position.
    pub(super) fn formula(&self, mut parameter: impl FnMut(&Part) -> usize) -> Rc<Formula> {
        let parts = self.form.iter();
        let parts = parts.map(|part| (i128::from(part.factor), parameter(part)));
        self.relation.of_sum(parts)
    }
}

impl Relation {
    /// What it says of Σ factor · parameter.
    #[must_use]
    pub fn of_sum(self, parts: impl IntoIterator<Item = (i128, usize)>) -> Rc<Formula> {
        let parts = parts.into_iter().filter(|(factor, _)| *factor != 0);
        let mut parts: Vec<Rc<Formula>> = parts
            .map(|(factor, position)| {
                let parameter = Rc::new(Formula::Parameter(position));
                match factor {
                    1 => parameter,
                    _ => apply(Operator::Multiply, vec![number(factor), parameter]),
                }
            })
            .collect();
        let sum = match parts.len() {
            0 => number(0),
            1 => parts.remove(0),
            _ => apply(Operator::Add, parts),
        };
        let (operator, lhs, rhs) = match self {
            Relation::Equal(value) => (Operator::Equal, sum, value),
            Relation::AtLeast(value) => (Operator::GreaterEqual, sum, value),
            Relation::AtMost(value) => (Operator::LessEqual, sum, value),
            Relation::Residue { modulus, rest } => {
                let left = apply(Operator::Modulo, vec![sum, number(modulus.into())]);
                (Operator::Equal, left, rest)
            }
        };
        apply(operator, vec![lhs, number(rhs.into())])
    }
}

pub(super) fn number(value: i128) -> Rc<Formula> {
    Rc::new(Formula::Number(BigInt::from(value)))
}

pub(super) fn apply(operator: Operator, parts: Vec<Rc<Formula>>) -> Rc<Formula> {
    Rc::new(Formula::Apply(operator, parts))
}
