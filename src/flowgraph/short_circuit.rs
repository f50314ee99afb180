//! One branching for conditions that are joined by `||` or `&&`, and none where only their value is asked for.
//!
//! ```text
//! A --c--> F              A --c ∨ d--> F
//! A --¬c--> B --d--> F    A --¬c ∧ ¬d--> C
//!           B --¬d--> C
//!
//! A --c--> r := 1 --> J   A --> r := c ∨ d --> J
//! A --¬c--> r := d --> J
//! ```
//!
//! Clang makes a branching of each operand. If the later operands only compute, the paths to `F` differ in
//! their conditions only, and an executor would follow each of them: an iteration with four reasons for the
//! same `continue` would leave four times as many states.
//!
//! # Invariants
//! - Edges between the two branchings only assign. Expressions are total: operations that can fail in C have
//!   a branching before them. Conditions on pointers are not changed, since comparing pointers can fail.
//! - Both edges to `F` have the same steps, and no register assigned on the way is live at `F`.
//! - A register that is live at `J` and that the two paths to it assign differently has width 1, and is a constant
//!   on one of them.
//! - Neither edge leaves a loop around `A`: exits keep their own conditions, which often determine the number
//!   of iterations.

use super::compact::Copy;
use super::{Action, EdgeId, Expr, Function, Liveness, LoopNest, NodeId, RegId, Step};
use std::collections::{BTreeMap, BTreeSet};

/// A joined condition has at most so many parts.
const MAX_SIZE: usize = 96;
/// And at most so many comparisons and registers: [`verify`](super::verify()) has to see that one
/// of the two conditions holds.
const MAX_ATOMS: usize = 8;

/// The function with such branchings joined.
#[must_use]
pub fn join_branchings(function: &Function) -> Function {
    let mut graph = Graph::of(function);
    while graph.join_once() {}
    if graph.is_changed {
        graph.rebuild()
    } else {
        function.clone()
    }
}

/// An edge of the changing graph.
#[derive(Clone)]
struct Edge {
    /// The edge of the function in whose place it stands.
    place: EdgeId,
    target: NodeId,
    steps: Vec<Step>,
}

impl Edge {
    /// The condition of an edge of a branching, and the steps behind it.
    fn parts(&self) -> Option<(&Expr, &Step, &[Step])> {
        let (first, rest) = self.steps.split_first()?;
        match &first.action {
            Action::Assume(condition) => Some((condition, first, rest)),
            _ => None,
        }
    }
}

/// The graph while branchings are being joined, with what is known of the locations.
struct Graph<'f> {
    function: &'f Function,
    liveness: &'f Liveness,
    nest: &'f LoopNest,
    /// By location.
    outgoing: Vec<Vec<Edge>>,
    /// How many edges lead to each location.
    n_into: Vec<usize>,
    is_changed: bool,
}

impl<'f> Graph<'f> {
    fn of(function: &'f Function) -> Graph<'f> {
        let edge = |&edge: &EdgeId| Edge {
            place: edge,
            target: function.target(edge),
            steps: function.edge(edge).steps.clone(),
        };
        let nodes = || function.node_ids();
        Graph {
            function,
            liveness: function.liveness(),
            nest: function.loops(),
            outgoing: nodes()
                .map(|node| function.out_edges(node).iter().map(edge).collect())
                .collect(),
            n_into: nodes().map(|node| function.in_edges(node).len()).collect(),
            is_changed: false,
        }
    }

    /// Joins what can be joined, the last operands first: what comes out can be joined with the branching before it.
    /// Whether a branching became a value, which may be an operand of one that was passed.
    fn join_once(&mut self) -> bool {
        let mut has_values = false;
        for node in self.function.node_ids().rev() {
            if let Some(valued) = self.valued(node) {
                self.replace(node, vec![valued]);
                has_values = true;
            }
            while let Some(joined) = self.joined(node) {
                self.replace(node, Vec::from(joined));
                self.is_changed = true;
            }
        }
        self.is_changed |= has_values;
        has_values
    }

    /// The two edges that a branching has when the next one is joined with it.
    fn joined(&self, node: NodeId) -> Option<[Edge; 2]> {
        let [first, second] = self.outgoing[node.index()].as_slice() else {
            return None;
        };
        self.joined_along(node, first, second)
            .or_else(|| self.joined_along(node, second, first))
    }

    /// The same, where `short` leads to F and `long` to the next branching.
    fn joined_along(&self, node: NodeId, short: &Edge, long: &Edge) -> Option<[Edge; 2]> {
        let (skips, skips_at, tail) = short.parts()?;
        let (goes_on, goes_on_at, between) = long.parts()?;
        let mut assigned = Assigned::default();
        let mut passed: Vec<Step> = between.to_vec();
        let mut next = long.target;
        let branching = loop {
            if next == self.function.entry || next == node || self.n_into[next.index()] != 1 {
                return None;
            }
            match self.outgoing[next.index()].as_slice() {
                [only] => {
                    passed.extend_from_slice(&only.steps);
                    next = only.target;
                }
                branching => break branching,
            }
        };
        for step in &passed {
            assigned.add(step)?;
        }
        let [one, other] = branching else {
            return None;
        };
        let same = |edge: &Edge| {
            edge.target == short.target && edge.parts().is_some_and(|(_, _, rest)| rest == tail)
        };
        let (to_same, away) = match (same(one), same(other)) {
            (true, false) => (one, other),
            (false, true) => (other, one),
            _ => return None,
        };
        let stays = |target: NodeId| {
            (self.nest.innermost(node)).is_none_or(|around| {
                let body = &self.nest.loops[around.index()].body;
                body.contains(target.index())
            })
        };
        if !stays(short.target) || !stays(away.target) {
            return None;
        }
        if assigned
            .regs()
            .any(|reg| self.liveness.is_live(short.target, reg))
        {
            return None;
        }
        let ((skips_too, _, _), (goes_away, _, rest)) = (to_same.parts()?, away.parts()?);
        let to_same = Expr::any([skips.clone(), assigned.before(skips_too)]);
        let away_if = Expr::all([goes_on.clone(), assigned.before(goes_away)]);
        if ![&to_same, &away_if]
            .into_iter()
            .all(|condition| self.is_fit(condition))
        {
            return None;
        }
        let edge = |place, target, condition, at: &Step, rest: Vec<Step>| {
            let mut steps = vec![Step::new(Action::Assume(condition), at.span)];
            steps.extend(rest);
            Edge {
                place,
                target,
                steps,
            }
        };
        passed.extend_from_slice(rest);
        Some([
            edge(short.place, short.target, to_same, skips_at, tail.to_vec()),
            edge(long.place, away.target, away_if, goes_on_at, passed),
        ])
    }

    /// The only edge that a branching has when the value is computed of which its edges are the two cases.
    fn valued(&self, node: NodeId) -> Option<Edge> {
        let [first, second] = self.outgoing[node.index()].as_slice() else {
            return None;
        };
        let ((holds, at, _), (fails, _, _)) = (first.parts()?, second.parts()?);
        let (join, when_it_holds) = self.assigned_along(node, first)?;
        let (other_join, when_it_fails) = self.assigned_along(node, second)?;
        let stays = (self.nest.innermost(node))
            .is_none_or(|around| self.nest.loops[around.index()].body.contains(join.index()));
        if join != other_join || !stays || !self.is_fit(holds) {
            return None;
        }
        let regs: BTreeSet<RegId> = when_it_holds.regs().chain(when_it_fails.regs()).collect();
        let mut pairs = Vec::new();
        let mut n_chosen = 0;
        for reg in regs {
            if !self.liveness.is_live(join, reg) {
                continue;
            }
            let (one, other) = (when_it_holds.value(reg), when_it_fails.value(reg));
            if one == other {
                pairs.push((reg, one));
                continue;
            }
            let [yes, no] = [true, false].map(Expr::truth);
            let value = if one == yes {
                Expr::any([holds.clone(), other])
            } else if one == no {
                Expr::all([fails.clone(), other])
            } else if other == yes {
                Expr::any([fails.clone(), one])
            } else if other == no {
                Expr::all([holds.clone(), one])
            } else {
                return None;
            };
            if self.function.reg(reg).bits != 1 || !self.is_fit(&value) {
                return None;
            }
            n_chosen += 1;
            pairs.push((reg, value));
        }
        (n_chosen > 0).then(|| Edge {
            place: first.place.min(second.place),
            target: join,
            steps: vec![Step::new(Action::Assign(pairs), at.span)],
        })
    }

    /// The next location to which more than one edge leads, and what is assigned on the way there.
    fn assigned_along(&self, node: NodeId, edge: &Edge) -> Option<(NodeId, Assigned)> {
        let (_, _, steps) = edge.parts()?;
        let mut assigned = Assigned::default();
        for step in steps {
            assigned.add(step)?;
        }
        let mut next = edge.target;
        while self.n_into[next.index()] == 1 {
            let [only] = self.outgoing[next.index()].as_slice() else {
                return None;
            };
            for step in &only.steps {
                assigned.add(step)?;
            }
            next = only.target;
        }
        (next != node && next != self.function.entry).then_some((next, assigned))
    }

    /// Whether a condition is small enough, and cannot fail.
    fn is_fit(&self, condition: &Expr) -> bool {
        let (mut n_atoms, mut has_pointer) = (0, false);
        condition.for_each(&mut |expr| match expr {
            Expr::Compare(..) => n_atoms += 1,
            Expr::Reg(reg) => {
                let reg = self.function.reg(*reg);
                has_pointer |= reg.pointer;
                n_atoms += usize::from(reg.bits == 1);
            }
            Expr::Global(_) | Expr::Function(_) => has_pointer = true,
            _ => {}
        });
        size(condition) <= MAX_SIZE && n_atoms <= MAX_ATOMS && !has_pointer
    }

    /// Gives a branching its new edges; what was between the two has no edges any more.
    fn replace(&mut self, node: NodeId, mut joined: Vec<Edge>) {
        for edge in &joined {
            self.n_into[edge.target.index()] += 1;
        }
        let mut gone = std::mem::take(&mut self.outgoing[node.index()]);
        while let Some(edge) = gone.pop() {
            let n_into = &mut self.n_into[edge.target.index()];
            *n_into -= 1;
            if *n_into == 0 {
                gone.append(&mut self.outgoing[edge.target.index()]);
            }
        }
        joined.sort_by_key(|edge| edge.place);
        self.outgoing[node.index()] = joined;
    }

    fn rebuild(self) -> Function {
        let mut copy = Copy::new(self.function);
        for node in self.function.node_ids() {
            if node == self.function.entry || self.n_into[node.index()] > 0 {
                copy.add_node(node);
            }
        }
        let mut edges = Vec::new();
        for (node, outgoing) in self.function.node_ids().zip(self.outgoing) {
            edges.extend(outgoing.into_iter().map(|edge| (node, edge)));
        }
        edges.sort_by_key(|(_, edge)| edge.place);
        for (source, edge) in edges {
            copy.add_edge(source, edge.target, edge.steps);
        }
        copy.finish()
    }
}

/// How many parts an expression has.
fn size(expr: &Expr) -> usize {
    let mut size = 0;
    expr.for_each(&mut |_| size += 1);
    size
}

/// Registers that were assigned on the way, with their values in terms of those before it.
#[derive(Default)]
struct Assigned(BTreeMap<RegId, Expr>);

impl Assigned {
    /// `None` if the step does more than assign, or a value gets large.
    fn add(&mut self, step: &Step) -> Option<()> {
        let Action::Assign(pairs) = &step.action else {
            return None;
        };
        let pairs = pairs.iter();
        let values: Vec<_> = pairs
            .map(|(dst, value)| (*dst, self.before(value)))
            .collect();
        if values.iter().any(|(_, value)| size(value) > MAX_SIZE) {
            return None;
        }
        self.0.extend(values);
        Some(())
    }

    /// What a register holds behind the assignments.
    fn value(&self, reg: RegId) -> Expr {
        self.0.get(&reg).cloned().unwrap_or(Expr::Reg(reg))
    }

    fn regs(&self) -> impl Iterator<Item = RegId> + '_ {
        self.0.keys().copied()
    }

    /// The value that an expression behind the assignments has, in terms of registers before them.
    fn before(&self, expr: &Expr) -> Expr {
        expr.replace_regs(&|reg| self.0.get(&reg).cloned())
    }
}
