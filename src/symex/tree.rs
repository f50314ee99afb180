//! The execution tree T of Algorithm 2, recorded on request.

use semantics::{PathEnd, State};
use template::Region;
use term::TermId;

/// A node of the tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TreeNodeId(pub u32);

/// The tree: nodes in order of creation, the root first, parents before children. It holds the
/// first nodes only, up to a limit, since each keeps its program state.
#[derive(Clone)]
pub struct ExecutionTree {
    nodes: Vec<TreeNode>,
    n_most: usize,
    n_omitted: u64,
}

/// One node: a program state and how it came about.
#[derive(Clone)]
pub struct TreeNode {
    pub parent: Option<TreeNodeId>,
    pub kind: NodeKind,
    pub state: State,
    /// Region and path counter of the template whose application made the node; drawn in
    /// another shape, as in Figure 1(c).
    pub template: Option<(Region, TermId)>,
}

/// The kind of a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NodeKind {
    /// Has children, or waits to be executed.
    Inner,
    /// The path ended here.
    Leaf(PathEnd),
    /// Closed: another node, where the tree has it, stands for all that follows.
    Subsumed(Option<TreeNodeId>),
    /// Became a part of another node, where the tree has it: that continues for it.
    Merged(Option<TreeNodeId>),
    /// Closed: constraint systems of chains show that nothing that matters for the verdict can
    /// come.
    Refuted,
    /// Closed: its necessary condition is unsatisfiable, so that nothing that matters for the verdict can
    /// come.
    Hopeless,
    /// Closed: it implies an annotation of its location, so that nothing that matters for the verdict can
    /// come.
    Annotated,
    /// The path was longer than the limit.
    TooLong,
}

impl NodeKind {
    /// Whether a path ends here: it continues in no other node.
    pub(super) fn ends_path(&self) -> bool {
        match self {
            NodeKind::Leaf(_)
            | NodeKind::Refuted
            | NodeKind::Hopeless
            | NodeKind::Annotated
            | NodeKind::TooLong => true,
            NodeKind::Inner | NodeKind::Subsumed(_) | NodeKind::Merged(_) => false,
        }
    }
}

impl ExecutionTree {
    /// An empty tree for at most this many nodes.
    #[must_use]
    pub fn new(n_most: usize) -> ExecutionTree {
        ExecutionTree {
            nodes: Vec::new(),
            n_most,
            n_omitted: 0,
        }
    }

    /// Adds a node, or counts it where the tree is full: from then on no node is added, so that
    /// none is without its parent.
    ///
    /// # Panics
    /// If a tree of 2^32 nodes is requested and full.
    pub fn add(&mut self, node: TreeNode) -> Option<TreeNodeId> {
        if self.nodes.len() >= self.n_most {
            self.n_omitted += 1;
            return None;
        }
        debug_assert!(
            node.parent
                .is_none_or(|parent| (parent.0 as usize) < self.nodes.len()),
            "parents come before children"
        );
        let id = u32::try_from(self.nodes.len()).expect("a tree has fewer than 2^32 nodes");
        self.nodes.push(node);
        Some(TreeNodeId(id))
    }

    /// Changes what a node is, when that is found out later.
    pub fn set_kind(&mut self, id: TreeNodeId, kind: NodeKind) {
        self.nodes[id.0 as usize].kind = kind;
    }

    /// All nodes, parents before children.
    pub fn nodes(&self) -> impl Iterator<Item = (TreeNodeId, &TreeNode)> {
        (0..).map(TreeNodeId).zip(&self.nodes)
    }

    /// The node of this id.
    #[must_use]
    pub fn node(&self, id: TreeNodeId) -> &TreeNode {
        &self.nodes[id.0 as usize]
    }

    /// The children of each node, by node, each list in order of creation.
    #[must_use]
    pub fn children(&self) -> Vec<Vec<TreeNodeId>> {
        let mut children = vec![Vec::new(); self.nodes.len()];
        for (id, node) in self.nodes() {
            if let Some(parent) = node.parent {
                children[parent.0 as usize].push(id);
            }
        }
        children
    }

    /// The conjuncts by which a node's path condition exceeds its parent's: the label of the edge
    /// to it, as in Figure 1(b).
    #[must_use]
    pub fn edge_condition(&self, id: TreeNodeId) -> Vec<TermId> {
        let node = self.node(id);
        let known = node
            .parent
            .map_or(0, |parent| self.node(parent).state.path_cond.len());
        node.state.path_cond.to_vec().split_off(known)
    }

    /// How many nodes were left out because the tree was full.
    #[must_use]
    pub fn n_omitted(&self) -> u64 {
        self.n_omitted
    }

    /// How many nodes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether not even the root is there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// How many leaves failed: the solver could not decide whether they exist.
    #[must_use]
    pub fn n_failed_leaves(&self) -> usize {
        self.nodes
            .iter()
            .filter(|node| matches!(node.kind, NodeKind::Leaf(PathEnd::Undecided(_))))
            .count()
    }
}
