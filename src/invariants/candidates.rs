//! Candidates of a proof by induction: guessed bounds of variables that a loop changes.
//!
//! A register that becomes arbitrary at a cut keeps the common properties of all its values, if they are
//! among these *candidates*: an order between it and its value where the loop was entered, a constant that
//! the program compares something with, or a register that the loop does not change; or the difference to
//! another register. For arrays they are common properties of all elements of a segment (the module
//! `elements`). A candidate that does not hold on entry is dropped; one that a returning state violates is
//! dropped permanently and the cut is restarted, so that the remaining ones hold in every iteration, by
//! induction.
//!
//! # Source
//! Flanagan, Leino, *Houdini, an Annotation Assistant for ESC/Java*, FME 2001.

mod claims;
mod elements;
mod formulas;

pub use self::claims::{Claim, Part, Relation};
pub use self::elements::has_rows_of_unknown_length;
pub(super) use self::elements::{Reading, Registers, candidates_of_elements};
pub(super) use self::formulas::in_c;

use self::elements::Elements;
use flowgraph::{Expr, Program, RegId};
use semantics::State;
use std::collections::{BTreeMap, BTreeSet};
use term::{Bv, CmpOp, TermId, TermPool};

/// No width has more constants than these; those that are met first count.
const MOST_CONSTANTS: usize = 8;
/// A register is compared with at most so many others.
const MOST_PARTNERS: usize = 6;

/// What is guessed about; each one's guesses are those of the ones before it too, and take more work.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Guesses {
    /// Bounds of registers and differences of two.
    Bounds,
    /// Orders of two registers, and residues.
    Orders,
    /// What all elements of an array below a counter have in common.
    Elements,
    /// What elements of a segment between two registers have in common, and the order of elements.
    Segments,
}

/// What the values of a register, made arbitrary at a cut, may have in common.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Candidate {
    /// The register compares so with its value at the entry of the loop.
    Entry(RegId, CmpOp),
    /// The register compares so with this constant.
    Constant(RegId, CmpOp, u64),
    /// Both registers have moved by as much since the entry of the loop.
    Together(RegId, RegId),
    /// The register compares so with another, which the loop may change or not.
    Order(RegId, CmpOp, RegId),
    /// What the executions that were seen have in common.
    Claim(Claim),
    /// All elements of a segment of an array have this in common.
    Elements(Elements),
}

/// The comparisons that are guessed.
const COMPARISONS: [CmpOp; 4] = [CmpOp::Ule, CmpOp::Uge, CmpOp::Sle, CmpOp::Sge];
/// Those that are guessed besides where elements are.
const STRICT: [CmpOp; 2] = [CmpOp::Ult, CmpOp::Slt];
const OF_PAIRS: [CmpOp; 2] = [CmpOp::Ule, CmpOp::Sle];

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
    (guesses, dropped): (Guesses, &BTreeSet<Candidate>),
) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (position, (reg, bits)) in changed.iter().enumerate() {
        if guesses != Guesses::Bounds {
            let bounds = others.iter().filter(|(_, width)| width == bits);
            let bounds = bounds.take(MOST_PARTNERS);
            found.extend(bounds.flat_map(|(bound, _)| {
                STRICT.map(|comparison| Candidate::Order(*reg, comparison, *bound))
            }));
            let partners = changed.iter().filter(|(other, _)| other != reg);
            let partners = partners.filter(|(_, width)| width == bits);
            found.extend(partners.take(MOST_PARTNERS).flat_map(|(other, _)| {
                OF_PAIRS.map(|comparison| Candidate::Order(*reg, comparison, *other))
            }));
        }
        for comparison in COMPARISONS {
            found.push(Candidate::Entry(*reg, comparison));
            let values = constants.by_width.get(bits).into_iter().flatten();
            found.extend(values.map(|value| Candidate::Constant(*reg, comparison, *value)));
            if guesses == Guesses::Segments {
                // A counter that leaves its loop is one step behind the constant.
                let values = constants.by_width.get(bits).into_iter().flatten();
                found.extend(values.filter_map(|value| {
                    let behind = match comparison {
                        CmpOp::Sle => value.wrapping_add(1),
                        CmpOp::Sge => value.wrapping_sub(1),
                        _ => return None,
                    };
                    Some(Candidate::Constant(*reg, comparison, behind))
                }));
            }
            let bounds = others.iter().filter(|(_, width)| width == bits);
            let bounds = bounds.take(MOST_PARTNERS);
            found.extend(bounds.map(|(bound, _)| Candidate::Order(*reg, comparison, *bound)));
        }
        let later = changed[position + 1..].iter();
        let later = later.filter(|(_, width)| width == bits).take(MOST_PARTNERS);
        found.extend(later.map(|(other, _)| Candidate::Together(*reg, *other)));
    }
    found.retain(|candidate| !dropped.contains(candidate));
    found
}

impl Candidate {
    /// What the candidate says about the state `now`, where the loop was entered with `entry`.
    pub fn holds(&self, pool: &mut TermPool, entry: &State, now: &State) -> TermId {
        let (before, frame) = (&entry.frame, &now.frame);
        match self {
            Candidate::Entry(reg, comparison) => {
                pool.compare(*comparison, frame.get(*reg), before.get(*reg))
            }
            Candidate::Constant(reg, comparison, value) => {
                let width = pool.width(frame.get(*reg));
                let value = pool.bv(width, *value);
                pool.compare(*comparison, frame.get(*reg), value)
            }
            Candidate::Together(one, other) => {
                let lhs = pool.sub(frame.get(*one), before.get(*one));
                let rhs = pool.sub(frame.get(*other), before.get(*other));
                pool.eq(lhs, rhs)
            }
            Candidate::Order(one, comparison, other) => {
                pool.compare(*comparison, frame.get(*one), frame.get(*other))
            }
            Candidate::Claim(claim) => claim.holds(pool, now),
            Candidate::Elements(elements) => elements.hold(pool, now),
        }
    }

    /// Whether it says something of elements of an array.
    pub fn is_about_elements(&self) -> bool {
        matches!(self, Candidate::Elements(_))
    }

    /// Whether the other one says as much, or more, of more elements.
    pub fn is_part_of(&self, other: &Candidate) -> bool {
        match (self, other) {
            (Candidate::Elements(own), Candidate::Elements(other)) => own.is_part_of(other),
            _ => false,
        }
    }

    /// That the segment has no elements about which the candidate says something; `None` for one that
    /// says nothing about elements.
    pub fn is_empty(&self, pool: &mut TermPool, now: &State) -> Option<TermId> {
        match self {
            Candidate::Elements(elements) => Some(elements.segment_is_empty(pool, now)),
            _ => None,
        }
    }

    /// What has to be shown of `back`, where `left` is known to satisfy the candidate: implies that it
    /// holds.
    pub fn still_holds(
        &self,
        pool: &mut TermPool,
        entry: &State,
        left: &State,
        back: &State,
    ) -> TermId {
        match self {
            Candidate::Elements(elements) => elements.still_hold(pool, left, back),
            _ => self.holds(pool, entry, back),
        }
    }
}

/// What a register held where the loop was entered, if that is one number.
pub(super) fn known(pool: &TermPool, entry: &State, reg: RegId) -> Option<u64> {
    pool.as_const(entry.frame.get(reg))?.to_u64()
}
