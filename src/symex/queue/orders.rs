//! The orders of the queue.

use super::branches::LeastEncountered;
use super::coverage::{ByCoverage, Ground};
use super::tree::{Interleaved, RandomPath};
use super::{Order, Priority, SearchStrategy, Ticket};
use flowgraph::Program;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// The order of a strategy, for states of a program.
pub(super) fn of(strategy: SearchStrategy, patience: u32, program: &Program) -> Box<dyn Order> {
    let by_coverage = |seed| ByCoverage::new(Ground::of(program), seed);
    match strategy {
        SearchStrategy::Bfs => Box::new(Oldest::default()),
        SearchStrategy::Dfs => Box::new(Newest::default()),
        SearchStrategy::Random(seed) => Box::new(Random {
            tickets: Vec::new(),
            rng: fastrand::Rng::with_seed(seed),
        }),
        SearchStrategy::Nearest => Box::new(Nearest::default()),
        SearchStrategy::NearestAndNewest => Box::new(Alternating::default()),
        SearchStrategy::Navigate => Box::new(ShortestDistance {
            by_left: BinaryHeap::new(),
            by_age: Oldest::default(),
            fewest: u64::MAX,
            n_without_progress: 0,
            patience,
        }),
        SearchStrategy::FewestIterations => Box::new(FewestIterations::default()),
        SearchStrategy::Innermost => Box::new(MostCuts::default()),
        SearchStrategy::Least => Box::new(LeastEncountered::default()),
        SearchStrategy::Tree(seed) => Box::new(RandomPath::new(seed)),
        SearchStrategy::Coverage(seed) => Box::new(by_coverage(seed)),
        SearchStrategy::Klee(seed) => {
            Box::new(Interleaved::new(RandomPath::new(seed), by_coverage(seed)))
        }
    }
}

/// First in, first out.
#[derive(Default)]
struct Oldest(VecDeque<Ticket>);

impl Order for Oldest {
    fn push(&mut self, ticket: Ticket, _: Priority) {
        self.0.push_back(ticket);
    }

    fn pop(&mut self, waits: &dyn Fn(Ticket) -> bool) -> Option<Ticket> {
        std::iter::from_fn(|| self.0.pop_front()).find(|ticket| waits(*ticket))
    }
}

/// Last in, first out.
#[derive(Default)]
struct Newest(Vec<Ticket>);

impl Order for Newest {
    fn push(&mut self, ticket: Ticket, _: Priority) {
        self.0.push(ticket);
    }

    fn pop(&mut self, waits: &dyn Fn(Ticket) -> bool) -> Option<Ticket> {
        std::iter::from_fn(|| self.0.pop()).find(|ticket| waits(*ticket))
    }
}

/// Any.
struct Random {
    tickets: Vec<Ticket>,
    rng: fastrand::Rng,
}

impl Order for Random {
    fn push(&mut self, ticket: Ticket, _: Priority) {
        self.tickets.push(ticket);
    }

    fn pop(&mut self, waits: &dyn Fn(Ticket) -> bool) -> Option<Ticket> {
        while !self.tickets.is_empty() {
            let position = self.rng.usize(..self.tickets.len());
            let ticket = self.tickets.swap_remove(position);
            if waits(ticket) {
                return Some(ticket);
            }
        }
        None
    }
}

/// Takes the nearest three times, then the oldest once.
#[derive(Default)]
struct Nearest {
    by_distance: BinaryHeap<Reverse<(u32, Ticket)>>,
    by_age: Oldest,
    turn: u32,
}

impl Order for Nearest {
    fn push(&mut self, ticket: Ticket, priority: Priority) {
        self.by_distance.push(Reverse((priority.distance, ticket)));
        self.by_age.push(ticket, priority);
    }

    fn pop(&mut self, waits: &dyn Fn(Ticket) -> bool) -> Option<Ticket> {
        self.turn = self.turn.wrapping_add(1);
        if self.turn.is_multiple_of(4) {
            return self.by_age.pop(waits);
        }
        let nearest = || self.by_distance.pop().map(|Reverse((_, ticket))| ticket);
        std::iter::from_fn(nearest).find(|ticket| waits(*ticket))
    }
}

/// Within most loops that are cut, the oldest of several.
#[derive(Default)]
struct MostCuts(BinaryHeap<(usize, Reverse<Ticket>)>);

impl Order for MostCuts {
    fn push(&mut self, ticket: Ticket, priority: Priority) {
        self.0.push((priority.cuts, Reverse(ticket)));
    }

    fn pop(&mut self, waits: &dyn Fn(Ticket) -> bool) -> Option<Ticket> {
        let next = || self.0.pop().map(|(_, Reverse(ticket))| ticket);
        std::iter::from_fn(next).find(|ticket| waits(*ticket))
    }
}

/// Least often around loops, the newest of several.
#[derive(Default)]
struct FewestIterations(BinaryHeap<(Reverse<u32>, Ticket)>);

impl Order for FewestIterations {
    fn push(&mut self, ticket: Ticket, priority: Priority) {
        self.0.push((Reverse(priority.iterations), ticket));
    }

    fn pop(&mut self, waits: &dyn Fn(Ticket) -> bool) -> Option<Ticket> {
        let next = || self.0.pop().map(|(_, ticket)| ticket);
        std::iter::from_fn(next).find(|ticket| waits(*ticket))
    }
}

/// So many items in a row are taken in one order before it is the other's turn.
pub(super) const ROW: u32 = 64;

/// Takes rows of the nearest and of the newest in turn. For the newest, what was added in the turns
/// of the nearest comes after all that was added in its own, so that a descent continues where it was.
#[derive(Default)]
struct Alternating {
    nearest: Nearest,
    /// Added while it was the turn of the newest.
    own: Newest,
    others: Newest,
    /// Items that were taken in this row.
    n_taken: u32,
    is_turn_of_newest: bool,
}

impl Order for Alternating {
    fn push(&mut self, ticket: Ticket, priority: Priority) {
        self.nearest.push(ticket, priority);
        let newest = if self.is_turn_of_newest {
            &mut self.own
        } else {
            &mut self.others
        };
        newest.push(ticket, priority);
    }

    fn pop(&mut self, waits: &dyn Fn(Ticket) -> bool) -> Option<Ticket> {
        if self.n_taken == ROW {
            self.n_taken = 0;
            self.is_turn_of_newest = !self.is_turn_of_newest;
        }
        self.n_taken += 1;
        if self.is_turn_of_newest {
            self.own.pop(waits).or_else(|| self.others.pop(waits))
        } else {
            self.nearest.pop(waits)
        }
    }
}

/// Takes the state with the fewest executions of chains left, the newest of several; the oldest
/// after so many of which none had fewer left than all before.
struct ShortestDistance {
    by_left: BinaryHeap<(Reverse<u64>, Ticket)>,
    by_age: Oldest,
    fewest: u64,
    n_without_progress: u32,
    patience: u32,
}

impl Order for ShortestDistance {
    fn push(&mut self, ticket: Ticket, priority: Priority) {
        self.by_left.push((Reverse(priority.left), ticket));
        self.by_age.push(ticket, priority);
    }

    fn pop(&mut self, waits: &dyn Fn(Ticket) -> bool) -> Option<Ticket> {
        if self.n_without_progress >= self.patience {
            self.n_without_progress = 0;
            return self.by_age.pop(waits);
        }
        let next = std::iter::from_fn(|| self.by_left.pop());
        let (Reverse(left), ticket) = { next }.find(|(_, ticket)| waits(*ticket))?;
        if left < self.fewest {
            self.fewest = left;
            self.n_without_progress = 0;
        } else {
            self.n_without_progress += 1;
        }
        Some(ticket)
    }
}
