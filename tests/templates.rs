//! Templates of the paper's loops, and when each rule applies and when it must not.
//!
//! `UPDATE_GOLDEN=1 cargo test --test all templates::` renews the golden files; the diff is to be read.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use compact_se::flowgraph::{Program, verify};
use compact_se::solver::SolverOptions;
use compact_se::symex::{ExecutionOptions, Executor};
use compact_se::template::{AutomatonPolicy, Folding, NoTemplate, TemplateTable};
use std::path::PathBuf;

fn program(text: &str) -> Program {
    let program: Program = text
        .parse()
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    verify(&program).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    program
}

/// What came out of Algorithm 1 for one cycle.
struct Outcome {
    /// The core, entry first and last.
    core: String,
    /// In the paper's notation.
    template: Result<String, NoTemplate>,
}

/// The templates of all cycles, for states of which nothing is known.
fn outcomes(text: &str) -> Vec<Outcome> {
    let program = program(text);
    let solver = SolverOptions::default().build();
    let options = ExecutionOptions::default();
    let executor = Executor::new(
        &program,
        solver,
        TemplateTable::new(100, Folding::Cycles),
        options,
    );
    let (table, pool) = executor.templates();
    let mut outcomes = Vec::new();
    for (function, records) in table.computed() {
        for record in records {
            let core = record.cycle.describe_core(program.function(function));
            let found = record.templates.iter().map(|template| Outcome {
                core: core.clone(),
                template: Ok(template.display(&pool, &program)),
            });
            outcomes.extend(found);
            outcomes.extend(record.refused.iter().map(|(_, reason)| Outcome {
                core: core.clone(),
                template: Err(reason.clone()),
            }));
        }
    }
    outcomes
}

fn check_golden(name: &str, text: &str) {
    let mut found = String::new();
    for outcome in outcomes(text) {
        match outcome.template {
            Ok(template) => found.push_str(&template),
            Err(reason) => found.push_str(&format!("core {}: {reason}\n", outcome.core)),
        }
        found.push('\n');
    }
    compare_golden(name, &found);
}

fn compare_golden(name: &str, found: &str) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/template");
    let path = folder.join(format!("{name}.templates"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(&path, found).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    similar_asserts::assert_eq!(found, expected, "{}", path.display());
}

/// Figure 1: the two exits of Section 2.
#[test]
fn figure1() {
    check_golden("figure1", include_str!("golden/flowgraph/figure1.flow"));
}

#[test]
fn figure2() {
    check_golden("figure2", include_str!("golden/flowgraph/figure2.flow"));
}

#[test]
fn figure3() {
    check_golden("figure3", include_str!("golden/flowgraph/figure3.flow"));
}

/// countIf of the arXiv version: two cores, each with a counter.
#[test]
fn count_if() {
    let text = "program block pointers 32 main @countIf\n\
        fn @countIf(%A: p32, %n: i32, %x: i32) -> i32 {\n\
        reg %i: i32\nreg %t: i32\nreg %count: i32\n\
        a -> b: %i = 0:32; %count = 0:32\n\
        b -> c: assume %i <s %n; %t = load (%A + (%i << 2:32))\n\
        b -> f: assume %i >=s %n\n\
        c -> d: assume %t == %x\n\
        c -> e: assume %t != %x\n\
        d -> e: %count = %count + 1:32\n\
        e -> b: %i = %i + 1:32\n\
        f -> end: return %count\n}\n";
    check_golden("countIf", text);
}

/// A loop that counts `i` from 0 to `n` in 8 bits and does `steps` before in each iteration; behind
/// it `v` is returned, and cell 0 of `buffer` read.
fn counting(steps: &str) -> String {
    format!(
        "program block pointers 32 main @main\nglobal @buffer 300 zero\n\
         fn @main(%n: i8, %s: i8, %v: i8, %w: i8) -> i8 {{\n\
         reg %i: i8\nreg %t: i8\n\
         start -> head: %i = 0:8\n\
         head -> body: assume %i <u %n\n\
         head -> done: assume !(%i <u %n)\n\
         body -> head: {steps}; %i = %i + 1:8\n\
         done -> last: %t = load (@buffer + 0:32)\n\
         last -> end: return %v + %t\n}}\n"
    )
}

fn the_outcome(steps: &str) -> Outcome {
    let mut outcomes = outcomes(&counting(steps));
    assert_eq!(outcomes.len(), 1, "{steps}: one cycle, one shape");
    outcomes.remove(0)
}

fn must_apply(rule: &str, steps: &str, variable: &str, closed_form: &str) {
    let outcome = the_outcome(steps);
    let template = outcome
        .template
        .unwrap_or_else(|reason| panic!("{steps}: {reason}"));
    let template = plain(&template);
    let line = format!("θ*[κ]({variable}) = {closed_form}   ({rule})\n");
    assert!(template.contains(&line), "{steps}: no {line}{template}");
}

/// Without the numbers that make names unique: `κ#1` becomes `κ`.
fn plain(text: &str) -> String {
    let mut parts = text.split('#');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    plain
}

/// No rule covers `variable`.
fn must_not_apply(steps: &str, variable: &str) {
    match the_outcome(steps).template {
        Err(NoTemplate::NoProgression {
            variable: found, ..
        }) => assert_eq!(plain(&found), variable, "{steps}"),
        Err(reason) => panic!("{steps}: {reason}"),
        Ok(template) => panic!("{steps}\n{template}"),
    }
}

#[test]
fn unchanged() {
    must_apply("unchanged", "%w = %w + 1:8", "v", "v");
}

#[test]
fn arithmetic() {
    must_apply("arithmetic", "%v = %v + 3:8", "v", "v + 3*κ");
    must_apply("arithmetic", "%v = %v - %s", "v", "v - s * κ");
    must_not_apply("%t = input \"t\"; %v = %v + %t", "v");
    must_not_apply("%v = %v + (%v & 3:8)", "v");
}

#[test]
fn polynomial() {
    must_apply(
        "polynomial",
        "%v = %v + %i",
        "v",
        "v + (zext9(κ) * zext9(κ) - zext9(κ))[1..9] + i * κ",
    );
    must_apply(
        "polynomial",
        "%w = %w + %s; %v = %v + (%w + %w)",
        "v",
        "v + s * κ + (s * κ) * κ + 2*(w * κ)",
    );
    // A sum of sums is cubic.
    must_not_apply("%w = %w + %i; %v = %v + %w", "v");
    must_not_apply("%v = %v + (%i & 6:8)", "v");
}

#[test]
fn geometric() {
    must_apply("geometric", "%v = %v * 3:8", "v", "v * 3^κ");
    must_apply("geometric", "%v = %v << 1:8", "v", "v * (1 << κ)");
    must_not_apply("%v = %v * %s", "v");
    must_not_apply("%v = (%v * 3:8) + 1:8", "v");
    must_not_apply("%v = %v * %v", "v");
}

#[test]
fn alternating() {
    must_apply(
        "alternating",
        "%v = 5:8 - %v",
        "v",
        "ite(κ[0..1], -v + 5, v)",
    );
    must_apply(
        "alternating",
        "%v = %v ^ 255:8",
        "v",
        "ite(κ[0..1], -v - 1, v)",
    );
    must_not_apply("%v = %i - %v", "v");
}

#[test]
fn returning() {
    must_apply("returning", "%v = %v ^ 1:8", "v", "ite(κ[0..1], v ^ 1, v)");
    must_apply(
        "returning",
        "%v = %v & 6:8",
        "v",
        "ite(κ = 0, v, 2*zext8(v[1..3]))",
    );
    must_not_apply("%v = %v ^ %i", "v");
    must_not_apply("%v = (%v * %v) ^ 1:8", "v");
}

#[test]
fn reset() {
    must_apply("reset", "%v = 7:8", "v", "ite(κ = 0, v, 7)");
    must_apply(
        "reset",
        "%v = %i * %i",
        "v",
        "ite(κ = 0, v, (i + κ - 1) * (i + κ - 1))",
    );
    // Neither of two that wait for each other.
    must_not_apply("%v = %w, %w = %v", "v");
}

#[test]
fn comprehension() {
    must_apply(
        "comprehension",
        "store %v to @buffer + zext(%i, 32)",
        "buffer",
        "λτ: ite(τ = zext32(τ[0..8]) ∧ τ[0..8] - i < κ, v, buffer(τ))",
    );
    let refused = |steps: &str| match the_outcome(steps).template {
        Err(NoTemplate::WritesArray { object, .. }) => assert_eq!(object, "buffer"),
        Err(reason) => panic!("{steps}: {reason}"),
        Ok(template) => panic!("{steps}\n{template}"),
    };
    // Several iterations may write one cell.
    refused("store %i to @buffer + zext(%i * %i, 32)");
    // An iteration reads what an earlier one wrote.
    refused("%t = load (@buffer + zext(%i, 32)); store %t to (@buffer + zext(%i, 32)) + 1:32");
}

/// The results for the loop with this header, for a state of which nothing is known.
fn the_loop(text: &str, header: &str) -> Result<String, NoTemplate> {
    let program = program(text);
    let solver = SolverOptions::default().build();
    // The rules for merged paths alone.
    let table = TemplateTable::new(100, Folding::Loops).with_automata(AutomatonPolicy::none());
    let executor = Executor::new(&program, solver, table, ExecutionOptions::default());
    let (table, pool) = executor.templates();
    let main = program.function(program.main);
    let (_, record) = table
        .computed_loops()
        .find(|(_, record)| main.node(record.natural.header).name == header)
        .unwrap_or_else(|| panic!("no result for {header} in {text}"));
    match (record.templates.first(), record.refused.first()) {
        (Some(template), _) => Ok(plain(&template.display(&pool, &program))),
        (None, Some((_, reason))) => Err(reason.clone()),
        (None, None) => panic!("nothing was computed for {header}"),
    }
}

/// A loop that counts `i` from 0 to `n`; where `condition` holds it does `then` before, elsewhere
/// `otherwise`.
fn branching(condition: &str, then: &str, otherwise: &str) -> String {
    format!(
        "program block pointers 32 main @main\nglobal @buffer 300 zero\n\
         fn @main(%n: i8, %s: i8, %v: i8, %w: i8) -> i8 {{\n\
         reg %i: i8\nreg %t: i8\n\
         start -> head: %i = 0:8\n\
         head -> body: assume %i <u %n\n\
         head -> done: assume !(%i <u %n)\n\
         body -> left: assume {condition}\n\
         body -> right: assume !({condition})\n\
         left -> join: {then}\n\
         right -> join: {otherwise}\n\
         join -> head: %i = %i + 1:8\n\
         done -> last: %t = load (@buffer + 0:32)\n\
         last -> end: return %v + %t\n}}\n"
    )
}

fn merged(condition: &str, then: &str, otherwise: &str) -> Result<String, NoTemplate> {
    the_loop(&branching(condition, then, otherwise), "head")
}

fn must_merge(rule: &str, [condition, then, otherwise]: [&str; 3], variable: &str, form: &str) {
    let template = merged(condition, then, otherwise)
        .unwrap_or_else(|reason| panic!("{then}, {otherwise}: {reason}"));
    let line = format!("θ*[κ]({variable}) = {form}   ({rule})\n");
    assert!(
        template.contains(&line),
        "{then}, {otherwise}: no {line}{template}"
    );
}

fn must_not_merge(condition: &str, then: &str, otherwise: &str) {
    match merged(condition, then, otherwise) {
        Err(NoTemplate::NoProgression { variable, .. }) => assert_eq!(plain(&variable), "v"),
        Err(reason) => panic!("{then}, {otherwise}: {reason}"),
        Ok(template) => panic!("{then}, {otherwise}\n{template}"),
    }
}

/// Paths that do the same are one iteration without a case distinction, and the condition of an
/// iteration is what they have in common.
#[test]
fn paths_of_the_same_effect() {
    let same = ["%i == %s", "%v = %v + 2:8", "%v = %v + 2:8"];
    must_merge("arithmetic", same, "v", "v + 2*κ");
    let template = merged(same[0], same[1], same[2]).unwrap();
    // Nothing is left of the branching.
    assert!(!template.contains("s ="), "{template}");
    assert!(!template.contains("s ≠"), "{template}");
    assert_eq!(template.matches("  exit (").count(), 1, "{template}");
}

#[test]
fn sum() {
    must_merge(
        "sum",
        ["%i == %s", "%v = %v + 1:8", "%w = 0:8"],
        "v",
        "v + (Στ<κ: zext8(s = i + τ))",
    );
    // Whether an iteration adds depends on what was added.
    must_not_merge("%v == %s", "%v = %v + 1:8", "%w = 0:8");
}

#[test]
fn flag() {
    must_merge(
        "flag",
        ["%i == %s", "%v = 7:8", "%w = 0:8"],
        "v",
        "ite(∀τ<κ: s ≠ i + τ, v, 7)",
    );
    // Two values, and one that moves.
    must_not_merge("%v == %s", "%v = 7:8", "%w = 0:8");
    must_not_merge("%i == %s", "%v = %i", "%w = 0:8");
}

#[test]
fn interleaving_matters() {
    must_not_merge("%i == %s", "%v = %v + 1:8", "%v = %v * 3:8");
}

#[test]
fn writes_in_some_iterations() {
    let store = "store %s to @buffer + zext(%i, 32)";
    must_merge(
        "comprehension",
        ["%i == %s", store, "%w = 0:8"],
        "buffer",
        "λτ: ite(τ = zext32(τ[0..8]) ∧ τ[0..8] - i < κ, ite(s = τ[0..8], s, buffer(zext32(τ[0..8]))), buffer(τ))",
    );
    let refused = merged("%i == %s", "store %s to @buffer + zext(%v, 32)", store);
    assert!(
        matches!(refused, Err(NoTemplate::WritesArray { .. })),
        "{refused:?}"
    );
}

#[test]
fn inputs_of_different_paths() {
    // The same number of inputs on both: one array.
    let template = merged("%i == %s", "%t = input \"x\"", "%t = input \"x\"").unwrap();
    assert_eq!(template.matches("  exit (").count(), 1, "{template}");
    let refused = merged("%i == %s", "%t = input \"x\"", "%w = 0:8");
    assert!(
        matches!(refused, Err(NoTemplate::PathsDiffer { .. })),
        "{refused:?}"
    );
}

/// A loop around a loop that counts `j` while `condition` holds.
fn nested(condition: &str) -> Result<String, NoTemplate> {
    let text = format!(
        "program block pointers 32 main @main\nglobal @buffer 300 extern\n\
         fn @main(%n: i8, %m: i8, %v: i8) -> i8 {{\n\
         reg %i: i8\nreg %j: i8\nreg %t: i8\n\
         start -> head: %i = 0:8\n\
         head -> outer: assume %i <u %n\n\
         head -> done: assume !(%i <u %n)\n\
         outer -> inner: %j = %i\n\
         inner -> read: %t = load (@buffer + zext(%j, 32))\n\
         read -> body: assume {condition}\n\
         read -> after: assume !({condition})\n\
         body -> inner: %j = %j + 1:8; %v = %v + 1:8\n\
         after -> head: %i = %i + 1:8\n\
         done -> end: return %v\n}}\n"
    );
    the_loop(&text, "head")
}

#[test]
fn inner_loops() {
    let template = nested("%j <u %m").unwrap_or_else(|reason| panic!("{reason}"));
    assert!(template.contains("   (sum)\n"), "{template}");
    // The number of iterations is a constant.
    let template = nested("%j != (%i + 4:8)").unwrap_or_else(|reason| panic!("{reason}"));
    assert!(
        template.contains("θ*[κ](v) = v + 4*κ   (arithmetic)\n"),
        "{template}"
    );
    // Unrolled, since it depends on what is read, but not for more than some iterations.
    let template = nested("(%j <u 3:8) & (%t == 0:8)");
    assert!(template.is_ok(), "{template:?}");
    let refused = nested("%t == 0:8");
    assert!(
        matches!(refused, Err(NoTemplate::InnerLoop { .. })),
        "{refused:?}"
    );
}

/// A program in which only the functions in `text` matter.
fn with_main(text: &str) -> String {
    format!(
        "program block pointers 32 main @main\nglobal @counter 4 zero\n\
         fn @main() -> i32 {{\n  start -> end: return 0:32\n}}\n{text}"
    )
}

/// Templates of the ways in which functions call themselves, or why there is none.
fn recursions(text: &str, folding: Folding) -> Vec<Result<String, NoTemplate>> {
    let program = program(&with_main(text));
    let solver = SolverOptions::default().build();
    let table = TemplateTable::new(100, folding);
    let executor = Executor::new(&program, solver, table, ExecutionOptions::default());
    let (table, pool) = executor.templates();
    let mut outcomes = Vec::new();
    for (_, record) in table.recursions() {
        let found = record.templates.iter();
        outcomes.extend(found.map(|template| Ok(template.display(&pool, &program))));
        outcomes.extend(record.refused.iter().map(|(_, reason)| Err(reason.clone())));
    }
    outcomes
}

fn check_recursions(name: &str, texts: &[&str], folding: Folding) {
    let mut found = String::new();
    for text in texts {
        for outcome in recursions(text, folding) {
            match outcome {
                Ok(template) => found.push_str(&template),
                Err(reason) => found.push_str(&format!("no template: {reason}\n")),
            }
            found.push('\n');
        }
    }
    compare_golden(name, &found);
}

/// Figure 3 of arXiv 1201.4715.
const LIN_SRCH_REC: &str = "fn @linSrchRec(%A: p32, %n: i32, %x: i32, %i: i32) -> i32 {\n\
    reg %t: i32\n\
    reg %r: i32\n\
    a -> f: assume %i >=s %n\n\
    a -> b: assume %i <s %n\n\
    b -> c: %t = load (%A + (%i * 4:32))\n\
    c -> g: assume %t == %x\n\
    c -> d: assume %t != %x\n\
    d -> e: %r = call @linSrchRec(%A, %n, %x, %i + 1:32)\n\
    e -> h: return %r\n\
    f -> h: return -1:32\n\
    g -> h: return %i\n}\n";

/// Figure 4 (a): the way back branches.
const COUNT_IF_REC_A: &str = "fn @countIfRec(%A: p32, %n: i32, %x: i32, %i: i32) -> i32 {\n\
    reg %t: i32\n\
    reg %r: i32\n\
    a -> f: assume %i >=s %n\n\
    a -> b: assume %i <s %n\n\
    b -> c: %r = call @countIfRec(%A, %n, %x, %i + 1:32)\n\
    c -> d: %t = load (%A + (%i * 4:32))\n\
    d -> e: assume %t == %x; %r = %r + 1:32\n\
    d -> e: assume %t != %x\n\
    e -> h: return %r\n\
    f -> h: return 0:32\n}\n";

/// Figure 4 (b): the calls are below the branching.
const COUNT_IF_REC_B: &str = "fn @countIfRec(%A: p32, %n: i32, %x: i32, %i: i32) -> i32 {\n\
    reg %t: i32\n\
    reg %r: i32\n\
    a -> f: assume %i >=s %n\n\
    a -> b: assume %i <s %n\n\
    b -> c: %t = load (%A + (%i * 4:32))\n\
    c -> d: assume %t == %x\n\
    c -> e: assume %t != %x\n\
    d -> i: %r = call @countIfRec(%A, %n, %x, %i + 1:32)\n\
    i -> h: return %r + 1:32\n\
    e -> j: %r = call @countIfRec(%A, %n, %x, %i + 1:32)\n\
    j -> h: return %r\n\
    f -> h: return 0:32\n}\n";

/// n + (n − 1) + … + 1.
const SUM: &str = "fn @sum(%n: i32) -> i32 {\n\
    reg %r: i32\n\
    a -> f: assume %n == 0:32\n\
    a -> b: assume %n != 0:32\n\
    b -> c: %r = call @sum(%n - 1:32)\n\
    c -> h: return %n + %r\n\
    f -> h: return 0:32\n}\n";

/// Each return sets a global, and the last one that of the outermost frame.
const LAST: &str = "fn @last(%n: i32) {\n\
    a -> f: assume %n == 0:32\n\
    a -> b: assume %n != 0:32\n\
    b -> c: call @last(%n - 1:32)\n\
    c -> d: store %n to @counter\n\
    d -> h: return\n\
    f -> h: return\n}\n";

const FACTORIAL: &str = "fn @factorial(%n: i32) -> i32 {\n\
    reg %r: i32\n\
    a -> f: assume %n == 0:32\n\
    a -> b: assume %n != 0:32\n\
    b -> c: %r = call @factorial(%n - 1:32)\n\
    c -> h: return %n * %r\n\
    f -> h: return 1:32\n}\n";

#[test]
fn recursion() {
    let texts = [LIN_SRCH_REC, COUNT_IF_REC_A, COUNT_IF_REC_B, SUM, LAST];
    check_recursions("recursion", &texts, Folding::Loops);
}

/// As in the paper: there is a template for each call, and none where the way back branches.
#[test]
fn recursion_along_single_paths() {
    let texts = [LIN_SRCH_REC, COUNT_IF_REC_A, COUNT_IF_REC_B, SUM, LAST];
    check_recursions("recursion_cores", &texts, Folding::Cycles);
}

#[test]
fn a_product_over_the_frames_has_no_closed_form() {
    for folding in [Folding::Cycles, Folding::Loops] {
        let outcomes = recursions(FACTORIAL, folding);
        assert!(!outcomes.is_empty());
        for outcome in outcomes {
            let Err(NoTemplate::NoProgression { variable, step, .. }) = outcome else {
                panic!("{outcome:?}");
            };
            assert!(variable.starts_with("result"), "{variable}");
            assert!(step.contains('*'), "{step}");
        }
    }
}

/// What is not folded: calls behind calls, objects of frames, inputs on the way back.
#[test]
fn recursion_of_other_forms() {
    let function = |before: &str, behind: &str| {
        format!(
            "fn @f(%n: i32) -> i32 {{\nreg %r: i32\nreg %s: i32\nreg %p: p32\n\
             a -> g: assume %n == 0:32\na -> b: assume %n != 0:32\n\
             b -> c: {before}\nc -> d: %r = call @f(%n - 1:32)\n{behind}\n\
             e -> h: return %r + %s\ng -> h: return 0:32\n}}\n"
        )
    };
    let one = |text: &str| recursions(text, Folding::Loops).remove(0);
    let fibonacci = function("%s = %n", "d -> e: %s = call @f(%n - 2:32)");
    assert!(matches!(one(&fibonacci), Err(NoTemplate::Calls(_))));
    let object = function("%p = alloca 4:32 \"x\"; %s = %n", "d -> e");
    assert!(matches!(one(&object), Err(NoTemplate::Allocates(_))));
    let input = function("%s = %n", "d -> e: %s = input \"s\"");
    assert!(matches!(one(&input), Err(NoTemplate::Recursion { .. })));
    let folded = function("%s = input \"s\"", "d -> e");
    assert!(one(&folded).is_ok(), "{:?}", one(&folded));
}

/// A loop without an end that writes G\[i\], and does this besides.
fn writes_for_ever(step: &str) -> String {
    format!(
        "program block pointers 32 main @main\nglobal @G 256 zero\n\n\
         fn @main(%i: i8, %x: i8) -> i8 {{\n  reg %k: i8\n  \
         start -> head: %k = 0:8\n  \
         head -> body: assume %x != 0:8\n  \
         head -> after: assume %x == 0:8\n  \
         body -> head: store %x to @G + zext(%i, 32); {step}\n  \
         after -> out: return 0:8\n}}\n"
    )
}

#[test]
fn iterations_that_came_to_rest_write_the_same_again() {
    // κ has few bits, but there is no more to know of larger numbers.
    for step in ["%x = %x", "%k = 7:8"] {
        let [outcome] = outcomes(&writes_for_ever(step)).try_into().ok().unwrap();
        let template = outcome.template.unwrap();
        assert!(!template.contains("unsupported"), "{template}");
    }
    // Here an iteration that κ does not number writes elsewhere, or something else.
    for step in ["%i = %i + 1:8", "%x = input \"x\""] {
        for outcome in outcomes(&writes_for_ever(step)) {
            if let Ok(template) = outcome.template {
                assert!(
                    template.contains("unsupported: what memory holds after 2^"),
                    "{template}"
                );
            }
        }
    }
}

/// Where the run is at a limit, nobody walks along a core, however long it is.
#[test]
fn a_limit_ends_the_walk_along_a_core() {
    let edges: String = (0..200)
        .map(|number| format!("n{number} -> n{}: %i = %i + 1:8\n", number + 1))
        .collect();
    let text = format!(
        "program block pointers 32 main @main\n\
         fn @main(%n: i8) -> i8 {{\nreg %i: i8\n\
         start -> head: %i = 0:8\n\
         head -> n0: assume %i <u %n\n\
         head -> done: assume !(%i <u %n)\n\
         {edges}n200 -> head: %i = %i + 1:8\n\
         done -> end: return %i\n}}\n"
    );
    let program = program(&text);
    let work_after = |is_stopped: bool| {
        let options = ExecutionOptions::default();
        if is_stopped {
            options.budget.interrupt.raise();
        }
        let table = TemplateTable::new(100, Folding::Cycles);
        let (table, pool) =
            Executor::new(&program, SolverOptions::default().build(), table, options).templates();
        let n_computed = table.computed().map(|(_, records)| {
            let each = records
                .iter()
                .map(|record| record.templates.len() + record.refused.len());
            each.sum::<usize>()
        });
        (n_computed.sum::<usize>(), pool.work())
    };
    let (n_computed, whole) = work_after(false);
    assert!(n_computed > 0);
    let (n_computed, stopped) = work_after(true);
    assert_eq!(n_computed, 0, "what was cut short says nothing");
    assert!(stopped * 4 < whole, "{stopped} instead of {whole}");
}
