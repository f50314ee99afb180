//! Bytes as digits: the contribution of each to a sum, and the proof that every number between the least and
//! the greatest sum occurs.

use super::set;
use crate::elements::Element;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;
use term::{Assignment, TermId, TermPool, Work};

/// The value of a term for each value of the one byte that it is about.
type Table = Rc<[u64; 256]>;

/// Tables that are remembered before all are forgotten.
const MAX_REMEMBERED: usize = 1 << 14;

/// The tables of the terms that were requested.
#[derive(Default)]
pub(super) struct Tables {
    known: FxHashMap<TermId, Option<Table>>,
}

impl Tables {
    /// The table of a term of at most 64 bits about one byte; `None` where it cannot be evaluated.
    fn get(&mut self, pool: &mut TermPool, byte: Element, term: TermId) -> Option<Table> {
        if self.known.len() > MAX_REMEMBERED {
            self.known.clear();
        }
        let known = self.known.entry(term);
        known.or_insert_with(|| table(pool, byte, term)).clone()
    }

    /// The values of a byte that satisfy these conjuncts about it.
    pub fn allowed(&mut self, pool: &mut TermPool, byte: Element, conjuncts: &[TermId]) -> Vec<u8> {
        let mut allowed: Vec<u8> = (0..=u8::MAX).collect();
        for conjunct in conjuncts {
            // One that cannot be evaluated allows nothing, and so no digits.
            match self.get(pool, byte, *conjunct) {
                Some(table) => allowed.retain(|value| table[usize::from(*value)] == 1),
                None => allowed.clear(),
            }
        }
        allowed
    }

    /// Σ factor·term for each allowed value of a byte, modulo 2^width.
    fn contributions(
        &mut self,
        pool: &mut TermPool,
        byte: Element,
        allowed: &[u8],
        terms: &[(u64, TermId)],
        mask: u64,
    ) -> Option<Vec<u64>> {
        let mut sums = vec![0_u64; allowed.len()];
        for (factor, term) in terms {
            let table = self.get(pool, byte, *term)?;
            for (sum, value) in sums.iter_mut().zip(allowed) {
                *sum = sum.wrapping_add(factor.wrapping_mul(table[usize::from(*value)])) & mask;
            }
        }
        Some(sums)
    }
}

fn table(pool: &mut TermPool, byte: Element, term: TermId) -> Option<Table> {
    pool.count_work(Work::EVALUATION * 256);
    let mut table = [0; 256];
    for (value, entry) in (0..=u8::MAX).zip(&mut table) {
        let mut assignment = Assignment::new();
        set(pool, &mut assignment, byte, value);
        *entry = pool.evaluate(term, &assignment).ok()?.to_u64()?;
    }
    Some(Rc::new(table))
}

/// One byte: its value adds step·position to the sum.
struct Digit {
    byte: Element,
    /// A value for each position.
    values: Vec<u8>,
    /// The position of each allowed value.
    positions: Vec<(u8, u64)>,
    step: u128,
}

/// Bytes that make each of the numbers 0 to `most`, if each is free within its range.
pub(super) struct Digits {
    /// By their steps, the smallest one first, which is 1.
    digits: Vec<Digit>,
    allowed: BTreeMap<Element, Vec<u8>>,
    most: u128,
}

impl Digits {
    /// The bytes of a sum as digits; `None` where some number cannot be made.
    pub fn of(
        pool: &mut TermPool,
        tables: &mut Tables,
        allowed: &BTreeMap<Element, Vec<u8>>,
        sum: &BTreeMap<Element, Vec<(u64, TermId)>>,
        width: u32,
    ) -> Option<Digits> {
        let mask = mask(width);
        let mut digits = Vec::new();
        for (byte, terms) in sum {
            let values = &allowed[byte];
            let sums = tables.contributions(pool, *byte, values, terms, mask)?;
            digits.push(digit(*byte, values, &sums, mask)?);
        }
        digits.sort_by_key(|digit| digit.step);
        // A byte of one value has no step.
        let unit = digits
            .iter()
            .map(|digit| digit.step)
            .find(|step| *step > 0)?;
        let mut most = 0_u128;
        for digit in &mut digits {
            if digit.step % unit != 0 || digit.step / unit > most + 1 {
                return None;
            }
            digit.step /= unit;
            let greatest = digit.step.checked_mul(digit.values.len() as u128 - 1)?;
            most = most.checked_add(greatest)?;
        }
        Some(Digits {
            digits,
            allowed: allowed.clone(),
            most,
        })
    }

    /// A sum of the same bytes as first + factor·number, modulo 2^width.
    pub fn as_multiple(
        &self,
        pool: &mut TermPool,
        tables: &mut Tables,
        sum: &BTreeMap<Element, Vec<(u64, TermId)>>,
        width: u32,
    ) -> Option<(u64, u64)> {
        let mask = mask(width);
        let mut first = 0_u64;
        let mut factor = None;
        for digit in &self.digits {
            let allowed = &self.allowed[&digit.byte];
            let sums = tables.contributions(pool, digit.byte, allowed, &sum[&digit.byte], mask)?;
            let at = |position: u64| {
                let of = digit.positions.iter().position(|(_, it)| *it == position);
                of.map(|index| sums[index])
            };
            let start = at(0)?;
            if factor.is_none() && digit.step == 1 {
                factor = Some(at(1)?.wrapping_sub(start) & mask);
            }
            let by = factor.unwrap_or(0).wrapping_mul(low_word(digit.step));
            let is_multiple = digit
                .positions
                .iter()
                .zip(&sums)
                .all(|((_, position), sum)| {
                    start.wrapping_add(by.wrapping_mul(*position)) & mask == *sum
                });
            if !is_multiple {
                return None;
            }
            first = first.wrapping_add(start) & mask;
        }
        Some((first, factor?))
    }

    /// The greatest number.
    pub fn most(&self) -> u128 {
        self.most
    }

    /// Bits for all numbers: those of the sum, if they are enough.
    pub fn width(&self, of_sum: u32) -> u32 {
        of_sum.max(u128::BITS - self.most.leading_zeros())
    }

    /// Whether each value of so many bits is one of the numbers.
    pub fn fills(&self, width: u32) -> bool {
        width < u128::BITS && self.most == (1 << width) - 1
    }

    /// Whether it is one of the bytes.
    pub fn has(&self, byte: Element) -> bool {
        self.allowed.contains_key(&byte)
    }

    /// Whether it is one of the bytes, or an array as a whole that has one of them.
    pub fn mentions(&self, element: Element) -> bool {
        match element {
            Element::Whole(symbol) => (self.allowed.keys()).any(|byte| byte.symbol() == symbol),
            Element::Cell(..) => self.has(element),
        }
    }

    /// The bytes' values that make a number.
    pub fn written(&self, number: u128) -> Vec<(Element, u8)> {
        let mut rest = number.min(self.most);
        let mut written = Vec::new();
        for digit in self.digits.iter().rev() {
            let most = digit.values.len() - 1;
            let position = match rest.checked_div(digit.step) {
                Some(position) => usize::try_from(position).map_or(most, |it| it.min(most)),
                None => 0,
            };
            rest -= digit.step * position as u128;
            written.push((digit.byte, digit.values[position]));
        }
        written
    }
}

/// A byte whose contributions are linearly spaced: in the order of its values, or in their own.
fn digit(byte: Element, values: &[u8], sums: &[u64], mask: u64) -> Option<Digit> {
    let signed = |sum: u64| (sum << mask.leading_zeros()).cast_signed() >> mask.leading_zeros();
    let mut by_value: Vec<(u64, u8)> = sums.iter().copied().zip(values.iter().copied()).collect();
    by_value.dedup_by_key(|(sum, _)| *sum);
    let mut by_sum: Vec<(u64, u8)> = sums.iter().copied().zip(values.iter().copied()).collect();
    by_sum.sort_unstable();
    by_sum.dedup_by_key(|(sum, _)| *sum);
    let mut by_signed_sum = by_sum.clone();
    by_signed_sum.sort_by_key(|(sum, _)| signed(*sum));
    let orders = [by_value, by_sum, by_signed_sum].into_iter();
    let (mut order, mut step) = orders
        .filter_map(|order| step(&order, mask).map(|step| (order, step)))
        .next()?;
    if step > mask / 2 {
        order.reverse();
        step = step.wrapping_neg() & mask;
    }
    let mut positions = Vec::new();
    for (value, sum) in values.iter().zip(sums) {
        let position = order.iter().position(|(of, _)| of == sum)?;
        positions.push((*value, position as u64));
    }
    Some(Digit {
        byte,
        values: order.into_iter().map(|(_, value)| value).collect(),
        positions,
        step: step.into(),
    })
}

/// The difference between neighbours; 0 for a single one.
fn step(order: &[(u64, u8)], mask: u64) -> Option<u64> {
    let differences = |pair: &[(u64, u8)]| pair[1].0.wrapping_sub(pair[0].0) & mask;
    let mut all = order.windows(2).map(differences);
    let Some(step) = all.next() else {
        return (!order.is_empty()).then_some(0);
    };
    all.all(|other| other == step).then_some(step)
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

fn low_word(value: u128) -> u64 {
    #[expect(clippy::cast_possible_truncation, reason = "the sum is modulo 2^64")]
    let low = value as u64;
    low
}
