//! `compact-se analyze`: is the target reachable?

use super::arguments::{AnalyzeArguments, ArtefactArguments};
use super::checkpoint::Keeper;
use super::progress::Progress;
use super::{bounds, defect, exit, output};
use analysis::{self, Analysis, AnalysisOptions};
use anyhow::{Result, bail};
use frontend::load;
use process::{self, Overrun, Sentinel};
use report::record::ErrorRecord;
use report::{AnalysisRecord, Environment, Sources, summary, thesis};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;
use symex::Verdict;
use witness::Task;

/// Analyses and prints verdict and record.
///
/// # Errors
/// If the program cannot be loaded or a file not be written; the JSON record then says so too.
pub(super) fn run(arguments: &AnalyzeArguments) -> Result<ExitCode> {
    arguments
        .artefacts
        .check_writable(&arguments.program.files)?;
    analyze_and_report(arguments.json.as_deref(), &arguments.program.files, || {
        let mut options = arguments
            .execution
            .analysis_options(arguments.load_options())?;
        options.replay = !arguments.no_replay;
        options.checks = arguments.checks()?;
        options.execution.all_errors = arguments.all;
        options.each_target = options.load.target.asks_for_each();
        let checkpoint = arguments.checkpoint.as_deref();
        if let Some(path) = checkpoint {
            output::check_writable(path, &arguments.program.files)?;
        }
        if let Some(folder) = &arguments.output {
            output::make_folder(folder)?;
        }
        Ok(AnalysisRequest {
            output: arguments.output.clone(),
            checkpoint: checkpoint
                .map(|path| Keeper::open(path, &options))
                .transpose()?,
            options,
            artefacts: &arguments.artefacts,
            answer: Arc::new(summary::summary),
        })
    })
}

/// The requested analysis.
pub(super) struct AnalysisRequest<'a> {
    pub options: AnalysisOptions,
    /// Where the analysis continues from, and leaves what it found out.
    pub checkpoint: Option<Keeper>,
    pub artefacts: &'a ArtefactArguments,
    /// A folder for the files of the thesis' tool.
    pub output: Option<PathBuf>,
    /// The printed part of the record.
    pub answer: Answer,
}

/// Makes the printed text of a record.
pub(super) type Answer = Arc<dyn Fn(&AnalysisRecord) -> String + Send + Sync>;

/// Analyses and tells the answer, on standard output and in a file if one is named. Where there is
/// no answer, for an error or a panic, the file says why.
///
/// # Errors
/// Those of `question`, if the program cannot be loaded, and if the file cannot be written.
pub(super) fn analyze_and_report<'a>(
    json: Option<&Path>,
    inputs: &[PathBuf],
    question: impl FnOnce() -> Result<AnalysisRequest<'a>>,
) -> Result<ExitCode> {
    if let Some(path) = json {
        output::check_writable(path, inputs)?;
    }
    let sentinel = Sentinel::start()?;
    let result = defect::caught(|| {
        let question = question()?;
        let record = analyzed(&question, json, &sentinel)?;
        Ok((record, question))
    });
    // From here on the answer is this one.
    sentinel.conclude();
    match result {
        // Nothing that is left has to be freed.
        Ok((mut record, question)) => {
            if let Some(checkpoint) = &question.checkpoint {
                checkpoint.conclude(&mut record);
            }
            let folder = question.output.as_deref();
            process::end(write_and_print(&record, (json, folder), &question.answer)?)
        }
        Err(error) => {
            if let Some(path) = json {
                let environment = Environment::current(None);
                let record = ErrorRecord::new(environment, format!("{error:#}"));
                output::write_json(path, &record)?;
            }
            Err(error)
        }
    }
}

/// Writes and prints a record; returns the exit code. The answer is printed even if the record cannot be written.
fn write_and_print(
    record: &AnalysisRecord,
    (json, folder): (Option<&Path>, Option<&Path>),
    answer: &Answer,
) -> Result<u8> {
    let written = json.map_or(Ok(()), |path| output::write_json(path, record));
    let filed = folder.map_or(Ok(()), |folder| {
        let mut files = thesis::files(record).into_iter();
        files.try_for_each(|(name, content)| output::write(&folder.join(name), &content))
    });
    output::print(&answer(record));
    written?;
    filed?;
    Ok(exit::of(record.verdict))
}

/// Analyses with a progress line, and writes what others can check. The sentinel knows what to
/// tell meanwhile.
fn analyzed(
    question: &AnalysisRequest<'_>,
    json: Option<&Path>,
    sentinel: &Sentinel,
) -> Result<AnalysisRecord> {
    let started = Instant::now();
    let mut options = question.options.clone();
    options.execution.budget.interrupt = sentinel.interrupt();
    if let Some(folder) = &options.solver.log {
        output::make_folder(folder)?;
    }
    let environment = Environment::current(None);
    let bounds = bounds::of(&options.execution.budget);
    // How an unfinished analysis is told, by the sentinel.
    let final_report = |record: Box<dyn FnOnce(_) -> AnalysisRecord + Send>| {
        let (json, answer) = (json.map(Path::to_owned), Arc::clone(&question.answer));
        let folder = question.output.clone();
        let checkpoint = question.checkpoint.clone();
        move |overrun| {
            let mut record = record(overrun);
            if let Some(checkpoint) = &checkpoint {
                checkpoint.conclude(&mut record);
            }
            let told = write_and_print(&record, (json.as_deref(), folder.as_deref()), &answer);
            told.unwrap_or_else(|error| {
                output::complain(&format!("error: {error:#}"));
                exit::ERROR
            })
        }
    };
    let mut progress = Progress::start("loading, finding templates");
    let last_step = progress.last_step();
    let (of_options, of_environment) = (options.clone(), environment.clone());
    sentinel.watch(
        bounds,
        final_report(Box::new(move |overrun: Overrun| {
            let mut last = last_step.take();
            last.peak_memory = overrun.peak_memory;
            let place = last_step.place(&last);
            let total = started.elapsed().as_secs_f64();
            let last = (&last, place.as_deref());
            AnalysisRecord::broken_off(of_environment, &of_options, overrun.why, last, total)
        })),
    );
    let loaded = match load(&options.load_options()) {
        Ok(loaded) => loaded,
        // On a terminal, Ctrl-C ends the loading process too.
        Err(_) if sentinel.interrupt().raised() => {
            bail!("interrupted while the program was being loaded")
        }
        Err(error) => return Err(error.into()),
    };
    if let Some(checkpoint) = &question.checkpoint {
        checkpoint.begin(&loaded.program)?;
        options.solver.transcripts = Some(checkpoint.transcripts());
    }
    progress.of(&loaded.program);
    let mut step = |statistics: &_| progress.step(statistics);
    let analysis = analysis::analyze_since(&options, loaded, started, &mut step);
    drop(progress);
    let total = started.elapsed().as_secs_f64();
    let sources = Sources::new(&analysis.loaded.program, |file| {
        std::fs::read_to_string(file).ok()
    });
    let mut record = AnalysisRecord::new(environment, &options, &analysis, &sources, total);
    if question.artefacts.are_wanted() {
        let mut known = record.clone();
        sentinel.watch(
            bounds,
            final_report(Box::new(move |overrun: Overrun| {
                known.notes.push(nothing_written(&overrun.why));
                known
            })),
        );
        // What proves a verdict may take as long as is left.
        options.execution.budget.time = bounds.deadline.remaining().unwrap_or_default();
        let notes = write_artefacts(question.artefacts, &options, &analysis);
        record.notes.extend(notes);
    }
    // The process ends soon; millions of states need not be freed one by one before.
    std::mem::forget(analysis.report);
    Ok(record)
}

fn nothing_written(why: &dyn std::fmt::Display) -> String {
    let message = format!("nothing was written: {why}");
    output::warning(&message);
    message
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
    if let Verdict::Reachable(witness) = &analysis.report.verdict {
        task = task.with_error(witness.error);
    } else if load.target.is_nothing() {
        task = task.with_checks(analysis.checks);
    }
    task.command_line = Some(output::command_line());
    match arguments.artefacts().write(&task, options, analysis) {
        Ok(written) => {
            written.notes.iter().for_each(|note| output::note(note));
            written.notes
        }
        Err(error) => vec![nothing_written(&error)],
    }
}
