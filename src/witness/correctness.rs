//! Correctness witnesses: loop invariants in C that prove a verdict *unreachable*.
//!
//! ```text
//! templates, source --candidates--> Houdini: drop what fails --> does the rest prove it? --> YAML
//! ```
//!
//! A candidate (`candidates.rs`) stays only if it holds at first and after each iteration, under
//! the others that stay (the same check as for a witness of another tool); the first set that
//! proves the property is written. Where no set does, the witness has no invariants: whoever checks it has
//! to find some, or to follow the executions if they are few.
//!
//! For programs in which functions are called, contracts of these come first, from the Horn clauses that prove the
//! program.
//!
//! # Source
//! Flanagan, Leino, *Houdini, an Annotation Assistant for ESC/Java*, FME 2001.

use super::WitnessError;
use super::candidates::{Moves, Set, growths, steps};
use super::check::invariants::{Outcome, Proof};
use super::check::{CheckError, Checked};
use super::places::place;
use super::scope::{LoopText, loops, variables};
use super::task::{Task, shown};
use super::yaml::{Contract, Entry, Invariant, Item, Place};
use analysis::{
    Analysis, AnalysisOptions, Technique, can_be_proved_by_invariants, prove_by_clauses,
};
use flowgraph::{Action, Function};
use invariants::{Houdini, LoopInvariant, Step};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use term::Work;

/// For executing loops iteration by iteration, at most.
const MOST_FOR_ITERATIONS: Work = Work::seconds(3);
/// For contracts of functions by Horn clauses, and for their check.
const MOST_FOR_CLAUSES: Work = Work::seconds(10);
/// For dropping candidates until the rest proves the program, in all.
const MOST_FOR_INVARIANTS: Work = Work::seconds(30);
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
    if let Some(proved) = contracts(&checked, analysis, options)? {
        let file = shown(file);
        let mut metadata = task.metadata()?;
        metadata.format_version = "2.1".to_owned();
        let invariants = proved.invariants.into_iter().map(|candidate| Item {
            invariant: Some(candidate.invariant(&checked, &file)),
            ..Item::default()
        });
        let contracts = proved.contracts.into_iter().map(|mut contract| {
            contract.location.file_name.clone_from(&file);
            Item {
                contract: Some(contract),
                ..Item::default()
            }
        });
        return Ok(Ok(Entry {
            entry_type: "invariant_set".to_owned(),
            metadata,
            content: invariants.chain(contracts).collect(),
        }));
    }
    let proved = invariants(&checked, analysis, options)?;
    let content = proved.into_iter().map(|candidate| Item {
        invariant: Some(candidate.invariant(&checked, &shown(file))),
        ..Item::default()
    });
    Ok(Ok(Entry {
        entry_type: "invariant_set".to_owned(),
        metadata: task.metadata()?,
        content: content.collect(),
    }))
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
        Invariant {
            kind: "loop_invariant".to_owned(),
            location: place(&checked.source, self.keyword, file.to_owned()),
            value: self.value.clone(),
            format: "c_expression".to_owned(),
        }
    }
}

/// Invariants and contracts that prove the property together.
struct WithContracts {
    invariants: Vec<Candidate>,
    contracts: Vec<Contract>,
}

/// The contracts of a program with functions that are called, by the clauses that prove it; `None` where there are
/// none, or they do not prove it as expressions of C.
fn contracts(
    checked: &Checked,
    analysis: &Analysis,
    options: &AnalysisOptions,
) -> Result<Option<WithContracts>, CheckError> {
    let program = &analysis.loaded.program;
    let calls = |function: &Function| {
        let mut edges = function.edge_ids().map(|edge| function.edge(edge));
        edges.any(|edge| {
            let mut steps = edge.steps.iter();
            steps.any(|step| matches!(step.action, Action::Call { .. }))
        })
    };
    if !program.functions.iter().any(|function| calls(function)) {
        return Ok(None);
    }
    let mut by_clauses = options.clone();
    by_clauses.execution.budget.work = Some(MOST_FOR_CLAUSES);
    by_clauses.execution.budget.time /= 4;
    by_clauses.execution.property.checks = analysis.checks;
    let found = if analysis.report.contracts.is_empty() {
        prove_by_clauses(&by_clauses, program)
    } else {
        None
    };
    let report = found.as_ref().unwrap_or(&analysis.report);
    let source = &checked.source;
    let mut contracts = Vec::new();
    for found in &report.contracts {
        let Some(function) = source.function(&found.function) else {
            return Ok(None);
        };
        let all = |conjuncts: &[String]| match conjuncts {
            [] => "1".to_owned(),
            some => some.join(" && "),
        };
        contracts.push(Contract {
            kind: "function_contract".to_owned(),
            location: Place {
                file_name: String::new(),
                // The parenthesis before the body ends its head.
                line: source.line(function.body.start - 1),
                column: None,
                function: Some(found.function.clone()),
            },
            requires: all(&found.requires),
            ensures: all(&found.ensures),
            format: "ext_c_expression".to_owned(),
        });
    }
    if contracts.is_empty() {
        return Ok(None);
    }
    let invariants: Vec<Candidate> =
        (candidates_of_proof(checked, &report.invariants, &loops(source)).into_iter())
            .filter(|candidate| candidate.value != "1")
            .collect();
    let claims: Vec<Invariant> = invariants
        .iter()
        .map(|candidate| candidate.invariant(checked, ""))
        .collect();
    let Ok(proof) = Proof::with_contracts(checked, &claims, &contracts)? else {
        return Ok(None);
    };
    let time = options.execution.budget.time / 4;
    let is_proved = proof.run(time, Some(MOST_FOR_CLAUSES))?.is_proved();
    Ok(is_proved.then_some(WithContracts {
        invariants,
        contracts,
    }))
}

/// What is left for invariants.
struct Left {
    work: Work,
    /// A limit of time holds too.
    deadline: Instant,
}

impl Left {
    fn time(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    fn is_none(&self) -> bool {
        self.work == Work::ZERO || self.time().is_zero()
    }
}

/// Invariants that prove the property together; none where none are needed or no set does.
fn invariants(
    checked: &Checked,
    analysis: &Analysis,
    options: &AnalysisOptions,
) -> Result<Vec<Candidate>, CheckError> {
    // A witness without invariants is better than none since time was up.
    let time = options.execution.budget.time / 2;
    let mut left = Left {
        work: MOST_FOR_INVARIANTS,
        deadline: Instant::now() + time,
    };
    let all = loops(&checked.source);
    if all.is_empty() || !can_be_proved_by_invariants(analysis.checks, &analysis.loaded.program) {
        return Ok(Vec::new());
    }
    if let Some(proved) = found_by_the_proof(checked, analysis, &all, &mut left)? {
        return Ok(proved);
    }
    let mut moves = Moves {
        steps: steps(analysis, options),
        growths: Vec::new(),
    };
    let (source, target) = (&checked.source, checked.target());
    for set in Set::ALL {
        if set == Set::Ways {
            moves.growths = growths(analysis, options);
            if moves.growths.is_empty() {
                continue;
            }
        }
        if set == Set::Comparisons && is_proved_iteration_by_iteration(checked, time)? {
            return Ok(Vec::new());
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
        let candidates = candidates.into_iter().collect();
        if let Some(proved) = weaken(checked, candidates, &mut left)? {
            return Ok(proved);
        }
        if left.is_none() {
            break;
        }
    }
    Ok(Vec::new())
}

/// The invariants that the analysis itself has found, where they prove the property as expressions of
/// C.
fn found_by_the_proof(
    checked: &Checked,
    analysis: &Analysis,
    all: &[LoopText],
    left: &mut Left,
) -> Result<Option<Vec<Candidate>>, CheckError> {
    if analysis.report.invariants.is_empty() {
        return Ok(None);
    }
    let candidates = candidates_of_proof(checked, &analysis.report.invariants, all);
    let candidates: Vec<Candidate> = candidates.into_iter().collect();
    // Remainders are what bit-vectors take longest for, and often follow from equations.
    let is_plain = |candidate: &&Candidate| !candidate.value.contains('%');
    let plain: Vec<Candidate> = candidates.iter().filter(is_plain).cloned().collect();
    if plain.len() < candidates.len() {
        let mut half = Left {
            work: left.work / 2,
            deadline: Instant::now() + left.time() / 2,
        };
        left.work = left.work.saturating_sub(half.work);
        let proved = weaken(checked, plain, &mut half)?;
        left.work += half.work;
        if proved.is_some() {
            return Ok(proved);
        }
    }
    weaken(checked, candidates, left)
}

/// The conjuncts of invariants that were found, at the loops where they hold, and each loop with one that says nothing.
fn candidates_of_proof(
    checked: &Checked,
    invariants: &[LoopInvariant],
    all: &[LoopText],
) -> BTreeSet<Candidate> {
    let source = &checked.source;
    let line = |text: &LoopText| source.line(text.keyword);
    let mut candidates: BTreeSet<Candidate> = all
        .iter()
        .map(|text| Candidate {
            keyword: text.keyword,
            value: "1".to_owned(),
        })
        .collect();
    for invariant in invariants {
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
    candidates
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

/// Drops what fails until nothing does; `None` where the rest proves nothing.
fn weaken(
    checked: &Checked,
    candidates: Vec<Candidate>,
    left: &mut Left,
) -> Result<Option<Vec<Candidate>>, CheckError> {
    // All loops are looked at together: one point, and a step from it to itself.
    let (from, to) = (vec![0], 0);
    let mut houdini = Houdini::new(vec![candidates], vec![Step { from, to }]);
    for _ in 0..MOST_ITERATIONS {
        if houdini.is_inductive() {
            break;
        }
        let judged = houdini.go_on(|_, guess| staying(checked, &guess[0], left)?.ok_or(None));
        match judged {
            Ok(()) => {}
            Err(None) => return Ok(None),
            Err(Some(error)) => return Err(error),
        }
    }
    let proved = houdini.is_inductive().then(|| houdini.guess.concat());
    Ok(proved.map(|mut proved| {
        proved.retain(|candidate| candidate.value != "1");
        proved
    }))
}

/// For each candidate whether it did not fail in a proof by all of them; all stay where they prove the program, and `None`
/// where nothing follows from the proof.
fn staying(
    checked: &Checked,
    candidates: &[Candidate],
    left: &mut Left,
) -> Result<Option<Vec<bool>>, CheckError> {
    if left.is_none() {
        return Ok(None);
    }
    let claims: Vec<Invariant> = candidates
        .iter()
        .map(|candidate| candidate.invariant(checked, ""))
        .collect();
    let Ok(proof) = Proof::new(checked, &claims)? else {
        return Ok(None);
    };
    let outcome: Outcome = proof.run(left.time(), Some(left.work))?;
    left.work = left.work.saturating_sub(outcome.report.statistics.work);
    if outcome.is_proved() {
        return Ok(Some(vec![true; candidates.len()]));
    }
    let stay = candidates.iter().enumerate();
    let stay: Vec<bool> = stay
        .map(|(number, candidate)| candidate.value == "1" || !outcome.failed.contains(&number))
        .collect();
    Ok(stay.contains(&false).then_some(stay))
}

impl From<CheckError> for WitnessError {
    fn from(error: CheckError) -> WitnessError {
        match error {
            CheckError::Witness(error) => error,
            other => WitnessError::Malformed(other.to_string()),
        }
    }
}
