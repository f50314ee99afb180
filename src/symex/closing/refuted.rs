//! Closing of states whose continuations are refuted by constraint systems of chains.

use super::{Candidate, Closer};
use crate::run::Run;
use crate::tree::NodeKind;
use navigation::Assessment;
use semantics::State;

/// Assesses states where chains give the order, which closes those that are refuted.
pub(super) struct Refuted;

impl Closer for Refuted {
    fn close(&self, run: &mut Run, candidate: &mut Candidate) -> Option<NodeKind> {
        run.navigator.as_ref()?;
        let leads = &mut candidate.path.leads;
        *leads = run.assess(candidate.state, leads);
        matches!(leads, Assessment::Refuted).then_some(NodeKind::Refuted)
    }
}

impl Run<'_> {
    /// The outlook of a state that passes loops repeatedly, or is the first; others lead where those before
    /// them did.
    fn assess(&mut self, state: &State, before: &Assessment) -> Assessment {
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
            &mut |pool, conjuncts, work| oracle.answer(pool, conjuncts, 0, work),
        );
        match assessment {
            Assessment::Unknown => before.clone(),
            found => found,
        }
    }
}
