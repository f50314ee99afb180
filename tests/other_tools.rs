//! Programs written for KLEE and CBMC are analysed from the source as it is, and several targets
//! are asked about at once; arguments, standard input and files are symbolic as with KLEE.

use crate::support::command;
#[path = "environment/tests.rs"]
mod environment;

use compact_se::analysis::{Analysis, AnalysisOptions, CheckChoice, analyze};
use compact_se::frontend::{EntryFunction, LoadOptions, ObjectBytes, TargetSpec};
use compact_se::symex::Verdict;
use std::path::PathBuf;
use std::time::Duration;

fn analysis_of(text: &str, target: TargetSpec) -> Analysis {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("program.c");
    std::fs::write(&file, text).expect("the folder is writable");
    let mut load = LoadOptions::new([&file]);
    load.executable = Some(PathBuf::from(env!("CARGO_BIN_EXE_compact-se")));
    load.target = target;
    let mut options = AnalysisOptions::new(load);
    options.execution.budget.time = Duration::from_secs(60);
    analyze(&options, &mut |_| ()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn reasons(analysis: &Analysis) -> Vec<String> {
    let all = analysis.report.reasons.iter();
    all.map(|(reason, _)| reason.to_string()).collect()
}

fn unreachable(text: &str) {
    let analysis = analysis_of(text, TargetSpec::Default);
    let verdict = analysis.report.verdict.name();
    assert_eq!(verdict, "unreachable", "{text}: {:?}", reasons(&analysis));
}

/// The target is reached at this line of the source, and a replay confirms that.
fn reaches(text: &str, target: TargetSpec, line: u32) {
    let analysis = analysis_of(text, target);
    let Verdict::Reachable(witness) = &analysis.report.verdict else {
        panic!("{text}: not reached: {:?}", reasons(&analysis));
    };
    assert!(analysis.replayed, "{text}");
    assert_eq!(witness.target.line, line, "{text}");
}

fn reachable(text: &str, line: u32) {
    reaches(text, TargetSpec::Default, line);
}

/// `body` stands in main, on line 3.
fn klee(body: &str) -> String {
    format!("#include <klee/klee.h>\nint main(void) {{\n{body}\nreturn 0; }}\n")
}

const ERROR: &str = "klee_report_error(__FILE__, __LINE__, \"found\", \"err\");";

#[test]
fn klee_makes_memory_symbolic() {
    let body = |condition: &str| {
        klee(&format!(
            "char t[3]; int n; klee_make_symbolic(t, sizeof t, \"t\"); \
             klee_make_symbolic(&n, sizeof n, \"n\"); klee_assume(n > 5); if ({condition}) {ERROR}"
        ))
    };
    reachable(&body("t[0] == 'a' && t[2] == 'c' && n == 7"), 3);
    unreachable(&body("n == 5 || (t[0] & 1) > 1"));
}

#[test]
fn klee_gives_numbers() {
    let range = "int a = klee_range(3, 9, \"a\"), b = klee_int(\"b\");";
    reachable(&klee(&format!("{range} if (a == 8 && b == -1) {ERROR}")), 3);
    unreachable(&klee(&format!("{range} if (a < 3 || a >= 9) {ERROR}")));
    let choice = "unsigned long c = klee_choose(4);";
    reachable(&klee(&format!("{choice} if (c == 3) {ERROR}")), 3);
    unreachable(&klee(&format!("{choice} if (c > 3) {ERROR}")));
}

#[test]
fn an_empty_range_is_an_error() {
    reachable(
        &klee("int n = klee_int(\"n\"); klee_range(0, n, \"a\");"),
        3,
    );
    unreachable(&klee("klee_range(0, 1, \"a\");"));
}

/// What the model of `klee_range` reports is no target of the program's own.
#[test]
fn a_range_leaves_the_usual_checks() {
    let folder = command::folder();
    let file = folder.path().join("range.c");
    let text = klee("static int a[5];\na[klee_range(0, 6, \"n\")] = 3;");
    std::fs::write(&file, text).expect("the folder is writable");
    let said = command::output(&["analyze", file.to_str().expect("UTF-8")], 1);
    assert!(
        said.contains("range.c:4:") && said.contains("access out of bounds"),
        "{said}"
    );
}

/// Runs `analyze` on a program with these options, which has to end with this exit code; its text and record.
fn analyzed(body: &str, options: &[&str], code: i32) -> (String, serde_json::Value) {
    let folder = command::folder();
    let (file, record) = (
        folder.path().join("program.c"),
        folder.path().join("r.json"),
    );
    std::fs::write(&file, klee(body)).expect("the folder is writable");
    let path = |path: &std::path::Path| path.to_str().expect("UTF-8").to_owned();
    let (file, record_path) = (path(&file), path(&record));
    let mut arguments = vec!["analyze", &file, "--json", &record_path];
    arguments.extend(options);
    let said = command::output(&arguments, code);
    (said, command::json(&record))
}

/// KLEE: *invalid klee_assume call (provably false)*.
#[test]
fn an_assumption_that_never_holds_is_told() {
    let never = "int n = klee_int(\"n\"); klee_assume(n > 5);\nif (n < 9)\n  klee_assume(n == 3);\n\
                 klee_assert(n != 7);";
    let (said, record) = analyzed(never, &[], 0);
    assert!(said.contains("program.c:5:3 never holds"), "{said}");
    assert!(
        record["notes"]
            .to_string()
            .contains("program.c:5:3 never holds")
    );
    // It may hold, is not reached, or says on purpose that the path ends.
    for body in [
        "int n = klee_int(\"n\"); klee_assume(n > 5); klee_assert(n != 3);",
        "int n = klee_int(\"n\"); if (n > 5 && n < 4) klee_assume(n == 3);",
        "int n = klee_int(\"n\"); if (n > 5) klee_assume(0); klee_assert(n < 6);",
        "int n = klee_int(\"n\"); for (int i = 0; i < n; i++) klee_assume(i != 7); klee_assert(n < 8);",
    ] {
        let (said, _) = analyzed(body, &[], 0);
        assert!(!said.contains("never holds"), "{body}: {said}");
    }
}

#[test]
fn errors_have_the_message_and_the_suffix_of_the_program() {
    let folder = command::folder();
    let klee = folder.path().join("klee-out");
    let klee = klee.to_str().expect("UTF-8");
    let body = "int n = klee_int(\"n\");\n\
                if (n == 5) klee_report_error(__FILE__, __LINE__, \"five is odd\", \"odd\");\n\
                if (n == 7) klee_abort();";
    let (said, record) = analyzed(body, &["--all", "--output-dir", klee], 1);
    assert!(
        said.contains("program.c:4:13: five is odd (odd)\n"),
        "{said}"
    );
    assert!(
        said.contains("program.c:5:13: abort failure (abort)\n"),
        "{said}"
    );
    assert_eq!(record["errors"][0]["message"], "five is odd");
    assert_eq!(record["errors"][0]["suffix"], "odd");
    let read = |name: &str| {
        let file = std::path::Path::new(klee).join(name);
        std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    assert!(read("test000001.odd.err").starts_with("Error: five is odd\nFile: "));
    assert!(read("test000002.abort.err").contains("Line: 5\n"));
}

#[test]
fn klee_ends_executions_in_silence() {
    unreachable(&klee(&format!("klee_silent_exit(1); {ERROR}")));
    unreachable(&klee(&format!(
        "int n = klee_int(\"n\"); klee_assert(n != 3); if (n == 3) {ERROR}"
    )));
}

#[test]
fn klee_wishes_change_nothing() {
    let wishes = "int n = klee_int(\"n\"); klee_prefer_cex(&n, n < 9); klee_warning(\"w\"); \
                  klee_print_expr(\"n\", n, 2.5); klee_open_merge(); klee_close_merge();";
    reachable(&klee(&format!("{wishes} if (n == 1000) {ERROR}")), 3);
    unreachable(&klee(&format!(
        "{wishes} if (klee_get_value_i32(n) != n) {ERROR}"
    )));
}

#[test]
fn klee_abort_is_an_error() {
    reachable(&klee("if (klee_int(\"n\") == 5) klee_abort();"), 3);
    unreachable(&klee("int n = klee_int(\"n\"); if (n < n) klee_abort();"));
}

/// What depends on inputs is symbolic, and nothing else.
#[test]
fn klee_tells_what_is_symbolic() {
    let asked = |setup: &str, value: &str, is: &str| {
        klee(&format!(
            "int n = klee_int(\"n\"), y = 3, a[4]; {setup} if ({is}klee_is_symbolic((uintptr_t)({value}))) {ERROR}"
        ))
    };
    let loops = "int s = 0; for (int i = 0; i < 10; i++) s += i;";
    let made = "klee_make_symbolic(a, sizeof a, \"a\"); a[1] = 5;";
    for (setup, value, is_symbolic) in [
        ("", "n + 1", true),
        ("", "y", false),
        ("", "&y", false),
        (loops, "s", false),
        (made, "a[2]", true),
        (made, "a[1]", false),
        ("if (n > 2) y = n;", "n > 2 ? n - y + 4 : y", false),
    ] {
        let (found, absent) = if is_symbolic { ("", "!") } else { ("!", "") };
        reachable(&asked(setup, value, found), 3);
        let other = analysis_of(&asked(setup, value, absent), TargetSpec::Default);
        assert_ne!(other.report.verdict.name(), "reachable", "{setup} {value}");
    }
    unreachable(&asked("", "n + 1", "!"));
    unreachable(&asked("", "y", ""));
    // Whether a step for many paths has a symbolic value is not told.
    let loops = "int s = 0; for (int i = 0; i < n; i++) s += 2;";
    let many = analysis_of(&asked(loops, "s", "!"), TargetSpec::Default);
    assert_ne!(many.report.verdict.name(), "unreachable");
}

#[test]
fn klee_knows_the_sizes_of_objects() {
    let objects =
        "int n; char t[7]; struct { char c; long l; } s; char *block = __builtin_malloc(5 + 6);";
    let sizes = "klee_get_obj_size(&n) == 4 && klee_get_obj_size(t) == 7 && klee_get_obj_size(&s) == 16 && \
                 klee_get_obj_size(block) == 11 && klee_get_obj_size(\"four\") == 5";
    unreachable(&klee(&format!("{objects} if (!({sizes})) {ERROR}")));
    reachable(&klee(&format!("{objects} if ({sizes}) {ERROR}")), 3);
    let chosen = "int k = klee_range(1, 9, \"k\"); void *block = __builtin_malloc(k);";
    let asked = |bytes: u32| format!("{chosen} if (klee_get_obj_size(block) == {bytes}) {ERROR}");
    reachable(&klee(&asked(5)), 3);
    unreachable(&klee(&asked(9)));
    // An error for KLEE.
    let body = format!("char t[7]; if (klee_get_obj_size(t + 1) == 7) {ERROR}");
    let analysis = analysis_of(&klee(&body), TargetSpec::Default);
    let reasons = reasons(&analysis);
    assert_eq!(analysis.report.verdict.name(), "unknown");
    assert!(
        reasons[0].contains("does not point to its start"),
        "{reasons:?}"
    );
}

#[test]
fn klee_checks_accesses() {
    let check = |bytes: &str| {
        let body = format!("int n; klee_check_memory_access(&n, {bytes});");
        let analysis = analysis_of(
            &klee(&format!("{body} if (0) {ERROR}")),
            TargetSpec::Default,
        );
        (analysis.report.verdict.name(), reasons(&analysis))
    };
    assert_eq!(check("sizeof n"), ("unreachable", vec![]));
    assert_eq!(check("0"), ("unreachable", vec![]));
    let (verdict, reasons) = check("5");
    assert_eq!(verdict, "unknown");
    assert!(reasons[0].contains("out of bounds"), "{reasons:?}");
}

#[test]
fn words_of_cbmc_need_no_declaration() {
    let program = |goal: &str| {
        format!(
            "int main() {{ __CPROVER_bool go = nondet_bool(); unsigned char c = nondet_uchar();\n\
             int n = nondet_int(); __CPROVER_assume(n > 3);\n\
             __CPROVER_assert(n != 3, \"more\"); if (go && {goal}) goto ERROR;\n\
             return 0; ERROR: return 1; }}\n"
        )
    };
    reachable(&program("n == 4 && c == 200"), 4);
    unreachable(&program("(n < 4 || c > 255 || go > 1)"));
}

#[test]
fn cbmc_makes_whole_objects_arbitrary() {
    let program = |place: &str, goal: &str| {
        format!(
            "void *malloc(__SIZE_TYPE__); int main(void) {{\n\
             int before = 1, a[3] = {{1, 2, 3}}, after = 9; int *block = malloc(8); block[0] = 5; block[1] = 6;\n\
             __CPROVER_havoc_object({place});\n\
             if ({goal}) goto ERROR;\n\
             return 0; ERROR: return 1; }}\n"
        )
    };
    reachable(&program("a", "a[0] == 77 && a[2] == -1"), 5);
    reachable(&program("block", "block[1] == 77"), 5);
    unreachable(&program("a", "before != 1 || after != 9 || block[0] != 5"));
    unreachable(&program("block", "a[0] != 1 || a[2] != 3"));
    // Not of what the pointer is in the middle of.
    let middle = analysis_of(&program("a + 1", "a[0] == 77"), TargetSpec::Default);
    assert_eq!(middle.report.verdict.name(), "unknown");
}

/// C90 has `nondet_long()` return `int` where nobody declares it, which would be fewer values.
#[test]
fn words_of_cbmc_have_their_types_without_a_declaration() {
    let program = |goal: &str| {
        format!(
            "int main(void) {{ long x = nondet_long(); double d = nondet_double(); helper(3);\n\
             unsigned char c = nondet_uchar(); __CPROVER_assume(x > 3);\n\
             __CPROVER_assert(x != 3, \"more\"); if ({goal}) goto ERROR;\n\
             return 0; ERROR: return 1; }} int helper(int n) {{ return n; }}\n"
        )
    };
    for standard in ["gnu17", "gnu89"] {
        let with_standard = |goal: &str| {
            let mut file = tempfile::Builder::new()
                .suffix(".c")
                .tempfile()
                .expect("a file");
            std::io::Write::write_all(&mut file, program(goal).as_bytes()).expect("written");
            let mut load = LoadOptions::new([file.path()]);
            load.standard = Some(standard.to_owned());
            load.executable = Some(PathBuf::from(env!("CARGO_BIN_EXE_compact-se")));
            let options = AnalysisOptions::new(load);
            let analysis = analyze(&options, &mut |_| ()).expect("an analysis");
            analysis.report.verdict.name()
        };
        assert_eq!(with_standard("x == 5000000000 && d == 0.5"), "reachable");
        assert_eq!(with_standard("x < 4"), "unreachable");
    }
}

#[test]
fn words_of_cbmc_may_be_declared() {
    let program = |goal: &str| {
        format!(
            "void __CPROVER_assume(int), __CPROVER_assert(int, const char *); int nondet_any();\n\
             int main(void) {{ int n = nondet_any(); __CPROVER_assume(n > 3);\n\
             __CPROVER_assert(n < 9, \"less\"); if ({goal}) goto ERROR;\n\
             return 0; ERROR: return 1; }}\n"
        )
    };
    reachable(&program("n == 8"), 4);
    // What an assertion does not let pass.
    unreachable(&program("n == 9"));
}

#[test]
fn other_undeclared_words_are_still_errors() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("program.c");
    let text = "int main(void) { return nondet_int() + nondet_color; }\n";
    std::fs::write(&file, text).expect("the folder is writable");
    let mut load = LoadOptions::new([&file]);
    load.executable = Some(PathBuf::from(env!("CARGO_BIN_EXE_compact-se")));
    let error = compact_se::frontend::load(&load).expect_err("clang refuses it");
    assert!(error.to_string().contains("nondet_color"), "{error}");
}

#[test]
fn any_function_can_be_where_the_program_starts() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("program.c");
    let text = "struct pair { int a, b; };\n\
                static int limit = 8;\n\
                int pick(const char *text, unsigned n, struct pair pair) {\n\
                if (pair.a == 7 && pair.b == 9 && n == limit - 2) return text[n + 1];\n\
                return n < 4 ? text[n] : 0; }\n\
                int other(int n) { return n; }\n\
                int main(void) { return other(3); }\n";
    std::fs::write(&file, text).expect("the folder is writable");
    let verdict = |name: &str, pointer_bytes: &str| {
        let mut load = LoadOptions::new([&file]);
        load.executable = Some(PathBuf::from(env!("CARGO_BIN_EXE_compact-se")));
        let name = name.to_owned();
        load.entry = Some(EntryFunction {
            name,
            pointer_bytes: pointer_bytes.parse().expect("a size"),
        });
        let mut options = AnalysisOptions::new(load);
        options.checks = CheckChoice::Usual;
        options.execution.budget.time = Duration::from_secs(60);
        let analysis = analyze(&options, &mut |_| ()).map_err(|error| error.to_string())?;
        let line = match &analysis.report.verdict {
            Verdict::Reachable(witness) => witness.target.line,
            Verdict::Unreachable | Verdict::Unknown => 0,
        };
        Ok::<_, String>((analysis.report.verdict.name(), line))
    };
    assert_eq!(verdict("pick", "7"), Ok(("reachable", 4)));
    assert_eq!(verdict("pick", "8"), Ok(("unreachable", 0)));
    assert_eq!(verdict("pick", "8..40"), Ok(("unreachable", 0)));
    assert_eq!(verdict("pick", "7..40"), Ok(("reachable", 4)));
    assert_eq!(verdict("pick", "3").map(|(name, _)| name), Ok("reachable"));
    assert_eq!(verdict("other", "1"), Ok(("unreachable", 0)));
    for wrong in ["0", "-1", "9..8", "1..", "1..2097152", "many"] {
        assert!(wrong.parse::<ObjectBytes>().is_err(), "{wrong}");
    }
    let error = verdict("none", "1").expect_err("there is no such function");
    assert!(
        error.contains("no function none") && error.contains("pick"),
        "{error}"
    );
}

#[test]
fn several_targets_are_asked_about_at_once() {
    let program = |first: &str, second: &str| {
        format!(
            "extern int __VERIFIER_nondet_int(void); extern void a(void), b(void);\n\
             int main(void) {{ int n = __VERIFIER_nondet_int();\n\
             if ({first}) a();\n\
             if ({second}) b();\n\
             return 0; }}\n"
        )
    };
    let both = || {
        TargetSpec::EachOf(vec![
            TargetSpec::Function("a".to_owned()),
            TargetSpec::Function("b".to_owned()),
        ])
    };
    reaches(&program("n < n", "n == 4"), both(), 4);
    reaches(&program("n == 4", "n < n"), both(), 3);
    let none = analysis_of(&program("n < n", "n > n"), both());
    assert_eq!(none.report.verdict.name(), "unreachable");
    reachable(
        "extern void reach_error(void), __VERIFIER_error(void); int main(void) {\n\
         int n; if (n < n) reach_error();\n\
         if (n == 2) __VERIFIER_error(); return 0; }\n",
        3,
    );
}

/// What the analysis of a program says, which reaches its target.
fn said_of(text: &str, options: &[&str]) -> String {
    let folder = command::folder();
    let file = folder.path().join("program.c");
    std::fs::write(&file, text).expect("the folder is writable");
    let file = file.to_str().expect("UTF-8");
    command::output(&[&["analyze", file], options].concat(), 1)
}

#[test]
fn variables_that_are_made_symbolic_are_shown_in_their_types() {
    let said = said_of(
        &klee(&format!(
            "typedef const volatile unsigned char byte; enum state {{ ON = 3 }}; \
             int x; byte c; double d; enum state s; short a[2]; \
             klee_make_symbolic(&x, sizeof x, \"x\"); klee_make_symbolic((void *)&c, 1, \"c\"); \
             klee_make_symbolic(&d, sizeof d, \"d\"); klee_make_symbolic(&s, sizeof s, \"s\"); \
             klee_make_symbolic(a, sizeof a, \"a\"); \
             if (x == -42 && c == 200 && d == 1.5 && s == ON && a[0] == 2 && a[1] == 2) {ERROR}"
        )),
        &[],
    );
    let values = ["x = -42 (i32)", "c = 200 (u8)", "d = 1.5 (double)"];
    let others = ["s = 3 (u32)", "a = {2, 2} (i16[2])"];
    for value in values.into_iter().chain(others) {
        assert!(said.contains(&format!("\n  {value}")), "{value}: {said}");
    }
}

#[test]
fn variables_that_nobody_has_written_are_shown_in_their_types() {
    let said = said_of(
        "void reach_error(void); static int f(signed char twice) { return twice; }\n\
         int main(void) { unsigned char l; unsigned short arr[3]; int k; float x; unsigned char twice;\n\
         if (l == 252 && k == -9 && arr[1] == 65000 && x == 2.5f && f((signed char)twice) == -3)\n\
         reach_error(); return 0; }\n",
        &[],
    );
    // A name of two types has none.
    let values = [
        "l = 252 (u8)",
        "k = -9 (i32)",
        "x = 2.5 (float)",
        "twice = -3 (i8)",
    ];
    for value in values {
        assert!(said.contains(&format!("\n  {value}\n")), "{value}: {said}");
    }
}

/// Of blocks what the path depends on: members, elements, texts.
#[test]
fn blocks_are_shown_in_their_types() {
    let said = said_of(
        &klee(&format!(
            "struct {{ int x; unsigned char tag : 3, rest : 5; char name[8]; struct {{ short y[4]; }} in[2]; }} p; \
             char text[100]; static unsigned bits[2][3]; char *block = __builtin_malloc(20); \
             klee_make_symbolic(&p, sizeof p, \"p\"); klee_make_symbolic(text, sizeof text, \"text\"); \
             klee_make_symbolic(bits, sizeof bits, \"bits\"); klee_make_symbolic(block, 20, \"block\"); \
             if (p.x == -7 && p.tag == 5 && p.name[0] == 'b' && p.name[1] == 'o' && p.in[1].y[2] == -1 \
                 && text[0] == '\"' && text[1] == '1' && bits[1][2] == 3000000000u && block[19] == 'z') {ERROR}"
        )),
        &[],
    );
    for line in [
        "p.x = -7 (i32)",
        "p.tag = 5 (u3)",
        "p.name = \"bo\" (char[8])",
        "p.in[1].y[2] = -1 (i16)",
        "text = \"\\\"1\" (char[100])",
        "bits[1][2] = 3000000000 (u32)",
        "block[19] = 122 (i8) 'z'",
    ] {
        assert!(said.contains(&format!("\n  {line}\n")), "{line}: {said}");
    }
}

/// A structure is one input, however the machine passes it; one that is returned in memory is none.
#[test]
fn structures_that_are_passed_by_value_are_shown_by_members() {
    let said = said_of(
        "void reach_error(void);\n\
         struct memory { long n; int a[6]; }; struct mixed { float x; double y; };\n\
         struct odd { char a, b, c; }; struct two { long n; unsigned char tail[5]; };\n\
         struct memory f(struct memory s, struct mixed m, struct odd o, struct two t) {\n\
         if (s.a[5] == -4 && m.x == 1.5f && m.y == 2.25 && o.b == 'z' && t.n == -5 && t.tail[4] == 200)\n\
         reach_error();\n\
         return s; }\n",
        &["--function", "f"],
    );
    for line in [
        "s.a[5] = -4 (i32)",
        "m.x = 1.5 (float)",
        "m.y = 2.25 (double)",
        "o.b = 122 (i8) 'z'",
        "t.n = -5 (i64)",
    ] {
        assert!(said.contains(&format!("\n  {line}\n")), "{line}: {said}");
    }
    // An array of which most is read is told as a whole.
    assert!(said.contains("\n  t.tail"), "{said}");
}

/// A function that calls itself is replayed as it is, with structures on its stack.
#[test]
fn structures_that_are_passed_by_value_are_replayed() {
    said_of(
        "void reach_error(void); struct s { long n[5]; };\n\
         int f(struct s s, int depth) { s.n[0] += s.n[depth & 3];\n\
         if (depth == 0) { if (s.n[0] == 78 && s.n[4] == 5) reach_error(); return 0; }\n\
         return f(s, 0); }\n",
        &["--function", "f"],
    );
}

#[test]
fn pointers_to_functions_are_any_function_of_their_type() {
    let program = "void reach_error(void);\n\
         typedef int number; typedef number (*callback)(number);\n\
         int twice(int n) { return 2 * n; }\n\
         int squared(int n) { return n * n; }\n\
         long other(long n) { return 49; }\n\
         int f(callback of) { if (of(7) == 49) reach_error(); return 0; }\n\
         int g(long (*of)(long)) { if (of(7) != 49) reach_error(); return 0; }\n\
         int h(int (*compared)(const void *, const void *), void (*told)(const char *)) {\n\
         told(\"text\"); if (compared(\"a\", \"b\") == -3) reach_error(); return 0; }\n";
    let said = said_of(program, &["--function", "f"]);
    assert!(
        said.contains("note: of points to one of the functions of its type: twice(), squared()\n"),
        "{said}"
    );
    assert!(said.contains("\n  of = 1 (i32)\n"), "{said}");
    let folder = command::folder();
    let file = folder.path().join("program.c");
    std::fs::write(&file, program).expect("the folder is writable");
    let file = file.to_str().expect("UTF-8");
    let said = command::output(&["analyze", file, "--function", "g"], 0);
    let only = "note: of points to other(), the only function of its type\n";
    assert!(said.contains(only), "{said}");
    let said = said_of(program, &["--function", "h"]);
    assert!(said.contains("\n  compared() = -3 (i32)\n"), "{said}");
    assert!(
        said.contains(
            "note: compared, told each point to a function without effect that returns any value"
        ),
        "{said}"
    );
}

/// Structures behind pointers: their own pointers lead to objects too, and to functions of their types.
#[test]
fn pointers_in_arbitrary_memory_have_something_to_point_to() {
    let program = "void reach_error(void);\n\
         struct node { int value; struct node *next; char *name; int (*told)(int); };\n\
         struct large { char text[100]; int end; };\n\
         int twice(int n) { return 2 * n; }\n\
         int squared(int n) { return n * n; }\n\
         int f(struct node *n, char **words) {\n\
         if (n->next->next->value == 7 && n->name[3] == 'x' && words[2][1] == 'q' && n->told(7) == 49)\n\
         reach_error(); return 0; }\n\
         int g(struct large *l) { l->end = 1; if (l->text[99] == 3) reach_error(); return 0; }\n\
         struct pair { int *at; long n; };\n\
         int h(struct pair p) { if (p.at[1] == p.n) reach_error(); return 0; }\n\
         struct outer { int tag; struct { int *left; struct { char *right; }; }; };\n\
         int within(struct outer *o) { if (o->left[2] == o->tag && o->right[1] == 'r') reach_error(); return 0; }\n\
         int deep(struct node *n) { if (n->next->next->next->value == 7) reach_error(); return 0; }\n\
         int none(struct node *n) { if (!n->next || !n->name || n->told(3) < 6) reach_error(); return 0; }\n";
    let said = said_of(program, &["--function", "f"]);
    for line in [
        "n->next->next->value = 7 (i32)",
        "n->name[3] = 120 (i8) 'x'",
        "words[2][1] = 113 (i8) 'q'",
        "n->told = 1 (i32)",
    ] {
        assert!(said.contains(&format!("\n  {line}\n")), "{line}: {said}");
    }
    assert!(
        said.contains("each pointer argument of f, and each pointer in its object, points to a separate object"),
        "{said}"
    );
    let said = said_of(program, &["--function", "g"]);
    assert!(
        said.contains("64 bytes, or of the size of its type"),
        "{said}"
    );
    assert!(said.contains("\n  l->text[99] = 3 (i8)"), "{said}");
    said_of(program, &["--function", "h"]);
    let said = said_of(program, &["--function", "within"]);
    assert!(said.contains("\n  o->right[1] = 114 (i8) 'r'\n"), "{said}");

    let folder = command::folder();
    let file = folder.path().join("program.c");
    std::fs::write(&file, program).expect("the folder is writable");
    let file = file.to_str().expect("UTF-8");
    let said = command::output(&["analyze", file, "--function", "none"], 0);
    assert!(
        said.starts_with("unreachable\nassuming that none is called once"),
        "{said}"
    );
    // There objects end: a pointer is bytes, and leads to what the replay puts there.
    let said = command::output(&["analyze", file, "--function", "deep"], 1);
    assert!(said.contains("\n  n->next->next->next = "), "{said}");
    assert!(said.contains("\n  object at "), "{said}");
}

#[test]
fn symbolic_pointers_to_functions_are_any_function_of_their_type() {
    let said = said_of(
        "#include <klee/klee.h>\n#include <stdlib.h>\nvoid reach_error(void);\n\
         struct table { int (*first)(int); char tag; int (*others[2])(int); };\n\
         int twice(int n) { return 2 * n; }\n\
         int squared(int n) { return n * n; }\n\
         static int (*known)(int);\n\
         int main(void) { struct table t, *u = malloc(sizeof *u); int (*told)(int);\n\
         klee_make_symbolic(&t, sizeof t, \"t\");\n\
         klee_make_symbolic(u, sizeof *u, \"u\");\n\
         klee_make_symbolic(&told, sizeof told, \"told\");\n\
         klee_make_symbolic(&known, sizeof known, \"known\");\n\
         if (t.others[1](3) == 9 && t.tag == 'z' && u->first(5) == 25 && told(4) == 8 && known(6) == 36)\n\
         reach_error(); return 0; }\n",
        &[],
    );
    for line in [
        "t.others[1] = 1 (i32)",
        "t.tag = 122 (i8) 'z'",
        "u->first = 1 (i32)",
    ] {
        assert!(said.contains(&format!("\n  {line}\n")), "{line}: {said}");
    }
    assert!(
        said.contains("each point to one of the functions of its type: twice(), squared()"),
        "{said}"
    );
    let folder = command::folder();
    let file = folder.path().join("program.c");
    let program = klee(&format!(
        "int (*told)(int); klee_make_symbolic(&told, sizeof told, \"told\"); if (told(2) != 4) {{{ERROR}}}"
    ));
    let twice = "int twice(int n) { return 2 * n; }\n";
    std::fs::write(&file, format!("{twice}{program}")).expect("the folder is writable");
    let said = command::output(&["analyze", file.to_str().expect("UTF-8")], 0);
    let assumed = "assuming that symbolic pointers to functions point to functions of their types";
    assert!(said.contains(assumed), "{said}");
}

#[test]
fn arguments_are_shown_in_the_types_of_the_parameters() {
    let said = said_of(
        "void reach_error(void); struct pair { float a; int b; };\n\
         void f(float x, struct pair p, unsigned n) {\n\
         if (x == 1.5f && p.b == 7 && n > 4294967294u) reach_error(); }\n",
        &["--function", "f"],
    );
    for value in ["x = 1.5 (float)", "n = 4294967295 (u32)"] {
        assert!(said.contains(&format!("\n  {value}\n")), "{value}: {said}");
    }
}
