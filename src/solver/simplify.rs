//! Constants, repetitions, contradictions between two conjuncts, and the limits.
//!
//! The link below gets a list of distinct conjuncts, none of them constant or a conjunction, and limits that
//! include the work and time of this query.

use std::rc::Rc;
use std::time::Duration;

use rustc_hash::FxHashMap;

use super::{Answer, LinkStatistics, Query, Solver, Start, Statistics};
use term::{Assignment, TermId, TermPool, Work};

/// See the module's head.
pub struct Simplify<S> {
    work: Option<Work>,
    timeout: Option<Duration>,
    below: S,
    statistics: LinkStatistics,
}

impl<S: Solver> Simplify<S> {
    /// `work` and `timeout` are for queries that do not bring their own.
    #[must_use]
    pub fn new(work: Option<Work>, timeout: Option<Duration>, below: S) -> Simplify<S> {
        Simplify {
            work,
            timeout,
            below,
            statistics: LinkStatistics::new("simplify"),
        }
    }

    fn answer(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        // The conjunct that each part comes from.
        let mut origin: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut parts: Vec<TermId> = Vec::with_capacity(query.conjuncts.len());
        let mut known_sat_prefix = 0;
        for (position, conjunct) in query.conjuncts.iter().enumerate() {
            if position == query.known_sat_prefix {
                known_sat_prefix = parts.len();
            }
            for part in pool.conjuncts(*conjunct) {
                if pool.is_true(part) {
                    continue;
                }
                if pool.is_false(part) {
                    return Answer::Unsat(Some(vec![*conjunct]));
                }
                if origin.contains_key(&part) {
                    continue;
                }
                if position >= query.known_sat_prefix {
                    let opposite = pool.not(part);
                    if let Some(other) = origin.get(&opposite) {
                        return Answer::Unsat(Some(vec![*other, *conjunct]));
                    }
                }
                origin.insert(part, *conjunct);
                parts.push(part);
            }
        }
        if query.known_sat_prefix >= query.conjuncts.len() {
            known_sat_prefix = parts.len();
        }
        if parts.is_empty() {
            return Answer::Sat(Rc::new(Assignment::new()));
        }
        if let Some(reason) = query.limits.reached(pool) {
            return Answer::Unknown(reason);
        }
        let mut limits = query.limits.clone();
        if let Some(work) = limits.work.or(self.work) {
            limits = limits.within_work(pool, work);
        }
        if let Some(timeout) = limits.timeout.or(self.timeout) {
            limits = limits.within(timeout);
        }
        let below = Query {
            conjuncts: &parts,
            known_sat_prefix,
            limits: &limits,
            ..*query
        };
        self.statistics.event("passed on");
        match self.below.check(pool, &below) {
            Answer::Unsat(Some(core)) => {
                let mut core: Vec<TermId> = core.iter().map(|part| origin[part]).collect();
                core.sort_unstable();
                core.dedup();
                Answer::Unsat(Some(core))
            }
            answer => answer,
        }
    }
}

impl<S: Solver> Solver for Simplify<S> {
    fn check(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        let start = Start::now(pool);
        pool.count_work(Work::QUESTION);
        let answer = self.answer(pool, query);
        self.statistics.count(pool, start, &answer);
        answer
    }

    fn statistics(&self, out: &mut Statistics) {
        let mut own = self.statistics.clone();
        own.hits = own.queries - own.events_named("passed on");
        own.events.clear();
        out.push(own);
        self.below.statistics(out);
    }
}
