//! The automaton of a loop: edges, *Init*, *Accept*, turns.

use super::body::Body;
use super::classify::{Conditions, Interleaving, classify_conditions};
use super::notation::{EdgeText, PathText, PeriodText};
use super::phase::{ITERATION_BITS, Phase, TakenOver, follow_step, repeat_until_taken_over};
use super::word::{Letter, Turn, turn_within};
use super::{AutomatonPolicy, PathId};
use crate::NoTemplate;
use flowgraph::FunctionId;
use indexmap::IndexMap;
use semantics::{Admission, Oracle, PathCondition, State};
use std::rc::Rc;
use term::{Sort, SymbolId, TermId, TermPool, Work};

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
    /// The turns: the edge by which one is entered, and the paths that follow each other from there,
    /// each with its period.
    pub turns: Vec<((PathId, PathId), Vec<PeriodText>)>,
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

/// So many edges may be known as parts of other turns only.
const MOST_WITHIN: usize = 8;

/// So many conditions are tried to hold after each iteration.
const MOST_LEFT_BEHIND: usize = 8;

/// The automaton of a body while ways through it are searched for.
pub(super) struct Transitions {
    /// For each path those that may follow it, ascending.
    pub successors: Vec<Vec<PathId>>,
    /// The same for the first iteration, where less is known of the state before it.
    first: Vec<Vec<PathId>>,
    /// What holds before each iteration but the first, over the entry.
    known: TermId,
    /// The component of mutually reachable paths that each path belongs to.
    components: Vec<usize>,
    /// The turns that are known, by the edge by which they are entered; none where the paths do not
    /// follow each other in one way only.
    turns: IndexMap<(PathId, PathId), Option<Turn>>,
    /// The phases that were closed, by their words.
    phases: IndexMap<Vec<Letter>, Result<Rc<Phase>, NoTemplate>>,
    /// Work that is left to find periods that are terms.
    work_periods: Work,
    /// The work at which everything is abandoned.
    end: Work,
}

/// Whether a state at the header can continue by a path; what the oracle does not know counts.
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
    /// If there are too many paths, or the queries take too long.
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
            first: successors.clone(),
            known: TermId::TRUE,
            successors,
            components,
            turns: IndexMap::new(),
            phases: IndexMap::new(),
            work_periods: policy.work_periods,
            end,
        })
    }

    pub fn after(&self, path: PathId) -> &[PathId] {
        &self.successors[path.0]
    }

    /// The paths that may follow one in the second iteration.
    pub fn after_first(&self, path: PathId) -> &[PathId] {
        &self.first[path.0]
    }

    /// Whether the first iteration has other successors than later ones.
    pub fn is_first_apart(&self) -> bool {
        self.known != TermId::TRUE
    }

    /// The same for all iterations but the first, where what the iterations before them leave behind
    /// excludes edges on cycles: a loop that tests its condition at the end enters no later iteration
    /// without it.
    pub fn after_the_first(
        &self,
        body: &Body,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
    ) -> Option<Transitions> {
        let end = self.end;
        let known = postcondition(body, pool, oracle, end);
        if known == TermId::TRUE {
            return None;
        }
        let mut successors = self.successors.clone();
        for (from, to) in self.cyclic_edges() {
            if pool.work() > end {
                return None;
            }
            let mut state = body.after_one(from).clone();
            state.path_cond.assume(pool, known);
            if !may_take(body, pool, oracle, &state, to) {
                successors[from.0].retain(|path| *path != to);
            }
        }
        if successors == self.successors {
            return None;
        }
        Some(Transitions {
            first: self.successors.clone(),
            known,
            components: components(&successors),
            successors,
            turns: IndexMap::new(),
            phases: IndexMap::new(),
            work_periods: self.work_periods,
            end,
        })
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

    /// The phase of a word.
    ///
    /// # Errors
    /// If it has no closed form.
    pub fn phase(
        &mut self,
        body: &Body,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        word: Vec<Letter>,
    ) -> Result<Rc<Phase>, NoTemplate> {
        if let Some(known) = self.phases.get(&word) {
            return known.clone();
        }
        let phase = Phase::of(body, self, pool, oracle, &word).map(Rc::new);
        self.phases.insert(word, phase.clone());
        phase
    }

    /// The turn that begins with an edge: the paths that follow each other from its target on until
    /// the edge is taken again, where none of them has another successor inside the loop, whatever
    /// the state was before the edge. Where it is too long one by one, or a path follows itself for a
    /// number of iterations that is a term, the word has that path once, repeated; so it has a turn
    /// within the turn.
    pub fn turn(
        &mut self,
        body: &Body,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        edge: (PathId, PathId),
        longest: usize,
    ) -> Option<Turn> {
        if let Some(known) = self.turns.get(&edge) {
            return known.clone();
        }
        let found = if self.is_on_cycle(edge.0, edge.1) {
            let one_by_one = self.follow(body, pool, oracle, edge, longest, false);
            one_by_one.or_else(|| {
                let start = pool.work();
                let found = self.follow(body, pool, oracle, edge, longest, true);
                let spent = pool.work() - start;
                self.work_periods = self.work_periods.saturating_sub(spent);
                found
            })
        } else {
            None
        };
        self.turns.insert(edge, found.clone());
        found
    }

    /// Follows the only way from an edge until it is taken again, where a path that may follow itself
    /// is taken one by one or is `repeated`.
    fn follow(
        &mut self,
        body: &Body,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        (from, to): (PathId, PathId),
        longest: usize,
        repeated: bool,
    ) -> Option<Turn> {
        let end = if repeated {
            self.end.min(pool.work() + self.work_periods)
        } else {
            self.end
        };
        let mut state = body.after_one(from).clone();
        state.path_cond.assume(pool, self.known);
        let mut edge = (from, to);
        let mut turn = Turn::default();
        // The edges in the word: the steps before each, and the state.
        let mut taken: Vec<((PathId, PathId), usize, State)> = Vec::new();
        let mut not_repeated: Vec<(PathId, PathId)> = Vec::new();
        loop {
            if turn.word.len() == longest || pool.work() > end || oracle.is_exhausted() {
                return None;
            }
            let known = taken.iter().position(|(before, ..)| *before == edge);
            if let Some(known) = known.filter(|_| repeated && !not_repeated.contains(&edge)) {
                let (_, n_steps, before) = &taken[known];
                let n_steps = *n_steps;
                let word: Rc<[Letter]> = turn.word[n_steps..].into();
                if let Some(taken_over) = self.leave_turn(body, pool, oracle, before, &word) {
                    let left_by = taken_over.edge;
                    turn.truncate(n_steps);
                    turn.push(Letter::Repeated { word, left_by }, taken_over.times);
                    if left_by == (from, to) {
                        return Some(turn);
                    }
                    taken.truncate(known);
                    (state, edge) = (taken_over.state, left_by);
                    continue;
                }
                not_repeated.push(edge);
            }
            taken.push((edge, turn.word.len(), state.clone()));
            let next = edge.1;
            let after_one = body.take(pool, &state, next).leave(pool);
            let mut possible = Vec::new();
            for path in self.after(next) {
                if body.get(*path).stays && may_take(body, pool, oracle, &after_one, *path) {
                    possible.push(*path);
                }
            }
            match possible.as_slice() {
                [_, ..] if repeated && possible.contains(&next) => {
                    if !self.is_told_apart(body, pool, next, next) {
                        return None;
                    }
                    let word: Rc<[Letter]> = Rc::new([Letter::Once(next)]);
                    let taken_over =
                        repeat_until_taken_over(body, self, pool, oracle, &state, &word)?;
                    let left_by = taken_over.edge;
                    turn.push(Letter::Repeated { word, left_by }, taken_over.times);
                    (state, edge) = (taken_over.state, left_by);
                }
                [only] => {
                    turn.push(Letter::Once(next), pool.bv(ITERATION_BITS, 1));
                    (state, edge) = (after_one, (next, *only));
                }
                _ => return None,
            }
            if edge == (from, to) {
                return Some(turn);
            }
        }
    }

    /// Repeats a turn within the turn, until the one path takes over that may.
    fn leave_turn(
        &mut self,
        body: &Body,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        state: &State,
        word: &[Letter],
    ) -> Option<TakenOver> {
        let taken_over = repeat_until_taken_over(body, self, pool, oracle, state, word)?;
        let (previous, _) = taken_over.edge;
        let next = word.iter().cycle().skip(1);
        let is_told_apart = word.iter().zip(next).all(|(step, next)| {
            step.last() != previous || self.is_told_apart(body, pool, previous, next.path())
        });
        is_told_apart.then_some(taken_over)
    }

    /// The turn of a word that begins with an edge, where it comes back to the edge.
    fn turn_of(
        &mut self,
        body: &Body,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        (from, to): (PathId, PathId),
        word: &[Letter],
    ) -> Option<Turn> {
        let mut state = body.after_one(from).clone();
        state.path_cond.assume(pool, self.known);
        let condition = body.take(pool, &state, to).condition;
        state.path_cond.assume(pool, condition);
        let mut turn = Turn::default();
        for step in word {
            let (after, times) = follow_step(body, self, pool, oracle, &state, step)?;
            turn.push(step.clone(), times);
            state = after;
        }
        Some(turn)
    }

    /// Whether a condition that reads no array tells a path from each other one that may take over after
    /// the path before: what arrays hold does not determine how often the path is taken.
    fn is_told_apart(
        &self,
        body: &Body,
        pool: &mut TermPool,
        before: PathId,
        path: PathId,
    ) -> bool {
        let mut own = pool.conjuncts(body.get(path).effect.condition);
        own.retain(|conjunct| {
            let symbols = pool.symbols_of(*conjunct);
            let mut sorts = symbols.iter().map(|symbol| pool.symbol_sort(*symbol));
            sorts.all(|sort| matches!(sort, Sort::Bv(_)))
        });
        let others = self.after(before).iter().filter(|other| **other != path);
        let mut staying = others.filter(|other| body.get(**other).stays);
        staying.all(|other| {
            let demanded = pool.conjuncts(body.get(*other).effect.condition);
            own.iter().any(|conjunct| {
                let excluded = pool.not(*conjunct);
                demanded.contains(&excluded)
            })
        })
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
        // Those that are no turn by themselves may be one within a turn, until another path takes over.
        let mut within = Vec::new();
        for edge in edges {
            let longest = policy.longest_turn;
            if self.turn(body, pool, oracle, edge, longest).is_none() {
                within.push(edge);
            }
            if within.len() > MOST_WITHIN {
                return Interleaving::Irregular;
            }
        }
        for edge in within {
            let mut turns = self.turns.values().flatten();
            let word = turns.find_map(|turn| turn_within(&turn.word, edge));
            let turn = word.and_then(|word| self.turn_of(body, pool, oracle, edge, &word));
            if turn.is_none() {
                return Interleaving::Irregular;
            }
            self.turns.insert(edge, turn);
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
            edges.extend(EdgeText::from_path(body, &mut self, pool, oracle, path));
        }
        let turns = self.turns.iter();
        let turns = turns.filter_map(|(edge, turn)| {
            let periods = PeriodText::of(body, pool, turn.as_ref()?);
            Some((*edge, periods))
        });
        let turns = turns.collect();
        Automaton {
            function: location.function,
            header: function.node(location.node).name.clone(),
            paths: PathText::of(body, pool),
            edges,
            init,
            accept,
            turns,
            interleaving,
            conditions,
        }
    }
}

/// What holds after each iteration, whatever the state before it was: conditions of paths over what
/// these make of counters, read as conditions of the counters.
fn postcondition(body: &Body, pool: &mut TermPool, oracle: &mut dyn Oracle, end: Work) -> TermId {
    let staying: Vec<PathId> = body.ids().filter(|path| body.get(*path).stays).collect();
    let mut candidates: Vec<TermId> = Vec::new();
    for path in &staying {
        for conjunct in pool.conjuncts(body.get(*path).effect.condition) {
            let candidate = moved_back(body, pool, *path, conjunct);
            candidates.extend(candidate.filter(|candidate| !candidates.contains(candidate)));
        }
    }
    let mut known = Vec::new();
    for candidate in candidates.into_iter().take(MOST_LEFT_BEHIND) {
        let holds_after = |path: &PathId| {
            if pool.work() > end {
                return false;
            }
            let state = body.after_one(*path);
            let after = body.in_state(pool, state, candidate);
            let fails = pool.not(after);
            oracle.admits(pool, &state.path_cond, fails) == Admission::Infeasible
        };
        if staying.iter().all(holds_after) {
            known.push(candidate);
        }
    }
    pool.conj(known)
}

/// The condition of which one over the state before an iteration is the value after it, where the
/// path moves counters in it by constants.
fn moved_back(body: &Body, pool: &mut TermPool, path: PathId, condition: TermId) -> Option<TermId> {
    let state = body.after_one(path);
    let mut theta: IndexMap<SymbolId, TermId> = IndexMap::new();
    for symbol in pool.symbols_of(condition).to_vec() {
        if !matches!(pool.symbol_sort(symbol), Sort::Bv(_)) {
            return None;
        }
        let before = pool.symbol_term(symbol);
        let after = body.in_state(pool, state, before);
        let step = pool.sub(after, before);
        if !pool.is_const(step) {
            return None;
        }
        if after != before {
            theta.insert(symbol, pool.sub(before, step));
        }
    }
    let moved = pool.substitute(condition, &mut theta);
    (!theta.is_empty()).then_some(moved)
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
