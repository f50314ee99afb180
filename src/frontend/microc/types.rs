//! Type inference by unification.
//!
//! The thesis assumes that programs are well typed (Section 2.4); here they have to be. A function
//! has one type for all its calls. Types may be recursive, as those of lists are, so that equal
//! types are found without an occurs check: types are a graph.
//!
//! # Source
//! The rules for the operations are those of Sections 2.2 and 2.3 of the thesis.

use super::ast::{
    BinaryOperator, Diagnostic, Expression, ExpressionId, ExpressionKind, Function, Name, Position,
    Program, Statement, StatementKind,
};
use indexmap::IndexMap;
use std::collections::BTreeMap;

/// A node of the graph of types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TypeId(usize);

/// The known part of a type.
#[derive(Clone, Debug)]
enum Node {
    /// The same as another.
    Link(TypeId),
    /// Nothing demands anything of it.
    Any,
    Number,
    Pointer(TypeId),
    Array(TypeId),
    Record {
        fields: BTreeMap<String, TypeId>,
        /// Whether it was made with these fields; otherwise it has at least these.
        is_made: bool,
    },
}

/// How a value is held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    Number,
    /// A pointer, or where the elements of an array or the fields of a record are.
    Reference,
}

/// The types of a program's functions, variables and expressions.
#[derive(Debug)]
pub struct Types {
    nodes: Vec<Node>,
    /// By function and variable.
    locals: IndexMap<(String, String), TypeId>,
    /// By function.
    results: IndexMap<String, TypeId>,
    /// Indexed by [`ExpressionId`].
    expressions: Vec<Option<TypeId>>,
}

/// Names and types of a parsed program.
///
/// # Errors
/// Names that are declared twice or not at all, calls that do not fit, a missing or unfit `main`,
/// and values of different types where one is demanded.
pub fn infer(program: &Program) -> Result<Types, Diagnostic> {
    let mut types = Types {
        nodes: Vec::new(),
        locals: IndexMap::new(),
        results: IndexMap::new(),
        expressions: vec![None; super::parse::n_expressions(program)],
    };
    types.declare(program)?;
    for function in &program.functions {
        let mut checker = Checker {
            program,
            function,
            types: &mut types,
        };
        for statement in &function.body {
            checker.statement(statement)?;
        }
        let result = checker.expression(&function.result)?;
        let declared = types.results[&function.name.text];
        types.unify(result, declared, function.result.at)?;
    }
    types.check_main(program)?;
    types.check_records(program)?;
    Ok(types)
}

type Checked<T> = Result<T, Diagnostic>;

impl Types {
    /// How the values of a variable are held.
    ///
    /// # Panics
    /// If the function has no such variable; so do all methods here that take names.
    #[must_use]
    pub fn variable(&self, function: &str, variable: &str) -> Shape {
        self.shape(self.local(function, variable))
    }

    /// How the result of a function is held.
    #[must_use]
    pub fn result(&self, function: &str) -> Shape {
        self.shape(self.results[function])
    }

    /// How the value of an expression is held.
    ///
    /// # Panics
    /// If the expression is not of the program.
    #[must_use]
    pub fn of(&self, expression: &Expression) -> Shape {
        self.shape(self.expression(expression.id))
    }

    /// The fields of a record, in the order of their names, and how they are held.
    ///
    /// # Panics
    /// If the expression is no record of the program.
    #[must_use]
    pub fn fields(&self, record: &Expression) -> Vec<(&str, Shape)> {
        match &self.nodes[self.find(self.expression(record.id)).0] {
            Node::Record { fields, .. } => fields
                .iter()
                .map(|(name, ty)| (name.as_str(), self.shape(*ty)))
                .collect(),
            other => panic!("{other:?} has no fields"),
        }
    }

    fn local(&self, function: &str, variable: &str) -> TypeId {
        self.locals[&(function.to_owned(), variable.to_owned())]
    }

    fn expression(&self, id: ExpressionId) -> TypeId {
        self.expressions[id.0 as usize].expect("all expressions have types")
    }

    fn shape(&self, ty: TypeId) -> Shape {
        match self.nodes[self.find(ty).0] {
            // What nothing demands anything of may be a number as well.
            Node::Number | Node::Any => Shape::Number,
            Node::Pointer(_) | Node::Array(_) | Node::Record { .. } => Shape::Reference,
            Node::Link(_) => unreachable!("links are followed"),
        }
    }

    fn make(&mut self, node: Node) -> TypeId {
        self.nodes.push(node);
        TypeId(self.nodes.len() - 1)
    }

    fn find(&self, ty: TypeId) -> TypeId {
        let mut ty = ty;
        while let Node::Link(next) = self.nodes[ty.0] {
            ty = next;
        }
        ty
    }

    fn declare(&mut self, program: &Program) -> Checked<()> {
        for function in &program.functions {
            let result = self.make(Node::Any);
            let earlier = self.results.insert(function.name.text.clone(), result);
            if earlier.is_some() {
                let message = format!("there is a function `{}` already", function.name.text);
                return Err(Diagnostic::new(function.name.at, message));
            }
            for local in function.locals() {
                let ty = self.make(Node::Any);
                let key = (function.name.text.clone(), local.text.clone());
                if self.locals.insert(key, ty).is_some() {
                    let message = format!("`{}` is declared twice", local.text);
                    return Err(Diagnostic::new(local.at, message));
                }
            }
        }
        Ok(())
    }

    fn check_main(&mut self, program: &Program) -> Checked<()> {
        let Some(main) = program.function("main") else {
            let at = Position { line: 1, column: 1 };
            let message = "there is no function `main`; the program starts there";
            return Err(Diagnostic::new(at, message));
        };
        let number = self.make(Node::Number);
        self.unify(self.results["main"], number, main.result.at)?;
        for parameter in &main.parameters {
            let number = self.make(Node::Number);
            self.unify(self.local("main", &parameter.text), number, parameter.at)?;
        }
        Ok(())
    }

    /// Records do not hold records (thesis, Section 2.3).
    fn check_records(&self, program: &Program) -> Checked<()> {
        let mut nested = None;
        for function in &program.functions {
            function.for_each_expression(&mut |expression| {
                let ty = self.find(self.expression(expression.id));
                let Node::Record { fields, .. } = &self.nodes[ty.0] else {
                    return;
                };
                for (name, field) in fields {
                    let field = self.find(*field);
                    if matches!(self.nodes[field.0], Node::Record { .. }) {
                        nested.get_or_insert((expression.at, name.clone()));
                    }
                }
            });
        }
        match nested {
            None => Ok(()),
            Some((at, name)) => {
                let message = format!(
                    "the field `{name}` holds a record, and records cannot be nested; let it hold a pointer, as by alloc"
                );
                Err(Diagnostic::new(at, message))
            }
        }
    }

    fn unify(&mut self, found: TypeId, wanted: TypeId, at: Position) -> Checked<()> {
        if self.equate(found, wanted) {
            return Ok(());
        }
        let (found, wanted) = (self.describe(found), self.describe(wanted));
        let message = if found == wanted {
            format!("this {found} has a different type elsewhere")
        } else {
            format!("this is {found}, where {wanted} is needed")
        };
        Err(Diagnostic::new(at, message))
    }

    /// Makes two types one; false if they cannot be.
    fn equate(&mut self, left: TypeId, right: TypeId) -> bool {
        let mut pending = vec![(left, right)];
        while let Some((left, right)) = pending.pop() {
            let (left, right) = (self.find(left), self.find(right));
            if left == right {
                continue;
            }
            let united = match (&self.nodes[left.0], &self.nodes[right.0]) {
                (Node::Any, _) => {
                    self.nodes[left.0] = Node::Link(right);
                    continue;
                }
                (_, Node::Any) => {
                    self.nodes[right.0] = Node::Link(left);
                    continue;
                }
                (Node::Number, Node::Number) => Node::Number,
                (Node::Pointer(a), Node::Pointer(b)) => {
                    pending.push((*a, *b));
                    Node::Pointer(*a)
                }
                (Node::Array(a), Node::Array(b)) => {
                    pending.push((*a, *b));
                    Node::Array(*a)
                }
                (
                    Node::Record {
                        fields: a,
                        is_made: a_is_made,
                    },
                    Node::Record {
                        fields: b,
                        is_made: b_is_made,
                    },
                ) => {
                    let lacks = |made: bool, has: &BTreeMap<_, _>, needs: &BTreeMap<String, _>| {
                        made && needs.keys().any(|name| !has.contains_key(name))
                    };
                    if lacks(*a_is_made, a, b) || lacks(*b_is_made, b, a) {
                        return false;
                    }
                    let mut fields = a.clone();
                    for (name, ty) in b {
                        match fields.get(name) {
                            Some(other) => pending.push((*ty, *other)),
                            None => {
                                fields.insert(name.clone(), *ty);
                            }
                        }
                    }
                    Node::Record {
                        fields,
                        is_made: *a_is_made || *b_is_made,
                    }
                }
                _ => return false,
            };
            self.nodes[left.0] = united;
            self.nodes[right.0] = Node::Link(left);
        }
        true
    }

    /// The type in words; what lies deep is left out.
    fn describe(&self, ty: TypeId) -> String {
        match &self.nodes[self.find(ty).0] {
            Node::Any => "any value".to_owned(),
            Node::Number => "a number".to_owned(),
            Node::Pointer(to) => format!("a pointer to {}", self.briefly(*to)),
            Node::Array(of) => match self.nodes[self.find(*of).0] {
                Node::Number => "an array of numbers".to_owned(),
                Node::Pointer(_) => "an array of pointers".to_owned(),
                Node::Array(_) => "an array of arrays".to_owned(),
                Node::Record { .. } => "an array of records".to_owned(),
                Node::Any | Node::Link(_) => "an array".to_owned(),
            },
            Node::Record { fields, .. } => {
                let names: Vec<&str> = fields.keys().map(String::as_str).collect();
                format!("a record {{{}}}", names.join(", "))
            }
            Node::Link(_) => unreachable!("links are followed"),
        }
    }

    fn briefly(&self, ty: TypeId) -> &'static str {
        match self.nodes[self.find(ty).0] {
            Node::Any | Node::Link(_) => "any value",
            Node::Number => "a number",
            Node::Pointer(_) => "a pointer",
            Node::Array(_) => "an array",
            Node::Record { .. } => "a record",
        }
    }
}

/// Goes through one function.
struct Checker<'a> {
    program: &'a Program,
    function: &'a Function,
    types: &'a mut Types,
}

impl Checker<'_> {
    fn statement(&mut self, statement: &Statement) -> Checked<()> {
        match &statement.kind {
            StatementKind::Output { value } => self.demand_number(value),
            StatementKind::While { condition, body } => {
                self.demand_number(condition)?;
                self.statement(body)
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.demand_number(condition)?;
                self.statement(then)?;
                otherwise
                    .iter()
                    .try_for_each(|otherwise| self.statement(otherwise))
            }
            StatementKind::Block { statements } => statements
                .iter()
                .try_for_each(|statement| self.statement(statement)),
            StatementKind::Assignment { target, value } => {
                let wanted = self.expression(target)?;
                self.demand(value, wanted)
            }
        }
    }

    fn demand(&mut self, expression: &Expression, wanted: TypeId) -> Checked<()> {
        let found = self.expression(expression)?;
        self.types.unify(found, wanted, expression.at)
    }

    fn demand_number(&mut self, expression: &Expression) -> Checked<()> {
        let number = self.types.make(Node::Number);
        self.demand(expression, number)
    }

    fn local(&self, name: &str, at: Position) -> Checked<TypeId> {
        let key = (self.function.name.text.clone(), name.to_owned());
        if let Some(ty) = self.types.locals.get(&key) {
            return Ok(*ty);
        }
        let message = if self.program.function(name).is_some() {
            format!("`{name}` is a function, which is not a value; it can only be called")
        } else {
            format!("`{name}` is not declared in `{}`", self.function.name.text)
        };
        Err(Diagnostic::new(at, message))
    }

    fn expression(&mut self, expression: &Expression) -> Checked<TypeId> {
        let ty = self.kind(expression)?;
        self.types.expressions[expression.id.0 as usize] = Some(ty);
        Ok(ty)
    }

    fn kind(&mut self, expression: &Expression) -> Checked<TypeId> {
        let at = expression.at;
        Ok(match &expression.kind {
            ExpressionKind::Number { .. } | ExpressionKind::Input => self.types.make(Node::Number),
            ExpressionKind::Null => {
                let to = self.types.make(Node::Any);
                self.types.make(Node::Pointer(to))
            }
            ExpressionKind::Variable { name } => self.local(name, at)?,
            ExpressionKind::Alloc { value } => {
                let to = self.expression(value)?;
                self.types.make(Node::Pointer(to))
            }
            ExpressionKind::Reference { name } => {
                let to = self.local(&name.text, name.at)?;
                self.types.make(Node::Pointer(to))
            }
            ExpressionKind::Dereference { pointer } => {
                let to = self.types.make(Node::Any);
                let wanted = self.types.make(Node::Pointer(to));
                self.demand(pointer, wanted)?;
                to
            }
            ExpressionKind::Not { operand } => {
                self.demand_number(operand)?;
                self.types.make(Node::Number)
            }
            ExpressionKind::Binary {
                operator: BinaryOperator::Equal | BinaryOperator::NotEqual,
                left,
                right,
            } => {
                let wanted = self.expression(left)?;
                self.demand(right, wanted)?;
                match self.types.nodes[self.types.find(wanted).0] {
                    Node::Number | Node::Pointer(_) => {}
                    Node::Any => {
                        let number = self.types.make(Node::Number);
                        self.types.unify(wanted, number, left.at)?;
                    }
                    Node::Array(_) | Node::Record { .. } | Node::Link(_) => {
                        let what = self.types.describe(wanted);
                        let message =
                            format!("this is {what}; only numbers and pointers can be compared");
                        return Err(Diagnostic::new(left.at, message));
                    }
                }
                self.types.make(Node::Number)
            }
            ExpressionKind::Binary { left, right, .. } => {
                self.demand_number(left)?;
                self.demand_number(right)?;
                self.types.make(Node::Number)
            }
            ExpressionKind::Array { elements } => {
                let of = self.types.make(Node::Any);
                for element in elements {
                    self.demand(element, of)?;
                }
                self.types.make(Node::Array(of))
            }
            ExpressionKind::Record { fields } => {
                let mut types = BTreeMap::new();
                for field in fields {
                    let ty = self.expression(&field.value)?;
                    if types.insert(field.name.text.clone(), ty).is_some() {
                        let message = format!("the field `{}` is there twice", field.name.text);
                        return Err(Diagnostic::new(field.name.at, message));
                    }
                }
                self.types.make(Node::Record {
                    fields: types,
                    is_made: true,
                })
            }
            ExpressionKind::Field { record, name } => self.field(record, name)?,
            ExpressionKind::Element { array, index } => {
                let of = self.types.make(Node::Any);
                let wanted = self.types.make(Node::Array(of));
                self.demand(array, wanted)?;
                self.demand_number(index)?;
                of
            }
            ExpressionKind::Call {
                function,
                arguments,
            } => self.call(function, arguments)?,
        })
    }

    fn field(&mut self, record: &Expression, name: &Name) -> Checked<TypeId> {
        let found = self.expression(record)?;
        let field = self.types.make(Node::Any);
        let wanted = self.types.make(Node::Record {
            fields: BTreeMap::from([(name.text.clone(), field)]),
            is_made: false,
        });
        if self.types.equate(found, wanted) {
            return Ok(field);
        }
        let what = self.types.describe(found);
        let message = format!("this is {what}, which has no field `{}`", name.text);
        Err(Diagnostic::new(name.at, message))
    }

    fn call(&mut self, name: &Name, arguments: &[Expression]) -> Checked<TypeId> {
        let Some(callee) = self.program.function(&name.text) else {
            let is_local = self.local(&name.text, name.at).is_ok();
            let message = if is_local {
                format!(
                    "`{}` is a variable, and only functions can be called",
                    name.text
                )
            } else {
                format!("there is no function `{}`", name.text)
            };
            return Err(Diagnostic::new(name.at, message));
        };
        if callee.parameters.len() != arguments.len() {
            let message = format!(
                "`{}` takes {} arguments, not {}",
                name.text,
                callee.parameters.len(),
                arguments.len()
            );
            return Err(Diagnostic::new(name.at, message));
        }
        for (parameter, argument) in callee.parameters.iter().zip(arguments) {
            let wanted = self.types.local(&name.text, &parameter.text);
            self.demand(argument, wanted)?;
        }
        Ok(self.types.results[&name.text])
    }
}
