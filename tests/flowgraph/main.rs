//! Tests of the flowgraph room: golden files, broken programs, and clever algorithms against
//! slow obvious ones on random programs.
//!
//! `UPDATE_GOLDEN=1 cargo test --test all flowgraph::` renews the golden files.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod generate;
mod golden;
mod merging;
mod properties;
mod short_circuit;
mod verify;
