//! What can be said on the command line.

use crate::microc::costs::CostsArguments;
use crate::microc::generate::GenerateArguments;
use crate::tables::thesis;
use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// Regenerate a table of a paper, with our figures next to the paper's.
///
/// Runs compact-se: the one that started this program, the one that COMPACT_SE names, or the one beside this
/// program or in the search path.
#[derive(Parser, Debug)]
#[command(
    version,
    max_term_width = 100,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub command: Option<Command>,

    #[command(flatten)]
    pub table: ReproduceArguments,
}

/// What the tables are made of.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Write the runs for a folder of tasks as commands for a cluster, one per line
    Batch(BatchArguments),
    /// Estimate the number of solver queries about each variable of a program in microc
    Costs(CostsArguments),
    /// Make a random program in microc
    Generate(GenerateArguments),
}

/// Limits of each run of a benchmark.
#[derive(Args, Debug)]
pub(crate) struct LimitArguments {
    /// Wall time for each run, in seconds [default: 300, for cost-against-bound 20, for thesis 30]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    pub timeout: Option<u64>,

    /// Memory for each run, in megabytes
    #[arg(long, default_value_t = 8192, value_name = "MB", value_parser = clap::value_parser!(u64).range(64..=1_048_576))]
    pub memory: u64,

    /// Solver work for one query, in seconds of an idle machine; counted, not timed, so that verdicts do not
    /// depend on the load of the machine
    #[arg(long, default_value_t = 20, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    pub query_work: u64,

    /// Seed of the random choices
    #[arg(long, default_value_t = 1, value_name = "NUMBER")]
    pub seed: u64,
}

#[derive(Args, Debug)]
#[command(after_help = "\
  compact-se batch sv-benchmarks/c/loops --manifest runs.txt     one command per line
  parallel < runs.txt                                            run them here
  compact-se reproduce svcomp-loops --tasks sv-benchmarks/c/loops --results results    the table

Exit codes: 0 done, 2 error.")]
pub(crate) struct BatchArguments {
    /// Folder of the tasks: *.yml, or *_safe.i and *_unsafe.i of SV-COMP 2013
    #[arg(value_name = "DIR")]
    pub tasks: PathBuf,

    /// Folder for the results, a record for each run; finished runs are left out of the manifest
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub results: PathBuf,

    /// Write the manifest here [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub manifest: Option<PathBuf>,

    /// All techniques, templates alone, iteration by iteration alone, or the first and the last
    #[arg(long, value_enum, default_value = "default")]
    pub technique: TechniqueArgument,

    #[command(flatten)]
    pub limits: LimitArguments,
}

#[derive(Args, Debug)]
pub(crate) struct ReproduceArguments {
    /// Which table
    #[arg(value_enum, value_name = "TABLE", required = true)]
    pub table: Option<TableArgument>,

    /// Folder of the benchmark programs of Table 1 and cost-against-bound [default: c-benchmarks
    /// above the executable or above the working directory]
    #[arg(long, value_name = "DIR")]
    pub benchmarks: Option<PathBuf>,

    /// Folder of the tasks: *_safe.i and *_unsafe.i for atva2013-table2, *.yml for svcomp-loops
    #[arg(long, value_name = "DIR")]
    pub tasks: Option<PathBuf>,

    /// All techniques, templates alone, iteration by iteration alone, or the first and the last
    #[arg(long, value_enum, default_value = "both")]
    pub technique: TechniqueArgument,

    /// For Table 1: how the techniques are run
    #[arg(long, value_enum, default_value = "paper")]
    pub setting: SettingArgument,

    /// For the thesis: the tables with these numbers, for example --table 6.17,6.18 [default: all];
    /// `configurations` are all 96, `decided` sums the final experiments up
    #[arg(long = "table", value_name = "LIST", value_delimiter = ',', value_parser = PossibleValuesParser::new(thesis::TABLES.iter().map(|table| table.name)))]
    pub number: Vec<String>,

    /// For the thesis: number of programs in each set [default: 50]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=999))]
    pub programs: Option<u32>,

    /// For the thesis: work limit of each run, in seconds of an idle machine; counted, so that the tables do
    /// not depend on the load of the machine [default: --timeout alone]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    pub work: Option<u64>,

    /// Only these programs, tasks or program sets, for example --only hello,HW
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub only: Vec<String>,

    #[command(flatten)]
    pub limits: LimitArguments,

    /// Take the results of `compact-se batch` in this folder, and run only what is missing there
    #[arg(long, value_name = "DIR")]
    pub results: Option<PathBuf>,

    /// For tables of tasks: write a witness for each verdict, and check it
    #[arg(long)]
    pub check_witnesses: bool,

    /// Number of parallel runs; more than one distorts the measured times
    #[arg(long, default_value_t = 1, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub jobs: u32,

    /// For cost-against-bound: number of runs of each program; the table shows the median
    #[arg(long, default_value_t = 3, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=99))]
    pub runs: u32,

    /// Store finished rows in this file, and continue from the rows that it holds
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Write the tables as Markdown
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,

    /// Write the tables as CSV
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,

    /// For cost-against-bound and the thesis' final experiments: draw a plot
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum TableArgument {
    /// Table 2 of Efficient Loop Navigation for Symbolic Execution, ATVA 2011: running times
    #[value(name = "atva2011-table2")]
    Atva2011Table2,
    /// Table 3 of the same: chains, constraint systems, states, queries
    #[value(name = "atva2011-table3")]
    Atva2011Table3,
    /// Table 1 of Compact Symbolic Execution, ATVA 2013
    #[value(name = "atva2013-table1")]
    Atva2013Table1,
    /// Table 2 of Compact Symbolic Execution, ATVA 2013: the loops tasks of SV-COMP 2013
    #[value(name = "atva2013-table2")]
    Atva2013Table2,
    /// Table 2 of Abstracting Path Conditions, ISSTA 2012
    #[value(name = "issta2012-table2")]
    Issta2012Table2,
    /// How the time of both techniques grows with the bound of loops, 10 to 1,000,000
    #[value(name = "cost-against-bound")]
    CostAgainstBound,
    /// Chapter 6 of the thesis Nested loops and path explosion in symbolic execution: search, merging,
    /// subsumption and summarisation on random microc programs (--table, --programs, --work)
    #[value(name = "thesis")]
    Thesis,
    /// A folder of SV-COMP task definitions, with today's scoring
    #[value(name = "svcomp-loops")]
    SvcompLoops,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum TechniqueArgument {
    /// All techniques interleaved, as in `analyze`
    Default,
    /// Templates alone
    Compact,
    /// Iteration by iteration alone
    Classic,
    /// With templates (by default all techniques, in the paper's setting templates alone), and
    /// classic
    Both,
}

impl TechniqueArgument {
    /// As in records.
    pub(crate) fn names(self) -> &'static [&'static str] {
        match self {
            TechniqueArgument::Default => &["default"],
            TechniqueArgument::Compact => &["compact"],
            TechniqueArgument::Classic => &["classic"],
            TechniqueArgument::Both => &["default", "classic"],
        }
    }

    /// The options of `analyze` for a technique of this name.
    pub(crate) fn options(name: &str) -> Option<OsString> {
        (name != "default").then(|| format!("--techniques={name}").into())
    }
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum SettingArgument {
    /// As in the paper: split flowgraph, breadth first, random templates
    Paper,
    /// The same with all quantifiers left to Z3, as the paper leaves them; compact only
    Native,
    /// As `analyze` runs by default
    Default,
    /// Those of paper and default, one after the other
    Both,
}
