//! Loops that are as good as executed already: all conditions are constants.
//!
//! Such a loop takes one path, which is cheap to follow round by round, and its values stay
//! constants, while a fold of it would put path counters into them.
//!
//! # Deliberately absent
//! No solver: a condition that is not a constant ends the look ahead.

use super::subsumption::Explored;
use crate::semantics::{Admission, Machine, Oracle, Outcome, PathCondition, State};
use crate::term::{TermId, TermPool};

/// Loops that pass more loop headers and entries of functions than this are folded, so that a
/// thousand rounds are not executed.
const MOST_VISITS: u32 = 256;
/// Steps to look ahead.
const MOST_STEPS: u32 = 8192;

/// The oracle that knows constants only.
struct Constants {
    has_choice: bool,
}

impl Oracle for Constants {
    fn admits(&mut self, pool: &mut TermPool, _: &PathCondition, condition: TermId) -> Admission {
        if pool.is_true(condition) {
            return Admission::Feasible;
        }
        // The look ahead is over; whatever comes behind the condition is not executed for it.
        self.has_choice |= !pool.is_false(condition);
        Admission::Infeasible
    }
}

/// How many places where states are looked at the path from a loop's header passes until it has
/// left the loop, if it is without any choice, reads no input and is short.
pub(super) fn concrete_visits(
    machine: &Machine,
    pool: &mut TermPool,
    explored: &Explored,
    state: State,
) -> Option<u32> {
    let header = state.location;
    let depth = state.callers.len();
    let n_inputs = state.inputs.len();
    let body = explored.loop_body(header)?;
    let mut oracle = Constants { has_choice: false };
    let mut visits = 0;
    let mut state = state;
    for _ in 0..MOST_STEPS {
        let mut successors = machine.step(pool, &mut oracle, state).into_iter();
        if oracle.has_choice {
            return None;
        }
        let (Some(outcome), None) = (successors.next(), successors.next()) else {
            return None;
        };
        let Outcome::Running(next) = outcome else {
            return None;
        };
        if next.inputs.len() != n_inputs || visits > MOST_VISITS {
            return None;
        }
        let is_inside = next.callers.len() > depth
            || (next.callers.len() == depth && body.contains(next.location.node.index()));
        if !is_inside {
            return Some(visits);
        }
        if explored.is_place(next.location) {
            visits += 1;
        }
        state = next;
    }
    None
}
