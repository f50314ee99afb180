//! Commands of `compact-se-reproduce`, a program of its own: tables of papers, and what they are made of.

use anyhow::{Context as _, Result};
use clap::Args;
use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitCode};

/// What the other program is given as it stands.
#[derive(Args, Debug)]
#[command(disable_help_flag = true)]
pub struct ForwardedArguments {
    /// See --help of this command, which compact-se-reproduce gives
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGUMENTS"
    )]
    arguments: Vec<OsString>,
}

/// Becomes the other program, with its command of this name.
///
/// # Errors
/// If it is not installed, or cannot be started.
pub(super) fn run(command: Option<&str>, arguments: &ForwardedArguments) -> Result<ExitCode> {
    let program = process::companion("compact-se-reproduce").context(
        "this command needs compact-se-reproduce, which is neither in the folder of this program nor in the \
         search path: cargo build --release -p compact-se-reproduce makes it",
    )?;
    let own = std::env::current_exe().context("finding the executable")?;
    let mut started = Command::new(&program);
    started.args(command).args(&arguments.arguments);
    let error = started.env("COMPACT_SE", own).exec();
    Err(error).with_context(|| format!("cannot start {}", program.display()))
}
