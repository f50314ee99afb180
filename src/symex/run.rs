//! What the techniques of a run share: the program and what is known of it, terms, the solver,
//! templates, states that were explored, limits and numbers.

use super::annotations::{Annotations, Means};
use super::budget::Watch;
use super::concrete::Concrete;
use super::cuts::Cutter;
use super::executor::{Options, TemplateChoice};
use super::hints::Hinter;
use super::oracle::SolverOracle;
use super::report::Statistics;
use super::subsumption::Explored;
use crate::flowgraph::ProgramFacts;
use crate::navigation::{Assessment, Navigator};
use crate::semantics::{Machine, State};
use crate::template::TemplateTable;
use crate::term::{TermPool, Work};
use std::rc::Rc;

/// One run of Algorithm 2, without its queue and its tree.
pub(super) struct Run<'p> {
    pub machine: Machine<'p>,
    pub facts: ProgramFacts<'p>,
    pub pool: TermPool,
    pub oracle: SolverOracle,
    pub table: TemplateTable,
    pub options: Options,
    /// What follows paths on machine words.
    pub concrete: Concrete,
    /// `None` where no state is closed.
    pub explored: Option<Explored>,
    /// `None` where locations are not annotated.
    pub annotations: Option<Annotations>,
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

    /// Where a state leads that comes by loops again and again, or is the first; others lead where
    /// those before them did.
    pub fn assess(&mut self, state: &State, before: &Assessment) -> Assessment {
        let Run {
            navigator: Some(navigator),
            oracle,
            ..
        } = self
        else {
            return Assessment::Unknown;
        };
        let location = state.location;
        let places = &self.facts.places()[location.function.index()];
        let is_first = navigator.statistics.n_assessed == 0;
        if !is_first && !places.contains(location.node.index()) {
            return before.clone();
        }
        let heading = match before {
            Assessment::Towards(heading) => Some(&**heading),
            Assessment::Refuted | Assessment::Away | Assessment::Unknown => None,
        };
        let assessment = navigator.assess(
            &self.machine,
            &mut self.pool,
            (self.options.property, &self.options.budget.interrupt),
            state,
            heading,
            &mut |pool, conjuncts, work| oracle.answer(pool, conjuncts, work),
        );
        match assessment {
            Assessment::Unknown => before.clone(),
            found => found,
        }
    }

    /// Does something with the annotations, if there are any.
    pub fn annotating<T>(
        &mut self,
        act: impl FnOnce(&mut Annotations, &mut Means) -> T,
    ) -> Option<T> {
        let mut means = Means {
            machine: &self.machine,
            facts: &self.facts,
            pool: &mut self.pool,
            oracle: &mut self.oracle,
            property: self.options.property,
        };
        let annotations = self.annotations.as_mut()?;
        Some(act(annotations, &mut means))
    }

    /// Whether a question that has had this work may stay open because it had too little.
    pub fn is_early(&self, work: Work) -> bool {
        work < self.options.budget.queries.most || self.oracle.limits.reached(&self.pool).is_some()
    }
}
