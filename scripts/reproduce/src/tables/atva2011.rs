//! Tables 2 and 3 of the ATVA 2011 paper: the paper's figures and runs of ours beside them.
//!
//! # Source
//! Obdržálek, Trtík, *Efficient Loop Navigation for Symbolic Execution*, ATVA 2011, Tables 2 and 3.

use super::table::{Column, Table};
use property::VerdictKind;
use report::{AnalysisRecord, ChainsRecord, Environment};
use serde::{Deserialize, Serialize};

/// A line of the paper's tables.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PaperLine {
    /// As the paper calls it.
    pub benchmark: &'static str,
    /// Its file of ours, without `.c`.
    pub program: &'static str,
    /// Whether there is a feasible path to the target.
    pub is_reachable: bool,
    /// Table 2, as printed: PEX, PEX with adjusted parameters, KLEE, CBA.
    pub times: [&'static str; 4],
    /// Table 3: root chains and all, eliminated root chains, constraints, states.
    pub chains: &'static str,
    pub eliminated: u32,
    pub constraints: u32,
    pub states: u32,
    /// Calls of the constraint solver, the first solution and the rest; of the SMT solver; and
    /// predicates of the path condition.
    pub solver: &'static str,
    pub smt: u32,
    pub predicates: u32,
}

macro_rules! line {
    ($benchmark:literal, $program:literal, $reachable:literal, $times:expr, $chains:literal, $eliminated:literal, $constraints:literal, $states:literal, $solver:literal, $smt:literal, $predicates:literal) => {
        PaperLine {
            benchmark: $benchmark,
            program: $program,
            is_reachable: $reachable,
            times: $times,
            chains: $chains,
            eliminated: $eliminated,
            constraints: $constraints,
            states: $states,
            solver: $solver,
            smt: $smt,
            predicates: $predicates,
        }
    };
}

/// The paper's lines, in its order.
#[rustfmt::skip]
pub const PAPER: [PaperLine; 9] = [
    line!("Hello", "hello", true, ["3.234", "7.233", "0.093", "0.026"], "3/6", 2, 5, 10, "8/36", 19, 5),
    line!("HW", "HW", true, ["14.890", "11.107", "37m", "0.175"], "9/17", 8, 10, 44, "30/170", 92, 10),
    line!("HWM", "HWM", true, ["fail", "8m 54s", "T/O", "1.997"], "81/161", 80, 20, 174, "112/686", 376, 22),
    line!("DOIF", "DOIF", true, ["T/O", "20m 27s", "T/O", "0.388"], "1/5", 0, 3, 98, "97/349", 136, 26),
    line!("DOIFex", "DOIFex", true, ["T/O", "T/O", "T/O", "1.745"], "1/9", 0, 4, 211, "209/728", 212, 26),
    line!("EQCNT", "EQCNT", true, ["1m 43s", "11.592", "T/O", "0.191"], "1/4", 0, 3, 45, "44/245", 45, 43),
    line!("EQCNTex", "EQCNTex", false, ["46m 12s", "42m 20s", "T/O", "2.458"], "1/7", 0, 6, 1192, "1022/7286", 1233, 0),
    line!("OneLoop", "OneLoop", false, ["2m 14s", "4m 27s", "T/O", "0.002"], "1/2", 0, 2, 0, "1/0", 0, 0),
    line!("TwoLoops", "TwoLoops", false, ["1m 4s", "57.426", "T/O", "0.003"], "1/3", 0, 2, 0, "1/0", 0, 0),
];

/// Which of the two tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// Running times.
    Table2,
    /// What each phase did.
    Table3,
}

impl Which {
    /// The name of the benchmark.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Which::Table2 => "atva2011-table2",
            Which::Table3 => "atva2011-table3",
        }
    }
}

/// The rows of our runs, as they are kept.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct NavigationRows {
    /// `atva2011-table2` or `atva2011-table3`.
    pub benchmark: String,
    pub environment: Option<Environment>,
    pub rows: Vec<NavigationRow>,
}

/// One program.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NavigationRow {
    pub program: String,
    pub verdict: VerdictKind,
    /// Seconds: loading, navigation with the solver's share, native runs.
    pub load_s: f64,
    pub navigation_s: f64,
    pub replay_s: f64,
    /// States that were taken from the queue, and those of them at branchings.
    pub visited: u64,
    pub forks: u64,
    /// Of these states, those that are not on the path to the target: each choice on it leaves one
    /// state that waits, unless that was taken too. None where there is no such path.
    #[serde(default)]
    pub off_path: Option<u64>,
    /// Questions about constraint systems: for the first state, and for all others.
    pub first_questions: u64,
    pub questions: u64,
    #[serde(default)]
    pub by_intervals: u64,
    /// Queries of execution.
    pub queries: u64,
    /// Conjuncts of the path condition to the target.
    pub conjuncts: u64,
    /// States closed by constraint systems.
    pub refuted: u64,
    /// Of `compact-se chains`; only Table 3 has it.
    pub chains: Option<ChainNumbers>,
}

/// What the first two phases came to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ChainNumbers {
    pub root_chains: usize,
    pub chains: usize,
    pub cut: bool,
    /// Edges of all chains.
    pub edges: usize,
    pub eliminated: usize,
    pub constraints: usize,
    pub chains_s: f64,
    pub systems_s: f64,
}

impl NavigationRow {
    /// The row of a run by navigation, and of the chains of its program.
    #[must_use]
    pub fn new(program: &str, record: &AnalysisRecord, chains: Option<&ChainsRecord>) -> Self {
        let (times, counts) = (&record.times_s, &record.counts);
        NavigationRow {
            program: program.to_owned(),
            verdict: record.verdict,
            load_s: times.load,
            navigation_s: (times.total - times.load - times.replay).max(0.0),
            replay_s: times.replay,
            visited: counts.visited,
            forks: counts.forks,
            off_path: (record.verdict == VerdictKind::Reachable)
                .then(|| (record.path.len() as u64).saturating_sub(counts.waiting)),
            first_questions: counts.navigation.first_questions,
            questions: counts.navigation.questions,
            by_intervals: counts.navigation.by_intervals,
            queries: counts.queries,
            conjuncts: counts.conjuncts,
            refuted: counts.navigation.refuted,
            chains: chains.map(|chains| ChainNumbers {
                root_chains: chains.root_chains,
                chains: chains.chains,
                cut: chains.cut,
                edges: chains.edges,
                eliminated: chains.eliminated,
                constraints: chains.constraints,
                chains_s: chains.chains_s,
                systems_s: chains.systems_s,
            }),
        }
    }
}

impl NavigationRows {
    /// Our rows beside the paper's.
    #[must_use]
    pub fn table(&self, which: Which) -> Table {
        match which {
            Which::Table2 => self.table2(),
            Which::Table3 => self.table3(),
        }
    }

    fn lines(&self) -> impl Iterator<Item = (&'static PaperLine, &NavigationRow)> {
        PAPER.iter().filter_map(|line| {
            let row = self.rows.iter().find(|row| row.program == line.program)?;
            Some((line, row))
        })
    }

    fn table2(&self) -> Table {
        let columns = vec![
            Column::words("Benchmark"),
            Column::numbers("paper", "PEX"),
            Column::numbers("paper", "PEX*"),
            Column::numbers("paper", "KLEE"),
            Column::numbers("paper", "CBA"),
            Column::numbers("here", "CBA"),
            Column::numbers("here", "load"),
            Column::numbers("here", "replay"),
            Column::words("verdict"),
        ];
        let title = "Efficient Loop Navigation for Symbolic Execution, ATVA 2011, Table 2";
        let mut table = Table::new(title, columns);
        for (line, row) in self.lines() {
            let mut cells = vec![line.benchmark.to_owned()];
            cells.extend(line.times.map(str::to_owned));
            cells.extend([row.navigation_s, row.load_s, row.replay_s].map(seconds));
            cells.push(row.verdict.to_string());
            table.push(cells);
        }
        table.notes = vec![
            "Times in seconds where no other unit stands. Paper: Core i7 920 at 2.67 GHz, Windows; \
             T/O after 30 minutes or an hour; PEX* with parameters adjusted after unsuccessful runs."
                .to_owned(),
            "CBA here is classic execution in the order of --search navigate, constraint systems \
             and solver included. Loading is compiling and lowering; the replay, which compiles \
             the program once more and runs it, confirms what is reachable. The paper has neither."
                .to_owned(),
            "The programs are written anew after the paper's descriptions.".to_owned(),
        ];
        table
    }

    fn table3(&self) -> Table {
        let columns = vec![
            Column::words("Benchmark"),
            Column::numbers("paper", "chains"),
            Column::numbers("paper", "elim"),
            Column::numbers("paper", "size"),
            Column::numbers("paper", "states"),
            Column::numbers("paper", "CSOL"),
            Column::numbers("paper", "SMT"),
            Column::numbers("paper", "PC"),
            Column::numbers("here", "chains"),
            Column::numbers("here", "edges"),
            Column::numbers("here", "time"),
            Column::numbers("here", "elim"),
            Column::numbers("here", "size"),
            Column::numbers("here", "time"),
            Column::numbers("here", "states"),
            Column::numbers("here", "off path"),
            Column::numbers("here", "branchings"),
            Column::numbers("here", "intervals"),
            Column::numbers("here", "CSOL"),
            Column::numbers("here", "SMT"),
            Column::numbers("here", "time"),
            Column::numbers("here", "PC"),
        ];
        let title = "Efficient Loop Navigation for Symbolic Execution, ATVA 2011, Table 3";
        let mut table = Table::new(title, columns);
        for (line, row) in self.lines() {
            let mut cells = vec![
                line.benchmark.to_owned(),
                line.chains.to_owned(),
                line.eliminated.to_string(),
                line.constraints.to_string(),
                line.states.to_string(),
                line.solver.to_owned(),
                line.smt.to_string(),
                line.predicates.to_string(),
            ];
            match &row.chains {
                Some(chains) => {
                    let more = if chains.cut { "+" } else { "" };
                    cells.extend([
                        format!("{}/{}{more}", chains.root_chains, chains.chains),
                        chains.edges.to_string(),
                        seconds(chains.chains_s),
                        chains.eliminated.to_string(),
                        chains.constraints.to_string(),
                        seconds(chains.systems_s),
                    ]);
                }
                None => cells.extend(std::iter::repeat_n("–".to_owned(), 6)),
            }
            cells.extend([
                row.visited.to_string(),
                row.off_path
                    .map_or_else(|| "–".to_owned(), |states| states.to_string()),
                row.forks.to_string(),
                row.by_intervals.to_string(),
                format!("{}/{}", row.first_questions, row.questions),
                row.queries.to_string(),
                seconds(row.navigation_s),
                row.conjuncts.to_string(),
            ]);
            table.push(cells);
        }
        table.notes = vec![
            "Chains: root/all. Elim: root chains shown to be infeasible before execution. Size: \
             constraints of the systems that are left. States: taken from the queue, one for each \
             edge of the flowgraph; those at branchings are comparable with the paper's, whose \
             programs are not available and smaller. Intervals: constraint systems that intervals of \
             counters refuted. CSOL: questions about such systems that the solver was asked, for the \
             first solution/for all others. SMT: queries of execution. PC: conjuncts of the path \
             condition. Times in seconds."
                .to_owned(),
            "Off path: states that were taken and are not on the path to the target. Where there are none, \
             there is no state to save: Hello, HW, HWM and EQCNT have more states than in the paper since \
             the way to the target has more branchings in our programs, which are C, with lengths, flags \
             and bounds that are asked about in each iteration."
                .to_owned(),
            "No states: decided before execution. Navigation takes chains of equal effect as one \
             (the paper's Section 6), so that its systems are fewer than the root chains."
                .to_owned(),
        ];
        table
    }
}

fn seconds(seconds: f64) -> String {
    format!("{seconds:.3}")
}
