//! `compact-se microc generate`: random programs.

use super::Generator;
use anyhow::{Result, bail};
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Args, Debug)]
#[command(after_help = "\
The parameters are those of the thesis (Section 5.1). All variables have values before they are used.

  compact-se microc generate --seed 7 --guarded --output random.mc")]
pub(crate) struct GenerateArguments {
    /// Write the program here [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// The same parameters and the same seed give the same program
    #[arg(long, default_value_t = 1, value_name = "NUMBER")]
    seed: u64,

    /// Probability that a statement is a loop that counts a variable up to another, from 0 to 1
    #[arg(long, default_value_t = 0.10, value_name = "PROBABILITY")]
    for_loop_gen_prob: f64,

    /// Probability that a statement is a loop with any condition, from 0 to 1
    #[arg(long, default_value_t = 0.15, value_name = "PROBABILITY")]
    loop_gen_prob: f64,

    /// Maximum nesting depth of blocks
    #[arg(long, default_value_t = 3, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(0..=20))]
    max_block_depth: u32,

    /// Maximum number of statements of main, not counting the initial assignments
    #[arg(long, default_value_t = 10, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    max_top_lvl_stmts_count: u32,

    /// Maximum number of statements of a block
    #[arg(long, default_value_t = 5, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=1000))]
    max_stmts_within_a_block: u32,

    /// Put in a statement that fails if it is reached
    #[arg(long)]
    error_guaranteed: bool,

    /// Generate divisions
    #[arg(long)]
    generate_divisions: bool,

    /// Generate many operations that may fail, nearly all behind conditions under which they do not
    #[arg(long)]
    guarded: bool,

    /// Maximum number of functions in addition to main
    #[arg(long, default_value_t = 0, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(0..=1000))]
    max_functions: u32,
}

/// Makes a program and prints it.
///
/// # Errors
/// If the probabilities are none, or the file cannot be written.
pub(crate) fn run(arguments: &GenerateArguments) -> Result<ExitCode> {
    let (for_loops, loops) = (arguments.for_loop_gen_prob, arguments.loop_gen_prob);
    let is_probability = |value: f64| (0.0..=1.0).contains(&value);
    if ![for_loops, loops, for_loops + loops]
        .into_iter()
        .all(is_probability)
    {
        bail!(
            "--for-loop-gen-prob {for_loops} and --loop-gen-prob {loops} have to be at least 0, and at most 1 together"
        );
    }
    let generator = Generator {
        seed: arguments.seed,
        for_loops,
        loops,
        block_depth: arguments.max_block_depth,
        top_level_statements: arguments.max_top_lvl_stmts_count,
        block_statements: arguments.max_stmts_within_a_block,
        error_guaranteed: arguments.error_guaranteed,
        divisions: arguments.generate_divisions,
        guarded: arguments.guarded,
        functions: arguments.max_functions,
    };
    let text = generator.program().to_string();
    process::write_or_print(&text, arguments.output.as_deref(), &[])?;
    Ok(ExitCode::SUCCESS)
}
