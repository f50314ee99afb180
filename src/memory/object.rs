//! One object: cells at constant offsets over a base.

use super::ObjectId;
use super::view::EntryView;
use flowgraph::Span;
use imbl::OrdMap;
use std::cell::Cell;
use std::rc::Rc;
use term::{CmpOp, LookUpTable, Sort, SymbolId, TermId, TermPool};

/// Where an object lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    Global,
    /// A global that the program must not write.
    Constant,
    /// A constant that may lie at the same place as another, if both hold the same.
    Literal,
    Stack,
    Heap(Allocator),
    /// Not made by the program: what a pointer of unknown origin points to.
    Foreign,
    /// A function: it has an address but no bytes to access.
    Function,
}

/// What gave a block of the heap, which tells what may free it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Allocator {
    /// `malloc` and the like: `free`.
    Malloc,
    /// `new` of C++: `delete`.
    New,
    /// `new[]` of C++: `delete[]`.
    NewArray,
    /// The system, for what a program gets from it: `fclose` where it is a stream, otherwise nothing.
    System,
    /// Not known, as in the generic state of a template.
    Any,
}

impl Allocator {
    /// Whether what frees blocks of the one may free those of the other.
    #[must_use]
    pub fn fits(self, other: Allocator) -> bool {
        self == other || self == Allocator::Any || other == Allocator::Any
    }
}

/// The constant attributes of an object.
#[derive(Debug)]
pub struct ObjectInfo {
    /// Stands for the numeric address; also the object's id.
    pub address: ObjectId,
    /// Size in bytes, as wide as a pointer.
    pub bytes: TermId,
    pub name: String,
    pub kind: ObjectKind,
    /// Where the program allocates it; unknown for what is not allocated by the program.
    pub place: Span,
}

/// The contents of an object are a table if there are so many words a word with a value at most.
const SPARSE: u64 = 64;

/// An object.
#[derive(Clone)]
pub struct Object {
    pub info: Rc<ObjectInfo>,
    /// False once it was freed.
    pub alive: bool,
    pub content: Content,
}

/// The content of an object.
#[derive(Clone)]
pub struct Content {
    /// Written at constant byte offsets; the cells do not overlap.
    cells: OrdMap<u64, TermId>,
    /// No cell is wider than this, in bytes.
    widest_cell: u32,
    /// Everything that no cell covers.
    base: Base,
    /// All of the content as one array, where that is up to date.
    flat: Option<FlatArray>,
}

/// An array term over an object, indexed by byte offset at multiples of `cell_bytes`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlatArray {
    pub array: TermId,
    pub cell_bytes: u32,
}

/// The content below the cells.
#[derive(Clone)]
pub enum Base {
    /// All bytes are zero.
    Zero,
    /// These bytes, then zeros.
    Bytes(Rc<[u8]>),
    /// Arbitrary; the array symbol is made at the first access, which decides its cell width.
    Arbitrary(Rc<Arbitrary>),
    Array(FlatArray),
    /// What the object held at the entry of the template that is being computed.
    Entry(Rc<EntryView>),
}

/// Arbitrary content: an input of the program as large as an object.
#[derive(Debug)]
pub struct Arbitrary {
    pub name: String,
    array: Cell<Option<(SymbolId, u32)>>,
}

impl Arbitrary {
    /// Content that nothing has read yet.
    #[must_use]
    pub fn new(name: String) -> Rc<Arbitrary> {
        Rc::new(Arbitrary {
            name,
            array: Cell::new(None),
        })
    }

    /// The array symbol and its cell width in bytes; `None` while nothing has read it.
    #[must_use]
    pub fn symbol(&self) -> Option<(SymbolId, u32)> {
        self.array.get()
    }

    /// The array symbol, with cells of so many bytes where nothing has read it yet; an offset has
    /// so many bits.
    ///
    /// # Panics
    /// If its array is no symbol: a defect.
    #[must_use]
    pub fn begin(&self, pool: &mut TermPool, offset_bits: u32, cell_bytes: u32) -> SymbolId {
        let flat = self.touch(pool, offset_bits, cell_bytes);
        pool.as_symbol(flat.array)
            .expect("arbitrary content is a symbol")
    }

    /// Reads `bytes` bytes at a byte offset.
    #[must_use]
    pub fn read(&self, pool: &mut TermPool, offset: TermId, bytes: u32) -> TermId {
        let flat = self.touch(pool, pool.width(offset), bytes);
        flat.read(pool, offset, bytes)
    }

    fn touch(&self, pool: &mut TermPool, offset_bits: u32, access_bytes: u32) -> FlatArray {
        let (symbol, cell_bytes) = self.array.get().unwrap_or_else(|| {
            let cell_bytes = if access_bytes.is_power_of_two() {
                access_bytes
            } else {
                1
            };
            let sort = Sort::Array {
                index: offset_bits,
                value: cell_bytes * 8,
            };
            let symbol = pool.symbol(&self.name, sort);
            self.array.set(Some((symbol, cell_bytes)));
            (symbol, cell_bytes)
        });
        FlatArray {
            array: pool.symbol_term(symbol),
            cell_bytes,
        }
    }
}

impl Object {
    /// A live object with this base and no cells.
    #[must_use]
    pub fn new(info: ObjectInfo, base: Base) -> Object {
        Object {
            info: Rc::new(info),
            alive: true,
            content: Content::new(base),
        }
    }

    /// The condition that `bytes` bytes at `offset` lie within the object.
    #[must_use]
    pub fn in_bounds(&self, pool: &mut TermPool, offset: TermId, bytes: TermId) -> TermId {
        let fits = pool.compare(CmpOp::Ule, bytes, self.info.bytes);
        let last = pool.sub(self.info.bytes, bytes);
        let inside = pool.compare(CmpOp::Ule, offset, last);
        pool.and(fits, inside)
    }

    pub(super) fn read(&mut self, pool: &mut TermPool, offset: TermId, bytes: u32) -> TermId {
        if let Some(value) = self.content.read_shared(pool, &self.info, offset, bytes) {
            return value;
        }
        let flat = self.content.flatten(pool, &self.info, bytes);
        flat.read(pool, offset, bytes)
    }

    pub(super) fn write(&mut self, pool: &mut TermPool, offset: TermId, value: TermId) {
        let bytes = pool.width(value) / 8;
        if let Some(offset) = pool.as_u64(offset) {
            self.content
                .write_cell(pool, &self.info, offset, value, bytes);
        } else {
            let flat = self
                .content
                .flatten(pool, &self.info, bytes)
                .write(pool, offset, value);
            self.content = Content::new(Base::Array(flat));
        }
    }

    /// Writes a value whose width is a multiple of 8 bits at a constant byte offset.
    pub fn write_at(&mut self, pool: &mut TermPool, offset: u64, value: TermId) {
        let bytes = pool.width(value) / 8;
        self.content
            .write_cell(pool, &self.info, offset, value, bytes);
    }

    /// Takes the cells at these offsets out, which leaves there what lies below.
    pub fn take_cells(&mut self, offsets: &[u64]) -> Vec<(u64, TermId)> {
        self.content.flat = None;
        let cells = &mut self.content.cells;
        let taken = offsets.iter();
        taken
            .filter_map(|offset| Some((*offset, cells.remove(offset)?)))
            .collect()
    }

    /// Replaces the whole content.
    pub fn reset(&mut self, base: Base) {
        self.content = Content::new(base);
    }

    /// All of the content as one array of cells of `cell_bytes` bytes where the object has not
    /// settled for another width yet.
    pub fn flatten(&mut self, pool: &mut TermPool, cell_bytes: u32) -> FlatArray {
        self.content.flatten(pool, &self.info, cell_bytes)
    }
}

impl Content {
    fn new(base: Base) -> Content {
        Content {
            cells: OrdMap::new(),
            widest_cell: 0,
            base,
            flat: None,
        }
    }

    /// The cells written at constant offsets: byte offset and value, by offset.
    pub fn cells(&self) -> impl Iterator<Item = (u64, TermId)> {
        self.cells.iter().map(|(offset, value)| (*offset, *value))
    }

    /// How many cells were written at constant offsets.
    #[must_use]
    pub fn n_cells(&self) -> usize {
        self.cells.len()
    }

    /// The content below the cells.
    #[must_use]
    pub fn base(&self) -> &Base {
        &self.base
    }

    /// The cell of exactly this place and width, where it was written as such.
    #[must_use]
    pub fn cell(&self, pool: &TermPool, offset: u64, bytes: u32) -> Option<TermId> {
        let value = *self.cells.get(&offset)?;
        (pool.width(value) == bytes * 8).then_some(value)
    }

    /// How wide the cells of the underlying array are, or most likely will be, in bytes.
    #[must_use]
    pub fn usual_cell_bytes(&self) -> u32 {
        match (&self.flat, &self.base) {
            (Some(flat), _) | (None, Base::Array(flat)) => flat.cell_bytes,
            (None, Base::Arbitrary(arbitrary)) => arbitrary.symbol().map_or(1, |(_, bytes)| bytes),
            (None, Base::Zero | Base::Bytes(_) | Base::Entry(_)) => 1,
        }
    }

    /// How many bytes from `offset` on, at most `left`, belong together: the cell that starts
    /// there, or as much of the base as no cell covers, in the base's usual width.
    #[must_use]
    pub fn piece_at(&self, pool: &TermPool, offset: u64, left: u64) -> u32 {
        if let Some(value) = self.cells.get(&offset) {
            let bytes = pool.width(*value) / 8;
            if u64::from(bytes) <= left {
                return bytes;
            }
        }
        let usual = match self.usual_cell_bytes() {
            1 if matches!(self.base, Base::Arbitrary(_) | Base::Entry(_)) => 1,
            1 => 4,
            bytes => bytes,
        };
        let fits = offset.is_multiple_of(u64::from(usual)) && u64::from(usual) <= left;
        if fits && self.overlapping(pool, offset, usual).is_empty() {
            usual
        } else {
            1
        }
    }

    /// Reads without changing the object; `None` where the content must be flattened first.
    pub(super) fn read_shared(
        &self,
        pool: &mut TermPool,
        info: &ObjectInfo,
        offset: TermId,
        bytes: u32,
    ) -> Option<TermId> {
        if let Some(constant) = pool.as_u64(offset) {
            return Some(self.read_constant(pool, info, constant, bytes));
        }
        if let Some(flat) = self.flat {
            return Some(flat.read(pool, offset, bytes));
        }
        if !self.cells.is_empty() {
            return None;
        }
        match &self.base {
            Base::Zero => Some(pool.bv(bytes * 8, 0)),
            Base::Bytes(_) => None,
            Base::Arbitrary(arbitrary) => {
                let offset_bits = pool.width(info.bytes);
                Some(
                    arbitrary
                        .touch(pool, offset_bits, bytes)
                        .read(pool, offset, bytes),
                )
            }
            Base::Array(flat) => Some(flat.read(pool, offset, bytes)),
            Base::Entry(view) => Some(view.read(pool, offset, bytes)),
        }
    }

    /// Reads `bytes` bytes at a constant byte offset of the object with this content and `info`.
    #[must_use]
    pub fn read_constant(
        &self,
        pool: &mut TermPool,
        info: &ObjectInfo,
        offset: u64,
        bytes: u32,
    ) -> TermId {
        if let Some(value) = self.cell(pool, offset, bytes) {
            return value;
        }
        if self.overlapping(pool, offset, bytes).is_empty() {
            return self.read_base(pool, info, offset, bytes);
        }
        self.assemble(pool, bytes, |content, pool, position| {
            content.read_byte(pool, info, offset.wrapping_add(u64::from(position)))
        })
    }

    /// Concatenates bytes, the lowest first.
    fn assemble(
        &self,
        pool: &mut TermPool,
        bytes: u32,
        mut byte: impl FnMut(&Content, &mut TermPool, u32) -> TermId,
    ) -> TermId {
        let mut value = byte(self, pool, 0);
        for position in 1..bytes {
            let next = byte(self, pool, position);
            value = pool.concat(next, value);
        }
        value
    }

    fn read_byte(&self, pool: &mut TermPool, info: &ObjectInfo, offset: u64) -> TermId {
        match self.overlapping(pool, offset, 1).first() {
            Some(&(start, value)) => {
                let position = u32::try_from(offset - start).expect("a cell is small");
                pool.extract(position * 8, 8, value)
            }
            None => self.read_base(pool, info, offset, 1),
        }
    }

    /// A byte below the cells, where it is known.
    #[must_use]
    pub fn base_byte(&self, offset: u64) -> Option<u8> {
        match &self.base {
            Base::Zero => Some(0),
            Base::Bytes(data) => Some(byte_at(data, offset)),
            Base::Arbitrary(_) | Base::Array(_) | Base::Entry(_) => None,
        }
    }

    /// The cells that share a byte with the range, by offset.
    #[must_use]
    pub fn overlapping(&self, pool: &TermPool, offset: u64, bytes: u32) -> Vec<(u64, TermId)> {
        if self.cells.is_empty() {
            return Vec::new();
        }
        let end = offset.saturating_add(u64::from(bytes));
        let first = offset.saturating_sub(u64::from(self.widest_cell));
        self.cells
            .range(first..end)
            .filter(|(start, value)| **start + u64::from(pool.width(**value) / 8) > offset)
            .map(|(start, value)| (*start, *value))
            .collect()
    }

    fn read_base(&self, pool: &mut TermPool, info: &ObjectInfo, offset: u64, bytes: u32) -> TermId {
        match &self.base {
            Base::Zero => pool.bv(bytes * 8, 0),
            Base::Bytes(data) => self.assemble(pool, bytes, |_, pool, position| {
                pool.bv(
                    8,
                    u64::from(byte_at(data, offset.wrapping_add(u64::from(position)))),
                )
            }),
            Base::Arbitrary(arbitrary) => {
                let offset_bits = pool.width(info.bytes);
                let offset = pool.bv(offset_bits, offset);
                arbitrary
                    .touch(pool, offset_bits, bytes)
                    .read(pool, offset, bytes)
            }
            Base::Array(flat) => {
                let offset = pool.bv(pool.width(info.bytes), offset);
                flat.read(pool, offset, bytes)
            }
            Base::Entry(view) => {
                let offset = pool.bv(pool.width(info.bytes), offset);
                view.read(pool, offset, bytes)
            }
        }
    }

    fn write_cell(
        &mut self,
        pool: &mut TermPool,
        info: &ObjectInfo,
        offset: u64,
        value: TermId,
        bytes: u32,
    ) {
        self.flat = match self.flat {
            Some(flat) if flat.cell_bytes == bytes && offset.is_multiple_of(u64::from(bytes)) => {
                let index = pool.bv(pool.width(info.bytes), offset);
                Some(FlatArray {
                    array: pool.store(flat.array, index, value),
                    ..flat
                })
            }
            Some(_) | None => None,
        };
        // The usual case: the cell is there already, or nothing is near.
        if let Some(cell) = self.cells.get_mut(&offset)
            && pool.width(*cell) == bytes * 8
        {
            *cell = value;
            return;
        }
        for (start, old) in self.overlapping(pool, offset, bytes) {
            self.cells.remove(&start);
            let end = start + u64::from(pool.width(old) / 8);
            for position in
                (start..end).filter(|byte| !(offset..offset + u64::from(bytes)).contains(byte))
            {
                let low = u32::try_from(position - start).expect("a cell is small") * 8;
                let byte = pool.extract(low, 8, old);
                self.cells.insert(position, byte);
            }
        }
        self.cells.insert(offset, value);
        self.widest_cell = self.widest_cell.max(bytes);
    }

    /// What lies below the cells in words of this many bytes, where a table can have such.
    fn base_words(&self, bytes: u32) -> Option<Vec<u64>> {
        if bytes > 8 {
            return None;
        }
        match &self.base {
            Base::Zero => Some(Vec::new()),
            Base::Bytes(data) => {
                let word = |word: &[u8]| {
                    word.iter()
                        .rev()
                        .fold(0, |value, byte| value << 8 | u64::from(*byte))
                };
                Some(data.chunks(bytes as usize).map(word).collect())
            }
            Base::Arbitrary(_) | Base::Array(_) | Base::Entry(_) => None,
        }
    }

    fn flatten(&mut self, pool: &mut TermPool, info: &ObjectInfo, access_bytes: u32) -> FlatArray {
        if let Some(flat) = self.flat {
            return flat;
        }
        let offset_bits = pool.width(info.bytes);
        let wished = if access_bytes.is_power_of_two() {
            access_bytes
        } else {
            1
        };
        let (mut flat, mut words) = match &self.base {
            Base::Zero | Base::Bytes(_) => {
                let zero = pool.bv(wished * 8, 0);
                let array = pool.const_array(offset_bits, zero);
                let flat = FlatArray {
                    array,
                    cell_bytes: wished,
                };
                (flat, self.base_words(wished))
            }
            Base::Arbitrary(arbitrary) => (arbitrary.touch(pool, offset_bits, access_bytes), None),
            Base::Array(flat) => (*flat, None),
            Base::Entry(view) => (view.flatten(pool, wished), None),
        };
        let width = u64::from(flat.cell_bytes);
        let mut touched: Vec<u64> = Vec::new();
        for (start, value) in &self.cells {
            let end = start + u64::from(pool.width(*value) / 8);
            touched.extend((start - start % width..end).step_by(flat.cell_bytes as usize));
        }
        // A few cells far out do not make a table.
        if let (Some(known), Some(last)) = (&words, touched.iter().max())
            && last / width > SPARSE * (known.len() + touched.len()) as u64
        {
            words = None;
        }
        if let (None, Base::Bytes(data)) = (&words, &self.base) {
            touched.extend((0..data.len() as u64).step_by(flat.cell_bytes as usize));
        }
        touched.sort_unstable();
        touched.dedup();
        let mut unknown = Vec::new();
        for start in touched {
            let value = self.read_constant(pool, info, start, flat.cell_bytes);
            match (&mut words, pool.as_u64(value)) {
                (Some(words), Some(word)) => {
                    let position = usize::try_from(start / width).expect("tables are small");
                    words.resize(words.len().max(position + 1), 0);
                    words[position] = word;
                }
                _ => unknown.push((start, value)),
            }
        }
        if let Some(words) = words {
            flat.array = pool.table(
                offset_bits,
                flat.cell_bytes * 8,
                LookUpTable::new(width, words),
            );
        }
        for (start, value) in unknown {
            let index = pool.bv(offset_bits, start);
            flat.array = pool.store(flat.array, index, value);
        }
        self.flat = Some(flat);
        flat
    }
}

fn byte_at(data: &[u8], offset: u64) -> u8 {
    usize::try_from(offset)
        .ok()
        .and_then(|offset| data.get(offset))
        .copied()
        .unwrap_or(0)
}

impl FlatArray {
    /// Reads `bytes` bytes at a byte offset.
    #[must_use]
    pub fn read(self, pool: &mut TermPool, offset: TermId, bytes: u32) -> TermId {
        let aligned = pool.is_multiple_of(offset, u64::from(self.cell_bytes));
        self.read_if(pool, aligned, offset, bytes)
    }

    /// Reads `bytes` bytes at a byte offset that the caller knows to be a multiple of `bytes`, a
    /// power of two.
    #[must_use]
    pub fn read_aligned(self, pool: &mut TermPool, offset: TermId, bytes: u32) -> TermId {
        let aligned = bytes.is_multiple_of(self.cell_bytes);
        self.read_if(pool, aligned, offset, bytes)
    }

    fn read_if(self, pool: &mut TermPool, aligned: bool, offset: TermId, bytes: u32) -> TermId {
        if aligned && bytes.is_multiple_of(self.cell_bytes) {
            let mut value = pool.select(self.array, offset);
            for position in 1..bytes / self.cell_bytes {
                let index = self.shifted(pool, offset, position * self.cell_bytes);
                let next = pool.select(self.array, index);
                value = pool.concat(next, value);
            }
            return value;
        }
        let mut value = self.read_byte(pool, offset);
        for position in 1..bytes {
            let at = self.shifted(pool, offset, position);
            let next = self.read_byte(pool, at);
            value = pool.concat(next, value);
        }
        value
    }

    /// Writes a value at a byte offset.
    #[must_use]
    pub fn write(self, pool: &mut TermPool, offset: TermId, value: TermId) -> FlatArray {
        let bytes = pool.width(value) / 8;
        let mut flat = self;
        if pool.is_multiple_of(offset, u64::from(self.cell_bytes))
            && bytes.is_multiple_of(self.cell_bytes)
        {
            for position in (0..bytes).step_by(self.cell_bytes as usize) {
                let index = self.shifted(pool, offset, position);
                let cell = pool.extract(position * 8, self.cell_bytes * 8, value);
                flat.array = pool.store(flat.array, index, cell);
            }
            return flat;
        }
        for position in 0..bytes {
            let at = self.shifted(pool, offset, position);
            let byte = pool.extract(position * 8, 8, value);
            flat = flat.write_byte(pool, at, byte);
        }
        flat
    }

    fn shifted(self, pool: &mut TermPool, offset: TermId, by: u32) -> TermId {
        let by = pool.bv(pool.width(offset), u64::from(by));
        pool.add(offset, by)
    }

    /// The index of the cell that holds a byte, and the byte's shift in it, as wide as a cell.
    fn cell_of(self, pool: &mut TermPool, offset: TermId) -> (TermId, TermId) {
        let bits = pool.width(offset);
        let low = pool.bv(bits, u64::from(self.cell_bytes) - 1);
        let within = pool.and(offset, low);
        let index = pool.sub(offset, within);
        let cell_bits = self.cell_bytes * 8;
        let within = if cell_bits <= bits {
            pool.extract(0, cell_bits, within)
        } else {
            pool.cast(term::CastOp::ZExt, cell_bits, within)
        };
        let eight = pool.bv(cell_bits, 8);
        (index, pool.mul(within, eight))
    }

    fn read_byte(self, pool: &mut TermPool, offset: TermId) -> TermId {
        let (index, shift) = self.cell_of(pool, offset);
        let cell = pool.select(self.array, index);
        let shifted = pool.binary(term::BinOp::LShr, cell, shift);
        pool.extract(0, 8, shifted)
    }

    fn write_byte(self, pool: &mut TermPool, offset: TermId, byte: TermId) -> FlatArray {
        use term::{BinOp, CastOp};
        let cell_bits = self.cell_bytes * 8;
        let (index, shift) = self.cell_of(pool, offset);
        let cell = pool.select(self.array, index);
        let low_byte = pool.bv(cell_bits, 0xff);
        let hole = pool.binary(BinOp::Shl, low_byte, shift);
        let keep = pool.not(hole);
        let kept = pool.and(cell, keep);
        let wide = pool.cast(CastOp::ZExt, cell_bits, byte);
        let placed = pool.binary(BinOp::Shl, wide, shift);
        let value = pool.or(kept, placed);
        FlatArray {
            array: pool.store(self.array, index, value),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::{Assignment, Bv};

    #[test]
    fn a_cell_far_behind_the_initial_bytes_leaves_them_there() {
        let mut pool = TermPool::new();
        let address = pool.symbol("&text", Sort::Bv(64));
        let info = ObjectInfo {
            address,
            bytes: pool.bv(64, 100_000),
            name: "text".to_owned(),
            kind: ObjectKind::Global,
            place: Span::UNKNOWN,
        };
        let mut object = Object::new(info, Base::Bytes(b"abc".as_slice().into()));
        let last = pool.bv(8, u64::from(b'z'));
        object.write_at(&mut pool, 99_999, last);
        let index = pool.symbol("k", Sort::Bv(64));
        let offset = pool.symbol_term(index);
        let read = object.read(&mut pool, offset, 1);
        for (at, expected) in [(0, b'a'), (2, b'c'), (3, 0), (99_999, b'z')] {
            let mut assignment = Assignment::new();
            assignment.set(index, Bv::new(64, at));
            let value = pool.evaluate(read, &assignment);
            assert_eq!(value, Ok(Bv::new(8, u64::from(expected))), "at {at}");
        }
    }
}
