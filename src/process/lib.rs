//! This process towards the system: what it starts and writes for a while, and how it ends.
//!
//! ```text
//! clock, memory, signals --Sentinel--> Interrupt --> work ends by itself, with what it knows
//!                                  \--(it does not)--> last words, nothing left behind, exit
//! ```
//!
//! - [`Sentinel`]: a thread that watches the limits of a command, and ends the process where the
//!   work does not heed them.
//! - [`Launch`]: a program to be started, and what it is started with.
//! - [`Group`]: a child process with all that it starts.
//! - [`Folder`]: a temporary folder.
//! - [`write_whole`]: a file that is there whole or not at all.
//!
//! # Invariants
//! - Groups and folders are gone when their value is dropped or the sentinel ends the process.
//! - A command speaks once: its result, or the sentinel's last words.
//!
//! # Deliberately absent
//! No verdicts, no texts: what is said at the end is for the command.

mod belongings;
mod file;
mod launch;
mod sentinel;

pub use belongings::{Folder, Group, end};
pub use file::write_whole;
pub use launch::{Confine, Launch};
pub use sentinel::{Bounds, Overrun, Sentinel};
