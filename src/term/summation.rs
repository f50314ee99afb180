//! Encoding of bounded sums for solvers: a function S for each sum, defined by a bounded quantifier.
//!
//! ```text
//! Στ<κ. d(τ)  becomes S(κ), with S(0) = 0 and  ∀τ<κ. S(τ + 1) = S(τ) + d(τ)
//! ```
//! S is an array symbol, or one more argument of it for each binder around the sum whose variable
//! the sum depends on; its definition then stands below these binders. S(τ + 1) does not wrap,
//! since τ + 1 ≤ κ.
//!
//! The result is exact: each assignment of the other symbols determines S on its relevant arguments, and S(κ)
//! is the sum.

use super::pool::{Map, TermData};
use super::substitute::{Rewrite, rewrite};
use super::{Sort, SymbolId, TermId, TermPool};

/// The functions made so far, so that a sum has the same one in each query.
#[derive(Default)]
pub struct Summations {
    /// A closed sum: S(κ), and the definition of S.
    closed: Map<TermId, (TermId, TermId)>,
    /// The variable of a binder while its body is rewritten, by depth and width.
    variables: Map<(usize, u32), SymbolId>,
}

impl Summations {
    /// The assertions without bounded sums, then the definitions of the functions that stand for
    /// these; satisfied by the same values of the symbols in the assertions.
    ///
    /// # Panics
    /// When an assertion is not a closed term of width 1.
    pub fn defined(&mut self, pool: &mut TermPool, assertions: &[TermId]) -> Vec<TermId> {
        if !assertions.iter().any(|term| pool.has_sum(*term)) {
            return assertions.to_vec();
        }
        let mut pass = Pass {
            memory: self,
            binders: Vec::new(),
            definitions: Vec::new(),
        };
        let mut result: Vec<TermId> = assertions
            .iter()
            .map(|term| rewrite(pool, *term, &mut pass))
            .collect();
        for definition in pass.definitions {
            if !result.contains(&definition) {
                result.push(definition);
            }
        }
        result
    }
}

/// Outermost closed binders are replaced; inside of binders nothing is open that moves.
struct Binders<'a> {
    replace: &'a mut dyn FnMut(&mut TermPool, TermId) -> Option<TermId>,
}

impl Rewrite for Binders<'_> {
    // Only closed terms are replaced, and by closed terms.
    const DEPENDS_ON_DEPTH: bool = false;

    fn enter(&mut self, pool: &mut TermPool, term: TermId, _: u32) -> Option<TermId> {
        if !pool.has_sum(term) && !pool.has_quantifier(term) {
            return Some(term);
        }
        match pool.data(term) {
            Some(TermData::ForAll { .. } | TermData::SumBelow { .. }) if pool.is_closed(term) => {
                (self.replace)(pool, term)
            }
            _ => None,
        }
    }
}

impl TermPool {
    /// The term with its outermost closed quantifiers (`Term::ForAll`) and bounded sums replaced
    /// by what `replace` gives for them: closed terms of the same sort. Where it gives `None`, the
    /// binders inside are checked.
    pub fn replace_binders(
        &mut self,
        term: TermId,
        replace: &mut dyn FnMut(&mut TermPool, TermId) -> Option<TermId>,
    ) -> TermId {
        rewrite(self, term, &mut Binders { replace })
    }
}

struct Pass<'a> {
    memory: &'a mut Summations,
    /// Variable and limit of each binder that is entered, outermost first; limits without sums.
    binders: Vec<(SymbolId, TermId)>,
    /// Closed, without sums.
    definitions: Vec<TermId>,
}

impl Rewrite for Pass<'_> {
    // Binders are opened on the way, so that all terms that are met are closed.
    const DEPENDS_ON_DEPTH: bool = false;

    fn enter(&mut self, pool: &mut TermPool, term: TermId, _: u32) -> Option<TermId> {
        if !pool.has_sum(term) {
            return Some(term);
        }
        match pool.data(term) {
            Some(&TermData::ForAll { limit, .. }) => {
                let limit = rewrite(pool, limit, self);
                let (tau, body) = self.open(pool, term, limit);
                Some(pool.forall_below(tau, limit, body))
            }
            Some(&TermData::SumBelow { limit, .. }) => Some(self.sum(pool, term, limit)),
            _ => None,
        }
    }
}

impl Pass<'_> {
    /// The variable of a binder, and the rewritten body with it.
    fn open(&mut self, pool: &mut TermPool, binder: TermId, limit: TermId) -> (SymbolId, TermId) {
        let width = pool.width(limit);
        let depth = self.binders.len();
        let tau = *self
            .memory
            .variables
            .entry((depth, width))
            .or_insert_with(|| pool.symbol(&format!("tau{depth}"), Sort::Bv(width)));
        let variable = pool.symbol_term(tau);
        let body = pool.instantiate(binder, variable);
        self.binders.push((tau, limit));
        let body = rewrite(pool, body, self);
        self.binders.pop();
        (tau, body)
    }

    fn sum(&mut self, pool: &mut TermPool, sum: TermId, limit: TermId) -> TermId {
        let outer = self.arguments(pool, sum);
        if outer.is_empty()
            && let Some(&(value, definition)) = self.memory.closed.get(&sum)
        {
            // What sums within this one are defined by was kept with it.
            self.definitions.push(definition);
            return value;
        }
        let before = self.definitions.len();
        let limit = rewrite(pool, limit, self);
        let (tau, summand) = self.open(pool, sum, limit);
        let (bits, width) = (pool.width(limit), pool.width(sum));
        let arguments: Vec<TermId> = outer
            .iter()
            .map(|(symbol, _)| pool.symbol_term(*symbol))
            .collect();
        let index: u32 = bits + arguments.iter().map(|a| pool.width(*a)).sum::<u32>();
        let function = pool.fresh(
            "sum",
            Sort::Array {
                index,
                value: width,
            },
        );
        let at = |pool: &mut TermPool, iteration: TermId| {
            let index = arguments
                .iter()
                .rev()
                .fold(iteration, |index, argument| pool.concat(*argument, index));
            pool.select(function, index)
        };
        let (iteration, one) = (pool.symbol_term(tau), pool.bv(bits, 1));
        let next = pool.add(iteration, one);
        let (here, there) = (at(pool, iteration), at(pool, next));
        let sum_there = pool.add(here, summand);
        let step = pool.eq(there, sum_there);
        let steps = pool.forall_below(tau, limit, step);
        let zero = pool.bv(bits, 0);
        let first = at(pool, zero);
        let nothing = pool.bv(width, 0);
        let begins = pool.eq(first, nothing);
        let mut definition = pool.and(begins, steps);
        for (symbol, limit) in outer.iter().rev() {
            definition = pool.forall_below(*symbol, *limit, definition);
        }
        let value = at(pool, limit);
        if outer.is_empty() {
            let inner = self.definitions.split_off(before);
            for part in inner {
                definition = pool.and(definition, part);
            }
            self.memory.closed.insert(sum, (value, definition));
        }
        self.definitions.push(definition);
        value
    }

    /// The binders around a sum that it depends on, with all outside of these.
    fn arguments(&self, pool: &mut TermPool, sum: TermId) -> Vec<(SymbolId, TermId)> {
        let symbols = pool.symbols_of(sum);
        let n = self
            .binders
            .iter()
            .rposition(|(symbol, _)| symbols.binary_search(symbol).is_ok());
        self.binders[..n.map_or(0, |n| n + 1)].to_vec()
    }
}
