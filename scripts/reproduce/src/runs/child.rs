//! One run of a benchmark in a process of its own.

use crate::program;
use crate::tables::svcomp::WitnessCheck;
use limits::Interrupt;
use process::{Folder, Group, Launch};
use report::AnalysisRecord;
use report::record::ErrorRecord;
use serde::de::DeserializeOwned;
use std::ffi::OsString;
use std::io::Read;
use std::path::Path;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// How a run ended.
pub(super) enum Ended<R = AnalysisRecord> {
    Record(Box<R>),
    /// It ended without a record, for this reason.
    Failed(String),
    /// It was interrupted and says nothing.
    Interrupted,
}

/// A child keeps its time limit by itself; this long after it, it is ended.
const GRACE: Duration = Duration::from_secs(30);

/// After an interrupt a child gets this long to end by itself.
const LAST_GRACE: Duration = Duration::from_secs(5);

/// Runs compact-se with `arguments` and `--json`, and waits for it.
pub(super) fn run_child<R: DeserializeOwned>(
    arguments: &[OsString],
    timeout_s: u64,
    interrupt: &Interrupt,
) -> Ended<R> {
    let failed = Ended::Failed;
    let folder = match Folder::new("compact-se-run-") {
        Ok(folder) => folder,
        Err(error) => return failed(format!("cannot start a run: {error}")),
    };
    let json = folder.path().join("record.json");
    let messages = folder.path().join("messages");
    let started = std::fs::File::create(&messages).and_then(|file| {
        let mut launch = Launch::new(program()?);
        launch.args(arguments).arg("--json").arg(&json).stderr(file);
        Group::start(&launch)
    });
    let group = match started {
        Ok(group) => group,
        Err(error) => return failed(format!("cannot start a run: {error}")),
    };
    let limit = Instant::now() + Duration::from_secs(timeout_s) + GRACE;
    let status = match wait(group, limit, interrupt) {
        Waited::Exited(status) => status,
        Waited::Interrupted => return Ended::Interrupted,
        Waited::TooLong => {
            return failed("the run exceeded its time limit and was killed".to_owned());
        }
        Waited::Lost(error) => return failed(format!("cannot wait for a run: {error}")),
    };
    match read_record(&json) {
        Some(Ok(record)) => Ended::Record(Box::new(record)),
        _ if interrupt.raised() => Ended::Interrupted,
        Some(Err(error)) => failed(error),
        None => failed(format!(
            "the process ended with {status}: {}",
            beginning(&messages)
        )),
    }
}

/// Time for the check of a witness, in seconds.
const CHECK_S: u64 = 30;

/// Lets `compact-se check` look at the witness that a run wrote, if it wrote one; `None` if that
/// was interrupted.
pub(super) fn check_witness(
    record: &AnalysisRecord,
    witness: &Path,
    task: &[OsString],
    interrupt: &Interrupt,
) -> Option<WitnessCheck> {
    let said = |judgement: &str, reason: Option<String>| {
        Some(WitnessCheck {
            judgement: judgement.to_owned(),
            reason,
        })
    };
    if !witness.exists() {
        return said("none", record.notes.last().cloned());
    }
    let printed = witness.with_extension("judgement");
    let started = std::fs::File::create(&printed).and_then(|file| {
        let mut launch = Launch::new(program()?);
        launch
            .arg("check")
            .arg(witness)
            .args(task)
            .arg(format!("--timeout={CHECK_S}"))
            .stdout(file);
        Group::start(&launch)
    });
    let group = match started {
        Ok(group) => group,
        Err(error) => return said("unknown", Some(format!("cannot start the check: {error}"))),
    };
    let limit = Instant::now() + Duration::from_secs(CHECK_S) + GRACE;
    match wait(group, limit, interrupt) {
        Waited::Exited(_) => {}
        Waited::Interrupted => return None,
        Waited::TooLong => return said("unknown", Some("the check took too long".to_owned())),
        Waited::Lost(error) => return said("unknown", Some(error.to_string())),
    }
    let text = beginning(&printed);
    let (judgement, reason) = text.split_once(' ').unwrap_or((&text, ""));
    match judgement {
        "confirmed" | "rejected" | "unknown" => {
            said(judgement, (!reason.is_empty()).then(|| reason.to_owned()))
        }
        _ => said("unknown", Some("the check failed".to_owned())),
    }
}

enum Waited {
    Exited(ExitStatus),
    Interrupted,
    TooLong,
    Lost(std::io::Error),
}

/// Waits for a run; one that is interrupted may say that first.
fn wait(mut group: Group, limit: Instant, interrupt: &Interrupt) -> Waited {
    let mut interrupted_at = None;
    loop {
        match group.try_wait() {
            Ok(Some(status)) => return Waited::Exited(status),
            Ok(None) => {}
            Err(error) => return Waited::Lost(error),
        }
        if interrupt.raised() {
            let since = *interrupted_at.get_or_insert_with(|| {
                group.terminate();
                Instant::now()
            });
            if since.elapsed() > LAST_GRACE {
                return Waited::Interrupted;
            }
        }
        if Instant::now() > limit {
            return Waited::TooLong;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The record that a run left; an inner error is the one that it reports.
pub(super) fn read_record<R: DeserializeOwned>(path: &Path) -> Option<Result<R, String>> {
    let text = std::fs::read_to_string(path).ok()?;
    if let Ok(record) = serde_json::from_str::<R>(&text) {
        return Some(Ok(record));
    }
    serde_json::from_str::<ErrorRecord>(&text)
        .ok()
        .map(|record| Err(record.error))
}

fn beginning(path: &Path) -> String {
    let mut text = String::new();
    if let Ok(file) = std::fs::File::open(path) {
        let _ = file.take(2000).read_to_string(&mut text);
    }
    text.trim().replace('\n', " ")
}
