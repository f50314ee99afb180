use super::*;
use crate::random_terms::{Generator, brute_force};
use crate::{Limits, Link, SolverOptions};

fn symbols<const N: usize>(pool: &mut TermPool, width: u32, names: [&str; N]) -> [TermId; N] {
    names.map(|name| pool.fresh(name, Sort::Bv(width)))
}

/// A solver whose queries about products are answered with numbers in their places, or not at all.
fn alone() -> Products {
    let below = SolverOptions {
        without: [Link::Products, Link::Integers, Link::Enumeration].into(),
        ..SolverOptions::default()
    };
    let options = ProductPolicy {
        most: Work::seconds(20),
        percent: 100,
        ..ProductPolicy::default()
    };
    Products::new(options, below.build())
}

/// The answer where numbers in the places of products give one.
fn with_numbers(pool: &mut TermPool, conjuncts: &[TermId]) -> Option<Answer> {
    let limits = Limits::default();
    let products = products(pool, conjuncts)?;
    alone().with_numbers(pool, &Query::new(conjuncts, &limits), &products)
}

/// Row i < m and column j < n of a matrix of m · n elements.
fn matrix(pool: &mut TermPool, width: u32, most: u64) -> (Vec<TermId>, TermId, TermId) {
    let [m, n, i, j] = symbols(pool, width, ["m", "n", "i", "j"]);
    let most = pool.bv(width, most);
    let inside = vec![
        pool.ule(m, most),
        pool.ule(n, most),
        pool.ult(i, m),
        pool.ult(j, n),
    ];
    let before = pool.mul(i, n);
    let position = pool.add(before, j);
    let all = pool.mul(m, n);
    (inside, position, all)
}

#[test]
fn elements_are_in_their_matrix() {
    let mut pool = TermPool::new();
    let (mut conjuncts, position, all) = matrix(&mut pool, 64, 1_000_000);
    conjuncts.push(pool.ule(all, position));
    let answer = with_numbers(&mut pool, &conjuncts);
    assert!(answer.is_some_and(|answer| answer.is_unsat()));
}

/// The same where the products wrap around: some position is outside.
#[test]
fn what_wraps_around_is_not_said_to_be_in_order() {
    let mut pool = TermPool::new();
    let (mut conjuncts, position, all) = matrix(&mut pool, 8, 255);
    conjuncts.push(pool.ule(all, position));
    let answer = with_numbers(&mut pool, &conjuncts);
    assert!(!answer.is_some_and(|answer| answer.is_unsat()));
    let limits = Limits::default();
    let mut whole = SolverOptions::default().build();
    let answer = whole.check(&mut pool, &Query::new(&conjuncts, &limits));
    assert!(answer.is_sat(), "{answer:?}");
}

#[test]
fn random_questions_agree_with_brute_force() {
    let (mut n_sat, mut n_unsat) = (0, 0);
    for seed in 0..400 {
        let mut pool = TermPool::new();
        let mut generator = Generator::new(&mut pool, seed, 3, 3, 0);
        let symbols: Vec<_> = generator.symbols();
        let mut conjuncts: Vec<TermId> = (0..2).map(|_| generator.truth(&mut pool, 2)).collect();
        let [a, b, c] = [0, 1, 2].map(|at| pool.symbol_term(symbols[at]));
        let (first, second) = (pool.mul(a, b), pool.mul(c, b));
        let most = pool.bv(3, 1 + seed % 7);
        let ops = [CmpOp::Ult, CmpOp::Ule, CmpOp::Slt, CmpOp::Eq];
        let op = ops[usize::try_from(seed % 4).expect("small")];
        conjuncts.extend([
            pool.compare(op, first, second),
            pool.ule(a, most),
            pool.ule(c, a),
        ]);
        let Some(answer) = with_numbers(&mut pool, &conjuncts) else {
            continue;
        };
        let expected = brute_force(&pool, &symbols, &conjuncts);
        match answer {
            Answer::Unsat(_) => {
                assert!(expected.is_none(), "seed {seed}");
                n_unsat += 1;
            }
            Answer::Sat(_) => {
                assert!(expected.is_some(), "seed {seed}");
                n_sat += 1;
            }
            Answer::Unknown(_) => {}
        }
    }
    assert!(n_sat > 20 && n_unsat > 20, "{n_sat} sat, {n_unsat} unsat");
}
