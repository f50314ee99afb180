//! A function and fast read access to its flowgraph.
//!
//! # Invariants
//! - Nodes, edges and registers are numbered in the order in which they were added.
//! - `out_edges` and `in_edges` list edges in that order too (petgraph's own iterators run
//!   backwards); the lists always agree with the graph, since a built function never changes.

use super::facts::FunctionFacts;
use super::{EdgeData, EdgeId, NodeData, NodeId, RegData, RegId, handle_count};
use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::visit::EdgeRef;
use serde::{Deserialize, Serialize};

/// A function with its flowgraph; made by a [`FunctionBuilder`](super::FunctionBuilder).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "FunctionParts")]
pub struct Function {
    pub name: String,
    pub params: Vec<RegId>,
    /// Indexed by [`RegId`].
    pub regs: Vec<RegData>,
    /// Bits of the result; `None` for `void`.
    pub result_bits: Option<u32>,
    /// Where a call enters.
    pub entry: NodeId,
    graph: DiGraph<NodeData, EdgeData>,
    #[serde(skip)]
    outgoing: Adjacency,
    #[serde(skip)]
    incoming: Adjacency,
    #[serde(skip)]
    pub(super) facts: FunctionFacts,
}

/// What of a function is stored and sent; the rest is computed from it. The fields are those of
/// [`Function`] that are serialised, in the same order.
#[derive(Deserialize)]
pub(super) struct FunctionParts {
    pub(super) name: String,
    pub(super) params: Vec<RegId>,
    pub(super) regs: Vec<RegData>,
    pub(super) result_bits: Option<u32>,
    pub(super) entry: NodeId,
    pub(super) graph: DiGraph<NodeData, EdgeData>,
}

impl From<FunctionParts> for Function {
    fn from(parts: FunctionParts) -> Function {
        let n_nodes = parts.graph.node_count();
        let ends = |pick: fn((NodeIndex, NodeIndex)) -> NodeIndex| {
            parts
                .graph
                .edge_references()
                .map(move |edge| pick((edge.source(), edge.target())).index())
        };
        Function {
            outgoing: Adjacency::new(n_nodes, ends(|(source, _)| source)),
            incoming: Adjacency::new(n_nodes, ends(|(_, target)| target)),
            name: parts.name,
            params: parts.params,
            regs: parts.regs,
            result_bits: parts.result_bits,
            entry: parts.entry,
            graph: parts.graph,
            facts: FunctionFacts::default(),
        }
    }
}

/// Edges by node: those of node `n` are `edges[first[n]..first[n + 1]]`, ascending.
#[derive(Clone, Debug, Default)]
struct Adjacency {
    first: Vec<u32>,
    edges: Vec<EdgeId>,
}

impl Adjacency {
    /// `node_of_edge` gives the node that each edge belongs to, in the order of the edges.
    fn new(n_nodes: usize, node_of_edge: impl Iterator<Item = usize> + Clone) -> Adjacency {
        let mut first = vec![0u32; n_nodes + 1];
        let mut n_edges = 0;
        for node in node_of_edge.clone() {
            first[node + 1] += 1;
            n_edges += 1;
        }
        for node in 0..n_nodes {
            first[node + 1] += first[node];
        }
        let mut next = first.clone();
        let mut edges = vec![EdgeId(0); n_edges];
        for (edge, node) in (0..).zip(node_of_edge) {
            edges[next[node] as usize] = EdgeId(edge);
            next[node] += 1;
        }
        Adjacency { first, edges }
    }

    fn of(&self, node: NodeId) -> &[EdgeId] {
        let index = node.index();
        &self.edges[self.first[index] as usize..self.first[index + 1] as usize]
    }
}

impl Function {
    /// # Panics
    /// If the handle is not of this function; so do all methods here that take a handle.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &NodeData {
        &self.graph[NodeIndex::new(id.index())]
    }

    #[must_use]
    pub fn edge(&self, id: EdgeId) -> &EdgeData {
        &self.graph[EdgeIndex::new(id.index())]
    }

    #[must_use]
    pub fn reg(&self, id: RegId) -> &RegData {
        &self.regs[id.index()]
    }

    /// Source and target of an edge.
    #[must_use]
    pub fn endpoints(&self, id: EdgeId) -> (NodeId, NodeId) {
        (self.source(id), self.target(id))
    }

    #[must_use]
    pub fn source(&self, id: EdgeId) -> NodeId {
        let edge = &self.graph.raw_edges()[id.index()];
        NodeId(handle_count(edge.source().index()))
    }

    #[must_use]
    pub fn target(&self, id: EdgeId) -> NodeId {
        let edge = &self.graph.raw_edges()[id.index()];
        NodeId(handle_count(edge.target().index()))
    }

    /// Edges that leave the node, in the order in which they were added.
    #[must_use]
    pub fn out_edges(&self, id: NodeId) -> &[EdgeId] {
        self.outgoing.of(id)
    }

    /// Edges that come into the node, in the order in which they were added.
    #[must_use]
    pub fn in_edges(&self, id: NodeId) -> &[EdgeId] {
        self.incoming.of(id)
    }

    #[must_use]
    pub fn n_nodes(&self) -> usize {
        self.graph.node_count()
    }

    #[must_use]
    pub fn n_edges(&self) -> usize {
        self.graph.edge_count()
    }

    /// All nodes, ascending.
    pub fn node_ids(&self) -> impl ExactSizeIterator<Item = NodeId> + DoubleEndedIterator + use<> {
        (0..handle_count(self.n_nodes())).map(NodeId)
    }

    /// All edges, ascending.
    pub fn edge_ids(&self) -> impl ExactSizeIterator<Item = EdgeId> + DoubleEndedIterator + use<> {
        (0..handle_count(self.n_edges())).map(EdgeId)
    }

    /// All registers, ascending.
    pub fn reg_ids(&self) -> impl ExactSizeIterator<Item = RegId> + use<> {
        (0..handle_count(self.regs.len())).map(RegId)
    }

    /// The node of this name; names are unique in a verified function.
    #[must_use]
    pub fn node_by_name(&self, name: &str) -> Option<NodeId> {
        self.node_ids().find(|&id| self.node(id).name == name)
    }

    /// The register of this name; names are unique in a verified function.
    #[must_use]
    pub fn reg_by_name(&self, name: &str) -> Option<RegId> {
        self.reg_ids().find(|&id| self.reg(id).name == name)
    }

    /// The graph itself, for petgraph's algorithms; its indices are those of the handles.
    #[must_use]
    pub fn graph(&self) -> &DiGraph<NodeData, EdgeData> {
        &self.graph
    }
}

/// Same tables and the same graph, numbering included.
impl PartialEq for Function {
    fn eq(&self, other: &Function) -> bool {
        self.name == other.name
            && self.params == other.params
            && self.regs == other.regs
            && self.result_bits == other.result_bits
            && self.entry == other.entry
            && self.n_nodes() == other.n_nodes()
            && self.n_edges() == other.n_edges()
            && self.node_ids().all(|id| self.node(id) == other.node(id))
            && self.edge_ids().all(|id| {
                self.endpoints(id) == other.endpoints(id) && self.edge(id) == other.edge(id)
            })
    }
}
