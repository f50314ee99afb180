//! Exact evaluation under an assignment: any width, arrays, quantifiers and sums.
//!
//! Iterations of quantifiers and sums are enumerated. Iterations in which all values read by the body change
//! linearly ([`runs`]) are evaluated as one; other simple bodies are compiled to a
//! [`program`](super::program).

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound::{Excluded, Unbounded};
use std::ops::Range;
use std::rc::Rc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::bv::word;
use super::float;
use super::pool::{Map, TermData};
use super::program::Body;
use super::runs::{self, Direction, LinearRun, Moving};
use super::{BinOp, Bv, CastOp, CmpOp, LookUpTable, Sort, SymbolId, TermId, TermPool, Work};

/// Iterations of quantifiers and bounded sums that one evaluation may take, all together;
/// iterations through which everything continues linearly count as one.
const MAX_ITERATIONS: u64 = 1 << 22;

/// Where a body does not continue linearly, and towards the end, so many iterations are taken in a block, by a
/// program if the body is simple enough.
const BLOCK: u64 = 16;
/// Where it still does not, blocks grow up to so many iterations.
const MOST_BLOCK: u64 = 1 << 10;
/// So many iterations of a program count as one: some of them may continue linearly.
const AS_ONE: u64 = 4;

/// Values of symbols. A symbol without a value is 0, or the array that is 0 everywhere.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Assignment {
    values: BTreeMap<SymbolId, SymbolValue>,
}

/// Value of one symbol.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum SymbolValue {
    /// Of a bit-vector symbol.
    Bits(Bv),
    /// Of an array symbol.
    Array(ArrayValue),
}

/// A concrete array: a value at some indices, the default everywhere else.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ArrayValue {
    /// Value at all indices that have no entry.
    pub default: Bv,
    /// Index to value.
    pub entries: BTreeMap<Bv, Bv>,
}

impl ArrayValue {
    /// The array with one value everywhere.
    #[must_use]
    pub fn constant(default: Bv) -> ArrayValue {
        ArrayValue {
            default,
            entries: BTreeMap::new(),
        }
    }

    /// The value at an index.
    #[must_use]
    pub fn get(&self, index: &Bv) -> &Bv {
        self.entries.get(index).unwrap_or(&self.default)
    }
}

impl Assignment {
    /// All symbols are 0.
    #[must_use]
    pub fn new() -> Assignment {
        Assignment::default()
    }

    /// Gives a bit-vector symbol its value, instead of an earlier one.
    pub fn set(&mut self, symbol: SymbolId, value: Bv) {
        self.values.insert(symbol, SymbolValue::Bits(value));
    }

    /// Gives an array symbol its value, instead of an earlier one.
    pub fn set_array(&mut self, symbol: SymbolId, value: ArrayValue) {
        self.values.insert(symbol, SymbolValue::Array(value));
    }

    /// The value given to a symbol.
    #[must_use]
    pub fn get(&self, symbol: SymbolId) -> Option<&SymbolValue> {
        self.values.get(&symbol)
    }

    /// The value given to a bit-vector symbol.
    #[must_use]
    pub fn bits(&self, symbol: SymbolId) -> Option<&Bv> {
        match self.values.get(&symbol)? {
            SymbolValue::Bits(value) => Some(value),
            SymbolValue::Array(_) => None,
        }
    }

    /// The value given to an array symbol.
    #[must_use]
    pub fn array(&self, symbol: SymbolId) -> Option<&ArrayValue> {
        match self.values.get(&symbol)? {
            SymbolValue::Array(value) => Some(value),
            SymbolValue::Bits(_) => None,
        }
    }

    /// All symbols that were given a value, in the order of the symbols.
    pub fn iter(&self) -> impl Iterator<Item = (SymbolId, &SymbolValue)> {
        self.values.iter().map(|(symbol, value)| (*symbol, value))
    }

    /// Number of symbols that were given a value.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// True iff no symbol was given a value.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

/// Why a term has no value.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EvalError {
    /// The ranges of quantifiers and bounded sums are too large to enumerate.
    #[error("quantifiers and sums take more than {budget} iterations")]
    TooManyIterations {
        /// Iterations that were allowed.
        budget: u64,
    },
    /// An array term has no bit-vector value.
    #[error("the term is an array")]
    Array,
}

/// A value while evaluating; `Word` exactly for widths up to 64.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Value<'a> {
    Word(u64),
    Wide(Rc<Bv>),
    Array(ArrayView<'a>),
}

/// An array: stores over the value of a symbol or over one value everywhere.
#[derive(Clone)]
struct ArrayView<'a> {
    base: Base<'a>,
    stored: imbl::HashMap<Value<'a>, Value<'a>>,
    index_bits: u32,
}

#[derive(Clone)]
enum Base<'a> {
    Everywhere(Box<Value<'a>>),
    Symbol(SymbolId, &'a ArrayValue),
    Table(&'a LookUpTable),
}

// Array values are neither compared nor hashed: indices and values are bit-vectors.
impl PartialEq for ArrayView<'_> {
    fn eq(&self, _: &Self) -> bool {
        unreachable!("arrays are not compared")
    }
}
impl Eq for ArrayView<'_> {}
impl std::hash::Hash for ArrayView<'_> {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {
        unreachable!("arrays are not hashed")
    }
}

impl<'a> Value<'a> {
    fn of(value: &Bv) -> Value<'a> {
        match value.word() {
            Some(word) => Value::Word(word),
            None => Value::Wide(Rc::new(value.clone())),
        }
    }

    fn zero(width: u32) -> Value<'a> {
        if width <= 64 {
            Value::Word(0)
        } else {
            Value::Wide(Rc::new(Bv::zero(width)))
        }
    }

    fn bits(&self, width: u32) -> Bv {
        match self {
            Value::Word(word) => Bv::new(width, *word),
            Value::Wide(value) => (**value).clone(),
            Value::Array(_) => unreachable!("a bit-vector is expected"),
        }
    }

    fn word(&self) -> Option<u64> {
        match self {
            Value::Word(word) => Some(*word),
            Value::Wide(_) | Value::Array(_) => None,
        }
    }

    fn is_true(&self) -> bool {
        matches!(self, Value::Word(1))
    }
}

impl<'a> ArrayView<'a> {
    fn get(&self, index: &Value<'a>) -> Value<'a> {
        if let Some(value) = self.stored.get(index) {
            return value.clone();
        }
        match &self.base {
            Base::Everywhere(value) => (**value).clone(),
            Base::Symbol(_, array) => Value::of(array.get(&index.bits(self.index_bits))),
            Base::Table(table) => Value::Word(
                table.at(index
                    .word()
                    .expect("tables have indices of 64 bits at most")),
            ),
        }
    }
}

impl ArrayView<'_> {
    /// The run of the cell at a moving index: constant until the index reaches a cell with a value of its
    /// own.
    fn run_at(&self, index: Moving) -> LinearRun {
        let array = match &self.base {
            _ if !self.stored.is_empty() => return LinearRun::ONCE,
            Base::Everywhere(_) => return LinearRun::CONSTANT,
            Base::Table(_) => return LinearRun::ONCE,
            Base::Symbol(_, array) => array,
        };
        let here = Bv::new(self.index_bits, index.value);
        if array.entries.contains_key(&here) {
            return LinearRun::ONCE;
        }
        let length = runs::until_cell(self.index_bits, index, |direction| {
            let next = match direction {
                Direction::Up => array.entries.range((Excluded(&here), Unbounded)).next(),
                Direction::Down => array.entries.range(..&here).next_back(),
            };
            next.and_then(|(cell, _)| cell.to_u64())
        });
        LinearRun::constant_for(length)
    }
}

/// A quantifier or sum in one of its iterations.
#[derive(Default)]
struct Binder<'a> {
    iteration: u64,
    /// Values that depend on the iteration but on no binder further inside, with how they continue in
    /// the iterations that follow.
    values: Map<TermId, (Value<'a>, LinearRun)>,
}

/// The body of a binder as a program, with the values of what is the same in all iterations.
struct BoundBody<'a> {
    body: Rc<Body>,
    leaves: Vec<u64>,
    arrays: Vec<ArrayView<'a>>,
    room: Vec<u64>,
}

impl BoundBody<'_> {
    /// The value in one iteration.
    fn at(&mut self, iteration: u64) -> u64 {
        self.leaves[0] = iteration;
        let arrays = &self.arrays;
        let cells = |array: usize, index: u64| {
            let value = arrays[array].get(&Value::Word(index));
            value.word().expect("programs compute on words")
        };
        self.body.value(&self.leaves, &cells, &mut self.room)
    }
}

struct Evaluator<'a> {
    pool: &'a TermPool,
    assignment: &'a Assignment,
    /// Values of closed terms.
    closed: Map<TermId, Value<'a>>,
    /// The binders that are entered.
    binders: Vec<Binder<'a>>,
    iterations: u64,
    budget: u64,
    /// The cells that were read, on request; each iteration is then evaluated separately.
    reads: Option<RefCell<CellsRead>>,
}

/// Cells of arrays, by their indices.
pub type CellsRead = BTreeMap<SymbolId, BTreeSet<Bv>>;

impl TermPool {
    /// The value of a closed bit-vector term.
    ///
    /// # Errors
    /// [`EvalError::TooManyIterations`] when quantifiers or sums range over too many numbers;
    /// [`EvalError::Array`] when the term is an array.
    pub fn evaluate(&self, term: TermId, assignment: &Assignment) -> Result<Bv, EvalError> {
        self.evaluate_within(term, assignment, MAX_ITERATIONS)
    }

    /// [`TermPool::evaluate`] with an own limit for the iterations of all quantifiers and sums
    /// together.
    ///
    /// # Errors
    /// As [`TermPool::evaluate`].
    pub fn evaluate_within(
        &self,
        term: TermId,
        assignment: &Assignment,
        budget: u64,
    ) -> Result<Bv, EvalError> {
        let Sort::Bv(width) = self.sort(term) else {
            return Err(EvalError::Array);
        };
        let mut evaluator = Evaluator::new(self, assignment, budget);
        Ok(evaluator.value(term)?.bits(width))
    }

    /// The cells of arrays with a value that the values of closed bit-vector terms depend on.
    ///
    /// # Errors
    /// As [`TermPool::evaluate`]; iterations that read cells count one by one here.
    pub fn cells_read(
        &self,
        terms: &[TermId],
        assignment: &Assignment,
        budget: u64,
    ) -> Result<CellsRead, EvalError> {
        let mut evaluator = Evaluator::new(self, assignment, budget);
        evaluator.reads = Some(RefCell::default());
        for term in terms {
            evaluator.value(*term)?;
        }
        Ok(evaluator.reads.map(RefCell::into_inner).unwrap_or_default())
    }

    /// The first iterations in which the body of a closed universal quantifier fails, at most
    /// `most` and as many as are found within the budget; none: it holds.
    ///
    /// # Errors
    /// As [`TermPool::evaluate`], if not one was found within the budget.
    ///
    /// # Panics
    /// If the term is no universal quantifier.
    pub fn failing_iterations(
        &self,
        quantified: TermId,
        assignment: &Assignment,
        budget: u64,
        most: usize,
    ) -> Result<Vec<Bv>, EvalError> {
        let Some(TermData::ForAll { limit, body }) = self.data(quantified) else {
            unreachable!("a universal quantifier is asked about")
        };
        let mut evaluator = Evaluator::new(self, assignment, budget);
        evaluator.value(*limit)?;
        let mut found = Vec::new();
        let width = self.width(*limit);
        let end = evaluator.each_run(*limit, *body, |value, _, iterations| {
            if !value.is_true() {
                let left = most - found.len();
                found.extend(
                    iterations
                        .take(left)
                        .map(|iteration| Bv::new(width, iteration)),
                );
            }
            found.len() < most
        });
        match end {
            Err(error) if found.is_empty() => Err(error),
            _ => Ok(found),
        }
    }
}

impl<'a> Evaluator<'a> {
    fn new(pool: &'a TermPool, assignment: &'a Assignment, budget: u64) -> Evaluator<'a> {
        Evaluator {
            pool,
            assignment,
            closed: Map::default(),
            binders: Vec::new(),
            iterations: 0,
            budget,
            reads: None,
        }
    }

    /// Position of the binder in whose table a term's value is kept; `None`: the closed terms.
    ///
    /// The flags may name a nearer binder than the one the term depends on, whose table is cleared
    /// more often: that is right too.
    fn position(&self, term: TermId) -> Option<usize> {
        let index = self.pool.least_bound(term)? as usize;
        let innermost = self.binders.len().checked_sub(1)?;
        Some(innermost.saturating_sub(index))
    }

    fn keep(&mut self, term: TermId, value: Value<'a>, run: LinearRun) {
        self.pool.count_work(Work::EVALUATION);
        match self.position(term) {
            None => self.closed.insert(term, value).map(|_| ()),
            Some(position) => self.binders[position]
                .values
                .insert(term, (value, run))
                .map(|_| ()),
        };
    }

    fn known(&self, term: TermId) -> Option<&Value<'a>> {
        match self.position(term) {
            None => self.closed.get(&term),
            Some(position) => self.binders[position]
                .values
                .get(&term)
                .map(|(value, _)| value),
        }
    }

    /// How the value of an evaluated operand continues in the iterations of the binder at a position.
    fn run(&self, operand: TermId, position: usize) -> LinearRun {
        if self.pool.as_u64(operand).is_some() {
            return LinearRun::CONSTANT;
        }
        match self.position(operand) {
            Some(own) if own == position => {
                let (_, run) = self.binders[own]
                    .values
                    .get(&operand)
                    .expect("it is evaluated");
                *run
            }
            Some(own) if own > position => LinearRun::ONCE,
            Some(_) | None => LinearRun::CONSTANT,
        }
    }

    fn value(&mut self, root: TermId) -> Result<Value<'a>, EvalError> {
        let mut stack = vec![(root, false)];
        while let Some((term, operands_done)) = stack.pop() {
            if let Some(value) = self.pool.as_u64(term) {
                if term == root {
                    return Ok(Value::Word(value));
                }
                continue;
            }
            if self.known(term).is_some() {
                continue;
            }
            let Some(data) = self.pool.data(term) else {
                unreachable!("constants are above")
            };
            if let (TermData::ForAll { limit, body }, true) = (data, operands_done) {
                let value = self.for_all(*limit, *body)?;
                self.keep(term, Value::Word(u64::from(value)), LinearRun::ONCE);
                continue;
            }
            if let (TermData::SumBelow { limit, body }, true) = (data, operands_done) {
                let value = self.sum_below(*limit, *body)?;
                self.keep(term, value, LinearRun::ONCE);
                continue;
            }
            // Only the branch that counts.
            if let (TermData::Ite(c, t, e), true) = (data, operands_done) {
                let branch = if self.operand(*c).is_true() { *t } else { *e };
                if self.is_done(branch) {
                    let value = self.operand(branch);
                    let run = self.position(term).map_or(LinearRun::CONSTANT, |position| {
                        let chosen = self.run(branch, position);
                        chosen.at_most(self.run(*c, position).still())
                    });
                    self.keep(term, value, run);
                } else {
                    stack.push((term, true));
                    stack.push((branch, false));
                }
                continue;
            }
            if operands_done {
                let value = self.apply(term, data);
                let run = self.position(term).map_or(LinearRun::CONSTANT, |position| {
                    self.run_of(term, data, position)
                });
                self.keep(term, value, run);
                continue;
            }
            stack.push((term, true));
            match data {
                TermData::Ite(c, ..) => stack.push((*c, false)),
                TermData::ForAll { limit, .. } | TermData::SumBelow { limit, .. } => {
                    stack.push((*limit, false));
                }
                _ => self
                    .pool
                    .for_each_child(term, |child, _| stack.push((child, false))),
            }
        }
        Ok(self.operand(root))
    }

    fn is_done(&self, term: TermId) -> bool {
        self.pool.as_u64(term).is_some() || self.known(term).is_some()
    }

    fn operand(&self, term: TermId) -> Value<'a> {
        match self.pool.as_u64(term) {
            Some(value) => Value::Word(value),
            None => self
                .known(term)
                .expect("operands are evaluated first")
                .clone(),
        }
    }

    fn bits(&self, term: TermId) -> Bv {
        self.operand(term).bits(self.pool.width(term))
    }

    fn for_all(&mut self, limit: TermId, body: TermId) -> Result<bool, EvalError> {
        let mut holds = true;
        self.each_run(limit, body, |value, _, _| {
            holds = value.is_true();
            holds
        })?;
        Ok(holds)
    }

    fn sum_below(&mut self, limit: TermId, body: TermId) -> Result<Value<'a>, EvalError> {
        let width = self.pool.width(body);
        if width > 64 {
            let mut sum = Bv::zero(width);
            self.each_run(limit, body, |value, _, iterations| {
                let n_iterations = Bv::new(width, iterations.end - iterations.start);
                let part = Bv::binary(BinOp::Mul, &value.bits(width), &n_iterations);
                sum = Bv::binary(BinOp::Add, &sum, &part);
                true
            })?;
            return Ok(Value::of(&sum));
        }
        let mut word = 0u64;
        self.each_run(limit, body, |value, slope, iterations| {
            let value = value.word().expect("summands have at most 64 bits");
            let n_iterations = iterations.end - iterations.start;
            word = word.wrapping_add(runs::sum(value, slope, n_iterations));
            true
        })?;
        Ok(Value::Word(word & word::mask(width)))
    }

    /// Counts iterations against the budget.
    fn count_iterations(&mut self, n: u64) -> Result<(), EvalError> {
        if self.iterations >= self.budget {
            return Err(self.too_many());
        }
        self.iterations += n;
        Ok(())
    }

    fn too_many(&self) -> EvalError {
        EvalError::TooManyIterations {
            budget: self.budget,
        }
    }

    /// The values of a body for τ = 0, 1, … below the limit, until `visit` says false: the first of
    /// a run, its slope, which is 0 for truth values, and the iterations of the run.
    fn each_run(
        &mut self,
        limit: TermId,
        body: TermId,
        mut visit: impl FnMut(&Value<'a>, u64, Range<u64>) -> bool,
    ) -> Result<(), EvalError> {
        let limit = self.bits(limit).to_u64().ok_or_else(|| self.too_many())?;
        self.binders.push(Binder::default());
        let end = self.each_run_below(limit, body, &mut visit);
        self.binders.pop();
        end
    }

    /// The same below a number; the binder is entered.
    fn each_run_below(
        &mut self,
        limit: u64,
        body: TermId,
        visit: &mut impl FnMut(&Value<'a>, u64, Range<u64>) -> bool,
    ) -> Result<(), EvalError> {
        let position = self.binders.len() - 1;
        let program = match &self.reads {
            None => self.pool.body(body),
            Some(_) => None,
        };
        let mut bound = None;
        let mut block = 0;
        let mut tau = 0;
        while tau < limit {
            let left = limit - tau;
            let n = if left <= BLOCK { left } else { block.min(left) };
            if let (Some(program), 2..) = (&program, n) {
                self.count_iterations(n.div_ceil(AS_ONE))?;
                self.pool.count_work(program.work() * n);
                let bound = match &mut bound {
                    Some(bound) => bound,
                    none => none.insert(self.bound(Rc::clone(program))?),
                };
                for iteration in tau..tau + n {
                    let value = bound.at(iteration);
                    if !visit(&Value::Word(value), 0, iteration..iteration + 1) {
                        return Ok(());
                    }
                }
                tau += n;
                if tau == limit {
                    break;
                }
            }
            self.count_iterations(1)?;
            let binder = self.binders.last_mut().expect("entered by the caller");
            binder.iteration = tau;
            binder.values.clear();
            let value = self.value(body)?;
            let mut run = self.run(body, position);
            if self.pool.width(body) == 1 {
                run = LinearRun::constant_for(run.still());
            }
            let next = tau.saturating_add(run.length).min(limit);
            if !visit(&value, run.slope, tau..next) {
                break;
            }
            tau = next;
            block = if run.length == 1 {
                (2 * block).clamp(BLOCK, MOST_BLOCK)
            } else {
                0
            };
        }
        Ok(())
    }

    /// A program with the values of what is the same in all iterations of the innermost binder.
    fn bound(&mut self, body: Rc<Body>) -> Result<BoundBody<'a>, EvalError> {
        let mut leaves = vec![0];
        for part in &body.parts {
            let value = self.value(*part)?;
            leaves.push(value.word().expect("programs compute on words"));
        }
        let mut arrays = Vec::with_capacity(body.arrays.len());
        for array in &body.arrays {
            let Value::Array(array) = self.value(*array)? else {
                unreachable!("an array is expected")
            };
            arrays.push(array);
        }
        Ok(BoundBody {
            body,
            leaves,
            arrays,
            room: Vec::new(),
        })
    }

    /// How the value of a term continues in the iterations of a binder; its operands are evaluated.
    fn run_of(&self, term: TermId, data: &'a TermData, position: usize) -> LinearRun {
        let pool = self.pool;
        if let TermData::Bound(index) = data {
            let own = self.binders.len() - 1 - *index as usize;
            return if own == position {
                LinearRun {
                    slope: 1,
                    ..LinearRun::CONSTANT
                }
            } else {
                LinearRun::CONSTANT
            };
        }
        let mut is_still = true;
        let mut length = u64::MAX;
        pool.for_each_child(term, |child, _| {
            let run = self.run(child, position);
            is_still &= run.slope == 0;
            length = length.min(run.length);
        });
        if is_still {
            return LinearRun::constant_for(length);
        }
        let Sort::Bv(width) = pool.sort(term) else {
            return LinearRun::ONCE;
        };
        let moving = |operand: TermId| Moving {
            value: self.operand(operand).word().expect("what moves is a word"),
            run: self.run(operand, position),
        };
        let evenly = |slope: u64| LinearRun {
            slope: slope & word::mask(width),
            length,
        };
        match data {
            TermData::Sum { terms, .. } => evenly(terms.iter().fold(0, |slope: u64, (c, t)| {
                slope.wrapping_add(c.wrapping_mul(self.run(*t, position).slope))
            })),
            TermData::Not(a) => evenly(self.run(*a, position).slope.wrapping_neg()),
            TermData::Binary(BinOp::Mul, a, b) => {
                let (a, b) = (moving(*a), moving(*b));
                match (a.run.slope, b.run.slope) {
                    (slope, 0) => evenly(slope.wrapping_mul(b.value)),
                    (0, slope) => evenly(slope.wrapping_mul(a.value)),
                    _ => LinearRun::ONCE,
                }
            }
            TermData::Cast(CastOp::ZExt, a) => {
                runs::zero_extended(pool.width(*a), width, moving(*a))
            }
            TermData::Cast(CastOp::SExt, a) => {
                runs::sign_extended(pool.width(*a), width, moving(*a))
            }
            TermData::Cast(CastOp::Trunc, a) => {
                runs::extracted(pool.width(*a), 0, width, moving(*a))
            }
            TermData::Extract { low, of } => {
                runs::extracted(pool.width(*of), *low, width, moving(*of))
            }
            TermData::Concat { high, low } if width <= 64 => {
                let high = self.run(*high, position);
                runs::concatenated(width, pool.width(*low), high, moving(*low))
            }
            TermData::Compare(op, a, b) => {
                runs::compared(*op, pool.width(*a), moving(*a), moving(*b))
            }
            TermData::Select(array, index) => match self.operand(*array) {
                Value::Array(_) if self.reads.is_some() => LinearRun::ONCE,
                Value::Array(array) => array.run_at(moving(*index)).at_most(length),
                Value::Word(_) | Value::Wide(_) => unreachable!("an array is expected"),
            },
            _ => LinearRun::ONCE,
        }
    }

    fn symbol(&self, symbol: SymbolId) -> Value<'a> {
        match self.pool.symbol_sort(symbol) {
            Sort::Bv(width) => match self.assignment.bits(symbol) {
                Some(value) => {
                    assert_eq!(value.width(), width, "a value has the width of its symbol");
                    Value::of(value)
                }
                None => Value::zero(width),
            },
            Sort::Array { index, value } => {
                let base = match self.assignment.array(symbol) {
                    Some(array) => Base::Symbol(symbol, array),
                    None => Base::Everywhere(Box::new(Value::zero(value))),
                };
                Value::Array(ArrayView {
                    base,
                    stored: imbl::HashMap::new(),
                    index_bits: index,
                })
            }
        }
    }

    /// The value of a term whose operands are evaluated.
    fn apply(&self, term: TermId, data: &'a TermData) -> Value<'a> {
        let pool = self.pool;
        match data {
            TermData::Symbol(symbol) => self.symbol(*symbol),
            TermData::Constant(value) => Value::of(value),
            TermData::Bound(index) => {
                let position = self.binders.len() - 1 - *index as usize;
                Value::of(&Bv::new(pool.width(term), self.binders[position].iteration))
            }
            TermData::Sum { constant, terms } => {
                let sum = terms.iter().fold(*constant, |sum, (c, t)| {
                    let value = self
                        .operand(*t)
                        .word()
                        .expect("summands have at most 64 bits");
                    sum.wrapping_add(c.wrapping_mul(value))
                });
                Value::Word(sum & word::mask(pool.width(term)))
            }
            TermData::Binary(op, a, b) => self.binary(*op, *a, *b),
            TermData::Compare(op, a, b) => Value::Word(u64::from(self.compare(*op, *a, *b))),
            TermData::Not(a) => Value::of(&self.bits(*a).not()),
            TermData::Cast(op, a) => Value::of(&self.bits(*a).cast(*op, pool.width(term))),
            TermData::FloatBinary(op, a, b) => {
                let (x, y) = (self.float_word(*a), self.float_word(*b));
                Value::Word(float::binary(*op, pool.width(*a), x, y))
            }
            TermData::FloatCast(op, a) => {
                let (from, to) = (pool.width(*a), pool.width(term));
                Value::Word(float::cast(*op, from, to, self.float_word(*a)))
            }
            TermData::Extract { low, of } => {
                Value::of(&self.bits(*of).extract(*low, pool.width(term)))
            }
            TermData::Concat { high, low } => Value::of(&self.bits(*high).concat(&self.bits(*low))),
            TermData::Ite(..) | TermData::ForAll { .. } | TermData::SumBelow { .. } => {
                unreachable!("evaluated where their operands are chosen")
            }
            TermData::Power { base, exponent } => Value::of(&base.pow(&self.bits(*exponent))),
            TermData::Select(array, index) => match self.operand(*array) {
                Value::Array(array) => {
                    let index = self.operand(*index);
                    if let (Some(reads), Base::Symbol(symbol, _)) = (&self.reads, &array.base)
                        && !array.stored.contains_key(&index)
                    {
                        let index = index.bits(array.index_bits);
                        reads.borrow_mut().entry(*symbol).or_default().insert(index);
                    }
                    array.get(&index)
                }
                Value::Word(_) | Value::Wide(_) => unreachable!("an array is expected"),
            },
            TermData::Store(array, index, value) => match self.operand(*array) {
                Value::Array(mut array) => {
                    array
                        .stored
                        .insert(self.operand(*index), self.operand(*value));
                    Value::Array(array)
                }
                Value::Word(_) | Value::Wide(_) => unreachable!("an array is expected"),
            },
            TermData::Lambda(_) => unreachable!("a read of a comprehension is reduced at once"),
            TermData::ConstArray(value) => {
                let Sort::Array { index, .. } = pool.sort(term) else {
                    unreachable!("a constant array has an array sort")
                };
                Value::Array(ArrayView {
                    base: Base::Everywhere(Box::new(self.operand(*value))),
                    stored: imbl::HashMap::new(),
                    index_bits: index,
                })
            }
            TermData::Table(table) => {
                let Sort::Array { index, .. } = pool.sort(term) else {
                    unreachable!("a table has an array sort")
                };
                Value::Array(ArrayView {
                    base: Base::Table(table),
                    stored: imbl::HashMap::new(),
                    index_bits: index,
                })
            }
        }
    }

    fn binary(&self, op: BinOp, a: TermId, b: TermId) -> Value<'a> {
        let (x, y) = (self.operand(a), self.operand(b));
        let width = self.pool.width(a);
        match (x.word(), y.word()) {
            (Some(x), Some(y)) => Value::Word(word::binary(op, width, x, y)),
            _ => Value::of(&Bv::binary(op, &x.bits(width), &y.bits(width))),
        }
    }

    /// The bits of an operand of a float's operation, at most 64.
    fn float_word(&self, term: TermId) -> u64 {
        let value = self.operand(term).word();
        value.expect("floats and what becomes one have at most 64 bits")
    }

    fn compare(&self, op: CmpOp, a: TermId, b: TermId) -> bool {
        let (x, y) = (self.operand(a), self.operand(b));
        let width = self.pool.width(a);
        match (x.word(), y.word()) {
            (Some(x), Some(y)) => word::compare(op, width, x, y),
            _ => Bv::compare(op, &x.bits(width), &y.bits(width)),
        }
    }
}
