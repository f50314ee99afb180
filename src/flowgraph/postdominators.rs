//! Post-dominators: where the paths that part at a branching meet again.
//!
//! A location post-dominates another if all paths from the latter to the end of the function pass through the
//! former. Paths that end earlier (a target, an abort, an unsupported operation) or never end are ignored: if
//! one arm of an `if` fails, the other one has no partner to meet.
//!
//! # Invariants
//! - The end of the function is where it returns; in a function that never returns, where it
//!   exits.

use super::{Action, BitSet, EdgeData, EndKind, Function, NodeId, handle_count};
use petgraph::algo::dominators;
use petgraph::graph::{DiGraph, NodeIndex};

/// Where ways meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meeting {
    /// At a location of the function.
    At(NodeId),
    /// Where its caller continues.
    AtReturn,
}

/// Immediate post-dominators of a function's locations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostDominators {
    meetings: Vec<Option<Meeting>>,
}

/// The locations between a branching and the meeting of its paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// Locations from the branching on, without that of the meeting.
    pub n_locations: usize,
    /// Whether a path may pass some location twice before it reaches the meeting.
    pub has_cycle: bool,
    /// Whether functions are called.
    pub has_call: bool,
}

impl PostDominators {
    pub(super) fn of(function: &Function) -> PostDominators {
        let returns =
            |edge: &EdgeData| has_action(edge, |action| matches!(action, Action::Return(_)));
        let exits = |edge: &EdgeData| {
            has_action(edge, |action| {
                matches!(action, Action::End(EndKind::Exit | EndKind::QuickExit))
            })
        };
        let has_return = (function.edge_ids()).any(|edge| returns(function.edge(edge)));
        let mut backwards: DiGraph<(), ()> = DiGraph::new();
        for _ in 0..=function.n_nodes() {
            backwards.add_node(());
        }
        let end = NodeIndex::new(function.n_nodes());
        for edge in function.edge_ids() {
            let (source, target) = function.endpoints(edge);
            let source = NodeIndex::new(source.index());
            let data = function.edge(edge);
            if returns(data) || (!has_return && exits(data)) {
                backwards.add_edge(end, source, ());
            } else if !has_action(data, ends_path) {
                backwards.add_edge(NodeIndex::new(target.index()), source, ());
            }
        }
        let tree = dominators::simple_fast(&backwards, end);
        let meetings = function.node_ids().map(|node| {
            let meeting = tree.immediate_dominator(NodeIndex::new(node.index()))?;
            Some(if meeting == end {
                Meeting::AtReturn
            } else {
                Meeting::At(NodeId(handle_count(meeting.index())))
            })
        });
        PostDominators {
            meetings: meetings.collect(),
        }
    }

    /// The closest location, other than `node`, on all ways from `node` to the end of the
    /// function; `None` where no way leads there.
    ///
    /// # Panics
    /// If the location is not of the function.
    #[must_use]
    pub fn immediate(&self, node: NodeId) -> Option<Meeting> {
        self.meetings[node.index()]
    }

    /// What lies between a branching and the meeting of its ways; `None` if they do not meet, or
    /// if there are more locations than `most`.
    #[must_use]
    pub fn extent(&self, function: &Function, node: NodeId, most: usize) -> Option<Extent> {
        let meeting = self.immediate(node)?;
        let mut extent = Extent {
            n_locations: 1,
            has_cycle: false,
            has_call: false,
        };
        let mut seen = BitSet::new(function.n_nodes());
        let mut on_path = BitSet::new(function.n_nodes());
        seen.insert(node.index());
        on_path.insert(node.index());
        // Location and position of the out-edge to look at next.
        let mut path = vec![(node, 0)];
        while let Some((node, position)) = path.last_mut() {
            let Some(&edge) = function.out_edges(*node).get(*position) else {
                on_path.remove(node.index());
                path.pop();
                continue;
            };
            *position += 1;
            let data = function.edge(edge);
            extent.has_call |= has_action(data, |action| matches!(action, Action::Call { .. }));
            let target = function.target(edge);
            if has_action(data, |action| action.leaves_function() || ends_path(action))
                || meeting == Meeting::At(target)
            {
                continue;
            }
            if on_path.contains(target.index()) {
                extent.has_cycle = true;
            } else if seen.insert(target.index()) {
                extent.n_locations += 1;
                if extent.n_locations > most {
                    return None;
                }
                on_path.insert(target.index());
                path.push((target, 0));
            }
        }
        Some(extent)
    }
}

fn has_action(edge: &EdgeData, is_such: impl Fn(&Action) -> bool) -> bool {
    edge.steps.iter().any(|step| is_such(&step.action))
}

/// Whether no path continues behind the action, in this function or another.
fn ends_path(action: &Action) -> bool {
    matches!(
        action,
        Action::End(_) | Action::Unsupported(_) | Action::Target
    )
}
