//! Projection: the part of a state that its future depends on, which subsumption compares.
//!
//! ```text
//! State --live registers, reachable memory, relevant path condition--> Projection
//! ```
//!
//! A projection is a *shape*, numbers that encode the location and the layout of memory, together with the
//! terms at the positions of that layout. Two states with the same shape have the same calls on their stacks,
//! and the same objects with cells at the same places. Objects are numbered in the order in which they are
//! met from the registers on, and each address symbol is replaced by one for its number, so that the order of
//! allocations does not matter. A loop counter that is only compared with its bound is represented by its
//! distance to the bound (`DifferenceLiveness` of the flowgraph), if the path condition implies that it has not passed the
//! bound.
//!
//! # Invariants
//! - Whether a run from a concrete state reaches the target, and in how many steps, depends only on its
//!   values of the projection and on later inputs.
//! - The dropped conjuncts of the path condition are not connected by symbols, even through others, with the
//!   kept conjuncts and the values. The path condition of a state that is known to be feasible is
//!   satisfiable, so every choice of values that satisfies the kept conjuncts is one of the state's.
//!
//! # Deliberately absent
//! No comparison, no solver.

use super::leak::blocks;
use super::machine::Machine;
use super::state::{Frame, Location, PathCondition, State};
use super::unwritten::Unwritten;
use flowgraph::{CounterPair, Function, FunctionId, NodeId, Order, RegId, Span, Storage};
use indexmap::{IndexMap, IndexSet};
use memory::{Allocator, Arbitrary, Base, Memory, Object, ObjectId, ObjectKind};
use rustc_hash::FxBuildHasher;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use term::{CmpOp, SymbolId, TermId, TermPool, Work};

type Set<T> = IndexSet<T, FxBuildHasher>;
type Map<K, V> = IndexMap<K, V, FxBuildHasher>;

/// No projection is made of a state with more values than this, nor with more calls on its stack.
const MOST_VALUES: usize = 4096;

/// The part of a state that its future depends on; see the head of this file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Projection {
    /// The layout: location, stack, objects and their cells.
    pub shape: Box<[u64]>,
    /// The terms at the places of the layout.
    pub values: Vec<TermId>,
    /// The relevant conjuncts of the path condition, without repetition.
    pub conjuncts: Vec<TermId>,
}

/// Whether a path condition implies a condition; false where that is not known.
pub type Implies<'a> = dyn FnMut(&mut TermPool, &PathCondition, TermId) -> bool + 'a;

/// Makes projections of a program's states.
pub struct Projector {
    functions: Vec<Arc<Function>>,
    /// Address symbols of globals and functions: the program can name them at any time.
    rigid: Set<SymbolId>,
    /// The globals that the program may write.
    variables: Vec<ObjectId>,
    initial: Memory,
    /// The symbols that stand for the addresses of numbered objects, by number and divisor.
    numbered: Map<(usize, u64), SymbolId>,
    /// The same symbols.
    numbers: Set<SymbolId>,
}

impl Projector {
    /// `initial` is the program's initial memory.
    #[must_use]
    pub fn new(machine: &Machine, initial: &Memory) -> Projector {
        let program = machine.program;
        let globals = program.global_ids().map(|id| machine.global_object(id));
        let functions = program.function_ids();
        let rigid = globals
            .chain(functions.map(|id| machine.function_object(id)))
            .collect();
        let variables = program
            .global_ids()
            .filter(|global| program.global(*global).storage == Storage::Variable)
            .map(|global| machine.global_object(global))
            .collect();
        Projector {
            functions: program.functions.clone(),
            rigid,
            variables,
            initial: initial.clone(),
            numbered: Map::default(),
            numbers: Set::default(),
        }
    }

    /// Whether a symbol means the same in all projections: the address of a global, of a function
    /// or of the object with some number.
    #[must_use]
    pub fn is_rigid(&self, symbol: SymbolId) -> bool {
        self.rigid.contains(&symbol) || self.numbers.contains(&symbol)
    }

    /// Whether the value of a register of the running function matters at a location; false also
    /// where only its distance to another does.
    #[must_use]
    pub fn is_live_by_value(&self, location: Location, reg: RegId) -> bool {
        let function = &self.functions[location.function.index()];
        let live = function.differences().at(location.node);
        live.by_value.contains(reg.index())
    }

    /// The projection of a state; `None` where it would be too large or frames are folded.
    pub fn project(
        &mut self,
        machine: &Machine,
        pool: &mut TermPool,
        implies: &mut Implies,
        state: &State,
    ) -> Option<Projection> {
        let n_callers = state.callers.len();
        if n_callers > MOST_VALUES {
            return None;
        }
        pool.count_work(Work::PROJECTED_FRAME * n_callers as u64);
        let mut frames = std::iter::once(&state.frame).chain(state.callers.iter());
        if frames.any(|frame| frame.folded.is_some()) {
            return None;
        }
        let mut walk = Walk {
            projector: self,
            pool,
            state,
            shape: Vec::new(),
            values: Vec::new(),
            objects: Set::default(),
            arbitrary: Vec::new(),
            owners: None,
            unwritten: machine.unwritten.clone(),
        };
        let is_whole = walk.all(machine, implies).is_some();
        let Walk {
            mut shape,
            mut values,
            objects,
            arbitrary,
            ..
        } = walk;
        pool.count_work(Work::PROJECTED_VALUE * values.len() as u64);
        if !is_whole {
            return None;
        }
        pool.count_work(Work::PROJECTED_CONJUNCT * state.path_cond.len() as u64);
        let path_cond = ConjunctIndex::of(pool, state);
        place_arbitrary(pool, &path_cond, &arbitrary, &mut shape, &mut values);
        let mut conjuncts = path_cond.relevant(pool, &self.rigid, &values);
        self.number(pool, &objects, &mut shape, &mut values, &mut conjuncts);
        Some(Projection {
            shape: shape.into(),
            values,
            conjuncts,
        })
    }

    /// Replaces the addresses of the objects that were met by those of their numbers.
    fn number(
        &mut self,
        pool: &mut TermPool,
        objects: &Set<ObjectId>,
        shape: &mut Vec<u64>,
        values: &mut [TermId],
        conjuncts: &mut [TermId],
    ) {
        if objects.is_empty() {
            return;
        }
        let mut theta: Map<SymbolId, TermId> = Map::default();
        for (number, object) in objects.iter().enumerate() {
            let divisor = pool.symbol_divisor(*object);
            shape.push(divisor);
            let sort = pool.symbol_sort(*object);
            let address = *self.numbered.entry((number, divisor)).or_insert_with(|| {
                let name = format!("&@{number}");
                match pool.symbol_range(*object) {
                    Some(range) => pool.symbol_within(&name, sort, divisor, range),
                    None => pool.symbol_multiple_of(&name, sort, divisor),
                }
            });
            self.numbers.insert(address);
            theta.insert(*object, pool.symbol_term(address));
        }
        for term in values.iter_mut().chain(conjuncts) {
            if !pool.is_const(*term) {
                *term = pool.substitute(*term, &mut theta);
            }
        }
    }
}

/// How the content below the cells is told in a shape.
mod base_tag {
    /// All zero.
    pub const ZERO: u64 = 0;
    /// As the global's initialiser says.
    pub const INITIAL: u64 = 1;
    /// Bytes, which follow.
    pub const BYTES: u64 = 2;
    /// An array term, which is among the values; the width of its cells is added.
    pub const ARRAY: u64 = 1 << 32;
    /// Arbitrary, of which nothing is known; a number that tells one from the other is added.
    pub const FREE: u64 = 2 << 32;
    /// Freed: the content does not matter.
    pub const FREED: u64 = u64::MAX;
    /// One cell, as wide as the object; stands where else the number of cells does.
    pub const WHOLE: u64 = u64::MAX - 1;
}

struct Walk<'a> {
    projector: &'a Projector,
    pool: &'a mut TermPool,
    state: &'a State,
    shape: Vec<u64>,
    values: Vec<TermId>,
    /// Objects of stack and heap, in the order in which they were met.
    objects: Set<ObjectId>,
    /// Arbitrary contents, with the position in the shape where they are told.
    arbitrary: Vec<(usize, Rc<Arbitrary>)>,
    /// The frame, counted from the innermost, that each stack object dies with.
    owners: Option<Map<ObjectId, u64>>,
    /// What was not written, where it matters whether a value is that.
    unwritten: Option<Unwritten>,
}

impl Walk<'_> {
    /// Registers, globals, and all objects that are met; `None` where there is too much.
    fn all(&mut self, machine: &Machine, implies: &mut Implies) -> Option<()> {
        self.stack(machine, implies);
        self.targets();
        for id in &self.projector.variables {
            let object = self.state.memory.object(*id)?;
            self.content(*id, object)?;
        }
        let mut met = 0;
        while let Some(id) = self.objects.get_index(met).copied() {
            met += 1;
            self.object(id)?;
        }
        if machine.follows_blocks {
            self.lost_blocks();
        }
        Some(())
    }

    /// Where the blocks were allocated that are alive and were not met: how often does not matter.
    fn lost_blocks(&mut self) {
        let lost = blocks(&self.state.memory).filter(|block| !self.objects.contains(&block.object));
        let places: BTreeSet<Span> = lost.map(|block| block.place).collect();
        self.shape.push(places.len() as u64);
        for place in places {
            let Span { file, line, column } = place;
            self.shape.push(u64::from(file) << 32 | u64::from(line));
            self.shape.push(u64::from(column));
        }
    }

    /// The calls, the innermost first, with their live registers.
    fn stack(&mut self, machine: &Machine, implies: &mut Implies) {
        let state = self.state;
        self.location(state.location);
        let mut live_at = state.location;
        let mut result: Option<RegId> = None;
        for frame in std::iter::once(&state.frame).chain(state.callers.iter()) {
            let function = machine.program.function(live_at.function);
            let live = function.differences().at(live_at.node);
            // The register for a result is assigned before it is read.
            let without_result = result.map(|result| live.without(result));
            let live = without_result.as_ref().unwrap_or(live);
            let registers = function.reg_ids();
            for reg in registers.filter(|reg| live.by_value.contains(reg.index())) {
                self.value(frame.get(reg));
            }
            for pair in &live.by_difference {
                self.difference(frame, *pair, implies);
            }
            if machine.stack.is_some() {
                self.shape.push(frame.stack);
            }
            let Some((location, dst)) = frame.return_to else {
                break;
            };
            self.location(location);
            self.shape
                .push(dst.map_or(u64::MAX, |dst| dst.index() as u64));
            let has_result = function.result_bits.is_some();
            result = dst.filter(|_| has_result);
            live_at = location;
        }
    }

    /// Registers that are live by their difference: that, where it is certain that the counter
    /// is not beyond its bound or only equality is requested, or else their values.
    fn difference(&mut self, frame: &Frame, pair: CounterPair, implies: &mut Implies) {
        let (counter, bound) = (frame.get(pair.counter), frame.get(pair.bound));
        let at_most = match pair.order {
            Order::Unsigned => CmpOp::Ule,
            Order::Signed => CmpOp::Sle,
            Order::Equality => {
                let distance = self.pool.sub(bound, counter);
                self.value(distance);
                return;
            }
        };
        let is_within = self.pool.compare(at_most, counter, bound);
        if self.pool.is_true(is_within)
            || (!self.pool.is_false(is_within)
                && implies(self.pool, &self.state.path_cond, is_within))
        {
            self.shape.push(1);
            let distance = self.pool.sub(bound, counter);
            self.value(distance);
        } else {
            self.shape.push(0);
            self.value(counter);
            self.value(bound);
        }
    }

    /// Where values of unknown origin point: the objects may be reached by these alone.
    fn targets(&mut self) {
        let state = self.state;
        self.shape.push(state.memory.n_targets() as u64);
        for (value, target) in state.memory.targets() {
            self.value(value);
            let target = target.term(self.pool);
            self.value(target);
        }
    }

    fn location(&mut self, location: Location) {
        let Location {
            function: FunctionId(function),
            node: NodeId(node),
        } = location;
        self.shape.push(u64::from(function) << 32 | u64::from(node));
    }

    /// Adds a term, and the objects that it mentions to those that are met.
    fn value(&mut self, value: TermId) {
        self.values.push(value);
        if let Some(unwritten) = &self.unwritten {
            self.shape
                .push(u64::from(unwritten.is_in(self.pool, value)));
        }
        if self.pool.is_const(value) {
            return;
        }
        for symbol in self.pool.symbols_of(value).iter() {
            if !self.projector.rigid.contains(symbol) && self.state.memory.object(*symbol).is_some()
            {
                self.objects.insert(*symbol);
            }
        }
    }

    /// An object of stack or heap.
    fn object(&mut self, id: ObjectId) -> Option<()> {
        let object = self.state.memory.object(id)?;
        let kind = match object.info.kind {
            ObjectKind::Stack => 1 + self.owner(id),
            ObjectKind::Heap(Allocator::Malloc | Allocator::Any) => 0,
            ObjectKind::Heap(Allocator::New) => u64::MAX - 1,
            ObjectKind::Heap(Allocator::NewArray) => u64::MAX - 2,
            ObjectKind::Heap(Allocator::System) => u64::MAX - 3,
            ObjectKind::Foreign => u64::MAX,
            // These have rigid addresses.
            ObjectKind::Global
            | ObjectKind::Constant
            | ObjectKind::Literal
            | ObjectKind::Function => return None,
        };
        self.shape.push(kind);
        self.value(object.info.bytes);
        if !object.alive {
            self.shape.push(base_tag::FREED);
            return Some(());
        }
        self.content(id, object)
    }

    /// The frame that a stack object dies with; a separate number where there is none.
    fn owner(&mut self, id: ObjectId) -> u64 {
        let state = self.state;
        let owners = self.owners.get_or_insert_with(|| {
            let frames = std::iter::once(&state.frame).chain(state.callers.iter());
            let owned = (0..).zip(frames).flat_map(|(depth, frame)| {
                frame.allocas.iter().map(move |object| (*object, depth))
            });
            owned.collect()
        });
        owners.get(&id).copied().unwrap_or(u64::from(u32::MAX))
    }

    fn content(&mut self, id: ObjectId, object: &Object) -> Option<()> {
        // Before the cells are walked: states with large arrays are examined often.
        if self.values.len() + object.content.n_cells() > MOST_VALUES {
            return None;
        }
        if let Some(value) = self.whole(object) {
            self.shape.push(base_tag::WHOLE);
            self.value(value);
            return Some(());
        }
        self.shape.push(object.content.n_cells() as u64);
        for (offset, value) in object.content.cells() {
            self.shape.push(u64::from(self.pool.width(value)));
            self.shape.push(offset);
            self.value(value);
        }
        match object.content.base() {
            Base::Zero => self.shape.push(base_tag::ZERO),
            Base::Bytes(bytes) => {
                let initial = self.projector.initial.object(id);
                match initial.map(|initial| initial.content.base()) {
                    Some(Base::Bytes(initial)) if Rc::ptr_eq(initial, bytes) => {
                        self.shape.push(base_tag::INITIAL);
                    }
                    Some(_) | None => {
                        self.shape.push(base_tag::BYTES);
                        self.shape.push(bytes.len() as u64);
                        self.shape.extend(bytes.iter().map(|byte| u64::from(*byte)));
                    }
                }
            }
            Base::Arbitrary(arbitrary) => {
                self.arbitrary
                    .push((self.shape.len(), Rc::clone(arbitrary)));
                self.shape.push(base_tag::FREE);
                if let (Some(unwritten), Some((symbol, _))) = (&self.unwritten, arbitrary.symbol())
                {
                    self.shape.push(u64::from(unwritten.contains(symbol)));
                }
            }
            Base::Array(flat) => {
                self.shape
                    .push(base_tag::ARRAY + u64::from(flat.cell_bytes));
                self.value(flat.array);
            }
            // Only states for which templates are computed have these.
            Base::Entry(_) => return None,
        }
        Some(())
    }

    /// The content of an object that is a single number of known content, written or not, so that
    /// it has one cell in either case.
    fn whole(&mut self, object: &Object) -> Option<TermId> {
        let bytes = self.pool.as_u64(object.info.bytes)?;
        let bytes = u32::try_from(bytes).ok().filter(|bytes| *bytes <= 8)?;
        if let Some(value) = object.content.cell(self.pool, 0, bytes) {
            return Some(value);
        }
        let is_known = matches!(object.content.base(), Base::Zero | Base::Bytes(_));
        let is_untouched = object.content.cells().next().is_none();
        (is_known && is_untouched && bytes.is_power_of_two()).then(|| {
            object
                .content
                .read_constant(self.pool, &object.info, 0, bytes)
        })
    }
}

/// Tells each arbitrary content as *free* where nothing is known of it, else as an array.
fn place_arbitrary(
    pool: &mut TermPool,
    path_cond: &ConjunctIndex,
    arbitrary: &[(usize, Rc<Arbitrary>)],
    shape: &mut [u64],
    values: &mut Vec<TermId>,
) {
    if arbitrary.is_empty() {
        return;
    }
    let mut mentioned: Set<SymbolId> = Set::default();
    for value in values
        .iter()
        .filter(|value| !pool.is_const(**value))
        .copied()
        .collect::<Vec<_>>()
    {
        mentioned.extend(pool.symbols_of(value).iter().copied());
    }
    let mut free: Set<*const Arbitrary> = Set::default();
    for (position, content) in arbitrary {
        match content.symbol() {
            Some((symbol, cell_bytes))
                if mentioned.contains(&symbol) || path_cond.mentions(symbol) =>
            {
                shape[*position] = base_tag::ARRAY + u64::from(cell_bytes);
                values.push(pool.symbol_term(symbol));
            }
            Some(_) | None => {
                let (number, _) = free.insert_full(Rc::as_ptr(content));
                shape[*position] = base_tag::FREE + number as u64;
            }
        }
    }
}

/// The conjuncts of a path condition by symbol.
struct ConjunctIndex {
    conjuncts: Vec<TermId>,
    by_symbol: Map<SymbolId, Vec<usize>>,
}

impl ConjunctIndex {
    fn of(pool: &mut TermPool, state: &State) -> ConjunctIndex {
        let conjuncts: Set<TermId> = state.path_cond.to_vec().into_iter().collect();
        let conjuncts: Vec<TermId> = conjuncts.into_iter().collect();
        let mut by_symbol: Map<SymbolId, Vec<usize>> = Map::default();
        for (number, conjunct) in conjuncts.iter().enumerate() {
            for symbol in pool.symbols_of(*conjunct).iter() {
                by_symbol.entry(*symbol).or_default().push(number);
            }
        }
        ConjunctIndex {
            conjuncts,
            by_symbol,
        }
    }

    fn mentions(&self, symbol: SymbolId) -> bool {
        self.by_symbol.contains_key(&symbol)
    }

    /// The conjuncts that share symbols, be it through others, with the values or the rigid
    /// symbols, in order. A conjunct without symbols is kept.
    fn relevant(
        &self,
        pool: &mut TermPool,
        rigid: &Set<SymbolId>,
        values: &[TermId],
    ) -> Vec<TermId> {
        if self.conjuncts.is_empty() {
            return Vec::new();
        }
        let mut open: Vec<SymbolId> = Vec::new();
        let mut seen: Set<SymbolId> = Set::default();
        for symbol in self.by_symbol.keys() {
            if rigid.contains(symbol) && seen.insert(*symbol) {
                open.push(*symbol);
            }
        }
        for value in values {
            if !pool.is_const(*value) {
                let symbols = pool.symbols_of(*value);
                open.extend(symbols.iter().filter(|symbol| seen.insert(**symbol)));
            }
        }
        let mut kept = vec![false; self.conjuncts.len()];
        while let Some(symbol) = open.pop() {
            for number in self.by_symbol.get(&symbol).into_iter().flatten() {
                if !std::mem::replace(&mut kept[*number], true) {
                    let symbols = pool.symbols_of(self.conjuncts[*number]);
                    open.extend(symbols.iter().filter(|symbol| seen.insert(**symbol)));
                }
            }
        }
        let mut relevant = Vec::new();
        for (conjunct, kept) in self.conjuncts.iter().zip(kept) {
            if kept || pool.symbols_of(*conjunct).is_empty() {
                relevant.push(*conjunct);
            }
        }
        relevant
    }
}
