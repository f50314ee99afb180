//! `compact-se batch`: the runs for a folder of tasks as commands for an external scheduler.

use super::arguments::BatchArguments;
use super::{output, reproduce};
use anyhow::Result;
use std::process::ExitCode;

/// Writes the manifest.
///
/// # Errors
/// If the tasks are not found or a file or folder cannot be written.
pub(super) fn run(arguments: &BatchArguments) -> Result<ExitCode> {
    if let Some(path) = &arguments.manifest {
        output::check_writable(path, &[])?;
    }
    let (manifest, n_finished) = reproduce::manifest(arguments)?;
    match &arguments.manifest {
        Some(path) => output::write(path, &manifest)?,
        None => output::print(&manifest),
    }
    if n_finished > 0 {
        output::complain(&format!(
            "{n_finished} runs are already finished and left out"
        ));
    }
    Ok(ExitCode::SUCCESS)
}
