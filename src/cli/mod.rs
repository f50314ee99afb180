//! The command line: arguments, files, progress.
//!
//! One module per command; each loads, calls the other rooms and prints the result with [`report`]. Results
//! go to standard output, everything else to standard error.
//!
//! # Exit codes
//! 0 unreachable or done, 1 reachable, 3 unknown or unfinished, 2 error, 130 aborted by a second Ctrl-C.
//!
//! # Deliberately absent
//! No analysis: commands combine functions of the other rooms and print their results.

#![allow(
    clippy::print_stderr,
    reason = "the command line is where messages leave the program"
)]

mod arguments;
mod compiler;
mod defect;
mod environment;
mod output;
mod bounds;
mod progress;
mod checkpoint;
mod analyze;
mod chains;
mod check;
mod cover;
mod templates;
mod explain;
mod flowgraph;
mod necessary;
mod tree;
mod svcomp;
mod companion;
mod solve;
mod microc;

use analysis::STACK;
use anyhow::Result;
use arguments::{Arguments, Command};
use clap::Parser;
use std::process::ExitCode;

/// Exit codes of the program.
mod exit {
    pub use process::exit::{ERROR, UNKNOWN};
    use property::VerdictKind;

    pub const UNREACHABLE: u8 = 0;
    pub const REACHABLE: u8 = 1;
    pub const CONFIRMED: u8 = 0;
    pub const REJECTED: u8 = 1;

    /// That of a verdict.
    pub fn of(verdict: VerdictKind) -> u8 {
        match verdict {
            VerdictKind::Unreachable => UNREACHABLE,
            VerdictKind::Reachable => REACHABLE,
            VerdictKind::Unknown => UNKNOWN,
        }
    }
}

/// Does `work` on a thread whose stack is as large as those of techniques.
///
/// # Errors
/// Those of `work`, or if the system gives no such thread.
fn on_a_large_stack<T: Send>(work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK);
        let thread = builder.spawn_scoped(scope, work)?;
        let ended = thread.join();
        ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Runs the command that the process was started with.
#[must_use]
pub fn main() -> ExitCode {
    let mut raw = std::env::args_os().skip(1);
    if raw
        .next()
        .is_some_and(|first| first == frontend::CHILD_COMMAND)
    {
        return frontend::child_main(raw);
    }
    let arguments = match Arguments::try_parse_from(compiler::as_clap_reads(std::env::args_os())) {
        Ok(arguments) => arguments,
        Err(error) => {
            // clap prints help to standard output, which is no error.
            let _ = error.print();
            return if error.use_stderr() {
                ExitCode::from(exit::ERROR)
            } else {
                ExitCode::SUCCESS
            };
        }
    };
    let run = || match arguments.command {
        Command::Analyze(arguments) => analyze::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Cover(arguments) => cover::run(&arguments),
        Command::Templates(arguments) => templates::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Necessary(arguments) => necessary::run(&arguments),
        Command::Chains(arguments) => chains::run(&arguments),
        Command::Tree(arguments) => tree::run(&arguments),
        Command::Flowgraph(arguments) => flowgraph::run(&arguments),
        Command::Svcomp(arguments) => svcomp::run(&arguments),
        Command::Batch(arguments) => companion::run(Some("batch"), &arguments),
        Command::Reproduce(arguments) => companion::run(None, &arguments),
        Command::Solve(arguments) => solve::run(&arguments),
        Command::Microc(arguments) => microc::run(&arguments),
    };
    match defect::caught(|| on_a_large_stack(run)) {
        Ok(code) => code,
        Err(error) => {
            output::complain(&format!("error: {error:#}"));
            ExitCode::from(exit::ERROR)
        }
    }
}
