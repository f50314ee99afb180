//! Algorithm 1: the backbones of a flowgraph, executed symbolically.
//!
//! Backbones are executed during their enumeration, so that common prefixes are executed once. At each loop
//! entry the loop's summary is applied. Unless separate backbones are requested, paths that meet at a node
//! with the same effect are merged, under the disjunction of their conditions.

use super::build::Build;
use super::chains::CountedTogether;
use super::simpler::Earlier;
use super::summary::Summary;
use flowgraph::{BitSet, EdgeId, Induced, NodeId, RegId, Span};
use memory::{Base, Object};
use semantics::{InputLog, Outcome, PathCondition, PathEnd, State, Trusting};
use std::collections::BTreeMap;
use std::rc::Rc;
use template::{Case, any};
use term::{TermId, TermPool, Work};

/// A backbone up to some node, or several with the same effect.
#[derive(Clone)]
pub(super) struct Trail {
    pub state: State,
    /// The nodes of α.
    before: BitSet,
    /// Headers of loops within which the trail began, the outermost first. No loop passes them until the
    /// trail reaches one: there it restarts, within the loops around that.
    around: Vec<NodeId>,
    /// The edges of the first of these backbones.
    pub edges: Vec<EdgeId>,
    /// The edges of all of them.
    pub passed: BitSet,
    /// The loops along it, in order.
    pub loops: Vec<AppliedSummary>,
    /// How many backbones these are.
    pub n_backbones: u64,
}

/// A summary at a loop entry along a backbone.
#[derive(Clone)]
pub struct AppliedSummary {
    pub summary: Rc<Summary>,
    /// Its path counters, and the number of all iterations, as they are called on this backbone.
    pub counters: Vec<TermId>,
    pub total: TermId,
    /// What some unknowns of its iterations say.
    pub earlier: Vec<(TermId, Earlier)>,
    /// Of constraint systems: how often inner chains are executed in all iterations, by the
    /// backbone of the loop along which they are.
    pub inner: Vec<Vec<TermId>>,
    /// And what is known of sums of these counters.
    pub together: Vec<CountedTogether<TermId>>,
}

impl AppliedSummary {
    /// Whether an iteration passes other loops.
    #[must_use]
    pub fn has_inner_loops(&self) -> bool {
        let mut backbones = self.summary.backbones.iter();
        backbones.any(|backbone| !backbone.loops.is_empty())
    }

    fn is(&self, other: &AppliedSummary) -> bool {
        Rc::ptr_eq(&self.summary, &other.summary) && self.total == other.total
    }
}

/// A backbone that is over.
pub(super) struct Ended {
    pub trail: Trail,
    pub end: PathEnd,
}

/// The backbones of a flowgraph.
#[derive(Default)]
pub(super) struct Walked {
    /// Those that reach the end v′ of an induced flowgraph.
    pub back: Vec<Trail>,
    /// Those on which the program, the machine or our understanding ends.
    pub ended: Vec<Ended>,
}

impl Trail {
    /// The trail at the start of a flowgraph.
    pub fn new(state: State, flowgraph: &Induced) -> Trail {
        let mut before = BitSet::new(flowgraph.function().n_nodes());
        before.insert(flowgraph.start().index());
        Trail {
            state,
            before,
            around: Vec::new(),
            edges: Vec::new(),
            passed: BitSet::new(flowgraph.function().n_edges()),
            loops: Vec::new(),
            n_backbones: 1,
        }
    }

    /// Begins within loops with these headers.
    fn begin_within(&mut self, around: Vec<NodeId>) {
        self.before.clear();
        for header in &around {
            self.before.insert(header.index());
        }
        self.around = around;
    }

    /// Begins again if the node is the header of a loop around.
    fn begins_anew(&mut self, node: NodeId) -> bool {
        let Some(at) = self.around.iter().position(|header| *header == node) else {
            return false;
        };
        let outer = self.around[..at].to_vec();
        self.begin_within(outer);
        true
    }
}

impl Build<'_, '_> {
    /// φ of a trail, without ⋆; *true* where there is no work left for it.
    pub(super) fn condition(&mut self, pool: &mut TermPool, trail: &Trail) -> TermId {
        if self.end.is_reached(pool) {
            return TermId::TRUE;
        }
        let condition = pool.conj(trail.state.path_cond.to_vec());
        self.unknowns.weaken(pool, condition, &self.end)
    }

    /// Executes all backbones of a flowgraph from a state at its start (`executeBackbones`).
    pub(super) fn walk(
        &mut self,
        pool: &mut TermPool,
        flowgraph: &Induced,
        state: State,
    ) -> Walked {
        let start = Trail::new(state, flowgraph);
        self.walk_on(pool, flowgraph, start)
    }

    /// The same from where a state is, which may be within loops with these headers, the outermost
    /// first. Its node may be a loop entry too.
    ///
    /// A run from there reaches none of the headers, and is along a backbone with loops that avoid them; or
    /// there is a first one that it reaches, up to which that holds, and from where the same can be said for
    /// the loops around it.
    pub(super) fn walk_from(
        &mut self,
        pool: &mut TermPool,
        flowgraph: &Induced,
        state: State,
        around: Vec<NodeId>,
    ) -> Walked {
        let mut start = Trail::new(state, flowgraph);
        start.begin_within(around);
        match self.enter(pool, flowgraph, flowgraph.start(), start) {
            Ok(start) => self.walk_on(pool, flowgraph, start),
            Err(ended) => Walked {
                back: Vec::new(),
                ended: vec![*ended],
            },
        }
    }

    fn walk_on(&mut self, pool: &mut TermPool, flowgraph: &Induced, start: Trail) -> Walked {
        let mut walked = Walked::default();
        let mut pending = Pending::default();
        let order = self.order(flowgraph.start());
        pending.push(&order, flowgraph.start(), start);
        let mut n_backbones = 0;
        while let Some((node, mut trails)) = pending.pop() {
            if self.options.join && !self.end.is_reached(pool) {
                trails = self.join(pool, flowgraph, node, trails);
            }
            for trail in trails {
                n_backbones += 1;
                if n_backbones > self.options.most_backbones || self.end.is_reached(pool) {
                    let why = if self.end.is_reached(pool) {
                        "the work limit of the necessary condition is reached".to_owned()
                    } else {
                        format!("more than {} backbones", self.options.most_backbones)
                    };
                    let end = PathEnd::Unsupported(why, self.span(flowgraph, node));
                    walked.ended.push(Ended { trail, end });
                    continue;
                }
                self.pass(
                    pool,
                    flowgraph,
                    node,
                    &trail,
                    &mut walked,
                    &mut |node, trail| {
                        pending.push(&order, node, trail);
                    },
                );
            }
        }
        walked
    }

    /// Continues from a node along all edges.
    fn pass(
        &mut self,
        pool: &mut TermPool,
        flowgraph: &Induced,
        node: NodeId,
        trail: &Trail,
        walked: &mut Walked,
        arrive: &mut dyn FnMut(NodeId, Trail),
    ) {
        let location = trail.state.location;
        debug_assert_eq!(location.node, node, "a trail is where its state is");
        let edges: Vec<EdgeId> = flowgraph.out_edges(node).collect();
        for edge in edges {
            let outcomes = self
                .machine
                .follow(pool, &mut Trusting, trail.state.clone(), edge);
            for outcome in outcomes {
                pool.count_work(Work::BACKBONE_EDGE);
                let mut next = Trail {
                    edges: trail.edges.iter().copied().chain([edge]).collect(),
                    ..trail.clone()
                };
                next.passed.insert(edge.index());
                match self.ending_at_goals(outcome, edge) {
                    Outcome::Running(state) => {
                        let stays = state.location.function == location.function
                            && state.callers.len() == trail.state.callers.len();
                        let target = state.location.node;
                        next.state = state;
                        if !stays {
                            let callee =
                                self.machine.program.function(next.state.location.function);
                            let what = format!("a call of {} that is not inlined", callee.name);
                            let end = PathEnd::Unsupported(what, self.span(flowgraph, node));
                            walked.ended.push(Ended { trail: next, end });
                        } else if flowgraph.leads_to_end(edge) {
                            walked.back.push(next);
                        } else if next.begins_anew(target) || !next.before.contains(target.index())
                        {
                            match self.enter(pool, flowgraph, target, next) {
                                Ok(trail) => arrive(target, trail),
                                Err(ended) => walked.ended.push(*ended),
                            }
                        }
                    }
                    Outcome::Ended(state, end) => {
                        next.state = state;
                        walked.ended.push(Ended { trail: next, end });
                    }
                    Outcome::Undecided { state, span, .. } => {
                        next.state = state;
                        let end = PathEnd::Undecided(span);
                        walked.ended.push(Ended { trail: next, end });
                    }
                }
            }
        }
    }

    /// What comes of an edge: where open goals are checked, a path ends as it passes one.
    fn ending_at_goals(&self, outcome: Outcome, edge: EdgeId) -> Outcome {
        match outcome {
            Outcome::Running(state) | Outcome::Ended(state, _)
                if self.options.tells_of_all && !state.goals.is_empty() =>
            {
                let function = self.machine.program.main;
                let place = self.machine.edge_span(function, edge);
                Outcome::Ended(state, PathEnd::Target(place))
            }
            outcome => outcome,
        }
    }

    /// Arrives at a node: lines 18 to 22, where it is a loop entry. A loop that has no summary
    /// ends the trail.
    fn enter(
        &mut self,
        pool: &mut TermPool,
        flowgraph: &Induced,
        node: NodeId,
        mut trail: Trail,
    ) -> Result<Trail, Box<Ended>> {
        if let Some(induced) = flowgraph.loop_along(&trail.before, node) {
            match self.summary(pool, &induced, &trail.state) {
                Ok(Some(summary)) => self.apply(pool, &summary, &mut trail),
                Ok(None) => {}
                Err(why) => {
                    let end = PathEnd::Unsupported(why, self.span(flowgraph, node));
                    return Err(Box::new(Ended { trail, end }));
                }
            }
        }
        trail.before.insert(node.index());
        Ok(trail)
    }

    fn span(&self, flowgraph: &Induced, node: NodeId) -> Span {
        flowgraph.function().node(node).span
    }

    /// Makes one of trails with the same effect on all that is read later.
    fn join(
        &self,
        pool: &mut TermPool,
        flowgraph: &Induced,
        node: NodeId,
        trails: Vec<Trail>,
    ) -> Vec<Trail> {
        if trails.len() < 2 {
            return trails;
        }
        let live = self.live(node);
        // What lies ahead: the rest of the flowgraph, and what is read there.
        let mut groups: Vec<(BitSet, Vec<Trail>)> = Vec::new();
        for trail in trails {
            let ahead = flowgraph.reachable(&trail.before, node);
            let known = groups.iter_mut().find(|(same_ahead, group)| {
                *same_ahead == ahead
                    && group[0].around == trail.around
                    && same_effect(&group[0], &trail, &live)
            });
            match known {
                Some((_, group)) => group.push(trail),
                None => groups.push((ahead, vec![trail])),
            }
        }
        let groups = groups.into_iter();
        groups.map(|(_, group)| merged(pool, group)).collect()
    }
}

/// One trail for several with the same effect.
fn merged(pool: &mut TermPool, group: Vec<Trail>) -> Trail {
    let n_backbones = group.iter().map(|trail| trail.n_backbones);
    let n_backbones = n_backbones.fold(0, u64::saturating_add);
    let guards = group.iter().map(|trail| Case {
        guard: trail.state.path_cond.to_vec(),
        gives: (),
    });
    let guards = guards.collect::<Vec<_>>();
    let mut group = group.into_iter();
    let mut first = group.next().expect("a group has a trail");
    if guards.len() > 1 {
        let condition = any(pool, guards);
        first.state.path_cond = PathCondition::default();
        first.state.path_cond.assume(pool, condition);
        // What may come later is what may come after any of them.
        for other in group {
            first.before.union_with(&other.before);
            first.passed.union_with(&other.passed);
        }
    }
    first.n_backbones = n_backbones;
    first
}

fn same_effect(one: &Trail, other: &Trail, live: &[RegId]) -> bool {
    let same_loops = one.loops.len() == other.loops.len()
        && one.loops.iter().zip(&other.loops).all(|(a, b)| a.is(b));
    let (one, other) = (&one.state, &other.state);
    let same_registers = || {
        live.iter()
            .all(|reg| one.frame.get(*reg) == other.frame.get(*reg))
    };
    let same_memory = || {
        one.memory.objects().count() == other.memory.objects().count()
            && one.memory.objects().all(|(id, mine)| {
                one.memory.same_version(&other.memory, id)
                    || other
                        .memory
                        .object(id)
                        .is_some_and(|theirs| same_content(mine, theirs))
            })
    };
    same_loops
        && one.frame.allocas == other.frame.allocas
        && same_inputs(&one.inputs, &other.inputs)
        && same_registers()
        && same_memory()
}

fn same_content(mine: &Object, theirs: &Object) -> bool {
    let same_base = match (mine.content.base(), theirs.content.base()) {
        (Base::Zero, Base::Zero) => true,
        (Base::Bytes(mine), Base::Bytes(theirs)) => mine == theirs,
        (Base::Arbitrary(mine), Base::Arbitrary(theirs)) => Rc::ptr_eq(mine, theirs),
        (Base::Array(mine), Base::Array(theirs)) => mine == theirs,
        (Base::Entry(mine), Base::Entry(theirs)) => Rc::ptr_eq(mine, theirs),
        _ => false,
    };
    mine.alive == theirs.alive && same_base && mine.content.cells().eq(theirs.content.cells())
}

/// Whether two logs are of the same reads; logs grow at the front.
fn same_inputs(one: &InputLog, other: &InputLog) -> bool {
    one.len() == other.len()
        && match (one.first(), other.first()) {
            (Some(one), Some(other)) => std::ptr::eq(one, other),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        }
}

/// Trails that wait, by their nodes' places in a topological order as far as there is one.
#[derive(Default)]
struct Pending {
    trails: BTreeMap<(usize, NodeId), Vec<Trail>>,
}

impl Pending {
    fn push(&mut self, order: &[usize], node: NodeId, trail: Trail) {
        let key = (order[node.index()], node);
        self.trails.entry(key).or_default().push(trail);
    }

    fn pop(&mut self) -> Option<(NodeId, Vec<Trail>)> {
        let ((_, node), trails) = self.trails.pop_first()?;
        Some((node, trails))
    }
}
