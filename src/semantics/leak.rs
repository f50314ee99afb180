//! Memory leaks: heap blocks that are not freed.
//!
//! ```text
//! globals, foreign objects (and active frames) --pointers in cells--> reachable blocks
//! blocks that are allocated and not reachable: lost
//! ```
//!
//! Foreign objects belong to code outside of the program, which can read the stored pointers.
//!
//! A block is *certainly* reachable from a cell with a pointer into it, under a condition if the pointer is a
//! choice. It *may* be reachable from any value in which its address occurs: an array that was written at
//! symbolic offsets, a pointer that may lie outside of the block, a register or a variable of an active
//! function, which may be out of scope in C. A block is lost if it may not be reachable, kept if it certainly
//! is, and doubtful otherwise.
//!
//! # Invariants
//! - A block that is reachable in some execution of the state is not [`Fate::Lost`].
//! - A block that is lost in some execution of the state is [`Fate::Lost`] or [`Fate::Doubtful`].
//!
//! # Deliberately absent
//! No solver: the caller decides conditions. No decision whether a leak is an error.

use super::state::State;
use flowgraph::{NodeId, Program, RegId, Span};
use indexmap::{IndexMap, IndexSet};
use memory::{Base, Memory, Object, ObjectId, ObjectKind, Pointer};
use rustc_hash::FxBuildHasher;
use term::{Term, TermId, TermPool, Work};

type Set<T> = IndexSet<T, FxBuildHasher>;
type Map<K, V> = IndexMap<K, V, FxBuildHasher>;

/// The error of a block when the program ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Leak {
    /// No pointer refers to it any more, so that it cannot be freed.
    Lost,
    /// It was not freed.
    NotFreed,
}

impl std::fmt::Display for Leak {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Leak::Lost => {
                "memory leak: no pointer refers to the memory allocated here when the program ends"
            }
            Leak::NotFreed => {
                "memory not freed: the memory allocated here is still allocated when the program ends"
            }
        })
    }
}

/// A block of the heap that is alive and that the program has to free.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    pub object: ObjectId,
    /// Where it is allocated.
    pub place: Span,
}

/// Where pointers are searched for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Roots {
    /// In globals and foreign objects: no function runs any more.
    Globals,
    /// There, and wherever the functions that run may have any.
    Everything,
    /// There, and in what may still be read by paths that are at this location of the running function, and
    /// by its callers.
    Readable(NodeId),
}

/// Whether a block is held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    Kept,
    /// Lost in each execution of the state.
    Lost,
    /// Lost at most in executions in which this condition, of width 1, holds; if `is_exact`, in all
    /// of them.
    Doubtful {
        lost: TermId,
        is_exact: bool,
    },
}

/// The blocks that are alive in a memory, by object.
pub fn blocks(memory: &Memory) -> impl Iterator<Item = Block> + '_ {
    let blocks = memory.objects().filter(|(_, object)| {
        let info = &object.info;
        object.alive && matches!(info.kind, ObjectKind::Heap(_)) && info.place.line != 0
    });
    blocks.map(|(object, data)| Block {
        object,
        place: data.info.place,
    })
}

/// The fate of each allocated block.
pub fn fates(
    pool: &mut TermPool,
    program: &Program,
    state: &State,
    roots: Roots,
) -> Vec<(Block, Fate)> {
    let n_objects = state.memory.objects().count() as u64;
    pool.count_work(Work::HOLDING_CELL * n_objects);
    let alive: Vec<Block> = blocks(&state.memory).collect();
    if alive.is_empty() {
        return Vec::new();
    }
    let values = match roots {
        Roots::Globals => Some(Vec::new()),
        Roots::Everything | Roots::Readable(_) => registers(program, state, roots),
    };
    let possible = values
        .as_ref()
        .map(|values| possibly_held(pool, &state.memory, roots, values));
    // That a variable of C still has the value of a register is not known, but that it is read.
    let read = match roots {
        Roots::Readable(_) => values.unwrap_or_default(),
        Roots::Globals | Roots::Everything => Vec::new(),
    };
    let certain = certainly_held(pool, &state.memory, roots, read);
    let fate = |pool: &mut TermPool, block: &Block| {
        let Some(possible) = &possible else {
            return Fate::Doubtful {
                lost: TermId::TRUE,
                is_exact: false,
            };
        };
        if !possible.all.contains(&block.object) {
            return Fate::Lost;
        }
        let held = certain.get(&block.object).copied();
        let lost = pool.not(held.unwrap_or(TermId::FALSE));
        if pool.is_false(lost) {
            return Fate::Kept;
        }
        let is_exact = !possible.vaguely.contains(&block.object);
        Fate::Doubtful { lost, is_exact }
    };
    alive
        .into_iter()
        .map(|block| (block, fate(pool, &block)))
        .collect()
}

/// Objects to which a pointer may lead.
struct Possible {
    all: Set<ObjectId>,
    /// Those to which something may lead that is not told by a condition.
    vaguely: Set<ObjectId>,
}

/// The blocks that globals and these values may refer to.
fn possibly_held(
    pool: &mut TermPool,
    memory: &Memory,
    roots: Roots,
    values: &[TermId],
) -> Possible {
    let mut vaguely: Set<ObjectId> = Set::default();
    for value in values {
        mentioned(pool, memory, *value, &mut vaguely);
    }
    for (value, target) in memory.targets() {
        mentioned(pool, memory, value, &mut vaguely);
        vaguely.insert(target.object);
    }
    let mut all: Set<ObjectId> = Set::default();
    for (id, object) in memory.objects() {
        let is_root = match object.info.kind {
            ObjectKind::Global | ObjectKind::Constant | ObjectKind::Literal => true,
            ObjectKind::Stack => roots == Roots::Everything,
            ObjectKind::Heap(_) | ObjectKind::Function | ObjectKind::Foreign => false,
        };
        if is_root {
            all.insert(id);
        }
        if object.info.kind == ObjectKind::Foreign
            || (object.info.kind == ObjectKind::Stack && roots == Roots::Everything)
        {
            vaguely.insert(id);
        }
    }
    close(pool, memory, roots, &mut vaguely);
    // What is reached only by cells that the conditions tell of.
    all.extend(vaguely.iter().copied());
    close(pool, memory, roots, &mut all);
    let reached: Vec<ObjectId> = all.iter().copied().collect();
    for id in reached {
        let Some(object) = memory.object(id) else {
            continue;
        };
        if let Some(array) = array_of(object) {
            mentioned(pool, memory, array, &mut vaguely);
        }
        for (_, value) in object.content.cells() {
            if !is_pointer_choice(pool, memory, value, MOST_CHOICES) {
                mentioned(pool, memory, value, &mut vaguely);
            }
        }
    }
    close(pool, memory, roots, &mut vaguely);
    Possible { all, vaguely }
}

/// The values of registers that may hold pointers; `None` where frames are folded.
fn registers(program: &Program, state: &State, roots: Roots) -> Option<Vec<TermId>> {
    let mut values = Vec::new();
    let (mut function, mut node) = match roots {
        Roots::Readable(node) => (state.location.function, node),
        Roots::Globals | Roots::Everything => (state.location.function, state.location.node),
    };
    for frame in std::iter::once(&state.frame).chain(state.callers.iter()) {
        if frame.folded.is_some() {
            return None;
        }
        let live = program.function(function).liveness().at(node);
        let regs = (0..).map(RegId).take(frame.n_regs());
        let regs = regs.filter(|reg| roots == Roots::Everything || live.contains(reg.index()));
        values.extend(regs.map(|reg| frame.get(reg)));
        let Some((location, _)) = frame.return_to else {
            break;
        };
        (function, node) = (location.function, location.node);
    }
    Some(values)
}

/// Adds the objects whose addresses occur in a value.
fn mentioned(pool: &mut TermPool, memory: &Memory, value: TermId, objects: &mut Set<ObjectId>) {
    if pool.is_const(value) {
        return;
    }
    let symbols = pool.symbols_of(value);
    objects.extend(
        symbols
            .iter()
            .filter(|symbol| memory.object(**symbol).is_some()),
    );
}

/// Adds the objects that those lead to.
fn close(pool: &mut TermPool, memory: &Memory, roots: Roots, objects: &mut Set<ObjectId>) {
    let mut met = 0;
    while let Some(id) = objects.get_index(met).copied() {
        met += 1;
        // Variables of functions that have returned hold nothing.
        let holds = |object: &&Object| {
            object.alive && (roots != Roots::Globals || object.info.kind != ObjectKind::Stack)
        };
        let Some(object) = memory.object(id).filter(holds) else {
            continue;
        };
        let mut n_cells: u64 = 1;
        for (_, value) in object.content.cells() {
            mentioned(pool, memory, value, objects);
            n_cells += 1;
        }
        pool.count_work(Work::HOLDING_CELL * n_cells);
        if let Some(array) = array_of(object) {
            mentioned(pool, memory, array, objects);
        }
    }
}

fn array_of(object: &Object) -> Option<TermId> {
    match object.content.base() {
        Base::Array(flat) => Some(flat.array),
        Base::Zero | Base::Bytes(_) | Base::Arbitrary(_) | Base::Entry(_) => None,
    }
}

/// Choices within each other that are looked through.
const MOST_CHOICES: u32 = 8;
/// So often the condition for an object may grow.
const MOST_GROWTH: u32 = 4;

/// Whether a value is a pointer into a block, or a choice between such pointers and numbers.
fn is_pointer_choice(pool: &mut TermPool, memory: &Memory, value: TermId, n_left: u32) -> bool {
    if pool.is_const(value) || into_block(pool, memory, value).is_some() {
        return true;
    }
    if let Term::Ite(_, then, otherwise) = pool.view(value) {
        return n_left > 0
            && is_pointer_choice(pool, memory, then, n_left - 1)
            && is_pointer_choice(pool, memory, otherwise, n_left - 1);
    }
    let symbols = pool.symbols_of(value);
    !symbols
        .iter()
        .any(|symbol| memory.object(*symbol).is_some())
}

/// The object within which a pointer certainly points.
fn into_block(pool: &mut TermPool, memory: &Memory, value: TermId) -> Option<ObjectId> {
    let pointer = Pointer::resolve(pool, memory, value)?;
    let offset = pool.as_u64(pointer.offset)?;
    let bytes = memory.object(pointer.object)?.info.bytes;
    let is_inside = offset == 0 || pool.as_u64(bytes).is_some_and(|bytes| offset < bytes);
    is_inside.then_some(pointer.object)
}

/// For each object to which cells lead from the globals and these values, a condition under which they
/// do.
fn certainly_held(
    pool: &mut TermPool,
    memory: &Memory,
    roots: Roots,
    values: Vec<TermId>,
) -> Map<ObjectId, TermId> {
    let mut held: Map<ObjectId, (TermId, u32)> = Map::default();
    let mut open: Vec<ObjectId> = Vec::new();
    let mut ends = Vec::new();
    for value in values {
        choices(pool, memory, value, TermId::TRUE, MOST_CHOICES, &mut ends);
    }
    grow(pool, &mut held, &mut open, ends);
    for (id, object) in memory.objects() {
        if matches!(
            object.info.kind,
            ObjectKind::Global | ObjectKind::Constant | ObjectKind::Literal | ObjectKind::Foreign
        ) {
            held.insert(id, (TermId::TRUE, MOST_GROWTH));
            open.push(id);
        }
    }
    // A variable that is read is in scope; of others that is not known.
    let holds = |object: &&Object| {
        let is_variable = object.info.kind == ObjectKind::Stack;
        object.alive && (!is_variable || matches!(roots, Roots::Readable(_)))
    };
    while let Some(id) = open.pop() {
        let Some(object) = memory.object(id).filter(holds) else {
            continue;
        };
        let (condition, _) = held[&id];
        let cells: Vec<TermId> = object.content.cells().map(|(_, value)| value).collect();
        pool.count_work(Work::HOLDING_CELL * (1 + cells.len() as u64));
        let mut ends = Vec::new();
        for value in cells {
            choices(pool, memory, value, condition, MOST_CHOICES, &mut ends);
        }
        grow(pool, &mut held, &mut open, ends);
    }
    held.into_iter()
        .map(|(object, (condition, _))| (object, condition))
        .collect()
}

/// Notes that objects are held under further conditions; those for which that is new are `open`.
fn grow(
    pool: &mut TermPool,
    held: &mut Map<ObjectId, (TermId, u32)>,
    open: &mut Vec<ObjectId>,
    ends: Vec<(ObjectId, TermId)>,
) {
    for (target, condition) in ends {
        let (known, growth) = held.get(&target).copied().unwrap_or((TermId::FALSE, 0));
        let either = pool.or(known, condition);
        if either != known && growth < MOST_GROWTH {
            held.insert(target, (either, growth + 1));
            open.push(target);
        }
    }
}

/// The objects into which a value points, each with the condition that it does.
fn choices(
    pool: &mut TermPool,
    memory: &Memory,
    value: TermId,
    condition: TermId,
    n_left: u32,
    ends: &mut Vec<(ObjectId, TermId)>,
) {
    if pool.is_const(value) || pool.is_false(condition) {
        return;
    }
    if let Some(object) = into_block(pool, memory, value) {
        ends.push((object, condition));
    } else if let Term::Ite(first, then, otherwise) = pool.view(value)
        && n_left > 0
    {
        let on_then = pool.and(condition, first);
        choices(pool, memory, then, on_then, n_left - 1, ends);
        let not_first = pool.not(first);
        let on_otherwise = pool.and(condition, not_first);
        choices(pool, memory, otherwise, on_otherwise, n_left - 1, ends);
    }
}
