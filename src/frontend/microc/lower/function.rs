//! One function: its variables and statements, and inlined calls.

use super::{CELL_BYTES, POINTER_BITS, Tables, bits, span};
use crate::microc::ast::{self, ExpressionKind, Position, Statement, StatementKind};
use flowgraph::{
    Action, Builtin, EndKind, Expr, Function, FunctionBuilder, FunctionId, GoalId, NodeId, RegId,
    Span, Step,
};
use indexmap::{IndexMap, IndexSet};
use std::collections::BTreeSet;
use term::{BinOp, Bv};

/// A function is put in place of its calls as long as the caller has fewer edges than this; as in
/// the front end for C, which counts instructions.
const MOST_EDGES: usize = 20_000;

/// And as long as so many others are not being put in place around it.
const MOST_NESTED: usize = 64;

/// Where a variable is.
#[derive(Clone, Copy)]
pub(super) enum Variable {
    /// The flag decides whether it has a value; `None` if that is certain at every use.
    Register { value: RegId, flag: Option<RegId> },
    /// The same, where functions that are put in place may change it while an expression is being
    /// evaluated.
    Promoted { value: RegId, flag: Option<RegId> },
    /// A parameter that stands for a pointer to this register, which has a value.
    Alias { value: RegId },
    /// In the cell to which this register points. The flag is that of a register, too; where cells
    /// have flags themselves, it is not used.
    Cell { pointer: RegId, flag: Option<RegId> },
}

/// The argument of a parameter.
pub(super) enum Argument {
    Value(Expr),
    /// A pointer to this register, to be followed only.
    Alias(RegId),
}

/// A function whose body is being lowered, itself or in the place of a call.
pub(super) struct Scope<'p> {
    pub function: &'p ast::Function,
    pub variables: IndexMap<&'p str, Variable>,
}

/// Builds one function of the flowgraph.
pub(super) struct Lowerer<'t, 'p> {
    pub tables: &'t Tables<'p>,
    pub builder: FunctionBuilder,
    /// Where the next action goes.
    pub here: NodeId,
    /// The functions that are being lowered; the last is that of the current place.
    pub scopes: Vec<Scope<'p>>,
    function: &'p ast::Function,
    numbered: &'t mut IndexSet<&'p str>,
}

impl<'t, 'p> Lowerer<'t, 'p> {
    pub(super) fn new(
        tables: &'t Tables<'p>,
        function: &'p ast::Function,
        numbered: &'t mut IndexSet<&'p str>,
    ) -> Lowerer<'t, 'p> {
        let mut builder = FunctionBuilder::new(&function.name.text);
        let here = builder.add_node("entry", span(function.name.at));
        Lowerer {
            tables,
            builder,
            here,
            scopes: Vec::new(),
            function,
            numbered,
        }
    }

    pub(super) fn lower(mut self) -> Function {
        let function = self.function;
        let name = &function.name.text;
        let result = self.tables.types.result(name);
        self.builder.set_result_bits(Some(bits(result)));
        let mut arguments = Vec::new();
        for parameter in &function.parameters {
            let shape = self.tables.types.variable(name, &parameter.text);
            let bits = bits(shape);
            let pointer = bits == POINTER_BITS;
            let register = self.builder.add_param(&parameter.text, bits, pointer);
            arguments.push(Argument::Value(Expr::Reg(register)));
        }
        let value = self.body(function, arguments);
        let end = self.builder.add_node("end", span(function.result.at));
        let step = Step::new(Action::Return(Some(value)), span(function.result.at));
        self.builder.add_edge(self.here, end, vec![step]);
        self.builder.finish()
    }

    /// The body of a function whose arguments are known, to its result.
    fn body(&mut self, function: &'p ast::Function, arguments: Vec<Argument>) -> Expr {
        if self.tables.targets.contains(function.name.at) {
            self.act(Action::Target, function.name.at);
        }
        self.enter(function, arguments);
        for statement in &function.body {
            self.statement(statement);
        }
        if self.tables.targets.contains(function.result.at) {
            self.act(Action::Target, function.result.at);
        }
        self.pass(
            self.tables.marks.of_result(&function.result),
            function.result.at,
        );
        let value = self.value(&function.result);
        self.scopes.pop();
        value
    }

    /// Makes the variables; parameters get the arguments.
    fn enter(&mut self, function: &'p ast::Function, arguments: Vec<Argument>) {
        let at = function.name.at;
        let referenced = referenced(function);
        let uncertain = &self.tables.uncertain[function.name.text.as_str()];
        let mut arguments = arguments.into_iter();
        let mut variables = IndexMap::new();
        let (mut assigned, mut cleared) = (Vec::new(), Vec::new());
        let mut stored = Vec::new();
        for name in function.locals() {
            let shape = self.tables.types.variable(&function.name.text, &name.text);
            let needs_flag = uncertain.variables.contains(name.text.as_str());
            let is_promoted = (self.tables.promotion).is_promoted(&function.name.text, &name.text);
            let is_cell = referenced.contains(name.text.as_str()) && !is_promoted;
            let has_own_flag = needs_flag && !(is_cell && self.tables.cells_are_flagged);
            let flag = has_own_flag.then(|| {
                let flag = self
                    .builder
                    .add_reg(&format!("{}.set", name.text), 1, false);
                cleared.push((flag, Expr::truth(false)));
                flag
            });
            let argument = match arguments.next() {
                Some(Argument::Alias(value)) => {
                    variables.insert(name.text.as_str(), Variable::Alias { value });
                    continue;
                }
                Some(Argument::Value(value)) => Some(value),
                None => None,
            };
            let variable = if is_cell {
                let pointer = self.new_cell(&name.text, at);
                stored.extend(argument.map(|argument| (pointer, argument)));
                Variable::Cell { pointer, flag }
            } else {
                let width = bits(shape);
                let value = match argument {
                    // A parameter of the function itself is in its register already.
                    Some(Expr::Reg(reg)) if self.scopes.is_empty() => reg,
                    argument => {
                        let pointer = width == POINTER_BITS;
                        let value = self.builder.add_reg(&name.text, width, pointer);
                        assigned.extend(argument.map(|argument| (value, argument)));
                        value
                    }
                };
                if is_promoted {
                    Variable::Promoted { value, flag }
                } else {
                    Variable::Register { value, flag }
                }
            };
            variables.insert(name.text.as_str(), variable);
        }
        for (pointer, argument) in stored {
            self.store_cell(Expr::Reg(pointer), argument, at);
        }
        assigned.extend(cleared);
        if !assigned.is_empty() {
            self.act(Action::Assign(assigned), at);
        }
        self.scopes.push(Scope {
            function,
            variables,
        });
    }

    /// A new object for one value, without one.
    pub(super) fn new_cell(&mut self, name: &str, at: Position) -> RegId {
        let flag = if self.tables.cells_are_flagged { 1 } else { 0 };
        self.allocate(name, CELL_BYTES + flag * CELL_BYTES, at)
    }

    /// A new object of so many bytes, all zero; gives the pointer to it.
    pub(super) fn allocate(&mut self, name: &str, bytes: u64, at: Position) -> RegId {
        let pointer = self
            .builder
            .add_reg(&format!("{name}.at"), POINTER_BITS, true);
        let sized = |value| Expr::Const(Bv::new(POINTER_BITS, value));
        let action = Action::Builtin {
            dst: Some(pointer),
            builtin: Builtin::Calloc,
            args: vec![sized(1), sized(bytes)],
            name: Some(name.to_owned()),
        };
        self.act(action, at);
        pointer
    }

    /// Stores a value into a cell, which has one then.
    pub(super) fn store_cell(&mut self, pointer: Expr, value: Expr, at: Position) {
        self.act(
            Action::Store {
                address: pointer.clone(),
                value,
            },
            at,
        );
        if self.tables.cells_are_flagged {
            let address = flag_of(pointer);
            let value = Expr::Const(Bv::new(8, 1));
            self.act(Action::Store { address, value }, at);
        }
    }

    /// Continues only where a cell has a value.
    pub(super) fn check_cell(&mut self, pointer: Expr, at: Position) {
        if !self.tables.cells_are_flagged {
            return;
        }
        let flag = self.builder.add_reg("set", 8, false);
        let address = flag_of(pointer);
        self.act(Action::Load { dst: flag, address }, at);
        let is_unset = equals_zero(Expr::Reg(flag), 8);
        self.end_where(is_unset, EndKind::Uninitialised, at);
    }

    pub(super) fn variable(&self, name: &str) -> Variable {
        let scope = self.scopes.last().expect("a function is being lowered");
        scope.variables[name]
    }

    /// Appends an action.
    pub(super) fn act(&mut self, action: Action, at: Position) {
        let next = self.node("at", at);
        let step = Step::new(action, span(at));
        self.builder.add_edge(self.here, next, vec![step]);
        self.here = next;
    }

    /// Passes a goal of coverage, if there is one.
    pub(super) fn pass(&mut self, goal: Option<u32>, at: Position) {
        if let Some(goal) = goal {
            self.act(Action::Goal(GoalId(goal)), at);
        }
    }

    pub(super) fn node(&mut self, name: &str, at: Position) -> NodeId {
        self.builder.add_node(name, span(at))
    }

    pub(super) fn jump(&mut self, to: NodeId) {
        self.builder.add_edge(self.here, to, Vec::new());
    }

    /// Branches on a condition of width 1, unless it is known.
    pub(super) fn branch(&mut self, condition: Expr, then: NodeId, otherwise: NodeId, at: Span) {
        if let Expr::Const(known) = condition {
            return self.jump(if known.is_zero() { otherwise } else { then });
        }
        let negated = condition.clone().negate();
        for (condition, to) in [(condition, then), (negated, otherwise)] {
            let step = Step::new(Action::Assume(condition), at);
            self.builder.add_edge(self.here, to, vec![step]);
        }
    }

    /// The program ends so where a condition of width 1 holds; where it is known, nothing branches.
    pub(super) fn end_where(&mut self, condition: Expr, kind: EndKind, at: Position) {
        if condition == Expr::truth(false) {
            return;
        }
        let (error, next) = (self.node("error", at), self.node("at", at));
        self.branch(condition, error, next, span(at));
        let end = self.node("end", at);
        let step = Step::new(Action::End(kind), span(at));
        self.builder.add_edge(error, end, vec![step]);
        self.here = next;
    }

    fn statement(&mut self, statement: &'p Statement) {
        let at = statement.at;
        if self.tables.targets.contains(at) {
            self.act(Action::Target, at);
        }
        self.pass(self.tables.marks.of_statement(statement), at);
        match &statement.kind {
            StatementKind::Output { value } => {
                self.value(value);
            }
            StatementKind::Block { statements } => {
                for statement in statements {
                    self.statement(statement);
                }
            }
            StatementKind::While { condition, body } => {
                let header = self.node("while", at);
                self.jump(header);
                self.here = header;
                let (inside, behind) = (self.node("body", body.at), self.node("behind", at));
                self.decide(condition, inside, behind);
                self.here = inside;
                self.statement(body);
                self.jump(header);
                self.here = behind;
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                let (inside, behind) = (self.node("then", then.at), self.node("behind", at));
                let else_at = otherwise.as_ref().map_or(at, |otherwise| otherwise.at);
                let other = self.node("else", else_at);
                self.decide(condition, inside, other);
                self.here = inside;
                self.statement(then);
                self.jump(behind);
                self.here = other;
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise);
                }
                self.jump(behind);
                self.here = behind;
            }
            StatementKind::Assignment { target, value } => {
                let value = self.value(value);
                let ExpressionKind::Variable { name } = &target.kind else {
                    return self.assign_in_memory(target, value);
                };
                match self.variable(name) {
                    Variable::Register { value: reg, flag }
                    | Variable::Promoted { value: reg, flag } => {
                        let mut pairs = vec![(reg, value)];
                        pairs.extend(flag.map(|flag| (flag, Expr::truth(true))));
                        self.act(Action::Assign(pairs), at);
                    }
                    Variable::Cell { pointer, flag } => {
                        self.store_cell(Expr::Reg(pointer), value, target.at);
                        if let Some(flag) = flag {
                            let pairs = vec![(flag, Expr::truth(true))];
                            self.act(Action::Assign(pairs), at);
                        }
                    }
                    Variable::Alias { .. } => unreachable!("such a parameter is only followed"),
                }
            }
        }
    }

    /// A call of a function, to its result.
    pub(super) fn call(&mut self, name: &'p ast::Name, arguments: &'p [ast::Expression]) -> Expr {
        let tables = self.tables;
        let function = tables
            .program
            .function(&name.text)
            .expect("calls are checked");
        let mut values = Vec::new();
        let mut has_alias = false;
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            let is_followed = tables.promotion.is_followed(&name.text, &parameter.text);
            let alias = self.register_pointed_to(argument).filter(|_| is_followed);
            has_alias |= alias.is_some();
            values.push(match alias {
                Some(register) => Argument::Alias(register),
                None => Argument::Value(self.value(argument)),
            });
        }
        let is_small = self.builder.n_edges() < MOST_EDGES && self.scopes.len() < MOST_NESTED;
        let in_place = tables.inline && !tables.calls.is_recursive(&name.text) && is_small;
        if in_place || has_alias {
            return self.body(function, values);
        }
        let values = values.into_iter().map(|value| match value {
            Argument::Value(value) => value,
            Argument::Alias(_) => unreachable!("calls with an alias are put in place"),
        });
        let (number, _) = self.numbered.insert_full(&function.name.text);
        let number = u32::try_from(number).expect("programs have less than 2^32 functions");
        let width = bits(tables.types.result(&name.text));
        let result = self.builder.add_reg(
            &format!("{}.result", name.text),
            width,
            width == POINTER_BITS,
        );
        let action = Action::Call {
            dst: Some(result),
            callee: flowgraph::Callee::Direct(FunctionId(number)),
            args: values.collect(),
        };
        self.act(action, name.at);
        Expr::Reg(result)
    }

    /// The register to which an argument is a pointer, if it is one to a register.
    fn register_pointed_to(&self, argument: &ast::Expression) -> Option<RegId> {
        match &argument.kind {
            ExpressionKind::Reference { name } => match self.variable(&name.text) {
                Variable::Promoted { value, .. } => Some(value),
                Variable::Register { .. } | Variable::Alias { .. } | Variable::Cell { .. } => None,
            },
            ExpressionKind::Variable { name } => match self.variable(name) {
                Variable::Alias { value } => Some(value),
                Variable::Register { .. } | Variable::Promoted { .. } | Variable::Cell { .. } => {
                    None
                }
            },
            _ => None,
        }
    }

    /// The register that a dereferenced expression stands for, if it is a pointer to one.
    pub(super) fn alias(&self, pointer: &ast::Expression) -> Option<RegId> {
        let ExpressionKind::Variable { name } = &pointer.kind else {
            return None;
        };
        match self.variable(name) {
            Variable::Alias { value } => Some(value),
            Variable::Register { .. } | Variable::Promoted { .. } | Variable::Cell { .. } => None,
        }
    }
}

/// The variables of a function to which pointers are made.
fn referenced(function: &ast::Function) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    function.for_each_expression(&mut |expression| {
        if let ExpressionKind::Reference { name } = &expression.kind {
            names.insert(name.text.as_str());
        }
    });
    names
}

/// The address of the flag behind a cell's value.
fn flag_of(pointer: Expr) -> Expr {
    let offset = Expr::Const(Bv::new(POINTER_BITS, CELL_BYTES));
    Expr::Binary(BinOp::Add, Box::new(pointer), Box::new(offset))
}

/// Whether an expression of so many bits is zero.
pub(super) fn equals_zero(value: Expr, bits: u32) -> Expr {
    if let Expr::Const(value) = value {
        return Expr::truth(value.is_zero());
    }
    let zero = Expr::Const(Bv::zero(bits));
    Expr::Compare(term::CmpOp::Eq, Box::new(value), Box::new(zero))
}
