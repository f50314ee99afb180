//! Runs of a benchmark: those that are missing are made, finished ones are kept in a file.

use super::child::{Ended, check_witness, run_child};
use crate::tables::rows;
use crate::tables::svcomp::WitnessCheck;
use crate::tables::table::Table;
use anyhow::{Context, Result, bail};
use indicatif::ProgressBar;
use limits::Interrupt;
use process::Folder;
use property::VerdictKind;
use report::{AnalysisRecord, Environment};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The progress line moves so often.
const INTERVAL: Duration = Duration::from_millis(100);

/// The rows of a benchmark.
pub(super) trait Rows: Serialize + DeserializeOwned + Send {
    /// The identification of a run, and the other columns of its row.
    type Key: Sync;
    type Row;

    fn benchmark(&self) -> &str;
    fn has(&self, key: &Self::Key) -> bool;
    fn put_row(&mut self, row: Self::Row);

    /// The row of a run that ended with a record; `None` if it was interrupted.
    fn row_of_record(key: &Self::Key, record: &AnalysisRecord) -> Option<Self::Row>;

    /// The row of a run that ended without one.
    fn row_of_error(key: &Self::Key, environment: &Environment, error: String) -> Self::Row;

    /// A few words on the result, for the progress.
    fn describe(row: &Self::Row) -> String;

    /// Adds what a check said to the run's witness.
    fn put_check(_row: &mut Self::Row, _check: WitnessCheck) {}
}

impl<K: PartialEq + Clone + Sync + Send + Serialize + DeserializeOwned> Rows for rows::Rows<K> {
    type Key = K;
    type Row = rows::Row<K>;

    fn benchmark(&self) -> &str {
        &self.benchmark
    }

    fn has(&self, key: &K) -> bool {
        self.find(key).is_some()
    }

    fn put_row(&mut self, row: rows::Row<K>) {
        self.put(row);
    }

    fn row_of_record(key: &K, record: &AnalysisRecord) -> Option<rows::Row<K>> {
        let row = rows::Row::of_record(key.clone(), record);
        (!row.is_interrupted()).then_some(row)
    }

    fn row_of_error(key: &K, environment: &Environment, error: String) -> rows::Row<K> {
        rows::Row::of_error(key.clone(), environment, error)
    }

    fn describe(row: &rows::Row<K>) -> String {
        format!("{}, {:.1} s", row.verdict, row.times_s.total)
    }
}

/// One run.
pub(super) struct Run<K> {
    pub key: K,
    /// For the progress.
    pub description: String,
    pub timeout_s: u64,
    /// What follows the name of the executable, but for `--json`.
    pub arguments: Vec<OsString>,
    /// What names the task to `compact-se check`, where the witness of the run is to be checked.
    pub checked_as: Option<Vec<OsString>>,
}

/// How runs are made.
pub(super) struct Runner<'a> {
    pub environment: &'a Environment,
    pub interrupt: &'a Interrupt,
    /// So many at the same time.
    pub jobs: u32,
    /// Where rows are kept.
    pub json: Option<&'a Path>,
}

impl Runner<'_> {
    /// The rows that are kept, or none.
    ///
    /// # Errors
    /// If the file holds something else.
    pub fn kept<R: Rows>(&self, none: R) -> Result<R> {
        let Some(path) = self.json.filter(|path| path.exists()) else {
            return Ok(none);
        };
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        let rows: R = serde_json::from_str(&text).with_context(|| {
            format!(
                "{} does not hold rows of a benchmark; delete it or name another file",
                path.display()
            )
        })?;
        if rows.benchmark() != none.benchmark() {
            bail!("{} holds rows of {}", path.display(), rows.benchmark());
        }
        Ok(rows)
    }

    /// Makes the runs that the rows do not have, until an interrupt.
    ///
    /// # Errors
    /// If the rows cannot be written.
    pub fn make_missing<R: Rows>(&self, runs: &[Run<R::Key>], rows: R) -> Result<R> {
        let missing: Vec<&Run<R::Key>> = runs.iter().filter(|run| !rows.has(&run.key)).collect();
        let progress = ProgressBar::new_spinner();
        progress.enable_steady_tick(INTERVAL);
        let next = AtomicUsize::new(0);
        let n_done = AtomicUsize::new(runs.len() - missing.len());
        let shared = Mutex::new((rows, Ok(())));
        let work = || {
            while !self.interrupt.raised() {
                let Some(run) = missing.get(next.fetch_add(1, Ordering::Relaxed)) else {
                    break;
                };
                let done = n_done.load(Ordering::Relaxed);
                progress.set_message(format!(
                    "{done} of {} done, now {}",
                    runs.len(),
                    run.description
                ));
                let Some(row) = self.make::<R>(run) else {
                    break;
                };
                n_done.fetch_add(1, Ordering::Relaxed);
                progress.println(format!("{}: {}", run.description, R::describe(&row)));
                let mut guard = shared.lock().unwrap_or_else(PoisonError::into_inner);
                let (rows, written) = &mut *guard;
                rows.put_row(row);
                if let Some(path) = self.json
                    && written.is_ok()
                {
                    *written = process::write_json(path, rows);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..self.jobs {
                scope.spawn(work);
            }
        });
        progress.finish_and_clear();
        let (rows, written) = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        written?;
        // Rows that came from elsewhere are kept too.
        self.json
            .map_or(Ok(()), |path| process::write_json(path, &rows))?;
        Ok(rows)
    }

    /// Makes one run; `None` if it was interrupted.
    fn make<R: Rows>(&self, run: &Run<R::Key>) -> Option<R::Row> {
        let folder = Folder::new("compact-se-run-").ok();
        let witness = folder
            .as_ref()
            .map(|folder| folder.path().join("witness.yml"));
        let checked = run.checked_as.as_ref().zip(witness);
        let mut arguments = run.arguments.clone();
        if let Some((_, witness)) = &checked {
            arguments.extend(["--witness".into(), witness.into()]);
        }
        match run_child(&arguments, run.timeout_s, self.interrupt) {
            Ended::Record(record) => {
                let mut row = R::row_of_record(&run.key, &record)?;
                if let Some((task, witness)) = checked
                    && record.verdict != VerdictKind::Unknown
                {
                    let check = check_witness(&record, &witness, task, self.interrupt)?;
                    R::put_check(&mut row, check);
                }
                Some(row)
            }
            Ended::Failed(error) => Some(R::row_of_error(&run.key, self.environment, error)),
            Ended::Interrupted => None,
        }
    }
}

/// Prints tables, and writes them where that was asked for.
///
/// # Errors
/// If a file cannot be written.
pub(super) fn write_tables(
    tables: &[Table],
    markdown: Option<&PathBuf>,
    csv: Option<&PathBuf>,
) -> Result<()> {
    let joined =
        |form: fn(&Table) -> String| tables.iter().map(form).collect::<Vec<_>>().join("\n");
    process::print(&joined(Table::to_text));
    if let Some(path) = markdown {
        process::write(path, &joined(Table::to_markdown))?;
    }
    if let Some(path) = csv {
        process::write(path, &joined(Table::to_csv))?;
    }
    Ok(())
}
