//! Closing (pruning): checks that decide that a state needs no further execution.
//!
//! A state is checked twice: on arrival, before it is queued, and when it is taken from the queue, before its
//! step. Each time the closers are tried in order until one closes it. Each closer decides where it applies;
//! a further one is a file with an entry in [`ON_ARRIVAL`] or [`BEFORE_STEP`], and a [`NodeKind`] that gives
//! the reason in the tree.
//!
//! ```text
//! state arrives --> subsumed by one that was queued? --> refuted by chains? --> queue
//! queue --> implies an annotation? --> necessary condition unsatisfiable? --> its step
//! ```
//!
//! # Invariants
//! - A state is closed only if neither a violation nor an end that keeps the verdict open can follow, or if a
//!   queued state covers all its continuations.
//!
//! # Deliberately absent
//! No queue and no tree: a closer returns the reason, the executor records it. No limits: the executor
//! abandons paths, which keeps the verdict open.

mod annotated;
mod outlook;
mod refuted;
mod subsumed;

pub(super) use self::annotated::annotations;
pub(super) use self::outlook::Outlooks;

use self::annotated::Annotated;
use self::outlook::Hopeless;
use self::refuted::Refuted;
use self::subsumed::Subsumed;
use super::path::PathSoFar;
use super::run::Run;
use super::tree::NodeKind;
use super::witness::{Confirmation, Witness};
use semantics::{Projection, State};

/// A state that may be closed.
pub(super) struct Candidate<'s> {
    pub state: &'s State,
    pub path: &'s mut PathSoFar,
    /// What others may be subsumed by once the state is queued, if it was examined for that.
    pub projection: Option<Box<Projection>>,
    /// Runs the program natively with guessed inputs.
    pub confirm: &'s mut dyn FnMut(&Witness) -> Confirmation,
}

/// A check that may close a state.
pub(super) trait Closer {
    /// The kind of the state's node if it is closed; `None` otherwise.
    fn close(&self, run: &mut Run, candidate: &mut Candidate) -> Option<NodeKind>;
}

/// Those that are asked when a state arrives, in their order.
pub(super) const ON_ARRIVAL: &[&dyn Closer] = &[&Subsumed, &Refuted];

/// Those that are asked when a state is about to continue, in their order.
pub(super) const BEFORE_STEP: &[&dyn Closer] = &[&Annotated, &Hopeless];

impl Candidate<'_> {
    /// The kind of the state's node, if one of these closes it.
    pub fn closed_by(&mut self, closers: &[&dyn Closer], run: &mut Run) -> Option<NodeKind> {
        closers.iter().find_map(|closer| closer.close(run, self))
    }
}
