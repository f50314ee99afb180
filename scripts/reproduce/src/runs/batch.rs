//! `compact-se batch`: the runs for a folder of tasks as commands for an external scheduler.

use crate::arguments::BatchArguments;
use anyhow::Result;
use std::process::ExitCode;

/// Writes the manifest.
///
/// # Errors
/// If the tasks are not found or a file or folder cannot be written.
pub(crate) fn run(arguments: &BatchArguments) -> Result<ExitCode> {
    if let Some(path) = &arguments.manifest {
        process::check_writable(path, &[])?;
    }
    let (manifest, n_finished) = super::tasks::manifest(arguments)?;
    process::write_or_print(&manifest, arguments.manifest.as_deref(), &[])?;
    if n_finished > 0 {
        process::complain(&format!("{n_finished} runs are finished and left out"));
    }
    Ok(ExitCode::SUCCESS)
}
