//! The record of an analysis: what `--json` writes, one object.
//!
//! | field | meaning |
//! |---|---|
//! | `format` | version of this layout, 1 |
//! | `environment` | tool, commit, solver, machine |
//! | `program` | input files, target as asked for, data model |
//! | `settings` | all other options; times in seconds, memory in MB |
//! | `verdict` | `reachable`, `unreachable`, `unknown`; `error` in an [`ErrorRecord`] |
//! | `checks` | the checks in addition to the target |
//! | `errors` | for *reachable*: the errors with location and inputs; one unless all were requested, the worst first |
//! | `replay` | `confirmed`, `skipped` (by option), `none` (nothing to replay) |
//! | `stand_ins` | for *reachable*: functions of the C library that the program calls and the replay replaces, with their stand-in: `inputs`, `model`, `no-effect` |
//! | `inputs` | of the first error, in the order in which the program reads them |
//! | `target` | within `errors`: the reached target, if there are several |
//! | `message`, `suffix` | within `errors`: the arguments of `klee_report_error` |
//! | `started_with` | within `errors`: arguments, standard input and files, if they are symbolic by option |
//! | `path` | the choices on the path to the first error, in order |
//! | `reasons` | reasons for *unknown*, or for possible further errors, each with a count of paths |
//! | `assumptions` | the assumptions of *unreachable*, each a clause |
//! | `undefined` | undefined behaviour at which executions end by option, with counts of paths |
//! | `open_loops` | loops with waiting or undecided states at the end, by descending number of states |
//! | `annotations` | annotations of locations, if the technique was requested: no violation follows from states that satisfy one |
//! | `closed_by_conditions` | loops whose necessary conditions closed states during a search for uncovered locations |
//! | `times_s` | seconds, see [`Times`] |
//! | `counts` | see [`Counts`] |
//! | `peak_memory_bytes` | resident memory of the process |
//! | `solver` | statistics of each link of the solver chain |
//! | `techniques` | for each technique its work, and whether it decided; times, counts and solver are those of the one that decided, or of the first |
//! | `notes` | sentences from loading, and about assumptions that never hold |
//! | `checkpoint` | with `--checkpoint`: whether the run resumed, the data resumed from, and whether a checkpoint was written |
//!
//! Fields are added, never renamed or given another meaning, within one `format`.

mod annotations;
mod closings;
mod counts;
mod errors;
mod inputs;
mod parts;
mod reasons;
mod settings;

pub use self::annotations::AnnotationRecord;
pub use self::closings::ClosingRecord;
pub use self::counts::{
    AnnotationCounts, Counts, HintCounts, NavigationCounts, StateConditionCounts, Times,
};
pub use self::errors::{ProgramError, StartRecord, StepRecord};
pub(super) use self::errors::{error_of, given_to};
pub use self::inputs::{Chunk, InputRecord, ValueRecord};
pub use self::parts::Part;
pub use self::reasons::{OpenLoopRecord, ReasonRecord};
pub use self::settings::Settings;
pub(super) use self::settings::{assumptions, enough_stack};

use super::Environment;
use analysis::{Analysis, AnalysisOptions, Contribution, Defect, Technique};
use flowgraph::{Program, Span};
use frontend::{DataModel, LoadOptions, StandIn, TargetSpec};
use invariants::{FunctionContract, LoopInvariant};
use property::{Reason, VerdictKind};
use replay::Confinement;
use serde::{Deserialize, Serialize};
use solver::LinkStatistics;
use symex::{Exhausted, Report, Statistics, Verdict};

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
    /// The verdict for each target, where each was checked.
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
    /// Loop invariants of a proof of *unreachable*.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub invariants: Vec<InvariantRecord>,
    /// Function contracts of a proof of *unreachable*.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contracts: Vec<ContractRecord>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub closed_by_conditions: Vec<ClosingRecord>,
    pub times_s: Times,
    pub counts: Counts,
    pub peak_memory_bytes: u64,
    pub solver: Vec<LinkStatistics>,
    /// The result of each technique.
    #[serde(default)]
    pub techniques: Vec<Contribution>,
    pub notes: Vec<String>,
    /// Where the run was to leave what it was answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<CheckpointRecord>,
}

/// The use of a checkpoint in a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CheckpointRecord {
    pub file: String,
    /// Whether it continued from the file.
    pub resumed: bool,
    /// Answers of the solver that were there already, and came up again.
    pub repeated_answers: u64,
    /// The work that they had taken, in seconds of the machine that its weights were measured on.
    pub repeated_work_s: f64,
    /// Whether a limit ended the run, and the file was written.
    pub written: bool,
}

/// A condition that holds whenever a loop evaluates its condition.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct InvariantRecord {
    /// Of the loop, as `file:line`.
    pub place: String,
    /// Expressions of C.
    pub conjuncts: Vec<String>,
}

impl InvariantRecord {
    /// Those of a proof.
    #[must_use]
    pub fn all(invariants: &[LoopInvariant], program: &Program) -> Vec<InvariantRecord> {
        let each = invariants.iter().map(|invariant| InvariantRecord {
            place: place(program, invariant.place),
            conjuncts: invariant.conjuncts.clone(),
        });
        each.collect()
    }

    /// In words, with so many conjuncts at most.
    #[must_use]
    pub fn in_words(&self, most: usize) -> String {
        let place = &self.place;
        let conjuncts = joined(&self.conjuncts, most);
        format!("in each iteration of the loop at {place}: {conjuncts}")
    }
}

/// The contract of a function: its precondition and postcondition.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ContractRecord {
    pub function: String,
    /// Expressions of C over the parameters.
    pub requires: Vec<String>,
    /// The same over `\result` and `\at(x, Old)` for each parameter x.
    pub ensures: Vec<String>,
}

impl ContractRecord {
    /// Those of a proof.
    #[must_use]
    pub fn all(contracts: &[FunctionContract]) -> Vec<ContractRecord> {
        let each = contracts.iter().map(|contract| ContractRecord {
            function: contract.function.clone(),
            requires: contract.requires.clone(),
            ensures: contract.ensures.clone(),
        });
        each.collect()
    }

    /// In words, with so many conjuncts of each kind at most.
    #[must_use]
    pub fn in_words(&self, most: usize) -> String {
        let part = |verb: &str, conjuncts: &[String]| {
            (!conjuncts.is_empty()).then(|| format!("{verb} {}", joined(conjuncts, most)))
        };
        let parts = [
            part("requires", &self.requires),
            part("ensures", &self.ensures),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        format!("{} {}", self.function, parts.join(", and "))
    }
}

/// The first so many conjuncts, and how many more there are; without the casts by which sums do not overflow:
/// read as statements about numbers, which have no size. As C they stand in the record and in witnesses.
fn joined(conjuncts: &[String], most: usize) -> String {
    let shown = &conjuncts[..most.min(conjuncts.len())];
    let shown = shown.join(" && ");
    let shown = shown.replace("(long long)", "").replace("(__int128)", "");
    match conjuncts.len().saturating_sub(most) {
        0 => shown,
        more => format!("{shown} && {more} more"),
    }
}

/// The verdict for one target.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TargetRecord {
    /// `file:line:column`
    pub place: String,
    /// A function or a label; empty where that is not known.
    #[serde(default)]
    pub name: String,
    pub verdict: VerdictKind,
}

/// The record of a program that could not be analysed.
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

/// The analysed program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProgramRecord {
    pub files: Vec<String>,
    /// As on the command line; `None` for the default target.
    pub target: Option<String>,
    /// `ILP32` or `LP64`; empty where a limit came before that was known.
    pub data_model: String,
}

/// Of loading, of assumptions that never hold, and what the replay was not kept from.
fn notes(analysis: &Analysis, replay: Replay) -> Vec<String> {
    let mut notes = analysis.loaded.notes.clone();
    notes.extend(analysis.never_hold.iter().map(|span| {
        let place = place(&analysis.loaded.program, *span);
        format!("the assumption at {place} never holds, so no execution passes it")
    }));
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

/// The outcome of the native replay.
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
            invariants,
            contracts,
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
            .map(|witness| {
                ProgramError::of(witness, &options.load.target, &analysis.loaded, sources)
            })
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
                    name: (analysis.loaded.targets_at(target.place).next())
                        .map_or_else(String::new, |known| known.name.clone()),
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
                Verdict::Unreachable => {
                    let mut assumptions = assumptions(options, undefined, &analysis.loaded);
                    assumptions.extend(analysis.assumed_stack().map(enough_stack));
                    assumptions
                }
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
            invariants: match verdict {
                Verdict::Unreachable => InvariantRecord::all(invariants, program),
                // They were no proof of the whole.
                Verdict::Reachable(_) | Verdict::Unknown => Vec::new(),
            },
            contracts: match verdict {
                Verdict::Unreachable => ContractRecord::all(contracts),
                Verdict::Reachable(_) | Verdict::Unknown => Vec::new(),
            },
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
    /// these are the last numbers known, and the place where the step began.
    #[must_use]
    pub fn broken_off(
        environment: Environment,
        options: &AnalysisOptions,
        why: Exhausted,
        (last, place): (&Statistics, Option<&str>),
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
            invariants: Vec::new(),
            contracts: Vec::new(),
            closed_by_conditions: Vec::new(),
            times_s: Times::of(last, 0.0, total_s),
            counts: Counts::of(last),
            peak_memory_bytes: last.peak_memory,
            solver: Vec::new(),
            techniques: Vec::new(),
            notes: vec![broken_off_in(last, place, options)],
            checkpoint: None,
        }
    }
}

/// In what a limit came, of which these are the last numbers, and the place where the step began.
fn broken_off_in(last: &Statistics, place: Option<&str>, options: &AnalysisOptions) -> String {
    if last.n_states == 0 {
        return "the limit was reached before the first step, while the program was loaded or its loops were examined"
            .to_owned();
    }
    let come = place.map_or_else(String::new, |place| {
        // Steps of the first technique are told, and these two are never of no use.
        let technique = match options.techniques.iter().next() {
            Some(Technique::Compact) => "compact execution",
            Some(Technique::Classic) => "classic execution",
            _ => "execution",
        };
        format!("; {technique} was at {place}")
    });
    format!(
        "the limit was reached in the middle of a step{come}: the numbers are those of the previous \
         step, and open loops are not listed"
    )
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
