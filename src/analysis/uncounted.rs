//! A technique that does not count calls, for a program whose calls may overflow the stack: its errors count,
//! but its proofs hold only while the stack suffices, so that the verdict stays open.

use property::Reason;
use symex::{Advance, Advancing, Confirmation, Findings, Report, Statistics, Verdict, Witness};
use term::{Clock, Work};

pub(super) struct Uncounted<'p> {
    /// `None` once it is over.
    going: Option<Box<dyn Advancing + 'p>>,
    over: Option<Over>,
    clock: Clock,
    has_effect: bool,
    /// Why its proofs are none.
    why: Reason,
}

struct Over {
    has_settled: bool,
    report: Report,
}

impl<'p> Uncounted<'p> {
    pub fn new(technique: Box<dyn Advancing + 'p>, why: Reason) -> Uncounted<'p> {
        Uncounted {
            clock: technique.clock(),
            has_effect: technique.has_effect(),
            going: Some(technique),
            over: None,
            why,
        }
    }

    fn end(&self, technique: Box<dyn Advancing + 'p>) -> Over {
        let has_settled = technique.has_settled();
        let mut report = technique.finish();
        let is_proved = matches!(report.verdict, Verdict::Unreachable);
        if is_proved {
            report.verdict = Verdict::Unknown;
            report.reasons.add(self.why.clone());
        }
        Over {
            has_settled: has_settled && !is_proved,
            report,
        }
    }
}

impl Advancing for Uncounted<'_> {
    fn clock(&self) -> Clock {
        self.clock.clone()
    }

    fn inner(&self) -> Option<&dyn Advancing> {
        self.going
            .as_deref()
            .map(|technique| technique as &dyn Advancing)
    }

    fn advance(
        &mut self,
        until: Work,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
        progress: &mut dyn FnMut(&Statistics),
    ) -> Advance {
        let Some(mut technique) = self.going.take() else {
            return Advance::Over;
        };
        let advance = technique.advance(until, confirm, progress);
        self.has_effect = technique.has_effect();
        match advance {
            Advance::Goes => self.going = Some(technique),
            Advance::Over => self.over = Some(self.end(technique)),
        }
        advance
    }

    fn has_effect(&self) -> bool {
        self.has_effect
    }

    fn has_settled(&self) -> bool {
        self.over.as_ref().is_some_and(|over| over.has_settled)
    }

    fn finish(mut self: Box<Self>) -> Report {
        let ended = match self.going.take() {
            Some(technique) => Some(self.end(technique)),
            None => self.over.take(),
        };
        ended.map_or_else(|| Report::from(Findings::default()), |over| over.report)
    }
}
