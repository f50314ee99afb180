//! Equations between polynomials that the states of executions have in common.
//!
//! Monomials are looked at by degree. One whose values at the states are a linear combination of those of
//! smaller ones is the leading monomial of an equation; its multiples need not be looked at. The others
//! are standard. Computed modulo a prime, coefficients are read as small fractions.
//!
//! # Invariants
//! - An equation is a guess; it is written modulo the size of a word, so that whether it is kept is
//!   ring arithmetic, wrap-around included.
//!
//! # Source
//! Möller, Buchberger, *The Construction of Multivariate Polynomials with Preassigned Zeros*, EUROCAM
//! 1982.

use super::check::Guess;
use super::sample::Samples;
use super::system::System;
use num_bigint::BigInt;
use num_integer::gcd;
use solver::horn::{Formula, Operator};
use std::rc::Rc;
use term::{TermPool, Work};

/// 2^61 − 1.
const PRIME: i128 = (1 << 61) - 1;
/// No monomial has a larger degree.
const MOST_DEGREE: usize = 6;
/// No more monomials are looked at.
const MOST_MONOMIALS: usize = 220;
/// No more states are looked at.
const MOST_STATES: usize = 160;
/// Work for a number, in linear combinations. Measured: 3 ns.
const NUMBER: Work = Work::units(3);
/// Larger coefficients are chance.
const LARGEST: i128 = 1 << 20;
/// So many states more than standard monomials, or equations are chance.
const SURPLUS: usize = 8;
/// No more equations of a predicate.
const MOST_EQUATIONS: usize = 24;

/// Parameters that equations are about.
const MOST_PARAMETERS: usize = 10;

/// What the early states of each predicate have in common, modulo the words that the program computes
/// with; first what is quadratic at most, then all.
pub(super) fn polynomial_candidates(
    pool: &TermPool,
    system: &System,
    samples: &Samples,
) -> [Guess; 2] {
    let widest = system.widest_product().unwrap_or(0);
    let each = system.predicates.iter().zip(&samples.early);
    let found = each.map(|(predicate, states)| {
        let numbers: Vec<usize> = (predicate.parameters.iter().enumerate())
            .filter(|(_, parameter)| parameter.data.bits > 1)
            .map(|(position, _)| position)
            .take(MOST_PARAMETERS)
            .collect();
        let states: Vec<Vec<i128>> = (states.iter())
            .map(|state| numbers.iter().map(|position| state[*position]).collect())
            .collect();
        let (mut quadratic, mut all) = (Vec::new(), Vec::new());
        for equation in equations(pool, &states, numbers.len()) {
            let mut found = Vec::new();
            let is_in = |position: usize| equation.iter().any(|(powers, _)| powers[position] > 0);
            let involved = (0..numbers.len()).filter(|position| is_in(*position));
            let bits = involved.map(|position| predicate.parameters[numbers[position]].data.bits);
            let bits = bits.max().unwrap_or(0);
            if bits <= 32 {
                found.push(formula(&numbers, &equation, 32));
            }
            if bits > 32 || widest > 32 {
                found.push(formula(&numbers, &equation, 64));
            }
            let degrees = equation
                .iter()
                .map(|(powers, _)| powers.iter().sum::<u32>());
            if degrees.max().unwrap_or(0) <= 2 {
                quadratic.extend(found.iter().cloned());
            }
            all.extend(found);
        }
        (quadratic, all)
    });
    let (quadratic, all) = found.unzip();
    [quadratic, all]
}

/// The power of each parameter.
type Powers = Vec<u32>;

/// Powers and coefficients of which the sum is 0.
type Equation = Vec<(Powers, i128)>;

/// Equations that hold of all states, each over the same n parameters, by degree.
fn equations(pool: &TermPool, states: &[Vec<i128>], n: usize) -> Vec<Equation> {
    // From all runs alike: within one, inputs are constants.
    let apart = states.len().div_ceil(MOST_STATES).max(1);
    let some: Vec<Vec<i128>> = states.iter().step_by(apart).cloned().collect();
    let mut search = Search {
        states: &some,
        standard: Vec::new(),
        rows: Vec::new(),
        leading: Vec::new(),
        n_seen: 0,
    };
    let mut found = Vec::new();
    for degree in 0..=MOST_DEGREE {
        let before = search.standard.len();
        for powers in of_degree(n, degree) {
            if search.n_seen >= MOST_MONOMIALS || found.len() >= MOST_EQUATIONS {
                return found;
            }
            if search.standard.len() + SURPLUS > some.len() {
                return found;
            }
            let numbers = some.len() * (search.standard.len() + 1) + states.len();
            pool.count_work(NUMBER * numbers as u64);
            let equation = search.look_at(powers);
            found.extend(equation.filter(|equation| states.iter().all(|at| holds(equation, at))));
        }
        if search.standard.len() == before {
            break;
        }
    }
    found
}

struct Search<'a> {
    states: &'a [Vec<i128>],
    standard: Vec<Powers>,
    /// For each standard monomial its values at the states with combinations of those before taken off,
    /// the position at which it is 1 and the others are 0, and the combination.
    rows: Vec<Row>,
    leading: Vec<Powers>,
    n_seen: usize,
}

struct Row {
    values: Vec<i128>,
    pivot: usize,
    /// Of the standard monomials.
    combination: Vec<i128>,
}

impl Search<'_> {
    /// Makes a monomial standard, or the leading one of an equation.
    fn look_at(&mut self, powers: Powers) -> Option<Equation> {
        let is_multiple = |leading: &Powers| leading.iter().zip(&powers).all(|(a, b)| a <= b);
        if self.leading.iter().any(is_multiple) {
            return None;
        }
        self.n_seen += 1;
        let mut values: Vec<i128> = (self.states.iter())
            .map(|state| value(&powers, state))
            .collect();
        let mut combination = vec![0; self.standard.len() + 1];
        combination[self.standard.len()] = 1;
        for row in &self.rows {
            let factor = values[row.pivot];
            if factor != 0 {
                subtract(&mut values, &row.values, factor);
                subtract(&mut combination, &row.combination, factor);
            }
        }
        if let Some(pivot) = values.iter().position(|value| *value != 0) {
            let inverse = power(values[pivot], PRIME - 2);
            for number in values.iter_mut().chain(&mut combination) {
                *number = product(*number, inverse);
            }
            self.standard.push(powers);
            self.rows.push(Row {
                values,
                pivot,
                combination,
            });
            return None;
        }
        let equation = integers(&combination).map(|coefficients| {
            let monomials = self.standard.iter().chain([&powers]).cloned();
            let terms = monomials.zip(coefficients);
            terms.filter(|(_, coefficient)| *coefficient != 0).collect()
        });
        self.leading.push(powers);
        equation
    }
}

/// All products of so many of n parameters.
fn of_degree(n: usize, degree: usize) -> Vec<Powers> {
    let mut found = vec![(vec![0; n], 0)];
    for _ in 0..degree {
        let longer = found.iter().flat_map(|(powers, last): &(Powers, usize)| {
            (*last..n).map(move |next| {
                let mut powers = powers.clone();
                powers[next] += 1;
                (powers, next)
            })
        });
        found = longer.take(4 * MOST_MONOMIALS).collect();
    }
    found.into_iter().map(|(powers, _)| powers).collect()
}

fn value(powers: &[u32], state: &[i128]) -> i128 {
    let factors = powers.iter().zip(state);
    factors.fold(1, |all, (exponent, value)| {
        product(all, power(value.rem_euclid(PRIME), i128::from(*exponent)))
    })
}

/// Whether an equation holds of a state, modulo the prime.
fn holds(equation: &Equation, state: &[i128]) -> bool {
    let terms = equation
        .iter()
        .map(|(powers, coefficient)| product(coefficient.rem_euclid(PRIME), value(powers, state)));
    terms.sum::<i128>() % PRIME == 0
}

/// Of two numbers below the prime, modulo the prime.
fn product(one: i128, other: i128) -> i128 {
    let product = one * other;
    let folded = (product & PRIME) + (product >> 61);
    if folded >= PRIME {
        folded - PRIME
    } else {
        folded
    }
}

fn power(base: i128, exponent: i128) -> i128 {
    let (mut base, mut exponent, mut all) = (base, exponent, 1);
    while exponent > 0 {
        if exponent % 2 == 1 {
            all = product(all, base);
        }
        base = product(base, base);
        exponent /= 2;
    }
    all
}

/// Takes a multiple of the other, which may be shorter.
fn subtract(from: &mut [i128], other: &[i128], factor: i128) {
    for (number, other) in from.iter_mut().zip(other) {
        let less = *number - product(factor, *other);
        *number = if less < 0 { less + PRIME } else { less };
    }
}

/// Small integers of which the numbers are one multiple modulo the prime.
fn integers(numbers: &[i128]) -> Option<Vec<i128>> {
    let fractions: Vec<(i128, i128)> = numbers
        .iter()
        .map(|one| fraction(*one))
        .collect::<Option<_>>()?;
    let mut scale: i128 = 1;
    for (_, denominator) in &fractions {
        scale = scale / gcd(scale, *denominator) * denominator;
        if scale > LARGEST {
            return None;
        }
    }
    let whole: Vec<i128> = (fractions.iter())
        .map(|(numerator, denominator)| numerator * (scale / denominator))
        .collect();
    whole
        .iter()
        .all(|one| one.abs() <= LARGEST)
        .then_some(whole)
}

/// Numerator and denominator of a small fraction, by Euclid's algorithm stopped half way (Wang's
/// reconstruction).
fn fraction(number: i128) -> Option<(i128, i128)> {
    let (mut before, mut now) = ((PRIME, 0), (number, 1));
    while now.0 > LARGEST {
        let quotient = before.0 / now.0;
        (before, now) = (
            now,
            (before.0 - quotient * now.0, before.1 - quotient * now.1),
        );
    }
    let (numerator, denominator) = if now.1 < 0 { (-now.0, -now.1) } else { now };
    (denominator > 0 && denominator <= LARGEST).then_some((numerator, denominator))
}

/// That an equation between these parameters holds modulo 2^`bits`.
fn formula(numbers: &[usize], equation: &Equation, bits: u32) -> Rc<Formula> {
    let number = |value: BigInt| Rc::new(Formula::Number(value));
    let terms = equation.iter().map(|(powers, coefficient)| {
        let mut factors = Vec::new();
        if *coefficient != 1 {
            factors.push(number(BigInt::from(*coefficient)));
        }
        for (position, exponent) in numbers.iter().zip(powers) {
            for _ in 0..*exponent {
                factors.push(Rc::new(Formula::Parameter(*position)));
            }
        }
        match factors.len() {
            0 => number(BigInt::from(1)),
            1 => factors.remove(0),
            _ => Rc::new(Formula::Apply(Operator::Multiply, factors)),
        }
    });
    let sum = Rc::new(Formula::Apply(Operator::Add, terms.collect()));
    let modulus = number(BigInt::from(1u8) << bits);
    let rest = Rc::new(Formula::Apply(Operator::Modulo, vec![sum, modulus]));
    let parts = vec![rest, number(BigInt::from(0))];
    Rc::new(Formula::Apply(Operator::Equal, parts))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(equation: &Equation, state: &[i128]) -> i128 {
        let terms = equation.iter().map(|(powers, coefficient)| {
            let factors = powers.iter().zip(state);
            factors.fold(*coefficient, |all, (exponent, value)| {
                all * value.pow(*exponent)
            })
        });
        terms.sum()
    }

    #[test]
    fn sums_of_squares_satisfy_a_cubic() {
        let pool = TermPool::new();
        let states: Vec<Vec<i128>> = (0..20)
            .map(|n| vec![n, n * (n + 1) * (2 * n + 1) / 6])
            .collect();
        let found = equations(&pool, &states, 2);
        assert!(!found.is_empty());
        for equation in &found {
            assert!((20..40).all(|n| at(equation, &[n, n * (n + 1) * (2 * n + 1) / 6]) == 0));
        }
        // 6s = 2n³ + 3n² + n.
        let coefficient = |powers: &[u32]| {
            let mut terms = found[0].iter();
            terms
                .find(|(one, _)| one == powers)
                .map(|(_, factor)| *factor)
        };
        let (s, n) = (coefficient(&[0, 1]), coefficient(&[3, 0]));
        assert_eq!(s.zip(n).map(|(s, n)| s / n), Some(-3));
    }

    #[test]
    fn states_in_general_position_satisfy_nothing_small() {
        let pool = TermPool::new();
        let mut rng = fastrand::Rng::with_seed(3);
        let states: Vec<Vec<i128>> = (0..200)
            .map(|_| (0..2).map(|_| i128::from(rng.i32(-1000..1000))).collect())
            .collect();
        assert!(equations(&pool, &states, 2).is_empty());
        // Few states prove nothing.
        assert!(equations(&pool, &states[..5], 2).is_empty());
    }
}
