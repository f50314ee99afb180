//! The tables of the thesis.

use super::reproduce;
use assert_cmd::Command;
use std::path::Path;

fn thesis(arguments: &[&str]) -> Command {
    let mut command = reproduce();
    command.arg("thesis").args(arguments);
    command
}

/// Lines of a CSV file as cells; no cell has a comma but within quotes.
fn cells(path: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(path).unwrap();
    let line = |line: &str| {
        let (mut cells, mut is_quoted) = (vec![String::new()], false);
        for c in line.chars() {
            match c {
                '"' => is_quoted = !is_quoted,
                ',' if !is_quoted => cells.push(String::new()),
                _ => cells.last_mut().unwrap().push(c),
            }
        }
        cells
    };
    text.lines().map(line).collect()
}

fn refused(arguments: &[&str]) -> String {
    let output = thesis(arguments).assert().code(2);
    String::from_utf8_lossy(&output.get_output().stderr).into_owned()
}

#[test]
fn query_counts_of_large_programs_take_no_time() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("table.csv");
    // Ten times less than the thesis gives, in which 39 and 33 of these 50 took longer.
    thesis(&["--table", "6.2", "--timeout", "3", "--csv"])
        .arg(&csv)
        .assert()
        .code(0);
    let rows = cells(&csv);
    assert_eq!(
        rows[0],
        [
            "programs",
            "recursive: thesis",
            "recursive: here",
            "lattice-based: thesis",
            "lattice-based: here"
        ]
    );
    assert_eq!(rows[3], ["large", "39", "0", "33", "0"]);
    assert_eq!(rows.len(), 4);
}

#[test]
fn final_tables_have_the_thesis_beside_and_resume() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let run = || {
        let output = thesis(&["--table", "6.19,decided", "--programs", "2", "--work", "1"])
            .args(["--only", "15-50-3-t-t", "--json"])
            .arg(path("rows.json"))
            .arg("--svg")
            .arg(path("plot.svg"))
            .arg("--markdown")
            .arg(path("table.md"))
            .arg("--csv")
            .arg(path("table.csv"))
            .assert()
            .code(0);
        String::from_utf8(output.get_output().stdout.clone()).unwrap()
    };
    let first = run();
    let kept = std::fs::read_to_string(path("rows.json")).unwrap();
    let kept: serde_json::Value = serde_json::from_str(&kept).unwrap();
    let rows = kept["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 10, "five techniques, two programs");
    assert_eq!(run(), first, "kept rows are not made anew");
    let is_decided = |row: &&serde_json::Value| row["verdict"] != "unknown";
    let together = rows.iter().filter(|row| row["key"]["options"] == "");
    let decided = together.clone().filter(is_decided).count();
    assert_eq!(together.count(), 2);

    let table = cells(&path("table.csv"));
    let (heads, line) = (&table[0], &table[1]);
    let at = |name: &str| {
        let position = heads.iter().position(|head| head == name);
        line[position.unwrap()].as_str()
    };
    assert_eq!(at("settings"), "15-50-3-t-t");
    assert_eq!(at("thesis: path coverage"), "1,875");
    assert_eq!(at("thesis: time (ms)"), "109,909");
    assert_eq!(at("thesis: timeouts"), "3");
    assert_eq!(at("thesis: errors"), "47");
    let number = |name: &str| at(name).parse::<usize>().unwrap();
    let of_together = number("all together: errors") + number("all together: closed");
    assert_eq!(of_together, decided);
    assert!(decided > 0, "{first}");
    let ended: usize = ["errors", "closed", "timeouts", "open"]
        .iter()
        .map(|what| number(&format!("subsumption: {what}")))
        .sum();
    assert_eq!(ended, 2);

    // All 50 finished with merging in the thesis.
    assert!(first.contains("15-50-3-t-t"), "{first}");
    let heading = Some("thesis: finished of 50: best");
    let summary = table
        .iter()
        .skip_while(|line| line.get(1).map(String::as_str) != heading);
    let summary: Vec<&Vec<String>> = summary.collect();
    assert_eq!(summary[1][..3], ["15-50-3-t-t", "50", "merging"]);
    assert_eq!(summary[1][7], decided.to_string());
    let plot = std::fs::read_to_string(path("plot.svg")).unwrap();
    assert!(plot.contains("all together, errors"), "{plot}");
    let markdown = std::fs::read_to_string(path("table.md")).unwrap();
    assert!(markdown.contains("55,836 ms that it prints cannot be"));
}

#[test]
fn strategies_are_run_with_the_parameters_of_the_thesis() {
    let folder = tempfile::tempdir().unwrap();
    let json = folder.path().join("rows.json");
    let csv = folder.path().join("table.csv");
    // Two tables of the same runs.
    thesis(&["--table", "6.14,6.15", "--programs", "1", "--work", "1"])
        .arg("--json")
        .arg(&json)
        .arg("--csv")
        .arg(&csv)
        .assert()
        .code(0);
    let kept = std::fs::read_to_string(&json).unwrap();
    let kept: serde_json::Value = serde_json::from_str(&kept).unwrap();
    let options = kept["rows"].as_array().unwrap().iter().map(|row| {
        assert_eq!(row["key"]["set"], "larger");
        row["key"]["options"].as_str().unwrap().to_owned()
    });
    let options: std::collections::BTreeSet<String> = options.collect();
    assert_eq!(options.len(), 18, "six searches, three mergings");
    let merging = "--techniques=classic --search=klee --without=subsumption --merge=lattice \
                   --merge-limit=2";
    assert!(options.contains(merging), "{options:?}");
    let table = cells(&csv);
    assert_eq!(table[3][0], "random");
    assert_eq!(table[3][5], "40", "aggressive timeouted for 40 programs");
    let sums = table
        .iter()
        .find(|line| line.starts_with(&["random".into(), "–".into()]));
    assert!(sums.is_some(), "Table 6.15 has no random: {table:?}");
}

#[test]
fn tables_that_there_are_not_are_refused() {
    let message = refused(&["--table", "6.16"]);
    assert!(message.contains("6.17"), "{message}");
    let message = refused(&["--table", "6.17", "--only", "15-10-4-f-f"]);
    assert!(message.contains("it has small, medium, large"), "{message}");
    let message = refused(&["--table", "6.7", "--svg", "plot.svg"]);
    assert!(message.contains("final experiments"), "{message}");
    let message = refused(&["--table", "6.7", "--tasks", "."]);
    assert!(message.contains("programs are generated"), "{message}");
    let output = reproduce()
        .args(["issta2012-table2", "--work", "3"])
        .assert()
        .code(2);
    let message = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(
        message.contains("--work is for the tables of the thesis"),
        "{message}"
    );
}
