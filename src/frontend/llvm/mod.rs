//! Loading C and LLVM bitcode: input files to a flowgraph and a bitcode file for native replay.
//!
//! ```text
//! .c .i .cpp --clang--> .bc .ll --inkwell: parse, link--> mark target --> models, inputs, undefined
//! values --> inline, mem2reg --> prepared bitcode --llvm-ir: lower--> Program
//! ```
//!
//! All of it runs in a child process of the same executable ([`child_main`]), since damaged
//! bitcode makes LLVM abort, exit or loop; the death of the child is a [`LoadError`].
//!
//! # Invariants
//! - The flowgraph and the prepared bitcode read inputs in the same order, because the one is lowered from
//!   the other: each arbitrary value is a call of a `__compact_se_input_*` or
//!   `__compact_se_uninit` function there.
//! - The target and partial operations are marked before any pass runs.
//! - An unsupported construct is an `Unsupported` action at its place, never silently something else.
//!
//! # Semantics chosen here
//! - Signed arithmetic wraps, also where bitcode from elsewhere says `nsw`; `inbounds`, `exact`
//!   and the like are ignored.
//! - Division traps where x86 does; a shift by the width or more, and a count of the zeros of zero, end the
//!   path, even if the result is unused.
//! - An uninitialised variable has an arbitrary value from each execution of its declaration on.
//! - A function that neither the program nor the platform defines returns an arbitrary value; if it takes
//!   pointers, its call is unsupported, or as given by [`ForeignFunctions`].
//! - A function of the C library behaves as its model, or returns a result within the guarantees of C and
//!   POSIX ([`StandIn`]); without a model its call is unsupported, and so are functions of other tools.
//! - `main` gets any arguments that a system could pass: `argc` texts and a final null pointer. Access to
//!   more than eight, or to a third parameter, is unsupported. With a [`SymbolicEnvironment`] it gets the
//!   given arguments, and functions that read and write files use its files.
//!
//! # Deliberately absent
//! No execution, no solver. LLVM's types do not leave this module.

mod arguments;
mod child;
mod compile;
mod compile_commands;
mod compiled;
mod dialect;
mod folded;
mod lower;
mod macros;
mod native;
mod options;
mod prepare;
mod regions;
mod sanitizer;
mod sources;
mod symbols;
mod target;

pub use child::{CHILD_COMMAND, child_main};
pub use compile::find_clang;
pub use macros::{MacroDefinition, macros};
pub use native::compile_natively;
pub use options::{OptionUse, use_of_option};
pub use sanitizer::Sanitizer;
pub use target::TargetSpec;

use self::native::PreparedBitcode;
use super::{
    DataModel, External, ExternalResult, Goal, GoalKind, Goals, InputType, LoadError, Loaded, Side,
    StandIn, StandInKind, SymbolicEnvironment, TargetPlace, TargetReport, WithoutCode,
};
use flowgraph::{Granularity, MODEL_FILES, Stack};
use process::Folder;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

/// The effect of an undefined function that takes pointers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ForeignFunctions {
    /// Nobody knows: its call is unsupported.
    Unsupported,
    /// It changes nothing that the program can see, and returns an arbitrary value.
    WithoutEffect,
}

/// A function at which the program starts, with arbitrary arguments.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EntryFunction {
    pub name: String,
    /// Each pointer among the arguments, and in what they point to, points to a separate object of so many
    /// bytes; where that is one number and its type is larger, of the size of its type.
    pub pointer_bytes: ObjectBytes,
}

/// A size in bytes: one, or any between two.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ObjectBytes {
    pub least: u64,
    pub most: u64,
}

impl ObjectBytes {
    /// Larger objects are not made.
    const MOST: u64 = 1 << 20;

    /// This size.
    #[must_use]
    pub fn exactly(bytes: u64) -> ObjectBytes {
        ObjectBytes {
            least: bytes,
            most: bytes,
        }
    }
}

impl FromStr for ObjectBytes {
    type Err = String;

    /// `64`, or `0..64` for any size from 0 to 64.
    fn from_str(text: &str) -> Result<ObjectBytes, String> {
        let (least, most) = text.split_once("..").unwrap_or((text, text));
        let number = |text: &str| {
            let number = text.trim().parse().ok();
            number.filter(|bytes: &u64| *bytes <= ObjectBytes::MOST)
        };
        let bounds = number(least).zip(number(most));
        let bytes = bounds.map(|(least, most)| ObjectBytes { least, most });
        bytes
            .filter(|bytes| bytes.least <= bytes.most && bytes.most > 0)
            .ok_or_else(|| {
                let most = ObjectBytes::MOST;
                format!(
                    "neither a number of bytes up to {most} nor two with .. between them, as 0..64"
                )
            })
    }
}

impl Display for ObjectBytes {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.least == self.most {
            return write!(f, "{}", self.least);
        }
        write!(f, "{} to {}", self.least, self.most)
    }
}

/// The treatment of the variables of an inlined function.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Frames {
    /// They are the caller's: they live on after the call.
    Merged,
    /// A function whose variables may be pointed to after it has returned is not inlined, so that
    /// they die with its frame.
    Kept,
    /// The same where the program has no target.
    KeptWithoutTarget,
}

/// Checks of computed sizes of arrays on the stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ArraySizes {
    /// Executions with a size that no array can have do not count.
    Assumed,
    /// They end there, and so do executions with a size of zero where accesses to memory are checked.
    Checked,
}

/// The treatment of variables without pointers to them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Variables {
    /// They are registers.
    Registers,
    /// The same, and what may be a pointer stays in memory too, as long as their function runs.
    Held,
}

/// The treatment of globals that only `main` uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Globals {
    /// They are its locals.
    Localised,
    /// They stay globals, since it is asked what they point to when the program ends.
    Kept,
}

/// The inputs and options of loading.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LoadOptions {
    /// `.c`, `.i`, `.bc` and `.ll` files, and C++ (`.cpp`, `.cc`, `.cxx`, `.C`, `.ii`), linked in this order;
    /// or one `.mc` file, for which only `target`, `inline` and `granularity` mean something.
    pub inputs: Vec<PathBuf>,
    /// Default: what the first `.bc` or `.ll` was compiled for, LP64 if all are C.
    pub data_model: Option<DataModel>,
    /// C standard, e.g. `gnu89`. Default: clang's (`gnu17`).
    pub standard: Option<String>,
    /// Further arguments for clang, e.g. `-DN=5`. Default: none.
    pub clang_args: Vec<String>,
    /// Notes about ignored options. Default: none.
    pub notes: Vec<String>,
    /// A `compile_commands.json`, which has further arguments of each C file. Default: none.
    pub compile_commands: Option<PathBuf>,
    /// Default: [`TargetSpec::Default`].
    pub target: TargetSpec,
    /// Arguments, standard input and files of the program; without them it may be started in any
    /// way, and what reads files is unsupported. Default: `None`.
    pub environment: Option<SymbolicEnvironment>,
    /// Where the program starts instead of `main`. Default: `None`.
    pub entry: Option<EntryFunction>,
    /// Functions that are targets too, where the program has them. Default: none.
    pub further_targets: Vec<String>,
    /// Take a program without the target as one in which it is never reached, instead of
    /// [`LoadError::MissingTarget`]. Default: no.
    pub allow_missing_target: bool,
    /// The same for the default target only, and without a note. Default: no.
    pub default_may_be_missing: bool,
    /// Operations before which clang puts a check; C files only. Default: none.
    pub sanitizers: Vec<Sanitizer>,
    /// The goals that paths and replays report. Default: none.
    pub goals: Goals,
    /// Default: [`ForeignFunctions::Unsupported`].
    pub foreign_functions: ForeignFunctions,
    /// Inline functions that are not recursive, as long as the program stays below about 20,000
    /// instructions. Default: yes.
    pub inline: bool,
    /// Whether variables that are pointed to after their function has returned are noticed.
    /// Default: [`Frames::Merged`].
    pub frames: Frames,
    /// How large the stack is, in bytes; `None` for one without end. Default: 8 MB.
    pub stack: Option<u64>,
    /// Default: [`ArraySizes::Assumed`].
    pub array_sizes: ArraySizes,
    /// Default: [`Globals::Localised`].
    pub globals: Globals,
    /// Default: [`Variables::Registers`].
    pub variables: Variables,
    /// Default: [`Granularity::Block`].
    pub granularity: Granularity,
    /// Wall-clock time for all of the loading, clang included. Default: 60 s.
    pub time_limit: Duration,
    /// Address space of the loading process in bytes. Default: 4 GB.
    pub memory_limit: u64,
    /// The executable whose `main` calls [`child_main`]. Default: the running one.
    pub executable: Option<PathBuf>,
}

impl LoadOptions {
    /// Defaults for these input files.
    pub fn new(inputs: impl IntoIterator<Item = impl Into<PathBuf>>) -> LoadOptions {
        LoadOptions {
            inputs: inputs.into_iter().map(Into::into).collect(),
            data_model: None,
            standard: None,
            clang_args: Vec::new(),
            notes: Vec::new(),
            compile_commands: None,
            target: TargetSpec::Default,
            environment: None,
            entry: None,
            further_targets: Vec::new(),
            allow_missing_target: false,
            default_may_be_missing: false,
            sanitizers: Vec::new(),
            goals: Goals::Nothing,
            foreign_functions: ForeignFunctions::Unsupported,
            inline: true,
            frames: Frames::Merged,
            stack: Some(8 << 20),
            array_sizes: ArraySizes::Assumed,
            globals: Globals::Localised,
            variables: Variables::Registers,
            granularity: Granularity::Block,
            time_limit: Duration::from_secs(60),
            memory_limit: 4 << 30,
            executable: None,
        }
    }
}

impl LoadOptions {
    /// Arguments of clang for a C file, in addition to the fixed ones: the arguments of `compile_commands`,
    /// then the standard and `clang_args`.
    ///
    /// # Errors
    /// [`LoadError::CompileCommands`] if `compile_commands` cannot be read, has no such file, or has an
    /// option that is not supported.
    pub fn arguments_for(&self, file: &Path) -> Result<Vec<String>, LoadError> {
        let mut arguments = self.commands_for(file)?.arguments;
        // A program may have both languages.
        let of = |file: &Path| InputKind::of(file).unwrap_or(InputKind::C);
        let standard = self.standard.iter().filter(|name| {
            let language = match name.contains("++") {
                true => InputKind::Cplusplus,
                false => InputKind::C,
            };
            of(file) == language || !self.inputs.iter().any(|input| of(input) == language)
        });
        arguments.extend(standard.map(|name| format!("-std={name}")));
        arguments.extend(self.clang_args.iter().cloned());
        Ok(arguments)
    }

    fn commands_for(&self, file: &Path) -> Result<compile_commands::OfFile, LoadError> {
        match &self.compile_commands {
            Some(database) => compile_commands::arguments_for(database, file),
            None => Ok(compile_commands::OfFile::default()),
        }
    }

    /// Notes about ignored options, each once.
    fn notes_about_options(&self) -> Result<Vec<String>, LoadError> {
        let mut notes = self.notes.clone();
        for file in &self.inputs {
            if InputKind::of(file)?.is_source() {
                notes.extend(self.commands_for(file)?.notes);
            }
        }
        let mut told = BTreeSet::new();
        notes.retain(|note| told.insert(note.clone()));
        Ok(notes)
    }
}

/// Loads a program in a child process.
///
/// # Errors
/// Every [`LoadError`]; each variant says its cause.
pub fn load(options: &LoadOptions) -> Result<Loaded, LoadError> {
    if options.inputs.is_empty() {
        return Err(LoadError::NoInput);
    }
    for path in &options.inputs {
        check_readable(path)?;
        let kind = InputKind::of(path)?;
        let mut sanitizers = options.sanitizers.iter();
        if !kind.is_source() && sanitizers.any(|sanitizer| sanitizer.needs_source()) {
            return Err(LoadError::NeedsSource {
                path: path.to_owned(),
            });
        }
    }
    if let Some(environment) = &options.environment {
        (environment.check()).map_err(|what| LoadError::Environment { what })?;
    }
    let folder = Folder::new("compact-se-")
        .map_err(|error| LoadError::system("create a temporary folder", &error))?;
    let child::Reply {
        program,
        frames,
        outcome,
    } = child::run(options, folder.path())?;
    let pointer_bits = program.pointer_bits;
    let stack = (options.stack).map(|bytes| Stack::new(bytes, pointer_bits, frames));
    Ok(Loaded {
        goals: outcome.goals,
        program,
        replayer: Box::new(PreparedBitcode::new(folder, outcome.data_model)),
        data_model: outcome.data_model,
        externals: outcome.externals,
        stand_ins: outcome.stand_ins,
        input_types: outcome.input_types,
        has_target: outcome.has_target,
        target_places: outcome.target_places,
        is_instrumented: outcome.is_instrumented,
        faults_are_defined: false,
        stack,
        assumed: outcome.assumed,
        notes: outcome.notes,
        environment: options.environment.clone(),
    })
}

/// A file's path as it was given to clang, if that was below the working folder, else from the
/// root.
fn source_path(directory: Option<&str>, file: &str) -> String {
    if file.starts_with('/') && file.contains("/../") {
        // Headers of the C++ library, which clang finds by way of GCC's folder.
        return without_parents(file);
    }
    let directory = directory.filter(|directory| !directory.is_empty());
    let is_whole = |file: &str| file.starts_with('/') || file.starts_with(MODEL_FILES);
    let Some(directory) = directory.filter(|_| !is_whole(file)) else {
        return file.to_owned();
    };
    let here = std::env::current_dir().unwrap_or_default();
    if Path::new(directory) == here {
        file.trim_start_matches("./").to_owned()
    } else {
        format!("{}/{file}", directory.trim_end_matches('/'))
    }
}

/// A path from the root in which no part goes back to the folder above.
fn without_parents(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

pub(super) fn check_readable(path: &Path) -> Result<(), LoadError> {
    let unreadable = |reason: String| LoadError::Unreadable {
        path: path.to_owned(),
        reason,
    };
    match std::fs::metadata(path) {
        Ok(data) if data.is_dir() => Err(LoadError::Folder {
            path: path.to_owned(),
        }),
        Ok(_) => std::fs::File::open(path)
            .map(drop)
            .map_err(|error| unreadable(error.to_string())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(LoadError::NotFound {
            path: path.to_owned(),
        }),
        Err(error) => Err(unreadable(error.to_string())),
    }
}

/// Kind of an input file, by the end of its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum InputKind {
    C,
    Cplusplus,
    Bitcode,
    Assembly,
}

/// Whether a file is in C++, by the end of its name.
#[must_use]
pub fn is_cplusplus(path: &Path) -> bool {
    matches!(InputKind::of(path), Ok(InputKind::Cplusplus))
}

impl InputKind {
    /// Whether clang compiles it.
    fn is_source(self) -> bool {
        matches!(self, InputKind::C | InputKind::Cplusplus)
    }

    fn of(path: &Path) -> Result<InputKind, LoadError> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("c" | "i") => Ok(InputKind::C),
            Some("cpp" | "cc" | "cxx" | "C" | "ii") => Ok(InputKind::Cplusplus),
            Some("bc") => Ok(InputKind::Bitcode),
            Some("ll") => Ok(InputKind::Assembly),
            _ => Err(LoadError::UnknownKind {
                path: path.to_owned(),
            }),
        }
    }
}
