//! A folder like KLEE's: what its users' scripts look for.
//!
//! | file | |
//! |---|---|
//! | `test000001.ktest` | the inputs of the first error, as [`KTest`] |
//! | `test000001.ptr.err` | what goes wrong, file and line; the word before `err` is the kind, or the suffix that `klee_report_error` is given |
//! | `info` | the command, numbers of the run, the verdict |
//!
//! Errors are numbered as they are listed, the worst first. KLEE writes a test for each path; here there
//! are those of the errors (`compact-se cover` makes tests for all branches).

use super::WitnessError;
use super::artefacts::Written;
use super::ktest::KTest;
use super::task::Task;
use analysis::Analysis;
use frontend::{Loaded, TargetReport};
use property::ErrorKind;
use std::fmt::Write as _;
use std::path::Path;
use symex::Witness;

/// Writes the test of an error, the `number`-th from 1.
pub(super) fn write_error(
    folder: &Path,
    number: usize,
    (loaded, witness): (&Loaded, &Witness),
    test: &KTest,
    written: &mut Written,
) -> Result<(), WitnessError> {
    let name = format!("test{number:06}");
    written.put(&folder.join(format!("{name}.ktest")), &test.to_bytes())?;
    let suffix = report_of(loaded, witness).map(|report| name_of_file(&report.suffix));
    let suffix = suffix.filter(|suffix| !suffix.is_empty());
    let suffix = suffix
        .as_deref()
        .unwrap_or_else(|| witness.error.facts().klee);
    let error = folder.join(format!("{name}.{suffix}.err"));
    written.put(&error, error_text(loaded, witness).as_bytes())
}

/// What the program says of the error by `klee_report_error`.
fn report_of<'l>(loaded: &'l Loaded, witness: &Witness) -> Option<&'l TargetReport> {
    let is_target = witness.error == ErrorKind::Target;
    is_target
        .then(|| loaded.report_at(witness.target))
        .flatten()
}

/// A word of the program as a part of a file's name.
fn name_of_file(word: &str) -> String {
    let is_plain =
        |character: &char| character.is_ascii_alphanumeric() || "_-".contains(*character);
    word.chars().filter(is_plain).collect()
}

fn error_text(loaded: &Loaded, witness: &Witness) -> String {
    let mut text = match report_of(loaded, witness) {
        Some(report) => format!("Error: {}\n", report.message),
        None => format!("Error: {}\n", witness.error),
    };
    let place = witness.target;
    if let Some(file) = loaded.program.file(place) {
        let _ = write!(text, "File: {file}\nLine: {}\n", place.line);
    }
    if let Some(report) = &witness.report {
        let _ = write!(text, "Info: \n\t{report}\n");
    }
    text
}

/// Writes what KLEE says about a run.
pub(super) fn write_info(
    folder: &Path,
    task: &Task,
    analysis: &Analysis,
    n_tests: usize,
    written: &mut Written,
) -> Result<(), WitnessError> {
    let statistics = &analysis.report.statistics;
    let mut text = String::new();
    if let Some(command) = &task.command_line {
        let _ = writeln!(text, "{command}");
    }
    let numbers = [
        ("total instructions", statistics.n_actions),
        ("completed paths", statistics.n_paths),
        ("generated tests", n_tests as u64),
    ];
    for (what, number) in numbers {
        let _ = writeln!(text, "compact-se: done: {what} = {number}");
    }
    let verdict = analysis.report.verdict.name();
    let _ = writeln!(text, "compact-se: verdict: {verdict}");
    written.put(&folder.join("info"), text.as_bytes())
}
