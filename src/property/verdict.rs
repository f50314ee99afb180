//! The verdict, without its evidence.

use serde::{Deserialize, Serialize};

/// The answer to "is the target reachable?", as it goes into records and exit codes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VerdictKind {
    /// No input leads to the target.
    Unreachable,
    /// Some input does, and a witness says which.
    Reachable,
    Unknown,
}

impl VerdictKind {
    /// `reachable`, `unreachable` or `unknown`.
    ///
    /// ```
    /// use compact_se_property::VerdictKind;
    /// assert_eq!(VerdictKind::Unreachable.name(), "unreachable");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            VerdictKind::Unreachable => "unreachable",
            VerdictKind::Reachable => "reachable",
            VerdictKind::Unknown => "unknown",
        }
    }
}

impl std::fmt::Display for VerdictKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
