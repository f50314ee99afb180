//! The path conditions of `tests/queries` through the solver chain: no wrong answer.

#![expect(clippy::unwrap_used, reason = "tests may end with a panic")]

use crate::support::skipped;

use compact_se::term::Work;
use std::path::{Path, PathBuf};

use compact_se::solver::smtlib::Status;
use compact_se::solver::{Limits, Link, SolverOptions, Verdict, solve_file};

fn scripts(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "smt2"))
        .collect();
    paths.sort();
    paths
}

/// Number of decided files; a wrong answer is a failure.
fn decided(paths: &[PathBuf], config: &SolverOptions) -> usize {
    let right = |path: &PathBuf| {
        let report = solve_file(path, config, &Limits::default()).unwrap_or_else(|e| panic!("{e}"));
        assert!(report.agrees(), "{}: wrong", path.display());
        !matches!(report.verdict, Verdict::Unknown(_))
    };
    paths.iter().filter(|path| right(path)).count()
}

fn own() -> Vec<PathBuf> {
    scripts(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/queries"))
}

fn within(millis: u64) -> SolverOptions {
    SolverOptions {
        query_work: Some(Work::millis(millis)),
        ..SolverOptions::default()
    }
}

#[test]
fn own_path_conditions_are_decided_as_expected() {
    let paths = own();
    assert!(paths.len() >= 100, "{} path conditions", paths.len());
    for path in &paths {
        let report = solve_file(path, &within(1), &Limits::default()).unwrap();
        assert!(
            matches!(report.expected, Some(Status::Sat | Status::Unsat)),
            "{}: without its answer",
            path.display()
        );
    }
    let n_decided = decided(&paths, &within(5_000));
    assert!(
        n_decided * 10 >= paths.len() * 9,
        "{n_decided} of {} decided",
        paths.len()
    );
}

/// Every tenth file, with each link left out: slower, not wrong.
#[test]
fn no_link_is_needed_for_right_answers() {
    let some: Vec<PathBuf> = own().into_iter().step_by(10).collect();
    for link in [
        Link::Independent,
        Link::Cache,
        Link::Sums,
        Link::Integers,
        Link::Quantifiers,
        Link::Polynomials,
        Link::Products,
        Link::Numerals,
    ] {
        let config = SolverOptions {
            without: [link].into(),
            ..within(1_000)
        };
        decided(&some, &config);
    }
}

#[test]
fn shared_path_conditions_are_not_answered_wrongly() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/queries");
    if !folder.is_dir() {
        let why = format!("there is no {}", folder.display());
        skipped("shared_path_conditions_are_not_answered_wrongly", &why);
        return;
    }
    decided(&scripts(&folder), &within(1_000));
}
