//! `compact-se check`: does a witness show what it claims?

use super::arguments::CheckArguments;
use super::{exit, interrupt, output};
use crate::witness::check::{Judgement, check};
use anyhow::{Context, Result};
use std::process::ExitCode;

/// Checks and prints the judgement, with the reason behind it where there is one.
///
/// # Errors
/// If the witness is malformed or not about the program, or the program cannot be loaded.
pub(super) fn run(arguments: &CheckArguments) -> Result<ExitCode> {
    let mut options = arguments
        .execution
        .analysis_options(arguments.program.load_options());
    options.execution.budget.interrupt = interrupt::listen()?;
    let judgement = check(&arguments.witness, &options)
        .with_context(|| format!("cannot check {}", arguments.witness.display()))?;
    let mut text = format!("{}\n", judgement.name());
    if let Some(reason) = judgement.reason() {
        text.push_str(reason);
        text.push('\n');
    }
    output::print(&text);
    Ok(ExitCode::from(match judgement {
        Judgement::Confirmed => exit::CONFIRMED,
        Judgement::Rejected(_) => exit::REJECTED,
        Judgement::Unknown(_) => exit::UNKNOWN,
    }))
}
