//! Are the conditions of a branching mutually exclusive and exhaustive?
//!
//! Decided on the syntax, without a solver, for the shapes that front ends make:
//! - "switch": every condition says for one expression which constants it may be;
//! - "truth-table": conditions that are and/or/xor/not/ite of at most [`MAX_ATOMS`] atoms;
//!   comparisons are atoms up to negation and exchange of sides, and `x == c`, `x == d` for two
//!   constants never hold together.
//!
//! A "no" only means that neither rule applies.

use crate::{Expr, RegData};
use std::collections::BTreeSet;
use term::{BinOp, Bv, CmpOp};

/// More atoms are not tried: the table has 2^atoms rows.
const MAX_ATOMS: usize = 10;

/// Whether exactly one of the conditions (width 1) holds in every state, as far as the two rules
/// can tell.
pub(super) fn is_partition(conditions: &[&Expr], regs: &[RegData], pointer_bits: u32) -> bool {
    let width = |expr: &Expr| expr.bits(regs, pointer_bits);
    is_switch(conditions, &width) || is_partition_by_table(conditions, &width)
}

/// The values that an expression may have: these, or all but these.
struct Values<'a> {
    all_but: bool,
    listed: BTreeSet<&'a Bv>,
}

impl<'a> Values<'a> {
    fn complement(mut self) -> Values<'a> {
        self.all_but = !self.all_but;
        self
    }

    fn intersect(self, other: Values<'a>) -> Values<'a> {
        match (self.all_but, other.all_but) {
            (true, true) => {
                let (mut large, mut small) = (self.listed, other.listed);
                if large.len() < small.len() {
                    std::mem::swap(&mut large, &mut small);
                }
                large.extend(small);
                Values {
                    all_but: true,
                    listed: large,
                }
            }
            (true, false) => other.intersect(self),
            (false, excluded) => {
                let mut listed = self.listed;
                listed.retain(|value| other.listed.contains(value) != excluded);
                Values {
                    all_but: false,
                    listed,
                }
            }
        }
    }
}

fn is_switch(conditions: &[&Expr], width: &dyn Fn(&Expr) -> u32) -> bool {
    let mut scrutinee = None;
    let mut sets = Vec::with_capacity(conditions.len());
    for condition in conditions {
        match values(condition, &mut scrutinee) {
            Some(set) => sets.push(set),
            None => return false,
        }
    }
    let Some(scrutinee) = scrutinee else {
        return false;
    };
    let mut listed = BTreeSet::new();
    let mut default = None;
    for set in sets {
        if set.all_but {
            if default.replace(set.listed).is_some() {
                return false;
            }
        } else {
            for value in set.listed {
                if !listed.insert(value) {
                    return false;
                }
            }
        }
    }
    match default {
        Some(excluded) => excluded == listed,
        None => 1usize
            .checked_shl(width(scrutinee))
            .is_some_and(|all| listed.len() == all),
    }
}

/// The values of `scrutinee` for which the condition holds; the first comparison with a constant
/// sets the scrutinee.
fn values<'a>(condition: &'a Expr, scrutinee: &mut Option<&'a Expr>) -> Option<Values<'a>> {
    match condition {
        Expr::Compare(op @ (CmpOp::Eq | CmpOp::Ne), a, b) => {
            let ((expr, Expr::Const(value)) | (Expr::Const(value), expr)) =
                (a.as_ref(), b.as_ref())
            else {
                return None;
            };
            if *scrutinee.get_or_insert(expr) != expr {
                return None;
            }
            Some(Values {
                all_but: *op == CmpOp::Ne,
                listed: BTreeSet::from([value]),
            })
        }
        Expr::Binary(BinOp::Xor, a, b) if **b == Expr::truth(true) => {
            Some(values(a, scrutinee)?.complement())
        }
        Expr::Binary(BinOp::And, a, b) => {
            let (a, b) = (values(a, scrutinee)?, values(b, scrutinee)?);
            Some(a.intersect(b))
        }
        Expr::Binary(BinOp::Or, a, b) => {
            let (a, b) = (values(a, scrutinee)?, values(b, scrutinee)?);
            Some(a.complement().intersect(b.complement()).complement())
        }
        _ => None,
    }
}

/// A condition as a formula over atoms, by number.
enum Formula {
    Constant(bool),
    Atom(usize),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Xor(Box<Formula>, Box<Formula>),
    Ite(Box<Formula>, Box<Formula>, Box<Formula>),
}

impl Formula {
    /// The truth value when bit `n` of `row` is the truth value of atom `n`.
    fn holds(&self, row: usize) -> bool {
        match self {
            Formula::Constant(value) => *value,
            Formula::Atom(number) => row >> number & 1 == 1,
            Formula::Not(a) => !a.holds(row),
            Formula::And(a, b) => a.holds(row) && b.holds(row),
            Formula::Or(a, b) => a.holds(row) || b.holds(row),
            Formula::Xor(a, b) => a.holds(row) != b.holds(row),
            Formula::Ite(c, t, e) => {
                if c.holds(row) {
                    t.holds(row)
                } else {
                    e.holds(row)
                }
            }
        }
    }
}

/// What cannot be taken apart.
#[derive(PartialEq)]
enum Atom<'a> {
    /// `Eq`, `Ult` or `Slt`.
    Compare(CmpOp, &'a Expr, &'a Expr),
    Other(&'a Expr),
}

impl Atom<'_> {
    /// Whether both say that one expression equals a constant, but different ones.
    fn excludes(&self, other: &Atom<'_>) -> bool {
        let (Atom::Compare(CmpOp::Eq, a, b), Atom::Compare(CmpOp::Eq, c, d)) = (self, other) else {
            return false;
        };
        let constant = |expr: &Expr| matches!(expr, Expr::Const(_));
        [(a, b, c, d), (a, b, d, c), (b, a, c, d), (b, a, d, c)]
            .into_iter()
            .any(|(x, value, y, other)| {
                x == y && value != other && constant(value) && constant(other)
            })
    }
}

struct Table<'a, 'w> {
    atoms: Vec<Atom<'a>>,
    width: &'w dyn Fn(&Expr) -> u32,
}

fn is_partition_by_table(conditions: &[&Expr], width: &dyn Fn(&Expr) -> u32) -> bool {
    let mut table = Table {
        atoms: Vec::new(),
        width,
    };
    let mut formulas = Vec::with_capacity(conditions.len());
    for condition in conditions {
        match table.formula(condition) {
            Some(formula) => formulas.push(formula),
            None => return false,
        }
    }
    let atoms = &table.atoms;
    let mut exclusions = Vec::new();
    for (i, atom) in atoms.iter().enumerate() {
        for (j, other) in atoms.iter().enumerate().skip(i + 1) {
            if atom.excludes(other) {
                exclusions.push(1 << i | 1 << j);
            }
        }
    }
    (0..1usize << atoms.len())
        .filter(|row| exclusions.iter().all(|both| row & both != *both))
        .all(|row| formulas.iter().filter(|formula| formula.holds(row)).count() == 1)
}

impl<'a> Table<'a, '_> {
    /// `None` when there are too many atoms.
    fn formula(&mut self, condition: &'a Expr) -> Option<Formula> {
        match condition {
            Expr::Const(value) => Some(Formula::Constant(!value.is_zero())),
            Expr::Binary(op @ (BinOp::And | BinOp::Or | BinOp::Xor), a, b) => {
                let (a, b) = (Box::new(self.formula(a)?), Box::new(self.formula(b)?));
                Some(match op {
                    BinOp::And => Formula::And(a, b),
                    BinOp::Or => Formula::Or(a, b),
                    _ => Formula::Xor(a, b),
                })
            }
            Expr::Compare(op @ (CmpOp::Eq | CmpOp::Ne), a, b) if (self.width)(a) == 1 => {
                let (a, b) = (Box::new(self.formula(a)?), Box::new(self.formula(b)?));
                let differ = Formula::Xor(a, b);
                Some(match op {
                    CmpOp::Ne => differ,
                    _ => Formula::Not(Box::new(differ)),
                })
            }
            Expr::Compare(op, a, b) => {
                // Everything in terms of `==`, `<u` and `<s`.
                let (op, left, right, negated) = match op {
                    CmpOp::Eq => (CmpOp::Eq, a, b, false),
                    CmpOp::Ne => (CmpOp::Eq, a, b, true),
                    CmpOp::Ult => (CmpOp::Ult, a, b, false),
                    CmpOp::Ule => (CmpOp::Ult, b, a, true),
                    CmpOp::Ugt => (CmpOp::Ult, b, a, false),
                    CmpOp::Uge => (CmpOp::Ult, a, b, true),
                    CmpOp::Slt => (CmpOp::Slt, a, b, false),
                    CmpOp::Sle => (CmpOp::Slt, b, a, true),
                    CmpOp::Sgt => (CmpOp::Slt, b, a, false),
                    CmpOp::Sge => (CmpOp::Slt, a, b, true),
                };
                let swapped = Atom::Compare(op, right, left);
                let atom = if op == CmpOp::Eq && self.atoms.contains(&swapped) {
                    swapped
                } else {
                    Atom::Compare(op, left, right)
                };
                let atom = self.atom(atom)?;
                Some(if negated {
                    Formula::Not(Box::new(atom))
                } else {
                    atom
                })
            }
            Expr::Ite(c, t, e) => Some(Formula::Ite(
                Box::new(self.formula(c)?),
                Box::new(self.formula(t)?),
                Box::new(self.formula(e)?),
            )),
            other => self.atom(Atom::Other(other)),
        }
    }

    fn atom(&mut self, atom: Atom<'a>) -> Option<Formula> {
        let number = match self.atoms.iter().position(|known| *known == atom) {
            Some(number) => number,
            None if self.atoms.len() == MAX_ATOMS => return None,
            None => {
                self.atoms.push(atom);
                self.atoms.len() - 1
            }
        };
        Some(Formula::Atom(number))
    }
}
