//! Recursive functions, directly or through others.

use crate::microc::ast::{ExpressionKind, Program};
use petgraph::algo::kosaraju_scc;
use petgraph::graphmap::DiGraphMap;
use std::collections::BTreeSet;

/// The recursive functions of a program.
pub(super) struct Calls<'p> {
    recursive: BTreeSet<&'p str>,
}

impl<'p> Calls<'p> {
    /// Those of a program whose names are checked.
    pub(super) fn of(program: &'p Program) -> Calls<'p> {
        let mut graph = DiGraphMap::<&str, ()>::new();
        for function in &program.functions {
            let caller = function.name.text.as_str();
            graph.add_node(caller);
            function.for_each_expression(&mut |expression| {
                if let ExpressionKind::Call { function, .. } = &expression.kind {
                    graph.add_edge(caller, function.text.as_str(), ());
                }
            });
        }
        let mut recursive = BTreeSet::new();
        for component in kosaraju_scc(&graph) {
            let calls_itself =
                component.len() > 1 || graph.contains_edge(component[0], component[0]);
            if calls_itself {
                recursive.extend(component);
            }
        }
        Calls { recursive }
    }

    pub(super) fn is_recursive(&self, function: &str) -> bool {
        self.recursive.contains(function)
    }
}
