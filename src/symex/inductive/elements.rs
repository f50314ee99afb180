//! What elements of arrays may have in common.
//!
//! A candidate says of all elements in a [`Segment`] of an array how they compare with a [`Limit`]: a
//! constant, a register, another element, or each with the one behind it, so that the segment is in
//! order.

use super::{Candidate, Constants, Guesses};
use crate::flowgraph::{Action, Expr, Function, RegId};
use crate::memory::{Memory, ObjectId, ObjectKind};
use crate::semantics::State;
use crate::term::{CastOp, CmpOp, Sort, TermId, TermPool};
use std::cmp::Reverse;
use std::collections::BTreeSet;

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
/// A segment between registers begins at one or so many behind it.
const MOST_BEHIND: u64 = 2;

/// Comparisons of elements with each other, with registers, and with constants, those that imply others before
/// these.
const OF_ELEMENTS: [CmpOp; 2] = [CmpOp::Sle, CmpOp::Sge];
const OF_REGISTERS: [CmpOp; 4] = [CmpOp::Slt, CmpOp::Sgt, CmpOp::Sle, CmpOp::Sge];
const OF_CONSTANTS: [CmpOp; 6] = [
    CmpOp::Eq,
    CmpOp::Slt,
    CmpOp::Sgt,
    CmpOp::Sle,
    CmpOp::Sge,
    CmpOp::Ne,
];

/// ∀τ in the segment: a\[τ\] compares so with the limit.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::symex) struct Elements {
    object: ObjectId,
    /// Of an element.
    bytes: u32,
    /// How a position becomes as wide as an address.
    widening: CastOp,
    segment: Segment,
    comparison: CmpOp,
    limit: Limit,
}

/// Positions from one on, or from the first, up to another without it; positions are as wide as the
/// register there, and unsigned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Segment {
    from: Option<Position>,
    below: Position,
}

/// A register and so many more, modulo 2^w.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Position {
    reg: RegId,
    behind: u64,
}

/// What elements are compared with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Limit {
    Register(RegId),
    Constant(u64),
    /// τ itself.
    Position,
    /// The element at the position that a register says.
    Element(RegId),
    /// The element before the position that a register says, if there is one.
    ElementBefore(RegId),
    /// The element behind the segment, unless that is at the position that a register says.
    ElementBehind(RegId),
    /// The element behind it, if that is in the segment.
    Next,
}

/// The registers of a loop that is cut that hold numbers, with their widths.
pub(in crate::symex) struct Registers {
    /// Those that the loop changes.
    pub changed: Vec<(RegId, u32)>,
    /// Live ones that it does not change.
    pub fixed: Vec<(RegId, u32)>,
    /// Those of them that a loop around it changes.
    pub outer: BTreeSet<RegId>,
}

impl Registers {
    /// The registers that may count elements.
    fn counters(&self) -> impl Iterator<Item = &(RegId, u32)> {
        let counters = self.changed.iter().take(MOST_COUNTERS);
        counters.filter(|(_, bits)| *bits >= 8)
    }

    /// Those that may count elements in a loop around.
    fn outer_counters(&self) -> impl Iterator<Item = &(RegId, u32)> {
        let outer = self
            .fixed
            .iter()
            .filter(|(reg, bits)| *bits >= 8 && self.outer.contains(reg));
        outer.take(MOST_COUNTERS)
    }

    /// Those of some width that the loop does not change.
    fn fixed_of(&self, bits: u32) -> impl Iterator<Item = RegId> {
        let fixed = self.fixed.iter().filter(move |(_, width)| *width == bits);
        fixed.take(MOST_LIMITS).map(|(reg, _)| *reg)
    }

    /// Whether a register can say where the elements behind a segment end: one that counts up or down to
    /// it.
    fn fits(&self, end: RegId, segment: Segment) -> bool {
        let width = |reg: RegId| {
            let mut all = self.changed.iter().chain(&self.fixed);
            all.find(|(one, _)| *one == reg).map(|(_, bits)| *bits)
        };
        let mut counters = self.counters().chain(self.outer_counters());
        let is_counted = counters.any(|(reg, _)| *reg == segment.below.reg);
        let is_other = end != segment.below.reg;
        segment.from.is_none() && is_counted && is_other && width(end) == width(segment.below.reg)
    }
}

/// How a function reads elements of arrays.
pub(in crate::symex) struct Reading {
    /// The widths in bytes of what it reads, those that are met first.
    widths: Vec<u32>,
    /// How positions become as wide as addresses: as signed numbers, if any does.
    widening: CastOp,
}

impl Reading {
    pub fn of(function: &Function) -> Reading {
        let mut reading = Reading {
            widths: Vec::new(),
            widening: CastOp::ZExt,
        };
        let edges = function.edge_ids().map(|edge| function.edge(edge));
        for step in edges.flat_map(|edge| &edge.steps) {
            step.action.for_each_expr(&mut |expr| {
                expr.for_each(&mut |part| {
                    if let Expr::Cast(CastOp::SExt, 64.., _) = part {
                        reading.widening = CastOp::SExt;
                    }
                });
            });
            let Action::Load { dst, .. } = &step.action else {
                continue;
            };
            let reg = &function.regs[dst.index()];
            let is_element = !reg.pointer && [8, 16, 32, 64].contains(&reg.bits);
            let is_new = !reading.widths.contains(&(reg.bits / 8));
            if is_element && is_new && reading.widths.len() < MOST_WIDTHS {
                reading.widths.push(reg.bits / 8);
            }
        }
        reading
    }
}

/// The candidates about elements of arrays in this memory.
pub(in crate::symex) fn candidates_of_elements(
    (constants, reading): (&Constants, &Reading),
    (pool, memory): (&TermPool, &Memory),
    registers: &Registers,
    (guesses, dropped): (Guesses, &BTreeSet<Candidate>),
) -> Vec<Candidate> {
    let arrays: Vec<(ObjectId, u64)> = memory
        .objects()
        .filter(|(_, object)| object.alive && object.info.kind != ObjectKind::Function)
        .map(|(id, object)| (id, pool.as_u64(object.info.bytes).unwrap_or(u64::MAX)))
        .collect();
    let mut found = Vec::new();
    for &bytes in &reading.widths {
        let long = u64::from(bytes) * 3;
        let arrays = arrays.iter().rev().filter(|(_, size)| *size >= long);
        for (object, _) in arrays.take(MOST_ARRAYS) {
            let mut claims = claims_below_counters(constants, bytes, registers);
            if guesses == Guesses::Segments {
                claims.extend(claims_about_segments(bytes, registers));
            }
            found.extend(claims.into_iter().map(|(segment, comparison, limit)| {
                Candidate::Elements(Elements {
                    object: *object,
                    bytes,
                    widening: reading.widening,
                    segment,
                    comparison,
                    limit,
                })
            }));
        }
    }
    found.retain(|candidate| !dropped.contains(candidate));
    found
}

type Claim = (Segment, CmpOp, Limit);

/// Claims about elements below what the loop counts: with themselves, constants and registers.
fn claims_below_counters(constants: &Constants, bytes: u32, registers: &Registers) -> Vec<Claim> {
    let mut found = Vec::new();
    for (counter, _) in registers.counters() {
        let segment = Segment {
            from: None,
            below: Position::at(*counter),
        };
        let all = registers.changed.iter().chain(&registers.fixed);
        let limits = all
            .filter(|(reg, bits)| *bits == bytes * 8 && reg != counter)
            .take(MOST_LIMITS)
            .flat_map(|(reg, _)| OF_REGISTERS.map(|with| (with, Limit::Register(*reg))));
        let values = constants.by_width.get(&(bytes * 8)).into_iter().flatten();
        let values = values
            .take(MOST_LIMITS)
            .flat_map(|value| OF_CONSTANTS.map(|with| (with, Limit::Constant(*value))));
        let position = std::iter::once((CmpOp::Eq, Limit::Position));
        let limits = position.chain(values).chain(limits);
        found.extend(limits.map(|(comparison, limit)| (segment, comparison, limit)));
    }
    found
}

/// Claims about segments: that they are in order, and how all their elements compare with one of the
/// array or, where the segment is none of the first, with a register.
fn claims_about_segments(bytes: u32, registers: &Registers) -> Vec<Claim> {
    let mut found = Vec::new();
    for segment in segments(registers) {
        let mut limits = vec![Limit::Next];
        for (reg, _) in registers.counters() {
            limits.push(Limit::Element(*reg));
            if segment.from == Some(Position::at(*reg)) {
                limits.push(Limit::ElementBefore(*reg));
            }
        }
        let fixed = registers.fixed.iter().map(|(reg, _)| *reg);
        let ends = fixed.filter(|reg| registers.fits(*reg, segment));
        limits.extend(ends.take(MOST_LIMITS).map(Limit::ElementBehind));
        if segment.from.is_some() {
            let values = (registers.fixed.iter()).filter(|(_, bits)| *bits == bytes * 8);
            let values = values.filter(|(reg, _)| *reg != segment.below.reg);
            limits.extend(
                values
                    .take(MOST_LIMITS)
                    .map(|(reg, _)| Limit::Register(*reg)),
            );
        }
        for limit in limits {
            let comparisons: &[CmpOp] = match limit {
                Limit::Register(_) => &OF_REGISTERS,
                _ => &OF_ELEMENTS,
            };
            found.extend(comparisons.iter().map(|with| (segment, *with, limit)));
        }
    }
    found
}

/// Those before and behind what the loop counts: the first ones up to there or up to what the loop does
/// not change, and those between the two; also those between what a loop around counts and what neither
/// changes.
fn segments(registers: &Registers) -> Vec<Segment> {
    let mut found = Vec::new();
    for (counter, width) in registers.counters() {
        let fixed: Vec<RegId> = registers.fixed_of(*width).collect();
        let ends = (0..=1).flat_map(|behind| {
            let regs = std::iter::once(*counter).chain(fixed.iter().copied());
            regs.map(move |reg| Position { reg, behind })
        });
        found.extend(ends.map(|below| Segment { from: None, below }));
        for reg in &fixed {
            let from = (0..=MOST_BEHIND).map(|behind| Position {
                reg: *counter,
                behind,
            });
            found.extend(from.flat_map(|from| {
                (0..=1).map(move |behind| Segment {
                    from: Some(from),
                    below: Position { reg: *reg, behind },
                })
            }));
            found.push(Segment {
                from: Some(Position::at(*reg)),
                below: Position::at(*counter),
            });
        }
    }
    for (outer, width) in registers.outer_counters() {
        let fixed = registers.fixed_of(*width).filter(|reg| reg != outer);
        found.extend(fixed.map(|reg| Segment {
            from: Some(Position::at(*outer)),
            below: Position::at(reg),
        }));
    }
    // Wholes before their parts.
    found.sort_unstable_by_key(|Segment { from, below }| (*from, below.reg, Reverse(below.behind)));
    found.dedup();
    found
}

impl Position {
    fn at(reg: RegId) -> Position {
        Position { reg, behind: 0 }
    }

    fn value(self, pool: &mut TermPool, now: &State) -> TermId {
        let value = now.frame.get(self.reg);
        let behind = pool.bv(pool.width(value), self.behind);
        pool.add(value, behind)
    }
}

impl Elements {
    /// What it says about the elements of a state.
    pub fn hold(&self, pool: &mut TermPool, now: &State) -> TermId {
        let (from, below) = self.segment_in(pool, now);
        self.hold_between(pool, (from, below), now)
    }

    /// The same, where an iteration has moved the ends of the segment by a few: of the elements in the
    /// segment before, and of each that is new. Where an end wraps around, that is more than has to
    /// hold.
    pub fn still_hold(&self, pool: &mut TermPool, left: &State, back: &State) -> TermId {
        let (from_before, before) = self.segment_in(pool, left);
        let (from, below) = self.segment_in(pool, back);
        let above = few_between(pool, before, below);
        let under = match (from, from_before) {
            (Some(from), Some(from_before)) => few_between(pool, from, from_before),
            // Both begin with the first element.
            _ => Some(0),
        };
        let (Some(above), Some(under)) = (above, under) else {
            return self.hold(pool, back);
        };
        let mut parts = vec![self.hold_between(pool, (from_before, before), back)];
        // The last one of an ordered segment has no element behind it before.
        let last = u64::from(self.limit == Limit::Next);
        let width = pool.width(before);
        let behind = (0..above).map(|new| (before, new.wrapping_sub(last)));
        let ahead = from
            .into_iter()
            .flat_map(|from| (0..under).map(move |new| (from, new)));
        for (end, new) in behind.chain(ahead) {
            let new = pool.bv(width, new);
            let at = pool.add(end, new);
            parts.push(self.holds_if_in(pool, at, (from, below), back));
        }
        pool.conj(parts)
    }

    /// Whether another one says as much, or more, of more elements, where ends of segments do not wrap around.
    pub fn is_part_of(&self, other: &Elements) -> bool {
        let (own, all) = (self.segment, other.segment);
        let begins_inside = match (own.from, all.from) {
            (_, None) => true,
            (Some(own), Some(all)) => own.reg == all.reg && own.behind >= all.behind,
            (None, Some(_)) => false,
        };
        let ends_inside = own.below.reg == all.below.reg && own.below.behind <= all.below.behind;
        // What is behind the segment is behind that one only.
        let is_at_end = matches!(self.limit, Limit::ElementBehind(_));
        let is_said = implies(other.comparison, self.comparison);
        let other = Elements {
            segment: own,
            comparison: self.comparison,
            ..other.clone()
        };
        let is_inside = begins_inside && ends_inside && (!is_at_end || own.below == all.below);
        is_inside && is_said && *self == other
    }

    /// That its segment has no elements.
    pub fn segment_is_empty(&self, pool: &mut TermPool, now: &State) -> TermId {
        let (from, below) = self.segment_in(pool, now);
        let from = from.unwrap_or_else(|| pool.bv(pool.width(below), 0));
        pool.compare(CmpOp::Ule, below, from)
    }

    /// The ends of its segment.
    fn segment_in(&self, pool: &mut TermPool, now: &State) -> (Option<TermId>, TermId) {
        let from = self.segment.from.map(|from| from.value(pool, now));
        (from, self.segment.below.value(pool, now))
    }

    /// What it says about the elements of a state in a segment. Elements beyond the end of the array are
    /// what reads of its contents give there, which are terms as others are.
    fn hold_between(
        &self,
        pool: &mut TermPool,
        (from, below): (Option<TermId>, TermId),
        now: &State,
    ) -> TermId {
        let tau = pool.symbol("τ", Sort::Bv(pool.width(below)));
        let at = pool.symbol_term(tau);
        let mut holds = vec![self.holds_at(pool, at, now)];
        holds.extend(self.outside(pool, at, (from, below)));
        let holds = pool.disj(holds);
        pool.forall_below(tau, below, holds)
    }

    /// What it says about one element if that is in a segment.
    fn holds_if_in(
        &self,
        pool: &mut TermPool,
        at: TermId,
        (from, below): (Option<TermId>, TermId),
        now: &State,
    ) -> TermId {
        let mut holds = vec![
            pool.compare(CmpOp::Uge, at, below),
            self.holds_at(pool, at, now),
        ];
        holds.extend(self.outside(pool, at, (from, below)));
        pool.disj(holds)
    }

    /// Why an element below the end need not satisfy it: it is before the segment, or the last of an
    /// ordered one.
    fn outside(
        &self,
        pool: &mut TermPool,
        at: TermId,
        (from, below): (Option<TermId>, TermId),
    ) -> Vec<TermId> {
        let mut outside = Vec::new();
        if let Some(from) = from {
            outside.push(pool.compare(CmpOp::Ult, at, from));
        }
        if self.limit == Limit::Next {
            let one = pool.bv(pool.width(at), 1);
            let next = pool.add(at, one);
            outside.push(pool.eq(next, below));
        }
        outside
    }

    /// What it says about one element.
    fn holds_at(&self, pool: &mut TermPool, at: TermId, now: &State) -> TermId {
        let Some(element) = self.element(pool, at, now) else {
            return TermId::FALSE;
        };
        let limit = match self.limit {
            Limit::Register(reg) => Some(now.frame.get(reg)),
            Limit::Constant(value) => Some(pool.bv(self.bytes * 8, value)),
            Limit::Position => Some(as_wide_as(pool, at, self.bytes * 8, CastOp::ZExt)),
            Limit::Element(reg) => self.element(pool, now.frame.get(reg), now),
            Limit::ElementBefore(reg) => {
                let before = moved(pool, now.frame.get(reg), u64::MAX);
                self.element(pool, before, now)
            }
            Limit::ElementBehind(_) => {
                let end = self.segment.below.value(pool, now);
                self.element(pool, end, now)
            }
            Limit::Next => {
                let next = moved(pool, at, 1);
                self.element(pool, next, now)
            }
        };
        let Some(limit) = limit else {
            return TermId::FALSE;
        };
        let holds = pool.compare(self.comparison, element, limit);
        // Where there is no such element.
        let without = match self.limit {
            Limit::ElementBefore(reg) => {
                let position = now.frame.get(reg);
                let zero = pool.bv(pool.width(position), 0);
                pool.eq(position, zero)
            }
            Limit::ElementBehind(end) => {
                let position = self.segment.below.value(pool, now);
                pool.eq(position, now.frame.get(end))
            }
            _ => return holds,
        };
        pool.or(without, holds)
    }

    /// An element of the array; `None` where there is no such array.
    fn element(&self, pool: &mut TermPool, at: TermId, now: &State) -> Option<TermId> {
        // Reading may fix the width of the cells of what was not touched, which all copies share.
        let mut memory = now.memory.clone();
        let offset_bits = pool.width(memory.object(self.object)?.info.bytes);
        let position = as_wide_as(pool, at, offset_bits, self.widening);
        let size = pool.bv(offset_bits, u64::from(self.bytes));
        let offset = pool.mul(position, size);
        Some(memory.read(pool, self.object, offset, self.bytes))
    }
}

/// Whether numbers that compare in one way compare in the other.
fn implies(one: CmpOp, other: CmpOp) -> bool {
    use CmpOp::{Eq, Ne, Sge, Sgt, Sle, Slt};
    one == other
        || matches!(
            (one, other),
            (Eq, Sle | Sge) | (Slt, Sle | Ne) | (Sgt, Sge | Ne)
        )
}

/// How far one position is behind another, where that is known and not much.
fn few_between(pool: &mut TermPool, before: TermId, behind: TermId) -> Option<u64> {
    let distance = pool.sub(behind, before);
    pool.as_u64(distance).filter(|moved| *moved <= MOST_NEW)
}

/// A position and so many more, modulo 2^w.
fn moved(pool: &mut TermPool, position: TermId, by: u64) -> TermId {
    let by = pool.bv(pool.width(position), by);
    pool.add(position, by)
}

/// A number with this width: widened so, or without its highest bits.
fn as_wide_as(pool: &mut TermPool, number: TermId, bits: u32, widening: CastOp) -> TermId {
    let cast = if pool.width(number) < bits {
        widening
    } else {
        CastOp::Trunc
    };
    pool.cast(cast, bits, number)
}
