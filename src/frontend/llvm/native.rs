//! Replay of prepared bitcode: clang compiles it together with the replay library.
//!
//! ```text
//! prepared bitcode + runtime/replay/replay.c --clang--> NativeProgram
//! ```

use super::arguments::{ACCOUNTED, CHECKED, NATIVE, SANITIZED, TRACKED};
use super::child::PREPARED_FILE;
use super::{DataModel, compiled, find_clang};
use crate::process::{Folder, Group};
use crate::replay::{Build, NativeProgram, ReplayError, Replayer, Runnable, system};
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

const LIBRARY: &str = include_str!("../../../runtime/replay/replay.c");

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
    let mut arguments = vec![data_model.clang_flag()];
    arguments.extend(match build {
        Build::Plain => &[][..],
        Build::Checked => &CHECKED,
        Build::Accounted => &ACCOUNTED,
        Build::Tracked => &TRACKED,
        Build::Sanitized => &SANITIZED,
    });
    // The executable has it compiled, if that could be done when it was built.
    let (name, kind, library) = match compiled::find("replay.c", &arguments) {
        Some(object) => ("replay.o", "none", object),
        None => ("replay.c", "c", LIBRARY.as_bytes()),
    };
    let library_path = folder.path().join(name);
    std::fs::write(&library_path, library).map_err(system("write the replay library"))?;
    let executable = folder.path().join("program");
    let messages = folder.path().join("messages.txt");
    let stderr = File::create(&messages).map_err(system("write to a temporary folder"))?;
    let clang = find_clang().map_err(|error| ReplayError::Unavailable(error.into()))?;
    let mut command = Command::new(clang);
    command
        .args(NATIVE)
        .args(&arguments)
        .arg("-o")
        .arg(&executable)
        .args(["-x", "ir"])
        .arg(prepared_bitcode)
        .args(["-x", kind])
        .arg(&library_path)
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
