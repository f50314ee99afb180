//! Arguments for the execution of the program.

use super::super::output;
use super::{ProgramArguments, choice};
use analysis::{AnalysisOptions, Technique, Techniques};
use anyhow::Context as _;
use clap::{Args, ValueEnum};
use frontend::LoadOptions;
use solver::Link;
use std::path::PathBuf;
use std::time::Duration;
use symex::{
    Accesses, Budget, ExecutionOptions, Hints, MergeStrategy, QueryWork, SearchStrategy,
    TemplateChoice,
};
use term::Work;

/// How to execute.
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a switch of its own on the command line"
)]
#[derive(Args, Debug)]
#[command(next_help_heading = "How the program is executed")]
pub struct ExecutionArguments {
    /// Use only these techniques [default: all but annotations, interleaved]
    #[arg(long, value_parser = choice(Technique::ALL, Technique::name, Technique::help), value_name = "LIST", value_delimiter = ',')]
    pub techniques: Vec<Technique>,

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

    /// Work limit for each technique, in seconds of an idle machine; counted, not timed, so that the verdict
    /// does not depend on the load of the machine [default: no limit]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    pub work: Option<u64>,

    /// Solver work for one query, in seconds of an idle machine; counted, not timed, so that verdicts do not
    /// depend on the load of the machine
    #[arg(long, default_value_t = 20, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    pub query_work: u64,

    /// Solver time for one query, in seconds, in addition to --query-work; verdicts then depend on the load
    /// of the machine [default: no limit]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    pub query_timeout: Option<u64>,

    /// Abandon a path after this many steps (a template is one step) [default: no limit]
    #[arg(long, value_name = "STEPS", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_path_steps: Option<u64>,

    /// Write the queries that reach Z3 as SMT-LIB 2 into this folder
    #[arg(long, value_name = "DIR")]
    pub log_queries: Option<PathBuf>,

    /// Disable a technique, the closing of subsumed states, necessary conditions of states, or a link of the
    /// solver chain
    #[arg(long, value_parser = choice(Part::all(), Part::name, Part::help), value_name = "NAME", value_delimiter = ',')]
    pub without: Vec<Part>,

    /// Search order: the state to execute next [default: nearest; for classic execution nearest and dfs in turn]
    #[arg(long, value_parser = choice(SearchStrategy::OPTIONS, SearchStrategy::name, SearchStrategy::help))]
    pub search: Option<SearchStrategy>,

    /// Hints to templates from necessary conditions and constraint systems [default: none, since they do not
    /// pay off: results/hints.md]
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',')]
    pub hints: Vec<HintArgument>,

    /// The template to take where several apply
    #[arg(long, value_parser = choice(TemplateChoice::ALL, TemplateChoice::name, TemplateChoice::help), default_value = "random")]
    pub template_choice: TemplateChoice,

    /// Seed of the random choices
    #[arg(long, default_value_t = 1, value_name = "NUMBER")]
    pub seed: u64,

    /// States to merge where they meet after a branching; values that differ become conditional (ite). With
    /// `none`, only the technique `merging` merges, as with `dynamic`
    #[arg(long, value_parser = choice(MergeStrategy::ALL, MergeStrategy::name, MergeStrategy::help), value_name = "STRATEGY", default_value = "none")]
    pub merge: MergeStrategy,

    /// For --merge lattice and recursive: merge states if fewer than this number of solver queries is
    /// estimated for the values in which they differ
    #[arg(long, value_name = "QUERIES")]
    pub merge_limit: Option<u32>,

    /// For --merge recursive: assumed iterations of each loop in that estimate; for nested loops, its powers
    #[arg(long, value_name = "NUMBER")]
    pub merge_iterations: Option<u32>,

    /// Do not close states that are subsumed by others: --without subsumption
    #[arg(long)]
    pub no_subsumption: bool,

    /// Do not try a proof by induction, which cuts every loop: --without induction
    #[arg(long)]
    pub no_induction: bool,

    /// Tuning parameters as JSON, in the form of the record's `settings.policy` or a part of it
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,

    /// Ignore executions with accesses out of bounds instead of reporting them; "unreachable" does not cover them
    #[arg(long)]
    pub assume_in_bounds: bool,

    /// As in the paper: split flowgraph, breadth first, templates of cycles from loop headers
    /// computed before execution and chosen at random, no state closed, accesses assumed in bounds
    #[arg(long, conflicts_with_all = ["search", "template_choice", "granularity"])]
    pub paper: bool,
}

/// What can be left out of an analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    Technique(Technique),
    /// Closing of subsumed states.
    Subsumption,
    StateConditions,
    /// Of the solver chain.
    Link(Link),
}

impl Part {
    fn all() -> impl Iterator<Item = Part> {
        let techniques = Technique::ALL.into_iter().map(Part::Technique);
        let links = Link::ALL.into_iter().map(Part::Link);
        let between = [Part::Subsumption, Part::StateConditions];
        techniques.chain(between).chain(links)
    }

    fn name(self) -> &'static str {
        match self {
            Part::Technique(technique) => technique.name(),
            Part::Subsumption => "subsumption",
            Part::StateConditions => "state-conditions",
            Part::Link(link) => link.name(),
        }
    }

    fn help(self) -> &'static str {
        match self {
            Part::Technique(technique) => technique.help(),
            Part::Subsumption => "Closing of subsumed states",
            Part::StateConditions => {
                "Necessary conditions of states, in --search coverage and klee, and in `cover`"
            }
            Part::Link(link) => link.help(),
        }
    }

    fn link(self) -> Option<Link> {
        match self {
            Part::Link(link) => Some(link),
            Part::Technique(_) | Part::Subsumption | Part::StateConditions => None,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum HintArgument {
    /// Loops in unsatisfiable cores of the necessary condition get their templates first
    Cores,
    /// Exits of templates are first checked with the iterations from a solution of the constraint systems
    Iterations,
}

impl ExecutionArguments {
    /// The techniques that are requested; `None` where all are left out.
    fn chosen_techniques(&self) -> Option<Techniques> {
        let without = |technique| {
            self.without.contains(&Part::Technique(technique))
                || (self.no_induction && technique == Technique::Induction)
        };
        Techniques::of(|technique| {
            let is_wanted = match (self.classic, self.techniques.is_empty()) {
                (true, _) => technique == Technique::Classic,
                (false, true) => Techniques::usual().contains(technique),
                (false, false) => self.techniques.contains(&technique),
            };
            is_wanted && !without(technique)
        })
    }

    /// The analysis that these arguments mean for a program.
    ///
    /// # Errors
    /// If all techniques are left out, the policy cannot be read, or the folder of the log not be made.
    pub fn options_for(&self, program: &ProgramArguments) -> anyhow::Result<AnalysisOptions> {
        let mut load = program.load_options();
        load.allow_missing_target = program.target.is_empty();
        let options = self.analysis_options(load)?;
        if let Some(folder) = &options.solver.log {
            output::make_folder(folder)?;
        }
        Ok(options)
    }

    /// The same for a program to be loaded so.
    ///
    /// # Errors
    /// If all techniques are left out, or the policy cannot be read.
    pub fn analysis_options(&self, load: LoadOptions) -> anyhow::Result<AnalysisOptions> {
        let mut options = AnalysisOptions::new(load);
        options.techniques = self
            .chosen_techniques()
            .context("all techniques are disabled: name one with --techniques, or disable fewer")?;
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        options.jobs = self.jobs.map_or(processors.min(2), usize::from);
        options.solver.log.clone_from(&self.log_queries);
        options.solver.without = self.without.iter().filter_map(|part| part.link()).collect();
        options.search = self.search.map(|search| search.with_seed(self.seed));
        options.execution = ExecutionOptions {
            template_choice: match self.template_choice {
                TemplateChoice::FirstFit => TemplateChoice::FirstFit,
                TemplateChoice::Random(_) => TemplateChoice::Random(self.seed),
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
            subsumption: !self.no_subsumption && !self.without.contains(&Part::Subsumption),
            hints: Hints {
                cores: self.hints.contains(&HintArgument::Cores),
                iterations: self.hints.contains(&HintArgument::Iterations),
            },
            state_conditions: !self.without.contains(&Part::StateConditions),
            merging: self.merge,
            ..ExecutionOptions::default()
        };
        if let Some(path) = &self.policy {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("reading the policy {}", path.display()))?;
            let policy = serde_json::from_str(&text).with_context(|| {
                let path = path.display();
                format!(
                    "the policy {path} does not have the form of `settings.policy` in a JSON record"
                )
            })?;
            options.follow(policy);
        }
        let merging = &mut options.execution.policy.merging;
        merging.limit = self.merge_limit.unwrap_or(merging.limit);
        merging.iterations = self.merge_iterations.unwrap_or(merging.iterations);
        if self.paper {
            options = options.as_in_the_paper(self.seed);
        }
        Ok(options)
    }
}
