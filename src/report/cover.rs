//! The record of coverage: covered, dead and open goals.
//!
//! # Fields of the record
//!
//! | Field | Meaning |
//! |---|---|
//! | `verdict` | `covered`: each goal is covered or dead; `open`: some goals are undecided |
//! | `totals`, `functions` | by kind of goal (`branches`, `lines`, `calls`): how many are covered, dead, open; of the dead, how many have no code |
//! | `goals` | each with its place, `status`, and by that the numbers of `tests` (from 1), `proof`, or `reasons` |
//! | `tests` | arguments and files, inputs, number of goals passed, end of the run |
//! | `errors` | errors of the program that were found on the way, each confirmed |
//! | `assumptions` | the assumptions of *dead*, each a clause |
//! | `limit` | the limit that ended the run, if one did |
//! | `state_conditions` | numbers of states checked by necessary conditions in the first run, states closed, models tried and hits, work |
//! | `closed_by_conditions` | the closed states, by the loop whose condition closed them |
//!
//! # Invariants
//! - Text and page are made from the record.

use super::record::{
    ClosingRecord, ProgramError, ProgramRecord, ReasonRecord, Settings, StartRecord,
    StateConditionCounts, assumptions, error_of, given_to,
};
use super::summary::{given_in_words, is_microc, state_conditions_in_words};
use super::{Environment, Sources};
use crate::record::InputRecord;
use analysis::cover::{Cover, GoalStatus, Proof};
use frontend::{Goal, GoalKind};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

const FORMAT: u32 = 1;

/// No more goals are listed in the text.
const MOST_GOALS: usize = 60;

/// A covering.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CoverRecord {
    pub format: u32,
    pub environment: Environment,
    pub program: ProgramRecord,
    pub settings: Settings,
    /// `covered` or `open`.
    pub verdict: String,
    pub totals: Counts,
    /// In the order of the source.
    pub functions: Vec<FunctionCounts>,
    pub goals: Vec<GoalRecord>,
    pub tests: Vec<TestRecord>,
    pub errors: Vec<ProgramError>,
    pub assumptions: Vec<String>,
    /// Undefined behaviour at which executions end.
    pub undefined: Vec<ReasonRecord>,
    /// Why nothing could be run here.
    pub unreplayable: Option<String>,
    pub limit: Option<String>,
    /// Statistics of necessary conditions of states in the first run; zeros if they were not used.
    #[serde(default)]
    pub state_conditions: StateConditionCounts,
    /// States that these conditions closed, by loop.
    #[serde(default)]
    pub closed_by_conditions: Vec<ClosingRecord>,
    pub load_s: f64,
    pub total_s: f64,
    /// Of all techniques, in seconds of the machine that its weights were measured on.
    pub work_s: f64,
    pub notes: Vec<String>,
}

/// The goals of a function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FunctionCounts {
    pub name: String,
    pub counts: Counts,
}

/// How many goals there are, by kind.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Counts {
    pub branches: Count,
    pub lines: Count,
    pub calls: Count,
}

/// How many goals there are, by status.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Count {
    pub covered: usize,
    pub dead: usize,
    /// Of the dead: those of which clang made no code.
    pub without_code: usize,
    pub open: usize,
}

impl Count {
    fn total(self) -> usize {
        self.covered + self.dead + self.open
    }
}

/// The status of a goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Covered,
    Dead,
    Open,
}

/// A goal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GoalRecord {
    /// `branch`, `line` or `call`.
    pub kind: String,
    /// Of a branch: `true`, `false`, `case 3`, `default`; of a call the function's name.
    pub side: Option<String>,
    pub function: String,
    pub file: String,
    /// 0 where it is not known; so is `column`.
    pub line: u32,
    pub column: u32,
    /// Line and column behind the condition.
    pub end: Option<(u32, u32)>,
    pub status: Status,
    /// Numbers of the tests that pass it, from 1.
    pub tests: Vec<usize>,
    /// Why it is dead.
    pub proof: Option<String>,
    /// Why it is open.
    pub reasons: Vec<String>,
}

/// A test.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TestRecord {
    /// Arguments, standard input and files, where they are symbolic by option.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_with: Option<StartRecord>,
    pub inputs: Vec<InputRecord>,
    /// Goals that it passes.
    pub n_goals: usize,
    /// How its run ended: natively, or of a program in microc by the interpreter.
    pub outcome: String,
}

impl GoalRecord {
    fn of(goal: &Goal, status: &GoalStatus) -> GoalRecord {
        let (kind, side) = match &goal.kind {
            GoalKind::Branch(side) => ("branch", Some(side.to_string())),
            GoalKind::Line => ("line", None),
            GoalKind::Call(name) => ("call", Some(name.clone())),
        };
        let mut record = GoalRecord {
            kind: kind.to_owned(),
            side,
            function: goal.function.clone(),
            file: goal.file.clone(),
            line: goal.line,
            column: goal.column,
            end: goal.end,
            status: Status::Open,
            tests: Vec::new(),
            proof: None,
            reasons: Vec::new(),
        };
        match status {
            GoalStatus::Covered(tests) => {
                record.status = Status::Covered;
                record.tests = tests.iter().map(|test| test + 1).collect();
            }
            GoalStatus::Dead(proof) => {
                record.status = Status::Dead;
                record.proof = Some(proof_in_words(*proof));
            }
            GoalStatus::Open(reasons) => record.reasons.clone_from(reasons),
        }
        record
    }

    /// A description with its location, for people.
    fn description(&self) -> String {
        let mut text = match (self.line, self.column) {
            (0, _) => format!("{} (location unknown)", self.function),
            (line, 0) => format!("{}:{line}", self.file),
            (line, column) => format!("{}:{line}:{column}", self.file),
        };
        match (self.kind.as_str(), &self.side) {
            ("branch", Some(side)) => {
                let _ = write!(text, ", {side}");
            }
            ("call", Some(name)) => {
                let _ = write!(text, ", call of {name}");
            }
            _ => {}
        }
        text
    }
}

fn proof_in_words(proof: Proof) -> String {
    match proof {
        Proof::WithoutCode(why) => why.to_string(),
        Proof::NothingLeadsThere => "no call and no jump reaches it".to_owned(),
        Proof::Explored => "no execution reaches it: the search was exhaustive".to_owned(),
        Proof::By(technique) => format!("unreachable ({})", technique.name()),
    }
}

impl CoverRecord {
    /// The record of a covering.
    #[must_use]
    pub fn new(environment: Environment, cover: &Cover, sources: &Sources) -> CoverRecord {
        let loaded = &cover.loaded;
        let goals = loaded.goals.iter().zip(&cover.statuses);
        let mut goals: Vec<GoalRecord> = goals
            .map(|(goal, status)| GoalRecord::of(goal, status))
            .collect();
        let mut totals = Counts::default();
        let mut functions: IndexMap<String, Counts> = IndexMap::new();
        for (goal, record) in loaded.goals.iter().zip(&goals) {
            let of_function = functions.entry(goal.function.clone()).or_default();
            for counts in [&mut totals, of_function] {
                let count = match goal.kind {
                    GoalKind::Branch(_) => &mut counts.branches,
                    GoalKind::Line => &mut counts.lines,
                    GoalKind::Call(_) => &mut counts.calls,
                };
                match record.status {
                    Status::Covered => count.covered += 1,
                    Status::Open => count.open += 1,
                    Status::Dead => {
                        count.dead += 1;
                        count.without_code += usize::from(goal.without_code.is_some());
                    }
                }
            }
        }
        goals.sort_by(|a, b| {
            let key = |goal: &GoalRecord| (goal.file.clone(), goal.line, goal.column);
            key(a).cmp(&key(b))
        });
        let is_open = goals.iter().any(|goal| goal.status == Status::Open);
        CoverRecord {
            format: FORMAT,
            environment,
            program: ProgramRecord::of(&cover.options.load, loaded.data_model.to_string()),
            settings: Settings::of(&cover.options),
            verdict: if is_open { "open" } else { "covered" }.to_owned(),
            totals,
            functions: functions
                .into_iter()
                .map(|(name, counts)| FunctionCounts { name, counts })
                .collect(),
            goals,
            tests: cover
                .tests
                .iter()
                .map(|test| {
                    let (started_with, inputs) = given_to(&test.witness, loaded);
                    TestRecord {
                        started_with,
                        inputs,
                        n_goals: test.goals.len(),
                        outcome: outcome_in_words(&test.outcome),
                    }
                })
                .collect(),
            errors: cover
                .errors
                .iter()
                .map(|error| error_of(error, &cover.options.load.target, loaded, sources))
                .collect(),
            assumptions: assumptions(&cover.options, &cover.undefined, loaded),
            undefined: cover
                .undefined
                .iter()
                .map(|(reason, n)| ReasonRecord::of(reason, n, &loaded.program))
                .collect(),
            unreplayable: cover.unreplayable.clone(),
            limit: cover.exhausted.map(|why| why.to_string()),
            state_conditions: StateConditionCounts::of(&cover.conditions),
            closed_by_conditions: ClosingRecord::all(&cover.conditions, &loaded.program),
            load_s: cover.load_time.as_secs_f64(),
            total_s: cover.time.as_secs_f64(),
            work_s: cover.work.as_seconds(),
            notes: loaded.notes.clone(),
        }
    }

    /// Whether nothing is open.
    #[must_use]
    pub fn is_covered(&self) -> bool {
        self.verdict == "covered"
    }

    /// The record for people: the verdict first.
    #[must_use]
    pub fn summary(&self) -> String {
        let mut text = format!("{}\n", self.verdict);
        for (name, count) in self.totals.named() {
            let _ = writeln!(text, "{}", count_in_words(name, count));
        }
        let n_tests = self.tests.len();
        let plural = if n_tests == 1 { "test" } else { "tests" };
        let run = if is_microc(&self.program) {
            "by the interpreter"
        } else {
            "natively"
        };
        let _ = writeln!(text, "{n_tests} {plural}, each run {run}");
        for assumption in &self.assumptions {
            let _ = writeln!(text, "dead: assuming that {assumption}");
        }
        if let Some(why) = &self.unreplayable {
            let _ = writeln!(text, "no goal is covered, since no test can be run: {why}");
        }
        if let Some(limit) = &self.limit {
            let _ = writeln!(text, "not finished: {limit}");
        }
        text.push_str(&state_conditions_in_words(
            &self.state_conditions,
            &self.closed_by_conditions,
        ));
        for note in &self.notes {
            let _ = writeln!(text, "note: {note}");
        }
        if self.functions.len() > 1 {
            text.push_str("\nfunctions:\n");
            for FunctionCounts { name, counts } in &self.functions {
                let counts = counts.named();
                let counts = counts
                    .iter()
                    .map(|(name, count)| count_in_words(name, *count));
                let counts: Vec<String> = counts.collect();
                let _ = writeln!(text, "  {name}: {}", counts.join("; "));
            }
        }
        self.write_goals(&mut text, Status::Dead, "dead");
        self.write_goals(&mut text, Status::Open, "open");
        if !self.errors.is_empty() {
            text.push_str("\nerrors on the way:\n");
            for error in &self.errors {
                let _ = writeln!(text, "  {}: {}", error.place, error.text);
            }
        }
        for (number, test) in (1..).zip(&self.tests) {
            let _ = write!(
                text,
                "\ntest {number} passes {} goals; {}",
                test.n_goals, test.outcome
            );
            text.push_str(&given_in_words(test.started_with.as_ref(), &test.inputs));
        }
        text
    }

    fn write_goals(&self, text: &mut String, status: Status, title: &str) {
        let all: Vec<&GoalRecord> = self
            .goals
            .iter()
            .filter(|goal| goal.status == status)
            .collect();
        if all.is_empty() {
            return;
        }
        let _ = writeln!(text, "\n{title}:");
        for goal in all.iter().take(MOST_GOALS) {
            let why = goal
                .proof
                .clone()
                .unwrap_or_else(|| goal.reasons.join("; "));
            let _ = writeln!(text, "  {}: {why}", goal.description());
        }
        if all.len() > MOST_GOALS {
            let more = all.len() - MOST_GOALS;
            let _ = writeln!(text, "  … and {more} more (--json writes all)");
        }
    }
}

impl Counts {
    /// The kinds of which there are goals.
    fn named(self) -> Vec<(&'static str, Count)> {
        let all = [
            ("branch", "branches", self.branches),
            ("line", "lines", self.lines),
            (
                "call of an error function",
                "calls of error functions",
                self.calls,
            ),
        ];
        let all = all.map(|(one, several, count)| match count.total() {
            1 => (one, count),
            _ => (several, count),
        });
        all.into_iter()
            .filter(|(_, count)| count.total() > 0)
            .collect()
    }
}

fn count_in_words(name: &str, count: Count) -> String {
    let mut text = format!("{} {name}: {} covered", count.total(), count.covered);
    if count.dead > 0 {
        let _ = write!(text, ", {} dead", count.dead);
    }
    if count.open > 0 {
        let _ = write!(text, ", {} open", count.open);
    }
    text
}

fn outcome_in_words(outcome: &replay::ReplayOutcome) -> String {
    use replay::ReplayOutcome as O;
    match outcome {
        O::Reached => "it calls an error function".to_owned(),
        O::AssertionFailed => "an assertion fails".to_owned(),
        O::AssumptionViolated => "an assumption does not hold".to_owned(),
        O::Diverged(_) => "it ends because no input is left".to_owned(),
        O::Reported(report) => format!("a sanitizer reports {}", report.text),
        O::Left(left) => left.to_string(),
        O::Erred(error, (line, column)) => {
            format!("it ends with an error: {error} at {line}:{column}")
        }
        O::NotReached(code) => format!("exit code {code}"),
        O::Crashed(signal) | O::Aborted(signal, _) => format!("signal {signal} ends it"),
        O::Limit(which) => format!("it was stopped: {which}"),
        O::Endless((line, column)) => format!("the loop at {line}:{column} never ends"),
    }
}
