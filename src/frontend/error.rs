//! Errors of loading a program.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Why a program could not be loaded. Every message names the file or the thing, and what helps.
///
/// Serialisable, because it is made in the loading child process and told by the parent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum LoadError {
    #[error("no input file was given")]
    NoInput,
    #[error("{path}: file not found")]
    NotFound { path: PathBuf },
    #[error("{path}: cannot be read: {reason}")]
    Unreadable { path: PathBuf, reason: String },
    #[error(
        "{path}: unknown kind of file; the name must end in .c or .i (C), .cpp, .cc, .cxx, .C or .ii (C++), .bc or .ll (LLVM), or .mc (microc)"
    )]
    UnknownKind { path: PathBuf },
    #[error(
        "clang 19 was not found ({tried}); run scripts/setup.sh, or set COMPACT_SE_CLANG to its path"
    )]
    NoClang { tried: String },
    #[error("{path}: {what}")]
    CompileCommands { path: PathBuf, what: String },
    #[error("{path}: clang refuses the file: {message}")]
    Clang { path: PathBuf, message: String },
    #[error(
        "{path}: not readable as LLVM 19 bitcode: {reason}; regenerate it with clang-19 -emit-llvm -c"
    )]
    Bitcode { path: PathBuf, reason: String },
    #[error("{path}: not valid LLVM 19 assembly: {reason}")]
    Assembly { path: PathBuf, reason: String },
    #[error("{path}: cannot be linked with the other inputs: {reason}")]
    Link { path: PathBuf, reason: String },
    #[error("{path}: compiled for {machine}; only x86-64 and 32-bit x86 are supported")]
    Machine { path: PathBuf, machine: String },
    #[error("{path}: pointers have {found} bits, which does not fit the data model {wanted}")]
    DataModel {
        path: PathBuf,
        wanted: String,
        found: u32,
    },
    #[error(
        "{path}: --check overflow, shift, conversion, index and scope, and --signed-overflow undefined \
         and error, need C or C++ files, since bitcode does not record which operations are signed; \
         analyse the source, or drop these options (--check all includes them)"
    )]
    NeedsSource { path: PathBuf },
    #[error(
        "{path}: no function main is defined; --function NAME starts the analysis at another function"
    )]
    MissingMain { path: PathBuf },
    #[error("the program defines no function {name}; {present}")]
    MissingFunction { name: String, present: String },
    #[error("the program has no target {target}; {present}")]
    MissingTarget { target: String, present: String },
    #[error("--sym-file: {what}")]
    Environment { what: String },
    #[error("{path}:{line}:{column}: {message}")]
    Microc {
        path: PathBuf,
        line: u32,
        column: u32,
        message: String,
    },
    #[error("{path}: a program in microc is one file; nothing can be linked with it")]
    MicrocIsOneFile { path: PathBuf },
    #[error("{path}: {option} does not apply to microc")]
    NotForMicroc { path: PathBuf, option: String },
    #[error(
        "{path}: --check overflow, shift, conversion, index and scope, and --signed-overflow undefined \
         and error, are for C; numbers of microc wrap around, and --check memory,division covers all \
         of its errors"
    )]
    MicrocWrapsAround { path: PathBuf },
    #[error("the program cannot be analysed: {what}")]
    Refused { what: String },
    #[error(
        "{path}: LLVM crashed while loading it ({how}); the file is probably damaged, regenerate it with clang-19"
    )]
    Crashed { path: PathBuf, how: String },
    #[error(
        "{path}: loading took longer than {seconds} s; the file is damaged or too large, raise the limit if it is large"
    )]
    TimeLimit { path: PathBuf, seconds: u64 },
    #[error(
        "{path}: loading needs more than {megabytes} MB; the file is damaged or too large, raise the limit if it is large"
    )]
    MemoryLimit { path: PathBuf, megabytes: u64 },
    #[error("{path}: it is a folder; name the files of the program")]
    Folder { path: PathBuf },
    #[error("cannot {action}: {reason}")]
    System { action: String, reason: String },
    /// A defect of ours.
    #[error("internal error while loading: {what}")]
    Internal { what: String },
}

impl LoadError {
    /// An operating system's failure while we do `action`.
    pub(crate) fn system(action: &str, reason: &dyn std::fmt::Display) -> LoadError {
        LoadError::System {
            action: action.to_owned(),
            reason: reason.to_string(),
        }
    }
}
