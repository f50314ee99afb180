//! `compact-se analyze`: is the target reachable?

use super::arguments::{AnalyzeArguments, ArtefactArguments};
use super::progress::Progress;
use super::{defect, exit, interrupt, output};
use crate::analysis::{self, Analysis, AnalysisOptions};
use crate::report::record::ErrorRecord;
use crate::report::{AnalysisRecord, Environment, Sources, summary};
use crate::witness::Task;
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Analyses and prints verdict and record.
///
/// # Errors
/// If the program cannot be loaded or a file not be written; the JSON record then says so too.
pub(super) fn run(arguments: &AnalyzeArguments) -> Result<ExitCode> {
    arguments
        .artefacts
        .check_writable(&arguments.program.files)?;
    let record = recorded(arguments.json.as_deref(), &arguments.program.files, || {
        let mut options = arguments
            .execution
            .analysis_options(arguments.program.load_options());
        options.replay = !arguments.no_replay;
        analyzed(options, &arguments.artefacts)
    })?;
    output::print(&summary::summary(&record));
    Ok(ExitCode::from(match record.verdict.as_str() {
        "reachable" => exit::REACHABLE,
        "unreachable" => exit::UNREACHABLE,
        _ => exit::UNKNOWN,
    }))
}

/// The record that `analyze` makes, kept in a file if one is named. Where there is none, for an
/// error or a panic, the file says why.
///
/// # Errors
/// Those of `analyze`, and if the file cannot be written.
pub(super) fn recorded(
    json: Option<&Path>,
    inputs: &[PathBuf],
    analyze: impl FnOnce() -> Result<AnalysisRecord>,
) -> Result<AnalysisRecord> {
    if let Some(path) = json {
        output::check_writable(path, inputs)?;
    }
    let result = defect::caught(analyze);
    if let Some(path) = json {
        match &result {
            Ok(record) => output::write_json(path, record)?,
            Err(error) => output::write_json(
                path,
                &ErrorRecord::new(Environment::current(None), format!("{error:#}")),
            )?,
        }
    }
    result
}

/// Analyses with a progress line, and writes what others can check; Ctrl-C ends with what is
/// known.
///
/// # Errors
/// If the program cannot be loaded.
pub(super) fn analyzed(
    mut options: AnalysisOptions,
    artefacts: &ArtefactArguments,
) -> Result<AnalysisRecord> {
    let started = Instant::now();
    let interrupt = interrupt::listen()?;
    options.execution.budget.interrupt = Arc::clone(&interrupt);
    if let Some(folder) = &options.solver.log {
        output::make_folder(folder)?;
    }
    let mut progress = Progress::start("loading, finding templates");
    let analysis = match analysis::analyze(&options, &mut |statistics| progress.step(statistics)) {
        Ok(analysis) => analysis,
        // On a terminal, Ctrl-C ends the loading process too.
        Err(_) if interrupt.load(Ordering::Relaxed) => {
            bail!("interrupted while the program was being loaded")
        }
        Err(error) => return Err(error.into()),
    };
    drop(progress);
    let total = started.elapsed().as_secs_f64();
    let notes = write_artefacts(artefacts, &options, &analysis);
    let sources = Sources::new(&analysis.loaded.program, |file| {
        std::fs::read_to_string(file).ok()
    });
    let environment = Environment::current(None);
    let mut record = AnalysisRecord::new(environment, &options, &analysis, &sources, total);
    record.notes.extend(notes);
    // The process ends soon; millions of states need not be freed one by one before.
    std::mem::forget(analysis.report);
    Ok(record)
}

/// A file that cannot be written does not make the verdict worse, so it is only told; gives what
/// else is to be said.
fn write_artefacts(
    arguments: &ArtefactArguments,
    options: &AnalysisOptions,
    analysis: &Analysis,
) -> Vec<String> {
    let load = &options.load;
    let mut task = Task::of_target(&load.inputs, &load.target, analysis.loaded.data_model);
    task.command_line = Some(output::command_line());
    match arguments.artefacts().write(&task, options, analysis) {
        Ok(written) => {
            written.notes.iter().for_each(|note| output::note(note));
            written.notes
        }
        Err(error) => {
            let message = format!("nothing was written: {error}");
            output::warning(&message);
            vec![message]
        }
    }
}
