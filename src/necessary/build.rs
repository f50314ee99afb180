//! The context of the construction of a necessary condition, and its options.

use super::forms::Rules;
use super::summary::Summary;
use super::unknown::Unknowns;
use flowgraph::{Function, Liveness, NodeId, RegId};
use limits::Interrupt;
use semantics::Machine;
use solver::{Answer, Limits, Query, Solver, SolverOptions};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use term::{TermId, TermPool, Work};

/// How necessary conditions are constructed.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// Default: all rules.
    pub rules: Rules,
    /// Backbones that meet with the same effect continue as one. Default: yes.
    pub join: bool,
    /// No flowgraph is walked along more backbones, counted at each node; what is left is not
    /// understood. Default: 20,000.
    pub most_backbones: usize,
    /// Work for the construction. Default: 20 s.
    pub work: Work,
    /// Counters of inner loops are said by the state of the outer loop, where that determines them
    /// (Section 3.4: the "heavyweight" version of Algorithm 2). Default: yes.
    pub relates_counters: bool,
    /// No more linear relations are tried for a counter. Default: 4.
    pub most_relations: u32,
    /// Work for each of these queries. Default: 5 ms.
    pub relation: Work,
    /// Work for each query whether two iterations reach the same cell of an array. Default: 5 ms.
    pub apart: Work,
    /// For loops with up to so many ways it is asked which of them may follow which, where variables
    /// have no closed form; there are as many queries as pairs of ways. Default: 4.
    pub most_ordered: usize,
    /// Work for each of these queries. Default: 5 ms.
    pub order: Work,
    /// Paths end where they pass an open goal of coverage, and those on which executions end at undefined
    /// behaviour or in a trap are among the open ones: for states of a run that tells of all these.
    /// Default: no.
    pub tells_of_all: bool,
    /// The first and the last iteration are examined in loops with up to so many ways, where variables
    /// have no closed form. Default: 16.
    pub most_ends: usize,
}

impl Default for BuildOptions {
    fn default() -> BuildOptions {
        BuildOptions {
            rules: Rules::All,
            join: true,
            most_backbones: 20_000,
            work: Work::seconds(20),
            relates_counters: true,
            most_relations: 4,
            relation: Work::millis(5),
            apart: Work::millis(5),
            most_ordered: 4,
            order: Work::millis(5),
            tells_of_all: false,
            most_ends: 16,
        }
    }
}

impl BuildOptions {
    /// For constraint systems of chains: no quantifiers, counters of chains by reset chain, chains
    /// of equal effect as one (ATVA 2011, Sections 3.2 and 6).
    #[must_use]
    pub fn of_chains() -> BuildOptions {
        BuildOptions {
            rules: Rules::OfChains,
            relates_counters: false,
            ..BuildOptions::default()
        }
    }

    /// As the paper's algorithms have it: its rules and looping conditions, every backbone for
    /// itself, no relation of counters.
    #[must_use]
    pub fn as_in_the_paper() -> BuildOptions {
        BuildOptions {
            rules: Rules::OfThePaper,
            relates_counters: false,
            join: false,
            ..BuildOptions::default()
        }
    }
}

/// What constructions within one function leave for each other.
#[derive(Default)]
pub struct Known {
    pub(super) unknowns: Unknowns,
    /// The loops summarised so far, by entry.
    pub(super) summaries: BTreeMap<NodeId, Vec<Rc<Summary>>>,
    solver: SharedSolver,
}

/// The solver that constructions ask, the same for all that share it. It is made at the first
/// query, since that takes longer than most constructions.
#[derive(Clone, Default)]
pub struct SharedSolver(Rc<RefCell<Option<Box<dyn Solver>>>>);

impl SharedSolver {
    /// A solver that is made now.
    #[must_use]
    pub fn made() -> SharedSolver {
        let solver = SharedSolver::default();
        solver.with(|_| ());
        solver
    }

    fn with<T>(&self, act: impl FnOnce(&mut dyn Solver) -> T) -> T {
        let mut solver = self.0.borrow_mut();
        let solver = solver.get_or_insert_with(|| SolverOptions::default().build());
        act(&mut **solver)
    }
}

impl From<SharedSolver> for Known {
    fn from(solver: SharedSolver) -> Known {
        Known {
            solver,
            ..Known::default()
        }
    }
}

/// A construction that is going on, within one function.
pub(super) struct Build<'a, 'p> {
    pub machine: &'a Machine<'p>,
    pub function: &'a Function,
    pub options: &'a BuildOptions,
    pub unknowns: Unknowns,
    /// The loops summarised so far, by entry.
    pub summaries: BTreeMap<NodeId, Vec<Rc<Summary>>>,
    pub liveness: Arc<Liveness>,
    /// When it has to end.
    pub end: End,
    solver: SharedSolver,
}

/// The end of a construction: its work limit is reached, or the flag was raised.
pub(super) struct End {
    work: Work,
    interrupt: Interrupt,
}

impl End {
    /// An end after so much more work.
    pub fn after(work: Work, pool: &TermPool, interrupt: &Interrupt) -> End {
        End {
            work: pool.work() + work,
            interrupt: interrupt.clone(),
        }
    }

    pub fn is_reached(&self, pool: &TermPool) -> bool {
        pool.work() > self.work || self.interrupt.raised()
    }
}

impl<'a, 'p> Build<'a, 'p> {
    pub fn new(
        machine: &'a Machine<'p>,
        pool: &TermPool,
        function: &'a Function,
        options: &'a BuildOptions,
        interrupt: &Interrupt,
        known: Known,
    ) -> Build<'a, 'p> {
        Build {
            machine,
            function,
            options,
            unknowns: known.unknowns,
            summaries: known.summaries,
            liveness: Arc::clone(function.liveness()),
            end: End::after(options.work, pool, interrupt),
            solver: known.solver,
        }
    }

    /// The results.
    pub fn into_known(self) -> Known {
        Known {
            unknowns: self.unknowns,
            summaries: self.summaries,
            solver: self.solver,
        }
    }

    /// Asks whether all conjuncts can hold, with so much work.
    pub fn ask(&self, pool: &mut TermPool, conjuncts: &[TermId], work: Work) -> Answer {
        let limits = Limits {
            work: Some(work),
            interrupt: self.end.interrupt.clone(),
            ..Limits::default()
        };
        let query = Query::new(conjuncts, &limits);
        self.solver.with(|solver| solver.check(pool, &query))
    }

    /// The registers that are live at a node.
    pub fn live(&self, node: NodeId) -> Vec<RegId> {
        let live = self.liveness.at(node).iter();
        live.map(|index| RegId(u32::try_from(index).expect("registers are numbered with 32 bits")))
            .collect()
    }

    /// The place of each node in a reverse post-order from `start`, so that a node follows
    /// those from which edges lead to it, but for edges back.
    pub fn order(&self, start: NodeId) -> Vec<usize> {
        let n_nodes = self.function.n_nodes();
        let mut order = vec![0; n_nodes];
        let start = petgraph::graph::NodeIndex::new(start.index());
        let mut search = petgraph::visit::DfsPostOrder::new(self.function.graph(), start);
        let mut place = n_nodes;
        while let Some(node) = search.next(self.function.graph()) {
            place -= 1;
            order[node.index()] = place;
        }
        order
    }
}
