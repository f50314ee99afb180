//! microc: the language, the commands, and that interpreter, flowgraph and executor agree.
//!
//! `MICROC_FACTOR=50 cargo test --test all microc::` looks at 50 times as many random programs;
//! with `MICROC_PART=2/8` at the second of eight parts of them.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]
#![allow(clippy::print_stderr, reason = "a failed test says on which program")]

mod agreement;
mod automata;
mod commands;
mod cover;
mod language;

use compact_se::analysis::{AnalysisOptions, CheckChoice, analyze_loaded};
use compact_se::frontend::microc::{self, End, Integers, RunOptions, World, ast};
use compact_se::frontend::{LoadOptions, Loaded, load};
use compact_se::symex::Report;
use compact_se::term::Work;

/// Numbers for a program, and what it put out.
#[derive(Default)]
struct Numbers {
    input: Vec<i32>,
    next: usize,
    output: Vec<i32>,
}

impl Numbers {
    fn new(input: &[i32]) -> Numbers {
        Numbers {
            input: input.to_vec(),
            ..Numbers::default()
        }
    }
}

impl World<i32> for Numbers {
    fn input(&mut self) -> Option<i32> {
        let number = self.input.get(self.next).copied();
        self.next += 1;
        number
    }

    fn output(&mut self, value: &i32) {
        self.output.push(*value);
    }
}

fn checked(text: &str) -> ast::Program {
    match microc::checked(text, Integers::Wrapping) {
        Ok((program, _)) => program,
        Err(error) => panic!("{error} in\n{text}"),
    }
}

/// Runs a program whose main has no parameters, for 200,000 steps at most.
fn interpreted(program: &ast::Program, input: &[i32]) -> (End<i32>, Vec<i32>) {
    let mut numbers = Numbers::new(input);
    let options = RunOptions {
        steps: Some(200_000),
        ..RunOptions::default()
    };
    let end = microc::run(program, &[], &mut numbers, &options).unwrap();
    (end, numbers.output)
}

/// Loads a program for analysis; one without a target is fine.
fn loaded(text: &str) -> Loaded {
    loaded_with(text, |_| ())
}

fn loaded_with(text: &str, change: impl FnOnce(&mut LoadOptions)) -> Loaded {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("program.mc");
    std::fs::write(&path, text).unwrap();
    let mut options = LoadOptions::new([path]);
    options.allow_missing_target = true;
    change(&mut options);
    load(&options).unwrap_or_else(|error| panic!("{error} in\n{text}"))
}

/// Looks for errors of all kinds, for so much work at most; for all of them or the first.
fn analysed(loaded: &Loaded, work: Work, all: bool) -> Report {
    let mut options = AnalysisOptions::new(LoadOptions::new(["program.mc"]));
    options.checks = CheckChoice::Usual;
    options.execution.all_errors = all;
    options.execution.budget.work = Some(work);
    analyze_loaded(&options, loaded, &mut |_| ()).0
}
