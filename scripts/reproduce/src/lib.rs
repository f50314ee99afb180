//! The tables of papers and of a thesis, with our figures beside theirs.
//!
//! ```text
//! arguments --runs--> compact-se, a child process a run --> rows, kept in a file
//!                                                            |
//! figures of the papers ------------------tables-------------+--> text, Markdown, CSV, plots
//! ```
//!
//! `compact-se reproduce`, `batch`, `microc costs` and `microc generate` start this program.
//!
//! # Deliberately absent
//! No analysis: verdicts and numbers are those of the records that runs of compact-se leave.

#![allow(
    clippy::print_stderr,
    reason = "the command line is where messages leave the program"
)]

pub mod microc;
mod arguments;
mod runs;
mod tables;

use arguments::{Arguments, Command};
use clap::Parser as _;
use process::{complain, exit};
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

/// Names the compact-se that is run; without it, the one in the folder of this program or in the search path.
const PROGRAM: &str = "COMPACT_SE";

/// The compact-se that is run.
///
/// # Errors
/// If there is none.
fn program() -> io::Result<PathBuf> {
    let named = std::env::var_os(PROGRAM).map(PathBuf::from);
    named
        .or_else(|| process::companion("compact-se"))
        .ok_or_else(|| {
            io::Error::new(
                io::ErrorKind::NotFound,
                "compact-se is neither in the folder of this program nor in the search path: name it in COMPACT_SE",
            )
        })
}

/// The parser of microc recurses.
const STACK: usize = 256 << 20;

/// Runs the command that the process was started with.
#[must_use]
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let work = || match &arguments.command {
        Some(Command::Batch(arguments)) => runs::batch::run(arguments),
        Some(Command::Costs(arguments)) => microc::costs::run(arguments),
        Some(Command::Generate(arguments)) => microc::generate::run(arguments),
        None => runs::run(&arguments.table),
    };
    let ended = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        let thread = thread.spawn_scoped(scope, work)?;
        thread
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    ended.unwrap_or_else(|error: anyhow::Error| {
        complain(&format!("error: {error:#}"));
        ExitCode::from(exit::ERROR)
    })
}
