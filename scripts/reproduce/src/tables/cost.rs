//! Cost against bound: the time of both techniques as a function of the bound of a program's loops.

use super::plot::{COLOURS, Scale, Series, TimePlot};
use super::rows::{Row, Rows, Setup};
use super::table::{Column, Table};
use report::summary::grouped;
use serde::{Deserialize, Serialize};

/// The name of the benchmark.
pub const NAME: &str = "cost-against-bound";

/// Programs of `c-benchmarks` that take a bound by `-DBOUND=…`.
pub const PROGRAMS: [&str; 5] = ["OneLoop", "matrIR", "hello", "EQCNT", "copy"];

/// The bounds, ascending.
pub const BOUNDS: [u64; 6] = [10, 100, 1_000, 10_000, 100_000, 1_000_000];

/// What identifies a run.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct CostKey {
    pub program: String,
    /// `compact` or `classic`.
    pub technique: String,
    pub bound: u64,
    /// Runs of the same are numbered from 0.
    pub run: u32,
    #[serde(flatten)]
    pub setup: Setup,
}

/// What is known of a program, a technique and a bound.
#[derive(Clone, PartialEq, Debug)]
pub enum Cost {
    /// The verdict, and the median of the runs' times in seconds.
    Decided(String, f64),
    OutOfTime,
    /// Not decided for another reason, or an error.
    Open(String),
    /// Not run: a smaller bound took too long.
    Skipped,
    /// Not run yet.
    Missing,
}

impl Row<CostKey> {
    /// Everything but loading: templates, execution, and the replay of what was found; in seconds.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.times_s.after_loading()
    }

    /// Whether the verdict is decided and not the right one.
    #[must_use]
    pub fn is_wrong(&self) -> bool {
        let expected = if is_reachable(&self.key.program, self.key.bound) {
            "reachable"
        } else {
            "unreachable"
        };
        self.is_decided() && self.verdict != expected
    }
}

/// The truth about the programs.
fn is_reachable(program: &str, bound: u64) -> bool {
    match program {
        // More than 15 elements of a row, in a matrix of more than 20 rows.
        "matrIR" => bound > 20,
        // More than 20 pairs.
        "EQCNT" => bound * bound > 20,
        "hello" => true,
        _ => false,
    }
}

impl Rows<CostKey> {
    /// What the runs of this key with other run numbers say.
    #[must_use]
    pub fn cost(&self, key: &CostKey, n_runs: u32) -> Cost {
        let smaller = BOUNDS.iter().filter(|bound| **bound < key.bound);
        for bound in smaller {
            let before = CostKey {
                bound: *bound,
                ..key.clone()
            };
            if self.at(&before, n_runs) == Cost::OutOfTime {
                return Cost::Skipped;
            }
        }
        self.at(key, n_runs)
    }

    fn at(&self, key: &CostKey, n_runs: u32) -> Cost {
        let rows = (0..n_runs).filter_map(|run| self.find(&CostKey { run, ..key.clone() }));
        let rows: Vec<&Row<CostKey>> = rows.collect();
        let Some(first) = rows.first() else {
            return Cost::Missing;
        };
        if rows.iter().any(|row| row.has_reason("out-of-time")) {
            return Cost::OutOfTime;
        }
        if let Some(open) = rows.iter().find(|row| !row.is_decided()) {
            let reason = open.reasons.first().map(|reason| reason.kind.clone());
            return Cost::Open(reason.unwrap_or_else(|| "error".to_owned()));
        }
        let mut times: Vec<f64> = rows.iter().map(|row| row.seconds()).collect();
        times.sort_by(f64::total_cmp);
        let middle = times.len() / 2;
        let median = if times.len() % 2 == 1 {
            times[middle]
        } else {
            f64::midpoint(times[middle - 1], times[middle])
        };
        Cost::Decided(first.verdict.clone(), median)
    }

    /// The table of these programs.
    #[must_use]
    pub fn table(&self, plan: &Plan) -> Table {
        let mut columns = vec![Column::words("program"), Column::words("technique")];
        for bound in BOUNDS {
            let column = Column::numbers("seconds at bound", &grouped(bound));
            columns.push(column.in_full(format!("bound {bound}: seconds")));
        }
        let growth = Column::numbers("", "largest/smallest");
        columns.extend([growth, Column::words("verdicts")]);
        let title = "Cost against bound: seconds for templates, execution and replay";
        let mut table = Table::new(title, columns);
        for (program, technique) in plan.lines() {
            let costs: Vec<Cost> = BOUNDS
                .iter()
                .map(|bound| self.cost(&plan.key(program, technique, *bound, 0), plan.n_runs))
                .collect();
            let mut row = vec![program.to_owned(), technique.to_owned()];
            row.extend(costs.iter().map(Cost::cell));
            row.push(growth_of(&costs).map_or_else(String::new, |growth| format!("{growth:.1}")));
            row.push(verdicts(&costs).join(", then "));
            table.push(row);
        }
        let wanted = |row: &&Row<CostKey>| plan.has(&row.key);
        for row in self.rows.iter().filter(wanted) {
            let what = format!(
                "{}, {}, {}",
                row.key.program, row.key.technique, row.key.bound
            );
            if row.is_wrong() {
                let verdict = &row.verdict;
                table.notes.push(format!("{what}: WRONG VERDICT {verdict}"));
            } else if let Some(error) = &row.error {
                table.notes.push(format!("{what}: {error}"));
            }
        }
        table.notes.push(format!(
            "Medians of {} runs; loading is left out. T/O: out of time, larger bounds were not run \
             (-); ?: open for the reason beside it. What the bound of a program is: \
             c-benchmarks/README.md.",
            plan.n_runs
        ));
        if let Some(first) = self.rows.iter().find(wanted) {
            table.notes.push(plan.setup.describe(&first.machine));
        }
        let mut loads: Vec<f64> = self
            .rows
            .iter()
            .filter(wanted)
            .filter_map(|row| row.load)
            .collect();
        loads.sort_by(f64::total_cmp);
        if let (Some(most), Some(median)) = (loads.last(), loads.get(loads.len() / 2)) {
            table.notes.push(format!(
                "Load of the machine (one-minute average, the run itself included): median \
                 {median:.1}, at most {most:.1}."
            ));
        }
        table
    }

    /// The same as a plot.
    #[must_use]
    pub fn plot(&self, plan: &Plan) -> TimePlot {
        let mut series = Vec::new();
        for (program, technique) in plan.lines() {
            let costs = BOUNDS.map(|bound| {
                let key = plan.key(program, technique, bound, 0);
                (bound_on_axis(bound), self.cost(&key, plan.n_runs))
            });
            let points = costs.iter().filter_map(|(bound, cost)| match cost {
                // A logarithm has no 0: a measured one is below the clock's resolution.
                Cost::Decided(_, seconds) => Some((*bound, seconds.max(1e-4))),
                Cost::OutOfTime | Cost::Open(_) | Cost::Skipped | Cost::Missing => None,
            });
            let stop = costs.iter().find(|(_, cost)| *cost == Cost::OutOfTime);
            let colour = PROGRAMS.iter().position(|known| *known == program);
            series.push(Series {
                name: format!("{program}, {technique}"),
                colour: COLOURS[colour.unwrap_or_default() % COLOURS.len()],
                dashed: technique == "classic",
                points: points.collect(),
                stopped_at: stop.map(|(bound, _)| *bound),
            });
        }
        TimePlot {
            title: "Cost against bound".to_owned(),
            x_label: "bound of the program's loops".to_owned(),
            x_scale: Scale::Logarithmic,
            y_label: "time for templates, execution and replay".to_owned(),
            limit: bound_on_axis(plan.setup.timeout_s),
            series,
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "bounds and limits are far below 2^52"
)]
fn bound_on_axis(bound: u64) -> f64 {
    bound as f64
}

/// Which runs a table is made of.
pub struct Plan {
    pub programs: Vec<&'static str>,
    pub techniques: Vec<&'static str>,
    pub n_runs: u32,
    pub setup: Setup,
}

impl Plan {
    /// Programs with techniques, in order.
    pub fn lines(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.programs.iter().flat_map(|program| {
            let techniques = self.techniques.iter();
            techniques.map(|technique| (*program, *technique))
        })
    }

    /// The key of a run.
    #[must_use]
    pub fn key(&self, program: &str, technique: &str, bound: u64, run: u32) -> CostKey {
        CostKey {
            program: program.to_owned(),
            technique: technique.to_owned(),
            bound,
            run,
            setup: self.setup.clone(),
        }
    }

    /// Whether a run is one of these.
    #[must_use]
    pub fn has(&self, key: &CostKey) -> bool {
        key.setup == self.setup
            && key.run < self.n_runs
            && self
                .lines()
                .any(|line| line == (key.program.as_str(), key.technique.as_str()))
    }
}

impl Cost {
    fn cell(&self) -> String {
        match self {
            Cost::Decided(_, seconds) if *seconds < 0.1 => format!("{seconds:.4}"),
            Cost::Decided(_, seconds) => format!("{seconds:.2}"),
            Cost::OutOfTime => "T/O".to_owned(),
            Cost::Open(why) => format!("? {why}"),
            Cost::Skipped => "-".to_owned(),
            Cost::Missing => String::new(),
        }
    }
}

/// The largest time over the smallest, where there are several.
fn growth_of(costs: &[Cost]) -> Option<f64> {
    let times = costs.iter().filter_map(|cost| match cost {
        Cost::Decided(_, seconds) => Some(*seconds),
        Cost::OutOfTime | Cost::Open(_) | Cost::Skipped | Cost::Missing => None,
    });
    let times: Vec<f64> = times.collect();
    let largest = times.iter().copied().fold(0.0, f64::max);
    let smallest = times.iter().copied().fold(f64::INFINITY, f64::min);
    (times.len() > 1 && smallest > 0.0).then(|| largest / smallest)
}

/// The verdicts in order, without repetitions.
fn verdicts(costs: &[Cost]) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for cost in costs {
        if let Cost::Decided(verdict, _) = cost
            && found.last() != Some(&verdict.as_str())
        {
            found.push(verdict);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use report::Environment;
    use report::record::ReasonRecord;

    fn plan() -> Plan {
        Plan {
            programs: vec!["OneLoop"],
            techniques: vec!["compact", "classic"],
            n_runs: 3,
            setup: Setup {
                timeout_s: 20,
                memory_mb: 1,
                query_work_s: 20,
                seed: 1,
                tool: "compact-se 0".to_owned(),
                commit: None,
                solver: "Z3".to_owned(),
            },
        }
    }

    fn row(technique: &str, bound: u64, run: u32, seconds: Option<f64>) -> Row<CostKey> {
        let environment = Environment {
            tool: String::new(),
            commit: None,
            solver: String::new(),
            machine: "a machine".to_owned(),
        };
        let key = plan().key("OneLoop", technique, bound, run);
        let mut row = Row::of_error(key, &environment, String::new());
        row.error = None;
        row.load = Some(1.5);
        row.verdict = "unreachable".to_owned();
        row.times_s.total = seconds.unwrap_or(20.0);
        if seconds.is_none() {
            row.verdict = "unknown".to_owned();
            row.reasons.push(ReasonRecord {
                kind: "out-of-time".to_owned(),
                text: String::new(),
                place: String::new(),
                count: 1,
                hint: String::new(),
            });
        }
        row
    }

    fn example() -> Rows<CostKey> {
        let mut rows = Rows::new(NAME);
        for (run, seconds) in [(0, 0.2), (1, 0.9), (2, 0.3)] {
            rows.put(row("compact", 10, run, Some(seconds)));
            rows.put(row("compact", 100, run, Some(2.0 * seconds)));
        }
        rows.put(row("classic", 10, 0, Some(1.0)));
        rows.put(row("classic", 100, 0, None));
        rows.put(row("classic", 1000, 0, Some(1.0)));
        rows
    }

    #[test]
    fn medians_and_time_outs_stand_in_the_table() {
        let table = example().table(&plan());
        assert_eq!(
            table.rows()[0].join("|"),
            "OneLoop|compact|0.30|0.60|||||2.0|unreachable"
        );
        assert_eq!(
            table.rows()[1].join("|"),
            "OneLoop|classic|1.00|T/O|-|-|-|-||unreachable"
        );
        let last = table.notes.last().expect("notes");
        assert!(last.contains("median 1.5, at most 1.5"), "{last}");
    }

    #[test]
    fn a_wrong_verdict_is_told() {
        let mut rows = example();
        let mut wrong = row("compact", 10, 0, Some(1.0));
        wrong.verdict = "reachable".to_owned();
        rows.put(wrong);
        let notes = rows.table(&plan()).notes.join("\n");
        assert!(
            notes.contains("OneLoop, compact, 10: WRONG VERDICT reachable"),
            "{notes}"
        );
    }

    #[test]
    fn the_plot_has_a_line_for_each_technique() {
        let plot = example().plot(&plan());
        let [compact, classic] = &plot.series[..] else {
            panic!("two lines");
        };
        assert_eq!(compact.points, vec![(10.0, 0.3), (100.0, 0.6)]);
        assert_eq!(classic.points, vec![(10.0, 1.0)], "not what was skipped");
        assert_eq!(classic.stopped_at, Some(100.0));
    }

    #[test]
    fn rows_survive_json() {
        let rows = example();
        let text = serde_json::to_string(&rows).expect("rows are JSON");
        assert!(
            text.contains("\"bound\":10,\"run\":0,\"timeout_s\":20"),
            "{text}"
        );
        let again: Rows<CostKey> = serde_json::from_str(&text).expect("and back");
        assert_eq!(again, rows);
    }
}
