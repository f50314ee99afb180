//! Liveness of differences: counters of which only the distance to their bound matters.
//!
//! A loop `for (i = 0; i < n; i++)` whose body uses neither i nor n continues in the same way for all values
//! with the same n − i, as long as i ≤ n. Such a register pair is *live by its difference*; every other use
//! makes registers *live by value*, as in [`super::Liveness`].
//!
//! ```text
//! compare i <u n        i, n live by difference before it
//! i := z                z, n live by difference before it, where i, n are after it
//! i := z + 1            the same, where z < n is known
//! any other assignment  its operands and the other register of the pair live by value
//! ```
//!
//! The same holds for registers whose equality or distance alone is tested: then no order has to be known,
//! and either register may be shifted by any constant.
//!
//! ```text
//! compare x + c = y + d  x, y live by difference before it
//! x := z + c             z, y live by difference before it, where x, y are after it
//! ```
//!
//! # Invariants
//! - Let two concrete states at a location hold the same memory and the same values of all registers live by
//!   value there, and for each pair (i, n) that is live by its difference either the same values or i ≤ n and
//!   the same n − i, in both (for a pair that is only tested for equality the same n − i mod 2^w). Then the
//!   same further inputs take both along the same edges to the same end: every step preserves this relation.
//!   Comparisons have the same result since i < n if and only if n − i ≠ 0, under i ≤ n; and i + 1 ≤ n if i <
//!   n.
//! - If no register is ever incremented below a bound, this is [`super::Liveness`].

use super::{Action, BitSet, EdgeData, Expr, Function, NodeId, RegId, Step};
use std::collections::BTreeSet;
use term::{BinOp, Bv, CmpOp};

/// Registers that are compared: is `counter` below `bound`?
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CounterPair {
    pub counter: RegId,
    pub bound: RegId,
    pub order: Order,
}

/// How a pair is compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Order {
    Unsigned,
    Signed,
    /// For equality; the counter has the smaller number.
    Equality,
}

/// The live registers and pairs at a location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LiveHere {
    /// By [`RegId::index`].
    pub by_value: BitSet,
    /// Pairs with at least one register that is not live by value.
    pub by_difference: BTreeSet<CounterPair>,
}

/// The live registers and pairs at each location of a function.
#[derive(Clone, Debug)]
pub struct DifferenceLiveness {
    live: Vec<LiveHere>,
}

/// Pairs whose counter is known to be below its bound; `None` if no path has reached it yet.
type Below = Option<BTreeSet<CounterPair>>;

impl DifferenceLiveness {
    /// Computes the least solution with a work list.
    pub(super) fn of(function: &Function) -> DifferenceLiveness {
        let counters = counters(function);
        let below = below_bounds(function, &counters);
        let nothing = LiveHere {
            by_value: BitSet::new(function.regs.len()),
            by_difference: BTreeSet::new(),
        };
        let mut live = vec![nothing.clone(); function.n_nodes()];
        let mut pending: BTreeSet<NodeId> = function.node_ids().collect();
        while let Some(node) = pending.pop_last() {
            let mut here = nothing.clone();
            for &edge in function.out_edges(node) {
                let mut along = live[function.target(edge).index()].clone();
                let data = function.edge(edge);
                let known = known_before_steps(data, below[node.index()].clone(), &counters);
                for (step, known) in data.steps.iter().zip(known).rev() {
                    before_step(step, &known, &counters, &mut along);
                }
                here.by_value.union_with(&along.by_value);
                here.by_difference.extend(along.by_difference);
            }
            here.normalise();
            if live[node.index()] != here {
                live[node.index()] = here;
                let sources = function.in_edges(node).iter();
                pending.extend(sources.map(|&edge| function.source(edge)));
            }
        }
        DifferenceLiveness { live }
    }

    /// The live registers and pairs on entry of the location.
    ///
    /// # Panics
    /// If the location is not of the function.
    #[must_use]
    pub fn at(&self, node: NodeId) -> &LiveHere {
        &self.live[node.index()]
    }
}

impl LiveHere {
    /// What is live where a register is about to get a value from elsewhere.
    #[must_use]
    pub fn without(&self, reg: RegId) -> LiveHere {
        let mut live = self.clone();
        live.define(reg);
        live
    }

    /// A pair of which one register is live by value is live by value.
    fn normalise(&mut self) {
        loop {
            let by_value = &self.by_value;
            let settled = self.by_difference.iter().copied().find(|pair| {
                by_value.contains(pair.counter.index()) || by_value.contains(pair.bound.index())
            });
            let Some(pair) = settled else { return };
            self.by_difference.remove(&pair);
            self.by_value.insert(pair.counter.index());
            self.by_value.insert(pair.bound.index());
        }
    }

    fn read(&mut self, expr: &Expr) {
        expr.for_each_reg(&mut |reg| {
            self.by_value.insert(reg.index());
        });
    }

    /// A register gets a value that has nothing to do with others.
    fn define(&mut self, reg: RegId) {
        self.by_value.remove(reg.index());
        let pairs: Vec<CounterPair> = self.by_difference.iter().copied().collect();
        for pair in pairs {
            if pair.counter == reg || pair.bound == reg {
                self.by_difference.remove(&pair);
                for other in [pair.counter, pair.bound] {
                    if other != reg {
                        self.by_value.insert(other.index());
                    }
                }
            }
        }
    }
}

/// The pair that a condition compares, whichever way it asks.
fn compared(condition: &Expr) -> Option<(CounterPair, bool)> {
    let Expr::Compare(op, lhs, rhs) = condition else {
        return None;
    };
    let (Expr::Reg(lhs), Expr::Reg(rhs)) = (&**lhs, &**rhs) else {
        return None;
    };
    let (order, counter, bound, is_below) = match op {
        CmpOp::Ult => (Order::Unsigned, lhs, rhs, true),
        CmpOp::Uge => (Order::Unsigned, lhs, rhs, false),
        CmpOp::Ugt => (Order::Unsigned, rhs, lhs, true),
        CmpOp::Ule => (Order::Unsigned, rhs, lhs, false),
        CmpOp::Slt => (Order::Signed, lhs, rhs, true),
        CmpOp::Sge => (Order::Signed, lhs, rhs, false),
        CmpOp::Sgt => (Order::Signed, rhs, lhs, true),
        CmpOp::Sle => (Order::Signed, rhs, lhs, false),
        CmpOp::Eq | CmpOp::Ne => return None,
    };
    let pair = CounterPair {
        counter: *counter,
        bound: *bound,
        order,
    };
    (counter != bound).then_some((pair, is_below))
}

/// The pair that a condition asks for equality, up to constants.
fn equated(condition: &Expr) -> Option<CounterPair> {
    let Expr::Compare(CmpOp::Eq | CmpOp::Ne, lhs, rhs) = condition else {
        return None;
    };
    match (Moved::of(lhs), Moved::of(rhs)) {
        (Moved::By(lhs, _), Moved::By(rhs, _)) => equality(lhs, rhs),
        _ => None,
    }
}

/// The pair of two registers of which only the difference matters; none for one register.
fn equality(one: RegId, other: RegId) -> Option<CounterPair> {
    (one != other).then(|| CounterPair {
        counter: one.min(other),
        bound: one.max(other),
        order: Order::Equality,
    })
}

/// What an expression is, as far as differences are concerned.
enum Moved {
    /// A register, and whether a constant is added to it.
    By(RegId, bool),
    Constant,
    Otherwise,
}

impl Moved {
    fn of(expr: &Expr) -> Moved {
        match expr {
            Expr::Reg(reg) => Moved::By(*reg, false),
            Expr::Const(_) => Moved::Constant,
            Expr::Binary(BinOp::Add, lhs, rhs) => match (&**lhs, &**rhs) {
                (Expr::Const(_), inner) | (inner, Expr::Const(_)) => Moved::of(inner).further(),
                _ => Moved::Otherwise,
            },
            Expr::Binary(BinOp::Sub, lhs, rhs) if matches!(**rhs, Expr::Const(_)) => {
                Moved::of(lhs).further()
            }
            _ => Moved::Otherwise,
        }
    }

    fn further(self) -> Moved {
        match self {
            Moved::By(reg, _) => Moved::By(reg, true),
            other => other,
        }
    }
}

/// The register that an expression adds 1 to.
fn incremented(expr: &Expr) -> Option<RegId> {
    let Expr::Binary(BinOp::Add, lhs, rhs) = expr else {
        return None;
    };
    match (&**lhs, &**rhs) {
        (Expr::Reg(reg), Expr::Const(one)) | (Expr::Const(one), Expr::Reg(reg))
            if *one == Bv::new(one.width(), 1) =>
        {
            Some(*reg)
        }
        _ => None,
    }
}

/// The conditions that an assumption joins; each of them decides by what it reads.
fn atoms(action: &Action) -> Vec<&Expr> {
    let is_boolean = |op| matches!(op, BinOp::And | BinOp::Or | BinOp::Xor);
    match action {
        Action::Assume(condition) => parts(condition, &is_boolean),
        _ => Vec::new(),
    }
}

/// What a condition is made of by these operators, from left to right.
fn parts<'a>(condition: &'a Expr, is_taken_apart: &dyn Fn(BinOp) -> bool) -> Vec<&'a Expr> {
    let mut parts = Vec::new();
    let mut pending = vec![condition];
    while let Some(expr) = pending.pop() {
        match expr {
            Expr::Binary(op, a, b) if is_taken_apart(*op) => pending.extend([&**b, &**a]),
            _ => parts.push(expr),
        }
    }
    parts
}

fn assignments(function: &Function) -> impl Iterator<Item = &(RegId, Expr)> {
    let steps = function
        .edge_ids()
        .flat_map(|edge| &function.edge(edge).steps);
    steps.flat_map(|step| match &step.action {
        Action::Assign(pairs) => pairs.as_slice(),
        _ => &[],
    })
}

/// Pairs that may count: compared somewhere, or a register that such a counter is made of with the
/// counter's bound, if the counter is incremented on the way.
fn counters(function: &Function) -> BTreeSet<CounterPair> {
    let steps = function
        .edge_ids()
        .flat_map(|edge| &function.edge(edge).steps);
    let compared: BTreeSet<CounterPair> = steps
        .flat_map(|step| atoms(&step.action))
        .filter_map(|condition| compared(condition).map(|(pair, _)| pair))
        .collect();
    let mut counters = BTreeSet::new();
    for pair in compared {
        let mut family = BTreeSet::from([pair]);
        let mut pending = vec![pair];
        let mut counts = false;
        while let Some(pair) = pending.pop() {
            for (dst, value) in assignments(function) {
                if *dst != pair.counter {
                    continue;
                }
                let source = match value {
                    Expr::Reg(reg) => Some(*reg),
                    _ => incremented(value).inspect(|_| counts = true),
                };
                let member = source.map(|counter| CounterPair { counter, ..pair });
                pending.extend(member.filter(|member| family.insert(*member)));
            }
        }
        if counts {
            counters.extend(family);
        }
    }
    counters.extend(moving_equalities(function));
    counters
}

/// Families of pairs that are tested for equality are not followed beyond this many.
const MOST_EQUALITIES: usize = 512;

/// Pairs that are tested for equality, where one of the registers that they are made of moves.
fn moving_equalities(function: &Function) -> BTreeSet<CounterPair> {
    let steps = function
        .edge_ids()
        .flat_map(|edge| &function.edge(edge).steps);
    let asked: BTreeSet<CounterPair> = steps
        .flat_map(|step| atoms(&step.action))
        .filter_map(equated)
        .collect();
    let mut sources: Vec<Vec<(RegId, bool)>> = vec![Vec::new(); function.regs.len()];
    for (dst, value) in assignments(function) {
        if let Moved::By(source, is_moved) = Moved::of(value) {
            sources[dst.index()].push((source, is_moved));
        }
    }
    let mut moving = BTreeSet::new();
    for pair in asked {
        let mut family = BTreeSet::from([pair]);
        let mut pending = vec![pair];
        let mut moves = false;
        while let Some(pair) = pending.pop() {
            // Each register may have got its value before, or together with, the other.
            let own = |reg: RegId| {
                std::iter::once((reg, false)).chain(sources[reg.index()].iter().copied())
            };
            for (counter, is_moved) in own(pair.counter) {
                for (bound, is_bound_moved) in own(pair.bound) {
                    moves |= is_moved || is_bound_moved;
                    let member = equality(counter, bound);
                    pending.extend(member.filter(|member| family.insert(*member)));
                }
            }
            if family.len() > MOST_EQUALITIES {
                break;
            }
        }
        if moves && family.len() <= MOST_EQUALITIES {
            moving.insert(pair);
        }
    }
    moving
}

/// The pairs known to be below their bounds on entry of each location: those that are on all
/// paths to it.
fn below_bounds(function: &Function, counters: &BTreeSet<CounterPair>) -> Vec<Below> {
    let mut below: Vec<Below> = vec![None; function.n_nodes()];
    below[function.entry.index()] = Some(BTreeSet::new());
    let mut pending = vec![function.entry];
    while let Some(node) = pending.pop() {
        for &edge in function.out_edges(node) {
            let mut known = below[node.index()].clone();
            for step in &function.edge(edge).steps {
                after_step(step, &mut known, counters);
            }
            let target = function.target(edge);
            let slot = &mut below[target.index()];
            let met = match (&*slot, known) {
                (None, known) => known,
                (Some(old), Some(new)) => Some(old.intersection(&new).copied().collect()),
                (Some(old), None) => Some(old.clone()),
            };
            if *slot != met {
                *slot = met;
                pending.push(target);
            }
        }
    }
    below
}

/// Facts before each step of an edge.
fn known_before_steps(
    edge: &EdgeData,
    mut known: Below,
    counters: &BTreeSet<CounterPair>,
) -> Vec<BTreeSet<CounterPair>> {
    let mut before = Vec::with_capacity(edge.steps.len());
    for step in &edge.steps {
        before.push(known.clone().unwrap_or_default());
        after_step(step, &mut known, counters);
    }
    before
}

fn after_step(step: &Step, known: &mut Below, counters: &BTreeSet<CounterPair>) {
    let Some(known) = known else { return };
    match &step.action {
        Action::Assume(condition) => {
            let joined = parts(condition, &|op| op == BinOp::And);
            let compared = joined.into_iter().filter_map(compared);
            let below = compared.filter_map(|(pair, is_below)| is_below.then_some(pair));
            known.extend(below.filter(|pair| counters.contains(pair)));
        }
        Action::Assign(pairs) => {
            let before = known.clone();
            let is_assigned = |reg: RegId| pairs.iter().any(|(dst, _)| *dst == reg);
            known.retain(|pair| !is_assigned(pair.counter) && !is_assigned(pair.bound));
            for (dst, value) in pairs {
                let Expr::Reg(source) = value else { continue };
                let copies = before.iter().filter(|pair| {
                    pair.counter == *source && pair.bound != *dst && !is_assigned(pair.bound)
                });
                known.extend(copies.map(|pair| CounterPair {
                    counter: *dst,
                    ..*pair
                }));
            }
        }
        action => action.for_each_def(&mut |reg| {
            known.retain(|pair| pair.counter != reg && pair.bound != reg);
        }),
    }
}

/// Turns what is live behind a step into what is live before it; `known` is known before it.
fn before_step(
    step: &Step,
    known: &BTreeSet<CounterPair>,
    counters: &BTreeSet<CounterPair>,
    live: &mut LiveHere,
) {
    match &step.action {
        Action::Assume(_) => {
            for atom in atoms(&step.action) {
                let pairs = [compared(atom).map(|(pair, _)| pair), equated(atom)];
                let pair = (pairs.into_iter().flatten()).find(|pair| counters.contains(pair));
                match pair {
                    Some(pair) => {
                        live.by_difference.insert(pair);
                    }
                    None => live.read(atom),
                }
            }
        }
        Action::Assign(pairs) => before_assignment(pairs, known, live),
        Action::Return(_) | Action::End(_) | Action::Unsupported(_) => {
            live.by_value.clear();
            live.by_difference.clear();
            step.action.for_each_expr(&mut |expr| live.read(expr));
        }
        Action::Load { .. }
        | Action::Store { .. }
        | Action::Alloca { .. }
        | Action::Input { .. }
        | Action::Call { .. }
        | Action::Builtin { .. }
        | Action::Cut
        | Action::Goal(_)
        | Action::Target => {
            step.action.for_each_def(&mut |reg| live.define(reg));
            step.action.for_each_use(&mut |reg| {
                live.by_value.insert(reg.index());
            });
        }
    }
    live.normalise();
}

/// What is live before two registers get values, or keep theirs, of which only the difference
/// matters.
fn before_equality(values: [(RegId, Option<&Expr>); 2], before: &mut LiveHere) {
    let moved = values.map(|(reg, value)| value.map_or(Moved::By(reg, false), Moved::of));
    match moved {
        [Moved::By(one, _), Moved::By(other, _)] => {
            before.by_difference.extend(equality(one, other));
        }
        [Moved::Constant, Moved::Constant] => {}
        _ => {
            for (reg, value) in values {
                match value {
                    Some(value) => before.read(value),
                    None => {
                        before.by_value.insert(reg.index());
                    }
                }
            }
        }
    }
}

fn before_assignment(pairs: &[(RegId, Expr)], known: &BTreeSet<CounterPair>, live: &mut LiveHere) {
    let assigned = |reg: RegId| {
        pairs
            .iter()
            .find(|(dst, _)| *dst == reg)
            .map(|(_, value)| value)
    };
    let mut before = LiveHere {
        by_value: live.by_value.clone(),
        by_difference: BTreeSet::new(),
    };
    for (dst, _) in pairs {
        before.by_value.remove(dst.index());
    }
    for (dst, value) in pairs {
        if live.by_value.contains(dst.index()) {
            before.read(value);
        }
    }
    for pair in &live.by_difference {
        if pair.order == Order::Equality {
            let values = [pair.counter, pair.bound].map(|reg| (reg, assigned(reg)));
            before_equality(values, &mut before);
            continue;
        }
        let source = match assigned(pair.counter) {
            None => Some(pair.counter),
            Some(Expr::Reg(source)) => Some(*source),
            Some(value) => incremented(value).filter(|counter| {
                known.contains(&CounterPair {
                    counter: *counter,
                    ..*pair
                })
            }),
        };
        match (source, assigned(pair.bound)) {
            (Some(counter), None) if counter != pair.bound => {
                before
                    .by_difference
                    .insert(CounterPair { counter, ..*pair });
            }
            _ => {
                for reg in [pair.counter, pair.bound] {
                    match assigned(reg) {
                        Some(value) => before.read(value),
                        None => {
                            before.by_value.insert(reg.index());
                        }
                    }
                }
            }
        }
    }
    *live = before;
}
