//! Random programs against native runs on all of their inputs.
//!
//! A program reads two bytes; what it does on each of the 65,536 inputs is known by running it, with
//! a check before each operation that can go wrong (`prelude.h`). Then it is analysed by default, classically, and
//! as bitcode that clang has optimised or by one technique alone or with merging; where the environment has
//! `THOROUGH`, by all of them. An answer is wrong if it is
//!
//! - *unreachable*, and some input leads to the target or to undefined behaviour,
//! - *reachable*, and none leads to the target.
//!
//! In optimised bitcode undefined behaviour, traps among it, may have become anything. *Unknown* is
//! never wrong, and counted.
//!
//! ```text
//! THOROUGH=1 RANDOM_PROGRAMS=2000 RANDOM_SEED=1 cargo test --test all random_programs:: -- --nocapture
//! ```
//!
//! A wrong answer is shown with the program, made as small as it remains wrong.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]
#![allow(clippy::print_stdout, reason = "a long run shows how far it is")]

mod generate;
mod truth;

use crate::support::is_thorough;
use compact_se::analysis::{AnalysisOptions, Technique, Techniques, analyze_loaded};
use compact_se::frontend::{LoadOptions, Loaded, load};
use compact_se::symex::{MergeStrategy, Verdict};
use generate::Program;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;
use truth::{Truth, truth};

const CLANG: &str = "/usr/lib/llvm-19/bin/clang";
/// Milliseconds for one analysis; most take a few. `RANDOM_MILLISECONDS` says otherwise.
const MILLISECONDS: u64 = 300;

/// How a program is analysed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Way {
    Default,
    Classic,
    /// Classically, and all states that can be are merged.
    Merged,
    Induction,
    KInduction,
    Necessary,
    Horn,
    Navigation,
    Annotations,
    Optimised,
}

impl Way {
    const ALL: [Way; 10] = [
        Way::Default,
        Way::Classic,
        Way::Merged,
        Way::Induction,
        Way::KInduction,
        Way::Necessary,
        Way::Horn,
        Way::Navigation,
        Way::Annotations,
        Way::Optimised,
    ];

    /// How the program of a seed is analysed: by default, classically, and optimised or in one more way; in all of them
    /// where the environment has `THOROUGH`, or something went wrong with it once.
    fn of(seed: u64) -> Vec<Way> {
        let always = [Way::Default, Way::Classic];
        if is_thorough() || EARLIER.contains(&seed) {
            return Way::ALL.to_vec();
        }
        if seed.is_multiple_of(2) {
            return [&always[..], &[Way::Optimised]].concat();
        }
        let is_other = |way: &Way| !always.contains(way) && *way != Way::Optimised;
        let others: Vec<Way> = Way::ALL.into_iter().filter(is_other).collect();
        let turn = usize::try_from(seed / 2).unwrap() % others.len();
        [&always[..], &[others[turn]]].concat()
    }

    /// The technique that answers, if it is one alone.
    fn technique(self) -> Option<Technique> {
        match self {
            Way::Classic | Way::Merged => Some(Technique::Classic),
            Way::Induction => Some(Technique::Induction),
            Way::KInduction => Some(Technique::KInduction),
            Way::Necessary => Some(Technique::Necessary),
            Way::Horn => Some(Technique::Horn),
            Way::Navigation => Some(Technique::Navigation),
            Way::Annotations => Some(Technique::Annotations),
            Way::Default | Way::Optimised => None,
        }
    }

    /// What is wrong with the answer.
    fn fault(self, verdict: &Verdict, truth: &Truth) -> Option<&'static str> {
        let is_optimised = self == Way::Optimised;
        let anything_goes = is_optimised && (truth.undefined > 0 || truth.trap > 0);
        match verdict {
            Verdict::Unreachable if truth.target > 0 => Some("unreachable, but it is reached"),
            Verdict::Unreachable if truth.undefined > 0 && !is_optimised => {
                Some("unreachable, but there is undefined behaviour")
            }
            Verdict::Reachable(_) if truth.target == 0 && !anything_goes => {
                Some("reachable, but it is not reached")
            }
            Verdict::Unreachable | Verdict::Reachable(_) | Verdict::Unknown => None,
        }
    }
}

fn load_file(path: &Path) -> Result<Loaded, String> {
    let mut options = LoadOptions::new([path]);
    options.executable = Some(PathBuf::from(env!("CARGO_BIN_EXE_compact-se")));
    options.allow_missing_target = true;
    load(&options).map_err(|error| error.to_string())
}

/// The answer, with the reasons if there is none.
fn answer(loaded: &Loaded, way: Way) -> (Verdict, String) {
    let mut options = AnalysisOptions::new(LoadOptions::new(Vec::<PathBuf>::new()));
    let time = number("RANDOM_MILLISECONDS", MILLISECONDS);
    options.execution.budget.time = Duration::from_millis(time);
    if let Some(technique) = way.technique() {
        options.techniques = Techniques::only(technique);
    }
    match way {
        Way::Classic => options.execution.merging = MergeStrategy::None,
        Way::Merged => options.execution.merging = MergeStrategy::Aggressive,
        Way::Optimised => options.execution.merging = MergeStrategy::Dynamic,
        Way::Default
        | Way::Induction
        | Way::KInduction
        | Way::Necessary
        | Way::Horn
        | Way::Navigation
        | Way::Annotations => {}
    }
    let (report, _) = analyze_loaded(&options, loaded, &mut |_| ());
    let reasons: Vec<String> = (report.reasons.iter())
        .map(|(reason, _)| reason.to_string())
        .collect();
    (report.verdict, reasons.join("; "))
}

/// A folder for the files of one program after the other.
struct Workshop {
    folder: tempfile::TempDir,
}

impl Workshop {
    fn new() -> Workshop {
        let folder = tempfile::tempdir().unwrap();
        let prelude = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/random_programs/prelude.h"
        );
        std::fs::copy(prelude, folder.path().join("prelude.h")).unwrap();
        Workshop { folder }
    }

    fn write(&self, program: &Program) -> PathBuf {
        let source = self.folder.path().join("program.c");
        std::fs::write(&source, program.text()).unwrap();
        source
    }

    fn truth(&self, program: &Program) -> Result<Option<Truth>, String> {
        truth(CLANG, self.folder.path(), &self.write(program))
    }

    fn load(&self, program: &Program, way: Way) -> Result<Loaded, String> {
        let source = self.write(program);
        if way != Way::Optimised {
            return load_file(&source);
        }
        let bitcode = self.folder.path().join("program.bc");
        let compiled = Command::new(CLANG)
            .args(["-O2", "-fwrapv", "-w", "-emit-llvm", "-c", "-o"])
            .arg(&bitcode)
            .arg(&source)
            .status()
            .map_err(|error| error.to_string())?;
        if !compiled.success() {
            return Err("clang fails".to_owned());
        }
        load_file(&bitcode)
    }

    /// What is wrong with the answer to a program, if one of the given kind is.
    fn fault(&self, program: &Program, way: Way) -> Option<&'static str> {
        let truth = self.truth(program).ok()??;
        let loaded = self.load(program, way).ok()?;
        way.fault(&answer(&loaded, way).0, &truth)
    }

    /// The program with as few statements as the answer remains wrong in the same way.
    fn minimised(&self, program: &Program, way: Way, fault: &str) -> Program {
        let mut best = program.clone();
        while let Some(smaller) =
            (best.smaller().into_iter()).find(|smaller| self.fault(smaller, way) == Some(fault))
        {
            best = smaller;
        }
        best
    }
}

fn number(variable: &str, otherwise: u64) -> u64 {
    let text = std::env::var(variable).ok();
    text.map_or(otherwise, |text| text.parse().expect("a number"))
}

/// Seeds of programs with which something went wrong once, beyond an answer: states whose terms share their parts were
/// compared as trees, in all the memory there is (30067).
const EARLIER: [u64; 1] = [30067];

/// What came of programs.
#[derive(Default)]
struct Outcomes {
    counts: BTreeMap<(Way, &'static str), u64>,
    reasons: BTreeMap<String, u64>,
    wrong: Vec<String>,
    n_too_long: u64,
}

impl Outcomes {
    fn add(&mut self, other: Outcomes) {
        for (what, count) in other.counts {
            *self.counts.entry(what).or_default() += count;
        }
        for (reason, count) in other.reasons {
            *self.reasons.entry(reason).or_default() += count;
        }
        self.wrong.extend(other.wrong);
        self.n_too_long += other.n_too_long;
    }

    /// Looks at the program of a seed.
    fn look_at(&mut self, seed: u64, workshop: &Workshop) {
        let program = generate::program(seed);
        let truth = workshop.truth(&program);
        let truth =
            truth.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", program.text()));
        let Some(truth) = truth else {
            self.n_too_long += 1;
            return;
        };
        let mut loaded = None;
        for way in Way::of(seed) {
            if way.technique().is_none() {
                let again = workshop.load(&program, way);
                loaded = Some(again.unwrap_or_else(|error| panic!("seed {seed}: {error}")));
            }
            let (verdict, why) = answer(loaded.as_ref().unwrap(), way);
            *self.counts.entry((way, verdict.name())).or_default() += 1;
            if matches!(verdict, Verdict::Unknown) {
                *self.reasons.entry(why).or_default() += 1;
            }
            if let Some(fault) = way.fault(&verdict, &truth) {
                println!("seed {seed}, {way:?}: {fault}; {truth:?}");
                let smallest = workshop.minimised(&program, way, fault).text();
                println!("{smallest}");
                (self.wrong).push(format!("seed {seed}, {way:?}: {fault}\n{smallest}"));
            }
        }
    }
}

#[test]
fn no_answer_is_wrong() {
    let n_usually = if is_thorough() { 200 } else { 40 };
    let (first, n) = (
        number("RANDOM_SEED", 1),
        number("RANDOM_PROGRAMS", n_usually),
    );
    let seeds = Mutex::new((first..first + n).chain(EARLIER));
    let next = || seeds.lock().unwrap().next();
    let look = || {
        let (workshop, mut outcomes) = (Workshop::new(), Outcomes::default());
        while let Some(seed) = next() {
            outcomes.look_at(seed, &workshop);
        }
        outcomes
    };
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut all = Outcomes::default();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..n_threads).map(|_| scope.spawn(look)).collect();
        for thread in threads {
            all.add(thread.join().unwrap());
        }
    });
    let (counts, n_too_long) = (&all.counts, all.n_too_long);
    println!(
        "{n} programs from seed {first} and {EARLIER:?}, {n_too_long} run too long: {counts:?}"
    );
    for (reason, count) in all.reasons {
        println!("unknown {count} times: {reason}");
    }
    assert!(
        all.wrong.is_empty(),
        "{} answers are wrong:\n{}",
        all.wrong.len(),
        all.wrong.join("\n")
    );
    let decided = counts
        .iter()
        .filter(|((_, verdict), _)| *verdict != "unknown");
    assert!(
        decided.map(|(_, count)| count).sum::<u64>() > n,
        "most answers are decided"
    );
}
