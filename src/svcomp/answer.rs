//! The answer of SV-COMP from a record, or the reason for none.

use super::property::Specification;
use ::property::VerdictKind;
use report::AnalysisRecord;
use report::record::ReasonRecord;
use serde::{Deserialize, Serialize};

/// What a verifier says about a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// The property holds.
    True,
    /// It does not.
    False,
    Unknown,
}

impl Answer {
    /// `true`, `false` or `unknown`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Answer::True => "true",
            Answer::False => "false",
            Answer::Unknown => "unknown",
        }
    }

    /// The answer that a verdict is.
    #[must_use]
    pub fn of_verdict(verdict: VerdictKind) -> Answer {
        match verdict {
            VerdictKind::Unreachable => Answer::True,
            VerdictKind::Reachable => Answer::False,
            VerdictKind::Unknown => Answer::Unknown,
        }
    }
}

/// The line that BenchExec's tool-info module reads: `true`, `false(unreach-call)` with the property
/// that is violated, or `unknown (reason)`.
#[must_use]
pub fn verdict_line(record: &AnalysisRecord, property: &Specification) -> String {
    let answer = Answer::of_verdict(record.verdict);
    match answer {
        Answer::True => answer.name().to_owned(),
        Answer::False => {
            let error = record.errors.first();
            let part = error.and_then(|error| error.subproperty.as_deref());
            format!("false({})", property.violated_by(part))
        }
        Answer::Unknown => format!("unknown ({})", why(&record.reasons)),
    }
}

/// The reason that weighs most: what the engine cannot do, before what took too long, before what
/// the solver left open.
#[must_use]
pub fn why(reasons: &[ReasonRecord]) -> String {
    const ORDER: [&str; 14] = [
        "defect",
        "not-confirmed",
        "not-replayable",
        "replay-too-long",
        "unsupported",
        "fault",
        "undefined-behaviour",
        "interrupted",
        "out-of-memory",
        "out-of-time",
        "path-too-long",
        "undecided",
        "no-invariant",
        "guess-refuted",
    ];
    let weight = |reason: &&ReasonRecord| ORDER.iter().position(|kind| *kind == reason.kind);
    match reasons.iter().min_by_key(weight) {
        Some(reason) if reason.place.is_empty() => reason.text.clone(),
        Some(reason) => format!("{} at {}", reason.text, reason.place),
        None => "no reason given".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weightiest_reason_is_told() {
        let reason = |kind: &str, text: &str, place: &str| ReasonRecord {
            kind: kind.to_owned(),
            text: text.to_owned(),
            place: place.to_owned(),
            count: 1,
            hint: String::new(),
        };
        let reasons = [
            reason("out-of-time", "out of time", ""),
            reason("unsupported", "not supported: fadd", "a.c:3:1"),
        ];
        assert_eq!(why(&reasons), "not supported: fadd at a.c:3:1");
        assert_eq!(why(&reasons[..1]), "out of time");
        assert_eq!(why(&[]), "no reason given");
    }
}
