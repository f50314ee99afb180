//! All tests of whole programs and of the command line, in one binary: it is linked once, and its tests share the
//! processors from the first to the last.
//!
//! `cargo test --test all errors::bounds` runs those of one module whose names begin so.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod support;

mod annotations;
mod architecture;
mod benchmarks_native;
mod checkpoint;
mod cli;
mod corpus;
mod corpus_native;
#[path = "cover/main.rs"]
mod cover;
mod determinism;
#[path = "differential/main.rs"]
mod differential;
mod errors;
mod executor;
mod explain;
#[path = "flowgraph/main.rs"]
mod flowgraph;
#[path = "frontend/main.rs"]
mod frontend;
mod library;
mod limits;
#[path = "microc/main.rs"]
mod microc;
#[path = "necessary/main.rs"]
mod necessary;
mod other_tools;
mod partial_operations;
mod portfolio;
mod queries;
#[path = "random_programs/main.rs"]
mod random_programs;
mod readme;
mod replay;
mod runtime;
mod stretch;
mod svcomp;
mod templates;
mod tree;
mod unknown_origin;
#[path = "witness/main.rs"]
mod witness;
