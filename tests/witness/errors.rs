//! Witnesses of properties about errors: those that `svcomp` writes are confirmed by `check`, corrupted ones are
//! not.

use super::programs::Program;
use crate::support::command::compact_se;
use crate::support::sample;
use compact_se::frontend::{DataModel, TargetSpec};
use compact_se::witness::Task;
use std::path::Path;

/// A program with an error, and what makes it a correct one.
struct Faulty {
    property: &'static str,
    /// What `svcomp` says is violated.
    violated: &'static str,
    text: &'static str,
    /// A part of the text, and what it has to be.
    correction: (&'static str, &'static str),
}

/// The third summand may be too much.
const SUM: Faulty = Faulty {
    property: "no-overflow",
    violated: "no-overflow",
    text: "\
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 1000000000)
      return 0;
    sum = sum + x;
  }
  return sum == 7;
}
",
    correction: ("1000000000", "700000000"),
};

/// The input is asked for in the expression that overflows.
const NEXT: Faulty = Faulty {
    property: "no-overflow",
    violated: "no-overflow",
    text: "\
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int far = 0;
  while (far < 3) {
    int next = far * 2 + __VERIFIER_nondet_int();
    far = next < 5 ? far + 1 : 7;
  }
  return 0;
}
",
    correction: ("__VERIFIER_nondet_int();", "(__VERIFIER_nondet_int() & 3);"),
};

const BOUNDS: Faulty = Faulty {
    property: "valid-memsafety",
    violated: "valid-deref",
    text: "\
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  int *table = malloc(4 * sizeof *table);
  if (!table)
    return 0;
  for (int i = 0; i < 4; i++)
    table[i] = i;
  unsigned index = __VERIFIER_nondet_uint();
  if (index <= 4)
    table[index] = 1;
  free(table);
  return 0;
}
",
    correction: ("index <= 4", "index < 4"),
};

const FREED: Faulty = Faulty {
    property: "valid-memsafety",
    violated: "valid-free",
    text: "\
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int *cell = malloc(sizeof *cell);
  int value = __VERIFIER_nondet_int();
  free(cell);
  if (value == 7)
    free(cell);
  return 0;
}
",
    correction: ("    free(cell);\n  return", "    value = 8;\n  return"),
};

const LOST: Faulty = Faulty {
    property: "valid-memsafety",
    violated: "valid-memtrack",
    text: "\
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int *cell = malloc(sizeof *cell);
  int value = __VERIFIER_nondet_int();
  if (value != 7)
    free(cell);
  return 0;
}
",
    correction: ("if (value != 7)", "if (value != 7 || cell)"),
};

const KEPT: Faulty = Faulty {
    property: "valid-memcleanup",
    violated: "valid-memcleanup",
    text: "\
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int *kept;
int main(void) {
  kept = malloc(sizeof *kept);
  int value = __VERIFIER_nondet_int();
  if (value != 7)
    free(kept);
  return 0;
}
",
    correction: ("if (value != 7)", "if (value != 7 || kept)"),
};

const ALL: [&Faulty; 6] = [&SUM, &NEXT, &BOUNDS, &FREED, &LOST, &KEPT];

fn property(name: &str) -> String {
    format!("tests/svcomp/{name}.prp")
}

/// What a command says, with its exit code.
fn run(arguments: &[&str]) -> (String, Option<i32>) {
    let output = compact_se().args(arguments).output().unwrap();
    let text = match output.status.code() {
        Some(2) => output.stderr,
        _ => output.stdout,
    };
    (String::from_utf8(text).unwrap(), output.status.code())
}

fn shown(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The verdict of `svcomp`, and the witness that it writes.
fn answered(program: &Program, asked: &str) -> (String, String) {
    let witness = program.path("own.yml");
    let files = [shown(&program.file), "--witness", shown(&witness)];
    let limits = ["--timeout", "90", "--property", &property(asked)];
    let (text, _) = run(&[&["svcomp"][..], &files, &limits].concat());
    let verdict = text.lines().next().unwrap_or_default().to_owned();
    let witness = std::fs::read_to_string(witness);
    (verdict, witness.unwrap_or_else(|_| panic!("{text}")))
}

/// What `check` says of a witness, by the rules of a property.
fn checked(program: &Program, witness: &str, asked: &str) -> (String, Option<i32>) {
    let path = program.path("checked.yml");
    std::fs::write(&path, witness).unwrap();
    let files = [shown(&path), shown(&program.file)];
    let limits = ["--timeout", "60", "--property", &property(asked)];
    run(&[&["check"][..], &files, &limits].concat())
}

fn confirmed() -> (String, Option<i32>) {
    ("confirmed\n".to_owned(), Some(0))
}

/// The program, its witness, and `replaced` in it.
fn corrupted(faulty: &Faulty, replaced: &[(&str, &str)]) -> (String, Option<i32>) {
    let program = Program::new("faulty.c", faulty.text);
    let (_, mut witness) = answered(&program, faulty.property);
    for (what, by) in replaced {
        assert!(witness.contains(what), "{what}: {witness}");
        witness = witness.replace(what, by);
    }
    checked(&program, &witness, faulty.property)
}

/// The witness with the target in another line, and column if that is told.
fn moved(faulty: &Faulty, line: u32, column: Option<u32>) -> (String, Option<i32>) {
    let program = Program::new("faulty.c", faulty.text);
    let (_, witness) = answered(&program, faulty.property);
    let (head, target) = witness.split_once("type: target").unwrap();
    let lines = target.lines().filter_map(|text| {
        let space = &text[..text.len() - text.trim_start().len()];
        if text.trim_start().starts_with("line: ") {
            Some(format!("{space}line: {line}"))
        } else if text.trim_start().starts_with("column: ") {
            column.map(|column| format!("{space}column: {column}"))
        } else {
            Some(text.to_owned())
        }
    });
    let target: Vec<String> = lines.collect();
    let witness = format!("{head}type: target{}\n", target.join("\n"));
    checked(&program, &witness, faulty.property)
}

#[test]
fn own_witnesses_of_errors_are_confirmed() {
    for faulty in sample(ALL, 0, 2) {
        let program = Program::new("faulty.c", faulty.text);
        let (verdict, witness) = answered(&program, faulty.property);
        assert_eq!(verdict, format!("false({})", faulty.violated));
        let found = checked(&program, &witness, faulty.property);
        assert_eq!(found, confirmed(), "{witness}");
        // What it is about it says itself.
        let path = program.path("checked.yml");
        let alone = run(&["check", shown(&path), shown(&program.file)]);
        assert_eq!(alone, confirmed(), "{witness}");
    }
}

#[test]
fn own_witnesses_of_corrected_programs_are_confirmed() {
    for faulty in sample(ALL, 1, 2) {
        let (wrong, right) = faulty.correction;
        assert!(faulty.text.contains(wrong));
        let program = Program::new("right.c", &faulty.text.replace(wrong, right));
        let (verdict, witness) = answered(&program, faulty.property);
        assert_eq!(verdict, "true", "{}", faulty.violated);
        let found = checked(&program, &witness, faulty.property);
        assert_eq!(found, confirmed(), "{witness}");
        // The violation of the faulty program is none of this one.
        let (_, violation) = answered(&Program::new("right.c", faulty.text), faulty.property);
        let moved = violation.replace(&hash(&violation), &digest(&program));
        let (found, _) = checked(&program, &moved, faulty.property);
        assert!(!found.starts_with("confirmed"), "{found}");
    }
}

/// The hash of a program.
fn digest(program: &Program) -> String {
    let files = std::slice::from_ref(&program.file);
    let task = Task::of_target(files, &TargetSpec::Default, DataModel::Lp64);
    let hashes = task.metadata().unwrap().task.input_file_hashes;
    hashes.into_values().next().unwrap()
}

/// The hash of the program in a witness.
fn hash(witness: &str) -> String {
    let (_, behind) = witness.split_once("input_file_hashes:").unwrap();
    let digits = behind.split(|c: char| !c.is_ascii_hexdigit());
    digits.max_by_key(|text| text.len()).unwrap().to_owned()
}

#[test]
fn wrong_values_are_rejected() {
    let cases = [
        (&SUM, "\\result == ", "\\result == 1 + 0 * "),
        (&BOUNDS, "\\result == 4", "\\result == 3"),
        (&FREED, "\\result == 7", "\\result == 8"),
        (&LOST, "\\result == 7", "\\result == 8"),
        (&KEPT, "\\result == 7", "\\result == 8"),
        (&NEXT, "\\result == ", "\\result == 5 + 0 * "),
    ];
    for (faulty, value, other) in sample(cases, 0, 2) {
        let (found, code) = corrupted(faulty, &[(value, other)]);
        assert!(
            found.starts_with("rejected\n"),
            "{}: {found}",
            faulty.violated
        );
        assert!(
            found.contains("no execution passes the waypoints"),
            "{found}"
        );
        assert_eq!(code, Some(1));
    }
}

#[test]
fn wrong_places_are_never_confirmed() {
    // The program violates the property, but not there.
    let cases = [
        (&SUM, 4, Some(27)),
        (&SUM, 10, None),
        (&NEXT, 6, None),
        (&BOUNDS, 8, None),
        (&FREED, 6, Some(3)),
        (&FREED, 4, None),
    ];
    for (faulty, line, column) in sample(cases, 0, 2) {
        let (found, code) = moved(faulty, line, column);
        assert!(found.starts_with("rejected\n"), "{line}: {found}");
        assert_eq!(code, Some(1));
    }
    for (faulty, line, why) in [
        (&LOST, 5, "rejected\n"),
        (&LOST, 6, "there is no allocation there"),
        (&SUM, 11, "target waypoint in line 11"),
        (&SUM, 99, "there is no code at its location"),
    ] {
        let (found, _) = moved(faulty, line, None);
        assert!(found.contains(why), "{line}: {found}");
        assert!(!found.starts_with("confirmed"), "{found}");
    }
}

/// Other tools name the statement or the line, and for what is left the end of the program.
#[test]
fn places_of_other_tools_are_understood() {
    let cases = [
        (&SUM, 8, Some(5)),
        (&SUM, 8, None),
        (&NEXT, 5, Some(5)),
        (&BOUNDS, 11, Some(5)),
        (&LOST, 8, Some(3)),
        (&LOST, 9, Some(1)),
        (&KEPT, 9, None),
    ];
    for (faulty, line, column) in sample(cases, 0, 2) {
        assert_eq!(moved(faulty, line, column), confirmed(), "{line}");
    }
}

#[test]
fn wrong_properties_are_refused() {
    let specification = |faulty: &Faulty, from: &str, to: &str| corrupted(faulty, &[(from, to)]);
    // Another part of what is asked.
    let (found, _) = specification(&BOUNDS, "G valid-deref", "G valid-free");
    assert!(found.starts_with("rejected\n"), "{found}");
    let (found, _) = specification(&FREED, "G valid-free", "G valid-deref");
    assert!(!found.starts_with("confirmed"), "{found}");
    // Not what is asked.
    let (found, code) = specification(&BOUNDS, "G valid-deref", "G ! overflow");
    let expected = "the witness is about no-overflow, but valid-deref, valid-free, valid-memtrack is asked about";
    assert!(found.contains(expected) && code == Some(2), "{found}");
    let (found, code) = specification(&SUM, "G ! overflow", "G ! call(reach_error())");
    let expected = "the witness is about unreach-call, but no-overflow is asked about";
    assert!(found.contains(expected) && code == Some(2), "{found}");
    // What cannot be checked.
    let (found, code) = specification(&SUM, "G ! overflow", "G def-behavior");
    assert!(found.contains("which cannot be checked"), "{found}");
    assert_eq!(code, Some(2));
    // A part of the property is not all of it.
    let (wrong, right) = BOUNDS.correction;
    let program = Program::new("right.c", &BOUNDS.text.replace(wrong, right));
    let (_, witness) = answered(&program, BOUNDS.property);
    let part = witness.replace("G valid-memtrack", "G valid-free");
    let (found, code) = checked(&program, &part, BOUNDS.property);
    assert!(found.contains("is asked about"), "{found}");
    assert_eq!(code, Some(2));
    // The witness of a program that has the error is none.
    let program = Program::new("right.c", BOUNDS.text);
    let (_, violation) = answered(&program, BOUNDS.property);
    let lie = witness.replace(&hash(&witness), &hash(&violation));
    let (found, _) = checked(&program, &lie, BOUNDS.property);
    assert!(
        found.contains("the property itself is violated: access out of bounds in line 11"),
        "{found}"
    );
}

/// In the first iteration nothing overflows.
const LATER: Faulty = Faulty {
    property: "no-overflow",
    violated: "no-overflow",
    text: "\
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = 0;
  while (x + __VERIFIER_nondet_int() < 100)
    x = 1;
  return 0;
}
",
    correction: ("x = 1", "x = 0"),
};

#[test]
fn branchings_at_the_place_of_the_error_restrict_the_path() {
    let program = Program::new("faulty.c", LATER.text);
    let (verdict, own) = answered(&program, LATER.property);
    assert_eq!(verdict, "false(no-overflow)");
    assert_eq!(checked(&program, &own, LATER.property), confirmed());
    let (head, _) = own.split_once("  content:").unwrap();
    let place =
        |column: u32| format!("location: {{file_name: faulty.c, line: 4, column: {column}}}");
    let target = format!(
        "    - waypoint: {{type: target, action: follow, {}}}\n",
        place(12)
    );
    let branching = |action: &str, value: &str| {
        format!(
            "    - waypoint: {{type: branching, action: {action}, constraint: {{value: {value}}}, {}}}\n",
            place(3)
        )
    };
    let found = |waypoints: &[String]| {
        let witness = format!("{head}  content:\n{}", waypoints.concat());
        checked(&program, &witness, LATER.property)
    };
    let segment = "  - segment:\n".to_owned();
    let taken = branching("follow", "true");
    let first = [segment.clone(), taken, segment.clone(), target.clone()];
    assert_eq!(found(&first), confirmed());
    let left = branching("follow", "false");
    let (never, _) = found(&[segment.clone(), left, segment.clone(), target.clone()]);
    assert!(never.starts_with("rejected\n"), "{never}");
    let avoided = branching("avoid", "true");
    let (never, _) = found(&[segment, avoided, target]);
    assert!(never.starts_with("rejected\n"), "{never}");
}

/// An error of the witness's own expression is none of the program.
#[test]
fn constraints_do_not_fail_in_the_place_of_the_program() {
    let constraint = ("\\result == ", "\\result + 2147483647 + 0 * ");
    let (found, _) = corrupted(&NEXT, &[constraint]);
    assert!(!found.starts_with("confirmed"), "{found}");
}

/// The witness with this invariant of the loop in a line instead of its content.
fn with_invariant(witness: &str, line: u32, invariant: &str) -> String {
    let (head, _) = witness.split_once("  content:").unwrap();
    format!(
        "{head}  content:\n  - invariant:\n      type: loop_invariant\n      location: {{file_name: faulty.c, \
         line: {line}}}\n      value: \"{invariant}\"\n      format: c_expression\n"
    )
}

/// Accesses within a table, and numbers that grow with them.
const FILLS: &str = "\
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int table[8];
  int n = __VERIFIER_nondet_int();
  int i = 0, odd = 1;
  while (i < n && i < 8) {
    table[i] = odd;
    odd = odd + 2;
    i = i + 1;
  }
  return 0;
}
";

#[test]
fn invariants_prove_that_there_are_no_errors() {
    let program = Program::new("faulty.c", FILLS);
    for (asked, invariant, expected) in [
        ("valid-memsafety", "i >= 0 && i <= 8", "confirmed"),
        (
            "valid-memsafety",
            "i >= 0 && i <= 7",
            "rejected\ni >= 0 && i <= 7 in line 6 is violated",
        ),
        // It reads behind the table itself.
        (
            "valid-memsafety",
            "table[i] > 0 || 1",
            "rejected\ntable[i] > 0 || 1 in line 6: access out of bounds",
        ),
        (
            "no-overflow",
            "i >= 0 && i <= 8 && odd == 2 * i + 1",
            "confirmed",
        ),
        (
            "no-overflow",
            "odd != 3",
            "rejected\nodd != 3 in line 6 is violated",
        ),
    ] {
        let (verdict, witness) = answered(&program, asked);
        assert_eq!(verdict, "true");
        let (found, _) = checked(&program, &with_invariant(&witness, 6, invariant), asked);
        assert!(found.starts_with(expected), "{invariant}: {found}");
    }
}

#[test]
fn the_answer_says_what_is_shown() {
    let text = "\
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = 1, y = 1;
  int k = 0, table[4];
  while (__VERIFIER_nondet_uint()) {
    x = x * x * 3 + y;
    y = y * 31 + (__VERIFIER_nondet_uint() & 1);
    k = (k + 1) % 4;
  }
  if (x == 123456789 && (y ^ x) == 987654321)
    table[k + 4] = 1;
  return 0;
}
";
    let (_, witness) = answered(&Program::new("faulty.c", FILLS), "valid-memsafety");
    let (_, overflow) = answered(&Program::new("faulty.c", FILLS), "no-overflow");
    let program = Program::new("faulty.c", text);
    let own = digest(&program);
    for (witness, asked, invariant, expected) in [
        (
            &witness,
            "valid-memsafety",
            "k >= 0 && k < 4",
            "the invariants hold, but the property is undecided",
        ),
        (
            &overflow,
            "no-overflow",
            "x != 123456780",
            "the property holds, but the invariants are undecided",
        ),
    ] {
        let witness = with_invariant(&witness.replace(&hash(witness), &own), 5, invariant);
        let path = program.path("checked.yml");
        std::fs::write(&path, witness).unwrap();
        let files = [shown(&path), shown(&program.file)];
        let limits = ["--timeout", "30", "--property", &property(asked)];
        let (found, code) = run(&[&["check"][..], &files, &limits].concat());
        assert!(
            found.starts_with(&format!("unknown\n{expected}")),
            "{found}"
        );
        assert_eq!(code, Some(3));
    }
}
