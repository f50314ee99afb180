//! Violation witnesses of properties about errors: overflows, invalid accesses and frees, memory that is left.
//!
//! An operation that fails calls nothing, so that the target waypoint cannot become a step. It names a full
//! expression E instead, which becomes `there() ? (copy of E) : (E)`; `there` holds where all other segments are
//! passed, and errors are looked for in the copy only. What fails elsewhere ends the execution. Where E calls
//! something, segments may be passed within it: then `there` may hold earlier too, as a guess that the error comes
//! now.
//!
//! Memory is lost, or left, when the program ends. The target is the expression that allocates the block, which
//! is the place that we write, or the end of `main`, a `return` of it or a call of `exit`. Executions that end
//! before all segments are passed are no match.
//!
//! # Invariants
//! - *Confirmed* only if the native run passes all other segments before it runs into the error: that is asked of
//!   the native program anew, whatever was guessed.
//! - An error in a constraint of the witness is none of the program.

use super::task::{Changed, Checked, EndedAt};
use super::violation::{
    FOUND, Mode, PASSED, Passing, RESULT, Site, Sites, around_condition, in_constraints, insert,
    not_taken, statement, steps,
};
use super::{CheckError, Judgement};
use crate::full_expressions::{full_expressions, statement_start};
use crate::instrument::Insertions;
use crate::places::Sources;
use crate::yaml::Waypoint;
use analysis::{AnalysisOptions, CheckChoice, analyze_loaded, is_reached_before};
use frontend::source_text::{SourceText, TokenKind};
use frontend::{LoadError, Loaded, TargetSpec, load};
use property::{ErrorKind, Extent, Subproperty, UndefinedBehaviour};
use std::ops::Range;
use std::time::Duration;
use symex::{Report, Verdict, Witness};

/// Whether the copy of the expression is evaluated.
const THERE: &str = "compact_se_witness_there";
/// Whether that was a guess, which has failed when it is asked for again.
const GUESSED: &str = "compact_se_witness_guessed";
/// Any number.
const ANY: &str = "__VERIFIER_nondet_longlong";

/// What a target waypoint names.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Place {
    /// The expression with an operation that fails.
    Operation(Range<usize>),
    /// The expression that allocates what is left.
    Allocation(Range<usize>),
    /// The statement with which the program ends; `None` for any end, as the last brace of `main` means.
    End(Option<usize>),
}

/// The copy of an expression.
struct Copy {
    text: String,
    /// What was inserted into it, in order.
    inserted: Vec<Range<usize>>,
    /// Whether its evaluation may pass segments.
    may_pass: bool,
}

/// The waypoints before the target, with one part of the property and one place of the target.
struct Question<'a> {
    checked: &'a Checked,
    sites: &'a Sites,
    /// How many segments there are before the target's.
    n_before: usize,
    formulas: Vec<Subproperty>,
    place: Place,
    /// For an answer.
    time: Duration,
}

/// Whether some execution matches the waypoints at `sites`, in so many segments, and violates one of the formulas
/// at the target.
pub(super) fn check(
    checked: &Checked,
    formulas: &[Subproperty],
    (sites, n_before): (&Sites, usize),
    target: &Waypoint,
) -> Result<Judgement, CheckError> {
    let line = target.location.line;
    let unknown =
        |why: String| Judgement::Unknown(format!("the target waypoint in line {line}: {why}"));
    let Some(token) = checked.token(&target.location)? else {
        return Ok(unknown("there is no code at its location".to_owned()));
    };
    let tokens = checked.tokens_at(&target.location, token);
    let (of_blocks, of_operations): (Vec<_>, Vec<_>) = formulas
        .iter()
        .partition(|formula| formula.is_about_blocks());
    let mut open = None;
    let mut asked: Vec<(Vec<Subproperty>, Place)> = Vec::new();
    for (formulas, are_blocks) in [(of_operations, false), (of_blocks, true)] {
        if formulas.is_empty() {
            continue;
        }
        match places(&checked.source, tokens.clone(), are_blocks) {
            Ok(places) => asked.extend(places.into_iter().map(|place| (formulas.clone(), place))),
            Err(why) => open = Some(unknown(why)),
        }
    }
    let parts = u32::try_from(asked.len() * 2).unwrap_or(u32::MAX).max(1);
    let time = checked.options.execution.budget.time / parts;
    let mut rejected = None;
    for (formulas, place) in asked {
        let question = Question {
            checked,
            sites,
            n_before,
            formulas,
            place,
            time,
        };
        match question.answer()? {
            Judgement::Confirmed => return Ok(Judgement::Confirmed),
            Judgement::Unknown(why) => open = open.or(Some(unknown(why))),
            judgement @ Judgement::Rejected(_) => rejected = Some(judgement),
        }
    }
    let none = || unknown("no expression is evaluated there".to_owned());
    Ok(open.or(rejected).unwrap_or_else(none))
}

/// What the place of a target may mean, for errors of operations or blocks that are left.
fn places(
    source: &SourceText,
    mut tokens: impl Iterator<Item = usize> + Clone,
    are_blocks: bool,
) -> Result<Vec<Place>, String> {
    let expressions = full_expressions(source, tokens.clone());
    if are_blocks && let Some(end) = tokens.find_map(|at| end_of_program(source, at)) {
        return Ok(vec![end]);
    }
    let expressions = expressions?;
    let mut found = Vec::new();
    for expression in expressions {
        if !are_blocks {
            found.push(Place::Operation(expression));
        } else if calls(source, &expression) {
            found.push(Place::Allocation(expression));
        }
    }
    if are_blocks && found.is_empty() {
        let what = "a leak is reported where the memory is allocated, or where main ends; there is no \
                    allocation there";
        return Err(what.to_owned());
    }
    Ok(found)
}

/// What a token means of the end of the program: by a statement, or at the last brace of `main` any.
fn end_of_program(source: &SourceText, token: usize) -> Option<Place> {
    let function = source.function_around(token)?;
    if function.name == "main" && token + 1 == function.body.end {
        return Some(Place::End(None));
    }
    let start = statement_start(source, token);
    let mut statement = (start..source.tokens.len())
        .take_while(|at| !source.is_mark(*at, b';') && !source.is_mark(*at, b'{'));
    let is_exit = is_call_of(source, start, "exit");
    let returns = function.name == "main" && source.word(start) == "return";
    let is_plain = !statement.any(|at| at > start + 1 && source.is_mark(at, b'('));
    ((is_exit || returns) && is_plain).then_some(Place::End(Some(start)))
}

/// Whether a name is there that is called.
fn is_call_of(source: &SourceText, token: usize, name: &str) -> bool {
    source.word(token) == name && source.named_call(token).is_some()
}

/// Whether something in an expression looks like a call.
fn calls(source: &SourceText, expression: &Range<usize>) -> bool {
    expression.clone().skip(1).any(|open| {
        let is_callee = match source.tokens[open - 1].kind {
            TokenKind::Word => source.word(open - 1) != "sizeof",
            TokenKind::Mark(mark) => matches!(mark, b')' | b']'),
            TokenKind::Literal => false,
        };
        source.is_mark(open, b'(') && is_callee
    })
}

impl Question<'_> {
    fn answer(&self) -> Result<Judgement, CheckError> {
        let strict = self.analysis(Mode::Strict)?;
        if strict == Judgement::Confirmed {
            return Ok(strict);
        }
        self.analysis(Mode::Lenient)
    }

    /// The segments that are passed where an execution matches.
    fn n_segments(&self) -> usize {
        self.n_before + usize::from(matches!(self.place, Place::End(Some(_))))
    }

    /// The sites, with an end of the program among them; who passes the last has found what is looked for, but for
    /// the error.
    fn sites(&self) -> Result<Sites, String> {
        let mut sites = self.sites.clone();
        if let Place::End(Some(token)) = self.place {
            let site = statement(self.checked, token)?;
            sites.entry(site).or_default().push(Passing {
                segment: self.n_before,
                is_avoided: false,
                condition: "1".to_owned(),
                is_target: true,
            });
        } else {
            let passings = sites.values_mut().flatten();
            let last = self.n_before.checked_sub(1);
            for passing in passings.filter(|passing| Some(passing.segment) == last) {
                passing.is_target = !passing.is_avoided;
            }
        }
        Ok(sites)
    }

    fn analysis(&self, mode: Mode) -> Result<Judgement, CheckError> {
        let (sites, copy) = match self.sites().and_then(|sites| {
            let copy = self.copy(&sites, mode)?;
            Ok((sites, copy))
        }) {
            Ok(both) => both,
            Err(why) => return Ok(Judgement::Unknown(why)),
        };
        let insertions = self.insertions(&sites, copy.as_ref(), mode);
        let changed = self
            .checked
            .changed(&self.prelude(copy.as_ref()), insertions)?;
        let mut options: AnalysisOptions = changed.options.clone();
        options.checks = CheckChoice::These(Subproperty::checks_for(&self.formulas));
        options.replay = true;
        // An error elsewhere, or earlier, is another violation: C defines no execution beyond.
        options.execution.property.undefined = UndefinedBehaviour::Ends;
        options.execution.budget.time = self.time;
        let loaded = match load(&options.load_options()) {
            Err(LoadError::Clang { message, .. }) => return Ok(not_taken(&message)),
            loaded => loaded?,
        };
        let sources = Sources::read(&options.load.inputs)?;
        let mut place = None;
        if let Some(copy) = &copy {
            let found = copy.place(&sources);
            let found = found.and_then(|place| Some((extent(&sources, &loaded, &place)?, place)));
            let Some((extent, found)) = found else {
                let why = "debug information has no entry for its location";
                return Ok(Judgement::Unknown(why.to_owned()));
            };
            options.execution.property.within = Some(extent);
            place = Some(found);
        }
        let shown = Shown {
            question: self,
            changed: &changed,
            loaded: &loaded,
            sources: &sources,
            constraints: match (&copy, &place) {
                (Some(copy), Some(place)) => copy.constraints(place.start),
                _ => Vec::new(),
            },
            place,
        };
        let (report, _) = analyze_loaded(&options, &loaded, &mut |_| ());
        if let Verdict::Reachable(witness) = &report.verdict
            && !self.violates(witness)
        {
            // Errors of other parts of the property end executions and hide none that matches.
            options.execution.all_errors = true;
            let (report, _) = analyze_loaded(&options, &loaded, &mut |_| ());
            return shown.judgement(&options, &report);
        }
        shown.judgement(&options, &report)
    }

    fn violates(&self, witness: &Witness) -> bool {
        let formula = witness.error.facts().subproperty;
        formula.is_some_and(|formula| self.formulas.contains(&formula))
    }

    /// The copy of the expression; `None` where the target is none.
    fn copy(&self, sites: &Sites, mode: Mode) -> Result<Option<Copy>, String> {
        let (Place::Operation(expression) | Place::Allocation(expression)) = &self.place else {
            return Ok(None);
        };
        let (checked, source) = (self.checked, &self.checked.source);
        let start = source.tokens[expression.start].start;
        let end = source.tokens[expression.end - 1].end;
        let is_defined = |name: &str| source.function(name).is_some();
        let has_own_calls = expression
            .clone()
            .any(|token| is_defined(source.word(token)));
        // What is called here passes nothing but at the calls that stand here, each once.
        let mode = if has_own_calls { mode } else { Mode::Strict };
        let mut inner = Insertions::default();
        for (site, passings) in sites {
            if let Site::Return(first, last) | Site::Enter(first, last) = *site
                && expression.contains(&first)
                && expression.contains(&last)
            {
                insert(checked, &mut inner, *site, &steps(passings, mode));
            }
        }
        let (text, inserted) = inner.apply_within(&source.text, start..end);
        let has_calls =
            calls(source, expression) || checked.check_macros(expression.clone()).is_err();
        Ok(Some(Copy {
            text: on_one_line(text)?,
            inserted,
            may_pass: has_calls && self.may_be_passed_within(sites, expression),
        }))
    }

    /// Whether the last segment before the target may be passed while the expression is evaluated, if that calls
    /// something: its waypoint stands there, or where it is called from there.
    fn may_be_passed_within(&self, sites: &Sites, expression: &Range<usize>) -> bool {
        let source = &self.checked.source;
        let function = |token: usize| source.function_around(token).map(|one| &one.body);
        let own = function(expression.start);
        let is_recursive = source.functions.iter().any(|one| {
            let is_called = |at: usize| is_call_of(source, at, &one.name) && function(at).is_some();
            Some(&one.body) == own && (0..source.tokens.len()).any(is_called)
        });
        let last = self.n_before.checked_sub(1);
        sites.iter().any(|(site, passings)| {
            let (Site::Statement(token)
            | Site::Return(token, _)
            | Site::Enter(token, _)
            | Site::Condition(token, _)) = *site;
            let is_last = |passing: &Passing| Some(passing.segment) == last && !passing.is_avoided;
            // The condition that is the expression is known behind it only.
            let is_behind = *site == Site::Condition(expression.start, expression.end);
            let is_part = expression.contains(&token) && !is_behind;
            let is_within = is_part || function(token) != own || is_recursive;
            is_within && passings.iter().any(is_last)
        })
    }

    fn prelude(&self, copy: Option<&Copy>) -> String {
        let n = self.n_segments();
        let mut prelude = format!(
            "static unsigned {PASSED}; void {FOUND}(void) {{ }} extern void compact_se_assume(int);"
        );
        let there = match (&self.place, copy) {
            (Place::Operation(_), Some(copy)) if copy.may_pass && n > 0 => {
                prelude += &format!(" static int {GUESSED}; extern long long {ANY}(void);");
                format!(
                    "if ({GUESSED}) compact_se_assume(0); if ({PASSED} == {n}) return 1; \
                     if (!{ANY}()) return 0; {GUESSED} = 1; return 1;"
                )
            }
            (Place::Operation(_), _) => format!("return {PASSED} == {n};"),
            (Place::Allocation(_) | Place::End(_), _) => "return 1;".to_owned(),
        };
        if copy.is_some() {
            prelude += &format!(" static int {THERE}(void) {{ {there} }}");
        }
        prelude
    }

    /// What is inserted, the outer before the inner.
    fn insertions(&self, sites: &Sites, copy: Option<&Copy>, mode: Mode) -> Insertions {
        let source = &self.checked.source;
        let start = |token: usize| source.tokens[token].start;
        let mut insertions = Insertions::default();
        let put = |insertions: &mut Insertions, are_wanted: &dyn Fn(&Site) -> bool| {
            for (site, passings) in sites.iter().filter(|(site, _)| are_wanted(site)) {
                insert(self.checked, insertions, *site, &steps(passings, mode));
            }
        };
        put(&mut insertions, &|site| matches!(site, Site::Statement(_)));
        let is_left = !matches!(self.place, Place::Operation(_));
        let ends = if is_left { ends(source) } else { Vec::new() };
        let unless = format!(
            "if ({PASSED} != {}) compact_se_assume(0);",
            self.n_segments()
        );
        for end in &ends {
            let (at, text) = end.before(source, &unless);
            insertions.add(at, text);
        }
        if let (Some(copy), Place::Operation(expression) | Place::Allocation(expression)) =
            (copy, &self.place)
        {
            // A condition that is the expression is known behind the copy too.
            let whole = Site::Condition(expression.start, expression.end);
            let around = sites.get(&whole);
            let around = around.map(|passings| around_condition(&steps(passings, mode)));
            let (before, behind) = around.unwrap_or_default();
            let text = format!("{before}{}{}) : (", before_copy(), copy.text);
            insertions.add(start(expression.start), text);
            put(&mut insertions, &|site| {
                !matches!(site, Site::Statement(_)) && *site != whole
            });
            insertions.add(start(expression.end), format!(")){behind}"));
        } else {
            put(&mut insertions, &|site| !matches!(site, Site::Statement(_)));
        }
        for end in &ends {
            if let Some((at, text)) = end.behind(source, &unless) {
                insertions.add(at, text);
            }
        }
        insertions
    }
}

fn before_copy() -> String {
    format!("({THERE}() ? (")
}

impl Copy {
    /// Where it stands in the changed program.
    fn place(&self, sources: &Sources) -> Option<Range<usize>> {
        let text = &sources.only()?.text;
        let before = before_copy();
        let start = text.find(&before)? + before.len();
        Some(start..start + self.text.len())
    }

    /// Where constraints stand in the changed program, if it begins at this byte.
    fn constraints(&self, start: usize) -> Vec<Range<usize>> {
        let inserted = self.inserted.iter();
        inserted
            .map(|range| range.start + start..range.end + start)
            .collect()
    }
}

/// What debug information calls a part of the changed program.
fn extent(sources: &Sources, loaded: &Loaded, part: &Range<usize>) -> Option<Extent> {
    Some(Extent {
        first: sources.span(&loaded.program, part.start)?,
        last: sources.span(&loaded.program, part.end - 1)?,
    })
}

/// A text with nothing but spaces between its tokens.
fn on_one_line(text: String) -> Result<String, String> {
    let source = SourceText::new(text);
    let mut line = vec![b' '; source.text.len()];
    let mut from = 0;
    for token in &source.tokens {
        let (start, end) = (token.start, token.end);
        if source.text[from..start].contains('#') {
            return Err("a preprocessor line stands in the expression there".to_owned());
        }
        line[start..end].copy_from_slice(&source.text.as_bytes()[start..end]);
        from = end;
    }
    String::from_utf8(line).map_err(|error| error.to_string())
}

/// Where a program ends by its text.
enum End {
    /// A `return` from `main`: its value, which may be empty.
    Return { keyword: usize, value: Range<usize> },
    /// The last brace of `main`.
    Brace(usize),
    /// A call of `exit`, to its last parenthesis.
    Exit(usize, usize),
}

/// The ends of a program of which is certain that it ends there.
fn ends(source: &SourceText) -> Vec<End> {
    let all = 0..source.tokens.len();
    let within = |token: usize| source.function_around(token).is_some();
    let mut found = Vec::new();
    for token in all.clone() {
        if is_call_of(source, token, "exit")
            && within(token)
            && let Some(close) = source.partner(token + 1)
            && !(token + 2..close).any(|at| source.is_mark(at, b'('))
        {
            found.push(End::Exit(token, close));
        }
    }
    let is_called = all
        .clone()
        .any(|at| is_call_of(source, at, "main") && within(at));
    let Some(main) = source.function("main").filter(|_| !is_called) else {
        return found;
    };
    for keyword in main.body.clone() {
        if source.word(keyword) == "return" {
            let value = source.statement_end(keyword).map(|end| keyword + 1..end);
            found.extend(value.map(|value| End::Return { keyword, value }));
        }
    }
    found.push(End::Brace(main.body.end - 1));
    found
}

impl End {
    /// What is inserted so that a statement is executed before the program ends here, and where.
    fn before(&self, source: &SourceText, statement: &str) -> (usize, String) {
        let start = |token: usize| source.tokens[token].start;
        match self {
            End::Return { keyword, value } if value.is_empty() => {
                let text = format!("if (__extension__({{ {statement} 0; }})) ; else ");
                (start(*keyword), text)
            }
            End::Return { value, .. } => {
                let written = &source.text[start(value.start)..start(value.end)];
                let text = format!("(__extension__({{ __typeof__({written}) {RESULT} = (");
                (start(value.start), text)
            }
            End::Brace(brace) => (start(*brace), format!("{{ {statement} }} ")),
            End::Exit(first, _) => (
                start(*first),
                format!("(__extension__({{ {statement} 0; }}), "),
            ),
        }
    }

    /// What has to stand behind.
    fn behind(&self, source: &SourceText, statement: &str) -> Option<(usize, String)> {
        match self {
            End::Return { value, .. } if !value.is_empty() => {
                let text = format!("); {statement} {RESULT}; }}))");
                Some((source.tokens[value.end].start, text))
            }
            End::Exit(_, last) => Some((source.tokens[*last].end, ")".to_owned())),
            End::Return { .. } | End::Brace(_) => None,
        }
    }
}

/// The changed program, for what the analysis of it shows.
struct Shown<'a> {
    question: &'a Question<'a>,
    changed: &'a Changed,
    loaded: &'a Loaded,
    sources: &'a Sources,
    /// Of the copy, by bytes.
    place: Option<Range<usize>>,
    /// Of constraints in the copy.
    constraints: Vec<Range<usize>>,
}

impl Shown<'_> {
    fn judgement(
        &self,
        options: &AnalysisOptions,
        report: &Report,
    ) -> Result<Judgement, CheckError> {
        let worst = match &report.verdict {
            Verdict::Reachable(worst) => Some(&**worst),
            Verdict::Unreachable | Verdict::Unknown => None,
        };
        let errors = worst.into_iter().chain(&report.further_errors);
        let mut errors = errors
            .filter(|error| self.question.violates(error))
            .peekable();
        if errors.peek().is_none() {
            return Ok(self.without_error(report));
        }
        let mut why = "a constraint of the witness fails there, not the program";
        for error in errors.filter(|error| !self.is_in_constraint(error)) {
            if self.question.n_segments() == 0 || self.passes_before(options, error)? {
                return Ok(Judgement::Confirmed);
            }
            why = "in the native run the error comes before the waypoints are passed";
        }
        Ok(Judgement::Unknown(why.to_owned()))
    }

    fn without_error(&self, report: &Report) -> Judgement {
        let is_over = match report.verdict {
            Verdict::Unreachable => true,
            // Errors of other parts of the property. Whether scopes are known is not told then.
            Verdict::Reachable(_) => {
                report.reasons.is_empty()
                    && !self.question.formulas.contains(&Subproperty::ValidDeref)
            }
            Verdict::Unknown => false,
        };
        let ends = self
            .changed
            .ends(self.sources, &self.loaded.program, report);
        let names: Vec<&str> = (self.question.formulas.iter())
            .map(|formula| formula.name())
            .collect();
        let names = names.join(" or ");
        if !is_over {
            let reason = report.reasons.iter().next();
            let why = reason.map_or_else(String::new, |(reason, _)| format!(": {reason}"));
            Judgement::Unknown(format!(
                "no matching execution that violates {names} was found, and none was ruled out{why}"
            ))
        } else if ends.iter().any(|end| self.is_end_in_constraint(end)) {
            in_constraints()
        } else {
            Judgement::Rejected(format!(
                "no execution passes the waypoints and violates {names} at the target"
            ))
        }
    }

    fn is_end_in_constraint(&self, end: &EndedAt) -> bool {
        match end {
            EndedAt::Program => false,
            EndedAt::Unknown => true,
            EndedAt::Inserted { token, .. } => {
                let source = self.sources.only();
                let start = source.map_or(0, |source| source.tokens[*token].start);
                let is_in = |range: &Range<usize>| range.contains(&start);
                !self.place.as_ref().is_some_and(is_in) || self.constraints.iter().any(is_in)
            }
        }
    }

    /// Whether it is an error of a constraint; one that is nobody knows where may be.
    fn is_in_constraint(&self, error: &Witness) -> bool {
        if matches!(error.error, ErrorKind::Leak(_)) {
            // No constraint allocates.
            return false;
        }
        let program = &self.loaded.program;
        let end = self.changed.end_at(self.sources, program, error.target);
        self.is_end_in_constraint(&end)
    }

    /// Whether the native program passes the segments before the error.
    fn passes_before(
        &self,
        options: &AnalysisOptions,
        error: &Witness,
    ) -> Result<bool, CheckError> {
        let mut options = options.clone();
        options.load.target = TargetSpec::Function(FOUND.to_owned());
        let loaded = load(&options.load_options())?;
        Ok(is_reached_before(&loaded, error))
    }
}
