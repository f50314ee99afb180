//! compact-se: symbolic execution of LLVM bitcode that folds loops into closed forms.
//!
//! The rooms, in reading order; each may use only those above it (see `ARCHITECTURE.md`).

pub mod limits;
pub mod process;
pub mod term;
pub mod solver;
pub mod flowgraph;
pub mod replay;
pub mod frontend;
pub mod memory;
pub mod semantics;
pub mod property;
pub mod template;
pub mod necessary;
pub mod navigation;
pub mod symex;
pub mod horn;
pub mod analysis;
pub mod witness;
pub mod report;
pub mod svcomp;
pub mod cli;
