//! The interpreter of one stretch.

use super::bytes::{Bytes, Change, Source};
use super::code::{Called, Code, Op, RowIndex};
use super::value::{Kind, Value};
use super::{Ending, Reach, Stretcher};
use crate::{Frame, Location, Machine, State};
use flowgraph::{FunctionId, RegId};
use memory::{ObjectId, lie_apart};
use std::rc::Rc;
use term::{BinOp, CmpOp, TermPool, word};

/// Edges between two examines reach.
const EDGES_BETWEEN_LOOKS: u64 = 1 << 16;
/// Values in all rows; deeper calls are left to ordinary steps.
const MOST_VALUES: usize = 1 << 20;

/// A call, its values in a row.
struct Activation {
    function: FunctionId,
    code: Rc<Code>,
    /// Where its row begins.
    base: usize,
    /// The frame as the state has it; none of a call within the stretch.
    frame: Option<Frame>,
    return_to: Option<(Location, Option<RegId>)>,
    /// [`Frame::stack`] of it.
    room: u64,
}

/// The changes of an edge.
enum Undo {
    Value { at: usize, before: Value },
    Memory(Change),
}

/// The row of values, and what to take back where the edge cannot be executed to its end.
#[derive(Default)]
pub(super) struct Rows {
    values: Vec<Value>,
    log: Vec<Undo>,
    changes: Vec<Change>,
}

pub(super) struct Interpreter<'r, 'p> {
    pub machine: &'r Machine<'p>,
    pub pool: &'r mut TermPool,
    pub stretcher: &'r mut Stretcher,
    pub state: &'r State,
    pub location: Location,
    callers: rpds::List<Frame>,
    stack: Vec<Activation>,
    /// Callers.
    depth: usize,
    pub n_steps: u64,
    pub n_actions: u64,
    pub n_places: u32,
}

/// The continuation after an operation.
enum Next {
    Op,
    At(Location),
}

impl<'r, 'p> Interpreter<'r, 'p> {
    pub fn new(
        machine: &'r Machine<'p>,
        pool: &'r mut TermPool,
        stretcher: &'r mut Stretcher,
        state: &'r State,
    ) -> Interpreter<'r, 'p> {
        stretcher.names.forget_terms();
        stretcher.bytes.clear();
        stretcher.rows.values.clear();
        stretcher.rows.log.clear();
        let mut run = Interpreter {
            machine,
            pool,
            stretcher,
            state,
            location: state.location,
            callers: state.callers.clone(),
            stack: Vec::new(),
            depth: state.callers.len(),
            n_steps: 0,
            n_actions: 0,
            n_places: 0,
        };
        run.enter(state.location.function, Some(state.frame.clone()), None, 0);
        run
    }

    /// Adds a row: of a frame as the state has it, or of a new one with this room on the stack.
    fn enter(
        &mut self,
        function: FunctionId,
        frame: Option<Frame>,
        return_to: Option<(Location, Option<RegId>)>,
        room: u64,
    ) -> usize {
        let code = self.stretcher.code(self.machine, function);
        let values = &mut self.stretcher.rows.values;
        let base = values.len();
        values.extend_from_slice(&code.row);
        if frame.is_some() {
            values[base..base + code.n_regs].fill(Value::ABSENT);
        }
        let return_to = frame.as_ref().map_or(return_to, |frame| frame.return_to);
        self.stack.push(Activation {
            function,
            code,
            base,
            room: frame.as_ref().map_or(room, |frame| frame.stack),
            frame,
            return_to,
        });
        base
    }

    fn is_inside(&self, reach: &Reach) -> bool {
        reach.scope.contains(self.depth, self.location)
    }

    /// Runs as far as words and limits allow; then the run is at the end of an edge.
    pub fn run(&mut self, reach: &mut Reach) -> Ending {
        let ending = self.run_edges(reach);
        self.take_back();
        match ending {
            Ending::Halted if !self.is_inside(reach) => Ending::Left,
            ending => ending,
        }
    }

    fn run_edges(&mut self, reach: &mut Reach) -> Ending {
        let mut next_look = EDGES_BETWEEN_LOOKS.min(reach.n_steps);
        loop {
            let Some(activation) = self.stack.last() else {
                return Ending::Halted;
            };
            let code = Rc::clone(&activation.code);
            let (function, base) = (activation.function, activation.base);
            let mut at = code.starts[self.location.node.index()] as usize;
            // Until the run gets into another function.
            loop {
                if let Op::Arrive {
                    node,
                    n_actions,
                    is_place,
                } = code.ops[at]
                {
                    let location = Location { function, node };
                    if let Some(ending) =
                        self.arrive(reach, &mut next_look, location, n_actions, is_place)
                    {
                        return ending;
                    }
                    at = code.starts[node.index()] as usize;
                    continue;
                }
                match self.execute(&code, base, &mut at) {
                    Some(Next::Op) => {}
                    Some(Next::At(location)) => {
                        let is_place = self.stretcher.is_place(location);
                        if let Some(ending) =
                            self.arrive(reach, &mut next_look, location, 0, is_place)
                        {
                            return ending;
                        }
                        break;
                    }
                    None => return Ending::Halted,
                }
            }
        }
    }

    /// The end of an edge; says if the stretch ends there.
    #[inline]
    fn arrive(
        &mut self,
        reach: &mut Reach,
        next_look: &mut u64,
        location: Location,
        n_actions: u32,
        is_place: bool,
    ) -> Option<Ending> {
        self.stretcher.rows.log.clear();
        self.location = location;
        self.n_steps += 1;
        self.n_actions += u64::from(n_actions);
        if is_place {
            if !self.is_inside(reach) {
                return Some(Ending::Left);
            }
            if (reach.is_due)(self.n_places + 1) {
                return Some(Ending::Due);
            }
            self.n_places += 1;
        }
        if self.n_steps >= *next_look {
            if self.n_steps >= reach.n_steps || (reach.is_over)() {
                return Some(Ending::Spent);
            }
            *next_look = (self.n_steps + EDGES_BETWEEN_LOOKS).min(reach.n_steps);
        }
        None
    }

    /// Takes back what was done of an edge that was not executed to its end.
    fn take_back(&mut self) {
        let rows = &mut self.stretcher.rows;
        while let Some(undo) = rows.log.pop() {
            match undo {
                Undo::Value { at, before } => rows.values[at] = before,
                Undo::Memory(change) => self.stretcher.bytes.take_back(&change),
            }
        }
    }

    #[inline]
    fn value(&mut self, base: usize, place: RowIndex) -> Value {
        let value = self.stretcher.rows.values[base + place as usize];
        if value.is_absent() {
            return self.import(base, place);
        }
        value
    }

    /// Reads a register of the state.
    #[inline(never)]
    fn import(&mut self, base: usize, place: RowIndex) -> Value {
        let reg = RegId(place);
        let activation = self.stack.last().expect("a run is within a function");
        let term = match &activation.frame {
            Some(frame) => frame.get(reg),
            None => self.machine.new_frame(activation.function, None).get(reg),
        };
        let names = &mut self.stretcher.names;
        let value = names.import(self.pool, &self.state.memory, term);
        self.stretcher.rows.values[base + place as usize] = value;
        value
    }

    #[inline]
    fn number(&mut self, base: usize, place: RowIndex) -> Option<u64> {
        let value = self.value(base, place);
        value.is_number().then_some(value.word)
    }

    #[inline]
    fn set(&mut self, code: &Code, base: usize, dst: RowIndex, value: Value) {
        let at = base + dst as usize;
        let rows = &mut self.stretcher.rows;
        if (dst as usize) < code.n_regs {
            let before = rows.values[at];
            rows.log.push(Undo::Value { at, before });
        }
        rows.values[at] = value;
    }

    /// One operation at `at`; `None` where it cannot be done on words.
    #[inline]
    fn execute(&mut self, code: &Code, base: usize, at: &mut usize) -> Option<Next> {
        let op = code.ops[*at];
        *at += 1;
        match op {
            Op::Binary {
                op,
                bits,
                dst,
                lhs,
                rhs,
            } => {
                let values = &self.stretcher.rows.values;
                let (x, y) = (values[base + lhs as usize], values[base + rhs as usize]);
                let value = if x.are_numbers(y) {
                    Value::number(word::binary(op, bits.into(), x.word, y.word))
                } else {
                    let (x, y) = (self.value(base, lhs), self.value(base, rhs));
                    binary(op, bits.into(), x, y)?
                };
                self.set(code, base, dst, value);
            }
            Op::Compare {
                op,
                bits,
                dst,
                lhs,
                rhs,
            } => {
                let values = &self.stretcher.rows.values;
                let (x, y) = (values[base + lhs as usize], values[base + rhs as usize]);
                let value = if x.are_numbers(y) {
                    Value::truth(word::compare(op, bits.into(), x.word, y.word))
                } else {
                    let (x, y) = (self.value(base, lhs), self.value(base, rhs));
                    Value::truth(self.compare(op, bits.into(), x, y)?)
                };
                self.set(code, base, dst, value);
            }
            Op::Copy { dst, value } => {
                let value = self.value(base, value);
                self.set(code, base, dst, value);
            }
            Op::Extend { dst, value } => {
                let number = self.number(base, value)?;
                self.set(code, base, dst, Value::number(number));
            }
            Op::SignExtend {
                from,
                to,
                dst,
                value,
            } => {
                let number = self.number(base, value)?;
                let signed = word::signed(from.into(), number);
                let number = word::unsigned(to.into(), signed);
                self.set(code, base, dst, Value::number(number));
            }
            Op::Truncate { to, dst, value } => {
                let number = self.number(base, value)? & word::mask(to.into());
                self.set(code, base, dst, Value::number(number));
            }
            Op::Select {
                dst,
                condition,
                then,
                otherwise,
            } => {
                let chosen = match self.number(base, condition)? {
                    0 => otherwise,
                    _ => then,
                };
                let value = self.value(base, chosen);
                self.set(code, base, dst, value);
            }
            Op::Load { bits, dst, address } => {
                let bits = u32::from(bits);
                let pointer = self.value(base, address);
                let Kind::Pointer(place) = pointer.kind() else {
                    return None;
                };
                let (bytes, mut source) = self.memory();
                let mut value = bytes.load(&mut source, place, pointer.word, bits.div_ceil(8))?;
                if !bits.is_multiple_of(8) {
                    if !value.is_number() {
                        return None;
                    }
                    value.word &= word::mask(bits);
                }
                self.set(code, base, dst, value);
            }
            Op::Store {
                bits,
                address,
                value,
            } => {
                let bits = u32::from(bits);
                let pointer = self.value(base, address);
                let value = self.value(base, value);
                let Kind::Pointer(place) = pointer.kind() else {
                    return None;
                };
                if !value.is_number() && !bits.is_multiple_of(8) {
                    return None;
                }
                let mut changes = std::mem::take(&mut self.stretcher.rows.changes);
                let (bytes, mut source) = self.memory();
                let cell = (place, pointer.word, bits.div_ceil(8));
                let stored = bytes.store(&mut source, cell, value, &mut changes);
                let rows = &mut self.stretcher.rows;
                rows.log.extend(changes.drain(..).map(Undo::Memory));
                rows.changes = changes;
                stored?;
            }
            Op::Require { condition } => {
                if self.number(base, condition)? == 0 {
                    return None;
                }
            }
            Op::Goal(goal) => {
                if self.machine.is_open_goal(goal) {
                    return None;
                }
            }
            Op::Unless { condition, to } => {
                if self.number(base, condition)? == 0 {
                    *at = to as usize;
                }
            }
            Op::Call(call) => return self.call(code, base, call as usize),
            Op::Return { value, n_actions } => {
                let value = value.map(|value| self.value(base, value));
                return self.return_from(value, n_actions);
            }
            Op::Arrive { .. } | Op::Halt => return None,
        }
        Some(Next::Op)
    }

    #[inline]
    fn memory(&mut self) -> (&mut Bytes, Source<'_>) {
        let source = Source {
            pool: self.pool,
            memory: &self.state.memory,
            names: &mut self.stretcher.names,
        };
        (&mut self.stretcher.bytes, source)
    }

    #[inline(never)]
    fn call(&mut self, code: &Code, base: usize, call: usize) -> Option<Next> {
        let site = &code.calls[call];
        let callee = match site.callee {
            Called::Function(function) => function,
            Called::Pointer(pointer) => {
                let pointer = self.value(base, pointer);
                let Kind::Pointer(place) = pointer.kind() else {
                    return None;
                };
                let object = self.stretcher.names.object(place);
                self.state.memory.object(object)?;
                let function = self.machine.function_at(object)?;
                (pointer.word == 0).then_some(function)?
            }
        };
        let caller = self.location.function;
        let widths = site.args.iter().map(|(_, bits)| *bits);
        if !self.machine.fits(callee, widths, site.dst, caller)
            || self.stretcher.rows.values.len() > MOST_VALUES
        {
            return None;
        }
        let room = self.stack.last()?.room;
        let room = self.machine.stack_after_call(room, callee)?;
        let function = &self.machine.program.functions[callee.index()];
        let args: Vec<Value> = (site.args.iter())
            .map(|(arg, _)| self.value(base, *arg))
            .collect();
        let return_to = Location {
            function: caller,
            node: site.return_to,
        };
        let base = self.enter(callee, None, Some((return_to, site.dst)), room);
        for (param, value) in function.params.iter().zip(args) {
            self.stretcher.rows.values[base + param.index()] = value;
        }
        self.depth += 1;
        self.n_actions += u64::from(site.n_actions);
        Some(Next::At(Location {
            function: callee,
            node: function.entry,
        }))
    }

    #[inline(never)]
    fn return_from(&mut self, value: Option<Value>, n_actions: u32) -> Option<Next> {
        let activation = self.stack.last()?;
        let (location, dst) = activation.return_to?;
        if let Some(frame) = &activation.frame
            && (frame.folded.is_some() || !frame.allocas.is_empty())
        {
            return None;
        }
        if self.stack.len() == 1 {
            let frame = self.callers.first()?.clone();
            self.callers = self.callers.drop_first()?;
            self.stack.clear();
            self.stretcher.rows.values.clear();
            self.enter(location.function, Some(frame), None, 0);
        } else {
            let left = self.stack.pop()?;
            self.stretcher.rows.values.truncate(left.base);
        }
        if let (Some(dst), Some(value)) = (dst, value) {
            let base = self.stack.last()?.base;
            self.stretcher.rows.values[base + dst.index()] = value;
        }
        self.depth -= 1;
        self.n_actions += u64::from(n_actions);
        Some(Next::At(location))
    }

    /// A comparison that provenance decides, as [`compare_pointers`](memory::compare_pointers)
    /// does.
    #[inline(never)]
    fn compare(&mut self, op: CmpOp, bits: u32, lhs: Value, rhs: Value) -> Option<bool> {
        match (lhs.kind(), rhs.kind()) {
            (Kind::Number, Kind::Number) => Some(word::compare(op, bits, lhs.word, rhs.word)),
            (Kind::Pointer(left), Kind::Pointer(right)) if left == right => {
                self.object(left)?;
                Some(word::compare(op.signed(), bits, lhs.word, rhs.word))
            }
            (Kind::Pointer(left), Kind::Pointer(right)) => {
                let left = (self.object(left)?, lhs.word);
                let right = (self.object(right)?, rhs.word);
                let apart = lie_apart(self.pool, &self.state.memory, left, right);
                match op {
                    _ if !apart => None,
                    CmpOp::Eq => Some(false),
                    CmpOp::Ne => Some(true),
                    _ => None,
                }
            }
            (Kind::Pointer(place), Kind::Number) if rhs.word == 0 => {
                self.object(place)?;
                above_null(op)
            }
            (Kind::Number, Kind::Pointer(place)) if lhs.word == 0 => {
                self.object(place)?;
                match op {
                    CmpOp::Eq | CmpOp::Uge | CmpOp::Ugt => Some(false),
                    CmpOp::Ne | CmpOp::Ult | CmpOp::Ule => Some(true),
                    CmpOp::Slt | CmpOp::Sle | CmpOp::Sgt | CmpOp::Sge => None,
                }
            }
            _ => None,
        }
    }

    /// The object of a place, if it is in memory.
    fn object(&self, place: u32) -> Option<ObjectId> {
        let object = self.stretcher.names.object(place);
        self.state.memory.object(object).map(|_| object)
    }

    /// The state at the end of the run.
    pub fn finish(self) -> State {
        let Interpreter {
            machine,
            pool,
            stretcher,
            state,
            location,
            callers,
            stack,
            ..
        } = self;
        let mut state = state.clone();
        state.location = location;
        state.callers = callers;
        let values = &stretcher.rows.values;
        let n_frames = stack.len();
        for (position, activation) in (1..).zip(stack) {
            let new = || machine.new_frame(activation.function, activation.return_to);
            let mut frame = activation.frame.unwrap_or_else(new);
            frame.stack = activation.room;
            let regs = &machine.program.functions[activation.function.index()].regs;
            let row = &values[activation.base..];
            for ((reg, data), value) in (0..).map(RegId).zip(regs).zip(row) {
                if value.is_absent() {
                    continue;
                }
                let term = stretcher.names.export(pool, data.bits, *value);
                if frame.get(reg) != term {
                    frame.set(reg, term);
                }
            }
            if position == n_frames {
                state.frame = frame;
            } else {
                state.callers.push_front_mut(frame);
            }
        }
        stretcher
            .bytes
            .write_back(pool, &stretcher.names, &mut state.memory);
        state
    }
}

/// `pointer op 0`.
fn above_null(op: CmpOp) -> Option<bool> {
    match op {
        CmpOp::Eq | CmpOp::Ule | CmpOp::Ult => Some(false),
        CmpOp::Ne | CmpOp::Ugt | CmpOp::Uge => Some(true),
        CmpOp::Slt | CmpOp::Sle | CmpOp::Sgt | CmpOp::Sge => None,
    }
}

/// Arithmetic on pointers that keeps their provenance, or takes the distance of two.
#[inline(never)]
fn binary(op: BinOp, bits: u32, lhs: Value, rhs: Value) -> Option<Value> {
    let number = word::binary(op, bits, lhs.word, rhs.word);
    match (op, lhs.kind(), rhs.kind()) {
        (_, Kind::Number, Kind::Number) => Some(Value::number(number)),
        (BinOp::Add | BinOp::Sub, Kind::Pointer(place), Kind::Number)
        | (BinOp::Add, Kind::Number, Kind::Pointer(place)) => Some(Value::pointer(place, number)),
        (BinOp::Sub, Kind::Pointer(left), Kind::Pointer(right)) if left == right => {
            Some(Value::number(number))
        }
        _ => None,
    }
}
