//! Tuning parameters of annotations.

use serde::{Deserialize, Serialize};
use term::Work;

/// How much is done to annotate locations, and to close states by that. None of these numbers decides
/// whether an answer is right: a state that is not closed is executed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AnnotationPolicy {
    /// Work for it in any case. Default: 1 s.
    pub at_least: Work,
    /// Its share of all work where it closes nothing, in percent. Default: 20.
    pub percent: u32,
    /// So much more, in percent, for each percent of the states examined that it closes, up to
    /// half of all work. Default: 1.
    pub percent_a_percent: u32,
    /// Operators, symbols and constants of an annotation; no larger one is kept. Default: 2000.
    pub most_size: usize,
    /// Steps behind a finished point that are annotated with it where no path has come there. Default:
    /// 16; the thesis has none.
    pub steps_ahead: u32,
    /// Runs of a loop's body that propose what may hold in all iterations. Default: 3; the thesis has
    /// one.
    pub runs: u32,
    /// Edges of all segments of a nest of loops; one with more is not annotated. Default: 2000.
    pub most_ways: u64,
    /// Candidates for what holds at a header. Default: 64.
    pub most_candidates: usize,
    /// States of a header for which all candidates have to hold. Default: 4.
    pub most_states: usize,
}

impl Default for AnnotationPolicy {
    fn default() -> AnnotationPolicy {
        AnnotationPolicy {
            at_least: Work::seconds(1),
            percent: 20,
            percent_a_percent: 1,
            most_size: 2000,
            steps_ahead: 16,
            runs: 3,
            most_ways: 2000,
            most_candidates: 64,
            most_states: 4,
        }
    }
}
