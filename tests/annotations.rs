//! Annotations of locations on the listings of the thesis, Sections 4.2 and 5.4.2, in C. Its numbers have no
//! largest, so that signed overflow ends executions here.

use compact_se::analysis::{
    Analysis, AnalysisOptions, CheckChoice, Technique, Techniques, analyze,
};
use compact_se::frontend::{LoadOptions, Sanitizer};
use compact_se::invariants::Annotation;
use compact_se::term::Work;
use std::path::PathBuf;
use std::time::Duration;

const HEAD: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n";

fn analysis(body: &str) -> Analysis {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("program.c");
    std::fs::write(&file, format!("{HEAD}{body}")).expect("the folder is writable");
    let mut load = LoadOptions::new([&file]);
    load.executable = Some(PathBuf::from(env!("CARGO_BIN_EXE_compact-se")));
    load.sanitizers.push(Sanitizer::Overflow);
    load.allow_missing_target = true;
    let mut options = AnalysisOptions::new(load);
    if !body.contains("reach_error") {
        options.checks = CheckChoice::Usual;
    }
    options.execution.budget.time = Duration::from_secs(600);
    options.execution.budget.work = Some(Work::seconds(20));
    options.techniques = Techniques::only(Technique::Annotations);
    analyze(&options, &mut |_| ()).unwrap_or_else(|error| panic!("{body}: {error}"))
}

/// The annotations of a program that they prove right.
fn annotations(body: &str) -> Vec<Annotation> {
    let report = analysis(body).report;
    assert_eq!(report.verdict.name(), "unreachable", "{body}");
    report.annotations
}

/// Those of loops.
fn of_loops(body: &str) -> Vec<String> {
    let all = annotations(body).into_iter();
    let of_loops = all.filter(|annotation| annotation.is_inductive);
    of_loops.map(|annotation| annotation.condition).collect()
}

#[test]
fn a_path_is_closed_by_what_another_needed() {
    let listing_4_2 = "int main(void) {
  int x, y;
  x = 0;
  if (__VERIFIER_nondet_int()) {
  } else {
    y = __VERIFIER_nondet_int();
    if (y < 0) y = 0 - y;
    x = x + y;
  }
  if (x >= 0) {
  } else reach_error();
}
";
    let report = analysis(listing_4_2).report;
    assert_eq!(report.verdict.name(), "unreachable");
    assert!(report.statistics.annotations.n_closed > 0);
    let is_that_of_line_15 = |one: &Annotation| one.condition == "-1 <ₛ x";
    assert!(report.annotations.iter().any(is_that_of_line_15));
}

#[test]
fn what_a_loop_needs_is_inductive() {
    let listing_4_3 = "int main(void) {
  int x = __VERIFIER_nondet_int(), y = x;
  int i = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
  while (i < n) {
    x = x + 1;
    i = i + 1;
  }
  if (x < y) reach_error();
}
";
    // x >= y, as in the thesis; nothing of i < n.
    assert_eq!(of_loops(listing_4_3), ["x.2 ≤ₛ x#1"]);
}

#[test]
fn nested_loops_are_annotated_together() {
    let listing_4_5 = "int main(void) {
  int x = __VERIFIER_nondet_int(), y = x;
  int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
  while (i < n) {
    i = i + 1;
    while (j < n) {
      x = x + 1;
      j = j + 1;
    }
  }
  if (x < y) reach_error();
}
";
    assert_eq!(of_loops(listing_4_5), ["x.3 ≤ₛ x#1", "x.3 ≤ₛ x.2"]);
}

/// The thesis' executor stops at the access that is out of bounds, which no execution comes to.
#[test]
fn errors_of_runs_of_the_body_are_none_of_the_program() {
    let listing_5_5 = "int main(void) {
  int a = __VERIFIER_nondet_int(), b = 0, c[3] = {1, 2, 3}, i = 0;
  int n = __VERIFIER_nondet_int();
  if (a != 0) a = 1;
  if (a == 0) return 0;
  while (i < n) {
    b = b / a;
    if (i == -1) b = c[3];
    i = i + 1;
  }
  return b;
}
";
    assert_eq!(of_loops(listing_5_5).len(), 1);
}

/// Without line 5 of it the division is an error, on a path that was executed.
#[test]
fn errors_of_the_program_are_found() {
    let listing_5_5 = "int main(void) {
  int a = __VERIFIER_nondet_int(), b = 0, i = 0, n = __VERIFIER_nondet_int();
  if (a != 0) a = 1;
  while (i < n) {
    b = b / a;
    i = i + 1;
  }
  return b;
}
";
    assert_eq!(analysis(listing_5_5).report.verdict.name(), "reachable");
}

#[test]
fn what_may_fail_is_part_of_annotations() {
    let listing_5_7 = "int main(void) {
  int x = __VERIFIER_nondet_int(), i = __VERIFIER_nondet_int(), y = x;
  if (i == 0) i = 1;
  i = 1 / i;
  if (x < y) reach_error();
}
";
    assert!(!annotations(listing_5_7).is_empty());
    // The same about the division: the path on which i was not 0 closes none on which it is.
    let division = listing_5_7.replace("if (x < y) reach_error();", "return x < y;");
    assert!(!annotations(&division).is_empty());
    let unguarded = division.replace("  if (i == 0) i = 1;\n", "");
    assert_eq!(analysis(&unguarded).report.verdict.name(), "reachable");
}

#[test]
fn the_tree_shows_what_annotations_closed() {
    let program = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/corpus/annotations/order_in_a_nest.c"
    );
    let output = assert_cmd::Command::cargo_bin("compact-se")
        .expect("the program is built")
        .args(["tree", program, "--techniques", "annotations"])
        .output()
        .expect("the program starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("annotations: unreachable"), "{text}");
    assert!(text.contains("implies the annotation"), "{text}");
}
