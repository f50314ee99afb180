//! The program sets of the thesis, made by our generator.
//!
//! The thesis' programs are not published, so that ours are others with the same parameters. Program
//! `n` of a set has a seed of its own, and a set with fewer programs is a part of one with more.
//!
//! The thesis gives no numbers of statements for the final sets (Table 6.16): they have those of its
//! smaller programs here, 10 and 5, which are the defaults of its generator too.

use crate::microc::Generator;

/// A program set; the names in brackets are the thesis' parameters.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ProgramSet {
    /// As in the thesis' tables.
    pub name: &'static str,
    /// Seeds of its programs are above this.
    seed: u64,
    /// Probability of a loop that counts (`forLoopGenProb`).
    for_loops: f64,
    /// Probability of a loop with any condition (`loopGenProb`).
    loops: f64,
    /// Nested blocks (`maxBlockDepth`).
    block_depth: u32,
    /// Statements at the top (`maxTopLvlStmtsCount`).
    top_level_statements: u32,
    /// Statements of a block (`maxStmtsWithinABlock`).
    block_statements: u32,
    /// Whether a statement that fails is put in (`errorGuaranteed`).
    error_guaranteed: bool,
    /// Whether there are divisions (`generateDivisions`).
    divisions: bool,
}

/// Programs of a set in the thesis. Section 6.3.2 says 20 for the larger programs, but its Tables
/// 6.14 and 6.15 count 44 of them.
pub const N_PROGRAMS: u32 = 50;

/// Table 6.1: small, medium and large programs for the parameters of merging.
pub const PARAMETERS: [ProgramSet; 3] = [
    of_parameters("small", 1_000, 3, 10, 5),
    of_parameters("medium", 2_000, 4, 10, 10),
    of_parameters("large", 3_000, 5, 20, 10),
];

const fn of_parameters(
    name: &'static str,
    seed: u64,
    block_depth: u32,
    top_level_statements: u32,
    block_statements: u32,
) -> ProgramSet {
    ProgramSet {
        name,
        seed,
        for_loops: 0.10,
        loops: 0.15,
        block_depth,
        top_level_statements,
        block_statements,
        error_guaranteed: false,
        divisions: false,
    }
}

/// The smaller programs of Section 6.3.2.
pub const SMALLER: ProgramSet = ProgramSet {
    for_loops: 0.15,
    loops: 0.10,
    divisions: true,
    ..of_parameters("smaller", 4_000, 3, 10, 5)
};

/// The larger programs of Section 6.3.2.
pub const LARGER: ProgramSet = ProgramSet {
    for_loops: 0.15,
    loops: 0.10,
    divisions: true,
    ..of_parameters("larger", 5_000, 5, 20, 10)
};

/// Table 6.16: `forProb-whileProb-maxBlockDepth-errorGuaranteed-generateDivs`.
pub const FINAL: [ProgramSet; 18] = [
    last("15-10-3-f-f", 10_000, 0.15, 0.10, 3, false, false),
    last("15-10-5-f-f", 11_000, 0.15, 0.10, 5, false, false),
    last("50-10-3-f-f", 12_000, 0.50, 0.10, 3, false, false),
    last("50-10-5-f-f", 13_000, 0.50, 0.10, 5, false, false),
    last("15-50-3-f-f", 14_000, 0.15, 0.50, 3, false, false),
    last("15-50-5-f-f", 15_000, 0.15, 0.50, 5, false, false),
    last("15-10-3-t-t", 16_000, 0.15, 0.10, 3, true, true),
    last("15-10-5-t-t", 17_000, 0.15, 0.10, 5, true, true),
    last("50-10-3-t-t", 18_000, 0.50, 0.10, 3, true, true),
    last("50-10-5-t-t", 19_000, 0.50, 0.10, 5, true, true),
    last("15-50-3-t-t", 20_000, 0.15, 0.50, 3, true, true),
    last("15-50-5-t-t", 21_000, 0.15, 0.50, 5, true, true),
    last("15-10-3-f-t", 22_000, 0.15, 0.10, 3, false, true),
    last("15-10-5-f-t", 23_000, 0.15, 0.10, 5, false, true),
    last("50-10-3-f-t", 24_000, 0.50, 0.10, 3, false, true),
    last("50-10-5-f-t", 25_000, 0.50, 0.10, 5, false, true),
    last("15-50-3-f-t", 26_000, 0.15, 0.50, 3, false, true),
    last("15-50-5-f-t", 27_000, 0.15, 0.50, 5, false, true),
];

const fn last(
    name: &'static str,
    seed: u64,
    for_loops: f64,
    loops: f64,
    block_depth: u32,
    error_guaranteed: bool,
    divisions: bool,
) -> ProgramSet {
    ProgramSet {
        for_loops,
        loops,
        error_guaranteed,
        divisions,
        ..of_parameters(name, seed, block_depth, 10, 5)
    }
}

/// All sets.
pub fn all() -> impl Iterator<Item = &'static ProgramSet> {
    PARAMETERS.iter().chain([&SMALLER, &LARGER]).chain(&FINAL)
}

impl ProgramSet {
    /// What makes a program of the set; they are numbered from 1.
    #[must_use]
    pub fn generator(&self, number: u32) -> Generator {
        Generator {
            seed: self.seed + u64::from(number),
            for_loops: self.for_loops,
            loops: self.loops,
            block_depth: self.block_depth,
            top_level_statements: self.top_level_statements,
            block_statements: self.block_statements,
            error_guaranteed: self.error_guaranteed,
            divisions: self.divisions,
            ..Generator::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{N_PROGRAMS, all};
    use std::collections::BTreeSet;

    #[test]
    fn no_two_programs_share_a_seed() {
        let numbers = 1..=N_PROGRAMS;
        let seeds = all().flat_map(|set| numbers.clone().map(|number| set.generator(number).seed));
        let seeds: Vec<u64> = seeds.collect();
        assert_eq!(seeds.len(), 23 * N_PROGRAMS as usize);
        assert_eq!(seeds.iter().collect::<BTreeSet<_>>().len(), seeds.len());
    }

    #[test]
    fn names_of_final_sets_say_their_parameters() {
        for set in &super::FINAL {
            let flag = |value: bool| if value { "t" } else { "f" };
            let name = format!(
                "{:.0}-{:.0}-{}-{}-{}",
                set.for_loops * 100.0,
                set.loops * 100.0,
                set.block_depth,
                flag(set.error_guaranteed),
                flag(set.divisions)
            );
            assert_eq!(set.name, name);
        }
    }
}
