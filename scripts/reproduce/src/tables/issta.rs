//! Table 2 of the ISSTA 2012 paper: the paper's figures and runs of ours beside them.
//!
//! # Source
//! Strejček, Trtík, *Abstracting Path Conditions*, ISSTA 2012, Table 2.

use super::table::{Column, Table};
use property::VerdictKind;
use report::Environment;
use report::necessary::{CostRecord, NecessaryRecord, SideRecord};
use serde::{Deserialize, Serialize};

/// A line of the paper's table; times in seconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PaperLine {
    /// As the paper calls it.
    pub benchmark: &'static str,
    /// Its file of ours, without `.c`.
    pub program: &'static str,
    /// `T/O` after an hour.
    pub pex: &'static str,
    pub apc: f64,
    pub build: f64,
    pub quantified: &'static str,
    pub instances: &'static str,
}

macro_rules! line {
    ($benchmark:literal, $program:literal, $pex:literal, $apc:literal, $build:literal, $quantified:literal, $instances:literal) => {
        PaperLine {
            benchmark: $benchmark,
            program: $program,
            pex: $pex,
            apc: $apc,
            build: $build,
            quantified: $quantified,
            instances: $instances,
        }
    };
}

/// The paper's lines, in its order. The targets of the last two cannot be reached.
pub const PAPER: [PaperLine; 7] = [
    line!(
        "Hello",
        "hello",
        "5.257",
        0.181,
        0.021,
        "0.160 sat",
        "0.350 sat"
    ),
    line!("HW", "HW", "25.05", 0.941, 0.073, "13.84 sat", "0.868 sat"),
    line!("HWM", "HWM", "T/O", 4.660, 1.715, "M/O", "2.945 sat"),
    line!(
        "MatrIR",
        "matrIR",
        "95.00",
        0.035,
        0.015,
        "0.020 sat",
        "71.29 sat"
    ),
    line!(
        "WinDriver",
        "WinDriver",
        "28.39",
        0.627,
        0.178,
        "4.860 open",
        "0.449 sat"
    ),
    line!(
        "OneLoop",
        "OneLoop",
        "134.0",
        0.003,
        0.001,
        "0.010 unsat",
        "0.002 unsat"
    ),
    line!(
        "TwoLoops",
        "TwoLoops",
        "64.00",
        0.003,
        0.002,
        "0.001 unsat",
        "0.014 unsat"
    ),
];

/// The rows of our runs, as they are kept.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct IsstaRows {
    /// `issta2012-table2`.
    pub benchmark: String,
    pub environment: Option<Environment>,
    pub rows: Vec<IsstaRow>,
}

/// One run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct IsstaRow {
    pub program: String,
    pub verdict: Option<VerdictKind>,
    pub build: CostRecord,
    pub quantified: SideRecord,
    pub instances: SideRecord,
    pub decided_by: Option<String>,
    /// Whether a native run with the first model reached the target; `None` without a model.
    pub first_model_reaches: Option<bool>,
    /// Whether a native run with any of the models did.
    pub a_model_reaches: Option<bool>,
    pub lost_predicates: usize,
    /// Loading and native runs.
    pub rest_s: f64,
}

/// The name of the benchmark.
pub const NAME: &str = "issta2012-table2";

impl IsstaRow {
    /// The row of a run in which both formulas were asked.
    #[must_use]
    pub fn new(program: &str, record: &NecessaryRecord) -> IsstaRow {
        let reached = |result: &str| result == "reached";
        let mut guesses = record.guesses.iter();
        let spent = [
            record.build,
            record.quantified.solve,
            record.instances.build,
            record.instances.solve,
        ];
        let spent: f64 = spent.iter().map(|cost| cost.seconds).sum();
        IsstaRow {
            program: program.to_owned(),
            verdict: Some(record.verdict),
            build: record.build,
            quantified: record.quantified.clone(),
            instances: record.instances.clone(),
            decided_by: record.decided_by.clone(),
            first_model_reaches: guesses.clone().next().map(|guess| reached(&guess.result)),
            a_model_reaches: (!record.guesses.is_empty())
                .then(|| guesses.any(|guess| reached(&guess.result))),
            lost_predicates: record.counts.lost_predicates,
            rest_s: (record.total_s - spent).max(0.0),
        }
    }

    /// As the paper has it: φ̂ and the faster of the two answers.
    fn total(&self) -> Option<f64> {
        let quantified = self.build.seconds + self.quantified.solve.seconds;
        let instances =
            self.build.seconds + self.instances.build.seconds + self.instances.solve.seconds;
        let answered = |side: &SideRecord| side.answer != "open";
        match (answered(&self.quantified), answered(&self.instances)) {
            (true, true) => Some(quantified.min(instances)),
            (true, false) => Some(quantified),
            (false, true) => Some(instances),
            (false, false) => None,
        }
    }
}

impl IsstaRows {
    /// Our rows beside the paper's.
    #[must_use]
    pub fn table(&self) -> Table {
        let columns = vec![
            Column::words("Benchmark"),
            Column::numbers("paper", "PEX"),
            Column::numbers("paper", "APC"),
            Column::numbers("paper", "φ̂"),
            Column::numbers("paper", "φ̂²⁵"),
            Column::numbers("here", "total"),
            Column::numbers("here", "build φ̂"),
            Column::numbers("here", "φ̂"),
            Column::numbers("here", "φ̂²⁵"),
            Column::numbers("here", "load, run"),
            Column::words("φ̂ sufficient?"),
            Column::words("verdict"),
        ];
        let mut table = Table::new("Abstracting Path Conditions, ISSTA 2012, Table 2", columns);
        for line in &PAPER {
            let Some(row) = self.rows.iter().find(|row| row.program == line.program) else {
                continue;
            };
            let seconds = |seconds: f64| format!("{seconds:.3}");
            let answer = |seconds: f64, side: &SideRecord| format!("{seconds:.3} {}", side.answer);
            table.push(vec![
                line.benchmark.to_owned(),
                line.pex.to_owned(),
                seconds(line.apc),
                line.quantified.to_owned(),
                line.instances.to_owned(),
                row.total().map_or_else(|| "open".to_owned(), seconds),
                seconds(row.build.seconds),
                answer(row.quantified.solve.seconds, &row.quantified),
                answer(
                    row.instances.build.seconds + row.instances.solve.seconds,
                    &row.instances,
                ),
                seconds(row.rest_s),
                match (row.first_model_reaches, row.a_model_reaches) {
                    (Some(true), _) => "yes",
                    (_, Some(true)) => "second model",
                    (Some(false), _) => "no",
                    (None, _) => "–",
                }
                .to_owned(),
                row.verdict
                    .map_or_else(String::new, |verdict| verdict.to_string()),
            ]);
        }
        table.notes = vec![
            "Times in seconds. Paper: Core i7 920, Z3 3.2; φ̂²⁵ is making it from φ̂ and deciding it."
                .to_owned(),
            "Total: build φ̂ and the faster of both answers, as in the paper. \"load, run\" is \
             compiling, lowering and the native runs, which the paper does not have."
                .to_owned(),
            "φ̂ sufficient?: whether a native run with the model reaches the target; for the paper \
             that was checked by hand."
                .to_owned(),
        ];
        table
    }
}
