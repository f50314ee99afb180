//! Actions: what a step of an edge does, and which registers it reads and writes.

use super::{Expr, FunctionId, GoalId, RegId};
use serde::{Deserialize, Serialize};

/// An elementary step of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Action {
    /// The path continues only where this expression of width 1 holds.
    Assume(Expr),
    /// Parallel assignment.
    Assign(Vec<(RegId, Expr)>),
    /// `dst` gets as many bytes as it is wide (rounded up) from `address`.
    Load {
        dst: RegId,
        address: Expr,
    },
    /// As many bytes as `value` is wide (rounded up, zeros above) go to `address`.
    Store {
        address: Expr,
        value: Expr,
    },
    /// A new object of `bytes` bytes (as wide as a pointer) on the stack frame, with arbitrary
    /// content.
    Alloca {
        dst: RegId,
        bytes: Expr,
        /// A power of two that divides the object's address.
        align: u64,
        name: String,
    },
    /// `dst` gets a fresh arbitrary value: a nondeterministic input or an undefined value.
    Input {
        dst: RegId,
        name: String,
        /// The function without a body whose call in the program this is the result of; `None`
        /// for undefined values.
        call: Option<String>,
        /// Whether it stands for what a variable holds that the program has not given a value.
        unwritten: bool,
    },
    Call {
        dst: Option<RegId>,
        callee: Callee,
        args: Vec<Expr>,
    },
    Return(Option<Expr>),
    Builtin {
        dst: Option<RegId>,
        builtin: Builtin,
        args: Vec<Expr>,
        /// What people call the memory that the operation makes or makes arbitrary.
        name: Option<String>,
    },
    /// The target location of the analysis.
    Target,
    /// A place where a proof by invariants cuts a loop; it does nothing by itself.
    Cut,
    /// A goal of coverage is passed; it does nothing by itself.
    Goal(GoalId),
    /// The path ends here.
    End(EndKind),
    /// Something that the engine has no semantics for, by name; the path ends as unsupported.
    Unsupported(String),
}

impl Action {
    /// Whether the action stands alone on its edge.
    #[must_use]
    pub fn stands_alone(&self) -> bool {
        match self {
            Action::Call { .. }
            | Action::Return(_)
            | Action::End(_)
            | Action::Target
            | Action::Cut
            | Action::Unsupported(_) => true,
            Action::Assume(_)
            | Action::Assign(_)
            | Action::Load { .. }
            | Action::Store { .. }
            | Action::Alloca { .. }
            | Action::Input { .. }
            | Action::Goal(_)
            | Action::Builtin { .. } => false,
        }
    }

    /// Whether no path continues in this function behind the action.
    #[must_use]
    pub fn leaves_function(&self) -> bool {
        matches!(
            self,
            Action::Return(_) | Action::End(_) | Action::Unsupported(_)
        )
    }

    /// Every expression that the action evaluates, in the order of the fields.
    pub fn for_each_expr<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match self {
            Action::Assume(condition) => visit(condition),
            Action::Assign(pairs) => pairs.iter().for_each(|(_, value)| visit(value)),
            Action::Load { address, .. } => visit(address),
            Action::Store { address, value } => {
                visit(address);
                visit(value);
            }
            Action::Alloca { bytes, .. } => visit(bytes),
            Action::Call { callee, args, .. } => {
                if let Callee::Indirect(pointer) = callee {
                    visit(pointer);
                }
                args.iter().for_each(visit);
            }
            Action::Return(value) => value.iter().for_each(visit),
            Action::Builtin { args, .. } => args.iter().for_each(visit),
            Action::Input { .. }
            | Action::Target
            | Action::Cut
            | Action::Goal(_)
            | Action::End(_)
            | Action::Unsupported(_) => {}
        }
    }

    /// Every register that the action reads, with repetitions.
    pub fn for_each_use(&self, visit: &mut dyn FnMut(RegId)) {
        self.for_each_expr(&mut |expr| expr.for_each_reg(visit));
    }

    /// Every register that the action writes.
    pub fn for_each_def(&self, visit: &mut dyn FnMut(RegId)) {
        match self {
            Action::Assign(pairs) => pairs.iter().for_each(|&(dst, _)| visit(dst)),
            Action::Load { dst, .. } | Action::Alloca { dst, .. } | Action::Input { dst, .. } => {
                visit(*dst);
            }
            Action::Call { dst, .. } | Action::Builtin { dst, .. } => {
                dst.iter().copied().for_each(visit);
            }
            Action::Assume(_)
            | Action::Store { .. }
            | Action::Return(_)
            | Action::Target
            | Action::Cut
            | Action::Goal(_)
            | Action::End(_)
            | Action::Unsupported(_) => {}
        }
    }
}

/// Who is called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Callee {
    Direct(FunctionId),
    /// By function pointer.
    Indirect(Expr),
}

/// Memory operations that the engine knows. Pointers, counts, bytes and tokens are as wide as a
/// pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Builtin {
    /// `(bytes)`; content arbitrary. It fails for what no object can have, more than half of the address
    /// space, and so do those below.
    Malloc,
    /// `(alignment, bytes)`; content arbitrary. The alignment is a power of two.
    AlignedAlloc,
    /// `(count, bytes)`; content zero.
    Calloc,
    /// `(pointer, bytes)`.
    Realloc,
    /// `(pointer)`.
    Free,
    /// `(count, bytes)`: memory of the system, content zero, which `Free` may not free.
    SystemCalloc,
    /// `(pointer)`: frees memory of the system.
    SystemFree,
    /// `(alignment, bytes)`, as `AlignedAlloc`: what `operator new` of C++ gives.
    New,
    /// The same of `operator new[]`.
    NewArray,
    /// `(pointer, bytes)`: `operator delete`; bytes are those that were allocated, or all ones where
    /// the program does not tell them.
    Delete,
    /// The same for `operator delete[]`.
    DeleteArray,
    /// `(destination, source, bytes)`, as `memmove`.
    MemCopy,
    /// The same as `memcpy`: the blocks are the same, or do not overlap.
    MemCopyApart,
    /// `(destination, byte of width 8, bytes)`.
    MemSet,
    /// `(pointer, bytes)`: the bytes become arbitrary, an input of the program.
    Uninit,
    /// `(pointer)`: the block of the variable that is pointed to is entered; it may be accessed.
    ScopeBegin,
    /// `(pointer)`: the block of the variable that is pointed to is left; it may not be accessed any more.
    ScopeEnd,
    /// `(pointer, bytes)`: the bytes become arbitrary, since the program has not written them.
    Unwritten,
    /// `(bits of width 64)`: the program uses the value, as an argument or a result.
    Use,
    /// `(pointer, pointer)`: the program compares them by order, or subtracts one from the other.
    Pair,
    /// `()`, gives a token; the stack objects made after it die at `StackRestore`.
    StackSave,
    /// `(token)`.
    StackRestore,
    /// `(pointer, bytes)`: the path continues only where what begins there has so many bytes.
    HasSize,
    /// `(value, answer)`: the path continues only where the answer is whether the value is symbolic: 1 if it
    /// depends on inputs of the program, else 0.
    IsSymbolic,
}

impl Builtin {
    /// Whether it makes memory that is there until it is freed.
    #[must_use]
    pub fn allocates(self) -> bool {
        matches!(
            self,
            Builtin::Malloc
                | Builtin::AlignedAlloc
                | Builtin::Calloc
                | Builtin::SystemCalloc
                | Builtin::Realloc
                | Builtin::New
                | Builtin::NewArray
        )
    }
}

/// Declares how a path may end: each with its word in the text form, and a few words for people.
macro_rules! ends {
    ($($(#[doc = $doc:literal])* $end:ident $word:literal: $text:literal,)*) => {
        /// Why a path ends at an [`Action::End`].
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        pub enum EndKind {
            $($(#[doc = $doc])* $end,)*
        }

        impl EndKind {
            /// Each with its word in the text form.
            pub(super) const WORDS: &'static [(EndKind, &'static str)] =
                &[$((EndKind::$end, $word),)*];

            /// All of them.
            pub fn all() -> impl Iterator<Item = EndKind> {
                [$(EndKind::$end,)*].into_iter()
            }
        }

        /// In a few words, for people.
        impl std::fmt::Display for EndKind {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self {
                    $(EndKind::$end => $text,)*
                })
            }
        }
    };
}

ends! {
    /// `exit`.
    Exit "exit": "exit",
    /// `_exit`, `_Exit`, `quick_exit`: nothing is cleaned up.
    QuickExit "quick_exit": "exit without cleaning up",
    /// `abort`, `__builtin_trap`.
    Abort "abort": "the program aborts",
    /// A signal, by `raise`.
    Killed "killed": "a signal ends the program",
    /// A failed `assert`.
    AssertFail "assert_fail": "an assertion fails",
    /// Division by zero: the machine traps.
    DivisionTrap "division_trap": "division by zero",
    /// Division of the least number by −1, whose result does not fit: the machine traps.
    DivisionOverflow "division_overflow": "overflow in a division",
    /// The same, found by a check before the division, which does not say whether the machine divides, and
    /// traps, or the compiler's library, for wide numbers, and wraps around: undefined behaviour.
    QuotientOverflow "quotient_overflow": "overflow in a division",
    /// A shift by the width or more: undefined behaviour.
    Overshift "overshift": "shift by the width or more",
    /// `__builtin_ctz` or `__builtin_clz` of zero: undefined behaviour.
    CountOfZero "count_of_zero": "count of leading or trailing zeros of zero",
    /// A float that does not fit the integer it becomes: undefined behaviour.
    FloatOverflow "float_overflow": "float that does not fit the integer",
    /// A signed result that does not fit its type: undefined behaviour, where it is checked.
    SignedOverflow "signed_overflow": "signed overflow",
    /// A shift by the width or more, of a negative number, or of bits into the sign: undefined
    /// behaviour, where it is checked.
    UndefinedShift "undefined_shift": "shift that C does not define",
    /// An implicit conversion that changes an integer's value, where it is checked.
    ChangedByConversion "changed_by_conversion": "implicit conversion that changes the value",
    /// An index beyond its array, where it is checked.
    IndexOutOfBounds "index_out_of_bounds": "index out of the bounds of its array",
    /// An array on the stack whose size is not positive, or larger than an object can be: undefined behaviour.
    ArraySize "array_size": "array on the stack whose size is not positive or too large",
    /// An operation on constants that has no result, as `1 << 40`: undefined behaviour.
    Undefined "undefined": "operation on constants that has no result",
    /// A `longjmp` whose buffer was never set, or was set by a call that is over: undefined behaviour.
    LostJump "lost_jump":
        "longjmp with a buffer that was never set, or was set in a call that has returned",
    /// An `unreachable` instruction is reached: undefined behaviour.
    Unreachable "unreachable": "code marked as unreachable",
    /// A function of C++ that must return a value ends without one: undefined behaviour.
    MissingReturn "missing_return": "end of a function without the value that it must return",
    /// A call through a pointer to a function of another type, where it is checked.
    OtherFunctionType "other_function_type": "call through a pointer to a function of another type",
    /// An access at an address that is no multiple of what its type asks for, where it is checked.
    Misaligned "misaligned": "use of an address that is not aligned for its type",
    /// A member or a reference of an object at null, or an access to it, where it is checked.
    NullUse "null_use": "use of a null pointer",
    /// A truth value other than 0 and 1, or a value that no enumerator needs, where it is checked.
    InvalidValue "invalid_value": "value that its type does not have",
    /// A pointer whose sum with an offset wraps around or is one with null, where it is checked.
    PointerOverflow "pointer_overflow": "overflow of a pointer, or an offset from null",
    /// Null in the place of a parameter that is declared to be none, where it is checked.
    NullArgument "null_argument": "null for a parameter that is declared non-null",
    /// The same of a result.
    NullResult "null_result": "null returned by a function that is declared to return non-null",
    /// A division of floats by zero, where it is checked.
    FloatDivision "float_division": "division of floats by zero",
    /// Unsigned arithmetic that wraps around, where it is checked.
    UnsignedOverflow "unsigned_overflow": "unsigned overflow",
    /// A variable is used before it has a value, in a language in which that ends the program.
    Uninitialised "uninitialised": "use of a variable without a value",
}
