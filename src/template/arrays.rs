//! Objects that a core writes as arrays, and their closed forms.

use super::carried::Carried;
use super::comprehension::{
    IterationStore, comprehension, iterations_interfere, reads_of, stores_over, wraps_around,
};
use super::compute::{cells_of, written};
use super::entry::Entry;
use super::iteration::{Iteration, IterationExit};
use super::progression::Progressions;
use super::{EntryValue, MemoryObstacle, NoTemplate};
use indexmap::IndexMap;
use memory::{Base, Memory, ObjectId};
use semantics::{Admission, Oracle};
use term::{SymbolId, Term, TermId, TermPool};

/// The objects that an iteration or an exit writes at offsets that are not constant, or writes at
/// constant ones and reads at others.
pub struct WrittenArrays {
    /// Cell width in bytes and the symbol of the entry content, by object.
    objects: IndexMap<ObjectId, (u32, SymbolId)>,
    /// Entry symbols of single cells of these objects, as reads of the entry content.
    cells: IndexMap<SymbolId, TermId>,
}

impl WrittenArrays {
    pub(super) fn of(
        pool: &mut TermPool,
        entry: &Entry,
        iteration: &Iteration,
        ways: &[IterationExit],
    ) -> Result<WrittenArrays, NoTemplate> {
        let ends = ways.iter().map(|way| &way.state.memory);
        let memories: Vec<&Memory> = [&iteration.end.memory].into_iter().chain(ends).collect();
        let widths = array_widths(pool, entry, &memories);
        let refused = widths.iter().find(|(_, width)| width.is_none());
        if let Some((id, _)) = refused {
            let mut objects = memories.iter().filter_map(|memory| memory.object(*id));
            let name = objects.next().map(|object| object.info.name.clone());
            return Err(NoTemplate::WritesArray {
                object: name.unwrap_or_default(),
                why: MemoryObstacle::Widths,
                span: iteration.span,
            });
        }
        Ok(WrittenArrays::with_widths(pool, entry, &widths))
    }

    /// The same for iterations that end with these memories, without the objects whose accesses
    /// differ in width.
    #[must_use]
    pub fn among(pool: &mut TermPool, entry: &Entry, memories: &[&Memory]) -> WrittenArrays {
        let widths = array_widths(pool, entry, memories);
        WrittenArrays::with_widths(pool, entry, &widths)
    }

    fn with_widths(
        pool: &mut TermPool,
        entry: &Entry,
        widths: &IndexMap<ObjectId, Option<u32>>,
    ) -> WrittenArrays {
        let widths = widths
            .iter()
            .filter_map(|(id, width)| Some((*id, (*width)?)));
        let mut objects = IndexMap::new();
        for (id, width) in widths {
            let symbol = entry.content_symbol(pool, id, width);
            objects.insert(id, (width, symbol));
        }
        let mut cells = IndexMap::new();
        for (symbol, meaning) in entry.symbols() {
            if let EntryValue::Cell(id, offset, bytes) = meaning
                && let Some((width, content)) = objects.get(&id)
                && bytes == *width
                && offset % u64::from(bytes) == 0
            {
                let content = pool.symbol_term(*content);
                let address = pool.symbol_term(id);
                let offset = pool.bv(pool.width(address), offset);
                cells.insert(symbol, pool.select(content, offset));
            }
        }
        WrittenArrays { objects, cells }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// Cell width in bytes and the symbol of the entry content.
    #[must_use]
    pub fn content(&self, object: ObjectId) -> Option<(u32, SymbolId)> {
        self.objects.get(&object).copied()
    }

    /// The symbols of single cells of an object, as reads of the entry content.
    pub fn cells_of(&self, pool: &TermPool, object: ObjectId) -> Vec<(SymbolId, TermId)> {
        let content = self.content(object).map(|(_, symbol)| symbol);
        let is_read = |read: &TermId| match pool.view(*read) {
            Term::Select(array, _) => content.is_some() && pool.as_symbol(array) == content,
            _ => false,
        };
        let cells = self.cells.iter().map(|(symbol, read)| (*symbol, *read));
        cells.filter(|(_, read)| is_read(read)).collect()
    }

    pub fn contains(&self, object: ObjectId) -> bool {
        self.objects.contains_key(&object)
    }

    pub fn objects(&self) -> impl Iterator<Item = ObjectId> {
        self.objects.keys().copied()
    }

    /// The objects with their cell widths in bytes.
    pub fn cells(&self) -> impl Iterator<Item = (ObjectId, u32)> {
        self.objects
            .iter()
            .map(|(object, (width, _))| (*object, *width))
    }

    /// The symbols of the entry contents.
    pub fn contents(&self) -> impl Iterator<Item = SymbolId> {
        self.objects.values().map(|(_, symbol)| *symbol)
    }

    /// The whole content of an object in `memory`, over its entry content; `None` for a view of
    /// another width than that of the array.
    pub fn content_after(
        &self,
        pool: &mut TermPool,
        memory: &Memory,
        object: ObjectId,
        bytes: u32,
    ) -> Option<TermId> {
        let (width, _) = self.objects[&object];
        if bytes != width {
            return None;
        }
        let flat = memory.clone().object_mut(object).flatten(pool, width);
        (flat.cell_bytes == width).then_some(flat.array)
    }

    /// Gives the arrays their closed forms. Without an oracle only what the offsets and values
    /// need is closed, to learn how wide κ has to be; the arrays then stand for themselves.
    ///
    /// # Errors
    /// The object that has none, and why.
    pub(super) fn close(
        &self,
        pool: &mut TermPool,
        mut oracle: Option<&mut dyn Oracle>,
        progressions: &mut Progressions,
        path_cond: TermId,
    ) -> Result<(), (ObjectId, MemoryObstacle)> {
        for (symbol, read) in &self.cells {
            progressions.same_as.insert(*symbol, *read);
        }
        for (width, symbol) in self.objects.values() {
            progressions.aligned.insert(*symbol, u64::from(*width));
        }
        let condition = self.scalar_part(pool, progressions, path_cond);
        let mut open: Vec<ObjectId> = self.objects.keys().copied().collect();
        while !open.is_empty() {
            let before = open.len();
            let mut left = Vec::new();
            for object in open {
                let (_, symbol) = self.objects[&object];
                let step = progressions.step[&symbol].ok_or((object, MemoryObstacle::Widths))?;
                let waits = left
                    .iter()
                    .any(|other: &ObjectId| pool.symbols_of(step).contains(&self.objects[other].1));
                let closed = !waits
                    && self
                        .close_one(pool, &mut oracle, progressions, object, condition, true)
                        .map_err(|why| (object, why))?;
                if !closed {
                    left.push(object);
                }
            }
            if left.len() == before {
                return Err((left[0], MemoryObstacle::EachOther));
            }
            open = left;
        }
        Ok(())
    }

    /// Gives one array its closed form, where it has one that depends on no other array without.
    /// `condition` is that of an iteration. Between two of these there may be other iterations.
    pub fn close_alone(
        &self,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        progressions: &mut Progressions,
        object: ObjectId,
        condition: TermId,
    ) -> Option<TermId> {
        let (width, content) = self.content(object)?;
        for (symbol, read) in &self.cells {
            progressions.same_as.insert(*symbol, *read);
        }
        progressions.aligned.insert(content, u64::from(width));
        let condition = self.scalar_part(pool, progressions, condition);
        let oracle = &mut Some(oracle);
        let closed = self.close_one(pool, oracle, progressions, object, condition, false);
        if !closed.ok()? {
            return None;
        }
        let (_, value) = progressions.closed_form(pool, content).ok()?;
        Some(value)
    }

    /// The closed form of one array; false where it depends on another array that has none yet. `follow`:
    /// iterations follow each other directly, so that a value may be carried from one to the next.
    fn close_one(
        &self,
        pool: &mut TermPool,
        oracle: &mut Option<&mut dyn Oracle>,
        progressions: &mut Progressions,
        object: ObjectId,
        condition: TermId,
        follow: bool,
    ) -> Result<bool, MemoryObstacle> {
        let (width, content) = self.objects[&object];
        let step = progressions.step[&content].ok_or(MemoryObstacle::Widths)?;
        if step == pool.symbol_term(content) {
            return Ok(true);
        }
        let others = self
            .contents()
            .filter(|other| *other != content && !progressions.is_closed(*other));
        let others: Vec<SymbolId> = others.collect();
        if pool
            .symbols_of(step)
            .iter()
            .any(|symbol| others.contains(symbol))
        {
            return Ok(false);
        }
        // While the values are closed, the entry content stands for itself.
        let sort = pool.symbol_sort(content);
        let stand_in = pool.symbol("A", sort);
        let mut hide: IndexMap<SymbolId, TermId> =
            IndexMap::from([(content, pool.symbol_term(stand_in))]);
        let chain = stores_over(pool, content, step).ok_or(MemoryObstacle::Whole)?;
        let is_only = chain.len() == 1;
        let mut stores = Vec::new();
        // Where each reads, and what is carried.
        let mut reads = Vec::new();
        let mut carried = None;
        for (offset, value) in chain {
            if !pool.is_multiple_of(offset, u64::from(width)) {
                return Err(MemoryObstacle::Widths);
            }
            let value = progressions.resolve_same(pool, value);
            let mut value = pool.substitute(value, &mut hide);
            let read = reads_of(pool, stand_in, value);
            if !read
                .iter()
                .all(|read| pool.is_multiple_of(*read, u64::from(width)))
            {
                return Err(MemoryObstacle::Widths);
            }
            let offset = progressions.after(pool, offset);
            let offset = offset.map_err(|_| MemoryObstacle::Offset)?;
            if follow && is_only {
                carried = Carried::of(pool, progressions, stand_in, offset, value);
                value = carried.as_ref().map_or(value, |carried| carried.value);
            }
            let mut others = Vec::new();
            for read in reads_of(pool, stand_in, value) {
                let read = progressions.after(pool, read);
                others.push(read.map_err(|_| MemoryObstacle::Value)?);
            }
            reads.push(others);
            let value = progressions.after(pool, value);
            let value = value.map_err(|_| MemoryObstacle::Value)?;
            stores.push(IterationStore { offset, value });
        }
        let Some(oracle) = oracle else {
            progressions.close_array(content, pool.symbol_term(content));
            return Ok(true);
        };
        let kappa = progressions.kappa;
        let mut may_meet = |pool: &mut TermPool, earlier: TermId, later: TermId| {
            let meet = iterations_interfere(pool, *oracle, kappa, condition, earlier, later);
            meet != Admission::Infeasible
        };
        let mut overwritten = Vec::new();
        for (position, store) in stores.iter().enumerate() {
            let meets_itself = wraps_around(pool, store.offset, kappa)
                && may_meet(pool, store.offset, store.offset);
            let mut is_written =
                |read: &TermId| stores.iter().any(|by| may_meet(pool, by.offset, *read));
            if meets_itself || reads[position].iter().any(&mut is_written) {
                return Err(MemoryObstacle::Interferes);
            }
            for (behind, other) in stores.iter().enumerate().skip(position + 1) {
                if may_meet(pool, other.offset, store.offset) {
                    overwritten.push((position, behind));
                }
            }
        }
        let mut show: IndexMap<SymbolId, TermId> =
            IndexMap::from([(stand_in, pool.symbol_term(content))]);
        for store in &mut stores {
            if let Some(carried) = &carried {
                store.value = carried.settle(pool, progressions, stand_in, store.value);
            }
            store.value = pool.substitute(store.value, &mut show);
        }
        let closed = comprehension(pool, content, kappa, &stores, &overwritten);
        let closed = closed.ok_or(MemoryObstacle::Offset)?;
        progressions.close_array(content, closed);
        Ok(true)
    }

    /// The conjuncts of an iteration's condition that do not read the arrays, in iteration κ.
    fn scalar_part(
        &self,
        pool: &mut TermPool,
        progressions: &mut Progressions,
        path_cond: TermId,
    ) -> TermId {
        let arrays: Vec<SymbolId> = self.contents().chain(self.cells.keys().copied()).collect();
        let mut parts = Vec::new();
        for conjunct in pool.conjuncts(path_cond) {
            if !pool
                .symbols_of(conjunct)
                .iter()
                .any(|symbol| arrays.contains(symbol))
                && let Ok(part) = progressions.after(pool, conjunct)
            {
                parts.push(part);
            }
        }
        pool.conj(parts)
    }
}

/// The objects that are written at offsets that are not constant in one of these memories, with the
/// width of their cells; none where accesses differ in width.
fn array_widths(
    pool: &TermPool,
    entry: &Entry,
    memories: &[&Memory],
) -> IndexMap<ObjectId, Option<u32>> {
    let before = &entry.state.memory;
    let mut widths: IndexMap<ObjectId, Option<u32>> = IndexMap::new();
    for memory in memories {
        for id in written(before, memory) {
            let Some(object) = memory.object(id) else {
                continue;
            };
            let width = match object.content.base() {
                Base::Array(flat) => Some(flat.cell_bytes),
                // Cells at constant offsets of an object that is also read as an array.
                _ => match entry.array_widths(id).as_slice() {
                    [] => continue,
                    [width] => {
                        let fits = cells_of(pool, memory, id).iter().all(|(offset, bytes)| {
                            bytes == width && offset % u64::from(*width) == 0
                        });
                        fits.then_some(*width)
                    }
                    [..] => None,
                },
            };
            let known = widths.entry(id).or_insert(width);
            *known = known.filter(|known| Some(*known) == width);
        }
    }
    widths
}
