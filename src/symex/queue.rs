//! The queue of Algorithm 2, in several orders.
//!
//! ```text
//! state --Priority::of--> priority --Order::push, Order::pop--> the state that comes next
//! ```
//!
//! States lie in slots, and orders hold just their tickets, so that several orders can hold the
//! same states. Whoever adds an order implements [`Order`] and names it in [`SearchStrategy`];
//! what an order needs to know of a state goes into its [`Priority`].
//!
//! # Invariants
//! - Each state that was pushed is popped once, in whatever order.

mod orders;

use super::executor::return_locations;
use crate::flowgraph::ProgramFacts;
use crate::semantics::State;

/// Which state comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchStrategy {
    /// The oldest first, as in the paper.
    Bfs,
    /// The newest first.
    Dfs,
    /// Any, by this seed.
    Random(u64),
    /// The one with the fewest edges to the target first, taking turns with the oldest so that
    /// no state starves.
    Nearest,
    /// The nearest, taking turns with the oldest, for a while, then the newest for as long: each of
    /// the two goes on where it was, and neither does what the other has done.
    NearestAndNewest,
    /// The one with the fewest executions of chains left first, by constraint systems of chains
    /// (ATVA 2011), the newest of several; the oldest where that makes no progress for long.
    Navigate,
}

/// What an order may know of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Priority {
    /// Edges from the state to a target, at least; `u32::MAX` where none is known to be ahead.
    pub distance: u32,
    /// Executions of chains from the state to a target, as far as is known.
    pub left: u64,
}

impl Priority {
    /// That of a state of a program with so many executions of chains left.
    pub fn of(facts: &ProgramFacts, state: &State, left: u64) -> Priority {
        let frames = std::iter::once(state.location).chain(return_locations(state));
        let frames = frames.map(|location| (location.function, location.node));
        Priority {
            distance: facts.distances().on_stack(frames).unwrap_or(u32::MAX),
            left,
        }
    }
}

/// A state that waits: its number, in order of arrival, and where it lies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Ticket {
    number: u64,
    slot: usize,
}

/// Which of the states that wait comes next.
trait Order {
    fn push(&mut self, ticket: Ticket, priority: Priority);

    /// The ticket that comes next, of those that wait still; an order that keeps tickets more than
    /// once passes over those that were taken.
    fn pop(&mut self, waits: &dyn Fn(Ticket) -> bool) -> Option<Ticket>;
}

/// States that wait.
pub(super) struct Queue<T> {
    order: Box<dyn Order>,
    /// The number of the item that lies, or lay, in each slot, and the item.
    slots: Vec<(u64, Option<T>)>,
    free: Vec<usize>,
    next_number: u64,
    n_waiting: usize,
}

impl<T> Queue<T> {
    /// An empty queue; `patience` is for [`SearchStrategy::Navigate`].
    pub fn new(strategy: SearchStrategy, patience: u32) -> Queue<T> {
        Queue {
            order: orders::of(strategy, patience),
            slots: Vec::new(),
            free: Vec::new(),
            next_number: 0,
            n_waiting: 0,
        }
    }

    pub fn push(&mut self, item: T, priority: Priority) {
        let number = self.next_number;
        self.next_number += 1;
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push((0, None));
            self.slots.len() - 1
        });
        self.slots[slot] = (number, Some(item));
        self.order.push(Ticket { number, slot }, priority);
        self.n_waiting += 1;
    }

    pub fn pop(&mut self) -> Option<T> {
        let slots = &self.slots;
        let waits = |ticket: Ticket| {
            let (number, item) = &slots[ticket.slot];
            *number == ticket.number && item.is_some()
        };
        let Ticket { slot, .. } = self.order.pop(&waits)?;
        self.free.push(slot);
        self.n_waiting -= 1;
        self.slots[slot].1.take()
    }

    /// All that wait, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = &T> + '_ {
        self.slots.iter().filter_map(|(_, item)| item.as_ref())
    }

    pub fn len(&self) -> usize {
        self.n_waiting
    }
}

#[cfg(test)]
mod tests {
    use super::orders::ROW;
    use super::*;

    fn drain(strategy: SearchStrategy) -> Vec<u32> {
        let mut queue = Queue::new(strategy, 64);
        for (item, distance) in [(1, 9), (2, 1), (3, 5), (4, 1)] {
            let left = u64::from(distance);
            queue.push(item, Priority { distance, left });
        }
        assert_eq!(queue.len(), 4);
        assert_eq!(queue.iter().sum::<u32>(), 10);
        std::iter::from_fn(|| queue.pop()).collect()
    }

    #[test]
    fn orders() {
        assert_eq!(drain(SearchStrategy::Bfs), [1, 2, 3, 4]);
        assert_eq!(drain(SearchStrategy::Dfs), [4, 3, 2, 1]);
        assert_eq!(drain(SearchStrategy::Nearest), [2, 4, 3, 1]);
        assert_eq!(drain(SearchStrategy::Navigate), [4, 2, 3, 1]);
    }

    #[test]
    fn random_is_a_permutation_fixed_by_its_seed() {
        let mut first = drain(SearchStrategy::Random(7));
        assert_eq!(first, drain(SearchStrategy::Random(7)));
        first.sort_unstable();
        assert_eq!(first, [1, 2, 3, 4]);
    }

    #[test]
    fn a_descent_goes_on_after_the_turns_of_the_nearest() {
        let mut queue = Queue::new(SearchStrategy::NearestAndNewest, 64);
        let far = Priority {
            distance: 9,
            left: 0,
        };
        // A root with a long tail of far states: near ones come first, the descent is by age.
        queue.push(0, far);
        let mut taken = Vec::new();
        for step in 1..=3 * ROW {
            taken.push(queue.pop().expect("each state has two successors"));
            queue.push(2 * step, far);
            queue.push(2 * step + 1, far);
        }
        let descent = &taken[ROW as usize..2 * ROW as usize];
        // Each is the newest: the second successor of the one before.
        let is_newest = |pair: &[u32]| pair[1] == pair[0].max(pair[1]);
        assert!(descent.windows(2).all(is_newest), "{descent:?}");
        assert_eq!(queue.len(), 3 * ROW as usize + 1);
        let rest = std::iter::from_fn(|| queue.pop()).count();
        assert_eq!(rest, 3 * ROW as usize + 1, "each state is taken once");
    }

    #[test]
    fn nearest_lets_the_oldest_through() {
        let mut queue = Queue::new(SearchStrategy::Nearest, 64);
        let at = |distance| Priority { distance, left: 0 };
        queue.push(0, at(100));
        for near in 1..=20 {
            queue.push(near, at(1));
        }
        let position = std::iter::from_fn(|| queue.pop()).position(|item| item == 0);
        assert_eq!(position, Some(3));
    }

    #[test]
    fn navigation_lets_the_oldest_through_where_it_makes_no_progress() {
        let at = |left| Priority { distance: 0, left };
        let mut queue = Queue::new(SearchStrategy::Navigate, 4);
        for left in (1..=20).rev() {
            queue.push(left, at(left));
        }
        let order: Vec<u64> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(
            order[..5],
            [1, 2, 3, 4, 20],
            "the oldest after three in vain"
        );
        let mut sorted = order;
        sorted.sort_unstable();
        assert_eq!(sorted, (1..=20).collect::<Vec<_>>());
    }
}
