//! Cuts of loops at invariants (*havoc* of changed variables).
//!
//! A program may mark where a loop is cut ([`Action::Cut`]), and assert and assume an invariant there. Or all
//! loops are cut at their headers ([`CutHandling::Headers`]), with guessed bounds for invariants (the module
//! `candidates`).
//!
//! When a state reaches a cut for the first time, the variables changed by the loop become arbitrary, so that
//! the state represents all iterations. When a state returns to the cut and differs from the one that left it
//! only in arbitrary variables, the path ends: the state is among those that continued.
//!
//! The set of changed variables is not computed from the loop's text. It is initially empty; a state that
//! returns with another changed variable restarts the cut from the state that first reached it, with that
//! variable arbitrary. So a proof depends only on the comparison of two states.
//!
//! # Several iterations
//! With k > 1, k successive iterations of a loop are considered, as in k-induction: from the state that
//! enters the loop, the first k − 1 iterations are executed concretely, and from the state with arbitrary
//! changed variables k in a row, of which the last one counts. The earlier ones are assumed to have no
//! violation and not to leave the loop: if the first violation of an execution is in or after iteration n, it
//! occurs in the first iterations if n < k, and otherwise in the last of the k iterations that end there,
//! since there was no violation before. Guesses have to hold in the first k states at the header, and in the
//! last of k + 1 if they hold in those before.
//!
//! # Invariants
//! - A path ends as *subsumed* only if each of its concrete states that satisfies the assumption after the
//!   cut is among those with which its cut continued: the path condition only grows, values that are not
//!   arbitrary are equal as terms, and what the cut assumed of arbitrary ones follows for the values that
//!   come back from their path condition.
//! - In an iteration that is assumed to have no violation, only violations and exits of the loop are dropped;
//!   ends that keep a verdict open count there, too.
//!
//! # Source
//! Sheeran, Singh, Stålmarck, *Checking Safety Properties Using Induction and a SAT-Solver*, FMCAD 2000.
//!
//! [`Action::Cut`]: flowgraph::Action::Cut

use super::LoopInvariant;
use super::candidates::{
    Candidate, Claim, Constants, Guesses, Reading, Registers, candidates, candidates_of_elements,
    in_c, known,
};
use super::houdini::implied;
use flowgraph::{
    Action, EdgeId, Function, FunctionId, Liveness, LoopNest, NodeId, Program, RegId, Span,
};
use indexmap::IndexMap;
use memory::{Arbitrary, Base, Memory, Object, ObjectId, Pointer};
use semantics::{Admission, Location, PathCondition, State};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use template::{Region, SolverOracle};
use term::{Sort, TermId, TermPool, Work};

/// What an executor does at cuts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CutHandling {
    /// Nothing.
    Ignore,
    /// It cuts the loops there, as a proof by invariants needs it.
    Prove,
    /// It cuts every natural loop at its header, guesses what holds in each iteration, and ends once it
    /// is clear that this proves nothing. So many iterations are looked at together, at least 1.
    Headers(Guesses, u32),
}

impl CutHandling {
    /// What is guessed where loops are cut and no invariant is written.
    #[must_use]
    pub fn guesses(self) -> Option<Guesses> {
        match self {
            CutHandling::Headers(guesses, _) => Some(guesses),
            CutHandling::Ignore | CutHandling::Prove => None,
        }
    }

    /// How many iterations are looked at together.
    fn iterations(self) -> u32 {
        match self {
            CutHandling::Headers(_, k) => k.max(1),
            CutHandling::Ignore | CutHandling::Prove => 1,
        }
    }
}

/// The cuts around a state, the latest first.
pub type CutStack = rpds::List<Rc<Record>>;

/// A cut that a path has passed.
#[derive(Clone)]
pub struct Record {
    location: Location,
    /// How many callers the frame has.
    depth: usize,
    /// The state that came here from outside, and the cuts around it.
    origin: State,
    around: CutStack,
    havoc: Havoc,
    /// What was assumed of it.
    assumed: Vec<Candidate>,
    /// What was not, since it is part of that.
    parts: Vec<Candidate>,
    /// The state with everything arbitrary.
    left: State,
    phase: Phase,
    /// Whether the cut was started anew; shared by its phases.
    superseded: Rc<Cell<bool>>,
}

/// The iteration of its loop in which a path is behind a cut, from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// Counted from the entry of the loop; nothing is arbitrary.
    First(u32),
    /// Of k that begin in any state.
    Any(u32),
}

impl Record {
    /// The same cut in another iteration.
    fn at(&self, phase: Phase) -> Record {
        Record {
            phase,
            ..self.clone()
        }
    }
}

/// What is made arbitrary.
#[derive(Clone, Default)]
struct Havoc {
    registers: BTreeMap<RegId, Extent>,
    objects: BTreeMap<ObjectId, ObjectHavoc>,
}

/// How much of a value is arbitrary.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// The offset of a pointer; its object stays.
    Offset,
    All,
}

/// How much of an object is arbitrary.
#[derive(Clone)]
enum ObjectHavoc {
    /// Cells by byte offset, with their bytes.
    Cells(BTreeMap<u64, (u32, Extent)>),
    Whole,
}

/// The candidates of a cut.
#[derive(Default)]
struct Guessed {
    /// Those that hold where it was entered.
    assumed: Vec<Candidate>,
    /// Parts of these, which would only make questions longer.
    parts: Vec<Candidate>,
    /// Those of which that is not known soon. They are dropped: a cut that is started anew knows less, and
    /// would ask as long.
    undecided: Vec<Candidate>,
}

/// What a cut assumes, in C.
struct Written {
    conjuncts: BTreeSet<String>,
    superseded: Rc<Cell<bool>>,
}

/// No more of what executions had in common is guessed of a loop at a time.
const MOST_CLAIMS: usize = 120;
/// More cells than these are the whole object.
const MOST_CELLS: usize = 64;

/// What becomes of a state that may stand at a cut.
pub enum Arrival {
    GoesOn(Box<State>, CutStack),
    /// It goes on as each of these.
    Apart(Vec<(State, CutStack)>),
    /// Another state stands for it.
    Subsumed,
    /// The cut cannot be made; why.
    Stuck(String, Span),
}

/// Cuts the loops of a program.
pub struct Cutter {
    functions: Vec<FunctionCuts>,
    /// What was found to change so far, by cut.
    learned: IndexMap<Location, Havoc>,
    /// Candidates that do not hold in all iterations, by cut.
    dropped: IndexMap<Location, BTreeSet<Candidate>>,
    /// What is guessed, with what; `None` where the program has its invariants.
    guessing: Option<(Guesses, Constants)>,
    /// What is guessed besides, by cut.
    claims: BTreeMap<Location, Vec<Claim>>,
    /// Iterations that are looked at together.
    k: u32,
    /// What was assumed, in C, by cut, and whether that was started anew.
    written: IndexMap<Location, Vec<Written>>,
    /// Whether what elements have in common held at least once where a state came back.
    pub keeps_elements: bool,
    pub n_cuts: u64,
}

/// What a cut asks.
pub struct Asking<'a> {
    pub pool: &'a mut TermPool,
    pub oracle: &'a mut SolverOracle,
}

struct FunctionCuts {
    /// For each edge whether it is a cut.
    cuts: Vec<Option<Span>>,
    /// Nodes with an edge out of them that is a cut, or headers of loops that are cut.
    at: BTreeMap<usize, Span>,
    nest: Option<Arc<LoopNest>>,
    liveness: Option<Arc<Liveness>>,
    names: Vec<(String, u32)>,
    /// For each register whether it has pointer type.
    pointers: Vec<bool>,
    reading: Reading,
}

impl Cutter {
    pub fn new(program: &Program, handling: CutHandling) -> Cutter {
        let functions = program.functions.iter().map(|function| {
            let is_cut = |edge: EdgeId| {
                let steps = &function.edge(edge).steps;
                let cut = steps.iter().find(|step| step.action == Action::Cut);
                cut.map(|step| step.span)
            };
            let cuts: Vec<Option<Span>> = function.edge_ids().map(is_cut).collect();
            let at = if handling.guesses().is_some() {
                headers(function)
            } else {
                let edges = function.edge_ids();
                edges
                    .filter_map(|edge| {
                        let span = cuts[edge.index()]?;
                        Some((function.source(edge).index(), span))
                    })
                    .collect()
            };
            let has_cuts = !at.is_empty();
            FunctionCuts {
                nest: has_cuts.then(|| Arc::clone(function.loops())),
                liveness: has_cuts.then(|| Arc::clone(function.liveness())),
                names: function
                    .regs
                    .iter()
                    .map(|reg| (reg.name.clone(), reg.bits))
                    .collect(),
                pointers: function.regs.iter().map(|reg| reg.pointer).collect(),
                cuts,
                at,
                reading: Reading::of(function),
            }
        });
        Cutter {
            functions: functions.collect(),
            learned: IndexMap::new(),
            dropped: IndexMap::new(),
            guessing: (handling.guesses()).map(|guesses| (guesses, Constants::of(program))),
            claims: BTreeMap::new(),
            k: handling.iterations(),
            written: IndexMap::new(),
            keeps_elements: false,
            n_cuts: 0,
        }
    }

    /// Guesses these claims besides.
    pub fn guess(&mut self, claims: Vec<((FunctionId, NodeId), Vec<Claim>)>) {
        let by_cut = claims.into_iter().map(|((function, node), claims)| {
            let location = Location { function, node };
            (location, claims)
        });
        self.claims = by_cut.collect();
    }

    /// What holds in each iteration of the loops that are cut, in C, where the run is over and has proved
    /// the program.
    pub fn invariants(&self, program: &Program) -> Vec<LoopInvariant> {
        let mut found = Vec::new();
        for (location, written) in &self.written {
            let mut stands = written.iter().filter(|one| !one.superseded.get());
            let Some(first) = stands.next() else { continue };
            let others: Vec<&Written> = stands.collect();
            let in_all = |text: &&String| {
                others
                    .iter()
                    .all(|one| one.conjuncts.contains(text.as_str()))
            };
            let conjuncts: Vec<String> = first.conjuncts.iter().filter(in_all).cloned().collect();
            let Location { function, node } = *location;
            found.extend(LoopInvariant::of(program, function, node, conjuncts));
        }
        found
    }

    /// Notes in C what a cut assumes.
    fn write(&mut self, pool: &TermPool, record: &Record) {
        let registers = &self.functions[record.location.function.index()].names;
        let at_entry = |reg: RegId| known(pool, &record.origin, reg);
        let conjuncts = in_c(&at_entry, &record.assumed, registers);
        let written = self.written.entry(record.location).or_default();
        written.retain(|one| !one.superseded.get());
        written.push(Written {
            conjuncts: conjuncts.into_iter().collect(),
            superseded: Rc::clone(&record.superseded),
        });
    }

    /// How many iterations are looked at together.
    pub fn k(&self) -> u32 {
        self.k
    }

    /// Whether the program is cut anywhere.
    pub fn has_cuts(&self) -> bool {
        self.functions
            .iter()
            .any(|function| !function.at.is_empty())
    }

    /// Whether a cut is on the way of an iteration.
    pub fn is_cut(&self, function: FunctionId, region: &Region) -> bool {
        let function = &self.functions[function.index()];
        match region {
            Region::Core(edges) => edges
                .iter()
                .any(|edge| function.cuts[edge.index()].is_some()),
            Region::Loop(natural) => function.at.keys().any(|node| natural.body.contains(*node)),
            // Cuts compare states by their frames.
            Region::Recursion(_) => true,
        }
    }

    /// Takes a state that is about to take a step.
    pub fn arrive(&mut self, asking: &mut Asking, state: State, cuts: CutStack) -> Arrival {
        if cuts.iter().any(|record| record.superseded.get()) {
            return Arrival::Subsumed;
        }
        let depth = state.callers.len();
        let Some(cuts) = self.left_behind(&state, cuts) else {
            return Arrival::Subsumed;
        };
        let location = state.location;
        let function = &self.functions[location.function.index()];
        let Some(span) = function.at.get(&location.node.index()).copied() else {
            return Arrival::GoesOn(Box::new(state), cuts);
        };
        let known = cuts
            .iter()
            .find(|record| record.location == location && record.depth == depth)
            .cloned();
        let Some(record) = known else {
            let havoc = self.learned.get(&location).cloned().unwrap_or_default();
            return self.cut(asking, state, &cuts, havoc);
        };
        let mut havoc = record.havoc.clone();
        let (more, broken, next) = match record.phase {
            // That the others begin with all that is arbitrary is seen where these come back.
            Phase::First(n) => {
                let broken = broken(asking, &record, &state);
                (
                    false,
                    broken,
                    (n + 1 < self.k).then_some(Phase::First(n + 1)),
                )
            }
            Phase::Any(n) => {
                let more = match self.widen(asking.pool, &record.left, &state, &mut havoc) {
                    Err(what) => return Arrival::Stuck(what, span),
                    Ok(more) => more,
                };
                if n < self.k {
                    (more, Vec::new(), Some(Phase::Any(n + 1)))
                } else {
                    (more, broken(asking, &record, &state), None)
                }
            }
        };
        if !more && broken.is_empty() {
            let Some(next) = next else {
                let mut assumed = record.assumed.iter();
                self.keeps_elements |= assumed.any(Candidate::is_about_elements);
                return Arrival::Subsumed;
            };
            return Self::next_iteration(asking.pool, &record, state, next);
        }
        record.superseded.set(true);
        self.dropped.entry(location).or_default().extend(broken);
        self.learned.insert(location, havoc.clone());
        self.cut(asking, record.origin.clone(), &record.around, havoc)
    }

    /// The iteration behind one of several that are looked at together.
    fn next_iteration(
        pool: &mut TermPool,
        record: &Record,
        mut state: State,
        phase: Phase,
    ) -> Arrival {
        if let Phase::Any(_) = phase {
            for candidate in &record.assumed {
                let holds = candidate.holds(pool, &record.origin, &state);
                state.path_cond.assume(pool, holds);
            }
        }
        let cuts = record.around.push_front(Rc::new(record.at(phase)));
        Arrival::GoesOn(Box::new(state), cuts)
    }

    /// Whether a violation behind these cuts is none, by assumption: that it is met elsewhere.
    pub fn is_without_violation(&self, cuts: &CutStack) -> bool {
        cuts.iter().any(|record| self.is_assumed(record))
    }

    /// Whether the iteration is one before the last of several that are looked at together.
    fn is_assumed(&self, record: &Record) -> bool {
        matches!(record.phase, Phase::Any(n) if n < self.k)
    }

    /// In how many of the loops of these cuts a state is.
    pub fn n_around(&self, state: &State, cuts: &CutStack) -> usize {
        let stays = cuts.iter().filter(|record| self.stays(record, state));
        stays.count()
    }

    /// Whether a state is in the loop and the function of a cut.
    fn stays(&self, record: &Record, state: &State) -> bool {
        let depth = state.callers.len();
        if record.depth != depth {
            return record.depth < depth;
        }
        let function = &self.functions[record.location.function.index()];
        let body = function.nest.as_ref().and_then(|nest| {
            let innermost = nest.innermost(record.location.node)?;
            Some(&nest.loops[innermost.index()].body)
        });
        body.is_some_and(|body| body.contains(state.location.node.index()))
    }

    /// The cuts without those whose loop or function the state has left; `None` where it left one in an
    /// iteration that is not the last of those that are looked at together.
    fn left_behind(&self, state: &State, cuts: CutStack) -> Option<CutStack> {
        let stays = |record: &Rc<Record>| self.stays(record, state);
        if cuts.iter().all(stays) {
            return Some(cuts);
        }
        let mut left = cuts.iter().filter(|record| !stays(record));
        if left.any(|record| self.is_assumed(record)) {
            return None;
        }
        let mut kept: Vec<Rc<Record>> = cuts.iter().filter(|r| stays(r)).cloned().collect();
        kept.reverse();
        let kept = kept.into_iter();
        Some(kept.fold(CutStack::new(), |list, record| list.push_front(record)))
    }

    fn cut(
        &mut self,
        asking: &mut Asking,
        origin: State,
        around: &CutStack,
        havoc: Havoc,
    ) -> Arrival {
        self.n_cuts += 1;
        let mut left = origin.clone();
        let pool = &mut *asking.pool;
        let function = &self.functions[origin.location.function.index()];
        for (reg, extent) in &havoc.registers {
            let (name, bits) = &function.names[reg.index()];
            let value = origin.frame.get(*reg);
            let value = arbitrary(pool, &origin.memory, value, *extent, name, *bits);
            left.frame.set(*reg, value);
        }
        for (id, havoc) in &havoc.objects {
            let Some(object) = origin.memory.object(*id) else {
                continue;
            };
            let name = object.info.name.clone();
            let offset_bits = pool.width(object.info.bytes);
            match havoc {
                ObjectHavoc::Whole => {
                    let base = Base::Arbitrary(Arbitrary::new(name));
                    left.memory.object_mut(*id).reset(base);
                }
                ObjectHavoc::Cells(cells) => {
                    for (offset, (bytes, extent)) in cells {
                        let at = pool.bv(offset_bits, *offset);
                        let value = left.memory.read(pool, *id, at, *bytes);
                        let memory = &origin.memory;
                        let value = arbitrary(pool, memory, value, *extent, &name, bytes * 8);
                        left.memory.write(pool, *id, at, value);
                    }
                }
            }
        }
        let Guessed {
            assumed,
            parts,
            undecided,
        } = self.assume(asking, (&origin, around), &mut left, &havoc);
        let dropped = self.dropped.entry(origin.location).or_default();
        dropped.extend(undecided);
        let record = Record {
            location: origin.location,
            depth: origin.callers.len(),
            origin,
            around: around.clone(),
            havoc,
            assumed,
            parts,
            left: left.clone(),
            phase: Phase::Any(1),
            superseded: Rc::new(Cell::new(false)),
        };
        self.write(asking.pool, &record);
        if self.k == 1 {
            return Arrival::GoesOn(Box::new(left), around.push_front(Rc::new(record)));
        }
        let first = around.push_front(Rc::new(record.at(Phase::First(1))));
        let origin = record.origin.clone();
        let any = around.push_front(Rc::new(record));
        Arrival::Apart(vec![(origin, first), (left, any)])
    }

    /// Assumes the candidates that hold in `origin`, which has these cuts around it, of what is arbitrary in
    /// `left`.
    fn assume(
        &self,
        asking: &mut Asking,
        (origin, around): (&State, &CutStack),
        left: &mut State,
        havoc: &Havoc,
    ) -> Guessed {
        let mut guessed = Guessed::default();
        let Some((guesses, constants)) = &self.guessing else {
            return guessed;
        };
        let (location, depth) = (origin.location, origin.callers.len());
        let function = &self.functions[location.function.index()];
        let with_bits = |reg: RegId| (reg, function.names[reg.index()].1);
        let changed: Vec<(RegId, u32)> = (havoc.registers.iter())
            .filter(|(_, extent)| **extent == Extent::All)
            .map(|(reg, _)| with_bits(*reg))
            .filter(|(_, bits)| (2..=64).contains(bits))
            .collect();
        let is_live = |reg: &RegId| {
            let liveness = function.liveness.as_ref();
            liveness.is_some_and(|liveness| liveness.is_live(location.node, *reg))
        };
        let n_registers = u32::try_from(function.names.len()).unwrap_or(u32::MAX);
        let others: Vec<(RegId, u32)> = (0..n_registers)
            .map(RegId)
            .filter(|reg| is_live(reg) && !havoc.registers.contains_key(reg))
            .map(with_bits)
            .collect();
        let nothing = BTreeSet::new();
        let dropped = self.dropped.get(&location).unwrap_or(&nothing);
        let chosen = (*guesses, dropped);
        let bounds = candidates(constants, &changed, &others, chosen);
        asking.assume_those_that_hold(bounds, origin, left, &mut guessed);
        if *guesses != Guesses::Bounds {
            let claims = self.claims.get(&location).into_iter().flatten();
            let is_changed = |claim: &&Claim| {
                let mut parts = claim.form.iter();
                parts.any(|part| changed.iter().any(|(reg, _)| *reg == part.reg))
            };
            let claims = claims.filter(is_changed).cloned().map(Candidate::Claim);
            let mut claims: Vec<Candidate> = claims.collect();
            claims.retain(|candidate| !dropped.contains(candidate));
            claims.truncate(MOST_CLAIMS);
            asking.assume_those_that_hold(claims, origin, left, &mut guessed);
        }
        if *guesses >= Guesses::Elements {
            let is_number = |(reg, _): &&(RegId, u32)| !function.pointers[reg.index()];
            let [changed, fixed] = [changed, others]
                .map(|all| all.iter().filter(is_number).copied().collect::<Vec<_>>());
            let is_around = |record: &&Rc<Record>| {
                record.location.function == location.function && record.depth == depth
            };
            let outer = around.iter().filter(is_around);
            let outer = outer.flat_map(|record| record.havoc.registers.keys().copied());
            let registers = Registers {
                changed,
                fixed,
                outer: outer.collect(),
            };
            let mut claims = candidates_of_elements(
                (constants, &function.reading),
                (asking.pool, &left.memory),
                &registers,
                chosen,
            );
            claims.retain(|candidate| asking.says_something(candidate, origin, left));
            asking.assume_those_that_hold(claims, origin, left, &mut guessed);
        }
        guessed
    }

    /// Makes as much arbitrary as `back` differs from `left`. Whether that was more than before;
    /// or why it cannot be done.
    fn widen(
        &self,
        pool: &mut TermPool,
        left: &State,
        back: &State,
        havoc: &mut Havoc,
    ) -> Result<bool, String> {
        let function = &self.functions[left.location.function.index()];
        let mut more = false;
        let n_registers = u32::try_from(function.names.len()).unwrap_or(u32::MAX);
        for reg in (0..n_registers).map(RegId) {
            let is_live = function
                .liveness
                .as_ref()
                .is_none_or(|liveness| liveness.is_live(left.location.node, reg));
            let (before, after) = (left.frame.get(reg), back.frame.get(reg));
            if !is_live || before == after {
                continue;
            }
            let extent = extent(pool, left, before, back, after);
            more |= widen_value(havoc.registers.entry(reg), extent);
        }
        let ids =
            |memory: &Memory| -> Vec<ObjectId> { memory.objects().map(|(id, _)| id).collect() };
        if ids(&left.memory) != ids(&back.memory) {
            return Err("a loop that is cut allocates or frees memory".to_owned());
        }
        for (id, before) in left.memory.objects() {
            if left.memory.same_version(&back.memory, id) {
                continue;
            }
            let Some(after) = back.memory.object(id) else {
                continue;
            };
            if before.alive != after.alive {
                return Err("a loop that is cut frees memory".to_owned());
            }
            more |= widen_object(pool, left, before, back, after, havoc, id);
        }
        Ok(more)
    }
}

/// The headers of all natural loops; of those that have none, nothing is cut.
fn headers(function: &Function) -> BTreeMap<usize, Span> {
    let span = |edge: &EdgeId| {
        let steps = &function.edge(*edge).steps;
        steps.first().map_or_else(Span::default, |step| step.span)
    };
    let headers = function.loops().loops.iter().map(|natural| {
        let span = natural.back_edges.first().map_or_else(Span::default, span);
        (natural.header.index(), span)
    });
    headers.collect()
}

/// What was assumed at a cut and is not known to hold of a state that comes back to it.
fn broken(asking: &mut Asking, record: &Record, back: &State) -> Vec<Candidate> {
    let (entry, left) = (&record.origin, &record.left);
    let claim = |pool: &mut TermPool, candidate: &Candidate| match record.phase {
        Phase::First(_) => candidate.holds(pool, entry, back),
        Phase::Any(_) => candidate.still_holds(pool, entry, left, back),
    };
    let claims: Vec<TermId> = (record.assumed.iter())
        .map(|candidate| claim(asking.pool, candidate))
        .collect();
    let follow = asking.each_implied(&back.path_cond, &claims);
    let broken = record.assumed.iter().zip(follow);
    let broken = broken.filter(|(_, follows)| !follows);
    let mut broken: Vec<Candidate> = broken.map(|(candidate, _)| candidate.clone()).collect();
    // Parts of what does not hold are assumed next, but not those that do not follow from more.
    for part in &record.parts {
        if broken.iter().any(|whole| part.is_part_of(whole)) {
            let claim = claim(asking.pool, part);
            if !asking.implied(&back.path_cond, claim) {
                broken.push(part.clone());
            }
        }
    }
    broken
}

impl Asking<'_> {
    /// Assumes those candidates of `left` that hold in `origin`.
    fn assume_those_that_hold(
        &mut self,
        candidates: Vec<Candidate>,
        origin: &State,
        left: &mut State,
        guessed: &mut Guessed,
    ) {
        let first = guessed.assumed.len();
        for candidate in candidates {
            let mut wholes = guessed.assumed[first..].iter();
            if wholes.any(|whole| candidate.is_part_of(whole)) {
                guessed.parts.push(candidate);
                continue;
            }
            let holds = candidate.holds(self.pool, origin, origin);
            let work = self.oracle.queries.candidate;
            match self.violates(&origin.path_cond, &[holds], work) {
                Admission::Infeasible => guessed.assumed.push(candidate),
                Admission::Feasible => {}
                Admission::Unknown => guessed.undecided.push(candidate),
            }
        }
        for candidate in &guessed.assumed[first..] {
            let holds = candidate.holds(self.pool, origin, left);
            left.path_cond.assume(self.pool, holds);
        }
    }

    /// Whether a candidate about elements says of `left` what is not known of `origin` already, and
    /// about a segment that may have elements. Those that do not only make questions longer.
    fn says_something(&mut self, candidate: &Candidate, origin: &State, left: &State) -> bool {
        let before = candidate.holds(self.pool, origin, origin);
        if candidate.holds(self.pool, origin, left) == before {
            return false;
        }
        let Some(is_empty) = candidate.is_empty(self.pool, left) else {
            return true;
        };
        !self.implied(&left.path_cond, is_empty)
    }

    /// For each claim whether a path condition implies it; false where that is not known soon.
    fn each_implied(&mut self, path_cond: &PathCondition, claims: &[TermId]) -> Vec<bool> {
        let premises = path_cond.to_vec();
        let Asking { pool, oracle } = self;
        let queries = &oracle.queries;
        let (alone, together) = (queries.candidate, queries.candidate.min(queries.elements));
        implied(pool, &premises, claims, &mut |pool, conjuncts, n_claims| {
            let work = if n_claims == 1 { alone } else { together };
            oracle.answer(pool, conjuncts, premises.len(), work)
        })
    }

    /// Whether a path condition implies a claim; false where that is not known soon.
    fn implied(&mut self, path_cond: &PathCondition, claim: TermId) -> bool {
        let work = self.oracle.queries.candidate;
        self.violates(path_cond, &[claim], work) == Admission::Infeasible
    }

    /// Whether a path condition, which is satisfiable, admits that one of the claims does not hold.
    fn violates(&mut self, path_cond: &PathCondition, claims: &[TermId], work: Work) -> Admission {
        if claims.iter().all(|claim| self.pool.is_true(*claim)) {
            return Admission::Infeasible;
        }
        if claims.iter().any(|claim| self.pool.is_false(*claim)) {
            return Admission::Feasible;
        }
        let premises = path_cond.to_vec();
        self.oracle.violates(self.pool, &premises, claims, work)
    }
}

/// A fresh value in the place of another.
fn arbitrary(
    pool: &mut TermPool,
    memory: &Memory,
    value: TermId,
    extent: Extent,
    name: &str,
    bits: u32,
) -> TermId {
    let fresh = pool.fresh(name, Sort::Bv(bits));
    match (extent, Pointer::resolve(pool, memory, value)) {
        (Extent::Offset, Some(pointer)) => Pointer {
            object: pointer.object,
            offset: fresh,
        }
        .term(pool),
        (Extent::Offset, None) | (Extent::All, _) => fresh,
    }
}

/// How much of a value changes between two states.
fn extent(
    pool: &mut TermPool,
    left: &State,
    before: TermId,
    back: &State,
    after: TermId,
) -> Extent {
    let before = Pointer::resolve(pool, &left.memory, before);
    let after = Pointer::resolve(pool, &back.memory, after);
    match (before, after) {
        (Some(before), Some(after)) if before.object == after.object => Extent::Offset,
        _ => Extent::All,
    }
}

fn widen_value<K: Ord>(
    entry: std::collections::btree_map::Entry<'_, K, Extent>,
    extent: Extent,
) -> bool {
    use std::collections::btree_map::Entry;
    match entry {
        Entry::Vacant(vacant) => {
            vacant.insert(extent);
            true
        }
        Entry::Occupied(mut known) => {
            let more = *known.get() == Extent::Offset && extent == Extent::All;
            if more {
                known.insert(Extent::All);
            }
            more
        }
    }
}

fn widen_object(
    pool: &mut TermPool,
    left: &State,
    before: &Object,
    back: &State,
    after: &Object,
    havoc: &mut Havoc,
    id: ObjectId,
) -> bool {
    let known = havoc.objects.get(&id).cloned();
    let mut cells = match known {
        Some(ObjectHavoc::Whole) => return false,
        Some(ObjectHavoc::Cells(cells)) => cells,
        None => BTreeMap::new(),
    };
    if !same_base(before.content.base(), after.content.base()) {
        havoc.objects.insert(id, ObjectHavoc::Whole);
        return true;
    }
    let old: BTreeMap<u64, TermId> = before.content.cells().collect();
    let new: BTreeMap<u64, TermId> = after.content.cells().collect();
    let mut more = false;
    let mut whole = old.keys().any(|offset| !new.contains_key(offset));
    for (offset, value) in &new {
        let bytes = pool.width(*value) / 8;
        let extent = match old.get(offset) {
            Some(earlier) if earlier == value => continue,
            Some(earlier) if pool.width(*earlier) == bytes * 8 => {
                extent(pool, left, *earlier, back, *value)
            }
            Some(_) => {
                whole = true;
                break;
            }
            None => Extent::All,
        };
        match cells.get(offset) {
            Some((known_bytes, _)) if *known_bytes != bytes => whole = true,
            Some((_, known)) if *known == Extent::All || extent == Extent::Offset => {}
            Some(_) | None => {
                cells.insert(*offset, (bytes, extent));
                more = true;
            }
        }
    }
    if whole || cells.len() > MOST_CELLS {
        havoc.objects.insert(id, ObjectHavoc::Whole);
        return true;
    }
    if more {
        havoc.objects.insert(id, ObjectHavoc::Cells(cells));
    }
    more
}

fn same_base(lhs: &Base, rhs: &Base) -> bool {
    match (lhs, rhs) {
        (Base::Zero, Base::Zero) => true,
        (Base::Bytes(lhs), Base::Bytes(rhs)) => Rc::ptr_eq(lhs, rhs),
        (Base::Arbitrary(lhs), Base::Arbitrary(rhs)) => Rc::ptr_eq(lhs, rhs),
        (Base::Array(lhs), Base::Array(rhs)) => lhs == rhs,
        _ => false,
    }
}
