//! Running the compiled program under limits.

use super::records::{Inputs, Surroundings, to_text};
use super::sandbox::Sandbox;
use super::{
    BlocksLeft, Build, Passage, ReplayError, ReplayLimits, ReplayOutcome, sanitizer, system,
};
use process::{Group, Launch};
use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;

/// The descriptor on which the replay library reports: the highest, since the program sees which are
/// free.
const REPORT_DESCRIPTOR: i32 = 31;
/// Descriptors of a program.
const MOST_DESCRIPTORS: u64 = 32;
/// Exit codes of the replay library.
const TARGET_REACHED: i32 = 86;
const INPUTS_DIVERGE: i32 = 87;
const ASSUMPTION_VIOLATED: i32 = 88;
const ASSERTION_FAILED: i32 = 89;
/// Native frames may be larger than the default stack.
const STACK_BYTES: u64 = 256 << 20;

pub(super) fn run(
    executable: &Path,
    build: Build,
    folder: &Path,
    inputs: &Inputs,
    limits: &ReplayLimits,
) -> Result<Passage, ReplayError> {
    // Parallel runs have separate files.
    let folder = tempfile::tempdir_in(folder).map_err(system("create a temporary folder"))?;
    let folder = folder.path();
    let records = folder.join("inputs.txt");
    std::fs::write(&records, to_text(&inputs.records)).map_err(system("write the inputs"))?;
    let report_path = folder.join("report.txt");
    let report = File::create(&report_path).map_err(system("write the report"))?;
    let empty = tempfile::tempdir_in(folder).map_err(system("create a temporary folder"))?;
    let logs = tempfile::tempdir_in(folder).map_err(system("create a temporary folder"))?;
    let sandbox = Sandbox::new(executable, &[empty.path(), logs.path()])?;
    let mut launch = Launch::new(executable);
    launch
        .current_dir(empty.path())
        .env_clear()
        .env("COMPACT_SE_REPLAY", &records)
        .env("COMPACT_SE_REPLAY_FD", REPORT_DESCRIPTOR.to_string())
        .file(report, REPORT_DESCRIPTOR)
        .confined_by(&sandbox);
    surround(&mut launch, &inputs.surroundings, folder, empty.path())?;
    let mut address_space = limits.memory;
    if build != Build::Plain {
        for (name, value) in sanitizer::environment(logs.path(), limits.stack.is_some()) {
            launch.env(name, value);
        }
    }
    if matches!(build, Build::Sanitized | Build::Observed | Build::Tracked) {
        // Their shadow memory takes terabytes of addresses.
        address_space = libc::RLIM_INFINITY;
    }
    let resources = [
        (libc::RLIMIT_CPU, limits.cpu_seconds),
        (libc::RLIMIT_AS, address_space),
        (libc::RLIMIT_FSIZE, limits.file_size),
        (
            libc::RLIMIT_STACK,
            limits.stack.unwrap_or(STACK_BYTES.min(limits.memory / 4)),
        ),
        // Not even one more; the program itself is running already.
        (libc::RLIMIT_NPROC, 0),
        (libc::RLIMIT_NOFILE, MOST_DESCRIPTORS),
        (libc::RLIMIT_CORE, 0),
    ];
    for (resource, value) in resources {
        launch.limit(resource, value);
    }
    let group = Group::start(&launch).map_err(system("start the program"))?;
    let status = group
        .wait_unless(limits.wall, &limits.interrupt)
        .map_err(system("wait for the program"))?;
    if build != Build::Plain
        && let Some(report) = sanitizer::report(logs.path(), executable)
    {
        let outcome = ReplayOutcome::Reported(report);
        let goals = Vec::new();
        return Ok(Passage { outcome, goals });
    }
    let report = std::fs::read(&report_path).map_err(system("read the report"))?;
    let report = String::from_utf8_lossy(&report);
    let outcome = match status {
        None if limits.interrupt.raised() => ReplayOutcome::Limit("interrupted"),
        status => outcome(status, &report),
    };
    Ok(Passage {
        outcome,
        goals: goals(&report),
    })
}

/// The numbers behind `memory left: `, in the order of the fields; the last is 0 or 1.
fn blocks_left(numbers: &str) -> Option<BlocksLeft> {
    let numbers = numbers.split(' ').map(|number| number.parse().ok());
    let [n_blocks, bytes, n_lost, lost_bytes, within] = *numbers.collect::<Option<Vec<u64>>>()?
    else {
        return None;
    };
    Some(BlocksLeft {
        n_blocks,
        bytes,
        n_lost,
        lost_bytes,
        is_within_functions: within != 0,
    })
}

/// The goals of coverage that a report tells of.
fn goals(report: &str) -> Vec<u32> {
    let numbers = report.lines().filter_map(|line| line.strip_prefix("goal "));
    numbers.filter_map(|number| number.parse().ok()).collect()
}

/// Gives the program its arguments, its standard input, which it may read and write, and the files in its
/// folder.
fn surround(
    launch: &mut Launch<'_>,
    surroundings: &Surroundings,
    folder: &Path,
    of_program: &Path,
) -> Result<(), ReplayError> {
    if !surroundings.arguments.is_empty() || !surroundings.stdin.is_empty() {
        let action = "write the standard input";
        let path = folder.join("stdin.txt");
        std::fs::write(&path, &surroundings.stdin).map_err(system(action))?;
        let file = File::options().read(true).write(true).open(&path);
        launch.stdin(file.map_err(system(action))?);
    }
    if surroundings.stdin_is_folder {
        let file = File::open(of_program).map_err(system("open the standard input"));
        launch.stdin(file?);
    }
    if let Some((name, arguments)) = surroundings.arguments.split_first() {
        launch.name(OsStr::from_bytes(name));
        launch.args(arguments.iter().map(|text| OsStr::from_bytes(text)));
    }
    for (name, content) in &surroundings.files {
        std::fs::write(of_program.join(name), content)
            .map_err(system("write the program's files"))?;
    }
    Ok(())
}

/// Where the program said that it ends by a signal.
fn aborted_at(report: &str) -> Option<(u32, u32)> {
    let mut places = report
        .lines()
        .filter_map(|line| line.strip_prefix("ends at "));
    let (line, column) = places.next_back()?.split_once(':')?;
    Some((line.parse().ok()?, column.parse().ok()?))
}

fn outcome(status: Option<ExitStatus>, report: &str) -> ReplayOutcome {
    let Some(status) = status else {
        return ReplayOutcome::Limit("wall-clock time");
    };
    let said = report
        .lines()
        .find_map(|line| line.strip_prefix("compact-se: "))
        .unwrap_or_default();
    if let Some(left) = said.strip_prefix("memory left: ")
        && status.code().is_some()
        && let Some(left) = blocks_left(left)
    {
        return ReplayOutcome::Left(left);
    }
    match (status.code(), status.signal()) {
        (Some(TARGET_REACHED), _) if said == "target reached" => ReplayOutcome::Reached,
        (Some(ASSUMPTION_VIOLATED), _) if said == "assumption violated" => {
            ReplayOutcome::AssumptionViolated
        }
        (Some(ASSERTION_FAILED), _) if said == "assertion failed" => ReplayOutcome::AssertionFailed,
        (Some(INPUTS_DIVERGE), _) if said.starts_with("inputs diverge: ") => {
            let why = said.trim_start_matches("inputs diverge: ");
            ReplayOutcome::Diverged(why.to_owned())
        }
        (Some(code), _) => ReplayOutcome::NotReached(code),
        (None, Some(libc::SIGXCPU)) => ReplayOutcome::Limit("processor time"),
        // The hard limit on processor time; nothing else kills the program.
        (None, Some(libc::SIGKILL)) => ReplayOutcome::Limit("processor time"),
        (None, Some(libc::SIGXFSZ)) => ReplayOutcome::Limit("file size"),
        (None, signal) => {
            let signal = signal.unwrap_or(0);
            aborted_at(report).map_or(ReplayOutcome::Crashed(signal), |place| {
                ReplayOutcome::Aborted(signal, place)
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_count_only_with_their_report() {
        let exit = |code: i32| Some(ExitStatus::from_raw(code << 8));
        let reached = "compact-se: target reached\n";
        assert_eq!(outcome(exit(86), reached), ReplayOutcome::Reached);
        assert_eq!(outcome(exit(86), ""), ReplayOutcome::NotReached(86));
        assert_eq!(outcome(exit(0), reached), ReplayOutcome::NotReached(0));
        assert_eq!(
            outcome(
                exit(87),
                "compact-se: inputs diverge: record 2 does not exist\n"
            ),
            ReplayOutcome::Diverged("record 2 does not exist".to_owned())
        );
        assert_eq!(
            outcome(Some(ExitStatus::from_raw(libc::SIGSEGV)), ""),
            ReplayOutcome::Crashed(libc::SIGSEGV)
        );
        assert_eq!(
            outcome(Some(ExitStatus::from_raw(libc::SIGABRT)), "ends at 7:3\n"),
            ReplayOutcome::Aborted(libc::SIGABRT, (7, 3))
        );
        let left = outcome(exit(3), "compact-se: memory left: 2 24 1 8 1\n");
        let expected = BlocksLeft {
            n_blocks: 2,
            bytes: 24,
            n_lost: 1,
            lost_bytes: 8,
            is_within_functions: true,
        };
        assert_eq!(left, ReplayOutcome::Left(expected));
        assert_eq!(
            outcome(None, reached),
            ReplayOutcome::Limit("wall-clock time")
        );
    }
}
