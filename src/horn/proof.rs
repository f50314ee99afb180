//! A proof by constrained Horn clauses, in slices of work.

use super::check::{Checked, Checker, Guess};
use super::integers::{name, script};
use super::learn::candidates;
use super::sample::samples;
use super::system::{PredicateId, Refusal, System};
use super::written::in_c;
use crate::flowgraph::Program;
use crate::limits::{Exhausted, resident_memory};
use crate::property::{Reason, Reasons};
use crate::solver::horn::{HornAnswer, Interpretation, ask};
use crate::solver::{Deadline, Limits, Solver, Statistics as SolverStatistics, UnknownReason};
use crate::symex::{Advance, Budget, LoopInvariant, Report, Statistics, Verdict};
use crate::template::TemplateTable;
use crate::term::{Clock, TermPool, Work};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::time::Instant;

/// How much is done for a proof.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HornPolicy {
    /// Work of the first attempt of Spacer, which begins anew each time. Default: 300 ms.
    pub first: Work,
    /// Each attempt has so many times more. Default: 4.
    pub growth: u64,
    /// No attempt has more. Default: 120 s.
    pub most: Work,
    /// Work for a query whether a conjunct is inductive. Default: 2 s.
    pub check: Work,
    /// Work for what is learnt from executions. Default: 5 s.
    pub learn: Work,
    /// Work for a query whether something learnt is inductive. Default: 200 ms.
    pub check_learnt: Work,
}

impl Default for HornPolicy {
    fn default() -> HornPolicy {
        HornPolicy {
            first: Work::millis(300),
            growth: 4,
            most: Work::seconds(120),
            check: Work::seconds(2),
            learn: Work::seconds(5),
            check_learnt: Work::millis(200),
        }
    }
}

/// A run of the technique over a program.
pub struct Proof<'p> {
    program: &'p Program,
    system: Result<System, Refusal>,
    /// What is known to be inductive.
    known: Guess,
    /// Whether something was learnt from executions.
    has_learnt: bool,
    pool: TermPool,
    solver: Box<dyn Solver>,
    limits: Limits,
    policy: HornPolicy,
    /// Work of the next attempt.
    attempt: Work,
    is_over: bool,
    reasons: Reasons,
    undefined: Reasons,
    invariants: Vec<LoopInvariant>,
    statistics: Statistics,
}

impl<'p> Proof<'p> {
    /// Nothing is done yet. A program that was refused is proved by no work.
    #[must_use]
    pub fn new(
        program: &'p Program,
        system: Result<System, Refusal>,
        solver: Box<dyn Solver>,
        budget: &Budget,
        policy: HornPolicy,
    ) -> Proof<'p> {
        let pool = TermPool::new();
        let limits = Limits {
            work_end: budget.work.map(|work| pool.work() + work),
            timeout: budget.query_time,
            deadline: Deadline::after(budget.time),
            interrupt: budget.interrupt.clone(),
            ..Limits::default()
        };
        Proof {
            program,
            known: (system.as_ref())
                .map(|system| vec![Vec::new(); system.predicates.len()])
                .unwrap_or_default(),
            has_learnt: false,
            system,
            pool,
            solver,
            limits,
            attempt: policy.first,
            policy,
            is_over: false,
            reasons: Reasons::default(),
            undefined: Reasons::default(),
            invariants: Vec::new(),
            statistics: Statistics::default(),
        }
    }

    /// The work of the run so far.
    #[must_use]
    pub fn work(&self) -> Work {
        self.pool.work()
    }

    /// The clock of that work, for other threads to read.
    #[must_use]
    pub fn clock(&self) -> Clock {
        self.pool.clock()
    }

    /// Whether the program is proved.
    #[must_use]
    pub fn has_settled(&self) -> bool {
        self.is_over && self.reasons.is_empty()
    }

    /// Goes on until its work has come to `until`, which an attempt may exceed.
    pub fn advance(&mut self, until: Work, progress: &mut dyn FnMut(&Statistics)) -> Advance {
        let started = Instant::now();
        while !self.is_over && self.work() < until {
            self.attempt();
            self.statistics.work = self.work();
            progress(&self.statistics);
        }
        self.statistics.execution_time += started.elapsed();
        if self.is_over {
            Advance::Over
        } else {
            Advance::Goes
        }
    }

    /// Asks Spacer, with the work that is due.
    fn attempt(&mut self) {
        let system = match &self.system {
            Ok(system) => system,
            Err(refusal) => {
                let why = refusal.to_string();
                return self.give_up(&why);
            }
        };
        if let Some(reached) = self.limits.reached(&self.pool) {
            return self.stop(&reached);
        }
        let limits = self.limits.within_work(&self.pool, self.attempt);
        self.statistics.n_queries += 1;
        match ask(&self.pool, &script(system, &self.known), &limits) {
            HornAnswer::Interpreted(interpretation) => {
                let guess = self.guess(&interpretation);
                if !self.is_proved(guess, &self.limits.clone(), self.policy.check) {
                    let why = "what holds over the integers does not over bit-vectors";
                    self.fail(why);
                }
            }
            HornAnswer::Contradiction => self.fail("over the integers the property is violated"),
            HornAnswer::Unknown(UnknownReason::Work) if self.attempt < self.policy.most => {
                self.attempt = (self.attempt * self.policy.growth).min(self.policy.most);
                self.learn();
            }
            HornAnswer::Unknown(reason) => self.stop(&reason),
        }
    }

    /// There is nothing more to ask Spacer, unless something is learnt from executions.
    fn fail(&mut self, why: &str) {
        if !self.has_learnt {
            return self.learn();
        }
        match self.limits.reached(&self.pool) {
            Some(reached) => self.stop(&reached),
            None => self.give_up(why),
        }
    }

    /// Learns from executions, once; what is inductive of it is known from then on.
    fn learn(&mut self) {
        if std::mem::replace(&mut self.has_learnt, true) {
            return;
        }
        let Ok(system) = &self.system else { return };
        let limits = self.limits.within_work(&self.pool, self.policy.learn);
        let samples = samples(&self.pool, self.program, system);
        let guess = candidates(system, &samples);
        self.is_proved(guess, &limits, self.policy.check_learnt);
    }

    /// What Spacer found, beside what is known.
    fn guess(&self, interpretation: &Interpretation) -> Guess {
        let known = self.known.iter().enumerate();
        let each = known.map(|(number, known)| {
            let meaning = interpretation.get(&name(number));
            let found = meaning.map_or_else(Vec::new, |meaning| meaning.conjuncts());
            found.into_iter().chain(known.iter().cloned()).collect()
        });
        each.collect()
    }

    /// Whether what holds of a guess over bit-vectors proves the program; then the run is over. What
    /// is inductive is known from then on.
    fn is_proved(&mut self, guess: Guess, limits: &Limits, work: Work) -> bool {
        let Ok(system) = &self.system else {
            return false;
        };
        let mut checker = Checker {
            system,
            pool: &mut self.pool,
            solver: &mut *self.solver,
            limits: limits.clone(),
            n_queries: 0,
        };
        let checked = checker.check(guess, work);
        self.statistics.n_queries += checker.n_queries;
        match checked {
            Checked::Proved { guess, undefined } => {
                self.invariants = self.written(&guess);
                for reason in undefined {
                    self.undefined.add(reason);
                }
                self.is_over = true;
                true
            }
            Checked::Open(inductive) => {
                self.known = inductive;
                false
            }
        }
    }

    /// The invariants of loops, in C.
    fn written(&self, guess: &Guess) -> Vec<LoopInvariant> {
        let Ok(system) = &self.system else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for (number, conjuncts) in guess.iter().enumerate() {
            let Some(place) = system.loop_at(self.program, PredicateId(number)) else {
                continue;
            };
            let parameters = &system.predicates[number].parameters;
            let conjuncts = conjuncts.iter();
            let conjuncts: Vec<String> = conjuncts
                .filter_map(|conjunct| in_c(&system.signs, parameters, conjunct))
                .collect();
            if !conjuncts.is_empty() {
                found.push(LoopInvariant { place, conjuncts });
            }
        }
        found
    }

    fn give_up(&mut self, why: &str) {
        self.reasons.add(Reason::NoInvariant(why.to_owned()));
        self.is_over = true;
    }

    fn stop(&mut self, reason: &UnknownReason) {
        let exhausted = match reason {
            UnknownReason::Interrupted => self.limits.interrupt.reason(),
            UnknownReason::Timeout => Some(Exhausted::Time),
            UnknownReason::Work if self.limits.reached(&self.pool).is_some() => {
                Some(Exhausted::Work)
            }
            _ => None,
        };
        match exhausted {
            Some(exhausted) => {
                self.reasons.add(Reason::Exhausted(exhausted));
                self.is_over = true;
            }
            None => self.give_up(&reason.to_string()),
        }
    }

    /// What came out, for a run that is over or is not to go on.
    #[must_use]
    pub fn finish(mut self) -> Report {
        if !self.is_over {
            let exhausted = self.limits.interrupt.reason().unwrap_or(Exhausted::Time);
            self.reasons.add(Reason::Exhausted(exhausted));
        }
        self.statistics.work = self.pool.work();
        self.statistics.peak_memory = resident_memory();
        let mut solver_statistics = SolverStatistics::default();
        self.solver.statistics(&mut solver_statistics);
        Report {
            verdict: if self.reasons.is_empty() {
                Verdict::Unreachable
            } else {
                Verdict::Unknown
            },
            further_errors: Vec::new(),
            reasons: self.reasons,
            undefined: self.undefined,
            traps: BTreeSet::new(),
            open_loops: Vec::new(),
            invariants: self.invariants,
            statistics: self.statistics,
            solver_statistics,
            tree: None,
            table: TemplateTable::empty(),
            pool: self.pool,
            remains: None,
        }
    }
}
