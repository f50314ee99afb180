//! Memory of which clauses can be made: objects, the cells in them, and what registers point to.
//!
//! ```text
//! Program --pointers--> object and offset of each address --accesses--> cells, and which functions use them
//! ```
//!
//! An object is a global variable or a variable of a stack frame; a cell is a part of it that is accessed
//! whole at a fixed offset. Each register that holds an address holds that of one object, whatever the path;
//! in clauses its value is the offset. What is accessed at offsets that are not fixed is a choice among the
//! elements of a small array. Of a larger one, one element of any number stands for all: what clauses say of it
//! holds for each number.
//!
//! # Invariants
//! - No access is by an address of which the object is not known: such programs are refused.
//! - An object stands for one instance at a time: the variable of a frame is made once in it, and
//!   functions that it is passed to are called by no second frame of its function.
//! - A cell's value may be forgotten, never wrong: an access that overlaps it makes it arbitrary.
//!
//! # Deliberately absent
//! No heap, no objects of unknown size, no addresses that are read from memory or that functions return.

use super::calls::Calls;
use super::system::Refusal;
use flowgraph::{
    Action, Builtin, Callee, EdgeId, Expr, Function, FunctionId, GlobalId, Initializer, Program,
    RegId, Storage,
};
use std::collections::{BTreeMap, BTreeSet};
use term::{BinOp, Bv, CmpOp};

/// No program has more cells.
const MOST_CELLS: usize = 100;
/// An array of no more elements has a cell for each; of another, one stands for all.
const MOST_ELEMENTS: u64 = 8;

/// A variable in memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct ObjectId(pub usize);

/// A part of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct CellId(pub usize);

/// Where an object lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Owner {
    Global(GlobalId),
    /// In each frame of this function.
    Frame(FunctionId),
}

#[derive(Clone, Debug)]
pub(super) struct Object {
    pub owner: Owner,
    pub name: String,
    pub bytes: u64,
    /// Whether it must not be written.
    pub is_constant: bool,
    /// Offsets are counted in so many bytes, a power of two. More than 1 where all accesses are of that many
    /// bytes, at multiples of it.
    pub unit: u64,
    /// Whether some function that is called writes it.
    is_written: bool,
    /// Whether a function that it does not belong to uses it.
    pub is_shared: bool,
}

impl Object {
    /// Elements of the size of its unit.
    pub fn n_units(&self) -> u64 {
        self.bytes / self.unit
    }
}

#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub object: ObjectId,
    pub at: At,
    pub bytes: u64,
}

/// Where a cell lies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum At {
    /// At this offset in bytes.
    Fixed(u64),
    /// At an element of an array, any one, but always the same.
    Element,
    /// No cell: the number of that element.
    Number,
}

impl Cell {
    pub fn bits(&self) -> u32 {
        u32::try_from(self.bytes * 8).unwrap_or(u32::MAX)
    }

    /// Its offset in bytes, if it is fixed.
    pub fn offset(&self) -> Option<u64> {
        match self.at {
            At::Fixed(offset) => Some(offset),
            At::Element | At::Number => None,
        }
    }

    /// Whether some of its bytes may be among these.
    pub fn overlaps(&self, offset: u64, bytes: u64) -> bool {
        match self.at {
            At::Fixed(at) => at < offset.saturating_add(bytes) && offset < at + self.bytes,
            At::Element => true,
            At::Number => false,
        }
    }

    /// Whether all its bytes are among these.
    pub fn is_within(&self, offset: u64, bytes: u64) -> bool {
        self.offset()
            .is_some_and(|at| offset <= at && at + self.bytes <= offset.saturating_add(bytes))
    }
}

/// What an expression or register holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Holds {
    /// Nothing is known to come there.
    Nothing,
    /// What depends on no address but by comparisons and differences within an object.
    Number,
    /// The address of a byte of this object, or beside it; `fixed` is its offset in bytes where that is
    /// always the same.
    Offset {
        object: ObjectId,
        fixed: Option<u64>,
    },
    /// What may depend on addresses.
    Mixed,
}

impl Holds {
    fn or(self, other: Holds) -> Holds {
        match (self, other) {
            (Holds::Nothing, known) | (known, Holds::Nothing) => known,
            (
                Holds::Offset { object, fixed },
                Holds::Offset {
                    object: second,
                    fixed: other,
                },
            ) if object == second => Holds::Offset {
                object,
                fixed: fixed.filter(|offset| other == Some(*offset)),
            },
            (one, other) if one == other => one,
            _ => Holds::Mixed,
        }
    }
}

/// What clauses need to know about memory.
pub(super) struct Memory {
    pub objects: Vec<Object>,
    pub cells: Vec<Cell>,
    pointer_bits: u32,
    of_global: BTreeMap<GlobalId, ObjectId>,
    /// By function, edge and step.
    of_alloca: BTreeMap<(FunctionId, EdgeId, usize), ObjectId>,
    /// By function and register.
    holds: Vec<Vec<Holds>>,
    /// By function: what it and what it calls access and write of objects that are not its own alone.
    used: Vec<BTreeSet<ObjectId>>,
    written: Vec<BTreeSet<ObjectId>>,
    own: Vec<BTreeSet<ObjectId>>,
}

impl Memory {
    /// The memory of these functions of a program, which call no others.
    ///
    /// # Errors
    /// [`Refusal`] says what stands against clauses.
    pub fn of(program: &Program, calls: &Calls) -> Result<Memory, Refusal> {
        let called = &calls.functions;
        let n = program.functions.len();
        let mut memory = Memory {
            objects: Vec::new(),
            cells: Vec::new(),
            pointer_bits: program.pointer_bits,
            of_global: BTreeMap::new(),
            of_alloca: BTreeMap::new(),
            holds: (program.functions.iter())
                .map(|function| vec![Holds::Nothing; function.regs.len()])
                .collect(),
            used: vec![BTreeSet::new(); n],
            written: vec![BTreeSet::new(); n],
            own: vec![BTreeSet::new(); n],
        };
        memory.find_objects(program, called)?;
        memory.follow_pointers(program, called);
        memory.find_units(program, called)?;
        memory.find_uses(program, calls)?;
        memory.find_cells(program, called)?;
        Ok(memory)
    }

    pub fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.0]
    }

    pub fn cell(&self, id: CellId) -> &Cell {
        &self.cells[id.0]
    }

    /// The cells of an object.
    pub fn cells_of(&self, object: ObjectId) -> impl Iterator<Item = CellId> + '_ {
        let cells = self.cells.iter().enumerate();
        cells.filter_map(move |(number, cell)| (cell.object == object).then_some(CellId(number)))
    }

    /// The object that an alloca makes.
    pub fn made_at(&self, function: FunctionId, edge: EdgeId, step: usize) -> Option<ObjectId> {
        self.of_alloca.get(&(function, edge, step)).copied()
    }

    /// The cells that a function and what it calls use of memory that is there when it is called.
    pub fn shared(&self, function: FunctionId) -> Vec<CellId> {
        self.variable_cells(&self.used[function.index()])
    }

    /// Those of them that may be written.
    pub fn changed(&self, function: FunctionId) -> Vec<CellId> {
        let mut cells = self.variable_cells(&self.written[function.index()]);
        cells.retain(|cell| self.cell(*cell).at != At::Number);
        cells
    }

    /// The element of an array that stands for all, and its number.
    pub fn element(&self, object: ObjectId) -> Option<(CellId, CellId)> {
        let mut cells = self.cells_of(object);
        let element = cells.find(|cell| self.cell(*cell).at == At::Element)?;
        Some((
            element,
            cells.find(|cell| self.cell(*cell).at == At::Number)?,
        ))
    }

    /// The cells that have a value in a function: those it shares, and those of its frame.
    pub fn visible(&self, function: FunctionId) -> Vec<CellId> {
        let own = self.own[function.index()].iter();
        let all: BTreeSet<ObjectId> = own.chain(&self.used[function.index()]).copied().collect();
        self.variable_cells(&all)
    }

    /// The cells of these objects that may change.
    fn variable_cells(&self, objects: &BTreeSet<ObjectId>) -> Vec<CellId> {
        let cells = self.cells.iter().enumerate();
        let cells = cells.filter(|(_, cell)| {
            objects.contains(&cell.object) && self.object(cell.object).is_written
        });
        cells.map(|(number, _)| CellId(number)).collect()
    }

    /// What a register holds.
    pub fn register(&self, function: FunctionId, reg: RegId) -> Holds {
        self.holds[function.index()][reg.index()]
    }

    /// Whether a register has a value of its own in clauses: all but fixed addresses.
    pub fn has_value(&self, function: FunctionId, reg: RegId) -> bool {
        !matches!(
            self.register(function, reg),
            Holds::Offset { fixed: Some(_), .. }
        )
    }

    /// What an expression over the registers of a function holds.
    pub fn holds(&self, function: FunctionId, expr: &Expr) -> Holds {
        let part = |expr: &Expr| self.holds(function, expr);
        match expr {
            Expr::Const(_) => Holds::Number,
            Expr::Reg(reg) => self.register(function, *reg),
            Expr::Global(global) => {
                self.of_global
                    .get(global)
                    .map_or(Holds::Mixed, |object| Holds::Offset {
                        object: *object,
                        fixed: Some(0),
                    })
            }
            Expr::Function(_) => Holds::Mixed,
            Expr::Binary(BinOp::Add, lhs, rhs) => match (part(lhs), part(rhs)) {
                (offset @ Holds::Offset { .. }, Holds::Number) => {
                    self.moved(offset, rhs, BinOp::Add)
                }
                (Holds::Number, offset @ Holds::Offset { .. }) => {
                    self.moved(offset, lhs, BinOp::Add)
                }
                (one, other) => numbers([one, other]),
            },
            Expr::Binary(BinOp::Sub, lhs, rhs) => match (part(lhs), part(rhs)) {
                (offset @ Holds::Offset { .. }, Holds::Number) => {
                    self.moved(offset, rhs, BinOp::Sub)
                }
                (
                    Holds::Offset { object, .. },
                    Holds::Offset {
                        object: subtracted, ..
                    },
                ) if object == subtracted => Holds::Number,
                (one, other) => numbers([one, other]),
            },
            Expr::Ite(_, then, otherwise) => part(then).or(part(otherwise)),
            Expr::Compare(..) => Holds::Number,
            Expr::Binary(..) | Expr::Cast(..) | Expr::FloatBinary(..) | Expr::FloatCast(..) => {
                numbers(expr.operands().map(part))
            }
        }
    }

    /// An address so many bytes further.
    fn moved(&self, from: Holds, by: &Expr, op: BinOp) -> Holds {
        let Holds::Offset { object, fixed } = from else {
            return Holds::Mixed;
        };
        let by = match by {
            Expr::Const(value) if value.width() == self.pointer_bits => value.to_u64(),
            _ => None,
        };
        let moved = |(offset, by): (u64, u64)| {
            let offset = Bv::new(self.pointer_bits, offset);
            Bv::binary(op, &offset, &Bv::new(self.pointer_bits, by)).to_u64()
        };
        Holds::Offset {
            object,
            fixed: fixed.zip(by).and_then(moved),
        }
    }

    /// The object of an address and its offset, in units of the object, over the registers that have a
    /// value; `None` if it is no address of a known object.
    pub fn offset(&self, function: FunctionId, expr: &Expr) -> Option<(ObjectId, Expr)> {
        let Holds::Offset { object, fixed } = self.holds(function, expr) else {
            return None;
        };
        let unit = self.object(object).unit;
        if let Some(fixed) = fixed {
            // What is below zero is divided as such.
            let fixed = scaled(&self.number(fixed), unit)?;
            return Some((object, fixed));
        }
        let offset = match expr {
            Expr::Binary(op @ (BinOp::Add | BinOp::Sub), lhs, rhs) => {
                let is_left = matches!(self.holds(function, lhs), Holds::Offset { .. });
                let (base, by) = if is_left { (lhs, rhs) } else { (rhs, lhs) };
                if !self.is_plain(function, by) {
                    return None;
                }
                let (_, base) = self.offset(function, base)?;
                let by = scaled(by, unit)?;
                match base {
                    Expr::Const(zero) if zero.is_zero() && *op == BinOp::Add => by,
                    base => Expr::Binary(*op, Box::new(base), Box::new(by)),
                }
            }
            Expr::Ite(condition, then, otherwise) => {
                let then = self.offset(function, then)?.1;
                let otherwise = self.offset(function, otherwise)?.1;
                if !self.is_plain(function, condition) {
                    return None;
                }
                Expr::Ite(condition.clone(), Box::new(then), Box::new(otherwise))
            }
            Expr::Reg(_) => expr.clone(),
            _ => return None,
        };
        Some((object, offset))
    }

    /// Whether no address is in an expression, be it in a comparison or a difference.
    fn is_plain(&self, function: FunctionId, expr: &Expr) -> bool {
        let mut is_plain = true;
        expr.for_each(&mut |part| {
            is_plain &= match part {
                Expr::Reg(reg) => self.register(function, *reg) == Holds::Number,
                Expr::Global(_) | Expr::Function(_) => false,
                _ => true,
            };
        });
        is_plain
    }

    /// A number as wide as a pointer.
    pub fn number(&self, value: u64) -> Expr {
        Expr::Const(Bv::new(self.pointer_bits, value))
    }

    /// What a part of an object holds from the start of the program to its end; `None` if that is not known.
    pub fn constant(
        &self,
        program: &Program,
        object: ObjectId,
        offset: u64,
        bytes: u64,
    ) -> Option<Bv> {
        if self.object(object).is_written {
            return None;
        }
        self.initial(program, object, offset, bytes)
    }

    /// What a part of a global holds at first; `None` for what is arbitrary.
    pub fn initial(
        &self,
        program: &Program,
        object: ObjectId,
        offset: u64,
        bytes: u64,
    ) -> Option<Bv> {
        let Owner::Global(global) = self.object(object).owner else {
            return None;
        };
        let bits = u32::try_from(bytes * 8).ok()?;
        match &program.global(global).initializer {
            Initializer::Zero => Some(Bv::zero(bits)),
            Initializer::Extern => None,
            Initializer::Bytes {
                bytes: text,
                addresses,
            } => {
                let word = u64::from(self.pointer_bits / 8);
                let end = offset.checked_add(bytes)?;
                if addresses
                    .iter()
                    .any(|(at, _)| *at < end && offset < at + word)
                {
                    return None;
                }
                let mut value = Bv::zero(bits);
                for at in offset..end {
                    let byte = text.get(usize::try_from(at).ok()?).copied()?;
                    let shift = Bv::new(bits, (at - offset) * 8);
                    let byte = Bv::binary(BinOp::Shl, &Bv::new(bits, u64::from(byte)), &shift);
                    value = Bv::binary(BinOp::Or, &value, &byte);
                }
                Some(value)
            }
        }
    }

    /// What all elements of an array hold at first; `None` if that is not the same.
    pub fn initial_element(&self, program: &Program, object: ObjectId) -> Option<Bv> {
        const MOST: u64 = 4096;
        let data = self.object(object);
        let Owner::Global(global) = data.owner else {
            return None;
        };
        let first = self.initial(program, object, 0, data.unit)?;
        if program.global(global).initializer == Initializer::Zero {
            return Some(first);
        }
        let mut others = (1..data.n_units())
            .map(|number| self.initial(program, object, number * data.unit, data.unit));
        (data.n_units() <= MOST && others.all(|other| other.as_ref() == Some(&first)))
            .then_some(first)
    }

    fn find_objects(&mut self, program: &Program, called: &[FunctionId]) -> Result<(), Refusal> {
        let mut named = BTreeSet::new();
        // So that no offset within an object is negative.
        let most_bytes = 1 << (self.pointer_bits - 2);
        for id in called {
            let function = program.function(*id);
            for (edge, position, action) in actions(function) {
                action.for_each_expr(&mut |expr| {
                    expr.for_each(&mut |part| {
                        if let Expr::Global(global) = part {
                            named.insert(*global);
                        }
                    });
                });
                let Action::Alloca { bytes, name, .. } = action else {
                    continue;
                };
                let size = match bytes {
                    Expr::Const(bytes) => bytes.to_u64().filter(|bytes| *bytes <= most_bytes),
                    _ => None,
                };
                let bytes = size.ok_or(Refusal::Allocation)?;
                if is_repeated(function, edge) {
                    return Err(Refusal::Instances);
                }
                let object = ObjectId(self.objects.len());
                self.of_alloca.insert((*id, edge, position), object);
                self.own[id.index()].insert(object);
                self.objects.push(Object {
                    owner: Owner::Frame(*id),
                    name: name.clone(),
                    bytes,
                    is_constant: false,
                    unit: 1,
                    is_written: true,
                    is_shared: false,
                });
            }
        }
        for global in named {
            let data = program.global(global);
            if data.bytes == 0 || data.bytes > most_bytes {
                continue;
            }
            self.of_global.insert(global, ObjectId(self.objects.len()));
            self.objects.push(Object {
                owner: Owner::Global(global),
                name: data.name.clone(),
                bytes: data.bytes,
                is_constant: data.storage != Storage::Variable,
                unit: 1,
                is_written: false,
                is_shared: true,
            });
        }
        Ok(())
    }

    /// What each register holds, whatever the path.
    fn follow_pointers(&mut self, program: &Program, called: &[FunctionId]) {
        let main = program.function(program.main);
        for reg in &main.params {
            self.holds[program.main.index()][reg.index()] = number_or_pointer(main, *reg);
        }
        // What is in memory, and what functions give back.
        let mut content = Holds::Number;
        let mut results = vec![Holds::Nothing; program.functions.len()];
        let given = self.of_global.keys().any(|global| {
            let initializer = &program.global(*global).initializer;
            match initializer {
                Initializer::Zero => false,
                Initializer::Bytes { addresses, .. } => !addresses.is_empty(),
                Initializer::Extern => true,
            }
        });
        if given {
            content = Holds::Mixed;
        }
        loop {
            let before = (self.holds.clone(), content, results.clone());
            for id in called {
                let function = program.function(*id);
                for (edge, position, action) in actions(function) {
                    match action {
                        Action::Assign(pairs) => {
                            let pairs: Vec<(RegId, Holds)> = (pairs.iter())
                                .map(|(reg, value)| (*reg, self.holds(*id, value)))
                                .collect();
                            for (reg, held) in pairs {
                                self.join(*id, reg, held);
                            }
                        }
                        Action::Load { dst, .. } => {
                            let held = content.or(number_or_pointer(function, *dst));
                            self.join(*id, *dst, held);
                        }
                        Action::Store { value, .. } => {
                            content = content.or(hidden(self.holds(*id, value)));
                        }
                        Action::Alloca { dst, .. } => {
                            let object = self.of_alloca[&(*id, edge, position)];
                            let held = Holds::Offset {
                                object,
                                fixed: Some(0),
                            };
                            self.join(*id, *dst, held);
                        }
                        Action::Input { dst, .. } => {
                            self.join(*id, *dst, number_or_pointer(function, *dst));
                        }
                        Action::Call { dst, callee, args } => {
                            let Callee::Direct(callee) = callee else {
                                continue;
                            };
                            let params = &program.function(*callee).params;
                            for (param, argument) in params.iter().zip(args) {
                                let held = self.holds(*id, argument);
                                self.join(*callee, *param, held);
                            }
                            if let Some(dst) = dst {
                                self.join(*id, *dst, results[callee.index()]);
                            }
                        }
                        Action::Return(Some(value)) => {
                            let result = &mut results[id.index()];
                            *result = result.or(hidden(self.holds(*id, value)));
                        }
                        Action::Builtin { dst: Some(dst), .. } => {
                            self.join(*id, *dst, Holds::Mixed);
                        }
                        Action::Builtin { .. }
                        | Action::Return(None)
                        | Action::Assume(_)
                        | Action::Target
                        | Action::Cut
                        | Action::Goal(_)
                        | Action::End(_)
                        | Action::Unsupported(_) => {}
                    }
                }
            }
            if before == (self.holds.clone(), content, results.clone()) {
                // What nothing was said of is read before it is written, if at all.
                let mut is_complete = true;
                for held in self.holds.iter_mut().flatten() {
                    if *held == Holds::Nothing {
                        *held = Holds::Mixed;
                        is_complete = false;
                    }
                }
                if is_complete {
                    return;
                }
            }
        }
    }

    fn join(&mut self, function: FunctionId, reg: RegId, held: Holds) {
        let known = &mut self.holds[function.index()][reg.index()];
        *known = known.or(held);
    }

    /// In what units offsets are counted.
    fn find_units(&mut self, program: &Program, called: &[FunctionId]) -> Result<(), Refusal> {
        // By object: a power of two that divides all offsets, and of how many bytes accesses are.
        let mut granules = vec![1u64 << 62; self.objects.len()];
        let mut widths: Vec<BTreeSet<u64>> = vec![BTreeSet::new(); self.objects.len()];
        for id in called {
            let function = program.function(*id);
            for (_, _, action) in actions(function) {
                action.for_each_expr(&mut |expr| {
                    expr.for_each(&mut |part| {
                        if let Holds::Offset { object, fixed } = self.holds(*id, part) {
                            let granule = match (fixed, part) {
                                (Some(offset), _) => power_of_two_in(offset),
                                (None, Expr::Binary(_, lhs, rhs)) => {
                                    let is_left =
                                        matches!(self.holds(*id, lhs), Holds::Offset { .. });
                                    multiple(if is_left { rhs } else { lhs })
                                }
                                (None, Expr::Reg(_) | Expr::Ite(..)) => 1 << 62,
                                _ => 1,
                            };
                            let known = &mut granules[object.0];
                            *known = granule.min(*known);
                        }
                    });
                });
                if let Some((address, bytes)) = accessed(program, function, action) {
                    let Holds::Offset { object, .. } = self.holds(*id, address) else {
                        return Err(Refusal::Pointer);
                    };
                    if bytes > 8 {
                        return Err(Refusal::Wide);
                    }
                    widths[object.0].insert(bytes);
                }
            }
        }
        for ((object, granule), widths) in self.objects.iter_mut().zip(granules).zip(widths) {
            let mut widths = widths.into_iter();
            if let (Some(width), None) = (widths.next(), widths.next())
                && width.is_power_of_two()
                && granule >= width
            {
                object.unit = width;
            }
        }
        Ok(())
    }

    /// Which objects functions use.
    fn find_uses(&mut self, program: &Program, calls: &Calls) -> Result<(), Refusal> {
        let called = &calls.functions;
        let mut touched_by = vec![BTreeSet::new(); program.functions.len()];
        for id in called {
            for (_, _, action) in actions(program.function(*id)) {
                let mut touched: Vec<(&Expr, bool)> = Vec::new();
                match action {
                    Action::Load { address, .. } => touched.push((address, false)),
                    Action::Store { address, .. } => touched.push((address, true)),
                    Action::Builtin { builtin, args, .. } => match (builtin, args.as_slice()) {
                        (Builtin::MemCopy | Builtin::MemCopyApart, [to, from, _]) => {
                            touched.extend([(to, true), (from, false)]);
                        }
                        (Builtin::MemSet | Builtin::Uninit | Builtin::Unwritten, [to, ..]) => {
                            touched.push((to, true))
                        }
                        (Builtin::ScopeBegin | Builtin::ScopeEnd, _) => {
                            return Err(Refusal::Scopes);
                        }
                        _ => return Err(Refusal::Allocation),
                    },
                    _ => {}
                }
                for (address, is_write) in touched {
                    let Holds::Offset { object, .. } = self.holds(*id, address) else {
                        return Err(Refusal::Pointer);
                    };
                    touched_by[id.index()].insert(object);
                    if is_write {
                        self.written[id.index()].insert(object);
                        let object = &mut self.objects[object.0];
                        object.is_written |= !object.is_constant;
                    }
                }
            }
        }
        self.used = touched_by;
        for sets in [&mut self.used, &mut self.written] {
            // What is a function's own is not there when it is called.
            for (set, own) in sets.iter_mut().zip(&self.own) {
                set.retain(|object| !own.contains(object));
            }
            loop {
                let mut has_changed = false;
                for (caller, callee) in &calls.pairs {
                    let further: Vec<ObjectId> = (sets[callee.index()].iter())
                        .filter(|object| !self.own[caller.index()].contains(object))
                        .copied()
                        .collect();
                    for object in further {
                        has_changed |= sets[caller.index()].insert(object);
                    }
                }
                if !has_changed {
                    break;
                }
            }
        }
        for object in self.used.iter().flatten() {
            self.objects[object.0].is_shared = true;
        }
        self.check_frames(program, calls)
    }

    /// Refuses addresses of a frame that come to further frames of its function.
    fn check_frames(&self, program: &Program, calls: &Calls) -> Result<(), Refusal> {
        for id in &calls.functions {
            for (_, _, action) in actions(program.function(*id)) {
                let Action::Call {
                    callee: Callee::Direct(callee),
                    args,
                    ..
                } = action
                else {
                    continue;
                };
                for argument in args {
                    if let Holds::Offset { object, .. } = self.holds(*id, argument)
                        && let Owner::Frame(owner) = self.object(object).owner
                        && (*callee == owner || calls.reaches(*callee, owner))
                    {
                        return Err(Refusal::Instances);
                    }
                }
            }
        }
        Ok(())
    }

    /// Fixed places that are accessed, and the elements of small arrays.
    fn find_cells(&mut self, program: &Program, called: &[FunctionId]) -> Result<(), Refusal> {
        let mut found: BTreeSet<(ObjectId, u64, u64)> = BTreeSet::new();
        let mut arrays: BTreeSet<ObjectId> = BTreeSet::new();
        let mut copies = Vec::new();
        for id in called {
            let function = program.function(*id);
            for (_, _, action) in actions(function) {
                if let Action::Builtin { builtin, args, .. } = action
                    && matches!(builtin, Builtin::MemCopy | Builtin::MemCopyApart)
                    && let [to, from, _] = args.as_slice()
                {
                    copies.push((self.holds(*id, to), self.holds(*id, from)));
                }
                let Some((address, bytes)) = accessed(program, function, action) else {
                    continue;
                };
                let Holds::Offset { object, fixed } = self.holds(*id, address) else {
                    continue;
                };
                let data = self.object(object);
                match fixed {
                    Some(offset) if offset.saturating_add(bytes) <= data.bytes => {
                        found.insert((object, offset, bytes));
                    }
                    None if data.unit == bytes && data.n_units() <= MOST_ELEMENTS => {
                        let elements = (0..data.n_units()).map(|n| (object, n * bytes, bytes));
                        found.extend(elements);
                    }
                    None if data.unit == bytes && data.is_written => {
                        arrays.insert(object);
                    }
                    _ => {}
                }
            }
        }
        // What is copied into a cell comes from one.
        for (to, from) in copies {
            let (
                Holds::Offset {
                    object: to,
                    fixed: Some(to_offset),
                },
                Holds::Offset {
                    object: from,
                    fixed: Some(from_offset),
                },
            ) = (to, from)
            else {
                continue;
            };
            let cells: Vec<(ObjectId, u64, u64)> = (found.iter())
                .filter(|(object, offset, _)| *object == to && *offset >= to_offset)
                .map(|(_, offset, bytes)| (from, offset - to_offset + from_offset, *bytes))
                .filter(|(_, offset, bytes)| offset + bytes <= self.object(from).bytes)
                .collect();
            found.extend(cells);
        }
        found.retain(|(object, _, _)| !arrays.contains(object));
        if found.len() + 2 * arrays.len() > MOST_CELLS {
            return Err(Refusal::Large);
        }
        let fixed = found.into_iter().map(|(object, offset, bytes)| Cell {
            object,
            at: At::Fixed(offset),
            bytes,
        });
        let elements = arrays.into_iter().flat_map(|object| {
            let cell = |at, bytes| Cell { object, at, bytes };
            [
                cell(At::Element, self.object(object).unit),
                cell(At::Number, u64::from(self.pointer_bits / 8)),
            ]
        });
        self.cells = fixed.chain(elements).collect();
        Ok(())
    }
}

/// The address that an action accesses one value at, and how many bytes that has.
pub(super) fn accessed<'a>(
    program: &Program,
    function: &Function,
    action: &'a Action,
) -> Option<(&'a Expr, u64)> {
    let (address, bits) = match action {
        Action::Load { dst, address } => (address, function.reg(*dst).bits),
        Action::Store { address, value } => {
            (address, value.bits(&function.regs, program.pointer_bits))
        }
        _ => return None,
    };
    Some((address, u64::from(bits.div_ceil(8))))
}

fn actions(function: &Function) -> impl Iterator<Item = (EdgeId, usize, &Action)> {
    function.edge_ids().flat_map(|edge| {
        let steps = function.edge(edge).steps.iter().enumerate();
        steps.map(move |(position, step)| (edge, position, &step.action))
    })
}

/// What is computed from these, none of which is an address of a known object.
fn numbers(parts: impl IntoIterator<Item = Holds>) -> Holds {
    let mut all = Holds::Number;
    for part in parts {
        all = match part {
            Holds::Nothing => return Holds::Nothing,
            Holds::Number => all,
            Holds::Offset { .. } | Holds::Mixed => Holds::Mixed,
        };
    }
    all
}

/// Of what is read back from somewhere it is not known which object it points to.
fn hidden(held: Holds) -> Holds {
    match held {
        Holds::Offset { .. } => Holds::Mixed,
        other => other,
    }
}

fn number_or_pointer(function: &Function, reg: RegId) -> Holds {
    if function.reg(reg).pointer {
        Holds::Mixed
    } else {
        Holds::Number
    }
}

/// Whether an edge may be taken again in the same call.
fn is_repeated(function: &Function, edge: EdgeId) -> bool {
    let (from, to) = function.endpoints(edge);
    let mut seen = BTreeSet::new();
    let mut pending = vec![to];
    while let Some(node) = pending.pop() {
        if node == from {
            return true;
        }
        if seen.insert(node) {
            let edges = function.out_edges(node).iter();
            pending.extend(edges.map(|edge| function.target(*edge)));
        }
    }
    false
}

fn power_of_two_in(value: u64) -> u64 {
    1 << value.trailing_zeros().min(62)
}

/// A power of two that divides a number whatever its registers hold, as [`scaled`] can divide it.
fn multiple(number: &Expr) -> u64 {
    match number {
        Expr::Const(value) => value.to_u64().map_or(1, power_of_two_in),
        Expr::Binary(BinOp::Mul, lhs, rhs) => match (&**lhs, &**rhs) {
            (_, Expr::Const(factor)) | (Expr::Const(factor), _) => {
                factor.to_u64().map_or(1, power_of_two_in)
            }
            _ => 1,
        },
        Expr::Binary(BinOp::Shl, _, by) => match &**by {
            Expr::Const(by) => by.to_u64().map_or(1, |by| 1 << by.min(62)),
            _ => 1,
        },
        Expr::Binary(BinOp::Add | BinOp::Sub, lhs, rhs) => multiple(lhs).min(multiple(rhs)),
        _ => 1,
    }
}

/// A number of which the product with `unit` is this one.
fn scaled(number: &Expr, unit: u64) -> Option<Expr> {
    let divided = |value: &Bv| {
        let quotient = value.to_u64()?;
        // What is below zero is divided as such.
        let signed = value.to_i64().unwrap_or(0);
        let by = i64::try_from(unit).ok()?;
        if signed < 0 {
            (signed % by == 0).then(|| Bv::from_i64(value.width(), signed / by))
        } else {
            (quotient % unit == 0).then(|| Bv::new(value.width(), quotient / unit))
        }
    };
    if unit == 1 {
        return Some(number.clone());
    }
    match number {
        Expr::Const(value) => divided(value).map(Expr::Const),
        Expr::Binary(BinOp::Mul, lhs, rhs) => {
            let ((of, Expr::Const(factor)) | (Expr::Const(factor), of)) = (&**lhs, &**rhs) else {
                return None;
            };
            let factor = divided(factor)?;
            Some(if factor.to_u64() == Some(1) {
                of.clone()
            } else {
                Expr::Binary(
                    BinOp::Mul,
                    Box::new(of.clone()),
                    Box::new(Expr::Const(factor)),
                )
            })
        }
        Expr::Binary(BinOp::Shl, of, by) => {
            let Expr::Const(by) = &**by else { return None };
            let less = u64::from(unit.trailing_zeros());
            let rest = by.to_u64()?.checked_sub(less)?;
            Some(if rest == 0 {
                (**of).clone()
            } else {
                let rest = Expr::Const(Bv::new(by.width(), rest));
                Expr::Binary(BinOp::Shl, of.clone(), Box::new(rest))
            })
        }
        Expr::Binary(op @ (BinOp::Add | BinOp::Sub), lhs, rhs) => Some(Expr::Binary(
            *op,
            Box::new(scaled(lhs, unit)?),
            Box::new(scaled(rhs, unit)?),
        )),
        _ => None,
    }
}

/// Whether an operator compares addresses as offsets compare that lie within one object.
pub(super) fn compares_addresses(op: CmpOp) -> bool {
    matches!(
        op,
        CmpOp::Eq | CmpOp::Ne | CmpOp::Ult | CmpOp::Ule | CmpOp::Ugt | CmpOp::Uge
    )
}
