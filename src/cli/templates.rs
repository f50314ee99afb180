//! `compact-se templates`: the cycles of a program and their templates.

use super::arguments::TemplatesArguments;
use super::progress::Progress;
use super::{exit, interrupt, output};
use crate::frontend::llvm::load;
use crate::report::TemplatesRecord;
use crate::symex::Executor;
use anyhow::Result;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Computes all templates and prints them.
///
/// # Errors
/// If the program cannot be loaded or a file not be written.
pub(super) fn run(arguments: &TemplatesArguments) -> Result<ExitCode> {
    if let Some(path) = &arguments.json {
        output::check_writable(path, &arguments.program.files)?;
    }
    let interrupt = interrupt::listen()?;
    let mut load_options = arguments.program.load_options();
    load_options.allow_missing_target = arguments.program.target.is_none();
    let mut options = arguments.execution.analysis_options(load_options);
    options.execution.budget.interrupt = Arc::clone(&interrupt);
    if let Some(folder) = &options.solver.log {
        output::make_folder(folder)?;
    }
    let progress = Progress::start("loading, finding templates");
    let loaded = load(&options.load)?;
    let solver = options.solver.build();
    let executor = Executor::new(
        &loaded.program,
        solver,
        options.table(),
        options.execution.clone(),
    );
    let (table, pool) = executor.templates();
    drop(progress);
    let record = TemplatesRecord::new(&table, &pool, &loaded.program);
    if let Some(path) = &arguments.json {
        output::write_json(path, &record)?;
    }
    output::print(&record.to_text());
    if interrupt.load(Ordering::Relaxed) {
        output::complain("note: interrupted, so that templates may be missing");
        return Ok(ExitCode::from(exit::UNKNOWN));
    }
    Ok(ExitCode::SUCCESS)
}
