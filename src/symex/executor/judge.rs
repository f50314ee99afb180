//! Judgement: the effect of a path's end on the verdict, and the witnesses of errors.

use super::Executor;
use crate::witness::{Confirmation, Witness, find_witness};
use memory::ObjectKind;
use property::{ErrorKind, Meaning, Reason, Violation};
use semantics::{Decision, Location, PathEnd, State};
use std::ops::ControlFlow;
use std::time::Instant;

impl Executor<'_> {
    /// Whether a run that could only prove something does not any more.
    pub(super) fn is_refuted(&self) -> bool {
        self.run.options.cuts.guesses().is_some() && !self.reasons.is_empty()
    }

    /// The end of all paths of a state that stands where it can do nothing but end.
    fn only_end(&self, state: &State) -> Option<PathEnd> {
        let Location { function, node } = state.location;
        let program = self.run.machine.program;
        let of = program.function(function);
        let taken = state.decisions.first().and_then(Decision::taken);
        let end = match taken {
            // It stands at a branching, with the condition of an edge assumed.
            Some((within, edge)) if within == function && of.source(edge) == node => {
                of.sure_ends().end_after(edge)
            }
            _ => of.sure_ends().from(of, node),
        };
        end.map(|(kind, span)| PathEnd::Program(kind, span).placed(program, state))
    }

    /// Passes over a state of which it is undecided whether it exists, where nothing depends on that: it can only end,
    /// so or as the program has it. An end in undefined behaviour is told of, as if the state existed. Whether it was
    /// passed over.
    pub(super) fn pass_over(&mut self, state: &State, then: Option<&PathEnd>) -> bool {
        let Some(end) = then.cloned().or_else(|| self.only_end(state)) else {
            return false;
        };
        let property = self.run.options.property;
        // A block may be lost there, and a condition on the way may use what was not written.
        let looks_on_the_way =
            property.checks.follows_blocks() || property.checks.follows_each_iteration();
        if looks_on_the_way || !state.goals.is_empty() {
            return false;
        }
        match property.meaning(&end) {
            Meaning::Defined => {}
            Meaning::Undefined(reason) => self.undefined.add(reason),
            Meaning::Trap(_) | Meaning::Open(_) | Meaning::Violation(_) => return false,
        }
        self.run.statistics.n_paths += 1;
        self.run.oracle.n_failed -= 1;
        true
    }

    /// What the end of a path means for the verdict. Breaks where the property is violated, that
    /// was confirmed, and one error is enough.
    pub(super) fn judge(
        &mut self,
        state: &State,
        end: &PathEnd,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) -> ControlFlow<()> {
        match self.run.options.property.meaning(end) {
            Meaning::Defined => {}
            Meaning::Trap(place) => {
                self.traps.insert(place);
            }
            Meaning::Undefined(reason) => self.undefined.add(reason),
            Meaning::Open(reason) => self.reasons.add(reason),
            Meaning::Violation(violation) => return self.found(state, violation, None, confirm),
        }
        ControlFlow::Continue(())
    }

    /// A state in which the property is violated: an error, if its witness is confirmed. Places
    /// where one was found already are not examined again. Where that is in doubt the witness may be
    /// refuted, and the doubt stays.
    pub(super) fn found(
        &mut self,
        state: &State,
        violation: Violation,
        doubt: Option<Reason>,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) -> ControlFlow<()> {
        let is_known = |error: &Witness| error.violation() == violation;
        if self.errors.iter().any(is_known) {
            return ControlFlow::Continue(());
        }
        let Some(error) = self.confirmed(state, violation, doubt, confirm) else {
            return ControlFlow::Continue(());
        };
        self.errors.push(error);
        if self.run.options.all_errors {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    /// Whether the path to a state is one only if objects lie in some way.
    fn depends_on_addresses(&mut self, state: &State) -> bool {
        let conjuncts = state.path_cond.to_vec();
        conjuncts.into_iter().any(|conjunct| {
            let symbols = self.run.pool.symbols_of(conjunct);
            symbols.iter().any(|symbol| {
                let object = state.memory.object(*symbol);
                object.is_some_and(|object| object.info.kind != ObjectKind::Foreign)
            })
        })
    }

    /// The error of a state in which the property is violated, if its witness holds.
    fn confirmed(
        &mut self,
        state: &State,
        violation: Violation,
        doubt: Option<Reason>,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) -> Option<Witness> {
        // The last query of the path: all work at once.
        let work = self.run.options.budget.queries.most;
        let found = find_witness(
            &self.run.machine,
            &mut self.run.pool,
            &mut self.run.oracle,
            state,
            work,
        );
        let mut witness = match found {
            Ok((inputs, path)) => Witness {
                inputs,
                path,
                target: violation.place,
                error: violation.kind,
                report: None,
                goals: Vec::new(),
            },
            Err(reason) => {
                self.reasons.add(reason);
                return None;
            }
        };
        let started = Instant::now();
        let confirmation = confirm(&witness);
        self.run.statistics.replay_time += started.elapsed();
        match (confirmation, doubt) {
            (Confirmation::Refuted(_) | Confirmation::Skipped, Some(doubt)) => {
                self.reasons.add(doubt);
                None
            }
            (Confirmation::Confirmed(report), _) => {
                self.run.statistics.n_conjuncts = state.path_cond.len() as u64;
                witness.report = report;
                Some(witness)
            }
            (Confirmation::Skipped | Confirmation::Passed(_), _) => Some(witness),
            (Confirmation::Refuted(_), None) if self.run.options.cuts.guesses().is_some() => {
                let why = "the guessed invariants do not exclude the target";
                self.reasons.add(Reason::NoInvariant(why.to_owned()));
                None
            }
            (Confirmation::Refuted(why), None) => {
                let is_one_of_many = self.depends_on_addresses(state);
                self.reasons.add(match violation.kind {
                    _ if is_one_of_many => Reason::OtherAddresses(why),
                    ErrorKind::Memory(fault) => Reason::NotSeen(fault, why),
                    ErrorKind::Target | ErrorKind::Program(_) | ErrorKind::Leak(_) => {
                        Reason::NotConfirmed(why)
                    }
                });
                None
            }
            (Confirmation::Stopped(why), _) => {
                self.reasons.add(Reason::ReplayTooLong(why));
                None
            }
            (Confirmation::Impossible(why), _) => {
                self.reasons.add(Reason::NotReplayable(why));
                self.confirmation_abandoned = true;
                None
            }
        }
    }
}
