//! `compact-se necessary`: a necessary condition for reaching the target.

use super::arguments::NecessaryArguments;
use super::progress::Progress;
use super::{bounds, exit, output};
use ::necessary::{BuildOptions, Decider};
use analysis::{AnalysisOptions, NecessaryOptions, necessary};
use anyhow::{Context, Result};
use frontend::load;
use process::{self, Sentinel, write_whole};
use report::{Environment, NecessaryRecord};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use term::Work;

/// Constructs and decides the condition, and prints it.
///
/// # Errors
/// If the program cannot be loaded or a file not be written.
pub(super) fn run(arguments: &NecessaryArguments) -> Result<ExitCode> {
    let files = [
        &arguments.json,
        &arguments.smt2,
        &arguments.dot,
        &arguments.html,
    ];
    for path in files.into_iter().flatten() {
        output::check_writable(path, &arguments.program.files)?;
    }
    let sentinel = Sentinel::start()?;
    let mut options = AnalysisOptions::new(arguments.program.load_options());
    options.replay = !arguments.no_replay;
    let budget = &mut options.execution.budget;
    budget.time = Duration::from_secs(arguments.timeout);
    budget.memory = arguments.memory << 20;
    budget.interrupt = sentinel.interrupt();
    let necessary_options = NecessaryOptions {
        build: if arguments.paper {
            BuildOptions {
                relates_counters: arguments.heavyweight,
                ..BuildOptions::as_in_the_paper()
            }
        } else {
            BuildOptions::default()
        },
        decider: Decider {
            k: arguments.k,
            work: Work::seconds(arguments.work),
            both: arguments.both,
        },
    };
    let progress = Progress::start("loading, summarising loops");
    let budget = &options.execution.budget;
    bounds::watch(&sentinel, budget, &progress, arguments.json.as_deref());
    let started = Instant::now();
    let loaded = load(&options.load)?;
    let load_time = started.elapsed();
    let mut analysis = necessary(&options, &necessary_options, &loaded);
    drop(progress);
    let environment = Environment::current(None);
    let total = started.elapsed();
    let record = NecessaryRecord::new(
        environment,
        &options,
        &necessary_options,
        &loaded,
        &mut analysis,
        (load_time, total),
    );
    sentinel.conclude();
    if let Some(path) = &arguments.smt2 {
        write_whole(path, record.smt2.as_bytes())
            .with_context(|| format!("writing {}", path.display()))?;
    }
    if let Some(path) = &arguments.json {
        output::write_json(path, &record)?;
    }
    if let Some(path) = &arguments.dot {
        output::write(path, &record.to_dot())?;
    }
    if let Some(path) = &arguments.html {
        output::write(path, &record.to_html())?;
    }
    output::print(&record.to_text());
    process::end(exit::of(record.verdict))
}
