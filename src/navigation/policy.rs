//! Tuning parameters of navigation.

use serde::{Deserialize, Serialize};
use term::Work;

/// How much is done to find the way. None of these numbers decides whether an answer is right: a
/// state of which nothing is found out is executed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NavigationPolicy {
    /// Work for each query about the first state, where a refutation ends the analysis.
    /// Default: 2 s.
    pub work_at_first: Work,
    /// Work for each query about another state. Default: 50 ms.
    pub work: Work,
    /// All queries about a state together have at most so many times the work of one, since they are one
    /// step of the search. Default: 4.
    pub most_for_state: u64,
    /// Work for the constraint systems of a state. Default: 1 s.
    pub work_for_systems: Work,
    /// No more chains are built for a state, counted at each of their nodes; what they would say
    /// is not known then. Default: 1,000: each may be a query, and a state of kundu_safe has many thousands.
    pub most_chains: usize,
    /// Steps of the search for a smaller solution, which halve its size. Default: 12.
    pub most_refinements: u32,
    /// Whether the paper's intervals of counters refute systems before the solver is asked. They choose no
    /// solution: EQCNT, with their lower ends as one, took 40 times the work. Nor are they asked about solutions of
    /// bounded size: HWM took a quarter less time so, and EQCNT more states, since the solver's next solution
    /// depends on what it was asked before. Default: true.
    pub intervals: bool,
    /// After so many states none of which was nearer to a solution than all before, the oldest has
    /// its turn, so that no state starves. Default: 64.
    pub patience: u32,
}

impl Default for NavigationPolicy {
    fn default() -> NavigationPolicy {
        NavigationPolicy {
            work_at_first: Work::seconds(2),
            work: Work::millis(50),
            most_for_state: 4,
            work_for_systems: Work::seconds(1),
            most_chains: 1_000,
            most_refinements: 12,
            intervals: true,
            patience: 64,
        }
    }
}
