//! Options and reports of sanitizers.
//!
//! AddressSanitizer and UndefinedBehaviorSanitizer write into a separate file, since standard error belongs
//! to the program. The observer of the replay library writes there, too.

use super::{SanitizerReport, SourcePlace, backtrace};
use std::path::{Path, PathBuf};

/// Begins the text of a report of the replay library's observer.
pub const OBSERVER: &str = "the replay";

/// The beginning of the files' names; the number of the process follows it.
const LOG: &str = "sanitizer";

/// Resident memory of an instrumented program, in megabytes: its address space is too large for a
/// limit on that.
const MOST_RESIDENT: u64 = 4096;

/// Variables of the environment for an instrumented program that runs in `folder`; where the stack `may_end`, all
/// variables lie on it.
pub(super) fn environment(folder: &Path, may_end: bool) -> [(&'static str, String); 3] {
    let log = folder.join(LOG);
    let log = log.display();
    let common = format!("log_path='{log}':symbolize=0:hard_rss_limit_mb={MOST_RESIDENT}");
    // AddressSanitizer puts variables elsewhere, so that it knows them when their function has returned.
    let elsewhere = u8::from(!may_end);
    [
        (
            "ASAN_OPTIONS",
            // Leaks are a separate check, and searching for them needs another thread.
            format!(
                "{common}:detect_leaks=0:allocator_may_return_null=0:handle_abort=0\
                 :detect_invalid_pointer_pairs=1:detect_stack_use_after_return={elsewhere}"
            ),
        ),
        ("MSAN_OPTIONS", common.clone()),
        ("UBSAN_OPTIONS", common),
    ]
}

/// A sanitizer's report of a run of the executable; the reports are removed.
pub(super) fn report(folder: &Path, executable: &Path) -> Option<SanitizerReport> {
    let files = std::fs::read_dir(folder).ok()?.filter_map(Result::ok);
    let is_log = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with(&format!("{LOG}.")))
    };
    let mut logs: Vec<PathBuf> = files.map(|file| file.path()).filter(is_log).collect();
    logs.sort();
    let mut found = None;
    for log in logs {
        let text = std::fs::read(&log).unwrap_or_default();
        let _ = std::fs::remove_file(&log);
        found = found.or_else(|| {
            let text = String::from_utf8_lossy(&text);
            let places = || match place_of_check(&text) {
                Some(place) => vec![place],
                None => backtrace::places(executable, &text),
            };
            summary(&text).map(|text| SanitizerReport {
                text,
                places: places(),
            })
        });
    }
    found
}

/// Between the place of a check of UndefinedBehaviorSanitizer that failed and the reason.
const RUNTIME_ERROR: &str = ": runtime error: ";

/// The place that UndefinedBehaviorSanitizer tells: `file.c:3:5: runtime error: …`.
fn place_of_check(text: &str) -> Option<SourcePlace> {
    let mut lines = text.lines();
    let place = lines.find_map(|line| Some(line.split_once(RUNTIME_ERROR)?.0))?;
    let (rest, column) = place.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    Some(SourcePlace {
        file: file.to_owned(),
        line: line.parse().ok()?,
        column: column.parse().ok()?,
    })
}

/// The line of a report that says what happened.
fn summary(text: &str) -> Option<String> {
    text.lines().find_map(|line| {
        if let Some((_, what)) = line.split_once(RUNTIME_ERROR) {
            return Some(format!("UndefinedBehaviorSanitizer: {what}"));
        }
        if let Some((_, what)) = line.split_once("WARNING: MemorySanitizer: ") {
            return Some(format!("MemorySanitizer: {what}"));
        }
        if let Some(what) = line.strip_prefix("ERROR: observer: ") {
            return Some(format!("{OBSERVER}: {what}"));
        }
        let (_, what) = line.split_once("ERROR: AddressSanitizer: ")?;
        // Addresses differ from run to run.
        let end = what.find(" on ").or_else(|| what.find(" 0x"));
        let what = end.map_or(what, |end| &what[..end]);
        let what = what.split(": ").next().unwrap_or(what);
        Some(format!("AddressSanitizer: {}", what.trim_end_matches(':')))
    })
}

#[cfg(test)]
mod tests {
    use super::{place_of_check, summary};

    #[test]
    fn reports_are_told_in_a_line() {
        let address = "=====\n==7==ERROR: AddressSanitizer: heap-buffer-overflow on address \
                       0x5020 at pc 0x55\nREAD of size 4\n";
        let expected = "AddressSanitizer: heap-buffer-overflow";
        assert_eq!(summary(address).as_deref(), Some(expected));
        let double = "==7==ERROR: AddressSanitizer: attempting double-free on 0x5020 in thread\n";
        let expected = "AddressSanitizer: attempting double-free";
        assert_eq!(summary(double).as_deref(), Some(expected));
        let null = "==7==ERROR: AddressSanitizer: SEGV on unknown address 0x0 (pc 0x55 bp 0x7f)\n";
        assert_eq!(summary(null).as_deref(), Some("AddressSanitizer: SEGV"));
        let overflow = "a.c:3:5: runtime error: signed integer overflow: 2147483647 + 1 cannot be \
                        represented in type 'int'\n";
        let expected = "UndefinedBehaviorSanitizer: signed integer overflow: 2147483647 + 1 cannot \
                        be represented in type 'int'";
        assert_eq!(summary(overflow).as_deref(), Some(expected));
        let place = place_of_check(overflow).map(|place| (place.file, place.line, place.column));
        assert_eq!(place, Some(("a.c".to_owned(), 3, 5)));
        assert_eq!(place_of_check(null), None);
        assert_eq!(summary("all is well\n"), None);
    }
}
