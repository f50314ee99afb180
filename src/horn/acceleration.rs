//! Many iterations of a loop in one clause.
//!
//! A path through a loop that adds constants to some variables and leaves the others alone has a closed
//! form: after κ further iterations a variable is x + κ·c. Conditions that hold between two states if they
//! hold in both need to be asked of the first iteration and of the last. What follows from the path's
//! clauses by induction over κ so becomes one clause,
//!
//! ```text
//! P(x) ∧ path(x, _) ∧ κ ≥ 0 ∧ x′ = x + κ·c ∧ path(x′, y) → P(y)
//! ```
//!
//! which changes no answer, but says at once what Spacer would find out one iteration after another: on
//! loops in phases it does not end without. Where inputs choose the path, iterations of several paths come in any
//! order, and no one path is repeated.
//!
//! # Source
//! Hojjat, Iosif, Konečný, Kuncak, Rümmer, *Accelerating Interpolants*, ATVA 2012.

use super::check::definitions;
use super::compared::{Sum, sum, sums};
use super::integers::checked_sum;
use super::joins::{equal, is_simple, joined, variable};
use super::system::{Atom, Clause, Head, Place, PredicateId, System};
use flowgraph::{Expr, Program, RegData, RegId};
use num_bigint::BigInt;
use std::collections::{BTreeMap, BTreeSet};
use term::{BinOp, Bv, CastOp, CmpOp};

/// The width in which it is said how far a variable moves; no variable is wider.
const WIDE: u32 = 64;
/// No path through a loop is put together from more clauses.
const MOST_PARTS: usize = 8;
/// The clauses that are put together on the way have no more variables than this, those of all loops added up. One
/// takes some microseconds; branchings one behind the other have as many paths as sets of branches.
const MOST_VARIABLES: usize = 5_000;

/// The clauses for paths through loops without inner loops and calls, at most so many for a loop.
pub(super) fn accelerated(program: &Program, system: &System, most: usize) -> Vec<Clause> {
    let headers: Vec<PredicateId> = (0..system.predicates.len())
        .map(PredicateId)
        .filter(|id| is_header(program, system, *id))
        .collect();
    let most_variables = MOST_VARIABLES / headers.len().max(1);
    let through = headers.iter().flat_map(|header| {
        ways(&system.clauses, &headers, *header, most_variables)
            .filter_map(|way| Way::new(system, way)?.repeated())
            .take(most)
    });
    through.collect()
}

fn is_header(program: &Program, system: &System, id: PredicateId) -> bool {
    let predicate = &system.predicates[id.0];
    let nest = program.function(predicate.function).loops();
    match predicate.place {
        Place::Node(node) => nest.loops.iter().any(|natural| natural.header == node),
        Place::Result => false,
    }
}

/// The paths from a header back to it past no other one, each as one clause, while those that are put
/// together have no more variables than this.
fn ways(
    clauses: &[Clause],
    headers: &[PredicateId],
    header: PredicateId,
    most_variables: usize,
) -> impl Iterator<Item = Clause> {
    let from = move |id: PredicateId| {
        let clauses = clauses.iter();
        clauses.filter(move |clause| matches!(&clause.atoms[..], [atom] if atom.predicate == id))
    };
    let mut n_variables = 0;
    let mut pending: Vec<(Clause, usize)> =
        from(header).map(|clause| (clause.clone(), 1)).collect();
    std::iter::from_fn(move || {
        while n_variables <= most_variables {
            let (clause, n_parts) = pending.pop()?;
            n_variables += clause.variables.len();
            let Head::Reached(Atom { predicate, .. }) = clause.head else {
                continue;
            };
            if predicate == header {
                return Some(clause);
            }
            if n_parts < MOST_PARTS && !headers.contains(&predicate) {
                let further = from(predicate).map(|next| (joined(&clause, next), n_parts + 1));
                pending.extend(further);
            }
        }
        None
    })
}

fn shifted(expr: &Expr, offset: usize) -> Expr {
    expr.replace_regs(&|reg| Some(variable(reg.index() + offset)))
}

fn compare(op: CmpOp, lhs: Expr, rhs: Expr) -> Expr {
    Expr::Compare(op, Box::new(lhs), Box::new(rhs))
}

/// How an iteration changes a parameter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Move {
    By(i128),
    /// To a value that does not depend on the old one, which nothing reads.
    Anew,
}

/// A path through a loop.
struct Way<'s> {
    system: &'s System,
    clause: Clause,
    /// The parameters of the header, and how they move.
    parameters: Vec<(RegId, Move)>,
    /// What variables are computed from.
    definitions: BTreeMap<RegId, Expr>,
    /// The variables that are linear in the parameters and in inputs.
    sums: BTreeMap<RegId, Sum>,
    /// The parameters that move, and all variables that depend on them.
    moving: BTreeSet<RegId>,
}

impl<'s> Way<'s> {
    /// `None` if some variable moves in another way, none does, or inputs choose the path.
    fn new(system: &'s System, clause: Clause) -> Option<Way<'s>> {
        let regs: Option<Vec<RegId>> = (clause.atoms.first()?.arguments.iter())
            .map(|argument| match argument {
                Expr::Reg(reg) => Some(*reg),
                _ => None,
            })
            .collect();
        let regs = regs?;
        let defined = definitions(&clause);
        let mut way = Way {
            system,
            parameters: Vec::new(),
            // An input that is compared with a number is no computed variable.
            definitions: (defined.into_iter())
                .filter(|(_, value)| !is_simple(value))
                .map(|(reg, value)| (reg, value.clone()))
                .collect(),
            sums: sums(&clause),
            moving: BTreeSet::new(),
            clause,
        };
        way.parameters = way.moves(&regs)?;
        let moves = |(reg, how): &(RegId, Move)| (*how != Move::By(0)).then_some(*reg);
        way.moving = way.parameters.iter().filter_map(moves).collect();
        if !(way.parameters.iter()).any(|(_, how)| matches!(how, Move::By(step) if *step != 0)) {
            return None;
        }
        let mut chosen: BTreeSet<RegId> = (0..way.clause.variables.len())
            .filter_map(|number| u32::try_from(number).ok().map(RegId))
            .filter(|reg| !regs.contains(reg) && !way.definitions.contains_key(reg))
            .collect();
        for (reg, value) in definitions(&way.clause) {
            if has_any(value, &way.moving) {
                way.moving.insert(reg);
            }
            if has_any(value, &chosen) {
                chosen.insert(reg);
            }
        }
        let mut asked = way.clause.conditions.iter();
        if asked.any(|condition| !way.is_definition(condition) && has_any(condition, &chosen)) {
            return None;
        }
        Some(way)
    }

    fn moves(&self, regs: &[RegId]) -> Option<Vec<(RegId, Move)>> {
        let Head::Reached(reached) = &self.clause.head else {
            return None;
        };
        let mut read = BTreeSet::new();
        for expr in self.clause.conditions.iter().chain(&reached.arguments) {
            expr.for_each_reg(&mut |reg| {
                read.insert(reg);
            });
        }
        let moves = regs.iter().zip(&reached.arguments).map(|(reg, value)| {
            let sum = sum(value, &self.sums);
            let step = sum.and_then(|sum| sum.minus(&Sum::variable(*reg))?.as_number());
            match step {
                Some(step) => Some((*reg, Move::By(step))),
                None => (!read.contains(reg)).then_some((*reg, Move::Anew)),
            }
        });
        moves.collect()
    }

    /// The clause for this path, taken at least twice.
    fn repeated(&self) -> Option<Clause> {
        let n = self.clause.variables.len();
        let mut unequal = Vec::new();
        for condition in &self.clause.conditions {
            if !self.is_definition(condition) && !self.holds_between(condition, true, &mut unequal)
            {
                return None;
            }
        }
        let mut variables = [&self.clause.variables[..], &self.clause.variables].concat();
        let mut slots = [&self.clause.slots[..], &self.clause.slots].concat();
        variables.push(RegData {
            name: "!kappa".to_owned(),
            bits: WIDE,
            pointer: false,
        });
        slots.push(self.system.signs.other());
        let kappa = variable(2 * n);
        let last = self.clause.conditions.iter();
        let last = last.map(|condition| shifted(condition, n));
        let mut conditions = self.clause.conditions.clone();
        conditions.push(compare(CmpOp::Sge, kappa.clone(), wide(0)));
        for (reg, how) in &self.parameters {
            conditions.extend(self.moved(*reg, *how, n, &kappa));
        }
        conditions.extend(last);
        let sides = unequal.iter().map(|(lhs, rhs)| self.one_side(lhs, rhs, n));
        conditions.extend(sides);
        Some(Clause {
            variables,
            slots,
            atoms: self.clause.atoms.clone(),
            conditions,
            head: self.clause.head.with(&|expr| shifted(expr, n)),
        })
    }

    fn is_definition(&self, condition: &Expr) -> bool {
        let Expr::Compare(CmpOp::Eq, variable, value) = condition else {
            return false;
        };
        matches!(**variable, Expr::Reg(reg) if self.definitions.get(&reg) == Some(&**value))
    }

    /// Where a parameter is before the last iteration.
    fn moved(&self, reg: RegId, how: Move, n: usize, kappa: &Expr) -> Option<Expr> {
        let (before, after) = (Expr::Reg(reg), variable(reg.index() + n));
        let step = match how {
            Move::Anew => return None,
            Move::By(0) => return Some(equal(after, before)),
            Move::By(step) => step,
        };
        let bits = self.clause.variables[reg.index()].bits;
        let op = if self.is_unsigned(reg) {
            CastOp::ZExt
        } else {
            CastOp::SExt
        };
        let in_wide = |value: Expr| match bits {
            WIDE => value,
            _ => Expr::Cast(op, WIDE, Box::new(value)),
        };
        let way = Expr::Binary(BinOp::Mul, Box::new(wide(step)), Box::new(kappa.clone()));
        let sum = Expr::Binary(BinOp::Add, Box::new(in_wide(before)), Box::new(way));
        Some(equal(in_wide(after), sum))
    }

    /// What differs in the first and in the last iteration differs to the same side.
    fn one_side(&self, lhs: &Expr, rhs: &Expr, n: usize) -> Expr {
        let mut is_unsigned = false;
        for side in [lhs, rhs] {
            side.for_each_reg(&mut |reg| is_unsigned |= self.is_unsigned(reg));
        }
        let less = if is_unsigned { CmpOp::Ult } else { CmpOp::Slt };
        let in_both = |lhs: &Expr, rhs: &Expr| {
            Expr::all([
                compare(less, lhs.clone(), rhs.clone()),
                compare(less, shifted(lhs, n), shifted(rhs, n)),
            ])
        };
        Expr::any([in_both(lhs, rhs), in_both(rhs, lhs)])
    }

    fn is_unsigned(&self, reg: RegId) -> bool {
        let slot = self.clause.slots[reg.index()];
        self.system.signs.is_unsigned(slot)
    }

    /// Whether a condition, if it is true in the first iteration and in the last, or false as `is_true` says, is so
    /// in all between; what has to be on one side in both is collected.
    fn holds_between(
        &self,
        condition: &Expr,
        is_true: bool,
        unequal: &mut Vec<(Expr, Expr)>,
    ) -> bool {
        if !has_any(condition, &self.moving) {
            return true;
        }
        match condition {
            Expr::Reg(reg) => (self.definitions.get(reg))
                .is_some_and(|value| self.holds_between(value, is_true, unequal)),
            Expr::Binary(op @ (BinOp::And | BinOp::Or), lhs, rhs) => {
                (*op == BinOp::And) == is_true
                    && self.holds_between(lhs, is_true, unequal)
                    && self.holds_between(rhs, is_true, unequal)
            }
            Expr::Compare(op @ (CmpOp::Eq | CmpOp::Ne), lhs, rhs) => {
                let is_equal = (*op == CmpOp::Eq) == is_true;
                if self.bits(lhs) == 1 {
                    return match &**rhs {
                        Expr::Const(value) => {
                            self.holds_between(lhs, is_equal != value.is_zero(), unequal)
                        }
                        _ => false,
                    };
                }
                if checked_sum(lhs, rhs).is_some() {
                    return is_equal && self.is_linear(lhs) && self.is_linear(rhs);
                }
                if !is_equal {
                    unequal.push(((**lhs).clone(), (**rhs).clone()));
                }
                self.is_linear(lhs) && self.is_linear(rhs)
            }
            Expr::Compare(_, lhs, rhs) => self.is_linear(lhs) && self.is_linear(rhs),
            _ => false,
        }
    }

    /// Whether a number is linear in the parameters.
    fn is_linear(&self, expr: &Expr) -> bool {
        let is_parameter = |reg: &RegId| self.parameters.iter().any(|(one, _)| one == reg);
        sum(expr, &self.sums).is_some_and(|sum| sum.terms().keys().all(is_parameter))
    }

    fn bits(&self, expr: &Expr) -> u32 {
        expr.bits(&self.clause.variables, self.system.pointer_bits)
    }
}

fn has_any(expr: &Expr, regs: &BTreeSet<RegId>) -> bool {
    let mut found = false;
    expr.for_each_reg(&mut |reg| found |= regs.contains(&reg));
    found
}

fn wide(value: i128) -> Expr {
    Expr::Const(Bv::from_bigint(WIDE, &BigInt::from(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clause(from: usize, to: usize) -> Clause {
        let atom = |predicate| Atom {
            predicate: PredicateId(predicate),
            arguments: vec![variable(0)],
        };
        Clause {
            variables: vec![RegData {
                name: "x".to_owned(),
                bits: 8,
                pointer: false,
            }],
            slots: Vec::new(),
            atoms: vec![atom(from)],
            conditions: Vec::new(),
            head: Head::Reached(atom(to)),
        }
    }

    /// A loop of so many branchings, one behind the other.
    fn branchings(n: usize) -> Vec<Clause> {
        let edges = (0..n).flat_map(|from| [(); 2].map(|()| clause(from, (from + 1) % n)));
        edges.collect()
    }

    fn n_ways(clauses: &[Clause], most_variables: usize) -> usize {
        let header = PredicateId(0);
        ways(clauses, &[header], header, most_variables).count()
    }

    #[test]
    fn each_path_through_a_loop_is_a_clause() {
        assert_eq!(n_ways(&branchings(1), MOST_VARIABLES), 2);
        assert_eq!(n_ways(&branchings(3), MOST_VARIABLES), 8);
        // A path is put together from a few clauses only.
        assert_eq!(
            n_ways(&branchings(MOST_PARTS), MOST_VARIABLES),
            1 << MOST_PARTS
        );
        assert_eq!(n_ways(&branchings(MOST_PARTS + 1), MOST_VARIABLES), 0);
    }

    #[test]
    fn no_more_is_put_together_than_may_be() {
        // Of one clause, of two, and of three, which are a path.
        assert_eq!(n_ways(&branchings(3), 1 + 2 + 3 + 3), 2);
        assert_eq!(n_ways(&branchings(3), 1 + 2 + 2), 1);
        assert_eq!(n_ways(&branchings(3), 2), 0);
    }
}
