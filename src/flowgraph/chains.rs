//! Chain program form: a program as pieces of straight-line code (*chains*).
//!
//! A *root chain* is a simple path from the start to a last edge. A *subchain* is a simple path from a node
//! back to it that meets no node before it on the enclosing chains: one path through a loop. The node is a
//! *loop node* of the chains through it: there the subchains associated to it may be executed any number of
//! times and in any order.
//!
//! ```text
//! root chains --loop nodes--> subchains --loop nodes--> subchains …
//! ```
//!
//! Root chains are backbones of the function, subchains those of the flowgraphs induced by loops along them;
//! this module adds the association of chains with nodes. Chains with a common prefix share the subchains of
//! that prefix.
//!
//! # Invariants (checked by [`ChainForm::check`])
//! - No chain visits a node twice, except that a subchain ends where it began. So each instruction occurs in
//!   a chain at most once: static single assignment is preserved (Theorem 1).
//! - No node of a subchain except its first is on an enclosing chain before its loop node. So only one
//!   execution of each enclosing chain is active at a time, and each counter has one reset chain (Lemma 1).
//!
//! # Deliberately absent
//! No values and no counters: see the rooms `necessary` and `navigation`.
//!
//! # Source
//! Obdržálek, Trtík, *Efficient Loop Navigation for Symbolic Execution*, ATVA 2011, Section 3.1.

use super::{Action, BitSet, EdgeId, Function, Induced, NodeId, Program, handle_count};
use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write;

/// A chain, numbered from 0: root chains first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ChainId(pub u32);

impl ChainId {
    /// Position in [`ChainForm::chains`].
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::fmt::Display for ChainId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "c{}", self.0)
    }
}

/// A chain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chain {
    /// The edges from the start to its loop node, along the chains around it; `None` for a root
    /// chain.
    pub prefix: Option<Vec<EdgeId>>,
    pub edges: Vec<EdgeId>,
    /// Along it, in order.
    pub loops: Vec<LoopNode>,
}

/// A node where subchains may be executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopNode {
    pub node: NodeId,
    /// So many edges of the chain come before it.
    pub at: usize,
    /// Associated to it.
    pub chains: Vec<ChainId>,
}

/// A function in chain program form.
#[derive(Clone, Debug)]
pub struct ChainForm<'f> {
    function: &'f Function,
    chains: Vec<Chain>,
    n_root: usize,
    /// Whether there are more chains.
    cut: bool,
}

impl Chain {
    /// Whether it is a root chain.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.prefix.is_none()
    }
}

impl<'f> ChainForm<'f> {
    /// The chains of a function up to the edges of which `is_last` holds, at most so many.
    #[must_use]
    pub fn of(
        function: &'f Function,
        is_last: &dyn Fn(EdgeId) -> bool,
        most: usize,
    ) -> ChainForm<'f> {
        let whole = Induced::whole(function);
        let roots = whole.backbones(is_last, most);
        let mut form = ChainForm {
            function,
            chains: Vec::new(),
            n_root: roots.paths.len(),
            cut: roots.cut,
        };
        // Flowgraphs of the chains whose loops are still to be examined.
        let mut pending: VecDeque<(ChainId, Induced)> = VecDeque::new();
        for edges in roots.paths {
            pending.push_back((form.add(None, edges), whole.clone()));
        }
        // Chains with the same beginning have the same subchains there.
        let mut known: BTreeMap<Vec<EdgeId>, Vec<ChainId>> = BTreeMap::new();
        while let Some((id, flowgraph)) = pending.pop_front() {
            let edges = form.chain(id).edges.clone();
            for induced in flowgraph.loops_along(&edges) {
                let node = induced.start();
                let last = edges.iter().position(|edge| function.target(*edge) == node);
                let at = last.map_or(0, |last| last + 1);
                let mut prefix = form.chain(id).prefix.clone().unwrap_or_default();
                prefix.extend(&edges[..at]);
                let chains = match known.get(&prefix) {
                    Some(chains) => chains.clone(),
                    None => {
                        let left = most.saturating_sub(form.chains.len());
                        let found = induced.backbones(&|edge| induced.leads_to_end(edge), left);
                        form.cut |= found.cut;
                        let chains: Vec<ChainId> = found
                            .paths
                            .into_iter()
                            .map(|edges| form.add(Some(prefix.clone()), edges))
                            .collect();
                        for chain in &chains {
                            pending.push_back((*chain, induced.clone()));
                        }
                        known.insert(prefix, chains.clone());
                        chains
                    }
                };
                let chain = &mut form.chains[id.index()];
                chain.loops.push(LoopNode { node, at, chains });
            }
        }
        debug_assert!(form.check().is_ok(), "{:?}", form.check());
        form
    }

    fn add(&mut self, prefix: Option<Vec<EdgeId>>, edges: Vec<EdgeId>) -> ChainId {
        let id = ChainId(handle_count(self.chains.len()));
        self.chains.push(Chain {
            prefix,
            edges,
            loops: Vec::new(),
        });
        id
    }

    /// The chain behind a number.
    ///
    /// # Panics
    /// If it is not of this form.
    #[must_use]
    pub fn chain(&self, id: ChainId) -> &Chain {
        &self.chains[id.index()]
    }

    /// All chains, root chains first.
    pub fn chains(&self) -> impl ExactSizeIterator<Item = (ChainId, &Chain)> {
        self.chains
            .iter()
            .enumerate()
            .map(|(index, chain)| (ChainId(handle_count(index)), chain))
    }

    /// How many chains are root chains.
    #[must_use]
    pub fn n_root(&self) -> usize {
        self.n_root
    }

    /// Whether there are more chains than were requested.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// The subchains associated to the loop node behind these edges from the start.
    #[must_use]
    pub fn subchains(&self, prefix: &[EdgeId]) -> Vec<ChainId> {
        self.chains()
            .filter(|(_, chain)| chain.prefix.as_deref() == Some(prefix))
            .map(|(id, _)| id)
            .collect()
    }

    /// Whether a chain is executed at a loop node of another, or of one inside that.
    #[must_use]
    pub fn lies_inside(&self, chain: ChainId, around: ChainId) -> bool {
        let loops = self.chain(around).loops.iter();
        let mut inside = loops.flat_map(|loop_node| loop_node.chains.iter());
        inside.any(|sub| *sub == chain || self.lies_inside(chain, *sub))
    }

    /// Whether the invariants hold.
    ///
    /// # Errors
    /// With what does not.
    pub fn check(&self) -> Result<(), String> {
        for (id, chain) in self.chains() {
            let mut seen = BitSet::new(self.function.n_nodes());
            let mut visit = |node: NodeId| seen.insert(node.index());
            visit(self.function.entry);
            for edge in chain.prefix.iter().flatten() {
                visit(self.function.target(*edge));
            }
            let (last, others) = match (chain.is_root(), chain.edges.split_last()) {
                (false, Some((last, others))) => (Some(*last), others),
                (false, None) => return Err(format!("{id} is a subchain without an edge")),
                (true, _) => (None, &chain.edges[..]),
            };
            for edge in others {
                if !visit(self.function.target(*edge)) {
                    return Err(format!("{id} visits a node twice, or one before its loop"));
                }
            }
            let ends = last.map(|last| self.function.target(last));
            if ends != last.map(|_| self.function.source(chain.edges[0])) {
                return Err(format!("{id} does not end where it began"));
            }
            for loop_node in &chain.loops {
                if loop_node.chains.iter().any(|sub| sub.0 <= id.0) {
                    return Err(format!("{id} has a subchain that is not below it"));
                }
            }
        }
        Ok(())
    }

    /// The chains as text: a line for each action, and for each loop node the condition behind it
    /// with its subchains, as in Figure 1 (b).
    #[must_use]
    pub fn display(&self, program: &Program) -> String {
        let mut text = String::new();
        for (id, _) in self.chains() {
            let _ = writeln!(text, "{id}");
            for line in self.lines(program, id) {
                let _ = writeln!(text, "  {}", line.text);
            }
        }
        if self.cut {
            let _ = writeln!(text, "there are more chains");
        }
        text
    }

    /// The chains for Graphviz: a box each, dashed arrows from loop nodes to their subchains.
    #[must_use]
    pub fn to_dot(&self, program: &Program) -> String {
        let mut text = "digraph chains {\n  node [shape=record fontname=monospace]\n".to_owned();
        for (id, _) in self.chains() {
            let lines = self.lines(program, id);
            let rows = lines.iter().enumerate();
            let rows: Vec<String> = rows
                .map(|(row, line)| format!("<l{row}> {}\\l", escaped(&line.text)))
                .collect();
            let _ = writeln!(text, "  {id} [label=\"{{{id}|{}}}\"]", rows.join("|"));
            for (row, line) in lines.iter().enumerate() {
                for chain in &line.chains {
                    let _ = writeln!(text, "  {id}:l{row} -> {chain} [style=dashed]");
                }
            }
        }
        text.push_str("}\n");
        text
    }

    /// A chain line by line, as it is shown.
    #[must_use]
    pub fn lines(&self, program: &Program, id: ChainId) -> Vec<ChainLine> {
        let names = program.names(self.function);
        let chain = self.chain(id);
        let mut lines = Vec::new();
        for (at, edge) in chain.edges.iter().enumerate() {
            let mut loops = chain.loops.iter();
            let mut here = loops.find(|loop_node| loop_node.at == at);
            let steps = &self.function.edge(*edge).steps;
            if let Some(loop_node) = here
                && !matches!(
                    steps.first().map(|step| &step.action),
                    Some(Action::Assume(_))
                )
            {
                lines.push(ChainLine::of_loop("true", loop_node));
                here = None;
            }
            for step in steps {
                lines.push(match (&step.action, here.take()) {
                    (Action::Assume(condition), Some(loop_node)) => {
                        ChainLine::of_loop(&names.expr(condition).to_string(), loop_node)
                    }
                    (Action::Assume(condition), None) => ChainLine {
                        text: names.expr(condition).to_string(),
                        chains: Vec::new(),
                    },
                    (action, _) => ChainLine {
                        text: names.action(action).to_string(),
                        chains: Vec::new(),
                    },
                });
            }
        }
        lines
    }
}

/// A line of a chain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChainLine {
    /// An action; of a loop node the condition behind it and its subchains.
    pub text: String,
    /// The subchains of a loop node.
    pub chains: Vec<ChainId>,
}

impl ChainLine {
    fn of_loop(condition: &str, loop_node: &LoopNode) -> ChainLine {
        let chains: Vec<String> = loop_node.chains.iter().map(ChainId::to_string).collect();
        ChainLine {
            text: format!("{condition} : {{{}}}", chains.join(", ")),
            chains: loop_node.chains.clone(),
        }
    }
}

/// A text within a record label of Graphviz.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if matches!(c, '"' | '\\' | '{' | '}' | '<' | '>' | '|') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
