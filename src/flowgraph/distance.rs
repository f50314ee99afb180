//! Distances, counted in edges, for search orders.
//!
//! [`distances`] covers one function, [`Distances`] the whole program and its targets. A call can enter its
//! callee; passing the call requires that the callee can return, and costs the shortest path through it. A
//! call by pointer can enter every function whose address is taken.
//!
//! # Invariants
//! - A distance never exceeds the number of edges of any execution from there to a target, and
//!   `None` means that no execution from there takes a target edge.

use super::{Action, Callee, EdgeId, Expr, Function, FunctionId, Initializer, NodeId, Program};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How many edges it takes at least from each location, by [`NodeId::index`], to one of the
/// `goals`, inside the function; `None` where none is reachable.
#[must_use]
pub fn distances(function: &Function, goals: impl IntoIterator<Item = NodeId>) -> Vec<Option<u32>> {
    let mut found = vec![None; function.n_nodes()];
    let mut layer: Vec<NodeId> = goals.into_iter().collect();
    let mut distance = 0;
    while !layer.is_empty() {
        let mut next = Vec::new();
        for node in layer {
            if found[node.index()].is_none() {
                found[node.index()] = Some(distance);
                let into = function.in_edges(node).iter();
                next.extend(into.map(|&edge| function.source(edge)));
            }
        }
        layer = next;
        distance += 1;
    }
    found
}

/// Distances to the [`Action::Target`]s of a program.
#[derive(Clone, Debug)]
pub struct Distances {
    /// By function and location: to a return of the function.
    to_return: Vec<Vec<Option<u32>>>,
    /// To a target without returning from the function.
    within: Vec<Vec<Option<u32>>>,
    /// To a target, where a return continues behind any call of the function.
    anywhere: Vec<Vec<Option<u32>>>,
}

/// Computes [`Distances`].
#[must_use]
pub(super) fn distances_to_target(program: &Program) -> Distances {
    let calls = Calls::of(program);
    let to_return = returns(program, &calls);
    let within = targets(program, &calls, &to_return, false);
    let anywhere = targets(program, &calls, &to_return, true);
    Distances {
        to_return,
        within,
        anywhere,
    }
}

impl Distances {
    /// From a location to a target in any context: a return of its function is taken to continue
    /// behind every call of it. The edge with the target counts as 1.
    ///
    /// # Panics
    /// If a handle is not of the program; so do all methods here.
    #[must_use]
    pub fn anywhere(&self, function: FunctionId, node: NodeId) -> Option<u32> {
        self.anywhere[function.index()][node.index()]
    }

    /// From a location to a target, in its function and in functions called from there.
    #[must_use]
    pub fn within(&self, function: FunctionId, node: NodeId) -> Option<u32> {
        self.within[function.index()][node.index()]
    }

    /// From a location to the end of a return edge of its function.
    #[must_use]
    pub fn to_return(&self, function: FunctionId, node: NodeId) -> Option<u32> {
        self.to_return[function.index()][node.index()]
    }

    /// To a target from a whole call stack, innermost frame first: the current location, then
    /// for each caller the location where it continues.
    pub fn on_stack(&self, frames: impl IntoIterator<Item = (FunctionId, NodeId)>) -> Option<u32> {
        let mut best: Option<u32> = None;
        let mut returned = 0u32;
        for (function, node) in frames {
            if best.is_some_and(|best| best <= returned) {
                break;
            }
            if let Some(more) = self.within(function, node) {
                let total = returned.saturating_add(more);
                best = Some(best.map_or(total, |old| old.min(total)));
            }
            let Some(more) = self.to_return(function, node) else {
                break;
            };
            returned = returned.saturating_add(more);
        }
        best
    }
}

/// Who can call whom.
struct Calls {
    /// Functions whose address is taken: what a call by pointer can enter.
    by_pointer: Vec<FunctionId>,
    /// By callee: the calling edges.
    sites: Vec<Vec<(FunctionId, EdgeId)>>,
}

impl Calls {
    fn of(program: &Program) -> Calls {
        let mut taken = vec![false; program.functions.len()];
        let mut note = |expr: &Expr| {
            expr.for_each(&mut |part| {
                if let Expr::Function(id) = part {
                    taken[id.index()] = true;
                }
            });
        };
        for global in &program.globals {
            if let Initializer::Bytes { addresses, .. } = &global.initializer {
                addresses.iter().for_each(|(_, expr)| note(expr));
            }
        }
        for function in &program.functions {
            for edge in function.edge_ids() {
                for step in &function.edge(edge).steps {
                    step.action.for_each_expr(&mut |expr| note(expr));
                }
            }
        }
        let by_pointer = program
            .function_ids()
            .filter(|id| taken[id.index()])
            .collect();
        let mut calls = Calls {
            by_pointer,
            sites: vec![Vec::new(); program.functions.len()],
        };
        for caller in program.function_ids() {
            let function = program.function(caller);
            for edge in function.edge_ids() {
                for callee in calls.callees(function, edge).to_vec() {
                    calls.sites[callee.index()].push((caller, edge));
                }
            }
        }
        calls
    }

    /// The functions that the edge can enter.
    fn callees<'a>(&'a self, function: &'a Function, edge: EdgeId) -> &'a [FunctionId] {
        match callee_of(function, edge) {
            None => &[],
            Some(Callee::Direct(id)) => std::slice::from_ref(id),
            Some(Callee::Indirect(_)) => &self.by_pointer,
        }
    }
}

fn callee_of(function: &Function, edge: EdgeId) -> Option<&Callee> {
    function
        .edge(edge)
        .steps
        .iter()
        .find_map(|step| match &step.action {
            Action::Call { callee, .. } => Some(callee),
            _ => None,
        })
}

fn has_step(function: &Function, edge: EdgeId, is: impl Fn(&Action) -> bool) -> bool {
    let steps = &function.edge(edge).steps;
    steps.iter().any(|step| is(&step.action))
}

/// Locations by distance, nearest first.
struct Queue {
    heap: BinaryHeap<Reverse<(u32, FunctionId, NodeId)>>,
    settled: Vec<Vec<Option<u32>>>,
}

impl Queue {
    fn new(program: &Program) -> Queue {
        Queue {
            heap: BinaryHeap::new(),
            settled: program
                .functions
                .iter()
                .map(|function| vec![None; function.n_nodes()])
                .collect(),
        }
    }

    fn push(&mut self, distance: u32, function: FunctionId, node: NodeId) {
        if self.get(function, node).is_none() {
            self.heap.push(Reverse((distance, function, node)));
        }
    }

    /// Settles the nearest location that was not.
    fn pop(&mut self) -> Option<(u32, FunctionId, NodeId)> {
        while let Some(Reverse((distance, function, node))) = self.heap.pop() {
            let slot = &mut self.settled[function.index()][node.index()];
            if slot.is_none() {
                *slot = Some(distance);
                return Some((distance, function, node));
            }
        }
        None
    }

    fn get(&self, function: FunctionId, node: NodeId) -> Option<u32> {
        self.settled[function.index()][node.index()]
    }
}

/// Shortest ways to returns. A call edge costs 1 and the shortest way through a callee, so it
/// counts once both that way and the way behind the call are settled; both are shorter than
/// their sum, so settling by distance is right (Knuth's generalisation of Dijkstra's algorithm).
fn returns(program: &Program, calls: &Calls) -> Vec<Vec<Option<u32>>> {
    let mut queue = Queue::new(program);
    for id in program.function_ids() {
        let function = program.function(id);
        for edge in function.edge_ids() {
            if has_step(function, edge, |action| matches!(action, Action::Return(_))) {
                queue.push(1, id, function.source(edge));
            }
        }
    }
    while let Some((distance, id, node)) = queue.pop() {
        let function = program.function(id);
        for &edge in function.in_edges(node) {
            let through = if callee_of(function, edge).is_some() {
                calls
                    .callees(function, edge)
                    .iter()
                    .filter_map(|&callee| queue.get(callee, program.function(callee).entry))
                    .min()
            } else if has_step(function, edge, Action::leaves_function) {
                None
            } else {
                Some(0)
            };
            if let Some(through) = through {
                let total = distance.saturating_add(through).saturating_add(1);
                queue.push(total, id, function.source(edge));
            }
        }
        if node == function.entry {
            for &(caller, edge) in &calls.sites[id.index()] {
                let function = program.function(caller);
                let (source, behind) = function.endpoints(edge);
                if let Some(rest) = queue.get(caller, behind) {
                    let total = distance.saturating_add(rest).saturating_add(1);
                    queue.push(total, caller, source);
                }
            }
        }
    }
    queue.settled
}

/// Shortest ways to targets; with `return_anywhere`, a return continues behind every call.
fn targets(
    program: &Program,
    calls: &Calls,
    to_return: &[Vec<Option<u32>>],
    return_anywhere: bool,
) -> Vec<Vec<Option<u32>>> {
    let through =
        |callee: FunctionId| to_return[callee.index()][program.function(callee).entry.index()];
    let mut queue = Queue::new(program);
    let mut return_sources = vec![Vec::new(); program.functions.len()];
    for id in program.function_ids() {
        let function = program.function(id);
        for edge in function.edge_ids() {
            if has_step(function, edge, |action| matches!(action, Action::Target)) {
                queue.push(1, id, function.source(edge));
            }
            if has_step(function, edge, |action| matches!(action, Action::Return(_))) {
                return_sources[id.index()].push(function.source(edge));
            }
        }
    }
    while let Some((distance, id, node)) = queue.pop() {
        let function = program.function(id);
        for &edge in function.in_edges(node) {
            let callees = calls.callees(function, edge);
            let cost = if callee_of(function, edge).is_some() {
                callees.iter().filter_map(|&callee| through(callee)).min()
            } else if has_step(function, edge, Action::leaves_function) {
                None
            } else {
                Some(0)
            };
            if let Some(cost) = cost {
                let total = distance.saturating_add(cost).saturating_add(1);
                queue.push(total, id, function.source(edge));
            }
            if return_anywhere {
                for callee in callees {
                    for &source in &return_sources[callee.index()] {
                        queue.push(distance.saturating_add(1), *callee, source);
                    }
                }
            }
        }
        if node == function.entry {
            for &(caller, edge) in &calls.sites[id.index()] {
                let source = program.function(caller).source(edge);
                queue.push(distance.saturating_add(1), caller, source);
            }
        }
    }
    queue.settled
}
