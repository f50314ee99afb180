//! Substitution: the composition property, simultaneity, bound variables, hooks for arrays.

use std::collections::BTreeMap;

use super::oracle::{Generator, INDEX, N_VARIABLES, VALUE, World};
use crate::{BinOp, Sort, Substitution, SymbolId, TermId, TermPool};

/// A substitution of some of the world's symbols by random terms.
fn random_theta(generator: &mut Generator, world: &mut World) -> BTreeMap<SymbolId, TermId> {
    let mut theta = BTreeMap::new();
    for ((width, _), symbol) in world.variables.clone() {
        if generator.rng.bool() {
            theta.insert(symbol, generator.tree(width, 2).build(world));
        }
    }
    for symbol in world.arrays.clone().into_values() {
        if generator.rng.bool() {
            theta.insert(symbol, generator.array(2).build(world));
        }
    }
    theta
}

/// (θ1⋄θ2): s ↦ θ1⟨θ2(s)⟩, which is θ1(s) where θ2 leaves s.
fn compose(
    pool: &mut TermPool,
    outer: &BTreeMap<SymbolId, TermId>,
    inner: &BTreeMap<SymbolId, TermId>,
) -> BTreeMap<SymbolId, TermId> {
    let mut composed = outer.clone();
    for (symbol, term) in inner {
        let term = pool.substitute(*term, &mut outer.clone());
        composed.insert(*symbol, term);
    }
    composed
}

#[test]
fn substitution_by_a_composition_is_substitution_twice() {
    let widths = [1, 2, 3, 4];
    let mut generator = Generator::new(11, &widths);
    generator.arrays = true;
    generator.quantifiers = true;
    let mut same = 0;
    for _ in 0..3000 {
        let mut world = World::default();
        for width in widths {
            for number in 0..N_VARIABLES {
                world.variable(width, number);
            }
        }
        let width = widths[generator.rng.usize(0..4)];
        let phi = generator.tree(width, 4).build(&mut world);
        let outer = random_theta(&mut generator, &mut world);
        let inner = random_theta(&mut generator, &mut world);
        let composed = compose(&mut world.pool, &outer, &inner);
        let once = world.pool.substitute(phi, &mut composed.clone());
        let halfway = world.pool.substitute(phi, &mut inner.clone());
        let twice = world.pool.substitute(halfway, &mut outer.clone());
        same += usize::from(once == twice);
        for _ in 0..6 {
            let env = generator.environment();
            for number in 0..N_VARIABLES {
                world.array(number);
            }
            let assignment = world.assignment(&env);
            assert_eq!(
                world.pool.evaluate(once, &assignment),
                world.pool.evaluate(twice, &assignment),
                "{}\n{}\n{}",
                world.pool.to_text(phi),
                world.pool.to_text(once),
                world.pool.to_text(twice)
            );
        }
    }
    assert!(
        same > 2700,
        "nearly always even the same term: {same} of 3000"
    );
}

#[test]
fn substitution_is_evaluation_of_the_replacements() {
    let widths = [1, 3, 4, 8];
    let mut generator = Generator::new(12, &widths);
    for _ in 0..3000 {
        let mut world = World::default();
        let phi = generator.tree(4, 4).build(&mut world);
        let theta = random_theta(&mut generator, &mut world);
        let replaced = world.pool.substitute(phi, &mut theta.clone());
        let env = generator.environment();
        let before = world.assignment(&env);
        let mut after = before.clone();
        for (symbol, term) in &theta {
            after.set(
                *symbol,
                world.pool.evaluate(*term, &before).expect("no quantifiers"),
            );
        }
        assert_eq!(
            world.pool.evaluate(replaced, &before),
            world.pool.evaluate(phi, &after)
        );
    }
}

#[test]
fn replacement_is_simultaneous() {
    let mut pool = TermPool::new();
    let (s, t) = (
        pool.symbol("a", Sort::Bv(32)),
        pool.symbol("b", Sort::Bv(32)),
    );
    let (a, b) = (pool.symbol_term(s), pool.symbol_term(t));
    let phi = pool.ult(a, b);
    let mut swap = BTreeMap::from([(s, b), (t, a)]);
    let swapped = pool.substitute(phi, &mut swap);
    assert_eq!(swapped, pool.ult(b, a));
}

/// Replaces reads of one array by 3·index.
struct Triple(SymbolId);

impl Substitution for Triple {
    fn symbol(&mut self, _: &mut TermPool, _: SymbolId) -> Option<TermId> {
        None
    }

    fn select(&mut self, pool: &mut TermPool, array: SymbolId, index: TermId) -> Option<TermId> {
        let three = pool.bv(pool.width(index), 3);
        (array == self.0).then(|| pool.binary(BinOp::Mul, three, index))
    }
}

#[test]
fn reads_are_replaced_below_stores_and_under_quantifiers() {
    let mut pool = TermPool::new();
    let sort = Sort::Array { index: 8, value: 8 };
    let (array, other) = (pool.symbol("A", sort), pool.symbol("B", sort));
    let (a, b) = (pool.symbol_term(array), pool.symbol_term(other));
    let [i, j, n] = ["i", "j", "n"].map(|name| pool.fresh(name, Sort::Bv(8)));
    let tau = pool.symbol("tau", Sort::Bv(8));
    let tau_term = pool.symbol_term(tau);

    let read = pool.select(a, i);
    let untouched = pool.select(b, i);
    let sum = pool.add(read, untouched);
    let replaced = pool.substitute(sum, &mut Triple(array));
    assert_eq!(pool.display(replaced).to_string(), "3*i + B(i)");

    let stored = pool.store(a, j, n);
    let read = pool.select(stored, i);
    let replaced = pool.substitute(read, &mut Triple(array));
    assert_eq!(pool.display(replaced).to_string(), "ite(i = j, n, 3*i)");

    let read = pool.select(a, tau_term);
    let body = pool.ne(read, n);
    let all = pool.forall_below(tau, n, body);
    let replaced = pool.substitute(all, &mut Triple(array));
    let three = pool.bv(8, 3);
    let triple = pool.mul(three, tau_term);
    let body = pool.ne(triple, n);
    assert_eq!(replaced, pool.forall_below(tau, n, body));
}

#[test]
fn array_symbols_are_replaced_by_arrays() {
    let mut world = World::default();
    let (a, i) = (world.array(0), world.variable(INDEX, 0));
    let symbol = world.arrays[&0];
    let read = world.pool.select(a, i);
    let seven = world.pool.bv(VALUE, 7);
    let sevens = world.pool.const_array(INDEX, seven);
    assert_eq!(
        world
            .pool
            .substitute(read, &mut BTreeMap::from([(symbol, sevens)])),
        seven
    );
}

#[test]
fn depth_does_not_matter() {
    let mut pool = TermPool::new();
    let symbol = pool.symbol("x", Sort::Bv(32));
    let x = pool.symbol_term(symbol);
    let y = pool.fresh("y", Sort::Bv(32));
    let mut term = x;
    let n = 100_000;
    for step in 0..n {
        let constant = pool.bv(32, step);
        term = pool.xor(term, y);
        term = pool.add(term, constant);
        term = pool.mul(term, x);
    }
    assert!(pool.size(term) > 200_000);
    assert_eq!(pool.symbols_of(term).len(), 2);
    let assignment = crate::Assignment::new();
    let zero = pool.evaluate(term, &assignment).expect("no quantifiers");
    assert!(zero.is_zero());
    let replaced = pool.substitute(term, &mut BTreeMap::from([(symbol, y)]));
    assert_eq!(pool.symbols_of(replaced).len(), 1);
    let zero_term = pool.bv(32, 0);
    let folded = pool.substitute(term, &mut BTreeMap::from([(symbol, zero_term)]));
    assert_eq!(folded, zero_term);
    assert!(pool.display(term).to_string().ends_with('…'));
    let text = pool.to_text(term);
    assert_eq!(pool.parse(&text), Ok(term));
    let truth = pool.eq(term, y);
    assert!(pool.to_smt2(&[truth]).ends_with("(check-sat)\n"));
}

#[test]
fn deep_truth_values_are_negated() {
    let mut pool = TermPool::new();
    let mut term = pool.fresh("p", Sort::Bv(1));
    for iteration in 0..50_000 {
        let fresh = pool.fresh("q", Sort::Bv(1));
        term = if iteration % 2 == 0 {
            pool.and(term, fresh)
        } else {
            pool.or(term, fresh)
        };
    }
    let negated = pool.not(term);
    assert_ne!(negated, term);
    assert_eq!(pool.not(negated), term);
    let both = pool.and(term, negated);
    assert_eq!(both, TermId::FALSE);
}
