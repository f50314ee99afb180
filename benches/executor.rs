//! Speed and memory of execution, as lines of JSON.
//!
//! `cargo bench --bench executor` runs all measurements, `cargo bench --bench executor -- sort`
//! those whose name contains a word.
//!
//! - *concrete*: actions a CPU second in loops without inputs, but for a byte behind those of *crc*;
//!   classic, and with templates. The mark is KLEE with 2.9 million LLVM instructions a CPU second. An action is what one LLVM instruction becomes; phi nodes are
//!   assignments of edges, and a comparison is part of the branch that uses it, so that there are
//!   fewer actions than instructions.
//! - *states*: bytes a live state of `c-benchmarks/DOIF.c`, and actions a CPU second meanwhile. The
//!   mark is KLEE with 3.5 KB a state and 58,000 instructions a CPU second.

#![expect(unsafe_code, reason = "a clock of the system")]
#![allow(clippy::print_stdout, reason = "results go to standard output")]

use compact_se::frontend::{LoadOptions, Loaded, load};
use compact_se::limits::Interrupt;
use compact_se::solver::SolverOptions;
use compact_se::symex::{Budget, Confirmation, ExecutionOptions, Executor, Report, SearchStrategy};
use compact_se::template::{Folding, TemplateTable};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// States that wait before the memory is measured.
const LIVE_STATES: usize = 100_000;

fn main() {
    let filter = std::env::args()
        .nth(1)
        .filter(|word| !word.starts_with('-'));
    let wanted = |name: &str| {
        filter
            .as_ref()
            .is_none_or(|word| name.contains(word.as_str()))
    };
    for name in [
        "arithmetic",
        "calls",
        "crc",
        "list",
        "matrix",
        "sieve",
        "sort",
    ] {
        if wanted(name) {
            concrete(name, "classic", TemplateTable::empty());
            concrete(name, "default", TemplateTable::new(1000, Folding::Loops));
        }
    }
    if wanted("states") {
        states();
    }
}

fn loaded(path: &str) -> Loaded {
    let mut options = LoadOptions::new([Path::new(env!("CARGO_MANIFEST_DIR")).join(path)]);
    options.executable = Some(PathBuf::from(env!("CARGO_BIN_EXE_compact-se")));
    load(&options).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// CPU time of this process.
fn cpu_time() -> Duration {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the call writes to `time` only.
    let code = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    assert_eq!(code, 0, "the process has a clock");
    let seconds = u64::try_from(time.tv_sec).expect("time goes forward");
    let nanoseconds = u32::try_from(time.tv_nsec).expect("less than a second");
    Duration::new(seconds, nanoseconds)
}

fn resident_bytes() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").expect("Linux tells");
    let pages = statm
        .split_whitespace()
        .nth(1)
        .expect("the second field is the resident size");
    pages.parse::<u64>().expect("a number of pages") * 4096
}

/// Executes with these templates; stops once `n_most` states wait.
fn execute(loaded: &Loaded, table: TemplateTable, n_most: usize) -> Report {
    let interrupt = Interrupt::new();
    let options = ExecutionOptions {
        search: SearchStrategy::Bfs,
        budget: Budget {
            time: Duration::from_secs(120),
            interrupt: interrupt.clone(),
            ..Budget::default()
        },
        ..ExecutionOptions::default()
    };
    let solver = SolverOptions::default().build();
    let executor = Executor::new(&loaded.program, solver, table, options);
    executor.run(&mut |_| Confirmation::Skipped, &mut |statistics| {
        if statistics.n_waiting >= n_most {
            interrupt.raise();
        }
    })
}

#[allow(clippy::cast_precision_loss, reason = "a rate needs few digits")]
fn rate(count: u64, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64()
}

fn concrete(name: &str, technique: &str, table: TemplateTable) {
    let loaded = loaded(&format!("benches/programs/{name}.c"));
    let before = cpu_time();
    let report = execute(&loaded, table, usize::MAX);
    let time = cpu_time() - before;
    assert_eq!(report.verdict.name(), "unreachable", "{name} has one path");
    let n_actions = report.statistics.n_actions;
    println!(
        "{{\"bench\": \"concrete/{name}/{technique}\", \"actions\": {n_actions}, \"cpu_seconds\": {:.3}, \
         \"actions_a_second\": {:.0}}}",
        time.as_secs_f64(),
        rate(n_actions, time)
    );
}

fn states() {
    let loaded = loaded("c-benchmarks/DOIF.c");
    let memory_before = resident_bytes();
    let before = cpu_time();
    let report = execute(&loaded, TemplateTable::empty(), LIVE_STATES);
    let time = cpu_time() - before;
    // The queue is gone with the executor; the peak is what it took.
    let memory = report.statistics.peak_memory.saturating_sub(memory_before);
    let n_live = report.statistics.n_waiting as u64;
    let n_actions = report.statistics.n_actions;
    println!(
        "{{\"bench\": \"states/DOIF\", \"live_states\": {n_live}, \"bytes_a_state\": {}, \
         \"actions\": {n_actions}, \"cpu_seconds\": {:.3}, \"actions_a_second\": {:.0}}}",
        memory / n_live.max(1),
        time.as_secs_f64(),
        rate(n_actions, time)
    );
}
