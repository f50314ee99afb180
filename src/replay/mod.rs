//! Native replay: runs the program with recorded inputs and sees whether it reaches the target.
//!
//! ```text
//! prepared bitcode + runtime/replay/replay.c --clang--> executable
//! input records --text file--> executable --exit code, one line--> ReplayOutcome
//! ```
//!
//! # Invariants
//! - The program is foreign code: it runs in an empty temporary folder that is deleted
//!   afterwards, with limits on time, memory, files and processes, an empty environment and no
//!   input; it and whatever it started is dead when [`NativeProgram::run`] returns.
//! - Records stand in the file in the order in which the program asks for them.
//!
//! # Deliberately absent
//! No opinion on whether inputs are right: an outcome is a value.

mod records;
mod run;

pub use records::{InputRecord, InputValue};

use crate::frontend::llvm::{DataModel, LoadError, find_clang};
use crate::process::{Folder, Group};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const LIBRARY: &str = include_str!("../../runtime/replay/replay.c");

/// Clang is not waited for any longer.
const COMPILE_TIME: Duration = Duration::from_secs(60);

/// What a replay may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReplayLimits {
    /// Wall-clock time of a run. Default: 10 s.
    pub wall: Duration,
    /// Processor time of a run in seconds. Default: 10.
    pub cpu_seconds: u64,
    /// Address space in bytes. Default: 4 GB.
    pub memory: u64,
    /// Size of each file that is written, in bytes. Default: 1 MB.
    pub file_size: u64,
}

impl Default for ReplayLimits {
    fn default() -> ReplayLimits {
        ReplayLimits {
            wall: Duration::from_secs(10),
            cpu_seconds: 10,
            memory: 4 << 30,
            file_size: 1 << 20,
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
    /// The program ended with this exit code and did not reach the target.
    NotReached(i32),
    /// This signal killed the program.
    Crashed(i32),
    /// A limit stopped the program; which one.
    Limit(&'static str),
}

/// Why a replay was not possible at all.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    #[error(transparent)]
    Clang(#[from] LoadError),
    #[error("clang cannot compile the program for the replay: {message}")]
    Compile { message: String },
    #[error("cannot {action}: {source}")]
    System {
        action: &'static str,
        #[source]
        source: std::io::Error,
    },
}

fn system(action: &'static str) -> impl FnOnce(std::io::Error) -> ReplayError {
    move |source| ReplayError::System { action, source }
}

/// A program compiled for replays; its files are deleted together with this value.
#[derive(Debug)]
pub struct NativeProgram {
    executable: PathBuf,
    folder: Folder,
}

impl NativeProgram {
    /// Compiles prepared bitcode ([`Loaded::prepared_bitcode`]) together with the replay library.
    ///
    /// # Errors
    /// [`ReplayError::Clang`] without clang 19, [`ReplayError::Compile`] if it fails (as without
    /// the C library for 32 bits), [`ReplayError::System`] if files cannot be written.
    ///
    /// [`Loaded::prepared_bitcode`]: crate::frontend::llvm::Loaded::prepared_bitcode
    pub fn compile(
        prepared_bitcode: &Path,
        data_model: DataModel,
    ) -> Result<NativeProgram, ReplayError> {
        let folder =
            Folder::new("compact-se-replay-").map_err(system("create a temporary folder"))?;
        let library = folder.path().join("replay.c");
        std::fs::write(&library, LIBRARY).map_err(system("write the replay library"))?;
        let executable = folder.path().join("program");
        let messages = folder.path().join("messages.txt");
        let stderr = File::create(&messages).map_err(system("write to a temporary folder"))?;
        let mut clang = Command::new(find_clang()?);
        clang
            .arg(data_model.clang_flag())
            .args(["-O0", "-w", "-fno-color-diagnostics", "-o"])
            .arg(&executable)
            .args(["-x", "ir"])
            .arg(prepared_bitcode)
            .args(["-x", "c"])
            .arg(&library)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(stderr);
        let group = Group::start(&mut clang).map_err(system("start clang"))?;
        let status = group.wait(COMPILE_TIME).map_err(system("wait for clang"))?;
        let Some(status) = status else {
            let seconds = COMPILE_TIME.as_secs();
            return Err(ReplayError::Compile {
                message: format!("it takes longer than {seconds} s"),
            });
        };
        if !status.success() {
            let stderr = std::fs::read(&messages).unwrap_or_default();
            let stderr = String::from_utf8_lossy(&stderr);
            let line = stderr.lines().find(|line| line.contains("error"));
            let line = line
                .or_else(|| stderr.lines().next())
                .unwrap_or("no message");
            return Err(ReplayError::Compile {
                message: line.trim().to_owned(),
            });
        }
        Ok(NativeProgram { executable, folder })
    }

    /// Runs the program with these inputs.
    ///
    /// # Errors
    /// [`ReplayError::System`] if it cannot be started or its files cannot be written.
    pub fn run(
        &self,
        inputs: &[InputRecord],
        limits: &ReplayLimits,
    ) -> Result<ReplayOutcome, ReplayError> {
        run::run(&self.executable, self.folder.path(), inputs, limits)
    }
}

/// Compiles and runs once.
///
/// # Errors
/// Those of [`NativeProgram::compile`] and [`NativeProgram::run`].
pub fn replay(
    prepared_bitcode: &Path,
    data_model: DataModel,
    inputs: &[InputRecord],
    limits: &ReplayLimits,
) -> Result<ReplayOutcome, ReplayError> {
    NativeProgram::compile(prepared_bitcode, data_model)?.run(inputs, limits)
}
