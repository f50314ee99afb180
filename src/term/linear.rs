//! Linear sums: Σ cᵢ·vᵢ + c, modulo 2^w ([`Linear`], the normal form of terms) and over the integers ([`LinearSum`]).

use super::bv::word;
use super::pool::TermData;
use super::{Interval, Sort, TermId, TermPool};
use num_integer::gcd;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Σ coefficient·variable + constant mod 2^width. Variables are terms, or whatever else has an order.
///
/// # Invariants
/// - `width` is 1..=64; all coefficients are in 1..2^width, the constant below 2^width.
/// - `terms` is sorted by variable, without repetition; no term is a sum or a constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Linear<V = TermId> {
    /// Bits.
    pub width: u32,
    /// The part without variables.
    pub constant: u64,
    /// Coefficient and variable.
    pub terms: Vec<(u64, V)>,
}

impl<V: Ord + Clone> Linear<V> {
    /// A constant.
    #[must_use]
    pub fn constant(width: u32, value: u64) -> Linear<V> {
        Linear {
            width,
            constant: value & word::mask(width),
            terms: Vec::new(),
        }
    }

    /// The value, when no term is left.
    #[must_use]
    pub fn as_constant(&self) -> Option<u64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The coefficient of a variable, 0 when it does not occur.
    #[must_use]
    pub fn coefficient(&self, variable: &V) -> u64 {
        match self.terms.binary_search_by_key(&variable, |(_, v)| v) {
            Ok(found) => self.terms[found].0,
            Err(_) => 0,
        }
    }

    /// self + factor·other.
    ///
    /// # Panics
    /// When the widths differ.
    #[must_use]
    pub fn add_scaled(&self, factor: u64, other: &Linear<V>) -> Linear<V> {
        assert_eq!(self.width, other.width, "summands have the same width");
        let mask = word::mask(self.width);
        let scaled = |c: u64| c.wrapping_mul(factor) & mask;
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let (coefficient, variable) = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some((c, t)), Some((d, u))) if t == u => {
                    left.next();
                    right.next();
                    (c.wrapping_add(scaled(*d)) & mask, t)
                }
                (Some((c, t)), right_term) if right_term.is_none_or(|(_, u)| t < u) => {
                    left.next();
                    (*c, t)
                }
                (_, Some((d, u))) => {
                    right.next();
                    (scaled(*d), u)
                }
                (Some(_), None) => unreachable!("the case before takes it"),
            };
            if coefficient != 0 {
                terms.push((coefficient, variable.clone()));
            }
        }
        let constant = self.constant.wrapping_add(scaled(other.constant)) & mask;
        Linear {
            width: self.width,
            constant,
            terms,
        }
    }

    /// self + other.
    #[must_use]
    pub fn add(&self, other: &Linear<V>) -> Linear<V> {
        self.add_scaled(1, other)
    }

    /// self − other.
    #[must_use]
    pub fn sub(&self, other: &Linear<V>) -> Linear<V> {
        self.add_scaled(u64::MAX, other)
    }

    /// factor·self.
    #[must_use]
    pub fn scale(&self, factor: u64) -> Linear<V> {
        Linear::constant(self.width, 0).add_scaled(factor, self)
    }
}

impl Linear {
    /// The coefficients read as signed numbers, which is the same modulo 2^width.
    pub(super) fn signed_terms(&self) -> impl Iterator<Item = (i64, TermId)> + '_ {
        self.terms
            .iter()
            .map(|(c, t)| (word::signed(self.width, *c), *t))
    }
}

/// Σ factor·variable + constant over the integers; `None` where a number leaves `i128`.
///
/// # Invariants
/// - No factor is 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinearSum<V> {
    constant: i128,
    terms: BTreeMap<V, i128>,
}

impl<V: Ord + Clone> LinearSum<V> {
    /// A number.
    #[must_use]
    pub fn constant(number: i128) -> LinearSum<V> {
        LinearSum {
            constant: number,
            terms: BTreeMap::new(),
        }
    }

    /// A variable.
    #[must_use]
    pub fn variable(variable: V) -> LinearSum<V> {
        LinearSum {
            constant: 0,
            terms: BTreeMap::from([(variable, 1)]),
        }
    }

    /// The part without variables.
    #[must_use]
    pub fn number(&self) -> i128 {
        self.constant
    }

    /// The value, when it has no variable.
    #[must_use]
    pub fn as_number(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// Factors by variable.
    #[must_use]
    pub fn terms(&self) -> &BTreeMap<V, i128> {
        &self.terms
    }

    /// The factor of a variable, 0 when it does not occur.
    #[must_use]
    pub fn factor(&self, variable: &V) -> i128 {
        self.terms.get(variable).copied().unwrap_or(0)
    }

    /// The only variable, and the integer at which the sum is 0.
    #[must_use]
    pub fn root(&self) -> Option<(&V, i128)> {
        let (variable, factor) = self.terms.first_key_value()?;
        let is_whole = self.constant % factor == 0;
        (self.terms.len() == 1 && is_whole).then(|| (variable, -(self.constant / factor)))
    }

    /// Adds a number.
    #[must_use]
    pub fn add_number(&mut self, number: i128) -> Option<()> {
        self.constant = self.constant.checked_add(number)?;
        Some(())
    }

    /// Adds factor·variable.
    #[must_use]
    pub fn add(&mut self, factor: i128, variable: V) -> Option<()> {
        match self.terms.entry(variable) {
            Entry::Vacant(new) if factor != 0 => {
                new.insert(factor);
            }
            Entry::Vacant(_) => {}
            Entry::Occupied(mut known) => match known.get().checked_add(factor)? {
                0 => {
                    known.remove();
                }
                sum => {
                    known.insert(sum);
                }
            },
        }
        Some(())
    }

    /// Adds factor·other.
    #[must_use]
    pub fn add_scaled(&mut self, factor: i128, other: &LinearSum<V>) -> Option<()> {
        self.add_number(other.constant.checked_mul(factor)?)?;
        let mut terms = other.terms.iter();
        terms.try_for_each(|(variable, own)| self.add(own.checked_mul(factor)?, variable.clone()))
    }

    /// self − other.
    #[must_use]
    pub fn minus(&self, other: &LinearSum<V>) -> Option<LinearSum<V>> {
        let mut difference = self.clone();
        difference.add_scaled(-1, other)?;
        Some(difference)
    }

    /// factor·self.
    #[must_use]
    pub fn scaled(&self, factor: i128) -> Option<LinearSum<V>> {
        let mut scaled = LinearSum::constant(0);
        scaled.add_scaled(factor, self)?;
        Some(scaled)
    }

    /// A divisor and Σ factor·variable whose product is this sum without its number: the first factor is positive,
    /// and all have no common divisor. `None` when there is no variable.
    #[must_use]
    pub fn primitive(&self) -> Option<(i128, LinearSum<V>)> {
        let divisor = self.terms.values().fold(0, |all, factor| gcd(all, *factor));
        let divisor = divisor * self.terms.values().next()?.signum();
        let terms = self.terms.iter();
        let terms = terms.map(|(variable, factor)| (variable.clone(), factor / divisor));
        let sum = LinearSum {
            constant: 0,
            terms: terms.collect(),
        };
        Some((divisor, sum))
    }

    /// The least value where variables have these intervals; `None` too where one has no least value.
    #[must_use]
    pub fn least(&self, of: &dyn Fn(&V) -> Option<Interval>) -> Option<i128> {
        let mut terms = self.terms.iter();
        terms.try_fold(self.constant, |sum, (variable, factor)| {
            let interval = of(variable)?;
            let end = if *factor > 0 {
                interval.least()
            } else {
                interval.greatest()
            };
            sum.checked_add(end?.checked_mul(*factor)?)
        })
    }

    /// The greatest value where variables have these intervals; `None` too where one has no greatest value.
    #[must_use]
    pub fn greatest(&self, of: &dyn Fn(&V) -> Option<Interval>) -> Option<i128> {
        self.scaled(-1)?.least(of)?.checked_neg()
    }
}

impl TermPool {
    /// The linear normal form of a term.
    ///
    /// ```
    /// use compact_se_term::{Sort, TermPool};
    /// let mut pool = TermPool::new();
    /// let x = pool.fresh("x", Sort::Bv(32));
    /// let two = pool.bv(32, 2);
    /// let sum = pool.add(x, two);
    /// let three = pool.bv(32, 3);
    /// let product = pool.mul(three, sum);
    /// let linear = pool.linear(product);
    /// assert_eq!((linear.coefficient(&x), linear.constant), (3, 6));
    /// ```
    ///
    /// # Panics
    /// When the term is an array or wider than 64 bits.
    #[must_use]
    pub fn linear(&self, term: TermId) -> Linear {
        let width = self.width(term);
        assert!(width <= 64, "linear forms have at most 64 bits");
        if let Some(value) = self.as_u64(term) {
            return Linear::constant(width, value);
        }
        match self.data(term) {
            Some(TermData::Sum { constant, terms }) => Linear {
                width,
                constant: *constant,
                terms: terms.to_vec(),
            },
            _ => Linear {
                width,
                constant: 0,
                terms: vec![(1, term)],
            },
        }
    }

    /// The term of a linear form. The form may break the invariants of [`Linear`]: terms may
    /// repeat, stand in any order, be sums or constants, and numbers may exceed the width.
    ///
    /// # Panics
    /// When a term's width is not that of the form.
    pub fn from_linear(&mut self, linear: &Linear) -> TermId {
        self.sum_of(linear.width, linear.constant, linear.terms.iter().copied())
    }

    /// constant + Σ coefficient·term mod 2^width, for any terms of this width (at most 64).
    pub(super) fn sum_of(
        &mut self,
        width: u32,
        constant: u64,
        terms: impl Iterator<Item = (u64, TermId)>,
    ) -> TermId {
        let mask = word::mask(width);
        let mut total = constant;
        let mut parts: Vec<(u64, TermId)> = Vec::new();
        for (coefficient, term) in terms {
            assert_eq!(self.width(term), width, "summands have the same width");
            if let Some(value) = self.as_u64(term) {
                total = total.wrapping_add(coefficient.wrapping_mul(value));
            } else if let Some(TermData::Sum { constant, terms }) = self.data(term) {
                total = total.wrapping_add(coefficient.wrapping_mul(*constant));
                parts.extend(terms.iter().map(|(c, t)| (c.wrapping_mul(coefficient), *t)));
            } else {
                parts.push((coefficient, term));
            }
        }
        parts.sort_by_key(|(_, t)| *t);
        parts.dedup_by(|later, kept| {
            let same = later.1 == kept.1;
            if same {
                kept.0 = kept.0.wrapping_add(later.0);
            }
            same
        });
        parts.iter_mut().for_each(|(c, _)| *c &= mask);
        parts.retain(|(c, _)| *c != 0);
        self.sum_term(width, total & mask, parts)
    }

    /// The term of a form that already fulfils the invariants of [`Linear`].
    pub(super) fn linear_term(&mut self, linear: Linear) -> TermId {
        self.sum_term(linear.width, linear.constant, linear.terms)
    }

    fn sum_term(&mut self, width: u32, constant: u64, terms: Vec<(u64, TermId)>) -> TermId {
        match terms.as_slice() {
            [] => self.bv(width, constant),
            [(1, term)] if constant == 0 => *term,
            _ if width == 1 => {
                // At width 1 there are no sums: addition is exclusive or, every coefficient is 1.
                let mut result = self.bv(1, constant);
                for (_, term) in terms {
                    result = self.xor(result, term);
                }
                result
            }
            _ => {
                let terms = terms.into_boxed_slice();
                self.intern(TermData::Sum { constant, terms }, Sort::Bv(width))
            }
        }
    }
}
