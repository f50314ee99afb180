//! Pointers as terms with provenance.

use super::{Memory, Object, ObjectId, ObjectKind, addresses};
use std::ops::Range;
use term::{CmpOp, TermId, TermPool};

/// Where a pointer term points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pointer {
    pub object: ObjectId,
    /// Byte offset from the object's start, as wide as a pointer.
    pub offset: TermId,
}

impl Pointer {
    /// Splits `term` into an object's address symbol and an offset, where its linear form
    /// mentions exactly one address symbol, with coefficient 1; or else into one value of which
    /// the memory was told where it points, and what is added to it.
    #[must_use]
    pub fn resolve(pool: &mut TermPool, memory: &Memory, term: TermId) -> Option<Pointer> {
        let by_address = Pointer::resolve_address(pool, memory, term);
        if by_address.is_some() || memory.n_targets() == 0 {
            return by_address;
        }
        let value = Pointer::unknown_origin(pool, memory, term)?;
        let target = memory.target(value)?;
        let beyond = pool.sub(term, value);
        let offset = pool.add(target.offset, beyond);
        Some(Pointer { offset, ..target })
    }

    /// The part of a pointer whose origin would have to be known: all of it but what is added,
    /// where its linear form has exactly one part with coefficient 1 and no object's address.
    #[must_use]
    pub fn unknown_origin(pool: &TermPool, memory: &Memory, term: TermId) -> Option<TermId> {
        let Some(parts) = pool.linear_terms(term) else {
            return (!pool.is_const(term)).then_some(term);
        };
        let is_address = |part: TermId| {
            let symbol = pool.as_symbol(part);
            symbol.is_some_and(|symbol| memory.object(symbol).is_some())
        };
        let mut whole = parts.iter().filter(|(coefficient, _)| *coefficient == 1);
        match (whole.next(), whole.next()) {
            (Some((_, part)), None) if !parts.iter().any(|(_, part)| is_address(*part)) => {
                Some(*part)
            }
            (Some(_) | None, _) => None,
        }
    }

    fn resolve_address(pool: &mut TermPool, memory: &Memory, term: TermId) -> Option<Pointer> {
        if let Some(symbol) = pool.as_symbol(term) {
            memory.object(symbol)?;
            let offset = pool.bv(pool.width(term), 0);
            return Some(Pointer {
                object: symbol,
                offset,
            });
        }
        let object = {
            let mut found = None;
            for (coefficient, part) in pool.linear_terms(term)? {
                let Some(symbol) = pool.as_symbol(*part) else {
                    continue;
                };
                if memory.object(symbol).is_some() {
                    if *coefficient != 1 || found.is_some() {
                        return None;
                    }
                    found = Some(symbol);
                }
            }
            found?
        };
        let address = pool.symbol_term(object);
        let offset = pool.sub(term, address);
        Some(Pointer { object, offset })
    }

    /// The pointer as a term.
    #[must_use]
    pub fn term(self, pool: &mut TermPool) -> TermId {
        let address = pool.symbol_term(self.object);
        pool.add(address, self.offset)
    }
}

/// The comparison of two values of which at least one is a pointer, where provenance decides it
/// or reduces it to offsets; `None` where the numeric addresses matter.
///
/// Two pointers into one object compare as their offsets do. A pointer with provenance is not
/// null, and one that is certainly inside its object differs from numbers that are [no addresses](addresses).
///
/// Pointers inside of two objects that are alive differ, and one is the smaller: all of one object lies before all of
/// the other. Which one does is open, but the same in all comparisons.
///
/// Offsets are compared as signed numbers: an object does not lie so close to either end of the
/// address space that a pointer a little outside of it would wrap around.
///
/// A pointer that is one or another by a condition, be that whether a cell was written that it is read
/// from, is compared in both cases.
#[must_use]
pub fn compare_pointers(
    pool: &mut TermPool,
    memory: &Memory,
    op: CmpOp,
    lhs: TermId,
    rhs: TermId,
) -> Option<TermId> {
    compare_cases(pool, memory, op, (lhs, rhs), MOST_CASES)
}

/// Conditions on which the two sides of a comparison may depend, one within the other.
const MOST_CASES: u32 = 8;

fn compare_cases(
    pool: &mut TermPool,
    memory: &Memory,
    op: CmpOp,
    (lhs, rhs): (TermId, TermId),
    n_left: u32,
) -> Option<TermId> {
    let known = compare_known(pool, memory, op, lhs, rhs);
    if known.is_some() || n_left == 0 {
        return known;
    }
    let left = pool.split_condition(lhs);
    let (condition, then, otherwise) = if let Some((condition, then, otherwise)) = left {
        (condition, (then, rhs), (otherwise, rhs))
    } else {
        let (condition, then, otherwise) = pool.split_condition(rhs)?;
        (condition, (lhs, then), (lhs, otherwise))
    };
    let on_then = compare_cases(pool, memory, op, then, n_left - 1);
    let on_otherwise = compare_cases(pool, memory, op, otherwise, n_left - 1);
    if on_then.is_none() && on_otherwise.is_none() {
        return None;
    }
    let on_then = on_then.unwrap_or_else(|| pool.compare(op, then.0, then.1));
    let on_otherwise = on_otherwise.unwrap_or_else(|| pool.compare(op, otherwise.0, otherwise.1));
    Some(pool.ite(condition, on_then, on_otherwise))
}

fn compare_known(
    pool: &mut TermPool,
    memory: &Memory,
    op: CmpOp,
    lhs: TermId,
    rhs: TermId,
) -> Option<TermId> {
    let left = Pointer::resolve(pool, memory, lhs);
    let right = Pointer::resolve(pool, memory, rhs);
    match (left, right) {
        (Some(left), Some(right)) if left.object == right.object => {
            Some(pool.compare(op.signed(), left.offset, right.offset))
        }
        (Some(left), Some(right)) => compare_distinct(pool, memory, op, (lhs, left), (rhs, right)),
        (Some(_), None) if pool.as_u64(rhs) == Some(0) => null_comparison(op),
        (None, Some(_)) if pool.as_u64(lhs) == Some(0) => null_comparison(op.exchanged()),
        (Some(pointer), None) => compare_number(pool, memory, op, (lhs, pointer), rhs),
        (None, Some(pointer)) => compare_number(pool, memory, op.exchanged(), (rhs, pointer), lhs),
        (None, None) => None,
    }
}

/// Compares pointers into two objects: decided where both point inside, else by the numeric addresses.
fn compare_distinct(
    pool: &mut TermPool,
    memory: &Memory,
    op: CmpOp,
    (lhs, left): (TermId, Pointer),
    (rhs, right): (TermId, Pointer),
) -> Option<TermId> {
    let answer = match op {
        CmpOp::Eq => TermId::FALSE,
        CmpOp::Ne => TermId::TRUE,
        CmpOp::Ult | CmpOp::Ule => lies_before(pool, left.object, right.object),
        CmpOp::Ugt | CmpOp::Uge => lies_before(pool, right.object, left.object),
        CmpOp::Slt | CmpOp::Sle | CmpOp::Sgt | CmpOp::Sge => return None,
    };
    let is_literal = |pointer: Pointer| {
        let object = memory.object(pointer.object);
        object.is_none_or(|object| object.info.kind == ObjectKind::Literal)
    };
    let are_apart = if is_literal(left) && is_literal(right) {
        let places = constant_offset(pool, left).zip(constant_offset(pool, right))?;
        if !lie_apart(pool, memory, places.0, places.1) {
            return None;
        }
        TermId::TRUE
    } else {
        let left = is_inside(pool, memory, left);
        let right = is_inside(pool, memory, right);
        pool.and(left, right)
    };
    if pool.is_false(are_apart) {
        return None;
    }
    if pool.is_true(are_apart) {
        return Some(answer);
    }
    let of_numbers = pool.compare(op, lhs, rhs);
    Some(pool.ite(are_apart, answer, of_numbers))
}

/// Whether one object lies before another one, both alive, as a term that is the same for both orders.
fn lies_before(pool: &mut TermPool, one: ObjectId, other: ObjectId) -> TermId {
    if other < one {
        let behind = lies_before(pool, other, one);
        return pool.not(behind);
    }
    let (one, other) = (pool.symbol_term(one), pool.symbol_term(other));
    pool.ult(one, other)
}

/// The condition that a pointer is to a byte of its object, which is alive. A block of no bytes has an address of its
/// own.
fn is_inside(pool: &mut TermPool, memory: &Memory, pointer: Pointer) -> TermId {
    let Some(object) = memory.object(pointer.object).filter(|object| object.alive) else {
        return TermId::FALSE;
    };
    let is_block = matches!(object.info.kind, ObjectKind::Heap(_));
    if is_block && pool.as_u64(pointer.offset) == Some(0) {
        return TermId::TRUE;
    }
    pool.ult(pointer.offset, object.info.bytes)
}

/// Compares a pointer with a number that is no address: decided where the pointer is to its object or just behind it.
fn compare_number(
    pool: &mut TermPool,
    memory: &Memory,
    op: CmpOp,
    (term, pointer): (TermId, Pointer),
    number: TermId,
) -> Option<TermId> {
    let value = pool.as_u64(number)?;
    let known = addresses(pool.width(number));
    if known.contains(&value) {
        return None;
    }
    let is_above = value < known.start;
    let answer = match op {
        CmpOp::Eq => false,
        CmpOp::Ne => true,
        CmpOp::Ugt | CmpOp::Uge => is_above,
        CmpOp::Ult | CmpOp::Ule => !is_above,
        CmpOp::Slt | CmpOp::Sle | CmpOp::Sgt | CmpOp::Sge => return None,
    };
    let answer = if answer { TermId::TRUE } else { TermId::FALSE };
    let bytes = memory.object(pointer.object)?.info.bytes;
    let is_there = if pool.as_u64(pointer.offset) == Some(0) {
        TermId::TRUE
    } else {
        pool.ule(pointer.offset, bytes)
    };
    if pool.is_false(is_there) {
        return None;
    }
    let of_numbers = pool.compare(op, term, number);
    Some(pool.ite(is_there, answer, of_numbers))
}

fn constant_offset(pool: &TermPool, pointer: Pointer) -> Option<(ObjectId, u64)> {
    Some((pointer.object, pool.as_u64(pointer.offset)?))
}

/// Whether two places, offsets in different objects, are certainly not the same: both are within their
/// object, both objects are alive, since what is allocated after a `free` may lie where the freed block was,
/// and they are not two literals that hold the same from there on.
#[must_use]
pub fn lie_apart(
    pool: &TermPool,
    memory: &Memory,
    left: (ObjectId, u64),
    right: (ObjectId, u64),
) -> bool {
    let within = |(object, offset): (ObjectId, u64)| {
        let object = memory.object(object)?;
        let bytes = pool.as_u64(object.info.bytes)?;
        let is_within = object.alive && offset < bytes;
        is_within.then_some((object, offset..bytes))
    };
    match (within(left), within(right)) {
        (Some(left), Some(right)) => !may_share(left, right),
        _ => false,
    }
}

/// Whether two ends of objects may be the same bytes of the program.
fn may_share((one, ours): (&Object, Range<u64>), (other, theirs): (&Object, Range<u64>)) -> bool {
    let is_literal = |object: &Object| object.info.kind == ObjectKind::Literal;
    is_literal(one)
        && is_literal(other)
        && ours.end - ours.start == theirs.end - theirs.start
        && ours.zip(theirs).all(|(ours, theirs)| {
            let bytes = one
                .content
                .base_byte(ours)
                .zip(other.content.base_byte(theirs));
            bytes.is_none_or(|(ours, theirs)| ours == theirs)
        })
}

/// `pointer op 0` for a pointer with provenance.
fn null_comparison(op: CmpOp) -> Option<TermId> {
    match op {
        CmpOp::Eq | CmpOp::Ule | CmpOp::Ult => Some(TermId::FALSE),
        CmpOp::Ne | CmpOp::Ugt | CmpOp::Uge => Some(TermId::TRUE),
        CmpOp::Slt | CmpOp::Sle | CmpOp::Sgt | CmpOp::Sge => None,
    }
}
