//! Chapter 6 of the thesis: its tables with our figures next to them.
//!
//! ```text
//! sets ----- programs (our generator, fixed seeds) --+
//! runs ----- configurations, rows, metrics ----------+--> tables, plot
//! paper ---- the thesis' figures --------------------+
//! ```
//!
//! # Source
//! Rozhoň, *Nested loops and path explosion in symbolic execution*, master's thesis, Chapter 6.

mod paper;
pub mod runs;
pub mod sets;
pub mod tables;

pub use runs::{CostRow, Estimated, ThesisKey, ThesisRow, ThesisRows};
pub use sets::ProgramSet;
pub use tables::{Limits, Plan, TABLES, ThesisTable};

/// The name of the benchmark.
pub const NAME: &str = "thesis";
