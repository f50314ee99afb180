//! Composition: substitution of a state into terms over an entry state.

use super::{EntrySymbols, EntryValue};
use indexmap::IndexMap;
use memory::{Memory, ObjectId, Pointer};
use semantics::State;
use term::{Sort, Substitution, SymbolId, TermId, TermPool};

/// u.θ⟨·⟩: entry symbols are replaced by what the state u holds, further symbols, as path counters,
/// by what they are bound to.
#[derive(Clone)]
pub struct Composition {
    values: IndexMap<SymbolId, TermId>,
    contents: IndexMap<SymbolId, Content>,
    memory: Memory,
}

/// What an entry symbol for the content of an object stands for.
#[derive(Clone, Copy)]
struct Content {
    object: ObjectId,
    /// Bytes of a cell.
    bytes: u32,
    /// Whether it is read at multiples of `bytes` only.
    aligned: bool,
}

impl Substitution for Composition {
    fn symbol(&mut self, pool: &mut TermPool, symbol: SymbolId) -> Option<TermId> {
        if let Some(value) = self.values.get(&symbol) {
            return Some(*value);
        }
        // The content as a whole, under stores or in a comprehension.
        let content = *self.contents.get(&symbol)?;
        let Sort::Array { index, .. } = pool.symbol_sort(symbol) else {
            return None;
        };
        if content.aligned {
            let object = self.memory.object_mut(content.object);
            let flat = object.flatten(pool, content.bytes);
            if flat.cell_bytes == content.bytes {
                self.values.insert(symbol, flat.array);
                return Some(flat.array);
            }
        }
        let at = pool.symbol("j", Sort::Bv(index));
        let at_term = pool.symbol_term(at);
        let read = self.read_content(pool, content, at_term);
        let array = pool.lambda(at, read);
        self.values.insert(symbol, array);
        Some(array)
    }

    fn select(&mut self, pool: &mut TermPool, array: SymbolId, index: TermId) -> Option<TermId> {
        let content = *self.contents.get(&array)?;
        Some(self.read_content(pool, content, index))
    }
}

impl Composition {
    /// The composition with `state`, which has the shape of the entry with these symbols. Those in
    /// `aligned` are arrays that are read at multiples of their cell width only.
    pub fn new(
        pool: &mut TermPool,
        symbols: &EntrySymbols,
        aligned: &[SymbolId],
        state: &State,
    ) -> Composition {
        let mut composition = Composition {
            values: IndexMap::new(),
            contents: IndexMap::new(),
            memory: state.memory.clone(),
        };
        for (symbol, meaning) in symbols {
            let value = match *meaning {
                EntryValue::Register(reg) => state.frame.get(reg),
                EntryValue::Offset(reg) => offset_of(pool, state, state.frame.get(reg)),
                EntryValue::Cell(object, offset, bytes) => {
                    composition.read(pool, object, offset, bytes)
                }
                EntryValue::CellOffset(object, offset, bytes) => {
                    let pointer = composition.read(pool, object, offset, bytes);
                    offset_of(pool, state, pointer)
                }
                EntryValue::Content(object, bytes) => {
                    let content = Content {
                        object,
                        bytes,
                        aligned: aligned.contains(symbol),
                    };
                    composition.contents.insert(*symbol, content);
                    continue;
                }
            };
            composition.values.insert(*symbol, value);
        }
        composition
    }

    /// Says what a further symbol is replaced by.
    pub fn bind(&mut self, symbol: SymbolId, value: TermId) {
        self.values.insert(symbol, value);
    }

    /// Whether it is said what replaces a symbol.
    #[must_use]
    pub fn is_bound(&self, symbol: SymbolId) -> bool {
        self.values.contains_key(&symbol)
    }

    /// The replacement of a symbol.
    ///
    /// # Panics
    /// If it is not bound.
    #[must_use]
    pub fn value(&self, symbol: SymbolId) -> TermId {
        self.values[&symbol]
    }

    /// The memory of the state; reading may have fixed the widths of its cells.
    #[must_use]
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    fn read_content(&mut self, pool: &mut TermPool, content: Content, index: TermId) -> TermId {
        let Content {
            object,
            bytes,
            aligned,
        } = content;
        if aligned {
            self.memory.read_aligned(pool, object, index, bytes)
        } else {
            self.memory.read(pool, object, index, bytes)
        }
    }

    fn read(&mut self, pool: &mut TermPool, object: ObjectId, offset: u64, bytes: u32) -> TermId {
        let address = pool.symbol_term(object);
        let offset = pool.bv(pool.width(address), offset);
        self.memory.read(pool, object, offset, bytes)
    }
}

/// The offset part of a pointer.
fn offset_of(pool: &mut TermPool, state: &State, pointer: TermId) -> TermId {
    let pointer = Pointer::resolve(pool, &state.memory, pointer);
    pointer
        .expect("a state of the template's shape has pointers where it has")
        .offset
}
