//! Decides the satisfiability of φ̂ with φ̂ and φ̂^K side by side.
//!
//! Both are solved in slices of growing work, path by path; the answer with less work counts. If φ̂^K is
//! unsatisfiable, so is φ̂; a model of φ̂^K is a guess like a model of φ̂.
//!
//! Models are first searched for executions in which loops that contain loops complete no iteration, and all
//! others repeat one path only: these queries have fewer quantifiers, and most targets can be reached in this
//! way.
//!
//! # Source
//! ISSTA 2012, Section 4.

use super::AbstractPath;
use super::instances::first_instances;
use super::simpler::Simpler;
use solver::{Answer, Limits, Query, Solver, UnknownReason, work_of_translation};
use std::rc::Rc;
use std::time::{Duration, Instant};
use term::{Assignment, TermId, TermPool, Work};

/// Which formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// φ̂.
    Quantified,
    /// φ̂^K.
    Instances,
}

/// Whether there are queries left in a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Round {
    Goes,
    Over,
}

/// The result for a formula.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No path is possible.
    Unsatisfiable,
    /// This path may be possible, by a model of its condition.
    Satisfiable {
        path: usize,
        /// The formula: the path's condition, or a part of it.
        formula: TermId,
        model: Rc<Assignment>,
    },
    /// The work was not enough, or the other side had an answer before.
    Open,
}

/// One formula with what was found out about it.
#[derive(Clone, Debug)]
pub struct SideAnswer {
    pub verdict: Verdict,
    /// Work of the queries.
    pub work: Work,
    /// Time of the queries.
    pub time: Duration,
    /// Work and time of making the formula from φ̂.
    pub build: (Work, Duration),
    /// Unsatisfiable cores of the paths that were excluded, one behind the other.
    pub core: Vec<TermId>,
}

/// The answer of both sides.
#[derive(Clone, Debug)]
pub struct Decision {
    pub quantified: SideAnswer,
    pub instances: SideAnswer,
    /// The side whose answer took less work, if one has an answer.
    pub decided_by: Option<Side>,
}

/// The settings of a decision.
#[derive(Clone, Debug)]
pub struct Decider {
    /// Instances of each quantifier in φ̂^K. Default: 25.
    pub k: u64,
    /// Work for both sides together. Default: 60 s.
    pub work: Work,
    /// Ask until both sides have an answer or no work. Default: no.
    pub both: bool,
}

impl Default for Decider {
    fn default() -> Decider {
        Decider {
            k: 25,
            work: Work::seconds(60),
            both: false,
        }
    }
}

/// The first slice.
const FIRST_SLICE: Work = Work::millis(50);
/// What takes more of these slices to be translated by the solver is not asked in one of them: instances of
/// quantifiers below quantifiers are many, and translating them cannot be stopped.
const MOST_FOR_TRANSLATION: u64 = 4;

impl Decider {
    /// Asks about the disjunction of the paths' conditions, until the work is done.
    pub fn decide(
        &self,
        pool: &mut TermPool,
        solver: &mut dyn Solver,
        limits: &Limits,
        paths: &[&AbstractPath],
    ) -> Decision {
        let asking = Asking::new(pool, paths, self.k, self.both);
        self.ask(pool, solver, limits, asking)
    }

    /// The same about φ̂ alone.
    pub fn decide_whole(
        &self,
        pool: &mut TermPool,
        solver: &mut dyn Solver,
        limits: &Limits,
        paths: &[&AbstractPath],
    ) -> Decision {
        self.ask(pool, solver, limits, Asking::of_whole(paths))
    }

    fn ask(
        &self,
        pool: &mut TermPool,
        solver: &mut dyn Solver,
        limits: &Limits,
        mut asking: Asking,
    ) -> Decision {
        let limits = limits.within_work(pool, self.work);
        let mut slice = FIRST_SLICE;
        while !asking.is_done() && limits.reached(pool).is_none() {
            if asking.step(pool, solver, &limits, slice) == Round::Over {
                slice = slice + slice;
            }
        }
        asking.decision()
    }
}

/// A decision that is being made, query by query.
///
/// In a round each path that is open is checked once, by φ̂ and then by φ̂^K.
pub struct Asking {
    quantified: Asked,
    instances: Asked,
    /// φ̂^K is φ̂.
    is_same: bool,
    /// Whether both sides have to have an answer.
    both: bool,
}

impl Asking {
    /// About the disjunction of the paths' conditions; nothing is asked yet.
    #[must_use]
    pub fn new(pool: &TermPool, paths: &[&AbstractPath], k: u64, both: bool) -> Asking {
        let mut conditions = paths.iter().map(|path| path.condition);
        Asking {
            is_same: !conditions.any(|condition| pool.has_quantifier(condition)),
            quantified: Asked::new(paths, None),
            instances: Asked::new(paths, Some(k)),
            both,
        }
    }

    /// The same about φ̂ alone.
    #[must_use]
    pub fn of_whole(paths: &[&AbstractPath]) -> Asking {
        Asking {
            is_same: true,
            quantified: Asked::new(paths, None),
            instances: Asked::new(paths, None),
            both: false,
        }
    }

    /// Whether there is an answer.
    #[must_use]
    pub fn is_done(&self) -> bool {
        let (quantified, instances) = (self.quantified.is_decided(), self.instances.is_decided());
        if self.both {
            quantified && instances
        } else {
            quantified || instances
        }
    }

    /// Asks the next query of the round, with so much work.
    pub fn step(
        &mut self,
        pool: &mut TermPool,
        solver: &mut dyn Solver,
        limits: &Limits,
        slice: Work,
    ) -> Round {
        if !self.quantified.is_decided() && self.quantified.has_next() {
            self.quantified.ask_next(pool, solver, limits, slice);
            if self.is_same {
                self.instances.verdict.clone_from(&self.quantified.verdict);
                self.instances.work = self.quantified.work;
                self.instances.core.clone_from(&self.quantified.core);
                self.instances.time = self.quantified.time;
            }
        } else if self.asks_instances() && self.instances.has_next() {
            self.instances.ask_next(pool, solver, limits, slice);
        }
        let goes_on = (!self.quantified.is_decided() && self.quantified.has_next())
            || (self.asks_instances() && self.instances.has_next());
        if goes_on && !self.is_done() {
            return Round::Goes;
        }
        self.begin_round();
        Round::Over
    }

    /// Leaves out what is left of the round.
    pub fn begin_round(&mut self) {
        self.quantified.next = 0;
        self.instances.next = 0;
    }

    /// Whether φ̂^K is checked.
    fn asks_instances(&self) -> bool {
        !self.is_same
            && !self.instances.is_decided()
            && (self.both || !self.quantified.is_decided())
    }

    /// The results so far.
    #[must_use]
    pub fn decision(self) -> Decision {
        let (quantified, instances) = (self.quantified, self.instances);
        let total = |asked: &Asked| asked.work + asked.build.0;
        let decided_by = match (quantified.is_decided(), instances.is_decided()) {
            (true, true) if total(&instances) < total(&quantified) => Some(Side::Instances),
            (true, _) => Some(Side::Quantified),
            (false, true) => Some(Side::Instances),
            (false, false) => None,
        };
        Decision {
            quantified: quantified.into_answer(),
            instances: instances.into_answer(),
            decided_by,
        }
    }
}

impl Decision {
    /// The answer that counts.
    #[must_use]
    pub fn verdict(&self) -> &Verdict {
        match self.decided_by {
            Some(Side::Quantified) | None => &self.quantified.verdict,
            Some(Side::Instances) => &self.instances.verdict,
        }
    }

    /// What excluded the paths that the answer that counts excluded.
    #[must_use]
    pub fn core(&self) -> &[TermId] {
        match self.decided_by {
            Some(Side::Quantified) | None => &self.quantified.core,
            Some(Side::Instances) => &self.instances.core,
        }
    }
}

/// A formula while it is checked.
struct Asked {
    /// φ̂^K is checked, with this K, not φ̂.
    k: Option<u64>,
    /// The paths that are still possible.
    open: Vec<OpenPath>,
    /// The first of them that was not asked about in this round.
    next: usize,
    verdict: Verdict,
    work: Work,
    time: Duration,
    build: (Work, Duration),
    core: Vec<TermId>,
}

/// A path while it is checked.
struct OpenPath {
    number: usize,
    /// Its part of φ̂.
    condition: TermId,
    /// The simplification.
    simpler: Vec<Simpler>,
    /// Its formula, made on first use: instances can be large.
    formulas: Option<Formulas>,
}

/// The formula of a path.
#[derive(Clone)]
struct Formulas {
    /// Its condition; `None` where there is none that can be asked.
    whole: Option<TermId>,
    /// Simpler formulas that imply it, as long as they may have a model.
    simpler: Vec<TermId>,
}

impl Asked {
    fn new(paths: &[&AbstractPath], k: Option<u64>) -> Asked {
        let open = paths.iter().enumerate().map(|(number, path)| OpenPath {
            number,
            condition: path.condition,
            simpler: Simpler::of(path),
            formulas: None,
        });
        let open: Vec<OpenPath> = open.collect();
        Asked {
            k,
            verdict: if open.is_empty() {
                Verdict::Unsatisfiable
            } else {
                Verdict::Open
            },
            open,
            next: 0,
            work: Work::ZERO,
            time: Duration::ZERO,
            build: (Work::ZERO, Duration::ZERO),
            core: Vec::new(),
        }
    }

    fn is_decided(&self) -> bool {
        !matches!(self.verdict, Verdict::Open)
    }

    fn has_next(&self) -> bool {
        self.next < self.open.len()
    }

    /// Asks about the next path of the round.
    fn ask_next(
        &mut self,
        pool: &mut TermPool,
        solver: &mut dyn Solver,
        limits: &Limits,
        slice: Work,
    ) {
        if self.k.is_some() && self.open[self.next].formulas.is_none() {
            // A separate step: making the instances can take as much as asking about them.
            self.formulas(pool, self.next);
            return;
        }
        let (started, before, built) = (Instant::now(), pool.work(), self.build);
        let limits = Limits {
            work: Some(slice),
            ..limits.clone()
        };
        let formulas = self.formulas(pool, self.next);
        let core = &mut self.core;
        match self.open[self.next].ask(pool, solver, &limits, formulas, core) {
            Verdict::Unsatisfiable => {
                self.open.remove(self.next);
            }
            Verdict::Open => self.next += 1,
            found @ Verdict::Satisfiable { .. } => self.verdict = found,
        }
        if self.open.is_empty() && !self.is_decided() {
            self.verdict = Verdict::Unsatisfiable;
        }
        self.work += (pool.work() - before) - (self.build.0 - built.0);
        self.time += started.elapsed().saturating_sub(self.build.1 - built.1);
    }

    /// The formula of a path, made now if it was not before.
    fn formulas(&mut self, pool: &mut TermPool, path: usize) -> Formulas {
        let path = &mut self.open[path];
        if let Some(formulas) = &path.formulas {
            return formulas.clone();
        }
        let (started, before) = (Instant::now(), pool.work());
        let whole = match self.k {
            Some(k) => first_instances(pool, path.condition, k),
            None => Some(path.condition),
        };
        let simpler = path.simpler.iter();
        let simpler = simpler.filter_map(|simpler| simpler.apply(pool, whole?));
        let mut simpler: Vec<TermId> = simpler.collect();
        simpler.dedup();
        self.build.0 += pool.work() - before;
        self.build.1 += started.elapsed();
        let formulas = Formulas { whole, simpler };
        path.formulas.insert(formulas).clone()
    }

    fn into_answer(self) -> SideAnswer {
        SideAnswer {
            verdict: self.verdict,
            work: self.work,
            time: self.time,
            build: self.build,
            core: self.core,
        }
    }
}

impl OpenPath {
    fn ask(
        &mut self,
        pool: &mut TermPool,
        solver: &mut dyn Solver,
        limits: &Limits,
        formulas: Formulas,
        core: &mut Vec<TermId>,
    ) -> Verdict {
        let mut ask = |formula: TermId| {
            // Slices grow while nothing is asked, what is left does not.
            let allowed = limits.work.into_iter().chain(limits.work_left(pool)).min();
            let most = allowed.map(|work| work * MOST_FOR_TRANSLATION);
            if most.is_some_and(|most| work_of_translation(pool, formula) > most) {
                return Answer::Unknown(UnknownReason::Work);
            }
            let conjuncts = pool.conjuncts(formula);
            solver.check(pool, &Query::new(&conjuncts, limits))
        };
        let found = |formula: TermId, model: Rc<Assignment>| Verdict::Satisfiable {
            path: self.number,
            formula,
            model,
        };
        let mut may_have_model = Vec::with_capacity(formulas.simpler.len());
        for formula in formulas.simpler {
            match ask(formula) {
                Answer::Sat(model) => return found(formula, model),
                Answer::Unsat(_) => {}
                Answer::Unknown(_) => may_have_model.push(formula),
            }
        }
        self.formulas = Some(Formulas {
            whole: formulas.whole,
            simpler: may_have_model,
        });
        let Some(formula) = formulas.whole else {
            return Verdict::Open;
        };
        match ask(formula) {
            Answer::Sat(model) => found(formula, model),
            Answer::Unsat(known) => {
                core.extend(known.unwrap_or_else(|| pool.conjuncts(formula)));
                Verdict::Unsatisfiable
            }
            Answer::Unknown(_) => Verdict::Open,
        }
    }
}
