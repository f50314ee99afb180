//! Runs of iterations with linear changes: few steps, and the same values.

use crate::{ArrayValue, Assignment, BinOp, Bv, CastOp, Sort, SymbolId, TermId, TermPool};
use fastrand::Rng;

struct Lab {
    pool: TermPool,
    tau: SymbolId,
    t: TermId,
    array: TermId,
    assignment: Assignment,
}

/// An array of zeros, but for these cells.
fn lab(bits: u32, index: u32, cells: &[(u64, u64)]) -> Lab {
    let mut pool = TermPool::new();
    let tau = pool.symbol("tau", Sort::Bv(bits));
    let t = pool.symbol_term(tau);
    let sort = Sort::Array { index, value: 8 };
    let symbol = pool.symbol("A", sort);
    let mut content = ArrayValue::constant(Bv::zero(8));
    for (cell, value) in cells {
        let (cell, value) = (Bv::new(index, *cell), Bv::new(8, *value));
        content.entries.insert(cell, value);
    }
    let mut assignment = Assignment::new();
    assignment.set_array(symbol, content);
    let array = pool.symbol_term(symbol);
    Lab {
        pool,
        tau,
        t,
        array,
        assignment,
    }
}

#[test]
fn what_goes_on_evenly_takes_one_step() {
    let far = 3 << 40;
    let mut l = lab(64, 64, &[(7, 1), (far, 1)]);
    let (three, five) = (l.pool.bv(64, 3), l.pool.bv(64, 5));
    let step = l.pool.mul(three, l.t);
    let zero = l.pool.bv(8, 0);
    for (start, iterations, expected) in [
        (five, 1 << 40, true),
        (three, 1 << 40, false),
        (three, (1 << 40) - 1, true),
    ] {
        let index = l.pool.add(start, step);
        let cell = l.pool.select(l.array, index);
        let body = l.pool.eq(cell, zero);
        let n = l.pool.bv(64, iterations);
        let all = l.pool.forall_below(l.tau, n, body);
        let found = l.pool.evaluate_within(all, &l.assignment, 8);
        assert_eq!(found, Ok(Bv::truth(expected)), "{}", l.pool.display(all));
        let failing = l.pool.failing_iterations(all, &l.assignment, 8, 4);
        let first = (1 << 40) - 1;
        let expected = if expected {
            vec![]
        } else {
            vec![Bv::new(64, first)]
        };
        assert_eq!(failing, Ok(expected));
    }
}

#[test]
fn failing_iterations_come_in_order_and_are_bounded() {
    let mut l = lab(32, 32, &[(5, 1), (6, 1)]);
    let cell = l.pool.select(l.array, l.t);
    let one = l.pool.bv(8, 1);
    let body = l.pool.ne(cell, one);
    let (many, limit) = (l.pool.bv(32, 1_000_000), l.pool.bv(32, 900_000));
    let early = l.pool.ult(l.t, limit);
    let body = l.pool.and(body, early);
    let all = l.pool.forall_below(l.tau, many, body);
    let iterations = |most: usize, budget: u64| {
        let found = l.pool.failing_iterations(all, &l.assignment, budget, most);
        found.map(|found| found.iter().filter_map(Bv::to_u64).collect::<Vec<u64>>())
    };
    assert_eq!(iterations(4, 100), Ok(vec![5, 6, 900_000, 900_001]));
    assert_eq!(iterations(1, 100), Ok(vec![5]));
    assert_eq!(iterations(4, 2), Ok(vec![5]));
    assert!(iterations(4, 1).is_err());
}

#[test]
fn cells_that_a_value_depends_on() {
    let mut l = lab(16, 16, &[(9, 1), (4000, 3)]);
    let (two, five) = (l.pool.bv(16, 2), l.pool.bv(16, 5));
    let index = l.pool.mul(l.t, two);
    let cell = l.pool.select(l.array, index);
    let zero = l.pool.bv(8, 0);
    let body = l.pool.eq(cell, zero);
    let all = l.pool.forall_below(l.tau, five, body);
    let nine = l.pool.bv(16, 9);
    let first = l.pool.select(l.array, nine);
    let last = l.pool.select(l.array, five);
    let truth = l.pool.eq(first, zero);
    // The branch that is not taken is not read.
    let chosen = l.pool.ite(truth, last, first);
    let cells = l.pool.cells_read(&[all, chosen], &l.assignment, 100);
    let array = l.pool.as_symbol(l.array).expect("a symbol");
    let expected = [0, 2, 4, 6, 8, 9].map(|cell| Bv::new(16, cell));
    let cells = cells.expect("few iterations");
    assert_eq!(cells.len(), 1);
    assert!(cells[&array].iter().eq(expected.iter()), "{cells:?}");
    assert!(l.pool.cells_read(&[all], &l.assignment, 4).is_err());
}

/// Sums whose summands are made of steps, extensions, pieces, choices and reads, beside the
/// iterations added one by one.
#[test]
fn runs_are_exact() {
    let mut rng = Rng::with_seed(11);
    for _ in 0..4_000 {
        let cells: Vec<(u64, u64)> = (0..rng.usize(0..4))
            .map(|_| (rng.u64(0..256), rng.u64(0..256)))
            .collect();
        let mut l = lab(8, 8, &cells);
        let mut term = l.t;
        for _ in 0..rng.usize(1..6) {
            term = grown(&mut l, &mut rng, term);
        }
        let n = rng.u64(0..256);
        let limit = l.pool.bv(8, n);
        let sum = l.pool.sum_below(l.tau, limit, term);
        let mut expected = 0;
        for iteration in 0..n {
            l.assignment.set(l.tau, Bv::new(8, iteration));
            let value = l.pool.evaluate(term, &l.assignment).expect("no quantifier");
            expected += value.to_u64().expect("8 bits");
        }
        let found = l.pool.evaluate(sum, &l.assignment);
        assert_eq!(found, Ok(Bv::new(8, expected)), "{}", l.pool.display(sum));
    }
}

/// A term of 8 bits that is made of another one.
fn grown(l: &mut Lab, rng: &mut Rng, term: TermId) -> TermId {
    let pool = &mut l.pool;
    let constant = pool.bv(8, rng.u64(0..256));
    let small = pool.bv(8, rng.u64(0..4));
    match rng.u8(0..11) {
        0 => pool.add(term, constant),
        1 => pool.mul(term, small),
        2 => pool.sub(constant, term),
        3 => {
            let wide = pool.cast(CastOp::ZExt, 16, term);
            let factor = pool.bv(16, rng.u64(0..9));
            let wide = pool.mul(wide, factor);
            pool.extract(rng.u32(0..8), 8, wide)
        }
        4 => {
            let wide = pool.cast(CastOp::SExt, 12, term);
            pool.extract(rng.u32(0..4), 8, wide)
        }
        5 => {
            let low = rng.u32(1..8);
            let high = pool.extract(0, 8 - low, l.t);
            let low = pool.extract(0, low, term);
            pool.concat(high, low)
        }
        6 | 7 => {
            let truth = match rng.u8(0..4) {
                0 => pool.ult(term, constant),
                1 => pool.sle(constant, term),
                2 => pool.eq(term, constant),
                _ => pool.ule(l.t, term),
            };
            let other = pool.add(l.t, small);
            pool.ite(truth, term, other)
        }
        8 => pool.binary(BinOp::And, term, constant),
        9 => pool.add(term, l.t),
        _ => pool.select(l.array, term),
    }
}
