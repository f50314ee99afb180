//! What the build script compiled: models and the replay library, so that an analysis need not.
//!
//! # Invariants
//! - What is found here was made of the same text, with the same arguments, as would be compiled
//!   else; where the build had no clang, or no C library for 32 bits, it is not there.

use super::arguments::key;

include!(concat!(env!("OUT_DIR"), "/compiled.rs"));

/// What clang made of this file of ours with these arguments.
pub(super) fn find(file: &str, arguments: &[&str]) -> Option<&'static [u8]> {
    let wanted = key(file, arguments);
    let index = COMPILED.binary_search_by_key(&wanted.as_str(), |(name, _)| name);
    Some(COMPILED[index.ok()?].1)
}
