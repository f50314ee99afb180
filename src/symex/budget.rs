//! Limits of a run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a run may use.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Wall time for templates, execution and solver together.
    pub time: Duration,
    /// Resident memory in bytes.
    pub memory: u64,
    /// Solver time for one query.
    pub query_time: Duration,
    /// Solver time for a query at first. A state whose query takes longer is put off, and asked
    /// about with more and more time later, up to `query_time`; so that one hard query does not
    /// hold up the rest. `None` gives each query all its time at once.
    pub first_query_time: Option<Duration>,
    /// Steps of one path; a template counts as one.
    pub path_steps: u64,
    /// Set from outside to stop the run, for example on Ctrl-C.
    pub interrupt: Arc<AtomicBool>,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            time: Duration::from_secs(300),
            memory: 8 << 30,
            query_time: Duration::from_secs(20),
            first_query_time: Some(Duration::from_millis(500)),
            path_steps: u64::MAX,
            interrupt: Arc::default(),
        }
    }
}

impl Budget {
    /// Solver time for a query at first.
    #[must_use]
    pub fn first_query_time(&self) -> Duration {
        let first = self.first_query_time.unwrap_or(self.query_time);
        first.min(self.query_time)
    }
}

/// Which limit ended a run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Exhausted {
    Time,
    Memory,
    Interrupted,
}

impl std::fmt::Display for Exhausted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Exhausted::Time => "out of time (--timeout)",
            Exhausted::Memory => "out of memory (--memory)",
            Exhausted::Interrupted => "interrupted",
        })
    }
}

/// Watches a budget while a run goes on.
pub(super) struct Watch {
    budget: Budget,
    pub deadline: Instant,
    ticks: u32,
    pub peak_memory: u64,
}

impl Watch {
    pub fn start(budget: Budget) -> Watch {
        let deadline = Instant::now() + budget.time;
        Watch {
            budget,
            deadline,
            ticks: 0,
            peak_memory: 0,
        }
    }

    /// Whether the time is over or the run was interrupted.
    pub fn exhausted_now(&self) -> Option<Exhausted> {
        if Instant::now() >= self.deadline {
            return Some(Exhausted::Time);
        }
        let interrupted = self.budget.interrupt.load(Ordering::Relaxed);
        interrupted.then_some(Exhausted::Interrupted)
    }

    /// Called once a step; looks at the clock now and then only, since steps are short.
    pub fn check(&mut self) -> Option<Exhausted> {
        if self.budget.interrupt.load(Ordering::Relaxed) {
            return self.exhausted_now();
        }
        self.ticks = self.ticks.wrapping_add(1);
        if self.ticks.is_multiple_of(64) && Instant::now() >= self.deadline {
            return Some(Exhausted::Time);
        }
        if self.ticks % 4096 == 1 {
            let resident = resident_memory();
            self.peak_memory = self.peak_memory.max(resident);
            if resident > self.budget.memory {
                return Some(Exhausted::Memory);
            }
        }
        None
    }
}

/// Resident memory of this process in bytes; 0 where the system does not tell.
pub(super) fn resident_memory() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm
        .split_whitespace()
        .nth(1)
        .and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or(0) * 4096
}
