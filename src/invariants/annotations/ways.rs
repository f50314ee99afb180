//! The continuations of a state, edge by edge, without queries.

use super::Means;
use super::point::Registers;
use flowgraph::{Action, Callee, EdgeId};
use property::Meaning;
use semantics::{InputEvent, Outcome, PathEnd, State, Trusting};
use term::TermPool;

/// What comes at the end of a way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Then {
    /// Nothing: the execution is over.
    Safe,
    /// An error, or something that keeps the verdict open, or that annotations do not know.
    Bad,
    /// The point of the state.
    On,
}

/// A way along an edge, to another location or to an end.
pub(super) struct Way {
    /// Its path condition says when the way is taken.
    pub state: State,
    pub then: Then,
}

/// All ways on from a state.
pub(super) struct Ways<'a, 'b, 'p> {
    means: &'a mut Means<'b, 'p>,
    found: Vec<Way>,
}

impl Ways<'_, '_, '_> {
    /// The ways on from a state whose inputs are those that were read behind a point; `registers`
    /// notes what the ways read.
    pub fn of(means: &mut Means, state: &State, registers: &mut Registers) -> Vec<Way> {
        let function = means.machine.program.function(state.location.function);
        let mut ways = Ways {
            means,
            found: Vec::new(),
        };
        for edge in function.out_edges(state.location.node) {
            ways.along(state.clone(), *edge);
        }
        let Ways { means, found } = ways;
        for way in &found {
            note_inputs(means.pool, &way.state, registers);
        }
        found
    }

    fn along(&mut self, state: State, edge: EdgeId) {
        let function = self.means.machine.program.function(state.location.function);
        let target = function.target(edge);
        let mut states = vec![state];
        let mut has_arrived = false;
        for (position, step) in function.edge(edge).steps.iter().enumerate() {
            has_arrived |= matches!(step.action, Action::Call { .. } | Action::Return(_));
            for state in std::mem::take(&mut states) {
                if is_about_memory(&step.action) {
                    self.end(state, Then::Bad);
                } else {
                    self.act(state, edge, position, &mut states);
                }
            }
        }
        for mut state in states {
            if !has_arrived {
                state.location.node = target;
            }
            self.end(state, Then::On);
        }
    }

    fn act(&mut self, state: State, edge: EdgeId, position: usize, states: &mut Vec<State>) {
        let Means { machine, pool, .. } = self.means;
        let outcomes = machine.act_at(pool, &mut Trusting, state, edge, position);
        for outcome in outcomes {
            match outcome {
                Outcome::Running(state) => states.push(state),
                Outcome::Ended(state, end) => {
                    let then = self.meaning(&end);
                    self.end(state, then);
                }
                Outcome::Undecided { state, .. } => self.end(state, Then::Bad),
            }
        }
    }

    fn meaning(&self, end: &PathEnd) -> Then {
        match self.means.property.meaning(end) {
            Meaning::Defined | Meaning::Trap(_) | Meaning::Undefined(_) => Then::Safe,
            Meaning::Violation(_) | Meaning::Open(_) => Then::Bad,
        }
    }

    fn end(&mut self, state: State, then: Then) {
        self.found.push(Way { state, then });
    }
}

/// Whether an action depends on memory, changes it, or may fail by it.
fn is_about_memory(action: &Action) -> bool {
    match action {
        Action::Load { .. }
        | Action::Store { .. }
        | Action::Alloca { .. }
        | Action::Builtin { .. } => true,
        Action::Call { callee, .. } => matches!(callee, Callee::Indirect(_)),
        Action::Assume(_)
        | Action::Assign(_)
        | Action::Input { .. }
        | Action::Return(_)
        | Action::Target
        | Action::Cut
        | Action::Goal(_)
        | Action::End(_)
        | Action::Unsupported(_) => false,
    }
}

fn note_inputs(pool: &mut TermPool, state: &State, registers: &mut Registers) {
    for event in &state.inputs {
        if let InputEvent::Value { term, .. } = event {
            let symbols = pool.symbols_of(*term);
            registers.note_read(&symbols);
        }
    }
}
