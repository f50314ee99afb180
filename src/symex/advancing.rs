//! Techniques that run in slices of work, interleaved with others.

use super::{Confirmation, Report, Statistics, Witness};
use term::{Clock, Work};

/// Whether a run continues after a slice of work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Advance {
    /// There is more to do.
    Goes,
    /// The target was reached, nothing is left to do, or a limit was reached.
    Over,
}

/// A technique at work.
pub trait Advancing {
    /// The clock of its work, for other threads to read.
    fn clock(&self) -> Clock;

    /// Its work so far.
    fn work(&self) -> Work {
        self.clock().read()
    }

    /// The technique that this one runs, where it adds something to one: what it does not say itself, that one says.
    fn inner(&self) -> Option<&dyn Advancing> {
        None
    }

    /// Continues until its work has reached `until`, which one step may exceed. `confirm` replays witnesses;
    /// `progress` hears of every step.
    fn advance(
        &mut self,
        until: Work,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
        progress: &mut dyn FnMut(&Statistics),
    ) -> Advance;

    /// Whether what sets it apart from classic execution had any effect so far: templates that were
    /// applied, states that were merged, claims about elements that hold in an iteration.
    fn has_effect(&self) -> bool {
        self.inner().is_none_or(Advancing::has_effect)
    }

    /// Whether a query about inputs came up so far. What executes a program and has not asked any has
    /// followed the one path that the program has up to there.
    fn has_asked(&self) -> bool {
        self.inner().is_none_or(Advancing::has_asked)
    }

    /// Whether it is over and no other technique can know more.
    fn has_settled(&self) -> bool;

    /// The result of a run that is over or must not continue.
    fn finish(self: Box<Self>) -> Report;
}
