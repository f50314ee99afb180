//! Stretches on machine words against ordinary steps: the same state, term by term and cell by
//! cell, along whole edges, and never over an edge on which an ordinary step asks, branches or ends.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use compact_se::flowgraph::{BitSet, Program, verify};
use compact_se::memory::Memory;
use compact_se::semantics::{
    Admission, Ending, Machine, Oracle, Outcome, PathCondition, Reach, Scope, State, Stretch,
    Stretcher,
};
use compact_se::term::{TermId, TermPool};
use std::fmt::Write;

/// Everything that is no constant is feasible; counts the questions.
#[derive(Default)]
struct Asked {
    n_questions: u32,
}

impl Oracle for Asked {
    fn admits(&mut self, pool: &mut TermPool, _: &PathCondition, condition: TermId) -> Admission {
        if pool.is_false(condition) {
            return Admission::Infeasible;
        }
        self.n_questions += u32::from(!pool.is_true(condition));
        Admission::Feasible
    }
}

fn program(text: &str) -> Program {
    let program: Program = text
        .parse()
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    if let Err(error) = verify(&program) {
        panic!("{error:?}\n{text}");
    }
    program
}

/// With each location a place.
fn stretcher(program: &Program) -> Stretcher {
    let functions = program.functions.iter();
    let places = functions.map(|function| {
        let mut places = BitSet::new(function.n_nodes());
        for node in function.node_ids() {
            places.insert(node.index());
        }
        places
    });
    Stretcher::new(places.collect::<Vec<BitSet>>())
}

fn run(
    stretcher: &mut Stretcher,
    machine: &Machine,
    pool: &mut TermPool,
    state: &State,
    n_steps: u64,
) -> Option<Stretch> {
    let reach = Reach {
        scope: Scope {
            function: machine.program.main,
            depth: 0,
            body: None,
        },
        n_steps,
        is_due: &|_| false,
        is_over: &mut || false,
    };
    stretcher.run(machine, pool, state, reach)
}

fn assert_same_memory(lhs: &Memory, rhs: &Memory) {
    let ids = |memory: &Memory| -> Vec<_> { memory.objects().map(|(id, _)| id).collect() };
    assert_eq!(ids(lhs), ids(rhs), "the same objects");
    for ((_, one), (_, other)) in lhs.objects().zip(rhs.objects()) {
        let name = &one.info.name;
        assert_eq!(one.alive, other.alive, "{name} is alive");
        let one: Vec<_> = one.content.cells().collect();
        let other: Vec<_> = other.content.cells().collect();
        assert_eq!(one, other, "cells of {name}");
    }
}

fn assert_same(program: &Program, lhs: &State, rhs: &State) {
    assert_eq!(lhs.location, rhs.location, "location");
    assert_eq!(lhs.callers.len(), rhs.callers.len(), "callers");
    let frames = |state: &State| -> Vec<_> {
        let frames = std::iter::once(&state.frame).chain(state.callers.iter());
        frames.cloned().collect()
    };
    let mut function = lhs.location.function;
    for (one, other) in frames(lhs).iter().zip(&frames(rhs)) {
        let data = program.function(function);
        for reg in data.reg_ids() {
            let name = &data.reg(reg).name;
            assert_eq!(one.get(reg), other.get(reg), "{name} of {}", data.name);
        }
        assert_eq!(
            one.return_to, other.return_to,
            "where {} returns",
            data.name
        );
        assert_eq!(one.allocas, other.allocas, "stack of {}", data.name);
        if let Some((location, _)) = one.return_to {
            function = location.function;
        }
    }
    assert_same_memory(&lhs.memory, &rhs.memory);
    assert_eq!(lhs.path_cond.to_vec(), rhs.path_cond.to_vec(), "path");
    assert_eq!(lhs.inputs.len(), rhs.inputs.len(), "inputs");
    assert_eq!(lhs.decisions.len(), rhs.decisions.len(), "decisions");
}

/// What a path along stretches and ordinary steps consists of.
#[derive(Default, Debug)]
struct Path {
    on_words: u64,
    ordinary: u64,
}

/// Follows a path: each stretch is compared with the ordinary steps for which it stands.
fn follow(text: &str, rng: &mut fastrand::Rng) -> Path {
    let program = program(text);
    let mut pool = TermPool::new();
    let machine = Machine::new(&mut pool, &program);
    let mut stretcher = stretcher(&program);
    let mut state = machine.initial_state(&mut pool);
    let mut path = Path::default();
    while path.ordinary < 6 && path.on_words < 300 {
        let n_steps = [1, 7, 100_000][rng.usize(..3)];
        if let Some(stretch) = run(&mut stretcher, &machine, &mut pool, &state, n_steps) {
            assert!(stretch.n_steps <= n_steps, "limits hold");
            let before = machine.n_actions.get();
            for _ in 0..stretch.n_steps {
                let mut oracle = Asked::default();
                let mut successors = machine.step(&mut pool, &mut oracle, state).into_iter();
                assert_eq!(oracle.n_questions, 0, "a stretch answers no question");
                let (Some(Outcome::Running(next)), None) = (successors.next(), successors.next())
                else {
                    panic!("a stretch goes over an edge that branches or ends");
                };
                state = next;
            }
            assert_eq!(
                stretch.n_actions,
                machine.n_actions.get() - before,
                "actions"
            );
            assert_same(&program, &stretch.state, &state);
            // On from the stretch's own state, with what it knows.
            state = stretch.state;
            path.on_words += stretch.n_steps;
        }
        let successors = machine.step(&mut pool, &mut Asked::default(), state);
        let mut running: Vec<State> = (successors.into_iter())
            .filter_map(|outcome| match outcome {
                Outcome::Running(next) => Some(next),
                Outcome::Ended(..) | Outcome::Undecided { .. } => None,
            })
            .collect();
        if running.is_empty() {
            break;
        }
        state = running.swap_remove(rng.usize(..running.len()));
        path.ordinary += 1;
    }
    path
}

const OPERATORS: [&str; 13] = [
    "+", "-", "*", "udiv", "sdiv", "urem", "srem", "<<", ">>u", ">>s", "&", "|", "^",
];
const COMPARISONS: [&str; 10] = [
    "==", "!=", "<u", "<=u", ">u", ">=u", "<s", "<=s", ">s", ">=s",
];
/// Registers of one width.
const WIDTHS: [(u32, [&str; 2]); 5] = [
    (8, ["%a", "%b"]),
    (32, ["%w", "%z"]),
    (64, ["%g", "%h"]),
    (13, ["%s", "%r"]),
    (1, ["%t", "%f"]),
];

struct Maker {
    rng: fastrand::Rng,
}

impl Maker {
    fn one_of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.rng.usize(..texts.len())]
    }

    fn operand(&mut self, (bits, regs): (u32, [&str; 2])) -> String {
        if self.rng.u32(0..3) > 0 {
            return self.one_of(&regs).to_owned();
        }
        let mask = u64::MAX >> (64 - bits);
        let value = match self.rng.u32(0..3) {
            0 => self.rng.u64(0..4),
            1 => u64::from(bits),
            _ => self.rng.u64(..),
        };
        format!("{}:{bits}", value & mask)
    }

    fn address(&mut self) -> String {
        let at = match self.rng.u32(0..3) {
            0 => format!("{}:32", self.rng.u32(0..34)),
            1 => "zext(%a & 31:8, 32)".to_owned(),
            _ => "(zext(%b & 7:8, 32) * 4:32)".to_owned(),
        };
        match self.rng.u32(0..12) {
            0 => "%p".to_owned(),
            1 => "%q + 1:32".to_owned(),
            2 => format!("@tab + {at}"),
            3 => format!("@other + {at}"),
            _ => format!("@buf + {at}"),
        }
    }

    fn condition(&mut self) -> String {
        let width = WIDTHS[self.rng.usize(..4)];
        let op = self.one_of(&COMPARISONS);
        match self.rng.u32(0..8) {
            0 => format!("%p {op} %q"),
            1 => format!("%p {op} 0:32"),
            _ => format!("{} {op} {}", self.one_of(&width.1), self.operand(width)),
        }
    }

    fn step(&mut self) -> String {
        let width = WIDTHS[self.rng.usize(..WIDTHS.len())];
        let x = self.one_of(&width.1);
        match self.rng.u32(0..64) {
            0..=15 => {
                let op = self.one_of(&OPERATORS);
                format!("{x} = {} {op} {}", self.operand(width), self.operand(width))
            }
            16..=19 => format!("%t = {}", self.condition()),
            20 => "%w = zext(%a, 32)".to_owned(),
            21 => "%g = sext(%s, 64)".to_owned(),
            22 => "%s = trunc(%w, 13)".to_owned(),
            23 => "%a = trunc(%g, 8)".to_owned(),
            24 => "%z = sext(%b, 32)".to_owned(),
            25 => "%r = zext(%t, 13)".to_owned(),
            26 => "%a = %b, %b = %a".to_owned(),
            27 => "%w = %z, %z = %w + %z, %g = zext(%w, 64)".to_owned(),
            28 => format!(
                "{x} = ite(%t, {}, {})",
                self.operand(width),
                self.operand(width)
            ),
            29 => "%p = @buf + zext(%a & 31:8, 32)".to_owned(),
            30 => "%q = @buf + zext(%b & 31:8, 32)".to_owned(),
            31 => "%p = %p + 4:32".to_owned(),
            32 => "%q = %p - zext(%a & 3:8, 32)".to_owned(),
            33 => "%w = %p - %q".to_owned(),
            34 => "%q = @other".to_owned(),
            35 => "%p = ite(%t, %p, %q)".to_owned(),
            36 => format!("store %p to @links + {}:32", self.rng.u32(0..9)),
            37..=38 => format!("%q = load (@links + {}:32)", 4 * self.rng.u32(0..3)),
            39 => "store %q to @links + 4:32".to_owned(),
            40..=47 => format!("store {} to {}", self.operand(width), self.address()),
            48..=57 => format!("{x} = load ({})", self.address()),
            58 => format!("%b = load (@ext + {}:32)", self.rng.u32(0..8)),
            59 => "%x = zext(%g, 128)".to_owned(),
            60 => "store %x to @buf + 8:32".to_owned(),
            61 => "%x = load (@buf + 8:32)".to_owned(),
            62 => "%g = trunc(%x, 64)".to_owned(),
            _ => format!("{x} = input \"in\""),
        }
    }

    fn steps(&mut self, n: usize) -> String {
        let steps: Vec<String> = (0..n).map(|_| self.step()).collect();
        steps.join("; ")
    }

    fn body(&mut self, text: &mut String, call: &str) {
        let condition = self.condition();
        let (n, k) = (self.rng.usize(1..6), self.rng.usize(1..4));
        let _ = writeln!(text, "  head -> body: assume %n <u 40:8");
        let _ = writeln!(text, "  head -> out: assume %n >=u 40:8");
        let _ = writeln!(text, "  body -> middle: {}", self.steps(n));
        let _ = writeln!(text, "  middle -> left: assume {condition}");
        let _ = writeln!(text, "  middle -> right: assume !({condition})");
        let _ = writeln!(text, "  left -> join: {}", self.steps(k));
        let _ = writeln!(text, "  right -> join: {call}");
        let _ = writeln!(text, "  join -> head: %n = %n + 1:8");
    }

    fn program(&mut self) -> String {
        let mut text = String::from(
            "program block pointers 32 main @main\n\
             global @buf 40 zero\n\
             global @tab 36 const hex \"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20212223\"\n\
             global @other 40 hex \"00000000010000000000000000000000000000000000000000000000000000000000000000000000\", 8 = @tab\n\
             global @links 12 zero\n\
             global @ext 8 extern\n\n",
        );
        let registers = |text: &mut String| {
            for (bits, regs) in WIDTHS {
                for reg in regs {
                    let _ = writeln!(text, "  reg {reg}: i{bits}");
                }
            }
            text.push_str("  reg %n: i8\n  reg %x: i128\n  reg %p: p32\n  reg %q: p32\n");
        };
        text.push_str("fn @main(%u: i8) -> i8 {\n");
        registers(&mut text);
        let n = self.rng.usize(1..8);
        let start = "%p = @buf; %q = @buf + 5:32; store @buf to @links";
        let _ = writeln!(text, "  start -> head: {start}; {}", self.steps(n));
        let call = self.one_of(&["%a = call @f(%b, %p)", "%b = call *@f(%a, %q)"]);
        self.body(&mut text, call);
        text.push_str("  out -> end: return %a\n}\n\nfn @f(%k: i8, %l: p32) -> i8 {\n");
        registers(&mut text);
        text.push_str("  start -> head: %n = 36:8, %a = %k, %p = %l, %q = @buf\n");
        let step = self.step();
        self.body(&mut text, &step);
        text.push_str("  out -> end: return %a\n}\n");
        text
    }
}

#[test]
fn random_programs_take_the_same_states() {
    let mut total = Path::default();
    for seed in 0..300 {
        let mut maker = Maker {
            rng: fastrand::Rng::with_seed(seed),
        };
        let text = maker.program();
        let followed = std::panic::catch_unwind(|| {
            let mut rng = fastrand::Rng::with_seed(seed + 1);
            follow(&text, &mut rng)
        });
        let path = followed.unwrap_or_else(|_| panic!("seed {seed}\n{text}"));
        total.on_words += path.on_words;
        total.ordinary += path.ordinary;
    }
    // Or the test would say little.
    assert!(total.on_words > total.ordinary, "{total:?}");
}

/// A loop of ten iterations around these steps.
fn around(steps: &str) -> String {
    format!(
        "program block pointers 32 main @main\n\
         global @buf 10 zero\n\
         global @fixed 4 const hex \"01020304\"\n\
         global @ext 8 extern\n\n\
         fn @main(%u: i8) -> i8 {{\n\
         \x20 reg %i: i8\n  reg %v: i8\n  reg %w: i32\n  reg %h: p32\n  reg %k: i8\n\
         \x20 start -> head: %i = 0:8; %v = 7:8; %k = %u\n\
         \x20 head -> body: assume %i <u 10:8\n\
         \x20 head -> out: assume %i >=u 10:8\n\
         \x20 body -> head:\n    {}\n    %i = %i + 1:8\n\
         \x20 out -> end: return %v\n}}\n",
        steps.replace("; ", "\n    ")
    )
}

/// How many edges the first stretch goes along.
fn length(steps: &str) -> (u64, Ending) {
    let text = around(steps);
    follow(&text, &mut fastrand::Rng::with_seed(0));
    let program = program(&text);
    let mut pool = TermPool::new();
    let machine = Machine::new(&mut pool, &program);
    let state = machine.initial_state(&mut pool);
    let mut stretcher = stretcher(&program);
    let stretch = run(&mut stretcher, &machine, &mut pool, &state, u64::MAX).unwrap();
    (stretch.n_steps, stretch.ending)
}

/// All of the loop of [`around`], up to the return of `main`.
const WHOLE: u64 = 1 + 2 * 10 + 1;

/// Up to the loop's body in this iteration, from 0.
fn until(iteration: u64) -> u64 {
    2 + 2 * iteration
}

#[test]
fn stretches_end_where_words_do_not_do() {
    let i = "zext(%i, 32)";
    let cases = [
        ("%v = %v + %i".to_owned(), WHOLE),
        // Values that are not known can be moved, not computed with.
        ("%v = %k".to_owned(), WHOLE),
        ("%v = %k + 0:8".to_owned(), until(0)),
        (
            "store %k to @buf + 3:32; %v = load (@buf + 3:32)".to_owned(),
            WHOLE,
        ),
        (
            "store %k to @buf + 3:32; %w = load (@buf)".to_owned(),
            until(0),
        ),
        // In and out of bounds, by one.
        (format!("store %v to @buf + {i}"), WHOLE),
        (format!("store %v to @buf + ({i} + 1:32)"), until(9)),
        (format!("%w = load (@buf + {i})"), until(7)),
        (format!("%v = load (@fixed + {i})"), until(4)),
        ("store %v to @fixed".to_owned(), until(0)),
        ("%v = load (@buf - 1:32)".to_owned(), until(0)),
        // Content that is arbitrary, but for what was written over it.
        ("%v = load (@ext + 2:32)".to_owned(), until(0)),
        (
            format!("store %v to @ext + 2:32; %v = load (@ext + (2:32 + ({i} & 0:32)))"),
            WHOLE,
        ),
        // No pointers, freed memory, memory that is made.
        ("%v = load 0:32".to_owned(), until(0)),
        ("%v = load 1000:32".to_owned(), until(0)),
        ("%h = malloc(4:32)".to_owned(), until(0)),
        (
            "%h = @buf; %v = ite(%h == 0:32, 1:8, 2:8)".to_owned(),
            WHOLE,
        ),
        ("%v = ite(@buf == @fixed, 1:8, 2:8)".to_owned(), WHOLE),
        ("%v = ite(@buf <u @fixed, 1:8, 2:8)".to_owned(), until(0)),
        (
            "%v = ite(@buf <u (@buf - 1:32), 1:8, 2:8)".to_owned(),
            WHOLE,
        ),
        (
            "%v = ite((@buf + 10:32) == @fixed, 1:8, 2:8)".to_owned(),
            until(0),
        ),
        ("%h = @buf; %h = %h & -4:32".to_owned(), until(0)),
        // SMT-LIB's division and shifts, which branchings guard in programs.
        ("%v = %v udiv (%i & 0:8)".to_owned(), WHOLE),
        ("%v = %v << %i; %v = %v >>s 200:8".to_owned(), WHOLE),
        ("%k = input \"in\"".to_owned(), until(0)),
        ("assume %i <u 5:8".to_owned(), until(5)),
    ];
    for (steps, expected) in cases {
        assert_eq!(length(&steps), (expected, Ending::Halted), "{steps}");
    }
}

#[test]
fn freed_memory_is_not_accessed() {
    let text = "program block pointers 32 main @main\n\n\
        fn @main() -> i8 {\n  reg %h: p32\n  reg %v: i8\n\
        \x20 start -> head: %h = calloc(1:32, 4:32)\n\
        \x20 head -> used: %v = load %h\n\
        \x20 used -> freed: free(%h)\n\
        \x20 freed -> read: %v = load %h\n\
        \x20 read -> end: return %v\n}\n";
    let program = program(text);
    let mut pool = TermPool::new();
    let machine = Machine::new(&mut pool, &program);
    let mut stretcher = stretcher(&program);
    let mut state = machine.initial_state(&mut pool);
    let mut lengths = Vec::new();
    for _ in 0..4 {
        let stretch = run(&mut stretcher, &machine, &mut pool, &state, u64::MAX);
        lengths.push(stretch.map_or(0, |stretch| stretch.n_steps));
        let mut successors = machine.step(&mut pool, &mut Asked::default(), state);
        match successors.pop() {
            Some(Outcome::Running(next)) => state = next,
            _ => break,
        }
    }
    assert_eq!(lengths, [0, 1, 0, 0]);
}

#[test]
fn limits_hold_within_a_stretch() {
    let text = around("%v = %v + 1:8").replace("%i = %i + 1:8", "%i = 1:8");
    let program = program(&text);
    let mut pool = TermPool::new();
    let machine = Machine::new(&mut pool, &program);
    let state = machine.initial_state(&mut pool);
    let mut stretcher = stretcher(&program);
    let stretch = run(&mut stretcher, &machine, &mut pool, &state, 1001).unwrap();
    assert_eq!((stretch.n_steps, stretch.ending), (1001, Ending::Spent));
    let mut n_looks = 0;
    let scope = Scope {
        function: program.main,
        depth: 0,
        body: None,
    };
    let reach = Reach {
        scope,
        n_steps: u64::MAX,
        is_due: &|_| false,
        is_over: &mut || {
            n_looks += 1;
            n_looks == 3
        },
    };
    let stretch = stretcher.run(&machine, &mut pool, &state, reach).unwrap();
    assert_eq!(stretch.ending, Ending::Spent);
    assert!(stretch.n_steps < 1 << 20, "{} edges", stretch.n_steps);
    let reach = Reach {
        scope,
        n_steps: u64::MAX,
        is_due: &|place| place == 17,
        is_over: &mut || false,
    };
    let stretch = stretcher.run(&machine, &mut pool, &state, reach).unwrap();
    assert_eq!((stretch.n_places, stretch.ending), (16, Ending::Due));
}
