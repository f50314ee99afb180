//! Tables of tasks of SV-COMP, and their runs as commands.

use super::{compact_se, folder, json, repository, reproduce};
use serde_json::Value;
use std::path::PathBuf;

/// The folder of the tasks under test.
fn tasks() -> PathBuf {
    repository("tests/svcomp")
}

#[test]
fn the_table_of_2013_resumes() {
    let folder = folder();
    let rows = folder.path().join("rows.json");
    let csv = folder.path().join("tables.csv");
    let run = || {
        let output = reproduce()
            .args(["atva2013-table2", "--timeout", "5", "--tasks"])
            .arg(tasks())
            .arg("--json")
            .arg(&rows)
            .arg("--csv")
            .arg(&csv)
            .assert()
            .code(0);
        String::from_utf8(output.get_output().stdout.clone()).unwrap()
    };
    let first = run();
    let kept = json(&rows);
    let tasks = kept["tasks"].as_array().unwrap();
    assert_eq!(tasks.len(), 6, "three tasks, two techniques");
    for task in tasks {
        let is_safe = task["task"].as_str().unwrap().ends_with("_safe");
        assert_eq!(task["expected"], is_safe);
        assert_eq!(task["verdict"], if is_safe { "true" } else { "false" });
        assert!(task["seconds"].as_f64().unwrap() > 0.0);
        assert!(task["reason"].is_null());
    }
    assert!(first.contains("5 of 5"), "{first}");
    // A row that is there is not made anew, one that is missing is.
    let mut changed = kept.clone();
    changed["tasks"][0]["seconds"] = 4321.0.into();
    changed["tasks"].as_array_mut().unwrap().pop();
    std::fs::write(&rows, changed.to_string()).unwrap();
    let second = run();
    assert!(second.contains("4321.0"), "{second}");
    assert_eq!(json(&rows)["tasks"].as_array().unwrap().len(), 6);
    let csv = std::fs::read_to_string(csv).unwrap();
    assert!(
        csv.starts_with("technique,tasks,time,time (paper),"),
        "{csv}"
    );
}

#[test]
fn defined_tasks_are_scored_by_the_rules_of_today() {
    let folder = folder();
    let rows = folder.path().join("rows.json");
    let markdown = folder.path().join("tables.md");
    reproduce()
        .args(["svcomp-loops", "--timeout", "5"])
        .args(["--technique", "compact", "--tasks"])
        .arg(tasks())
        .arg("--json")
        .arg(&rows)
        .arg("--markdown")
        .arg(&markdown)
        .assert()
        .code(0);
    let text = std::fs::read_to_string(&markdown).unwrap();
    assert!(text.contains("| compact | 4 | "), "{text}");
    assert!(text.contains(" 6 of 6 |"), "{text}");
    assert!(text.contains("Left out: 1 task definitions"), "{text}");
    assert!(text.contains("| stride | true | true |"), "{text}");
    assert!(text.contains("compact, templates"), "{text}");
    // Rows of another benchmark are not mixed in.
    let output = reproduce()
        .args(["atva2013-table2", "--tasks"])
        .arg(tasks())
        .arg("--json")
        .arg(&rows)
        .assert()
        .code(2);
    let message = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(message.contains("holds rows of svcomp-loops"), "{message}");
}

#[test]
fn a_batch_is_commands_whose_results_are_collected() {
    let folder = folder();
    let results = folder.path().join("results of a batch");
    let manifest = || {
        let output = reproduce()
            .args(["batch", "--timeout", "5", "--results"])
            .arg(&results)
            .arg(tasks())
            .assert()
            .code(0);
        String::from_utf8(output.get_output().stdout.clone()).unwrap()
    };
    let first = manifest();
    let lines: Vec<&str> = first.lines().collect();
    assert_eq!(lines.len(), 4, "{first}");
    for line in &lines {
        // An exit code of 1 is an answer.
        let status = std::process::Command::new("sh")
            .args(["-c", line])
            .current_dir(folder.path())
            .status()
            .unwrap();
        assert!(matches!(status.code(), Some(0 | 1)), "{line}");
    }
    assert_eq!(manifest(), "", "finished runs are left out");
    for task in ["stride", "long-lp64"] {
        let witness = results.join(format!("{task}.default.witness.yml"));
        let task = repository(&format!("tests/svcomp/{task}.yml"));
        let checked = compact_se().arg("check").args([witness, task]).assert();
        checked.code(0).stdout("confirmed\n");
    }
    let rows = folder.path().join("rows.json");
    reproduce()
        .args(["svcomp-loops", "--timeout", "5"])
        .args(["--technique", "default", "--tasks"])
        .arg(tasks())
        .arg("--results")
        .arg(&results)
        .arg("--json")
        .arg(&rows)
        .assert()
        .code(0);
    let stride = std::fs::read_to_string(results.join("stride.default.json")).unwrap();
    let stride: Value = serde_json::from_str(&stride).unwrap();
    std::fs::remove_file(results.join("stride.default.json")).unwrap();
    assert_eq!(manifest().lines().count(), 1);
    // With another limit they are other runs.
    let output = reproduce()
        .args(["batch", "--timeout", "6", "--results"])
        .arg(&results)
        .arg(tasks())
        .assert()
        .code(0);
    let text = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    assert_eq!(text.lines().count(), 4, "{text}");
    assert_eq!(stride["verdict"], "unreachable");
    assert_eq!(json(&rows)["tasks"].as_array().unwrap().len(), 4);
}

#[test]
fn tables_say_what_a_check_makes_of_the_witnesses() {
    let folder = tempfile::tempdir().unwrap();
    let rows = folder.path().join("rows.json");
    let output = reproduce()
        .args(["svcomp-loops", "--timeout", "5", "--check-witnesses"])
        .args([
            "--technique",
            "compact",
            "--only",
            "stride,long-ilp32",
            "--tasks",
        ])
        .arg(tasks())
        .arg("--json")
        .arg(&rows)
        .assert()
        .code(0);
    let text = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    assert!(text.contains("1 of 1 for true, 1 of 1 for false"), "{text}");
    for row in json(&rows)["tasks"].as_array().unwrap() {
        assert_eq!(row["witness"]["judgement"], "confirmed", "{row}");
    }
}
