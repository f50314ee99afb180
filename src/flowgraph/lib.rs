//! Flowgraphs: the program as locations and edges that carry actions.
//!
//! Front ends build a [`Program`]; templates and the executor only read it.
//!
//! # Invariants (checked by [`verify()`])
//! - Every location is reachable from its function's entry.
//! - Every location but an *end* has an outgoing edge. Exactly the edges with
//!   [`Action::Return`], [`Action::End`] or [`Action::Unsupported`] lead to ends.
//! - A location with several outgoing edges is a *branching*: each of these edges begins with
//!   [`Action::Assume`], and the conditions are mutually exclusive and exhaustive.
//!   A location with one outgoing edge is passed unconditionally; an `Assume` there is an
//!   assumption of the program (`__VERIFIER_assume`): if it fails, the path ends silently.
//! - [`Action::Call`], [`Action::Return`], [`Action::End`], [`Action::Target`] and
//!   [`Action::Unsupported`] stand alone on their edge. With [`Granularity::Split`] every action
//!   does; an edge without action is allowed.
//! - In an [`Action::Assign`] all right-hand sides are evaluated before any register changes.
//! - Registers are assigned with expressions of their width; addresses, sizes and counts of
//!   bytes are as wide as a pointer, and so are registers of pointer type.
//! - Names are unique: of registers and of locations in their function, of functions and globals
//!   together in the program.
//!
//! # Deliberately absent
//! No LLVM, no solver, no execution.
//!
//! # Source
//! Slaby, Strejček, Trtík, *Compact Symbolic Execution*, ATVA 2013, Section 2 and Appendix C.
//!
//! ```
//! use compact_se_flowgraph::{Program, verify};
//!
//! let text = "program block pointers 64 main @main
//! fn @main(%n: i32) -> i32 {
//!   reg %i: i32
//!   start -> head: %i = 0:32
//!   head -> body: assume %i <u %n
//!   head -> out: assume %i >=u %n
//!   body -> head: %i = %i + 1:32
//!   out -> end: return %i
//! }
//! ";
//! let program: Program = text.parse()?;
//! verify(&program).expect("all invariants hold");
//! let main = program.function(program.main);
//! assert_eq!(main.loops().loops.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod action;
mod expr;
mod function;
mod builder;
mod bitset;
pub mod verify;
pub mod text;
mod dot;
pub mod cycles;
mod backbones;
mod chains;
pub mod liveness;
pub mod changes;
pub mod difference;
pub mod loops;
mod postdominators;
pub mod query_counts;
pub mod distance;
mod ends;
mod endless;
mod facts;
mod goals;
mod assumptions;
mod targets;
mod unchecked;
mod places;
mod stack;
pub mod compact;
pub mod short_circuit;
mod unread;

pub use action::{Action, Builtin, Callee, EndKind};
pub use assumptions::{AssumptionGoals, with_goals_at_assumptions};
pub use backbones::{Backbones, Induced};
pub use bitset::BitSet;
pub use builder::FunctionBuilder;
pub use chains::{Chain, ChainForm, ChainId, ChainLine, LoopNode};
pub use changes::change_of;
pub use compact::{merge_straight_edges, remove_unreachable};
pub use cycles::{Cycle, CycleWalk, Entries, ExitEdge, enumerate_cycles, enumerate_cycles_from};
pub use difference::{CounterPair, DifferenceLiveness, LiveHere, Order};
pub use distance::Distances;
use distance::distances_to_target;
pub use endless::without_endless_calls;
pub use ends::SureEnds;
pub use expr::Expr;
pub use facts::ProgramFacts;
pub use function::Function;
pub use goals::{goal_at, goals_left, with_goals_as_targets};
pub use liveness::Liveness;
pub use loops::{Dominators, Loop, LoopId, LoopNest};
pub use places::{MODEL_FILES, called_at, file_of_call, is_of_library};
pub use postdominators::{Extent, Meeting, PostDominators};
pub use query_counts::QueryCounts;
pub use short_circuit::join_branchings;
pub use stack::Stack;
pub use targets::{target_places, with_target_at};
pub use unchecked::without_checks;
pub use unread::remove_unread_objects;
pub use verify::{VerifyError, verify};

use std::sync::Arc;

use serde::{Deserialize, Serialize};

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            /// Position in the table that holds the contents.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    };
}

handle!(
    /// A location of a function's flowgraph.
    NodeId, "n"
);
handle!(
    /// An edge of a function's flowgraph.
    EdgeId, "e"
);
handle!(
    /// A function of the program.
    FunctionId, "f"
);
handle!(
    /// A register of a function: a variable whose address is never taken.
    RegId, "r"
);
handle!(
    /// A global variable of the program.
    GlobalId, "g"
);
handle!(
    /// A goal of coverage: a side of a branching of the source, a line, or a call.
    GoalId, "c"
);

/// How fine the flowgraph is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Granularity {
    /// One action an edge, and a comparison is a branching that assigns 1 and 0 (ATVA 2013,
    /// Appendix C, Figure 4).
    Split,
    /// A basic block an edge; a comparison used only by its branch is fused into it.
    Block,
}

impl Granularity {
    pub const ALL: [Granularity; 2] = [Granularity::Block, Granularity::Split];

    /// By option and in records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Granularity::Split => "split",
            Granularity::Block => "block",
        }
    }

    /// What an edge has, in a line.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            Granularity::Split => {
                "One action an edge, with comparisons as branchings (ATVA 2013, Appendix C)"
            }
            Granularity::Block => "A basic block an edge",
        }
    }
}

/// A whole program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Program {
    /// Bits of a pointer: 32 or 64. Memory is little-endian.
    pub pointer_bits: u32,
    pub granularity: Granularity,
    /// Indexed by [`FunctionId`].
    pub functions: Vec<Arc<Function>>,
    /// Indexed by [`GlobalId`].
    pub globals: Vec<Global>,
    /// Where execution starts; its parameters are inputs.
    pub main: FunctionId,
    /// Source files, indexed by [`Span::file`].
    pub files: Vec<String>,
}

impl Program {
    /// The function behind a handle.
    ///
    /// # Panics
    /// If the handle is not of this program.
    #[must_use]
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    /// The global behind a handle.
    ///
    /// # Panics
    /// If the handle is not of this program.
    #[must_use]
    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.index()]
    }

    /// All function handles, ascending.
    pub fn function_ids(&self) -> impl ExactSizeIterator<Item = FunctionId> + use<> {
        (0..handle_count(self.functions.len())).map(FunctionId)
    }

    /// The number of the loop with this header, from 1 through all functions.
    #[must_use]
    pub fn loop_number(&self, function: FunctionId, header: NodeId) -> Option<usize> {
        let before = self.functions[..function.index()].iter();
        let n_before: usize = before.map(|one| one.loops().loops.len()).sum();
        let mut loops = self.function(function).loops().loops.iter();
        let position = loops.position(|natural| natural.header == header)?;
        Some(n_before + position + 1)
    }

    /// All global handles, ascending.
    pub fn global_ids(&self) -> impl ExactSizeIterator<Item = GlobalId> + use<> {
        (0..handle_count(self.globals.len())).map(GlobalId)
    }

    /// The function of this name; names are unique in a verified program.
    #[must_use]
    pub fn function_by_name(&self, name: &str) -> Option<FunctionId> {
        self.function_ids()
            .find(|&id| self.function(id).name == name)
    }

    /// The global of this name; names are unique in a verified program.
    #[must_use]
    pub fn global_by_name(&self, name: &str) -> Option<GlobalId> {
        self.global_ids().find(|&id| self.global(id).name == name)
    }
}

/// Table lengths as handles count them.
///
/// # Panics
/// If a table has 2^32 entries or more.
fn handle_count(len: usize) -> u32 {
    u32::try_from(len).expect("tables have less than 2^32 entries")
}

/// A register.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegData {
    /// Unique in the function.
    pub name: String,
    /// Width in bits.
    pub bits: u32,
    /// Whether the register has pointer type.
    pub pointer: bool,
}

/// A location.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeData {
    /// Unique in the function; for LLVM the block's name, with a suffix inside the block.
    pub name: String,
    pub span: Span,
    /// Where a loop of the source begins here, its last line.
    pub loop_end: Option<u32>,
}

/// The steps of an edge, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EdgeData {
    pub steps: Vec<Step>,
}

/// An action and where in the source it comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    pub action: Action,
    pub span: Span,
}

impl Step {
    /// An action that comes from this place.
    #[must_use]
    pub fn new(action: Action, span: Span) -> Step {
        Step { action, span }
    }
}

/// A place in the source; line 0 means unknown.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
pub struct Span {
    /// Index into [`Program::files`].
    pub file: u32,
    pub line: u32,
    pub column: u32,
}

impl Span {
    /// No place.
    pub const UNKNOWN: Span = Span {
        file: 0,
        line: 0,
        column: 0,
    };
}

/// A global variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Global {
    pub name: String,
    pub bytes: u64,
    /// A power of two that divides its address.
    pub align: u64,
    pub storage: Storage,
    pub initializer: Initializer,
}

/// Where a global lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Storage {
    Variable,
    /// The program must not write it.
    Constant,
    /// A constant without a separate identity, as the text of a string: another of the same bytes, or
    /// the end of one, may lie at the same place.
    Literal,
}

/// The initial content of a global.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Initializer {
    /// All bytes zero.
    Zero,
    /// These bytes, and on top of them addresses at byte offsets (sorted); each expression is
    /// as wide as a pointer and mentions no registers.
    Bytes {
        bytes: Vec<u8>,
        addresses: Vec<(u64, Expr)>,
    },
    /// Declared elsewhere: arbitrary.
    Extern,
}
