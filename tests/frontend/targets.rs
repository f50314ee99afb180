//! Which place is the target, and what happens if there is none.

use super::{load_c_with, n_targets, target, try_load_c};
use compact_se::flowgraph::Action;
use compact_se::frontend::{LoadError, Loaded};

fn with_target(text: &str, wanted: &str) -> Result<Loaded, LoadError> {
    try_load_c(text, |options| {
        options.target = target(wanted);
        options.allow_missing_target = false;
    })
}

/// Lines of the target actions.
fn target_lines(loaded: &Loaded) -> Vec<u32> {
    let mut lines = Vec::new();
    for function in &loaded.program.functions {
        for edge in function.edge_ids() {
            for step in &function.edge(edge).steps {
                if step.action == Action::Target {
                    lines.push(step.span.line);
                }
            }
        }
    }
    lines
}

const PROGRAM: &str = "int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int helper(int n) {
  if (n > 3)
    goto ERROR;
  return n;
entry:
  return 5;
ERROR:
  return 7;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  n += helper(n);
  if (n > 20)
    reach_error();
  if (n < 5)
    n++;
  return n;
}
";

#[test]
fn default_is_the_function() {
    let loaded = load_c_with(PROGRAM, |options| options.allow_missing_target = false);
    assert_eq!(
        target_lines(&loaded),
        [16],
        "the call, since there is no body"
    );
}

#[test]
fn default_falls_back_to_the_label() {
    let program = PROGRAM.replace("reach_error", "another_name");
    let loaded = load_c_with(&program, |options| options.allow_missing_target = false);
    assert_eq!(n_targets(&loaded), 1);
    assert!((9..=10).contains(&target_lines(&loaded)[0]));
}

#[test]
fn labels_functions_and_lines() {
    let label = with_target(PROGRAM, "label ERROR").unwrap();
    assert!((9..=10).contains(&target_lines(&label)[0]));
    // A label that is called like a block of clang's: nothing jumps there, so it is not reached.
    assert_eq!(n_targets(&with_target(PROGRAM, "label entry").unwrap()), 0);
    let function = with_target(PROGRAM, "helper").unwrap();
    assert_eq!(n_targets(&function), 1);
    let line = with_target(PROGRAM, "program.c:17").unwrap();
    assert_eq!(target_lines(&line), [17]);
    let exact = with_target(PROGRAM, "function reach_error").unwrap();
    assert_eq!(n_targets(&exact), 1);
}

#[test]
fn a_function_with_a_body_counts_when_it_is_entered() {
    let text = "void reach_error(void) { for (;;) ; } int main(void) { reach_error(); }";
    assert_eq!(n_targets(&load_c_with(text, |_| ())), 1);
    let text = "extern void reach_error(void) __attribute__((noreturn));
                int main(int argc, char **argv) { if (argc > 2) reach_error(); return 0; }";
    assert_eq!(n_targets(&load_c_with(text, |_| ())), 1);
}

#[test]
fn an_endless_loop_at_the_label_stays() {
    let text = "int main(int argc, char **argv) { if (argc > 2) { ERROR: goto ERROR; } return 0; }";
    let loaded = load_c_with(text, |_| ());
    assert_eq!(n_targets(&loaded), 1);
}

#[test]
fn every_inlined_copy_is_a_target() {
    let text = "int n; void check(int c) { if (!c) { ERROR: n++; } }
                int main(int argc, char **argv) { check(argc > 1); check(argc < 9); return n; }";
    assert_eq!(n_targets(&load_c_with(text, |_| ())), 2);
    assert_eq!(
        n_targets(&load_c_with(text, |options| options.inline = false)),
        1
    );
}

#[test]
fn missing_targets_are_named() {
    let error = with_target(PROGRAM, "nowhere").unwrap_err();
    let LoadError::MissingTarget { target, present } = &error else {
        panic!("{error}");
    };
    assert_eq!(target, "nowhere");
    for name in ["ERROR", "entry", "helper", "main", "reach_error"] {
        assert!(present.contains(name), "{present}");
    }
    let error = with_target(PROGRAM, "program.c:100")
        .unwrap_err()
        .to_string();
    assert!(error.contains("19"), "{error}");
    let error = with_target(PROGRAM, "other.c:3").unwrap_err().to_string();
    assert!(error.contains("program.c"), "{error}");
    assert!(with_target(PROGRAM, "label helper").is_err());
    assert!(with_target(PROGRAM, "function ERROR").is_err());
}

#[test]
fn a_missing_target_may_be_allowed() {
    let loaded = load_c_with("int main(void) { return 0; }", |_| ());
    assert_eq!(n_targets(&loaded), 0);
    assert!(loaded.notes[0].contains("no target"), "{:?}", loaded.notes);
}

#[test]
fn a_target_that_clang_leaves_out_is_no_error() {
    let programs = [
        "extern void reach_error(void);
         #define CHECK(x) do { if (!(x)) reach_error(); } while (0)
         int main(void) { CHECK(1); return 0; }",
        "static void reach_error(void) {} int main(void) { return 0; }",
        "static int never(int n) { if (n) goto ERROR; return n; ERROR: return 1; }
         int main(void) { return 0; }",
    ];
    for program in programs {
        let loaded = load_c_with(program, |options| options.allow_missing_target = false);
        assert_eq!(n_targets(&loaded), 0, "{program}");
        assert!(
            loaded.notes[0].contains("clang generated no code"),
            "{program}"
        );
    }
    let declared = "extern void reach_error(void); int main(void) { return 0; }";
    let error = try_load_c(declared, |options| options.allow_missing_target = false);
    assert!(matches!(error, Err(LoadError::MissingTarget { .. })));
}
