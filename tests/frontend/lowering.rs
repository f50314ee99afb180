//! What single constructs are lowered to.

use super::{actions, count, input_names, load_c, load_c_with, try_load_c, unsupported};
use compact_se::flowgraph::{Action, Builtin, EndKind, Granularity, Initializer, Storage};
use compact_se::frontend::{DataModel, LoadError, Sanitizer};

#[test]
fn a_comparison_is_fused_or_split() {
    let text = "int __VERIFIER_nondet_int(void);
                int main(void) { int a = __VERIFIER_nondet_int(); if (a < 3) a = 7; return a; }";
    let block = load_c(text);
    assert!(
        block.program.functions[0]
            .regs
            .iter()
            .all(|reg| reg.bits != 1)
    );
    let split = load_c_with(text, |options| options.granularity = Granularity::Split);
    let function = &split.program.functions[0];
    let condition = function
        .reg_ids()
        .find(|reg| function.reg(*reg).bits == 1)
        .unwrap();
    let assigns = count(
        &split,
        |action| matches!(action, Action::Assign(pairs) if pairs[0].0 == condition),
    );
    assert_eq!(assigns, 2, "one arm assigns 1, the other 0");
    assert!(
        function
            .edge_ids()
            .all(|edge| function.edge(edge).steps.len() <= 1)
    );
}

#[test]
fn a_boolean_detour_is_fused() {
    let loaded = load_c(
        "int __VERIFIER_nondet_int(void); void check(int c) { if (!c) __builtin_trap(); }
         int main(void) { int a = __VERIFIER_nondet_int(); check(a < 3); return a; }",
    );
    assert!(
        loaded.program.functions[0]
            .regs
            .iter()
            .all(|reg| reg.bits == 32)
    );
    assert_eq!(
        count(&loaded, |a| matches!(a, Action::End(EndKind::Abort))),
        1
    );
}

/// With pointers of 32 bits a handler gets the addresses of wide operands.
#[test]
fn what_handlers_are_told_is_no_memory_of_the_program() {
    let text = "long long __VERIFIER_nondet_longlong(void);
         int main(void) { long long a = __VERIFIER_nondet_longlong(); return a * a + 1 > 5; }";
    let loaded = load_c_with(text, |options| {
        options.data_model = Some(DataModel::Ilp32);
        options.sanitizers.push(Sanitizer::Overflow);
    });
    let overflows = count(&loaded, |action| {
        matches!(action, Action::End(EndKind::SignedOverflow))
    });
    assert_eq!(overflows, 2);
    let in_memory = count(&loaded, |action| {
        matches!(action, Action::Alloca { .. } | Action::Store { .. })
    });
    assert_eq!(in_memory, 0);
}

#[test]
fn phis_are_parallel() {
    let loaded = load_c(
        "int __VERIFIER_nondet_int(void);
         int main(void) { int a = 1, b = 2; while (__VERIFIER_nondet_int()) { int t = a; a = b; b = t; }
           return a; }",
    );
    let swaps = count(&loaded, |action| match action {
        Action::Assign(pairs) => {
            pairs.len() == 2
                && pairs[0].1 == compact_se::flowgraph::Expr::Reg(pairs[1].0)
                && pairs[1].1 == compact_se::flowgraph::Expr::Reg(pairs[0].0)
        }
        _ => false,
    });
    assert_eq!(swaps, 1);
}

#[test]
fn inputs_have_names_and_widths() {
    let loaded = load_c(
        "#include \"compact_se.h\"\n
         _Bool __VERIFIER_nondet_bool(void); unsigned short __VERIFIER_nondet_ushort(void);
         void *__VERIFIER_nondet_pointer(void); long long __VERIFIER_nondet_longlong(void);
         unsigned __int128 __VERIFIER_nondet_uint128(void); int other(int);
         int main(void) { int local; if (__VERIFIER_nondet_pointer() == 0) return local;
           return __VERIFIER_nondet_bool() + __VERIFIER_nondet_ushort() + __VERIFIER_nondet_longlong()
             + (int)__VERIFIER_nondet_uint128() + other(3) + compact_se_i32(\"mine\"); }",
    );
    let mut names = input_names(&loaded);
    names.sort();
    assert_eq!(
        names,
        [
            "__VERIFIER_nondet_bool",
            "__VERIFIER_nondet_longlong",
            "__VERIFIER_nondet_pointer",
            "__VERIFIER_nondet_uint128",
            "__VERIFIER_nondet_ushort",
            "local",
            "mine",
            "other"
        ]
    );
    let function = &loaded.program.functions[0];
    let width_of = |wanted: &str| {
        actions(&loaded)
            .into_iter()
            .find_map(|action| match action {
                Action::Input { dst, name, .. } if name == wanted => Some(function.reg(*dst).bits),
                _ => None,
            })
            .unwrap()
    };
    assert_eq!(width_of("__VERIFIER_nondet_bool"), 8);
    assert_eq!(width_of("__VERIFIER_nondet_ushort"), 16);
    assert_eq!(width_of("__VERIFIER_nondet_uint128"), 128);
}

#[test]
fn what_is_initialised_is_no_input() {
    let loaded = load_c(
        "int f(int p, char c) { int a = p; int b; b = c; int array[3] = {1, 2, 3}; char z[9] = \"\";
           return a + b + array[1] + z[0]; }
         int main(void) { int i; for (i = 0; i < 3; i++) { int k = i; f(k, 'c'); } return i; }",
    );
    assert_eq!(input_names(&loaded), Vec::<String>::new());
    let unwritten = |a: &Action| {
        matches!(
            a,
            Action::Builtin {
                builtin: Builtin::Unwritten,
                ..
            }
        )
    };
    assert_eq!(count(&loaded, unwritten), 0);
}

#[test]
fn parameters_are_no_inputs_of_the_callee() {
    // A parameter is stored before it is declared.
    let loaded = load_c_with(
        "int f(int cond) { int *p = &cond; return *p; } int main(void) { return f(3); }",
        |options| options.inline = false,
    );
    assert_eq!(input_names(&loaded), Vec::<String>::new());
}

#[test]
fn main_parameters_are_inputs() {
    let loaded = load_c("int main(int argc, char **argv) { return argc + (argv == 0); }");
    assert_eq!(input_names(&loaded), ["argc", "strlen(argv)"]);
    // What nobody reads is no input.
    let loaded = load_c("int main(int argc, char **argv) { return argc; }");
    assert_eq!(input_names(&loaded), ["argc"]);
    assert!(
        loaded
            .program
            .function(loaded.program.main)
            .params
            .is_empty()
    );
    let error = try_load_c(
        "int main(int c, char **v) { return c ? main(c - 1, v) : 0; }",
        |_| (),
    );
    assert!(matches!(error, Err(LoadError::Refused { .. })));
}

#[test]
fn globals_have_their_content() {
    let loaded = load_c_with(
        "struct { char c; int i; } s = { 1, -2 }; int zero[4]; const char text[] = \"ab\";
         int *pointer = &zero[2], **kept = &pointer; extern int unknown; int f(int); int (*function)(int) = f;
         int main(void) { return s.i + zero[0] + text[1] + **kept + unknown + function(1); }
         int f(int x) { return x; }",
        |options| options.data_model = Some(DataModel::Ilp32),
    );
    let global = |name: &str| {
        let id = loaded.program.global_by_name(name).unwrap();
        loaded.program.global(id).clone()
    };
    let bytes = |name: &str| match global(name).initializer {
        Initializer::Bytes { bytes, .. } => bytes,
        other => panic!("{name}: {other:?}"),
    };
    assert_eq!(bytes("s"), [1, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff]);
    assert_eq!(global("zero").initializer, Initializer::Zero);
    assert_eq!(global("zero").bytes, 16);
    assert_eq!(bytes("text"), *b"ab\0");
    assert_eq!(global("text").storage, Storage::Constant);
    assert_eq!(global("s").storage, Storage::Variable);
    let Initializer::Bytes { addresses, .. } = global("pointer").initializer else {
        panic!("pointer");
    };
    assert_eq!(addresses.len(), 1);
    assert!(
        loaded.notes.iter().any(|note| note.contains("unknown")),
        "{:?}",
        loaded.notes
    );
}

#[test]
fn globals_of_main_alone_become_registers() {
    let globals = |text: &str| {
        let loaded = load_c(text);
        let program = &loaded.program;
        ["own", "part", "shared", "kept", "seen", "many"]
            .into_iter()
            .filter(|name| program.global_by_name(name).is_some())
            .collect::<Vec<_>>()
    };
    let found = globals(
        "static int own = 3; static int part; int shared; int kept; volatile int seen; int many[2];
         int recursive(int n) { return n ? recursive(n - 1) + shared : 0; }
         int main(int argc, char **argv) {
             int *pointer = argc > 2 ? &kept : &shared; own += argc; *(char *)&part = 1; shared = own; seen = own;
             many[argc & 1] = 4; return recursive(argc) + *pointer + seen + many[0] + part; }",
    );
    assert_eq!(found, ["part", "shared", "kept", "seen", "many"]);
    let found = globals(
        "static int own = 3; int main(void) {
             if (own++ < 5) return main(); return own; }",
    );
    assert_eq!(found, ["own"]);
}

#[test]
fn guards_end_paths() {
    let ends =
        |text: &str, kind: EndKind| count(&load_c(text), |action| *action == Action::End(kind));
    let program = |expression: &str| {
        format!(
            "int __VERIFIER_nondet_int(void); int main(void) {{ int a = __VERIFIER_nondet_int(),
               b = __VERIFIER_nondet_int(); return {expression}; }}"
        )
    };
    assert_eq!(ends(&program("a / b"), EndKind::DivisionTrap), 1);
    assert_eq!(ends(&program("a / b"), EndKind::DivisionOverflow), 1);
    assert_eq!(ends(&program("a % -1"), EndKind::DivisionTrap), 0);
    assert_eq!(ends(&program("a % -1"), EndKind::DivisionOverflow), 1);
    assert_eq!(ends(&program("a / 5"), EndKind::DivisionTrap), 0);
    assert_eq!(ends(&program("a / 5"), EndKind::DivisionOverflow), 0);
    // The compiler's library divides 128 bits, and wraps around.
    let wide = program("((__int128)a << 96) / b > 7");
    assert_eq!(ends(&wide, EndKind::DivisionTrap), 1);
    assert_eq!(ends(&wide, EndKind::DivisionOverflow), 0);
    assert_eq!(ends(&program("a << b"), EndKind::Overshift), 1);
    assert_eq!(ends(&program("a >> 31"), EndKind::Overshift), 0);
}

#[test]
fn ends_of_the_program() {
    let loaded = load_c(
        "#include <assert.h>\n#include <stdlib.h>\n
         int main(int argc, char **argv) { assert(argc < 9); if (argc == 2) exit(1);
           if (argc == 3) abort(); if (argc == 4) __builtin_unreachable(); return 0; }",
    );
    for kind in [
        EndKind::AssertFail,
        EndKind::Exit,
        EndKind::Abort,
        EndKind::Unreachable,
    ] {
        assert_eq!(
            count(&loaded, |action| *action == Action::End(kind)),
            1,
            "{kind:?}"
        );
    }
}

#[test]
fn what_is_unsupported_is_named_where_it_is() {
    let cases = [
        (
            "long double x = argc; return x > 2.5L;",
            "floating point of type x86_fp80",
        ),
        ("__asm__ volatile(\"hlt\"); return 0;", "inline assembly"),
        ("return getlogin() != 0;", "call of getlogin"),
    ];
    for (body, expected) in cases {
        let loaded = load_c(&format!(
            "char *getlogin(void);
             int main(int argc, char **argv) {{ if (argc < 2) return 9; {body} }}"
        ));
        let what = unsupported(&loaded);
        assert!(what.iter().any(|what| what == expected), "{body}: {what:?}");
        // The rest of the program is there.
        assert!(count(&loaded, |action| matches!(action, Action::Return(_))) >= 1);
    }
}

#[test]
fn harmless_functions_have_no_effect() {
    let loaded = load_c(
        "#include <stdio.h>\n int main(void) { printf(\"%d\", 3); puts(\"x\"); fprintf(stderr, \"y\"); return 0; }",
    );
    assert_eq!(unsupported(&loaded), Vec::<String>::new());
    assert_eq!(input_names(&loaded), Vec::<String>::new());
}

#[test]
fn functions_without_prototypes_work() {
    let loaded = load_c_with(
        "int main() { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 3); return late(x); }
         int late(n) int n; { return n + 1; }",
        |options| options.standard = Some("gnu89".to_owned()),
    );
    assert_eq!(unsupported(&loaded), Vec::<String>::new());
    assert_eq!(loaded.program.functions.len(), 1, "all are inlined");
}

#[test]
fn recursion_and_function_pointers_stay_calls() {
    let loaded = load_c(
        "int f(int n) { return n ? f(n - 1) : 0; } int g(int n) { return n; }
         int main(int argc, char **argv) { int (*p)(int) = argc > 3 ? f : g; return p(argc); }",
    );
    assert_eq!(loaded.program.functions.len(), 3);
    let indirect = count(&loaded, |action| {
        matches!(
            action,
            Action::Call {
                callee: compact_se::flowgraph::Callee::Indirect(_),
                ..
            }
        )
    });
    assert_eq!(indirect, 1);
}

#[test]
fn a_circle_of_calls_becomes_a_function_that_calls_itself() {
    let names = |text: &str| {
        let loaded = load_c(text);
        let functions = loaded.program.functions.iter();
        let mut names: Vec<String> = functions.map(|f| f.name.clone()).collect();
        names.sort();
        names
    };
    let circle = names(
        "int b(int n); int c(int n); int a(int n) { return n ? b(n - 1) : 0; }
         int b(int n) { return n ? c(n - 1) : 1; } int c(int n) { return n ? a(n - 1) : 2; }
         int main(int argc, char **argv) { return a(argc); }",
    );
    assert_eq!(circle, ["a", "main"], "the one that is called most stays");
    let two_circles = names(
        "int b(int n); int a(int n) { return n > 2 ? a(n - 2) : b(n); }
         int b(int n) { return n > 3 ? b(n - 3) : n ? a(n - 1) : 0; }
         int main(int argc, char **argv) { return a(argc); }",
    );
    assert_eq!(two_circles.len(), 3, "each calls itself");
}

#[test]
fn large_programs_are_not_inlined_without_limit() {
    let mut text = "int x; void f0(void) { x++; x ^= 3; }\n".to_owned();
    for level in 1..=9 {
        let before = level - 1;
        text += &format!(
            "void f{level}(void) {{ {} }}\n",
            format!("f{before}();").repeat(10)
        );
    }
    text += "int main(void) { f9(); return x; }";
    let loaded = load_c(&text);
    let n_edges: usize = loaded.program.functions.iter().map(|f| f.n_edges()).sum();
    assert!(n_edges < 20_000, "{n_edges}");
    assert!(loaded.program.functions.len() > 1);
}

#[test]
fn library_models_give_way_to_the_program() {
    let loaded = load_c(
        "#include <stddef.h>\n size_t strlen(const char *s) { return 42; } char *strcpy(char *, const char *);
         int main(void) { char b[9]; strcpy(b, \"abc\"); return strlen(b); }",
    );
    let program = format!("{:?}", actions(&loaded));
    assert!(
        program.contains("Small(42)"),
        "the program's own strlen is called"
    );
}

#[test]
fn spans_are_lines_of_the_source() {
    let loaded =
        load_c("int f(int a) {\n  return a\n    * 3;\n}\nint main(void) {\n  return f(5);\n}\n");
    let program = &loaded.program;
    let function = program.function(program.main);
    let lines: Vec<u32> = function
        .edge_ids()
        .flat_map(|edge| &function.edge(edge).steps)
        .map(|step| step.span.line)
        .collect();
    assert!(lines.contains(&3) && lines.contains(&6), "{lines:?}");
    assert!(program.files.iter().any(|file| file.ends_with("program.c")));
}
