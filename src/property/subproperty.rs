//! Properties of SV-COMP that are about errors, and their parts.

use super::{Check, Checks};

/// A property of SV-COMP that is about errors, or a part of one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Subproperty {
    NoOverflow,
    ValidDeref,
    ValidFree,
    /// No memory is lost.
    ValidMemtrack,
    /// All memory is freed when the program ends.
    ValidMemcleanup,
}

impl Subproperty {
    /// All of them.
    pub const ALL: [Subproperty; 5] = [
        Subproperty::NoOverflow,
        Subproperty::ValidDeref,
        Subproperty::ValidFree,
        Subproperty::ValidMemtrack,
        Subproperty::ValidMemcleanup,
    ];

    /// As in property files.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Subproperty::NoOverflow => "G ! overflow",
            Subproperty::ValidDeref => "G valid-deref",
            Subproperty::ValidFree => "G valid-free",
            Subproperty::ValidMemtrack => "G valid-memtrack",
            Subproperty::ValidMemcleanup => "G valid-memcleanup",
        }
    }

    /// For people, and in verdicts.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Subproperty::NoOverflow => "no-overflow",
            Subproperty::ValidDeref => "valid-deref",
            Subproperty::ValidFree => "valid-free",
            Subproperty::ValidMemtrack => "valid-memtrack",
            Subproperty::ValidMemcleanup => "valid-memcleanup",
        }
    }

    /// The checks that find all errors that violate it.
    #[must_use]
    pub fn checks(self) -> &'static [Check] {
        match self {
            Subproperty::NoOverflow => &[Check::Overflow],
            Subproperty::ValidDeref => &[Check::Memory, Check::Scope],
            Subproperty::ValidFree => &[Check::Memory],
            Subproperty::ValidMemtrack => &[Check::Leak],
            Subproperty::ValidMemcleanup => &[Check::Cleanup],
        }
    }

    /// Whether it is violated when the program ends, or memory is lost, and not by an operation.
    #[must_use]
    pub fn is_about_blocks(self) -> bool {
        matches!(
            self,
            Subproperty::ValidMemtrack | Subproperty::ValidMemcleanup
        )
    }

    /// Those that follow if no check finds anything.
    #[must_use]
    pub fn shown_by(checks: Checks) -> Vec<Subproperty> {
        let is_shown = |one: &Subproperty| {
            let mut needed = one.checks().iter();
            needed.all(|check| checks.contains(*check))
        };
        Subproperty::ALL.into_iter().filter(is_shown).collect()
    }

    /// The checks for several.
    #[must_use]
    pub fn checks_for(several: &[Subproperty]) -> Checks {
        let checks = several.iter().flat_map(|one| one.checks());
        checks.copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accesses_alone_do_not_show_that_accesses_are_valid() {
        let memory: Checks = [Check::Memory].into_iter().collect();
        assert_eq!(Subproperty::shown_by(memory), [Subproperty::ValidFree]);
    }
}
