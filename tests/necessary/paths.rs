//! Theorem 1 with κ⃗ and the witnesses of inner quantifiers from the path: a run that reaches the target
//! is cut into a backbone and the iterations of the loops along it, and φ̂ has to hold with as many
//! iterations of each way as these are, and with as many before each of them. With the counters known,
//! as many instances of each quantifier as there are iterations say all that it says: no question has
//! quantifiers. Of loops within loops, the solver chooses how often the inner ones iterate.

use super::theorems::{Graph, n_programs, number, parameters};
use super::{PROPERTY, parse};
use compact_se::flowgraph::{EdgeId, Function, NodeId};
use compact_se::limits::Interrupt;
use compact_se::necessary::{AbstractPath, BuildOptions, NecessaryCondition, Summary};
use compact_se::semantics::Machine;
use compact_se::solver::{Limits, Query, Solver, SolverOptions};
use compact_se::term::{Sort, TermId, TermPool, Work};
use fastrand::Rng;

/// Runs with more iterations of a loop are left out: formulas grow with their number.
const MOST_ITERATIONS: usize = 24;

/// The iterations of a loop while a path is at its entry.
struct Visit {
    entry: NodeId,
    iterations: Vec<Walk>,
}

/// A path: its backbone, and the loops along it.
struct Walk {
    backbone: Vec<EdgeId>,
    visits: Vec<Visit>,
}

impl Walk {
    /// Of a path that begins at `start`, where it never comes again but at its end. What lies between
    /// the first and the last time at a node is its loop: nothing before on the backbone comes again.
    fn of(function: &Function, start: NodeId, path: &[EdgeId]) -> Walk {
        let mut walk = Walk {
            backbone: Vec::new(),
            visits: Vec::new(),
        };
        let mut at = 0;
        while at < path.len() {
            let node = function.target(path[at]);
            walk.backbone.push(path[at]);
            at += 1;
            if node == start {
                continue;
            }
            let again: Vec<usize> = (at..path.len())
                .filter(|index| function.target(path[*index]) == node)
                .collect();
            let mut iterations = Vec::new();
            for end in again {
                iterations.push(Walk::of(function, node, &path[at..=end]));
                at = end + 1;
            }
            walk.visits.push(Visit {
                entry: node,
                iterations,
            });
        }
        walk
    }

    fn most_iterations(&self) -> usize {
        let visits = self.visits.iter();
        let of_visit = |visit: &Visit| {
            let inner = visit.iterations.iter().map(Walk::most_iterations);
            inner.max().unwrap_or(0).max(visit.iterations.len())
        };
        visits.map(of_visit).max().unwrap_or(0)
    }
}

/// How often each chain is executed in some visits of a loop, in the order of its counters: those of
/// its ways, then those of inner chains. `None` where an iteration goes a way that the summary does not
/// have.
fn counts(summary: &Summary, visits: &[&Visit]) -> Option<Vec<u64>> {
    let iterations: Vec<&Walk> = visits.iter().flat_map(|visit| &visit.iterations).collect();
    let of_way = |edges: &[EdgeId]| -> Vec<&Walk> {
        let iterations = iterations.iter().copied();
        iterations.filter(|one| one.backbone == edges).collect()
    };
    let ways: Vec<Vec<&Walk>> = (summary.backbones.iter())
        .map(|backbone| of_way(&backbone.edges))
        .collect();
    if ways.iter().map(Vec::len).sum::<usize>() != iterations.len() {
        return None;
    }
    let mut all: Vec<u64> = ways.iter().map(|way| way.len() as u64).collect();
    for (backbone, way) in summary.backbones.iter().zip(&ways) {
        for inner in &backbone.inner {
            let summary = &backbone.loops[inner.loop_index].summary;
            let visits = way.iter().flat_map(|iteration| &iteration.visits);
            let visits: Vec<&Visit> = visits.filter(|v| v.entry == summary.entry).collect();
            all.push(counts(summary, &visits)?[inner.index]);
        }
    }
    Some(all)
}

/// The counters of a path's loops, each with its number in a walk along its backbone.
fn counters(path: &AbstractPath, walk: &Walk) -> Option<Vec<(TermId, u64)>> {
    let mut found = Vec::new();
    for visit in &walk.visits {
        let mut loops = path.loops.iter();
        let Some(applied) = loops.find(|applied| applied.summary.entry == visit.entry) else {
            // No way through it was thought to be possible, or there is no loop.
            if visit.iterations.is_empty() {
                continue;
            }
            return None;
        };
        let counts = counts(&applied.summary, &[visit])?;
        found.extend(applied.chain_counters().zip(counts));
    }
    Some(found)
}

/// What is known of the moment before each iteration, from a walk along a path's backbone: how many
/// iterations came before, and how many of them along the other ways.
fn moments(pool: &mut TermPool, path: &AbstractPath, walk: &Walk) -> Vec<(TermId, u64)> {
    let mut found = Vec::new();
    for visit in &walk.visits {
        let mut loops = path.loops.iter();
        let Some(applied) = loops.find(|applied| applied.summary.entry == visit.entry) else {
            continue;
        };
        let backbones = &applied.summary.backbones;
        let ways = visit.iterations.iter().map(|iteration| {
            let mut numbers = 0..backbones.len();
            numbers.find(|way| backbones[*way].edges == iteration.backbone)
        });
        let ways: Vec<Option<usize>> = ways.collect();
        for (array, earlier) in &applied.earlier {
            let Sort::Array { index, .. } = pool.sort(*array) else {
                panic!("what belongs to iterations is an array");
            };
            let own = ways.iter().enumerate();
            let own = own.filter(|(_, way)| **way == Some(earlier.way));
            for (number, (position, _)) in (0..).zip(own) {
                let before = ways[..position].iter();
                let counted = match earlier.along {
                    None => position,
                    Some(along) => before.filter(|way| **way == Some(along)).count(),
                };
                let number = pool.bv(index, number);
                found.push((pool.select(*array, number), counted as u64));
            }
        }
    }
    found
}

/// Whether a path's condition can hold with these values, inputs among them; `None` if nobody knows.
fn can_be(
    pool: &mut TermPool,
    solver: &mut dyn Solver,
    path: &AbstractPath,
    k: u64,
    values: &[(TermId, u64)],
) -> Option<bool> {
    let formula = path.first_instances(pool, k);
    let formula = formula.expect("quantifiers are where they have to be");
    assert!(!pool.has_quantifier(formula));
    let mut conjuncts = pool.conjuncts(formula);
    conjuncts.extend(path.bounds());
    for (term, value) in values {
        let value = pool.bv(pool.width(*term), *value);
        conjuncts.push(pool.eq(*term, value));
    }
    let limits = Limits {
        work: Some(Work::millis(300)),
        ..Limits::default()
    };
    let answer = solver.check(pool, &Query::new(&conjuncts, &limits));
    (answer.is_sat() || answer.is_unsat()).then(|| answer.is_sat())
}

/// What was found out about some runs.
#[derive(Default)]
struct Found {
    n_asked: u64,
    n_hold: u64,
    /// With a counter of a path one too large: asked, and excluded.
    n_wrong: u64,
    n_excluded: u64,
}

#[test]
fn conditions_hold_with_the_counters_of_paths() {
    let n_programs = n_programs();
    let seed = number("NECESSARY_SEED", 1);
    let unjoined = |options: BuildOptions| BuildOptions {
        join: false,
        ..options
    };
    for options in [
        unjoined(BuildOptions::default()),
        BuildOptions::as_in_the_paper(),
        unjoined(BuildOptions::of_chains()),
    ] {
        let mut found = Found::default();
        for program in 0..n_programs {
            let mut rng = Rng::with_seed(seed << 32 | program);
            let graph = if program % 2 == 0 {
                Graph::random(&mut rng)
            } else {
                Graph::of_several_ways(&mut rng)
            };
            if graph.reaches_target() {
                check(&graph, &options, &mut rng, &mut found);
            }
        }
        let Found {
            n_asked,
            n_hold,
            n_wrong,
            n_excluded,
        } = found;
        let rules = options.rules;
        assert!(n_asked > n_programs / 4, "{rules:?}: only {n_asked} runs");
        assert!(
            n_hold * 10 > n_asked * 9,
            "{rules:?}: only {n_hold} of {n_asked} runs were decided"
        );
        assert!(
            n_excluded * 3 > n_wrong,
            "{rules:?}: only {n_excluded} of {n_wrong} wrong numbers are excluded"
        );
    }
}

fn check(graph: &Graph, options: &BuildOptions, rng: &mut Rng, found: &mut Found) {
    let text = graph.text();
    let program = parse("random", &text);
    let function = program.function(program.main);
    let mut walks = Vec::new();
    for _ in 0..300 {
        let inputs = [rng.u8(..), rng.u8(..)];
        if let Some(path) = graph.path(function, inputs, rng) {
            let walk = Walk::of(function, function.entry, &path);
            let is_short = walk.most_iterations() <= MOST_ITERATIONS;
            let is_known = |(_, other): &([u8; 2], Walk)| other.backbone == walk.backbone;
            if is_short && walks.iter().filter(|known| is_known(known)).count() < 2 {
                walks.push((inputs, walk));
            }
        }
        if walks.len() == 4 {
            break;
        }
    }
    if walks.is_empty() {
        return;
    }
    let mut pool = TermPool::new();
    let machine = Machine::new(&mut pool, &program);
    let interrupt = Interrupt::new();
    let condition = NecessaryCondition::of(&machine, &mut pool, options, PROPERTY, &interrupt);
    let mut solver = SolverOptions::default().build();
    for (inputs, walk) in &walks {
        let rules = options.rules;
        // Paths that are not understood end earlier.
        let begins = |path: &&AbstractPath| walk.backbone.starts_with(&path.edges);
        let path = condition.paths.iter().find(begins);
        let path = path.unwrap_or_else(|| panic!("{rules:?}: no φ for {inputs:?}:\n{text}"));
        if !path.reaches_target() {
            continue;
        }
        let counted = counters(path, walk);
        let counted =
            counted.unwrap_or_else(|| panic!("{rules:?}: a way of {inputs:?} is missing:\n{text}"));
        let k = walk.most_iterations() as u64;
        let mut values = counted.clone();
        let of_main = inputs.iter().copied().map(u64::from);
        values.extend(parameters(&path.state).into_iter().zip(of_main));
        let mut of_path = values.clone();
        of_path.extend(moments(&mut pool, path, walk));
        let answer = can_be(&mut pool, &mut *solver, path, k, &of_path);
        found.n_asked += 1;
        found.n_hold += u64::from(answer == Some(true));
        assert_ne!(
            answer,
            Some(false),
            "{rules:?}: φ̂ excludes {inputs:?} with the counters of the path:\n{text}"
        );
        if let Some(last) = (0..counted.len()).rev().find(|index| counted[*index].1 > 0) {
            values[last].1 += 1;
            let answer = can_be(&mut pool, &mut *solver, path, k + 1, &values);
            found.n_wrong += u64::from(answer.is_some());
            found.n_excluded += u64::from(answer == Some(false));
        }
    }
}
