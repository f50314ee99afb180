//! Dense sets of small numbers: positions of handles.

use fixedbitset::FixedBitSet;

/// A set of numbers below a bound that is fixed when the set is made: what it takes in and abandons is told,
/// so that data flow knows when nothing changes any more.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct BitSet(FixedBitSet);

impl BitSet {
    /// The empty set; it can hold 0..`bound`.
    #[must_use]
    pub fn new(bound: usize) -> BitSet {
        BitSet(FixedBitSet::with_capacity(bound))
    }

    #[must_use]
    pub fn contains(&self, item: usize) -> bool {
        self.0.contains(item)
    }

    /// Whether the item is new.
    ///
    /// ```
    /// let mut set = compact_se_flowgraph::BitSet::new(10);
    /// assert!(set.insert(3));
    /// assert!(!set.insert(3));
    /// assert_eq!(set.iter().collect::<Vec<_>>(), [3]);
    /// ```
    ///
    /// # Panics
    /// If the item is not below the bound.
    pub fn insert(&mut self, item: usize) -> bool {
        !self.0.put(item)
    }

    /// Whether the item was there.
    pub fn remove(&mut self, item: usize) -> bool {
        let was_there = self.0.contains(item);
        if was_there {
            self.0.remove(item);
        }
        was_there
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds the items of a set of the same bound; decides whether one was new.
    pub fn union_with(&mut self, other: &BitSet) -> bool {
        debug_assert_eq!(self.0.len(), other.0.len(), "sets of the same bound");
        let has_new = !other.0.is_subset(&self.0);
        if has_new {
            self.0.union_with(&other.0);
        }
        has_new
    }

    /// Whether every item is in `other`, which has the same bound.
    #[must_use]
    pub fn is_subset(&self, other: &BitSet) -> bool {
        debug_assert_eq!(self.0.len(), other.0.len(), "sets of the same bound");
        self.0.is_subset(&other.0)
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_clear()
    }

    /// How many items are in the set.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.count_ones(..)
    }

    /// The items, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.ones()
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
