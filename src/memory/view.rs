//! The content of an object as it was at the entry of a template.
//!
//! While a template is computed, the content of memory at its entry is unknown: a read at a constant offset
//! gives an entry symbol for that cell, a read at a symbolic offset a select from an array symbol of the
//! access's width. The log maps entry symbols to reads, so that a template can be applied to any state of the
//! same shape.
//!
//! Reads of different widths at the same bytes give unrelated symbols. This is exact when a template is
//! applied, since each is replaced by the actual bytes; only fewer infeasible cores are recognised in
//! advance.

use super::object::FlatArray;
use super::{Memory, ObjectId, Pointer};
use indexmap::IndexMap;
use std::cell::RefCell;
use std::rc::Rc;
use term::{Sort, SymbolId, TermId, TermPool};

/// One object at a template's entry.
pub struct EntryView {
    object: ObjectId,
    name: String,
    /// The memory of the state for which the template is computed. Only the provenance of
    /// pointers is taken from it.
    model: Memory,
    log: Rc<ViewLog>,
}

/// Which entry symbols were made for what, over all objects of one template.
#[derive(Default)]
pub struct ViewLog {
    /// By (object, byte offset, bytes).
    pub cells: RefCell<IndexMap<(ObjectId, u64, u32), CellEntry>>,
    /// Array symbols by (object, bytes of a cell).
    pub arrays: RefCell<IndexMap<(ObjectId, u32), SymbolId>>,
}

/// The entry symbol of a cell.
#[derive(Clone, Copy, Debug)]
pub struct CellEntry {
    /// Stands for the cell's value, or for the offset of the pointer in it.
    pub symbol: SymbolId,
    /// The object that a pointer in the cell points into.
    pub points_to: Option<ObjectId>,
}

impl EntryView {
    /// The view of `object` for a template that is computed for a state with memory `model`.
    #[must_use]
    pub fn new(object: ObjectId, name: String, model: Memory, log: Rc<ViewLog>) -> EntryView {
        EntryView {
            object,
            name,
            model,
            log,
        }
    }

    /// The object that is viewed.
    #[must_use]
    pub fn object(&self) -> ObjectId {
        self.object
    }

    pub(super) fn read(&self, pool: &mut TermPool, offset: TermId, bytes: u32) -> TermId {
        match pool.as_u64(offset) {
            Some(constant) => self.read_cell(pool, constant, bytes, pool.width(offset)),
            None => {
                let flat = self.flatten(pool, bytes);
                pool.select(flat.array, offset)
            }
        }
    }

    fn read_cell(&self, pool: &mut TermPool, offset: u64, bytes: u32, pointer_bits: u32) -> TermId {
        let key = (self.object, offset, bytes);
        let known = self.log.cells.borrow().get(&key).copied();
        let entry = known.unwrap_or_else(|| {
            let points_to = (bytes * 8 == pointer_bits)
                .then(|| {
                    let cell = self
                        .model
                        .object(self.object)?
                        .content
                        .cell(pool, offset, bytes)?;
                    Pointer::resolve(pool, &self.model, cell)
                })
                .flatten()
                .map(|pointer| pointer.object);
            let name = if offset == 0 {
                self.name.clone()
            } else {
                format!("{}+{offset}", self.name)
            };
            let symbol = pool.symbol(&name, Sort::Bv(bytes * 8));
            let entry = CellEntry { symbol, points_to };
            self.log.cells.borrow_mut().insert(key, entry);
            entry
        });
        let symbol = pool.symbol_term(entry.symbol);
        match entry.points_to {
            Some(object) => Pointer {
                object,
                offset: symbol,
            }
            .term(pool),
            None => symbol,
        }
    }

    /// The entry content as an array whose cells have the width of the access, at every offset.
    pub(super) fn flatten(&self, pool: &mut TermPool, bytes: u32) -> FlatArray {
        let symbol = self.log.content(pool, self.object, bytes);
        FlatArray {
            array: pool.symbol_term(symbol),
            cell_bytes: bytes,
        }
    }
}

impl ViewLog {
    /// The symbol of an object's content as an array of cells of this many bytes.
    pub fn content(&self, pool: &mut TermPool, object: ObjectId, bytes: u32) -> SymbolId {
        let key = (object, bytes);
        let known = self.arrays.borrow().get(&key).copied();
        known.unwrap_or_else(|| {
            // The address is named after the object.
            let name = pool.symbol_name(object).trim_start_matches('&').to_owned();
            let index = pool.width(pool.symbol_term(object));
            let value = bytes * 8;
            let symbol = pool.symbol(&name, Sort::Array { index, value });
            self.arrays.borrow_mut().insert(key, symbol);
            symbol
        })
    }
}
