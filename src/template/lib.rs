//! Templates: the closed form of one cyclic path.
//!
//! Turns a cycle of a flowgraph into a [`Template`], or returns the reason why there is none ([`NoTemplate`]).
//!
//! ```text
//! core --one iteration--> step memory --progressions--> θ*[κ] --each exit--> Template
//!                                                             state ⋄ exit --> successors
//! ```
//!
//! The paper computes a template from the flowgraph alone. In C, the effect of code also depends on the
//! targets of pointers, so a template is computed for a *shape*: the object of each live pointer. A shape is
//! taken from a state; [`TemplateTable`] computes the template of a cycle when a state of a new shape arrives
//! and caches it. Values, contents of objects and offsets of pointers are symbols, as in the paper; a loop
//! without such a template may have one for the offsets of the state ([`Assumed::fixed`]).
//!
//! # Invariants
//! - A template mentions only symbols of its entry, address symbols, sizes of objects, its own κ
//!   and its own input arrays.
//! - Applied to a state of its shape, its exits describe exactly the states that leave the core after any
//!   number of iterations (Theorem 1), including the paths that end inside an iteration.
//!
//! # Deliberately absent
//! No search order, no execution tree, no LLVM types, no files.
//!
//! # Source
//! Slaby, Strejček, Trtík, *Compact Symbolic Execution*, ATVA 2013, Algorithm 1.
//!
//! ```
//! use flowgraph::Program;
//! use semantics::{Machine, Trusting};
//! use compact_se_template::{Folding, TemplateTable};
//! use term::TermPool;
//!
//! let text = "program block pointers 64 main @main
//! fn @main(%n: i32) -> i32 {
//!   reg %i: i32
//!   start -> head: %i = 0:32
//!   head -> body: assume %i <u %n
//!   head -> out: assume %i >=u %n
//!   body -> head: %i = %i + 2:32
//!   out -> hit: assume %i == 7:32
//!   out -> miss: assume %i != 7:32
//!   hit -> stop: target
//!   stop -> end: return 0:32
//!   miss -> end: return 1:32
//! }
//! ";
//! let program: Program = text.parse()?;
//! let mut pool = TermPool::new();
//! let machine = Machine::new(&mut pool, &program);
//! let mut table = TemplateTable::new(100, Folding::Cycles);
//! table.compute_all(&machine, &mut pool, &mut Trusting);
//! let cycle = &table.records(&machine, program.main)[0];
//! let template = cycle.templates[0].display(&pool, &program);
//! assert!(template.contains("κ"), "{template}"); // i is 2κ after κ iterations
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod apply;
mod arrays;
mod automaton;
mod carried;
mod cases;
mod compose;
mod comprehension;
mod compute;
mod coverage;
mod determined;
mod entry;
mod explore;
mod merge;
mod natural;
mod notation;
mod obstacle;
mod oracle;
mod offsets;
mod progression;
mod query_work;
mod recursion;
mod iteration;
mod lookup;
mod table;

pub use apply::Application;
pub use arrays::WrittenArrays;
pub use automaton::{Automaton, AutomatonPolicy, Conditions, Interleaving, PathId, PeriodText};
pub use cases::{Case, any};
pub use compose::Composition;
pub use comprehension::reads_of;
pub use compute::{cells_of, compute_template, written};
pub use coverage::{Coverage, LoopCoverage};
pub use entry::{Assumed, Entry, EntrySymbols, EntryValue, Shape, generic_state};
pub use obstacle::{MemoryObstacle, Obstacle};
pub use oracle::SolverOracle;
pub use progression::{NoClosedForm, Progression, Progressions, Rule, Rules};
pub use query_work::QueryWork;
pub use recursion::{
    Ascended, Ascent, Phase, RecursionRecord, RecursionRegion, RecursionTemplate, Returns,
};
pub use table::{
    CycleId, CycleRecord, Folding, LoopAutomaton, LoopRecord, Refused, TableStatistics,
    TemplateTable, TemplateWork,
};

use flowgraph::{EdgeId, Function, Loop, NodeId, RegId, Span};
use memory::{FlatArray, ObjectId};
use semantics::{InputSite, Location, PathEnd};
use std::rc::Rc;
use term::{SymbolId, TermId};

/// The name of path counters, which is unlikely for a variable of C.
pub const KAPPA: &str = "κ";

/// The region of a template.
#[derive(Clone, Debug)]
pub enum Region {
    /// One cyclic path: its core, in order.
    Core(Rc<[EdgeId]>),
    /// A natural loop on all its paths.
    Loop(Rc<Loop>),
    /// The recursive calls of a function, or the returns from them.
    Recursion(Rc<RecursionRegion>),
}

/// All states that may leave a cycle's core, or a loop, after any number of iterations: the pair
/// (e, M).
pub struct Template {
    /// The entry location e.
    pub entry: Location,
    pub region: Region,
    /// Which states it applies to.
    pub shape: Shape,
    /// The meaning of the symbols in the exits at the entry.
    pub symbols: EntrySymbols,
    /// The path counter κ: a bit-vector symbol, unsigned.
    pub kappa: SymbolId,
    /// The inputs of one iteration, in order: arrays indexed by iteration, with indices as wide as
    /// κ.
    pub inputs: Vec<IterationInput>,
    /// Path counters of inner loops in which an unfinished last iteration leaves the loop or ends,
    /// and of the phases of a path dependency automaton, as far as nothing determines them: any
    /// number of iterations.
    pub inner_counters: Vec<SymbolId>,
    /// How each variable that matters moves, by name.
    pub progressions: Vec<Progression>,
    /// Entry symbols of arrays that are read at multiples of their cell width only.
    pub aligned: Vec<SymbolId>,
    /// The set M: one element for each way to leave.
    pub exits: Vec<TemplateExit>,
}

impl Template {
    /// Whether its exits are the ways through the loop's path dependency automaton.
    #[must_use]
    pub fn is_by_automaton(&self) -> bool {
        self.exits.iter().any(|exit| exit.iterations.is_some())
    }

    /// Whether iterations lead to ever new states: something that matters moves by a closed form
    /// that does not repeat. Without, the state after the first iterations comes again. A core that
    /// is never left leads on too, and a whole loop, which is done with in one step. `matters` says
    /// which registers do at the entry.
    #[must_use]
    pub fn makes_progress(&self, matters: impl Fn(RegId) -> bool) -> bool {
        let moves_on = |progression: &Progression| {
            let moves = match progression.rule {
                Rule::Arithmetic
                | Rule::Polynomial
                | Rule::Geometric
                | Rule::Sum
                | Rule::Comprehension => true,
                Rule::Unchanged
                | Rule::Alternating
                | Rule::Returning
                | Rule::Flag
                | Rule::Frame
                | Rule::Reset => false,
            };
            let entry = self.symbols.get(&progression.symbol);
            moves
                && match entry {
                    Some(EntryValue::Register(reg)) => matters(*reg),
                    Some(_) | None => true,
                }
        };
        let is_whole_loop = matches!(self.region, Region::Loop(_) | Region::Recursion(_));
        is_whole_loop || self.exits.is_empty() || self.progressions.iter().any(moves_on)
    }
}

/// One element of M: κ iterations and then an exit.
pub struct TemplateExit {
    /// The edge that leaves the core, or on which the path ends.
    pub edge: EdgeId,
    pub target: ExitTarget,
    /// φ_x\[κ\]: width 1, over entry symbols and κ.
    pub condition: TermId,
    /// κ, where that follows from the path counters of the phases of a path dependency automaton.
    pub iterations: Option<TermId>,
    /// θ_x\[κ\] of the registers that are live at the target and may differ from the entry.
    pub registers: Vec<(RegId, TermId)>,
    /// θ_x\[κ\] of memory: object, byte offset and value of each cell that may differ.
    pub cells: Vec<(ObjectId, u64, TermId)>,
    /// θ_x\[κ\] of objects that iterations write as arrays: the whole content.
    pub arrays: Vec<(ObjectId, FlatArray)>,
    /// The inputs of the unfinished last iteration, in order: arrays, read at κ.
    pub last_inputs: Vec<IterationInput>,
    /// The inner loops left in the last iteration, or the phases before it, each by this edge after
    /// this many iterations: some of the template's inner counters.
    pub inner: Vec<(EdgeId, SymbolId)>,
}

/// An input that iterations read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IterationInput {
    /// The values of all iterations, indexed by iteration.
    pub array: SymbolId,
    /// The action that reads it.
    pub site: Option<InputSite>,
}

/// Where an exit leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExitTarget {
    Location(Location),
    /// The path ends on the edge.
    End(PathEnd),
}

/// Why there is no template for a cycle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoTemplate {
    /// No iteration is feasible (line 2).
    Infeasible,
    /// The solver cannot say whether an iteration, or the exit at this place, is feasible (lines 2
    /// and 26).
    Undecided(Span),
    /// An iteration is not a single path: a pointer has several targets here.
    Splits(Span),
    /// An iteration calls a function or returns.
    Calls(Span),
    /// An iteration allocates or frees memory, or makes memory symbolic.
    Allocates(Span),
    /// No rule gives the closed form of a variable (line 19).
    NoProgression {
        /// The variable's name.
        variable: String,
        /// Its value after one iteration.
        step: String,
        why: Box<Obstacle>,
        /// Where an iteration changes it, as far as that is known.
        span: Span,
    },
    /// An iteration writes an object at an offset that is not constant, or reads it at one that the
    /// iteration also writes, and what it holds after κ iterations is not a comprehension.
    WritesArray {
        /// The object's name.
        object: String,
        why: MemoryObstacle,
        span: Span,
    },
    /// A pointer leaves its object during an iteration.
    PointerMoves { variable: String, span: Span },
    /// An inner loop is neither determined by the state before it nor short enough to be unrolled.
    InnerLoop {
        /// Why it is not determined.
        why: String,
        span: Span,
    },
    /// The paths of an iteration differ in something that they must have in common.
    PathsDiffer {
        /// Its kind.
        what: &'static str,
        span: Span,
    },
    /// A loop has too many paths, or an iteration takes too long.
    TooManyPaths(Span),
    /// The run came to a limit meanwhile: nothing is known about the loop.
    Limit(Span),
    /// A recursion has a form for which there is no template.
    Recursion { why: &'static str, span: Span },
    /// A path of the loop needs something for which there are no semantics.
    Unsupported { what: String, span: Span },
}

impl NoTemplate {
    /// Where it stands in the source; unknown where no single place is to blame.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            NoTemplate::Infeasible => Span::UNKNOWN,
            NoTemplate::Undecided(span)
            | NoTemplate::Splits(span)
            | NoTemplate::Calls(span)
            | NoTemplate::Allocates(span)
            | NoTemplate::TooManyPaths(span)
            | NoTemplate::Limit(span)
            | NoTemplate::NoProgression { span, .. }
            | NoTemplate::WritesArray { span, .. }
            | NoTemplate::PointerMoves { span, .. }
            | NoTemplate::InnerLoop { span, .. }
            | NoTemplate::PathsDiffer { span, .. }
            | NoTemplate::Recursion { span, .. }
            | NoTemplate::Unsupported { span, .. } => *span,
        }
    }
}

impl Region {
    /// The edges that iterations may take, in order along a core, otherwise ascending.
    #[must_use]
    pub fn edges(&self, function: &Function) -> Vec<EdgeId> {
        match self {
            Region::Core(core) => core.to_vec(),
            Region::Recursion(_) => function.edge_ids().collect(),
            Region::Loop(natural) => {
                let inside = |node: NodeId| natural.body.contains(node.index());
                let mut edges: Vec<EdgeId> = function
                    .node_ids()
                    .filter(|node| inside(*node))
                    .flat_map(|node| function.out_edges(node).iter().copied())
                    .filter(|edge| inside(function.target(*edge)))
                    .collect();
                edges.sort_unstable();
                edges
            }
        }
    }

    /// Names of locations: along the core, the entry first and last; or the header, the rest of
    /// the loop in one entry, the header.
    #[must_use]
    pub fn locations(&self, function: &Function) -> Vec<String> {
        match self {
            Region::Core(core) => {
                let targets = core.iter().map(|edge| function.target(*edge));
                let first = core.first().map(|edge| function.source(*edge));
                let nodes = first.into_iter().chain(targets);
                nodes.map(|node| function.node(node).name.clone()).collect()
            }
            Region::Loop(natural) => {
                let header = function.node(natural.header).name.clone();
                let rest: Vec<&str> = function
                    .node_ids()
                    .filter(|node| *node != natural.header && natural.body.contains(node.index()))
                    .map(|node| function.node(node).name.as_str())
                    .collect();
                vec![header.clone(), format!("{{{}}}", rest.join(" ")), header]
            }
            Region::Recursion(recursion) => recursion.locations.clone(),
        }
    }
}
