//! Replay of prepared bitcode: clang compiles it together with the replay library.
//!
//! ```text
//! prepared bitcode + runtime/replay/replay.c --clang--> NativeProgram
//! ```

use super::arguments::{ACCOUNTED, CHECKED, NATIVE, SANITIZED, TRACKED};
use super::child::{HELD_FILE, PREPARED_FILE};
use super::prepare::OBSERVED_FILE;
use super::{DataModel, compiled, find_clang};
use ::replay::{Build, NativeProgram, ReplayError, Replayer, Runnable, system};
use limits::Interrupt;
use process::{Folder, Group, Launch};
use std::fs::File;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

const LIBRARY: &str = include_str!("../../../runtime/replay/replay.c");

/// Clang is not waited for any longer.
const COMPILE_TIME: Duration = Duration::from_secs(60);

/// The module that a program was lowered from; it is deleted together with this value.
#[derive(Debug)]
pub(super) struct PreparedBitcode {
    compilation: Arc<Compilation>,
    /// Compiles ahead of what is requested.
    ahead: Mutex<Option<JoinHandle<()>>>,
}

/// Data shared by compiling threads.
#[derive(Debug)]
struct Compilation {
    folder: Folder,
    data_model: DataModel,
    /// The compiled files.
    programs: Mutex<Vec<(Build, Arc<NativeProgram>)>>,
    /// Nobody needs another program.
    interrupt: Interrupt,
}

impl PreparedBitcode {
    /// That of the folder in which a program was loaded.
    pub fn new(folder: Folder, data_model: DataModel) -> PreparedBitcode {
        let compilation = Compilation {
            folder,
            data_model,
            programs: Mutex::default(),
            interrupt: Interrupt::new(),
        };
        PreparedBitcode {
            compilation: Arc::new(compilation),
            ahead: Mutex::default(),
        }
    }
}

impl Replayer for PreparedBitcode {
    fn prepare(&self, build: Build) -> Result<Arc<dyn Runnable>, ReplayError> {
        Ok(self.compilation.program(build)?)
    }

    fn prepare_ahead(&self, build: Build) {
        let mut ahead = self.ahead.lock().unwrap_or_else(PoisonError::into_inner);
        if ahead.is_some() {
            return;
        }
        let compilation = self.compilation.clone();
        let compile = move || {
            // Whoever needs the program hears of errors.
            let _ = compilation.program(build);
        };
        // Without a thread it is compiled when it is needed.
        *ahead = std::thread::Builder::new().spawn(compile).ok();
    }
}

impl Drop for PreparedBitcode {
    fn drop(&mut self) {
        self.compilation.interrupt.raise();
        let ahead = self.ahead.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(thread) = ahead.take() {
            // Its files are gone too, if it panicked.
            let _ = thread.join();
        }
    }
}

impl Compilation {
    fn program(&self, build: Build) -> Result<Arc<NativeProgram>, ReplayError> {
        // Nobody leaves it half changed.
        let mut programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, program)) = programs.iter().find(|(of, _)| *of == build) {
            return Ok(program.clone());
        }
        let file = match build {
            Build::Held => HELD_FILE,
            Build::Observed => OBSERVED_FILE,
            Build::Plain
            | Build::Checked
            | Build::Accounted
            | Build::Tracked
            | Build::Sanitized => PREPARED_FILE,
        };
        let bitcode = self.folder.path().join(file);
        let program = compile_natively(&bitcode, self.data_model, build, &self.interrupt)?;
        let program = Arc::new(program);
        programs.push((build, program.clone()));
        Ok(program)
    }
}

/// Compiles prepared bitcode together with the replay library, unless it is interrupted.
///
/// # Errors
/// [`ReplayError::Unavailable`] without clang 19, [`ReplayError::Compile`] if it fails (as without
/// the C library for 32 bits) or is interrupted, [`ReplayError::System`] if files cannot be written.
pub fn compile_natively(
    prepared_bitcode: &Path,
    data_model: DataModel,
    build: Build,
    interrupt: &Interrupt,
) -> Result<NativeProgram, ReplayError> {
    if build == Build::Tracked && data_model == DataModel::Ilp32 {
        return Err(ReplayError::NoMemorySanitizer);
    }
    let folder = Folder::new("compact-se-replay-").map_err(system("create a temporary folder"))?;
    let mut arguments = vec![data_model.clang_flag()];
    arguments.extend(match build {
        Build::Plain => &[][..],
        Build::Checked => &CHECKED,
        Build::Accounted | Build::Held => &ACCOUNTED,
        Build::Tracked => &TRACKED,
        Build::Sanitized | Build::Observed => &SANITIZED,
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
    let mut launch = Launch::new(clang);
    launch
        .args(NATIVE)
        .args(&arguments)
        .arg("-o")
        .arg(&executable)
        .args(["-x", "ir"])
        .arg(prepared_bitcode)
        .args(["-x", kind])
        .arg(&library_path)
        // What clang leaves where it is ended goes with the folder.
        .env("TMPDIR", folder.path())
        .stderr(stderr);
    let group = Group::start(&launch).map_err(system("start clang"))?;
    let status = group.wait_unless(COMPILE_TIME, interrupt);
    let Some(status) = status.map_err(system("wait for clang"))? else {
        let message = match interrupt.raised() {
            true => "it was interrupted".to_owned(),
            false => format!("it takes longer than {} s", COMPILE_TIME.as_secs()),
        };
        return Err(ReplayError::Compile { message });
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;
    use std::time::Instant;

    /// A program, in a folder as loading leaves it.
    fn prepared() -> PreparedBitcode {
        let folder = Folder::new("compact-se-test-").unwrap();
        let source = folder.path().join("program.c");
        std::fs::write(&source, "int main(void) { return 0; }").unwrap();
        let mut command = Command::new(find_clang().unwrap());
        command.args(["-c", "-emit-llvm", "-o"]);
        command.arg(folder.path().join(PREPARED_FILE)).arg(&source);
        assert!(command.status().unwrap().success());
        PreparedBitcode::new(folder, DataModel::Lp64)
    }

    #[test]
    fn what_is_compiled_ahead_is_there_when_it_is_asked_for() {
        let bitcode = prepared();
        bitcode.prepare_ahead(Build::Plain);
        let deadline = Instant::now() + Duration::from_secs(60);
        while bitcode.compilation.programs.lock().unwrap().is_empty() {
            assert!(Instant::now() < deadline, "nobody compiles it");
            std::thread::sleep(Duration::from_millis(5));
        }
        bitcode.prepare(Build::Plain).unwrap();
        assert_eq!(bitcode.compilation.programs.lock().unwrap().len(), 1);
    }

    #[test]
    fn nothing_is_left_of_what_nobody_asked_for() {
        let bitcode = prepared();
        let folder = bitcode.compilation.folder.path().to_owned();
        let compilation = Arc::downgrade(&bitcode.compilation);
        bitcode.prepare_ahead(Build::Plain);
        drop(bitcode);
        assert!(compilation.upgrade().is_none() && !folder.exists());
    }
}
