//! `compact-se solve`: decides path conditions in SMT-LIB 2 with the solver chain.

use super::arguments::SolveArguments;
use super::{exit, output};
use anyhow::Result;
use limits::{Deadline, Exhausted};
use process::{Bounds, Sentinel};
use solver::{Limits, SolveReport, SolverOptions, Verdict, solve_file};
use std::fmt::Write;
use std::process::ExitCode;
use std::time::Duration;
use term::{Bv, SymbolValue, Work};

/// A query that does not end within its time is interrupted so much later, and the files after
/// it are left out.
const LEEWAY: Duration = Duration::from_millis(500);

/// Decides each file. Exit code 3 where one stayed open, 2 where an answer contradicts the file's
/// own status. Ctrl-C ends the query that runs as unknown, and leaves out the files after it.
///
/// # Errors
/// If a file cannot be read or is not understood.
pub(super) fn run(arguments: &SolveArguments) -> Result<ExitCode> {
    if let Some(folder) = &arguments.log_queries {
        output::make_folder(folder)?;
    }
    let time = Duration::from_secs(arguments.timeout);
    let config = SolverOptions {
        query_work: Some(Work::seconds(arguments.timeout)),
        query_timeout: Some(time),
        log: arguments.log_queries.clone(),
        without: arguments.without.iter().copied().collect(),
        ..SolverOptions::default()
    };
    let sentinel = Sentinel::start()?;
    let limits = Limits {
        interrupt: sentinel.interrupt(),
        ..Limits::default()
    };
    let mut code = exit::UNREACHABLE;
    for (position, path) in arguments.files.iter().enumerate() {
        let n_left = arguments.files.len() - position;
        if let Some(why) = limits.interrupt.reason() {
            leave_out(why, n_left);
            break;
        }
        let several = arguments.files.len() > 1;
        let prefix = if several {
            format!("{}: ", path.display())
        } else {
            String::new()
        };
        let bounds = Bounds {
            deadline: Deadline::after(time + LEEWAY),
            memory: u64::MAX,
        };
        let unsolved = prefix.clone();
        sentinel.watch(bounds, move |overrun| {
            output::print(&format!("{unsolved}unknown: {}\n", overrun.why));
            leave_out(overrun.why, n_left - 1);
            if code == exit::ERROR {
                exit::ERROR
            } else {
                exit::UNKNOWN
            }
        });
        let report = solve_file(path, &config, &limits)?;
        sentinel.conclude();
        output::print(&format!("{prefix}{}", show(&report, !several)));
        if !report.agrees() {
            let path = path.display();
            output::complain(&format!(
                "error: {path}: the answer contradicts the :status of the file"
            ));
            code = exit::ERROR;
        } else if matches!(report.verdict, Verdict::Unknown(_)) && code != exit::ERROR {
            code = exit::UNKNOWN;
        }
    }
    Ok(ExitCode::from(code))
}

/// Says that the last files were left out, if there are any.
fn leave_out(why: Exhausted, n_left: usize) {
    if n_left > 0 {
        output::complain(&format!("{why}: {n_left} files were not processed"));
    }
}

/// The answer in a line; for one file with its model.
fn show(report: &SolveReport, with_model: bool) -> String {
    let seconds = report.time.as_secs_f64();
    match &report.verdict {
        Verdict::Unsat => format!("unsat ({seconds:.2} s)\n"),
        Verdict::Unknown(reason) => format!("unknown: {reason} ({seconds:.2} s)\n"),
        Verdict::Sat(values) => {
            let mut text = format!("sat ({seconds:.2} s)\n");
            for (name, value) in values.iter().filter(|_| with_model) {
                let _ = writeln!(text, "  {name} = {}", show_value(value));
            }
            text
        }
    }
}

fn show_value(value: &SymbolValue) -> String {
    let number = |bits: &Bv| bits.to_biguint().to_string();
    match value {
        SymbolValue::Bits(bits) => number(bits),
        SymbolValue::Array(array) => {
            let entries = array
                .entries
                .iter()
                .map(|(index, value)| format!("{}: {}", number(index), number(value)));
            let entries: Vec<String> = entries
                .chain([format!("else: {}", number(&array.default))])
                .collect();
            format!("[{}]", entries.join(", "))
        }
    }
}
