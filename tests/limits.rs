//! Limits hold wherever a program is: time, memory and signals end work that asks for none of them.
//!
//! The first tests start this executable again, which is then stuck in the way that
//! [`STUCK`] names. The others start `compact-se` on programs that keep it busy for long.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::support::command::{folder, json};
use compact_se::limits::Deadline;
use compact_se::process::{Bounds, Folder, Group, Launch, Sentinel};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

/// How a process of these tests is stuck.
const STUCK: &str = "COMPACT_SE_TEST_STUCK";
/// Where it says what it started.
const BELONGINGS: &str = "COMPACT_SE_TEST_BELONGINGS";

/// Its memory limit, in megabytes.
const MEGABYTES: u64 = 300;

/// The machine may be busy: what takes a second when it is idle has so much more time.
const SLACK: Duration = Duration::from_secs(20);

/// The process that the tests start: it hears of no limit.
#[test]
fn stuck() {
    let Ok(how) = std::env::var(STUCK) else {
        return;
    };
    let folder = Folder::new("compact-se-test-").unwrap();
    std::fs::write(folder.path().join("file"), "text").unwrap();
    let child = Group::start(Launch::new("sleep").arg("300"));
    let belongings = folder.path().display().to_string();
    let report = std::env::var(BELONGINGS).unwrap();
    std::fs::write(format!("{report}.draft"), belongings).unwrap();
    std::fs::rename(format!("{report}.draft"), report).unwrap();
    let sentinel = Sentinel::start().unwrap();
    let seconds = if how == "time" || how == "concluded" {
        1
    } else {
        300
    };
    let bounds = Bounds {
        deadline: Deadline::after(Duration::from_secs(seconds)),
        memory: MEGABYTES << 20,
    };
    sentinel.watch(bounds, |overrun| {
        println!("last words: {}; {}", overrun.why, overrun.peak_memory >> 20);
        3
    });
    match how.as_str() {
        "memory" => {
            let mut hoard = Vec::new();
            loop {
                hoard.push(std::hint::black_box(vec![1_u8; 1 << 20]));
            }
        }
        "concluded" => {
            sentinel.conclude();
            std::thread::sleep(Duration::from_secs(4));
            println!("result");
            drop((child, folder));
            std::process::exit(0);
        }
        _ => loop {
            std::hint::spin_loop();
        },
    }
}

/// Waits for a process, which has this long.
fn wait(child: &mut Child, time: Duration) -> ExitStatus {
    let deadline = Instant::now() + time;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if Instant::now() > deadline {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("the process does not end");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    let status = Command::new("kill").args([name, &id]).status().unwrap();
    assert!(status.success());
}

/// Starts a process that is stuck, sends it signals, and gives how it ended.
fn end_of_stuck(how: &str, signals: &[&str]) -> Output {
    let place = folder();
    let report = place.path().join("belongings");
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "limits::stuck", "--nocapture"])
        .env(STUCK, how)
        .env(BELONGINGS, &report)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let started = Instant::now();
    while !report.exists() {
        assert!(started.elapsed() < SLACK, "the process does not start");
        std::thread::sleep(Duration::from_millis(5));
    }
    // Until it listens.
    std::thread::sleep(Duration::from_millis(300));
    for name in signals {
        signal(&child, name);
        std::thread::sleep(Duration::from_millis(100));
    }
    wait(&mut child, Duration::from_secs(6) + SLACK);
    let left = std::fs::read_to_string(&report).unwrap();
    assert!(!Path::new(&left).exists(), "{left} is left");
    // Whoever has inherited it would hold the pipe open.
    child.wait_with_output().unwrap()
}

fn last_words(output: &Output) -> Vec<String> {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = text
        .lines()
        .filter_map(|line| Some(line.split_once("last words: ")?.1));
    said.map(str::to_owned).collect()
}

#[test]
fn time_ends_what_does_not_look_at_the_clock() {
    let output = end_of_stuck("time", &[]);
    assert_eq!(output.status.code(), Some(3));
    let said = last_words(&output);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("out of time"), "{said:?}");
}

#[test]
fn memory_ends_what_goes_on_allocating() {
    let output = end_of_stuck("memory", &[]);
    assert_eq!(output.status.code(), Some(3));
    let said = last_words(&output);
    assert_eq!(said.len(), 1, "{said:?}");
    let (why, peak) = said[0].split_once("; ").unwrap();
    assert!(why.starts_with("out of memory"), "{said:?}");
    let peak: u64 = peak.parse().unwrap();
    assert!((MEGABYTES..2 * MEGABYTES).contains(&peak), "{said:?}");
}

#[test]
fn a_signal_ends_what_is_stuck_with_its_last_words() {
    for name in ["-INT", "-TERM"] {
        let output = end_of_stuck("busy", &[name]);
        assert_eq!(output.status.code(), Some(3), "{name}");
        let said = last_words(&output);
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].starts_with("interrupted"), "{said:?}");
    }
}

#[test]
fn a_second_signal_ends_at_once() {
    let output = end_of_stuck("busy", &["-INT", "-INT"]);
    assert_eq!(output.status.code(), Some(130));
    assert!(last_words(&output).is_empty());
}

#[test]
fn a_result_that_is_being_given_wins() {
    let output = end_of_stuck("concluded", &[]);
    assert_eq!(output.status.code(), Some(0));
    assert!(last_words(&output).is_empty());
    assert!(String::from_utf8_lossy(&output.stdout).contains("result"));
}

/// Starts an analysis of a program of `benches/limits`.
fn analyze(program: &str, record: &Path, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_compact-se"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .arg("analyze")
        .arg(format!("benches/limits/{program}.c"))
        .args(arguments)
        .arg("--json")
        .arg(record)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits for an analysis that cannot be over, and gives the kinds of reasons in its record.
fn unknown_after(mut child: Child, record: &Path, time: Duration) -> Vec<String> {
    let status = wait(&mut child, time);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(status.code(), Some(3), "{text}");
    assert!(text.starts_with("unknown\n"), "{text}");
    assert_eq!(text.matches("\nreasons:\n").count(), 1, "{text}");
    let record = json(record);
    assert_eq!(record["verdict"], "unknown");
    let reasons = record["reasons"].as_array().unwrap();
    let kinds = reasons.iter().map(|reason| reason["kind"].as_str());
    kinds.map(|kind| kind.unwrap().to_owned()).collect()
}

#[test]
fn an_analysis_keeps_its_time() {
    let folder = folder();
    let record = folder.path().join("record.json");
    for program in ["permutation", "copies", "recursion"] {
        let arguments = ["--timeout", "4", "--memory", "4000"];
        let child = analyze(program, &record, &arguments);
        let kinds = unknown_after(child, &record, Duration::from_secs(6) + SLACK);
        assert!(kinds.contains(&"out-of-time".to_owned()), "{kinds:?}");
        let notes = json(&record)["notes"].to_string();
        let is_broken_off = notes.contains("in the middle of a step");
        let is_placed = notes.contains("; compact execution was at ");
        assert!(!is_broken_off || is_placed, "{notes}");
    }
}

#[test]
fn an_analysis_ends_with_the_first_signal() {
    let folder = folder();
    let record = folder.path().join("record.json");
    for (program, name) in [("permutation", "-TERM"), ("recursion", "-INT")] {
        let child = analyze(program, &record, &["--memory", "4000"]);
        std::thread::sleep(Duration::from_secs(4));
        signal(&child, name);
        let kinds = unknown_after(child, &record, Duration::from_secs(2) + SLACK);
        assert!(
            kinds.contains(&"interrupted".to_owned()),
            "{program}: {kinds:?}"
        );
    }
}

#[test]
fn other_commands_keep_their_time() {
    for command in ["templates", "tree", "explain"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_compact-se"))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .args([command, "benches/limits/permutation.c", "--timeout", "3"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let status = wait(&mut child, Duration::from_secs(5) + SLACK);
        assert!(matches!(status.code(), Some(0 | 3)), "{command}: {status}");
    }
}
