//! Confirmation of claims by running the program with the inputs of a witness.
//!
//! Targets and assertions report themselves. Other errors are reported by sanitizers: the program is run with
//! AddressSanitizer and UndefinedBehaviorSanitizer, or by an interpreter. Both report the error and its
//! location. Accesses out of bounds that sanitizers miss are detected by the replay library's observer, in a
//! separate build.
//!
//! # Invariants
//! - A claim is confirmed only by a report of its error at its location. Within a function of the library the
//!   location is that of the program's call.

use super::{AnalysisOptions, SignedOverflow};
use flowgraph::{EndKind, MODEL_FILES, Program, Span, file_of_call, is_of_library};
use frontend::{
    self, InputReading, Loaded, ReadValue, Sanitizer, fails_at_once, is_of_environment,
    standard_input,
};
use property::{ErrorKind, Observation};
use replay::{
    self, BlocksLeft, Build, InputRecord, Inputs, LanguageError, OBSERVER, ReplayLimits,
    ReplayOutcome, SanitizerReport, SourcePlace, Surroundings,
};
use semantics::{Leak, MemoryFault};
use symex::{Confirmation, InputValue, Witness, WitnessInput};

/// Begins to compile the program as a witness for the target will need it.
pub(super) fn compile_ahead(loaded: &Loaded) {
    if loaded.has_target {
        let build = build_for(loaded, ErrorKind::Target);
        loaded.replayer.prepare_ahead(build);
    }
}

/// The build for confirming an error of this kind.
fn build_for(loaded: &Loaded, kind: ErrorKind) -> Build {
    match kind.facts().observations {
        // Where clang has put checks into the program, one that fails on the way refutes the claim.
        [
            Observation::Target
            | Observation::Assertion
            | Observation::Signal(_)
            | Observation::AnySignal,
        ] => match loaded.is_instrumented {
            true => Build::Checked,
            false => Build::Plain,
        },
        [Observation::Blocks] => Build::Accounted,
        [Observation::Unwritten] => Build::Tracked,
        _ => Build::Sanitized,
    }
}

/// Compiles the program and runs it with the inputs of a witness.
#[must_use]
pub fn confirm_natively(loaded: &Loaded, witness: &Witness) -> Confirmation {
    let kind = witness.error;
    let build = build_for(loaded, kind);
    let inputs = Inputs {
        records: records(witness),
        surroundings: surroundings(loaded, witness).unwrap_or_default(),
    };
    let mut limits = ReplayLimits::default();
    if let (ErrorKind::Memory(MemoryFault::StackOverflow), Some(stack)) = (kind, &loaded.stack) {
        limits.stack = Some(stack.bytes);
    }
    let is_assertion = kind == ErrorKind::Program(EndKind::AssertFail);
    match loaded.replayer.replay(build, &inputs, &limits) {
        Ok(ReplayOutcome::Reached) if kind == ErrorKind::Target => Confirmation::Confirmed(None),
        Ok(ReplayOutcome::AssertionFailed) if is_assertion => Confirmation::Confirmed(None),
        Ok(ReplayOutcome::Aborted(signal, place)) if is_by_signal(signal, place, witness) => {
            Confirmation::Confirmed(None)
        }
        Ok(ReplayOutcome::Reported(report))
            if is_of(&report.text, kind) && is_at(&loaded.program, &report, witness) =>
        {
            Confirmation::Confirmed(Some(report.text))
        }
        Ok(ReplayOutcome::Left(left))
            if kind == ErrorKind::Leak(Leak::Lost) && left.is_within_functions =>
        {
            match loaded.replayer.replay(Build::Held, &inputs, &limits) {
                Ok(ReplayOutcome::Left(left)) if is_left(left, kind) => left_by(left),
                Ok(outcome) => refuted_by(outcome),
                Err(error) => Confirmation::Impossible(error.to_string()),
            }
        }
        Ok(ReplayOutcome::Left(left)) if is_left(left, kind) => left_by(left),
        Ok(ReplayOutcome::Erred(error, place)) if is_language_error(error, place, witness) => {
            Confirmation::Confirmed(None)
        }
        Ok(outcome) if kind == ErrorKind::Memory(MemoryFault::OutOfBounds) => {
            match loaded.replayer.replay(Build::Observed, &inputs, &limits) {
                Ok(ReplayOutcome::Reported(report))
                    if is_observed(&report) && is_at(&loaded.program, &report, witness) =>
                {
                    Confirmation::Confirmed(Some(report.text))
                }
                Ok(ReplayOutcome::Reported(report)) if is_observed(&report) => {
                    refuted_by(ReplayOutcome::Reported(report))
                }
                _ => refuted_by(outcome),
            }
        }
        Ok(outcome) => refuted_by(outcome),
        Err(error) => Confirmation::Impossible(error.to_string()),
    }
}

/// Whether the observer found an access out of bounds.
fn is_observed(report: &SanitizerReport) -> bool {
    report.text.starts_with(OBSERVER)
}

/// Whether a program, run with the inputs of a witness for an error, reaches the target before it runs into
/// that error.
#[must_use]
pub fn is_reached_before(loaded: &Loaded, witness: &Witness) -> bool {
    let inputs = Inputs {
        records: records(witness),
        surroundings: surroundings(loaded, witness).unwrap_or_default(),
    };
    let build = build_for(loaded, witness.error);
    let outcome = loaded
        .replayer
        .replay(build, &inputs, &ReplayLimits::default());
    matches!(outcome, Ok(ReplayOutcome::Reached))
}

/// What overflows on the way to a target where signed arithmetic wraps around, as
/// `UndefinedBehaviorSanitizer` reports it: without the wrap-around no execution reaches the target that way.
/// `None` also where that cannot be found out, as for bitcode.
#[must_use]
pub fn wrap_around(options: &AnalysisOptions, witness: &Witness) -> Option<String> {
    if options.signed_overflow() != SignedOverflow::Wrap {
        return None;
    }
    let mut load = options.load_options();
    load.sanitizers.push(Sanitizer::Overflow);
    let loaded = frontend::load(&load).ok()?;
    let inputs = Inputs {
        records: records(witness),
        surroundings: surroundings(&loaded, witness).unwrap_or_default(),
    };
    let limits = ReplayLimits::default();
    let outcome = loaded.replayer.replay(Build::Checked, &inputs, &limits);
    match outcome {
        Ok(ReplayOutcome::Reported(report)) => {
            let (_, what) = report.text.split_once(": ")?;
            Some(what.to_owned())
        }
        _ => None,
    }
}

/// The meaning of an end of the replay other than the claimed one.
pub(super) fn refuted_by(outcome: ReplayOutcome) -> Confirmation {
    Confirmation::Refuted(match outcome {
        ReplayOutcome::Left(left) => format!("the program ended, and {left}"),
        ReplayOutcome::Erred(error, (line, column)) => {
            format!("the program ended with another error, at {line}:{column}: {error}")
        }
        ReplayOutcome::Reported(report) => {
            format!("{} is reported{}", report.text, describe(&report))
        }
        ReplayOutcome::Reached => "the target was reached instead".to_owned(),
        ReplayOutcome::AssertionFailed => "an assertion failed".to_owned(),
        ReplayOutcome::Diverged(why) => format!("the inputs diverge: {why}"),
        ReplayOutcome::AssumptionViolated => "an assumption does not hold".to_owned(),
        ReplayOutcome::NotReached(code) => format!("the program ended with exit code {code}"),
        ReplayOutcome::Crashed(signal) => format!("signal {signal} killed the program"),
        ReplayOutcome::Aborted(signal, (line, column)) => {
            format!("the program ended itself by signal {signal}, at {line}:{column}")
        }
        ReplayOutcome::Endless((line, column)) => {
            format!("the loop at {line}:{column} never ends")
        }
        ReplayOutcome::Limit(which) => return Confirmation::Stopped(which.to_owned()),
    })
}

fn left_by(left: BlocksLeft) -> Confirmation {
    Confirmation::Confirmed(Some(format!("the replay: {left}")))
}

/// Whether what was left when the program ended is an error of this kind.
fn is_left(left: BlocksLeft, kind: ErrorKind) -> bool {
    match kind {
        ErrorKind::Leak(Leak::Lost) => left.n_lost > 0,
        ErrorKind::Leak(Leak::NotFreed) => left.n_blocks > 0,
        ErrorKind::Target | ErrorKind::Program(_) | ErrorKind::Memory(_) => false,
    }
}

/// Whether a program that ended itself by a signal at this place did what a witness claims.
fn is_by_signal(signal: i32, place: (u32, u32), witness: &Witness) -> bool {
    let shows = |observation: &Observation| match observation {
        Observation::Signal(signals) => signals.contains(&signal),
        Observation::AnySignal => true,
        _ => false,
    };
    let Span { line, column, .. } = witness.target;
    place == (line, column) && witness.error.facts().observations.iter().any(shows)
}

/// Whether an error that an interpreter reports is that of a witness, at its place.
fn is_language_error(error: LanguageError, (line, column): (u32, u32), witness: &Witness) -> bool {
    let kind = match error {
        LanguageError::DivisionByZero => ErrorKind::Program(EndKind::DivisionTrap),
        // Null with an index below it.
        LanguageError::NullDereference
            if witness.error == ErrorKind::Memory(MemoryFault::NoAddress) =>
        {
            witness.error
        }
        LanguageError::NullDereference => ErrorKind::Memory(MemoryFault::NullPointer),
        LanguageError::OutOfBounds => ErrorKind::Memory(MemoryFault::OutOfBounds),
        LanguageError::Uninitialised => ErrorKind::Program(EndKind::Uninitialised),
    };
    let Span {
        line: wanted_line,
        column: wanted_column,
        ..
    } = witness.target;
    kind == witness.error && (line, column) == (wanted_line, wanted_column)
}

/// Whether a report is about the claimed place. A claim without a place is confirmed by its kind.
fn is_at(program: &Program, report: &SanitizerReport, witness: &Witness) -> bool {
    let claimed = witness.target;
    let Some(file) = program.file(claimed) else {
        return true;
    };
    // It depends on the size of frames which of the calls has no room; a jump to where no code is leaves no stack.
    let has_jumped = report.places.is_empty() && report.text.ends_with("SEGV");
    if has_jumped || report.text.ends_with("stack-overflow") {
        return true;
    }
    // The claim is at the end of the function, the report at the `return` that led there.
    if witness.error == ErrorKind::Program(EndKind::NullResult) {
        let is_in_file = |place: &SourcePlace| place.file.ends_with(file.trim_start_matches("./"));
        return report.places.iter().any(is_in_file);
    }
    is_about(report, file, (claimed.line, claimed.column))
}

/// Whether a report is about a line and column of a file: an error there, or in a function of the
/// library that is called there.
fn is_about(report: &SanitizerReport, file: &str, claimed: (u32, u32)) -> bool {
    // UndefinedBehaviorSanitizer tells the column of another part of the expression.
    let has_column = !report.text.starts_with("UndefinedBehaviorSanitizer");
    let is_claimed = |place: &SourcePlace| {
        place.line == claimed.0
            && (place.column == claimed.1 || !has_column)
            && file_of_call(&place.file).ends_with(file.trim_start_matches("./"))
    };
    let library = report
        .places
        .iter()
        .take_while(|place| is_in_library(place));
    let n_library = library.count();
    report.places.iter().take(n_library + 1).any(is_claimed)
}

fn is_in_library(place: &SourcePlace) -> bool {
    place.file.contains(MODEL_FILES) || is_of_library(&place.file)
}

/// The place of a report in the program itself, for people.
fn describe(report: &SanitizerReport) -> String {
    let mut places = report.places.iter();
    match places.find(|place| !is_in_library(place)) {
        Some(SourcePlace { file, line, column }) => {
            format!(" at {}:{line}:{column}", file_of_call(file))
        }
        None => String::new(),
    }
}

/// Whether a sanitizer's report is one of this kind of error.
fn is_of(report: &str, kind: ErrorKind) -> bool {
    let Some((sanitizer, what)) = report.split_once(": ") else {
        return false;
    };
    // At the beginning of a word: an unsigned integer overflow is no signed one.
    let is_word = |at: usize| !what[..at].ends_with(|before: char| before.is_alphanumeric());
    let contains = |word: &str| what.match_indices(word).any(|(at, _)| is_word(at));
    let says = |words: &[&str]| words.iter().any(|word| contains(word));
    let shows = |observation: &Observation| match observation {
        Observation::Address(words) => sanitizer == "AddressSanitizer" && says(words),
        Observation::Undefined(words) => sanitizer == "UndefinedBehaviorSanitizer" && says(words),
        Observation::Unwritten => sanitizer == "MemorySanitizer",
        Observation::Target
        | Observation::Assertion
        | Observation::Signal(_)
        | Observation::AnySignal
        | Observation::Blocks => false,
    };
    kind.facts().observations.iter().any(shows)
}

/// What the program is started with; `None` where it may be started in any way, so that this is
/// among the inputs that it asks for.
#[must_use]
pub fn surroundings(loaded: &Loaded, witness: &Witness) -> Option<Surroundings> {
    let Some(environment) = &loaded.environment else {
        return read_from_anywhere(loaded, witness);
    };
    let input = |name: &str| witness.inputs.iter().find(|input| input.name == name);
    let number = |name: &str| match &input(name)?.value {
        InputValue::Value(value) => value.to_u64(),
        InputValue::Memory { .. } => None,
    };
    let content = |name: &str| content(input(name)?);
    Some(environment.surroundings(&number, &content))
}

/// The standard input that gives what the program reads, where that may be anything; `None` where it reads nothing.
fn read_from_anywhere(loaded: &Loaded, witness: &Witness) -> Option<Surroundings> {
    let readings = (witness.inputs.iter()).filter(|input| is_of_environment(&input.name));
    let readings: Vec<InputReading> = readings
        .filter_map(|input| {
            let value = match &input.value {
                InputValue::Value(value) => ReadValue::Number {
                    value: value.to_u64()?,
                    bits: value.width(),
                },
                InputValue::Memory { .. } => ReadValue::Bytes(content(input)?),
            };
            let name = input.name.clone();
            Some(InputReading { name, value })
        })
        .collect();
    (!readings.is_empty()).then(|| Surroundings {
        arguments: arguments_of_main(loaded, witness).unwrap_or_default(),
        stdin: standard_input(&readings),
        stdin_is_folder: fails_at_once(&readings),
        files: Vec::new(),
    })
}

/// Inputs of `runtime/models/start.c`: how many arguments, the length of each, and its text.
const PARAMETERS: [&str; 3] = ["argc", "strlen(argv)", "argv"];

/// More arguments than this are not passed to a program.
const MOST_ARGUMENTS: usize = 1 << 10;

/// Whether an input is one of the parameters of `main`, where the program may be started in any way.
#[must_use]
pub fn is_parameter_of_main(input: &WitnessInput) -> bool {
    let name = input.name.split('#').next().unwrap_or_default();
    input.span.line == 0 && input.call.is_none() && PARAMETERS.contains(&name)
}

/// The arguments that the program gets, where it may be started in any way: `argv`, its name first. `None` where they
/// do not matter, and where no system passes them, since there is not even a name.
#[must_use]
pub fn arguments_of_main(loaded: &Loaded, witness: &Witness) -> Option<Vec<Vec<u8>>> {
    if loaded.environment.is_some() {
        return None;
    }
    let parameters = || {
        let inputs = witness.inputs.iter();
        inputs.filter(|input| is_parameter_of_main(input))
    };
    let argc = parameters().find_map(|input| match &input.value {
        InputValue::Value(value) => value.to_u64(),
        InputValue::Memory { .. } => None,
    })?;
    let argc = usize::try_from(argc).ok()?;
    let texts = parameters().filter_map(content).map(|mut text| {
        let end = text.iter().position(|byte| *byte == 0);
        text.truncate(end.unwrap_or(text.len()));
        text
    });
    let mut arguments: Vec<Vec<u8>> = texts.collect();
    // Texts without an input are not read on the path.
    arguments.resize(argc.min(MOST_ARGUMENTS), Vec::new());
    let is_possible = (1..=MOST_ARGUMENTS).contains(&argc);
    (is_possible && parameters().any(|input| input.matters)).then_some(arguments)
}

/// The bytes of an input that is memory.
fn content(input: &WitnessInput) -> Option<Vec<u8>> {
    let InputValue::Memory {
        bytes,
        default,
        chunks,
        address: _,
    } = &input.value
    else {
        return None;
    };
    let mut content = vec![*default; usize::try_from(*bytes).ok()?];
    for (offset, chunk) in chunks {
        let start = usize::try_from(*offset).ok()?;
        content
            .get_mut(start..start + chunk.len())?
            .copy_from_slice(chunk);
    }
    Some(content)
}

/// The inputs that the program asks for, in the form in which the replay library reads them.
#[must_use]
pub fn records(witness: &Witness) -> Vec<InputRecord> {
    witness
        .inputs
        .iter()
        .filter(|input| !is_of_environment(&input.name))
        .map(|input| InputRecord {
            name: input.name.clone(),
            value: match &input.value {
                InputValue::Value(value) => replay::InputValue::Int(value.clone()),
                InputValue::Memory {
                    bytes,
                    default,
                    chunks,
                    address,
                } => replay::InputValue::Bytes {
                    size: *bytes,
                    default: *default,
                    chunks: chunks.clone(),
                    address: *address,
                },
            },
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{is_about, is_of};
    use flowgraph::EndKind;
    use property::ErrorKind;
    use replay::{SanitizerReport, SourcePlace};
    use semantics::MemoryFault;

    #[test]
    fn reports_confirm_errors_at_their_place_only() {
        let at = |file: &str, line| SourcePlace {
            file: file.to_owned(),
            line,
            column: 3,
        };
        let text = "AddressSanitizer: SEGV".to_owned();
        let places = vec![
            at("/<models>/string.c", 9),
            at("/home/strlen, called at dir/a.c", 7),
            at("/home/dir/a.c", 8),
        ];
        let report = SanitizerReport { text, places };
        let is_at = |line| is_about(&report, "dir/a.c", (line, 3));
        // Neither the line of a caller nor another one.
        assert!(is_at(7) && !is_at(8) && !is_at(9));
        assert!(!is_about(&report, "b.c", (7, 3)));
    }

    #[test]
    fn reports_confirm_errors_of_their_kind_only() {
        let bounds = ErrorKind::Memory(MemoryFault::OutOfBounds);
        let division = ErrorKind::Program(EndKind::DivisionTrap);
        let quotient = ErrorKind::Program(EndKind::DivisionOverflow);
        let overflow = ErrorKind::Program(EndKind::SignedOverflow);
        let reports = [
            ("AddressSanitizer: heap-buffer-overflow", bounds),
            ("AddressSanitizer: SEGV", bounds),
            ("AddressSanitizer: FPE", division),
            ("AddressSanitizer: FPE", quotient),
            (
                "UndefinedBehaviorSanitizer: signed integer overflow: 1 + 2",
                overflow,
            ),
            ("UndefinedBehaviorSanitizer: negation of -128", overflow),
        ];
        for (report, of) in reports {
            for kind in [bounds, division, quotient, overflow, ErrorKind::Target] {
                let is_expected = kind.checks().iter().any(|check| of.checks()[0] == *check);
                assert_eq!(is_of(report, kind), is_expected, "{report}: {kind}");
            }
        }
    }
}
