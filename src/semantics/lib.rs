//! Semantics: the effect of one step of the program on a program state.
//!
//! ```text
//! State (location, θ, φ) --step--> successors: running states and ended paths
//! ```
//!
//! Algorithm 2 uses it for classic steps (`computeClassicSuccessors`), Algorithm 1 for executing the path
//! around a cycle (`executePath`). An [`Oracle`] decides the feasibility of successors: the executor's oracle
//! is the solver, that of Algorithm 1 accepts everything and decides at the end of the path.
//!
//! # Invariants
//! - The path condition of a running state is satisfiable if the oracle's answers are right.
//! - Every possible continuation or end of a step is among its successors, or the oracle refuted it.
//!
//! # Deliberately absent
//! No search order, no templates, no solver.
//!
//! # Source
//! Slaby, Strejček, Trtík, *Compact Symbolic Execution*, ATVA 2013, Sections 2 and 3.1.
//!
//! ```
//! use flowgraph::Program;
//! use compact_se_semantics::Machine;
//! use term::TermPool;
//!
//! let text = "program block pointers 64 main @main
//! fn @main(%n: i32) -> i32 {
//!   start -> end: return %n
//! }
//! ";
//! let program: Program = text.parse()?;
//! let mut pool = TermPool::new();
//! let machine = Machine::new(&mut pool, &program);
//! let state = machine.initial_state(&mut pool);
//! assert!(state.path_cond.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod access;
mod block;
mod builtin;
mod dangling;
mod evaluate;
mod folded;
mod input;
mod leak;
mod machine;
mod merge;
mod origin;
mod place;
mod projection;
mod room;
mod state;
mod step;
mod stretch;
mod unwritten;

pub use folded::{CallSite, FoldedCalls, FoldedFrames};
pub use input::{GivenInput, GivenInputs, InputEvent, InputLog, InputSite};
pub use leak::{Block, Fate, Leak, Roots, blocks, fates};
pub use machine::{Accesses, Machine};
pub use merge::{Accepts, Difference, Holder, Parting, without_common};
pub use place::{callers_of, place_after_call, place_of};
pub use projection::{Projection, Projector};
pub use state::{
    Decision, Exceeded, Frame, Location, Noted, PathCondition, Sides, State, noted_by, noted_by_any,
};
pub use step::{Admission, MemoryFault, Oracle, Outcome, PathEnd, Successors, Trusting};
pub use stretch::{Ending, Reach, Scope, Stretch, Stretcher};
