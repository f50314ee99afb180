//! `compact-se cover` on microc: goals, tests that the interpreter runs, and what is refused.

use super::agreement::{inputs, program, seeds};
use super::{checked, interpreted, loaded_with};
use crate::frontend::interpreter::{self, Machine};
use assert_cmd::Command;
use compact_se::analysis::cover::{Cover, CoverOptions, GoalStatus, Proof, cover};
use compact_se::analysis::{AnalysisOptions, CheckChoice, analyze};
use compact_se::flowgraph::Granularity;
use compact_se::frontend::microc::End;
use compact_se::frontend::{GoalKind, Goals, LoadOptions, Loaded, Side, WithoutCode};
use compact_se::property::Checks;
use compact_se::replay::{
    self, Build, InputRecord, Inputs, LanguageError, Passage, ReplayLimits, ReplayOutcome,
};
use compact_se::term::{Bv, Work};
use std::collections::BTreeSet;
use std::path::PathBuf;
use tempfile::TempDir;

/// Writes a program into a folder of its own.
fn written(text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("program.mc");
    std::fs::write(&path, text).unwrap();
    (folder, path)
}

fn covered(text: &str, change: impl FnOnce(&mut CoverOptions)) -> Cover {
    let (_folder, path) = written(text);
    let mut options = CoverOptions {
        analysis: AnalysisOptions::new(LoadOptions::new([path])),
        goals: Goals::BranchesAndLines,
    };
    options.analysis.checks = CheckChoice::Usual;
    change(&mut options);
    cover(&options, &mut |_, _| ()).unwrap_or_else(|error| panic!("{error} in\n{text}"))
}

/// The goals as people name them, with `+` covered, `-` dead, `?` open.
fn told(cover: &Cover) -> Vec<String> {
    let goals = cover.loaded.goals.iter().zip(&cover.statuses);
    goals
        .map(|(goal, status)| {
            let status = match status {
                GoalStatus::Covered(_) => '+',
                GoalStatus::Dead(_) => '-',
                GoalStatus::Open(_) => '?',
            };
            match goal.kind {
                GoalKind::Branch(side) => {
                    format!("{status}{}:{} {side}", goal.line, goal.column)
                }
                GoalKind::Line | GoalKind::Call(_) => format!("{status}{}", goal.line),
            }
        })
        .collect()
}

/// Runs a program with numbers for `input`.
fn passed(loaded: &Loaded, numbers: &[i32]) -> Passage {
    let records = numbers.iter().map(|number| InputRecord {
        name: "input".to_owned(),
        value: replay::InputValue::Int(Bv::from_i64(32, i64::from(*number))),
    });
    let inputs = Inputs {
        records: records.collect(),
        ..Inputs::default()
    };
    let program = loaded.replayer.prepare(Build::Plain).unwrap();
    program.pass(&inputs, &ReplayLimits::default()).unwrap()
}

#[test]
fn every_goal_is_covered_or_dead() {
    let cover = covered(
        "main() {\n  var n, i;\n  n = input;\n  i = 0;\n  while (i < n)\n    i = i + 4;\n  if (i == 15)\n    \
         output 1;\n  else\n    output 2;\n  if (n == 77 && !(i > 80))\n    output 3;\n  return i;\n}\n",
        |_| (),
    );
    // Lines first; a multiple of four is never 15, and 80 is the first that is not below 77.
    assert_eq!(
        told(&cover),
        [
            "+3",
            "+4",
            "+5",
            "+6",
            "+7",
            "-8",
            "+10",
            "+11",
            "+12",
            "+13",
            "+5:12 true",
            "+5:12 false",
            "-7:9 true",
            "+7:9 false",
            "+11:9 true",
            "+11:9 false",
            "-11:22 true",
            "+11:22 false",
        ]
    );
    for test in &cover.tests {
        assert!(matches!(test.outcome, ReplayOutcome::NotReached(_)));
    }
}

#[test]
fn a_line_that_functions_share_is_covered_by_each() {
    let cover = covered("unused() { return 1; } main() { return 0; }\n", |_| ());
    assert_eq!(told(&cover), ["+1"]);
}

#[test]
fn a_target_behind_an_access_out_of_bounds_is_not_reached_that_way() {
    let text = "main() {\n  var a, i;\n  a = [1, 2];\n  i = input;\n  i = a[i];\n  if (i == 3)\n    \
                output 1;\n  return 0;\n}\n";
    let (_folder, path) = written(text);
    let mut load = LoadOptions::new([path]);
    load.target = "program.mc:7".parse().unwrap();
    let mut options = AnalysisOptions::new(load);
    options.checks = CheckChoice::These(Checks::NONE);
    let report = analyze(&options, &mut |_| ()).unwrap().report;
    let reasons: Vec<String> = report
        .reasons
        .iter()
        .map(|(why, _)| why.to_string())
        .collect();
    assert_eq!(report.verdict.name(), "unreachable", "{reasons:?}");
    assert!(report.undefined.is_empty(), "the language defines it");
}

#[test]
fn errors_end_executions_and_are_listed() {
    let text = "main() {\n  var a, i, p;\n  a = [1, 2];\n  p = null;\n  i = input;\n  i = a[i];\n  if (i == 3)\n    \
                output 1;\n  if (i == 1)\n    i = *p;\n  output i;\n  return 0;\n}\n";
    let cover = covered(text, |_| ());
    let dead: Vec<String> = told(&cover)
        .into_iter()
        .filter(|goal| !goal.starts_with('+'))
        .collect();
    // Behind the access there is 1 or 2; nothing stands in the way of saying so.
    assert_eq!(dead, ["-8", "-7:9 true"]);
    assert_eq!(cover.errors.len(), 2, "out of bounds, and null");
    assert!(cover.undefined.is_empty(), "errors of microc are defined");
    let ends: BTreeSet<String> = cover
        .tests
        .iter()
        .map(|test| format!("{:?}", test.outcome))
        .collect();
    let null = ReplayOutcome::Erred(LanguageError::NullDereference, (10, 9));
    assert!(
        ends.contains(&format!("{null:?}")),
        "line 10 ends so: {ends:?}"
    );
}

#[test]
fn conditions_in_expressions_have_sides_and_unused_functions_are_dead() {
    let cover = covered(
        "unused(x) {\n  return x || 1;\n}\nf(x) {\n  return x > 2 || x == 0;\n}\nmain() {\n  return f(input) * \
         !input;\n}\n",
        |_| (),
    );
    assert_eq!(
        told(&cover),
        [
            "-2",
            "-2:10 true",
            "-2:10 false",
            "-2:15 true",
            "-2:15 false",
            "+5",
            "+5:12 true",
            "+5:12 false",
            "+5:21 true",
            "+5:21 false",
            "+8",
        ]
    );
    let unused = GoalStatus::Dead(Proof::WithoutCode(WithoutCode::UnusedFunction));
    assert_eq!(cover.statuses[1], unused);
    assert_eq!(cover.loaded.goals[1].kind, GoalKind::Branch(Side::True));
}

#[test]
fn goals_are_passed_alike_in_flowgraph_and_interpreter() {
    let mut n_goals = 0;
    for seed in seeds(100) {
        let text = program(seed);
        let lowered = loaded_with(&text, |options| {
            options.goals = Goals::BranchesAndLines;
            options.inline = seed % 2 == 0;
            if seed % 3 == 0 {
                options.granularity = Granularity::Split;
            }
        });
        let source = checked(&text);
        let mut random = fastrand::Rng::with_seed(seed);
        for _ in 0..5 {
            let numbers = inputs(&mut random);
            // A run without end takes all the time of a replay.
            if matches!(interpreted(&source, &numbers).0, End::Limit(_)) {
                continue;
            }
            let run = passed(&lowered, &numbers);
            let is_end = match run.outcome {
                ReplayOutcome::Erred(error, _) => error != LanguageError::OutOfBounds,
                ReplayOutcome::NotReached(_) => true,
                _ => false,
            };
            let given = numbers.iter().map(|n| Bv::from_i64(32, i64::from(*n)));
            let given = interpreter::Inputs::new(given.collect(), seed);
            let mut machine = Machine::new(&lowered.program, given);
            if !is_end || machine.run() == interpreter::End::TooLong {
                continue;
            }
            let goals: BTreeSet<u32> = run.goals.into_iter().collect();
            n_goals += goals.len();
            assert_eq!(
                machine.passed, goals,
                "seed {seed}, inputs {numbers:?}\n{text}"
            );
        }
    }
    assert!(n_goals > 500, "only {n_goals} goals were passed");
}

#[test]
fn no_random_input_passes_what_is_dead() {
    let (mut n_dead, mut n_covered) = (0, 0);
    for seed in seeds(25) {
        let text = program(seed);
        let source = checked(&text);
        let cover = covered(&text, |options| {
            let policy = &mut options.analysis.policy.cover;
            policy.barren = Work::millis(100);
            policy.conditions = Work::millis(20);
            policy.together = Work::millis(200);
            policy.all = Work::ZERO;
        });
        let is_of = |status: &GoalStatus, dead: bool| match status {
            GoalStatus::Covered(_) => !dead,
            GoalStatus::Dead(_) => dead,
            GoalStatus::Open(_) => false,
        };
        let dead = |goal: &u32| is_of(&cover.statuses[*goal as usize], true);
        n_dead += cover
            .statuses
            .iter()
            .filter(|status| is_of(status, true))
            .count();
        n_covered += cover
            .statuses
            .iter()
            .filter(|status| is_of(status, false))
            .count();
        let mut random = fastrand::Rng::with_seed(seed);
        for _ in 0..50 {
            let numbers = inputs(&mut random);
            // A run without end takes all the time of a replay.
            if matches!(interpreted(&source, &numbers).0, End::Limit(_)) {
                continue;
            }
            let run = passed(&cover.loaded, &numbers);
            let wrong: Vec<u32> = run.goals.into_iter().filter(dead).collect();
            assert!(
                wrong.is_empty(),
                "seed {seed}: {wrong:?} of {:?}, inputs {numbers:?}\n{text}",
                told(&cover)
            );
        }
    }
    assert!(
        n_dead > 10 && n_covered > 50,
        "{n_dead} dead, {n_covered} covered"
    );
}

fn run(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("compact-se").unwrap();
    let output = command.args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let code = output.status.code().unwrap();
    (code, text(output.stdout), text(output.stderr))
}

const TWO_INPUTS: &str =
    "main(k) {\n  if (k == 7)\n    if (input + input == -5)\n      output 1;\n  return k;\n}\n";

#[test]
fn tests_are_files_that_the_interpreter_takes() {
    let (folder, path) = written(TWO_INPUTS);
    let (tests, html) = (
        folder.path().join("tests"),
        folder.path().join("cover.html"),
    );
    let [file, tests_name, page] = [&path, &tests, &html].map(|path| path.to_str().unwrap());
    let (code, out, error) = run(&["cover", file, "--tests", tests_name, "--html", page]);
    assert_eq!(code, 0, "{error}");
    assert!(out.starts_with("covered\n4 branches: 4 covered\n"), "{out}");
    assert!(out.contains("each run by the interpreter"), "{out}");
    assert!(
        std::fs::read_to_string(&html)
            .unwrap()
            .contains("input + input")
    );
    // One of the tests outputs 1.
    let mut outputs = Vec::new();
    for number in 1.. {
        let inputs = tests.join(format!("test{number:06}.input"));
        if !inputs.exists() {
            break;
        }
        let arguments = std::fs::read_to_string(inputs.with_extension("args")).unwrap();
        let inputs = inputs.to_str().unwrap();
        let arguments = format!("--args={}", arguments.trim());
        let (code, out, error) = run(&["microc", "run", file, &arguments, "--input-file", inputs]);
        assert_eq!(code, 0, "{error}");
        outputs.push(out);
    }
    outputs.sort();
    assert!(
        outputs.len() >= 2 && outputs.last().unwrap() == "1\n",
        "{outputs:?}"
    );
    // A smaller suite takes the place of a larger one.
    std::fs::write(tests.join("test000099.input"), "").unwrap();
    let (code, _, _) = run(&["cover", file, "--goals", "lines", "--tests", tests_name]);
    assert_eq!(code, 0);
    assert!(!tests.join("test000099.input").exists());
}

#[test]
fn what_makes_no_sense_for_microc_is_refused_with_what_helps() {
    let (_folder, path) = written(TWO_INPUTS);
    let file = path.to_str().unwrap();
    for (further, remedy) in [
        (&["--goals", "error-call"][..], "analyze --target FUNCTION"),
        (&["--check", "overflow"], "--check memory,division"),
        (
            &["--signed-overflow", "undefined"],
            "--check memory,division",
        ),
        (&["--function", "main"], "does not apply to microc"),
        (&["--target", "main"], "compact-se analyze"),
    ] {
        let (code, _, error) = run(&[&["cover", file], further].concat());
        assert_eq!(code, 2, "{further:?}");
        assert!(error.contains(remedy), "{error}");
    }
    let (code, out, error) = run(&["cover", file, "--check", "all"]);
    assert_eq!((code, out.lines().next()), (0, Some("covered")), "{error}");
}
