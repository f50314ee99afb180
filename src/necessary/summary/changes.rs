//! Changes of one iteration: registers, and cells of memory.

use super::Executed;
use crate::build::Build;
use crate::forms::{Effect, Rules};
use crate::walk::Trail;
use indexmap::IndexMap;
use memory::{Base, Memory, ObjectId, Pointer};
use semantics::{InputEvent, State};
use template::{Entry, EntrySymbols, EntryValue, WrittenArrays, cells_of, written};
use term::{SymbolId, TermId, TermPool};

impl Build<'_, '_> {
    /// θ′ᵢ over entry symbols.
    pub(super) fn effect(
        &self,
        pool: &mut TermPool,
        entry: &Entry,
        changes: &Changes,
        end: &State,
    ) -> Result<Effect, String> {
        // Cells that an iteration writes but never reads get their entry symbol here.
        let mut before = entry.state.memory.clone();
        for (object, offset, bytes) in &changes.cells {
            let at = self.machine.pointer_sized(pool, *offset);
            before.read(pool, *object, at, *bytes);
        }
        let mut after = end.memory.clone();
        let mut effect = Effect::new();
        for (symbol, meaning) in entry.symbols() {
            let start = pool.symbol_term(symbol);
            let value = match meaning {
                EntryValue::Register(reg) => Some(end.frame.get(reg)),
                EntryValue::Offset(reg) => {
                    let from = entry.state.frame.get(reg);
                    Some(moved(pool, &end.memory, from, end.frame.get(reg))?)
                }
                EntryValue::Content(object, bytes) if changes.arrays.contains(object) => {
                    (changes.arrays).content_after(pool, &end.memory, object, bytes)
                }
                EntryValue::Cell(object, ..) | EntryValue::Content(object, _)
                    if changes.whole.contains_key(&object) =>
                {
                    None
                }
                EntryValue::CellOffset(object, ..) if changes.whole.contains_key(&object) => {
                    return Err("a loop that may write over a pointer".to_owned());
                }
                EntryValue::Cell(object, offset, bytes) => {
                    let at = self.machine.pointer_sized(pool, offset);
                    Some(after.read(pool, object, at, bytes))
                }
                EntryValue::CellOffset(object, offset, bytes) => {
                    let at = self.machine.pointer_sized(pool, offset);
                    let from = before.read(pool, object, at, bytes);
                    let to = after.read(pool, object, at, bytes);
                    Some(moved(pool, &end.memory, from, to)?)
                }
                EntryValue::Content(..) => Some(start),
            };
            let value = value.filter(|value| self.unknowns.in_term(pool, *value).is_none());
            effect.insert(symbol, value);
        }
        Ok(effect)
    }
}

/// The offset of a pointer after an iteration.
fn moved(pool: &mut TermPool, memory: &Memory, from: TermId, to: TermId) -> Result<TermId, String> {
    let ends = Pointer::resolve(pool, memory, from).zip(Pointer::resolve(pool, memory, to));
    match ends {
        Some((from, to)) if from.object == to.object => Ok(to.offset),
        Some(_) | None => Err("a loop that moves a pointer to another object".to_owned()),
    }
}

/// Symbols in what a backbone does that were made while it was executed, and stand for nothing at
/// its entry: they have a value of their own in each iteration.
pub(super) fn made_since(
    pool: &mut TermPool,
    mark: usize,
    entry: &EntrySymbols,
    backbone: &Executed,
) -> Vec<SymbolId> {
    let values = backbone.effect.values().flatten().copied();
    let inputs = backbone.trail.state.inputs.iter();
    let inputs = inputs.filter_map(|event| match event {
        InputEvent::Value { term, .. } => Some(*term),
        InputEvent::Memory { .. } | InputEvent::Iterations { .. } | InputEvent::Either(_) => None,
    });
    let terms: Vec<TermId> = values.chain(inputs).chain([backbone.condition]).collect();
    let mut made = Vec::new();
    for term in terms {
        let symbols = pool.symbols_of(term);
        let symbols = symbols.iter().copied();
        made.extend(symbols.filter(|s| s.index() >= mark && !entry.contains_key(s)));
    }
    made.sort_unstable();
    made.dedup();
    made
}

/// The effects of the iterations of a loop on memory.
pub(super) struct Changes {
    /// Cells at constant offsets: object, byte offset and bytes.
    pub cells: Vec<(ObjectId, u64, u32)>,
    /// Objects of whose content nothing is known after an iteration, with a width of cells in
    /// bytes.
    pub whole: IndexMap<ObjectId, u32>,
    /// Those of them that are written as arrays, which may have a closed form.
    pub arrays: WrittenArrays,
}

impl Changes {
    pub fn of(
        pool: &mut TermPool,
        entry: &Entry,
        back: &[Trail],
        rules: Rules,
    ) -> Result<Changes, String> {
        let before = &entry.state.memory;
        let memories = back.iter().map(|trail| &trail.state.memory);
        let memories: Vec<&Memory> = match rules {
            Rules::All => memories.collect(),
            Rules::OfThePaper | Rules::OfChains => Vec::new(),
        };
        let mut changes = Changes {
            cells: Vec::new(),
            whole: IndexMap::new(),
            arrays: WrittenArrays::among(pool, entry, &memories),
        };
        let ends = || back.iter().map(|trail| &trail.state);
        let mut objects: Vec<ObjectId> = ends()
            .flat_map(|end| written(before, &end.memory))
            .collect();
        objects.sort_unstable();
        objects.dedup();
        for id in objects {
            let mut places: Vec<(u64, u32)> = Vec::new();
            let mut is_whole = entry.reads_as_array(id);
            let mut width = 1;
            for end in ends() {
                let Some((old, new)) = before.object(id).zip(end.memory.object(id)) else {
                    return Err("a loop that allocates or frees memory".to_owned());
                };
                if old.alive != new.alive {
                    return Err("a loop that allocates or frees memory".to_owned());
                }
                if !matches!(new.content.base(), Base::Entry(_)) {
                    is_whole = true;
                    width = new.content.usual_cell_bytes();
                }
                places.extend(cells_of(pool, &end.memory, id));
            }
            places.sort_unstable();
            places.dedup();
            places.extend(entry.cells_read(id));
            places.sort_unstable();
            places.dedup();
            is_whole |= places
                .windows(2)
                .any(|pair| pair[1].0 < pair[0].0 + u64::from(pair[0].1));
            if let Some((bytes, _)) = changes.arrays.content(id) {
                changes.whole.insert(id, bytes);
            } else if is_whole {
                changes.whole.insert(id, width);
            } else {
                let places = places.into_iter();
                changes
                    .cells
                    .extend(places.map(|(offset, bytes)| (id, offset, bytes)));
            }
        }
        for end in ends() {
            if !end.frame.allocas.is_empty() {
                return Err("a loop that allocates or frees memory".to_owned());
            }
            let is_memory = |event: &InputEvent| matches!(event, InputEvent::Memory { .. });
            if end.inputs.iter().any(is_memory) {
                return Err("a loop that makes memory symbolic".to_owned());
            }
        }
        Ok(changes)
    }
}
