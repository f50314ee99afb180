//! Tables of papers on programs in C.

use super::{folder, json, reproduce};

/// The message with which a command is refused.
fn refused(arguments: &[&str]) -> String {
    let output = reproduce().args(arguments).assert().code(2);
    String::from_utf8_lossy(&output.get_output().stderr).into_owned()
}

#[test]
fn what_there_is_not_is_refused() {
    assert!(refused(&["table9"]).contains("atva2013-table1"));
    assert!(refused(&["atva2013-table1", "--only", "hallo"]).contains("no program hallo"));
}

#[test]
fn cost_against_bound_skips_what_took_too_long() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    // A loop for which classic execution has a path a bound, and a hopeless condition in each.
    let text = "extern int __VERIFIER_nondet_int(void);\nvoid reach_error(void) {}\nint main(void) {\n  \
         int n = __VERIFIER_nondet_int(), i = 0;\n  if (n > BOUND) return 0;\n  \
         for (int k = 0; k < n; k++) i += 4;\n  if (i == 15) reach_error();\n  return 0;\n}\n";
    std::fs::write(path("OneLoop.c"), text).unwrap();
    let run = || {
        let output = reproduce()
            .args(["cost-against-bound", "--only", "OneLoop"])
            .args(["--timeout", "8", "--runs", "1"])
            .arg("--benchmarks")
            .arg(folder.path())
            .arg("--json")
            .arg(path("rows.json"))
            .arg("--svg")
            .arg(path("plot.svg"))
            .arg("--csv")
            .arg(path("table.csv"))
            .assert()
            .code(0);
        String::from_utf8(output.get_output().stdout.clone()).unwrap()
    };
    let table = run();
    let line = |technique: &str| -> Vec<String> {
        let mut lines = table.lines();
        let line = lines.find(|line| line.starts_with(&format!("OneLoop  {technique}")));
        line.unwrap()
            .split_whitespace()
            .map(str::to_owned)
            .collect()
    };
    assert!(
        line("default")[2..8]
            .iter()
            .all(|cell| cell.parse::<f64>().is_ok()),
        "{table}"
    );
    let classic = line("classic");
    let out_of_time = classic
        .iter()
        .position(|cell| cell == "T/O")
        .expect("it has no end");
    assert!(
        classic[out_of_time + 1..8].iter().all(|cell| cell == "-"),
        "{table}"
    );
    let kept = json(&path("rows.json"));
    let n_rows = kept["rows"].as_array().unwrap().len();
    assert_eq!(n_rows, 6 + out_of_time - 1, "what is skipped is not run");
    assert!(
        std::fs::read_to_string(path("plot.svg"))
            .unwrap()
            .starts_with("<svg ")
    );
    let csv = std::fs::read_to_string(path("table.csv")).unwrap();
    assert!(
        csv.starts_with("program,technique,bound 10: seconds,"),
        "{csv}"
    );
    assert_eq!(run(), table, "kept rows are not made anew");
    let message = refused(&["cost-against-bound", "--only", "VM"]);
    assert!(
        message.contains("it has OneLoop, matrIR, hello, EQCNT, copy"),
        "{message}"
    );
    let message = refused(&["atva2013-table1", "--svg", "plot.svg"]);
    assert!(
        message.contains("only cost-against-bound and thesis have a plot"),
        "{message}"
    );
}

#[test]
fn a_table_resumes_from_its_rows() {
    let folder = folder();
    let rows = folder.path().join("rows.json");
    let csv = folder.path().join("table.csv");
    let run = || {
        let output = reproduce()
            .args([
                "atva2013-table1",
                "--only",
                "OneLoop",
                "--timeout",
                "8",
                "--json",
            ])
            .arg(&rows)
            .arg("--csv")
            .arg(&csv)
            .assert()
            .code(0);
        String::from_utf8(output.get_output().stdout.clone()).unwrap()
    };
    let first = run();
    assert!(first.contains("OneLoop"), "{first}");
    let kept = json(&rows);
    assert_eq!(kept["rows"].as_array().unwrap().len(), 2);
    assert_eq!(kept["rows"][0]["verdict"], "unreachable");
    assert_eq!(
        kept["rows"][1]["verdict"], "unknown",
        "classic execution has no end"
    );
    let text = std::fs::read(&rows).unwrap();
    assert_eq!(run(), first);
    let again = std::fs::read(&rows).unwrap();
    assert!(
        text == again,
        "kept rows, with their times, are not made anew"
    );
    let csv = std::fs::read_to_string(csv).unwrap();
    assert!(
        csv.starts_with("benchmark,templates: time,templates: time (paper),"),
        "{csv}"
    );
    std::fs::write(&rows, "{}").unwrap();
    let arguments = ["atva2013-table1", "--only", "OneLoop", "--json"];
    let output = reproduce().args(arguments).arg(&rows).assert().code(2);
    let message = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(message.contains("does not hold rows"), "{message}");
}

#[test]
fn quantifiers_can_be_left_to_the_solver_in_a_table() {
    let folder = folder();
    let rows = folder.path().join("rows.json");
    let arguments = "atva2013-table1 --only TwoLoops --setting native --timeout 5 --json";
    let output = reproduce()
        .args(arguments.split(' '))
        .arg(&rows)
        .assert()
        .code(0);
    let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    assert!(text.contains("all quantifiers left to Z3"), "{text}");
    let kept = json(&rows);
    let kept = kept["rows"].as_array().unwrap();
    assert_eq!(kept.len(), 1, "classic execution has no quantifiers");
    assert_eq!(kept[0]["key"]["technique"], "compact");
    assert_eq!(kept[0]["key"]["setting"], "native");
}
