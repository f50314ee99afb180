//! A thread that stops a running check at its deadline or when the interrupt flag is raised.
//!
//! Z3's own timeout is not always honoured (some preprocessing does not look at it), and it cannot
//! see a flag; an interrupt from outside works.
//!
//! # Invariants
//! - The interrupt is only fired while a job is registered, under the lock that ends jobs: an
//!   interrupt never hits the job after.
//! - An interrupt that comes before Z3 listens, or while its tactics prepare the search, is lost,
//!   so a job that goes on is interrupted through its context too, again and again until it ends.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::raw::{Context, InterruptHandle};
use crate::solver::Limits;

/// How often a running job is looked at.
const TICK: Duration = Duration::from_millis(5);
/// After so many ticks without a job the thread sleeps until the next one.
const IDLE_TICKS: u32 = 100;
/// After so many ticks a check that was interrupted is interrupted through its context.
const PATIENT_TICKS: u32 = 3;

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

/// What runs.
struct Job {
    limits: Limits,
    check: Option<InterruptHandle>,
    context: InterruptHandle,
    /// Ticks since the limits were exceeded.
    overdue: u32,
}

impl Job {
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

    /// Runs a job under limits, stopped by `check` if that helps and else through the context.
    pub(super) fn guard<T>(
        &self,
        limits: &Limits,
        check: Option<InterruptHandle>,
        job: impl FnOnce() -> T,
    ) -> (T, Stopped) {
        let asleep = {
            let mut state = lock(&self.state);
            state.job = Some(Job {
                limits: limits.clone(),
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
                && job.limits.exceeded()
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
