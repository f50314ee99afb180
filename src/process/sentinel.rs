//! The sentinel (watchdog): a thread that enforces limits of time and memory and handles signals.
//!
//! At a limit it raises the [`Interrupt`], and work stops by itself with its partial result. Some work cannot
//! poll (a system call, a library), or polls too seldom. If the command has not
//! [concluded](Sentinel::conclude) within a [`GRACE`], or memory keeps growing, the sentinel prints the
//! command's final report and ends the process, whatever the other threads are doing.
//!
//! # Signals
//! The first `SIGINT`, `SIGTERM` or `SIGHUP` is such a limit, the second ends the process at once.

use super::cleanup;
use limits::{Deadline, Exhausted, Interrupt, resident_memory};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often clock, memory and signals are examined.
const TICK: Duration = Duration::from_millis(10);

/// Work that is over a limit has so long to end by itself.
const GRACE: Duration = Duration::from_millis(750);

/// Of the memory limit, work may use one part in so many more while it comes to its end.
const MARGIN: u64 = 20;

/// The exit code that shells give a process that ends by `SIGINT`.
const BROKEN_OFF: u8 = 130;

/// The exit code where the last words fail by a defect of ours.
const DEFECT: u8 = 2;

/// The limits of a command.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub deadline: Deadline,
    /// Resident memory in bytes.
    pub memory: u64,
}

/// The sentinel's information when it ends the process.
#[derive(Clone, Copy, Debug)]
pub struct Overrun {
    pub why: Exhausted,
    /// The most resident memory that was seen, in bytes.
    pub peak_memory: u64,
}

/// Prints the final report and returns the exit code. It runs on the sentinel's thread, in parallel with work
/// that is stuck.
type FinalReport = Box<dyn FnOnce(Overrun) -> u8 + Send>;

/// A command that is watched.
struct Watched {
    bounds: Bounds,
    final_report: FinalReport,
    peak_memory: u64,
    /// Since when it is over a limit, and over which.
    overdue: Option<(Instant, Exhausted)>,
}

impl Watched {
    /// Looks at the limits; gives one that the work has not heeded.
    fn look(&mut self, interrupt: &Interrupt, now: Instant, resident: u64) -> Option<Exhausted> {
        self.peak_memory = self.peak_memory.max(resident);
        let bounds = &self.bounds;
        let reached = if resident > bounds.memory {
            Some(Exhausted::Memory)
        } else if bounds.deadline.moment().is_some_and(|end| now >= end) {
            Some(Exhausted::Time)
        } else {
            interrupt.reason()
        };
        if self.overdue.is_none() {
            let why = reached?;
            interrupt.raise_for(why);
            self.overdue = Some((now, why));
        }
        let (since, why) = self.overdue?;
        let most = bounds.memory.saturating_add(bounds.memory / MARGIN);
        if resident > most {
            return Some(Exhausted::Memory);
        }
        (now.saturating_duration_since(since) >= GRACE).then_some(why)
    }
}

struct Shared {
    interrupt: Interrupt,
    /// `None` before a command is watched, and from its conclusion on.
    watched: Mutex<Option<Watched>>,
    changed: Condvar,
    signalled: AtomicBool,
}

impl Shared {
    fn watched(&self) -> MutexGuard<'_, Option<Watched>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Watches over a command until it is dropped. A process has one.
pub struct Sentinel {
    shared: Arc<Shared>,
}

impl Sentinel {
    /// Listens to signals, and to limits once there are some ([`Sentinel::watch`]).
    ///
    /// # Errors
    /// If the system gives no thread or does not let us listen.
    pub fn start() -> std::io::Result<Sentinel> {
        let shared = Arc::new(Shared {
            interrupt: Interrupt::new(),
            watched: Mutex::new(None),
            changed: Condvar::new(),
            signalled: AtomicBool::new(false),
        });
        let signalled = Arc::clone(&shared);
        ctrlc::set_handler(move || {
            if signalled.signalled.swap(true, Ordering::Relaxed) {
                cleanup::end(BROKEN_OFF);
            }
            signalled.interrupt.raise();
        })
        .map_err(std::io::Error::other)?;
        let watching = Arc::clone(&shared);
        std::thread::Builder::new()
            .name("sentinel".to_owned())
            .spawn(move || keep_watch(&watching))?;
        Ok(Sentinel { shared })
    }

    /// The flag that it raises at a limit or a signal.
    #[must_use]
    pub fn interrupt(&self) -> Interrupt {
        self.shared.interrupt.clone()
    }

    /// Watches over these bounds from now on, with these last words, in place of those before.
    pub fn watch(&self, bounds: Bounds, final_report: impl FnOnce(Overrun) -> u8 + Send + 'static) {
        let mut watched = self.shared.watched();
        let before = watched.take();
        *watched = Some(Watched {
            bounds,
            final_report: Box::new(final_report),
            peak_memory: before.as_ref().map_or(0, |before| before.peak_memory),
            overdue: before.and_then(|before| before.overdue),
        });
        drop(watched);
        self.shared.changed.notify_one();
    }

    /// The command has its result and is going to give it: no limit counts any more. Does not
    /// return where the sentinel is ending the process already.
    pub fn conclude(&self) {
        *self.shared.watched() = None;
    }
}

impl Drop for Sentinel {
    fn drop(&mut self) {
        self.conclude();
    }
}

fn keep_watch(shared: &Shared) -> ! {
    let mut watched = shared.watched();
    loop {
        let Some(command) = &mut *watched else {
            let changed = shared.changed.wait(watched);
            watched = changed.unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        let why = command.look(&shared.interrupt, Instant::now(), resident_memory());
        if let Some(why) = why
            && let Some(command) = watched.take()
        {
            // The lock stays held, so that the command cannot conclude during the final report.
            let peak_memory = command.peak_memory;
            let final_report =
                AssertUnwindSafe(|| (command.final_report)(Overrun { why, peak_memory }));
            cleanup::end(catch_unwind(final_report).unwrap_or(DEFECT));
        }
        let waited = shared.changed.wait_timeout(watched, TICK);
        (watched, _) = waited.unwrap_or_else(PoisonError::into_inner);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: u64 = 1000 << 20;

    fn watched(time: Duration) -> (Watched, Instant) {
        let now = Instant::now();
        let bounds = Bounds {
            deadline: Deadline::at(now + time),
            memory: LIMIT,
        };
        let watched = Watched {
            bounds,
            final_report: Box::new(|_| 3),
            peak_memory: 0,
            overdue: None,
        };
        (watched, now)
    }

    #[test]
    fn work_is_told_first_and_ended_after_the_grace() {
        let interrupt = Interrupt::new();
        let (mut watched, start) = watched(Duration::from_secs(5));
        let mut at = |milliseconds| {
            let now = start + Duration::from_millis(milliseconds);
            watched.look(&interrupt, now, 1 << 20)
        };
        assert_eq!(at(4999), None);
        assert!(!interrupt.raised());
        assert_eq!(at(5000), None);
        assert_eq!(interrupt.reason(), Some(Exhausted::Time));
        assert_eq!(at(5740), None);
        assert_eq!(at(5750), Some(Exhausted::Time));
    }

    #[test]
    fn memory_that_goes_on_growing_is_not_waited_for() {
        let interrupt = Interrupt::new();
        let (mut watched, now) = watched(Duration::from_secs(5));
        assert_eq!(watched.look(&interrupt, now, LIMIT), None);
        assert!(!interrupt.raised());
        assert_eq!(watched.look(&interrupt, now, LIMIT + LIMIT / 20), None);
        assert_eq!(interrupt.reason(), Some(Exhausted::Memory));
        let grown = watched.look(&interrupt, now, LIMIT + LIMIT / 5);
        assert_eq!(grown, Some(Exhausted::Memory));
        assert_eq!(watched.peak_memory, LIMIT + LIMIT / 5);
    }

    #[test]
    fn an_interrupt_has_the_grace_too() {
        let interrupt = Interrupt::new();
        let (mut watched, now) = watched(Duration::from_secs(500));
        interrupt.raise();
        assert_eq!(watched.look(&interrupt, now, 0), None);
        let later = watched.look(&interrupt, now + GRACE, 0);
        assert_eq!(later, Some(Exhausted::Interrupted));
    }
}
