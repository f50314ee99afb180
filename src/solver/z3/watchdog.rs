//! A thread that stops a running check at its deadline or when the interrupt flag is raised.
//!
//! Z3's own timeout is not always honoured (some preprocessing does not look at it), and it cannot
//! see a flag; `Z3_interrupt` from outside works.
//!
//! # Invariants
//! - The interrupt is only fired while a job is registered, under the lock that ends jobs: an
//!   interrupt never hits the job after.
//! - An interrupt that comes before Z3 listens is lost, so it is repeated until the job ends.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::raw::{Context, InterruptHandle};
use crate::solver::Limits;

/// How often a running job is looked at.
const TICK: Duration = Duration::from_millis(5);
/// After so many ticks without a job the thread sleeps until the next one.
const IDLE_TICKS: u32 = 100;

#[derive(Default)]
struct State {
    job: Option<Limits>,
    fired: bool,
    asleep: bool,
    stop: bool,
}

/// Watches the checks of one context.
pub(super) struct Watchdog {
    state: Arc<Mutex<State>>,
    thread: Option<JoinHandle<()>>,
    /// Keeps the context alive for the thread.
    _ctx: Context,
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watchdog {
    pub(super) fn new(ctx: &Context) -> Watchdog {
        let state = Arc::new(Mutex::new(State::default()));
        let shared = Arc::clone(&state);
        let handle = ctx.interrupt_handle();
        let thread = thread::Builder::new()
            .name("z3-watchdog".to_owned())
            .spawn(move || watch(&shared, &handle))
            .ok();
        Watchdog {
            state,
            thread,
            _ctx: ctx.clone(),
        }
    }

    /// Runs a check under limits; also says whether it was stopped.
    pub(super) fn guard<T>(&self, limits: &Limits, check: impl FnOnce() -> T) -> (T, bool) {
        let asleep = {
            let mut state = lock(&self.state);
            state.job = Some(limits.clone());
            state.fired = false;
            std::mem::take(&mut state.asleep)
        };
        if asleep && let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
        let result = check();
        let mut state = lock(&self.state);
        state.job = None;
        (result, state.fired)
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

fn watch(state: &Mutex<State>, handle: &InterruptHandle) {
    let mut idle = 0;
    loop {
        let sleep = {
            let mut state = lock(state);
            if state.stop {
                return;
            }
            if state.job.as_ref().is_some_and(Limits::exceeded) {
                handle.fire();
                state.fired = true;
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
