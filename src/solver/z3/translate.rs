//! Translation of terms to Z3, memoised across queries.
//!
//! - A term of width 1 becomes a Boolean where its operator is a truth function (∧, ∨, ¬, =, <, ite, ∀,
//!   constants, symbols) and a bit-vector of width 1 otherwise; the other form is made from it on demand.
//! - Array symbols are Z3 arrays, or uninterpreted functions; with functions, a read over stores
//!   becomes a chain of choices, so that the formula has no array theory.
//! - ∀τ. τ <u limit → body is instantiated with a constant for τ that Z3 then binds; nested
//!   quantifiers use different constants, others share them.
//! - A float is a bit-vector, and an operation on floats converts its operands; between two
//!   operations it stays a float of Z3.
//! - base^exponent is the product of base^(2^j) over the bits j of the exponent.
//! - Products in a product of many factors are protected by *fences*: Z3 expands nested products, so that n
//!   squares in a row would become 2^n factors.
//!
//! Works with an explicit stack: terms may be arbitrarily deep.

use rustc_hash::{FxHashMap, FxHashSet};

use super::float;
use super::raw::{Ast, Context, Func, Kind, Op1, Op2, OpN};
use super::sharing::{Name, Shared, Sharing, Summand};
use crate::ArrayTheory;
use term::{
    BinOp, Bv, CastOp, CmpOp, FloatCast, LookUpTable, Sort, SymbolId, Term, TermId, TermPool,
};

/// The wanted form of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Want {
    /// A Boolean, for width 1.
    Truth(TermId),
    /// A bit-vector or array.
    Word(TermId),
    /// A float, for its bits.
    Float(TermId),
    /// The value of the first, an array, at the second.
    Read(TermId, TermId),
}

/// How a symbol appears in Z3.
pub(super) enum Declared {
    Constant(Ast),
    /// The middle of a word whose other bits are zero, of which so many are below.
    Middle(Ast, u32),
    Function(Func),
}

/// Translation of one pool's terms into one context.
pub(super) struct Translator {
    ctx: Context,
    arrays: ArrayTheory,
    done: FxHashMap<Want, Ast>,
    symbols: FxHashMap<SymbolId, Declared>,
    /// Symbol for the bound variable of a quantifier, by nesting height and width.
    binders: FxHashMap<(u32, u32), SymbolId>,
    heights: FxHashMap<TermId, u32>,
    /// The factors that Z3 sees in products and in multiples of them; one in all other terms.
    factors: FxHashMap<TermId, u32>,
    /// `None` where sums stay as they are.
    sharing: Option<Sharing>,
    /// Constant and definition of each name, in order.
    names: Vec<(Ast, Ast)>,
}

/// Takes operands off the end of the stack, in the order in which they were requested.
struct Operands<'a>(&'a FxHashMap<Want, Ast>);

impl Operands<'_> {
    fn truth(&self, term: TermId) -> &Ast {
        &self.0[&Want::Truth(term)]
    }

    fn word(&self, term: TermId) -> &Ast {
        &self.0[&Want::Word(term)]
    }

    fn float(&self, term: TermId) -> &Ast {
        &self.0[&Want::Float(term)]
    }

    fn read(&self, array: TermId, index: TermId) -> &Ast {
        &self.0[&Want::Read(array, index)]
    }
}

impl Translator {
    pub(super) fn new(ctx: &Context, arrays: ArrayTheory, sharing: Option<Sharing>) -> Translator {
        Translator {
            ctx: ctx.clone(),
            arrays,
            done: FxHashMap::default(),
            symbols: FxHashMap::default(),
            binders: FxHashMap::default(),
            heights: FxHashMap::default(),
            factors: FxHashMap::default(),
            sharing,
            names: Vec::new(),
        }
    }

    /// Number of translations remembered.
    pub(super) fn len(&self) -> usize {
        self.done.len()
    }

    /// The declaration of a symbol, if it has been translated.
    pub(super) fn declared(&self, symbol: SymbolId) -> Option<&Declared> {
        self.symbols.get(&symbol)
    }

    /// The Boolean that a closed term of width 1 stands for.
    pub(super) fn truth(&mut self, pool: &mut TermPool, term: TermId) -> Ast {
        self.translate(pool, Want::Truth(term))
    }

    /// The names in the translation of a term, each after those that it is defined by.
    pub(super) fn names(&mut self, pool: &TermPool, term: TermId) -> Vec<Name> {
        match &mut self.sharing {
            Some(sharing) => sharing.needed(pool, term).to_vec(),
            None => Vec::new(),
        }
    }

    /// The meaning of a name.
    pub(super) fn definition(&self, name: Name) -> &Ast {
        &self.names[name.index()].1
    }

    fn translate(&mut self, pool: &mut TermPool, wanted: Want) -> Ast {
        let mut stack = vec![(wanted, false)];
        let mut needs = Vec::new();
        while let Some((want, ready)) = stack.pop() {
            if self.done.contains_key(&want) {
                continue;
            }
            if ready {
                let ast = self.build(pool, want);
                self.done.insert(want, ast);
                continue;
            }
            needs.clear();
            self.needs(pool, want, &mut needs);
            stack.push((want, true));
            stack.extend(
                needs
                    .iter()
                    .filter(|n| !self.done.contains_key(n))
                    .map(|n| (*n, false)),
            );
        }
        self.done[&wanted].clone()
    }

    /// What must be translated before `want` can be built.
    fn needs(&mut self, pool: &mut TermPool, want: Want, out: &mut Vec<Want>) {
        match want {
            Want::Truth(term) if !is_truth(pool, term) => out.push(Want::Word(term)),
            Want::Word(term) if is_truth(pool, term) => out.push(Want::Truth(term)),
            Want::Truth(term) => self.truth_needs(pool, term, out),
            Want::Word(term) => match pool.view(term) {
                Term::Constant(_) | Term::Symbol(_) | Term::Table(_) => {}
                Term::Bound { .. } => unreachable!("only closed terms are translated"),
                Term::Sum { terms, .. } => out.extend(terms.iter().map(|(_, t)| Want::Word(*t))),
                Term::Binary(_, a, b) | Term::Concat { high: a, low: b } => {
                    out.extend([Want::Word(a), Want::Word(b)]);
                }
                Term::Not(a) | Term::Cast(_, a) | Term::Extract { of: a, .. } => {
                    out.push(Want::Word(a));
                }
                Term::Power { exponent: a, .. } | Term::ConstArray(a) => out.push(Want::Word(a)),
                Term::FloatBinary(_, a, b) => {
                    out.push(Want::Float(term));
                    // Where it is a NaN, its bits are an operand's.
                    out.extend(
                        [a, b]
                            .into_iter()
                            .flat_map(|x| [Want::Float(x), Want::Word(x)]),
                    );
                }
                Term::FloatCast(op, a) => match op {
                    FloatCast::ToSigned | FloatCast::ToUnsigned => out.push(Want::Float(a)),
                    FloatCast::FromSigned | FloatCast::FromUnsigned => out.push(Want::Float(term)),
                    FloatCast::Resize | FloatCast::Sqrt => {
                        out.extend([Want::Float(term), Want::Float(a), Want::Word(a)]);
                    }
                },
                Term::Ite(c, t, e) => out.extend([Want::Truth(c), Want::Word(t), Want::Word(e)]),
                Term::Select(array, index) if self.is_read(pool, array) => {
                    out.push(Want::Read(array, index));
                }
                Term::Select(array, index) => {
                    out.extend([Want::Word(array), Want::Word(index)]);
                }
                Term::Store(a, i, v) => out.extend([Want::Word(a), Want::Word(i), Want::Word(v)]),
                Term::Compare(..) | Term::ForAll { .. } => unreachable!("a truth function"),
                Term::Lambda(_) => unreachable!("no bit-vector contains a comprehension"),
                Term::SumBelow { .. } => unreachable!("the link defines sums by quantifiers"),
            },
            Want::Float(term) => float_needs(pool, term, out),
            Want::Read(array, index) => match pool.view(array) {
                Term::Symbol(_) | Term::Table(_) => out.push(Want::Word(index)),
                Term::Store(inner, at, value) => out.extend([
                    Want::Word(at),
                    Want::Word(index),
                    Want::Word(value),
                    Want::Read(inner, index),
                ]),
                Term::ConstArray(value) => out.push(Want::Word(value)),
                Term::Ite(c, t, e) => {
                    out.extend([Want::Truth(c), Want::Read(t, index), Want::Read(e, index)]);
                }
                _ => unreachable!("an array is a symbol, a store, a constant or a choice"),
            },
        }
    }

    fn truth_needs(&mut self, pool: &mut TermPool, term: TermId, out: &mut Vec<Want>) {
        if let Some((a, b)) = pool.fitting_product(term) {
            out.extend([Want::Word(a), Want::Word(b)]);
            return;
        }
        match pool.view(term) {
            Term::Binary(_, a, b) => out.extend([Want::Truth(a), Want::Truth(b)]),
            Term::Not(a) => out.push(Want::Truth(a)),
            Term::Ite(c, t, e) => out.extend([Want::Truth(c), Want::Truth(t), Want::Truth(e)]),
            Term::Compare(_, a, b) if pool.width(a) == 1 => {
                out.extend([Want::Truth(a), Want::Truth(b)]);
            }
            Term::Compare(_, a, b) => out.extend([Want::Word(a), Want::Word(b)]),
            Term::FloatBinary(_, a, b) => out.extend([Want::Float(a), Want::Float(b)]),
            Term::ForAll { limit, .. } => {
                let (tau, body) = self.opened(pool, term);
                out.extend([Want::Word(tau), Want::Word(limit), Want::Truth(body)]);
            }
            _ => {}
        }
    }

    /// The constant for a quantifier's variable, and the body with it.
    fn opened(&mut self, pool: &mut TermPool, quantified: TermId) -> (TermId, TermId) {
        let Term::ForAll { limit, .. } = pool.view(quantified) else {
            unreachable!("a quantifier is opened")
        };
        let width = pool.width(limit);
        let height = self.height(pool, quantified);
        let symbol = *self
            .binders
            .entry((height, width))
            .or_insert_with(|| pool.symbol(&format!("tau{height}"), Sort::Bv(width)));
        let tau = pool.symbol_term(symbol);
        (tau, pool.instantiate(quantified, tau))
    }

    /// Number of quantifiers on the deepest path.
    fn height(&mut self, pool: &TermPool, term: TermId) -> u32 {
        let mut stack = vec![(term, false)];
        while let Some((t, ready)) = stack.pop() {
            if self.heights.contains_key(&t) {
                continue;
            }
            if !pool.has_quantifier(t) {
                self.heights.insert(t, 0);
            } else if ready {
                let mut height = 0;
                pool.for_each_operand(t, |o| height = height.max(self.heights[&o]));
                if matches!(pool.view(t), Term::ForAll { .. }) {
                    height += 1;
                }
                self.heights.insert(t, height);
            } else {
                stack.push((t, true));
                pool.for_each_operand(t, |o| stack.push((o, false)));
            }
        }
        self.heights[&term]
    }

    fn build(&mut self, pool: &mut TermPool, want: Want) -> Ast {
        match want {
            Want::Truth(term) if !is_truth(pool, term) => {
                let word = &self.done[&Want::Word(term)];
                self.ctx.op2(Op2::EQ, word, &self.ctx.word(1, 1))
            }
            Want::Word(term) if is_truth(pool, term) => {
                let truth = &self.done[&Want::Truth(term)];
                self.ctx
                    .ite(truth, &self.ctx.word(1, 1), &self.ctx.word(1, 0))
            }
            Want::Truth(term) => self.build_truth(pool, term),
            Want::Word(term) => self.build_word(pool, term),
            Want::Float(term) => self.build_float(pool, term),
            Want::Read(array, index) => self.build_read(pool, array, index),
        }
    }

    fn build_truth(&mut self, pool: &mut TermPool, term: TermId) -> Ast {
        if let Term::ForAll { limit, .. } = pool.view(term) {
            let (tau, body) = self.opened(pool, term);
            let done = Operands(&self.done);
            let inside = self.ctx.op2(Op2::BV_ULT, done.word(tau), done.word(limit));
            let body = self.ctx.op2(Op2::IMPLIES, &inside, done.truth(body));
            // The constant itself: a variable of one bit is a truth, and its word made from it.
            let variable = if is_truth(pool, tau) {
                done.truth(tau)
            } else {
                done.word(tau)
            };
            return self.ctx.forall(variable, &body);
        }
        if let Term::Symbol(symbol) = pool.view(term) {
            return self.declare(pool, symbol);
        }
        let (ctx, done) = (&self.ctx, Operands(&self.done));
        if let Some((a, b)) = pool.fitting_product(term) {
            return ctx.product_fits(done.word(a), done.word(b));
        }
        match pool.view(term) {
            Term::Constant(value) => ctx.truth(value.is_ones()),
            Term::Not(a) => ctx.op1(Op1::NOT, done.truth(a)),
            Term::Ite(c, t, e) => ctx.ite(done.truth(c), done.truth(t), done.truth(e)),
            Term::Binary(op, a, b) => {
                let op = if op == BinOp::And { OpN::And } else { OpN::Or };
                ctx.op_n(op, &[done.truth(a).clone(), done.truth(b).clone()])
            }
            Term::Compare(CmpOp::Eq, a, b) if pool.width(a) == 1 => {
                ctx.op2(Op2::IFF, done.truth(a), done.truth(b))
            }
            Term::Compare(op, a, b) => ctx.op2(compare_op(op), done.word(a), done.word(b)),
            Term::FloatBinary(op, a, b) => float::binary(ctx, op, done.float(a), done.float(b)),
            _ => unreachable!("is_truth lists the truth functions"),
        }
    }

    fn declare(&mut self, pool: &TermPool, symbol: SymbolId) -> Ast {
        let ctx = &self.ctx;
        // The index keeps names apart from those that Z3 makes up.
        let name = format!("{}|{}", pool.symbol_name(symbol), symbol.index());
        let kind = match pool.symbol_sort(symbol) {
            Sort::Bv(1) => Kind::Bool,
            Sort::Bv(width) => Kind::Bv(width),
            Sort::Array { index, value } => Kind::Array(index, value),
        };
        let below = pool.symbol_divisor(symbol).trailing_zeros();
        if let Kind::Bv(width) = kind {
            let greatest = pool.symbol_range(symbol).map(|range| range.end - 1);
            let used = greatest.map_or(width, |greatest| u64::BITS - greatest.leading_zeros());
            let used = used.min(width);
            if below < used && (below > 0 || used < width) {
                let middle = ctx.constant(&name, Kind::Bv(used - below));
                let mut ast = middle.clone();
                if below > 0 {
                    ast = ctx.op2(Op2::CONCAT, &ast, &ctx.word(below, 0));
                }
                if used < width {
                    ast = ctx.op2(Op2::CONCAT, &ctx.word(width - used, 0), &ast);
                }
                let declared = Declared::Middle(middle, below);
                self.symbols.insert(symbol, declared);
                return ast;
            }
        }
        let ast = ctx.constant(&name, kind);
        self.symbols.insert(symbol, Declared::Constant(ast.clone()));
        ast
    }

    fn build_read(&mut self, pool: &mut TermPool, array: TermId, index: TermId) -> Ast {
        if let Term::Symbol(symbol) = pool.view(array) {
            let ctx = &self.ctx;
            let declared = self.symbols.entry(symbol).or_insert_with(|| {
                let Sort::Array { index, value } = pool.symbol_sort(symbol) else {
                    unreachable!("an array symbol is read")
                };
                let name = format!("{}|{}", pool.symbol_name(symbol), symbol.index());
                Declared::Function(ctx.function(&name, Kind::Bv(index), Kind::Bv(value)))
            });
            let Declared::Function(function) = declared else {
                unreachable!("arrays are functions throughout")
            };
            return ctx.apply(function, &self.done[&Want::Word(index)]);
        }
        let (ctx, done) = (&self.ctx, Operands(&self.done));
        match pool.view(array) {
            Term::Table(table) => {
                let bits = (pool.width(index), value_bits(pool, array));
                let is_multiple = pool.is_multiple_of(index, table.stride());
                let greatest = pool.umax(index);
                let look_up = LookUp {
                    ctx,
                    index: done.word(index),
                    bits,
                };
                look_up.read(table, is_multiple, greatest)
            }
            Term::Store(inner, at, value) => {
                let here = ctx.op2(Op2::EQ, done.word(at), done.word(index));
                ctx.ite(&here, done.word(value), done.read(inner, index))
            }
            Term::ConstArray(value) => done.word(value).clone(),
            Term::Ite(c, t, e) => ctx.ite(done.truth(c), done.read(t, index), done.read(e, index)),
            _ => unreachable!("an array is a symbol, a store, a table, a constant or a choice"),
        }
    }

    fn build_float(&self, pool: &TermPool, term: TermId) -> Ast {
        let (ctx, done) = (&self.ctx, Operands(&self.done));
        let bits = pool.width(term);
        match pool.view(term) {
            Term::FloatBinary(op, a, b) => float::binary(ctx, op, done.float(a), done.float(b)),
            Term::FloatCast(op @ (FloatCast::Resize | FloatCast::Sqrt), a) => {
                float::cast(ctx, op, bits, done.float(a))
            }
            Term::FloatCast(op, a) if float::is_made_by(op) => {
                float::cast(ctx, op, bits, done.word(a))
            }
            Term::Ite(c, t, e) => ctx.ite(done.truth(c), done.float(t), done.float(e)),
            _ => float::of_bits(ctx, bits, done.word(term)),
        }
    }

    /// A sum by names.
    fn build_shared(&mut self, pool: &TermPool, term: TermId) -> Ast {
        let sharing = self.sharing.as_mut().expect("sums are shared");
        let (shared, new) = sharing.share(pool, term);
        for name in new {
            let (width, meaning) = sharing.definition(name);
            let constant = self
                .ctx
                .constant(&format!("sum!{}", name.index()), Kind::Bv(width));
            let parts = summands(pool, &self.done, &self.names, &meaning);
            let meaning = sum(&self.ctx, width, 0, parts);
            let definition = self.ctx.op2(Op2::EQ, &constant, &meaning);
            self.names.push((constant, definition));
        }
        let parts = summands(pool, &self.done, &self.names, &shared);
        sum(&self.ctx, pool.width(term), shared.constant, parts)
    }

    /// A product; if it has many factors, those of its operands are after fences.
    fn build_product(&mut self, pool: &TermPool, term: TermId, a: TermId, b: TermId) -> Ast {
        let n_factors = self.n_factors(a) + self.n_factors(b);
        if n_factors <= MOST_FACTORS {
            self.factors.insert(term, n_factors);
            let done = Operands(&self.done);
            return self.ctx.op2(Op2::BV_MUL, done.word(a), done.word(b));
        }
        self.factors.insert(term, 2);
        let [a, b] = [a, b].map(|operand| self.fenced(pool, operand));
        self.ctx.op2(Op2::BV_MUL, &a, &b)
    }

    /// A product as the bits of it that are set in one of its factors and those that are not: Z3 does not see that
    /// this is a product. Other terms as they are.
    fn fenced(&self, pool: &TermPool, term: TermId) -> Ast {
        let (ctx, done) = (&self.ctx, Operands(&self.done));
        let product = done.word(term);
        let mut factor = term;
        while let Some(first) = first_factor(pool, factor) {
            factor = first;
        }
        if factor == term {
            return product.clone();
        }
        let mask = done.word(factor);
        let set = ctx.op2(Op2::BV_AND, product, mask);
        let others = ctx.op2(Op2::BV_AND, product, &ctx.op1(Op1::BV_NOT, mask));
        ctx.op2(Op2::BV_OR, &set, &others)
    }

    fn n_factors(&self, term: TermId) -> u32 {
        self.factors.get(&term).copied().unwrap_or(1)
    }

    fn build_word(&mut self, pool: &mut TermPool, term: TermId) -> Ast {
        match pool.view(term) {
            Term::Symbol(symbol) => return self.declare(pool, symbol),
            Term::Binary(BinOp::Mul, a, b) => return self.build_product(pool, term, a, b),
            Term::Sum { .. } => {
                if let Some(product) = first_factor(pool, term) {
                    let n_factors = self.n_factors(product);
                    self.factors.insert(term, n_factors);
                }
                if self.sharing.is_some() {
                    return self.build_shared(pool, term);
                }
            }
            _ => {}
        }
        let (ctx, done) = (&self.ctx, Operands(&self.done));
        match pool.view(term) {
            Term::Constant(value) => constant(ctx, &value),
            Term::Sum { constant, terms } => {
                let parts = terms.iter().map(|(c, t)| Part {
                    factor: *c,
                    term: done.word(*t),
                    bits: open_bits(pool, *t),
                });
                sum(ctx, pool.width(term), constant, parts)
            }
            Term::Binary(op, a, b) => ctx.op2(binary_op(op), done.word(a), done.word(b)),
            Term::Concat { high, low } => ctx.op2(Op2::CONCAT, done.word(high), done.word(low)),
            Term::Not(a) => ctx.op1(Op1::BV_NOT, done.word(a)),
            Term::Cast(op, a) => {
                let (from, to) = (pool.width(a), pool.width(term));
                if op == CastOp::Trunc {
                    ctx.extract(to - 1, 0, done.word(a))
                } else {
                    ctx.extend(op == CastOp::SExt, to - from, done.word(a))
                }
            }
            Term::FloatBinary(_, a, b) => {
                let operands = [a, b].map(|x| (done.float(x), done.word(x)));
                let nan = float::nan_of(ctx, pool.width(term), &operands);
                float::bits_of(ctx, done.float(term), &nan)
            }
            Term::FloatCast(op, a) => {
                let (from, to) = (pool.width(a), pool.width(term));
                match op {
                    FloatCast::ToSigned | FloatCast::ToUnsigned => {
                        float::to_integer(ctx, op, from, to, done.float(a))
                    }
                    FloatCast::FromSigned | FloatCast::FromUnsigned => {
                        ctx.op1(Op1::FLOAT_BITS, done.float(term))
                    }
                    FloatCast::Resize if from == to => done.word(a).clone(),
                    FloatCast::Resize => {
                        let nan = float::resized_nan(ctx, from, to, done.word(a));
                        float::bits_of(ctx, done.float(term), &nan)
                    }
                    FloatCast::Sqrt => {
                        let nan = float::nan_of(ctx, to, &[(done.float(a), done.word(a))]);
                        float::bits_of(ctx, done.float(term), &nan)
                    }
                }
            }
            Term::Extract { low, of } => {
                ctx.extract(low + pool.width(term) - 1, low, done.word(of))
            }
            Term::Power { base, exponent } => {
                power(ctx, base, done.word(exponent), pool.width(exponent))
            }
            Term::Ite(c, t, e) => ctx.ite(done.truth(c), done.word(t), done.word(e)),
            Term::Select(array, index) if self.is_read(pool, array) => {
                done.read(array, index).clone()
            }
            Term::Select(array, index) => ctx.op2(Op2::SELECT, done.word(array), done.word(index)),
            Term::Store(a, i, v) => ctx.store(done.word(a), done.word(i), done.word(v)),
            Term::ConstArray(value) => {
                let Sort::Array { index, .. } = pool.sort(term) else {
                    unreachable!("a constant array has an array sort")
                };
                ctx.const_array(index, done.word(value))
            }
            Term::Table(table) => {
                let Sort::Array { index, value } = pool.sort(term) else {
                    unreachable!("a table has an array sort")
                };
                let zeros = ctx.const_array(index, &ctx.word(value, 0));
                (0u64..)
                    .zip(table.values())
                    .filter(|(_, entry)| **entry != 0)
                    .fold(zeros, |array, (position, entry)| {
                        let at = ctx.word(index, position * table.stride());
                        ctx.store(&array, &at, &ctx.word(value, *entry))
                    })
            }
            _ => unreachable!("is_truth lists the truth functions"),
        }
    }

    /// Whether reads of an array become choices: throughout, or since they end at tables or at one
    /// value everywhere.
    fn is_read(&self, pool: &TermPool, array: TermId) -> bool {
        if self.arrays == ArrayTheory::Functions {
            return true;
        }
        let mut has_table = false;
        let mut seen = FxHashSet::default();
        let mut stack = vec![array];
        while let Some(array) = stack.pop() {
            if seen.len() == MOST_CHOICES {
                return false;
            }
            if !seen.insert(array) {
                continue;
            }
            match pool.view(array) {
                Term::Table(_) => has_table = true,
                Term::ConstArray(_) => {}
                Term::Store(inner, ..) => stack.push(inner),
                Term::Ite(_, t, e) => stack.extend([t, e]),
                _ => return false,
            }
        }
        has_table
    }
}

/// In products of more factors than these, those that are products are after fences. Measured with
/// `analyze tests/corpus/integers/squares_in_a_row.c --techniques classic`: 0.3 s; without fences no answer
/// within ten seconds and 2 GB.
const MOST_FACTORS: u32 = 4;

/// The first factor of a product or of a multiple.
fn first_factor(pool: &TermPool, term: TermId) -> Option<TermId> {
    match pool.view(term) {
        Term::Binary(BinOp::Mul, first, _) => Some(first),
        Term::Sum {
            constant: 0,
            terms: [(_, only)],
        } => Some(*only),
        _ => None,
    }
}

/// Stores and choices above tables that are read without the theory of arrays.
const MOST_CHOICES: usize = 256;

fn value_bits(pool: &TermPool, array: TermId) -> u32 {
    match pool.sort(array) {
        Sort::Array { value, .. } => value,
        Sort::Bv(_) => unreachable!("an array is read"),
    }
}

/// A read of a table: a tree of choices over the bits of the index.
struct LookUp<'a> {
    ctx: &'a Context,
    index: &'a Ast,
    /// Of the index and of a value.
    bits: (u32, u32),
}

impl LookUp<'_> {
    /// `greatest` is what the index is at most.
    fn read(&self, table: &LookUpTable, is_multiple: bool, greatest: u64) -> Ast {
        let (index_bits, value_bits) = self.bits;
        let lowest = table.stride().trailing_zeros();
        let n = table.values().len().next_power_of_two();
        let highest = (lowest + n.trailing_zeros()).min(index_bits);
        let values = table.values();
        let tree = self.choose(
            &values[..values.len().min(1 << (highest - lowest))],
            lowest,
            highest,
        );
        let zero = self.ctx.word(value_bits, 0);
        let mut value = tree;
        if highest < index_bits && greatest >> highest != 0 {
            let upper = self.ctx.extract(index_bits - 1, highest, self.index);
            let none = self.ctx.word(index_bits - highest, 0);
            let inside = self.ctx.op2(Op2::EQ, &upper, &none);
            value = self.ctx.ite(&inside, &value, &zero);
        }
        if !is_multiple && lowest > 0 {
            let lower = self.ctx.extract(lowest - 1, 0, self.index);
            let aligned = self.ctx.op2(Op2::EQ, &lower, &self.ctx.word(lowest, 0));
            value = self.ctx.ite(&aligned, &value, &zero);
        }
        value
    }

    /// The value among these, zeros behind them, that the bits lowest..highest of the index choose.
    fn choose(&self, values: &[u64], lowest: u32, highest: u32) -> Ast {
        let first = values.first().copied().unwrap_or(0);
        let n = 1usize << (highest - lowest);
        let is_same = values.iter().all(|value| *value == first);
        if is_same && (first == 0 || values.len() >= n) {
            return self.ctx.word(self.bits.1, first);
        }
        let bit = highest - 1;
        let (lower, upper) = values.split_at(values.len().min(n / 2));
        let upper = self.choose(upper, lowest, bit);
        let lower = self.choose(lower, lowest, bit);
        let is_set = self.ctx.extract(bit, bit, self.index);
        let is_set = self.ctx.op2(Op2::EQ, &is_set, &self.ctx.word(1, 1));
        self.ctx.ite(&is_set, &upper, &lower)
    }
}

/// What must be translated before the float of a term's bits can be built.
fn float_needs(pool: &TermPool, term: TermId, out: &mut Vec<Want>) {
    match pool.view(term) {
        Term::FloatBinary(_, a, b) => out.extend([Want::Float(a), Want::Float(b)]),
        Term::FloatCast(FloatCast::Resize | FloatCast::Sqrt, a) => out.push(Want::Float(a)),
        Term::FloatCast(op, a) if float::is_made_by(op) => out.push(Want::Word(a)),
        Term::Ite(c, t, e) => out.extend([Want::Truth(c), Want::Float(t), Want::Float(e)]),
        _ => out.push(Want::Word(term)),
    }
}

/// True iff the term is a Boolean in Z3 rather than a bit-vector.
fn is_truth(pool: &TermPool, term: TermId) -> bool {
    if pool.sort(term) != Sort::Bv(1) {
        return false;
    }
    match pool.view(term) {
        Term::Constant(_) | Term::Symbol(_) | Term::Compare(..) | Term::Not(_) | Term::Ite(..) => {
            true
        }
        Term::Binary(op, ..) => matches!(op, BinOp::And | BinOp::Or),
        Term::ForAll { .. } | Term::FloatBinary(..) => true,
        Term::FloatCast(..)
        | Term::Bound { .. }
        | Term::Sum { .. }
        | Term::Cast(..)
        | Term::Extract { .. }
        | Term::Concat { .. }
        | Term::Power { .. }
        | Term::Select(..)
        | Term::Store(..)
        | Term::ConstArray(_)
        | Term::Table(_)
        | Term::Lambda(_)
        | Term::SumBelow { .. } => false,
    }
}

fn constant(ctx: &Context, value: &Bv) -> Ast {
    match value.word() {
        Some(word) => ctx.word(value.width(), word),
        None => ctx.numeral(&value.to_biguint().to_string(), Kind::Bv(value.width())),
    }
}

/// A summand: factor·term.
struct Part<'a> {
    factor: u64,
    term: &'a Ast,
    /// Bits of the term that are not known to be 0.
    bits: u32,
}

fn open_bits(pool: &TermPool, term: TermId) -> u32 {
    match pool.view(term) {
        Term::Cast(CastOp::ZExt, inner) => pool.width(inner),
        _ => pool.width(term),
    }
}

fn summands<'a>(
    pool: &'a TermPool,
    done: &'a FxHashMap<Want, Ast>,
    names: &'a [(Ast, Ast)],
    shared: &'a Shared,
) -> impl Iterator<Item = Part<'a>> {
    shared.parts.iter().map(|(factor, summand)| {
        let (term, bits) = match summand {
            Summand::Term(term) => (&done[&Want::Word(*term)], open_bits(pool, *term)),
            Summand::Name(name) => (&names[name.index()].0, u32::MAX),
        };
        Part {
            factor: *factor,
            term,
            bits,
        }
    })
}

/// Negative coefficients become subtractions, which keeps multiplications by large numbers away
/// from the bit-blaster.
fn sum<'a>(ctx: &Context, width: u32, constant: u64, parts: impl Iterator<Item = Part<'a>>) -> Ast {
    let mut total = (constant != 0).then(|| ctx.word(width, constant));
    let mut minus = Vec::new();
    let half = 1u64 << (width - 1);
    for part in parts {
        if part.factor > half {
            let factor = part.factor.wrapping_neg() & (half | (half - 1));
            minus.push(scaled(ctx, width, &Part { factor, ..part }));
        } else {
            let part = scaled(ctx, width, &part);
            total = Some(match total {
                Some(total) => ctx.op2(Op2::BV_ADD, &total, &part),
                None => part,
            });
        }
    }
    for part in minus {
        total = Some(match total {
            Some(total) => ctx.op2(Op2::BV_SUB, &total, &part),
            None => ctx.op1(Op1::BV_NEG, &part),
        });
    }
    total.unwrap_or_else(|| ctx.word(width, 0))
}

/// Open bits of terms of which Z3 tries all values, for products of 64 bits.
const CASES_BITS: u32 = 14;
/// So many digits a factor may have in its non-adjacent form to become shifts.
const MOST_DIGITS: usize = 4;

/// factor·term, 0 < factor < 2^width.
///
/// Z3 tries every value of a term with few open bits, up to some ten thousand; if the factor has
/// few digits, that becomes a sum of shifted terms, of which shifting costs nothing. Other products
/// stay, since Z3 sees through equations between them.
fn scaled(ctx: &Context, width: u32, part: &Part<'_>) -> Ast {
    let Part { factor, term, bits } = *part;
    let digits = non_adjacent_form(factor);
    if factor == 1 {
        return term.clone();
    }
    if bits > CASES_BITS || digits.len() > MOST_DIGITS {
        return ctx.op2(Op2::BV_MUL, &ctx.word(width, factor), term);
    }
    let shifted = |shift: u32| match shift {
        0 => term.clone(),
        _ => {
            let kept = ctx.extract(width - 1 - shift, 0, term);
            ctx.op2(Op2::CONCAT, &kept, &ctx.word(shift, 0))
        }
    };
    // The highest digit is positive; above the width it is 0.
    let total = digits
        .iter()
        .rev()
        .fold(None, |total, (shift, is_negative)| {
            if *shift >= width {
                return total;
            }
            let part = shifted(*shift);
            Some(match (total, is_negative) {
                (None, false) => part,
                (None, true) => ctx.op1(Op1::BV_NEG, &part),
                (Some(total), false) => ctx.op2(Op2::BV_ADD, &total, &part),
                (Some(total), true) => ctx.op2(Op2::BV_SUB, &total, &part),
            })
        });
    total.expect("a factor below 2^width has a digit below the width")
}

/// The non-adjacent form: number = Σ ±2^shift with the fewest digits, as (shift, is negative), the
/// lowest first.
fn non_adjacent_form(number: u64) -> Vec<(u32, bool)> {
    let mut digits = Vec::new();
    let mut rest = u128::from(number);
    while rest != 0 {
        let shift = rest.trailing_zeros();
        let is_negative = rest >> shift & 3 == 3;
        digits.push((shift, is_negative));
        if is_negative {
            rest += 1 << shift;
        } else {
            rest -= 1 << shift;
        }
    }
    digits
}

/// base^exponent: the product of base^(2^j) over the set bits j, ending when these are 1 or 0.
fn power(ctx: &Context, base: &Bv, exponent: &Ast, exponent_width: u32) -> Ast {
    let width = base.width();
    let one = Bv::new(width, 1);
    let mut square = base.clone();
    let mut product: Option<Ast> = None;
    for bit in 0..exponent_width {
        if square == one {
            break;
        }
        let set = ctx.op2(Op2::EQ, &ctx.extract(bit, bit, exponent), &ctx.word(1, 1));
        if square.is_zero() {
            // Any bit from here on makes the whole product 0.
            let upper = ctx.extract(exponent_width - 1, bit, exponent);
            let none = ctx.op2(
                Op2::EQ,
                &upper,
                &constant(ctx, &Bv::zero(exponent_width - bit)),
            );
            let rest = product.unwrap_or_else(|| constant(ctx, &one));
            return ctx.ite(&none, &rest, &constant(ctx, &square));
        }
        let factor = ctx.ite(&set, &constant(ctx, &square), &constant(ctx, &one));
        product = Some(match product {
            Some(product) => ctx.op2(Op2::BV_MUL, &product, &factor),
            None => factor,
        });
        square = Bv::binary(BinOp::Mul, &square, &square);
    }
    product.unwrap_or_else(|| constant(ctx, &one))
}

fn binary_op(op: BinOp) -> Op2 {
    match op {
        BinOp::Add => Op2::BV_ADD,
        BinOp::Sub => Op2::BV_SUB,
        BinOp::Mul => Op2::BV_MUL,
        BinOp::UDiv => Op2::BV_UDIV,
        BinOp::SDiv => Op2::BV_SDIV,
        BinOp::URem => Op2::BV_UREM,
        BinOp::SRem => Op2::BV_SREM,
        BinOp::Shl => Op2::BV_SHL,
        BinOp::LShr => Op2::BV_LSHR,
        BinOp::AShr => Op2::BV_ASHR,
        BinOp::And => Op2::BV_AND,
        BinOp::Or => Op2::BV_OR,
        BinOp::Xor => Op2::BV_XOR,
    }
}

fn compare_op(op: CmpOp) -> Op2 {
    match op {
        CmpOp::Eq => Op2::EQ,
        CmpOp::Ult => Op2::BV_ULT,
        CmpOp::Ule => Op2::BV_ULE,
        CmpOp::Ugt => Op2::BV_UGT,
        CmpOp::Uge => Op2::BV_UGE,
        CmpOp::Slt => Op2::BV_SLT,
        CmpOp::Sle => Op2::BV_SLE,
        CmpOp::Sgt => Op2::BV_SGT,
        CmpOp::Sge => Op2::BV_SGE,
        CmpOp::Ne => unreachable!("≠ is the negation of a comparison"),
    }
}
