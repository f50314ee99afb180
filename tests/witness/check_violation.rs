//! Checking violation witnesses: ours are confirmed, corrupted ones are not, and others that
//! restrict the path only are followed.

use super::programs::{CALLS, PREPROCESSED, Program, UNINITIALISED};
use compact_se::frontend::TargetSpec;
use compact_se::witness::check::{CheckError, Judgement, check};
use compact_se::witness::{Artefacts, Task, WitnessError};

/// The witness that is written for a program.
fn own_witness(program: &Program) -> String {
    let analysis = program.analysis();
    let files = std::slice::from_ref(&program.file);
    let task = Task::of_target(files, &TargetSpec::Default, analysis.loaded.data_model);
    let artefacts = Artefacts {
        witness: Some(program.path("witness.yml")),
        ..Artefacts::default()
    };
    artefacts
        .write(&task, &program.options(), &analysis)
        .unwrap();
    std::fs::read_to_string(program.path("witness.yml")).unwrap()
}

fn judgement(program: &Program, witness: &str) -> Result<Judgement, CheckError> {
    let path = program.path("checked.yml");
    std::fs::write(&path, witness).unwrap();
    check(&path, &program.options())
}

/// A waypoint: type, action, constraint, line, column.
type Point<'p> = (&'p str, &'p str, &'p str, u32, Option<usize>);

/// A witness with these waypoints.
fn by_hand(program: &Program, segments: &[&[Point]]) -> String {
    let own = own_witness(program);
    let (head, _) = own.split_once("  content:").unwrap();
    let mut text = format!("{head}  content:\n");
    for segment in segments {
        text.push_str("  - segment:\n");
        for (kind, action, constraint, line, column) in *segment {
            text.push_str(&format!(
                "    - waypoint:\n        type: {kind}\n        action: {action}\n"
            ));
            if !constraint.is_empty() {
                text.push_str(&format!(
                    "        constraint: {{value: \"{constraint}\"}}\n"
                ));
            }
            let file = program.file.file_name().unwrap().to_str().unwrap();
            text.push_str(&format!(
                "        location:\n          file_name: {file}\n          line: {line}\n"
            ));
            if let Some(column) = column {
                text.push_str(&format!("          column: {column}\n"));
            }
        }
    }
    text
}

/// The call is made before the statement at which one can say what `rest` holds.
const DECLARED_TOGETHER: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  for (int i = 0; i < 2; i++) {
    int rest, n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
    if (n != 3 || m != 4 || rest != 5)
      return 0;
  }
  reach_error();
  return 0;
}
";

#[test]
fn own_witnesses_are_confirmed() {
    for (name, text) in [
        ("calls.c", CALLS),
        ("u.c", UNINITIALISED),
        ("p.i", PREPROCESSED),
        ("declared.c", DECLARED_TOGETHER),
    ] {
        let program = Program::new(name, text);
        let witness = own_witness(&program);
        assert_eq!(
            judgement(&program, &witness).unwrap(),
            Judgement::Confirmed,
            "{name}"
        );
    }
}

/// A path on which signed arithmetic wraps around is one of `-fwrapv` only, and the witness says so.
#[test]
fn witnesses_say_that_arithmetic_wraps_around() {
    let text = |condition: &str| {
        format!(
            "extern int __VERIFIER_nondet_int(void);\n\
             extern void reach_error(void);\n\
             int main(void) {{\n  \
             int x = __VERIFIER_nondet_int();\n  \
             if (x > 0 && {condition}) reach_error();\n  \
             return 0;\n}}\n"
        )
    };
    let says = |condition: &str| {
        let witness = own_witness(&Program::new("sum.c", &text(condition)));
        witness.contains(
            "description: 'signed arithmetic wraps around on the path: signed integer overflow: ",
        )
    };
    assert!(says("x + 1 < x"));
    assert!(!says("x < 1000"));
}

#[test]
fn corrupted_witnesses_are_rejected() {
    let program = Program::new("calls.c", CALLS);
    let own = own_witness(&program);
    // Another value, one iteration less, another call.
    let rejected = |witness: &str| {
        assert_ne!(witness, own);
        let judgement = judgement(&program, witness).unwrap();
        assert_ne!(judgement, Judgement::Confirmed);
        judgement.name().to_owned()
    };
    assert_eq!(
        rejected(&own.replace("\\result == -5", "\\result == -4")),
        "rejected"
    );
    assert_eq!(
        rejected(&own.replacen("\\result == 3", "\\result == 2", 2)),
        "rejected"
    );
    let line = own.rfind("line: ").unwrap();
    let moved = format!(
        "{}line: 1\n{}",
        &own[..line],
        own[line..].split_once('\n').unwrap().1
    );
    assert_eq!(rejected(&moved), "unknown");
    // An expression must not smuggle code in.
    let smuggled = own.replace("\\result == -5", "(reach_error(), 1)");
    assert_eq!(rejected(&smuggled), "unknown");
}

#[test]
fn witnesses_of_other_programs_are_errors() {
    let program = Program::new("calls.c", CALLS);
    let own = own_witness(&program);
    std::fs::write(&program.file, format!("{CALLS}\n")).unwrap();
    let error = judgement(&program, &own).unwrap_err();
    assert!(matches!(error, CheckError::OtherProgram { .. }), "{error}");
    std::fs::write(&program.file, CALLS).unwrap();
    let error = |witness: &str| judgement(&program, witness).unwrap_err();
    let data_model = error(&own.replace("LP64", "ILP32"));
    assert!(
        matches!(data_model, CheckError::OtherDataModel { .. }),
        "{data_model}"
    );
    let property = error(&own.replace("call(reach_error())", "data-race"));
    assert!(
        matches!(property, CheckError::UnknownProperty(_)),
        "{property}"
    );
    let malformed = |witness: &str| {
        let found = error(witness);
        let expected = CheckError::Witness(WitnessError::Malformed(String::new()));
        assert_eq!(
            std::mem::discriminant(&found),
            std::mem::discriminant(&expected),
            "{found}"
        );
    };
    malformed("");
    malformed("{}");
    malformed("- a: b\n");
    malformed(&own.replace("format_version: '2.0'", "format_version: '0.1'"));
    malformed(&own.replace("action: follow", "action: avoid"));
    malformed(&own.replace("type: target", "type: assumption"));
    let missing = check(&program.path("none.yml"), &program.options());
    assert!(matches!(
        missing,
        Err(CheckError::Witness(WitnessError::Read { .. }))
    ));
}

/// The way through is not given by values but by waypoints of every kind.
const WAYS: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int half(int x) {
  return x / 2;
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  if (x > 10)
    y = half(x);
  while (y > 3)
    y--;
  if (y == 3)
    reach_error();
  return 0;
}
";

#[test]
fn waypoints_restrict_the_path() {
    let program = Program::new("ways.c", WAYS);
    let target = ("target", "follow", "", 14, Some(5));
    let confirmed = |first: &[&[Point]]| {
        let mut segments = first.to_vec();
        let last = [target];
        segments.push(&last);
        judgement(&program, &by_hand(&program, &segments)).unwrap()
    };
    let rejected = |judgement: Judgement| judgement.name() == "rejected";
    assert_eq!(confirmed(&[]), Judgement::Confirmed);
    let small = ("assumption", "follow", "x < 7", 9, Some(3));
    let enter = ("function_enter", "follow", "", 10, Some(15));
    assert_eq!(confirmed(&[&[small]]), Judgement::Confirmed);
    assert_eq!(confirmed(&[&[enter]]), Judgement::Confirmed);
    assert!(rejected(confirmed(&[&[small], &[enter]])));
    let taken = ("branching", "follow", "true", 9, Some(3));
    let passed = ("branching", "follow", "false", 9, Some(3));
    assert_eq!(confirmed(&[&[taken], &[enter]]), Judgement::Confirmed);
    assert!(rejected(confirmed(&[&[passed], &[enter]])));
    assert!(rejected(confirmed(&[&[small], &[taken]])));
    let result = ("function_return", "follow", "\\\\result == 5", 10, None);
    assert_eq!(confirmed(&[&[result]]), Judgement::Confirmed);
    let two = ("function_return", "follow", "\\\\result == 2", 10, None);
    assert!(rejected(confirmed(&[&[two]])));
    // Passing the loop is not avoided by those that get there.
    let avoid = ("branching", "avoid", "true", 11, Some(3));
    let later = ("assumption", "follow", "y == 3", 13, Some(3));
    assert_eq!(confirmed(&[&[avoid, later]]), Judgement::Confirmed);
    let large = ("assumption", "follow", "y > 100", 11, Some(3));
    assert_eq!(confirmed(&[&[large]]), Judgement::Confirmed);
    let avoid_enter = ("function_enter", "avoid", "", 10, Some(15));
    let big = ("assumption", "follow", "x > 10", 13, Some(3));
    assert!(rejected(confirmed(&[&[avoid_enter, big]])));
}

#[test]
fn constraints_without_a_value_reject_nothing() {
    let text = "\
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  int m = n;
  if (n == 5) reach_error();
}
";
    let program = Program::new("value.c", text);
    let target: &[Point] = &[("target", "follow", "", 6, Some(15))];
    let ends: &[Point] = &[("assumption", "follow", "7 / (m - n) == 0", 6, Some(3))];
    let found = judgement(&program, &by_hand(&program, &[ends, target])).unwrap();
    assert!(matches!(found, Judgement::Unknown(_)), "{found:?}");
    let fails: &[Point] = &[("assumption", "follow", "m != n", 6, Some(3))];
    let found = judgement(&program, &by_hand(&program, &[fails, target])).unwrap();
    assert!(matches!(found, Judgement::Rejected(_)), "{found:?}");
}

/// What a macro of the program stands for would be evaluated in its place.
#[test]
fn macros_with_effects_are_refused() {
    let text = "\
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
#define RESET (s = 155)
#define LIMIT 200
int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar();
  int s = 2 * a;
  if (s == LIMIT) reach_error();
#undef RESET
}
";
    for (name, text) in [("macros.c", text), ("macros.i", text)] {
        let program = Program::new(name, text);
        let target: &[Point] = &[("target", "follow", "", 8, Some(19))];
        let with = |value: &str| {
            let assumed: &[Point] = &[("assumption", "follow", value, 8, Some(3))];
            judgement(&program, &by_hand(&program, &[assumed, target])).unwrap()
        };
        let found = with("RESET == 155");
        let Judgement::Unknown(why) = &found else {
            panic!("{name}: {found:?}");
        };
        assert!(why.contains("RESET stands for (s = 155)"), "{why}");
        assert_eq!(with("s == LIMIT"), Judgement::Confirmed);
    }
}
