//! The commands on the programs of this folder.

use assert_cmd::Command;
use std::path::PathBuf;

fn program(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/microc/programs");
    folder.join(format!("{name}.mc"))
}

/// Exit code, standard output, standard error.
fn run(arguments: &[&str], file: &str, further: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("compact-se").unwrap();
    let output = command
        .args(arguments)
        .arg(program(file))
        .args(further)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let code = output.status.code().unwrap();
    (code, text(output.stdout), text(output.stderr))
}

#[test]
fn programs_run() {
    let (code, out, told) = run(&["microc", "run"], "factorial", &["--args", "5"]);
    assert_eq!(
        (code, out.as_str(), told.as_str()),
        (0, "", "main returned 120\n")
    );
    let (code, out, told) = run(&["microc", "run"], "list", &["--input", "7", "--time"]);
    assert_eq!((code, out.as_str()), (0, "12\n"));
    assert!(told.starts_with("main returned 7\ntime: "), "{told}");
    let (code, _, told) = run(&["microc", "run"], "four_errors", &["--input", "4"]);
    assert_eq!(code, 1);
    assert!(
        told.ends_with("four_errors.mc:17:14: dereference of null\n"),
        "{told}"
    );
    let (code, _, told) = run(&["microc", "run"], "four_errors", &["--input", ""]);
    assert_eq!(code, 3);
    assert!(told.contains("there is no further input"), "{told}");
    let (code, _, told) = run(&["microc", "run"], "four_errors", &["--input", "one"]);
    assert_eq!(code, 2);
    assert!(
        told.contains("`one` is not a number; separate numbers by blanks or new lines"),
        "{told}"
    );
    let further = ["--args", "25", "--integers", "exact"];
    let (_, _, told) = run(&["microc", "run"], "factorial", &further);
    assert_eq!(told, "main returned 15511210043330985984000000\n");
}

#[test]
fn syntax_trees_are_json() {
    let (code, out, _) = run(
        &["microc", "export", "--json"],
        "counting",
        &["--indent", "4"],
    );
    assert_eq!(code, 0);
    let tree: serde_json::Value = serde_json::from_str(&out).unwrap();
    let body = &tree["functions"][0]["body"];
    assert_eq!(body[0]["kind"], "assignment");
    assert_eq!(body[0]["value"]["kind"], "input");
    assert_eq!(body[2]["kind"], "while");
    assert_eq!(body[2]["condition"]["operator"], "<");
    assert!(out.starts_with("{\n    \"functions\""), "{out}");
}

#[test]
fn graphs_are_shown() {
    let (code, out, _) = run(&["microc", "cfg"], "counting", &[]);
    assert_eq!(code, 0);
    assert!(out.contains("while (i < n)"), "{out}");
    let (code, out, _) = run(&["microc", "cfg", "--norm", "--dot"], "counting", &[]);
    assert_eq!(code, 0);
    assert!(out.starts_with("digraph") && out.contains("_t0"), "{out}");
}

/// Verdict and the places that are listed.
fn analysis(name: &str, further: &[&str]) -> (i32, serde_json::Value) {
    let folder = tempfile::tempdir().unwrap();
    let json = folder.path().join("record.json");
    let path = json.display().to_string();
    let arguments = [&["--json", &path, "--timeout", "60"], further].concat();
    let (code, _, told) = run(&["analyze"], name, &arguments);
    let record = std::fs::read_to_string(json).unwrap_or_else(|_| panic!("{told}"));
    (code, serde_json::from_str(&record).unwrap())
}

#[test]
fn each_error_is_found_and_replayed() {
    let (code, record) = analysis("four_errors", &["--all"]);
    assert_eq!(code, 1);
    assert_eq!(record["replay"], "confirmed");
    let errors = record["errors"].as_array().unwrap();
    assert_eq!(errors.len(), 4, "{errors:#?}");
}

#[test]
fn loops_fold_and_errors_behind_them_are_found() {
    let (code, record) = analysis("counting", &[]);
    assert_eq!(code, 1);
    assert!(record["counts"]["applications"].as_u64().unwrap() > 0);
}

#[test]
fn errors_behind_recursion_are_found() {
    let (code, record) = analysis("inverse", &[]);
    assert_eq!(code, 1);
    assert_eq!(record["replay"], "confirmed");
}

#[test]
fn programs_without_errors_are_proved_to_have_none() {
    for name in ["bounded_index", "list", "sum", "copy"] {
        let (code, record) = analysis(name, &[]);
        assert_eq!(code, 0, "{name}: {}", record["reasons"]);
    }
}

#[test]
fn lines_and_functions_are_targets() {
    let (code, _) = analysis("counting", &["--target", "counting.mc:10"]);
    assert_eq!(code, 1);
    let (code, _) = analysis("factorial", &["--target", "f"]);
    assert_eq!(code, 1);
    let (code, _, told) = run(&["analyze"], "counting", &["--target", "nothing"]);
    assert_eq!(code, 2);
    assert!(
        told.contains("a target is a function (main) or a line"),
        "{told}"
    );
}

#[test]
fn other_commands_take_microc() {
    for (command, further) in [
        ("tree", &[][..]),
        ("templates", &[]),
        ("explain", &[]),
        ("flowgraph", &[]),
        ("necessary", &["--target", "counting.mc:10"]),
    ] {
        let (code, out, told) = run(&[command], "counting", further);
        assert!(code != 2 && !out.is_empty(), "{command}: {told}");
    }
}

#[test]
fn copies_of_a_loop_are_told_apart() {
    let (code, out, told) = run(&["explain"], "list", &[]);
    assert_eq!(code, 0, "{told}");
    for copy in ["copy 1 of 2", "copy 2 of 2"] {
        let mut heads = out.lines().filter(|line| line.starts_with("loop "));
        assert_eq!(heads.clone().count(), 2, "{out}");
        assert!(heads.any(|head| head.contains(copy)), "{out}");
    }
    assert!(out.contains("has a copy for each call"), "{out}");
    // Its lists are known, so that it is executed and no template is asked for.
    assert!(out.contains("all of its values were known"), "{out}");
    let (_, out, _) = run(&["explain"], "counting", &[]);
    assert!(!out.contains("copy"), "{out}");
}

#[test]
fn all_orders_of_states_find_the_error() {
    for order in ["bfs", "dfs", "random", "tree", "coverage", "klee", "least"] {
        let (code, record) = analysis("four_errors", &["--search", order, "--classic"]);
        assert_eq!(code, 1, "{order}");
        assert_eq!(record["settings"]["search"], order);
    }
}

#[test]
fn all_ways_of_merging_find_the_error() {
    for strategy in ["none", "aggressive", "lattice", "recursive", "dynamic"] {
        let (code, record) = analysis("four_errors", &["--merge", strategy, "--classic"]);
        assert_eq!(code, 1, "{strategy}");
        assert_eq!(record["settings"]["merge"], strategy);
    }
}

#[test]
fn what_is_for_c_is_refused() {
    for further in [
        &["--data-model", "ILP32"][..],
        &["--clang-arg=-DN=5"],
        &["--std", "gnu89"],
    ] {
        let (code, _, told) = run(&["analyze"], "counting", further);
        assert_eq!(code, 2);
        assert!(told.contains("does not apply to microc"), "{told}");
    }
    for further in [
        &["--check", "overflow"][..],
        &["--check", "memory,shift"],
        &["--signed-overflow", "undefined"],
        &["--signed-overflow", "error"],
    ] {
        let (code, _, told) = run(&["analyze"], "counting", further);
        assert_eq!(code, 2);
        assert!(told.contains("numbers of microc wrap around"), "{told}");
    }
    let (code, _, told) = run(&["analyze"], "counting", &["--check", "leak"]);
    assert_eq!(code, 2);
    assert!(told.contains("in microc --check memory"), "{told}");
    // What microc has no errors of is not looked for, and what it does is what it means.
    for further in [&["--check", "all"][..], &["--signed-overflow", "wrap"]] {
        let (code, out, told) = run(&["analyze"], "counting", further);
        assert_eq!(code, 1, "{told}");
        assert!(out.contains("counting.mc:10:11: division by zero"), "{out}");
    }
}

/// The files of the thesis' tool: paths without an error, milliseconds, errors.
#[test]
fn the_files_of_the_thesis_are_written() {
    let numbers = |further: &[&str], code: i32| {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("made");
        let path = output.display().to_string();
        let arguments = [
            &["--classic", "--search", "bfs", "--output", &path],
            further,
        ]
        .concat();
        assert_eq!(run(&["analyze"], "four_errors", &arguments).0, code);
        ["coverage", "time", "error"].map(|name| {
            let text = std::fs::read_to_string(output.join(format!("{name}.txt"))).unwrap();
            text.trim_end().parse::<u64>().unwrap()
        })
    };
    let [of_all, _, errors] = numbers(&["--all"], 1);
    assert_eq!(errors, 4);
    assert!(of_all > 0, "a path that no error ends");
    let [of_one, _, errors] = numbers(&[], 1);
    assert_eq!(errors, 1);
    assert!(of_one <= of_all);
}
