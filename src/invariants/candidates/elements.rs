//! Common properties of elements of arrays.
//!
//! A candidate compares all elements in a [`Segment`] of an array with a [`Limit`]: a constant, a register,
//! another element, or the next element, so that the segment is sorted.

use super::{Candidate, Constants, Guesses};
use flowgraph::{Action, Expr, Function, Program, RegId};
use memory::{Memory, ObjectId, ObjectKind};
use semantics::State;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use term::{BinOp, CastOp, CmpOp, Sort, TermId, TermPool};

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
/// Of so many rows of matrices, the first ones that a function computes.
const MOST_ROWS: usize = 6;
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
pub(crate) struct Elements {
    object: ObjectId,
    /// Of an element.
    bytes: u32,
    /// How a position becomes as wide as an address.
    widening: CastOp,
    segment: Segment,
    comparison: CmpOp,
    limit: Limit,
}

/// Positions from one on, or from the first, up to another without it; positions are as wide as what is
/// counted there, and unsigned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Segment {
    from: Option<Position>,
    below: Position,
}

/// What registers count and so many more, modulo 2^w.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Position {
    counted: Counted,
    behind: u64,
}

/// How registers count elements.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Counted {
    One(RegId),
    /// Those of so many rows, and so many of the next one; as wide as an offset in the array.
    Rows(Row, Option<RegId>),
}

/// A register that counts rows of a matrix, and how far these are apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Row {
    reg: RegId,
    length: Length,
}

/// Of a row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Length {
    Bytes(u64),
    Elements(u64),
    /// So many elements as a register says.
    Register(RegId),
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
    /// The element of another array at the same position.
    Same(ObjectId),
}

/// The registers of a loop that is cut that hold numbers, with their widths.
pub(crate) struct Registers {
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
        let Counted::One(below) = segment.below.counted else {
            return false;
        };
        let mut counters = self.counters().chain(self.outer_counters());
        let is_counted = counters.any(|(reg, _)| *reg == below);
        segment.from.is_none() && is_counted && end != below && width(end) == width(below)
    }

    /// What counts elements below which something may hold of all: each counter, and rows with or without a
    /// counter.
    fn counted(&self, rows: &[Row]) -> Vec<Counted> {
        let mut found: Vec<Counted> = self.counters().map(|(reg, _)| Counted::One(*reg)).collect();
        let is_in = |all: &[(RegId, u32)], reg: RegId| all.iter().any(|(one, _)| *one == reg);
        let has_length = |row: &Row| match row.length {
            Length::Register(reg) => is_in(&self.fixed, reg),
            Length::Bytes(_) | Length::Elements(_) => true,
        };
        for row in rows.iter().filter(|row| has_length(row)) {
            if is_in(&self.changed, row.reg) {
                found.push(Counted::Rows(*row, None));
            } else if is_in(&self.fixed, row.reg) && self.outer.contains(&row.reg) {
                let columns = self.counters().map(|(reg, _)| Some(*reg));
                found.extend(columns.map(|column| Counted::Rows(*row, column)));
            }
        }
        found
    }
}

/// How a function reads elements of arrays.
pub(crate) struct Reading {
    /// The widths in bytes of what it reads, those that are met first.
    widths: Vec<u32>,
    /// How positions become as wide as addresses: as signed numbers, if any does.
    widening: CastOp,
    /// What may count rows of matrices.
    rows: Vec<Row>,
}

impl Reading {
    pub fn of(function: &Function) -> Reading {
        let mut reading = Reading {
            widths: Vec::new(),
            widening: CastOp::ZExt,
            rows: Vec::new(),
        };
        let edges = function.edge_ids().map(|edge| function.edge(edge));
        let widened = widened(function);
        for step in edges.flat_map(|edge| &edge.steps) {
            let is_address = match &step.action {
                Action::Assign(pairs) => {
                    (pairs.iter()).any(|(dst, _)| function.regs[dst.index()].pointer)
                }
                Action::Load { .. } | Action::Store { .. } => true,
                _ => false,
            };
            step.action.for_each_expr(&mut |expr| {
                expr.for_each(&mut |part| match part {
                    Expr::Cast(CastOp::SExt, 64.., _) => reading.widening = CastOp::SExt,
                    Expr::Binary(BinOp::Mul, lhs, rhs) => {
                        reading.note_rows([lhs, rhs], is_address, &widened);
                        reading.note_rows([rhs, lhs], is_address, &widened);
                    }
                    _ => {}
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

    /// Notes that a register may count rows if one side of a product is one and the other a length.
    fn note_rows(
        &mut self,
        [reg, length]: [&Expr; 2],
        is_address: bool,
        widened: &BTreeMap<RegId, RegId>,
    ) {
        let of_counter = |reg: &RegId| *widened.get(reg).unwrap_or(reg);
        let Expr::Reg(reg) = without_casts(reg) else {
            return;
        };
        let length = match without_casts(length) {
            Expr::Const(bytes) if is_address => bytes.to_u64().map(Length::Bytes),
            Expr::Const(elements) => elements.to_u64().map(Length::Elements),
            Expr::Reg(length) => Some(Length::Register(of_counter(length))),
            _ => None,
        };
        let reg = of_counter(reg);
        let row = length.map(|length| Row { reg, length });
        let row = row.filter(|row| !self.rows.contains(row) && self.rows.len() < MOST_ROWS);
        self.rows.extend(row);
    }

    /// The rows with more than one element of so many bytes.
    fn rows_of(&self, bytes: u32) -> Vec<Row> {
        let bytes = u64::from(bytes);
        let rows = self.rows.iter().copied();
        rows.filter(|row| match row.length {
            Length::Bytes(length) => length > bytes && length % bytes == 0,
            Length::Elements(length) => length > 1,
            Length::Register(_) => true,
        })
        .collect()
    }
}

/// Whether functions multiply what may count rows of a matrix by an unknown length.
#[must_use]
pub fn has_rows_of_unknown_length(program: &Program) -> bool {
    let mut functions = program.functions.iter();
    functions.any(|function| {
        let rows = Reading::of(function).rows;
        let is_unknown = |row: &Row| matches!(row.length, Length::Register(_));
        rows.iter().any(is_unknown)
    })
}

/// The registers that hold another one in another width.
fn widened(function: &Function) -> BTreeMap<RegId, RegId> {
    let edges = function.edge_ids().map(|edge| function.edge(edge));
    let assigned = edges.flat_map(|edge| &edge.steps).flat_map(|step| {
        let pairs = match &step.action {
            Action::Assign(pairs) => pairs.as_slice(),
            _ => &[],
        };
        pairs.iter()
    });
    let casts = assigned.filter_map(|(dst, value)| match (value, without_casts(value)) {
        (Expr::Cast(..), Expr::Reg(reg)) => Some((*dst, *reg)),
        _ => None,
    });
    casts.collect()
}

fn without_casts(mut expr: &Expr) -> &Expr {
    while let Expr::Cast(_, _, inner) = expr {
        expr = inner;
    }
    expr
}

/// The candidates about elements of arrays in this memory.
pub(crate) fn candidates_of_elements(
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
        let arrays: Vec<ObjectId> = arrays.take(MOST_ARRAYS).map(|(id, _)| *id).collect();
        let counted = registers.counted(&reading.rows_of(bytes));
        for (number, object) in arrays.iter().enumerate() {
            let others = &arrays[number + 1..];
            let mut claims = Vec::new();
            for counted in &counted {
                let below = *counted;
                claims.extend(claims_below(below, (constants, bytes), registers, others));
            }
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

/// Claims about elements below what is counted: with themselves, constants, registers and other arrays.
fn claims_below(
    counted: Counted,
    (constants, bytes): (&Constants, u32),
    registers: &Registers,
    others: &[ObjectId],
) -> Vec<Claim> {
    let segment = Segment {
        from: None,
        below: Position { counted, behind: 0 },
    };
    let all = registers.changed.iter().chain(&registers.fixed);
    let limits = all
        .filter(|(reg, bits)| *bits == bytes * 8 && !counted.involves(*reg))
        .take(MOST_LIMITS)
        .flat_map(|(reg, _)| OF_REGISTERS.map(|with| (with, Limit::Register(*reg))));
    let values = constants.by_width.get(&(bytes * 8)).into_iter().flatten();
    let values = values
        .take(MOST_LIMITS)
        .flat_map(|value| OF_CONSTANTS.map(|with| (with, Limit::Constant(*value))));
    let same = others.iter().map(|other| (CmpOp::Eq, Limit::Same(*other)));
    let position = std::iter::once((CmpOp::Eq, Limit::Position));
    let limits = position.chain(same).chain(values).chain(limits);
    limits
        .map(|(comparison, limit)| (segment, comparison, limit))
        .collect()
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
            let values = values.filter(|(reg, _)| !segment.below.counted.involves(*reg));
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
            regs.map(move |reg| Position::behind(reg, behind))
        });
        found.extend(ends.map(|below| Segment { from: None, below }));
        for reg in &fixed {
            let from = (0..=MOST_BEHIND).map(|behind| Position::behind(*counter, behind));
            found.extend(from.flat_map(|from| {
                (0..=1).map(move |behind| Segment {
                    from: Some(from),
                    below: Position::behind(*reg, behind),
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
    found.sort_unstable_by_key(|Segment { from, below }| {
        (*from, below.counted, Reverse(below.behind))
    });
    found.dedup();
    found
}

impl Counted {
    /// Whether a register is one of those that count.
    fn involves(self, reg: RegId) -> bool {
        match self {
            Counted::One(one) => one == reg,
            Counted::Rows(row, column) => row.reg == reg || column == Some(reg),
        }
    }
}

impl Position {
    fn at(reg: RegId) -> Position {
        Position::behind(reg, 0)
    }

    fn behind(reg: RegId, behind: u64) -> Position {
        Position {
            counted: Counted::One(reg),
            behind,
        }
    }
}

impl Elements {
    /// What it says about the elements of a state.
    pub fn hold(&self, pool: &mut TermPool, now: &State) -> TermId {
        match self.segment_in(pool, now) {
            Some(segment) => self.hold_between(pool, segment, now),
            None => TermId::FALSE,
        }
    }

    /// The same, where an iteration has moved the ends of the segment by a few: of the elements in the
    /// segment before, and of each that is new. Where an end wraps around, that is more than has to
    /// hold.
    pub fn still_hold(&self, pool: &mut TermPool, left: &State, back: &State) -> TermId {
        let segments = (self.segment_in(pool, left)).zip(self.segment_in(pool, back));
        let Some(((from_before, before), (from, below))) = segments else {
            return TermId::FALSE;
        };
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
            (Some(own), Some(all)) => own.counted == all.counted && own.behind >= all.behind,
            (None, Some(_)) => false,
        };
        let is_same_end = own.below.counted == all.below.counted;
        let ends_inside = is_same_end && own.below.behind <= all.below.behind;
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
        let Some((from, below)) = self.segment_in(pool, now) else {
            return TermId::TRUE;
        };
        let from = from.unwrap_or_else(|| pool.bv(pool.width(below), 0));
        pool.compare(CmpOp::Ule, below, from)
    }

    /// The ends of its segment; `None` where there is no such array.
    fn segment_in(&self, pool: &mut TermPool, now: &State) -> Option<(Option<TermId>, TermId)> {
        let from = match self.segment.from {
            Some(from) => Some(self.position(pool, from, now)?),
            None => None,
        };
        Some((from, self.position(pool, self.segment.below, now)?))
    }

    fn position(&self, pool: &mut TermPool, at: Position, now: &State) -> Option<TermId> {
        let counted = match at.counted {
            Counted::One(reg) => now.frame.get(reg),
            Counted::Rows(row, column) => {
                let bits = self.offset_bits(pool, now)?;
                let wide = |pool: &mut TermPool, reg: RegId| {
                    as_wide_as(pool, now.frame.get(reg), bits, self.widening)
                };
                let n_rows = wide(pool, row.reg);
                let length = match row.length {
                    Length::Bytes(length) => pool.bv(bits, length / u64::from(self.bytes)),
                    Length::Elements(length) => pool.bv(bits, length),
                    Length::Register(reg) => wide(pool, reg),
                };
                let in_rows = pool.mul(n_rows, length);
                match column {
                    Some(column) => {
                        let in_row = wide(pool, column);
                        pool.add(in_rows, in_row)
                    }
                    None => in_rows,
                }
            }
        };
        let behind = pool.bv(pool.width(counted), at.behind);
        Some(pool.add(counted, behind))
    }

    /// How wide offsets in the array are.
    fn offset_bits(&self, pool: &TermPool, now: &State) -> Option<u32> {
        Some(pool.width(now.memory.object(self.object)?.info.bytes))
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
        let own = self.object;
        let Some(element) = self.element(pool, (own, at), now) else {
            return TermId::FALSE;
        };
        let limit = match self.limit {
            Limit::Register(reg) => Some(now.frame.get(reg)),
            Limit::Constant(value) => Some(pool.bv(self.bytes * 8, value)),
            Limit::Position => Some(as_wide_as(pool, at, self.bytes * 8, CastOp::ZExt)),
            Limit::Element(reg) => self.element(pool, (own, now.frame.get(reg)), now),
            Limit::ElementBefore(reg) => {
                let before = moved(pool, now.frame.get(reg), u64::MAX);
                self.element(pool, (own, before), now)
            }
            Limit::ElementBehind(_) => {
                let end = self.position(pool, self.segment.below, now);
                end.and_then(|end| self.element(pool, (own, end), now))
            }
            Limit::Next => {
                let next = moved(pool, at, 1);
                self.element(pool, (own, next), now)
            }
            Limit::Same(other) => self.element(pool, (other, at), now),
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
                let Some(position) = self.position(pool, self.segment.below, now) else {
                    return TermId::FALSE;
                };
                pool.eq(position, now.frame.get(end))
            }
            _ => return holds,
        };
        pool.or(without, holds)
    }

    /// An element of an array; `None` where there is no such array.
    fn element(
        &self,
        pool: &mut TermPool,
        (object, at): (ObjectId, TermId),
        now: &State,
    ) -> Option<TermId> {
        // Reading may fix the width of the cells of what was not touched, which all copies share.
        let mut memory = now.memory.clone();
        let offset_bits = pool.width(memory.object(object)?.info.bytes);
        let position = as_wide_as(pool, at, offset_bits, self.widening);
        let size = pool.bv(offset_bits, u64::from(self.bytes));
        let offset = pool.mul(position, size);
        Some(memory.read(pool, object, offset, self.bytes))
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
