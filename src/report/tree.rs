//! An execution tree as plain data, which the text, DOT and HTML forms show.
//!
//! Figures 1(b) and 1(c) of the paper: nodes are marked with their locations, the edge to a node
//! carries the conjuncts by which its path condition exceeds its parent's, and a node made by a
//! template shows the core or the loop that the template stands for.
//!
//! # Invariants
//! - Parents come before their children; the root is node 0.

use super::record::{lines, place};
use super::source::{Sources, shortened};
use flowgraph::{Function, Program, Span};
use frontend::InputType;
use in_c::InC;
use indexmap::{IndexMap, IndexSet};
use memory::{Base, Memory, Object, ObjectKind};
use property::undefined_behaviour;
use semantics::{Location, PathEnd, State, place_of};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use symex::{ExecutionTree, NodeKind, TreeNode};
use template::{KAPPA, Region};
use term::{SymbolId, SymbolNames, TermId, TermPool};

/// A tree to look at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TreeView {
    /// The title: which program, which technique.
    pub title: String,
    pub nodes: Vec<NodeView>,
    /// Nodes that were met but not recorded, because there were too many.
    pub n_omitted: u64,
    /// The files in which nodes have their lines, as far as they can be read.
    pub files: Vec<FileView>,
}

/// A source file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FileView {
    pub name: String,
    pub text: String,
}

/// A node of the tree and the edge that leads to it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NodeView {
    pub parent: Option<usize>,
    /// Name of the location.
    pub location: String,
    pub function: String,
    /// `file:line:column`, or empty.
    pub place: String,
    /// The source line, or empty.
    pub source: String,
    /// Its file, a position in [`TreeView::files`], and its number.
    pub line: Option<(usize, u32)>,
    /// The label of the edge: conjuncts in the papers' notation.
    pub condition: Vec<String>,
    /// The same conjuncts in C, where they have a form in C.
    pub condition_in_c: Vec<String>,
    pub kind: KindView,
    /// The description of a leaf in a few words; empty for other nodes.
    pub end: String,
    /// The node that continues for this one, where it was subsumed or merged.
    pub goes_on_as: Option<usize>,
    pub template: Option<TemplateView>,
    /// Live registers with their values.
    pub registers: Vec<(String, String)>,
    /// Cells of memory that the path wrote, with their values.
    pub cells: Vec<(String, String)>,
    /// Functions that are being called, the innermost first, without the node's own.
    pub callers: Vec<String>,
}

/// The kind of a node, for drawing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum KindView {
    /// Has children.
    Inner,
    /// Waited when the run ended.
    Open,
    /// The path ended as the program wanted it.
    Leaf,
    Target,
    /// The solver could not decide whether the node exists.
    Failed,
    /// Closed: another state stands for all that follows.
    Subsumed,
    /// Became a part of another state, which continues for it.
    Merged,
    /// The path was abandoned: unsupported, undefined or too long.
    Stopped,
}

/// By which template a node came about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TemplateView {
    /// Locations along the core, the entry first and last; for a loop its header, the others in
    /// one entry, its header.
    pub core: Vec<String>,
    /// Its lines, as `file:first-last`, or empty.
    pub place: String,
    /// The path counter.
    pub kappa: String,
}

/// Longer terms are cut.
const LONGEST_TERM: usize = 2000;

impl TreeView {
    /// The view of a recorded tree; `types` are what numbers inputs of these names are in C.
    #[must_use]
    pub fn new(
        title: String,
        tree: &ExecutionTree,
        program: &Program,
        (pool, types): (&TermPool, &BTreeMap<String, InputType>),
        sources: &Sources,
    ) -> TreeView {
        let has_children: Vec<bool> = tree
            .children()
            .iter()
            .map(|children| !children.is_empty())
            .collect();
        let counters = counters(tree, pool);
        let mut viewer = Viewer {
            program,
            pool,
            names: with_counters(SymbolNames::default(), &counters),
            names_in_c: names_in_c(tree, pool, types, &counters),
            types,
            counters: counters.into_iter().collect(),
            sources,
            initial: None,
            files: IndexMap::new(),
        };
        let nodes = tree
            .nodes()
            .zip(has_children)
            .map(|((id, node), has_children)| {
                viewer.view(node, &tree.edge_condition(id), has_children)
            })
            .collect();
        let files = viewer.files.into_iter();
        TreeView {
            title,
            nodes,
            n_omitted: tree.n_omitted(),
            files: files
                .map(|(name, text)| FileView {
                    name: name.to_owned(),
                    text: text.to_owned(),
                })
                .collect(),
        }
    }

    /// The children of each node, by node, in order of creation.
    #[must_use]
    pub fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.nodes.len()];
        for (number, node) in self.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                children[parent].push(number);
            }
        }
        children
    }

    /// A sentence about omitted nodes; `None` if there are none.
    #[must_use]
    pub fn omission(&self) -> Option<String> {
        (self.n_omitted > 0).then(|| {
            let n_shown = super::summary::grouped(self.nodes.len() as u64);
            format!("only the first {n_shown} nodes are recorded, the tree has more (--max-nodes)")
        })
    }
}

impl NodeView {
    /// The label of the edge to the node.
    #[must_use]
    pub fn edge_label(&self) -> String {
        self.condition.join(" ∧ ")
    }

    /// What marks the node: its location, behind the core where a template made it.
    #[must_use]
    pub fn mark(&self) -> String {
        match &self.template {
            Some(template) => {
                format!(
                    "({}){} {}",
                    template.core.join(" "),
                    superscript(&template.kappa),
                    self.location
                )
            }
            None => self.location.clone(),
        }
    }
}

fn superscript(kappa: &str) -> String {
    format!("^{kappa}")
}

/// The path counters of the templates of a tree, in the order of nodes.
fn counters(tree: &ExecutionTree, pool: &TermPool) -> IndexSet<SymbolId> {
    let kappas = tree.nodes().filter_map(|(_, node)| node.template.as_ref());
    kappas
        .filter_map(|(_, kappa)| pool.as_symbol(*kappa))
        .collect()
}

/// Names of inputs as the program has them, where that tells those in the conditions of the tree apart.
fn names_in_c(
    tree: &ExecutionTree,
    pool: &TermPool,
    types: &BTreeMap<String, InputType>,
    counters: &IndexSet<SymbolId>,
) -> SymbolNames {
    let writer = InC {
        pool,
        names: &SymbolNames::default(),
        types,
        counters: &counters.iter().copied().collect(),
    };
    let mut symbols = BTreeSet::new();
    for (id, _) in tree.nodes() {
        for conjunct in tree.edge_condition(id) {
            writer.symbols(conjunct, &mut symbols);
        }
    }
    with_counters(SymbolNames::plain(pool, symbols), counters)
}

/// The path counters of a tree are called κ, κ₂, κ₃, …. In the pool they have higher numbers, since the
/// templates have theirs.
fn with_counters(mut names: SymbolNames, counters: &IndexSet<SymbolId>) -> SymbolNames {
    for (position, kappa) in counters.iter().enumerate() {
        names.rename(*kappa, numbered(KAPPA, position + 1));
    }
    names
}

/// A name with a number as subscript, which the first goes without.
fn numbered(name: &str, number: usize) -> String {
    let mut text = name.to_owned();
    if number > 1 {
        let digits = number.to_string();
        let digits = digits.chars().filter_map(|digit| digit.to_digit(10));
        text.extend(digits.filter_map(|digit| char::from_u32('₀' as u32 + digit)));
    }
    text
}

struct Viewer<'a> {
    program: &'a Program,
    pool: &'a TermPool,
    names: SymbolNames,
    names_in_c: SymbolNames,
    types: &'a BTreeMap<String, InputType>,
    counters: BTreeSet<SymbolId>,
    sources: &'a Sources,
    /// The memory of the root, against which writing is told.
    initial: Option<Memory>,
    /// Files of nodes, by name, with their texts.
    files: IndexMap<&'a str, &'a str>,
}

impl<'a> Viewer<'a> {
    fn view(&mut self, node: &TreeNode, condition: &[TermId], has_children: bool) -> NodeView {
        let state = &node.state;
        let initial = self
            .initial
            .get_or_insert_with(|| state.memory.clone())
            .clone();
        let function = self.program.function(state.location.function);
        let at = function.node(state.location.node);
        let span = place_of(self.program, state, at.span);
        let (kind, end) = self.kind(&node.kind, has_children);
        NodeView {
            parent: node.parent.map(|parent| parent.0 as usize),
            location: at.name.clone(),
            function: function.name.clone(),
            place: place(self.program, span),
            source: self.sources.line(span).to_owned(),
            line: self.line(span),
            condition_in_c: self.in_c(condition),
            condition: condition
                .iter()
                .map(|conjunct| match condition.len() {
                    1 => self.term(*conjunct),
                    _ => self.conjunct(*conjunct),
                })
                .collect(),
            kind,
            end,
            goes_on_as: match node.kind {
                NodeKind::Subsumed(by) | NodeKind::Merged(by) => by.map(|by| by.0 as usize),
                NodeKind::Inner
                | NodeKind::Leaf(_)
                | NodeKind::Refuted
                | NodeKind::Hopeless
                | NodeKind::Annotated
                | NodeKind::TooLong => None,
            },
            template: node
                .template
                .as_ref()
                .map(|(region, kappa)| self.template(state.location, region, *kappa)),
            registers: self.registers(state),
            cells: self.cells(&state.memory, &initial),
            callers: self.callers(state),
        }
    }

    /// The file of a place and its line, where they are known.
    fn line(&mut self, span: Span) -> Option<(usize, u32)> {
        let text = self.sources.text(span).filter(|_| span.line > 0)?;
        let name = self.program.file(span)?;
        Some((self.files.insert_full(name, text).0, span.line))
    }

    /// Conjuncts in C; those that have no form in C, in the papers' notation.
    fn in_c(&self, condition: &[TermId]) -> Vec<String> {
        let writer = InC {
            pool: self.pool,
            names: &self.names_in_c,
            types: self.types,
            counters: &self.counters,
        };
        let conjunct = |term: &TermId| {
            let text = match condition.len() {
                1 => writer.truth(*term),
                _ => writer.conjunct(*term),
            };
            let text = text.unwrap_or_else(|| self.conjunct(*term));
            shortened(&text, LONGEST_TERM)
        };
        condition.iter().map(conjunct).collect()
    }

    fn term(&self, term: TermId) -> String {
        let text = self.pool.display(term).with_names(&self.names);
        shortened(&text.to_string(), LONGEST_TERM)
    }

    fn conjunct(&self, term: TermId) -> String {
        let text = self.pool.display(term).with_names(&self.names);
        shortened(&text.as_conjunct().to_string(), LONGEST_TERM)
    }

    fn kind(&self, kind: &NodeKind, has_children: bool) -> (KindView, String) {
        match kind {
            NodeKind::Inner if has_children => (KindView::Inner, String::new()),
            NodeKind::Inner => (
                KindView::Open,
                "no feasible successor, or still waiting".to_owned(),
            ),
            NodeKind::Subsumed(by) => (
                KindView::Subsumed,
                match by {
                    Some(by) => format!("subsumed by state {}", by.0),
                    None => "subsumed by a state that is not shown".to_owned(),
                },
            ),
            NodeKind::Merged(into) => (
                KindView::Merged,
                match into {
                    Some(into) => format!("merged into state {}", into.0),
                    None => "merged into a state that is not shown".to_owned(),
                },
            ),
            NodeKind::Refuted => (
                KindView::Subsumed,
                "refuted by constraint systems of chains".to_owned(),
            ),
            NodeKind::Hopeless => (
                KindView::Subsumed,
                "closed by its necessary condition".to_owned(),
            ),
            NodeKind::Annotated => (
                KindView::Subsumed,
                "implies the annotation of its location".to_owned(),
            ),
            NodeKind::TooLong => (KindView::Stopped, "the path is too long".to_owned()),
            NodeKind::Leaf(end) => {
                let (kind, text, span) = describe_end(end);
                match span
                    .map(|span| place(self.program, span))
                    .filter(|place| !place.is_empty())
                {
                    Some(place) => (kind, format!("{text} at {place}")),
                    None => (kind, text),
                }
            }
        }
    }

    fn template(&self, location: Location, region: &Region, kappa: TermId) -> TemplateView {
        // A template's region lies in the function in which the state is that left it.
        let function = self.program.function(location.function);
        TemplateView {
            core: region.locations(function),
            place: self.lines_of(region, function),
            kappa: self.term(kappa),
        }
    }

    /// The lines of the loop, as the source has them.
    fn lines_of(&self, region: &Region, function: &Function) -> String {
        let header = match region {
            Region::Core(core) => core.first().map(|edge| function.source(*edge)),
            Region::Loop(natural) => Some(natural.header),
            Region::Recursion(_) => None,
        };
        let Some(header) = header else {
            return place(self.program, function.node(function.entry).span);
        };
        let nest = function.loops();
        let natural = nest
            .innermost(header)
            .map(|id| &nest.loops[id.index()])
            .filter(|natural| natural.header == header);
        match natural.and_then(|natural| natural.lines) {
            Some(known) => {
                let first = Span {
                    file: known.file,
                    line: known.first,
                    column: 0,
                };
                lines(self.program, first, known.last)
            }
            None => place(self.program, function.node(header).span),
        }
    }

    fn registers(&mut self, state: &State) -> Vec<(String, String)> {
        let function = self.program.function(state.location.function);
        let live = function.liveness().at(state.location.node);
        let registers = function.reg_ids().filter(|reg| live.contains(reg.index()));
        registers
            .map(|reg| {
                (
                    function.reg(reg).name.clone(),
                    self.term(state.frame.get(reg)),
                )
            })
            .collect()
    }

    /// The cells of all objects that are not as at the root.
    fn cells(&self, memory: &Memory, initial: &Memory) -> Vec<(String, String)> {
        let mut cells = Vec::new();
        for (id, object) in memory.objects() {
            if object.info.kind == ObjectKind::Function || memory.same_version(initial, id) {
                continue;
            }
            let name = self.pool.symbol_name(id).trim_start_matches('&').to_owned();
            self.object_cells(&name, object, &mut cells);
        }
        cells
    }

    fn object_cells(&self, name: &str, object: &Object, cells: &mut Vec<(String, String)>) {
        if !object.alive {
            cells.push((name.to_owned(), "freed".to_owned()));
            return;
        }
        let size = self.term(object.info.bytes);
        match object.content.base() {
            Base::Zero => cells.push((name.to_owned(), format!("{size} bytes of 0"))),
            Base::Bytes(bytes) => cells.push((
                name.to_owned(),
                format!("{} bytes as initialised", bytes.len()),
            )),
            Base::Arbitrary(_) | Base::Entry(_) => {
                cells.push((name.to_owned(), format!("{size} bytes, arbitrary")))
            }
            Base::Array(flat) => cells.push((name.to_owned(), self.term(flat.array))),
        }
        for (offset, value) in object.content.cells() {
            cells.push((format!("{name} + {offset}"), self.term(value)));
        }
    }

    fn callers(&self, state: &State) -> Vec<String> {
        let frames = std::iter::once(&state.frame).chain(state.callers.iter());
        let locations = frames.filter_map(|frame| frame.return_to.map(|(location, _)| location));
        locations
            .map(|location| self.program.function(location.function).name.clone())
            .collect()
    }
}

/// A path's end: how it is drawn, in a few words, and where.
fn describe_end(end: &PathEnd) -> (KindView, String, Option<flowgraph::Span>) {
    match end {
        PathEnd::Returned => (KindView::Leaf, "main returns".to_owned(), None),
        PathEnd::Assumed(span) => {
            let what = "an assumption does not hold".to_owned();
            (KindView::Leaf, what, Some(*span))
        }
        PathEnd::Target(_) => (KindView::Target, "target".to_owned(), None),
        PathEnd::Program(kind, span) => {
            let (view, text) = match undefined_behaviour(*kind) {
                Some(what) => (KindView::Stopped, format!("undefined: {what}")),
                None => (KindView::Leaf, kind.to_string()),
            };
            (view, text, Some(*span))
        }
        PathEnd::Fault(fault, span) => (
            KindView::Stopped,
            format!("undefined: {fault}"),
            Some(*span),
        ),
        PathEnd::Unsupported(what, span) => (
            KindView::Stopped,
            format!("not supported: {what}"),
            Some(*span),
        ),
        PathEnd::Undecided(span) => (
            KindView::Failed,
            "the solver could not decide".to_owned(),
            Some(*span),
        ),
    }
}

#[cfg(test)]
pub(super) mod examples {
    use super::*;

    /// A small tree with a node of each kind, for the tests of the forms.
    pub fn every_kind() -> TreeView {
        let node = |parent, location: &str, condition: &[&str], kind, end: &str| NodeView {
            parent,
            location: location.to_owned(),
            function: "f".to_owned(),
            place: "a.c:1:2".to_owned(),
            source: "i < \"n\" </script>".to_owned(),
            line: Some((0, 1)),
            condition: condition
                .iter()
                .map(|&conjunct| conjunct.to_owned())
                .collect(),
            condition_in_c: condition
                .iter()
                .map(|conjunct| conjunct.replace('=', "==").replace('≤', "<="))
                .collect(),
            kind,
            end: end.to_owned(),
            goes_on_as: None,
            template: None,
            registers: vec![("i".to_owned(), "κ".to_owned())],
            cells: vec![("A + 0".to_owned(), "1".to_owned())],
            callers: vec![],
        };
        let mut folded = node(
            Some(1),
            "e",
            &["κ < n", "A(κ) = x"],
            KindView::Target,
            "target",
        );
        folded.template = Some(TemplateView {
            core: ["b", "c", "d", "b"].map(str::to_owned).to_vec(),
            place: "a.c:1-3".to_owned(),
            kappa: "κ".to_owned(),
        });
        TreeView {
            title: "f, compact".to_owned(),
            nodes: vec![
                node(None, "a", &[], KindView::Inner, ""),
                node(Some(0), "b", &[], KindView::Inner, ""),
                folded,
                node(
                    Some(1),
                    "f",
                    &["n ≤ 0"],
                    KindView::Failed,
                    "the solver could not decide",
                ),
                node(Some(0), "g", &["x = 1"], KindView::Inner, ""),
                node(Some(4), "h", &[], KindView::Leaf, "main returns"),
                node(
                    Some(4),
                    "o",
                    &["y"],
                    KindView::Open,
                    "no feasible successor, or still waiting",
                ),
            ],
            n_omitted: 1234,
            files: vec![FileView {
                name: "a.c".to_owned(),
                text: "/* <script> */ i < \"n\" </script>\n\n}\n".to_owned(),
            }],
        }
    }
}
