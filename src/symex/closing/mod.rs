//! Closing: what may say that nothing needs to come behind a state.
//!
//! A state is looked at twice: when it arrives, before it is queued, and when it is taken from the queue,
//! before its step. Each time closers are asked in order until one closes it. So each decides by itself
//! where it applies, and a further one is a file with an entry in [`ON_ARRIVAL`] or [`BEFORE_STEP`], and a
//! [`NodeKind`] that says in the tree why nothing follows.
//!
//! ```text
//! state arrives --> subsumed by one that was queued? --> refuted by chains? --> queue
//! queue --> implies an annotation? --> necessary condition unsatisfiable? --> its step
//! ```
//!
//! # Invariants
//! - A state is closed only if neither a violation nor an end that keeps the verdict open comes behind it,
//!   or if one that was queued stands for all that comes.
//!
//! # Deliberately absent
//! No queue and no tree: a closer says why, the executor keeps it. No limits: a path that is given up keeps
//! the verdict open, which is for the executor.

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
    /// What others may be subsumed by once the state is queued, if it was looked at for that.
    pub projection: Option<Box<Projection>>,
    /// Runs the program natively with inputs that were come by.
    pub confirm: &'s mut dyn FnMut(&Witness) -> Confirmation,
}

/// What may close a state.
pub(super) trait Closer {
    /// What the state's node becomes if it is closed; `None` where that is not known.
    fn close(&self, run: &mut Run, candidate: &mut Candidate) -> Option<NodeKind>;
}

/// Those that are asked when a state arrives, in their order.
pub(super) const ON_ARRIVAL: &[&dyn Closer] = &[&Subsumed, &Refuted];

/// Those that are asked when a state is about to go on, in their order.
pub(super) const BEFORE_STEP: &[&dyn Closer] = &[&Annotated, &Hopeless];

impl Candidate<'_> {
    /// What the node of the state becomes, if one of these closes it.
    pub fn closed_by(&mut self, closers: &[&dyn Closer], run: &mut Run) -> Option<NodeKind> {
        closers.iter().find_map(|closer| closer.close(run, self))
    }
}
