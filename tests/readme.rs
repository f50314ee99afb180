//! The commands of README.md and of the pages in docs/ do what these say.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::process::Command;

/// The pages with commands.
const PAGES: [&str; 19] = [
    "README.md",
    "docs/tutorial.md",
    "docs/from-klee.md",
    "docs/from-cbmc.md",
    "docs/svcomp.md",
    "docs/verdicts.md",
    "docs/options.md",
    "docs/inputs.md",
    "docs/checks.md",
    "docs/library.md",
    "docs/assumptions.md",
    "docs/limits.md",
    "docs/coverage.md",
    "docs/witnesses.md",
    "docs/record.md",
    "docs/loops.md",
    "docs/techniques.md",
    "docs/benchmarks.md",
    "docs/microc.md",
];

/// A command of a page and the first line of its output, where one stands there.
fn commands(text: &str) -> Vec<(String, Option<String>)> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line != "```console" {
            continue;
        }
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let command = block[0]
            .strip_prefix("$ compact-se ")
            .expect("a command of ours");
        found.push((
            command.to_owned(),
            block.get(1).map(|line| (*line).to_owned()),
        ));
    }
    found
}

#[test]
fn commands_print_what_the_pages_say() {
    let root = env!("CARGO_MANIFEST_DIR");
    let pages = PAGES.map(|page| std::fs::read_to_string(format!("{root}/{page}")).unwrap());
    let commands = commands(&pages.concat());
    assert_eq!(commands.len(), 35, "a command is missing or not looked at");
    let folder = tempfile::tempdir().unwrap();
    for (command, expected) in commands {
        // Files that a command writes go to a temporary folder.
        let arguments = command.split(' ').map(|word| {
            if matches!(
                word,
                "tree.html" | "linSrch.yml" | "linSrch-harness.c" | "lost.yml" | "record.json"
            ) {
                folder.path().join(word).display().to_string()
            } else {
                word.to_owned()
            }
        });
        let output = Command::new(env!("CARGO_BIN_EXE_compact-se"))
            .args(arguments)
            .current_dir(root)
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        if let Some(expected) = expected {
            assert_eq!(printed.lines().next(), Some(expected.as_str()), "{command}");
        }
        let verdict = printed.lines().next().unwrap_or_default();
        let code = match verdict {
            "reachable" | "false(valid-memtrack)" => 1,
            "unknown" => 3,
            _ => 0,
        };
        assert_eq!(output.status.code(), Some(code), "{command}");
    }
    assert!(folder.path().join("tree.html").metadata().unwrap().len() > 1000);
}

/// The anchor of a heading.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text
        .chars()
        .filter(|c| c.is_alphanumeric() || " -".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn links_lead_somewhere() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let others = [
        "ARCHITECTURE.md",
        "GLOSSARY.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "docs/SUMMARY.md",
        "docs/internals/foundations.md",
        "docs/internals/frontend.md",
        "docs/internals/solver.md",
        "docs/internals/states.md",
        "docs/internals/execution.md",
        "docs/internals/proofs.md",
        "docs/internals/results.md",
        "docs/internals/decisions.md",
        "docs/internals/tests.md",
        "scripts/README.md",
    ];
    for page in PAGES.into_iter().chain(others) {
        let text = std::fs::read_to_string(root.join(page)).unwrap();
        for (at, _) in text.match_indices("](") {
            let link = text[at + 2..].split(')').next().unwrap();
            if link.starts_with("http") {
                continue;
            }
            let (file, section) = link.split_once('#').unwrap_or((link, ""));
            let path = if file.is_empty() {
                root.join(page)
            } else {
                root.join(page).parent().unwrap().join(file)
            };
            assert!(path.exists(), "{page}: {link}");
            if !section.is_empty() {
                let text = std::fs::read_to_string(path).unwrap();
                let mut titles = text.lines().filter(|line| line.starts_with('#'));
                assert!(
                    titles.any(|title| anchor(title) == section),
                    "{page}: {link}"
                );
            }
        }
    }
}

/// What mdBook demands of the book, so that no machine needs it for the tests: each page is in the summary, and each
/// file that a page includes is there.
#[test]
fn the_book_is_whole() {
    let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let summary = std::fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let mut n_pages = 0;
    for entry in std::fs::read_dir(&docs).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if !name.ends_with(".md") || name == "SUMMARY.md" {
            continue;
        }
        n_pages += 1;
        assert!(summary.contains(&format!("]({name})")), "{name}");
        let text = std::fs::read_to_string(&path).unwrap();
        for (at, start) in text.match_indices("{{#include ") {
            let file = text[at + start.len()..].split([':', '}']).next().unwrap();
            assert!(docs.join(file.trim()).is_file(), "{name} includes {file}");
        }
    }
    // Pages of the internals are in a folder of their own.
    let n_internals = summary.matches("](internals/").count();
    assert_eq!(summary.matches("](").count() - n_internals, n_pages);
}
