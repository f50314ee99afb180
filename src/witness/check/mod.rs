//! Checking witnesses of the formats 2.0 and 2.1, ours or another tool's.
//!
//! ```text
//! violation_sequence --steps inserted into a copy of the source--> can the last be reached?
//! invariant_set --assertions and cuts inserted, functions replaced by their contracts--> can an assertion or the target be violated?
//! ```
//!
//! Properties are about a target or about errors. An error has a place and no call that could be searched for: where
//! a target waypoint names it, errors are looked for in a copy of the full expression there (`errors.rs`).
//!
//! The waypoints of a witness become C in a copy of the program, at the places that they name, so
//! that scopes, types and conversions are clang's business; the ordinary analysis then decides
//! about that program. Both kinds have a module that says how.
//!
//! # Invariants
//! - *Confirmed* only after a native run (violation), or if nothing was skipped, cut or unknown
//!   (correctness). A correctness witness is *rejected* only after a native run.
//! - Expressions of a witness go into the program only as expressions without effects.

mod contracts;
mod errors;
pub(super) mod invariants;
mod task;
mod violation;

pub(super) use violation::names_target;

pub use task::Checked;

use super::WitnessError;
use super::yaml::{Entry, from_yaml};
use analysis::AnalysisOptions;
use frontend::LoadError;
use std::path::Path;

/// What a check found out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// The witness proves what it claims.
    Confirmed,
    /// It does not, and cannot: a violation that no execution matches, an invariant or a property
    /// that some execution violates.
    Rejected(String),
    /// Neither is known.
    Unknown(String),
}

impl Judgement {
    /// `confirmed`, `rejected` or `unknown`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Judgement::Confirmed => "confirmed",
            Judgement::Rejected(_) => "rejected",
            Judgement::Unknown(_) => "unknown",
        }
    }

    /// Why, where that is not plain.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        match self {
            Judgement::Confirmed => None,
            Judgement::Rejected(why) | Judgement::Unknown(why) => Some(why),
        }
    }
}

/// Why a witness cannot be checked at all.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    #[error(transparent)]
    Witness(#[from] WitnessError),
    #[error("the witness is for another program: {file} has the SHA-256 {found}, not {claimed}")]
    OtherProgram {
        file: String,
        found: String,
        claimed: String,
    },
    #[error("the witness names {file}, which is not among the files of the task")]
    OtherFile { file: String },
    #[error(
        "the witness is about the property {0}, which cannot be checked; these can: unreach-call, no-overflow, \
         valid-memsafety and its parts, valid-memcleanup"
    )]
    UnknownProperty(String),
    #[error(
        "the witness is about {claimed}, but {wanted} is asked about: name its property with --property, or leave that \
         and the task definition out"
    )]
    OtherProperty { claimed: String, wanted: String },
    #[error("the witness is for {claimed}, the task is {wanted}")]
    OtherDataModel { claimed: String, wanted: String },
    #[error("the witness has entries of type {0}, known are violation_sequence and invariant_set")]
    UnknownEntry(String),
    #[error("only tasks of one C file can be checked")]
    SeveralFiles,
    #[error(transparent)]
    Load(#[from] LoadError),
}

/// Checks the witness in a file against the program of `options`. The target and the checks of `options` count;
/// the witness's property takes the place of a default target.
///
/// # Errors
/// [`CheckError`] if the witness is malformed, or not about this program and property.
pub fn check(witness: &Path, options: &AnalysisOptions) -> Result<Judgement, CheckError> {
    let text = std::fs::read_to_string(witness).map_err(WitnessError::cannot_read(witness))?;
    let entries = from_yaml(&text)?;
    let kind = |entry: &Entry| entry.entry_type.clone();
    let Some(first) = entries.first() else {
        return Err(WitnessError::Malformed("it has no entries".to_owned()).into());
    };
    if let Some(other) = entries.iter().find(|e| e.entry_type != first.entry_type) {
        return Err(CheckError::UnknownEntry(kind(other)));
    }
    match first.entry_type.as_str() {
        "violation_sequence" => {
            // Any of several sequences may show the violation.
            let mut last = None;
            for entry in &entries {
                let checked = Checked::new(entry, options)?;
                let judgement = violation::check(&checked, entry)?;
                if judgement == Judgement::Confirmed {
                    return Ok(judgement);
                }
                last = match (last, judgement) {
                    (Some(unknown @ Judgement::Unknown(_)), Judgement::Rejected(_)) => {
                        Some(unknown)
                    }
                    (_, judgement) => Some(judgement),
                };
            }
            Ok(last.unwrap_or_else(|| Judgement::Unknown("it has no entries".to_owned())))
        }
        "invariant_set" => {
            let checked = Checked::new(first, options)?;
            let (mut claims, mut contracts) = (Vec::new(), Vec::new());
            for item in entries.iter().flat_map(|entry| &entry.content) {
                match (&item.invariant, &item.contract) {
                    (Some(invariant), None) => claims.push(invariant.clone()),
                    (None, Some(contract)) => contracts.push(contract.clone()),
                    _ => {
                        let what = "an invariant_set has invariants and contracts";
                        return Err(WitnessError::Malformed(what.to_owned()).into());
                    }
                }
            }
            if contracts.is_empty() {
                invariants::check(&checked, &claims)
            } else {
                invariants::check_with_contracts(&checked, &claims, &contracts)
            }
        }
        _ => Err(CheckError::UnknownEntry(kind(first))),
    }
}
