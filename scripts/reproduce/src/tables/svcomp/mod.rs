//! Tasks of SV-COMP: results, points, tables.

pub mod score;
pub mod rows;
pub mod table;

pub use rows::{TaskKey, TaskRow, TaskRows, WitnessCheck};
