//! Objects as bytes, over the memory of the state in which a stretch (concrete execution) began.
//!
//! Pages of an object are read on first access, and written back if they changed. Each byte has a *shape*,
//! which marks the ends of cells, so that the cells written back equal those of ordinary steps.
//!
//! # Deliberately absent
//! Accesses that split a cell which is not a number, and reads of content without a cell or initialiser: they
//! end the stretch.

use super::value::{Names, Value};
use memory::{Memory, Object, ObjectKind};
use std::collections::BTreeMap;
use term::{TermId, TermPool, Work};

/// Bytes of a page.
const PAGE: usize = 64;
/// Larger objects have too many pages to list.
const LARGEST_OBJECT: u64 = 1 << 26;

/// Below all cells, and known.
const BASE: u8 = 1;
/// Below all cells, and not known.
const UNKNOWN: u8 = 2;
/// The first byte of a cell with a number of so many bytes, added.
const START: u8 = 0x10;
/// The first byte of a cell with something else.
const OTHER_START: u8 = 0x20;
/// So many bytes after the start of a cell with a number, added.
const INSIDE: u8 = 0x40;
/// Behind the start of a cell with something else.
const OTHER_INSIDE: u8 = 0x80;

struct Page {
    data: [u8; PAGE],
    shape: [u8; PAGE],
    place: u32,
    number: usize,
    is_dirty: bool,
}

/// An object of which something was touched.
struct Touched {
    bytes: u64,
    is_constant: bool,
    /// Position of each page in [`Bytes::pages`] plus 1; 0 where it was not read yet.
    pages: Vec<u32>,
    /// Cells that are not numbers, by offset, with their size.
    others: BTreeMap<u64, (Value, u32)>,
}

/// The changes of an edge, for undoing it if it cannot be executed to its end.
pub(super) enum Change {
    /// Bytes within a page, the shape as it was.
    Number {
        page: u32,
        at: u8,
        bytes: u8,
        before: u64,
    },
    Byte {
        page: u32,
        at: u8,
        data: u8,
        shape: u8,
    },
    Other {
        place: u32,
        offset: u64,
        before: Option<(Value, u32)>,
    },
}

/// The memory that a stretch works on.
#[derive(Default)]
pub(super) struct Bytes {
    /// By place in [`Names`].
    objects: Vec<Option<Touched>>,
    touched: Vec<u32>,
    pages: Vec<Page>,
}

/// Where the content of objects comes from.
pub(super) struct Source<'s> {
    pub pool: &'s mut TermPool,
    pub memory: &'s Memory,
    pub names: &'s mut Names,
}

/// The number in up to 8 bytes, little-endian.
#[inline]
fn number_in(data: &[u8]) -> u64 {
    match data {
        [a] => u64::from(*a),
        [a, b] => u64::from(u16::from_le_bytes([*a, *b])),
        [a, b, c, d] => u64::from(u32::from_le_bytes([*a, *b, *c, *d])),
        _ => (data.iter().rev()).fold(0, |number, byte| number << 8 | u64::from(*byte)),
    }
}

#[inline]
fn put_number(data: &mut [u8], number: u64) {
    let bytes = number.to_le_bytes();
    match data {
        [a] => *a = bytes[0],
        [a, b] => (*a, *b) = (bytes[0], bytes[1]),
        [a, b, c, d] => (*a, *b, *c, *d) = (bytes[0], bytes[1], bytes[2], bytes[3]),
        _ => data.iter_mut().zip(bytes).for_each(|(to, byte)| *to = byte),
    }
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "objects are small")]
fn page_and_position(offset: u64) -> (usize, usize) {
    (offset as usize / PAGE, offset as usize % PAGE)
}

#[expect(clippy::cast_possible_truncation, reason = "at most a page or a cell")]
fn small(number: usize) -> u8 {
    number as u8
}

impl Bytes {
    /// Forgets everything.
    pub fn clear(&mut self) {
        for place in self.touched.drain(..) {
            self.objects[place as usize] = None;
        }
        self.pages.clear();
    }

    /// How many bytes of memory may have changed, roughly.
    pub fn n_changed(&self) -> usize {
        self.pages.iter().filter(|page| page.is_dirty).count() * PAGE
    }

    fn touched(&self, place: u32) -> Option<&Touched> {
        self.objects.get(place as usize)?.as_ref()
    }

    /// The object at a place, if it can be accessed. Ordinary steps end a path that accesses one
    /// that cannot.
    fn touch(&mut self, source: &Source, place: u32) -> Option<()> {
        if self.touched(place).is_some() {
            return Some(());
        }
        let object = source.memory.object(source.names.object(place))?;
        let bytes = source.pool.as_u64(object.info.bytes)?;
        if !object.alive || object.info.kind == ObjectKind::Function || bytes > LARGEST_OBJECT {
            return None;
        }
        let n_pages = usize::try_from(bytes).ok()?.div_ceil(PAGE);
        if self.objects.len() <= place as usize {
            self.objects.resize_with(place as usize + 1, || None);
        }
        self.objects[place as usize] = Some(Touched {
            bytes,
            is_constant: matches!(object.info.kind, ObjectKind::Constant | ObjectKind::Literal),
            pages: vec![0; n_pages],
            others: BTreeMap::new(),
        });
        self.touched.push(place);
        Some(())
    }

    /// The value in `bytes` bytes, at most 8.
    #[inline]
    pub fn load(
        &mut self,
        source: &mut Source,
        place: u32,
        offset: u64,
        bytes: u32,
    ) -> Option<Value> {
        if let Some(object) = self.touched(place) {
            let (number, at) = page_and_position(offset);
            let end = at + bytes as usize;
            if offset < object.bytes
                && let Some(page) = object.pages[number].checked_sub(1)
                && end <= PAGE
            {
                let page = &self.pages[page as usize];
                if page.shape[at] == START + small(bytes as usize) {
                    return Some(Value::number(number_in(&page.data[at..end])));
                }
            }
        }
        self.load_composed(source, place, offset, bytes)
    }

    #[inline(never)]
    fn load_composed(
        &mut self,
        source: &mut Source,
        place: u32,
        offset: u64,
        bytes: u32,
    ) -> Option<Value> {
        self.check_bounds(source, place, offset, bytes)?;
        let mut number = 0;
        for position in (0..u64::from(bytes)).rev() {
            let (data, shape) = self.byte(source, place, offset + position)?;
            match shape {
                UNKNOWN => return None,
                OTHER_START.. if !(INSIDE..OTHER_INSIDE).contains(&shape) => {
                    let (value, cell_bytes) = *self.touched(place)?.others.get(&offset)?;
                    return (cell_bytes == bytes).then_some(value);
                }
                _ => number = number << 8 | u64::from(data),
            }
        }
        Some(Value::number(number))
    }

    /// Whether an access is within an object that can be accessed.
    fn check_bounds(&mut self, source: &Source, place: u32, offset: u64, bytes: u32) -> Option<()> {
        self.touch(source, place)?;
        let last = self.touched(place)?.bytes.checked_sub(u64::from(bytes))?;
        (offset <= last).then_some(())
    }

    /// A byte within an object that was touched, with its shape.
    fn byte(&mut self, source: &mut Source, place: u32, offset: u64) -> Option<(u8, u8)> {
        let (page, at) = self.page(source, place, offset)?;
        let page = &self.pages[page as usize];
        Some((page.data[at], page.shape[at]))
    }

    /// The page of a byte within an object that was touched, read if it was not yet.
    fn page(&mut self, source: &mut Source, place: u32, offset: u64) -> Option<(u32, usize)> {
        let (number, at) = page_and_position(offset);
        if let Some(page) = self.touched(place)?.pages[number].checked_sub(1) {
            return Some((page, at));
        }
        let object = source.memory.object(source.names.object(place))?;
        source.pool.count_work(Work::PAGE);
        let page = self.read_page(source, place, number, object);
        let position = u32::try_from(self.pages.len()).ok()?;
        self.pages.push(page);
        self.objects[place as usize].as_mut()?.pages[number] = position + 1;
        Some((position, at))
    }

    fn read_page(
        &mut self,
        source: &mut Source,
        place: u32,
        number: usize,
        object: &Object,
    ) -> Page {
        let mut page = Page {
            data: [0; PAGE],
            shape: [UNKNOWN; PAGE],
            place,
            number,
            is_dirty: false,
        };
        let first = (number * PAGE) as u64;
        let bytes = self
            .touched(place)
            .map_or(u64::MAX, |touched| touched.bytes);
        for (offset, at) in (first..bytes).zip(0..PAGE) {
            if let Some(byte) = object.content.base_byte(offset) {
                (page.data[at], page.shape[at]) = (byte, BASE);
            }
        }
        let page_bytes = small(PAGE).into();
        for (start, term) in object.content.overlapping(source.pool, first, page_bytes) {
            let bytes = source.pool.width(term) / 8;
            let value = source.names.import(source.pool, source.memory, term);
            let is_number = value.is_number() && bytes <= 8;
            if !is_number && let Some(object) = &mut self.objects[place as usize] {
                object.others.entry(start).or_insert((value, bytes));
            }
            for position in 0..u64::from(bytes) {
                let Some(at) = (start + position).checked_sub(first) else {
                    continue;
                };
                let (0, at) = page_and_position(at) else {
                    break;
                };
                page.shape[at] = shape(is_number, bytes, position);
                if is_number {
                    page.data[at] = value_byte(value.word, position);
                }
            }
        }
        page
    }

    /// Puts a value into `bytes` bytes, at most 8.
    #[inline]
    pub fn store(
        &mut self,
        source: &mut Source,
        (place, offset, bytes): (u32, u64, u32),
        value: Value,
        log: &mut Vec<Change>,
    ) -> Option<()> {
        if value.is_number()
            && let Some(object) = self.touched(place)
            && !object.is_constant
        {
            let (number, at) = page_and_position(offset);
            let end = at + bytes as usize;
            if offset < object.bytes
                && let Some(position) = object.pages[number].checked_sub(1)
                && end <= PAGE
            {
                let page = &mut self.pages[position as usize];
                if page.shape[at] == START + small(bytes as usize) {
                    let data = &mut page.data[at..end];
                    log.push(Change::Number {
                        page: position,
                        at: small(at),
                        bytes: small(bytes as usize),
                        before: number_in(data),
                    });
                    put_number(data, value.word);
                    page.is_dirty = true;
                    return Some(());
                }
            }
        }
        self.store_cell(source, (place, offset, bytes), value, log)
    }

    /// Makes a cell; what is left of numbers that it cuts becomes cells of single bytes.
    #[inline(never)]
    fn store_cell(
        &mut self,
        source: &mut Source,
        (place, offset, bytes): (u32, u64, u32),
        value: Value,
        log: &mut Vec<Change>,
    ) -> Option<()> {
        self.check_bounds(source, place, offset, bytes)?;
        let object = self.touched(place)?;
        if object.is_constant {
            return None;
        }
        let n_bytes = object.bytes;
        let end = offset + u64::from(bytes);
        // What a page holds is read before cells that reach into it change.
        self.byte(source, place, end - 1)?;
        let (_, first) = self.byte(source, place, offset)?;
        let behind = if end < n_bytes {
            self.byte(source, place, end)?.1
        } else {
            BASE
        };
        if first == OTHER_INSIDE || behind == OTHER_INSIDE {
            return None;
        }
        let mut start = offset;
        if (INSIDE..OTHER_INSIDE).contains(&first) {
            start -= u64::from(first - INSIDE);
        }
        let mut rest = end;
        while rest < n_bytes && (INSIDE..OTHER_INSIDE).contains(&self.byte(source, place, rest)?.1)
        {
            rest += 1;
        }
        for cut in (start..offset).chain(end..rest) {
            let (data, _) = self.byte(source, place, cut)?;
            self.put_byte(source, (place, cut), data, START + 1, log)?;
        }
        let inside = self.touched(place)?.others.range(offset..end);
        let inside: Vec<u64> = inside.map(|(start, _)| *start).collect();
        for start in inside {
            self.put_other(place, start, None, log)?;
        }
        let is_number = value.is_number();
        for position in 0..u64::from(bytes) {
            let data = value_byte(value.word, position);
            let shape = shape(is_number, bytes, position);
            self.put_byte(source, (place, offset + position), data, shape, log)?;
        }
        if !is_number {
            self.put_other(place, offset, Some((value, bytes)), log)?;
        }
        Some(())
    }

    fn put_byte(
        &mut self,
        source: &mut Source,
        (place, offset): (u32, u64),
        data: u8,
        shape: u8,
        log: &mut Vec<Change>,
    ) -> Option<()> {
        let (position, at) = self.page(source, place, offset)?;
        let page = &mut self.pages[position as usize];
        log.push(Change::Byte {
            page: position,
            at: small(at),
            data: page.data[at],
            shape: page.shape[at],
        });
        (page.data[at], page.shape[at]) = (data, shape);
        page.is_dirty = true;
        Some(())
    }

    fn put_other(
        &mut self,
        place: u32,
        offset: u64,
        value: Option<(Value, u32)>,
        log: &mut Vec<Change>,
    ) -> Option<()> {
        let others = &mut self.objects[place as usize].as_mut()?.others;
        let before = match value {
            Some(value) => others.insert(offset, value),
            None => others.remove(&offset),
        };
        log.push(Change::Other {
            place,
            offset,
            before,
        });
        Some(())
    }

    /// Takes a change back; the later ones were taken back before.
    pub fn take_back(&mut self, change: &Change) {
        match *change {
            Change::Number {
                page,
                at,
                bytes,
                before,
            } => {
                let page = &mut self.pages[page as usize];
                put_number(&mut page.data[at.into()..(at + bytes).into()], before);
            }
            Change::Byte {
                page,
                at,
                data,
                shape,
            } => {
                let page = &mut self.pages[page as usize];
                (page.data[usize::from(at)], page.shape[usize::from(at)]) = (data, shape);
            }
            Change::Other {
                place,
                offset,
                before,
            } => {
                if let Some(object) = &mut self.objects[place as usize] {
                    match before {
                        Some(value) => object.others.insert(offset, value),
                        None => object.others.remove(&offset),
                    };
                }
            }
        }
    }

    /// Writes what has changed to a memory that is the source's otherwise.
    pub fn write_back(&self, pool: &mut TermPool, names: &Names, memory: &mut Memory) {
        let mut changed: Vec<(u32, u64, TermId)> = Vec::new();
        for page in self.pages.iter().filter(|page| page.is_dirty) {
            let object = memory.object(names.object(page.place));
            let Some((object, touched)) = object.zip(self.touched(page.place)) else {
                continue;
            };
            for (at, shape) in page.shape.iter().enumerate() {
                let offset = (page.number * PAGE + at) as u64;
                let (value, bytes) = match *shape {
                    OTHER_START => touched.others[&offset],
                    START..OTHER_START => {
                        let bytes = u32::from(shape - START);
                        let Some(number) = self.number_at(touched, offset, bytes) else {
                            continue;
                        };
                        (Value::number(number), bytes)
                    }
                    _ => continue,
                };
                let term = names.export(pool, bytes * 8, value);
                if object.content.cell(pool, offset, bytes) != Some(term) {
                    changed.push((page.place, offset, term));
                }
            }
        }
        for (place, offset, term) in changed {
            let object = memory.object_mut(names.object(place));
            object.write_at(pool, offset, term);
        }
    }

    /// The number in a cell of an object; none where it reaches into a page that was not read, and
    /// so did not change.
    fn number_at(&self, object: &Touched, offset: u64, bytes: u32) -> Option<u64> {
        let mut offsets = (offset..offset + u64::from(bytes)).rev();
        offsets.try_fold(0, |number, offset| {
            let (number_of_page, at) = page_and_position(offset);
            let page = object.pages[number_of_page].checked_sub(1)?;
            Some(number << 8 | u64::from(self.pages[page as usize].data[at]))
        })
    }
}

/// The shape of a byte of a cell.
fn shape(is_number: bool, bytes: u32, position: u64) -> u8 {
    match (is_number, position) {
        (true, 0) => START + small(bytes as usize),
        (true, _) => INSIDE + value_byte(position, 0),
        (false, 0) => OTHER_START,
        (false, _) => OTHER_INSIDE,
    }
}

/// A byte of a little-endian number.
fn value_byte(number: u64, position: u64) -> u8 {
    let shift = u32::try_from(8 * position).unwrap_or(u32::MAX);
    number.checked_shr(shift).unwrap_or(0).to_le_bytes()[0]
}
