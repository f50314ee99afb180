//! A proof by constrained Horn clauses, in slices of work.

use super::acceleration::accelerated;
use super::check::{Check, Checked, Checker, Guess};
use super::equations::polynomial_candidates;
use super::integers::{name, script};
use super::learn::{candidates, slopes};
use super::names::Names;
use super::sample::samples;
use super::sieve::{Sieve, Sifted};
use super::system::{Clause, Place, Refusal, System};
use flowgraph::{FunctionId, Program};
use invariants::{FunctionContract, LoopInvariant};
use limits::{Exhausted, resident_memory};
use property::{Reason, Reasons};
use serde::{Deserialize, Serialize};
use solver::horn::{HornAnswer, Interpretation, ask};
use solver::{Deadline, Limits, Solver, Statistics as SolverStatistics, UnknownReason};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Instant;
use symex::{Advance, Advancing, Budget, Confirmation, Report, Statistics, Verdict, Witness};
use template::TemplateTable;
use term::{Clock, TermPool, Work};

/// How much is done for a proof.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HornPolicy {
    /// Work of the first attempt of Spacer, which begins anew each time. Default: 100 ms.
    pub first: Work,
    /// Each attempt has so many times more; as much as an attempt took goes into what is learnt from
    /// executions, before the next. Default: 2, so that other techniques wait no longer than they
    /// worked before.
    pub growth: u64,
    /// No attempt has more. Default: 120 s.
    pub most: Work,
    /// Paths through a loop of which many iterations are one clause, where they have a closed form; none
    /// for Spacer by itself. Default: 16.
    pub accelerated_paths: usize,
    /// Work for a query whether a conjunct is inductive. Default: 2 s.
    pub check: Work,
    /// Work for what is learnt from executions, in all; none for Spacer by itself. Default: 20 s.
    pub learn: Work,
    /// Work for a query whether something learnt is inductive. Default: 200 ms.
    pub check_learnt: Work,
    /// Work for a query what linear conjuncts imply, where an equation between products is checked.
    /// Default: 20 ms.
    pub implied: Work,
    /// Work that bit-vectors have for a query before it is asked over the integers too, and of the first turn
    /// of these: most of what is checked is linear, in numbers so wide that nothing wraps around. Default:
    /// 3 ms.
    pub patience: Work,
}

impl Default for HornPolicy {
    fn default() -> HornPolicy {
        HornPolicy {
            first: Work::millis(100),
            growth: 2,
            most: Work::seconds(120),
            accelerated_paths: 16,
            check: Work::seconds(2),
            learn: Work::seconds(20),
            check_learnt: Work::millis(200),
            implied: Work::millis(20),
            patience: Work::millis(3),
        }
    }
}

/// What is done next.
enum Turn {
    /// Spacer is asked, with the work that is due.
    Ask,
    /// What Spacer found is checked.
    Check(Check),
    /// What was learnt from executions is checked, until the work of the run has come to this.
    Learn(Work),
}

/// What executions show.
enum Learning {
    NotBegun,
    /// Is looked at, with so much work so far, and then this, the last first.
    Going(Box<Examined>, Work, Vec<Learnt>),
    /// What is inductive of it is known.
    Over,
}

/// What executions have in common.
enum Learnt {
    /// Is checked as it is.
    Likely(Guess),
    /// Is mostly chance: what is inductive of it over the integers is checked.
    Doubtful(Guess),
}

/// What is looked at of it.
enum Examined {
    /// With what Spacer is told of it.
    Checking(Check, Guess),
    Sifting(Sieve),
}

/// A run of the technique over a program.
pub struct Proof<'p> {
    program: &'p Program,
    system: Result<System, Refusal>,
    /// Clauses that follow from those of the system.
    following: Vec<Clause>,
    /// What is known to be inductive.
    known: Guess,
    /// The same with what that implies, for Spacer, to which both and their order make a difference.
    told: Guess,
    turn: Turn,
    learning: Learning,
    /// Why Spacer is not asked again before something is learnt.
    failed: Option<String>,
    pool: TermPool,
    solver: Box<dyn Solver>,
    limits: Limits,
    policy: HornPolicy,
    /// Work of the next attempt.
    attempt: Work,
    is_over: bool,
    reasons: Reasons,
    undefined: Reasons,
    invariants: Vec<LoopInvariant>,
    contracts: Vec<FunctionContract>,
    statistics: Statistics,
}

impl<'p> Proof<'p> {
    /// Nothing is done yet. A program that was refused is proved by no work.
    #[must_use]
    pub fn new(
        program: &'p Program,
        system: Result<System, Refusal>,
        solver: Box<dyn Solver>,
        budget: &Budget,
        policy: HornPolicy,
    ) -> Proof<'p> {
        let pool = TermPool::new();
        let nothing: Guess = (system.as_ref())
            .map(|system| vec![Vec::new(); system.predicates.len()])
            .unwrap_or_default();
        let limits = Limits {
            work_end: budget.work.map(|work| pool.work() + work),
            timeout: budget.query_time,
            deadline: Deadline::after(budget.time),
            interrupt: budget.interrupt.clone(),
            ..Limits::default()
        };
        Proof {
            program,
            following: (system.as_ref())
                .map(|system| accelerated(program, system, policy.accelerated_paths))
                .unwrap_or_default(),
            known: nothing.clone(),
            told: nothing,
            turn: Turn::Ask,
            learning: Learning::NotBegun,
            failed: None,
            system,
            pool,
            solver,
            limits,
            attempt: policy.first,
            policy,
            is_over: false,
            reasons: Reasons::default(),
            undefined: Reasons::default(),
            invariants: Vec::new(),
            contracts: Vec::new(),
            statistics: Statistics::default(),
        }
    }

    /// Takes a turn.
    fn go_on(&mut self) {
        if let Err(refusal) = &self.system {
            let why = refusal.to_string();
            return self.give_up(&why);
        }
        if let Some(reached) = self.limits.reached(&self.pool) {
            return self.stop(&reached);
        }
        match std::mem::replace(&mut self.turn, Turn::Ask) {
            Turn::Ask => self.ask(),
            Turn::Check(check) => self.check(check),
            Turn::Learn(until) => self.learn(until),
        }
    }

    /// Asks Spacer, with the work that is due.
    fn ask(&mut self) {
        let Ok(system) = &self.system else { return };
        let limits = self.limits.within_work(&self.pool, self.attempt);
        let before = self.work();
        self.statistics.n_queries += 1;
        let clauses = script(system, &self.following, &self.told);
        match ask(&self.pool, &clauses, &limits) {
            HornAnswer::Interpreted(interpretation) => {
                let guess = self.guess(&interpretation);
                let known = self.known.clone();
                self.turn = self.asking(self.policy.check, |asking| {
                    Turn::Check(asking.begin(guess, known))
                });
            }
            HornAnswer::Contradiction => self.fail("over the integers the property is violated"),
            HornAnswer::Unknown(UnknownReason::Work) if self.attempt < self.policy.most => {
                self.attempt = (self.attempt * self.policy.growth).min(self.policy.most);
                if !matches!(self.learning, Learning::Over) {
                    let now = self.work();
                    self.turn = Turn::Learn(now + now.saturating_sub(before));
                }
            }
            HornAnswer::Unknown(reason @ UnknownReason::GaveUp(_)) => {
                self.fail(&reason.to_string());
            }
            HornAnswer::Unknown(reason) => self.stop(&reason),
        }
    }

    /// Spacer is not asked again, unless something is learnt from executions.
    fn fail(&mut self, why: &str) {
        if matches!(self.learning, Learning::Over) {
            return self.give_up(why);
        }
        self.failed = Some(why.to_owned());
        self.turn = Turn::Learn(self.work());
    }

    /// Checks what Spacer found, a clause at a time.
    fn check(&mut self, mut check: Check) {
        let checked = self.asking(self.policy.check, |asking| asking.go_on(&mut check));
        match checked {
            None => self.turn = Turn::Check(check),
            Some(checked) => {
                if !self.is_proved(checked) {
                    self.fail("what holds over the integers does not over bit-vectors");
                }
            }
        }
    }

    /// Looks at what executions show, a clause at a time.
    fn learn(&mut self, until: Work) {
        let before = self.work();
        let (examined, spent, mut further) =
            match std::mem::replace(&mut self.learning, Learning::Over) {
                Learning::NotBegun => {
                    let mut further = self.learnt();
                    let first = further.pop();
                    let first = first.unwrap_or_else(|| Learnt::Likely(Guess::new()));
                    (self.examined(first), Work::ZERO, further)
                }
                Learning::Going(examined, spent, further) => (*examined, spent, further),
                Learning::Over => return,
            };
        let examined = match self.examine(examined) {
            Some(examined) => examined,
            None if self.is_over => return,
            None => {
                let Some(next) = further.pop() else {
                    self.failed = None;
                    return;
                };
                self.examined(next)
            }
        };
        let spent = spent + self.work().saturating_sub(before);
        if spent < self.policy.learn {
            self.learning = Learning::Going(Box::new(examined), spent, further);
            if self.failed.is_some() || self.work() < until {
                self.turn = Turn::Learn(until);
            }
        } else if let Some(why) = self.failed.take() {
            self.give_up(&why);
        }
    }

    /// What executions show, the last to be looked at first.
    fn learnt(&self) -> Vec<Learnt> {
        let Ok(system) = &self.system else {
            return Vec::new();
        };
        let samples = samples(&self.pool, self.program, system);
        let [likely, all] = candidates(system, &samples);
        let slopes = slopes(&self.pool, system, &samples);
        let both = all.iter().zip(&slopes);
        let both = both.map(|(all, slopes)| [all.as_slice(), slopes].concat());
        let both: Guess = both.collect();
        let mut further = vec![Learnt::Likely(slopes)];
        if system.widest_product().is_none() {
            further.extend([Learnt::Likely(all), Learnt::Likely(likely.clone())]);
            further.extend([Learnt::Doubtful(both), Learnt::Doubtful(likely)]);
        } else {
            // Some need what is linear: that a number is not negative, and so its remainder.
            let [quadratic, equations] = polynomial_candidates(&self.pool, system, &samples);
            further.extend([Learnt::Likely(equations.clone()), Learnt::Likely(all)]);
            further.extend([Learnt::Doubtful(both), Learnt::Likely(equations)]);
            further.extend([Learnt::Likely(quadratic), Learnt::Likely(likely)]);
        }
        further
    }

    /// Begins to look at what was learnt and is not known.
    fn examined(&mut self, learnt: Learnt) -> Examined {
        let known = self.known.clone();
        let unknown = |mut guess: Guess| {
            for (guess, known) in guess.iter_mut().zip(&known) {
                guess.retain(|conjunct| !known.contains(conjunct));
            }
            guess
        };
        match (learnt, &self.system) {
            (Learnt::Doubtful(guess), Ok(system)) => {
                Examined::Sifting(Sieve::new(system, unknown(guess)))
            }
            (Learnt::Doubtful(guess) | Learnt::Likely(guess), _) => {
                let guess = unknown(guess);
                let whole = guess.clone();
                self.checking(Sifted { guess, whole })
            }
        }
    }

    fn checking(&mut self, sifted: Sifted) -> Examined {
        let known = self.known.clone();
        let work = self.policy.check_learnt;
        let check = self.asking(work, |asking| asking.begin(sifted.guess, known));
        Examined::Checking(check, sifted.whole)
    }

    /// Goes on with it by a clause; `None` once that is over.
    fn examine(&mut self, examined: Examined) -> Option<Examined> {
        let work = self.policy.check_learnt;
        match examined {
            Examined::Checking(mut check, whole) => {
                let Some(checked) = self.asking(work, |asking| asking.go_on(&mut check)) else {
                    return Some(Examined::Checking(check, whole));
                };
                if !check.has_dropped() {
                    self.tell(&whole);
                }
                self.is_proved(checked);
                None
            }
            Examined::Sifting(mut sieve) => {
                let limits = self.limits.within_work(&self.pool, work);
                let is_over = match &self.system {
                    Ok(system) => sieve.go_on(&self.pool, system, &self.known, &limits),
                    Err(_) => true,
                };
                if !is_over {
                    return Some(Examined::Sifting(sieve));
                }
                Some(self.checking(sieve.sifted()))
            }
        }
    }

    /// Tells Spacer more.
    fn tell(&mut self, more: &Guess) {
        for (told, more) in self.told.iter_mut().zip(more) {
            for claim in more {
                if !told.contains(claim) {
                    told.push(Rc::clone(claim));
                }
            }
        }
    }

    /// What Spacer found.
    fn guess(&self, interpretation: &Interpretation) -> Guess {
        let each = (0..self.known.len()).map(|number| {
            let meaning = interpretation.get(&name(number));
            meaning.map_or_else(Vec::new, |meaning| meaning.conjuncts())
        });
        each.collect()
    }

    /// Asks the solver chain, with so much work for a query.
    fn asking<T>(&mut self, work: Work, ask: impl FnOnce(&mut Checker) -> T) -> T {
        let system = self.system.as_ref();
        let mut checker = Checker {
            system: system.expect("a program that was refused is asked nothing"),
            pool: &mut self.pool,
            solver: &mut *self.solver,
            limits: Limits {
                work: Some(work),
                ..self.limits.clone()
            },
            n_queries: 0,
        };
        let said = ask(&mut checker);
        self.statistics.n_queries += checker.n_queries;
        said
    }

    /// Whether what is inductive proves the program; then the run is over. It is known from then on.
    fn is_proved(&mut self, checked: Checked) -> bool {
        match checked {
            Checked::Proved { guess, undefined } => {
                self.invariants = self.written(&guess);
                self.contracts = self.written_contracts(&guess);
                for reason in undefined {
                    self.undefined.add(reason);
                }
                self.is_over = true;
                true
            }
            Checked::Open(inductive) => {
                for (known, inductive) in self.known.iter_mut().zip(inductive) {
                    for conjunct in inductive {
                        if !known.contains(&conjunct) {
                            known.push(conjunct);
                        }
                    }
                }
                self.tell(&self.known.clone());
                false
            }
        }
    }

    /// The invariants of loops, in C.
    fn written(&self, guess: &Guess) -> Vec<LoopInvariant> {
        let Ok(system) = &self.system else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for (predicate, conjuncts) in system.predicates.iter().zip(guess) {
            if let Place::Node(node) = predicate.place {
                let conjuncts = system.in_c(Names::Loop, predicate, conjuncts);
                let id = predicate.function;
                found.extend(LoopInvariant::of(self.program, id, node, conjuncts));
            }
        }
        found
    }

    /// What functions require and ensure, in C: `main` apart, which nobody calls.
    fn written_contracts(&self, guess: &Guess) -> Vec<FunctionContract> {
        let Ok(system) = &self.system else {
            return Vec::new();
        };
        let mut found: BTreeMap<FunctionId, FunctionContract> = BTreeMap::new();
        for (predicate, conjuncts) in system.predicates.iter().zip(guess) {
            let id = predicate.function;
            let function = self.program.function(id);
            let names = match predicate.place {
                Place::Node(node) if node == function.entry => Names::Entry,
                Place::Node(_) => continue,
                Place::Result => Names::Result,
            };
            if id == self.program.main {
                continue;
            }
            let contract = found.entry(id).or_insert_with(|| FunctionContract {
                function: function.name.clone(),
                requires: Vec::new(),
                ensures: Vec::new(),
            });
            let written = system.in_c(names, predicate, conjuncts);
            match names {
                Names::Result => contract.ensures.extend(written),
                Names::Entry | Names::Loop => contract.requires.extend(written),
            }
        }
        found.into_values().collect()
    }

    fn give_up(&mut self, why: &str) {
        self.reasons.add(Reason::NoInvariant(why.to_owned()));
        self.is_over = true;
    }

    fn stop(&mut self, reason: &UnknownReason) {
        let exhausted = match reason {
            UnknownReason::Interrupted => self.limits.interrupt.reason(),
            UnknownReason::Timeout => Some(Exhausted::Time),
            UnknownReason::Work if self.limits.reached(&self.pool).is_some() => {
                Some(Exhausted::Work)
            }
            _ => None,
        };
        match exhausted {
            Some(exhausted) => {
                self.reasons.add(Reason::Exhausted(exhausted));
                self.is_over = true;
            }
            None => self.give_up(&reason.to_string()),
        }
    }
}

impl Advancing for Proof<'_> {
    fn clock(&self) -> Clock {
        self.pool.clock()
    }

    // A step is an attempt, which ends where its own share of work does.
    fn advance(
        &mut self,
        until: Work,
        _: &mut dyn FnMut(&Witness) -> Confirmation,
        progress: &mut dyn FnMut(&Statistics),
    ) -> Advance {
        let started = Instant::now();
        while !self.is_over && self.work() < until {
            self.go_on();
            self.statistics.work = self.work();
            progress(&self.statistics);
        }
        self.statistics.execution_time += started.elapsed();
        if self.is_over {
            Advance::Over
        } else {
            Advance::Goes
        }
    }

    fn has_settled(&self) -> bool {
        self.is_over && self.reasons.is_empty()
    }

    fn finish(mut self: Box<Self>) -> Report {
        if !self.is_over {
            let exhausted = self.limits.interrupt.reason().unwrap_or(Exhausted::Time);
            self.reasons.add(Reason::Exhausted(exhausted));
        }
        self.statistics.work = self.pool.work();
        self.statistics.peak_memory = resident_memory();
        let mut solver_statistics = SolverStatistics::default();
        self.solver.statistics(&mut solver_statistics);
        Report {
            verdict: if self.reasons.is_empty() {
                Verdict::Unreachable
            } else {
                Verdict::Unknown
            },
            further_errors: Vec::new(),
            reasons: self.reasons,
            undefined: self.undefined,
            losses: Reasons::default(),
            traps: BTreeSet::new(),
            open_loops: Vec::new(),
            invariants: self.invariants,
            contracts: self.contracts,
            annotations: Vec::new(),
            statistics: self.statistics,
            solver_statistics,
            tree: None,
            table: TemplateTable::empty(),
            pool: self.pool,
            remains: None,
        }
    }
}
