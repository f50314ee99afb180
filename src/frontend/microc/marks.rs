//! The coverage goals of a microc program, and the points where an execution passes them.
//!
//! A line is passed when a statement that begins on it is executed, or the expression of a `return` there
//! evaluated. Sides of branchings are those of each condition of `if` and `while`, and of each operand of
//! `&&` and `||`, wherever it stands, as for C: `!` and brackets make no condition of their own.
//!
//! # Invariants
//! - A goal is passed in the interpreter where it is passed in the flowgraph.
//! - Numbers are positions in the list of goals: function by function, lines before sides.

use super::ast::{
    BinaryOperator, Expression, ExpressionId, ExpressionKind, Function, Program, Statement,
    StatementKind,
};
use crate::{Goal, GoalKind, Goals, Side, WithoutCode};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Where goals are passed.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Marks {
    /// The goal of each line that has one.
    lines: FxHashMap<u32, u32>,
    /// The goals of each condition: where it holds, and where it does not.
    sides: FxHashMap<ExpressionId, [u32; 2]>,
}

impl Marks {
    /// The goals of a program that was parsed, which is in the file of this name; and where they are passed.
    ///
    /// # Panics
    /// If there are more than 2^32 goals.
    #[must_use]
    pub fn of(program: &Program, file: &str, wanted: Goals) -> (Marks, Vec<Goal>) {
        let mut marks = Marks::default();
        let mut goals = Vec::new();
        let called = called(program);
        for function in &program.functions {
            let name = &function.name.text;
            let is_unused = !called.contains(name.as_str());
            let goal = |kind, (line, column)| Goal {
                kind,
                function: name.clone(),
                file: file.to_owned(),
                line,
                column,
                end: None,
                without_code: is_unused.then_some(WithoutCode::UnusedFunction),
            };
            if wanted.has_lines() {
                for line in lines(function) {
                    let new = || add(&mut goals, goal(GoalKind::Line, (line, 0)));
                    let number = *marks.lines.entry(line).or_insert_with(new);
                    if !is_unused {
                        // Functions that share a line share its goal.
                        goals[number as usize].without_code = None;
                    }
                }
            }
            if wanted.has_branches() {
                for condition in conditions(function).values() {
                    let place = (condition.at.line, condition.at.column);
                    let side = |side| goal(GoalKind::Branch(side), place);
                    let sides = [Side::True, Side::False].map(|of| add(&mut goals, side(of)));
                    marks.sides.insert(condition.id, sides);
                }
            }
        }
        (marks, goals)
    }

    /// The goal that is passed when this statement is executed.
    #[must_use]
    pub fn of_statement(&self, statement: &Statement) -> Option<u32> {
        match statement.kind {
            StatementKind::Block { .. } => None,
            StatementKind::Output { .. }
            | StatementKind::While { .. }
            | StatementKind::If { .. }
            | StatementKind::Assignment { .. } => self.lines.get(&statement.at.line).copied(),
        }
    }

    /// The goal that is passed when a function returns this.
    #[must_use]
    pub fn of_result(&self, result: &Expression) -> Option<u32> {
        self.lines.get(&result.at.line).copied()
    }

    /// The goals of a condition: where it holds, and where it does not.
    #[must_use]
    pub fn of_condition(&self, condition: &Expression) -> Option<[u32; 2]> {
        self.sides.get(&condition.id).copied()
    }

    /// Whether sides of branchings are among the goals.
    #[must_use]
    pub fn have_sides(&self) -> bool {
        !self.sides.is_empty()
    }
}

/// Adds a goal; gives its number.
fn add(goals: &mut Vec<Goal>, goal: Goal) -> u32 {
    let number = u32::try_from(goals.len()).expect("programs have less than 2^32 goals");
    goals.push(goal);
    number
}

/// The functions that are called from `main` on, and `main`.
fn called(program: &Program) -> BTreeSet<&str> {
    let mut called = BTreeSet::from(["main"]);
    let mut pending = vec!["main"];
    while let Some(function) = pending.pop().and_then(|name| program.function(name)) {
        function.for_each_expression(&mut |expression| {
            if let ExpressionKind::Call { function, .. } = &expression.kind
                && called.insert(function.text.as_str())
            {
                pending.push(function.text.as_str());
            }
        });
    }
    called
}

/// The lines on which a statement or the returned expression begins.
fn lines(function: &Function) -> BTreeSet<u32> {
    let mut lines = BTreeSet::from([function.result.at.line]);
    for statement in &function.body {
        statement.for_each(&mut |part| {
            if !matches!(part.kind, StatementKind::Block { .. }) {
                lines.insert(part.at.line);
            }
        });
    }
    lines
}

/// The branchings of an execution, by location.
fn conditions(function: &Function) -> BTreeMap<(super::ast::Position, u32), &Expression> {
    let mut decisive = Vec::new();
    for statement in &function.body {
        statement.for_each(&mut |part| {
            if let StatementKind::While { condition, .. } | StatementKind::If { condition, .. } =
                &part.kind
            {
                decide(condition, &mut decisive);
            }
        });
    }
    function.for_each_expression(&mut |expression| {
        if is_decided_in_parts(expression) {
            decide(expression, &mut decisive);
        }
    });
    let by_place = |condition: &'_ Expression| (condition.at, condition.id.0);
    decisive
        .into_iter()
        .map(|condition| (by_place(condition), condition))
        .collect()
}

fn is_decided_in_parts(expression: &Expression) -> bool {
    let ExpressionKind::Binary { operator, .. } = &expression.kind else {
        return false;
    };
    matches!(operator, BinaryOperator::And | BinaryOperator::Or)
}

/// The conditions in which a condition is decided.
fn decide<'p>(condition: &'p Expression, decisive: &mut Vec<&'p Expression>) {
    match &condition.kind {
        ExpressionKind::Not { operand } => decide(operand, decisive),
        ExpressionKind::Binary { left, right, .. } if is_decided_in_parts(condition) => {
            decide(left, decisive);
            decide(right, decisive);
        }
        _ => decisive.push(condition),
    }
}
