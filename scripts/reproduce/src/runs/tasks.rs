//! Tables of SV-COMP tasks: which runs make them.

use super::child::read_record;
use super::commit::commit;
use super::runner::{Rows, Run, Runner, write_tables};
use super::{TIMEOUT, concluded, limits_of, setup_of};
use crate::arguments::{BatchArguments, LimitArguments, ReproduceArguments, TechniqueArgument};
use crate::tables::svcomp::table::{Scheme, TABLE2, tables};
use crate::tables::svcomp::{TaskKey, TaskRow, TaskRows, WitnessCheck};
use ::svcomp::{Specification, Task, TaskError};
use anyhow::{Context, Result, bail};
use limits::Interrupt;
use process::Folder;
use report::{AnalysisRecord, Environment};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs what is missing and prints the tables.
///
/// # Errors
/// If the tasks are not found, the rows kept are not readable, or a file cannot be written.
pub(super) fn run(
    scheme: &Scheme,
    arguments: &ReproduceArguments,
    interrupt: &Interrupt,
) -> Result<ExitCode> {
    if arguments.benchmarks.is_some() {
        bail!("--benchmarks is for Table 1; name the folder of the tasks with --tasks");
    }
    let folder = arguments.tasks.as_deref().context(
        "name the folder of the tasks with --tasks DIR; README.md says where to get them",
    )?;
    let properties = Folder::new("compact-se-run-").context("making a temporary folder")?;
    let (subjects, left_out) = match scheme.name {
        TABLE2 => (of_2013(folder, properties.path())?, 0),
        _ => defined(folder, properties.path())?,
    };
    let subjects = wanted(subjects, &arguments.only)?;
    let environment = here();
    let runs = make_runs(
        &subjects,
        arguments.technique,
        &arguments.limits,
        &environment,
        arguments.check_witnesses,
    );
    let runner = Runner {
        environment: &environment,
        interrupt,
        jobs: arguments.jobs,
        json: arguments.json.as_deref(),
    };
    let mut rows = runner.kept(TaskRows::new(scheme.name))?;
    if let Some(results) = &arguments.results {
        collect(&runs, results, &environment, &mut rows);
    }
    let rows = runner.make_missing(&runs, rows)?;
    let keys: Vec<TaskKey> = runs.iter().map(|run| run.key.key.clone()).collect();
    let mut tables = tables(scheme, &rows, &keys);
    if let Some(sums) = tables.first_mut().filter(|_| left_out > 0) {
        let note = format!("Left out: {left_out} task definitions without unreach-call.");
        sums.notes.push(note);
    }
    write_tables(&tables, arguments.markdown.as_ref(), arguments.csv.as_ref())?;
    let found: Vec<&TaskRow> = keys.iter().filter_map(|key| rows.find(key)).collect();
    let n_wrong = found.iter().filter(|row| row.is_wrong()).count();
    Ok(concluded(keys.len() - found.len(), n_wrong))
}

/// On what the runs are made.
fn here() -> Environment {
    Environment::current(checkout().as_deref().and_then(commit))
}

/// Takes results that were made elsewhere ([`manifest`]) for the runs that are missing.
fn collect(runs: &[Run<Wanted>], results: &Path, environment: &Environment, rows: &mut TaskRows) {
    for run in runs
        .iter()
        .filter(|run| !rows.has(&run.key))
        .collect::<Vec<_>>()
    {
        let row = match read_record(&result_file(results, &run.key)) {
            Some(Ok(record)) if fits(&run.key, &record) => {
                TaskRows::row_of_record(&run.key, &record)
            }
            Some(Err(error)) => Some(TaskRows::row_of_error(&run.key, environment, error)),
            Some(Ok(_)) | None => None,
        };
        row.into_iter().for_each(|row| rows.put_row(row));
    }
}

/// Whether a record is of this run: of the same version, with the same limits, and not broken off.
fn fits(wanted: &Wanted, record: &AnalysisRecord) -> bool {
    let key = &wanted.key;
    let setup = &key.setup;
    let settings = &record.settings;
    record.environment.tool == setup.tool
        && record.environment.solver == setup.solver
        && settings.technique == key.technique
        && settings.timeout_s == setup.timeout_s
        && settings.memory_mb == setup.memory_mb
        && settings.query_work_s == setup.query_work_s
        && TaskRows::row_of_record(wanted, record).is_some()
}

fn result_file(results: &Path, wanted: &Wanted) -> PathBuf {
    results.join(format!("{}.{}.json", wanted.key.task, wanted.key.technique))
}

/// The runs of a folder of tasks as commands for a shell, a line each, without those whose
/// results lie in the folder of results already; and how many these are.
///
/// # Errors
/// If the tasks are not found.
pub(super) fn manifest(arguments: &BatchArguments) -> Result<(String, usize)> {
    let absolute = |path: &Path| {
        path.canonicalize()
            .with_context(|| format!("cannot read the folder {}", path.display()))
    };
    let folder = absolute(&arguments.tasks)?;
    std::fs::create_dir_all(&arguments.results)
        .with_context(|| format!("cannot make the folder {}", arguments.results.display()))?;
    let results = absolute(&arguments.results)?;
    let subjects = if files(&folder, "yml")?.is_empty() {
        of_2013(&folder, &results).context("no task definitions (*.yml)")?
    } else {
        defined(&folder, &results)?.0
    };
    let environment = here();
    let executable = crate::program()?;
    let runs = make_runs(
        &subjects,
        arguments.technique,
        &arguments.limits,
        &environment,
        false,
    );
    let mut text = String::new();
    let mut n_finished = 0;
    for run in &runs {
        let json = result_file(&results, &run.key);
        let is_finished = match read_record(&json) {
            Some(Ok(record)) => fits(&run.key, &record),
            Some(Err(_)) => true,
            None => false,
        };
        if is_finished {
            n_finished += 1;
            continue;
        }
        let log = json.with_extension("log");
        let witness = json.with_extension("witness.yml");
        let words = std::iter::once(executable.as_os_str())
            .chain(run.arguments.iter().map(OsString::as_os_str))
            .chain([OsStr::new("--json"), json.as_os_str()])
            .chain([OsStr::new("--witness"), witness.as_os_str()]);
        for word in words {
            text.push_str(&quoted(word));
            text.push(' ');
        }
        text.push_str(&format!(">{} 2>&1\n", quoted(log.as_os_str())));
    }
    Ok((text, n_finished))
}

/// A word for a shell.
fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=./,:+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.into_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// A task and how `compact-se svcomp` is asked about it.
struct Subject {
    name: String,
    expected: Option<bool>,
    arguments: Vec<OsString>,
    /// What names it to `compact-se check`.
    checked_as: Vec<OsString>,
}

/// A run's key, and what the task expects.
pub(super) struct Wanted {
    key: TaskKey,
    expected: Option<bool>,
}

impl Rows for TaskRows {
    type Key = Wanted;
    type Row = TaskRow;

    fn benchmark(&self) -> &str {
        &self.benchmark
    }

    fn has(&self, wanted: &Wanted) -> bool {
        self.find(&wanted.key).is_some()
    }

    fn put_row(&mut self, row: TaskRow) {
        self.put(row);
    }

    fn row_of_record(wanted: &Wanted, record: &AnalysisRecord) -> Option<TaskRow> {
        let row = TaskRow::of_record(wanted.key.clone(), wanted.expected, record);
        (!row.is_interrupted()).then_some(row)
    }

    fn row_of_error(wanted: &Wanted, environment: &Environment, error: String) -> TaskRow {
        TaskRow::of_error(wanted.key.clone(), wanted.expected, environment, error)
    }

    fn put_check(row: &mut TaskRow, check: WitnessCheck) {
        row.witness = Some(check);
    }

    fn describe(row: &TaskRow) -> String {
        let wrong = if row.is_wrong() { " (WRONG)" } else { "" };
        format!("{}{wrong}, {:.1} s", row.verdict.name(), row.seconds)
    }
}

/// The files of a folder whose names end in `ending`, sorted.
fn files(folder: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)
        .with_context(|| format!("cannot read the folder {}", folder.display()))?;
    let mut found = Vec::new();
    for entry in entries {
        let path = entry
            .with_context(|| format!("cannot read the folder {}", folder.display()))?
            .path();
        if path
            .extension()
            .is_some_and(|extension| extension == ending)
        {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .map(|stem| stem.to_string_lossy().into_owned())
        .unwrap_or_default()
}

/// The paper analyses bitcode, in which signed numbers wrap around; one of its tasks is unsafe for that
/// reason only.
const AS_THE_PAPER: &str = "--signed-overflow=wrap";

/// The tasks of 2013: what is expected stands in the name, the error is the label `ERROR`, the
/// language is that of its time (functions and types that are not declared), sizes are ILP32.
fn of_2013(folder: &Path, properties: &Path) -> Result<Vec<Subject>> {
    let property = properties.join("unreach-label.prp");
    let mut subjects = Vec::new();
    for file in files(folder, "i")? {
        let name = stem(&file);
        let expected = if name.ends_with("_safe") {
            true
        } else if name.ends_with("_unsafe") {
            false
        } else {
            continue;
        };
        subjects.push(Subject {
            name,
            expected: Some(expected),
            checked_as: vec![
                file.clone().into(),
                "--property".into(),
                property.clone().into(),
                "--data-model=ILP32".into(),
                "--std=gnu89".into(),
                AS_THE_PAPER.into(),
            ],
            arguments: vec![
                "svcomp".into(),
                file.into(),
                "--property".into(),
                property.clone().into(),
                "--data-model=ILP32".into(),
                "--std=gnu89".into(),
                AS_THE_PAPER.into(),
            ],
        });
    }
    if subjects.is_empty() {
        bail!(
            "{} has no *_safe.i and *_unsafe.i, the tasks of SV-COMP 2013",
            folder.display()
        );
    }
    std::fs::write(&property, "CHECK( init(main()), LTL(G ! label(ERROR)) )\n")
        .context("writing a property file")?;
    Ok(subjects)
}

/// The tasks that the folder's `.yml` files define, and how many are not for `unreach-call`. It is asked in
/// the wording of today, whatever the year of their property file.
fn defined(folder: &Path, properties: &Path) -> Result<(Vec<Subject>, usize)> {
    let property = properties.join("unreach-call.prp");
    let mut subjects = Vec::new();
    let mut left_out = 0;
    for file in files(folder, "yml")? {
        let question = Task::read(&file).and_then(|task| task.question());
        let question = match question {
            Ok(question) if matches!(question.property, Specification::UnreachCall(_)) => question,
            Ok(_) | Err(TaskError::NoQuestion { .. }) => {
                left_out += 1;
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        subjects.push(Subject {
            name: stem(&file),
            expected: question.expected,
            checked_as: vec![
                file.clone().into(),
                "--property".into(),
                property.clone().into(),
            ],
            arguments: vec![
                "svcomp".into(),
                file.into(),
                "--property".into(),
                property.clone().into(),
            ],
        });
    }
    if subjects.is_empty() {
        bail!(
            "{} has no task definitions for unreach-call",
            folder.display()
        );
    }
    std::fs::write(
        &property,
        "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
    )
    .context("writing a property file")?;
    Ok((subjects, left_out))
}

/// Those that `only` names; all if it is empty.
fn wanted(subjects: Vec<Subject>, only: &[String]) -> Result<Vec<Subject>> {
    if let Some(unknown) = only
        .iter()
        .find(|name| !subjects.iter().any(|subject| subject.name == **name))
    {
        bail!("there is no task {unknown}");
    }
    let is_wanted = |subject: &Subject| only.is_empty() || only.contains(&subject.name);
    Ok(subjects.into_iter().filter(is_wanted).collect())
}

/// Task by task, each with the techniques.
fn make_runs(
    subjects: &[Subject],
    technique: TechniqueArgument,
    limits: &LimitArguments,
    environment: &Environment,
    check_witnesses: bool,
) -> Vec<Run<Wanted>> {
    let timeout = limits.timeout.unwrap_or(TIMEOUT);
    let mut runs = Vec::new();
    for subject in subjects {
        for technique in technique.names() {
            let mut line = subject.arguments.clone();
            line.extend(limits_of(limits, timeout));
            line.extend(TechniqueArgument::options(technique));
            runs.push(Run {
                key: Wanted {
                    key: TaskKey {
                        task: subject.name.clone(),
                        technique: (*technique).to_owned(),
                        setup: setup_of(limits, timeout, environment),
                    },
                    expected: subject.expected,
                },
                description: format!("{}, {technique}", subject.name),
                timeout_s: timeout,
                checked_as: check_witnesses.then(|| subject.checked_as.clone()),
                arguments: line,
            });
        }
    }
    runs
}

/// The checkout that the executable was built in, if it still lies there.
pub(super) fn checkout() -> Option<PathBuf> {
    let executable = std::env::current_exe().ok()?;
    let mut folders = executable.ancestors().skip(1);
    folders
        .find(|folder| folder.join("Cargo.toml").is_file())
        .map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::quoted;
    use std::ffi::OsStr;

    #[test]
    fn words_are_quoted_where_a_shell_would_take_them_apart() {
        assert_eq!(quoted(OsStr::new("--std=gnu89")), "--std=gnu89");
        assert_eq!(quoted(OsStr::new("a b")), "'a b'");
        assert_eq!(quoted(OsStr::new("it's")), "'it'\\''s'");
        assert_eq!(quoted(OsStr::new("")), "''");
    }
}
