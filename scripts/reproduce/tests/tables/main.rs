//! The tables as their users make them, by runs of compact-se.
//!
//! `cargo test --workspace` builds compact-se too; `cargo test -p compact-se-reproduce` finds it where `cargo build`
//! put it.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

mod microc;
mod papers;
mod tasks;
mod thesis;

use assert_cmd::Command;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A file of the repository.
fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

/// The program under test in the folder of the repository, for at most five minutes.
fn reproduce() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_compact-se-reproduce"));
    command.current_dir(repository(""));
    command.timeout(Duration::from_secs(300));
    command
}

/// The compact-se beside it.
fn compact_se() -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_compact-se-reproduce"));
    Command::new(program.with_file_name("compact-se"))
}

/// A temporary folder.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// A file of JSON.
fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}
