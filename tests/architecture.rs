//! Arrows between rooms point downward only.
//!
//! Reads the source of every room and finds each room that it names as `crate::room`, in `use`
//! lines (grouped ones too), paths in code and macros; comments do not count. [`BELOW`] says which
//! rooms a room may name.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Each room with those directly below it; it may use these and everything below them.
///
/// `solver` does not see programs, `semantics` does not see the solver (it asks through the trait
/// `Oracle`), and only `analysis` and what is above it sees LLVM.
const BELOW: [(&str, &[&str]); 21] = [
    ("limits", &[]),
    ("process", &["limits"]),
    ("term", &[]),
    ("solver", &["term", "limits"]),
    ("flowgraph", &["term"]),
    ("replay", &["term", "process"]),
    ("frontend", &["flowgraph", "replay"]),
    ("memory", &["flowgraph"]),
    ("semantics", &["memory"]),
    ("property", &["semantics", "limits"]),
    ("template", &["semantics", "solver"]),
    ("necessary", &["template", "property"]),
    ("navigation", &["necessary"]),
    ("symex", &["template", "property", "navigation"]),
    ("horn", &["symex"]),
    ("analysis", &["symex", "horn", "frontend"]),
    ("witness", &["analysis"]),
    ("report", &["analysis"]),
    ("svcomp", &["report", "witness"]),
    ("cli", &["svcomp"]),
    ("main", &["cli"]),
];

/// The rooms that `room` may name, itself included.
fn reach(room: &str) -> BTreeSet<&'static str> {
    let (name, below) = BELOW
        .iter()
        .find(|(name, _)| *name == room)
        .unwrap_or_else(|| panic!("{room} is not in BELOW"));
    let mut all: BTreeSet<&str> = below.iter().flat_map(|room| reach(room)).collect();
    all.insert(name);
    all
}

/// Every Rust file of the crate with its room.
fn sources() -> Vec<(String, PathBuf)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    let mut folders = vec![src.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let inside = path.strip_prefix(&src).unwrap();
                let room = inside.components().next().unwrap().as_os_str();
                let room = room.to_str().unwrap().trim_end_matches(".rs").to_owned();
                // lib.rs only names the rooms.
                if room != "lib" {
                    files.push((room, path));
                }
            }
        }
    }
    files.sort();
    files
}

/// The rooms that a source text names.
fn rooms_named(source: &str) -> BTreeSet<String> {
    let code: String = source
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .flat_map(|line| [line, "\n"])
        .collect();
    let mut rooms = BTreeSet::new();
    for (at, root) in code.match_indices("crate::") {
        let boundary = code[..at].chars().next_back();
        if boundary.is_some_and(|before| before.is_alphanumeric() || before == '_') {
            continue;
        }
        let rest = &code[at + root.len()..];
        match rest.strip_prefix('{') {
            Some(group) => rooms.extend(group_heads(group)),
            None => rooms.extend(first_word(rest)),
        }
    }
    rooms
}

/// The first words of the members of a `use` group, whose opening brace is already read.
fn group_heads(group: &str) -> Vec<String> {
    let mut heads = Vec::new();
    let mut depth = 0;
    let mut member = String::new();
    for c in group.chars() {
        match c {
            '}' if depth == 0 => break,
            ',' if depth == 0 => heads.extend(first_word(&std::mem::take(&mut member))),
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if c != ',' || depth > 0 {
            member.push(c);
        }
    }
    heads.extend(first_word(&member));
    heads
}

/// A lower-case identifier at the start: a module of the crate's root.
fn first_word(text: &str) -> Option<String> {
    let word: String = text
        .trim_start()
        .chars()
        .take_while(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || *c == '_')
        .collect();
    (!word.is_empty()).then_some(word)
}

#[test]
fn arrows_point_downward() {
    let known: BTreeSet<&str> = BELOW.iter().map(|(room, _)| *room).collect();
    let mut upward = Vec::new();
    let mut n_arrows = 0;
    for (room, path) in sources() {
        let allowed = reach(&room);
        for named in rooms_named(&std::fs::read_to_string(&path).unwrap()) {
            n_arrows += 1;
            if known.contains(named.as_str()) && !allowed.contains(named.as_str()) {
                upward.push(format!("{} uses {named}", path.display()));
            }
        }
    }
    assert!(upward.is_empty(), "upward arrows:\n{}", upward.join("\n"));
    assert!(
        n_arrows > 50,
        "only {n_arrows} arrows found: is the source read?"
    );
}

#[test]
fn every_room_has_its_place() {
    let rooms: BTreeSet<String> = sources().into_iter().map(|(room, _)| room).collect();
    for room in &rooms {
        reach(room);
    }
    let library = std::fs::read_to_string("src/lib.rs").unwrap();
    for room in rooms.iter().filter(|room| *room != "main") {
        assert!(
            library.contains(&format!("mod {room};")),
            "{room} is no module"
        );
    }
}

/// Where the bindings of Z3 are named, and its module: the first only in its folder, the second by the chain.
/// Tests may ask Z3 as an oracle.
#[test]
fn one_folder_sees_z3() {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let names = |text: &str, path: &str| {
        let mut found = text.match_indices(path);
        found.any(|(at, _)| !text[..at].chars().next_back().is_some_and(is_name))
    };
    let mut n_inside = 0;
    for (_, path) in sources() {
        let text = std::fs::read_to_string(&path).unwrap();
        let code: Vec<&str> = text
            .lines()
            .map(|line| line.split("//").next().unwrap_or_default())
            .collect();
        let code = code.join("\n");
        let place = path.to_str().unwrap();
        let is_inside = place.contains("src/solver/z3/");
        let is_test = place.ends_with("tests.rs") || place.contains("/tests/");
        if is_inside {
            n_inside += usize::from(names(&code, "z3_sys"));
            continue;
        }
        assert!(!names(&code, "z3_sys"), "{place} sees Z3");
        let chooses = ["backend.rs", "config.rs", "mod.rs"]
            .iter()
            .any(|file| place.ends_with(&format!("src/solver/{file}")));
        let is_named = names(&code, "z3::");
        assert!(!is_named || chooses || is_test, "{place} names Z3");
    }
    assert!(n_inside > 1, "the bindings are in {n_inside} files only");
}

/// Third-party code that only one room may see.
#[test]
fn llvm_and_z3_stay_in_their_rooms() {
    let owners = BTreeMap::from([
        ("inkwell::", "frontend"),
        ("llvm_ir::", "frontend"),
        ("z3_sys::", "solver"),
        ("z3::", "solver"),
        ("clap::", "cli"),
    ]);
    for (room, path) in sources() {
        let text = std::fs::read_to_string(&path).unwrap();
        for line in text.lines().map(str::trim_start) {
            let Some(used) = line.strip_prefix("use ") else {
                continue;
            };
            for (library, owner) in &owners {
                let foreign = used.starts_with(library) && room != *owner;
                assert!(!foreign, "{}: {line}", path.display());
            }
        }
    }
}

#[test]
fn only_the_front_end_names_llvm() {
    for (room, path) in sources() {
        let text = std::fs::read_to_string(&path).unwrap();
        let named = room != "frontend" && text.contains("frontend::llvm");
        assert!(!named, "{} names the front end of LLVM", path.display());
    }
}

#[test]
fn arrows_are_found() {
    let source = "use crate::solver::{Query, Solver};\n\
        use crate::{\n    memory::{Object, view::X},\n    term, // use crate::cli;\n};\n\
        fn f() { crate::symex::run() }\nuse other_crate::report;";
    let found = rooms_named(source);
    let expected = ["memory", "solver", "symex", "term"].map(str::to_owned);
    assert_eq!(found, BTreeSet::from(expected));
    assert!(reach("semantics").contains("term") && !reach("semantics").contains("solver"));
}
