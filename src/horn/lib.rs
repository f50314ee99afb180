//! Proofs by constrained Horn clauses: invariants of loops and summaries of functions, found by
//! Spacer over the integers, and checked by queries of our own over bit-vectors.
//!
//! ```text
//! Program --system--> Clauses --joins--> fewer predicates --integers--> SMT-LIB, logic HORN
//!                                              |                               |
//!                                              |                            Spacer
//!                                              v                               v
//!                                  check, over bit-vectors <---------- Interpretation
//!                                              |
//!                                    unreachable, or nothing
//! ```
//!
//! A predicate stands for the states in which a location is reached: where many paths join, at loop
//! headers, and at entries of functions. Another one for each function stands for its calls: what
//! it returns for which arguments. Memory that is accessed at fixed places takes part as registers do, that of
//! globals in what is said of functions too. An interpretation of the predicates under which all clauses hold
//! is an inductive invariant of the whole program, recursion included.
//!
//! Where Spacer takes long, what random executions have in common (affine equations, congruences, octagons,
//! bounds of what the program compares, inequalities between two numbers) is guessed first; models over the
//! integers refute most of what is chance, and what is inductive of the rest helps Spacer on. Where a program
//! multiplies, so are equations between polynomials, modulo 2^w: whether they are kept is ring arithmetic.
//!
//! A path through a loop that adds constants has a closed form: many iterations are one clause, which Spacer
//! gets too.
//!
//! Over the integers nothing wraps around, and what has no integer form is arbitrary, so that the
//! answer is a guess about the program. It is taken apart into conjuncts; those that do not hold
//! inductively over bit-vectors are dropped, and the rest proves the program if it excludes all
//! violations.
//!
//! # Invariants
//! - A proof depends on the clauses and the solver chain only, not on Spacer nor on how clauses are
//!   written over the integers.
//! - A system of clauses has all executions of its program: programs of which that is not
//!   known are refused.
//! - A proof is *unreachable* or nothing.
//!
//! # Deliberately absent
//! No heap, no pointers that may point to several variables, no calls by pointer. No counterexamples.
//!
//! # Source
//! Grebenshchikov, Lopes, Popeea, Rybalchenko, *Synthesizing Software Verifiers from Proof Rules*,
//! PLDI 2012; Flanagan, Leino, *Houdini, an Annotation Assistant for ESC/Java*, FME 2001.
//!
//! ```
//! use flowgraph::Program;
//! use compact_se_horn::{Refusal, System};
//! use property::{Property, UndefinedBehaviour};
//!
//! let text = "program block pointers 64 main @main
//! fn @main(%n: i32) -> i32 {
//!   start -> end: return %n
//! }
//! ";
//! let program: Program = text.parse()?;
//! let property = Property::unreachable(UndefinedBehaviour::KeepsOpen);
//! // Clauses are for programs with loops or recursion.
//! assert!(matches!(System::new(&program, property), Err(Refusal::Straight)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod acceleration;
mod calls;
mod cells;
mod check;
mod compared;
mod equations;
mod hulls;
mod integers;
mod joins;
mod lattice;
mod learn;
mod lemmas;
mod names;
mod proof;
mod sample;
mod sieve;
mod signs;
mod system;

pub use learn::claims;
pub use proof::{HornPolicy, Proof};
pub use system::{Refusal, System};
