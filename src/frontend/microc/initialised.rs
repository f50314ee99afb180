//! Variables that may be used before they have a value: forward data flow over the syntax tree.
//!
//! A use ends the program if the variable has no value, so that after a use it has one. Assignments only add
//! values, so that the body of a loop starts with what held before the loop.

use super::ast::BinaryOperator;
use super::ast::{Expression, ExpressionId, ExpressionKind, Function, Statement, StatementKind};
use std::collections::BTreeSet;

/// Variables of a function that may have no value.
#[derive(Default, Debug)]
pub struct Uncertain<'a> {
    /// Uses (expressions that are a variable) before which there may be no value.
    pub uses: BTreeSet<u32>,
    /// The variables of these uses.
    pub variables: BTreeSet<&'a str>,
    /// Variables to which a pointer is made while they may have no value.
    pub referenced: BTreeSet<&'a str>,
}

impl Uncertain<'_> {
    /// Whether this use of a variable may come before it has a value.
    #[must_use]
    pub fn is_use(&self, id: ExpressionId) -> bool {
        self.uses.contains(&id.0)
    }
}

/// Goes through a function of a parsed program.
#[must_use]
pub fn uncertain(function: &Function) -> Uncertain<'_> {
    let mut flow = Flow {
        assigned: function
            .parameters
            .iter()
            .map(|name| name.text.as_str())
            .collect(),
        found: Uncertain::default(),
    };
    for statement in &function.body {
        flow.statement(statement);
    }
    flow.expression(&function.result);
    flow.found
}

struct Flow<'a> {
    /// Variables that certainly have a value here.
    assigned: BTreeSet<&'a str>,
    found: Uncertain<'a>,
}

impl<'a> Flow<'a> {
    /// What may happen or not: afterwards only what had a value before is certain to have one.
    fn perhaps(&mut self, part: impl FnOnce(&mut Self)) -> BTreeSet<&'a str> {
        let before = self.assigned.clone();
        part(self);
        std::mem::replace(&mut self.assigned, before)
    }

    fn statement(&mut self, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::Output { value } => self.expression(value),
            StatementKind::While { condition, body } => {
                self.expression(condition);
                self.perhaps(|flow| flow.statement(body));
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.expression(condition);
                let behind_then = self.perhaps(|flow| flow.statement(then));
                let behind_otherwise = self.perhaps(|flow| {
                    if let Some(otherwise) = otherwise {
                        flow.statement(otherwise);
                    }
                });
                self.assigned = behind_then
                    .intersection(&behind_otherwise)
                    .copied()
                    .collect();
            }
            StatementKind::Block { statements } => {
                for statement in statements {
                    self.statement(statement);
                }
            }
            StatementKind::Assignment { target, value } => {
                self.expression(value);
                match &target.kind {
                    ExpressionKind::Variable { name } => {
                        self.assigned.insert(name);
                    }
                    _ => self.parts(target),
                }
            }
        }
    }

    fn expression(&mut self, expression: &'a Expression) {
        match &expression.kind {
            ExpressionKind::Variable { name } => {
                if self.assigned.insert(name) {
                    self.found.uses.insert(expression.id.0);
                    self.found.variables.insert(name);
                }
            }
            ExpressionKind::Reference { name } => {
                if !self.assigned.contains(name.text.as_str()) {
                    self.found.referenced.insert(&name.text);
                }
            }
            ExpressionKind::Binary {
                operator: BinaryOperator::And | BinaryOperator::Or,
                left,
                right,
            } => {
                self.expression(left);
                self.perhaps(|flow| flow.expression(right));
            }
            _ => self.parts(expression),
        }
    }

    fn parts(&mut self, expression: &'a Expression) {
        for part in expression.parts() {
            self.expression(part);
        }
    }
}
