//! Work: a deterministic clock that counts weighted operations instead of time.
//!
//! Verdicts must not depend on the load of the machine, so no internal limit is in seconds. Expensive
//! operations count their steps instead: the solver its resources, terms their constructions and evaluations,
//! the executor its actions. A step of each kind has a weight, and the [`TermPool`] of a run adds the
//! weighted steps up. The sum is the run's clock of work.
//!
//! One unit takes about a nanosecond on the machine on which the weights were measured, so that limits read
//! like times: that machine does 500 million units in half a second. On another machine, or under load, the
//! same work takes more or less time.
//!
//! # Invariants
//! - The clock is monotonic and depends only on the queries, not on time or on other threads.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Sub};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use super::TermPool;

/// An amount of work, or a reading of the clock of work; see the module's head.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Work(u64);

impl Work {
    /// Nothing.
    pub const ZERO: Work = Work(0);
    /// Making a term: simplification and the look-up of its node. Measured: 60 to 300 ns.
    pub const CONSTRUCTION: Work = Work(120);
    /// Evaluating a node under an assignment, or visiting it for its symbols or for a substitution. Measured: 30
    /// to 100 ns.
    pub const EVALUATION: Work = Work(60);
    /// A step of a [`Program`](super::Program). Measured: 2 to 4 ns.
    pub const PROGRAM_STEP: Work = Work(3);

    /// A query to the solver chain, whichever link answers it. Measured: 1 to 4 µs.
    pub const QUESTION: Work = Work(2_000);
    /// Looking at a conjunct, of a path condition for a query or of a formula that is made. Measured:
    /// 15 to 50 ns.
    pub const CONJUNCT: Work = Work(40);

    /// Executing an action on terms, without what its terms and queries take. An estimate.
    pub const ACTION: Work = Work(200);
    /// Executing an action on machine words. Measured: 10 to 40 ns.
    pub const ACTION_ON_WORDS: Work = Work(30);
    /// Reading a page of an object for actions on machine words, and finding the object. Measured on walks along
    /// lists of some thousand nodes: 1 µs.
    pub const PAGE: Work = Work(1_000);
    /// Taking a value of a state into its projection. An estimate.
    pub const PROJECTED_VALUE: Work = Work(400);
    /// Reading a cell of a block and writing it to another. Measured with blocks that `realloc` extends by one byte:
    /// 0.5 to 1 µs.
    pub const COPIED_CELL: Work = Work(500);
    /// Putting a call on the stack of a state behind actions on machine words. An estimate.
    pub const FRAME: Work = Work(300);
    /// Looking at a call on a state's stack for the distance to a target. Measured: 10 to 20 ns.
    pub const PASSED_FRAME: Work = Work(10);
    /// Taking a call on a state's stack into its projection, without its values. Measured at depths of
    /// thousands: 50 to 150 ns.
    pub const PROJECTED_FRAME: Work = Work(100);
    /// Looking at a conjunct of a state's path condition for its projection. Measured: 150 to
    /// 300 ns.
    pub const PROJECTED_CONJUNCT: Work = Work(200);
    /// Taking a projection for a match with another. An estimate.
    pub const MATCHED_ENTRY: Work = Work(400);
    /// Comparing a term of a projection with one of another. An estimate.
    pub const MATCHED_TERM: Work = Work(200);
    /// Looking at a cell for blocks that it holds. An estimate.
    pub const HOLDING_CELL: Work = Work(100);
    /// Walking along an edge of a core, what it takes to keep its state included. Measured: 1 to 3 µs.
    pub const CORE_EDGE: Work = Work(2_000);
    /// Walking along an edge of a backbone, what it takes to keep what was passed included. Measured:
    /// 5 to 15 µs.
    pub const BACKBONE_EDGE: Work = Work(10_000);
    /// Reading off an input of a witness, and handing it to the replay. Measured: 2 to 3 µs.
    pub const INPUT: Work = Work(2_000);
    /// Queueing a state and taking it from the queue. An estimate.
    pub const STATE: Work = Work(2_000);

    /// So many units.
    #[must_use]
    pub const fn units(units: u64) -> Work {
        Work(units)
    }

    /// Work of this number of microseconds on the machine of the measurements.
    #[must_use]
    pub const fn micros(micros: u64) -> Work {
        Work(micros.saturating_mul(1_000))
    }

    /// Work of this number of milliseconds on the machine of the measurements.
    #[must_use]
    pub const fn millis(millis: u64) -> Work {
        Work(millis.saturating_mul(1_000_000))
    }

    /// Work of this number of seconds on the machine of the measurements.
    #[must_use]
    pub const fn seconds(seconds: u64) -> Work {
        Work(seconds.saturating_mul(1_000_000_000))
    }

    /// The number of units.
    #[must_use]
    pub const fn as_units(self) -> u64 {
        self.0
    }

    /// The seconds that it takes on the machine of the measurements.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "for people and for shares")]
    pub fn as_seconds(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// So many hundredths of it.
    ///
    /// ```
    /// use compact_se_term::Work;
    /// assert_eq!(Work::seconds(2).percent(25), Work::millis(500));
    /// ```
    #[must_use]
    pub const fn percent(self, percent: u32) -> Work {
        // Never overflows: divided first, and what that loses added again.
        let percent = percent as u64;
        Work((self.0 / 100).saturating_mul(percent) + self.0 % 100 * percent / 100)
    }

    /// The difference, nothing where the other is more.
    #[must_use]
    pub const fn saturating_sub(self, other: Work) -> Work {
        Work(self.0.saturating_sub(other.0))
    }
}

impl Add for Work {
    type Output = Work;

    fn add(self, other: Work) -> Work {
        Work(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Work {
    fn add_assign(&mut self, other: Work) {
        *self = *self + other;
    }
}

impl Sub for Work {
    type Output = Work;

    /// # Panics
    /// In debug builds, when the other is more.
    fn sub(self, other: Work) -> Work {
        Work(self.0 - other.0)
    }
}

impl Mul<u64> for Work {
    type Output = Work;

    fn mul(self, times: u64) -> Work {
        Work(self.0.saturating_mul(times))
    }
}

impl Div<u64> for Work {
    type Output = Work;

    fn div(self, parts: u64) -> Work {
        Work(self.0 / parts)
    }
}

impl Sum for Work {
    fn sum<I: Iterator<Item = Work>>(works: I) -> Work {
        works.fold(Work::ZERO, Add::add)
    }
}

impl fmt::Display for Work {
    /// In seconds of the machine of the measurements.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s of work", self.as_seconds())
    }
}

/// A clock of work. Clones are the same clock: one thread puts it on, others may read it.
#[derive(Clone, Debug, Default)]
pub struct Clock(Arc<AtomicU64>);

impl Clock {
    /// The work so far.
    #[must_use]
    pub fn read(&self) -> Work {
        Work(self.0.load(Ordering::Relaxed))
    }

    /// Puts it on by work that was done; one thread may.
    pub fn advance(&self, work: Work) {
        // No other thread writes, so that this needs no atomic addition.
        let now = self.read() + work;
        self.0.store(now.0, Ordering::Relaxed);
    }
}

impl TermPool {
    /// The clock of work of the run that this pool belongs to.
    #[must_use]
    pub fn work(&self) -> Work {
        self.clock.read()
    }

    /// Puts the clock on by work that was done.
    pub fn count_work(&self, work: Work) {
        self.clock.advance(work);
    }

    /// The clock itself, for other threads to read.
    #[must_use]
    pub fn clock(&self) -> Clock {
        self.clock.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::Work;
    use crate::{Assignment, Sort, TermPool};

    #[test]
    fn shares_do_not_overflow() {
        assert_eq!(Work::units(250).percent(75), Work::units(187));
        assert_eq!(Work::units(u64::MAX).percent(100), Work::units(u64::MAX));
        assert_eq!(Work::seconds(2).percent(25), Work::millis(500));
        assert_eq!(Work::seconds(u64::MAX) * 4, Work::units(u64::MAX));
        assert_eq!(Work::ZERO.saturating_sub(Work::units(1)), Work::ZERO);
    }

    #[test]
    fn the_clock_goes_on_by_what_is_done() {
        let run = || {
            let mut pool = TermPool::new();
            let start = pool.work();
            let a = pool.fresh("a", Sort::Bv(32));
            let one = pool.bv(32, 1);
            let sum = pool.add(a, one);
            let made = pool.work();
            assert!(made > start);
            let value = pool.evaluate(sum, &Assignment::new());
            assert!(pool.work() > made, "{value:?}");
            pool.work()
        };
        assert_eq!(run(), run());
    }
}
