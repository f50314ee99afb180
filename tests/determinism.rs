//! The same program, options and seed give the same record, times and memory apart, however busy
//! the machine is. `scripts/determinism.sh` does it for all programs and ten seeds.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;

/// Some of each kind: loop templates, arrays, sums, quantifiers, recursion, proofs by induction,
/// questions that need more than their first work.
const PROGRAMS: [&str; 6] = [
    "c-benchmarks/hello.c",
    "c-benchmarks/HW.c",
    "c-benchmarks/matrIR.c",
    "c-benchmarks/EQCNT.c",
    "c-benchmarks/recursion_countIfRec_a.c",
    "c-benchmarks/recursion_mutual.c",
];

/// The record of a run that no limit of time ends.
fn record(program: &str, folder: &Path, seed: u32) -> Value {
    let file = folder.join(program.replace('/', "_"));
    Command::cargo_bin("compact-se")
        .unwrap()
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args([
            "analyze",
            program,
            "--timeout",
            "3600",
            "--jobs",
            "1",
            "--json",
        ])
        .arg(&file)
        .args(["--seed", &seed.to_string()])
        .output()
        .unwrap();
    let mut record = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    mask(&mut record);
    record
}

/// Takes times and memory out.
fn mask(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for name in ["times_s", "peak_memory_bytes", "seconds", "longest"] {
                fields.remove(name);
            }
            fields.values_mut().for_each(mask);
        }
        Value::Array(values) => values.iter_mut().for_each(mask),
        _ => {}
    }
}

#[test]
fn records_do_not_depend_on_how_busy_the_machine_is() {
    let folder = tempfile::tempdir().unwrap();
    let record = |program| record(program, folder.path(), 7);
    let one_by_one = PROGRAMS.map(record);
    let at_once = std::thread::scope(|scope| {
        PROGRAMS
            .map(|program| scope.spawn(move || record(program)))
            .map(|thread| thread.join().unwrap())
    });
    for ((program, quiet), busy) in PROGRAMS.iter().zip(one_by_one).zip(at_once) {
        assert!(quiet["solver"][0]["work"].as_u64().unwrap() > 0);
        similar_asserts::assert_eq!(quiet, busy, "{program}");
    }
}
