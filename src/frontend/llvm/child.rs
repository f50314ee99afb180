//! The child process that loads programs, and its supervision by the parent.
//!
//! # Protocol
//! The parent writes [`REQUEST_FILE`] into a temporary folder and starts
//! `executable CHILD_COMMAND folder`. The child writes [`REPLY_FILE`], a serialised
//! `Result<Reply, LoadError>`, and [`PREPARED_FILE`]. No reply means that it crashed.
//!
//! # Invariants
//! - The child, and clang under it, is dead when [`run`] returns.

use super::compile::Compiler;
use super::prepare::Outcome;
use super::sources::{Code, Sources};
use super::{
    Globals, InputKind, LoadError, LoadOptions, TargetSpec, Variables, folded, lower, prepare,
};
use flowgraph::{Action, EndKind, Program};
use process::{Group, Launch};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, ExitStatus};

/// The hidden subcommand that makes the executable a loading child.
pub const CHILD_COMMAND: &str = "__load";

pub(super) const PREPARED_FILE: &str = "prepared.bc";
/// The same program with [`Variables::Held`], where that may be asked for.
pub(super) const HELD_FILE: &str = "held.bc";
const REQUEST_FILE: &str = "request.bin";
const REPLY_FILE: &str = "reply.bin";
/// The child's standard error, for crash messages.
const STDERR_FILE: &str = "stderr.txt";

/// The reply of the child.
#[derive(Serialize, Deserialize)]
pub(super) struct Reply {
    pub program: Program,
    /// The variables of each function, in bytes.
    pub frames: Vec<u64>,
    pub outcome: Outcome,
}

/// Runs the child on `options` in `folder`.
pub(super) fn run(options: &LoadOptions, folder: &Path) -> Result<Reply, LoadError> {
    let request = postcard::to_stdvec(options)
        .map_err(|error| LoadError::system("write the loading request", &error))?;
    std::fs::write(folder.join(REQUEST_FILE), request)
        .map_err(|error| LoadError::system("write the loading request", &error))?;
    let executable = match &options.executable {
        Some(path) => path.clone(),
        None => std::env::current_exe()
            .map_err(|error| LoadError::system("find our own executable", &error))?,
    };
    let stderr = std::fs::File::create(folder.join(STDERR_FILE))
        .map_err(|error| LoadError::system("write to the temporary folder", &error))?;
    let mut launch = Launch::new(executable);
    launch
        .arg(CHILD_COMMAND)
        .arg(folder)
        .stderr(stderr)
        .limit(libc::RLIMIT_AS, options.memory_limit)
        .limit(libc::RLIMIT_CORE, 0);
    let group = Group::start(&launch)
        .map_err(|error| LoadError::system("start the loading process", &error))?;
    let status = group
        .wait(options.time_limit)
        .map_err(|error| LoadError::system("wait for the loading process", &error))?;
    let path = options.inputs[0].clone();
    let Some(status) = status else {
        return Err(LoadError::TimeLimit {
            path,
            seconds: options.time_limit.as_secs(),
        });
    };
    match std::fs::read(folder.join(REPLY_FILE)) {
        Ok(bytes) => postcard::from_bytes::<Result<Reply, LoadError>>(&bytes).map_err(|error| {
            LoadError::Internal {
                what: format!("the loading process sent an unreadable reply: {error}"),
            }
        })?,
        Err(_) => Err(death(path, folder, status, options.memory_limit)),
    }
}

/// The error for a child that died without a reply.
fn death(path: PathBuf, folder: &Path, status: ExitStatus, memory_limit: u64) -> LoadError {
    let stderr = std::fs::read(folder.join(STDERR_FILE)).unwrap_or_default();
    let stderr = String::from_utf8_lossy(&stderr).into_owned();
    if [
        "out of memory",
        "bad_alloc",
        "memory allocation of",
        "length_error",
    ]
    .iter()
    .any(|text| stderr.contains(text))
    {
        return LoadError::MemoryLimit {
            path,
            megabytes: memory_limit >> 20,
        };
    }
    let mut how = match (status.signal(), status.code()) {
        (Some(signal), _) => format!("signal {signal}"),
        (None, Some(code)) => format!("exit code {code}"),
        (None, None) => "unknown".to_owned(),
    };
    if let Some(line) = stderr
        .lines()
        .find(|line| line.contains("ERROR") || line.contains("error"))
    {
        how = format!("{how}: {}", line.trim());
    }
    LoadError::Crashed { path, how }
}

/// The child's `main`: the executable calls it when its first argument is [`CHILD_COMMAND`],
/// with the arguments after that.
pub fn child_main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let Some(folder) = args.into_iter().next().map(PathBuf::from) else {
        return ExitCode::from(2);
    };
    // llvm-ir panics on what it does not know; that is an answer, not a crash.
    std::panic::set_hook(Box::new(|_| ()));
    let result = std::panic::catch_unwind(|| work(&folder)).unwrap_or_else(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        Err(LoadError::Refused {
            what: format!(
                "it holds something that cannot be read from the bitcode ({})",
                text.unwrap_or_default().replace('\n', " ")
            ),
        })
    });
    let code = u8::from(result.is_err());
    let written = postcard::to_stdvec(&result)
        .map_err(|error| error.to_string())
        .and_then(|bytes| {
            // Renamed when complete, so that a killed child leaves no half reply.
            let draft = folder.join("reply.draft");
            std::fs::write(&draft, bytes)
                .and_then(|()| std::fs::rename(&draft, folder.join(REPLY_FILE)))
                .map_err(|error| error.to_string())
        });
    match written {
        Ok(()) => ExitCode::from(code),
        Err(_) => ExitCode::from(2),
    }
}

fn work(folder: &Path) -> Result<Reply, LoadError> {
    let request = std::fs::read(folder.join(REQUEST_FILE))
        .map_err(|error| LoadError::system("read the loading request", &error))?;
    let options: LoadOptions =
        postcard::from_bytes(&request).map_err(|error| LoadError::Internal {
            what: format!("unreadable loading request: {error}"),
        })?;
    let sources = Sources::new(&options, folder)?;
    match reply(&options, &sources, Code::Called, folder)? {
        Some(reply) => Ok(reply),
        None => {
            let reply = reply(&options, &sources, Code::All, folder)?;
            reply.ok_or_else(|| LoadError::Internal {
                what: "the code of all functions was given already".to_owned(),
            })
        }
    }
}

/// What the parent is told; `None` where what is requested may be in functions that have no code so.
fn reply(
    options: &LoadOptions,
    sources: &Sources<'_>,
    code: Code,
    folder: &Path,
) -> Result<Option<Reply>, LoadError> {
    let compiled = sources.compile(code)?;
    let is_in_source = |target: &TargetSpec| is_in_source(options, sources.compiler(), target);
    let prepared = folder.join(PREPARED_FILE);
    let outcome = prepare::prepare(options, &compiled, &is_in_source, folder, &prepared);
    let is_missing = matches!(
        outcome,
        Err(LoadError::MissingFunction { .. } | LoadError::MissingTarget { .. })
    );
    if is_missing && code == Code::Called && sources.compiler().is_some() {
        return Ok(None);
    }
    let mut outcome = outcome?;
    let mut notes = options.notes_about_options()?;
    notes.append(&mut outcome.notes);
    let analysed = outcome.analysed.as_ref().unwrap_or(&prepared);
    let (program, frames) = lower::lower(analysed, options, &outcome, &mut notes)?;
    if options.globals == Globals::Kept && ends_within_functions(&program) {
        let held = LoadOptions {
            variables: Variables::Held,
            // What a function held that has returned is lost.
            inline: false,
            ..options.clone()
        };
        let path = folder.join(HELD_FILE);
        prepare::prepare(&held, &compiled, &is_in_source, folder, &path)?;
    }
    outcome.notes = notes;
    Ok(Some(Reply {
        program,
        frames,
        outcome,
    }))
}

/// Whether the program calls `exit`.
fn ends_within_functions(program: &Program) -> bool {
    program.functions.iter().any(|function| {
        let mut edges = function.edge_ids().map(|edge| function.edge(edge));
        edges.any(|edge| {
            let mut steps = edge.steps.iter();
            steps.any(|step| matches!(step.action, Action::End(EndKind::Exit)))
        })
    })
}

/// Whether a C or C++ file among the inputs has the target, of which clang made nothing.
fn is_in_source(
    options: &LoadOptions,
    compiler: Option<&Compiler>,
    target: &TargetSpec,
) -> Result<bool, LoadError> {
    let Some(compiler) = compiler else {
        return Ok(false);
    };
    for path in &options.inputs {
        if InputKind::of(path)?.is_source()
            && folded::has_target(compiler, path, &options.arguments_for(path)?, target)?
        {
            return Ok(true);
        }
    }
    Ok(false)
}
