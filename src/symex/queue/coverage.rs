//! States near locations that no path has come to yet, as in the thesis (Section 5.3.2.2).
//!
//! The weight of a state is 1/d, where d is the number of edges from its location to the nearest one
//! at which no state was taken so far; a state is picked with the probability of its weight among
//! those of all that wait (Table 5.1). Edges lead into functions that are called too; where nothing
//! new is ahead before the function returns, d is the number of all locations.
//!
//! # Source
//! Rozhoň, *Nested loops and path explosion in symbolic execution*, Section 5.3.2.2.

use super::{Order, Priority, Ticket};
use crate::flowgraph::{Action, Callee, FunctionId, NodeId, Program};
use crate::semantics::Location;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::collections::VecDeque;

/// The locations of a program, numbered through, with the edges that lead to them.
pub(super) struct Ground {
    /// The number of the first location of each function.
    first: Vec<usize>,
    /// For each location those from which an edge, or a call, leads to it.
    sources: Vec<Vec<usize>>,
}

impl Ground {
    pub fn of(program: &Program) -> Ground {
        let mut first = Vec::new();
        let mut n_locations = 0;
        for function in &program.functions {
            first.push(n_locations);
            n_locations += function.n_nodes();
        }
        let mut ground = Ground {
            first,
            sources: vec![Vec::new(); n_locations],
        };
        for id in program.function_ids() {
            let function = program.function(id);
            for edge in function.edge_ids() {
                let (source, target) = function.endpoints(edge);
                let from = ground.number(id, source);
                let to = ground.number(id, target);
                ground.sources[to].push(from);
                for step in &function.edge(edge).steps {
                    if let Action::Call {
                        callee: Callee::Direct(callee),
                        ..
                    } = step.action
                    {
                        let entry = ground.number(callee, program.function(callee).entry);
                        ground.sources[entry].push(from);
                    }
                }
            }
        }
        ground
    }

    fn number(&self, function: FunctionId, node: NodeId) -> usize {
        self.first[function.index()] + node.index()
    }
}

/// Picks states by their distance to what is not covered.
pub(super) struct ByCoverage {
    ground: Ground,
    covered: Vec<bool>,
    /// Edges to the nearest location that is not covered, by location; none where there is none.
    distances: Vec<Option<u32>>,
    is_stale: bool,
    /// By location, so that the weight of many states is computed once.
    waiting: IndexMap<usize, Vec<Ticket>, FxBuildHasher>,
    /// The location of each ticket, by its number.
    locations: FxHashMap<u64, usize>,
    rng: fastrand::Rng,
}

impl ByCoverage {
    pub fn new(ground: Ground, seed: u64) -> ByCoverage {
        let n_locations = ground.sources.len();
        ByCoverage {
            ground,
            covered: vec![false; n_locations],
            distances: vec![Some(0); n_locations],
            is_stale: false,
            waiting: IndexMap::default(),
            locations: FxHashMap::default(),
            rng: fastrand::Rng::with_seed(seed),
        }
    }

    /// Says that a state was taken, by whatever order.
    pub fn cover(&mut self, ticket: Ticket) {
        if let Some(location) = self.locations.remove(&ticket.number) {
            let was_covered = std::mem::replace(&mut self.covered[location], true);
            self.is_stale |= !was_covered;
        }
    }

    /// Breadth first, backwards from all that is not covered.
    fn measure(&mut self) {
        let is_new = |covered: &bool| (!covered).then_some(0);
        self.distances = self.covered.iter().map(is_new).collect();
        let starts = self.distances.iter().enumerate();
        let starts = starts.filter(|(_, distance)| distance.is_some());
        let mut pending: VecDeque<(usize, u32)> = starts.map(|(place, _)| (place, 0)).collect();
        while let Some((place, distance)) = pending.pop_front() {
            for source in &self.ground.sources[place] {
                if self.distances[*source].is_none() {
                    self.distances[*source] = Some(distance + 1);
                    pending.push_back((*source, distance + 1));
                }
            }
        }
        self.is_stale = false;
    }

    fn weight(&self, location: usize) -> f64 {
        match self.distances[location] {
            Some(distance) => 1.0 / f64::from(distance.max(1)),
            None => {
                let n_locations = u32::try_from(self.distances.len()).unwrap_or(u32::MAX);
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
        let location = self.ground.number(function, node);
        self.waiting.entry(location).or_default().push(ticket);
        self.locations.insert(ticket.number, location);
    }

    fn pop(&mut self, waits: &dyn Fn(Ticket) -> bool) -> Option<Ticket> {
        if self.is_stale {
            self.measure();
        }
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
