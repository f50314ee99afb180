//! Limits that every question keeps: a moment in time and a flag that anybody may raise.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

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

/// A flag that stops running work: raised by Ctrl-C or by whoever owns a budget, from any thread.
/// Clones share the flag.
#[derive(Clone, Default)]
pub struct Interrupt {
    flag: Arc<AtomicBool>,
    /// Raising this one raises it too.
    outer: Option<Arc<Interrupt>>,
}

impl Interrupt {
    /// A flag that is not raised.
    #[must_use]
    pub fn new() -> Interrupt {
        Interrupt::default()
    }

    /// The flag behind it, for signal handlers.
    #[must_use]
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.flag)
    }

    /// A flag for a part of the work: raised together with this one, or by itself.
    #[must_use]
    pub fn inner(&self) -> Interrupt {
        Interrupt {
            flag: Arc::default(),
            outer: Some(Arc::new(self.clone())),
        }
    }

    /// Raises the flag; running questions end as `Unknown(Interrupted)` within about 20 ms.
    pub fn raise(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// True iff the flag is raised.
    #[must_use]
    pub fn raised(&self) -> bool {
        let outer = self.outer.as_ref();
        self.flag.load(Ordering::Relaxed) || outer.is_some_and(|outer| outer.raised())
    }
}

impl From<Arc<AtomicBool>> for Interrupt {
    fn from(flag: Arc<AtomicBool>) -> Interrupt {
        Interrupt { flag, outer: None }
    }
}

impl fmt::Debug for Interrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Interrupt({})", self.raised())
    }
}

/// What a question must keep.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Time for this question alone; `None` takes the configured one.
    pub timeout: Option<Duration>,
    /// When the whole run must have stopped.
    pub deadline: Deadline,
    /// Stops the question when raised.
    pub interrupt: Interrupt,
}

impl Limits {
    /// The same limits, but ending at the given moment at the latest.
    #[must_use]
    pub fn until(&self, deadline: Deadline) -> Limits {
        Limits {
            timeout: None,
            deadline: self.deadline.min(deadline),
            interrupt: self.interrupt.clone(),
        }
    }

    /// The same limits with at most this time from now.
    #[must_use]
    pub fn within(&self, time: Duration) -> Limits {
        self.until(Deadline::after(time))
    }

    /// True iff nothing may be started any more.
    #[must_use]
    pub fn exceeded(&self) -> bool {
        self.interrupt.raised() || self.deadline.passed()
    }
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
    fn clones_share_the_flag() {
        let interrupt = Interrupt::new();
        let limits = Limits {
            interrupt: interrupt.clone(),
            ..Limits::default()
        };
        assert!(!limits.exceeded());
        interrupt.raise();
        assert!(limits.exceeded());
    }
}
