//! Speed of the term pool: concrete operations, symbolic construction, substitution, evaluation; as lines of JSON.
//!
//! `cargo bench --bench terms` runs all measurements, `cargo bench --bench terms -- construct` those whose name
//! contains a word.

#![allow(clippy::print_stdout, reason = "results go to standard output")]

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

use compact_se::term::{Assignment, BinOp, Bv, CmpOp, Sort, SymbolId, TermId, TermPool};

const N: u64 = 10_000;

/// How long a measurement goes on.
const TIME: Duration = Duration::from_secs(2);

/// Runs `work`, which does so many operations, again and again; shows the median of an operation, if the name has the
/// word that the command line asks for.
fn measure<T>(name: &str, n_operations: u64, mut work: impl FnMut() -> T) {
    let word = std::env::args()
        .nth(1)
        .filter(|word| !word.starts_with('-'));
    if !word.is_none_or(|word| name.contains(&word)) {
        return;
    }
    let (start, mut times) = (Instant::now(), Vec::new());
    while start.elapsed() < TIME || times.len() < 3 {
        let before = Instant::now();
        black_box(work());
        times.push(before.elapsed());
    }
    times.sort_unstable();
    let nanoseconds = times[times.len() / 2].as_nanos() / u128::from(n_operations);
    println!(
        "{{\"bench\": \"terms/{name}\", \"runs\": {}, \"nanoseconds\": {nanoseconds}}}",
        times.len()
    );
}

fn concrete() {
    let mut pool = TermPool::new();
    measure("add, xor, compare", 3 * N, || {
        let mut sum = pool.bv(32, 1);
        let step = pool.bv(32, 12345);
        let mut below = 0;
        for _ in 0..N {
            sum = pool.binary(BinOp::Add, sum, step);
            sum = pool.binary(BinOp::Xor, sum, step);
            below += u64::from(pool.compare(CmpOp::Ult, sum, step) == TermId::TRUE);
        }
        (sum, below)
    });
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

fn symbols(pool: &mut TermPool) -> Vec<SymbolId> {
    (0..8).map(|_| pool.symbol("x", Sort::Bv(32))).collect()
}

fn symbolic() {
    let n_operations = 8 * N / 10;
    measure("construct", n_operations, || {
        let mut pool = TermPool::new();
        let symbols = symbols(&mut pool);
        mixed(&mut pool, &symbols)
    });
    let mut pool = TermPool::new();
    let symbols = symbols(&mut pool);
    let term = mixed(&mut pool, &symbols);
    measure("construct again", n_operations, || {
        mixed(&mut pool, &symbols)
    });
    let mut assignment = Assignment::new();
    for (symbol, value) in symbols.iter().zip(1..) {
        assignment.set(*symbol, Bv::new(32, value * 1_000_003));
    }
    measure("evaluate", n_operations, || {
        pool.evaluate(term, &assignment)
    });
    let five = pool.bv(32, 5);
    let fresh = pool.fresh("y", Sort::Bv(32));
    let replacement = pool.add(fresh, five);
    measure("substitute", n_operations, || {
        let mut theta = BTreeMap::from([(symbols[3], replacement)]);
        pool.substitute(term, &mut theta)
    });
}

fn main() {
    concrete();
    symbolic();
}
