//! Each invariant broken once, and near misses of the branching rules.

use compact_se::flowgraph::{Program, verify};

/// The faults of a text, as lines.
fn faults(text: &str) -> Vec<String> {
    let program: Program = text
        .parse()
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    match verify(&program) {
        Ok(()) => Vec::new(),
        Err(errors) => errors.iter().map(ToString::to_string).collect(),
    }
}

/// A program whose function `f` has these lines.
fn with_body(granularity: &str, body: &str) -> String {
    format!(
        "program {granularity} pointers 32 main @f
file \"f.c\"
global @g 4 zero
fn @f(%a: i32, %b: i32, %c: i1, %p: p32, %q: i64) -> i32 {{
{body}
}}
fn @void(%x: i8) {{
  a -> b: return
}}
"
    )
}

#[test]
fn broken_edges_and_steps() {
    let cases = [
        (
            "x -> end: return",
            "step 0: a result where there is none, or none where there is one",
        ),
        (
            "x -> end: return %q",
            "step 0: 64 bits where 32 are expected",
        ),
        (
            "x -> end: target",
            "end: the path goes on to an end without a return",
        ),
        (
            "x -> y: return %a\ny -> end: return %a",
            "y: the path ends here, but the edge leads to a location with outgoing edges",
        ),
        (
            "x -> end: %a = 1:32; return %a",
            "end: an action that stands alone has company",
        ),
        (
            "x -> y: call @void(%a)\ny -> end: end exit",
            "step 0: 32 bits where 8 are expected",
        ),
        (
            "x -> y: call @void()\ny -> end: end exit",
            "step 0: 0 arguments where 1 are expected",
        ),
        (
            "x -> y: %a = call @void(1:8)\ny -> end: end exit",
            "step 0: a result where there is none, or none where there is one",
        ),
        (
            "x -> y: %q = call @f(%a, %b, %c, %p, %q)\ny -> end: end exit",
            "step 0: 64 bits where 32 are expected",
        ),
        (
            "x -> y: call *%q()\ny -> end: end exit",
            "step 0: 64 bits where 32 are expected",
        ),
        (
            "x -> y: assume %a\ny -> end: end exit",
            "step 0: 32 bits where 1 are expected",
        ),
        (
            "x -> y: %a = %q\ny -> end: end exit",
            "step 0: 64 bits where 32 are expected",
        ),
        (
            "x -> y: %a = %a + %q\ny -> end: end exit",
            "step 0: 64 bits where 32 are expected",
        ),
        (
            "x -> y: %c = %a <u 3:8\ny -> end: end exit",
            "step 0: 8 bits where 32 are expected",
        ),
        (
            "x -> y: %a = ite(%a, %a, %a)\ny -> end: end exit",
            "step 0: 32 bits where 1 are expected",
        ),
        (
            "x -> y: %q = ite(%c, %q, %a)\ny -> end: end exit",
            "step 0: 32 bits where 64 are expected",
        ),
        (
            "x -> y: %q = trunc(%a, 64)\ny -> end: end exit",
            "step 0: a cast from 32 to 64 bits",
        ),
        (
            "x -> y: %c = zext(%a, 1)\ny -> end: end exit",
            "step 0: a cast from 32 to 1 bits",
        ),
        (
            "x -> y: %a = %b, %a = %b\ny -> end: end exit",
            "step 0: a parallel assignment writes r0 twice",
        ),
        (
            "x -> y: skip\ny -> end: end exit",
            "step 0: an assignment without targets",
        ),
        (
            "x -> y: %a = load %q\ny -> end: end exit",
            "step 0: 64 bits where 32 are expected",
        ),
        (
            "x -> y: store %a to %q\ny -> end: end exit",
            "step 0: 64 bits where 32 are expected",
        ),
        (
            "x -> y: %q = alloca 4:32 \"v\"\ny -> end: end exit",
            "step 0: 64 bits where 32 are expected",
        ),
        (
            "x -> y: %p = alloca 4:64 \"v\"\ny -> end: end exit",
            "step 0: 64 bits where 32 are expected",
        ),
        (
            "x -> y: memset(%p, 0:32, 4:32)\ny -> end: end exit",
            "step 0: 32 bits where 8 are expected",
        ),
        (
            "x -> y: %p = free(%p)\ny -> end: end exit",
            "step 0: a result where there is none, or none where there is one",
        ),
        (
            "x -> y: %p = malloc()\ny -> end: end exit",
            "step 0: 0 arguments where 1 are expected",
        ),
        (
            "x -> y: %a = 1:32 at 3:1 in 7\ny -> end: end exit",
            "step 0: there is no source file 7",
        ),
    ];
    for (body, expected) in cases {
        let found = faults(&with_body("block", body));
        assert_eq!(found.len(), 1, "{body}: {found:?}");
        assert!(
            found[0].starts_with("f, edge e0 from x to "),
            "{}",
            found[0]
        );
        assert!(found[0].ends_with(expected), "{body}: {}", found[0]);
    }
}

#[test]
fn broken_locations() {
    let cases = [
        (
            "x -> end: end exit\nlost -> end: end exit",
            "f, location lost: not reachable from the entry",
        ),
        (
            "node x",
            "f, location x: the path goes on to an end without a return",
        ),
        ("", "f: there is no location n0"),
        (
            "x -> end: end exit\nx -> end: end exit",
            "f, location x: an edge of a branching does not begin with an assumption",
        ),
        (
            "x -> x: assume %c\nx -> x",
            "f, location x: an edge of a branching does not begin with an assumption",
        ),
        (
            "x -> x: %c = true; assume %c\nx -> x: assume !%c",
            "f, location x: an edge of a branching does not begin with an assumption",
        ),
        (
            "node x at 1:1 in 9\nx -> end: end exit",
            "f, location x: there is no source file 9",
        ),
    ];
    for (body, expected) in cases {
        assert_eq!(faults(&with_body("block", body)), [expected], "{body}");
    }
    let two = "x -> y: %a = 1:32; %b = 2:32\ny -> end: end exit";
    assert_eq!(faults(&with_body("block", two)), [""; 0]);
    assert_eq!(
        faults(&with_body("split", two)),
        ["f, edge e0 from x to y: an edge of a split flowgraph has 2 steps"]
    );
}

#[test]
fn broken_tables() {
    let cases = [
        (
            "program block pointers 16 main @f\nfn @f() {\n  x -> x\n}\n",
            "program: pointers have 32 or 64 bits, not 16",
        ),
        (
            "program block pointers 32 main @f\nfn @f(%a: i0) {\n  x -> x\n}\n",
            "f, register a: a register has at least one bit",
        ),
        (
            "program block pointers 32 main @f\nfn @f(%a: p64) {\n  x -> x\n}\n",
            "f, register a: a pointer register has 32 bits, not 64",
        ),
        (
            "program block pointers 32 main @f\nfn @f(%a, %a) {\n  reg %a: i8\n  x -> x\n}\n",
            "f: a parameter is listed twice: r0",
        ),
        (
            "program block pointers 32 main @f\nglobal @g 3 hex \"00\"\nfn @f() {\n  x -> x\n}\n",
            "global g: 1 bytes where 3 are expected",
        ),
        (
            "program block pointers 32 main @f\nglobal @g 4 hex \"00000000\", 1 = @f\nfn @f() {\n  x -> x\n}\n",
            "global g: the address at byte 1 overlaps another, is out of order or out of the global",
        ),
        (
            "program block pointers 32 main @f\nglobal @g 4 hex \"00000000\", 0 = 1:64\nfn @f() {\n  x -> x\n}\n",
            "global g: 64 bits where 32 are expected",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(faults(text), [expected], "{text}");
    }
    let good = "program block pointers 32 main @f\nfn @f() {\n  x -> x\n}\n";
    assert_eq!(faults(good), [""; 0]);
    let mut program: Program = good.parse().unwrap();
    program.functions.push(program.functions[0].clone());
    program.main = compact_se::flowgraph::FunctionId(2);
    let found: Vec<String> = verify(&program)
        .unwrap_err()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        found,
        ["program: there is no function f2", "f: the name is taken"]
    );
}

/// Whether the conditions are accepted as a branching.
fn is_branching(conditions: &[&str]) -> bool {
    let mut body = String::new();
    for condition in conditions {
        body.push_str(&format!("x -> x: assume {condition}\n"));
    }
    let found = faults(&with_body("block", &body));
    match found.as_slice() {
        [] => true,
        [one] => {
            assert!(one.contains("exclude each other"), "{one}");
            false
        }
        more => panic!("{more:?}"),
    }
}

#[test]
fn branchings_that_are_seen() {
    let cases: [&[&str]; 15] = [
        &["%c", "!%c"],
        &["%c == true", "%c == false"],
        &["%a <s %b", "%a >=s %b"],
        &["%a <u %b", "%b <=u %a"],
        &["%a == %b", "%b != %a"],
        &["%a >s 3:32", "!(%a >s 3:32)"],
        &["%c & (%a == 1:32)", "!(%c & (%a == 1:32))"],
        &["%c & (%a == 1:32)", "!%c | (%a != 1:32)"],
        &["%c & (%a <u %b)", "%c & (%a >=u %b)", "!%c"],
        &[
            "ite(%c, %a == 1:32, %a == 2:32)",
            "!ite(%c, %a == 1:32, %a == 2:32)",
        ],
        &["%a == 1:32", "%a == 2:32", "(%a != 1:32) & (%a != 2:32)"],
        &[
            "%a == 1:32",
            "(%a == 2:32) | (3:32 == %a)",
            "!(((%a == 1:32) | (%a == 2:32)) | (%a == 3:32))",
        ],
        &[
            "%b == 0:32",
            "(%a == -2147483648:32) & (%b == -1:32)",
            "!((%b == 0:32) | ((%a == -2147483648:32) & (%b == -1:32)))",
        ],
        &["trunc(%a, 1) == 0:1", "trunc(%a, 1) == 1:1"],
        &[
            "trunc(%a, 2) == 0:2",
            "trunc(%a, 2) == 1:2",
            "trunc(%a, 2) == 2:2",
            "trunc(%a, 2) == 3:2",
        ],
    ];
    for conditions in cases {
        assert!(is_branching(conditions), "{conditions:?}");
    }
}

#[test]
fn branchings_that_are_none() {
    let cases: [&[&str]; 14] = [
        &["%c", "%c"],
        &["%c", "true"],
        &["%a <s %b", "%a >s %b"],
        &["%a <s %b", "%a >=u %b"],
        &["%a <s %b", "%b <s %a", "%a == %b"], // true, but beyond the rules
        &["%a == 1:32", "%a == 2:32"],
        &["%a == 1:32", "%a == 2:32", "%a != 1:32"],
        &["%a == 1:32", "%a == 1:32", "%a != 1:32"],
        &["%a == 1:32", "%b == 2:32", "(%a != 1:32) & (%b != 2:32)"],
        &["%a == 1:32", "(%a != 1:32) & (%a != 2:32)"],
        &["%a == 1:32", "%a != 1:32", "%a != 2:32"],
        &[
            "trunc(%a, 2) == 0:2",
            "trunc(%a, 2) == 1:2",
            "trunc(%a, 2) == 2:2",
        ],
        &["%c & (%a == 1:32)", "!%c & (%a == 1:32)"],
        &[
            "ite(%c, %a == 1:32, %a == 2:32)",
            "ite(%c, %a != 1:32, %a == 2:32)",
        ],
    ];
    for conditions in cases {
        assert!(!is_branching(conditions), "{conditions:?}");
    }
}

/// The condition of the default, as a balanced tree, as switches are lowered.
fn no_case(conditions: &[String]) -> String {
    match conditions {
        [condition] => format!("!({condition})"),
        _ => {
            let (left, right) = conditions.split_at(conditions.len() / 2);
            format!("({}) & ({})", no_case(left), no_case(right))
        }
    }
}

#[test]
fn a_switch_with_many_cases_is_seen_quickly() {
    let mut conditions: Vec<String> = (0..3000).map(|case| format!("%a == {case}:32")).collect();
    let default = no_case(&conditions);
    conditions.push(default);
    let borrowed: Vec<&str> = conditions.iter().map(String::as_str).collect();
    assert!(is_branching(&borrowed));
    assert!(!is_branching(&borrowed[1..]));
}
