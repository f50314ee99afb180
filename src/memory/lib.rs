//! Symbolic memory: objects of cells, addressed by object and byte offset.
//!
//! ```text
//! pointer term --resolve--> (object, offset) --read/write--> cells | array of cells
//! ```
//!
//! A pointer is a term: the address symbol of its object plus a byte offset. The linear normal form of terms
//! keeps this *provenance* through pointer arithmetic, casts to integers and storing pointers in memory;
//! numeric addresses stay symbolic within the range of the platform ([`addresses`]). A value without
//! provenance gets one when its target is set ([`Memory::set_target`]).
//!
//! An object is a map of *cells* (byte offset, width, value) written at constant offsets, over a base that
//! holds all other bytes (see [`Base`]). The first access at a symbolic offset determines the cell width of
//! the underlying array; an access of another width or alignment is composed of cells or cut out of one (the
//! fall-back to bytes).
//!
//! # Invariants
//! - Cells of one object do not overlap.
//! - An array over an object is indexed by *byte offset*, at multiples of its cell width.
//! - Reading is a function of the memory: no fresh symbols, except one for an object whose arbitrary content
//!   is accessed for the first time, which all copies of the object share.
//!
//! # Deliberately absent
//! No bounds checks (the callers ask [`Object::in_bounds`] first), no path conditions, no search.
//!
//! ```
//! use flowgraph::Span;
//! use compact_se_memory::{Base, Memory, Object, ObjectInfo, ObjectKind, Pointer};
//! use term::{Sort, TermPool};
//!
//! let mut pool = TermPool::new();
//! let address = pool.symbol("&a", Sort::Bv(64));
//! let info = ObjectInfo {
//!     address,
//!     bytes: pool.bv(64, 8),
//!     name: "a".to_owned(),
//!     kind: ObjectKind::Global,
//!     place: Span::UNKNOWN,
//! };
//! let mut memory = Memory::default();
//! let object = memory.insert(Object::new(info, Base::Zero));
//! let (start, four, seven) = (pool.symbol_term(address), pool.bv(64, 4), pool.bv(32, 7));
//! memory.write(&mut pool, object, four, seven);
//! let pointer = pool.add(start, four);
//! let target = Pointer::resolve(&mut pool, &memory, pointer).expect("it points into a");
//! assert_eq!((target.object, target.offset), (object, four));
//! assert_eq!(memory.read(&mut pool, object, four, 4), seven);
//! ```

mod address;
mod object;
mod merge;
mod pointer;
mod view;

pub use address::{LOWEST_ADDRESS, USUAL_LOWEST, addresses};
pub use merge::{Choose, Held};
pub use object::{Allocator, Arbitrary, Base, Content, FlatArray, Object, ObjectInfo, ObjectKind};
pub use pointer::{Pointer, compare_pointers, lie_apart};
pub use view::{CellEntry, EntryView, ViewLog};

use imbl::OrdMap;
use std::rc::Rc;
use term::{SymbolId, TermId, TermPool};

/// The name of an object: the symbol that stands for its address.
pub type ObjectId = SymbolId;

/// All objects of a state. Copies share structure.
#[derive(Clone, Default)]
pub struct Memory {
    objects: OrdMap<ObjectId, Rc<Object>>,
    /// Where values of unknown origin point that were taken to be pointers.
    targets: OrdMap<TermId, Pointer>,
}

impl Memory {
    /// Adds an object; its id is the address symbol in its info.
    pub fn insert(&mut self, object: Object) -> ObjectId {
        let id = object.info.address;
        self.objects.insert(id, Rc::new(object));
        id
    }

    /// The object with this address symbol, dead or alive.
    #[must_use]
    pub fn object(&self, id: ObjectId) -> Option<&Object> {
        self.objects.get(&id).map(Rc::as_ref)
    }

    /// All objects, by id.
    pub fn objects(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        self.objects
            .iter()
            .map(|(id, object)| (*id, object.as_ref()))
    }

    /// The object to be changed.
    ///
    /// # Panics
    /// If there is no such object.
    pub fn object_mut(&mut self, id: ObjectId) -> &mut Object {
        let object = self
            .objects
            .get_mut(&id)
            .expect("a resolved object is in memory");
        Rc::make_mut(object)
    }

    /// Says that a value without provenance is this pointer. The caller assumes that they are
    /// equal.
    pub fn set_target(&mut self, value: TermId, target: Pointer) {
        self.targets.insert(value, target);
    }

    /// Where a value without provenance was said to point.
    #[must_use]
    pub fn target(&self, value: TermId) -> Option<Pointer> {
        self.targets.get(&value).copied()
    }

    /// All values without provenance that were said to point somewhere, and where.
    pub fn targets(&self) -> impl Iterator<Item = (TermId, Pointer)> {
        self.targets.iter().map(|(value, target)| (*value, *target))
    }

    /// How many values without provenance were said to point somewhere.
    #[must_use]
    pub fn n_targets(&self) -> usize {
        self.targets.len()
    }

    /// Takes an object out of memory, so that pointers to it resolve to nothing.
    pub fn remove(&mut self, id: ObjectId) {
        self.objects.remove(&id);
    }

    /// Whether both memories hold the very same version of an object.
    #[must_use]
    pub fn same_version(&self, other: &Memory, id: ObjectId) -> bool {
        match (self.objects.get(&id), other.objects.get(&id)) {
            (Some(mine), Some(theirs)) => Rc::ptr_eq(mine, theirs),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        }
    }

    /// Reads `bytes` bytes of an object at a byte offset (as wide as a pointer), little-endian.
    ///
    /// # Panics
    /// If there is no such object.
    pub fn read(
        &mut self,
        pool: &mut TermPool,
        id: ObjectId,
        offset: TermId,
        bytes: u32,
    ) -> TermId {
        // Reading may fix the cell width of untouched content, which all copies share, so that
        // most reads leave the object as it is.
        let object = self
            .objects
            .get(&id)
            .expect("a resolved object is in memory");
        if let Some(value) = object
            .content
            .read_shared(pool, &object.info, offset, bytes)
        {
            return value;
        }
        self.object_mut(id).read(pool, offset, bytes)
    }

    /// Reads like [`Memory::read`], where the caller knows the offset to be a multiple of `bytes`,
    /// a power of two.
    ///
    /// # Panics
    /// If there is no such object.
    pub fn read_aligned(
        &mut self,
        pool: &mut TermPool,
        id: ObjectId,
        offset: TermId,
        bytes: u32,
    ) -> TermId {
        if pool.is_const(offset) {
            return self.read(pool, id, offset, bytes);
        }
        let flat = self.object_mut(id).flatten(pool, bytes);
        flat.read_aligned(pool, offset, bytes)
    }

    /// Writes a value whose width is a multiple of 8 bits at a byte offset of an object.
    ///
    /// # Panics
    /// If there is no such object.
    pub fn write(&mut self, pool: &mut TermPool, id: ObjectId, offset: TermId, value: TermId) {
        self.object_mut(id).write(pool, offset, value);
    }
}
