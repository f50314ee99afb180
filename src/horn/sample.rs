//! States that executions come by: the program is run with random inputs.
//!
//! # Invariants
//! - The same program gives the same states: inputs come from a generator with a fixed seed.

use super::system::{Place, PredicateId, System};
use crate::flowgraph::{Action, Callee, EdgeId, Expr, FunctionId, NodeId, Program, RegId};
use crate::term::{Bv, TermPool, Work};
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

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
    values: Vec<Option<Bv>>,
    arguments: Vec<Bv>,
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
                    let arguments = args.iter().map(|argument| value(frame, argument));
                    let Some(arguments) = arguments.collect::<Option<Vec<Bv>>>() else {
                        return false;
                    };
                    frame.call = Some((edge, position, *dst));
                    let entered = self.enter(*callee, arguments);
                    frames.push(entered);
                    return true;
                }
                Next::Return(result) => {
                    self.note_result(frame, result.as_ref());
                    frames.pop();
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

    fn enter(&self, function: FunctionId, arguments: Vec<Bv>) -> Frame {
        let data = self.program.function(function);
        let mut values = vec![None; data.regs.len()];
        for (param, argument) in data.params.iter().zip(&arguments) {
            values[param.index()] = Some(argument.clone());
        }
        Frame {
            function,
            node: data.entry,
            values,
            arguments,
            call: None,
        }
    }

    /// Executes an edge from this step on.
    fn follow(&mut self, frame: &mut Frame, edge: EdgeId, from: usize) -> Next {
        let function = self.program.function(frame.function);
        let steps = &function.edge(edge).steps;
        for (position, step) in steps.iter().enumerate().skip(from) {
            match &step.action {
                Action::Assume(condition) => match value(frame, condition) {
                    Some(holds) if !holds.is_zero() => {}
                    Some(_) => return Next::Closed,
                    None => return Next::End,
                },
                Action::Assign(pairs) => {
                    let values: Vec<(RegId, Option<Bv>)> = pairs
                        .iter()
                        .map(|(reg, expr)| (*reg, value(frame, expr)))
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
                    let result = result.as_ref().and_then(|result| value(frame, result));
                    return Next::Return(result);
                }
                Action::Cut | Action::Goal(_) => {}
                _ => return Next::End,
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
        let function = self.program.function(frame.function);
        let values: Vec<Option<Bv>> = if frame.node == function.entry {
            frame.arguments.iter().cloned().map(Some).collect()
        } else {
            let live = function.liveness().regs_at(function, frame.node);
            let live = live.map(|reg| frame.values[reg.index()].clone());
            live.chain(frame.arguments.iter().cloned().map(Some))
                .collect()
        };
        self.keep(predicate, &values);
    }

    fn note_result(&mut self, frame: &Frame, result: Option<&Bv>) {
        if let Some(predicate) = self.predicates.get(&(frame.function, None)).copied() {
            let arguments = frame.arguments.iter().cloned().map(Some);
            let has_result = self.program.function(frame.function).result_bits.is_some();
            let values: Vec<Option<Bv>> = arguments
                .chain(has_result.then(|| result.cloned()))
                .collect();
            self.keep(predicate, &values);
        }
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
