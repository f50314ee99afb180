//! Analysis: from files to a confirmed verdict.
//!
//! ```text
//! files --frontend--> Program --induction--> Verdict
//!                             --symex--> witness --replay--> Verdict
//! ```
//!
//! What the command line, the tables and the SV-COMP runs have in common.
//!
//! # Deliberately absent
//! No arguments, no printing.

use crate::flowgraph::{Function, Granularity, LoopNest, Program};
use crate::frontend::llvm::{LoadError, LoadOptions, Loaded, load};
use crate::replay::{self, InputRecord, ReplayLimits, ReplayOutcome};
use crate::solver::Config as SolverConfig;
use crate::symex::{
    Confirmation, CutHandling, Executor, InputValue, Options, Report, SearchStrategy, Statistics,
    TemplateChoice, Verdict, Witness,
};
use crate::template::{Folding, TemplateTable};
use std::time::{Duration, Instant};

/// A proof by induction succeeds soon or not at all.
pub const MOST_FOR_INDUCTION: Duration = Duration::from_secs(3);

/// How loops are executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Technique {
    /// By templates where there are some.
    Compact,
    /// Round by round.
    Classic,
}

impl Technique {
    /// `compact` or `classic`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Technique::Compact => "compact",
            Technique::Classic => "classic",
        }
    }
}

/// Everything that determines an analysis.
#[derive(Clone, Debug)]
pub struct AnalysisOptions {
    pub load: LoadOptions,
    pub technique: Technique,
    pub execution: Options,
    pub solver: SolverConfig,
    /// Replay witnesses natively before they are believed. Default: yes.
    pub replay: bool,
    /// What templates are made for. Default: whole loops.
    pub folding: Folding,
    /// No function's cycles are enumerated beyond this many. Default: 10,000.
    pub most_cycles: usize,
    /// Try first whether all loops can be cut: a proof by induction, which takes at most a tenth of
    /// the time and finds no inputs. Default: no.
    pub induction: bool,
}

impl AnalysisOptions {
    /// Defaults for these input files.
    #[must_use]
    pub fn new(load: LoadOptions) -> AnalysisOptions {
        AnalysisOptions {
            load,
            technique: Technique::Compact,
            execution: Options::default(),
            solver: SolverConfig::default(),
            replay: true,
            folding: Folding::Loops,
            most_cycles: 10_000,
            induction: false,
        }
    }

    /// The table of templates for the technique.
    #[must_use]
    pub fn table(&self) -> TemplateTable {
        match self.technique {
            Technique::Compact => TemplateTable::new(self.most_cycles, self.folding),
            Technique::Classic => TemplateTable::empty(),
        }
    }
}

/// What came out.
pub struct Analysis {
    pub loaded: Loaded,
    pub report: Report,
    /// Spent on reading, compiling and lowering the program.
    pub load_time: Duration,
    /// Whether the witness was replayed; false where there is none or replay was switched off.
    pub replayed: bool,
}

/// Analyses a program. `progress` hears of every step.
///
/// # Errors
/// If the program cannot be loaded.
pub fn analyze(
    options: &AnalysisOptions,
    progress: &mut dyn FnMut(&Statistics),
) -> Result<Analysis, LoadError> {
    let started = Instant::now();
    let loaded = load(&options.load)?;
    let load_time = started.elapsed();
    let mut replayed = false;
    let started = Instant::now();
    let proof = if options.induction {
        let mut options = options.clone();
        options.execution.budget.time =
            (options.execution.budget.time / 10).min(MOST_FOR_INDUCTION);
        prove_by_induction(&options, &loaded.program)
    } else {
        None
    };
    let report = if let Some(proof) = proof {
        proof
    } else {
        let solver = options.solver.build();
        let mut execution = options.execution.clone();
        execution.budget.time = execution.budget.time.saturating_sub(started.elapsed());
        let executor = Executor::new(&loaded.program, solver, options.table(), execution);
        let mut confirm = |witness: &Witness| {
            if !options.replay {
                return Confirmation::Skipped;
            }
            let confirmation = confirm_natively(&loaded, witness);
            replayed = confirmation == Confirmation::Confirmed;
            confirmation
        };
        executor.run(&mut confirm, progress)
    };
    Ok(Analysis {
        loaded,
        report,
        load_time,
        replayed,
    })
}

/// Executes a program for its loops: on from every target, to the end or the budget's, without a
/// verdict. The report's table has what the run found out about each loop.
pub fn survey(
    program: &Program,
    options: &AnalysisOptions,
    progress: &mut dyn FnMut(&Statistics),
) -> Report {
    let executor = Executor::new(
        program,
        options.solver.build(),
        options.table(),
        options.execution.clone(),
    );
    let mut go_on = |_: &Witness| Confirmation::Refuted("what is asked for are loops".to_owned());
    executor.run(&mut go_on, progress)
}

/// A report of *unreachable* where the target is not even reached if what the loops change is
/// arbitrary at their headers, but for bounds that hold in every round. Nothing is known otherwise:
/// what is reached then need not be reached by the program.
#[must_use]
pub fn prove_by_induction(options: &AnalysisOptions, program: &Program) -> Option<Report> {
    if !program.functions.iter().any(has_loop) {
        return None;
    }
    let mut execution = options.execution.clone();
    execution.cuts = CutHandling::Headers;
    execution.record_tree = None;
    // A query that takes longer than at first is a way that stays open, which ends the proof.
    execution.budget.query_time = execution.budget.first_query_time();
    let no_templates = TemplateTable::empty();
    let executor = Executor::new(program, options.solver.build(), no_templates, execution);
    let mut reached =
        |_: &Witness| Confirmation::Refuted("it follows from what the loops are cut to".to_owned());
    let report = executor.run(&mut reached, &mut |_| ());
    matches!(report.verdict, Verdict::Unreachable).then_some(report)
}

fn has_loop(function: &Function) -> bool {
    !LoopNest::of(function).loops.is_empty()
}

/// Executes a program whose loops are cut at invariants, to the end or the budget's. `reached`
/// hears of every way to a target; each keeps the verdict from being *unreachable*. Gives the
/// program too.
///
/// # Errors
/// If the program cannot be loaded.
pub fn prove(
    options: &AnalysisOptions,
    reached: &mut dyn FnMut(&Loaded, &Witness),
) -> Result<(Loaded, Report), LoadError> {
    let loaded = load(&options.load)?;
    let mut execution = options.execution.clone();
    execution.cuts = CutHandling::Prove;
    let executor = Executor::new(
        &loaded.program,
        options.solver.build(),
        options.table(),
        execution,
    );
    let mut confirm = |witness: &Witness| {
        reached(&loaded, witness);
        Confirmation::Refuted("it follows from what the loops are cut to".to_owned())
    };
    let report = executor.run(&mut confirm, &mut |_| ());
    Ok((loaded, report))
}

/// Compiles the program and runs it with the inputs of a witness.
#[must_use]
pub fn confirm_natively(loaded: &Loaded, witness: &Witness) -> Confirmation {
    let inputs = records(witness);
    let limits = ReplayLimits::default();
    let why = match replay::replay(
        &loaded.prepared_bitcode,
        loaded.data_model,
        &inputs,
        &limits,
    ) {
        Ok(ReplayOutcome::Reached) => return Confirmation::Confirmed,
        Ok(ReplayOutcome::Diverged(why)) => format!("the inputs diverge: {why}"),
        Ok(ReplayOutcome::AssumptionViolated) => "an assumption does not hold".to_owned(),
        Ok(ReplayOutcome::NotReached(code)) => format!("the program ended with exit code {code}"),
        Ok(ReplayOutcome::Crashed(signal)) => format!("signal {signal} killed the program"),
        Ok(ReplayOutcome::Limit(which)) => return Confirmation::Stopped(which.to_owned()),
        Err(error) => return Confirmation::Impossible(error.to_string()),
    };
    Confirmation::Refuted(why)
}

/// The inputs in the form in which the replay library reads them.
#[must_use]
pub fn records(witness: &Witness) -> Vec<InputRecord> {
    witness
        .inputs
        .iter()
        .map(|input| InputRecord {
            name: input.name.clone(),
            value: match &input.value {
                InputValue::Value(value) => replay::InputValue::Int(value.clone()),
                InputValue::Memory {
                    bytes,
                    default,
                    chunks,
                    address,
                } => replay::InputValue::Bytes {
                    size: *bytes,
                    default: *default,
                    chunks: chunks.clone(),
                    address: *address,
                },
            },
        })
        .collect()
}

impl AnalysisOptions {
    /// The setting of the paper's experiments (ATVA 2013, Section 4): split flowgraph, breadth
    /// first, the templates of all cycles, and of cycles only, computed beforehand and chosen at
    /// random, no state closed.
    #[must_use]
    pub fn as_in_the_paper(mut self, seed: u64) -> AnalysisOptions {
        self.load.granularity = Granularity::Split;
        self.folding = Folding::Cycles;
        self.induction = false;
        self.execution.search = SearchStrategy::Bfs;
        self.execution.template_choice = TemplateChoice::Random(seed);
        self.execution.budget.first_query_time = None;
        self.execution.subsumption = false;
        self.execution.templates_first = self.technique == Technique::Compact;
        self
    }
}
