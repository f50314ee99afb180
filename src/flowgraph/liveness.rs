//! Liveness: the registers whose values still matter at a location.
//!
//! A register is live at a location if its value there can influence a condition, a memory access, a call, a
//! result or an input on some path from there. Expressions have no side effects, so an assignment to a dead
//! register makes nothing live: a counter that is used only to increment itself is dead everywhere (*strong*
//! liveness). Loads are different: a load to a dead register still needs its address, since the access itself
//! may fail.
//!
//! # Invariants
//! - The least solution of the backward equations over all edges; nothing is live where paths end, and
//!   nothing of this function after a return.

use super::{Action, BitSet, EdgeData, Function, NodeId, RegId, Step};

/// The live registers of each location of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Liveness {
    live: Vec<BitSet>,
}

impl Liveness {
    /// Computes the least solution with a work list.
    pub(super) fn of(function: &Function) -> Liveness {
        let mut live = vec![BitSet::new(function.regs.len()); function.n_nodes()];
        let mut waiting = BitSet::new(function.n_nodes());
        let mut pending: Vec<NodeId> = function.node_ids().collect();
        for node in &pending {
            waiting.insert(node.index());
        }
        while let Some(node) = pending.pop() {
            waiting.remove(node.index());
            let mut here = BitSet::new(function.regs.len());
            for &edge in function.out_edges(node) {
                let mut along = live[function.target(edge).index()].clone();
                before_edge(function.edge(edge), &mut along);
                here.union_with(&along);
            }
            if live[node.index()].union_with(&here) {
                for &edge in function.in_edges(node) {
                    let source = function.source(edge);
                    if waiting.insert(source.index()) {
                        pending.push(source);
                    }
                }
            }
        }
        Liveness { live }
    }

    /// The registers live on entry of the location, by [`RegId::index`].
    ///
    /// # Panics
    /// If the location is not of the function; so do the other methods.
    #[must_use]
    pub fn at(&self, node: NodeId) -> &BitSet {
        &self.live[node.index()]
    }

    /// The same for a function that has further locations and registers behind the known ones; `also` gives
    /// further registers that are live at a location.
    #[must_use]
    pub fn extended(&self, function: &Function, also: impl Fn(NodeId) -> Vec<RegId>) -> Liveness {
        let nodes = function.node_ids();
        let live = nodes.map(|node| {
            let mut here = BitSet::new(function.regs.len());
            let known = self.live.get(node.index());
            let further = also(node).into_iter().map(RegId::index);
            for reg in known.into_iter().flat_map(BitSet::iter).chain(further) {
                here.insert(reg);
            }
            here
        });
        Liveness {
            live: live.collect(),
        }
    }

    #[must_use]
    pub fn is_live(&self, node: NodeId, reg: RegId) -> bool {
        self.at(node).contains(reg.index())
    }

    /// The registers live on entry of the location, ascending.
    pub fn regs_at<'a>(
        &'a self,
        function: &Function,
        node: NodeId,
    ) -> impl Iterator<Item = RegId> + 'a {
        let regs = function.reg_ids();
        regs.filter(move |&reg| self.is_live(node, reg))
    }
}

/// Turns what is live behind an edge into what is live before it.
pub fn before_edge(edge: &EdgeData, live: &mut BitSet) {
    for step in edge.steps.iter().rev() {
        before_step(step, live);
    }
}

/// Turns what is live behind a step into what is live before it.
pub fn before_step(step: &Step, live: &mut BitSet) {
    let action = &step.action;
    match action {
        Action::Assign(pairs) => {
            // All right-hand sides are evaluated first, so all targets go before any use comes.
            let mut needed = Vec::new();
            for (dst, value) in pairs {
                if live.contains(dst.index()) {
                    needed.push(value);
                }
            }
            for (dst, _) in pairs {
                live.remove(dst.index());
            }
            for value in needed {
                value.for_each_reg(&mut |reg| {
                    live.insert(reg.index());
                });
            }
        }
        Action::Return(_) | Action::End(_) | Action::Unsupported(_) => {
            live.clear();
            action.for_each_use(&mut |reg| {
                live.insert(reg.index());
            });
        }
        Action::Assume(_)
        | Action::Load { .. }
        | Action::Store { .. }
        | Action::Alloca { .. }
        | Action::Input { .. }
        | Action::Call { .. }
        | Action::Builtin { .. }
        | Action::Target
        | Action::Cut
        | Action::Goal(_) => {
            action.for_each_def(&mut |reg| {
                live.remove(reg.index());
            });
            action.for_each_use(&mut |reg| {
                live.insert(reg.index());
            });
        }
    }
}
