//! What can be said on the command line.

use super::compiler::CompilerArguments;
use super::environment::EnvironmentArguments;
use super::microc::MicrocArguments;
use crate::analysis::{AnalysisOptions, CheckChoice, Technique, Techniques};
use crate::flowgraph::Granularity;
use crate::frontend::{DataModel, EntryFunction, LoadOptions, Sanitizer, TargetSpec};
use crate::property::{Check, Checks};
use crate::report::thesis;
use crate::solver::Link;
use crate::symex::{
    Accesses, Budget, MergeStrategy, Options, QueryWork, SearchStrategy, TemplateChoice,
};
use crate::term::Work;
use crate::witness::Artefacts;
use anyhow::Context as _;
use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Symbolic execution of C and LLVM bitcode that folds loops into closed forms.
///
/// Decides whether a place in a program can be reached, and if so, with which inputs.
#[derive(Parser, Debug)]
#[command(
    version,
    max_term_width = 100,
    after_help = "\
First steps:
  compact-se analyze program.c --target reach_error    is the call of reach_error() reachable?
  compact-se analyze program.c --target ERROR          … the C label ERROR?
  compact-se analyze program.c --target program.c:12   … line 12?
  compact-se templates program.c                       the loops and their closed forms
  compact-se explain program.c                         why a loop folds, or why not
  compact-se tree program.c --html tree.html           the execution tree, to look at
  compact-se cover program.c --tests tests             tests for each branch and line

Inputs are what __VERIFIER_nondet_int() and its kin return, what the program declares with
runtime/include/compact_se.h, and uninitialised memory.

Exit codes: 0 unreachable, 1 reachable, 3 unknown, 2 error."
)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Decide whether the target is reachable
    Analyze(AnalyzeArguments),
    /// Make tests for each branch and line that can be reached, and prove the others dead
    Cover(CoverArguments),
    /// Check a witness of format 2.0: does it show what it claims about a program?
    Check(CheckArguments),
    /// Show the cycles of a program and their templates
    Templates(TemplatesArguments),
    /// Say why each loop folds into a template, or what stands in the way
    Explain(ExplainArguments),
    /// Show what inputs have to satisfy to reach the target, and try inputs that do
    Necessary(NecessaryArguments),
    /// Show the chains of a program and what their counters have to satisfy
    Chains(ChainsArguments),
    /// Show the execution tree
    Tree(TreeArguments),
    /// Show the program as a flowgraph
    Flowgraph(FlowgraphArguments),
    /// Decide a task of SV-COMP: does the program have the property unreach-call, no-overflow,
    /// valid-memsafety or valid-memcleanup?
    Svcomp(SvcompArguments),
    /// Write the runs of a folder of tasks as commands, a line each, for a cluster
    Batch(BatchArguments),
    /// Make a table of a paper anew
    Reproduce(ReproduceArguments),
    /// Decide path conditions in SMT-LIB 2: bit-vectors, arrays or uninterpreted functions, and
    /// bounded quantifiers
    Solve(SolveArguments),
    /// Run a program in microc, show its syntax tree, and more
    Microc(MicrocArguments),
}

#[derive(Args, Debug)]
#[command(after_help = "\
A task definition of SV-COMP (.yml) can stand in the place of FILE: it says which files, which sizes
and which property, and the program is taken as `svcomp` takes it.

Exit codes: 0 confirmed, 1 rejected, 3 unknown, 2 error.")]
pub struct CheckArguments {
    /// The witness (YAML)
    #[arg(value_name = "WITNESS")]
    pub witness: PathBuf,

    #[command(flatten)]
    pub program: ProgramArguments,

    /// The property file: the program is taken as `svcomp` takes it; a task definition that names one
    /// property needs none
    #[arg(long, value_name = "FILE")]
    pub property: Option<PathBuf>,

    #[command(flatten)]
    pub execution: ExecutionArguments,
}

#[derive(Args, Debug)]
#[command(after_help = "\
A goal is a side of a condition (if, loops, ?:, each operand of && and ||, each case of a switch), or a
line that has code.
  covered   a native run with the inputs of a test passed it
  dead      no execution passes it, proved as `analyze` proves *unreachable*; or clang made no code of
            it, since a condition is constant or nobody uses the function
  open      nobody knows; the reason stands behind it

  compact-se cover program.c                                  what is covered, dead and open
  compact-se cover program.c --tests tests                    the tests, in three formats
  compact-se cover program.c --html cover.html                the source in colours, to look at
  compact-se cover program.c --property coverage-branches.prp as in Test-Comp

The folder of --tests has metadata.xml and testcase-N.xml (Test-Comp), test00000N.ktest (KLEE) and
harness-N.c: `clang -fwrapv program.c harness-1.c -o test && ./test` runs the first test.

Exit codes: 0 each goal is covered or dead, 3 some are open, 2 error.")]
pub struct CoverArguments {
    #[command(flatten)]
    pub program: ProgramArguments,

    /// Start at this function instead of main, with arbitrary arguments
    #[arg(long, value_name = "NAME", conflicts_with = "tests")]
    pub function: Option<String>,

    /// With --function: bytes of the object to which each pointer among the arguments points
    #[arg(long, value_name = "BYTES", default_value_t = 64, requires = "function", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub pointer_objects: u64,

    /// What is to be covered
    #[arg(long, value_enum, default_value = "all", conflicts_with = "property")]
    pub goals: GoalsArgument,

    /// A property file of Test-Comp: coverage-branches.prp or coverage-error-call.prp. Functions
    /// without a body have no effect then, and executions end at undefined behaviour
    #[arg(long, value_name = "FILE")]
    pub property: Option<PathBuf>,

    /// Errors to look for on the way [default: assert]
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',')]
    pub check: Vec<CheckName>,

    /// Write the tests into this folder: a Test-Comp suite, .ktest files and C harnesses
    #[arg(long, value_name = "DIR")]
    pub tests: Option<PathBuf>,

    /// Write the source with what is covered, dead and open as a page for a browser
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Write everything as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    #[command(flatten)]
    pub execution: ExecutionArguments,
}

/// What is to be covered.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum GoalsArgument {
    /// Branches and lines
    All,
    /// Sides of conditions, cases of switches
    Branches,
    /// Lines that have code
    Lines,
    /// Calls of reach_error and its kin
    ErrorCall,
}

impl CoverArguments {
    /// The load options that these arguments mean.
    pub fn load_options(&self) -> LoadOptions {
        let entry = self.function.clone().map(|name| EntryFunction {
            name,
            pointer_bytes: self.pointer_objects,
        });
        LoadOptions {
            entry,
            ..self.program.load_options()
        }
    }

    /// The errors that are looked for, where some are named.
    pub fn checks(&self) -> Checks {
        self.check.iter().flat_map(|name| name.checks()).collect()
    }
}

#[derive(Args, Debug)]
pub struct SolveArguments {
    /// SMT-LIB 2 files
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Time for each file, in seconds
    #[arg(long, default_value_t = 20, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    pub timeout: u64,

    /// Write what is really solved as SMT-LIB 2 into this folder
    #[arg(long, value_name = "DIR")]
    pub log_queries: Option<PathBuf>,

    /// Leave a link of the solver chain out, for measurements
    #[arg(long, value_enum, value_name = "LINK")]
    pub without: Vec<LinkArgument>,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum LinkArgument {
    /// Parts that share no symbol are asked separately
    Independent,
    /// Earlier answers
    Cache,
    /// Removal of bounded sums
    Sums,
    /// Removal of bounded quantifiers
    Quantifiers,
    /// Trying all values where few bits are unknown
    Enumeration,
    /// Integers beside bit-vectors
    Integers,
}

impl From<LinkArgument> for Link {
    fn from(argument: LinkArgument) -> Link {
        match argument {
            LinkArgument::Independent => Link::Independent,
            LinkArgument::Cache => Link::Cache,
            LinkArgument::Sums => Link::Sums,
            LinkArgument::Quantifiers => Link::Quantifiers,
            LinkArgument::Enumeration => Link::Enumeration,
            LinkArgument::Integers => Link::Integers,
        }
    }
}

#[derive(Args, Debug)]
#[command(after_help = "\
A path dependency automaton says in which order the paths through a loop follow each other: p → q,
where an iteration along q may come after κ iterations along p. Init are the paths that may be the
first, Accept those that nothing follows. A turn is what follows an edge until it is taken again.
Loops are sequential (no path comes back), periodic (paths take turns) or irregular. Sequential and
periodic ones that read no inputs have a template with one exit for each way through the automaton.

  compact-se templates program.c                                 cycles, loops and their templates
  compact-se templates program.c --automaton                     paths, edges, turns, types 1 to 4
  compact-se templates program.c --automaton --dot | dot -Tsvg   the automata as pictures

Exit codes: 0 done, 3 interrupted, 2 error.")]
pub struct TemplatesArguments {
    #[command(flatten)]
    pub program: ProgramArguments,

    #[command(flatten)]
    pub execution: ExecutionArguments,

    /// Print the path dependency automata of loops instead
    #[arg(long)]
    pub automaton: bool,

    /// Print them for Graphviz
    #[arg(long, requires = "automaton")]
    pub dot: bool,

    /// Write cycles and templates as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
A necessary condition φ̂ (ISSTA 2012) is implied by the path condition of every path to the target.
Loops are summarised: κᵢ counts the iterations along the i-th way through a loop, ⋆ is what no rule
gives, and predicates with ⋆ are left out. Where φ̂ is unsatisfiable, no input leads to the target. A
model of φ̂ is a guess, with which the program is run. φ̂ is asked beside φ̂^K, which has the first K
instances of each quantifier; the answer that took less work counts.

  compact-se necessary program.c                          summaries of loops, φ̂, answers
  compact-se necessary program.c --html condition.html    the same, to look at
  compact-se necessary program.c --dot condition.dot; dot -Tsvg condition.dot   as a picture

Exit codes: 0 unreachable, 1 reachable (the run reached the target), 3 unknown, 2 error.")]
pub struct NecessaryArguments {
    #[command(flatten)]
    pub program: ProgramArguments,

    /// Instances of each quantifier in φ̂^K
    #[arg(long, default_value_t = 25, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(0..=10_000))]
    pub k: u64,

    /// As in the paper: its rules and looping conditions, every backbone for itself
    #[arg(long)]
    pub paper: bool,

    /// Wall time for everything after loading, in seconds
    #[arg(long, default_value_t = 300, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    pub timeout: u64,

    /// Memory in megabytes
    #[arg(long, default_value_t = 8192, value_name = "MB", value_parser = clap::value_parser!(u64).range(64..=1_048_576))]
    pub memory: u64,

    /// Solver work for φ̂ and φ̂^K together, in seconds of an idle machine of the usual kind
    #[arg(long, default_value_t = 60, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    pub work: u64,

    /// Ask both φ̂ and φ̂^K until each has an answer
    #[arg(long)]
    pub both: bool,

    /// Do not run the program with the inputs
    #[arg(long)]
    pub no_replay: bool,

    /// Write everything as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Write φ̂ as SMT-LIB 2
    #[arg(long, value_name = "FILE")]
    pub smt2: Option<PathBuf>,

    /// Write backbones and the summaries of the loops along them for Graphviz
    #[arg(long, value_name = "FILE")]
    pub dot: Option<PathBuf>,

    /// Write the same as an HTML page
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
A chain (ATVA 2011) is a piece of straight-line code: a root chain c0 leads from the start to the
target, and where a line of it says cond : {c1, c2}, the chains c1 and c2, the ways through a loop, are
executed any number of times and in any order until cond holds. κ1 counts the executions of c1, κ3^1
those of c3 since c1 began, κ3/2 those within c2 where c3 is in several chains; ⋆ is what no rule gives. S(c) are the constraints that a chain puts on
counters. All of them are consequences, so that a root chain whose system has no solution cannot be
executed to its end.

  compact-se chains program.c                             chains, functions of counters, systems
  compact-se chains program.c --dot | dot -Tsvg           the chains as a picture
  compact-se analyze program.c --classic --search navigate     go where the systems lead

Exit codes: 0 done, 3 interrupted, 2 error.")]
pub struct ChainsArguments {
    #[command(flatten)]
    pub program: ProgramArguments,

    /// Print the chains for Graphviz instead
    #[arg(long)]
    pub dot: bool,

    /// Build no more chains: they can be exponentially many
    #[arg(long, default_value_t = 10_000, value_name = "NUMBER", value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=1_000_000))]
    pub most: usize,

    /// Wall time for everything after loading, in seconds
    #[arg(long, default_value_t = 300, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    pub timeout: u64,

    /// Memory in megabytes
    #[arg(long, default_value_t = 8192, value_name = "MB", value_parser = clap::value_parser!(u64).range(64..=1_048_576))]
    pub memory: u64,

    /// Write everything as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(
    mut_arg("timeout", |timeout| timeout.default_value("10")),
    after_help = "\
Loops are numbered from 1. For each: the lines, how its iterations are executed, the rule by which
each variable got its closed form, and what stood in the way, with variable, source line and a hint.
  one template covers the whole loop               any number of iterations is one step
  templates of its … cycles cover it               a step for each way through the body
  one step / unrolled in … of loop N               an iteration of the outer loop does it all
  no template, executed iteration by iteration     the reason stands below

  compact-se explain program.c            a few lines for each loop
  compact-se explain program.c --loop 2   all about loop 2: cycles, closed forms, obstacles

The program is executed for --timeout seconds, since what a loop does depends on what its pointers
point to. Exit codes: 0 done, 3 interrupted, 2 error."
)]
pub struct ExplainArguments {
    #[command(flatten)]
    pub program: ProgramArguments,

    /// All about this loop
    #[arg(long = "loop", value_name = "NUMBER")]
    pub number: Option<usize>,

    #[command(flatten)]
    pub execution: ExecutionArguments,

    /// Write the explanation as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub struct TreeArguments {
    #[command(flatten)]
    pub program: ProgramArguments,

    #[command(flatten)]
    pub execution: ExecutionArguments,

    /// Print the tree for Graphviz instead of as text
    #[arg(long)]
    pub dot: bool,

    /// Write the tree as a page for a browser instead
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Print nodes at most so many steps below the root [default: all]
    #[arg(long, value_name = "STEPS", conflicts_with_all = ["dot", "html"])]
    pub depth: Option<usize>,

    /// Stop when the tree has more nodes than this
    #[arg(long, value_name = "NUMBER", default_value_t = 10_000, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=10_000_000))]
    pub max_nodes: usize,
}

#[derive(Args, Debug)]
pub struct FlowgraphArguments {
    #[command(flatten)]
    pub program: ProgramArguments,

    /// Print in text form, which parses back (this is the default)
    #[arg(long, conflicts_with_all = ["dot", "cycles"])]
    pub text: bool,

    /// Print for Graphviz
    #[arg(long, conflicts_with = "cycles")]
    pub dot: bool,

    /// List the cycles (ATVA 2013, Definition 1)
    #[arg(long)]
    pub cycles: bool,

    /// Only this function, with --dot or --cycles
    #[arg(long, value_name = "NAME", conflicts_with = "text")]
    pub function: Option<String>,
}

#[derive(Args, Debug)]
pub struct SvcompArguments {
    /// A task definition (.yml), or the files of one program (.c, .i)
    #[arg(required = true, value_name = "TASK")]
    pub files: Vec<PathBuf>,

    /// The property file; a task definition that names one property, or unreach-call among others,
    /// needs none
    #[arg(long, value_name = "FILE")]
    pub property: Option<PathBuf>,

    /// Sizes of C types [default: what the task says, ILP32 where nothing is said]
    #[arg(long, value_enum, ignore_case = true)]
    pub data_model: Option<DataModelArgument>,

    /// C standard, for example gnu89
    #[arg(long, value_name = "STANDARD")]
    pub std: Option<String>,

    /// Let undefined behaviour keep the answer from being true, as `analyze` does. By default
    /// executions end there, since C defines none beyond
    #[arg(long)]
    pub undefined_is_open: bool,

    /// What a signed operation does whose result does not fit its type [default: undefined; wrap with
    /// --undefined-is-open, and for bitcode, which does not tell signed operations]
    #[arg(long, value_enum, value_name = "MEANING")]
    pub signed_overflow: Option<OverflowOfTaskArgument>,

    /// How fine the flowgraph is: a basic block an edge, or one action an edge with comparisons as
    /// branchings (ATVA 2013, Appendix C)
    #[arg(long, value_enum, default_value = "block")]
    pub granularity: GranularityArgument,

    #[command(flatten)]
    pub execution: ExecutionArguments,

    /// Write verdict, inputs and statistics as one JSON record
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    #[command(flatten)]
    pub artefacts: ArtefactArguments,
}

#[derive(Args, Debug)]
pub struct BatchArguments {
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

/// Limits of each run of a benchmark.
#[derive(Args, Debug)]
pub struct LimitArguments {
    /// Wall time for each run, in seconds [default: 300, for cost-against-bound 20, for thesis 30]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    pub timeout: Option<u64>,

    /// Memory for each run, in megabytes
    #[arg(long, default_value_t = 8192, value_name = "MB", value_parser = clap::value_parser!(u64).range(64..=1_048_576))]
    pub memory: u64,

    /// Solver work for one query, in seconds of an idle machine of the usual kind: counted, not
    /// timed, so that verdicts do not depend on how busy this one is
    #[arg(long, default_value_t = 20, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    pub query_work: u64,

    /// Seed of the random choices
    #[arg(long, default_value_t = 1, value_name = "NUMBER")]
    pub seed: u64,
}

#[derive(Args, Debug)]
pub struct ReproduceArguments {
    /// Which table
    #[arg(value_enum, value_name = "TABLE")]
    pub table: TableArgument,

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

    /// For the thesis: so many programs of each set [default: 50]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=999))]
    pub programs: Option<u32>,

    /// For the thesis: work of each run, in seconds of an idle machine of the usual kind; counted, so
    /// that the tables do not depend on how busy this one is [default: --timeout alone]
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

    /// So many runs at the same time; more than one disturb each other's times
    #[arg(long, default_value_t = 1, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub jobs: u32,

    /// For cost-against-bound: so many runs of each, of which the table has the median
    #[arg(long, default_value_t = 3, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=99))]
    pub runs: u32,

    /// Keep finished rows here, and go on from those that are here already
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
pub enum TableArgument {
    /// Table 2 of Efficient Loop Navigation for Symbolic Execution, ATVA 2011: running times
    #[value(name = "atva2011-table2")]
    Atva2011Table2,
    /// Table 3 of the same: chains, constraint systems, states, questions
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
    /// A folder of SV-COMP task definitions, with the points of today
    #[value(name = "svcomp-loops")]
    SvcompLoops,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum TechniqueArgument {
    /// All techniques beside each other, as `analyze` runs them
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
    pub fn names(self) -> &'static [&'static str] {
        match self {
            TechniqueArgument::Default => &["default"],
            TechniqueArgument::Compact => &["compact"],
            TechniqueArgument::Classic => &["classic"],
            TechniqueArgument::Both => &["default", "classic"],
        }
    }

    /// The options of `analyze` for a technique of this name.
    pub fn options(name: &str) -> Option<OsString> {
        (name != "default").then(|| format!("--techniques={name}").into())
    }
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum SettingArgument {
    /// As in the paper: split flowgraph, breadth first, random templates
    Paper,
    /// The same with all quantifiers left to Z3, as the paper leaves them; compact only
    Native,
    /// As `analyze` runs by default
    Default,
    /// Those of paper and default, one after the other
    Both,
}

#[derive(Args, Debug)]
pub struct AnalyzeArguments {
    #[command(flatten)]
    pub program: ProgramArguments,

    /// Start at this function instead of main, with arbitrary arguments
    #[arg(long, value_name = "NAME", conflicts_with_all = ["witness", "test_suite", "harness"])]
    pub function: Option<String>,

    /// With --function: bytes of the object to which each pointer among the arguments points
    #[arg(long, value_name = "BYTES", default_value_t = 64, requires = "function", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub pointer_objects: u64,

    /// Errors to look for, beside a target [default: assert with a target of the program's own,
    /// memory,assert,division without one, nothing with --target]
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',')]
    pub check: Vec<CheckName>,

    /// Go on after the first error, to one at each place
    #[arg(long)]
    pub all: bool,

    #[command(flatten)]
    pub execution: ExecutionArguments,

    /// Write verdict, inputs and statistics as one JSON record
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Do not run the program with the inputs found; the verdict then says so
    #[arg(long, conflicts_with_all = ["witness", "test_suite", "ktest", "harness", "output_dir"])]
    pub no_replay: bool,

    #[command(flatten)]
    pub artefacts: ArtefactArguments,
}

/// What a signed operation does whose result does not fit its type.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SignedOverflowArgument {
    /// The result is taken modulo 2^w, as `clang -fwrapv` makes it
    Wrap,
    /// C defines no execution beyond: executions end there, and the verdict is about the others
    Undefined,
    /// It is an error to look for: --check overflow
    Error,
}

/// The same for a task, in which no error is looked for but that of its property.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum OverflowOfTaskArgument {
    /// The result is taken modulo 2^w, as `clang -fwrapv` makes it
    Wrap,
    /// C defines no execution beyond: executions end there, and the answer is about the others
    Undefined,
}

/// A kind of errors.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckName {
    /// Accesses out of bounds, through null pointers and to freed memory, bad and double frees
    Memory,
    /// Signed results that do not fit their type
    Overflow,
    /// Divisions by zero, and of the least number by -1
    Division,
    /// Shifts by the width or more, of negative numbers, of bits into the sign
    Shift,
    /// Assertions that fail
    Assert,
    /// Implicit conversions of integers that change the value, and floats that do not fit
    Conversion,
    /// Indices beyond an array whose size is known, within a structure too
    Index,
    /// Accesses to variables of a block that was left; loops are not folded then
    Scope,
    /// Values that were never written and decide a branch, are an address, or are what main returns;
    /// loops are not folded then
    Uninitialised,
    /// Memory that is lost: when the program ends, by a return from main or exit, no pointer in
    /// a global variable, or in one of a function that runs, leads to it
    Leak,
    /// Memory that is not freed when the program ends by a return from main or exit (SV-COMP's
    /// valid-memcleanup)
    Cleanup,
    /// All of these but scope, uninitialised and cleanup
    All,
}

impl CheckName {
    fn checks(self) -> Vec<Check> {
        match self {
            CheckName::Memory => vec![Check::Memory],
            CheckName::Overflow => vec![Check::Overflow],
            CheckName::Division => vec![Check::Division],
            CheckName::Shift => vec![Check::Shift],
            CheckName::Assert => vec![Check::Assertions],
            CheckName::Conversion => vec![Check::Conversion],
            CheckName::Index => vec![Check::Index],
            CheckName::Scope => vec![Check::Scope],
            CheckName::Uninitialised => vec![Check::Uninitialised],
            CheckName::Leak => vec![Check::Leak],
            CheckName::Cleanup => vec![Check::Cleanup],
            CheckName::All => {
                let all = Check::ALL.into_iter();
                let is_left_out = |check: &Check| {
                    matches!(check, Check::Scope | Check::Uninitialised | Check::Cleanup)
                };
                all.filter(|check| !is_left_out(check)).collect()
            }
        }
    }
}

impl AnalyzeArguments {
    /// The load options that these arguments mean.
    pub fn load_options(&self) -> LoadOptions {
        let entry = self.function.clone().map(|name| EntryFunction {
            name,
            pointer_bytes: self.pointer_objects,
        });
        LoadOptions {
            entry,
            ..self.program.load_options()
        }
    }

    /// The errors that are looked for.
    ///
    /// # Errors
    /// If overflows are looked for and are none.
    pub fn checks(&self) -> anyhow::Result<CheckChoice> {
        let overflow = self.program.signed_overflow;
        let is_error = overflow == Some(SignedOverflowArgument::Error);
        if self.check.is_empty() && self.program.target.is_empty() && !is_error {
            return Ok(CheckChoice::Usual);
        }
        let checks = self.check.iter().flat_map(|name| name.checks());
        let overflows = is_error.then_some(Check::Overflow);
        let checks: Checks = checks.chain(overflows).collect();
        if checks.contains(Check::Overflow) && overflow.is_some() && !is_error {
            anyhow::bail!(
                "--check overflow looks for signed overflows, and --signed-overflow says that they \
                 are no errors: leave out one of the two"
            );
        }
        let names = |wanted: &[CheckName]| self.check.iter().any(|name| wanted.contains(name));
        let is_microc = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "mc");
        let is_microc = self.program.files.iter().any(is_microc);
        if is_microc
            && names(&[
                CheckName::Leak,
                CheckName::Cleanup,
                CheckName::Uninitialised,
            ])
        {
            anyhow::bail!("--check leak, cleanup and uninitialised are for C, not for microc");
        }
        if self.function.is_some() && names(&[CheckName::Leak, CheckName::Cleanup]) {
            anyhow::bail!(
                "a function may hand the memory that it allocates to its caller: --check leak and \
                 --check cleanup are for whole programs, without --function"
            );
        }
        if is_microc || self.function.is_some() {
            // `all` is what there is to look for.
            return Ok(CheckChoice::These(checks.without_blocks()));
        }
        Ok(CheckChoice::These(checks))
    }
}

/// Files that let others check a verdict.
#[derive(Args, Debug)]
#[command(next_help_heading = "Files for others to check the verdict")]
pub struct ArtefactArguments {
    /// Write a witness of format 2.0 (YAML): inputs and places if reachable, loop invariants if
    /// unreachable
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,

    /// Reachable: write a Test-Comp test suite (XML) into this folder
    #[arg(long, value_name = "DIR")]
    pub test_suite: Option<PathBuf>,

    /// Reachable: write the inputs in KLEE's format
    #[arg(long, value_name = "FILE")]
    pub ktest: Option<PathBuf>,

    /// Reachable: write a C file that, compiled together with the program, leads to the target
    #[arg(long, value_name = "FILE")]
    pub harness: Option<PathBuf>,

    /// Write a folder like KLEE's: test000001.ktest and test000001.ptr.err (free, div, assert, overflow
    /// …) for each error that was found, and info
    #[arg(long, value_name = "DIR")]
    pub output_dir: Option<PathBuf>,
}

/// Which program, and how it is compiled.
#[derive(Args, Debug)]
pub struct ProgramArguments {
    /// Files of one program: .c, .i (compiled with clang), .bc, .ll; or one .mc
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// A place in question: a function (reached when called), a C label, or FILE:LINE; may be
    /// given several times. With analyze, `all` gives each default target a verdict [default: functions reach_error, __VERIFIER_error, klee_report_error,
    /// or label ERROR]
    #[arg(long, value_name = "TARGET")]
    pub target: Vec<String>,

    /// Sizes of C types [default: that of the bitcode, LP64 for C]
    #[arg(long, value_enum, ignore_case = true)]
    pub data_model: Option<DataModelArgument>,

    #[command(flatten)]
    pub compiler: CompilerArguments,

    /// What a signed operation does whose result does not fit its type [default: wrap; with a task or
    /// property of SV-COMP, undefined]
    #[arg(long, value_enum, value_name = "MEANING")]
    pub signed_overflow: Option<SignedOverflowArgument>,

    #[command(flatten)]
    pub environment: EnvironmentArguments,

    /// How fine the flowgraph is: a basic block an edge, or one action an edge with comparisons as
    /// branchings (ATVA 2013, Appendix C)
    #[arg(long, value_enum, default_value = "block")]
    pub granularity: GranularityArgument,

    /// Keep functions that are not recursive as calls instead of inlining them
    #[arg(long)]
    pub no_inline: bool,
}

/// How to execute.
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a switch of its own on the command line"
)]
#[derive(Args, Debug)]
pub struct ExecutionArguments {
    /// Use only these techniques [default: all, beside each other]
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',')]
    pub techniques: Vec<TechniqueName>,

    /// Execute loops iteration by iteration only, without templates: --techniques classic
    #[arg(long, conflicts_with = "techniques")]
    pub classic: bool,

    /// Threads for the techniques; the verdict does not depend on it [default: 2, or the number of
    /// processors if that is smaller]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(1..=16))]
    pub jobs: Option<u8>,

    /// Wall time for everything after loading, in seconds
    #[arg(long, default_value_t = 300, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    pub timeout: u64,

    /// Memory in megabytes
    #[arg(long, default_value_t = 8192, value_name = "MB", value_parser = clap::value_parser!(u64).range(64..=1_048_576))]
    pub memory: u64,

    /// Work of each technique, in seconds of an idle machine of the usual kind: counted, not timed, so
    /// that what is unknown does not depend on how busy this one is [default: no limit]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    pub work: Option<u64>,

    /// Solver work for one query, in seconds of an idle machine of the usual kind: counted, not
    /// timed, so that verdicts do not depend on how busy this one is
    #[arg(long, default_value_t = 20, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    pub query_work: u64,

    /// Solver time for one query, in seconds: ends what `--query-work` would let go on, and makes
    /// verdicts depend on how busy the machine is [default: no limit]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    pub query_timeout: Option<u64>,

    /// Give a path up after so many steps (a template is one step) [default: no limit]
    #[arg(long, value_name = "STEPS", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_path_steps: Option<u64>,

    /// Write the queries that are really solved as SMT-LIB 2 into this folder
    #[arg(long, value_name = "DIR")]
    pub log_queries: Option<PathBuf>,

    /// Leave out a technique, the closing of subsumed states, or a link of the solver chain
    #[arg(long, value_enum, value_name = "NAME", value_delimiter = ',')]
    pub without: Vec<PartArgument>,

    /// Which state comes next [default: nearest; for classic execution nearest and dfs in turn]
    #[arg(long, value_enum)]
    pub search: Option<SearchArgument>,

    /// Which template is taken where several apply
    #[arg(long, value_enum, default_value = "random")]
    pub template_choice: TemplateChoiceArgument,

    /// Seed of the random choices
    #[arg(long, default_value_t = 1, value_name = "NUMBER")]
    pub seed: u64,

    /// Which states that meet behind a branching become one: a choice between their values tells
    /// them apart then. With `none` only the technique `merging` merges, as with `dynamic`
    #[arg(long, value_enum, value_name = "STRATEGY", default_value = "none")]
    pub merge: MergeArgument,

    /// For --merge lattice and recursive: merge states if fewer than so many solver queries are
    /// estimated about the values in which they differ
    #[arg(long, value_name = "QUERIES")]
    pub merge_limit: Option<u32>,

    /// For --merge recursive: iterations of each loop in that estimate; nested loops take the
    /// power of them
    #[arg(long, value_name = "NUMBER")]
    pub merge_iterations: Option<u32>,

    /// Do not close states that are subsumed by others: --without subsumption
    #[arg(long)]
    pub no_subsumption: bool,

    /// Do not try a proof by induction, which cuts every loop: --without induction
    #[arg(long)]
    pub no_induction: bool,

    /// Numbers that steer, as JSON: what the record has as `settings.policy`, or a part of it
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,

    /// Leave out executions that leave the bounds of an object, instead of reporting that they do:
    /// "unreachable" then says nothing of them
    #[arg(long)]
    pub assume_in_bounds: bool,

    /// As in the paper: split flowgraph, breadth first, templates of cycles from loop headers
    /// computed before execution and chosen at random, no state closed, accesses assumed in bounds
    #[arg(long, conflicts_with_all = ["search", "template_choice", "granularity"])]
    pub paper: bool,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum TechniqueName {
    /// Execution by templates where there are some
    Compact,
    /// Execution iteration by iteration
    Classic,
    /// Proof by induction: every loop is cut
    Induction,
    /// Necessary conditions: a formula for all iterations of each loop, whose models are tried
    Necessary,
    /// Proof by invariants and summaries that solve constrained Horn clauses
    Horn,
    /// Execution iteration by iteration, in the order of `--search navigate`
    Navigation,
    /// Execution iteration by iteration, with `--merge dynamic`
    Merging,
}

/// What can be left out of an analysis.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartArgument {
    /// Execution by templates
    Compact,
    /// Execution iteration by iteration
    Classic,
    /// Proof by induction
    Induction,
    /// Necessary conditions
    Necessary,
    /// Proof by constrained Horn clauses
    Horn,
    /// Execution in the order of constraint systems
    Navigation,
    /// Execution in which states are merged
    Merging,
    /// Closing of subsumed states
    Subsumption,
    /// Solver: parts that share no symbol are asked separately
    Independent,
    /// Solver: earlier answers
    Cache,
    /// Solver: removal of bounded sums
    Sums,
    /// Solver: removal of bounded quantifiers
    Quantifiers,
    /// Solver: trying all values where few bits are unknown
    Enumeration,
    /// Solver: integers beside bit-vectors
    Integers,
}

impl PartArgument {
    fn link(self) -> Option<Link> {
        match self {
            PartArgument::Independent => Some(Link::Independent),
            PartArgument::Cache => Some(Link::Cache),
            PartArgument::Sums => Some(Link::Sums),
            PartArgument::Quantifiers => Some(Link::Quantifiers),
            PartArgument::Enumeration => Some(Link::Enumeration),
            PartArgument::Integers => Some(Link::Integers),
            PartArgument::Compact
            | PartArgument::Classic
            | PartArgument::Induction
            | PartArgument::Necessary
            | PartArgument::Horn
            | PartArgument::Navigation
            | PartArgument::Merging
            | PartArgument::Subsumption => None,
        }
    }

    fn technique(self) -> Option<Technique> {
        match self {
            PartArgument::Compact => Some(Technique::Compact),
            PartArgument::Classic => Some(Technique::Classic),
            PartArgument::Induction => Some(Technique::Induction),
            PartArgument::Necessary => Some(Technique::Necessary),
            PartArgument::Horn => Some(Technique::Horn),
            PartArgument::Navigation => Some(Technique::Navigation),
            PartArgument::Merging => Some(Technique::Merging),
            PartArgument::Subsumption
            | PartArgument::Independent
            | PartArgument::Cache
            | PartArgument::Sums
            | PartArgument::Quantifiers
            | PartArgument::Enumeration
            | PartArgument::Integers => None,
        }
    }
}

impl From<TechniqueName> for Technique {
    fn from(name: TechniqueName) -> Technique {
        match name {
            TechniqueName::Compact => Technique::Compact,
            TechniqueName::Classic => Technique::Classic,
            TechniqueName::Induction => Technique::Induction,
            TechniqueName::Necessary => Technique::Necessary,
            TechniqueName::Horn => Technique::Horn,
            TechniqueName::Navigation => Technique::Navigation,
            TechniqueName::Merging => Technique::Merging,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum DataModelArgument {
    /// int, long and pointers have 32 bits
    #[value(name = "ILP32")]
    Ilp32,
    /// long and pointers have 64 bits
    #[value(name = "LP64")]
    Lp64,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum GranularityArgument {
    Block,
    Split,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum MergeArgument {
    /// No states
    None,
    /// All that can be
    Aggressive,
    /// Where few queries about what differs are estimated, by a backward data flow analysis
    Lattice,
    /// The same, with a number of iterations for each loop
    Recursive,
    /// Those that meet soon and differ in few numbers that are seldom asked about
    Dynamic,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchArgument {
    /// The oldest state
    Bfs,
    /// The newest state
    Dfs,
    /// Any state
    Random,
    /// The state nearest to the target, every fourth time the oldest
    Nearest,
    /// The state that needs the fewest further ways round loops, by constraint systems of chains
    /// (ATVA 2011); what these refute is closed
    Navigate,
    /// The state at the end of a random way down the execution tree
    Tree,
    /// Any state; the nearer to locations that were not executed yet, the likelier
    Coverage,
    /// tree and coverage in turn, as in KLEE
    Klee,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum TemplateChoiceArgument {
    /// The first in order of enumeration
    First,
    /// Any
    Random,
}

impl From<DataModelArgument> for DataModel {
    fn from(model: DataModelArgument) -> DataModel {
        match model {
            DataModelArgument::Ilp32 => DataModel::Ilp32,
            DataModelArgument::Lp64 => DataModel::Lp64,
        }
    }
}

impl From<GranularityArgument> for Granularity {
    fn from(granularity: GranularityArgument) -> Granularity {
        match granularity {
            GranularityArgument::Block => Granularity::Block,
            GranularityArgument::Split => Granularity::Split,
        }
    }
}

impl ProgramArguments {
    /// The load options that these arguments mean.
    pub fn load_options(&self) -> LoadOptions {
        let mut load = LoadOptions::new(&self.files);
        load.data_model = self.data_model.map(DataModel::from);
        load.standard.clone_from(&self.compiler.standard);
        load.clang_args.clone_from(&self.compiler.arguments);
        load.compile_commands
            .clone_from(&self.compiler.compile_commands);
        load.target = self.target();
        load.environment = self.environment.of_program(&self.files);
        load.inline = !self.no_inline;
        load.granularity = self.granularity.into();
        match self.signed_overflow {
            None | Some(SignedOverflowArgument::Wrap) => {}
            Some(SignedOverflowArgument::Undefined | SignedOverflowArgument::Error) => {
                load.sanitizers.push(Sanitizer::Overflow);
            }
        }
        load
    }

    fn target(&self) -> TargetSpec {
        let parse = |target: &String| match target.parse() {
            Ok(target) => target,
            Err(never) => match never {},
        };
        match self.target.as_slice() {
            [] => TargetSpec::Default,
            [one] => parse(one),
            several => TargetSpec::EachOf(several.iter().map(parse).collect()),
        }
    }
}

impl ArtefactArguments {
    /// Fails early where one of the files could not be written.
    pub fn check_writable(&self, inputs: &[PathBuf]) -> anyhow::Result<()> {
        let files = [&self.witness, &self.ktest, &self.harness];
        files
            .into_iter()
            .flatten()
            .try_for_each(|path| super::output::check_writable(path, inputs))
    }

    /// Whether there are any.
    pub fn are_wanted(&self) -> bool {
        let files = [
            &self.witness,
            &self.test_suite,
            &self.ktest,
            &self.harness,
            &self.output_dir,
        ];
        files.into_iter().any(Option::is_some)
    }

    /// The files that these arguments ask for.
    pub fn artefacts(&self) -> Artefacts {
        Artefacts {
            witness: self.witness.clone(),
            test_suite: self.test_suite.clone(),
            ktest: self.ktest.clone(),
            harness: self.harness.clone(),
            output_dir: self.output_dir.clone(),
        }
    }
}

impl ExecutionArguments {
    /// The techniques that are asked for; `None` where all are left out.
    fn chosen_techniques(&self) -> Option<Techniques> {
        let without = |technique| {
            let mut without = self.without.iter().filter_map(|part| part.technique());
            without.any(|other| other == technique)
                || (self.no_induction && technique == Technique::Induction)
        };
        let named = |technique| {
            let mut named = self.techniques.iter().map(|name| Technique::from(*name));
            named.any(|other| other == technique)
        };
        Techniques::of(|technique| {
            let is_wanted = match (self.classic, self.techniques.is_empty()) {
                (true, _) => technique == Technique::Classic,
                (false, true) => Techniques::usual().contains(technique),
                (false, false) => named(technique),
            };
            is_wanted && !without(technique)
        })
    }

    /// The analysis that these arguments mean for a program.
    ///
    /// # Errors
    /// If all techniques are left out, or the policy cannot be read.
    pub fn analysis_options(&self, load: LoadOptions) -> anyhow::Result<AnalysisOptions> {
        let mut options = AnalysisOptions::new(load);
        options.techniques = self
            .chosen_techniques()
            .context("no technique is left: name one with --techniques, or leave out fewer")?;
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        options.jobs = self.jobs.map_or(processors.min(2), usize::from);
        options.solver.log.clone_from(&self.log_queries);
        options.solver.without = self.without.iter().filter_map(|part| part.link()).collect();
        options.search = self.search.map(|search| match search {
            SearchArgument::Bfs => SearchStrategy::Bfs,
            SearchArgument::Dfs => SearchStrategy::Dfs,
            SearchArgument::Random => SearchStrategy::Random(self.seed),
            SearchArgument::Nearest => SearchStrategy::Nearest,
            SearchArgument::Navigate => SearchStrategy::Navigate,
            SearchArgument::Tree => SearchStrategy::Tree(self.seed),
            SearchArgument::Coverage => SearchStrategy::Coverage(self.seed),
            SearchArgument::Klee => SearchStrategy::Klee(self.seed),
        });
        options.execution = Options {
            template_choice: match self.template_choice {
                TemplateChoiceArgument::First => TemplateChoice::FirstFit,
                TemplateChoiceArgument::Random => TemplateChoice::Random(self.seed),
            },
            budget: Budget {
                time: Duration::from_secs(self.timeout),
                memory: self.memory << 20,
                work: self.work.map(Work::seconds),
                query_time: self.query_timeout.map(Duration::from_secs),
                queries: QueryWork {
                    most: Work::seconds(self.query_work),
                    ..QueryWork::default()
                },
                path_steps: self.max_path_steps.unwrap_or(u64::MAX),
                ..Budget::default()
            },
            accesses: if self.assume_in_bounds {
                Accesses::AssumedInBounds
            } else {
                Accesses::Checked
            },
            subsumption: !self.no_subsumption && !self.without.contains(&PartArgument::Subsumption),
            merging: match self.merge {
                MergeArgument::None => MergeStrategy::None,
                MergeArgument::Aggressive => MergeStrategy::Aggressive,
                MergeArgument::Lattice => MergeStrategy::Lattice,
                MergeArgument::Recursive => MergeStrategy::Recursive,
                MergeArgument::Dynamic => MergeStrategy::Dynamic,
            },
            ..Options::default()
        };
        if let Some(path) = &self.policy {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("reading the policy {}", path.display()))?;
            let policy = serde_json::from_str(&text)
                .with_context(|| format!("in the policy {}", path.display()))?;
            options.follow(policy);
        }
        let merging = &mut options.execution.merging_policy;
        merging.limit = self.merge_limit.unwrap_or(merging.limit);
        merging.iterations = self.merge_iterations.unwrap_or(merging.iterations);
        if self.paper {
            options = options.as_in_the_paper(self.seed);
        }
        Ok(options)
    }
}
