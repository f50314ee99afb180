//! Theorems 2 and 3 for templates of recursion: a concrete run takes exactly one leaf of a tree,
//! with one number for each path counter, and ends there as it does, with the same memory.
//!
//! All numbers of iterations up to more than the run's calls are tried at all leaves, so that a
//! leaf without an execution is noticed as well as an execution without a leaf.

use super::interpreter::{Inputs, Run, RunEnd, address, run};
use super::leaves::{Compared, compare_with};
use super::programs::factor;
use super::run::{Reach, Technique, program, tree};
use crate::support::is_thorough;
use compact_se::flowgraph::{GlobalId, Program};
use compact_se::memory::Base;
use compact_se::semantics::{InputEvent, PathEnd, State};
use compact_se::symex::{ExecutionTree, NodeKind, Report};
use compact_se::template::{Region, Returns};
use compact_se::term::{ArrayValue, Assignment, Bv, SymbolId, TermId, TermPool};
use fastrand::Rng;
use std::collections::BTreeMap;
use std::fmt::Write;

const REACH: Reach = Reach {
    steps: 90,
    nodes: 400,
};

/// What was seen over many programs.
#[derive(Default, Debug)]
struct Seen {
    /// Runs by technique and what became of them.
    runs: BTreeMap<(&'static str, &'static str), usize>,
    /// Runs at a leaf behind folded calls.
    n_folded: usize,
    /// Of these, the ones with at least three calls at a time.
    n_deep: usize,
    /// Nodes that the second part of a template made.
    n_ascents: usize,
    templates: BTreeMap<&'static str, usize>,
    refused: BTreeMap<String, usize>,
}

/// A leaf with numbers for its path counters.
#[derive(Debug)]
struct Found {
    node: u32,
    counters: Vec<(SymbolId, Bv)>,
}

/// Finds the leaves that a run takes.
struct Leaves<'a> {
    program: &'a Program,
    tree: &'a ExecutionTree,
    pool: &'a mut TermPool,
}

impl Leaves<'_> {
    fn known(&mut self, inputs: &Inputs) -> Assignment {
        let (_, root) = self.tree.nodes().next().unwrap();
        let mut known = Assignment::default();
        for global in self.program.global_ids() {
            let (id, object) = self.object_of(&root.state, global);
            known.set(id, address(self.program, global));
            let Base::Arbitrary(content) = object.content.base() else {
                continue;
            };
            // Where nobody has read it, its symbol is made now.
            let start = self.pool.bv(self.program.pointer_bits, 0);
            let _ = content.read(self.pool, start, 1);
            let (symbol, cell_bytes) = content.symbol().unwrap();
            assert_eq!(cell_bytes, 1, "the programs read bytes");
            let mut array = ArrayValue::constant(Bv::zero(8));
            for offset in 0..self.program.global(global).bytes {
                let index = Bv::new(self.program.pointer_bits, offset);
                let byte = Bv::new(8, u64::from(inputs.byte(global, offset)));
                array.entries.insert(index, byte);
            }
            known.set_array(symbol, array);
        }
        let mut params: Vec<&InputEvent> = root.state.inputs.iter().collect();
        params.reverse();
        for (number, event) in (0..).zip(params) {
            let InputEvent::Value { term, .. } = event else {
                panic!("parameters are values");
            };
            let symbol = self.pool.as_symbol(*term).unwrap();
            known.set(symbol, inputs.value(number, self.pool.width(*term)));
        }
        known
    }

    fn object_of<'s>(
        &self,
        state: &'s State,
        global: GlobalId,
    ) -> (SymbolId, &'s compact_se::memory::Object) {
        let name = &self.program.global(global).name;
        let mut objects = state.memory.objects();
        objects
            .find(|(_, object)| object.info.name == *name)
            .expect("globals are in memory")
    }

    /// All leaves whose path conditions hold, with all numbers below `n_most` for the counters.
    fn taken(&mut self, known: &Assignment, n_most: u64) -> Vec<Found> {
        let mut found = Vec::new();
        for (id, node) in self.tree.nodes() {
            if !matches!(node.kind, NodeKind::Leaf(_) | NodeKind::TooLong) {
                continue;
            }
            let conjuncts = node.state.path_cond.to_vec();
            let mut counters: Vec<SymbolId> = Vec::new();
            for conjunct in &conjuncts {
                let symbols = self.pool.symbols_of(*conjunct);
                let new = symbols
                    .iter()
                    .filter(|symbol| known.get(**symbol).is_none());
                counters.extend(new);
            }
            counters.sort_unstable();
            counters.dedup();
            let mut numbers = Vec::new();
            self.choose(
                known,
                &conjuncts,
                &counters,
                n_most,
                &mut numbers,
                &mut |numbers| {
                    found.push(Found {
                        node: id.0,
                        counters: counters
                            .iter()
                            .copied()
                            .zip(numbers.iter().cloned())
                            .collect(),
                    });
                },
            );
        }
        found
    }

    /// Tries all numbers for the counters that have none yet.
    fn choose(
        &mut self,
        known: &Assignment,
        conjuncts: &[TermId],
        counters: &[SymbolId],
        n_most: u64,
        numbers: &mut Vec<Bv>,
        take: &mut dyn FnMut(&[Bv]),
    ) {
        let mut open = Vec::new();
        for conjunct in conjuncts {
            let symbols = self.pool.symbols_of(*conjunct);
            if symbols.iter().any(|symbol| known.get(*symbol).is_none()) {
                open.push(*conjunct);
            } else if !self.pool.evaluate(*conjunct, known).unwrap().is_ones() {
                return;
            }
        }
        let Some((counter, others)) = counters.split_first() else {
            assert!(open.is_empty());
            take(numbers);
            return;
        };
        let bits = self.pool.width(self.pool.symbol_term(*counter));
        for number in 0..n_most {
            let mut known = known.clone();
            let number = Bv::new(bits, number);
            known.set(*counter, number.clone());
            numbers.push(number);
            self.choose(&known, &open, others, n_most, numbers, take);
            numbers.pop();
        }
    }

    /// Memory of a leaf is that of the run.
    fn compare_memory(&mut self, found: &Found, known: &Assignment, run: &Run, context: &str) {
        let node = self.tree.nodes().nth(found.node as usize).unwrap().1;
        let mut known = known.clone();
        for (counter, number) in &found.counters {
            known.set(*counter, number.clone());
        }
        let mut memory = node.state.memory.clone();
        for (global, bytes) in self.program.global_ids().zip(&run.memory) {
            let id = self.object_of(&node.state, global).0;
            for (offset, byte) in (0..).zip(bytes) {
                let at = self.pool.bv(self.program.pointer_bits, offset);
                let value = memory.read(self.pool, id, at, 1);
                let value = self.pool.evaluate(value, &known).unwrap();
                assert_eq!(
                    value.to_u64(),
                    Some(u64::from(*byte)),
                    "{context}: {found:?}: byte {offset} of @{}: {:?}",
                    self.program.global(global).name,
                    self.pool
                        .display(node.state.path_cond.to_vec()[0])
                        .to_string()
                );
            }
        }
    }
}

fn is_same_end(end: &PathEnd, run: RunEnd) -> bool {
    match (end, run) {
        (PathEnd::Returned, RunEnd::Returned)
        | (PathEnd::Target(_), RunEnd::Target)
        | (PathEnd::Fault(..), RunEnd::Fault) => true,
        (PathEnd::Program(kind, _), RunEnd::Program(other)) => *kind == other,
        _ => false,
    }
}

fn check(text: &str, name: &str, n_runs: u64, seen: &mut Seen) {
    let program = program(text);
    for (technique, called) in [
        (Technique::Classic, "classic"),
        (Technique::Cycles, "cycles"),
        (Technique::Loops, "loops"),
    ] {
        let context = format!("{name}, {called}\n{text}");
        let mut report = tree(&program, technique, REACH);
        note(&report, seen);
        let is_whole = is_whole(&report);
        let tree = report.tree.as_ref().unwrap();
        let mut leaves = Leaves {
            program: &program,
            tree,
            pool: &mut report.pool,
        };
        for seed in 0..n_runs {
            let inputs = Inputs::new(seed);
            let run = run(&program, &inputs, 900);
            if run.depth > 40 {
                continue;
            }
            let context = format!("inputs {seed}, {context}");
            let what = check_run(&mut leaves, &inputs, &run, is_whole, &context, seen);
            *seen.runs.entry((called, what)).or_default() += 1;
        }
    }
}

fn is_whole(report: &Report) -> bool {
    let tree = report.tree.as_ref().unwrap();
    let mut nodes = tree.nodes();
    tree.n_omitted() == 0
        && report.statistics.n_waiting == 0
        && nodes.all(|(_, node)| {
            !matches!(
                node.kind,
                NodeKind::TooLong | NodeKind::Leaf(PathEnd::Undecided(_))
            )
        })
}

fn check_run(
    leaves: &mut Leaves,
    inputs: &Inputs,
    run: &Run,
    is_whole: bool,
    context: &str,
    seen: &mut Seen,
) -> &'static str {
    let known = leaves.known(inputs);
    let taken = leaves.taken(&known, run.depth as u64 + 3);
    assert!(taken.len() <= 1, "{context}: several leaves: {taken:?}");
    let Some(found) = taken.first() else {
        let is_endless = matches!(run.end, RunEnd::Limit | RunEnd::Blocked);
        assert!(
            !is_whole || is_endless,
            "{context}: no leaf for a run that ends {:?}, depth {}",
            run.end,
            run.depth
        );
        return if is_endless { "endless" } else { "cut" };
    };
    let node = leaves.tree.nodes().nth(found.node as usize).unwrap().1;
    let NodeKind::Leaf(end) = &node.kind else {
        return "cut";
    };
    if matches!(end, PathEnd::Undecided(_)) {
        return "undecided";
    }
    assert!(
        is_same_end(end, run.end),
        "{context}: {found:?} ends {end:?}, the run {:?}",
        run.end
    );
    // A template does not say what memory holds where it ends a path.
    if node.template.is_none() || *end == PathEnd::Returned {
        leaves.compare_memory(found, &known, run, context);
    }
    let mut up = Some(node);
    let mut is_folded = false;
    while let Some(node) = up {
        is_folded |= matches!(node.template, Some((Region::Recursion(_), _)));
        up = node.parent.map(|parent| leaves.tree.node(parent));
    }
    seen.n_folded += usize::from(is_folded);
    seen.n_deep += usize::from(is_folded && run.depth > 3);
    "end"
}

fn note(report: &Report, seen: &mut Seen) {
    for (_, record) in report.table.recursions() {
        for template in &record.templates {
            let kind = match &template.returns {
                Returns::Tail => "tail",
                Returns::Frames { ascent, .. } if ascent.returns.exits.len() > 1 => "left within",
                Returns::Frames { .. } => "frames",
            };
            *seen.templates.entry(kind).or_default() += 1;
        }
        for (_, reason) in &record.refused {
            let reason = reason.to_string();
            let words: Vec<&str> = reason.split(' ').take(4).collect();
            *seen.refused.entry(words.join(" ")).or_default() += 1;
        }
    }
    let nodes = report.tree.as_ref().unwrap().nodes();
    seen.n_ascents += nodes
        .filter(|(_, node)| match &node.template {
            Some((Region::Recursion(region), _)) => {
                region.phase == compact_se::template::Phase::Ascent
            }
            _ => false,
        })
        .count();
}

/// Random recursive functions.
struct Maker {
    rng: Rng,
}

impl Maker {
    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.rng.usize(..choices.len())]
    }

    fn one_in(&mut self, n: u32) -> bool {
        self.rng.u32(0..n) == 0
    }

    fn condition(&mut self) -> &'static str {
        self.pick(&[
            "%a == 0:8",
            "%a >=u %b",
            "%a == %b",
            "%a <s 3:8",
            "%c >u 20:8",
            "%a >=u 12:8",
            "%b == 5:8",
        ])
    }

    /// What the function does before it calls itself.
    fn before(&mut self) -> &'static str {
        self.pick(&[
            "",
            "",
            "",
            "%x = load (@table + zext(%a & 15:8, 32))",
            "%y = load @cells; %y = %y + 1:8; store %y to @cells",
            "store %b to @buffer + zext(%a, 32)",
            "%x = %a + %c",
            "%y = load @cells; %y = %y + %a; store %y to @cells",
        ])
    }

    fn arguments(&mut self) -> String {
        let a = self.pick(&[
            "%a - 1:8", "%a + 1:8", "%a - 1:8", "%a + 1:8", "%a + 2:8", "%b",
        ]);
        let b = self.pick(&["%b", "%b", "%b", "%b - 1:8", "%b * 3:8", "%a"]);
        let c = self.pick(&["%c", "%c + 1:8", "%c + %a", "%c + 7:8", "%x", "%c"]);
        format!("{a}, {b}, {c}")
    }

    /// What it does to the result; `%r` is what the call returned.
    fn after(&mut self) -> &'static str {
        self.pick(&[
            "%r = %r",
            "%r = %r",
            "%r = %r + 1:8",
            "%r = %r + %a",
            "%r = %r + %x",
            "%r = %r * 3:8",
            "%r = 7:8 - %r",
            "%r = %a",
            "%r = %r + %c",
            "%r = %b",
            "%x = load (@table + zext(%a & 15:8, 32)); %r = %r + %x",
            "%y = load @cells; %y = %y + %r; store %y to @cells",
            "%y = load @cells; %y = %y + %a; store %y to @cells",
            "store %a to @cells + 1:32",
            "store %r to @buffer + zext(%a, 32)",
            "store %c to @buffer + zext(%a, 32)",
            "%x = load (@buffer + zext(%a, 32)); %r = %r + %x",
            "%r = %r * %a",
        ])
    }

    /// What a call does before it returns without calling.
    fn base(&mut self) -> &'static str {
        self.pick(&[
            "%r = 0:8",
            "%r = %a",
            "%r = %c",
            "%r = load @cells",
            "store %b to @cells; %r = 1:8",
            "%r = load (@table + zext(%b & 15:8, 32))",
        ])
    }

    /// The way back from a call, from a location to `done`.
    fn way_back(&mut self, from: &str, body: &mut String) {
        let one = self.after();
        match self.rng.u32(0..6) {
            0 => {
                let condition = self.pick(&["%r >=u 9:8", "%x == %c", "%a <u 4:8", "%r == %a"]);
                let two = self.after();
                let _ = writeln!(body, "  {from} -> {from}.1: assume {condition}");
                let _ = writeln!(body, "  {from} -> {from}.2: assume !({condition})");
                let _ = writeln!(body, "  {from}.1 -> done: {one}");
                let _ = writeln!(body, "  {from}.2 -> done: {two}");
            }
            1 => {
                let condition = self.pick(&["%r == 40:8", "%a == 3:8", "%x == 9:8"]);
                let _ = writeln!(body, "  {from} -> {from}.1: assume {condition}");
                let _ = writeln!(body, "  {from} -> {from}.2: assume !({condition})");
                if self.one_in(2) {
                    let _ = writeln!(body, "  {from}.1 -> done: target");
                } else {
                    let _ = writeln!(body, "  {from}.1 -> {from}.3: store %x to @cells + 3:32");
                    let _ = writeln!(body, "  {from}.3 -> end: end exit");
                }
                let _ = writeln!(body, "  {from}.2 -> done: {one}");
            }
            _ => {
                let _ = writeln!(body, "  {from} -> done: {one}");
            }
        }
    }

    fn program(&mut self) -> String {
        let mut body = String::from(
            "program block pointers 32 main @main\n\
             global @table 16 extern\n\
             global @cells 4 hex \"01000700\"\n\
             global @buffer 24 extern\n\
             fn @main(%p: i8, %q: i8) -> i8 {\n\
             reg %r: i8\n",
        );
        let start = self.pick(&["%p", "%p & 31:8", "0:8"]);
        let rest = self.pick(&["%q, 0:8", "%q, %p", "9:8, %q", "20:8, 1:8"]);
        let _ = writeln!(body, "  start -> back: %r = call @f({start}, {rest})");
        if self.one_in(3) {
            let _ = writeln!(body, "  back -> again: store %r to @cells + 2:32");
            let _ = writeln!(body, "  again -> out: %r = call @f(%r & 15:8, 9:8, 0:8)");
        } else {
            let _ = writeln!(body, "  back -> out");
        }
        body.push_str("  out -> stop: store %r to @cells + 2:32\n");
        body.push_str("  stop -> end: return %r\n}\n");
        body.push_str("fn @f(%a: i8, %b: i8, %c: i8) -> i8 {\n");
        for reg in ["%r", "%x", "%y"] {
            let _ = writeln!(body, "  reg {reg}: i8");
        }
        let condition = self.condition();
        let base = self.base();
        let _ = writeln!(body, "  entry -> asked: %x = %c");
        let _ = writeln!(body, "  asked -> base: assume {condition}");
        let _ = writeln!(body, "  asked -> more: assume !({condition})");
        let _ = writeln!(body, "  base -> done: {base}");
        let before = self.before();
        let mut from = "more";
        if self.one_in(3) {
            let condition = self.condition();
            let base = self.base();
            let _ = writeln!(body, "  more -> base2: assume {condition}");
            let _ = writeln!(body, "  more -> more2: assume !({condition})");
            let _ = writeln!(body, "  base2 -> done: {base}");
            from = "more2";
        }
        let colon = if before.is_empty() { "" } else { ": " };
        let _ = writeln!(body, "  {from} -> calls{colon}{before}");
        if self.one_in(3) {
            let condition = self.pick(&["%x == 3:8", "%a <u 5:8", "%c >=u 9:8"]);
            let _ = writeln!(body, "  calls -> one: assume {condition}");
            let _ = writeln!(body, "  calls -> two: assume !({condition})");
            for site in ["one", "two"] {
                let arguments = self.arguments();
                let _ = writeln!(body, "  {site} -> {site}.back: %r = call @f({arguments})");
                self.way_back(&format!("{site}.back"), &mut body);
            }
        } else {
            let arguments = self.arguments();
            let _ = writeln!(body, "  calls -> back: %r = call @f({arguments})");
            self.way_back("back", &mut body);
        }
        body.push_str("  done -> end: return %r\n}\n");
        body
    }
}

fn check_random_programs(seeds: std::ops::Range<u64>) {
    let mut seen = Seen::default();
    for seed in seeds.start * factor()..seeds.end * factor() {
        let mut maker = Maker {
            rng: Rng::with_seed(seed),
        };
        let text = maker.program();
        check(&text, &format!("recursion {seed}"), 8, &mut seen);
    }
    println!("{seen:?}");
    assert!(seen.n_folded > 12, "few runs come by a fold: {seen:?}");
    assert!(seen.n_deep > 3, "few runs are deep: {seen:?}");
    assert!(seen.n_ascents > 10, "few ascents: {seen:?}");
    for kind in ["frames", "left within"] {
        assert!(seen.templates.contains_key(kind), "no {kind}: {seen:?}");
    }
}

/// Trees of few frames: the solver is asked about every pair of leaves.
const LEAVES_REACH: Reach = Reach {
    steps: 30,
    nodes: 400,
};

fn check_leaves(text: &str, context: &str) -> Compared {
    let program = program(text);
    let mut all = Compared::default();
    for technique in [Technique::Cycles, Technique::Loops] {
        all += compare_with(&program, technique, LEAVES_REACH, context);
    }
    all
}

/// Each compact leaf is the classic leaves that it replaces.
#[test]
fn leaves_of_recursive_programs() {
    let mut all = Compared::default();
    for seed in 0..6 * factor() {
        let mut maker = Maker {
            rng: Rng::with_seed(1000 + seed),
        };
        let text = maker.program();
        all += check_leaves(&text, &format!("recursion {seed}\n{text}"));
    }
    println!("{all:?}");
    assert!(all.folded > 3, "few leaves are folded: {all:?}");
    assert!(all.open * 5 < all.equal, "much is left open: {all:?}");
}

/// A function that counts down and does this on the way back.
fn with_way_back(way_back: &str) -> String {
    format!(
        "program block pointers 32 main @main\n\
        global @last 1 zero\nglobal @sum 1 zero\nglobal @count 1 hex \"05\"\n\
        fn @main(%p: i8, %q: i8) -> i8 {{\n\
        reg %r: i8\n\
        start -> back: %r = call @f(%p & 7:8, %q)\n\
        back -> stop: store %r to @last\n\
        stop -> end: return %r\n}}\n\
        fn @f(%a: i8, %b: i8) -> i8 {{\n\
        reg %r: i8\nreg %x: i8\nreg %y: i8\n\
        entry -> base: assume %a == 0:8\n\
        entry -> more: assume %a != 0:8\n\
        base -> done: %r = %b\n\
        more -> back: %r = call @f(%a - 1:8, %b)\n\
        back -> done: {way_back}\n\
        done -> end: return %r\n}}\n"
    )
}

fn check_order(way_back: &str) {
    let text = with_way_back(way_back);
    let mut seen = Seen::default();
    check(&text, "the order of returns", 16, &mut seen);
    assert!(seen.n_ascents > 0 && seen.n_deep > 3, "{seen:?}");
    let compared = check_leaves(&text, &text);
    assert!(compared.folded > 4, "{compared:?}");
}

/// The last return is that of the first call: what every return writes anew is what the outermost
/// one writes.
#[test]
fn the_outermost_return_is_the_last() {
    check_order("store %a to @sum; %r = %r + 1:8");
}

/// What the first returns weigh least is of the innermost calls.
#[test]
fn returns_that_are_counted_have_an_order() {
    check_order(
        "%y = load @count; %x = load @sum; %x = %x + (%y * %a); store %x to @sum; \
         %y = %y + 1:8; store %y to @count; %r = %r + 1:8",
    );
}

/// A call that only hands the result on may still end the run, or go on to the target.
#[test]
fn handing_on_under_a_condition_is_no_tail() {
    let text = with_way_back("%r = %r").replace(
        "back -> done: %r = %r",
        "back -> hit: assume %r <u 128:8\n\
         back -> done: assume %r >=u 128:8\n\
         hit -> done: target",
    );
    let mut seen = Seen::default();
    check(&text, "handing on", 16, &mut seen);
    assert!(seen.templates.contains_key("left within"), "{seen:?}");
    assert!(!seen.templates.contains_key("tail"), "{seen:?}");
    assert!(seen.n_folded > 2, "{seen:?}");
}

#[test]
fn random_recursive_programs() {
    check_random_programs(0..10);
}

#[test]
fn more_random_recursive_programs() {
    if is_thorough() {
        check_random_programs(10..20);
    }
}

/// What the way back reads is not known as one object when it begins, so that no second part
/// applies: frames are taken off one by one.
#[test]
fn frames_one_by_one() {
    let text = "program block pointers 32 main @main\n\
        global @x 1 hex \"05\"\nglobal @y 1 hex \"09\"\nglobal @at 4 zero\nglobal @sum 1 zero\n\
        fn @main(%p: i8, %q: i8) -> i8 {\n\
        reg %r: i8\n\
        start -> called: store @x to @at\n\
        called -> back: %r = call @f(%p & 7:8, %q)\n\
        back -> stop: store %r to @sum\n\
        stop -> end: return %r\n}\n\
        fn @f(%a: i8, %b: i8) -> i8 {\n\
        reg %r: i8\nreg %z: p32\nreg %v: i8\n\
        entry -> base: assume %a == 0:8\n\
        entry -> more: assume %a != 0:8\n\
        base -> done: store ite(%b <u 9:8, @x, @y) to @at; %r = 0:8\n\
        more -> back: %r = call @f(%a - 1:8, %b)\n\
        back -> read: %z = load @at; %v = load %z\n\
        read -> done: %r = %r + %v; %r = %r + %a\n\
        done -> end: return %r\n}\n";
    let mut seen = Seen::default();
    check(text, "frames one by one", 20, &mut seen);
    println!("{seen:?}");
    assert_eq!(seen.n_ascents, 0);
    assert!(seen.n_deep > 3, "{seen:?}");
}

/// Three calls on paths of their own, each with a way back of its own; a frame has to know at
/// which of them it waits.
#[test]
fn calls_with_ways_back_of_their_own() {
    let text = "program block pointers 32 main @main\n\
        global @sum 2 zero\n\
        fn @main(%p: i8, %q: i8) -> i8 {\n\
        reg %r: i8\n\
        start -> back: %r = call @f(%p & 15:8, %q)\n\
        back -> stop: store %r to @sum\n\
        stop -> end: return %r\n}\n\
        fn @f(%a: i8, %b: i8) -> i8 {\n\
        reg %r: i8\nreg %v: i8\n\
        entry -> base: assume %a == 0:8\n\
        entry -> more: assume %a != 0:8\n\
        base -> done: %r = %b\n\
        more -> one: assume %a <u 4:8\n\
        more -> others: assume %a >=u 4:8\n\
        others -> two: assume %a <u %b\n\
        others -> three: assume %a >=u %b\n\
        one -> one.back: %r = call @f(%a - 1:8, %b)\n\
        one.back -> done: %r = %r + 1:8\n\
        two -> two.back: %r = call @f(%a - 1:8, %b)\n\
        two.back -> done: %r = %r + %a\n\
        three -> three.back: %r = call @f(%a - 1:8, %b)\n\
        three.back -> done: %v = load @sum + 1:32; %v = %v + %b; store %v to @sum + 1:32\n\
        done -> end: return %r\n}\n";
    let mut seen = Seen::default();
    check(text, "three calls", 16, &mut seen);
    println!("{seen:?}");
    assert!(seen.n_ascents > 0, "{seen:?}");
    assert!(seen.n_deep > 3, "{seen:?}");
}
