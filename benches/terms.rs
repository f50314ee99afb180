//! Speed of the term pool: concrete operations, symbolic construction, substitution, evaluation.

use std::collections::BTreeMap;
use std::hint::black_box;

use compact_se::term::{Assignment, BinOp, Bv, CmpOp, Sort, SymbolId, TermId, TermPool};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const N: u64 = 10_000;

fn concrete(c: &mut Criterion) {
    let mut group = c.benchmark_group("concrete");
    group.throughput(Throughput::Elements(3 * N));
    group.bench_function("add, xor, compare", |b| {
        let mut pool = TermPool::new();
        b.iter(|| {
            let mut sum = pool.bv(32, 1);
            let step = pool.bv(32, 12345);
            let mut below = 0;
            for _ in 0..N {
                sum = pool.binary(BinOp::Add, sum, step);
                sum = pool.binary(BinOp::Xor, sum, step);
                below += u64::from(pool.compare(CmpOp::Ult, sum, step) == TermId::TRUE);
            }
            black_box((sum, below))
        });
    });
    group.finish();
}

/// A mix of sums, products, choices and comparisons over 8 symbols.
fn mixed(pool: &mut TermPool, symbols: &[SymbolId]) -> TermId {
    let mut value = pool.symbol_term(symbols[0]);
    let mut condition = TermId::TRUE;
    for round in 0..N / 10 {
        let other = pool.symbol_term(symbols[usize::try_from(round % 8).expect("below 8")]);
        let constant = pool.bv(32, round * 77 + 3);
        value = pool.binary(BinOp::Add, value, constant);
        value = pool.binary(BinOp::Xor, value, other);
        value = pool.binary(BinOp::Mul, value, other);
        let less = pool.compare(CmpOp::Slt, value, constant);
        let equal = pool.compare(CmpOp::Eq, value, other);
        let either = pool.or(less, equal);
        condition = pool.xor(condition, either);
        value = pool.ite(less, value, other);
    }
    pool.ite(condition, value, value)
}

fn symbolic(c: &mut Criterion) {
    let mut group = c.benchmark_group("symbolic");
    group.throughput(Throughput::Elements(8 * N / 10));
    group.bench_function("construct", |b| {
        b.iter(|| {
            let mut pool = TermPool::new();
            let symbols: Vec<_> = (0..8).map(|_| pool.symbol("x", Sort::Bv(32))).collect();
            black_box(mixed(&mut pool, &symbols))
        });
    });
    let mut pool = TermPool::new();
    let symbols: Vec<_> = (0..8).map(|_| pool.symbol("x", Sort::Bv(32))).collect();
    let term = mixed(&mut pool, &symbols);
    group.bench_function("construct again", |b| {
        b.iter(|| black_box(mixed(&mut pool, &symbols)))
    });
    let mut assignment = Assignment::new();
    for (symbol, value) in symbols.iter().zip(1..) {
        assignment.set(*symbol, Bv::new(32, value * 1_000_003));
    }
    group.bench_function("evaluate", |b| {
        b.iter(|| black_box(pool.evaluate(term, &assignment)));
    });
    let five = pool.bv(32, 5);
    let fresh = pool.fresh("y", Sort::Bv(32));
    let replacement = pool.add(fresh, five);
    group.bench_function("substitute", |b| {
        b.iter(|| {
            let mut theta = BTreeMap::from([(symbols[3], replacement)]);
            black_box(pool.substitute(term, &mut theta))
        });
    });
    group.finish();
}

criterion_group!(benches, concrete, symbolic);
criterion_main!(benches);
