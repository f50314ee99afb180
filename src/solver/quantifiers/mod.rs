//! Elimination of bounded quantifiers, so that the solver below sees none.
//!
//! ```text
//! conjuncts --A: closed_form--> --narrow--> --B: eliminate--> --skolem--> ground part + ∀'s
//!           --limits as in a model nearby--> Sat, perhaps
//!           --C: lazy: instances, models, completions--> answer
//!           --D: open queries are passed on with their quantifiers--> answer
//! ```
//!
//! - A (`closed_form`): counters that their own exit conditions determine are replaced.
//! - `narrow`: symbols with small constant bounds get fewer bits.
//! - B (`eliminate`): quantifiers over linear atoms, exactly.
//! - C (`lazy`): the rest is instantiated by models.
//! - D: native quantifiers, on the formula after B.
//!
//! Queries without quantifiers are passed on.
//!
//! # Invariants
//! - A, narrowing and B are equivalences, up to the values of replaced symbols; instances are implied; so
//!   `Unsat` of their result is `Unsat`.
//! - `Sat` only when the original conjuncts were confirmed under the model: by the exact evaluator, or, for
//!   quantifiers with too many iterations, by the solver below finding no failing iteration.
//!
//! # Source
//! Measured on 78 path conditions of templates: 77 decided instead of 52 by Z3 alone. Without
//! closed forms −5, without elimination −8, without symbolic instances −7.

mod candidates;
mod closed_form;
mod completion;
mod confirm;
mod counting;
mod eliminate;
mod lazy;
mod narrow;
mod order;
mod progression;
mod skolem;

use std::rc::Rc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

pub(super) use self::closed_form::{Solution, flat, solve_counters};
pub use self::closed_form::{bits_until_failure, determined_counter};
use self::confirm::Oracle;
pub(super) use self::counting::Counting;
use self::eliminate::eliminate_positive;
use self::lazy::{Lazy, Outcome};
pub(super) use self::narrow::{Narrowed, narrow};
pub(super) use self::progression::{Slope, progression, resize};
pub(super) use self::skolem::take_out;
use super::nearby::with_iterations_nearby;
use super::{Answer, LinkStatistics, Query, Solver, UnknownReason};
use term::{Assignment, Sort, SymbolId, Term, TermId, TermPool, Work};

/// Steps of the recipe, each switchable for measurement.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct QuantifierPolicy {
    /// Slope A. Default: true.
    pub closed_form: bool,
    /// Narrowing of bounded symbols, between A and B. Default: true.
    pub narrow: bool,
    /// Slope B. Default: true.
    pub eliminate: bool,
    /// Slope C. Default: true.
    pub lazy: LazyPolicy,
    /// Share of the remaining work for step C before step D, in percent. Default: 75.
    pub lazy_percent: u32,
    /// Work for confirming a model, where the query has no limit. Default: 60 s.
    pub confirmation: Work,
}

impl Default for QuantifierPolicy {
    fn default() -> QuantifierPolicy {
        QuantifierPolicy {
            closed_form: true,
            narrow: true,
            eliminate: true,
            lazy: LazyPolicy::default(),
            lazy_percent: 75,
            confirmation: Work::seconds(60),
        }
    }
}

/// Settings of step C.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct LazyPolicy {
    /// Iterations of instances before giving up; 0 leaves step C out. Default: 400.
    pub max_iterations: u32,
    /// Instances at terms suggested by other reads of the same array. Default: true.
    pub symbolic: bool,
    /// Fill open cells before adding instances. Default: true.
    pub completion: bool,
    /// Share of the remaining work for a query with bounded counters, in percent. Default: 33.
    pub bounded_percent: u32,
}

impl Default for LazyPolicy {
    fn default() -> LazyPolicy {
        LazyPolicy {
            max_iterations: 400,
            symbolic: true,
            completion: true,
            bounded_percent: 33,
        }
    }
}

/// The symbols that stand for quantifiers and their variables: the same ones in every query, so
/// that answers and translations of neighbouring queries are found again.
#[derive(Clone, Default, Debug)]
pub(super) struct Binders {
    /// The variable while a body is examined, by width.
    variables: FxHashMap<u32, SymbolId>,
    /// An iteration at which a universal quantifier fails.
    witnesses: FxHashMap<TermId, TermId>,
    /// The truth value of a universal quantifier.
    guards: FxHashMap<TermId, TermId>,
}

impl Binders {
    /// The symbol for the variable of a universal quantifier, and the body with it.
    pub(super) fn open(&mut self, pool: &mut TermPool, quantified: TermId) -> (SymbolId, TermId) {
        let Term::ForAll { limit, .. } = pool.view(quantified) else {
            unreachable!("a universal quantifier is opened")
        };
        let symbol = self.variable(pool, pool.width(limit));
        let tau = pool.symbol_term(symbol);
        (symbol, pool.instantiate(quantified, tau))
    }

    fn variable(&mut self, pool: &mut TermPool, width: u32) -> SymbolId {
        let fresh = || pool.symbol("tau", Sort::Bv(width));
        *self.variables.entry(width).or_insert_with(fresh)
    }

    /// The symbol for an iteration at which this universal quantifier fails.
    fn witness(&mut self, pool: &mut TermPool, quantified: TermId, width: u32) -> TermId {
        let fresh = || pool.fresh("exists", Sort::Bv(width));
        *self.witnesses.entry(quantified).or_insert_with(fresh)
    }

    /// The symbol whose truth demands this universal quantifier.
    fn guard(&mut self, pool: &mut TermPool, quantified: TermId) -> TermId {
        let fresh = || pool.fresh("forall", Sort::Bv(1));
        *self.guards.entry(quantified).or_insert_with(fresh)
    }
}

/// See the module's head.
pub struct Quantifiers {
    options: QuantifierPolicy,
    below: Box<dyn Solver>,
    binders: Binders,
    narrowed: Narrowed,
    statistics: LinkStatistics,
}

impl Quantifiers {
    /// Asks `below` about what is left.
    #[must_use]
    pub fn new(options: QuantifierPolicy, below: Box<dyn Solver>) -> Quantifiers {
        Quantifiers {
            options,
            below,
            binders: Binders::default(),
            narrowed: Narrowed::default(),
            statistics: LinkStatistics::new("quantifiers"),
        }
    }

    fn answer(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        if !query.conjuncts.iter().any(|c| pool.has_quantifier(*c)) {
            self.statistics.event("quantifier-free");
            return self.below.check(pool, query);
        }
        let (mut conjuncts, mut solutions) = if self.options.closed_form {
            solve_counters(pool, &mut self.binders, query.conjuncts)
        } else {
            (query.conjuncts.to_vec(), Vec::new())
        };
        if !solutions.is_empty() {
            self.statistics.event("closed form");
        }
        if self.options.narrow {
            conjuncts = narrow(
                pool,
                &mut self.narrowed,
                &mut self.binders,
                conjuncts,
                &mut solutions,
            );
        }
        if self.options.eliminate {
            let mut eliminated = Vec::new();
            for conjunct in &conjuncts {
                let free = eliminate_positive(pool, &mut self.binders, *conjunct);
                eliminated.extend(pool.conjuncts(free));
            }
            conjuncts = eliminated;
        }
        if conjuncts.contains(&TermId::FALSE) {
            self.statistics.event("decided by A and B");
            return Answer::Unsat(None);
        }
        let mut open: Option<UnknownReason> = None;
        if !conjuncts.iter().any(|c| pool.has_quantifier(*c)) {
            self.statistics.event("eliminated");
            match self.below.check(pool, &query.about(&conjuncts)) {
                Answer::Sat(model) => return self.confirmed(pool, query, &solutions, &model),
                Answer::Unsat(_) => return Answer::Unsat(None),
                Answer::Unknown(reason) => return Answer::Unknown(reason),
            }
        }
        if let Some(nearby) = with_iterations_nearby(pool, self, query) {
            self.statistics.event(nearby.event);
            if let Some(answer) = nearby.answer {
                return answer;
            }
        }
        if self.options.lazy.max_iterations > 0 {
            match self.lazily(pool, query, &conjuncts, &solutions) {
                Answer::Unknown(reason) => open = Some(reason),
                decided => return decided,
            }
        }
        if let Some(reason) = query.limits.reached(pool) {
            return Answer::Unknown(open.unwrap_or(reason));
        }
        self.statistics.event("native");
        match self.below.check(pool, &query.about(&conjuncts)) {
            Answer::Sat(model) => self.confirmed(pool, query, &solutions, &model),
            Answer::Unsat(_) => Answer::Unsat(None),
            Answer::Unknown(reason) => Answer::Unknown(reason),
        }
    }

    /// Slope C.
    fn lazily(
        &mut self,
        pool: &mut TermPool,
        query: &Query<'_>,
        conjuncts: &[TermId],
        solutions: &[Solution],
    ) -> Answer {
        let limits = query.limits.within_share(pool, self.options.lazy_percent);
        let oracle = Oracle {
            below: &mut self.below,
            binders: &mut self.binders,
            limits: &limits,
        };
        let Ok(mut lazy) = Lazy::new(pool, self.options.lazy.clone(), oracle, conjuncts) else {
            self.statistics.event("not Boolean");
            return Answer::Unknown(UnknownReason::GaveUp(
                "a quantifier within a bit-vector term".to_owned(),
            ));
        };
        let outcome = lazy.run(pool);
        let iterations = lazy.iterations();
        self.statistics.event(match iterations {
            0..=1 => "lazy: 1 iteration",
            2..=4 => "lazy: 2-4 iterations",
            5..=16 => "lazy: 5-16 iterations",
            _ => "lazy: more iterations",
        });
        match outcome {
            Outcome::Model(model) => self.confirmed(pool, query, solutions, &model),
            Outcome::Unsat => Answer::Unsat(None),
            Outcome::Open(reason) => Answer::Unknown(reason),
        }
    }

    /// The model with the replaced counters, if it satisfies the original conjuncts.
    fn confirmed(
        &mut self,
        pool: &mut TermPool,
        query: &Query<'_>,
        solutions: &[Solution],
        model: &Rc<Assignment>,
    ) -> Answer {
        let mut model = (**model).clone();
        for (counter, value) in solutions.iter().rev() {
            match pool.evaluate(*value, &model) {
                Ok(value) => model.set(*counter, value),
                Err(_) => return Answer::Unknown(UnknownReason::Unconfirmed),
            }
        }
        let limits = query.limits.within_work(pool, self.options.confirmation);
        let mut oracle = Oracle {
            below: &mut self.below,
            binders: &mut self.binders,
            limits: &limits,
        };
        for conjunct in query.conjuncts {
            match oracle.holds(pool, *conjunct, &model) {
                Some(true) => {}
                Some(false) => {
                    debug_assert!(false, "a model that was checked violates a conjunct");
                    self.statistics.event("model refuted");
                    return Answer::Unknown(UnknownReason::Unconfirmed);
                }
                None => {
                    self.statistics.event("model not confirmed");
                    return Answer::Unknown(UnknownReason::Unconfirmed);
                }
            }
        }
        Answer::Sat(Rc::new(model))
    }
}

counted_link!(Quantifiers);

#[cfg(test)]
mod tests;
