//! The summary of an analysis for people: the verdict first, then its evidence.

use super::inputs;
use super::record::{
    AnalysisRecord, CheckpointRecord, ClosingRecord, InputRecord, OpenLoopRecord, ProgramError,
    ProgramRecord, ReasonRecord, Replay, StartRecord, StateConditionCounts, StepRecord,
};
use super::repetition::fold;
use flowgraph::file_of_call;
use frontend::{StandIn, StandInKind, microc};
use property::VerdictKind;
use std::fmt::Write;
use std::path::Path;

/// No more inputs are shown, and no more blocks of the path.
const MOST_ITEMS: usize = 40;

/// No more files are named in a command.
const MOST_FILES: usize = 6;

/// The record as text. The first line is the verdict alone.
#[must_use]
pub fn summary(record: &AnalysisRecord) -> String {
    format!("{}\n{}", record.verdict, support(record))
}

/// Whether the program was one in microc, which is interpreted.
pub(super) fn is_microc(program: &ProgramRecord) -> bool {
    let mut files = program.files.iter();
    files.any(|file| microc::is_microc(Path::new(file)))
}

/// The text below the verdict.
#[must_use]
pub fn support(record: &AnalysisRecord) -> String {
    let mut text = String::new();
    for assumption in &record.assumptions {
        let _ = writeln!(text, "assuming that {assumption}");
    }
    write_errors(&mut text, &record.errors);
    match record.replay {
        Replay::Confirmed if is_microc(&record.program) => {
            text.push_str("replayed by the interpreter: yes\n");
        }
        Replay::Confirmed => text.push_str("replayed natively: yes\n"),
        Replay::Skipped => text.push_str("not replayed (--no-replay)\n"),
        Replay::None => {}
    }
    for target in &record.targets {
        let name = match target.name.as_str() {
            "" => String::new(),
            name => format!(" ({name})"),
        };
        let _ = writeln!(text, "{}{name}: {}", target.place, target.verdict);
    }
    write_stand_ins(&mut text, &record.stand_ins);
    for note in &record.notes {
        let _ = writeln!(text, "note: {note}");
    }
    if let Some(checkpoint) = &record.checkpoint {
        write_checkpoint(&mut text, checkpoint);
    }
    if !record.undefined.is_empty() {
        text.push_str(
            "\nexecutions that end in undefined behaviour, which are not followed further:\n",
        );
        write_reasons(&mut text, &record.undefined);
    }
    if !record.reasons.is_empty() {
        text.push_str(if record.errors.is_empty() {
            "\nreasons:\n"
        } else {
            "\nthere may be more errors, for these reasons:\n"
        });
        write_reasons(&mut text, &record.reasons);
    }
    write_open_loops(&mut text, record);
    for (position, error) in record.errors.iter().enumerate() {
        if record.errors.len() > 1 {
            let _ = write!(text, "\n{}. {}\n", position + 1, describe_error(error));
        }
        text.push_str(&given_in_words(error.started_with.as_ref(), &error.inputs));
        write_path(&mut text, &error.path);
    }
    write_numbers(&mut text, record);
    text
}

/// What a program gets where it is started, and the inputs for which it asks.
pub(super) fn given_in_words(started_with: Option<&StartRecord>, asked: &[InputRecord]) -> String {
    let mut text = String::new();
    if let Some(start) = started_with {
        write_start(&mut text, start);
    }
    if started_with.is_none() || !asked.is_empty() {
        text.push_str(&inputs::in_words(asked));
    }
    let needs_more = asked.iter().any(|input| input.matters);
    if let Some(command) = started_with.filter(|_| !needs_more).and_then(command) {
        let _ = writeln!(text, "as a command: {command}");
    }
    text
}

/// Resumption from an earlier run, and the written checkpoint.
fn write_checkpoint(text: &mut String, checkpoint: &CheckpointRecord) {
    let file = &checkpoint.file;
    if checkpoint.resumed {
        let (n, work) = (checkpoint.repeated_answers, checkpoint.repeated_work_s);
        let _ = writeln!(
            text,
            "resumed from {file} with {n} answers of the solver ({work:.1} s of its work)"
        );
    }
    if checkpoint.written {
        let _ = writeln!(text, "written to {file}: the same command resumes from it");
    }
}

/// The errors, a line each, with the sanitizer's report.
fn write_errors(text: &mut String, errors: &[ProgramError]) {
    if let [error] = errors
        && error.kind == "target"
        && error.target.is_none()
        && error.message.is_none()
    {
        // That is what *reachable* says.
        return;
    }
    for error in errors {
        let _ = write!(text, "{}", describe_error(error));
        if let Some(report) = &error.report {
            let _ = write!(text, " ({report})");
        }
        text.push('\n');
    }
}

/// `file:line:column: what`.
fn describe_error(error: &ProgramError) -> String {
    if error.place.is_empty() {
        error.text.clone()
    } else {
        format!("{}: {}", error.place, error.text)
    }
}

/// Arguments, standard input and files, as C has them.
fn write_start(text: &mut String, start: &StartRecord) {
    text.push('\n');
    if !start.argv.is_empty() {
        let _ = writeln!(text, "argv = {{{}}}", start.argv.join(", "));
    }
    if start.stdin != "\"\"" || start.argv.is_empty() {
        let _ = match start.stdin_is_folder {
            false => writeln!(text, "stdin = {}", start.stdin),
            true => writeln!(text, "stdin is a folder, which cannot be read"),
        };
    }
    for (name, content) in &start.files {
        let _ = writeln!(text, "file {name} = {content}");
    }
}

/// A shell's command that starts the program so, where nothing but a short standard input matters.
fn command(start: &StartRecord) -> Option<String> {
    const LONGEST: usize = 120;
    if !start.argv.is_empty() || !start.files.is_empty() {
        return None;
    }
    if start.stdin_is_folder {
        return Some("./program < /".to_owned());
    }
    let text = start.stdin.strip_prefix('"')?.strip_suffix('"')?;
    let text = text
        .replace("\\\"", "\"")
        .replace("\\?", "?")
        .replace('%', "%%");
    (text.len() <= LONGEST).then(|| format!("printf '{}' | ./program", text.replace('\'', "'\\''")))
}

/// Replacements of the C library in the replay, a line for each kind.
fn write_stand_ins(text: &mut String, stand_ins: &[StandIn]) {
    let kinds = [
        (StandInKind::Inputs, "gives recorded results to"),
        (StandInKind::Model, "has models of its own for"),
        (StandInKind::NoEffect, "skips"),
    ];
    for (kind, what) in kinds {
        let of_kind = stand_ins.iter().filter(|stand_in| stand_in.by == kind);
        let names: Vec<&str> = of_kind.map(|stand_in| stand_in.name.as_str()).collect();
        if !names.is_empty() {
            let _ = writeln!(text, "the replay {what} {}", names.join(", "));
        }
    }
}

fn write_open_loops(text: &mut String, record: &AnalysisRecord) {
    if record.open_loops.is_empty() {
        return;
    }
    text.push_str("\nloops not explored to the end, with the states left in them:\n");
    let shown = || record.open_loops.iter().take(MOST_ITEMS);
    for open in shown() {
        let OpenLoopRecord {
            number,
            place,
            function,
            coverage,
            states,
        } = open;
        let _ = writeln!(
            text,
            "  loop {number}  {place}  {function}  {}",
            grouped(*states)
        );
        if !coverage.is_empty() {
            let _ = writeln!(text, "    {coverage}");
        }
    }
    if let Some(first) = shown().find(|open| !open.coverage.is_empty()) {
        let model = match record.program.data_model.as_str() {
            "LP64" => "",
            _ => " --data-model ILP32",
        };
        let command = explaining(&record.program.files, model, first.number);
        let _ = writeln!(text, "  details of a loop: {command}");
    }
}

/// The command that explains a loop; many files are counted.
fn explaining(files: &[String], model: &str, number: usize) -> String {
    match files.len() {
        0..=MOST_FILES => {
            let files = files.join(" ");
            format!("compact-se explain {files}{model} --loop {number}")
        }
        n => format!("compact-se explain{model} --loop {number}, with these {n} files"),
    }
}

fn write_reasons(text: &mut String, reasons: &[ReasonRecord]) {
    for reason in reasons {
        let times = if reason.count == 1 {
            String::new()
        } else {
            format!("{} times: ", grouped(reason.count))
        };
        let place = if reason.place.is_empty() {
            String::new()
        } else {
            format!("{}: ", reason.place)
        };
        let _ = writeln!(text, "  {place}{times}{}\n    {}", reason.text, reason.hint);
    }
}

fn write_path(text: &mut String, path: &[StepRecord]) {
    if path.is_empty() {
        text.push_str("\npath: no choices recorded\n");
        return;
    }
    text.push_str("\npath, where the program had a choice:\n");
    let path: Vec<StepRecord> = path.iter().map(without_locations_of_models).collect();
    let blocks = fold(&path);
    // Of a long path the beginning and the end say most.
    let n_omitted = blocks.len().saturating_sub(MOST_ITEMS);
    let head = if n_omitted == 0 {
        blocks.len()
    } else {
        MOST_ITEMS / 2
    };
    let widths = Widths::of(&path);
    for (position, repeated) in blocks.iter().enumerate() {
        if position == head && n_omitted > 0 {
            let _ = writeln!(
                text,
                "  … {} more (--json writes all)",
                grouped(n_omitted as u64)
            );
        }
        if position >= head && position < head + n_omitted {
            continue;
        }
        let is_block = repeated.times > 1;
        if is_block {
            let _ = writeln!(text, "  {} times:", grouped(repeated.times as u64));
        }
        for step in repeated.block {
            let indent = if is_block { "    " } else { "  " };
            write_step(text, step, indent, &widths);
        }
    }
}

/// Where a path goes within a function of the C library is for those who know its model.
fn without_locations_of_models(step: &StepRecord) -> StepRecord {
    let mut step = step.clone();
    if file_of_call(&step.place) != step.place {
        step.to.clear();
    }
    step
}

/// Columns of the path, in characters.
struct Widths {
    place: usize,
    function: usize,
}

impl Widths {
    fn of(path: &[StepRecord]) -> Widths {
        let widest =
            |length: fn(&StepRecord) -> usize| path.iter().map(length).max().unwrap_or(0).min(60);
        Widths {
            place: widest(|step| step.place.chars().count()),
            function: widest(|step| step.function.chars().count()),
        }
    }
}

fn write_step(text: &mut String, step: &StepRecord, indent: &str, widths: &Widths) {
    let Widths { place, function } = *widths;
    let _ = write!(
        text,
        "{indent}{:<place$}  {:<function$}",
        step.place, step.function
    );
    if !step.to.is_empty() {
        let _ = write!(text, "  -> {}", step.to);
    }
    if let Some(iterations) = &step.iterations {
        let unit = if iterations == "1" {
            "iteration"
        } else {
            "iterations"
        };
        let _ = write!(text, ", after {iterations} {unit} of a folded loop");
    }
    if !step.source.is_empty() {
        let _ = write!(text, "    {}", step.source);
    }
    text.push('\n');
}

fn write_numbers(text: &mut String, record: &AnalysisRecord) {
    let times = &record.times_s;
    let counts = &record.counts;
    text.push('\n');
    if !record.checks.is_empty() {
        let _ = writeln!(text, "checked: {}", record.checks.join(", "));
    }
    let _ = writeln!(
        text,
        "times: loading {}, templates {}, execution {}, of these solver {}; total {}",
        seconds(times.load),
        seconds(times.templates),
        seconds(times.execution),
        seconds(times.solver),
        seconds(times.total),
    );
    let merged = match counts.merged {
        0 => String::new(),
        merged => format!(", {} merged into others", grouped(merged)),
    };
    let annotated = match counts.annotations.closed {
        0 => String::new(),
        closed => format!(", {} closed by annotations", grouped(closed)),
    };
    let _ = writeln!(
        text,
        "states: {}, {} waiting, {} subsumed by others{merged}{annotated}; {} paths ended, {} actions, depth {}",
        grouped(counts.states),
        grouped(counts.waiting),
        grouped(counts.subsumed),
        grouped(counts.paths),
        grouped(counts.actions),
        grouped(counts.depth),
    );
    write_annotations(text, record);
    write_invariants(text, record);
    text.push_str(&state_conditions_in_words(
        &record.counts.state_conditions,
        &record.closed_by_conditions,
    ));
    if counts.cuts > 0 {
        let done = match record.verdict {
            VerdictKind::Unreachable => "proved",
            _ => "tried",
        };
        let how = match (counts.k, record.invariants.is_empty()) {
            (0 | 1, _) => "induction".to_owned(),
            (k, true) => format!("k-induction with k = {k}"),
            (k, false) => format!("k-induction with k = {k} and invariants"),
        };
        let _ = writeln!(
            text,
            "{done} by {how}: variables changed by loops are arbitrary; {} cuts",
            grouped(counts.cuts)
        );
    } else if counts.cycles + counts.loops > 0 {
        let cut = if counts.cycles_cut {
            " (and more that were not examined)"
        } else {
            ""
        };
        let _ = writeln!(
            text,
            "cycles: {}{cut}, {} with a template; whole loops: {} tried, {} with a template; applied {} times",
            grouped(counts.cycles),
            grouped(counts.templates),
            grouped(counts.loops),
            grouped(counts.loop_templates),
            grouped(counts.applications),
        );
        if counts.recursions > 0 {
            let _ = writeln!(
                text,
                "recursions: {}, {} with a template",
                grouped(counts.recursions),
                grouped(counts.recursion_templates),
            );
        }
    }
    let _ = writeln!(
        text,
        "queries: {}, {} failed",
        grouped(counts.queries),
        grouped(counts.failed_queries)
    );
    let _ = writeln!(
        text,
        "peak memory: {} MB",
        grouped(record.peak_memory_bytes >> 20)
    );
}

/// The loop invariants and function contracts of a proof.
fn write_invariants(text: &mut String, record: &AnalysisRecord) {
    for invariant in record.invariants.iter().take(MOST_ITEMS) {
        let _ = writeln!(text, "{}", invariant.in_words(MOST_ITEMS));
    }
    for contract in record.contracts.iter().take(MOST_ITEMS) {
        let _ = writeln!(text, "{}", contract.in_words(MOST_ITEMS));
    }
}

/// Statistics of necessary conditions of states, if they were used.
pub(super) fn state_conditions_in_words(
    counts: &StateConditionCounts,
    closings: &[ClosingRecord],
) -> String {
    let mut text = String::new();
    if counts.asked > 0 {
        let _ = writeln!(
            text,
            "conditions of states: {} checked, {} closed; {} models tried, {} hits",
            grouped(counts.asked),
            grouped(counts.closed),
            grouped(counts.models),
            grouped(counts.hits),
        );
    }
    for closing in closings.iter().take(MOST_ITEMS) {
        let _ = writeln!(text, "{}", closing.in_words());
    }
    text
}

/// The annotations of loops.
fn write_annotations(text: &mut String, record: &AnalysisRecord) {
    let of_loops = record.annotations.iter().filter(|one| one.of_loop);
    for annotation in of_loops.take(MOST_ITEMS) {
        let _ = writeln!(
            text,
            "annotation of a loop: {}  {}  {}",
            annotation.place, annotation.function, annotation.condition
        );
    }
}

/// Seconds with as many digits as matter.
#[must_use]
pub fn seconds(time: f64) -> String {
    if time < 10.0 {
        format!("{time:.2} s")
    } else {
        format!("{time:.1} s")
    }
}

/// A number with commas between groups of three digits.
///
/// ```
/// assert_eq!(compact_se_report::summary::grouped(1_234_567), "1,234,567");
/// ```
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1000), "1,000");
        assert_eq!(grouped(1_234_567), "1,234,567");
    }

    #[test]
    fn many_files_are_counted() {
        let files: Vec<String> = (0..7).map(|number| format!("{number}.c")).collect();
        let few = "compact-se explain 0.c 1.c --data-model ILP32 --loop 3";
        assert_eq!(explaining(&files[..2], " --data-model ILP32", 3), few);
        let many = "compact-se explain --loop 3, with these 7 files";
        assert_eq!(explaining(&files, "", 3), many);
    }

    #[test]
    fn iterations_along_a_path_are_folded() {
        let step = |to: &str, iterations: Option<&str>| StepRecord {
            place: "a.c:3:1".to_owned(),
            function: "main".to_owned(),
            source: "while (i < n)".to_owned(),
            to: to.to_owned(),
            iterations: iterations.map(str::to_owned),
        };
        let mut path = vec![
            step("body", None),
            step("next", None),
            step("body", None),
            step("next", None),
        ];
        path.push(step("end", Some("7")));
        let mut text = String::new();
        write_path(&mut text, &path);
        let expected = "
path, where the program had a choice:
  2 times:
    a.c:3:1  main  -> body    while (i < n)
    a.c:3:1  main  -> next    while (i < n)
  a.c:3:1  main  -> end, after 7 iterations of a folded loop    while (i < n)
";
        assert_eq!(text, expected);
    }
}
