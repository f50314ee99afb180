//! A watchdog thread that stops a running check at its deadline, when the interrupt flag is raised, or where
//! Z3 does not count its work.
//!
//! Z3's own timeout is not always honoured (some preprocessing ignores it), and Z3 cannot see a flag; an
//! interrupt from outside works. Its step limit is unreliable, too: operations on numbers of thousands of
//! digits, such as the isolation of roots of polynomials, do not count as steps and may never end. So a job
//! with a work limit may take a large multiple of it as processor time.
//!
//! # Invariants
//! - The interrupt is only fired while a job is registered, under the lock that ends jobs: an
//!   interrupt never hits the job after.
//! - An interrupt before Z3 starts to poll, or while its tactics prepare the search, is lost, so a job that
//!   continues is interrupted repeatedly, also through its context, until it ends.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::raw::{Context, InterruptHandle};
use crate::Limits;
use ::limits::ThreadClock;
use term::Work;

/// How often a running job is examined.
const TICK: Duration = Duration::from_millis(5);
/// After so many ticks without a job the thread sleeps until the next one.
const IDLE_TICKS: u32 = 100;
/// After so many ticks a check that was interrupted is interrupted through its context.
const PATIENT_TICKS: u32 = 3;

/// How many times the work it is given a job may take as processor time before it counts as lost.
const LOST: u64 = 10;
/// The tolerance of a job.
const LEAST_LOST: Duration = Duration::from_secs(2);

/// How a job ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stopped {
    /// By itself.
    No,
    /// Interrupted, with nothing left behind.
    Check,
    /// Interrupted through its context, which may have an interrupt pending.
    Context,
}

/// The processor time at which a job is lost.
struct Lost {
    clock: ThreadClock,
    at: Duration,
}

impl Lost {
    /// Where a job of the thread that calls is given so much work.
    fn after(work: Work) -> Option<Lost> {
        let clock = ThreadClock::of_this_thread()?;
        let most = Duration::from_nanos((work * LOST).as_units());
        let at = clock.read()?.checked_add(most)?.checked_add(LEAST_LOST)?;
        Some(Lost { clock, at })
    }

    fn reached(&self) -> bool {
        self.clock.read().is_some_and(|time| time >= self.at)
    }
}

/// The running job.
struct Job {
    limits: Limits,
    /// `None` where the job has no limit of work.
    lost: Option<Lost>,
    check: Option<InterruptHandle>,
    context: InterruptHandle,
    /// Ticks since the limits were exceeded.
    overdue: u32,
}

impl Job {
    fn is_over(&self) -> bool {
        self.limits.exceeded() || self.lost.as_ref().is_some_and(Lost::reached)
    }

    fn interrupt(&mut self) -> Stopped {
        self.overdue += 1;
        match &self.check {
            Some(check) if self.overdue <= PATIENT_TICKS => {
                check.fire();
                Stopped::Check
            }
            _ => {
                self.context.fire();
                Stopped::Context
            }
        }
    }
}

struct State {
    job: Option<Job>,
    stopped: Stopped,
    asleep: bool,
    stop: bool,
}

/// Watches what runs in one context.
pub(super) struct Watchdog {
    state: Arc<Mutex<State>>,
    thread: Option<JoinHandle<()>>,
    ctx: Context,
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watchdog {
    pub(super) fn new(ctx: &Context) -> Watchdog {
        let state = Arc::new(Mutex::new(State {
            job: None,
            stopped: Stopped::No,
            asleep: false,
            stop: false,
        }));
        let shared = Arc::clone(&state);
        let thread = thread::Builder::new()
            .name("z3-watchdog".to_owned())
            .spawn(move || watch(&shared))
            .ok();
        Watchdog {
            state,
            thread,
            ctx: ctx.clone(),
        }
    }

    /// Runs a job under limits, stopped by `check` if that helps and else through the context. `work` is what
    /// it should take at most.
    pub(super) fn guard<T>(
        &self,
        limits: &Limits,
        work: Option<Work>,
        check: Option<InterruptHandle>,
        job: impl FnOnce() -> T,
    ) -> (T, Stopped) {
        let asleep = {
            let mut state = lock(&self.state);
            state.job = Some(Job {
                limits: limits.clone(),
                lost: work.and_then(Lost::after),
                check,
                context: self.ctx.interrupt_handle(),
                overdue: 0,
            });
            state.stopped = Stopped::No;
            std::mem::take(&mut state.asleep)
        };
        if asleep && let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
        let result = job();
        let mut state = lock(&self.state);
        state.job = None;
        (result, state.stopped)
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        lock(&self.state).stop = true;
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // A panic of the thread has been reported by its own hook; nothing is left to do.
            let _ = thread.join();
        }
    }
}

fn watch(state: &Mutex<State>) {
    let mut idle = 0;
    loop {
        let sleep = {
            let mut state = lock(state);
            if state.stop {
                return;
            }
            if let Some(job) = &mut state.job
                && job.is_over()
            {
                state.stopped = job.interrupt();
            }
            idle = if state.job.is_some() { 0 } else { idle + 1 };
            state.asleep = idle >= IDLE_TICKS;
            state.asleep
        };
        if sleep {
            thread::park();
            idle = 0;
        } else {
            thread::park_timeout(TICK);
        }
    }
}
