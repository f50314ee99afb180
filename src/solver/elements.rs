//! Connections between conjuncts: shared symbols, and shared cells of arrays.
//!
//! Conjuncts are connected when they share a bit-vector symbol, or an array symbol; conjuncts that
//! read an array at constant indices only are connected by the cells that they share, as long as no
//! conjunct of the query uses that array in another way.

use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::{BuildHasher, BuildHasherDefault};
use std::rc::Rc;

use term::{Sort, SymbolId, Term, TermId, TermPool};

/// A connection between conjuncts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Element {
    Whole(SymbolId),
    /// An array symbol at a constant index.
    Cell(SymbolId, TermId),
}

impl Element {
    /// Its symbol.
    pub fn symbol(self) -> SymbolId {
        match self {
            Element::Whole(symbol) | Element::Cell(symbol, _) => symbol,
        }
    }
}

/// The elements of a conjunct.
#[derive(Clone, Debug)]
pub(super) struct Elements {
    pub all: Rc<[Element]>,
    /// A filter of their symbols: conjuncts whose filters have no bit in common are not connected.
    pub filter: u64,
}

/// Conjuncts remembered with their elements before all are forgotten.
const MAX_REMEMBERED: usize = 1 << 20;

/// The elements of conjuncts that were requested.
#[derive(Default)]
pub(super) struct ElementsOf {
    known: FxHashMap<TermId, Elements>,
}

impl ElementsOf {
    /// The elements of a conjunct.
    pub fn get(&mut self, pool: &mut TermPool, conjunct: TermId) -> &Elements {
        if self.known.len() > MAX_REMEMBERED {
            self.known.clear();
        }
        let known = self.known.entry(conjunct);
        known.or_insert_with(|| find(pool, conjunct))
    }
}

fn find(pool: &mut TermPool, conjunct: TermId) -> Elements {
    let symbols = pool.symbols_of(conjunct);
    let is_array = |symbol: &SymbolId| matches!(pool.symbol_sort(*symbol), Sort::Array { .. });
    let all: Rc<[Element]> = if symbols.iter().any(is_array) {
        with_cells(pool, conjunct)
    } else {
        symbols
            .iter()
            .map(|symbol| Element::Whole(*symbol))
            .collect()
    };
    let bit = |element: &Element| 1u64 << (hash(element.symbol()) >> 58);
    let filter = all.iter().map(bit).fold(0, |bits, bit| bits | bit);
    Elements { all, filter }
}

fn hash(symbol: SymbolId) -> u64 {
    BuildHasherDefault::<rustc_hash::FxHasher>::default().hash_one(symbol)
}

fn with_cells(pool: &TermPool, conjunct: TermId) -> Rc<[Element]> {
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
            Term::Select(array, index) if pool.is_const(index) => match pool.as_symbol(array) {
                Some(symbol) => {
                    found.insert(Element::Cell(symbol, index));
                }
                None => stack.push(array),
            },
            _ => pool.for_each_operand(term, |operand| stack.push(operand)),
        }
    }
    found.into_iter().collect()
}
