//! Panics are defects of ours; to the user they are errors like others, with exit code 2.

use anyhow::{Result, anyhow};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `work`; a panic inside becomes an error. The values that it left half changed are not
/// used afterwards, since the command ends.
///
/// # Errors
/// Those of `work`, and its panics.
pub(super) fn caught<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("no message");
        Err(anyhow!(
            "internal error, a defect of compact-se, please report it: {message}"
        ))
    })
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
