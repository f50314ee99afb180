//! `compact-se templates --automaton` on the listings of the thesis, Section 4.4.
//!
//! `UPDATE_GOLDEN=1 cargo test --test all microc::automata` renews the golden files; the diff is to be
//! read.

use assert_cmd::Command;
use std::path::PathBuf;

fn shown(name: &str, further: &[&str]) -> String {
    let file = format!("tests/golden/automaton/{name}.mc");
    let mut command = Command::cargo_bin("compact-se").unwrap();
    let output = command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["templates", "--automaton"])
        .args(further)
        .arg(file)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{name}");
    String::from_utf8(output.stdout).unwrap()
}

fn check_golden(name: &str, ending: &str, further: &[&str]) {
    let found = shown(name, further);
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden/automaton")
        .join(format!("{name}.{ending}"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &found).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    similar_asserts::assert_eq!(found, expected, "{}", path.display());
}

#[test]
fn listing_4_9_is_sequential() {
    check_golden("listing4_09", "txt", &[]);
    check_golden("listing4_09", "dot", &["--dot"]);
}

#[test]
fn listing_4_10_is_periodic() {
    check_golden("listing4_10", "txt", &[]);
    check_golden("listing4_10", "dot", &["--dot"]);
}

#[test]
fn listing_4_11_is_irregular() {
    check_golden("listing4_11", "txt", &[]);
    check_golden("listing4_11", "dot", &["--dot"]);
}

#[test]
fn listing_4_12_reads_inputs() {
    check_golden("listing4_12", "txt", &[]);
}

#[test]
fn listing_4_13_is_a_nest() {
    check_golden("listing4_13", "txt", &[]);
}

#[test]
fn a_turn_may_be_longer_than_its_word() {
    check_golden("reset", "txt", &[]);
}
