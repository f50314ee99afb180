//! Theorems 2 and 3 on random programs and on the corpus.

use super::generate;
use super::leaves::{Compared, compare, compare_with};
use super::run::{Reach, Technique, program};
use crate::support::{header, is_thorough, sample, seeds};
use compact_se::frontend::{LoadOptions, load};
use std::path::{Path, PathBuf};

const RANDOM_REACH: Reach = Reach {
    steps: 18,
    nodes: 120,
};

const CORPUS_REACH: Reach = Reach {
    steps: 40,
    nodes: 150,
};

/// Several loops in a row, each with few ways.
const ARRAYS_REACH: Reach = Reach {
    steps: 100,
    nodes: 600,
};

fn check_random_programs(seeds: std::ops::Range<u64>) {
    let factor = super::programs::factor();
    let mut all = Compared::default();
    for seed in seeds.start * factor..seeds.end * factor {
        let text = generate::program(seed);
        let context = format!("program {seed}\n{text}");
        all += compare(&program(&text), RANDOM_REACH, &context);
    }
    println!("{all:?}");
    assert!(all.folded * 4 > all.equal, "few leaves are folded: {all:?}");
    assert!(all.open * 10 < all.equal, "much is left open: {all:?}");
    assert!(all.beyond * 4 < all.equal, "much is left out: {all:?}");
}

#[test]
fn leaves_of_random_programs() {
    check_random_programs(seeds(0..25));
}

#[test]
fn leaves_of_more_random_programs() {
    if is_thorough() {
        check_random_programs(200..225);
    }
}

fn corpus(theme: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder.join(theme))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    files
}

fn check_corpus(themes: &[&str], reach: Reach) {
    let mut all = Compared::default();
    for file in sample(themes.iter().flat_map(|theme| corpus(theme)), 0, 4) {
        let text = std::fs::read_to_string(&file).unwrap();
        if header(&text, "leaves") == Some("not compared") {
            continue;
        }
        let mut options = LoadOptions::new([&file]);
        options.executable = Some(PathBuf::from(env!("CARGO_BIN_EXE_compact-se")));
        options.allow_missing_target = true;
        let loaded = load(&options).unwrap();
        let compared = compare(&loaded.program, reach, &file.display().to_string());
        println!("{}: {compared:?}", file.display());
        all += compared;
    }
    println!("{all:?}");
    assert!(all.folded > 10, "few leaves are folded: {all:?}");
    assert!(all.open * 10 < all.equal, "much is left open: {all:?}");
}

#[test]
fn leaves_of_loops_in_the_corpus() {
    check_corpus(&["loops", "regression", "cells"], CORPUS_REACH);
}

#[test]
fn leaves_of_array_programs_in_the_corpus() {
    check_corpus(&["written_arrays"], ARRAYS_REACH);
}

#[test]
fn leaves_of_other_programs_in_the_corpus() {
    check_corpus(&["calls", "control", "inputs", "memory"], CORPUS_REACH);
}

/// Paths of few steps, all of them: leaves are known by how they end.
const WHOLE_LOOPS_REACH: Reach = Reach {
    steps: 30,
    nodes: 400,
};

/// A loop whose iterations take two ways, which count differently, with an exit in the middle.
fn two_ways(step: u8, last: u8) -> String {
    format!(
        "program block pointers 32 main @main\n\
         fn @main(%n: i8, %m: i8) -> i8 {{\n\
         reg %i: i8\n\
         reg %s: i8\n\
         start -> head: %i = 0:8; %s = 0:8\n\
         head -> body: assume %i <u %n\n\
         head -> out: assume %i >=u %n\n\
         body -> more: assume %i <u %m; %s = %s + {step}:8\n\
         body -> next: assume %i >=u %m\n\
         more -> hit: assume %i == {last}:8\n\
         more -> next: assume %i != {last}:8\n\
         next -> head: %i = %i + 1:8\n\
         hit -> stop: target\n\
         stop -> end: return %s\n\
         out -> end: return %s\n}}\n"
    )
}

#[test]
fn leaves_of_whole_loops() {
    let mut all = Compared::default();
    for (step, last) in [(1, 3), (2, 2), (0, 9), (255, 1)] {
        let text = two_ways(step, last);
        all += compare_with(
            &program(&text),
            Technique::Loops,
            WHOLE_LOOPS_REACH,
            &format!("step {step}, last {last}\n{text}"),
        );
    }
    println!("{all:?}");
    assert!(all.folded > 10, "few leaves are folded: {all:?}");
    assert!(all.open * 5 < all.equal, "much is left open: {all:?}");
}

#[test]
fn leaves_of_whole_loops_of_random_programs() {
    let mut all = Compared::default();
    for seed in 400..400 + 20 * super::programs::factor() {
        let text = generate::program(seed);
        let context = format!("program {seed}\n{text}");
        all += compare_with(
            &program(&text),
            Technique::Loops,
            WHOLE_LOOPS_REACH,
            &context,
        );
    }
    println!("{all:?}");
    assert!(all.folded > 10, "few leaves are folded: {all:?}");
    assert!(all.open * 5 < all.equal, "much is left open: {all:?}");
}

#[test]
fn leaves_of_loops_with_phases() {
    let mut all = Compared::default();
    for seed in seeds(1000..1000 + 20 * super::programs::factor()) {
        let text = generate::phases(seed, generate::Tested::AtStart);
        let context = format!("phases {seed}\n{text}");
        all += compare_with(
            &program(&text),
            Technique::Loops,
            WHOLE_LOOPS_REACH,
            &context,
        );
    }
    println!("{all:?}");
    assert!(all.folded > 10, "few leaves are folded: {all:?}");
    assert!(all.open * 5 < all.equal, "much is left open: {all:?}");
}

/// Two paths take turns, and only after the first of them, which begins, the loop can be left.
#[test]
fn leaves_of_a_turn_that_is_left_where_it_begins() {
    let text = "program block pointers 32 main @main\n\
         fn @main(%n: i8) -> i8 {\n\
         reg %i: i8\n\
         reg %x: i8\n\
         reg %turn: i8\n\
         start -> head: %i = 0:8; %x = 0:8; %turn = 0:8\n\
         head -> body: assume %i <u %n\n\
         head -> out: assume %i >=u %n\n\
         body -> one: assume %turn == 0:8\n\
         body -> other: assume %turn != 0:8\n\
         one -> head: %i = %i + 1:8; %turn = 1:8\n\
         other -> head: %x = %x + 1:8; %turn = 0:8\n\
         out -> end: return %x\n}\n";
    let all = compare_with(&program(text), Technique::Loops, WHOLE_LOOPS_REACH, text);
    println!("{all:?}");
    assert!(all.folded > 0, "no leaf is folded: {all:?}");
}
