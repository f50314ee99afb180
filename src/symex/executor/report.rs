//! Progress and results of a run.

use super::deferred::DeferredQueue;
use super::{Executor, Waiting};
use crate::merging::Meetings;
use crate::queue::Queue;
use crate::report::Report;
use crate::subsumption::Explored;
use crate::verdict::Verdict;
use crate::witness::Witness;
use limits::{Exhausted, resident_memory};
use solver::Statistics as SolverStatistics;
use template::SolverOracle;

/// The unneeded remainder of a run: waiting states, explored states, the solver's memory. Dropping it takes
/// time for each of them; a process that ends may leak it instead.
pub struct Remains {
    _queue: Queue<Waiting>,
    _meetings: Meetings<Waiting>,
    _deferred: DeferredQueue,
    _explored: Option<Explored>,
    _oracle: SolverOracle,
}

impl Executor<'_> {
    /// The limit that ended the run, if one did.
    #[must_use]
    pub fn exhausted(&self) -> Option<Exhausted> {
        self.reasons.exhausted()
    }

    /// Brings the numbers of the run up to date.
    pub(super) fn refresh(&mut self) {
        self.run.statistics.n_waiting =
            self.queue.len() + self.meetings.len() + self.deferred.len();
        self.run.statistics.n_queries = self.run.oracle.n_queries;
        self.run.statistics.n_failed_queries = self.run.oracle.n_failed;
        self.run.statistics.solver_time = self.run.oracle.time;
        self.run.statistics.solver_work = self.run.oracle.work;
        self.run.statistics.work = self.run.pool.work();
        self.run.statistics.n_actions = self.run.machine.n_actions.get();
        if let Some(explored) = &self.run.explored {
            self.run.statistics.subsumption = explored.statistics;
        }
        if let Some(annotations) = &self.run.annotations {
            self.run.statistics.annotations = annotations.statistics;
        }
        if let Some(navigator) = &self.run.navigator {
            self.run.statistics.navigation = navigator.statistics;
        }
        if let Some(hinter) = &self.run.hinter {
            self.run.statistics.hints = hinter.statistics;
        }
        if let Some(outlooks) = &self.run.outlooks {
            (self.run.statistics.conditions).clone_from(outlooks.statistics());
        }
    }

    /// The result.
    pub(super) fn report(mut self) -> Report {
        self.refresh();
        self.run.statistics.table = self.run.table.statistics();
        // A proof by cuts does not count the calls around the ones it examines.
        let is_counted = self.run.machine.stack.is_some() && self.run.cutter.is_none();
        self.run.statistics.stack = is_counted.then(|| self.run.machine.deepest.get());
        self.run.statistics.peak_memory = self.run.watch.peak_memory.max(resident_memory());
        let mut open_loops = self.open_loops;
        if !self.errors.is_empty() && !self.run.options.all_errors {
            open_loops.clear();
        } else {
            let waiting = self.queue.iter().chain(self.meetings.iter());
            let waiting = waiting.map(|waiting| &waiting.state);
            let deferred = self.deferred.iter().map(|deferred| &deferred.state);
            waiting
                .chain(deferred)
                .for_each(|state| open_loops.add(state));
        }
        self.errors.sort_by_key(Witness::rank);
        let mut errors = self.errors.into_iter();
        let verdict = match errors.next() {
            Some(worst) => Verdict::Reachable(Box::new(worst)),
            None if self.reasons.is_empty() => Verdict::Unreachable,
            None => Verdict::Unknown,
        };
        let mut solver_statistics = SolverStatistics::default();
        self.run.oracle.solver.statistics(&mut solver_statistics);
        let cutter = self.run.cutter.as_ref();
        let invariants = match &verdict {
            Verdict::Unreachable => {
                cutter.map(|cutter| cutter.invariants(self.run.machine.program))
            }
            Verdict::Reachable(_) | Verdict::Unknown => None,
        };
        let invariants = invariants.unwrap_or_default();
        Report {
            verdict,
            further_errors: errors.collect(),
            reasons: self.reasons,
            undefined: self.undefined,
            losses: self.losses,
            traps: self.traps,
            open_loops: open_loops.finish(&self.run.table),
            invariants,
            contracts: Vec::new(),
            annotations: (self.run.annotations.as_ref())
                .map_or_else(Vec::new, |annotations| annotations.list(&self.run.pool)),
            statistics: self.run.statistics,
            solver_statistics,
            tree: self.tree,
            table: self.run.table,
            pool: self.run.pool,
            remains: Some(Remains {
                _queue: self.queue,
                _meetings: self.meetings,
                _deferred: self.deferred,
                _explored: self.run.explored,
                _oracle: self.run.oracle,
            }),
        }
    }
}
