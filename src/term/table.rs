//! Tables: arrays with constant contents, such as look-up tables of programs.
//!
//! A table is an array literal. A read at a symbolic index is one node, not a chain of stores;
//! `simplify::table` finds closed forms for such reads, and solvers get the others as a decision tree over
//! the bits of the index.

use super::bv::word;

/// The contents of a constant array of up to 64 bits a value: value k at index k·stride, and 0 at
/// all other indices.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LookUpTable {
    stride: u64,
    values: Box<[u64]>,
}

impl LookUpTable {
    /// The table with these values at the multiples of `stride`.
    ///
    /// # Panics
    /// If the stride is no power of two, or the indices do not fit into 64 bits.
    #[must_use]
    pub fn new(stride: u64, values: Vec<u64>) -> LookUpTable {
        assert!(stride.is_power_of_two(), "only powers of two divide 2^w");
        assert!(
            (values.len() as u64).checked_mul(stride).is_some(),
            "indices have at most 64 bits"
        );
        LookUpTable {
            stride,
            values: values.into_boxed_slice(),
        }
    }

    /// The distance of two values.
    #[must_use]
    pub fn stride(&self) -> u64 {
        self.stride
    }

    /// The values, that at index 0 first.
    #[must_use]
    pub fn values(&self) -> &[u64] {
        &self.values
    }

    /// The first index behind all values.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.values.len() as u64 * self.stride
    }

    /// The value at an index.
    #[must_use]
    pub fn at(&self, index: u64) -> u64 {
        if !index.is_multiple_of(self.stride) {
            return 0;
        }
        usize::try_from(index / self.stride)
            .ok()
            .and_then(|position| self.values.get(position))
            .copied()
            .unwrap_or(0)
    }

    /// The same table with values cut to this many bits, and without zeros at its end.
    pub(super) fn trimmed(mut self, value_bits: u32) -> LookUpTable {
        let mask = word::mask(value_bits);
        let mut values = std::mem::take(&mut self.values).into_vec();
        values.iter_mut().for_each(|value| *value &= mask);
        let used = values.iter().rposition(|value| *value != 0);
        values.truncate(used.map_or(0, |last| last + 1));
        self.values = values.into_boxed_slice();
        self
    }
}
