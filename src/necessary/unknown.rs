//! The unknown value ⋆, and the weakening of predicates that mention it.
//!
//! Each ⋆ is a separate symbol that is marked here, so that terms stay ordinary terms; an expression in which
//! it cancels, such as ⋆ − ⋆ for the same value, is known again. A predicate with ⋆ carries no information
//! and is replaced by *true* if it is under an even number of negations, as all are in negation normal form
//! (lines 14 and 21 of Algorithm 1, line 14 of Algorithm 2).
//!
//! # Invariants
//! - `weaken(φ)` mentions no ⋆, and φ implies it, whatever the values of ⋆ are.

use super::build::End;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};
use term::{Sort, SymbolId, Term, TermId, TermPool};

/// The unknown values of a computation, and the predicates that were lost to them.
#[derive(Default)]
pub(super) struct Unknowns {
    /// Each ⋆ with what it stands for.
    stars: IndexMap<SymbolId, String, FxBuildHasher>,
    lost: IndexSet<(TermId, SymbolId), FxBuildHasher>,
}

/// A weakening that is going on.
struct Weakening<'a> {
    end: &'a End,
    /// What has been made of formulas, by whether they stand positively.
    done: FxHashMap<(TermId, bool), TermId>,
}

/// A predicate that a necessary condition leaves out, since it mentions ⋆.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LostPredicate {
    pub predicate: TermId,
    /// One of the ⋆ in it.
    pub star: SymbolId,
}

impl Unknowns {
    /// A ⋆ of this sort, a multiple of a power of two.
    pub fn star(&mut self, pool: &mut TermPool, name: &str, sort: Sort, divisor: u64) -> SymbolId {
        let symbol = pool.symbol_multiple_of(&format!("⋆{name}"), sort, divisor);
        self.stars.insert(symbol, name.to_owned());
        symbol
    }

    /// Another ⋆ for the same kind of value.
    pub fn another(&mut self, pool: &mut TermPool, star: SymbolId) -> SymbolId {
        let name = self.stars.get(&star).cloned().unwrap_or_default();
        let (sort, divisor) = (pool.symbol_sort(star), pool.symbol_divisor(star));
        self.star(pool, &name, sort, divisor)
    }

    /// A ⋆ that a term mentions.
    pub fn in_term(&self, pool: &mut TermPool, term: TermId) -> Option<SymbolId> {
        if self.stars.is_empty() {
            return None;
        }
        let symbols = pool.symbols_of(term);
        symbols
            .iter()
            .copied()
            .find(|symbol| self.stars.contains_key(symbol))
    }

    /// The predicates that were left out, in order.
    pub fn lost(&self) -> impl Iterator<Item = LostPredicate> + '_ {
        let lost = self.lost.iter();
        lost.map(|(predicate, star)| LostPredicate {
            predicate: *predicate,
            star: *star,
        })
    }

    /// A condition that a formula implies and that mentions no ⋆: predicates with ⋆ are *true* in
    /// its negation normal form. So is what is still to be examined when the construction has to end.
    pub fn weaken(&mut self, pool: &mut TermPool, formula: TermId, end: &End) -> TermId {
        let mut weakening = Weakening {
            end,
            done: FxHashMap::default(),
        };
        self.weakened(pool, formula, true, &mut weakening)
    }

    /// Implied by the formula where `positive`, implies it elsewhere.
    fn weakened(
        &mut self,
        pool: &mut TermPool,
        formula: TermId,
        positive: bool,
        weakening: &mut Weakening,
    ) -> TermId {
        if weakening.end.is_reached(pool) {
            return pool.truth(positive);
        }
        let Some(star) = self.in_term(pool, formula) else {
            return formula;
        };
        if let Some(result) = weakening.done.get(&(formula, positive)) {
            return *result;
        }
        let mut all = |unknowns: &mut Self, pool: &mut TermPool, parts: Vec<TermId>| {
            let parts = parts.into_iter();
            parts
                .map(|part| unknowns.weakened(pool, part, positive, weakening))
                .collect::<Vec<_>>()
        };
        let conjuncts = pool.conjuncts(formula);
        let disjuncts = pool.disjuncts(formula);
        let result = if conjuncts.len() > 1 {
            let parts = all(self, pool, conjuncts);
            pool.conj(parts)
        } else if disjuncts.len() > 1 {
            let parts = all(self, pool, disjuncts);
            pool.disj(parts)
        } else {
            let limit = match pool.view(formula) {
                Term::ForAll { limit, .. } => Some(limit),
                _ => None,
            };
            let quantified = limit.filter(|limit| self.in_term(pool, *limit).is_none());
            match pool.view(formula) {
                Term::Not(inner) => {
                    let inner = self.weakened(pool, inner, !positive, weakening);
                    pool.not(inner)
                }
                Term::Ite(condition, then, otherwise) => {
                    let negated = pool.not(condition);
                    let sides = [(condition, then), (negated, otherwise)];
                    let sides = sides.map(|(guard, value)| {
                        let guard = self.weakened(pool, guard, positive, weakening);
                        let value = self.weakened(pool, value, positive, weakening);
                        pool.and(guard, value)
                    });
                    pool.disj(sides)
                }
                Term::ForAll { limit, .. } if quantified.is_some() => {
                    let tau = pool.symbol("τ", Sort::Bv(pool.width(limit)));
                    let at = pool.symbol_term(tau);
                    let body = pool.instantiate(formula, at);
                    let body = self.weakened(pool, body, positive, weakening);
                    pool.forall_below(tau, limit, body)
                }
                _ => {
                    self.lost.insert((formula, star));
                    pool.truth(positive)
                }
            }
        };
        weakening.done.insert((formula, positive), result);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use limits::Interrupt;
    use term::Work;

    fn end_after(work: Work, pool: &TermPool) -> End {
        End::after(work, pool, &Interrupt::default())
    }

    #[test]
    fn predicates_with_star_are_true_in_negation_normal_form_only() {
        let mut pool = TermPool::new();
        let mut unknowns = Unknowns::default();
        let sort = Sort::Bv(8);
        let star = unknowns.star(&mut pool, "j", sort, 1);
        let star = pool.symbol_term(star);
        let known = pool.fresh("a", sort);
        let five = pool.bv(8, 5);
        let lost = pool.ult(star, five);
        let kept = pool.ult(known, five);
        let not_lost = pool.not(lost);
        let both = pool.and(not_lost, kept);
        let end = end_after(Work::seconds(1), &pool);
        assert_eq!(unknowns.weaken(&mut pool, both, &end), kept);
        let either = pool.or(lost, kept);
        let neither = pool.not(either);
        let not_kept = pool.not(kept);
        assert_eq!(unknowns.weaken(&mut pool, neither, &end), not_kept);
        assert_eq!(unknowns.weaken(&mut pool, either, &end), TermId::TRUE);
        // ⋆ < 5, and 4 < ⋆ twice.
        assert_eq!(unknowns.lost().count(), 2);
        // Without work, everything is.
        let end = end_after(Work::ZERO, &pool);
        pool.count_work(Work::units(1));
        assert_eq!(unknowns.weaken(&mut pool, both, &end), TermId::TRUE);
        assert_eq!(unknowns.weaken(&mut pool, neither, &end), TermId::TRUE);
    }

    #[test]
    fn a_choice_by_star_is_either_side() {
        let mut pool = TermPool::new();
        let mut unknowns = Unknowns::default();
        let star = unknowns.star(&mut pool, "j", Sort::Bv(8), 1);
        let star = pool.symbol_term(star);
        let five = pool.bv(8, 5);
        let condition = pool.ult(star, five);
        let [a, b] = ["a", "b"].map(|name| pool.fresh(name, Sort::Bv(1)));
        let choice = pool.ite(condition, a, b);
        let either = pool.or(a, b);
        let end = end_after(Work::seconds(1), &pool);
        assert_eq!(unknowns.weaken(&mut pool, choice, &end), either);
        let same = pool.sub(star, star);
        let zero = pool.bv(8, 0);
        assert_eq!(same, zero, "the same unknown value cancels");
    }

    #[test]
    fn quantified_predicates_are_weakened_inside() {
        let mut pool = TermPool::new();
        let mut unknowns = Unknowns::default();
        let sort = Sort::Bv(8);
        let star = unknowns.star(&mut pool, "j", sort, 1);
        let star = pool.symbol_term(star);
        let [limit, a] = ["n", "a"].map(|name| pool.fresh(name, sort));
        let tau = pool.symbol("τ", sort);
        let at = pool.symbol_term(tau);
        let lost = pool.ult(at, star);
        let kept = pool.ult(at, a);
        let body = pool.and(lost, kept);
        let all = pool.forall_below(tau, limit, body);
        let expected = pool.forall_below(tau, limit, kept);
        let end = end_after(Work::seconds(1), &pool);
        assert_eq!(unknowns.weaken(&mut pool, all, &end), expected);
        let below_star = pool.forall_below(tau, star, kept);
        assert_eq!(unknowns.weaken(&mut pool, below_star, &end), TermId::TRUE);
    }
}
