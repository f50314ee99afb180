//! Checks: the classes of errors that can be searched for.

/// When errors of a kind are searched for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// By default, where a program has no target of its own; and with `--check all`.
    Usually,
    /// With `--check all`.
    WithAll,
    /// By its name only.
    ByName,
}

/// A row of the table of checks.
struct Row {
    check: Check,
    /// As `--check` has it.
    word: &'static str,
    /// For people.
    name: &'static str,
    asked: Asked,
    /// For the list that `--help` shows.
    help: &'static str,
}

/// Declares the checks, each with its row.
macro_rules! checks {
    ($($(#[doc = $doc:literal])* $check:ident {
        word: $word:literal, name: $name:literal, asked: $asked:ident, help: $help:literal,
    })*) => {
        /// A kind of errors that can be looked for, in addition to the target.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Check {
            $($(#[doc = $doc])* $check,)*
        }

        impl Check {
            /// All of them.
            pub const ALL: &'static [Check] = &[$(Check::$check,)*];
        }

        /// In the order of [`Check::ALL`].
        const ROWS: &[Row] = &[$(Row {
            check: Check::$check,
            word: $word,
            name: $name,
            asked: Asked::$asked,
            help: $help,
        },)*];
    };
}

checks! {
    /// Assertions that fail.
    Assertions {
        word: "assert", name: "assertions", asked: Usually,
        help: "Assertions that fail",
    }
    /// Accesses to memory that C does not define, and `free` of what `malloc` did not give; in
    /// microc uses of variables without a value, too.
    Memory {
        word: "memory", name: "memory accesses", asked: Usually,
        help: "Accesses out of bounds, through null pointers and to freed memory, bad and double frees",
    }
    /// Divisions by zero, and by −1 of the least number.
    Division {
        word: "division", name: "divisions", asked: Usually,
        help: "Divisions by zero, and of the least number by -1",
    }
    /// Ends by `abort`, a trap or a signal.
    Abort {
        word: "abort", name: "aborts", asked: Usually,
        help: "Ends by abort, a trap, raise of a signal, or an exception that is not caught",
    }
    /// Code that C says is not reached, and results that C says are not asked for.
    Unreachable {
        word: "unreachable", name: "code marked as unreachable", asked: Usually,
        help: "__builtin_unreachable, returns of a _Noreturn function, a missing return of C++, \
               __builtin_ctz and __builtin_clz of zero",
    }
    /// Signed results that do not fit their type.
    Overflow {
        word: "overflow", name: "signed overflows", asked: WithAll,
        help: "Signed results that do not fit their type, in C and C++ files, as shift, conversion, \
               index and scope",
    }
    /// Shifts that C does not define.
    Shift {
        word: "shift", name: "shifts", asked: WithAll,
        help: "Shifts by the width or more, of negative numbers, of bits into the sign",
    }
    /// Implicit conversions of integers that change the value, and floats that do not fit the
    /// integer they become.
    Conversion {
        word: "conversion", name: "conversions", asked: WithAll,
        help: "Implicit conversions of integers that change the value, and floats that do not fit",
    }
    /// Indices beyond an array whose size is known, within a larger object too.
    Index {
        word: "index", name: "indices of arrays", asked: WithAll,
        help: "Indices beyond an array whose size is known, within a structure too",
    }
    /// Calls through pointers to functions of another type.
    Function {
        word: "function", name: "types of called functions", asked: WithAll,
        help: "Calls through a pointer to a function of another type",
    }
    /// Addresses that are not aligned.
    Alignment {
        word: "alignment", name: "alignment of addresses", asked: WithAll,
        help: "Uses of addresses that are not aligned for their type",
    }
    /// Uses of null without an access.
    Null {
        word: "null", name: "uses of null pointers", asked: WithAll,
        help: "Uses of null pointers, also without an access (members, references)",
    }
    /// Null for parameters that are declared not to be null.
    NonNull {
        word: "nonnull", name: "non-null parameters", asked: WithAll,
        help: "Null for a parameter that is declared non-null",
    }
    /// Null returned where that is declared not to happen.
    ReturnsNonNull {
        word: "returns-nonnull", name: "non-null results", asked: WithAll,
        help: "Null returned by a function that is declared to return non-null",
    }
    /// Pointers that wrap around, and offsets from null.
    PointerOverflow {
        word: "pointer-overflow", name: "overflows of pointers", asked: WithAll,
        help: "Sums of a pointer and an offset that wrap around, and offsets from null",
    }
    /// Truth values other than 0 and 1.
    Bool {
        word: "bool", name: "values of bool", asked: WithAll,
        help: "Values of bool other than 0 and 1",
    }
    /// Values outside of enumerations.
    Enum {
        word: "enum", name: "values of enumerations", asked: WithAll,
        help: "Values outside the range of a C++ enumeration",
    }
    /// Order and distance of pointers to different objects.
    PointerPair {
        word: "pointer-pair", name: "pairs of pointers", asked: WithAll,
        help: "Pointers to different objects that are compared by order or subtracted",
    }
    /// Divisions of floats by zero.
    FloatDivision {
        word: "float-division", name: "divisions of floats", asked: ByName,
        help: "Divisions of floats by zero, which C defines where it has infinities",
    }
    /// Unsigned arithmetic that wraps around.
    UnsignedOverflow {
        word: "unsigned-overflow", name: "unsigned overflows", asked: ByName,
        help: "Unsigned arithmetic that wraps around, as C defines it",
    }
    /// Accesses to variables of a block that was left.
    Scope {
        word: "scope", name: "variables out of scope", asked: ByName,
        help: "Accesses to variables whose block was left; disables folding of loops",
    }
    /// Values that were not written and decide branchings, are addresses, are passed to functions or returned.
    Uninitialised {
        word: "uninitialised", name: "uninitialised values", asked: ByName,
        help: "Uninitialised values that decide a branch, are used as an address, are passed to a \
               function or are returned; disables folding of loops",
    }
    /// Memory to which no pointer leads any more when the program ends, by a return from `main` or
    /// `exit`.
    Leak {
        word: "leak", name: "lost memory", asked: WithAll,
        help: "Memory that is lost: when the program ends, by a return from main or exit, no pointer \
               in a global variable, or in one of a function that runs, leads to it",
    }
    /// Memory that is not freed then.
    Cleanup {
        word: "cleanup", name: "memory that is not freed", asked: ByName,
        help: "Memory that is not freed when the program ends by a return from main or exit (SV-COMP's \
               valid-memcleanup)",
    }
}

impl Check {
    /// Those of the errors that there are in microc.
    pub const OF_MICROC: [Check; 2] = [Check::Memory, Check::Division];

    fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// As the command line has it, `assert`.
    #[must_use]
    pub fn word(self) -> &'static str {
        self.row().word
    }

    /// The name of the check for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// A description of the errors, for the list of all checks.
    #[must_use]
    pub fn help(self) -> &'static str {
        self.row().help
    }

    /// When its errors are searched for.
    #[must_use]
    pub fn asked(self) -> Asked {
        self.row().asked
    }
}

/// A set of [`Check`]s.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Checks(u32);

impl Checks {
    /// The target only.
    pub const NONE: Checks = Checks(0);

    /// The default checks of a program without a target.
    #[must_use]
    pub fn usual() -> Checks {
        let rows = ROWS.iter();
        let usual = rows.filter(|row| row.asked == Asked::Usually);
        usual.map(|row| row.check).collect()
    }

    /// The checks of `--check all`.
    #[must_use]
    pub fn with_all() -> Checks {
        let rows = ROWS.iter();
        let with_all = rows.filter(|row| row.asked != Asked::ByName);
        with_all.map(|row| row.check).collect()
    }

    /// Whether errors of this kind are searched for.
    #[must_use]
    pub fn contains(self, check: Check) -> bool {
        self.0 & (1 << check as u32) != 0
    }

    /// Whether it is examined which memory is left when the program ends.
    #[must_use]
    pub fn follows_blocks(self) -> bool {
        self.contains(Check::Leak) || self.contains(Check::Cleanup)
    }

    /// Whether accesses to memory are examined, those of functions that put something out included.
    #[must_use]
    pub fn follows_memory(self) -> bool {
        let of_memory = [Check::Memory, Check::Scope, Check::Uninitialised];
        of_memory.iter().any(|check| self.contains(*check))
    }

    /// Whether something is searched for of which a formula for all iterations of a loop does not tell: on
    /// which symbols a condition really depends, and which variables are in scope.
    #[must_use]
    pub fn follows_each_iteration(self) -> bool {
        self.contains(Check::Uninitialised) || self.contains(Check::Scope)
    }

    /// The same without this one.
    #[must_use]
    pub fn without(self, check: Check) -> Checks {
        Checks(self.0 & !(1 << check as u32))
    }

    /// The same without those that are about memory that is left.
    #[must_use]
    pub fn without_blocks(self) -> Checks {
        self.without(Check::Leak).without(Check::Cleanup)
    }

    /// Whether nothing is searched for but the target.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self == Checks::NONE
    }

    /// In the order of [`Check::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Check> {
        let all = Check::ALL.iter().copied();
        all.filter(move |check| self.contains(*check))
    }
}

impl FromIterator<Check> for Checks {
    fn from_iter<I: IntoIterator<Item = Check>>(checks: I) -> Checks {
        let bits = checks.into_iter().map(|check| 1 << check as u32);
        Checks(bits.fold(0, |all, bit| all | bit))
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
        assert!(Check::ALL.iter().all(|check| {
            let one: Checks = [*check].into_iter().collect();
            one.iter().eq([*check]) && check.row().check == *check
        }));
    }

    #[test]
    fn all_looks_for_what_is_looked_for_by_default_too() {
        let (usual, all) = (Checks::usual(), Checks::with_all());
        assert!(usual.iter().all(|check| all.contains(check)));
        assert!(all.contains(Check::Overflow) && !usual.contains(Check::Overflow));
        assert!(!all.contains(Check::Scope));
    }
}
