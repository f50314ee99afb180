//! Cycles: the cyclic paths that templates stand for.
//!
//! ```text
//! function --strongly connected components--> entries --CycleWalk--> prefixes and cores
//! ```
//!
//! A core π = eωe is a sequence of edges, so that two parallel edges give two cores. The definition requires
//! an edge (u, e) that is not the last edge of π, through which an execution can enter. As π has exactly one
//! edge into e, a location is an entry location of *all* cores through it if at least two edges lead into it,
//! and of none otherwise. A call that enters at [`Function::entry`] is not an edge.
//!
//! The cycles of a loop with several such locations differ only in their start. Those from the header are
//! enough for templates ([`Entries`]).
//!
//! There can be exponentially many cores. [`CycleWalk`] yields every prefix before its extensions, so that
//! the caller can cut an infeasible prefix with all its extensions; it yields a prefix only if at least one
//! core extends it, so that no query is wasted. The number of steps between two events is at most the number
//! of edges of the component times the length of the prefix.
//!
//! # Invariants
//! - Order: entries ascending, and from one entry the edge sequences in the order of
//!   [`Function::out_edges`], depth first.
//! - Every core is yielded exactly once, unless a prefix of it was cut.
//!
//! # Source
//! ATVA 2013, Definition 1 and Appendix A.

use super::{BitSet, EdgeId, Function, Loop, LoopNest, NodeId};

/// A cycle (π, e, X) of Definition 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// The entry location e.
    pub entry: NodeId,
    /// The core π: edges from e back to e, not empty.
    pub core: Vec<EdgeId>,
    /// The exit edges X, sorted by position, then in the order of [`Function::out_edges`].
    pub exits: Vec<ExitEdge>,
}

/// An edge that leaves a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExitEdge {
    /// The edge starts where `core[position]` starts.
    pub position: usize,
    pub edge: EdgeId,
}

impl Cycle {
    /// The cycle of this core: entry and exit edges follow from it.
    ///
    /// # Panics
    /// If `core` is empty; it should be a cyclic path whose nodes are pairwise distinct.
    #[must_use]
    pub fn of_core(function: &Function, core: Vec<EdgeId>) -> Cycle {
        let exits = core
            .iter()
            .enumerate()
            .flat_map(|(position, &on_core)| {
                function
                    .out_edges(function.source(on_core))
                    .iter()
                    .filter(move |&&edge| edge != on_core)
                    .map(move |&edge| ExitEdge { position, edge })
            })
            .collect();
        Cycle {
            entry: function.source(core[0]),
            core,
            exits,
        }
    }

    /// The locations eω, each once, in the order of the core.
    pub fn nodes<'a>(&'a self, function: &'a Function) -> impl Iterator<Item = NodeId> + 'a {
        self.core.iter().map(|&edge| function.source(edge))
    }

    /// How many entry locations Definition 1 gives the core: as many cycles differ in that only.
    #[must_use]
    pub fn n_entries(&self, function: &Function) -> usize {
        let nodes = self.nodes(function);
        nodes.filter(|node| is_entry(function, *node)).count()
    }

    /// Whether the entry location is the first of them by its handle: true of one of the cycles that
    /// differ in that only.
    #[must_use]
    pub fn is_from_first_entry(&self, function: &Function) -> bool {
        let nodes = self.nodes(function);
        nodes.filter(|node| is_entry(function, *node)).min() == Some(self.entry)
    }

    /// Whether all of the core lies in the loop, whose header it passes.
    #[must_use]
    pub fn goes_around(&self, function: &Function, natural: &Loop) -> bool {
        let mut nodes = self.nodes(function);
        nodes.all(|node| natural.body.contains(node.index()))
            && self.nodes(function).any(|node| node == natural.header)
    }

    /// The core as names of locations: `a b c a`; an edge that has parallels is told by its
    /// handle: `a -e3- b`.
    #[must_use]
    pub fn describe_core(&self, function: &Function) -> String {
        let mut text = function.node(self.entry).name.clone();
        for &edge in &self.core {
            let (source, target) = function.endpoints(edge);
            let name = &function.node(target).name;
            let parallel = function
                .out_edges(source)
                .iter()
                .any(|&other| other != edge && function.target(other) == target);
            if parallel {
                text.push_str(&format!(" -{edge}-"));
            }
            text.push(' ');
            text.push_str(name);
        }
        text
    }
}

/// Whether a location of a core is an entry location of it.
fn is_entry(function: &Function, node: NodeId) -> bool {
    function.in_edges(node).len() >= 2
}

/// From which locations a core is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Entries {
    /// From all that Definition 1 names.
    #[default]
    All,
    /// From the header of the loop that it goes around, as in the paper's experiments. A core that
    /// has no such entry location is entered from all: one without back edge, which `goto` can make,
    /// or around the entry of the function. One of locations that are not reachable may be missing.
    Headers,
}

/// An event of [`CycleWalk::step`].
#[derive(Debug, PartialEq, Eq)]
pub enum WalkEvent<'w> {
    /// Edges from `entry`, not empty, that at least one core begins with (the last one may
    /// complete it). Between two prefixes of one entry only the tail changes: with prefix
    /// lengths n then m, the first m − 1 ≤ n edges are the same. A caller that keeps a stack of
    /// one state a prefix edge thus truncates it to m − 1 and pushes.
    Prefix { entry: NodeId, edges: &'w [EdgeId] },
    /// A core; its whole path was the prefix before it.
    Core(Cycle),
}

/// Walks through all cores of a function. Not an `Iterator`, as prefixes are lent.
#[derive(Debug)]
pub struct CycleWalk<'f> {
    function: &'f Function,
    components: Components,
    /// Entries still to come, in reverse.
    entries: Vec<NodeId>,
    /// The entry of the current prefix; meaningless before the first one.
    entry: NodeId,
    prefix: Vec<EdgeId>,
    /// Sources of the prefix's edges.
    on_path: BitSet,
    /// One for each source on the path, and one for the location where choices are being made.
    frames: Vec<Frame>,
    /// The decision about the prefix that was yielded last.
    next: Next,
    n_cut: usize,
}

/// Edges to try at a location of the path, in reverse.
#[derive(Debug)]
struct Frame {
    choices: Vec<EdgeId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// Take the next choice of the last frame.
    Choose,
    /// The prefix was yielded: continue from its end, this location.
    Extend(NodeId),
    /// The prefix is done with: drop its last edge.
    Retract,
}

impl<'f> CycleWalk<'f> {
    /// A walk through all cores.
    #[must_use]
    pub fn new(function: &'f Function) -> CycleWalk<'f> {
        CycleWalk::over(function, function.node_ids().rev().collect())
    }

    /// A walk through the cores with this entry location; there are none if it cannot be one.
    #[must_use]
    pub fn at(function: &'f Function, entry: NodeId) -> CycleWalk<'f> {
        CycleWalk::over(function, vec![entry])
    }

    /// `entries` in reverse; those that are none are dropped.
    fn over(function: &'f Function, mut entries: Vec<NodeId>) -> CycleWalk<'f> {
        let components = Components::of(function);
        entries.retain(|&node| {
            is_entry(function, node)
                && function
                    .out_edges(node)
                    .iter()
                    .any(|&edge| components.has_edge(function, edge))
        });
        CycleWalk {
            function,
            components,
            entries,
            entry: NodeId(0),
            prefix: Vec::new(),
            on_path: BitSet::new(function.n_nodes()),
            frames: Vec::new(),
            next: Next::Choose,
            n_cut: 0,
        }
    }

    /// The next prefix or core; `None` when all were met.
    pub fn step(&mut self) -> Option<WalkEvent<'_>> {
        loop {
            match self.next {
                Next::Extend(end) => {
                    if end == self.entry {
                        self.next = Next::Retract;
                        return Some(WalkEvent::Core(Cycle::of_core(
                            self.function,
                            self.prefix.clone(),
                        )));
                    }
                    self.open(end);
                    self.next = Next::Choose;
                }
                Next::Retract => {
                    self.prefix.pop();
                    self.next = Next::Choose;
                }
                Next::Choose => {
                    let Some(frame) = self.frames.last_mut() else {
                        self.entry = self.entries.pop()?;
                        self.open(self.entry);
                        continue;
                    };
                    if let Some(edge) = frame.choices.pop() {
                        self.prefix.push(edge);
                        self.next = Next::Extend(self.function.target(edge));
                        return Some(WalkEvent::Prefix {
                            entry: self.entry,
                            edges: &self.prefix,
                        });
                    }
                    self.close();
                }
            }
        }
    }

    /// Drops all cores that begin with the prefix that [`CycleWalk::step`] yielded last. Does
    /// nothing when its last event was a core.
    pub fn cut(&mut self) {
        if let Next::Extend(_) = self.next {
            self.next = Next::Retract;
            self.n_cut += 1;
        }
    }

    /// How many prefixes were cut so far.
    #[must_use]
    pub fn n_cut(&self) -> usize {
        self.n_cut
    }

    /// Puts a location on the path and finds where it can continue.
    fn open(&mut self, node: NodeId) {
        self.on_path.insert(node.index());
        let mut choices: Vec<EdgeId> = self
            .function
            .out_edges(node)
            .iter()
            .copied()
            .filter(|&edge| self.components.has_edge(self.function, edge))
            .collect();
        // With a single choice nothing is to be asked: the prefix was yielded because a core
        // extends it.
        if choices.len() > 1 {
            let back = self.nodes_that_reach_entry();
            choices.retain(|&edge| {
                let target = self.function.target(edge);
                target == self.entry || back.contains(target.index())
            });
        }
        choices.reverse();
        self.frames.push(Frame { choices });
    }

    /// Takes the last location off the path, and with it the edge that led there.
    fn close(&mut self) {
        self.frames.pop();
        let node = match self.prefix.pop() {
            Some(edge) => self.function.target(edge),
            None => self.entry,
        };
        self.on_path.remove(node.index());
    }

    /// The locations off the path from which the entry can be reached off the path.
    fn nodes_that_reach_entry(&self) -> BitSet {
        let mut back = BitSet::new(self.function.n_nodes());
        let mut pending = vec![self.entry];
        while let Some(node) = pending.pop() {
            for &edge in self.function.in_edges(node) {
                let source = self.function.source(edge);
                if self.components.has_edge(self.function, edge)
                    && !self.on_path.contains(source.index())
                    && back.insert(source.index())
                {
                    pending.push(source);
                }
            }
        }
        back
    }
}

/// The strongly connected component of each node.
#[derive(Debug)]
pub(super) struct Components {
    of_node: Vec<usize>,
}

impl Components {
    /// By Kosaraju's algorithm: petgraph's version of Tarjan's recurses, too deep for the long
    /// straight pieces of `split` flowgraphs.
    pub(super) fn of(function: &Function) -> Components {
        let mut of_node = vec![0; function.n_nodes()];
        for (number, nodes) in petgraph::algo::kosaraju_scc(function.graph())
            .iter()
            .enumerate()
        {
            for node in nodes {
                of_node[node.index()] = number;
            }
        }
        Components { of_node }
    }

    /// Whether the edge lies on some cyclic path: its ends are in one component.
    pub(super) fn has_edge(&self, function: &Function, edge: EdgeId) -> bool {
        let (source, target) = function.endpoints(edge);
        self.of_node[source.index()] == self.of_node[target.index()]
    }
}

/// The decision about a prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrefixChoice {
    GoOn,
    /// Drop all cores that begin with it.
    Cut,
    /// Stop the enumeration.
    Stop,
}

/// The cycles of a function as far as they were enumerated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enumeration {
    pub cycles: Vec<Cycle>,
    pub end: EnumerationEnd,
    /// Prefixes that the caller had cut.
    pub n_cut: usize,
}

/// Why an enumeration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnumerationEnd {
    /// All cycles are there, but for those that the caller cut.
    Complete,
    /// There is at least one more cycle than the limit allows.
    Limit,
    /// The caller said [`PrefixChoice::Stop`].
    Stopped,
}

/// All cycles of a function, at most `limit` of them; `choose` is requested each prefix (see
/// [`WalkEvent::Prefix`]).
pub fn enumerate_cycles(
    function: &Function,
    limit: usize,
    choose: impl FnMut(NodeId, &[EdgeId]) -> PrefixChoice,
) -> Enumeration {
    enumerate(CycleWalk::new(function), limit, choose, |_| true)
}

/// The cycles of a function that are entered from these locations, at most `limit` of them.
///
/// ```
/// use compact_se_flowgraph::{Entries, Program, enumerate_cycles_from};
/// let text = "program block pointers 64 main @main
/// fn @main(%n: i8) {
///   start -> head: assume %n <u 9:8
///   head -> head: assume %n != 0:8
///   head -> out: assume %n == 0:8
///   out -> end: return
/// }
/// ";
/// let program: Program = text.parse()?;
/// let found = enumerate_cycles_from(program.function(program.main), Entries::default(), 10);
/// assert_eq!(found.cycles.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn enumerate_cycles_from(function: &Function, entries: Entries, limit: usize) -> Enumeration {
    match entries {
        Entries::All => enumerate_cycles(function, limit, |_, _| PrefixChoice::GoOn),
        Entries::Headers => {
            let nest = LoopNest::of(function);
            let loop_from = |node: NodeId| {
                let id = nest.by_header(node).filter(|_| is_entry(function, node));
                id.map(|id| &nest.loops[id.index()])
            };
            let goes_around_loop = |cycle: &Cycle| {
                let mut loops = cycle.nodes(function).filter_map(loop_from);
                loops.any(|natural| cycle.goes_around(function, natural))
            };
            let mut headers = nest.loops.iter().map(|natural| natural.header);
            let has_others =
                !nest.irreducible.is_empty() || headers.any(|header| loop_from(header).is_none());
            let nodes = function.node_ids().rev();
            let entries = nodes.filter(|node| has_others || loop_from(*node).is_some());
            let walk = CycleWalk::over(function, entries.collect());
            let choose = |entry: NodeId, edges: &[EdgeId]| {
                // The edges before the last one were let through.
                let leaves = |natural: &Loop| {
                    let last = edges.last().map(|edge| function.target(*edge));
                    last.is_some_and(|node| !natural.body.contains(node.index()))
                };
                if !has_others && loop_from(entry).is_some_and(leaves) {
                    PrefixChoice::Cut
                } else {
                    PrefixChoice::GoOn
                }
            };
            enumerate(walk, limit, choose, |cycle| {
                let natural = loop_from(cycle.entry);
                natural.is_some_and(|natural| cycle.goes_around(function, natural))
                    || !goes_around_loop(cycle)
            })
        }
    }
}

/// The cycles of a walk that are wanted, among the first `limit`.
fn enumerate(
    mut walk: CycleWalk,
    limit: usize,
    mut choose: impl FnMut(NodeId, &[EdgeId]) -> PrefixChoice,
    is_wanted: impl Fn(&Cycle) -> bool,
) -> Enumeration {
    let mut cycles = Vec::new();
    let mut n_met = 0;
    let end = loop {
        match walk.step() {
            None => break EnumerationEnd::Complete,
            Some(WalkEvent::Core(_)) if n_met == limit => break EnumerationEnd::Limit,
            Some(WalkEvent::Core(cycle)) => {
                n_met += 1;
                if is_wanted(&cycle) {
                    cycles.push(cycle);
                }
            }
            Some(WalkEvent::Prefix { entry, edges }) => match choose(entry, edges) {
                PrefixChoice::GoOn => {}
                PrefixChoice::Cut => walk.cut(),
                PrefixChoice::Stop => break EnumerationEnd::Stopped,
            },
        }
    };
    Enumeration {
        cycles,
        end,
        n_cut: walk.n_cut(),
    }
}
