//! Theorems 2 and 3: classic and compact trees describe the same executions, the real ones.
//!
//! A concrete interpreter runs a program on random inputs; in either tree exactly one path must
//! take it up, below a template with exactly one number of iterations κ, and hold the interpreter's
//! values at every location ([`follow`]). So each leaf of the classic tree that an execution
//! reaches has its leaf and its κ in the compact tree (Theorem 2), and a compact leaf with a wrong
//! κ has no execution (Theorem 3). No solver is needed to tell.
//!
//! What executions show for some inputs, the solver shows for all: the two trees are compared leaf
//! by leaf for small numbers of iterations ([`leaves`], [`theorems`]).
//!
//! Programs are made at random, in the flowgraph's text form ([`generate`]), or are the corpus.
//!
//! `DIFFERENTIAL_FACTOR=50 cargo test --test all differential::` looks at 50 times as many random
//! programs; `scripts/mutation.sh` checks that broken rules are noticed.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a failed test says on which program"
)]

mod follow;
mod generate;
mod interpreter;
mod leaves;
mod programs;
mod recursion;
mod theorems;
mod run;
