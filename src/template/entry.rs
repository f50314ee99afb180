//! The entry of a template: a state in which every value is a symbol.

use flowgraph::{RegId, Span};
use indexmap::{IndexMap, IndexSet};
use memory::{
    Allocator, Arbitrary, Base, EntryView, Memory, Object, ObjectId, ObjectInfo, ObjectKind,
    Pointer, ViewLog,
};
use semantics::{Location, Machine, PathCondition, State};
use std::rc::Rc;
use term::{Sort, SymbolId, TermId, TermPool, Work};

/// The meaning of an entry symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryValue {
    /// The value of a register.
    Register(RegId),
    /// The byte offset of the pointer in a register.
    Offset(RegId),
    /// The value of a cell: object, byte offset, bytes.
    Cell(ObjectId, u64, u32),
    /// The byte offset of the pointer in a cell.
    CellOffset(ObjectId, u64, u32),
    /// The content of an object as an array of cells of this many bytes, at every byte offset.
    Content(ObjectId, u32),
}

/// Entry symbols with their meaning, in order of creation.
pub type EntrySymbols = IndexMap<SymbolId, EntryValue>;

/// What a state must have in common with the one for which a template was computed.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Shape {
    /// For each live register of pointer type: the object that it points into.
    pub registers: Vec<(RegId, Option<ObjectId>)>,
    /// Powers of two that divide the offsets of the pointers in registers.
    pub alignments: Vec<(RegId, u64)>,
    /// Byte offsets of the pointers in registers, where they are kept ([`Assumed::fixed`]).
    pub offsets: Vec<(RegId, u64)>,
    /// For each cell of pointer width that an iteration reads: the object that it points into.
    pub cells: Vec<((ObjectId, u64, u32), Option<ObjectId>)>,
    /// Objects that an iteration accesses; they are alive.
    pub objects: Vec<ObjectId>,
}

impl Shape {
    /// Whether a state has this shape.
    #[must_use]
    pub fn matches(&self, pool: &mut TermPool, state: &State) -> bool {
        self.registers
            .iter()
            .all(|(reg, object)| points_into(pool, &state.memory, state.frame.get(*reg)) == *object)
            && self.alignments.iter().all(|(reg, divisor)| {
                let pointer = Pointer::resolve(pool, &state.memory, state.frame.get(*reg));
                pointer.is_some_and(|pointer| pool.is_multiple_of(pointer.offset, *divisor))
            })
            && self.offsets.iter().all(|(reg, offset)| {
                constant_offset(pool, &state.memory, state.frame.get(*reg)) == Some(*offset)
            })
            && self.objects.iter().all(|object| {
                state
                    .memory
                    .object(*object)
                    .is_some_and(|object| object.alive)
            })
            && self.cells.iter().all(|((object, offset, bytes), target)| {
                let content = state.memory.object(*object).map(|object| &object.content);
                let cell = content.and_then(|content| content.cell(pool, *offset, *bytes));
                let found = cell.and_then(|cell| points_into(pool, &state.memory, cell));
                found == *target
            })
    }
}

/// The largest power of two, up to a limit, that certainly divides an offset.
fn alignment(pool: &TermPool, offset: TermId, limit: u64) -> u64 {
    let mut divisor = limit;
    while divisor > 1 && !pool.is_multiple_of(offset, divisor) {
        divisor /= 2;
    }
    divisor
}

fn points_into(pool: &mut TermPool, memory: &Memory, value: TermId) -> Option<ObjectId> {
    Pointer::resolve(pool, memory, value).map(|pointer| pointer.object)
}

/// The byte offset of a pointer within its object, where it is a constant.
pub(super) fn constant_offset(pool: &mut TermPool, memory: &Memory, value: TermId) -> Option<u64> {
    let pointer = Pointer::resolve(pool, memory, value)?;
    pool.as_u64(pointer.offset)
}

/// Data about pointers in registers that an entry takes from its model, in addition to the objects.
#[derive(Clone, Default, Debug)]
pub struct Assumed {
    /// The powers of two that divide offsets, up to a limit for a register.
    pub alignments: IndexMap<RegId, u64>,
    /// The registers whose offset is kept, where it is a constant and no iteration changes it: what an
    /// iteration accesses there is a cell then, and not an element of an array.
    pub fixed: IndexSet<RegId>,
}

impl Assumed {
    /// Gives up what an iteration that ends in this state does not keep; whether there was something.
    pub fn weaken(&mut self, pool: &mut TermPool, entry: &Entry, end: &State) -> bool {
        let misaligned = entry.misaligned(pool, end);
        let moved: Vec<RegId> = entry.moved(end).collect();
        let is_less = !misaligned.is_empty() || !moved.is_empty();
        for (reg, kept) in misaligned {
            let limit = self.alignments.entry(reg).or_insert(kept);
            *limit = kept.min(*limit);
        }
        self.fixed.retain(|reg| !moved.contains(reg));
        is_less
    }
}

/// The entry state of a template, and what its symbols mean.
pub struct Entry {
    pub state: State,
    registers: IndexMap<SymbolId, EntryValue>,
    shape: Vec<(RegId, Option<ObjectId>)>,
    alignments: Vec<(RegId, u64)>,
    offsets: Vec<(RegId, u64)>,
    log: Rc<ViewLog>,
}

/// Alignment beyond this many bytes is of no use.
const WIDEST_ALIGNMENT: u64 = 16;

/// Work for an object of the entry memory. A parser of XML with thousands of cycles and hundreds of objects
/// spent seconds on entries.
const OBJECT: Work = Work::units(500);

impl Entry {
    /// The entry state with the shape of `model`: the live registers and the whole memory hold
    /// symbols, but pointers keep their objects, and of their offsets what is assumed.
    pub fn like(
        machine: &Machine,
        pool: &mut TermPool,
        model: &State,
        live: &[RegId],
        assumed: &Assumed,
    ) -> Entry {
        let function = &machine.program.functions[model.location.function.index()];
        let mut state = machine.state_at_entry(model.location.function);
        state.location = model.location;
        state.path_cond = PathCondition::default();
        let mut registers = IndexMap::new();
        let mut shape = Vec::new();
        let mut alignments = Vec::new();
        let mut offsets = Vec::new();
        for reg in live {
            let data = &function.regs[reg.index()];
            let pointer = data
                .pointer
                .then(|| Pointer::resolve(pool, &model.memory, model.frame.get(*reg)));
            let sort = Sort::Bv(data.bits);
            if let Some(Some(pointer)) = pointer
                && assumed.fixed.contains(reg)
                && let Some(offset) = pool.as_u64(pointer.offset)
            {
                shape.push((*reg, Some(pointer.object)));
                offsets.push((*reg, offset));
                state.frame.set(*reg, pointer.term(pool));
                continue;
            }
            let (symbol, value, meaning) = if let Some(Some(pointer)) = pointer {
                let limit = assumed
                    .alignments
                    .get(reg)
                    .copied()
                    .unwrap_or(WIDEST_ALIGNMENT);
                let divisor = alignment(pool, pointer.offset, limit);
                alignments.push((*reg, divisor));
                let symbol = pool.symbol_multiple_of(&data.name, sort, divisor);
                let offset = pool.symbol_term(symbol);
                let value = Pointer { offset, ..pointer }.term(pool);
                (symbol, value, EntryValue::Offset(*reg))
            } else {
                let symbol = pool.symbol(&data.name, sort);
                (symbol, pool.symbol_term(symbol), EntryValue::Register(*reg))
            };
            if let Some(pointer) = pointer {
                shape.push((*reg, pointer.map(|pointer| pointer.object)));
            }
            state.frame.set(*reg, value);
            registers.insert(symbol, meaning);
        }
        let log = Rc::new(ViewLog::default());
        state.memory = model.memory.clone();
        let objects: Vec<(ObjectId, String)> = model
            .memory
            .objects()
            .map(|(id, object)| (id, object.info.name.clone()))
            .collect();
        pool.count_work(OBJECT * u64::try_from(objects.len()).unwrap_or(u64::MAX));
        for (id, name) in objects {
            let view = EntryView::new(id, name, model.memory.clone(), Rc::clone(&log));
            state
                .memory
                .object_mut(id)
                .reset(Base::Entry(Rc::new(view)));
        }
        Entry {
            state,
            registers,
            shape,
            alignments,
            offsets,
            log,
        }
    }

    /// The registers whose offset was kept and that an iteration changes.
    fn moved(&self, end: &State) -> impl Iterator<Item = RegId> {
        let start = &self.state.frame;
        let fixed = self.offsets.iter().map(|(reg, _)| *reg);
        fixed.filter(|reg| end.frame.get(*reg) != start.get(*reg))
    }

    /// The registers whose pointers an iteration moves off the alignment that was assumed, with the
    /// alignment that they keep.
    fn misaligned(&self, pool: &mut TermPool, end: &State) -> Vec<(RegId, u64)> {
        let mut found = Vec::new();
        for (reg, divisor) in &self.alignments {
            if let Some(pointer) = Pointer::resolve(pool, &end.memory, end.frame.get(*reg)) {
                let kept = alignment(pool, pointer.offset, *divisor);
                if kept < *divisor {
                    found.push((*reg, kept));
                }
            }
        }
        found
    }

    /// All entry symbols made so far.
    pub fn symbols(&self) -> EntrySymbols {
        let mut symbols = self.registers.clone();
        for ((object, offset, bytes), entry) in self.log.cells.borrow().iter() {
            let meaning = match entry.points_to {
                Some(_) => EntryValue::CellOffset(*object, *offset, *bytes),
                None => EntryValue::Cell(*object, *offset, *bytes),
            };
            symbols.insert(entry.symbol, meaning);
        }
        for ((object, bytes), symbol) in self.log.arrays.borrow().iter() {
            symbols.insert(*symbol, EntryValue::Content(*object, *bytes));
        }
        symbols
    }

    /// The shape as far as it mattered so far. `written` are objects that an iteration writes.
    pub fn shape(&self, pointer_bits: u32, written: impl IntoIterator<Item = ObjectId>) -> Shape {
        let cells = self.log.cells.borrow();
        let arrays = self.log.arrays.borrow();
        let mut objects: Vec<ObjectId> = cells.keys().map(|(object, _, _)| *object).collect();
        objects.extend(arrays.keys().map(|(object, _)| *object));
        objects.extend(written);
        objects.sort_unstable();
        objects.dedup();
        let cells = cells
            .iter()
            .filter(|((_, _, bytes), _)| bytes * 8 == pointer_bits)
            .map(|(key, entry)| (*key, entry.points_to))
            .collect();
        Shape {
            registers: self.shape.clone(),
            alignments: self.alignments.clone(),
            offsets: self.offsets.clone(),
            cells,
            objects,
        }
    }

    /// Whether an iteration read an object at an offset that is not constant.
    pub fn reads_as_array(&self, object: ObjectId) -> bool {
        self.log.arrays.borrow().keys().any(|(id, _)| *id == object)
    }

    /// The widths in bytes at which an iteration read an object at offsets that are not constant.
    pub fn array_widths(&self, object: ObjectId) -> Vec<u32> {
        let arrays = self.log.arrays.borrow();
        let widths = arrays.keys().filter(|(id, _)| *id == object);
        widths.map(|(_, bytes)| *bytes).collect()
    }

    /// The symbol of an object's entry content as an array of cells of this many bytes.
    pub fn content_symbol(&self, pool: &mut TermPool, object: ObjectId, bytes: u32) -> SymbolId {
        self.log.content(pool, object, bytes)
    }

    /// The cells of an object that an iteration read: byte offset and bytes.
    pub fn cells_read(&self, object: ObjectId) -> Vec<(u64, u32)> {
        let cells = self.log.cells.borrow();
        cells
            .keys()
            .filter(|(id, _, _)| *id == object)
            .map(|(_, offset, bytes)| (*offset, *bytes))
            .collect()
    }
}

/// A state at a location of which nothing is known: every pointer register that is live points
/// to the start of a separate object, of arbitrary size and content. The paper computes its
/// templates for such states.
pub fn generic_state(
    machine: &Machine,
    pool: &mut TermPool,
    location: Location,
    live: &[RegId],
) -> State {
    let mut state = machine.initial_state(pool);
    let at = machine.state_at_entry(location.function);
    state.frame = at.frame;
    state.location = location;
    let function = &machine.program.functions[location.function.index()];
    let pointer_sort = Sort::Bv(machine.program.pointer_bits);
    for reg in live {
        let data = &function.regs[reg.index()];
        let value = if data.pointer {
            let address = pool.symbol(&format!("&*{}", data.name), pointer_sort);
            let bytes = pool.fresh(&format!("|{}|", data.name), pointer_sort);
            let info = ObjectInfo {
                address,
                bytes,
                name: data.name.clone(),
                kind: ObjectKind::Heap(Allocator::Any),
                place: Span::UNKNOWN,
            };
            let content = Base::Arbitrary(Arbitrary::new(data.name.clone()));
            state.memory.insert(Object::new(info, content));
            pool.symbol_term(address)
        } else {
            pool.fresh(&data.name, Sort::Bv(data.bits))
        };
        state.frame.set(*reg, value);
    }
    state
}
