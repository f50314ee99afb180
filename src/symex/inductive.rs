//! Bounds that a proof by induction guesses for what a loop changes.
//!
//! A register that is made arbitrary at a cut keeps what all its values have in common, as far as
//! that is one of these *candidates*: an order between it and its value where the loop was
//! entered, a constant that the program compares something with, or a register that the loop does
//! not change; or the difference to another register. Of arrays it may be what all elements below a
//! counter have in common ([`Elements`]). A candidate that does not hold on entry is
//! left out; one that a state that comes back does not satisfy is dropped for good and the cut is
//! started anew, so that those that stay hold in every iteration, by induction.
//!
//! # Source
//! Flanagan, Leino, *Houdini, an Annotation Assistant for ESC/Java*, FME 2001.

use crate::flowgraph::{Action, Expr, Function, Program, RegId};
use crate::memory::{Memory, ObjectId, ObjectKind};
use crate::semantics::State;
use crate::term::{Bv, CastOp, CmpOp, Sort, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// No width has more constants than these; those that are met first count.
const MOST_CONSTANTS: usize = 8;
/// A register is compared with at most so many others.
const MOST_PARTNERS: usize = 6;
/// Of so many arrays, the latest, candidates are made.
const MOST_ARRAYS: usize = 3;
/// For so many of the registers that a loop changes, counters of elements.
const MOST_COUNTERS: usize = 3;
/// No element is compared with more constants or registers than these.
const MOST_LIMITS: usize = 4;
/// Elements that one iteration adds are looked at one by one if they are at most so many.
const MOST_NEW: u64 = 4;
/// Elements of so many widths are looked at.
const MOST_WIDTHS: usize = 2;

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
    /// Of two registers that the loop changes one compares so with the other.
    Order(RegId, CmpOp, RegId),
    /// All elements of an array below a counter have this in common.
    Elements(Elements),
}

/// ∀τ < counter: a\[τ\] compares so with a limit.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Elements {
    object: ObjectId,
    /// Of an element.
    bytes: u32,
    counter: RegId,
    comparison: CmpOp,
    limit: Limit,
}

/// What elements are compared with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Limit {
    Register(RegId),
    Constant(u64),
    /// τ itself.
    Position,
}

/// The comparisons that are guessed.
const COMPARISONS: [CmpOp; 4] = [CmpOp::Ule, CmpOp::Uge, CmpOp::Sle, CmpOp::Sge];
/// Those that are guessed besides where elements are.
const STRICT: [CmpOp; 2] = [CmpOp::Ult, CmpOp::Slt];
const OF_PAIRS: [CmpOp; 2] = [CmpOp::Ule, CmpOp::Sle];
/// Those of elements with registers, and with constants.
const OF_REGISTERS: [CmpOp; 2] = [CmpOp::Sle, CmpOp::Sge];
const OF_CONSTANTS: [CmpOp; 3] = [CmpOp::Eq, CmpOp::Sle, CmpOp::Sge];

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

/// The widths in bytes of what a function reads and writes, those that are met first.
pub(super) fn widths_of_elements(function: &Function) -> Vec<u32> {
    let mut widths = Vec::new();
    let edges = function.edge_ids().map(|edge| function.edge(edge));
    for step in edges.flat_map(|edge| &edge.steps) {
        let Action::Load { dst, .. } = &step.action else {
            continue;
        };
        let reg = &function.regs[dst.index()];
        let is_element = !reg.pointer && [8, 16, 32, 64].contains(&reg.bits);
        if is_element && widths.len() < MOST_WIDTHS && !widths.contains(&(reg.bits / 8)) {
            widths.push(reg.bits / 8);
        }
    }
    widths
}

/// The candidates about elements of arrays in this memory; `changed` and `others` as for
/// [`candidates`].
pub(super) fn candidates_of_elements(
    (constants, widths): (&Constants, &[u32]),
    (pool, memory): (&TermPool, &Memory),
    changed: &[(RegId, u32)],
    others: &[(RegId, u32)],
    dropped: &BTreeSet<Candidate>,
) -> Vec<Candidate> {
    let arrays: Vec<(ObjectId, u64)> = memory
        .objects()
        .filter(|(_, object)| object.alive && object.info.kind != ObjectKind::Function)
        .map(|(id, object)| (id, pool.as_u64(object.info.bytes).unwrap_or(u64::MAX)))
        .collect();
    let mut found = Vec::new();
    for &bytes in widths {
        let long = u64::from(bytes) * 3;
        let arrays = arrays.iter().rev().filter(|(_, size)| *size >= long);
        for (object, _) in arrays.take(MOST_ARRAYS) {
            for (counter, counter_bits) in changed.iter().take(MOST_COUNTERS) {
                if *counter_bits < 8 {
                    continue;
                }
                let registers = changed.iter().chain(others);
                let registers = registers
                    .filter(|(reg, bits)| *bits == bytes * 8 && reg != counter)
                    .take(MOST_LIMITS)
                    .flat_map(|(reg, _)| OF_REGISTERS.map(|with| (with, Limit::Register(*reg))));
                let values = constants.by_width.get(&(bytes * 8)).into_iter().flatten();
                let values = values
                    .take(MOST_LIMITS)
                    .flat_map(|value| OF_CONSTANTS.map(|with| (with, Limit::Constant(*value))));
                let position = std::iter::once((CmpOp::Eq, Limit::Position));
                let limits = position.chain(values).chain(registers);
                found.extend(limits.map(|(comparison, limit)| {
                    Candidate::Elements(Elements {
                        object: *object,
                        bytes,
                        counter: *counter,
                        comparison,
                        limit,
                    })
                }));
            }
        }
    }
    found.retain(|candidate| !dropped.contains(candidate));
    found
}

/// The candidates for registers that are made arbitrary, each with its width; `others` are live
/// registers that the loop does not change.
pub(super) fn candidates(
    constants: &Constants,
    changed: &[(RegId, u32)],
    others: &[(RegId, u32)],
    (is_strict, dropped): (bool, &BTreeSet<Candidate>),
) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (position, (reg, bits)) in changed.iter().enumerate() {
        if is_strict {
            let bounds = others.iter().filter(|(_, width)| width == bits);
            let bounds = bounds.take(MOST_PARTNERS);
            found.extend(bounds.flat_map(|(bound, _)| {
                STRICT.map(|comparison| Candidate::Bound(*reg, comparison, *bound))
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
            Candidate::Bound(reg, comparison, bound) => {
                pool.compare(*comparison, frame.get(*reg), before.get(*bound))
            }
            Candidate::Together(one, other) => {
                let lhs = pool.sub(frame.get(*one), before.get(*one));
                let rhs = pool.sub(frame.get(*other), before.get(*other));
                pool.eq(lhs, rhs)
            }
            Candidate::Order(one, comparison, other) => {
                pool.compare(*comparison, frame.get(*one), frame.get(*other))
            }
            Candidate::Elements(elements) => {
                let counter = now.frame.get(elements.counter);
                elements.hold_below(pool, counter, now)
            }
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

impl Elements {
    /// What it says about the elements of a state below a counter. Elements beyond the end of the array
    /// are what reads of its contents give there, which are terms as others are.
    fn hold_below(&self, pool: &mut TermPool, counter: TermId, now: &State) -> TermId {
        let tau = pool.symbol("τ", Sort::Bv(pool.width(counter)));
        let at = pool.symbol_term(tau);
        let holds = self.holds_at(pool, at, now);
        pool.forall_below(tau, counter, holds)
    }

    /// The same, where an iteration has moved the counter on by a few: of the elements below the counter
    /// before, and of each that is new. Where the counter wraps around, that is more than has to hold.
    fn still_hold(&self, pool: &mut TermPool, left: &State, back: &State) -> TermId {
        let before = left.frame.get(self.counter);
        let now = back.frame.get(self.counter);
        let moved = pool.sub(now, before);
        let Some(moved) = pool.as_u64(moved).filter(|moved| *moved <= MOST_NEW) else {
            return self.hold_below(pool, now, back);
        };
        let mut parts = vec![self.hold_below(pool, before, back)];
        for new in 0..moved {
            let new = pool.bv(pool.width(before), new);
            let at = pool.add(before, new);
            parts.push(self.holds_at(pool, at, back));
        }
        pool.conj(parts)
    }

    /// What it says about one element.
    fn holds_at(&self, pool: &mut TermPool, at: TermId, now: &State) -> TermId {
        // Reading may fix the width of the cells of what was not touched, which all copies share.
        let mut memory = now.memory.clone();
        let Some(object) = memory.object(self.object) else {
            return TermId::FALSE;
        };
        let offset_bits = pool.width(object.info.bytes);
        let position = as_wide_as(pool, at, offset_bits);
        let size = pool.bv(offset_bits, u64::from(self.bytes));
        let offset = pool.mul(position, size);
        let element = memory.read(pool, self.object, offset, self.bytes);
        let limit = match self.limit {
            Limit::Register(reg) => now.frame.get(reg),
            Limit::Constant(value) => pool.bv(self.bytes * 8, value),
            Limit::Position => as_wide_as(pool, at, self.bytes * 8),
        };
        pool.compare(self.comparison, element, limit)
    }
}

/// A number with this width: zeros above, or without its highest bits.
fn as_wide_as(pool: &mut TermPool, number: TermId, bits: u32) -> TermId {
    let cast = if pool.width(number) < bits {
        CastOp::ZExt
    } else {
        CastOp::Trunc
    };
    pool.cast(cast, bits, number)
}
