//! The result of a front end: a program as a flowgraph, and its replayer.

use super::{Goal, InputType, SymbolicEnvironment};
use ::replay::Replayer;
use flowgraph::{Program, Span, Stack};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Sizes of C's types.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits.
    Ilp32,
    /// `int` has 32 bits, `long` and pointers 64.
    Lp64,
}

impl DataModel {
    pub const ALL: [DataModel; 2] = [DataModel::Ilp32, DataModel::Lp64];

    /// By option and in witnesses.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        }
    }

    /// The sizes, in a line.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "int, long and pointers have 32 bits",
            DataModel::Lp64 => "long and pointers have 64 bits",
        }
    }

    pub fn clang_flag(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "-m32",
            DataModel::Lp64 => "-m64",
        }
    }

    pub(crate) fn pointer_bits(self) -> u32 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }
}

impl std::fmt::Display for DataModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A function that the program calls and that has no body.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct External {
    pub name: String,
    /// Its symbol, where C++ has given it another than the name.
    pub symbol: Option<String>,
    pub result: ExternalResult,
}

/// The result of a function without a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ExternalResult {
    Nothing,
    /// An arbitrary integer of so many bits; 1 for `_Bool`.
    Integer(u32),
    Pointer,
    /// An arbitrary `float` (32), `double` (64) or `long double`.
    Float(u32),
    /// It has another type, or the call is refused.
    Refused,
}

/// A function of the C library in the place of which something else is analysed and replayed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct StandIn {
    pub by: StandInKind,
    pub name: String,
}

impl StandIn {
    /// The assumption of this function's model about the program's environment; a clause.
    #[must_use]
    pub fn assumption(&self) -> Option<&'static str> {
        match self.name.as_str() {
            // The C library reads the variable itself, so that no replay could set it.
            "getopt" | "getopt_long" | "getopt_long_only" => Some("POSIXLY_CORRECT is not set"),
            "signal" | "bsd_signal" | "sysv_signal" | "__sysv_signal" | "sigaction" => {
                Some("signals come from raise only")
            }
            "localtime" | "localtime_r" | "mktime" | "timelocal" | "ctime" | "ctime_r" => {
                Some("the time zone is UTC")
            }
            "setlocale" => Some("the environment names the C locale"),
            _ => None,
        }
    }
}

/// The replacement of a function of the C library.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StandInKind {
    /// Inputs, within what C and POSIX promise of the function's results.
    Inputs,
    /// C code that does the same.
    Model,
    /// Nothing but a result: what the function does, the program cannot see.
    NoEffect,
}

/// A place at which a target is reached.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TargetPlace {
    /// As [`Program::file`] has it.
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// A function, a label, or `FILE:LINE`.
    pub name: String,
    /// The arguments of `klee_report_error` there.
    pub report: Option<TargetReport>,
}

/// The message of `klee_report_error`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TargetReport {
    pub message: String,
    /// The kind of the error, for names of files.
    pub suffix: String,
}

/// A loaded program.
#[derive(Debug)]
pub struct Loaded {
    /// Verified.
    pub program: Program,
    /// Runs the program on recorded inputs; it asks for them in the order in which `program` does.
    pub replayer: Box<dyn Replayer>,
    pub data_model: DataModel,
    /// Undefined functions that the program calls: inputs, and functions that are refused when they are called.
    pub externals: Vec<External>,
    /// The functions of the C library that the program calls and a replay does not.
    pub stand_ins: Vec<StandIn>,
    /// What numbers inputs are in C, by the names that they have where their names do not repeat: arguments of the
    /// entry function, and variables and arrays that are made symbolic.
    pub input_types: BTreeMap<String, InputType>,
    /// Whether the program has a target, be it one that clang made no code of.
    pub has_target: bool,
    /// Where the targets are that have a place in the source.
    pub target_places: Vec<TargetPlace>,
    /// Whether clang has put checks into it, whose handlers the sanitizers' library has.
    pub is_instrumented: bool,
    /// Whether an access to memory that fails ends the program by the definition of its language, as in microc; it
    /// is undefined behaviour otherwise.
    pub faults_are_defined: bool,
    /// The stack, where it has an end.
    pub stack: Option<Stack>,
    /// The arguments, standard input and files with which the program is started.
    pub environment: Option<SymbolicEnvironment>,
    /// What was to be covered, where that was requested; positions are the numbers of the
    /// program's goals.
    pub goals: Vec<Goal>,
    /// The assumptions of loading, a clause each, on which *unreachable* depends.
    pub assumed: Vec<String>,
    /// Notes for the user, a sentence each, for example about a missing target.
    pub notes: Vec<String>,
}

impl Loaded {
    /// The targets at a place; none where a target is reached by a pointer to a function.
    pub fn targets_at(&self, place: Span) -> impl Iterator<Item = &TargetPlace> {
        let file = self.program.file(place);
        let here = move |target: &&TargetPlace| {
            Some(target.file.as_str()) == file
                && (target.line, target.column) == (place.line, place.column)
        };
        self.target_places.iter().filter(here)
    }

    /// The program's message about its error at a location.
    #[must_use]
    pub fn report_at(&self, place: Span) -> Option<&TargetReport> {
        self.targets_at(place)
            .find_map(|target| target.report.as_ref())
    }
}
