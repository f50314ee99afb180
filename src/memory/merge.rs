//! Merging of two memories.
//!
//! ```text
//! memory --+--> objects of both, cell by cell: the value that both hold, or a choice
//! memory --+
//! ```
//!
//! An object of only one memory is part of the merged memory: no value of the other points to it. So pointers
//! keep their meaning, and no object is renamed.

use super::object::{Base, FlatArray, Object};
use super::{Memory, ObjectId};
use std::rc::Rc;
use term::{TermId, TermPool};

/// The holder of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Held {
    /// A cell of an object.
    Cell,
    /// The whole content of an object, an array.
    Array,
}

/// The value that is the first or the second one, of the same sort; `None` if there shall be no
/// such value.
pub type Choose<'a> = dyn FnMut(&mut TermPool, Held, TermId, TermId) -> Option<TermId> + 'a;

impl Memory {
    /// The memory that is this or the other one, as `choose` says of each value in which they
    /// differ; `None` if it does, or if the layouts are too different: an object that one side has
    /// freed, or cells that overlap.
    #[must_use]
    pub fn merge(
        &self,
        pool: &mut TermPool,
        other: &Memory,
        choose: &mut Choose,
    ) -> Option<Memory> {
        if self.targets != other.targets {
            return None;
        }
        let mut merged = self.clone();
        for (id, theirs) in &other.objects {
            match self.objects.get(id) {
                None => {
                    merged.objects.insert(*id, Rc::clone(theirs));
                }
                Some(mine) if Rc::ptr_eq(mine, theirs) => {}
                Some(mine) => {
                    if let Some(object) = merge_objects(pool, mine, theirs, choose)? {
                        merged.objects.insert(*id, Rc::new(object));
                    }
                }
            }
        }
        Some(merged)
    }

    /// The objects that only one of the two memories has.
    pub fn unshared<'a>(&'a self, other: &'a Memory) -> impl Iterator<Item = ObjectId> + 'a {
        let only = |one: &'a Memory, two: &'a Memory| {
            let ids = one.objects.keys();
            ids.filter(|id| !two.objects.contains_key(*id)).copied()
        };
        only(self, other).chain(only(other, self))
    }
}

/// The object that is one or the other; an inner `None` if that is the first as it stands.
fn merge_objects(
    pool: &mut TermPool,
    mine: &Object,
    theirs: &Object,
    choose: &mut Choose,
) -> Option<Option<Object>> {
    if mine.alive != theirs.alive || !Rc::ptr_eq(&mine.info, &theirs.info) {
        return None;
    }
    if !mine.alive {
        // Nobody reads it any more.
        return Some(None);
    }
    let same_base = match (mine.content.base(), theirs.content.base()) {
        (Base::Zero, Base::Zero) => true,
        (Base::Bytes(mine), Base::Bytes(theirs)) => Rc::ptr_eq(mine, theirs),
        (Base::Arbitrary(mine), Base::Arbitrary(theirs)) => Rc::ptr_eq(mine, theirs),
        (Base::Array(mine), Base::Array(theirs)) => mine == theirs,
        // Content at the entry of a template is no state's.
        (Base::Entry(_), _) | (_, Base::Entry(_)) => return None,
        _ => false,
    };
    if same_base {
        merge_cells(pool, mine, theirs, choose)
    } else {
        merge_arrays(pool, mine, theirs, choose).map(Some)
    }
}

fn merge_cells(
    pool: &mut TermPool,
    mine: &Object,
    theirs: &Object,
    choose: &mut Choose,
) -> Option<Option<Object>> {
    let mut merged: Option<Object> = None;
    for (offset, bytes) in places(pool, mine, theirs)? {
        let one = mine.content.read_constant(pool, &mine.info, offset, bytes);
        let other = (theirs.content).read_constant(pool, &theirs.info, offset, bytes);
        if one != other {
            let value = choose(pool, Held::Cell, one, other)?;
            let object = merged.get_or_insert_with(|| mine.clone());
            object.write_at(pool, offset, value);
        }
    }
    Some(merged)
}

/// The places, offset and bytes, at which either of two objects has a separate cell: of cells that
/// overlap the widest, if it contains the others.
fn places(pool: &TermPool, mine: &Object, theirs: &Object) -> Option<Vec<(u64, u32)>> {
    let cells = mine.content.cells().chain(theirs.content.cells());
    let mut cells: Vec<(u64, u32)> = cells
        .map(|(offset, value)| (offset, pool.width(value) / 8))
        .collect();
    // The widest of those at one offset first.
    cells.sort_unstable_by_key(|(offset, bytes)| (*offset, std::cmp::Reverse(*bytes)));
    cells.dedup();
    let mut places: Vec<(u64, u32)> = Vec::with_capacity(cells.len());
    for (offset, bytes) in cells {
        let end = offset + u64::from(bytes);
        match places.last() {
            Some((start, last)) if offset < start + u64::from(*last) => {
                if end > start + u64::from(*last) {
                    return None;
                }
            }
            Some(_) | None => places.push((offset, bytes)),
        }
    }
    Some(places)
}

fn merge_arrays(
    pool: &mut TermPool,
    mine: &Object,
    theirs: &Object,
    choose: &mut Choose,
) -> Option<Object> {
    let (mut one, mut other) = (mine.clone(), theirs.clone());
    let wished = mine.content.usual_cell_bytes();
    let wished = wished.max(theirs.content.usual_cell_bytes());
    let flat = one.flatten(pool, wished);
    let beside = other.flatten(pool, wished);
    if flat.cell_bytes != beside.cell_bytes {
        return None;
    }
    if flat.array != beside.array {
        let array = choose(pool, Held::Array, flat.array, beside.array)?;
        one.reset(Base::Array(FlatArray { array, ..flat }));
    }
    Some(one)
}
