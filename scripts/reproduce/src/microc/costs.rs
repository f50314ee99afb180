//! `compact-se microc costs`: query count estimation.

use super::estimation::{Estimation, StatementCosts, costs};
use anyhow::Result;
use clap::{Args, ValueEnum};
use frontend::microc::{self, Integers};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Strategy {
    /// No cost counts beyond --most
    LatticeBased,
    /// Each loop goes around at most --kappa times
    Recursive,
}

#[derive(Args, Debug)]
#[command(after_help = "\
For each statement: the number of later solver queries that mention each variable, at conditions,
accesses to elements and divisions (thesis, Sections 4.3.1 and 5.4.3.2). Where two states are merged,
variables that differ become conditional values, which make these queries harder.

  compact-se microc costs program.mc --merging-strategy recursive --kappa 2

Exit codes: 0 done, 2 error, 3 out of time.")]
pub(crate) struct CostsArguments {
    /// The program (.mc)
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// How loops are estimated
    #[arg(long, value_enum)]
    merging_strategy: Strategy,

    /// Assumed iterations of each loop, for `recursive`; for nested loops, its powers
    #[arg(long, default_value_t = 1, value_name = "NUMBER")]
    kappa: u32,

    /// The largest cost that counts, for `lattice-based`
    #[arg(long, default_value_t = 10, value_name = "NUMBER")]
    most: u64,

    /// Wall time, in seconds
    #[arg(long, default_value_t = 30, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    timeout: u64,

    /// Write the costs here [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Computes the costs and prints them, and the time that it took.
///
/// # Errors
/// If the program cannot be read, or the file not be written.
pub(crate) fn run(arguments: &CostsArguments) -> Result<ExitCode> {
    let (program, _) = microc::read(&arguments.file, Integers::Exact)?;
    let estimation = match arguments.merging_strategy {
        Strategy::LatticeBased => Estimation::LatticeBased {
            most: arguments.most,
        },
        Strategy::Recursive => Estimation::Recursive {
            kappa: arguments.kappa,
        },
    };
    let started = Instant::now();
    let deadline = started.checked_add(Duration::from_secs(arguments.timeout));
    let mut text = String::new();
    for function in &program.functions {
        let Some(all) = costs(function, estimation, deadline) else {
            let seconds = arguments.timeout;
            process::complain(&format!(
                "the costs take longer than {seconds} s to compute"
            ));
            return Ok(ExitCode::from(process::exit::UNKNOWN));
        };
        let _ = writeln!(text, "{}", function.name.text);
        for StatementCosts {
            at,
            text: what,
            costs,
        } in all
        {
            let costs: Vec<String> = costs
                .iter()
                .map(|(name, cost)| format!("{name}: {cost}"))
                .collect();
            let at = at.to_string();
            let _ = writeln!(text, "  {at:<7} {what:<32} {}", costs.join(", "));
        }
    }
    let inputs = std::slice::from_ref(&arguments.file);
    process::write_or_print(&text, arguments.output.as_deref(), inputs)?;
    let seconds = started.elapsed().as_secs_f64();
    process::complain(&format!("time: {seconds:.6} s"));
    Ok(ExitCode::SUCCESS)
}
