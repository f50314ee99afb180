//! Program loops: dominators, natural loops and their nesting.
//!
//! A *back edge* leads to a location that dominates its source, the loop's header; the body of a natural loop
//! is all locations from which a back edge of its header is reached without passing the header. Loops serve
//! reports, search orders and summaries; templates work on the cycles of Definition 1, which need no header.
//!
//! # Invariants
//! - One loop per header. Two bodies are disjoint or one contains the other.
//! - Loops are numbered by header, ascending; a loop's `parent` is the smallest loop that
//!   properly contains it, its `depth` 1 without parent.
//! - A cyclic path that contains no back edge contains an edge of `irreducible`.

use super::{BitSet, EdgeId, Function, NodeData, NodeId, Span, handle_count};
use petgraph::algo::dominators;
use petgraph::graph::NodeIndex;

/// Immediate dominators from the function's entry.
#[derive(Clone, Debug)]
pub struct Dominators {
    tree: dominators::Dominators<NodeIndex>,
}

impl Dominators {
    #[must_use]
    pub fn of(function: &Function) -> Dominators {
        let entry = NodeIndex::new(function.entry.index());
        Dominators {
            tree: dominators::simple_fast(function.graph(), entry),
        }
    }

    /// The closest location, other than `node`, on all paths from the entry to `node`; none for
    /// the entry and for locations that are not reachable.
    #[must_use]
    pub fn immediate(&self, node: NodeId) -> Option<NodeId> {
        self.tree
            .immediate_dominator(NodeIndex::new(node.index()))
            .map(|index| NodeId(handle_count(index.index())))
    }

    /// Whether all paths from the entry to `node` pass `by`; a reachable location dominates
    /// itself, and locations that are not reachable have no dominators.
    #[must_use]
    pub fn dominates(&self, by: NodeId, node: NodeId) -> bool {
        self.tree
            .dominators(NodeIndex::new(node.index()))
            .is_some_and(|mut all| all.any(|index| index.index() == by.index()))
    }
}

/// Position of a loop in [`LoopNest::loops`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoopId(pub u32);

impl LoopId {
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A natural loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    pub header: NodeId,
    /// By [`NodeId::index`]; contains the header and the bodies of inner loops.
    pub body: BitSet,
    /// Edges from the body to the header, ascending.
    pub back_edges: Vec<EdgeId>,
    /// Edges that leave the body, ascending.
    pub exit_edges: Vec<EdgeId>,
    pub parent: Option<LoopId>,
    /// 1 for an outermost loop.
    pub depth: u32,
    /// Where the loop is in the source, if anything in it says so.
    pub lines: Option<LineRange>,
}

/// Lines of one source file, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineRange {
    /// Index into [`Program::files`](super::Program::files).
    pub file: u32,
    pub first: u32,
    pub last: u32,
}

/// The natural loops of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopNest {
    pub loops: Vec<Loop>,
    /// Edges that make cyclic paths without being back edges: they lead to a location that was
    /// met before on a depth-first path and does not dominate them. Empty for `for`, `while` and
    /// `do`; `goto` into a loop makes such edges.
    pub irreducible: Vec<EdgeId>,
    innermost: Vec<Option<LoopId>>,
}

impl LoopNest {
    pub(super) fn of(function: &Function) -> LoopNest {
        let dominators = Dominators::of(function);
        let (retreating, reachable) = depth_first(function);
        let mut irreducible = Vec::new();
        let mut back_edges: Vec<Vec<EdgeId>> = vec![Vec::new(); function.n_nodes()];
        for edge in retreating {
            let (source, header) = function.endpoints(edge);
            if dominators.dominates(header, source) {
                back_edges[header.index()].push(edge);
            } else {
                irreducible.push(edge);
            }
        }
        irreducible.sort_unstable();
        let mut loops: Vec<Loop> = function
            .node_ids()
            .zip(back_edges)
            .filter(|(_, edges)| !edges.is_empty())
            .map(|(header, mut edges)| {
                edges.sort_unstable();
                natural_loop(function, &reachable, header, edges)
            })
            .collect();
        let innermost = nest(function, &mut loops);
        LoopNest {
            loops,
            irreducible,
            innermost,
        }
    }

    /// The smallest loop around the location.
    ///
    /// # Panics
    /// If the location is not of the function.
    #[must_use]
    pub fn innermost(&self, node: NodeId) -> Option<LoopId> {
        self.innermost[node.index()]
    }

    /// The loop with this header.
    #[must_use]
    pub fn by_header(&self, header: NodeId) -> Option<LoopId> {
        self.loops
            .binary_search_by_key(&header, |natural| natural.header)
            .ok()
            .map(|index| LoopId(handle_count(index)))
    }

    /// The headers of the loops around a location, the outermost first; of a loop's header, those of
    /// the loops around that loop.
    #[must_use]
    pub fn headers_around(&self, node: NodeId) -> Vec<NodeId> {
        let mut headers = Vec::new();
        let mut next = self.innermost(node);
        while let Some(id) = next {
            let natural = &self.loops[id.index()];
            if natural.header != node {
                headers.push(natural.header);
            }
            next = natural.parent;
        }
        headers.reverse();
        headers
    }

    /// How many loops are around the location; 0 outside all.
    #[must_use]
    pub fn depth(&self, node: NodeId) -> u32 {
        self.innermost(node)
            .map_or(0, |id| self.loops[id.index()].depth)
    }
}

/// Edges to a location on the current path of a depth-first search from the entry, and the
/// locations met. Every cyclic path of reachable locations contains such an edge.
fn depth_first(function: &Function) -> (Vec<EdgeId>, BitSet) {
    let mut found = Vec::new();
    let mut seen = BitSet::new(function.n_nodes());
    let mut on_path = BitSet::new(function.n_nodes());
    seen.insert(function.entry.index());
    on_path.insert(function.entry.index());
    // Location and position of the out-edge to look at next.
    let mut path = vec![(function.entry, 0)];
    while let Some((node, position)) = path.last_mut() {
        let Some(&edge) = function.out_edges(*node).get(*position) else {
            on_path.remove(node.index());
            path.pop();
            continue;
        };
        *position += 1;
        let target = function.target(edge);
        if on_path.contains(target.index()) {
            found.push(edge);
        } else if seen.insert(target.index()) {
            on_path.insert(target.index());
            path.push((target, 0));
        }
    }
    (found, seen)
}

fn natural_loop(
    function: &Function,
    reachable: &BitSet,
    header: NodeId,
    back_edges: Vec<EdgeId>,
) -> Loop {
    let mut body = BitSet::new(function.n_nodes());
    body.insert(header.index());
    let mut pending: Vec<NodeId> = back_edges
        .iter()
        .map(|&edge| function.source(edge))
        .collect();
    while let Some(node) = pending.pop() {
        if reachable.contains(node.index()) && body.insert(node.index()) {
            let into = function.in_edges(node).iter();
            pending.extend(into.map(|&edge| function.source(edge)));
        }
    }
    let mut exit_edges = Vec::new();
    let mut lines = Lines::new(function.node(header));
    for index in body.iter() {
        let node = NodeId(handle_count(index));
        lines.add(function.node(node).span);
        for &edge in function.out_edges(node) {
            if body.contains(function.target(edge).index()) {
                for step in &function.edge(edge).steps {
                    lines.add(step.span);
                }
            } else {
                exit_edges.push(edge);
            }
        }
    }
    exit_edges.sort_unstable();
    Loop {
        header,
        body,
        back_edges,
        exit_edges,
        parent: None,
        depth: 0,
        lines: lines.range,
    }
}

/// Sets parents and depths; gives the innermost loop of each location.
fn nest(function: &Function, loops: &mut [Loop]) -> Vec<Option<LoopId>> {
    // Larger bodies first, so that the last loop written at a location is its innermost one.
    let mut order: Vec<usize> = (0..loops.len()).collect();
    order.sort_by_key(|&index| (std::cmp::Reverse(loops[index].body.len()), index));
    let mut innermost: Vec<Option<LoopId>> = vec![None; function.n_nodes()];
    for index in order {
        let parent = innermost[loops[index].header.index()];
        loops[index].depth = parent.map_or(0, |id| loops[id.index()].depth) + 1;
        loops[index].parent = parent;
        for node in loops[index].body.iter() {
            innermost[node] = Some(LoopId(handle_count(index)));
        }
    }
    innermost
}

/// Collects lines of one file: that of the first span with a line. Where the loop stands in the source is
/// known of most, and what is inlined into it stands elsewhere.
struct Lines {
    range: Option<LineRange>,
    is_known: bool,
}

impl Lines {
    fn new(header: &NodeData) -> Lines {
        let mut lines = Lines {
            range: None,
            is_known: false,
        };
        lines.add(header.span);
        if let Some((range, last)) = lines.range.as_mut().zip(header.loop_end) {
            range.last = range.last.max(last);
            lines.is_known = true;
        }
        lines
    }

    fn add(&mut self, span: Span) {
        if span.line == 0 || self.is_known {
            return;
        }
        match &mut self.range {
            None => {
                self.range = Some(LineRange {
                    file: span.file,
                    first: span.line,
                    last: span.line,
                });
            }
            Some(range) if range.file == span.file => {
                range.first = range.first.min(span.line);
                range.last = range.last.max(span.line);
            }
            Some(_) => {}
        }
    }
}
