//! Arguments of clang shared by the build script, loading and replay: embedded files are compiled when the
//! executable is built.
//!
//! # Deliberately absent
//! No imports of other modules, since the build script includes this file alone.

/// What each C file is compiled to bitcode with. `-fwrapv`, since the semantics is that of machine
/// integers; `-O0` without `optnone`, since we choose the passes ourselves; names are kept, since C
/// labels are found by them.
pub const TO_BITCODE: [&str; 8] = [
    "-O0",
    "-g",
    "-fwrapv",
    "-fno-discard-value-names",
    "-Xclang",
    "-disable-O0-optnone",
    "-emit-llvm",
    "-c",
];

/// No warnings.
pub const NO_WARNINGS: &str = "-w";

/// Messages of one line.
pub const PLAIN_MESSAGES: [&str; 2] = ["-fno-color-diagnostics", "-fno-caret-diagnostics"];

/// A model's functions are the library's, and are not to call themselves.
pub const MODEL: &str = "-fno-builtin";

/// What places in models call the folder of the models ([`MODEL_FILES`](flowgraph::MODEL_FILES)).
pub const MODEL_FOLDER: &str = "<models>";

/// Where a model is for a program with a symbolic environment.
pub const GIVEN_ENVIRONMENT: &str = "-DGIVEN_ENVIRONMENT";

/// Whether a model is another one where the program has a symbolic environment.
#[must_use]
pub fn depends_on_environment(text: &str) -> bool {
    text.contains("GIVEN_ENVIRONMENT")
}

/// Arguments for compiling and linking a program for replay.
pub const NATIVE: [&str; 3] = ["-O0", "-w", "-fno-color-diagnostics"];

/// Arguments with which the functions that `prepare` marked are instrumented, and the replay library
/// is not, which says so itself. The checks of UndefinedBehaviorSanitizer are in the prepared bitcode
/// already.
pub const SANITIZED: [&str; 6] = [
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    // Accesses to globals at constant offsets too.
    "-mllvm",
    "-asan-opt-globals=0",
    "-DCOMPACT_SE_SANITIZED",
    "-Wl,--wrap=fgets",
];

/// Arguments that link the library of the checks which are in the prepared bitcode already. Where a
/// check fails, the library reports it and ends the program.
pub const CHECKED: [&str; 2] = ["-fsanitize=undefined", "-fno-sanitize-recover=all"];

/// The same with `MemorySanitizer`; what the replay library does in the program's name is not instrumented.
pub const TRACKED: [&str; 4] = [
    "-fsanitize=memory,undefined",
    // A copy is no use, nor is a value that is returned or handed over: calls of the replay library tell of those.
    "-fno-sanitize-memory-param-retval",
    "-fno-sanitize-recover=all",
    "-DCOMPACT_SE_TRACKED",
];

/// The same with an account of the blocks of the heap; calls of `exit` tell where the stack begins.
pub const ACCOUNTED: [&str; 4] = [
    "-fsanitize=undefined",
    "-fno-sanitize-recover=all",
    "-DCOMPACT_SE_ACCOUNT",
    "-Wl,--wrap=exit",
];

/// The name of what comes from a file of ours and these arguments.
#[must_use]
pub fn key(file: &str, arguments: &[&str]) -> String {
    let mut key = file.to_owned();
    for argument in arguments {
        key.push(' ');
        key.push_str(argument);
    }
    key
}
