//! The table of kinds of errors, with all attributes of a kind.
//!
//! | column | asked by |
//! |---|---|
//! | checks | the property, records |
//! | observations | confirmation |
//! | CWE, KLEE's suffix, SV-COMP's property | records, folders like KLEE's, witnesses, verdicts |
//! | rank | lists of errors |
//! | otherwise | the property, for an end that is not checked |
//!
//! Texts for people are those of [`EndKind`], [`MemoryFault`] and [`Leak`], which are below.

use super::{Check, ErrorKind, Subproperty};
use flowgraph::EndKind;
use semantics::{Leak, MemoryFault};

/// A row of the table: the attributes of a kind of error.
#[derive(Clone, Copy, Debug)]
pub struct KindFacts {
    /// The checks that find it, one of which is enough: none for the target, and for an end that is no
    /// error. Named after the first of them.
    pub checks: &'static [Check],
    /// Observations in a native run, one of which is enough.
    pub observations: &'static [Observation],
    /// Number in the Common Weakness Enumeration.
    pub cwe: Option<u16>,
    /// The word in names of KLEE's files: KLEE's, where it has one.
    pub klee: &'static str,
    /// The property of SV-COMP that it violates.
    pub subproperty: Option<Subproperty>,
    /// For a list of errors, the worst first: what an attacker may use, what ends the program,
    /// what the program itself asks for, what gives wrong numbers.
    pub rank: u32,
    /// The meaning of such an end if it is not checked.
    pub otherwise: Otherwise,
}

/// An observation of an error in a native run: the reporter and its words.
#[derive(Clone, Copy, Debug)]
pub enum Observation {
    /// The program, which reaches its target.
    Target,
    /// `assert`.
    Assertion,
    /// `AddressSanitizer`, in one of these words.
    Address(&'static [&'static str]),
    /// `UndefinedBehaviorSanitizer`, in one of these words.
    Undefined(&'static [&'static str]),
    /// `MemorySanitizer`.
    Unwritten,
    /// One of these signals ends the program.
    Signal(&'static [i32]),
    /// Any signal does.
    AnySignal,
    /// The account of blocks that are left.
    Blocks,
}

/// The meaning of an end that is not a checked error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Otherwise {
    /// The program ends, or continues, as C says.
    Defined,
    /// The machine traps: nothing comes after it.
    Trap,
    /// The program continues, and this path, which ends at a check, does not.
    GoesOn,
    /// It is checked only to leave such executions out.
    LeftOut,
    /// C defines nothing.
    Undefined,
}

/// An end that is no error of its own.
const END: KindFacts = KindFacts {
    checks: &[],
    observations: &[],
    cwe: None,
    klee: "undefined_behavior",
    subproperty: None,
    rank: 7,
    otherwise: Otherwise::Defined,
};

/// Undefined behaviour.
const UNDEFINED: KindFacts = KindFacts {
    cwe: Some(758),
    otherwise: Otherwise::Undefined,
    ..END
};

/// An access that C does not define.
const ACCESS: KindFacts = KindFacts {
    checks: &[Check::Memory],
    observations: &[Observation::Address(&[
        "buffer-overflow",
        "buffer-underflow",
        "use-after-free",
        "use-after-poison",
        "unknown-crash",
        "negative-size-param",
        "SEGV",
        "BUS",
    ])],
    cwe: Some(119),
    klee: "ptr",
    subproperty: Some(Subproperty::ValidDeref),
    rank: 0,
    otherwise: Otherwise::Undefined,
};

/// An access where no object can lie.
const TRAPS: &[Observation] = &[Observation::Address(&["SEGV", "negative-size-param"])];

/// A use of memory that is of another kind.
const NO_DATA: &[Observation] = &[Observation::Address(&[
    "SEGV",
    "BUS",
    "ILL",
    "buffer-overflow",
    "unknown-crash",
])];

/// A call of `free` that C does not define.
const FREE: KindFacts = KindFacts {
    observations: &[Observation::Address(&[
        "attempting free",
        "attempting double-free",
        "SEGV",
    ])],
    klee: "free",
    subproperty: Some(Subproperty::ValidFree),
    ..ACCESS
};

const OVERFLOWS: Observation =
    Observation::Undefined(&["signed integer overflow", "negation of", "division of"]);

/// An overflow of a signed operation.
const OVERFLOW: KindFacts = KindFacts {
    checks: &[Check::Overflow],
    observations: &[OVERFLOWS],
    cwe: Some(190),
    klee: "overflow",
    subproperty: Some(Subproperty::NoOverflow),
    rank: 5,
    otherwise: Otherwise::LeftOut,
};

/// An end that the program asks for, as something that must not happen.
const ABORT: KindFacts = KindFacts {
    checks: &[Check::Abort],
    observations: &[Observation::Signal(&[
        libc::SIGABRT,
        libc::SIGILL,
        libc::SIGTRAP,
    ])],
    cwe: Some(617),
    klee: "abort",
    rank: 4,
    ..END
};

/// Code that must not be reached.
const UNREACHABLE: KindFacts = KindFacts {
    checks: &[Check::Unreachable],
    rank: 3,
    ..UNDEFINED
};

const TRAP: Observation = Observation::Address(&["FPE"]);

const SHIFT: KindFacts = KindFacts {
    checks: &[Check::Shift],
    observations: &[Observation::Undefined(&["shift"])],
    cwe: Some(1335),
    klee: "overshift",
    rank: 6,
    ..UNDEFINED
};

const CONVERSION: KindFacts = KindFacts {
    checks: &[Check::Conversion],
    observations: &[Observation::Undefined(&[
        "implicit conversion",
        "outside the range of representable",
    ])],
    cwe: Some(681),
    klee: "implicit_conversion",
    ..UNDEFINED
};

/// Memory that is left when the program ends.
const LEAK: KindFacts = KindFacts {
    checks: &[Check::Leak],
    observations: &[Observation::Blocks],
    cwe: Some(401),
    klee: "leak",
    subproperty: Some(Subproperty::ValidMemtrack),
    rank: 8,
    otherwise: Otherwise::Defined,
};

/// Errors that only clang's checks find.
const fn checked(checks: &'static [Check], observations: &'static [Observation]) -> KindFacts {
    KindFacts {
        checks,
        observations,
        ..UNDEFINED
    }
}

impl ErrorKind {
    /// Its row.
    #[must_use]
    pub fn facts(self) -> KindFacts {
        match self {
            ErrorKind::Target => KindFacts {
                observations: &[Observation::Target],
                klee: "target",
                rank: 3,
                ..END
            },
            ErrorKind::Program(kind) => of_end(kind),
            ErrorKind::Memory(fault) => of_fault(fault),
            ErrorKind::Leak(leak) => of_leak(leak),
        }
    }
}

fn of_end(kind: EndKind) -> KindFacts {
    match kind {
        EndKind::Exit | EndKind::QuickExit => END,
        EndKind::Abort => ABORT,
        EndKind::Killed => KindFacts {
            observations: &[Observation::AnySignal],
            ..ABORT
        },
        EndKind::AssertFail => KindFacts {
            checks: &[Check::Assertions],
            observations: &[Observation::Assertion],
            cwe: Some(617),
            klee: "assert",
            rank: 4,
            ..END
        },
        EndKind::DivisionTrap => KindFacts {
            checks: &[Check::Division],
            observations: &[TRAP],
            cwe: Some(369),
            klee: "div",
            rank: 2,
            otherwise: Otherwise::Trap,
            ..END
        },
        // They trap as a division by zero does, and the result does not fit as that of a sum.
        EndKind::DivisionOverflow => KindFacts {
            otherwise: Otherwise::Trap,
            ..of_end(EndKind::QuotientOverflow)
        },
        EndKind::QuotientOverflow => KindFacts {
            checks: &[Check::Division, Check::Overflow],
            observations: &[TRAP, OVERFLOWS],
            rank: 2,
            ..OVERFLOW
        },
        EndKind::SignedOverflow => OVERFLOW,
        EndKind::Overshift | EndKind::UndefinedShift => SHIFT,
        EndKind::FloatOverflow => CONVERSION,
        EndKind::ChangedByConversion => KindFacts {
            otherwise: Otherwise::GoesOn,
            ..CONVERSION
        },
        EndKind::IndexOutOfBounds => KindFacts {
            checks: &[Check::Index],
            observations: &[Observation::Undefined(&["out of bounds for type"])],
            cwe: Some(129),
            klee: "ptr",
            rank: 0,
            ..UNDEFINED
        },
        EndKind::ArraySize => KindFacts {
            checks: &[Check::Memory],
            observations: &[Observation::Undefined(&[
                "variable length array bound",
                "signed integer overflow",
            ])],
            cwe: Some(789),
            klee: "ptr",
            rank: 0,
            ..UNDEFINED
        },
        EndKind::Unreachable => KindFacts {
            observations: &[Observation::Undefined(&["unreachable program point"])],
            ..UNREACHABLE
        },
        EndKind::MissingReturn => KindFacts {
            observations: &[Observation::Undefined(&["without returning a value"])],
            ..UNREACHABLE
        },
        EndKind::CountOfZero => KindFacts {
            observations: &[Observation::Undefined(&["passing zero to"])],
            ..UNREACHABLE
        },
        EndKind::Undefined | EndKind::LostJump => UNDEFINED,
        EndKind::OtherFunctionType => KindFacts {
            cwe: Some(843),
            rank: 2,
            ..checked(
                &[Check::Function],
                &[Observation::Undefined(&[
                    "through pointer to incorrect function type",
                ])],
            )
        },
        EndKind::Misaligned => KindFacts {
            cwe: Some(704),
            ..checked(
                &[Check::Alignment],
                &[Observation::Undefined(&["misaligned address"])],
            )
        },
        EndKind::NullUse => KindFacts {
            cwe: Some(476),
            klee: "ptr",
            rank: 1,
            ..checked(
                &[Check::Null],
                &[Observation::Undefined(&["null pointer of type"])],
            )
        },
        EndKind::InvalidValue => KindFacts {
            cwe: Some(704),
            ..checked(
                &[Check::Bool, Check::Enum],
                &[Observation::Undefined(&["not a valid value for type"])],
            )
        },
        EndKind::PointerOverflow => KindFacts {
            cwe: Some(119),
            rank: 5,
            ..checked(
                &[Check::PointerOverflow],
                &[Observation::Undefined(&[
                    "applying",
                    "pointer index expression",
                    "unsigned offset",
                ])],
            )
        },
        EndKind::NullArgument => KindFacts {
            cwe: Some(476),
            ..checked(
                &[Check::NonNull],
                &[Observation::Undefined(&["null pointer passed as argument"])],
            )
        },
        EndKind::NullResult => KindFacts {
            cwe: Some(476),
            ..checked(
                &[Check::ReturnsNonNull],
                &[Observation::Undefined(&[
                    "null pointer returned from function",
                ])],
            )
        },
        EndKind::FloatDivision => KindFacts {
            cwe: Some(369),
            otherwise: Otherwise::GoesOn,
            ..checked(
                &[Check::FloatDivision],
                &[Observation::Undefined(&["division by zero"])],
            )
        },
        EndKind::UnsignedOverflow => KindFacts {
            cwe: Some(190),
            klee: "overflow",
            otherwise: Otherwise::GoesOn,
            ..checked(
                &[Check::UnsignedOverflow],
                &[Observation::Undefined(&[
                    "unsigned integer overflow",
                    "negation of",
                ])],
            )
        },
        EndKind::Uninitialised => KindFacts {
            checks: &[Check::Memory],
            cwe: Some(457),
            rank: 1,
            otherwise: Otherwise::Trap,
            ..END
        },
    }
}

fn of_fault(fault: MemoryFault) -> KindFacts {
    let cwe = |cwe| KindFacts {
        cwe: Some(cwe),
        ..ACCESS
    };
    let cwe_of_free = |cwe| KindFacts {
        cwe: Some(cwe),
        ..FREE
    };
    match fault {
        MemoryFault::NullPointer => KindFacts {
            observations: TRAPS,
            rank: 1,
            otherwise: Otherwise::Trap,
            ..cwe(476)
        },
        MemoryFault::NoAddress => KindFacts {
            observations: TRAPS,
            rank: 1,
            otherwise: Otherwise::Trap,
            ..ACCESS
        },
        MemoryFault::OutOfBounds => ACCESS,
        MemoryFault::UseAfterFree => KindFacts {
            observations: &[Observation::Address(&[
                "use-after-free",
                "use-after-poison",
                "SEGV",
            ])],
            ..cwe(416)
        },
        MemoryFault::UseAfterReturn => KindFacts {
            observations: &[Observation::Address(&[
                "stack-use",
                "stack-buffer",
                "unknown-crash",
                "SEGV",
            ])],
            ..cwe(562)
        },
        MemoryFault::UseAfterScope => KindFacts {
            checks: &[Check::Scope],
            observations: &[Observation::Address(&["stack-use-after-scope"])],
            ..cwe(825)
        },
        MemoryFault::WriteToConstant => KindFacts {
            observations: NO_DATA,
            klee: "readonly",
            ..cwe(758)
        },
        MemoryFault::NotData | MemoryFault::NotCode => KindFacts {
            observations: NO_DATA,
            ..cwe(843)
        },
        MemoryFault::InvalidFree => cwe_of_free(763),
        MemoryFault::DoubleFree => cwe_of_free(415),
        MemoryFault::MismatchedFree => KindFacts {
            observations: &[Observation::Address(&["mismatch", "attempting free"])],
            ..cwe_of_free(762)
        },
        MemoryFault::OverlappingCopy => KindFacts {
            observations: &[Observation::Address(&["param-overlap"])],
            ..cwe(475)
        },
        MemoryFault::OtherObject => KindFacts {
            checks: &[Check::PointerPair],
            observations: &[Observation::Address(&["invalid-pointer-pair"])],
            klee: "undefined_behavior",
            subproperty: None,
            rank: 7,
            ..cwe(469)
        },
        MemoryFault::StackOverflow => KindFacts {
            observations: &[Observation::Address(&["stack-overflow"])],
            rank: 1,
            otherwise: Otherwise::Trap,
            ..cwe(674)
        },
        MemoryFault::UninitialisedUse => KindFacts {
            checks: &[Check::Uninitialised],
            observations: &[Observation::Unwritten],
            klee: "uninit",
            subproperty: None,
            rank: 1,
            ..cwe(457)
        },
    }
}

fn of_leak(leak: Leak) -> KindFacts {
    match leak {
        Leak::Lost => LEAK,
        Leak::NotFreed => KindFacts {
            checks: &[Check::Cleanup],
            subproperty: Some(Subproperty::ValidMemcleanup),
            rank: 9,
            ..LEAK
        },
    }
}
