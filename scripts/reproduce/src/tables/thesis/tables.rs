//! The tables of Chapter 6 with our figures beside the thesis', and the plot.

use super::paper::{self, ByStrategy, FinalLine};
use super::runs::{
    Configuration, Ended, Estimated, Merge, SEARCHES, Sums, Technique, ThesisKey, ThesisRow,
    ThesisRows,
};
use super::sets::{self, N_PROGRAMS, ProgramSet};
use crate::tables::plot::{COLOURS, Scale, Series, TimePlot};
use crate::tables::rows::Setup;
use crate::tables::table::{Column, Table};
use report::summary::grouped;
use std::collections::BTreeSet;

/// A table of the thesis, or one that it does not print.
#[derive(Debug)]
pub struct ThesisTable {
    /// `6.7`, as `--table` takes it.
    pub name: &'static str,
    title: &'static str,
    content: Content,
}

#[derive(Clone, Copy, Debug)]
enum Content {
    /// How often, or how long, query counts are estimated.
    CostTimeouts,
    CostTimes,
    /// By `limit-cost`, with `lattice-based`.
    LimitCost(&'static ProgramSet, &'static [(u32, u64)]),
    /// By `limit-cost` and κ, with `recursive`.
    LimitCostAndKappa,
    /// Search strategies against merge strategies.
    Strategies(&'static Comparison, Metric, &'static ByStrategy),
    /// All program sets with one technique.
    Final(Technique, &'static [FinalLine; 18]),
    /// Search and merge strategies, each with and without subsumption and summarisation.
    Configurations,
    /// Decided programs by technique.
    Decided,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Metric {
    PathCoverage,
    Errors,
    Time,
    Timeouts,
    TimeoutsAndErrors,
}

/// A comparison of Section 6.3.2.
#[derive(Debug)]
struct Comparison {
    set: &'static ProgramSet,
    merges: &'static [Merge],
}

const SMALLER: Comparison = Comparison {
    set: &sets::SMALLER,
    merges: &[
        Merge::None,
        Merge::Recursive,
        Merge::Lattice,
        Merge::Aggressive,
    ],
};

const LARGER: Comparison = Comparison {
    set: &sets::LARGER,
    merges: &[Merge::None, Merge::Lattice, Merge::Aggressive],
};

/// `limit-cost` and κ of Section 6.3.2.
const LIMIT_COST: u32 = 2;
const KAPPA: u32 = 10;

const fn strategies(
    name: &'static str,
    title: &'static str,
    comparison: &'static Comparison,
    metric: Metric,
    paper: &'static ByStrategy,
) -> ThesisTable {
    ThesisTable {
        name,
        title,
        content: Content::Strategies(comparison, metric, paper),
    }
}

const fn of_final(
    name: &'static str,
    title: &'static str,
    technique: Technique,
    paper: &'static [FinalLine; 18],
) -> ThesisTable {
    ThesisTable {
        name,
        title,
        content: Content::Final(technique, paper),
    }
}

/// All tables, in the thesis' order; those that it does not print come last.
pub static TABLES: [ThesisTable; 20] = [
    ThesisTable {
        name: "6.2",
        title: "programs whose query counts took longer than the limit",
        content: Content::CostTimeouts,
    },
    ThesisTable {
        name: "6.3",
        title: "time to estimate query counts, in ms",
        content: Content::CostTimes,
    },
    ThesisTable {
        name: "6.4",
        title: "path coverage by limit-cost, lattice-based, bfs, medium programs",
        content: Content::LimitCost(&sets::PARAMETERS[1], &paper::LATTICE),
    },
    ThesisTable {
        name: "6.5",
        title: "path coverage by limit-cost and κ, recursive, bfs, medium programs",
        content: Content::LimitCostAndKappa,
    },
    ThesisTable {
        name: "6.6",
        title: "path coverage by limit-cost, lattice-based, bfs, large programs",
        content: Content::LimitCost(&sets::PARAMETERS[2], &paper::LATTICE_LARGE),
    },
    strategies(
        "6.7",
        "path coverage, smaller programs",
        &SMALLER,
        Metric::PathCoverage,
        &paper::SMALLER_PATHS,
    ),
    strategies(
        "6.8",
        "errors detected, smaller programs",
        &SMALLER,
        Metric::Errors,
        &paper::SMALLER_ERRORS,
    ),
    strategies(
        "6.9",
        "total time in ms, smaller programs",
        &SMALLER,
        Metric::Time,
        &paper::SMALLER_MS,
    ),
    strategies(
        "6.10",
        "runs timeouted, smaller programs",
        &SMALLER,
        Metric::Timeouts,
        &paper::SMALLER_TIMEOUTS,
    ),
    strategies(
        "6.11",
        "path coverage, larger programs",
        &LARGER,
        Metric::PathCoverage,
        &paper::LARGER_PATHS,
    ),
    strategies(
        "6.12",
        "errors detected, larger programs",
        &LARGER,
        Metric::Errors,
        &paper::LARGER_ERRORS,
    ),
    strategies(
        "6.13",
        "total time in ms, larger programs",
        &LARGER,
        Metric::Time,
        &paper::LARGER_MS,
    ),
    strategies(
        "6.14",
        "runs timeouted, larger programs",
        &LARGER,
        Metric::Timeouts,
        &paper::LARGER_TIMEOUTS,
    ),
    strategies(
        "6.15",
        "runs timeouted and errors detected, larger programs",
        &LARGER,
        Metric::TimeoutsAndErrors,
        &paper::LARGER_SUMS,
    ),
    of_final(
        "6.17",
        "no path explosion technique",
        Technique::Nothing,
        &paper::NOTHING,
    ),
    of_final("6.18", "state merging", Technique::Merging, &paper::MERGING),
    of_final(
        "6.19",
        "subsumption",
        Technique::Subsumption,
        &paper::SUBSUMPTION,
    ),
    of_final(
        "6.20",
        "summarisation",
        Technique::Summarisation,
        &paper::SUMMARISATION,
    ),
    ThesisTable {
        name: "configurations",
        title: "all 96 configurations, smaller programs",
        content: Content::Configurations,
    },
    ThesisTable {
        name: "decided",
        title: "programs decided by technique",
        content: Content::Decided,
    },
];

/// What every run of a table has.
#[derive(Clone, PartialEq, Debug)]
pub struct Limits {
    /// Of each set, the first so many.
    pub n_programs: u32,
    /// In seconds, where that is what limits.
    pub work_s: Option<u64>,
    pub setup: Setup,
}

/// Which tables are made, and of what.
pub struct Plan {
    pub tables: Vec<&'static ThesisTable>,
    pub limits: Limits,
    /// Names of the sets to keep to; empty for all.
    pub only: Vec<String>,
}

impl ThesisTable {
    /// The table of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static ThesisTable> {
        TABLES.iter().find(|table| table.name == name)
    }

    /// Whether it is made of estimations of query counts.
    fn is_of_costs(&self) -> bool {
        matches!(self.content, Content::CostTimeouts | Content::CostTimes)
    }

    /// Whether it compares techniques over the final sets.
    #[must_use]
    pub fn is_final(&self) -> bool {
        matches!(self.content, Content::Final(..) | Content::Decided)
    }

    /// The sets with the options that their programs are executed with.
    fn executed(&self) -> Vec<(&'static ProgramSet, String)> {
        let bfs = |merge, limit, kappa| Configuration::of("bfs", merge, limit, kappa).options();
        match self.content {
            Content::CostTimeouts | Content::CostTimes => Vec::new(),
            Content::LimitCost(set, lines) => lines
                .iter()
                .map(|(limit, _)| (set, bfs(Merge::Lattice, *limit, 1)))
                .collect(),
            Content::LimitCostAndKappa => paper::RECURSIVE
                .iter()
                .flat_map(|(limit, _)| paper::KAPPAS.map(|kappa| (*limit, kappa)))
                .map(|(limit, kappa)| (&sets::PARAMETERS[1], bfs(Merge::Recursive, limit, kappa)))
                .collect(),
            Content::Strategies(comparison, ..) => SEARCHES
                .iter()
                .flat_map(|search| comparison.merges.iter().map(move |merge| (search, merge)))
                .map(|(search, merge)| (comparison.set, compared(search, *merge).options()))
                .collect(),
            Content::Final(technique, _) => {
                of_all_sets(&[technique, Technique::Together]).collect()
            }
            Content::Decided => of_all_sets(&Technique::ALL).collect(),
            Content::Configurations => configurations()
                .map(|configuration| (SMALLER.set, configuration.options()))
                .collect(),
        }
    }
}

fn of_all_sets(techniques: &[Technique]) -> impl Iterator<Item = (&'static ProgramSet, String)> {
    sets::FINAL.iter().flat_map(move |set| {
        techniques
            .iter()
            .map(move |technique| (set, technique.options()))
    })
}

/// A configuration of Section 6.3.2.
fn compared(search: &'static str, merge: Merge) -> Configuration {
    Configuration::of(search, merge, LIMIT_COST, KAPPA)
}

fn configurations() -> impl Iterator<Item = Configuration> {
    SEARCHES.iter().flat_map(|search| {
        SMALLER
            .merges
            .iter()
            .flat_map(move |merge| with_and_without(compared(search, *merge)))
    })
}

/// Without both, with subsumption, with summarisation, with both.
fn with_and_without(configuration: Configuration) -> [Configuration; 4] {
    [(false, false), (true, false), (false, true), (true, true)].map(
        |(subsumption, summarisation)| Configuration {
            subsumption,
            summarisation,
            ..configuration
        },
    )
}

impl Plan {
    fn has(&self, set: &ProgramSet) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| name == set.name)
    }

    fn key(&self, set: &ProgramSet, program: u32, options: &str) -> ThesisKey {
        ThesisKey {
            set: set.name.to_owned(),
            program,
            options: options.to_owned(),
            work_s: self.limits.work_s,
            setup: self.limits.setup.clone(),
        }
    }

    /// The runs that the tables need, the first programs of all sets before the second.
    #[must_use]
    pub fn runs(&self) -> Vec<(&'static ProgramSet, ThesisKey)> {
        let mut executed: Vec<(&ProgramSet, String)> = Vec::new();
        let mut known = BTreeSet::new();
        for (set, options) in self.tables.iter().flat_map(|table| table.executed()) {
            if self.has(set) && known.insert((set.name, options.clone())) {
                executed.push((set, options));
            }
        }
        let numbers = 1..=self.limits.n_programs;
        let runs = numbers.flat_map(|number| {
            executed
                .iter()
                .map(move |(set, options)| (*set, self.key(set, number, options)))
        });
        runs.collect()
    }

    /// The query counts that the tables need to have estimated.
    #[must_use]
    pub fn costs(&self) -> Vec<(&'static ProgramSet, u32, Estimated)> {
        if !self.tables.iter().any(|table| table.is_of_costs()) {
            return Vec::new();
        }
        let sets = sets::PARAMETERS.iter().filter(|set| self.has(set));
        let of_set = |set: &'static ProgramSet| {
            let numbers = 1..=self.limits.n_programs;
            numbers.flat_map(move |number| {
                [Estimated::Recursive, Estimated::LatticeBased].map(|by| (set, number, by))
            })
        };
        sets.flat_map(of_set).collect()
    }

    fn rows_of<'r>(
        &'r self,
        rows: &'r ThesisRows,
        set: &'r ProgramSet,
        options: &'r str,
    ) -> impl Iterator<Item = Option<&'r ThesisRow>> {
        let numbers = 1..=self.limits.n_programs;
        numbers.map(move |number| rows.find(&self.key(set, number, options)))
    }

    fn sums(&self, rows: &ThesisRows, set: &ProgramSet, options: &str) -> Sums {
        Sums::of(self.rows_of(rows, set, options))
    }

    /// The tables, with what is to be said of them.
    #[must_use]
    pub fn tables(&self, rows: &ThesisRows) -> Vec<Table> {
        let make = |table: &&ThesisTable| {
            let (mut made, notes) = match table.content {
                Content::CostTimeouts => self.cost_table(rows, true),
                Content::CostTimes => self.cost_table(rows, false),
                Content::LimitCost(set, lines) => self.limit_table(rows, set, lines),
                Content::LimitCostAndKappa => self.kappa_table(rows),
                Content::Strategies(comparison, metric, paper) => {
                    self.strategy_table(rows, comparison, metric, paper)
                }
                Content::Final(technique, paper) => self.final_table(rows, technique, paper),
                Content::Configurations => self.configuration_table(rows),
                Content::Decided => self.decided_table(rows),
            };
            made.title = match table.content {
                Content::Configurations | Content::Decided => {
                    format!("Nested loops and path explosion: {}", table.title)
                }
                _ => format!(
                    "Nested loops and path explosion, Table {}: {}",
                    table.name, table.title
                ),
            };
            made.notes = notes;
            made.notes.extend(self.notes_of(rows, table));
            made
        };
        self.tables.iter().map(make).collect()
    }

    fn cost_table(&self, rows: &ThesisRows, timeouts: bool) -> (Table, Vec<String>) {
        let columns = vec![
            Column::words("programs"),
            Column::numbers("recursive", "thesis"),
            Column::numbers("recursive", "here"),
            Column::numbers("lattice-based", "thesis"),
            Column::numbers("lattice-based", "here"),
        ];
        let mut table = Table::new("", columns);
        let timeout_s = self.limits.setup.timeout_s;
        for (set, line) in sets::PARAMETERS.iter().zip(&paper::COSTS) {
            if !self.has(set) {
                continue;
            }
            let mut cells = vec![set.name.to_owned()];
            let estimated = [Estimated::Recursive, Estimated::LatticeBased];
            for (column, by) in estimated.into_iter().enumerate() {
                let numbers = 1..=self.limits.n_programs;
                let found = numbers.filter_map(|number| rows.cost(set.name, number, by, timeout_s));
                let seconds: Vec<Option<f64>> = found.map(|row| row.seconds).collect();
                let ours = if timeouts {
                    let late = seconds.iter().filter(|seconds| seconds.is_none());
                    late.count().to_string()
                } else {
                    #[expect(clippy::cast_precision_loss, reason = "limits are far below 2^52")]
                    let most = timeout_s as f64;
                    let all = seconds.iter().map(|seconds| seconds.unwrap_or(most));
                    milliseconds(all.sum())
                };
                let thesis = if timeouts { line.timeouts } else { line.ms }[column];
                cells.extend([grouped(thesis), ours]);
            }
            table.push(cells);
        }
        let note = format!(
            "Each program has {timeout_s} s (thesis: 30). The thesis does not say which κ recursive \
             had here; ours has {KAPPA}, as in Section 6.3.2."
        );
        (table, vec![note])
    }

    fn limit_table(
        &self,
        rows: &ThesisRows,
        set: &ProgramSet,
        lines: &[(u32, u64)],
    ) -> (Table, Vec<String>) {
        let columns = vec![
            Column::numbers("", "limit-cost"),
            Column::numbers("", "thesis"),
            Column::numbers("", "here"),
        ];
        let mut table = Table::new("", columns);
        for (limit, thesis) in lines {
            let options = Configuration::of("bfs", Merge::Lattice, *limit, 1).options();
            let ours = self.sums(rows, set, &options);
            let cell = self.cell(&ours, grouped(ours.path_coverage));
            table.push(vec![limit.to_string(), grouped(*thesis), cell]);
        }
        (table, note_on_medium(set))
    }

    fn kappa_table(&self, rows: &ThesisRows) -> (Table, Vec<String>) {
        let set = &sets::PARAMETERS[1];
        let mut columns = vec![Column::numbers("", "limit-cost")];
        for kappa in paper::KAPPAS {
            let group = format!("κ = {kappa}");
            columns.push(Column::numbers(&group, "thesis"));
            columns.push(Column::numbers(&group, "here"));
        }
        let mut table = Table::new("", columns);
        for (limit, line) in &paper::RECURSIVE {
            let mut cells = vec![limit.to_string()];
            for (kappa, thesis) in paper::KAPPAS.iter().zip(line) {
                let options = Configuration::of("bfs", Merge::Recursive, *limit, *kappa).options();
                let ours = self.sums(rows, set, &options);
                let cell = self.cell(&ours, grouped(ours.path_coverage));
                cells.extend([grouped(*thesis), cell]);
            }
            table.push(cells);
        }
        (table, note_on_medium(set))
    }

    fn strategy_table(
        &self,
        rows: &ThesisRows,
        comparison: &Comparison,
        metric: Metric,
        paper: &ByStrategy,
    ) -> (Table, Vec<String>) {
        let mut columns = vec![Column::words("search")];
        for merge in comparison.merges {
            columns.push(Column::numbers(merge.name(), "thesis"));
            columns.push(Column::numbers(merge.name(), "here"));
        }
        let mut table = Table::new("", columns);
        for (search, line) in SEARCHES.iter().zip(paper) {
            let mut cells = vec![(*search).to_owned()];
            for (column, merge) in comparison.merges.iter().enumerate() {
                let ours = self.sums(rows, comparison.set, &compared(search, *merge).options());
                let value = match metric {
                    Metric::PathCoverage => grouped(ours.path_coverage),
                    Metric::Errors => ours.errors.to_string(),
                    Metric::Time => milliseconds(ours.time_s),
                    Metric::Timeouts => ours.timeouts.to_string(),
                    Metric::TimeoutsAndErrors => (ours.timeouts + ours.errors).to_string(),
                };
                let thesis = line.get(column);
                cells.push(thesis.map_or_else(|| "–".to_owned(), |figure| grouped(*figure)));
                cells.push(self.cell(&ours, value));
            }
            table.push(cells);
        }
        let mut notes = vec![format!("limit-cost {LIMIT_COST}, κ {KAPPA}.")];
        if comparison.set.name == LARGER.set.name {
            notes.push(
                "Section 6.3.2 says 20 programs, but Tables 6.14 and 6.15 count 44 of them: we take \
                 50 as in the other experiments."
                    .to_owned(),
            );
        }
        (table, notes)
    }

    fn final_table(
        &self,
        rows: &ThesisRows,
        technique: Technique,
        paper: &[FinalLine; 18],
    ) -> (Table, Vec<String>) {
        let mut columns = vec![Column::words("settings")];
        for name in ["path coverage", "time (ms)", "timeouts", "errors"] {
            columns.push(Column::numbers("thesis", name));
        }
        for group in [technique.name(), Technique::Together.name()] {
            for name in [
                "path coverage",
                "time (ms)",
                "timeouts",
                "errors",
                "closed",
                "open",
            ] {
                columns.push(Column::numbers(group, name));
            }
        }
        let mut table = Table::new("", columns);
        let ours = |set| [technique, Technique::Together].map(|one| (set, one.options()));
        let mut all = [Sums::default(); 2];
        for (set, line) in sets::FINAL.iter().zip(paper) {
            if !self.has(set) {
                continue;
            }
            let mut cells = vec![set.name.to_owned()];
            cells.extend([line.paths, line.ms, line.timeouts, line.errors].map(grouped));
            for ((set, options), all) in ours(set).into_iter().zip(&mut all) {
                let sums = self.sums(rows, set, &options);
                cells.extend(self.final_cells(&sums));
                all.add(&sums);
            }
            table.push(cells);
        }
        let mut cells = vec!["all".to_owned()];
        if self.only.is_empty() {
            let sum = |figure: fn(&FinalLine) -> u64| grouped(paper.iter().map(figure).sum());
            cells.extend([
                sum(|line| line.paths),
                sum(|line| line.ms),
                sum(|line| line.timeouts),
                sum(|line| line.errors),
            ]);
        } else {
            cells.extend([const { String::new() }; 4]);
        }
        all.iter()
            .for_each(|sums| cells.extend(self.final_cells(sums)));
        table.push(cells);
        (table, notes_on_final(technique))
    }

    fn final_cells(&self, sums: &Sums) -> [String; 6] {
        [
            self.cell(sums, grouped(sums.path_coverage)),
            self.cell(sums, milliseconds(sums.time_s)),
            self.cell(sums, sums.timeouts.to_string()),
            self.cell(sums, sums.errors.to_string()),
            self.cell(sums, sums.closed.to_string()),
            self.cell(sums, (sums.open + sums.failed).to_string()),
        ]
    }

    fn configuration_table(&self, rows: &ThesisRows) -> (Table, Vec<String>) {
        let mut columns = vec![Column::words("search"), Column::words("merge")];
        for group in [
            "neither",
            "subsumption",
            "summarisation",
            "subsumption and summarisation",
        ] {
            columns.push(Column::numbers(group, "decided"));
            columns.push(Column::numbers(group, "time (ms)"));
        }
        let mut table = Table::new("", columns);
        for search in SEARCHES {
            for merge in SMALLER.merges {
                let mut cells = vec![search.to_owned(), merge.name().to_owned()];
                for configuration in with_and_without(compared(search, *merge)) {
                    let sums = self.sums(rows, SMALLER.set, &configuration.options());
                    cells.push(self.cell(&sums, sums.decided().to_string()));
                    cells.push(self.cell(&sums, milliseconds(sums.time_s)));
                }
                table.push(cells);
            }
        }
        let note = format!(
            "The thesis names these configurations and does not print their figures. limit-cost \
             {LIMIT_COST}, κ {KAPPA}."
        );
        (table, vec![note])
    }

    fn decided_table(&self, rows: &ThesisRows) -> (Table, Vec<String>) {
        let mut columns = vec![
            Column::words("settings"),
            Column::numbers("thesis: finished of 50", "best"),
            Column::words("by"),
        ];
        let names = Technique::ALL.map(Technique::name);
        columns.extend(names.map(|name| Column::numbers("here: decided", name)));
        let mut table = Table::new("", columns);
        let (mut below_thesis, mut below_one) = (Vec::new(), Vec::new());
        let (mut best_of_thesis, mut all) = (0, [0; 5]);
        for (position, set) in sets::FINAL.iter().enumerate() {
            if !self.has(set) {
                continue;
            }
            let (best, by) = best_in_thesis(position);
            best_of_thesis += best;
            let sums = Technique::ALL.map(|one| self.sums(rows, set, &one.options()));
            let decided = sums.each_ref().map(Sums::decided);
            for (all, decided) in all.iter_mut().zip(decided) {
                *all += decided;
            }
            let together = decided[4];
            // In shares, since there may be fewer programs here than in the thesis.
            if together * u64::from(N_PROGRAMS) < best * u64::from(self.limits.n_programs) {
                below_thesis.push(set.name);
            }
            if decided[..4].iter().any(|one| *one > together) {
                below_one.push(set.name);
            }
            let mut cells = vec![set.name.to_owned(), best.to_string(), by.to_owned()];
            let shown = sums
                .iter()
                .map(|sums| self.cell(sums, sums.decided().to_string()));
            cells.extend(shown);
            table.push(cells);
        }
        let mut cells = vec!["all".to_owned(), best_of_thesis.to_string(), String::new()];
        cells.extend(all.map(|decided| decided.to_string()));
        table.push(cells);
        let listed = |sets: &[&str]| match sets {
            [] => "none".to_owned(),
            some => some.join(", "),
        };
        let notes = vec![
            "Finished in the thesis: not timeouted. Decided here: an error found and replayed, or the \
             program closed."
                .to_owned(),
            format!(
                "Sets of which all together decide a smaller share than the thesis' best finished: {}.",
                listed(&below_thesis)
            ),
            format!(
                "Sets of which they decide fewer than a technique alone: {}.",
                listed(&below_one)
            ),
        ];
        (table, notes)
    }

    /// A figure; it is marked where runs are missing, and left out where all are.
    fn cell(&self, sums: &Sums, figure: String) -> String {
        match sums.missing {
            0 => figure,
            missing if missing == u64::from(self.limits.n_programs) => String::new(),
            _ => format!("{figure}…"),
        }
    }

    /// What is said below each table: scale, limits, failed runs.
    fn notes_of(&self, rows: &ThesisRows, table: &ThesisTable) -> Vec<String> {
        let Limits {
            n_programs,
            work_s,
            setup,
        } = &self.limits;
        let mut notes = vec![format!(
            "Programs of each set: {n_programs} (thesis: {N_PROGRAMS}), made by our generator; those of the \
             thesis are not published."
        )];
        if table.is_of_costs() {
            return notes;
        }
        notes.push(match work_s {
            Some(work_s) => format!(
                "Each run has {work_s} s of counted work (thesis: 30 s of time): work stands for time, \
                 and what several techniques decide with more work together counts as a timeout."
            ),
            None => format!(
                "Each run has {} s of time (thesis: 30 s).",
                setup.timeout_s
            ),
        });
        let wanted: Vec<ThesisKey> = {
            let one = Plan {
                tables: vec![ThesisTable::named(table.name).unwrap_or(&TABLES[0])],
                limits: self.limits.clone(),
                only: self.only.clone(),
            };
            one.runs().into_iter().map(|(_, key)| key).collect()
        };
        let found: Vec<&ThesisRow> = wanted.iter().filter_map(|key| rows.find(key)).collect();
        if found.len() < wanted.len() {
            notes.push(format!(
                "{} of {} runs are missing (…).",
                wanted.len() - found.len(),
                wanted.len()
            ));
        }
        for row in &found {
            if let Some(error) = &row.error {
                let ThesisKey { set, program, .. } = &row.key;
                notes.push(format!("{set}, program {program}: {error}"));
            }
        }
        let open: BTreeSet<&str> = found
            .iter()
            .filter(|row| row.ended() == Ended::Open)
            .flat_map(|row| row.reasons.iter().map(String::as_str))
            .collect();
        if !open.is_empty() {
            let kinds: Vec<&str> = open.into_iter().collect();
            notes.push(format!(
                "Open: neither decided nor at the limit, for {}.",
                kinds.join(", ")
            ));
        }
        if let Some(first) = found.first() {
            notes.push(setup.describe(&first.machine));
        }
        notes
    }

    /// Closed programs and errors over time, a line a technique; those of the final sets.
    #[must_use]
    pub fn plot(&self, rows: &ThesisRows) -> TimePlot {
        let mut series = Vec::new();
        for (technique, colour) in Technique::ALL.into_iter().zip(COLOURS) {
            for (ended, name) in [(Ended::Closed, "closed"), (Ended::Error, "errors")] {
                let options = technique.options();
                let sets = sets::FINAL.iter().filter(|set| self.has(set));
                let runs = sets.flat_map(|set| self.rows_of(rows, set, &options).flatten());
                let decided = runs.filter(|row| row.ended() == ended);
                let mut times: Vec<f64> = decided.map(ThesisRow::time_s).collect();
                times.sort_by(f64::total_cmp);
                let counted = (1_u32..).zip(times);
                // A logarithm has no 0.
                let points = counted.map(|(n, time)| (f64::from(n), time.max(1e-5)));
                series.push(Series {
                    name: format!("{}, {name}", technique.name()),
                    colour,
                    dashed: ended == Ended::Error,
                    points: points.collect(),
                    stopped_at: None,
                });
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "limits are far below 2^52")]
        let limit = self.limits.work_s.unwrap_or(self.limits.setup.timeout_s) as f64;
        let time = match self.limits.work_s {
            Some(_) => "work of each, at most",
            None => "time of each, at most",
        };
        TimePlot {
            title: "Programs of the 18 final sets, closed and with an error found".to_owned(),
            x_label: "number of programs".to_owned(),
            x_scale: Scale::Linear,
            y_label: time.to_owned(),
            limit,
            series,
        }
    }
}

/// The most programs of a final set that finished in the thesis, and the technique.
fn best_in_thesis(position: usize) -> (u64, &'static str) {
    let tables = [
        (&paper::NOTHING, Technique::Nothing),
        (&paper::MERGING, Technique::Merging),
        (&paper::SUBSUMPTION, Technique::Subsumption),
        (&paper::SUMMARISATION, Technique::Summarisation),
    ];
    let finished = tables.map(|(table, technique)| {
        let finished = u64::from(N_PROGRAMS) - table[position].timeouts;
        (finished, technique.name())
    });
    let first = finished[0];
    let better = |best: (u64, &'static str), one: (u64, &'static str)| {
        if one.0 > best.0 { one } else { best }
    };
    finished.into_iter().fold(first, better)
}

/// Which programs Tables 6.4 and 6.5 are of.
fn note_on_medium(set: &ProgramSet) -> Vec<String> {
    let note = "The thesis does not say which programs these were; here they are the medium ones.";
    let is_open = set.name == "medium";
    is_open.then(|| note.to_owned()).into_iter().collect()
}

/// What the thesis leaves open or contradicts, and how its techniques are meant here.
fn notes_on_final(technique: Technique) -> Vec<String> {
    let mut notes = vec![
        "The thesis does not give the numbers of statements: here 10 at the top and 5 in a block, as \
         for its smaller programs. Numbers have 32 bits."
            .to_owned(),
        "Search strategy tree. All together is `analyze` as it comes, whose path coverage is that of \
         the technique that decides."
            .to_owned(),
    ];
    match technique {
        Technique::Merging => {
            notes.push("Merging: lattice-based, limit-cost 1.".to_owned());
        }
        Technique::Subsumption => notes.push(
            "Subsumption: states that those before subsume are closed, where the thesis has \
             annotations. In its row 15-10-3-f-f 18 timeouts of 30 s take 540 s at least, so that the \
             55,836 ms that it prints cannot be."
                .to_owned(),
        ),
        Technique::Summarisation => notes.push(
            "Summarisation: templates, those of path dependency automata included; no state is closed."
                .to_owned(),
        ),
        Technique::Nothing | Technique::Together => {}
    }
    notes
}

/// Seconds as milliseconds, with groups of digits; one decimal below 100.
fn milliseconds(seconds: f64) -> String {
    let ms = seconds * 1000.0;
    if ms < 100.0 {
        return format!("{ms:.1}");
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "times are positive and far below 2^53"
    )]
    let whole = ms.round() as u64;
    grouped(whole)
}
