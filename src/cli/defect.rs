//! Defects of compact-se, reported as errors with exit code 2.

use analysis;
use anyhow::Result;

/// Runs `work`; a panic inside becomes an error. The values that it left half changed are not
/// used afterwards, since the command ends.
///
/// # Errors
/// Those of `work`, and its panics.
pub(super) fn caught<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    analysis::caught(work)?
}

#[cfg(test)]
mod tests {
    use super::caught;

    #[test]
    fn a_panic_becomes_an_error() {
        let outcome: anyhow::Result<()> = caught(|| panic!("broken at {}", 7));
        assert!(
            outcome
                .unwrap_err()
                .to_string()
                .ends_with("please report it: broken at 7")
        );
        assert_eq!(caught(|| Ok(3)).unwrap(), 3);
    }
}
