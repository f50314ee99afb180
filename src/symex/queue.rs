//! The queue of Algorithm 2, in several orders.
//!
//! ```text
//! state --Priority::of--> priority --Order::push, Order::pop--> the state that comes next
//! ```
//!
//! States are stored in slots, and orders hold only their tickets, so that several orders can hold the same
//! states. A new order implements [`Order`] and is named in [`SearchStrategy`]; the attributes of a state
//! that it needs go into its [`Priority`].
//!
//! # Invariants
//! - Each state that was pushed is popped once, in whatever order.

mod orders;
mod branches;
mod distances;
mod coverage;
mod tree;

use super::path::PathSoFar;
use super::run::Run;
use flowgraph::{EdgeId, FunctionId, Program};
use semantics::{Decision, Location, State};
use term::Work;

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
    /// the two continues where it was, and neither does what the other has done.
    NearestAndNewest,
    /// The one with the fewest executions of chains left first, by constraint systems of chains
    /// (ATVA 2011), the newest of several; the oldest where that makes no progress for long.
    Navigate,
    /// The one that went around loops least often, the newest of several: subtrees are finished early,
    /// and loops are left before they continue. For annotations.
    FewestIterations,
    /// The one within most loops that are cut first, the oldest of several: what holds in all iterations is
    /// known where a loop is left. For proofs by induction.
    Innermost,
    /// At the end of a random way down the execution tree, by this seed.
    Tree(u64),
    /// Any, by this seed; the nearer to locations that were not executed yet, the likelier.
    Coverage(u64),
    /// The last two in turn, as in KLEE.
    Klee(u64),
    /// The one that split off at the branch which the fewest came by so far, the oldest of several.
    Least,
}

impl SearchStrategy {
    /// Those that can be asked for; the others belong to techniques.
    pub const OPTIONS: [SearchStrategy; 9] = [
        SearchStrategy::Bfs,
        SearchStrategy::Dfs,
        SearchStrategy::Random(1),
        SearchStrategy::Nearest,
        SearchStrategy::Navigate,
        SearchStrategy::Tree(1),
        SearchStrategy::Coverage(1),
        SearchStrategy::Klee(1),
        SearchStrategy::Least,
    ];

    /// By option and in records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            SearchStrategy::Bfs => "bfs",
            SearchStrategy::Dfs => "dfs",
            SearchStrategy::Random(_) => "random",
            SearchStrategy::Nearest => "nearest",
            SearchStrategy::NearestAndNewest => "default",
            SearchStrategy::Navigate => "navigate",
            SearchStrategy::FewestIterations => "fewest_iterations",
            SearchStrategy::Innermost => "innermost",
            SearchStrategy::Tree(_) => "tree",
            SearchStrategy::Coverage(_) => "coverage",
            SearchStrategy::Klee(_) => "klee",
            SearchStrategy::Least => "least",
        }
    }

    /// Which state comes next, in a line.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            SearchStrategy::Bfs => "The oldest state",
            SearchStrategy::Dfs => "The newest state",
            SearchStrategy::Random(_) => "A random state",
            SearchStrategy::Nearest => {
                "The state nearest to the target, every fourth time the oldest"
            }
            SearchStrategy::NearestAndNewest => "`nearest` and `dfs` in turn",
            SearchStrategy::Navigate => {
                "The state that needs the fewest further executions of chains, by constraint systems (ATVA 2011); \
                 states that these refute are closed"
            }
            SearchStrategy::FewestIterations => "The state that went around loops least often",
            SearchStrategy::Innermost => "The state within most loops that are cut",
            SearchStrategy::Tree(_) => {
                "The state at the end of a random way down the execution tree"
            }
            SearchStrategy::Coverage(_) => {
                "A random state, more likely the nearer it is to locations that were not executed yet. Where no new \
                 location is found, necessary conditions close states and propose inputs (ISSTA 2012)"
            }
            SearchStrategy::Klee(_) => "tree and coverage in turn, as in KLEE",
            SearchStrategy::Least => {
                "The state that took the side of a branching that was taken least often, the oldest of several"
            }
        }
    }

    /// The seed of its random choices, where it makes any.
    #[must_use]
    pub fn seed(self) -> Option<u64> {
        match self {
            SearchStrategy::Random(seed)
            | SearchStrategy::Tree(seed)
            | SearchStrategy::Coverage(seed)
            | SearchStrategy::Klee(seed) => Some(seed),
            SearchStrategy::Bfs
            | SearchStrategy::Dfs
            | SearchStrategy::Nearest
            | SearchStrategy::NearestAndNewest
            | SearchStrategy::Navigate
            | SearchStrategy::FewestIterations
            | SearchStrategy::Innermost
            | SearchStrategy::Least => None,
        }
    }

    /// The same with this seed, where it makes random choices.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> SearchStrategy {
        match self {
            SearchStrategy::Random(_) => SearchStrategy::Random(seed),
            SearchStrategy::Tree(_) => SearchStrategy::Tree(seed),
            SearchStrategy::Coverage(_) => SearchStrategy::Coverage(seed),
            SearchStrategy::Klee(_) => SearchStrategy::Klee(seed),
            other => other,
        }
    }
}

/// What an order may know of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Priority {
    /// Edges from the state to a target, at least; `u32::MAX` where none is known to be ahead.
    pub distance: u32,
    /// Executions of chains from the state to a target, as far as is known.
    pub left: u64,
    /// Loops that are cut and that the state is in.
    pub cuts: usize,
    /// Loop headers and entries of functions that the path came by.
    pub iterations: u32,
    /// Where the state is.
    pub location: Location,
    /// The side of a branching by which its path split off last.
    pub branch: Option<Branch>,
    /// Whether it did since the path was queued last.
    pub has_split: bool,
}

/// A side of a branching.
pub(super) type Branch = (FunctionId, EdgeId);

impl Priority {
    /// That of a state at the end of a path.
    pub fn of(run: &Run, state: &State, path: &PathSoFar) -> Priority {
        let frames = state.locations();
        let frames = frames.map(|location| (location.function, location.node));
        let cutter = run.cutter.as_ref();
        let distances = run.facts.distances();
        let Location { function, node } = state.location;
        let is_ahead = distances.anywhere(function, node).is_some();
        if is_ahead {
            let n_callers = state.callers.len() as u64;
            run.pool.count_work(Work::PASSED_FRAME * n_callers);
        }
        let distance = is_ahead.then(|| distances.on_stack(frames)).flatten();
        Priority {
            distance: distance.unwrap_or(u32::MAX),
            left: path.leads.left_in(state),
            cuts: cutter.map_or(0, |cutter| cutter.n_around(state, &path.cuts)),
            iterations: path.iterations,
            location: state.location,
            branch: state.decisions.iter().find_map(Decision::taken),
            has_split: state.decisions.len() > path.decisions,
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
    /// An empty queue for states of a program; `patience` is for [`SearchStrategy::Navigate`].
    pub fn new(strategy: SearchStrategy, patience: u32, program: &Program) -> Queue<T> {
        Queue {
            order: orders::of(strategy, patience, program),
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
    use flowgraph::NodeId;

    /// A path of so many locations, without the end.
    fn path(n_locations: u32) -> Program {
        let mut program = String::from("program block pointers 64 main @main\nfn @main() {\n");
        for node in 1..n_locations {
            program += &format!("  n{} -> n{node}: skip\n", node - 1);
        }
        program += &format!("  n{} -> end: return\n}}\n", n_locations - 1);
        program.parse().unwrap()
    }

    /// A state so many edges from the target, at the location of this number.
    fn at(distance: u32, node: u32) -> Priority {
        let location = Location {
            function: FunctionId(0),
            node: NodeId(node),
        };
        Priority {
            distance,
            left: u64::from(distance),
            cuts: 10usize.saturating_sub(distance as usize),
            iterations: distance / 5,
            location,
            branch: None,
            has_split: false,
        }
    }

    fn drain(strategy: SearchStrategy) -> Vec<u32> {
        let mut queue = Queue::new(strategy, 64, &path(10));
        for (item, distance) in [(1, 9), (2, 1), (3, 5), (4, 1)] {
            queue.push(item, at(distance, item));
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
        assert_eq!(drain(SearchStrategy::Innermost), [2, 4, 3, 1]);
        assert_eq!(drain(SearchStrategy::FewestIterations), [4, 2, 3, 1]);
    }

    #[test]
    fn random_orders_are_permutations_fixed_by_their_seed() {
        for strategy in [
            SearchStrategy::Random,
            SearchStrategy::Tree,
            SearchStrategy::Coverage,
            SearchStrategy::Klee,
        ] {
            let mut first = drain(strategy(7));
            assert_eq!(first, drain(strategy(7)));
            first.sort_unstable();
            assert_eq!(first, [1, 2, 3, 4]);
        }
    }

    /// Two successors of the root, one of which branches again and again: each half of the tree
    /// gets half of the turns, however many states wait in it.
    #[test]
    fn each_subtree_gets_its_share() {
        let mut n_early = 0;
        for seed in 0..400 {
            let mut queue = Queue::new(SearchStrategy::Tree(seed), 64, &path(10));
            queue.push(0, at(0, 0));
            assert_eq!(queue.pop(), Some(0));
            queue.push(1, at(0, 0));
            queue.push(2, at(0, 0));
            // If 2 comes first, its twenty successors wait together with 1.
            if queue.pop() == Some(2) {
                for item in 3..23 {
                    queue.push(item, at(0, 0));
                }
                n_early += u32::from(queue.pop() == Some(1));
            }
        }
        assert!((60..140).contains(&n_early), "{n_early} of about 200");
    }

    /// Table 5.1 of the thesis: distances 10, 5 and 1 have probabilities 1/13, 2/13 and 10/13.
    #[test]
    fn weights_are_those_of_the_thesis() {
        let program = path(11);
        let mut n_taken = [0u32; 3];
        for seed in 0..1300 {
            let mut queue = Queue::new(SearchStrategy::Coverage(seed), 64, &program);
            // All but the end are covered.
            for node in 0..11 {
                queue.push(99, at(0, node));
            }
            while queue.pop().is_some() {}
            for (item, node) in [(0usize, 1), (1, 6), (2, 10)] {
                queue.push(item, at(0, node));
            }
            n_taken[queue.pop().expect("three wait")] += 1;
        }
        let [tenth, fifth, next] = n_taken;
        assert!((60..140).contains(&tenth), "{n_taken:?}");
        assert!((150..250).contains(&fifth), "{n_taken:?}");
        assert!((930..1070).contains(&next), "{n_taken:?}");
    }

    /// Each state is taken once, whichever of the two orders it comes from.
    #[test]
    fn interleaved_orders_share_their_states() {
        let mut queue = Queue::new(SearchStrategy::Klee(1), 64, &path(10));
        queue.push(0, at(0, 0));
        let mut taken = Vec::new();
        for step in 1..=200 {
            taken.push(queue.pop().expect("there is more each time"));
            queue.push(2 * step, at(0, step % 10));
            queue.push(2 * step + 1, at(0, (step + 3) % 10));
        }
        taken.extend(std::iter::from_fn(|| queue.pop()));
        taken.sort_unstable();
        let all: Vec<u32> = std::iter::once(0).chain(2..=401).collect();
        assert_eq!(taken, all);
    }

    /// A state at a side of a branching, by which it has just split off or which it came by before.
    fn split(branch: u32, has_split: bool) -> Priority {
        Priority {
            branch: Some((FunctionId(0), EdgeId(branch))),
            has_split,
            ..at(0, 0)
        }
    }

    #[test]
    fn states_of_the_branch_that_fewest_came_by_are_first() {
        let mut queue = Queue::new(SearchStrategy::Least, 64, &path(10));
        // Three at branch 0, two at branch 1, one at branch 2.
        for (item, branch) in [(1, 0), (2, 0), (3, 1), (4, 0), (5, 1), (6, 2)] {
            queue.push(item, split(branch, true));
        }
        assert_eq!(queue.pop(), Some(6));
        assert_eq!(queue.pop(), Some(3));
        // A state without a branching does not count again for its branch.
        queue.push(7, split(1, false));
        // Now three have taken branch 2, and three branch 0, whose states are older.
        queue.push(8, split(2, true));
        queue.push(9, split(2, true));
        assert_eq!(queue.pop(), Some(5));
        assert_eq!(queue.pop(), Some(7));
        // Those that were taken count all the same.
        queue.push(10, split(1, true));
        queue.push(11, split(1, true));
        let rest: Vec<u32> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(rest, [1, 2, 4, 8, 9, 10, 11]);
    }

    #[test]
    fn a_state_that_never_split_is_first() {
        let mut queue = Queue::new(SearchStrategy::Least, 64, &path(10));
        queue.push(1, split(0, true));
        queue.push(2, at(0, 0));
        queue.push(3, split(1, true));
        let all: Vec<u32> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(all, [2, 1, 3]);
    }

    #[test]
    fn a_descent_goes_on_after_the_turns_of_the_nearest() {
        let mut queue = Queue::new(SearchStrategy::NearestAndNewest, 64, &path(10));
        let far = at(9, 0);
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
        let mut queue = Queue::new(SearchStrategy::Nearest, 64, &path(10));
        queue.push(0, at(100, 0));
        for near in 1..=20 {
            queue.push(near, at(1, 0));
        }
        let position = std::iter::from_fn(|| queue.pop()).position(|item| item == 0);
        assert_eq!(position, Some(3));
    }

    #[test]
    fn navigation_lets_the_oldest_through_where_it_makes_no_progress() {
        let at = |left| Priority { left, ..at(0, 0) };
        let mut queue = Queue::new(SearchStrategy::Navigate, 3, &path(10));
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
