//! Which runs make a table, and how they are made.
//!
//! Every run is a child process of compact-se with `--json`, so that crashes and memory consumption
//! are isolated. Finished rows are stored in the file of `--json`; a command repeated with the same limits
//! continues from there.

pub(crate) mod batch;
mod child;
mod commit;
mod cost;
mod issta;
mod navigation;
mod runner;
mod table1;
mod tasks;
mod thesis;

use crate::arguments::{LimitArguments, ReproduceArguments, TableArgument};
use crate::tables::atva2011::Which;
use crate::tables::rows::Setup;
use crate::tables::svcomp::table::Scheme;
use anyhow::{Context as _, Result, bail};
use process::Sentinel;
use report::Environment;
use std::ffi::OsString;
use std::process::ExitCode;

/// Runs what is missing and prints the tables.
///
/// # Errors
/// If the benchmarks are not found, the rows kept are not readable, or a file cannot be written.
pub(super) fn run(arguments: &ReproduceArguments) -> Result<ExitCode> {
    let files = [&arguments.json, &arguments.markdown, &arguments.csv];
    for path in files.into_iter().chain([&arguments.svg]).flatten() {
        process::check_writable(path, &[])?;
    }
    let table = arguments.table.context("no table is named")?;
    let is_thesis = matches!(table, TableArgument::Thesis);
    let is_cost = matches!(table, TableArgument::CostAgainstBound);
    if arguments.svg.is_some() && !is_cost && !is_thesis {
        bail!("only cost-against-bound and thesis have a plot (--svg)");
    }
    let of_thesis = [
        ("--table", !arguments.number.is_empty()),
        ("--programs", arguments.programs.is_some()),
        ("--work", arguments.work.is_some()),
    ];
    if let Some((option, _)) = of_thesis
        .iter()
        .find(|(_, is_given)| *is_given && !is_thesis)
    {
        bail!("{option} is for the tables of the thesis");
    }
    crate::program()?;
    // The runs have limits of their own.
    let sentinel = Sentinel::start()?;
    let interrupt = sentinel.interrupt();
    match table {
        TableArgument::Atva2013Table1 => table1::run(arguments, &interrupt),
        TableArgument::Atva2013Table2 => tasks::run(&Scheme::TABLE2, arguments, &interrupt),
        TableArgument::CostAgainstBound => cost::run(arguments, &interrupt),
        TableArgument::Atva2011Table2 => navigation::run(Which::Table2, arguments, &interrupt),
        TableArgument::Atva2011Table3 => navigation::run(Which::Table3, arguments, &interrupt),
        TableArgument::Issta2012Table2 => issta::run(arguments, &interrupt),
        TableArgument::Thesis => thesis::run(arguments, &interrupt),
        TableArgument::SvcompLoops => tasks::run(&Scheme::LOOPS, arguments, &interrupt),
    }
}

/// Time for each run of a table of a paper, in seconds, where none is chosen.
const TIMEOUT: u64 = 300;

/// The limits of every run, as arguments; its time in seconds.
fn limits_of(limits: &LimitArguments, timeout_s: u64) -> [OsString; 4] {
    [
        format!("--timeout={timeout_s}").into(),
        format!("--memory={}", limits.memory).into(),
        format!("--query-work={}", limits.query_work).into(),
        format!("--seed={}", limits.seed).into(),
    ]
}

/// What every run depends on; its time in seconds.
fn setup_of(limits: &LimitArguments, timeout_s: u64, environment: &Environment) -> Setup {
    Setup {
        timeout_s,
        memory_mb: limits.memory,
        query_work_s: limits.query_work,
        seed: limits.seed,
        tool: environment.tool.clone(),
        commit: environment.commit.clone(),
        solver: environment.solver.clone(),
    }
}

/// The exit code, with a message where rows are missing or bad.
fn concluded(n_missing: usize, n_bad: usize) -> ExitCode {
    if n_missing > 0 {
        process::complain(
            "interrupted: some rows are missing; the same command with --json continues from here",
        );
        return ExitCode::from(process::exit::UNKNOWN);
    }
    if n_bad > 0 {
        process::complain(&format!(
            "error: {n_bad} rows are wrong or failed, see below the table"
        ));
        return ExitCode::from(process::exit::ERROR);
    }
    ExitCode::SUCCESS
}
