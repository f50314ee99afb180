//! Limits shared by all work: a deadline, and an interrupt flag with its reason (cancellation token).
//!
//! Long-running work polls [`Interrupt::raised`] and [`Deadline::passed`], which are cheap, and stops with
//! its partial result. Work that does not poll is ended from outside (`process`).
//!
//! ```
//! use compact_se_limits::{Deadline, Exhausted, Interrupt};
//! use std::time::Duration;
//!
//! let whole = Interrupt::new();
//! let part = whole.inner();
//! part.raise_for(Exhausted::Work);
//! assert_eq!(part.reason(), Some(Exhausted::Work));
//! assert!(!whole.raised());
//!
//! let deadline = Deadline::after(Duration::ZERO).min(Deadline::NEVER);
//! assert!(deadline.passed());
//! ```

mod clock;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

pub use clock::ThreadClock;

/// Which limit ended a run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Exhausted {
    Time,
    /// The work that was allowed.
    Work,
    Memory,
    Interrupted,
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Exhausted::Time => "out of time (--timeout)",
            Exhausted::Work => "its share of the work is used up",
            Exhausted::Memory => "out of memory (--memory)",
            Exhausted::Interrupted => "interrupted",
        })
    }
}

/// The moment at which work must have stopped; [`Deadline::NEVER`] for no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    /// No limit.
    pub const NEVER: Deadline = Deadline(None);

    /// This moment.
    #[must_use]
    pub fn at(moment: Instant) -> Deadline {
        Deadline(Some(moment))
    }

    /// That long from now.
    #[must_use]
    pub fn after(time: Duration) -> Deadline {
        Deadline(Instant::now().checked_add(time))
    }

    /// The moment, `None` when there is no limit.
    #[must_use]
    pub fn moment(self) -> Option<Instant> {
        self.0
    }

    /// The earlier of two.
    #[must_use]
    pub fn min(self, other: Deadline) -> Deadline {
        match (self.0, other.0) {
            (Some(a), Some(b)) => Deadline(Some(a.min(b))),
            (a, b) => Deadline(a.or(b)),
        }
    }

    /// True iff the moment is over.
    #[must_use]
    pub fn passed(self) -> bool {
        self.0.is_some_and(|moment| Instant::now() >= moment)
    }

    /// Time left, zero when over; `None` when there is no limit.
    #[must_use]
    pub fn remaining(self) -> Option<Duration> {
        self.0
            .map(|moment| moment.saturating_duration_since(Instant::now()))
    }
}

/// A flag that stops running work: raised by Ctrl-C or by the owner of a budget, from any thread. Clones
/// share the flag.
#[derive(Clone, Default)]
pub struct Interrupt {
    /// 0 while it is not raised, else the reason ([`code`]).
    flag: Arc<AtomicU8>,
    /// Raising this one raises it too.
    outer: Option<Arc<Interrupt>>,
}

fn code(why: Exhausted) -> u8 {
    match why {
        Exhausted::Time => 1,
        Exhausted::Memory => 2,
        Exhausted::Interrupted => 3,
        Exhausted::Work => 4,
    }
}

impl Interrupt {
    /// A flag that is not raised.
    #[must_use]
    pub fn new() -> Interrupt {
        Interrupt::default()
    }

    /// A flag for a part of the work: raised together with this one, or by itself.
    #[must_use]
    pub fn inner(&self) -> Interrupt {
        Interrupt {
            flag: Arc::default(),
            outer: Some(Arc::new(self.clone())),
        }
    }

    /// Raises the flag; running queries end as `Unknown(Interrupted)` within about 20 ms.
    pub fn raise(&self) {
        self.raise_for(Exhausted::Interrupted);
    }

    /// Raises the flag because of a limit. The first reason stays.
    pub fn raise_for(&self, why: Exhausted) {
        let relaxed = Ordering::Relaxed;
        // An error means that it was raised before.
        let _ = self.flag.compare_exchange(0, code(why), relaxed, relaxed);
    }

    /// True iff the flag is raised.
    #[must_use]
    pub fn raised(&self) -> bool {
        self.reason().is_some()
    }

    /// Why the flag was raised; `None` while it is not.
    #[must_use]
    pub fn reason(&self) -> Option<Exhausted> {
        let raised = self.flag.load(Ordering::Relaxed);
        let all = [
            Exhausted::Time,
            Exhausted::Memory,
            Exhausted::Interrupted,
            Exhausted::Work,
        ];
        all.into_iter()
            .find(|why| code(*why) == raised)
            .or_else(|| self.outer.as_ref()?.reason())
    }
}

impl fmt::Debug for Interrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Interrupt({:?})", self.reason())
    }
}

/// Resident memory of this process in bytes; 0 where the system does not tell.
#[must_use]
pub fn resident_memory() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm
        .split_whitespace()
        .nth(1)
        .and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or(0) * 4096
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_earlier_deadline_wins() {
        let soon = Deadline::after(Duration::ZERO);
        assert_eq!(soon.min(Deadline::NEVER), soon);
        assert_eq!(Deadline::NEVER.min(soon), soon);
        assert!(soon.passed());
        assert!(!Deadline::NEVER.passed());
        assert_eq!(soon.remaining(), Some(Duration::ZERO));
    }

    #[test]
    fn a_part_is_stopped_with_the_whole_or_alone() {
        let whole = Interrupt::new();
        let (one, other) = (whole.inner(), whole.inner());
        one.raise();
        assert!(one.raised() && !other.raised() && !whole.raised());
        whole.raise();
        assert!(other.raised() && other.inner().raised());
    }

    #[test]
    fn the_first_reason_stays() {
        let interrupt = Interrupt::new();
        let part = interrupt.inner();
        assert_eq!(part.reason(), None);
        interrupt.raise_for(Exhausted::Memory);
        interrupt.raise();
        assert_eq!(part.reason(), Some(Exhausted::Memory));
    }

    #[test]
    fn this_process_has_memory() {
        assert!(resident_memory() > 1 << 20);
    }
}
