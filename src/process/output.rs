//! Where results go: standard output and files.

use super::write_whole;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Exit codes of commands.
pub mod exit {
    pub const ERROR: u8 = 2;
    pub const UNKNOWN: u8 = 3;
}

/// Why a result cannot be written to a file.
#[derive(thiserror::Error, Debug)]
pub enum OutputError {
    #[error("cannot write to standard output, which carries the textual answer: name a file")]
    StandardOutput,
    #[error("cannot write {}: it is a folder", .0.display())]
    Folder(PathBuf),
    #[error("cannot write {}: there is no folder {}", .path.display(), .folder.display())]
    NoFolder { path: PathBuf, folder: PathBuf },
    #[error("cannot write {}: it is the input {}", .path.display(), .input.display())]
    Input { path: PathBuf, input: PathBuf },
    #[error("cannot write {}", .path.display())]
    System {
        path: PathBuf,
        #[source]
        error: io::Error,
    },
}

/// Prints a result. A reader that has gone away (`compact-se … | head`) is no error; any other
/// failure, as on a full disk, ends the process with the exit code of errors, since the result is
/// lost. Files are to be written before.
pub fn print(text: &str) {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            complain(&format!("error: cannot write the result: {error}"));
            std::process::exit(i32::from(exit::ERROR));
        }
        Ok(()) | Err(_) => {}
    }
}

/// Writes a message to standard error; one that cannot be written is no error.
pub fn complain(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Fails early where a file could not be written at the end of a long run.
///
/// # Errors
/// If the path is `-` or a folder, its folder does not exist, it is one of the inputs, or the system
/// refuses.
pub fn check_writable(path: &Path, inputs: &[PathBuf]) -> Result<(), OutputError> {
    if path == Path::new("-") {
        return Err(OutputError::StandardOutput);
    }
    let path = path.to_owned();
    if path.is_dir() {
        return Err(OutputError::Folder(path));
    }
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir());
    if let Some(folder) = folder.map(Path::to_owned) {
        return Err(OutputError::NoFolder { path, folder });
    }
    let same = |input: &&PathBuf| matches!((input.canonicalize(), path.canonicalize()), (Ok(a), Ok(b)) if a == b);
    if let Some(input) = inputs.iter().find(same).cloned() {
        return Err(OutputError::Input { path, input });
    }
    let is_new = !path.exists();
    let opened = std::fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(&path);
    if is_new {
        // What is not written in the end shall not be there.
        let _ = std::fs::remove_file(&path);
    }
    opened
        .map(|_| ())
        .map_err(|error| OutputError::System { path, error })
}

/// Writes a file, whole or not at all.
///
/// # Errors
/// If the system refuses.
pub fn write(path: &Path, text: &str) -> Result<(), OutputError> {
    write_whole(path, text.as_bytes()).map_err(|error| OutputError::System {
        path: path.to_owned(),
        error,
    })
}

/// Writes a value as one JSON object.
///
/// # Errors
/// If the system refuses, or the value has no JSON.
pub fn write_json(path: &Path, value: &impl serde::Serialize) -> Result<(), OutputError> {
    let text = serde_json::to_string_pretty(value);
    let text = text.map_err(|error| OutputError::System {
        path: path.to_owned(),
        error: error.into(),
    })?;
    write(path, &format!("{text}\n"))
}

/// Writes a text into a file, or prints it where none is named.
///
/// # Errors
/// If the file cannot be written, or is one of the inputs.
pub fn write_or_print(
    text: &str,
    path: Option<&Path>,
    inputs: &[PathBuf],
) -> Result<(), OutputError> {
    match path {
        Some(path) => {
            check_writable(path, inputs)?;
            write(path, text)
        }
        None => {
            print(text);
            Ok(())
        }
    }
}
