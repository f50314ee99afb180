//! Tables of tasks: sums for each technique, and a line for each task.
//!
//! # Source
//! Slaby, Strejček, Trtík, *Compact Symbolic Execution*, ATVA 2013, Table 2.

use super::rows::{Failure, TaskKey, TaskRow, TaskRows, WitnessCheck};
use super::score::Rules;
use crate::tables::table::{Column, Table};
use ::svcomp::Answer;
use report::source::shortened;
use report::summary::grouped;

/// The name of the benchmark of 2013.
pub const TABLE2: &str = "atva2013-table2";

/// The name of today's loops tasks.
pub const LOOPS: &str = "svcomp-loops";

/// The name and scoring of a benchmark of tasks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scheme {
    /// As on the command line.
    pub name: &'static str,
    pub title: &'static str,
    pub rules: Rules,
    /// The figures of a paper, for comparison with ours.
    pub paper: &'static [PaperLine],
}

/// A line of the paper's table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PaperLine {
    /// `compact` or `classic`.
    pub technique: &'static str,
    /// In seconds: templates and execution.
    pub time: &'static str,
    pub safe: u64,
    pub unsafe_: u64,
    pub timeout: u64,
    /// Failures to compile and failures of the analysis.
    pub unsupported: &'static str,
    pub points: i64,
}

impl Scheme {
    /// Table 2 of ATVA 2013: 79 tasks, at most 122 points; 5 minutes each in the paper.
    pub const TABLE2: Scheme = Scheme {
        name: TABLE2,
        title: "ATVA 2013, Table 2: the loops tasks of SV-COMP 2013",
        rules: Rules::OF_2013,
        paper: &[
            PaperLine {
                technique: "compact",
                time: "300+4920",
                safe: 21,
                unsafe_: 25,
                timeout: 15,
                unsupported: "13+5",
                points: 67,
            },
            PaperLine {
                technique: "classic",
                time: "8700",
                safe: 10,
                unsafe_: 27,
                timeout: 28,
                unsupported: "13+1",
                points: 47,
            },
        ],
    };

    /// Tasks with definitions, scored by the rules of today.
    pub const LOOPS: Scheme = Scheme {
        name: LOOPS,
        title: "SV-COMP tasks, property unreach-call",
        rules: Rules::OF_TODAY,
        paper: &[],
    };
}

/// Sums over the tasks of a technique.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Sums {
    n_rows: usize,
    seconds: f64,
    safe: u64,
    unsafe_: u64,
    wrong: u64,
    timeout: u64,
    unsupported: u64,
    points: i64,
    most: i64,
}

impl Sums {
    fn of<'r>(rows: impl Iterator<Item = &'r TaskRow>, rules: Rules) -> Sums {
        let mut sums = Sums::default();
        for row in rows {
            sums.n_rows += 1;
            sums.seconds += row.seconds;
            sums.points += rules.points(row.expected, row.verdict);
            sums.most += rules.most(row.expected);
            match (row.verdict, row.failure) {
                _ if row.is_wrong() => sums.wrong += 1,
                (Answer::True, _) => sums.safe += 1,
                (Answer::False, _) => sums.unsafe_ += 1,
                (Answer::Unknown, Some(Failure::Timeout)) => sums.timeout += 1,
                (Answer::Unknown, _) => sums.unsupported += 1,
            }
        }
        sums
    }
}

/// The tables of the runs that `wanted` has keys of: sums, then tasks.
#[must_use]
pub fn tables(scheme: &Scheme, rows: &TaskRows, wanted: &[TaskKey]) -> Vec<Table> {
    vec![
        sums_table(scheme, rows, wanted),
        tasks_table(scheme, rows, wanted),
    ]
}

/// The techniques that `wanted` has, in its order.
fn techniques(wanted: &[TaskKey]) -> Vec<&str> {
    let mut techniques: Vec<&str> = Vec::new();
    for key in wanted {
        if !techniques.contains(&key.technique.as_str()) {
            techniques.push(&key.technique);
        }
    }
    techniques
}

fn sums_table(scheme: &Scheme, rows: &TaskRows, wanted: &[TaskKey]) -> Table {
    let mut columns = vec![Column::words("technique"), Column::numbers("", "tasks")];
    let names = [
        "time",
        "safe",
        "unsafe",
        "wrong",
        "timeout",
        "unsupported",
        "points",
    ];
    for name in names {
        let column = Column::numbers(name, "ours").in_full(name.to_owned());
        columns.push(column);
        if !scheme.paper.is_empty() && name != "wrong" {
            let paper = Column::numbers(name, "paper");
            columns.push(paper.in_full(format!("{name} (paper)")));
        }
    }
    let mut table = Table::new(scheme.title, columns);
    for technique in techniques(wanted) {
        let found = wanted
            .iter()
            .filter(|key| key.technique == technique)
            .filter_map(|key| rows.find(key));
        let sums = Sums::of(found, scheme.rules);
        // Templates are compared with classic execution by default.
        let of_paper = if technique == "default" {
            "compact"
        } else {
            technique
        };
        let paper = scheme.paper.iter().find(|line| line.technique == of_paper);
        table.push(sums_cells(technique, &sums, paper));
    }
    if let Some(row) = wanted.iter().find_map(|key| rows.find(key)) {
        table.notes.push(provenance(scheme, row));
    }
    table
}

fn sums_cells(technique: &str, sums: &Sums, paper: Option<&PaperLine>) -> Vec<String> {
    let pairs: [(String, Option<String>); 7] = [
        (
            format!("{:.0}", sums.seconds),
            paper.map(|line| line.time.to_owned()),
        ),
        (grouped(sums.safe), paper.map(|line| grouped(line.safe))),
        (
            grouped(sums.unsafe_),
            paper.map(|line| grouped(line.unsafe_)),
        ),
        (grouped(sums.wrong), None),
        (
            grouped(sums.timeout),
            paper.map(|line| grouped(line.timeout)),
        ),
        (
            grouped(sums.unsupported),
            paper.map(|line| line.unsupported.to_owned()),
        ),
        (
            format!("{} of {}", sums.points, sums.most),
            paper.map(|line| line.points.to_string()),
        ),
    ];
    let cells = pairs
        .into_iter()
        .flat_map(|(ours, paper)| std::iter::once(ours).chain(paper));
    [technique.to_owned(), sums.n_rows.to_string()]
        .into_iter()
        .chain(cells)
        .collect()
}

fn provenance(scheme: &Scheme, row: &TaskRow) -> String {
    let paper = if scheme.paper.is_empty() {
        ""
    } else {
        " The paper's limit is 300 s; its times are templates + execution."
    };
    format!(
        "{} Times are in seconds, loading and replay included; unsupported are errors and all that \
         ended without a verdict before its time.{paper}",
        row.key.setup.describe(&row.machine),
    )
}

fn tasks_table(scheme: &Scheme, rows: &TaskRows, wanted: &[TaskKey]) -> Table {
    let techniques = techniques(wanted);
    let mut columns = vec![Column::words("task"), Column::words("expected")];
    for technique in &techniques {
        let verdict = Column {
            group: (*technique).to_owned(),
            ..Column::words("verdict")
        };
        columns.push(verdict.in_full(format!("{technique}: verdict")));
        columns.push(Column::numbers(technique, "s").in_full(format!("{technique}: seconds")));
    }
    columns.push(Column::words("decided by"));
    let has_witnesses = wanted
        .iter()
        .any(|key| rows.find(key).is_some_and(|row| row.witness.is_some()));
    if has_witnesses {
        columns.push(Column::words("witness"));
    }
    columns.push(Column::words("open, because"));
    let mut table = Table::new(&format!("{}, task by task", scheme.name), columns);
    let mut names: Vec<&str> = Vec::new();
    for key in wanted {
        if !names.contains(&key.task.as_str()) {
            names.push(&key.task);
        }
    }
    for name in names {
        let of = |technique: &str| {
            let is_wanted = |key: &&TaskKey| key.task == name && key.technique == technique;
            wanted.iter().find(is_wanted).and_then(|key| rows.find(key))
        };
        let found: Vec<Option<&TaskRow>> = techniques.iter().map(|t| of(t)).collect();
        table.push(task_cells(name, &found, has_witnesses));
        table
            .notes
            .extend(found.into_iter().flatten().filter_map(remark));
    }
    if has_witnesses {
        table.notes.push(witnesses(rows, wanted));
    }
    table
}

/// How many verdicts have a witness that a check confirmed.
fn witnesses(rows: &TaskRows, wanted: &[TaskKey]) -> String {
    let checks = || {
        let found = wanted.iter().filter_map(|key| rows.find(key));
        found.filter_map(|row| Some((row.verdict, row.witness.as_ref()?)))
    };
    let count = |answer: Answer| {
        let of_answer = || checks().filter(|(verdict, _)| *verdict == answer);
        let confirmed = of_answer().filter(|(_, check)| check.judgement == "confirmed");
        format!("{} of {}", confirmed.count(), of_answer().count())
    };
    format!(
        "Witnesses that `compact-se check` confirmed: {} for true, {} for false.",
        count(Answer::True),
        count(Answer::False)
    )
}

fn task_cells(name: &str, found: &[Option<&TaskRow>], has_witnesses: bool) -> Vec<String> {
    let finished: Vec<&TaskRow> = found.iter().copied().flatten().collect();
    let expected = finished.iter().find_map(|row| row.expected);
    let mut cells = vec![
        name.to_owned(),
        expected.map_or_else(|| "-".to_owned(), |expected| expected.to_string()),
    ];
    for row in found {
        match row {
            Some(row) => {
                let mark = if row.is_wrong() { " WRONG" } else { "" };
                cells.push(format!("{}{mark}", row.verdict.name()));
                cells.push(format!("{:.1}", row.seconds));
            }
            None => cells.extend(["-".to_owned(), "-".to_owned()]),
        }
    }
    let decided = finished.iter().find(|row| row.decided_by.is_some());
    cells.push(decided.map_or_else(String::new, |row| decider(row)));
    if has_witnesses {
        let check = decided.and_then(|row| row.witness.as_ref());
        cells.push(check.map_or_else(String::new, checked));
    }
    // What the first technique, which can do more, did not decide.
    let open = finished
        .first()
        .filter(|row| row.verdict == Answer::Unknown);
    cells.push(open.map_or_else(String::new, |row| open_because(row)));
    cells
}

fn decider(row: &TaskRow) -> String {
    let by = row.decided_by.as_deref().unwrap_or_default();
    format!("{}, {by}", row.key.technique)
}

/// The result of checking a witness, with the reason if it was not confirmed.
fn checked(check: &WitnessCheck) -> String {
    match &check.reason {
        Some(reason) => format!("{}: {}", check.judgement, shortened(reason, LONGEST_REASON)),
        None => check.judgement.clone(),
    }
}

/// Longer reasons are cut; `--json` keeps them whole.
const LONGEST_REASON: usize = 160;

/// The reason, and the loops in which states still waited.
fn open_because(row: &TaskRow) -> String {
    let mut text = shortened(row.reason.as_deref().unwrap_or_default(), LONGEST_REASON);
    let loops: Vec<String> = row
        .open_loops
        .iter()
        .take(3)
        .map(|open| format!("{} ({})", open.place, grouped(open.states)))
        .collect();
    if !loops.is_empty() {
        text.push_str("; open loops: ");
        text.push_str(&loops.join(", "));
    }
    text
}

fn remark(row: &TaskRow) -> Option<String> {
    use report::record::Replay;
    if !row.is_wrong() {
        return None;
    }
    let replayed = match row.replay {
        Replay::Confirmed => {
            "; a native run with the inputs found reaches the error, so that the task's own \
             expectation is in doubt"
        }
        Replay::Skipped | Replay::None => "",
    };
    Some(format!(
        "{}, {}: WRONG, {} instead of what the task expects{replayed}",
        row.key.task,
        row.key.technique,
        row.verdict.name(),
    ))
}

#[cfg(test)]
mod tests {
    use super::super::rows::tests::{key, row};
    use super::*;
    use report::record::OpenLoopRecord;

    fn example() -> (TaskRows, Vec<TaskKey>) {
        let mut rows = TaskRows::new(TABLE2);
        rows.put(row("a_safe", "compact", true, Answer::True));
        rows.put(row("b_unsafe", "compact", false, Answer::False));
        rows.put(row("c_safe", "compact", true, Answer::False));
        let mut open = row("d_safe", "compact", true, Answer::Unknown);
        open.failure = Some(Failure::Timeout);
        open.reason = Some("out of time".to_owned());
        open.open_loops.push(OpenLoopRecord {
            number: 1,
            coverage: String::new(),
            place: "d.c:7".to_owned(),
            function: "main".to_owned(),
            states: 1234,
        });
        rows.put(open);
        rows.put(row("a_safe", "classic", true, Answer::Unknown));
        let mut wanted: Vec<TaskKey> = ["a_safe", "b_unsafe", "c_safe", "d_safe"]
            .iter()
            .map(|name| key(name, "compact"))
            .collect();
        wanted.push(key("a_safe", "classic"));
        (rows, wanted)
    }

    #[test]
    fn sums_stand_beside_the_papers() {
        let (rows, wanted) = example();
        let [sums, _] = &tables(&Scheme::TABLE2, &rows, &wanted)[..] else {
            panic!("two tables");
        };
        assert_eq!(
            sums.rows()[0].join(" "),
            "compact 4 6 300+4920 1 21 1 25 1 1 15 0 13+5 -1 of 7 67"
        );
        assert_eq!(
            sums.rows()[1].join(" "),
            "classic 1 2 8700 0 10 0 27 0 0 28 1 13+1 0 of 2 47"
        );
        let today = &tables(&Scheme::LOOPS, &rows, &wanted)[0];
        assert_eq!(today.rows()[0].join(" "), "compact 4 6 1 1 1 1 0 -13 of 7");
    }

    #[test]
    fn witnesses_have_a_column_where_they_were_checked() {
        let (mut rows, wanted) = example();
        let mut proved = row("a_safe", "compact", true, Answer::True);
        proved.decided_by = Some("templates".to_owned());
        proved.witness = Some(WitnessCheck {
            judgement: "none".to_owned(),
            reason: Some("no invariant".to_owned()),
        });
        rows.put(proved);
        let tasks = &tables(&Scheme::TABLE2, &rows, &wanted)[1];
        assert_eq!(tasks.rows()[0][7], "none: no invariant");
        assert_eq!(tasks.rows()[1][7], "");
        assert_eq!(
            tasks.notes[1],
            "Witnesses that `compact-se check` confirmed: 0 of 1 for true, 0 of 0 for false."
        );
    }

    #[test]
    fn open_tasks_name_their_loops() {
        let (rows, wanted) = example();
        let tasks = &tables(&Scheme::TABLE2, &rows, &wanted)[1];
        assert_eq!(
            tasks.rows()[3].join("|"),
            "d_safe|true|unknown|1.5|-|-||out of time; open loops: d.c:7 (1,234)"
        );
        assert_eq!(tasks.rows()[2][2], "false WRONG");
        assert_eq!(tasks.notes.len(), 1, "{:?}", tasks.notes);
    }
}
