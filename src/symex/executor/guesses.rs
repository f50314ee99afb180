//! Guesses: inputs that may lead to a violation, for the caller of the executor.

use super::Executor;
use crate::witness::WitnessInput;
use term::Work;

impl Executor<'_> {
    /// Whether there may be guesses to execute.
    #[must_use]
    pub fn makes_guesses(&self) -> bool {
        self.run.outlooks.is_some()
    }

    /// Inputs that may lead to a violation, by a model of φ_state ∧ φ̂: a guess that is to be executed.
    pub fn next_guess(&mut self) -> Option<Vec<WitnessInput>> {
        self.run.outlooks.as_mut()?.next_guess()
    }

    /// Counts work that executing the program with such inputs took.
    pub fn count_work_for_guess(&mut self, work: Work) {
        self.run.pool.count_work(work);
        if let Some(outlooks) = &mut self.run.outlooks {
            outlooks.statistics_mut().work += work;
        }
    }

    /// The result of such inputs, with their work.
    pub fn note_guess(&mut self, is_hit: bool, work: Work) {
        self.count_work_for_guess(work);
        if let Some(outlooks) = &mut self.run.outlooks {
            outlooks.statistics_mut().tried(is_hit);
        }
        self.refresh();
    }
}
