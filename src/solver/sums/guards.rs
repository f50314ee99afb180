//! Guards of summands that the rest of the question decides for all iterations.
//!
//! For a closed sum Στ<κ. d(τ) with a guard γ(τ) in d, where Γ are the conjuncts without sums and quantifiers:
//! - `holds`: Γ ∧ τ < κ → γ(τ): γ is true in d;
//! - `fails`: Γ ∧ τ < κ → ¬γ(τ): γ is false in d.
//!
//! Behind a loop that wrote n cells, another over as many reads what was written, and no more whether it was:
//! the summand ite(τ < κ₁, written, a[τ]) loses its read.
//!
//! # Invariants
//! With the conjuncts without sums beside it, what comes out is equivalent to the question.

use std::collections::BTreeMap;

use super::facts::Facts;
use crate::solver::{Limits, Solver};
use crate::term::{Sort, Term, TermId, TermPool};

/// Guards that are asked about in one question.
const MOST: usize = 4;

/// Conjuncts in whose sums guards are decided, where there are such; each question to `below` has the work
/// of the limits.
pub(super) fn decided(
    pool: &mut TermPool,
    below: &mut dyn Solver,
    facts: &mut Facts,
    limits: &Limits,
    conjuncts: &[TermId],
) -> Option<Vec<TermId>> {
    let is_plain = |one: &TermId| !pool.has_sum(*one) && !pool.has_quantifier(*one);
    let known: Vec<TermId> = conjuncts.iter().copied().filter(is_plain).collect();
    let mut left = MOST;
    let mut done: BTreeMap<TermId, TermId> = BTreeMap::new();
    let mut changed = Vec::with_capacity(conjuncts.len());
    for conjunct in conjuncts {
        changed.push(pool.replace_binders(*conjunct, &mut |pool, binder| {
            let Term::SumBelow { limit, .. } = pool.view(binder) else {
                return None;
            };
            if let Some(sum) = done.get(&binder) {
                return Some(*sum);
            }
            let tau = facts.variable(pool, pool.width(limit));
            let body = pool.instantiate(binder, tau);
            let mut guards = BTreeMap::new();
            for guard in asked(pool, limit, body, tau) {
                if left == 0 {
                    break;
                }
                left -= 1;
                let inside = pool.ult(tau, limit);
                let is_not = pool.not(guard);
                for (other, value) in [(is_not, true), (guard, false)] {
                    let mut truths = known.clone();
                    truths.extend([inside, other]);
                    if facts.contradict(pool, below, limits, &truths) {
                        // rule: holds, fails
                        guards.insert(guard, value);
                        break;
                    }
                }
            }
            let mut sum = binder;
            if !guards.is_empty() {
                let body = pool.decide(body, &guards);
                let tau = pool.as_symbol(tau).expect("a symbol was made");
                sum = pool.sum_below(tau, limit, body);
            }
            done.insert(binder, sum);
            Some(sum)
        }));
    }
    (changed != conjuncts).then_some(changed)
}

/// The guards of a summand at τ that may be decided: those that depend on τ, over numbers alone.
fn asked(pool: &mut TermPool, limit: TermId, body: TermId, tau: TermId) -> Vec<TermId> {
    if [limit, body]
        .iter()
        .any(|one| pool.has_sum(*one) || pool.has_quantifier(*one))
    {
        return Vec::new();
    }
    let tau = pool.as_symbol(tau).expect("a symbol was made");
    let mut guards = pool.guards_of(body);
    guards.retain(|guard| {
        let symbols = pool.symbols_of(*guard);
        let is_number = |one| matches!(pool.symbol_sort(one), Sort::Bv(_));
        symbols.contains(&tau) && symbols.iter().all(|one| is_number(*one))
    });
    guards
}
