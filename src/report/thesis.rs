//! The files of the thesis' tool about one run (Section 5.1): path coverage, time, errors.

use crate::AnalysisRecord;
use property::VerdictKind;

/// Names and contents. Path coverage is that of Section 6.2: the paths that came to their end, without those into
/// the errors that were found. The thesis does not give the unit of the time: milliseconds, as in its tables, without
/// the time to load the program.
#[must_use]
pub fn files(record: &AnalysisRecord) -> [(&'static str, String); 3] {
    let is_reached = record.verdict == VerdictKind::Reachable;
    let n_errors = record.errors.len().max(usize::from(is_reached)) as u64;
    let n_paths = record.counts.paths.saturating_sub(n_errors);
    let milliseconds = (record.times_s.total - record.times_s.load).max(0.0) * 1000.0;
    [
        ("coverage.txt", format!("{n_paths}\n")),
        ("time.txt", format!("{milliseconds:.0}\n")),
        ("error.txt", format!("{n_errors}\n")),
    ]
}
