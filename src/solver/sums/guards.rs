//! Guards of summands that the rest of the question decides for all iterations.
//!
//! For a closed sum s = Στ<κ. d(τ) with a guard γ(τ) in d, where Γ are the conjuncts without sums and
//! quantifiers:
//! - `holds`: Γ ∧ τ < κ → γ(τ): γ is true in d;
//! - `fails`: Γ ∧ τ < κ → ¬γ(τ): γ is false in d;
//! - `case`: where that takes a condition c besides, on which a choice beside the sum depends:
//!   s = ite(c, s′, s), with γ decided in s′.
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

/// What guards are decided by.
pub(super) struct Guards<'a> {
    below: &'a mut dyn Solver,
    facts: &'a mut Facts,
    /// Of each question to `below`.
    limits: &'a Limits,
    /// Questions that may still be asked.
    left: u32,
}

impl<'a> Guards<'a> {
    /// Asks `below` at most so many questions, each within the limits.
    pub fn new(
        below: &'a mut dyn Solver,
        facts: &'a mut Facts,
        limits: &'a Limits,
        questions: u32,
    ) -> Guards<'a> {
        Guards {
            below,
            facts,
            limits,
            left: questions,
        }
    }

    /// Conjuncts in whose sums guards are decided, where there are such.
    pub fn decide(&mut self, pool: &mut TermPool, conjuncts: &[TermId]) -> Option<Vec<TermId>> {
        let known: Vec<TermId> = conjuncts
            .iter()
            .copied()
            .filter(|one| is_plain(pool, *one))
            .collect();
        let mut done: BTreeMap<TermId, TermId> = BTreeMap::new();
        let mut changed = Vec::with_capacity(conjuncts.len());
        for conjunct in conjuncts {
            let mut cases = pool.guards_of(*conjunct);
            cases.retain(|case| is_plain(pool, *case) && pool.is_closed(*case));
            changed.push(self.within(pool, &known, &cases, *conjunct, &mut done));
        }
        (changed != conjuncts).then_some(changed)
    }

    /// A term with the guards in its closed sums decided; those that are `done` are known.
    fn within(
        &mut self,
        pool: &mut TermPool,
        known: &[TermId],
        cases: &[TermId],
        term: TermId,
        done: &mut BTreeMap<TermId, TermId>,
    ) -> TermId {
        pool.replace_binders(term, &mut |pool, binder| {
            let Term::SumBelow { limit, .. } = pool.view(binder) else {
                return None;
            };
            if let Some(sum) = done.get(&binder) {
                return Some(*sum);
            }
            let tau = self.facts.variable(pool, pool.width(limit));
            let variable = pool.as_symbol(tau).expect("a symbol was made");
            let mut sum = binder;
            // Not where the variable is that of a sum around.
            if !pool.symbols_of(binder).contains(&variable) {
                let body = pool.instantiate(binder, tau);
                let inner = self.within(pool, known, cases, body, done);
                if inner != body {
                    sum = pool.sum_below(variable, limit, inner);
                }
                sum = self.sum(pool, known, cases, sum);
            }
            done.insert(binder, sum);
            Some(sum)
        })
    }

    /// A sum with its guards decided.
    fn sum(
        &mut self,
        pool: &mut TermPool,
        known: &[TermId],
        cases: &[TermId],
        sum: TermId,
    ) -> TermId {
        let Term::SumBelow { limit, .. } = pool.view(sum) else {
            return sum;
        };
        let tau = self.facts.variable(pool, pool.width(limit));
        let body = pool.instantiate(sum, tau);
        let guards = asked(pool, limit, body, tau);
        if guards.is_empty() {
            return sum;
        }
        let inside = pool.ult(tau, limit);
        let mut truths = known.to_vec();
        truths.push(inside);
        let decided = self.under(pool, &truths, &guards);
        let variable = pool.as_symbol(tau).expect("a symbol was made");
        if !decided.is_empty() {
            // rule: holds, fails
            let body = pool.decide(body, &decided);
            return pool.sum_below(variable, limit, body);
        }
        let mut by_case = sum;
        for case in cases {
            for holds in [true, false] {
                let condition = if holds { *case } else { pool.not(*case) };
                truths.push(condition);
                let decided = self.under(pool, &truths, &guards);
                // A case that cannot be, or has no iteration, would decide all of them.
                let helps = !decided.is_empty() && !self.contradict(pool, &truths);
                truths.pop();
                if helps {
                    // rule: case
                    let body = pool.decide(body, &decided);
                    let in_case = pool.sum_below(variable, limit, body);
                    by_case = pool.ite(condition, in_case, by_case);
                }
            }
        }
        by_case
    }

    /// The guards that truth values decide.
    fn under(
        &mut self,
        pool: &mut TermPool,
        truths: &[TermId],
        guards: &[TermId],
    ) -> BTreeMap<TermId, bool> {
        let mut decided = BTreeMap::new();
        for guard in guards {
            let is_not = pool.not(*guard);
            for (other, value) in [(is_not, true), (*guard, false)] {
                let mut truths = truths.to_vec();
                truths.push(other);
                if self.contradict(pool, &truths) {
                    decided.insert(*guard, value);
                    break;
                }
            }
        }
        decided
    }

    /// True only if truth values cannot hold together; false where no question may be asked any more.
    fn contradict(&mut self, pool: &mut TermPool, truths: &[TermId]) -> bool {
        if self.left == 0 || self.limits.reached(pool).is_some() {
            return false;
        }
        self.left -= 1;
        self.facts.contradict(pool, self.below, self.limits, truths)
    }
}

fn is_plain(pool: &TermPool, term: TermId) -> bool {
    !pool.has_sum(term) && !pool.has_quantifier(term)
}

/// The guards of a summand at τ that may be decided: those that depend on τ, over numbers alone.
fn asked(pool: &mut TermPool, limit: TermId, body: TermId, tau: TermId) -> Vec<TermId> {
    if !is_plain(pool, limit) || !is_plain(pool, body) {
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
