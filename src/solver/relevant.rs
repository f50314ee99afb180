//! Relevance: drops conjuncts that are known to be satisfiable and unrelated to the new condition.
//!
//! A branching queries whether a new condition is satisfiable together with a path condition that is known to
//! be satisfiable. Conjuncts of the path condition that are not connected with the new condition, directly or
//! through others, cannot contradict it and are dropped first: path conditions have hundreds of conjuncts,
//! and most queries concern a few.
//!
//! # Invariants
//! - The dropped conjuncts share no symbol and no cell with the others; see `elements.rs`.
//! - A query for a model, or without a satisfiable part, is passed on unchanged.

use rustc_hash::FxHashSet;

use super::elements::{Element, ElementsOf};
use super::{Answer, LinkStatistics, Need, Query, Solver};
use term::{TermId, TermPool, Work};

/// See the module's head.
pub struct Relevant<S> {
    below: S,
    elements: ElementsOf,
    statistics: LinkStatistics,
}

impl<S: Solver> Relevant<S> {
    /// Asks `below` about what is relevant.
    #[must_use]
    pub fn new(below: S) -> Relevant<S> {
        Relevant {
            below,
            elements: ElementsOf::default(),
            statistics: LinkStatistics::new("relevant"),
        }
    }

    fn answer(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        let (conjuncts, prefix) = (query.conjuncts, query.known_sat_prefix);
        if query.need == Need::Model || prefix == 0 || prefix >= conjuncts.len() {
            return self.below.check(pool, query);
        }
        pool.count_work(Work::CONJUNCT * conjuncts.len() as u64);
        let (known, new) = conjuncts.split_at(prefix);
        let mut relevant = self.connected(pool, known, new);
        if relevant.len() == known.len() {
            return self.below.check(pool, query);
        }
        self.statistics.event("known conjuncts left out");
        let known_sat_prefix = relevant.len();
        relevant.extend_from_slice(new);
        let below = Query {
            conjuncts: &relevant,
            known_sat_prefix,
            ..*query
        };
        match self.below.check(pool, &below) {
            Answer::Unsat(None) => Answer::Unsat(Some(relevant)),
            answer => answer,
        }
    }

    /// Those of the known conjuncts that are connected with the new ones, in their order.
    fn connected(&mut self, pool: &mut TermPool, known: &[TermId], new: &[TermId]) -> Vec<TermId> {
        let mut reached = Reached::default();
        for conjunct in new {
            let elements = self.elements.get(pool, *conjunct);
            reached.add(elements.filter, &elements.all);
        }
        let mut is_connected = vec![false; known.len()];
        loop {
            let before = reached.elements.len();
            // What was assumed last is connected most often.
            for (conjunct, is_connected) in known.iter().zip(&mut is_connected).rev() {
                if *is_connected {
                    continue;
                }
                let elements = self.elements.get(pool, *conjunct);
                if reached.touches(elements.filter, &elements.all) {
                    reached.add(elements.filter, &elements.all);
                    *is_connected = true;
                }
            }
            if reached.elements.len() == before {
                break;
            }
        }
        let connected = known.iter().zip(is_connected);
        connected
            .filter_map(|(conjunct, is_connected)| is_connected.then_some(*conjunct))
            .collect()
    }
}

/// The elements that a query is about.
#[derive(Default)]
struct Reached {
    filter: u64,
    /// Arrays with cells in the set are in it as a whole, too, marked by `true`.
    elements: FxHashSet<(Element, bool)>,
}

impl Reached {
    fn add(&mut self, filter: u64, elements: &[Element]) {
        self.filter |= filter;
        for element in elements {
            self.elements.insert((*element, false));
            if let Element::Cell(array, _) = element {
                self.elements.insert((Element::Whole(*array), true));
            }
        }
    }

    /// Whether one of these is here: a cell also by its array, an array also by one of its cells.
    fn touches(&self, filter: u64, elements: &[Element]) -> bool {
        self.filter & filter != 0
            && elements.iter().any(|element| {
                let array = Element::Whole(element.symbol());
                self.elements.contains(&(*element, false))
                    || match element {
                        Element::Whole(_) => self.elements.contains(&(array, true)),
                        Element::Cell(..) => self.elements.contains(&(array, false)),
                    }
            })
    }
}

counted_link!(Relevant<S>);
