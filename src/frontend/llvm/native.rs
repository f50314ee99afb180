//! Replay of prepared bitcode: clang compiles it together with the replay library.
//!
//! ```text
//! prepared bitcode + runtime/replay/replay.c --clang--> NativeProgram
//! ```

use super::child::PREPARED_FILE;
use super::{DataModel, find_clang};
use crate::process::{Folder, Group};
use crate::replay::{Build, NativeProgram, ReplayError, Replayer, Runnable, system};
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

const LIBRARY: &str = include_str!("../../../runtime/replay/replay.c");

/// Arguments of clang with which the functions that `prepare` marked are instrumented, and the
/// replay library is not, which says so itself. The checks of UndefinedBehaviorSanitizer are in the
/// prepared bitcode already.
const SANITIZED: [&str; 5] = [
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-g",
    "-DCOMPACT_SE_SANITIZED",
    "-Wl,--wrap=fgets",
];

/// Arguments of clang that link the library of the checks which are in the prepared bitcode already.
/// Where a check fails, the library reports it and ends the program.
const CHECKED: [&str; 2] = ["-fsanitize=undefined", "-fno-sanitize-recover=all"];

/// The same with `MemorySanitizer`; what the replay library does in the program's name is not instrumented.
const TRACKED: [&str; 5] = [
    "-fsanitize=memory,undefined",
    // A copy is no use, nor is a value that is returned or handed over.
    "-fno-sanitize-memory-param-retval",
    "-fno-sanitize-recover=all",
    "-g",
    "-DCOMPACT_SE_TRACKED",
];

/// The same with an account of the blocks of the heap; calls of `exit` tell where the stack begins.
const ACCOUNTED: [&str; 4] = [
    "-fsanitize=undefined",
    "-fno-sanitize-recover=all",
    "-DCOMPACT_SE_ACCOUNT",
    "-Wl,--wrap=exit",
];

/// Clang is not waited for any longer.
const COMPILE_TIME: Duration = Duration::from_secs(60);

/// The module that a program was lowered from; it is deleted together with this value.
#[derive(Debug)]
pub(super) struct PreparedBitcode {
    folder: Folder,
    data_model: DataModel,
    /// What was compiled from it.
    programs: Mutex<Vec<(Build, Arc<NativeProgram>)>>,
}

impl PreparedBitcode {
    /// That of the folder in which a program was loaded.
    pub fn new(folder: Folder, data_model: DataModel) -> PreparedBitcode {
        PreparedBitcode {
            folder,
            data_model,
            programs: Mutex::default(),
        }
    }
}

impl Replayer for PreparedBitcode {
    fn prepare(&self, build: Build) -> Result<Arc<dyn Runnable>, ReplayError> {
        // Nobody leaves it half changed.
        let mut programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, program)) = programs.iter().find(|(of, _)| *of == build) {
            return Ok(program.clone());
        }
        let bitcode = self.folder.path().join(PREPARED_FILE);
        let program = Arc::new(compile_natively(&bitcode, self.data_model, build)?);
        programs.push((build, program.clone()));
        Ok(program)
    }
}

/// Compiles prepared bitcode together with the replay library.
///
/// # Errors
/// [`ReplayError::Unavailable`] without clang 19, [`ReplayError::Compile`] if it fails (as without
/// the C library for 32 bits), [`ReplayError::System`] if files cannot be written.
pub fn compile_natively(
    prepared_bitcode: &Path,
    data_model: DataModel,
    build: Build,
) -> Result<NativeProgram, ReplayError> {
    let folder = Folder::new("compact-se-replay-").map_err(system("create a temporary folder"))?;
    let library = folder.path().join("replay.c");
    std::fs::write(&library, LIBRARY).map_err(system("write the replay library"))?;
    let executable = folder.path().join("program");
    let messages = folder.path().join("messages.txt");
    let stderr = File::create(&messages).map_err(system("write to a temporary folder"))?;
    let clang = find_clang().map_err(|error| ReplayError::Unavailable(error.into()))?;
    let mut command = Command::new(clang);
    command
        .arg(data_model.clang_flag())
        .args(["-O0", "-w", "-fno-color-diagnostics", "-o"])
        .arg(&executable);
    command.args(match build {
        Build::Plain => &[][..],
        Build::Checked => &CHECKED,
        Build::Accounted => &ACCOUNTED,
        Build::Tracked => &TRACKED,
        Build::Sanitized => &SANITIZED,
    });
    command
        .args(["-x", "ir"])
        .arg(prepared_bitcode)
        .args(["-x", "c"])
        .arg(&library)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(stderr);
    let group = Group::start(&mut command).map_err(system("start clang"))?;
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
        if build != Build::Plain && stderr.contains("libclang_rt.") {
            return Err(ReplayError::NoSanitizers);
        }
        let line = stderr.lines().find(|line| line.contains("error"));
        let line = line
            .or_else(|| stderr.lines().next())
            .unwrap_or("no message");
        return Err(ReplayError::Compile {
            message: line.trim().to_owned(),
        });
    }
    Ok(NativeProgram::new(executable, folder, build))
}
