//! Search order: a random path down the execution tree, as in KLEE and the thesis (Section 5.3.2.2).
//!
//! States deep below many branchings are together as likely as one state that left the root early, so that a
//! loop that branches in each iteration does not dominate.
//!
//! The leaves of the tree are the waiting states. Inner nodes with one child or without children are removed.
//!
//! # Source
//! Rozhoň, *Nested loops and path explosion in symbolic execution*, Section 5.3.2.2; Cadar, Dunbar,
//! Engler, *KLEE*, OSDI 2008, Section 3.4 (random path selection).

use super::{Order, Priority, Ticket};
use rustc_hash::FxHashMap;

/// Where children are children of the root at first.
const ROOT: usize = 0;

/// A node: a state that waits, or one that was taken and its successors.
#[derive(Default)]
struct Node {
    parent: usize,
    children: Vec<usize>,
    ticket: Option<Ticket>,
}

/// Picks a child at random, from the root on, until it reaches a waiting state.
pub(super) struct RandomPath {
    nodes: Vec<Node>,
    free: Vec<usize>,
    by_number: FxHashMap<u64, usize>,
    /// The state that was taken last; what is pushed now are its successors.
    current: usize,
    rng: fastrand::Rng,
}

impl RandomPath {
    pub fn new(seed: u64) -> RandomPath {
        RandomPath {
            nodes: vec![Node::default()],
            free: Vec::new(),
            by_number: FxHashMap::default(),
            current: ROOT,
            rng: fastrand::Rng::with_seed(seed),
        }
    }

    /// Says that a state was taken, by whatever order.
    pub fn take(&mut self, ticket: Ticket) {
        let Some(node) = self.by_number.remove(&ticket.number) else {
            return;
        };
        let before = std::mem::replace(&mut self.current, node);
        self.nodes[node].ticket = None;
        self.settle(before);
    }

    /// The node gets no further children: it goes if it has none or one.
    fn settle(&mut self, node: usize) {
        let mut node = node;
        while node != ROOT && node != self.current && self.nodes[node].ticket.is_none() {
            let parent = self.nodes[node].parent;
            let place = self.nodes[parent]
                .children
                .iter()
                .position(|child| *child == node)
                .expect("a node is among the children of its parent");
            match self.nodes[node].children.as_slice() {
                [] => {
                    self.nodes[parent].children.swap_remove(place);
                    self.free.push(node);
                    node = parent;
                }
                &[child] => {
                    self.nodes[parent].children[place] = child;
                    self.nodes[child].parent = parent;
                    self.nodes[node].children.clear();
                    self.free.push(node);
                    return;
                }
                _ => return,
            }
        }
    }
}

impl Order for RandomPath {
    fn push(&mut self, ticket: Ticket, _: Priority) {
        let parent = self.current;
        let new = Node {
            parent,
            children: Vec::new(),
            ticket: Some(ticket),
        };
        let index = match self.free.pop() {
            Some(index) => {
                self.nodes[index] = new;
                index
            }
            None => {
                self.nodes.push(new);
                self.nodes.len() - 1
            }
        };
        self.nodes[parent].children.push(index);
        self.by_number.insert(ticket.number, index);
    }

    fn pop(&mut self, waits: &dyn Fn(Ticket) -> bool) -> Option<Ticket> {
        loop {
            let before = std::mem::replace(&mut self.current, ROOT);
            self.settle(before);
            let mut node = ROOT;
            while !self.nodes[node].children.is_empty() {
                let children = &self.nodes[node].children;
                node = children[self.rng.usize(..children.len())];
            }
            let ticket = self.nodes[node].ticket?;
            self.take(ticket);
            if waits(ticket) {
                return Some(ticket);
            }
        }
    }
}

/// A random way down the tree and the order by coverage take turns, as in KLEE.
pub(super) struct Interleaved {
    path: RandomPath,
    coverage: super::coverage::ByCoverage,
    is_turn_of_coverage: bool,
}

impl Interleaved {
    pub fn new(path: RandomPath, coverage: super::coverage::ByCoverage) -> Interleaved {
        Interleaved {
            path,
            coverage,
            is_turn_of_coverage: true,
        }
    }
}

impl Order for Interleaved {
    fn push(&mut self, ticket: Ticket, priority: Priority) {
        self.path.push(ticket, priority);
        self.coverage.push(ticket, priority);
    }

    fn pop(&mut self, waits: &dyn Fn(Ticket) -> bool) -> Option<Ticket> {
        self.is_turn_of_coverage = !self.is_turn_of_coverage;
        if self.is_turn_of_coverage {
            let ticket = self.coverage.pop(waits)?;
            self.path.take(ticket);
            Some(ticket)
        } else {
            let ticket = self.path.pop(waits)?;
            self.coverage.cover(ticket);
            Some(ticket)
        }
    }
}
