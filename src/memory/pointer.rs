//! Pointers as terms with provenance.

use super::{Memory, Object, ObjectId, ObjectKind};
use crate::term::{CmpOp, TermId, TermPool};
use std::ops::Range;

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
/// null, and one that is certainly inside its object differs from one that is certainly inside
/// another object, if both are [apart](lie_apart), and from what lies in the first or last page.
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
            let op = match op {
                CmpOp::Ult => CmpOp::Slt,
                CmpOp::Ule => CmpOp::Sle,
                CmpOp::Ugt => CmpOp::Sgt,
                CmpOp::Uge => CmpOp::Sge,
                CmpOp::Eq | CmpOp::Ne | CmpOp::Slt | CmpOp::Sle | CmpOp::Sgt | CmpOp::Sge => op,
            };
            Some(pool.compare(op, left.offset, right.offset))
        }
        (Some(left), Some(right)) => {
            let places = constant_offset(pool, left).zip(constant_offset(pool, right));
            let apart = places.is_some_and(|(left, right)| lie_apart(pool, memory, left, right));
            equality_of_distinct(op, apart)
        }
        (Some(_), None) if pool.as_u64(rhs) == Some(0) => null_comparison(op),
        (None, Some(_)) if pool.as_u64(lhs) == Some(0) => null_comparison(op.exchanged()),
        (Some(pointer), None) | (None, Some(pointer)) => {
            let number = if left.is_some() { rhs } else { lhs };
            let lies_nowhere = is_in_first_or_last_page(pool, number);
            equality_of_distinct(op, lies_nowhere && is_within(pool, memory, pointer))
        }
        (None, None) => None,
    }
}

/// Nothing lies in the first page of the address space and in the last one: addresses there are null with
/// an offset, and numbers that are no addresses, as `SIG_IGN` and `MAP_FAILED`.
fn is_in_first_or_last_page(pool: &TermPool, address: TermId) -> bool {
    pool.as_u64(address).is_some_and(|number| {
        let last = u64::MAX >> (u64::BITS - pool.width(address));
        number < PAGE_BYTES || number > last - PAGE_BYTES
    })
}

/// Of the pages in which nothing lies.
const PAGE_BYTES: u64 = 4096;

/// Linux gives no program memory below this address (`vm.mmap_min_addr`), so that each access there faults: fields of
/// a structure that is not there.
pub const LOWEST_ADDRESS: u64 = 1 << 16;

/// Whether a pointer is certainly to its object or just behind it.
fn is_within(pool: &TermPool, memory: &Memory, pointer: Pointer) -> bool {
    constant_offset(pool, pointer).is_some_and(|(object, offset)| {
        let object = memory.object(object);
        let bytes = object.and_then(|object| pool.as_u64(object.info.bytes));
        offset == 0 || bytes.is_some_and(|bytes| offset <= bytes)
    })
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

fn equality_of_distinct(op: CmpOp, apart: bool) -> Option<TermId> {
    match op {
        CmpOp::Eq if apart => Some(TermId::FALSE),
        CmpOp::Ne if apart => Some(TermId::TRUE),
        CmpOp::Eq
        | CmpOp::Ne
        | CmpOp::Ult
        | CmpOp::Ule
        | CmpOp::Ugt
        | CmpOp::Uge
        | CmpOp::Slt
        | CmpOp::Sle
        | CmpOp::Sgt
        | CmpOp::Sge => None,
    }
}

/// `pointer op 0` for a pointer with provenance.
fn null_comparison(op: CmpOp) -> Option<TermId> {
    match op {
        CmpOp::Eq | CmpOp::Ule | CmpOp::Ult => Some(TermId::FALSE),
        CmpOp::Ne | CmpOp::Ugt | CmpOp::Uge => Some(TermId::TRUE),
        CmpOp::Slt | CmpOp::Sle | CmpOp::Sgt | CmpOp::Sge => None,
    }
}
