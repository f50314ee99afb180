//! Dense sets of small numbers: positions of handles.

/// A set of numbers below a bound that is fixed when the set is made.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct BitSet {
    words: Vec<u64>,
}

const WORD_BITS: usize = 64;

impl BitSet {
    /// The empty set; it can hold 0..`bound`.
    #[must_use]
    pub fn new(bound: usize) -> BitSet {
        BitSet {
            words: vec![0; bound.div_ceil(WORD_BITS)],
        }
    }

    #[must_use]
    pub fn contains(&self, item: usize) -> bool {
        self.words
            .get(item / WORD_BITS)
            .is_some_and(|word| word >> (item % WORD_BITS) & 1 == 1)
    }

    /// Whether the item is new.
    ///
    /// # Panics
    /// If the item is not below the bound.
    pub fn insert(&mut self, item: usize) -> bool {
        let word = &mut self.words[item / WORD_BITS];
        let before = *word;
        *word |= 1 << (item % WORD_BITS);
        *word != before
    }

    /// Whether the item was there.
    pub fn remove(&mut self, item: usize) -> bool {
        let Some(word) = self.words.get_mut(item / WORD_BITS) else {
            return false;
        };
        let before = *word;
        *word &= !(1 << (item % WORD_BITS));
        *word != before
    }

    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Adds the items of a set of the same bound; says whether one was new.
    pub fn union_with(&mut self, other: &BitSet) -> bool {
        debug_assert_eq!(
            self.words.len(),
            other.words.len(),
            "sets of the same bound"
        );
        let mut changed = false;
        for (word, &more) in self.words.iter_mut().zip(&other.words) {
            changed |= more & !*word != 0;
            *word |= more;
        }
        changed
    }

    /// Whether every item is in `other`, which has the same bound.
    #[must_use]
    pub fn is_subset(&self, other: &BitSet) -> bool {
        debug_assert_eq!(
            self.words.len(),
            other.words.len(),
            "sets of the same bound"
        );
        self.words
            .iter()
            .zip(&other.words)
            .all(|(a, b)| a & !b == 0)
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// How many items are in the set.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// The items, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                if rest == 0 {
                    return None;
                }
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                Some(index * WORD_BITS + bit)
            })
        })
    }
}

impl std::fmt::Debug for BitSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_come_back_ascending() {
        let mut set = BitSet::new(130);
        for item in [129, 0, 64, 63] {
            assert!(set.insert(item));
            assert!(!set.insert(item));
        }
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 64, 129]);
        assert!(set.remove(64) && !set.remove(64) && !set.contains(64));
        assert_eq!(set.len(), 3);
        let mut other = BitSet::new(130);
        assert!(other.is_subset(&set) && other.union_with(&set) && !other.union_with(&set));
        assert!(other.insert(5) && !other.is_subset(&set));
        other.clear();
        assert!(other.is_empty() && !set.contains(4000) && !set.remove(4000));
    }
}
