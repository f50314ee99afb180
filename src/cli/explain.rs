//! `compact-se explain`: why each loop folds, or why not.

use super::arguments::ExplainArguments;
use super::progress::Progress;
use super::{bounds, exit, output};
use ::flowgraph::{Action, Program};
use analysis::{self, AnalysisOptions, CheckChoice};
use anyhow::{Result, bail};
use frontend::{Loaded, load};
use limits::Exhausted;
use process::Sentinel;
use report::{DecisionRecord, ExplanationRecord, Sources};
use std::process::ExitCode;
use std::time::Instant;
use symex::Statistics;
use term::Work;

/// For the loops of a program whose verdict is known; templates take milliseconds.
const MOST_ONCE_DECIDED: Work = Work::seconds(2);

/// Analyses the program, executes it for a while, and explains its verdict and its loops.
///
/// # Errors
/// If the program cannot be loaded, has no loop of the wanted number, or a file cannot be written.
pub(super) fn run(arguments: &ExplainArguments) -> Result<ExitCode> {
    if arguments.execution.classic {
        bail!("explain is about templates, and --classic disables them");
    }
    if let Some(path) = &arguments.json {
        output::check_writable(path, &arguments.program.files)?;
    }
    let sentinel = Sentinel::start()?;
    let mut options = arguments.execution.options_for(&arguments.program)?;
    options.execution.budget.interrupt = sentinel.interrupt();
    options.policy.templates = None;
    let mut progress = Progress::start("loading, finding loops");
    let budget = &options.execution.budget;
    bounds::watch(&sentinel, budget, &progress, arguments.json.as_deref());
    let loaded = load(&options.load)?;
    check_number(arguments.number, &loaded.program)?;
    let time = options.execution.budget.time;
    let started = Instant::now();
    let decision = decide(&options, &loaded, &mut |statistics| {
        progress.step(statistics);
    });
    if decision.is_some() {
        let work = &mut options.execution.budget.work;
        *work = Some(work.map_or(MOST_ONCE_DECIDED, |work| work.min(MOST_ONCE_DECIDED)));
    }
    options.execution.budget.time = time.saturating_sub(started.elapsed());
    let report = analysis::survey(&loaded.program, &options, &mut |statistics| {
        progress.step(statistics);
    });
    drop(progress);
    let sources = Sources::new(&loaded.program, |file| std::fs::read_to_string(file).ok());
    let mut record = ExplanationRecord::new(&report, &loaded.program, &sources);
    record.decision = decision;
    if let Some(number) = arguments.number {
        record = record.only(number);
    }
    let text = match arguments.number {
        Some(_) => record.to_text(),
        None => record.to_summary(),
    };
    sentinel.conclude();
    if let Some(path) = &arguments.json {
        output::write_json(path, &record)?;
    }
    output::print(&text);
    // Time is how long is looked, not a limit that was not enough.
    Ok(match sentinel.interrupt().reason() {
        Some(Exhausted::Interrupted | Exhausted::Memory) => ExitCode::from(exit::UNKNOWN),
        Some(Exhausted::Work | Exhausted::Time) | None => ExitCode::SUCCESS,
    })
}

/// What decides about the target, if there is one, in half of the time.
fn decide(
    options: &AnalysisOptions,
    loaded: &Loaded,
    progress: &mut dyn FnMut(&Statistics),
) -> Option<DecisionRecord> {
    if !has_target(&loaded.program) {
        return None;
    }
    let mut options = options.clone();
    options.checks = CheckChoice::Usual;
    options.execution.budget.time /= 2;
    let (report, contributions) = analysis::analyze_loaded(&options, loaded, progress);
    DecisionRecord::new(&report, &contributions, &loaded.program)
}

/// Whether there is a place that must not be reached.
fn has_target(program: &Program) -> bool {
    let functions = program.functions.iter();
    let mut edges = functions.flat_map(|one| one.edge_ids().map(|edge| one.edge(edge)));
    edges.any(|edge| edge.steps.iter().any(|step| step.action == Action::Target))
}

fn check_number(wanted: Option<usize>, program: &Program) -> Result<()> {
    let of_function = |id| program.function(id).loops().loops.len();
    let n_loops: usize = program.function_ids().map(of_function).sum();
    match wanted {
        Some(number) if n_loops == 0 => bail!("there is no loop {number}: the program has none"),
        Some(number) if number == 0 || number > n_loops => {
            bail!("there is no loop {number}: the program has {n_loops}, numbered from 1")
        }
        Some(_) | None => Ok(()),
    }
}
