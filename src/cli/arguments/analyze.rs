//! Arguments of `analyze`.

use super::{ExecutionArguments, ProgramArguments};
use crate::cli::output;
use analysis::{CheckChoice, SignedOverflow};
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use frontend::{EntryFunction, LoadOptions, ObjectBytes};
use property::{Asked, Check, Checks};
use std::path::PathBuf;
use std::sync::LazyLock;
use witness::Artefacts;

#[derive(Args, Debug)]
pub struct AnalyzeArguments {
    #[command(flatten)]
    pub program: ProgramArguments,

    /// Start at this function instead of main, with arbitrary arguments
    #[arg(long, value_name = "NAME", conflicts_with_all = ["witness", "test_suite", "harness"])]
    pub function: Option<String>,

    /// With --function: size in bytes of the object behind each pointer parameter (the size of its type if
    /// that is larger); 0..64 means any size up to 64
    #[arg(long, value_name = "BYTES", default_value_t = ObjectBytes::exactly(64), requires = "function")]
    pub pointer_objects: ObjectBytes,

    /// Errors to look for, in addition to a target [default: assert where the program has a default target,
    /// memory,assert,division,abort,unreachable without one, nothing with --target]
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',')]
    pub check: Vec<CheckName>,

    /// Go on after the first error; report one error at each place
    #[arg(long)]
    pub all: bool,

    /// Write verdict, inputs and statistics as one JSON record
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Write the files of the thesis' microc tool into this folder: coverage.txt (explored paths without an
    /// error), time.txt (milliseconds after loading) and error.txt (errors found), one number each
    #[arg(long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Write the solver's answers to this file when --timeout, --memory, Ctrl-C or SIGTERM ends the
    /// analysis, and use them when the same command is given again
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,

    /// Do not run the program with the inputs found; the verdict then says so
    #[arg(long, conflicts_with_all = ["witness", "test_suite", "ktest", "harness", "output_dir"])]
    pub no_replay: bool,

    #[command(flatten)]
    pub execution: ExecutionArguments,

    #[command(flatten)]
    pub artefacts: ArtefactArguments,
}

/// Errors to look for: those of a check, or all that `all` means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckName {
    One(Check),
    All,
}

impl ValueEnum for CheckName {
    fn value_variants<'a>() -> &'a [CheckName] {
        static NAMES: LazyLock<Vec<CheckName>> = LazyLock::new(|| {
            let checks = Check::ALL.iter().map(|check| CheckName::One(*check));
            checks.chain([CheckName::All]).collect()
        });
        &NAMES
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            CheckName::One(check) => PossibleValue::new(check.word()).help(check.help()),
            CheckName::All => {
                let checks = Check::ALL.iter();
                let by_name: Vec<&str> = checks
                    .filter(|check| check.asked() == Asked::ByName)
                    .map(|check| check.word())
                    .collect();
                PossibleValue::new("all").help(format!(
                    "All of these except {}; in microc memory and division",
                    by_name.join(", ")
                ))
            }
        })
    }
}

impl CheckName {
    /// The checks for a program in microc, or for another.
    pub(super) fn checks(self, is_microc: bool) -> Vec<Check> {
        match self {
            CheckName::One(check) => vec![check],
            CheckName::All if is_microc => Check::OF_MICROC.to_vec(),
            CheckName::All => Checks::with_all().iter().collect(),
        }
    }
}

impl AnalyzeArguments {
    /// The load options that these arguments mean.
    pub fn load_options(&self) -> LoadOptions {
        let entry = self.function.clone().map(|name| EntryFunction {
            name,
            pointer_bytes: self.pointer_objects,
        });
        LoadOptions {
            entry,
            ..self.program.load_options()
        }
    }

    /// The errors that are searched for.
    ///
    /// # Errors
    /// If overflows are searched for and are none.
    pub fn checks(&self) -> anyhow::Result<CheckChoice> {
        let overflow = self.program.signed_overflow;
        let is_error = overflow == Some(SignedOverflow::Error);
        if self.check.is_empty() && self.program.target.is_empty() && !is_error {
            return Ok(CheckChoice::Usual);
        }
        let is_microc = self.program.is_microc();
        let checks = (self.check.iter()).flat_map(|name| name.checks(is_microc));
        let overflows = is_error.then_some(Check::Overflow);
        let checks: Checks = checks.chain(overflows).collect();
        if checks.contains(Check::Overflow) && overflow.is_some() && !is_error {
            anyhow::bail!(
                "--check overflow reports signed overflows, and --signed-overflow says that they are \
                 no errors: drop one of the two"
            );
        }
        let names = |wanted: &[Check]| {
            let is_named = |check: &Check| self.check.contains(&CheckName::One(*check));
            wanted.iter().any(is_named)
        };
        if is_microc && names(&[Check::Leak, Check::Cleanup, Check::Uninitialised]) {
            anyhow::bail!(
                "--check leak, cleanup and uninitialised are for C; in microc --check memory looks for \
                 uses of variables without a value, and memory is never freed"
            );
        }
        if self.function.is_some() && names(&[Check::Leak, Check::Cleanup]) {
            anyhow::bail!(
                "a function may hand the memory that it allocates to its caller: --check leak and \
                 --check cleanup are for whole programs, without --function"
            );
        }
        if self.function.is_some() {
            // `all` is what there is to look for.
            return Ok(CheckChoice::These(checks.without_blocks()));
        }
        Ok(CheckChoice::These(checks))
    }
}

/// Files that let others check a verdict.
#[derive(Args, Debug)]
#[command(next_help_heading = "Files for checking the verdict with other tools")]
pub struct ArtefactArguments {
    /// Write a witness of format 2.0 (YAML): inputs and places if reachable, loop invariants if
    /// unreachable
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,

    /// Reachable: write a Test-Comp test suite (XML) into this folder
    #[arg(long, value_name = "DIR")]
    pub test_suite: Option<PathBuf>,

    /// Reachable: write the inputs in KLEE's format
    #[arg(long, value_name = "FILE")]
    pub ktest: Option<PathBuf>,

    /// Reachable: write a C file that, compiled together with the program, leads to the target
    #[arg(long, value_name = "FILE")]
    pub harness: Option<PathBuf>,

    /// Write a folder like KLEE's: test000001.ktest and test000001.ptr.err (free, div, assert, overflow
    /// …) for each error that was found, and info
    #[arg(long, value_name = "DIR")]
    pub output_dir: Option<PathBuf>,
}

impl ArtefactArguments {
    /// Fails early where one of the files could not be written.
    pub fn check_writable(&self, inputs: &[PathBuf]) -> anyhow::Result<()> {
        for path in [&self.witness, &self.ktest, &self.harness]
            .into_iter()
            .flatten()
        {
            output::check_writable(path, inputs)?;
        }
        Ok(())
    }

    /// Whether there are any.
    pub fn are_wanted(&self) -> bool {
        let files = [
            &self.witness,
            &self.test_suite,
            &self.ktest,
            &self.harness,
            &self.output_dir,
        ];
        files.into_iter().any(Option::is_some)
    }

    /// The files that these arguments ask for.
    pub fn artefacts(&self) -> Artefacts {
        Artefacts {
            witness: self.witness.clone(),
            test_suite: self.test_suite.clone(),
            ktest: self.ktest.clone(),
            harness: self.harness.clone(),
            output_dir: self.output_dir.clone(),
        }
    }
}
