//! Splits a question into parts that share no symbol.
//!
//! Two conjuncts are connected when they share a bit-vector symbol, or an array symbol; conjuncts
//! that read an array at constant indices only are connected by the cells that they share, as long
//! as no conjunct of the question uses that array in another way. Parts are asked separately;
//! parts that lie within the known satisfiable prefix are not asked when only the verdict counts.
//!
//! # Invariants
//! - A part that is unsatisfiable makes the whole unsatisfiable, with its core.
//! - The joined assignment takes each symbol, or each cell, from the one part that has it.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::z3::for_operands;
use super::{Answer, LinkStatistics, Need, Query, Solver, Start, Statistics, UnknownReason};
use crate::term::{
    ArrayValue, Assignment, Bv, Sort, SymbolId, SymbolValue, Term, TermId, TermPool,
};

/// What connects conjuncts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Element {
    Whole(SymbolId),
    /// An array symbol at a constant index.
    Cell(SymbolId, TermId),
}

/// See the module's head.
pub struct Independent<S> {
    below: S,
    elements: FxHashMap<TermId, Rc<[Element]>>,
    statistics: LinkStatistics,
}

/// Conjuncts remembered with their elements before all are forgotten.
const MAX_ELEMENTS: usize = 1 << 20;

impl<S: Solver> Independent<S> {
    /// Asks `below` about the parts.
    #[must_use]
    pub fn new(below: S) -> Independent<S> {
        Independent {
            below,
            elements: FxHashMap::default(),
            statistics: LinkStatistics::new("independent"),
        }
    }

    fn answer(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        let parts = self.split(pool, query.conjuncts);
        if parts.len() == 1 {
            self.statistics.event("single");
            return self.below.check(pool, query);
        }
        let new = |part: &&Vec<usize>| part.last().is_some_and(|i| *i >= query.known_sat_prefix);
        let asked: Vec<&Vec<usize>> = match query.need {
            Need::Model => parts.iter().collect(),
            Need::Verdict => parts.iter().filter(new).collect(),
        };
        if asked.len() < parts.len() {
            self.statistics.event("known parts left out");
        }
        let mut joined = Assignment::new();
        let mut unknown: Option<UnknownReason> = None;
        for part in &asked {
            let conjuncts: Vec<TermId> = part.iter().map(|i| query.conjuncts[*i]).collect();
            let known = part.iter().filter(|i| **i < query.known_sat_prefix).count();
            self.statistics.event("parts asked");
            let below = Query {
                known_sat_prefix: known,
                ..query.about(&conjuncts)
            };
            match self.below.check(pool, &below) {
                Answer::Sat(model) if asked.len() == 1 => return Answer::Sat(model),
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
        if self.elements.len() > MAX_ELEMENTS {
            self.elements.clear();
        }
        let all: Vec<Rc<[Element]>> = conjuncts
            .iter()
            .map(|conjunct| self.elements_of(pool, *conjunct))
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

    fn elements_of(&mut self, pool: &mut TermPool, conjunct: TermId) -> Rc<[Element]> {
        if let Some(known) = self.elements.get(&conjunct) {
            return Rc::clone(known);
        }
        let symbols = pool.symbols_of(conjunct);
        let has_array = symbols
            .iter()
            .any(|s| matches!(pool.symbol_sort(*s), Sort::Array { .. }));
        let elements: Rc<[Element]> = if has_array {
            let mut found = FxHashSet::default();
            let mut seen = FxHashSet::default();
            let mut stack = vec![conjunct];
            while let Some(term) = stack.pop() {
                if !seen.insert(term) {
                    continue;
                }
                match pool.view(term) {
                    Term::Symbol(symbol) => {
                        found.insert(Element::Whole(symbol));
                    }
                    Term::Select(array, index) if pool.is_const(index) => {
                        match pool.as_symbol(array) {
                            Some(symbol) => {
                                found.insert(Element::Cell(symbol, index));
                            }
                            None => stack.push(array),
                        }
                    }
                    _ => for_operands(pool, term, |operand| stack.push(operand)),
                }
            }
            found.into_iter().collect()
        } else {
            symbols
                .iter()
                .map(|symbol| Element::Whole(*symbol))
                .collect()
        };
        self.elements.insert(conjunct, Rc::clone(&elements));
        elements
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
            for element in self.elements_of(pool, *conjunct).iter() {
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

impl<S: Solver> Solver for Independent<S> {
    fn check(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        let start = Start::now(pool);
        let answer = self.answer(pool, query);
        self.statistics.count(pool, start, &answer);
        answer
    }

    fn statistics(&self, out: &mut Statistics) {
        out.push(self.statistics.clone());
        self.below.statistics(out);
    }
}
