//! Defects: a panic ends only the technique that panicked, the others continue.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// The message of a panic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defect(pub String);

impl std::fmt::Display for Defect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "internal error, a defect of compact-se, please report it: {}",
            self.0
        )
    }
}

impl std::error::Error for Defect {}

/// Does `work`, of which nothing that it left half changed may be used after a panic.
///
/// # Errors
/// A panic inside.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Defect> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message.or_else(|| panic.downcast_ref::<&str>().copied());
        Defect(message.unwrap_or("no message").to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::{Defect, caught};

    #[test]
    fn a_panic_is_a_defect_with_its_message() {
        let panicked = caught(|| -> i32 { panic!("broken at {}", 7) });
        assert_eq!(panicked, Err(Defect("broken at 7".to_owned())));
        assert!(
            panicked
                .unwrap_err()
                .to_string()
                .ends_with("please report it: broken at 7")
        );
        assert_eq!(caught(|| 3), Ok(3));
    }
}
