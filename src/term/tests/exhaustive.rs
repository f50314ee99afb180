//! Every operation on every pair of 4-bit constants, and with symbols at 1 to 4 bits.

use super::oracle::{self, Environment, Tree, World, check};
use crate::{BinOp, Bv, CastOp, CmpOp, word};

fn pairs(width: u32) -> impl Iterator<Item = (u128, u128)> {
    let n = 1u128 << width;
    (0..n).flat_map(move |a| (0..n).map(move |b| (a, b)))
}

#[test]
fn constants_fold_as_defined() {
    let mut world = World::default();
    for width in 1..=4 {
        for (a, b) in pairs(width) {
            let (x, y) = (oracle::bv(width, a), oracle::bv(width, b));
            let (s, t) = (world.pool.constant(&x), world.pool.constant(&y));
            for op in BinOp::ALL {
                let expected = oracle::bv(width, oracle::binary(op, width, a, b));
                assert_eq!(Bv::binary(op, &x, &y), expected, "{op:?} {a} {b}");
                let term = world.pool.binary(op, s, t);
                assert_eq!(world.pool.as_const(term), Some(expected), "{op:?} {a} {b}");
            }
            for op in CmpOp::ALL {
                let expected = oracle::compare(op, width, a, b);
                assert_eq!(Bv::compare(op, &x, &y), expected, "{op:?} {a} {b}");
                let term = world.pool.compare(op, s, t);
                assert_eq!(term, world.pool.truth(expected), "{op:?} {a} {b}");
            }
        }
    }
}

/// By any constant, against any constant, at either side.
#[test]
fn quotients_compare_as_defined() {
    for width in 1..=4 {
        let mut world = World::default();
        let mut environments = environments(width);
        for (c, m) in pairs(width) {
            for op in [BinOp::UDiv, BinOp::SDiv] {
                let quotient = || {
                    let of = Box::new(Tree::Variable(width, 0));
                    let divisor = Box::new(Tree::Constant(width, c));
                    Box::new(Tree::Binary(op, of, divisor))
                };
                let constant = || Box::new(Tree::Constant(width, m));
                for compare in CmpOp::ALL {
                    let left = Tree::Compare(compare, quotient(), constant());
                    check_all(&mut world, left, &mut environments);
                    let right = Tree::Compare(compare, constant(), quotient());
                    check_all(&mut world, right, &mut environments);
                }
            }
        }
    }
}

/// By one constant and then by another, whatever their signs.
#[test]
fn quotients_of_quotients_are_as_defined() {
    for width in 2..=4 {
        let mut world = World::default();
        let mut environments = environments(width);
        for (c, d) in pairs(width) {
            for op in [BinOp::UDiv, BinOp::SDiv] {
                let constant = |value| Box::new(Tree::Constant(width, value));
                let of = Box::new(Tree::Variable(width, 0));
                let inner = Box::new(Tree::Binary(op, of, constant(c)));
                check_all(
                    &mut world,
                    Tree::Binary(op, inner, constant(d)),
                    &mut environments,
                );
            }
        }
    }
}

/// Any constant added before an extension, and any added behind it.
#[test]
fn sums_wrap_around_as_defined() {
    for (width, wide, op) in [
        (2, 3, CastOp::ZExt),
        (2, 3, CastOp::SExt),
        (3, 4, CastOp::ZExt),
        (3, 4, CastOp::SExt),
        (3, 5, CastOp::ZExt),
        (3, 5, CastOp::SExt),
    ] {
        let mut world = World::default();
        let mut environments = environments(width);
        world.variable(width, 0);
        world.variable(width, 1);
        let x = || Box::new(Tree::Variable(width, 0));
        for before in 0..1 << width {
            for behind in 0..1 << wide {
                let moved = Tree::Binary(BinOp::Add, x(), Box::new(Tree::Constant(width, before)));
                let left = Box::new(Tree::Cast(op, wide, Box::new(moved)));
                let extended = Box::new(Tree::Cast(op, wide, x()));
                let constant = Box::new(Tree::Constant(wide, behind));
                let right = Box::new(Tree::Binary(BinOp::Add, extended, constant));
                for (left, right) in [(left.clone(), right.clone()), (right, left)] {
                    let equal = Tree::Compare(CmpOp::Eq, left, right);
                    check(&mut world, &equal, &mut environments);
                }
            }
        }
    }
}

#[test]
fn inverses_are_inverse() {
    for odd in (1..10_000u64).step_by(2).chain([u64::MAX, u64::MAX - 2]) {
        assert_eq!(odd.wrapping_mul(word::inverse(odd)), 1);
    }
}

/// All values of x0 and x1 of one width.
fn environments(width: u32) -> Vec<Environment> {
    pairs(width)
        .map(|(a, b)| {
            let mut env = Environment::default();
            env.variables.insert((width, 0), a);
            env.variables.insert((width, 1), b);
            env
        })
        .collect()
}

/// Terms over one variable, which rules look into.
fn shapes(width: u32, number: usize) -> Vec<Tree> {
    let x = || Box::new(Tree::Variable(width, number));
    let c = |value: u128| Box::new(Tree::Constant(width, value & oracle::mask(width)));
    let mut shapes = vec![
        *x(),
        Tree::Not(x()),
        Tree::Neg(x()),
        Tree::Binary(BinOp::Add, x(), c(1)),
        Tree::Binary(BinOp::Add, x(), c(5)),
        Tree::Binary(BinOp::Mul, x(), c(2)),
        Tree::Binary(BinOp::Mul, x(), c(3)),
        Tree::Binary(BinOp::And, x(), c(5)),
        Tree::Binary(BinOp::Or, x(), c(5)),
        Tree::Binary(BinOp::Xor, x(), c(5)),
        Tree::Binary(BinOp::LShr, x(), c(1)),
        Tree::Binary(BinOp::AShr, x(), c(1)),
        Tree::Binary(BinOp::URem, x(), c(3)),
        Tree::Ite(Box::new(Tree::Compare(CmpOp::Slt, x(), c(0))), c(3), c(6)),
    ];
    if width > 1 {
        let low = || Box::new(Tree::Extract(0, width - 1, x()));
        let high = || Box::new(Tree::Extract(width - 1, 1, x()));
        shapes.push(Tree::Cast(CastOp::ZExt, width, low()));
        shapes.push(Tree::Cast(CastOp::SExt, width, low()));
        shapes.push(Tree::Cast(CastOp::ZExt, width, high()));
        shapes.push(Tree::Concat(low(), high()));
    }
    shapes
}

#[test]
fn operations_on_shapes_keep_meaning() {
    for width in 1..=4 {
        let mut world = World::default();
        let mut environments = environments(width);
        let first = shapes(width, 0);
        let mut second = shapes(width, 0);
        second.extend(shapes(width, 1));
        second.extend((0..1u128 << width).map(|value| Tree::Constant(width, value)));
        for a in &first {
            for b in &second {
                let (x, y) = (Box::new(a.clone()), Box::new(b.clone()));
                for op in BinOp::ALL {
                    check_all(
                        &mut world,
                        Tree::Binary(op, x.clone(), y.clone()),
                        &mut environments,
                    );
                }
                for op in CmpOp::ALL {
                    check_all(
                        &mut world,
                        Tree::Compare(op, x.clone(), y.clone()),
                        &mut environments,
                    );
                }
                for op in [
                    BinOp::Sub,
                    BinOp::UDiv,
                    BinOp::SDiv,
                    BinOp::URem,
                    BinOp::SRem,
                    BinOp::Shl,
                ] {
                    check_all(
                        &mut world,
                        Tree::Binary(op, y.clone(), x.clone()),
                        &mut environments,
                    );
                }
            }
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "shorter calls")]
fn check_all(world: &mut World, tree: Tree, environments: &mut [Environment]) {
    world.variable(tree_width(&tree), 0);
    world.variable(tree_width(&tree), 1);
    check(world, &tree, environments);
}

fn tree_width(tree: &Tree) -> u32 {
    match tree {
        Tree::Binary(_, a, _) | Tree::Compare(_, a, _) => a.width(),
        _ => tree.width(),
    }
}
