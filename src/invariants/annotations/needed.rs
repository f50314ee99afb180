//! Minimisation of inductive annotations: the weaker an annotation, the more states imply it.
//!
//! ```text
//! begin: at each header, the conditions that exclude errors of its own segments
//! close: for each condition that is needed, what implies it at the beginning of each segment that ends
//!        at its header
//! ```
//!
//! The conditions are taken from unsatisfiable cores; if the solver gives none, they are dropped one at a
//! time, the largest first.

use super::candidates::Candidates;
use super::induction::{End, Guesses, Nest};
use super::point::Registers;
use super::{Map, Means, Point, condition_of};
use solver::Answer;
use term::{TermId, Work};

/// The part of inductive guesses that is inductive by itself and implies `first` at each header.
pub(super) fn needed(
    means: &mut Means,
    registers: &Registers,
    nest: &Nest,
    guesses: &Guesses,
    first: &Map<Point, TermId>,
    work: Work,
) -> Guesses {
    let mut needed: Guesses = (nest.keys())
        .map(|header| (header.clone(), Candidates::default()))
        .collect();
    let mut open: Vec<(Point, TermId)> = Vec::new();
    for header in nest.keys() {
        let reasons = reasons(means, &guesses[header], TermId::TRUE, first[header], work);
        note(&mut needed, &mut open, header, reasons);
    }
    while let Some((header, condition)) = open.pop() {
        for (before, segments) in nest {
            let segments = segments.iter();
            let leading =
                segments.filter(|one| matches!(&one.end, End::Header(next) if *next == header));
            for segment in leading {
                let taken = condition_of(means.pool, &segment.state);
                let behind = registers.instance(means.pool, condition, &segment.state);
                let reasons = reasons(means, &guesses[before], taken, behind, work);
                note(&mut needed, &mut open, before, reasons);
            }
        }
    }
    needed
}

/// Notes reasons as needed at a header; what implies those that are new is asked later.
fn note(
    needed: &mut Guesses,
    open: &mut Vec<(Point, TermId)>,
    header: &Point,
    reasons: Vec<TermId>,
) {
    let known = &mut needed[header];
    for reason in reasons {
        if known.insert(reason) {
            open.push((header.clone(), reason));
        }
    }
}

/// Guesses that imply a conclusion together with a condition; they are known to do so.
fn reasons(
    means: &mut Means,
    guesses: &Candidates,
    condition: TermId,
    conclusion: TermId,
    work: Work,
) -> Vec<TermId> {
    if means.pool.is_true(conclusion) {
        return Vec::new();
    }
    if guesses.contains(&conclusion) {
        return vec![conclusion];
    }
    let mut refuted = vec![means.pool.not(conclusion), condition];
    refuted.retain(|conjunct| !means.pool.is_true(*conjunct));
    let mut conjuncts = refuted.clone();
    conjuncts.extend(guesses);
    match means.oracle.answer(means.pool, &conjuncts, 0, work) {
        Answer::Unsat(Some(core)) => {
            let is_in_core = |guess: &TermId| core.contains(guess);
            guesses.iter().copied().filter(is_in_core).collect()
        }
        Answer::Unsat(None) => with_one_less(means, guesses, &refuted, work),
        Answer::Sat(_) | Answer::Unknown(_) => guesses.iter().copied().collect(),
    }
}

/// Guesses that contradict a set of conditions, of which none can be left out.
fn with_one_less(
    means: &mut Means,
    guesses: &Candidates,
    refuted: &[TermId],
    work: Work,
) -> Vec<TermId> {
    let mut order: Vec<TermId> = guesses.iter().copied().collect();
    order.sort_by_key(|guess| std::cmp::Reverse(means.pool.size(*guess)));
    let mut kept = order.clone();
    for guess in order {
        let rest = kept.iter().copied().filter(|one| *one != guess);
        let conjuncts: Vec<TermId> = refuted.iter().copied().chain(rest).collect();
        if means
            .oracle
            .answer(means.pool, &conjuncts, 0, work)
            .is_unsat()
        {
            kept.retain(|one| *one != guess);
        }
    }
    kept
}
