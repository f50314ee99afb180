//! Possible addresses of objects: the address space of Linux programs on x86-64, of 64 and of 32 bits.
//!
//! ```text
//! 0 --nothing--> LOWEST_ADDRESS --nothing, usually--> USUAL_LOWEST --objects--> end_of_addresses --nothing
//! ```
//!
//! An access where no object can lie traps on each machine. Between the two lowest addresses, programs have
//! memory only if they request it at such an address.

use std::ops::Range;

/// Linux gives no program memory below this address (`vm.mmap_min_addr`), so that each access there faults: fields of
/// a structure that is not there.
pub const LOWEST_ADDRESS: u64 = 1 << 16;

/// Linkers put no program below this address.
pub const USUAL_LOWEST: u64 = 0x40_0000;

/// Of a page.
const PAGE_BYTES: u64 = 4096;

/// The addresses that objects can have whose pointers have so many bits: on x86-64 nothing lies in the last page below
/// 2^47 and above, and a program of 32 bits has all but the last two pages.
#[must_use]
pub fn addresses(pointer_bits: u32) -> Range<u64> {
    let end = match pointer_bits {
        48.. => (1 << 47) - PAGE_BYTES,
        bits => (1 << bits) - 2 * PAGE_BYTES,
    };
    LOWEST_ADDRESS..end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_no_addresses() {
        for bits in [32, 64] {
            let minus_one = u64::MAX >> (64 - bits);
            for number in [0, 1, LOWEST_ADDRESS - 1, minus_one, minus_one - 7] {
                assert!(!addresses(bits).contains(&number), "{number:#x}");
            }
            for number in [LOWEST_ADDRESS, 0x40_4040, 0x7fff_0000] {
                assert!(addresses(bits).contains(&number), "{number:#x}");
            }
        }
        // The last stack, and what needs a table of five levels.
        assert!(addresses(64).contains(&0x7fff_ffff_efff));
        assert!(!addresses(64).contains(&0x7fff_ffff_f000));
        assert!(addresses(32).contains(&0xffff_dfff));
    }
}
