//! `analyze --checkpoint FILE`: a run that was ended goes on where the command is given again, and files that are of
//! no use are refused.

use crate::support::command::{compact_se, folder, json};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Products of two numbers of 16 bits: each question takes the solver long.
const HARD: &str = "extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint(), n = 0;
    if (x < 2 || y < 2 || x > 65535 || y > 65535)
        return 0;
    for (unsigned k = 0; k < 30; k++)
        if (x * y == 4294049777u - 30 * k && x <= y)
            n++;
    if (n > 1)
        reach_error();
    return 0;
}
";

fn program(folder: &TempDir, text: &str) -> PathBuf {
    let file = folder.path().join("program.c");
    std::fs::write(&file, text).expect("the folder is writable");
    file
}

/// How the command is given each time.
fn arguments(folder: &TempDir) -> Vec<String> {
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (checkpoint, record) = (path("checkpoint"), path("record.json"));
    let options = [
        "analyze",
        "--classic",
        "--checkpoint",
        &checkpoint,
        "--json",
        &record,
    ];
    let mut all: Vec<String> = options.map(str::to_owned).to_vec();
    all.push(path("program.c"));
    all
}

fn record(folder: &TempDir) -> Value {
    json(&folder.path().join("record.json"))
}

/// Waits, for a machine that is very busy.
fn wait_until(what: &str, is_so: &mut dyn FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(100);
    while !is_so() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Starts the command and ends it by a signal when the solver has given so many answers; its output.
fn run_until(folder: &TempDir, n_answers: usize, signal: &str) -> String {
    let log = folder.path().join("log");
    let mut child: Child = Command::new(env!("CARGO_BIN_EXE_compact-se"))
        .args(arguments(folder))
        .arg("--log-queries")
        .arg(&log)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command was built");
    wait_until("the solver answers", &mut || {
        let answers = std::fs::read_dir(&log).map_or(0, Iterator::count);
        answers >= n_answers
    });
    let id = child.id().to_string();
    let kill = Command::new("kill").args([signal, &id]).status();
    let kill = kill.expect("there is a command kill");
    assert!(
        kill.success(),
        "it was over before it had {n_answers} answers"
    );
    wait_until("the signal ends it", &mut || {
        child.try_wait().expect("it is our child").is_some()
    });
    let output = child.wait_with_output().expect("it is our child");
    assert_eq!(output.status.code(), Some(3));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder is readable");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = names
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn a_run_that_was_ended_goes_on_to_the_same_verdict() {
    let folder = folder();
    program(&folder, HARD);
    let text = run_until(&folder, 4, "-INT");
    assert!(text.starts_with("unknown\nwritten to "), "{text}");
    let first = record(&folder);
    assert_eq!(first["checkpoint"]["resumed"], false);
    assert_eq!(first["checkpoint"]["written"], true);
    std::fs::remove_dir_all(folder.path().join("log")).expect("the log is there");

    // A third run has what both had.
    let text = run_until(&folder, 20, "-TERM");
    assert!(text.contains("\nresumed from "), "{text}");
    let second = record(&folder);
    assert_eq!(second["checkpoint"]["resumed"], true);
    let answers = |record: &Value| record["checkpoint"]["repeated_answers"].as_u64();
    assert!(answers(&second) > Some(0));
    std::fs::remove_dir_all(folder.path().join("log")).expect("the log is there");

    let output = compact_se().args(arguments(&folder)).assert().code(0);
    let text = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    assert!(text.starts_with("unreachable\nresumed from "), "{text}");
    let third = record(&folder);
    assert_eq!(third["checkpoint"]["written"], false);
    assert!(answers(&third) > answers(&second), "{text}");
    assert_eq!(
        names_in(folder.path()),
        ["checkpoint", "program.c", "record.json"]
    );
}

/// Runs the command, which has to end with an error, and gives the message.
fn refused(folder: &TempDir, options: &[&str]) -> String {
    let output = compact_se()
        .args(arguments(folder))
        .args(options)
        .assert()
        .code(2);
    String::from_utf8_lossy(&output.get_output().stderr).into_owned()
}

#[test]
fn a_file_that_is_of_no_use_is_refused_and_kept() {
    let folder = folder();
    program(&folder, HARD);
    let file = folder.path().join("checkpoint");
    let write = |text: &[u8]| std::fs::write(&file, text).expect("the folder is writable");
    write(b"my diary\n");
    let message = refused(&folder, &[]);
    assert!(
        message.contains("cannot resume from") && message.contains("not a checkpoint"),
        "{message}"
    );
    assert_eq!(std::fs::read(&file).expect("it is there"), b"my diary\n");

    std::fs::remove_file(&file).expect("it is there");
    run_until(&folder, 1, "-INT");
    let whole = std::fs::read(&file).expect("it was written");
    let message = refused(&folder, &["--search", "dfs"]);
    assert!(
        message.contains("other options: --search was default and is dfs. Use the same"),
        "{message}"
    );
    write(&whole[..whole.len() / 2]);
    let message = refused(&folder, &[]);
    assert!(message.contains("damaged"), "{message}");
    write(&whole);
    program(&folder, &HARD.replace("k < 30", "k < 29"));
    let message = refused(&folder, &[]);
    assert!(
        message.contains("the program or its compilation has changed"),
        "{message}"
    );
    assert_eq!(std::fs::read(&file).expect("it is there"), whole);
}
