//! Terms as SMT-LIB 2 over the integers, exact under wrap-around.
//!
//! A bit-vector of width w is an integer in 0..2^w; a term of width 1 is a Boolean. Results that may wrap get
//! `mod 2^w`; the `mod` is dropped if intervals exclude wrap-around, and is a case distinction if the result
//! wraps at most once. The intervals are implied by the whole conjunction (`solver/ranges`); intervals of
//! terms are asserted, since their premises may be written without a case that they exclude. Array symbols
//! are functions, reads of tables choices. Of bitwise operations only masks of low or high bits have such a
//! form: terms with others are not translated.

use super::MAX_NODES;
use crate::ranges::{Range, Ranges, of_term};
use crate::smtlib::integers::{compared, number, sort, two_to, values, within};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use term::{
    ArrayValue, Assignment, BinOp, Bv, CastOp, CmpOp, LookUpTable, Sort, SymbolId, Term, TermId,
    TermPool,
};

/// A query about integers, and how its answer is read.
pub(super) struct Script {
    /// Declarations and assertions.
    pub question: String,
    /// The command for the values of a model.
    pub values: String,
    symbols: Vec<(SymbolId, Named)>,
    reads: Vec<Read>,
}

/// Width and name of an integer of the script.
type Named = (u32, String);

/// A read of an array symbol.
struct Read {
    array: SymbolId,
    index: Named,
    value: Named,
}

/// Something that has no form over the integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NotArithmetic;

type Translated<T> = Result<T, NotArithmetic>;

struct Writer<'a> {
    pool: &'a TermPool,
    out: String,
    names: FxHashMap<TermId, String>,
    known: Ranges,
    ranges: FxHashMap<TermId, Range>,
    symbols: Vec<(SymbolId, Named)>,
    arrays: BTreeMap<SymbolId, String>,
    reads: Vec<Read>,
    /// The read of an array at a named index.
    known_reads: FxHashMap<(TermId, String), String>,
    n_names: usize,
}

/// Longer products stay with bit-vectors: Z3 writes products in products out, so that n squares in a row are 2^n
/// factors.
const MOST_FACTORS: u64 = 64;

/// Tables with more runs of equal values stay with bit-vectors, which choose by single bits of an index.
const MOST_RUNS: usize = 64;

/// A table's value at an index of this name: a choice by halves among the runs of equal values.
fn table_read(table: &LookUpTable, index: &str, width: u32) -> Translated<String> {
    let gap = (table.stride() > 1).then_some(0);
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for (position, value) in (0..).zip(table.values()) {
        let first = position * table.stride();
        runs.push((first, *value));
        runs.extend(gap.map(|zero| (first + 1, zero)));
    }
    runs.push((table.end(), 0));
    runs.dedup_by_key(|(_, value)| *value);
    if runs.len() > MOST_RUNS {
        return Err(NotArithmetic);
    }
    Ok(choice(&runs, index, width))
}

/// The value of the run that an index is in; runs are given by their first index and their value.
fn choice(runs: &[(u64, u64)], index: &str, width: u32) -> String {
    match runs {
        [(_, value)] if width == 1 => (*value == 1).to_string(),
        [(_, value)] => value.to_string(),
        _ => {
            let (below, from) = runs.split_at(runs.len() / 2);
            let (first, below) = (from[0].0, choice(below, index, width));
            let from = choice(from, index, width);
            format!("(ite (< {index} {first}) {below} {from})")
        }
    }
}

/// The integer of a residue mod 2^width that is nearest to 0.
fn nearest(residue: u64, width: u32) -> BigInt {
    let residue = BigInt::from(residue);
    if residue >= two_to(width - 1) {
        residue - two_to(width)
    } else {
        residue
    }
}

impl Script {
    /// The conjunction of closed terms of width 1, without quantifiers and sums.
    pub fn new(pool: &TermPool, conjuncts: &[TermId]) -> Translated<Script> {
        if pool.most_factors(conjuncts) > MOST_FACTORS {
            return Err(NotArithmetic);
        }
        let mut writer = Writer {
            pool,
            out: "(set-logic ALL)\n(set-option :model.completion true)\n".to_owned(),
            names: FxHashMap::default(),
            known: Ranges::of(pool, conjuncts),
            ranges: FxHashMap::default(),
            symbols: Vec::new(),
            arrays: BTreeMap::new(),
            reads: Vec::new(),
            known_reads: FxHashMap::default(),
            n_names: 0,
        };
        for conjunct in conjuncts {
            let name = writer.term(*conjunct)?;
            let _ = writeln!(writer.out, "(assert {name})");
        }
        let Writer {
            out,
            symbols,
            reads,
            ..
        } = writer;
        let symbol_names = symbols.iter().map(|(_, (_, name))| name.as_str());
        let read_names = reads
            .iter()
            .flat_map(|read| [read.index.1.as_str(), read.value.1.as_str()]);
        let names: Vec<&str> = symbol_names.chain(read_names).collect();
        let values = if names.is_empty() {
            String::new()
        } else {
            format!("(get-value ({}))\n", names.join(" "))
        };
        Ok(Script {
            question: out,
            values,
            symbols,
            reads,
        })
    }

    /// The assignment in what Z3 printed for the values; `None` if that is not understood.
    pub fn assignment(&self, printed: &str) -> Option<Assignment> {
        let values = values(printed)?;
        let value = |(width, name): &Named| -> Option<Bv> {
            let value = match values.get(name)?.as_str() {
                "true" => BigUint::one(),
                "false" => BigUint::zero(),
                digits => digits.parse().ok()?,
            };
            Some(Bv::from_biguint(*width, &value))
        };
        let mut assignment = Assignment::new();
        for (symbol, named) in &self.symbols {
            assignment.set(*symbol, value(named)?);
        }
        let mut arrays: BTreeMap<SymbolId, ArrayValue> = BTreeMap::new();
        for read in &self.reads {
            arrays
                .entry(read.array)
                .or_insert_with(|| ArrayValue::constant(Bv::zero(read.value.0)))
                .entries
                .insert(value(&read.index)?, value(&read.value)?);
        }
        for (array, value) in arrays {
            assignment.set_array(array, value);
        }
        Some(assignment)
    }
}

impl Writer<'_> {
    /// The name of a term, after those of its operands; arrays have none.
    fn term(&mut self, root: TermId) -> Translated<String> {
        let mut stack = vec![(root, false)];
        while let Some((term, operands_done)) = stack.pop() {
            if self.names.contains_key(&term) || matches!(self.pool.sort(term), Sort::Array { .. })
            {
                continue;
            }
            if !operands_done {
                stack.push((term, true));
                self.push_operands(term, &mut stack);
                continue;
            }
            if self.names.len() > MAX_NODES {
                return Err(NotArithmetic);
            }
            let width = self.pool.width(term);
            let definition = self.definition(term, width)?;
            let name = if definition.starts_with('(') {
                self.defined(sort(width), &definition)
            } else {
                definition
            };
            if width > 1 {
                self.note_range(term, &name);
            }
            self.names.insert(term, name);
        }
        Ok(self.names[&root].clone())
    }

    /// The bit-vectors among the operands, those within arrays included.
    fn push_operands(&self, term: TermId, stack: &mut Vec<(TermId, bool)>) {
        let mut within = vec![term];
        while let Some(outer) = within.pop() {
            self.pool.for_each_operand(outer, |operand| {
                if matches!(self.pool.sort(operand), Sort::Array { .. }) {
                    within.push(operand);
                } else {
                    stack.push((operand, false));
                }
            });
        }
    }

    fn new_name(&mut self, letter: char) -> String {
        self.n_names += 1;
        format!("{letter}{}", self.n_names)
    }

    fn defined(&mut self, sort: &str, definition: &str) -> String {
        let name = self.new_name('t');
        let _ = writeln!(self.out, "(define-fun {name} () {sort} {definition})");
        name
    }

    /// Declares an integer in 0..2^width, or a Boolean.
    fn declared(&mut self, letter: char, width: u32) -> String {
        let name = self.new_name(letter);
        let _ = writeln!(self.out, "(declare-const {name} {})", sort(width));
        if width > 1 {
            self.assert_within(&name, &Range::unsigned(width));
        }
        name
    }

    fn assert_within(&mut self, name: &str, range: &Range) {
        let _ = writeln!(self.out, "(assert {})", within(name, range));
    }

    fn name(&self, term: TermId) -> &str {
        &self.names[&term]
    }

    /// The term as an integer.
    fn integer(&self, term: TermId) -> String {
        if self.pool.width(term) == 1 {
            format!("(ite {} 1 0)", self.name(term))
        } else {
            self.name(term).to_owned()
        }
    }

    /// The integer that a bit-vector stands for when it is read as signed.
    fn signed(&self, term: TermId) -> String {
        let (name, width) = (self.integer(term), self.pool.width(term));
        let (half, all) = (two_to(width - 1), two_to(width));
        let range = self.bounds(term);
        if range.high < half {
            name
        } else if range.low >= half {
            format!("(- {name} {all})")
        } else {
            format!("(ite (< {name} {half}) {name} (- {name} {all}))")
        }
    }

    /// The values of a term that has a name.
    fn bounds(&self, term: TermId) -> Range {
        let noted = self.ranges.get(&term);
        noted.cloned().unwrap_or_else(|| of_term(self.pool, term))
    }

    /// Notes the range of a term whose operands have theirs, and asserts what the conjunction says of it.
    fn note_range(&mut self, term: TermId, name: &str) {
        let mut range = of_term(self.pool, term);
        if let Some(computed) = self.computed_range(term) {
            range = range.meet(&computed);
        }
        if let Some(known) = self.known.known(term).cloned() {
            self.assert_within(name, &known);
            range = range.meet(&known);
        }
        // An empty one is a contradiction, which the assertions say.
        if !range.is_empty() {
            self.ranges.insert(term, range);
        }
    }

    /// The range of a result from those of its operands, where it does not wrap.
    fn computed_range(&self, term: TermId) -> Option<Range> {
        let width = self.pool.width(term);
        let range = match self.pool.view(term) {
            Term::Sum { constant, terms } => self.extent(width, constant, terms)?,
            Term::Binary(BinOp::Mul, a, b) => self.bounds(a).product(&self.bounds(b), false)?,
            Term::Cast(CastOp::ZExt, a) if self.pool.width(a) > 1 => self.bounds(a),
            Term::Cast(CastOp::SExt, a) if self.pool.width(a) > 1 => {
                let range = self.bounds(a);
                if range.high >= two_to(self.pool.width(a) - 1) {
                    return None;
                }
                range
            }
            Term::Ite(_, then, otherwise) => self.bounds(then).hull(&self.bounds(otherwise)),
            _ => return None,
        };
        range.within(&Range::unsigned(width)).then_some(range)
    }

    /// `value` mod 2^width, where it lies within a range, if that is known.
    fn wrapped(&mut self, value: String, width: u32, range: Option<Range>) -> String {
        let all = two_to(width);
        let once = Range::new(-&all, &all * 2 - 1);
        if let Some(range) = range.filter(|range| range.within(&once)) {
            if range.within(&Range::unsigned(width)) {
                return value;
            }
            let value = self.defined("Int", &value);
            let above = if range.high >= all {
                format!("(ite (< {value} {all}) {value} (- {value} {all}))")
            } else {
                value.clone()
            };
            return if range.low.is_negative() {
                format!("(ite (< {value} 0) (+ {value} {all}) {above})")
            } else {
                above
            };
        }
        format!("(mod {value} {all})")
    }

    fn definition(&mut self, term: TermId, width: u32) -> Translated<String> {
        let pool = self.pool;
        Ok(match pool.view(term) {
            Term::Constant(value) if width == 1 => value.is_ones().to_string(),
            Term::Constant(value) => value.to_biguint().to_string(),
            Term::Symbol(symbol) => {
                let name = self.declared('s', width);
                let divisor = pool.symbol_divisor(symbol);
                if divisor > 1 {
                    let _ = writeln!(self.out, "(assert (= 0 (mod {name} {divisor})))");
                }
                if let Some(range) = pool.symbol_range(symbol) {
                    let last = BigInt::from(range.end) - 1;
                    self.assert_within(&name, &Range::new(range.start.into(), last));
                }
                self.symbols.push((symbol, (width, name.clone())));
                name
            }
            Term::Sum { constant, terms } => self.sum(width, constant, terms),
            Term::Binary(op, a, b) if width == 1 => {
                let op = match op {
                    BinOp::And => "and",
                    BinOp::Or => "or",
                    BinOp::Xor => "xor",
                    _ => return Err(NotArithmetic),
                };
                format!("({op} {} {})", self.name(a), self.name(b))
            }
            Term::Binary(op, a, b) => self.binary(op, width, a, b)?,
            Term::Compare(op, a, b) => self.comparison(op, a, b),
            Term::Not(a) if width == 1 => format!("(not {})", self.name(a)),
            Term::Not(a) => format!("(- {} {})", two_to(width) - 1, self.name(a)),
            Term::Cast(op, a) => self.cast(op, width, a)?,
            Term::Extract { low, of } => {
                let part = match low {
                    0 => self.integer(of),
                    _ => format!("(div {} {})", self.integer(of), two_to(low)),
                };
                if width == 1 {
                    format!("(= 1 (mod {part} 2))")
                } else if low + width == pool.width(of) {
                    part
                } else {
                    format!("(mod {part} {})", two_to(width))
                }
            }
            Term::Concat { high, low } => {
                let shift = two_to(pool.width(low));
                let (high, low) = (self.integer(high), self.integer(low));
                format!("(+ (* {shift} {high}) {low})")
            }
            Term::Ite(c, t, e) => {
                format!("(ite {} {} {})", self.name(c), self.name(t), self.name(e))
            }
            Term::Select(array, index) => {
                let index = (pool.width(index), self.integer(index));
                self.read(array, &index, width)?
            }
            _ => return Err(NotArithmetic),
        })
    }

    /// Σ cᵢ·tᵢ + c, with each coefficient the one of its residues that is nearest to 0.
    fn sum(&mut self, width: u32, constant: u64, terms: &[(u64, TermId)]) -> String {
        let mut text = format!("(+ {}", number(&nearest(constant, width)));
        for (coefficient, summand) in terms {
            let coefficient = nearest(*coefficient, width);
            let summand = self.integer(*summand);
            let _ = if coefficient.is_one() {
                write!(text, " {summand}")
            } else {
                write!(text, " (* {} {summand})", number(&coefficient))
            };
        }
        text.push(')');
        let range = self.extent(width, constant, terms);
        self.wrapped(text, width, range)
    }

    /// The range of such a sum before it wraps.
    fn extent(&self, width: u32, constant: u64, terms: &[(u64, TermId)]) -> Option<Range> {
        let constant = Range::point(nearest(constant, width));
        terms
            .iter()
            .try_fold(constant, |sum, (coefficient, summand)| {
                sum.plus(&self.bounds(*summand).times(&nearest(*coefficient, width))?)
            })
    }

    fn binary(&mut self, op: BinOp, width: u32, a: TermId, b: TermId) -> Translated<String> {
        let (x, y) = (self.name(a).to_owned(), self.name(b).to_owned());
        let (all, half) = (two_to(width), two_to(width - 1));
        let (of_a, of_b) = (self.bounds(a), self.bounds(b));
        let shift = self.pool.as_u64(b).and_then(|by| u32::try_from(by).ok());
        let shift = shift.filter(|by| *by < width);
        let magnitude = |name: &str| format!("(ite (< {name} {half}) {name} (- {all} {name}))");
        Ok(match op {
            BinOp::Add => self.wrapped(format!("(+ {x} {y})"), width, of_a.plus(&of_b)),
            BinOp::Sub => self.wrapped(format!("(- {x} {y})"), width, of_a.minus(&of_b)),
            BinOp::Mul => {
                let range = of_a.product(&of_b, false);
                self.wrapped(format!("(* {x} {y})"), width, range)
            }
            BinOp::UDiv if of_b.low.is_zero() => {
                format!("(ite (= {y} 0) {} (div {x} {y}))", &all - 1)
            }
            BinOp::UDiv => format!("(div {x} {y})"),
            BinOp::URem if of_b.low.is_zero() => format!("(ite (= {y} 0) {x} (mod {x} {y}))"),
            BinOp::URem => format!("(mod {x} {y})"),
            BinOp::SDiv => {
                let quotient = format!("(div {} {})", magnitude(&x), magnitude(&y));
                let quotient = self.defined("Int", &quotient);
                format!(
                    "(ite (= {y} 0) (ite (< {x} {half}) {} 1) \
                     (ite (= (< {x} {half}) (< {y} {half})) {quotient} \
                     (ite (= {quotient} 0) 0 (- {all} {quotient}))))",
                    &all - 1
                )
            }
            BinOp::SRem => {
                let remainder = format!("(mod {} {})", magnitude(&x), magnitude(&y));
                let remainder = self.defined("Int", &remainder);
                format!(
                    "(ite (= {y} 0) {x} (ite (< {x} {half}) {remainder} \
                     (ite (= {remainder} 0) 0 (- {all} {remainder}))))"
                )
            }
            BinOp::Shl => {
                let factor = two_to(shift.ok_or(NotArithmetic)?);
                let range = of_a.times(&factor);
                self.wrapped(format!("(* {factor} {x})"), width, range)
            }
            BinOp::LShr => format!("(div {x} {})", two_to(shift.ok_or(NotArithmetic)?)),
            BinOp::AShr => {
                let divisor = two_to(shift.ok_or(NotArithmetic)?);
                format!("(mod (div {} {divisor}) {all})", self.signed(a))
            }
            BinOp::And => self.masked(a, b, width)?,
            BinOp::Or | BinOp::Xor => return Err(NotArithmetic),
        })
    }

    /// Conjunction with a mask of low bits, or of high bits.
    fn masked(&self, a: TermId, b: TermId, width: u32) -> Translated<String> {
        let constant = |term| self.pool.as_const(term).map(|value| value.to_biguint());
        let (name, mask) = match (constant(a), constant(b)) {
            (None, Some(mask)) => (self.name(a), mask),
            (Some(mask), None) => (self.name(b), mask),
            _ => return Err(NotArithmetic),
        };
        let is_power = |value: &BigUint| value.count_ones() == 1;
        let above = &mask + 1u8;
        if is_power(&above) {
            return Ok(format!("(mod {name} {above})"));
        }
        let below = (BigUint::one() << width) - mask;
        if is_power(&below) {
            return Ok(format!("(- {name} (mod {name} {below}))"));
        }
        Err(NotArithmetic)
    }

    fn comparison(&self, op: CmpOp, a: TermId, b: TermId) -> String {
        let width = self.pool.width(a);
        if width == 1 && matches!(op, CmpOp::Eq | CmpOp::Ne) {
            return compared(op, self.name(a), self.name(b));
        }
        let is_signed = matches!(op, CmpOp::Slt | CmpOp::Sle | CmpOp::Sgt | CmpOp::Sge);
        let [a, b] = [a, b].map(|side| {
            if is_signed {
                self.signed(side)
            } else {
                self.integer(side)
            }
        });
        compared(op, &a, &b)
    }

    fn cast(&self, op: CastOp, width: u32, a: TermId) -> Translated<String> {
        let from = self.pool.width(a);
        let name = self.integer(a);
        Ok(match op {
            CastOp::ZExt => name,
            CastOp::SExt => {
                let (half, more) = (two_to(from - 1), two_to(width) - two_to(from));
                if self.bounds(a).high < half {
                    return Ok(name);
                }
                format!("(ite (< {name} {half}) {name} (+ {name} {more}))")
            }
            CastOp::Trunc => return Err(NotArithmetic),
        })
    }

    /// The name of an array's value at an index of this width and name.
    fn read(&mut self, array: TermId, index: &Named, width: u32) -> Translated<String> {
        let key = (array, index.1.clone());
        if let Some(known) = self.known_reads.get(&key) {
            return Ok(known.clone());
        }
        let value = match self.pool.view(array) {
            Term::Symbol(symbol) => self.declared_read(symbol, index, width),
            Term::Store(inner, at, value) => {
                let at = self.integer(at);
                let value = self.name(value).to_owned();
                let below = self.read(inner, index, width)?;
                format!("(ite (= {} {at}) {value} {below})", index.1)
            }
            Term::ConstArray(value) => self.name(value).to_owned(),
            Term::Table(table) => table_read(table, &index.1, width)?,
            Term::Ite(condition, then, otherwise) => {
                let condition = self.name(condition).to_owned();
                let then = self.read(then, index, width)?;
                let otherwise = self.read(otherwise, index, width)?;
                format!("(ite {condition} {then} {otherwise})")
            }
            _ => return Err(NotArithmetic),
        };
        let value = if value.starts_with('(') {
            self.defined(sort(width), &value)
        } else {
            value
        };
        self.known_reads.insert(key, value.clone());
        Ok(value)
    }

    /// Index and value get separate constants, whose values the answer tells.
    fn declared_read(&mut self, array: SymbolId, index: &Named, width: u32) -> String {
        let function = match self.arrays.get(&array) {
            Some(function) => function.clone(),
            None => {
                let name = self.new_name('f');
                let _ = writeln!(self.out, "(declare-fun {name} (Int) Int)");
                self.arrays.insert(array, name.clone());
                name
            }
        };
        let at = self.new_name('i');
        let value = self.declared('v', width);
        let _ = writeln!(self.out, "(declare-const {at} Int)");
        let _ = writeln!(self.out, "(assert (= {at} {}))", index.1);
        let number = if width == 1 {
            format!("(ite {value} 1 0)")
        } else {
            value.clone()
        };
        let _ = writeln!(self.out, "(assert (= {number} ({function} {at})))");
        self.reads.push(Read {
            array,
            index: (index.0, at),
            value: (width, value.clone()),
        });
        value
    }
}
