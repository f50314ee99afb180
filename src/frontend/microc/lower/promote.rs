//! Variables that stay registers although their addresses are taken: the pointers are only passed to
//! functions that dereference them, and these functions are inlined.
//!
//! `add(&total, 2)` with `add(p, n) { *p = *p + n; … }` then is `total = total + 2`, as in C once
//! functions are inlined and variables are promoted to registers. Loops around it fold.

use super::calls::Calls;
use crate::microc::ast::{Expression, ExpressionKind, Function, Program, Statement, StatementKind};
use crate::microc::initialised::Uncertain;
use indexmap::IndexMap;
use std::collections::BTreeSet;

/// Nothing is promoted in a program whose main, with all calls put in place, has more expressions
/// than this: calls that hand down such pointers are put in place whatever their size.
const MOST_EXPRESSIONS: u64 = 5_000;

/// Function and variable.
type Local<'p> = (&'p str, &'p str);

/// The promoted variables.
#[derive(Default)]
pub(super) struct Promotion<'p> {
    /// Parameters that are only dereferenced and handed down to such parameters.
    followed: BTreeSet<Local<'p>>,
    /// Variables to which pointers are made for such parameters only.
    variables: BTreeSet<Local<'p>>,
}

impl<'p> Promotion<'p> {
    /// That of a program whose names are checked.
    pub(super) fn of(
        program: &'p Program,
        calls: &Calls<'p>,
        uncertain: &IndexMap<&'p str, Uncertain<'p>>,
    ) -> Promotion<'p> {
        let mut sizes = IndexMap::new();
        let is_small = program
            .functions
            .iter()
            .all(|function| size(program, calls, function, &mut sizes) <= MOST_EXPRESSIONS);
        if !is_small {
            return Promotion::default();
        }
        let mut uses: Vec<(Local<'p>, Use<'p>)> = Vec::new();
        for function in &program.functions {
            let name = function.name.text.as_str();
            for statement in &function.body {
                in_statement(program, name, statement, &mut uses);
            }
            in_expression(program, name, &function.result, &mut uses);
        }
        let of_others = |function: &&Function| !calls.is_recursive(&function.name.text);
        let mut followed: BTreeSet<Local<'p>> = program
            .functions
            .iter()
            .filter(of_others)
            .flat_map(|function| {
                let name = function.name.text.as_str();
                let parameters = function.parameters.iter();
                parameters.map(move |parameter| (name, parameter.text.as_str()))
            })
            .collect();
        // Each round drops at least one, and what it drops may be needed by others.
        loop {
            let before = followed.len();
            for (local, what) in &uses {
                let is_fine = match what {
                    Use::Dereferenced => true,
                    Use::HandedDown(to) => followed.contains(to),
                    Use::Referenced(_) | Use::Other => false,
                };
                if !is_fine {
                    followed.remove(local);
                }
            }
            if followed.len() == before {
                break;
            }
        }
        let mut variables = BTreeSet::new();
        let mut kept = BTreeSet::new();
        for (local, what) in &uses {
            let Use::Referenced(to) = what else { continue };
            let (function, variable) = *local;
            let has_value = !uncertain[function].referenced.contains(variable);
            if has_value && to.is_some_and(|to| followed.contains(&to)) {
                variables.insert(*local);
            } else {
                kept.insert(*local);
            }
        }
        variables.retain(|local| !kept.contains(local));
        Promotion {
            followed,
            variables,
        }
    }

    /// Whether a variable to which pointers are made stays a register.
    pub(super) fn is_promoted(&self, function: &str, variable: &str) -> bool {
        self.variables.contains(&(function, variable))
    }

    /// Whether a parameter may stand for a register.
    pub(super) fn is_followed(&self, function: &str, parameter: &str) -> bool {
        self.followed.contains(&(function, parameter))
    }
}

/// Expressions of a function with all calls put in place, as far as these are counted.
fn size<'p>(
    program: &'p Program,
    calls: &Calls<'p>,
    function: &'p Function,
    sizes: &mut IndexMap<&'p str, u64>,
) -> u64 {
    let name = function.name.text.as_str();
    if let Some(size) = sizes.get(name) {
        return *size;
    }
    // A function that is deep below others counts as too large.
    sizes.insert(name, MOST_EXPRESSIONS + 1);
    let mut callees = Vec::new();
    let mut total: u64 = 1;
    function.for_each_expression(&mut |expression| {
        total += 1;
        if let ExpressionKind::Call { function, .. } = &expression.kind
            && !calls.is_recursive(&function.text)
        {
            callees.push(function.text.as_str());
        }
    });
    for callee in callees {
        let callee = program.function(callee).expect("calls are checked");
        total = total.saturating_add(size(program, calls, callee, sizes));
    }
    sizes.insert(name, total);
    total
}

/// The uses of a variable.
enum Use<'p> {
    Dereferenced,
    /// It is an argument for this parameter.
    HandedDown(Local<'p>),
    /// A pointer to it is made, for this parameter or for something else.
    Referenced(Option<Local<'p>>),
    Other,
}

fn in_statement<'p>(
    program: &'p Program,
    function: &'p str,
    statement: &'p Statement,
    uses: &mut Vec<(Local<'p>, Use<'p>)>,
) {
    match &statement.kind {
        StatementKind::Output { value } => in_expression(program, function, value, uses),
        StatementKind::While { condition, body } => {
            in_expression(program, function, condition, uses);
            in_statement(program, function, body, uses);
        }
        StatementKind::If {
            condition,
            then,
            otherwise,
        } => {
            in_expression(program, function, condition, uses);
            in_statement(program, function, then, uses);
            if let Some(otherwise) = otherwise {
                in_statement(program, function, otherwise, uses);
            }
        }
        StatementKind::Block { statements } => {
            for statement in statements {
                in_statement(program, function, statement, uses);
            }
        }
        // A variable as the target is a use as well.
        StatementKind::Assignment { target, value } => {
            in_expression(program, function, value, uses);
            in_expression(program, function, target, uses);
        }
    }
}

fn in_expression<'p>(
    program: &'p Program,
    function: &'p str,
    expression: &'p Expression,
    uses: &mut Vec<(Local<'p>, Use<'p>)>,
) {
    match &expression.kind {
        ExpressionKind::Variable { name } => uses.push(((function, name), Use::Other)),
        ExpressionKind::Reference { name } => {
            uses.push(((function, &name.text), Use::Referenced(None)));
        }
        ExpressionKind::Dereference { pointer } => match &pointer.kind {
            ExpressionKind::Variable { name } => uses.push(((function, name), Use::Dereferenced)),
            _ => in_expression(program, function, pointer, uses),
        },
        ExpressionKind::Call {
            function: callee,
            arguments,
        } => {
            let callee = program.function(&callee.text).expect("calls are checked");
            for (parameter, argument) in callee.parameters.iter().zip(arguments) {
                let to = (callee.name.text.as_str(), parameter.text.as_str());
                match &argument.kind {
                    ExpressionKind::Variable { name } => {
                        uses.push(((function, name), Use::HandedDown(to)));
                    }
                    ExpressionKind::Reference { name } => {
                        uses.push(((function, &name.text), Use::Referenced(Some(to))));
                    }
                    _ => in_expression(program, function, argument, uses),
                }
            }
        }
        _ => {
            for part in expression.parts() {
                in_expression(program, function, part, uses);
            }
        }
    }
}
