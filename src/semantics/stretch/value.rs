//! Conversion between terms and machine words.

use indexmap::IndexSet;
use memory::{Memory, ObjectId, Pointer};
use rustc_hash::FxBuildHasher;
use term::{TermId, TermPool};

/// The value of a register or cell: a number, a pointer with a known offset, or any other term, which can be
/// moved but not computed with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Value {
    /// The number, the offset, or the position of the term.
    pub word: u64,
    tag: u32,
}

/// The meaning of the tag of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Number,
    /// Into the object of this place in [`Names`].
    Pointer(u32),
    Term,
    Absent,
}

const NUMBER: u32 = 0;
const TERM: u32 = u32::MAX - 1;
const ABSENT: u32 = u32::MAX;

impl Value {
    /// A register that was not examined yet.
    pub const ABSENT: Value = Value {
        word: 0,
        tag: ABSENT,
    };

    #[inline]
    pub fn number(word: u64) -> Value {
        Value { word, tag: NUMBER }
    }

    #[inline]
    pub fn truth(value: bool) -> Value {
        Value::number(u64::from(value))
    }

    #[inline]
    pub fn pointer(place: u32, offset: u64) -> Value {
        Value {
            word: offset,
            tag: place + 1,
        }
    }

    #[inline]
    pub fn is_number(self) -> bool {
        self.tag == NUMBER
    }

    #[inline]
    pub fn are_numbers(self, other: Value) -> bool {
        self.tag | other.tag == NUMBER
    }

    #[inline]
    pub fn is_absent(self) -> bool {
        self.tag == ABSENT
    }

    #[inline]
    pub fn kind(self) -> Kind {
        match self.tag {
            NUMBER => Kind::Number,
            TERM => Kind::Term,
            ABSENT => Kind::Absent,
            place => Kind::Pointer(place - 1),
        }
    }
}

/// The meaning of tags and positions in values.
#[derive(Default)]
pub(super) struct Names {
    objects: IndexSet<ObjectId, FxBuildHasher>,
    terms: Vec<TermId>,
}

impl Names {
    /// The place of an object. It never changes, so that compiled code may name it.
    pub fn place(&mut self, object: ObjectId) -> u32 {
        let (place, _) = self.objects.insert_full(object);
        u32::try_from(place).expect("there are less than 2^32 objects")
    }

    pub fn object(&self, place: u32) -> ObjectId {
        self.objects[place as usize]
    }

    /// Forgets all terms; values of this kind are worth nothing after that.
    pub fn forget_terms(&mut self) {
        self.terms.clear();
    }

    pub fn import(&mut self, pool: &mut TermPool, memory: &Memory, term: TermId) -> Value {
        if let Some(word) = pool.as_u64(term) {
            return Value::number(word);
        }
        if !pool.is_const(term)
            && let Some(pointer) = Pointer::resolve(pool, memory, term)
            && let Some(offset) = pool.as_u64(pointer.offset)
            // A value of unknown origin is not written as what it points to.
            && pointer.term(pool) == term
        {
            return Value::pointer(self.place(pointer.object), offset);
        }
        self.terms.push(term);
        Value {
            word: self.terms.len() as u64 - 1,
            tag: TERM,
        }
    }

    /// The term of a value; numbers are `bits` wide.
    ///
    /// # Panics
    /// If the value is absent: a defect.
    pub fn export(&self, pool: &mut TermPool, bits: u32, value: Value) -> TermId {
        match value.kind() {
            Kind::Number => pool.bv(bits, value.word),
            Kind::Pointer(place) => {
                let offset = pool.bv(bits, value.word);
                let object = self.object(place);
                Pointer { object, offset }.term(pool)
            }
            Kind::Term => self.terms[usize::try_from(value.word).expect("a position")],
            Kind::Absent => unreachable!("an absent value is not written back"),
        }
    }
}
