//! The corpus in `tests/corpus/` against native execution: what its headers call reachable is
//! reached on the inputs that stand there, and what they call unreachable is not reached on random
//! ones.
//!
//! A program's header is its specification:
//!
//! ```text
//! // verdict: reachable | unreachable       the truth under exact machine semantics, LP64, -fwrapv
//! // inputs: 5, -3                          reach the target, in the order of execution
//! // classic: unknown  # why                if classic execution cannot decide
//! // compact: unknown  # why                if compact execution cannot decide either
//! // induction: proved | no                 whether cutting all loops has to prove it
//! // k-induction: proved | no               the same with several iterations together
//! // annotations: decided                   if annotations alone have to decide it
//! // target: ERROR                          default: reach_error
//! // work: 8 s                              a program that only thorough runs analyse
//! ```
//!
//! `inputs: unchecked  # why` is for programs whose inputs native execution does not control.

use crate::support::{clang, header, repository, sample};
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs a linked program; its exit code, or `None` after a signal.
fn exit_code(program: &Path, inputs: &[&str], seed: Option<u32>) -> Option<i32> {
    let mut command = Command::new(program);
    command
        .args(inputs)
        .env_remove("SEED")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if let Some(seed) = seed {
        command.env("SEED", seed.to_string());
    }
    command
        .status()
        .expect("the program was just linked")
        .code()
}

fn check_theme(theme: &str, n_programs: usize) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let hook = folder.path().join("hook.o").display().to_string();
    let hook_source = repository("tests/support/corpus.c").display().to_string();
    clang(&[
        "-c",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-o",
        &hook,
        &hook_source,
    ]);
    let mut sources: Vec<_> = std::fs::read_dir(repository("tests/corpus").join(theme))
        .expect("the theme is a folder of the corpus")
        .map(|entry| entry.expect("the folder is readable").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|end| end == "c" || end == "cpp")
        })
        .collect();
    sources.sort();
    assert!(sources.len() >= n_programs, "{theme} has lost programs");
    for source in sample(sources, 0, 4) {
        let text = std::fs::read_to_string(&source).expect("programs are text");
        let name = source.display().to_string();
        let program = folder.path().join("program");
        let reachable = match header(&text, "verdict") {
            Some("reachable") => true,
            Some("unreachable") => false,
            verdict => panic!("{name}: the verdict is {verdict:?}"),
        };
        let inputs = header(&text, "inputs");
        assert_eq!(
            inputs.is_some(),
            reachable,
            "{name}: inputs stand with reachable targets"
        );
        for technique in ["classic", "compact"] {
            assert!(
                matches!(header(&text, technique), None | Some("unknown")),
                "{name}: {technique}"
            );
        }
        clang(&[
            "-O0",
            "-fwrapv",
            "-Wall",
            "-Wextra",
            "-Werror",
            // The first definition of reach_error is the one that is taken.
            "-Wl,-z,muldefs",
            "-o",
            &program.display().to_string(),
            &hook,
            &name,
            "-lm",
            "-lstdc++",
        ]);
        match inputs {
            Some("unchecked") => {}
            Some(inputs) => {
                let inputs: Vec<_> = inputs
                    .split(',')
                    .map(str::trim)
                    .filter(|input| !input.is_empty())
                    .collect();
                assert_eq!(
                    exit_code(&program, &inputs, None),
                    Some(86),
                    "{name} on {inputs:?}"
                );
            }
            None => {
                for seed in 0..25 {
                    assert_ne!(
                        exit_code(&program, &[], Some(seed)),
                        Some(86),
                        "{name} with seed {seed}"
                    );
                }
            }
        }
    }
}

#[test]
fn integers() {
    check_theme("integers", 26);
}

#[test]
fn control() {
    check_theme("control", 17);
}

#[test]
fn memory() {
    check_theme("memory", 24);
}

#[test]
fn inputs() {
    check_theme("inputs", 11);
}

#[test]
fn calls() {
    check_theme("calls", 11);
}

#[test]
fn cplusplus() {
    check_theme("cplusplus", 14);
}

#[test]
fn recursion() {
    check_theme("recursion", 11);
}

#[test]
fn loops() {
    check_theme("loops", 28);
}

#[test]
fn regression() {
    check_theme("regression", 4);
}

#[test]
fn whole_loops() {
    check_theme("whole_loops", 15);
}

#[test]
fn written_arrays() {
    check_theme("written_arrays", 16);
}

#[test]
fn cells() {
    check_theme("cells", 6);
}

#[test]
fn subsumption() {
    check_theme("subsumption", 12);
}

#[test]
fn jumps() {
    check_theme("jumps", 10);
}

#[test]
fn library() {
    check_theme("library", 14);
}

#[test]
fn induction() {
    check_theme("induction", 7);
}

#[test]
fn k_induction() {
    check_theme("k_induction", 13);
}

#[test]
fn floats() {
    check_theme("floats", 14);
}

#[test]
fn merging() {
    check_theme("merging", 14);
}

#[test]
fn automata() {
    check_theme("automata", 36);
}

#[test]
fn annotations() {
    check_theme("annotations", 9);
}
