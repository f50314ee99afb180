//! Constraint systems of chains: conditions on the counters of chains.
//!
//! The backbones of a loop are the chains associated to its loop node. A counter κ_c^r is the number of
//! executions of the chain c since the chain r began. In a system of c's parent it belongs to one visit of
//! the loop; each enclosing chain has a counter for all executions of c in one visit of its own loop, and so
//! on outward: there is one for each reset chain, and no symbol for "the reset chain that is not known yet"
//! is needed.
//!
//! ```text
//! λ, executions in one iteration --steps--> Λ, in all iterations     (forms)
//! conditions of all iterations, one before -> constraints            (one_before)
//!                             by number  --> at most so many, Λ ≤ most·κ   (CountedTogether)
//! ```
//!
//! The paper's constraint that the exit condition does not hold before the last iteration is not a
//! consequence if chains change its variables differently: with steps 1 and −1 and the exit i ≥ 3, 4 and 1
//! executions are a real path, and 4 − 0 < 3 fails. Here it is stated for the last execution, of whichever
//! chain: Σκ = 0 ∨ ⋁ᵢ (κᵢ > 0 ∧ γᵢ(κ⃗ − eᵢ)). If the conditions γᵢ are the same for all i, both agree. So all
//! constraints are consequences: a system without a solution is a proof.
//!
//! # Source
//! ATVA 2011, Sections 2.2 and 3.2.

use super::build::Build;
use super::forms::Rules;
use super::summary::{Closing, Iterated, Summary};
use super::walk::AppliedSummary;
use indexmap::IndexMap;
use template::Composition;
use term::{Sort, SymbolId, TermId, TermPool};

/// As wide as a counter for all iterations has to be: no machine does 2^64 of anything.
const WIDEST: u32 = 64;

/// Bounds on the number of iterations are searched for up to this many.
const MOST_COUNTED: u64 = 1 << 16;

/// The counter of an inner chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InnerCounter {
    /// The loop along the backbone that it belongs to.
    pub loop_index: usize,
    /// Its place among the counters of this loop: those of its own chains, then those of inner
    /// ones.
    pub index: usize,
    /// λ: executions of the chain in one iteration.
    pub once: SymbolId,
    /// Λ: executions in all iterations along the backbone; 64 bits.
    pub all: SymbolId,
}

impl InnerCounter {
    /// The counters of the chains in these loops.
    pub(super) fn of(pool: &mut TermPool, loops: &[AppliedSummary]) -> Vec<InnerCounter> {
        let mut inner = Vec::new();
        for (loop_index, applied) in loops.iter().enumerate() {
            for (index, counter) in applied.chain_counters().enumerate() {
                if let Some(once) = pool.as_symbol(counter) {
                    let name = pool.given_name(once).to_owned();
                    let all = pool.symbol(&name, Sort::Bv(WIDEST));
                    inner.push(InnerCounter {
                        loop_index,
                        index,
                        once,
                        all,
                    });
                }
            }
        }
        inner
    }
}

impl AppliedSummary {
    /// The counters of the loop's own chains, then those of inner chains.
    pub fn chain_counters(&self) -> impl Iterator<Item = TermId> + '_ {
        let inner = self.inner.iter().flatten();
        self.counters.iter().chain(inner).copied()
    }
}

/// Counters whose sum is bounded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountedTogether<T> {
    pub counters: Vec<T>,
    /// Their maximum, in the whole loop or, for a backbone, in one iteration.
    pub most: Option<u64>,
    /// Width 1: what that means for the counters; *true* for a backbone.
    pub bound: TermId,
}

impl CountedTogether<SymbolId> {
    /// What is known of the counters of inner chains in one iteration.
    pub(super) fn in_iteration(
        inner: &[InnerCounter],
        loops: &[AppliedSummary],
    ) -> Vec<CountedTogether<SymbolId>> {
        let mut together = Vec::new();
        for (loop_index, applied) in loops.iter().enumerate() {
            let of_loop: Vec<TermId> = applied.chain_counters().collect();
            for known in &applied.together {
                let counters: Option<Vec<SymbolId>> = known
                    .counters
                    .iter()
                    .map(|counter| {
                        let index = of_loop.iter().position(|other| other == counter)?;
                        let mut inner = inner.iter();
                        let is_it = |other: &&InnerCounter| {
                            other.loop_index == loop_index && other.index == index
                        };
                        inner.find(is_it).map(|counter| counter.all)
                    })
                    .collect();
                if let Some(counters) = counters.filter(|_| known.most.is_some()) {
                    together.push(CountedTogether {
                        counters,
                        most: known.most,
                        bound: TermId::TRUE,
                    });
                }
            }
        }
        together
    }
}

impl CountedTogether<TermId> {
    /// What is known of the counters of a loop, entered with what `theta` says.
    pub(super) fn in_loop(
        pool: &mut TermPool,
        summary: &Summary,
        counters: &[TermId],
        theta: &mut Composition,
    ) -> Vec<CountedTogether<TermId>> {
        let mut most: Option<u64> = None;
        for demanded in &summary.demanded {
            let demanded = pool.substitute(*demanded, theta);
            if let Some(fails) = fails_at(pool, demanded, summary.number) {
                most = Some(most.map_or(fails, |most| most.min(fails)));
            }
        }
        let mut together = Vec::new();
        if let Some(most) = most {
            let limit = pool.bv(WIDEST, most);
            together.push(CountedTogether {
                counters: counters.to_vec(),
                most: Some(most),
                bound: sum_is_at_most(pool, counters, limit),
            });
        }
        for (backbone, counter) in summary.backbones.iter().zip(counters) {
            // most·κᵢ has to fit into 64 bits.
            let fits = most.is_some() || pool.width(*counter) <= 32;
            for known in backbone.together.iter().filter(|_| fits) {
                let Some(once) = known.most.filter(|once| *once <= MOST_COUNTED) else {
                    continue;
                };
                let all: Vec<TermId> = known.counters.iter().map(|c| theta.value(*c)).collect();
                let iterations = widened(pool, *counter);
                let factor = pool.bv(WIDEST, once);
                let limit = pool.mul(factor, iterations);
                let in_all = most.and_then(|most| most.checked_mul(once));
                together.push(CountedTogether {
                    bound: sum_is_at_most(pool, &all, limit),
                    counters: all,
                    most: in_all.filter(|in_all| *in_all <= MOST_COUNTED),
                });
            }
        }
        together
    }
}

fn widened(pool: &mut TermPool, counter: TermId) -> TermId {
    pool.cast(term::CastOp::ZExt, WIDEST, counter)
}

/// The sum of counters is at most `limit`, of 64 bits, without wrapping around: each is, and so is
/// each part of the sum.
fn sum_is_at_most(pool: &mut TermPool, counters: &[TermId], limit: TermId) -> TermId {
    let mut sum = pool.bv(WIDEST, 0);
    let mut parts = Vec::new();
    for counter in counters {
        let counter = widened(pool, *counter);
        let left = pool.sub(limit, sum);
        parts.push(pool.ule(counter, left));
        sum = pool.add(sum, counter);
    }
    pool.conj(parts)
}

/// A number for which a condition that depends on it alone does not hold, if a small one is found:
/// the condition holds for all numbers below the number of iterations, which is so at most this.
fn fails_at(pool: &mut TermPool, condition: TermId, number: SymbolId) -> Option<u64> {
    let symbols = pool.symbols_of(condition);
    if pool.is_true(condition) || symbols.iter().any(|symbol| *symbol != number) {
        return None;
    }
    let bits = pool.width(pool.symbol_term(number));
    let mut fails = |value: u64| {
        let value = pool.bv(bits, value);
        let mut theta = IndexMap::from([(number, value)]);
        let instance = pool.substitute(condition, &mut theta);
        pool.is_false(instance)
    };
    let mut high = 0;
    while !fails(high) {
        high = (2 * high).max(1);
        if high > MOST_COUNTED || (bits < 64 && high >> bits != 0) {
            return None;
        }
    }
    // It holds at `low`, if that is not `high`.
    let mut low = high / 2;
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        if fails(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}

impl Closing<'_> {
    /// What every iteration demands, by its number, and the number.
    pub(super) fn of_each_iteration(
        &self,
        pool: &mut TermPool,
        build: &mut Build,
        bits: u32,
    ) -> (Vec<TermId>, SymbolId) {
        let iterated = self.iterate(pool, build, Rules::All, bits);
        let common = self.common(pool).into_iter();
        let demanded = common.filter_map(|conjunct| iterated.over_total(pool, conjunct));
        (demanded.collect(), iterated.total)
    }

    /// The constraints of the moment before the last iteration: what all chains demand, one for
    /// each conjunct, then what some do. Single elements of arrays and inputs of single iterations
    /// are left out, since they say nothing of counters.
    pub(super) fn one_before(
        &self,
        pool: &mut TermPool,
        build: &mut Build,
        iterated: &Iterated,
        inner: &[Vec<InnerCounter>],
        unknowns: &mut Vec<SymbolId>,
    ) -> Vec<TermId> {
        let mut demands = Vec::with_capacity(self.executed.len());
        let mut none = Vec::new();
        for (way, executed) in self.executed.iter().enumerate() {
            let kappa = pool.symbol_term(iterated.counters[way]);
            let zero = pool.bv(pool.width(kappa), 0);
            none.push(pool.eq(kappa, zero));
            let one = pool.bv(pool.width(kappa), 1);
            let before = pool.sub(kappa, one);
            let mut at = IndexMap::from([(iterated.counters[way], before)]);
            let mut own = Vec::new();
            for counter in &inner[way] {
                let once = pool.symbol_term(counter.once);
                let once = widened(pool, once);
                let all = pool.symbol_term(counter.all);
                at.insert(counter.all, pool.sub(all, once));
                own.push((counter.once, pool.ule(once, all)));
            }
            let mut values: IndexMap<SymbolId, TermId> = IndexMap::new();
            for (symbol, form) in &iterated.forms {
                values.insert(*symbol, pool.substitute(form.value, &mut at));
            }
            let mut demanded = Vec::new();
            for conjunct in pool.conjuncts(executed.condition) {
                if is_of_single(pool, conjunct, &executed.unknowns) {
                    continue;
                }
                let instance = pool.substitute(conjunct, &mut values);
                let instance = build.unknowns.weaken(pool, instance, &build.end);
                if !pool.is_true(instance) && !demanded.contains(&instance) {
                    demanded.push(instance);
                }
            }
            let mentioned = pool.conj(demanded.iter().copied());
            let mentioned = pool.symbols_of(mentioned);
            for (once, at_most) in own {
                if mentioned.contains(&once) {
                    demanded.push(at_most);
                    if !unknowns.contains(&once) {
                        unknowns.push(once);
                    }
                }
            }
            demands.push(demanded);
        }
        let none = pool.conj(none);
        let mut common = demands[0].clone();
        common.retain(|demand| demands.iter().all(|others| others.contains(demand)));
        let mut constraints: Vec<TermId> =
            common.iter().map(|demand| pool.or(none, *demand)).collect();
        let mut last = vec![none];
        for (demanded, counter) in demands.into_iter().zip(&iterated.counters) {
            let rest = demanded
                .into_iter()
                .filter(|demand| !common.contains(demand));
            let rest: Vec<TermId> = rest.collect();
            if rest.is_empty() {
                return constraints;
            }
            let kappa = pool.symbol_term(*counter);
            let zero = pool.bv(pool.width(kappa), 0);
            let taken = pool.ult(zero, kappa);
            last.push(pool.conj([taken].into_iter().chain(rest)));
        }
        constraints.push(pool.disj(last));
        constraints
    }
}

/// Whether a condition is about an element of an array, or about what only one iteration knows.
pub(super) fn is_of_single(pool: &mut TermPool, condition: TermId, unknowns: &[SymbolId]) -> bool {
    let symbols = pool.symbols_of(condition);
    let mut symbols = symbols.iter();
    symbols.any(|symbol| {
        unknowns.contains(symbol) || matches!(pool.symbol_sort(*symbol), Sort::Array { .. })
    })
}
