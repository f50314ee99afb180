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

use super::check::Guess;
use super::integers::{redundancy, refutation};
use super::system::{Clause, Head, System};
use solver::Limits;
use solver::horn::{Consequence, consequence};
use term::TermPool;

/// A guess of which something is dropped, question by question.
pub(super) struct Sieve {
    guess: Guess,
    /// The clauses that may not hold.
    is_open: Vec<bool>,
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
        Sieve {
            is_open: system.clauses.iter().map(reaches).collect(),
            n_left: Vec::new(),
            whole: guess.clone(),
            guess,
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
        if let Some(next) = self.is_open.iter().position(|open| *open) {
            self.is_open[next] = self.refutes(pool, (system, next), known, limits);
            if !self.is_open.contains(&true) {
                self.n_left = self.guess.iter().map(Vec::len).collect();
                self.whole = self.guess.clone();
            }
            return false;
        }
        let Some(number) = self.n_left.iter().position(|left| *left > 0) else {
            return true;
        };
        self.n_left[number] -= 1;
        let position = self.n_left[number];
        let claims = [self.guess[number].as_slice(), &known[number]];
        let predicate = &system.predicates[number];
        if let Some(question) = redundancy(predicate, &system.signs, claims, position)
            && consequence(pool, &question, limits) == Consequence::All
        {
            self.guess[number].remove(position);
        }
        false
    }

    /// Drops what a state refutes that the premises of a clause have; whether there is one.
    fn refutes(
        &mut self,
        pool: &TermPool,
        (system, clause): (&System, usize),
        known: &Guess,
        limits: &Limits,
    ) -> bool {
        let clause = &system.clauses[clause];
        let Head::Reached(atom) = &clause.head else {
            return false;
        };
        let question = refutation(system, clause, [&self.guess, known]);
        let answer = question.map(|question| consequence(pool, &question, limits));
        let Some(Consequence::Refuted(refuted)) = answer else {
            return false;
        };
        let mut position = 0..;
        self.guess[atom.predicate.0]
            .retain(|_| !position.next().is_some_and(|one| refuted.contains(&one)));
        for (open, clause) in self.is_open.iter_mut().zip(&system.clauses) {
            let mut atoms = clause.atoms.iter();
            let depends = atoms.any(|premise| premise.predicate == atom.predicate);
            *open |= depends && reaches(clause);
        }
        true
    }

    /// What is left.
    pub fn sifted(self) -> Sifted {
        Sifted {
            guess: self.guess,
            whole: self.whole,
        }
    }
}

/// Whether a clause says something of a predicate.
fn reaches(clause: &Clause) -> bool {
    matches!(clause.head, Head::Reached(_))
}
