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
//! - The target and partial operations are marked before any pass runs.
//! - What the engine cannot follow is an `Unsupported` action at its place, never silently
//!   something else.
//!
//! # Semantics chosen here
//! - Signed arithmetic wraps, also where bitcode from elsewhere says `nsw`; `inbounds`, `exact`
//!   and the like are ignored.
//! - Division traps where x86 does; a shift by the width or more, and a count of the zeros of zero,
//!   end the path. So they do where nobody uses the result.
//! - An uninitialised variable has an arbitrary value from each execution of its declaration on.
//! - A function that nobody defines, neither the program nor the platform, returns an arbitrary
//!   value; if it takes pointers, its call is unsupported, or what [`ForeignFunctions`] says.
//! - A function of the C library does what its model says, or gives what C and POSIX promise of
//!   its result ([`StandIn`]); without a model its call is unsupported, and so are the words of
//!   other tools.
//! - `main` gets what a system could pass: `argc` texts and a null pointer behind them. Looking at
//!   more than eight, or at a third parameter, is unsupported.
//!
//! # Deliberately absent
//! No execution, no solver. LLVM's types do not leave this module.

mod child;
mod compile;
mod error;
mod folded;
mod lower;
mod prepare;
mod target;

pub use child::{CHILD_COMMAND, child_main};
pub use compile::find_clang;
pub use error::LoadError;
pub use target::TargetSpec;

use crate::flowgraph::{Granularity, Program};
use crate::process::Folder;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;

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

/// What a function does that nobody defines and that takes pointers.
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

/// A function of the C library in the place of which something else is analysed and replayed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct StandIn {
    pub by: StandInKind,
    pub name: String,
}

/// What stands in for a function of the C library.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StandInKind {
    /// Inputs, within what C and POSIX promise of the function's results.
    Inputs,
    /// C code that does the same.
    Model,
    /// Nothing but a result: what the function does, the program cannot see.
    NoEffect,
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
    /// The functions of the C library that the program calls and a replay does not.
    pub stand_ins: Vec<StandIn>,
    /// What the user may want to know, a sentence each, e.g. a missing target.
    pub notes: Vec<String>,
    _folder: Folder,
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
    let folder = Folder::new("compact-se-")
        .map_err(|error| LoadError::system("create a temporary folder", &error))?;
    let reply = child::run(options, folder.path())?;
    Ok(Loaded {
        program: reply.program,
        prepared_bitcode: folder.path().join(child::PREPARED_FILE),
        data_model: reply.data_model,
        externals: reply.externals,
        stand_ins: reply.stand_ins,
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
