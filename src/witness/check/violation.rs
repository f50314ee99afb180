//! Checking violation witnesses.
//!
//! A variable counts the segments that an execution has passed. Where a waypoint of segment i
//! stands, the changed program does the following if the variable is i: an `avoid` waypoint that
//! is passed ends the execution; a `follow` waypoint that is passed makes the variable i + 1, and
//! that of the last segment is the new target. So the target is reachable in the changed program
//! exactly if some execution matches the witness.
//!
//! First the program is analysed *strictly*: an execution that comes to a `follow` waypoint of its
//! segment and does not pass it ends. That leaves out executions that pass it later, and mostly
//! leaves one path. What is reached is a match all the same. Only if nothing is, all executions
//! are asked for, and if there is none, the witness is rejected.
//!
//! Where the property is about errors, the target waypoint is no step: `errors.rs` says what becomes of it.

use super::errors;
use super::task::{Checked, EndedAt};
use super::{CheckError, Judgement};
use crate::WitnessError;
use crate::claim::Claim;
use crate::full_expressions::statement_start;
use crate::instrument::Insertions;
use crate::places::Sources;
use crate::scope::condition;
use crate::yaml::{Entry, Waypoint};
use analysis::{AnalysisOptions, analyze};
use frontend::source_text::{SourceText, TokenKind};
use frontend::{LoadError, TargetSpec};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::{Range, RangeInclusive};
use symex::Verdict;

/// The target of the changed program.
pub(super) const FOUND: &str = "compact_se_witness_found";
/// The segments that are passed.
pub(super) const PASSED: &str = "compact_se_witness_passed";
/// What is evaluated at a waypoint: `\result`, or the condition of a branching.
pub(super) const RESULT: &str = "compact_se_witness_result";

/// What an execution that does not pass a `follow` waypoint does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// It ends.
    Strict,
    /// It goes on.
    Lenient,
}

/// Where in the program a waypoint is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Site {
    /// Before the statement that begins at this token.
    Statement(usize),
    /// When the call from the first to the second token has returned.
    Return(usize, usize),
    /// When the arguments of that call are known; they call nothing.
    Enter(usize, usize),
    /// When the condition from the first to the second token (exclusively) is known.
    Condition(usize, usize),
}

/// A waypoint at its site.
#[derive(Clone)]
pub(super) struct Passing {
    pub segment: usize,
    pub is_avoided: bool,
    /// C, in terms of [`RESULT`].
    pub condition: String,
    /// Who passes it has found what is looked for.
    pub is_target: bool,
}

/// What is done at the sites of waypoints.
pub(super) type Sites = BTreeMap<Site, Vec<Passing>>;

impl Passing {
    /// Whether both do the same, each in its segment.
    fn does_as(&self, other: &Passing) -> bool {
        self.condition == other.condition
            && self.is_avoided == other.is_avoided
            && self.is_target == other.is_target
    }
}

/// Whether some execution matches the sequence and violates the property.
pub(super) fn check(checked: &Checked, entry: &Entry) -> Result<Judgement, CheckError> {
    let mut sites = Sites::new();
    let mut target = None;
    let n_segments = entry.content.len();
    for (segment, item) in entry.content.iter().enumerate() {
        let malformed = |what: &str| {
            let what = format!("segment {}: {what}", segment + 1);
            CheckError::from(WitnessError::Malformed(what))
        };
        let points = item
            .segment
            .as_ref()
            .ok_or_else(|| malformed("a violation_sequence has segments"))?;
        for (number, point) in points.iter().enumerate() {
            let waypoint = &point.waypoint;
            let is_last = number + 1 == points.len();
            let is_target = waypoint.kind == "target";
            match waypoint.action.as_str() {
                "follow" if is_last => {}
                "avoid" if !is_last && !is_target => {}
                _ => return Err(malformed("it has to end in its only follow waypoint")),
            }
            if is_target != (is_last && segment + 1 == n_segments) {
                return Err(malformed("the last waypoint, and no other, is the target"));
            }
            if is_target && matches!(checked.claim, Claim::NoErrors(_)) {
                target = Some(waypoint);
                continue;
            }
            match passing(checked, waypoint, segment)? {
                Ok((site, passing)) => sites.entry(site).or_default().push(passing),
                Err(why) => {
                    let line = waypoint.location.line;
                    return Ok(Judgement::Unknown(format!(
                        "the {} waypoint in line {line}: {why}",
                        waypoint.kind
                    )));
                }
            }
        }
    }
    if n_segments == 0 {
        return Err(WitnessError::Malformed("the sequence is empty".to_owned()).into());
    }
    if let (Claim::NoErrors(formulas), Some(target)) = (&checked.claim, target) {
        return errors::check(checked, formulas, (&sites, n_segments - 1), target);
    }
    let strict = analysis(checked, &sites, Mode::Strict)?;
    if strict == Judgement::Confirmed {
        return Ok(strict);
    }
    analysis(checked, &sites, Mode::Lenient)
}

/// What the analysis of the changed program says; a *reachable* was replayed.
fn analysis(checked: &Checked, sites: &Sites, mode: Mode) -> Result<Judgement, CheckError> {
    let mut insertions = Insertions::default();
    for (site, passings) in sites {
        insert(checked, &mut insertions, *site, &steps(passings, mode));
    }
    let prelude = format!(
        "static unsigned {PASSED}; extern void {FOUND}(void); extern void compact_se_assume(int);"
    );
    let changed = checked.changed(&prelude, insertions)?;
    let mut options: AnalysisOptions = changed.options.clone();
    options.load.target = TargetSpec::Function(FOUND.to_owned());
    options.replay = true;
    let half = checked.options.execution.budget.time / 2;
    options.execution.budget.time = half;
    let analysis = match analyze(&options, &mut |_| ()) {
        Err(LoadError::Clang { message, .. }) => {
            return Ok(not_taken(&message));
        }
        analysis => analysis?,
    };
    let sources = Sources::read(&options.load.inputs)?;
    let ends = changed.ends(&sources, &analysis.loaded.program, &analysis.report);
    let in_constraint = ends.iter().any(|end| !matches!(end, EndedAt::Program));
    Ok(match analysis.report.verdict {
        Verdict::Reachable(_) if analysis.replayed => Judgement::Confirmed,
        Verdict::Unreachable if in_constraint => in_constraints(),
        Verdict::Unreachable => Judgement::Rejected(
            "no execution passes the waypoints and reaches the target".to_owned(),
        ),
        Verdict::Reachable(_) | Verdict::Unknown => {
            Judgement::Unknown("no matching execution was found, and none was ruled out".to_owned())
        }
    })
}

/// What the refusal of clang means.
pub(super) fn not_taken(message: &str) -> Judgement {
    Judgement::Unknown(format!("clang rejects the constraints: {message}"))
}

/// Where an execution ended in a constraint, it need not be over.
pub(super) fn in_constraints() -> Judgement {
    Judgement::Unknown("a constraint has undefined behaviour in some execution".to_owned())
}

/// What happens at a site, as a statement.
pub(super) fn steps(passings: &[Passing], mode: Mode) -> String {
    let mut by_segment: BTreeMap<usize, Vec<&Passing>> = BTreeMap::new();
    for passing in passings {
        by_segment.entry(passing.segment).or_default().push(passing);
    }
    let mut text = format!("switch ({PASSED}) {{ ");
    for (segments, passings) in runs(by_segment) {
        let (first, last) = (segments.start(), segments.end());
        if first == last {
            let _ = write!(text, "case {first}: ");
        } else {
            // An extension of GNU C.
            let _ = write!(text, "case {first} ... {last}: ");
        }
        for passing in passings {
            let condition = &passing.condition;
            let otherwise = match mode {
                Mode::Strict => " else compact_se_assume(0);",
                Mode::Lenient => "",
            };
            let then = if passing.is_avoided {
                "compact_se_assume(0);".to_owned()
            } else if passing.is_target {
                format!("{PASSED}++; {FOUND}();")
            } else {
                format!("{PASSED}++;")
            };
            let otherwise = if passing.is_avoided { "" } else { otherwise };
            let _ = write!(text, "if ({condition}) {{ {then} }}{otherwise} ");
        }
        text.push_str("break; ");
    }
    text.push_str("default: break; }");
    text
}

/// Segments that follow each other and do the same as one: an input that is asked for in a loop
/// often has the same value in each iteration.
fn runs(by_segment: BTreeMap<usize, Vec<&Passing>>) -> Vec<(RangeInclusive<usize>, Vec<&Passing>)> {
    let mut runs: Vec<(RangeInclusive<usize>, Vec<&Passing>)> = Vec::new();
    for (segment, passings) in by_segment {
        match runs.last_mut() {
            Some((segments, known))
                if *segments.end() + 1 == segment
                    && known.len() == passings.len()
                    && known.iter().zip(&passings).all(|(a, b)| a.does_as(b)) =>
            {
                *segments = *segments.start()..=segment;
            }
            _ => runs.push((segment..=segment, passings)),
        }
    }
    runs
}

pub(super) fn insert(checked: &Checked, insertions: &mut Insertions, site: Site, steps: &str) {
    let source = &checked.source;
    let start = |token: usize| source.tokens[token].start;
    match site {
        Site::Statement(token) => {
            // A statement that hangs on a condition becomes the other branch of one that only
            // does the steps; an `else` behind it still belongs where it did.
            let text = if is_in_block(source, token) {
                format!("{{ {steps} }} ")
            } else {
                format!("if (__extension__({{ {steps} 0; }})) ; else ")
            };
            insertions.add(start(token), text);
        }
        Site::Return(first, last) => {
            let end = source.tokens[last].end;
            let call = &source.text[start(first)..end];
            insertions.add(
                start(first),
                format!("(__extension__({{ __typeof__({call}) {RESULT} = "),
            );
            insertions.add(end, format!("; {steps} {RESULT}; }}))"));
        }
        Site::Enter(first, last) => {
            insertions.add(start(first), format!("(__extension__({{ {steps} 0; }}), "));
            insertions.add(source.tokens[last].end, ")");
        }
        Site::Condition(first, last) => {
            let (before, behind) = around_condition(steps);
            insertions.add(start(first), before);
            insertions.add(start(last), behind);
        }
    }
}

/// What stands before and behind a condition after which the steps are done.
pub(super) fn around_condition(steps: &str) -> (String, String) {
    (
        format!("__extension__({{ int {RESULT} = !!("),
        format!("); {steps} {RESULT}; }})"),
    )
}

type Placed = Result<(Site, Passing), String>;

/// Where a waypoint is evaluated and what it asks; or why that is not understood.
fn passing(checked: &Checked, waypoint: &Waypoint, segment: usize) -> Result<Placed, CheckError> {
    let Some(token) = checked.token(&waypoint.location)? else {
        return Ok(Err("there is no code at its location".to_owned()));
    };
    let constraint = waypoint.constraint.as_ref();
    let value = constraint.map_or("", |constraint| constraint.value.trim());
    let placed = match waypoint.kind.as_str() {
        "target" => target_site(checked, waypoint, token).map(|site| (site, "1".to_owned())),
        "assumption" => {
            statement(checked, token).and_then(|site| Ok((site, checked.expression(value, None)?)))
        }
        "function_return" => call(checked, waypoint, token).and_then(|(first, last)| {
            let condition = if value.is_empty() {
                "1".to_owned()
            } else {
                checked.expression(value, Some(RESULT))?
            };
            Ok((Site::Return(first, last), condition))
        }),
        "function_enter" => call(checked, waypoint, token).and_then(|(first, last)| {
            if (first + 2..last).any(|token| checked.source.is_mark(token, b'(')) {
                return Err("its call has arguments with parentheses".to_owned());
            }
            checked.check_macros(first + 2..last)?;
            Ok((Site::Enter(first, last), "1".to_owned()))
        }),
        "branching" => {
            let condition = match value {
                "true" => RESULT.to_owned(),
                "false" => format!("!{RESULT}"),
                _ => return Ok(Err(format!("{value} is neither true nor false"))),
            };
            branching(checked, token).map(|site| (site, condition))
        }
        other => Err(format!("{other} is not a known type")),
    };
    Ok(placed.map(|(site, condition)| {
        let passing = Passing {
            segment,
            is_avoided: waypoint.action == "avoid",
            condition,
            is_target: waypoint.kind == "target",
        };
        (site, passing)
    }))
}

/// The statement that begins at a token.
pub(super) fn statement(checked: &Checked, token: usize) -> Result<Site, String> {
    let source = &checked.source;
    source
        .function_around(token)
        .ok_or("it is in no function")?;
    let is_none = matches!(source.word(token), "else" | "case" | "default" | "}");
    let begins = !is_none && statement_start(source, token) == token;
    if !begins || source.is_in_parentheses(token) {
        return Err("no statement begins at its location".to_owned());
    }
    Ok(Site::Statement(token))
}

/// Whether a statement that begins at a token is one of a block, and does not hang on a condition.
pub(super) fn is_in_block(source: &SourceText, token: usize) -> bool {
    let before = token
        .checked_sub(1)
        .map(|before| source.tokens[before].kind);
    before.is_none_or(|before| matches!(before, TokenKind::Mark(b';' | b'{' | b'}' | b':')))
}

/// First and last token of a call. The place is its closing parenthesis; the name and, without a
/// column, the line of the call are understood too.
fn call(checked: &Checked, waypoint: &Waypoint, token: usize) -> Result<(usize, usize), String> {
    let source = &checked.source;
    let named = |name: usize| Some((name, source.named_call(name)?));
    let found = if source.is_mark(token, b')') {
        let open = source.partner(token);
        open.and_then(|open| named(open.checked_sub(1)?))
    } else {
        let mut tokens = checked.tokens_at(&waypoint.location, token);
        tokens.find_map(named)
    };
    let found = found.ok_or("no call of a function by its name ends at its location")?;
    let is_within = source.function_around(found.0).is_some();
    is_within
        .then_some(found)
        .ok_or_else(|| "it is in no function".to_owned())
}

fn branching(checked: &Checked, token: usize) -> Result<Site, String> {
    match condition(&checked.source, token) {
        Some(Range { start, end }) if start < end => Ok(Site::Condition(start, end)),
        Some(_) => Err("the loop has no condition".to_owned()),
        None => Err("no if, while or for begins at its location".to_owned()),
    }
}

/// The target is the call of the function that the property names, or the label.
fn target_site(checked: &Checked, waypoint: &Waypoint, token: usize) -> Result<Site, String> {
    let source = &checked.source;
    let is_target = |name: &str| names_target(&checked.options.load.target, name);
    for at in checked.tokens_at(&waypoint.location, token) {
        if is_target(source.word(at)) {
            if source.is_mark(at + 1, b':') {
                return statement(checked, at + 2);
            }
            if source.is_mark(at + 1, b'(') && source.function_around(at).is_some() {
                let last = source.partner(at + 1).ok_or("its call does not end")?;
                return Ok(Site::Enter(at, last));
            }
        }
        // The statement behind the label.
        if at > 1 && source.is_mark(at - 1, b':') && is_target(source.word(at - 2)) {
            return statement(checked, at);
        }
    }
    Err("the code there is not a target of the property".to_owned())
}

pub(crate) fn names_target(target: &TargetSpec, name: &str) -> bool {
    match target {
        TargetSpec::Default | TargetSpec::All => matches!(
            name,
            "reach_error"
                | "__VERIFIER_error"
                | "compact_se_target"
                | "klee_report_error"
                | "ERROR"
        ),
        TargetSpec::Name(target) | TargetSpec::Function(target) | TargetSpec::Label(target) => {
            name == target
        }
        TargetSpec::Line { .. } => false,
        TargetSpec::EachOf(targets) => targets.iter().any(|target| names_target(target, name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passing(segment: usize, condition: &str) -> Passing {
        Passing {
            segment,
            is_avoided: false,
            condition: condition.to_owned(),
            is_target: false,
        }
    }

    #[test]
    fn equal_segments_in_a_row_are_one_case() {
        let mut passings: Vec<Passing> = (2..5000).map(|segment| passing(segment, "x")).collect();
        passings.push(passing(5000, "y"));
        passings.push(passing(5002, "y"));
        let text = steps(&passings, Mode::Lenient);
        let cases: Vec<&str> = text.split("case ").skip(1).collect();
        assert_eq!(cases.len(), 3, "{text}");
        assert!(cases[0].starts_with("2 ... 4999: if (x)"), "{text}");
        assert!(cases[1].starts_with("5000: if (y)"), "{text}");
        assert!(cases[2].starts_with("5002: if (y)"), "{text}");
    }
}
