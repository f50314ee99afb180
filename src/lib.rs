//! compact-se: symbolic execution of LLVM bitcode that folds loops into closed forms.
//!
//! The rooms, in reading order; each may use only those above it (see `ARCHITECTURE.md`).

pub use analysis;
pub use flowgraph;
pub use frontend;
pub use horn;
pub use limits;
pub use memory;
pub use navigation;
pub use necessary;
pub use process;
pub use property;
pub use replay;
pub use report;
pub use semantics;
pub use solver;
pub use svcomp;
pub use symex;
pub use template;
pub use term;
pub use witness;
pub mod cli;
