//! What of a guess is inductive over the integers, found by models.
//!
//! Most of what executions have in common is chance. A check over bit-vectors asks about each claim by itself, and
//! takes longest where it is wrong. Over the integers a question takes little, and its model refutes
//! many claims at once: a state that satisfies the premises of a clause, and does not have them behind it.
//!
//! # Invariants
//! - What is left is a guess as what there was before, not proved.
//! - What the integers know nothing of, like products of parameters, stays.
//!
//! # Source
//! Garg, Löding, Madhusudan, Neider, *ICE: A Robust Framework for Learning Invariants*, CAV 2014, whose
//! implications these models are; Flanagan, Leino, *Houdini*, FME 2001.

use super::check::{Guess, steps};
use super::integers::{redundancy, refutation};
use super::system::{Head, System};
use invariants::Houdini;
use solver::Limits;
use solver::horn::{Consequence, Formula, consequence};
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::rc::Rc;
use term::TermPool;

/// A guess of which something is dropped, question by question.
pub(super) struct Sieve {
    houdini: Houdini<Rc<Formula>>,
    /// The clause of each step.
    clauses: Vec<usize>,
    /// Claims of each predicate of which it is not known whether the others imply them: the first ones. What is
    /// looked at last stays rather, so that bounds do.
    n_left: Vec<usize>,
    /// What is left with what that implies, in its order.
    whole: Guess,
}

/// What is left.
pub(super) struct Sifted {
    pub guess: Guess,
    /// With what that implies, in the order in which it was learnt.
    pub whole: Guess,
}

impl Sieve {
    /// Nothing is dropped yet.
    pub fn new(system: &System, guess: Guess) -> Sieve {
        let (clauses, mut steps) = steps(system);
        // A model refutes some of what does not follow.
        steps.iter_mut().for_each(|step| step.from.push(step.to));
        Sieve {
            n_left: Vec::new(),
            whole: guess.clone(),
            houdini: Houdini::new(guess, steps),
            clauses,
        }
    }

    /// Drops what one more state shows not to be inductive, or is implied by the rest; whether there is nothing
    /// left to ask. What is known is inductive.
    pub fn go_on(
        &mut self,
        pool: &TermPool,
        system: &System,
        known: &Guess,
        limits: &Limits,
    ) -> bool {
        let Sieve {
            houdini, clauses, ..
        } = self;
        if !houdini.is_inductive() {
            let Ok(()) = houdini.go_on(|step, guess| {
                let clause = &system.clauses[clauses[step]];
                let question = refutation(system, clause, [guess, known]);
                let answer = question.map(|question| consequence(pool, &question, limits));
                let refuted = match answer {
                    Some(Consequence::Refuted(refuted)) => refuted,
                    _ => BTreeSet::new(),
                };
                let claims = match &clause.head {
                    Head::Reached(atom) => guess[atom.predicate.0].len(),
                    Head::Violation | Head::Undefined(_) => 0,
                };
                let stay = (0..claims).map(|number| !refuted.contains(&number));
                Ok::<_, Infallible>(stay.collect())
            });
            if houdini.is_inductive() {
                self.n_left = houdini.guess.iter().map(Vec::len).collect();
                self.whole = houdini.guess.clone();
            }
            return false;
        }
        let guess = &mut houdini.guess;
        let Some(number) = self.n_left.iter().position(|left| *left > 0) else {
            return true;
        };
        self.n_left[number] -= 1;
        let position = self.n_left[number];
        let claims = [guess[number].as_slice(), &known[number]];
        let predicate = &system.predicates[number];
        if let Some(question) = redundancy(predicate, &system.signs, claims, position)
            && consequence(pool, &question, limits) == Consequence::All
        {
            guess[number].remove(position);
        }
        false
    }

    /// What is left.
    pub fn sifted(self) -> Sifted {
        Sifted {
            guess: self.houdini.guess,
            whole: self.whole,
        }
    }
}
