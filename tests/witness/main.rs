//! Answers that others can check: the files written for a verdict, and checking them.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod check_correctness;
mod check_violation;
mod correctness;
mod errors;
mod files;
mod programs;
