//! Theorems 2 and 3 on random programs and on the corpus.

use super::generate;
use super::leaves::{Compared, compare};
use super::run::{Reach, program};
use compact_se::frontend::llvm::{LoadOptions, load};
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
    check_random_programs(0..25);
}

#[test]
fn leaves_of_more_random_programs() {
    check_random_programs(200..225);
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
    for file in themes.iter().flat_map(|theme| corpus(theme)) {
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
    check_corpus(&["loops", "regression"], CORPUS_REACH);
}

#[test]
fn leaves_of_array_programs_in_the_corpus() {
    check_corpus(&["written_arrays"], ARRAYS_REACH);
}

#[test]
fn leaves_of_other_programs_in_the_corpus() {
    check_corpus(&["calls", "control", "inputs", "memory"], CORPUS_REACH);
}
