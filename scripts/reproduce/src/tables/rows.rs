//! Rows of benchmarks: parameters and results of a measured run, and storage of rows.

use report::Environment;
use report::record::{AnalysisRecord, Counts, ReasonRecord, Replay, Times};
use serde::{Deserialize, Serialize};

/// Further parameters of a measured run: its limits, and the versions.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Setup {
    pub timeout_s: u64,
    pub memory_mb: u64,
    /// Work for one query, in seconds of the machine that its weights were measured on.
    #[serde(alias = "query_timeout_s")]
    pub query_work_s: u64,
    pub seed: u64,
    pub tool: String,
    pub commit: Option<String>,
    pub solver: String,
}

impl Setup {
    /// One sentence for below a table; `machine` is that of a row.
    #[must_use]
    pub fn describe(&self, machine: &str) -> String {
        let commit = self
            .commit
            .as_deref()
            .map_or_else(String::new, |commit| format!(" at {commit}"));
        format!(
            "{}{commit}, {}; {} s, {} MB, {} s a query; seed {}; {machine}.",
            self.tool, self.solver, self.timeout_s, self.memory_mb, self.query_work_s, self.seed,
        )
    }
}

/// A row that is found again by its key: two runs with equal keys measure the same.
pub trait Keyed {
    type Key: PartialEq;

    fn key(&self) -> &Self::Key;
}

/// The row with this key.
pub fn find<'r, R: Keyed>(rows: &'r [R], key: &R::Key) -> Option<&'r R> {
    rows.iter().find(|row| row.key() == key)
}

/// Adds a row; one with the same key is replaced.
pub fn put<R: Keyed>(rows: &mut Vec<R>, row: R) {
    match rows.iter_mut().find(|known| known.key() == row.key()) {
        Some(known) => *known = row,
        None => rows.push(row),
    }
}

/// A finished run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Row<K> {
    pub key: K,
    pub machine: String,
    /// Load of the machine when the run ended, itself included: processes that ran or waited to,
    /// as an average over a minute.
    #[serde(default)]
    pub load: Option<f64>,
    /// `reachable`, `unreachable`, `unknown` or `error`.
    pub verdict: String,
    pub replay: Replay,
    pub reasons: Vec<ReasonRecord>,
    /// The assumptions of the verdict.
    #[serde(default)]
    pub assumptions: Vec<String>,
    pub times_s: Times,
    pub counts: Counts,
    pub peak_memory_bytes: u64,
    /// The error, if the verdict is `error`.
    pub error: Option<String>,
}

/// All rows: what `--json` keeps and a run resumes from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Rows<K> {
    /// Name of the benchmark.
    pub benchmark: String,
    pub rows: Vec<Row<K>>,
}

impl<K> Row<K> {
    /// The row of a run that ended with a record.
    #[must_use]
    pub fn of_record(key: K, record: &AnalysisRecord) -> Row<K> {
        Row {
            key,
            machine: record.environment.machine.clone(),
            load: report::environment::load_average(),
            verdict: record.verdict.name().to_owned(),
            replay: record.replay,
            reasons: record.reasons.clone(),
            assumptions: record.assumptions.clone(),
            times_s: record.times_s,
            counts: record.counts,
            peak_memory_bytes: record.peak_memory_bytes,
            error: None,
        }
    }

    /// The row of a run that ended without a record.
    #[must_use]
    pub fn of_error(key: K, environment: &Environment, error: String) -> Row<K> {
        Row {
            key,
            machine: environment.machine.clone(),
            load: report::environment::load_average(),
            verdict: "error".to_owned(),
            replay: Replay::None,
            reasons: Vec::new(),
            assumptions: Vec::new(),
            times_s: Times::default(),
            counts: Counts::default(),
            peak_memory_bytes: 0,
            error: Some(error),
        }
    }

    /// Whether a reason of this kind kept the verdict open.
    #[must_use]
    pub fn has_reason(&self, kind: &str) -> bool {
        self.reasons.iter().any(|reason| reason.kind == kind)
    }

    /// Whether the run was broken off from outside, so that it says nothing.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.has_reason("interrupted")
    }

    /// Whether there is a verdict.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        matches!(self.verdict.as_str(), "reachable" | "unreachable")
    }
}

impl<K: PartialEq> Keyed for Row<K> {
    type Key = K;

    fn key(&self) -> &K {
        &self.key
    }
}

impl<K: PartialEq> Rows<K> {
    /// No rows of the benchmark yet.
    #[must_use]
    pub fn new(benchmark: &str) -> Rows<K> {
        Rows {
            benchmark: benchmark.to_owned(),
            rows: Vec::new(),
        }
    }

    /// The finished row with this key.
    #[must_use]
    pub fn find(&self, key: &K) -> Option<&Row<K>> {
        find(&self.rows, key)
    }

    /// Adds a row; one with the same key is replaced.
    pub fn put(&mut self, row: Row<K>) {
        put(&mut self.rows, row);
    }
}
