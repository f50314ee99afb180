//! Precompiled files of the build script: models and the replay library.
//!
//! # Invariants
//! - The precompiled files equal those compiled on demand: same text, same arguments; without clang or a C
//!   library for 32 bits at build time they are missing.

use super::arguments::key;

include!(concat!(env!("OUT_DIR"), "/compiled.rs"));

/// Clang's output for this embedded file with these arguments.
pub(super) fn find(file: &str, arguments: &[&str]) -> Option<&'static [u8]> {
    let wanted = key(file, arguments);
    let index = COMPILED.binary_search_by_key(&wanted.as_str(), |(name, _)| name);
    Some(COMPILED[index.ok()?].1)
}
