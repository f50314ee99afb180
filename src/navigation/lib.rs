//! Loop navigation (ATVA 2011; a guided search): constraint systems on loop counters choose the path around a
//! loop that brings a state closer to the target.
//!
//! ```text
//! state --chains from its location on--> constraint systems      (necessary, rules of chains)
//!       --intervals, then the solver, small solutions first--> Assessment
//!       --chains with a positive count--> Heading (chooseChain)
//! ```
//!
//! The paper keeps counters along a path and solves for a vector v such that w + v is a solution, where w
//! counts the executions so far. Here the system describes the remaining execution, over the values of the
//! state, so that w is 0 and v the solution itself: states carry no counters, and the history of a state does
//! not matter. If v is 0 at a loop, the path leaves the loop; otherwise it follows chains with a positive
//! count in v. Chains that reset a counter count as positive, since the counters of inner chains belong to
//! one visit of their loop.
//!
//! # Invariants
//! - [`Assessment::Refuted`] only if neither a violation nor an end that keeps the verdict open can follow:
//!   all constraints are consequences, and the solver showed that no system has a solution. Other assessments
//!   affect only the search order.
//!
//! # Deliberately absent
//! No queue: the executor interprets assessments.
//!
//! # Source
//! Obdržálek, Trtík, *Efficient Loop Navigation for Symbolic Execution*, ATVA 2011, Section 3.3.
//!
//! ```
//! use compact_se_navigation::ChainSystems;
//! use flowgraph::Program;
//! use limits::Interrupt;
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
//!   out -> hit: assume %i == 8:32
//!   out -> miss: assume %i != 8:32
//!   hit -> stop: target
//!   stop -> end: return 0:32
//!   miss -> end: return 1:32
//! }
//! ";
//! let program: Program = text.parse()?;
//! let mut pool = TermPool::new();
//! let machine = Machine::new(&mut pool, &program);
//! let property = Property::unreachable(UndefinedBehaviour::KeepsOpen);
//! let systems = ChainSystems::of(&machine, &mut pool, property, &Interrupt::new(), 100);
//! assert_eq!(systems.check(&pool), Ok(()));
//! assert!(!systems.systems.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod heading;
mod intervals;
mod notation;
mod policy;
mod system;
mod systems;

pub use self::heading::Heading;
pub use self::notation::{ChainView, ChainsView, ChangeView, FunctionsView, LineView, SystemView};
pub use self::policy::NavigationPolicy;
pub use self::systems::{ChainSystem, ChainSystems, CounterName, LoopFunctions};

use self::intervals::{Intervals, NoSolution};
use self::system::{System, value};
use limits::Interrupt;
use necessary::{AbstractPath, BuildOptions, Known, NecessaryCondition};
use property::Property;
use rustc_hash::FxHashSet as HashSet;
use semantics::{Machine, State};
use solver::{Answer, UnknownReason, confirms};
use std::rc::Rc;
use term::{Bv, TermId, TermPool, Work};

/// Solutions are searched for up to so many executions of chains, then of any size.
const LARGEST: u64 = 1 << 16;

/// Work for a conjunct of a path that is examined.
const CONJUNCT: Work = Work::units(300);

/// Facts about the continuations of a state.
#[derive(Clone, Debug)]
pub enum Assessment {
    /// Nowhere that matters for a verdict.
    Refuted,
    /// To no violation, but to something that keeps a verdict open, perhaps.
    Away,
    /// To a violation, as far as counters tell: this is the way.
    Towards(Rc<Heading>),
    /// Nothing: the solver did not answer, or the state is in a called function.
    Unknown,
}

impl Assessment {
    /// Executions of chains that are left in a state to which one of this assessment led; more than
    /// in any solution where none is known.
    #[must_use]
    pub fn left_in(&self, state: &State) -> u64 {
        match self {
            Assessment::Towards(heading) => heading.left_in(state),
            Assessment::Unknown => u64::MAX - 1,
            Assessment::Refuted | Assessment::Away => u64::MAX,
        }
    }
}

/// Statistics of navigation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NavigationStatistics {
    /// States that were assessed.
    pub n_assessed: u64,
    /// Systems of the first state: paths to a violation, chains of equal effect as one.
    pub n_systems: u64,
    /// Those without a solution.
    pub n_eliminated: u64,
    /// States of which it was shown that they lead nowhere.
    pub n_refuted: u64,
    /// Queries for the first state: the paper's calls for the initial solution.
    pub n_first_questions: u64,
    /// Queries for all others.
    pub n_questions: u64,
    /// Systems that intervals of counters refuted, so that the solver was not asked.
    pub n_by_intervals: u64,
    /// Work for systems and queries.
    pub work: Work,
}

/// Who answers queries: whether conjuncts are satisfiable, within this work.
pub type Ask<'a> = dyn FnMut(&mut TermPool, &[TermId], Work) -> Answer + 'a;

/// Assesses the states of one run.
pub struct Navigator {
    build: BuildOptions,
    policy: NavigationPolicy,
    known: Known,
    pub statistics: NavigationStatistics,
}

impl Navigator {
    /// A navigator that knows nothing yet.
    #[must_use]
    pub fn new(policy: NavigationPolicy) -> Navigator {
        Navigator {
            build: BuildOptions {
                most_backbones: policy.most_chains,
                work: policy.work_for_systems,
                ..BuildOptions::of_chains()
            },
            policy,
            known: Known::default(),
            statistics: NavigationStatistics::default(),
        }
    }

    /// Assesses a state; `before` is the heading under which it was reached.
    pub fn assess(
        &mut self,
        machine: &Machine,
        pool: &mut TermPool,
        (property, interrupt): (Property, &Interrupt),
        state: &State,
        before: Option<&Heading>,
        ask: &mut Ask,
    ) -> Assessment {
        let is_of_main = state.location.function == machine.program.main
            && state.callers.is_empty()
            && state.frame.folded.is_none();
        if !is_of_main {
            return Assessment::Unknown;
        }
        let work_before = pool.work();
        let (paths, open) = NecessaryCondition::from(
            machine,
            pool,
            &self.build,
            property,
            interrupt,
            &mut self.known,
            state.clone(),
        );
        let mut n_questions = 0;
        let is_first = self.statistics.n_assessed == 0;
        let each = if is_first {
            self.policy.work_at_first
        } else {
            self.policy.work
        };
        let end = pool.work() + each * self.policy.most_for_state;
        let mut assessing = Assessing {
            policy: &self.policy,
            state,
            before,
            is_first,
            each,
            n_by_intervals: 0,
            ask: &mut |pool: &mut TermPool, conjuncts: &[TermId], work: Work| {
                let left = end.saturating_sub(pool.work());
                if left == Work::ZERO {
                    return Answer::Unknown(UnknownReason::Work);
                }
                n_questions += 1;
                ask(pool, conjuncts, work.min(left))
            },
        };
        let known: HashSet<TermId> = state.path_cond.to_vec().into_iter().collect();
        let n_conjuncts = u64::try_from(known.len()).unwrap_or(u64::MAX);
        let of = |pool: &TermPool, path| {
            // Paths contain the whole path condition.
            pool.count_work(CONJUNCT * n_conjuncts.saturating_add(1));
            System::of(pool, path, &known)
        };
        let (violations, others): (Vec<_>, Vec<_>) =
            paths.into_iter().partition(AbstractPath::violates);
        let n_systems = violations.len() as u64;
        let violations = violations.into_iter().map(|path| of(pool, path)).collect();
        let others = others.into_iter().chain(open);
        let others: Vec<System> = others.map(|path| of(pool, path)).collect();
        let (assessment, n_left) = assessing.run(pool, violations, &others);
        let n_by_intervals = assessing.n_by_intervals;
        let statistics = &mut self.statistics;
        statistics.n_assessed += 1;
        statistics.n_by_intervals += n_by_intervals;
        statistics.work += pool.work() - work_before;
        if is_first {
            statistics.n_first_questions += n_questions;
            statistics.n_systems = n_systems;
            statistics.n_eliminated = n_systems - n_left;
        } else {
            statistics.n_questions += n_questions;
        }
        statistics.n_refuted += u64::from(matches!(assessment, Assessment::Refuted));
        assessment
    }
}

/// The assessment of one state.
struct Assessing<'a> {
    policy: &'a NavigationPolicy,
    state: &'a State,
    before: Option<&'a Heading>,
    is_first: bool,
    /// Work for each query.
    each: Work,
    /// Systems that intervals refuted.
    n_by_intervals: u64,
    ask: &'a mut Ask<'a>,
}

impl Assessing<'_> {
    /// What the systems of paths to violations and of paths to whatever else keeps a verdict open
    /// say; and how many of the first may have a solution.
    fn run(
        &mut self,
        pool: &mut TermPool,
        mut systems: Vec<System>,
        others: &[System],
    ) -> (Assessment, u64) {
        let n_systems = systems.len() as u64;
        if let Some(heading) = self.followed(pool, &systems) {
            return (Assessment::Towards(heading), n_systems);
        }
        if let Some(before) = self.before {
            // One execution fewer than before; if not so, as few more as possible.
            let nearer = before.left.checked_sub(1);
            let more = [0, 1, 3, 7, 15].map(|more| before.left.saturating_add(more));
            for most in nearer.into_iter().chain(more) {
                if let Some(heading) = self.up_to(pool, &systems, most) {
                    return (Assessment::Towards(heading), n_systems);
                }
            }
        }
        // Which have a solution of any size?
        let (mut any, mut is_open) = (None, false);
        systems.retain(|system| match self.solve(pool, system) {
            Answer::Unsat(_) => false,
            Answer::Sat(model) => {
                let solution = || {
                    Rc::new(system.heading(pool, self.state, system.counts(pool, &model), model))
                };
                any.get_or_insert_with(solution);
                true
            }
            Answer::Unknown(_) => {
                is_open = true;
                true
            }
        });
        let n_left = systems.len() as u64;
        if systems.is_empty() {
            let is_refuted = others
                .iter()
                .all(|system| self.solve(pool, system).is_unsat());
            let assessment = if is_refuted {
                Assessment::Refuted
            } else {
                Assessment::Away
            };
            return (assessment, n_left);
        }
        let assessment = match self.smallest(pool, &systems, any) {
            Some(heading) => Assessment::Towards(heading),
            None if is_open => Assessment::Unknown,
            None => Assessment::Away,
        };
        (assessment, n_left)
    }

    /// Whether a system has a solution of any size: intervals are examined before the solver is asked.
    fn solve(&mut self, pool: &mut TermPool, system: &System) -> Answer {
        let conjuncts = system.all();
        if self.policy.intervals && Intervals::of(pool, &conjuncts) == Err(NoSolution) {
            self.n_by_intervals += 1;
            return Answer::Unsat(None);
        }
        (self.ask)(pool, &conjuncts, self.each)
    }

    /// The solution under which the state was reached, with one execution of a chain less, if it
    /// still is one: that takes no query.
    fn followed(&self, pool: &mut TermPool, systems: &[System]) -> Option<Rc<Heading>> {
        let before = self
            .before
            .filter(|before| before.from == self.state.location)?;
        let system = systems.iter().find(|system| {
            system.path.edges == before.edges && system.counters.len() == before.counts.len()
        })?;
        let n_here = system.path.loops.first()?.chain_counters().count();
        for chain in 0..n_here {
            let mut counts = before.counts.clone();
            let Some(less) = counts[chain].checked_sub(1) else {
                continue;
            };
            counts[chain] = less;
            let mut model = (*before.model).clone();
            for (counter, count) in system.counters.iter().zip(&counts) {
                if let Some(symbol) = pool.as_symbol(*counter) {
                    model.set(symbol, Bv::new(pool.width(*counter), *count));
                }
            }
            if confirms(pool, &system.constraints, &model) {
                let heading = system.heading(pool, self.state, counts, Rc::new(model));
                return Some(Rc::new(heading));
            }
        }
        None
    }

    /// A solution of any of the systems with at most so many executions of chains.
    fn up_to(&mut self, pool: &mut TermPool, systems: &[System], most: u64) -> Option<Rc<Heading>> {
        systems.iter().find_map(|system| {
            let narrow = system.narrowed(pool, most);
            let answer = (self.ask)(pool, &narrow.conjuncts, self.policy.work);
            let Answer::Sat(model) = answer else {
                return None;
            };
            let counts = narrow
                .counters
                .iter()
                .map(|counter| value(pool, &model, *counter));
            let counts = counts.collect();
            Some(Rc::new(system.heading(pool, self.state, counts, model)))
        })
    }

    /// A small solution of any of the systems, of which `any` is one: one with up to so many
    /// executions is searched for, for growing numbers; for the first state, then one with fewer.
    fn smallest(
        &mut self,
        pool: &mut TermPool,
        systems: &[System],
        any: Option<Rc<Heading>>,
    ) -> Option<Rc<Heading>> {
        let mut best = any;
        // There is none with fewer executions, as far as is known.
        let mut least = 0;
        let mut most = self.before.map_or(0, |before| before.left);
        while best.as_ref().is_none_or(|best| best.left > most) && most <= LARGEST {
            if let Some(heading) = self.up_to(pool, systems, most) {
                best = Some(heading);
                break;
            }
            least = most + 1;
            most = (2 * most).max(1);
        }
        let mut found = best?;
        if !self.is_first {
            return Some(found);
        }
        for _ in 0..self.policy.most_refinements {
            if found.left <= least || found.left > LARGEST {
                break;
            }
            let middle = least + (found.left - least) / 2;
            match self.up_to(pool, systems, middle) {
                Some(heading) => found = heading,
                None => least = middle + 1,
            }
        }
        Some(found)
    }
}
