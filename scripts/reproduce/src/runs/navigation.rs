//! Tables 2 and 3 of ATVA 2011: which runs make them.

use super::child::{Ended, run_child};
use super::commit::commit;
use super::runner::write_tables;
use super::table1::find_benchmarks;
use super::{TIMEOUT, concluded};
use crate::arguments::ReproduceArguments;
use crate::tables::atva2011::{NavigationRow, NavigationRows, PAPER, PaperLine, Which};
use anyhow::{Result, bail};
use limits::Interrupt;
use property::VerdictKind;
use report::{AnalysisRecord, ChainsRecord, Environment};
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

/// Runs the nine programs in the order of navigation, for Table 3 `chains` too, and prints the
/// table.
///
/// # Errors
/// If the benchmarks are not found, or a file cannot be written.
pub(super) fn run(
    which: Which,
    arguments: &ReproduceArguments,
    interrupt: &Interrupt,
) -> Result<ExitCode> {
    let folder = match &arguments.benchmarks {
        Some(folder) => folder.clone(),
        None => find_benchmarks()?,
    };
    let timeout_s = arguments.limits.timeout.unwrap_or(TIMEOUT);
    let limits: [OsString; 2] = [
        format!("--timeout={timeout_s}").into(),
        format!("--memory={}", arguments.limits.memory).into(),
    ];
    let mut rows = NavigationRows {
        benchmark: which.name().to_owned(),
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
        match row_of(which, line, &file, &limits, timeout_s, interrupt) {
            Ended::Record(row) => {
                let impossible = if line.is_reachable {
                    VerdictKind::Unreachable
                } else {
                    VerdictKind::Reachable
                };
                n_bad += usize::from(row.verdict == impossible);
                rows.rows.push(*row);
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
    let tables = [rows.table(which)];
    write_tables(&tables, arguments.markdown.as_ref(), arguments.csv.as_ref())?;
    Ok(concluded(n_missing, n_bad))
}

fn row_of(
    which: Which,
    line: &PaperLine,
    file: &Path,
    limits: &[OsString],
    timeout_s: u64,
    interrupt: &Interrupt,
) -> Ended<NavigationRow> {
    let with = |words: &[&str]| {
        let mut options: Vec<OsString> = vec![words[0].into(), file.into()];
        options.extend(words[1..].iter().map(OsString::from));
        options.extend(limits.iter().cloned());
        options
    };
    let chains = match which {
        Which::Table2 => None,
        Which::Table3 => {
            match run_child::<ChainsRecord>(&with(&["chains"]), timeout_s, interrupt) {
                Ended::Record(record) => Some(record),
                Ended::Failed(why) => return Ended::Failed(why),
                Ended::Interrupted => return Ended::Interrupted,
            }
        }
    };
    let options = with(&["analyze", "--classic", "--search=navigate"]);
    match run_child::<AnalysisRecord>(&options, timeout_s, interrupt) {
        Ended::Record(record) => {
            let row = NavigationRow::new(line.program, &record, chains.as_deref());
            Ended::Record(Box::new(row))
        }
        Ended::Failed(why) => Ended::Failed(why),
        Ended::Interrupted => Ended::Interrupted,
    }
}
