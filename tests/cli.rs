//! The command line as its users see it: exit codes, JSON fields, messages, limits, Ctrl-C.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::support::command::{compact_se, folder, json, output};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;

fn file(folder: &TempDir, name: &str, content: &str) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    path
}

const PRELUDE: &str = "extern int __VERIFIER_nondet_int(void);\nvoid reach_error(void) {}\n";

/// Reachable with x = 42 and no loop.
const REACHABLE: &str = "int main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x == 42) reach_error();\n  return 0;\n}\n";

/// Unreachable behind a loop that only a template closes.
const UNREACHABLE: &str = "int main(void) {\n  int n = __VERIFIER_nondet_int(), i = 0;\n  for (int k = 0; k < n; k++) i += 4;\n  if (i == 15) reach_error();\n  return 0;\n}\n";

fn program(folder: &TempDir, body: &str) -> PathBuf {
    file(folder, "program.c", &format!("{PRELUDE}{body}"))
}

#[test]
fn reachable_is_1_with_inputs_and_replay() {
    let folder = folder();
    let record = folder.path().join("record.json");
    let output = compact_se()
        .args(["analyze", "--json"])
        .arg(&record)
        .arg(program(&folder, REACHABLE))
        .assert()
        .code(1)
        .get_output()
        .clone();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.starts_with("reachable\nreplayed natively: yes\n"),
        "{text}"
    );
    assert!(text.contains(" = 42 (i32)\n"), "{text}");
    assert!(
        text.contains("program.c:5:7"),
        "the path names the branch: {text}"
    );
    assert!(output.stderr.is_empty(), "no progress in pipes");
    let record = json(&record);
    assert_eq!(record["format"], 1);
    assert_eq!(record["verdict"], "reachable");
    assert_eq!(record["replay"], "confirmed");
    assert_eq!(record["inputs"][0]["kind"], "value");
    assert_eq!(record["inputs"][0]["signed"], "42");
    assert_eq!(record["settings"]["technique"], "default");
    assert_eq!(record["settings"]["timeout_s"], 300);
    assert!(
        record["path"][0]["source"]
            .as_str()
            .unwrap()
            .contains("x == 42")
    );
    for field in ["load", "templates", "execution", "solver", "total"] {
        assert!(record["times_s"][field].is_f64(), "times_s.{field}");
    }
    for field in ["states", "cycles", "templates", "queries", "failed_queries"] {
        assert!(record["counts"][field].is_u64(), "counts.{field}");
    }
    assert!(record["peak_memory_bytes"].as_u64().unwrap() > 1 << 20);
    assert!(
        record["environment"]["solver"]
            .as_str()
            .unwrap()
            .starts_with("Z3 5.4")
    );
}

#[test]
fn inputs_have_the_names_of_c() {
    let folder = folder();
    let body = "#include <stdlib.h>\n#include <compact_se.h>\nint main(void) {\n  \
        int x = __VERIFIER_nondet_int();\n  char *text = malloc(3);\n  \
        compact_se_make_symbolic(text, 3, \"line\");\n  int y = compact_se_int(\"count\");\n  \
        if (x == 7 && text[1] == 'a' && y == 9) reach_error();\n  return 0;\n}\n";
    let output = compact_se()
        .arg("analyze")
        .arg(program(&folder, body))
        .assert()
        .code(1);
    let text = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    for line in [
        "  x = 7 (i32)\n",
        "  line[1] = 97 (i8) 'a'\n",
        "  count = 9 (i32)\n",
        "  1 input on which the path does not depend",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
}

#[test]
fn a_replay_that_cannot_be_done_is_no_defect() {
    let folder = folder();
    let record = folder.path().join("record.json");
    let bitcode = folder.path().join("program.bc");
    let compiled = std::process::Command::new("/usr/lib/llvm-19/bin/clang")
        .args([
            "-g",
            "-c",
            "-emit-llvm",
            "-Xclang",
            "-disable-O0-optnone",
            "-o",
        ])
        .arg(&bitcode)
        .arg(program(&folder, REACHABLE))
        .status()
        .unwrap();
    assert!(compiled.success());
    let started = Instant::now();
    let output = compact_se()
        .env("COMPACT_SE_CLANG", "/nowhere/clang")
        .args(["analyze", "--json"])
        .arg(&record)
        .arg(&bitcode)
        .assert()
        .code(3);
    assert!(started.elapsed() < Duration::from_secs(60));
    let text = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    assert!(text.starts_with("unknown\n"), "{text}");
    assert!(text.contains("cannot be replayed here: "), "{text}");
    assert!(!text.contains("defect"), "{text}");
    let record = json(&record);
    assert_eq!(record["reasons"][0]["kind"], "not-replayable");
    let hint = record["reasons"][0]["hint"].as_str().unwrap();
    assert!(hint.contains("scripts/setup.sh") && hint.contains("--no-replay"));
}

#[test]
fn a_skipped_replay_is_said() {
    let folder = folder();
    let output = compact_se()
        .args(["analyze", "--no-replay"])
        .arg(program(&folder, REACHABLE))
        .assert()
        .code(1);
    let text = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    assert!(
        text.starts_with("reachable\nnot replayed (--no-replay)\n"),
        "{text}"
    );
}

#[test]
fn unreachable_is_0() {
    let folder = folder();
    let output = compact_se()
        .arg("analyze")
        .arg(program(&folder, UNREACHABLE))
        .assert()
        .code(0);
    let text = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    assert!(text.starts_with("unreachable\n"), "{text}");
    assert!(
        text.contains(
            "cycles: 1, 1 with a template; whole loops: 0 tried, 0 with a template; applied 1 times"
        ),
        "{text}"
    );
}

/// The verdict, the lines below it, and the record of an analysis with these options.
fn analyzed(folder: &TempDir, body: &str, options: &[&str]) -> (String, serde_json::Value) {
    let path = folder.path().join("record.json");
    let output = compact_se()
        .args(["analyze", "--json"])
        .arg(&path)
        .arg(program(folder, body))
        .args(options)
        .assert()
        .get_output()
        .clone();
    (String::from_utf8(output.stdout).unwrap(), json(&path))
}

#[test]
fn accesses_are_in_bounds_where_that_is_assumed() {
    // What is behind an access out of bounds cannot be reached by accesses in bounds.
    let straight = "int main(void) {\n  unsigned i = __VERIFIER_nondet_int();\n  char a[4];\n  a[i] = 1;\n  if (i >= 4) reach_error();\n  return 0;\n}\n";
    let looped = "int main(void) {\n  int n = __VERIFIER_nondet_int();\n  char a[7];\n  for (int k = 0; k < n; k++) a[k] = 1;\n  if (n > 7) reach_error();\n  return 0;\n}\n";
    let folder = folder();
    for body in [straight, looped] {
        let (text, record) = analyzed(&folder, body, &[]);
        assert!(text.starts_with("unknown\n"), "{text}");
        assert!(text.contains("access out of bounds"), "{text}");
        assert_eq!(record["settings"]["assume_in_bounds"], false);
        for option in [&["--assume-in-bounds"][..], &["--paper"]] {
            let (text, record) = analyzed(&folder, body, option);
            let said = "unreachable\nassuming that accesses are in bounds\n";
            assert!(text.starts_with(said), "{option:?}: {text}");
            assert_eq!(record["assumptions"][0], "accesses are in bounds");
            assert_eq!(record["settings"]["assume_in_bounds"], true);
        }
    }
}

#[test]
fn an_assumption_leaves_what_is_in_bounds() {
    let body = "int main(void) {\n  int n = __VERIFIER_nondet_int();\n  char a[7];\n  for (int k = 0; k < n; k++) a[k] = 1;\n  if (n == 7) reach_error();\n  return 0;\n}\n";
    let folder = folder();
    for techniques in ["compact", "classic"] {
        let options = ["--assume-in-bounds", "--techniques", techniques];
        let (text, record) = analyzed(&folder, body, &options);
        let said = "reachable\nreplayed natively: yes\n";
        assert!(text.starts_with(said), "a replay assumes nothing: {text}");
        assert_eq!(record["assumptions"].as_array().unwrap().len(), 0);
        assert_eq!(record["inputs"][0]["signed"], "7");
    }
}

#[test]
fn a_witness_of_an_assumption_is_not_written() {
    let folder = folder();
    let witness = folder.path().join("witness.yml");
    let option = ["--assume-in-bounds", "--witness", witness.to_str().unwrap()];
    let (_, record) = analyzed(&folder, UNREACHABLE, &option);
    assert_eq!(record["verdict"], "unreachable");
    assert!(record["notes"].to_string().contains("in bounds"));
    assert!(!witness.exists());
}

#[test]
fn a_timeout_is_kept_and_gives_3_with_the_reason() {
    let folder = folder();
    let record = folder.path().join("record.json");
    let started = Instant::now();
    compact_se()
        .args(["analyze", "--classic", "--timeout", "6", "--json"])
        .arg(&record)
        .arg(program(&folder, UNREACHABLE))
        .assert()
        .code(3);
    assert!(
        started.elapsed() < Duration::from_secs(20),
        "took {:?}",
        started.elapsed()
    );
    let record = json(&record);
    assert_eq!(record["verdict"], "unknown");
    let reasons = record["reasons"].as_array().unwrap();
    let reason = reasons
        .iter()
        .find(|reason| reason["kind"] == "out-of-time")
        .expect("out of time");
    assert!(reason["hint"].as_str().unwrap().contains("--timeout"));
    assert!(record["counts"]["states"].as_u64().unwrap() > 10);
}

#[test]
fn reasons_have_places_and_counts() {
    let folder = folder();
    let body = "int main(void) {\n  extern char *ttyname(int);\n  if (ttyname(0) == 0) reach_error();\n  return 0;\n}\n";
    let output = compact_se()
        .arg("analyze")
        .arg(program(&folder, body))
        .assert()
        .code(3);
    let text = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    assert!(text.starts_with("unknown\n\nreasons:\n"), "{text}");
    assert!(text.contains("program.c:5:"), "{text}");
    assert!(text.contains("not supported"), "{text}");
}

#[test]
fn ctrl_c_ends_with_what_is_known() {
    let folder = folder();
    let record = folder.path().join("record.json");
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_compact-se"))
        .args(["analyze", "--classic", "--json"])
        .arg(&record)
        .arg(program(&folder, UNREACHABLE))
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_secs(3));
    let interrupted = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(interrupted.success());
    let deadline = Instant::now() + Duration::from_secs(15);
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > deadline {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("Ctrl-C did not end the run");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("unknown\n"));
    let record = json(&record);
    // The query that was interrupted may leave its path undecided as well.
    let reasons = record["reasons"].as_array().unwrap();
    assert!(reasons.iter().any(|reason| reason["kind"] == "interrupted"));
    assert!(record["counts"]["states"].as_u64().unwrap() > 0);
}

/// Runs `arguments`, demands exit code 2 and gives the message.
fn refused(arguments: &[&str]) -> String {
    let output = compact_se().args(arguments).assert().code(2);
    let output = output.get_output();
    assert!(output.stdout.is_empty(), "{arguments:?} prints a result");
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn bad_input_is_one_clear_message() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name).display().to_string();
    assert!(refused(&["analyze", &path("no.c")]).contains("no.c: file not found"));
    file(&folder, "text.bc", "this is no bitcode");
    assert!(refused(&["analyze", &path("text.bc")]).contains("text.bc"));
    file(&folder, "empty.c", "");
    assert!(refused(&["analyze", &path("empty.c")]).contains("main"));
    file(&folder, "broken.c", "int main( {");
    assert!(refused(&["analyze", &path("broken.c")]).contains("broken.c"));
    file(&folder, "plain.txt", "");
    assert!(refused(&["analyze", &path("plain.txt")]).contains("the name must end in .c"));
    file(&folder, "fine.c", "int main(void) { return 0; }");
    assert!(refused(&["analyze", &path("fine.c"), "--target", "nowhere"]).contains("nowhere"));
}

#[test]
fn messages_about_input_name_a_remedy() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let message = refused(&["analyze", &path(".")]);
    assert!(
        message.contains("it is a folder; name the files"),
        "{message}"
    );
    file(&folder, "empty.c", "");
    let message = refused(&["analyze", &path("empty.c")]);
    assert!(message.contains("--function NAME"), "{message}");
    file(
        &folder,
        "header.c",
        "#include \"my.h\"\nint main(void) { return 0; }",
    );
    let message = refused(&["analyze", &path("header.c")]);
    assert!(message.contains("header.c:1:10"), "{message}");
    assert!(message.contains("-I DIR"), "{message}");
    file(&folder, "one.c", "int main(void) { return 0; }");
    file(&folder, "two.c", "int main(void) { return 1; }");
    let message = refused(&["analyze", &path("one.c"), &path("two.c")]);
    assert!(
        message.contains("two.c") && message.contains("main is defined here and in another file"),
        "{message}"
    );
    file(&folder, "policy", "slice = 3");
    let message = refused(&["analyze", &path("one.c"), "--policy", &path("policy")]);
    assert!(message.contains("settings.policy"), "{message}");
    let message = refused(&["check", &path("no.yml"), &path("one.c")]);
    assert_eq!(message.matches("No such file").count(), 1, "{message}");
    let output = compact_se()
        .args(["analyze", &path("one.c")])
        .env("TMPDIR", path("missing"))
        .assert()
        .code(2);
    let message = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(message.contains("set TMPDIR"), "{message}");
}

/// A program that is unreachable is compiled for a replay in vain, and clang is ended.
#[test]
fn nothing_is_left_in_the_temporary_folder() {
    let folder = tempfile::tempdir().unwrap();
    let loops = ["count_down", "count_up", "geometric_doubling"];
    for name in loops {
        let file = format!("tests/corpus/loops/{name}.c");
        for _ in 0..3 {
            compact_se()
                .args(["analyze", &file])
                .env("TMPDIR", folder.path())
                .assert()
                .code(0);
        }
    }
    let left: Vec<_> = folder.path().read_dir().unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

/// The product of two primes of 32 bits, to be taken apart behind a loop.
const HARD: &str = "\
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned long x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint(), n = 0;
    while (n < x)
        n++;
    if (n > 1 && y > 1 && n * y == 18446743979220271189UL)
        reach_error();
    return 0;
}
";

#[test]
fn a_necessary_condition_names_the_limit_that_ended_it() {
    let folder = folder();
    let record = folder.path().join("record.json");
    compact_se()
        .args(["necessary", "--timeout", "1", "--json"])
        .arg(&record)
        .arg(program(&folder, HARD))
        .assert()
        .code(3);
    let record = json(&record);
    let reasons = record["reasons"].as_array().unwrap();
    assert!(
        reasons.iter().any(|reason| reason["kind"] == "out-of-time"),
        "{reasons:?}"
    );
}

#[test]
fn a_name_that_begins_with_a_hyphen_is_a_file() {
    let folder = folder();
    file(&folder, "-Dx.c", "int main(void) { return 0; }");
    compact_se()
        .args(["analyze", "--", "-Dx.c"])
        .current_dir(folder.path())
        .assert()
        .code(0);
}

#[test]
fn options_stand_below_the_heading_that_is_theirs() {
    for command in ["analyze", "cover", "explain", "templates", "tree", "check"] {
        let help = output(&[command, "--help"], 0);
        let heading = |option: &str| {
            let before = &help[..help.find(&format!("--{option}")).unwrap()];
            let mut lines = before.lines().rev();
            lines.find(|line| line.ends_with(':') && !line.starts_with(' '))
        };
        assert_eq!(heading("granularity "), Some("Options:"), "{command}");
        assert_eq!(heading("signed-overflow "), Some("Options:"), "{command}");
        let execution = Some("How the program is executed:");
        assert_eq!(heading("timeout "), execution, "{command}");
        if help.contains("--json ") {
            assert_eq!(heading("json "), Some("Options:"), "{command}");
        }
    }
}

#[test]
fn errors_stand_in_the_json_too() {
    let folder = folder();
    let record = folder.path().join("record.json");
    compact_se()
        .args(["analyze", "no.c", "--json"])
        .arg(&record)
        .assert()
        .code(2);
    let record = json(&record);
    assert_eq!(record["verdict"], "error");
    assert!(record["error"].as_str().unwrap().contains("file not found"));
}

#[test]
fn absurd_options_are_refused() {
    assert!(refused(&["analyze"]).contains("FILE"));
    assert!(refused(&["analyze", "a.c", "--timeout", "0"]).contains("0 is not in 1.."));
    assert!(refused(&["analyze", "a.c", "--timeout=-1"]).contains("--timeout"));
    assert!(refused(&["analyze", "a.c", "--timeout", "soon"]).contains("soon"));
    assert!(refused(&["analyze", "a.c", "--memory", "1"]).contains("1 is not in 64.."));
    assert!(refused(&["analyze", "a.c", "--search", "luck"]).contains("possible values: bfs"));
    assert!(
        refused(&["analyze", "a.c", "--paper", "--search", "dfs"]).contains("cannot be used with")
    );
    assert!(
        refused(&["analyze", "a.c", "--json", "/nowhere/r.json"])
            .contains("there is no folder /nowhere")
    );
    assert!(refused(&["analyze", "a.c", "--json", "/"]).contains("it is a folder"));
    assert!(refused(&["analyze", "a.c", "--json", "-"]).contains("name a file"));
    assert!(refused(&["tree", "a.c", "--max-nodes", "0"]).contains("0 is not in 1.."));
}

#[test]
fn places_that_cannot_be_written_are_refused_before_the_run() {
    let folder = folder();
    let path = program(&folder, UNREACHABLE);
    let name = path.display().to_string();
    for command in ["analyze", "templates"] {
        let message = refused(&[command, &name, "--json", "/proc/record.json"]);
        assert!(
            message.contains("cannot write /proc/record.json"),
            "{message}"
        );
    }
    for command in ["analyze", "templates", "tree"] {
        let message = refused(&[command, &name, "--log-queries", "/proc/queries"]);
        assert!(
            message.contains("cannot write to /proc/queries"),
            "{message}"
        );
    }
    let unmade = folder.path().join("record.json");
    let unmade = unmade.display().to_string();
    assert!(refused(&["templates", "no.c", "--json", &unmade]).contains("no.c: file not found"));
    assert!(!Path::new(&unmade).exists(), "an empty file is left behind");
}

#[test]
fn a_result_that_is_lost_is_an_error_and_a_reader_that_left_is_none() {
    let folder = folder();
    let path = program(&folder, UNREACHABLE);
    let run = |stdout: std::process::Stdio, stderr: std::process::Stdio| {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_compact-se"))
            .arg("templates")
            .arg(&path)
            .stdout(stdout)
            .stderr(stderr)
            .spawn()
            .unwrap();
        drop((child.stdout.take(), child.stderr.take()));
        child.wait().unwrap().code()
    };
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    assert_eq!(run(full.into(), std::process::Stdio::null()), Some(2));
    let answer = compact_se()
        .args(["analyze", "--json", "/dev/full"])
        .arg(&path)
        .assert()
        .code(2);
    let answer = String::from_utf8_lossy(&answer.get_output().stdout).into_owned();
    assert!(answer.starts_with("unreachable\n"), "{answer}");
    let piped = std::process::Stdio::piped;
    assert_eq!(run(piped(), piped()), Some(0));
    let broken = file(&folder, "broken.c", "int main( {");
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_compact-se"))
        .arg("analyze")
        .arg(&broken)
        .stderr(piped())
        .spawn()
        .unwrap();
    drop(child.stderr.take());
    assert_eq!(
        child.wait().unwrap().code(),
        Some(2),
        "no panic over a closed pipe"
    );
}

#[test]
fn a_record_does_not_overwrite_its_input() {
    let folder = folder();
    let path = program(&folder, REACHABLE);
    let name = path.display().to_string();
    assert!(refused(&["analyze", &name, "--json", &name]).contains("it is the input"));
    assert!(std::fs::read_to_string(&path).unwrap().contains("x == 42"));
}

#[test]
fn templates_are_shown_with_their_lines() {
    let folder = folder();
    let record = folder.path().join("templates.json");
    let output = compact_se()
        .args(["templates", "--json"])
        .arg(&record)
        .arg(program(&folder, UNREACHABLE))
        .assert()
        .code(0);
    let text = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    assert!(text.contains("program.c:5"), "{text}");
    // The variables of C, not LLVM's names for them.
    assert!(
        text.contains("θ*[κ](i) = i + 4*κ   (arithmetic)\n"),
        "{text}"
    );
    assert!(text.contains("θ(i) = i + 4*κ\n"), "{text}");
    assert!(
        text.contains("φ = n ≤ₛ k + κ ∧ (∀τ<κ: k + τ <ₛ n)\n"),
        "{text}"
    );
    assert!(text.ends_with("cycles: 1; with a template: 1\n"), "{text}");
    assert_eq!(json(&record)["cycles"].as_array().unwrap().len(), 1);
}

/// `compact-se reproduce` and others start `compact-se-reproduce`, which may not be installed.
#[test]
fn commands_of_the_companion_are_handed_to_it() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let own = folder.path().join("compact-se");
    std::fs::hard_link(env!("CARGO_BIN_EXE_compact-se"), &own).unwrap();
    let run = |arguments: &str| {
        let mut command = assert_cmd::Command::new(&own);
        command.args(arguments.split(' ')).env("PATH", "/nowhere");
        let output = command.output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).unwrap())
    };
    let (code, text) = run("reproduce thesis --help");
    assert_eq!(code, Some(2));
    assert!(
        text.contains("cargo build --release -p compact-se-reproduce"),
        "{text}"
    );
    let companion = file(
        &folder,
        "compact-se-reproduce",
        "#!/bin/sh\necho $* of $COMPACT_SE\nexit 7\n",
    );
    std::fs::set_permissions(
        &companion,
        std::os::unix::fs::PermissionsExt::from_mode(0o755),
    )
    .unwrap();
    for (command, handed) in [
        ("reproduce thesis --help", "thesis --help"),
        ("batch tasks --results r", "batch tasks --results r"),
        ("microc generate --seed 5", "generate --seed 5"),
        ("microc costs a.mc", "costs a.mc"),
    ] {
        let wanted = format!("{handed} of {}\n", own.display());
        assert_eq!(run(command), (Some(7), wanted), "{command}");
    }
}

/// A tree has the verdict of the errors in it, where no target is named.
#[test]
fn a_tree_with_an_error_is_not_unreachable() {
    let folder = folder();
    let divided = "int main(void) { int x = __VERIFIER_nondet_int(); return 10 / x; }\n";
    let divided = file(
        &folder,
        "divided.c",
        &format!("int __VERIFIER_nondet_int(void);\n{divided}"),
    );
    let output = output(&["tree", divided.to_str().unwrap()], 0);
    assert!(
        output
            .lines()
            .next()
            .unwrap()
            .ends_with(": reachable, not replayed"),
        "{output}"
    );
}

/// An array without a length, of another file, is not one of no bytes.
#[test]
fn an_array_of_unknown_length_is_not_empty() {
    let folder = folder();
    let table = file(
        &folder,
        "table.c",
        "int __VERIFIER_nondet_int(void);\nextern const unsigned char T[];\nint main(void) { return T[__VERIFIER_nondet_int() & 7]; }\n",
    );
    let output = output(&["analyze", table.to_str().unwrap()], 3);
    assert!(
        output.contains("use of the variable T, which is only declared and of unknown size"),
        "{output}"
    );
}

#[test]
fn trees_come_as_text_dot_and_page() {
    let folder = folder();
    let path = program(&folder, UNREACHABLE);
    let text = |arguments: &[&str]| {
        let output = compact_se()
            .arg("tree")
            .args(arguments)
            .arg(&path)
            .assert()
            .code(0);
        String::from_utf8(output.get_output().stdout.clone()).unwrap()
    };
    let tree = text(&[]);
    assert!(
        tree.lines()
            .next()
            .unwrap()
            .ends_with("compact: unreachable"),
        "{tree}"
    );
    assert!(
        tree.contains(")^κ"),
        "a template node shows its core: {tree}"
    );
    assert!(text(&["--dot"]).starts_with("digraph tree {"));
    let page = folder.path().join("tree.html");
    assert_eq!(text(&["--html", page.to_str().unwrap()]), "");
    assert!(
        std::fs::read_to_string(page)
            .unwrap()
            .starts_with("<!DOCTYPE html>")
    );
    let cut = text(&["--classic", "--max-nodes", "20"]);
    assert!(
        cut.contains("only the first 20 nodes are recorded"),
        "{cut}"
    );
}

#[test]
fn a_flowgraph_parses_back() {
    let folder = folder();
    let output = compact_se()
        .arg("flowgraph")
        .arg(program(&folder, UNREACHABLE))
        .assert()
        .code(0);
    let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    let program: compact_se::flowgraph::Program = text.parse().unwrap();
    assert_eq!(program.to_string(), text);
}

const SCRIPT: &str = "(set-logic ALL)\n(set-info :status STATUS)\n(declare-const k (_ BitVec 8))\n(assert (forall ((t (_ BitVec 8))) (=> (bvult t k) (bvult t #x05))))\n(assert (= k #xBOUND))\n(check-sat)\n";

fn script(folder: &TempDir, status: &str, bound: &str) -> PathBuf {
    let text = SCRIPT.replace("STATUS", status).replace("BOUND", bound);
    file(folder, &format!("{status}{bound}.smt2"), &text)
}

#[test]
fn solve_decides_scripts_and_checks_their_status() {
    let folder = folder();
    let sat = script(&folder, "sat", "05");
    let output = compact_se().arg("solve").arg(&sat).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(text.starts_with("sat") && text.contains("k = 5"), "{text}");
    let unsat = script(&folder, "unsat", "06");
    let output = compact_se().arg("solve").arg(&unsat).output().unwrap();
    assert!(output.stdout.starts_with(b"unsat"));
    assert_eq!(output.status.code(), Some(0));
    let wrong = script(&folder, "unsat", "05");
    let output = compact_se().arg("solve").arg(&wrong).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let broken = file(&folder, "broken.smt2", "(assert");
    let output = compact_se().arg("solve").arg(&broken).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("broken.smt2"), "{message}");
}

#[test]
fn queries_are_logged_in_a_form_that_can_be_solved() {
    let folder = folder();
    let log = folder.path().join("queries");
    compact_se()
        .args(["analyze", "--log-queries"])
        .arg(&log)
        .arg(program(&folder, UNREACHABLE))
        .assert()
        .code(0);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&log)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(!files.is_empty(), "some query reached the solver");
    compact_se().arg("solve").args(&files).assert().code(0);
}

#[test]
fn compiler_options_are_those_of_compilers() {
    let folder = folder();
    std::fs::create_dir(folder.path().join("inc")).unwrap();
    file(&folder, "inc/limit.h", "#define LIMIT 7\n");
    file(&folder, "first.h", "extern int nondet_int(void);\n");
    let program = file(
        &folder,
        "program.c",
        "#include <limit.h>\n#if defined GONE || N != 3 || __STDC_VERSION__ != 199901L\n#error wrong\n\
         #endif\nvoid reach_error(void) {}\nint main(void) {\n\
         if (nondet_int() == LIMIT + N) reach_error();\n return 0;\n}\n",
    );
    compact_se()
        .arg("analyze")
        .args([
            "-DN=3", "-D", "GONE", "-UGONE", "-O2", "-std=c99", "-include",
        ])
        .arg(folder.path().join("first.h"))
        .arg("-I")
        .arg(folder.path().join("inc"))
        .arg(&program)
        .assert()
        .code(1);
    let database = file(
        &folder,
        "compile_commands.json",
        r#"[{"directory": ".", "file": "program.c",
             "command": "cc -O2 -Wall -std=c99 -DN=3 -Iinc -include first.h -o p.o -c program.c"}]"#,
    );
    let with_database = |program: &Path| {
        let mut command = compact_se();
        command.args(["analyze", "--compile-commands"]);
        command.arg(&database).arg(program).assert()
    };
    with_database(&program).code(1);
    let other = file(&folder, "other.c", "int main(void) { return 0; }\n");
    let error = with_database(&other).code(2).get_output().stderr.clone();
    let error = String::from_utf8(error).unwrap();
    assert!(error.contains("other.c; it has program.c"), "{error}");
}

/// `// run: OPTIONS [-- FURTHER FILES] => CODE [TEXT]` in the files of `tests/compile`: how `analyze` ends,
/// and what it says; `svcomp` with the property of today in the place of `run`.
#[test]
fn files_are_compiled_as_they_are_meant() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compile");
    let mut files: Vec<PathBuf> = (std::fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let runs: Vec<(PathBuf, String)> = (files.into_iter())
        .flat_map(|file| {
            let text = std::fs::read_to_string(&file).unwrap();
            let lines = text
                .lines()
                .filter(|line| line.contains(" => "))
                .map(str::to_owned);
            lines.map(|line| (file.clone(), line)).collect::<Vec<_>>()
        })
        .collect();
    assert!(runs.len() > 50);
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((file, line)) = runs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let failed = failure_of_run(file, line);
                    failures.lock().unwrap().extend(failed);
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn failure_of_run(file: &Path, line: &str) -> Option<String> {
    let (run, expected) = line.split_once(" => ").unwrap();
    let run = run.trim_start_matches("; ");
    let (kind, options) = run.split_once(':').unwrap();
    let (options, further) = options.split_once(" -- ").unwrap_or((options, ""));
    let (code, said) = expected.split_once(' ').unwrap_or((expected, ""));
    let mut command = compact_se();
    match kind {
        "// run" => command.args(["analyze", "--timeout", "60"]),
        _ => command.args(["svcomp", "--property", "tests/svcomp/unreach-call.prp"]),
    };
    command
        .args(options.split_whitespace())
        .arg(file)
        .args(further.split_whitespace());
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    let is_as_expected = output.status.code() == code.parse().ok() && text.contains(said);
    (!is_as_expected).then(|| format!("{}: {line}\n{:?}\n{text}", file.display(), output.status))
}

/// Habits of C90: nothing is declared, results are int, numbers are pointers; and several files.
#[test]
fn old_c_is_no_error() {
    let folder = folder();
    let main = file(
        &folder,
        "main.c",
        "static counter;\nmain() {\n  int *p = 0;\n  counter = twice(nondet_int());\n\
         \x20 if (counter == 14) reach_error();\n  p = counter;\n  return p == 3;\n}\n",
    );
    let twice = file(
        &folder,
        "twice.c",
        "twice(x) int x; { return x + x; }\nvoid reach_error() {}\n",
    );
    let analyze = |arguments: &[&str]| {
        let mut command = compact_se();
        command.arg("analyze").args(arguments).args([&main, &twice]);
        command.assert()
    };
    analyze(&[]).code(1);
    let nested = format!(
        "int main(void) {{ return {}1{}; }}\n",
        "(".repeat(500),
        ")".repeat(500)
    );
    let nested = file(&folder, "nested.c", &nested);
    compact_se().arg("analyze").arg(&nested).assert().code(0);
}

/// ATVA 2011, Figure 1, with arrays that are inputs and a bound for the first counter.
fn figure_1(folder: &TempDir, bound: u32) -> PathBuf {
    let body = format!(
        "int main(void) {{\n  int a = 0, b = 0;\n  \
         for (int i = 0; i < 15; ++i)\n    if (__VERIFIER_nondet_int() == 1) ++a;\n  \
         for (int j = 0; j < 15; ++j)\n    if (__VERIFIER_nondet_int() == 2) ++b;\n  \
         if (a > {bound} && a + b == 23) reach_error();\n  return 0;\n}}\n"
    );
    program(folder, &body)
}

#[test]
fn chains_are_shown_with_their_systems() {
    let folder = folder();
    let record = folder.path().join("record.json");
    let output = compact_se()
        .args(["chains", "--json"])
        .arg(&record)
        .arg(figure_1(&folder, 12))
        .assert()
        .code(0)
        .get_output()
        .clone();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(": {c1, c2}\n"), "{text}");
    assert!(
        text.contains("S(c0)\n") && text.contains("  (6) "),
        "{text}"
    );
    assert!(text.contains("has a solution"), "{text}");
    assert!(
        text.ends_with("5 chains, 1 of them root chains; 0 eliminated, 6 constraints left\n"),
        "{text}"
    );
    let record = json(&record);
    assert_eq!(record["root_chains"], 1);
    assert_eq!(record["chains"], 5);
    let loop_line = &record["view"]["chains"][0]["lines"];
    let loop_line = loop_line.as_array().unwrap().iter();
    let mut loop_line = loop_line.filter(|line| line["chains"] == serde_json::json!(["c1", "c2"]));
    assert!(loop_line.next().is_some(), "{record}");
    let dot = compact_se()
        .args(["chains", "--dot"])
        .arg(figure_1(&folder, 12))
        .output()
        .unwrap();
    let dot = String::from_utf8(dot.stdout).unwrap();
    assert!(
        dot.starts_with("digraph chains {") && dot.contains("style=dashed"),
        "{dot}"
    );
}

#[test]
fn chains_are_shown_as_a_page() {
    let folder = folder();
    let html = folder.path().join("chains.html");
    let file = figure_1(&folder, 17);
    compact_se()
        .args(["chains", "--html"])
        .arg(&html)
        .arg(&file)
        .assert()
        .code(0);
    let page = std::fs::read_to_string(html).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>"), "{page}");
    for of_others in ["http:", "https:", "src=", "@DATA@", "@TITLE@"] {
        assert!(!page.contains(of_others), "{of_others}");
    }
    let data = data_of_page(&page);
    let chains = data["view"]["chains"].as_array().unwrap();
    assert_eq!(chains.len(), 5);
    let names: Vec<&str> = chains.iter().map(|c| c["name"].as_str().unwrap()).collect();
    let is_root: Vec<bool> = chains.iter().map(|c| c["is_root"] == true).collect();
    assert_eq!(names, ["c0", "c1", "c2", "c3", "c4"]);
    assert_eq!(is_root, [true, false, false, false, false]);
    // Each subchain is there to be chosen, and the answer with its system.
    let loop_nodes = chains.iter().flat_map(|c| c["lines"].as_array().unwrap());
    let subchains = loop_nodes.flat_map(|line| line["chains"].as_array().unwrap());
    assert!(
        subchains
            .into_iter()
            .all(|name| names.contains(&name.as_str().unwrap()))
    );
    assert_eq!(
        data["view"]["systems"][0]["constraints"]
            .as_array()
            .unwrap()
            .len(),
        6
    );
    assert_eq!(
        data["answers"][0],
        "has no solution: the chain is eliminated"
    );
    assert!(
        data["numbers"]
            .as_str()
            .unwrap()
            .starts_with("5 chains, 1 of them")
    );
    // Without a folder there is no page.
    compact_se()
        .args(["chains", "--html", "/nowhere/page.html"])
        .arg(&file)
        .assert()
        .code(2);
}

/// The data of a page.
fn data_of_page(page: &str) -> serde_json::Value {
    let start = "<script id=\"data\" type=\"application/json\">";
    let data = page.split_once(start).unwrap().1;
    serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn necessary_conditions_are_shown_as_pictures_and_pages() {
    let folder = folder();
    let [dot, html, record] =
        ["condition.dot", "condition.html", "record.json"].map(|name| folder.path().join(name));
    let body = "int main(void) {\n  int n = __VERIFIER_nondet_int(), k = 0;\n  \
                for (int i = 0; i < n; i++) {\n    if (__VERIFIER_nondet_int() == 1) k++;\n    \
                for (int j = 0; j < i; j++) k += 2;\n  }\n  \
                if (k == 3) reach_error();\n  return 0;\n}\n";
    let output = compact_se()
        .args(["necessary", "--dot"])
        .arg(&dot)
        .arg("--html")
        .arg(&html)
        .arg("--json")
        .arg(&record)
        .arg(program(&folder, body))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let record = json(&record);
    let loops = record["condition"]["loops"].as_array().unwrap();
    assert_eq!(loops.len(), 2, "{text}");
    let outer = (loops.iter())
        .position(|of_loop| of_loop["ways"].as_array().unwrap().len() == 2)
        .expect("the outer loop has two ways");
    let dot = std::fs::read_to_string(dot).unwrap();
    assert!(dot.starts_with("digraph necessary {"), "{dot}");
    for part in [
        "condition -> b1".to_owned(),
        format!("b1 -> l{} [style=dashed]", outer + 1),
        format!("l{}:w1 -> l{} [style=dashed]", outer + 1, 2 - outer),
        "(arithmetic)".to_owned(),
        "φ1 ≡ ∃κ".to_owned(),
    ] {
        assert!(dot.contains(&part), "{part} is not in\n{dot}");
    }
    let page = std::fs::read_to_string(html).unwrap();
    assert!(
        !page.contains("http"),
        "the page needs nothing from elsewhere"
    );
    let data = data_of_page(&page);
    assert_eq!(data["loops"].as_array().unwrap().len(), 2);
    assert_eq!(data["backbones"][0]["loops"], serde_json::json!([outer]));
    assert_eq!(
        data["loops"][outer]["ways"][0]["loops"],
        serde_json::json!([1 - outer])
    );
    // What the page says is in the text too.
    for part in [&data["formula"], &data["backbones"][0]["formula"]] {
        assert!(
            text.contains(part.as_str().unwrap()),
            "{part} is not in\n{text}"
        );
    }
    for form in data["loops"][outer]["forms"].as_array().unwrap() {
        let [variable, value] = ["variable", "value"].map(|name| form[name].as_str().unwrap());
        let line = format!("θ^κ({variable}) = {value}   (");
        assert!(text.contains(&line), "{line} is not in\n{text}");
    }
}

#[test]
fn nothing_is_necessary_behind_a_recursive_call() {
    let folder = folder();
    let body = "static int f(int n) { return n <= 0 ? 1 : n * f(n - 1); }\n\
                int main(void) {\n  int n = __VERIFIER_nondet_int(), s = 0;\n  \
                if (n < 7) return 0;\n  \
                LOOP s += f(n);\n  if (s == 0) reach_error();\n  return 0;\n}\n";
    for around in ["", "for (int i = 0; i < n; i++)"] {
        let output = compact_se()
            .arg("necessary")
            .arg(program(&folder, &body.replace("LOOP", around)))
            .assert()
            .code(3)
            .get_output()
            .clone();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("a call of f that is not inlined"), "{text}");
        // What comes before the call is necessary.
        assert!(text.contains("φ1 ≡ 6 <ₛ "), "{text}");
    }
}

#[test]
fn navigation_finds_the_way_or_refutes_it_before_execution() {
    let folder = folder();
    let record = folder.path().join("record.json");
    for (bound, code) in [(12, 1), (17, 0)] {
        compact_se()
            .args(["analyze", "--classic", "--search", "navigate", "--json"])
            .arg(&record)
            .arg(figure_1(&folder, bound))
            .assert()
            .code(code);
        let record = json(&record);
        assert_eq!(record["settings"]["search"], "navigate");
        let counts = &record["counts"];
        let visited = counts["visited"].as_u64().unwrap();
        if code == 0 {
            assert_eq!(visited, 0, "decided before execution");
            assert_eq!(counts["navigation"]["eliminated"], 1);
        } else {
            let depth = counts["depth"].as_u64().unwrap();
            assert!(
                visited <= depth + 4,
                "{visited} states on a path of {depth}"
            );
        }
    }
}

#[test]
fn a_folder_like_klee_s_has_a_test_for_each_error() {
    let folder = folder();
    let body = "int main(void) {\n  int x = __VERIFIER_nondet_int(), a[4] = {0};\n  if (x == 77) return 7 / (x - 77);\n  if (x > 90 && x < 94) return a[x - 88];\n  return 0;\n}\n";
    let klee = folder.path().join("klee-out-0");
    let options = ["--check", "memory,division", "--all", "--output-dir"];
    let options: Vec<&str> = options.into_iter().chain(klee.to_str()).collect();
    let (text, _) = analyzed(&folder, body, &options);
    assert!(text.starts_with("reachable\n"), "{text}");
    let files = std::fs::read_dir(&klee).unwrap();
    let mut names: Vec<String> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let expected = [
        "info",
        "test000001.ktest",
        "test000001.ptr.err",
        "test000002.div.err",
        "test000002.ktest",
    ];
    assert_eq!(names, expected);
    let read = |name: &str| std::fs::read_to_string(klee.join(name)).unwrap();
    let error = read("test000001.ptr.err");
    assert!(
        error.starts_with("Error: access out of bounds\nFile: "),
        "{error}"
    );
    assert!(
        error.contains("program.c\nLine: 6\nInfo: \n\tAddressSanitizer: "),
        "{error}"
    );
    let info = read("info");
    assert!(info.contains("done: generated tests = 2\n"), "{info}");
    // The test is that of the error: the value of x stands at its end.
    let test = std::fs::read(klee.join("test000002.ktest")).unwrap();
    assert!(test.windows(4).any(|bytes| bytes == 77u32.to_le_bytes()));
}

#[test]
fn leaks_are_for_whole_programs_in_c() {
    let folder = folder();
    let program = program(&folder, REACHABLE);
    let file = program.to_str().unwrap();
    let function = refused(&["analyze", file, "--check", "leak", "--function", "main"]);
    assert!(
        function.contains("hand the memory that it allocates to its caller"),
        "{function}"
    );
    let microc = refused(&[
        "analyze",
        "tests/microc/programs/counting.mc",
        "--check",
        "cleanup",
    ]);
    assert!(microc.contains("are for C; in microc"), "{microc}");
}

#[test]
fn each_target_has_a_verdict_of_its_own() {
    let folder = folder();
    let body = "int main(void) {\n  int n = __VERIFIER_nondet_int(), i = 0;\n  if (n == 5) reach_error();\n  for (int k = 0; k < n; k++) i += 4;\n  if (i == 15) reach_error();\n  if (i == 400) goto ERROR;\n  return 0;\nERROR: return 1;\n}\n";
    let (text, record) = analyzed(&folder, body, &["--target", "all"]);
    assert!(text.starts_with("reachable\n"), "{text}");
    let targets = record["targets"].as_array().unwrap();
    let verdicts: Vec<(&str, &str)> = targets
        .iter()
        .map(|target| {
            let place = target["place"].as_str().unwrap();
            let line = place.rsplit(':').nth(1).unwrap();
            (line, target["verdict"].as_str().unwrap())
        })
        .collect();
    let expected = [
        ("5", "reachable"),
        ("7", "unreachable"),
        ("10", "reachable"),
    ];
    assert_eq!(verdicts, expected);
    assert_eq!(targets[0]["name"], "reach_error");
    assert_eq!(targets[2]["name"], "ERROR");
}

#[test]
fn of_several_targets_it_is_said_which_is_reached() {
    let folder = folder();
    let body = "void a(void) {}\nvoid b(void) {}\nint main(void) {\n  int n = __VERIFIER_nondet_int();\n  if (n == 5) a();\n  if (n == 6 && n == 7) b();\n  if (n == 8) goto L;\n  if (n == 9) reach_error();\n  return 0;\nL: return 1;\n}\n";
    let (text, record) = analyzed(&folder, body, &["--target", "b", "--target", "a"]);
    assert!(
        text.contains("program.c:7:15: the target a is reached\n"),
        "{text}"
    );
    assert_eq!(record["errors"][0]["target"], "a");
    let (text, _) = analyzed(&folder, body, &["--target", "L", "--target", "b"]);
    assert!(text.contains(": the target L is reached\n"), "{text}");
    let (text, record) = analyzed(&folder, body, &["--target", "a"]);
    assert!(!text.contains("the target a"), "{text}");
    assert!(record["errors"][0].get("target").is_none());
    // Each default target, and another one.
    let (text, record) = analyzed(&folder, body, &["--target", "all", "--target", "b"]);
    let verdicts: Vec<(&str, &str)> = (record["targets"].as_array().unwrap().iter())
        .map(|target| {
            (
                target["name"].as_str().unwrap(),
                target["verdict"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        verdicts,
        [("b", "unreachable"), ("reach_error", "reachable")],
        "{text}"
    );
}

#[test]
fn messages_about_programs_in_cpp_say_what_to_do() {
    let folder = folder();
    let source = |name: &str, text: &str| file(&folder, name, text).display().to_string();
    let thrown = source(
        "thrown.cpp",
        "extern \"C\" int __VERIFIER_nondet_int(void);
         static int half(int n) { if (n % 2) throw n; return n / 2; }
         int main() { try { return half(__VERIFIER_nondet_int()); } catch (int) { return 1; } }",
    );
    let text = output(&["analyze", &thrown], 3);
    assert!(
        text.contains("thrown.cpp:2:46: not supported: throw of an exception"),
        "{text}"
    );
    assert!(text.contains("exclude the path by an assumption"), "{text}");
    let linkage = source(
        "linkage.cpp",
        "int __VERIFIER_nondet_int(); void reach_error() {}
         int main() { if (__VERIFIER_nondet_int() == 5) reach_error(); }",
    );
    let text = output(&["analyze", &linkage], 1);
    let note = "note: __VERIFIER_nondet_int is declared without extern \"C\"";
    assert!(text.contains(note), "{text}");
    let wrong = source("wrong.cpp", "int main() {\n  strng s;\n}\n");
    let message = refused(&["analyze", &wrong]);
    assert!(
        message.contains("wrong.cpp:2:3: error: unknown type name 'strng'"),
        "{message}"
    );
}

#[test]
fn long_double_is_named_where_it_is_refused() {
    let folder = folder();
    let body = "#include <stdlib.h>\nint main(void) {\n  if (strtold(\"1.5\", 0) > 1) reach_error();\n  return 0;\n}\n";
    let file = program(&folder, body).display().to_string();
    let text = output(&["analyze", &file], 3);
    let reason = "not supported: call of strtold, which uses long double";
    assert!(text.contains(reason), "{text}");
    assert!(text.contains("exclude the path by an assumption"), "{text}");
}

/// Two loops of which the second ends as soon as its counter has come to the bound; behind them it is
/// asked whether it went further.
const NO_FURTHER: &str = "int main(void) {\n    unsigned n = __VERIFIER_nondet_int(), i = 0, j = 0;\n    \
     if (n > 1000000)\n        return 0;\n    while (i < n)\n        i++;\n    \
     while (j < n)\n        j += 2;\n    if (j > n + 1)\n        reach_error();\n    return 0;\n}\n";

#[test]
fn states_are_closed_by_conditions_where_coverage_makes_no_progress() {
    let folder = folder();
    let search = ["--classic", "--search", "coverage", "--work", "2"];
    let (text, record) = analyzed(&folder, NO_FURTHER, &search);
    assert_eq!(record["verdict"], "unreachable");
    let counts = &record["counts"]["state_conditions"];
    let closed = counts["closed"].as_u64().unwrap();
    assert!(closed > 0 && counts["asked"].as_u64().unwrap() >= closed);
    assert!(counts["work"].as_f64().unwrap() > 0.0);
    let loops = record["closed_by_conditions"].as_array().unwrap();
    let second = loops.iter().find(|one| one["loop"] == 2).unwrap();
    assert_eq!(second["states"], closed);
    assert!(
        text.contains("closed by the necessary condition of loop 2 ("),
        "{text}"
    );
    // `explain` says the same.
    let file = program(&folder, NO_FURTHER).display().to_string();
    let search = ["--search", "coverage", "--work", "2"];
    let explain = [&["explain", &file, "--techniques", "classic"], &search[..]].concat();
    let text = output(&explain, 0);
    assert!(
        text.contains("closed by the necessary condition of loop 2 ("),
        "{text}"
    );
    // It is this that decides.
    let search = [&["--classic"], &search[..]].concat();
    let without = [&search[..], &["--without", "state-conditions"]].concat();
    let (text, record) = analyzed(&folder, NO_FURTHER, &without);
    assert_eq!(record["verdict"], "unknown");
    assert_eq!(record["settings"]["without"][0], "state-conditions");
    assert!(!text.contains("necessary condition"), "{text}");
}

#[test]
fn models_of_conditions_are_executed_and_replayed() {
    let folder = folder();
    // More iterations than a search for coverage goes through.
    let body = "int main(void) {\n    unsigned n = __VERIFIER_nondet_int(), i = 0, j = 0;\n    \
         if (n > 90000)\n        return 0;\n    while (i < n) {\n        \
         i += 3;\n        j++;\n    }\n    if (j == 20000)\n        reach_error();\n    return 0;\n}\n";
    let search = ["--classic", "--search", "coverage", "--work", "20"];
    let (_, record) = analyzed(&folder, body, &search);
    assert_eq!(record["verdict"], "reachable");
    assert_eq!(record["replay"], "confirmed");
    assert_eq!(record["counts"]["state_conditions"]["hits"], 1);
}

#[test]
fn hints_about_templates_are_counted() {
    let folder = folder();
    // The loop excludes the first way to the target, and leads to the second after 250 iterations.
    let body = "int main(void) {\n    unsigned n = __VERIFIER_nondet_int(), i = 0;\n    \
         if (n > 1000000)\n        return 0;\n    while (i < n)\n        i += 2;\n    \
         if (i > n + 1)\n        reach_error();\n    if (i == 500)\n        reach_error();\n    \
         return 0;\n}\n";
    let hints = ["--techniques", "compact", "--hints", "cores,iterations"];
    let (_, record) = analyzed(&folder, body, &hints);
    assert_eq!(record["verdict"], "reachable");
    let counts = &record["counts"]["hints"];
    assert_eq!(counts["loops"], 1);
    assert!(counts["asked"].as_u64().unwrap() > 0);
    assert!(counts["hits"].as_u64().unwrap() > 0);
    assert_eq!(record["settings"]["hints"][1], "iterations");
    let (_, record) = analyzed(&folder, body, &["--techniques", "compact"]);
    assert_eq!(record["verdict"], "reachable");
    assert_eq!(record["counts"]["hints"]["asked"], 0);
}

#[test]
fn checks_that_need_the_source_say_so_for_bitcode() {
    let folder = folder();
    let text = "define i32 @main() {\n  ret i32 0\n}\n";
    let path = file(&folder, "program.ll", text);
    for options in [
        ["--check", "overflow"],
        ["--check", "all"],
        ["--signed-overflow", "undefined"],
        ["--signed-overflow", "error"],
    ] {
        let mut command = compact_se();
        let refused = command.arg("analyze").arg(&path).args(options).assert();
        let output = refused.code(2).get_output().clone();
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains("need C or C++ files"), "{options:?}: {told}");
    }
}
