//! The templates of a program, computed on demand.

use super::automaton::{Automaton, AutomatonPolicy};
use super::compute::template_of_cycle;
use super::lookup::{Known, keep, look_up};
use super::natural::LoopContext;
use super::offsets::Offsets;
use super::recursion::{Ascended, RecursionRecord, Recursions};
use super::{NoTemplate, RecursionTemplate, Region, Template};
use flowgraph::{
    Cycle, Entries, FunctionId, Liveness, Loop, LoopId, LoopNest, NodeId, Program, RegId,
    cycles::EnumerationEnd, enumerate_cycles_from,
};
use indexmap::IndexMap;
use memory::{ObjectId, Pointer};
use rustc_hash::FxBuildHasher;
use semantics::{Location, Machine, Oracle, State};
use serde::{Deserialize, Serialize};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};
use term::{TermPool, Work};

/// A cycle of the program: its function and its number there, in order of enumeration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CycleId {
    pub function: FunctionId,
    pub number: usize,
}

/// A cycle and what was computed for it, one entry a shape.
pub struct CycleRecord {
    pub cycle: Cycle,
    pub templates: Vec<Rc<Template>>,
    pub refused: Refused,
}

/// A natural loop, and what was computed for it, one entry a shape. A loop that is a single cycle
/// has a record only where the cycle has no template or the loop was met within another one.
pub struct LoopRecord {
    pub natural: Rc<Loop>,
    pub templates: Vec<Rc<Template>>,
    pub refused: Refused,
}

/// A loop with its path dependency automaton, or why it has none.
pub struct LoopAutomaton {
    pub function: FunctionId,
    pub natural: Loop,
    pub automaton: Result<Automaton, NoTemplate>,
}

/// The units of folding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Folding {
    /// Single cycles, as in the paper.
    Cycles,
    /// Whole loops, and cycles where a loop has no template.
    Loops,
}

/// The objects that the live pointer registers at an entry point into, and whether at a constant
/// offset.
pub type RegisterShape = Vec<(RegId, Option<(ObjectId, bool)>)>;

/// Shapes that have no template, and why.
pub type Refused = IndexMap<RegisterShape, NoTemplate, FxBuildHasher>;

/// The cycles of a function, its loops, and the records of these.
pub(super) type OfFunction<'t> = (
    &'t [CycleRecord],
    &'t Arc<LoopNest>,
    &'t IndexMap<LoopId, LoopRecord>,
);

/// Numbers for reports.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct TableStatistics {
    /// By Definition 1: a core counts once for each of its entry locations.
    pub n_cycles: usize,
    /// Each core once.
    pub n_cores: usize,
    /// Whether some function has more cycles than were enumerated.
    pub cycles_cut: bool,
    /// Cycles with at least one template.
    pub n_templates: usize,
    /// Natural loops for which a template was requested.
    pub n_loops: usize,
    /// Loops with at least one template of their own.
    pub n_loop_templates: usize,
    /// Ways of calling themselves, of functions that do.
    pub n_recursions: usize,
    /// Those with at least one template.
    pub n_recursion_templates: usize,
    /// Spent on enumeration and Algorithm 1.
    pub time: Duration,
}

/// How much of a run's work computing templates may take. A state for which a template is missing
/// when that is used up continues without.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct TemplateWork {
    /// In any case. Default: 2 s.
    pub at_least: Work,
    /// Of all work of the run, in percent, above that. Default: 30.
    pub percent: u32,
}

impl Default for TemplateWork {
    fn default() -> TemplateWork {
        TemplateWork {
            at_least: Work::seconds(2),
            percent: 30,
        }
    }
}

/// All cycles of a program with their templates; empty for classic symbolic execution.
pub struct TemplateTable {
    functions: IndexMap<FunctionId, FunctionCycles>,
    recursions: Recursions,
    n_most_cycles: usize,
    folding: Folding,
    entries: Entries,
    time: Duration,
    /// The work that computing templates took.
    spent: Work,
    /// None for no limit.
    limit: Option<TemplateWork>,
    automata: AutomatonPolicy,
    enabled: bool,
}

struct FunctionCycles {
    liveness: Arc<Liveness>,
    records: Vec<CycleRecord>,
    by_entry: IndexMap<NodeId, Vec<usize>>,
    /// As in [`TableStatistics`].
    n_cycles: usize,
    /// As in [`TableStatistics`].
    n_cores: usize,
    cut: bool,
    loops: FunctionLoops,
}

/// The loops of a function with their templates.
pub(super) struct FunctionLoops {
    liveness: Arc<Liveness>,
    nest: Arc<LoopNest>,
    automata: AutomatonPolicy,
    records: IndexMap<LoopId, LoopRecord>,
}

impl TemplateTable {
    /// The table of classic symbolic execution: no templates.
    #[must_use]
    pub fn empty() -> TemplateTable {
        TemplateTable {
            functions: IndexMap::new(),
            recursions: Recursions::new(0, Folding::Cycles),
            n_most_cycles: 0,
            folding: Folding::Cycles,
            entries: Entries::All,
            time: Duration::ZERO,
            spent: Work::ZERO,
            limit: None,
            automata: AutomatonPolicy::default(),
            enabled: false,
        }
    }

    /// A table that enumerates at most `n_most_cycles` cycles of a function.
    #[must_use]
    pub fn new(n_most_cycles: usize, folding: Folding) -> TemplateTable {
        TemplateTable {
            functions: IndexMap::new(),
            recursions: Recursions::new(n_most_cycles, folding),
            n_most_cycles,
            folding,
            entries: Entries::All,
            time: Duration::ZERO,
            spent: Work::ZERO,
            limit: None,
            automata: AutomatonPolicy::default(),
            enabled: true,
        }
    }

    /// The same table for cycles from these entry locations. Default: all.
    #[must_use]
    pub fn entered_from(mut self, entries: Entries) -> TemplateTable {
        self.entries = entries;
        self
    }

    /// The same table with a limit of the work for computing templates. Default: none.
    #[must_use]
    pub fn limited(mut self, limit: TemplateWork) -> TemplateTable {
        self.limit = Some(limit);
        self
    }

    /// The same table with these numbers for path dependency automata. Default: the default ones.
    #[must_use]
    pub fn with_automata(mut self, automata: AutomatonPolicy) -> TemplateTable {
        self.automata = automata;
        self
    }

    fn may_compute(&self, pool: &TermPool) -> bool {
        self.may_compute_until(pool)
            .is_none_or(|until| pool.work() <= until)
    }

    /// The reading of the clock at which the share of the work for computing templates is used up if
    /// nothing else is done until then; none without a limit.
    fn may_compute_until(&self, pool: &TermPool) -> Option<Work> {
        let limit = self.limit?;
        let now = pool.work();
        let others = now.saturating_sub(self.spent);
        Some(others + limit.at_least + now.percent(limit.percent))
    }

    /// The templates that apply to a state: that of the loop whose header the state is at, or those
    /// of cycles, in order; computes those that are missing.
    pub fn templates_for(
        &mut self,
        machine: &Machine,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        state: &State,
    ) -> Vec<Rc<Template>> {
        if !self.enabled {
            return Vec::new();
        }
        let work_before = pool.work();
        let may_compute = self.may_compute(pool);
        let templates = self.all_templates_for(machine, pool, oracle, state, may_compute);
        self.spent += pool.work() - work_before;
        templates
    }

    fn all_templates_for(
        &mut self,
        machine: &Machine,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        state: &State,
        may_compute: bool,
    ) -> Vec<Rc<Template>> {
        let started = Instant::now();
        // A loop may have thousands of cycles.
        let until = self.may_compute_until(pool);
        let Location { function: id, node } = state.location;
        let first_visit = !self.functions.contains_key(&id);
        let folding = self.folding;
        let cycles = self.cycles_of(machine, id);
        if folding == Folding::Loops
            && let Some(loop_id) = cycles.loop_of_several_paths(node)
        {
            let n_known = cycles.loops.n_computed();
            let loops = &mut cycles.loops;
            let found = if may_compute {
                loops.template(machine, pool, oracle, state, loop_id).ok()
            } else {
                loops.known_template(machine, pool, state, loop_id)
            };
            if first_visit || cycles.loops.n_computed() != n_known {
                self.time += started.elapsed();
            }
            if let Some(template) = found {
                return vec![template];
            }
        }
        let started = Instant::now();
        let cycles = self.cycles_of(machine, id);
        let Some(numbers) = cycles.by_entry.get(&node).cloned() else {
            if first_visit {
                self.time += started.elapsed();
            }
            return Vec::new();
        };
        let mut templates = Vec::new();
        let mut computed = first_visit;
        let mut shape = None;
        for number in numbers {
            let may_compute = may_compute && until.is_none_or(|until| pool.work() <= until);
            let cycle = (number, &mut shape);
            let (template, is_new) =
                cycles.template(machine, pool, oracle, state, cycle, may_compute);
            templates.extend(template);
            computed |= is_new;
        }
        if templates.is_empty()
            && may_compute
            && folding == Folding::Loops
            && cycles.loop_of_several_paths(node).is_none()
            && let Some(loop_id) = cycles.loops.nest.by_header(node)
        {
            // The rules for loops may cover a single cycle for which the paper has none.
            let n_known = cycles.loops.n_computed();
            templates.extend(cycles.loops.template(machine, pool, oracle, state, loop_id));
            computed |= cycles.loops.n_computed() != n_known;
        }
        if computed {
            self.time += started.elapsed();
        }
        templates
    }

    /// The templates of recursion that apply to a state: it is at the entry of a function that
    /// calls itself; computes those that are missing.
    pub fn recursions_for(
        &mut self,
        machine: &Machine,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        state: &State,
    ) -> Vec<Rc<RecursionTemplate>> {
        if !self.enabled {
            return Vec::new();
        }
        let started = Instant::now();
        if !self.may_compute(pool) {
            return Vec::new();
        }
        let n_known = self.recursions.n_computed();
        let work_before = pool.work();
        let until = self.may_compute_until(pool);
        let recursions = &mut self.recursions;
        let found = recursions.templates_for(machine, pool, oracle, state, until);
        self.spent += pool.work() - work_before;
        if self.recursions.n_computed() != n_known {
            self.time += started.elapsed();
        }
        found
    }

    /// The ways in which a state that is about to return leaves its folded frames by the second
    /// part of their template; `None` where that does not apply.
    pub fn ascend(
        &mut self,
        machine: &Machine,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        state: &State,
    ) -> Option<Vec<Ascended>> {
        self.recursions.ascend(machine, pool, oracle, state)
    }

    /// The results for recursive calls, by function.
    pub fn recursions(&self) -> impl Iterator<Item = (FunctionId, &RecursionRecord)> {
        self.recursions.records()
    }

    /// The cycles of a function with what was computed for them.
    pub fn records(&mut self, machine: &Machine, function: FunctionId) -> &[CycleRecord] {
        &self.cycles_of(machine, function).records
    }

    /// The results so far: functions in order of their first visit, with their cycles.
    pub fn computed(&self) -> impl Iterator<Item = (FunctionId, &[CycleRecord])> {
        self.functions
            .iter()
            .map(|(function, cycles)| (*function, cycles.records.as_slice()))
    }

    /// The natural loops that were computed so far, by function.
    pub fn computed_loops(&self) -> impl Iterator<Item = (FunctionId, &LoopRecord)> {
        self.functions.iter().flat_map(|(function, cycles)| {
            let records = cycles.loops.records.values();
            records.map(|record| (*function, record))
        })
    }

    /// What there is of a function: its cycles, its loops and what was computed for these.
    pub(super) fn of_function(&self, function: FunctionId) -> Option<OfFunction<'_>> {
        let known = self.functions.get(&function)?;
        let loops = &known.loops;
        Some((known.records.as_slice(), &loops.nest, &loops.records))
    }

    /// Whether a template is of a cycle that passes the header of another loop: its iterations are those in
    /// which that loop is left in one of its ways.
    #[must_use]
    pub fn passes_loops(&self, program: &Program, template: &Template) -> bool {
        let Region::Core(core) = &template.region else {
            return false;
        };
        let Location { function, node } = template.entry;
        let data = program.function(function);
        self.functions.get(&function).is_some_and(|known| {
            let nest = &known.loops.nest;
            let mut nodes = core.iter().map(|edge| data.source(*edge));
            nodes.any(|on_core| on_core != node && nest.by_header(on_core).is_some())
        })
    }

    /// Whether templates are requested at all.
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        self.enabled
    }

    /// Enumerates the cycles of all functions.
    pub fn enumerate(&mut self, machine: &Machine) {
        if self.enabled {
            let started = Instant::now();
            for id in (0..).map(FunctionId).take(machine.program.functions.len()) {
                self.cycles_of(machine, id);
            }
            self.time += started.elapsed();
        }
    }

    /// Computes the templates of all cycles before execution, as the paper does, for states of
    /// which nothing is known (see [`super::generic_state`]).
    pub fn compute_all(&mut self, machine: &Machine, pool: &mut TermPool, oracle: &mut dyn Oracle) {
        self.enumerate(machine);
        let places: Vec<Location> = self
            .functions
            .iter()
            .flat_map(|(function, cycles)| {
                cycles.by_entry.keys().map(|node| Location {
                    function: *function,
                    node: *node,
                })
            })
            .collect();
        for location in places {
            if oracle.is_exhausted() {
                return;
            }
            let live = self
                .cycles_of(machine, location.function)
                .live(location.node);
            let state = super::entry::generic_state(machine, pool, location, &live);
            self.templates_for(machine, pool, oracle, &state);
        }
        if self.enabled {
            let started = Instant::now();
            self.recursions.compute_all(machine, pool, oracle);
            self.time += started.elapsed();
        }
    }

    /// The path dependency automata of all loops, for states of which nothing is known, function by
    /// function, by header.
    pub fn automata(
        &mut self,
        machine: &Machine,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
    ) -> Vec<LoopAutomaton> {
        let mut found = Vec::new();
        for function in machine.program.function_ids() {
            let nest = Arc::clone(machine.program.function(function).loops());
            for (id, natural) in (0..).map(LoopId).zip(&nest.loops) {
                let location = Location {
                    function,
                    node: natural.header,
                };
                let cycles = self.cycles_of(machine, function);
                let live = cycles.live(natural.header);
                let state = super::entry::generic_state(machine, pool, location, &live);
                let automaton = cycles.loops.automaton(machine, pool, oracle, &state, id);
                found.push(LoopAutomaton {
                    function,
                    natural: natural.clone(),
                    automaton,
                });
            }
        }
        found
    }

    /// Numbers so far.
    #[must_use]
    pub fn statistics(&self) -> TableStatistics {
        let records = || self.functions.values().flat_map(|cycles| &cycles.records);
        TableStatistics {
            n_cycles: self.functions.values().map(|cycles| cycles.n_cycles).sum(),
            n_cores: self.functions.values().map(|cycles| cycles.n_cores).sum(),
            cycles_cut: self.functions.values().any(|cycles| cycles.cut),
            n_templates: records()
                .filter(|record| !record.templates.is_empty())
                .count(),
            n_loops: self.computed_loops().count(),
            n_loop_templates: self
                .computed_loops()
                .filter(|(_, record)| !record.templates.is_empty())
                .count(),
            n_recursions: self.recursions.records().count(),
            n_recursion_templates: (self.recursions.records())
                .filter(|(_, record)| !record.templates.is_empty())
                .count(),
            time: self.time,
        }
    }

    fn cycles_of(&mut self, machine: &Machine, id: FunctionId) -> &mut FunctionCycles {
        let (n_most, entries) = (self.n_most_cycles, self.entries);
        let automata = self.automata;
        self.functions.entry(id).or_insert_with(|| {
            let function = &machine.program.functions[id.index()];
            let found = enumerate_cycles_from(function, entries, n_most);
            let cut = found.end != EnumerationEnd::Complete;
            let cycles = found.cycles;
            let nest = Arc::clone(function.loops());
            // Of the cycles of a core, the one from a header stands for all where there is one.
            let stands_for_all = |cycle: &Cycle| {
                let natural = nest
                    .by_header(cycle.entry)
                    .map(|id| &nest.loops[id.index()]);
                let goes_around = |natural: &Loop| cycle.goes_around(function, natural);
                entries == Entries::Headers && natural.is_some_and(goes_around)
            };
            let n_cycles = cycles.iter().map(|cycle| match stands_for_all(cycle) {
                true => cycle.n_entries(function),
                false => 1,
            });
            let n_cycles = n_cycles.sum();
            let is_counted =
                |cycle: &&Cycle| stands_for_all(cycle) || cycle.is_from_first_entry(function);
            let n_cores = cycles.iter().filter(is_counted).count();
            let mut by_entry: IndexMap<NodeId, Vec<usize>> = IndexMap::new();
            for (number, cycle) in cycles.iter().enumerate() {
                by_entry.entry(cycle.entry).or_default().push(number);
            }
            let records = cycles
                .into_iter()
                .map(|cycle| CycleRecord {
                    cycle,
                    templates: Vec::new(),
                    refused: Refused::default(),
                })
                .collect();
            let liveness = Arc::clone(function.liveness());
            let loops = FunctionLoops::new(Arc::clone(&liveness), nest, automata);
            FunctionCycles {
                liveness,
                records,
                by_entry,
                n_cycles,
                n_cores,
                cut,
                loops,
            }
        })
    }
}

fn reg_of_index(index: usize) -> RegId {
    RegId(u32::try_from(index).expect("a function has fewer than 2^32 registers"))
}

pub(super) fn live_at(liveness: &Liveness, node: NodeId) -> Vec<RegId> {
    liveness.at(node).iter().map(reg_of_index).collect()
}

pub(super) fn register_shape(
    machine: &Machine,
    pool: &mut TermPool,
    liveness: &Liveness,
    state: &State,
) -> RegisterShape {
    let function = &machine.program.functions[state.location.function.index()];
    live_at(liveness, state.location.node)
        .into_iter()
        .filter(|reg| function.regs[reg.index()].pointer)
        .map(|reg| {
            let pointer = Pointer::resolve(pool, &state.memory, state.frame.get(reg));
            let points_at =
                pointer.map(|pointer| (pointer.object, pool.as_u64(pointer.offset).is_some()));
            (reg, points_at)
        })
        .collect()
}

impl FunctionLoops {
    pub(super) fn new(
        liveness: Arc<Liveness>,
        nest: Arc<LoopNest>,
        automata: AutomatonPolicy,
    ) -> FunctionLoops {
        FunctionLoops {
            liveness,
            nest,
            automata,
            records: IndexMap::new(),
        }
    }

    /// How many results there are, refusals included.
    fn n_computed(&self) -> usize {
        let records = self.records.values();
        records
            .map(|record| record.templates.len() + record.refused.len())
            .sum()
    }

    /// The template of a loop for the shape of a state at its header, where it was computed.
    fn known_template(
        &self,
        machine: &Machine,
        pool: &mut TermPool,
        state: &State,
        id: LoopId,
    ) -> Option<Rc<Template>> {
        let record = self.records.get(&id)?;
        let shape = |pool: &mut TermPool| register_shape(machine, pool, &self.liveness, state);
        match look_up(&record.templates, &record.refused, pool, state, shape) {
            Known::Computed(known) => known.ok(),
            Known::New(_) => None,
        }
    }

    /// The template of a loop for the shape of a state at its header.
    pub(super) fn template(
        &mut self,
        machine: &Machine,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        state: &State,
        id: LoopId,
    ) -> Result<Rc<Template>, NoTemplate> {
        let nest = Arc::clone(&self.nest);
        let record = self.records.entry(id).or_insert_with(|| LoopRecord {
            natural: Rc::new(nest.loops[id.index()].clone()),
            templates: Vec::new(),
            refused: Refused::default(),
        });
        let shape = |pool: &mut TermPool| register_shape(machine, pool, &self.liveness, state);
        let shape = match look_up(&record.templates, &record.refused, pool, state, shape) {
            Known::Computed(known) => return known,
            Known::New(shape) => shape,
        };
        let natural = Rc::clone(&record.natural);
        let offsets = Offsets::after(record.templates.iter().map(|known| &**known));
        let liveness = Arc::clone(&self.liveness);
        let automata = self.automata;
        let mut inner =
            |pool: &mut TermPool, oracle: &mut dyn Oracle, state: &State, id: LoopId| {
                self.template(machine, pool, oracle, state, id)
            };
        let context = LoopContext {
            machine,
            model: state,
            natural: &natural,
            nest: &nest,
            live: &|node| live_at(&liveness, node),
        };
        let result = context.template(pool, oracle, &mut inner, &automata, offsets);
        let record = &mut self.records[&id];
        let (templates, refused) = (&mut record.templates, &mut record.refused);
        keep(templates, refused, oracle, shape, result)
    }
}

impl FunctionLoops {
    /// The path dependency automaton of a loop for the shape of a state at its header.
    fn automaton(
        &mut self,
        machine: &Machine,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        state: &State,
        id: LoopId,
    ) -> Result<Automaton, NoTemplate> {
        let nest = Arc::clone(&self.nest);
        let natural = Rc::new(nest.loops[id.index()].clone());
        let liveness = Arc::clone(&self.liveness);
        let automata = self.automata;
        let mut inner =
            |pool: &mut TermPool, oracle: &mut dyn Oracle, state: &State, id: LoopId| {
                self.template(machine, pool, oracle, state, id)
            };
        let context = LoopContext {
            machine,
            model: state,
            natural: &natural,
            nest: &nest,
            live: &|node| live_at(&liveness, node),
        };
        context.automaton(pool, oracle, &mut inner, &automata)
    }
}

impl FunctionCycles {
    fn live(&self, node: NodeId) -> Vec<RegId> {
        live_at(&self.liveness, node)
    }

    /// The loop with this header, where an iteration may take several paths.
    fn loop_of_several_paths(&self, header: NodeId) -> Option<LoopId> {
        let id = self.loops.nest.by_header(header)?;
        let has_inner = || {
            let mut loops = self.loops.nest.loops.iter();
            loops.any(|other| other.parent == Some(id))
        };
        let n_cycles = self.by_entry.get(&header).map_or(0, Vec::len);
        (n_cycles != 1 || has_inner()).then_some(id)
    }

    /// The template of a cycle for the shape of a state, if there is one, and whether that had to
    /// be computed. Cycles from one entry share what the state's registers point into.
    fn template(
        &mut self,
        machine: &Machine,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        state: &State,
        (number, shape): (usize, &mut Option<RegisterShape>),
        may_compute: bool,
    ) -> (Option<Rc<Template>>, bool) {
        let record = &self.records[number];
        let shape = |pool: &mut TermPool| {
            let new = || register_shape(machine, pool, &self.liveness, state);
            shape.get_or_insert_with(new).clone()
        };
        let shape = match look_up(&record.templates, &record.refused, pool, state, shape) {
            Known::Computed(known) => return (known.ok(), false),
            Known::New(_) if !may_compute => return (None, false),
            Known::New(shape) => shape,
        };
        let cycle = &record.cycle;
        let offsets = Offsets::after(record.templates.iter().map(|known| &**known));
        let live = |node| self.live(node);
        let result = template_of_cycle(machine, pool, oracle, state, cycle, &live, offsets);
        let record = &mut self.records[number];
        let (templates, refused) = (&mut record.templates, &mut record.refused);
        let template = keep(templates, refused, oracle, shape, result);
        (template.ok(), true)
    }
}
