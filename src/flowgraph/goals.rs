//! Coverage goals as targets: reduces reachability of goals to reachability of targets.
//!
//! ```text
//! a --assume c; goal 3; x = 1--> b    becomes    a --assume c--> a.goal --target--> a.goal#1 --x = 1--> b
//! ```
//!
//! # Invariants
//! - Each [`Action::Target`] of the result is a requested goal, identified by its location ([`goal_at`]);
//!   other goals are removed.
//! - The program's own targets still end their paths, without being errors.
//!
//! # Deliberately absent
//! No reachability of goals.

use super::compact::Copy;
use super::{
    Action, Expr, Function, FunctionBuilder, GoalId, Granularity, NodeId, Program, Span, Step,
    join_branchings, merge_straight_edges, remove_unreachable,
};
use std::collections::BTreeSet;
use std::sync::Arc;
use term::Bv;

/// In the place of a file's name, where places are goals.
const FILE: &str = "(goals)";

/// The goals that the program can still pass, according to its graph: uncalled code, and code behind constant
/// conditions, is gone.
#[must_use]
pub fn goals_left(program: &Program) -> BTreeSet<GoalId> {
    let functions = program.functions.iter();
    let edges = functions.flat_map(|function| function.graph().edge_weights());
    let steps = edges.flat_map(|edge| &edge.steps);
    let goals = steps.filter_map(|step| match step.action {
        Action::Goal(goal) => Some(goal),
        _ => None,
    });
    goals.collect()
}

/// The program in which these goals are the targets.
#[must_use]
pub fn with_goals_as_targets(program: &Program, goals: &BTreeSet<GoalId>) -> Program {
    let mut changed = program.clone();
    let file = super::handle_count(changed.files.len());
    changed.files.push(FILE.to_owned());
    for function in &mut changed.functions {
        let with_targets = remove_unreachable(&rewritten(function, goals, file));
        *function = Arc::new(match program.granularity {
            Granularity::Block => merge_straight_edges(&join_branchings(&with_targets)),
            Granularity::Split => with_targets,
        });
    }
    changed
}

/// The goal whose target is at this place of a program that [`with_goals_as_targets`] made.
#[must_use]
pub fn goal_at(program: &Program, place: Span) -> Option<GoalId> {
    let file = program.files.get(usize::try_from(place.file).ok()?)?;
    (file == FILE && place.line > 0).then(|| GoalId(place.line - 1))
}

fn rewritten(function: &Function, goals: &BTreeSet<GoalId>, file: u32) -> Function {
    let mut copy = Copy::new(function);
    for node in function.node_ids() {
        copy.add_node(node);
    }
    for edge in function.edge_ids() {
        let (source, target) = function.endpoints(edge);
        let mut pieces: Vec<Vec<Step>> = vec![Vec::new()];
        for step in &function.edge(edge).steps {
            match &step.action {
                Action::Goal(goal) if goals.contains(goal) => {
                    let line = goal.0 + 1;
                    let place = Span {
                        file,
                        line,
                        column: 0,
                    };
                    pieces.push(vec![Step::new(Action::Target, place)]);
                    pieces.push(Vec::new());
                }
                Action::Goal(_) => {}
                Action::Target => {
                    let never = Action::Assume(Expr::Const(Bv::new(1, 0)));
                    pieces
                        .last_mut()
                        .expect("there is one")
                        .push(Step::new(never, step.span));
                }
                _ => pieces.last_mut().expect("there is one").push(step.clone()),
            }
        }
        let n_pieces = pieces.len();
        let wanted = |(position, piece): &(usize, Vec<Step>)| {
            // A piece without steps is only needed where the edge has nothing else.
            !piece.is_empty() || n_pieces == 1 || (*position == 0 && is_branching(function, source))
        };
        let pieces: Vec<Vec<Step>> = pieces
            .into_iter()
            .enumerate()
            .filter(wanted)
            .map(|(_, piece)| piece)
            .collect();
        copy.add_chain(source, target, pieces);
    }
    copy.finish()
}

fn is_branching(function: &Function, node: NodeId) -> bool {
    function.out_edges(node).len() > 1
}

impl Copy<'_> {
    /// Edges one behind the other, with new locations between them.
    fn add_chain(&mut self, source: NodeId, target: NodeId, pieces: Vec<Vec<Step>>) {
        let name = format!("{}.goal", self.from.node(source).name);
        let span = self.from.node(source).span;
        let (mut here, last) = (self.copied(source), pieces.len().saturating_sub(1));
        let target = self.copied(target);
        for (position, piece) in pieces.into_iter().enumerate() {
            let builder: &mut FunctionBuilder = &mut self.builder;
            let next = if position == last {
                target
            } else {
                builder.add_node(&name, span)
            };
            builder.add_edge(here, next, piece);
            here = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify;

    #[test]
    fn goals_become_targets_with_their_number_as_place() {
        let program: Program = "program block pointers 64 main @main\n\
             fn @main() {\n\
               reg %x: i32\n\
               a -> b: %x = input \"x\"\n\
               b -> c: assume (%x == 1:32); goal 0; %x = 2:32; goal 1\n\
               b -> c: assume (%x != 1:32); goal 2\n\
               c -> d: target\n\
               d -> e: return\n\
             }\n"
        .parse()
        .unwrap();
        assert_eq!(goals_left(&program).len(), 3);
        let wanted: BTreeSet<GoalId> = [GoalId(1), GoalId(2)].into_iter().collect();
        let changed = with_goals_as_targets(&program, &wanted);
        assert_eq!(verify(&changed), Ok(()));
        assert!(goals_left(&changed).is_empty());
        let edges = changed.functions[0].graph().edge_weights();
        let steps = edges.flat_map(|edge| &edge.steps);
        let targets = steps.filter(|step| step.action == Action::Target);
        let targets = targets.map(|step| goal_at(&changed, step.span));
        let targets: BTreeSet<Option<GoalId>> = targets.collect();
        assert_eq!(targets, wanted.into_iter().map(Some).collect());
    }
}
