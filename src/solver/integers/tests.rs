use super::*;
use crate::random_terms::{Generator, brute_force};
use crate::{Limits, Link, SolverOptions, SolverPolicy, Statistics};
use term::{BinOp, Bv, CastOp, CmpOp, LookUpTable, Sort, TermId, TermPool};

fn said(pool: &TermPool, script: &Script) -> Said {
    let text = (script.question.as_str(), script.values.as_str());
    ask_script(pool, text, false, &Limits::default()).expect("a script that Z3 reads")
}

/// Asserts that `values` are all right: each pair's operation, and its value as Z3 finds it.
fn assert_all(pool: &mut TermPool, conjuncts: &[TermId], what: &str) {
    let script = Script::new(pool, conjuncts).expect("translatable");
    let Said::Sat(printed) = said(pool, &script) else {
        panic!("{what}");
    };
    let model = script.assignment(&printed).expect("readable");
    assert!(confirms(pool, conjuncts, &model), "{what}");
}

type Operation = Box<dyn Fn(&mut TermPool, TermId, TermId) -> TermId>;

/// Every pair of values of 3 bits through every operation, each pair with symbols of its own.
#[test]
fn operations_are_exact() {
    const WIDTH: u32 = 3;
    let values = 0..1u64 << WIDTH;
    let pairs: Vec<(u64, u64)> = values
        .clone()
        .flat_map(|a| values.clone().map(move |b| (a, b)))
        .collect();
    let mut operations: Vec<(String, Operation)> = Vec::new();
    for op in BinOp::ALL {
        if matches!(op, BinOp::Shl | BinOp::LShr | BinOp::AShr) {
            for by in 0..WIDTH {
                let shift = move |pool: &mut TermPool, a, _| {
                    let by = pool.bv(WIDTH, by.into());
                    pool.binary(op, a, by)
                };
                operations.push((format!("{op:?} by {by}"), Box::new(shift)));
            }
        } else if op == BinOp::And {
            for mask in [1, 3, 4, 6] {
                let masked = move |pool: &mut TermPool, a, _| {
                    let mask = pool.bv(WIDTH, mask);
                    pool.binary(op, a, mask)
                };
                operations.push((format!("mask {mask}"), Box::new(masked)));
            }
        } else if !matches!(op, BinOp::Or | BinOp::Xor) {
            let binary = move |pool: &mut TermPool, a, b| pool.binary(op, a, b);
            operations.push((format!("{op:?}"), Box::new(binary)));
        }
    }
    for op in CmpOp::ALL {
        let compare = move |pool: &mut TermPool, a, b| {
            let truth = pool.compare(op, a, b);
            pool.cast(CastOp::SExt, WIDTH, truth)
        };
        operations.push((format!("{op:?}"), Box::new(compare)));
    }
    for op in [CastOp::ZExt, CastOp::SExt] {
        let extended = move |pool: &mut TermPool, a, b| {
            let wide = pool.cast(op, 5, a);
            let both = pool.concat(wide, b);
            let five = pool.bv(8, 5);
            let product = pool.binary(BinOp::Mul, both, five);
            pool.extract(2, WIDTH, product)
        };
        operations.push((format!("{op:?}"), Box::new(extended)));
    }
    for (what, operation) in operations {
        let mut pool = TermPool::new();
        let mut conjuncts = Vec::new();
        for (a, b) in &pairs {
            let [x, y] = [("x", a), ("y", b)].map(|(name, value)| {
                let symbol = pool.fresh(name, Sort::Bv(WIDTH));
                let value = pool.bv(WIDTH, *value);
                conjuncts.push(pool.eq(symbol, value));
                symbol
            });
            let result = operation(&mut pool, x, y);
            let [a, b] = [a, b].map(|value| pool.bv(WIDTH, *value));
            let expected = operation(&mut pool, a, b);
            assert!(pool.is_const(expected), "constants are folded");
            conjuncts.push(pool.eq(result, expected));
        }
        assert_all(&mut pool, &conjuncts, &what);
    }
}

/// Tables of numbers and of truth values, read at every index, the ones behind their ends too.
#[test]
fn reads_of_tables_are_exact() {
    const BITS: u32 = 5;
    for (stride, width, values) in [
        (1, 8, vec![7, 7, 0, 3, 255, 255, 9]),
        (2, 8, vec![0, 4, 4, 0, 17]),
        (4, 8, vec![1, 1, 1, 1, 1, 1, 1, 1]),
        (1, 1, vec![0, 1, 1, 0, 1]),
        (2, 1, vec![1, 0, 1]),
    ] {
        let mut pool = TermPool::new();
        let table = pool.table(BITS, width, LookUpTable::new(stride, values.clone()));
        let mut conjuncts = Vec::new();
        for at in 0..1 << BITS {
            let index = pool.fresh("i", Sort::Bv(BITS));
            let constant = pool.bv(BITS, at);
            conjuncts.push(pool.eq(index, constant));
            let read = pool.select(table, index);
            let expected = pool.select(table, constant);
            assert!(pool.is_const(expected), "constants are folded");
            conjuncts.push(pool.eq(read, expected));
        }
        assert_all(
            &mut pool,
            &conjuncts,
            &format!("stride {stride}: {values:?}"),
        );
    }
}

#[test]
fn a_table_of_many_runs_stays_with_bit_vectors() {
    for (n_values, is_arithmetic) in [(30, true), (200, false)] {
        let mut pool = TermPool::new();
        let values: Vec<u64> = (1..=n_values).map(|k| k * k * 31 % 251).collect();
        let table = pool.table(32, 8, LookUpTable::new(1, values));
        let index = pool.fresh("i", Sort::Bv(32));
        let read = pool.select(table, index);
        let bound = pool.fresh("x", Sort::Bv(8));
        let conjunct = pool.ult(bound, read);
        let script = Script::new(&pool, &[conjunct]);
        assert_eq!(script.is_ok(), is_arithmetic, "{n_values} values");
    }
}

#[test]
fn random_questions_agree_with_brute_force() {
    let (mut n_sat, mut n_unsat) = (0, 0);
    for seed in 0..160 {
        let mut pool = TermPool::new();
        let n_arrays = usize::from(seed % 3 == 0);
        let mut generator = Generator::new(&mut pool, seed, 3, 2, n_arrays);
        let symbols: Vec<_> = generator.symbols();
        let conjuncts: Vec<TermId> = (0..3).map(|_| generator.truth(&mut pool, 2)).collect();
        let Ok(script) = Script::new(&pool, &conjuncts) else {
            continue;
        };
        let expected = brute_force(&pool, &symbols, &conjuncts);
        match said(&pool, &script) {
            Said::Unsat => {
                assert!(expected.is_none(), "seed {seed}");
                n_unsat += 1;
            }
            Said::Sat(printed) => {
                let model = script.assignment(&printed);
                let model = model.unwrap_or_else(|| panic!("seed {seed}: {printed}"));
                assert!(confirms(&pool, &conjuncts, &model), "seed {seed}");
                n_sat += 1;
            }
            Said::Limit | Said::Unknown => panic!("seed {seed}: three bits are not hard"),
        }
    }
    assert!(n_sat > 20 && n_unsat > 20, "{n_sat} sat, {n_unsat} unsat");
}

/// (a + b)³ > a³ + b³ for positive numbers, in 64 bits without wrapping.
fn binomial(pool: &mut TermPool) -> Vec<TermId> {
    let [a, b] = ["a", "b"].map(|name| {
        let symbol = pool.fresh(name, Sort::Bv(20));
        pool.cast(CastOp::ZExt, 64, symbol)
    });
    let cube = |pool: &mut TermPool, x| {
        let square = pool.mul(x, x);
        pool.mul(square, x)
    };
    let sum = pool.add(a, b);
    let whole = cube(pool, sum);
    let (first, second) = (cube(pool, a), cube(pool, b));
    let parts = pool.add(first, second);
    let zero = pool.bv(64, 0);
    vec![pool.ult(zero, a), pool.ult(zero, b), pool.ule(whole, parts)]
}

#[test]
fn what_keeps_bit_vectors_busy_is_decided_by_integers() {
    let mut pool = TermPool::new();
    let conjuncts = binomial(&mut pool);
    let mut solver = SolverOptions::default().build();
    let limits = Limits::default().within_work(&pool, Work::seconds(60));
    let answer = solver.check(&mut pool, &Query::new(&conjuncts, &limits));
    assert!(answer.is_unsat(), "{answer:?}");
    let mut statistics = Statistics::new();
    solver.statistics(&mut statistics);
    let link = statistics.iter().find(|link| link.link == "integers");
    assert!(
        link.is_some_and(|link| link
            .events
            .iter()
            .any(|(event, _)| event == "unsat by integers")),
        "{statistics:?}"
    );
}

#[test]
fn limits_stop_both_ways() {
    let mut pool = TermPool::new();
    // A factor of a product of two primes: hard both ways.
    let [p, q] = ["p", "q"].map(|name| {
        let symbol = pool.fresh(name, Sort::Bv(62));
        pool.cast(CastOp::ZExt, 128, symbol)
    });
    let product = pool.mul(p, q);
    let number = "1000000000000000003".parse::<u128>().unwrap() * 999_999_999_999_999_989;
    let number = pool.constant(&Bv::from_biguint(128, &number.into()));
    let one = pool.bv(128, 1);
    let conjuncts = [pool.eq(product, number), pool.ult(one, p), pool.ult(one, q)];
    let config = SolverOptions {
        policy: SolverPolicy {
            integers: IntegerPolicy {
                patience: Work::millis(100),
                turn: Work::millis(100),
                ..IntegerPolicy::default()
            },
            ..SolverPolicy::default()
        },
        without: [Link::Cache].into(),
        ..SolverOptions::default()
    };
    let mut solver = config.build();
    let limits = Limits::default().within_work(&pool, Work::seconds(2));
    let before = pool.work();
    let answer = solver.check(&mut pool, &Query::new(&conjuncts, &limits));
    if !answer.is_sat() {
        assert!(
            matches!(answer, Answer::Unknown(UnknownReason::Work)),
            "{answer:?}"
        );
    }
    assert!(pool.work() - before < Work::millis(2100));
}
