//! Search order: states near locations that no path has reached yet, as in the thesis (Section 5.3.2.2).
//!
//! The weight of a state is 1/d, where d is the number of edges from its location to the nearest one at which
//! no state was taken so far; a state is picked with a probability proportional to its weight (Table 5.1).
//! Edges include entries of called functions; if no new location is ahead before the function returns, d is
//! the number of all locations.
//!
//! # Source
//! Rozhoň, *Nested loops and path explosion in symbolic execution*, Section 5.3.2.2.

use super::distances::Distances;
use super::{Order, Priority, Ticket};
use flowgraph::{Action, Callee, FunctionId, NodeId, Program};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use semantics::Location;

/// The locations of a program, numbered through, with the distances from them.
pub(super) struct Ground {
    /// The number of the first location of each function.
    first: Vec<usize>,
    /// Edges, and calls, to the nearest location that is not covered.
    distances: Distances,
}

impl Ground {
    pub fn of(program: &Program) -> Ground {
        let mut first = Vec::new();
        let mut n_locations = 0;
        for function in &program.functions {
            first.push(n_locations);
            n_locations += function.n_nodes();
        }
        let number = |id: FunctionId, node: NodeId| number(&first, id, node);
        let mut edges = Vec::new();
        for id in program.function_ids() {
            let function = program.function(id);
            for edge in function.edge_ids() {
                let (source, target) = function.endpoints(edge);
                let from = number(id, source);
                edges.push((from, number(id, target)));
                for step in &function.edge(edge).steps {
                    if let Action::Call {
                        callee: Callee::Direct(callee),
                        ..
                    } = step.action
                    {
                        edges.push((from, number(callee, program.function(callee).entry)));
                    }
                }
            }
        }
        Ground {
            distances: Distances::new(n_locations, edges),
            first,
        }
    }
}

fn number(first: &[usize], function: FunctionId, node: NodeId) -> usize {
    first[function.index()] + node.index()
}

/// Picks states by their distance to what is not covered.
pub(super) struct ByCoverage {
    ground: Ground,
    /// By location, so that the weight of many states is computed once.
    waiting: IndexMap<usize, Vec<Ticket>, FxBuildHasher>,
    /// The location of each ticket, by its number.
    locations: FxHashMap<u64, usize>,
    rng: fastrand::Rng,
}

impl ByCoverage {
    pub fn new(ground: Ground, seed: u64) -> ByCoverage {
        ByCoverage {
            ground,
            waiting: IndexMap::default(),
            locations: FxHashMap::default(),
            rng: fastrand::Rng::with_seed(seed),
        }
    }

    /// Says that a state was taken, by whatever order.
    pub fn cover(&mut self, ticket: Ticket) {
        if let Some(location) = self.locations.remove(&ticket.number) {
            self.ground.distances.cover(location);
        }
    }

    fn weight(&self, location: usize) -> f64 {
        match self.ground.distances.of(location) {
            Some(distance) => 1.0 / f64::from(distance.max(1)),
            None => {
                let n_locations = self.ground.distances.len();
                let n_locations = u32::try_from(n_locations).unwrap_or(u32::MAX);
                1.0 / f64::from(n_locations.max(1))
            }
        }
    }

    /// A place in `waiting`, by weight.
    fn pick(&mut self) -> Option<usize> {
        let weights = self.waiting.iter().map(|(location, tickets)| {
            let n_tickets = u32::try_from(tickets.len()).unwrap_or(u32::MAX);
            self.weight(*location) * f64::from(n_tickets)
        });
        let weights: Vec<f64> = weights.collect();
        let mut left = self.rng.f64() * weights.iter().sum::<f64>();
        for (place, weight) in weights.iter().enumerate() {
            left -= weight;
            if left < 0.0 {
                return Some(place);
            }
        }
        weights.len().checked_sub(1)
    }
}

impl Order for ByCoverage {
    fn push(&mut self, ticket: Ticket, priority: Priority) {
        let Location { function, node } = priority.location;
        let location = number(&self.ground.first, function, node);
        self.waiting.entry(location).or_default().push(ticket);
        self.locations.insert(ticket.number, location);
    }

    fn pop(&mut self, waits: &dyn Fn(Ticket) -> bool) -> Option<Ticket> {
        loop {
            let place = self.pick()?;
            let (_, tickets) = self.waiting.get_index_mut(place)?;
            let ticket = tickets.swap_remove(self.rng.usize(..tickets.len()));
            if tickets.is_empty() {
                self.waiting.swap_remove_index(place);
            }
            if waits(ticket) {
                self.cover(ticket);
                return Some(ticket);
            }
        }
    }
}
