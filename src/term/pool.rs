//! The pool: nodes, hash-consing, symbols, constants, and the structure of terms.
//!
//! Adding an operator: a case of [`TermData`] and [`Term`] (with `view`), its operands in
//! `children` and `rebuild`, a constructor in `simplify`. The compiler then names the other places that
//! list all operators: evaluation, programs, texts, SMT-LIB and C.

use std::cell::RefCell;
use std::hash::{BuildHasher, Hash};
use std::ops::Range;
use std::rc::Rc;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::bv::word;
use super::program::Body;
use super::simplify::StoreIndices;
use super::work::Clock;
use super::{
    BinOp, Bv, CastOp, CmpOp, FloatCast, FloatOp, LookUpTable, Sort, SymbolId, TermId, Work,
};

/// Hash map with a fast, fixed hash; its order must never reach a result.
pub(super) type Map<K, V> = hashbrown::HashMap<K, V, FxBuildHasher>;

/// A constant in the handle: bit 63, then 6 bits of width − 1, then 57 bits of signed value.
const INLINE: u64 = 1 << 63;
const VALUE_BITS: u32 = 57;
const VALUE_MASK: u64 = (1 << VALUE_BITS) - 1;

impl TermId {
    /// The truth value true: 1 of width 1.
    pub const TRUE: TermId = TermId(INLINE | VALUE_MASK);
    /// The truth value false: 0 of width 1.
    pub const FALSE: TermId = TermId(INLINE);

    /// Width and unsigned value of a constant that is stored in the handle.
    #[inline]
    pub(super) fn inline_parts(self) -> Option<(u32, u64)> {
        if self.0 & INLINE == 0 {
            return None;
        }
        Some((self.inline_width(), self.inline_value()))
    }

    #[inline]
    fn inline_width(self) -> u32 {
        ((self.0 >> VALUE_BITS) & 63) as u32 + 1
    }

    #[inline]
    fn inline_value(self) -> u64 {
        word::unsigned(64, word::signed(VALUE_BITS, self.0 & VALUE_MASK))
            & word::mask(self.inline_width())
    }

    /// The handle of a constant, when its signed value fits; always for widths up to 57.
    #[inline]
    fn inline(width: u32, value: u64) -> Option<TermId> {
        let signed = word::signed(width, value);
        let low = word::unsigned(VALUE_BITS, signed);
        (word::signed(VALUE_BITS, low) == signed)
            .then_some(TermId(INLINE | (u64::from(width - 1) << VALUE_BITS) | low))
    }

    /// Width and values of two constants of the same width that are stored in their handles.
    #[inline]
    pub(super) fn inline_pair(a: TermId, b: TermId) -> Option<(u32, u64, u64)> {
        if a.0 & b.0 & INLINE == 0 {
            return None;
        }
        debug_assert_eq!(
            a.inline_width(),
            b.inline_width(),
            "operands have the same width"
        );
        Some((a.inline_width(), a.inline_value(), b.inline_value()))
    }
}

/// Contents of a node; canonical forms in the head of [`super::simplify`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum TermData {
    Symbol(SymbolId),
    /// De Bruijn index; its width is the node's sort.
    Bound(u32),
    /// Only constants that do not fit into the handle.
    Constant(Box<Bv>),
    Sum {
        constant: u64,
        terms: Box<[(u64, TermId)]>,
    },
    Binary(BinOp, TermId, TermId),
    Compare(CmpOp, TermId, TermId),
    Not(TermId),
    Cast(CastOp, TermId),
    FloatBinary(FloatOp, TermId, TermId),
    FloatCast(FloatCast, TermId),
    Extract {
        low: u32,
        of: TermId,
    },
    Concat {
        high: TermId,
        low: TermId,
    },
    Ite(TermId, TermId, TermId),
    Power {
        base: Box<Bv>,
        exponent: TermId,
    },
    Select(TermId, TermId),
    Store(TermId, TermId, TermId),
    ConstArray(TermId),
    Table(Rc<LookUpTable>),
    /// The body mentions the index as `Bound` 0.
    Lambda(TermId),
    ForAll {
        limit: TermId,
        body: TermId,
    },
    SumBelow {
        limit: TermId,
        body: TermId,
    },
}

/// The outermost operator of a term, with its operands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Term<'pool> {
    /// A constant of any width.
    Constant(Bv),
    /// A symbol of any sort.
    Symbol(SymbolId),
    /// A variable bound by the `index`-th enclosing quantifier, 0 being the innermost.
    Bound {
        /// De Bruijn index.
        index: u32,
        /// Bits of the variable.
        width: u32,
    },
    /// Σ coefficient·term + constant mod 2^w, w in 2..=64; at least one term.
    Sum {
        /// Below 2^w.
        constant: u64,
        /// Coefficients in 1..2^w; sorted by term.
        terms: &'pool [(u64, TermId)],
    },
    /// `Add` only above 64 bits, never `Sub`; at width 1 only `And` and `Or`.
    Binary(BinOp, TermId, TermId),
    /// Only `Eq`, `Ult`, `Ule`, `Slt`, `Sle`; at width 1 only `Eq`.
    Compare(CmpOp, TermId, TermId),
    /// Width 1: logical, never of an ordering, `And`, `Or` or `Ite`. Above 64 bits: bitwise.
    Not(TermId),
    /// `ZExt` or `SExt`, strictly widening.
    Cast(CastOp, TermId),
    /// Floats of one format; the result is a float of it or has width 1.
    FloatBinary(FloatOp, TermId, TermId),
    /// A conversion from or to a float.
    FloatCast(FloatCast, TermId),
    /// Bits `low`.. of a term, as many as this term is wide.
    Extract {
        /// Lowest bit taken.
        low: u32,
        /// Strictly wider than this term.
        of: TermId,
    },
    /// `high` above `low`.
    Concat {
        /// Upper bits; never a `Concat`.
        high: TermId,
        /// Lower bits.
        low: TermId,
    },
    /// If-then-else over bit-vectors or arrays.
    Ite(TermId, TermId, TermId),
    /// base^exponent mod 2^w.
    Power {
        /// As wide as this term.
        base: &'pool Bv,
        /// Unsigned, of any width.
        exponent: TermId,
    },
    /// Value of an array at an index.
    Select(TermId, TermId),
    /// Array with the value at one index replaced: array, index, value.
    Store(TermId, TermId, TermId),
    /// Array with this value everywhere.
    ConstArray(TermId),
    /// Array of constants.
    Table(&'pool LookUpTable),
    /// λj. body, an array comprehension; j is `Bound` 0 in the body, and as wide as the index.
    /// Every read of one is reduced at once, so that no bit-vector contains it.
    Lambda(TermId),
    /// ∀τ. τ <u limit → body; τ is `Bound` 0 in the body, and as wide as the limit.
    ForAll {
        /// Exclusive upper bound, outside the scope of τ.
        limit: TermId,
        /// Width 1.
        body: TermId,
    },
    /// Σ_{τ <u limit} body mod 2^w, as wide as the body; τ is `Bound` 0 in the body, and as wide
    /// as the limit.
    SumBelow {
        /// Exclusive upper bound, outside the scope of τ; not a small constant.
        limit: TermId,
        /// Mentions τ; never linear in it.
        body: TermId,
    },
}

/// 40 bytes.
struct Node {
    data: TermData,
    /// Width, or `ARRAY_SORT` + index into `array_sorts`.
    sort: u32,
    /// Which bound variables occur free (`BOUND_BITS` low bits), `QUANTIFIER`, `LAMBDA`,
    /// `SUMMATION`, `LOOK_UP` and `PRODUCT`.
    flags: u32,
}

const ARRAY_SORT: u32 = 1 << 31;
/// Bit i: `Bound` i occurs free. The highest stands for all greater indices; where it is set, the
/// bits are only an over-approximation.
pub(super) const BOUND_BITS: u32 = 27;
pub(super) const BOUND_MASK: u32 = (1 << BOUND_BITS) - 1;
pub(super) const BOUND_STICKY: u32 = 1 << (BOUND_BITS - 1);
pub(super) const QUANTIFIER: u32 = 1 << BOUND_BITS;
/// An array that is made of a comprehension.
pub(super) const LAMBDA: u32 = 1 << (BOUND_BITS + 1);
/// A bounded sum occurs.
pub(super) const SUMMATION: u32 = 1 << (BOUND_BITS + 2);
/// A read of a table occurs.
pub(super) const LOOK_UP: u32 = 1 << (BOUND_BITS + 3);
/// A product, quotient or remainder occurs of which neither operand is a constant.
pub(super) const PRODUCT: u32 = 1 << (BOUND_BITS + 4);

struct SymbolData {
    /// The term that is the symbol.
    term: TermId,
    name: Rc<str>,
    sort: Sort,
    /// A power of two that divides the symbol's value.
    multiple_of: u64,
    /// The least value, and the one behind the greatest, where that is known.
    within: Option<(u64, u64)>,
}

/// Owner of all terms and symbols.
#[derive(Default)]
pub struct TermPool {
    nodes: Vec<Node>,
    table: HashTable<u32>,
    array_sorts: Vec<Sort>,
    symbols: Vec<SymbolData>,
    by_name: Map<Rc<str>, SymbolId>,
    /// Next suffix to try for a name that is taken.
    suffixes: Map<Rc<str>, u32>,
    /// Negations of `And`, `Or` and `Ite` nodes, so that negating twice is cheap.
    pub(super) negations: Map<TermId, TermId>,
    /// Contents of long chains of stores at constant indices.
    pub(super) store_indices: StoreIndices,
    /// Truth values that read tables, as conditions on the index, where they are that simple.
    pub(super) tabulated: Map<TermId, TermId>,
    /// Bits of sums and of binary operations, by lowest bit and width: operands share their parts, so that the
    /// same bits of the same part can be met on very many ways.
    pub(super) extracts: Map<(TermId, u32, u32), TermId>,
    #[cfg(test)]
    pub(super) keeps_look_ups: bool,
    /// Whether an operation on floats was ever made.
    pub(super) has_floats: bool,
    pub(super) symbol_sets: Map<TermId, Rc<[SymbolId]>>,
    /// Bodies of quantifiers and sums that were evaluated, as programs where they are that simple.
    pub(super) bodies: RefCell<Map<TermId, Option<Rc<Body>>>>,
    /// The clock of work; see [`super::Work`].
    pub(super) clock: Clock,
}

impl TermPool {
    /// An empty pool.
    #[must_use]
    pub fn new() -> TermPool {
        TermPool::default()
    }

    /// Number of nodes made so far; constants in handles are not nodes.
    #[must_use]
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    // ----- symbols -----

    /// A new symbol, different from all others; its name is `name`, or `name#n` when taken.
    ///
    /// ```
    /// use compact_se_term::{Sort, TermPool};
    /// let mut pool = TermPool::new();
    /// let (one, other) = (pool.symbol("x", Sort::Bv(32)), pool.symbol("x", Sort::Bv(32)));
    /// assert_ne!(one, other);
    /// assert_eq!(pool.symbol_name(other), "x#1");
    /// ```
    ///
    /// # Panics
    /// When a width in the sort is 0.
    pub fn symbol(&mut self, name: &str, sort: Sort) -> SymbolId {
        match sort {
            Sort::Bv(width) => assert!(width >= 1, "a bit-vector has at least one bit"),
            Sort::Array { index, value } => {
                assert!(
                    index >= 1 && value >= 1,
                    "a bit-vector has at least one bit"
                );
            }
        }
        let id = SymbolId(u32::try_from(self.symbols.len()).expect("fewer than 2^32 symbols"));
        let mut unique: Rc<str> = name.into();
        if self.by_name.contains_key(&unique) {
            let base = unique;
            let mut suffix = self.suffixes.get(&base).copied().unwrap_or(1);
            loop {
                unique = format!("{base}#{suffix}").into();
                suffix += 1;
                if !self.by_name.contains_key(&unique) {
                    break;
                }
            }
            self.suffixes.insert(base, suffix);
        }
        self.by_name.insert(unique.clone(), id);
        let term = self.intern(TermData::Symbol(id), sort);
        self.symbols.push(SymbolData {
            name: unique,
            sort,
            term,
            multiple_of: 1,
            within: None,
        });
        id
    }

    /// A new symbol that stands only for multiples of a power of two. The caller vouches for that:
    /// constructors and [`TermPool::is_multiple_of`] rely on it, but it is not added to a query.
    ///
    /// # Panics
    /// As [`TermPool::symbol`], and when `power_of_two` is none.
    pub fn symbol_multiple_of(&mut self, name: &str, sort: Sort, power_of_two: u64) -> SymbolId {
        assert!(
            power_of_two.is_power_of_two(),
            "only powers of two divide 2^w"
        );
        let symbol = self.symbol(name, sort);
        self.symbols[symbol.index()].multiple_of = power_of_two;
        symbol
    }

    /// A new symbol that stands only for multiples of a power of two within a range of unsigned numbers. The caller
    /// vouches for both: rules rely on it, and solvers know the bits that are zero in all of them.
    ///
    /// # Panics
    /// As [`TermPool::symbol_multiple_of`], and where the range is empty or the symbol is wider than 64 bits.
    pub fn symbol_within(
        &mut self,
        name: &str,
        sort: Sort,
        power_of_two: u64,
        range: Range<u64>,
    ) -> SymbolId {
        assert!(!range.is_empty(), "a symbol has a value");
        assert!(
            matches!(sort, Sort::Bv(1..=64)),
            "ranges are of at most 64 bits"
        );
        let symbol = self.symbol_multiple_of(name, sort, power_of_two);
        self.symbols[symbol.index()].within = Some((range.start, range.end));
        symbol
    }

    /// The range that a symbol's value lies in, as far as it was said.
    #[must_use]
    pub fn symbol_range(&self, symbol: SymbolId) -> Option<Range<u64>> {
        let (start, end) = self.symbols[symbol.index()].within?;
        Some(start..end)
    }

    /// Whether anything is known of the value of a symbol but its width.
    #[must_use]
    pub fn is_restricted(&self, symbol: SymbolId) -> bool {
        self.symbol_divisor(symbol) > 1 || self.symbol_range(symbol).is_some()
    }

    /// The power of two that a symbol is a multiple of, as far as it was said.
    #[must_use]
    pub fn symbol_divisor(&self, symbol: SymbolId) -> u64 {
        self.symbols[symbol.index()].multiple_of
    }

    /// Calls `visit` with each operand of a term, in order.
    pub fn for_each_operand(&self, term: TermId, mut visit: impl FnMut(TermId)) {
        self.for_each_child(term, |child, _| visit(child));
    }

    /// The term that is this symbol.
    #[must_use]
    pub fn symbol_term(&self, symbol: SymbolId) -> TermId {
        self.symbols[symbol.index()].term
    }

    /// A new symbol, as a term.
    pub fn fresh(&mut self, name: &str, sort: Sort) -> TermId {
        let symbol = self.symbol(name, sort);
        self.symbol_term(symbol)
    }

    /// The unique name of a symbol.
    #[must_use]
    pub fn symbol_name(&self, symbol: SymbolId) -> &str {
        &self.symbols[symbol.index()].name
    }

    /// The sort of a symbol.
    #[must_use]
    pub fn symbol_sort(&self, symbol: SymbolId) -> Sort {
        self.symbols[symbol.index()].sort
    }

    /// The symbol of this unique name.
    #[must_use]
    pub fn symbol_named(&self, name: &str) -> Option<SymbolId> {
        self.by_name.get(name).copied()
    }

    /// Number of symbols; their indices are 0..n.
    #[must_use]
    pub fn n_symbols(&self) -> usize {
        self.symbols.len()
    }

    /// The symbol that a term is, if it is one.
    #[must_use]
    pub fn as_symbol(&self, term: TermId) -> Option<SymbolId> {
        match self.data(term)? {
            TermData::Symbol(symbol) => Some(*symbol),
            _ => None,
        }
    }

    // ----- constants -----

    /// A constant.
    pub fn constant(&mut self, value: &Bv) -> TermId {
        match value.word() {
            Some(bits) => self.bv(value.width(), bits),
            None => self.intern(
                TermData::Constant(Box::new(value.clone())),
                Sort::Bv(value.width()),
            ),
        }
    }

    /// The constant `value` mod 2^width.
    #[inline]
    pub fn bv(&mut self, width: u32, value: u64) -> TermId {
        if width <= 64 {
            let value = value & word::mask(width);
            if let Some(id) = TermId::inline(width, value) {
                return id;
            }
        }
        self.intern(
            TermData::Constant(Box::new(Bv::new(width, value))),
            Sort::Bv(width),
        )
    }

    /// The constant of a signed value mod 2^width.
    pub fn bv_signed(&mut self, width: u32, value: i64) -> TermId {
        self.constant(&Bv::from_i64(width, value))
    }

    /// A truth value.
    #[must_use]
    pub fn truth(&self, value: bool) -> TermId {
        TermPool::truth_value(value)
    }

    #[inline]
    pub(super) fn truth_value(value: bool) -> TermId {
        if value { TermId::TRUE } else { TermId::FALSE }
    }

    /// The value of a constant.
    #[must_use]
    pub fn as_const(&self, term: TermId) -> Option<Bv> {
        if let Some((width, value)) = term.inline_parts() {
            return Some(Bv::new(width, value));
        }
        match self.data(term)? {
            TermData::Constant(value) => Some((**value).clone()),
            _ => None,
        }
    }

    /// The unsigned value of a constant of at most 64 bits.
    ///
    /// ```
    /// use compact_se_term::TermPool;
    /// let mut pool = TermPool::new();
    /// let (six, seven) = (pool.bv(32, 6), pool.bv(32, 7));
    /// let product = pool.mul(six, seven);
    /// assert_eq!(pool.as_u64(product), Some(42));
    /// ```
    #[must_use]
    #[inline]
    pub fn as_u64(&self, term: TermId) -> Option<u64> {
        if let Some((_, value)) = term.inline_parts() {
            return Some(value);
        }
        match self.data(term)? {
            TermData::Constant(value) => value.word(),
            _ => None,
        }
    }

    /// True iff the term is a constant.
    #[must_use]
    #[inline]
    pub fn is_const(&self, term: TermId) -> bool {
        matches!(self.data(term), None | Some(TermData::Constant(_)))
    }

    /// True iff the term is the constant true.
    #[must_use]
    pub fn is_true(&self, term: TermId) -> bool {
        term == TermId::TRUE
    }

    /// True iff the term is the constant false.
    #[must_use]
    pub fn is_false(&self, term: TermId) -> bool {
        term == TermId::FALSE
    }

    // ----- structure -----

    /// The sort of a term.
    #[must_use]
    pub fn sort(&self, term: TermId) -> Sort {
        match term.inline_parts() {
            Some((width, _)) => Sort::Bv(width),
            None => self.decode_sort(self.node(term).sort),
        }
    }

    /// The number of bits of a bit-vector term.
    ///
    /// # Panics
    /// When the term is an array.
    #[must_use]
    #[inline]
    pub fn width(&self, term: TermId) -> u32 {
        if let Some((width, _)) = term.inline_parts() {
            return width;
        }
        let sort = self.node(term).sort;
        assert!(
            sort & ARRAY_SORT == 0,
            "a bit-vector is expected, not an array"
        );
        sort
    }

    /// The outermost operator.
    #[must_use]
    pub fn view(&self, term: TermId) -> Term<'_> {
        if let Some((width, value)) = term.inline_parts() {
            return Term::Constant(Bv::new(width, value));
        }
        let node = self.node(term);
        match &node.data {
            TermData::Symbol(symbol) => Term::Symbol(*symbol),
            TermData::Bound(index) => Term::Bound {
                index: *index,
                width: node.sort,
            },
            TermData::Constant(value) => Term::Constant((**value).clone()),
            TermData::Sum { constant, terms } => Term::Sum {
                constant: *constant,
                terms,
            },
            TermData::Binary(op, a, b) => Term::Binary(*op, *a, *b),
            TermData::Compare(op, a, b) => Term::Compare(*op, *a, *b),
            TermData::Not(a) => Term::Not(*a),
            TermData::Cast(op, a) => Term::Cast(*op, *a),
            TermData::FloatBinary(op, a, b) => Term::FloatBinary(*op, *a, *b),
            TermData::FloatCast(op, a) => Term::FloatCast(*op, *a),
            TermData::Extract { low, of } => Term::Extract { low: *low, of: *of },
            TermData::Concat { high, low } => Term::Concat {
                high: *high,
                low: *low,
            },
            TermData::Ite(c, t, e) => Term::Ite(*c, *t, *e),
            TermData::Power { base, exponent } => Term::Power {
                base,
                exponent: *exponent,
            },
            TermData::Select(array, index) => Term::Select(*array, *index),
            TermData::Store(array, index, value) => Term::Store(*array, *index, *value),
            TermData::ConstArray(value) => Term::ConstArray(*value),
            TermData::Table(table) => Term::Table(table),
            TermData::Lambda(body) => Term::Lambda(*body),
            TermData::ForAll { limit, body } => Term::ForAll {
                limit: *limit,
                body: *body,
            },
            TermData::SumBelow { limit, body } => Term::SumBelow {
                limit: *limit,
                body: *body,
            },
        }
    }

    /// Contents of a node; `None` for a constant in the handle.
    #[inline]
    pub(super) fn data(&self, term: TermId) -> Option<&TermData> {
        if term.0 & INLINE != 0 {
            None
        } else {
            Some(&self.node(term).data)
        }
    }

    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "node indices are below 2^32"
    )]
    fn node(&self, term: TermId) -> &Node {
        debug_assert!(term.0 & INLINE == 0, "a constant in a handle is not a node");
        &self.nodes[term.0 as usize]
    }

    pub(super) fn flags(&self, term: TermId) -> u32 {
        if term.0 & INLINE != 0 {
            0
        } else {
            self.node(term).flags
        }
    }

    /// Calls `f` with each operand in order and how many binders it stands under (0 or 1).
    pub(super) fn for_each_child(&self, term: TermId, mut f: impl FnMut(TermId, u32)) {
        let Some(data) = self.data(term) else { return };
        children(data, &mut f);
    }

    /// The term's operator applied to other operands, in the order of `for_each_child`.
    pub(super) fn rebuild(&mut self, term: TermId, operands: &[TermId]) -> TermId {
        let sort = self.sort(term);
        let Some(data) = self.data(term) else {
            return term;
        };
        match (data, operands) {
            (
                TermData::Symbol(_)
                | TermData::Bound(_)
                | TermData::Constant(_)
                | TermData::Table(_),
                [],
            ) => term,
            (TermData::Sum { constant, terms }, _) => {
                let coefficients: Vec<u64> = terms.iter().map(|(c, _)| *c).collect();
                let constant = *constant;
                self.sum_of(
                    self.width(term),
                    constant,
                    coefficients.into_iter().zip(operands.iter().copied()),
                )
            }
            (TermData::Binary(op, ..), &[a, b]) => self.binary(*op, a, b),
            (TermData::Compare(op, ..), &[a, b]) => self.compare(*op, a, b),
            (TermData::Not(_), &[a]) => self.not(a),
            (TermData::Cast(op, _), &[a]) => {
                let op = *op;
                self.cast(op, self.width(term), a)
            }
            (TermData::FloatBinary(op, ..), &[a, b]) => self.float_binary(*op, a, b),
            (TermData::FloatCast(op, _), &[a]) => {
                let op = *op;
                self.float_cast(op, self.width(term), a)
            }
            (TermData::Extract { low, .. }, &[a]) => {
                let low = *low;
                self.extract(low, self.width(term), a)
            }
            (TermData::Concat { .. }, &[high, low]) => self.concat(high, low),
            (TermData::Ite(..), &[c, t, e]) => self.ite(c, t, e),
            (TermData::Power { base, .. }, &[exponent]) => {
                let base = (**base).clone();
                self.power(&base, exponent)
            }
            (TermData::Select(..), &[array, index]) => self.select(array, index),
            (TermData::Store(..), &[array, index, value]) => self.store(array, index, value),
            (TermData::ConstArray(_), &[value]) => match sort {
                Sort::Array { index, .. } => self.const_array(index, value),
                Sort::Bv(_) => unreachable!("a constant array has an array sort"),
            },
            (TermData::Lambda(_), &[body]) => match sort {
                Sort::Array { index, .. } => self.lambda_bound(index, body),
                Sort::Bv(_) => unreachable!("a comprehension has an array sort"),
            },
            (TermData::ForAll { .. }, &[limit, body]) => self.forall_bound(limit, body),
            (TermData::SumBelow { .. }, &[limit, body]) => self.sum_bound(limit, body),
            _ => unreachable!("a term is rebuilt from as many operands as it has"),
        }
    }

    fn decode_sort(&self, code: u32) -> Sort {
        if code & ARRAY_SORT == 0 {
            Sort::Bv(code)
        } else {
            self.array_sorts[(code & !ARRAY_SORT) as usize]
        }
    }

    fn encode_sort(&mut self, sort: Sort) -> u32 {
        match sort {
            Sort::Bv(width) => {
                debug_assert!((1..ARRAY_SORT).contains(&width), "a width below 2^31");
                width
            }
            Sort::Array { .. } => {
                let index = self
                    .array_sorts
                    .iter()
                    .position(|s| *s == sort)
                    .unwrap_or_else(|| {
                        self.array_sorts.push(sort);
                        self.array_sorts.len() - 1
                    });
                ARRAY_SORT | u32::try_from(index).expect("few array sorts")
            }
        }
    }

    /// The node of these contents; the only place where nodes are made.
    pub(super) fn intern(&mut self, data: TermData, sort: Sort) -> TermId {
        self.count_work(Work::CONSTRUCTION);
        let code = self.encode_sort(sort);
        let hash = FxBuildHasher.hash_one((&data, code));
        let nodes = &self.nodes;
        let same = |index: &u32| {
            let node = &nodes[*index as usize];
            node.sort == code && node.data == data
        };
        if let Some(index) = self.table.find(hash, same) {
            return TermId(u64::from(*index));
        }
        let mut flags = match &data {
            TermData::Bound(index) => 1 << (*index).min(BOUND_BITS - 1),
            TermData::ForAll { .. } => QUANTIFIER,
            TermData::Lambda(_) => LAMBDA,
            TermData::SumBelow { .. } => SUMMATION,
            TermData::Select(array, _) if matches!(self.data(*array), Some(TermData::Table(_))) => {
                LOOK_UP
            }
            TermData::Binary(op, a, b)
                if op.is_multiplicative() && !self.is_const(*a) && !self.is_const(*b) =>
            {
                PRODUCT
            }
            _ => 0,
        };
        children(&data, &mut |child, binders| {
            let child = self.flags(child);
            flags |= if binders == 0 {
                child
            } else {
                (child & (QUANTIFIER | LAMBDA | SUMMATION | LOOK_UP | PRODUCT))
                    | ((child & BOUND_MASK) >> 1)
                    | (child & BOUND_STICKY)
            };
        });
        let index = u32::try_from(self.nodes.len()).expect("fewer than 2^32 terms");
        self.nodes.push(Node {
            data,
            sort: code,
            flags,
        });
        let nodes = &self.nodes;
        self.table.insert_unique(hash, index, |index| {
            let node = &nodes[*index as usize];
            FxBuildHasher.hash_one((&node.data, node.sort))
        });
        TermId(u64::from(index))
    }
}

fn children(data: &TermData, f: &mut impl FnMut(TermId, u32)) {
    match data {
        TermData::Symbol(_) | TermData::Bound(_) | TermData::Constant(_) | TermData::Table(_) => {}
        TermData::Sum { terms, .. } => terms.iter().for_each(|(_, t)| f(*t, 0)),
        TermData::Binary(_, a, b)
        | TermData::FloatBinary(_, a, b)
        | TermData::Compare(_, a, b)
        | TermData::Concat { high: a, low: b }
        | TermData::Select(a, b) => {
            f(*a, 0);
            f(*b, 0);
        }
        TermData::Not(a)
        | TermData::Cast(_, a)
        | TermData::FloatCast(_, a)
        | TermData::Extract { of: a, .. }
        | TermData::ConstArray(a)
        | TermData::Power { exponent: a, .. } => f(*a, 0),
        TermData::Ite(a, b, c) | TermData::Store(a, b, c) => {
            f(*a, 0);
            f(*b, 0);
            f(*c, 0);
        }
        TermData::Lambda(body) => f(*body, 1),
        TermData::ForAll { limit, body } | TermData::SumBelow { limit, body } => {
            f(*limit, 0);
            f(*body, 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_takes_forty_bytes() {
        assert_eq!(size_of::<Node>(), 40);
    }

    #[test]
    fn hash_is_of_contents_and_sort() {
        let mut pool = TermPool::new();
        let narrow = pool.intern(TermData::Bound(0), Sort::Bv(8));
        let wide = pool.intern(TermData::Bound(0), Sort::Bv(9));
        assert_ne!(narrow, wide);
        assert_eq!(narrow, pool.intern(TermData::Bound(0), Sort::Bv(8)));
    }
}
