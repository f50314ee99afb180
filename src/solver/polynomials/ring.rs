//! Polynomials modulo 2^w.

use std::collections::BTreeMap;
use term::word;

/// An indeterminate, by number.
pub(super) type Atom = u32;

/// A product of powers of atoms, sorted by atom; empty for 1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct Monomial(Vec<(Atom, u32)>);

impl Monomial {
    pub fn atom(atom: Atom) -> Monomial {
        Monomial(vec![(atom, 1)])
    }

    pub fn is_one(&self) -> bool {
        self.0.is_empty()
    }

    /// The power of an atom.
    pub fn power(&self, atom: Atom) -> u32 {
        let found = self.0.iter().find(|(one, _)| *one == atom);
        found.map_or(0, |(_, power)| *power)
    }

    /// The atom, if it is no more than that.
    pub fn as_atom(&self) -> Option<Atom> {
        match self.0.as_slice() {
            [(atom, 1)] => Some(*atom),
            _ => None,
        }
    }

    pub fn times(&self, other: &Monomial) -> Monomial {
        let mut product = self.0.clone();
        for (atom, power) in &other.0 {
            match product.iter_mut().find(|(one, _)| one == atom) {
                Some((_, known)) => *known += power,
                None => product.push((*atom, *power)),
            }
        }
        product.sort_unstable();
        Monomial(product)
    }

    /// Without an atom.
    pub fn without(&self, atom: Atom) -> Monomial {
        let others = self.0.iter().filter(|(one, _)| *one != atom);
        Monomial(others.copied().collect())
    }

    /// What is left of it where it is a multiple of `divisor`.
    pub fn over(&self, divisor: &Monomial) -> Option<Monomial> {
        let mut quotient = self.0.clone();
        for (atom, power) in &divisor.0 {
            let (_, left) = quotient.iter_mut().find(|(one, _)| one == atom)?;
            *left = left.checked_sub(*power)?;
        }
        quotient.retain(|(_, power)| *power > 0);
        Some(Monomial(quotient))
    }
}

/// A polynomial over ℤ/2^w, w in 1..=64; no coefficient is zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Polynomial {
    width: u32,
    terms: BTreeMap<Monomial, u64>,
}

impl Polynomial {
    pub fn zero(width: u32) -> Polynomial {
        Polynomial {
            width,
            terms: BTreeMap::new(),
        }
    }

    pub fn constant(width: u32, value: u64) -> Polynomial {
        Polynomial::zero(width).plus(Monomial::default(), value)
    }

    pub fn atom(width: u32, atom: Atom) -> Polynomial {
        Polynomial::zero(width).plus(Monomial::atom(atom), 1)
    }

    pub fn terms(&self) -> &BTreeMap<Monomial, u64> {
        &self.terms
    }

    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    pub fn n_terms(&self) -> usize {
        self.terms.len()
    }

    fn plus(mut self, monomial: Monomial, coefficient: u64) -> Polynomial {
        self.add_term(monomial, coefficient);
        self
    }

    fn add_term(&mut self, monomial: Monomial, coefficient: u64) {
        let mask = u64::MAX >> (64 - self.width);
        let old = self.terms.get(&monomial).copied().unwrap_or(0);
        let sum = old.wrapping_add(coefficient) & mask;
        if sum == 0 {
            self.terms.remove(&monomial);
        } else {
            self.terms.insert(monomial, sum);
        }
    }

    /// Adds `factor`·`monomial`·`other`.
    pub fn add(&mut self, factor: u64, monomial: &Monomial, other: &Polynomial) {
        for (one, coefficient) in &other.terms {
            self.add_term(one.times(monomial), coefficient.wrapping_mul(factor));
        }
    }

    pub fn times(&self, other: &Polynomial) -> Polynomial {
        let mut product = Polynomial::zero(self.width);
        for (monomial, coefficient) in &self.terms {
            product.add(*coefficient, monomial, other);
        }
        product
    }

    pub fn scaled(&self, factor: u64) -> Polynomial {
        let mut scaled = Polynomial::zero(self.width);
        scaled.add(factor, &Monomial::default(), self);
        scaled
    }

    pub fn has(&self, atom: Atom) -> bool {
        self.terms.keys().any(|monomial| monomial.power(atom) > 0)
    }

    /// An atom that equals a polynomial over the others where this polynomial is 0: its monomial has
    /// an odd coefficient, and it is in no other. Of several the one with the largest number.
    pub fn solved(&self) -> Option<(Atom, Polynomial)> {
        let mut candidates: Vec<(Atom, u64)> = (self.terms.iter())
            .filter(|(_, coefficient)| *coefficient % 2 == 1)
            .filter_map(|(monomial, coefficient)| Some((monomial.as_atom()?, *coefficient)))
            .collect();
        candidates.sort_unstable();
        while let Some((atom, coefficient)) = candidates.pop() {
            let mut rest = self.clone();
            rest.terms.remove(&Monomial::atom(atom));
            if !rest.has(atom) {
                return Some((atom, rest.scaled(word::inverse(coefficient).wrapping_neg())));
            }
        }
        None
    }

    /// With a polynomial for an atom; `None` where that has more than `most` terms.
    pub fn substituted(&self, atom: Atom, by: &Polynomial, most: usize) -> Option<Polynomial> {
        let mut found = Polynomial::zero(self.width);
        let mut powers = vec![Polynomial::constant(self.width, 1)];
        for (monomial, coefficient) in &self.terms {
            let power = monomial.power(atom) as usize;
            while powers.len() <= power {
                let next = powers[powers.len() - 1].times(by);
                powers.push(next);
            }
            found.add(*coefficient, &monomial.without(atom), &powers[power]);
            if found.n_terms() > most || powers[power].n_terms() > most {
                return None;
            }
        }
        Some(found)
    }
}
