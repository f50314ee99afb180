//! Algorithm 2: the summary of a loop along a backbone.
//!
//! ```text
//! P(C, v) --Algorithm 1--> (πᵢ, θ′ᵢ, φ′ᵢ) --rules--> θ^κ⃗
//!                                         --for all iterations--> φ^κ⃗
//! ```
//!
//! As templates, summaries are computed for a shape: what a location means depends on where
//! pointers point. A loop that moves a pointer to another object, allocates, frees or calls has no
//! summary; what comes behind it is not understood.

use super::arrays::Counting;
use super::build::Build;
use super::chains::{CountedTogether, InnerCounter};
use super::each::{AtIteration, Each};
use super::forms::{Effect, Form, Loop, Rule, Rules, in_phases, iterate, lacks_order};
use super::order::Follows;
use super::relation::Relations;
use super::simpler::Alone;
use super::walk::{AppliedSummary, Trail};
use crate::flowgraph::{BitSet, EdgeId, Induced, NodeId, RegId};
use crate::memory::{Base, FlatArray, Memory, ObjectId, Pointer};
use crate::semantics::{Decision, InputEvent, InputSite, PathEnd, State, callers_of};
use crate::solver::bits_until_failure;
use crate::template::{
    Assumed, Composition, Entry, EntrySymbols, EntryValue, Shape, WrittenArrays, cells_of, written,
};
use crate::term::{Sort, SymbolId, TermId, TermPool};
use indexmap::IndexMap;
use std::cell::OnceCell;
use std::rc::Rc;

/// As wide as a path counter has to be where nothing is known: no machine does 2^64 iterations of
/// anything.
const WIDEST: u32 = 64;

/// The summary (θ^κ⃗, φ^κ⃗) of a loop for states of a shape at its entry.
pub struct Summary {
    /// The loop entry v.
    pub entry: NodeId,
    /// The loop C.
    pub nodes: BitSet,
    /// Which states it applies to.
    pub shape: Shape,
    /// What symbols stand for at the entry.
    pub symbols: EntrySymbols,
    pub backbones: Vec<LoopBackbone>,
    /// The number of all iterations: the sum of the path counters, or the only one.
    pub total: SymbolId,
    /// Further symbols that a formula quantifies existentially: unknowns of iterations, as arrays.
    pub unknowns: Vec<SymbolId>,
    /// What some of these are where no other way is taken than the one that they belong to.
    pub(super) alone: Vec<(SymbolId, Alone)>,
    /// The values ⋆ in it.
    pub stars: Vec<SymbolId>,
    /// θ^κ⃗.
    pub forms: Vec<Form>,
    /// φ^κ⃗.
    pub condition: TermId,
    /// Of constraint systems: what each iteration demands, by its number, and the number.
    pub(super) demanded: Vec<TermId>,
    pub(super) number: SymbolId,
    registers: Vec<(RegId, TermId)>,
    cells: Vec<(ObjectId, u64, TermId)>,
    contents: Vec<(ObjectId, FlatArray)>,
    /// Symbols of contents that are read at multiples of the width of their cells only.
    aligned: Vec<SymbolId>,
}

/// A backbone of an induced flowgraph.
pub struct LoopBackbone {
    pub edges: Vec<EdgeId>,
    /// The edges of all of them.
    pub passed: BitSet,
    /// How many backbones with the same effect these are.
    pub n_backbones: u64,
    /// κᵢ.
    pub counter: SymbolId,
    /// φ′ᵢ: over entry symbols, and without ⋆.
    pub condition: TermId,
    /// The loops along it.
    pub loops: Vec<AppliedSummary>,
    /// Counters of these loops that the state before the iteration determines, each with what it is.
    pub relations: Vec<(SymbolId, TermId)>,
    /// Of constraint systems: the counters of chains inside, by loop along it.
    pub inner: Vec<InnerCounter>,
    /// And what is known of sums of them, for one execution of this backbone.
    pub(super) together: Vec<CountedTogether<SymbolId>>,
    /// The inputs of an iteration, as arrays indexed by iteration.
    inputs: Vec<(SymbolId, Option<InputSite>)>,
}

/// An executed backbone of the induced flowgraph: θ′ᵢ and φ′ᵢ.
pub(super) struct Executed {
    pub trail: Trail,
    pub condition: TermId,
    pub effect: Effect,
    /// Counters of loops along it that the state determines; neither of both mentions them.
    pub relations: Relations,
    /// Symbols that were made for this iteration.
    pub unknowns: Vec<SymbolId>,
}

impl Build<'_, '_> {
    /// Lines 4 to 9 of Algorithm 1: the summary of a loop for the shape of a state at its entry,
    /// `None` if no iteration is feasible, and why there is none, if so.
    pub(super) fn summary(
        &mut self,
        pool: &mut TermPool,
        induced: &Induced,
        state: &State,
    ) -> Result<Option<Rc<Summary>>, String> {
        let known = self.summaries.get(&induced.start()).into_iter().flatten();
        for summary in known {
            if Some(&summary.nodes) == induced.body() && summary.shape.matches(pool, state) {
                return Ok(Some(Rc::clone(summary)));
            }
        }
        let Some(summary) = self.compute_summary(pool, induced, state)? else {
            return Ok(None);
        };
        let summary = Rc::new(summary);
        let of_entry = self.summaries.entry(induced.start()).or_default();
        of_entry.push(Rc::clone(&summary));
        Ok(Some(summary))
    }

    fn compute_summary(
        &mut self,
        pool: &mut TermPool,
        induced: &Induced,
        model: &State,
    ) -> Result<Option<Summary>, String> {
        let live = self.live(induced.start());
        let mut assumed = Assumed::default();
        let (entry, mark, back) = loop {
            let mark = pool.n_symbols();
            let entry = Entry::like(self.machine, pool, model, &live, &assumed);
            let walked = self.walk(pool, induced, entry.state.clone());
            for ended in &walked.ended {
                if let PathEnd::Unsupported(what, _) = &ended.end {
                    return Err(what.clone());
                }
                if matches!(ended.end, PathEnd::Undecided(_)) {
                    return Err("an iteration that cannot be decided".to_owned());
                }
            }
            let mut is_less = false;
            for trail in &walked.back {
                is_less |= assumed.weaken(pool, &entry, &trail.state);
            }
            if !is_less {
                break (entry, mark, walked.back);
            }
        };
        let mut conditions = Vec::with_capacity(back.len());
        for trail in &back {
            let condition = trail.condition(pool);
            conditions.push(self.unknowns.weaken(pool, condition));
        }
        let (back, conditions): (Vec<Trail>, Vec<TermId>) = (back.into_iter().zip(conditions))
            .filter(|(_, condition)| !pool.is_false(*condition))
            .unzip();
        if back.is_empty() {
            return Ok(None);
        }
        let memory = Changes::of(pool, &entry, &back, self.options.rules)?;
        let mut executed = Vec::with_capacity(back.len());
        for (mut trail, condition) in back.into_iter().zip(conditions) {
            let mut effect = self.effect(pool, &entry, &memory, &trail.state)?;
            let (relations, condition) = self.relate(pool, &trail.loops, condition);
            for value in effect.values_mut().flatten() {
                *value = relations.apply(pool, *value);
            }
            relations.apply_to(pool, &mut trail.loops);
            executed.push(Executed {
                trail,
                condition,
                effect,
                relations,
                unknowns: Vec::new(),
            });
        }
        let symbols = entry.symbols();
        for backbone in &mut executed {
            backbone.unknowns = made_since(pool, mark, &symbols, backbone)
                .into_iter()
                .filter(|symbol| {
                    let term = pool.symbol_term(*symbol);
                    self.unknowns.in_term(pool, term).is_none()
                })
                .collect();
        }
        // A first pass over wide path counters finds the rules, from which follows how wide they
        // have to be.
        let closing = Closing {
            entry: &entry,
            symbols: &symbols,
            memory: &memory,
            live: &live,
            inner: (executed.iter())
                .map(|executed| match self.options.rules {
                    Rules::OfChains => InnerCounter::of(pool, &executed.trail.loops),
                    Rules::OfThePaper | Rules::All => Vec::new(),
                })
                .collect(),
            executed: &executed,
            start: induced.start(),
            known_follows: OnceCell::new(),
        };
        let bits = closing.bits(pool, self);
        closing.close(pool, self, induced, bits).map(Some)
    }

    /// θ′ᵢ over entry symbols.
    fn effect(
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

    /// Lines 20 and 22 of Algorithm 1: the summary after the trail.
    pub(super) fn apply(&mut self, pool: &mut TermPool, summary: &Rc<Summary>, trail: &mut Trail) {
        let state = &mut trail.state;
        let mut theta = Composition::new(pool, &summary.symbols, &summary.aligned, state);
        let fresh = |pool: &mut TermPool, symbol: SymbolId| {
            let name = pool.given_name(symbol).to_owned();
            pool.fresh(&name, pool.symbol_sort(symbol))
        };
        for star in &summary.stars {
            let another = self.unknowns.another(pool, *star);
            theta.bind(*star, pool.symbol_term(another));
        }
        for unknown in &summary.unknowns {
            let value = fresh(pool, *unknown);
            theta.bind(*unknown, value);
        }
        let alone = summary.alone.iter();
        let alone = alone
            .map(|(array, is)| (theta.value(*array), *is))
            .collect();
        let mut counters = Vec::with_capacity(summary.backbones.len());
        for backbone in &summary.backbones {
            let counter = fresh(pool, backbone.counter);
            theta.bind(backbone.counter, counter);
            counters.push(counter);
        }
        if summary.backbones.len() > 1 {
            let total = fresh(pool, summary.total);
            theta.bind(summary.total, total);
        }
        let total = theta.value(summary.total);
        let mut inner = Vec::with_capacity(summary.backbones.len());
        for backbone in &summary.backbones {
            let mut all = Vec::with_capacity(backbone.inner.len());
            for counter in &backbone.inner {
                let value = fresh(pool, counter.all);
                theta.bind(counter.all, value);
                all.push(value);
            }
            inner.push(all);
        }
        let together = CountedTogether::in_loop(pool, summary, &counters, &mut theta);
        let condition = pool.substitute(summary.condition, &mut theta);
        state.path_cond.assume(pool, condition);
        let mut memory = theta.memory().clone();
        for (reg, value) in &summary.registers {
            let value = pool.substitute(*value, &mut theta);
            state.frame.set(*reg, value);
        }
        for (object, offset, value) in &summary.cells {
            let value = pool.substitute(*value, &mut theta);
            let at = self.machine.pointer_sized(pool, *offset);
            memory.write(pool, *object, at, value);
        }
        for (object, content) in &summary.contents {
            let array = pool.substitute(content.array, &mut theta);
            let base = Base::Array(FlatArray { array, ..*content });
            memory.object_mut(*object).reset(base);
        }
        state.memory = memory;
        let function = state.location.function;
        for (backbone, counter) in summary.backbones.iter().zip(&counters) {
            if !backbone.inputs.is_empty() {
                let arrays = backbone.inputs.iter();
                let arrays = arrays.map(|(array, site)| (theta.value(*array), *site));
                state.inputs.push_front_mut(InputEvent::Iterations {
                    kappa: *counter,
                    arrays: arrays.collect(),
                });
            }
            if let Some(edge) = backbone.edges.first() {
                let callers = callers_of(state);
                state.decisions.push_front_mut(Decision::Edge {
                    function,
                    edge: *edge,
                    callers,
                    kappa: Some(*counter),
                });
            }
        }
        trail.loops.push(AppliedSummary {
            summary: Rc::clone(summary),
            counters,
            total,
            alone,
            inner,
            together,
        });
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
fn made_since(
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

/// What the iterations of a loop do to memory.
struct Changes {
    /// Cells at constant offsets: object, byte offset and bytes.
    cells: Vec<(ObjectId, u64, u32)>,
    /// Objects of whose content nothing is known after an iteration, with a width of cells in
    /// bytes.
    whole: IndexMap<ObjectId, u32>,
    /// Those of them that are written as arrays, which may have a closed form.
    arrays: WrittenArrays,
}

impl Changes {
    fn of(
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

/// What Algorithm 2 works on.
pub(super) struct Closing<'a> {
    entry: &'a Entry,
    pub symbols: &'a EntrySymbols,
    memory: &'a Changes,
    live: &'a [RegId],
    pub executed: &'a [Executed],
    /// Counters of inner chains, along each backbone.
    inner: Vec<Vec<InnerCounter>>,
    start: NodeId,
    /// Which way may follow which, once it was asked.
    known_follows: OnceCell<Option<Follows>>,
}

/// θ^κ⃗ with its counters.
pub(super) struct Iterated {
    pub counters: Vec<SymbolId>,
    pub total: SymbolId,
    pub each: Vec<Each>,
    pub forms: IndexMap<SymbolId, Form>,
    stars: Vec<SymbolId>,
}

impl Closing<'_> {
    /// How many bits number all iterations that are possible: what every backbone demands fails
    /// some time, perhaps.
    fn bits(&self, pool: &mut TermPool, build: &mut Build) -> u32 {
        let rules = match build.options.rules {
            // Counters of single chains say less of all iterations than their number.
            Rules::OfChains => Rules::All,
            rules => rules,
        };
        let iterated = self.iterate(pool, build, rules, WIDEST);
        let bits = self.common(pool).into_iter().filter_map(|conjunct| {
            let closed = iterated.over_total(pool, conjunct)?;
            bits_until_failure(pool, closed, iterated.total)
        });
        bits.min().unwrap_or(WIDEST)
    }

    /// The conjuncts of all φ′ᵢ.
    pub(super) fn common(&self, pool: &TermPool) -> Vec<TermId> {
        let conjuncts = |backbone: &Executed| pool.conjuncts(backbone.condition);
        let mut common = conjuncts(&self.executed[0]);
        for backbone in &self.executed[1..] {
            let own = conjuncts(backbone);
            common.retain(|conjunct| own.contains(conjunct));
        }
        common.retain(|conjunct| !pool.is_true(*conjunct));
        common
    }

    /// Lines 1 to 10, with arrays as ⋆.
    pub(super) fn iterate(
        &self,
        pool: &mut TermPool,
        build: &mut Build,
        rules: Rules,
        bits: u32,
    ) -> Iterated {
        let found = self.find_forms(pool, build, rules, bits);
        self.unknown_elsewhere(pool, build, found)
    }

    /// Lines 1 to 10, with comprehensions of arrays.
    fn iterate_with_arrays(
        &self,
        pool: &mut TermPool,
        build: &mut Build,
        rules: Rules,
        bits: u32,
    ) -> Iterated {
        let mut found = self.find_forms(pool, build, rules, bits);
        if !self.memory.arrays.is_empty() {
            let counting = Counting {
                each: &found.each,
                counters: &found.counters,
                total: found.total,
            };
            self.close_arrays(pool, build, &counting, &mut found.forms);
        }
        self.unknown_elsewhere(pool, build, found)
    }

    /// Which way may follow which, if that is known.
    pub(super) fn follows(&self, pool: &mut TermPool, build: &Build) -> Option<&Follows> {
        let known = (self.known_follows).get_or_init(|| self.ask_what_follows(pool, build));
        known.as_ref()
    }

    /// The objects that iterations write as arrays.
    pub(super) fn arrays(&self) -> &WrittenArrays {
        &self.memory.arrays
    }

    /// The values that the rules find.
    fn find_forms(
        &self,
        pool: &mut TermPool,
        build: &mut Build,
        rules: Rules,
        bits: u32,
    ) -> Iterated {
        let n = self.executed.len();
        let counters: Vec<SymbolId> = (0..n)
            .map(|index| {
                let name = if n == 1 {
                    "κ".to_owned()
                } else {
                    format!("κ{}", index + 1)
                };
                pool.symbol(&name, Sort::Bv(bits))
            })
            .collect();
        let total = if n == 1 {
            counters[0]
        } else {
            pool.symbol("κ", Sort::Bv(bits))
        };
        let each: Vec<Each> = self
            .executed
            .iter()
            .map(|backbone| Each::of(pool, backbone.unknowns.iter().copied(), bits))
            .collect();
        let effects: Vec<Effect> = self
            .executed
            .iter()
            .map(|backbone| backbone.effect.clone())
            .collect();
        let of = Loop {
            rules,
            effects: &effects,
            each: &each,
            inner: &self.inner,
            counters: &counters,
            total,
        };
        let mut forms = iterate(pool, &build.unknowns, &of);
        if rules == Rules::All && lacks_order(pool, &of, &forms) {
            let order = self.follows(pool, build).and_then(Follows::order);
            if let Some(order) = order {
                in_phases(pool, &build.unknowns, &of, &order, &mut forms);
            }
        }
        Iterated {
            counters,
            total,
            each,
            forms,
            stars: Vec::new(),
        }
    }

    /// ⋆ for variables without a form.
    fn unknown_elsewhere(
        &self,
        pool: &mut TermPool,
        build: &mut Build,
        mut iterated: Iterated,
    ) -> Iterated {
        for symbol in self.symbols.keys() {
            if !iterated.forms.contains_key(symbol) {
                let name = pool.given_name(*symbol).to_owned();
                let (sort, divisor) = (pool.symbol_sort(*symbol), pool.symbol_divisor(*symbol));
                let star = build.unknowns.star(pool, &name, sort, divisor);
                iterated.stars.push(star);
                let form = Form {
                    symbol: *symbol,
                    rule: Rule::Unknown,
                    value: pool.symbol_term(star),
                };
                iterated.forms.insert(*symbol, form);
            }
        }
        iterated
    }

    /// Lines 11 to 18, and what the loop leaves behind.
    fn close(
        &self,
        pool: &mut TermPool,
        build: &mut Build,
        induced: &Induced,
        bits: u32,
    ) -> Result<Summary, String> {
        let rules = build.options.rules;
        let mut iterated = self.iterate_with_arrays(pool, build, rules, bits);
        let mut unknowns: Vec<SymbolId> = match rules {
            Rules::OfChains => Vec::new(),
            Rules::OfThePaper | Rules::All => (iterated.each.iter())
                .flat_map(|each| each.arrays.values().copied())
                .collect(),
        };
        let (mut demanded, mut number) = (Vec::new(), iterated.total);
        let mut alone = Vec::new();
        let conditions = match rules {
            Rules::OfThePaper => self.by_counters(pool, &iterated, &mut unknowns, &mut alone),
            Rules::All => self.by_positions(pool, build, &iterated, &mut unknowns, &mut alone),
            Rules::OfChains => {
                (demanded, number) = self.of_each_iteration(pool, build, bits);
                self.one_before(pool, build, &iterated, &self.inner, &mut unknowns)
            }
        };
        alone.retain(|(array, _)| unknowns.contains(array));
        let mut conditions: Vec<TermId> = conditions
            .into_iter()
            .map(|condition| build.unknowns.weaken(pool, condition))
            .collect();
        if iterated.counters.len() > 1 && build.options.rules == Rules::All {
            conditions.push(iterated.total_is_sum(pool));
        }
        if rules == Rules::All
            && let Some(ends) = self.ends(pool, build, &iterated)
        {
            conditions.push(ends.condition);
            unknowns.extend(ends.unknowns);
            for form in ends.forms {
                iterated.forms.insert(form.symbol, form);
            }
        }
        let condition = pool.conj(conditions);
        let mut registers = Vec::new();
        for reg in self.live {
            let value = iterated.after(pool, self.entry.state.frame.get(*reg));
            registers.push((*reg, value));
        }
        let mut before = self.entry.state.memory.clone();
        let mut cells = Vec::new();
        for (object, offset, bytes) in &self.memory.cells {
            let at = build.machine.pointer_sized(pool, *offset);
            let value = before.read(pool, *object, at, *bytes);
            cells.push((*object, *offset, iterated.after(pool, value)));
        }
        let (mut contents, mut aligned) = (Vec::new(), Vec::new());
        for (object, cell_bytes) in &self.memory.whole {
            if let Some((_, symbol)) = self.memory.arrays.content(*object)
                && let Some(form) = iterated.forms.get(&symbol)
                && form.rule != Rule::Unknown
            {
                aligned.push(symbol);
                let content = FlatArray {
                    array: form.value,
                    cell_bytes: *cell_bytes,
                };
                contents.push((*object, content));
                continue;
            }
            let name = pool.given_name(*object).trim_start_matches('&').to_owned();
            let index = pool.width(pool.symbol_term(*object));
            let value = cell_bytes * 8;
            let star = (build.unknowns).star(pool, &name, Sort::Array { index, value }, 1);
            iterated.stars.push(star);
            let content = FlatArray {
                array: pool.symbol_term(star),
                cell_bytes: *cell_bytes,
            };
            contents.push((*object, content));
        }
        let backbones = self.executed.iter().enumerate();
        let backbones = backbones.map(|(way, executed)| LoopBackbone {
            edges: executed.trail.edges.clone(),
            passed: executed.trail.passed.clone(),
            n_backbones: executed.trail.n_backbones,
            counter: iterated.counters[way],
            condition: executed.condition,
            loops: executed.trail.loops.clone(),
            relations: executed.relations.iter().collect(),
            inner: self.inner[way].clone(),
            together: CountedTogether::in_iteration(&self.inner[way], &executed.trail.loops),
            inputs: match rules {
                Rules::OfChains => Vec::new(),
                Rules::OfThePaper | Rules::All => {
                    inputs_of(pool, &executed.trail.state, &iterated.each[way])
                }
            },
        });
        let backbones = backbones.collect();
        let touched = self.memory.whole.keys().copied();
        let touched = touched.chain(self.memory.cells.iter().map(|(object, ..)| *object));
        let pointer_bits = build.machine.program.pointer_bits;
        Ok(Summary {
            entry: self.start,
            nodes: induced.body().cloned().unwrap_or_default(),
            shape: self.entry.shape(pointer_bits, touched),
            symbols: self.entry.symbols(),
            backbones,
            total: iterated.total,
            unknowns,
            alone,
            stars: iterated.stars,
            forms: iterated.forms.into_values().collect(),
            condition,
            demanded,
            number,
            registers,
            cells,
            contents,
            aligned,
        })
    }

    /// ψᵢ ≡ ∀τᵢ<κᵢ ∃τ⃗ᵢ≤κ⃗ᵢ ∃κ⃗′ᵢ. γᵢ for each backbone (line 16).
    fn by_counters(
        &self,
        pool: &mut TermPool,
        iterated: &Iterated,
        unknowns: &mut Vec<SymbolId>,
        alone: &mut Vec<(SymbolId, Alone)>,
    ) -> Vec<TermId> {
        let mut conditions = Vec::new();
        for (way, executed) in self.executed.iter().enumerate() {
            let mut at = Moment::of(pool, iterated, way);
            let gamma = at.holds(pool, iterated, executed.condition);
            let counters = at.others(pool, iterated, unknowns);
            alone.extend(at.alone());
            let mut body = vec![gamma];
            for (other, before) in counters {
                let kappa = pool.symbol_term(other);
                body.push(pool.ule(before, kappa));
            }
            conditions.push(at.in_all_iterations(pool, iterated, body));
        }
        conditions
    }

    /// What all backbones demand holds in all iterations; what each demands besides holds in its
    /// iterations, whose positions among all iterations grow.
    fn by_positions(
        &self,
        pool: &mut TermPool,
        build: &mut Build,
        iterated: &Iterated,
        unknowns: &mut Vec<SymbolId>,
        alone: &mut Vec<(SymbolId, Alone)>,
    ) -> Vec<TermId> {
        if self.executed.len() == 1 {
            return self.by_counters(pool, iterated, unknowns, alone);
        }
        let common: Vec<(TermId, TermId)> = self
            .common(pool)
            .into_iter()
            .filter_map(|conjunct| Some((conjunct, iterated.over_total(pool, conjunct)?)))
            .collect();
        let closed: Vec<TermId> = common.iter().map(|(_, closed)| *closed).collect();
        let closed = pool.conj(closed);
        let total = pool.symbol_term(iterated.total);
        let tau = pool.symbol("τ", pool.symbol_sort(iterated.total));
        let mut at_tau = IndexMap::from([(iterated.total, pool.symbol_term(tau))]);
        let closed = pool.substitute(closed, &mut at_tau);
        let mut conditions = vec![pool.forall_below(tau, total, closed)];
        for (way, executed) in self.executed.iter().enumerate() {
            let own = pool.conjuncts(executed.condition).into_iter();
            let own: Vec<TermId> = own
                .filter(|conjunct| common.iter().all(|(common, _)| common != conjunct))
                .collect();
            let own = pool.conj(own);
            let mut at = Moment::of(pool, iterated, way);
            let gamma = at.holds(pool, iterated, own);
            let gamma = build.unknowns.weaken(pool, gamma);
            let others = at.others(pool, iterated, unknowns);
            alone.extend(at.alone());
            let mut body = vec![gamma];
            if !pool.is_true(gamma) {
                body.extend(at.position_holds(pool, iterated, &others, unknowns));
            }
            conditions.push(at.in_all_iterations(pool, iterated, body));
        }
        conditions
    }
}

impl Iterated {
    /// θ^κ⃗⟨term⟩.
    fn after(&self, pool: &mut TermPool, term: TermId) -> TermId {
        let mut theta: IndexMap<SymbolId, TermId> = self
            .forms
            .iter()
            .map(|(symbol, form)| (*symbol, form.value))
            .collect();
        pool.substitute(term, &mut theta)
    }

    /// θ^κ⃗⟨term⟩ where that depends on the number of all iterations only, and on no unknown of a
    /// single one.
    pub(super) fn over_total(&self, pool: &mut TermPool, term: TermId) -> Option<TermId> {
        let symbols = pool.symbols_of(term);
        let of_iteration = |symbol: &SymbolId| {
            let mut each = self.each.iter();
            each.any(|each| each.arrays.contains_key(symbol))
        };
        if symbols.iter().any(of_iteration) {
            return None;
        }
        let closed = self.after(pool, term);
        let symbols = pool.symbols_of(closed);
        let is_free = |symbol: &SymbolId| {
            let is_counter = *symbol != self.total && self.counters.contains(symbol);
            let mut each = self.each.iter();
            is_counter
                || self.stars.contains(symbol)
                || each.any(|each| each.arrays.values().any(|array| array == symbol))
        };
        (!symbols.iter().any(is_free)).then_some(closed)
    }

    /// The number of all iterations is the sum of the path counters. It does not wrap: the counters
    /// are wide enough for all iterations.
    fn total_is_sum(&self, pool: &mut TermPool) -> TermId {
        let mut sum = pool.bv(pool.width(pool.symbol_term(self.total)), 0);
        let total = pool.symbol_term(self.total);
        let mut parts = Vec::new();
        for counter in &self.counters {
            let counter = pool.symbol_term(*counter);
            sum = pool.add(sum, counter);
            parts.push(pool.ule(counter, total));
        }
        parts.push(pool.eq(sum, total));
        pool.conj(parts)
    }
}

/// The moment before an iteration along one backbone.
struct Moment {
    way: usize,
    /// τᵢ.
    tau: SymbolId,
    /// τⱼ for the others, as functions of τᵢ.
    before: IndexMap<SymbolId, SymbolId>,
    /// The number of all iterations before, likewise.
    position: Option<SymbolId>,
    needs_others: Vec<SymbolId>,
    needs_position: bool,
}

impl Moment {
    fn of(pool: &mut TermPool, iterated: &Iterated, way: usize) -> Moment {
        let sort = pool.symbol_sort(iterated.total);
        let name = if iterated.counters.len() == 1 {
            "τ".to_owned()
        } else {
            format!("τ{}", way + 1)
        };
        Moment {
            way,
            tau: pool.symbol(&name, sort),
            before: IndexMap::new(),
            position: None,
            needs_others: Vec::new(),
            needs_position: false,
        }
    }

    /// What its arrays are where no other way is taken.
    fn alone(&self) -> impl Iterator<Item = (SymbolId, Alone)> + '_ {
        let before = self.before.values().map(|array| (*array, Alone::Zero));
        let position = self.position.iter();
        before.chain(position.map(|array| (*array, Alone::Number)))
    }

    /// γᵢ: a condition of the iteration, over entry symbols of the loop.
    fn holds(&mut self, pool: &mut TermPool, iterated: &Iterated, condition: TermId) -> TermId {
        let tau = pool.symbol_term(self.tau);
        let counter = iterated.counters[self.way];
        let bits = pool.width(tau);
        let mut at_tau: IndexMap<SymbolId, TermId> = IndexMap::from([(counter, tau)]);
        let of_tau = Sort::Array {
            index: bits,
            value: bits,
        };
        if iterated.counters.len() > 1 {
            for (other, kappa) in iterated.counters.iter().enumerate() {
                if other != self.way {
                    let array = pool.symbol(&format!("τ{}", other + 1), of_tau);
                    self.before.insert(*kappa, array);
                    let array = pool.symbol_term(array);
                    at_tau.insert(*kappa, pool.select(array, tau));
                }
            }
            let array = pool.symbol("position", of_tau);
            self.position = Some(array);
            let array = pool.symbol_term(array);
            at_tau.insert(iterated.total, pool.select(array, tau));
        }
        let mut values: IndexMap<SymbolId, TermId> = IndexMap::new();
        for (symbol, form) in &iterated.forms {
            values.insert(*symbol, pool.substitute(form.value, &mut at_tau));
        }
        let mut at = AtIteration {
            values,
            each: &iterated.each[self.way],
            iteration: tau,
        };
        let gamma = pool.substitute(condition, &mut at);
        let symbols = pool.symbols_of(gamma);
        self.needs_others = (self.before.iter())
            .filter(|(_, array)| symbols.contains(array))
            .map(|(kappa, _)| *kappa)
            .collect();
        self.needs_position = self.position.is_some_and(|array| symbols.contains(&array));
        gamma
    }

    /// κⱼ and τⱼ for the other backbones whose numbers of iterations matter.
    fn others(
        &self,
        pool: &mut TermPool,
        iterated: &Iterated,
        unknowns: &mut Vec<SymbolId>,
    ) -> Vec<(SymbolId, TermId)> {
        let tau = pool.symbol_term(self.tau);
        let mut others = Vec::new();
        for kappa in &iterated.counters {
            if self.needs_others.contains(kappa) {
                let array = self.before[kappa];
                unknowns.push(array);
                let array = pool.symbol_term(array);
                others.push((*kappa, pool.select(array, tau)));
            }
        }
        others
    }

    /// What is known of the position, and of how it grows.
    fn position_holds(
        &self,
        pool: &mut TermPool,
        iterated: &Iterated,
        others: &[(SymbolId, TermId)],
        unknowns: &mut Vec<SymbolId>,
    ) -> Vec<TermId> {
        let Some(array) = self
            .position
            .filter(|_| self.needs_position || !others.is_empty())
        else {
            return Vec::new();
        };
        unknowns.push(array);
        let array = pool.symbol_term(array);
        let tau = pool.symbol_term(self.tau);
        let bits = pool.width(tau);
        let position = pool.select(array, tau);
        let total = pool.symbol_term(iterated.total);
        let mut holds = vec![pool.ult(position, total)];
        // Iterations before: τᵢ along this backbone, and τⱼ, at most κⱼ, along the others.
        let mut at_least = tau;
        for (kappa, before) in others {
            let kappa = pool.symbol_term(*kappa);
            holds.push(pool.ule(*before, kappa));
            at_least = pool.add(at_least, *before);
        }
        let all_others = others.len() + 1 == iterated.counters.len();
        holds.push(if all_others {
            pool.eq(position, at_least)
        } else {
            pool.ule(at_least, position)
        });
        let own = pool.symbol_term(iterated.counters[self.way]);
        let left = pool.sub(own, tau);
        let end = pool.add(position, left);
        holds.push(pool.ule(end, total));
        // The next iteration along this backbone comes later.
        let one = pool.bv(bits, 1);
        let next = pool.add(tau, one);
        let next_position = pool.select(array, next);
        let grows = pool.ult(position, next_position);
        let is_last = pool.ule(own, next);
        holds.push(pool.or(is_last, grows));
        holds
    }

    /// ∀τᵢ < κᵢ.
    fn in_all_iterations(
        &self,
        pool: &mut TermPool,
        iterated: &Iterated,
        body: Vec<TermId>,
    ) -> TermId {
        let body = pool.conj(body);
        let kappa = pool.symbol_term(iterated.counters[self.way]);
        pool.forall_below(self.tau, kappa, body)
    }
}

/// The values that an iteration reads from outside, as arrays, in order; those of loops inside have
/// no place in it.
fn inputs_of(pool: &TermPool, end: &State, each: &Each) -> Vec<(SymbolId, Option<InputSite>)> {
    let inputs = end.inputs.iter().filter_map(|event| match event {
        InputEvent::Value { term, site } => {
            let array = each.arrays.get(&pool.as_symbol(*term)?)?;
            Some((*array, *site))
        }
        InputEvent::Memory { .. } | InputEvent::Iterations { .. } | InputEvent::Either(_) => None,
    });
    let mut inputs: Vec<_> = inputs.collect();
    inputs.reverse();
    inputs
}
