//! A concrete interpreter of flowgraph programs: functions, globals, integers. Slow, obvious, and
//! without a line of the engine but for the arithmetic of `Bv`.

use compact_se::flowgraph::{
    Action, Callee, EdgeId, EndKind, Expr, Function, GlobalId, Initializer, NodeId, Program, RegId,
};
use compact_se::term::{Bv, CastOp};

/// Values for inputs: by number, in the order of reading.
pub struct Inputs {
    seed: u64,
}

impl Inputs {
    pub fn new(seed: u64) -> Inputs {
        Inputs { seed }
    }

    /// The value of an input; small values and those next to the ends of the range are frequent.
    pub fn value(&self, number: u64, bits: u32) -> Bv {
        let mut rng =
            fastrand::Rng::with_seed(self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        rng.u64(..);
        let value = match rng.u32(0..4) {
            0 => rng.u64(0..4),
            1 => rng.u64(0..40),
            2 => rng.u64(0..4).wrapping_sub(2),
            _ => rng.u64(..),
        };
        Bv::new(bits, value)
    }

    /// What a byte of an `extern` global holds at the start.
    pub fn byte(&self, global: GlobalId, offset: u64) -> u8 {
        let number = (1 << 40) + (u64::from(global.0) << 20) + offset;
        let value = self.value(number, 8).to_u64().unwrap();
        u8::try_from(value).unwrap()
    }
}

/// Distance between the addresses of globals; no object of the tests is as large.
const SPACING: u64 = 0x1_0000;

/// The address that the interpreter gives a global.
pub fn address(program: &Program, global: GlobalId) -> Bv {
    Bv::new(program.pointer_bits, SPACING * (u64::from(global.0) + 1))
}

/// Everything at a location.
#[derive(Clone, Debug)]
pub struct Moment {
    pub node: NodeId,
    /// The edge that led here; none at the start.
    pub edge: Option<EdgeId>,
    /// By register.
    pub regs: Vec<Bv>,
    /// By global.
    pub memory: Vec<Vec<u8>>,
    /// Inputs read so far.
    pub n_inputs: u64,
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunEnd {
    Returned,
    Target,
    Fault,
    Program(EndKind),
    /// An assumption of the program does not hold.
    Blocked,
    /// The run was stopped after its limit.
    Limit,
}

/// A run: the locations that it came through, then the edge on which it ended.
#[derive(Clone)]
pub struct Run {
    pub moments: Vec<Moment>,
    pub end: RunEnd,
    pub last_edge: Option<EdgeId>,
    /// Memory at the end.
    pub memory: Vec<Vec<u8>>,
    /// The most calls that waited at a time.
    pub depth: usize,
}

/// Runs a program's `main` for at most `n_most` edges.
pub fn run(program: &Program, inputs: &Inputs, n_most: usize) -> Run {
    let function = program.function(program.main);
    Interpreter::new(program, function, inputs).run(n_most)
}

/// Runs on from a moment for at most `n_most` edges.
pub fn run_from(program: &Program, inputs: &Inputs, now: Moment, n_most: usize) -> Run {
    let function = program.function(program.main);
    let machine = Interpreter {
        program,
        function,
        inputs,
        now,
        callers: Vec::new(),
        depth: 0,
    };
    machine.run(n_most)
}

struct Interpreter<'a> {
    program: &'a Program,
    function: &'a Function,
    inputs: &'a Inputs,
    now: Moment,
    /// The innermost last.
    callers: Vec<Caller<'a>>,
    depth: usize,
}

/// A call that waits.
struct Caller<'a> {
    function: &'a Function,
    regs: Vec<Bv>,
    /// The edge with the call.
    edge: EdgeId,
    dst: Option<RegId>,
}

/// What an action does to the run.
enum Flow {
    Next,
    /// Another function goes on.
    Jumped,
    Ends(RunEnd),
}

impl<'a> Interpreter<'a> {
    fn new(program: &'a Program, function: &'a Function, inputs: &'a Inputs) -> Interpreter<'a> {
        let memory = program
            .global_ids()
            .map(|id| {
                let global = program.global(id);
                (0..global.bytes)
                    .map(|offset| match &global.initializer {
                        Initializer::Zero => 0,
                        Initializer::Bytes { bytes, .. } => {
                            let offset = usize::try_from(offset).unwrap();
                            bytes.get(offset).copied().unwrap_or(0)
                        }
                        Initializer::Extern => inputs.byte(id, offset),
                    })
                    .collect()
            })
            .collect();
        let now = Moment {
            node: function.entry,
            edge: None,
            regs: zeros(function),
            memory,
            n_inputs: 0,
        };
        let mut machine = Interpreter {
            program,
            function,
            inputs,
            now,
            callers: Vec::new(),
            depth: 0,
        };
        for param in &function.params {
            machine.read_input(*param);
        }
        machine
    }

    fn run(mut self, n_most: usize) -> Run {
        let mut moments = vec![self.now.clone()];
        let (end, last_edge) = loop {
            if moments.len() > n_most {
                break (RunEnd::Limit, None);
            }
            let Some(edge) = self.enabled_edge() else {
                break (RunEnd::Blocked, None);
            };
            if let Some(end) = self.follow(edge) {
                break (end, Some(edge));
            }
            moments.push(self.now.clone());
        };
        Run {
            moments,
            end,
            last_edge,
            memory: self.now.memory,
            depth: self.depth,
        }
    }

    fn read_input(&mut self, dst: RegId) {
        let value = self
            .inputs
            .value(self.now.n_inputs, self.function.reg(dst).bits);
        self.now.n_inputs += 1;
        self.now.regs[dst.index()] = value;
    }

    /// The edge whose assumption holds; the conditions of a branching exclude each other.
    fn enabled_edge(&self) -> Option<EdgeId> {
        let edges = self.function.out_edges(self.now.node).iter().copied();
        let mut enabled = edges.filter(|edge| {
            match self
                .function
                .edge(*edge)
                .steps
                .first()
                .map(|step| &step.action)
            {
                Some(Action::Assume(condition)) => self.evaluate(condition).is_ones(),
                _ => true,
            }
        });
        let edge = enabled.next();
        assert!(
            enabled.next().is_none(),
            "two edges of a branching are enabled"
        );
        edge
    }

    /// Executes an edge; says how the run ended if it did.
    fn follow(&mut self, edge: EdgeId) -> Option<RunEnd> {
        let function = self.function;
        for step in &function.edge(edge).steps {
            match self.act(edge, &step.action) {
                Flow::Next => {}
                Flow::Jumped => return None,
                Flow::Ends(end) => return Some(end),
            }
        }
        self.now.node = self.function.target(edge);
        self.now.edge = Some(edge);
        None
    }

    fn act(&mut self, edge: EdgeId, action: &Action) -> Flow {
        match action {
            Action::Assume(condition) if self.evaluate(condition).is_ones() => {}
            Action::Assume(_) => return Flow::Ends(RunEnd::Blocked),
            Action::Assign(assignments) => {
                let values: Vec<Bv> = assignments
                    .iter()
                    .map(|(_, value)| self.evaluate(value))
                    .collect();
                for ((reg, _), value) in assignments.iter().zip(values) {
                    self.now.regs[reg.index()] = value;
                }
            }
            Action::Load { dst, address } => {
                let bits = self.function.reg(*dst).bits;
                let address = self.evaluate(address);
                let Some(bytes) = self.bytes_at(&address, bits / 8) else {
                    return Flow::Ends(RunEnd::Fault);
                };
                let value = bytes
                    .iter()
                    .rev()
                    .fold(0, |value, byte| value << 8 | u64::from(*byte));
                self.now.regs[dst.index()] = Bv::new(bits, value);
            }
            Action::Store { address, value } => {
                let value = self.evaluate(value);
                let address = self.evaluate(address);
                let Some(bytes) = self.bytes_at(&address, value.width() / 8) else {
                    return Flow::Ends(RunEnd::Fault);
                };
                let value = value.to_u64().unwrap().to_le_bytes();
                bytes.copy_from_slice(&value[..bytes.len()]);
            }
            Action::Input { dst, .. } => self.read_input(*dst),
            Action::Return(value) => {
                let value = value.as_ref().map(|value| self.evaluate(value));
                return self.return_from(value);
            }
            Action::Call {
                dst,
                callee: Callee::Direct(callee),
                args,
            } => {
                let callee = self.program.function(*callee);
                let args: Vec<Bv> = args.iter().map(|arg| self.evaluate(arg)).collect();
                let mut regs: Vec<Bv> = zeros(callee);
                for (param, value) in callee.params.iter().zip(args) {
                    regs[param.index()] = value;
                }
                self.callers.push(Caller {
                    function: self.function,
                    regs: std::mem::replace(&mut self.now.regs, regs),
                    edge,
                    dst: *dst,
                });
                self.depth = self.depth.max(self.callers.len());
                self.function = callee;
                self.now.node = callee.entry;
                self.now.edge = Some(edge);
                return Flow::Jumped;
            }
            Action::Target => return Flow::Ends(RunEnd::Target),
            Action::Cut | Action::Goal(_) => {}
            Action::End(kind) => return Flow::Ends(RunEnd::Program(*kind)),
            Action::Alloca { .. }
            | Action::Call { .. }
            | Action::Builtin { .. }
            | Action::Unsupported(_) => panic!("the tests have no {action:?}"),
        }
        Flow::Next
    }

    fn return_from(&mut self, value: Option<Bv>) -> Flow {
        let Some(caller) = self.callers.pop() else {
            return Flow::Ends(RunEnd::Returned);
        };
        self.function = caller.function;
        self.now.regs = caller.regs;
        if let Some((dst, value)) = caller.dst.zip(value) {
            self.now.regs[dst.index()] = value;
        }
        self.now.node = self.function.target(caller.edge);
        self.now.edge = Some(caller.edge);
        Flow::Jumped
    }

    /// The bytes at an address, where they are all inside one global.
    fn bytes_at(&mut self, address: &Bv, n_bytes: u32) -> Option<&mut [u8]> {
        let address = address.to_u64().unwrap();
        let global = usize::try_from(address / SPACING).unwrap().checked_sub(1)?;
        let start = usize::try_from(address % SPACING).unwrap();
        let bytes = self.now.memory.get_mut(global)?;
        bytes.get_mut(start..start + n_bytes as usize)
    }

    fn evaluate(&self, expr: &Expr) -> Bv {
        match expr {
            Expr::Const(value) => value.clone(),
            Expr::Reg(reg) => self.now.regs[reg.index()].clone(),
            Expr::Global(global) => address(self.program, *global),
            Expr::Function(_) => panic!("the tests have no function pointers"),
            Expr::Binary(op, a, b) => Bv::binary(*op, &self.evaluate(a), &self.evaluate(b)),
            Expr::Compare(op, a, b) => {
                Bv::truth(Bv::compare(*op, &self.evaluate(a), &self.evaluate(b)))
            }
            Expr::Cast(op, bits, a) => cast(*op, *bits, &self.evaluate(a)),
            Expr::FloatBinary(..) | Expr::FloatCast(..) => panic!("the tests have no floats"),
            Expr::Ite(condition, then, otherwise) => {
                let taken = if self.evaluate(condition).is_ones() {
                    then
                } else {
                    otherwise
                };
                self.evaluate(taken)
            }
        }
    }
}

/// Registers before anything is assigned.
fn zeros(function: &Function) -> Vec<Bv> {
    function.regs.iter().map(|reg| Bv::zero(reg.bits)).collect()
}

fn cast(op: CastOp, bits: u32, value: &Bv) -> Bv {
    value.cast(op, bits)
}
