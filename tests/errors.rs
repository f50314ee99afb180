//! Small programs with a known error each, and the same programs corrected (`-DFIXED`): every error
//! is found at its place with a sanitizer's report, and in the corrected programs there is none.
//!
//! ```text
//! // check: memory, overflow          what is looked for
//! // fixed: unknown  # why            where the corrected program need not be proved
//! table[i] = 1; // error: access out of bounds
//! ```

use crate::support::{CLANG, affordable, header, is_thorough, repository, sample};
use compact_se::analysis::{
    Analysis, AnalysisOptions, CheckChoice, Technique, Techniques, analyze, confirm_natively,
};
use compact_se::flowgraph::EndKind;
use compact_se::frontend::{
    self, DataModel, LoadOptions, ProgramArgument, Sanitizer, SymbolicEnvironment,
};
use compact_se::property::{Check, Checks, ErrorKind, Reason};
use compact_se::symex::{Confirmation, Verdict, Witness};
use compact_se::term::Work;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn options(file: &Path, checks: CheckChoice) -> AnalysisOptions {
    let mut load = LoadOptions::new([file]);
    load.executable = Some(PathBuf::from(env!("CARGO_BIN_EXE_compact-se")));
    let mut options = AnalysisOptions::new(load);
    options.checks = checks;
    options.execution.budget.time = Duration::from_secs(600);
    options.execution.budget.work = Some(Work::seconds(60));
    options
}

fn analysis(options: &AnalysisOptions) -> Analysis {
    let files = &options.load.inputs;
    analyze(options, &mut |_| ()).unwrap_or_else(|error| panic!("{files:?}: {error}"))
}

fn reasons(analysis: &Analysis) -> Vec<String> {
    let all = analysis.report.reasons.iter();
    all.map(|(reason, _)| reason.to_string()).collect()
}

fn check_named(name: &str) -> Check {
    let named = Check::ALL.iter().find(|check| check.word() == name);
    *named.unwrap_or_else(|| panic!("there is no check {name}"))
}

/// Line and text of the error that the source names.
fn named_error(text: &str) -> (u32, String) {
    let mut errors = (1..).zip(text.lines()).filter_map(|(number, line)| {
        let (_, error) = line.split_once("// error: ")?;
        Some((number, error.trim().to_owned()))
    });
    let error = errors.next().expect("the source names an error");
    assert!(errors.next().is_none(), "the source names one error");
    error
}

/// What is wrong with the analyses of a program and of its correction.
fn check(file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).expect("programs are text");
    let name = file.display();
    let checks = header(&text, "check").expect("the header has checks");
    let checks: Checks = checks.split(", ").map(check_named).collect();
    let mut wrong = Vec::new();
    let mut options = options(file, CheckChoice::These(checks));
    let found = analysis(&options);
    let expected = named_error(&text);
    match &found.report.verdict {
        Verdict::Reachable(witness) => {
            let error = (witness.target.line, witness.error.to_string());
            // Some say more behind a colon.
            let text = error.1.split(": ").next().unwrap_or_default();
            if (error.0, text) != (expected.0, expected.1.as_str()) {
                wrong.push(format!("{name}: {error:?} instead of {expected:?}"));
            }
            let by_itself = [Check::Assertions, Check::Abort];
            let by_itself = by_itself.contains(&witness.error.checks()[0]);
            if witness.report.is_none() != by_itself {
                wrong.push(format!("{name}: confirmed by {:?}", witness.report));
            }
        }
        verdict => wrong.push(format!("{name}: {}: {:?}", verdict.name(), reasons(&found))),
    }
    options.load.clang_args.push("-DFIXED".to_owned());
    let corrected = analysis(&options);
    let verdict = corrected.report.verdict.name();
    let admits_unknown = header(&text, "fixed") == Some("unknown");
    if verdict != "unreachable" && !(verdict == "unknown" && admits_unknown) {
        let reasons = reasons(&corrected);
        wrong.push(format!("{name}, corrected: {verdict}: {reasons:?}"));
    }
    wrong
}

/// Every third program whose name begins so.
fn check_programs(prefix: &str, n_programs: usize) {
    let folder = repository("tests/errors");
    let files = std::fs::read_dir(folder).expect("the corpus has errors");
    let files = files.map(|file| file.expect("the folder is readable").path());
    let mut files: Vec<PathBuf> = files
        .filter(|path| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| {
                name.starts_with(prefix) && (name.ends_with(".c") || name.ends_with(".cpp"))
            })
        })
        .collect();
    files.sort();
    assert_eq!(files.len(), n_programs, "{prefix}");
    let files = sample(affordable(files), 0, 3);
    let wrong: Vec<String> = files.iter().flat_map(|file| check(file)).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn accesses_out_of_bounds() {
    check_programs("bounds_", 19);
}

#[test]
fn stacks_that_end() {
    check_programs("stack_", 10);
}

#[test]
fn proofs_without_the_depth_of_calls_are_open() {
    let file = repository("tests/errors/stack_frames_with_objects.c");
    let mut options = options(&file, CheckChoice::Usual);
    options.techniques = Techniques::only(Technique::Horn);
    let found = analysis(&options);
    assert_eq!(found.report.verdict.name(), "unknown");
    let why = "a recursion of down may be deeper than a stack of 8 MB";
    assert_eq!(reasons(&found), [why]);
    options.load.stack = None;
    let found = analysis(&options);
    assert_eq!(found.report.verdict.name(), "unreachable");
}

#[test]
fn copies() {
    check_programs("copy_", 2);
}

#[test]
fn texts_and_blocks_that_are_put_out() {
    check_programs("put_out_", 7);
}

#[test]
fn streams() {
    check_programs("stream_", 2);
}

#[test]
fn numbers_words_and_characters_of_standard_input() {
    check_programs("input_number", 5);
    check_programs("input_word", 2);
    check_programs("input_character", 2);
    check_programs("input_float", 1);
    check_programs("input_end", 1);
}

#[test]
fn lines_and_blocks_of_standard_input() {
    check_programs("input_line", 3);
    check_programs("input_block", 1);
    check_programs("input_read", 2);
}

#[test]
fn null_pointers() {
    check_programs("null_", 12);
    check_programs("data_", 1);
}

#[test]
fn freed_memory() {
    check_programs("free", 15);
}

#[test]
fn errors_of_cplusplus() {
    check_programs("cplusplus_", 7);
}

#[test]
fn variables_of_functions_that_have_returned() {
    check_programs("returned_", 1);
    check_programs("kept_", 1);
    check_programs("jumped_", 1);
}

#[test]
fn constants() {
    check_programs("constant_", 1);
}

#[test]
fn ends_by_a_signal() {
    check_programs("abort_", 6);
}

#[test]
fn code_that_must_not_be_reached() {
    check_programs("unreachable_", 4);
}

#[test]
fn functions_of_another_type() {
    check_programs("function_", 2);
}

#[test]
fn addresses_that_are_not_aligned() {
    check_programs("alignment_", 1);
}

#[test]
fn null_without_an_access() {
    check_programs("nonnull_", 2);
    check_programs("returns_nonnull_", 1);
    check_programs("pointer_overflow_", 1);
}

#[test]
fn pointers_to_different_objects() {
    check_programs("pointer_pair_", 2);
}

#[test]
fn values_outside_of_types() {
    check_programs("bool_", 1);
    check_programs("enum_", 1);
}

#[test]
fn what_is_looked_for_by_name_only() {
    check_programs("float_division_", 1);
    check_programs("unsigned_overflow_", 1);
}

#[test]
fn overflows() {
    check_programs("overflow_", 11);
}

#[test]
fn sizes_of_arrays_on_the_stack() {
    check_programs("array_size_", 5);
}

#[test]
fn divisions() {
    check_programs("division_", 3);
}

#[test]
fn shifts() {
    check_programs("shift_", 2);
}

#[test]
fn conversions() {
    check_programs("conversion_", 3);
}

#[test]
fn variables_of_blocks_that_were_left() {
    check_programs("scope_", 8);
}

#[test]
fn indices_of_arrays_in_structures() {
    check_programs("index_", 5);
}

#[test]
fn uninitialised_values() {
    check_programs("uninitialised_", 11);
}

#[test]
fn lost_memory() {
    check_programs("leak_", 10);
}

#[test]
fn memory_that_is_not_freed() {
    check_programs("cleanup_", 2);
}

#[test]
fn assertions() {
    check_programs("assert_", 2);
}

/// A pair of each kind of `scripts/matrix.py`, and more of accesses, or the first dozen of them. Left out is deep
/// recursion, which takes long.
#[test]
fn core_of_the_matrix() {
    let script = std::process::Command::new("python3")
        .arg(repository("scripts/matrix.py"))
        .args([
            "--core",
            "^(?!stack: (deep|endless))",
            "--pairs",
            if is_thorough() { "1000" } else { "12" },
            "--tool",
        ])
        .arg(env!("CARGO_BIN_EXE_compact-se"))
        .env("CLANG", CLANG)
        .output()
        .expect("scripts/setup.sh installs Python");
    let report = String::from_utf8_lossy(&script.stdout);
    let said = String::from_utf8_lossy(&script.stderr);
    assert!(script.status.success(), "{report}{said}");
}

fn with_program(text: &str, checks: CheckChoice, all: bool) -> Analysis {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("program.c");
    std::fs::write(&file, text).expect("the folder is writable");
    let mut options = options(&file, checks);
    options.execution.all_errors = all;
    analysis(&options)
}

/// The place of the error that is found, and those of the choices on the path to it, without the
/// folder.
fn places(text: &str, check: Check) -> (String, Vec<String>) {
    let analysis = with_program(
        text,
        CheckChoice::These([check].into_iter().collect()),
        false,
    );
    let Verdict::Reachable(witness) = &analysis.report.verdict else {
        panic!("{text}: {:?}", reasons(&analysis));
    };
    let shown = |span| {
        let place = analysis.loaded.program.describe(span);
        let (before, file) = place.rsplit_once('/').expect("the file is in a folder");
        let called = before.split_once(", called at ");
        called.map_or(file.to_owned(), |(function, _)| {
            format!("{function} at {file}")
        })
    };
    let path = witness.path.iter().map(|step| shown(step.span));
    (shown(witness.target), path.collect())
}

/// What happens within functions of the C library happens where the program calls them, whether they are
/// inlined or not, call each other or the program's functions.
#[test]
fn errors_in_the_library_are_told_by_the_call() {
    let program = |body: &str| {
        format!(
            "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
             extern char *some;\nstatic int by(const void *a, const void *b) {{\n\
             return *(int *)a / *(int *)b; }}\n\
             int main(void) {{ char t[4]; int v[2] = {{1, 0}};\n{body} return v[0]; }}\n"
        )
    };
    let at = |body, check| places(&program(body), check);
    // A model that is inlined, and what it calls of other models.
    let (place, path) = at(
        "t[3] = 1; t[2] = some ? 1 : 2; t[0] = t[1] = 1;\nreturn atoi(0);",
        Check::Memory,
    );
    assert_eq!(place, "atoi at program.c:9:8");
    assert!(path.iter().all(|step| !step.contains("models")), "{path:?}");
    let (place, _) = at("char *s = strdup(\"ab\"); s[0] = 'c';", Check::Leak);
    assert_eq!(place, "strdup at program.c:8:11");
    // Functions of a model that are called.
    let (place, path) = at("sprintf(t, \"%.2f\", 123.25);", Check::Memory);
    assert_eq!(place, "sprintf at program.c:8:1");
    assert!(path.iter().all(|step| !step.contains("models")), "{path:?}");
    // The program's own function is no place of the library.
    let (place, _) = at("qsort(v, 2, sizeof *v, by);", Check::Division);
    assert_eq!(place, "program.c:6:18");
}

/// Clang marks no block for compound literals; what lives as long as its function needs no marks.
#[test]
fn blocks_are_known_or_it_is_told_of_which_variable_they_are_not() {
    let scope = |text: &str| {
        let checks = [Check::Scope].into_iter().collect();
        with_program(text, CheckChoice::These(checks), false).report
    };
    let literal = scope(
        "int main(void) {\nint *p;\nif (1) { p = &(int){5}; }\n\
         { int q[4] = {1, 2}; (void)q; }\nreturn *p == 5 ? 0 : 1; }\n",
    );
    assert_eq!(literal.verdict.name(), "unknown");
    let mut reasons = literal.reasons.iter();
    let is_of_literal = |reason: &Reason| {
        matches!(reason, Reason::Unsupported(what, place)
            if what.contains("variables out of scope") && place.line == 3)
    };
    assert!(reasons.any(|(reason, _)| is_of_literal(reason)));
    for known in [
        "struct pair { int a, b, c, d, e; };\n\
         static struct pair make(int n) { struct pair p = {n}; return p; }\n\
         int main(void) { for (int i = 0; i < 2; i++) if (make(i).a != i) return 1; return 0; }\n",
        "#include <stdarg.h>\nstatic int sum(int n, ...) { va_list l; va_start(l, n);\n\
         int s = 0; for (int i = 0; i < n; i++) { s += va_arg(l, int); } va_end(l); return s; }\n\
         int main(void) { return sum(2, 3, 4) - 7; }\n",
        "static void put(int *p) { *p = 1; }\nstatic int f(int n) { { put(&n); } return n; }\n\
         int main(int argc, char **argv) { for (int n = 1; n < 3; n++) { int a[n];\n\
         put(a); if (f(n) != a[0]) return 1; }\nint *l = (int[]){1, 2};\nput(l); return *l - 1; }\n",
    ] {
        let report = scope(known);
        let reasons: Vec<String> = report.reasons.iter().map(|(r, _)| r.to_string()).collect();
        assert_eq!(report.verdict.name(), "unreachable", "{known}: {reasons:?}");
    }
}

/// Optimised code says where the lifetimes of variables begin. A replay that wrote them before would confirm
/// each claim about memory by the report of an error of its own.
#[test]
fn replays_of_optimised_code_make_no_errors_of_their_own() {
    let of = |condition: &str| {
        let text = format!(
            "#include <stdint.h>\nvoid klee_make_symbolic(void *, unsigned long, const char *);\n\
             int g[4];\nint main(void) {{ int *volatile q = 0; char b[8];\n\
             klee_make_symbolic(b, 8, \"b\");\n\
             if (b[0] == 'x' && {condition}) return *q;\nreturn b[0]; }}\n"
        );
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("program.c");
        std::fs::write(&file, text).expect("the folder is writable");
        let mut options = options(&file, CheckChoice::Usual);
        options.load.clang_args.push("-O1".to_owned());
        analysis(&options)
    };
    let verdict = of("(uintptr_t)g >> 48").report.verdict;
    assert_ne!(verdict.name(), "reachable");
    let Verdict::Reachable(witness) = of("b[1] == 'y'").report.verdict else {
        panic!("null is accessed");
    };
    assert_eq!(witness.report.as_deref(), Some("AddressSanitizer: SEGV"));
}

const INPUT: &str = "extern int __VERIFIER_nondet_int(void);\n";

#[test]
fn all_errors_are_listed_once_the_worst_first() {
    let text = format!(
        "{INPUT}#include <assert.h>\nint main(void) {{ int n = __VERIFIER_nondet_int(), a[3];\n\
         for (int i = 0; i < 2; i++)\n\
         assert(n != 1 + i);\n\
         if (n == 3) return 5 / (n - 3);\n\
         if (n > 4) a[n] = 1;\n\
         if (n < 4 && n > 4) a[n] = 1;\n\
         return 0; }}\n"
    );
    let analysis = with_program(&text, CheckChoice::Usual, true);
    let Verdict::Reachable(worst) = &analysis.report.verdict else {
        panic!("{:?}", reasons(&analysis));
    };
    let all = std::iter::once(&**worst).chain(&analysis.report.further_errors);
    let all: Vec<(u32, String)> = all
        .map(|error: &Witness| (error.target.line, error.error.to_string()))
        .collect();
    let expected = [
        (7, "access out of bounds".to_owned()),
        (6, "division by zero".to_owned()),
        (5, "an assertion fails".to_owned()),
    ];
    assert_eq!(all, expected);
}

#[test]
fn what_is_usual_depends_on_the_target() {
    let both = |target: &str| {
        format!(
            "{INPUT}#include <assert.h>\nvoid {target}(void);\nint main(void) {{\n\
             int n = __VERIFIER_nondet_int(), a[3];\n\
             if (n == 1) return 1 / (n - 1);\n\
             if (n == 2) a[n + 1] = 0;\n\
             if (n == 7) {target}();\n\
             assert(n != 9);\nreturn 0; }}\n"
        )
    };
    let kinds = |text: &str, checks| {
        let analysis = with_program(text, checks, true);
        let mut errors = analysis.report.further_errors;
        if let Verdict::Reachable(worst) = analysis.report.verdict {
            errors.insert(0, *worst);
        }
        let kinds = errors
            .iter()
            .map(|error| error.error.checks().first().copied());
        kinds.collect::<Vec<_>>()
    };
    let own = [None, Some(Check::Assertions)];
    assert_eq!(kinds(&both("reach_error"), CheckChoice::Usual), own);
    let none = [
        Some(Check::Memory),
        Some(Check::Division),
        Some(Check::Assertions),
    ];
    assert_eq!(kinds(&both("sensor"), CheckChoice::Usual), none);
    let defined = |how: &str| format!("void reach_error(void) {{}}\n{how}\n{}", both("sensor"));
    assert_eq!(kinds(&defined(""), CheckChoice::Usual), none);
    assert_eq!(
        kinds(&format!("static {}", defined("")), CheckChoice::Usual),
        none
    );
    let kept = format!("__attribute__((used)) static {}", defined(""));
    assert_eq!(kinds(&kept, CheckChoice::Usual), none);
    let pointed_to = defined("void (*handler)(void) = reach_error;");
    let assertions = [Some(Check::Assertions)];
    assert_eq!(kinds(&pointed_to, CheckChoice::Usual), assertions);
    let target_only = CheckChoice::These(Checks::NONE);
    assert_eq!(kinds(&both("reach_error"), target_only), [None]);
}

#[test]
fn errors_that_are_not_looked_for_keep_the_verdict_open_if_undefined() {
    let text = format!(
        "{INPUT}int main(void) {{ int n = __VERIFIER_nondet_int(), a[3];\n\
         if (n > 2) a[n] = 1;\nreturn 0; }}\n"
    );
    let division = CheckChoice::These([Check::Division].into_iter().collect());
    let analysis = with_program(&text, division, false);
    assert_eq!(analysis.report.verdict.name(), "unknown");
}

#[test]
fn arithmetic_wraps_where_overflows_are_not_looked_for() {
    let text = format!(
        "{INPUT}void reach_error(void);\nint main(void) {{ int n = __VERIFIER_nondet_int();\n\
         if (n > 0 && n + 1 < n) reach_error();\nreturn 0; }}\n"
    );
    let wraps = with_program(&text, CheckChoice::Usual, false);
    let Verdict::Reachable(witness) = &wraps.report.verdict else {
        panic!("{:?}", reasons(&wraps));
    };
    assert_eq!(witness.error, ErrorKind::Target);
    let overflow = CheckChoice::These([Check::Overflow].into_iter().collect());
    let found = with_program(&text, overflow, true);
    let Verdict::Reachable(witness) = &found.report.verdict else {
        panic!("{:?}", reasons(&found));
    };
    // The target is behind the overflow, where C defines nothing.
    assert_eq!(witness.error.checks(), [Check::Overflow]);
    assert!(found.report.further_errors.is_empty());
}

#[test]
fn bitcode_does_not_tell_what_is_signed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("program.bc");
    std::fs::write(&file, "").unwrap();
    let mut load = LoadOptions::new([file]);
    load.sanitizers
        .push(compact_se::frontend::Sanitizer::Overflow);
    let error = compact_se::frontend::load(&load).expect_err("refused before it is read");
    assert!(error.to_string().contains("need C or C++ files"), "{error}");
}

#[test]
fn divisions_are_looked_for_where_overflows_end_executions() {
    for check in [Check::Division, Check::Overflow, Check::Memory] {
        let file = repository("tests/errors/division_least.c");
        let mut options = options(&file, CheckChoice::These([check].into_iter().collect()));
        options.load.sanitizers = vec![Sanitizer::Overflow];
        let report = analysis(&options).report;
        match report.verdict {
            Verdict::Reachable(witness) => {
                assert_ne!(check, Check::Memory);
                assert_eq!(witness.error, ErrorKind::Program(EndKind::QuotientOverflow));
            }
            other => {
                assert_eq!((check, other.name()), (Check::Memory, "unreachable"));
                // The check before the division does not say that the division traps.
                let mut reasons = report.undefined.iter();
                let is_overflow = |reason: &Reason| matches!(reason, Reason::UndefinedBehaviour(what, _) if what == "signed overflow");
                assert!(reasons.any(|(reason, _)| is_overflow(reason)));
            }
        }
    }
}

#[test]
fn a_replay_with_an_overflow_on_the_way_is_refused() {
    let file = repository("tests/signed_overflow/sum.c");
    let wraps = options(&file, CheckChoice::These(Checks::NONE));
    let found = analysis(&wraps);
    let Verdict::Reachable(witness) = &found.report.verdict else {
        panic!("the sum wraps: {:?}", reasons(&found));
    };
    assert_eq!(
        confirm_natively(&found.loaded, witness),
        Confirmation::Confirmed(None)
    );
    let mut load = wraps.load;
    load.sanitizers.push(Sanitizer::Overflow);
    let checked = frontend::load(&load).expect("the program is C");
    match confirm_natively(&checked, witness) {
        Confirmation::Refuted(why) => assert!(why.contains("signed integer overflow"), "{why}"),
        other => panic!("{other:?}"),
    }
}

/// The account of blocks is right with pointers of 32 bits too.
#[test]
fn lost_memory_of_programs_of_32_bits() {
    let leak = CheckChoice::These([Check::Leak].into_iter().collect());
    let mut options = options(&repository("tests/errors/leak_early_return.c"), leak);
    options.load.data_model = Some(DataModel::Ilp32);
    let found = analysis(&options);
    assert_eq!(
        found.report.verdict.name(),
        "reachable",
        "{:?}",
        reasons(&found)
    );
}

/// Nothing sees uses of uninitialised values there, which is said.
#[test]
fn uninitialised_values_of_programs_of_32_bits() {
    let uses = CheckChoice::These([Check::Uninitialised].into_iter().collect());
    let file = repository("tests/errors/uninitialised_on_one_path.c");
    let mut options = options(&file, uses);
    options.load.data_model = Some(DataModel::Ilp32);
    let found = analysis(&options);
    assert_eq!(found.report.verdict.name(), "unknown");
    let reasons = reasons(&found);
    assert!(reasons[0].contains("MemorySanitizer"), "{reasons:?}");
}

/// What the system passes lies beside each other, and no sanitizer knows it.
#[test]
fn accesses_beyond_arguments() {
    for access in ["argv[1][-1]", "argv[1][8]", "strlen(argv[1] - 1)"] {
        let text = format!(
            "#include <string.h>\nint main(int argc, char **argv) {{\n\
             return argc < 2 ? 0 : {access}; }}\n"
        );
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("program.c");
        std::fs::write(&file, text).expect("the folder is writable");
        let memory = CheckChoice::These([Check::Memory].into_iter().collect());
        let mut options = options(&file, memory);
        options.load.environment = Some(SymbolicEnvironment {
            program: "program".to_owned(),
            arguments: vec![ProgramArgument::Text("message".to_owned())],
            stdin_bytes: 0,
            files: Vec::new(),
        });
        let found = analysis(&options);
        let Verdict::Reachable(witness) = &found.report.verdict else {
            panic!("{access}: {:?}", reasons(&found));
        };
        assert_eq!(witness.target.line, 3, "{access}");
    }
}

/// The verdict about lost memory, and the reasons.
fn about_leaks(body: &str) -> (String, Vec<String>) {
    let text = format!("{INPUT}#include <stdlib.h>\nstatic char *kept;\n{body}\n");
    let leak = CheckChoice::These([Check::Leak].into_iter().collect());
    let analysis = with_program(&text, leak, false);
    let verdict = analysis.report.verdict.name().to_owned();
    (verdict, reasons(&analysis))
}

#[test]
fn a_pointer_in_a_variable_that_runs_may_hold_memory_at_exit() {
    let (verdict, reasons) = about_leaks(
        "static void stop(void) { exit(1); }\n\
         int main(void) { char *p = malloc(3); if (__VERIFIER_nondet_int()) stop(); p[0] = 1; \
         free(p); return 0; }",
    );
    assert_eq!(verdict, "unknown");
    assert!(
        reasons[0].contains(
            "the leak check at exit of memory that is allocated here: a function that \
                             still runs may hold it"
        ),
        "{reasons:?}"
    );
}

/// C has a variable in scope also where nothing reads it any more, and no register has its value.
#[test]
fn a_variable_that_is_not_read_again_holds_memory_at_exit() {
    for body in [
        "int main(void) { char *p = malloc(1); p[0] = 1; exit(0); }",
        "static void stop(char *p) { p[0] = 1; exit(0); }\n\
         int main(void) { char *p = malloc(1); stop(p); free(p); }",
        // The second block has the register of the first, and `last` is never read.
        "int main(void) { char *last = 0;\n\
         for (int i = 0; i < 2; i++) { char *p = malloc(1); p[0] = 1; if (i == 0) last = p; }\n\
         exit(0); }",
    ] {
        let (verdict, reasons) = about_leaks(body);
        assert_eq!(verdict, "unknown", "{body}: {reasons:?}");
        assert!(
            reasons[0].contains("may hold it in a variable"),
            "{reasons:?}"
        );
    }
    for body in [
        "static void lose(void) { char *p = malloc(3); p[0] = 1; }\n\
         int main(void) { lose(); exit(0); }",
        // A pointer that has no value at first.
        "int main(void) { char *p; int n = __VERIFIER_nondet_int(); if (n < 3) exit(0);\n\
         p = malloc(3); p[0] = 1; p = 0; exit(n); }",
        "int main(void) { char *p = malloc(3); p[0] = 1; p = 0; exit(p != 0); }",
    ] {
        let (verdict, reasons) = about_leaks(body);
        assert_eq!(verdict, "reachable", "{body}: {reasons:?}");
    }
}

#[test]
fn what_is_freed_or_held_on_each_way_is_not_lost() {
    for body in [
        // By one of two pointers.
        "int main(void) { char *p = malloc(3), *q = malloc(4); int n = __VERIFIER_nondet_int();\n\
         kept = n > 3 ? p : q; if (n > 3) free(q); else free(p); return 0; }",
        // Ends at which nothing is cleaned up.
        "int main(void) { char *p = malloc(3); p = 0; if (__VERIFIER_nondet_int()) abort();\n\
         _Exit(3); }",
        // Around and around.
        "int main(void) { while (__VERIFIER_nondet_int()) { free(malloc(3)); } return 0; }",
        // A null pointer is freed.
        "int main(void) { char *p = 0; if (__VERIFIER_nondet_int() > 7) p = malloc(9);\n\
         free(p); return 0; }",
        // Nothing is allocated.
        "int main(void) { int n = __VERIFIER_nondet_int(); while (n < 100) n++; return n; }",
    ] {
        let (verdict, reasons) = about_leaks(body);
        assert_eq!(verdict, "unreachable", "{body}: {reasons:?}");
    }
}

#[test]
fn what_the_system_allocates_is_not_the_program_s_to_free() {
    let (verdict, reasons) = about_leaks(
        "int main(int argc, char **argv) { free(malloc(1)); return argc > 1 && argv[1][0] == 'x'; }",
    );
    assert_eq!(verdict, "unreachable", "{reasons:?}");
}

/// Memory of somebody else is theirs to look at, when the program has ended too.
#[test]
fn what_foreign_objects_hold_is_not_lost() {
    let head = "struct s { int *data; struct s *next; };\nstruct s *owner(void);\n\
                extern struct s *theirs;";
    for body in [
        "int main(void) { owner()->data = malloc(4); return 0; }",
        "int main(void) { owner()->next->data = malloc(4); return 0; }",
        "int main(void) { theirs->data = malloc(4); return 0; }",
        "int main(void) { unsigned n = __VERIFIER_nondet_int(); struct s *p = owner();\n\
         if (n < 9) p[n].data = malloc(4); return 0; }",
        "int main(void) { struct s *p = malloc(sizeof *p), *all = owner();\n\
         p->next = all->next; p->data = 0; all->next = p; exit(3); }",
    ] {
        let (verdict, reasons) = about_leaks(&format!("{head}\n{body}"));
        assert_eq!(verdict, "unknown", "{body}: {reasons:?}");
    }
    let (verdict, reasons) = about_leaks(&format!(
        "{head}\nint main(void) {{ theirs->data = malloc(4); theirs->data = 0; return 0; }}"
    ));
    assert_eq!(verdict, "reachable", "{reasons:?}");
}

#[test]
fn what_is_lost_on_some_way_is_found() {
    for body in [
        "int main(void) { char *p = malloc(3), *q = malloc(4); int n = __VERIFIER_nondet_int();\n\
         kept = n > 3 ? p : q; free(q); if (n < 3) kept = 0; return 0; }",
        // What a variable of main holds is lost when it returns, whoever points to the variable.
        "static char **all;\n\
         int main(void) { char *p = malloc(4), *own[1] = {p}; all = own; return 0; }",
        // A cycle holds itself.
        "int main(void) { void **p = malloc(16); *p = p; return 0; }",
        // Behind a folded loop.
        "int main(void) { char *p = malloc(3); unsigned n = __VERIFIER_nondet_int(), i = 0;\n\
         while (i < n) i += 2; if (i == 4000000000u) p = 0; free(p); return 0; }",
        "static void deep(int n) { if (n == 0) { kept = malloc(2); kept = 0; exit(0); } deep(n - 1); }\n\
         int main(void) { deep(3); }",
    ] {
        let (verdict, reasons) = about_leaks(body);
        assert_eq!(verdict, "reachable", "{body}: {reasons:?}");
    }
}

/// The verdict about uninitialised values, and the reasons.
fn about_values(body: &str) -> (String, Vec<String>) {
    let text = format!("{INPUT}#include <stdlib.h>\n#include <string.h>\n{body}\n");
    let uninitialised = CheckChoice::These([Check::Uninitialised].into_iter().collect());
    let analysis = with_program(&text, uninitialised, false);
    let verdict = analysis.report.verdict.name().to_owned();
    (verdict, reasons(&analysis))
}

#[test]
fn copies_and_values_that_decide_nothing_are_no_uses() {
    for body in [
        "struct pair { int a, b; }; static struct pair kept;\n\
         int main(void) { struct pair p; p.a = 1; kept = p; return kept.a; }",
        "int main(void) { int x, n = __VERIFIER_nondet_int(); if (n > 0) x = n;\n\
         if (n > 0 && x > 5) return 1; return 0; }",
        "int main(void) { int x; int y = x & 0; if (y) return 1; return 0; }",
        "int main(void) { char *p = malloc(8); memset(p, 1, 8); int n = p[7]; free(p); return n; }",
        "int main(void) { int *p = calloc(2, 4); int n = p[1]; free(p); if (n) return 3; return 0; }",
        "static void get(int *x) { *x = __VERIFIER_nondet_int(); }\n\
         int main(void) { int x; get(&x); while (x > 0) x--; return x < 0; }",
    ] {
        let (verdict, reasons) = about_values(body);
        assert_eq!(verdict, "unreachable", "{body}: {reasons:?}");
    }
}

#[test]
fn values_that_nobody_wrote_are_found_where_they_decide() {
    for body in [
        "int main(void) { char *p = malloc(8); memset(p, 1, 7); int n = p[__VERIFIER_nondet_int() & 7];\n\
         free(p); if (n == 2) return 1; return 0; }",
        "int main(void) { int *p = malloc(4); *p = 3; p = realloc(p, 8); int n = p[1];\n\
         free(p); return n == 4 ? 1 : 0; }",
        "int main(void) { char text[10]; text[0] = 'a'; return (int)strlen(text); }",
        "int main(void) { int *p; if (__VERIFIER_nondet_int() == 3) return *p; return 0; }",
        "int main(void) { int i, sum = 0; for (; i < 10; i++) sum += i; return 0; }",
    ] {
        let (verdict, reasons) = about_values(body);
        assert_eq!(verdict, "reachable", "{body}: {reasons:?}");
    }
}
