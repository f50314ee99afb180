//! The solver as the oracle of steps and templates.

use crate::semantics::{Admission, Oracle, PathCondition};
use crate::solver::{Answer, Limits, Need, Query, Solver};
use crate::term::{Assignment, TermId, TermPool};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Asks the solver chain and counts.
pub(super) struct SolverOracle {
    pub solver: Box<dyn Solver>,
    pub limits: Limits,
    pub n_queries: u64,
    /// Questions that stayed open: the paper's SMT failures.
    pub n_failed: u64,
    pub time: Duration,
}

impl SolverOracle {
    pub fn new(solver: Box<dyn Solver>, limits: Limits) -> SolverOracle {
        SolverOracle {
            solver,
            limits,
            n_queries: 0,
            n_failed: 0,
            time: Duration::ZERO,
        }
    }

    /// Does some work whose questions have this time each.
    pub fn with_time<T>(&mut self, time: Duration, work: impl FnOnce(&mut SolverOracle) -> T) -> T {
        let usual = self.limits.timeout.replace(time);
        let result = work(self);
        self.limits.timeout = usual;
        result
    }

    /// A model of the conjuncts, within the usual time; an error says whether there is none or none
    /// was found.
    pub fn model(
        &mut self,
        pool: &mut TermPool,
        conjuncts: &[TermId],
    ) -> Result<Rc<Assignment>, Admission> {
        self.model_for(pool, conjuncts, None)
    }

    /// The same within this time.
    pub fn model_within(
        &mut self,
        pool: &mut TermPool,
        conjuncts: &[TermId],
        timeout: Duration,
    ) -> Result<Rc<Assignment>, Admission> {
        self.model_for(pool, conjuncts, Some(timeout))
    }

    fn model_for(
        &mut self,
        pool: &mut TermPool,
        conjuncts: &[TermId],
        timeout: Option<Duration>,
    ) -> Result<Rc<Assignment>, Admission> {
        match self.ask(pool, conjuncts, 0, Need::Model, timeout) {
            Answer::Sat(model) => Ok(model),
            Answer::Unsat(_) => Err(Admission::Infeasible),
            Answer::Unknown(_) => Err(Admission::Unknown),
        }
    }

    /// Whether a path condition of which nothing is known can be satisfied, within this time.
    pub fn satisfiable(
        &mut self,
        pool: &mut TermPool,
        path_cond: &PathCondition,
        timeout: Duration,
    ) -> Admission {
        let conjuncts = path_cond.to_vec();
        let answer = self.ask(pool, &conjuncts, 0, Need::Verdict, Some(timeout));
        self.admission(&answer)
    }

    /// Whether conjuncts, of which so many are satisfiable together, are together; asked besides
    /// the paths, so that neither the question nor its failure counts among theirs.
    pub fn refutes(
        &mut self,
        pool: &mut TermPool,
        conjuncts: &[TermId],
        known_sat_prefix: usize,
        timeout: Duration,
    ) -> Admission {
        let answer = self.ask(
            pool,
            conjuncts,
            known_sat_prefix,
            Need::Verdict,
            Some(timeout),
        );
        self.n_queries -= 1;
        match answer {
            Answer::Sat(_) => Admission::Feasible,
            Answer::Unsat(_) => Admission::Infeasible,
            Answer::Unknown(_) => Admission::Unknown,
        }
    }

    /// Asks the chain and counts; `timeout` replaces the usual time for a query.
    fn ask(
        &mut self,
        pool: &mut TermPool,
        conjuncts: &[TermId],
        known_sat_prefix: usize,
        need: Need,
        timeout: Option<Duration>,
    ) -> Answer {
        let limits = Limits {
            timeout: timeout.or(self.limits.timeout),
            ..self.limits.clone()
        };
        let query = Query {
            known_sat_prefix,
            need,
            ..Query::new(conjuncts, &limits)
        };
        let started = Instant::now();
        let answer = self.solver.check(pool, &query);
        self.time += started.elapsed();
        self.n_queries += 1;
        answer
    }

    /// The answer as far as it decides about a path; one that stays open is counted.
    fn admission(&mut self, answer: &Answer) -> Admission {
        match answer {
            Answer::Sat(_) => Admission::Feasible,
            Answer::Unsat(_) => Admission::Infeasible,
            Answer::Unknown(_) => {
                self.n_failed += 1;
                Admission::Unknown
            }
        }
    }
}

impl Oracle for SolverOracle {
    fn makes_objects(&self) -> bool {
        true
    }

    fn admits(
        &mut self,
        pool: &mut TermPool,
        path_cond: &PathCondition,
        condition: TermId,
    ) -> Admission {
        if pool.is_false(condition) {
            return Admission::Infeasible;
        }
        if pool.is_true(condition) {
            return Admission::Feasible;
        }
        let mut conjuncts = path_cond.to_vec();
        let known_sat_prefix = conjuncts.len();
        conjuncts.extend(pool.conjuncts(condition));
        let answer = self.ask(pool, &conjuncts, known_sat_prefix, Need::Verdict, None);
        self.admission(&answer)
    }
}
