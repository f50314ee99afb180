//! Classic steps.

use super::Course;
use crate::run::Run;
use flowgraph::{Action, Program};
use semantics::{Outcome, PathEnd, State};
use term::Work;

impl Run<'_> {
    /// A classic step, with so much work for each query. One that stays open in the middle of an
    /// edge ends the path, unless it has not had all the work of a query: then the step is to be
    /// done again.
    pub(crate) fn classic_step(&mut self, state: State, work: Work) -> Course {
        // A clone shares its registers, which the step has to copy then.
        let before = may_ask_midway(self.machine.program, &state).then(|| state.clone());
        let n_failed = self.oracle.n_failed;
        let successors = self.oracle.with_work(work, |oracle| {
            self.machine.step(&mut self.pool, oracle, state)
        });
        let n_open = successors.iter().filter(|o| is_left_open(o)).count();
        let n_undecided = successors.iter().filter(|o| is_undecided(o)).count();
        // A query on which no path hangs is not lost: the other branches answered it.
        self.oracle.n_failed = n_failed + (n_open + n_undecided) as u64;
        match before {
            Some(state) if n_open > 0 && self.is_early(work) => {
                self.oracle.n_failed = n_failed;
                Course::Open(Box::new(state))
            }
            _ => Course::By(successors, None),
        }
    }
}

/// Whether a path ends only because the solver did not decide.
fn is_left_open(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Ended(_, PathEnd::Undecided(_)))
}

fn is_undecided(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Undecided { .. })
}

/// Whether a step of the state may put a query in the middle of an edge, so that
/// [`PathEnd::Undecided`] can be among its successors. Not of a state without inputs: its
/// conditions are constants, but for those on addresses.
fn may_ask_midway(program: &Program, state: &State) -> bool {
    if state.inputs.is_empty() && state.path_cond.is_empty() {
        return false;
    }
    let function = program.function(state.location.function);
    let edges = function.out_edges(state.location.node);
    // The first condition of each of several edges is checked before.
    let first = usize::from(edges.len() > 1);
    edges.iter().any(|edge| {
        let mut midway = function.edge(*edge).steps.iter().skip(first);
        midway.any(|step| may_ask(&step.action))
    })
}

/// Whether executing the action may put a query to the oracle.
fn may_ask(action: &Action) -> bool {
    match action {
        Action::Assume(_)
        | Action::Load { .. }
        | Action::Store { .. }
        | Action::Alloca { .. }
        | Action::Builtin { .. }
        | Action::Call { .. } => true,
        Action::Assign(_)
        | Action::Input { .. }
        | Action::Return(_)
        | Action::Cut
        | Action::Goal(_)
        | Action::Target
        | Action::End(_)
        | Action::Unsupported(_) => false,
    }
}
