//! Harnesses: a C file that defines the functions that a program calls and nobody defines, and
//! gives their results in order. Compiled together with the program it takes the path to the
//! target, without any tool of ours. Where arguments, standard input and files are symbolic, or `main` looks at
//! its parameters, it starts the program with them.

use super::WitnessError;
use super::inputs::{Input, Kind, Origin, c_type};
use super::ktest::bytes_of;
use super::places::Sources;
use super::start;
use super::task::{Task, shown};
use analysis::{arguments_of_main, is_parameter_of_main, surroundings};
use frontend::{External, ExternalResult, Loaded, is_cplusplus};
use replay::Surroundings;
use std::fmt::Write as _;
use symex::Witness;

/// What comes before the values.
const HEAD: &str = r"#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* A result of a call, or the content of memory, in the order of the calls. */
struct input {
    const char *function;
    size_t size;
    unsigned char bytes[MOST_BYTES];
};
";

/// What comes behind the values.
const FEED: &str = r#"
static size_t next;

static void feed(const char *function, void *to, size_t size) {
    unsigned char *bytes = to;
    if (next == sizeof inputs / sizeof *inputs - 1) {
        fprintf(stderr, "harness: no input is left for the call of %s\n", function);
        exit(0);
    }
    const struct input *input = &inputs[next++];
    const char *lhs = input->function, *rhs = function;
    while (*lhs != 0 && *lhs == *rhs) {
        lhs++;
        rhs++;
    }
    if (*lhs != *rhs || input->size != size) {
        fprintf(stderr, "harness: %s is called instead of %s\n", function, input->function);
        exit(87);
    }
    for (size_t i = 0; i < size; i++)
        bytes[i] = input->bytes[i];
}

"#;

/// What the program may define itself: the harness stands back then.
const OWN: &str = r#"
#define MAY_BE_DEFINED __attribute__((weak))

MAY_BE_DEFINED void __VERIFIER_assume(int condition) {
    if (!condition) {
        fprintf(stderr, "harness: an assumption does not hold\n");
        exit(88);
    }
}

MAY_BE_DEFINED void compact_se_assume(int condition) { __VERIFIER_assume(condition); }

MAY_BE_DEFINED void reach_error(void) {
    fprintf(stderr, "harness: target reached\n");
    exit(86);
}

MAY_BE_DEFINED void __VERIFIER_error(void) { reach_error(); }

MAY_BE_DEFINED void compact_se_target(void) { reach_error(); }

MAY_BE_DEFINED void compact_se_make_symbolic(void *to, size_t size, const char *name) {
    (void)name;
    feed("compact_se_make_symbolic", to, size);
}

/* KLEE's functions and CBMC's. */

MAY_BE_DEFINED void klee_make_symbolic(void *to, size_t size, const char *name) {
    compact_se_make_symbolic(to, size, name);
}

MAY_BE_DEFINED void klee_assume(uintptr_t condition) { __VERIFIER_assume(condition != 0); }

MAY_BE_DEFINED void klee_report_error(const char *file, int line, const char *message,
                                      const char *suffix) {
    (void)file, (void)line, (void)message, (void)suffix;
    reach_error();
}

MAY_BE_DEFINED void klee_abort(void) { reach_error(); }
MAY_BE_DEFINED void klee_silent_exit(int status) { _Exit(status); }
MAY_BE_DEFINED void klee_prefer_cex(void *object, uintptr_t condition) {
    (void)object, (void)condition;
}
MAY_BE_DEFINED void klee_warning(const char *message) { (void)message; }
MAY_BE_DEFINED void klee_warning_once(const char *message) { (void)message; }
MAY_BE_DEFINED void klee_print_expr(const char *message, ...) { (void)message; }
MAY_BE_DEFINED void klee_mark_global(void *object) { (void)object; }
MAY_BE_DEFINED void klee_open_merge(void) {}
MAY_BE_DEFINED void klee_close_merge(void) {}
MAY_BE_DEFINED void __CPROVER_assume(_Bool condition) { __VERIFIER_assume(condition); }
"#;

/// What makes its input by `klee_int`, where the program asks for one.
const KLEE_RANGE: &str = r"
MAY_BE_DEFINED int klee_range(int begin, int end, const char *name) {
    int value = klee_int();
    (void)name;
    __VERIFIER_assume(value >= begin && value < end);
    return value;
}
";

/// The functions of [`OWN`].
const DEFINED: [&str; 6] = [
    "__VERIFIER_assume",
    "compact_se_assume",
    "reach_error",
    "__VERIFIER_error",
    "compact_se_target",
    "compact_se_make_symbolic",
];

/// The harness as C, for a witness and those of its inputs that are not of the environment. What it cannot give
/// to the program is noted, in the file too.
pub(super) fn harness(
    task: &Task,
    (loaded, witness): (&Loaded, &Witness),
    sources: &Sources,
    inputs: &[Input],
    notes: &mut Vec<String>,
) -> Result<String, WitnessError> {
    let mut values = String::new();
    let mut most_bytes = 1;
    let mut missing = Vec::new();
    let arguments = arguments_of_main(loaded, witness);
    for input in inputs {
        if arguments.is_some() && is_parameter_of_main(input.input) {
            continue;
        }
        let function = match &input.origin {
            Origin::Call { function, .. } => function,
            Origin::MadeSymbolic => "compact_se_make_symbolic",
            // Any value does.
            Origin::Variable | Origin::Other if !input.input.matters => continue,
            Origin::Variable | Origin::Other => {
                missing.push(input.description(&loaded.program));
                continue;
            }
        };
        let mut bytes = bytes_of(input)?;
        if let Origin::Call { ty, .. } = &input.origin
            && ty.kind == Kind::Bool
        {
            bytes[0] &= 1;
        }
        most_bytes = most_bytes.max(bytes.len());
        let list: Vec<String> = bytes.iter().map(u8::to_string).collect();
        let shown = match (&input.origin, input.number()) {
            (Origin::Call { ty, .. }, Some(value)) => ty.kind.number(value).unwrap_or_default(),
            _ => input.name().replace("*/", ""),
        };
        let size = bytes.len();
        let _ = writeln!(
            values,
            "    {{\"{function}\", {size}, {{{}}}}}, /* {shown} */",
            list.join(", ")
        );
    }
    let model = task.data_model.clang_flag();
    let files: Vec<String> = task.files.iter().map(|file| shown(file)).collect();
    // The driver for C++ takes every file for C++ that it is not told about.
    let (driver, harness) = if task.files.iter().any(|file| is_cplusplus(file)) {
        ("clang++", "-x c THIS_FILE")
    } else {
        ("clang", "THIS_FILE")
    };
    let mut text = format!(
        "/* Takes the path to the target that compact-se found:\n *\n *     {driver} {model} -fwrapv \
         {} {harness} -o reach && ./reach\n",
        files.join(" ").replace("*/", "")
    );
    for missing in &missing {
        let _ = write!(
            text,
            " *\n * The path also needs, and a harness cannot provide: {}\n",
            missing.replace("*/", "")
        );
        notes.push(format!("a harness cannot provide {missing}"));
    }
    text.push_str(" */\n");
    let surroundings = surroundings(loaded, witness).or_else(|| {
        Some(Surroundings {
            arguments: arguments?,
            ..Surroundings::default()
        })
    });
    if surroundings.is_some() {
        text.push_str(start::INCLUDES);
    }
    text.push_str(&HEAD.replace("MOST_BYTES", &most_bytes.to_string()));
    let _ = write!(
        text,
        "\nstatic const struct input inputs[] = {{\n{values}    {{0, 0, {{0}}}},\n}};\n"
    );
    text.push_str(FEED);
    text.extend(surroundings.iter().map(start::start));
    for external in &loaded.externals {
        if !DEFINED.contains(&external.name.as_str()) {
            let ty = c_type(&external.name, external.result, loaded.data_model, sources);
            text.push_str(&definition(external, ty.map(|ty| ty.text)));
        }
    }
    text.push_str(OWN);
    if loaded.externals.iter().any(|one| one.name == "klee_int") {
        text.push_str(KLEE_RANGE);
    }
    Ok(text)
}

/// A function without a body in the program. Its parameters do not matter to C's linkers.
fn definition(external: &External, ty: Option<&str>) -> String {
    let name = &external.name;
    let symbol = external.symbol.as_ref().unwrap_or(name);
    match (external.result, ty) {
        (ExternalResult::Nothing, _) => format!("void {symbol}(void) {{}}\n"),
        (_, Some(ty)) => format!(
            "{ty} {symbol}(void) {{\n    {ty} result;\n    feed(\"{name}\", &result, sizeof \
             result);\n    return result;\n}}\n"
        ),
        (_, None) => format!(
            "void {symbol}(void) {{\n    fprintf(stderr, \"harness: {name} is called\\n\");\n    \
             exit(87);\n}}\n"
        ),
    }
}
