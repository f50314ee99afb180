//! On which commit a result was obtained.

use std::path::Path;
use std::process::Command;

/// What decides a result, relative to the root of the checkout.
const SOURCES: [&str; 6] = [
    "src",
    "c-benchmarks",
    "runtime",
    "Cargo.toml",
    "Cargo.lock",
    "build.rs",
];

/// The last commit that changed what decides a result, with `-dirty` if that differs from the
/// checkout at `root`; `None` outside of a checkout.
pub(super) fn commit(root: &Path) -> Option<String> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git")
            .arg("-C")
            .arg(root)
            .args(arguments)
            .arg("--")
            .args(SOURCES)
            .output()
            .ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    let commit = git(&["log", "-1", "--format=%h"]).filter(|commit| !commit.is_empty())?;
    let changes = git(&["status", "--porcelain", "--untracked-files=no"])?;
    Some(if changes.is_empty() {
        commit
    } else {
        format!("{commit}-dirty")
    })
}
