//! Cost against bound: which runs make the table and the plot.

use super::commit::commit;
use super::runner::{Run, Runner, write_tables};
use super::table1::find_benchmarks;
use super::{concluded, limits_of, setup_of};
use crate::arguments::{ReproduceArguments, TechniqueArgument};
use crate::tables::cost::{BOUNDS, Cost, CostKey, NAME, PROGRAMS, Plan};
use crate::tables::rows::Rows;
use anyhow::{Result, bail};
use limits::Interrupt;
use report::Environment;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Time for each run, in seconds, where none is chosen.
const TIMEOUT: u64 = 20;

/// Runs what is missing, bound by bound, and makes table and plot.
///
/// # Errors
/// If the benchmarks are not found, the rows kept are not readable, or a file cannot be written.
pub(super) fn run(arguments: &ReproduceArguments, interrupt: &Interrupt) -> Result<ExitCode> {
    if arguments.tasks.is_some() || arguments.results.is_some() {
        bail!("--tasks and --results are for tables of tasks; {NAME} has --benchmarks");
    }
    let folder = match &arguments.benchmarks {
        Some(folder) => folder.clone(),
        None => find_benchmarks()?,
    };
    let environment = Environment::current(folder.parent().and_then(commit));
    let plan = Plan {
        programs: wanted_programs(&arguments.only)?,
        techniques: arguments.technique.names().to_vec(),
        n_runs: arguments.runs,
        setup: setup_of(
            &arguments.limits,
            arguments.limits.timeout.unwrap_or(TIMEOUT),
            &environment,
        ),
    };
    let runner = Runner {
        environment: &environment,
        interrupt,
        jobs: arguments.jobs,
        json: arguments.json.as_deref(),
    };
    let mut rows: Rows<CostKey> = runner.kept(Rows::new(NAME))?;
    let mut n_missing = 0;
    for bound in BOUNDS {
        // The first runs show whether the others are worth while.
        for numbers in [0..1, 1..plan.n_runs] {
            let runs = runs_at(&plan, &rows, bound, numbers, &folder, arguments)?;
            rows = runner.make_missing(&runs, rows)?;
            n_missing += runs
                .iter()
                .filter(|run| rows.find(&run.key).is_none())
                .count();
        }
        if interrupt.raised() {
            n_missing += 1;
            break;
        }
    }
    let tables = [rows.table(&plan)];
    write_tables(&tables, arguments.markdown.as_ref(), arguments.csv.as_ref())?;
    if let Some(path) = &arguments.svg {
        process::write(path, &rows.plot(&plan).to_svg())?;
    }
    let found = rows.rows.iter().filter(|row| plan.has(&row.key));
    let n_bad = found
        .filter(|row| row.is_wrong() || row.error.is_some())
        .count();
    Ok(concluded(n_missing, n_bad))
}

/// The runs of these numbers with a bound, but for techniques that were out of time before.
fn runs_at(
    plan: &Plan,
    rows: &Rows<CostKey>,
    bound: u64,
    numbers: std::ops::Range<u32>,
    folder: &Path,
    arguments: &ReproduceArguments,
) -> Result<Vec<Run<CostKey>>> {
    let mut runs = Vec::new();
    for (program, technique) in plan.lines() {
        let file = folder.join(format!("{program}.c"));
        if !file.is_file() {
            bail!(
                "{} is missing: name the folder of the benchmarks with --benchmarks",
                file.display()
            );
        }
        for number in numbers.clone() {
            let key = plan.key(program, technique, bound, number);
            match rows.cost(&key, plan.n_runs) {
                Cost::Skipped => continue,
                Cost::OutOfTime if rows.find(&key).is_none() => continue,
                Cost::OutOfTime | Cost::Decided(..) | Cost::Open(_) | Cost::Missing => {}
            }
            runs.push(make_run(key, &file, arguments));
        }
    }
    Ok(runs)
}

fn make_run(key: CostKey, file: &PathBuf, arguments: &ReproduceArguments) -> Run<CostKey> {
    let mut line: Vec<OsString> = vec!["analyze".into(), file.into()];
    line.push("--target=reach_error".into());
    line.push(format!("--clang-arg=-DBOUND={}", key.bound).into());
    line.extend(limits_of(&arguments.limits, key.setup.timeout_s));
    line.extend(TechniqueArgument::options(&key.technique));
    Run {
        description: format!(
            "{}, {}, bound {}, run {}",
            key.program,
            key.technique,
            key.bound,
            key.run + 1
        ),
        timeout_s: key.setup.timeout_s,
        key,
        checked_as: None,
        arguments: line,
    }
}

fn wanted_programs(only: &[String]) -> Result<Vec<&'static str>> {
    if let Some(unknown) = only.iter().find(|name| !PROGRAMS.contains(&name.as_str())) {
        bail!(
            "{NAME} has no program {unknown}; it has {}",
            PROGRAMS.join(", ")
        );
    }
    let is_wanted = |program: &&str| only.is_empty() || only.iter().any(|name| name == program);
    Ok(PROGRAMS.into_iter().filter(is_wanted).collect())
}
