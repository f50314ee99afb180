//! Actions: what a step of an edge does, and which registers it reads and writes.

use super::{Expr, FunctionId, GoalId, RegId};
use serde::{Deserialize, Serialize};

/// An elementary step of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Action {
    /// The path goes on only where this expression of width 1 holds.
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

    /// Whether no path goes on in this function behind the action.
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
    /// `()`, gives a token; the stack objects made after it die at `StackRestore`.
    StackSave,
    /// `(token)`.
    StackRestore,
    /// `(pointer, bytes)`: the path goes on only where what begins there has so many bytes.
    HasSize,
    /// `(value, answer)`: the path goes on only where the answer is whether the value is symbolic: 1 if it
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

/// Why a path ends at an [`Action::End`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum EndKind {
    /// `exit`.
    Exit,
    /// `_exit`, `_Exit`, `quick_exit`: nothing is cleaned up.
    QuickExit,
    /// `abort`, `__builtin_trap`.
    Abort,
    /// A failed `assert`.
    AssertFail,
    /// Division by zero: the machine traps.
    DivisionTrap,
    /// Division of the least number by −1, whose result does not fit: the machine traps.
    DivisionOverflow,
    /// The same, found by a check before the division, which does not say whether the machine divides, and
    /// traps, or the compiler's library, for wide numbers, and wraps around: undefined behaviour.
    QuotientOverflow,
    /// A shift by the width or more: undefined behaviour.
    Overshift,
    /// `__builtin_ctz` or `__builtin_clz` of zero: undefined behaviour.
    CountOfZero,
    /// A float that does not fit the integer it becomes: undefined behaviour.
    FloatOverflow,
    /// A signed result that does not fit its type: undefined behaviour, where it is checked.
    SignedOverflow,
    /// A shift by the width or more, of a negative number, or of bits into the sign: undefined
    /// behaviour, where it is checked.
    UndefinedShift,
    /// An implicit conversion that changes an integer's value, where it is checked.
    ChangedByConversion,
    /// An index beyond its array, where it is checked.
    IndexOutOfBounds,
    /// An operation on constants that has no result, as `1 << 40`: undefined behaviour.
    Undefined,
    /// A `longjmp` whose buffer was never set, or was set by a call that is over: undefined behaviour.
    LostJump,
    /// An `unreachable` instruction is reached: undefined behaviour.
    Unreachable,
    /// A variable is used before it has a value, in a language in which that ends the program.
    Uninitialised,
}

/// In a few words, for people.
impl std::fmt::Display for EndKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            EndKind::Exit => "exit",
            EndKind::QuickExit => "exit without cleaning up",
            EndKind::Abort => "abort",
            EndKind::AssertFail => "an assertion fails",
            EndKind::DivisionTrap => "division by zero",
            EndKind::DivisionOverflow | EndKind::QuotientOverflow => "overflow in a division",
            EndKind::Overshift => "shift by the width or more",
            EndKind::CountOfZero => "count of the zeros before or behind no bit",
            EndKind::FloatOverflow => "float that does not fit the integer",
            EndKind::SignedOverflow => "signed overflow",
            EndKind::UndefinedShift => "shift that C does not define",
            EndKind::ChangedByConversion => "implicit conversion that changes the value",
            EndKind::IndexOutOfBounds => "index out of the bounds of its array",
            EndKind::Undefined => "operation on constants that has no result",
            EndKind::LostJump => {
                "longjmp by a buffer that was never set, or was set by a call that is over"
            }
            EndKind::Unreachable => "code that must not be reached",
            EndKind::Uninitialised => "use of a variable without a value",
        })
    }
}
