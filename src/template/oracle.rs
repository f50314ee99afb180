//! The solver as the oracle of steps and templates.

use super::query_work::QueryWork;
use semantics::{Admission, Oracle, PathCondition};
use solver::{Answer, Limits, Need, Query, Solver};
use std::rc::Rc;
use std::time::{Duration, Instant};
use term::{Assignment, TermId, TermPool, Work};

/// Asks the solver chain and counts.
pub struct SolverOracle {
    pub solver: Box<dyn Solver>,
    pub limits: Limits,
    pub n_queries: u64,
    /// Queries that stayed open: the paper's SMT failures.
    pub n_failed: u64,
    pub time: Duration,
    /// Work for all queries.
    pub work: Work,
    /// How much work queries get, by what they are for.
    pub queries: QueryWork,
}

impl SolverOracle {
    pub fn new(solver: Box<dyn Solver>, limits: Limits, queries: QueryWork) -> SolverOracle {
        SolverOracle {
            solver,
            limits,
            n_queries: 0,
            n_failed: 0,
            time: Duration::ZERO,
            work: Work::ZERO,
            queries,
        }
    }

    /// Does something whose queries have this work each.
    pub fn with_work<T>(&mut self, work: Work, ask: impl FnOnce(&mut SolverOracle) -> T) -> T {
        let usual = self.limits.work.replace(work);
        let result = ask(self);
        self.limits.work = usual;
        result
    }

    /// A model of the conjuncts, within the usual work.
    ///
    /// # Errors
    ///
    /// The conjuncts have no model, or none was found.
    pub fn model(
        &mut self,
        pool: &mut TermPool,
        conjuncts: &[TermId],
    ) -> Result<Rc<Assignment>, Admission> {
        self.model_for(pool, conjuncts, None)
    }

    /// The same within this work.
    ///
    /// # Errors
    ///
    /// The conjuncts have no model, or none was found.
    pub fn model_within(
        &mut self,
        pool: &mut TermPool,
        conjuncts: &[TermId],
        work: Work,
    ) -> Result<Rc<Assignment>, Admission> {
        self.model_for(pool, conjuncts, Some(work))
    }

    fn model_for(
        &mut self,
        pool: &mut TermPool,
        conjuncts: &[TermId],
        work: Option<Work>,
    ) -> Result<Rc<Assignment>, Admission> {
        match self.ask(pool, conjuncts, 0, Need::Model, work) {
            Answer::Sat(model) => Ok(model),
            Answer::Unsat(_) => Err(Admission::Infeasible),
            Answer::Unknown(_) => Err(Admission::Unknown),
        }
    }

    /// Whether a path condition of which nothing is known can be satisfied, within this work.
    pub fn satisfiable(
        &mut self,
        pool: &mut TermPool,
        path_cond: &PathCondition,
        work: Work,
    ) -> Admission {
        let conjuncts = path_cond.to_vec();
        let answer = self.ask(pool, &conjuncts, 0, Need::Verdict, Some(work));
        self.admission(&answer)
    }

    /// Whether conjuncts, of which so many are satisfiable together, are together; not a query
    /// of the paths, so that neither the query nor its failure counts among theirs.
    pub fn refutes(
        &mut self,
        pool: &mut TermPool,
        conjuncts: &[TermId],
        known_sat_prefix: usize,
        work: Work,
    ) -> Admission {
        let answer = self.ask(pool, conjuncts, known_sat_prefix, Need::Verdict, Some(work));
        self.n_queries -= 1;
        match answer {
            Answer::Sat(_) => Admission::Feasible,
            Answer::Unsat(_) => Admission::Infeasible,
            Answer::Unknown(_) => Admission::Unknown,
        }
    }

    /// Whether the premises, which are satisfiable together, imply all conclusions; false where
    /// the solver does not know within this work. Not counted among the queries of the paths.
    pub fn implies(
        &mut self,
        pool: &mut TermPool,
        premises: &[TermId],
        conclusions: &[TermId],
        work: Work,
    ) -> bool {
        self.violates(pool, premises, conclusions, work) == Admission::Infeasible
    }

    /// Whether the premises, which are satisfiable together, admit that one of the conclusions does not
    /// hold.
    pub fn violates(
        &mut self,
        pool: &mut TermPool,
        premises: &[TermId],
        conclusions: &[TermId],
        work: Work,
    ) -> Admission {
        let mut conclusion = TermId::TRUE;
        for conjunct in conclusions {
            conclusion = pool.and(conclusion, *conjunct);
        }
        let refuted = pool.not(conclusion);
        let mut conjuncts = premises.to_vec();
        conjuncts.extend(pool.conjuncts(refuted));
        self.refutes(pool, &conjuncts, premises.len(), work)
    }

    /// The answer about conjuncts, of which so many are satisfiable together, within this work; not a query of the
    /// paths, so that it does not count among theirs.
    pub fn answer(
        &mut self,
        pool: &mut TermPool,
        conjuncts: &[TermId],
        known_sat_prefix: usize,
        work: Work,
    ) -> Answer {
        let answer = self.ask(pool, conjuncts, known_sat_prefix, Need::Model, Some(work));
        self.n_queries -= 1;
        answer
    }

    /// Asks the chain and counts; `work` replaces the usual work for a query.
    fn ask(
        &mut self,
        pool: &mut TermPool,
        conjuncts: &[TermId],
        known_sat_prefix: usize,
        need: Need,
        work: Option<Work>,
    ) -> Answer {
        let limits = Limits {
            work: work.or(self.limits.work),
            ..self.limits.clone()
        };
        let query = Query {
            known_sat_prefix,
            need,
            ..Query::new(conjuncts, &limits)
        };
        let (started, before) = (Instant::now(), pool.work());
        let answer = self.solver.check(pool, &query);
        self.time += started.elapsed();
        self.work += pool.work() - before;
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

    fn is_exhausted(&self) -> bool {
        self.limits.exceeded()
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
