//! The syntax tree of microc; its JSON form is what `compact-se microc export` writes.
//!
//! Every part has the location of its characteristic token: that of an operator for an operation, of `[` for
//! an access to an element, of the name for a call.

use num_bigint::BigInt;
use serde::Serialize;

/// A place in the source; lines and columns (characters) count from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// An error in a program, with its location.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{at}: {message}")]
pub struct Diagnostic {
    pub at: Position,
    pub message: String,
}

impl Diagnostic {
    /// At this place.
    pub fn new(at: Position, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            at,
            message: message.into(),
        }
    }
}

/// A whole program: its functions, in the order of the file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Program {
    pub functions: Vec<Function>,
}

impl Program {
    /// The function of this name.
    #[must_use]
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions
            .iter()
            .find(|function| function.name.text == name)
    }
}

/// A name where it is declared or used.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Name {
    pub text: String,
    pub at: Position,
}

/// A function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Function {
    pub name: Name,
    pub parameters: Vec<Name>,
    pub variables: Vec<Name>,
    pub body: Vec<Statement>,
    /// The returned expression.
    pub result: Expression,
}

impl Function {
    /// Parameters, then variables.
    pub fn locals(&self) -> impl Iterator<Item = &Name> {
        self.parameters.iter().chain(&self.variables)
    }

    /// Every expression of the function and every one in it, each before its parts.
    pub fn for_each_expression<'a>(&'a self, visit: &mut dyn FnMut(&'a Expression)) {
        for_each_in(&self.body, visit);
        self.result.for_each(visit);
    }
}

fn for_each_in<'a>(statements: &'a [Statement], visit: &mut dyn FnMut(&'a Expression)) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Output { value } => value.for_each(visit),
            StatementKind::While { condition, body } => {
                condition.for_each(visit);
                for_each_in(std::slice::from_ref(body), visit);
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                condition.for_each(visit);
                for_each_in(std::slice::from_ref(then), visit);
                if let Some(otherwise) = otherwise {
                    for_each_in(std::slice::from_ref(otherwise), visit);
                }
            }
            StatementKind::Block { statements } => for_each_in(statements, visit),
            StatementKind::Assignment { target, value } => {
                target.for_each(visit);
                value.for_each(visit);
            }
        }
    }
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Statement {
    pub at: Position,
    #[serde(flatten)]
    pub kind: StatementKind,
}

impl Statement {
    /// This statement and every one in it, each before its parts.
    pub fn for_each<'a>(&'a self, visit: &mut dyn FnMut(&'a Statement)) {
        visit(self);
        match &self.kind {
            StatementKind::Output { .. } | StatementKind::Assignment { .. } => {}
            StatementKind::While { body, .. } => body.for_each(visit),
            StatementKind::If {
                then, otherwise, ..
            } => {
                then.for_each(visit);
                if let Some(otherwise) = otherwise {
                    otherwise.for_each(visit);
                }
            }
            StatementKind::Block { statements } => {
                for statement in statements {
                    statement.for_each(visit);
                }
            }
        }
    }
}

/// The kind of a statement.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum StatementKind {
    Output {
        value: Expression,
    },
    While {
        condition: Expression,
        body: Box<Statement>,
    },
    If {
        condition: Expression,
        then: Box<Statement>,
        otherwise: Option<Box<Statement>>,
    },
    Block {
        statements: Vec<Statement>,
    },
    /// The target is a variable, a dereference, a field or an element.
    Assignment {
        target: Expression,
        value: Expression,
    },
}

/// Names an expression of a parsed program, from 0; all are 0 in a tree that was not parsed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ExpressionId(pub u32);

/// An expression.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Expression {
    #[serde(skip)]
    pub id: ExpressionId,
    pub at: Position,
    #[serde(flatten)]
    pub kind: ExpressionKind,
}

/// The kind of an expression.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ExpressionKind {
    Number {
        #[serde(serialize_with = "number_as_json")]
        value: BigInt,
    },
    Input,
    Null,
    Variable {
        name: String,
    },
    /// A new cell with this value; gives a pointer to it.
    Alloc {
        value: Box<Expression>,
    },
    /// A pointer to a variable.
    Reference {
        name: Name,
    },
    Dereference {
        pointer: Box<Expression>,
    },
    Not {
        operand: Box<Expression>,
    },
    Binary {
        operator: BinaryOperator,
        left: Box<Expression>,
        right: Box<Expression>,
    },
    Array {
        elements: Vec<Expression>,
    },
    Record {
        fields: Vec<Field>,
    },
    Field {
        record: Box<Expression>,
        name: Name,
    },
    Element {
        array: Box<Expression>,
        index: Box<Expression>,
    },
    Call {
        function: Name,
        arguments: Vec<Expression>,
    },
}

/// A field of a record that is made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Field {
    pub name: Name,
    pub value: Expression,
}

/// Numbers of any size, as JSON has them where they fit 64 bits, as text otherwise.
fn number_as_json<S: serde::Serializer>(value: &BigInt, to: S) -> Result<S::Ok, S::Error> {
    match i64::try_from(value) {
        Ok(small) => to.serialize_i64(small),
        Err(_) => to.serialize_str(&value.to_string()),
    }
}

/// An operator with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub enum BinaryOperator {
    #[serde(rename = "+")]
    Add,
    #[serde(rename = "-")]
    Subtract,
    #[serde(rename = "*")]
    Multiply,
    #[serde(rename = "/")]
    Divide,
    #[serde(rename = "==")]
    Equal,
    #[serde(rename = "!=")]
    NotEqual,
    #[serde(rename = "<")]
    Less,
    #[serde(rename = "<=")]
    LessOrEqual,
    #[serde(rename = ">")]
    Greater,
    #[serde(rename = ">=")]
    GreaterOrEqual,
    /// The right operand is evaluated only if the left one is not zero.
    #[serde(rename = "&&")]
    And,
    /// The right operand is evaluated only if the left one is zero.
    #[serde(rename = "||")]
    Or,
}

impl BinaryOperator {
    /// All of them, in the order of their declaration.
    pub const ALL: [BinaryOperator; 12] = [
        BinaryOperator::Add,
        BinaryOperator::Subtract,
        BinaryOperator::Multiply,
        BinaryOperator::Divide,
        BinaryOperator::Equal,
        BinaryOperator::NotEqual,
        BinaryOperator::Less,
        BinaryOperator::LessOrEqual,
        BinaryOperator::Greater,
        BinaryOperator::GreaterOrEqual,
        BinaryOperator::And,
        BinaryOperator::Or,
    ];

    /// As it is written.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOperator::Add => "+",
            BinaryOperator::Subtract => "-",
            BinaryOperator::Multiply => "*",
            BinaryOperator::Divide => "/",
            BinaryOperator::Equal => "==",
            BinaryOperator::NotEqual => "!=",
            BinaryOperator::Less => "<",
            BinaryOperator::LessOrEqual => "<=",
            BinaryOperator::Greater => ">",
            BinaryOperator::GreaterOrEqual => ">=",
            BinaryOperator::And => "&&",
            BinaryOperator::Or => "||",
        }
    }

    /// The level of the grammar on which the operator stands; the higher, the tighter it binds.
    #[must_use]
    pub fn precedence(self) -> u8 {
        match self {
            BinaryOperator::And | BinaryOperator::Or => 1,
            BinaryOperator::Equal | BinaryOperator::NotEqual => 2,
            BinaryOperator::Less
            | BinaryOperator::LessOrEqual
            | BinaryOperator::Greater
            | BinaryOperator::GreaterOrEqual => 3,
            BinaryOperator::Add | BinaryOperator::Subtract => 4,
            BinaryOperator::Multiply | BinaryOperator::Divide => 5,
        }
    }
}

impl Expression {
    /// An expression that no parser made.
    #[must_use]
    pub fn new(at: Position, kind: ExpressionKind) -> Expression {
        Expression {
            id: ExpressionId::default(),
            at,
            kind,
        }
    }

    /// The expressions of which this one is made, in the order in which they are evaluated.
    #[must_use]
    pub fn parts(&self) -> Vec<&Expression> {
        match &self.kind {
            ExpressionKind::Number { .. }
            | ExpressionKind::Input
            | ExpressionKind::Null
            | ExpressionKind::Variable { .. }
            | ExpressionKind::Reference { .. } => Vec::new(),
            ExpressionKind::Alloc { value: part }
            | ExpressionKind::Dereference { pointer: part }
            | ExpressionKind::Not { operand: part }
            | ExpressionKind::Field { record: part, .. } => vec![part],
            ExpressionKind::Binary { left, right, .. } => vec![left, right],
            ExpressionKind::Element { array, index } => vec![array, index],
            ExpressionKind::Array { elements } => elements.iter().collect(),
            ExpressionKind::Record { fields } => fields.iter().map(|field| &field.value).collect(),
            ExpressionKind::Call { arguments, .. } => arguments.iter().collect(),
        }
    }

    /// The expression and every one in it, each before its parts.
    pub fn for_each<'a>(&'a self, visit: &mut dyn FnMut(&'a Expression)) {
        visit(self);
        for part in self.parts() {
            part.for_each(visit);
        }
    }
}
