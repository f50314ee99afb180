//! Closing of states that are subsumed by a state queued earlier.

use super::{Candidate, Closer};
use crate::run::Run;
use crate::subsumption::{Lookup, is_due};
use crate::tree::NodeKind;

/// Closes subsumed states. Only some locations are examined and, where paths do not branch, only now
/// and then.
pub(super) struct Subsumed;

impl Closer for Subsumed {
    fn close(&self, run: &mut Run, candidate: &mut Candidate) -> Option<NodeKind> {
        let explored = run.explored.as_mut()?;
        if !explored.is_place(candidate.state.location) {
            return None;
        }
        candidate.path.pass_place();
        if !is_due(candidate.path.visits) {
            return None;
        }
        let (pool, oracle) = (&mut run.pool, &mut run.oracle);
        match explored.look_up(&run.machine, pool, oracle, candidate.state) {
            Lookup::Subsumed(by) => Some(NodeKind::Subsumed(by)),
            Lookup::New(projection) => {
                candidate.projection = Some(projection);
                None
            }
            Lookup::Unknown => None,
        }
    }
}
