//! Each named rule applies where it should, and does not where it must not.

use std::collections::BTreeSet;

use crate::simplify::RULES;
use crate::{BinOp, Bv, CastOp, Sort, Term, TermId, TermPool};

const SOURCES: [&str; 13] = [
    include_str!("../simplify/arithmetic.rs"),
    include_str!("../simplify/array.rs"),
    include_str!("../simplify/bitwise.rs"),
    include_str!("../simplify/boolean.rs"),
    include_str!("../simplify/compare.rs"),
    include_str!("../simplify/equality.rs"),
    include_str!("../simplify/float.rs"),
    include_str!("../simplify/ite.rs"),
    include_str!("../simplify/power.rs"),
    include_str!("../simplify/quantifier.rs"),
    include_str!("../simplify/resize.rs"),
    include_str!("../simplify/sum.rs"),
    include_str!("../simplify/table.rs"),
];

#[test]
fn the_table_names_exactly_the_rules_in_the_code() {
    let head = include_str!("../simplify/mod.rs");
    let in_code: BTreeSet<&str> = SOURCES
        .iter()
        .chain([&head])
        .flat_map(|source| source.lines())
        .filter_map(|line| line.trim().strip_prefix("// rule: "))
        .collect();
    let in_table: BTreeSet<&str> = RULES.iter().map(|rule| rule.name).collect();
    assert_eq!(in_table.len(), RULES.len(), "names are unique");
    assert_eq!(in_code, in_table);
}

/// A pool with symbols x, y, z of one width and truth values p, q, r.
struct Lab {
    pool: TermPool,
    width: u32,
    x: TermId,
    y: TermId,
    z: TermId,
    p: TermId,
    q: TermId,
    r: TermId,
}

impl Lab {
    fn new(width: u32) -> Lab {
        let mut pool = TermPool::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| pool.fresh(name, Sort::Bv(width)));
        let [p, q, r] = ["p", "q", "r"].map(|name| pool.fresh(name, Sort::Bv(1)));
        Lab {
            pool,
            width,
            x,
            y,
            z,
            p,
            q,
            r,
        }
    }

    fn c(&mut self, value: i64) -> TermId {
        self.pool.bv_signed(self.width, value)
    }

    fn op(&mut self, op: BinOp, a: TermId, c: i64) -> TermId {
        let c = self.c(c);
        self.pool.binary(op, a, c)
    }

    fn shown(&self, term: TermId) -> String {
        self.pool.display(term).to_string()
    }
}

/// `lab.shown` of an expression equals a text.
macro_rules! shows {
    ($lab:ident, $text:expr, $term:expr) => {{
        let term = $term;
        assert_eq!($lab.shown(term), $text);
    }};
}

#[test]
fn sums() {
    let mut l = Lab::new(32);
    let (x, y) = (l.x, l.y);
    let sum = l.pool.add(x, y);
    shows!(l, "x + y", sum);
    assert_eq!(l.pool.add(y, x), sum);
    assert_eq!(l.pool.sub(sum, y), x);
    let four_x = l.op(BinOp::Shl, x, 2);
    let quadruple = l.op(BinOp::Mul, x, 4);
    assert_eq!(four_x, quadruple);
    shows!(l, "-x - 1", l.pool.not(x));
    let not_x = l.pool.not(x);
    assert_eq!(l.pool.not(not_x), x);
    shows!(l, "-x", l.pool.neg(x));
    shows!(l, "x + y - 3", l.op(BinOp::Sub, sum, 3));
    let zero = l.op(BinOp::Shl, four_x, 30);
    assert_eq!(
        l.pool.as_u64(zero),
        Some(0),
        "coefficients vanish modulo 2^32"
    );
}

#[test]
fn products() {
    let mut l = Lab::new(32);
    let (x, y, z) = (l.x, l.y, l.z);
    let xy = l.pool.mul(x, y);
    let next = l.op(BinOp::Add, x, 1);
    let product = l.pool.mul(next, y);
    assert_eq!(
        l.pool.sub(product, xy),
        y,
        "mul-distribute: (x + 1)·y − x·y = y"
    );
    let (a, b) = (l.pool.mul(xy, z), l.pool.mul(y, z));
    assert_eq!(l.pool.mul(b, x), a, "mul-order");
    let (five_x, seven_y) = (l.op(BinOp::Mul, x, 5), l.op(BinOp::Mul, y, 7));
    shows!(l, "35*(x * y)", l.pool.mul(five_x, seven_y));
    // Not distributed: four products instead of one.
    let (sum, other) = (l.pool.add(x, y), l.pool.add(y, z));
    shows!(l, "(x + y) * (y + z)", l.pool.mul(sum, other));
}

#[test]
fn shifts_and_masks() {
    let mut l = Lab::new(32);
    let x = l.x;
    shows!(l, "zext32(x[4..32])", l.op(BinOp::LShr, x, 4));
    shows!(l, "sext32(x[4..32])", l.op(BinOp::AShr, x, 4));
    let sign = l.op(BinOp::AShr, x, 31);
    let beyond = l.op(BinOp::AShr, x, 40);
    assert_eq!(sign, beyond);
    shows!(l, "0", l.op(BinOp::LShr, x, 32));
    shows!(l, "zext32(x[0..8])", l.op(BinOp::And, x, 255));
    shows!(l, "16*zext32(x[4..8])", l.op(BinOp::And, x, 0xf0));
    shows!(l, "x & 165", l.op(BinOp::And, x, 0xa5));
    let masked = l.op(BinOp::And, x, 255);
    assert_eq!(l.op(BinOp::URem, x, 256), masked);
    assert_eq!(l.op(BinOp::And, masked, 255), masked);
    let shifted = l.op(BinOp::LShr, x, 3);
    assert_eq!(l.op(BinOp::UDiv, x, 8), shifted);
    shows!(l, "x %ₛ 8", l.op(BinOp::SRem, x, 8));
    shows!(l, "x /ₛ 8", l.op(BinOp::SDiv, x, 8));
    // The same with an unsigned operand that has no sign.
    let quotient = l.op(BinOp::UDiv, masked, 8);
    assert_eq!(l.op(BinOp::SDiv, masked, 8), quotient);
}

#[test]
fn bytes_join_and_come_apart() {
    let mut l = Lab::new(8);
    let (x, y) = (l.x, l.y);
    let (wide_x, wide_y) = (
        l.pool.cast(CastOp::ZExt, 32, x),
        l.pool.cast(CastOp::ZExt, 32, y),
    );
    let eight = l.pool.bv(32, 8);
    let high = l.pool.binary(BinOp::Shl, wide_y, eight);
    let both = l.pool.or(wide_x, high);
    shows!(l, "zext32(x) + 256*zext32(y)", both);
    assert_eq!(l.pool.extract(8, 8, both), y, "extract-high");
    assert_eq!(l.pool.extract(0, 8, both), x, "extract-sum");
    let mut l = Lab::new(32);
    let (x, y) = (l.x, l.y);
    let parts: Vec<TermId> = (0..4).map(|i| l.pool.extract(8 * i, 8, x)).collect();
    let joined = parts
        .iter()
        .copied()
        .reduce(|low, high| l.pool.concat(high, low));
    assert_eq!(joined, Some(x), "concat-join");
    let other = l.pool.extract(0, 8, y);
    let mixed = l.pool.concat(parts[1], other);
    assert!(
        matches!(l.pool.view(mixed), Term::Concat { .. }),
        "parts of different terms"
    );
}

#[test]
fn division_by_zero_is_kept() {
    let mut l = Lab::new(8);
    let (x, y) = (l.x, l.y);
    let (wide_x, wide_y) = (
        l.pool.cast(CastOp::ZExt, 16, x),
        l.pool.cast(CastOp::ZExt, 16, y),
    );
    // 2^16 − 1 and not 2^8 − 1 for y = 0.
    shows!(
        l,
        "zext16(x) / zext16(y)",
        l.pool.binary(BinOp::UDiv, wide_x, wide_y)
    );
    shows!(
        l,
        "zext16(x % y)",
        l.pool.binary(BinOp::URem, wide_x, wide_y)
    );
    shows!(l, "x / x", l.pool.binary(BinOp::UDiv, x, x));
    shows!(l, "0", l.pool.binary(BinOp::URem, x, x));
}

#[test]
fn quotients_against_constants() {
    let mut l = Lab::new(32);
    let (unsigned, signed) = (l.op(BinOp::UDiv, l.x, 1000), l.op(BinOp::SDiv, l.x, 1000));
    let (three, minus_two, zero) = (l.c(3), l.c(-2), l.c(0));
    shows!(l, "3999 < x", l.pool.ult(three, unsigned));
    shows!(l, "x < 3000", l.pool.ult(unsigned, three));
    shows!(l, "2999 < x ∧ x < 4000", l.pool.eq(unsigned, three));
    shows!(l, "x < 1000", l.pool.eq(unsigned, zero));
    shows!(l, "false", l.pool.ult(minus_two, unsigned));
    shows!(l, "-2000 <ₛ x", l.pool.slt(minus_two, signed));
    shows!(l, "x <ₛ -2999", l.pool.slt(signed, minus_two));
    shows!(l, "-1000 <ₛ x ∧ x <ₛ 1000", l.pool.eq(signed, zero));
}

#[test]
fn equations() {
    let mut l = Lab::new(32);
    let (x, y) = (l.x, l.y);
    let (a, b) = (l.op(BinOp::Add, x, 3), l.op(BinOp::Add, y, 5));
    shows!(l, "x = y + 2", l.pool.eq(a, b));
    assert_eq!(l.pool.eq(b, a), l.pool.eq(a, b));
    let same = l.op(BinOp::Add, x, 4);
    shows!(l, "false", l.pool.eq(a, same));
    // eq-invert: odd coefficients have an inverse, even ones only decide.
    let three_x = l.op(BinOp::Mul, x, 3);
    let seven = l.c(7);
    let inverse = l.c(7i64.wrapping_mul(-1_431_655_765));
    assert_eq!(l.pool.eq(three_x, seven), l.pool.eq(x, inverse));
    let four_x = l.op(BinOp::Mul, x, 4);
    shows!(l, "false", l.pool.eq(four_x, seven));
    let eight = l.c(8);
    shows!(l, "4*x = 8", l.pool.eq(four_x, eight));
    // eq-divide: without wrap-around the factor goes.
    let byte = l.op(BinOp::And, x, 255);
    let four_bytes = l.op(BinOp::Mul, byte, 4);
    shows!(l, "x[0..8] = 2", l.pool.eq(four_bytes, eight));
    let (six_x, six_y) = (l.op(BinOp::Mul, x, 6), l.op(BinOp::Mul, y, 6));
    shows!(l, "2*x = 2*y", l.pool.eq(six_x, six_y));
    // eq-shift: the triangular number of x, twice, is x² − x, since that is even.
    let square = l.pool.mul(x, x);
    let twice = l.pool.sub(square, x);
    let one = l.c(1);
    let half = l.pool.binary(BinOp::LShr, twice, one);
    let double = l.op(BinOp::Mul, half, 2);
    shows!(l, "true", l.pool.eq(double, twice));
    let half_x = l.pool.binary(BinOp::LShr, x, one);
    let double = l.op(BinOp::Mul, half_x, 2);
    shows!(l, "¬x[0..1]", l.pool.eq(double, x));
    shows!(l, "y = 2*zext32(x[1..32])", l.pool.eq(double, y));
    // eq-range
    let large = l.c(1000);
    shows!(l, "false", l.pool.eq(byte, large));
}

#[test]
fn equations_of_extensions() {
    let mut l = Lab::new(8);
    let (x, y, p) = (l.x, l.y, l.p);
    let (zx, zy) = (
        l.pool.cast(CastOp::ZExt, 32, x),
        l.pool.cast(CastOp::ZExt, 32, y),
    );
    let (sx, sy) = (
        l.pool.cast(CastOp::SExt, 32, x),
        l.pool.cast(CastOp::SExt, 32, y),
    );
    shows!(l, "x = y", l.pool.eq(zx, zy));
    shows!(l, "x = y", l.pool.eq(sx, sy));
    let mixed = l.pool.eq(zx, sy);
    assert!(l.shown(mixed).contains("sext32"), "of different kinds");
    let (minus_one, two_hundred) = (l.pool.bv_signed(32, -1), l.pool.bv(32, 200));
    shows!(l, "x = -1", l.pool.eq(sx, minus_one));
    shows!(l, "false", l.pool.eq(zx, minus_one));
    shows!(l, "false", l.pool.eq(sx, two_hundred));
    shows!(l, "x = -56", l.pool.eq(zx, two_hundred));
    // eq-wrap: what checks of overflow ask.
    let one = l.pool.bv(8, 1);
    let next = l.pool.add(x, one);
    for (op, bits, expected) in [
        (CastOp::SExt, 9, "x ≠ 127"),
        (CastOp::ZExt, 9, "x ≠ -1"),
        (CastOp::SExt, 70, "x ≠ 127"),
    ] {
        let one = l.pool.bv(bits, 1);
        let [below, above] = [x, next].map(|term| l.pool.cast(op, bits, term));
        let straight = l.pool.add(below, one);
        shows!(l, expected, l.pool.eq(above, straight));
        let two = l.pool.add(straight, one);
        shows!(l, "false", l.pool.eq(above, two));
        shows!(l, "false", l.pool.eq(below, straight));
        let modulus = l.pool.bv(bits, 1 << 8);
        let once_around = l.pool.add(below, modulus);
        shows!(l, "false", l.pool.eq(below, once_around));
        let back = l.pool.sub(below, modulus);
        shows!(l, "false", l.pool.eq(below, back));
    }
    // icmp ne (zext i1 p), 0
    let wide_p = l.pool.cast(CastOp::ZExt, 32, p);
    let zero = l.pool.bv(32, 0);
    assert_eq!(l.pool.ne(wide_p, zero), p);
}

#[test]
fn orderings() {
    let mut l = Lab::new(32);
    let (x, y) = (l.x, l.y);
    let less = l.pool.ult(x, y);
    let at_most = l.pool.ule(x, y);
    assert_ne!(less, at_most, "ule is not ult");
    assert_eq!(l.pool.not(less), l.pool.ule(y, x));
    assert_eq!(l.pool.not(at_most), l.pool.ult(y, x));
    let (five, four, zero) = (l.c(5), l.c(4), l.c(0));
    let below_five = l.pool.ult(x, five);
    assert_eq!(l.pool.ule(x, four), below_five);
    assert_ne!(l.pool.ule(x, five), below_five);
    let one = l.c(1);
    shows!(l, "x = 0", l.pool.ult(x, one));
    shows!(l, "x ≠ 0", l.pool.ult(zero, x));
    shows!(l, "false", l.pool.ult(x, zero));
    shows!(l, "true", l.pool.ule(zero, x));
    shows!(l, "x <ₛ 0", l.pool.slt(x, zero));
    shows!(l, "4 < x", l.pool.ule(five, x));
}

#[test]
fn orderings_of_extensions_keep_only_what_is_monotone() {
    let mut l = Lab::new(8);
    let (x, y) = (l.x, l.y);
    let (zx, zy) = (
        l.pool.cast(CastOp::ZExt, 32, x),
        l.pool.cast(CastOp::ZExt, 32, y),
    );
    let (sx, sy) = (
        l.pool.cast(CastOp::SExt, 32, x),
        l.pool.cast(CastOp::SExt, 32, y),
    );
    let (unsigned, signed) = (l.pool.ult(x, y), l.pool.slt(x, y));
    assert_eq!(l.pool.ult(zx, zy), unsigned);
    assert_eq!(l.pool.slt(zx, zy), unsigned, "no extension has a sign");
    assert_eq!(l.pool.slt(sx, sy), signed);
    assert_eq!(
        l.pool.ult(sx, sy),
        unsigned,
        "signed extension keeps the unsigned order too"
    );
    assert_ne!(l.pool.ult(sx, sy), signed);
    let hundred = l.pool.bv(32, 100);
    let narrow = l.pool.bv(8, 100);
    assert_eq!(l.pool.slt(sx, hundred), l.pool.slt(x, narrow));
    // 200 is no signed byte: decided, not cut to −56.
    let two_hundred = l.pool.bv(32, 200);
    shows!(l, "true", l.pool.slt(sx, two_hundred));
    // Unsigned, 200 lies in the gap of the extension.
    let gap = l.pool.ult(sx, two_hundred);
    assert!(matches!(l.pool.view(gap), Term::Compare(..)));
    assert!(l.shown(gap).contains("sext32"));
    // Mixed extensions are not compared narrowly.
    let mixed = l.pool.ult(sx, zy);
    assert!(l.shown(mixed).contains("sext32"));
}

#[test]
fn orderings_under_wrap_around() {
    let mut l = Lab::new(8);
    let (x, y) = (l.x, l.y);
    let (next, third) = (l.op(BinOp::Add, x, 1), l.op(BinOp::Add, x, 3));
    // x < x + 1 fails for the greatest x.
    shows!(l, "x ≠ -1", l.pool.ult(x, next));
    shows!(l, "x + 1 < -2", l.pool.ult(next, third));
    shows!(l, "x ≠ 127", l.pool.slt(x, next));
    // A common summand is not cancelled: it may wrap on one side only.
    let (a, b) = (l.pool.add(x, y), l.pool.add(x, l.z));
    shows!(l, "x + y < x + z", l.pool.ult(a, b));
    shows!(l, "y = z", l.pool.eq(a, b));
}

#[test]
fn truth_values() {
    let mut l = Lab::new(8);
    let (p, q, r) = (l.p, l.q, l.r);
    let pq = l.pool.and(p, q);
    let qr = l.pool.and(q, r);
    assert_eq!(l.pool.and(pq, r), l.pool.and(p, qr), "bool-flat");
    assert_eq!(l.pool.conjuncts(pq), vec![p, q]);
    let not_p = l.pool.not(p);
    shows!(l, "false", l.pool.and(pq, not_p));
    let either = l.pool.or(p, q);
    assert_eq!(l.pool.and(p, either), p, "bool-absorb");
    let other = l.pool.or(not_p, q);
    assert_eq!(l.pool.and(p, other), pq, "bool-resolve");
    shows!(l, "¬p ∨ ¬q", l.pool.not(pq));
    assert_eq!(l.pool.implies(p, q), other);
    shows!(l, "p ⇎ q", l.pool.xor(p, q));
    let sum = l.pool.add(p, q);
    assert_eq!(sum, l.pool.xor(p, q), "bool-arithmetic");
    let choice = l.pool.ite(p, q, r);
    shows!(l, "ite(p, ¬q, ¬r)", l.pool.not(choice));
    assert_eq!(l.pool.ite(not_p, r, q), choice, "ite-polarity");
    let many: Vec<TermId> = (0..100).map(|_| l.pool.fresh("b", Sort::Bv(1))).collect();
    let all = l.pool.conj(many.iter().copied());
    assert_eq!(l.pool.conjuncts(all).len(), 100);
    let double = l.pool.conj(many.iter().rev().chain(&many).copied());
    assert_eq!(all, double);
    let shared = many.iter().fold(all, |nest, _| {
        let sides = [(); 2].map(|()| {
            let more = l.pool.fresh("b", Sort::Bv(1));
            l.pool.and(nest, more)
        });
        l.pool.and(sides[0], sides[1])
    });
    let n_parts = l.pool.conjuncts(shared).len();
    assert!((300..1000).contains(&n_parts), "{n_parts}");
    let not_last = l.pool.not(many[99]);
    shows!(
        l,
        "false",
        l.pool.conj(many.iter().copied().chain([not_last]))
    );
}

#[test]
fn choices() {
    let mut l = Lab::new(32);
    let (x, y, p) = (l.x, l.y, l.p);
    let (one, zero, three, five) = (l.c(1), l.c(0), l.c(3), l.c(5));
    let flag = l.pool.ite(p, one, zero);
    shows!(l, "zext32(p)", flag);
    shows!(l, "sext32(p)", {
        let minus_one = l.c(-1);
        l.pool.ite(p, minus_one, zero)
    });
    let choice = l.pool.ite(p, three, five);
    assert_eq!(l.pool.eq(choice, three), p, "eq-ite");
    shows!(l, "¬p", l.pool.eq(choice, five));
    shows!(l, "false", l.pool.eq(choice, one));
    shows!(l, "p", {
        let four = l.c(4);
        l.pool.ult(choice, four)
    });
    let inner = l.pool.ite(p, x, y);
    assert_eq!(l.pool.ite(p, inner, y), inner, "ite-nested");
    let equal = l.pool.eq(x, y);
    assert_eq!(l.pool.ite(equal, x, y), y, "ite-equal");
    let half_open = l.pool.ite(p, three, x);
    shows!(l, "p ∨ x = 3", l.pool.eq(half_open, three));
    shows!(l, "¬p ∧ x = 5", l.pool.eq(half_open, five));
}

#[test]
fn extensions_of_sums_only_without_wrap() {
    let mut l = Lab::new(8);
    let x = l.x;
    let wide = l.pool.cast(CastOp::ZExt, 32, x);
    let (one, thousand) = (l.pool.bv(32, 1), l.pool.bv(32, 1000));
    let next = l.pool.add(wide, one);
    shows!(l, "zext64(x) + 1", l.pool.cast(CastOp::ZExt, 64, next));
    shows!(l, "zext64(x) + 1", l.pool.cast(CastOp::SExt, 64, next));
    let below = l.pool.sub(wide, thousand);
    shows!(l, "zext64(x) - 1000", l.pool.cast(CastOp::SExt, 64, below));
    // As an unsigned number it wraps always, and is below by a constant.
    let unsigned = l.pool.cast(CastOp::ZExt, 64, below);
    assert_eq!(l.pool.umin(unsigned), (1 << 32) - 1000);
    let bare = l.op(BinOp::Add, x, 1);
    shows!(l, "zext16(x + 1)", l.pool.cast(CastOp::ZExt, 16, bare));
    shows!(l, "sext16(x + 1)", l.pool.cast(CastOp::SExt, 16, bare));
}

#[test]
fn powers() {
    let mut l = Lab::new(32);
    let x = l.x;
    shows!(l, "1 << x", l.pool.power(&Bv::new(32, 2), x));
    shows!(l, "3^x", l.pool.power(&Bv::new(32, 3), x));
    shows!(l, "1", l.pool.power(&Bv::new(32, 1), x));
    shows!(l, "zext32(x = 0)", l.pool.power(&Bv::new(32, 0), x));
    shows!(l, "ite(x[0..1], -1, 1)", l.pool.power(&Bv::ones(32), x));
    let next = l.op(BinOp::Add, x, 2);
    shows!(l, "9*3^x", l.pool.power(&Bv::new(32, 3), next));
    // An even base does not have an inverse: x + 2 may wrap to a small exponent.
    shows!(l, "6^(x + 2)", l.pool.power(&Bv::new(32, 6), next));
    // The exponent wraps too early for this width.
    let mut l = Lab::new(8);
    let x = l.x;
    let next = l.op(BinOp::Add, x, 2);
    shows!(l, "3^(x + 2)", l.pool.power(&Bv::new(32, 3), next));
}

#[test]
fn wide_terms() {
    let mut l = Lab::new(128);
    let (x, y) = (l.x, l.y);
    let (a, b) = (l.op(BinOp::Add, x, 3), l.op(BinOp::Sub, y, 3));
    let sum = l.pool.add(a, b);
    assert_eq!(sum, l.pool.add(y, x));
    shows!(l, "0", l.pool.sub(x, x));
    let not_x = l.pool.not(x);
    assert_eq!(l.pool.not(not_x), x);
    shows!(l, "x * 15", {
        let three = l.op(BinOp::Mul, x, 3);
        l.op(BinOp::Mul, three, 5)
    });
}

/// What fits in 64 bits is computed there, so that a check for overflow of `(long long) a * b` is
/// decided; what may not fit stays wide.
#[test]
fn wide_sums_and_products_of_narrow_terms() {
    for cast in [CastOp::SExt, CastOp::ZExt] {
        for op in [BinOp::Add, BinOp::Mul] {
            let mut l = Lab::new(32);
            let mut exact = |width: u32| {
                let [x, y] = [l.x, l.y].map(|term| l.pool.cast(cast, width, term));
                l.pool.binary(op, x, y)
            };
            let (wide, narrow) = (exact(128), exact(64));
            let back = l.pool.cast(cast, 128, narrow);
            let same = l.pool.eq(wide, back);
            assert_eq!(same, l.pool.truth(true), "{cast:?} {op:?}");
        }
    }
    let mut l = Lab::new(64);
    let [x, y] = [l.x, l.y].map(|term| l.pool.cast(CastOp::SExt, 128, term));
    let product = l.pool.mul(x, y);
    assert!(matches!(l.pool.view(product), Term::Binary(BinOp::Mul, ..)));
    // The least number times itself fits in no 64 bits, and is not negative.
    let least = l.pool.bv(64, 1 << 63);
    let least = l.pool.cast(CastOp::SExt, 128, least);
    let square = l.pool.mul(least, least);
    let expected = l.pool.bv(128, 1 << 62);
    let (one, zero) = (l.c(1), l.c(0));
    let two_to_64 = l.pool.concat(one, zero);
    assert_eq!(square, l.pool.mul(expected, two_to_64));
}

#[test]
fn what_is_packed_in_a_wide_number_is_unpacked() {
    let mut l = Lab::new(64);
    let (x, y) = (l.x, l.y);
    let pack = |l: &mut Lab, shift: u64| {
        let [low, high] = [x, y].map(|part| l.pool.cast(CastOp::ZExt, 128, part));
        let shift = l.pool.bv(128, shift);
        let high = l.pool.binary(BinOp::Shl, high, shift);
        l.pool.or(low, high)
    };
    let packed = pack(&mut l, 64);
    assert_eq!(packed, l.pool.concat(y, x), "or-concat");
    assert_eq!(l.pool.extract(0, 64, packed), x);
    assert_eq!(l.pool.extract(64, 64, packed), y);
    // Of what is shifted further the upper bits are lost; what is shifted less is mixed.
    let packed = pack(&mut l, 96);
    let low = l.pool.extract(0, 32, y);
    let zero = l.pool.bv(32, 0);
    let upper = l.pool.concat(low, zero);
    assert_eq!(packed, l.pool.concat(upper, x), "or-concat");
    let packed = pack(&mut l, 63);
    assert!(matches!(l.pool.view(packed), Term::Binary(BinOp::Or, ..)));
}

#[test]
fn addresses_are_aligned_and_mixed() {
    let mut l = Lab::new(64);
    let address = l.pool.symbol_multiple_of("at", Sort::Bv(64), 16);
    let (at, x) = (l.pool.symbol_term(address), l.x);
    let tagged = l.op(BinOp::Or, at, 1);
    shows!(l, "at + 1", tagged);
    assert_eq!(l.op(BinOp::And, tagged, -2), at, "and-multiple");
    assert_eq!(l.op(BinOp::And, tagged, 1), l.c(1));
    let within = l.pool.add(at, x);
    let aligned = l.op(BinOp::And, within, -8);
    let offset = l.pool.sub(aligned, at);
    assert_eq!(offset, l.op(BinOp::And, x, -8), "and-multiple");
    // An alignment that the address is not known to have says nothing.
    let page = l.op(BinOp::And, within, -4096);
    let offset = l.pool.sub(page, at);
    assert_ne!(offset, l.op(BinOp::And, x, -4096));
    let known = l
        .pool
        .symbol_within("known", Sort::Bv(64), 16, 0x10000..1 << 47);
    let known = l.pool.symbol_term(known);
    let eight = l.c(8);
    let inside = l.pool.add(known, eight);
    let nothing = l.pool.bv(16, 0);
    for term in [known, inside] {
        assert_eq!(l.pool.extract(48, 16, term), nothing, "extract-range");
        assert_ne!(l.pool.extract(40, 16, term), nothing);
    }
    let (y, z) = (l.y, l.z);
    let mixed = l.pool.xor(y, z);
    assert_eq!(l.pool.xor(mixed, y), z, "xor-cancel");
    assert_eq!(l.pool.xor(z, mixed), y, "xor-cancel");
    let zero = l.c(0);
    let same = l.pool.eq(mixed, y);
    assert_eq!(same, l.pool.eq(z, zero), "eq-xor");
}

#[test]
fn bits_of_shared_parts_are_taken_once() {
    // Each level has the one below twice: 2^60 ways lead to the symbol.
    let mut l = Lab::new(32);
    let mut term = l.x;
    for _ in 0..60 {
        let other = l.pool.add(term, l.y);
        term = l.pool.mul(term, other);
    }
    let lowest = l.pool.extract(0, 1, term);
    let again = l.pool.extract(0, 1, term);
    assert_eq!(lowest, again);
}

#[test]
fn choices_that_share_parts_are_multiples_of_what_all_their_values_are() {
    let mut l = Lab::new(32);
    let mut offset = l.c(0);
    for _ in 0..60 {
        let condition = l.pool.fresh("taken", Sort::Bv(1));
        let four = l.c(4);
        let next = l.pool.add(offset, four);
        offset = l.pool.ite(condition, next, offset);
    }
    assert!(l.pool.is_multiple_of(offset, 4));
    assert!(!l.pool.is_multiple_of(offset, 8));
}
