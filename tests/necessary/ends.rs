//! What the first and the last iteration of a loop say where variables have no closed form.

use super::{check_golden, condition, load, name_of, parse, path};
use compact_se::necessary::BuildOptions;

/// Whether φ̂ is satisfiable, with what the ends of loops say and without.
fn verdicts(name: &str, text: &str) -> [&'static str; 2] {
    let program = parse(name, text);
    let without = BuildOptions {
        most_ends: 0,
        ..BuildOptions::default()
    };
    [BuildOptions::default(), without].map(|options| {
        let (_, quantified, _) = condition(&program, &options);
        name_of(&quantified)
    })
}

/// How often each way is taken is how often it is entered, and left.
#[test]
fn numbers_of_iterations_are_those_of_a_walk() {
    check_golden("ends");
    let (_, quantified, _) = condition(&load("ends"), &BuildOptions::default());
    assert_eq!(name_of(&quantified), "unsatisfiable");
    let text = std::fs::read_to_string(path("ends.flow")).unwrap();
    let asked = "(%a != %b) & (%a != (%b + 1:32))";
    for (asks, expected) in [
        // At the end the lock may be held, or not.
        ("%a == (%b + 1:32)", "satisfiable"),
        ("(%a == %b) & (%a == 2:32)", "satisfiable"),
        ("(%a == (%b + 1:32)) & (%s != 1:32)", "unsatisfiable"),
        ("(%a == %b) & (%s != 0:32)", "unsatisfiable"),
        ("%b == (%a + 1:32)", "unsatisfiable"),
    ] {
        let verdicts = verdicts("ends", &text.replace(asked, asks));
        assert_eq!(verdicts, [expected, "satisfiable"], "{asks}");
    }
}

/// A counter that is reset where it reaches an input stays at or below it.
#[test]
fn the_last_iteration_bounds_what_it_leaves() {
    let text = "program block pointers 32 main @main\n\
        fn @main(%n: i32, %k: i32) -> i32 {\n\
        reg %i: i32\nreg %j: i32\n\
        start -> head: %i = 0:32; %j = 0:32\n\
        head -> body: assume %i <u %n\n\
        head -> after: assume %i >=u %n\n\
        body -> up: assume %j <u %k\n\
        body -> back: assume %j >=u %k\n\
        up -> next: %j = %j + 1:32\n\
        back -> next: %j = 0:32\n\
        next -> head: %i = %i + 1:32\n\
        after -> lt: assume ASKED\n\
        after -> end: assume !(ASKED)\n\
        lt -> end: target\n\
        end -> out: return 0:32\n}\n";
    for (asks, expected) in [
        ("%j >u %k", "unsatisfiable"),
        ("(%j == %k) & (%k == 3:32)", "satisfiable"),
        ("(%n == 0:32) & (%j != 0:32)", "unsatisfiable"),
        ("(%n == 1:32) & (%j == 2:32)", "unsatisfiable"),
    ] {
        let verdicts = verdicts("reset", &text.replace("ASKED", asks));
        assert_eq!(verdicts, [expected, "satisfiable"], "{asks}");
    }
}
