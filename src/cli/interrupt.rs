//! Ctrl-C: the first ends the run with what is known, the second ends the process.

use anyhow::{Context, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that the first Ctrl-C (or `SIGTERM`) sets.
///
/// # Errors
/// If the system does not let us listen.
pub(super) fn listen() -> Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let shared = Arc::clone(&flag);
    ctrlc::set_handler(move || {
        if shared.swap(true, Ordering::Relaxed) {
            // The code that shells give a process that ends by SIGINT.
            std::process::exit(130);
        }
    })
    .context("listening to Ctrl-C")?;
    Ok(flag)
}
