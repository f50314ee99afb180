//! Domains: the possible values of an unknown of a query, by its bounds.
//!
//! A number of 32 bits between 0 and 1,000 has as many values as one of ten bits. Bounds are comparisons of
//! the unknown, or of the unknown plus a constant, with constants.
//!
//! # Invariants
//! - The domain contains every value that satisfies the conjuncts, and possibly others.

use term::{CmpOp, Interval, Term, TermId, TermPool, word};

/// Consecutive values modulo 2^w.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Domain {
    first: u64,
    n_values: u64,
    /// 2^w − 1.
    mask: u64,
}

/// The part plus a constant, read as signed or unsigned.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Reading {
    constant: u64,
    is_signed: bool,
}

impl Domain {
    /// That of a bit-vector, if it has at most 2^`bits` values.
    pub fn of(pool: &TermPool, part: TermId, bits: u32, conjuncts: &[TermId]) -> Option<Domain> {
        let width = pool.width(part);
        if width > 64 {
            return None;
        }
        let mask = u64::MAX >> (64 - width);
        if width <= bits {
            return Some(Domain {
                first: 0,
                n_values: 1 << width,
                mask,
            });
        }
        let fewest = bounds(pool, part, conjuncts)
            .into_iter()
            .map(|(reading, range)| (reading, range.low, (range.high - range.low + 1).max(0)))
            .min_by_key(|(_, _, n_values)| *n_values);
        let (reading, low, n_values) = fewest?;
        if n_values > 1 << bits {
            return None;
        }
        Domain::between(pool, part, low, low + n_values - 1)
            .map(|domain| domain.moved_by(reading.constant))
    }

    /// The values between two, which are read modulo 2^w; `None` if they are all those of 64 bits.
    pub fn between(pool: &TermPool, part: TermId, first: i128, last: i128) -> Option<Domain> {
        let mask = u64::MAX >> (64 - pool.width(part));
        Some(Domain {
            first: u64::try_from(first & i128::from(mask)).expect("it was cut to the width"),
            n_values: u64::try_from((last - first + 1).max(0)).ok()?,
            mask,
        })
    }

    /// The values of which these are the sums with a constant.
    fn moved_by(self, constant: u64) -> Domain {
        Domain {
            first: self.first.wrapping_sub(constant) & self.mask,
            ..self
        }
    }

    /// The least and the greatest number that the part may be by comparisons of it, as it is, with constants,
    /// all of which read it as signed or all as unsigned; as `is_signed` says where there is none.
    pub fn interval(
        pool: &TermPool,
        part: TermId,
        is_signed: bool,
        conjuncts: &[TermId],
    ) -> Option<Interval> {
        let all = bounds(pool, part, conjuncts).into_iter();
        let mut plain = all.filter(|(reading, ..)| reading.constant == 0);
        match (plain.next(), plain.next()) {
            (None, _) => Some(Interval::reading(pool.width(part), is_signed)),
            (Some((_, range)), None) => Some(range),
            (Some(_), Some(_)) => None,
        }
    }

    /// How many they are.
    pub fn n_values(&self) -> u64 {
        self.n_values
    }

    /// All, in order, and then from the start of the numbers again.
    pub fn values(&self) -> impl Iterator<Item = u64> {
        let Domain { first, mask, .. } = *self;
        (0..self.n_values).map(move |number| first.wrapping_add(number) & mask)
    }
}

/// The least and the greatest integer that each reading of the part may be.
fn bounds(pool: &TermPool, part: TermId, conjuncts: &[TermId]) -> Vec<(Reading, Interval)> {
    let width = pool.width(part);
    let mut found: Vec<(Reading, Interval)> = Vec::new();
    for conjunct in conjuncts {
        let Term::Compare(op, left, right) = pool.view(*conjunct) else {
            continue;
        };
        if op == CmpOp::Eq || pool.width(left) != width {
            continue;
        }
        let is_signed = matches!(op, CmpOp::Slt | CmpOp::Sle);
        let gap = i128::from(matches!(op, CmpOp::Ult | CmpOp::Slt));
        let number = |term| {
            let value = pool.as_u64(term)?;
            Some(word::number(width, value, is_signed))
        };
        let (term, range) = match (number(left), number(right)) {
            (Some(low), None) => (right, Interval::at_least(low + gap)),
            (None, Some(high)) => (left, Interval::at_most(high - gap)),
            _ => continue,
        };
        let form = pool.linear(term);
        let [(1, only)] = form.terms.as_slice() else {
            continue;
        };
        if *only != part {
            continue;
        }
        let reading = Reading {
            constant: form.constant,
            is_signed,
        };
        let known = found.iter().position(|(other, ..)| *other == reading);
        let known = known.unwrap_or_else(|| {
            found.push((reading, Interval::reading(width, is_signed)));
            found.len() - 1
        });
        let (_, within) = &mut found[known];
        *within = within.meet(&range);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Sort;

    /// Random bounds of a byte plus a constant, four at a time: no value that satisfies them is missing,
    /// and what two bounds of one reading leave is not more than lies between them.
    #[test]
    fn no_value_is_lost() {
        let mut rng = fastrand::Rng::with_seed(5);
        let mut n_narrow = 0;
        for _ in 0..2_000 {
            let mut pool = TermPool::new();
            let symbol = pool.symbol("x", Sort::Bv(8));
            let x = pool.symbol_term(symbol);
            let conjuncts: Vec<TermId> = (0..4)
                .map(|_| {
                    let [constant, limit] = [(); 2].map(|()| pool.bv(8, rng.u64(0..256)));
                    let moved = if rng.bool() { x } else { pool.add(x, constant) };
                    let op = [CmpOp::Ult, CmpOp::Ule, CmpOp::Slt, CmpOp::Sle][rng.usize(0..4)];
                    if rng.bool() {
                        pool.compare(op, moved, limit)
                    } else {
                        pool.compare(op, limit, moved)
                    }
                })
                .collect();
            let Some(domain) = Domain::of(&pool, x, 6, &conjuncts) else {
                continue;
            };
            n_narrow += 1;
            let values: Vec<u64> = domain.values().collect();
            assert!(values.len() as u64 == domain.n_values() && values.len() <= 64);
            let Some(program) = pool.compile(&conjuncts, &[x], 100) else {
                continue;
            };
            let mut room = Vec::new();
            for value in 0..256 {
                if program.holds(&[value], &mut room) {
                    assert!(values.contains(&value), "{value} is not in {domain:?}");
                }
            }
        }
        assert!(n_narrow > 500, "{n_narrow} of 2,000 are narrow");
    }
}
