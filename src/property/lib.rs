//! Properties: the specification of a program, and the meaning of each end of a path for the verdict.
//!
//! ```text
//! PathEnd --Property::meaning--> Meaning --executor--> Reasons, traps, witness --> VerdictKind
//! ```
//!
//! A property requires that no execution reaches the target or an error of a checked kind ([`Check`]). A new
//! kind of error is a row in `kinds`, a new check one in `check`; executor, confirmation, records, witnesses
//! and exit codes use these tables.
//!
//! # Invariants
//! - An end that neither the program nor the machine defines always affects the verdict: it is
//!   [`Meaning::Undefined`] or [`Meaning::Open`].
//!
//! # Deliberately absent
//! No search, no witnesses: a violation is a claim until the executor has it confirmed.
//!
//! ```
//! use compact_se_property::{Check, Checks};
//!
//! assert!(Checks::usual().contains(Check::Memory));
//! let without = Checks::usual().without(Check::Memory);
//! assert!(!without.contains(Check::Memory));
//! assert_eq!(Check::Overflow.word(), "overflow");
//! ```

mod check;
mod kinds;
mod subproperty;
mod error;
mod extent;
mod reason;
mod verdict;

pub use self::check::{Asked, Check, Checks};
pub use self::error::{ErrorKind, Violation};
pub use self::extent::Extent;
pub use self::kinds::{KindFacts, Observation, Otherwise};
pub use self::reason::{Reason, Reasons, size_of_stack};
pub use self::subproperty::Subproperty;
pub use self::verdict::VerdictKind;

use flowgraph::{EndKind, Span};
use semantics::{MemoryFault, PathEnd};

/// The property of a program: no execution reaches the target or an error of these kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Property {
    pub checks: Checks,
    /// What is meant by other undefined behaviour than the errors that are searched for.
    pub undefined: UndefinedBehaviour,
    /// Where errors are searched for; elsewhere they are other undefined behaviour. `None` for everywhere. It
    /// does not restrict the target.
    pub within: Option<Extent>,
}

/// The meaning of a path that ends in undefined behaviour for the verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UndefinedBehaviour {
    /// Anything may come after it, the target included: *unreachable* is excluded.
    KeepsOpen,
    /// Executions end there, since C defines no execution beyond: the verdict is about those
    /// that it defines.
    Ends,
    /// Accesses out of bounds and through null pointers end the program by the definition of its language, as in
    /// microc; other undefined behaviour keeps the verdict open.
    FaultsAreDefined,
}

/// The meaning of the end of a path for the verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// The program ends there as it says, which is no violation.
    Defined,
    /// The machine traps, so that nothing comes after it, which is no violation either.
    Trap(Span),
    /// The property is violated, if the path holds.
    Violation(Violation),
    /// C defines nothing after it, and executions that C does not define are not asked about.
    Undefined(Reason),
    /// It keeps the verdict open.
    Open(Reason),
}

impl Property {
    /// That no execution reaches the target, whatever else happens.
    #[must_use]
    pub const fn unreachable(undefined: UndefinedBehaviour) -> Property {
        Property {
            checks: Checks::NONE,
            undefined,
            within: None,
        }
    }

    /// The meaning of the end of a path.
    #[must_use]
    pub fn meaning(self, end: &PathEnd) -> Meaning {
        if let Some(violation) =
            Violation::at(end).filter(|violation| self.is_violated_by(*violation))
        {
            return Meaning::Violation(violation);
        }
        let Property { undefined, .. } = self;
        match end {
            PathEnd::Returned | PathEnd::Assumed(_) | PathEnd::Target(_) => Meaning::Defined,
            PathEnd::Program(kind, place) => match ErrorKind::Program(*kind).facts().otherwise {
                Otherwise::Defined => Meaning::Defined,
                Otherwise::Trap => Meaning::Trap(*place),
                Otherwise::GoesOn => {
                    let what = format!("execution behind a check: {kind}");
                    Meaning::Open(Reason::Unsupported(what, *place))
                }
                // Whoever has overflows checked and does not look for them asks about executions
                // without one, whatever is meant by other undefined behaviour.
                Otherwise::LeftOut => {
                    let what = EndKind::SignedOverflow.to_string();
                    Meaning::Undefined(Reason::UndefinedBehaviour(what, *place))
                }
                Otherwise::Undefined => {
                    undefined.meaning(Reason::UndefinedBehaviour(kind.to_string(), *place))
                }
            },
            PathEnd::Fault(fault, place)
                if ErrorKind::Memory(*fault).facts().otherwise == Otherwise::Trap =>
            {
                Meaning::Trap(*place)
            }
            PathEnd::Fault(MemoryFault::OutOfBounds, place)
                if undefined == UndefinedBehaviour::FaultsAreDefined =>
            {
                Meaning::Trap(*place)
            }
            PathEnd::Fault(fault, place) => undefined.meaning(Reason::Fault(*fault, *place)),
            PathEnd::Unsupported(what, place) => {
                Meaning::Open(Reason::Unsupported(what.clone(), *place))
            }
            PathEnd::Undecided(place) => Meaning::Open(Reason::Undecided(*place)),
        }
    }

    /// Whether this error violates the property.
    #[must_use]
    pub fn is_violated_by(self, violation: Violation) -> bool {
        let is_anywhere = violation.kind == ErrorKind::Target;
        let is_looked_for = |extent: Extent| is_anywhere || extent.contains(violation.place);
        self.forbids(violation.kind) && self.within.is_none_or(is_looked_for)
    }

    /// Whether an error of this kind violates the property, where it is searched for.
    #[must_use]
    pub fn forbids(self, kind: ErrorKind) -> bool {
        kind == ErrorKind::Target
            || kind
                .checks()
                .iter()
                .any(|check| self.checks.contains(*check))
    }

    /// Whether executions end at undefined behaviour, instead of keeping the verdict open.
    #[must_use]
    pub fn undefined_ends(self) -> bool {
        self.undefined == UndefinedBehaviour::Ends
    }
}

impl UndefinedBehaviour {
    fn meaning(self, reason: Reason) -> Meaning {
        match self {
            UndefinedBehaviour::KeepsOpen | UndefinedBehaviour::FaultsAreDefined => {
                Meaning::Open(reason)
            }
            UndefinedBehaviour::Ends => Meaning::Undefined(reason),
        }
    }
}

/// What C does not define about an end of a program; `None` for one that the program, or the
/// machine, defines.
#[must_use]
pub fn undefined_behaviour(kind: EndKind) -> Option<String> {
    match ErrorKind::Program(kind).facts().otherwise {
        Otherwise::Defined | Otherwise::Trap | Otherwise::GoesOn => None,
        Otherwise::LeftOut | Otherwise::Undefined => Some(kind.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN: Property = Property {
        checks: Checks::NONE,
        undefined: UndefinedBehaviour::KeepsOpen,
        within: None,
    };
    const ENDS: Property = Property {
        checks: Checks::NONE,
        undefined: UndefinedBehaviour::Ends,
        within: None,
    };

    #[test]
    fn undefined_behaviour_ends_executions_only_where_that_was_chosen() {
        let place = Span::UNKNOWN;
        for end in [
            PathEnd::Fault(MemoryFault::OutOfBounds, place),
            PathEnd::Program(EndKind::Overshift, place),
        ] {
            assert!(matches!(OPEN.meaning(&end), Meaning::Open(_)), "{end:?}");
            assert!(
                matches!(ENDS.meaning(&end), Meaning::Undefined(_)),
                "{end:?}"
            );
        }
    }

    #[test]
    fn languages_may_define_faults() {
        let place = Span::UNKNOWN;
        let property = Property::unreachable(UndefinedBehaviour::FaultsAreDefined);
        for fault in [MemoryFault::OutOfBounds, MemoryFault::NullPointer] {
            let end = PathEnd::Fault(fault, place);
            assert_eq!(property.meaning(&end), Meaning::Trap(place));
        }
        let freed = PathEnd::Fault(MemoryFault::UseAfterFree, place);
        assert!(matches!(property.meaning(&freed), Meaning::Open(_)));
        let shift = PathEnd::Program(EndKind::Overshift, place);
        assert!(matches!(property.meaning(&shift), Meaning::Open(_)));
    }

    #[test]
    fn executions_end_at_overflows_that_are_checked_and_not_looked_for() {
        let looked_for = Property {
            checks: [Check::Overflow].into_iter().collect(),
            ..ENDS
        };
        for kind in [EndKind::SignedOverflow, EndKind::QuotientOverflow] {
            let end = PathEnd::Program(kind, Span::UNKNOWN);
            let ends = Meaning::Undefined(Reason::UndefinedBehaviour(
                "signed overflow".to_owned(),
                Span::UNKNOWN,
            ));
            for property in [OPEN, ENDS] {
                assert_eq!(property.meaning(&end), ends);
            }
            assert!(matches!(looked_for.meaning(&end), Meaning::Violation(_)));
        }
    }

    #[test]
    fn errors_count_only_where_they_are_looked_for() {
        let place = |line| Span {
            file: 0,
            line,
            column: 3,
        };
        let property = Property {
            checks: [Check::Memory].into_iter().collect(),
            within: Some(Extent {
                first: place(7),
                last: place(7),
            }),
            ..ENDS
        };
        let fault = |line| PathEnd::Fault(MemoryFault::OutOfBounds, place(line));
        let meaning = |line| property.meaning(&fault(line));
        assert!(matches!(meaning(7), Meaning::Violation(_)));
        assert!(matches!(meaning(8), Meaning::Undefined(_)));
        let target = property.meaning(&PathEnd::Target(place(8)));
        assert!(matches!(target, Meaning::Violation(_)));
    }

    #[test]
    fn what_the_engine_leaves_out_keeps_every_verdict_open() {
        let place = Span::UNKNOWN;
        for end in [
            PathEnd::Unsupported("longjmp".to_owned(), place),
            PathEnd::Undecided(place),
        ] {
            assert!(matches!(OPEN.meaning(&end), Meaning::Open(_)), "{end:?}");
            assert!(matches!(ENDS.meaning(&end), Meaning::Open(_)), "{end:?}");
        }
    }

    #[test]
    fn traps_and_ends_of_the_program_keep_nothing_open() {
        let place = Span::UNKNOWN;
        let null = PathEnd::Fault(MemoryFault::NullPointer, place);
        let divisions = [EndKind::DivisionTrap, EndKind::DivisionOverflow];
        for property in [OPEN, ENDS] {
            assert_eq!(property.meaning(&null), Meaning::Trap(place));
            for division in divisions.map(|kind| PathEnd::Program(kind, place)) {
                assert_eq!(property.meaning(&division), Meaning::Trap(place));
            }
            assert_eq!(property.meaning(&PathEnd::Returned), Meaning::Defined);
            let abort = PathEnd::Program(EndKind::Abort, place);
            assert_eq!(property.meaning(&abort), Meaning::Defined);
            let target = PathEnd::Target(place);
            let kind = ErrorKind::Target;
            let violation = Violation { kind, place };
            assert_eq!(property.meaning(&target), Meaning::Violation(violation));
        }
    }

    #[test]
    fn errors_violate_where_they_are_looked_for() {
        let place = Span::UNKNOWN;
        let ends = [
            (
                PathEnd::Program(EndKind::AssertFail, place),
                Check::Assertions,
            ),
            (
                PathEnd::Fault(MemoryFault::OutOfBounds, place),
                Check::Memory,
            ),
            (
                PathEnd::Fault(MemoryFault::NullPointer, place),
                Check::Memory,
            ),
            (
                PathEnd::Program(EndKind::DivisionTrap, place),
                Check::Division,
            ),
            (
                PathEnd::Program(EndKind::Uninitialised, place),
                Check::Memory,
            ),
            (
                PathEnd::Program(EndKind::SignedOverflow, place),
                Check::Overflow,
            ),
            (PathEnd::Program(EndKind::Overshift, place), Check::Shift),
            (
                PathEnd::Program(EndKind::ChangedByConversion, place),
                Check::Conversion,
            ),
        ];
        for (end, wanted) in ends {
            for &check in Check::ALL {
                let property = Property {
                    checks: [check].into_iter().collect(),
                    ..OPEN
                };
                let meaning = property.meaning(&end);
                let is_violation = matches!(meaning, Meaning::Violation(_));
                assert_eq!(is_violation, check == wanted, "{end:?} by {check:?}");
            }
        }
        for quotient in [EndKind::DivisionOverflow, EndKind::QuotientOverflow] {
            for &check in Check::ALL {
                let property = Property {
                    checks: [check].into_iter().collect(),
                    ..OPEN
                };
                let finds_it = [Check::Division, Check::Overflow].contains(&check);
                let forbids = property.forbids(ErrorKind::Program(quotient));
                assert_eq!(forbids, finds_it, "{quotient:?} by {check:?}");
            }
        }
        let exit = PathEnd::Program(EndKind::Exit, place);
        let all = Property {
            checks: Check::ALL.iter().copied().collect(),
            ..OPEN
        };
        assert_eq!(all.meaning(&exit), Meaning::Defined);
    }
}
