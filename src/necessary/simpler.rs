//! Simpler formulas that imply a path's condition (strengthenings), which are searched for models first.
//!
//! Most targets can be reached by executions in which loops that contain loops complete no iteration, and all
//! others repeat one path only. Then quantifiers over other paths and inner loops vanish, and the number of
//! iterations before an iteration is its index.

use super::AbstractPath;
use indexmap::IndexMap;
use term::{Sort, TermId, TermPool};

/// Loops with more ways are not tried along one way only: each is a query.
const MOST_WAYS: usize = 4;

/// What an array over the iterations along one way says of each: how many others came before. Where no
/// other way is taken, 0 did along another, and its position is its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Earlier {
    /// The way, by its place among the backbones of the loop.
    pub way: usize,
    /// Along which other way those are that it counts; `None`: along all, so that it is the position.
    pub along: Option<usize>,
}

/// A simplification of a condition.
pub(super) struct Simpler {
    /// Counters that are 0.
    zeros: Vec<TermId>,
    /// Unknowns, indexed by iteration, that are known then.
    known: Vec<(TermId, Earlier)>,
}

impl Simpler {
    /// What may make the condition of a path simpler, the simplest first.
    pub fn of(path: &AbstractPath) -> Vec<Simpler> {
        let (outer, others): (Vec<_>, Vec<_>) =
            (path.loops.iter()).partition(|applied| applied.has_inner_loops());
        let outer = outer.into_iter();
        let outer: Vec<TermId> = outer
            .flat_map(|applied| applied.counters.iter().chain([&applied.total]).copied())
            .collect();
        let n_ways = others.iter().map(|applied| applied.counters.len()).max();
        let n_ways = n_ways.filter(|n_ways| (2..=MOST_WAYS).contains(n_ways));
        let known = || {
            let earlier = others.iter().flat_map(|applied| &applied.earlier);
            earlier.copied().collect()
        };
        let along = |way: usize| {
            let other_ways = others.iter().flat_map(|applied| {
                let only = way.min(applied.counters.len().saturating_sub(1));
                let counters = applied.counters.iter().enumerate();
                counters.filter(move |(number, _)| *number != only)
            });
            let other_ways = other_ways.map(|(_, counter)| *counter);
            Simpler {
                zeros: outer.iter().copied().chain(other_ways).collect(),
                known: known(),
            }
        };
        let mut all: Vec<Simpler> = (0..n_ways.unwrap_or(0)).map(along).collect();
        if !outer.is_empty() {
            all.push(Simpler {
                zeros: outer,
                known: Vec::new(),
            });
        }
        all
    }

    /// The formula with that: implies the formula for some values of what is replaced. `None` where
    /// nothing is.
    pub fn apply(&self, pool: &mut TermPool, formula: TermId) -> Option<TermId> {
        let mut theta = IndexMap::new();
        let mut parts = Vec::with_capacity(self.zeros.len() + 1);
        for counter in &self.zeros {
            let zero = pool.bv(pool.width(*counter), 0);
            if let Some(symbol) = pool.as_symbol(*counter) {
                theta.insert(symbol, zero);
                parts.push(pool.eq(*counter, zero));
            }
        }
        if theta.is_empty() {
            return None;
        }
        for (array, is) in &self.known {
            let Some(symbol) = pool.as_symbol(*array) else {
                continue;
            };
            let Sort::Array { index, value } = pool.symbol_sort(symbol) else {
                continue;
            };
            let tau = pool.symbol("τ", Sort::Bv(index));
            let at = match is.along {
                None if index == value => pool.symbol_term(tau),
                None => continue,
                Some(_) => pool.bv(value, 0),
            };
            theta.insert(symbol, pool.lambda(tau, at));
        }
        parts.push(pool.substitute(formula, &mut theta));
        Some(pool.conj(parts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_numbers_where_other_counters_are_0() {
        let mut pool = TermPool::new();
        let sort = Sort::Bv(8);
        let [one, other] = ["κ1", "κ2"].map(|name| pool.fresh(name, sort));
        let of_tau = Sort::Array { index: 8, value: 8 };
        let [position, before] = ["position", "τ2"].map(|name| pool.fresh(name, of_tau));
        let tau = pool.symbol("τ", sort);
        let at = pool.symbol_term(tau);
        let position_at = pool.select(position, at);
        let before_at = pool.select(before, at);
        let sum = pool.add(at, before_at);
        let is_sum = pool.eq(position_at, sum);
        let below = pool.ult(position_at, one);
        let body = pool.and(is_sum, below);
        let all = pool.forall_below(tau, one, body);
        let less = pool.ult(other, one);
        let formula = pool.and(all, less);
        let simpler = Simpler {
            zeros: vec![other],
            known: [(position, None), (before, Some(1))]
                .map(|(array, along)| (array, Earlier { way: 0, along }))
                .to_vec(),
        };
        let found = simpler.apply(&mut pool, formula).unwrap();
        let symbols = pool.symbols_of(found);
        let arrays = [position, before].map(|array| pool.as_symbol(array).unwrap());
        assert!(arrays.iter().all(|array| !symbols.contains(array)));
        let nothing = Simpler {
            zeros: Vec::new(),
            known: Vec::new(),
        };
        assert_eq!(nothing.apply(&mut pool, formula), None);
    }
}
