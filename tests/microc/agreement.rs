//! Interpreter, flowgraph and executor agree on random programs.

use super::{analysed, checked, interpreted, loaded, loaded_with};
use crate::frontend::interpreter::{self, Inputs};
use compact_se::flowgraph::{Action, Builtin, EndKind, Granularity};
use compact_se::frontend::microc::{End, ast::Position};
use compact_se::replay::LanguageError;
use compact_se::symex::Verdict;
use compact_se::term::{Bv, Work};
use reproduce::microc::Generator;
use std::collections::BTreeSet;
use std::ops::Range;

/// Times as many programs as usually.
fn factor() -> u64 {
    let factor = std::env::var("MICROC_FACTOR").ok();
    factor.map_or(1, |factor| {
        factor.parse().expect("MICROC_FACTOR is a number")
    })
}

/// The seeds of so many programs, times the factor, or half of them where the run is not thorough; with
/// `MICROC_PART=2/8` the second of eight parts of them.
pub(super) fn seeds(n_usually: u64) -> Range<u64> {
    let n_all = crate::support::seeds(0..n_usually).end * factor();
    let part = std::env::var("MICROC_PART").ok();
    let (part, of) = part.as_deref().map_or((1, 1), |text| {
        let (part, of) = text.split_once('/').expect("MICROC_PART is n/m");
        let number = |text: &str| text.parse::<u64>().expect("MICROC_PART has numbers");
        (number(part), number(of))
    });
    assert!((1..=of).contains(&part), "MICROC_PART is one of the parts");
    n_all * (part - 1) / of..n_all * part / of
}

pub(super) fn program(seed: u64) -> String {
    let generator = Generator {
        seed,
        for_loops: 0.15,
        loops: 0.05,
        block_depth: 2,
        top_level_statements: 6,
        block_statements: 3,
        divisions: seed.is_multiple_of(2),
        guarded: seed % 3 != 1,
        error_guaranteed: seed.is_multiple_of(4),
        functions: u32::try_from(seed % 3).unwrap(),
    };
    generator.program().to_string()
}

/// Inputs that lead to different places: small numbers mostly, and the ends of the range.
pub(super) fn inputs(random: &mut fastrand::Rng) -> Vec<i32> {
    let number = |random: &mut fastrand::Rng| match random.u8(0..12) {
        0 => i32::MIN,
        1 => i32::MAX,
        2 => random.i32(..),
        _ => random.i32(-4..12),
    };
    (0..300).map(|_| number(random)).collect()
}

/// The lowered program does what the interpreter does, in either granularity, with functions in
/// the place of their calls or not. Accesses that the interpreter refuses are not compared: the
/// interpreter of flowgraphs knows no objects.
#[test]
fn flowgraphs_do_what_the_interpreter_does() {
    let (mut n_returned, mut n_errors) = (0, 0);
    for seed in seeds(150) {
        let text = program(seed);
        let source = checked(&text);
        let lowered = loaded_with(&text, |options| {
            options.inline = seed % 2 == 0;
            if seed % 5 == 0 {
                options.granularity = Granularity::Split;
            }
        });
        let mut random = fastrand::Rng::with_seed(seed);
        for _ in 0..10 {
            let numbers = inputs(&mut random);
            let given = numbers.iter().map(|n| Bv::from_i64(32, i64::from(*n)));
            let (end, _) = interpreted(&source, &numbers);
            let wanted = match end {
                End::Returned(value) => {
                    interpreter::End::Returned(u64::from(u32::from_ne_bytes(value.to_ne_bytes())))
                }
                End::Error(LanguageError::DivisionByZero, _) => {
                    interpreter::End::Ended(EndKind::DivisionTrap)
                }
                End::Error(LanguageError::Uninitialised, _) => {
                    interpreter::End::Ended(EndKind::Uninitialised)
                }
                End::Error(LanguageError::NullDereference, _) => interpreter::End::InvalidAccess,
                End::Error(LanguageError::OutOfBounds, _) | End::Limit(_) | End::EndOfInput(_) => {
                    continue;
                }
                End::Target(_) => unreachable!("there is no target"),
                End::Endless(_) => unreachable!("nothing looks for endless loops"),
            };
            let mut machine =
                interpreter::Machine::new(&lowered.program, Inputs::new(given.collect(), seed));
            let other = machine.run();
            if other == interpreter::End::TooLong {
                continue;
            }
            if matches!(end, End::Returned(_)) {
                n_returned += 1;
            } else {
                n_errors += 1;
            }
            assert_eq!(other, wanted, "seed {seed}, inputs {numbers:?}\n{text}");
        }
    }
    assert!(
        n_returned > 100,
        "only {n_returned} runs came to their ends"
    );
    assert!(n_errors > 10, "only {n_errors} runs ended with errors");
}

/// Where the executor says that there is no error, or that it knows all, no input leads to another
/// one; what it finds was confirmed by the interpreter.
#[test]
fn verdicts_hold_for_random_inputs() {
    let (mut n_safe, mut n_unsafe, mut n_all) = (0, 0, 0);
    for seed in seeds(60) {
        let text = program(seed);
        let source = checked(&text);
        let lowered = loaded(&text);
        let report = analysed(&lowered, Work::millis(1500), true);
        let found: Vec<Position> = match &report.verdict {
            Verdict::Reachable(first) => {
                n_unsafe += 1;
                let all = std::iter::once(&**first).chain(&report.further_errors);
                all.map(|witness| Position {
                    line: witness.target.line,
                    column: witness.target.column,
                })
                .collect()
            }
            Verdict::Unreachable => {
                n_safe += 1;
                Vec::new()
            }
            Verdict::Unknown => continue,
        };
        let found: BTreeSet<Position> = found.into_iter().collect();
        if report.exhausted().is_some() || report.reasons.iter().next().is_some() {
            continue;
        }
        n_all += 1;
        let mut random = fastrand::Rng::with_seed(seed);
        for _ in 0..100 {
            let numbers = inputs(&mut random);
            if let (End::Error(error, at), _) = interpreted(&source, &numbers) {
                assert!(
                    found.contains(&at),
                    "seed {seed}: {error} at {at} is missing in {found:?}, inputs {numbers:?}\n{text}"
                );
            }
        }
    }
    eprintln!("{n_safe} safe, {n_unsafe} unsafe, {n_all} with all errors known");
    assert!(
        n_safe >= 2 && n_unsafe >= 5 && n_all >= 7,
        "{n_safe} {n_unsafe} {n_all}"
    );
}

/// Objects that are made on some path.
fn n_made(text: &str) -> usize {
    let lowered = loaded(text);
    let functions = lowered.program.functions.iter();
    let edges = functions.flat_map(|function| function.edge_ids().map(|edge| function.edge(edge)));
    let steps = edges.flat_map(|edge| &edge.steps);
    let is_made = |action: &Action| {
        let builtin = Builtin::Calloc;
        matches!(action, Action::Builtin { builtin: made, .. } if *made == builtin)
    };
    steps.filter(|step| is_made(&step.action)).count()
}

/// An object is made only if somebody may look at it.
#[test]
fn objects_that_nobody_reads_are_not_made() {
    let unread = [
        "p = alloc 7;",
        "p = alloc input; p = &v; v = *p;",
        "p = alloc 7; q = p;",
        "a = [v, 1 / 3];",
        "r = {x: v, y: 2};",
    ];
    for statements in unread {
        // The cell of v, where there is one.
        let n_cells = usize::from(statements.contains('&'));
        let text = format!("main() {{ var v, p, q, a, r; v = 3; {statements} return v; }}");
        assert_eq!(n_made(&text), n_cells, "{text}");
    }
    let read = [
        "p = alloc 7; v = *p;",
        "p = alloc 7; *p = 8; if (v == 2) v = *p;",
        "p = alloc 7; if (p == p) v = 4;",
        "q = &v; p = alloc q; v = **p;",
        "a = [v, 1]; v = a[1];",
        "a = [v, 1]; v = a[v];",
        "a = [v, 1]; a[2] = 3;",
        "a = [v, 1]; a[v] = 3;",
        "r = {x: v, y: 2}; v = r.y;",
        "p = alloc 7; while (v < 9) { v = v + *p; p = alloc 1; }",
    ];
    for statements in read {
        let n_objects = statements.matches(['[', '{']).count().min(1);
        let n_objects = n_objects.max(statements.matches("alloc").count());
        let n_cells = usize::from(statements.contains('&'));
        let text = format!("main() {{ var v, p, q, a, r; v = 3; {statements} return v; }}");
        assert_eq!(n_made(&text), n_objects + n_cells, "{text}");
    }
}

/// A loop that makes objects which nobody reads has a template; what is behind a loop without an end is not reached.
#[test]
fn loops_that_make_what_nobody_reads_are_decided() {
    for (statements, is_safe) in [
        (
            "while (i < n) { p = alloc i; i = i + 1; } if (n > 0) i = 1 / (n - i + 1);",
            true,
        ),
        (
            "while (i < n) { p = alloc i; i = i + 1; } if (n > 0) i = 1 / (n - i);",
            false,
        ),
        (
            "while (7) { while (i < n) { p = alloc i; i = i + 1; } i = 0; n = input; } i = *p / 0;",
            true,
        ),
        (
            "while (!0) { n = input; if (n == 7) i = 1 / (0 * n); }",
            false,
        ),
    ] {
        let text = format!(
            "main() {{ var n, i, p; n = input; i = 0; p = alloc 1; {statements} return i; }}"
        );
        let report = analysed(&loaded(&text), Work::seconds(5), false);
        let is_expected = match report.verdict {
            Verdict::Unreachable => is_safe,
            Verdict::Reachable(_) => !is_safe,
            Verdict::Unknown => false,
        };
        assert!(is_expected, "{:?}: {text}", report.verdict);
    }
}
