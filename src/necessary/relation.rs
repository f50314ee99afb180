//! Numbers of iterations of the loops along a backbone, as terms over the state before it.
//!
//! An iteration of an outer loop may determine the counter κ′ of an inner loop: if the inner loop is left as
//! soon as j < n fails and starts with j = i, κ′ = max(0, n − i). Without this relation κ′ is a new unknown
//! in each iteration, and variables that depend on it become ⋆; with it their closed forms follow from those
//! that κ′ depends on.
//!
//! A relation is found in one of two ways: by the closed form of the first iteration at which a
//! condition fails, or as a linear term c, c + x, c − x or c + x − y over what the condition
//! mentions, whose c comes from a model, and which the solver has to confirm.
//!
//! # Invariants
//! - The condition of the backbone implies each relation, so that counters may be replaced.
//!
//! # Source
//! ISSTA 2012, Section 3.4: the "heavyweight" version of Algorithm 2, which searches for linear relations
//! between inner and outer counters with an SMT solver.

use super::build::Build;
use super::walk::AppliedSummary;
use indexmap::IndexMap;
use solver::{Answer, determined_counter};
use term::{Assignment, BinOp, Bv, SymbolId, Term, TermId, TermPool};

/// Linear terms are made of no more variables than the first of these.
const MOST_VARIABLES: usize = 4;

/// The counters that a backbone determines, in the order in which they are replaced: a value may
/// mention counters that come later.
#[derive(Clone, Default)]
pub(super) struct Relations(Vec<(SymbolId, TermId)>);

/// A linear term without its constant.
#[derive(Clone, Copy)]
struct LinearTerm {
    plus: Option<SymbolId>,
    minus: Option<SymbolId>,
}

impl Relations {
    /// The relations as they are found, for reports.
    pub fn iter(&self) -> impl Iterator<Item = (SymbolId, TermId)> + '_ {
        self.0.iter().copied()
    }

    /// A term without the counters that are determined.
    pub fn apply(&self, pool: &mut TermPool, term: TermId) -> TermId {
        let mut term = term;
        for (counter, value) in &self.0 {
            let mut theta = IndexMap::from([(*counter, *value)]);
            term = pool.substitute(term, &mut theta);
        }
        term
    }

    /// Summaries as they are applied, likewise.
    pub fn apply_to(&self, pool: &mut TermPool, loops: &mut [AppliedSummary]) {
        for applied in loops {
            for counter in &mut applied.counters {
                *counter = self.apply(pool, *counter);
            }
            applied.total = self.apply(pool, applied.total);
        }
    }
}

impl Build<'_, '_> {
    /// The relations that a backbone's condition implies for the counters of the loops along it, and
    /// the condition without these counters.
    pub(super) fn relate(
        &self,
        pool: &mut TermPool,
        loops: &[AppliedSummary],
        condition: TermId,
    ) -> (Relations, TermId) {
        let mut relations = Relations::default();
        let mut condition = condition;
        if !self.options.relates_counters {
            return (relations, condition);
        }
        let counters = loops.iter().flat_map(AppliedSummary::all_counters);
        let mut open: Vec<SymbolId> = counters.filter_map(|term| pool.as_symbol(term)).collect();
        open.retain(|counter| {
            let conjuncts = pool.conjuncts(condition);
            let Some((value, rest)) = determined_counter(pool, &conjuncts, *counter) else {
                return true;
            };
            condition = replaced(pool, rest, *counter, value);
            relations.0.push((*counter, value));
            false
        });
        for counter in open {
            if self.end.is_reached(pool) {
                break;
            }
            if let Some(value) = self.linear_relation(pool, condition, counter) {
                condition = replaced(pool, vec![condition], counter, value);
                relations.0.push((counter, value));
            }
        }
        if !relations.0.is_empty() {
            condition = self.without_tautologies(pool, condition);
        }
        (relations, condition)
    }

    /// A condition without the conjuncts that always hold: what was said of a counter, as that the
    /// inner loop is left after so many iterations, may say nothing of what it is replaced by.
    fn without_tautologies(&self, pool: &mut TermPool, condition: TermId) -> TermId {
        let mut conjuncts = pool.conjuncts(condition);
        conjuncts.retain(|conjunct| {
            if pool.has_quantifier(*conjunct) {
                return true;
            }
            let negated = pool.not(*conjunct);
            !self.ask(pool, &[negated], self.options.relation).is_unsat()
        });
        pool.conj(conjuncts)
    }

    /// A linear term that a counter is equal to wherever a condition holds.
    fn linear_relation(
        &self,
        pool: &mut TermPool,
        condition: TermId,
        counter: SymbolId,
    ) -> Option<TermId> {
        let ask = |pool: &mut TermPool, besides: Option<TermId>| {
            let mut conjuncts = pool.conjuncts(condition);
            conjuncts.extend(besides);
            self.ask(pool, &conjuncts, self.options.relation)
        };
        let Answer::Sat(model) = ask(pool, None) else {
            return None;
        };
        let mut candidates: Vec<(LinearTerm, Bv)> = linear_terms(pool, condition, counter)
            .into_iter()
            .map(|linear| (linear, linear.constant(pool, counter, &model)))
            .collect();
        for _ in 0..self.options.most_relations {
            let (linear, constant) = candidates.first()?;
            let value = linear.term(pool, constant);
            let kappa = pool.symbol_term(counter);
            let differs = pool.ne(kappa, value);
            match ask(pool, Some(differs)) {
                Answer::Unsat(_) => return Some(value),
                Answer::Unknown(_) => return None,
                Answer::Sat(model) => {
                    candidates.remove(0);
                    candidates.retain(|(linear, constant)| {
                        linear.constant(pool, counter, &model) == *constant
                    });
                }
            }
        }
        None
    }
}

/// The conjunction of conditions with a counter replaced; by the cases of its value, where that has
/// two, so that what is known in a case becomes simple.
fn replaced(
    pool: &mut TermPool,
    conditions: Vec<TermId>,
    counter: SymbolId,
    value: TermId,
) -> TermId {
    let condition = pool.conj(conditions);
    let cases = match pool.view(value) {
        Term::Ite(guard, then, otherwise) => Some((guard, then, otherwise)),
        _ => None,
    };
    let with = |pool: &mut TermPool, conjunct: TermId, value: TermId| {
        let mut theta = IndexMap::from([(counter, value)]);
        pool.substitute(conjunct, &mut theta)
    };
    let mut conjuncts = Vec::new();
    for conjunct in pool.conjuncts(condition) {
        let is_split =
            !pool.has_quantifier(conjunct) && pool.symbols_of(conjunct).contains(&counter);
        match cases.filter(|_| is_split) {
            Some((guard, then, otherwise)) => {
                let then = with(pool, conjunct, then);
                conjuncts.push(pool.implies(guard, then));
                let otherwise = with(pool, conjunct, otherwise);
                conjuncts.push(pool.or(guard, otherwise));
            }
            None => conjuncts.push(with(pool, conjunct, value)),
        }
    }
    pool.conj(conjuncts)
}

/// The linear terms that are tried, the simple ones first: over variables as wide as the counter that
/// stand beside it in a conjunct.
fn linear_terms(pool: &mut TermPool, condition: TermId, counter: SymbolId) -> Vec<LinearTerm> {
    let sort = pool.symbol_sort(counter);
    let mut variables: Vec<SymbolId> = Vec::new();
    for conjunct in pool.conjuncts(condition) {
        let symbols = pool.symbols_of(conjunct);
        if symbols.contains(&counter) {
            let beside = symbols.iter().copied();
            variables.extend(
                beside.filter(|other| *other != counter && pool.symbol_sort(*other) == sort),
            );
        }
    }
    variables.sort_unstable();
    variables.dedup();
    variables.truncate(MOST_VARIABLES);
    let one = |plus, minus| LinearTerm { plus, minus };
    let mut terms = vec![one(None, None)];
    terms.extend(variables.iter().map(|x| one(Some(*x), None)));
    terms.extend(variables.iter().map(|x| one(None, Some(*x))));
    for x in &variables {
        let others = variables.iter().filter(|y| *y != x);
        terms.extend(others.map(|y| one(Some(*x), Some(*y))));
    }
    terms
}

impl LinearTerm {
    /// c, if the counter is this term plus c in a model.
    fn constant(self, pool: &TermPool, counter: SymbolId, model: &Assignment) -> Bv {
        let width = pool.width(pool.symbol_term(counter));
        let value = |symbol: SymbolId| {
            let value = model.bits(symbol).cloned();
            value.unwrap_or_else(|| Bv::new(width, 0))
        };
        let mut constant = value(counter);
        if let Some(plus) = self.plus {
            constant = Bv::binary(BinOp::Sub, &constant, &value(plus));
        }
        if let Some(minus) = self.minus {
            constant = Bv::binary(BinOp::Add, &constant, &value(minus));
        }
        constant
    }

    fn term(self, pool: &mut TermPool, constant: &Bv) -> TermId {
        let mut term = pool.constant(constant);
        if let Some(plus) = self.plus {
            let plus = pool.symbol_term(plus);
            term = pool.add(term, plus);
        }
        if let Some(minus) = self.minus {
            let minus = pool.symbol_term(minus);
            term = pool.sub(term, minus);
        }
        term
    }
}
