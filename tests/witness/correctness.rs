//! Correctness witnesses that are written: they hold invariants of the loops, pass the check, and
//! are missing where nothing was proved.

use super::programs::Program;
use compact_se::analysis::{AnalysisOptions, Technique, Techniques, analyze};
use compact_se::frontend::TargetSpec;
use compact_se::witness::check::{Judgement, check};
use compact_se::witness::{Artefacts, Task, Written};
use yaml_serde::Value;

fn written(program: &Program, techniques: Techniques) -> Written {
    let options = AnalysisOptions {
        techniques,
        ..program.options()
    };
    let analysis = analyze(&options, &mut |_| ()).unwrap();
    assert_eq!(analysis.report.verdict.name(), "unreachable");
    let files = std::slice::from_ref(&program.file);
    let task = Task::of_target(files, &TargetSpec::Default, analysis.loaded.data_model);
    let artefacts = Artefacts {
        witness: Some(program.path("witness.yml")),
        ..Artefacts::default()
    };
    artefacts.write(&task, &options, &analysis).unwrap()
}

/// Line and expression of each invariant; the witness passes the check.
fn invariants(text: &str) -> Vec<(i64, String)> {
    invariants_of_proof_by(Techniques::usual(), text)
}

/// The same, of a verdict by these techniques.
fn invariants_of_proof_by(techniques: Techniques, text: &str) -> Vec<(i64, String)> {
    let program = Program::new("loops.c", text);
    let written = written(&program, techniques);
    assert!(written.notes.is_empty(), "{:?}", written.notes);
    let path = program.path("witness.yml");
    let judgement = check(&path, &program.options()).unwrap();
    assert_eq!(judgement, Judgement::Confirmed);
    let yaml = std::fs::read_to_string(&path).unwrap();
    let yaml: Value = yaml_serde::from_str(&yaml).unwrap();
    let entry = &yaml[0];
    assert_eq!(entry["entry_type"].as_str(), Some("invariant_set"));
    let content = entry["content"].as_sequence().unwrap();
    let all = content.iter().map(|item| {
        let invariant = &item["invariant"];
        assert_eq!(invariant["type"].as_str(), Some("loop_invariant"));
        assert_eq!(invariant["format"].as_str(), Some("c_expression"));
        let line = invariant["location"]["line"].as_i64().unwrap();
        (line, invariant["value"].as_str().unwrap().to_owned())
    });
    all.collect()
}

/// A program without loops whose function calls itself: the witness has its contract.
#[test]
fn recursive_functions_have_contracts() {
    let text = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int f(int n) {
  if (n > 100) return n - 10;
  return f(f(n + 11));
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = f(x);
  if (x <= 101 && y != 91) reach_error();
  return 0;
}
";
    let program = Program::new("calls.c", text);
    let written = written(&program, Techniques::usual());
    assert!(written.notes.is_empty(), "{:?}", written.notes);
    let path = program.path("witness.yml");
    let yaml = std::fs::read_to_string(&path).unwrap();
    let yaml: Value = yaml_serde::from_str(&yaml).unwrap();
    let version = &yaml[0]["metadata"]["format_version"];
    assert_eq!(version.as_str(), Some("2.1"));
    let contract = &yaml[0]["content"][0]["contract"];
    assert_eq!(contract["type"].as_str(), Some("function_contract"));
    assert_eq!(contract["location"]["function"].as_str(), Some("f"));
    assert!(contract["ensures"].as_str().unwrap().contains("\\result"));
    let judgement = check(&path, &program.options()).unwrap();
    assert_eq!(judgement, Judgement::Confirmed);
}

const START: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
";

#[test]
fn path_counters_become_congruences() {
    let text = format!(
        "{START}  int i = 3;\n  for (int k = 0; k < n; k++)\n    i += 4;\n  if (i == 16) reach_error();\n}}\n"
    );
    let found = invariants(&text);
    let congruence = "(((unsigned int)i - (unsigned int)(3))) % 4U == 0";
    let plain = |text: &str| text.replace(['(', ')'], "");
    let wanted = |(line, value): &(i64, String)| *line == 6 && plain(value) == plain(congruence);
    assert!(found.iter().any(wanted), "{found:?}");
}

#[test]
fn equal_path_counters_relate_variables() {
    let text = format!(
        "{START}  int x = 1, y = 0;\n  while (y < n) {{ x += 6; y += 2; }}\n  if (x != 3 * y + 1) reach_error();\n}}\n"
    );
    let found = invariants(&text);
    let relates = |(_, value): &(i64, String)| value.contains("x") && value.contains("y");
    assert!(found.iter().any(relates), "{found:?}");
}

#[test]
fn the_condition_held_before_the_last_iteration() {
    let text = format!(
        "{START}  int s = 0;\n  for (int i = 1; i <= n; i++) s += 5;\n  if (s != n * 5 && s != 0) reach_error();\n}}\n"
    );
    let found = invariants(&text);
    let is_disjunction = |(_, value): &(i64, String)| value.starts_with("i == 1 || (");
    assert!(found.iter().any(is_disjunction), "{found:?}");
}

#[test]
fn what_was_closed_by_covered_states_is_checked_in_the_same_way() {
    let text = format!(
        "{START}  int locked = 0, owner = 3;\n  while (1) {{\n    int command = __VERIFIER_nondet_int();\n    if (command == n && !locked) {{ locked = 1; owner = 7; }}\n    else if (locked == 1) {{ locked = 2; owner = 11; }}\n    else if (locked == 2) {{ locked = 0; owner = 3; }}\n    else if (owner * owner != 9) reach_error();\n  }}\n}}\n"
    );
    assert_eq!(invariants(&text), []);
}

#[test]
fn loops_that_do_not_matter_need_no_invariant() {
    let text = format!(
        "{START}  int x = 7, y = 0;\n  while (y < n) y++;\n  if (x != 7) reach_error();\n}}\n"
    );
    assert_eq!(invariants(&text), []);
    let without = format!("{START}  if (n > 5 && n < 5) reach_error();\n}}\n");
    assert_eq!(invariants(&without), []);
}

#[test]
fn where_no_invariant_is_found_the_check_has_to_find_some() {
    // That no square is 3 modulo 4 follows from no relation that is tried.
    let text = format!(
        "{START}  unsigned s = 0, odd = 1, i = 0;\n  while (i < (unsigned)n) {{ s += odd; odd += 2; i++; }}\n  if (s == 3) reach_error();\n}}\n"
    );
    let program = Program::new("loops.c", &text);
    let mut options = program.options();
    options.execution.budget.time = std::time::Duration::from_secs(120);
    let analysis = compact_se::analysis::analyze(&options, &mut |_| ()).unwrap();
    let files = std::slice::from_ref(&program.file);
    let task = Task::of_target(files, &TargetSpec::Default, analysis.loaded.data_model);
    let artefacts = Artefacts {
        witness: Some(program.path("witness.yml")),
        ..Artefacts::default()
    };
    let written = artefacts.write(&task, &options, &analysis).unwrap();
    assert!(written.notes.is_empty(), "{:?}", written.notes);
    if analysis.report.verdict.name() == "unreachable" {
        let judgement = check(&program.path("witness.yml"), &options).unwrap();
        assert_ne!(judgement.name(), "rejected");
    }
}

#[test]
fn variables_start_where_others_are() {
    let text = format!(
        "{START}  unsigned m = n, x = m, y = 0;\n  while (x > 0) {{ x--; y++; }}\n  if (y != m) reach_error();\n}}\n"
    );
    let found = invariants(&text);
    let relates = |(_, value): &(i64, String)| ["m", "x", "y"].iter().all(|v| value.contains(v));
    assert!(found.iter().any(relates), "{found:?}");
}

#[test]
fn the_condition_held_before_the_first_iteration() {
    // z wraps around to 0, but only below a positive n.
    let text = format!(
        "{START}  int z = 1;\n  while (z < n) z = 2 * z;\n  if (z < 1) reach_error();\n}}\n"
    );
    let found = invariants(&text);
    let first =
        |(_, value): &(i64, String)| value.starts_with("z == 1 || (") && value.contains('n');
    assert!(found.iter().any(first), "{found:?}");
}

#[test]
fn what_is_asserted_holds_after_the_first_iteration() {
    let text = format!(
        "{START}  int a[3], least = n;\n  unsigned i;\n  for (i = 0; i < 3; i++) {{\n    int x = __VERIFIER_nondet_int();\n    if (i == 0 || x > 3) a[i] = x; else a[i] = 3;\n    if (a[i] < least) least = a[i];\n  }}\n  if (!(a[0] >= least)) reach_error();\n}}\n"
    );
    let found = invariants(&text);
    let after =
        |(_, value): &(i64, String)| value.starts_with("i == 0 || (") && value.contains("a[0]");
    assert!(found.iter().any(after), "{found:?}");
}

/// These techniques make no templates.
#[test]
fn proofs_without_templates_get_their_invariants_too() {
    let text = format!(
        "{START}  int i = 0;\n  for (int k = 0; k < n; k++)\n    i += 4;\n  if (i == 15) reach_error();\n}}\n"
    );
    for technique in [Technique::Necessary, Technique::Navigation] {
        let found = invariants_of_proof_by(Techniques::only(technique), &text);
        let is_congruence = |(_, value): &(i64, String)| value.contains("% 4U == 0");
        assert!(found.iter().any(is_congruence), "{technique:?}: {found:?}");
    }
}

#[test]
fn what_inner_loops_count_is_bounded_by_the_outer_counter() {
    let text = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int count = 0;
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 7; j++) {
      if (__VERIFIER_nondet_int()) count++;
    }
  }
  if (count > 42) reach_error();
}
";
    let found = invariants_of_proof_by(Techniques::only(Technique::Necessary), text);
    let plain = |text: &str| text.replace(['(', ')'], "").replace("unsigned int", "");
    for wanted in [(5, "count <= i * 7"), (6, "count <= i * 7 + j")] {
        let has = |(line, value): &(i64, String)| (*line, plain(value).trim()) == wanted;
        assert!(found.iter().any(has), "{wanted:?}: {found:?}");
    }
}

#[test]
fn ways_through_a_loop_relate_what_they_count() {
    let text = format!(
        "{START}  int i = 0, x = 0, y = 9;\n  while (i < n) {{\n    if (__VERIFIER_nondet_int()) x++; else y--;\n    i++;\n  }}\n  if ((x + 9 - y - i) * n == 7) reach_error();\n}}\n"
    );
    let found = invariants_of_proof_by(Techniques::only(Technique::Necessary), &text);
    let relates = |(_, value): &(i64, String)| {
        ["i", "x", "y", "9", "=="]
            .iter()
            .all(|part| value.contains(part))
    };
    assert!(found.iter().any(relates), "{found:?}");
}

#[test]
fn few_executions_need_no_invariant() {
    // Each element would have to be known.
    let text = format!(
        "{START}  int a[3], b[3], i;\n  for (i = 0; i < 3; i++) a[i] = __VERIFIER_nondet_int();\n  for (i = 0; i < 3; i++) b[2 - i] = a[i];\n  for (i = 0; i < 3; i++) if (a[i] != b[2 - i]) reach_error();\n}}\n"
    );
    assert_eq!(invariants(&text), []);
}
