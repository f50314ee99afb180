//! A concrete interpreter of flowgraphs, the slow obvious way: the oracle of the lowering.
//!
//! It draws inputs as the program asks for them and records them, so that the native program can
//! be run with the same ones. Memory is a map from addresses to bytes.

use compact_se::flowgraph::{
    Action, Builtin, Callee, EndKind, Expr, FunctionId, GlobalId, Initializer, NodeId, Program,
    RegId,
};
use compact_se::replay::{InputRecord, InputValue};
use compact_se::term::{Bv, CastOp, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    Target,
    /// `main` returned this.
    Returned(u64),
    Ended(EndKind),
    AssumptionFailed,
    Unsupported(String),
    /// A read or write outside of all objects.
    InvalidAccess,
    /// More steps, deeper calls or larger memory than the interpreter does.
    TooLong,
}

/// Where input values come from: first the given ones, then random ones.
pub struct Inputs {
    pub given: Vec<Bv>,
    pub random: fastrand::Rng,
    pub records: Vec<InputRecord>,
}

impl Inputs {
    pub fn new(given: Vec<Bv>, seed: u64) -> Inputs {
        Inputs {
            given: given.into_iter().rev().collect(),
            random: fastrand::Rng::with_seed(seed),
            records: Vec::new(),
        }
    }

    fn word(&mut self) -> u64 {
        match self.random.u8(0..4) {
            0 => self.random.u64(0..4),
            1 => self.random.u64(0..200),
            2 => u64::MAX - self.random.u64(0..4),
            _ => self.random.u64(..),
        }
    }

    fn int(&mut self, bits: u32, name: &str) -> Bv {
        let value = match self.given.pop() {
            Some(value) if value.width() > bits => value.cast(CastOp::Trunc, bits),
            Some(value) => value.cast(CastOp::SExt, bits),
            None => Bv::new(bits, self.word()),
        };
        self.records.push(InputRecord {
            name: name.to_owned(),
            value: InputValue::Int(value.clone()),
        });
        value
    }

    fn bytes(&mut self, size: u64, name: &str) -> Vec<u8> {
        let len = usize::try_from(size).expect("limited before");
        let small = self.random.bool();
        let bytes: Vec<u8> = (0..len)
            .map(|_| {
                if small {
                    self.random.u8(0..3)
                } else {
                    self.random.u8(..)
                }
            })
            .collect();
        let chunks = if bytes.is_empty() {
            BTreeMap::new()
        } else {
            BTreeMap::from([(0, bytes.clone())])
        };
        self.records.push(InputRecord {
            name: name.to_owned(),
            value: InputValue::Bytes {
                size,
                default: 0,
                chunks,
                address: None,
            },
        });
        bytes
    }
}

struct Frame {
    function: FunctionId,
    regs: Vec<Option<Bv>>,
    /// Where the caller goes on, and what gets the result.
    back: Option<(NodeId, Option<RegId>)>,
    stack_start: u64,
}

pub struct Machine<'p> {
    program: &'p Program,
    pub inputs: Inputs,
    /// The goals of coverage that were passed.
    pub passed: BTreeSet<u32>,
    memory: BTreeMap<u64, u8>,
    globals: Vec<u64>,
    heap: BTreeMap<u64, u64>,
    heap_next: u64,
    stack_next: u64,
    frames: Vec<Frame>,
    budget: u64,
}

const FUNCTIONS: u64 = 0x1000;
const GLOBALS: u64 = 0x10_0000;
const STACK: u64 = 0x4000_0000;
const HEAP: u64 = 0x6000_0000;
const HEAP_ALIGNMENT: u64 = 16;
const MAX_OBJECT: u64 = 1 << 20;

impl<'p> Machine<'p> {
    pub fn new(program: &'p Program, inputs: Inputs) -> Machine<'p> {
        let mut machine = Machine {
            program,
            inputs,
            passed: BTreeSet::new(),
            memory: BTreeMap::new(),
            globals: Vec::new(),
            heap: BTreeMap::new(),
            heap_next: HEAP,
            stack_next: STACK,
            frames: Vec::new(),
            budget: 200_000,
        };
        let mut next = GLOBALS;
        for global in &program.globals {
            machine.globals.push(next);
            next += (global.bytes + 64).next_multiple_of(64);
        }
        for (global, start) in program.globals.iter().zip(machine.globals.clone()) {
            match &global.initializer {
                Initializer::Zero | Initializer::Extern => {
                    for offset in 0..global.bytes {
                        machine.memory.insert(start + offset, 0);
                    }
                }
                Initializer::Bytes { bytes, addresses } => {
                    for (offset, byte) in (0..).zip(bytes) {
                        machine.memory.insert(start + offset, *byte);
                    }
                    for (offset, address) in addresses {
                        let value = machine.constant(address);
                        machine
                            .write(start + offset, &value)
                            .expect("inside the global");
                    }
                }
            }
        }
        machine
    }

    fn pointer(&self, value: u64) -> Bv {
        Bv::new(self.program.pointer_bits, value)
    }

    fn global(&self, id: GlobalId) -> Bv {
        self.pointer(self.globals[id.index()])
    }

    fn function(&self, id: FunctionId) -> Bv {
        self.pointer(FUNCTIONS + 16 * u64::from(id.0))
    }

    fn constant(&self, expr: &Expr) -> Bv {
        self.eval_with(expr, &[])
    }

    fn eval(&self, expr: &Expr) -> Bv {
        self.eval_with(expr, &self.frames.last().expect("running").regs)
    }

    fn eval_with(&self, expr: &Expr, regs: &[Option<Bv>]) -> Bv {
        let eval = |expr: &Expr| self.eval_with(expr, regs);
        match expr {
            Expr::Const(value) => value.clone(),
            Expr::Reg(reg) => regs[reg.index()]
                .clone()
                .expect("assigned before it is read"),
            Expr::Global(id) => self.global(*id),
            Expr::Function(id) => self.function(*id),
            Expr::Binary(op, lhs, rhs) => Bv::binary(*op, &eval(lhs), &eval(rhs)),
            Expr::Compare(op, lhs, rhs) => Bv::truth(Bv::compare(*op, &eval(lhs), &eval(rhs))),
            Expr::Cast(op, bits, value) => eval(value).cast(*op, *bits),
            Expr::FloatBinary(op, lhs, rhs) => {
                let mut pool = TermPool::new();
                let (lhs, rhs) = (pool.constant(&eval(lhs)), pool.constant(&eval(rhs)));
                let value = pool.float_binary(*op, lhs, rhs);
                pool.as_const(value).unwrap()
            }
            Expr::FloatCast(op, bits, value) => {
                let mut pool = TermPool::new();
                let value = pool.constant(&eval(value));
                let value = pool.float_cast(*op, *bits, value);
                pool.as_const(value).unwrap()
            }
            Expr::Ite(condition, then, otherwise) => {
                if eval(condition).is_zero() {
                    eval(otherwise)
                } else {
                    eval(then)
                }
            }
        }
    }

    fn number(&self, expr: &Expr) -> u64 {
        self.eval(expr)
            .to_u64()
            .expect("sizes and addresses have at most 64 bits")
    }

    fn set(&mut self, reg: RegId, value: Bv) {
        let frame = self.frames.last_mut().expect("running");
        frame.regs[reg.index()] = Some(value);
    }

    fn read(&self, address: u64, bits: u32) -> Result<Bv, End> {
        let mut value: Option<Bv> = None;
        for offset in 0..u64::from(bits.div_ceil(8)) {
            let byte = self.memory.get(&(address.wrapping_add(offset)));
            let byte = Bv::new(8, u64::from(*byte.ok_or(End::InvalidAccess)?));
            value = Some(match value {
                None => byte,
                Some(low) => byte.concat(&low),
            });
        }
        Ok(value.expect("at least one byte").cast(CastOp::Trunc, bits))
    }

    fn write(&mut self, address: u64, value: &Bv) -> Result<(), End> {
        let n_bytes = value.width().div_ceil(8);
        let value = value.cast(CastOp::ZExt, n_bytes * 8);
        for index in 0..n_bytes {
            let byte = value.extract(index * 8, 8).to_u64().expect("8 bits");
            self.put(address.wrapping_add(u64::from(index)), byte)?;
        }
        Ok(())
    }

    fn put(&mut self, address: u64, byte: u64) -> Result<(), End> {
        // The initial content of a global is written before any object exists.
        match self.memory.get_mut(&address) {
            Some(cell) => *cell = u8::try_from(byte).expect("a byte"),
            None if self.frames.is_empty() => {
                self.memory
                    .insert(address, u8::try_from(byte).expect("a byte"));
            }
            None => return Err(End::InvalidAccess),
        }
        Ok(())
    }

    fn put_all(&mut self, address: u64, bytes: &[u8]) -> Result<(), End> {
        for (offset, byte) in (0..).zip(bytes) {
            self.put(address.wrapping_add(offset), u64::from(*byte))?;
        }
        Ok(())
    }

    fn make(&mut self, start: u64, bytes: &[u8]) {
        for (offset, byte) in (0..).zip(bytes) {
            self.memory.insert(start + offset, *byte);
        }
    }

    fn heap_object(&mut self, bytes: &[u8], alignment: u64) -> u64 {
        let start = self.heap_next.next_multiple_of(alignment);
        self.heap_next = start + (bytes.len() as u64 + 32).next_multiple_of(HEAP_ALIGNMENT);
        self.make(start, bytes);
        self.heap.insert(start, bytes.len() as u64);
        start
    }

    fn free(&mut self, start: u64) -> Result<(), End> {
        if start == 0 {
            return Ok(());
        }
        let size = self.heap.remove(&start).ok_or(End::InvalidAccess)?;
        for offset in 0..size {
            self.memory.remove(&(start + offset));
        }
        Ok(())
    }

    fn pop_stack(&mut self, to: u64) {
        for address in to..self.stack_next {
            self.memory.remove(&address);
        }
        self.stack_next = to;
    }

    /// Runs until the end.
    pub fn run(&mut self) -> End {
        let main = self.program.main;
        let n_regs = self.program.function(main).regs.len();
        self.frames.push(Frame {
            function: main,
            regs: vec![None; n_regs],
            back: None,
            stack_start: STACK,
        });
        let mut node = self.program.function(main).entry;
        loop {
            match self.leave(node) {
                Ok(next) => node = next,
                Err(end) => return end,
            }
        }
    }

    /// Takes the edge out of `node` whose condition holds.
    fn leave(&mut self, node: NodeId) -> Result<NodeId, End> {
        let program = self.program;
        let function = program.function(self.frames.last().expect("running").function);
        let edges = function.out_edges(node);
        let is_open = |machine: &Self, edge| match function.edge(edge).steps.first() {
            Some(step) => match &step.action {
                Action::Assume(condition) => !machine.eval(condition).is_zero(),
                _ => true,
            },
            None => true,
        };
        let open: Vec<_> = edges
            .iter()
            .copied()
            .filter(|edge| is_open(self, *edge))
            .collect();
        let edge = match (edges.len(), open.as_slice()) {
            (_, &[edge]) => edge,
            (1, []) => return Err(End::AssumptionFailed),
            _ => panic!(
                "{}: not exactly one edge out of {node} is open",
                function.name
            ),
        };
        let target = function.target(edge);
        for step in &function.edge(edge).steps {
            self.budget = self.budget.checked_sub(1).ok_or(End::TooLong)?;
            if let Some(next) = self.act(&step.action, target)? {
                return Ok(next);
            }
        }
        self.budget = self.budget.checked_sub(1).ok_or(End::TooLong)?;
        Ok(target)
    }

    /// Does an action; `Some` if the control goes elsewhere than along the edge.
    fn act(&mut self, action: &Action, target: NodeId) -> Result<Option<NodeId>, End> {
        match action {
            Action::Assume(condition) => {
                if self.eval(condition).is_zero() {
                    return Err(End::AssumptionFailed);
                }
            }
            Action::Assign(assignments) => {
                let values: Vec<Bv> = assignments.iter().map(|(_, e)| self.eval(e)).collect();
                for ((reg, _), value) in assignments.iter().zip(values) {
                    self.set(*reg, value);
                }
            }
            Action::Load { dst, address } => {
                let function = self.frames.last().expect("running").function;
                let bits = self.program.function(function).reg(*dst).bits;
                let value = self.read(self.number(address), bits)?;
                self.set(*dst, value);
            }
            Action::Store { address, value } => {
                let value = self.eval(value);
                self.write(self.number(address), &value)?;
            }
            Action::Alloca {
                dst, bytes, align, ..
            } => {
                let size = self.number(bytes);
                if size > MAX_OBJECT {
                    return Err(End::TooLong);
                }
                let start = self.stack_next.next_multiple_of(*align);
                self.stack_next = start + (size + 32).next_multiple_of(16);
                // Not recorded: a program that depends on it diverges from the native run.
                let content: Vec<u8> = (0..size).map(|_| self.inputs.random.u8(..)).collect();
                self.make(start, &content);
                self.set(*dst, self.pointer(start));
            }
            Action::Input { dst, name, .. } => {
                let function = self.frames.last().expect("running").function;
                let bits = self.program.function(function).reg(*dst).bits;
                let value = self.inputs.int(bits, name);
                self.set(*dst, value);
            }
            Action::Call { dst, callee, args } => {
                return self.call(*dst, callee, args, target).map(Some);
            }
            Action::Return(value) => {
                let value = value.as_ref().map(|value| self.eval(value));
                let frame = self.frames.pop().expect("running");
                self.pop_stack(frame.stack_start);
                let Some((back, dst)) = frame.back else {
                    let code = value.and_then(|value| value.to_u64()).unwrap_or(0);
                    return Err(End::Returned(code));
                };
                if let Some(dst) = dst {
                    self.set(dst, value.expect("the callee has a result"));
                }
                return Ok(Some(back));
            }
            Action::Builtin {
                dst, builtin, args, ..
            } => {
                let result = self.builtin(*builtin, args)?;
                if let (Some(dst), Some(result)) = (dst, result) {
                    self.set(*dst, result);
                }
            }
            Action::Target => return Err(End::Target),
            Action::Cut => {}
            Action::Goal(goal) => {
                self.passed.insert(goal.0);
            }
            Action::End(kind) => return Err(End::Ended(*kind)),
            Action::Unsupported(what) => return Err(End::Unsupported(what.clone())),
        }
        Ok(None)
    }

    fn call(
        &mut self,
        dst: Option<RegId>,
        callee: &Callee,
        args: &[Expr],
        back: NodeId,
    ) -> Result<NodeId, End> {
        let id = match callee {
            Callee::Direct(id) => *id,
            Callee::Indirect(address) => {
                let address = self.number(address);
                self.program
                    .function_ids()
                    .find(|id| self.function(*id) == self.pointer(address))
                    .ok_or(End::InvalidAccess)?
            }
        };
        if self.frames.len() > 500 {
            return Err(End::TooLong);
        }
        let function = self.program.function(id);
        let mut regs = vec![None; function.regs.len()];
        for (param, arg) in function.params.iter().zip(args) {
            regs[param.index()] = Some(self.eval(arg));
        }
        self.frames.push(Frame {
            function: id,
            regs,
            back: Some((back, dst)),
            stack_start: self.stack_next,
        });
        Ok(function.entry)
    }

    fn builtin(&mut self, builtin: Builtin, args: &[Expr]) -> Result<Option<Bv>, End> {
        let numbers: Vec<u64> = args.iter().map(|arg| self.number(arg)).collect();
        let limited = |bytes: u64| {
            if bytes > MAX_OBJECT {
                Err(End::TooLong)
            } else {
                Ok(bytes)
            }
        };
        // No object has more bytes than half of the address space.
        let most = u64::MAX >> (65 - self.program.pointer_bits);
        Ok(match (builtin, numbers.as_slice()) {
            (Builtin::Malloc, &[bytes])
            | (Builtin::AlignedAlloc, &[_, bytes])
            | (Builtin::Realloc, &[0, bytes])
                if bytes > most =>
            {
                Some(0)
            }
            (Builtin::Realloc, &[old, bytes]) if bytes > most => {
                self.heap.get(&old).ok_or(End::InvalidAccess)?;
                Some(0)
            }
            (Builtin::Calloc | Builtin::SystemCalloc, &[count, bytes])
                if count.checked_mul(bytes).is_none_or(|bytes| bytes > most) =>
            {
                Some(0)
            }
            (Builtin::Malloc, &[bytes]) => {
                let content = self.inputs.bytes(limited(bytes)?, "malloc");
                Some(self.heap_object(&content, HEAP_ALIGNMENT))
            }
            (Builtin::AlignedAlloc, &[alignment, bytes]) => {
                let content = self.inputs.bytes(limited(bytes)?, "aligned_alloc");
                Some(self.heap_object(&content, alignment.max(HEAP_ALIGNMENT)))
            }
            (Builtin::Calloc | Builtin::SystemCalloc, &[count, bytes]) => {
                let content = vec![0; usize::try_from(limited(count * bytes)?).expect("limited")];
                Some(self.heap_object(&content, HEAP_ALIGNMENT))
            }
            (Builtin::Realloc, &[old, 0]) if old != 0 => {
                self.free(old)?;
                Some(0)
            }
            (Builtin::Realloc, &[old, bytes]) => {
                let mut content = self.inputs.bytes(limited(bytes)?, "realloc");
                if old != 0 {
                    let size = *self.heap.get(&old).ok_or(End::InvalidAccess)?;
                    for (offset, byte) in (0..size).zip(&mut content) {
                        *byte = self.memory[&(old + offset)];
                    }
                    self.free(old)?;
                }
                Some(self.heap_object(&content, HEAP_ALIGNMENT))
            }
            (Builtin::Free | Builtin::SystemFree, &[start]) => {
                self.free(start)?;
                None
            }
            (Builtin::MemCopy | Builtin::MemCopyApart, &[to, from, bytes]) => {
                let mut content = Vec::new();
                for offset in 0..limited(bytes)? {
                    let byte = self.memory.get(&from.wrapping_add(offset));
                    content.push(*byte.ok_or(End::InvalidAccess)?);
                }
                self.put_all(to, &content)?;
                None
            }
            (Builtin::MemSet, &[to, byte, bytes]) => {
                for offset in 0..limited(bytes)? {
                    self.put(to.wrapping_add(offset), byte)?;
                }
                None
            }
            (Builtin::Uninit | Builtin::Unwritten, &[to, bytes]) => {
                let content = self.inputs.bytes(limited(bytes)?, "uninit");
                self.put_all(to, &content)?;
                None
            }
            (Builtin::ScopeBegin | Builtin::ScopeEnd, &[_]) => None,
            (Builtin::StackSave, &[]) => Some(self.stack_next),
            (Builtin::StackRestore, &[token]) => {
                self.pop_stack(token);
                None
            }
            (builtin, numbers) => panic!("{builtin:?} with {} arguments", numbers.len()),
        }
        .map(|value| self.pointer(value)))
    }
}
