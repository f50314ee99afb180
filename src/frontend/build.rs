//! Compiles the models of library functions and the replay library, which are embedded in the executable.
//!
//! Files that cannot be compiled here (no clang 19, no C library for 32 bits) are compiled on demand.

#[path = "llvm/arguments.rs"]
mod arguments;

use arguments::{ACCOUNTED, CHECKED, NATIVE, SANITIZED, TRACKED};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The models that begin with what a program is started with, or uses.
const WITH_HEAD: [&str; 2] = ["environment.c", "input.c"];

/// One file to compile.
struct Job {
    key: String,
    arguments: Vec<String>,
    output: PathBuf,
}

fn main() {
    println!("cargo:rerun-if-env-changed=COMPACT_SE_CLANG");
    for path in ["build.rs", "llvm/arguments.rs", "../../runtime"] {
        println!("cargo:rerun-if-changed={path}");
    }
    let variable = |name: &str| std::env::var_os(name).expect("cargo sets it");
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR")).join("../..");
    let output = PathBuf::from(variable("OUT_DIR"));
    let mut done = match clang() {
        Some(clang) => compile_all(&clang, &jobs(&root, &output)),
        None => Vec::new(),
    };
    done.sort();
    let mut table = "static COMPILED: &[(&str, &[u8])] = &[\n".to_owned();
    for (key, file) in done {
        let _ = writeln!(table, "    ({key:?}, include_bytes!({file:?})),");
    }
    table.push_str("];\n");
    std::fs::write(output.join("compiled.rs"), table).expect("cargo's folder can be written to");
}

/// A clang 19, by the names that the executable tries too.
fn clang() -> Option<PathBuf> {
    let chosen = std::env::var_os("COMPACT_SE_CLANG").map(PathBuf::from);
    let usual = ["clang-19", "/usr/lib/llvm-19/bin/clang", "clang"].map(PathBuf::from);
    let mut candidates = chosen
        .map_or_else(|| usual.to_vec(), |one| vec![one])
        .into_iter();
    candidates.find(|candidate| {
        let output = Command::new(candidate).arg("--version").output();
        output.is_ok_and(|it| String::from_utf8_lossy(&it.stdout).contains("clang version 19."))
    })
}

fn jobs(root: &Path, output: &Path) -> Vec<Job> {
    let mut jobs = Vec::new();
    let mut add = |file: &str, source: PathBuf, named: Vec<&str>, further: Vec<String>| {
        let key = arguments::key(file, &named);
        let output = output.join(format!("compiled{}", jobs.len()));
        let mut arguments = further;
        arguments.extend(named.iter().map(|&argument| argument.to_owned()));
        // Of the linker's no object is made.
        arguments.retain(|argument| !argument.starts_with("-Wl,"));
        arguments.extend(["-o".to_owned(), output.display().to_string()]);
        arguments.push(source.display().to_string());
        jobs.push(Job {
            key,
            arguments,
            output,
        });
    };
    let owned = |arguments: &[&str]| -> Vec<String> {
        arguments
            .iter()
            .map(|&argument| argument.to_owned())
            .collect()
    };
    let models = root.join("runtime/models");
    let mut names: Vec<String> = std::fs::read_dir(&models)
        .expect("the models are there")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.ends_with(".c") && !WITH_HEAD.contains(&name.as_str()))
        .collect();
    names.sort();
    for model in ["-m64", "-m32"] {
        for name in &names {
            let source = models.join(name);
            let text = std::fs::read_to_string(&source).expect("a model can be read");
            let mut further = owned(&arguments::TO_BITCODE);
            further.extend(owned(&arguments::PLAIN_MESSAGES));
            further.extend(owned(&[arguments::NO_WARNINGS, arguments::MODEL]));
            further.push(format!(
                "-ffile-prefix-map={}={}",
                models.display(),
                arguments::MODEL_FOLDER
            ));
            further.push("-fdebug-compilation-dir=/".to_owned());
            add(name, source.clone(), vec![model], further.clone());
            if arguments::depends_on_environment(&text) {
                let named = vec![model, arguments::GIVEN_ENVIRONMENT];
                add(name, source, named, further);
            }
        }
        let builds: [&[&str]; 5] = [&[], &CHECKED, &ACCOUNTED, &TRACKED, &SANITIZED];
        for build in builds {
            let mut named = vec![model];
            named.extend(build);
            let mut further = owned(&NATIVE);
            further.push("-c".to_owned());
            let source = root.join("runtime/replay/replay.c");
            add("replay.c", source, named, further);
        }
    }
    jobs
}

/// Compiles; the key and file of each that could be compiled.
fn compile_all(clang: &Path, jobs: &[Job]) -> Vec<(String, PathBuf)> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let status = Command::new(clang)
                .args(&job.arguments)
                .stdin(Stdio::null())
                .stderr(Stdio::null())
                .status();
            if status.is_ok_and(|status| status.success()) {
                done.push((job.key.clone(), job.output.clone()));
            }
        }
        done
    };
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..n_threads).map(|_| scope.spawn(work)).collect();
        let results = threads.into_iter().map(|thread| thread.join());
        results
            .flat_map(|done| done.expect("no compilation panics"))
            .collect()
    })
}
