//! Elimination of bounded sums Στ<κ. d(τ), so that the solver below sees none.
//!
//! ```text
//! conjuncts --those without sums--> Unsat
//!           --limits as in a model nearby--> Sat
//!           --guards and lines in summands--> closed forms
//!           --briefly: sums as functions that quantifiers define--> Unsat, or Sat
//!           --abstraction: a symbol for each sum, with facts--> Unsat, or a model
//!           --expansion: κ as in the model, sums expanded--> Sat, or κ is none of these numbers
//!           --again, up to limits; then sums as functions that quantifiers define--> answer
//! ```
//!
//! - Where summands have products, symbols with small constant bounds get fewer bits first, as for quantifiers.
//! - `guards`: conditions in summands that the other conjuncts decide for all iterations.
//! - `lines`: summands that do not wrap around in the type that they are extended from.
//! - `facts`: properties of every sum: bounds, its first and last summand, disjoint guards, a summand that is not 0.
//! - `expand`: sums, and quantifiers that contain sums, expanded over the number of iterations of a model.
//!
//! Quantifiers without sums are left to the link below, and are expanded where their limit became a small
//! number. A quantifier whose body has a sum over its variable is weakened to two of its instances in the
//! abstraction. Queries without sums are passed on.
//!
//! # Invariants
//! - The abstraction is implied by the query, up to the values of new symbols; an expansion is
//!   equivalent to it where the limits have the values taken; so an unsatisfiable abstraction
//!   without the limits that were refuted is `Unsat`.
//! - `Sat` only when the exact evaluator confirmed the model on the query's own conjuncts; for
//!   a conjunct without sums that has too many iterations, the link below has confirmed it.

mod facts;
mod guards;
mod lines;

use std::rc::Rc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use self::facts::Facts;
use self::guards::Guards;
use super::expand::{Expansion, Which, expand};
use super::nearby::with_iterations_nearby;
use super::quantifiers::{Binders, Narrowed, Solution, flat, narrow, solve_counters, take_out};
use super::{Answer, Limits, LinkStatistics, MAX_ITERATIONS, Query, Solver, UnknownReason};
use term::{Assignment, Bv, EvalError, Sort, Summations, Term, TermId, TermPool, Work};

/// Upper bounds for the numbers of iterations, one after the other; then none.
const LEVELS: [u64; 5] = [4, 16, 64, 256, 1024];

/// Settings of the link.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct SumPolicy {
    /// Queries to the link below before giving up on abstraction and expansion; 0 leaves them
    /// out, and sums become functions at once. Default: 400.
    pub max_questions: u32,
    /// Instances that one expansion may have. Default: 4,096.
    pub max_instances: u64,
    /// Facts about sums in the abstraction. Default: true; false leaves nothing known about them
    /// (for measurements).
    pub facts: bool,
    /// Share of the remaining work for abstraction and expansion, in percent. Default: 80.
    pub percent: u32,
    /// Share of the remaining work for each of their queries, in percent. Default: 33.
    pub question_percent: u32,
    /// Share of the remaining work for sums as functions before abstraction and expansion, in
    /// percent. Default: 10; it decides in half a second what they leave open, where sums matter at
    /// few iterations only.
    pub functions_percent: u32,
    /// Work to find out whether two guards exclude each other, or whether the rest of the query decides
    /// one. Default: 200 ms.
    pub guards: Work,
    /// Share of the remaining work in which the rest of the query may decide guards, in percent.
    /// Default: 10.
    pub guards_percent: u32,
    /// Queries about guards for one query. Default: 32.
    pub guard_questions: u32,
}

impl Default for SumPolicy {
    fn default() -> SumPolicy {
        SumPolicy {
            max_questions: 400,
            max_instances: 4096,
            facts: true,
            percent: 80,
            question_percent: 33,
            functions_percent: 10,
            guards: Work::millis(200),
            guards_percent: 10,
            guard_questions: 32,
        }
    }
}

/// See the module's head.
pub struct Sums {
    options: SumPolicy,
    below: Box<dyn Solver>,
    binders: Binders,
    narrowed: Narrowed,
    facts: Facts,
    /// The symbol that stands for a sum: the same one in every query.
    symbols: FxHashMap<TermId, TermId>,
    summations: Summations,
    statistics: LinkStatistics,
}

/// One query without counters that their own conditions determine.
struct Search<'q> {
    query: &'q Query<'q>,
    /// RoundOutcome A's result; with sums.
    conjuncts: Vec<TermId>,
    solutions: Vec<Solution>,
    /// The abstraction, facts, and limits that were refuted; without sums.
    abstraction: Vec<TermId>,
    /// Limits of the outermost sums and of quantifiers with sums, as far as they have no sums.
    limits: Vec<TermId>,
    questions: u32,
    /// Limits were left out that were not refuted: `Unsat` of the abstraction means nothing now.
    incomplete: bool,
    reason: Option<UnknownReason>,
}

impl Search<'_> {
    fn n_with_sums(&self, pool: &TermPool) -> usize {
        let has_sum = |conjunct: &&TermId| pool.has_sum(**conjunct);
        self.conjuncts.iter().filter(has_sum).count()
    }
}

/// The result of one model of the abstraction.
enum RoundOutcome {
    Done(Answer),
    /// These limits are out.
    Refuted,
    /// More instances than allowed.
    TooLarge,
}

impl Sums {
    /// Asks `below` queries without sums.
    #[must_use]
    pub fn new(options: SumPolicy, below: Box<dyn Solver>) -> Sums {
        Sums {
            options,
            below,
            binders: Binders::default(),
            narrowed: Narrowed::default(),
            facts: Facts::default(),
            symbols: FxHashMap::default(),
            summations: Summations::default(),
            statistics: LinkStatistics::new("sums"),
        }
    }

    fn answer(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        if !query.conjuncts.iter().any(|c| pool.has_sum(*c)) {
            self.statistics.event("without sums");
            return self.below.check(pool, query);
        }
        let (mut conjuncts, mut solutions) =
            solve_counters(pool, &mut self.binders, query.conjuncts);
        if conjuncts
            .iter()
            .any(|c| pool.has_sum(*c) && pool.has_product(*c))
        {
            let Sums {
                narrowed, binders, ..
            } = self;
            conjuncts = narrow(pool, narrowed, binders, conjuncts, &mut solutions);
        }
        if conjuncts.contains(&TermId::FALSE) {
            self.statistics.event("decided by closed forms");
            return Answer::Unsat(None);
        }
        let new = &query.conjuncts[query.known_sat_prefix..];
        let says_more = new.iter().any(|conjunct| !pool.has_sum(*conjunct));
        if says_more && self.refuted_without_sums(pool, query, &conjuncts) {
            self.statistics.event("refuted without sums");
            return Answer::Unsat(None);
        }
        if let Some(nearby) = with_iterations_nearby(pool, self, query) {
            self.statistics.event(nearby.event);
            if let Some(answer) = nearby.answer {
                return answer;
            }
        }
        let mut search = Search {
            query,
            conjuncts,
            solutions,
            abstraction: Vec::new(),
            limits: Vec::new(),
            questions: 0,
            incomplete: false,
            reason: None,
        };
        if let Some(answer) = self.by_guards(pool, &mut search) {
            return answer;
        }
        if self.options.max_questions > 0 && self.options.functions_percent > 0 {
            let limits = query
                .limits
                .within_share(pool, self.options.functions_percent);
            let answer = self.as_functions(pool, &search, &limits);
            if !matches!(answer, Answer::Unknown(_)) {
                self.statistics.event("as functions at once");
                return answer;
            }
        }
        if self.options.max_questions > 0 {
            self.prepare(pool, &mut search);
            let answer = self.search(pool, &mut search);
            self.statistics.event(match search.questions {
                0..=2 => "1-2 questions",
                3..=8 => "3-8 questions",
                9..=64 => "9-64 questions",
                _ => "more questions",
            });
            if let Some(answer) = answer {
                return answer;
            }
        }
        if let Some(reason) = query.limits.reached(pool) {
            return Answer::Unknown(search.reason.unwrap_or(reason));
        }
        self.statistics.event("as functions");
        self.as_functions(pool, &search, query.limits)
    }

    /// The answer of closed forms that guards in summands had kept sums from, if these are enough.
    fn by_guards(&mut self, pool: &mut TermPool, search: &mut Search<'_>) -> Option<Answer> {
        let n_before = search.n_with_sums(pool);
        if !self.decides_guards(pool, search) {
            return None;
        }
        let n_left = search.n_with_sums(pool);
        if n_left == 0 {
            self.statistics.event("decided by guards");
            if search.conjuncts.contains(&TermId::FALSE) {
                return Some(Answer::Unsat(None));
            }
            return Some(self.as_functions(pool, search, search.query.limits));
        }
        let is_refuted =
            n_left < n_before && self.refuted_without_sums(pool, search.query, &search.conjuncts);
        is_refuted.then(|| {
            self.statistics.event("refuted by guards");
            Answer::Unsat(None)
        })
    }

    /// Decides guards of summands; whether there were any.
    fn decides_guards(&mut self, pool: &mut TermPool, search: &mut Search<'_>) -> bool {
        if !self.options.facts {
            return false;
        }
        let (share, questions) = (self.options.guards_percent, self.options.guard_questions);
        let limits = Limits {
            work: Some(self.options.guards),
            ..search.query.limits.within_share(pool, share)
        };
        let Sums { below, facts, .. } = self;
        let mut guards = Guards::new(&mut **below, facts, &limits, questions);
        let Some(conjuncts) = guards.decide(pool, &search.conjuncts) else {
            return false;
        };
        self.statistics.event("guards decided");
        search.conjuncts = flat(pool, &conjuncts);
        true
    }

    /// The query with functions that quantifiers define instead of sums, within these limits.
    fn as_functions(
        &mut self,
        pool: &mut TermPool,
        search: &Search<'_>,
        limits: &Limits,
    ) -> Answer {
        let defined = self.summations.defined(pool, &search.conjuncts);
        let question = Query {
            limits,
            ..search.query.about(&defined)
        };
        match self.below.check(pool, &question) {
            Answer::Sat(model) => self.confirmed(pool, search, &model),
            Answer::Unsat(_) => Answer::Unsat(None),
            Answer::Unknown(reason) => Answer::Unknown(reason),
        }
    }

    /// Whether what is said without sums is contradictory by itself, as a failing bounds
    /// check behind a loop that counted is.
    fn refuted_without_sums(
        &mut self,
        pool: &mut TermPool,
        query: &Query<'_>,
        conjuncts: &[TermId],
    ) -> bool {
        let parts = conjuncts.iter();
        let free: Vec<TermId> = parts
            .filter_map(|conjunct| self.without_sums(pool, *conjunct))
            .collect();
        !free.is_empty() && matches!(self.below_within(pool, query, &free), Answer::Unsat(_))
    }

    /// The abstraction of a conjunct without its sums.
    fn without_sums(&mut self, pool: &mut TermPool, conjunct: TermId) -> Option<TermId> {
        if !pool.has_sum(conjunct) {
            return Some(conjunct);
        }
        let Term::ForAll { limit, .. } = pool.view(conjunct) else {
            return None;
        };
        if pool.has_sum(limit) {
            return None;
        }
        let (tau, body) = self.binders.open(pool, conjunct);
        let mut parts = pool.conjuncts(body);
        parts.retain(|part| !pool.has_sum(*part));
        let body = pool.conj(parts);
        Some(pool.forall_below(tau, limit, body))
    }

    /// Makes the abstraction.
    fn prepare(&mut self, pool: &mut TermPool, search: &mut Search<'_>) {
        let mut parts = Vec::new();
        for conjunct in search.conjuncts.clone() {
            collect_limits(pool, conjunct, &mut search.limits);
            parts.extend(self.weakened(pool, conjunct));
        }
        let mut sums = Vec::new();
        for part in &parts {
            collect_sums(pool, *part, &mut sums);
        }
        if self.options.facts {
            let limits = Limits {
                work: Some(self.options.guards),
                ..search.query.limits.clone()
            };
            let facts = self.facts.about(pool, &mut *self.below, &limits, &sums);
            parts.extend(facts);
        }
        for part in parts {
            let part = self.abstracted(pool, part);
            // A sum below a sum's quantifier, say: weaker without it.
            if !pool.has_sum(part) {
                search.abstraction.extend(pool.conjuncts(part));
            }
        }
    }

    /// Parts that a conjunct implies, whose sums are closed.
    fn weakened(&mut self, pool: &mut TermPool, conjunct: TermId) -> Vec<TermId> {
        if !has_open_sum(pool, conjunct) {
            return vec![conjunct];
        }
        let mut universals = Vec::new();
        let Ok(ground) = take_out(pool, &mut self.binders, conjunct, true, &mut universals) else {
            return Vec::new();
        };
        let mut parts = vec![ground];
        for universal in universals {
            let guard = universal.guard.unwrap_or(TermId::TRUE);
            if !has_open_sum(pool, universal.quantified) {
                parts.push(pool.implies(guard, universal.quantified));
                continue;
            }
            let Term::ForAll { limit, .. } = pool.view(universal.quantified) else {
                unreachable!("universal quantifiers are taken out")
            };
            let width = pool.width(limit);
            let first = pool.constant(&Bv::zero(width));
            let ones = pool.constant(&Bv::ones(width));
            let last = pool.add(limit, ones);
            for iteration in [first, last] {
                let instance = pool.instantiate(universal.quantified, iteration);
                if has_open_sum(pool, instance) {
                    continue;
                }
                let inside = pool.ult(iteration, limit);
                let inside = pool.and(inside, guard);
                parts.push(pool.implies(inside, instance));
            }
        }
        parts
    }

    /// Symbols for all closed sums.
    fn abstracted(&mut self, pool: &mut TermPool, term: TermId) -> TermId {
        let symbols = &mut self.symbols;
        pool.replace_binders(term, &mut |pool, binder| {
            if matches!(pool.view(binder), Term::ForAll { .. }) {
                return None;
            }
            let sort = pool.sort(binder);
            let symbol = symbols
                .entry(binder)
                .or_insert_with(|| pool.fresh("sum", sort));
            Some(*symbol)
        })
    }

    /// Abstraction and expansion; `None` when they leave the query open.
    fn search(&mut self, pool: &mut TermPool, search: &mut Search<'_>) -> Option<Answer> {
        let query = search.query;
        let limits = query.limits.within_share(pool, self.options.percent);
        let within = Query {
            limits: &limits,
            ..*query
        };
        // Once without bounds: `Unsat` is final, and a model may do as it is.
        match self.ask(pool, search, &within, None) {
            Answer::Unsat(_) => {
                self.statistics.event("refuted by facts");
                return Some(Answer::Unsat(None));
            }
            Answer::Sat(model) => {
                if let answer @ Answer::Sat(_) = self.confirmed(pool, search, &model) {
                    self.statistics.event("first model");
                    return Some(answer);
                }
            }
            Answer::Unknown(reason) => search.reason = Some(reason),
        }
        for level in LEVELS.into_iter().map(Some).chain([None]) {
            loop {
                if limits.reached(pool).is_some() || search.questions >= self.options.max_questions
                {
                    return None;
                }
                let model = match self.ask(pool, search, &within, level) {
                    Answer::Sat(model) => model,
                    Answer::Unsat(_) if level.is_none() && !search.incomplete => {
                        return Some(Answer::Unsat(None));
                    }
                    Answer::Unsat(_) => break,
                    Answer::Unknown(reason) => {
                        search.reason = Some(reason);
                        break;
                    }
                };
                match self.step(pool, search, &within, &model) {
                    RoundOutcome::Done(answer) => return Some(answer),
                    RoundOutcome::Refuted => {}
                    RoundOutcome::TooLarge => {
                        search.reason = Some(UnknownReason::GaveUp(
                            "a sum over too many iterations".to_owned(),
                        ));
                        break;
                    }
                }
            }
        }
        None
    }

    /// The abstraction with the limits at most `bound`.
    fn ask(
        &mut self,
        pool: &mut TermPool,
        search: &mut Search<'_>,
        within: &Query<'_>,
        bound: Option<u64>,
    ) -> Answer {
        search.questions += 1;
        let mut conjuncts = search.abstraction.clone();
        for limit in search.limits.iter().copied() {
            let width = pool.width(limit);
            if let Some(bound) = bound
                && (width >= 64 || bound >> width == 0)
            {
                let most = pool.bv(width, bound);
                conjuncts.push(pool.ule(limit, most));
            }
        }
        if conjuncts.contains(&TermId::FALSE) {
            return Answer::Unsat(None);
        }
        conjuncts.retain(|conjunct| *conjunct != TermId::TRUE);
        self.below_within(pool, within, &conjuncts)
    }

    /// The link below, within a share of the work left.
    fn below_within(
        &mut self,
        pool: &mut TermPool,
        within: &Query<'_>,
        conjuncts: &[TermId],
    ) -> Answer {
        let limits = within
            .limits
            .within_share(pool, self.options.question_percent);
        self.below.check(pool, &Query::new(conjuncts, &limits))
    }

    /// Confirms a model of the abstraction, or writes the sums out with its limits.
    fn step(
        &mut self,
        pool: &mut TermPool,
        search: &mut Search<'_>,
        within: &Query<'_>,
        model: &Rc<Assignment>,
    ) -> RoundOutcome {
        if let answer @ Answer::Sat(_) = self.confirmed(pool, search, model) {
            return RoundOutcome::Done(answer);
        }
        let Some(Expansion { conjuncts, limits }) = expand(
            pool,
            &search.conjuncts,
            Which::Sums,
            model,
            self.options.max_instances,
        ) else {
            return RoundOutcome::TooLarge;
        };
        search.questions += 1;
        self.statistics.event("expansion");
        let answer = if conjuncts.contains(&TermId::FALSE) {
            Answer::Unsat(None)
        } else {
            self.below_within(pool, within, &conjuncts)
        };
        match answer {
            Answer::Sat(model) => {
                if let answer @ Answer::Sat(_) = self.confirmed(pool, search, &model) {
                    return RoundOutcome::Done(answer);
                }
                search.incomplete = true;
                search.reason = Some(UnknownReason::Unconfirmed);
            }
            Answer::Unsat(_) if limits.is_empty() => {
                return RoundOutcome::Done(Answer::Unsat(None));
            }
            Answer::Unsat(_) => {}
            Answer::Unknown(reason) => {
                search.incomplete = true;
                search.reason = Some(reason);
            }
        }
        if limits.is_empty() {
            // The expansion is the query itself, and open.
            return RoundOutcome::TooLarge;
        }
        let here = pool.conj(limits);
        let elsewhere = pool.not(here);
        search.abstraction.extend(pool.conjuncts(elsewhere));
        RoundOutcome::Refuted
    }

    /// The model with the replaced counters, if it satisfies the query's conjuncts.
    fn confirmed(
        &mut self,
        pool: &TermPool,
        search: &Search<'_>,
        model: &Rc<Assignment>,
    ) -> Answer {
        let unconfirmed = Answer::Unknown(UnknownReason::Unconfirmed);
        let mut model = (**model).clone();
        for (counter, value) in search.solutions.iter().rev() {
            match pool.evaluate(*value, &model) {
                Ok(value) => model.set(*counter, value),
                Err(_) => return unconfirmed,
            }
        }
        for conjunct in search.query.conjuncts {
            match pool.evaluate_within(*conjunct, &model, MAX_ITERATIONS) {
                Ok(value) if value.is_ones() => {}
                // The link below vouches for what it was asked.
                Err(EvalError::TooManyIterations { .. }) if !pool.has_sum(*conjunct) => {}
                _ => return unconfirmed,
            }
        }
        Answer::Sat(Rc::new(model))
    }
}

/// Limits of the outermost closed sums, and of closed quantifiers with sums, that have no sums.
fn collect_limits(pool: &mut TermPool, term: TermId, out: &mut Vec<TermId>) {
    pool.replace_binders(term, &mut |pool, binder| {
        if let Term::ForAll { limit, .. } | Term::SumBelow { limit, .. } = pool.view(binder)
            && pool.has_sum(binder)
            && !pool.has_sum(limit)
            && !pool.is_const(limit)
            && !out.contains(&limit)
        {
            out.push(limit);
        }
        None
    });
}

/// The outermost closed sums.
fn collect_sums(pool: &mut TermPool, term: TermId, out: &mut Vec<TermId>) {
    pool.replace_binders(term, &mut |pool, binder| {
        if matches!(pool.view(binder), Term::ForAll { .. }) {
            return None;
        }
        if !out.contains(&binder) {
            out.push(binder);
        }
        Some(binder)
    });
}

/// True iff a sum within a quantifier depends on that quantifier's variable.
fn has_open_sum(pool: &mut TermPool, term: TermId) -> bool {
    if !pool.has_sum(term) || !pool.has_quantifier(term) {
        return false;
    }
    let rest = pool.replace_binders(term, &mut |pool, binder| match pool.view(binder) {
        Term::ForAll { .. } => None,
        _ => {
            let Sort::Bv(width) = pool.sort(binder) else {
                unreachable!("a sum is a bit-vector")
            };
            Some(pool.constant(&Bv::zero(width)))
        }
    });
    pool.has_sum(rest)
}

counted_link!(Sums);

#[cfg(test)]
mod tests;
