//! Data shared by the techniques of a run: the program and its facts, terms, the solver, templates, explored
//! states, limits and statistics.

use super::budget::Watch;
use super::closing::Outlooks;
use super::concrete::Concrete;
use super::hints::Hinter;
use super::options::{ExecutionOptions, TemplateChoice};
use super::report::Statistics;
use super::subsumption::Explored;
use flowgraph::ProgramFacts;
use invariants::{Annotations, Cutter};
use navigation::Navigator;
use semantics::{Location, Machine};
use std::rc::Rc;
use template::SolverOracle;
use template::TemplateTable;
use term::{TermPool, Work};

/// One run of Algorithm 2, without its queue and its tree.
pub(super) struct Run<'p> {
    pub machine: Machine<'p>,
    pub facts: ProgramFacts<'p>,
    pub pool: TermPool,
    pub oracle: SolverOracle,
    pub table: TemplateTable,
    pub options: ExecutionOptions,
    /// The interpreter of paths on machine words.
    pub concrete: Concrete,
    /// `None` where no state is closed.
    pub explored: Option<Explored>,
    /// `None` where locations are not annotated.
    pub annotations: Option<Annotations>,
    /// `None` if conditions of states are off.
    pub outlooks: Option<Outlooks>,
    /// `None` where no loop is cut.
    pub cutter: Option<Cutter>,
    /// `None` where the order of states does not ask for it.
    pub navigator: Option<Navigator>,
    /// `None` where no hints about templates are wanted.
    pub hinter: Option<Hinter>,
    pub rng: fastrand::Rng,
    pub statistics: Statistics,
    pub watch: Watch,
}

impl Run<'_> {
    /// Line 9, `chooseTemplate`.
    pub fn choose<'t, T>(&mut self, candidates: &'t [Rc<T>]) -> Option<&'t Rc<T>> {
        match self.options.template_choice {
            TemplateChoice::FirstFit => candidates.first(),
            TemplateChoice::Random(_) if candidates.is_empty() => None,
            TemplateChoice::Random(_) => candidates.get(self.rng.usize(..candidates.len())),
        }
    }

    /// Whether infinite paths pass a location: the target of a retreating edge, or the entry of a function.
    pub fn is_place(&self, location: Location) -> bool {
        self.facts.places()[location.function.index()].contains(location.node.index())
    }

    /// Whether a query that has had this work may stay open because it had too little.
    pub fn is_early(&self, work: Work) -> bool {
        work < self.options.budget.queries.most || self.oracle.limits.reached(&self.pool).is_some()
    }
}
