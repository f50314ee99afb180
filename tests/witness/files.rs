//! The four files for *reachable*, read back by readers that share nothing with the writers.

use super::programs::{CALLS, PREPROCESSED, Program, UNINITIALISED, UNKNOWN_ORIGIN};
use compact_se::analysis::Analysis;
use compact_se::frontend::TargetSpec;
use compact_se::witness::check::{Judgement, check};
use compact_se::witness::{Artefacts, Task, WitnessError, Written};
use std::process::Command;
use yaml_serde::Value;

const CLANG: &str = "/usr/lib/llvm-19/bin/clang";

fn artefacts(program: &Program) -> Artefacts {
    Artefacts {
        witness: Some(program.path("witness.yml")),
        test_suite: Some(program.path("suite")),
        ktest: Some(program.path("test.ktest")),
        harness: Some(program.path("harness.c")),
        output_dir: None,
    }
}

fn task(program: &Program, analysis: &Analysis) -> Task {
    let files = std::slice::from_ref(&program.file);
    Task::of_target(files, &TargetSpec::Default, analysis.loaded.data_model)
}

fn written(program: &Program) -> Written {
    let analysis = program.analysis();
    assert_eq!(analysis.report.verdict.name(), "reachable");
    let task = task(program, &analysis);
    artefacts(program)
        .write(&task, &program.options(), &analysis)
        .unwrap()
}

fn text(program: &Program, name: &str) -> String {
    std::fs::read_to_string(program.path(name)).unwrap()
}

fn entry(program: &Program) -> Value {
    let document: Value = yaml_serde::from_str(&text(program, "witness.yml")).unwrap();
    document[0].clone()
}

/// Type, constraint and place of each waypoint.
fn waypoints(entry: &Value) -> Vec<(String, String, String)> {
    let content = entry["content"].as_sequence().unwrap();
    let points = content.iter().map(|item| {
        let segment = item["segment"].as_sequence().unwrap();
        assert_eq!(segment.len(), 1);
        let point = &segment[0]["waypoint"];
        assert_eq!(point["action"].as_str(), Some("follow"));
        let place = &point["location"];
        (
            point["type"].as_str().unwrap().to_owned(),
            point["constraint"]["value"]
                .as_str()
                .unwrap_or("")
                .to_owned(),
            format!(
                "{}:{}:{}",
                place["function"].as_str().unwrap_or("?"),
                place["line"].as_i64().unwrap(),
                place["column"].as_i64().unwrap()
            ),
        )
    });
    points.collect()
}

/// The place behind the last of `marks` in a program, in the form of [`waypoints`].
fn place(program: &str, function: &str, line_with: &str, mark: &str) -> String {
    let number = program.lines().position(|line| line.contains(line_with));
    let line = program.lines().nth(number.unwrap()).unwrap();
    let column = line.find(mark).unwrap() + mark.len();
    format!("{function}:{}:{column}", number.unwrap() + 1)
}

#[test]
fn violation_witness_has_a_waypoint_for_each_call() {
    let program = Program::new("calls.c", CALLS);
    let written = written(&program);
    assert!(written.notes.is_empty(), "{:?}", written.notes);
    let entry = entry(&program);
    assert_eq!(entry["entry_type"].as_str(), Some("violation_sequence"));
    let metadata = &entry["metadata"];
    assert_eq!(metadata["format_version"].as_str(), Some("2.0"));
    assert_eq!(metadata["uuid"].as_str().unwrap().len(), 36);
    let time = metadata["creation_time"].as_str().unwrap();
    assert!(time.ends_with('Z') && time.len() == 20, "{time}");
    let task = &metadata["task"];
    let file = program.file.display().to_string();
    assert_eq!(task["input_files"][0].as_str(), Some(file.as_str()));
    let output = Command::new("sha256sum")
        .arg(&program.file)
        .output()
        .unwrap();
    let sum = String::from_utf8(output.stdout).unwrap();
    let sum = sum.split_whitespace().next();
    assert_eq!(task["input_file_hashes"][file.as_str()].as_str(), sum);
    assert_eq!(task["data_model"].as_str(), Some("LP64"));
    let specification = task["specification"].as_str().unwrap();
    assert!(specification.contains("G ! call(reach_error())"));

    let call = |value: i64, function: &str, line: &str, mark: &str| {
        (
            "function_return".to_owned(),
            format!("\\result == {value}"),
            place(CALLS, function, line, mark),
        )
    };
    let found = waypoints(&entry);
    let add = |_| call(3, "main", "int add", "uchar()");
    let mut expected: Vec<_> = (0..3).map(add).collect();
    expected.push(call(
        -5,
        "twice",
        "int b",
        "int a = __VERIFIER_nondet_int()",
    ));
    assert_eq!(found[2..6], expected);
    // What is not used may have any value, but its call has its waypoint.
    let places: Vec<&str> = found.iter().map(|(_, _, place)| place.as_str()).collect();
    assert_eq!(places[0], place(CALLS, "main", "int unused", "int()"));
    assert_eq!(places[1], place(CALLS, "main", "int n =", "int()"));
    let second = "int b = __VERIFIER_nondet_int()";
    assert_eq!(places[6], place(CALLS, "twice", "int b", second));
    assert_eq!(found[7], call(1, "main", "sum == 9", "bool()"));
    let target = place(CALLS, "main", "    reach_error();", "    r");
    assert_eq!(found[8], ("target".to_owned(), String::new(), target));
    assert_eq!(found.len(), 9);
}

#[test]
fn preprocessed_files_have_their_own_lines() {
    let program = Program::new("p.i", PREPROCESSED);
    written(&program);
    let found = waypoints(&entry(&program));
    assert_eq!(found[0].2, place(PREPROCESSED, "main", "x =", "uint()"));
    let value = found[0].1.strip_prefix("\\result == ").unwrap();
    let value: u32 = value.parse().unwrap();
    assert!(value > 4_000_000_000 && value % 2 == 1);
    let label = found[1].2.split(':').nth(1).unwrap().to_owned();
    assert_eq!((found[1].0.as_str(), label.as_str()), ("target", "9"));
}

#[test]
fn uninitialised_variables_are_assumptions_and_the_rest_is_noted() {
    let program = Program::new("u.c", UNINITIALISED);
    let written = written(&program);
    let found = waypoints(&entry(&program));
    let expected = [
        (
            "x == 77",
            place(UNINITIALISED, "main", "unsigned char", "  u"),
        ),
        (
            "small == 200 && other == 100",
            place(UNINITIALISED, "main", "int y", "  i"),
        ),
    ];
    for ((kind, value, place), (expected, at)) in found.iter().zip(&expected) {
        assert_eq!((kind.as_str(), value.as_str()), ("assumption", *expected));
        assert_eq!(place, at);
    }
    assert_eq!(found.len(), 3);
    let heap = |format: &str| {
        let notes = written.notes.iter();
        notes
            .filter(|note| note.starts_with(format) && note.contains("4 bytes"))
            .count()
    };
    for format in ["no waypoint", "no test case", "a harness cannot provide"] {
        assert_eq!(heap(format), 1, "{:?}", written.notes);
    }
}

#[test]
fn test_suite_has_the_inputs_in_order() {
    let program = Program::new("calls.c", CALLS);
    written(&program);
    let parse = |text: &'static str| {
        let options = roxmltree::ParsingOptions {
            allow_dtd: true,
            ..roxmltree::ParsingOptions::default()
        };
        roxmltree::Document::parse_with_options(text, options).unwrap()
    };
    let test = parse(text(&program, "suite/testcase-1.xml").leak());
    let root = test.root_element();
    assert_eq!(root.tag_name().name(), "testcase");
    assert_eq!(root.attribute("coversError"), Some("true"));
    let inputs: Vec<i64> = root
        .children()
        .filter(roxmltree::Node::is_element)
        .map(|input| {
            assert_eq!(input.tag_name().name(), "input");
            input.text().unwrap().parse().unwrap()
        })
        .collect();
    assert_eq!(inputs.len(), 8);
    assert_eq!(inputs[2..6], [3, 3, 3, -5]);
    assert_eq!(inputs[7], 1);
    let metadata = parse(text(&program, "suite/metadata.xml").leak());
    let field = |name: &str| {
        let node = metadata.descendants().find(|node| node.has_tag_name(name));
        node.unwrap().text().unwrap().to_owned()
    };
    assert_eq!(metadata.root_element().tag_name().name(), "test-metadata");
    assert_eq!(field("sourcecodelang"), "C");
    assert_eq!(field("programfile"), program.file.display().to_string());
    assert_eq!(field("programhash").len(), 64);
    assert_eq!(field("entryfunction"), "main");
    assert_eq!(field("architecture"), "64bit");
    assert!(field("specification").starts_with("COVER("));
}

/// Reads a `.ktest` file by its description: numbers of 32 bits, big endian.
fn read_ktest(bytes: &[u8]) -> (Vec<String>, Vec<(String, Vec<u8>)>) {
    let mut rest = bytes;
    let mut take = |n: usize| {
        let (head, tail) = rest.split_at(n);
        rest = tail;
        head.to_vec()
    };
    let number = |take: &mut dyn FnMut(usize) -> Vec<u8>| {
        let bytes = take(4);
        bytes
            .iter()
            .fold(0usize, |n, byte| n << 8 | usize::from(*byte))
    };
    assert_eq!(take(5), b"KTEST");
    assert_eq!(number(&mut take), 3);
    let n_arguments = number(&mut take);
    let arguments = (0..n_arguments).map(|_| {
        let length = number(&mut take);
        String::from_utf8(take(length)).unwrap()
    });
    let arguments: Vec<String> = arguments.collect();
    assert_eq!((number(&mut take), number(&mut take)), (0, 0));
    let n_objects = number(&mut take);
    let objects = (0..n_objects).map(|_| {
        let length = number(&mut take);
        let name = String::from_utf8(take(length)).unwrap();
        let length = number(&mut take);
        (name, take(length))
    });
    let objects: Vec<(String, Vec<u8>)> = objects.collect();
    assert!(rest.is_empty(), "{} bytes too many", rest.len());
    (arguments, objects)
}

#[test]
fn ktest_has_the_bytes_of_all_inputs() {
    let program = Program::new("calls.c", CALLS);
    written(&program);
    let bytes = std::fs::read(program.path("test.ktest")).unwrap();
    let (arguments, objects) = read_ktest(&bytes);
    assert_eq!(arguments, [program.file.display().to_string()]);
    let int = "__VERIFIER_nondet_int";
    let byte = "__VERIFIER_nondet_uchar";
    let names: Vec<&str> = objects.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            int,
            int,
            byte,
            byte,
            byte,
            int,
            int,
            "__VERIFIER_nondet_bool"
        ]
    );
    assert_eq!(objects[5].1, (-5i32).to_le_bytes());
    assert_eq!(objects[3].1, [3]);
    let memory = Program::new("u.c", UNINITIALISED);
    written(&memory);
    let bytes = std::fs::read(memory.path("test.ktest")).unwrap();
    let (_, objects) = read_ktest(&bytes);
    assert!(
        objects.contains(&("*heap".to_owned(), vec![1, 0, 0, 0])),
        "{objects:?}"
    );
    assert!(
        objects.contains(&("small".to_owned(), vec![200])),
        "{objects:?}"
    );
}

/// Compiles the program together with its harness and runs both.
fn run_harness(program: &Program, flags: &[&str]) -> (Option<i32>, String) {
    let executable = program.path("reach");
    let compiled = Command::new(CLANG)
        .args(["-fwrapv", "-w"])
        .args(flags)
        .arg(&program.file)
        .arg(program.path("harness.c"))
        .arg("-o")
        .arg(&executable)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{said}");
    let run = Command::new(&executable).output().unwrap();
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    (run.status.code(), said)
}

#[test]
fn harness_leads_to_the_target() {
    let program = Program::new("calls.c", CALLS);
    written(&program);
    let (code, said) = run_harness(&program, &[]);
    assert_eq!(
        (code, said.as_str()),
        (Some(86), "harness: target reached\n")
    );
    // A wrong input leads elsewhere.
    let harness = text(&program, "harness.c");
    let wrong = harness.replacen(
        "{\"__VERIFIER_nondet_uchar\", 1, {3}",
        "{\"__VERIFIER_nondet_uchar\", 1, {4}",
        1,
    );
    assert_ne!(harness, wrong);
    std::fs::write(program.path("harness.c"), wrong).unwrap();
    assert_eq!(run_harness(&program, &[]).0, Some(0));
}

#[test]
fn harness_feeds_every_type() {
    let text = r#"
        #include "compact_se.h"
        extern long long __VERIFIER_nondet_longlong(void);
        extern unsigned long __VERIFIER_nondet_ulong(void);
        extern short __VERIFIER_nondet_short(void);
        extern char __VERIFIER_nondet_char(void);
        extern void *__VERIFIER_nondet_pointer(void);
        extern unsigned own_input(void);
        extern void effect(int);
        extern void exit(int);
        void reach_error(void) { exit(42); }
        int main(void) {
          static char line[6];
          compact_se_make_symbolic(line, sizeof line, "line");
          effect(1);
          compact_se_assume(line[5] == 'z');
          if (__VERIFIER_nondet_longlong() == -5000000000LL
              && __VERIFIER_nondet_ulong() == 18446744073709551615UL
              && __VERIFIER_nondet_short() == -2 && __VERIFIER_nondet_char() == 'c'
              && own_input() == 3000000000u && compact_se_u8("b") == 255
              && compact_se_bool("flag") && line[0] == 'a')
            reach_error();
          return 0;
        }"#;
    let program = Program::new("types.c", text);
    let written = written(&program);
    let unexpected: Vec<_> = written
        .notes
        .iter()
        .filter(|n| n.contains("harness"))
        .collect();
    assert!(unexpected.is_empty(), "{unexpected:?}");
    let (code, said) = run_harness(&program, &["-I", "runtime/include"]);
    assert_eq!((code, said.as_str()), (Some(42), ""));
    let found = waypoints(&entry(&program));
    let values: Vec<&str> = found.iter().map(|(_, value, _)| value.as_str()).collect();
    let expected = [
        "\\result == -5000000000",
        "\\result == 18446744073709551615",
        "\\result == -2",
        "\\result == 99",
        "\\result == 3000000000",
        "\\result == 255",
        "\\result == 1",
        "",
    ];
    assert_eq!(values, expected);
}

#[test]
fn nothing_is_written_without_a_replay() {
    let program = Program::new("calls.c", CALLS);
    let mut options = program.options();
    options.replay = false;
    let analysis = compact_se::analysis::analyze(&options, &mut |_| ()).unwrap();
    let error =
        artefacts(&program).write(&task(&program, &analysis), &program.options(), &analysis);
    assert!(matches!(error, Err(WitnessError::NotReplayed)), "{error:?}");
    assert!(!program.path("witness.yml").exists());
}

#[test]
fn nothing_is_written_for_other_verdicts() {
    let safe = CALLS.replace("sum == 9", "sum == 9 && n < 3");
    let program = Program::new("calls.c", &safe);
    let analysis = program.analysis();
    assert_eq!(analysis.report.verdict.name(), "unreachable");
    let mut wanted = artefacts(&program);
    wanted.witness = None;
    let written = wanted
        .write(&task(&program, &analysis), &program.options(), &analysis)
        .unwrap();
    assert_eq!(written, Written::default());
    assert!(!program.path("harness.c").exists());
}

#[test]
fn no_format_has_objects_of_unknown_origin() {
    let program = Program::new("pointer.c", UNKNOWN_ORIGIN);
    let written = written(&program);
    for format in ["waypoint", "test case", ".ktest file", "harness"] {
        let is_told = |note: &String| note.contains(format) && note.contains("object at 0x");
        assert!(written.notes.iter().any(is_told), "{:?}", written.notes);
    }
    let constraints: Vec<_> = waypoints(&entry(&program))
        .into_iter()
        .map(|(kind, constraint, _)| (kind, constraint))
        .collect();
    let expected = [
        ("function_return".to_owned(), "\\result == 3".to_owned()),
        ("target".to_owned(), String::new()),
    ];
    assert_eq!(constraints, expected);
    let ktest = std::fs::read(program.path("test.ktest")).unwrap();
    assert!(!ktest.windows(6).any(|name| name == b"object"));
    let judgement = check(&program.path("witness.yml"), &program.options()).unwrap();
    assert_eq!(judgement, Judgement::Confirmed);
}
