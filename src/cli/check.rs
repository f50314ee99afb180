//! `compact-se check`: validation of witnesses.

use super::arguments::CheckArguments;
use super::{bounds, exit, output, svcomp};
use analysis::AnalysisOptions;
use anyhow::{Context, Result};
use process::Sentinel;
use property::{Property, UndefinedBehaviour};
use std::process::ExitCode;
use witness::check::{Judgement, check};

/// Checks and prints the judgement, with the reason behind it where there is one.
///
/// # Errors
/// If the witness is malformed or not about the program, or the program cannot be loaded.
pub(super) fn run(arguments: &CheckArguments) -> Result<ExitCode> {
    let mut options = options(arguments)?;
    let sentinel = Sentinel::start()?;
    options.execution.budget.interrupt = sentinel.interrupt();
    sentinel.watch(bounds::of(&options.execution.budget), |overrun| {
        print_judgement(&Judgement::Unknown(overrun.why.to_string()))
    });
    let judgement = check(&arguments.witness, &options)
        .with_context(|| format!("cannot check {}", arguments.witness.display()))?;
    sentinel.conclude();
    Ok(ExitCode::from(print_judgement(&judgement)))
}

/// Prints a judgement; gives the exit code.
fn print_judgement(judgement: &Judgement) -> u8 {
    let mut text = format!("{}\n", judgement.name());
    if let Some(reason) = judgement.reason() {
        text.push_str(reason);
        text.push('\n');
    }
    output::print(&text);
    match judgement {
        Judgement::Confirmed => exit::CONFIRMED,
        Judgement::Rejected(_) => exit::REJECTED,
        Judgement::Unknown(_) => exit::UNKNOWN,
    }
}

/// What the arguments mean. A task definition says which files, sizes and property; it, and a
/// program with a property file, are checked as `svcomp` does, so that a witness is checked
/// under the rules under which it was made.
fn options(arguments: &CheckArguments) -> Result<AnalysisOptions> {
    let program = &arguments.program;
    let mut load = program.load_options();
    let is_task = program.files.iter().any(|file| svcomp::is_task(file));
    if !is_task && arguments.property.is_none() {
        return arguments.execution.analysis_options(load);
    }
    let asked = svcomp::asked(&program.files, arguments.property.as_deref())?;
    let (task, property) = (asked.load, asked.property);
    load.inputs = task.inputs;
    load.data_model = load.data_model.or(task.data_model);
    if program.target.is_empty() {
        load.target = task.target;
    }
    load.allow_missing_target = task.allow_missing_target;
    load.foreign_functions = task.foreign_functions;
    load.clang_args.extend(task.clang_args);
    load.stack = task.stack;
    if program.signed_overflow.is_none() {
        load.sanitizers = task.sanitizers;
    }
    let mut options = arguments.execution.analysis_options(load)?;
    options.execution.property = Property::unreachable(UndefinedBehaviour::Ends);
    svcomp::ask(&mut options, &property);
    Ok(options)
}
