//! Compaction: fewer, longer edges without intermediate locations.
//!
//! A location is *passed through* if exactly one edge leads to it and exactly one from it, and the function
//! is not entered there. Removing it concatenates the steps of the two edges. Cycles are preserved, as a
//! location with one incoming edge is not an entry of any cycle.
//!
//! # Invariants
//! - A program that passes `verify` still does, with [`Granularity::Block`](super::Granularity).
//! - A location stays if one of its edges has an action that must be alone, or if its incoming edge belongs
//!   to a branching and has only a condition: conditions keep separate edges, as in the paper's figures.
//! - A cyclic path stays a cyclic path: `ERROR: goto ERROR` keeps its edge.

use super::verify::reachable;
use super::{Action, BitSet, EdgeId, Function, FunctionBuilder, NodeId, Step};

/// The function without locations that are only passed through.
#[must_use]
pub fn merge_straight_edges(function: &Function) -> Function {
    let mut removed = BitSet::new(function.n_nodes());
    for node in function.node_ids() {
        if is_passed_through(function, node) {
            removed.insert(node.index());
        }
    }
    keep_one_location_of_each_ring(function, &mut removed);
    rebuild(function, &removed)
}

/// The function without the locations that its entry does not reach, and without their edges.
#[must_use]
pub fn remove_unreachable(function: &Function) -> Function {
    let reachable = reachable(function);
    if reachable.len() == function.n_nodes() {
        return function.clone();
    }
    let mut copy = Copy::new(function);
    for node in function
        .node_ids()
        .filter(|node| reachable.contains(node.index()))
    {
        copy.add_node(node);
    }
    for edge in function.edge_ids() {
        let (source, target) = function.endpoints(edge);
        if reachable.contains(source.index()) {
            copy.add_edge(source, target, function.edge(edge).steps.clone());
        }
    }
    copy.finish()
}

fn is_passed_through(function: &Function, node: NodeId) -> bool {
    let (&[into], &[from]) = (function.in_edges(node), function.out_edges(node)) else {
        return false;
    };
    if node == function.entry {
        return false;
    }
    let stands_alone = |edge: EdgeId| {
        let steps = &function.edge(edge).steps;
        steps.iter().any(|step| step.action.stands_alone())
    };
    if stands_alone(into) || stands_alone(from) {
        return false;
    }
    let is_branch = function.out_edges(function.source(into)).len() > 1;
    let only_condition = matches!(
        function.edge(into).steps.as_slice(),
        [Step {
            action: Action::Assume(_),
            ..
        }]
    );
    !(is_branch && only_condition)
}

/// A ring of locations that are all passed through is reachable from nowhere; it shrinks to a
/// location with an edge to itself. (A location with nothing but such an edge is a ring too.)
fn keep_one_location_of_each_ring(function: &Function, removed: &mut BitSet) {
    let mut seen = BitSet::new(function.n_nodes());
    for start in function.node_ids() {
        let mut node = start;
        while removed.contains(node.index()) && seen.insert(node.index()) {
            node = function.target(function.out_edges(node)[0]);
            if node == start {
                removed.remove(start.index());
            }
        }
    }
}

fn rebuild(function: &Function, removed: &BitSet) -> Function {
    let mut copy = Copy::new(function);
    for node in function
        .node_ids()
        .filter(|node| !removed.contains(node.index()))
    {
        copy.add_node(node);
    }
    for first in function.edge_ids() {
        let (source, mut target) = function.endpoints(first);
        if removed.contains(source.index()) {
            continue;
        }
        let mut steps = function.edge(first).steps.clone();
        while removed.contains(target.index()) {
            let next = function.out_edges(target)[0];
            steps.extend_from_slice(&function.edge(next).steps);
            target = function.target(next);
        }
        copy.add_edge(source, target, steps);
    }
    copy.finish()
}

/// A function that is being made from parts of another.
pub(super) struct Copy<'a> {
    pub(super) from: &'a Function,
    pub(super) builder: FunctionBuilder,
    nodes: Vec<Option<NodeId>>,
}

impl<'a> Copy<'a> {
    /// With all registers and no locations.
    pub(super) fn new(from: &'a Function) -> Copy<'a> {
        let mut builder = FunctionBuilder::new(&from.name);
        for reg in &from.regs {
            builder.add_reg(&reg.name, reg.bits, reg.pointer);
        }
        builder.set_params(from.params.clone());
        builder.set_result_bits(from.result_bits);
        Copy {
            from,
            builder,
            nodes: vec![None; from.n_nodes()],
        }
    }

    pub(super) fn add_node(&mut self, node: NodeId) {
        let data = self.from.node(node);
        let copied = self.builder.copy_node(data);
        self.nodes[node.index()] = Some(copied);
        if node == self.from.entry {
            self.builder.set_entry(copied);
        }
    }

    pub(super) fn add_edge(&mut self, source: NodeId, target: NodeId, steps: Vec<Step>) {
        let (source, target) = (self.copied(source), self.copied(target));
        self.builder.add_edge(source, target, steps);
    }

    /// The copy of a location that was added.
    pub(super) fn copied(&self, node: NodeId) -> NodeId {
        self.nodes[node.index()].expect("ends of kept edges are kept")
    }

    /// The function with other steps at its edges.
    pub(super) fn with_steps(
        from: &Function,
        mut steps: impl FnMut(EdgeId) -> Vec<Step>,
    ) -> Function {
        let mut copy = Copy::new(from);
        from.node_ids().for_each(|node| copy.add_node(node));
        for edge in from.edge_ids() {
            let (source, target) = from.endpoints(edge);
            copy.add_edge(source, target, steps(edge));
        }
        copy.finish()
    }

    pub(super) fn finish(self) -> Function {
        self.builder.finish()
    }
}
