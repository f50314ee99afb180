//! The files that are written: test suites, pages; and what is refused.

use super::{PRELUDE, compact_se, covered, folder, program};
use quick_xml::Reader;
use quick_xml::events::Event;
use std::path::Path;
use std::process::Command;

/// The texts of the elements of this name.
fn elements(path: &Path, name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut reader = Reader::from_str(&text);
    let (mut is_inside, mut found) = (false, Vec::new());
    loop {
        match reader.read_event().unwrap() {
            Event::Start(start) => is_inside = start.name().as_ref() == name.as_bytes(),
            Event::Text(text) if is_inside => found.push(text.decode().unwrap().into_owned()),
            Event::End(_) => is_inside = false,
            Event::Eof => return found,
            _ => {}
        }
    }
}

const TWO_INPUTS: &str = "int main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x != 42)\n    return 1;\n  \
                          int y = __VERIFIER_nondet_int();\n  return y == -7 ? 2 : 3;\n}\n";

#[test]
fn suites_have_the_inputs_in_order_and_lead_there() {
    let folder = folder();
    let file = program(&folder, TWO_INPUTS);
    let tests = folder.path().join("tests");
    std::fs::create_dir(&tests).unwrap();
    // An earlier suite was larger.
    std::fs::write(tests.join("testcase-9.xml"), "").unwrap();
    let record = covered(&folder, &file, &["--tests", tests.to_str().unwrap()], 0);
    let n_tests = record["tests"].as_array().unwrap().len();
    assert_eq!(n_tests, 3);
    assert!(!tests.join("testcase-9.xml").exists());
    let metadata = tests.join("metadata.xml");
    let specification = elements(&metadata, "specification").concat();
    assert!(specification.contains("@DECISIONEDGE"), "{specification}");
    assert_eq!(elements(&metadata, "architecture"), ["64bit"]);
    let mut suite: Vec<Vec<String>> = (1..=n_tests)
        .map(|number| elements(&tests.join(format!("testcase-{number}.xml")), "input"))
        .collect();
    suite.sort();
    assert!(
        suite.contains(&vec!["42".to_owned(), "-7".to_owned()]),
        "{suite:?}"
    );
    let mut codes: Vec<Option<i32>> = (1..=n_tests)
        .map(|number| {
            let test = folder.path().join("test");
            let clang = Command::new("clang-19")
                .args(["-w", "-fwrapv", "-o"])
                .arg(&test)
                .arg(&file)
                .arg(tests.join(format!("harness-{number}.c")))
                .status();
            assert!(clang.unwrap().success());
            assert!(tests.join(format!("test{number:06}.ktest")).exists());
            Command::new(&test).status().unwrap().code()
        })
        .collect();
    codes.sort_unstable();
    assert_eq!(codes, [Some(1), Some(2), Some(3)]);
}

#[test]
fn harnesses_start_the_program_with_arguments_input_and_files() {
    let folder = folder();
    let file = folder.path().join("started.c");
    let text = "#include <fcntl.h>\n#include <stdio.h>\n#include <string.h>\n#include <unistd.h>\n\
        int main(int argc, char **argv) {\n  char c = 0;\n  int ends = 1;\n  if (argc < 2 || strcmp(argv[1], \
        \"-\\\"\") != 0)\n    return 1;\n  if (getchar() != 'y')\n    return 2;\n  int file = open(\"A\", \
        O_RDONLY);\n  if (read(file, &c, 1) == 1 && c == 0 && read(file, &c, 1) == 1 && c == '?')\n    ends = \
        4;\n  else\n    ends = 3;\n  close(file);\n  return ends;\n}\n";
    std::fs::write(&file, text).unwrap();
    let tests = folder.path().join("tests");
    let options = ["--sym-arg", "2", "--sym-stdin", "2", "--sym-file", "A", "2"];
    let mut arguments = vec!["--goals", "branches", "--tests", tests.to_str().unwrap()];
    arguments.extend(options);
    let record = covered(&folder, &file, &arguments, 0);
    let n_tests = record["tests"].as_array().unwrap().len();
    let mut codes: Vec<Option<i32>> = (1..=n_tests)
        .map(|number| {
            let test = folder.path().join("test");
            let clang = Command::new("clang-19")
                .args(["-Wall", "-Werror", "-fwrapv", "-o"])
                .arg(&test)
                .arg(&file)
                .arg(tests.join(format!("harness-{number}.c")))
                .status();
            assert!(clang.unwrap().success());
            // What it is started with here does not matter.
            Command::new(&test).arg("x").status().unwrap().code()
        })
        .collect();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes, [1, 2, 3, 4].map(Some));
}

/// Also where no option says which they are; a system always passes a name.
#[test]
fn harnesses_start_the_program_with_the_arguments_of_main() {
    let folder = folder();
    let file = folder.path().join("any.c");
    let text = "#include <string.h>\nint main(int argc, char **argv) {\n  if (argc > 2 && strcmp(argv[1], \"hey\") == \
                0)\n    return 1;\n  if (argc == 5)\n    return 2;\n  if (argc == 0)\n    return 3;\n  return 0;\n}\n";
    std::fs::write(&file, text).unwrap();
    let tests = folder.path().join("tests");
    let arguments = ["--goals", "lines", "--tests", tests.to_str().unwrap()];
    let record = covered(&folder, &file, &arguments, 0);
    let n_tests = record["tests"].as_array().unwrap().len();
    let mut codes: Vec<i32> = Vec::new();
    for number in 1..=n_tests {
        let harness = tests.join(format!("harness-{number}.c"));
        if std::fs::read_to_string(&harness)
            .unwrap()
            .contains("a harness cannot provide: argc = 0")
        {
            continue;
        }
        let test = folder.path().join("test");
        let clang = Command::new("clang-19")
            .args(["-Wall", "-Werror", "-fwrapv", "-o"])
            .args([&test, &file, &harness])
            .status();
        assert!(clang.unwrap().success());
        codes.extend(Command::new(&test).arg("x").status().unwrap().code());
    }
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes, [0, 1, 2]);
}

#[test]
fn buffers_are_given_byte_by_byte() {
    let folder = folder();
    let file = folder.path().join("buffer.c");
    std::fs::write(
        &file,
        "#include <compact_se.h>\nint main(void) {\n  char text[3];\n  compact_se_make_symbolic(text, sizeof \
         text, \"text\");\n  if (text[0] == 'o' && text[1] == 'k' && text[2] == 0)\n    return 1;\n  return \
         0;\n}\n",
    )
    .unwrap();
    let tests = folder.path().join("tests");
    let record = covered(&folder, &file, &["--tests", tests.to_str().unwrap()], 0);
    let n_tests = record["tests"].as_array().unwrap().len();
    let suite: Vec<Vec<String>> = (1..=n_tests)
        .map(|number| elements(&tests.join(format!("testcase-{number}.xml")), "input"))
        .collect();
    assert!(
        suite.iter().any(|inputs| inputs == &["111", "107", "0"]),
        "{suite:?}"
    );
}

#[test]
fn the_page_is_self_contained_and_has_the_source() {
    let folder = folder();
    let file = program(&folder, TWO_INPUTS);
    let page = folder.path().join("cover.html");
    covered(&folder, &file, &["--html", page.to_str().unwrap()], 0);
    let page = std::fs::read_to_string(page).unwrap();
    assert!(!page.contains("@DATA@") && !page.contains("@TITLE@"));
    for word in ["http://", "https://", "src=", "@import", "url(", "<link"] {
        assert!(!page.contains(word), "{word} would load something");
    }
    let (_, rest) = page.split_once("type=\"application/json\">").unwrap();
    let (data, _) = rest.split_once("</script>").unwrap();
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    let source = &data["files"][0];
    assert_eq!(source["lines"][0], PRELUDE.trim());
    assert_eq!(source["lines"][3], "  if (x != 42)");
    let goals = source["goals"].as_array().unwrap();
    let condition = goals.iter().find(|goal| goal["kind"] == "branch").unwrap();
    assert_eq!(condition["line"], 4);
    assert_eq!(condition["column"], 7);
    assert_eq!(condition["end"], serde_json::json!([4, 14]));
    assert_eq!(data["tests"].as_array().unwrap().len(), 3);
}

#[test]
fn bad_input_is_refused_with_a_remedy() {
    let folder = folder();
    let file = program(&folder, TWO_INPUTS);
    let property = folder.path().join("unreach-call.prp");
    std::fs::write(
        &property,
        "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
    )
    .unwrap();
    let property = property.to_str().unwrap();
    let microc = folder.path().join("program.mc");
    std::fs::write(&microc, "main() { return 0; }\n").unwrap();
    let refused = |file: &Path, options: &[&str], words: &[&str]| {
        let output = compact_se()
            .arg("cover")
            .arg(file)
            .args(options)
            .assert()
            .code(2)
            .get_output()
            .clone();
        let message = String::from_utf8(output.stderr).unwrap();
        for word in words {
            assert!(message.contains(word), "{word} in {message}");
        }
    };
    refused(
        &file,
        &["--property", property],
        &["unreach-call.prp", "coverage-branches"],
    );
    refused(&file, &["--target", "main"], &["compact-se analyze"]);
    refused(
        &microc,
        &["--goals", "error-call"],
        &["microc has no error functions", "compact-se analyze"],
    );
    refused(Path::new("nowhere.c"), &[], &["nowhere.c"]);
    refused(&file, &["--html", "/nowhere/page.html"], &["/nowhere"]);
}
