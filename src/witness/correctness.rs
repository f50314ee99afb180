//! Correctness witnesses: loop invariants in C that prove a verdict *unreachable*.
//!
//! ```text
//! templates, source --candidates--> Houdini: drop what fails --> does the rest prove it? --> YAML
//! ```
//!
//! A candidate (`candidates.rs`) stays only if it holds at first and after each iteration, under
//! the others that stay (the same check as for a witness of another tool); the first set that
//! proves the property is written. Where no set does, but the program has so few executions that
//! following each iteration by iteration proves it, the witness has no invariants.
//!
//! # Source
//! Flanagan, Leino, *Houdini, an Annotation Assistant for ESC/Java*, FME 2001.

use super::WitnessError;
use super::candidates::{Moves, Set, growths, steps};
use super::check::invariants::{Outcome, Proof};
use super::check::{CheckError, Checked};
use super::scope::{LoopText, loops, variables};
use super::task::{Task, shown};
use super::yaml::{Entry, Invariant, Item, Place};
use crate::analysis::{Analysis, AnalysisOptions, Technique};
use crate::term::Work;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// For executing loops iteration by iteration, at most.
const MOST_FOR_ITERATIONS: Work = Work::seconds(3);
/// No set of candidates is weakened more often than this.
const MOST_ITERATIONS: usize = 60;

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
        checked => checked?.with(Technique::Compact),
    };
    let [file] = task.files.as_slice() else {
        return Ok(Err("the program has several files".to_owned()));
    };
    let proved = invariants(&checked, analysis, options)?;
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
    options: &AnalysisOptions,
) -> Result<Result<Vec<Candidate>, String>, CheckError> {
    let time = options.execution.budget.time;
    let deadline = Instant::now() + time;
    let all = loops(&checked.source);
    if all.is_empty() {
        return Ok(Ok(Vec::new()));
    }
    if let Some(proved) = found_by_the_proof(checked, analysis, &all, deadline)? {
        return Ok(Ok(proved));
    }
    let mut moves = Moves {
        steps: steps(analysis, options),
        growths: Vec::new(),
    };
    let (source, target) = (&checked.source, checked.target());
    let mut lacking = String::new();
    for set in Set::ALL {
        if set == Set::Ways {
            moves.growths = growths(analysis, options);
            if moves.growths.is_empty() {
                continue;
            }
        }
        if set == Set::Comparisons && is_proved_iteration_by_iteration(checked, time)? {
            return Ok(Ok(Vec::new()));
        }
        let mut candidates = BTreeSet::new();
        for text in &all {
            // A loop without any invariant would not be cut.
            candidates.insert(Candidate {
                keyword: text.keyword,
                value: "1".to_owned(),
            });
            let values = set.candidates(source, target, text, &moves);
            candidates.extend(values.into_iter().map(|value| Candidate {
                keyword: text.keyword,
                value,
            }));
        }
        match weaken(checked, candidates.into_iter().collect(), deadline)? {
            Ok(proved) => return Ok(Ok(proved)),
            // That time was up says less than what an earlier set lacked.
            Err(why) if lacking.is_empty() || Instant::now() < deadline => lacking = why,
            Err(_) => {}
        }
        if Instant::now() > deadline {
            break;
        }
    }
    Ok(Err(lacking))
}

/// The invariants that the analysis itself has found, where they prove the property as expressions of
/// C.
fn found_by_the_proof(
    checked: &Checked,
    analysis: &Analysis,
    all: &[LoopText],
    deadline: Instant,
) -> Result<Option<Vec<Candidate>>, CheckError> {
    let source = &checked.source;
    if analysis.report.invariants.is_empty() {
        return Ok(None);
    }
    let line = |text: &LoopText| source.position(source.tokens[text.keyword].start).line;
    let mut candidates: BTreeSet<Candidate> = all
        .iter()
        .map(|text| Candidate {
            keyword: text.keyword,
            value: "1".to_owned(),
        })
        .collect();
    for invariant in &analysis.report.invariants {
        // A loop begins in the line of its keyword or behind it.
        let at = all.iter().filter(|text| line(text) <= invariant.place.line);
        let Some(text) = at.max_by_key(|text| text.keyword) else {
            continue;
        };
        let known = variables(source, text);
        let is_known = |word: &str| known.iter().any(|variable| variable.name == word);
        let conjuncts = invariant.conjuncts.iter();
        let conjuncts = conjuncts.filter(|value| names(value).all(is_known));
        candidates.extend(conjuncts.map(|value| Candidate {
            keyword: text.keyword,
            value: value.clone(),
        }));
    }
    Ok(weaken(checked, candidates.into_iter().collect(), deadline)?.ok())
}

/// The names in an expression, without those of types.
fn names(value: &str) -> impl Iterator<Item = &str> {
    let words = value.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| {
        let first = word.chars().next();
        let is_type = matches!(*word, "long" | "__int128");
        !is_type && first.is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
    })
}

/// Whether classic execution, with little work, follows all executions to their end or to a state
/// that was there before: then no loop needs an invariant, and whoever checks that executes them
/// too.
fn is_proved_iteration_by_iteration(checked: &Checked, time: Duration) -> Result<bool, CheckError> {
    let checked = checked.with(Technique::Classic);
    Ok(match Proof::new(&checked, &[])? {
        Ok(proof) => proof.run(time / 2, Some(MOST_FOR_ITERATIONS))?.is_proved(),
        Err(_) => false,
    })
}

/// Drops what fails until nothing does; or says why the rest proves nothing.
fn weaken(
    checked: &Checked,
    mut candidates: Vec<Candidate>,
    deadline: Instant,
) -> Result<Result<Vec<Candidate>, String>, CheckError> {
    for _ in 0..MOST_ITERATIONS {
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
        let outcome: Outcome = proof.run(left, None)?;
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

impl From<CheckError> for WitnessError {
    fn from(error: CheckError) -> WitnessError {
        match error {
            CheckError::Witness(error) => error,
            other => WitnessError::Malformed(other.to_string()),
        }
    }
}
