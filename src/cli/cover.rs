//! `compact-se cover`: tests for reachable goals, proofs for unreachable ones.

use super::arguments::{CheckName, CoverArguments};
use super::progress::Progress;
use super::{bounds, exit, output};
use ::svcomp::CoverageProperty;
use analysis::CheckChoice;
use analysis::cover::{Cover, CoverOptions, cover};
use anyhow::{Result, bail};
use frontend::{ForeignFunctions, Goals, microc};
use process::{self, Sentinel};
use property::{Check, Property, UndefinedBehaviour};
use report::record::ErrorRecord;
use report::{CoverRecord, Environment, Sources};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;
use symex::Witness;
use witness::{Suite, SuiteTest, Task, write_numbers};

/// After the time is over, for a native run to end and the tests to be written.
const TO_WRITE: Duration = Duration::from_secs(15);

/// Covers, writes tests and page, and prints what is known of each goal.
///
/// # Errors
/// If the program cannot be loaded or a file not be written; the JSON record then says so too.
pub(super) fn run(arguments: &CoverArguments) -> Result<ExitCode> {
    let files = &arguments.program.files;
    for path in [&arguments.json, &arguments.html].into_iter().flatten() {
        output::check_writable(path, files)?;
    }
    if let Some(folder) = &arguments.tests {
        output::make_folder(folder)?;
    }
    match covered(arguments) {
        Ok(code) => Ok(code),
        Err(error) => {
            if let Some(path) = &arguments.json {
                let record = ErrorRecord::new(Environment::current(None), format!("{error:#}"));
                output::write_json(path, &record)?;
            }
            Err(error)
        }
    }
}

fn covered(arguments: &CoverArguments) -> Result<ExitCode> {
    let files = &arguments.program.files;
    let (options, specification) = options(arguments)?;
    let sentinel = Sentinel::start()?;
    let mut options = options;
    options.analysis.execution.budget.interrupt = sentinel.interrupt();
    if let Some(folder) = &options.analysis.solver.log {
        output::make_folder(folder)?;
    }
    let mut progress = Progress::start("loading");
    let mut budget = options.analysis.execution.budget.clone();
    budget.time += TO_WRITE;
    let json = arguments.json.as_deref();
    bounds::watch(&sentinel, &budget, &progress, json);
    let cover = match cover(&options, &mut |statistics, _| progress.step(statistics)) {
        Ok(cover) => cover,
        Err(_) if sentinel.interrupt().raised() => {
            bail!("interrupted while the program was being loaded")
        }
        Err(error) => return Err(error.into()),
    };
    drop(progress);
    // What is left is to write what was found.
    sentinel.conclude();
    let read = |file: &str| std::fs::read_to_string(file).ok();
    let sources = Sources::new(&cover.loaded.program, read);
    let mut record = CoverRecord::new(Environment::current(None), &cover, &sources);
    if let Some(folder) = &arguments.tests {
        let notes = write_tests(folder, &cover, files, specification)?;
        record.notes.extend(notes);
    }
    if let Some(path) = &arguments.html {
        output::write(path, &record.to_html(&read))?;
    }
    if let Some(path) = json {
        output::write_json(path, &record)?;
    }
    output::print(&record.summary());
    process::end(if record.is_covered() {
        exit::UNREACHABLE
    } else {
        exit::UNKNOWN
    })
}

/// What the arguments mean, and the words of Test-Comp for it.
fn options(arguments: &CoverArguments) -> Result<(CoverOptions, &'static str)> {
    if !arguments.program.target.is_empty() {
        bail!("cover takes all goals; for a single --target use `compact-se analyze`");
    }
    let property = match &arguments.property {
        Some(path) => Some(CoverageProperty::read(path)?),
        None => None,
    };
    let goals = match (property, arguments.goals) {
        (Some(CoverageProperty::Branches), _) => Goals::Branches,
        (Some(CoverageProperty::ErrorCall), _) => Goals::ErrorCalls,
        (None, goals) => goals,
    };
    let is_microc = arguments.program.is_microc();
    if is_microc && goals == Goals::ErrorCalls {
        bail!(
            "microc has no error functions; `compact-se analyze --target FUNCTION` decides whether a \
             function can be called"
        );
    }
    let mut load = arguments.load_options();
    if property.is_some() && !is_microc {
        load.foreign_functions = ForeignFunctions::WithoutEffect;
    }
    let mut analysis = arguments.execution.analysis_options(load)?;
    if property.is_some() && !is_microc {
        analysis.execution.property = Property::unreachable(UndefinedBehaviour::Ends);
    }
    let is_of_leaks =
        |name: &CheckName| matches!(name, CheckName::One(Check::Leak | Check::Cleanup));
    if arguments.check.iter().any(is_of_leaks) {
        anyhow::bail!(
            "the leak checks need `compact-se analyze`, since tests need not run to the end of the program"
        );
    }
    analysis.checks = if arguments.check.is_empty() {
        CheckChoice::Usual
    } else {
        CheckChoice::These(arguments.checks().without_blocks())
    };
    let property = match goals {
        Goals::ErrorCalls => CoverageProperty::ErrorCall,
        _ => CoverageProperty::Branches,
    };
    let specification = match goals {
        Goals::Lines => "COVER( init(main()), FQL(COVER EDGES(@BASICBLOCKENTRY)) )",
        _ => property.formula(),
    };
    Ok((CoverOptions { analysis, goals }, specification))
}

/// Writes the suite; gives what else is to be said.
fn write_tests(
    folder: &Path,
    cover: &Cover,
    files: &[std::path::PathBuf],
    specification: &str,
) -> Result<Vec<String>> {
    let task = Task {
        files: files.to_vec(),
        specification: specification.to_owned(),
        data_model: cover.loaded.data_model,
        command_line: Some(output::command_line()),
    };
    let is_error = |witness: &Witness| {
        let inputs = &witness.inputs;
        cover.errors.iter().any(|error| error.inputs == *inputs)
    };
    if files.iter().any(|file| microc::is_microc(file)) {
        let witnesses = cover.tests.iter().map(|test| &test.witness);
        let written = write_numbers(folder, witnesses)?;
        return Ok(written.notes);
    }
    let suite = Suite {
        task: &task,
        loaded: &cover.loaded,
        tests: cover
            .tests
            .iter()
            .map(|test| SuiteTest {
                witness: &test.witness,
                covers_error: test.is_error() || is_error(&test.witness),
            })
            .collect(),
    };
    let written = suite.write(folder)?;
    written.notes.iter().for_each(|note| output::note(note));
    Ok(written.notes)
}
