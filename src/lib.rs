//! compact-se: symbolic execution of LLVM bitcode that folds loops into closed forms.
//!
//! The command `compact-se` is one user of this library. Another one loads a program, analyses it and reads the
//! verdict:
//!
//! ```standalone_crate
//! use compact_se::analysis::{AnalysisOptions, analyze};
//! use compact_se::frontend::{CHILD_COMMAND, LoadOptions, child_main};
//! use compact_se::symex::Verdict;
//! use std::error::Error;
//! use std::process::{ExitCode, Termination};
//!
//! const PROGRAM: &str = "
//!     extern int __VERIFIER_nondet_int(void);
//!     extern void reach_error(void);
//!     int main(void) {
//!         unsigned n = __VERIFIER_nondet_int(), sum = 0;
//!         for (unsigned i = 0; i < n; i++) sum += 2;
//!         if (sum == 20) reach_error();
//!     }";
//!
//! fn main() -> ExitCode {
//!     // LLVM may crash on bitcode, so a child process loads it: this program again.
//!     let mut arguments = std::env::args_os().skip(1);
//!     if arguments.next().is_some_and(|first| first == CHILD_COMMAND) {
//!         return child_main(arguments);
//!     }
//!     run().report()
//! }
//!
//! fn run() -> Result<(), Box<dyn Error>> {
//!     let folder = tempfile::tempdir()?;
//!     let file = folder.path().join("program.c");
//!     std::fs::write(&file, PROGRAM)?;
//!     let options = AnalysisOptions::new(LoadOptions::new([&file]));
//!     let analysis = analyze(&options, &mut |_| ())?;
//!     match analysis.report.verdict {
//!         // Confirmed: a native run on these inputs reached the target.
//!         Verdict::Reachable(witness) => assert_eq!(witness.inputs.len(), 1),
//!         Verdict::Unreachable => panic!("ten iterations reach the target"),
//!         Verdict::Unknown => panic!("{:?}", analysis.report.reasons),
//!     }
//!     Ok(())
//! }
//! ```
//!
//! [`analysis::AnalysisOptions`] says what is looked for, by which techniques, and how long; [`report::record`] makes
//! the JSON record of an analysis. Programs in microc are loaded without a child process, as the example of
//! [`analysis`] shows.
//!
//! The rooms, in reading order; each may use only those above it (see `ARCHITECTURE.md`).

pub use analysis;
pub use flowgraph;
pub use frontend;
pub use horn;
pub use in_c;
pub use invariants;
pub use limits;
pub use memory;
pub use navigation;
pub use necessary;
pub use process;
pub use property;
pub use replay;
pub use report;
pub use semantics;
pub use solver;
pub use svcomp;
pub use symex;
pub use template;
pub use term;
pub use witness;
pub mod cli;
