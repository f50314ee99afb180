//! The executor: Algorithm 2, classic and compact.
//!
//! ```text
//! queue --state--> template for its location? --yes--> state ⋄ each exit ┐
//!                                             --no---> classic step -----┴--> feasible? --> queue,
//!                                             tree
//! ```
//!
//! There is one executor. Compact execution is the executor with a table of templates, classic
//! execution the same with an empty table.
//!
//! # Adding a technique
//! The executor knows no technique by name. A new technique that
//! - *continues a state* (a summary, a cut, a jump) implements `LocalTechnique` in a file of `local` and is
//!   listed in `LocalTechniques::of`;
//! - *closes a state* implements `Closer` in a file of `closing` and is listed in `ON_ARRIVAL` or
//!   `BEFORE_STEP`, with a [`NodeKind`] for the tree;
//! - *orders states* implements `Order` in a file of `queue` and is named in [`SearchStrategy`]; the
//!   attributes of a state that it needs go into `Priority`;
//! - *merges states* adds a [`MergeStrategy`], which `merging/decide.rs` reads.
//!
//! Data that a technique keeps from state to state is a field of `Run`; data that it keeps along a path, of
//! `PathSoFar`. [`Property`](property::Property), not the executor, interprets ends of paths.
//!
//! # Closing subsumed states
//!
//! A state s' that is subsumed by a state s at the same location is closed: for each concrete state of s'
//! there is one of s from which the same further inputs lead along the same edges
//! ([`Projection`](semantics::Projection), the module `subsuming`). No end of a path is lost, neither the
//! target nor one that keeps the verdict open. Proof by induction over the length of the shortest concrete
//! run from a state of the tree to such an end:
//! - If s is executed, the run continues in a child of s, by a classic step, which is one edge, or by a
//!   template, whose exits each contain the edge on which the core is left, also for κ = 0. The rest of the
//!   run is shorter. (If κ is too narrow for a run, a shorter one represents it, with the same rest after the
//!   exit.)
//! - If s' is closed, a run of the same length starts in s, and s was queued, so that it is executed: only
//!   queued states subsume, so that there are no chains of closings.
//!
//! A state whose feasibility is undecided is deferred; it is neither queued nor subsumes others before its
//! whole path condition was found satisfiable, so that no closed state depends on a state that is dropped
//! later. A state that was deferred at a branching has not yet made its step: its run is as long as that of
//! its parent, which would subsume it. So it is never closed in this way, and the run through it becomes
//! shorter in its next step. A state whose step has open queries waits, and the step is repeated. If a path
//! after s ends for a reason of ours, or s is still waiting at a limit, the verdict is unknown, also for the
//! states that s subsumes. The projection drops unconnected conjuncts of a path condition, which is sound
//! because the whole is satisfiable.
//!
//! A state that implies an annotation of its location is closed as well (`invariants::Annotations`): no such
//! end can follow, neither from it nor from a state that it subsumes.
//!
//! # Merging
//!
//! States that meet after a branching may be merged ([`MergeStrategy`], the module `merging`). The merged
//! state has exactly their concrete states, so that nothing is lost. A state that waits for others subsumes
//! none, since it may subsume the state that it becomes a part of.
//!
//! # Invariants
//! - A state is queued only if its path condition is satisfiable.
//! - The verdict is *unreachable* only if the queue ran empty and no path ended for a reason of
//!   ours (undecided, unsupported, limit), or in undefined behaviour unless executions end there
//!   by option ([`UndefinedBehaviour`](property::UndefinedBehaviour)).
//! - The verdict is *reachable* only with a witness that was confirmed.
//!
//! # Deliberately absent
//! No files, no command line, no native code: the caller confirms witnesses.
//!
//! # Source
//! Slaby, Strejček, Trtík, *Compact Symbolic Execution*, ATVA 2013, Algorithm 2.
//!
//! ```
//! use flowgraph::Program;
//! use solver::SolverOptions;
//! use compact_se_symex::{Confirmation, ExecutionOptions, Executor, Verdict};
//! use template::{Folding, TemplateTable};
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
//! let table = TemplateTable::new(100, Folding::Cycles); // classic execution has an empty one
//! let solver = SolverOptions::default().build();
//! let executor = Executor::new(&program, solver, table, ExecutionOptions::default());
//! let report = executor.run(&mut |_| Confirmation::Skipped, &mut |_| ());
//! assert!(matches!(report.verdict, Verdict::Unreachable)); // 7 is odd
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod advancing;
mod budget;
mod closing;
mod concrete;
mod subsuming;
mod executor;
mod hints;
mod local;
mod merging;
mod path;
mod run;
mod open;
mod options;
mod queue;
mod report;
mod steering;
mod subsumption;
mod tree;
mod verdict;
mod witness;

pub use advancing::{Advance, Advancing};
pub use budget::Budget;
pub use executor::{Executor, Remains, WantedGoals};
pub use hints::{HintStatistics, Hints};
pub use limits::Exhausted;
pub use merging::{MergeStrategy, MergingStatistics};
pub use open::OpenLoop;
pub use options::{ExecutionOptions, Losses, TemplateChoice};
pub use queue::SearchStrategy;
pub use report::{Findings, Report, Statistics};
pub use semantics::Accesses;
pub use steering::{
    ExecutionPolicy, FoldingPolicy, MergingPolicy, StretchPolicy, SubsumptionPolicy,
};
pub use subsumption::SubsumptionStatistics;
pub use template::QueryWork;
pub use tree::{ExecutionTree, NodeKind, TreeNode, TreeNodeId};
pub use verdict::Verdict;
pub use witness::{Confirmation, InputValue, PathStep, Witness, WitnessInput, propose_inputs};
