//! Tuning parameters of an execution, each with its unit and the reason for its default.

use invariants::AnnotationPolicy;
use navigation::NavigationPolicy;
use necessary::StateConditionPolicy;
use serde::{Deserialize, Serialize};
use term::Work;

/// The numbers that steer an execution, but for work of queries, which is in its budget.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ExecutionPolicy {
    /// When templates are used.
    pub folding: FoldingPolicy,
    /// Closing of subsumed states.
    pub subsumption: SubsumptionPolicy,
    /// Annotations of locations.
    pub annotations: AnnotationPolicy,
    /// Merging of states that meet.
    pub merging: MergingPolicy,
    /// Paths without choice on machine words.
    pub stretch: StretchPolicy,
    /// Loop navigation.
    pub navigation: NavigationPolicy,
    /// Necessary conditions of states, in a search for goals that are not covered.
    pub state_conditions: StateConditionPolicy,
}

/// When templates are used.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FoldingPolicy {
    /// So many loop headers and entries of functions a path passes before it uses templates whose
    /// iterations do not make progress. Default: 64, since closing subsumed states ends most such
    /// loops within fewer.
    pub progress_first: u32,
    /// And before it uses templates of cycles that pass through other loops: the templates of those loops
    /// lead further, with fewer path counters. Default: 16; from 12 on the work for Table 1 is least
    /// (`results/strategies.md`).
    pub inner_loops_first: u32,
    /// Up to so many, each of several templates that fit is used, and then one of them, chosen by the
    /// seed; only where states are closed. Default: 2; how VM depends on the seed with it, and without,
    /// is in `results/README.md`.
    pub every_template_first: u32,
}

impl Default for FoldingPolicy {
    fn default() -> FoldingPolicy {
        FoldingPolicy {
            progress_first: 64,
            inner_loops_first: 16,
            every_template_first: 2,
        }
    }
}

/// How much is done to find subsumed states. None of these numbers decides whether an answer is
/// right: a state that is not examined is executed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SubsumptionPolicy {
    /// Work for it in any case. Default: 2 ms; small queries about real libraries took twice the time
    /// with 200 ms that they took with 20 ms.
    pub at_least: Work,
    /// Its share of all work where it closes nothing, in percent. Default: 4.
    pub percent: u32,
    /// So much more, in percent, for each percent of the states examined that it closes, up to
    /// half of all work. Default: 2.
    pub percent_a_percent: u32,
    /// Entries that are matched with one state, the latest first. Default: 64.
    pub most_matches: usize,
    /// The same for most states at a place where no entry subsumed one for long. Default: 2.
    pub matches_without_success: usize,
    /// Queries that are checked one state. Default: 4.
    pub most_queries: usize,
    /// Forms of one shape that are looked up; further ones are not kept. Default: 64.
    pub most_forms: usize,
}

impl Default for SubsumptionPolicy {
    fn default() -> SubsumptionPolicy {
        SubsumptionPolicy {
            at_least: Work::millis(2),
            percent: 4,
            percent_a_percent: 2,
            most_matches: 64,
            matches_without_success: 2,
            most_queries: 4,
            most_forms: 64,
        }
    }
}

/// How far a path without choice is followed on machine words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StretchPolicy {
    /// Edges in one look ahead. Default: 2^20, about twenty milliseconds: longer loops are folded
    /// if they can be.
    pub most_steps: u64,
    /// The same where loops were longer, at the least. Default: 1024.
    pub fewest_steps: u64,
    /// Where loops were longer, the next look ahead goes so many times less far. Default: 4.
    pub less: u64,
    /// Ordinary steps that help out in one look ahead. Default: 8192.
    pub most_ordinary_steps: u32,
    /// Ordinary steps are used on paths that pass at most this number of places, so that a thousand
    /// iterations are not executed with them. Default: 256.
    pub most_ordinary_places: u32,
    /// A loop that writes more bytes than this is better folded, if it can be: arrays stay closed
    /// forms where cells would become long chains of stores. Default: 128 KiB.
    pub most_bytes: usize,
}

impl Default for StretchPolicy {
    fn default() -> StretchPolicy {
        StretchPolicy {
            most_steps: 1 << 20,
            fewest_steps: 1 << 10,
            less: 4,
            most_ordinary_steps: 8192,
            most_ordinary_places: 256,
            most_bytes: 1 << 17,
        }
    }
}

/// Which states are merged where they meet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MergingPolicy {
    /// `lattice` and `recursive`: states are merged if fewer queries are estimated about the values
    /// in which they differ. Default: 1, as in the thesis.
    pub limit: u32,
    /// `recursive`: iterations of each loop. Default: 1, as in the thesis.
    pub iterations: u32,
    /// `lattice` and `dynamic`: no query count grows beyond this. Default: 10, as in the thesis.
    pub most_counted: u32,
    /// `dynamic`: states are merged if at most so many queries about the values in which they
    /// differ come on any one path. Default: 4.
    pub queries: u32,
    /// `dynamic`: and if they differ in no more values. Default: 8.
    pub most_differences: u32,
    /// `dynamic`: the same within loops, of values that later iterations may read. Default: 0, since a value
    /// that is a choice of what many iterations did is not that of a state before, so that no state would be
    /// subsumed any more: with 8, `tests/corpus/merging/bounded_loop.c` was not decided classically in 8 s.
    pub most_differences_in_loops: u32,
    /// `dynamic`: states wait for each other if no more locations lie between branching and meeting.
    /// Default: 32.
    pub near: usize,
    /// States that are executed between a branching and the meeting of its ways, before others get
    /// their turn again. Default: 1024.
    pub most_states: u64,
}

impl Default for MergingPolicy {
    fn default() -> MergingPolicy {
        MergingPolicy {
            limit: 1,
            iterations: 1,
            most_counted: 10,
            queries: 4,
            most_differences: 8,
            most_differences_in_loops: 0,
            near: 32,
            most_states: 1024,
        }
    }
}
