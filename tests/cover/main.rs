//! `compact-se cover` on real C: what is covered, dead and open, the files that it writes, and
//! llvm-cov, which has to agree about what the tests cover.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod agreement;
mod files;

use crate::support::command::{compact_se, folder, json};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const PRELUDE: &str = "extern int __VERIFIER_nondet_int(void);\n";

/// Writes a program, behind a line that declares the input function.
fn program(folder: &TempDir, body: &str) -> PathBuf {
    let path = folder.path().join("program.c");
    std::fs::write(&path, format!("{PRELUDE}{body}")).unwrap();
    path
}

/// The record of a covering that ends with this exit code.
fn covered(folder: &TempDir, file: &Path, options: &[&str], code: i32) -> Value {
    let record = folder.path().join("cover.json");
    compact_se()
        .arg("cover")
        .arg(file)
        .args(options)
        .arg("--json")
        .arg(&record)
        .assert()
        .code(code);
    json(&record)
}

/// The goals of a record at a line, each as side (or kind) and status.
fn at_line(record: &Value, line: u64) -> Vec<(String, String)> {
    let goals = record["goals"].as_array().unwrap().iter();
    let here = goals.filter(|goal| goal["line"] == line);
    here.map(|goal| {
        let what = goal["side"].as_str().or(goal["kind"].as_str()).unwrap();
        (what.to_owned(), goal["status"].as_str().unwrap().to_owned())
    })
    .collect()
}

fn status(record: &Value, line: u64, what: &str) -> String {
    let goals = at_line(record, line);
    let found = goals.iter().find(|(side, _)| side == what);
    found
        .unwrap_or_else(|| panic!("no {what} at line {line}: {goals:?}"))
        .1
        .clone()
}

/// Why the goals at a line are dead.
fn proofs(record: &Value, line: u64) -> Vec<String> {
    let goals = record["goals"].as_array().unwrap().iter();
    let here = goals.filter(|goal| goal["line"] == line);
    here.filter_map(|goal| goal["proof"].as_str().map(str::to_owned))
        .collect()
}

#[test]
fn what_stands_behind_a_loop_is_proved_dead_by_its_necessary_condition() {
    let folder = folder();
    let file = program(
        &folder,
        "int main(void) {\n  int n = __VERIFIER_nondet_int(), i = 0;\n  for (int k = 0; k < n; k++)\n    \
         i += 4;\n  if (i == 15)\n    n = 3;\n  if (i == 40000)\n    n = 5;\n  return n;\n}\n",
    );
    let record = covered(&folder, &file, &[], 0);
    assert_eq!(record["verdict"], "covered");
    assert_eq!(status(&record, 6, "true"), "dead");
    assert_eq!(status(&record, 7, "line"), "dead");
    assert_eq!(proofs(&record, 6), ["unreachable (necessary)"]);
    // Ten thousand iterations away: by a model of the condition.
    assert_eq!(status(&record, 8, "true"), "covered");
    assert_eq!(record["totals"]["branches"]["covered"], 5);
    assert_eq!(record["totals"]["branches"]["dead"], 1);
    // States of the first run were asked about too, and closed.
    let counts = &record["state_conditions"];
    assert!(
        counts["asked"].as_u64() >= counts["closed"].as_u64(),
        "{counts}"
    );
    let closings = record["closed_by_conditions"].as_array().unwrap();
    let closed: u64 = closings
        .iter()
        .map(|one| one["states"].as_u64().unwrap())
        .sum();
    assert_eq!(counts["closed"].as_u64(), Some(closed));
    // Without them by the closed form, for more work.
    let without = covered(&folder, &file, &["--without", "necessary"], 0);
    assert_eq!(proofs(&without, 6), ["unreachable (compact)"]);
    assert_eq!(status(&without, 8, "true"), "covered");
}

#[test]
fn code_that_clang_leaves_out_is_dead_and_not_lost() {
    let folder = folder();
    let file = program(
        &folder,
        "static int unused(int x) {\n  return x ? 1 : 2;\n}\nint main(void) {\n  int x = \
         __VERIFIER_nondet_int();\n  if (0) {\n    if (x)\n      x++;\n  }\n  do {\n    x = x > 3;\n  } \
         while (0);\n  return x;\n}\n",
    );
    let record = covered(&folder, &file, &[], 0);
    assert_eq!(proofs(&record, 3), ["the function is unused"]);
    assert_eq!(proofs(&record, 7), ["the condition is constant"]);
    assert_eq!(status(&record, 8, "true"), "dead");
    assert_eq!(status(&record, 8, "false"), "dead");
    assert_eq!(status(&record, 9, "line"), "dead");
    assert_eq!(status(&record, 12, "line"), "covered");
    assert_eq!(record["totals"]["branches"]["without_code"], 4);
}

/// Clang tells of the conditions of a function where it stands, and they have their beginnings there.
#[test]
fn conditions_in_headers_are_those_that_clang_tells_of() {
    let folder = folder();
    let header = "static int pick(int x)\n{\n  if (x > 3 && (x & 1) == 0)\n    return 2;\n  if (0)\n    \
                  return x;\n  return 1;\n}\n";
    std::fs::write(folder.path().join("pick.h"), header).unwrap();
    let body = "#include \"pick.h\"\nint main(void) { return pick(__VERIFIER_nondet_int()); }\n";
    let file = program(&folder, body);
    let record = covered(&folder, &file, &[], 0);
    let goals = record["goals"].as_array().unwrap().iter();
    let branches = goals.filter(|goal| goal["kind"] == "branch");
    let of_header = branches.filter(|goal| goal["file"].as_str().unwrap().ends_with("pick.h"));
    let places: BTreeSet<(u64, u64)> = of_header
        .map(|goal| {
            (
                goal["line"].as_u64().unwrap(),
                goal["column"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(places, BTreeSet::from([(3, 7), (3, 16), (5, 7)]));
    assert_eq!(proofs(&record, 5), ["the condition is constant"]);
}

#[test]
fn what_comes_behind_a_jump_without_code_is_not_dead() {
    let folder = folder();
    let file = program(
        &folder,
        "int main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (5 == 7)\n    return 1;\n  if (x > \
         5)\n    return 3;\n  if (!(x > 10 || x == 3))\n    return 2;\n  return 0;\n}\n",
    );
    let record = covered(&folder, &file, &[], 0);
    assert_eq!(status(&record, 6, "true"), "covered");
    assert_eq!(status(&record, 6, "false"), "covered");
    // The sides are those of the operand that is named, not of the whole negation.
    let sides = at_line(&record, 8);
    let dead: Vec<&(String, String)> = sides
        .iter()
        .filter(|(_, status)| status == "dead")
        .collect();
    assert_eq!(dead, [&("true".to_owned(), "dead".to_owned())], "{sides:?}");
}

#[test]
fn what_a_path_passes_before_another_stands_for_it_is_covered() {
    let folder = folder();
    // Both sides lead to the same state at the loop's header, so that one is closed.
    let file = program(
        &folder,
        "int main(void) {\n  int i = 0;\n  while (i < 2) {\n    int x = __VERIFIER_nondet_int();\n    if (x \
         == 12345)\n      ;\n    else if (x == 777)\n      ;\n    i = 1 - i;\n  }\n}\n",
    );
    let record = covered(&folder, &file, &[], 0);
    for line in [6, 8] {
        assert_eq!(status(&record, line, "true"), "covered");
        assert_eq!(status(&record, line, "false"), "covered");
    }
    assert_eq!(status(&record, 4, "false"), "dead");
}

/// Its counter stands in the block of the next label, and is no code of the line.
#[test]
fn a_case_that_falls_through_is_covered_by_what_comes_to_it_only() {
    let folder = folder();
    let file = program(
        &folder,
        "int main(void) {\n  int a = 0, b = 0;\n  switch (a) {\n  case 4:\n    a = 7;\n  default:\n    \
         b++;\n  }\n  return b;\n}\n",
    );
    let record = covered(&folder, &file, &[], 0);
    assert_eq!(status(&record, 6, "line"), "dead");
    assert_eq!(status(&record, 8, "line"), "covered");
}

/// An execution comes there before it ends at the assumption, as `analyze` says of the line.
#[test]
fn what_stands_before_an_assumption_that_fails_is_not_dead() {
    let folder = folder();
    let file = program(
        &folder,
        "extern void __VERIFIER_assume(int);\nint g;\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x > 5) {\n    g = 1;\n    \
         __VERIFIER_assume(x == 0);\n    g = 2;\n  }\n  while (x < 0) {\n    g = 3;\n    \
         __VERIFIER_assume(x > 0);\n  }\n  return g;\n}\n",
    );
    let record = covered(&folder, &file, &[], 0);
    assert_eq!(status(&record, 7, "line"), "covered");
    assert_eq!(status(&record, 9, "line"), "dead");
    assert_eq!(status(&record, 12, "line"), "covered");
}

#[test]
fn inlined_copies_are_one_goal() {
    let folder = folder();
    let file = program(
        &folder,
        "int sign(int x) {\n  return x < 0 ? -1 : 1;\n}\nint main(void) {\n  int x = \
         __VERIFIER_nondet_int();\n  if (x > 5)\n    return sign(x);\n  return sign(x) + sign(3);\n}\n",
    );
    let record = covered(&folder, &file, &[], 0);
    let sides = at_line(&record, 3);
    assert_eq!(sides.len(), 3, "two sides and the line: {sides:?}");
    assert!(sides.iter().all(|(_, status)| status == "covered"));
}

#[test]
fn behind_what_the_engine_refuses_nothing_is_dead() {
    let folder = folder();
    let file = program(
        &folder,
        "int main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x == 3) {\n    __asm__ volatile(\"cpuid\" \
         : : \"a\"(x) : \"ebx\", \"ecx\", \"edx\");\n    if (x == 4)\n      x = 5;\n  }\n  return x;\n}\n",
    );
    let record = covered(&folder, &file, &[], 3);
    assert_eq!(record["verdict"], "open");
    // The native run goes on behind the assembly.
    assert_eq!(status(&record, 6, "false"), "covered");
    assert_eq!(status(&record, 6, "true"), "open");
    assert_eq!(status(&record, 7, "line"), "open");
    let open = record["goals"].as_array().unwrap().iter();
    let mut reasons = open.flat_map(|goal| goal["reasons"].as_array().unwrap());
    assert!(reasons.any(|reason| reason.as_str().unwrap().contains("inline assembly")));
}

#[test]
fn undefined_behaviour_keeps_goals_open_unless_it_is_left_out() {
    let folder = folder();
    let file = program(
        &folder,
        "int main(void) {\n  int a[4] = {1, 2, 3, 4};\n  unsigned i = __VERIFIER_nondet_int();\n  int x = \
         a[i];\n  if (x > 4)\n    return 1;\n  return 0;\n}\n",
    );
    let record = covered(&folder, &file, &[], 3);
    assert_eq!(status(&record, 6, "true"), "open");
    let record = covered(&folder, &file, &["--assume-in-bounds"], 0);
    assert_eq!(status(&record, 6, "true"), "dead");
    assert_eq!(record["assumptions"][0], "accesses are in bounds");
}

#[test]
fn errors_on_the_way_are_told() {
    let folder = folder();
    let file = program(
        &folder,
        "#include <assert.h>\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  assert(x != 77);\n  if (x \
         == 77)\n    return 1;\n  return 0;\n}\n",
    );
    let record = covered(&folder, &file, &[], 0);
    let errors = record["errors"].as_array().unwrap();
    assert_eq!(errors.len(), 1);
    assert!(errors[0]["place"].as_str().unwrap().contains("program.c:5"));
    assert_eq!(status(&record, 6, "true"), "dead");
}

#[test]
fn calls_of_error_functions_are_goals_by_name() {
    let folder = folder();
    let body = "void reach_error(void) {}\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x == \
                4711)\n    reach_error();\n  if (x > 5 && x < 5)\n    reach_error();\n  return 0;\n}\n";
    let file = program(&folder, body);
    let property = folder.path().join("coverage-error-call.prp");
    std::fs::write(
        &property,
        "COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )\n",
    )
    .unwrap();
    let property = property.to_str().unwrap();
    for options in [["--goals", "error-call"], ["--property", property]] {
        let record = covered(&folder, &file, &options, 0);
        assert_eq!(record["goals"].as_array().unwrap().len(), 2);
        assert_eq!(status(&record, 6, "reach_error"), "covered");
        assert_eq!(status(&record, 8, "reach_error"), "dead");
    }
}

#[test]
fn a_limit_ends_the_run_and_what_was_found_is_written() {
    let folder = folder();
    let file = program(
        &folder,
        "unsigned mix(unsigned x) {\n  x ^= x >> 15; x *= 0x2c1b3c6du; x ^= x >> 12; x *= 0x297a2d39u;\n  return \
         x ^ x >> 15;\n}\nint main(void) {\n  unsigned s = 1, n = 0;\n  while (mix(s + n) != 0xdeadbeefu || \
         mix(s) < n)\n    s = mix(s * 31u + (unsigned)__VERIFIER_nondet_int()), n++;\n  return 0;\n}\n",
    );
    let tests = folder.path().join("tests");
    let options = ["--timeout", "2", "--tests", tests.to_str().unwrap()];
    let record = covered(&folder, &file, &options, 3);
    assert!(record["totals"]["branches"]["covered"].as_u64().unwrap() >= 1);
    assert!(tests.join("testcase-1.xml").exists());
}

/// Executions go on behind an overflow and behind a conversion that changes the value, though a path
/// ends there where these are looked for.
#[test]
fn what_lies_behind_an_error_that_ends_nothing_is_not_dead() {
    let folder = folder();
    for (check, body) in [
        (
            "overflow",
            "int main(void) {\nint x = __VERIFIER_nondet_int();\nint y = x + 1;\nif (y < x)\nreturn 1;\n\
             return 0;\n}\n",
        ),
        (
            "conversion",
            "int main(void) {\nint x = __VERIFIER_nondet_int();\nunsigned char y = x;\nif (y < x)\n\
             return 1;\nreturn 0;\n}\n",
        ),
    ] {
        let file = program(&folder, body);
        let path = folder.path().join("record.json");
        compact_se()
            .args(["cover", "--check", check, "--json"])
            .args([&path, &file])
            .output()
            .unwrap();
        let record = json(&path);
        assert_ne!(status(&record, 5, "true"), "dead", "{check}");
        assert_ne!(status(&record, 6, "line"), "dead", "{check}");
    }
}

/// The sides of conditions, each with line, column of the beginning, and column of the end.
fn sides_with_extents(record: &Value) -> BTreeSet<String> {
    let goals = record["goals"].as_array().unwrap().iter();
    let sides = goals.filter(|goal| goal["side"].is_string());
    sides
        .map(|goal| {
            let text = |field: &str| goal[field].as_str().unwrap().to_owned();
            let end = &goal["end"][1];
            let (line, column) = (&goal["line"], &goal["column"]);
            format!("{line}:{column}-{end} {} {}", text("side"), text("status"))
        })
        .collect()
}

/// Clang branches in each arm of a condition with `?:`, of which there is only one; a loop asks what
/// `?:` gives, which begins where its condition does.
#[test]
fn conditions_with_a_choice_are_one_goal_and_not_that_of_the_choice() {
    let folder = folder();
    let file = program(
        &folder,
        "int main(void) {\n  int x = __VERIFIER_nondet_int(), c = x & 1;\n  \
         if (c == 2 ? x == 3 : x == 4)\n    c = 5;\n  \
         if (x == 4 ? !c : c == 7)\n    c = 6;\n  x = x & 1;\n  \
         while (x < 3 ? x < 2 : x > 9)\n    x++;\n  \
         while (x < 3 ? 0 : 1)\n    x--;\n  return x;\n}\n",
    );
    let record = covered(&folder, &file, &["--goals", "branches"], 0);
    let expected = [
        "4:7-13 true dead",
        "4:7-13 false covered",
        "4:7-31 true covered",
        "4:7-31 false covered",
        "6:7-13 true covered",
        "6:7-13 false covered",
        "6:7-27 true dead",
        "6:7-27 false covered",
        "9:10-15 true covered",
        "9:10-15 false dead",
        "9:10-31 true covered",
        "9:10-31 false covered",
        "11:10-15 true covered",
        "11:10-15 false dead",
        "11:10-23 true dead",
        "11:10-23 false covered",
    ];
    let expected: BTreeSet<String> = expected.map(str::to_owned).into_iter().collect();
    assert_eq!(sides_with_extents(&record), expected);
}
