//! Front ends: programs in, flowgraphs out.
//!
//! ```text
//! files --load--> Loaded: Program, Replayer
//! ```
//!
//! What the other rooms see of a front end is here. There is one so far, for C and LLVM bitcode; a
//! further one gives a [`Loaded`] of its own, with its own way to replay.
//!
//! # Deliberately absent
//! Nothing here but `llvm` knows LLVM.

mod environment;
pub mod llvm;
mod loaded;

pub use environment::{
    ProgramArgument, SymbolicEnvironment, SymbolicFile, c_string, is_of_environment,
};

pub use llvm::{
    CHILD_COMMAND, EntryFunction, ForeignFunctions, Frames, LoadError, LoadOptions, Sanitizer,
    TargetSpec, child_main, load,
};
pub use loaded::{DataModel, External, ExternalResult, Loaded, StandIn, StandInKind};
