//! Normal form: every operand is a name or a constant (Section 5.2.1 of the thesis).
//!
//! ```text
//! *x[0].field = *y + z[i + 1];    _t0 = *y;
//!                                 _t1 = i + 1;
//!                                 _t2 = z[_t1];
//!                                 *x[0].field = _t0 + _t2;
//! ```
//!
//! Left sides of assignments stay as they are. The condition of a loop is computed before the loop
//! and at the end of its body. The right operand of `&&` and `||` that does more than name something
//! is computed in a branch, so that it is evaluated only where it was. A variable is copied where a
//! later operand calls a function, which may change it. A normal form means the same as the program,
//! but for which of several errors in one statement comes first.
//!
//! Names of temporaries are `_t0`, `_t1`, …, but for those that the function has already.

use super::ast::{
    BinaryOperator, Expression, ExpressionKind, Function, Name, Position, Program, Statement,
    StatementKind,
};
use num_bigint::BigInt;
use std::collections::BTreeSet;

/// The program in normal form; its expressions are not numbered.
#[must_use]
pub fn normalise(program: &Program) -> Program {
    Program {
        functions: program.functions.iter().map(normalised).collect(),
    }
}

fn normalised(function: &Function) -> Function {
    let taken = function.locals().map(|name| name.text.clone()).collect();
    let mut normaliser = Normaliser {
        taken,
        next: 0,
        temporaries: Vec::new(),
    };
    let mut body = Vec::new();
    for statement in &function.body {
        normaliser.statement(statement, &mut body);
    }
    let result = normaliser.flat(&function.result, &mut body);
    let mut variables = function.variables.clone();
    variables.extend(normaliser.temporaries);
    Function {
        variables,
        body,
        result,
        ..function.clone()
    }
}

struct Normaliser {
    taken: BTreeSet<String>,
    next: u32,
    temporaries: Vec<Name>,
}

fn variable(name: &Name) -> Expression {
    let kind = ExpressionKind::Variable {
        name: name.text.clone(),
    };
    Expression::new(name.at, kind)
}

fn block(at: Position, statements: Vec<Statement>) -> Box<Statement> {
    let kind = StatementKind::Block { statements };
    Box::new(Statement { at, kind })
}

fn assign(target: Expression, value: Expression) -> Statement {
    Statement {
        at: value.at,
        kind: StatementKind::Assignment { target, value },
    }
}

impl Normaliser {
    fn temporary(&mut self, at: Position) -> Name {
        let text = loop {
            let text = format!("_t{}", self.next);
            self.next += 1;
            if !self.taken.contains(&text) {
                break text;
            }
        };
        let name = Name { text, at };
        self.temporaries.push(name.clone());
        name
    }

    fn statement(&mut self, statement: &Statement, out: &mut Vec<Statement>) {
        let at = statement.at;
        let kind = match &statement.kind {
            StatementKind::Output { value } => StatementKind::Output {
                value: self.flat(value, out),
            },
            StatementKind::Block { statements } => StatementKind::Block {
                statements: self.all(statements),
            },
            StatementKind::Assignment { target, value } => StatementKind::Assignment {
                target: target.clone(),
                value: self.flat(value, out),
            },
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => StatementKind::If {
                condition: self.flat(condition, out),
                then: block(then.at, self.all(std::slice::from_ref(then))),
                otherwise: otherwise
                    .as_ref()
                    .map(|other| block(other.at, self.all(std::slice::from_ref(other)))),
            },
            StatementKind::While { condition, body } => {
                let mut before = Vec::new();
                let value = self.flat(condition, &mut before);
                let mut inside = self.all(std::slice::from_ref(body));
                inside.extend(before.iter().cloned());
                out.extend(before);
                StatementKind::While {
                    condition: value,
                    body: block(body.at, inside),
                }
            }
        };
        out.push(Statement { at, kind });
    }

    fn all(&mut self, statements: &[Statement]) -> Vec<Statement> {
        let mut out = Vec::new();
        for statement in statements {
            match &statement.kind {
                StatementKind::Block { statements } => out.extend(self.all(statements)),
                _ => self.statement(statement, &mut out),
            }
        }
        out
    }

    /// The expression with names and constants as its operands.
    fn flat(&mut self, expression: &Expression, out: &mut Vec<Statement>) -> Expression {
        let mut flat = expression.clone();
        match &mut flat.kind {
            ExpressionKind::Number { .. }
            | ExpressionKind::Input
            | ExpressionKind::Null
            | ExpressionKind::Variable { .. }
            | ExpressionKind::Reference { .. } => {}
            ExpressionKind::Binary {
                operator: operator @ (BinaryOperator::And | BinaryOperator::Or),
                left,
                right,
            } if !is_atom(right) => {
                return self.conditional((*operator, expression.at), left, right, out);
            }
            ExpressionKind::Alloc { value: part }
            | ExpressionKind::Dereference { pointer: part }
            | ExpressionKind::Not { operand: part }
            | ExpressionKind::Field { record: part, .. } => self.atom(part, out),
            ExpressionKind::Binary { left, right, .. } => {
                self.atoms(vec![left.as_mut(), right.as_mut()], out);
            }
            ExpressionKind::Element { array, index } => {
                self.atoms(vec![array.as_mut(), index.as_mut()], out);
            }
            ExpressionKind::Array { elements: parts }
            | ExpressionKind::Call {
                arguments: parts, ..
            } => self.atoms(parts.iter_mut().collect(), out),
            ExpressionKind::Record { fields } => {
                let parts = fields.iter_mut().map(|field| &mut field.value);
                self.atoms(parts.collect(), out);
            }
        }
        flat
    }

    /// Makes operands names or constants, which have their values when the last one is computed.
    fn atoms(&mut self, parts: Vec<&mut Expression>, out: &mut Vec<Statement>) {
        let last_call = parts.iter().rposition(|part| calls(part)).unwrap_or(0);
        for (index, part) in parts.into_iter().enumerate() {
            let may_change =
                index < last_call && matches!(part.kind, ExpressionKind::Variable { .. });
            if may_change {
                let name = self.temporary(part.at);
                out.push(assign(variable(&name), part.clone()));
                *part = variable(&name);
            } else {
                self.atom(part, out);
            }
        }
    }

    /// Makes the expression a name or a constant.
    fn atom(&mut self, expression: &mut Expression, out: &mut Vec<Statement>) {
        if is_atom(expression) {
            return;
        }
        let value = self.flat(expression, out);
        let name = self.temporary(expression.at);
        out.push(assign(variable(&name), value));
        *expression = variable(&name);
    }

    /// `left && right`, `left || right`, the right operand in a branch.
    fn conditional(
        &mut self,
        (operator, at): (BinaryOperator, Position),
        left: &Expression,
        right: &Expression,
        out: &mut Vec<Statement>,
    ) -> Expression {
        let name = self.temporary(at);
        let truth = |expression: Expression| {
            let number = |value: u8| {
                let value = BigInt::from(value);
                Box::new(Expression::new(at, ExpressionKind::Number { value }))
            };
            let kind = ExpressionKind::Binary {
                operator: BinaryOperator::NotEqual,
                left: Box::new(expression),
                right: number(0),
            };
            Expression::new(at, kind)
        };
        let mut left = left.clone();
        self.atom(&mut left, out);
        out.push(assign(variable(&name), truth(left)));
        let mut inside = Vec::new();
        let mut right = right.clone();
        self.atom(&mut right, &mut inside);
        inside.push(assign(variable(&name), truth(right)));
        let decides = variable(&name);
        let condition = match operator {
            BinaryOperator::Or => Expression::new(
                at,
                ExpressionKind::Not {
                    operand: Box::new(decides),
                },
            ),
            _ => decides,
        };
        let kind = StatementKind::If {
            condition,
            then: block(at, inside),
            otherwise: None,
        };
        out.push(Statement { at, kind });
        variable(&name)
    }
}

/// Whether the expression calls a function.
fn calls(expression: &Expression) -> bool {
    let mut calls = false;
    expression.for_each(&mut |part| calls |= matches!(part.kind, ExpressionKind::Call { .. }));
    calls
}

fn is_atom(expression: &Expression) -> bool {
    matches!(
        expression.kind,
        ExpressionKind::Number { .. }
            | ExpressionKind::Null
            | ExpressionKind::Variable { .. }
            | ExpressionKind::Reference { .. }
    )
}
