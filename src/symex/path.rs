//! The history of a state: data about the path to it.

use super::concrete::Ahead;
use super::steering::StretchPolicy;
use invariants::{CutStack, Trail};
use navigation::Assessment;
use semantics::Ending;
use std::rc::Rc;

/// The path so far.
#[derive(Clone)]
pub(super) struct PathSoFar {
    pub steps: u64,
    /// The cuts around its end.
    pub cuts: CutStack,
    /// Locations where subsumption examines states, passed since the last branching.
    pub visits: u32,
    /// The same on the whole path.
    pub passed: u32,
    /// The same of those that were passed on words.
    pub on_words: u32,
    /// Steps since the path began to carry goals of coverage for which there are no inputs yet.
    pub with_goals: u32,
    /// Where it leads, as far as was found out on the way.
    pub leads: Assessment,
    /// The same as `passed`, also at locations without checks.
    pub iterations: u32,
    /// How many choices it had made when it was queued last.
    pub decisions: usize,
    /// The points that it came by, where locations are annotated.
    pub trail: Option<Rc<Trail>>,
}

impl PathSoFar {
    /// That to the root.
    pub fn new() -> PathSoFar {
        PathSoFar {
            steps: 0,
            cuts: CutStack::new(),
            visits: 0,
            passed: 0,
            on_words: 0,
            with_goals: 0,
            leads: Assessment::Unknown,
            iterations: 0,
            decisions: 0,
            trail: None,
        }
    }

    /// That to a state which two states became.
    pub fn merged_with(&self, other: &PathSoFar) -> PathSoFar {
        PathSoFar {
            steps: self.steps.max(other.steps),
            // Where loops are cut nothing is merged.
            cuts: self.cuts.clone(),
            visits: 0,
            passed: self.passed.max(other.passed),
            on_words: self.on_words.max(other.on_words),
            // Paths that carry goals are not merged.
            with_goals: 0,
            leads: Assessment::Unknown,
            iterations: self.iterations.max(other.iterations),
            decisions: self.decisions.max(other.decisions),
            // The other's points are not annotated.
            trail: self.trail.clone(),
        }
    }

    /// Follows the only path, of whose steps one is counted already.
    pub fn follow(&mut self, ahead: &Ahead, stretch: &StretchPolicy) {
        self.steps += ahead.n_steps - 1;
        self.passed = self.passed.saturating_add(ahead.n_headers(stretch));
        self.on_words = self.on_words.saturating_add(ahead.n_places);
        if ahead.ending == Ending::Due {
            self.on_words = self.on_words.saturating_add(1);
            self.visits = 0;
        }
    }

    /// Passes a location where subsumption examines states.
    pub fn pass_place(&mut self) {
        self.visits = self.visits.saturating_add(1);
        self.passed = self.passed.saturating_add(1);
    }
}
