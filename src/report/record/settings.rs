//! The options that determine a run, and their assumptions.

use analysis::{AnalysisOptions, Policy, SignedOverflow};
use flowgraph::EndKind;
use frontend::{Loaded, StandIn, SymbolicEnvironment};
use property::{Reason, Reasons, size_of_stack};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use symex::{Accesses, SearchStrategy};
use term::Work;

/// The options that determine a run.
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a switch of its own on the command line"
)]
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// `default`, or the techniques that were used, with `+` between.
    pub technique: String,
    /// Disabled parts: links of the solver chain, `subsumption`, `state-conditions`.
    #[serde(default)]
    pub without: Vec<String>,
    /// Hints about templates that were wanted: `cores`, `iterations`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
    /// Threads for the techniques.
    #[serde(default)]
    pub jobs: usize,
    /// The numbers that steer.
    #[serde(default)]
    pub policy: Policy,
    /// `split` or `block`.
    pub granularity: String,
    /// `bfs`, `dfs`, `random`, `nearest` or `navigate`; `default` for that of each technique.
    pub search: String,
    /// Which states were merged: `none`, `aggressive`, `lattice`, `recursive` or `dynamic`; empty in
    /// records of before there was a choice.
    #[serde(default)]
    pub merge: String,
    /// `first` or `random`.
    pub template_choice: String,
    /// Seed of the random choices, where there are any.
    pub seed: Option<u64>,
    /// Whether all templates were computed before execution.
    pub templates_first: bool,
    pub timeout_s: u64,
    pub memory_mb: u64,
    /// Work for one query, in seconds of the machine that its weights were measured on.
    #[serde(alias = "query_timeout_s")]
    pub query_work_s: u64,
    /// Time for one query, where it is limited.
    #[serde(default)]
    pub query_time_s: Option<u64>,
    pub max_path_steps: Option<u64>,
    /// Whether a witness would be replayed.
    pub replay: bool,
    /// Whether executions end at undefined behaviour, instead of keeping the verdict open.
    #[serde(default)]
    pub undefined_ends: bool,
    /// The effect of signed overflow.
    #[serde(default)]
    pub signed_overflow: SignedOverflow,
    /// Whether executions that leave the bounds of an object were left out.
    #[serde(default)]
    pub assume_in_bounds: bool,
}

impl Settings {
    /// The settings that these options are.
    #[must_use]
    pub fn of(options: &AnalysisOptions) -> Settings {
        let execution = &options.execution;
        let search = options.search;
        let choice = execution.template_choice;
        let budget = &execution.budget;
        Settings {
            technique: options.techniques.name(),
            without: left_out(options),
            hints: execution.hints.names(),
            jobs: options.jobs,
            policy: options.policy(),
            granularity: options.load.granularity.name().to_owned(),
            search: search.map_or("default", SearchStrategy::name).to_owned(),
            merge: execution.merging.name().to_owned(),
            template_choice: choice.name().to_owned(),
            seed: search.and_then(SearchStrategy::seed).or(choice.seed()),
            templates_first: execution.templates_first,
            timeout_s: budget.time.as_secs(),
            memory_mb: budget.memory >> 20,
            query_work_s: budget.queries.most.as_units() / Work::seconds(1).as_units(),
            query_time_s: budget.query_time.map(|time| time.as_secs()),
            max_path_steps: (budget.path_steps != u64::MAX).then_some(budget.path_steps),
            replay: options.replay,
            undefined_ends: execution.property.undefined_ends(),
            signed_overflow: options.signed_overflow(),
            assume_in_bounds: execution.accesses == Accesses::AssumedInBounds,
        }
    }
}

/// Links of the solver chain, and the closing of subsumed states, where they were left out.
fn left_out(options: &AnalysisOptions) -> Vec<String> {
    let links = options.solver.without.iter();
    let links = links.map(|link| link.name().to_owned());
    let subsumption = (!options.execution.subsumption).then(|| "subsumption".to_owned());
    let conditions = !options.execution.state_conditions;
    let conditions = conditions.then(|| "state-conditions".to_owned());
    links.chain(subsumption).chain(conditions).collect()
}

/// That a stack of so many bytes is enough, as a clause.
pub(crate) fn enough_stack(bytes: u64) -> String {
    let size = size_of_stack(bytes);
    format!("a stack of {size} is enough for all calls and variables")
}

/// What these options assume about the executions of a program, of which some end in
/// `undefined` behaviour, and what stands in for parts of the program that was loaded.
pub(crate) fn assumptions(
    options: &AnalysisOptions,
    undefined: &Reasons,
    loaded: &Loaded,
) -> Vec<String> {
    let in_bounds = match options.execution.accesses {
        Accesses::Checked => None,
        Accesses::AssumedInBounds => Some("accesses are in bounds".to_owned()),
    };
    let starts_at = options.load.entry.as_ref().map(|entry| {
        format!(
            "{} is called once, and each pointer in its arguments points to a separate object of {} \
             bytes or of the size of its type, or to a function of its type",
            entry.name, entry.pointer_bytes
        )
    });
    // Where no execution ends in an overflow, that is no assumption.
    let overflow = EndKind::SignedOverflow.to_string();
    let is_overflow = |reason: &Reason| matches!(reason, Reason::UndefinedBehaviour(what, _) if *what == overflow);
    let overflows = undefined.iter().any(|(reason, _)| is_overflow(reason));
    let no_overflow = overflows.then(|| "no signed operation overflows".to_owned());
    let of_models: BTreeSet<&str> = loaded
        .stand_ins
        .iter()
        .filter_map(StandIn::assumption)
        .collect();
    let environment = options.load.environment.iter();
    let started_with = environment.flat_map(SymbolicEnvironment::clauses);
    [in_bounds, no_overflow, starts_at]
        .into_iter()
        .flatten()
        .chain(loaded.assumed.iter().cloned())
        .chain(of_models.into_iter().map(str::to_owned))
        .chain(started_with)
        .collect()
}
