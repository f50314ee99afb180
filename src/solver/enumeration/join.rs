//! Equations between two unknowns, f(a) = g(b), by a sorted join.
//!
//! The pairs of values may be too many where the values of each unknown are not. The pairs that satisfy the
//! equations are found by a join, as in a database: the values of one unknown are sorted by f, and those of
//! the other are looked up by g. Equations between sums, or between exclusive ors, are brought into that form
//! if each operand depends on one of the unknowns.
//!
//! # Invariants
//! - The result contains every pair that satisfies the equations, and possibly others.

use super::Part;
use crate::elements::{Element, ElementsOf};
use std::hash::{BuildHasher, BuildHasherDefault};
use term::{BinOp, CmpOp, Linear, Program, Term, TermId, TermPool, Work};

/// Two parts, and what equations between them say of each.
pub(super) struct Join {
    /// Positions among the parts.
    pub parts: [usize; 2],
    /// The sides of the equations, of the first part and of the second.
    sides: [Program; 2],
}

impl Join {
    /// The two parts with the most equations between them, and the first of those; `most_steps` is for
    /// each side.
    pub fn of(
        pool: &mut TermPool,
        elements: &mut ElementsOf,
        parts: &[Part],
        conjuncts: &[TermId],
        most_steps: usize,
    ) -> Option<Join> {
        let mut best: Option<([usize; 2], [Vec<TermId>; 2])> = None;
        for first in 0..parts.len() {
            for second in first + 1..parts.len() {
                let pair = [parts[first].element, parts[second].element];
                let mut sides = [Vec::new(), Vec::new()];
                for conjunct in conjuncts {
                    if let Some([left, right]) = separated(pool, elements, *conjunct, pair) {
                        sides[0].push(left);
                        sides[1].push(right);
                    }
                }
                let n_best = best.as_ref().map_or(0, |(_, sides)| sides[0].len());
                if sides[0].len() > n_best {
                    best = Some(([first, second], sides));
                }
            }
        }
        let (chosen, [left, right]) = best?;
        let side = |position: usize, terms: &[TermId]| {
            pool.compile(terms, &[parts[chosen[position]].term], most_steps)
        };
        Some(Join {
            sides: [side(0, &left)?, side(1, &right)?],
            parts: chosen,
        })
    }

    /// The work of finding pairs among so many values.
    pub fn work(&self, n_values: [usize; 2]) -> Work {
        let side = |position: usize| {
            let n = n_values[position] as u64;
            // Sorting and looking up take as many steps as the number has bits.
            let steps = u64::from(u64::BITS - n.leading_zeros());
            (self.sides[position].work() + Work::PROGRAM_STEP * steps) * n
        };
        side(0) + side(1)
    }

    /// Pairs of values that may satisfy the equations; `None` for more than `most`.
    pub fn pairs(&self, values: [&[u64]; 2], most: u64) -> Option<Vec<[u64; 2]>> {
        let [left, right] = [0, 1].map(|position| keys(&self.sides[position], values[position]));
        let mut left: Vec<(u64, u64)> = left;
        left.sort_unstable();
        let mut pairs = Vec::new();
        for (key, second) in right {
            let begin = left.partition_point(|(other, _)| *other < key);
            let same = left[begin..].iter().take_while(|(other, _)| *other == key);
            for (_, first) in same {
                if pairs.len() as u64 >= most {
                    return None;
                }
                pairs.push([*first, second]);
            }
        }
        Some(pairs)
    }
}

/// The values of a part with what the sides of the equations are for them, as one number; different
/// ones may have the same.
fn keys(side: &Program, values: &[u64]) -> Vec<(u64, u64)> {
    let hasher = BuildHasherDefault::<rustc_hash::FxHasher>::default();
    let mut room = Vec::with_capacity(side.len());
    let key = |value: &u64| {
        let results: Vec<u64> = side.results(&[*value], &mut room).collect();
        let key = match results.as_slice() {
            [only] => *only,
            several => hasher.hash_one(several),
        };
        (key, *value)
    };
    values.iter().map(key).collect()
}

/// On which of two parts a term depends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Neither,
    First,
    Second,
    Other,
}

fn side(
    pool: &mut TermPool,
    elements: &mut ElementsOf,
    term: TermId,
    [first, second]: [Element; 2],
) -> Side {
    match &*elements.get(pool, term).all {
        [] => Side::Neither,
        [only] if *only == first => Side::First,
        [only] if *only == second => Side::Second,
        _ => Side::Other,
    }
}

/// An equation as f(first) = g(second).
fn separated(
    pool: &mut TermPool,
    elements: &mut ElementsOf,
    conjunct: TermId,
    pair: [Element; 2],
) -> Option<[TermId; 2]> {
    let Term::Compare(CmpOp::Eq, left, right) = pool.view(conjunct) else {
        return None;
    };
    let width = pool.width(left);
    if !(2..=64).contains(&width) {
        return None;
    }
    let is_xor = |term| matches!(pool.view(term), Term::Binary(BinOp::Xor, ..));
    if is_xor(left) || is_xor(right) {
        let zero = pool.bv(width, 0u64);
        let mut sides = [zero, zero];
        let mut open = vec![left, right];
        while let Some(term) = open.pop() {
            if let Term::Binary(BinOp::Xor, a, b) = pool.view(term) {
                open.extend([a, b]);
                continue;
            }
            let position = match side(pool, elements, term, pair) {
                Side::First => 0,
                Side::Second | Side::Neither => 1,
                Side::Other => return None,
            };
            sides[position] = pool.xor(sides[position], term);
        }
        return both_sides(sides, zero);
    }
    let difference = pool.linear(left).sub(&pool.linear(right));
    let [mut first, mut second] = [(); 2].map(|()| Linear::constant(width, 0));
    for (factor, term) in &difference.terms {
        match side(pool, elements, *term, pair) {
            Side::First => first.terms.push((*factor, *term)),
            Side::Second => second.terms.push((*factor, *term)),
            Side::Neither | Side::Other => return None,
        }
    }
    second.constant = difference.constant;
    let second = Linear::constant(width, 0).sub(&second);
    let sides = [pool.from_linear(&first), pool.from_linear(&second)];
    let zero = pool.bv(width, 0u64);
    both_sides(sides, zero)
}

/// An equation about one part alone says nothing of pairs.
fn both_sides(sides: [TermId; 2], zero: TermId) -> Option<[TermId; 2]> {
    (sides[0] != zero).then_some(sides)
}

#[cfg(test)]
mod tests {
    use super::super::domain::Domain;
    use super::*;
    use term::{CastOp, LookUpTable, Sort};

    /// Equations of all forms between two bytes and their look-ups in a random table: the pairs that
    /// are left and satisfy them are all there are.
    #[test]
    fn no_pair_is_lost() {
        let mut rng = fastrand::Rng::with_seed(11);
        for _ in 0..40 {
            let mut pool = TermPool::new();
            let mut elements = ElementsOf::default();
            let table = LookUpTable::new(1, (0..256).map(|_| rng.u64(0..256)).collect());
            let table = pool.table(64, 8, table);
            let parts: Vec<Part> = ["x", "y"]
                .map(|name| {
                    let symbol = pool.symbol(name, Sort::Bv(8));
                    let term = pool.symbol_term(symbol);
                    Part {
                        element: Element::Whole(symbol),
                        term,
                        width: 8,
                        domain: Domain::of(&pool, term, 8, &[]).expect("it is narrow"),
                    }
                })
                .to_vec();
            let [x, y] = [parts[0].term, parts[1].term];
            let looked_up = [x, y].map(|index| {
                let index = pool.cast(CastOp::ZExt, 64, index);
                pool.select(table, index)
            });
            let number = pool.bv(8, rng.u64(0..256));
            let conjunct = match rng.u8(0..4) {
                0 => {
                    let next = pool.add(looked_up[0], number);
                    pool.eq(looked_up[1], next)
                }
                1 => {
                    let mixed = pool.xor(looked_up[0], looked_up[1]);
                    pool.eq(mixed, number)
                }
                2 => {
                    let sum = pool.add(looked_up[0], y);
                    let sum = pool.add(sum, looked_up[1]);
                    pool.eq(sum, number)
                }
                _ => {
                    let [a, b] = [x, y].map(|term| pool.cast(CastOp::ZExt, 32, term));
                    let (sum, number) = (pool.add(a, b), pool.bv(32, rng.u64(0..512)));
                    pool.eq(sum, number)
                }
            };
            let all: Vec<u64> = (0..256).collect();
            let exact = pool.compile(&[conjunct], &[x, y], 1 << 10).expect("words");
            let mut room = Vec::new();
            let pairs = all.iter().flat_map(|a| all.iter().map(move |b| [*a, *b]));
            let mut expected: Vec<[u64; 2]> =
                pairs.filter(|pair| exact.holds(pair, &mut room)).collect();
            let join = Join::of(&mut pool, &mut elements, &parts, &[conjunct], 1 << 10)
                .expect("the equation has two sides");
            assert_eq!(join.parts, [0, 1]);
            let mut found = join.pairs([&all, &all], 1 << 16).expect("room for all");
            found.retain(|pair| exact.holds(pair, &mut room));
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected);
        }
    }
}
