//! Abstraction of numbers that are read digit by digit.
//!
//! A number parsed from a text is Σ wᵢ·dᵢ, for bytes that are mostly constrained to be digits only.
//! Bit-blasting this sum is expensive. If each digit is free within its range, the sum takes every value from
//! 0 to the greatest one: it becomes a symbol with a range, and the digits follow from its value.
//!
//! ```text
//! conjuncts --bytes and their ranges--> sums of these bytes --one symbol κ, κ ≤ most--> below --digits of κ--> answer
//! ```
//!
//! # Invariants
//! - A numeral is replaced only if its bytes occur only in conjuncts about one byte each, and in sums that
//!   are multiples of it. The query passed below is then equisatisfiable.
//! - *Satisfiable* comes with bytes that the evaluator has confirmed.
//!
//! # Deliberately absent
//! No texts, no base: any bytes whose contributions are linearly spaced and leave no gaps between them.

mod digits;
#[cfg(test)]
mod tests;

use super::elements::{Element, ElementsOf};
use super::{Answer, LinkStatistics, Query, Solver, confirms};
use digits::{Digits, Tables};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::rc::Rc;
use term::{ArrayValue, Assignment, Bv, CastOp, CmpOp, Linear, Sort, Term, TermId, TermPool, Work};

/// Sums of fewer bytes are decided bit by bit.
const FEWEST_DIGITS: usize = 4;

/// Queries with more different terms are passed on.
const MOST_TERMS: usize = 5_000;

/// See the module's head.
pub struct Numerals {
    below: Box<dyn Solver>,
    elements: ElementsOf,
    tables: Tables,
    /// The symbols that stand for numbers, by a sum and a width.
    numbers: FxHashMap<(TermId, u32), TermId>,
    statistics: LinkStatistics,
}

/// A number in the place of sums of bytes.
struct Numeral {
    number: TermId,
    digits: Digits,
}

/// The conjuncts about one byte, and all others.
struct Split {
    of_one: Vec<(Element, TermId)>,
    others: Vec<TermId>,
}

/// A sum, as its part for each byte and the rest.
struct ByBytes {
    sum: TermId,
    bytes: BTreeMap<Element, Vec<(u64, TermId)>>,
    rest: Linear,
}

impl Numerals {
    /// Asks `below` about numbers.
    #[must_use]
    pub fn new(below: Box<dyn Solver>) -> Numerals {
        Numerals {
            below,
            elements: ElementsOf::default(),
            tables: Tables::default(),
            numbers: FxHashMap::default(),
            statistics: LinkStatistics::new("numerals"),
        }
    }

    fn answer(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        let Some((conjuncts, numerals)) = self.with_numbers(pool, query.conjuncts) else {
            return self.below.check(pool, query);
        };
        match self.below.check(pool, &query.about(&conjuncts)) {
            Answer::Unsat(_) => {
                self.statistics.hits += 1;
                return Answer::Unsat(None);
            }
            Answer::Sat(model) => {
                let mut model = (*model).clone();
                for numeral in &numerals {
                    write_out(pool, numeral, &mut model);
                }
                if confirms(pool, query.conjuncts, &model) {
                    self.statistics.hits += 1;
                    return Answer::Sat(Rc::new(model));
                }
            }
            Answer::Unknown(_) => {}
        }
        self.below.check(pool, query)
    }

    /// The query with numbers in the places of sums of bytes; `None` where it has none.
    fn with_numbers(
        &mut self,
        pool: &mut TermPool,
        conjuncts: &[TermId],
    ) -> Option<(Vec<TermId>, Vec<Numeral>)> {
        let mut split = self.split(pool, conjuncts)?;
        let mut numerals = Vec::new();
        let mut ranges = Vec::new();
        for group in self.groups(pool, &split.others) {
            let Some((numeral, replaced, range)) = self.numeral(pool, &split, &group) else {
                continue;
            };
            split.others = replaced;
            ranges.extend(range);
            numerals.push(numeral);
        }
        if numerals.is_empty() {
            return None;
        }
        let is_written = |byte: &Element| numerals.iter().any(|one| one.digits.has(*byte));
        let left = (split.of_one.iter()).filter(|(byte, _)| !is_written(byte));
        let mut all: Vec<TermId> = left.map(|(_, conjunct)| *conjunct).collect();
        all.extend(split.others);
        all.extend(ranges);
        Some((all, numerals))
    }

    /// `None` where no conjunct is about several bytes, or one has a binder.
    fn split(&mut self, pool: &mut TermPool, conjuncts: &[TermId]) -> Option<Split> {
        pool.count_work(Work::CONJUNCT * conjuncts.len() as u64);
        let (mut of_one, mut others) = (Vec::new(), Vec::new());
        let mut has_many = false;
        for conjunct in conjuncts {
            if pool.has_quantifier(*conjunct) || pool.has_sum(*conjunct) {
                return None;
            }
            match *self.elements.get(pool, *conjunct).all {
                [byte] if is_byte(pool, byte) => of_one.push((byte, *conjunct)),
                ref all => {
                    has_many |= all.len() >= FEWEST_DIGITS;
                    others.push(*conjunct);
                }
            }
        }
        has_many.then_some(Split { of_one, others })
    }

    /// The sums of several bytes in conjuncts, those of the same bytes together.
    fn groups(&mut self, pool: &mut TermPool, conjuncts: &[TermId]) -> Vec<Vec<ByBytes>> {
        let mut groups: BTreeMap<Vec<Element>, Vec<ByBytes>> = BTreeMap::new();
        let mut seen = FxHashSet::default();
        let mut pending: Vec<TermId> = conjuncts.to_vec();
        while let Some(term) = pending.pop() {
            if !seen.insert(term) {
                continue;
            }
            if seen.len() > MOST_TERMS {
                return Vec::new();
            }
            pool.count_work(Work::EVALUATION);
            if let Some(sum) = self.by_bytes(pool, term) {
                pending.extend(sum.rest.terms.iter().map(|(_, term)| *term));
                let bytes = sum.bytes.keys().copied().collect();
                groups.entry(bytes).or_default().push(sum);
            } else {
                pool.for_each_operand(term, |operand| pending.push(operand));
            }
        }
        let mut groups: Vec<Vec<ByBytes>> = groups.into_values().collect();
        for group in &mut groups {
            group.sort_by_key(|sum| (std::cmp::Reverse(sum.rest.width), sum.sum));
        }
        groups
    }

    /// A term as a sum of enough bytes.
    fn by_bytes(&mut self, pool: &mut TermPool, sum: TermId) -> Option<ByBytes> {
        let Term::Sum { constant, terms } = pool.view(sum) else {
            return None;
        };
        if terms.len() < FEWEST_DIGITS {
            return None;
        }
        let mut rest = Linear::constant(pool.width(sum), constant);
        let terms = terms.to_vec();
        let mut bytes: BTreeMap<Element, Vec<(u64, TermId)>> = BTreeMap::new();
        for (factor, term) in terms {
            match *self.elements.get(pool, term).all {
                [byte] if is_byte(pool, byte) => {
                    bytes.entry(byte).or_default().push((factor, term));
                }
                _ => rest.terms.push((factor, term)),
            }
        }
        (bytes.len() >= FEWEST_DIGITS).then_some(ByBytes { sum, bytes, rest })
    }

    /// A number for these sums, the conjuncts with it in their places, and its range.
    fn numeral(
        &mut self,
        pool: &mut TermPool,
        split: &Split,
        group: &[ByBytes],
    ) -> Option<(Numeral, Vec<TermId>, Option<TermId>)> {
        let mut allowed = BTreeMap::new();
        for byte in group[0].bytes.keys() {
            let about = split.of_one.iter().filter(|(other, _)| other == byte);
            let about: Vec<TermId> = about.map(|(_, conjunct)| *conjunct).collect();
            allowed.insert(*byte, self.tables.allowed(pool, *byte, &about));
        }
        let (digits, base) = group.iter().find_map(|base| {
            let digits = Digits::of(
                pool,
                &mut self.tables,
                &allowed,
                &base.bytes,
                base.rest.width,
            );
            Some((digits?, base))
        })?;
        let width = digits.width(base.rest.width);
        let number = self.numbers.entry((base.sum, width));
        let number = *number.or_insert_with(|| pool.fresh("number", Sort::Bv(width)));
        let mut places = BTreeMap::new();
        for sum in group {
            let (first, factor) =
                digits.as_multiple(pool, &mut self.tables, &sum.bytes, sum.rest.width)?;
            places.insert(sum.sum, in_place(pool, number, (first, factor), &sum.rest));
        }
        let replaced: Vec<TermId> = (split.others.iter())
            .map(|conjunct| pool.replace_closed(*conjunct, &places))
            .collect();
        for conjunct in &replaced {
            let mut left = self.elements.get(pool, *conjunct).all.iter();
            if left.any(|element| digits.mentions(*element)) {
                return None;
            }
        }
        let most = pool.constant(&Bv::from_biguint(width, &digits.most().into()));
        let range = (!digits.fills(width)).then(|| pool.compare(CmpOp::Ule, number, most));
        Some((Numeral { number, digits }, replaced, range))
    }
}

/// first + factor·number + rest.
fn in_place(
    pool: &mut TermPool,
    number: TermId,
    (first, factor): (u64, u64),
    rest: &Linear,
) -> TermId {
    let number = match pool.width(number) {
        wider if wider > rest.width => pool.extract(0, rest.width, number),
        width if width < rest.width => pool.cast(CastOp::ZExt, rest.width, number),
        _ => number,
    };
    let mut sum = rest.clone();
    sum.constant = sum.constant.wrapping_add(first);
    sum.terms.push((factor, number));
    pool.from_linear(&sum)
}

fn is_byte(pool: &TermPool, element: Element) -> bool {
    match (element, pool.symbol_sort(element.symbol())) {
        (Element::Whole(_), Sort::Bv(width)) => width == 8,
        (Element::Cell(..), Sort::Array { value, .. }) => value == 8,
        _ => false,
    }
}

/// Gives the bytes of a numeral the values that make its number.
fn write_out(pool: &TermPool, numeral: &Numeral, model: &mut Assignment) {
    let symbol = pool.as_symbol(numeral.number).expect("numbers are symbols");
    let number = model.bits(symbol).map_or(0, number_of);
    for (byte, value) in numeral.digits.written(number) {
        set(pool, model, byte, value);
    }
}

fn number_of(bits: &Bv) -> u128 {
    bits.to_biguint().try_into().unwrap_or(u128::MAX)
}

/// Gives a byte a value.
fn set(pool: &TermPool, assignment: &mut Assignment, byte: Element, value: u8) {
    let value = Bv::new(8, u64::from(value));
    match byte {
        Element::Whole(symbol) => assignment.set(symbol, value),
        Element::Cell(symbol, index) => {
            let index = pool.as_const(index).expect("cells have constant indices");
            let zeros = || ArrayValue::constant(Bv::zero(8));
            let mut array = assignment.array(symbol).cloned().unwrap_or_else(zeros);
            array.entries.insert(index, value);
            assignment.set_array(symbol, array);
        }
    }
}

counted_link!(Numerals);
