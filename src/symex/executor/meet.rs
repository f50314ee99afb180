//! States on their way to a meeting (merge point), and their merging there.

use super::{Confirmation, Executor, Origin, Waiting};
use crate::merging::{Fork, Meeting, Member, Turn, merge_all};
use crate::tree::{NodeKind, TreeNodeId};
use semantics::{Outcome, Parting, State, Successors};

impl Executor<'_> {
    /// What has to be known of a state before it continues, for its ways to meet again.
    pub(super) fn fork(&mut self, state: &State) -> Option<Fork> {
        let at = self.judge.meeting(self.run.machine.program, state)?;
        Some(Fork {
            from: state.location,
            at,
            parting: Parting::at(state),
        })
    }

    /// Where a state continues in several ways, these wait for each other.
    pub(super) fn await_ways(
        &mut self,
        fork: &Fork,
        successors: &Successors,
        node: Option<TreeNodeId>,
    ) {
        let goes_on = |outcome: &&Outcome| matches!(outcome, Outcome::Running(_));
        let n_ways = successors.iter().filter(goes_on).count();
        if n_ways > 1 && self.judge.is_near(self.run.machine.program, fork.from) {
            self.meetings.open(fork, node);
        }
    }

    /// A state is where others wait for it, or it for them.
    pub(super) fn arrive(&mut self, waiting: Waiting) {
        if let Some(meeting) = self.meetings.innermost() {
            meeting.arrived.push(waiting);
        }
    }

    /// The next state that is on its way to a meeting, if there is one. Meetings that are over are
    /// settled.
    pub(super) fn next_on_its_way(&mut self) -> Option<Waiting> {
        loop {
            match self.meetings.turn()? {
                Turn::Execute(waiting) => return Some(waiting),
                Turn::Met(meeting) => self.settle(meeting),
                Turn::GivenUp(meeting) => {
                    self.run.statistics.merging.n_given_up += 1;
                    self.settle(meeting);
                }
            }
        }
    }

    /// States that have arrived at a meeting are merged and continue; the others continue as well.
    fn settle(&mut self, meeting: Meeting<Waiting>) {
        for waiting in meeting.under_way {
            self.wait(waiting);
        }
        let n_arrived = meeting.arrived.len();
        let members = meeting.arrived.into_iter().map(|waiting| Member {
            state: waiting.state,
            path: waiting.path,
            nodes: vec![waiting.node],
        });
        let mut members: Vec<Member> = members.collect();
        if n_arrived > 1 {
            let (machine, pool) = (&self.run.machine, &mut self.run.pool);
            members = merge_all(machine, pool, &mut self.judge, meeting.parting, members);
            let statistics = &mut self.run.statistics.merging;
            statistics.n_meetings += 1;
            statistics.n_merged += (n_arrived - members.len()) as u64;
        }
        for member in members {
            self.release(member, meeting.node);
        }
    }

    /// What has met continues: to the meeting around, if that is here too, or as any other state.
    fn release(&mut self, member: Member, fork: Option<TreeNodeId>) {
        let Member { state, path, nodes } = member;
        let origin = Origin {
            parent: fork,
            folded: None,
            path,
        };
        let node = match nodes.as_slice() {
            [node] => *node,
            parts => {
                self.run.statistics.n_states += 1;
                let node = self.add_node(&state, &origin, NodeKind::Inner);
                if let Some(tree) = &mut self.tree {
                    for part in parts.iter().flatten() {
                        tree.set_kind(*part, NodeKind::Merged(node));
                    }
                }
                node
            }
        };
        if self.meetings.is_reached_by(&state) {
            let path = origin.path;
            self.arrive(Waiting { state, node, path });
        } else {
            // Paths that carry goals do not meet.
            self.admit(state, origin, NodeKind::Inner, node, &mut |_| {
                Confirmation::Skipped
            });
        }
    }
}
