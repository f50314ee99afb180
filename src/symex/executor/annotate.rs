//! States that annotations close, and the points that annotations are of.

use super::{Executor, Options};
use crate::semantics::{Location, State};
use crate::symex::annotations::{Annotations, Point, Trail};
use crate::symex::cuts::CutHandling;
use crate::symex::path::PathSoFar;
use crate::symex::tree::{NodeKind, TreeNodeId};
use std::rc::Rc;

/// The annotations that are in force: none where more is asked of paths than what they lead to, or where
/// inputs are told by their number.
pub(super) fn annotations(options: &Options) -> Option<Annotations> {
    let checks = options.property.checks;
    let is_about_ends = !checks.follows_blocks()
        && !checks.follows_each_iteration()
        && options.goals.open.is_empty();
    let is_wanted = options.annotations
        && is_about_ends
        && options.cuts == CutHandling::Ignore
        && options.given_inputs.is_none();
    is_wanted.then(|| Annotations::new(options.annotating.clone()))
}

impl Executor<'_> {
    /// Notes that a path comes by where a state is about to go on.
    pub(super) fn come_by(&self, state: &State, path: &mut PathSoFar) -> Option<Rc<Trail>> {
        self.run.annotations.as_ref()?;
        let point = Point::of(state).map(|point| (point, state.clone()));
        let trail = Trail::new(point, path.trail.take());
        path.trail = Some(Rc::clone(&trail));
        Some(trail)
    }

    /// Whether a state implies an annotation of its location; nothing comes behind it then.
    pub(super) fn is_closed_by_annotation(
        &mut self,
        state: &State,
        path: &mut PathSoFar,
        node: Option<TreeNodeId>,
    ) -> bool {
        let Location { function, node: at } = state.location;
        let is_place = self.run.facts.places()[function.index()].contains(at.index());
        path.iterations = path.iterations.saturating_add(u32::from(is_place));
        let closes = self
            .run
            .annotating(|annotations, means| annotations.closes(means, state));
        if closes != Some(true) {
            return false;
        }
        self.run.statistics.n_paths += 1;
        if let (Some(tree), Some(node)) = (&mut self.tree, node) {
            tree.set_kind(node, NodeKind::Annotated);
        }
        self.finish_subtrees(path.trail.take());
        true
    }

    /// What is finished behind the points of a path is annotated.
    pub(super) fn finish_subtrees(&mut self, trail: Option<Rc<Trail>>) {
        if let Some(trail) = trail {
            self.run
                .annotating(|annotations, means| annotations.finish(means, trail));
        }
    }
}
