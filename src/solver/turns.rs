//! The link that queries the backend, alternating strategies (incremental, small numbers, fresh).
//!
//! Quantifier-free queries are first solved incrementally, with the solver state of earlier queries. Queries
//! that take longer than [`TurnPolicy::incremental`] and have products are tried with small numbers
//! ([`small`](super::small)), and then solved from scratch, in turns of growing length: with preprocessing,
//! and without. Bounded sums become functions defined by quantifiers ([`Summations`]); the links above pass
//! sums and quantifiers to the backend only as a last resort.
//!
//! # Invariants
//! - `Sat` only with a model that the exact evaluator confirmed.
//! - A query that reaches its limits ends with their reason, not with that of a turn.

use std::num::NonZeroU32;
use std::rc::Rc;

use super::backend::{Backend, BackendQuery, Found, Manner};
use super::small::SmallSymbols;
use super::{
    Answer, Limits, LinkStatistics, Query, Solver, Start, Statistics, UnknownReason, confirms,
};
use term::{Assignment, Summations, TermId, TermPool, Work};

/// No turn follows one that was longer.
const MAX_TURN: Work = Work::seconds(24 * 3600);

/// How long the turns are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct TurnPolicy {
    /// Work as a neighbour of earlier queries, before a query is asked again.
    pub incremental: Work,
    /// Work of the first turns on a hard query.
    pub turn: Work,
    /// Each pair of turns on a hard query is so many times longer than the one before.
    pub growth: u64,
    /// The length of turns on a query with products of unknown numbers, in hundredths of that of others.
    pub products_percent: u32,
    /// Work of each query for small numbers.
    pub small: Work,
    /// The bits of small numbers, those of the first query first.
    pub small_bits: Vec<NonZeroU32>,
}

/// See the module's head.
pub(super) struct Turns<B> {
    policy: TurnPolicy,
    pub(super) backend: B,
    summations: Summations,
    small: SmallSymbols,
    statistics: LinkStatistics,
}

impl<B: Backend> Turns<B> {
    /// A link with a separate backend.
    pub fn new(policy: TurnPolicy, backend: B) -> Turns<B> {
        Turns {
            policy,
            statistics: LinkStatistics::new(backend.name()),
            backend,
            summations: Summations::default(),
            small: SmallSymbols::default(),
        }
    }

    fn answer(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        if let Some(reason) = query.limits.reached(pool) {
            return Answer::Unknown(reason);
        }
        self.backend.begin(&mut self.statistics);
        let conjuncts = query.conjuncts;
        if conjuncts.iter().any(|c| pool.has_sum(*c)) {
            self.statistics.event("sums");
            let defined = self.summations.defined(pool, conjuncts);
            let question = BackendQuery {
                conjuncts: &defined,
                about: conjuncts,
                manner: Manner::Quantified,
                limits: query.limits,
            };
            return self.ask(pool, &question);
        }
        if conjuncts.iter().any(|c| pool.has_quantifier(*c)) {
            self.statistics.event("quantified");
            return self.ask_in(Manner::Quantified, pool, conjuncts, query.limits);
        }
        let has_products = conjuncts.iter().any(|c| pool.has_product(*c));
        let percent = match has_products {
            true => self.policy.products_percent,
            false => 100,
        };
        let incremental = self.policy.incremental.percent(percent);
        let short = query.limits.within_work(pool, incremental);
        let answer = self.ask_in(Manner::Neighbouring, pool, conjuncts, &short);
        if !matches!(answer, Answer::Unknown(_)) {
            return answer;
        }
        if let Some(reason) = query.limits.reached(pool) {
            return Answer::Unknown(reason);
        }
        self.statistics.event("hard");
        let small = self.policy.small.percent(percent);
        if let Some(model) = self.with_small_numbers(pool, query, small) {
            self.statistics.event("small numbers");
            return Answer::Sat(Rc::new(model));
        }
        if let Some(reason) = query.limits.reached(pool) {
            return Answer::Unknown(reason);
        }
        // Neither manner is better throughout: they take turns with growing limits.
        let mut turn = self.policy.turn.percent(percent);
        for manner in [Manner::Prepared, Manner::Anew].into_iter().cycle() {
            let limits = query.limits.within_work(pool, turn);
            let answer = self.ask_in(manner, pool, conjuncts, &limits);
            let again = matches!(
                answer,
                Answer::Unknown(UnknownReason::Work | UnknownReason::GaveUp(_))
            );
            if !again || turn > MAX_TURN {
                return answer;
            }
            if let Some(reason) = query.limits.reached(pool) {
                return Answer::Unknown(reason);
            }
            if manner == Manner::Anew {
                turn = turn * self.policy.growth;
            }
        }
        unreachable!("the turns end at a limit")
    }

    /// A model with small numbers, where there are products and it is found within so much work.
    fn with_small_numbers(
        &mut self,
        pool: &mut TermPool,
        query: &Query<'_>,
        work: Work,
    ) -> Option<Assignment> {
        if !query.conjuncts.iter().any(|c| pool.has_product(*c)) {
            return None;
        }
        for &bits in &self.policy.small_bits {
            let small = self.small.narrowed(pool, query.conjuncts, bits.get())?;
            let limits = query.limits.within_work(pool, work);
            let question = BackendQuery {
                conjuncts: &small.conjuncts,
                about: &small.conjuncts,
                manner: Manner::Prepared,
                limits: &limits,
            };
            let found = self.backend.ask(pool, &question, &mut self.statistics);
            if let Found::Sat(Some(model)) = found {
                let model = small.model(model);
                if confirms(pool, query.conjuncts, &model) {
                    return Some(model);
                }
            }
        }
        None
    }

    fn ask_in(
        &mut self,
        manner: Manner,
        pool: &mut TermPool,
        conjuncts: &[TermId],
        limits: &Limits,
    ) -> Answer {
        let question = BackendQuery {
            conjuncts,
            about: conjuncts,
            manner,
            limits,
        };
        self.ask(pool, &question)
    }

    /// Asks the backend, and confirms its model.
    fn ask(&mut self, pool: &mut TermPool, question: &BackendQuery) -> Answer {
        match self.backend.ask(pool, question, &mut self.statistics) {
            Found::Unsat => Answer::Unsat(None),
            Found::Unknown(reason) => Answer::Unknown(reason),
            Found::Sat(Some(model)) if confirms(pool, question.about, &model) => {
                Answer::Sat(Rc::new(model))
            }
            Found::Sat(_) => {
                self.statistics.event("model not confirmed");
                Answer::Unknown(UnknownReason::Unconfirmed)
            }
        }
    }
}

impl<B: Backend> Solver for Turns<B> {
    fn check(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        let start = Start::now(pool);
        let answer = self.answer(pool, query);
        self.statistics.count(pool, start, &answer);
        answer
    }

    fn statistics(&self, out: &mut Statistics) {
        out.push(self.statistics.clone());
    }
}
