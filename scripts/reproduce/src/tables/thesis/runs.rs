//! Runs of the thesis' experiments: how a program is executed, what is kept of it, and the metrics of
//! Section 6.2.

use super::NAME;
use crate::tables::rows::{self, Keyed, Setup};
use property::VerdictKind;
use report::{AnalysisRecord, Environment};
use serde::{Deserialize, Serialize};
use term::Work;

/// The search strategies, in the order of the thesis' tables.
pub const SEARCHES: [&str; 6] = ["dfs", "bfs", "random", "tree", "coverage", "klee"];

/// The merge strategies, as the thesis and as `--merge` calls them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Merge {
    None,
    Recursive,
    Lattice,
    Aggressive,
}

impl Merge {
    /// As in the thesis' tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Merge::None => "none",
            Merge::Recursive => "recursive",
            Merge::Lattice => "lattice-based",
            Merge::Aggressive => "aggressive",
        }
    }
}

/// How a program is executed: one of the thesis' configurations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Configuration {
    /// One of [`SEARCHES`].
    pub search: &'static str,
    pub merge: Merge,
    /// `limit-cost`: states are merged for fewer queries than this.
    pub limit_cost: u32,
    /// κ: iterations of each loop for `recursive`.
    pub kappa: u32,
    /// Whether subsumed states are closed.
    pub subsumption: bool,
    /// Whether loops are replaced by templates.
    pub summarisation: bool,
}

impl Configuration {
    /// The basic executor with a search strategy and a merge strategy.
    #[must_use]
    pub fn of(search: &'static str, merge: Merge, limit_cost: u32, kappa: u32) -> Configuration {
        Configuration {
            search,
            merge,
            limit_cost,
            kappa,
            subsumption: false,
            summarisation: false,
        }
    }

    /// The options of `analyze`, with blanks between.
    #[must_use]
    pub fn options(&self) -> String {
        let technique = if self.summarisation {
            "compact"
        } else {
            "classic"
        };
        let mut options = format!("--techniques={technique} --search={}", self.search);
        if !self.subsumption {
            options.push_str(" --without=subsumption");
        }
        let Configuration {
            limit_cost, kappa, ..
        } = self;
        options.push_str(&match self.merge {
            Merge::None => String::new(),
            Merge::Aggressive => " --merge=aggressive".to_owned(),
            Merge::Lattice => format!(" --merge=lattice --merge-limit={limit_cost}"),
            Merge::Recursive => {
                format!(" --merge=recursive --merge-limit={limit_cost} --merge-iterations={kappa}")
            }
        });
        options
    }
}

/// The techniques of the final experiments (Section 6.3.3), and all of ours together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Technique {
    Nothing,
    Merging,
    Subsumption,
    Summarisation,
    /// As `analyze` comes.
    Together,
}

impl Technique {
    /// Those of Tables 6.17 to 6.20, in this order, and what the thesis names as future work.
    pub const ALL: [Technique; 5] = [
        Technique::Nothing,
        Technique::Merging,
        Technique::Subsumption,
        Technique::Summarisation,
        Technique::Together,
    ];

    /// For headings.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Technique::Nothing => "no technique",
            Technique::Merging => "merging",
            Technique::Subsumption => "subsumption",
            Technique::Summarisation => "summarisation",
            Technique::Together => "all together",
        }
    }

    /// The options of `analyze`, with blanks between.
    #[must_use]
    pub fn options(self) -> String {
        let basic = Configuration::of("tree", Merge::None, 1, 1);
        match self {
            Technique::Nothing => basic.options(),
            Technique::Merging => Configuration {
                merge: Merge::Lattice,
                ..basic
            }
            .options(),
            Technique::Subsumption => Configuration {
                subsumption: true,
                ..basic
            }
            .options(),
            Technique::Summarisation => Configuration {
                summarisation: true,
                ..basic
            }
            .options(),
            Technique::Together => String::new(),
        }
    }
}

/// What identifies a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ThesisKey {
    /// Name of the program set.
    pub set: String,
    /// From 1.
    pub program: u32,
    /// Options of `analyze`, with blanks between.
    pub options: String,
    /// The limit in seconds of counted work, where there is one.
    pub work_s: Option<u64>,
    #[serde(flatten)]
    pub setup: Setup,
}

/// A finished run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ThesisRow {
    pub key: ThesisKey,
    pub machine: String,
    /// `reachable`, `unreachable`, `unknown` or `error`.
    pub verdict: String,
    /// Kinds of the reasons that kept the verdict open.
    pub reasons: Vec<String>,
    /// Which technique decided, where several worked.
    pub decided_by: Option<String>,
    /// Paths that ended, those in an error included.
    pub paths: u64,
    /// Everything but loading.
    pub seconds: f64,
    /// Of all techniques.
    pub work: Work,
    /// The error, if the verdict is `error`.
    pub error: Option<String>,
}

impl Keyed for ThesisRow {
    type Key = ThesisKey;

    fn key(&self) -> &ThesisKey {
        &self.key
    }
}

/// What came out of a run, as the thesis counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// An error was found, and replayed.
    Error,
    /// There is none.
    Closed,
    /// At the limit of time or work, the thesis' timeout.
    Limit,
    /// Not decided for another reason.
    Open,
    /// No result.
    Failed,
}

impl ThesisRow {
    /// The row of a run that ended with a record.
    #[must_use]
    pub fn of_record(key: ThesisKey, record: &AnalysisRecord) -> ThesisRow {
        let deciding = record.techniques.iter().find(|one| one.decided);
        ThesisRow {
            machine: record.environment.machine.clone(),
            verdict: record.verdict.name().to_owned(),
            reasons: (record.reasons.iter())
                .map(|reason| reason.kind.clone())
                .collect(),
            decided_by: deciding.map(|one| one.technique.name().to_owned()),
            paths: record.counts.paths,
            seconds: (record.times_s.total - record.times_s.load).max(0.0),
            work: record.techniques.iter().map(|one| one.work).sum(),
            error: None,
            key,
        }
    }

    /// The row of a run that ended without one.
    #[must_use]
    pub fn of_error(key: ThesisKey, environment: &Environment, error: String) -> ThesisRow {
        ThesisRow {
            key,
            machine: environment.machine.clone(),
            verdict: "error".to_owned(),
            reasons: Vec::new(),
            decided_by: None,
            paths: 0,
            seconds: 0.0,
            work: Work::ZERO,
            error: Some(error),
        }
    }

    /// Whether the run was broken off from outside, so that it says nothing.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.reasons.iter().any(|kind| kind == "interrupted")
    }

    /// The limit of work, where that is what limits.
    fn limit(&self) -> Option<Work> {
        self.key.work_s.map(Work::seconds)
    }

    /// The result. Several techniques have the limit of one: what they decide with more work together comes
    /// too late.
    #[must_use]
    pub fn ended(&self) -> Ended {
        let is_verdict = |kind: VerdictKind| self.verdict == kind.name();
        let is_late = self.limit().is_some_and(|limit| self.work > limit);
        let has_limit = |kind: &String| kind == "out-of-time" || kind == "out-of-work";
        if self.error.is_some() {
            Ended::Failed
        } else if is_late || self.reasons.iter().any(has_limit) {
            Ended::Limit
        } else if is_verdict(VerdictKind::Reachable) {
            Ended::Error
        } else if is_verdict(VerdictKind::Unreachable) {
            Ended::Closed
        } else {
            Ended::Open
        }
    }

    /// Path coverage: paths that were explored without finding an error (Section 6.2).
    #[must_use]
    pub fn path_coverage(&self) -> u64 {
        let in_error = u64::from(self.ended() == Ended::Error);
        self.paths.saturating_sub(in_error)
    }

    /// Time to finish, in seconds: of work where that is what limits, else of time. A run that ended at
    /// the limit of time has all of its work: what it came to is not always known.
    #[must_use]
    pub fn time_s(&self) -> f64 {
        match self.limit() {
            Some(limit) if self.ended() == Ended::Limit => limit.as_seconds(),
            Some(limit) => self.work.min(limit).as_seconds(),
            None => self.seconds,
        }
    }
}

/// How query counts are estimated (Section 4.3.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Estimated {
    Recursive,
    LatticeBased,
}

/// A finished estimation of query counts.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CostRow {
    pub set: String,
    /// From 1.
    pub program: u32,
    pub by: Estimated,
    /// `None` where the time was over.
    pub seconds: Option<f64>,
    /// The limit.
    pub timeout_s: u64,
}

/// All rows: what `--json` keeps and a run resumes from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ThesisRows {
    /// Name of the benchmark.
    pub benchmark: String,
    #[serde(default)]
    pub costs: Vec<CostRow>,
    #[serde(default)]
    pub rows: Vec<ThesisRow>,
}

impl Default for ThesisRows {
    fn default() -> ThesisRows {
        ThesisRows {
            benchmark: NAME.to_owned(),
            costs: Vec::new(),
            rows: Vec::new(),
        }
    }
}

impl ThesisRows {
    /// The finished row with this key.
    #[must_use]
    pub fn find(&self, key: &ThesisKey) -> Option<&ThesisRow> {
        rows::find(&self.rows, key)
    }

    /// Adds a row; one with the same key is replaced.
    pub fn put(&mut self, row: ThesisRow) {
        rows::put(&mut self.rows, row);
    }

    /// The finished estimation.
    #[must_use]
    pub fn cost(&self, set: &str, program: u32, by: Estimated, timeout_s: u64) -> Option<&CostRow> {
        self.costs.iter().find(|row| {
            (row.program, row.by, row.timeout_s) == (program, by, timeout_s) && row.set == set
        })
    }
}

/// The metrics of Section 6.2, summed up over the programs of a set.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Sums {
    pub path_coverage: u64,
    pub time_s: f64,
    pub timeouts: u64,
    pub errors: u64,
    pub closed: u64,
    /// Not decided for other reasons.
    pub open: u64,
    pub failed: u64,
    pub missing: u64,
}

impl Sums {
    /// Of runs; `None` stands for one that is missing.
    pub fn of<'r>(runs: impl Iterator<Item = Option<&'r ThesisRow>>) -> Sums {
        let mut sums = Sums::default();
        for run in runs {
            let Some(row) = run else {
                sums.missing += 1;
                continue;
            };
            sums.path_coverage += row.path_coverage();
            sums.time_s += row.time_s();
            match row.ended() {
                Ended::Error => sums.errors += 1,
                Ended::Closed => sums.closed += 1,
                Ended::Limit => sums.timeouts += 1,
                Ended::Open => sums.open += 1,
                Ended::Failed => sums.failed += 1,
            }
        }
        sums
    }

    /// Adds those of another set.
    pub fn add(&mut self, other: &Sums) {
        self.path_coverage += other.path_coverage;
        self.time_s += other.time_s;
        self.timeouts += other.timeouts;
        self.errors += other.errors;
        self.closed += other.closed;
        self.open += other.open;
        self.failed += other.failed;
        self.missing += other.missing;
    }

    /// Programs with a verdict.
    #[must_use]
    pub fn decided(&self) -> u64 {
        self.errors + self.closed
    }
}

#[cfg(test)]
mod tests {
    use super::{Ended, Sums, ThesisKey, ThesisRow};
    use crate::tables::rows::Setup;
    use report::Environment;
    use term::Work;

    fn row(verdict: &str, reason: Option<&str>, work: Work) -> ThesisRow {
        let key = ThesisKey {
            set: "small".to_owned(),
            program: 1,
            options: String::new(),
            work_s: Some(1),
            setup: Setup {
                timeout_s: 30,
                memory_mb: 8192,
                query_work_s: 20,
                seed: 1,
                tool: String::new(),
                commit: None,
                solver: String::new(),
            },
        };
        let error = ThesisRow::of_error(key, &Environment::current(None), String::new());
        ThesisRow {
            verdict: verdict.to_owned(),
            reasons: reason.into_iter().map(str::to_owned).collect(),
            paths: 3,
            work,
            error: None,
            ..error
        }
    }

    #[test]
    fn runs_end_as_the_thesis_counts() {
        let in_time = Work::millis(250);
        let late = Work::seconds(2);
        let rows = [
            row("reachable", None, in_time),
            row("unreachable", None, in_time),
            // Decided by several techniques with more work than one has.
            row("unreachable", None, late),
            row("unknown", Some("out-of-work"), Work::seconds(1)),
            // Broken off by the clock, so that its work is not known.
            row("unknown", Some("out-of-time"), Work::ZERO),
            row("unknown", Some("unsupported"), in_time),
        ];
        let ended = rows.each_ref().map(ThesisRow::ended);
        let (limit, open) = (Ended::Limit, Ended::Open);
        assert_eq!(
            ended,
            [Ended::Error, Ended::Closed, limit, limit, limit, open]
        );
        let sums = Sums::of(rows.iter().map(Some).chain([None]));
        assert_eq!((sums.errors, sums.closed, sums.timeouts), (1, 1, 3));
        assert_eq!((sums.open, sums.failed, sums.missing), (1, 0, 1));
        assert_eq!(sums.path_coverage, 17, "the path into the error is none");
        assert!((sums.time_s - 3.75).abs() < 1e-9, "{}", sums.time_s);
    }
}
