//! Hints: priorities for templates from necessary conditions and constraint systems.
//!
//! They affect only the order of work, never the results of a template: an unsatisfiable core of φ̂ names the
//! loops whose predicates exclude a path to the target, and these are folded as early as possible; a solution
//! of the constraint systems from a loop on gives the number of iterations that brings a state to the target,
//! and the exits of the template are first checked with that number.
//!
//! # Source
//! `results/hints.md` has measurements, and the reason why hints are off by default.

use super::run::Run;
use flowgraph::NodeId;
use indexmap::IndexMap;
use navigation::{Assessment, Navigator};
use necessary::StateConditions;
use semantics::{Admission, Location, PathCondition, State};
use std::collections::BTreeSet;
use term::{TermId, Work};

/// Which of them are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Hints {
    /// Loops in unsatisfiable cores get their templates first. Default: no.
    pub cores: bool,
    /// Queries about exits begin with the numbers of iterations of a solution. Default: no.
    pub iterations: bool,
}

impl Hints {
    /// `cores`, `iterations`.
    #[must_use]
    pub fn names(self) -> Vec<String> {
        let all = [(self.cores, "cores"), (self.iterations, "iterations")];
        let wanted = all.into_iter().filter(|(is_wanted, _)| *is_wanted);
        wanted.map(|(_, name)| name.to_owned()).collect()
    }
}

/// Their statistics.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct HintStatistics {
    /// Loops that get their templates first.
    pub n_loops: u64,
    /// Templates that were used earlier than they would have been otherwise.
    pub n_early: u64,
    /// Queries about exits with a number of iterations.
    pub n_asked: u64,
    /// Those of them that were answered by yes.
    pub n_hits: u64,
    /// Work for all that.
    pub work: Work,
}

/// Work for a query with a number of iterations.
const QUESTION: Work = Work::millis(5);

/// Gives hints to one run.
pub(super) struct Hinter {
    wanted: Hints,
    /// Headers of loops of the main function.
    first: BTreeSet<NodeId>,
    navigator: Navigator,
    pub statistics: HintStatistics,
}

impl Hinter {
    pub fn new(wanted: Hints, navigator: Navigator) -> Hinter {
        Hinter {
            wanted,
            first: BTreeSet::new(),
            navigator,
            statistics: HintStatistics::default(),
        }
    }
}

impl Run<'_> {
    /// Finds the loops that get their templates first, by the condition of the initial state.
    pub fn look_for_cores(&mut self, initial: &State) {
        let Some(hinter) = self.hinter.as_mut().filter(|hinter| hinter.wanted.cores) else {
            return;
        };
        let before = self.pool.work();
        let mut conditions = StateConditions::new(self.options.policy.state_conditions.clone());
        hinter.first = conditions.to_blame(
            &self.machine,
            &mut self.pool,
            &mut *self.oracle.solver,
            &self.oracle.limits,
            self.options.property,
            initial,
        );
        hinter.statistics.n_loops = hinter.first.len() as u64;
        hinter.statistics.work += self.pool.work() - before;
    }

    /// Whether the templates of a loop are used as soon as they can be.
    pub fn is_folded_first(&self, entry: Location) -> bool {
        let hinter = self.hinter.as_ref();
        entry.function == self.machine.program.main
            && hinter.is_some_and(|hinter| hinter.first.contains(&entry.node))
    }

    /// How many iterations of the loop at which a state is bring it to a target, by the constraint systems.
    pub fn iterations_first(&mut self, state: &State) -> Option<u64> {
        let Run {
            hinter: Some(hinter),
            oracle,
            ..
        } = self
        else {
            return None;
        };
        if !hinter.wanted.iterations {
            return None;
        }
        let before = self.pool.work();
        let assessment = hinter.navigator.assess(
            &self.machine,
            &mut self.pool,
            (self.options.property, &self.options.budget.interrupt),
            state,
            None,
            &mut |pool, conjuncts, work| oracle.answer(pool, conjuncts, 0, work),
        );
        hinter.statistics.work += self.pool.work() - before;
        match assessment {
            Assessment::Towards(heading) => heading.iterations_here(),
            Assessment::Refuted | Assessment::Away | Assessment::Unknown => None,
        }
    }

    /// Whether an exit is feasible after so many iterations; it may be so after others where not.
    pub fn is_feasible_after(
        &mut self,
        path_cond: &PathCondition,
        condition: TermId,
        (kappa, iterations): (TermId, u64),
    ) -> bool {
        let Some(hinter) = &mut self.hinter else {
            return false;
        };
        let (before, width) = (self.pool.work(), self.pool.width(kappa));
        let is_number = width >= 64 || iterations >> width == 0;
        let Some(symbol) = self.pool.as_symbol(kappa).filter(|_| is_number) else {
            return false;
        };
        let number = self.pool.bv(width, iterations);
        let condition = self
            .pool
            .substitute(condition, &mut IndexMap::from([(symbol, number)]));
        let mut conjuncts = path_cond.to_vec();
        let known = conjuncts.len();
        conjuncts.extend(self.pool.conjuncts(condition));
        let admission = self
            .oracle
            .refutes(&mut self.pool, &conjuncts, known, QUESTION);
        let is_feasible = admission == Admission::Feasible;
        hinter.statistics.n_asked += 1;
        hinter.statistics.n_hits += u64::from(is_feasible);
        hinter.statistics.work += self.pool.work() - before;
        is_feasible
    }
}
