//! Closing of states by annotations, and the points that carry annotations.

use super::{Candidate, Closer};
use crate::options::ExecutionOptions;
use crate::path::PathSoFar;
use crate::run::Run;
use crate::tree::NodeKind;
use invariants::{Annotations, CutHandling, Means, Point, Trail};
use semantics::State;
use std::rc::Rc;

/// The annotations that are in force: none where more is asked of paths than what they lead to, or where
/// inputs are identified by their number.
pub(crate) fn annotations(options: &ExecutionOptions) -> Option<Annotations> {
    let checks = options.property.checks;
    let is_about_ends = !checks.follows_blocks()
        && !checks.follows_each_iteration()
        && options.goals.open.is_empty();
    let is_wanted = options.annotations
        && is_about_ends
        && options.cuts == CutHandling::Ignore
        && options.given_inputs.is_none();
    is_wanted.then(|| Annotations::new(options.policy.annotations.clone()))
}

/// Closes states that imply an annotation of their location: nothing follows them then.
pub(super) struct Annotated;

impl Closer for Annotated {
    fn close(&self, run: &mut Run, candidate: &mut Candidate) -> Option<NodeKind> {
        let state = candidate.state;
        let closes = run.annotating(|annotations, means| annotations.closes(means, state))?;
        closes.then_some(NodeKind::Annotated)
    }
}

impl Run<'_> {
    /// Does something with the annotations, if there are any.
    fn annotating<T>(&mut self, act: impl FnOnce(&mut Annotations, &mut Means) -> T) -> Option<T> {
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

    /// Records the visit of a path at the location where a state is about to continue.
    pub fn record_visit(&self, state: &State, path: &mut PathSoFar) -> Option<Rc<Trail>> {
        self.annotations.as_ref()?;
        let point = Point::of(state).map(|point| (point, state.clone()));
        let trail = Trail::new(point, path.trail.take());
        path.trail = Some(Rc::clone(&trail));
        Some(trail)
    }

    /// What is finished behind the points of a path is annotated.
    pub fn finish_subtrees(&mut self, trail: Option<Rc<Trail>>) {
        if let Some(trail) = trail {
            self.annotating(|annotations, means| annotations.finish(means, trail));
        }
    }
}
