//! `compact-se explain`: what it says about small programs, and that an unknown verdict says the
//! same of the loop that stands open.
//!
//! `UPDATE_GOLDEN=1 cargo test --test all explain::` renews the golden files; the diff is to be read.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::support::command::{compact_se, folder, json, output};
use std::path::Path;

fn program(name: &str) -> String {
    format!("tests/golden/explain/{name}.c")
}

/// The summary of all loops, then each in full.
fn check_golden(name: &str, n_loops: usize) {
    let file = program(name);
    let mut found = output(&["explain", &file], 0);
    for number in 1..=n_loops {
        found.push_str("----\n");
        found.push_str(&output(
            &["explain", &file, "--loop", &number.to_string()],
            0,
        ));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden/explain")
        .join(format!("{name}.txt"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &found).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    similar_asserts::assert_eq!(found, expected, "{}", path.display());
}

#[test]
fn a_folded_loop() {
    check_golden("folded", 1);
}

#[test]
fn a_refused_loop() {
    check_golden("refused", 1);
}

#[test]
fn nested_loops() {
    check_golden("nested", 2);
}

#[test]
fn a_loop_of_several_paths() {
    check_golden("multipath", 1);
}

#[test]
fn loops_that_write_memory() {
    check_golden("memory", 2);
}

#[test]
fn loops_into_which_functions_are_inlined() {
    check_golden("inlined", 2);
}

#[test]
fn the_record_has_what_the_text_says() {
    let folder = folder();
    let path = folder.path().join("loops.json");
    let file = program("refused");
    output(&["explain", &file, "--json", path.to_str().unwrap()], 0);
    let record = json(&path);
    let refused = &record["loops"][0];
    assert_eq!(refused["number"], 1);
    assert_eq!(refused["function"], "main");
    assert_eq!(refused["covered_by"], "nothing");
    let obstacle = &refused["obstacles"][0];
    assert_eq!(obstacle["variable"], "square");
    assert_eq!(obstacle["place"], format!("{file}:8:34"));
    assert_eq!(obstacle["source"], "square = square * square + 7;");
    assert!(record["cut_short"].is_null());
}

#[test]
fn a_loop_that_is_not_there_is_refused_with_their_number() {
    let refused = |file: &str, number: &str| {
        let arguments = ["explain", file, "--loop", number];
        let output = compact_se().args(arguments).assert().code(2);
        assert!(output.get_output().stdout.is_empty());
        String::from_utf8(output.get_output().stderr.clone()).unwrap()
    };
    let nested = program("nested");
    for number in ["0", "3", "4000000000"] {
        let message = refused(&nested, number);
        let expected = format!("there is no loop {number}: the program has 2, numbered from 1");
        assert!(message.contains(&expected), "{message}");
    }
    assert!(refused(&nested, "-1").contains("'-1'"));
    assert!(refused(&nested, "first").contains("first"));
    let folder = folder();
    let path = folder.path().join("none.c");
    std::fs::write(&path, "int main(void) { return 0; }\n").unwrap();
    let path = path.to_str().unwrap();
    assert!(refused(path, "1").contains("there is no loop 1: the program has none"));
    assert_eq!(output(&["explain", path], 0), "the program has no loops\n");
    let classic = compact_se().args(["explain", path, "--classic"]).assert();
    classic.code(2);
}

/// Never decided: one path for each value of the bound, and no closed form.
const OPEN: &str = "extern unsigned __VERIFIER_nondet_uint(void);\nvoid reach_error(void) {}\n\
    int main(void) {\n  unsigned n = __VERIFIER_nondet_uint(), x = 3;\n  \
    for (unsigned i = 0; i < n; i++)\n    x = x * x + i;\n  \
    if (x == 4) reach_error();\n  return 0;\n}\n";

#[test]
fn an_unknown_verdict_says_the_same_of_the_open_loop() {
    let folder = folder();
    let path = folder.path().join("open.c");
    std::fs::write(&path, OPEN).unwrap();
    let path = path.to_str().unwrap();
    let why = "no template, executed iteration by iteration: no rule gives the closed form of x, which \
               becomes";
    let pointer = format!("details of a loop: compact-se explain {path} --loop 1\n");
    let verdict = output(&["analyze", path, "--timeout", "3"], 3);
    assert!(verdict.contains("\n  loop 1  "), "{verdict}");
    assert!(verdict.contains(why), "{verdict}");
    assert!(verdict.contains(&pointer), "{verdict}");
    let explained = output(&["explain", path, "--timeout", "3", "--loop", "1"], 0);
    assert!(
        explained.contains("no template, executed iteration by iteration\n"),
        "{explained}"
    );
    assert!(explained.contains("no rule gives the closed form of x, which becomes"));
    assert!(explained.contains("note: out of time"), "{explained}");
    // Without templates there is nothing to explain.
    let classic = output(&["analyze", path, "--classic", "--timeout", "3"], 3);
    assert!(classic.contains("\n  loop 1  "), "{classic}");
    assert!(!classic.contains("compact-se explain"), "{classic}");
    let property = folder.path().join("unreach.prp");
    std::fs::write(
        &property,
        "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
    )
    .unwrap();
    let property = property.to_str().unwrap();
    let task = ["svcomp", path, "--property", property, "--timeout", "3"];
    let answer = output(&task, 3);
    assert!(answer.starts_with("unknown ("), "{answer}");
    let pointer = format!("compact-se explain {path} --data-model ILP32 --loop 1\n");
    assert!(answer.contains(&pointer), "{answer}");
}

/// Behind an operation that is not supported nothing is known of loops.
#[test]
fn what_stands_before_a_loop_is_told() {
    let folder = folder();
    let path = folder.path().join("file.c");
    let text = "#include <stdio.h>\nint main(void) {\n  char b[9];\n  FILE *file = fopen(\"x\", \"r\");\n  \
                if (fgets(b, 9, file))\n    for (int i = 0; i < b[0]; i++)\n      b[1]++;\n  return 0;\n}\n";
    std::fs::write(&path, text).unwrap();
    let explained = output(&["explain", path.to_str().unwrap()], 0);
    assert!(explained.starts_with("no loop is reached\n"), "{explained}");
    assert!(
        explained.contains("file.c:4:16: not supported: call of fopen"),
        "{explained}"
    );
}

/// The text about a program of the tests.
fn explained(arguments: &[&str]) -> String {
    output(&[&["explain", "--timeout", "30"], arguments].concat(), 0)
}

#[test]
fn what_decided_is_explained_with_its_invariants() {
    let proved = explained(&["tests/corpus/k_induction/delayed_two.c"]);
    let by_k_induction = "\nunreachable, by the technique k-induction with k = 3\n";
    assert!(proved.contains(by_k_induction), "{proved}");
    // Loops are explained whatever technique decides.
    let pots = explained(&["tests/proofs/pots.c", "--techniques", "horn"]);
    assert!(pots.contains("loop 1 in main, "), "{pots}");
    let by_clauses = "\nunreachable, by the technique horn\n  in each iteration of the loop at \
                      tests/proofs/pots.c:7: ";
    let (_, invariant) = pots.split_once(by_clauses).expect(&pots);
    let (invariant, _) = invariant.split_once('\n').expect("it is a line");
    let mut conjuncts: Vec<&str> = invariant.split(" && ").collect();
    conjuncts.sort_unstable();
    let sum = "c + b + a == 100";
    assert_eq!(conjuncts, ["a >= 0", "b >= 0", sum, "c >= 0"]);
    let reached = explained(&[
        "tests/proofs/pots.c",
        "--techniques",
        "classic",
        "--clang-arg=-DFALSE",
    ]);
    assert!(
        reached.contains("\nreachable, by the technique classic\n"),
        "{reached}"
    );
}

#[test]
fn invariants_by_induction_do_not_follow_from_each_other() {
    let text = explained(&["tests/proofs/saturate.c", "--techniques", "induction"]);
    let bounds = "saturate.c:7: (int)level <= 100 && (int)level >= 0\n";
    assert!(text.contains(bounds), "{text}");
}

#[test]
fn only_a_proof_is_said_to_be_one() {
    let file = "tests/proofs/interval.c";
    let by = ["--techniques", "k-induction", "--work", "1"];
    let tried = [&["analyze", file, "--clang-arg=-DFALSE"], &by[..]].concat();
    let tried = output(&tried, 3);
    assert!(tried.contains("\ntried by k-induction"), "{tried}");
    assert!(!tried.contains("proved"), "{tried}");
}

/// As C reads them: the record, the witness.
#[test]
fn sums_of_long_numbers_do_not_overflow_in_invariants() {
    let folder = folder();
    let (file, record) = (
        folder.path().join("long.c"),
        folder.path().join("long.json"),
    );
    let program = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
  long long a = 0, b = 0;
  while (__VERIFIER_nondet_int()) {
    if (a > 1000000) break;
    a += 2; b += 3;
  }
  if (3 * a != 2 * b) reach_error();
}";
    std::fs::write(&file, program).unwrap();
    let (file, record) = (file.to_str().unwrap(), record.to_str().unwrap());
    let how = ["--techniques", "horn", "--signed-overflow", "undefined"];
    output(
        &[&["analyze", file, "--json", record], &how[..]].concat(),
        0,
    );
    let record = json(Path::new(record));
    let conjuncts = record["invariants"][0]["conjuncts"].to_string();
    assert!(
        conjuncts.contains("3 * (__int128)a == 2 * (__int128)b"),
        "{conjuncts}"
    );
}

#[test]
fn what_recursive_functions_ensure_is_explained() {
    let text = explained(&["tests/proofs/recursive_mccarthy91.c"]);
    let proved = "the program has no loops\nrecursions: 2, 0 with a template\nunreachable, by the \
                  technique horn\n  f ensures ";
    assert!(text.starts_with(proved), "{text}");
    assert!(text.contains(r"\result >= 91"), "{text}");
}
