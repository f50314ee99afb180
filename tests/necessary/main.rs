//! Necessary conditions of the flowgraphs of ISSTA 2012: backbones, loops along them, summaries.
//!
//! `UPDATE_GOLDEN=1 cargo test --test all necessary::` renews the golden files; the diff is to be read.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod chains;
mod ends;
mod states;
mod paths;
mod theorems;

use compact_se::flowgraph::{Action, EdgeId, Induced, Program, verify};
use compact_se::limits::Interrupt;
use compact_se::necessary::{BuildOptions, Decider, NecessaryCondition, Verdict};
use compact_se::property::{Property, UndefinedBehaviour};
use compact_se::semantics::Machine;
use compact_se::solver::{Limits, SolverOptions};
use compact_se::term::TermPool;
use std::path::PathBuf;

fn path(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden/necessary")
        .join(file)
}

fn parse(name: &str, text: &str) -> Program {
    let program: Program = text
        .parse()
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    verify(&program).unwrap_or_else(|errors| panic!("{name}: {}", errors[0]));
    program
}

fn load(name: &str) -> Program {
    let text = std::fs::read_to_string(path(&format!("{name}.flow"))).unwrap();
    parse(name, &text)
}

fn is_target(program: &Program, edge: EdgeId) -> bool {
    let steps = &program.function(program.main).edge(edge).steps;
    steps.iter().any(|step| step.action == Action::Target)
}

/// Backbones with the loops along them, and so on inward: `a b c`, then `{b, c} at b: b c b′`.
fn backbones(program: &Program) -> Vec<String> {
    fn describe(program: &Program, flowgraph: &Induced, depth: usize, out: &mut Vec<String>) {
        let found = flowgraph.backbones(
            &|edge| {
                flowgraph.leads_to_end(edge) || (!flowgraph.is_loop() && is_target(program, edge))
            },
            100,
        );
        assert!(!found.cut);
        for backbone in &found.paths {
            // The target edge itself is no part of the paper's flowgraphs.
            let shown = match flowgraph.is_loop() {
                true => &backbone[..],
                false => &backbone[..backbone.len() - 1],
            };
            let indent = "  ".repeat(depth);
            out.push(format!("{indent}{}", flowgraph.names(shown).join(" ")));
            for induced in flowgraph.loops_along(backbone) {
                let name = |node| flowgraph.function().node(node).name.as_str();
                let nodes: Vec<&str> = induced.nodes().map(name).collect();
                let entry = name(induced.start());
                out.push(format!("{indent}  {{{}}} at {entry}", nodes.join(", ")));
                describe(program, &induced, depth + 2, out);
            }
        }
    }
    let mut out = Vec::new();
    let whole = Induced::whole(program.function(program.main));
    describe(program, &whole, 0, &mut out);
    out
}

const PROPERTY: Property = Property::unreachable(UndefinedBehaviour::KeepsOpen);

/// φ̂ as text, and whether it and φ̂^K are satisfiable.
fn condition(program: &Program, options: &BuildOptions) -> (String, Verdict, Verdict) {
    let mut pool = TermPool::new();
    let machine = Machine::new(&mut pool, program);
    let condition =
        NecessaryCondition::of(&machine, &mut pool, options, PROPERTY, &Interrupt::new());
    let text = condition.view(&mut pool, program).to_string();
    let decider = Decider {
        both: true,
        ..Decider::default()
    };
    let paths: Vec<_> = condition.paths.iter().collect();
    let mut solver = SolverOptions::default().build();
    let decision = decider.decide(&mut pool, &mut *solver, &Limits::default(), &paths);
    (
        text,
        decision.quantified.verdict,
        decision.instances.verdict,
    )
}

fn name_of(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Unsatisfiable => "unsatisfiable",
        Verdict::Satisfiable { .. } => "satisfiable",
        Verdict::Open => "open",
    }
}

/// Compares the whole condition with golden files, or renews them.
fn check_golden(name: &str) {
    let settings = [
        ("", BuildOptions::default()),
        ("-paper", BuildOptions::as_in_the_paper()),
    ];
    check_golden_with(name, &settings);
}

/// The paper's "heavyweight" version of Algorithm 2.
fn heavyweight() -> BuildOptions {
    BuildOptions {
        relates_counters: true,
        ..BuildOptions::as_in_the_paper()
    }
}

/// The same with these settings, by the end of the file's name.
fn check_golden_with(name: &str, settings: &[(&str, BuildOptions)]) {
    let program = load(name);
    for (suffix, options) in settings {
        let (text, quantified, instances) = condition(&program, options);
        let found = format!(
            "{text}φ̂ is {}\nφ̂^25 is {}\n",
            name_of(&quantified),
            name_of(&instances)
        );
        let file = path(&format!("{name}{suffix}.txt"));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&file, found).unwrap();
            continue;
        }
        let expected = std::fs::read_to_string(&file)
            .unwrap_or_else(|error| panic!("{name}: {error}; UPDATE_GOLDEN=1 makes it"));
        similar_asserts::assert_eq!(expected, found);
    }
}

#[test]
fn figures_1_and_2() {
    let expected = [
        "a b c g h",
        "  {c, d, e, f} at c",
        "    c d e f c′",
        "    c d f c′",
    ];
    assert_eq!(backbones(&load("figure1")), expected);
    check_golden("figure1");
}

#[test]
fn figure_3_has_another_loop_where_it_is_entered_elsewhere() {
    let expected = [
        "ls a b d lt",
        "  {a, b, c, d} at a",
        "    a b d a′",
        "      {b, c} at b",
        "        b c b′",
        "  {b, c} at b",
        "    b c b′",
        "ls b d lt",
        "  {a, b, c, d} at b",
        "    b c b′",
        "    b d a b′",
    ];
    assert_eq!(backbones(&load("figure3")), expected);
    check_golden("figure3");
}

#[test]
fn figure_4_and_the_relation_of_counters() {
    let expected = [
        "ls a lt",
        "  {a, b, c, d, e} at a",
        "    a b c e a′",
        "      {c, d} at c",
        "        c d c′",
    ];
    assert_eq!(backbones(&load("figure4")), expected);
    check_golden("figure4");
    check_golden_with("figure4", &[("-heavyweight", heavyweight())]);
    // θ^κ(j) = ite(κ > 0, max(n, i + κ − 1), j), where nothing was known without the relation.
    let text = std::fs::read_to_string(path("figure4.flow")).unwrap();
    let start = "ls -> a: %i = 0:32; %m = 5:32";
    let text = text.replace("ls -> a", start);
    for (n, j, with, without) in [
        (7, 7, "satisfiable", "satisfiable"),
        (7, 6, "unsatisfiable", "satisfiable"),
        (2, 4, "satisfiable", "satisfiable"),
        (2, 2, "unsatisfiable", "satisfiable"),
    ] {
        let ask =
            format!("lt -> hit: assume (%n == {n}:32) & (%j == {j}:32)\n  hit -> end: target");
        let text = text.replace("lt -> end: target", &ask);
        let text = format!(
            "{}  lt -> miss: assume !((%n == {n}:32) & (%j == {j}:32))\n  miss -> end\n}}\n",
            text.trim_end().trim_end_matches('}')
        );
        let program = parse("figure4", &text);
        for (options, expected) in [
            (heavyweight(), with),
            (BuildOptions::default(), with),
            (BuildOptions::as_in_the_paper(), without),
        ] {
            let (_, quantified, _) = condition(&program, &options);
            assert_eq!(name_of(&quantified), expected, "n = {n}, j = {j}");
        }
    }
}

#[test]
fn the_program_of_theorem_2_shows_what_is_lost() {
    let (_, quantified, instances) = condition(&load("theorem2"), &BuildOptions::as_in_the_paper());
    assert_eq!(name_of(&quantified), "satisfiable");
    assert_eq!(name_of(&instances), "satisfiable");
    check_golden("theorem2");
}

#[test]
fn the_programs_of_section_3_6() {
    check_golden("section36-left");
    check_golden("section36-right");
    // Two iterations along the one, then three along the other: (0 + 2)·2³.
    let text = std::fs::read_to_string(path("section36-right.flow")).unwrap();
    let start = "start -> head: %i = 4294967294:32; %n = 3:32; %j = 0:32";
    let text = text.replace("start -> head", start);
    for (last, expected) in [("16", "satisfiable"), ("18", "unsatisfiable")] {
        let text = text.replace("7:32", &format!("{last}:32"));
        let (_, quantified, _) =
            condition(&parse("section36-right", &text), &BuildOptions::default());
        assert_eq!(name_of(&quantified), expected, "j = {last}");
    }
}

#[test]
fn what_is_near_to_a_rule_is_none() {
    check_golden("near");
    check_golden("cells");
    check_golden("pointer");
    check_golden("array");
    check_golden("arms");
}

#[test]
fn what_loops_write_into_arrays_is_known_after_them() {
    check_golden("written");
    let text = std::fs::read_to_string(path("written.flow")).unwrap();
    for (from, to, expected) in [
        // A(p) = 7 only where p = 4, which is filled only if n > 4.
        ("%i <u 20:8", "%i <u 20:8", "satisfiable"),
        ("(%a == 7:8)", "((%a == 7:8) & (%p == 4:8))", "satisfiable"),
        (
            "(%a == 7:8)",
            "((%a == 7:8) & (%p == 5:8))",
            "unsatisfiable",
        ),
        (
            "(%a == 7:8)",
            "((%a == 7:8) & (%n == 5:8))",
            "unsatisfiable",
        ),
        // The copy: B(5) is A(5), 8 where n > 5.
        ("(%b == 8:8)", "(%b == 9:8)", "unsatisfiable"),
        // At most 20 iterations write C, which is 0 at its other cells.
        ("(%c == 0:8)", "(%c == 1:8)", "unsatisfiable"),
        ("(%e == 11:8)", "(%e == 10:8)", "unsatisfiable"),
        // Of D nothing is known.
        ("(%d == 1:8)", "(%d == 7:8)", "satisfiable"),
    ] {
        let program = parse("written", &text.replace(from, to));
        let (_, quantified, instances) = condition(&program, &BuildOptions::default());
        assert_eq!(name_of(&quantified), expected, "{to}");
        if expected == "satisfiable" {
            assert_ne!(name_of(&instances), "unsatisfiable", "{to}");
        }
    }
}

/// Of an array that two ways write, each at a counter of its own, nothing is known.
#[test]
fn what_two_ways_write_is_not_what_one_of_them_writes() {
    let text = "\
program block pointers 32 main @main
global @D 256 zero

fn @main(%n: i8) -> i32 {
  reg %i: i8
  reg %k: i8
  reg %m: i8
  reg %d: i8
  start -> mid: %i = 0:8; %k = 0:8; %m = 0:8
  mid -> even: assume (%i <u 20:8) & ((%i & 1:8) == 0:8)
  mid -> odd: assume (%i <u 20:8) & !((%i & 1:8) == 0:8)
  mid -> after: assume %i >=u 20:8
  even -> mid: store 1:8 to @D + zext(%k, 32); %k = %k + 1:8; %i = %i + 1:8
  odd -> mid: store 2:8 to @D + zext(%m + 100:8, 32); %m = %m + 1:8; %i = %i + 1:8
  after -> last: %d = load @D + 100:32
  last -> lt: assume %d == 2:8
  last -> end: assume %d != 2:8
  lt -> end: target
  end -> out: return 0:32
}
";
    // One way writes how often the other was taken before, not in the end.
    let other = text
        .replace("store 1:8 to", "store %m + 7:8 to")
        .replace("store 2:8 to @D + zext(%m + 100:8, 32); ", "")
        .replace("load @D + 100:32", "load @D + 0:32")
        .replace("2:8", "7:8");
    // What either of the ways writes may be there.
    let of_other_way = text
        .replace("load @D + 100:32", "load @D + 0:32")
        .replace("%d == 2:8", "%d == 1:8")
        .replace("%d != 2:8", "%d != 1:8");
    for text in [text, &of_other_way, &other] {
        let program = parse("two ways", text);
        let (_, quantified, instances) = condition(&program, &BuildOptions::default());
        assert_eq!(name_of(&quantified), "satisfiable");
        assert_ne!(name_of(&instances), "unsatisfiable");
    }
}

/// An inner loop that is left at will, of which what comes behind it says how often it is iterated, by two
/// bounds: the relation κ = n is none that a closed form gives, and with it s grows by a constant step.
#[test]
fn linear_relations_of_counters_are_asked_for() {
    let text = |more: u8| {
        format!(
            "\
program block pointers 32 main @main

fn @main(%n: i8) -> i32 {{
  reg %i: i8
  reg %k: i8
  reg %s: i8
  reg %x: i8
  start -> outer: %i = 0:8; %s = 0:8
  outer -> begin: assume %i <u 4:8
  outer -> after: assume %i >=u 4:8
  begin -> inner: %k = 0:8
  inner -> read: assume %k <u 100:8; %x = input \"x\"
  inner -> end: assume %k >=u 100:8
  read -> inner: assume %x != 0:8; %k = %k + 1:8
  read -> left: assume %x == 0:8
  left -> next: assume (%k <=u %n) & (%k >=u %n)
  left -> end: assume !((%k <=u %n) & (%k >=u %n))
  next -> outer: %s = %s + %k; %i = %i + 1:8
  after -> lt: assume %s == ((%n * 4:8) + {more}:8)
  after -> end: assume %s != ((%n * 4:8) + {more}:8)
  lt -> end: target
  end -> out: return 0:32
}}
"
        )
    };
    for (more, expected) in [(0, "satisfiable"), (1, "unsatisfiable")] {
        let program = parse("asked", &text(more));
        let (text, quantified, _) = condition(&program, &BuildOptions::default());
        assert_eq!(name_of(&quantified), expected, "{more}:\n{text}");
        let is_related = |line: &str| line.contains(", with κ") && line.ends_with(" = n");
        assert!(text.lines().any(is_related), "{text}");
    }
}

#[test]
fn each_rule_gives_its_form() {
    check_golden("rules");
    // Five iterations along one backbone and four along the other.
    let text = std::fs::read_to_string(path("rules.flow")).unwrap();
    let program = parse("rules", &text);
    let (_, quantified, instances) = condition(&program, &BuildOptions::default());
    assert_eq!(name_of(&quantified), "satisfiable");
    assert_eq!(name_of(&instances), "satisfiable");
    // l is 4 only after five iterations, and 81 is the fourth power of 3.
    let text = text.replace("3888", "1296");
    let (_, quantified, _) = condition(&parse("rules", &text), &BuildOptions::default());
    assert_eq!(name_of(&quantified), "unsatisfiable");
}

/// 2^200 ways through the loop, of which all have the same effect on what is read later, but for two.
#[test]
fn joined_branches_keep_hundreds_of_them_finite() {
    let mut text = "program block pointers 32 main @main\n\n\
         fn @main(%n: i32, %x: i32) -> i32 {\n  reg %i: i32\n  reg %k: i32\n  reg %y: i32\n  \
         start -> head: %i = 0:32; %k = 0:32\n  \
         head -> b0: assume %i <u %n; %y = %x & %i\n  \
         head -> check: assume %i >=u %n\n"
        .to_owned();
    for branch in 0..200 {
        let next = branch + 1;
        text += &format!(
            "  b{branch} -> y{branch}: assume %y == {branch}:32\n  \
             y{branch} -> b{next}: %y = %y * 3:32\n  \
             b{branch} -> n{branch}: assume %y != {branch}:32\n  \
             n{branch} -> b{next}: %y = %y * 3:32\n"
        );
    }
    text += "  b200 -> plus: assume %y <u 7:32\n  \
         plus -> step: %k = %k + 1:32\n  \
         b200 -> step: assume %y >=u 7:32\n  \
         step -> head: %i = %i + 1:32\n  \
         check -> lt: assume %k == 12:32\n  \
         check -> end: assume %k != 12:32\n  \
         lt -> end: target\n  \
         end -> out: return 0:32\n}\n";
    let program = parse("branches", &text);
    let mut pool = TermPool::new();
    let machine = Machine::new(&mut pool, &program);
    let options = BuildOptions::default();
    let interrupt = Interrupt::new();
    let condition = NecessaryCondition::of(&machine, &mut pool, &options, PROPERTY, &interrupt);
    assert!(condition.is_whole);
    assert_eq!(condition.paths.len(), 1);
    let counters = &condition.paths[0].loops[0].counters;
    assert_eq!(
        counters.len(),
        2,
        "one for each effect on what is read later"
    );
}
