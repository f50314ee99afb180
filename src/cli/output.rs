//! Output of results and messages.

use anyhow::{Context, Result};
use std::path::Path;

pub(super) use process::{check_writable, complain, print, write, write_json};

/// Makes a folder for files that a run will write.
///
/// # Errors
/// If it cannot be made.
pub(super) fn make_folder(path: &Path) -> Result<()> {
    std::fs::create_dir_all(path).with_context(|| format!("cannot write to {}", path.display()))
}

/// Tells something that is no result.
pub(super) fn note(text: &str) {
    complain(&format!("note: {text}"));
}

/// Tells what went wrong without stopping anything.
pub(super) fn warning(text: &str) {
    complain(&format!("warning: {text}"));
}

/// The command that this process was started with, for a shell.
pub(super) fn command_line() -> String {
    let quoted = |word: std::ffi::OsString| {
        let word = word.to_string_lossy().into_owned();
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+%@".contains(c);
        if !word.is_empty() && word.chars().all(plain) {
            word
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    };
    let words: Vec<String> = std::env::args_os().skip(1).map(quoted).collect();
    format!("{} {}", env!("CARGO_PKG_NAME"), words.join(" "))
}
