//! Independence: splits a query into parts that share no symbol.
//!
//! `elements.rs` defines the connections between conjuncts. Irrelevant conjuncts were dropped above, by
//! [`super::relevant`]; all parts are solved.
//!
//! # Invariants
//! - A part that is unsatisfiable makes the whole unsatisfiable, with its core.
//! - The joined assignment takes each symbol, or each cell, from the one part that has it.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::elements::{Element, ElementsOf};
use super::{Answer, LinkStatistics, Query, Solver, UnknownReason};
use term::{ArrayValue, Assignment, Bv, Sort, SymbolId, SymbolValue, TermId, TermPool, Work};

/// See the module's head.
pub struct Independent<S> {
    below: S,
    elements: ElementsOf,
    statistics: LinkStatistics,
}

impl<S: Solver> Independent<S> {
    /// Asks `below` about the parts.
    #[must_use]
    pub fn new(below: S) -> Independent<S> {
        Independent {
            below,
            elements: ElementsOf::default(),
            statistics: LinkStatistics::new("independent"),
        }
    }

    fn answer(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        pool.count_work(Work::CONJUNCT * query.conjuncts.len() as u64);
        let parts = self.split(pool, query.conjuncts);
        if parts.len() == 1 {
            self.statistics.event("single");
            return self.below.check(pool, query);
        }
        let mut joined = Assignment::new();
        let mut unknown: Option<UnknownReason> = None;
        for part in &parts {
            let conjuncts: Vec<TermId> = part.iter().map(|i| query.conjuncts[*i]).collect();
            let known = part.iter().filter(|i| **i < query.known_sat_prefix).count();
            self.statistics.event("parts asked");
            let below = Query {
                known_sat_prefix: known,
                ..query.about(&conjuncts)
            };
            match self.below.check(pool, &below) {
                Answer::Sat(model) => self.join(pool, &mut joined, &conjuncts, &model),
                // Already this part is contradictory.
                unsat @ Answer::Unsat(_) => {
                    return match unsat {
                        Answer::Unsat(None) => Answer::Unsat(Some(conjuncts)),
                        other => other,
                    };
                }
                Answer::Unknown(reason) => unknown = unknown.or(Some(reason)),
            }
        }
        match unknown {
            Some(reason) => Answer::Unknown(reason),
            None => Answer::Sat(Rc::new(joined)),
        }
    }

    /// Positions of the conjuncts of each part, ascending; parts by their first conjunct.
    fn split(&mut self, pool: &mut TermPool, conjuncts: &[TermId]) -> Vec<Vec<usize>> {
        let all: Vec<Rc<[Element]>> = conjuncts
            .iter()
            .map(|conjunct| Rc::clone(&self.elements.get(pool, *conjunct).all))
            .collect();
        let whole: FxHashSet<SymbolId> = all
            .iter()
            .flat_map(|elements| elements.iter())
            .filter_map(|e| match e {
                Element::Whole(symbol) => Some(*symbol),
                Element::Cell(..) => None,
            })
            .collect();
        let mut parents: Vec<usize> = (0..conjuncts.len()).collect();
        let mut owner: FxHashMap<Element, usize> = FxHashMap::default();
        for (position, elements) in all.iter().enumerate() {
            for element in elements.iter() {
                let element = match element {
                    Element::Cell(array, _) if whole.contains(array) => Element::Whole(*array),
                    other => *other,
                };
                let first = *owner.entry(element).or_insert(position);
                union(&mut parents, first, position);
            }
        }
        let mut index: FxHashMap<usize, usize> = FxHashMap::default();
        let mut parts: Vec<Vec<usize>> = Vec::new();
        for position in 0..conjuncts.len() {
            let root = find(&mut parents, position);
            let part = *index.entry(root).or_insert_with(|| {
                parts.push(Vec::new());
                parts.len() - 1
            });
            parts[part].push(position);
        }
        parts
    }

    /// Takes over what `model` says about the symbols and cells of a part.
    fn join(
        &mut self,
        pool: &mut TermPool,
        joined: &mut Assignment,
        conjuncts: &[TermId],
        model: &Assignment,
    ) {
        let mut cells: FxHashMap<SymbolId, Vec<TermId>> = FxHashMap::default();
        for conjunct in conjuncts {
            for element in self.elements.get(pool, *conjunct).all.iter() {
                match *element {
                    Element::Whole(symbol) => match model.get(symbol) {
                        Some(SymbolValue::Bits(value)) => joined.set(symbol, value.clone()),
                        Some(SymbolValue::Array(value)) => joined.set_array(symbol, value.clone()),
                        None => {}
                    },
                    Element::Cell(array, index) => cells.entry(array).or_default().push(index),
                }
            }
        }
        for (array, indices) in cells {
            let Some(value) = model.array(array) else {
                continue;
            };
            if joined.array(array) == Some(value) {
                continue;
            }
            let Sort::Array { value: width, .. } = pool.symbol_sort(array) else {
                continue;
            };
            let mut merged = joined
                .array(array)
                .cloned()
                .unwrap_or_else(|| ArrayValue::constant(Bv::zero(width)));
            for index in indices {
                let index = pool.as_const(index).expect("cells have constant indices");
                let at = value.get(&index).clone();
                merged.entries.insert(index, at);
            }
            joined.set_array(array, merged);
        }
    }
}

fn find(parents: &mut [usize], mut node: usize) -> usize {
    while parents[node] != node {
        parents[node] = parents[parents[node]];
        node = parents[node];
    }
    node
}

fn union(parents: &mut [usize], a: usize, b: usize) {
    let (a, b) = (find(parents, a), find(parents, b));
    parents[a.max(b)] = a.min(b);
}

counted_link!(Independent<S>);
