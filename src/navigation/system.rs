//! A constraint system during its solution.

use super::Heading;
use indexmap::IndexMap;
use necessary::AbstractPath;
use rustc_hash::FxHashSet as HashSet;
use semantics::State;
use std::rc::Rc;
use term::{Assignment, Bv, CastOp, Sort, SymbolId, TermId, TermPool};

/// The system of a path on from a state.
pub(super) struct System {
    pub path: AbstractPath,
    /// The path condition of the state.
    known: Vec<TermId>,
    /// Constraints and bounds.
    pub constraints: Vec<TermId>,
    /// Of all chains along the path: those of its first loop, then those of the next …
    pub counters: Vec<TermId>,
}

/// A system in which counters are as narrow as a bound on their sum allows.
pub(super) struct Narrowed {
    pub conjuncts: Vec<TermId>,
    /// In the order of the system's.
    pub counters: Vec<TermId>,
}

impl System {
    /// That of a path; `known` is the path condition of the state.
    pub fn of(pool: &TermPool, path: AbstractPath, known: &HashSet<TermId>) -> System {
        let mut conjuncts = pool.conjuncts(path.condition);
        for bound in path.bounds() {
            conjuncts.extend(pool.conjuncts(bound));
        }
        conjuncts.retain(|conjunct| !pool.is_true(*conjunct));
        let (known, constraints) = conjuncts
            .into_iter()
            .partition(|conjunct| known.contains(conjunct));
        let counters = path.loops.iter();
        System {
            counters: counters
                .flat_map(|applied| applied.chain_counters())
                .collect(),
            known,
            constraints,
            path,
        }
    }

    /// Everything that is asked.
    pub fn all(&self) -> Vec<TermId> {
        let all = self.known.iter().chain(&self.constraints);
        all.copied().collect()
    }

    /// The system with at most so many executions of chains. Counters become narrow ones with
    /// zeros above: what is asked then has few bits.
    pub fn narrowed(&self, pool: &mut TermPool, most: u64) -> Narrowed {
        let bits = (64 - most.leading_zeros()).max(1);
        let n_counters = u32::try_from(self.counters.len()).unwrap_or(u32::MAX);
        let sum_bits = bits + 32 - n_counters.leading_zeros();
        let mut theta: IndexMap<SymbolId, TermId> = IndexMap::new();
        let mut counters = Vec::with_capacity(self.counters.len());
        for counter in &self.counters {
            let width = pool.width(*counter);
            let symbol = pool.as_symbol(*counter).filter(|_| bits < width);
            counters.push(match symbol {
                Some(symbol) => {
                    let name = pool.given_name(symbol).to_owned();
                    let narrow = pool.fresh(&name, Sort::Bv(bits));
                    theta.insert(symbol, pool.cast(CastOp::ZExt, width, narrow));
                    narrow
                }
                None => *counter,
            });
        }
        let mut conjuncts = self.known.clone();
        for constraint in &self.constraints {
            let constraint = pool.substitute(*constraint, &mut theta);
            conjuncts.extend(pool.conjuncts(constraint));
        }
        // The sum does not wrap around, but for counters that are wider than it: these are none,
        // since a counter that stayed as it is has no more bits than the bound.
        let mut sum = pool.bv(sum_bits, 0);
        for counter in &counters {
            let widened = pool.cast(CastOp::ZExt, sum_bits, *counter);
            sum = pool.add(sum, widened);
        }
        let limit = pool.bv(sum_bits, most);
        conjuncts.push(pool.ule(sum, limit));
        Narrowed {
            conjuncts,
            counters,
        }
    }

    /// How often a model wants the chain of each counter.
    pub fn counts(&self, pool: &TermPool, model: &Assignment) -> Vec<u64> {
        let counters = self.counters.iter();
        counters
            .map(|counter| value(pool, model, *counter))
            .collect()
    }

    /// The direction that a solution of a system suggests.
    pub fn heading(
        &self,
        pool: &TermPool,
        state: &State,
        counts: Vec<u64>,
        model: Rc<Assignment>,
    ) -> Heading {
        debug_assert!(
            self.counters
                .iter()
                .all(|counter| pool.as_symbol(*counter).is_some())
        );
        Heading::of(state, &self.path, counts, model)
    }
}

/// The value of a symbol in a model; 0 if it has none.
pub(super) fn value(pool: &TermPool, model: &Assignment, symbol: TermId) -> u64 {
    let symbol = pool.as_symbol(symbol);
    let value = symbol.and_then(|symbol| model.bits(symbol));
    value.and_then(Bv::to_u64).unwrap_or(0)
}
