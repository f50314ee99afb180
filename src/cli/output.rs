//! Output of results: standard output and files.

use anyhow::{Context, Result, bail};
use process::write_whole;
use std::io::Write;
use std::path::Path;

/// Prints a result. A reader that has gone away (`compact-se … | head`) is no error; any other
/// failure, as on a full disk, ends the process with the exit code of errors, since the result is
/// lost. Files are to be written before.
pub(super) fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            complain(&format!("error: cannot write the result: {error}"));
            std::process::exit(i32::from(super::exit::ERROR));
        }
        Ok(()) | Err(_) => {}
    }
}

/// Says something to the user beside the result; nobody listening is no error.
pub(super) fn complain(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

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

/// Fails early where a file could not be written at the end of a long run.
///
/// # Errors
/// If the path is `-` or a folder, its folder does not exist, it is one of the inputs, or the system
/// refuses.
pub(super) fn check_writable(path: &Path, inputs: &[std::path::PathBuf]) -> Result<()> {
    if path == Path::new("-") {
        bail!("cannot write to standard output, which carries the textual answer: name a file");
    }
    if path.is_dir() {
        bail!("cannot write {}: it is a folder", path.display());
    }
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        bail!(
            "cannot write {}: there is no folder {}",
            path.display(),
            folder.display()
        );
    }
    let same = |input: &&std::path::PathBuf| matches!((input.canonicalize(), path.canonicalize()), (Ok(a), Ok(b)) if a == b);
    if let Some(input) = inputs.iter().find(same) {
        bail!(
            "cannot write {}: it is the input {}",
            path.display(),
            input.display()
        );
    }
    let is_new = !path.exists();
    std::fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)
        .with_context(|| format!("cannot write {}", path.display()))?;
    if is_new {
        // What is not written in the end shall not be there.
        let _ = std::fs::remove_file(path);
    }
    Ok(())
}

/// Writes a file, whole or not at all.
///
/// # Errors
/// If the system refuses.
pub(super) fn write(path: &Path, text: &str) -> Result<()> {
    write_whole(path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
}

/// Writes a value as one JSON object.
///
/// # Errors
/// If the system refuses.
pub(super) fn write_json(path: &Path, value: &impl serde::Serialize) -> Result<()> {
    let mut text = serde_json::to_string_pretty(value).context("making JSON")?;
    text.push('\n');
    write(path, &text)
}
