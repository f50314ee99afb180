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

use crate::support::{affordable, header, repository, sample};
use compact_se::analysis::{
    AnalysisOptions, CheckChoice, Contribution, Technique, Techniques, analyze_loaded,
    prove_by_induction, prove_by_k_induction,
};
use compact_se::frontend::{LoadOptions, Loaded, load};
use compact_se::symex::{MergeStrategy, Report};
use compact_se::term::Work;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// For a file that is to be decided; most take some milliseconds, the longest some seconds.
const MOST: Work = Work::seconds(60);

/// For what decides some files only.
const MOST_OF_NECESSARY: Work = Work::millis(200);

/// What a technique may do beyond the work that it is given.
const SLACK: Work = Work::millis(200);

/// For a file that need not be decided.
const MOST_IN_VAIN: Work = Work::millis(200);

/// For a strategy of merging that need not decide.
const MOST_OF_MERGING: Work = Work::millis(300);

/// The machine may be busy: only work decides what is given up.
const TIME: Duration = Duration::from_secs(600);

/// A program of the corpus, loaded once for all ways of analysing it.
struct Subject {
    file: PathBuf,
    text: String,
    options: AnalysisOptions,
    loaded: Loaded,
}

impl Subject {
    fn read(file: PathBuf) -> Subject {
        let text = std::fs::read_to_string(&file).expect("programs are text");
        let mut loading = LoadOptions::new([&file]);
        loading.executable = Some(PathBuf::from(env!("CARGO_BIN_EXE_compact-se")));
        if let Some(target) = header(&text, "target") {
            loading.target = target.parse().expect("the header names a target");
        }
        // A program in microc has no target but its errors.
        let is_microc = file.extension().is_some_and(|extension| extension == "mc");
        loading.allow_missing_target = is_microc;
        let mut options = AnalysisOptions::new(loading);
        if is_microc {
            options.checks = CheckChoice::Usual;
        }
        options.execution.budget.time = TIME;
        let loaded = load(&options.load_options())
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        Subject {
            file,
            text,
            options,
            loaded,
        }
    }

    fn header(&self, key: &str) -> Option<&str> {
        header(&self.text, key)
    }

    fn expected(&self) -> &str {
        self.header("verdict").expect("the header has a verdict")
    }

    fn analyze(&self, techniques: &Techniques, work: Work) -> Report {
        let (report, contributions) =
            self.analyze_merging(self.options.execution.merging, techniques, work);
        for one in contributions {
            // What is asked last, and how it is made, comes on top.
            let is_kept = one.technique != Technique::Necessary || one.work < work * 2 + SLACK;
            let (file, done) = (self.file.display(), one.work);
            assert!(
                is_kept,
                "{file}: {done} for a necessary condition instead of {work}"
            );
        }
        report
    }

    /// The same with another strategy of merging.
    fn analyze_merging(
        &self,
        strategy: MergeStrategy,
        techniques: &Techniques,
        work: Work,
    ) -> (Report, Vec<Contribution>) {
        let mut options = self.options.clone();
        options.techniques = techniques.clone();
        options.execution.merging = strategy;
        options.execution.budget.work = Some(work);
        analyze_loaded(&options, &self.loaded, &mut |_| ())
    }

    /// What is wrong with the answers of those techniques that are to look at this program.
    fn check_by(&self, ways: &[(Vec<PathBuf>, Techniques)]) -> Vec<String> {
        let ways = ways.iter().filter(|(files, _)| files.contains(&self.file));
        ways.filter_map(|(_, techniques)| self.check(techniques))
            .collect()
    }

    /// What is wrong with the answer of these techniques; nothing if all is right.
    fn check(&self, techniques: &Techniques) -> Option<String> {
        let name = format!("{} ({})", self.file.display(), techniques.name());
        // What a technique decides alone, all of them decide together. Headers speak of the first tier.
        let is_named = |one: &Technique| matches!(one, Technique::Compact | Technique::Classic);
        let mut alone = techniques.iter().filter(is_named);
        let admits_unknown = alone.all(|one| self.header(one.name()) == Some("unknown"));
        let is_complete = techniques.iter().any(Technique::is_complete);
        let work = match (admits_unknown, is_complete) {
            (false, _) => MOST,
            (true, true) => MOST_IN_VAIN,
            (true, false) => MOST_OF_NECESSARY,
        };
        let report = self.analyze(techniques, work);
        let (verdict, expected) = (report.verdict.name(), self.expected());
        if verdict == expected {
            if admits_unknown {
                println!("{name} is decided; its header says unknown");
            }
            return None;
        }
        if verdict == "unknown" && admits_unknown {
            return None;
        }
        let reasons: Vec<String> = report
            .reasons
            .iter()
            .map(|(reason, count)| format!("{reason} ({count})"))
            .collect();
        Some(format!(
            "{name}: {verdict} instead of {expected}: {}",
            reasons.join(", ")
        ))
    }
}

/// The programs of a theme.
fn programs(theme: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(repository("tests/corpus").join(theme))
        .expect("the theme is a folder of the corpus")
        .map(|entry| entry.expect("the folder is readable").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| ["c", "cpp", "mc"].iter().any(|known| extension == *known))
        })
        .collect();
    files.sort();
    files
}

/// Every other program of a theme by default, and a quarter each by compact execution, by classic execution and by
/// necessary conditions alone, so that each is looked at.
fn check_theme(theme: &str, n_programs: usize) {
    let files = programs(theme);
    assert!(files.len() >= n_programs, "{theme} has lost programs");
    let files = affordable(files);
    let alone = |first, technique| (sample(files.clone(), first, 4), Techniques::only(technique));
    let ways = [
        (sample(files.clone(), 1, 2), Techniques::usual()),
        alone(0, Technique::Compact),
        alone(1, Technique::Classic),
        alone(2, Technique::Necessary),
    ];
    let subjects = files.into_iter().map(Subject::read);
    let wrong: Vec<String> = subjects.flat_map(|one| one.check_by(&ways)).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
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
    check_theme("memory", 39);
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
    check_theme("written_arrays", 16);
}

/// Sums of what is computed in a narrower type.
#[test]
fn sums() {
    check_theme("sums", 9);
}

/// Loops that count in memory.
#[test]
fn cells() {
    check_theme("cells", 8);
}

/// Programs in C++.
#[test]
fn cplusplus() {
    check_theme("cplusplus", 14);
}

#[test]
fn subsumption() {
    check_theme("subsumption", 12);
}

#[test]
fn floats() {
    check_theme("floats", 20);
}

#[test]
fn merging() {
    check_theme("merging", 14);
}

/// Whatever is merged, no verdict is wrong, and none is lost that does not need the one or the other.
#[test]
fn merging_by_every_strategy() {
    let needs_merging = |file: &Path, strategy| {
        let name = file.file_name().and_then(|name| name.to_str());
        let decides = [MergeStrategy::Aggressive, MergeStrategy::Dynamic].contains(&strategy);
        !decides && name.is_some_and(|name| name.starts_with("thirty") || name.starts_with("flags"))
    };
    let strategies = [
        MergeStrategy::None,
        MergeStrategy::Aggressive,
        MergeStrategy::Lattice,
        MergeStrategy::Recursive,
        MergeStrategy::Dynamic,
    ];
    let classic = Techniques::only(Technique::Classic);
    let mut wrong = Vec::new();
    for theme in ["merging", "control", "inputs", "calls"] {
        let one_in = if theme == "merging" { 2 } else { 6 };
        for subject in sample(programs(theme), 0, one_in)
            .into_iter()
            .map(Subject::read)
        {
            for strategy in strategies {
                let may_be_unknown = theme != "merging" || needs_merging(&subject.file, strategy);
                let work = if may_be_unknown {
                    MOST_OF_MERGING
                } else {
                    MOST
                };
                let (report, _) = subject.analyze_merging(strategy, &classic, work);
                let verdict = report.verdict.name();
                if verdict != subject.expected() && !(verdict == "unknown" && may_be_unknown) {
                    let (file, strategy) = (subject.file.display(), strategy.name());
                    wrong.push(format!("{file}, {strategy}: {verdict}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Whatever is deferred, no verdict is wrong: every question stays open at first.
#[test]
fn every_question_is_asked_again() {
    let techniques = Techniques::only(Technique::Classic);
    let themes = ["control", "loops", "subsumption"];
    let mut wrong = Vec::new();
    let files = sample(themes.into_iter().flat_map(programs), 1, 6);
    for mut subject in files.into_iter().map(Subject::read) {
        subject.options.execution.budget.queries.first = Some(Work::units(1000));
        let verdict = subject.analyze(&techniques, MOST_IN_VAIN).verdict.name();
        if verdict != "unknown" && verdict != subject.expected() {
            wrong.push(format!("{}: {verdict}", subject.file.display()));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn jumps() {
    check_theme("jumps", 10);
}

#[test]
fn library() {
    check_theme("library", 16);
}

#[test]
fn induction() {
    check_theme("induction", 7);
}

/// Loops with phases, turns, resets and nests of them, every other one decided by templates alone within the work of
/// ten seconds. The default, classic execution and necessary conditions have a sixth each.
#[test]
fn automata() {
    let files = programs("automata");
    assert!(files.len() >= 67, "automata has lost programs");
    let files = affordable(files);
    let templates = Techniques::only(Technique::Compact);
    let ways = [
        (sample(files.clone(), 0, 6), Techniques::usual()),
        (
            sample(files.clone(), 2, 6),
            Techniques::only(Technique::Classic),
        ),
        (
            sample(files.clone(), 4, 6),
            Techniques::only(Technique::Necessary),
        ),
    ];
    let mut wrong = Vec::new();
    for file in sample(files, 0, 2) {
        let subject = Subject::read(file);
        let found = subject.analyze(&templates, Work::seconds(10));
        let (verdict, name) = (found.verdict.name(), subject.file.display());
        assert_eq!(verdict, subject.expected(), "{name}");
        wrong.extend(subject.check_by(&ways));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn annotations() {
    check_theme("annotations", 9);
}

/// Annotations of locations decide what headers say, alone and where states are merged besides, and no
/// answer of theirs is wrong.
#[test]
fn annotations_close_nothing_that_matters() {
    let techniques = Techniques::only(Technique::Annotations);
    let themes = ["annotations", "control", "loops", "subsumption"];
    let mut wrong = Vec::new();
    let files = themes.into_iter().flat_map(programs);
    let is_wanted = |file: &PathBuf| {
        let text = std::fs::read_to_string(file).expect("programs are text");
        header(&text, "annotations") == Some("decided")
    };
    let (wanted, others): (Vec<PathBuf>, Vec<PathBuf>) = files.partition(is_wanted);
    let files = wanted.into_iter().chain(sample(others, 0, 6));
    for subject in files.map(Subject::read) {
        let is_wanted = subject.header("annotations") == Some("decided");
        let work = if is_wanted {
            Work::seconds(10)
        } else {
            MOST_OF_NECESSARY
        };
        let mut strategies = vec![MergeStrategy::None];
        if is_wanted {
            strategies.push(MergeStrategy::Aggressive);
        }
        for strategy in strategies {
            let (report, _) = subject.analyze_merging(strategy, &techniques, work);
            let verdict = report.verdict.name();
            let may_be_unknown = !is_wanted || strategy != MergeStrategy::None;
            if verdict != subject.expected() && !(verdict == "unknown" && may_be_unknown) {
                let (file, strategy) = (subject.file.display(), strategy.name());
                wrong.push(format!("{file}, {strategy}: {verdict}"));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// What this proof alone must prove, by the headers, and what it must not: nothing is proved that is not so.
fn check_proof(name: &str, themes: &[&str], is_proved: &dyn Fn(&Subject, Work) -> bool) {
    let (mut wanted, mut false_ones) = (Vec::new(), Vec::new());
    for file in themes.iter().flat_map(|theme| programs(theme)) {
        let text = std::fs::read_to_string(&file).expect("programs are text");
        // Whatever is found of the others is right.
        if header(&text, name) == Some("proved") {
            wanted.push(file);
        } else if header(&text, "verdict") != Some("unreachable") {
            false_ones.push(file);
        }
    }
    let wanted = wanted.into_iter().map(|file| (file, Work::seconds(20)));
    let false_ones = sample(false_ones, 0, 6).into_iter();
    let false_ones = false_ones.map(|file| (file, MOST_IN_VAIN));
    let mut wrong = Vec::new();
    for (is_wanted, (file, work)) in
        (wanted.map(|one| (true, one))).chain(false_ones.map(|one| (false, one)))
    {
        if is_proved(&Subject::read(file.clone()), work) != is_wanted {
            wrong.push(format!("{}: proved: {}", file.display(), !is_wanted));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
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
        "k_induction",
    ];
    check_proof("induction", &themes, &|subject, work| {
        let mut options = subject.options.clone();
        options.execution.budget.work = Some(work);
        prove_by_induction(&options, &subject.loaded.program).is_some()
    });
}

/// The same with several iterations together.
#[test]
fn k_induction_proves_nothing_that_is_not_so() {
    let themes = [
        "control",
        "loops",
        "whole_loops",
        "written_arrays",
        "subsumption",
        "regression",
        "inputs",
        "induction",
        "k_induction",
        "recursion",
        "memory",
    ];
    check_proof("k-induction", &themes, &|subject, work| {
        let mut options = subject.options.clone();
        options.execution.budget.work = Some(work);
        prove_by_k_induction(&options, &subject.loaded.program).is_some()
    });
}

#[test]
fn k_induction() {
    check_theme("k_induction", 13);
}
