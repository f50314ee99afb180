//! Cuts of loops: variables changed by a loop become arbitrary (*havoc*) when the path reaches its cut.

use super::{Course, LocalTechnique, Proposal, Standing};
use crate::path::PathSoFar;
use crate::run::Run;
use invariants::{Arrival, Asking};
use property::Reason;
use std::ops::ControlFlow;

/// Closes a state for which another stands, and makes the others arbitrary where they are cut.
pub(super) struct Cut;

impl LocalTechnique for Cut {
    fn propose(&self, run: &mut Run, path: &mut PathSoFar, standing: Standing) -> Proposal {
        let Some(cutter) = &mut run.cutter else {
            return ControlFlow::Continue(standing);
        };
        let mut asking = Asking {
            pool: &mut run.pool,
            oracle: &mut run.oracle,
        };
        let cuts = std::mem::take(&mut path.cuts);
        let arrival = cutter.arrive(&mut asking, standing.state, cuts);
        run.statistics.n_cuts = cutter.n_cuts;
        run.statistics.k = cutter.k();
        match arrival {
            Arrival::GoesOn(state, cuts) => {
                path.cuts = cuts;
                ControlFlow::Continue(Standing {
                    state: *state,
                    ..standing
                })
            }
            Arrival::Apart(ways) => ControlFlow::Break(Course::Apart(ways)),
            Arrival::Subsumed => ControlFlow::Break(Course::Closed),
            Arrival::Stuck(what, span) => {
                ControlFlow::Break(Course::Stuck(Reason::Unsupported(what, span)))
            }
        }
    }
}
