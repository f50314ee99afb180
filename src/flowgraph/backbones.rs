//! Backbones, the loops along them, and the flowgraphs that these induce.
//!
//! A *backbone* is an acyclic path. Along a backbone with the prefix α·v there is a *loop* at its
//! *entry* v if v is on a cyclic path that meets no node of α; the loop is all nodes of these
//! paths. The flowgraph P(C, v) *induced* by a loop C with entry v is the subgraph of C in which
//! edges to v lead to a new end v′, so that its complete paths are the iterations of the loop.
//!
//! The same header may have different loops along different backbones: a loop with two entries needs no
//! special treatment.
//!
//! # Invariants
//! - A backbone visits no node twice; of several edges between two nodes each gives one.
//! - Backbones come in the order of a depth-first search along [`Function::out_edges`].
//! - The nodes of an induced flowgraph are on cyclic paths through its start.
//!
//! # Deliberately absent
//! No effects of paths: see the room `necessary`.
//!
//! # Source
//! Strejček, Trtík, *Abstracting Path Conditions*, ISSTA 2012, Sections 2 and 3.1.

use super::{BitSet, EdgeId, Function, NodeId, handle_count};

/// A flowgraph whose complete paths are examined: that of a function, or one induced by a loop.
#[derive(Clone, Debug)]
pub struct Induced<'f> {
    function: &'f Function,
    start: NodeId,
    /// The loop C; `None` for the whole function.
    body: Option<BitSet>,
}

impl<'f> Induced<'f> {
    /// The flowgraph of a function, from its entry.
    #[must_use]
    pub fn whole(function: &'f Function) -> Induced<'f> {
        Induced {
            function,
            start: function.entry,
            body: None,
        }
    }

    /// The flowgraph of a function from one of its nodes on.
    #[must_use]
    pub fn from(function: &'f Function, start: NodeId) -> Induced<'f> {
        Induced {
            function,
            start,
            body: None,
        }
    }

    /// The function whose nodes and edges these are.
    #[must_use]
    pub fn function(&self) -> &'f Function {
        self.function
    }

    /// Where complete paths start: v.
    #[must_use]
    pub fn start(&self) -> NodeId {
        self.start
    }

    /// The nodes of the loop C, by [`NodeId::index`]; `None` for a whole function.
    #[must_use]
    pub fn body(&self) -> Option<&BitSet> {
        self.body.as_ref()
    }

    /// Whether this flowgraph is induced by a loop.
    #[must_use]
    pub fn is_loop(&self) -> bool {
        self.body.is_some()
    }

    /// Whether an edge leads to v′, the end of an induced flowgraph.
    #[must_use]
    pub fn leads_to_end(&self, edge: EdgeId) -> bool {
        self.is_loop() && self.function.target(edge) == self.start
    }

    /// The edges from a node that are in this flowgraph, in the function's order.
    pub fn out_edges(&self, node: NodeId) -> impl Iterator<Item = EdgeId> + '_ {
        let edges = self.function.out_edges(node).iter().copied();
        edges.filter(|edge| self.has_node(self.function.target(*edge)))
    }

    fn has_node(&self, node: NodeId) -> bool {
        (self.body.as_ref()).is_none_or(|body| body.contains(node.index()))
    }

    /// The nodes to which paths from `node` lead that meet none of `before`, `node` included.
    #[must_use]
    pub fn reachable(&self, before: &BitSet, node: NodeId) -> BitSet {
        self.search(before, node, |node, visit| {
            self.out_edges(node)
                .for_each(|edge| visit(self.function.target(edge)));
        })
    }

    /// The flowgraph P(C, node) induced by the loop C at `node` along a backbone of this
    /// flowgraph with the prefix α·node; `before` has the nodes of α.
    #[must_use]
    pub fn loop_along(&self, before: &BitSet, node: NodeId) -> Option<Induced<'f>> {
        let after = self.reachable(before, node);
        let back = self.search(before, node, |node, visit| {
            let edges = self.function.in_edges(node).iter();
            let sources = edges.map(|edge| self.function.source(*edge));
            sources
                .filter(|source| self.has_node(*source))
                .for_each(visit);
        });
        let mut body = BitSet::new(self.function.n_nodes());
        for index in after.iter().filter(|index| back.contains(*index)) {
            body.insert(index);
        }
        let induced = Induced {
            function: self.function,
            start: node,
            body: Some(body),
        };
        let has_cycle = induced.out_edges(node).next().is_some();
        has_cycle.then_some(induced)
    }

    /// Nodes found from `node` by `neighbours`, without those of `before`. Of an induced flowgraph
    /// `before` has the start: behind an edge to it there is v′.
    fn search(
        &self,
        before: &BitSet,
        node: NodeId,
        neighbours: impl Fn(NodeId, &mut dyn FnMut(NodeId)),
    ) -> BitSet {
        let mut found = BitSet::new(self.function.n_nodes());
        found.insert(node.index());
        let mut pending = vec![node];
        while let Some(node) = pending.pop() {
            neighbours(node, &mut |next| {
                if !before.contains(next.index()) && found.insert(next.index()) {
                    pending.push(next);
                }
            });
        }
        found
    }

    /// The backbones that end with an edge of which `is_last` holds, at most so many; none is
    /// complete before. For an induced flowgraph `is_last` is usually
    /// [`Induced::leads_to_end`].
    #[must_use]
    pub fn backbones(&self, is_last: &dyn Fn(EdgeId) -> bool, most: usize) -> Backbones {
        let mut found = Backbones::default();
        let mut before = BitSet::new(self.function.n_nodes());
        before.insert(self.start.index());
        let mut path: Vec<EdgeId> = Vec::new();
        let edges_of = |node| self.out_edges(node).collect::<Vec<_>>().into_iter();
        let mut open = vec![edges_of(self.start)];
        while let Some(edges) = open.last_mut() {
            let Some(edge) = edges.next() else {
                open.pop();
                if let Some(edge) = path.pop() {
                    before.remove(self.function.target(edge).index());
                }
                continue;
            };
            if is_last(edge) {
                if found.paths.len() == most {
                    found.cut = true;
                    break;
                }
                found
                    .paths
                    .push(path.iter().copied().chain([edge]).collect());
                continue;
            }
            let target = self.function.target(edge);
            if before.insert(target.index()) {
                path.push(edge);
                open.push(edges_of(target));
            }
        }
        found
    }

    /// The loops along a backbone of this flowgraph, in the order of their entries. The first
    /// node has none: nothing leads to a start.
    #[must_use]
    pub fn loops_along(&self, backbone: &[EdgeId]) -> Vec<Induced<'f>> {
        let mut before = BitSet::new(self.function.n_nodes());
        before.insert(self.start.index());
        let mut loops = Vec::new();
        for edge in backbone {
            let node = self.function.target(*edge);
            if before.contains(node.index()) {
                // v′ of an induced flowgraph.
                continue;
            }
            loops.extend(self.loop_along(&before, node));
            before.insert(node.index());
        }
        loops
    }

    /// The nodes of the loop, or of the function, ascending.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        let all = 0..self.function.n_nodes();
        all.map(|index| NodeId(handle_count(index)))
            .filter(|node| self.has_node(*node))
    }

    /// The names of the nodes of a backbone; v′ is the start's name with a stroke.
    #[must_use]
    pub fn names(&self, backbone: &[EdgeId]) -> Vec<String> {
        let name = |node: NodeId| self.function.node(node).name.clone();
        let first = backbone.first().map(|edge| self.function.source(*edge));
        let targets = backbone.iter().map(|edge| {
            let target = name(self.function.target(*edge));
            if self.leads_to_end(*edge) {
                format!("{target}′")
            } else {
                target
            }
        });
        first.map(name).into_iter().chain(targets).collect()
    }
}

/// Backbones, each as its edges in order.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Backbones {
    pub paths: Vec<Vec<EdgeId>>,
    /// Whether there are more.
    pub cut: bool,
}
