//! States that executions come by: the program is run with random inputs.
//!
//! # Invariants
//! - The same program gives the same states: inputs come from a generator with a fixed seed.

use super::cells::{At, CellId, Holds, ObjectId, Owner, accessed};
use super::system::{Place, PredicateId, System, ValueOf};
use flowgraph::{Action, Builtin, Callee, EdgeId, Expr, FunctionId, NodeId, Program, RegId};
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use term::{BinOp, Bv, CastOp, TermPool, Work};

/// Runs, each of another kind.
const RUNS: u64 = 160;
/// Edges in one run.
const MOST_EDGES: usize = 600;
/// Further runs, where runs were cut off and some predicate has few states, as behind a loop of many
/// iterations.
const LONG_RUNS: u64 = 8;
const FEW_STATES: usize = 32;
/// Edges in one of them.
const MOST_EDGES_OF_LONG_RUN: usize = 20_000;
/// Calls in one another.
const MOST_FRAMES: usize = 100;
/// States that are kept for a predicate.
const MOST_STATES: usize = 400;
/// Of one run so many states for a predicate are kept among those of many runs.
const MOST_OF_RUN: usize = 12;
/// States that are kept of many runs.
const MOST_EARLY: usize = 1000;
/// Larger variables in memory end a run.
const MOST_BYTES: u64 = 1 << 16;
/// The work of an edge.
const EDGE: Work = Work::units(600);

/// For each predicate the values of its parameters, as they are read.
pub(super) struct Samples {
    pub states: Vec<Vec<Vec<i128>>>,
    /// The first of each run, before a number became so large that further ones may have wrapped around.
    pub early: Vec<Vec<Vec<i128>>>,
}

/// Runs a program; the work is counted in the pool.
pub(super) fn samples(pool: &TermPool, program: &Program, system: &System) -> Samples {
    let mut predicates = FxHashMap::default();
    for (number, predicate) in system.predicates.iter().enumerate() {
        let node = match predicate.place {
            Place::Node(node) => Some(node),
            Place::Result => None,
        };
        predicates.insert((predicate.function, node), PredicateId(number));
    }
    let mut states = vec![Vec::new(); system.predicates.len()];
    let mut early = states.clone();
    let mut is_cut_off = false;
    for seed in 0..RUNS + LONG_RUNS {
        let is_long = seed >= RUNS;
        if is_long && !(is_cut_off && states.iter().any(|states| states.len() < FEW_STATES)) {
            break;
        }
        let mut run = Run {
            program,
            system,
            predicates: &predicates,
            states: &mut states,
            early: &mut early,
            n_early: vec![0; system.predicates.len()],
            is_large: false,
            memory: FxHashMap::default(),
            depth: 0,
            rng: fastrand::Rng::with_seed(seed),
            kind: seed % 8,
            n_edges: 0,
            most_edges: if is_long {
                MOST_EDGES_OF_LONG_RUN
            } else {
                MOST_EDGES
            },
        };
        run.execute();
        is_cut_off |= run.n_edges >= run.most_edges;
        pool.count_work(EDGE * u64::try_from(run.n_edges).unwrap_or(u64::MAX));
    }
    Samples { states, early }
}

struct Frame {
    function: FunctionId,
    node: NodeId,
    /// By register; of an address the offset.
    values: Vec<Option<Bv>>,
    arguments: Vec<Bv>,
    /// What the cells of the function held when it was called.
    before: FxHashMap<CellId, Bv>,
    /// Where the call stands, and the register for its result.
    call: Option<(EdgeId, usize, Option<RegId>)>,
}

struct Run<'a> {
    program: &'a Program,
    system: &'a System,
    predicates: &'a FxHashMap<(FunctionId, Option<NodeId>), PredicateId>,
    states: &'a mut Vec<Vec<Vec<i128>>>,
    early: &'a mut Vec<Vec<Vec<i128>>>,
    /// Of this run, for each predicate.
    n_early: Vec<usize>,
    /// Whether a number took half the bits of its type.
    is_large: bool,
    /// The bytes of objects: of a frame's own by its depth.
    memory: FxHashMap<(ObjectId, usize), Vec<Option<u8>>>,
    /// Of the frame that runs.
    depth: usize,
    rng: fastrand::Rng,
    kind: u64,
    n_edges: usize,
    most_edges: usize,
}

/// How an edge goes on.
enum Next {
    /// It is not taken.
    Closed,
    /// To its target.
    Through,
    /// Into a call that stands at this position.
    Call(usize),
    Return(Option<Bv>),
    End,
}

impl Run<'_> {
    fn execute(&mut self) {
        let main = self.program.function(self.program.main);
        let params = main.params.iter().map(|reg| main.reg(*reg).bits);
        let arguments = params.map(|bits| self.input(bits)).collect();
        let mut frames = vec![self.enter(self.program.main, arguments)];
        while self.n_edges < self.most_edges && frames.len() < MOST_FRAMES {
            self.depth = frames.len();
            let Some(frame) = frames.last_mut() else {
                return;
            };
            self.note(frame);
            let function = self.program.function(frame.function);
            let mut taken = None;
            for edge in function.out_edges(frame.node) {
                self.n_edges += 1;
                match self.follow(frame, *edge, 0) {
                    Next::Closed => {}
                    next => {
                        taken = Some((*edge, next));
                        break;
                    }
                }
            }
            let Some((edge, next)) = taken else { return };
            if !self.go_on(&mut frames, edge, next) {
                return;
            }
        }
    }

    /// Goes on behind an edge of the last frame; whether there is something to go on with.
    fn go_on(&mut self, frames: &mut Vec<Frame>, edge: EdgeId, next: Next) -> bool {
        let (mut edge, mut next) = (edge, next);
        loop {
            let Some(frame) = frames.last_mut() else {
                return false;
            };
            let function = self.program.function(frame.function);
            match next {
                Next::Through => {
                    frame.node = function.target(edge);
                    return true;
                }
                Next::Call(position) => {
                    let action = &function.edge(edge).steps[position].action;
                    let Action::Call {
                        dst,
                        callee: Callee::Direct(callee),
                        args,
                    } = action
                    else {
                        return false;
                    };
                    let entered = self.program.function(*callee);
                    let params = entered.params.iter().zip(args);
                    let arguments: Vec<Option<Bv>> = params
                        .map(|(param, argument)| self.given(frame, *callee, *param, argument))
                        .collect();
                    let arguments = (arguments.into_iter().zip(&entered.params))
                        .map(|(argument, param)| {
                            argument.unwrap_or_else(|| self.input(entered.reg(*param).bits))
                        })
                        .collect();
                    frame.call = Some((edge, position, *dst));
                    let entered = self.enter(*callee, arguments);
                    frames.push(entered);
                    return true;
                }
                Next::Return(result) => {
                    self.depth = frames.len();
                    if let Some(frame) = frames.last() {
                        self.note_result(frame, result.as_ref());
                    }
                    frames.pop();
                    self.depth = frames.len();
                    let Some(caller) = frames.last_mut() else {
                        return false;
                    };
                    let Some((at, position, dst)) = caller.call.take() else {
                        return false;
                    };
                    if let Some(dst) = dst {
                        caller.values[dst.index()] = result;
                    }
                    edge = at;
                    next = self.follow(caller, at, position + 1);
                }
                Next::Closed | Next::End => return false,
            }
        }
    }

    fn enter(&mut self, function: FunctionId, arguments: Vec<Bv>) -> Frame {
        let data = self.program.function(function);
        let mut values = vec![None; data.regs.len()];
        for (param, argument) in data.params.iter().zip(&arguments) {
            values[param.index()] = Some(argument.clone());
        }
        let mut before = FxHashMap::default();
        for cell in self.system.memory.shared(function) {
            // Of an element that stands for all it is not kept.
            if let At::Fixed(_) = self.system.memory.cell(cell).at {
                before.extend(self.cell(cell, 0).map(|value| (cell, value)));
            }
        }
        Frame {
            function,
            node: data.entry,
            values,
            arguments,
            before,
            call: None,
        }
    }

    /// Executes an edge from this step on.
    fn follow(&mut self, frame: &mut Frame, edge: EdgeId, from: usize) -> Next {
        let function = self.program.function(frame.function);
        let steps = &function.edge(edge).steps;
        for (position, step) in steps.iter().enumerate().skip(from) {
            match &step.action {
                Action::Assume(condition) => match self.value(frame, condition) {
                    Some(holds) if !holds.is_zero() => {}
                    Some(_) => return Next::Closed,
                    None => return Next::End,
                },
                Action::Assign(pairs) => {
                    let values: Vec<(RegId, Option<Bv>)> = pairs
                        .iter()
                        .map(|(reg, expr)| (*reg, self.given(frame, frame.function, *reg, expr)))
                        .collect();
                    for (reg, value) in values {
                        frame.values[reg.index()] = value;
                    }
                }
                Action::Input { dst, .. } => {
                    let input = self.input(function.reg(*dst).bits);
                    frame.values[dst.index()] = Some(input);
                }
                Action::Call { .. } => return Next::Call(position),
                Action::Return(result) => {
                    let result = result.as_ref().and_then(|result| self.value(frame, result));
                    return Next::Return(result);
                }
                Action::Cut | Action::Goal(_) => {}
                Action::Load { .. }
                | Action::Store { .. }
                | Action::Alloca { .. }
                | Action::Builtin { .. } => {
                    if self.access(frame, edge, position, &step.action).is_none() {
                        return Next::End;
                    }
                }
                Action::Target | Action::End(_) | Action::Unsupported(_) => return Next::End,
            }
        }
        Next::Through
    }

    /// Mostly small: loops go around for a while, and branches are taken both ways.
    fn input(&mut self, bits: u32) -> Bv {
        let choice = self.rng.u64(0..10);
        let small = match self.kind {
            0 => i64::from(choice < 8),
            1 => i64::from(choice < 9) * self.rng.i64(1..4),
            2 => self.rng.i64(0..2),
            3 => self.rng.i64(-3..8),
            4 => self.rng.i64(0..20),
            5 => self.rng.i64(-20..120),
            6 => i64::from(choice != 0),
            _ => self.rng.i64(-1000..1000),
        };
        Bv::from_i64(bits, small)
    }

    fn read(&self, predicate: PredicateId, position: usize, value: &Bv) -> i128 {
        let parameter = &self.system.predicates[predicate.0].parameters[position];
        let is_unsigned = value.width() == 1 || self.system.signs.is_unsigned(parameter.slot);
        if is_unsigned {
            value.to_biguint().to_i128().unwrap_or(0)
        } else {
            value.to_bigint().to_i128().unwrap_or(0)
        }
    }

    fn keep(&mut self, predicate: PredicateId, values: &[Option<Bv>]) {
        let is_full = self.states[predicate.0].len() >= MOST_STATES;
        let takes_early = !self.is_large
            && self.n_early[predicate.0] < MOST_OF_RUN
            && self.early[predicate.0].len() < MOST_EARLY;
        if is_full && !takes_early || values.iter().any(Option::is_none) {
            return;
        }
        let state: Vec<i128> = values
            .iter()
            .flatten()
            .enumerate()
            .map(|(position, value)| self.read(predicate, position, value))
            .collect();
        let bits = values.iter().flatten().map(Bv::width);
        let mut sizes = state.iter().zip(bits);
        self.is_large |= sizes.any(|(value, bits)| bits > 16 && value.abs() >> (bits - 8) > 0);
        if takes_early && !self.is_large {
            self.n_early[predicate.0] += 1;
            if !self.early[predicate.0].contains(&state) {
                self.early[predicate.0].push(state.clone());
            }
        }
        if !is_full && !self.states[predicate.0].contains(&state) {
            self.states[predicate.0].push(state);
        }
    }

    /// Keeps the state at a location with a predicate.
    fn note(&mut self, frame: &Frame) {
        let Some(predicate) = self
            .predicates
            .get(&(frame.function, Some(frame.node)))
            .copied()
        else {
            return;
        };
        let values = self.parameters(frame, predicate, None);
        self.keep(predicate, &values);
    }

    fn note_result(&mut self, frame: &Frame, result: Option<&Bv>) {
        if let Some(predicate) = self.predicates.get(&(frame.function, None)).copied() {
            let values = self.parameters(frame, predicate, result);
            self.keep(predicate, &values);
        }
    }

    /// The values of the parameters of a predicate.
    fn parameters(
        &mut self,
        frame: &Frame,
        predicate: PredicateId,
        result: Option<&Bv>,
    ) -> Vec<Option<Bv>> {
        let system = self.system;
        // The number of the element of each array that stands for all.
        let any = self.rng.u64(0..20);
        let parameters = system.predicates[predicate.0].parameters.iter();
        parameters
            .map(|parameter| match parameter.value {
                ValueOf::Register(reg) => frame.values[reg.index()].clone(),
                ValueOf::Argument(position) => frame.arguments.get(position).cloned(),
                ValueOf::Cell(cell) => self.cell(cell, any),
                ValueOf::CellBefore(cell) => frame.before.get(&cell).cloned(),
                ValueOf::Result => result.cloned(),
            })
            .collect()
    }

    /// The value that comes to a register of a function, of an address the offset.
    fn given(&self, frame: &Frame, of: FunctionId, reg: RegId, expr: &Expr) -> Option<Bv> {
        match self.system.memory.register(of, reg) {
            Holds::Offset { .. } => {
                let (_, offset) = self.system.memory.offset(frame.function, expr)?;
                value(frame, &offset)
            }
            Holds::Number | Holds::Nothing | Holds::Mixed => self.value(frame, expr),
        }
    }

    /// The value of an expression, of which addresses are compared within an object only.
    fn value(&self, frame: &Frame, expr: &Expr) -> Option<Bv> {
        if let Expr::Compare(op, lhs, rhs) = expr
            && let (Some((object, one)), Some((second, other))) = (
                self.system.memory.offset(frame.function, lhs),
                self.system.memory.offset(frame.function, rhs),
            )
        {
            return (object == second)
                .then(|| {
                    Some(Bv::compare(
                        *op,
                        &value(frame, &one)?,
                        &value(frame, &other)?,
                    ))
                })
                .flatten()
                .map(Bv::truth);
        }
        let mut has_addresses = false;
        expr.for_each_reg(&mut |reg| {
            let held = self.system.memory.register(frame.function, reg);
            has_addresses |= matches!(held, Holds::Offset { .. });
        });
        if has_addresses {
            return None;
        }
        value(frame, expr)
    }

    /// The bytes of an object as they are now.
    fn bytes(&mut self, object: ObjectId) -> Option<&mut Vec<Option<u8>>> {
        let memory = &self.system.memory;
        let data = memory.object(object);
        let size = usize::try_from(data.bytes).ok()?;
        if data.bytes > MOST_BYTES {
            return None;
        }
        let depth = match data.owner {
            Owner::Global(_) => 0,
            Owner::Frame(_) if data.is_shared => 0,
            Owner::Frame(_) => self.depth,
        };
        let program = self.program;
        Some(self.memory.entry((object, depth)).or_insert_with(|| {
            let byte = |at: usize| {
                let at = u64::try_from(at).ok()?;
                let byte = memory.initial(program, object, at, 1)?;
                u8::try_from(byte.to_u64()?).ok()
            };
            (0..size).map(byte).collect()
        }))
    }

    /// So many bytes of an object; what is not known yet becomes an input.
    fn read_bytes(&mut self, object: ObjectId, offset: u64, n: u64) -> Option<Bv> {
        let (begin, n) = (usize::try_from(offset).ok()?, usize::try_from(n).ok()?);
        let bits = u32::try_from(n * 8).ok()?;
        let known = self.bytes(object)?.get(begin..begin.checked_add(n)?)?;
        if known.iter().any(Option::is_none) {
            let input = self.input(bits);
            self.write_bytes(object, offset, &input)?;
        }
        let mut value = Bv::zero(bits);
        let bytes = self.bytes(object)?.get(begin..begin + n)?;
        for (at, byte) in bytes.iter().enumerate() {
            let shift = Bv::new(bits, u64::try_from(at * 8).ok()?);
            let byte = Bv::new(bits, u64::from((*byte)?));
            value = Bv::binary(BinOp::Or, &value, &Bv::binary(BinOp::Shl, &byte, &shift));
        }
        Some(value)
    }

    fn write_bytes(&mut self, object: ObjectId, offset: u64, value: &Bv) -> Option<()> {
        let begin = usize::try_from(offset).ok()?;
        let n = usize::try_from(value.width() / 8).ok()?;
        let bytes = self.bytes(object)?.get_mut(begin..begin.checked_add(n)?)?;
        for (at, byte) in bytes.iter_mut().enumerate() {
            let low = u32::try_from(at * 8).ok()?;
            *byte = u8::try_from(value.extract(low, 8).to_u64()?).ok();
        }
        Some(())
    }

    /// What a cell holds, where the element of this number stands for all of an array.
    fn cell(&mut self, cell: CellId, any: u64) -> Option<Bv> {
        let data = self.system.memory.cell(cell);
        let object = self.system.memory.object(data.object);
        let number = any % object.n_units().max(1);
        match data.at {
            At::Fixed(offset) => self.read_bytes(data.object, offset, data.bytes),
            At::Element => self.read_bytes(data.object, number * object.unit, data.bytes),
            At::Number => Some(Bv::new(data.bits(), number)),
        }
    }

    /// The object of an address and the offset in bytes.
    fn address(&self, frame: &Frame, address: &Expr) -> Option<(ObjectId, u64)> {
        let (object, offset) = self.system.memory.offset(frame.function, address)?;
        let unit = self.system.memory.object(object).unit;
        let offset = value(frame, &offset)?.to_u64()?;
        Some((object, offset.checked_mul(unit)?))
    }

    /// Executes what reads or writes memory; `None` where the run ends.
    fn access(
        &mut self,
        frame: &mut Frame,
        edge: EdgeId,
        position: usize,
        action: &Action,
    ) -> Option<()> {
        let function = self.program.function(frame.function);
        match action {
            Action::Load { dst, address } => {
                let (_, bytes) = accessed(self.program, function, action)?;
                let (object, offset) = self.address(frame, address)?;
                let value = self.read_bytes(object, offset, bytes)?;
                let value = value.cast(CastOp::Trunc, function.reg(*dst).bits);
                frame.values[dst.index()] = Some(value);
            }
            Action::Store { address, value } => {
                let (_, bytes) = accessed(self.program, function, action)?;
                let bits = u32::try_from(bytes * 8).ok()?;
                let (object, offset) = self.address(frame, address)?;
                let value = match self.value(frame, value) {
                    Some(value) => value.cast(CastOp::ZExt, bits),
                    None => self.input(bits),
                };
                self.write_bytes(object, offset, &value)?;
            }
            Action::Alloca { .. } => {
                let object = self.system.memory.made_at(frame.function, edge, position)?;
                self.bytes(object)?.fill(None);
            }
            Action::Builtin { builtin, args, .. } => {
                let bytes = self.value(frame, args.last()?)?.to_u64()?;
                let n = usize::try_from(bytes).ok()?;
                let (object, offset) = self.address(frame, args.first()?)?;
                let begin = usize::try_from(offset).ok()?;
                let content = match builtin {
                    Builtin::Uninit | Builtin::Unwritten => vec![None; n],
                    Builtin::MemSet => {
                        let byte = self.value(frame, args.get(1)?)?.to_u64()?;
                        vec![u8::try_from(byte).ok(); n]
                    }
                    Builtin::MemCopy | Builtin::MemCopyApart => {
                        let (source, from) = self.address(frame, args.get(1)?)?;
                        let from = usize::try_from(from).ok()?;
                        self.bytes(source)?
                            .get(from..from.checked_add(n)?)?
                            .to_vec()
                    }
                    _ => return None,
                };
                let bytes = self.bytes(object)?.get_mut(begin..begin.checked_add(n)?)?;
                bytes.clone_from_slice(&content);
            }
            _ => return None,
        }
        Some(())
    }
}

/// The value of an expression; `None` where it depends on what is not known.
fn value(frame: &Frame, expr: &Expr) -> Option<Bv> {
    Some(match expr {
        Expr::Const(value) => value.clone(),
        Expr::Reg(reg) => frame.values[reg.index()].clone()?,
        Expr::Binary(op, lhs, rhs) => Bv::binary(*op, &value(frame, lhs)?, &value(frame, rhs)?),
        Expr::Compare(op, lhs, rhs) => {
            Bv::truth(Bv::compare(*op, &value(frame, lhs)?, &value(frame, rhs)?))
        }
        Expr::Cast(op, bits, of) => value(frame, of)?.cast(*op, *bits),
        Expr::Ite(condition, then, otherwise) => {
            let chosen = if value(frame, condition)?.is_zero() {
                otherwise
            } else {
                then
            };
            value(frame, chosen)?
        }
        Expr::FloatBinary(..) | Expr::FloatCast(..) | Expr::Global(_) | Expr::Function(_) => {
            return None;
        }
    })
}
