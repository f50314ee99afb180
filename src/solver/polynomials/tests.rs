use super::*;
use crate::random_terms::{Generator, brute_force};
use crate::{Limits, SolverOptions};
use term::Sort;

fn symbols(pool: &mut TermPool, width: u32, names: &[&str]) -> Vec<TermId> {
    let made = names.iter().map(|name| pool.symbol(name, Sort::Bv(width)));
    let made: Vec<_> = made.collect();
    made.into_iter().map(|one| pool.symbol_term(one)).collect()
}

/// Says nothing, so that what is answered is by ring arithmetic.
struct Silent;

impl Solver for Silent {
    fn check(&mut self, _: &mut TermPool, _: &Query<'_>) -> Answer {
        Answer::Unknown(crate::UnknownReason::Work)
    }

    fn statistics(&self, _: &mut crate::Statistics) {}
}

fn is_unsat(pool: &mut TermPool, conjuncts: &[TermId]) -> bool {
    let mut link = Polynomials::new(PolynomialPolicy::default(), Box::new(Silent));
    let limits = Limits::default();
    link.check(pool, &Query::new(conjuncts, &limits)).is_unsat()
}

/// s = (a + 1)² and t = 2a + 1 stay so where a is one more, t two and s the new t.
#[test]
fn squares_by_sums_are_kept() {
    let mut pool = TermPool::new();
    let [a, s, t] = symbols(&mut pool, 64, &["a", "s", "t"])[..] else {
        panic!("three symbols");
    };
    let [one, two] = [1, 2].map(|value| pool.bv(64, value));
    let square = |pool: &mut TermPool, a: TermId| {
        let root = pool.add(a, one);
        pool.mul(root, root)
    };
    let before = square(&mut pool, a);
    let s_before = pool.eq(s, before);
    let twice = pool.mul(two, a);
    let odd = pool.add(twice, one);
    let t_before = pool.eq(t, odd);
    let (a, t) = (pool.add(a, one), pool.add(t, two));
    let s = pool.add(s, t);
    let after = square(&mut pool, a);
    let kept = pool.eq(s, after);
    let lost = pool.not(kept);
    assert!(is_unsat(&mut pool, &[s_before, t_before, lost]));
    assert!(!is_unsat(&mut pool, &[s_before, lost]));
}

/// x + 1 times itself, 40 times: each factor has the one before twice, and is examined once.
#[test]
fn shared_parts_are_looked_at_once() {
    let mut pool = TermPool::new();
    let [x, s] = symbols(&mut pool, 64, &["x", "s"])[..] else {
        panic!("two symbols");
    };
    let mut power = x;
    for _ in 0..40 {
        let product = pool.mul(power, x);
        power = pool.add(product, power);
    }
    let is_power = pool.eq(s, power);
    let (next, one) = (pool.mul(power, x), pool.bv(64, 1));
    let same = {
        let above = pool.add(x, one);
        let (next, product) = (pool.add(next, power), pool.mul(s, above));
        pool.eq(next, product)
    };
    let differs = pool.not(same);
    assert!(is_unsat(&mut pool, &[is_power, differs]));
    assert!(!is_unsat(&mut pool, &[differs]));
}

/// With the whole chain below, which is asked what remainders are.
fn is_unsat_with_questions(pool: &mut TermPool, conjuncts: &[TermId]) -> bool {
    let options = PolynomialPolicy {
        implied: Work::millis(200),
    };
    let mut link = Polynomials::new(options, SolverOptions::default().build());
    let limits = Limits {
        work: Some(Work::seconds(2)),
        ..Limits::default()
    };
    link.check(pool, &Query::new(conjuncts, &limits)).is_unsat()
}

/// x·y + z stays so where x is doubled and an even y halved, or an odd one made even.
#[test]
fn products_by_bits_are_kept() {
    for is_signed in [false, true] {
        let (div, rem) = if is_signed {
            (BinOp::SDiv, BinOp::SRem)
        } else {
            (BinOp::UDiv, BinOp::URem)
        };
        let mut pool = TermPool::new();
        let [x, y, z, c] = symbols(&mut pool, 32, &["x", "y", "z", "c"])[..] else {
            panic!("four symbols");
        };
        let two = pool.bv(32, 2);
        let product = pool.mul(x, y);
        let sum = pool.add(product, z);
        let before = pool.eq(sum, c);
        let rest = pool.binary(rem, y, two);
        let half = pool.binary(div, y, two);
        let twice = pool.mul(two, x);
        let product = pool.mul(twice, half);
        let sums = [z, pool.add(z, x)];
        for (value, sum) in sums.into_iter().enumerate() {
            let value = pool.bv(32, value as u64);
            let known = pool.eq(rest, value);
            let sum = pool.add(product, sum);
            let kept = pool.eq(sum, c);
            let lost = pool.not(kept);
            assert!(is_unsat_with_questions(&mut pool, &[before, known, lost]));
            assert!(!is_unsat_with_questions(&mut pool, &[before, lost]));
        }
    }
}

/// 2s = i(i − 1) for a counter of 32 bits, if it does not wrap around.
#[test]
fn what_does_not_wrap_around_is_asked_below() {
    let options = SolverOptions {
        polynomials: PolynomialPolicy {
            implied: Work::millis(200),
        },
        ..SolverOptions::default()
    };
    let mut pool = TermPool::new();
    let [i, n] = symbols(&mut pool, 32, &["i", "n"])[..] else {
        panic!("two symbols");
    };
    let s = symbols(&mut pool, 64, &["s"])[0];
    let claim = |pool: &mut TermPool, s: TermId, i: TermId| {
        let i = pool.cast(CastOp::SExt, 64, i);
        let one = pool.bv(64, 1);
        let two = pool.bv(64, 2);
        let less = pool.sub(i, one);
        let product = pool.mul(i, less);
        let twice = pool.mul(two, s);
        pool.eq(twice, product)
    };
    let before = claim(&mut pool, s, i);
    let goes_on = pool.compare(CmpOp::Slt, i, n);
    let wide = pool.cast(CastOp::SExt, 64, i);
    let s = pool.add(s, wide);
    let one = pool.bv(32, 1);
    let i = pool.add(i, one);
    let after = claim(&mut pool, s, i);
    let lost = pool.not(after);
    let mut solver = options.build();
    let limits = Limits {
        work: Some(Work::seconds(5)),
        ..Limits::default()
    };
    let mut ask = |conjuncts: &[TermId]| solver.check(&mut pool, &Query::new(conjuncts, &limits));
    assert!(ask(&[before, goes_on, lost]).is_unsat());
    // The largest i wraps around.
    assert!(!ask(&[before, lost]).is_unsat());
}

/// Random queries of three bits: `Unsat` is right.
#[test]
fn what_is_unsatisfiable_has_no_model() {
    let mut n_unsat = 0;
    for seed in 0..1500 {
        let mut pool = TermPool::new();
        let mut generator = Generator::new(&mut pool, seed, 3, 3, 0);
        let mut conjuncts = Vec::new();
        for number in 0..3 {
            let (a, b) = (generator.word(&mut pool, 2), generator.word(&mut pool, 2));
            let product = pool.mul(a, b);
            let other = generator.word(&mut pool, 2);
            let same = pool.eq(product, other);
            conjuncts.push(if number == 2 { pool.not(same) } else { same });
        }
        // What is implied is checked too.
        let mut link = Polynomials::new(
            PolynomialPolicy {
                implied: Work::millis(20),
            },
            SolverOptions::default().build(),
        );
        let limits = Limits::default();
        let answer = link.check(&mut pool, &Query::new(&conjuncts, &limits));
        if answer.is_unsat() {
            n_unsat += 1;
            let found = brute_force(&pool, &generator.symbols(), &conjuncts);
            assert!(found.is_none(), "seed {seed}");
        }
    }
    assert!(n_unsat > 25, "{n_unsat}");
}
