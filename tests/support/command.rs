//! The command as its users start it.

#![allow(
    dead_code,
    reason = "each test takes what it needs, none takes everything"
)]
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

/// `compact-se` in the folder of the repository, for at most five minutes.
pub fn compact_se() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_compact-se"));
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command.timeout(Duration::from_secs(300));
    command
}

/// Standard output of `compact-se ARGUMENTS`, which has to end with this code.
pub fn output(arguments: &[&str], code: i32) -> String {
    let output = compact_se().args(arguments).assert().code(code);
    String::from_utf8(output.get_output().stdout.clone()).unwrap()
}

/// A temporary folder.
pub fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// A file of JSON.
pub fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}
