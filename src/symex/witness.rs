//! Witnesses: concrete inputs that lead to the target.

use flowgraph::{GoalId, Span};
use memory::Arbitrary;
use property::{ErrorKind, Reason, Violation};
use semantics::{
    Decision, Exceeded, InputEvent, InputSite, Machine, Oracle, State, noted_by, noted_by_any,
    place_after_call,
};
use solver::{Limits, Solver, confirms};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use template::QueryWork;
use template::SolverOracle;
use term::{ArrayValue, Assignment, Bv, CellsRead, CmpOp, SymbolId, Term, TermId, TermPool, Work};

/// Inputs in the order in which the program reads them, and the path that they take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    pub inputs: Vec<WitnessInput>,
    /// The choices on the path, in order.
    pub path: Vec<PathStep>,
    /// The target, or the call by which it is reached where it is a function; the place of an
    /// error of another kind.
    pub target: Span,
    /// The event.
    pub error: ErrorKind,
    /// The sanitizer's report in the replay, if there was one.
    pub report: Option<String>,
    /// The goals of coverage that it is to pass, if it was found for them and not for an error.
    pub goals: Vec<GoalId>,
}

impl Witness {
    /// The error and its location.
    #[must_use]
    pub fn violation(&self) -> Violation {
        Violation {
            kind: self.error,
            place: self.target,
        }
    }

    /// For a list of errors, the worst first.
    #[must_use]
    pub fn rank(&self) -> (u32, Span) {
        (self.error.rank(), self.target)
    }
}

/// One input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessInput {
    /// As in the source, with a number where the name repeats.
    pub name: String,
    pub value: InputValue,
    /// Where it is read; unknown for the parameters of `main`.
    pub span: Span,
    /// The function of the program whose call it is the result of, if it is one.
    pub call: Option<String>,
    /// Whether the path depends on it; any value does where not.
    pub matters: bool,
    /// Of a block: the offsets of the bytes on which the path depends, in order, where that is known.
    pub decisive: Option<Vec<u64>>,
}

/// The value of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputValue {
    /// A number.
    Value(Bv),
    /// A block of memory.
    Memory {
        /// Size in bytes.
        bytes: u64,
        /// What every byte is that no chunk subsumes.
        default: u8,
        /// Bytes by offset, within the size.
        chunks: BTreeMap<u64, Vec<u8>>,
        /// Where it lies, if it is there before the program starts.
        address: Option<u64>,
    },
}

/// A choice on the path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// Name of the function.
    pub function: String,
    pub span: Span,
    /// Where the edge leads: the name of the location.
    pub to: String,
    /// The number of iterations of the loop that was left here.
    pub iterations: Option<Bv>,
}

/// The outcome of the confirmation of a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// The program was run with the inputs and reached the target, or ran into the error; what a
    /// sanitizer reported, if one did.
    Confirmed(Option<String>),
    /// The program was run and passed these goals of coverage.
    Passed(Vec<GoalId>),
    /// The caller did not want it to be run.
    Skipped,
    /// The program was run and did not reach the target, nor the error.
    Refuted(String),
    /// A limit stopped the program before it reached the target; which one.
    Stopped(String),
    /// The program cannot be run here, whatever the inputs are; why.
    Impossible(String),
}

/// No witness gets longer than this many inputs.
const MOST_INPUTS: u64 = 10_000_000;

/// The largest path counter and the largest object to ask for first, one after the other: small
/// witnesses are easier to read and to replay.
const SMALL: [u64; 3] = [32, 1024, 1 << 20];

/// The same where not all can be small, for each by itself.
const SMALL_EACH: [u64; 5] = [32, 1024, 1 << 15, 1 << 20, 1 << 27];

/// So many queries about single sizes; each gets little work.
const MOST_QUESTIONS: u32 = 24;

/// After so many iterations that read inputs it is looked whether the run is at a limit.
const LOOK_AFTER: u64 = 1 << 12;

/// Iterations of quantifiers and sums that may be examined for the cells that a witness needs.
const MOST_READS: u64 = 1 << 16;

/// Inputs for a state whose path condition is satisfiable, and its path; within this work
/// for a model of it.
pub(super) fn find_witness(
    machine: &Machine,
    pool: &mut TermPool,
    oracle: &mut SolverOracle,
    state: &State,
    work: Work,
) -> Result<(Vec<WitnessInput>, Vec<PathStep>), Reason> {
    let mut path_cond = state.path_cond.to_vec();
    let Some(mut model) = small_model(pool, oracle, state, &path_cond, work) else {
        return Err(Reason::Undecided(Span::default()));
    };
    if let Some(near) = near_bounds(pool, oracle, state, (&path_cond, &model)) {
        path_cond.push(near);
        model = small_model(pool, oracle, state, &path_cond, work).unwrap_or(model);
    }
    let model = with_zeros(pool, state, &path_cond, &model);
    let decisive = Decisive::of(pool, &path_cond, &model);
    read_off(machine, pool, oracle, state, &model, &decisive)
}

/// The dependencies of a path.
struct Decisive {
    symbols: BTreeSet<SymbolId>,
    /// The cells of arrays, where they are not too many.
    cells: Option<CellsRead>,
}

impl Decisive {
    fn of(pool: &mut TermPool, path_cond: &[TermId], model: &Assignment) -> Decisive {
        let symbols = path_cond
            .iter()
            .flat_map(|conjunct| pool.symbols_of(*conjunct).to_vec());
        Decisive {
            symbols: symbols.collect(),
            cells: pool.cells_read(path_cond, model, MOST_READS).ok(),
        }
    }

    /// The bytes of a block of this size that are read, whose content is an array of cells.
    fn bytes(&self, symbol: SymbolId, cell_bytes: u32, bytes: u64) -> Option<Vec<u64>> {
        let cells = self.cells.as_ref()?.get(&symbol).into_iter().flatten();
        let offsets = cells.filter_map(Bv::to_u64);
        let read = offsets.flat_map(|offset| offset..offset.saturating_add(cell_bytes.into()));
        let read: BTreeSet<u64> = read.filter(|offset| *offset < bytes).collect();
        Some(read.into_iter().collect())
    }
}

/// Inputs for a state of which it is not known whether a path leads there, by a separate solver:
/// a guess, if its path condition is only necessary. All queries together take this work, each of those about small
/// counters and objects a quarter of it.
///
/// # Errors
/// Why there are none: no model was found, or the inputs are too many to be run.
pub fn propose_inputs(
    machine: &Machine,
    pool: &mut TermPool,
    solver: Box<dyn Solver>,
    limits: &Limits,
    state: &State,
    work: Work,
) -> Result<(Vec<WitnessInput>, Vec<PathStep>), Reason> {
    let limits = Limits {
        work: Some(work.percent(25)),
        ..limits.within_work(pool, work)
    };
    let mut oracle = SolverOracle::new(solver, limits, QueryWork::default());
    find_witness(machine, pool, &mut oracle, state, work)
}

/// An access this close to an object is within `AddressSanitizer`'s red zone.
const RED_ZONE: u64 = 16;

/// A condition under which an access out of bounds is as near to its object as it can be: one past it, one before it,
/// within a red zone. Errors of programs show there first, and sanitizers see those. `None` where it cannot be, or is
/// within a red zone under the model at hand.
fn near_bounds(
    pool: &mut TermPool,
    oracle: &mut SolverOracle,
    state: &State,
    (path_cond, model): (&[TermId], &Assignment),
) -> Option<TermId> {
    let Exceeded {
        offset,
        length,
        bytes,
    } = state.exceeded?;
    let zone = pool.bv(pool.width(offset), RED_ZONE);
    let one = pool.bv(pool.width(offset), 1);
    let behind = pool.sub(offset, bytes);
    let end = pool.add(offset, length);
    let begins_behind = pool.eq(offset, bytes);
    let begins_within = pool.compare(CmpOp::Ult, offset, bytes);
    let excess = pool.sub(end, bytes);
    let is_excess_one = pool.eq(excess, one);
    let ends_behind = pool.and(begins_within, is_excess_one);
    let one_past = pool.or(begins_behind, ends_behind);
    let zero = pool.bv(pool.width(offset), 0);
    let one_before = pool.eq(end, zero);
    let before = pool.sub(zero, offset);
    let is_behind = pool.compare(CmpOp::Ult, behind, zone);
    let is_somewhere_before = pool.ult(zero, before);
    let is_close_before = pool.ule(before, zone);
    let is_before = pool.and(is_somewhere_before, is_close_before);
    let is_excess_small = pool.ule(excess, zone);
    let ends_close = pool.and(begins_within, is_excess_small);
    let is_outside = pool.or(is_behind, is_before);
    let is_near = pool.or(is_outside, ends_close);
    let is_decided = pool.is_false(is_near);
    if is_decided || (pool.evaluate(is_near, model)).is_ok_and(|near| near.is_ones()) {
        return None;
    }
    let work = oracle.queries.small_size;
    [one_past, one_before, is_near].into_iter().find(|near| {
        let mut conjuncts = path_cond.to_vec();
        conjuncts.push(*near);
        oracle.model_within(pool, &conjuncts, work).is_ok()
    })
}

/// A model of the path condition, with small counters and objects as far as such a one is found.
fn small_model(
    pool: &mut TermPool,
    oracle: &mut SolverOracle,
    state: &State,
    path_cond: &[TermId],
    work: Work,
) -> Option<Rc<Assignment>> {
    let sizes = sizes(pool, state);
    for largest in SMALL {
        let mut conjuncts = path_cond.to_vec();
        for size in &sizes {
            conjuncts.push(at_most(pool, *size, largest));
        }
        if sizes.is_empty() {
            break;
        }
        if let Ok(model) = oracle.model(pool, &conjuncts) {
            return Some(model);
        }
    }
    let mut model = oracle.model_within(pool, path_cond, work).ok()?;
    let mut conjuncts = path_cond.to_vec();
    let mut n_questions = 0;
    let small = oracle.queries.small_size;
    for size in sizes {
        for largest in SMALL_EACH {
            let limit = at_most(pool, size, largest);
            conjuncts.push(limit);
            if pool
                .evaluate(limit, &model)
                .is_ok_and(|fits| fits.is_ones())
            {
                break;
            }
            if n_questions == MOST_QUESTIONS {
                return Some(model);
            }
            n_questions += 1;
            if let Ok(smaller) = oracle.model_within(pool, &conjuncts, small) {
                model = smaller;
                break;
            }
            conjuncts.pop();
        }
    }
    Some(model)
}

fn at_most(pool: &mut TermPool, size: TermId, largest: u64) -> TermId {
    let limit = pool.bv(pool.width(size), largest);
    pool.ule(size, limit)
}

/// The model with zeros wherever the path condition says nothing of a block: a block that is zero
/// but for a few bytes is short to write, and a replay does not have to fill it.
fn with_zeros(
    pool: &TermPool,
    state: &State,
    path_cond: &[TermId],
    model: &Rc<Assignment>,
) -> Rc<Assignment> {
    let events = noted_by_any(&state.inputs).into_iter();
    let blocks = events.filter_map(|event| match event {
        InputEvent::Memory { content, .. } => content.symbol().map(|(symbol, _)| symbol),
        InputEvent::Value { .. } | InputEvent::Iterations { .. } | InputEvent::Either(_) => None,
    });
    let blocks: Vec<SymbolId> = blocks
        .filter(|symbol| {
            let content = model.array(*symbol);
            content.is_some_and(|content| !content.default.is_zero())
        })
        .collect();
    if blocks.is_empty() {
        return Rc::clone(model);
    }
    // The cells that count are listed, or all that the path condition depends on are.
    let with_entries = |entries: &dyn Fn(SymbolId, &ArrayValue) -> BTreeMap<Bv, Bv>| {
        let mut changed = (**model).clone();
        for symbol in &blocks {
            if let Some(content) = model.array(*symbol) {
                let default = Bv::zero(content.default.width());
                let entries = entries(*symbol, content);
                changed.set_array(*symbol, ArrayValue { default, entries });
            }
        }
        confirms(pool, path_cond, &changed).then(|| Rc::new(changed))
    };
    let listed = with_entries(&|_, content| content.entries.clone());
    if let Some(changed) = listed {
        return changed;
    }
    let Ok(cells) = pool.cells_read(path_cond, model, MOST_READS) else {
        return Rc::clone(model);
    };
    let read = with_entries(&|symbol, content| {
        let cells = cells.get(&symbol).into_iter().flatten();
        cells
            .map(|cell| (cell.clone(), content.get(cell).clone()))
            .collect()
    });
    read.unwrap_or_else(|| Rc::clone(model))
}

/// The path counters and sizes that decide how long a witness is.
fn sizes(pool: &TermPool, state: &State) -> Vec<TermId> {
    let decisions = noted_by_any(&state.decisions).into_iter();
    let counters = decisions.filter_map(Decision::kappa);
    let events = noted_by_any(&state.inputs).into_iter();
    let blocks = events.filter_map(|event| match event {
        InputEvent::Memory { bytes, .. } => Some(*bytes),
        InputEvent::Value { .. } | InputEvent::Iterations { .. } | InputEvent::Either(_) => None,
    });
    let mut sizes: Vec<TermId> = counters
        .chain(blocks)
        .filter(|size| !pool.is_const(*size))
        .collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// The inputs and the path of a state under a model of its path condition, which depends on what is
/// decisive.
fn read_off(
    machine: &Machine,
    pool: &mut TermPool,
    oracle: &dyn Oracle,
    state: &State,
    model: &Assignment,
    decisive: &Decisive,
) -> Result<(Vec<WitnessInput>, Vec<PathStep>), Reason> {
    let mut inputs = Vec::new();
    // Of paths that were merged the one that the model takes.
    let is_first =
        |selector| (pool.evaluate(selector, model)).is_ok_and(|selects| selects.is_ones());
    let events = noted_by(&state.inputs, is_first);
    let decisions = noted_by(&state.decisions, is_first);
    for event in events {
        match event {
            // Those are unfolded.
            InputEvent::Either(_) => {}
            InputEvent::Value { term, site } => {
                let input = value_input(pool, *term, model, decisive)?;
                inputs.push(input.read_at(machine, *site));
            }
            InputEvent::Memory {
                bytes,
                content,
                address,
                site,
            } => {
                let input = memory_input(pool, *bytes, content, *address, (model, decisive))?;
                inputs.push(input.read_at(machine, Some(*site)));
            }
            InputEvent::Iterations { kappa, arrays } => {
                let iterations = number(pool, *kappa, model)?;
                if iterations.saturating_mul(arrays.len() as u64) > MOST_INPUTS {
                    return Err(Reason::ReplayTooLong(format!(
                        "a loop reads inputs in {iterations} iterations"
                    )));
                }
                pool.count_work(Work::INPUT * iterations.saturating_mul(arrays.len() as u64));
                let width = pool.width(*kappa);
                let arrays: Vec<InputArray> = (arrays.iter())
                    .map(|(array, site)| InputArray::new(pool, *array, *site, (model, decisive)))
                    .collect();
                for iteration in 0..iterations {
                    if iteration % LOOK_AFTER == 0 && oracle.is_exhausted() {
                        return Err(Reason::Undecided(Span::default()));
                    }
                    let index = Bv::new(width, iteration);
                    for array in &arrays {
                        let input = array.input(pool, &index, (model, decisive))?;
                        inputs.push(input.read_at(machine, array.site));
                    }
                }
            }
        }
    }
    let mut path: Vec<PathStep> = Vec::with_capacity(decisions.len());
    for decision in decisions {
        let Decision::Edge {
            function: id,
            edge,
            callers,
            kappa,
        } = decision
        else {
            continue;
        };
        let function = machine.program.function(*id);
        let span = machine.edge_span(*id, *edge);
        path.push(PathStep {
            function: function.name.clone(),
            span: place_after_call(machine.program, *id, callers.iter().copied(), span),
            to: function.node(function.target(*edge)).name.clone(),
            iterations: kappa.and_then(|kappa| pool.evaluate(kappa, model).ok()),
        });
    }
    number_repetitions(&mut inputs);
    Ok((inputs, path))
}

/// The second input of a name gets the number 2, and so on.
fn number_repetitions(inputs: &mut [WitnessInput]) {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for input in inputs {
        let count = counts.entry(input.name.clone()).or_insert(0);
        *count += 1;
        if *count > 1 {
            input.name = format!("{}#{count}", input.name);
        }
    }
}

fn evaluate(pool: &TermPool, term: TermId, model: &Assignment) -> Result<Bv, Reason> {
    pool.evaluate(term, model)
        .map_err(|error| Reason::NotConfirmed(error.to_string()))
}

fn number(pool: &TermPool, term: TermId, model: &Assignment) -> Result<u64, Reason> {
    let value = evaluate(pool, term, model)?;
    value
        .to_u64()
        .ok_or_else(|| Reason::ReplayTooLong("a size has more than 64 bits".to_owned()))
}

fn value_input(
    pool: &mut TermPool,
    term: TermId,
    model: &Assignment,
    decisive: &Decisive,
) -> Result<WitnessInput, Reason> {
    let value = evaluate(pool, term, model)?;
    Ok(value_of(pool, term, value, decisive))
}

/// The input of this term, or of an element of it, that has this value.
fn value_of(pool: &mut TermPool, term: TermId, value: Bv, decisive: &Decisive) -> WitnessInput {
    // Of a template's array, not of the counter that is its index.
    let named = match pool.view(term) {
        Term::Select(array, _) => array,
        _ => term,
    };
    let name = (pool.symbols_of(named).first()).map_or("", |symbol| pool.given_name(*symbol));
    // Registers of one name in the source have numbers behind it.
    let name = name.split('#').next().unwrap_or_default().to_owned();
    let symbols = pool.symbols_of(term);
    WitnessInput {
        name,
        value: InputValue::Value(value),
        span: Span::default(),
        call: None,
        matters: (symbols.iter()).any(|symbol| decisive.symbols.contains(symbol)),
        decisive: None,
    }
}

/// The inputs that a loop reads at one place, one in each iteration.
struct InputArray<'m> {
    term: TermId,
    site: Option<InputSite>,
    /// Where the model lists its elements, these and what is the same in all inputs: there may be millions.
    listed: Option<(&'m ArrayValue, WitnessInput)>,
}

impl<'m> InputArray<'m> {
    fn new(
        pool: &mut TermPool,
        term: TermId,
        site: Option<InputSite>,
        (model, decisive): (&'m Assignment, &Decisive),
    ) -> InputArray<'m> {
        let values = pool.as_symbol(term).and_then(|symbol| model.array(symbol));
        let listed = values.map(|values| (values, value_of(pool, term, Bv::zero(1), decisive)));
        InputArray { term, site, listed }
    }

    fn input(
        &self,
        pool: &mut TermPool,
        index: &Bv,
        (model, decisive): (&Assignment, &Decisive),
    ) -> Result<WitnessInput, Reason> {
        let Some((values, input)) = &self.listed else {
            let index = pool.constant(index);
            let element = pool.select(self.term, index);
            return value_input(pool, element, model, decisive);
        };
        let value = InputValue::Value(values.get(index).clone());
        let input = input.clone();
        Ok(WitnessInput { value, ..input })
    }
}

fn memory_input(
    pool: &TermPool,
    bytes: TermId,
    content: &Arbitrary,
    address: Option<u64>,
    (model, decisive): (&Assignment, &Decisive),
) -> Result<WitnessInput, Reason> {
    let bytes = number(pool, bytes, model)?;
    let mut chunks = BTreeMap::new();
    let mut default = 0;
    if let Some((symbol, cell_bytes)) = content.symbol() {
        if let Some(array) = model.array(symbol) {
            // A default that is not the same in each byte of a cell is written out.
            let cell = little_endian(&array.default, cell_bytes);
            if cell.iter().all(|byte| *byte == cell[0]) {
                default = cell[0];
            } else {
                for start in (0..bytes.min(MOST_INPUTS)).step_by(cell_bytes as usize) {
                    chunks.insert(start, cell.clone());
                }
            }
            for (offset, value) in &array.entries {
                let Some(offset) = offset.to_u64().filter(|offset| *offset < bytes) else {
                    continue;
                };
                if offset % u64::from(cell_bytes) == 0 {
                    chunks.insert(offset, little_endian(value, cell_bytes));
                }
            }
        }
        for (offset, chunk) in &mut chunks {
            let room = usize::try_from(bytes - offset).unwrap_or(usize::MAX);
            chunk.truncate(room);
        }
    }
    Ok(WitnessInput {
        name: content.name.clone(),
        value: InputValue::Memory {
            bytes,
            default,
            chunks,
            address,
        },
        span: Span::default(),
        call: None,
        matters: content
            .symbol()
            .is_some_and(|(symbol, _)| decisive.symbols.contains(&symbol)),
        decisive: (content.symbol())
            .and_then(|(symbol, cell_bytes)| decisive.bytes(symbol, cell_bytes, bytes)),
    })
}

impl WitnessInput {
    fn read_at(mut self, machine: &Machine, site: Option<InputSite>) -> WitnessInput {
        if let Some(site) = site {
            let step = site.step(machine.program);
            self.span = step.map(|step| step.span).unwrap_or_default();
            self.call = site.call(machine.program).map(str::to_owned);
        }
        self
    }
}

fn little_endian(value: &Bv, bytes: u32) -> Vec<u8> {
    (0..bytes)
        .map(|position| {
            let byte = value.extract(position * 8, 8).to_u64();
            u8::try_from(byte.expect("eight bits fit")).expect("eight bits fit")
        })
        .collect()
}
