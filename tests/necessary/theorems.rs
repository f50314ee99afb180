//! Theorems 1 and 3 on random flowgraphs, `goto` into loops included.
//!
//! A concrete run that reaches the target has a path condition that its inputs satisfy; so φ̂ and
//! φ̂^K must be satisfiable with these inputs. `NECESSARY_PROGRAMS` and `NECESSARY_SEED` choose how
//! many programs, and which.

use super::{PROPERTY, parse};
use compact_se::flowgraph::{EdgeId, Function, NodeId, Program};
use compact_se::limits::Interrupt;
use compact_se::necessary::{BuildOptions, NecessaryCondition};
use compact_se::semantics::{InputEvent, Machine, State};
use compact_se::solver::{Limits, Query, SolverOptions};
use compact_se::term::{TermId, TermPool, Work};
use fastrand::Rng;
use std::fmt::Write;

const VARIABLES: [&str; 5] = ["x", "y", "a", "b", "c"];

/// What a node does before it goes on.
#[derive(Clone, Copy, Debug)]
enum Act {
    /// v = w + c.
    Add(usize, usize, u8),
    /// v = c.
    Set(usize, u8),
    /// v = v + w.
    Sum(usize, usize),
    /// v = v * c.
    Scale(usize, u8),
    /// v = c − v.
    Mirror(usize, u8),
    /// v = an input.
    Read(usize),
    /// v = G[w & 7].
    Load(usize, usize),
    /// G[w & 7] = v.
    Store(usize, usize),
    /// v = G[c], G[c] = v + 1.
    Cell(usize, u8),
    /// v = H[w].
    LoadAt(usize, usize),
    /// H[w + c] = v.
    StoreAt(usize, usize, u8),
    /// H[w] = v, w = w + 1: fills an array in a loop.
    Fill(usize, usize),
    /// H[w] = G[w & 7], w = w + 1: copies one.
    Copy(usize),
}

#[derive(Clone, Copy, Debug)]
enum Test {
    Below(usize, u8),
    SignedBelow(usize, usize),
    Is(usize, u8),
    Same(usize, usize),
    Even(usize),
}

#[derive(Clone, Copy, Debug)]
enum Node {
    Does(Act, usize),
    Asks(Test, usize, usize),
}

/// Node 0 is the start; the last but one has the target, the last returns.
pub struct Graph(Vec<Node>);

impl Graph {
    pub fn random(rng: &mut Rng) -> Graph {
        let n = rng.usize(4..11);
        let variable = |rng: &mut Rng| rng.usize(0..VARIABLES.len());
        let small = |rng: &mut Rng| match rng.u8(0..4) {
            0 => rng.u8(..),
            1 => 1,
            _ => rng.u8(0..16),
        };
        let node = |rng: &mut Rng, number: usize| {
            // Mostly onward, sometimes back, sometimes anywhere.
            let next = |rng: &mut Rng| match rng.u8(0..5) {
                0 => rng.usize(1..n),
                1 => number.saturating_sub(rng.usize(0..4)).max(1),
                _ => (number + rng.usize(1..3)).min(n + 1),
            };
            if rng.u8(0..5) < 2 {
                let test = match rng.u8(0..6) {
                    0 | 1 => Test::Below(variable(rng), small(rng)),
                    2 => Test::SignedBelow(variable(rng), variable(rng)),
                    3 => Test::Is(variable(rng), small(rng)),
                    4 => Test::Same(variable(rng), variable(rng)),
                    _ => Test::Even(variable(rng)),
                };
                Node::Asks(test, next(rng), next(rng))
            } else {
                let act = match rng.u8(0..20) {
                    0..5 => {
                        let v = variable(rng);
                        Act::Add(v, v, small(rng))
                    }
                    5 => Act::Add(variable(rng), variable(rng), small(rng)),
                    6 => Act::Set(variable(rng), small(rng)),
                    7 => Act::Sum(variable(rng), variable(rng)),
                    8 => Act::Scale(variable(rng), small(rng)),
                    9 => Act::Mirror(variable(rng), small(rng)),
                    10 => Act::Read(variable(rng)),
                    11 => Act::Load(variable(rng), variable(rng)),
                    12 => Act::Store(variable(rng), variable(rng)),
                    13 => Act::LoadAt(variable(rng), variable(rng)),
                    14 => Act::StoreAt(variable(rng), variable(rng), small(rng)),
                    15..18 => Act::Fill(variable(rng), variable(rng)),
                    18 => Act::Copy(variable(rng)),
                    _ => Act::Cell(variable(rng), rng.u8(0..8)),
                };
                Node::Does(act, next(rng))
            }
        };
        Graph((0..n).map(|number| node(rng, number)).collect())
    }

    /// A loop of which no rule covers a variable: several ways set, scale and mirror it, and what is
    /// read or changed decides which of them is taken.
    pub fn of_several_ways(rng: &mut Rng) -> Graph {
        let small = |rng: &mut Rng| rng.u8(0..6);
        let act = |rng: &mut Rng| match rng.u8(0..8) {
            0 | 1 => Act::Set(3, small(rng)),
            2 => Act::Scale(3, small(rng)),
            3 => Act::Mirror(3, small(rng)),
            4 => Act::Add(3, 3, small(rng)),
            5 => Act::Add(3, 0, small(rng)),
            6 => Act::Sum(3, 4),
            _ => Act::Sum(0, 1),
        };
        let test = |rng: &mut Rng| match rng.u8(0..6) {
            0 => Test::Below(3, small(rng)),
            1 => Test::Is(3, small(rng)),
            2 => Test::Same(3, rng.usize(0..2)),
            3 => Test::Below(2, small(rng)),
            4 => Test::Even(3),
            _ => Test::Even(4),
        };
        let first = if rng.bool() {
            Act::Read(4)
        } else {
            Act::Add(4, 4, 1)
        };
        Graph(vec![
            Node::Asks(Test::Below(2, rng.u8(1..7)), 1, 9),
            Node::Does(first, 2),
            Node::Asks(test(rng), 3, 5),
            Node::Does(act(rng), 4),
            Node::Does(act(rng), 8),
            Node::Asks(test(rng), 6, 7),
            Node::Does(act(rng), 8),
            Node::Does(act(rng), 8),
            Node::Does(Act::Add(2, 2, 1), 0),
            Node::Asks(test(rng), 10, 11),
        ])
    }

    /// Nodes that the start leads to.
    fn reachable(&self) -> Vec<bool> {
        let mut seen = vec![false; self.0.len() + 2];
        let mut pending = vec![0];
        while let Some(node) = pending.pop() {
            if std::mem::replace(&mut seen[node], true) {
                continue;
            }
            match self.0.get(node) {
                Some(Node::Does(_, next)) => pending.push(*next),
                Some(Node::Asks(_, yes, no)) => pending.extend([*yes, *no]),
                None if node == self.0.len() => pending.push(node + 1),
                None => {}
            }
        }
        seen
    }

    /// Whether a path leads to the target.
    pub fn reaches_target(&self) -> bool {
        self.reachable()[self.0.len()]
    }

    /// Whether a run with these inputs reaches the target; `None` where it takes too long.
    pub fn reaches(&self, inputs: [u8; 2], rng: &mut Rng) -> Option<bool> {
        self.reaches_reading(inputs, &mut || rng.u8(..))
    }

    /// The same with the values that it reads later.
    pub fn reaches_reading(&self, inputs: [u8; 2], read: &mut dyn FnMut() -> u8) -> Option<bool> {
        self.run(inputs, read, &mut |_, _| ())
    }

    /// The edges of a run with these inputs, up to that of the target; `None` if it does not come there.
    pub fn path(&self, function: &Function, inputs: [u8; 2], rng: &mut Rng) -> Option<Vec<EdgeId>> {
        let node = |number: usize| {
            let mut nodes = (0u32..).take(function.n_nodes()).map(NodeId);
            let name = format!("n{number}");
            nodes
                .find(|node| function.node(*node).name == name)
                .unwrap()
        };
        let mut path = vec![function.out_edges(function.entry)[0]];
        let reaches = self.run(inputs, &mut || rng.u8(..), &mut |number, side| {
            path.push(function.out_edges(node(number))[side]);
        });
        path.push(function.out_edges(node(self.0.len()))[0]);
        (reaches == Some(true)).then_some(path)
    }

    /// The same; `passed` hears of each node that is left, and by which of its edges.
    fn run(
        &self,
        inputs: [u8; 2],
        read: &mut dyn FnMut() -> u8,
        passed: &mut dyn FnMut(usize, usize),
    ) -> Option<bool> {
        let mut v = [inputs[0], inputs[1], 0, 3, 250];
        let mut g = [0u8; 8];
        let mut h = [0u8; 256];
        let mut node = 0;
        for _ in 0..4_000 {
            match self.0.get(node) {
                None => return Some(node == self.0.len()),
                Some(Node::Asks(test, yes, no)) => {
                    let holds = match *test {
                        Test::Below(a, c) => v[a] < c,
                        Test::SignedBelow(a, b) => v[a].cast_signed() < v[b].cast_signed(),
                        Test::Is(a, c) => v[a] == c,
                        Test::Same(a, b) => v[a] == v[b],
                        Test::Even(a) => v[a] & 1 == 0,
                    };
                    passed(node, usize::from(!holds));
                    node = if holds { *yes } else { *no };
                }
                Some(Node::Does(act, next)) => {
                    match *act {
                        Act::Add(a, b, c) => v[a] = v[b].wrapping_add(c),
                        Act::Set(a, c) => v[a] = c,
                        Act::Sum(a, b) => v[a] = v[a].wrapping_add(v[b]),
                        Act::Scale(a, c) => v[a] = v[a].wrapping_mul(c),
                        Act::Mirror(a, c) => v[a] = c.wrapping_sub(v[a]),
                        Act::Read(a) => v[a] = read(),
                        Act::Load(a, b) => v[a] = g[usize::from(v[b] & 7)],
                        Act::Store(a, b) => g[usize::from(v[b] & 7)] = v[a],
                        Act::LoadAt(a, b) => v[a] = h[usize::from(v[b])],
                        Act::StoreAt(a, b, c) => h[usize::from(v[b].wrapping_add(c))] = v[a],
                        Act::Fill(a, b) => {
                            h[usize::from(v[b])] = v[a];
                            v[b] = v[b].wrapping_add(1);
                        }
                        Act::Copy(a) => {
                            h[usize::from(v[a])] = g[usize::from(v[a] & 7)];
                            v[a] = v[a].wrapping_add(1);
                        }
                        Act::Cell(a, c) => {
                            v[a] = g[usize::from(c)];
                            g[usize::from(c)] = v[a].wrapping_add(1);
                        }
                    }
                    passed(node, 0);
                    node = *next;
                }
            }
        }
        None
    }

    pub fn text(&self) -> String {
        let seen = self.reachable();
        let mut text =
            "program block pointers 32 main @main\nglobal @G 8 zero\nglobal @H 256 zero\n\n\
                        fn @main(%x: i8, %y: i8) -> i8 {\n  \
                        reg %a: i8\n  reg %b: i8\n  reg %c: i8\n  reg %t: i8\n  \
                        start -> n0: %a = 0:8; %b = 3:8; %c = 250:8\n"
                .to_owned();
        let name = |variable: usize| format!("%{}", VARIABLES[variable]);
        let cell = |variable: usize| format!("@G + zext({} & 7:8, 32)", name(variable));
        let at = |variable: usize| format!("@H + zext({}, 32)", name(variable));
        let step = |variable: usize| format!("{v} = {v} + 1:8", v = name(variable));
        for (number, node) in self.0.iter().enumerate().filter(|(n, _)| seen[*n]) {
            match *node {
                Node::Does(act, next) => {
                    let act = match act {
                        Act::Add(a, b, c) => format!("{} = {} + {c}:8", name(a), name(b)),
                        Act::Set(a, c) => format!("{} = {c}:8", name(a)),
                        Act::Sum(a, b) => format!("{} = {} + {}", name(a), name(a), name(b)),
                        Act::Scale(a, c) => format!("{} = {} * {c}:8", name(a), name(a)),
                        Act::Mirror(a, c) => format!("{} = {c}:8 - {}", name(a), name(a)),
                        Act::Read(a) => format!("{} = input \"in\"", name(a)),
                        Act::Load(a, b) => format!("{} = load {}", name(a), cell(b)),
                        Act::Store(a, b) => format!("store {} to {}", name(a), cell(b)),
                        Act::LoadAt(a, b) => format!("{} = load {}", name(a), at(b)),
                        Act::StoreAt(a, b, c) => {
                            format!("store {} to @H + zext({} + {c}:8, 32)", name(a), name(b))
                        }
                        Act::Fill(a, b) => {
                            format!("store {} to {}; {}", name(a), at(b), step(b))
                        }
                        Act::Copy(a) => {
                            format!("%t = load {}; store %t to {}; {}", cell(a), at(a), step(a))
                        }
                        Act::Cell(a, c) => format!(
                            "{v} = load @G + {c}:32; store {v} + 1:8 to @G + {c}:32",
                            v = name(a)
                        ),
                    };
                    writeln!(text, "  n{number} -> n{next}: {act}").unwrap();
                }
                Node::Asks(test, yes, no) => {
                    let test = match test {
                        Test::Below(a, c) => format!("{} <u {c}:8", name(a)),
                        Test::SignedBelow(a, b) => format!("{} <s {}", name(a), name(b)),
                        Test::Is(a, c) => format!("{} == {c}:8", name(a)),
                        Test::Same(a, b) => format!("{} == {}", name(a), name(b)),
                        Test::Even(a) => format!("({} & 1:8) == 0:8", name(a)),
                    };
                    writeln!(text, "  n{number} -> n{yes}: assume {test}").unwrap();
                    writeln!(text, "  n{number} -> n{no}: assume !({test})").unwrap();
                }
            }
        }
        let (target, end) = (self.0.len(), self.0.len() + 1);
        if seen[target] {
            writeln!(text, "  n{target} -> n{end}: target").unwrap();
        }
        if seen[end] {
            writeln!(text, "  n{end} -> out: return 0:8").unwrap();
        }
        text.push_str("}\n");
        text
    }
}

/// How many random programs are looked at.
pub fn n_programs() -> u64 {
    number("NECESSARY_PROGRAMS", 60)
}

pub fn number(variable: &str, default: u64) -> u64 {
    let value = std::env::var(variable).ok();
    value.map_or(default, |value| value.parse().unwrap())
}

/// The parameters of `main`.
pub fn parameters(state: &State) -> Vec<TermId> {
    let events: Vec<&InputEvent> = state.inputs.iter().collect();
    let values = events.into_iter().rev().filter_map(|event| match event {
        InputEvent::Value { term, site: None } => Some(*term),
        InputEvent::Value { .. }
        | InputEvent::Memory { .. }
        | InputEvent::Iterations { .. }
        | InputEvent::Either(_) => None,
    });
    values.collect()
}

/// What was found out about φ̂ and φ̂^K with some inputs.
#[derive(Clone, Copy, Default)]
struct Found {
    /// φ̂ is satisfiable.
    satisfiable: bool,
    /// φ̂ is not known to be unsatisfiable.
    quantified: bool,
    /// φ̂^K is not known to be unsatisfiable.
    instances: bool,
}

/// What is found out about each of these inputs.
fn possible(program: &Program, options: &BuildOptions, k: u64, runs: &[[u8; 2]]) -> Vec<Found> {
    let mut pool = TermPool::new();
    let machine = Machine::new(&mut pool, program);
    let condition =
        NecessaryCondition::of(&machine, &mut pool, options, PROPERTY, &Interrupt::new());
    let mut solver = SolverOptions::default().build();
    let limits = Limits {
        work: Some(Work::millis(300)),
        ..Limits::default()
    };
    let mut answers = Vec::new();
    for inputs in runs {
        let mut found = Found::default();
        for path in condition.paths.iter().chain(&condition.open) {
            let parameters = parameters(&path.state);
            let fixed: Vec<TermId> = parameters
                .iter()
                .zip(inputs)
                .map(|(parameter, value)| {
                    let value = pool.bv(8, u64::from(*value));
                    pool.eq(*parameter, value)
                })
                .collect();
            let first = path.first_instances(&mut pool, k);
            let first = first.expect("quantifiers are where they have to be");
            let mut ask = |pool: &mut TermPool, formula: TermId| {
                let mut conjuncts = fixed.clone();
                conjuncts.extend(pool.conjuncts(formula));
                conjuncts.extend(path.bounds());
                solver.check(pool, &Query::new(&conjuncts, &limits))
            };
            let answer = ask(&mut pool, path.condition);
            found.satisfiable |= answer.is_sat();
            found.quantified |= !answer.is_unsat();
            found.instances |= !ask(&mut pool, first).is_unsat();
            if found.satisfiable && found.instances {
                break;
            }
        }
        answers.push(found);
    }
    answers
}

#[test]
fn conditions_hold_of_all_runs_that_reach_the_target() {
    let (n_others, n_excluded) = check(&Graph::random);
    assert!(
        n_excluded * 4 > n_others,
        "conditions say too little: {n_excluded} of {n_others} inputs are excluded"
    );
}

/// The same for loops of types 2 to 4, where the last iteration says what is known.
#[test]
fn conditions_hold_of_all_runs_through_loops_of_several_ways() {
    let (n_others, n_excluded) = check(&Graph::of_several_ways);
    assert!(
        n_excluded * 20 > n_others,
        "conditions say too little: {n_excluded} of {n_others} inputs are excluded"
    );
}

/// How many inputs that do not reach the target were asked about, and how many of them are excluded.
fn check(graph: &dyn Fn(&mut Rng) -> Graph) -> (u64, u64) {
    let n_programs = n_programs();
    let seed = number("NECESSARY_SEED", 1);
    let (mut n_reached, mut n_others, mut n_excluded) = (0, 0, 0);
    for program in 0..n_programs {
        let mut rng = Rng::with_seed(seed << 32 | program);
        let graph = graph(&mut rng);
        if !graph.reaches_target() {
            continue;
        }
        let text = graph.text();
        let (mut runs, mut others) = (Vec::new(), Vec::new());
        for _ in 0..600 {
            let inputs = [rng.u8(..), rng.u8(..)];
            match graph.reaches(inputs, &mut rng) {
                Some(true) => runs.push(inputs),
                Some(false) | None => others.push(inputs),
            }
        }
        if runs.is_empty() {
            continue;
        }
        n_reached += 1;
        runs.truncate(3);
        others.truncate(2);
        let parsed = parse("random", &text);
        for (options, k) in [
            (BuildOptions::default(), 5),
            (BuildOptions::as_in_the_paper(), 2),
            (BuildOptions::of_chains(), 1),
        ] {
            let answers = possible(&parsed, &options, k, &runs);
            for (inputs, found) in runs.iter().zip(answers) {
                assert!(
                    found.quantified,
                    "φ̂ excludes {inputs:?}, which reach the target:\n{text}"
                );
                assert!(
                    found.instances,
                    "φ̂^{k} excludes {inputs:?}, which reach the target:\n{text}"
                );
            }
            for found in possible(&parsed, &options, k, &others) {
                assert!(
                    found.instances || !found.satisfiable,
                    "φ̂^{k} excludes what φ̂ admits:\n{text}"
                );
                n_others += 1;
                n_excluded += u64::from(!found.quantified);
            }
        }
    }
    assert!(
        n_reached * 5 > n_programs,
        "too few programs reach the target"
    );
    (n_others, n_excluded)
}
