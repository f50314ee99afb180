//! The command-line arguments.

mod choice;
mod analyze;
mod execution;
mod program;
mod svcomp;

pub use self::analyze::{AnalyzeArguments, ArtefactArguments, CheckName};
pub use self::choice::choice;
pub use self::execution::ExecutionArguments;
pub use self::program::ProgramArguments;
pub use self::svcomp::SvcompArguments;

use super::companion::ForwardedArguments;
use super::microc::MicrocArguments;
use clap::{Args, Parser, Subcommand};
use frontend::{EntryFunction, Goals, LoadOptions, ObjectBytes};
use property::Checks;
use solver::Link;
use std::path::PathBuf;

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
  compact-se tree program.c --html tree.html           the execution tree as an HTML page
  compact-se cover program.c --tests tests             tests for each branch and line

Inputs are results of __VERIFIER_nondet_int() and similar functions, objects declared with
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
    /// Validate a witness of format 2.0 or 2.1 against a program
    Check(CheckArguments),
    /// Show the cycles of a program and their templates
    Templates(TemplatesArguments),
    /// Explain why each loop folds into a template, or why it does not
    Explain(ExplainArguments),
    /// Compute a necessary condition for reaching the target, and run the program with its models
    Necessary(NecessaryArguments),
    /// Show the chains of a program and the constraints on their counters
    Chains(ChainsArguments),
    /// Show the execution tree
    Tree(TreeArguments),
    /// Show the program as a flowgraph
    Flowgraph(FlowgraphArguments),
    /// Decide a task of SV-COMP: does the program have the property unreach-call, no-overflow,
    /// valid-memsafety or valid-memcleanup?
    Svcomp(SvcompArguments),
    /// Write the runs for a folder of tasks as commands for a cluster, one per line
    Batch(ForwardedArguments),
    /// Regenerate a table of a paper
    Reproduce(ForwardedArguments),
    /// Decide path conditions in SMT-LIB 2: bit-vectors, arrays or uninterpreted functions, and
    /// bounded quantifiers
    Solve(SolveArguments),
    /// Run a program in microc, show its syntax tree, and more
    Microc(MicrocArguments),
}

#[derive(Args, Debug)]
#[command(after_help = "\
FILE may be a task definition of SV-COMP (.yml), which names the files, the data model and the property;
the program is then treated as by `svcomp`, and the witness must be about that property. Supported
properties: unreach-call, no-overflow, valid-memsafety and its parts, valid-memcleanup.

  compact-se check witness.yml program.c               a witness of `analyze --witness`
  compact-se check witness.yml task.yml                one of another tool, for a task

Exit codes: 0 confirmed, 1 rejected, 3 unknown, 2 error.")]
pub struct CheckArguments {
    /// The witness (YAML)
    #[arg(value_name = "WITNESS")]
    pub witness: PathBuf,

    #[command(flatten)]
    pub program: ProgramArguments,

    /// The property file: the program is treated as by `svcomp`; a task definition with one property
    /// needs none
    #[arg(long, value_name = "FILE")]
    pub property: Option<PathBuf>,

    #[command(flatten)]
    pub execution: ExecutionArguments,
}

#[derive(Args, Debug)]
#[command(after_help = "\
A goal is a side of a condition (if, loops, ?:, each operand of && and ||, each case of a switch),
or a line that has code.
  covered   a native run with the inputs of a test passed it (in microc, one by the interpreter)
  dead      no execution passes it, proved as `analyze` proves *unreachable*; or clang generated no
            code for it, since a condition is constant or the function is unused
  open      neither is known; the reason follows

  compact-se cover program.c                                  covered, dead and open goals
  compact-se cover program.c --tests tests                    the tests, in three formats
  compact-se cover program.c --html cover.html                the source in colours, an HTML page
  compact-se cover program.c --property coverage-branches.prp as in Test-Comp

The folder of --tests has metadata.xml and testcase-N.xml (Test-Comp), test00000N.ktest (KLEE) and
harness-N.c: `clang -fwrapv program.c harness-1.c -o test && ./test` runs the first test. For microc it has
test00000N.input and, where main has parameters, test00000N.args:
`compact-se microc run program.mc --args=$(cat test000001.args) --input-file test000001.input`.

Exit codes: 0 each goal is covered or dead, 3 some are open, 2 error.")]
pub struct CoverArguments {
    #[command(flatten)]
    pub program: ProgramArguments,

    /// Start at this function instead of main, with arbitrary arguments
    #[arg(long, value_name = "NAME", conflicts_with = "tests")]
    pub function: Option<String>,

    /// With --function: size in bytes of the object behind each pointer parameter (the size of its type if
    /// that is larger); 0..64 means any size up to 64
    #[arg(long, value_name = "BYTES", default_value_t = ObjectBytes::exactly(64), requires = "function")]
    pub pointer_objects: ObjectBytes,

    /// The goals to cover
    #[arg(long, value_parser = choice(Goals::OPTIONS, Goals::name, Goals::help), default_value = "all", conflicts_with = "property")]
    pub goals: Goals,

    /// A property file of Test-Comp: coverage-branches.prp or coverage-error-call.prp. Functions
    /// without a body have no effect then, and executions end at undefined behaviour
    #[arg(long, value_name = "FILE")]
    pub property: Option<PathBuf>,

    /// Errors to look for on the way [default: assert; in microc memory and division]
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',')]
    pub check: Vec<CheckName>,

    /// Write the tests into this folder: a Test-Comp suite, .ktest files and C harnesses; for microc numbers that
    /// `microc run` takes
    #[arg(long, value_name = "DIR")]
    pub tests: Option<PathBuf>,

    /// Write the source as an HTML page that shows covered, dead and open goals
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Write everything as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    #[command(flatten)]
    pub execution: ExecutionArguments,
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

    /// The errors that are searched for, where some are named.
    pub fn checks(&self) -> Checks {
        let is_microc = self.program.is_microc();
        let checks = (self.check.iter()).flat_map(|name| name.checks(is_microc));
        checks.collect()
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

    /// Write the queries that reach Z3 as SMT-LIB 2 into this folder
    #[arg(long, value_name = "DIR")]
    pub log_queries: Option<PathBuf>,

    /// Disable a link of the solver chain, for measurements
    #[arg(long, value_parser = choice(Link::ALL, Link::name, Link::help), value_name = "LINK")]
    pub without: Vec<Link>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
A path dependency automaton describes the order of the paths through a loop: an edge p → q means that
an iteration along q may follow κ iterations along p. Init paths may come first, Accept paths last. A
turn is the sequence of edges from an edge until that edge is taken again. Loops are sequential (no
path recurs), periodic (the paths alternate) or irregular. Sequential and periodic loops that read no
inputs have a template with one exit for each way through the automaton.

  compact-se templates program.c                                 cycles, loops and their templates
  compact-se templates program.c --automaton                     paths, edges, turns, types 1 to 4
  compact-se templates program.c --automaton --dot | dot -Tsvg   the automata as pictures

Exit codes: 0 done, 3 interrupted, 2 error.")]
pub struct TemplatesArguments {
    #[command(flatten)]
    pub program: ProgramArguments,

    /// Print the path dependency automata of loops instead
    #[arg(long)]
    pub automaton: bool,

    /// Print them for Graphviz
    #[arg(long, requires = "automaton")]
    pub dot: bool,

    /// Write cycles and templates as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    #[command(flatten)]
    pub execution: ExecutionArguments,
}

#[derive(Args, Debug)]
#[command(after_help = "\
A necessary condition φ̂ (ISSTA 2012) is implied by the path condition of every path to the target.
Loops are summarised: κᵢ counts the iterations along the i-th path through a loop, ⋆ stands for a value
without a rule, and predicates with ⋆ are dropped. If φ̂ is unsatisfiable, no input reaches the target.
A model of φ̂ is a guess, with which the program is run. φ̂ and φ̂^K, which has the first K instances of
each quantifier, are solved in turn; the answer that needs less work counts.

  compact-se necessary program.c                          summaries of loops, φ̂, answers
  compact-se necessary program.c --html condition.html    the same as an HTML page
  compact-se necessary program.c --dot condition.dot; dot -Tsvg condition.dot   as a picture

Exit codes: 0 unreachable, 1 reachable (the run reached the target), 3 unknown, 2 error.")]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a switch of its own on the command line"
)]
pub struct NecessaryArguments {
    #[command(flatten)]
    pub program: ProgramArguments,

    /// Instances of each quantifier in φ̂^K: those of the first K iterations, as the paper's text says (its
    /// formula has one more)
    #[arg(long, default_value_t = 25, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(0..=10_000))]
    pub k: u64,

    /// As in the paper: its rules and looping conditions, each backbone on its own
    #[arg(long)]
    pub paper: bool,

    /// With --paper, express counters of inner loops by those of outer loops where possible (Section 3.4: the
    /// paper's "heavyweight" version); without --paper that is always done
    #[arg(long, requires = "paper")]
    pub heavyweight: bool,

    /// Wall time for everything after loading, in seconds
    #[arg(long, default_value_t = 300, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    pub timeout: u64,

    /// Memory in megabytes
    #[arg(long, default_value_t = 8192, value_name = "MB", value_parser = clap::value_parser!(u64).range(64..=1_048_576))]
    pub memory: u64,

    /// Solver work for φ̂ and φ̂^K together, in seconds of an idle machine
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
A chain (ATVA 2011) is a piece of straight-line code. A root chain c0 leads from the start to the target.
A line cond : {c1, c2} stands for a loop: the chains c1 and c2, its paths, are executed any number of
times in any order until cond holds. κ1 counts the executions of c1, κ3^1 those of c3 since c1 began,
κ3/2 those within c2 where c3 is in several chains; ⋆ stands for a value without a rule. S(c) are the
constraints of a chain on counters, which every execution along it satisfies: a root chain whose system
has no solution is infeasible.

  compact-se chains program.c                             chains, functions of counters, systems
  compact-se chains program.c --dot | dot -Tsvg           the chains as a picture
  compact-se analyze program.c --classic --search navigate     execution guided by the systems

Exit codes: 0 done, 3 interrupted, 2 error.")]
pub struct ChainsArguments {
    #[command(flatten)]
    pub program: ProgramArguments,

    /// Print the chains for Graphviz instead
    #[arg(long)]
    pub dot: bool,

    /// Write chains, functions and constraint systems as an HTML page
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Maximum number of chains, which can be exponential
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
Loops are numbered from 1. For each: its lines, how its iterations are executed, the rule that gives
each variable its closed form, and the obstacles, with variable, source line and a hint.
  one template covers the whole loop               any number of iterations is one step
  templates of its … cycles cover it               one step for each path through the body
  one step / unrolled in … of loop N               part of one iteration of the outer loop
  no template, executed iteration by iteration     the reason follows

  compact-se explain program.c            a few lines for each loop
  compact-se explain program.c --loop 2   details of loop 2: cycles, closed forms, obstacles

If the program has a target, the verdict follows with its technique and, for a proof, the invariants
of loops and the contracts of functions. The verdict gets half of the time. In the other half the
program is executed, since the effect of a loop depends on the targets of its pointers; after a
verdict this takes at most two seconds of work. Exit codes: 0 done, 3 interrupted, 2 error."
)]
pub struct ExplainArguments {
    #[command(flatten)]
    pub program: ProgramArguments,

    /// All about this loop
    #[arg(long = "loop", value_name = "NUMBER")]
    pub number: Option<usize>,

    /// Write the explanation as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    #[command(flatten)]
    pub execution: ExecutionArguments,
}

#[derive(Args, Debug)]
#[command(after_help = "\
  compact-se tree program.c --html tree.html        an HTML page with nodes that fold
  compact-se tree program.c --classic --depth 20    without templates, 20 steps deep
  compact-se tree program.c --dot | dot -Tsvg       as a picture

Exit codes: 0 done, 3 interrupted, 2 error.")]
pub struct TreeArguments {
    #[command(flatten)]
    pub program: ProgramArguments,

    /// Print the tree for Graphviz instead of as text
    #[arg(long)]
    pub dot: bool,

    /// Write the tree as an HTML page instead
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Maximum depth of the nodes printed, in steps below the root [default: all]
    #[arg(long, value_name = "STEPS", conflicts_with_all = ["dot", "html"])]
    pub depth: Option<usize>,

    /// Stop when the tree has more nodes than this
    #[arg(long, value_name = "NUMBER", default_value_t = 10_000, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=10_000_000))]
    pub max_nodes: usize,

    #[command(flatten)]
    pub execution: ExecutionArguments,
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
