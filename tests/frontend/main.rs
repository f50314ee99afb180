//! The LLVM front end: what loads, what is refused, and that the flowgraph and the prepared
//! bitcode do the same.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test fails where something is missing, and says what it skips"
)]

mod bad_input;
mod concrete;
pub mod interpreter;
mod loading;
mod lowering;
mod replaying;
mod targets;

use compact_se::flowgraph::{Action, Granularity, verify};
use compact_se::frontend::{LoadError, LoadOptions, Loaded, TargetSpec, load};
use std::path::{Path, PathBuf};

/// Options for these inputs; the loading child is the real executable.
fn options(inputs: &[&Path]) -> LoadOptions {
    let mut options = LoadOptions::new(inputs.iter().copied());
    options.executable = Some(PathBuf::from(env!("CARGO_BIN_EXE_compact-se")));
    options
}

/// A C program in a temporary folder that lives as long as the value.
struct Source {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl Source {
    fn new(name: &str, text: &str) -> Source {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        Source {
            _folder: folder,
            path,
        }
    }

    fn c(text: &str) -> Source {
        Source::new("program.c", text)
    }
}

/// Loads C text; a program without a target is fine.
fn load_c(text: &str) -> Loaded {
    load_c_with(text, |_| ())
}

fn load_c_with(text: &str, change: impl FnOnce(&mut LoadOptions)) -> Loaded {
    try_load_c(text, change).unwrap_or_else(|error| panic!("{error}"))
}

fn try_load_c(text: &str, change: impl FnOnce(&mut LoadOptions)) -> Result<Loaded, LoadError> {
    let source = Source::c(text);
    let mut options = options(&[&source.path]);
    options.allow_missing_target = true;
    change(&mut options);
    let loaded = load(&options)?;
    check(&loaded, options.granularity);
    Ok(loaded)
}

/// What must hold for everything that was loaded.
fn check(loaded: &Loaded, granularity: Granularity) {
    if let Err(errors) = verify(&loaded.program) {
        panic!("{}", errors[0]);
    }
    assert_eq!(loaded.program.granularity, granularity);
    assert_eq!(
        loaded.program.pointer_bits,
        match loaded.data_model {
            compact_se::frontend::DataModel::Ilp32 => 32,
            compact_se::frontend::DataModel::Lp64 => 64,
        }
    );
}

/// All actions of a program.
fn actions(loaded: &Loaded) -> Vec<&Action> {
    let functions = loaded.program.functions.iter();
    functions
        .flat_map(|function| function.edge_ids().map(|edge| function.edge(edge)))
        .flat_map(|edge| &edge.steps)
        .map(|step| &step.action)
        .collect()
}

fn count(loaded: &Loaded, which: impl Fn(&Action) -> bool) -> usize {
    actions(loaded)
        .into_iter()
        .filter(|action| which(action))
        .count()
}

fn n_targets(loaded: &Loaded) -> usize {
    count(loaded, |action| matches!(action, Action::Target))
}

/// What the program does not support, by name.
fn unsupported(loaded: &Loaded) -> Vec<String> {
    let mut names: Vec<String> = actions(loaded)
        .into_iter()
        .filter_map(|action| match action {
            Action::Unsupported(what) => Some(what.clone()),
            _ => None,
        })
        .collect();
    names.sort();
    names.dedup();
    names
}

fn input_names(loaded: &Loaded) -> Vec<String> {
    actions(loaded)
        .into_iter()
        .filter_map(|action| match action {
            Action::Input { name, .. } => Some(name.clone()),
            _ => None,
        })
        .collect()
}

/// The program's files below `folder` with this extension, sorted.
fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut todo = vec![folder.to_owned()];
    while let Some(folder) = todo.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn target(text: &str) -> TargetSpec {
    match text.parse() {
        Ok(target) => target,
        Err(never) => match never {},
    }
}
