//! Reasons of open verdicts.

use super::{lines, place};
use crate::coverage::{coverage_with_reason, hint_for_unsupported};
use flowgraph::Program;
use property::Reason;
use semantics::MemoryFault;
use serde::{Deserialize, Serialize};
use symex::{Exhausted, OpenLoop};

/// Why the verdict is unknown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ReasonRecord {
    /// `undecided`, `unsupported`, `fault`, `undefined-behaviour`, `out-of-time`,
    /// `out-of-memory`, `interrupted`, `path-too-long`, `not-confirmed`, `replay-too-long`,
    /// `not-replayable`, `guess-refuted`, `no-invariant`, `defect`.
    pub kind: String,
    pub text: String,
    /// `file:line:column`; empty where there is none.
    pub place: String,
    /// How many paths it stopped.
    pub count: u64,
    /// A hint.
    pub hint: String,
}

/// A loop in which states waited when the run ended, or were left undecided.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpenLoopRecord {
    /// From 1, as `compact-se explain` numbers the loops; 0 in records of older versions.
    #[serde(default)]
    pub number: usize,
    /// `file:line` of its first line, `-line` of its last behind it; empty where it is not known.
    pub place: String,
    pub function: String,
    /// How its iterations were executed, and why not by one template; empty without templates.
    #[serde(default)]
    pub coverage: String,
    pub states: u64,
}

impl OpenLoopRecord {
    pub(super) fn of(open: &OpenLoop, program: &Program) -> OpenLoopRecord {
        OpenLoopRecord {
            number: open.number,
            place: lines(program, open.span, open.last_line),
            coverage: open.coverage.as_ref().map_or_else(String::new, |coverage| {
                coverage_with_reason(coverage, program)
            }),
            function: open.function.clone(),
            states: open.n_states,
        }
    }
}

impl ReasonRecord {
    pub(crate) fn of(reason: &Reason, count: u64, program: &Program) -> ReasonRecord {
        let place = reason.span().map(|span| place(program, span));
        ReasonRecord::at(place.unwrap_or_default(), reason, count)
    }

    pub(super) fn at(place: String, reason: &Reason, count: u64) -> ReasonRecord {
        let (kind, hint) = kind_and_hint(reason);
        ReasonRecord {
            kind: kind.to_owned(),
            text: reason.to_string(),
            place,
            count,
            hint: hint.to_owned(),
        }
    }
}

/// The kind that records cite, and the hint.
fn kind_and_hint(reason: &Reason) -> (&'static str, &'static str) {
    match reason {
        Reason::Undecided(_) => (
            "undecided",
            "a larger --query-work may decide it, or another technique (--techniques) may avoid it",
        ),
        Reason::Unsupported(what, _) => ("unsupported", hint_for_unsupported(what)),
        Reason::Fault(..) => (
            "fault",
            "make the access safe, or assume before it that it is safe; behaviour after it is undefined",
        ),
        Reason::UndefinedBehaviour(..) => (
            "undefined-behaviour",
            "exclude it by an assumption; behaviour after it is undefined",
        ),
        Reason::Exhausted(Exhausted::Time) => ("out-of-time", "more time: --timeout"),
        Reason::Exhausted(Exhausted::Work) => ("out-of-work", "a larger share of the work"),
        Reason::Exhausted(Exhausted::Memory) => ("out-of-memory", "more memory: --memory"),
        Reason::Exhausted(Exhausted::Interrupted) => {
            ("interrupted", "run it again and let it finish")
        }
        Reason::NoInvariant(_) => (
            "no-invariant",
            "use the other techniques too: drop --techniques",
        ),
        Reason::PathTooLong => ("path-too-long", "raise or drop --max-path-steps"),
        Reason::NotReplayable(_) => (
            "not-replayable",
            "install what is missing (scripts/setup.sh), or use --no-replay to see the inputs unconfirmed",
        ),
        Reason::ReplayTooLong(_) => (
            "replay-too-long",
            "assume smaller sizes and bounds, or see the inputs unconfirmed with --no-replay",
        ),
        Reason::GuessRefuted(_) => (
            "guess-refuted",
            "compact-se analyze executes the program instead of guessing",
        ),
        Reason::DeepCalls(..) => (
            "deep-calls",
            "bound the depth of the calls, or use --stack unlimited",
        ),
        Reason::Defect(..) => (
            "defect",
            "please report it with the program; --without disables the technique",
        ),
        Reason::OtherAddresses(_) => (
            "other-addresses",
            "compare addresses within one object only, or exclude the path by an assumption",
        ),
        Reason::NotSeen(MemoryFault::OutOfBounds, _) => (
            "not-confirmed",
            "sanitizers miss some bad accesses; --check index covers arrays of known size",
        ),
        Reason::NotSeen(..) => (
            "not-confirmed",
            "sanitizers miss some bad accesses; --no-replay shows the inputs unconfirmed",
        ),
        Reason::NotConfirmed(_) => (
            "not-confirmed",
            "this is a defect of compact-se: please report it with the program",
        ),
    }
}
