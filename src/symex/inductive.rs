//! Bounds that a proof by induction guesses for what a loop changes.
//!
//! A register that is made arbitrary at a cut keeps what all its values have in common, as far as
//! that is one of these *candidates*: an order between it and its value where the loop was
//! entered, a constant that the program compares something with, or a register that the loop does
//! not change; or the difference to another register. A candidate that does not hold on entry is
//! left out; one that a state that comes back does not satisfy is dropped for good and the cut is
//! started anew, so that those that stay hold in every iteration, by induction.
//!
//! # Source
//! Flanagan, Leino, *Houdini, an Annotation Assistant for ESC/Java*, FME 2001.

use crate::flowgraph::{Expr, Program, RegId};
use crate::semantics::Frame;
use crate::term::{Bv, CmpOp, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// No width has more constants than these; those that are met first count.
const MOST_CONSTANTS: usize = 8;
/// A register is compared with at most so many others.
const MOST_PARTNERS: usize = 6;

/// What the values of a register, made arbitrary at a cut, may have in common.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Candidate {
    /// The register compares so with its value at the entry of the loop.
    Entry(RegId, CmpOp),
    /// The register compares so with this constant.
    Constant(RegId, CmpOp, u64),
    /// The register compares so with one that the loop does not change.
    Bound(RegId, CmpOp, RegId),
    /// Both registers have moved by as much since the entry of the loop.
    Together(RegId, RegId),
}

/// The comparisons that are guessed.
const COMPARISONS: [CmpOp; 4] = [CmpOp::Ule, CmpOp::Uge, CmpOp::Sle, CmpOp::Sge];

/// The constants that a program compares with, by width.
pub(super) struct Constants {
    by_width: BTreeMap<u32, Vec<u64>>,
}

impl Constants {
    pub fn of(program: &Program) -> Constants {
        let mut by_width: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
        let mut note = |constant: &Bv| {
            let Some(value) = constant.to_u64() else {
                return;
            };
            let known = by_width.entry(constant.width()).or_default();
            if known.len() < MOST_CONSTANTS && !known.contains(&value) {
                known.push(value);
            }
        };
        let edges = (program.functions.iter())
            .flat_map(|function| function.edge_ids().map(|edge| function.edge(edge)));
        for step in edges.flat_map(|edge| &edge.steps) {
            step.action.for_each_expr(&mut |expr| {
                expr.for_each(&mut |part| {
                    if let Expr::Compare(_, lhs, rhs) = part {
                        for side in [lhs, rhs] {
                            if let Expr::Const(constant) = &**side {
                                note(constant);
                            }
                        }
                    }
                });
            });
        }
        Constants { by_width }
    }
}

/// The candidates for registers that are made arbitrary, each with its width; `others` are live
/// registers that the loop does not change.
pub(super) fn candidates(
    constants: &Constants,
    changed: &[(RegId, u32)],
    others: &[(RegId, u32)],
    dropped: &BTreeSet<Candidate>,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (position, (reg, bits)) in changed.iter().enumerate() {
        for comparison in COMPARISONS {
            found.push(Candidate::Entry(*reg, comparison));
            let values = constants.by_width.get(bits).into_iter().flatten();
            found.extend(values.map(|value| Candidate::Constant(*reg, comparison, *value)));
            let bounds = others.iter().filter(|(_, width)| width == bits);
            let bounds = bounds.take(MOST_PARTNERS);
            found.extend(bounds.map(|(bound, _)| Candidate::Bound(*reg, comparison, *bound)));
        }
        let later = changed[position + 1..].iter();
        let later = later.filter(|(_, width)| width == bits).take(MOST_PARTNERS);
        found.extend(later.map(|(other, _)| Candidate::Together(*reg, *other)));
    }
    found.retain(|candidate| !dropped.contains(candidate));
    found
}

impl Candidate {
    /// What the candidate says about the registers of `now`, where the loop was entered with
    /// those of `entry`.
    pub fn holds(&self, pool: &mut TermPool, entry: &Frame, now: &Frame) -> TermId {
        match self {
            Candidate::Entry(reg, comparison) => {
                pool.compare(*comparison, now.get(*reg), entry.get(*reg))
            }
            Candidate::Constant(reg, comparison, value) => {
                let width = pool.width(now.get(*reg));
                let value = pool.bv(width, *value);
                pool.compare(*comparison, now.get(*reg), value)
            }
            Candidate::Bound(reg, comparison, bound) => {
                pool.compare(*comparison, now.get(*reg), entry.get(*bound))
            }
            Candidate::Together(one, other) => {
                let lhs = pool.sub(now.get(*one), entry.get(*one));
                let rhs = pool.sub(now.get(*other), entry.get(*other));
                pool.eq(lhs, rhs)
            }
        }
    }
}
