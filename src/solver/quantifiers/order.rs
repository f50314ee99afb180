//! Order along the iterations of a quantifier.
//!
//! ∀τ<κ. P(τ) ∨ f(τ) ≤ f(τ+1) compares neighbours only. The minimality of the first element of a sorted array
//! needs an induction, which no finite number of instances replaces if κ is unbounded. But ≤ is transitive,
//! so that
//!
//! ```text
//! s < t ≤ κ ∧ no P in s..t → f(s) ≤ f(t)
//! ```
//!
//! for all s and t: an instance for two iterations. P describes the ends of the sorted part: τ < c holds from
//! s on if it holds at s, c ≤ τ and τ = κ − 1 hold up to t − 1 if they hold there; so P need not be checked
//! in between.
//!
//! # Source
//! Decidability of sortedness that is stated for all pairs instead of neighbours: Bradley, Manna, Sipma,
//! *What's Decidable About Arrays?*, VMCAI 2006, Section 2.

use std::collections::BTreeMap;

use super::progression::mentions;
use term::{CmpOp, SymbolId, Term, TermId, TermPool};

/// How the values of neighbouring iterations compare; see the module's head.
#[derive(Clone, Debug)]
pub(super) struct Order {
    tau: SymbolId,
    limit: TermId,
    /// f(τ), with τ free.
    value: TermId,
    /// Transitive.
    comparison: CmpOp,
    /// Whether it is f(τ) that stands on its left.
    rises: bool,
    /// The parts of P that hold up to some iteration, or in all.
    at_first: Vec<TermId>,
    /// Those that hold from some iteration on.
    at_last: Vec<TermId>,
}

impl Order {
    /// The order that an opened body of ∀τ<limit expresses, if it does.
    pub(super) fn of(
        pool: &mut TermPool,
        tau: SymbolId,
        limit: TermId,
        body: TermId,
    ) -> Option<Order> {
        if pool.has_quantifier(body) {
            return None;
        }
        let width = pool.width(limit);
        let here = pool.symbol_term(tau);
        let one = pool.bv(width, 1);
        let (next, last) = (pool.add(here, one), pool.sub(limit, one));
        let (mut step, mut at_first, mut at_last) = (None, Vec::new(), Vec::new());
        for part in pool.disjuncts(body) {
            if !mentions(pool, part, tau) {
                at_first.push(part);
                continue;
            }
            let Term::Compare(comparison, lhs, rhs) = pool.view(part) else {
                return None;
            };
            let is_of_numbers = matches!(comparison, CmpOp::Ult | CmpOp::Ule);
            let ends = [(here, last), (last, here), (next, limit), (limit, next)];
            let is_last = comparison == CmpOp::Eq && ends.contains(&(lhs, rhs));
            if is_last || is_of_numbers && rhs == here && !mentions(pool, lhs, tau) {
                at_last.push(part);
            } else if is_of_numbers && lhs == here && !mentions(pool, rhs, tau) {
                at_first.push(part);
            } else if step.is_none() {
                step = Some((comparison, lhs, rhs));
            } else {
                return None;
            }
        }
        let (comparison, lhs, rhs) = step?;
        let (value, rises) = if at(pool, tau, lhs, next) == rhs {
            (lhs, true)
        } else if at(pool, tau, rhs, next) == lhs {
            (rhs, false)
        } else {
            return None;
        };
        Some(Order {
            tau,
            limit,
            value,
            comparison,
            rises,
            at_first,
            at_last,
        })
    }

    /// A consequence for two iterations.
    pub(super) fn instance(&self, pool: &mut TermPool, first: TermId, last: TermId) -> TermId {
        let one = pool.bv(pool.width(last), 1);
        let before = pool.sub(last, one);
        let is_apart = pool.ult(first, last);
        let is_inside = pool.ule(last, self.limit);
        let from = at(pool, self.tau, self.value, first);
        let to = at(pool, self.tau, self.value, last);
        let (lhs, rhs) = if self.rises { (from, to) } else { (to, from) };
        let mut parts = vec![pool.compare(self.comparison, lhs, rhs)];
        for part in &self.at_first {
            parts.push(at(pool, self.tau, *part, first));
        }
        for part in &self.at_last {
            parts.push(at(pool, self.tau, *part, before));
        }
        let ordered = pool.disj(parts);
        let applies = pool.and(is_apart, is_inside);
        pool.implies(applies, ordered)
    }
}

/// The term at this iteration.
fn at(pool: &mut TermPool, tau: SymbolId, term: TermId, iteration: TermId) -> TermId {
    pool.substitute(term, &mut BTreeMap::from([(tau, iteration)]))
}
