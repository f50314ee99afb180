//! The clauses of a program.
//!
//! Between locations at which paths join, each path is a clause of its own. Values that a path
//! computes are written in terms of the variables of its clause: those of the location where it
//! begins, inputs, and results of calls.

use super::signs::{Signs, Slot};
use crate::flowgraph::{
    Action, Callee, EdgeId, Expr, Function, FunctionId, NodeId, Program, RegData, RegId, Span, Step,
};
use crate::property::{Meaning, Property, Reason};
use crate::semantics::PathEnd;
use crate::term::BinOp;
use std::collections::BTreeSet;

/// No program has more clauses.
const MOST_CLAUSES: usize = 4_000;
/// No clause reads more than this many variables, be they used or not.
const MOST_VARIABLES: usize = 2_000;
/// Wider values are arbitrary over the integers anyway.
const WIDEST: u32 = 64;

/// Why a program has no system of clauses.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    #[error("it uses memory")]
    Memory,
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
    pub data: RegData,
    pub slot: Slot,
    /// Whose value it is; `None` for what the function was called with or returns.
    pub reg: Option<RegId>,
    /// Whether it is what the function was called with.
    pub is_argument: bool,
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
    pub(super) pointer_bits: u32,
}

impl System {
    /// The clauses of a program that uses no memory.
    ///
    /// # Errors
    /// [`Refusal`] if the clauses would not have all executions, or there is nothing to prove by
    /// induction.
    pub fn new(program: &Program, property: Property) -> Result<System, Refusal> {
        let called = called_functions(program)?;
        let is_recursive = called
            .iter()
            .any(|function| reaches_itself(program, *function));
        let has_loops = |id: &FunctionId| !program.function(*id).loops().loops.is_empty();
        if !is_recursive && !called.iter().any(has_loops) {
            return Err(Refusal::Straight);
        }
        let mut builder = Builder {
            program,
            property,
            signs: Signs::of(program),
            predicates: Vec::new(),
            clauses: Vec::new(),
            at_node: vec![Vec::new(); program.functions.len()],
            at_result: vec![None; program.functions.len()],
        };
        for id in &called {
            builder.declare(*id);
        }
        for id in &called {
            builder.function(*id)?;
        }
        let main = program.function(program.main);
        let entry = builder.predicate_at(program.main, main.entry);
        builder.start(entry);
        Ok(System {
            predicates: builder.predicates,
            clauses: builder.clauses,
            signs: builder.signs,
            pointer_bits: program.pointer_bits,
        })
    }
}

/// `main` and what it calls, each once, in the order in which they are met.
fn called_functions(program: &Program) -> Result<Vec<FunctionId>, Refusal> {
    let mut found = vec![program.main];
    let mut next = 0;
    while let Some(id) = found.get(next).copied() {
        next += 1;
        for callee in callees(program.function(id))? {
            if !found.contains(&callee) {
                found.push(callee);
            }
        }
    }
    Ok(found)
}

fn callees(function: &Function) -> Result<BTreeSet<FunctionId>, Refusal> {
    let edges = function.edge_ids().map(|edge| function.edge(edge));
    let mut found = BTreeSet::new();
    for step in edges.flat_map(|edge| &edge.steps) {
        if let Action::Call { callee, .. } = &step.action {
            match callee {
                Callee::Direct(id) => found.insert(*id),
                Callee::Indirect(_) => return Err(Refusal::IndirectCall),
            };
        }
    }
    Ok(found)
}

fn reaches_itself(program: &Program, id: FunctionId) -> bool {
    let mut seen = BTreeSet::new();
    let mut pending = vec![id];
    while let Some(next) = pending.pop() {
        for callee in callees(program.function(next)).unwrap_or_default() {
            if callee == id {
                return true;
            }
            if seen.insert(callee) {
                pending.push(callee);
            }
        }
    }
    false
}

struct Builder<'p> {
    program: &'p Program,
    property: Property,
    signs: Signs,
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
    /// What each register of the function holds; `None` for what is not live.
    values: Vec<Option<Expr>>,
    /// What the function was called with.
    arguments: Vec<Expr>,
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

    /// An expression over the registers of the function, over the variables of the clause.
    fn value(&mut self, function: &Function, signs: &Signs, expr: &Expr) -> Expr {
        let mut unknown = BTreeSet::new();
        expr.for_each_reg(&mut |reg| {
            if self.values[reg.index()].is_none() {
                unknown.insert(reg);
            }
        });
        for reg in unknown {
            let value = self.arbitrary(function, signs, reg);
            self.values[reg.index()] = Some(value);
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
                let live = function.liveness().regs_at(function, node);
                let live: Vec<RegId> = if node == function.entry {
                    function.params.clone()
                } else {
                    live.collect()
                };
                let mut parameters = self.parameters(id, &live, false);
                if node != function.entry {
                    parameters.extend(self.parameters(id, &function.params, true));
                }
                let place = Place::Node(node);
                self.at_node[id.index()][node.index()] =
                    Some(self.predicate(id, place, parameters));
            }
        }
        let mut parameters = self.parameters(id, &function.params, true);
        if let Some(bits) = function.result_bits {
            parameters.push(Parameter {
                data: RegData {
                    name: "\\result".to_owned(),
                    bits,
                    pointer: false,
                },
                slot: self.signs.result(id),
                reg: None,
                is_argument: false,
            });
        }
        self.at_result[id.index()] = Some(self.predicate(id, Place::Result, parameters));
    }

    fn parameters(&self, id: FunctionId, regs: &[RegId], is_argument: bool) -> Vec<Parameter> {
        let function = self.program.function(id);
        let parameter = |reg: &RegId| Parameter {
            data: function.reg(*reg).clone(),
            slot: self.signs.register(id, *reg),
            reg: (!is_argument).then_some(*reg),
            is_argument,
        };
        regs.iter().map(parameter).collect()
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
        let main = self.program.function(self.program.main);
        let mut path = self.path(self.program.main);
        let arguments = main.params.iter();
        let arguments = arguments
            .map(|reg| path.arbitrary(main, &self.signs, *reg))
            .collect();
        let atom = Atom {
            predicate: entry,
            arguments,
        };
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
            arguments: Vec::new(),
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
        let parameters = self.predicates[predicate.0].parameters.clone();
        let is_entry = node == function.entry;
        let live: Vec<RegId> = if is_entry {
            function.params.clone()
        } else {
            function.liveness().regs_at(function, node).collect()
        };
        let mut arguments = Vec::new();
        for (position, parameter) in parameters.into_iter().enumerate() {
            let value = path.variable(parameter.data, parameter.slot);
            if let Some(reg) = live.get(position) {
                path.values[reg.index()] = Some(value.clone());
            }
            if parameter.is_argument || is_entry {
                path.arguments.push(value.clone());
            }
            arguments.push(value);
        }
        path.atoms.push(Atom {
            predicate,
            arguments,
        });
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
                    Some(predicate) => self.arrive(path, predicate, target),
                    None => pending.push((path, target)),
                }
            }
        }
        Ok(())
    }

    /// The path ends at a location with a predicate.
    fn arrive(&mut self, mut path: Path, predicate: PredicateId, node: NodeId) {
        let function = self.program.function(path.function);
        let live: Vec<RegId> = function.liveness().regs_at(function, node).collect();
        let mut arguments: Vec<Expr> = live
            .iter()
            .map(|reg| path.value(function, &self.signs, &Expr::Reg(*reg)))
            .collect();
        arguments.extend(path.arguments.iter().cloned());
        let atom = Atom {
            predicate,
            arguments,
        };
        self.clause(path, Head::Reached(atom));
    }

    fn edge(&mut self, path: &mut Path, edge: EdgeId) -> Result<GoesOn, Refusal> {
        let function = self.program.function(path.function);
        for step in &function.edge(edge).steps {
            if self.step(path, step)? == GoesOn::No {
                return Ok(GoesOn::No);
            }
        }
        Ok(GoesOn::Yes)
    }

    fn step(&mut self, path: &mut Path, step: &Step) -> Result<GoesOn, Refusal> {
        let function = self.program.function(path.function);
        check_values(&step.action)?;
        match &step.action {
            Action::Assume(condition) => {
                let condition = path.value(function, &self.signs, condition);
                path.conditions.push(condition);
            }
            Action::Assign(pairs) => {
                let values: Vec<(RegId, Expr)> = pairs
                    .iter()
                    .map(|(reg, value)| (*reg, path.value(function, &self.signs, value)))
                    .collect();
                for (reg, value) in values {
                    let value = self.named(path, reg, value);
                    path.values[reg.index()] = Some(value);
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
            Action::Load { .. }
            | Action::Store { .. }
            | Action::Alloca { .. }
            | Action::Builtin { .. } => return Err(Refusal::Memory),
        }
        Ok(GoesOn::Yes)
    }

    /// A computed value as a variable of its own, so that expressions do not grow along a path.
    fn named(&self, path: &mut Path, reg: RegId, value: Expr) -> Expr {
        if matches!(value, Expr::Reg(_) | Expr::Const(_)) {
            return value;
        }
        let function = self.program.function(path.function);
        let variable = path.arbitrary(function, &self.signs, reg);
        path.conditions.push(Expr::Compare(
            crate::term::CmpOp::Eq,
            Box::new(variable.clone()),
            Box::new(value),
        ));
        variable
    }

    /// The callee is entered, and behind the call its result is one that it gives.
    fn call(&mut self, path: &mut Path, dst: Option<RegId>, callee: FunctionId, args: &[Expr]) {
        let function = self.program.function(path.function);
        let arguments: Vec<Expr> = args
            .iter()
            .map(|argument| path.value(function, &self.signs, argument))
            .collect();
        let entered = self.program.function(callee);
        let entry = Atom {
            predicate: self.predicate_at(callee, entered.entry),
            arguments: arguments.clone(),
        };
        self.clause(path.clone(), Head::Reached(entry));
        let mut arguments = arguments;
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
    }

    fn give_back(&mut self, path: &mut Path, value: Option<&Expr>) {
        if path.function == self.program.main && !self.is_called(self.program.main) {
            return;
        }
        let function = self.program.function(path.function);
        let mut arguments = path.arguments.clone();
        if let Some(value) = value {
            let value = path.value(function, &self.signs, value);
            arguments.push(value);
        }
        let atom = Atom {
            predicate: self.result_of(path.function),
            arguments,
        };
        self.clause(path.clone(), Head::Reached(atom));
    }

    fn is_called(&self, id: FunctionId) -> bool {
        let functions = self.program.functions.iter();
        functions
            .filter_map(|function| callees(function).ok())
            .any(|callees| callees.contains(&id))
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

/// Refuses what has no meaning without memory, and floats.
fn check_values(action: &Action) -> Result<(), Refusal> {
    let mut refused = None;
    action.for_each_expr(&mut |expr| {
        expr.for_each(&mut |part| match part {
            Expr::Global(_) | Expr::Function(_) => refused = Some(Refusal::Memory),
            Expr::FloatBinary(..) | Expr::FloatCast(..) => refused = Some(Refusal::Floats),
            Expr::Const(_)
            | Expr::Reg(_)
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

    /// Where a loop begins in the source, for a predicate at its header.
    pub(super) fn loop_at(&self, program: &Program, predicate: PredicateId) -> Option<Span> {
        let predicate = &self.predicates[predicate.0];
        let Place::Node(node) = predicate.place else {
            return None;
        };
        let function = program.function(predicate.function);
        let nest = function.loops();
        let natural = nest.loops.iter().find(|natural| natural.header == node)?;
        let lines = natural.lines?;
        Some(Span {
            file: lines.file,
            line: lines.first,
            column: 0,
        })
    }
}
