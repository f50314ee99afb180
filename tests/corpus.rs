//! The corpus in `tests/corpus/` through the whole analysis, by default, compact and classic: the verdict is
//! the one in the file's header, and every *reachable* is replayed natively.
//!
//! `unknown` is accepted only where the header admits it, with the reason:
//!
//! ```text
//! // verdict: unreachable
//! // classic: unknown  # one path for each value of the bound
//! ```
//!
//! A wrong verdict is never accepted, whatever the header says. `tests/corpus_native.rs` checks the
//! headers themselves against native runs.

#![allow(
    clippy::print_stdout,
    reason = "headers that admit too much are worth a note"
)]

mod support;

use compact_se::analysis::{
    Analysis, AnalysisOptions, CheckChoice, Technique, Techniques, analyze, prove_by_induction,
};
use compact_se::frontend::{LoadOptions, load};
use compact_se::symex::{MergeStrategy, Verdict};
use compact_se::term::Work;
use std::path::{Path, PathBuf};
use std::time::Duration;
use support::{header, repository};

/// For a file that is to be decided; most take some milliseconds, the longest some seconds.
const MOST: Work = Work::seconds(60);

/// For what decides some files only.
const MOST_OF_NECESSARY: Work = Work::millis(200);

/// For a file that need not be decided.
const MOST_IN_VAIN: Work = Work::seconds(1);

/// The machine may be busy: only work decides what is given up.
const TIME: Duration = Duration::from_secs(600);

fn analysis(file: &Path, target: Option<&str>, techniques: &Techniques, work: Work) -> Analysis {
    merging_by(None, file, target, techniques, work)
}

/// The same with another strategy of merging.
fn merging_by(
    strategy: Option<MergeStrategy>,
    file: &Path,
    target: Option<&str>,
    techniques: &Techniques,
    work: Work,
) -> Analysis {
    let mut load = LoadOptions::new([file]);
    load.executable = Some(PathBuf::from(env!("CARGO_BIN_EXE_compact-se")));
    if let Some(target) = target {
        load.target = target.parse().expect("the header names a target");
    }
    // A program in microc has no target but its errors.
    let is_microc = file.extension().is_some_and(|extension| extension == "mc");
    load.allow_missing_target = is_microc;
    let mut options = AnalysisOptions::new(load);
    if is_microc {
        options.checks = CheckChoice::Usual;
    }
    options.techniques = techniques.clone();
    options.execution.merging = strategy.unwrap_or(options.execution.merging);
    options.execution.budget.time = TIME;
    options.execution.budget.work = Some(work);
    analyze(&options, &mut |_| ()).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// What is wrong with the analysis of a file; nothing if all is right.
fn check(file: &Path, techniques: &Techniques) -> Option<String> {
    let text = std::fs::read_to_string(file).expect("programs are text");
    let name = format!("{} ({})", file.display(), techniques.name());
    let expected = header(&text, "verdict").expect("the header has a verdict");
    // What a technique decides alone, all of them decide together. Headers speak of the first tier.
    let is_named = |one: &Technique| matches!(one, Technique::Compact | Technique::Classic);
    let mut alone = techniques.iter().filter(is_named);
    let admits_unknown = alone.all(|one| header(&text, one.name()) == Some("unknown"));
    let is_complete = techniques.iter().any(Technique::is_complete);
    let work = match (admits_unknown, is_complete) {
        (false, _) => MOST,
        (true, true) => MOST_IN_VAIN,
        (true, false) => MOST_OF_NECESSARY,
    };
    let analysis = analysis(file, header(&text, "target"), techniques, work);
    let verdict = analysis.report.verdict.name();
    if let Verdict::Reachable(_) = analysis.report.verdict {
        assert!(analysis.replayed, "{name}: reachable without a replay");
    }
    if verdict == expected {
        if admits_unknown {
            println!("{name} is decided; its header says unknown");
        }
        return None;
    }
    if verdict == "unknown" && admits_unknown {
        return None;
    }
    let reasons: Vec<String> = analysis
        .report
        .reasons
        .iter()
        .map(|(reason, count)| format!("{reason} ({count})"))
        .collect();
    Some(format!(
        "{name}: {verdict} instead of {expected}: {}",
        reasons.join(", ")
    ))
}

/// The programs of a theme.
fn programs(theme: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(repository("tests/corpus").join(theme))
        .expect("the theme is a folder of the corpus")
        .map(|entry| entry.expect("the folder is readable").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "c" || extension == "mc")
        })
        .collect();
    files.sort();
    files
}

fn check_theme(theme: &str, n_programs: usize) {
    let files = programs(theme);
    assert!(files.len() >= n_programs, "{theme} has lost programs");
    let techniques = [
        Techniques::usual(),
        Techniques::only(Technique::Compact),
        Techniques::only(Technique::Classic),
        Techniques::only(Technique::Necessary),
    ];
    let wrong: Vec<String> = files
        .iter()
        .flat_map(|file| {
            techniques
                .iter()
                .filter_map(|techniques| check(file, techniques))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn integers() {
    check_theme("integers", 24);
}

#[test]
fn control() {
    check_theme("control", 16);
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
    check_theme("written_arrays", 7);
}

/// Loops that count in memory.
#[test]
fn cells() {
    check_theme("cells", 8);
}

#[test]
fn subsumption() {
    check_theme("subsumption", 12);
}

#[test]
fn floats() {
    check_theme("floats", 14);
}

#[test]
fn merging() {
    check_theme("merging", 12);
}

/// Whatever is merged, no verdict is wrong, and none is lost that does not need the one or the other.
#[test]
fn merging_by_every_strategy() {
    let needs_merging = |file: &Path, strategy| {
        let name = file.file_name().and_then(|name| name.to_str());
        let decides = [MergeStrategy::Aggressive, MergeStrategy::Dynamic].contains(&strategy);
        !decides && name.is_some_and(|name| name.starts_with("thirty"))
    };
    let mut wrong = Vec::new();
    for strategy in [
        MergeStrategy::None,
        MergeStrategy::Aggressive,
        MergeStrategy::Lattice,
        MergeStrategy::Recursive,
        MergeStrategy::Dynamic,
    ] {
        for theme in ["merging", "control", "inputs", "calls"] {
            for file in programs(theme) {
                let text = std::fs::read_to_string(&file).expect("programs are text");
                let expected = header(&text, "verdict").expect("the header has a verdict");
                let classic = Techniques::only(Technique::Classic);
                let target = header(&text, "target");
                let analysis = merging_by(Some(strategy), &file, target, &classic, MOST_IN_VAIN);
                let verdict = analysis.report.verdict.name();
                let may_be_unknown = theme != "merging" || needs_merging(&file, strategy);
                if verdict != expected && !(verdict == "unknown" && may_be_unknown) {
                    let (file, strategy) = (file.display(), strategy.name());
                    wrong.push(format!("{file}, {strategy}: {verdict}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn library() {
    check_theme("library", 14);
}

#[test]
fn induction() {
    check_theme("induction", 7);
}

/// Loops with phases, turns, resets and nests of them.
#[test]
fn automata() {
    check_theme("automata", 42);
}

/// Each of them within the work of ten seconds, by templates alone.
#[test]
fn automata_are_decided_by_templates() {
    let techniques = Techniques::only(Technique::Compact);
    for file in programs("automata") {
        let text = std::fs::read_to_string(&file).expect("programs are text");
        let found = analysis(&file, None, &techniques, Work::seconds(10));
        let verdict = found.report.verdict.name();
        assert_eq!(
            Some(verdict),
            header(&text, "verdict"),
            "{}",
            file.display()
        );
    }
}

/// Whether all loops cut prove the program right; nothing else is tried.
fn is_proved_by_induction(file: &Path) -> bool {
    let text = std::fs::read_to_string(file).expect("programs are text");
    let mut loading = LoadOptions::new([file]);
    loading.executable = Some(PathBuf::from(env!("CARGO_BIN_EXE_compact-se")));
    if let Some(target) = header(&text, "target") {
        loading.target = target.parse().expect("the header names a target");
    }
    let mut options = AnalysisOptions::new(loading);
    options.execution.budget.time = TIME;
    options.execution.budget.work = Some(Work::seconds(20));
    let loaded = load(&options.load).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    prove_by_induction(&options, &loaded.program).is_some()
}

#[test]
fn induction_proves_nothing_that_is_not_so() {
    let themes = [
        "control",
        "loops",
        "whole_loops",
        "written_arrays",
        "subsumption",
        "regression",
        "inputs",
        "induction",
    ];
    let mut wrong = Vec::new();
    for file in themes.into_iter().flat_map(programs) {
        let text = std::fs::read_to_string(&file).expect("programs are text");
        let is_proved = is_proved_by_induction(&file);
        let is_safe = header(&text, "verdict") == Some("unreachable");
        let is_wanted = header(&text, "induction") == Some("proved");
        if (is_proved && !is_safe) || (is_wanted && !is_proved) {
            wrong.push(format!("{}: proved: {is_proved}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
