//! Concrete loops: loops in which all conditions are constants.
//!
//! Such a loop takes one path, which is cheap to follow on machine words ([`Stretcher`]), and its values stay
//! constants, while folding would introduce path counters. If words cannot execute an edge with constant
//! conditions, such as one that allocates, ordinary steps are used, but only few, since they are much slower.
//!
//! # Deliberately absent
//! No solver: a symbolic condition ends the look-ahead. No templates: the executor chooses between them and
//! the look-ahead.

use super::steering::StretchPolicy;
use flowgraph::ProgramFacts;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use semantics::{
    Admission, Ending, Location, Machine, Oracle, Outcome, PathCondition, Reach, Scope, State,
    Stretcher,
};
use std::sync::Arc;
use term::{TermId, TermPool};

/// The oracle that knows constants only.
struct Constants {
    has_choice: bool,
}

impl Oracle for Constants {
    fn admits(&mut self, pool: &mut TermPool, _: &PathCondition, condition: TermId) -> Admission {
        if pool.is_true(condition) {
            return Admission::Feasible;
        }
        // The look ahead is over; whatever follows the condition is not executed for it.
        self.has_choice |= !pool.is_false(condition);
        Admission::Infeasible
    }
}

/// Looks ahead from loop headers and entries of functions.
pub(super) struct Concrete {
    stretcher: Stretcher,
    /// Edges for the next look ahead, where they are fewer than usual.
    n_steps: IndexMap<Location, u64, FxBuildHasher>,
    policy: StretchPolicy,
}

/// Where a path without choice leads.
pub(super) struct Ahead {
    pub state: State,
    pub ending: Ending,
    pub n_steps: u64,
    pub n_actions: u64,
    /// Places gone by, without that where it ended.
    pub n_places: u32,
    n_bytes: usize,
    /// Whether it began at a loop's header.
    is_loop: bool,
}

/// The state of a path before the look-ahead.
pub(super) struct Before {
    /// Places passed on words.
    pub on_words: u32,
    /// Steps that the path may still take.
    pub n_steps_left: u64,
}

impl Ahead {
    /// The places that count for the choice of templates. A loop of more iterations than ordinary
    /// steps would have gone around counts as if it were folded.
    pub fn n_headers(&self, policy: &StretchPolicy) -> u32 {
        if self.n_places <= policy.most_ordinary_places {
            self.n_places
        } else {
            1
        }
    }

    /// Whether a template would forget more than it saves.
    pub fn is_better_than_a_fold(&self, policy: &StretchPolicy) -> bool {
        let is_short = match self.ending {
            Ending::Left => true,
            // Calls within calls pile up frames until they return.
            Ending::Due => self.is_loop,
            Ending::Halted | Ending::Spent => false,
        };
        is_short && self.n_bytes <= policy.most_bytes
    }
}

/// Whether a state is checked at the n-th place of a path on words: one in 1024, in runs of growing length,
/// so that a cycle of any length is noticed at last.
fn is_due_on_words(place: u32) -> bool {
    let power = 1 << place.max(1).ilog2();
    place - place.min(power) < power / 1024
}

impl Concrete {
    pub fn new(facts: &ProgramFacts, policy: StretchPolicy) -> Concrete {
        Concrete {
            stretcher: Stretcher::new(Arc::clone(facts.places())),
            n_steps: IndexMap::default(),
            policy,
        }
    }

    /// Whether paths are followed from here: at loop headers and entries of functions.
    pub fn begins_at(&self, location: Location) -> bool {
        self.stretcher.is_place(location)
    }

    /// A template was applied instead of a loop that was followed for long.
    pub fn was_too_far(&mut self, location: Location, ahead: &Ahead) {
        if ahead.ending == Ending::Spent {
            let policy = &self.policy;
            let n_steps = self.n_steps.entry(location).or_insert(policy.most_steps);
            *n_steps = (*n_steps / policy.less.max(2)).max(policy.fewest_steps);
        }
    }

    /// Follows the path from a place until it has left the loop or the function, as long as it has
    /// no choice; `None` if it has one at once. `ordinary` steps may help out.
    pub fn look_ahead(
        &mut self,
        machine: &Machine,
        pool: &mut TermPool,
        state: &State,
        before: &Before,
        ordinary: bool,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Option<Ahead> {
        let header = state.location;
        let nest = machine.program.function(header.function).loops();
        let natural = nest.by_header(header.node);
        let scope = Scope {
            function: header.function,
            depth: state.callers.len(),
            body: natural.map(|natural| &nest.loops[natural.index()].body),
        };
        let policy = &self.policy;
        let most_steps = self.n_steps.get(&header).copied();
        let most_steps = most_steps.unwrap_or(policy.most_steps);
        let most_steps = most_steps.min(before.n_steps_left);
        let mut ahead = Ahead {
            state: state.clone(),
            ending: Ending::Halted,
            n_steps: 0,
            n_actions: 0,
            n_places: 0,
            n_bytes: 0,
            is_loop: natural.is_some(),
        };
        let mut helping = Helping {
            n_inputs: state.inputs.len(),
            n_steps: 0,
            policy,
        };
        while ahead.n_steps < most_steps {
            let passed = before.on_words.saturating_add(ahead.n_places);
            let reach = Reach {
                scope,
                n_steps: most_steps - ahead.n_steps,
                is_due: &|place| is_due_on_words(passed.saturating_add(place)),
                is_over,
            };
            if let Some(stretch) = self.stretcher.run(machine, pool, &ahead.state, reach) {
                ahead.state = stretch.state;
                ahead.ending = stretch.ending;
                ahead.n_steps += stretch.n_steps;
                ahead.n_actions += stretch.n_actions;
                ahead.n_places += stretch.n_places;
                ahead.n_bytes += stretch.n_bytes;
                if ahead.ending != Ending::Halted {
                    break;
                }
            }
            let places = &self.stretcher;
            if !ordinary || !helping.next_place(machine, pool, places, scope, &mut ahead) {
                break;
            }
        }
        (ahead.n_steps > 0).then_some(ahead)
    }
}

/// Ordinary steps where words do not do.
struct Helping<'a> {
    n_inputs: usize,
    n_steps: u32,
    policy: &'a StretchPolicy,
}

impl Helping<'_> {
    /// Continues to the next place; says if the look ahead continues there.
    fn next_place(
        &mut self,
        machine: &Machine,
        pool: &mut TermPool,
        places: &Stretcher,
        scope: Scope,
        ahead: &mut Ahead,
    ) -> bool {
        let policy = self.policy;
        while self.n_steps < policy.most_ordinary_steps
            && ahead.n_places <= policy.most_ordinary_places
        {
            self.n_steps += 1;
            if !self.step(machine, pool, ahead) {
                return false;
            }
            let location = ahead.state.location;
            if !scope.contains(ahead.state.callers.len(), location) {
                ahead.ending = Ending::Left;
                return false;
            }
            if places.is_place(location) {
                ahead.n_places += 1;
                return true;
            }
        }
        false
    }

    /// One step, if it has no choice and reads no input.
    fn step(&self, machine: &Machine, pool: &mut TermPool, ahead: &mut Ahead) -> bool {
        let n_actions = machine.n_actions.get();
        let mut oracle = Constants { has_choice: false };
        let state = ahead.state.clone();
        let mut successors = machine.step(pool, &mut oracle, state).into_iter();
        let taken = machine.n_actions.replace(n_actions) - n_actions;
        let (Some(Outcome::Running(next)), None) = (successors.next(), successors.next()) else {
            return false;
        };
        if oracle.has_choice || next.inputs.len() != self.n_inputs {
            return false;
        }
        ahead.state = next;
        ahead.n_steps += 1;
        ahead.n_actions += taken;
        true
    }
}
