//! Arguments that say how a program is executed.

use ::flowgraph::Granularity;
use analysis::{AnalysisOptions, Technique, Techniques};
use anyhow::Context as _;
use clap::{Args, ValueEnum};
use frontend::LoadOptions;
use solver::Link;
use std::path::PathBuf;
use std::time::Duration;
use symex::{
    Accesses, Budget, Hints, MergeStrategy, Options, QueryWork, SearchStrategy, TemplateChoice,
};
use term::Work;

/// Limits of each run of a benchmark.
#[derive(Args, Debug)]
pub struct LimitArguments {
    /// Wall time for each run, in seconds [default: 300, for cost-against-bound 20, for thesis 30]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    pub timeout: Option<u64>,

    /// Memory for each run, in megabytes
    #[arg(long, default_value_t = 8192, value_name = "MB", value_parser = clap::value_parser!(u64).range(64..=1_048_576))]
    pub memory: u64,

    /// Solver work for one query, in seconds of an idle machine; counted, not timed, so that
    /// verdicts do not depend on the load of this one
    #[arg(long, default_value_t = 20, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    pub query_work: u64,

    /// Seed of the random choices
    #[arg(long, default_value_t = 1, value_name = "NUMBER")]
    pub seed: u64,
}

/// How to execute.
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a switch of its own on the command line"
)]
#[derive(Args, Debug)]
#[command(next_help_heading = "How the program is executed")]
pub struct ExecutionArguments {
    /// Use only these techniques [default: all but annotations, beside each other]
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',')]
    pub techniques: Vec<TechniqueName>,

    /// Execute loops iteration by iteration only, without templates: --techniques classic
    #[arg(long, conflicts_with = "techniques")]
    pub classic: bool,

    /// Threads for the techniques; the verdict does not depend on it [default: 2, or the number of
    /// processors if that is smaller]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(1..=16))]
    pub jobs: Option<u8>,

    /// Wall time of the whole command, in seconds
    #[arg(long, default_value_t = 300, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    pub timeout: u64,

    /// Memory in megabytes
    #[arg(long, default_value_t = 8192, value_name = "MB", value_parser = clap::value_parser!(u64).range(64..=1_048_576))]
    pub memory: u64,

    /// Work of each technique, in seconds of an idle machine; counted, not timed, so that
    /// what is unknown does not depend on the load of this one [default: no limit]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    pub work: Option<u64>,

    /// Solver work for one query, in seconds of an idle machine; counted, not timed, so that
    /// verdicts do not depend on the load of this one
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

    /// Leave out a technique, the closing of subsumed states, necessary conditions of states, or a link
    /// of the solver chain
    #[arg(long, value_enum, value_name = "NAME", value_delimiter = ',')]
    pub without: Vec<PartArgument>,

    /// Which state comes next [default: nearest; for classic execution nearest and dfs in turn]
    #[arg(long, value_enum)]
    pub search: Option<SearchArgument>,

    /// What necessary conditions and constraint systems say about templates [default: nothing, since it
    /// does not pay: results/hints.md]
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',')]
    pub hints: Vec<HintArgument>,

    /// Which template is taken where several apply
    #[arg(long, value_enum, default_value = "random")]
    pub template_choice: TemplateChoiceArgument,

    /// Seed of the random choices
    #[arg(long, default_value_t = 1, value_name = "NUMBER")]
    pub seed: u64,

    /// Which states that meet after a branching are merged into one, with a choice (ite) where their
    /// values differ. With `none` only the technique `merging` merges, as with `dynamic`
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
    /// Proof by k-induction: every loop is cut, with several iterations at a time
    KInduction,
    /// Execution iteration by iteration; finished paths annotate locations with what they needed, and
    /// states that imply that are closed
    Annotations,
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
    /// Proof by k-induction
    KInduction,
    /// Execution in which locations are annotated
    Annotations,
    /// Closing of subsumed states
    Subsumption,
    /// Necessary conditions of states, in --search coverage and klee, and in `cover`
    StateConditions,
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
    /// Solver: equations between products by ring arithmetic
    Polynomials,
    /// Solver: products of unknown numbers as numbers of their own
    Products,
    /// Solver: numbers that are written in digits as numbers of their own
    Numerals,
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
            PartArgument::Polynomials => Some(Link::Polynomials),
            PartArgument::Products => Some(Link::Products),
            PartArgument::Numerals => Some(Link::Numerals),
            PartArgument::Compact
            | PartArgument::Classic
            | PartArgument::Induction
            | PartArgument::Necessary
            | PartArgument::Horn
            | PartArgument::Navigation
            | PartArgument::Merging
            | PartArgument::KInduction
            | PartArgument::Annotations
            | PartArgument::Subsumption
            | PartArgument::StateConditions => None,
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
            PartArgument::KInduction => Some(Technique::KInduction),
            PartArgument::Annotations => Some(Technique::Annotations),
            PartArgument::Subsumption
            | PartArgument::StateConditions
            | PartArgument::Independent
            | PartArgument::Cache
            | PartArgument::Sums
            | PartArgument::Quantifiers
            | PartArgument::Enumeration
            | PartArgument::Integers
            | PartArgument::Polynomials
            | PartArgument::Products
            | PartArgument::Numerals => None,
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
            TechniqueName::KInduction => Technique::KInduction,
            TechniqueName::Annotations => Technique::Annotations,
        }
    }
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
    /// The state that needs the fewest further executions of chains, by constraint systems
    /// (ATVA 2011); states that these refute are closed
    Navigate,
    /// The state at the end of a random way down the execution tree
    Tree,
    /// Any state; the nearer to locations that were not executed yet, the likelier. Where no new one
    /// is found, necessary conditions of states close states and propose inputs (ISSTA 2012)
    Coverage,
    /// tree and coverage in turn, as in KLEE
    Klee,
    /// The state that split off at the side of a branching by which the fewest states came so far, the oldest of
    /// several
    Least,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum HintArgument {
    /// Loops in unsatisfiable cores of the necessary condition get their templates first
    Cores,
    /// Exits of templates are asked about with the iterations of a solution of the constraint systems
    /// first
    Iterations,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum TemplateChoiceArgument {
    /// The first in order of enumeration
    First,
    /// Any
    Random,
}

impl From<GranularityArgument> for Granularity {
    fn from(granularity: GranularityArgument) -> Granularity {
        match granularity {
            GranularityArgument::Block => Granularity::Block,
            GranularityArgument::Split => Granularity::Split,
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
            SearchArgument::Least => SearchStrategy::Least,
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
            hints: Hints {
                cores: self.hints.contains(&HintArgument::Cores),
                iterations: self.hints.contains(&HintArgument::Iterations),
            },
            state_conditions: !self.without.contains(&PartArgument::StateConditions),
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
            let policy = serde_json::from_str(&text).with_context(|| {
                let path = path.display();
                format!("the policy {path} is not like `settings.policy` of a JSON record")
            })?;
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
