//! Correctness witnesses: loop invariants in C that prove a verdict *unreachable*.
//!
//! ```text
//! templates, source --candidates--> Houdini: drop what fails --> does the rest prove it? --> YAML
//! ```
//!
//! Path counters do not exist in C. Where a template says that x moves by c and y by d in each
//! round, they are eliminated: d·(x − x₀) = c·(y − y₀), and (x − x₀) mod c = 0 where c divides
//! the range of the type. All in unsigned arithmetic, which is what the machine does. That the
//! condition held before the last round, if there was one, is a disjunction: x = x₀ ∨ b(x − c), where
//! b is the loop's condition. To these come comparisons of variables with each other and with
//! constants of the program. A candidate stays
//! only if it holds at first and after each round, under the others that stay (the same check as
//! for a witness of another tool); the first set that proves the property is written.
//!
//! # Deliberately absent
//! No other disjunctions, nothing about arrays and pointers.
//!
//! # Source
//! Flanagan, Leino, *Houdini, an Annotation Assistant for ESC/Java*, FME 2001.

use super::WitnessError;
use super::check::invariants::{Outcome, Proof};
use super::check::{CheckError, Checked};
use super::instrument::expression;
use super::scope::{LoopText, Variable, condition, is_assigned, literals, loops, variables};
use super::task::{Task, shown};
use super::yaml::{Entry, Invariant, Item, Place};
use crate::analysis::{Analysis, AnalysisOptions};
use crate::template::{Rule, Template};
use crate::term::{Term, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// No loop gets more candidates than this.
const MOST_CANDIDATES: usize = 80;
/// No set of candidates is weakened more often than this.
const MOST_ROUNDS: usize = 60;

/// The entry, or why there is none.
pub(super) fn entry(
    task: &Task,
    options: &AnalysisOptions,
    analysis: &Analysis,
) -> Result<Result<Entry, String>, CheckError> {
    let checked = match Checked::of_program(options) {
        Err(CheckError::SeveralFiles) => {
            return Ok(Err("the program has several files".to_owned()));
        }
        checked => checked?,
    };
    let [file] = task.files.as_slice() else {
        return Ok(Err("the program has several files".to_owned()));
    };
    let proved = invariants(&checked, analysis, options.execution.budget.time)?;
    Ok(match proved {
        Err(why) => Err(why),
        Ok(candidates) => {
            let content = candidates.into_iter().map(|candidate| Item {
                segment: None,
                invariant: Some(candidate.invariant(&checked, &shown(file))),
            });
            Ok(Entry {
                entry_type: "invariant_set".to_owned(),
                metadata: task.metadata()?,
                content: content.collect(),
            })
        }
    })
}

/// A conjunct of the invariant of a loop.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Candidate {
    /// The token of the loop's keyword.
    keyword: usize,
    value: String,
}

impl Candidate {
    fn invariant(&self, checked: &Checked, file: &str) -> Invariant {
        let source = &checked.source;
        let position = source.position(source.tokens[self.keyword].start);
        Invariant {
            kind: "loop_invariant".to_owned(),
            location: Place {
                file_name: file.to_owned(),
                line: position.line,
                column: Some(position.column),
                function: source
                    .function_around(self.keyword)
                    .map(|function| function.name.clone()),
            },
            value: self.value.clone(),
            format: "c_expression".to_owned(),
        }
    }
}

/// Invariants that prove the property together; or which loops lack some.
fn invariants(
    checked: &Checked,
    analysis: &Analysis,
    time: Duration,
) -> Result<Result<Vec<Candidate>, String>, CheckError> {
    let deadline = Instant::now() + time;
    let all = loops(&checked.source);
    if all.is_empty() {
        return Ok(Ok(Vec::new()));
    }
    let steps = steps(analysis);
    let mut lacking = String::new();
    for set in [Set::Trivial, Set::Steps, Set::Comparisons] {
        let mut candidates = BTreeSet::new();
        for text in &all {
            // A loop without any invariant would not be cut.
            candidates.insert(Candidate {
                keyword: text.keyword,
                value: "1".to_owned(),
            });
            let values = set.candidates(checked, text, &steps);
            candidates.extend(values.into_iter().map(|value| Candidate {
                keyword: text.keyword,
                value,
            }));
        }
        match weaken(checked, candidates.into_iter().collect(), deadline)? {
            Ok(proved) => return Ok(Ok(proved)),
            Err(why) => lacking = why,
        }
        if Instant::now() > deadline {
            break;
        }
    }
    // Loops that were executed round by round, to their end or to a state that was there before,
    // need no invariant; whoever checks that executes them too.
    let statistics = &analysis.report.statistics;
    if statistics.n_applications == 0 && statistics.n_cuts == 0 {
        return Ok(match Proof::new(checked, &[])? {
            Ok(proof) if proof.run(time)?.is_proved() => Ok(Vec::new()),
            Ok(_) | Err(_) => Err(lacking),
        });
    }
    Ok(Err(lacking))
}

/// Drops what fails until nothing does; or says why the rest proves nothing.
fn weaken(
    checked: &Checked,
    mut candidates: Vec<Candidate>,
    deadline: Instant,
) -> Result<Result<Vec<Candidate>, String>, CheckError> {
    for _ in 0..MOST_ROUNDS {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(Err("time is up".to_owned()));
        }
        let file = "";
        let claims: Vec<Invariant> = candidates
            .iter()
            .map(|candidate| candidate.invariant(checked, file))
            .collect();
        let proof = match Proof::new(checked, &claims)? {
            Ok(proof) => proof,
            Err(why) => return Ok(Err(why)),
        };
        let outcome: Outcome = proof.run(left)?;
        if outcome.is_proved() {
            let needed = candidates.iter().filter(|candidate| candidate.value != "1");
            return Ok(Ok(needed.cloned().collect()));
        }
        if outcome.failed.is_empty() {
            return Ok(Err(if outcome.reaches_target {
                lacking(checked, &candidates)
            } else {
                let reasons = outcome.reasons();
                reasons.first().cloned().unwrap_or_default()
            }));
        }
        let mut number = 0;
        candidates.retain(|candidate| {
            let failed = outcome.failed.contains(&number) && candidate.value != "1";
            number += 1;
            !failed
        });
    }
    Ok(Err("the candidates were weakened too often".to_owned()))
}

fn lacking(checked: &Checked, candidates: &[Candidate]) -> String {
    let mut by_loop: BTreeMap<usize, usize> = BTreeMap::new();
    for candidate in candidates {
        *by_loop.entry(candidate.keyword).or_default() += usize::from(candidate.value != "1");
    }
    let lines: Vec<String> = by_loop
        .iter()
        .filter(|(_, count)| **count == 0)
        .chain(by_loop.iter().filter(|(_, count)| **count > 0))
        .map(|(keyword, _)| {
            let position = checked
                .source
                .position(checked.source.tokens[*keyword].start);
            position.line.to_string()
        })
        .collect();
    format!(
        "no sufficient invariant was found for the loops in lines {}",
        lines.join(", ")
    )
}

/// Which candidates are tried.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Set {
    /// None: the rounds have nothing to do with the property.
    Trivial,
    /// What follows from the steps of templates.
    Steps,
    /// Comparisons too.
    Comparisons,
}

/// The steps of variables in the rounds of one template, by name.
type Steps = Vec<(String, i64)>;

impl Set {
    fn candidates(self, checked: &Checked, text: &LoopText, steps: &[Steps]) -> Vec<String> {
        let known = variables(&checked.source, text);
        let mut found = Vec::new();
        if self != Set::Trivial {
            for steps in steps {
                let moved: Vec<(&Variable, i64)> = steps
                    .iter()
                    .filter_map(|(name, step)| {
                        let variable = known.iter().find(|variable| variable.name == *name)?;
                        Some((variable, *step))
                    })
                    .collect();
                found.extend(moved.iter().flat_map(|moved| congruences(*moved)));
                found.extend(before_last_round(checked, text, &moved));
                for (position, x) in moved.iter().enumerate() {
                    for y in &moved[position + 1..] {
                        found.extend(relations(*x, *y));
                    }
                }
            }
        }
        if self == Set::Comparisons {
            let constants = literals(&checked.source, text);
            let moves = |variable: &Variable| is_assigned(&checked.source, text, &variable.name);
            for x in &known {
                // What the loop does not change keeps its value anyway.
                for y in known.iter().filter(|y| moves(x) || moves(y)) {
                    if x.name != y.name && x.unsigned == y.unsigned {
                        found.push(format!("{} <= {}", x.name, y.name));
                    }
                }
                for constant in constants.iter().filter(|_| moves(x)) {
                    if *constant < 0 && x.unsigned {
                        continue;
                    }
                    found.push(format!("{} >= {constant}", x.name));
                    found.push(format!("{} <= {constant}", x.name));
                }
            }
        }
        let mut seen = BTreeSet::new();
        found.retain(|value| seen.insert(value.clone()));
        found.truncate(MOST_CANDIDATES);
        found
    }
}

/// x = x₀ ∨ b(x − c): the condition b of the loop held before the last round, if there was one.
fn before_last_round(
    checked: &Checked,
    text: &LoopText,
    moved: &[(&Variable, i64)],
) -> Vec<String> {
    let source = &checked.source;
    let mut before = String::new();
    let mut asked = BTreeSet::new();
    for token in condition(source, text) {
        let word = source.word(token);
        match moved.iter().find(|(variable, _)| variable.name == word) {
            Some((variable, step)) => {
                asked.insert(variable.name.as_str());
                before.push_str(&format!("({word} - ({step}))"));
            }
            None => before.push_str(word),
        }
        // Marks that touch are one operator.
        let touches = source
            .tokens
            .get(token + 1)
            .is_some_and(|next| source.tokens[token].end == next.start);
        if !touches {
            before.push(' ');
        }
    }
    let mut found = Vec::new();
    for (variable, _) in moved
        .iter()
        .filter(|(x, _)| asked.contains(x.name.as_str()))
    {
        for start in &variable.starts {
            found.push(format!(
                "{} == {start} || ({})",
                variable.name,
                before.trim()
            ));
        }
    }
    // A condition with effects is no invariant.
    found.retain(|value| expression(value, None).is_ok());
    found
}

/// (x − x₀) mod c = 0, for each constant that x is set to.
fn congruences((x, step): (&Variable, i64)) -> Vec<String> {
    let step = step.unsigned_abs();
    let mut found = Vec::new();
    for start in &x.starts {
        // Wrapping around keeps the remainder modulo a power of two only.
        let power = 1u64 << step.trailing_zeros();
        for modulus in BTreeSet::from([step, power]) {
            if modulus > 1 {
                found.push(format!("{} % {modulus}U == 0", difference(x, *start)));
            }
        }
    }
    found
}

/// d·(x − x₀) = c·(y − y₀), where both variables have the same width.
fn relations((x, c): (&Variable, i64), (y, d): (&Variable, i64)) -> Vec<String> {
    let mut found = Vec::new();
    if x.ty != y.ty || c == 0 || d == 0 {
        return found;
    }
    let divisor = gcd(c.unsigned_abs(), d.unsigned_abs());
    let divisor = i64::try_from(divisor).unwrap_or(1);
    let (c, d) = (c / divisor, d / divisor);
    for x0 in &x.starts {
        for y0 in &y.starts {
            let side = |factor: i64, variable: &Variable, start: i64| match factor {
                1 => difference(variable, start),
                _ => format!(
                    "{} * ({})({factor})",
                    difference(variable, start),
                    variable.ty
                ),
            };
            found.push(format!("{} == {}", side(d, x, *x0), side(c, y, *y0)));
        }
    }
    found
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

/// x − start in unsigned arithmetic.
fn difference(x: &Variable, start: i64) -> String {
    match start {
        0 => format!("(({}){})", x.ty, x.name),
        _ => format!("(({}){} - ({})({start}))", x.ty, x.name, x.ty),
    }
}

/// The constant steps of all templates that were computed.
fn steps(analysis: &Analysis) -> Vec<Steps> {
    let report = &analysis.report;
    let records = report.table.computed().flat_map(|(_, records)| records);
    let templates = records.flat_map(|record| &record.templates);
    let mut all: Vec<Steps> = templates
        .map(|template| steps_of(&report.pool, template))
        .collect();
    all.sort();
    all.dedup();
    all
}

fn steps_of(pool: &TermPool, template: &Template) -> Steps {
    let step = |progression: &crate::template::Progression| {
        if progression.rule != Rule::Arithmetic {
            return None;
        }
        let start = pool.symbol_term(progression.symbol);
        let parts = pool.linear_terms(progression.value)?;
        let mut moved = parts.iter().filter(|(_, part)| *part != start);
        let (coefficient, part) = moved.next()?;
        if moved.next().is_some() || !is_kappa(pool, *part, template) {
            return None;
        }
        let unused = 64 - pool.width(start).min(64);
        let step = (coefficient << unused).cast_signed() >> unused;
        let name = pool.symbol_name(progression.symbol);
        let name = name.split(['.', '#', '+']).next().unwrap_or_default();
        Some((name.to_owned(), step))
    };
    let mut steps: Steps = template.progressions.iter().filter_map(step).collect();
    steps.sort();
    steps.dedup();
    steps
}

/// Whether a term is κ, in whatever width.
fn is_kappa(pool: &TermPool, term: TermId, template: &Template) -> bool {
    match pool.view(term) {
        Term::Cast(_, inner) => pool.as_symbol(inner) == Some(template.kappa),
        _ => pool.as_symbol(term) == Some(template.kappa),
    }
}

impl From<CheckError> for WitnessError {
    fn from(error: CheckError) -> WitnessError {
        match error {
            CheckError::Witness(error) => error,
            other => WitnessError::Malformed(other.to_string()),
        }
    }
}
