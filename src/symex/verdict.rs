//! The verdict of a run.

use super::witness::Witness;
use property::VerdictKind;

/// The answer to "is the target reachable?".
#[derive(Debug, Default)]
pub enum Verdict {
    /// No input leads to the target.
    Unreachable,
    /// These inputs do.
    Reachable(Box<Witness>),
    /// Not known, for these reasons.
    #[default]
    Unknown,
}

impl Verdict {
    /// The answer alone.
    #[must_use]
    pub fn kind(&self) -> VerdictKind {
        match self {
            Verdict::Unreachable => VerdictKind::Unreachable,
            Verdict::Reachable(_) => VerdictKind::Reachable,
            Verdict::Unknown => VerdictKind::Unknown,
        }
    }

    /// `reachable`, `unreachable` or `unknown`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.kind().name()
    }
}
