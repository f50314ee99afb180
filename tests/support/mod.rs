//! Compiles C programs natively together with the replay library and runs them.
//!
//! What the tests of `runtime/` and of `c-benchmarks/` share.

#![allow(
    dead_code,
    reason = "each test takes what it needs, none takes everything"
)]

pub mod command;

use std::io::{Read as _, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The clang that the project is bound to, not the one that `clang` happens to name.
pub const CLANG: &str = "/usr/lib/llvm-19/bin/clang";

/// How a native run ended.
#[derive(Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The exit code, or `None` after a signal.
    pub code: Option<i32>,
    /// What the replay library reported, without the line end; empty if nothing.
    pub report: String,
}

impl Outcome {
    pub fn target_reached() -> Self {
        Self {
            code: Some(86),
            report: "compact-se: target reached".to_owned(),
        }
    }
}

/// A file of the repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Runs clang and demands that it succeeds without a word.
///
/// # Panics
/// If clang fails or warns.
pub fn clang(arguments: &[&str]) {
    let output = Command::new(CLANG)
        .args(arguments)
        .output()
        .expect("scripts/setup.sh installs clang 19");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && said.is_empty(),
        "clang {arguments:?}: {said}"
    );
}

/// Runs `program` on `records`, the content of a replay file, for at most ten seconds.
///
/// # Panics
/// If the program cannot be run or does not end.
pub fn replay(program: &Path, records: &str) -> Outcome {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("records");
    std::fs::write(&file, records).expect("the folder is writable");
    // The library reports to standard error here; it holds nothing else, since the programs print
    // nothing.
    let mut child = Command::new(program)
        .env("COMPACT_SE_REPLAY", &file)
        .env("COMPACT_SE_REPLAY_FD", "2")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program was just linked");
    let deadline = Instant::now() + Duration::from_secs(10);
    let status = loop {
        if let Some(status) = child.try_wait().expect("the child is ours") {
            break status;
        }
        if Instant::now() > deadline {
            child.kill().expect("the child is ours");
            panic!("{} does not end on\n{records}", program.display());
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let mut report = String::new();
    child
        .stderr
        .take()
        .expect("standard error is piped")
        .read_to_string(&mut report)
        .expect("reports are text");
    Outcome {
        code: status.code(),
        report: report.trim_end_matches('\n').to_owned(),
    }
}

/// Says that a test has nothing to do here, and why. Past the test harness, which shows what a test
/// prints only if it fails.
pub fn skipped(test: &str, why: &str) {
    // Nobody may be listening.
    let _ = writeln!(std::io::stderr(), "{test}: skipped, {why}");
}

/// Whether the environment has `THOROUGH`: tests look at everything instead of a part, which all of them together do
/// in minutes.
pub fn is_thorough() -> bool {
    std::env::var_os("THOROUGH").is_some()
}

/// Every `n`-th of what a test looks at, from number `first` on; all of it in a thorough run.
pub fn sample<T>(all: impl IntoIterator<Item = T>, first: usize, n: usize) -> Vec<T> {
    let all = all.into_iter();
    match is_thorough() {
        true => all.collect(),
        false => all.skip(first).step_by(n).collect(),
    }
}

/// The first half of some seeds, all of them in a thorough run.
pub fn seeds(all: Range<u64>) -> Range<u64> {
    match is_thorough() {
        true => all,
        false => all.start..all.start + (all.end - all.start).div_ceil(2),
    }
}

/// Those files that a test looks at: not those whose headers say that they take seconds (`// work: 8 s`), but in a
/// thorough run.
pub fn affordable(files: Vec<PathBuf>) -> Vec<PathBuf> {
    let takes_long = |file: &PathBuf| {
        let text = std::fs::read_to_string(file).expect("programs are text");
        header(&text, "work").is_some()
    };
    let is_kept = |file: &PathBuf| is_thorough() || !takes_long(file);
    files.into_iter().filter(is_kept).collect()
}

/// The value of the line `// key: value` in the comment that a C program begins with. What follows
/// two blanks and a hash sign is the reason and is left out.
pub fn header<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.lines()
        .take_while(|line| line.starts_with("//"))
        .find_map(|line| {
            line.strip_prefix("// ")?
                .strip_prefix(key)?
                .strip_prefix(':')
        })
        .map(|value| value.split("  # ").next().unwrap_or(value).trim())
}
