//! The rooms are crates: the manifests say which uses which, and Cargo allows no circle.
//!
//! `members` in `Cargo.toml` is the reading order; a crate depends only on crates before it there.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// The crates below `src/`, in reading order.
fn rooms() -> Vec<String> {
    let manifest = read("Cargo.toml");
    let members = manifest.split("members = [").nth(1).unwrap();
    let members = members.split(']').next().unwrap();
    let names = members
        .split('"')
        .filter_map(|text| text.strip_prefix("src/"));
    names.map(str::to_owned).collect()
}

/// The dependencies that the manifest of a room names, development aside.
fn dependencies(room: &str) -> BTreeSet<String> {
    let manifest = read(&format!("src/{room}/Cargo.toml"));
    let section = manifest.split("[dependencies]\n").nth(1).unwrap();
    let lines = section.lines().take_while(|line| !line.starts_with('['));
    let names = lines.filter_map(|line| line.split(['.', ' ']).next());
    names
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Everything below a room: its dependencies and theirs.
fn below(room: &str, rooms: &[String]) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for name in dependencies(room) {
        if rooms.contains(&name) {
            all.extend(below(&name, rooms));
            all.insert(name);
        }
    }
    all
}

#[test]
fn arrows_point_downward() {
    let rooms = rooms();
    let mut n_arrows = 0;
    for (at, room) in rooms.iter().enumerate() {
        for name in dependencies(room) {
            if let Some(place) = rooms.iter().position(|room| *room == name) {
                assert!(
                    place < at,
                    "{room} depends on {name}, which stands behind it"
                );
                n_arrows += 1;
            }
        }
    }
    assert!(
        n_arrows > 50,
        "{n_arrows} arrows found: are the manifests read?"
    );
}

/// `semantics` asks through the trait `Oracle` instead of the solver, `solver` does not see programs, and only
/// `analysis` and the crates above it see front ends.
#[test]
fn rooms_do_not_see_what_they_must_not() {
    let rooms = rooms();
    let forbidden = [
        ("semantics", "solver"),
        ("flowgraph", "solver"),
        ("solver", "flowgraph"),
        ("symex", "frontend"),
        ("horn", "frontend"),
        ("report", "svcomp"),
    ];
    for (room, other) in forbidden {
        assert!(!below(room, &rooms).contains(other), "{room} sees {other}");
    }
}

/// Third-party code that only one room may see.
#[test]
fn llvm_and_z3_stay_in_their_rooms() {
    let owners = BTreeMap::from([
        ("inkwell", "frontend"),
        ("llvm-ir", "frontend"),
        ("z3-sys", "solver"),
    ]);
    for (library, owner) in owners {
        for room in rooms() {
            let uses = dependencies(&room).contains(library);
            assert_eq!(uses, room == owner, "{library} in {room}");
        }
    }
}

/// Every Rust file below a folder.
fn sources(folder: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Within the solver, only the folder `z3` names the bindings, and only the chain names that folder. Tests may ask
/// Z3 as an oracle.
#[test]
fn one_folder_sees_z3() {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let names = |text: &str, path: &str| {
        let mut found = text.match_indices(path);
        found.any(|(at, _)| !text[..at].chars().next_back().is_some_and(is_name))
    };
    let mut n_inside = 0;
    for path in sources("src/solver") {
        let text = std::fs::read_to_string(&path).unwrap();
        let code: Vec<&str> = text
            .lines()
            .map(|line| line.split("//").next().unwrap_or_default())
            .collect();
        let code = code.join("\n");
        let place = path.to_str().unwrap();
        let is_test = place.ends_with("tests.rs") || place.contains("/tests/");
        if place.contains("src/solver/z3/") {
            n_inside += usize::from(names(&code, "z3_sys"));
            continue;
        }
        assert!(!names(&code, "z3_sys"), "{place} sees Z3");
        let chooses = ["backend.rs", "config.rs", "lib.rs"]
            .iter()
            .any(|file| place.ends_with(&format!("src/solver/{file}")));
        let is_named = names(&code, "z3::");
        assert!(!is_named || chooses || is_test, "{place} names Z3");
    }
    assert!(n_inside > 1, "the bindings are in {n_inside} files only");
}

#[test]
fn only_the_front_end_names_llvm() {
    for path in sources("src") {
        let text = std::fs::read_to_string(&path).unwrap();
        let is_front_end = path.to_str().unwrap().contains("src/frontend/");
        let named = !is_front_end && text.contains("frontend::llvm");
        assert!(!named, "{} names the front end of LLVM", path.display());
    }
}

/// A file of `tests` that no binary names would never run.
#[test]
fn every_test_file_is_a_module() {
    let root = read("tests/main.rs");
    let mut n_files = 0;
    for path in sources("tests") {
        let place = path.to_str().unwrap();
        let (_, inside) = place.rsplit_once("/tests/").unwrap();
        let name = match inside.split_once('/') {
            None => inside.trim_end_matches(".rs"),
            Some((folder, "main.rs")) => folder,
            Some(_) => continue,
        };
        n_files += 1;
        assert!(
            name == "main" || root.contains(&format!("mod {name};\n")),
            "{inside}"
        );
    }
    assert!(n_files > 20, "{n_files} files");
}
