//! Guards: conditions in summands that the rest of the query decides for all iterations.
//!
//! For a sum s = Στ<κ. d(τ) with a guard γ(τ) in d, or an extension e(τ) of what is linear in τ, where Γ are
//! the conjuncts without sums and quantifiers, the upper bounds that they imply for counters, and the limits
//! of the variables of enclosing quantifiers:
//! - `holds`: Γ ∧ τ < κ → γ(τ): γ is true in d;
//! - `fails`: Γ ∧ τ < κ → ¬γ(τ): γ is false in d;
//! - `case`: if that needs an additional condition c, on which a choice outside of the sum depends: s =
//!   ite(c, s′, s), with γ decided in s′;
//! - `first`: each of them if it also needs τ ≠ 0: s = ite(κ = 0, 0, d(0) + Στ<κ−1. d′(τ + 1));
//! - `line`: Γ ∧ τ < κ → e(τ) = e(0) + c·τ: that is e in d; see [`lines`];
//! - `limit`: Γ decides c where κ is ite(c, m, n), the closed form of a number of iterations.
//!
//! After a loop that wrote n cells, a loop over as many cells reads the written values without a check of the
//! range: the summand ite(τ < κ₁, written, a\[τ\]) loses its read.
//!
//! # Invariants
//! The result is equivalent to the query, given the conjuncts without sums and the bounds of counters from
//! quantifiers. These are not changed.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::facts::Facts;
use super::lines::{Line, is_about_numbers, lines};
use crate::quantifiers::Counting;
use crate::{Limits, Solver};
use term::{SymbolId, Term, TermId, TermPool};

/// Facts at the position of a term.
struct Around<'a> {
    /// Γ, and that the variables of the binders around are below their limits.
    known: &'a mut Vec<TermId>,
    /// Conditions of choices outside of the sums.
    cases: Vec<TermId>,
    /// The number of binders around.
    depth: usize,
}

/// The facts that decide guards.
pub(super) struct Guards<'a> {
    below: &'a mut dyn Solver,
    facts: &'a mut Facts,
    /// Of each query to `below`.
    limits: &'a Limits,
    /// Queries that may still be asked.
    left: u32,
}

impl<'a> Guards<'a> {
    /// Asks `below` at most so many queries, each within the limits.
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

    /// Conjuncts whose sums are simpler, where there are such.
    pub fn decide(&mut self, pool: &mut TermPool, conjuncts: &[TermId]) -> Option<Vec<TermId>> {
        let mut known: Vec<TermId> = conjuncts
            .iter()
            .copied()
            .filter(|one| is_plain(pool, *one))
            .collect();
        for conjunct in conjuncts {
            let facts = &mut *self.facts;
            let mut variable = |pool: &mut TermPool, width| facts.variable(pool, 0, width);
            for counting in Counting::all(pool, *conjunct, &mut variable) {
                let bounds = counting.bounds(pool);
                if is_plain(pool, bounds) {
                    known.push(bounds);
                }
            }
        }
        let mut done = BTreeMap::new();
        let mut changed = conjuncts.to_vec();
        // Sums in quantifiers are as many again, and decide less.
        let mut order: Vec<usize> = (0..conjuncts.len()).collect();
        order.sort_by_key(|position| pool.has_quantifier(conjuncts[*position]));
        for position in order {
            let conjunct = conjuncts[position];
            let mut around = Around {
                known: &mut known,
                cases: cases(pool, conjunct),
                depth: 0,
            };
            changed[position] = self.within(pool, &mut around, conjunct, &mut done);
        }
        (changed != conjuncts).then_some(changed)
    }

    /// A term with simpler sums; those that are `done` are known.
    fn within(
        &mut self,
        pool: &mut TermPool,
        around: &mut Around<'_>,
        term: TermId,
        done: &mut BTreeMap<TermId, TermId>,
    ) -> TermId {
        pool.replace_binders(term, &mut |pool, binder| {
            if !pool.has_sum(binder) {
                return Some(binder);
            }
            if let Some(simpler) = done.get(&binder) {
                return Some(*simpler);
            }
            let simpler = self.binder(pool, around, binder);
            done.insert(binder, simpler);
            Some(simpler)
        })
    }

    /// A quantifier or sum with simpler sums in it.
    fn binder(&mut self, pool: &mut TermPool, around: &mut Around<'_>, binder: TermId) -> TermId {
        let (Term::SumBelow { limit, .. } | Term::ForAll { limit, .. }) = pool.view(binder) else {
            return binder;
        };
        let tau = self.facts.variable(pool, around.depth, pool.width(limit));
        let variable = pool.as_symbol(tau).expect("a symbol was made");
        let body = pool.instantiate(binder, tau);
        let mut simpler = binder;
        if pool.has_sum(body) {
            let inside = pool.ult(tau, limit);
            let is_known = is_plain(pool, inside);
            if is_known {
                around.known.push(inside);
            }
            let n_cases = around.cases.len();
            around.cases.extend(cases(pool, body));
            around.depth += 1;
            // What is known holds in here only.
            let inner = self.within(pool, around, body, &mut BTreeMap::new());
            around.depth -= 1;
            around.cases.truncate(n_cases);
            if is_known {
                around.known.pop();
            }
            if inner != body {
                simpler = match pool.view(binder) {
                    Term::ForAll { .. } => pool.forall_below(variable, limit, inner),
                    _ => pool.sum_below(variable, limit, inner),
                };
            }
        }
        self.sum(pool, around, simpler)
    }

    /// A sum with what is known of its number of iterations and its summands.
    fn sum(&mut self, pool: &mut TermPool, around: &Around<'_>, mut sum: TermId) -> TermId {
        // rule: limit
        while let Some(decided) = self.with_limit(pool, around.known, sum) {
            sum = decided;
        }
        let Term::SumBelow { limit, .. } = pool.view(sum) else {
            return sum;
        };
        let tau = self.facts.variable(pool, around.depth, pool.width(limit));
        let body = pool.instantiate(sum, tau);
        if !is_plain(pool, limit) || !is_plain(pool, body) {
            return sum;
        }
        let mut summand = Summand::new(pool, (tau, limit), body);
        if summand.is_settled() {
            return sum;
        }
        let mut known = around.known.clone();
        if let Some(simpler) = self.simpler(pool, &mut known, &summand, true) {
            // What stays open may be decided in a case.
            match pool.view(simpler) {
                Term::SumBelow { limit: same, .. } if same == limit => {
                    let body = pool.instantiate(simpler, tau);
                    summand = Summand::new(pool, (tau, limit), body);
                    sum = simpler;
                }
                _ => return simpler,
            }
            if summand.is_settled() {
                return sum;
            }
        }
        let inside = pool.ult(tau, limit);
        let mut by_case = sum;
        for case in &around.cases {
            for holds in [true, false] {
                let condition = if holds { *case } else { pool.not(*case) };
                known.push(condition);
                let in_case = self.simpler(pool, &mut known, &summand, true);
                // A case that cannot be, or has no iteration, would decide all guards.
                let in_case = in_case.filter(|_| !self.excludes(pool, &known, inside));
                known.pop();
                if let Some(in_case) = in_case {
                    // rule: case
                    by_case = pool.ite(condition, in_case, by_case);
                }
            }
        }
        by_case
    }

    /// The sum where a condition of its limit is decided.
    fn with_limit(&mut self, pool: &mut TermPool, known: &[TermId], sum: TermId) -> Option<TermId> {
        let Term::SumBelow { limit, .. } = pool.view(sum) else {
            return None;
        };
        let Term::Ite(condition, ..) = pool.view(limit) else {
            return None;
        };
        if !is_plain(pool, condition) {
            return None;
        }
        let is_not = pool.not(condition);
        let others = [(is_not, TermId::TRUE), (condition, TermId::FALSE)];
        let mut others = others.into_iter();
        let (_, value) = others.find(|(other, _)| self.excludes(pool, known, *other))?;
        Some(pool.replace_closed(sum, &BTreeMap::from([(condition, value)])))
    }

    /// The sum with what is known of its summand in all iterations, or in all but the first, which may be
    /// `split` off; `None` if that is nothing.
    fn simpler(
        &mut self,
        pool: &mut TermPool,
        known: &mut Vec<TermId>,
        summand: &Summand,
        split: bool,
    ) -> Option<TermId> {
        let n_known = known.len();
        known.push(pool.ult(summand.tau, summand.limit));
        // rule: holds, fails, line
        let found = self.under(pool, known, summand);
        let rest = summand.with(pool, &found);
        let first = pool.bv(pool.width(summand.limit), 0);
        let mut others = None;
        if split && !rest.is_settled() {
            known.push(pool.ne(summand.tau, first));
            let found = self.under(pool, known, &rest);
            // Where there are no others, all would be true of them.
            if !found.is_empty() && !self.contradict(pool, known) {
                others = Some(rest.with(pool, &found).next(pool));
            }
        }
        known.truncate(n_known);
        let Some(others) = others else {
            return (!found.is_empty()).then(|| rest.sum(pool));
        };
        // rule: first
        let none = pool.eq(summand.limit, first);
        known.push(pool.not(none));
        let of_others = self.simpler(pool, known, &others, false);
        known.pop();
        let of_others = of_others.unwrap_or_else(|| others.sum(pool));
        let of_first = rest.at(pool, first);
        let sum = pool.add(of_first, of_others);
        let zero = pool.bv(pool.width(sum), 0);
        Some(pool.ite(none, zero, sum))
    }

    /// The guards that truth values decide, and the extensions that continue linearly under them, with what they
    /// are.
    fn under(
        &mut self,
        pool: &mut TermPool,
        truths: &[TermId],
        summand: &Summand,
    ) -> BTreeMap<TermId, TermId> {
        let mut found = BTreeMap::new();
        for guard in &summand.guards {
            let is_not = pool.not(*guard);
            for (other, value) in [(is_not, TermId::TRUE), (*guard, TermId::FALSE)] {
                if self.excludes(pool, truths, other) {
                    found.insert(*guard, value);
                    break;
                }
            }
        }
        for Line { extension, line } in &summand.lines {
            let differs = pool.ne(*extension, *line);
            if self.excludes(pool, truths, differs) {
                found.insert(*extension, *line);
            }
        }
        found
    }

    /// True only if one more truth value contradicts these.
    fn excludes(&mut self, pool: &mut TermPool, truths: &[TermId], one_more: TermId) -> bool {
        let mut truths = truths.to_vec();
        truths.push(one_more);
        self.contradict(pool, &truths)
    }

    /// True only if truth values cannot hold together; false where no query may be asked any more.
    fn contradict(&mut self, pool: &mut TermPool, truths: &[TermId]) -> bool {
        if self.left == 0 || self.limits.reached(pool).is_some() {
            return false;
        }
        self.left -= 1;
        self.facts.contradict(pool, self.below, self.limits, truths)
    }
}

/// The summand of a sum.
struct Summand {
    /// The iteration.
    tau: TermId,
    variable: SymbolId,
    limit: TermId,
    /// At τ.
    body: TermId,
    /// See [`decidable_guards`].
    guards: Vec<TermId>,
    lines: Vec<Line>,
}

impl Summand {
    fn new(pool: &mut TermPool, (tau, limit): (TermId, TermId), body: TermId) -> Summand {
        Summand {
            tau,
            variable: pool.as_symbol(tau).expect("a symbol was made"),
            limit,
            body,
            guards: decidable_guards(pool, body, tau),
            lines: lines(pool, body, tau),
        }
    }

    /// Whether nothing more is to be found out about it.
    fn is_settled(&self) -> bool {
        self.guards.is_empty() && self.lines.is_empty()
    }

    /// The same, with closed terms replaced by what they are.
    fn with(&self, pool: &mut TermPool, found: &BTreeMap<TermId, TermId>) -> Summand {
        let body = pool.replace_closed(self.body, found);
        Summand::new(pool, (self.tau, self.limit), body)
    }

    /// At an iteration.
    fn at(&self, pool: &mut TermPool, iteration: TermId) -> TermId {
        let mut theta = IndexMap::new();
        theta.insert(self.variable, iteration);
        pool.substitute(self.body, &mut theta)
    }

    /// What the iterations behind the first add up.
    fn next(&self, pool: &mut TermPool) -> Summand {
        let one = pool.bv(pool.width(self.limit), 1);
        let next = pool.add(self.tau, one);
        let body = self.at(pool, next);
        let limit = pool.sub(self.limit, one);
        Summand::new(pool, (self.tau, limit), body)
    }

    fn sum(&self, pool: &mut TermPool) -> TermId {
        pool.sum_below(self.variable, self.limit, self.body)
    }
}

fn is_plain(pool: &TermPool, term: TermId) -> bool {
    !pool.has_sum(term) && !pool.has_quantifier(term)
}

/// Conditions of choices in a term.
fn cases(pool: &TermPool, term: TermId) -> Vec<TermId> {
    let mut cases = pool.guards_of(term);
    cases.retain(|case| is_plain(pool, *case) && pool.is_closed(*case));
    cases
}

/// The guards of a summand at τ that may be decided: those that depend on τ, over numbers alone.
fn decidable_guards(pool: &mut TermPool, body: TermId, tau: TermId) -> Vec<TermId> {
    let tau = pool.as_symbol(tau).expect("a symbol was made");
    let mut guards = pool.guards_of(body);
    guards.retain(|guard| is_about_numbers(pool, *guard, tau));
    guards
}
