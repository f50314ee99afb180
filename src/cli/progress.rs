//! The progress line: on terminals only.

use ::flowgraph::Program;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use report::summary::grouped;
use std::io::IsTerminal;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use symex::Statistics;

/// The line is renewed at most this often.
const INTERVAL: Duration = Duration::from_millis(100);

/// The clock is examined once in so many steps.
const STEPS: u32 = 64;

/// How far a run has come, for other threads. Clones share it.
#[derive(Clone)]
pub(super) struct LastStep {
    bar: Option<ProgressBar>,
    statistics: Arc<Mutex<Statistics>>,
    /// Without its globals; only once it is loaded.
    program: Arc<Mutex<Option<Program>>>,
}

impl LastStep {
    /// The numbers after the last step; takes the line away.
    pub fn take(&self) -> Statistics {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        let statistics = self.statistics.lock();
        statistics.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Where a step began: the function, and the line where that is known.
    pub fn place(&self, statistics: &Statistics) -> Option<String> {
        let location = statistics.at?;
        let program = self.program.lock().unwrap_or_else(PoisonError::into_inner);
        let program = program.as_ref()?;
        let function = program.functions.get(location.function.index())?;
        let is_known = location.node.index() < function.n_nodes();
        let span = is_known.then(|| function.node(location.node).span)?;
        Some(match span.line {
            0 => function.name.clone(),
            _ => format!("{} at {}", function.name, program.describe(span)),
        })
    }
}

/// A line on standard error that says how far a run is. It is gone when the value is dropped.
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    last: Arc<Mutex<Statistics>>,
    program: Arc<Mutex<Option<Program>>>,
    /// When execution began.
    started: Option<Instant>,
    renewed: Instant,
    n_steps: u32,
}

impl Progress {
    /// Begins with a message; shows nothing if standard error is no terminal.
    pub fn start(message: &'static str) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}") {
                bar.set_style(style);
            }
            bar.set_message(message);
            // Continues by itself, also while a query takes long.
            bar.enable_steady_tick(INTERVAL);
            bar
        });
        Progress {
            bar,
            last: Arc::default(),
            program: Arc::default(),
            started: None,
            renewed: Instant::now(),
            n_steps: 0,
        }
    }

    /// Data shared with other threads.
    pub fn last_step(&self) -> LastStep {
        LastStep {
            bar: self.bar.clone(),
            statistics: Arc::clone(&self.last),
            program: Arc::clone(&self.program),
        }
    }

    /// Which program the steps are of.
    pub fn of(&self, program: &Program) {
        let mut known = self.program.lock().unwrap_or_else(PoisonError::into_inner);
        *known = Some(Program {
            functions: program.functions.clone(),
            globals: Vec::new(),
            files: program.files.clone(),
            ..*program
        });
    }

    /// Hears of a step of the executor, which begins or is over.
    pub fn step(&mut self, statistics: &Statistics) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.clone_from(statistics);
        drop(last);
        let Some(bar) = &self.bar else { return };
        let started = *self.started.get_or_insert_with(Instant::now);
        self.n_steps = self.n_steps.wrapping_add(1);
        if self.n_steps % STEPS != 1 && statistics.solver_time < started.elapsed() / 2 {
            return;
        }
        if self.renewed.elapsed() >= INTERVAL {
            self.renewed = Instant::now();
            bar.set_message(message(statistics, started.elapsed()));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn message(statistics: &Statistics, time: Duration) -> String {
    let share = 100.0 * statistics.solver_time.as_secs_f64() / time.as_secs_f64().max(0.001);
    format!(
        "states {}, queue {}, depth {}, solver {:.0} %",
        grouped(statistics.n_states),
        grouped(statistics.n_waiting as u64),
        grouped(statistics.depth),
        share.min(100.0),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_far_the_run_is() {
        let statistics = Statistics {
            n_states: 12_345,
            n_waiting: 67,
            depth: 8,
            solver_time: Duration::from_millis(500),
            ..Statistics::default()
        };
        let line = message(&statistics, Duration::from_secs(2));
        assert_eq!(line, "states 12,345, queue 67, depth 8, solver 25 %");
    }
}
