//! Calling clang: C and C++ to bitcode.
//!
//! What it is called with in any case is [`arguments`](super::arguments).

use super::arguments::{NO_WARNINGS, PLAIN_MESSAGES, TO_BITCODE};
use super::regions::{self, Regions};
use super::{DataModel, InputKind, LoadError};
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// Path of a clang 19: the environment variable `COMPACT_SE_CLANG`, else `clang-19` in `PATH`, else
/// Debian's place, else a `clang` of version 19 in `PATH`.
///
/// Searched once in a process. Only a path that does not say its version is asked for it.
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
        if chosen.is_none() && names_its_version(candidate) {
            match is_executable(candidate) {
                true => return Ok(candidate.clone()),
                false => continue,
            }
        }
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

/// Whether a path says that this is a clang 19, as packages call it.
fn names_its_version(path: &Path) -> bool {
    path.ends_with("clang-19") || path.ends_with("llvm-19/bin/clang")
}

/// Whether there is such a program, in `PATH` if it is only a name.
fn is_executable(program: &Path) -> bool {
    let may_run = |path: &Path| {
        let data = std::fs::metadata(path);
        data.is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
    };
    if program.components().count() > 1 {
        return may_run(program);
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| may_run(&folder.join(program)))
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
const TOLERANT: [&str; 6] = [
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-mismatch",
    "-Wno-error=return-type",
    "-fbracket-depth=4096",
];

/// What is called without a declaration returns `int`, as in C90; no warnings.
const UNDECLARED_ALLOWED: [&str; 2] = [NO_WARNINGS, "-Wno-error=implicit-function-declaration"];

/// Each call without a declaration is told as an error, in C90 too, where it is a warning. Words of
/// CBMC are not what C90 takes them to be: `nondet_long()` is a `long`.
const UNDECLARED_TOLD: [&str; 2] = ["-Werror=implicit-function-declaration", "-ferror-limit=0"];

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

/// Why clang did not compile a file.
struct Failure {
    error: LoadError,
    /// All that clang said.
    stderr: String,
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Failure {
        let stderr = String::new();
        Failure { error, stderr }
    }
}

/// The header with CBMC's words, which its users do not declare.
pub(super) const CPROVER_HEADER: &str = "cprover.h";

/// The header with functions that the machine's C library may be too old to declare.
pub(super) const LATER_HEADER: &str = "later.h";

/// The functions in it.
const LATER: [&str; 2] = ["strlcpy", "strlcat"];

impl Compiler {
    /// Compiles `source` to bitcode in `output`. `extra` are further arguments, as `-std=gnu89`.
    /// Words of CBMC that the program does not declare are declared for it, and so is what the C library may be
    /// too old to declare.
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
        let run = |first: &[OsString], about_undeclared: &[&str]| {
            let command = || {
                let mut command = Command::new(&self.clang);
                command
                    .args(TO_BITCODE)
                    .arg("-o")
                    .arg(output)
                    .args(further)
                    .args(about_undeclared)
                    .args(first);
                command
            };
            self.run(&command, source, extra).map(|said| said.stdout)
        };
        let result = match run(&[], &UNDECLARED_TOLD) {
            Err(failure) if misses(&failure.stderr, is_word_of_cbmc) => {
                let headers = [Some(CPROVER_HEADER), later(&failure)];
                run(&self.included(&headers), &UNDECLARED_ALLOWED)
            }
            Err(failure) if later(&failure).is_some() => {
                let declared = run(&self.included(&[later(&failure)]), &UNDECLARED_ALLOWED);
                // Or it has functions of its own of these names.
                declared.or_else(|_| run(&[], &UNDECLARED_ALLOWED))
            }
            // Or `-Werror` makes an error of another warning.
            Err(_) => run(&[], &UNDECLARED_ALLOWED),
            result => result,
        };
        result.map_err(|failure| with_remedy(failure.error))
    }

    /// Arguments that include these of our headers first.
    fn included(&self, headers: &[Option<&str>]) -> Vec<OsString> {
        let arguments = headers.iter().flatten().flat_map(|header| {
            let header = self.include.join(header);
            ["-include".into(), header.into_os_string()]
        });
        arguments.collect()
    }

    /// The tokens of `source` after preprocessing, as `clang -dump-tokens` shows them, one a line.
    pub fn tokens(&self, source: &Path, extra: &[String]) -> Result<String, LoadError> {
        let command = || {
            let mut command = Command::new(&self.clang);
            command.args(["-fsyntax-only", "-Xclang", "-dump-tokens"]);
            command.args(UNDECLARED_ALLOWED);
            command
        };
        let said = self.run(&command, source, extra);
        said.map(|said| said.stderr)
            .map_err(|failure| with_remedy(failure.error))
    }

    /// `source` after preprocessing, with each `#define` that was passed, in C. A file that is
    /// preprocessed may define macros all the same.
    pub fn definitions(&self, source: &Path, extra: &[String]) -> Result<String, LoadError> {
        let command = || {
            let mut command = Command::new(&self.clang);
            command.args(["-E", "-dD", NO_WARNINGS, "-x", "c"]);
            command
        };
        let said = self.run(&command, source, extra);
        said.map(|said| said.stdout)
            .map_err(|failure| with_remedy(failure.error))
    }

    /// Runs clang on `source`; what it wrote. What old C allows is no error. C++ is compiled without
    /// exceptions and types at run time, unless the program uses them.
    fn run(
        &self,
        command: &dyn Fn() -> Command,
        source: &Path,
        extra: &[String],
    ) -> Result<Said, Failure> {
        if InputKind::of(source).ok() != Some(InputKind::Cplusplus) {
            return self.run_once(&mut command(), source, extra);
        }
        let mut arguments = CPLUSPLUS.map(str::to_owned).to_vec();
        let header = self.include.join(CPLUSPLUS_HEADER).display().to_string();
        arguments.extend(["-include".to_owned(), header]);
        arguments.extend(extra.iter().cloned());
        loop {
            let result = self.run_once(&mut command(), source, &arguments);
            let Err(Failure {
                error: LoadError::Clang { message, .. },
                ..
            }) = &result
            else {
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
                None => return result,
            }
        }
    }

    fn run_once(
        &self,
        command: &mut Command,
        source: &Path,
        extra: &[String],
    ) -> Result<Said, Failure> {
        let run = command
            .arg(self.data_model.clang_flag())
            .args(PLAIN_MESSAGES)
            .args(TOLERANT)
            .arg("-I")
            .arg(&self.include)
            .args(extra)
            .arg(no_option(source))
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
        Err(Failure {
            error: LoadError::Clang {
                path: source.to_owned(),
                message,
            },
            stderr: stderr.into_owned(),
        })
    }
}

/// The path of a file whose name begins like an option (`-a.c`), so that clang takes it for a file.
fn no_option(source: &Path) -> PathBuf {
    if source.as_os_str().as_encoded_bytes().starts_with(b"-") {
        Path::new(".").join(source)
    } else {
        source.to_owned()
    }
}

/// What to do where a header is missing. Those of the C++ library have names without an ending.
fn with_remedy(error: LoadError) -> LoadError {
    let LoadError::Clang { path, message } = error else {
        return error;
    };
    let remedy =
        if InputKind::of(&path).ok() == Some(InputKind::Cplusplus) && misses_library(&message) {
            "; scripts/setup.sh installs the C++ library's headers"
        } else if message.contains("file not found") {
            "; name the folder of the header with -I DIR"
        } else {
            ""
        };
    LoadError::Clang {
        path,
        message: format!("{message}{remedy}"),
    }
}

fn misses_library(message: &str) -> bool {
    let header = message.split('\'').nth(1).unwrap_or_default();
    message.contains("file not found") && (!header.contains('.') || header.starts_with("bits/"))
}

fn is_word_of_cbmc(word: &str) -> bool {
    word.starts_with("__CPROVER_") || word.starts_with("nondet_")
}

/// The header that clang misses where the C library is too old for a function.
fn later(failure: &Failure) -> Option<&'static str> {
    misses(&failure.stderr, |word| LATER.contains(&word)).then_some(LATER_HEADER)
}

/// Whether clang complains of such a word, which is not declared.
fn misses(stderr: &str, is_word: impl Fn(&str) -> bool) -> bool {
    let is_about_word = |line: &str| {
        let mut quoted = line.split('\'').skip(1).step_by(2);
        quoted.any(&is_word)
    };
    let says = ["undeclared", "unknown type name", "implicit declaration"];
    let mut errors = stderr.lines().filter(|line| line.contains("error:"));
    errors.any(|line| says.iter().any(|text| line.contains(text)) && is_about_word(line))
}

/// The line of clang's output that says what is wrong.
fn first_error(stderr: &str) -> String {
    let line = stderr
        .lines()
        .find(|line| line.contains("error:"))
        .or_else(|| stderr.lines().find(|line| !line.trim().is_empty()));
    line.unwrap_or("no message").trim().to_owned()
}
