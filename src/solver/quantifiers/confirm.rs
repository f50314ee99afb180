//! Confirmation: does an assignment satisfy a quantified formula?
//!
//! The exact evaluator enumerates the iterations. If these are too many, the assignment's values are
//! substituted, which leaves a formula without symbols. Elimination (step B) decides most of it; for a
//! remaining quantifier, the link below searches for a failing iteration.

use indexmap::IndexMap;

use super::Binders;
use super::eliminate::eliminate;
use crate::{Answer, Limits, Query, Solver};
use term::{Assignment, Bv, EvalError, Sort, SymbolValue, Term, TermId, TermPool};

/// Iterations that the evaluator may take for one formula.
pub(super) const MAX_ITERATIONS: u64 = 20_000;

/// Whom to ask, within which limits.
pub(super) struct Oracle<'a> {
    pub(super) below: &'a mut dyn Solver,
    pub(super) binders: &'a mut Binders,
    pub(super) limits: &'a Limits,
}

/// An iteration of a quantifier that fails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Counterexample {
    None,
    At(Bv),
    Unknown,
}

impl Oracle<'_> {
    /// The truth value of a formula under an assignment; `None` when it is not found out.
    pub(super) fn holds(
        &mut self,
        pool: &mut TermPool,
        term: TermId,
        model: &Assignment,
    ) -> Option<bool> {
        match pool.evaluate_within(term, model, MAX_ITERATIONS) {
            Ok(value) => return Some(value.is_ones()),
            Err(EvalError::Array) => return None,
            Err(EvalError::TooManyIterations { .. }) => {}
        }
        let ground = with_values(pool, term, model);
        self.decide(pool, ground)
    }

    /// The truth value of a formula without symbols.
    fn decide(&mut self, pool: &mut TermPool, term: TermId) -> Option<bool> {
        let nothing = Assignment::new();
        if let Ok(value) = pool.evaluate_within(term, &nothing, MAX_ITERATIONS) {
            return Some(value.is_ones());
        }
        let conjuncts = pool.conjuncts(term);
        if conjuncts.len() > 1 {
            let values = conjuncts.iter().map(|part| self.decide(pool, *part));
            return all(values);
        }
        let disjuncts = pool.disjuncts(term);
        if disjuncts.len() > 1 {
            let values = disjuncts
                .iter()
                .map(|part| self.decide(pool, *part).map(|v| !v));
            return all(values).map(|value| !value);
        }
        match pool.view(term) {
            Term::Not(inner) => self.decide(pool, inner).map(|value| !value),
            Term::ForAll { .. } => {
                let simpler = eliminate(pool, self.binders, term);
                if simpler != term && !matches!(pool.view(simpler), Term::ForAll { .. }) {
                    return self.decide(pool, simpler);
                }
                match self.counterexample(pool, simpler, &nothing) {
                    Counterexample::None => Some(true),
                    Counterexample::At(_) => Some(false),
                    Counterexample::Unknown => None,
                }
            }
            _ => None,
        }
    }

    /// An iteration of ∀τ<k. φ, φ without quantifiers, at which φ fails under the assignment.
    pub(super) fn counterexample(
        &mut self,
        pool: &mut TermPool,
        quantified: TermId,
        model: &Assignment,
    ) -> Counterexample {
        let ground = with_values(pool, quantified, model);
        let Term::ForAll { limit, .. } = pool.view(ground) else {
            return match pool.evaluate_within(ground, model, MAX_ITERATIONS) {
                Ok(value) if value.is_ones() => Counterexample::None,
                _ => Counterexample::Unknown,
            };
        };
        let (tau, body) = self.binders.open(pool, ground);
        if pool.has_quantifier(body) {
            return Counterexample::Unknown;
        }
        let iteration = pool.symbol_term(tau);
        let query = [pool.ult(iteration, limit), pool.not(body)];
        match self.below.check(pool, &Query::new(&query, self.limits)) {
            Answer::Unsat(_) => Counterexample::None,
            Answer::Unknown(_) => Counterexample::Unknown,
            Answer::Sat(found) => {
                let zero = || Bv::zero(pool.width(limit));
                Counterexample::At(found.bits(tau).cloned().unwrap_or_else(zero))
            }
        }
    }
}

/// True if all are, false if one is not, `None` if it depends on those that are not known.
fn all(values: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut known = true;
    for value in values {
        match value {
            Some(false) => return Some(false),
            Some(true) => {}
            None => known = false,
        }
    }
    known.then_some(true)
}

/// The formula with all its symbols replaced by their values.
fn with_values(pool: &mut TermPool, term: TermId, model: &Assignment) -> TermId {
    let mut theta = IndexMap::new();
    for symbol in pool.symbols_of(term).iter() {
        let value = match (pool.symbol_sort(*symbol), model.get(*symbol)) {
            (Sort::Bv(_), Some(SymbolValue::Bits(value))) => pool.constant(value),
            (Sort::Bv(width), _) => pool.constant(&Bv::zero(width)),
            (Sort::Array { index, .. }, Some(SymbolValue::Array(array))) => {
                let default = pool.constant(&array.default);
                let mut value = pool.const_array(index, default);
                for (at, stored) in &array.entries {
                    let (at, stored) = (pool.constant(at), pool.constant(stored));
                    value = pool.store(value, at, stored);
                }
                value
            }
            (Sort::Array { index, value }, _) => {
                let zero = pool.constant(&Bv::zero(value));
                pool.const_array(index, zero)
            }
        };
        theta.insert(*symbol, value);
    }
    pool.substitute(term, &mut theta)
}
