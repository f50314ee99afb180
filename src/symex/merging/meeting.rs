//! Meetings (merge points): the locations where states wait for each other.

use crate::tree::TreeNodeId;
use semantics::{Location, Parting, State};

/// A state that may continue in several ways.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fork {
    /// Where it is.
    pub from: Location,
    /// Where its ways meet, and how many callers there are.
    pub at: (Location, usize),
    pub parting: Parting,
}

/// The ways from a fork, until they meet.
pub(crate) struct Meeting<T> {
    pub at: (Location, usize),
    pub parting: Parting,
    /// The node of the fork, where the tree has it.
    pub node: Option<TreeNodeId>,
    /// States that come, the newest last.
    pub under_way: Vec<T>,
    /// States that are there.
    pub arrived: Vec<T>,
    /// The number of the last state that is executed before the meeting is abandoned.
    until: u64,
}

/// The next action at meetings.
pub(crate) enum Turn<T> {
    /// This state, which is on its way to one.
    Execute(T),
    /// All states expected at this meeting have arrived.
    Met(Meeting<T>),
    /// This meeting, and all within, take too long.
    GivenUp(Meeting<T>),
}

/// The meetings that states are on their way to, one within the other.
pub(crate) struct Meetings<T> {
    open: Vec<Meeting<T>>,
    /// States that were executed on their way.
    n_executed: u64,
    /// So many for one meeting.
    most_states: u64,
}

impl<T> Meetings<T> {
    pub fn new(most_states: u64) -> Meetings<T> {
        Meetings {
            open: Vec::new(),
            n_executed: 0,
            most_states,
        }
    }

    /// The ways from a fork are to meet; where they meet at the place for which all wait already,
    /// they wait with them.
    pub fn open(&mut self, fork: &Fork, node: Option<TreeNodeId>) {
        if self
            .open
            .last()
            .is_some_and(|meeting| meeting.at == fork.at)
        {
            return;
        }
        self.open.push(Meeting {
            at: fork.at,
            parting: fork.parting,
            node,
            under_way: Vec::new(),
            arrived: Vec::new(),
            until: self.n_executed + self.most_states,
        });
    }

    /// Whether a state is where the others wait.
    pub fn is_reached_by(&self, state: &State) -> bool {
        (self.open.last())
            .is_some_and(|meeting| meeting.at == (state.location, state.callers.len()))
    }

    /// The innermost meeting that is open.
    pub fn innermost(&mut self) -> Option<&mut Meeting<T>> {
        self.open.last_mut()
    }

    /// The next action; `None` if no meeting is open.
    pub fn turn(&mut self) -> Option<Turn<T>> {
        let is_over = self.open.first()?.until <= self.n_executed;
        if is_over {
            return self.open.pop().map(Turn::GivenUp);
        }
        match self.open.last_mut()?.under_way.pop() {
            Some(state) => {
                self.n_executed += 1;
                Some(Turn::Execute(state))
            }
            None => self.open.pop().map(Turn::Met),
        }
    }

    /// How many states are at meetings or on their way.
    pub fn len(&self) -> usize {
        let states = |meeting: &Meeting<T>| meeting.under_way.len() + meeting.arrived.len();
        self.open.iter().map(states).sum()
    }

    /// All of these.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.open
            .iter()
            .flat_map(|meeting| meeting.under_way.iter().chain(&meeting.arrived))
    }
}
