//! Sums that share their adders.
//!
//! n + k, n + k + 1 and n + k + 2 are three sums in linear normal form; bit-blasted one by one, they are
//! three unrelated chains of adders for the SAT solver, which then has to derive their relation bit by bit.
//! Here the part without the constant gets a name, x = n + k, which is defined once, and the sums are x, x +
//! 1 and x + 2; n + k + m is x + m, and m − n − k is m − x.
//!
//! A name is defined by the first sum that needs it, in terms of names that were defined before; so
//! the translation of a sum never changes, and a stack of assertions keeps its prefix.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use term::{Term, TermId, TermPool};

/// A summand: a term, or a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Summand {
    Term(TermId),
    Name(Name),
}

/// A named sum, numbered in order of definition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Name(usize);

impl Name {
    pub(super) fn index(self) -> usize {
        self.0
    }
}

/// Coefficients, not 0 modulo 2^width, of the summands.
type Parts = BTreeMap<Summand, u64>;

/// Σ coefficient·summand + constant, with at most one summand that is not a name.
#[derive(Clone, Debug)]
pub(super) struct Shared {
    pub(super) constant: u64,
    pub(super) parts: Vec<(u64, Summand)>,
}

struct Named {
    width: u32,
    parts: Parts,
}

/// The names of one translation.
#[derive(Default)]
pub(super) struct Sharing {
    names: Vec<Named>,
    /// Names by their first summand.
    by_first: FxHashMap<(u32, Summand), Vec<Name>>,
    /// The translations of sums.
    sums: FxHashMap<TermId, Option<Name>>,
    /// The names that a term needs, each after those that it is defined by.
    needed: FxHashMap<TermId, Vec<Name>>,
}

impl Sharing {
    /// A sum in terms of names; the second part are the names that are new, in order.
    pub(super) fn share(&mut self, pool: &TermPool, sum: TermId) -> (Shared, Vec<Name>) {
        let Term::Sum { constant, terms } = pool.view(sum) else {
            unreachable!("a sum is shared")
        };
        let width = pool.width(sum);
        let mask = u64::MAX >> (64 - width);
        let mut parts: Parts = terms
            .iter()
            .map(|(coefficient, term)| (Summand::Term(*term), *coefficient))
            .collect();
        while let Some((name, negated)) = self.contained(width, &parts, mask) {
            for summand in self.names[name.0].parts.keys() {
                parts.remove(summand);
            }
            parts.insert(Summand::Name(name), if negated { mask } else { 1 });
        }
        let mut new = Vec::new();
        if parts.len() > 1 {
            let name = Name(self.names.len());
            new.push(name);
            let first = *parts.keys().next().expect("a sum has summands");
            self.by_first.entry((width, first)).or_default().push(name);
            self.names.push(Named { width, parts });
            parts = Parts::from([(Summand::Name(name), 1)]);
        }
        let name = parts.keys().find_map(|summand| match summand {
            Summand::Name(name) => Some(*name),
            Summand::Term(_) => None,
        });
        self.sums.insert(sum, name);
        let parts = parts.into_iter().map(|(summand, c)| (c, summand)).collect();
        (Shared { constant, parts }, new)
    }

    /// The largest name, or its negative, whose summands are all among the parts; of several the
    /// latest, since a path continues from the latest values: n − k − m is n − x for x = k + m,
    /// though n − k has a name from the iteration before.
    fn contained(&self, width: u32, parts: &Parts, mask: u64) -> Option<(Name, bool)> {
        let mut best: Option<(usize, Name, bool)> = None;
        for first in parts.keys() {
            let names = self.by_first.get(&(width, *first));
            for name in names.into_iter().flatten() {
                let named = &self.names[name.0].parts;
                let rank = (named.len(), *name);
                if rank.0 > parts.len() || best.is_some_and(|(size, best, _)| (size, best) > rank) {
                    continue;
                }
                let all = |negated: bool| {
                    named.iter().all(|(summand, c)| {
                        let c = if negated { c.wrapping_neg() & mask } else { *c };
                        parts.get(summand) == Some(&c)
                    })
                };
                if all(false) {
                    best = Some((rank.0, *name, false));
                } else if all(true) {
                    best = Some((rank.0, *name, true));
                }
            }
        }
        best.map(|(_, name, negated)| (name, negated))
    }

    /// The sum that a name stands for.
    pub(super) fn definition(&self, name: Name) -> (u32, Shared) {
        let Named { width, parts } = &self.names[name.0];
        let parts = parts.iter().map(|(summand, c)| (*c, *summand)).collect();
        (*width, Shared { constant: 0, parts })
    }

    /// The names that a term, whose sums are all shared, needs, with those by which they are
    /// defined.
    pub(super) fn needed(&mut self, pool: &TermPool, term: TermId) -> &[Name] {
        if !self.needed.contains_key(&term) {
            let needed = self.find_needed(pool, term);
            self.needed.insert(term, needed);
        }
        &self.needed[&term]
    }

    fn find_needed(&self, pool: &TermPool, term: TermId) -> Vec<Name> {
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut names: FxHashSet<Name> = FxHashSet::default();
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            if let Some(Some(name)) = self.sums.get(&term) {
                let mut open = vec![*name];
                while let Some(name) = open.pop() {
                    if names.insert(name) {
                        for summand in self.names[name.0].parts.keys() {
                            match summand {
                                Summand::Name(below) => open.push(*below),
                                Summand::Term(term) => stack.push(*term),
                            }
                        }
                    }
                }
            }
            pool.for_each_operand(term, |operand| stack.push(operand));
        }
        let mut names: Vec<Name> = names.into_iter().collect();
        names.sort_unstable();
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Sort;

    struct Sums {
        pool: TermPool,
        sharing: Sharing,
        symbols: Vec<TermId>,
    }

    impl Sums {
        fn new() -> Sums {
            let mut pool = TermPool::new();
            let symbols = ["n", "k", "m", "l"];
            let symbols = symbols.map(|name| pool.fresh(name, Sort::Bv(32))).to_vec();
            Sums {
                pool,
                sharing: Sharing::default(),
                symbols,
            }
        }

        /// Σ coefficient·symbol + constant.
        fn sum(&mut self, coefficients: &[i64], constant: u64) -> TermId {
            let mut sum = self.pool.bv(32, constant);
            for (coefficient, symbol) in coefficients.iter().zip(&self.symbols) {
                let coefficient = self.pool.bv_signed(32, *coefficient);
                let part = self.pool.mul(coefficient, *symbol);
                sum = self.pool.add(sum, part);
            }
            sum
        }

        fn share(&mut self, coefficients: &[i64], constant: u64) -> (Shared, Vec<Name>) {
            let sum = self.sum(coefficients, constant);
            self.sharing.share(&self.pool, sum)
        }

        /// The sum that a shared one means, by the definitions of its names.
        fn meaning(&mut self, shared: &Shared) -> TermId {
            let mut sum = self.pool.bv(32, shared.constant);
            for (coefficient, summand) in &shared.parts {
                let summand = match summand {
                    Summand::Term(term) => *term,
                    Summand::Name(name) => {
                        let (_, definition) = self.sharing.definition(*name);
                        self.meaning(&definition)
                    }
                };
                let coefficient = self.pool.bv(32, *coefficient);
                let part = self.pool.mul(coefficient, summand);
                sum = self.pool.add(sum, part);
            }
            sum
        }
    }

    const MINUS_ONE: u64 = u32::MAX as u64;

    #[test]
    fn sums_that_differ_in_a_constant_have_one_name() {
        let mut sums = Sums::new();
        let (first, new) = sums.share(&[1, 1], 0);
        assert_eq!(new, [Name(0)]);
        assert_eq!(first.parts, [(1, Summand::Name(Name(0)))]);
        let (second, new) = sums.share(&[1, 1], 3);
        assert!(new.is_empty());
        assert_eq!((second.constant, &second.parts), (3, &first.parts));
        let (negative, new) = sums.share(&[-1, -1], 1);
        assert!(new.is_empty());
        assert_eq!(negative.parts, [(MINUS_ONE, Summand::Name(Name(0)))]);
    }

    #[test]
    fn the_latest_of_equal_names_is_taken() {
        let mut sums = Sums::new();
        sums.share(&[1, -1], 0);
        sums.share(&[0, 1, 1], 4);
        // n − k − m: by k + m, not by n − k.
        let (_, new) = sums.share(&[1, -1, -1], 0);
        let (_, definition) = sums.sharing.definition(new[0]);
        let n = Summand::Term(sums.symbols[0]);
        let latest = Summand::Name(Name(1));
        assert!(definition.parts.contains(&(1, n)), "{definition:?}");
        assert!(
            definition.parts.contains(&(MINUS_ONE, latest)),
            "{definition:?}"
        );
    }

    #[test]
    fn other_coefficients_are_other_sums() {
        let mut sums = Sums::new();
        sums.share(&[1, 1], 0);
        let (_, new) = sums.share(&[2, 1], 0);
        assert_eq!(new, [Name(1)]);
        let (_, new) = sums.share(&[1, -1], 0);
        assert_eq!(new, [Name(2)]);
    }

    #[test]
    fn definitions_mean_the_sums() {
        let mut sums = Sums::new();
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..500 {
            let coefficients: Vec<i64> = (0..4).map(|_| random.i64(-2..3)).collect();
            let constant = random.u64(..5);
            let sum = sums.sum(&coefficients, constant);
            if !matches!(sums.pool.view(sum), Term::Sum { .. }) {
                continue;
            }
            let (shared, _) = sums.sharing.share(&sums.pool, sum);
            assert_eq!(sums.meaning(&shared), sum, "{coefficients:?}");
            let needed = sums.sharing.needed(&sums.pool, sum).to_vec();
            for (position, name) in needed.iter().enumerate() {
                for (_, summand) in sums.sharing.definition(*name).1.parts {
                    if let Summand::Name(below) = summand {
                        assert!(
                            needed[..position].contains(&below),
                            "defined before it is used"
                        );
                    }
                }
            }
        }
    }
}
