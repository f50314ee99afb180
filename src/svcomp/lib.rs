//! SV-COMP: tasks, properties, answers, points.
//!
//! ```text
//! .yml --Task--> files, data model, property --AnalysisOptions--> AnalysisRecord --> answer
//!                                                                      |
//!                                                    TaskRow --> tables, points (2013, today)
//! ```
//!
//! # Invariants
//! - An unsupported property is an error, never replaced by another one.
//! - *true* is *unreachable* and *false* is *reachable* of [`symex`]; nothing is added.
//!
//! # Deliberately absent
//! No names of tasks, no built-in expectations: these come from the task.

pub mod coverage;
pub mod property;
pub mod task;
pub mod score;
pub mod answer;
pub mod rows;
pub mod table;

pub use answer::verdict_line;
pub use coverage::CoverageProperty;
pub use property::{PropertyError, Specification, UnreachCall};
pub use rows::{TaskKey, TaskRow, TaskRows, WitnessCheck};
pub use score::{Answer, Rules};
pub use task::{Question, Task, TaskError};
