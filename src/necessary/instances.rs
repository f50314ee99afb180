//! φ̂^K: φ̂ with each quantifier replaced by its first K instances.
//!
//! The paper's text says the first K instances, its formula 0 ≤ τ ≤ K, which are K + 1; here it is the first
//! K. Consequences of φ̂ with fewer instances also hold with more.
//!
//! # Source
//! ISSTA 2012, Section 4.

use rustc_hash::FxHashMap;
use term::{Sort, Term, TermId, TermPool};

/// Terms larger than this are not instantiated any further: the quantifier becomes *true*.
const LARGEST: usize = 400_000;

/// The formula with ∀τ<κ. ρ(τ) replaced by ⋀_{τ<K} (τ < κ → ρ(τ)), inner quantifiers first: implied
/// by the formula, and without quantifiers. `None` where a quantifier stands below a negation or
/// within a term.
pub(super) fn first_instances(pool: &mut TermPool, formula: TermId, k: u64) -> Option<TermId> {
    let mut instances = Instances {
        k,
        made: 0,
        done: FxHashMap::default(),
    };
    instances.of(pool, formula)
}

struct Instances {
    k: u64,
    /// Instances made so far, by the size of their bodies.
    made: usize,
    done: FxHashMap<TermId, TermId>,
}

impl Instances {
    fn of(&mut self, pool: &mut TermPool, formula: TermId) -> Option<TermId> {
        if !pool.has_quantifier(formula) {
            return Some(formula);
        }
        if let Some(result) = self.done.get(&formula) {
            return Some(*result);
        }
        let conjuncts = pool.conjuncts(formula);
        let disjuncts = pool.disjuncts(formula);
        let result = if conjuncts.len() > 1 {
            let parts = self.all(pool, conjuncts)?;
            pool.conj(parts)
        } else if disjuncts.len() > 1 {
            let parts = self.all(pool, disjuncts)?;
            pool.disj(parts)
        } else {
            let Term::ForAll { limit, .. } = pool.view(formula) else {
                return None;
            };
            self.first(pool, formula, limit)?
        };
        self.done.insert(formula, result);
        Some(result)
    }

    fn all(&mut self, pool: &mut TermPool, parts: Vec<TermId>) -> Option<Vec<TermId>> {
        let parts = parts.into_iter();
        parts.map(|part| self.of(pool, part)).collect()
    }

    fn first(&mut self, pool: &mut TermPool, quantified: TermId, limit: TermId) -> Option<TermId> {
        // The body once, with its inner quantifiers instantiated; then its instances.
        let tau = pool.symbol("τ", Sort::Bv(pool.width(limit)));
        let at = pool.symbol_term(tau);
        let body = pool.instantiate(quantified, at);
        let body = self.of(pool, body)?;
        let size = pool.size(body);
        let mut instances = Vec::new();
        for iteration in 0..self.k {
            let iteration = pool.bv(pool.width(limit), iteration);
            if self.made > LARGEST {
                break;
            }
            self.made += size;
            let mut theta = indexmap::IndexMap::from([(tau, iteration)]);
            let instance = pool.substitute(body, &mut theta);
            let goes_on = pool.ult(iteration, limit);
            instances.push(pool.implies(goes_on, instance));
        }
        Some(pool.conj(instances))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_k_instances_and_no_more() {
        let mut pool = TermPool::new();
        let sort = Sort::Bv(8);
        let [kappa, n] = ["κ", "n"].map(|name| pool.fresh(name, sort));
        let tau = pool.symbol("τ", sort);
        let at = pool.symbol_term(tau);
        let body = pool.ult(at, n);
        let all = pool.forall_below(tau, kappa, body);
        let instances = first_instances(&mut pool, all, 2).unwrap();
        let expected: Vec<TermId> = (0..2)
            .map(|iteration| {
                let iteration = pool.bv(8, iteration);
                let goes_on = pool.ult(iteration, kappa);
                let holds = pool.ult(iteration, n);
                pool.implies(goes_on, holds)
            })
            .collect();
        let expected = pool.conj(expected);
        assert_eq!(instances, expected);
        assert_eq!(first_instances(&mut pool, all, 0), Some(TermId::TRUE));
    }
}
