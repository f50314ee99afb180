//! Errors of a program, and which of them are looked for.

use crate::flowgraph::{EndKind, Span};
use crate::semantics::{Leak, MemoryFault, PathEnd};

/// A kind of errors that can be looked for, beside the target.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Check {
    /// Assertions that fail.
    Assertions,
    /// Accesses to memory that C does not define, and `free` of what `malloc` did not give; in
    /// microc uses of variables without a value, too.
    Memory,
    /// Divisions by zero, and by −1 of the least number.
    Division,
    /// Signed results that do not fit their type.
    Overflow,
    /// Shifts that C does not define.
    Shift,
    /// Implicit conversions of integers that change the value, and floats that do not fit the
    /// integer they become.
    Conversion,
    /// Indices beyond an array whose size is known, within a larger object too.
    Index,
    /// Accesses to variables of a block that was left.
    Scope,
    /// Values that were not written and decide branchings, are addresses, or are returned by `main`.
    Uninitialised,
    /// Memory to which no pointer leads any more when the program ends, by a return from `main` or
    /// `exit`.
    Leak,
    /// Memory that is not freed then.
    Cleanup,
}

impl Check {
    /// All of them.
    pub const ALL: [Check; 11] = [
        Check::Assertions,
        Check::Memory,
        Check::Division,
        Check::Overflow,
        Check::Shift,
        Check::Conversion,
        Check::Index,
        Check::Scope,
        Check::Uninitialised,
        Check::Leak,
        Check::Cleanup,
    ];

    /// Those of the errors that there are in microc.
    pub const OF_MICROC: [Check; 2] = [Check::Memory, Check::Division];

    /// What is checked, for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Check::Assertions => "assertions",
            Check::Memory => "memory accesses",
            Check::Division => "divisions",
            Check::Overflow => "signed overflows",
            Check::Shift => "shifts",
            Check::Conversion => "conversions",
            Check::Index => "indices of arrays",
            Check::Scope => "variables of blocks that were left",
            Check::Uninitialised => "uninitialised values",
            Check::Leak => "lost memory",
            Check::Cleanup => "memory that is not freed",
        }
    }
}

/// A set of [`Check`]s.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Checks(u16);

impl Checks {
    /// The target only.
    pub const NONE: Checks = Checks(0);

    /// Whether errors of this kind are looked for.
    #[must_use]
    pub fn contains(self, check: Check) -> bool {
        self.0 & (1 << check as u8) != 0
    }

    /// Whether it is looked at which memory is left when the program ends.
    #[must_use]
    pub fn follows_blocks(self) -> bool {
        self.contains(Check::Leak) || self.contains(Check::Cleanup)
    }

    /// Whether something is looked for of which a formula for all iterations of a loop does not tell: on
    /// which symbols a condition really depends, and which variables are in scope.
    #[must_use]
    pub fn follows_each_iteration(self) -> bool {
        self.contains(Check::Uninitialised) || self.contains(Check::Scope)
    }

    /// The same without those that are about memory that is left.
    #[must_use]
    pub fn without_blocks(self) -> Checks {
        let others = self.iter();
        others
            .filter(|check| !matches!(check, Check::Leak | Check::Cleanup))
            .collect()
    }

    /// Whether nothing is looked for but the target.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self == Checks::NONE
    }

    /// In the order of [`Check::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Check> {
        let all = Check::ALL.into_iter();
        all.filter(move |check| self.contains(*check))
    }
}

impl FromIterator<Check> for Checks {
    fn from_iter<I: IntoIterator<Item = Check>>(checks: I) -> Checks {
        let bits = checks.into_iter().map(|check| 1 << check as u8);
        Checks(bits.fold(0, |all, bit| all | bit))
    }
}

/// What went wrong.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ErrorKind {
    /// The target was reached.
    Target,
    /// An operation, or an assertion.
    Program(EndKind),
    /// An access to memory.
    Memory(MemoryFault),
    /// Memory that is left when the program ends; its place is that of the allocation.
    Leak(Leak),
}

/// An error with its place in the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Violation {
    pub kind: ErrorKind,
    pub place: Span,
}

impl ErrorKind {
    /// The checks that find it, one of which is enough: none for the target, and for what no check is
    /// about. Named after the first of them.
    #[must_use]
    pub fn checks(self) -> &'static [Check] {
        match self {
            ErrorKind::Target => &[],
            ErrorKind::Memory(MemoryFault::UninitialisedUse) => &[Check::Uninitialised],
            ErrorKind::Memory(MemoryFault::UseAfterScope) => &[Check::Scope],
            ErrorKind::Memory(_) => &[Check::Memory],
            ErrorKind::Leak(Leak::Lost) => &[Check::Leak],
            ErrorKind::Leak(Leak::NotFreed) => &[Check::Cleanup],
            ErrorKind::Program(kind) => match kind {
                EndKind::AssertFail => &[Check::Assertions],
                EndKind::DivisionTrap => &[Check::Division],
                // It traps as a division by zero does, and its result does not fit as that of a sum.
                EndKind::DivisionOverflow | EndKind::QuotientOverflow => {
                    &[Check::Division, Check::Overflow]
                }
                EndKind::Uninitialised => &[Check::Memory],
                EndKind::SignedOverflow => &[Check::Overflow],
                EndKind::IndexOutOfBounds => &[Check::Index],
                EndKind::Overshift | EndKind::UndefinedShift => &[Check::Shift],
                EndKind::FloatOverflow | EndKind::ChangedByConversion => &[Check::Conversion],
                EndKind::Exit
                | EndKind::QuickExit
                | EndKind::Abort
                | EndKind::CountOfZero
                | EndKind::Undefined
                | EndKind::LostJump
                | EndKind::Unreachable => &[],
            },
        }
    }

    /// For a list of errors, the worst first: what an attacker may use, what ends the program,
    /// what the program itself asks for, what gives wrong numbers.
    #[must_use]
    pub fn rank(self) -> u32 {
        match self {
            ErrorKind::Memory(MemoryFault::NullPointer | MemoryFault::UninitialisedUse)
            | ErrorKind::Program(EndKind::Uninitialised) => 1,
            ErrorKind::Memory(_) | ErrorKind::Program(EndKind::IndexOutOfBounds) => 0,
            ErrorKind::Program(
                EndKind::DivisionTrap | EndKind::DivisionOverflow | EndKind::QuotientOverflow,
            ) => 2,
            ErrorKind::Target => 3,
            ErrorKind::Program(EndKind::AssertFail) => 4,
            ErrorKind::Program(EndKind::SignedOverflow) => 5,
            ErrorKind::Program(EndKind::Overshift | EndKind::UndefinedShift) => 6,
            ErrorKind::Leak(Leak::Lost) => 8,
            ErrorKind::Leak(Leak::NotFreed) => 9,
            ErrorKind::Program(_) => 7,
        }
    }
}

impl Violation {
    /// The error at which a path ends, if a check could be about that end.
    pub(super) fn at(end: &PathEnd) -> Option<Violation> {
        let (kind, place) = match end {
            PathEnd::Target(place) => (ErrorKind::Target, *place),
            PathEnd::Program(kind, place) => (ErrorKind::Program(*kind), *place),
            PathEnd::Fault(fault, place) => (ErrorKind::Memory(*fault), *place),
            PathEnd::Returned
            | PathEnd::Assumed(_)
            | PathEnd::Unsupported(..)
            | PathEnd::Undecided(_) => return None,
        };
        Some(Violation { kind, place })
    }
}

/// In a few words, for people.
impl std::fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ErrorKind::Target => f.write_str("the target is reached"),
            ErrorKind::Program(kind) => write!(f, "{kind}"),
            ErrorKind::Memory(fault) => write!(f, "{fault}"),
            ErrorKind::Leak(leak) => write!(f, "{leak}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_what_was_put_in() {
        let checks: Checks = [Check::Overflow, Check::Memory].into_iter().collect();
        assert_eq!(
            checks.iter().collect::<Vec<_>>(),
            [Check::Memory, Check::Overflow]
        );
        assert!(Checks::NONE.is_empty() && !checks.is_empty());
        assert!(Check::ALL.into_iter().all(|check| {
            let one: Checks = [check].into_iter().collect();
            one.iter().eq([check])
        }));
    }
}
