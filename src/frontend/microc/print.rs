//! Syntax trees as text; parsing it gives the same tree, except locations.

use super::ast::{
    BinaryOperator, Expression, ExpressionKind, Function, Name, Program, Statement, StatementKind,
};
use std::fmt;

/// Spaces for each level of blocks.
const INDENT: usize = 2;

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, function) in self.functions.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            write!(f, "{function}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}({}) {{", self.name.text, names(&self.parameters))?;
        if !self.variables.is_empty() {
            writeln!(f, "{:INDENT$}var {};", "", names(&self.variables))?;
        }
        for statement in &self.body {
            write_statement(f, statement, 1)?;
        }
        writeln!(f, "{:INDENT$}return {};", "", self.result)?;
        writeln!(f, "}}")
    }
}

fn names(names: &[Name]) -> String {
    let names: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
    names.join(", ")
}

/// On lines of its own, `level` levels deep.
fn write_statement(f: &mut fmt::Formatter<'_>, statement: &Statement, level: usize) -> fmt::Result {
    let indent = level * INDENT;
    write!(f, "{:indent$}{}", "", head(statement))?;
    match &statement.kind {
        StatementKind::Output { .. } | StatementKind::Assignment { .. } => writeln!(f, ";"),
        StatementKind::Block { statements } => {
            writeln!(f, "{{")?;
            for statement in statements {
                write_statement(f, statement, level + 1)?;
            }
            writeln!(f, "{:indent$}}}", "")
        }
        StatementKind::While { body, .. } => {
            writeln!(f, " {{")?;
            write_body(f, body, level)?;
            writeln!(f, "{:indent$}}}", "")
        }
        StatementKind::If {
            then, otherwise, ..
        } => {
            writeln!(f, " {{")?;
            write_body(f, then, level)?;
            if let Some(otherwise) = otherwise {
                writeln!(f, "{:indent$}}} else {{", "")?;
                write_body(f, otherwise, level)?;
            }
            writeln!(f, "{:indent$}}}", "")
        }
    }
}

/// The statements of a body, whose braces are already there.
fn write_body(f: &mut fmt::Formatter<'_>, body: &Statement, level: usize) -> fmt::Result {
    match &body.kind {
        StatementKind::Block { statements } => {
            for statement in statements {
                write_statement(f, statement, level + 1)?;
            }
            Ok(())
        }
        _ => write_statement(f, body, level + 1),
    }
}

/// The statement on one line, without what is in its blocks.
#[must_use]
pub fn head(statement: &Statement) -> String {
    match &statement.kind {
        StatementKind::Output { value } => format!("output {value}"),
        StatementKind::Assignment { target, value } => format!("{target} = {value}"),
        StatementKind::While { condition, .. } => format!("while ({condition})"),
        StatementKind::If { condition, .. } => format!("if ({condition})"),
        StatementKind::Block { .. } => String::new(),
    }
}

/// Of the levels of the grammar, that of `!` and `*`; postfix operators bind tighter.
const UNARY: u8 = 6;
const POSTFIX: u8 = 7;

fn precedence(expression: &Expression) -> u8 {
    match &expression.kind {
        ExpressionKind::Binary { operator, .. } => operator.precedence(),
        // It takes all that follows as its value.
        ExpressionKind::Alloc { .. } => 0,
        ExpressionKind::Reference { .. }
        | ExpressionKind::Dereference { .. }
        | ExpressionKind::Not { .. } => UNARY,
        ExpressionKind::Number { .. }
        | ExpressionKind::Input
        | ExpressionKind::Null
        | ExpressionKind::Variable { .. }
        | ExpressionKind::Array { .. }
        | ExpressionKind::Record { .. }
        | ExpressionKind::Field { .. }
        | ExpressionKind::Element { .. }
        | ExpressionKind::Call { .. } => POSTFIX,
    }
}

/// In parentheses if it binds less tightly than `least`.
struct At<'a>(&'a Expression, u8);

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if precedence(self.0) < self.1 {
            write!(f, "({})", self.0)
        } else {
            write!(f, "{}", self.0)
        }
    }
}

fn list<'a>(expressions: impl IntoIterator<Item = &'a Expression>) -> String {
    let texts: Vec<String> = expressions.into_iter().map(ToString::to_string).collect();
    texts.join(", ")
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ExpressionKind::Number { value } => write!(f, "{value}"),
            ExpressionKind::Input => f.write_str("input"),
            ExpressionKind::Null => f.write_str("null"),
            ExpressionKind::Variable { name } => f.write_str(name),
            ExpressionKind::Alloc { value } => write!(f, "alloc {value}"),
            ExpressionKind::Reference { name } => write!(f, "&{}", name.text),
            ExpressionKind::Dereference { pointer } => write!(f, "*{}", At(pointer, UNARY)),
            ExpressionKind::Not { operand } => write!(f, "!{}", At(operand, UNARY)),
            ExpressionKind::Binary {
                operator,
                left,
                right,
            } => {
                let level = operator.precedence();
                let (left, right) = (At(left, level), At(right, level + 1));
                write!(f, "{left} {} {right}", operator.symbol())
            }
            ExpressionKind::Array { elements } => write!(f, "[{}]", list(elements)),
            ExpressionKind::Record { fields } => {
                let field =
                    |field: &super::ast::Field| format!("{}: {}", field.name.text, field.value);
                let fields: Vec<String> = fields.iter().map(field).collect();
                write!(f, "{{{}}}", fields.join(", "))
            }
            ExpressionKind::Field { record, name } => {
                write!(f, "{}.{}", At(record, POSTFIX), name.text)
            }
            ExpressionKind::Element { array, index } => {
                write!(f, "{}[{index}]", At(array, POSTFIX))
            }
            ExpressionKind::Call {
                function,
                arguments,
            } => write!(f, "{}({})", function.text, list(arguments)),
        }
    }
}

impl fmt::Display for BinaryOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.symbol())
    }
}
