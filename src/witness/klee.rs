//! A folder like KLEE's: what its users' scripts look for.
//!
//! | file | |
//! |---|---|
//! | `test000001.ktest` | the inputs of the first error, as [`KTest`] |
//! | `test000001.ptr.err` | what goes wrong, file and line; the word before `err` is the kind |
//! | `info` | the command, numbers of the run, the verdict |
//!
//! Errors are numbered as they are listed, the worst first. KLEE writes a test for each path; here there
//! are those of the errors (`compact-se cover` makes tests for all branches).

use super::WitnessError;
use super::artefacts::Written;
use super::ktest::KTest;
use super::task::Task;
use crate::analysis::Analysis;
use crate::flowgraph::EndKind;
use crate::frontend::Loaded;
use crate::property::ErrorKind;
use crate::semantics::{Leak, MemoryFault};
use crate::symex::Witness;
use std::fmt::Write as _;
use std::path::Path;

/// The word for a kind of error in file names: KLEE's, where it has one.
fn word(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Target => "target",
        ErrorKind::Memory(
            MemoryFault::InvalidFree | MemoryFault::DoubleFree | MemoryFault::MismatchedFree,
        ) => "free",
        ErrorKind::Memory(MemoryFault::WriteToConstant) => "readonly",
        ErrorKind::Memory(MemoryFault::UninitialisedUse) => "uninit",
        ErrorKind::Memory(_) => "ptr",
        ErrorKind::Leak(Leak::Lost | Leak::NotFreed) => "leak",
        ErrorKind::Program(kind) => match kind {
            EndKind::AssertFail => "assert",
            EndKind::DivisionTrap => "div",
            EndKind::IndexOutOfBounds => "ptr",
            EndKind::Overshift | EndKind::UndefinedShift => "overshift",
            EndKind::DivisionOverflow | EndKind::QuotientOverflow | EndKind::SignedOverflow => {
                "overflow"
            }
            EndKind::ChangedByConversion | EndKind::FloatOverflow => "implicit_conversion",
            EndKind::Abort => "abort",
            EndKind::Exit
            | EndKind::QuickExit
            | EndKind::CountOfZero
            | EndKind::Undefined
            | EndKind::LostJump
            | EndKind::Unreachable
            | EndKind::Uninitialised => "undefined_behavior",
        },
    }
}

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
    let error = folder.join(format!("{name}.{}.err", word(witness.error)));
    written.put(&error, error_text(loaded, witness).as_bytes())
}

fn error_text(loaded: &Loaded, witness: &Witness) -> String {
    let mut text = format!("Error: {}\n", witness.error);
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
