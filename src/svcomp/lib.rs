//! SV-COMP: tasks, properties, answers.
//!
//! ```text
//! .yml --Task--> files, data model, property --AnalysisOptions--> AnalysisRecord --> answer
//! ```
//!
//! # Invariants
//! - An unsupported property is an error, never replaced by another one.
//! - *true* is *unreachable* and *false* is *reachable* of [`symex`]; nothing is added.
//!
//! # Deliberately absent
//! No names of tasks, no built-in expectations: these come from the task.
//!
//! ```
//! use compact_se_svcomp::{Answer, Specification};
//! use property::{Check, VerdictKind};
//!
//! let text = "CHECK( init(main()), LTL(G ! overflow) )";
//! let property = Specification::parse(text, "no-overflow.prp".as_ref())?;
//! assert!(property.checks().contains(Check::Overflow));
//! assert_eq!(Answer::of_verdict(VerdictKind::Unreachable), Answer::True);
//! # Ok::<(), compact_se_svcomp::PropertyError>(())
//! ```

pub mod coverage;
pub mod property;
pub mod task;
pub mod answer;

pub use answer::{Answer, verdict_line, why};
pub use coverage::CoverageProperty;
pub use property::{PropertyError, Specification, UnreachCall};
pub use task::{ChosenProperty, Task, TaskError};
