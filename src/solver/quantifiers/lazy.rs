//! RoundOutcome C: model-based instantiation of universal quantifiers.
//!
//! 1. The quantifiers are taken out; each begins with its instances at τ = 0 and τ = κ − 1, guarded
//!    by τ < κ.
//! 2. Asked once with κ free: `Unsat` is final. Then with κ ≤ 2, 8, 64, 1024, free: small counters
//!    make small models.
//! 3. In a model κ is a number and the quantifiers can be evaluated. First, if the model violates them:
//!    consequences for pairs of iterations where the quantifier expresses an order (the module `order`), and
//!    *symbolic* instances at iterations that read a cell that is also read elsewhere. Then the open cells
//!    are completed in four ways. Then instances at violating numbers, at most four per quantifier.
//! 4. A counter too large to enumerate: the link below searches for an iteration that fails.
//!
//! Assertions are only appended, so that an incremental solver below keeps its state.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use indexmap::IndexSet;
use num_bigint::BigUint;
use rustc_hash::FxHashSet;

use super::LazyPolicy;
use super::candidates::{Reads, candidates};
use super::completion::{Cells, FILLINGS, Filling, filled, listed};
use super::confirm::{Counterexample, MAX_ITERATIONS, Oracle};
use super::order::Order;
use super::progression::mentions;
use super::skolem::{NotBoolean, Universal, take_out};
use crate::{Answer, Limits, Need, Query, UnknownReason};
use term::{Assignment, Bv, SymbolId, Term, TermId, TermPool};

/// Upper bounds for counters, one after the other; then none.
const LEVELS: [u64; 4] = [2, 8, 64, 1024];
/// Instances added for one quantifier from one model.
const INSTANCES_EACH: usize = 4;
/// Cells filled for one model.
const MAX_CELLS: u64 = 20_000;

/// How the search ended.
pub(super) enum Outcome {
    /// Under this assignment no violation is known.
    Model(Rc<Assignment>),
    Unsat,
    Open(UnknownReason),
}

/// A universal quantifier and its instances.
struct Active {
    universal: Universal,
    limit: TermId,
    tau: SymbolId,
    /// With τ for the bound variable.
    body: TermId,
    /// Iterations that were instantiated.
    done: IndexSet<TermId>,
    /// Iterations suggested by other reads; found when first needed.
    candidates: Option<Rc<[TermId]>>,
    /// Indices in the body that depend on τ, with their arrays.
    indices: Vec<(SymbolId, TermId)>,
    order: Option<Order>,
    /// Pairs of iterations that the order was asserted for.
    pairs: FxHashSet<(TermId, TermId)>,
}

/// One search; see the module's head.
pub(super) struct Lazy<'a> {
    options: LazyPolicy,
    oracle: Oracle<'a>,
    assertions: Vec<TermId>,
    actives: Vec<Active>,
    /// All reads outside quantifiers.
    reads: Reads,
    /// Those of the formula and its first instances: the places that matter.
    first_reads: Reads,
    iterations: u32,
}

/// The result of a model.
enum RoundOutcome {
    Found(Assignment),
    Added,
    Stuck,
}

impl<'a> Lazy<'a> {
    pub(super) fn new(
        pool: &mut TermPool,
        options: LazyPolicy,
        oracle: Oracle<'a>,
        conjuncts: &[TermId],
    ) -> Result<Lazy<'a>, NotBoolean> {
        let mut lazy = Lazy {
            options,
            oracle,
            assertions: Vec::new(),
            actives: Vec::new(),
            reads: Reads::default(),
            first_reads: Reads::default(),
            iterations: 0,
        };
        for conjunct in conjuncts {
            let mut universals = Vec::new();
            let ground = take_out(pool, lazy.oracle.binders, *conjunct, true, &mut universals)?;
            lazy.assert(pool, ground);
            lazy.activate(pool, universals)?;
        }
        lazy.first_reads = lazy.reads.clone();
        Ok(lazy)
    }

    /// Queries asked.
    pub(super) fn iterations(&self) -> u32 {
        self.iterations
    }

    fn assert(&mut self, pool: &TermPool, formula: TermId) {
        for part in pool.conjuncts(formula) {
            self.reads.collect(pool, part);
            self.assertions.push(part);
        }
    }

    /// Takes quantifiers up, with their first two instances.
    fn activate(
        &mut self,
        pool: &mut TermPool,
        universals: Vec<Universal>,
    ) -> Result<(), NotBoolean> {
        for universal in universals {
            if self
                .actives
                .iter()
                .any(|known| known.universal == universal)
            {
                continue;
            }
            let Term::ForAll { limit, .. } = pool.view(universal.quantified) else {
                unreachable!("universal quantifiers are taken out")
            };
            let (tau, body) = self.oracle.binders.open(pool, universal.quantified);
            let mut own = Reads::default();
            own.collect(pool, body);
            let mut indices = Vec::new();
            for (array, found) in own.iter() {
                for index in found {
                    if mentions(pool, *index, tau) {
                        indices.push((array, *index));
                    }
                }
            }
            self.actives.push(Active {
                universal,
                limit,
                tau,
                body,
                done: IndexSet::default(),
                candidates: None,
                indices,
                order: Order::of(pool, tau, limit, body),
                pairs: FxHashSet::default(),
            });
            let position = self.actives.len() - 1;
            let width = pool.width(limit);
            let first = pool.constant(&Bv::zero(width));
            let ones = pool.constant(&Bv::ones(width));
            let last = pool.add(limit, ones);
            self.instantiate(pool, position, first)?;
            self.instantiate(pool, position, last)?;
        }
        Ok(())
    }

    /// Asserts guard ∧ iteration < limit → body\[iteration\]; false when that was done before.
    fn instantiate(
        &mut self,
        pool: &mut TermPool,
        position: usize,
        iteration: TermId,
    ) -> Result<bool, NotBoolean> {
        let active = &mut self.actives[position];
        if !active.done.insert(iteration) {
            return Ok(false);
        }
        let (universal, limit) = (active.universal, active.limit);
        let body = pool.instantiate(universal.quantified, iteration);
        let mut universals = Vec::new();
        let body = take_out(pool, self.oracle.binders, body, false, &mut universals)?;
        let inside = pool.ult(iteration, limit);
        let inside = pool.and(inside, universal.guard.unwrap_or(TermId::TRUE));
        let instance = pool.implies(inside, body);
        self.assert(pool, instance);
        self.activate(pool, universals)?;
        Ok(true)
    }

    /// The search.
    pub(super) fn run(&mut self, pool: &mut TermPool) -> Outcome {
        let mut level = 0;
        // Assertions at the last query without bounds, which was not answered `Unsat`.
        let mut asked_free = 0;
        let mut open = None;
        loop {
            if let Some(reason) = self.oracle.limits.reached(pool) {
                return Outcome::Open(reason);
            }
            if asked_free == 0 {
                asked_free = self.assertions.len().max(1);
                if self.ask(pool, None).is_unsat() {
                    return Outcome::Unsat;
                }
            }
            if self.iterations >= self.options.max_iterations {
                return Outcome::Open(UnknownReason::GaveUp("too many instances".to_owned()));
            }
            let bound = LEVELS.get(level).copied();
            match (self.ask(pool, bound), bound) {
                (Answer::Sat(model), _) => match self.step(pool, &model) {
                    Ok(RoundOutcome::Found(model)) => return Outcome::Model(Rc::new(model)),
                    Ok(RoundOutcome::Added) => {}
                    Ok(RoundOutcome::Stuck) if bound.is_some() => level += 1,
                    Ok(RoundOutcome::Stuck) => {
                        let reason = "no instance refutes the model".to_owned();
                        return Outcome::Open(UnknownReason::GaveUp(reason));
                    }
                    Err(NotBoolean) => {
                        let reason = "a quantifier within a bit-vector term".to_owned();
                        return Outcome::Open(UnknownReason::GaveUp(reason));
                    }
                },
                (Answer::Unsat(_), None) => return Outcome::Unsat,
                (Answer::Unsat(_), Some(_)) => {
                    level += 1;
                    if self.assertions.len() > asked_free {
                        asked_free = 0;
                    }
                }
                (Answer::Unknown(reason), Some(_)) => {
                    open = Some(reason);
                    level += 1;
                }
                (Answer::Unknown(reason), None) => return Outcome::Open(open.unwrap_or(reason)),
            }
        }
    }

    /// The query with the counters at most `bound`.
    fn ask(&mut self, pool: &mut TermPool, bound: Option<u64>) -> Answer {
        self.iterations += 1;
        let n_assertions = self.assertions.len();
        if let Some(bound) = bound {
            let mut bounds = BTreeSet::new();
            for active in &self.actives {
                let width = pool.width(active.limit);
                if width < 64 && bound >> width != 0 {
                    continue;
                }
                let most = pool.bv(width, bound);
                let small = pool.ule(active.limit, most);
                let guard = active.universal.guard.unwrap_or(TermId::TRUE);
                bounds.insert(pool.implies(guard, small));
            }
            bounds.remove(&TermId::TRUE);
            self.assertions.extend(bounds);
        }
        let percent = bound.map_or(100, |_| self.options.bounded_percent);
        let limits = self.oracle.limits.within_share(pool, percent);
        let answer = self.below(pool, &limits);
        self.assertions.truncate(n_assertions);
        answer
    }

    fn below(&mut self, pool: &mut TermPool, limits: &Limits) -> Answer {
        if self.assertions.contains(&TermId::FALSE) {
            return Answer::Unsat(None);
        }
        let query = Query {
            need: Need::Model,
            ..Query::new(&self.assertions, limits)
        };
        self.oracle.below.check(pool, &query)
    }

    /// Checks a model against the quantifiers, and adds instances that it violates.
    fn step(
        &mut self,
        pool: &mut TermPool,
        model: &Assignment,
    ) -> Result<RoundOutcome, NotBoolean> {
        let cells = listed(pool, &self.reads, model);
        let open = self.open_cells(pool, model);
        if self.options.symbolic && self.symbolic_instances(pool, model, &cells, &open)? {
            return Ok(RoundOutcome::Added);
        }
        let fillings: &[Filling] = if self.options.completion {
            &FILLINGS
        } else {
            &[Filling::Zero]
        };
        let mut best: Option<Vec<(usize, Bv)>> = None;
        for filling in fillings {
            let full = filled(pool, model, &cells, &open, *filling);
            let violations = self.violations(pool, &full);
            if violations.is_empty() {
                return Ok(RoundOutcome::Found(full));
            }
            if best
                .as_ref()
                .is_none_or(|best| violations.len() < best.len())
            {
                best = Some(violations);
            }
        }
        let lower = filled(pool, model, &cells, &open, Filling::Lower);
        let mut added = false;
        for (position, iteration) in best.unwrap_or_default() {
            if self.options.symbolic {
                let mut n_added = 0;
                for term in self.candidates(pool, position).iter() {
                    let here = pool
                        .evaluate(*term, &lower)
                        .is_ok_and(|value| value == iteration);
                    if here && n_added < 2 && self.instantiate(pool, position, *term)? {
                        n_added += 1;
                        added = true;
                    }
                }
            }
            let iteration = pool.constant(&iteration);
            added |= self.instantiate(pool, position, iteration)?;
        }
        Ok(if added {
            RoundOutcome::Added
        } else {
            RoundOutcome::Stuck
        })
    }

    fn candidates(&mut self, pool: &mut TermPool, position: usize) -> Rc<[TermId]> {
        let active = &self.actives[position];
        if let Some(known) = &active.candidates {
            return Rc::clone(known);
        }
        let found: Rc<[TermId]> =
            candidates(pool, active.tau, active.body, &self.first_reads).into();
        self.actives[position].candidates = Some(Rc::clone(&found));
        found
    }

    /// True iff the quantifier has to hold in the model.
    fn in_force(&self, position: usize, pool: &TermPool, model: &Assignment) -> bool {
        match self.actives[position].universal.guard {
            Some(guard) => pool
                .evaluate(guard, model)
                .is_ok_and(|value| value.is_ones()),
            None => true,
        }
    }

    fn symbolic_instances(
        &mut self,
        pool: &mut TermPool,
        model: &Assignment,
        cells: &Cells,
        open: &BTreeMap<SymbolId, BTreeSet<Bv>>,
    ) -> Result<bool, NotBoolean> {
        let mut lower = filled(pool, model, cells, open, Filling::Lower);
        let mut added = false;
        for position in 0..self.actives.len() {
            if !self.in_force(position, pool, model) {
                continue;
            }
            added |= self.instances_of_order(pool, position, &lower);
            let (limit, tau, body) = {
                let active = &self.actives[position];
                (active.limit, active.tau, active.body)
            };
            let Ok(n_iterations) = pool.evaluate(limit, model) else {
                continue;
            };
            let mut tried = BTreeSet::new();
            let mut n_added = 0;
            for term in self.candidates(pool, position).iter() {
                let Ok(iteration) = pool.evaluate(*term, &lower) else {
                    continue;
                };
                if iteration.to_biguint() >= n_iterations.to_biguint()
                    || !tried.insert(iteration.clone())
                {
                    continue;
                }
                lower.set(tau, iteration);
                let fails = pool
                    .evaluate_within(body, &lower, MAX_ITERATIONS)
                    .is_ok_and(|value| value.is_zero());
                if fails && self.instantiate(pool, position, *term)? {
                    added = true;
                    n_added += 1;
                    if n_added >= INSTANCES_EACH {
                        break;
                    }
                }
            }
        }
        Ok(added)
    }

    /// Asserts what an order says about neighbours among the iterations that matter, as far as the model
    /// violates it. Where it does not, others are in order too, since it is transitive.
    fn instances_of_order(
        &mut self,
        pool: &mut TermPool,
        position: usize,
        model: &Assignment,
    ) -> bool {
        let Some(order) = self.actives[position].order.clone() else {
            return false;
        };
        let candidates = self.candidates(pool, position);
        let iterations = (self.actives[position].done.iter()).chain(candidates.iter());
        let by_number: BTreeMap<BigUint, TermId> = iterations
            .filter_map(|term| Some((pool.evaluate(*term, model).ok()?.to_biguint(), *term)))
            .collect();
        let in_order: Vec<TermId> = by_number.into_values().collect();
        let guard = self.actives[position].universal.guard;
        let guard = guard.unwrap_or(TermId::TRUE);
        let mut added = false;
        for neighbours in in_order.windows(2) {
            let (first, last) = (neighbours[0], neighbours[1]);
            let instance = order.instance(pool, first, last);
            let is_violated = pool
                .evaluate_within(instance, model, MAX_ITERATIONS)
                .is_ok_and(|value| value.is_zero());
            if is_violated && self.actives[position].pairs.insert((first, last)) {
                let instance = pool.implies(guard, instance);
                self.assert(pool, instance);
                added = true;
            }
        }
        added
    }

    /// Cells that quantifiers in force read in the model, as far as they can be enumerated.
    fn open_cells(&self, pool: &TermPool, model: &Assignment) -> BTreeMap<SymbolId, BTreeSet<Bv>> {
        let mut open: BTreeMap<SymbolId, BTreeSet<Bv>> = BTreeMap::new();
        let mut left = MAX_CELLS;
        let mut model = model.clone();
        for (position, active) in self.actives.iter().enumerate() {
            if active.indices.is_empty() || !self.in_force(position, pool, &model) {
                continue;
            }
            let Ok(n_iterations) = pool.evaluate(active.limit, &model) else {
                continue;
            };
            let n_iterations = n_iterations.to_u64().unwrap_or(u64::MAX);
            if n_iterations > left {
                continue;
            }
            left -= n_iterations;
            let width = pool.width(active.limit);
            for iteration in 0..n_iterations {
                if self.oracle.limits.reached(pool).is_some() {
                    return open;
                }
                model.set(active.tau, Bv::new(width, iteration));
                for (array, index) in &active.indices {
                    if let Ok(index) = pool.evaluate(*index, &model) {
                        open.entry(*array).or_default().insert(index);
                    }
                }
            }
        }
        open
    }

    /// Quantifiers that the model violates, with a few iterations at which it does.
    fn violations(&mut self, pool: &mut TermPool, model: &Assignment) -> Vec<(usize, Bv)> {
        let mut found = Vec::new();
        for position in 0..self.actives.len() {
            if !self.in_force(position, pool, model) {
                continue;
            }
            let quantified = self.actives[position].universal.quantified;
            match pool.failing_iterations(quantified, model, MAX_ITERATIONS, INSTANCES_EACH) {
                Ok(iterations) => found.extend(
                    iterations
                        .into_iter()
                        .map(|iteration| (position, iteration)),
                ),
                Err(_) => match self.oracle.counterexample(pool, quantified, model) {
                    Counterexample::None => {}
                    Counterexample::At(iteration) => found.push((position, iteration)),
                    Counterexample::Unknown => {
                        // Somewhere, perhaps: the last iteration, so that the search continues.
                        let limit = self.actives[position].limit;
                        if let Ok(limit) = pool.evaluate(limit, model) {
                            let one = Bv::new(limit.width(), 1);
                            let last = Bv::binary(term::BinOp::Sub, &limit, &one);
                            found.push((position, last));
                        }
                    }
                },
            }
        }
        found
    }
}
