//! Tuning parameters.

use serde::{Deserialize, Serialize};
use term::Work;

/// How much is done to find the ways through a path dependency automaton. A loop for which it is
/// not enough is folded without one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct AutomatonPolicy {
    /// Paths through the body, those that leave it included. Each pair of them is a query. 0 for
    /// no automata. Default: 24.
    pub most_paths: usize,
    /// Iterations of a turn, one by one; steps of one with periods that are terms. Default: 16.
    pub longest_turn: usize,
    /// Work to find turns with periods that are terms, for one loop. Default: 300 ms, since their
    /// queries have products.
    pub work_periods: Work,
    /// Ways through the automaton. Each is an exit of the template, with a query each time that
    /// it is applied. Default: 32.
    pub most_ways: usize,
    /// Phases of all ways together, and single iterations between them. Default: 64.
    pub most_phases: usize,
    /// The same for an irregular loop that has no template otherwise: what follows each phase may be
    /// one path only in the states that are really there. Default: 10.
    pub most_phases_irregular: usize,
    /// Work for one loop. Default: 3 s.
    pub work: Work,
    /// The same for an irregular loop. Default: 300 ms.
    pub work_irregular: Work,
}

impl Default for AutomatonPolicy {
    fn default() -> AutomatonPolicy {
        AutomatonPolicy {
            most_paths: 24,
            longest_turn: 16,
            work_periods: Work::millis(300),
            most_ways: 32,
            most_phases: 64,
            most_phases_irregular: 10,
            work: Work::seconds(3),
            work_irregular: Work::millis(300),
        }
    }
}

impl AutomatonPolicy {
    /// No automata.
    #[must_use]
    pub fn none() -> AutomatonPolicy {
        AutomatonPolicy {
            most_paths: 0,
            ..AutomatonPolicy::default()
        }
    }
}
