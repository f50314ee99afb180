//! Random programs against the interpreter.

use super::follow::{Arrival, Follower};
use super::generate::{self, Tested};
use super::interpreter::{Inputs, run};
use super::run::{Reach, Technique, closed_tree, program, tree};
use crate::support::{is_thorough, sample, seeds};
use compact_se::flowgraph::Program;
use compact_se::symex::Report;
use compact_se::template::Rule;
use std::collections::BTreeMap;

/// What was seen over many programs.
#[derive(Default, Debug)]
struct Seen {
    arrivals: BTreeMap<(&'static str, &'static str), usize>,
    rules: BTreeMap<Rule, usize>,
    n_templates: usize,
    n_loop_templates: usize,
    /// Those whose exits are the ways through an automaton.
    n_automata: usize,
    /// Leaves at which a run went on from the node that subsumes them.
    n_subsumed: usize,
}

const REACH: Reach = Reach {
    steps: 60,
    nodes: 1500,
};

fn check(text: &str, name: &str, n_runs: u64, seen: &mut Seen) {
    let program = program(text);
    for technique in [Technique::Classic, Technique::Cycles, Technique::Loops] {
        let report = tree(&program, technique, REACH);
        let context = format!("{name}, {technique:?}\n{text}");
        check_tree(&program, technique, report, &context, (n_runs, 3000), seen);
    }
}

/// The same for a tree in which subsumed states are closed.
fn check_closed(text: &str, name: &str, technique: Technique, n_runs: u64, seen: &mut Seen) {
    let program = program(text);
    let report = closed_tree(&program, technique, REACH);
    let context = format!("{name}, {technique:?}, closed\n{text}");
    // Each time that a run comes by a subsumed leaf costs a query.
    check_tree(&program, technique, report, &context, (n_runs, 150), seen);
}

fn check_tree(
    program: &Program,
    technique: Technique,
    mut report: Report,
    context: &str,
    (n_runs, n_most): (u64, usize),
    seen: &mut Seen,
) {
    seen.note_rules(&report.table);
    let mut follower = Follower::new(program, &mut report);
    for seed in 0..n_runs {
        let inputs = Inputs::new(seed);
        let run = run(program, &inputs, n_most);
        let context = format!("inputs {seed}, {context}");
        let arrival = match follower.follow(&inputs, &run, &context) {
            Arrival::End => "end",
            Arrival::Cut => "cut",
            Arrival::Undecided => "undecided",
            Arrival::Repeats => "repeats",
        };
        let technique = match technique {
            Technique::Classic => "classic",
            Technique::Cycles => "cycles",
            Technique::Loops => "loops",
        };
        *seen.arrivals.entry((technique, arrival)).or_default() += 1;
    }
    seen.n_subsumed += follower.n_subsumed;
}

impl Seen {
    fn note_rules(&mut self, table: &compact_se::template::TemplateTable) {
        let records = table.computed().flat_map(|(_, records)| records);
        let of_cycles: Vec<_> = records.flat_map(|record| &record.templates).collect();
        let records = table.computed_loops().map(|(_, record)| record);
        let of_loops: Vec<_> = records.flat_map(|record| &record.templates).collect();
        self.n_templates += of_cycles.len();
        self.n_loop_templates += of_loops.len();
        let by_automata = of_loops.iter().filter(|one| one.is_by_automaton());
        self.n_automata += by_automata.count();
        for template in of_cycles.into_iter().chain(of_loops) {
            for progression in &template.progressions {
                *self.rules.entry(progression.rule).or_default() += 1;
            }
        }
    }
}

/// How many times as many programs the environment asks for.
pub fn factor() -> u64 {
    std::env::var("DIFFERENTIAL_FACTOR").map_or(1, |text| {
        text.parse().expect("DIFFERENTIAL_FACTOR is a number")
    })
}

/// Looks at the programs with these seeds, and as many more as the environment asks for.
fn check_random_programs(seeds: std::ops::Range<u64>) {
    let factor = factor();
    let mut seen = Seen::default();
    for seed in seeds.start * factor..seeds.end * factor {
        let _at = Announce(seed);
        let text = generate::program(seed);
        let name = format!("program {seed}");
        check(&text, &name, 12, &mut seen);
        let closed = if seed % 2 == 0 {
            Technique::Classic
        } else {
            Technique::Loops
        };
        check_closed(&text, &name, closed, 6, &mut seen);
    }
    println!("{seen:?}");
    let all = seen.arrivals.values().sum::<usize>() / 4;
    for technique in ["cycles", "loops"] {
        let at_end = seen.arrivals[&(technique, "end")];
        assert!(at_end * 2 > all, "{at_end} of {all} runs came to an end");
    }
    assert!(seen.n_loop_templates > 0, "no whole loop was folded");
    assert!(seen.n_subsumed > 0, "no run came by a subsumed leaf");
    for rule in RULES {
        let n = seen.rules.get(&rule).copied().unwrap_or(0);
        assert!(n > 0, "no template used the rule {}", rule.name());
    }
}

const RULES: [Rule; 7] = [
    Rule::Unchanged,
    Rule::Arithmetic,
    Rule::Polynomial,
    Rule::Geometric,
    Rule::Alternating,
    Rule::Comprehension,
    Rule::Reset,
];

/// A scheduler with three places, a mode and a flag that are set anew in each iteration: all runs
/// of any length are in a finite tree. `%f` is live, and what the path says of it matters.
#[test]
fn covered_leaves() {
    let text = "program block pointers 32 main @main\n\
        global @mode 1 zero\nglobal @turn 1 zero\nglobal @kept 4 extern\n\
        fn @main(%p: i8, %q: i8) -> i8 {\n\
        reg %c: i8\nreg %f: i8\nreg %m: i8\n\
        start -> head: %f = %p\n\
        head -> asked: %c = input \"c\"\n\
        asked -> set: assume %c == 1:8\n\
        asked -> other: assume %c != 1:8\n\
        set -> head: store 1:8 to @mode; %f = %c + %q\n\
        other -> unset: assume %c <u 100:8\n\
        other -> look: assume %c >=u 100:8\n\
        unset -> head: store 0:8 to @mode; store %c to @turn; store %c to @turn\n\
        look -> loaded: %m = load @mode; %c = load @turn\n\
        loaded -> stop: assume %m == %f\n\
        stop -> end: return %m\n\
        loaded -> done: assume %m != %f; store 0:8 to @turn\n\
        done -> head: assume %c <u 50:8\n\
        done -> hit: assume %c >=u 50:8\n\
        hit -> stop: target\n}\n";
    for technique in [Technique::Classic, Technique::Cycles, Technique::Loops] {
        let mut seen = Seen::default();
        check_closed(text, "subsumed leaves", technique, 8, &mut seen);
        println!("{seen:?}");
        assert!(seen.n_subsumed > 8, "{} leaves", seen.n_subsumed);
    }
}

/// A bound that only a counter is compared with: one tree for all bounds, also where the counter
/// starts beyond the bound, and where it goes iteration once more than it was compared.
#[test]
fn counters_that_matter_by_their_distance() {
    for (order, start, steps) in [
        ("u", "0:8", "%i = %i + 1:8"),
        ("s", "0:8", "%i = %i + 1:8"),
        ("s", "%q", "%i = %i + 1:8"),
        ("u", "0:8", "%i = %i + 1:8; %i = %i + 1:8"),
        ("u", "0:8", "%i = %i + 2:8"),
    ] {
        let text = format!(
            "program block pointers 32 main @main\n\
            global @mode 1 zero\n\
            fn @main(%p: i8, %q: i8) -> i8 {{\n\
            reg %i: i8\nreg %c: i8\nreg %m: i8\n\
            start -> head: %i = {start}\n\
            head -> body: assume %i <{order} %p\n\
            head -> out: assume %i >={order} %p\n\
            body -> asked: {steps}; %c = input \"c\"\n\
            asked -> set: assume %c <u 40:8\n\
            asked -> keep: assume %c >=u 40:8\n\
            set -> head: store 1:8 to @mode\n\
            keep -> head: store 2:8 to @mode\n\
            out -> stop: %m = load @mode\n\
            stop -> end: return %m\n}}\n"
        );
        for technique in [Technique::Classic, Technique::Cycles, Technique::Loops] {
            let mut seen = Seen::default();
            check_closed(&text, "distances", technique, 6, &mut seen);
            println!("{steps} from {start}: {seen:?}");
        }
    }
}

/// `%d` is dead at the entry of the loop and live where the loop is left in the middle of an
/// iteration, with the value that it seems to have at the entry.
#[test]
fn registers_set_in_the_last_iteration() {
    let text = "program block pointers 32 main @main\n\
        fn @main(%p: i8, %q: i8) -> i8 {\n\
        reg %a: i8\nreg %d: i8\n\
        start -> head: %a = 0:8; %d = 7:8\n\
        head -> body: assume %a <u %p\n\
        head -> done: assume %a >=u %p\n\
        body -> test: %d = 0:8\n\
        test -> join: assume %a != %q\n\
        test -> found: assume %a == %q\n\
        join -> head: %a = %a + 1:8\n\
        done -> found: %d = 1:8\n\
        found -> end: return %d\n}\n";
    let mut seen = Seen::default();
    check(text, "registers set in the last iteration", 40, &mut seen);
    assert_eq!(seen.n_templates, 2, "a loop that is one cycle");
    assert_eq!(seen.n_loop_templates, 0);
    assert_eq!(seen.arrivals[&("loops", "end")], 40);
}

/// The same where the exits are the ways through an automaton: `%d` is dead at the header, and a path
/// that leaves the loop sets it to what a register has that nothing was assigned to.
#[test]
fn registers_set_on_the_last_way_through_an_automaton() {
    let text = "program block pointers 32 main @main\n\
        fn @main(%p: i8, %q: i8) -> i8 {\n\
        reg %a: i8\nreg %b: i8\nreg %d: i8\n\
        start -> head: %a = 0:8; %b = 0:8; %d = 7:8\n\
        head -> body: assume %a <u (%p & 15:8)\n\
        head -> done: assume %a >=u (%p & 15:8)\n\
        body -> up: assume %b <u (%q & 7:8)\n\
        body -> over: assume %b >=u (%q & 7:8)\n\
        up -> head: %b = %b + 1:8\n\
        over -> test: %d = 0:8\n\
        test -> join: assume %a != 6:8\n\
        test -> found: assume %a == 6:8\n\
        join -> head: %a = %a + 1:8\n\
        done -> found: %d = 1:8\n\
        found -> end: return %d\n}\n";
    let mut seen = Seen::default();
    check(text, "registers set on the last way", 60, &mut seen);
    assert!(seen.n_automata > 0, "{seen:?}");
    assert!(seen.arrivals[&("loops", "end")] > 40, "{seen:?}");
}

/// What some iterations do only: a sum, a flag, a write; and a loop inside that adds up.
#[test]
fn iterations_of_several_paths() {
    let text = "program block pointers 32 main @main\n\
        global @table 16 extern\nglobal @buffer 32 extern\n\
        fn @main(%p: i8, %q: i8) -> i8 {\n\
        reg %a: i8\nreg %b: i8\nreg %c: i8\nreg %d: i8\nreg %j: i8\nreg %t: i8\n\
        start -> head: %a = 0:8; %b = %q; %c = 0:8; %d = 9:8\n\
        head -> read: assume %a <u %p\n\
        head -> done: assume !(%a <u %p)\n\
        read -> test: %t = load (@table + zext(%a & 15:8, 32))\n\
        test -> small: assume %t <u 3:8\n\
        test -> large: assume !(%t <u 3:8)\n\
        small -> inner: %b = %b + %t; store %q to @buffer + zext(%a, 32); %j = 0:8\n\
        large -> last: assume %t == %q\n\
        large -> inner: assume !(%t == %q); %d = 4:8; %j = %a\n\
        last -> done: %c = %t\n\
        inner -> more: assume %j <u %a\n\
        inner -> join: assume !(%j <u %a)\n\
        more -> inner: %j = %j + 1:8; %c = %c + 3:8\n\
        join -> head: %a = %a + 1:8\n\
        done -> end: return (%b + %c) + %d\n}\n";
    let mut seen = Seen::default();
    check(text, "iterations of several paths", 60, &mut seen);
    for rule in [Rule::Sum, Rule::Flag, Rule::Comprehension] {
        assert!(
            seen.rules.contains_key(&rule),
            "no rule {}: {seen:?}",
            rule.name()
        );
    }
    assert!(seen.arrivals[&("loops", "end")] > 40, "{seen:?}");
}

/// An inner loop with two exits, after both of which the iteration of the outer one goes on: which
/// one it is decides how far `j` has come.
#[test]
fn inner_loops_with_two_exits() {
    let text = "program block pointers 32 main @main\n\
        fn @main(%n: i8, %x: i8) -> i8 {\n\
        reg %i: i8\nreg %j: i8\nreg %s: i8\n\
        start -> head: %i = 0:8; %s = 0:8\n\
        head -> inner: assume %i <u (%n & 7:8); %j = 0:8\n\
        head -> done: assume %i >=u (%n & 7:8)\n\
        inner -> body: assume %j <u 5:8\n\
        inner -> after: assume %j >=u 5:8\n\
        body -> inner: assume %j != (%x & 7:8); %j = %j + 1:8\n\
        body -> after: assume %j == (%x & 7:8)\n\
        after -> head: %s = %s + %j; %i = %i + 1:8\n\
        done -> end: return %s\n}\n";
    let mut seen = Seen::default();
    check(text, "two exits", 40, &mut seen);
    println!("{seen:?}");
    assert!(seen.n_loop_templates > 1, "{seen:?}");
}

#[test]
fn random_programs() {
    check_random_programs(0..30);
}

#[test]
fn more_random_programs() {
    if is_thorough() {
        check_random_programs(30..60);
    }
}

/// Loops with phases, turns and resets, on eight bits: what a run does is what the one exit says that
/// takes it up, after as many iterations.
fn check_phases(seeds: std::ops::Range<u64>, tested: Tested) {
    let factor = factor();
    let mut seen = Seen::default();
    for seed in seeds.start * factor..seeds.end * factor {
        let text = generate::phases(seed, tested);
        check(&text, &format!("phases {seed}"), 12, &mut seen);
    }
    println!("{seen:?}");
    let n_programs = usize::try_from((seeds.end - seeds.start) * factor).unwrap();
    assert!(seen.n_automata * 4 > n_programs, "{seen:?}");
    let at_end = seen.arrivals[&("loops", "end")];
    assert!(at_end * 2 > n_programs * 5, "{seen:?}");
}

#[test]
fn random_phases() {
    check_phases(seeds(0..20), Tested::AtStart);
}

#[test]
fn more_random_phases() {
    if is_thorough() {
        check_phases(20..40, Tested::AtStart);
    }
}

/// A loop as long as `%n & 15` is not reached by this counter, in which paths are told apart one after
/// the other by their conditions; the last is taken where no other is.
fn told_apart(counter: &str, start: &str, paths: &[(&str, &str)]) -> String {
    let mut text = format!(
        "program block pointers 32 main @main\n\
        fn @main(%n: i8, %k: i8, %q: i8) -> i8 {{\n\
        reg %i: i8\nreg %j: i8\nreg %c: i8\nreg %d: i8\n\
        start -> head: %i = 0:8; %c = 0:8; %d = 0:8; {start}\n\
        head -> test0: assume {counter} <u (%n & 15:8)\n\
        head -> out: assume {counter} >=u (%n & 15:8)\n"
    );
    let count = if counter == "%i" {
        "; %i = %i + 1:8"
    } else {
        ""
    };
    for (number, (condition, steps)) in paths.iter().enumerate() {
        let next = number + 1;
        if next == paths.len() {
            text += &format!("test{number} -> head: {steps}{count}\n");
        } else {
            text += &format!(
                "test{number} -> path{number}: assume {condition}\n\
                test{number} -> test{next}: assume !({condition})\n\
                path{number} -> head: {steps}{count}\n"
            );
        }
    }
    text + "out -> end: return (%c + %j) + %d\n}\n"
}

/// Turns in which a path is taken for a number of iterations that is a term: after the first turn
/// another number than in it, and exits in the middle of them. In the last there is a turn within the
/// turn.
#[test]
fn periods_that_are_terms() {
    let up = ("%j <u (%k & 3:8)", "%j = %j + 1:8");
    let over = ("", "%j = 0:8; %c = %c + 1:8");
    let further = ("%j <u ((%k & 3:8) + 2:8)", "%j = %j + 1:8");
    let to_bit = ("", "%j = %j & 1:8; %c = %c + 1:8");
    let rise = ("(%d == 0:8) & (%j <u ((%k & 2:8) | 1:8))", "%j = %j + 1:8");
    let top = ("%d == 0:8", "%d = 1:8");
    let fall = ("%j >u 0:8", "%j = %j - 1:8; %c = %c + 3:8");
    let bottom = ("", "%d = 0:8; %c = %c + 1:8");
    let carry = ("%d <u 2:8", "%j = 0:8; %d = %d + 1:8");
    let both = ("", "%j = 0:8; %d = 0:8; %c = %c + 1:8");
    let loops = [
        ("%j = 0:8", vec![up, over]),
        ("%j = %q & 7:8", vec![up, over]),
        ("%j = %q", vec![further, to_bit]),
        ("%j = 0:8", vec![rise, top, fall, bottom]),
        ("%j = 0:8", vec![further, carry, both]),
    ];
    for (start, paths) in sample(loops, 0, 5) {
        let text = told_apart("%i", start, &paths);
        let mut seen = Seen::default();
        check(&text, "periods that are terms", 8, &mut seen);
        println!("{seen:?}");
        assert!(seen.n_automata > 0, "{seen:?}\n{text}");
        assert!(seen.arrivals[&("loops", "end")] > 4, "{seen:?}\n{text}");
    }
}

/// Turns that become longer from one to the next, or alternate, have no period; nor have those in which one path or
/// another follows.
#[test]
fn turns_that_differ() {
    let up = ("%j <u %d", "%j = %j + 1:8");
    let few = ("%j <u (%k & 3:8)", "%j = %j + 1:8");
    let further = ("%j <u ((%k & 3:8) + 2:8)", "%j = %j + 1:8");
    let even = ("(%i & 1:8) == 0:8", "%j = 0:8; %c = %c + 1:8");
    let odd = ("", "%j = 0:8; %c = %c + 5:8");
    let loops = [
        ("%i", vec![up, ("", "%j = 0:8; %d = %d + 1:8")]),
        (
            "%i",
            vec![up, ("", "%j = %c; %c = %c + 1:8; %d = %k & 3:8")],
        ),
        (
            "%c",
            vec![further, ("", "%j = %d & 1:8; %d = %d + 1:8; %c = %c + 1:8")],
        ),
        ("%i", vec![few, even, odd]),
        ("%i", vec![few, ("%c <u 20:8", even.1), odd]),
    ];
    for (counter, paths) in sample(loops, 0, 2) {
        let text = told_apart(counter, "%j = 0:8", &paths);
        let mut seen = Seen::default();
        check(&text, "turns that differ", 12, &mut seen);
        println!("{seen:?}");
    }
}

/// Later iterations follow each other in one order, where the first one may be followed by any: here `%i` is `%n`
/// before the first one only.
#[test]
fn first_iterations_are_followed_as_no_later_ones_are() {
    let text = "program block pointers 32 main @main\n\
        fn @main(%p: i8, %q: i8) -> i8 {\n\
        reg %i: i8\nreg %n: i8\nreg %x: i8\nreg %y: i8\n\
        start -> head: %i = %p; %n = %p + (%q & 1:8); %x = 0:8; %y = 0:8\n\
        head -> above: assume %i >u %n\n\
        head -> below: assume %i <=u %n\n\
        above -> test: %x = %x + 1:8\n\
        below -> test: %y = %y + 1:8\n\
        test -> last: %i = %i + 1:8\n\
        last -> head: assume %i != %n\n\
        last -> done: assume %i == %n\n\
        done -> end: return %x + (%y * 3:8)\n}\n";
    let mut seen = Seen::default();
    check(text, "first iterations", 40, &mut seen);
    assert!(seen.n_automata > 0, "{seen:?}");
    assert!(seen.arrivals[&("loops", "end")] > 20, "{seen:?}");
}

/// A write at an offset that comes around before the counter does is overwritten by a later iteration.
#[test]
fn writes_that_come_around() {
    for offset in ["%a * 2:8", "(%a * 4:8) + 3:8", "%a * 64:8"] {
        let text = format!(
            "program block pointers 32 main @main\n\
            global @buffer 256 extern\n\
            fn @main(%p: i8, %q: i8) -> i8 {{\n\
            reg %a: i8\nreg %t: i8\n\
            start -> head: %a = 0:8\n\
            head -> body: assume %a <u %p\n\
            head -> done: assume !(%a <u %p)\n\
            body -> head: store %a + 7:8 to @buffer + zext({offset}, 32); %a = %a + 1:8\n\
            done -> read: %a = %q\n\
            read -> last: %t = load (@buffer + zext({offset}, 32))\n\
            last -> end: return %t\n}}\n"
        );
        let mut seen = Seen::default();
        check(&text, "writes that come around", 30, &mut seen);
        assert!(seen.arrivals[&("loops", "end")] > 10, "{seen:?}");
    }
}

/// The first iteration may be one that no later one is like.
#[test]
fn random_phases_tested_at_the_end() {
    check_phases(seeds(10..30), Tested::AtEnd);
}

/// Says which program a panic below belongs to.
struct Announce(u64);

impl Drop for Announce {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("in program {}:\n{}", self.0, generate::program(self.0));
        }
    }
}
