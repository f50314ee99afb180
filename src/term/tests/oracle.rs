//! Unsimplified trees with a naive evaluator over `u128`; widths up to 128.

use std::collections::BTreeMap;

use fastrand::Rng;

use crate::{
    ArrayValue, Assignment, BinOp, Bv, CastOp, CmpOp, LookUpTable, Sort, SymbolId, TermId, TermPool,
};

/// An unsimplified bit-vector term.
#[derive(Clone, Debug)]
pub enum Tree {
    Constant(u32, u128),
    /// Width and number of a variable.
    Variable(u32, usize),
    /// Width and binder (0 = outermost).
    Tau(u32, usize),
    Binary(BinOp, Box<Tree>, Box<Tree>),
    Compare(CmpOp, Box<Tree>, Box<Tree>),
    Not(Box<Tree>),
    Neg(Box<Tree>),
    Cast(CastOp, u32, Box<Tree>),
    Extract(u32, u32, Box<Tree>),
    Concat(Box<Tree>, Box<Tree>),
    Ite(Box<Tree>, Box<Tree>, Box<Tree>),
    Power(u32, u128, Box<Tree>),
    Select(Box<Array>, Box<Tree>),
    /// Limit; body, in which `Tau` of the given binder stands for the variable.
    ForAll(usize, Box<Tree>, Box<Tree>),
    Exists(usize, Box<Tree>, Box<Tree>),
    SumBelow(usize, Box<Tree>, Box<Tree>),
}

/// An unsimplified array of `INDEX` bits to `VALUE` bits.
#[derive(Clone, Debug)]
pub enum Array {
    Variable(usize),
    Everywhere(Tree),
    Table(u64, Vec<u64>),
    Store(Box<Array>, Tree, Tree),
    Ite(Tree, Box<Array>, Box<Array>),
}

pub const INDEX: u32 = 3;
pub const VALUE: u32 = 4;

/// Values of the variables.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    pub variables: BTreeMap<(u32, usize), u128>,
    pub arrays: BTreeMap<usize, [u128; 1 << INDEX]>,
    pub taus: Vec<u128>,
}

pub fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

pub fn signed(width: u32, value: u128) -> i128 {
    let shift = 128 - width;
    (value << shift).cast_signed() >> shift
}

/// The operations by their definitions in SMT-LIB.
pub fn binary(op: BinOp, width: u32, a: u128, b: u128) -> u128 {
    let absolute = |x: u128| {
        if signed(width, x) < 0 {
            x.wrapping_neg() & mask(width)
        } else {
            x
        }
    };
    let udiv = |x: u128, y: u128| x.checked_div(y).unwrap_or(mask(width));
    let urem = |x: u128, y: u128| x.checked_rem(y).unwrap_or(x);
    let (negative_a, negative_b) = (signed(width, a) < 0, signed(width, b) < 0);
    let result = match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::UDiv => udiv(a, b),
        BinOp::URem => urem(a, b),
        BinOp::SDiv => {
            let quotient = udiv(absolute(a), absolute(b));
            if negative_a != negative_b {
                quotient.wrapping_neg()
            } else {
                quotient
            }
        }
        BinOp::SRem => {
            let remainder = urem(absolute(a), absolute(b));
            if negative_a {
                remainder.wrapping_neg()
            } else {
                remainder
            }
        }
        BinOp::Shl | BinOp::LShr | BinOp::AShr => {
            let mut value = a;
            for _ in 0..b.min(u128::from(width)) {
                value = match op {
                    BinOp::Shl => (value << 1) & mask(width),
                    BinOp::LShr => value >> 1,
                    _ => (value >> 1) | (value & (1 << (width - 1))),
                };
            }
            value
        }
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
    };
    result & mask(width)
}

pub fn compare(op: CmpOp, width: u32, a: u128, b: u128) -> bool {
    let (x, y) = (signed(width, a), signed(width, b));
    match op {
        CmpOp::Eq => a == b,
        CmpOp::Ne => a != b,
        CmpOp::Ult => a < b,
        CmpOp::Ule => a <= b,
        CmpOp::Ugt => a > b,
        CmpOp::Uge => a >= b,
        CmpOp::Slt => x < y,
        CmpOp::Sle => x <= y,
        CmpOp::Sgt => x > y,
        CmpOp::Sge => x >= y,
    }
}

impl Tree {
    pub fn width(&self) -> u32 {
        match self {
            Tree::Constant(width, _)
            | Tree::Variable(width, _)
            | Tree::Tau(width, _)
            | Tree::Cast(_, width, _)
            | Tree::Extract(_, width, _)
            | Tree::Power(width, ..) => *width,
            Tree::Binary(_, a, _)
            | Tree::Not(a)
            | Tree::Neg(a)
            | Tree::Ite(_, a, _)
            | Tree::SumBelow(_, _, a) => a.width(),
            Tree::Compare(..) | Tree::ForAll(..) | Tree::Exists(..) => 1,
            Tree::Concat(a, b) => a.width() + b.width(),
            Tree::Select(..) => VALUE,
        }
    }

    pub fn evaluate(&self, env: &mut Environment) -> u128 {
        match self {
            Tree::Constant(_, value) => *value,
            Tree::Variable(width, number) => env.variables[&(*width, *number)],
            Tree::Tau(_, binder) => env.taus[*binder],
            Tree::Binary(op, a, b) => binary(*op, a.width(), a.evaluate(env), b.evaluate(env)),
            Tree::Compare(op, a, b) => {
                u128::from(compare(*op, a.width(), a.evaluate(env), b.evaluate(env)))
            }
            Tree::Not(a) => !a.evaluate(env) & mask(a.width()),
            Tree::Neg(a) => a.evaluate(env).wrapping_neg() & mask(a.width()),
            Tree::Cast(CastOp::SExt, width, a) => {
                signed(a.width(), a.evaluate(env)).cast_unsigned() & mask(*width)
            }
            Tree::Cast(_, width, a) => a.evaluate(env) & mask(*width),
            Tree::Extract(low, width, a) => (a.evaluate(env) >> low) & mask(*width),
            Tree::Concat(a, b) => (a.evaluate(env) << b.width()) | b.evaluate(env),
            Tree::Ite(c, t, e) => {
                if c.evaluate(env) == 1 {
                    t.evaluate(env)
                } else {
                    e.evaluate(env)
                }
            }
            Tree::Power(width, base, exponent) => {
                let mut power = 1u128;
                for _ in 0..exponent.evaluate(env) {
                    power = power.wrapping_mul(*base);
                }
                power & mask(*width)
            }
            Tree::Select(array, index) => {
                let index = index.evaluate(env);
                array.read(index, env)
            }
            Tree::ForAll(binder, limit, body) => {
                u128::from(Tree::all_below(*binder, limit, body, env, 1))
            }
            Tree::Exists(binder, limit, body) => {
                u128::from(!Tree::all_below(*binder, limit, body, env, 0))
            }
            Tree::SumBelow(binder, limit, body) => {
                let limit = limit.evaluate(env);
                assert_eq!(env.taus.len(), *binder);
                let mut sum = 0u128;
                for tau in 0..limit {
                    env.taus.push(tau);
                    sum = sum.wrapping_add(body.evaluate(env));
                    env.taus.pop();
                }
                sum & mask(body.width())
            }
        }
    }

    fn all_below(
        binder: usize,
        limit: &Tree,
        body: &Tree,
        env: &mut Environment,
        wanted: u128,
    ) -> bool {
        let limit = limit.evaluate(env);
        assert_eq!(env.taus.len(), binder);
        (0..limit).all(|tau| {
            env.taus.push(tau);
            let value = body.evaluate(env);
            env.taus.pop();
            value == wanted
        })
    }

    /// The term of this tree.
    pub fn build(&self, world: &mut World) -> TermId {
        match self {
            Tree::Constant(width, value) => world.pool.constant(&bv(*width, *value)),
            Tree::Variable(width, number) => world.variable(*width, *number),
            Tree::Tau(_, binder) => {
                let symbol = world.taus[*binder];
                world.pool.symbol_term(symbol)
            }
            Tree::Binary(op, a, b) => {
                let (a, b) = (a.build(world), b.build(world));
                world.pool.binary(*op, a, b)
            }
            Tree::Compare(op, a, b) => {
                let (a, b) = (a.build(world), b.build(world));
                world.pool.compare(*op, a, b)
            }
            Tree::Not(a) => {
                let a = a.build(world);
                world.pool.not(a)
            }
            Tree::Neg(a) => {
                let a = a.build(world);
                world.pool.neg(a)
            }
            Tree::Cast(op, width, a) => {
                let a = a.build(world);
                world.pool.cast(*op, *width, a)
            }
            Tree::Extract(low, width, a) => {
                let a = a.build(world);
                world.pool.extract(*low, *width, a)
            }
            Tree::Concat(a, b) => {
                let (a, b) = (a.build(world), b.build(world));
                world.pool.concat(a, b)
            }
            Tree::Ite(c, t, e) => {
                let (c, t, e) = (c.build(world), t.build(world), e.build(world));
                world.pool.ite(c, t, e)
            }
            Tree::Power(width, base, exponent) => {
                let exponent = exponent.build(world);
                world.pool.power(&bv(*width, *base), exponent)
            }
            Tree::Select(array, index) => {
                let (array, index) = (array.build(world), index.build(world));
                world.pool.select(array, index)
            }
            Tree::ForAll(_, limit, body)
            | Tree::Exists(_, limit, body)
            | Tree::SumBelow(_, limit, body) => {
                let limit = limit.build(world);
                let tau = world.pool.symbol("tau", Sort::Bv(world.pool.width(limit)));
                world.taus.push(tau);
                let body = body.build(world);
                world.taus.pop();
                match self {
                    Tree::ForAll(..) => world.pool.forall_below(tau, limit, body),
                    Tree::Exists(..) => world.pool.exists_below(tau, limit, body),
                    _ => world.pool.sum_below(tau, limit, body),
                }
            }
        }
    }
}

impl Array {
    fn read(&self, index: u128, env: &mut Environment) -> u128 {
        match self {
            Array::Variable(number) => {
                env.arrays[number][usize::try_from(index).expect("an index")]
            }
            Array::Everywhere(value) => value.evaluate(env),
            Array::Table(stride, values) => {
                let position = index / u128::from(*stride);
                let is_at = index.is_multiple_of(u128::from(*stride));
                let value = values.get(usize::try_from(position).expect("an index"));
                value
                    .filter(|_| is_at)
                    .map_or(0, |value| u128::from(*value))
            }
            Array::Store(array, at, value) => {
                if at.evaluate(env) == index {
                    value.evaluate(env)
                } else {
                    array.read(index, env)
                }
            }
            Array::Ite(c, t, e) => {
                if c.evaluate(env) == 1 {
                    t.read(index, env)
                } else {
                    e.read(index, env)
                }
            }
        }
    }

    pub fn build(&self, world: &mut World) -> TermId {
        match self {
            Array::Variable(number) => world.array(*number),
            Array::Everywhere(value) => {
                let value = value.build(world);
                world.pool.const_array(INDEX, value)
            }
            Array::Table(stride, values) => {
                let table = LookUpTable::new(*stride, values.clone());
                world.pool.table(INDEX, VALUE, table)
            }
            Array::Store(array, at, value) => {
                let (array, at, value) = (array.build(world), at.build(world), value.build(world));
                world.pool.store(array, at, value)
            }
            Array::Ite(c, t, e) => {
                let (c, t, e) = (c.build(world), t.build(world), e.build(world));
                world.pool.ite(c, t, e)
            }
        }
    }
}

fn word(value: u128) -> u64 {
    u64::try_from(value & u128::from(u64::MAX)).expect("masked")
}

pub fn bv(width: u32, value: u128) -> Bv {
    let low = Bv::new(width.min(64), word(value));
    if width <= 64 {
        low
    } else {
        Bv::new(width - 64, word(value >> 64)).concat(&low)
    }
}

/// A pool and the symbols of the variables of trees.
#[derive(Default)]
pub struct World {
    pub pool: TermPool,
    pub variables: BTreeMap<(u32, usize), SymbolId>,
    pub arrays: BTreeMap<usize, SymbolId>,
    pub taus: Vec<SymbolId>,
}

impl World {
    pub fn variable(&mut self, width: u32, number: usize) -> TermId {
        let pool = &mut self.pool;
        let symbol = *self.variables.entry((width, number)).or_insert_with(|| {
            let (name, sort) = (format!("x{number}_{width}"), Sort::Bv(width));
            if number == MULTIPLE {
                pool.symbol_multiple_of(&name, sort, divisor(width))
            } else {
                pool.symbol(&name, sort)
            }
        });
        pool.symbol_term(symbol)
    }

    pub fn array(&mut self, number: usize) -> TermId {
        let pool = &mut self.pool;
        let symbol = *self.arrays.entry(number).or_insert_with(|| {
            pool.symbol(
                &format!("A{number}"),
                Sort::Array {
                    index: INDEX,
                    value: VALUE,
                },
            )
        });
        pool.symbol_term(symbol)
    }

    pub fn assignment(&self, env: &Environment) -> Assignment {
        let mut assignment = Assignment::new();
        for (key, symbol) in &self.variables {
            assignment.set(*symbol, bv(key.0, env.variables[key]));
        }
        for (number, symbol) in &self.arrays {
            let mut value = ArrayValue::constant(Bv::zero(VALUE));
            for (index, entry) in env.arrays[number].iter().enumerate() {
                value
                    .entries
                    .insert(bv(INDEX, index as u128), bv(VALUE, *entry));
            }
            assignment.set_array(*symbol, value);
        }
        assignment
    }
}

/// Makes random trees.
pub struct Generator {
    pub rng: Rng,
    /// Widths that variables and casts prefer.
    pub widths: Vec<u32>,
    pub quantifiers: bool,
    pub arrays: bool,
    /// Whether trees have variables that are known to be multiples.
    pub multiples: bool,
    /// The most bits of a bound variable.
    pub most_bound_bits: u32,
    /// Widths of the binders that are open.
    binders: Vec<u32>,
}

pub const N_VARIABLES: usize = 2;
/// The variable that is known to be a multiple of [`divisor`].
const MULTIPLE: usize = N_VARIABLES;

fn divisor(width: u32) -> u64 {
    1 << (width / 2).min(4)
}

impl Generator {
    pub fn new(seed: u64, widths: &[u32]) -> Generator {
        Generator {
            rng: Rng::with_seed(seed),
            widths: widths.to_vec(),
            quantifiers: false,
            arrays: false,
            multiples: false,
            most_bound_bits: 3,
            binders: Vec::new(),
        }
    }

    pub fn number(&mut self, width: u32) -> u128 {
        let rng = &mut self.rng;
        mask(width)
            & match rng.u8(0..8) {
                0 => 0,
                1 => 1,
                2 => u128::MAX,
                3 => 1 << (width - 1),
                4 => (1 << (width - 1)) - 1,
                5 => 1 << rng.u32(0..width),
                6 => u128::from(rng.u8(..)),
                _ => rng.u128(..),
            }
    }

    fn some_width(&mut self) -> u32 {
        self.widths[self.rng.usize(0..self.widths.len())]
    }

    pub fn environment(&mut self) -> Environment {
        let mut env = Environment::default();
        for width in 1..=128 {
            for number in 0..N_VARIABLES {
                env.variables.insert((width, number), self.number(width));
            }
            let number = self.number(width);
            let multiple = number - number % u128::from(divisor(width));
            env.variables.insert((width, MULTIPLE), multiple);
        }
        for number in 0..N_VARIABLES {
            env.arrays
                .insert(number, std::array::from_fn(|_| self.number(VALUE)));
        }
        env
    }

    fn leaf(&mut self, width: u32) -> Tree {
        let fitting: Vec<usize> = (0..self.binders.len())
            .filter(|b| self.binders[*b] == width)
            .collect();
        match self.rng.u8(0..6) {
            0 | 1 => Tree::Constant(width, self.number(width)),
            2 | 3 if !fitting.is_empty() => {
                Tree::Tau(width, fitting[self.rng.usize(0..fitting.len())])
            }
            _ => {
                let n_variables = N_VARIABLES + usize::from(self.multiples);
                Tree::Variable(width, self.rng.usize(0..n_variables))
            }
        }
    }

    pub fn tree(&mut self, width: u32, depth: u32) -> Tree {
        if depth == 0 || self.rng.u8(0..8) == 0 {
            return self.leaf(width);
        }
        let depth = depth - 1;
        let sub = |this: &mut Generator, width: u32| Box::new(this.tree(width, depth));
        if width == 1 && self.rng.u8(0..3) > 0 {
            if self.quantifiers && self.binders.len() < 2 && self.rng.u8(0..3) == 0 {
                let bits = self.rng.u32(2..=self.most_bound_bits);
                let limit = sub(self, bits);
                let binder = self.binders.len();
                self.binders.push(bits);
                let body = sub(self, 1);
                self.binders.pop();
                return if self.rng.bool() {
                    Tree::ForAll(binder, limit, body)
                } else {
                    Tree::Exists(binder, limit, body)
                };
            }
            let operands = self.some_width();
            let op = CmpOp::ALL[self.rng.usize(0..CmpOp::ALL.len())];
            let a = sub(self, operands);
            // Near to each other, so that rules for common parts apply.
            let b = if self.rng.u8(0..4) == 0 {
                let offset = Tree::Constant(operands, self.number(operands));
                Box::new(Tree::Binary(BinOp::Add, a.clone(), Box::new(offset)))
            } else {
                sub(self, operands)
            };
            return if self.rng.bool() {
                Tree::Compare(op, a, b)
            } else {
                Tree::Compare(op, b, a)
            };
        }
        match self.rng.u8(0..18) {
            0 => Tree::Not(sub(self, width)),
            1 => Tree::Neg(sub(self, width)),
            2 | 3 => Tree::Ite(sub(self, 1), sub(self, width), sub(self, width)),
            4..=6 => {
                let other = self.some_width();
                let inner = sub(self, other);
                match other.cmp(&width) {
                    std::cmp::Ordering::Greater => {
                        Tree::Extract(self.rng.u32(0..=other - width), width, inner)
                    }
                    std::cmp::Ordering::Less => {
                        let op = if self.rng.bool() {
                            CastOp::ZExt
                        } else {
                            CastOp::SExt
                        };
                        Tree::Cast(op, width, inner)
                    }
                    std::cmp::Ordering::Equal => *inner,
                }
            }
            12 | 13 if self.quantifiers && self.binders.len() < 2 => {
                let bits = self.rng.u32(2..=self.most_bound_bits);
                let limit = sub(self, bits);
                let binder = self.binders.len();
                self.binders.push(bits);
                let body = sub(self, width);
                self.binders.pop();
                Tree::SumBelow(binder, limit, body)
            }
            7 if width > 1 => {
                let low = self.rng.u32(1..width);
                Tree::Concat(sub(self, width - low), sub(self, low))
            }
            8 => {
                let bits = self.rng.u32(1..=5);
                Tree::Power(width, self.number(width), sub(self, bits))
            }
            9 | 10 if self.arrays && width == VALUE => {
                let array = Box::new(self.array(depth));
                Tree::Select(array, sub(self, INDEX))
            }
            11 | 12 => {
                // A constant operand.
                let op = BinOp::ALL[self.rng.usize(0..BinOp::ALL.len())];
                let constant = Tree::Constant(width, self.number(width));
                Tree::Binary(op, sub(self, width), Box::new(constant))
            }
            _ => {
                let op = BinOp::ALL[self.rng.usize(0..BinOp::ALL.len())];
                Tree::Binary(op, sub(self, width), sub(self, width))
            }
        }
    }

    /// A table of any values, of a line, of two values or of flipped bits.
    fn table(&mut self) -> Array {
        let stride = 1 << self.rng.u32(0..2);
        let n = self
            .rng
            .usize(1..=(1 << INDEX) / usize::try_from(stride).expect("small"));
        let (start, change) = (self.rng.u64(0..16), self.rng.u64(0..16));
        let (bits, border) = ([change, self.rng.u64(0..16), start], self.rng.u64(0..8));
        let kind = self.rng.u8(0..4);
        let value = |k: u64, random: u64| match kind {
            0 => random,
            1 => start + change * k,
            2 => {
                if k < border {
                    start
                } else {
                    change
                }
            }
            _ => (0..3).fold(start, |value, bit| {
                value ^ if k >> bit & 1 == 1 { bits[bit] } else { 0 }
            }),
        };
        let values = (0..n as u64)
            .map(|k| value(k, self.rng.u64(0..16)) & 15)
            .collect();
        Array::Table(stride, values)
    }

    pub fn array(&mut self, depth: u32) -> Array {
        if depth == 0 {
            return if self.rng.u8(0..3) == 0 {
                self.table()
            } else {
                Array::Variable(self.rng.usize(0..N_VARIABLES))
            };
        }
        let depth = depth - 1;
        match self.rng.u8(0..10) {
            8 | 9 => self.table(),
            0 => Array::Variable(self.rng.usize(0..N_VARIABLES)),
            1 => Array::Everywhere(self.tree(VALUE, depth)),
            2 | 3 => {
                let c = self.tree(1, depth);
                Array::Ite(c, Box::new(self.array(depth)), Box::new(self.array(depth)))
            }
            _ => {
                let array = Box::new(self.array(depth));
                let at_depth = self.rng.u32(0..=depth);
                Array::Store(array, self.tree(INDEX, at_depth), self.tree(VALUE, depth))
            }
        }
    }
}

/// Builds the tree and compares the term with it under several assignments; gives the term.
pub fn check(world: &mut World, tree: &Tree, environments: &mut [Environment]) -> TermId {
    let term = tree.build(world);
    assert_eq!(world.pool.width(term), tree.width(), "{tree:?}");
    for env in environments {
        let expected = bv(tree.width(), tree.evaluate(env));
        let assignment = world.assignment(env);
        let value = world
            .pool
            .evaluate(term, &assignment)
            .expect("small quantifiers");
        assert_eq!(
            value,
            expected,
            "{tree:?}\nas {}\nunder {assignment:?}",
            world.pool.display(term)
        );
    }
    term
}
