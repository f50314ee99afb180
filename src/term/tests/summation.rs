//! Bounded sums: rules against enumeration, ranges, binding, definitions by quantifiers.

use std::collections::BTreeMap;

use super::oracle::{Environment, Tree, World, check};
use crate::{
    Assignment, BinOp, Bv, CastOp, CmpOp, EvalError, Sort, Summations, SymbolId, Term, TermId,
    TermPool,
};

fn constant(width: u32, value: u128) -> Box<Tree> {
    Box::new(Tree::Constant(width, value & super::oracle::mask(width)))
}

fn variable(width: u32, number: usize) -> Box<Tree> {
    Box::new(Tree::Variable(width, number))
}

fn resize(width: u32, tree: Box<Tree>) -> Box<Tree> {
    match tree.width().cmp(&width) {
        std::cmp::Ordering::Less => Box::new(Tree::Cast(CastOp::ZExt, width, tree)),
        std::cmp::Ordering::Equal => tree,
        std::cmp::Ordering::Greater => Box::new(Tree::Extract(0, width, tree)),
    }
}

/// Bodies of a width over the counter of some bits, one for each rule and mixtures.
fn bodies(bits: u32, width: u32) -> Vec<Tree> {
    let tau = || Box::new(Tree::Tau(bits, 0));
    let t = || resize(width, tau());
    let x = || variable(width, 0);
    let y = || variable(width, 1);
    let c = |value: u128| constant(width, value);
    let of = |op, a: Box<Tree>, b: Box<Tree>| Box::new(Tree::Binary(op, a, b));
    let guard = || Box::new(Tree::Compare(CmpOp::Ult, t(), x()));
    let odd = || Box::new(Tree::Extract(0, 1, tau()));
    let bit = |truth: Box<Tree>| resize(width, truth);
    let square = || of(BinOp::Mul, t(), t());
    let zero = |value: Box<Tree>| Box::new(Tree::Compare(CmpOp::Eq, value, c(0)));
    let mut bodies = vec![
        t(),
        x(),
        c(5),
        of(BinOp::Add, x(), of(BinOp::Mul, c(3), t())),
        of(BinOp::Mul, x(), t()),
        of(BinOp::Mul, x(), square()),
        of(BinOp::Mul, c(6), square()),
        of(
            BinOp::Add,
            of(BinOp::Mul, c(3), square()),
            of(BinOp::Add, y(), c(1)),
        ),
        of(
            BinOp::Add,
            of(BinOp::Xor, t(), x()),
            of(BinOp::Mul, c(2), square()),
        ),
        bit(guard()),
        // The first limit.
        Box::new(Tree::Ite(
            Box::new(Tree::Compare(CmpOp::Ult, tau(), variable(bits, 1))),
            x(),
            t(),
        )),
        bit(odd()),
        of(BinOp::Sub, bit(guard()), bit(odd())),
        Box::new(Tree::Ite(guard(), c(5), c(2))),
        Box::new(Tree::Ite(guard(), t(), y())),
        of(BinOp::UDiv, x(), t()),
        // Counters that go down.
        of(BinOp::Xor, of(BinOp::Sub, y(), t()), x()),
        bit(Box::new(Tree::Compare(
            CmpOp::Ult,
            of(BinOp::Sub, x(), t()),
            y(),
        ))),
        // Remainders of counters, and what is made of them.
        of(BinOp::URem, t(), c(3)),
        of(BinOp::SRem, t(), c(3)),
        of(BinOp::URem, of(BinOp::Add, t(), c(2)), c(3)),
        of(BinOp::URem, of(BinOp::Sub, c(2), t()), c(3)),
        of(
            BinOp::SRem,
            of(BinOp::Add, of(BinOp::Mul, c(2), t()), c(1)),
            c(3),
        ),
        of(BinOp::SRem, of(BinOp::Sub, c(3), t()), c(5)),
        // From anywhere.
        of(BinOp::URem, of(BinOp::Add, t(), x()), c(3)),
        of(
            BinOp::SRem,
            of(BinOp::Add, of(BinOp::Sub, t(), y()), c(1)),
            c(3),
        ),
        bit(zero(of(BinOp::URem, of(BinOp::Sub, t(), x()), c(2)))),
        Box::new(Tree::Ite(
            zero(of(BinOp::SRem, of(BinOp::Add, t(), x()), c(3))),
            x(),
            y(),
        )),
        Box::new(Tree::Ite(zero(of(BinOp::URem, t(), c(3))), x(), y())),
        of(
            BinOp::Add,
            bit(zero(of(BinOp::URem, t(), c(3)))),
            of(BinOp::Mul, c(2), bit(zero(of(BinOp::SRem, t(), c(5))))),
        ),
    ];
    if width > 1 {
        bodies.push(Box::new(Tree::Cast(CastOp::SExt, width, guard())));
        bodies.push(of(
            BinOp::Mul,
            c(7),
            Box::new(Tree::Cast(CastOp::SExt, width, odd())),
        ));
    }
    bodies.into_iter().map(|body| *body).collect()
}

/// All bodies, limits narrower and wider than them, all values.
#[test]
fn rules_keep_meaning_at_small_widths() {
    for (bits, width) in [(1, 3), (2, 2), (2, 4), (3, 1), (3, 3), (4, 2), (4, 3)] {
        let mut world = World::default();
        let mut environments: Vec<Environment> = Vec::new();
        for (x, y) in (0..1u128 << width).flat_map(|x| (0..1u128 << width).map(move |y| (x, y))) {
            for n in 0..1u128 << bits {
                let mut env = Environment::default();
                env.variables.insert((bits, 0), n);
                env.variables.insert((bits, 1), n);
                env.variables.insert((width, 0), x);
                env.variables.insert((width, 1), y);
                if bits == width {
                    env.variables.insert((bits, 0), n);
                }
                environments.push(env);
            }
        }
        // The limit has a separate variable unless widths are equal, where it shares x's.
        for body in bodies(bits, width) {
            let limits = std::iter::once(*variable(bits, 1))
                .chain((0..1u128 << bits).map(|n| *constant(bits, n)));
            for limit in limits {
                let tree = Tree::SumBelow(0, Box::new(limit), Box::new(body.clone()));
                world.variable(bits, 0);
                world.variable(bits, 1);
                world.variable(width, 0);
                world.variable(width, 1);
                check(&mut world, &tree, &mut environments);
            }
        }
    }
}

/// Longer periods than small widths have room for, several together, and remainders of what is extended.
#[test]
fn remainders_keep_meaning_at_eight_bits() {
    let tau = || Box::new(Tree::Tau(8, 0));
    let x = || variable(8, 0);
    let of = |op, a: Box<Tree>, b: Box<Tree>| Box::new(Tree::Binary(op, a, b));
    let from = |start: Box<Tree>| of(BinOp::Add, start, tau());
    let rest = |op, value: Box<Tree>, divisor: u128| {
        let divisor = constant(value.width(), divisor);
        of(op, value, divisor)
    };
    let is = |value: Box<Tree>, number: u128| {
        let number = constant(value.width(), number);
        resize(8, Box::new(Tree::Compare(CmpOp::Eq, value, number)))
    };
    let both = |a: Box<Tree>, b: Box<Tree>| of(BinOp::Add, a, of(BinOp::Mul, constant(8, 2), b));
    let wide = |op, value: Box<Tree>| Box::new(Tree::Cast(op, 16, value));
    let third = |value: Box<Tree>| is(rest(BinOp::URem, value, 3), 1);
    let fifth = |value: Box<Tree>| is(rest(BinOp::SRem, value, 5), 2);
    let starts = || [constant(8, 0), constant(8, 100), constant(8, 180), x()];
    let mut bodies = vec![
        resize(8, Box::new(Tree::Extract(1, 2, tau()))),
        of(BinOp::Mul, rest(BinOp::URem, from(x()), 7), tau()),
        both(third(from(x())), fifth(from(x()))),
        both(third(from(x())), is(rest(BinOp::URem, from(x()), 3), 2)),
        third(of(BinOp::Sub, x(), tau())),
        third(of(BinOp::Sub, constant(8, 200), tau())),
    ];
    for start in starts() {
        bodies.extend([
            third(from(start.clone())),
            fifth(from(start.clone())),
            both(third(from(start.clone())), fifth(tau())),
            both(third(from(constant(8, 200))), fifth(from(start.clone()))),
            rest(BinOp::SRem, from(start.clone()), 7),
            third(wide(CastOp::ZExt, from(start.clone()))),
            is(
                rest(BinOp::URem, wide(CastOp::SExt, from(start.clone())), 7),
                1,
            ),
            is(
                rest(BinOp::SRem, wide(CastOp::ZExt, from(start.clone())), 4),
                3,
            ),
            is(rest(BinOp::SRem, from(start.clone()), 0xfd), 1),
            third(of(BinOp::Add, from(start), tau())),
        ]);
    }
    let mut random = fastrand::Rng::with_seed(7);
    let values = (0..=255).flat_map(|n| [(n, random.u8(..)), (n, random.u8(..9))]);
    let mut environments: Vec<Environment> = values
        .map(|(n, x)| {
            let mut env = Environment::default();
            env.variables.insert((8, 0), u128::from(x));
            env.variables.insert((8, 1), n);
            env
        })
        .collect();
    let mut world = World::default();
    world.variable(8, 0);
    world.variable(8, 1);
    for body in bodies {
        let tree = Tree::SumBelow(0, variable(8, 1), body);
        check(&mut world, &tree, &mut environments);
    }
}

/// All values of variables 0 and 1 of four bits.
fn two_variables_of_four_bits() -> (World, Vec<Environment>) {
    let mut world = World::default();
    world.variable(4, 0);
    world.variable(4, 1);
    let values = (0..16).flat_map(|n| (0..16).map(move |x| (n, x)));
    let environments = values.map(|(n, x)| {
        let mut env = Environment::default();
        env.variables.insert((4, 0), x);
        env.variables.insert((4, 1), n);
        env
    });
    (world, environments.collect())
}

/// At few bits, negative divisors are as large as the longest period.
#[test]
fn remainders_by_negative_divisors_keep_meaning() {
    let of = |op, a: Box<Tree>, b: Box<Tree>| Box::new(Tree::Binary(op, a, b));
    let (mut world, mut environments) = two_variables_of_four_bits();
    for divisor in 8..16 {
        for start in [constant(4, 0), constant(4, 3), variable(4, 0)] {
            let counter = of(BinOp::Add, start, Box::new(Tree::Tau(4, 0)));
            let remainder = of(BinOp::SRem, counter, constant(4, divisor));
            let is_one = Tree::Compare(CmpOp::Eq, remainder, constant(4, 1));
            let body = resize(4, Box::new(is_one));
            let tree = Tree::SumBelow(0, variable(4, 1), body);
            check(&mut world, &tree, &mut environments);
        }
    }
}

/// A counter may start at the variable of a binder around.
#[test]
fn remainders_of_two_counters_keep_meaning() {
    let of = |op, a: Box<Tree>, b: Box<Tree>| Box::new(Tree::Binary(op, a, b));
    let both = of(
        BinOp::Add,
        Box::new(Tree::Tau(4, 1)),
        of(BinOp::Add, Box::new(Tree::Tau(4, 0)), variable(4, 0)),
    );
    let (mut world, mut environments) = two_variables_of_four_bits();
    for op in [BinOp::URem, BinOp::SRem] {
        let inner = of(op, both.clone(), constant(4, 3));
        let inner = Tree::SumBelow(1, variable(4, 1), inner);
        let tree = Tree::SumBelow(0, variable(4, 1), Box::new(inner));
        check(&mut world, &tree, &mut environments);
    }
}

/// The last first or the first first: the elements of an array have one sum.
#[test]
fn sums_do_not_depend_on_the_direction() {
    for bits in [8, 32] {
        let Lab {
            mut pool,
            tau,
            t,
            n,
            ..
        } = lab(bits, 16);
        let array = Sort::Array {
            index: 64,
            value: 16,
        };
        let array = pool.fresh("a", array);
        let one = pool.bv(bits, 1);
        let last = pool.sub(n, one);
        let sum_of = |pool: &mut TermPool, index: TermId| {
            let index = pool.cast(CastOp::ZExt, 64, index);
            let element = pool.select(array, index);
            pool.sum_below(tau, n, element)
        };
        let forwards = sum_of(&mut pool, t);
        let backwards = pool.sub(last, t);
        let backwards = sum_of(&mut pool, backwards);
        assert_eq!(backwards, forwards);
    }
}

struct Lab {
    pool: TermPool,
    tau: SymbolId,
    t: TermId,
    n: TermId,
    x: TermId,
}

/// A counter and a limit of some bits, x of a width.
fn lab(bits: u32, width: u32) -> Lab {
    let mut pool = TermPool::new();
    let tau = pool.symbol("tau", Sort::Bv(bits));
    let t = pool.symbol_term(tau);
    let n = pool.fresh("κ", Sort::Bv(bits));
    let x = pool.fresh("x", Sort::Bv(width));
    Lab { pool, tau, t, n, x }
}

impl Lab {
    fn sum(&mut self, body: TermId) -> TermId {
        self.pool.sum_below(self.tau, self.n, body)
    }

    fn symbol(&self, term: TermId) -> SymbolId {
        self.pool.as_symbol(term).expect("a symbol")
    }

    /// zext(A(τ) = x).
    fn hit(&mut self, width: u32) -> TermId {
        let index = self.pool.width(self.t);
        let value = self.pool.width(self.x);
        let sort = Sort::Array { index, value };
        let array = match self.pool.symbol_named("A") {
            Some(symbol) => self.pool.symbol_term(symbol),
            None => self.pool.fresh("A", sort),
        };
        let read = self.pool.select(array, self.t);
        let hit = self.pool.eq(read, self.x);
        self.pool.cast(CastOp::ZExt, width, hit)
    }
}

#[test]
fn rules_give_closed_forms() {
    let mut l = lab(8, 8);
    let five = l.pool.bv(8, 5);
    let expected = l.pool.mul(five, l.n);
    assert_eq!(l.sum(five), expected);
    let expected = l.pool.triangle(l.n, 8);
    assert_eq!(l.sum(l.t), expected);
    let expected = l.pool.mul(l.n, l.x);
    assert_eq!(l.sum(l.x), expected);
    // Odd numbers sum up to squares, without a division.
    let two = l.pool.bv(8, 2);
    let odd = l.pool.mul(two, l.t);
    let one = l.pool.bv(8, 1);
    let odd = l.pool.add(odd, one);
    let sum = l.sum(odd);
    let square = l.pool.mul(l.n, l.n);
    let difference = l.pool.sub(sum, square);
    assert_eq!(
        l.pool.as_u64(difference),
        Some(0),
        "{}",
        l.pool.display(sum)
    );
    // A wider and a narrower result.
    let mut l = lab(8, 16);
    let wide = l.pool.cast(CastOp::ZExt, 16, l.n);
    let expected = l.pool.mul(wide, l.x);
    assert_eq!(l.sum(l.x), expected);
    let mut l = lab(16, 8);
    let low = l.pool.extract(0, 8, l.n);
    let expected = l.pool.mul(low, l.x);
    assert_eq!(l.sum(l.x), expected);
    // What was written in all iterations before is read, whatever was there.
    let hit = l.hit(8);
    let is_written = l.pool.ult(l.t, l.n);
    let read = l.pool.ite(is_written, l.x, hit);
    assert_eq!(l.sum(read), expected);
}

/// Remainders of what starts at a constant: by a division of the limit, for as long as nothing wraps
/// around.
#[test]
fn what_has_a_period_has_a_closed_form() {
    for (start, step, op, for_all) in [
        (0, 1, BinOp::URem, true),
        (1, 1, BinOp::URem, true),
        (2, 1, BinOp::URem, false),
        (0, 1, BinOp::SRem, false),
        (0, 3, BinOp::SRem, false),
        (9, -1, BinOp::URem, false),
    ] {
        let mut l = lab(32, 32);
        let number = |l: &mut Lab, value| l.pool.bv_signed(32, value);
        let (start, step, five) = (
            number(&mut l, start),
            number(&mut l, step),
            number(&mut l, 5),
        );
        let moved = l.pool.mul(step, l.t);
        let counter = l.pool.add(start, moved);
        let rest = l.pool.binary(op, counter, five);
        let two = number(&mut l, 2);
        let hit = l.pool.eq(rest, two);
        let hit = l.pool.cast(CastOp::ZExt, 32, hit);
        let sum = l.sum(hit);
        assert_eq!(!l.pool.has_sum(sum), for_all, "{}", l.pool.display(sum));
        if !for_all {
            assert!(matches!(l.pool.view(sum), Term::Ite(..)));
        }
    }
    // The start is not known: by the remainder of the start.
    let mut l = lab(32, 32);
    let counter = l.pool.add(l.t, l.x);
    let five = l.pool.bv(32, 5);
    let rest = l.pool.binary(BinOp::URem, counter, five);
    let sum = l.sum(rest);
    let Term::Ite(_, first, second) = l.pool.view(sum) else {
        panic!("{}", l.pool.display(sum));
    };
    let (closed, otherwise) = match l.pool.has_sum(first) {
        true => (second, first),
        false => (first, second),
    };
    assert!(!l.pool.has_sum(closed), "{}", l.pool.display(sum));
    assert!(matches!(l.pool.view(otherwise), Term::SumBelow { .. }));
    // The variable is read elsewhere too, and a step is not one.
    let both = l.pool.mul(rest, l.t);
    let twice = l.pool.add(counter, l.t);
    let twice = l.pool.binary(BinOp::URem, twice, five);
    for body in [both, twice] {
        let sum = l.sum(body);
        assert!(matches!(l.pool.view(sum), Term::SumBelow { .. }));
    }
}

#[test]
fn factors_and_parts_without_the_counter_stand_outside() {
    let mut l = lab(8, 8);
    let hit = l.hit(8);
    let plain = l.sum(hit);
    assert!(matches!(l.pool.view(plain), Term::SumBelow { .. }));
    assert!(l.pool.has_sum(plain) && l.pool.is_closed(plain) && !l.pool.has_quantifier(plain));
    let scaled = l.pool.mul(l.x, hit);
    let expected = l.pool.mul(l.x, plain);
    assert_eq!(l.sum(scaled), expected);
    let three = l.pool.bv(8, 3);
    let body = l.pool.mul(three, hit);
    let body = l.pool.add(body, l.x);
    let (tripled, outside) = (l.pool.mul(three, plain), l.pool.mul(l.n, l.x));
    let expected = l.pool.add(tripled, outside);
    assert_eq!(l.sum(body), expected);
    // 3 where the guard holds, 1 elsewhere.
    let one = l.pool.bv(8, 1);
    let truth = l.pool.extract(0, 1, hit);
    let body = l.pool.ite(truth, three, one);
    let doubled = l.pool.add(plain, plain);
    let expected = l.pool.add(doubled, l.n);
    assert_eq!(l.sum(body), expected);
}

#[test]
fn constant_limits_are_written_out() {
    for (iterations, explicit) in [(0, true), (1, true), (64, true), (65, false)] {
        let mut l = lab(8, 8);
        let hit = l.hit(32);
        let limit = l.pool.bv(8, iterations);
        let sum = l.pool.sum_below(l.tau, limit, hit);
        assert_eq!(!l.pool.has_sum(sum), explicit, "{iterations}");
    }
}

/// A counter of so many guarded iterations is at most their number, and zero-extends without
/// overflow.
#[test]
fn ranges_decide_counters() {
    let mut l = lab(32, 8);
    let hit = l.hit(32);
    let less = |l: &mut Lab, bound: u64, sum: TermId| {
        let bound = l.pool.bv(32, bound);
        l.pool.ult(bound, sum)
    };
    for iterations in [2u64, 25, 50, 64, 65, 1000] {
        let limit = l.pool.bv(32, iterations);
        let sum = l.pool.sum_below(l.tau, limit, hit);
        assert_eq!(less(&mut l, iterations, sum), TermId::FALSE, "{iterations}");
        assert_ne!(
            less(&mut l, iterations - 1, sum),
            TermId::FALSE,
            "{iterations}"
        );
        let (bound, zero) = (l.pool.bv(32, iterations), l.pool.bv(32, 0));
        assert_eq!(l.pool.sle(sum, bound), TermId::TRUE, "{iterations}");
        assert_eq!(l.pool.slt(sum, zero), TermId::FALSE, "{iterations}");
    }
    // The limit is bounded by its own shape.
    let small = l.pool.fresh("small", Sort::Bv(4));
    let limit = l.pool.cast(CastOp::ZExt, 32, small);
    let sum = l.pool.sum_below(l.tau, limit, hit);
    assert_eq!(less(&mut l, 15, sum), TermId::FALSE);
    assert_ne!(less(&mut l, 14, sum), TermId::FALSE);
    // With wrap-around nothing follows.
    let byte = l.hit(8);
    let sum = l.sum(byte);
    let bound = l.pool.bv(8, 254);
    assert_ne!(l.pool.ult(bound, sum), TermId::FALSE);
}

#[test]
fn the_bound_variable_has_no_name() {
    let mut l = lab(8, 8);
    let hit = l.hit(8);
    let sum = l.sum(hit);
    assert!(!l.pool.symbols_of(sum).contains(&l.tau));
    assert_eq!(l.pool.display(sum).to_string(), "Στ<κ: zext8(x = A(τ))");
    let text = l.pool.to_text(sum);
    assert_eq!(l.pool.parse(&text), Ok(sum));
    let three = l.pool.bv(8, 3);
    let summand = l.pool.instantiate(sum, three);
    let tau = l.tau;
    let expected = l.pool.substitute(hit, &mut BTreeMap::from([(tau, three)]));
    assert_eq!(summand, expected);
    // Substitution reaches limit and body.
    let (n, x) = (l.symbol(l.n), l.symbol(l.x));
    let sum = l
        .pool
        .substitute(sum, &mut BTreeMap::from([(n, l.x), (x, l.n)]));
    assert_eq!(l.pool.display(sum).to_string(), "Στ<x: zext8(κ = A(τ))");
    assert_eq!(l.pool.symbols_of(sum).len(), 3);
}

#[test]
fn evaluation_is_exact_and_has_a_budget() {
    let mut l = lab(64, 64);
    let square = l.pool.mul(l.t, l.t);
    let body = l.pool.xor(square, l.x);
    let sum = l.sum(body);
    let mut assignment = Assignment::new();
    assignment.set(l.symbol(l.n), Bv::new(64, 1000));
    assignment.set(l.symbol(l.x), Bv::new(64, 77));
    let expected: u64 = (0..1000u64).map(|t| (t * t) ^ 77).sum();
    assert_eq!(l.pool.evaluate(sum, &assignment), Ok(Bv::new(64, expected)));
    assert_eq!(
        l.pool.evaluate_within(sum, &assignment, 100),
        Err(EvalError::TooManyIterations { budget: 100 })
    );
    // Beyond machine words.
    let mut l = lab(8, 100);
    let wide = l.pool.cast(CastOp::ZExt, 100, l.t);
    let body = l.pool.binary(BinOp::Shl, l.x, wide);
    let sum = l.sum(body);
    let mut assignment = Assignment::new();
    assignment.set(l.symbol(l.n), Bv::new(8, 90));
    assignment.set(l.symbol(l.x), Bv::new(100, 3));
    let expected = super::oracle::bv(100, 3 * ((1u128 << 90) - 1));
    assert_eq!(l.pool.evaluate(sum, &assignment), Ok(expected));
}

/// What the functions that replace sums are defined by.
#[test]
fn definitions_are_recurrences() {
    let mut l = lab(4, 8);
    let hit = l.hit(8);
    let sum = l.sum(hit);
    let five = l.pool.bv(8, 5);
    let truth = l.pool.ult(five, sum);
    let mut memory = Summations::default();
    let shown = |pool: &TermPool, parts: &[TermId]| -> Vec<String> {
        parts.iter().map(|p| pool.display(*p).to_string()).collect()
    };
    let defined = memory.defined(&mut l.pool, &[truth]);
    assert_eq!(
        shown(&l.pool, &defined),
        [
            "5 < sum(κ)",
            "(∀τ<κ: zext8(x = A(τ)) + sum(τ) = sum(τ + 1)) ∧ sum(0) = 0"
        ]
    );
    // The same function again; nothing for terms without sums.
    assert_eq!(memory.defined(&mut l.pool, &[truth]), defined);
    let plain = l.pool.ult(five, l.x);
    assert_eq!(memory.defined(&mut l.pool, &[plain]), [plain]);
    // Below a quantifier whose variable is the limit: one argument more.
    let outer = l.pool.symbol("outer", Sort::Bv(4));
    let o = l.pool.symbol_term(outer);
    let inner = l.pool.sum_below(l.tau, o, hit);
    let body = l.pool.ult(inner, five);
    let all = l.pool.forall_below(outer, l.n, body);
    let defined = Summations::default().defined(&mut l.pool, &[all]);
    assert_eq!(
        shown(&l.pool, &defined),
        [
            "∀τ<κ: sum#1(τ ∘ τ) < 5",
            "∀τ<κ: sum#1(τ ∘ 0) = 0 ∧ \
             (∀τ1<τ: zext8(x = A(τ1)) + sum#1(τ ∘ τ1) = sum#1(τ ∘ τ1 + 1))"
        ]
    );
    for part in defined {
        assert!(l.pool.is_closed(part) && !l.pool.has_sum(part));
    }
}
