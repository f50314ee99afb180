//! Houdini: candidates are dropped until the rest is inductive.
//!
//! Candidates belong to *points*. A step leads from points, whose candidates are assumed, to one point, whose
//! candidates have to follow. Others are dropped, and the steps that assumed them are checked again. The
//! caller defines the candidates and judges steps: conditions on registers, formulas over parameters,
//! expressions of C.
//!
//! # Invariants
//! - Once no step is open, the remaining candidates are inductive, if the judgements are correct.
//! - A dropped candidate never returns.
//!
//! # Source
//! Flanagan, Leino, *Houdini, an Annotation Assistant for ESC/Java*, FME 2001.

use solver::Answer;
use term::{TermId, TermPool};

/// Candidates by point.
pub type Guess<C> = Vec<Vec<C>>;

/// A step between points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The points whose candidates are assumed. Where a judge names some of what does not follow only, the end is one
    /// of them, so that the step is judged again.
    pub from: Vec<usize>,
    /// The point whose candidates have to follow.
    pub to: usize,
}

/// A guess of which something is dropped, step by step.
pub struct Houdini<C> {
    /// What is left.
    pub guess: Guess<C>,
    /// Whether something was dropped.
    pub has_dropped: bool,
    steps: Vec<Step>,
    is_open: Vec<bool>,
}

impl<C> Houdini<C> {
    /// Nothing is dropped yet.
    #[must_use]
    pub fn new(guess: Guess<C>, steps: Vec<Step>) -> Houdini<C> {
        Houdini {
            is_open: vec![true; steps.len()],
            guess,
            has_dropped: false,
            steps,
        }
    }

    /// Whether all steps hold.
    #[must_use]
    pub fn is_inductive(&self) -> bool {
        !self.is_open.contains(&true)
    }

    /// Judges a step that may not hold; nothing where none is left. `judge` gets the number of the step and says for
    /// each candidate of its end whether it stays.
    ///
    /// # Errors
    /// What stops the judge; nothing is dropped then.
    pub fn go_on<E>(
        &mut self,
        judge: impl FnOnce(usize, &Guess<C>) -> Result<Vec<bool>, E>,
    ) -> Result<(), E> {
        let Some(next) = self.is_open.iter().position(|open| *open) else {
            return Ok(());
        };
        let stay = judge(next, &self.guess)?;
        self.is_open[next] = false;
        if stay.contains(&false) {
            self.has_dropped = true;
            let to = self.steps[next].to;
            let mut stay = stay.into_iter();
            self.guess[to].retain(|_| stay.next() == Some(true));
            for (open, step) in self.is_open.iter_mut().zip(&self.steps) {
                *open |= step.from.contains(&to);
            }
        }
        Ok(())
    }
}

/// For each claim whether it follows from premises; false where that is not known. All are asked about at once first;
/// values in which some do not hold refute these, and where the answer says no more, each is asked about. `ask` decides
/// conjuncts: the premises, and that one of so many claims does not hold.
pub fn implied(
    pool: &mut TermPool,
    premises: &[TermId],
    claims: &[TermId],
    ask: &mut dyn FnMut(&mut TermPool, &[TermId], usize) -> Answer,
) -> Vec<bool> {
    let mut follow: Vec<bool> = claims.iter().map(|claim| !pool.is_false(*claim)).collect();
    let is_open = |number: &usize| {
        let claim = claims[*number];
        follow[*number] && !pool.is_true(claim) && !premises.contains(&claim)
    };
    let mut open: Vec<usize> = (0..claims.len()).filter(is_open).collect();
    let mut ask = |pool: &mut TermPool, some: &[usize]| {
        let all = pool.conj(some.iter().map(|number| claims[*number]));
        let refuted = pool.not(all);
        let mut conjuncts = premises.to_vec();
        conjuncts.extend(pool.conjuncts(refuted));
        ask(pool, &conjuncts, some.len())
    };
    while !open.is_empty() {
        let answer = ask(pool, &open);
        if answer.is_unsat() {
            return follow;
        }
        if let [only] = open.as_slice() {
            follow[*only] = false;
            return follow;
        }
        let n_before = open.len();
        if let Answer::Sat(model) = answer {
            open.retain(|number| {
                let value = pool.evaluate(claims[*number], &model);
                follow[*number] = value.is_ok_and(|value| !value.is_zero());
                follow[*number]
            });
        }
        if open.len() == n_before {
            for number in open {
                follow[number] = ask(pool, &[number]).is_unsat();
            }
            return follow;
        }
    }
    follow
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;
    use std::rc::Rc;

    /// Candidates are numbers; at point 1 those hold that hold at point 0, and at point 0 those that are even and hold at
    /// point 1.
    fn left(is_partial: bool) -> Guess<u32> {
        let step = |from, to| Step {
            from: if is_partial {
                vec![from, to]
            } else {
                vec![from]
            },
            to,
        };
        let steps = vec![step(0, 1), step(1, 0)];
        let guess = vec![vec![2, 3, 4, 5], vec![1, 2, 3, 5]];
        let mut houdini = Houdini::new(guess, steps);
        while !houdini.is_inductive() {
            let judged = houdini.go_on(|step, guess| {
                let mut n_named = 0;
                let mut stays = |candidate: &u32| {
                    let is_even = step == 0 || candidate.is_multiple_of(2);
                    let follows = is_even && guess[step].contains(candidate);
                    n_named += usize::from(!follows);
                    follows || is_partial && n_named > 1
                };
                let stay = guess[1 - step].iter().map(&mut stays).collect();
                Ok::<_, Infallible>(stay)
            });
            assert!(judged.is_ok());
        }
        assert!(houdini.has_dropped);
        houdini.guess
    }

    #[test]
    fn the_largest_inductive_part_is_left() {
        let expected = vec![vec![2], vec![2]];
        assert_eq!(left(false), expected);
        assert_eq!(left(true), expected);
    }

    #[test]
    fn values_refute_several_claims_at_once() {
        let mut pool = TermPool::new();
        let symbol = pool.symbol("x", term::Sort::Bv(8));
        let x = pool.symbol_term(symbol);
        let claims: Vec<TermId> = (0..4)
            .map(|least| {
                let least = pool.bv(8, least);
                pool.compare(term::CmpOp::Uge, x, least)
            })
            .collect();
        let mut n_questions = 0;
        let follow = implied(&mut pool, &[], &claims, &mut |_, _, n_claims| {
            n_questions += 1;
            if n_claims == 1 {
                return Answer::Unsat(None);
            }
            let mut model = term::Assignment::new();
            model.set(symbol, term::Bv::new(8, 1));
            Answer::Sat(Rc::new(model))
        });
        assert_eq!(follow, [true, true, false, false]);
        assert_eq!(n_questions, 2);
    }
}
