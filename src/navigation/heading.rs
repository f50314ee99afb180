//! The direction that a solution of a system suggests.

use flowgraph::{BitSet, EdgeId};
use necessary::AbstractPath;
use semantics::{Decision, Location, State};
use std::rc::Rc;
use term::Assignment;

/// Where to go from a state, up to the next one that is assessed.
#[derive(Clone, Debug)]
pub struct Heading {
    /// Where the state was.
    pub(super) from: Location,
    /// Executions of chains that are left by the solution.
    pub left: u64,
    /// Iterations that it wants of the loop at which the state is, if it is at one.
    iterations_here: Option<u64>,
    /// Choices on the path to the state.
    n_decisions: usize,
    /// The edges of the chains that it wants at this loop, or of the path on from it.
    course: BitSet,
    /// The path on from the state, of whose system this is a solution.
    pub(super) edges: Vec<EdgeId>,
    /// How often each chain along the path is wanted, and what else the solution says.
    pub(super) counts: Vec<u64>,
    pub(super) model: Rc<Assignment>,
}

impl Heading {
    /// The heading of a state by a solution for the path on from it: how often each chain is
    /// executed, those of the first loop first.
    pub(super) fn of(
        state: &State,
        path: &AbstractPath,
        counts: Vec<u64>,
        model: Rc<Assignment>,
    ) -> Heading {
        let left = counts.iter().copied().fold(0, u64::saturating_add);
        let here = path.loops.first();
        let here = here.filter(|applied| applied.summary.entry == state.location.node);
        let mut course: Option<BitSet> = None;
        let mut iterations_here = None;
        if let Some(applied) = here {
            let backbones = &applied.summary.backbones;
            // Its own chains, then those inside of each.
            let (own, mut inside) = counts.split_at(backbones.len().min(counts.len()));
            iterations_here = Some(own.iter().copied().fold(0, u64::saturating_add));
            for (backbone, count) in backbones.iter().zip(own) {
                let (inner, rest) = inside.split_at(backbone.inner.len().min(inside.len()));
                inside = rest;
                if *count == 0 && inner.iter().all(|count| *count == 0) {
                    continue;
                }
                let edges = course.get_or_insert_with(|| backbone.passed.clone());
                edges.union_with(&backbone.passed);
            }
        }
        Heading {
            from: state.location,
            left,
            iterations_here,
            n_decisions: state.decisions.len(),
            course: course.unwrap_or_else(|| path.passed.clone()),
            edges: path.edges.clone(),
            counts,
            model,
        }
    }

    /// Iterations that the solution wants of the loop at which the state is, if it is at one.
    #[must_use]
    pub fn iterations_here(&self) -> Option<u64> {
        self.iterations_here
    }

    /// How many executions of chains are left in a state that was reached under this heading, as
    /// far as is known: one less after a choice for the way that it shows, one more after another,
    /// which has to be made up for.
    #[must_use]
    pub fn left_in(&self, state: &State) -> u64 {
        let choice = state.decisions.first();
        match choice.filter(|_| state.decisions.len() > self.n_decisions) {
            Some(Decision::Edge { function, .. }) if *function != self.from.function => self.left,
            Some(Decision::Edge { edge, .. }) if self.course.contains(edge.index()) => {
                self.left.saturating_sub(1)
            }
            Some(Decision::Edge { .. }) => self.left.saturating_add(1),
            Some(Decision::Either(_)) | None => self.left,
        }
    }
}
