//! Calling clang: C and C++ to bitcode.
//!
//! The fixed arguments are in [`arguments`](super::arguments).

use super::arguments::{NO_WARNINGS, PLAIN_MESSAGES, TO_BITCODE};
use super::regions::{self, Regions};
use super::{DataModel, InputKind, LoadError};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// Path of a clang 19: the environment variable `COMPACT_SE_CLANG`, else `clang-19` in `PATH`, else
/// Debian's place, else a `clang` of version 19 in `PATH`.
///
/// Searched once in a process. Only a path without a version is asked for it.
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
            match process::executable(candidate).is_some() {
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

/// The prefix of every file in C++.
pub(super) const CPLUSPLUS_HEADER: &str = "cplusplus.h";

/// Why clang did not compile a file.
struct Failure {
    error: LoadError,
    /// All that clang wrote.
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

/// Output of clang for a file in addition to bitcode.
#[derive(Default)]
pub(super) struct Compiled {
    /// What its counters of coverage count, where they were requested.
    pub regions: Vec<Regions>,
    /// Notes about the text.
    pub notes: Vec<String>,
}

impl Compiler {
    /// Compiles `source` to bitcode in `output`. `extra` are further arguments, as `-std=gnu89`.
    /// Words of CBMC and SV-COMP that the program does not declare are declared for it, and so is what the C
    /// library may be too old to declare.
    pub fn compile(
        &self,
        source: &Path,
        output: &Path,
        extra: &[String],
    ) -> Result<Compiled, LoadError> {
        self.compile_with(source, output, extra, &[])
    }

    /// The same with clang's counters for coverage in the bitcode.
    pub fn compile_with_regions(
        &self,
        source: &Path,
        output: &Path,
        extra: &[String],
    ) -> Result<Compiled, LoadError> {
        self.compile_with(source, output, extra, &COUNTED)
    }

    fn compile_with(
        &self,
        source: &Path,
        output: &Path,
        extra: &[String],
        further: &[&str],
    ) -> Result<Compiled, LoadError> {
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
            self.run(&command, source, extra)
        };
        let told = run(&[], &UNDECLARED_TOLD);
        let undeclared = match &told {
            Ok(_) => Undeclared::default(),
            Err(failure) => Undeclared::read(&failure.stderr),
        };
        if let Some(message) = undeclared.refused {
            return Err(with_remedy(LoadError::Clang {
                path: source.to_owned(),
                message,
            }));
        }
        let headers = self.headers_for(&undeclared, output)?;
        let mut notes = Vec::new();
        let result = match told {
            Err(_) if !headers.is_empty() => {
                let declared = run(&included(source, &headers), &UNDECLARED_ALLOWED);
                if declared.is_ok() && undeclared.words.contains(ASSERT) {
                    let source = source.display();
                    notes.push(format!(
                        "{source} calls assert without <assert.h>; the call is treated as an assertion"
                    ));
                }
                // Or it has functions of its own of these names.
                declared.or_else(|failure| run(&[], &UNDECLARED_ALLOWED).map_err(|_| failure))
            }
            // Or `-Werror` makes an error of another warning.
            Err(_) => run(&[], &UNDECLARED_ALLOWED),
            result => result,
        };
        let written = result.map_err(|failure| with_remedy(failure.error))?;
        let regions = match further.is_empty() {
            true => Vec::new(),
            false => regions::read(source, &written),
        };
        Ok(Compiled { regions, notes })
    }

    /// Headers with declarations of undeclared functions; one of them is written next to the output.
    fn headers_for(
        &self,
        undeclared: &Undeclared,
        output: &Path,
    ) -> Result<Vec<PathBuf>, LoadError> {
        let mut headers = Vec::new();
        let has = |is_meant: &dyn Fn(&str) -> bool| undeclared.words.iter().any(|it| is_meant(it));
        if has(&is_word_of_cbmc) {
            headers.push(self.include.join(CPROVER_HEADER));
        }
        if has(&|word| LATER.contains(&word)) {
            headers.push(self.include.join(LATER_HEADER));
        }
        let declarations = undeclared.declarations();
        if !declarations.is_empty() {
            let header = output.with_extension("h");
            std::fs::write(&header, declarations)
                .map_err(|error| LoadError::system("write to a temporary folder", &error))?;
            headers.push(header);
        }
        Ok(headers)
    }

    /// `source` after preprocessing, with `further` arguments for that.
    pub fn preprocessed(
        &self,
        source: &Path,
        extra: &[String],
        further: &[&str],
    ) -> Result<String, LoadError> {
        let command = || {
            let mut command = Command::new(&self.clang);
            command.args(["-E", NO_WARNINGS]).args(further);
            command
        };
        self.run(&command, source, extra)
            .map_err(|failure| with_remedy(failure.error))
    }

    /// Runs clang on `source`; what it wrote. What old C allows is no error. C++ is compiled without
    /// exceptions and types at run time, unless the program uses them.
    fn run(
        &self,
        command: &dyn Fn() -> Command,
        source: &Path,
        extra: &[String],
    ) -> Result<String, Failure> {
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
    ) -> Result<String, Failure> {
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
            return Ok(String::from_utf8_lossy(&run.stdout).into_owned());
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
    let remedy = if InputKind::of(&path).ok() == Some(InputKind::Cplusplus)
        && misses_library(&message)
    {
        "; scripts/setup.sh installs the C++ library's headers"
    } else if message.contains("file not found") {
        "; name the folder of the header with -I DIR"
    } else if message.contains(STATIC_ASSERT) {
        "; include <assert.h>, or write _Static_assert"
    } else if message.contains("function definition is not allowed here") {
        "; nested functions, a GCC extension, are not supported: define the function at file scope"
    } else if message.contains("unknown argument") {
        "; drop the option if the program has the same meaning without it"
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

/// Arguments that include these headers first. A file that is preprocessed has no further headers for clang,
/// unless it is taken for one that is not.
fn included(source: &Path, headers: &[PathBuf]) -> Vec<OsString> {
    let headers = headers.iter();
    let mut arguments: Vec<OsString> = headers
        .flat_map(|header| ["-include".into(), header.clone().into_os_string()])
        .collect();
    let language = match source.extension().and_then(|end| end.to_str()) {
        Some("i") => "c",
        Some("ii") => "c++",
        _ => return arguments,
    };
    arguments.extend(["-x", language].map(OsString::from));
    // The other macros have names that no program uses.
    arguments.extend(["-Ulinux", "-Uunix", "-Ui386"].map(OsString::from));
    arguments
}

/// Undeclared functions of a program.
#[derive(Default)]
struct Undeclared {
    words: BTreeSet<String>,
    /// Clang's message, where one of them is the word of a header that is no function.
    refused: Option<String>,
}

/// The macro of `<assert.h>`.
const ASSERT: &str = "assert";
/// The other one, which before C23 is no keyword.
const STATIC_ASSERT: &str = "static_assert";

impl Undeclared {
    fn read(stderr: &str) -> Undeclared {
        let says = ["undeclared", "unknown type name", "implicit declaration"];
        let mut undeclared = Undeclared::default();
        let errors = stderr.lines().filter(|line| line.contains("error:"));
        for line in errors.filter(|line| says.iter().any(|text| line.contains(text))) {
            for word in line.split('\'').skip(1).step_by(2) {
                if word == STATIC_ASSERT {
                    (undeclared.refused).get_or_insert_with(|| line.trim().to_owned());
                }
                undeclared.words.insert(word.to_owned());
            }
        }
        undeclared
    }

    /// Declarations of those whose names tell their meaning.
    fn declarations(&self) -> String {
        let mut declarations = String::new();
        for word in &self.words {
            if let Some(ty) = type_of_input(word) {
                declarations.push_str(&format!("{ty} {word}(void);\n"));
            }
            if let Some((ty, name)) = TYPES_OF_GCC.iter().find(|(_, name)| name == word) {
                // A macro goes with `_Complex`.
                declarations.push_str(&format!("#define {name} {ty}\n"));
            }
        }
        if self.words.contains(ASSERT) {
            declarations.push_str(
                "_Noreturn void __assert_fail(const char *, const char *, unsigned, const char *);\n\
                 #define assert(condition) ((condition) ? (void)0 : \
                 __assert_fail(#condition, __FILE__, __LINE__, __func__))\n",
            );
        }
        declarations
    }
}

/// Types that gcc has and clang has not, where headers that gcc has preprocessed use them.
const TYPES_OF_GCC: [(&str, &str); 5] = [
    ("float", "_Float32"),
    ("double", "_Float64"),
    ("double", "_Float32x"),
    ("long double", "_Float64x"),
    ("__float128", "_Float128"),
];

/// The C type that the name of an input of SV-COMP tells.
fn type_of_input(word: &str) -> Option<&'static str> {
    Some(match word.strip_prefix("__VERIFIER_nondet_")? {
        "bool" | "_Bool" => "_Bool",
        "char" => "char",
        "schar" => "signed char",
        "uchar" | "unsigned_char" => "unsigned char",
        "short" => "short",
        "ushort" | "unsigned_short" => "unsigned short",
        "int" => "int",
        "uint" | "unsigned" | "unsigned_int" => "unsigned",
        "long" => "long",
        "ulong" | "unsigned_long" | "sector_t" => "unsigned long",
        "longlong" | "long_long" | "loff_t" => "long long",
        "ulonglong" | "unsigned_long_long" => "unsigned long long",
        "int8_t" | "s8" | "S8" => "__INT8_TYPE__",
        "int16_t" | "s16" | "S16" => "__INT16_TYPE__",
        "int32_t" | "s32" | "S32" => "__INT32_TYPE__",
        "int64_t" | "s64" | "S64" => "__INT64_TYPE__",
        "uint8_t" | "u8" | "U8" => "__UINT8_TYPE__",
        "uint16_t" | "u16" | "U16" => "__UINT16_TYPE__",
        "uint32_t" | "u32" | "U32" => "__UINT32_TYPE__",
        "uint64_t" | "u64" | "U64" => "__UINT64_TYPE__",
        "int128" => "__int128",
        "uint128" => "unsigned __int128",
        "size_t" => "__SIZE_TYPE__",
        "ssize_t" | "ptrdiff_t" => "__PTRDIFF_TYPE__",
        "intptr_t" => "__INTPTR_TYPE__",
        "uintptr_t" => "__UINTPTR_TYPE__",
        "float" => "float",
        "double" => "double",
        "pointer" => "void *",
        "pchar" | "charp" => "char *",
        _ => return None,
    })
}

/// The line of clang's output that says what is wrong.
fn first_error(stderr: &str) -> String {
    let line = stderr
        .lines()
        .find(|line| line.contains("error:"))
        .or_else(|| stderr.lines().find(|line| !line.trim().is_empty()));
    line.unwrap_or("no message").trim().to_owned()
}
