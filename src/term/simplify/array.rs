//! Arrays: select, store, constant arrays.

use std::rc::Rc;

use crate::pool::{LAMBDA, Map, TermData};
use crate::{Sort, SymbolId, TermId, TermPool};

/// Stores that a symbolic index, or a store that searches for its predecessor, walks over.
const MAX_WALK: usize = 16;

/// Contents of a chain of stores at constant indices.
///
/// # Invariants
/// - `entries` has the uppermost value for each index; `base` is the array below the chain.
/// - `length` stores make the chain, hidden ones included.
#[derive(Clone)]
pub(crate) struct StoreIndex {
    pub(super) base: TermId,
    pub(super) entries: imbl::GenericHashMap<
        TermId,
        TermId,
        rustc_hash::FxBuildHasher,
        imbl::shared_ptr::DefaultSharedPtr,
    >,
    length: usize,
}

pub(crate) type StoreIndices = Map<TermId, StoreIndex>;

/// Where the walk for an index ends.
enum Found {
    Value(TermId),
    /// The array that is read, below all stores elsewhere.
    In(TermId),
}

impl TermPool {
    /// The value of an array at an index.
    ///
    /// # Panics
    /// When the sorts do not fit.
    pub fn select(&mut self, array: TermId, index: TermId) -> TermId {
        let (index_bits, _) = self.array_bits(array);
        assert_eq!(
            self.width(index),
            index_bits,
            "an index has the array's index width"
        );
        match self.read(array, index) {
            Found::Value(value) => value,
            Found::In(array) => self.read_comprehension(array, index),
        }
    }

    /// The value of an array at an index, or the array that is read instead, made of comprehensions.
    fn read(&mut self, array: TermId, index: TermId) -> Found {
        let (index_bits, value_bits) = self.array_bits(array);
        let found = self.find(array, index);
        let Found::In(below) = found else {
            return found;
        };
        // Only ends of chains are indexed.
        let bits = (index_bits, value_bits);
        let mut ends = [array, below].into_iter();
        if let Some(value) = ends.find_map(|end| self.read_stored(end, index, bits)) {
            return Found::Value(value);
        }
        if self.flags(below) & LAMBDA != 0 {
            return found;
        }
        // rule: select-ite
        if let Some(&TermData::Ite(c, t, e)) = self.data(below) {
            let (x, y) = (self.find(t, index), self.find(e, index));
            let is_ite = |found: &Found| match found {
                Found::Value(_) => false,
                Found::In(array) => matches!(self.data(*array), Some(TermData::Ite(..))),
            };
            if !is_ite(&x) && !is_ite(&y) {
                let mut value = |found| match found {
                    Found::Value(value) => value,
                    Found::In(array) => self.select_node(array, index, value_bits),
                };
                let (x, y) = (value(x), value(y));
                return Found::Value(self.ite(c, x, y));
            }
        }
        Found::Value(self.select_node(below, index, value_bits))
    }

    /// A read of an array that is made of comprehensions, reduced until none is left. Chains of stores above
    /// them may be long.
    fn read_comprehension(&mut self, array: TermId, index: TermId) -> TermId {
        let mut above = Vec::new();
        let mut below = Found::In(array);
        let mut value = loop {
            let array = match below {
                Found::Value(value) => break value,
                Found::In(array) => array,
            };
            match self.data(array) {
                // rule: select-lambda
                Some(&TermData::Lambda(body)) => break self.instantiate_bound(body, index),
                // rule: select-store-lambda
                Some(&TermData::Store(inner, at, value)) => {
                    above.push((self.eq(at, index), value));
                    below = self.read(inner, index);
                }
                Some(&TermData::Ite(c, t, e)) => {
                    let (t, e) = (self.select(t, index), self.select(e, index));
                    break self.ite(c, t, e);
                }
                _ => unreachable!("comprehensions stand under stores and choices only"),
            }
        };
        while let Some((is_here, stored)) = above.pop() {
            value = self.ite(is_here, stored, value);
        }
        value
    }

    /// The array that has `body` at each index; the symbol `index` is bound in the body and does
    /// not occur in the result.
    ///
    /// # Panics
    /// When `index` or `body` is an array.
    pub fn lambda(&mut self, index: SymbolId, body: TermId) -> TermId {
        let index_bits = self.width(self.symbol_term(index));
        let body = self.abstract_symbol(body, index);
        self.lambda_bound(index_bits, body)
    }

    /// The comprehension over a body in which the index already is `Bound` 0.
    pub(crate) fn lambda_bound(&mut self, index: u32, body: TermId) -> TermId {
        let value = self.width(body);
        self.intern(TermData::Lambda(body), Sort::Array { index, value })
    }

    fn select_node(&mut self, array: TermId, index: TermId, bits: u32) -> TermId {
        if let Some(TermData::Table(table)) = self.data(array) {
            let table = Rc::clone(table);
            if let Some(value) = self.look_up(&table, index, bits) {
                return value;
            }
        }
        self.intern(TermData::Select(array, index), Sort::Bv(bits))
    }

    fn find(&mut self, array: TermId, index: TermId) -> Found {
        let constant = self.is_const(index);
        let mut array = array;
        let mut undecided_steps = 0;
        let (_, value_bits) = self.array_bits(array);
        loop {
            if constant && let Some(known) = self.store_indices.get(&array) {
                if let Some(value) = known.entries.get(&index) {
                    return Found::Value(*value);
                }
                array = known.base;
            }
            match self.data(array) {
                // rule: select-const
                Some(&TermData::ConstArray(value)) => return Found::Value(value),
                // rule: select-table
                Some(TermData::Table(table)) if constant => {
                    let at = self.as_u64(index).expect("indices of tables are small");
                    let value = table.at(at);
                    return Found::Value(self.bv(value_bits, value));
                }
                Some(&TermData::Store(inner, at, value)) => {
                    // rule: select-store
                    if at == index {
                        return Found::Value(value);
                    }
                    // rule: select-skip
                    if !(constant && self.is_const(at)) {
                        undecided_steps += 1;
                        if undecided_steps > MAX_WALK {
                            return Found::In(array);
                        }
                        match self.eq(at, index) {
                            TermId::TRUE => return Found::Value(value),
                            TermId::FALSE => {}
                            _ => return Found::In(array),
                        }
                    }
                    array = inner;
                }
                _ => return Found::In(array),
            }
        }
    }

    /// The array with the value at one index replaced.
    ///
    /// # Panics
    /// When the sorts do not fit.
    pub fn store(&mut self, array: TermId, index: TermId, value: TermId) -> TermId {
        let sort = self.sort(array);
        let (index_bits, value_bits) = self.array_bits(array);
        assert_eq!(
            self.width(index),
            index_bits,
            "an index has the array's index width"
        );
        assert_eq!(
            self.width(value),
            value_bits,
            "a value has the array's value width"
        );
        // rule: store-same
        match (self.data(array), self.data(value)) {
            (Some(TermData::ConstArray(everywhere)), _) if *everywhere == value => return array,
            (_, Some(&TermData::Select(read, at))) if read == array && at == index => return array,
            _ => {}
        }
        let constant = self.is_const(index);
        if constant && let Some(known) = self.store_indices.get(&array) {
            if known.entries.get(&index) == Some(&value) {
                return array;
            }
            return self.store_indexed(array, index, value, sort);
        }
        // rule: store-store
        let mut above = Vec::new();
        let mut below = array;
        while let Some(&TermData::Store(inner, at, old)) = self.data(below) {
            let same = if at == index {
                true
            } else if constant && self.is_const(at) {
                false
            } else {
                match self.eq(at, index) {
                    TermId::TRUE => true,
                    TermId::FALSE => false,
                    _ => break,
                }
            };
            if same {
                if old == value {
                    return array;
                }
                let mut rebuilt = inner;
                for (at, old) in above.into_iter().rev() {
                    rebuilt = self.store_node(rebuilt, at, old, sort);
                }
                return self.store_node(rebuilt, index, value, sort);
            }
            above.push((at, old));
            below = inner;
            if above.len() >= MAX_WALK {
                break;
            }
        }
        if constant && above.len() >= MAX_WALK && above.iter().all(|(at, _)| self.is_const(*at)) {
            let known = self.index_stores(array);
            self.store_indices.insert(array, known);
            return self.store_indexed(array, index, value, sort);
        }
        self.store_node(array, index, value, sort)
    }

    /// Stores into a chain that has a [`StoreIndex`]. Hidden stores stay until they are the
    /// majority, so that a store costs the same on long chains.
    fn store_indexed(&mut self, array: TermId, index: TermId, value: TermId, sort: Sort) -> TermId {
        let mut known = self.store_indices[&array].clone();
        known.entries.insert(index, value);
        known.length += 1;
        if known.length <= 2 * known.entries.len() + MAX_WALK {
            let result = self.store_node(array, index, value, sort);
            self.store_indices.entry(result).or_insert(known);
            return result;
        }
        let mut entries: Vec<(TermId, TermId)> = known
            .entries
            .iter()
            .map(|(at, value)| (*at, *value))
            .collect();
        entries.sort_unstable_by_key(|(at, _)| *at);
        let mut result = known.base;
        for (at, value) in entries {
            result = self.store_node(result, at, value, sort);
        }
        known.length = known.entries.len();
        self.store_indices.entry(result).or_insert(known);
        result
    }

    fn index_stores(&self, array: TermId) -> StoreIndex {
        let mut entries = imbl::GenericHashMap::default();
        let mut length = 0;
        let mut base = array;
        while let Some(&TermData::Store(inner, at, value)) = self.data(base) {
            if !self.is_const(at) {
                break;
            }
            length += 1;
            entries.entry(at).or_insert(value);
            base = inner;
        }
        StoreIndex {
            base,
            entries,
            length,
        }
    }

    fn store_node(&mut self, array: TermId, index: TermId, value: TermId, sort: Sort) -> TermId {
        self.intern(TermData::Store(array, index, value), sort)
    }

    /// The array with this value at each index of `index_bits` bits.
    pub fn const_array(&mut self, index_bits: u32, value: TermId) -> TermId {
        let sort = Sort::Array {
            index: index_bits,
            value: self.width(value),
        };
        self.intern(TermData::ConstArray(value), sort)
    }

    /// Index and value width.
    fn array_bits(&self, array: TermId) -> (u32, u32) {
        match self.sort(array) {
            Sort::Array { index, value } => (index, value),
            Sort::Bv(_) => panic!("an array is expected, not a bit-vector"),
        }
    }
}
