use super::*;
use crate::{Limits, Link, SolverOptions};

const TEXT: Sort = Sort::Array {
    index: 64,
    value: 8,
};

/// A chain in which only this link sees numbers.
fn link() -> Numerals {
    let below = SolverOptions {
        without: [Link::Numerals].into(),
        ..SolverOptions::default()
    };
    Numerals::new(below.build())
}

/// A text whose bytes from 1 to `n` are digits: the conditions, and what each digit is worth in `width` bits.
fn digits(pool: &mut TermPool, n: u64, width: u32) -> (Vec<TermId>, Vec<TermId>) {
    let text = pool.symbol("text", TEXT);
    let text = pool.symbol_term(text);
    let (mut conditions, mut values) = (Vec::new(), Vec::new());
    for position in 1..=n {
        let index = pool.bv(64, position);
        let byte = pool.select(text, index);
        let wide = pool.cast(CastOp::SExt, 32, byte);
        let zero = pool.bv(32, u64::from(b'0'));
        let value = pool.sub(wide, zero);
        let ten = pool.bv(32, 10);
        conditions.push(pool.ult(value, ten));
        values.push(match width {
            32 => value,
            _ => pool.cast(CastOp::ZExt, width, value),
        });
    }
    (conditions, values)
}

fn number(pool: &mut TermPool, values: &[TermId], base: u64) -> TermId {
    let width = pool.width(values[0]);
    let base = pool.bv(width, base);
    let mut number = pool.bv(width, 0);
    for value in values {
        let shifted = pool.mul(base, number);
        number = pool.add(shifted, *value);
    }
    number
}

fn check(link: &mut Numerals, pool: &mut TermPool, conjuncts: &[TermId]) -> Answer {
    let limits = Limits::default();
    let answer = link.check(pool, &Query::new(conjuncts, &limits));
    if let Answer::Sat(model) = &answer {
        assert!(confirms(pool, conjuncts, model), "the model is none");
    }
    answer
}

#[test]
fn a_number_of_many_digits_has_its_digits() {
    let mut pool = TermPool::new();
    let mut link = link();
    let (mut conjuncts, values) = digits(&mut pool, 19, 64);
    let value = number(&mut pool, &values, 10);
    let wanted = pool.bv(64, 1_234_567_890_123_456_789);
    conjuncts.push(pool.eq(value, wanted));
    assert!(check(&mut link, &mut pool, &conjuncts).is_sat());
    // Twice the number is a separate sum.
    let two = pool.bv(64, 2);
    let twice = pool.mul(two, value);
    let half = pool.bv(64, 1 << 61);
    conjuncts.push(pool.ult(twice, half));
    assert!(check(&mut link, &mut pool, &conjuncts).is_unsat());
    assert_eq!(link.statistics.hits, 2);
}

#[test]
fn numbers_end_with_their_digits() {
    let mut pool = TermPool::new();
    let mut link = link();
    let (mut conjuncts, values) = digits(&mut pool, 12, 64);
    let value = number(&mut pool, &values, 10);
    let most = pool.bv(64, 999_999_999_999);
    let range = conjuncts.len();
    conjuncts.push(pool.ult(most, value));
    assert!(check(&mut link, &mut pool, &conjuncts).is_unsat());
    conjuncts[range] = pool.ule(most, value);
    assert!(check(&mut link, &mut pool, &conjuncts).is_sat());
    // A negative one, and the lower half of it.
    let negative = pool.neg(value);
    let negative = pool.extract(0, 32, negative);
    let wanted = pool.bv(32, 77);
    conjuncts[range] = pool.eq(negative, wanted);
    assert!(check(&mut link, &mut pool, &conjuncts).is_sat());
    assert_eq!(link.statistics.hits, 3);
}

/// Ten digits exceed 32 bits, and each number of 32 bits has some.
#[test]
fn numbers_may_wrap_around() {
    let mut pool = TermPool::new();
    let mut link = link();
    let (mut conjuncts, values) = digits(&mut pool, 10, 32);
    let value = number(&mut pool, &values, 10);
    let wanted = pool.bv(32, u64::from(u32::MAX));
    conjuncts.push(pool.eq(value, wanted));
    assert!(check(&mut link, &mut pool, &conjuncts).is_sat());
    assert_eq!(link.statistics.hits, 1);
}

/// With a digit in another place a number is not free.
#[test]
fn digits_that_are_used_elsewhere_are_kept() {
    let mut pool = TermPool::new();
    let mut link = link();
    let (mut conjuncts, values) = digits(&mut pool, 5, 64);
    let value = number(&mut pool, &values, 10);
    let wanted = pool.bv(64, 12_345);
    conjuncts.push(pool.eq(value, wanted));
    conjuncts.push(pool.eq(values[0], values[4]));
    assert!(check(&mut link, &mut pool, &conjuncts).is_unsat());
    assert_eq!(link.statistics.hits, 0);
}

/// Sums with random factors of four bytes with few values each, against all their values.
#[test]
fn random_sums_are_decided_as_by_trying() {
    let mut rng = fastrand::Rng::with_seed(7);
    let (mut n_hits, mut n_sat) = (0, 0);
    for _ in 0..300 {
        let mut pool = TermPool::new();
        let mut link = link();
        let width = [16, 32, 64][rng.usize(0..3)];
        let sort = Sort::Bv(8);
        let bytes: [TermId; 4] = ["a", "b", "c", "d"].map(|name| pool.fresh(name, sort));
        let mut conjuncts = Vec::new();
        let mut ranges = Vec::new();
        for byte in bytes {
            let n = if rng.u8(0..3) > 0 { 4 } else { rng.u8(1..5) };
            let least = rng.u8(0..250);
            let (low, high) = (pool.bv(8, least.into()), pool.bv(8, (least + n - 1).into()));
            conjuncts.push(pool.ule(low, byte));
            conjuncts.push(pool.ule(byte, high));
            ranges.push((least, n));
        }
        let factors: Vec<u64> = match rng.u8(0..3) {
            0 => (0..4).map(|_| rng.u64(1..20)).collect(),
            1 => vec![1, 4, 16, 64],
            _ => [1, 3, 9, 27_u64].map(|it| it.wrapping_neg()).to_vec(),
        };
        let cast = [CastOp::ZExt, CastOp::SExt][rng.usize(0..2)];
        let mut sum = pool.bv(width, rng.u64(0..100));
        for (byte, factor) in bytes.into_iter().zip(&factors) {
            let wide = pool.cast(cast, width, byte);
            let factor = pool.bv(width, *factor);
            let part = pool.mul(factor, wide);
            sum = pool.add(sum, part);
        }
        let mut sums = Vec::new();
        for choice in 0..256_usize {
            let mut model = Assignment::new();
            let mut is_within = true;
            for (index, byte) in bytes.into_iter().enumerate() {
                let (least, n) = ranges[index];
                let step = u8::try_from(choice >> (2 * index) & 3).expect("two bits");
                is_within &= step < n;
                let symbol = pool.as_symbol(byte).expect("bytes are symbols");
                model.set(symbol, Bv::new(8, u64::from(least.wrapping_add(step))));
            }
            if is_within {
                let value = pool.evaluate(sum, &model).expect("a plain term");
                sums.push(value.to_u64().expect("64 bits at most"));
            }
        }
        let some = sums[rng.usize(0..sums.len())];
        let wanted = some.wrapping_add(rng.u64(0..6)) & (u64::MAX >> (64 - width));
        let term = pool.bv(width, wanted);
        conjuncts.push(pool.eq(sum, term));
        let answer = check(&mut link, &mut pool, &conjuncts);
        assert_eq!(
            answer.is_sat(),
            sums.contains(&wanted),
            "{ranges:?} {factors:?} {wanted}"
        );
        n_hits += link.statistics.hits;
        n_sat += usize::from(answer.is_sat());
    }
    assert!(n_hits > 50 && n_sat > 50, "{n_hits} {n_sat}");
}
