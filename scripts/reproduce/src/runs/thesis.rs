//! Chapter 6 of the thesis: which runs make its tables.

use super::commit::commit;
use super::runner::{Rows, Run, Runner, write_tables};
use super::tasks::checkout;
use super::{concluded, limits_of, setup_of};
use crate::arguments::ReproduceArguments;
use crate::microc::estimation::{Estimation, costs};
use crate::tables::thesis::{
    CostRow, Estimated, Limits, Plan, ProgramSet, TABLES, ThesisKey, ThesisRow, ThesisRows,
    ThesisTable, sets,
};
use anyhow::{Context, Result, bail};
use limits::Interrupt;
use process::Folder;
use report::{AnalysisRecord, Environment};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Time for each run, in seconds, where none is chosen: the thesis'.
const TIMEOUT: u64 = 30;
/// For `recursive`, as in Section 6.3.2.
const KAPPA: u32 = 10;
/// For `lattice-based`: no cost counts beyond it, as in the thesis.
const MOST: u64 = 10;

/// Runs what is missing, and makes tables and plot.
///
/// # Errors
/// If the rows kept are not readable, or a file cannot be written.
pub(super) fn run(arguments: &ReproduceArguments, interrupt: &Interrupt) -> Result<ExitCode> {
    let others = [&arguments.benchmarks, &arguments.tasks, &arguments.results];
    if others.into_iter().any(Option::is_some) {
        bail!(
            "the thesis' programs are generated: --benchmarks, --tasks and --results do not apply"
        );
    }
    let environment = Environment::current(checkout().as_deref().and_then(commit));
    let plan = plan(arguments, &environment)?;
    if arguments.svg.is_some() && !plan.tables.iter().any(|table| table.is_final()) {
        bail!("the plot is of the final experiments: --table 6.17 to 6.20, or decided");
    }
    let runner = Runner {
        environment: &environment,
        interrupt,
        jobs: arguments.jobs,
        json: arguments.json.as_deref(),
    };
    let mut rows = runner.kept(ThesisRows::default())?;
    let mut n_missing = estimate_missing(&plan, &mut rows, interrupt);
    let programs = Folder::new("compact-se-run-").context("making a temporary folder")?;
    let runs = make_runs(&plan, arguments, programs.path())?;
    let rows = runner.make_missing(&runs, rows)?;
    n_missing += runs.iter().filter(|run| !rows.has(&run.key)).count();
    write_tables(
        &plan.tables(&rows),
        arguments.markdown.as_ref(),
        arguments.csv.as_ref(),
    )?;
    if let Some(path) = &arguments.svg {
        process::write(path, &plan.plot(&rows).to_svg())?;
    }
    let found = runs.iter().filter_map(|run| rows.find(&run.key));
    let n_bad = found.filter(|row| row.error.is_some()).count();
    Ok(concluded(n_missing, n_bad))
}

fn plan(arguments: &ReproduceArguments, environment: &Environment) -> Result<Plan> {
    let all: Vec<&str> = sets::all().map(|set| set.name).collect();
    if let Some(unknown) = arguments
        .only
        .iter()
        .find(|name| !all.contains(&name.as_str()))
    {
        bail!(
            "the thesis has no program set {unknown}; it has {}",
            all.join(", ")
        );
    }
    let is_wanted = |table: &&ThesisTable| {
        arguments.number.is_empty() || arguments.number.iter().any(|name| name == table.name)
    };
    Ok(Plan {
        tables: TABLES.iter().filter(is_wanted).collect(),
        limits: Limits {
            n_programs: arguments.programs.unwrap_or(sets::N_PROGRAMS),
            work_s: arguments.work,
            setup: setup_of(
                &arguments.limits,
                arguments.limits.timeout.unwrap_or(TIMEOUT),
                environment,
            ),
        },
        only: arguments.only.clone(),
    })
}

/// Estimates the query counts that the rows do not have, in this process, since that asks for its
/// deadline; how many are missing then.
fn estimate_missing(plan: &Plan, rows: &mut ThesisRows, interrupt: &Interrupt) -> usize {
    let timeout_s = plan.limits.setup.timeout_s;
    let mut missing = plan.costs();
    missing.retain(|(set, program, by)| rows.cost(set.name, *program, *by, timeout_s).is_none());
    let mut missing = missing.into_iter();
    for (set, program, by) in missing.by_ref() {
        if interrupt.raised() {
            return 1 + missing.count();
        }
        let estimation = match by {
            Estimated::Recursive => Estimation::Recursive { kappa: KAPPA },
            Estimated::LatticeBased => Estimation::LatticeBased { most: MOST },
        };
        let functions = set.generator(program).program().functions;
        let started = Instant::now();
        let deadline = started.checked_add(Duration::from_secs(timeout_s));
        let is_done = functions
            .iter()
            .all(|function| costs(function, estimation, deadline).is_some());
        rows.costs.push(CostRow {
            set: set.name.to_owned(),
            program,
            by,
            seconds: is_done.then(|| started.elapsed().as_secs_f64()),
            timeout_s,
        });
    }
    0
}

/// The runs, each with its program in a file.
fn make_runs(
    plan: &Plan,
    arguments: &ReproduceArguments,
    folder: &Path,
) -> Result<Vec<Run<ThesisKey>>> {
    let mut written = BTreeSet::new();
    let mut runs = Vec::new();
    for (set, key) in plan.runs() {
        let file = file_of(folder, set, key.program);
        if written.insert(file.clone()) {
            let program = set.generator(key.program).program();
            std::fs::write(&file, program.to_string())
                .with_context(|| format!("cannot write {}", file.display()))?;
        }
        let timeout_s = key.setup.timeout_s;
        let mut line: Vec<OsString> = vec!["analyze".into(), file.into(), "--jobs=1".into()];
        line.extend(limits_of(&arguments.limits, timeout_s));
        line.extend(key.work_s.map(|work| format!("--work={work}").into()));
        line.extend(key.options.split_whitespace().map(OsString::from));
        let options = match key.options.as_str() {
            "" => "as it comes",
            options => options,
        };
        runs.push(Run {
            description: format!("{}, program {}, {options}", key.set, key.program),
            timeout_s,
            key,
            checked_as: None,
            arguments: line,
        });
    }
    Ok(runs)
}

fn file_of(folder: &Path, set: &ProgramSet, program: u32) -> PathBuf {
    folder.join(format!("{}-{program}.mc", set.name))
}

impl Rows for ThesisRows {
    type Key = ThesisKey;
    type Row = ThesisRow;

    fn benchmark(&self) -> &str {
        &self.benchmark
    }

    fn has(&self, key: &ThesisKey) -> bool {
        self.find(key).is_some()
    }

    fn put_row(&mut self, row: ThesisRow) {
        self.put(row);
    }

    fn row_of_record(key: &ThesisKey, record: &AnalysisRecord) -> Option<ThesisRow> {
        let row = ThesisRow::of_record(key.clone(), record);
        (!row.is_interrupted()).then_some(row)
    }

    fn row_of_error(key: &ThesisKey, environment: &Environment, error: String) -> ThesisRow {
        ThesisRow::of_error(key.clone(), environment, error)
    }

    fn describe(row: &ThesisRow) -> String {
        format!("{}, {:.1} s", row.verdict, row.seconds)
    }
}
