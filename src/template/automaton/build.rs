//! The automaton of a loop: edges, *Init*, *Accept*, turns.

use super::body::Body;
use super::classify::{Conditions, Interleaving, classify_conditions};
use super::notation::{EdgeText, PathText};
use super::{AutomatonPolicy, PathId};
use crate::flowgraph::FunctionId;
use crate::semantics::{Admission, Oracle, PathCondition, State};
use crate::template::NoTemplate;
use crate::term::{TermPool, Work};
use indexmap::IndexMap;

/// A path dependency automaton, for people.
pub struct Automaton {
    pub function: FunctionId,
    /// Name of the header.
    pub header: String,
    /// Its states.
    pub paths: Vec<PathText>,
    /// From path to path, ascending.
    pub edges: Vec<EdgeText>,
    /// The paths that may be the first.
    pub init: Vec<PathId>,
    /// The paths that nothing follows.
    pub accept: Vec<PathId>,
    /// The turns: the edge by which one is entered, and the paths that follow each other from there.
    pub turns: Vec<((PathId, PathId), Vec<PathId>)>,
    pub interleaving: Interleaving,
    pub conditions: Conditions,
}

impl Automaton {
    /// The type of the loop by Table 4.2: 1 to 4.
    #[must_use]
    pub fn kind(&self) -> u32 {
        match (self.interleaving, self.conditions) {
            (Interleaving::Irregular, Conditions::InductionVariables) => 2,
            (Interleaving::Irregular, Conditions::Others) => 4,
            (_, Conditions::InductionVariables) => 1,
            (_, Conditions::Others) => 3,
        }
    }
}

/// The automaton of a body while ways through it are looked for.
pub(super) struct Transitions {
    /// For each path those that may follow it, ascending.
    pub successors: Vec<Vec<PathId>>,
    /// The component of mutually reachable paths that each path belongs to.
    components: Vec<usize>,
    /// The turns that are known, by the edge by which they are entered; none where the paths do not
    /// follow each other in one way only.
    turns: IndexMap<(PathId, PathId), Option<Vec<PathId>>>,
    /// The work at which everything is given up.
    end: Work,
}

/// Whether a state at the header can go on by a path; what the oracle does not know counts.
fn may_take(
    body: &Body,
    pool: &mut TermPool,
    oracle: &mut dyn Oracle,
    state: &State,
    path: PathId,
) -> bool {
    let condition = body.take(pool, state, path).condition;
    oracle.admits(pool, &state.path_cond, condition) != Admission::Infeasible
}

impl Transitions {
    /// Asks which path may follow which.
    ///
    /// # Errors
    /// If there are too many paths, or the questions take too long.
    pub fn of(
        body: &Body,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        policy: &AutomatonPolicy,
    ) -> Result<Transitions, NoTemplate> {
        let end = pool.work() + policy.work;
        if body.paths.len() > policy.most_paths {
            return Err(NoTemplate::TooManyPaths(body.span));
        }
        let mut successors = Vec::with_capacity(body.paths.len());
        for path in body.ids() {
            if pool.work() > end {
                return Err(NoTemplate::TooManyPaths(body.span));
            }
            let mut next = Vec::new();
            if body.get(path).stays {
                for candidate in body.ids() {
                    let state = body.after_one(path);
                    if may_take(body, pool, oracle, state, candidate) {
                        next.push(candidate);
                    }
                }
            }
            successors.push(next);
        }
        let components = components(&successors);
        Ok(Transitions {
            successors,
            components,
            turns: IndexMap::new(),
            end,
        })
    }

    pub fn after(&self, path: PathId) -> &[PathId] {
        &self.successors[path.0]
    }

    /// Whether a path may follow itself.
    pub fn repeats(&self, path: PathId) -> bool {
        self.after(path).contains(&path)
    }

    /// Whether an edge is on a cycle of several paths.
    fn is_on_cycle(&self, from: PathId, to: PathId) -> bool {
        from != to && self.components[from.0] == self.components[to.0]
    }

    /// The edges on cycles of several paths.
    pub fn cyclic_edges(&self) -> Vec<(PathId, PathId)> {
        let edges = self.successors.iter().enumerate();
        let edges = edges.flat_map(|(from, next)| next.iter().map(move |to| (PathId(from), *to)));
        edges
            .filter(|(from, to)| self.is_on_cycle(*from, *to))
            .collect()
    }

    /// The turn that begins with an edge: the paths that follow each other from its target on until
    /// the edge is taken again, where none of them has another successor inside the loop, whatever
    /// the state was before the edge.
    pub fn turn(
        &mut self,
        body: &Body,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        edge: (PathId, PathId),
        longest: usize,
    ) -> Option<Vec<PathId>> {
        if let Some(known) = self.turns.get(&edge) {
            return known.clone();
        }
        let found = if self.is_on_cycle(edge.0, edge.1) {
            self.follow(body, pool, oracle, edge, longest)
        } else {
            None
        };
        self.turns.insert(edge, found.clone());
        found
    }

    fn follow(
        &self,
        body: &Body,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        (from, to): (PathId, PathId),
        longest: usize,
    ) -> Option<Vec<PathId>> {
        let mut state = body.after_one(from).clone();
        let mut next = to;
        let mut turn = Vec::new();
        loop {
            turn.push(next);
            if turn.len() > longest || pool.work() > self.end {
                return None;
            }
            state = body.take(pool, &state, next).leave(pool);
            let staying: Vec<PathId> = self.after(next).to_vec();
            let mut possible = Vec::new();
            for path in staying.into_iter().filter(|path| body.get(*path).stays) {
                if may_take(body, pool, oracle, &state, path) {
                    possible.push(path);
                }
            }
            let [only] = possible.as_slice() else {
                return None;
            };
            if (next, *only) == (from, to) {
                return Some(turn);
            }
            next = *only;
        }
    }

    /// How the paths follow each other.
    pub fn interleaving(
        &mut self,
        body: &Body,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        policy: &AutomatonPolicy,
    ) -> Interleaving {
        let edges = self.cyclic_edges();
        if edges.is_empty() {
            return Interleaving::Sequential;
        }
        for edge in edges {
            let longest = policy.longest_turn;
            if self.turn(body, pool, oracle, edge, longest).is_none() {
                return Interleaving::Irregular;
            }
        }
        Interleaving::Periodic
    }

    /// The automaton for people.
    pub fn describe(
        mut self,
        body: &Body,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        policy: &AutomatonPolicy,
    ) -> Automaton {
        let interleaving = self.interleaving(body, pool, oracle, policy);
        let conditions = classify_conditions(body, pool);
        let location = body.entry.state.location;
        let function = body.machine.program.function(location.function);
        let mut init = Vec::new();
        for path in body.ids() {
            let condition = body.get(path).effect.condition;
            if oracle.admits(pool, &PathCondition::default(), condition) != Admission::Infeasible {
                init.push(path);
            }
        }
        let accept = body
            .ids()
            .filter(|path| self.after(*path).is_empty())
            .collect();
        let mut edges = Vec::new();
        for path in body.ids() {
            edges.extend(EdgeText::from_path(body, &self, pool, oracle, path));
        }
        let turns = self.turns.iter();
        let turns = turns.filter_map(|(edge, turn)| Some((*edge, turn.clone()?)));
        Automaton {
            function: location.function,
            header: function.node(location.node).name.clone(),
            paths: PathText::of(body, pool),
            edges,
            init,
            accept,
            turns: turns.collect(),
            interleaving,
            conditions,
        }
    }
}

/// Numbers paths such that two have the same number if each can be reached from the other.
fn components(successors: &[Vec<PathId>]) -> Vec<usize> {
    let reached = |from: usize| -> Vec<bool> {
        let mut seen = vec![false; successors.len()];
        let mut open = vec![from];
        while let Some(path) = open.pop() {
            for next in &successors[path] {
                if !seen[next.0] {
                    seen[next.0] = true;
                    open.push(next.0);
                }
            }
        }
        seen
    };
    let reached: Vec<Vec<bool>> = (0..successors.len()).map(reached).collect();
    let first_mutual = |path: usize| {
        let mut others = 0..path;
        others.find(|other| reached[path][*other] && reached[*other][path])
    };
    (0..successors.len())
        .map(|path| first_mutual(path).unwrap_or(path))
        .collect()
}
