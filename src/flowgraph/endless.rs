//! Calls that never return.
//!
//! A function never returns if each way to a return of it leads through such a call: `f` of
//! `unsigned f(unsigned n) { return f(n + 1) + f(n - 1); }`. Where it only computes, reads inputs and calls functions
//! that do no more, its executions are all alike: they go on without an end. In the program that is made here such a call is a loop
//! without an end, so that nothing follows calls that are deeper and deeper.
//!
//! # Invariants
//! - Executions are those of the program, but for what endless calls compute.
//! - Locations and registers are those of the program.

use super::compact::Copy;
use super::distance::distances_to_target;
use super::{Action, Callee, Function, FunctionId, Program, Step};
use std::sync::Arc;

/// The program in which endless calls are loops; `None` where it has none.
#[must_use]
pub fn without_endless_calls(program: &Program) -> Option<Program> {
    let distances = distances_to_target(program);
    let returns = |id: FunctionId| {
        distances
            .to_return(id, program.function(id).entry)
            .is_some()
    };
    let mut is_endless: Vec<bool> = program.function_ids().map(|id| !returns(id)).collect();
    if !is_endless.contains(&true) {
        return None;
    }
    let mut is_quiet: Vec<bool> = program.functions.iter().map(|_| true).collect();
    let mut is_new = true;
    while is_new {
        is_new = false;
        for id in program.function_ids() {
            let is_still = is_quiet[id.index()]
                && steps(program.function(id)).all(|step| match &step.action {
                    Action::Assume(_)
                    | Action::Assign(_)
                    | Action::Input { .. }
                    | Action::Return(_) => true,
                    Action::Call { callee, .. } => match callee {
                        Callee::Direct(callee) => is_quiet[callee.index()],
                        Callee::Indirect(_) => false,
                    },
                    _ => false,
                });
            is_new |= is_still != is_quiet[id.index()];
            is_quiet[id.index()] = is_still;
        }
    }
    for (endless, quiet) in is_endless.iter_mut().zip(is_quiet) {
        *endless &= quiet;
    }
    let is_call = |step: &Step| matches!(&step.action, Action::Call { callee: Callee::Direct(callee), .. } if is_endless[callee.index()]);
    let mut changed = program.clone();
    let mut has_calls = false;
    for function in &mut changed.functions {
        if steps(function).any(is_call) {
            *function = Arc::new(with_loops(function, &is_call));
            has_calls = true;
        }
    }
    has_calls.then_some(changed)
}

fn steps(function: &Function) -> impl Iterator<Item = &Step> {
    let edges = function.graph().edge_weights();
    edges.flat_map(|edge| &edge.steps)
}

/// A function in which edges with these calls lead back to where they begin.
fn with_loops(function: &Function, is_call: &dyn Fn(&Step) -> bool) -> Function {
    let mut copy = Copy::new(function);
    for node in function.node_ids() {
        copy.add_node(node);
    }
    for edge in function.edge_ids() {
        let (source, target) = function.endpoints(edge);
        let steps = &function.edge(edge).steps;
        match steps.iter().any(is_call) {
            true => copy.add_edge(source, source, Vec::new()),
            false => copy.add_edge(source, target, steps.clone()),
        }
    }
    copy.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_that_never_return_are_loops() {
        let text = "program block pointers 64 main @main\n\
             fn @main() -> i32 {\n\
               reg %x: i32\n\
               a -> b: call @ends(1:32)\n\
               b -> c: %x = call @f(1:32)\n\
               c -> d: target\n\
               d -> end: return 0:32\n\
             }\n\
             fn @f(%n: i32) -> i32 {\n\
               reg %x: i32\n\
               a -> b: %x = call @f((%n + 1:32))\n\
b -> end: return %x\n\
             }\n\
             fn @ends(%n: i32) {\n\
               a -> b: assume %n == 0:32\n\
               a -> c: assume %n != 0:32\n\
               b -> end: return\n\
               c -> d: call @ends((%n - 1:32))\n\
               d -> end: return\n\
             }\n";
        let program: Program = text.parse().unwrap();
        let changed = without_endless_calls(&program).unwrap();
        let main = &changed.functions[0];
        let next = |name| {
            let node = main.node_by_name(name).unwrap();
            main.out_edges(node)
                .iter()
                .map(|edge| main.target(*edge))
                .collect::<Vec<_>>()
        };
        assert_eq!(next("a"), [main.node_by_name("b").unwrap()]);
        assert_eq!(next("b"), [main.node_by_name("b").unwrap()]);
        assert!(without_endless_calls(&changed).is_none());
        let end = "a -> b: %x = call @f((%n + 1:32))\nb -> end";
        assert!(text.contains(end));
        let counts: Program = text
            .replace(
                end,
                "a -> a1: goal 0\na1 -> b: %x = call @f((%n + 1:32))\nb -> end",
            )
            .parse()
            .unwrap();
        assert!(without_endless_calls(&counts).is_none());
    }
}
