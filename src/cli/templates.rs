//! `compact-se templates`: the cycles of a program and their templates.

use super::arguments::TemplatesArguments;
use super::progress::Progress;
use super::{bounds, exit, output};
use anyhow::Result;
use frontend::load;
use process::Sentinel;
use report::{AutomataRecord, TemplatesRecord};
use serde::Serialize;
use std::path::Path;
use std::process::ExitCode;
use symex::Executor;

/// Computes all templates, or the automata of loops, and prints them.
///
/// # Errors
/// If the program cannot be loaded or a file not be written.
pub(super) fn run(arguments: &TemplatesArguments) -> Result<ExitCode> {
    if let Some(path) = &arguments.json {
        output::check_writable(path, &arguments.program.files)?;
    }
    let sentinel = Sentinel::start()?;
    let mut options = arguments.execution.options_for(&arguments.program)?;
    options.execution.budget.interrupt = sentinel.interrupt();
    options.policy.templates = None;
    let progress = Progress::start("loading, finding templates");
    let budget = &options.execution.budget;
    bounds::watch(&sentinel, budget, &progress, arguments.json.as_deref());
    let loaded = load(&options.load)?;
    let solver = options.solver.build();
    let executor = Executor::new(
        &loaded.program,
        solver,
        options.table(),
        options.execution.clone(),
    );
    let json = arguments.json.as_deref();
    let text = if arguments.automaton {
        let automata = executor.automata();
        drop(progress);
        let record = AutomataRecord::new(&automata, &loaded.program);
        let text = if arguments.dot {
            record.to_dot()
        } else {
            record.to_text()
        };
        sentinel.conclude();
        write_record(json, &record)?;
        text
    } else {
        let (table, pool) = executor.templates();
        drop(progress);
        let record = TemplatesRecord::new(&table, &pool, &loaded.program);
        let text = record.to_text();
        sentinel.conclude();
        write_record(json, &record)?;
        text
    };
    output::print(&text);
    if let Some(why) = sentinel.interrupt().reason() {
        output::note(&format!("{why}, so that templates may be missing"));
        return Ok(ExitCode::from(exit::UNKNOWN));
    }
    Ok(ExitCode::SUCCESS)
}

fn write_record(path: Option<&Path>, record: &impl Serialize) -> Result<()> {
    match path {
        Some(path) => Ok(output::write_json(path, record)?),
        None => Ok(()),
    }
}
