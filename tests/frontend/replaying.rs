//! Native replay: every outcome, and the limits.

use super::load_c;
use compact_se::frontend::Loaded;
use compact_se::replay::{Build, InputRecord, InputValue, Inputs, ReplayLimits, ReplayOutcome};
use compact_se::term::Bv;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

fn int(value: u64) -> InputRecord {
    InputRecord {
        name: "n".to_owned(),
        value: InputValue::Int(Bv::new(32, value)),
    }
}

fn run(loaded: &Loaded, inputs: &[InputRecord]) -> ReplayOutcome {
    let limits = ReplayLimits::default();
    loaded
        .replayer
        .replay(Build::Plain, &inputs.to_vec().into(), &limits)
        .unwrap()
}

#[test]
fn outcomes() {
    let loaded = load_c(
        "int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int); void abort(void);
         void reach_error(void) {}
         int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n < 10);
           if (n == 3) reach_error(); if (n == 4) abort(); if (n == 5) return __VERIFIER_nondet_int();
           if (n == 6) return 1 / (n - 6); return 7; }",
    );
    assert_eq!(run(&loaded, &[int(3)]), ReplayOutcome::Reached);
    let aborted = run(&loaded, &[int(4)]);
    assert!(
        matches!(aborted, ReplayOutcome::Aborted(libc::SIGABRT, (4, _))),
        "{aborted:?}"
    );
    assert_eq!(
        run(&loaded, &[int(5), int(9)]),
        ReplayOutcome::NotReached(9)
    );
    assert_eq!(
        run(&loaded, &[int(6)]),
        ReplayOutcome::Crashed(libc::SIGFPE)
    );
    assert_eq!(run(&loaded, &[int(8)]), ReplayOutcome::NotReached(7));
    assert_eq!(run(&loaded, &[int(12)]), ReplayOutcome::AssumptionViolated);
    let too_few = run(&loaded, &[int(5)]);
    assert!(matches!(too_few, ReplayOutcome::Diverged(_)), "{too_few:?}");
}

#[test]
fn memory_is_fed() {
    let loaded = load_c(
        "#include \"compact_se.h\"\n
         int main(void) { char line[6]; compact_se_make_symbolic(line, sizeof line, \"line\");
           if (line[0] == 'h' && line[4] == 9 && line[5] == 1) compact_se_target(); return 0; }",
    );
    let line = |chunks: &[(u64, &[u8])]| InputRecord {
        name: "line".to_owned(),
        value: InputValue::Bytes {
            size: 6,
            default: 1,
            chunks: chunks
                .iter()
                .map(|(at, bytes)| (*at, bytes.to_vec()))
                .collect(),
            address: None,
        },
    };
    // The array is uninitialised first.
    let first = line(&[]);
    let reached = [first.clone(), line(&[(0, b"h"), (4, &[9])])];
    assert_eq!(run(&loaded, &reached), ReplayOutcome::Reached);
    let missed = [first, line(&[(0, b"h")])];
    assert_eq!(run(&loaded, &missed), ReplayOutcome::NotReached(0));
    let wrong_size = InputRecord {
        name: "line".to_owned(),
        value: InputValue::Bytes {
            size: 5,
            default: 0,
            chunks: BTreeMap::new(),
            address: None,
        },
    };
    let outcome = run(&loaded, &[wrong_size]);
    assert!(matches!(outcome, ReplayOutcome::Diverged(_)), "{outcome:?}");
}

#[test]
fn endless_loops_are_stopped() {
    let loaded = load_c("int main(void) { for (;;) ; }");
    let native = loaded.replayer.prepare(Build::Plain).unwrap();
    let limits = ReplayLimits {
        wall: Duration::from_millis(300),
        ..ReplayLimits::default()
    };
    let start = Instant::now();
    let outcome = native.run(&Inputs::default(), &limits).unwrap();
    assert_eq!(outcome, ReplayOutcome::Limit("wall-clock time"));
    assert!(start.elapsed() < Duration::from_secs(5));
    let limits = ReplayLimits {
        cpu_seconds: 1,
        ..ReplayLimits::default()
    };
    let outcome = native.run(&Inputs::default(), &limits).unwrap();
    assert_eq!(outcome, ReplayOutcome::Limit("processor time"));
}

#[test]
fn memory_is_limited() {
    let loaded = load_c(
        "static char big[1 << 20]; int main(void) { return deep(0); }
         int deep(int n) { char frame[1 << 16]; frame[n & 3] = n; return deep(n + 1) + frame[0]; }"
            .replace("int main", "int deep(int); int main")
            .as_str(),
    );
    let inputs: Vec<InputRecord> = (0..20_000)
        .map(|_| InputRecord {
            name: "frame".to_owned(),
            value: InputValue::Bytes {
                size: 1 << 16,
                default: 0,
                chunks: BTreeMap::new(),
                address: None,
            },
        })
        .collect();
    let outcome = run(&loaded, &inputs);
    assert_eq!(outcome, ReplayOutcome::Crashed(libc::SIGSEGV));
}
