//! Incremental construction of a function.

use super::function::FunctionParts;
use super::{
    EdgeData, EdgeId, Function, NodeData, NodeId, RegData, RegId, Span, Step, handle_count,
};
use indexmap::IndexMap;
use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};

/// Collects registers, nodes and edges, and gives a [`Function`].
///
/// Names of registers and of nodes are made unique: the second `x` becomes `x#1`. Nothing else
/// is checked here; that is `verify`'s matter.
///
/// ```
/// use compact_se_flowgraph::{Action, FunctionBuilder, Span, Step};
///
/// let mut builder = FunctionBuilder::new("f");
/// let start = builder.add_node("start", Span::UNKNOWN);
/// let end = builder.add_node("end", Span::UNKNOWN);
/// builder.add_edge(start, end, vec![Step::new(Action::Return(None), Span::UNKNOWN)]);
/// let function = builder.finish();
/// assert_eq!(function.out_edges(function.entry).len(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct FunctionBuilder {
    name: String,
    params: Vec<RegId>,
    regs: Vec<RegData>,
    result_bits: Option<u32>,
    entry: NodeId,
    graph: DiGraph<NodeData, EdgeData>,
    node_names: Names,
    reg_names: Names,
}

impl FunctionBuilder {
    /// A function without parameters and result.
    ///
    /// ```
    /// use compact_se_flowgraph::{FunctionBuilder, Span};
    /// let mut function = FunctionBuilder::new("f");
    /// let first = function.add_node("n", Span::UNKNOWN);
    /// let second = function.add_node("n", Span::UNKNOWN); // gets a name of its own
    /// function.add_edge(first, second, Vec::new());
    /// assert_eq!((function.n_nodes(), function.n_edges()), (2, 1));
    /// ```
    #[must_use]
    pub fn new(name: impl Into<String>) -> FunctionBuilder {
        FunctionBuilder {
            name: name.into(),
            params: Vec::new(),
            regs: Vec::new(),
            result_bits: None,
            entry: NodeId(0),
            graph: DiGraph::new(),
            node_names: Names::new(),
            reg_names: Names::new(),
        }
    }

    /// Bits of the result; `None` (the default) for `void`.
    pub fn set_result_bits(&mut self, bits: Option<u32>) {
        self.result_bits = bits;
    }

    /// Where a call enters; by default the first node.
    pub fn set_entry(&mut self, entry: NodeId) {
        self.entry = entry;
    }

    /// Replaces the list of parameters.
    pub fn set_params(&mut self, params: Vec<RegId>) {
        self.params = params;
    }

    /// A new register that is the next parameter; `bits` is its width.
    pub fn add_param(&mut self, name: &str, bits: u32, pointer: bool) -> RegId {
        let reg = self.add_reg(name, bits, pointer);
        self.params.push(reg);
        reg
    }

    /// A new register; `bits` is its width.
    pub fn add_reg(&mut self, name: &str, bits: u32, pointer: bool) -> RegId {
        let id = RegId(handle_count(self.regs.len()));
        let name = unique(&mut self.reg_names, name);
        self.regs.push(RegData {
            name,
            bits,
            pointer,
        });
        id
    }

    /// A new location.
    pub fn add_node(&mut self, name: &str, span: Span) -> NodeId {
        let name = unique(&mut self.node_names, name);
        node_id(self.graph.add_node(NodeData {
            name,
            span,
            loop_end: None,
        }))
    }

    /// A loop of the source begins at the location and ends with this line.
    ///
    /// # Panics
    /// If the node is not of this builder.
    pub fn set_loop_end(&mut self, node: NodeId, last_line: u32) {
        self.graph[NodeIndex::new(node.index())].loop_end = Some(last_line);
    }

    /// A location as in another function, without its edges.
    pub fn copy_node(&mut self, node: &NodeData) -> NodeId {
        let copied = self.add_node(&node.name, node.span);
        self.graph[NodeIndex::new(copied.index())].loop_end = node.loop_end;
        copied
    }

    /// A new edge with these steps, in order.
    ///
    /// # Panics
    /// If a node is not of this builder.
    pub fn add_edge(&mut self, from: NodeId, to: NodeId, steps: Vec<Step>) -> EdgeId {
        let edge = self.graph.add_edge(
            NodeIndex::new(from.index()),
            NodeIndex::new(to.index()),
            EdgeData { steps },
        );
        EdgeId(handle_count(edge.index()))
    }

    /// The steps of an edge that was already added, to append to them or to replace them.
    ///
    /// # Panics
    /// If the edge is not of this builder.
    pub fn steps_mut(&mut self, edge: EdgeId) -> &mut Vec<Step> {
        &mut self.graph[EdgeIndex::new(edge.index())].steps
    }

    #[must_use]
    pub fn n_nodes(&self) -> usize {
        self.graph.node_count()
    }

    #[must_use]
    pub fn n_edges(&self) -> usize {
        self.graph.edge_count()
    }

    /// The register's contents, e.g. its width.
    ///
    /// # Panics
    /// If the register is not of this builder.
    #[must_use]
    pub fn reg(&self, reg: RegId) -> &RegData {
        &self.regs[reg.index()]
    }

    /// The finished function.
    #[must_use]
    pub fn finish(self) -> Function {
        Function::from(FunctionParts {
            name: self.name,
            params: self.params,
            regs: self.regs,
            result_bits: self.result_bits,
            entry: self.entry,
            graph: self.graph,
        })
    }
}

fn node_id(index: NodeIndex) -> NodeId {
    NodeId(handle_count(index.index()))
}

/// Names in use, each with the number to try next behind it.
type Names = IndexMap<String, u32>;

/// Records `name`, with `#1`, `#2`, … behind it if it is taken, and returns it as recorded.
fn unique(names: &mut Names, name: &str) -> String {
    let mut candidate = name.to_owned();
    while names.contains_key(&candidate) {
        let number = names.entry(name.to_owned()).or_insert(1);
        candidate = format!("{name}#{number}");
        *number += 1;
    }
    names.insert(candidate.clone(), 1);
    candidate
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Action;

    fn step(action: Action) -> Vec<Step> {
        vec![Step::new(action, Span::UNKNOWN)]
    }

    #[test]
    fn edges_come_in_insertion_order() {
        let mut builder = FunctionBuilder::new("f");
        let [a, b, c] = ["a", "b", "c"].map(|name| builder.add_node(name, Span::UNKNOWN));
        let ab = builder.add_edge(a, b, Vec::new());
        let bc = builder.add_edge(b, c, Vec::new());
        let ac = builder.add_edge(a, c, Vec::new());
        let parallel = builder.add_edge(a, b, step(Action::Target));
        let function = builder.finish();
        assert_eq!(function.out_edges(a), [ab, ac, parallel]);
        assert_eq!(function.in_edges(b), [ab, parallel]);
        assert_eq!(function.in_edges(c), [bc, ac]);
        assert!(function.out_edges(c).is_empty());
        assert_eq!(function.endpoints(ac), (a, c));
        assert_eq!(function.edge(parallel).steps[0].action, Action::Target);
        assert_eq!(function.node_by_name("c"), Some(c));
    }

    #[test]
    fn names_become_unique() {
        let mut builder = FunctionBuilder::new("f");
        builder.add_reg("x", 8, false);
        builder.add_reg("x#1", 8, false);
        let third = builder.add_reg("x", 8, false);
        assert_eq!(builder.reg(third).name, "x#2");
    }

    #[test]
    fn serialised_functions_keep_their_access_lists() {
        let mut builder = FunctionBuilder::new("f");
        let a = builder.add_param("a", 32, false);
        let n = builder.add_node("n", Span::UNKNOWN);
        let e = builder.add_edge(
            n,
            n,
            step(Action::Input {
                dst: a,
                name: "i".into(),
                call: None,
                unwritten: false,
            }),
        );
        let function = builder.finish();
        let bytes = postcard::to_stdvec(&function).unwrap();
        let back: Function = postcard::from_bytes(&bytes).unwrap();
        assert_eq!(back, function);
        assert_eq!(back.out_edges(n), [e]);
    }
}
