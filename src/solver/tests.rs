use std::collections::BTreeSet;

use super::random_terms::{Generator, brute_force};
use super::smtlib::Status;
use super::{
    Answer, Limits, Link, LinkStatistics, Need, Query, Solver, SolverOptions, Statistics,
    UnknownReason, Verdict, confirms, solve_text,
};
use term::{Sort, TermId, TermPool, Work};

fn statistics(solver: &dyn Solver) -> Statistics {
    let mut all = Statistics::new();
    solver.statistics(&mut all);
    all
}

fn of<'a>(all: &'a Statistics, link: &str) -> &'a LinkStatistics {
    all.iter()
        .find(|s| s.link == link)
        .expect("the link is in the chain")
}

/// Every subset of links left out.
fn configs() -> Vec<SolverOptions> {
    let links = [Link::Independent, Link::Cache, Link::Quantifiers];
    (0..1usize << links.len())
        .map(|bits| {
            let without: BTreeSet<Link> = links
                .iter()
                .enumerate()
                .filter(|(i, _)| bits >> i & 1 == 1)
                .map(|(_, link)| *link)
                .collect();
            SolverOptions {
                without,
                ..SolverOptions::default()
            }
        })
        .collect()
}

/// Walks as an executor does: both branches are asked after a path known to be satisfiable.
#[test]
fn every_chain_agrees_with_brute_force_along_paths() {
    for config in configs() {
        agree_along_paths(&config, 0..12, false);
    }
}

/// The memory of the links above takes a sum for what it is.
#[test]
fn chains_agree_with_brute_force_on_sums_along_paths() {
    let without_cache = SolverOptions {
        without: [Link::Cache].into(),
        ..SolverOptions::default()
    };
    for config in [SolverOptions::default(), without_cache] {
        agree_along_paths(&config, 20..32, true);
    }
}

fn agree_along_paths(config: &SolverOptions, seeds: std::ops::Range<u64>, sums: bool) {
    let limits = Limits::default();
    let (mut n_sat, mut n_unsat) = (0, 0);
    for seed in seeds {
        let mut pool = TermPool::new();
        let mut solver = config.build();
        let mut generator = Generator::new(&mut pool, seed, 2, 3, 1);
        generator.sums = sums;
        let symbols: Vec<_> = generator.symbols();
        let mut path: Vec<TermId> = Vec::new();
        for _ in 0..10 {
            path.truncate(generator.rng.usize(0..=path.len()));
            let condition = generator.truth(&mut pool, if sums { 4 } else { 2 });
            let negated = pool.not(condition);
            let mut possible = None;
            for branch in [condition, negated] {
                path.push(branch);
                let expected = brute_force(&pool, &symbols, &path);
                let verdict = solver.check(&mut pool, &Query::branch(&path, &limits));
                let model = solver.check(&mut pool, &Query::new(&path, &limits));
                match expected {
                    Some(_) => {
                        n_sat += 1;
                        assert!(verdict.is_sat(), "seed {seed}, {config:?}");
                        let model = model.model().expect("both questions agree");
                        assert!(confirms(&pool, &path, model), "seed {seed}, {config:?}");
                        possible = Some(branch);
                    }
                    None => {
                        n_unsat += 1;
                        assert!(verdict.is_unsat(), "seed {seed}, {config:?}");
                        let Answer::Unsat(core) = model else {
                            panic!("seed {seed}")
                        };
                        if let Some(core) = core {
                            assert!(core.iter().all(|c| path.contains(c)), "seed {seed}");
                            assert_eq!(brute_force(&pool, &symbols, &core), None, "{seed}");
                        }
                    }
                }
                path.pop();
            }
            path.push(possible.expect("one of two branches is possible"));
        }
    }
    assert!(n_sat > 20 && n_unsat > 5, "{n_sat} sat, {n_unsat} unsat");
}

#[test]
fn only_the_part_of_the_newest_conjunct_is_asked() {
    let mut pool = TermPool::new();
    let mut solver = SolverOptions::default().build();
    let limits = Limits::default();
    let symbols: Vec<TermId> = (0..4).map(|_| pool.fresh("x", Sort::Bv(8))).collect();
    let five = pool.bv(8, 5);
    let path: Vec<TermId> = symbols.iter().map(|x| pool.ult(five, *x)).collect();
    assert!(
        solver
            .check(&mut pool, &Query::branch(&path, &limits))
            .is_sat()
    );
    let all = statistics(&*solver);
    assert_eq!(of(&all, "cache").queries, 1);
    let relevant = of(&all, "relevant");
    assert_eq!(relevant.events_named("known conjuncts left out"), 1);
    let answer = solver.check(&mut pool, &Query::new(&path, &limits));
    assert!(confirms(&pool, &path, answer.model().unwrap()));
    assert_eq!(of(&statistics(&*solver), "cache").queries, 5);
}

#[test]
fn cells_of_an_array_are_apart_until_it_is_read_symbolically() {
    let mut pool = TermPool::new();
    let limits = Limits::default();
    let array = pool.fresh("a", Sort::Array { index: 8, value: 8 });
    let i = pool.fresh("i", Sort::Bv(8));
    let mut path: Vec<TermId> = (0..4)
        .map(|cell| {
            let (index, value) = (pool.bv(8, cell), pool.bv(8, cell + 10));
            let read = pool.select(array, index);
            pool.eq(read, value)
        })
        .collect();
    let mut solver = SolverOptions::default().build();
    let answer = solver.check(&mut pool, &Query::new(&path, &limits));
    assert!(confirms(&pool, &path, answer.model().unwrap()));
    assert_eq!(
        of(&statistics(&*solver), "independent").events_named("parts asked"),
        4
    );
    let read = pool.select(array, i);
    let four = pool.bv(8, 4);
    let ten = pool.bv(8, 10);
    let inside = pool.ult(i, four);
    path.extend([inside, pool.ult(read, ten)]);
    let answer = solver.check(&mut pool, &Query::new(&path, &limits));
    assert!(answer.is_unsat(), "every cell below 4 holds 10 or more");
}

#[test]
fn the_cache_answers_supersets_of_cores_and_fitting_models() {
    let mut pool = TermPool::new();
    let mut solver = SolverOptions {
        without: [Link::Independent].into(),
        ..SolverOptions::default()
    }
    .build();
    let limits = Limits::default();
    let (x, y) = (pool.fresh("x", Sort::Bv(8)), pool.fresh("y", Sort::Bv(8)));
    let sum = pool.add(x, y);
    let (five, nine) = (pool.bv(8, 5), pool.bv(8, 9));
    let core = [pool.ult(x, five), pool.ult(y, five), pool.ult(nine, sum)];
    assert!(
        solver
            .check(&mut pool, &Query::new(&core, &limits))
            .is_unsat()
    );
    let more = [core[2], pool.ult(y, x), core[0], core[1]];
    assert!(
        solver
            .check(&mut pool, &Query::new(&more, &limits))
            .is_unsat()
    );
    assert!(
        solver
            .check(&mut pool, &Query::new(&core[..2], &limits))
            .is_sat()
    );
    assert!(
        solver
            .check(&mut pool, &Query::new(&core[..1], &limits))
            .is_sat()
    );
    assert!(
        solver
            .check(&mut pool, &Query::new(&core[..1], &limits))
            .is_sat()
    );
    let all = statistics(&*solver);
    let cache = of(&all, "cache");
    assert_eq!((cache.queries, cache.hits), (5, 3));
    for how in ["core", "model", "same set"] {
        assert_eq!(cache.events_named(how), 1, "{how}");
    }
}

#[test]
fn constants_and_contradictions_need_no_solver() {
    let mut pool = TermPool::new();
    let mut solver = SolverOptions::default().build();
    let limits = Limits::default();
    let x = pool.fresh("x", Sort::Bv(8));
    let five = pool.bv(8, 5);
    let small = pool.ult(x, five);
    let not_small = pool.not(small);
    assert!(solver.check(&mut pool, &Query::new(&[], &limits)).is_sat());
    assert!(
        solver
            .check(&mut pool, &Query::new(&[TermId::TRUE], &limits))
            .is_sat()
    );
    for query in [[small, TermId::FALSE], [small, not_small]] {
        assert!(
            solver
                .check(&mut pool, &Query::new(&query, &limits))
                .is_unsat()
        );
    }
    let all = statistics(&*solver);
    assert_eq!(
        (of(&all, "simplify").queries, of(&all, "simplify").hits),
        (4, 4)
    );
    assert_eq!(of(&all, "z3").queries, 0);
}

#[test]
fn a_raised_flag_and_a_passed_limit_are_unknown() {
    let mut pool = TermPool::new();
    let mut solver = SolverOptions::default().build();
    let x = pool.fresh("x", Sort::Bv(8));
    let query = [pool.ult(x, x), {
        let five = pool.bv(8, 5);
        pool.ult(x, five)
    }];
    let limits = Limits::default().within(std::time::Duration::ZERO);
    let answer = solver.check(&mut pool, &Query::new(&query[1..], &limits));
    assert!(
        matches!(answer, Answer::Unknown(UnknownReason::Timeout)),
        "{answer:?}"
    );
    let limits = Limits::default().within_work(&pool, Work::ZERO);
    let answer = solver.check(&mut pool, &Query::new(&query[1..], &limits));
    assert!(
        matches!(answer, Answer::Unknown(UnknownReason::Work)),
        "{answer:?}"
    );
    let limits = Limits::default();
    limits.interrupt.raise();
    let query = Query {
        need: Need::Verdict,
        ..Query::new(&query[1..], &limits)
    };
    let answer = solver.check(&mut pool, &query);
    assert!(
        matches!(answer, Answer::Unknown(UnknownReason::Interrupted)),
        "{answer:?}"
    );
}

/// Logged queries are read back and give the same answers.
#[test]
fn logged_questions_are_the_questions() {
    let folder = tempfile::tempdir().unwrap();
    let config = SolverOptions {
        log: Some(folder.path().to_owned()),
        ..SolverOptions::default()
    };
    let limits = Limits::default();
    let mut pool = TermPool::new();
    let mut solver = config.build();
    let mut generator = Generator::new(&mut pool, 7, 3, 2, 1);
    generator.quantifiers = true;
    for _ in 0..80 {
        let query = [generator.truth(&mut pool, 3), generator.truth(&mut pool, 3)];
        solver.check(&mut pool, &Query::new(&query, &limits));
    }
    let (mut n_sat, mut n_unsat) = (0, 0);
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let path = file.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let report = solve_text(&text, &SolverOptions::default(), &limits).unwrap();
        match (report.verdict, report.expected) {
            (Verdict::Sat(_), Some(Status::Sat)) => n_sat += 1,
            (Verdict::Unsat, Some(Status::Unsat)) => n_unsat += 1,
            (Verdict::Unknown(_), _) | (_, Some(Status::Unknown)) => {}
            (verdict, expected) => panic!("{}: {verdict:?}, {expected:?}", path.display()),
        }
    }
    assert!(n_sat >= 10 && n_unsat >= 2, "{n_sat} sat, {n_unsat} unsat");
}
