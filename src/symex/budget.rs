//! Limits of a run.

use limits::{Exhausted, Interrupt, resident_memory};
use std::time::{Duration, Instant};

use template::QueryWork;
use term::Work;

/// The limits of a run.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Wall time for templates, execution and solver together.
    pub time: Duration,
    /// Resident memory in bytes.
    pub memory: u64,
    /// Work of templates, execution and solver together; `None` for no limit.
    pub work: Option<Work>,
    /// Time for one query: an outer limit, which makes verdicts depend on how busy the machine is.
    pub query_time: Option<Duration>,
    /// Work for queries.
    pub queries: QueryWork,
    /// Steps of one path; a template counts as one.
    pub path_steps: u64,
    /// Raised from outside to stop the run, for example on Ctrl-C.
    pub interrupt: Interrupt,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            time: Duration::from_secs(300),
            memory: 8 << 30,
            work: None,
            query_time: None,
            queries: QueryWork::default(),
            path_steps: u64::MAX,
            interrupt: Interrupt::new(),
        }
    }
}

/// Memory is examined this often.
const MEMORY_INTERVAL: Duration = Duration::from_millis(50);

/// Watches a budget while a run continues.
pub(super) struct Watch {
    budget: Budget,
    pub deadline: Instant,
    /// The reading of the clock of work at which the run ends.
    pub work_end: Option<Work>,
    ticks: u32,
    /// When memory is to be examined.
    memory_due: Instant,
    pub peak_memory: u64,
    /// Memory was used up between two steps.
    is_full: bool,
}

impl Watch {
    pub fn start(budget: Budget, work: Work) -> Watch {
        let now = Instant::now();
        let deadline = now + budget.time;
        Watch {
            work_end: budget.work.map(|most| work + most),
            budget,
            deadline,
            ticks: 0,
            memory_due: now,
            peak_memory: 0,
            is_full: false,
        }
    }

    fn is_worked_off(&self, now: Work) -> bool {
        self.work_end.is_some_and(|end| now >= end)
    }

    /// Whether the work is done, the time is over, or the run was interrupted.
    pub fn exhausted_now(&self, now: Work) -> Option<Exhausted> {
        if self.is_worked_off(now) {
            return Some(Exhausted::Work);
        }
        if Instant::now() >= self.deadline {
            return Some(Exhausted::Time);
        }
        self.budget.interrupt.reason()
    }

    /// Whether a limit is used up, examined with all care, since many edges are one step.
    pub fn is_over(&mut self) -> bool {
        let resident = resident_memory();
        self.peak_memory = self.peak_memory.max(resident);
        self.is_full |= resident > self.budget.memory;
        let is_late = Instant::now() >= self.deadline;
        self.is_full || is_late || self.budget.interrupt.raised()
    }

    /// Called once a step; examines the clock now and then only, since steps are short.
    pub fn check(&mut self, now: Work) -> Option<Exhausted> {
        if self.is_worked_off(now) || self.budget.interrupt.raised() {
            return self.exhausted_now(now);
        }
        if self.is_full {
            return Some(Exhausted::Memory);
        }
        self.ticks = self.ticks.wrapping_add(1);
        if !self.ticks.is_multiple_of(64) {
            return None;
        }
        let now = Instant::now();
        if now >= self.deadline {
            return Some(Exhausted::Time);
        }
        if now >= self.memory_due {
            self.memory_due = now + MEMORY_INTERVAL;
            let resident = resident_memory();
            self.peak_memory = self.peak_memory.max(resident);
            if resident > self.budget.memory {
                return Some(Exhausted::Memory);
            }
        }
        None
    }
}
