//! Limits of a query: an amount of work, a deadline, and an interrupt flag.
//!
//! Answers depend on the work alone. A deadline or flag ends a query only when the whole run ends, or at the
//! user's request.

use std::time::Duration;

use super::UnknownReason;
use ::limits::{Deadline, Interrupt};
use term::{TermPool, Work};

/// The limits of a query.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Work for this query alone; `None` takes the configured one.
    pub work: Option<Work>,
    /// The reading of the pool's clock of work at which the query ends; `None` for no limit.
    pub work_end: Option<Work>,
    /// Time for this query alone: an outer limit, which the user chose. `None` takes the
    /// configured one.
    pub timeout: Option<Duration>,
    /// When the whole run must have stopped.
    pub deadline: Deadline,
    /// Stops the query when raised.
    pub interrupt: Interrupt,
}

impl Limits {
    /// The same limits, but ending at the given moment at the latest.
    #[must_use]
    pub fn until(&self, deadline: Deadline) -> Limits {
        Limits {
            timeout: None,
            deadline: self.deadline.min(deadline),
            ..self.clone()
        }
    }

    /// The same limits with at most this time from now.
    #[must_use]
    pub fn within(&self, time: Duration) -> Limits {
        self.until(Deadline::after(time))
    }

    /// The same limits with at most this work from now.
    #[must_use]
    pub fn within_work(&self, pool: &TermPool, work: Work) -> Limits {
        let end = pool.work() + work;
        Limits {
            work: None,
            work_end: Some(self.work_end.map_or(end, |outer| outer.min(end))),
            ..self.clone()
        }
    }

    /// The same limits with at most so many hundredths of the work that is left.
    #[must_use]
    pub fn within_share(&self, pool: &TermPool, percent: u32) -> Limits {
        match self.work_left(pool) {
            Some(left) => self.within_work(pool, left.percent(percent)),
            None => self.clone(),
        }
    }

    /// Work left, nothing when it is done; `None` when there is no limit.
    #[must_use]
    pub fn work_left(&self, pool: &TermPool) -> Option<Work> {
        Some(self.work_end?.saturating_sub(pool.work()))
    }

    /// True iff the run has no time any more or was interrupted.
    #[must_use]
    pub fn exceeded(&self) -> bool {
        self.interrupt.raised() || self.deadline.passed()
    }

    /// Why nothing may be started any more, if so.
    #[must_use]
    pub fn reached(&self, pool: &TermPool) -> Option<UnknownReason> {
        if self.interrupt.raised() {
            Some(UnknownReason::Interrupted)
        } else if self.deadline.passed() {
            Some(UnknownReason::Timeout)
        } else if self.work_left(pool) == Some(Work::ZERO) {
            Some(UnknownReason::Work)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
