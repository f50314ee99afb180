//! Table 2 of ISSTA 2012: which runs make it.

use super::child::{Ended, run_child};
use super::commit::commit;
use super::runner::write_tables;
use super::table1::find_benchmarks;
use super::{TIMEOUT, concluded};
use crate::arguments::ReproduceArguments;
use crate::tables::issta::{IsstaRow, IsstaRows, NAME, PAPER};
use anyhow::{Result, bail};
use limits::Interrupt;
use property::VerdictKind;
use report::{Environment, NecessaryRecord};
use std::ffi::OsString;
use std::process::ExitCode;

/// The programs whose target cannot be reached.
const UNREACHABLE: [&str; 2] = ["OneLoop", "TwoLoops"];

/// Runs `necessary` on the seven programs and prints the table.
///
/// # Errors
/// If the benchmarks are not found, or a file cannot be written.
pub(super) fn run(arguments: &ReproduceArguments, interrupt: &Interrupt) -> Result<ExitCode> {
    let folder = match &arguments.benchmarks {
        Some(folder) => folder.clone(),
        None => find_benchmarks()?,
    };
    let timeout_s = arguments.limits.timeout.unwrap_or(TIMEOUT);
    let mut rows = IsstaRows {
        benchmark: NAME.to_owned(),
        environment: Some(Environment::current(folder.parent().and_then(commit))),
        rows: Vec::new(),
    };
    let wanted = |program: &str| {
        arguments.only.is_empty() || arguments.only.iter().any(|only| only == program)
    };
    let (mut n_missing, mut n_bad) = (0, 0);
    for line in PAPER.iter().filter(|line| wanted(line.program)) {
        let file = folder.join(format!("{}.c", line.program));
        if !file.is_file() {
            bail!(
                "{} is missing: name the folder of the benchmarks with --benchmarks",
                file.display()
            );
        }
        let options: [OsString; 5] = [
            "necessary".into(),
            file.into(),
            "--both".into(),
            format!("--timeout={timeout_s}").into(),
            format!("--memory={}", arguments.limits.memory).into(),
        ];
        match run_child::<NecessaryRecord>(&options, timeout_s, interrupt) {
            Ended::Record(record) => {
                let impossible = if UNREACHABLE.contains(&line.program) {
                    VerdictKind::Reachable
                } else {
                    VerdictKind::Unreachable
                };
                n_bad += usize::from(record.verdict == impossible);
                rows.rows.push(IsstaRow::new(line.program, &record));
            }
            Ended::Failed(why) => {
                process::complain(&format!("{}: {why}", line.program));
                n_bad += 1;
            }
            Ended::Interrupted => n_missing += 1,
        }
    }
    if let Some(path) = &arguments.json {
        process::write_json(path, &rows)?;
    }
    let tables = [rows.table()];
    write_tables(&tables, arguments.markdown.as_ref(), arguments.csv.as_ref())?;
    Ok(concluded(n_missing, n_bad))
}
