//! Replay: runs the program with recorded inputs and observes whether it reaches the target.
//!
//! ```text
//! program --Replayer, of its front end--> Runnable, as an executable
//! input records --text file--> executable --exit code, one line--> ReplayOutcome
//! ```
//!
//! # Invariants
//! - The program is untrusted code: it runs in a separate temporary folder that is deleted afterwards and
//!   holds only the files of its [`Surroundings`], with limits on time, memory, files and processes, without
//!   inherited environment variables, and confined by the kernel as far as possible ([`Confinement`]); it and
//!   its descendants are dead when [`NativeProgram::run`] returns.
//! - Records are stored in the order in which the program reads them.
//!
//! # Deliberately absent
//! No judgement of inputs: an outcome is a value.
//!
//! ```
//! use compact_se_replay::{InputRecord, InputValue, Inputs};
//! use term::Bv;
//!
//! let seven = InputRecord { name: "n".to_owned(), value: InputValue::Int(Bv::new(32, 7)) };
//! let inputs = Inputs::from(vec![seven]);
//! assert!(inputs.surroundings.arguments.is_empty()); // those that the system passes
//! ```

mod backtrace;
mod records;
mod run;
mod sandbox;
mod sanitizer;

pub use records::{InputRecord, InputValue, Inputs, Surroundings};

pub use sandbox::Confinement;
pub use sanitizer::OBSERVER;

use limits::Interrupt;
use process::Folder;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The limits of a replay.
#[derive(Clone)]
pub struct ReplayLimits {
    /// Time of a run, but for what it waits for a processor. Default: 10 s.
    pub wall: Duration,
    /// Processor time of a run in seconds. Default: 10.
    pub cpu_seconds: u64,
    /// Address space in bytes. Default: 4 GB.
    pub memory: u64,
    /// The stack in bytes, where it is asked whether that is enough. Default: `None` for more than enough.
    pub stack: Option<u64>,
    /// Size of each file that is written, in bytes. Default: 1 MB.
    pub file_size: u64,
    /// Ends a run when it is raised. Default: never raised.
    pub interrupt: Interrupt,
}

impl Default for ReplayLimits {
    fn default() -> ReplayLimits {
        ReplayLimits {
            wall: Duration::from_secs(10),
            cpu_seconds: 10,
            memory: 4 << 30,
            stack: None,
            file_size: 1 << 20,
            interrupt: Interrupt::new(),
        }
    }
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplayOutcome {
    /// The target was reached.
    Reached,
    /// The program asked for other inputs than were recorded; why.
    Diverged(String),
    /// An assumption of the program was false.
    AssumptionViolated,
    /// An assertion of the program failed.
    AssertionFailed,
    /// A sanitizer ended the program with this report.
    Reported(SanitizerReport),
    /// The program ended properly, in a build that keeps account of blocks, and left some.
    Left(BlocksLeft),
    /// The program ended with an error that its language defines, at this line and column.
    Erred(LanguageError, (u32, u32)),
    /// The program ended with this exit code and did not reach the target.
    NotReached(i32),
    /// This signal killed the program.
    Crashed(i32),
    /// The same where the program asked for it, by `abort` or `raise`, at this line and column.
    Aborted(i32, (u32, u32)),
    /// A limit stopped the program; which one.
    Limit(&'static str),
    /// The loop at this line and column came back to a state that was there before.
    Endless((u32, u32)),
}

/// A sanitizer's report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SanitizerReport {
    /// `AddressSanitizer: heap-buffer-overflow`, for people.
    pub text: String,
    /// Where the program was, the innermost place first, and behind it the calls that led there; as
    /// far as places are known.
    pub places: Vec<SourcePlace>,
}

/// A place in the source as the compiled program tells it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourcePlace {
    /// As it was given to the compiler, or from the root.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// 0 where it is unknown.
    pub column: u32,
}

/// Blocks of the heap that a program had not freed when it ended by a return from `main` or `exit`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlocksLeft {
    /// How many, and their bytes together.
    pub n_blocks: u64,
    pub bytes: u64,
    /// Those of them to which no pointer leads, from a global variable or, at `exit`, from the stack.
    pub n_lost: u64,
    pub lost_bytes: u64,
    /// Whether functions ran, by `exit`.
    pub is_within_functions: bool,
}

/// In a few words, for people.
impl std::fmt::Display for BlocksLeft {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let told = |n: u64| if n == 1 { "block" } else { "blocks" };
        let BlocksLeft {
            n_blocks,
            bytes,
            n_lost,
            lost_bytes,
            is_within_functions: _,
        } = self;
        write!(
            f,
            "{n_blocks} {} of {bytes} bytes not freed, {n_lost} of {lost_bytes} bytes lost",
            told(*n_blocks)
        )
    }
}

/// A run: how it ended, and what it passed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Passage {
    pub outcome: ReplayOutcome,
    /// The numbers of the goals of coverage that it passed, in the order in which it came to them
    /// first; none of a run under a sanitizer that reported something.
    pub goals: Vec<u32>,
}

/// An error that ends a program by the definition of its language, as its interpreter tells it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LanguageError {
    DivisionByZero,
    NullDereference,
    OutOfBounds,
    /// A variable is used before it has a value.
    Uninitialised,
}

/// In a few words, for people.
impl std::fmt::Display for LanguageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            LanguageError::DivisionByZero => "division by zero",
            LanguageError::NullDereference => "dereference of null",
            LanguageError::OutOfBounds => "access out of the bounds of an array",
            LanguageError::Uninitialised => "use of a variable without a value",
        })
    }
}

/// Why a replay was not possible at all.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// A missing installation.
    #[error(transparent)]
    Unavailable(Box<dyn std::error::Error + Send + Sync>),
    #[error("clang cannot compile the program for the replay: {message}")]
    Compile { message: String },
    #[error(
        "the sanitizers' run-time libraries are missing; run scripts/setup.sh, or install libclang-rt-19-dev"
    )]
    NoSanitizers,
    #[error(
        "MemorySanitizer, which sees uses of uninitialised values, does not exist for programs of 32 bits"
    )]
    NoMemorySanitizer,
    #[error("cannot {action}: {source}")]
    System {
        action: &'static str,
        #[source]
        source: std::io::Error,
    },
}

/// An operating system's failure while we do `action`.
pub fn system(action: &'static str) -> impl FnOnce(std::io::Error) -> ReplayError {
    move |source| ReplayError::System { action, source }
}

/// The setting of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Build {
    /// Nothing else.
    Plain,
    /// The library of the checks that clang has put into the program, which reports those that
    /// fail.
    Checked,
    /// An account of the blocks of the heap, which says what is left when the program ends.
    /// LeakSanitizer needs another process that may read this one's memory, which no replay has.
    Accounted,
    /// The same, and what variables of functions that run hold is in memory, also where no instruction
    /// uses it any more.
    Held,
    /// `MemorySanitizer`, which reports uses of values that were not written.
    Tracked,
    /// Sanitizers, which report accesses to memory and operations that C does not define.
    Sanitized,
    /// The same with an observer of our own, which sees accesses far out of bounds too: it compares each
    /// with the object that the pointer led to.
    Observed,
}

/// How a loaded program is replayed: that is for its front end to know.
pub trait Replayer: std::fmt::Debug + Send + Sync {
    /// Makes the program ready for runs, as by compiling it; once for each build.
    ///
    /// # Errors
    /// If that cannot be done here; each [`ReplayError`] says its cause.
    fn prepare(&self, build: Build) -> Result<Arc<dyn Runnable>, ReplayError>;

    /// Starts the preparation in parallel if it takes long, since a run is likely.
    fn prepare_ahead(&self, _build: Build) {}

    /// Makes it ready and runs it once.
    ///
    /// # Errors
    /// Those of [`prepare`](Replayer::prepare) and [`Runnable::run`].
    fn replay(
        &self,
        build: Build,
        inputs: &Inputs,
        limits: &ReplayLimits,
    ) -> Result<ReplayOutcome, ReplayError> {
        self.prepare(build)?.run(inputs, limits)
    }
}

/// A program that is ready for runs, also for parallel ones.
pub trait Runnable: Send + Sync {
    /// Runs the program with these inputs.
    ///
    /// # Errors
    /// [`ReplayError::System`] if it cannot be started or its files cannot be written.
    fn run(&self, inputs: &Inputs, limits: &ReplayLimits) -> Result<ReplayOutcome, ReplayError>;

    /// The same, with the goals of coverage that the run passes, where the program was loaded with
    /// goals.
    ///
    /// # Errors
    /// Those of [`run`](Runnable::run).
    fn pass(&self, inputs: &Inputs, limits: &ReplayLimits) -> Result<Passage, ReplayError> {
        let outcome = self.run(inputs, limits)?;
        let goals = Vec::new();
        Ok(Passage { outcome, goals })
    }
}

/// A program compiled for replays; its files are deleted together with this value.
#[derive(Debug)]
pub struct NativeProgram {
    executable: PathBuf,
    folder: Folder,
    build: Build,
}

impl NativeProgram {
    /// An executable with the replay library in it, in a separate folder.
    #[must_use]
    pub fn new(executable: PathBuf, folder: Folder, build: Build) -> NativeProgram {
        NativeProgram {
            executable,
            folder,
            build,
        }
    }
}

impl Runnable for NativeProgram {
    fn run(&self, inputs: &Inputs, limits: &ReplayLimits) -> Result<ReplayOutcome, ReplayError> {
        Ok(self.pass(inputs, limits)?.outcome)
    }

    fn pass(&self, inputs: &Inputs, limits: &ReplayLimits) -> Result<Passage, ReplayError> {
        run::run(
            &self.executable,
            self.build,
            self.folder.path(),
            inputs,
            limits,
        )
    }
}
