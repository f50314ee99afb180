//! Where other programs are.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

fn may_run(path: &Path) -> bool {
    let data = std::fs::metadata(path);
    data.is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// The program at this path; one of this name in `PATH` if it is only a name.
#[must_use]
pub fn executable(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return may_run(program).then(|| program.to_owned());
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let mut paths = std::env::split_paths(&folders).map(|folder| folder.join(program));
    paths.find(|path| may_run(path))
}

/// A program that is installed together with this one: beside it, or in `PATH`.
#[must_use]
pub fn companion(name: &str) -> Option<PathBuf> {
    let beside = std::env::current_exe().ok();
    let beside = beside.and_then(|own| executable(&own.with_file_name(name)));
    beside.or_else(|| executable(Path::new(name)))
}
