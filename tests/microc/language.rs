//! What the parser, the types and the interpreter make of small programs.

use super::{Numbers, checked, interpreted};
use compact_se::frontend::microc::{
    self, ControlFlow, End, Integers, RunOptions, ast::Position, normalise,
};
use compact_se::replay::LanguageError;
use num_bigint::BigInt;
use reproduce::microc::Generator;

/// Runs `main` with these variables, statements and result.
fn result(variables: &str, statements: &str, value: &str) -> End<i32> {
    let text = format!("main() {{ {variables} {statements} return {value}; }}");
    interpreted(&checked(&text), &[]).0
}

fn value_of(value: &str) -> i32 {
    match result("", "", value) {
        End::Returned(number) => number,
        other => panic!("{value}: {other:?}"),
    }
}

#[test]
fn operators_mean_what_they_say() {
    for (value, wanted) in [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("10 - 3 - 2", 5),
        ("7 / 2", 3),
        ("-7 / 2", -3),
        ("1 -1", 0),
        ("2147483647 + 1", i32::MIN),
        ("-2147483648 / -1", i32::MIN),
        ("1 < 2 == 1", 1),
        ("1 == 2 != 3", 1),
        ("!0 + 1", 2),
        ("!5", 0),
        ("2 && 3", 1),
        ("0 || 7", 1),
        // On one level, from left to right.
        ("1 || 0 && 0", 0),
        ("0 && 1 / 0", 0),
        ("1 || 1 / 0", 1),
        ("[1, 2, 3][1]", 2),
        ("{a: 1, b: 2}.b", 2),
        ("[{a: [4]}][0].a[0]", 4),
        ("*alloc 5", 5),
        ("(alloc 5) == null", 0),
        ("null != null", 0),
    ] {
        assert_eq!(value_of(value), wanted, "{value}");
    }
}

#[test]
fn arrays_and_records_are_shared_and_variables_are_not() {
    assert_eq!(
        result("var a, b;", "a = [1, 2]; b = a; b[0] = 5;", "a[0]"),
        End::Returned(5)
    );
    assert_eq!(
        result(
            "var r, s;",
            "r = {x: 1}; s = r; s.x = 5; s = {x: 9};",
            "r.x"
        ),
        End::Returned(5)
    );
    assert_eq!(
        result("var x, p;", "p = &x; *p = 3; x = x + 1;", "*p"),
        End::Returned(4)
    );
}

#[test]
fn variables_outlive_their_function() {
    let text = "
        f(n) { return &n; }
        main() { var p, q; p = f(1); q = f(2); *p = *p + 10; return *p * 100 + *q; }";
    assert_eq!(interpreted(&checked(text), &[]).0, End::Returned(1102));
}

#[test]
fn errors_have_their_places() {
    let at = |line, column| Position { line, column };
    for (text, error, place) in [
        (
            "main() { return\n  1 / input; }",
            LanguageError::DivisionByZero,
            at(2, 5),
        ),
        (
            "main() { var p;\n p = null;\n *p = 1; return 0; }",
            LanguageError::NullDereference,
            at(3, 2),
        ),
        (
            "main() { var a;\n a = [1];\n return a[0 - 1]; }",
            LanguageError::OutOfBounds,
            at(3, 10),
        ),
        (
            "main() { var a;\n a = [1];\n a[1] = 2; return 0; }",
            LanguageError::OutOfBounds,
            at(3, 3),
        ),
        (
            "main() { var x;\n return x; }",
            LanguageError::Uninitialised,
            at(2, 9),
        ),
        (
            "main() { var x, p; p = &x;\n return *p; }",
            LanguageError::Uninitialised,
            at(2, 9),
        ),
    ] {
        let (end, _) = interpreted(&checked(text), &[0]);
        assert_eq!(end, End::Error(error, place), "{text}");
    }
}

#[test]
fn numbers_can_be_exact() {
    let text = "f(n) { var r; if (n == 0) { r = 1; } else { r = n * f(n - 1); } return r; }
        main(n) { return f(n); }";
    let program = checked(text);
    struct Nothing;
    impl<N> microc::World<N> for Nothing {
        fn input(&mut self) -> Option<N> {
            None
        }
        fn output(&mut self, _: &N) {}
    }
    let options = RunOptions::default();
    let exact = microc::run(&program, &[BigInt::from(20)], &mut Nothing, &options).unwrap();
    assert_eq!(
        exact,
        End::Returned(BigInt::from(2_432_902_008_176_640_000_i64))
    );
    let wrapping = microc::run(&program, &[20], &mut Nothing, &options).unwrap();
    assert_eq!(wrapping, End::Returned(-2_102_132_736));
}

#[test]
fn deep_recursion_ends_by_a_limit() {
    let text = "f(n) { return f(n + 1); } main() { return f(0); }";
    let program = checked(text);
    let mut nothing = Numbers::default();
    let end = microc::run(&program, &[], &mut nothing, &RunOptions::default()).unwrap();
    assert_eq!(end, End::Limit("depth of calls"));
}

/// How a run ends that notices loops without an end, within a million steps.
fn end_of(text: &str, inputs: &[i32]) -> End<i32> {
    let options = RunOptions {
        notice_endless: true,
        steps: Some(1_000_000),
        ..RunOptions::default()
    };
    let mut numbers = Numbers::new(inputs);
    microc::run(&checked(text), &[], &mut numbers, &options).unwrap()
}

#[test]
fn loops_that_come_back_to_a_state_never_end() {
    for (statements, line) in [
        ("while (1) { }", 3),
        // A state comes back after a thousand iterations, which others went before.
        (
            "i = 0 - 5000;\nwhile (1) { i = i + 1; if (i == 1000) { i = 0; } }",
            4,
        ),
        (
            "a = [1, 2];\ni = 0;\nwhile (a[0] > 0) { a[1] = 3 - a[1]; }",
            5,
        ),
        ("i = input;\nwhile (1 / i) { i = f(i); }", 4),
        // The inner loop is what never ends.
        (
            "i = 0;\nwhile (i < 5) {\ni = i + 1;\nwhile (i == 3) { } }",
            6,
        ),
    ] {
        let text = format!("f(n) {{ return n; }}\nmain() {{ var i, a;\n{statements}\nreturn 0; }}");
        match end_of(&text, &[1]) {
            End::Endless(at) => assert_eq!(at.line, line, "{text}"),
            other => panic!("{other:?} of {text}"),
        }
    }
}

#[test]
fn loops_that_move_on_are_not_called_endless() {
    let inputs: Vec<i32> = (0..100).rev().collect();
    for (statements, wanted) in [
        // Only what is read differs.
        ("i = 1; while (input) { i = 1; }", End::Returned(0)),
        ("i = 1; while (i) { i = 0; i = input; }", End::Returned(0)),
        ("i = 0; while (i < 1000) { i = i + 1; }", End::Returned(0)),
        // Only the last element of an array moves.
        (
            "a = [0, 0, 0]; while (a[2] < 700) { a[2] = a[2] + 1; }",
            End::Returned(0),
        ),
        // Pointers are as they are compared; what they point to is a cell.
        (
            "i = 0; while (i < 9) { p = alloc 1; i = i + *p; }",
            End::Returned(0),
        ),
        // Each execution of the inner loop is short, and they are the same.
        (
            "i = 0; while (i < 50) { k = 0; while (k < 3) { k = k + 1; } i = i + 1; }",
            End::Returned(0),
        ),
        ("i = 0; while (1) { i = i + 1; }", End::Limit("steps")),
    ] {
        let text = format!("main() {{ var i, k, a, p; {statements} return 0; }}");
        assert_eq!(end_of(&text, &inputs), wanted, "{text}");
    }
}

/// The message for a text that is no program.
fn refusal(text: &str) -> String {
    match microc::checked(text, Integers::Wrapping) {
        Ok(_) => panic!("accepted: {text}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn what_is_no_program_is_refused_with_its_place() {
    for (text, message) in [
        (
            "main() {\n  return 0\n}",
            "3:1: expected `(`, `.`, `;`, `[` or an operator, found `}`",
        ),
        (
            "main() { x = 1; return 0; }",
            "1:10: `x` is not declared in `main`",
        ),
        (
            "main() { var x, x; return 0; }",
            "1:17: `x` is declared twice",
        ),
        (
            "f() { return 0; } f() { return 0; } main() { return 0; }",
            "1:19: there is a function `f` already",
        ),
        (
            "f() { return 0; }",
            "1:1: there is no function `main`; the program starts there",
        ),
        (
            "f() { return 0; } main() { return f; }",
            "1:35: `f` is a function, which is not a value; it can only be called",
        ),
        (
            "f() { return 0; } main() { return f(1); }",
            "1:35: `f` takes 0 arguments, not 1",
        ),
        (
            "main() { var f; f = 1; return f(1); }",
            "1:31: `f` is a variable, and only functions can be called",
        ),
        ("main() { return g(1); }", "1:17: there is no function `g`"),
        (
            "main() { return alloc 1; }",
            "1:17: this is a pointer to a number, where a number is needed",
        ),
        (
            "main() { return [1] + 1; }",
            "1:17: this is an array of numbers, where a number is needed",
        ),
        (
            "main() { return [1] == [1]; }",
            "1:17: this is an array of numbers; only numbers and pointers can be compared",
        ),
        (
            "main() { return {a: 1}.b; }",
            "1:24: this is a record {a}, which has no field `b`",
        ),
        (
            "main() { return {a: 1, a: 2}.a; }",
            "1:24: the field `a` is there twice",
        ),
        (
            "main() { var r; r = {a: {b: 1}}; return 0; }",
            "1:17: the field `a` holds a record, and records cannot be nested; let it hold a pointer, as by alloc",
        ),
        (
            "main() { var x; x = 1; x = null; return 0; }",
            "1:28: this is a pointer to any value, where a number is needed",
        ),
        (
            "main() { if (null) { } return 0; }",
            "1:14: this is a pointer to any value, where a number is needed",
        ),
        (
            "main() { return 4294967296; }",
            "1:17: 4294967296 does not fit 32 bits; `microc run --integers exact` computes with numbers of any size",
        ),
        (
            "main() { 1 + 2 = 3; return 0; }",
            "1:12: this cannot be assigned to: it is not a variable, dereference, field or element",
        ),
        (
            "main() { return f(1)(2); }",
            "1:21: only a function can be called, by its name",
        ),
    ] {
        assert_eq!(refusal(text), message, "{text}");
    }
}

#[test]
fn types_may_be_recursive() {
    let text = "
        main() {
          var list;
          list = alloc {value: 1, next: null};
          list = alloc {value: 2, next: list};
          (*(*list).next).next = list;
          return (*(*(*list).next).next).value;
        }";
    assert_eq!(interpreted(&checked(text), &[]).0, End::Returned(2));
}

/// Programs of many shapes.
fn generated() -> impl Iterator<Item = String> {
    (0..200).map(|seed| {
        let generator = Generator {
            seed,
            divisions: seed % 2 == 0,
            guarded: seed % 3 == 0,
            error_guaranteed: seed % 5 == 0,
            functions: u32::try_from(seed % 3).unwrap(),
            ..Generator::default()
        };
        generator.program().to_string()
    })
}

#[test]
fn printed_programs_parse_back() {
    for text in generated() {
        assert_eq!(checked(&text).to_string(), text);
    }
    let text =
        "main() { if (1) output 1; else while (0) output 2; return *&x; }".replace("&x", "alloc 1");
    let printed = checked(&text).to_string();
    assert_eq!(checked(&printed).to_string(), printed);
}

#[test]
fn normal_forms_mean_the_same() {
    let mut n_returned = 0;
    for text in generated() {
        let program = checked(&text);
        let normal = checked(&normalise(&program).to_string());
        for input in [[0; 400], [1; 400], [7; 400], [-3; 400]] {
            let (end, output) = interpreted(&program, &input);
            let (normal_end, normal_output) = interpreted(&normal, &input);
            match (&end, &normal_end) {
                (End::Limit(_), _) | (_, End::Limit(_)) => continue,
                (End::Error(..), End::Error(..)) => {}
                (End::EndOfInput(_), End::EndOfInput(_)) => {}
                _ => {
                    assert_eq!(end, normal_end, "{text}\nin normal form:\n{normal}");
                    n_returned += 1;
                }
            }
            assert_eq!(output, normal_output, "{text}\nin normal form:\n{normal}");
        }
    }
    assert!(
        n_returned > 100,
        "only {n_returned} runs came to their ends"
    );
}

#[test]
fn the_normal_form_of_the_thesis() {
    let text = "main() { var x, y, z, i; *x[0].field = *y + z[i + 1]; return 0; }";
    let normal = normalise(&checked(text)).to_string();
    let lines: Vec<&str> = normal.lines().map(str::trim).collect();
    assert_eq!(
        lines[2..6],
        [
            "_t0 = *y;",
            "_t1 = i + 1;",
            "_t2 = z[_t1];",
            "*x[0].field = _t0 + _t2;"
        ]
    );
}

#[test]
fn every_statement_is_a_node() {
    let text = "main() { var x; x = 1; while (x) { if (x) { x = 2; } } return x; }";
    let graph = ControlFlow::of(&checked(text));
    let nodes = &graph.functions[0].nodes;
    let texts: Vec<&str> = nodes.iter().map(|node| node.text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "main()",
            "x = 1",
            "while (x)",
            "if (x)",
            "x = 2",
            "return x"
        ]
    );
    assert_eq!(nodes[2].successors, [(3, Some(true)), (5, Some(false))]);
    assert_eq!(nodes[3].successors, [(4, Some(true)), (2, Some(false))]);
    assert_eq!(nodes[4].successors, [(2, None)]);
    assert!(nodes[5].successors.is_empty());
}

#[test]
fn the_same_seed_gives_the_same_program() {
    let make = |seed| {
        let generator = Generator {
            seed,
            ..Generator::default()
        };
        generator.program().to_string()
    };
    assert_eq!(make(3), make(3));
    assert_ne!(make(3), make(4));
}

#[test]
fn guarded_programs_can_fail_in_many_places_and_seldom_do() {
    let (mut n_operations, mut n_errors, mut n_runs) = (0, 0, 0);
    for seed in 0..100 {
        let generator = Generator {
            seed,
            guarded: true,
            top_level_statements: 30,
            ..Generator::default()
        };
        let text = generator.program().to_string();
        n_operations += text.matches(" / ").count() + text.matches("= *p").count();
        for input in [[0; 400], [3; 400]] {
            n_runs += 1;
            let (end, _) = interpreted(&checked(&text), &input);
            n_errors += usize::from(matches!(end, End::Error(..)));
        }
    }
    assert!(
        n_operations > 300,
        "{n_operations} operations that may fail"
    );
    assert!(3 * n_errors < n_runs, "{n_errors} errors in {n_runs} runs");
}
