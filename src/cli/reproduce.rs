//! `compact-se reproduce`: the papers' tables, made anew.
//!
//! Every run is a child process of the same executable with `--json`, so that a crash or hunger for
//! memory stays its own. Finished rows are kept in the file that `--json` names; a run that is
//! started again with the same limits goes on where it was.

mod child;
mod commit;
mod runs;
mod table1;
mod tasks;

use super::arguments::{LimitArguments, ReproduceArguments, TableArgument};
use super::{exit, interrupt, output};
use crate::svcomp::table::Scheme;
use anyhow::Result;
use std::ffi::OsString;
use std::process::ExitCode;

pub(super) use tasks::manifest;

/// Runs what is missing and prints the tables.
///
/// # Errors
/// If the benchmarks are not found, the rows kept are not readable, or a file cannot be written.
pub(super) fn run(arguments: &ReproduceArguments) -> Result<ExitCode> {
    for path in [&arguments.json, &arguments.markdown, &arguments.csv]
        .into_iter()
        .flatten()
    {
        output::check_writable(path, &[])?;
    }
    let interrupt = interrupt::listen()?;
    match arguments.table {
        TableArgument::Atva2013Table1 => table1::run(arguments, &interrupt),
        TableArgument::Atva2013Table2 => tasks::run(&Scheme::TABLE2, arguments, &interrupt),
        TableArgument::SvcompLoops => tasks::run(&Scheme::LOOPS, arguments, &interrupt),
    }
}

/// The limits of every run, as arguments.
fn limits_of(arguments: &LimitArguments) -> [OsString; 4] {
    [
        format!("--timeout={}", arguments.timeout).into(),
        format!("--memory={}", arguments.memory).into(),
        format!("--query-timeout={}", arguments.query_timeout).into(),
        format!("--seed={}", arguments.seed).into(),
    ]
}

/// The exit code, with a message where rows are missing or bad.
fn concluded(n_missing: usize, n_bad: usize) -> ExitCode {
    if n_missing > 0 {
        output::complain(
            "interrupted: some rows are missing; started again with --json, it goes on from here",
        );
        return ExitCode::from(exit::UNKNOWN);
    }
    if n_bad > 0 {
        output::complain(&format!(
            "error: {n_bad} rows are wrong or failed, see below the table"
        ));
        return ExitCode::from(exit::ERROR);
    }
    ExitCode::SUCCESS
}
