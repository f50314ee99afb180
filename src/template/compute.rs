//! Algorithm 1: from a cycle to its template.

use super::arrays::WrittenArrays;
use super::entry::{Assumed, Entry};
use super::iteration::{Iteration, IterationExit, Walk};
use super::obstacle::Told;
use super::offsets::{Offsets, for_offsets};
use super::progression::{NoClosedForm, Progressions, Rule, Rules};
use super::{
    EntryValue, ExitTarget, Folding, IterationInput, KAPPA, MemoryObstacle, NoTemplate, Region,
    Template, TemplateExit,
};
use flowgraph::{Action, Cycle, RegId, Span, change_of};
use indexmap::IndexMap;
use memory::{Base, FlatArray, Memory, ObjectId, Pointer};
use semantics::{
    Admission, InputEvent, InputSite, Location, Machine, Oracle, PathCondition, PathEnd, State,
};
use solver::bits_until_failure;
use term::{Sort, SymbolId, SymbolNames, TermId, TermPool};

/// Algorithm 1: the template of a cycle for states of the shape of `model`, whose location is
/// the cycle's entry. `live` gives the registers that are live at a location of the cycle's
/// function. The oracle is `satisfiable` of the paper.
///
/// # Errors
/// Why there is none: see [`NoTemplate`].
pub fn compute_template(
    machine: &Machine,
    pool: &mut TermPool,
    oracle: &mut dyn Oracle,
    model: &State,
    cycle: &Cycle,
    live: &dyn Fn(flowgraph::NodeId) -> Vec<RegId>,
) -> Result<Template, NoTemplate> {
    let offsets = Offsets::Constant;
    template_of_cycle(machine, pool, oracle, model, cycle, live, offsets)
}

/// The same, where offsets may have to be any.
pub(super) fn template_of_cycle(
    machine: &Machine,
    pool: &mut TermPool,
    oracle: &mut dyn Oracle,
    model: &State,
    cycle: &Cycle,
    live: &dyn Fn(flowgraph::NodeId) -> Vec<RegId>,
    offsets: Offsets,
) -> Result<Template, NoTemplate> {
    let at_entry = live(cycle.entry);
    let region = Region::Core(cycle.core.clone().into());
    for_offsets(
        machine,
        pool,
        model,
        &at_entry,
        offsets,
        &mut |pool, assumed| {
            let (entry, iteration, ways) =
                iteration_of_cycle(machine, pool, oracle, model, cycle, live, assumed)?;
            let executed = ExecutedOnce {
                machine,
                entry: &entry,
                iteration: &iteration,
                ways: &ways,
                live,
                region: region.clone(),
                counting: Counting::States,
            };
            executed.template(pool, oracle)
        },
    )
}

/// One iteration along a core and the exits, for states of the shape of `model` of which this much is
/// assumed.
///
/// # Errors
/// Why there is none: see [`NoTemplate`].
pub(super) fn iteration_of_cycle(
    machine: &Machine,
    pool: &mut TermPool,
    oracle: &mut dyn Oracle,
    model: &State,
    cycle: &Cycle,
    live: &dyn Fn(flowgraph::NodeId) -> Vec<RegId>,
    mut assumed: Assumed,
) -> Result<(Entry, Iteration, Vec<IterationExit>), NoTemplate> {
    let (entry, walk) = loop {
        let entry = Entry::like(machine, pool, model, &live(cycle.entry), &assumed);
        let walk = Walk::execute(machine, pool, oracle, &entry, cycle)?;
        if !assumed.weaken(pool, &entry, &walk.iteration.end) {
            break (entry, walk);
        }
    };
    let path_cond = pool.conj(walk.iteration.end.path_cond.to_vec());
    match oracle.admits(pool, &PathCondition::default(), path_cond) {
        Admission::Feasible => {}
        Admission::Infeasible => return Err(NoTemplate::Infeasible),
        Admission::Unknown => return Err(NoTemplate::Undecided(walk.iteration.span)),
    }
    let ways = walk.exits(machine, pool, oracle, cycle)?;
    Ok((entry, walk.iteration, ways))
}

/// The meaning of a number of iterations.
#[derive(Clone, Copy)]
pub(super) enum Counting<'a> {
    /// Iterations that lead to a state for a second time need not be told apart from fewer
    /// iterations.
    States,
    /// Each iteration leaves a frame on the stack.
    Frames,
    /// Each iteration takes one off: κ has so many bits, and in iteration κ the entry symbols have
    /// the values that the function gives them.
    Returns(u32, &'a FrameValues<'a>),
}

/// The values of some entry symbols in an iteration, a term as wide as κ.
pub(super) type FrameValues<'a> = dyn Fn(&mut TermPool, TermId) -> Vec<(SymbolId, TermId)> + 'a;

/// An iteration with its exits, for lines 3 to 27.
pub(super) struct ExecutedOnce<'a> {
    pub machine: &'a Machine<'a>,
    pub entry: &'a Entry,
    pub iteration: &'a Iteration,
    pub ways: &'a [IterationExit],
    pub live: &'a dyn Fn(flowgraph::NodeId) -> Vec<RegId>,
    pub region: Region,
    pub counting: Counting<'a>,
}

impl ExecutedOnce<'_> {
    /// Lines 3 to 27: the template.
    ///
    /// # Errors
    /// Why there is none: see [`NoTemplate`].
    pub fn template(
        self,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
    ) -> Result<Template, NoTemplate> {
        let (template, _) = self.template_and_order(pool, oracle)?;
        Ok(template)
    }

    /// The template, and whether what is there after all iterations does not depend on the order in which frames are
    /// taken off.
    ///
    /// # Errors
    /// Why there is none: see [`NoTemplate`].
    pub fn template_and_order(
        self,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
    ) -> Result<(Template, bool), NoTemplate> {
        let ExecutedOnce {
            machine,
            entry,
            iteration,
            ways,
            live,
            region,
            counting,
        } = self;
        let path_cond = pool.conj(iteration.end.path_cond.to_vec());
        let arrays = WrittenArrays::of(pool, entry, iteration, ways)?;
        Closing {
            machine,
            entry,
            iteration,
            ways,
            arrays: &arrays,
            live,
            path_cond,
            region,
            counting,
        }
        .template(pool, oracle)
    }
}

/// The context of lines 3 to 27, which close the forms.
struct Closing<'a> {
    machine: &'a Machine<'a>,
    entry: &'a Entry,
    iteration: &'a Iteration,
    ways: &'a [IterationExit],
    arrays: &'a WrittenArrays,
    live: &'a dyn Fn(flowgraph::NodeId) -> Vec<RegId>,
    /// φ of one iteration.
    path_cond: TermId,
    region: Region,
    counting: Counting<'a>,
}

/// Widths that follow from the closed forms.
struct Bits {
    /// Of κ.
    kappa: u32,
    /// Of the number of iterations that are possible.
    iterations: u32,
    /// Whether iterations that κ does not number do what the last one that it does has done.
    rests: bool,
}

impl Closing<'_> {
    fn template(
        &self,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
    ) -> Result<(Template, bool), NoTemplate> {
        let Bits {
            kappa: kappa_bits,
            iterations: most_iterations,
            rests,
        } = self.bits(pool)?;
        let progressions = self.progressions(pool, Some(oracle), kappa_bits)?;
        let inputs = self.iteration_inputs(pool, &self.iteration.end)?;
        let inputs = inputs
            .into_iter()
            .map(|(input, site)| IterationInput {
                array: progressions.inputs[&input],
                site,
            })
            .collect();
        let (mut progressions, mut exits) = self.exits(pool, progressions)?;
        if most_iterations > kappa_bits && !rests && self.writes_moving(&progressions) {
            exits.push(self.goes_on(pool, &mut progressions)?);
        }
        let written = self
            .written_objects()
            .into_iter()
            .chain(self.arrays.objects());
        let order_free = progressions.is_order_free(pool, self.path_cond);
        let template = Template {
            entry: self.entry.state.location,
            region: self.region.clone(),
            shape: self.entry.shape(self.machine.program.pointer_bits, written),
            symbols: self.entry.symbols(),
            kappa: progressions.kappa,
            inputs,
            inner_counters: self.inner_counters(),
            progressions: progressions.found(),
            aligned: self.arrays.contents().collect(),
            exits,
        };
        Ok((template, order_free))
    }

    fn bits(&self, pool: &mut TermPool) -> Result<Bits, NoTemplate> {
        if let Counting::Returns(bits, _) = self.counting {
            return Ok(Bits {
                kappa: bits,
                iterations: bits,
                rests: false,
            });
        }
        // A first pass over a wide path counter finds the rules, from which follows how wide κ
        // has to be.
        let trial = self.progressions(pool, None, 64)?;
        let (mut trial, _) = self.exits(pool, trial)?;
        let most_iterations = self.most_iterations(pool, &mut trial).unwrap_or(64);
        let kappa_bits = match self.counting {
            Counting::States => trial.kappa_bits(pool, self.path_cond),
            // No machine holds 2^64 frames of anything.
            Counting::Frames | Counting::Returns(..) => 64,
        };
        // What is written is a function of what changes, and of inputs.
        let reads_inputs = !self.iteration_inputs(pool, &self.iteration.end)?.is_empty();
        Ok(Bits {
            kappa: kappa_bits.min(most_iterations),
            iterations: most_iterations,
            rests: !reads_inputs && trial.stabilises(pool, self.path_cond),
        })
    }

    /// How many bits number the iterations that the condition of an iteration allows, where a
    /// conjunct of it certainly fails some time.
    fn most_iterations(&self, pool: &mut TermPool, trial: &mut Progressions) -> Option<u32> {
        let conjuncts = pool.conjuncts(self.path_cond);
        let bits = conjuncts.into_iter().filter_map(|conjunct| {
            let closed = trial.after(pool, conjunct).ok()?;
            bits_until_failure(pool, closed, trial.kappa)
        });
        bits.min()
    }

    /// θ of one iteration as a map from entry symbols, with fresh κ and input arrays.
    fn progressions(
        &self,
        pool: &mut TermPool,
        oracle: Option<&mut dyn Oracle>,
        kappa_bits: u32,
    ) -> Result<Progressions, NoTemplate> {
        let kappa = pool.symbol(KAPPA, Sort::Bv(kappa_bits));
        let rules = match &self.region {
            Region::Core(_) => Rules::OfCycles,
            Region::Loop(_) => Rules::OfLoops,
            Region::Recursion(recursion) => match recursion.folding {
                Folding::Cycles => Rules::OfCycles,
                Folding::Loops => Rules::OfLoops,
            },
        };
        let mut progressions = Progressions::new(self.step(pool)?, IndexMap::new(), kappa, rules);
        for (input, _) in self.iteration_inputs(pool, &self.iteration.end)? {
            Self::add_input(pool, &mut progressions, input);
        }
        if let Counting::Returns(_, frames) = self.counting {
            let kappa = pool.symbol_term(kappa);
            for (symbol, value) in frames(pool, kappa) {
                progressions.give(symbol, value);
            }
        }
        self.arrays
            .close(pool, oracle, &mut progressions, self.path_cond)
            .map_err(|(object, why)| self.writes_array(&self.iteration.end.memory, object, why))?;
        Ok(progressions)
    }

    /// Makes the array that holds an input for every iteration.
    fn add_input(
        pool: &mut TermPool,
        progressions: &mut Progressions,
        input: SymbolId,
    ) -> SymbolId {
        let name = pool.symbol_name(input).to_owned();
        let index = pool.width(pool.symbol_term(progressions.kappa));
        let value = pool.width(pool.symbol_term(input));
        let array = pool.symbol(&name, Sort::Array { index, value });
        progressions.inputs.insert(input, array);
        array
    }

    /// The symbols that an iteration read from outside, in order, and where.
    fn iteration_inputs(
        &self,
        pool: &TermPool,
        state: &State,
    ) -> Result<Vec<(SymbolId, Option<InputSite>)>, NoTemplate> {
        let mut inputs = Vec::with_capacity(state.inputs.len());
        for event in state.inputs.iter() {
            match event {
                InputEvent::Value { term, site } => {
                    let symbol = pool.as_symbol(*term);
                    inputs.push((symbol.expect("an input of an iteration is a symbol"), *site));
                }
                InputEvent::Memory { .. }
                | InputEvent::Iterations { .. }
                | InputEvent::Either(_) => {
                    return Err(NoTemplate::Allocates(self.iteration.span));
                }
            }
        }
        inputs.reverse();
        Ok(inputs)
    }

    fn written_objects(&self) -> Vec<ObjectId> {
        let end = &self.iteration.end.memory;
        written(&self.entry.state.memory, end)
    }

    /// θ: each entry symbol's value after one iteration.
    fn step(&self, pool: &mut TermPool) -> Result<IndexMap<SymbolId, Option<TermId>>, NoTemplate> {
        use super::EntryValue::{Cell, CellOffset, Content, Offset, Register};
        let written = self.written_objects();
        self.check_writes(pool, &written)?;
        for way in self.ways {
            let touched = self::written(&self.entry.state.memory, &way.state.memory);
            self.check_objects(&way.state.memory, &touched)?;
        }
        // Cells that an iteration writes but never reads get their entry symbol here.
        let mut entry_memory = self.entry.state.memory.clone();
        for object in written
            .iter()
            .filter(|object| !self.arrays.contains(**object))
        {
            for (offset, bytes) in cells_of(pool, &self.iteration.end.memory, *object) {
                let at = self.machine.pointer_sized(pool, offset);
                entry_memory.read(pool, *object, at, bytes);
            }
        }
        let mut step = IndexMap::new();
        let end = &self.iteration.end;
        for (symbol, meaning) in self.entry.symbols() {
            let start = pool.symbol_term(symbol);
            let value = match meaning {
                Register(reg) => Some(end.frame.get(reg)),
                Offset(reg) => {
                    let before = self.entry.state.frame.get(reg);
                    self.moved(pool, before, end.frame.get(reg))
                }
                Cell(object, ..) | CellOffset(object, ..) if self.arrays.contains(object) => None,
                Content(object, bytes) if self.arrays.contains(object) => {
                    self.arrays.content_after(pool, &end.memory, object, bytes)
                }
                Cell(object, offset, bytes) => {
                    let mut memory = end.memory.clone();
                    let at = self.machine.pointer_sized(pool, offset);
                    Some(memory.read(pool, object, at, bytes))
                }
                CellOffset(object, offset, bytes) => {
                    let at = self.machine.pointer_sized(pool, offset);
                    let before = entry_memory.read(pool, object, at, bytes);
                    let mut memory = end.memory.clone();
                    let after = memory.read(pool, object, at, bytes);
                    self.moved(pool, before, after)
                }
                Content(..) => Some(start),
            };
            step.insert(symbol, value);
        }
        Ok(step)
    }

    /// The offset of a pointer after an iteration; `None` where the pointer moved to another
    /// object.
    fn moved(&self, pool: &mut TermPool, before: TermId, after: TermId) -> Option<TermId> {
        let memory = &self.iteration.end.memory;
        let from = Pointer::resolve(pool, memory, before)?;
        let to = Pointer::resolve(pool, memory, after)?;
        (from.object == to.object).then_some(to.offset)
    }

    /// Objects may change only in cells at constant offsets that are not also read otherwise.
    fn check_writes(&self, pool: &TermPool, written: &[ObjectId]) -> Result<(), NoTemplate> {
        let memory = &self.iteration.end.memory;
        self.check_objects(memory, written)?;
        for object in written
            .iter()
            .filter(|object| !self.arrays.contains(**object))
        {
            let conflict = self.entry.reads_as_array(*object)
                || cells_of(pool, memory, *object)
                    .iter()
                    .any(|(offset, bytes)| {
                        self.entry
                            .cells_read(*object)
                            .iter()
                            .any(|(read, read_bytes)| {
                                (read, read_bytes) != (offset, bytes)
                                    && *read < offset + u64::from(*bytes)
                                    && *offset < read + u64::from(*read_bytes)
                            })
                    });
            if conflict {
                return Err(self.writes_array(memory, *object, MemoryObstacle::Widths));
            }
        }
        Ok(())
    }

    /// No object came or died, and only those known as arrays were written at offsets that are not
    /// constant.
    fn check_objects(&self, memory: &Memory, written: &[ObjectId]) -> Result<(), NoTemplate> {
        let entry = &self.entry.state.memory;
        for object in written {
            let Some((before, after)) = entry.object(*object).zip(memory.object(*object)) else {
                return Err(NoTemplate::Allocates(self.iteration.span));
            };
            if before.alive != after.alive {
                return Err(NoTemplate::Allocates(self.iteration.span));
            }
            let is_array = self.arrays.contains(*object);
            if !is_array && !matches!(after.content.base(), Base::Entry(_)) {
                return Err(self.writes_array(memory, *object, MemoryObstacle::Offset));
            }
        }
        Ok(())
    }

    fn writes_array(&self, memory: &Memory, object: ObjectId, why: MemoryObstacle) -> NoTemplate {
        let name = memory.object(object).map(|object| object.info.name.clone());
        NoTemplate::WritesArray {
            object: name.unwrap_or_default(),
            why,
            span: self.stored_at().unwrap_or(self.iteration.span),
        }
    }

    /// Lines 20 to 27: the set M.
    fn exits(
        &self,
        pool: &mut TermPool,
        mut progressions: Progressions,
    ) -> Result<(Progressions, Vec<TemplateExit>), NoTemplate> {
        let iterations = self.all_iterations(pool, &mut progressions)?;
        let mut exits = Vec::with_capacity(self.ways.len());
        for way in self.ways {
            exits.push(self.exit(pool, &mut progressions, iterations, way)?);
        }
        Ok((progressions, exits))
    }

    fn inner_counters(&self) -> Vec<SymbolId> {
        let inner = self.ways.iter().flat_map(|way| &way.inner);
        let mut counters: Vec<SymbolId> = inner.map(|(_, counter)| *counter).collect();
        counters.sort_unstable();
        counters.dedup();
        counters
    }

    /// Whether iterations write an array.
    fn writes_moving(&self, progressions: &Progressions) -> bool {
        let contents: Vec<SymbolId> = self.arrays.contents().collect();
        progressions
            .found()
            .iter()
            .any(|found| contents.contains(&found.symbol) && found.rule == Rule::Comprehension)
    }

    /// More iterations than κ can number lead to no new values of registers, but an array may hold by then
    /// what no smaller number of iterations makes it hold. A run that continues so long is abandoned, unless
    /// iterations reach a fixed point: then each writes the values of the one before, to the same place.
    fn goes_on(
        &self,
        pool: &mut TermPool,
        progressions: &mut Progressions,
    ) -> Result<TemplateExit, NoTemplate> {
        let iterations = self.all_iterations(pool, progressions)?;
        let iteration = self.after(pool, progressions, self.path_cond)?;
        let kappa = pool.symbol_term(progressions.kappa);
        let bits = pool.width(kappa);
        let most = pool.bv(bits, u64::MAX);
        let last = pool.eq(kappa, most);
        let condition = pool.conj([last, iterations, iteration]);
        let what =
            format!("what memory holds after 2^{bits} or more iterations of a loop that writes it");
        Ok(TemplateExit {
            edge: match &self.region {
                Region::Core(core) => core[0],
                Region::Loop(natural) => natural.back_edges[0],
                Region::Recursion(recursion) => recursion.calls[0],
            },
            target: ExitTarget::End(PathEnd::Unsupported(what, self.iteration.span)),
            condition,
            iterations: None,
            registers: Vec::new(),
            cells: Vec::new(),
            arrays: Vec::new(),
            last_inputs: Vec::new(),
            inner: Vec::new(),
        })
    }

    /// φ*\[κ\] = ∀τ (τ < κ → θ*\[τ\]⟨φ⟩), line 20.
    fn all_iterations(
        &self,
        pool: &mut TermPool,
        progressions: &mut Progressions,
    ) -> Result<TermId, NoTemplate> {
        let body = self.after(pool, progressions, self.path_cond)?;
        let kappa = pool.symbol_term(progressions.kappa);
        let tau = pool.symbol("τ", Sort::Bv(pool.width(kappa)));
        let mut at_tau: IndexMap<SymbolId, TermId> =
            IndexMap::from([(progressions.kappa, pool.symbol_term(tau))]);
        let body = pool.substitute(body, &mut at_tau);
        Ok(pool.forall_below(tau, kappa, body))
    }

    fn exit(
        &self,
        pool: &mut TermPool,
        progressions: &mut Progressions,
        iterations: TermId,
        way: &IterationExit,
    ) -> Result<TemplateExit, NoTemplate> {
        let mut last_inputs = Vec::new();
        for (input, site) in self.iteration_inputs(pool, &way.state)? {
            let known = progressions.inputs.get(&input).copied();
            let array = known.unwrap_or_else(|| Self::add_input(pool, progressions, input));
            last_inputs.push(IterationInput { array, site });
        }
        let unfinished = pool.conj(way.state.path_cond.to_vec());
        let unfinished = self.after(pool, progressions, unfinished)?;
        let condition = pool.and(iterations, unfinished);
        let mut registers = Vec::new();
        let kept = (self.live)(self.entry.state.location.node);
        if let ExitTarget::Location(Location { node, .. }) = way.target {
            for reg in (self.live)(node) {
                let value = self.after(pool, progressions, way.state.frame.get(reg))?;
                if !kept.contains(&reg) || value != self.entry.state.frame.get(reg) {
                    registers.push((reg, value));
                }
            }
        }
        let (cells, arrays) = match way.target {
            ExitTarget::Location(_) => (
                self.exit_cells(pool, progressions, way)?,
                self.exit_arrays(pool, progressions, way)?,
            ),
            ExitTarget::End(_) => (Vec::new(), Vec::new()),
        };
        Ok(TemplateExit {
            edge: way.edge,
            target: way.target.clone(),
            condition,
            iterations: None,
            registers,
            cells,
            arrays,
            last_inputs,
            inner: way.inner.clone(),
        })
    }

    /// Memory at an exit: what full iterations and the unfinished one have written.
    fn exit_cells(
        &self,
        pool: &mut TermPool,
        progressions: &mut Progressions,
        way: &IterationExit,
    ) -> Result<Vec<(ObjectId, u64, TermId)>, NoTemplate> {
        let mut places: Vec<(ObjectId, u64, u32)> = Vec::new();
        for memory in [&self.iteration.end.memory, &way.state.memory] {
            let objects = written(&self.entry.state.memory, memory);
            for object in objects
                .into_iter()
                .filter(|object| !self.arrays.contains(*object))
            {
                places.extend(
                    cells_of(pool, memory, object)
                        .into_iter()
                        .map(|(offset, bytes)| (object, offset, bytes)),
                );
            }
        }
        places.sort_unstable();
        places.dedup();
        let mut memory = way.state.memory.clone();
        let mut cells = Vec::with_capacity(places.len());
        for (object, offset, bytes) in places {
            let at = self.machine.pointer_sized(pool, offset);
            let value = memory.read(pool, object, at, bytes);
            cells.push((object, offset, self.after(pool, progressions, value)?));
        }
        Ok(cells)
    }

    /// Arrays at an exit.
    fn exit_arrays(
        &self,
        pool: &mut TermPool,
        progressions: &mut Progressions,
        way: &IterationExit,
    ) -> Result<Vec<(ObjectId, FlatArray)>, NoTemplate> {
        let mut arrays = Vec::new();
        for (object, cell_bytes) in self.arrays.cells() {
            let content = self
                .arrays
                .content_after(pool, &way.state.memory, object, cell_bytes);
            let content = content.ok_or_else(|| {
                self.writes_array(&way.state.memory, object, MemoryObstacle::Widths)
            })?;
            let array = self.after(pool, progressions, content)?;
            arrays.push((object, FlatArray { array, cell_bytes }));
        }
        Ok(arrays)
    }

    fn after(
        &self,
        pool: &mut TermPool,
        progressions: &mut Progressions,
        term: TermId,
    ) -> Result<TermId, NoTemplate> {
        progressions
            .after(pool, term)
            .map_err(|NoClosedForm(symbol)| self.no_progression(pool, progressions, symbol))
    }

    fn no_progression(
        &self,
        pool: &mut TermPool,
        progressions: &mut Progressions,
        symbol: SymbolId,
    ) -> NoTemplate {
        let symbols = self.entry.symbols();
        let inputs: Vec<SymbolId> = progressions.inputs.keys().copied().collect();
        let told = Told {
            names: SymbolNames::plain(pool, symbols.keys().copied().chain(inputs)),
            changed_at: &|symbol| self.changed_at(symbols.get(&symbol)),
        };
        let variable = told.names.get(pool, symbol).to_owned();
        let span = (told.changed_at)(symbol);
        match progressions.step[&symbol] {
            Some(step) => NoTemplate::NoProgression {
                step: told.show(pool, step),
                why: Box::new(progressions.obstacle(pool, &told, symbol)),
                variable,
                span,
            },
            None => NoTemplate::PointerMoves { variable, span },
        }
    }

    /// Where iterations store something, if that is one line.
    fn stored_at(&self) -> Option<Span> {
        let id = self.entry.state.location.function;
        let function = &self.machine.program.functions[id.index()];
        let edges = self.region.edges(function);
        let steps = edges.iter().flat_map(|edge| &function.edge(*edge).steps);
        let stores = steps.filter(|step| matches!(step.action, Action::Store { .. }));
        let mut places = stores.map(|step| step.span);
        let first = places.next().filter(|first| first.line > 0)?;
        places
            .all(|place| (place.file, place.line) == (first.file, first.line))
            .then_some(first)
    }

    /// Where an iteration changes what an entry symbol stands for; its first line where that is not
    /// known.
    fn changed_at(&self, meaning: Option<&EntryValue>) -> Span {
        let id = self.entry.state.location.function;
        let function = &self.machine.program.functions[id.index()];
        let place = match meaning {
            Some(EntryValue::Register(reg) | EntryValue::Offset(reg)) => {
                change_of(function, &self.region.edges(function), *reg)
            }
            Some(EntryValue::Cell(..) | EntryValue::CellOffset(..) | EntryValue::Content(..))
            | None => None,
        };
        place.unwrap_or(self.iteration.span)
    }
}

/// The objects that differ between two memories: those written, made or removed in between.
#[must_use]
pub fn written(before: &Memory, after: &Memory) -> Vec<ObjectId> {
    let mut changed: Vec<ObjectId> = before
        .objects()
        .chain(after.objects())
        .map(|(id, _)| id)
        .filter(|id| !before.same_version(after, *id))
        .collect();
    changed.sort_unstable();
    changed.dedup();
    changed
}

/// The cells of an object that were written since the entry: byte offset and bytes.
#[must_use]
pub fn cells_of(pool: &TermPool, memory: &Memory, object: ObjectId) -> Vec<(u64, u32)> {
    let Some(object) = memory.object(object) else {
        return Vec::new();
    };
    object
        .content
        .cells()
        .map(|(offset, value)| (offset, pool.width(value) / 8))
        .collect()
}
