//! Alternates a technique between a program and its version without checks for signed overflow.
//!
//! If executions with signed overflow do not count, a check ends them. The program without these checks has
//! all the executions that count, and others, with fewer paths: *unreachable* carries over to the program,
//! and *reachable* counts if the native run, which has the checks, confirms it. Otherwise only the program
//! itself can decide.

use symex::{Advance, Advancing, Confirmation, Report, Statistics, Verdict, Witness};
use term::{Clock, Work};

pub(super) struct BothPrograms<'p> {
    /// `None` once it can tell no more.
    unchecked: Option<Box<dyn Advancing + 'p>>,
    checked: Box<dyn Advancing + 'p>,
    is_checked_over: bool,
    /// Of the work for both.
    clock: Clock,
    /// The result of the program without checks, if it is the verdict.
    decided: Option<Report>,
}

impl<'p> BothPrograms<'p> {
    pub fn new(
        unchecked: Box<dyn Advancing + 'p>,
        checked: Box<dyn Advancing + 'p>,
    ) -> BothPrograms<'p> {
        let clock = Clock::default();
        clock.advance(unchecked.work() + checked.work());
        BothPrograms {
            unchecked: Some(unchecked),
            checked,
            is_checked_over: false,
            clock,
            decided: None,
        }
    }

    /// Continues with the program without checks for a slice of work; whether it has decided.
    fn advance_unchecked(
        &mut self,
        slice: Work,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
        progress: &mut dyn FnMut(&Statistics),
    ) -> bool {
        let Some(mut technique) = self.unchecked.take() else {
            return false;
        };
        let mut is_refuted = false;
        let mut confirm = |witness: &Witness| {
            let confirmation = confirm(witness);
            is_refuted |= !matches!(confirmation, Confirmation::Confirmed(_));
            confirmation
        };
        let before = technique.work();
        let advance = technique.advance(before + slice, &mut confirm, progress);
        self.clock.advance(technique.work().saturating_sub(before));
        match advance {
            Advance::Over if technique.has_settled() => {
                let report = technique.finish();
                let is_decided = match report.verdict {
                    Verdict::Reachable(_) => true,
                    // What is lost may be lost behind an overflow only.
                    Verdict::Unreachable => report.losses.is_empty(),
                    Verdict::Unknown => false,
                };
                self.decided = is_decided.then_some(report);
            }
            Advance::Goes if !is_refuted => self.unchecked = Some(technique),
            Advance::Over | Advance::Goes => {}
        }
        self.decided.is_some()
    }
}

impl Advancing for BothPrograms<'_> {
    fn clock(&self) -> Clock {
        self.clock.clone()
    }

    fn inner(&self) -> Option<&dyn Advancing> {
        Some(self.checked.as_ref())
    }

    fn advance(
        &mut self,
        until: Work,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
        progress: &mut dyn FnMut(&Statistics),
    ) -> Advance {
        // A step may exceed its slice by far, so the one that is behind continues.
        let slice = until.saturating_sub(self.work());
        let unchecked = self.unchecked.as_ref().map(|technique| technique.work());
        if unchecked.is_some_and(|work| self.is_checked_over || work <= self.checked.work()) {
            if self.advance_unchecked(slice, confirm, progress) {
                return Advance::Over;
            }
        } else if !self.is_checked_over {
            let before = self.checked.work();
            let advance = self.checked.advance(before + slice, confirm, progress);
            self.clock
                .advance(self.checked.work().saturating_sub(before));
            self.is_checked_over = advance == Advance::Over;
        }
        // Where the program itself is over undecided, the one without checks may decide still.
        let is_over = self.unchecked.is_none() || self.checked.has_settled();
        if self.is_checked_over && is_over {
            Advance::Over
        } else {
            Advance::Goes
        }
    }

    fn has_effect(&self) -> bool {
        let unchecked = self.unchecked.as_ref();
        self.checked.has_effect() || unchecked.is_none_or(|technique| technique.has_effect())
    }

    fn has_settled(&self) -> bool {
        self.decided.is_some() || self.checked.has_settled()
    }

    fn finish(self: Box<Self>) -> Report {
        match self.decided {
            Some(report) => report,
            None => self.checked.finish(),
        }
    }
}
