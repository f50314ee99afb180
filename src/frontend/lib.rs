//! Front ends: programs in, flowgraphs out.
//!
//! ```text
//! files --load--> Loaded: Program, Replayer
//! ```
//!
//! This module is the interface of the front ends to the other rooms: one for C and LLVM bitcode, one for
//! microc. Each returns a [`Loaded`] with its own replayer; the file's extension selects the front end.
//!
//! # Deliberately absent
//! Only `llvm` uses LLVM, and only `microc` has its own parser.
//!
//! ```
//! use compact_se_frontend::{LoadOptions, load};
//!
//! let folder = tempfile::tempdir()?;
//! let file = folder.path().join("program.mc");
//! std::fs::write(&file, "main() { var x; x = input; return 2 * x; }")?;
//! let mut options = LoadOptions::new([&file]);
//! options.allow_missing_target = true;
//! let loaded = load(&options)?;
//! assert_eq!(loaded.program.functions.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod environment;
pub mod llvm;
pub mod microc;
mod error;
mod goal;
mod loaded;
mod readings;
pub mod source_text;

pub use environment::{
    ProgramArgument, SymbolicEnvironment, SymbolicFile, c_string, is_of_environment,
};
pub use error::LoadError;
pub use goal::{Goal, GoalKind, Goals, Side, WithoutCode};
pub use in_c::{InputType, Member, NumberType, Reading};
pub use llvm::find_clang;
pub use llvm::{
    ArraySizes, CHILD_COMMAND, EntryFunction, ForeignFunctions, Frames, Globals, LoadOptions,
    MacroDefinition, ObjectBytes, OptionUse, Sanitizer, TargetSpec, Variables, child_main,
    is_cplusplus, macros, use_of_option,
};
pub use loaded::{
    DataModel, External, ExternalResult, Loaded, StandIn, StandInKind, TargetPlace, TargetReport,
};
pub use readings::{InputReading, ReadValue, fails_at_once, standard_input};

impl LoadOptions {
    /// Whether the program is one in microc.
    #[must_use]
    pub fn is_microc(&self) -> bool {
        self.inputs.iter().any(|path| microc::is_microc(path))
    }
}

/// Loads a program by the front end for its files.
///
/// # Errors
/// Every [`LoadError`]; each variant says its cause.
pub fn load(options: &LoadOptions) -> Result<Loaded, LoadError> {
    if options.is_microc() {
        microc::load(options)
    } else {
        llvm::load(options)
    }
}
