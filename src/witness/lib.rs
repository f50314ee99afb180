//! Witnesses in files: answers that other tools and people can check.
//!
//! ```text
//! reachable: inputs, places --C source--> waypoints (YAML), test suite (XML), .ktest, harness (C)
//! unreachable: templates, source --candidates, Houdini--> loop invariants (YAML) YAML, program
//! --check--> confirmed, rejected, unknown
//! ```
//!
//! # Invariants
//! - Nothing is written for a *reachable* that the native replay did not confirm.
//! - Values stand in the order in which the program asks for them, those of folded loops iteration
//!   by iteration. What a format cannot say (uninitialised memory in a test case) is a note, never
//!   left out silently.
//!
//! # Deliberately absent
//! No printing, and no verdict about a program but by `analysis`.
//!
//! # Source
//! Ayaziová, Beyer, Lingsch-Rosenfeld, Spiessl, Strejček, *Software Verification Witnesses 2.0*,
//! SPIN 2024; the Test-Comp format for test suites 1.1; KLEE's `KTest.cpp`.
//!
//! ```
//! use compact_se_witness::{KTest, KTestObject};
//!
//! let n = KTestObject { name: "n".to_owned(), bytes: 7_u32.to_le_bytes().to_vec() };
//! let test = KTest { arguments: vec!["program.bc".to_owned()], objects: vec![n] };
//! assert!(test.to_bytes().starts_with(b"KTEST"));
//! ```

mod artefacts;
pub mod check;
mod candidates;
mod claim;
mod correctness;
mod expressions;
mod full_expressions;
mod harness;
mod inputs;
mod instrument;
mod klee;
mod ktest;
mod numbers;
mod places;
mod scope;
mod start;
mod suite;
mod task;
mod testcomp;
mod violation;
pub mod yaml;

pub use artefacts::{Artefacts, Written};
pub use ktest::{KTest, KTestObject};
pub use numbers::write_numbers;
pub use suite::{Suite, SuiteTest};
pub use task::Task;

use std::path::{Path, PathBuf};

/// Why a witness cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum WitnessError {
    #[error("cannot read {}: {reason}", path.display())]
    Read {
        path: PathBuf,
        reason: std::io::Error,
    },
    #[error("cannot write {}: {reason}", path.display())]
    Write {
        path: PathBuf,
        reason: std::io::Error,
    },
    /// Witnesses name places in C files.
    #[error("{} is not C: witnesses are defined for C and refer to locations in its source", path.display())]
    NotC { path: PathBuf },
    #[error("the location of {what} in the source is not known")]
    UnknownPlace { what: String },
    #[error("the input {name} has {bytes} bytes, which is too large for a file")]
    TooLarge { name: String, bytes: u64 },
    #[error("the witness is not well-formed: {0}")]
    Malformed(String),
    #[error("no witness is written: the verdict reachable was not confirmed by a replay")]
    NotReplayed,
    #[error("cannot write YAML: {0}")]
    Yaml(#[from] yaml_serde::Error),
}

impl WitnessError {
    fn cannot_read(path: &Path) -> impl FnOnce(std::io::Error) -> WitnessError + use<> {
        let path = path.to_owned();
        |reason| WitnessError::Read { path, reason }
    }

    fn cannot_write(path: &Path) -> impl FnOnce(std::io::Error) -> WitnessError + use<> {
        let path = path.to_owned();
        |reason| WitnessError::Write { path, reason }
    }
}
