//! Arrays: rules for reads and writes, and long chains of writes.

use std::collections::BTreeMap;

use crate::{ArrayValue, Assignment, Bv, Sort, Term, TermId, TermPool};

const ARRAY: Sort = Sort::Array {
    index: 64,
    value: 8,
};

fn lab() -> (TermPool, TermId, [TermId; 2], [TermId; 2]) {
    let mut pool = TermPool::new();
    let array = pool.fresh("A", ARRAY);
    let indices = ["i", "j"].map(|name| pool.fresh(name, Sort::Bv(64)));
    let values = ["u", "v"].map(|name| pool.fresh(name, Sort::Bv(8)));
    (pool, array, indices, values)
}

#[test]
fn reads_find_writes() {
    let (mut pool, a, [i, j], [u, v]) = lab();
    let one = pool.bv(64, 1);
    let next = pool.add(i, one);
    let first = pool.store(a, i, u);
    let second = pool.store(first, next, v);
    assert_eq!(pool.select(second, next), v);
    assert_eq!(pool.select(second, i), u, "i + 1 differs from i always");
    let other = pool.select(second, j);
    assert_eq!(pool.display(other).to_string(), "A[i := u][i + 1 := v](j)");
    let beyond = pool.add(next, one);
    assert_eq!(pool.select(second, beyond), pool.select(a, beyond));
    // Disjoint by intervals: a byte against an index beyond 255.
    let b = pool.fresh("b", Sort::Bv(8));
    let byte = pool.cast(crate::CastOp::ZExt, 64, b);
    let far = pool.bv(64, 300);
    let written = pool.store(a, far, u);
    assert_eq!(pool.select(written, byte), pool.select(a, byte));
    let near = pool.bv(64, 200);
    let written = pool.store(a, near, u);
    assert_ne!(pool.select(written, byte), pool.select(a, byte));
}

#[test]
fn writes_replace_writes() {
    let (mut pool, a, [i, j], [u, v]) = lab();
    let once = pool.store(a, i, v);
    let twice = pool.store(a, i, u);
    assert_eq!(pool.store(twice, i, v), once);
    let one = pool.bv(64, 1);
    let next = pool.add(i, one);
    let between = pool.store(twice, next, u);
    let replaced = pool.store(between, i, v);
    assert_eq!(replaced, {
        let base = pool.store(a, next, u);
        pool.store(base, i, v)
    });
    let old = pool.select(a, i);
    assert_eq!(pool.store(a, i, old), a, "store-same");
    assert_ne!(pool.store(a, j, old), a);
    // i may be j: both writes stay.
    let maybe = pool.store(twice, j, v);
    let again = pool.store(maybe, i, u);
    assert!(matches!(pool.view(again), Term::Store(inner, ..) if inner == maybe));
}

#[test]
fn choices_between_arrays() {
    let (mut pool, a, [i, j], [u, v]) = lab();
    let p = pool.fresh("p", Sort::Bv(1));
    let (left, right) = (pool.store(a, i, u), pool.store(a, i, v));
    let merged = pool.ite(p, left, right);
    assert_eq!(pool.select(merged, i), pool.ite(p, u, v));
    let zero = pool.bv(8, 0);
    let zeros = pool.const_array(64, zero);
    assert_eq!(pool.select(zeros, j), zero);
    assert_eq!(pool.store(zeros, j, zero), zeros);
}

#[test]
fn many_choices_do_not_explode() {
    let (mut pool, a, [i, j], [u, v]) = lab();
    let mut array = a;
    for _ in 0..60 {
        let p = pool.fresh("p", Sort::Bv(1));
        let (left, right) = (pool.store(array, i, u), pool.store(array, j, v));
        array = pool.ite(p, left, right);
    }
    let read = pool.select(array, j);
    assert!(pool.size(read) < 1000);
    assert!(pool.n_nodes() < 3000);
}

#[test]
fn long_chains_at_constant_indices() {
    let (mut pool, a, [i, _], _) = lab();
    let mut chain = a;
    let n = 2000;
    for iteration in 0..10u64 {
        for index in 0..n {
            let (index, value) = (pool.bv(64, index * 8), pool.bv(8, index + iteration));
            chain = pool.store(chain, index, value);
        }
    }
    for index in 0..n {
        let at = pool.bv(64, index * 8);
        let value = pool.select(chain, at);
        assert_eq!(pool.as_u64(value), Some((index + 9) & 0xff));
    }
    let (missing, beyond) = (pool.bv(64, 4), pool.bv(64, n * 8));
    for at in [missing, beyond] {
        assert_eq!(pool.select(chain, at), pool.select(a, at));
    }
    let symbolic = pool.select(chain, i);
    let mut length = 0;
    let Term::Select(mut array, _) = pool.view(symbolic) else {
        panic!("a read stays a read")
    };
    while let Term::Store(inner, ..) = pool.view(array) {
        length += 1;
        array = inner;
    }
    assert!(
        length <= 2 * n + 16,
        "hidden writes are at most about half: {length}"
    );
    let mut assignment = Assignment::new();
    let symbol = pool.as_symbol(a).expect("a symbol");
    let mut value = ArrayValue::constant(Bv::new(8, 77));
    value.entries.insert(Bv::new(64, 12), Bv::new(8, 78));
    assignment.set_array(symbol, value);
    let at = pool.as_symbol(i).expect("a symbol");
    for (index, expected) in [
        (8, 10),
        (12, 78),
        (13, 77),
        (8 * (n - 1), (n - 1 + 9) & 0xff),
    ] {
        assignment.set(at, Bv::new(64, index));
        assert_eq!(
            pool.evaluate(symbolic, &assignment),
            Ok(Bv::new(8, expected))
        );
    }
}

/// One read passes all stores above a comprehension, at most one of which it meets.
#[test]
fn a_long_chain_above_a_comprehension_is_read_at_any_index() {
    const STORES: u64 = 50_000;
    let (mut pool, a, [i, j], _) = lab();
    let at = pool.as_symbol(i).expect("an index");
    let element = pool.select(a, i);
    let body = pool.not(element);
    let mut array = pool.lambda(at, body);
    for k in 0..STORES {
        let (index, value) = (pool.bv(64, k), pool.bv(8, k % 251));
        array = pool.store(array, index, value);
    }
    let read = pool.select(array, j);
    for k in [0, 7, STORES - 1, STORES] {
        let index = pool.bv(64, k);
        let value = pool.select(array, index);
        let mut here = BTreeMap::from([(pool.as_symbol(j).expect("an index"), index)]);
        assert_eq!(pool.substitute(read, &mut here), value, "at {k}");
    }
}
