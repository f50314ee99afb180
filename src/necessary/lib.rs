//! Necessary conditions (abstract path conditions, ISSTA 2012): conditions that inputs have to satisfy to
//! reach a target.
//!
//! ```text
//! flowgraph --backbones, loop by loop--> summaries (θ^κ⃗, φ^κ⃗)   (Algorithm 2)
//!           --backbones with summaries--> abstract path conditions  (Algorithm 1)
//!           --⋁--> φ̂ --first K instances--> φ̂^K --solver--> no path, or inputs to try
//! ```
//!
//! φ̂ is implied by the path condition of each path to the target (Theorem 1): if it is unsatisfiable, the
//! target is unreachable. A model of it is a guess, which a native run has to confirm. Unlike templates,
//! summaries need not be exact: a value that no rule covers is ⋆, and predicates with ⋆ are left out.
//!
//! The paper has integers, this module machine integers. Closed forms hold modulo 2^w; path counters have 64
//! bits, or as many as the loop's condition requires. An input has a different value in each iteration.
//!
//! # Invariants
//! - The paths of a condition include each path on which the program may reach a target, undefined behaviour
//!   or an unsupported operation.
//! - Conditions mention no ⋆.
//!
//! # Deliberately absent
//! No files, no replay, no command line.
//!
//! # Source
//! Strejček, Trtík, *Abstracting Path Conditions*, ISSTA 2012.
//!
//! ```
//! use flowgraph::Program;
//! use limits::Interrupt;
//! use compact_se_necessary::{BuildOptions, NecessaryCondition};
//! use property::{Property, UndefinedBehaviour};
//! use semantics::Machine;
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
//! let options = BuildOptions::default();
//! let property = Property::unreachable(UndefinedBehaviour::KeepsOpen);
//! let condition =
//!     NecessaryCondition::of(&machine, &mut pool, &options, property, &Interrupt::new());
//! assert!(condition.is_whole && condition.paths.is_empty()); // 7 is odd: no path reaches the target
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod unknown;
mod each;
mod forms;
mod chains;
mod build;
mod walk;
mod relation;
mod arrays;
mod summary;
mod order;
mod ends;
mod growth;
mod instances;
mod simpler;
mod decide;
mod outlook;
mod notation;

pub use self::build::{BuildOptions, Known, SharedSolver};
pub use self::chains::{CountedTogether, InnerCounter};
pub use self::decide::{Asking, Decider, Decision, Round, Side, SideAnswer, Verdict};
pub use self::forms::{Form, Rule, Rules};
pub use self::growth::{Additions, Growth};
pub use self::notation::{BackboneView, ConditionView, FormView, LoopView, WayView};
pub use self::outlook::{Outlook, StateConditionPolicy, StateConditionStatistics, StateConditions};
pub use self::simpler::Earlier;
pub use self::summary::{LoopBackbone, Summary};
pub use self::unknown::LostPredicate;
pub use self::walk::AppliedSummary;

use self::build::Build;
use self::instances::first_instances;
use flowgraph::{BitSet, EdgeId, Induced, NodeId};
use limits::Interrupt;
use property::{Meaning, Property};
use semantics::{Machine, PathEnd, State};
use std::collections::BTreeSet;
use std::rc::Rc;
use term::{TermId, TermPool};

/// The abstract path condition of a backbone, or of several with the same effect.
pub struct AbstractPath {
    /// Its end.
    pub end: PathEnd,
    /// The edges of the backbone; of the first where these are several.
    pub edges: Vec<EdgeId>,
    /// The edges of all of them.
    pub passed: BitSet,
    /// How many backbones these are, up to 2^64 − 1.
    pub n_backbones: u64,
    /// The summaries along it, in order.
    pub loops: Vec<AppliedSummary>,
    /// φ: width 1, over inputs, path counters and further symbols, all of them existentially
    /// quantified.
    pub condition: TermId,
    /// The state at its end; some of its values may be ⋆.
    pub state: State,
}

/// A necessary condition for reaching a target or undefined behaviour.
pub struct NecessaryCondition {
    /// The disjuncts of φ̂: backbones to targets, and those behind which something is not
    /// understood.
    pub paths: Vec<AbstractPath>,
    /// Backbones to undefined behaviour that keeps the verdict open.
    pub open: Vec<AbstractPath>,
    /// All summaries, by loop entry.
    pub summaries: Vec<Rc<Summary>>,
    /// Predicates that were left out.
    pub lost: Vec<LostPredicate>,
    /// Whether the work sufficed: where not, some paths end where it was done.
    pub is_whole: bool,
}

impl NecessaryCondition {
    /// Constructs the condition for the targets of a program from its start.
    #[must_use]
    pub fn of(
        machine: &Machine,
        pool: &mut TermPool,
        options: &BuildOptions,
        property: Property,
        interrupt: &Interrupt,
    ) -> NecessaryCondition {
        let solver = SharedSolver::default();
        NecessaryCondition::asking(&solver, machine, pool, options, property, interrupt)
    }

    /// The same, by a solver that other constructions ask too.
    #[must_use]
    pub fn asking(
        solver: &SharedSolver,
        machine: &Machine,
        pool: &mut TermPool,
        options: &BuildOptions,
        property: Property,
        interrupt: &Interrupt,
    ) -> NecessaryCondition {
        let mut known = Known::from(solver.clone());
        let end = pool.work() + options.work;
        let state = machine.initial_state(pool);
        let (paths, open) = NecessaryCondition::from(
            machine, pool, options, property, interrupt, &mut known, state,
        );
        NecessaryCondition {
            paths,
            open,
            is_whole: pool.work() <= end && !interrupt.raised(),
            lost: known.unknowns.lost().collect(),
            summaries: known.summaries.into_values().flatten().collect(),
        }
    }

    /// The paths, and those to undefined behaviour, from a state of the program's main function without
    /// callers: what may still follow. Other states are not covered.
    #[must_use]
    pub fn from(
        machine: &Machine,
        pool: &mut TermPool,
        options: &BuildOptions,
        property: Property,
        interrupt: &Interrupt,
        known: &mut Known,
        state: State,
    ) -> (Vec<AbstractPath>, Vec<AbstractPath>) {
        let program = machine.program;
        let function = program.function(program.main);
        let before = std::mem::take(known);
        let mut build = Build::new(machine, pool, function, options, interrupt, before);
        let flowgraph = Induced::from(function, state.location.node);
        let around = function.loops().headers_around(state.location.node);
        let walked = build.walk_from(pool, &flowgraph, state, around);
        let (mut paths, mut open) = (Vec::new(), Vec::new());
        for ended in walked.ended {
            let is_open = match property.meaning(&ended.end) {
                Meaning::Trap(_) | Meaning::Undefined(_) if options.tells_of_all => true,
                Meaning::Defined | Meaning::Trap(_) | Meaning::Undefined(_) => continue,
                Meaning::Violation(_) => false,
                Meaning::Open(_) => {
                    !matches!(ended.end, PathEnd::Unsupported(..) | PathEnd::Undecided(_))
                }
            };
            let condition = build.condition(pool, &ended.trail);
            if pool.is_false(condition) {
                continue;
            }
            let path = AbstractPath {
                end: ended.end,
                passed: ended.trail.passed,
                edges: ended.trail.edges,
                n_backbones: ended.trail.n_backbones,
                loops: ended.trail.loops,
                condition,
                state: ended.trail.state,
            };
            if is_open {
                open.push(path);
            } else {
                paths.push(path);
            }
        }
        *known = build.into_known();
        (paths, open)
    }

    /// φ̂: the disjunction over the paths.
    pub fn formula(&self, pool: &mut TermPool) -> TermId {
        pool.disj(self.paths.iter().map(|path| path.condition))
    }
}

impl AbstractPath {
    /// The path's part of φ̂^K; `None` where its quantifiers do not stand where they have to.
    pub fn first_instances(&self, pool: &mut TermPool, k: u64) -> Option<TermId> {
        first_instances(pool, self.condition, k)
    }

    /// What is known of sums of its counters: the bounds of constraint systems.
    pub fn bounds(&self) -> impl Iterator<Item = TermId> + '_ {
        let together = self.loops.iter().flat_map(|applied| &applied.together);
        together.map(|together| together.bound)
    }

    /// The entries of the loops along it whose counters these terms mention.
    fn loops_in(&self, pool: &mut TermPool, terms: &[TermId]) -> BTreeSet<NodeId> {
        let mut symbols = BTreeSet::new();
        for term in terms {
            symbols.extend(pool.symbols_of(*term).iter().copied());
        }
        let is_in = |counter: &TermId| {
            let symbol = pool.as_symbol(*counter);
            symbol.is_some_and(|symbol| symbols.contains(&symbol))
        };
        let loops = self.loops.iter();
        let found = loops.filter(|applied| {
            let inner = applied.inner.iter().flatten();
            let mut counters = applied.counters.iter().chain([&applied.total]).chain(inner);
            counters.any(is_in)
        });
        found.map(|applied| applied.summary.entry).collect()
    }

    /// Whether it ends where the property is violated, not where something is not understood.
    #[must_use]
    pub fn violates(&self) -> bool {
        !matches!(self.end, PathEnd::Unsupported(..) | PathEnd::Undecided(_))
    }

    /// Whether it leads to a target.
    #[must_use]
    pub fn reaches_target(&self) -> bool {
        matches!(self.end, PathEnd::Target(_))
    }
}
