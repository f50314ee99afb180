//! The clauses of a program.
//!
//! Between locations at which paths join, each path is a clause of its own. Values that a path
//! computes are written in terms of the variables of its clause: those of the location where it
//! begins, inputs, and results of calls.

mod access;

use self::access::{Change, define, unknown};
use super::calls::Calls;
use super::cells::{At, CellId, Holds, Memory, ObjectId, Owner};
use super::joins::join;
use super::signs::{Signs, Slot};
use flowgraph::{
    Action, Callee, EdgeId, Expr, Function, FunctionId, NodeId, Program, RegData, RegId, Step,
};
use property::{Meaning, Property, Reason};
use semantics::PathEnd;
use std::collections::{BTreeMap, BTreeSet};
use term::BinOp;

/// No program has more clauses.
const MOST_CLAUSES: usize = 4_000;
/// No clause reads more than this many variables, be they used or not.
const MOST_VARIABLES: usize = 2_000;
/// Wider values are arbitrary over the integers anyway.
const WIDEST: u32 = 64;

/// Why a program has no system of clauses.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    #[error("it accesses memory by pointers of which one object is not known")]
    Pointer,
    #[error("it allocates memory of unknown size or on the heap")]
    Allocation,
    #[error("a variable in memory may have several instances at a time")]
    Instances,
    #[error("it fills or copies memory of unknown extent")]
    Extent,
    #[error("blocks end variables in memory")]
    Scopes,
    #[error("it calls by pointer")]
    IndirectCall,
    #[error("it computes with floats")]
    Floats,
    #[error("it has numbers of more than {WIDEST} bits")]
    Wide,
    #[error("it has too many paths")]
    Large,
    #[error("a loop begins where a function is entered")]
    EntryLoop,
    #[error("it has neither loops nor recursion")]
    Straight,
}

/// A predicate of a system.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct PredicateId(pub usize);

/// What a predicate is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// The states that come to a location.
    Node(NodeId),
    /// The calls that return.
    Result,
}

/// A parameter of a predicate.
#[derive(Clone, Debug)]
pub(super) struct Parameter {
    /// Its name is one of C, or begins with `\\` or `!`.
    pub data: RegData,
    pub slot: Slot,
    pub value: ValueOf,
}

/// Whose value a parameter is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ValueOf {
    /// A register's; of an address the offset.
    Register(RegId),
    /// What the parameter of this position was when the function was called.
    Argument(usize),
    Cell(CellId),
    /// A cell's when the function was called.
    CellBefore(CellId),
    /// What the function returns.
    Result,
}

/// A set of states.
#[derive(Clone, Debug)]
pub(super) struct Predicate {
    pub function: FunctionId,
    pub place: Place,
    pub parameters: Vec<Parameter>,
}

/// A predicate of values.
#[derive(Clone, Debug)]
pub(super) struct Atom {
    pub predicate: PredicateId,
    pub arguments: Vec<Expr>,
}

/// What follows where the premises of a clause hold.
#[derive(Clone, Debug)]
pub(super) enum Head {
    Reached(Atom),
    /// The property is violated, or the verdict stays open.
    Violation,
    /// The execution ends in undefined behaviour.
    Undefined(Reason),
}

/// A clause: for all values of its variables, if the atoms and the conditions hold, so does the
/// head. The register of number n in its expressions is its variable of that number.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    pub variables: Vec<RegData>,
    /// For each variable what it stands for in the program.
    pub slots: Vec<Slot>,
    pub atoms: Vec<Atom>,
    /// Of width 1.
    pub conditions: Vec<Expr>,
    pub head: Head,
}

/// All clauses of a program.
pub struct System {
    pub(super) predicates: Vec<Predicate>,
    pub(super) clauses: Vec<Clause>,
    pub(super) signs: Signs,
    pub(super) memory: Memory,
    pub(super) pointer_bits: u32,
}

impl System {
    /// The clauses of a program.
    ///
    /// # Errors
    /// [`Refusal`] if the clauses would not have all executions, or there is nothing to prove by
    /// induction.
    pub fn new(program: &Program, property: Property) -> Result<System, Refusal> {
        let calls = Calls::of(program)?;
        let called = &calls.functions;
        let is_recursive = called.iter().any(|id| calls.reaches(*id, *id));
        let has_loops = |id: &FunctionId| !program.function(*id).loops().loops.is_empty();
        if !is_recursive && !called.iter().any(has_loops) {
            return Err(Refusal::Straight);
        }
        let memory = Memory::of(program, &calls)?;
        let mut builder = Builder {
            program,
            property,
            signs: Signs::of(program, &memory),
            memory,
            is_main_called: calls.has_callers(program.main),
            names: vec![BTreeSet::new(); program.functions.len()],
            predicates: Vec::new(),
            clauses: Vec::new(),
            at_node: vec![Vec::new(); program.functions.len()],
            at_result: vec![None; program.functions.len()],
        };
        for id in called {
            builder.declare(*id);
        }
        for id in called {
            builder.function(*id)?;
        }
        let main = program.function(program.main);
        let entry = builder.predicate_at(program.main, main.entry);
        builder.start(entry);
        let (predicates, clauses) = join(program, builder.predicates, builder.clauses);
        Ok(System {
            predicates,
            clauses,
            signs: builder.signs,
            memory: builder.memory,
            pointer_bits: program.pointer_bits,
        })
    }
}

struct Builder<'p> {
    program: &'p Program,
    property: Property,
    signs: Signs,
    memory: Memory,
    is_main_called: bool,
    /// By function: the names of its registers, as they are in C.
    names: Vec<BTreeSet<String>>,
    predicates: Vec<Predicate>,
    clauses: Vec<Clause>,
    /// By function and node.
    at_node: Vec<Vec<Option<PredicateId>>>,
    /// By function.
    at_result: Vec<Option<PredicateId>>,
}

/// A path of which a clause is made.
#[derive(Clone)]
struct Path {
    function: FunctionId,
    variables: Vec<RegData>,
    slots: Vec<Slot>,
    atoms: Vec<Atom>,
    conditions: Vec<Expr>,
    /// What each register of the function holds, of an address the offset; `None` for what is not known.
    values: Vec<Option<Expr>>,
    /// What each cell holds that changes; `None` for what is not known.
    cells: Vec<Option<Expr>>,
    /// What happened to arrays of which one element stands for all, the last at the end.
    changes: BTreeMap<ObjectId, Vec<Change>>,
    /// Further elements of arrays that are known of an atom: array, number and value.
    instances: BTreeMap<usize, Vec<(ObjectId, Expr, Expr)>>,
    /// What the function was called with, by position and by cell.
    arguments: Vec<Expr>,
    cells_before: BTreeMap<CellId, Expr>,
    /// What the absolute value of some variables is at most.
    magnitudes: BTreeMap<RegId, u64>,
}

impl Path {
    fn variable(&mut self, data: RegData, slot: Slot) -> Expr {
        let number = u32::try_from(self.variables.len()).unwrap_or(u32::MAX);
        self.variables.push(data);
        self.slots.push(slot);
        Expr::Reg(RegId(number))
    }

    /// A variable for an arbitrary value of a register.
    fn arbitrary(&mut self, function: &Function, signs: &Signs, reg: RegId) -> Expr {
        let slot = signs.register(self.function, reg);
        self.variable(function.reg(reg).clone(), slot)
    }

    /// A variable for an arbitrary value of so many bits.
    fn unknown(&mut self, signs: &Signs, bits: u32) -> Expr {
        self.variable(unknown(bits), signs.other())
    }

    /// What a register holds, of an address the offset.
    fn register(&mut self, function: &Function, signs: &Signs, reg: RegId) -> Expr {
        if let Some(value) = &self.values[reg.index()] {
            return value.clone();
        }
        let value = self.arbitrary(function, signs, reg);
        self.values[reg.index()] = Some(value.clone());
        value
    }

    /// An expression over the registers of the function, over the variables of the clause.
    fn replaced(&mut self, function: &Function, signs: &Signs, expr: &Expr) -> Expr {
        let mut regs = BTreeSet::new();
        expr.for_each_reg(&mut |reg| {
            regs.insert(reg);
        });
        for reg in regs {
            self.register(function, signs, reg);
        }
        expr.replace_regs(&|reg| self.values[reg.index()].clone())
    }
}

/// Whether the path goes on behind an action.
#[derive(PartialEq, Eq)]
enum GoesOn {
    Yes,
    No,
}

impl Builder<'_> {
    /// Makes the predicates of a function.
    fn declare(&mut self, id: FunctionId) {
        let function = self.program.function(id);
        let names = function.regs.iter();
        let names = names.filter_map(|reg| reg.name.split(['.', '#', '+']).next());
        self.names[id.index()] = names.map(str::to_owned).collect();
        let nest = function.loops();
        let is_header = |node: NodeId| nest.loops.iter().any(|natural| natural.header == node);
        let is_irreducible = |node: NodeId| {
            let mut edges = nest.irreducible.iter();
            edges.any(|edge| function.target(*edge) == node)
        };
        let has_out_edges = |node: NodeId| !function.out_edges(node).is_empty();
        self.at_node[id.index()] = vec![None; function.n_nodes()];
        for node in function.node_ids() {
            let joins = function.in_edges(node).len() > 1 && has_out_edges(node);
            if node == function.entry || joins || is_header(node) || is_irreducible(node) {
                let parameters = if node == function.entry {
                    self.parameters_at_entry(id)
                } else {
                    self.parameters_at(id, node)
                };
                let place = Place::Node(node);
                self.at_node[id.index()][node.index()] =
                    Some(self.predicate(id, place, parameters));
            }
        }
        let parameters = self.parameters_of_result(id);
        self.at_result[id.index()] = Some(self.predicate(id, Place::Result, parameters));
    }

    fn parameters_at_entry(&self, id: FunctionId) -> Vec<Parameter> {
        let params = self.program.function(id).params.iter();
        let params = params.map(|reg| self.of_register(id, *reg, ValueOf::Register(*reg)));
        let cells = self.memory.shared(id).into_iter();
        params
            .chain(cells.map(|cell| self.of_cell(id, cell, ValueOf::Cell(cell))))
            .collect()
    }

    fn parameters_at(&self, id: FunctionId, node: NodeId) -> Vec<Parameter> {
        let function = self.program.function(id);
        let live = function.liveness().regs_at(function, node);
        let live = live.filter(|reg| self.memory.has_value(id, *reg));
        let mut parameters: Vec<Parameter> = live
            .map(|reg| self.of_register(id, reg, ValueOf::Register(reg)))
            .collect();
        let cells = self.memory.visible(id).into_iter();
        parameters.extend(cells.map(|cell| self.of_cell(id, cell, ValueOf::Cell(cell))));
        parameters.extend(self.arguments_of(id));
        let before = self.cells_before(id).into_iter();
        parameters.extend(before.map(|cell| self.of_cell(id, cell, ValueOf::CellBefore(cell))));
        parameters
    }

    fn parameters_of_result(&self, id: FunctionId) -> Vec<Parameter> {
        let function = self.program.function(id);
        let mut parameters = self.arguments_of(id);
        let shared = self.memory.shared(id).into_iter();
        parameters.extend(shared.map(|cell| self.of_cell(id, cell, ValueOf::CellBefore(cell))));
        let changed = self.memory.changed(id).into_iter();
        parameters.extend(changed.map(|cell| self.of_cell(id, cell, ValueOf::Cell(cell))));
        if let Some(bits) = function.result_bits {
            parameters.push(Parameter {
                data: RegData {
                    name: "\\result".to_owned(),
                    bits,
                    pointer: false,
                },
                slot: self.signs.result(id),
                value: ValueOf::Result,
            });
        }
        parameters
    }

    fn arguments_of(&self, id: FunctionId) -> Vec<Parameter> {
        let params = self.program.function(id).params.iter().enumerate();
        params
            .map(|(position, reg)| self.of_register(id, *reg, ValueOf::Argument(position)))
            .collect()
    }

    /// The cells of which it is kept what they held when the function was called: no call of `main`, if
    /// the program makes none, is asked about later.
    fn cells_before(&self, id: FunctionId) -> Vec<CellId> {
        if id == self.program.main && !self.is_main_called {
            return Vec::new();
        }
        self.memory.changed(id)
    }

    fn of_register(&self, id: FunctionId, reg: RegId, value: ValueOf) -> Parameter {
        let mut data = self.program.function(id).reg(reg).clone();
        if self.memory.register(id, reg) != Holds::Number {
            data.name = format!("!offset.{}", data.name);
        }
        Parameter {
            data,
            slot: self.signs.register(id, reg),
            value,
        }
    }

    fn of_cell(&self, id: FunctionId, cell: CellId, value: ValueOf) -> Parameter {
        Parameter {
            data: RegData {
                name: self.name_in(id, cell),
                bits: self.memory.cell(cell).bits(),
                pointer: false,
            },
            slot: self.signs.cell(cell),
            value,
        }
    }

    /// What a cell is called in a function: by the name of its variable if it is all of it, and no register
    /// of the function is called alike.
    fn name_in(&self, id: FunctionId, cell: CellId) -> String {
        let data = self.memory.cell(cell);
        let object = self.memory.object(data.object);
        let is_whole = data.at == At::Fixed(0) && data.bytes == object.bytes;
        let is_known = match object.owner {
            Owner::Global(_) => true,
            Owner::Frame(owner) => owner == id,
        };
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if is_whole
            && is_known
            && object.name.chars().all(is_name)
            && !self.names[id.index()].contains(&object.name)
        {
            object.name.clone()
        } else {
            match data.at {
                At::Fixed(offset) => format!("!cell.{}.{offset}", object.name),
                At::Element => format!("!element.{}", object.name),
                At::Number => format!("!number.{}", object.name),
            }
        }
    }

    fn predicate(
        &mut self,
        function: FunctionId,
        place: Place,
        parameters: Vec<Parameter>,
    ) -> PredicateId {
        self.predicates.push(Predicate {
            function,
            place,
            parameters,
        });
        PredicateId(self.predicates.len() - 1)
    }

    fn predicate_at(&self, function: FunctionId, node: NodeId) -> PredicateId {
        self.at_node[function.index()][node.index()].expect("entries have predicates")
    }

    fn result_of(&self, function: FunctionId) -> PredicateId {
        self.at_result[function.index()].expect("what is called has a predicate")
    }

    /// The program starts, with arbitrary arguments.
    fn start(&mut self, entry: PredicateId) {
        let mut path = self.path(self.program.main);
        for cell in self.memory.shared(self.program.main) {
            let data = self.memory.cell(cell);
            if let At::Fixed(offset) = data.at {
                let value = (self.memory).initial(self.program, data.object, offset, data.bytes);
                path.cells[cell.0] = value.map(Expr::Const);
            } else if data.at == At::Element {
                self.make_array(&mut path, data.object);
                let value = (self.memory).initial_element(self.program, data.object);
                path.cells[cell.0] = value.map(Expr::Const);
            }
        }
        let atom = self.reached(&mut path, entry);
        self.clause(path, Head::Reached(atom));
    }

    fn path(&self, function: FunctionId) -> Path {
        Path {
            function,
            variables: Vec::new(),
            slots: Vec::new(),
            atoms: Vec::new(),
            conditions: Vec::new(),
            values: vec![None; self.program.function(function).regs.len()],
            cells: vec![None; self.memory.cells.len()],
            changes: BTreeMap::new(),
            instances: BTreeMap::new(),
            arguments: Vec::new(),
            cells_before: BTreeMap::new(),
            magnitudes: BTreeMap::new(),
        }
    }

    /// What a cell holds that changes.
    fn cell(&self, path: &mut Path, cell: CellId) -> Expr {
        if let Some(value) = &path.cells[cell.0] {
            return value.clone();
        }
        let parameter = self.of_cell(path.function, cell, ValueOf::Cell(cell));
        let value = path.variable(parameter.data, parameter.slot);
        path.cells[cell.0] = Some(value.clone());
        value
    }

    /// The state of a path, as one of a predicate of its function.
    fn reached(&self, path: &mut Path, predicate: PredicateId) -> Atom {
        let function = self.program.function(path.function);
        let parameters = self.predicates[predicate.0].parameters.iter();
        let arguments = parameters
            .map(|parameter| match parameter.value {
                ValueOf::Register(reg) => path.register(function, &self.signs, reg),
                ValueOf::Argument(position) => path.arguments[position].clone(),
                ValueOf::Cell(cell) => self.cell(path, cell),
                // What is not kept has not changed.
                ValueOf::CellBefore(cell) => match path.cells_before.get(&cell) {
                    Some(value) => value.clone(),
                    None => self.cell(path, cell),
                },
                ValueOf::Result => unreachable!("no location has a result"),
            })
            .collect();
        Atom {
            predicate,
            arguments,
        }
    }

    fn clause(&mut self, path: Path, head: Head) {
        self.clauses.push(Clause {
            variables: path.variables,
            slots: path.slots,
            atoms: path.atoms,
            conditions: path.conditions,
            head,
        });
    }

    /// Makes the clauses of a function.
    fn function(&mut self, id: FunctionId) -> Result<(), Refusal> {
        let function = self.program.function(id);
        if function.regs.iter().any(|reg| reg.bits > WIDEST) {
            return Err(Refusal::Wide);
        }
        if !function.in_edges(function.entry).is_empty() {
            return Err(Refusal::EntryLoop);
        }
        for node in function.node_ids() {
            if let Some(predicate) = self.at_node[id.index()][node.index()] {
                let mut path = self.path(id);
                self.begin(&mut path, predicate, node);
                self.from(path, node)?;
            }
        }
        Ok(())
    }

    /// The path begins at a location with a predicate.
    fn begin(&self, path: &mut Path, predicate: PredicateId, node: NodeId) {
        let function = self.program.function(path.function);
        let is_entry = node == function.entry;
        let parameters = &self.predicates[predicate.0].parameters;
        let changed = self.cells_before(path.function);
        let mut arguments = Vec::new();
        for parameter in parameters {
            let value = path.variable(parameter.data.clone(), parameter.slot);
            match parameter.value {
                ValueOf::Register(reg) => {
                    path.values[reg.index()] = Some(value.clone());
                    if is_entry {
                        path.arguments.push(value.clone());
                    }
                }
                ValueOf::Argument(_) => path.arguments.push(value.clone()),
                ValueOf::Cell(cell) => {
                    path.cells[cell.0] = Some(value.clone());
                    if is_entry && changed.contains(&cell) {
                        path.cells_before.insert(cell, value.clone());
                    }
                }
                ValueOf::CellBefore(cell) => {
                    path.cells_before.insert(cell, value.clone());
                }
                ValueOf::Result => {}
            }
            arguments.push(value);
        }
        path.atoms.push(Atom {
            predicate,
            arguments,
        });
        self.continue_arrays(path);
    }

    /// Follows a path on from a location, along a tree of edges.
    fn from(&mut self, path: Path, node: NodeId) -> Result<(), Refusal> {
        let function = self.program.function(path.function);
        let mut pending = vec![(path, node)];
        while let Some((path, node)) = pending.pop() {
            for edge in function.out_edges(node).iter().rev() {
                if self.clauses.len() > MOST_CLAUSES || path.variables.len() > MOST_VARIABLES {
                    return Err(Refusal::Large);
                }
                let mut path = path.clone();
                if self.edge(&mut path, *edge)? == GoesOn::No {
                    continue;
                }
                let target = function.target(*edge);
                match self.at_node[path.function.index()][target.index()] {
                    Some(predicate) => {
                        let atom = self.reached(&mut path, predicate);
                        self.clause(path, Head::Reached(atom));
                    }
                    None => pending.push((path, target)),
                }
            }
        }
        Ok(())
    }

    fn edge(&mut self, path: &mut Path, edge: EdgeId) -> Result<GoesOn, Refusal> {
        let function = self.program.function(path.function);
        for (position, step) in function.edge(edge).steps.iter().enumerate() {
            if self.step(path, edge, position, step)? == GoesOn::No {
                return Ok(GoesOn::No);
            }
        }
        Ok(GoesOn::Yes)
    }

    fn step(
        &mut self,
        path: &mut Path,
        edge: EdgeId,
        position: usize,
        step: &Step,
    ) -> Result<GoesOn, Refusal> {
        let function = self.program.function(path.function);
        check_values(&step.action)?;
        match &step.action {
            Action::Assume(condition) => {
                let condition = self.value(path, condition);
                path.conditions.push(condition);
            }
            Action::Assign(pairs) => {
                let values: Vec<(RegId, Option<Expr>)> = pairs
                    .iter()
                    .map(|(reg, value)| (*reg, self.given(path, path.function, *reg, value)))
                    .collect();
                for (reg, value) in values {
                    path.values[reg.index()] = value.map(|value| self.named(path, reg, value));
                }
            }
            Action::Input { dst, .. } => {
                let value = path.arbitrary(function, &self.signs, *dst);
                path.values[dst.index()] = Some(value);
            }
            Action::Call { dst, callee, args } => {
                let Callee::Direct(callee) = callee else {
                    return Err(Refusal::IndirectCall);
                };
                self.call(path, *dst, *callee, args);
            }
            Action::Return(value) => {
                self.give_back(path, value.as_ref());
                return Ok(GoesOn::No);
            }
            Action::Target => return Ok(self.end(path, &PathEnd::Target(step.span))),
            Action::End(kind) => return Ok(self.end(path, &PathEnd::Program(*kind, step.span))),
            Action::Unsupported(what) => {
                return Ok(self.end(path, &PathEnd::Unsupported(what.clone(), step.span)));
            }
            Action::Cut | Action::Goal(_) => {}
            Action::Load { dst, address } => {
                return self.load(path, *dst, address, step.span);
            }
            Action::Store { address, value } => {
                return self.store(path, address, value, step.span);
            }
            Action::Alloca { .. } => {
                let object = self.memory.made_at(path.function, edge, position);
                let object = object.ok_or(Refusal::Allocation)?;
                self.forget(path, object, 0, u64::MAX);
                self.make_array(path, object);
            }
            Action::Builtin { builtin, args, .. } => {
                return self.builtin(path, *builtin, args, step.span);
            }
        }
        Ok(GoesOn::Yes)
    }

    /// What comes to a register of a function when it is given a value, over the variables of the clause;
    /// `None` if that is arbitrary.
    fn given(&self, path: &mut Path, of: FunctionId, reg: RegId, value: &Expr) -> Option<Expr> {
        match self.memory.register(of, reg) {
            Holds::Offset { .. } => {
                let (_, offset) = self.memory.offset(path.function, value)?;
                let function = self.program.function(path.function);
                Some(path.replaced(function, &self.signs, &offset))
            }
            Holds::Number | Holds::Nothing | Holds::Mixed => Some(self.value(path, value)),
        }
    }

    /// A computed value as a variable of its own, so that expressions do not grow along a path.
    fn named(&self, path: &mut Path, reg: RegId, value: Expr) -> Expr {
        if matches!(value, Expr::Reg(_) | Expr::Const(_)) {
            return value;
        }
        let function = self.program.function(path.function);
        let variable = path.arbitrary(function, &self.signs, reg);
        define(path, &variable, value);
        variable
    }

    /// The callee is entered, and behind the call its result is one that it gives.
    fn call(&mut self, path: &mut Path, dst: Option<RegId>, callee: FunctionId, args: &[Expr]) {
        let entered = self.program.function(callee);
        let params = entered.params.iter().zip(args);
        let given: Vec<Expr> = params
            .map(|(param, argument)| {
                let value = self.given(path, callee, *param, argument);
                value.unwrap_or_else(|| path.unknown(&self.signs, entered.reg(*param).bits))
            })
            .collect();
        let mut arguments = given;
        for cell in self.memory.shared(callee) {
            arguments.push(self.cell(path, cell));
        }
        let entry = Atom {
            predicate: self.predicate_at(callee, entered.entry),
            arguments: arguments.clone(),
        };
        self.clause(path.clone(), Head::Reached(entry));
        for cell in self.memory.changed(callee) {
            path.cells[cell.0] = None;
            arguments.push(self.cell(path, cell));
        }
        if let Some(bits) = entered.result_bits {
            let slot = self.signs.result(callee);
            let data = RegData {
                name: entered.name.clone(),
                bits,
                pointer: false,
            };
            let result = path.variable(data, slot);
            arguments.push(result.clone());
            if let Some(dst) = dst {
                path.values[dst.index()] = Some(result);
            }
        }
        path.atoms.push(Atom {
            predicate: self.result_of(callee),
            arguments,
        });
        self.change_arrays(path, callee);
    }

    fn give_back(&mut self, path: &mut Path, value: Option<&Expr>) {
        if path.function == self.program.main && !self.is_main_called {
            return;
        }
        let predicate = self.result_of(path.function);
        let parameters = self.predicates[predicate.0].parameters.clone();
        let mut arguments = Vec::new();
        for parameter in parameters {
            arguments.push(match (parameter.value, value) {
                (ValueOf::Argument(position), _) => path.arguments[position].clone(),
                (ValueOf::CellBefore(cell), _) => match path.cells_before.get(&cell) {
                    Some(value) => value.clone(),
                    None => self.cell(path, cell),
                },
                (ValueOf::Cell(cell), _) => self.cell(path, cell),
                (ValueOf::Result, Some(value)) => self.value(path, value),
                (ValueOf::Result | ValueOf::Register(_), _) => {
                    path.unknown(&self.signs, parameter.data.bits)
                }
            });
        }
        let atom = Atom {
            predicate,
            arguments,
        };
        self.clause(path.clone(), Head::Reached(atom));
    }

    fn end(&mut self, path: &Path, end: &PathEnd) -> GoesOn {
        match self.property.meaning(end) {
            Meaning::Defined | Meaning::Trap(_) => {}
            Meaning::Undefined(reason) => self.clause(path.clone(), Head::Undefined(reason)),
            Meaning::Violation(_) | Meaning::Open(_) => self.clause(path.clone(), Head::Violation),
        }
        GoesOn::No
    }
}

/// Refuses floats.
fn check_values(action: &Action) -> Result<(), Refusal> {
    let mut refused = None;
    action.for_each_expr(&mut |expr| {
        expr.for_each(&mut |part| match part {
            Expr::FloatBinary(..) | Expr::FloatCast(..) => refused = Some(Refusal::Floats),
            Expr::Const(_)
            | Expr::Reg(_)
            | Expr::Global(_)
            | Expr::Function(_)
            | Expr::Binary(..)
            | Expr::Compare(..)
            | Expr::Cast(..)
            | Expr::Ite(..) => {}
        });
    });
    match refused {
        Some(refusal) => Err(refusal),
        None => Ok(()),
    }
}

impl System {
    /// Whether a register holds what depends on no address.
    pub(super) fn is_number(&self, function: FunctionId, reg: RegId) -> bool {
        self.memory.register(function, reg) == Holds::Number
    }

    /// The bits of the widest product of unknowns.
    pub(super) fn widest_product(&self) -> Option<u32> {
        let mut widest = None;
        for clause in &self.clauses {
            for condition in &clause.conditions {
                condition.for_each(&mut |part| {
                    if let Expr::Binary(BinOp::Mul, lhs, rhs) = part
                        && !matches!(**lhs, Expr::Const(_))
                        && !matches!(**rhs, Expr::Const(_))
                    {
                        let bits = part.bits(&clause.variables, self.pointer_bits);
                        widest = widest.max(Some(bits));
                    }
                });
            }
        }
        widest
    }
}
