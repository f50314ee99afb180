//! Results of tasks: what `--json` keeps of a benchmark, and a run resumes from.
//!
//! | field | meaning |
//! |---|---|
//! | `task` | name of the task: its file without the ending |
//! | `expected` | what the task says: `true`, `false`, or null |
//! | `verdict` | `true`, `false`, `unknown` |
//! | `seconds` | everything, by the clock |
//! | `technique` | `compact` or `classic` |
//! | `reason` | the reason for *unknown*, or null |
//! | `decided_by` | the technique that decided: `templates`, `paths` or `induction`, or null |
//! | `failure` | `timeout` or `unsupported` where the verdict is unknown, or null |
//! | `witness` | the result of `compact-se check` for the run's witness, if requested |
//! | `open_loops` | loops in which states waited at the end |
//! | … | limits, versions and everything else of the run's record |

use crate::tables::rows::{self, Keyed, Setup};
use ::svcomp::{Answer, why};
use report::Environment;
use report::record::{AnalysisRecord, Counts, OpenLoopRecord, ReasonRecord, Replay, Times};
use serde::{Deserialize, Serialize};

/// The key of a run: runs with equal keys measure the same.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct TaskKey {
    pub task: String,
    /// `compact` or `classic`.
    pub technique: String,
    #[serde(flatten)]
    pub setup: Setup,
}

/// A finished run of a task.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TaskRow {
    #[serde(flatten)]
    pub key: TaskKey,
    pub expected: Option<bool>,
    pub verdict: Answer,
    pub seconds: f64,
    pub reason: Option<String>,
    pub decided_by: Option<String>,
    pub failure: Option<Failure>,
    pub replay: Replay,
    pub reasons: Vec<ReasonRecord>,
    /// Undefined behaviour at which paths ended.
    pub undefined: Vec<ReasonRecord>,
    pub open_loops: Vec<OpenLoopRecord>,
    /// Of a decided verdict, where witnesses were requested.
    #[serde(default)]
    pub witness: Option<WitnessCheck>,
    pub times_s: Times,
    pub counts: Counts,
    pub peak_memory_bytes: u64,
    pub machine: String,
    /// The error, if there was no verdict at all.
    pub error: Option<String>,
}

/// How the paper counts what is not decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Failure {
    /// Out of time, and nothing else stood in the way.
    Timeout,
    /// Anything else, errors included.
    Unsupported,
}

/// The result of checking the witness of a verdict.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WitnessCheck {
    /// `confirmed`, `rejected`, `unknown`, or `none` where none was written.
    pub judgement: String,
    /// Why, where it is not confirmed.
    pub reason: Option<String>,
}

/// All rows of a benchmark.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TaskRows {
    /// Name of the benchmark.
    pub benchmark: String,
    pub tasks: Vec<TaskRow>,
}

impl TaskRow {
    /// The row of a run that ended with a record.
    #[must_use]
    pub fn of_record(key: TaskKey, expected: Option<bool>, record: &AnalysisRecord) -> TaskRow {
        let verdict = Answer::of_verdict(record.verdict);
        let is_open = verdict == Answer::Unknown;
        let decided_by = if record.counts.cuts > 0 {
            "induction"
        } else if record.counts.applications > 0 {
            "templates"
        } else {
            "paths"
        };
        TaskRow {
            key,
            expected,
            verdict,
            seconds: record.times_s.total,
            reason: is_open.then(|| why(&record.reasons)),
            decided_by: (!is_open).then(|| decided_by.to_owned()),
            failure: is_open.then(|| Failure::of(&record.reasons)),
            replay: record.replay,
            reasons: record.reasons.clone(),
            undefined: record.undefined.clone(),
            open_loops: record.open_loops.clone(),
            witness: None,
            times_s: record.times_s,
            counts: record.counts,
            peak_memory_bytes: record.peak_memory_bytes,
            machine: record.environment.machine.clone(),
            error: None,
        }
    }

    /// The row of a run that ended without a record.
    #[must_use]
    pub fn of_error(
        key: TaskKey,
        expected: Option<bool>,
        environment: &Environment,
        error: String,
    ) -> TaskRow {
        TaskRow {
            key,
            expected,
            verdict: Answer::Unknown,
            seconds: 0.0,
            reason: Some(error.clone()),
            decided_by: None,
            failure: Some(Failure::Unsupported),
            replay: Replay::None,
            reasons: Vec::new(),
            undefined: Vec::new(),
            open_loops: Vec::new(),
            witness: None,
            times_s: Times::default(),
            counts: Counts::default(),
            peak_memory_bytes: 0,
            machine: environment.machine.clone(),
            error: Some(error),
        }
    }

    /// Whether the run was broken off from outside, so that it says nothing.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.reasons
            .iter()
            .any(|reason| reason.kind == "interrupted")
    }

    /// Whether the verdict is decided and not the expected one.
    #[must_use]
    pub fn is_wrong(&self) -> bool {
        matches!(
            (self.expected, self.verdict),
            (Some(true), Answer::False) | (Some(false), Answer::True)
        )
    }
}

impl Failure {
    /// Time counts only where nothing else stood in the way but what the solver left open in it.
    fn of(reasons: &[ReasonRecord]) -> Failure {
        let is_out_of_time = reasons.iter().any(|reason| reason.kind == "out-of-time");
        let is_time =
            |reason: &ReasonRecord| matches!(reason.kind.as_str(), "out-of-time" | "undecided");
        if is_out_of_time && reasons.iter().all(is_time) {
            Failure::Timeout
        } else {
            Failure::Unsupported
        }
    }
}

impl TaskRows {
    /// No rows of the benchmark yet.
    #[must_use]
    pub fn new(benchmark: &str) -> TaskRows {
        TaskRows {
            benchmark: benchmark.to_owned(),
            tasks: Vec::new(),
        }
    }

    /// The finished row with this key.
    #[must_use]
    pub fn find(&self, key: &TaskKey) -> Option<&TaskRow> {
        rows::find(&self.tasks, key)
    }

    /// Adds a row; one with the same key is replaced.
    pub fn put(&mut self, row: TaskRow) {
        rows::put(&mut self.tasks, row);
    }
}

impl Keyed for TaskRow {
    type Key = TaskKey;

    fn key(&self) -> &TaskKey {
        &self.key
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub fn key(task: &str, technique: &str) -> TaskKey {
        TaskKey {
            task: task.to_owned(),
            technique: technique.to_owned(),
            setup: Setup {
                timeout_s: 300,
                memory_mb: 8192,
                query_work_s: 20,
                seed: 1,
                tool: "compact-se 0".to_owned(),
                commit: None,
                solver: "Z3".to_owned(),
            },
        }
    }

    pub fn reason(kind: &str) -> ReasonRecord {
        ReasonRecord {
            kind: kind.to_owned(),
            text: "why".to_owned(),
            place: "a.c:1".to_owned(),
            count: 1,
            hint: String::new(),
        }
    }

    pub fn row(task: &str, technique: &str, expected: bool, verdict: Answer) -> TaskRow {
        let environment = Environment {
            tool: String::new(),
            commit: None,
            solver: String::new(),
            machine: "a machine".to_owned(),
        };
        let row = TaskRow::of_error(
            key(task, technique),
            Some(expected),
            &environment,
            String::new(),
        );
        TaskRow {
            verdict,
            seconds: 1.5,
            reason: None,
            failure: None,
            error: None,
            ..row
        }
    }

    #[test]
    fn the_fields_that_others_read_stand_at_the_top() {
        let mut rows = TaskRows::new("b");
        rows.put(row("t", "compact", true, Answer::False));
        let json = serde_json::to_value(&rows).unwrap();
        let task = &json["tasks"][0];
        assert_eq!(task["task"], "t");
        assert_eq!(task["expected"], true);
        assert_eq!(task["verdict"], "false");
        assert_eq!(task["seconds"], 1.5);
        assert_eq!(task["technique"], "compact");
        assert!(task["reason"].is_null());
        assert_eq!(serde_json::from_value::<TaskRows>(json).unwrap(), rows);
        assert!(rows.tasks[0].is_wrong());
    }

    #[test]
    fn another_limit_is_another_run() {
        let mut rows = TaskRows::new("b");
        rows.put(row("t", "compact", true, Answer::True));
        let mut other = key("t", "compact");
        assert!(rows.find(&other).is_some());
        other.setup.timeout_s = 1;
        assert!(rows.find(&other).is_none());
    }

    #[test]
    fn a_timeout_is_one_only_if_nothing_else_stood_in_the_way() {
        let of = |kinds: &[&str]| {
            let reasons: Vec<_> = kinds.iter().map(|kind| reason(kind)).collect();
            Failure::of(&reasons)
        };
        assert_eq!(of(&["undecided", "out-of-time"]), Failure::Timeout);
        assert_eq!(of(&["unsupported", "out-of-time"]), Failure::Unsupported);
        assert_eq!(of(&["undecided"]), Failure::Unsupported);
    }
}
