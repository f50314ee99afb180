//! The record of an analysis: what `--json` writes, one object.
//!
//! | field | meaning |
//! |---|---|
//! | `format` | version of this layout, 1 |
//! | `environment` | tool, commit, solver, machine |
//! | `program` | input files, target as asked for, data model |
//! | `settings` | everything else that was chosen; times in seconds, memory in MB |
//! | `verdict` | `reachable`, `unreachable`, `unknown`; `error` in an [`ErrorRecord`] |
//! | `checks` | the kinds of errors that were looked for beside the target |
//! | `errors` | below *reachable*: what goes wrong, where, and with which inputs; one unless all were asked for, the worst first |
//! | `replay` | `confirmed`, `skipped` (by option), `none` (nothing to replay) |
//! | `stand_ins` | below *reachable*: functions of the C library that the program calls and the replay does not, with what stands in for them: `inputs`, `model`, `no-effect` |
//! | `inputs` | of the first error, in the order in which the program reads them |
//! | `started_with` | within `errors`: arguments, standard input and files, where they are symbolic by option |
//! | `path` | the choices on the path to the first error, in order |
//! | `reasons` | why the verdict is unknown, or why there may be more errors than were found, each with a count of paths |
//! | `assumptions` | what *unreachable* takes for granted, each a clause |
//! | `undefined` | undefined behaviour at which executions end by option, with counts of paths |
//! | `open_loops` | loops in which states waited at the end or were left undecided, that with most first |
//! | `annotations` | of locations, where the technique was asked for: from states that satisfy one nothing bad comes |
//! | `closed_by_conditions` | loops whose necessary conditions closed states, in a search for what is not covered |
//! | `times_s` | seconds, see [`Times`] |
//! | `counts` | see [`Counts`] |
//! | `peak_memory_bytes` | resident memory of the process |
//! | `solver` | statistics of each link of the solver chain |
//! | `techniques` | for each technique its work, and whether the verdict is its; times, counts and solver are those of the one that decided, or of the first |
//! | `notes` | sentences from loading |
//! | `checkpoint` | with `--checkpoint`: whether the run went on from one, what was there already, and whether one was written |
//!
//! Fields are added, never renamed or given another meaning, within one `format`.

mod annotations;
mod closings;
mod counts;

pub use self::annotations::AnnotationRecord;
pub use self::closings::ClosingRecord;
pub use self::counts::{
    AnnotationCounts, Counts, HintCounts, NavigationCounts, StateConditionCounts, Times,
};

use super::Environment;
use super::coverage::coverage_with_reason;
use crate::analysis::{
    Analysis, AnalysisOptions, Contribution, Defect, Policy, SignedOverflow, surroundings,
};
use crate::flowgraph::{EndKind, Granularity, Program, Span};
use crate::frontend::{
    DataModel, LoadOptions, Loaded, StandIn, SymbolicEnvironment, TargetSpec, c_string,
    is_of_environment,
};
use crate::property::{Check, Reason, Reasons, VerdictKind};
use crate::replay::{Confinement, Surroundings};
use crate::solver::LinkStatistics;
use crate::symex::{
    Accesses, Exhausted, InputValue, OpenLoop, PathStep, Report, SearchStrategy, Statistics,
    TemplateChoice, Verdict, Witness, WitnessInput,
};
use crate::term::{Bv, Work};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the layout.
pub const FORMAT: u32 = 1;

/// All that is told about one analysis.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AnalysisRecord {
    pub format: u32,
    pub environment: Environment,
    pub program: ProgramRecord,
    pub settings: Settings,
    pub verdict: VerdictKind,
    #[serde(default)]
    pub checks: Vec<String>,
    #[serde(default)]
    pub errors: Vec<ProgramError>,
    /// The verdict for each target, where each was asked about.
    #[serde(default)]
    pub targets: Vec<TargetRecord>,
    pub replay: Replay,
    #[serde(default)]
    pub stand_ins: Vec<StandIn>,
    pub inputs: Vec<InputRecord>,
    pub path: Vec<StepRecord>,
    pub reasons: Vec<ReasonRecord>,
    #[serde(default)]
    pub assumptions: Vec<String>,
    #[serde(default)]
    pub undefined: Vec<ReasonRecord>,
    #[serde(default)]
    pub open_loops: Vec<OpenLoopRecord>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub annotations: Vec<AnnotationRecord>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub closed_by_conditions: Vec<ClosingRecord>,
    pub times_s: Times,
    pub counts: Counts,
    pub peak_memory_bytes: u64,
    pub solver: Vec<LinkStatistics>,
    /// What each technique came to.
    #[serde(default)]
    pub techniques: Vec<Contribution>,
    pub notes: Vec<String>,
    /// Where the run was to leave what it was answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<CheckpointRecord>,
}

/// What a run made of its checkpoint.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CheckpointRecord {
    pub file: String,
    /// Whether it went on from the file.
    pub resumed: bool,
    /// Answers of the solver that were there already, and came up again.
    pub repeated_answers: u64,
    /// The work that they had taken, in seconds of the machine that its weights were measured on.
    pub repeated_work_s: f64,
    /// Whether a limit ended the run, and the file was written.
    pub written: bool,
}

/// The verdict for one target.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TargetRecord {
    /// `file:line:column`
    pub place: String,
    pub verdict: VerdictKind,
}

/// What is written instead where the program could not be analysed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ErrorRecord {
    pub format: u32,
    pub environment: Environment,
    /// `error`
    pub verdict: String,
    /// The message.
    pub error: String,
}

impl ErrorRecord {
    /// The record of an error with this message.
    #[must_use]
    pub fn new(environment: Environment, error: String) -> ErrorRecord {
        ErrorRecord {
            format: FORMAT,
            environment,
            verdict: "error".to_owned(),
            error,
        }
    }
}

/// What was analysed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProgramRecord {
    pub files: Vec<String>,
    /// As on the command line; `None` for the default target.
    pub target: Option<String>,
    /// `ILP32` or `LP64`; empty where a limit came before that was known.
    pub data_model: String,
}

/// The options that determine a run.
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a switch of its own on the command line"
)]
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// `default`, or the techniques that were used, with `+` between.
    pub technique: String,
    /// What was left out: links of the solver chain, `subsumption`, `state-conditions`.
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
    /// What becomes of executions in which a signed operation overflows.
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
        let (search, search_seed) = match options.search {
            None | Some(SearchStrategy::NearestAndNewest) => ("default", None),
            Some(SearchStrategy::Bfs) => ("bfs", None),
            Some(SearchStrategy::Dfs) => ("dfs", None),
            Some(SearchStrategy::Random(seed)) => ("random", Some(seed)),
            Some(SearchStrategy::Nearest) => ("nearest", None),
            Some(SearchStrategy::Navigate) => ("navigate", None),
            Some(SearchStrategy::Innermost) => ("innermost", None),
            Some(SearchStrategy::FewestIterations) => ("fewest_iterations", None),
            Some(SearchStrategy::Tree(seed)) => ("tree", Some(seed)),
            Some(SearchStrategy::Coverage(seed)) => ("coverage", Some(seed)),
            Some(SearchStrategy::Klee(seed)) => ("klee", Some(seed)),
        };
        let (template_choice, choice_seed) = match execution.template_choice {
            TemplateChoice::Random(seed) => ("random", Some(seed)),
            TemplateChoice::FirstFit => ("first", None),
        };
        let budget = &execution.budget;
        Settings {
            technique: options.techniques.name(),
            without: left_out(options),
            hints: execution.hints.names(),
            jobs: options.jobs,
            policy: options.policy(),
            granularity: match options.load.granularity {
                Granularity::Split => "split",
                Granularity::Block => "block",
            }
            .to_owned(),
            search: search.to_owned(),
            merge: execution.merging.name().to_owned(),
            template_choice: template_choice.to_owned(),
            seed: search_seed.or(choice_seed),
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

/// Of loading, and what the replay was not kept from.
fn notes(analysis: &Analysis, replay: Replay) -> Vec<String> {
    let mut notes = analysis.loaded.notes.clone();
    if replay == Replay::Confirmed {
        let kernel = Confinement::of_this_kernel();
        let confinement = Confinement {
            calls: kernel.calls && analysis.loaded.data_model == DataModel::Lp64,
            ..kernel
        };
        notes.extend(confinement.lacks().map(str::to_owned));
    }
    let defects = analysis.contributions.iter().filter_map(|contribution| {
        let defect = Defect(contribution.defect.clone()?);
        Some(format!("{}: {defect}", contribution.technique.name()))
    });
    notes.extend(defects);
    notes
}

/// What these options take for granted about the executions of a program, of which some end in
/// `undefined` behaviour.
pub(super) fn assumptions(options: &AnalysisOptions, undefined: &Reasons) -> Vec<String> {
    let in_bounds = match options.execution.accesses {
        Accesses::Checked => None,
        Accesses::AssumedInBounds => Some("accesses are in bounds".to_owned()),
    };
    let starts_at = options.load.entry.as_ref().map(|entry| {
        format!(
            "{} is called once, and each pointer that it gets is to an object of its own of {} bytes",
            entry.name, entry.pointer_bytes
        )
    });
    // Where no execution ends in an overflow, that is no assumption.
    let overflow = EndKind::SignedOverflow.to_string();
    let is_overflow = |reason: &Reason| matches!(reason, Reason::UndefinedBehaviour(what, _) if *what == overflow);
    let overflows = undefined.iter().any(|(reason, _)| is_overflow(reason));
    let no_overflow = overflows.then(|| "no signed operation overflows".to_owned());
    let environment = options.load.environment.iter();
    let started_with = environment.flat_map(SymbolicEnvironment::clauses);
    [in_bounds, no_overflow, starts_at]
        .into_iter()
        .flatten()
        .chain(started_with)
        .collect()
}

/// Links of the solver chain, and the closing of subsumed states, where they were left out.
fn left_out(options: &AnalysisOptions) -> Vec<String> {
    let links = options.solver.without.iter();
    let links = links.map(|link| format!("{link:?}").to_lowercase());
    let subsumption = (!options.execution.subsumption).then(|| "subsumption".to_owned());
    let conditions = !options.execution.state_conditions;
    let conditions = conditions.then(|| "state-conditions".to_owned());
    links.chain(subsumption).chain(conditions).collect()
}

/// An error of the program, or a way to the target.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProgramError {
    /// `target`, or the check that found it: `assertions`, `memory accesses`, …
    pub kind: String,
    /// What goes wrong, in a few words.
    pub text: String,
    /// `file:line:column`; empty where the source is not known.
    pub place: String,
    /// What a sanitizer reported in the replay, where one was asked.
    pub report: Option<String>,
    /// What the program is started with, where that is symbolic by option.
    #[serde(default)]
    pub started_with: Option<StartRecord>,
    pub inputs: Vec<InputRecord>,
    pub path: Vec<StepRecord>,
}

/// What a program is started with; texts are C string literals.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StartRecord {
    /// The program's name first.
    pub argv: Vec<String>,
    pub stdin: String,
    /// Those in its working folder, by name.
    pub files: BTreeMap<String, String>,
}

impl StartRecord {
    fn of(surroundings: &Surroundings) -> StartRecord {
        let files = surroundings.files.iter();
        StartRecord {
            argv: surroundings
                .arguments
                .iter()
                .map(|text| c_string(text))
                .collect(),
            stdin: c_string(&surroundings.stdin),
            files: files
                .map(|(name, content)| (name.clone(), c_string(content)))
                .collect(),
        }
    }
}

/// An error as a record.
pub(super) fn error_of(
    witness: &Witness,
    loaded: &Loaded,
    sources: &super::Sources,
) -> ProgramError {
    ProgramError::of(witness, loaded, sources)
}

impl ProgramError {
    fn of(witness: &Witness, loaded: &Loaded, sources: &super::Sources) -> ProgramError {
        let (program, steps) = (&loaded.program, witness.path.iter());
        let asked = witness.inputs.iter();
        let asked = asked.filter(|input| !is_of_environment(&input.name));
        ProgramError {
            kind: witness
                .error
                .check()
                .map_or("target", Check::name)
                .to_owned(),
            text: witness.error.to_string(),
            place: place(program, witness.target),
            report: witness.report.clone(),
            started_with: surroundings(loaded, witness).as_ref().map(StartRecord::of),
            inputs: asked.map(InputRecord::of).collect(),
            path: steps
                .map(|step| StepRecord::of(step, program, sources))
                .collect(),
        }
    }
}

/// What became of the native replay.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Replay {
    /// The program was run with the inputs and reached the target.
    Confirmed,
    /// Switched off by option.
    Skipped,
    /// There are no inputs to replay.
    None,
}

/// One input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct InputRecord {
    pub name: String,
    /// Whether the path depends on it; any value does where not.
    #[serde(default = "yes")]
    pub matters: bool,
    /// Whether the function that gives it is known to give unsigned numbers.
    #[serde(default)]
    pub is_unsigned: bool,
    /// Whether the function that gives it is known to give a `float` or `double`, whose bits the value has.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_float: bool,
    #[serde(flatten)]
    pub value: ValueRecord,
}

fn yes() -> bool {
    true
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands it a reference"
)]
fn is_false(value: &bool) -> bool {
    !*value
}

/// The value of an input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ValueRecord {
    /// A number of `bits` bits, read as signed and as unsigned, in decimal (it may be wider than
    /// JSON's numbers).
    Value {
        bits: u32,
        signed: String,
        unsigned: String,
    },
    /// Memory of `bytes` bytes: `default` everywhere but in the chunks.
    Memory {
        bytes: u64,
        default: u8,
        chunks: Vec<Chunk>,
    },
}

/// Bytes from an offset on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Chunk {
    pub offset: u64,
    /// Two hexadecimal digits a byte.
    pub hex: String,
}

/// A choice on the path: where the program had several ways to go on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StepRecord {
    /// `file:line:column`; empty where the source is not known.
    pub place: String,
    pub function: String,
    /// The source line.
    pub source: String,
    /// Name of the location where the edge leads.
    pub to: String,
    /// How often the loop was gone around that was folded here, in decimal.
    pub iterations: Option<String>,
}

/// Why the verdict is unknown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ReasonRecord {
    /// `undecided`, `unsupported`, `fault`, `undefined-behaviour`, `out-of-time`,
    /// `out-of-memory`, `interrupted`, `path-too-long`, `not-confirmed`, `replay-too-long`,
    /// `not-replayable`, `guess-refuted`, `no-invariant`, `defect`.
    pub kind: String,
    pub text: String,
    /// `file:line:column`; empty where there is none.
    pub place: String,
    /// How many paths it stopped.
    pub count: u64,
    /// What would help.
    pub hint: String,
}

/// A loop in which states waited when the run ended, or were left undecided.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpenLoopRecord {
    /// From 1, as `compact-se explain` numbers the loops; 0 in records of older versions.
    #[serde(default)]
    pub number: usize,
    /// `file:line` of its first line, `-line` of its last behind it; empty where it is not known.
    pub place: String,
    pub function: String,
    /// How its iterations were executed, and why not by one template; empty without templates.
    #[serde(default)]
    pub coverage: String,
    pub states: u64,
}

impl AnalysisRecord {
    /// Whether a limit of time or memory, or a signal, ended the run before it was over.
    #[must_use]
    pub fn is_ended_by_limit(&self) -> bool {
        let is_limit = |kind: &str| matches!(kind, "out-of-time" | "out-of-memory" | "interrupted");
        self.reasons.iter().any(|reason| is_limit(&reason.kind))
    }

    /// The record of a finished analysis.
    #[must_use]
    pub fn new(
        environment: Environment,
        options: &AnalysisOptions,
        analysis: &Analysis,
        sources: &super::Sources,
        total_s: f64,
    ) -> AnalysisRecord {
        let Report {
            verdict,
            further_errors,
            reasons,
            undefined,
            open_loops,
            annotations,
            statistics,
            solver_statistics,
            ..
        } = &analysis.report;
        let program = &analysis.loaded.program;
        let witness = match verdict {
            Verdict::Reachable(witness) => Some(witness),
            Verdict::Unreachable | Verdict::Unknown => None,
        };
        let all = witness.into_iter().map(|worst| &**worst);
        let all = all.chain(further_errors);
        let errors: Vec<ProgramError> = all
            .map(|witness| ProgramError::of(witness, &analysis.loaded, sources))
            .collect();
        let (inputs, path) = match errors.first() {
            Some(first) => (first.inputs.clone(), first.path.clone()),
            None => Default::default(),
        };
        let replay = match (witness, analysis.replayed) {
            (Some(_), true) => Replay::Confirmed,
            (Some(_), false) => Replay::Skipped,
            (None, _) => Replay::None,
        };
        AnalysisRecord {
            format: FORMAT,
            environment,
            program: ProgramRecord::of(&options.load, analysis.loaded.data_model.to_string()),
            settings: Settings::of(options),
            verdict: verdict.kind(),
            checks: (analysis.checks.iter())
                .map(|check| check.name().to_owned())
                .collect(),
            errors,
            targets: (analysis.targets.iter())
                .map(|target| TargetRecord {
                    place: place(program, target.place),
                    verdict: target.verdict,
                })
                .collect(),
            replay,
            stand_ins: match replay {
                Replay::Confirmed | Replay::Skipped => analysis.loaded.stand_ins.clone(),
                Replay::None => Vec::new(),
            },
            inputs,
            path,
            reasons: match verdict {
                Verdict::Reachable(_) if !options.execution.all_errors => Vec::new(),
                Verdict::Unknown | Verdict::Reachable(_) | Verdict::Unreachable => reasons
                    .iter()
                    .map(|(reason, n)| ReasonRecord::of(reason, n, program))
                    .collect(),
            },
            assumptions: match verdict {
                Verdict::Unreachable => assumptions(options, undefined),
                // The replay has checked a witness, and of the rest nothing is claimed.
                Verdict::Reachable(_) | Verdict::Unknown => Vec::new(),
            },
            undefined: undefined
                .iter()
                .map(|(reason, n)| ReasonRecord::of(reason, n, program))
                .collect(),
            open_loops: open_loops
                .iter()
                .map(|open| OpenLoopRecord::of(open, program))
                .collect(),
            annotations: annotations
                .iter()
                .map(|annotation| AnnotationRecord::of(annotation, program))
                .collect(),
            closed_by_conditions: ClosingRecord::all(&statistics.conditions, program),
            times_s: Times::of(statistics, analysis.load_time.as_secs_f64(), total_s),
            counts: Counts::of(statistics),
            peak_memory_bytes: statistics.peak_memory,
            solver: solver_statistics.clone(),
            techniques: analysis.contributions.clone(),
            notes: notes(analysis, replay),
            checkpoint: None,
        }
    }

    /// The record of an analysis that was broken off by a limit in the middle of its work, of which
    /// these are the last numbers known.
    #[must_use]
    pub fn broken_off(
        environment: Environment,
        options: &AnalysisOptions,
        why: Exhausted,
        last: &Statistics,
        total_s: f64,
    ) -> AnalysisRecord {
        let data_model = options.load.data_model;
        let data_model = data_model.map_or_else(String::new, |data_model| data_model.to_string());
        AnalysisRecord {
            format: FORMAT,
            environment,
            program: ProgramRecord::of(&options.load, data_model),
            settings: Settings::of(options),
            verdict: VerdictKind::Unknown,
            checks: Vec::new(),
            errors: Vec::new(),
            targets: Vec::new(),
            replay: Replay::None,
            inputs: Vec::new(),
            path: Vec::new(),
            stand_ins: Vec::new(),
            reasons: vec![ReasonRecord::at(String::new(), &Reason::Exhausted(why), 1)],
            assumptions: Vec::new(),
            undefined: Vec::new(),
            open_loops: Vec::new(),
            annotations: Vec::new(),
            closed_by_conditions: Vec::new(),
            times_s: Times::of(last, 0.0, total_s),
            counts: Counts::of(last),
            peak_memory_bytes: last.peak_memory,
            solver: Vec::new(),
            techniques: Vec::new(),
            notes: vec![
                "the limit came in the middle of a step: the numbers are those of the last step \
                 before, and open loops are not listed"
                    .to_owned(),
            ],
            checkpoint: None,
        }
    }
}

impl ProgramRecord {
    /// The program that these options name.
    #[must_use]
    pub fn of(load: &LoadOptions, data_model: String) -> ProgramRecord {
        ProgramRecord {
            files: load
                .inputs
                .iter()
                .map(|path| path.display().to_string())
                .collect(),
            target: (load.target != TargetSpec::Default).then(|| load.target.to_string()),
            data_model,
        }
    }
}

impl InputRecord {
    pub(super) fn of(input: &WitnessInput) -> InputRecord {
        let value = match &input.value {
            InputValue::Value(value) => ValueRecord::of(value),
            InputValue::Memory {
                bytes,
                default,
                chunks,
                address: _,
            } => ValueRecord::Memory {
                bytes: *bytes,
                default: *default,
                chunks: chunks
                    .iter()
                    .map(|(offset, bytes)| Chunk {
                        offset: *offset,
                        hex: hex(bytes),
                    })
                    .collect(),
            },
        };
        InputRecord {
            name: input.name.clone(),
            matters: input.matters,
            is_unsigned: input.call.as_deref().is_some_and(gives_unsigned),
            is_float: input.call.as_deref().is_some_and(gives_float),
            value,
        }
    }
}

/// Whether the name of a function for inputs says that they are unsigned: `compact_se_u8`,
/// `__VERIFIER_nondet_uint`.
fn gives_unsigned(call: &str) -> bool {
    let ty = call.rsplit('_').next().unwrap_or_default();
    let is_size = call.ends_with("size_t") && !call.ends_with("ssize_t");
    is_size || ty == "bool" || ty == "usize" || ty == "unsigned" || {
        let rest = ty.strip_prefix('u');
        rest.is_some_and(|rest| {
            ["char", "short", "int", "long", "longlong"].contains(&rest)
                || !rest.is_empty() && rest.chars().all(|digit| digit.is_ascii_digit())
        })
    }
}

/// Whether the name of a function for inputs says that they are floats: `__VERIFIER_nondet_double`.
fn gives_float(call: &str) -> bool {
    call.contains("nondet") && (call.ends_with("_float") || call.ends_with("_double"))
}

impl ValueRecord {
    fn of(value: &Bv) -> ValueRecord {
        ValueRecord::Value {
            bits: value.width(),
            signed: value.to_bigint().to_string(),
            unsigned: value.to_biguint().to_string(),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes
        .iter()
        .fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
}

impl Chunk {
    /// The bytes behind the digits.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let digits: Vec<u8> = self
            .hex
            .chars()
            .filter_map(|c| c.to_digit(16)?.try_into().ok())
            .collect();
        digits
            .chunks_exact(2)
            .map(|pair| pair[0] << 4 | pair[1])
            .collect()
    }
}

/// A place for people, empty where it is not known.
pub(super) fn place(program: &Program, span: Span) -> String {
    if span.line == 0 {
        String::new()
    } else {
        program.describe(span)
    }
}

/// Lines of a file for people, as `file:line` or `file:first-last`; empty if not known.
pub(super) fn lines(program: &Program, first: Span, last_line: u32) -> String {
    let first = Span { column: 0, ..first };
    let mut text = place(program, first);
    if first.line > 0 && last_line > first.line {
        text.push_str(&format!("-{last_line}"));
    }
    text
}

impl StepRecord {
    fn of(step: &PathStep, program: &Program, sources: &super::Sources) -> StepRecord {
        StepRecord {
            place: place(program, step.span),
            function: step.function.clone(),
            source: sources.line(step.span).to_owned(),
            to: step.to.clone(),
            iterations: step
                .iterations
                .as_ref()
                .map(|iterations| iterations.to_biguint().to_string()),
        }
    }
}

impl OpenLoopRecord {
    fn of(open: &OpenLoop, program: &Program) -> OpenLoopRecord {
        OpenLoopRecord {
            number: open.number,
            place: lines(program, open.span, open.last_line),
            coverage: open.coverage.as_ref().map_or_else(String::new, |coverage| {
                coverage_with_reason(coverage, program)
            }),
            function: open.function.clone(),
            states: open.n_states,
        }
    }
}

impl ReasonRecord {
    pub(super) fn of(reason: &Reason, count: u64, program: &Program) -> ReasonRecord {
        let place = reason.span().map(|span| place(program, span));
        ReasonRecord::at(place.unwrap_or_default(), reason, count)
    }

    fn at(place: String, reason: &Reason, count: u64) -> ReasonRecord {
        let (kind, hint) = kind_and_hint(reason);
        ReasonRecord {
            kind: kind.to_owned(),
            text: reason.to_string(),
            place,
            count,
            hint: hint.to_owned(),
        }
    }
}

/// The kind that records cite, and what would help.
fn kind_and_hint(reason: &Reason) -> (&'static str, &'static str) {
    match reason {
        Reason::Undecided(_) => (
            "undecided",
            "a larger --query-work may decide it, or --classic avoid it",
        ),
        Reason::Unsupported(what, _)
            if what.starts_with("call of ") && !what.contains(", since ") =>
        {
            (
                "unsupported",
                "give it a body that the engine knows, or exclude the path",
            )
        }
        Reason::Unsupported(..) => (
            "unsupported",
            "exclude the path by an assumption, or write it without this",
        ),
        Reason::Fault(..) => (
            "fault",
            "make the access safe, or assume before it that it is; C defines nothing after it",
        ),
        Reason::UndefinedBehaviour(..) => (
            "undefined-behaviour",
            "exclude it by an assumption; C defines nothing after it",
        ),
        Reason::Exhausted(Exhausted::Time) => ("out-of-time", "more time: --timeout"),
        Reason::Exhausted(Exhausted::Work) => ("out-of-work", "a larger share of the work"),
        Reason::Exhausted(Exhausted::Memory) => ("out-of-memory", "more memory: --memory"),
        Reason::Exhausted(Exhausted::Interrupted) => {
            ("interrupted", "run it again and let it finish")
        }
        Reason::NoInvariant(_) => (
            "no-invariant",
            "the other techniques beside it: leave --techniques out",
        ),
        Reason::PathTooLong => ("path-too-long", "a larger --max-path-steps, or none"),
        Reason::NotReplayable(_) => (
            "not-replayable",
            "install what is missing (scripts/setup.sh), or use --no-replay to see the inputs unconfirmed",
        ),
        Reason::ReplayTooLong(_) => (
            "replay-too-long",
            "assume smaller sizes and bounds, or see the inputs unconfirmed with --no-replay",
        ),
        Reason::GuessRefuted(_) => (
            "guess-refuted",
            "compact-se analyze executes the program instead of guessing",
        ),
        Reason::Defect(..) => (
            "defect",
            "please report it with the program; --without leaves the technique out",
        ),
        Reason::NotConfirmed(_) => (
            "not-confirmed",
            "this is a defect of compact-se: please report it with the program",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_digits_stand_for_their_bytes() {
        let bytes = vec![0x00, 0x7f, 0xff, 0x48];
        let chunk = Chunk {
            offset: 0,
            hex: hex(&bytes),
        };
        assert_eq!(chunk.hex, "007fff48");
        assert_eq!(chunk.bytes(), bytes);
    }

    #[test]
    fn names_say_what_is_unsigned() {
        for call in [
            "__VERIFIER_nondet_uchar",
            "compact_se_u64",
            "nondet_size_t",
            "next_uint",
        ] {
            assert!(gives_unsigned(call), "{call}");
        }
        for call in [
            "__VERIFIER_nondet_char",
            "compact_se_i8",
            "nondet_ssize_t",
            "usual",
            "u",
        ] {
            assert!(!gives_unsigned(call), "{call}");
        }
    }

    #[test]
    fn inputs_have_flat_fields() {
        let input = InputRecord {
            name: "x".to_owned(),
            matters: true,
            is_unsigned: gives_unsigned("__VERIFIER_nondet_uchar"),
            is_float: gives_float("__VERIFIER_nondet_uchar"),
            value: ValueRecord::of(&Bv::new(8, 251)),
        };
        let json = serde_json::to_value(&input).unwrap();
        let expected = serde_json::json!({
            "name": "x", "matters": true, "is_unsigned": true,
            "kind": "value", "bits": 8, "signed": "-5", "unsigned": "251",
        });
        assert_eq!(json, expected);
        assert_eq!(serde_json::from_value::<InputRecord>(json).unwrap(), input);
    }
}
