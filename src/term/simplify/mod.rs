//! The constructors of terms, and the rules by which they simplify.
//!
//! # Canonical form
//! - Two constant operands are folded first, whatever the operator.
//! - Width 1: only `And`, `Or`, `Not`, `Eq`, `Ite` and the comparisons of wider terms. `Not`
//!   stands only above symbols, `Eq`, quantifiers, selects and the like: it is pushed through
//!   orderings, `And`, `Or`, `Ite`. Conjunctions and disjunctions of up to [`FLAT`] parts are
//!   sorted by [`TermId`], and nest to the left.
//! - Width 2..=64: sums are linear normal forms; `Sub`, bitwise not, negation, multiplication and
//!   left shift by a constant exist only within them. `x | c` and the bitwise combination of terms
//!   without common bits are sums too.
//! - Above 64 bits: `Add` and `Mul` with the constant last; x − y is x + (−1)·y.
//! - Constant logical right shifts and contiguous masks are `ZExt` of `Extract`, arithmetic ones
//!   `SExt` of `Extract`; `Trunc` is `Extract` from bit 0.
//! - `Concat` nests to the right; a `Concat` of zeros above is a `ZExt`.
//! - Comparisons are `Eq`, `Ult`, `Ule`, `Slt`, `Sle`; with a constant only `Ult`, `Slt`. Equality
//!   has terms with positive coefficients on the left, the others and the constant on the right.
//! - Conditions of `Ite` are never `Not`, `Ule`, `Sle` or `Or`: the branches are swapped instead.
//! - An existential quantifier is the negation of `ForAll`.
//! - The body of a bounded sum is one term with τ, or a sum of at least two; the parts without τ
//!   and the multiples of τ stand outside.
//!
//! # Steps to add an operator
//! 1. The node: see the head of [`pool`](super) (`TermData`, `Term`, operands, `rebuild`).
//! 2. The constructor: here, in the file of its family. First fold constants, then apply rules,
//!    each with its name in a comment `rule: name` and a row in [`RULES`], then `intern`.
//! 3. `evaluate`, `print`, `smt2`: one case each.
//! 4. Tests: the operator joins the exhaustive tables and the random trees of `tests`.
//!
//! A rule may look at its operands to a fixed depth only, so that a constructor's cost does not
//! depend on the size of the term.

mod arithmetic;
mod array;
mod bitwise;
mod boolean;
mod compare;
mod equality;
mod float;
mod ite;
mod period;
mod power;
mod quantifier;
mod resize;
mod sum;
mod table;

pub(super) use array::StoreIndices;

use super::bv::word;
use super::pool::TermData;
use super::{BinOp, Bv, CmpOp, Sort, TermId, TermPool};

/// Conjunctions and disjunctions of up to this many parts are kept flat and sorted.
pub const FLAT: usize = 16;

/// A rewrite that constructors apply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rule {
    /// Unique; named in a comment at the code that applies it.
    pub name: &'static str,
    /// Its effect; w is the width of the operands.
    pub statement: &'static str,
}

const fn rule(name: &'static str, statement: &'static str) -> Rule {
    Rule { name, statement }
}

/// All rules, by family.
pub const RULES: &[Rule] = &[
    // arithmetic
    rule(
        "sum-normal",
        "x + y, x − y, −x, c·x, ~x (= −x − 1), x << c are linear normal forms",
    ),
    rule(
        "mul-distribute",
        "m·(c·x + d) = c·m·x + d·m when one more product does not arise",
    ),
    rule("mul-order", "products are sorted chains of their factors"),
    rule(
        "mul-wide",
        "above 64 bits: c·(d·x) = (c·d)·x, 0·x = 0, 1·x = x",
    ),
    rule(
        "add-wide",
        "above 64 bits: (x + c) + d = x + (c + d), x + (−1)·x = 0, x + 0 = x",
    ),
    rule("shl-zero", "0 << x = 0; x << y = 0 when y ≥ w"),
    rule(
        "lshr-extract",
        "x >> c = zext(extract(x, c, w − c)); 0 when c ≥ w",
    ),
    rule(
        "ashr-extract",
        "arithmetic x >> c = sext(extract(x, c, w − c)), c cut to w − 1",
    ),
    rule(
        "ashr-positive",
        "arithmetic x >> y = logical x >> y when x has no sign",
    ),
    rule("shift-zero", "0 >> x = 0; x >> 0 = x"),
    rule(
        "narrow-wide",
        "above 64 bits: ext x + ext y and ext x · ext y are computed in 64 bits where they fit",
    ),
    rule("udiv-identity", "x / 1 = x; x / 0 = 2^w − 1"),
    rule("udiv-power", "x / 2^k = x >> k"),
    rule("udiv-small", "x / y = 0 when always x < y"),
    rule(
        "udiv-narrow",
        "zext x / zext y = zext(x / y); so with a constant that fits",
    ),
    rule("udiv-udiv", "(x / c) / d = x / (c·d) when c·d < 2^w"),
    rule("urem-identity", "x % 1 = 0; x % 0 = x; x % x = 0"),
    rule("urem-power", "x % 2^k = x & (2^k − 1)"),
    rule("urem-small", "x % y = x when always x < y"),
    rule(
        "urem-narrow",
        "zext x % zext y = zext(x % y); so with a constant that fits",
    ),
    rule(
        "sdiv-identity",
        "signed x / 1 = x; x / −1 = −x; x / 0 = ite(x < 0, 1, −1)",
    ),
    rule(
        "sdiv-sdiv",
        "(x / c) / d, signed, = x / (c·d) when 0 < c·d < 2^(w−1)",
    ),
    rule(
        "sdiv-positive",
        "signed x / y = unsigned x / y when both have no sign",
    ),
    rule(
        "srem-identity",
        "signed x % 1 = x % −1 = x % x = 0; x % 0 = x",
    ),
    rule(
        "srem-positive",
        "signed x % y = unsigned x % y when both have no sign",
    ),
    // bitwise
    rule("bit-idempotent", "x & x = x | x = x; x ^ x = 0"),
    rule(
        "bit-neutral",
        "x & −1 = x | 0 = x ^ 0 = x; x & 0 = 0; x | −1 = −1; x ^ −1 = ~x",
    ),
    rule("bit-complement", "x & ~x = 0; x | ~x = x ^ ~x = −1"),
    rule("bit-constants", "(x ∘ c) ∘ d = x ∘ (c ∘ d) for &, ^"),
    rule(
        "bit-narrow",
        "zext x ∘ zext y = zext(x ∘ y); so with a constant; sext x ∘ sext y likewise",
    ),
    rule(
        "bit-disjoint",
        "x | y = x ^ y = x + y and x & y = 0 when no bit is common, by intervals and trailing zeros",
    ),
    rule("and-mask", "x & (2^n − 1)·2^l = 2^l·zext(extract(x, l, n))"),
    rule("or-constant", "x | c = (x & ~c) + c"),
    rule(
        "or-concat",
        "above 64 bits: 2^k·x | zext y = concat(x, y) when y has at most k bits",
    ),
    rule("xor-sign", "x ^ 2^(w−1) = x + 2^(w−1)"),
    rule("xor-cancel", "x ^ (x ^ y) = y"),
    rule(
        "and-multiple",
        "(x + y) & −2^k = x + (y & −2^k) where 2^k divides x, as an address is a multiple of its alignment",
    ),
    rule("not-wide", "above 64 bits: ~~x = x"),
    // boolean
    rule(
        "bool-arithmetic",
        "width 1: + − ^ ≠ are exclusive or, · is and; the others by their tables",
    ),
    rule(
        "bool-flat",
        "conjunctions and disjunctions are flat, sorted, without repetition",
    ),
    rule("bool-complement", "x ∧ ¬x = 0; x ∨ ¬x = 1"),
    rule("bool-absorb", "x ∧ (x ∨ y) = x; x ∨ (x ∧ y) = x"),
    rule("bool-resolve", "x ∧ (¬x ∨ y) = x ∧ y; x ∨ (¬x ∧ y) = x ∨ y"),
    rule(
        "not-push",
        "¬ is pushed through orderings, ∧, ∨ and ite; ¬¬x = x",
    ),
    // comparisons
    rule("eq-same", "x = x"),
    rule("eq-xor", "x ^ y = x is y = 0"),
    rule(
        "eq-linear",
        "x = y: common terms cancel; no terms left: decided",
    ),
    rule(
        "eq-shift",
        "2^k·(x >> k) in a difference is x − (x mod 2^k) where that leaves fewer terms",
    ),
    rule(
        "eq-scale",
        "the common odd factor of all numbers is divided out",
    ),
    rule(
        "eq-invert",
        "c·x = d with odd c: x = d·c⁻¹; 2^e·x = d is false unless 2^e divides d",
    ),
    rule(
        "eq-sign",
        "the first term of the difference has a positive coefficient",
    ),
    rule(
        "eq-range",
        "false when the difference, as an integer, never is a multiple of 2^w",
    ),
    rule(
        "eq-divide",
        "2^e divides all numbers and the difference / 2^e does not wrap: divided",
    ),
    rule(
        "eq-extend",
        "ext x = ext y: x = y; ext x = c: x = trunc c, or false; ext x = ext y of other widths: the narrower is extended",
    ),
    rule(
        "eq-wrap",
        "ext(x + c) = ext x + d: whether adding c to x wraps around, or does not, or false",
    ),
    rule(
        "eq-ite",
        "ite(c, k, y) = k is c ∨ y = k; ite(c, j, y) = k with j ≠ k is ¬c ∧ y = k",
    ),
    rule(
        "eq-concat",
        "concat(x, y) = concat(u, v) with the same cut, or a constant: x = u ∧ y = v",
    ),
    rule(
        "eq-bool",
        "width 1: x = 1 is x; x = 0 is ¬x; ¬ moves outside",
    ),
    rule("cmp-bool", "width 1: orderings are ∧ and ∨"),
    rule("cmp-same", "x < x is false, x ≤ x is true"),
    rule("cmp-range", "decided by intervals"),
    rule(
        "ule-constant",
        "x ≤ c is x < c + 1; c ≤ x is c − 1 < x; likewise signed",
    ),
    rule(
        "ult-edge",
        "0 < x is x ≠ 0; x < 1 is x = 0; x < −1 is x ≠ −1; −2 < x is x = −1; likewise signed",
    ),
    rule(
        "ult-extend",
        "orderings of zext x and zext y, sext x and sext y, or one and a constant: of x and y",
    ),
    rule(
        "slt-unsigned",
        "a signed ordering of two terms with the same sign is the unsigned one",
    ),
    rule(
        "ult-shift",
        "x + c < x + d is x + c < c − d: exactly when adding d − c does not wrap",
    ),
    rule(
        "slt-shift",
        "x + c < x + d, signed, is a bound on x + c: whether adding d − c wraps",
    ),
    rule(
        "cmp-ite",
        "ite(c, j, k) compared with a constant, j and k constants: c, ¬c, or decided",
    ),
    rule(
        "cmp-quotient",
        "x / c compared with a constant m, by < or = : x compared with multiples of c; likewise signed, c > 0",
    ),
    // ite
    rule(
        "ite-constant",
        "ite(1, x, y) = x; ite(0, x, y) = y; ite(c, x, x) = x",
    ),
    rule("ite-polarity", "ite(¬c, x, y) = ite(c, y, x)"),
    rule(
        "ite-nested",
        "ite(c, ite(c, x, y), z) = ite(c, x, z), and on the other side",
    ),
    rule(
        "ite-bool",
        "width 1: ite with a constant branch is ∧ or ∨; ite(c, x, ¬x) is c = x",
    ),
    rule(
        "ite-extend",
        "ite(c, 1, 0) = zext c; ite(c, −1, 0) = sext c",
    ),
    rule("ite-equal", "ite(x = y, x, y) = y"),
    // widths
    rule(
        "ext-ext",
        "zext zext x = zext x; sext sext x = sext x; sext zext x = zext x",
    ),
    rule(
        "ext-ite",
        "ext ite(c, j, k) of constants = ite(c, ext j, ext k)",
    ),
    rule(
        "zext-extract",
        "zext(extract(x, 0, n)) = x, cut or extended, when always x < 2^n",
    ),
    rule("ext-sum", "ext Σ = Σ ext when the sum does not wrap"),
    rule("sext-positive", "sext x = zext x when x has no sign"),
    rule("extract-whole", "extract of all bits is the term itself"),
    rule("extract-extract", "extracts compose"),
    rule("extract-concat", "extract of a concat is of its parts"),
    rule(
        "extract-divisor",
        "the low bits of a multiple of 2^k are zero",
    ),
    rule(
        "extract-range",
        "the high bits of a symbol in a known range, and of a sum with one, may be zero",
    ),
    rule(
        "extract-extend",
        "extract of ext x is of x, zeros, or copies of the sign",
    ),
    rule(
        "extract-sum",
        "the low bits of a sum are the sum of the low bits",
    ),
    rule(
        "extract-shift",
        "extract from bit l of 2^e·x: from bit l − e of x",
    ),
    rule(
        "extract-high",
        "extract from bit l of 2^l·x + r with 0 ≤ r < 2^l: of x",
    ),
    rule(
        "extract-bitwise",
        "extract of x ∘ y when it vanishes in both; the lowest bit of x·y is that of x and of y",
    ),
    rule("extract-ite", "extract of ite(c, j, k) of constants"),
    rule(
        "concat-nest",
        "concat(concat(x, y), z) = concat(x, concat(y, z))",
    ),
    rule(
        "concat-join",
        "adjacent constants and adjacent extracts of one term become one",
    ),
    rule(
        "concat-zero",
        "concat(0, x) = zext x; concat(zext x, y) = zext(concat(x, y))",
    ),
    // power
    rule("power-constant", "b^c is computed; b^x for b = 0, 1, −1"),
    rule("power-two", "2^x = 1 << x"),
    rule(
        "power-split",
        "b^(x + c) = b^c·b^x for odd b when the exponent has at least w − 2 bits",
    ),
    // arrays
    rule("select-store", "select(store(a, i, v), i) = v"),
    rule(
        "select-skip",
        "select(store(a, i, v), j) = select(a, j) when i ≠ j always",
    ),
    rule("select-const", "select of a constant array is its value"),
    rule("select-table", "select of a table at a constant"),
    rule(
        "select-stored",
        "select of constants stored one by one is one of a table",
    ),
    rule(
        "table-affine",
        "select of a table whose possible values are a + b·k: that, for position k of the index",
    ),
    rule(
        "table-pieces",
        "select of a table of two or three such pieces: a choice between them",
    ),
    rule(
        "table-bits",
        "select of a table in which each bit of the index flips the same bits of the value",
    ),
    rule(
        "table-truth",
        "a comparison or bit that depends on one index of tables: the indices for which it holds",
    ),
    rule(
        "select-ite",
        "select(ite(c, a, b), i) = ite(c, a(i), b(i)) when a and b are no ites",
    ),
    rule(
        "select-lambda",
        "select of λj. body is the body at the index",
    ),
    rule(
        "select-store-lambda",
        "select(store(a, i, v), j) = ite(i = j, v, a(j)) when a is made of a comprehension",
    ),
    rule(
        "store-store",
        "store(store(a, i, v), i, u) = store(a, i, u), also below stores elsewhere",
    ),
    rule("store-same", "store(a, i, a(i)) = a"),
    // quantifiers
    rule(
        "forall-constant",
        "∀τ<0. φ = 1; ∀τ<n. 1 = 1; ∀τ<1. φ = φ[0]",
    ),
    rule("forall-unused", "∀τ<n. φ without τ = (n = 0 ∨ φ)"),
    rule("forall-limit", "τ < n is true in φ of ∀τ<n. φ"),
    // bounded sums
    rule(
        "sum-constant",
        "Στ<n. x for a constant n up to 64 is x[0] + … + x[n − 1]",
    ),
    rule(
        "sum-unused",
        "Στ<n. (x + y), x without τ = n·x + Στ<n. y, n cut or extended to w bits",
    ),
    rule("sum-limit", "τ < n is true in x of Στ<n. x"),
    rule(
        "sum-linear",
        "Στ<n. (c·τ + y) = c·n(n − 1)/2 + Στ<n. y; (c/2)·(n² − n) without a division for an even c",
    ),
    rule(
        "sum-factor",
        "Στ<n. c·x = c·Στ<n. x for a constant, or factors without τ",
    ),
    rule(
        "sum-choice",
        "Στ<n. ite(c, j, k) of constants = k·n + (j − k)·Στ<n. zext c; sext c likewise",
    ),
    rule(
        "sum-direction",
        "Στ<n. f(n − 1 − τ) = Στ<n. f(τ), where the variable is subtracted wherever it is",
    ),
    rule(
        "sum-period",
        "Στ<n. x where x has period p: (n / p)·(x[0] + … + x[p − 1]) + the first n % p of them; \
         x is over remainders of a + d·τ, where that stays in its range, and low bits of τ",
    ),
    rule(
        "sum-remainder",
        "Στ<n. f((a + τ) % k) = (n / k)·(f(0) + … + f(k − 1)) + f(r) for each remainder r of the first \
         n % k iterations, where a + τ stays in its range",
    ),
    // float
    rule(
        "float-root-sign",
        "0 ≤ √x = 0 ≤ x, 0 < √x = 0 < x, √x ≤ 0 and √x = 0 = (x = 0), √x < 0 = false",
    ),
];

impl TermPool {
    /// One operation on two terms of the same width.
    ///
    /// # Panics
    /// When the widths differ or a term is an array.
    #[inline]
    pub fn binary(&mut self, op: BinOp, a: TermId, b: TermId) -> TermId {
        if let Some((width, x, y)) = TermId::inline_pair(a, b) {
            return self.bv(width, word::binary(op, width, x, y));
        }
        self.binary_terms(op, a, b)
    }

    fn binary_terms(&mut self, op: BinOp, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        assert_eq!(
            width,
            self.width(b),
            "operands of {op:?} have the same width"
        );
        if self.is_const(a) && self.is_const(b) {
            if let (Some(x), Some(y)) = (self.as_u64(a), self.as_u64(b)) {
                return self.bv(width, word::binary(op, width, x, y));
            }
            let value = Bv::binary(op, &self.bits(a), &self.bits(b));
            return self.constant(&value);
        }
        if width == 1 {
            return self.boolean_binary(op, a, b);
        }
        match op {
            BinOp::Add => self.mk_add(a, b),
            BinOp::Sub => self.mk_sub(a, b),
            BinOp::Mul => self.mk_mul(a, b),
            BinOp::UDiv => self.mk_udiv(a, b),
            BinOp::SDiv => self.mk_sdiv(a, b),
            BinOp::URem => self.mk_urem(a, b),
            BinOp::SRem => self.mk_srem(a, b),
            BinOp::Shl => self.mk_shl(a, b),
            BinOp::LShr => self.mk_lshr(a, b),
            BinOp::AShr => self.mk_ashr(a, b),
            BinOp::And | BinOp::Or | BinOp::Xor => self.mk_bitwise(op, a, b),
        }
    }

    /// a + b.
    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinOp::Add, a, b)
    }

    /// a − b.
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinOp::Sub, a, b)
    }

    /// a·b.
    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinOp::Mul, a, b)
    }

    /// −a.
    pub fn neg(&mut self, a: TermId) -> TermId {
        let zero = self.bv(self.width(a), 0);
        self.sub(zero, a)
    }

    /// All bits flipped; ¬a for width 1.
    pub fn not(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        if width == 1 {
            self.negate(a)
        } else if let Some(value) = self.as_const(a) {
            self.constant(&value.not())
        } else if width <= 64 {
            // rule: sum-normal
            let flipped = super::Linear::constant(width, u64::MAX).sub(&self.linear(a));
            self.linear_term(flipped)
        } else if let Some(TermData::Not(inner)) = self.data(a) {
            // rule: not-wide
            *inner
        } else {
            self.intern(TermData::Not(a), Sort::Bv(width))
        }
    }

    /// Bitwise and; ∧ for width 1.
    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinOp::And, a, b)
    }

    /// Bitwise or; ∨ for width 1.
    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinOp::Or, a, b)
    }

    /// Bitwise exclusive or.
    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinOp::Xor, a, b)
    }

    /// One comparison of two terms of the same width; the result has width 1.
    ///
    /// # Panics
    /// When the widths differ or a term is an array.
    #[inline]
    pub fn compare(&mut self, op: CmpOp, a: TermId, b: TermId) -> TermId {
        if let Some((width, x, y)) = TermId::inline_pair(a, b) {
            return TermPool::truth_value(word::compare(op, width, x, y));
        }
        let truth = self.compare_terms(op, a, b);
        self.tabulated(truth)
    }

    fn compare_terms(&mut self, op: CmpOp, a: TermId, b: TermId) -> TermId {
        assert_eq!(
            self.width(a),
            self.width(b),
            "operands of {op:?} have the same width"
        );
        if self.is_const(a) && self.is_const(b) {
            return TermPool::truth_value(Bv::compare(op, &self.bits(a), &self.bits(b)));
        }
        match op {
            CmpOp::Eq => self.mk_eq(a, b),
            CmpOp::Ne => {
                let equal = self.mk_eq(a, b);
                self.not(equal)
            }
            CmpOp::Ult => self.mk_less(false, a, b),
            CmpOp::Ule => self.mk_less_equal(false, a, b),
            CmpOp::Ugt => self.mk_less(false, b, a),
            CmpOp::Uge => self.mk_less_equal(false, b, a),
            CmpOp::Slt => self.mk_less(true, a, b),
            CmpOp::Sle => self.mk_less_equal(true, a, b),
            CmpOp::Sgt => self.mk_less(true, b, a),
            CmpOp::Sge => self.mk_less_equal(true, b, a),
        }
    }

    /// a = b.
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        self.compare(CmpOp::Eq, a, b)
    }

    /// a ≠ b.
    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        self.compare(CmpOp::Ne, a, b)
    }

    /// a < b, unsigned.
    pub fn ult(&mut self, a: TermId, b: TermId) -> TermId {
        self.compare(CmpOp::Ult, a, b)
    }

    /// a ≤ b, unsigned.
    pub fn ule(&mut self, a: TermId, b: TermId) -> TermId {
        self.compare(CmpOp::Ule, a, b)
    }

    /// a < b, signed.
    pub fn slt(&mut self, a: TermId, b: TermId) -> TermId {
        self.compare(CmpOp::Slt, a, b)
    }

    /// a ≤ b, signed.
    pub fn sle(&mut self, a: TermId, b: TermId) -> TermId {
        self.compare(CmpOp::Sle, a, b)
    }

    /// The value of a term that is known to be a constant.
    fn bits(&self, term: TermId) -> Bv {
        self.as_const(term).expect("checked to be a constant")
    }

    /// The operand of a cast node of this kind.
    fn cast_operand(&self, op: super::CastOp, term: TermId) -> Option<TermId> {
        match self.data(term)? {
            TermData::Cast(found, of) if *found == op => Some(*of),
            _ => None,
        }
    }
}
