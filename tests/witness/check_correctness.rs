//! Checking correctness witnesses: invariants that prove the property are confirmed, wrong ones
//! rejected, and those that prove nothing stay unknown.

use super::programs::Program;
use compact_se::frontend::{DataModel, TargetSpec};
use compact_se::property::{Property, UndefinedBehaviour};
use compact_se::witness::Task;
use compact_se::witness::check::{Judgement, check};
use compact_se::witness::yaml::{Contract, Entry, Invariant, Item, Place, to_yaml};
use std::time::Duration;

/// Invariants by line, column and expression; a column of 0 is left out.
fn judgement(text: &str, kind: &str, invariants: &[(u32, u32, &str)]) -> Judgement {
    judgement_within(Duration::from_secs(30), text, kind, invariants)
}

fn judgement_within(
    time: Duration,
    text: &str,
    kind: &str,
    invariants: &[(u32, u32, &str)],
) -> Judgement {
    let open = UndefinedBehaviour::KeepsOpen;
    judgement_where(open, time, text, kind, invariants)
}

fn judgement_where(
    undefined: UndefinedBehaviour,
    time: Duration,
    text: &str,
    kind: &str,
    invariants: &[(u32, u32, &str)],
) -> Judgement {
    let program = Program::new("loops.c", text);
    let files = std::slice::from_ref(&program.file);
    let task = Task::of_target(files, &TargetSpec::Default, DataModel::Lp64);
    let content = invariants.iter().map(|(line, column, value)| Item {
        invariant: Some(Invariant {
            kind: kind.to_owned(),
            location: Place {
                file_name: program.file.display().to_string(),
                line: *line,
                column: (*column > 0).then_some(*column),
                function: None,
            },
            value: (*value).to_owned(),
            format: "c_expression".to_owned(),
        }),
        ..Item::default()
    });
    let entry = Entry {
        entry_type: "invariant_set".to_owned(),
        metadata: task.metadata().unwrap(),
        content: content.collect(),
    };
    let path = program.path("witness.yml");
    std::fs::write(&path, to_yaml(&[entry]).unwrap()).unwrap();
    let mut options = program.options();
    options.execution.budget.time = time;
    options.execution.property = Property::unreachable(undefined);
    check(&path, &options).unwrap()
}

fn loops(text: &str, invariants: &[(u32, u32, &str)]) -> Judgement {
    judgement(text, "loop_invariant", invariants)
}

fn assert_unknown(judgement: &Judgement, why: &str) {
    match judgement {
        Judgement::Unknown(reason) => assert!(reason.contains(why), "{reason}"),
        Judgement::Confirmed | Judgement::Rejected(_) => panic!("{judgement:?}"),
    }
}

fn assert_rejected(judgement: &Judgement, why: &str) {
    match judgement {
        Judgement::Rejected(reason) => assert!(reason.contains(why), "{reason}"),
        Judgement::Confirmed | Judgement::Unknown(_) => panic!("{judgement:?}"),
    }
}

/// The step depends on the parity, so that no closed form is needed for the proof.
const COUNTS: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  int x = 0, y = 0;
  while (x < n) {
    if (__VERIFIER_nondet_int()) { x = x + 2; y = y + 1; }
    else { x = x + 4; y = y + 2; }
    if (x > 1000) break;
  }
  if (x != 2 * y) reach_error();
  return 0;
}
";

#[test]
fn inductive_invariants_are_confirmed() {
    assert_eq!(loops(COUNTS, &[(6, 3, "x == 2 * y")]), Judgement::Confirmed);
    // Without a column, several conjuncts, one of them not needed.
    let conjuncts = [(6, 0, "x == 2 * y"), (6, 0, "x >= 0 && x <= 1004")];
    assert_eq!(loops(COUNTS, &conjuncts), Judgement::Confirmed);
}

#[test]
fn wrong_invariants_are_rejected() {
    assert_rejected(&loops(COUNTS, &[(6, 3, "x == y")]), "x == y in line 6");
    assert_rejected(&loops(COUNTS, &[(6, 3, "x == 1")]), "x == 1 in line 6");
}

#[test]
fn invariants_that_hold_are_strengthened() {
    let loops = |invariant: &str| {
        let time = Duration::from_secs(60);
        judgement_within(time, COUNTS, "loop_invariant", &[(6, 3, invariant)])
    };
    // None of them is inductive and implies the property.
    for invariant in ["1", "x <= 1004", "y <= 502"] {
        assert_eq!(loops(invariant), Judgement::Confirmed, "{invariant}");
    }
}

#[test]
fn invariants_that_prove_nothing_stay_unknown() {
    // Nobody knows whether the product of two primes comes up.
    let text = "\
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
  unsigned x = 1, y = 1;
  while (__VERIFIER_nondet_uint()) {
    x = x * x * x + y;
    y = y * y + x * __VERIFIER_nondet_uint() + 7;
  }
  if (x * y * y == 123456789 && y * x * x * x == 987654321) reach_error();
  return 0;
}
";
    let loops = |invariant: &str| {
        let time = Duration::from_secs(3);
        judgement_within(time, text, "loop_invariant", &[(5, 3, invariant)])
    };
    assert_ne!(loops("1").name(), "confirmed");
    assert_ne!(loops("x * x != 3").name(), "rejected");
}

/// What a check says about a contract of `f`, and nothing else.
fn contract(text: &str, requires: &str, ensures: &str) -> Judgement {
    let program = Program::new("calls.c", text);
    let files = std::slice::from_ref(&program.file);
    let task = Task::of_target(files, &TargetSpec::Default, DataModel::Lp64);
    let item = Item {
        contract: Some(Contract {
            kind: "function_contract".to_owned(),
            location: Place {
                file_name: program.file.display().to_string(),
                line: 3,
                column: None,
                function: Some("f".to_owned()),
            },
            requires: requires.to_owned(),
            ensures: ensures.to_owned(),
            format: "ext_c_expression".to_owned(),
        }),
        ..Item::default()
    };
    let entry = Entry {
        entry_type: "invariant_set".to_owned(),
        metadata: task.metadata().unwrap(),
        content: vec![item],
    };
    let path = program.path("witness.yml");
    std::fs::write(&path, to_yaml(&[entry]).unwrap()).unwrap();
    let mut options = program.options();
    options.execution.budget.time = Duration::from_secs(30);
    options.execution.property = Property::unreachable(UndefinedBehaviour::Ends);
    check(&path, &options).unwrap()
}

const NESTED: &str = "\
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

#[test]
fn contracts_that_are_inductive_are_confirmed() {
    let ensures = "\\at(n, Old) > 101 ? \\result == \\at(n, Old) - 10 : \\result == 91";
    assert_eq!(contract(NESTED, "1", ensures), Judgement::Confirmed);
    let old = "\\old(n) > 101 ? \\result == \\old(n) - 10 : \\result == 91";
    assert_eq!(contract(NESTED, "n == n", old), Judgement::Confirmed);
    let bare = old.replace("\\old(n)", "n");
    assert_eq!(contract(NESTED, "1", &bare), Judgement::Confirmed);
}

#[test]
fn contracts_that_prove_nothing_are_not_confirmed() {
    let weak = contract(NESTED, "1", "\\result >= 91 || \\result <= 91");
    assert_unknown(&weak, "do not imply");
    assert_unknown(&contract(NESTED, "1", "\\result == 91"), "contract of f");
    // What it requires does not hold of the calls.
    assert_unknown(
        &contract(NESTED, "n > 200", "\\result == 91"),
        "contract of f",
    );
    assert_unknown(&contract(NESTED, "1", "x == 1"), "x is not a parameter");
    assert_unknown(&contract(NESTED, "n == 1", "n == 1"), "contract of f");
    assert_unknown(&contract(NESTED, "f(n)", "1"), "f is not allowed");
}

/// A contract says nothing of what else a function does.
#[test]
fn contracts_of_functions_with_effects_are_not_confirmed() {
    let text = NESTED
        .replace("static int f", "int g; static int f")
        .replace("if (n > 100)", "g++; if (n > 100)")
        .replace("x <= 101 && y != 91", "g == 3");
    let ensures = "\\at(n, Old) > 101 ? \\result == \\at(n, Old) - 10 : \\result == 91";
    assert_unknown(&contract(&text, "1", ensures), "memory");
}

#[test]
fn what_cannot_be_placed_or_read_stays_unknown() {
    assert_unknown(&loops(COUNTS, &[(5, 3, "x == 2 * y")]), "no loop");
    assert_unknown(&loops(COUNTS, &[(6, 3, "x = 2 * y")]), "assigns");
    assert_unknown(&loops(COUNTS, &[(6, 3, "z == 0")]), "clang");
    assert_unknown(&loops(COUNTS, &[(6, 3, "x == 2 * y) || (1")]), "brackets");
}

/// Here s is never 154 only since the invariant sets it to 0.
#[test]
fn macros_with_effects_are_refused() {
    let text = "\
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
#define RESET (s = 0)
int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar();
  int i = 0, s = 0;
  while (i < a) { i++; s += 2; }
  if (s == 154) reach_error();
  return 0;
}
";
    assert_unknown(&loops(text, &[(7, 3, "RESET == 0")]), "macro RESET");
    let constant = text.replace("s = 0)", "0)");
    let found = loops(&constant, &[(7, 3, "s >= RESET")]);
    assert_rejected(&found, "property");
}

#[test]
fn a_violated_property_is_rejected() {
    let wrong = COUNTS.replace("x != 2 * y", "x == 2 * y && y == 3");
    assert_rejected(&loops(&wrong, &[(6, 3, "x == 2 * y")]), "property");
}

#[test]
fn nested_loops_and_all_their_kinds() {
    let text = "\
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int total;
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  int calls = 0;
  for (unsigned i = 0; i < n; i++) {
    do {
      total = total + 2;
      calls++;
    } while (__VERIFIER_nondet_uint() % 2);
    if (calls > 5000) break;
  }
  for (;;) {
    if (total % 2 != 0) reach_error();
    if (__VERIFIER_nondet_uint() == 7) break;
    total += 4;
  }
  return 0;
}
";
    let invariants = [
        (7, 3, "total % 2 == 0"),
        (8, 5, "total % 2 == 0"),
        (14, 3, "total % 2 == 0"),
    ];
    assert_eq!(loops(text, &invariants), Judgement::Confirmed);
    let missing = [invariants[0], invariants[1]];
    assert_ne!(loops(text, &missing).name(), "rejected");
    let wrong = [invariants[0], (8, 5, "total % 4 == 0"), invariants[2]];
    assert_rejected(&loops(text, &wrong), "line 8");
}

#[test]
fn memory_that_the_loop_writes_is_arbitrary() {
    let text = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int a[4] = {0, 0, 0, 0};
  int *p = a;
  int sum = 0;
  while (__VERIFIER_nondet_int()) {
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k > 3) break;
    a[k] = 1;
    sum = sum | a[k];
    p = a + k;
  }
  if (*p > 1 || sum > 1) reach_error();
  return 0;
}
";
    let all = "a[0] >= 0 && a[0] <= 1 && a[1] >= 0 && a[1] <= 1 && a[2] >= 0 && a[2] <= 1 \
               && a[3] >= 0 && a[3] <= 1 && (sum == 0 || sum == 1) && p - a >= 0 && p - a <= 3 \
               && ((char *)p - (char *)a) % 4 == 0";
    assert_eq!(loops(text, &[(7, 3, all)]), Judgement::Confirmed);
    // Of what the moving pointer points to, the check finds an invariant itself.
    let less = "(sum == 0 || sum == 1) && p - a >= 0 && p - a <= 3";
    assert_eq!(loops(text, &[(7, 3, less)]), Judgement::Confirmed);
    // Where there is none, the violation that only memory shows keeps the witness open.
    let written = text.replace("a[k] = 1;", "a[k] = 2;");
    let violated = written.replace("sum = sum | a[k];", "");
    let judgement = loops(&violated, &[(7, 3, less)]);
    assert_ne!(judgement, Judgement::Confirmed);
}

#[test]
fn location_invariants_are_assertions() {
    let text = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 5) return 0;
  x = x / 5;
  if (x == 0) reach_error();
  return 0;
}
";
    let location = |value| judgement(text, "location_invariant", &[(7, 3, value)]);
    assert_eq!(location("x >= 1"), Judgement::Confirmed);
    assert_rejected(&location("x >= 2"), "x >= 2 in line 7");
}

#[test]
fn invariants_without_a_value_are_not_confirmed() {
    let text = "\
extern void reach_error(void);
int main(void) {
  int a[3] = {0, 0, 0}, i = 0;
  int *none = 0;
  while (i < 100) i++;
  if (i == 100 + a[1] && !none) reach_error();
  return 0;
}
";
    // Each ends the execution that comes by, but in the program nothing ends there.
    for value in [
        "a[i + 7] == 0",
        "1 / (i - i) == 0",
        "*none == 0",
        "i == 200 || 5 % (i * 0) == 0",
    ] {
        for undefined in [UndefinedBehaviour::KeepsOpen, UndefinedBehaviour::Ends] {
            let time = Duration::from_secs(20);
            let invariants = [(5, 3, value)];
            let found = judgement_where(undefined, time, text, "loop_invariant", &invariants);
            assert_ne!(found, Judgement::Confirmed, "{value}");
        }
    }
    // What has no value where it does not matter is no obstacle.
    let safe = text.replace("i == 100 + a[1] && !none", "i < 100");
    let invariants = [(5, 3, "i < 0 || i > 2 || a[i] == 0")];
    for undefined in [UndefinedBehaviour::KeepsOpen, UndefinedBehaviour::Ends] {
        let time = Duration::from_secs(20);
        let found = judgement_where(undefined, time, &safe, "loop_invariant", &invariants);
        assert_eq!(found, Judgement::Confirmed);
    }
}

#[test]
fn without_invariants_induction_is_tried() {
    let text = "\
extern void reach_error(void);
static char array[1 << 20];
int main(void) {
  unsigned a = 1, i, j;
  for (i = 0; i < sizeof array; i++)
    for (j = 0; j < sizeof array; j++)
      array[i] = array[j] + array[i];
  if (a != 1) reach_error();
}
";
    assert_eq!(loops(text, &[]), Judgement::Confirmed);
}
