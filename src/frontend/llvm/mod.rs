//! Loading C and LLVM bitcode: input files to a flowgraph and a bitcode file for native replay.
//!
//! ```text
//! .c .i --clang--> .bc .ll --inkwell: parse, link--> mark target --> models, inputs, undefined
//! values --> inline, mem2reg --> prepared bitcode --llvm-ir: lower--> Program
//! ```
//!
//! All of it runs in a child process of the same executable ([`child_main`]), since damaged
//! bitcode makes LLVM abort, exit or loop; the death of the child is a [`LoadError`].
//!
//! # Invariants
//! - The flowgraph and the prepared bitcode ask for inputs in the same order, because the one is
//!   lowered from the other: whatever is arbitrary is a call of a `__compact_se_input_*` or
//!   `__compact_se_uninit` function there.
//! - The target is marked before any pass runs.
//! - What the engine cannot follow is an `Unsupported` action at its place, never silently
//!   something else.
//!
//! # Semantics chosen here
//! - Signed arithmetic wraps, also where bitcode from elsewhere says `nsw`; `inbounds`, `exact`
//!   and the like are ignored.
//! - Division traps where x86 does, a shift by the width or more ends the path.
//! - An uninitialised variable has an arbitrary value from each execution of its declaration on.
//! - A function without a body returns an arbitrary value. If it takes pointers and is not known
//!   to be harmless, or is a library function without a model, its call is unsupported;
//!   [`ForeignFunctions`] can say otherwise of those that are no library functions.
//! - `main`'s `argc` is an arbitrary number ≥ 0; `argv` and `envp` are arbitrary pointers, so
//!   that looking behind them is unsupported.
//!
//! # Deliberately absent
//! No execution, no solver. LLVM's types do not leave this module.

mod child;
mod compile;
mod error;
mod lower;
mod prepare;
mod target;

pub use child::{CHILD_COMMAND, child_main};
pub use compile::find_clang;
pub use error::LoadError;
pub use target::TargetSpec;

use crate::flowgraph::{Granularity, Program};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// Sizes of C's types.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits.
    Ilp32,
    /// `int` has 32 bits, `long` and pointers 64.
    Lp64,
}

impl DataModel {
    pub(crate) fn clang_flag(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "-m32",
            DataModel::Lp64 => "-m64",
        }
    }

    fn pointer_bits(self) -> u32 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }
}

impl std::fmt::Display for DataModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        })
    }
}

/// What a function without a body does that takes pointers and is no library function.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ForeignFunctions {
    /// Nobody knows: its call is unsupported.
    Unsupported,
    /// It changes nothing that the program can see, and returns an arbitrary value.
    WithoutEffect,
}

/// What to load and how.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LoadOptions {
    /// `.c`, `.i`, `.bc` and `.ll` files, linked in this order.
    pub inputs: Vec<PathBuf>,
    /// Default: what the first `.bc` or `.ll` was compiled for, LP64 if all are C.
    pub data_model: Option<DataModel>,
    /// C standard, e.g. `gnu89`. Default: clang's (`gnu17`).
    pub standard: Option<String>,
    /// Further arguments for clang, e.g. `-DN=5`. Default: none.
    pub clang_args: Vec<String>,
    /// Default: [`TargetSpec::Default`].
    pub target: TargetSpec,
    /// Functions that are targets too, where the program has them. Default: none.
    pub further_targets: Vec<String>,
    /// Take a program without the target as one in which it is never reached, instead of
    /// [`LoadError::MissingTarget`]. Default: no.
    pub allow_missing_target: bool,
    /// Default: [`ForeignFunctions::Unsupported`].
    pub foreign_functions: ForeignFunctions,
    /// Inline functions that are not recursive, as long as the program stays below about 20,000
    /// instructions. Default: yes.
    pub inline: bool,
    /// Default: [`Granularity::Block`].
    pub granularity: Granularity,
    /// Wall-clock time for all of the loading, clang included. Default: 60 s.
    pub time_limit: Duration,
    /// Address space of the loading process in bytes. Default: 4 GB.
    pub memory_limit: u64,
    /// The executable whose `main` calls [`child_main`]. Default: the running one.
    pub executable: Option<PathBuf>,
}

impl LoadOptions {
    /// Defaults for these input files.
    pub fn new(inputs: impl IntoIterator<Item = impl Into<PathBuf>>) -> LoadOptions {
        LoadOptions {
            inputs: inputs.into_iter().map(Into::into).collect(),
            data_model: None,
            standard: None,
            clang_args: Vec::new(),
            target: TargetSpec::Default,
            further_targets: Vec::new(),
            allow_missing_target: false,
            foreign_functions: ForeignFunctions::Unsupported,
            inline: true,
            granularity: Granularity::Block,
            time_limit: Duration::from_secs(60),
            memory_limit: 4 << 30,
            executable: None,
        }
    }
}

/// A function that the program calls and that has no body.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct External {
    pub name: String,
    pub result: ExternalResult,
}

/// What a function without a body gives back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ExternalResult {
    Nothing,
    /// An arbitrary integer of so many bits; 1 for `_Bool`.
    Integer(u32),
    Pointer,
    /// An arbitrary `float` (32), `double` (64) or `long double`.
    Float(u32),
    /// It has another type, or the call is refused.
    Refused,
}

/// A loaded program.
#[derive(Debug)]
pub struct Loaded {
    /// Verified.
    pub program: Program,
    /// The module that `program` was lowered from, to be replayed natively (`replay`); it is
    /// deleted together with this value.
    pub prepared_bitcode: PathBuf,
    pub data_model: DataModel,
    /// What the program calls and nobody defines: inputs, and what is refused when it is called.
    pub externals: Vec<External>,
    /// What the user may want to know, a sentence each, e.g. a missing target.
    pub notes: Vec<String>,
    _folder: TempDir,
}

/// Loads a program in a child process.
///
/// # Errors
/// Every [`LoadError`]; each variant says its cause.
pub fn load(options: &LoadOptions) -> Result<Loaded, LoadError> {
    if options.inputs.is_empty() {
        return Err(LoadError::NoInput);
    }
    for path in &options.inputs {
        InputKind::of(path)?;
        check_readable(path)?;
    }
    let folder = tempfile::Builder::new()
        .prefix("compact-se-")
        .tempdir()
        .map_err(|error| LoadError::system("create a temporary folder", &error))?;
    let reply = child::run(options, folder.path())?;
    Ok(Loaded {
        program: reply.program,
        prepared_bitcode: folder.path().join(child::PREPARED_FILE),
        data_model: reply.data_model,
        externals: reply.externals,
        notes: reply.notes,
        _folder: folder,
    })
}

fn check_readable(path: &Path) -> Result<(), LoadError> {
    let unreadable = |reason: String| LoadError::Unreadable {
        path: path.to_owned(),
        reason,
    };
    match std::fs::metadata(path) {
        Ok(data) if data.is_dir() => Err(unreadable("it is a folder".to_owned())),
        Ok(_) => std::fs::File::open(path)
            .map(drop)
            .map_err(|error| unreadable(error.to_string())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(LoadError::NotFound {
            path: path.to_owned(),
        }),
        Err(error) => Err(unreadable(error.to_string())),
    }
}

/// Kind of an input file, by the end of its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum InputKind {
    C,
    Bitcode,
    Assembly,
}

impl InputKind {
    fn of(path: &Path) -> Result<InputKind, LoadError> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("c" | "i") => Ok(InputKind::C),
            Some("bc") => Ok(InputKind::Bitcode),
            Some("ll") => Ok(InputKind::Assembly),
            _ => Err(LoadError::UnknownKind {
                path: path.to_owned(),
            }),
        }
    }
}
