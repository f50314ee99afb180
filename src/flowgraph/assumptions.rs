//! The program's assumptions (`__VERIFIER_assume`, `klee_assume`), each with a goal before and one after it:
//! is it reached, and does it ever hold?
//!
//! # Invariants
//! - Assumptions are identified by their locations in the source; copies made by inlining count as one.
//!
//! # Deliberately absent
//! Conditions of branchings, assumptions within models of the C library, and those whose condition is the constant
//! false: `klee_assume(0)` ends a path on purpose.

use super::compact::Copy;
use super::{Action, Expr, Function, GoalId, Program, Span, Step, file_of_call};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The place of an assumption, and the goals of a program that [`with_goals_at_assumptions`] made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AssumptionGoals {
    pub place: Span,
    /// Passed where the assumption is reached.
    pub before: GoalId,
    /// Passed where it holds.
    pub behind: GoalId,
}

/// The program with goals around its assumptions, and these in the order of their places. It has no other goals.
#[must_use]
pub fn with_goals_at_assumptions(program: &Program) -> (Program, Vec<AssumptionGoals>) {
    let places: BTreeSet<Span> = (program.functions.iter())
        .flat_map(|function| assumptions(function))
        .map(|step| step.span)
        .filter(|span| is_in_program(program, *span))
        .collect();
    let goals: Vec<AssumptionGoals> = (places.into_iter().zip(0u32..))
        .map(|(place, number)| AssumptionGoals {
            place,
            before: GoalId(2 * number),
            behind: GoalId(2 * number + 1),
        })
        .collect();
    let mut changed = program.clone();
    if goals.is_empty() {
        return (changed, goals);
    }
    for function in &mut changed.functions {
        *function = Arc::new(rewritten(function, &goals));
    }
    (changed, goals)
}

fn is_in_program(program: &Program, span: Span) -> bool {
    let index = usize::try_from(span.file).ok();
    let name = index.and_then(|index| program.files.get(index));
    let is_of_program = name.is_some_and(|name| file_of_call(name) == name);
    span.line > 0 && is_of_program && !program.is_in_library(span)
}

fn assumptions(function: &Function) -> impl Iterator<Item = &Step> {
    function.edge_ids().flat_map(|edge| {
        let (source, _) = function.endpoints(edge);
        let n_conditions = usize::from(function.out_edges(source).len() > 1);
        let steps = function.edge(edge).steps.iter().skip(n_conditions);
        steps.filter(|step| is_assumption(step))
    })
}

fn is_assumption(step: &Step) -> bool {
    matches!(&step.action, Action::Assume(condition) if !is_false(condition))
}

fn is_false(condition: &Expr) -> bool {
    matches!(condition, Expr::Const(value) if value.is_zero())
}

fn rewritten(function: &Function, goals: &[AssumptionGoals]) -> Function {
    Copy::with_steps(function, |edge| {
        let (source, _) = function.endpoints(edge);
        let n_conditions = usize::from(function.out_edges(source).len() > 1);
        let mut steps = Vec::new();
        for (position, step) in function.edge(edge).steps.iter().enumerate() {
            let known = goals.iter().find(|known| {
                known.place == step.span && position >= n_conditions && is_assumption(step)
            });
            let goal = |goal: GoalId| Step::new(Action::Goal(goal), step.span);
            steps.extend(known.map(|known| goal(known.before)));
            if !matches!(step.action, Action::Goal(_)) {
                steps.push(step.clone());
            }
            steps.extend(known.map(|known| goal(known.behind)));
        }
        steps
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{goals_left, verify};

    #[test]
    fn assumptions_of_the_program_have_goals_around_them() {
        let program: Program = "program block pointers 64 main @main\n\
             file \"a.c\"\n\
             file \"rand, called at a.c\"\n\
             fn @main() {\n\
               reg %x: i32\n\
               a -> b: %x = input \"x\"\n\
               b -> c: assume (%x == 1:32) at 2:1; assume (%x != 2:32) at 3:1\n\
               b -> c: assume (%x != 1:32) at 2:1; assume false at 4:1\n\
               c -> d: assume (%x == 3:32) at 5:1 in 1\n\
               d -> e: return\n\
             }\n"
        .parse()
        .unwrap();
        let (changed, goals) = with_goals_at_assumptions(&program);
        let lines: Vec<u32> = goals.iter().map(|goals| goals.place.line).collect();
        assert_eq!(lines, [3]);
        assert_eq!(goals_left(&changed).len(), 2);
        assert!(changed.to_string().contains("goal 0"), "{changed}");
        assert_eq!(verify(&changed), Ok(()));
    }
}
