//! Ideal membership: whether a polynomial is 0 wherever others are.
//!
//! ```text
//! facts --determined atoms replaced--> remaining facts
//!       --multiples of them by monomials, elimination over ℤ/2^w--> target reduced to 0, or nothing
//! ```
//!
//! # Invariants
//! - Each result follows by ring arithmetic modulo 2^w: the target is a sum of multiples of facts.
//!
//! # Deliberately absent
//! Completeness: only multiples up to a size are tried, and no Gröbner basis is computed.

use super::ring::{Monomial, Polynomial};
use std::collections::{BTreeMap, BTreeSet};
use term::word;

/// No polynomial has more terms.
pub(super) const MOST_TERMS: usize = 600;
/// No more multiples of facts are tried.
const MOST_ROWS: usize = 600;
/// Passes in which the monomials of multiples ask for further ones.
const PASSES: usize = 2;

/// Whether the target is 0 wherever all facts are; false where that is not found out. Says too
/// how many terms were examined.
pub(super) fn follows(facts: &[Polynomial], target: &Polynomial) -> (bool, usize) {
    let mut facts: Vec<Polynomial> = (facts.iter())
        .filter(|fact| !fact.is_zero())
        .cloned()
        .collect();
    let mut target = target.clone();
    let mut seen = facts.iter().map(Polynomial::n_terms).sum();
    while !target.is_zero() {
        // The shortest first: what it says of an atom makes the others grow least.
        facts.sort_by_key(Polynomial::n_terms);
        let solved = facts.iter().enumerate();
        let Some((position, (atom, by))) = (solved.filter_map(|(position, fact)| {
            let (atom, by) = fact.solved()?;
            Some((position, (atom, by)))
        }))
        .find(|(_, (atom, by))| target.substituted(*atom, by, MOST_TERMS).is_some()) else {
            break;
        };
        facts.remove(position);
        let Some(replaced) = target.substituted(atom, &by, MOST_TERMS) else {
            break;
        };
        target = replaced;
        // A fact that would become too long is dropped.
        facts = (facts.iter())
            .filter_map(|fact| fact.substituted(atom, &by, MOST_TERMS))
            .filter(|fact| !fact.is_zero())
            .collect();
        seen += target.n_terms() + facts.iter().map(Polynomial::n_terms).sum::<usize>();
    }
    if target.is_zero() {
        return (true, seen);
    }
    let rows = multiples(&facts, &target);
    seen += rows.iter().map(Polynomial::n_terms).sum::<usize>() * 8;
    (reduces(rows, target), seen)
}

/// The facts, and multiples of them that have monomials in common with the target or with those before.
fn multiples(facts: &[Polynomial], target: &Polynomial) -> Vec<Polynomial> {
    let mut rows: Vec<Polynomial> = facts.to_vec();
    let mut made: BTreeSet<(usize, Monomial)> =
        (0..facts.len()).map(|n| (n, Monomial::default())).collect();
    let mut wanted: BTreeSet<Monomial> = target.terms().keys().cloned().collect();
    for _ in 0..PASSES {
        let mut more = BTreeSet::new();
        for monomial in &wanted {
            for (number, fact) in facts.iter().enumerate() {
                for part in fact.terms().keys().filter(|part| !part.is_one()) {
                    let Some(factor) = monomial.over(part) else {
                        continue;
                    };
                    if rows.len() >= MOST_ROWS || !made.insert((number, factor.clone())) {
                        continue;
                    }
                    let mut row = fact.scaled(0);
                    row.add(1, &factor, fact);
                    more.extend(row.terms().keys().cloned());
                    rows.push(row);
                }
            }
        }
        wanted = more;
    }
    rows
}

/// Whether the target is a linear combination of the rows. Among coefficients of a monomial that with
/// the fewest factors 2 divides the others.
fn reduces(rows: Vec<Polynomial>, mut target: Polynomial) -> bool {
    let mut pivots: BTreeMap<Monomial, Polynomial> = BTreeMap::new();
    let mut pending = rows;
    while let Some(mut row) = pending.pop() {
        while let Some((monomial, coefficient)) = last(&row) {
            match pivots.get(&monomial) {
                None => {
                    pivots.insert(monomial, row);
                    break;
                }
                Some(pivot) => {
                    let of = pivot.terms()[&monomial];
                    if of.trailing_zeros() <= coefficient.trailing_zeros() {
                        eliminate(&mut row, pivot, of, coefficient);
                    } else {
                        let old = pivots.insert(monomial, row);
                        row = old.unwrap_or_else(|| target.scaled(0));
                    }
                }
            }
        }
    }
    while let Some((monomial, coefficient)) = last(&target) {
        let Some(pivot) = pivots.get(&monomial) else {
            return false;
        };
        let of = pivot.terms()[&monomial];
        if of.trailing_zeros() > coefficient.trailing_zeros() {
            return false;
        }
        eliminate(&mut target, pivot, of, coefficient);
    }
    true
}

fn last(row: &Polynomial) -> Option<(Monomial, u64)> {
    let (monomial, coefficient) = row.terms().last_key_value()?;
    Some((monomial.clone(), *coefficient))
}

/// Takes so much of the pivot from a row that `coefficient` becomes 0; `of` is the pivot's.
fn eliminate(row: &mut Polynomial, pivot: &Polynomial, of: u64, coefficient: u64) {
    let twos = of.trailing_zeros();
    let factor = (coefficient >> twos).wrapping_mul(word::inverse(of >> twos));
    row.add(factor.wrapping_neg(), &Monomial::default(), pivot);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polynomial(width: u32, terms: &[(u64, &[u32])]) -> Polynomial {
        let mut sum = Polynomial::zero(width);
        for (coefficient, atoms) in terms {
            let mut product = Polynomial::constant(width, *coefficient);
            for atom in *atoms {
                product = product.times(&Polynomial::atom(width, *atom));
            }
            sum.add(1, &Monomial::default(), &product);
        }
        sum
    }

    /// The value over words of three atoms.
    fn value(polynomial: &Polynomial, values: [u64; 3]) -> u64 {
        let mut sum = 0u64;
        for (monomial, coefficient) in polynomial.terms() {
            let mut product = *coefficient;
            for (atom, value) in (0..).zip(values) {
                product = product.wrapping_mul(value.wrapping_pow(monomial.power(atom)));
            }
            sum = sum.wrapping_add(product);
        }
        sum
    }

    #[test]
    fn a_product_of_sums_follows_from_its_equations() {
        // p·s − r·q = 1 stays so where p becomes p − q and r becomes r − s.
        let fact = polynomial(64, &[(1, &[0, 1]), (u64::MAX, &[2, 3]), (u64::MAX, &[])]);
        let target = polynomial(
            64,
            &[
                (1, &[0, 1]),
                (u64::MAX, &[3, 1]),
                (u64::MAX, &[2, 3]),
                (1, &[1, 3]),
                (u64::MAX, &[]),
            ],
        );
        assert!(follows(std::slice::from_ref(&fact), &target).0);
        let other = polynomial(64, &[(1, &[0, 1]), (u64::MAX, &[])]);
        assert!(!follows(&[fact], &other).0);
    }

    #[test]
    fn what_holds_twice_need_not_hold() {
        // 2x = 0 does not make x = 0 modulo 2^w; it makes 6xy = 0.
        let fact = polynomial(8, &[(2, &[0])]);
        assert!(!follows(std::slice::from_ref(&fact), &polynomial(8, &[(1, &[0])])).0);
        assert!(!follows(std::slice::from_ref(&fact), &polynomial(8, &[(3, &[0, 1])])).0);
        assert!(follows(&[fact], &polynomial(8, &[(6, &[0, 1])])).0);
    }

    /// Random facts and targets over three bits: what follows has no counterexample among all values.
    #[test]
    fn nothing_follows_that_values_refute() {
        let mut rng = fastrand::Rng::with_seed(7);
        let mut random = |most: usize| {
            let mut sum = Polynomial::zero(3);
            for _ in 0..rng.usize(1..=most) {
                let atoms: Vec<u32> = (0..rng.usize(0..3)).map(|_| rng.u32(0..3)).collect();
                let term = polynomial(3, &[(rng.u64(1..8), &atoms)]);
                sum.add(1, &Monomial::default(), &term);
            }
            sum
        };
        let mut n_followed = 0;
        for _ in 0..4000 {
            let facts = [random(3), random(3)];
            let target = random(3);
            if !follows(&facts, &target).0 {
                continue;
            }
            n_followed += 1;
            for number in 0..512 {
                let values = [number % 8, number / 8 % 8, number / 64];
                if facts
                    .iter()
                    .all(|fact| value(fact, values).is_multiple_of(8))
                {
                    assert_eq!(value(&target, values) % 8, 0, "{facts:?} {target:?}");
                }
            }
        }
        assert!(n_followed > 100, "{n_followed}");
    }
}
