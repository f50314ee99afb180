//! Calling clang: C and C++ to bitcode.
//!
//! # Invariants
//! - `-fwrapv`, since the semantics is that of machine integers; `-O0` without `optnone`, since
//!   we choose the passes ourselves; names are kept, since C labels are found by them.

use super::regions::{self, Regions};
use super::{DataModel, InputKind, LoadError};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// Path of a clang 19: the environment variable `COMPACT_SE_CLANG`, else `clang-19` or
/// `clang` of version 19 in `PATH`, else Debian's place.
///
/// Searched once in a process.
///
/// # Errors
/// [`LoadError::NoClang`].
pub fn find_clang() -> Result<PathBuf, LoadError> {
    static FOUND: OnceLock<Result<PathBuf, LoadError>> = OnceLock::new();
    FOUND.get_or_init(search_clang).clone()
}

fn search_clang() -> Result<PathBuf, LoadError> {
    let chosen = std::env::var_os("COMPACT_SE_CLANG").map(PathBuf::from);
    let candidates = match &chosen {
        Some(path) => vec![path.clone()],
        None => ["clang-19", "/usr/lib/llvm-19/bin/clang", "clang"]
            .map(PathBuf::from)
            .to_vec(),
    };
    for candidate in &candidates {
        let output = Command::new(candidate)
            .arg("--version")
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output();
        if let Ok(output) = output
            && String::from_utf8_lossy(&output.stdout).contains("clang version 19.")
        {
            return Ok(candidate.clone());
        }
    }
    let tried: Vec<String> = candidates.iter().map(|c| c.display().to_string()).collect();
    Err(LoadError::NoClang {
        tried: format!("tried {}", tried.join(", ")),
    })
}

/// What is the same for every file that is compiled for one program.
pub(super) struct Compiler {
    pub clang: PathBuf,
    pub data_model: DataModel,
    /// Folder of the runtime's headers, as they were written for this load.
    pub include: PathBuf,
}

/// What C90 and programs of its time allow and clang 19 makes an error of, and deeper nesting than it
/// takes by itself.
const TOLERANT: [&str; 7] = [
    "-Wno-error=implicit-int",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-mismatch",
    "-Wno-error=return-type",
    "-fbracket-depth=4096",
];

/// Arguments of clang for counters of coverage, none of which a pass makes code of, and for a listing
/// of what they count.
const COUNTED: [&str; 7] = [
    "-fprofile-instr-generate",
    "-fcoverage-mapping",
    "-Xclang",
    "-disable-llvm-passes",
    "-Xclang",
    "-dump-coverage-mapping",
    "-fno-coverage-mcdc",
];

/// Arguments of clang for C++ only. Exceptions are not followed; without them there is less code, and a
/// throw of the library ends the program.
const CPLUSPLUS: [&str; 2] = ["-fno-exceptions", "-fno-rtti"];

/// What clang says of a word of C++ that these leave out, and what brings it back.
const LEFT_OUT: [(&str, &str, &str); 2] = [
    (
        "with exceptions disabled",
        "-fexceptions",
        "-fno-exceptions",
    ),
    ("-frtti", "-frtti", "-fno-rtti"),
];

/// What every file in C++ begins with.
pub(super) const CPLUSPLUS_HEADER: &str = "cplusplus.h";

/// What clang wrote.
struct Said {
    stdout: String,
    stderr: String,
}

/// The header with CBMC's words, which its users do not declare.
pub(super) const CPROVER_HEADER: &str = "cprover.h";

impl Compiler {
    /// Compiles `source` to bitcode in `output`. `extra` are further arguments, as `-std=gnu89`.
    /// Words of CBMC that the program does not declare are declared for it.
    pub fn compile(&self, source: &Path, output: &Path, extra: &[String]) -> Result<(), LoadError> {
        self.compile_with(source, output, extra, &[]).map(drop)
    }

    /// The same with clang's counters for coverage in the bitcode; gives what they count.
    pub fn compile_with_regions(
        &self,
        source: &Path,
        output: &Path,
        extra: &[String],
    ) -> Result<Vec<Regions>, LoadError> {
        let listing = self.compile_with(source, output, extra, &COUNTED)?;
        Ok(regions::read(source, &listing))
    }

    /// Compiles; what clang wrote to standard output.
    fn compile_with(
        &self,
        source: &Path,
        output: &Path,
        extra: &[String],
        further: &[&str],
    ) -> Result<String, LoadError> {
        let run = |first: &[&OsStr]| {
            let command = || {
                let mut command = Command::new(&self.clang);
                command
                    .args(["-O0", "-g", "-fwrapv", "-fno-discard-value-names"])
                    .args(["-Xclang", "-disable-O0-optnone", "-emit-llvm", "-c", "-o"])
                    .arg(output)
                    .args(further)
                    .args(first);
                command
            };
            let said = self.run(&command, source, extra)?;
            Ok(said.stdout)
        };
        match run(&[]) {
            Err(LoadError::Clang { path, message }) if misses_word_of_cbmc(&message) => {
                let header = self.include.join(CPROVER_HEADER);
                let first = [OsStr::new("-include"), header.as_os_str()];
                // The first message is about the program as it is.
                run(&first).map_err(|_| LoadError::Clang { path, message })
            }
            result => result,
        }
    }

    /// The tokens of `source` after preprocessing, as `clang -dump-tokens` shows them, one a line.
    pub fn tokens(&self, source: &Path, extra: &[String]) -> Result<String, LoadError> {
        let command = || {
            let mut command = Command::new(&self.clang);
            command.args(["-fsyntax-only", "-Xclang", "-dump-tokens"]);
            command
        };
        Ok(self.run(&command, source, extra)?.stderr)
    }

    /// Runs clang on `source`; what it wrote. What old C allows is no error. C++ is compiled without
    /// exceptions and types at run time, unless the program uses them.
    fn run(
        &self,
        command: &dyn Fn() -> Command,
        source: &Path,
        extra: &[String],
    ) -> Result<Said, LoadError> {
        if InputKind::of(source).ok() != Some(InputKind::Cplusplus) {
            return self.run_once(&mut command(), source, extra);
        }
        let mut arguments = CPLUSPLUS.map(str::to_owned).to_vec();
        let header = self.include.join(CPLUSPLUS_HEADER).display().to_string();
        arguments.extend(["-include".to_owned(), header]);
        arguments.extend(extra.iter().cloned());
        loop {
            let result = self.run_once(&mut command(), source, &arguments);
            let Err(LoadError::Clang { message, .. }) = &result else {
                return result;
            };
            let misses = |(words, with, without): &&(&str, &str, &str)| {
                let has = |one: &str| extra.iter().any(|argument| argument == one);
                message.contains(words)
                    && !has(without)
                    && !arguments.iter().any(|argument| argument == with)
            };
            match LEFT_OUT.iter().find(misses) {
                Some((_, with, _)) => arguments.push((*with).to_owned()),
                None => return result.map_err(with_remedy),
            }
        }
    }

    fn run_once(
        &self,
        command: &mut Command,
        source: &Path,
        extra: &[String],
    ) -> Result<Said, LoadError> {
        let run = command
            .arg(self.data_model.clang_flag())
            .args(["-w", "-fno-color-diagnostics", "-fno-caret-diagnostics"])
            .args(TOLERANT)
            .arg("-I")
            .arg(&self.include)
            .args(extra)
            .arg(source)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| LoadError::NoClang {
                tried: format!("{}: {error}", self.clang.display()),
            })?;
        let stderr = String::from_utf8_lossy(&run.stderr);
        if run.status.success() {
            return Ok(Said {
                stdout: String::from_utf8_lossy(&run.stdout).into_owned(),
                stderr: stderr.into_owned(),
            });
        }
        let message = if run.status.code().is_none() {
            "clang crashed, perhaps since an expression is nested too deeply: write it in parts"
                .into()
        } else {
            first_error(&stderr)
        };
        Err(LoadError::Clang {
            path: source.to_owned(),
            message,
        })
    }
}

/// What to do where a header of the C++ library is missing: their names have no ending.
fn with_remedy(error: LoadError) -> LoadError {
    match error {
        LoadError::Clang { path, message } if misses_library(&message) => LoadError::Clang {
            path,
            message: format!("{message}; scripts/setup.sh installs the C++ library's headers"),
        },
        error => error,
    }
}

fn misses_library(message: &str) -> bool {
    let header = message.split('\'').nth(1).unwrap_or_default();
    message.contains("file not found") && (!header.contains('.') || header.starts_with("bits/"))
}

/// Whether clang complains of a word of CBMC that is not declared.
fn misses_word_of_cbmc(message: &str) -> bool {
    let mut quoted = message.split('\'').skip(1).step_by(2);
    (message.contains("undeclared") || message.contains("unknown type name"))
        && quoted.any(|word| word.starts_with("__CPROVER_") || word.starts_with("nondet_"))
}

/// The line of clang's output that says what is wrong.
fn first_error(stderr: &str) -> String {
    let line = stderr
        .lines()
        .find(|line| line.contains("error:"))
        .or_else(|| stderr.lines().find(|line| !line.trim().is_empty()));
    line.unwrap_or("no message").trim().to_owned()
}
