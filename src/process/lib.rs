//! Operating-system interface: child processes, temporary files, resource limits, and the end of the process.
//!
//! ```text
//! clock, memory, signals --Sentinel--> Interrupt --> work stops by itself, with its partial result
//!                                  \--(it does not)--> final report, cleanup, exit
//! ```
//!
//! - [`Sentinel`]: a watchdog thread for the limits of a command, which ends the process where the work ignores them.
//! - [`Launch`]: a program to start, with its arguments, environment and files.
//! - [`Group`]: a child process and its descendants.
//! - [`Folder`]: a temporary folder.
//! - [`write_whole`]: atomic write of a file.
//! - [`print()`], [`write()`], [`complain`]: results and messages.
//! - [`companion`]: the path of a program that is installed together with this one.
//!
//! # Invariants
//! - Groups and folders are gone when their value is dropped or the sentinel ends the process.
//! - A command reports once: its result, or the sentinel's final report.
//!
//! # Deliberately absent
//! No verdicts, no texts: the command provides the final report.
//!
//! ```
//! use compact_se_process::{Folder, Group, Launch};
//! use std::time::Duration;
//!
//! let folder = Folder::new("example-")?;
//! let path = folder.path().to_owned();
//! let mut launch = Launch::new("touch");
//! launch.arg(path.join("file"));
//! let status = Group::start(&launch)?.wait(Duration::from_secs(10))?;
//! assert!(status.is_some_and(|status| status.success()));
//! assert!(path.join("file").exists());
//! drop(folder);
//! assert!(!path.exists());
//! # Ok::<(), std::io::Error>(())
//! ```

mod cleanup;
mod file;
mod launch;
mod output;
mod programs;
mod sentinel;

pub use cleanup::{Folder, Group, end};
pub use file::write_whole;
pub use launch::{Confine, Launch};
pub use output::{
    OutputError, check_writable, complain, exit, print, write, write_json, write_or_print,
};
pub use programs::{companion, executable};
pub use sentinel::{Bounds, Overrun, Sentinel};
