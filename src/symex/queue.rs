//! The queue of Algorithm 2, in several orders.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

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
}

/// States that wait. `distance` is the number of edges from a state to the target.
pub(super) enum Queue<T> {
    Bfs(VecDeque<T>),
    Dfs(Vec<T>),
    Random(Vec<T>, fastrand::Rng),
    Nearest(Nearest<T>),
}

impl<T> Queue<T> {
    pub fn new(strategy: SearchStrategy) -> Queue<T> {
        match strategy {
            SearchStrategy::Bfs => Queue::Bfs(VecDeque::new()),
            SearchStrategy::Dfs => Queue::Dfs(Vec::new()),
            SearchStrategy::Random(seed) => {
                Queue::Random(Vec::new(), fastrand::Rng::with_seed(seed))
            }
            SearchStrategy::Nearest => Queue::Nearest(Nearest::new(false)),
            SearchStrategy::NearestAndNewest => Queue::Nearest(Nearest::new(true)),
        }
    }

    pub fn push(&mut self, item: T, distance: u32) {
        match self {
            Queue::Bfs(queue) => queue.push_back(item),
            Queue::Dfs(stack) | Queue::Random(stack, _) => stack.push(item),
            Queue::Nearest(nearest) => nearest.push(item, distance),
        }
    }

    pub fn pop(&mut self) -> Option<T> {
        match self {
            Queue::Bfs(queue) => queue.pop_front(),
            Queue::Dfs(stack) => stack.pop(),
            Queue::Random(pool, _) if pool.is_empty() => None,
            Queue::Random(pool, rng) => Some(pool.swap_remove(rng.usize(..pool.len()))),
            Queue::Nearest(nearest) => nearest.pop(),
        }
    }

    /// All that wait, in no particular order.
    pub fn iter(&self) -> Box<dyn Iterator<Item = &T> + '_> {
        match self {
            Queue::Bfs(queue) => Box::new(queue.iter()),
            Queue::Dfs(stack) | Queue::Random(stack, _) => Box::new(stack.iter()),
            Queue::Nearest(nearest) => Box::new(nearest.slots.iter().flatten()),
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Queue::Bfs(queue) => queue.len(),
            Queue::Dfs(stack) | Queue::Random(stack, _) => stack.len(),
            Queue::Nearest(nearest) => nearest.n_waiting,
        }
    }
}

/// So many items in a row are taken in one order before it is the other's turn.
const ROW: u32 = 64;

/// Takes the nearest and the oldest in turn, and, where that is wanted, the newest too. Items lie
/// in slots, so that each order can hold just their numbers; a number whose slot is empty was taken
/// by another order.
pub(super) struct Nearest<T> {
    slots: Vec<Option<T>>,
    free: Vec<usize>,
    by_distance: BinaryHeap<Reverse<(u32, u64, usize)>>,
    by_age: VecDeque<(u64, usize)>,
    newest: Option<Newest>,
    /// The ticket that lies in each slot.
    tickets: Vec<u64>,
    next_ticket: u64,
    n_waiting: usize,
    turn: u32,
}

/// Depth first, beside another order. What that has added in its turns comes after all that was
/// added in its own, so that a descent goes on where it was.
#[derive(Default)]
struct Newest {
    own: Vec<(u64, usize)>,
    others: Vec<(u64, usize)>,
    /// Items that were taken in this row.
    n_taken: u32,
    is_turn: bool,
}

impl Newest {
    fn push(&mut self, item: (u64, usize)) {
        if self.is_turn {
            self.own.push(item);
        } else {
            self.others.push(item);
        }
    }

    fn pop(&mut self) -> Option<(u64, usize)> {
        self.own.pop().or_else(|| self.others.pop())
    }

    /// Whether the next item is the newest; the orders take rows in turn.
    fn takes_turn(&mut self) -> bool {
        if self.n_taken == ROW {
            self.n_taken = 0;
            self.is_turn = !self.is_turn;
        }
        self.n_taken += 1;
        self.is_turn
    }
}

impl<T> Nearest<T> {
    fn new(with_newest: bool) -> Nearest<T> {
        Nearest {
            slots: Vec::new(),
            free: Vec::new(),
            by_distance: BinaryHeap::new(),
            by_age: VecDeque::new(),
            newest: with_newest.then(Newest::default),
            tickets: Vec::new(),
            next_ticket: 0,
            n_waiting: 0,
            turn: 0,
        }
    }

    fn push(&mut self, item: T, distance: u32) {
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            self.tickets.push(0);
            self.slots.len() - 1
        });
        self.slots[slot] = Some(item);
        self.tickets[slot] = ticket;
        self.by_distance.push(Reverse((distance, ticket, slot)));
        self.by_age.push_back((ticket, slot));
        if let Some(newest) = &mut self.newest {
            newest.push((ticket, slot));
        }
        self.n_waiting += 1;
    }

    fn pop(&mut self) -> Option<T> {
        let newest = self.newest.as_mut().is_some_and(Newest::takes_turn);
        if !newest {
            self.turn = self.turn.wrapping_add(1);
        }
        let oldest = self.turn.is_multiple_of(4);
        loop {
            let (ticket, slot) = if let (true, Some(order)) = (newest, &mut self.newest) {
                order.pop()?
            } else if oldest {
                self.by_age.pop_front()?
            } else {
                let Reverse((_, ticket, slot)) = self.by_distance.pop()?;
                (ticket, slot)
            };
            if self.tickets[slot] == ticket
                && let Some(item) = self.slots[slot].take()
            {
                self.free.push(slot);
                self.n_waiting -= 1;
                return Some(item);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drain(strategy: SearchStrategy) -> Vec<u32> {
        let mut queue = Queue::new(strategy);
        for (item, distance) in [(1, 9), (2, 1), (3, 5), (4, 1)] {
            queue.push(item, distance);
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
        let mut queue = Queue::new(SearchStrategy::NearestAndNewest);
        // A root with a long tail of far states: near ones come first, the descent is by age.
        queue.push(0, 9);
        let mut taken = Vec::new();
        for step in 1..=3 * ROW {
            taken.push(queue.pop().expect("each state has two successors"));
            queue.push(2 * step, 9);
            queue.push(2 * step + 1, 9);
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
        let mut queue = Queue::new(SearchStrategy::Nearest);
        queue.push(0, 100);
        for near in 1..=20 {
            queue.push(near, 1);
        }
        let position = std::iter::from_fn(|| queue.pop()).position(|item| item == 0);
        assert_eq!(position, Some(3));
    }
}
