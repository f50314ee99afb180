//! Times and counts of an analysis.

use ::necessary::StateConditionStatistics;
use invariants::AnnotationStatistics;
use navigation::NavigationStatistics;
use serde::{Deserialize, Serialize};
use symex::{HintStatistics, Statistics};
use term::Work;

/// Where the time went, in seconds.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Times {
    /// Reading, compiling, lowering.
    pub load: f64,
    /// Finding cycles and computing templates, the solver's share included.
    pub templates: f64,
    /// Executing, the solver's share and the replay included.
    pub execution: f64,
    /// Native runs of witnesses.
    #[serde(default)]
    pub replay: f64,
    /// All queries, of templates and execution.
    pub solver: f64,
    /// Looking for states that subsume others, the solver's share included.
    #[serde(default)]
    pub subsumption: f64,
    /// Annotating locations and asking which states imply that, the solver's share included.
    #[serde(default)]
    pub annotations: f64,
    /// Everything, by the clock.
    pub total: f64,
}

/// How much of everything.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    /// States in the execution tree.
    pub states: u64,
    /// States that were still waiting.
    pub waiting: u64,
    /// Paths that ended.
    pub paths: u64,
    /// Actions executed, about one an instruction.
    pub actions: u64,
    /// Cycles of the flowgraph, by Definition 1: with each entry location.
    pub cycles: u64,
    /// The same with each core counted once, as the paper counts them.
    #[serde(default)]
    pub cores: u64,
    /// Whether there are more cycles than were examined.
    pub cycles_cut: bool,
    /// Cycles with a template.
    pub templates: u64,
    /// Natural loops for which a template was requested.
    #[serde(default)]
    pub loops: u64,
    /// Natural loops with a template of their own.
    #[serde(default)]
    pub loop_templates: u64,
    /// Ways in which functions call themselves, as far as a template was requested.
    #[serde(default)]
    pub recursions: u64,
    /// Those of them with a template.
    #[serde(default)]
    pub recursion_templates: u64,
    /// How often a template was applied.
    pub applications: u64,
    /// How often a loop was cut, in a proof by induction; 0 where the program was executed.
    #[serde(default)]
    pub cuts: u64,
    /// Iterations of a loop that were examined together, in a proof by k-induction; else 0 or 1.
    #[serde(default)]
    pub k: u32,
    pub queries: u64,
    /// Queries that stayed open: the paper's SMT failures.
    pub failed_queries: u64,
    /// States that were closed since others subsume them.
    #[serde(default)]
    pub subsumed: u64,
    /// States that became a part of others, with which they met behind a branching.
    #[serde(default)]
    pub merged: u64,
    /// Longest path, in steps.
    pub depth: u64,
    /// States that were taken from the queue.
    #[serde(default)]
    pub visited: u64,
    /// Those of them at branchings.
    #[serde(default)]
    pub forks: u64,
    /// Conjuncts of the path condition to the error that was found last.
    #[serde(default)]
    pub conjuncts: u64,
    /// Statistics of navigation; zeros if it did not give the order.
    #[serde(default)]
    pub navigation: NavigationCounts,
    /// Statistics of annotations; zeros if no location was annotated.
    #[serde(default)]
    pub annotations: AnnotationCounts,
    /// Statistics of necessary conditions of states; zeros if they were not used.
    #[serde(default)]
    pub state_conditions: StateConditionCounts,
    /// Statistics of hints about templates; zeros if they were off.
    #[serde(default)]
    pub hints: HintCounts,
}

/// Statistics of hints about templates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct HintCounts {
    /// Loops in unsatisfiable cores, whose templates come first.
    pub loops: u64,
    /// Templates that were used earlier than they would have been otherwise.
    pub early: u64,
    /// Queries about exits with a number of iterations.
    pub asked: u64,
    /// Those of them that were answered by yes.
    pub hits: u64,
    /// Work for all that.
    pub work: Work,
}

/// Statistics of necessary conditions of states.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct StateConditionCounts {
    /// States that were checked.
    pub asked: u64,
    /// States that were closed.
    pub closed: u64,
    /// Models that were tried.
    pub models: u64,
    /// Those of them that reached the target, or passed an open goal.
    pub hits: u64,
    /// Work for all that.
    pub work: Work,
}

/// Statistics of annotations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AnnotationCounts {
    /// States that implied an annotation, and were closed.
    pub closed: u64,
    /// States of which that was asked.
    pub checked: u64,
    /// Locations with an annotation, each in each context of calls.
    pub points: u64,
    /// Loop headers whose annotation holds for all iterations.
    pub headers: u64,
}

/// Statistics of navigation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct NavigationCounts {
    /// States whose constraint systems were checked.
    pub assessed: u64,
    /// States that were closed, since no system had a solution.
    pub refuted: u64,
    /// Systems of the first state.
    pub systems: u64,
    /// Those of them without a solution.
    pub eliminated: u64,
    /// Queries for the first state.
    pub first_questions: u64,
    /// Queries for all others.
    pub questions: u64,
    /// Systems that intervals of counters refuted, so that the solver was not asked.
    pub by_intervals: u64,
}

impl AnnotationCounts {
    pub(super) fn of(statistics: &AnnotationStatistics) -> AnnotationCounts {
        AnnotationCounts {
            closed: statistics.n_closed,
            checked: statistics.n_checked,
            points: statistics.n_points,
            headers: statistics.n_headers,
        }
    }
}

impl HintCounts {
    pub(super) fn of(statistics: &HintStatistics) -> HintCounts {
        HintCounts {
            loops: statistics.n_loops,
            early: statistics.n_early,
            asked: statistics.n_asked,
            hits: statistics.n_hits,
            work: statistics.work,
        }
    }
}

impl StateConditionCounts {
    pub(crate) fn of(statistics: &StateConditionStatistics) -> StateConditionCounts {
        StateConditionCounts {
            asked: statistics.n_asked,
            closed: statistics.n_closed,
            models: statistics.n_models,
            hits: statistics.n_hits,
            work: statistics.work,
        }
    }
}

impl NavigationCounts {
    pub(super) fn of(statistics: &NavigationStatistics) -> NavigationCounts {
        NavigationCounts {
            assessed: statistics.n_assessed,
            refuted: statistics.n_refuted,
            systems: statistics.n_systems,
            eliminated: statistics.n_eliminated,
            first_questions: statistics.n_first_questions,
            questions: statistics.n_questions,
            by_intervals: statistics.n_by_intervals,
        }
    }
}

impl Times {
    pub(super) fn of(statistics: &Statistics, load: f64, total: f64) -> Times {
        Times {
            load,
            templates: statistics.table.time.as_secs_f64(),
            execution: statistics.execution_time.as_secs_f64(),
            replay: statistics.replay_time.as_secs_f64(),
            solver: statistics.solver_time.as_secs_f64(),
            subsumption: statistics.subsumption.time.as_secs_f64(),
            annotations: statistics.annotations.time.as_secs_f64(),
            total,
        }
    }

    /// From the end of loading to the verdict, by the clock, whichever techniques were at work; in seconds.
    #[must_use]
    pub fn after_loading(&self) -> f64 {
        (self.total - self.load).max(0.0)
    }
}

impl Counts {
    pub(super) fn of(statistics: &Statistics) -> Counts {
        Counts {
            states: statistics.n_states,
            waiting: statistics.n_waiting as u64,
            paths: statistics.n_paths,
            actions: statistics.n_actions,
            cycles: statistics.table.n_cycles as u64,
            cores: statistics.table.n_cores as u64,
            cycles_cut: statistics.table.cycles_cut,
            templates: statistics.table.n_templates as u64,
            loops: statistics.table.n_loops as u64,
            loop_templates: statistics.table.n_loop_templates as u64,
            recursions: statistics.table.n_recursions as u64,
            recursion_templates: statistics.table.n_recursion_templates as u64,
            applications: statistics.n_applications,
            cuts: statistics.n_cuts,
            k: statistics.k,
            queries: statistics.n_queries,
            failed_queries: statistics.n_failed_queries,
            subsumed: statistics.subsumption.n_subsumed,
            merged: statistics.merging.n_merged,
            depth: statistics.depth,
            visited: statistics.n_visited,
            forks: statistics.n_forks,
            conjuncts: statistics.n_conjuncts,
            navigation: NavigationCounts::of(&statistics.navigation),
            annotations: AnnotationCounts::of(&statistics.annotations),
            state_conditions: StateConditionCounts::of(&statistics.conditions),
            hints: HintCounts::of(&statistics.hints),
        }
    }
}
