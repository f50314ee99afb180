//! Table 1 of the ATVA 2013 paper: the paper's figures and rows of ours beside them.
//!
//! # Source
//! Slaby, Strejček, Trtík, *Compact Symbolic Execution*, ATVA 2013, Table 1.

use super::rows::{Row, Rows, Setup};
use super::table::{Column, Table};
use report::record::{Counts, ReasonRecord};
use report::summary::grouped;
use serde::{Deserialize, Serialize};

/// A line of the paper's table; times in seconds, `None` for a timeout of 5 minutes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PaperLine {
    pub program: &'static str,
    pub template_time: f64,
    pub templates: u64,
    pub cycles: u64,
    pub compact_time: Option<f64>,
    pub compact_states: u64,
    pub smt_failures: u64,
    pub classic_time: Option<f64>,
    pub classic_states: u64,
}

macro_rules! line {
    ($program:literal, $time:literal $templates:literal $cycles:literal, $compact:expr, $states:literal $failures:literal, $classic:expr, $classic_states:literal) => {
        PaperLine {
            program: $program,
            template_time: $time,
            templates: $templates,
            cycles: $cycles,
            compact_time: $compact,
            compact_states: $states,
            smt_failures: $failures,
            classic_time: $classic,
            classic_states: $classic_states,
        }
    };
}

/// The paper's lines, in its order. All targets but the last three can be reached.
pub const PAPER: [PaperLine; 13] = [
    line!("hello", 12.3 2 126, Some(2.3), 187 0, Some(4.5), 2_262),
    line!("HW", 31.9 4 252, Some(45.4), 1_048 4, None, 223_823),
    line!("HWM", 48.1 5 336, None, 5_125 24, None, 162_535),
    line!("matrIR", 4.2 4 28, Some(82.9), 1_234 6, None, 270_737),
    line!("matrIR_dyn", 14.8 5 30, Some(240.5), 2_472 13, None, 267_636),
    line!("VM", 8.6 6 64, None, 2_274 64, None, 205_577),
    line!("VMS", 4.2 3 32, Some(5.4), 466 0, Some(99.8), 281_263),
    line!("decode_packets", 18.3 5 26, Some(39.9), 1_276 0, Some(16.3), 8_992),
    line!("WinDriver", 17.8 5 26, Some(59.2), 1_370 1, None, 206_903),
    line!("EQCNT", 12.2 3 12, Some(10.6), 345 0, None, 179_803),
    line!("EQCNTex", 5.8 4 24, None, 10_581 0, None, 251_061),
    line!("OneLoop", 0.1 1 2, Some(0.1), 41 0, None, 38_230),
    line!("TwoLoops", 0.3 2 4, Some(0.1), 25 0, None, 917_343),
];

/// The programs whose target cannot be reached.
pub const UNREACHABLE: [&str; 3] = ["EQCNTex", "OneLoop", "TwoLoops"];

/// The paper's time limit, in seconds.
pub const PAPER_TIMEOUT_S: u64 = 300;

/// The key of a run: runs with equal keys measure the same.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct RowKey {
    pub program: String,
    /// `compact` or `classic`.
    pub technique: String,
    /// `paper`, `native` or `default`.
    pub setting: String,
    #[serde(flatten)]
    pub setup: Setup,
}

/// The name of the benchmark.
pub const NAME: &str = "atva2013-table1";

impl Row<RowKey> {
    /// Whether the verdict is decided and not the right one.
    #[must_use]
    pub fn is_wrong(&self) -> bool {
        let expected = if UNREACHABLE.contains(&self.key.program.as_str()) {
            "unreachable"
        } else {
            "reachable"
        };
        self.is_decided() && self.verdict != expected
    }

    /// Execution, in seconds. Where several techniques are at work, all that they do but the templates of the one
    /// that decides.
    fn execution_s(&self) -> f64 {
        match self.key.technique.as_str() {
            "default" => self.times_s.after_loading() - self.times_s.templates,
            _ => self.times_s.execution,
        }
    }

    /// The time as the paper prints it: execution in seconds, `T/O` where the time was not enough;
    /// `M/O` for memory, `?` for other reasons, `error`.
    fn time_cell(&self) -> String {
        match self.verdict.as_str() {
            "reachable" | "unreachable" => one_digit(self.execution_s()),
            "error" => "error".to_owned(),
            _ if self.has_reason("out-of-time") => "T/O".to_owned(),
            _ if self.has_reason("out-of-memory") => "M/O".to_owned(),
            _ => format!("? {}", one_digit(self.execution_s())),
        }
    }

    /// Why there is no verdict, where the time is not the reason, and what a verdict takes for
    /// granted; for the notes.
    fn remark(&self) -> Option<String> {
        let what = format!("{}, {}", self.key.program, self.key.technique);
        if self.is_wrong() {
            return Some(format!("{what}: WRONG VERDICT {}", self.verdict));
        }
        if let Some(error) = &self.error {
            return Some(format!("{what}: {error}"));
        }
        let other =
            |reason: &&ReasonRecord| reason.kind != "out-of-time" && reason.kind != "undecided";
        let reasons: Vec<String> = self
            .reasons
            .iter()
            .filter(other)
            .map(describe_reason)
            .collect();
        let undecided: u64 = self
            .reasons
            .iter()
            .filter(|reason| reason.kind == "undecided")
            .map(|reason| reason.count)
            .sum();
        let mut parts = reasons;
        if !self.assumptions.is_empty() {
            let taken = self.assumptions.join(", ");
            parts.push(format!("{}, assuming that {taken}", self.verdict));
        }
        if undecided > 0 && !self.has_reason("out-of-time") {
            parts.push(format!("failed leaves: {}", grouped(undecided)));
        }
        (!parts.is_empty()).then(|| format!("{what}: {}", parts.join("; ")))
    }
}

fn describe_reason(reason: &ReasonRecord) -> String {
    let place = if reason.place.is_empty() {
        String::new()
    } else {
        format!(" at {}", reason.place)
    };
    format!("{}{place} ({})", reason.text, grouped(reason.count))
}

impl Rows<RowKey> {
    /// The table of a setting, in the paper's order and with the paper's figures, for the rows
    /// that `wanted` has keys of.
    #[must_use]
    pub fn table(&self, setting: &str, wanted: &[RowKey]) -> Table {
        let mut table = Table::new(&title(setting), columns());
        let mut totals = Totals::default();
        let find = |program: &str, technique: &str| {
            let is_wanted = |key: &&RowKey| {
                key.setting == setting && key.program == program && key.technique == technique
            };
            wanted.iter().find(is_wanted).and_then(|key| self.find(key))
        };
        for paper in &PAPER {
            if !wanted
                .iter()
                .any(|key| key.program == paper.program && key.setting == setting)
            {
                continue;
            }
            let compact = find(paper.program, "compact").or(find(paper.program, "default"));
            let classic = find(paper.program, "classic");
            totals.add(paper, compact, classic);
            table.push(cells(paper, compact, classic));
            table.notes.extend(
                [compact, classic]
                    .into_iter()
                    .flatten()
                    .filter_map(Row::remark),
            );
        }
        table.push(totals.cells());
        if let Some(row) = wanted.iter().find_map(|key| self.find(key)) {
            table.notes.push(provenance(row));
        }
        table
    }
}

fn title(setting: &str) -> String {
    match setting {
        "paper" => "ATVA 2013, Table 1, in the paper's setting (split flowgraph, breadth first, random templates, accesses assumed in bounds)".to_owned(),
        "native" => "ATVA 2013, Table 1, in the paper's setting, with all quantifiers left to Z3".to_owned(),
        _ => "ATVA 2013, Table 1, with the default settings".to_owned(),
    }
}

fn provenance(row: &Row<RowKey>) -> String {
    format!(
        "{} Times are in seconds; the paper's limit is {PAPER_TIMEOUT_S} s. T/O: out of time, M/O: \
         out of memory, ?: ended without a verdict, for the reasons above. Our count of templates \
         is cycles with one + whole loops with one (the paper has the former only). Cycles that differ \
         in their entry location only count once, as in the paper; Definition 1 counts them all.",
        row.key.setup.describe(&row.machine),
    )
}

/// Each of the paper's columns twice: ours and the paper's; and the cycles of Definition 1.
fn columns() -> Vec<Column> {
    let groups: [(&str, &[&str]); 3] = [
        ("templates", &["time", "count", "cycles"]),
        ("compact", &["time", "states", "failed"]),
        ("classic", &["time", "states"]),
    ];
    let mut columns = vec![Column::words("benchmark")];
    for (group, names) in groups {
        for name in names {
            columns.push(Column::numbers(group, name));
            let paper = Column::numbers(group, "paper");
            columns.push(paper.in_full(format!("{group}: {name} (paper)")));
            if *name == "cycles" {
                // The paper has no such column: its table counts each core once.
                columns.push(Column::numbers(group, "Definition 1"));
            }
        }
    }
    columns
}

fn cells(
    paper: &PaperLine,
    compact: Option<&Row<RowKey>>,
    classic: Option<&Row<RowKey>>,
) -> Vec<String> {
    let of = |row: Option<&Row<RowKey>>, cell: fn(&Row<RowKey>) -> String| {
        row.map_or_else(|| "-".to_owned(), cell)
    };
    vec![
        paper.program.to_owned(),
        of(compact, |row| one_digit(row.times_s.templates)),
        one_digit(paper.template_time),
        of(compact, |row| templates_cell(&row.counts)),
        grouped(paper.templates),
        of(compact, |row| cut_off(row.counts.cores, &row.counts)),
        grouped(paper.cycles),
        of(compact, |row| cut_off(row.counts.cycles, &row.counts)),
        of(compact, Row::time_cell),
        paper_time(paper.compact_time),
        of(compact, |row| grouped(row.counts.states)),
        grouped(paper.compact_states),
        of(compact, |row| grouped(row.counts.failed_queries)),
        grouped(paper.smt_failures),
        of(classic, Row::time_cell),
        paper_time(paper.classic_time),
        of(classic, |row| grouped(row.counts.states)),
        grouped(paper.classic_states),
    ]
}

/// Cycles with a template, and whole loops with one, which replace the templates of their cycles.
fn templates_cell(counts: &Counts) -> String {
    match counts.loop_templates {
        0 => grouped(counts.templates),
        loops => format!("{} + {}", grouped(counts.templates), grouped(loops)),
    }
}

/// A number of cycles, which is a lower bound where not all were looked at.
fn cut_off(cycles: u64, counts: &Counts) -> String {
    if counts.cycles_cut {
        format!("≥ {}", grouped(cycles))
    } else {
        grouped(cycles)
    }
}

/// Sums of the lines shown. A timeout of the paper counts as its limit; the totals that the paper
/// itself prints (240, 1800 and 3900) are larger than the sums of its lines.
#[derive(Default)]
struct Totals {
    templates: f64,
    compact: f64,
    classic: f64,
    paper_templates: f64,
    paper_compact: f64,
    paper_classic: f64,
}

impl Totals {
    fn add(
        &mut self,
        paper: &PaperLine,
        compact: Option<&Row<RowKey>>,
        classic: Option<&Row<RowKey>>,
    ) {
        #[expect(
            clippy::cast_precision_loss,
            reason = "limits are far below 2^52 seconds"
        )]
        let limit = PAPER_TIMEOUT_S as f64;
        self.templates += compact.map_or(0.0, |row| row.times_s.templates);
        self.compact += compact.map_or(0.0, Row::execution_s);
        self.classic += classic.map_or(0.0, Row::execution_s);
        self.paper_templates += paper.template_time;
        self.paper_compact += paper.compact_time.unwrap_or(limit);
        self.paper_classic += paper.classic_time.unwrap_or(limit);
    }

    fn cells(&self) -> Vec<String> {
        let mut cells = vec![String::new(); columns().len()];
        cells[0] = "total time".to_owned();
        let pairs = [
            (1, self.templates, self.paper_templates),
            (8, self.compact, self.paper_compact),
            (14, self.classic, self.paper_classic),
        ];
        for (column, ours, paper) in pairs {
            cells[column] = format!("{ours:.0}");
            cells[column + 1] = format!("{paper:.0}");
        }
        cells
    }
}

fn paper_time(time: Option<f64>) -> String {
    time.map_or_else(|| "T/O".to_owned(), one_digit)
}

fn one_digit(time: f64) -> String {
    format!("{time:.1}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use report::Environment;

    fn key(program: &str, technique: &str) -> RowKey {
        RowKey {
            program: program.to_owned(),
            technique: technique.to_owned(),
            setting: "paper".to_owned(),
            setup: Setup {
                timeout_s: 300,
                memory_mb: 8192,
                query_work_s: 20,
                seed: 1,
                tool: "compact-se 0".to_owned(),
                commit: Some("abc".to_owned()),
                solver: "Z3".to_owned(),
            },
        }
    }

    fn row(program: &str, technique: &str, verdict: &str, reasons: &[&str]) -> Row<RowKey> {
        let environment = Environment {
            tool: String::new(),
            commit: None,
            solver: String::new(),
            machine: "a machine".to_owned(),
        };
        let mut row = Row::of_error(key(program, technique), &environment, String::new());
        row.verdict = verdict.to_owned();
        row.error = None;
        row.times_s.execution = 12.34;
        row.counts.states = 1234;
        row.reasons = reasons
            .iter()
            .map(|kind| ReasonRecord {
                kind: (*kind).to_owned(),
                text: "why".to_owned(),
                place: "a.c:1".to_owned(),
                count: 2,
                hint: String::new(),
            })
            .collect();
        row
    }

    #[test]
    fn the_papers_lines_sum_up() {
        let mut totals = Totals::default();
        for paper in &PAPER {
            totals.add(paper, None, None);
        }
        let cells = totals.cells();
        // The paper prints 240, 1800 and 3900 there, which its own lines do not sum to.
        assert_eq!(
            (cells[2].as_str(), cells[9].as_str(), cells[15].as_str()),
            ("179", "1386", "3121")
        );
    }

    #[test]
    fn our_cells_stand_before_the_papers() {
        let mut rows = Rows::new(NAME);
        rows.put(row("hello", "compact", "reachable", &[]));
        rows.put(row(
            "hello",
            "classic",
            "unknown",
            &["out-of-time", "undecided"],
        ));
        let wanted = [key("hello", "compact"), key("hello", "classic")];
        let table = rows.table("paper", &wanted);
        let cells = table.rows()[0].join(" ");
        assert_eq!(
            cells,
            "hello 0.0 12.3 0 2 0 126 0 12.3 2.3 1,234 187 0 0 T/O 4.5 1,234 2,262"
        );
        assert_eq!(table.rows().len(), 2, "hello and the totals");
        assert_eq!(
            table.notes.len(),
            1,
            "only where the rows come from: {:?}",
            table.notes
        );
    }

    #[test]
    fn templates_of_whole_loops_count_too() {
        let mut counts = Counts {
            templates: 2,
            ..Counts::default()
        };
        assert_eq!(templates_cell(&counts), "2");
        counts.loop_templates = 1;
        assert_eq!(templates_cell(&counts), "2 + 1");
    }

    #[test]
    fn unfinished_rows_are_dashes() {
        let table = Rows::<RowKey>::new(NAME).table("paper", &[key("OneLoop", "compact")]);
        assert_eq!(table.rows()[0][8], "-");
    }

    #[test]
    fn an_assumption_stands_below_the_table() {
        let mut row = row("OneLoop", "compact", "unreachable", &[]);
        assert_eq!(row.remark(), None);
        row.assumptions = vec!["accesses are in bounds".to_owned()];
        let said = "OneLoop, compact: unreachable, assuming that accesses are in bounds";
        assert_eq!(row.remark().as_deref(), Some(said));
    }

    #[test]
    fn what_is_not_a_timeout_is_explained() {
        assert_eq!(
            row("HW", "compact", "unknown", &["undecided"]).time_cell(),
            "? 12.3"
        );
        let remark = row("HW", "compact", "unknown", &["undecided"]).remark();
        assert_eq!(remark.as_deref(), Some("HW, compact: failed leaves: 2"));
        let remark = row("HW", "compact", "unknown", &["unsupported"]).remark();
        assert_eq!(remark.as_deref(), Some("HW, compact: why at a.c:1 (2)"));
        let remark = row("OneLoop", "compact", "reachable", &[]).remark();
        assert_eq!(
            remark.as_deref(),
            Some("OneLoop, compact: WRONG VERDICT reachable")
        );
    }

    #[test]
    fn rows_survive_json() {
        let mut rows = Rows::new(NAME);
        rows.put(row("VM", "compact", "unknown", &["out-of-memory"]));
        let again: Rows<RowKey> =
            serde_json::from_str(&serde_json::to_string(&rows).unwrap()).unwrap();
        assert_eq!(again, rows);
        let mut other = key("VM", "compact");
        other.setup.timeout_s = 1;
        assert!(rows.find(&other).is_none(), "another limit is another run");
    }
}
