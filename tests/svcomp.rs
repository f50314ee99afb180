//! SV-COMP: tasks and property files as they are written, verdict lines, tables that resume.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::support::command::{compact_se, folder, output};
use std::path::{Path, PathBuf};

/// Standard output of `compact-se svcomp ARGUMENTS`, which has to end with this code.
fn svcomp(arguments: &[&str], code: i32) -> String {
    output(&[&["svcomp"], arguments].concat(), code)
}

/// The message with which `compact-se svcomp ARGUMENTS` is refused.
fn refused(arguments: &[&str]) -> String {
    let output = compact_se().arg("svcomp").args(arguments).assert().code(2);
    String::from_utf8_lossy(&output.get_output().stderr).into_owned()
}

#[test]
fn a_task_says_all_that_is_needed() {
    let text = svcomp(&["tests/svcomp/stride.yml"], 0);
    assert!(text.starts_with("true\nthe task expects: true\n"), "{text}");
    let text = svcomp(&["tests/svcomp/two-files.yml"], 1);
    assert!(text.starts_with("false(unreach-call)\n"), "{text}");
    assert!(text.contains("replayed natively: yes\n"), "{text}");
}

#[test]
fn data_models_are_those_of_the_task() {
    assert!(svcomp(&["tests/svcomp/long-ilp32.yml"], 1).starts_with("false(unreach-call)\n"));
    assert!(svcomp(&["tests/svcomp/long-lp64.yml"], 0).starts_with("true\n"));
    let model = ["tests/svcomp/long-lp64.yml", "--data-model", "ILP32"];
    assert!(svcomp(&model, 1).starts_with("false"));
}

#[test]
fn each_wording_of_the_property_names_its_own_target() {
    for property in ["unreach-call", "unreach-call-2015", "unreach-label"] {
        let property = format!("tests/svcomp/{property}.prp");
        let run = |file: &str, code| svcomp(&[file, "--property", &property], code);
        assert!(run("tests/svcomp/stride.c", 0).starts_with("true\n"));
        if property.ends_with("label.prp") {
            let text = run("tests/svcomp/label_unsafe.i", 1);
            assert!(text.starts_with("false(unreach-call)\n"), "{text}");
            assert!(text.contains(" = 6 (i32)"), "{text}");
        } else {
            let text = run("tests/svcomp/label_unsafe.i", 0);
            assert!(text.starts_with("true\n"), "{text}");
            assert!(text.contains("so it cannot be reached"), "{text}");
        }
        assert!(run("tests/svcomp/label_safe.i", 0).starts_with("true\n"));
        let text = run("tests/svcomp/nothing_safe.i", 0);
        assert!(text.contains("so it cannot be reached"), "{text}");
    }
}

#[test]
fn a_timeout_is_unknown_with_the_loop_that_stands_open() {
    let arguments = ["tests/svcomp/stride.yml", "--classic", "--timeout", "5"];
    let text = svcomp(&arguments, 3);
    assert!(
        text.starts_with("unknown (out of time (--timeout))\n"),
        "{text}"
    );
    assert!(text.contains("tests/svcomp/stride.c:7-8  main"), "{text}");
}

#[test]
fn executions_end_at_undefined_behaviour() {
    let arguments = [
        "tests/svcomp/undefined.c",
        "--property",
        "tests/svcomp/unreach-call.prp",
    ];
    let text = svcomp(&arguments, 0);
    assert!(text.starts_with("true\n"), "{text}");
    assert!(text.contains("access out of bounds"), "it is said: {text}");
    let open = [&arguments[..], &["--undefined-is-open"]].concat();
    let text = svcomp(&open, 3);
    assert!(text.starts_with("unknown (undefined behaviour:"), "{text}");
    compact_se()
        .args(["analyze", "tests/svcomp/undefined.c"])
        .assert()
        .code(3);
}

/// Standard output of `analyze tests/signed_overflow/FILE --signed-overflow MODE`.
fn with_overflow(file: &str, mode: &str, code: i32) -> String {
    let file = format!("tests/signed_overflow/{file}.c");
    output(&["analyze", &file, "--signed-overflow", mode], code)
}

#[test]
fn signed_overflow_wraps_ends_executions_or_is_an_error() {
    for file in ["sum", "negation"] {
        let text = with_overflow(file, "wrap", 1);
        assert!(text.contains("replayed natively: yes"), "{text}");
        let text = with_overflow(file, "undefined", 0);
        let assumed = "unreachable\nassuming that no signed operation overflows\n";
        assert!(text.starts_with(assumed), "{file}: {text}");
        assert!(
            text.contains("undefined behaviour: signed overflow"),
            "{text}"
        );
        let text = with_overflow(file, "error", 1);
        assert!(text.contains(": signed overflow (Undefined"), "{text}");
    }
    // The default is to wrap.
    output(&["analyze", "tests/signed_overflow/sum.c"], 1);
}

#[test]
fn without_overflow_an_error_is_still_found() {
    for mode in ["wrap", "undefined"] {
        for file in ["either", "unsigned", "address"] {
            let text = with_overflow(file, mode, 1);
            assert!(text.contains("replayed natively: yes"), "{text}");
        }
    }
    // Unsigned and narrow types overflow in no mode.
    let unsigned = with_overflow("unsigned", "error", 1);
    assert!(
        unsigned.starts_with("reachable\nreplayed natively: yes\n"),
        "{unsigned}"
    );
}

#[test]
fn nothing_is_assumed_of_programs_without_overflow() {
    let text = output(
        &[
            "analyze",
            "c-benchmarks/linSrch.c",
            "--signed-overflow",
            "undefined",
        ],
        1,
    );
    assert!(!text.contains("assuming"), "{text}");
    let text = svcomp(&["tests/svcomp/long-lp64.yml"], 0);
    assert!(!text.contains("assuming"), "{text}");
}

#[test]
fn overflow_is_undefined_in_tasks() {
    let property = "tests/svcomp/unreach-call.prp";
    let arguments = ["tests/signed_overflow/sum.c", "--property", property];
    let text = svcomp(&arguments, 0);
    let assumed = "true\nassuming that no signed operation overflows\n";
    assert!(text.starts_with(assumed), "{text}");
    for wrap in [&["--signed-overflow", "wrap"][..], &["--undefined-is-open"]] {
        let text = svcomp(&[&arguments[..], wrap].concat(), 1);
        assert!(text.starts_with("false(unreach-call)\n"), "{text}");
    }
}

#[test]
fn overflow_cannot_be_looked_for_and_be_none() {
    let file = "tests/signed_overflow/sum.c";
    let both = ["--check", "overflow", "--signed-overflow", "wrap"];
    let run = compact_se()
        .args([&["analyze", file], &both[..]].concat())
        .assert()
        .code(2);
    let message = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(message.contains("drop one of the two"), "{message}");
}

#[test]
fn a_proof_without_overflow_is_checked_without_overflow() {
    let folder = folder();
    let witness = folder.path().join("witness.yml");
    let witness = witness.to_str().unwrap();
    let file = "tests/signed_overflow/sum.c";
    let property = ["--property", "tests/svcomp/unreach-call.prp"];
    svcomp(&[&[file, "--witness", witness], &property[..]].concat(), 0);
    let check = |more: &[&str]| {
        let arguments = [&["check", witness, file], &property[..], more].concat();
        let run = compact_se().args(arguments).output().unwrap();
        String::from_utf8(run.stdout).unwrap()
    };
    assert_eq!(check(&[]), "confirmed\n");
    let wrapping = check(&["--signed-overflow", "wrap", "--timeout", "4"]);
    assert_ne!(wrapping, "confirmed\n");
}

#[test]
fn other_questions_are_refused() {
    let stride = "tests/svcomp/stride.c";
    let race = refused(&[stride, "--property", "tests/svcomp/no-data-race.prp"]);
    assert!(
        race.contains("the property no-data-race is not supported"),
        "{race}"
    );
    assert!(refused(&[stride]).contains("--property is missing"));
    let none = refused(&["tests/svcomp/no-such-property.yml"]);
    assert!(
        none.contains("it names no-data-race, termination"),
        "{none}"
    );
    let both = refused(&["tests/svcomp/stride.yml", stride]);
    assert!(both.contains("further files are not allowed"), "{both}");
    assert!(refused(&["nowhere.yml"]).contains("nowhere.yml: cannot be read"));
}

/// The first line of `svcomp FILE --property tests/svcomp/PROPERTY.prp`.
fn answer(file: &str, property: &str, code: i32) -> String {
    let property = format!("tests/svcomp/{property}.prp");
    let text = svcomp(
        &[file, "--property", &property, "--data-model", "LP64"],
        code,
    );
    text.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn errors_are_properties_too() {
    let sum = "tests/signed_overflow/sum.c";
    assert_eq!(answer(sum, "no-overflow", 1), "false(no-overflow)");
    // Its target is reached, which is not asked.
    let unsigned = "tests/signed_overflow/unsigned.c";
    assert_eq!(answer(unsigned, "no-overflow", 0), "true");
    assert_eq!(answer(unsigned, "valid-memsafety", 0), "true");
    assert_eq!(answer(unsigned, "valid-memcleanup", 0), "true");

    let memory =
        |file: &str, code| answer(&format!("tests/svcomp/{file}"), "valid-memsafety", code);
    assert_eq!(memory("undefined.c", 1), "false(valid-deref)");
    assert_eq!(memory("freed_twice.c", 1), "false(valid-free)");
    assert_eq!(memory("freed_once.c", 0), "true");
    assert_eq!(memory("lost.c", 1), "false(valid-memtrack)");
    assert_eq!(memory("kept.c", 0), "true");
    // It is lost at once, but no execution ends.
    let endless = memory("lost_without_end.c", 3);
    assert!(
        endless.starts_with("unknown (not supported: the leak check"),
        "{endless}"
    );
    let cleanup =
        |file: &str, code| answer(&format!("tests/svcomp/{file}"), "valid-memcleanup", code);
    assert_eq!(cleanup("freed_once.c", 0), "true");
    assert_eq!(cleanup("lost.c", 1), "false(valid-memcleanup)");
    assert_eq!(cleanup("kept.c", 1), "false(valid-memcleanup)");
    assert_eq!(cleanup("lost_without_end.c", 0), "true");
    assert_eq!(
        answer("tests/svcomp/freed_once.c", "unreach-call", 0),
        "true"
    );
}

/// The folder of the tasks under test.
fn tasks() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/svcomp")
}

/// Standard output of `compact-se check WITNESS TASK`, which has to end with this code.
fn check(witness: &Path, task: &str, code: i32) -> String {
    let output = compact_se()
        .arg("check")
        .arg(witness)
        .arg(task)
        .assert()
        .code(code);
    let output = output.get_output();
    let text = if code == 2 {
        &output.stderr
    } else {
        &output.stdout
    };
    String::from_utf8_lossy(text).into_owned()
}

#[test]
fn witnesses_are_checked_against_task_definitions() {
    let folder = folder();
    let witness = folder.path().join("witness.yml");
    let path = witness.to_str().unwrap();
    // The task of format 1.0 says nothing about sizes, so that its `long` has 32 bits.
    svcomp(&["tests/svcomp/long-ilp32.yml", "--witness", path], 1);
    let of = |task: &str, code| check(&witness, &format!("tests/svcomp/{task}.yml"), code);
    assert_eq!(of("long-ilp32", 0), "confirmed\n");
    let message = of("long-lp64", 2);
    assert!(message.contains("for ILP32, the task is LP64"), "{message}");
    let message = of("stride", 2);
    assert!(
        message.contains("is not among the files of the task"),
        "{message}"
    );
    let message = of("two-files", 2);
    assert!(message.contains("only tasks of one C file"), "{message}");
    let message = of("no-such-property", 2);
    assert!(
        message.contains("has no property that is supported"),
        "{message}"
    );
    // Without the task's rules the undefined behaviour keeps the proof open.
    let undefined = folder.path().join("undefined.yml");
    let property = tasks().join("unreach-call.prp");
    let file = tasks().join("undefined.c");
    let text = format!(
        "format_version: '2.0'\ninput_files: [{}]\nproperties: [{{property_file: {}}}]\n",
        file.display(),
        property.display()
    );
    std::fs::write(&undefined, text).unwrap();
    let undefined = undefined.to_str().unwrap();
    svcomp(&[undefined, "--witness", path], 0);
    assert_eq!(check(&witness, undefined, 0), "confirmed\n");
    compact_se()
        .args(["check", path, "tests/svcomp/undefined.c", "--property"])
        .arg(&property)
        .assert()
        .code(0)
        .stdout("confirmed\n");
    let without = ["--data-model", "ILP32"];
    compact_se()
        .args(["check", path, "tests/svcomp/undefined.c"])
        .args(without)
        .assert()
        .code(3);
}

#[test]
fn functions_without_a_body_have_no_effect_but_library_functions_do() {
    let property = ["--property", "tests/svcomp/unreach-call.prp"];
    let ask = |file, code| svcomp(&[&[file], &property[..]].concat(), code);
    let text = ask("tests/svcomp/foreign.c", 0);
    assert!(text.starts_with("true\n"), "{text}");
    assert!(text.contains("note: fill has no body"), "{text}");
    let text = ask("tests/svcomp/library.c", 3);
    assert!(text.contains("not supported: call of ttyname"), "{text}");
    let output = compact_se()
        .args(["analyze", "tests/svcomp/foreign.c"])
        .assert()
        .code(3);
    let text = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    assert!(text.contains("not supported: call of fill"), "{text}");
}
