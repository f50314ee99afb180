//! llvm-cov measures the tests: what it counts as covered is what the record says.

use super::{compact_se, covered, folder};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

const PROGRAMS: [(&str, &str); 3] = [
    ("conditions", include_str!("conditions.c")),
    ("loops", include_str!("loops.c")),
    ("functions", include_str!("functions.c")),
];

fn llvm(tool: &str) -> Command {
    let versioned = format!("{tool}-19");
    let found = Command::new(&versioned).arg("--version").output().is_ok();
    Command::new(if found {
        versioned
    } else {
        format!("/usr/lib/llvm-19/bin/{tool}")
    })
}

fn succeeds(command: &mut Command) -> Vec<u8> {
    let output = command.output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {message}");
    output.stdout
}

/// Both sides of each condition by line and column: whether llvm-cov counts executions of it.
fn by_llvm_cov(folder: &TempDir, file: &Path, tests: &Path, n_tests: usize) -> Sides {
    let profiles: Vec<PathBuf> = (1..=n_tests)
        .map(|number| {
            let test = folder.path().join(format!("test{number}"));
            let profile = folder.path().join(format!("{number}.profraw"));
            succeeds(
                Command::new("clang-19")
                    .args(["-w", "-O0", "-fwrapv"])
                    .args(["-fprofile-instr-generate", "-fcoverage-mapping", "-o"])
                    .arg(&test)
                    .arg(file)
                    .arg(tests.join(format!("harness-{number}.c"))),
            );
            Command::new(&test)
                .env("LLVM_PROFILE_FILE", &profile)
                .status()
                .unwrap();
            profile
        })
        .collect();
    let merged = folder.path().join("all.profdata");
    succeeds(
        llvm("llvm-profdata")
            .args(["merge", "-o"])
            .arg(&merged)
            .args(&profiles),
    );
    let exported = succeeds(
        llvm("llvm-cov")
            .arg("export")
            .arg(folder.path().join("test1"))
            .arg("-instr-profile")
            .arg(&merged)
            .arg(file),
    );
    let exported: Value = serde_json::from_slice(&exported).unwrap();
    let branches = exported["data"][0]["files"][0]["branches"]
        .as_array()
        .unwrap();
    branches
        .iter()
        .map(|branch| {
            let number = |index: usize| branch[index].as_u64().unwrap();
            ((number(0), number(1)), [number(4) > 0, number(5) > 0])
        })
        .collect()
}

/// By line and column: whether the true side is covered, and the false side.
type Sides = BTreeMap<(u64, u64), [bool; 2]>;

fn by_record(record: &Value) -> Sides {
    let mut sides = Sides::new();
    for goal in record["goals"].as_array().unwrap() {
        let number = |field: &str| goal[field].as_u64().unwrap();
        let side = match goal["side"].as_str() {
            Some("true") => 0,
            Some("false") => 1,
            Some("other side") => 2,
            _ => continue,
        };
        let here = sides.entry((number("line"), number("column"))).or_default();
        if side < 2 {
            here[side] = goal["status"] == "covered";
        }
    }
    sides
}

#[test]
fn llvm_cov_counts_what_the_record_says() {
    for (name, text) in PROGRAMS {
        let folder = folder();
        let file = folder.path().join(format!("{name}.c"));
        std::fs::write(&file, text).unwrap();
        let tests = folder.path().join("tests");
        let record = covered(&folder, &file, &["--tests", tests.to_str().unwrap()], 0);
        let n_tests = record["tests"].as_array().unwrap().len();
        let (ours, theirs) = (
            by_record(&record),
            by_llvm_cov(&folder, &file, &tests, n_tests),
        );
        assert!(theirs.len() > 5, "{name} has conditions");
        assert_eq!(ours, theirs, "{name}");
    }
}

#[test]
fn the_same_command_gives_the_same_tests() {
    let folder = folder();
    let file = folder.path().join("conditions.c");
    std::fs::write(&file, PROGRAMS[0].1).unwrap();
    let text = || {
        let output = compact_se().arg("cover").arg(&file).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(text(), text());
}
