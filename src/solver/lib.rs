//! Solvers: is a path condition satisfiable, and by which values?
//!
//! A [`Query`] (width-1 terms, read as their conjunction) goes in, an [`Answer`] comes out. A solver is a
//! chain of links; each answers the queries that it can decide and passes the rest to the link below.
//!
//! ```text
//! Relevant -> Simplify -> Independent -> Cache -> Log -> Sums -> Quantifiers
//!     -> Transcript -> Numerals -> Polynomials -> Products -> Enumeration -> Integers -> Turns -> Z3
//! ```
//!
//! - [`relevant`]: drops conjuncts that are known to be satisfiable and not connected with the new condition.
//! - [`simplify`]: constants, repeated and contradicting conjuncts; fixes the limits.
//! - [`independent`]: separate queries for parts that share no symbol.
//! - [`cache`]: earlier answers, models and unsatisfiable cores.
//! - [`log`]: writes queries that no link above answered as SMT-LIB 2.
//! - [`sums`]: eliminates bounded sums (facts about them, expansion).
//! - [`quantifiers`]: eliminates bounded quantifiers (closed forms, elimination, lazy instances).
//! - [`transcript`]: replays the answers of an earlier run that is resumed.
//! - [`numerals`]: abstracts numbers that are read digit by digit.
//! - [`polynomials`]: ring arithmetic for equations between products.
//! - [`products`]: abstracts products of unknown numbers.
//! - [`enumeration`]: enumerates all values where few bits are unknown.
//! - [`integers`]: alternates hard queries between bit-vectors and integers.
//! - `turns`: queries the backend, alternating incremental and fresh solving.
//! - `backend`: the interface of a solver at the end of the chain; `z3` implements it, the only folder that sees Z3.
//!
//! # Invariants
//! - `Sat` carries an assignment that the exact evaluator confirmed; for a quantifier with too many
//!   iterations to enumerate, Z3 has found no failing iteration under it.
//! - `Unsat` means that there is no satisfying assignment; a core is an unsatisfiable subset of the conjuncts.
//! - Everything else is `Unknown` with a reason; no link turns it into "infeasible".
//! - A solver serves one [`TermPool`] for its whole lifetime: links use [`TermId`] as key.
//!
//! # Deliberately absent
//! No programs, no path exploration, no symbols' meaning.
//!
//! ```
//! use compact_se_solver::{Limits, Query, Solver, SolverOptions};
//! use term::{Bv, Sort, TermPool};
//!
//! let mut pool = TermPool::new();
//! let x = pool.symbol("x", Sort::Bv(8));
//! let (term, one) = (pool.symbol_term(x), pool.bv(8, 1));
//! let next = pool.add(term, one);
//! let wraps = pool.ult(next, term); // x + 1 < x
//! let mut solver = SolverOptions::default().build();
//! let answer = solver.check(&mut pool, &Query::new(&[wraps], &Limits::default()));
//! let model = answer.model().expect("there is one such x");
//! assert_eq!(model.bits(x), Some(&Bv::new(8, 255)));
//! ```

/// Makes a solver of a link that has `answer`, `statistics` and the link `below`: it counts what it is
/// asked.
macro_rules! counted_link {
    ($link:ident$(<$parameter:ident>)?) => {
        impl$(<$parameter: $crate::Solver>)? $crate::Solver for $link$(<$parameter>)? {
            fn check(
                &mut self,
                pool: &mut term::TermPool,
                query: &$crate::Query<'_>,
            ) -> $crate::Answer {
                let start = $crate::statistics::Start::now(pool);
                let answer = self.answer(pool, query);
                self.statistics.count(pool, start, &answer);
                answer
            }

            fn statistics(&self, out: &mut $crate::Statistics) {
                out.push(self.statistics.clone());
                self.below.statistics(out);
            }
        }
    };
}

mod backend;
pub mod cache;
mod config;
mod elements;
pub mod enumeration;
mod expand;
pub mod horn;
pub mod independent;
pub mod integers;
mod limits;
pub mod log;
mod nearby;
pub mod numerals;
pub mod polynomials;
pub mod products;
pub mod quantifiers;
#[cfg(test)]
mod random_terms;
mod ranges;
pub mod relevant;
pub mod simplify;
pub mod smtlib;
mod small;
mod solve;
mod statistics;
pub mod sums;
pub mod transcript;
mod turns;
mod z3;

use std::rc::Rc;

pub use ::limits::{Deadline, Interrupt};
pub use backend::{name_and_version, work_of_translation};
pub use config::{ArrayTheory, Link, SolverOptions, SolverPolicy};
pub use limits::Limits;
pub use quantifiers::{bits_until_failure, determined_counter};
pub use solve::{SolveError, SolveReport, Verdict, solve_file, solve_text};
use statistics::Start;
pub use statistics::{LinkStatistics, Statistics};
pub use z3::Z3Policy;

use term::{Assignment, TermId, TermPool};

/// How much of the conjunction the assignment of a `Sat` answer must satisfy.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Need {
    /// All conjuncts.
    #[default]
    Model,
    /// Only the verdict counts: the assignment satisfies at least the conjuncts that are connected,
    /// through shared symbols, with those after `known_sat_prefix`.
    Verdict,
}

/// A query: is there an assignment x with ⋀ᵢ conjuncts\[i\](x)?
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// Closed terms of width 1, oldest first.
    pub conjuncts: &'a [TermId],
    /// The caller vouches that the first so many conjuncts are jointly satisfiable; 0 is always
    /// right.
    pub known_sat_prefix: usize,
    /// The purpose of the answer.
    pub need: Need,
    /// A model of many of the conjuncts, where one is at hand: a hint.
    pub near: Option<&'a Assignment>,
    /// Work, time and interrupt.
    pub limits: &'a Limits,
}

impl<'a> Query<'a> {
    /// A query for a model of all conjuncts, about which nothing is known.
    #[must_use]
    pub fn new(conjuncts: &'a [TermId], limits: &'a Limits) -> Query<'a> {
        Query {
            conjuncts,
            known_sat_prefix: 0,
            need: Need::Model,
            near: None,
            limits,
        }
    }

    /// A query whether the last conjunct is possible after all others, which the caller knows
    /// to be jointly satisfiable.
    #[must_use]
    pub fn branch(conjuncts: &'a [TermId], limits: &'a Limits) -> Query<'a> {
        let known_sat_prefix = conjuncts.len().saturating_sub(1);
        Query {
            conjuncts,
            known_sat_prefix,
            need: Need::Verdict,
            near: None,
            limits,
        }
    }

    /// The same query about other conjuncts, of which nothing is known.
    #[must_use]
    pub fn about<'b>(&self, conjuncts: &'b [TermId]) -> Query<'b>
    where
        'a: 'b,
    {
        Query {
            conjuncts,
            known_sat_prefix: 0,
            need: self.need,
            near: None,
            limits: self.limits,
        }
    }
}

/// The answer to a [`Query`].
#[derive(Clone, Debug)]
pub enum Answer {
    /// ∃x. ⋀ conjuncts(x), and this is such an x, as far as [`Need`] asks for.
    Sat(Rc<Assignment>),
    /// ¬∃x. ⋀ conjuncts(x); already for the conjuncts of the core, when one is known.
    Unsat(Option<Vec<TermId>>),
    /// Neither was found out.
    Unknown(UnknownReason),
}

impl Answer {
    /// True iff the answer is `Sat`.
    #[must_use]
    pub fn is_sat(&self) -> bool {
        matches!(self, Answer::Sat(_))
    }

    /// True iff the answer is `Unsat`.
    #[must_use]
    pub fn is_unsat(&self) -> bool {
        matches!(self, Answer::Unsat(_))
    }

    /// The assignment of a `Sat` answer.
    #[must_use]
    pub fn model(&self) -> Option<&Rc<Assignment>> {
        match self {
            Answer::Sat(model) => Some(model),
            Answer::Unsat(_) | Answer::Unknown(_) => None,
        }
    }
}

/// Why a query stayed open.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
pub enum UnknownReason {
    /// The user's time for a query or for the whole run was over.
    #[error("time limit")]
    Timeout,
    /// The work for this query was done.
    #[error("work limit")]
    Work,
    /// The interrupt flag was raised.
    #[error("interrupted")]
    Interrupted,
    /// The solver gave up; its own words.
    #[error("solver gave up: {0}")]
    GaveUp(String),
    /// The solver said sat, but the exact evaluator could not confirm its model.
    #[error("model not confirmed")]
    Unconfirmed,
    /// The solver reported an error.
    #[error("solver error: {0}")]
    Failed(String),
}

/// A link of the chain.
pub trait Solver {
    /// Decides ∃x. ⋀ᵢ query.conjuncts\[i\](x), within the query's limits.
    ///
    /// `Sat(m)` only if the conjuncts that [`Need`] names were confirmed under m; `Unsat` only if
    /// no assignment satisfies all conjuncts.
    fn check(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer;

    /// Appends the statistics of this link and of those below, top first.
    fn statistics(&self, out: &mut Statistics);
}

impl Solver for Box<dyn Solver> {
    fn check(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        (**self).check(pool, query)
    }

    fn statistics(&self, out: &mut Statistics) {
        (**self).statistics(out);
    }
}

/// Iterations of quantifiers that confirming a model may take.
const MAX_ITERATIONS: u64 = 1 << 18;

/// True iff the exact evaluator gives 1 for all conjuncts; false also when it cannot tell, as for
/// quantifiers with too many iterations.
///
/// ```
/// use compact_se_solver::confirms;
/// use term::{Assignment, Bv, Sort, TermPool};
/// let mut pool = TermPool::new();
/// let x = pool.symbol("x", Sort::Bv(8));
/// let (term, three) = (pool.symbol_term(x), pool.bv(8, 3));
/// let is_three = pool.eq(term, three);
/// let mut values = Assignment::new();
/// values.set(x, Bv::new(8, 3));
/// assert!(confirms(&pool, &[is_three], &values));
/// ```
#[must_use]
pub fn confirms(pool: &TermPool, conjuncts: &[TermId], assignment: &Assignment) -> bool {
    conjuncts.iter().all(|conjunct| {
        pool.evaluate_within(*conjunct, assignment, MAX_ITERATIONS)
            .is_ok_and(|value| value.is_ones())
    })
}

#[cfg(test)]
mod tests;
