//! The paths through the body of a loop, as steps for arbitrary states at the header.

use super::PathId;
use crate::apply::behind;
use crate::compose::Composition;
use crate::comprehension::reads_of;
use crate::compute::{cells_of, written};
use crate::entry::Entry;
use crate::explore::Explored;
use crate::natural::LoopContext;
use crate::{EntryValue, ExitTarget, NoTemplate, TemplateExit};
use flowgraph::{EdgeId, Loop, NodeId, RegId, Span};
use memory::{Base, FlatArray, ObjectId};
use rustc_hash::FxHashSet;
use semantics::{Decision, InputEvent, Machine, PathCondition, State};
use std::rc::Rc;
use term::{BinOp, CmpOp, SymbolId, Term, TermId, TermPool};

/// A loop's body: its entry and its paths.
pub(super) struct Body<'a> {
    pub machine: &'a Machine<'a>,
    pub entry: &'a Entry,
    pub live: &'a dyn Fn(NodeId) -> Vec<RegId>,
    pub natural: Rc<Loop>,
    pub paths: Vec<LoopPath>,
    /// The contents that all paths read at multiples of the width of their cells.
    pub aligned: Vec<SymbolId>,
    /// The first line of the loop.
    pub span: Span,
}

/// A path through the body: one iteration, or an unfinished one that leaves the loop.
pub(super) struct LoopPath {
    /// The state at its end.
    pub state: State,
    /// When it is taken and what it does, over entry symbols and the inputs.
    pub effect: TemplateExit,
    /// Whether it comes back to the header.
    pub stays: bool,
    /// Its inputs.
    pub inputs: Vec<SymbolId>,
    /// The first edge at which it differs from other paths.
    pub turned_at: EdgeId,
}

/// A path that a state at the header may take.
pub(super) struct Taken<'a> {
    from: &'a State,
    effect: &'a TemplateExit,
    composition: Composition,
    /// When it is taken: over what the state is over.
    pub condition: TermId,
}

impl Taken<'_> {
    /// The state at the path's end.
    pub fn leave(mut self, pool: &mut TermPool) -> State {
        behind(
            pool,
            &mut self.composition,
            self.from,
            self.effect,
            self.condition,
        )
    }
}

impl<'a> Body<'a> {
    /// The body with the paths that were explored, those that leave the loop first.
    ///
    /// # Errors
    /// A path that allocates, that points elsewhere than the entry when it comes back to the header, or
    /// whose last iteration leaves an inner loop after an open number of iterations.
    pub fn new(
        context: &LoopContext<'a>,
        pool: &mut TermPool,
        entry: &'a Entry,
        explored: &Explored,
    ) -> Result<Body<'a>, NoTemplate> {
        let mut body = Body {
            machine: context.machine,
            entry,
            live: context.live,
            natural: Rc::clone(context.natural),
            paths: Vec::with_capacity(explored.back.len() + explored.ways.len()),
            aligned: Vec::new(),
            span: explored.span,
        };
        for way in &explored.ways {
            if !way.inner.is_empty() {
                return Err(NoTemplate::InnerLoop {
                    why: "the number of its iterations is not determined".to_owned(),
                    span: explored.span,
                });
            }
            let path = body.path(pool, &way.state, way.edge, &way.target, false)?;
            body.paths.push(path);
        }
        let shape = entry.shape(context.machine.program.pointer_bits, []);
        let back = explored.back.iter();
        for state in &back
            .flat_map(|state| split(pool, state))
            .collect::<Vec<_>>()
        {
            // Paths are over the entry: one that ends elsewhere cannot be followed by another.
            if !shape.matches(pool, state) {
                return Err(body.irregular("what pointers point into"));
            }
            let target = ExitTarget::Location(entry.state.location);
            let path = body.path(pool, state, context.natural.back_edges[0], &target, true)?;
            body.paths.push(path);
        }
        body.aligned = body.read_aligned(pool);
        Ok(body)
    }

    /// The contents of which every path reads only what is at multiples of the width of their cells,
    /// and which it writes as arrays of such cells.
    fn read_aligned(&self, pool: &mut TermPool) -> Vec<SymbolId> {
        let mut aligned = Vec::new();
        for (symbol, meaning) in self.entry.symbols() {
            let EntryValue::Content(object, bytes) = meaning else {
                continue;
            };
            let is_aligned = self.paths.iter().all(|path| {
                let arrays = &path.effect.arrays;
                let mut own = arrays.iter().filter(|(written, _)| *written == object);
                own.all(|(_, flat)| flat.cell_bytes == bytes)
                    && terms_of(&path.effect).all(|term| {
                        let mut reads = reads_of(pool, symbol, term).into_iter();
                        reads.all(|index| pool.is_multiple_of(index, u64::from(bytes)))
                    })
            });
            if is_aligned {
                aligned.push(symbol);
            }
        }
        aligned
    }

    /// Whether a remainder, of which the solver knows little, decides which path is taken. Sums over what
    /// has a period are closed without knowing the order of the paths.
    pub fn takes_remainders(&self, pool: &TermPool) -> bool {
        let mut open: Vec<TermId> = self
            .paths
            .iter()
            .map(|path| path.effect.condition)
            .collect();
        let mut seen = FxHashSet::default();
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            if let Term::Binary(BinOp::URem | BinOp::SRem, ..) = pool.view(term) {
                return true;
            }
            pool.for_each_operand(term, |operand| open.push(operand));
        }
        false
    }

    /// Why there is no template: in what the paths differ.
    pub fn irregular(&self, what: &'static str) -> NoTemplate {
        NoTemplate::PathsDiffer {
            what,
            span: self.span,
        }
    }

    fn path(
        &self,
        pool: &mut TermPool,
        state: &State,
        edge: EdgeId,
        target: &ExitTarget,
        stays: bool,
    ) -> Result<LoopPath, NoTemplate> {
        let mut inputs = Vec::new();
        for event in state.inputs.iter() {
            match event {
                InputEvent::Value { term, .. } => inputs.extend(pool.as_symbol(*term)),
                // Paths through a body are not merged; inputs of two paths have no place in a summary.
                InputEvent::Memory { .. }
                | InputEvent::Iterations { .. }
                | InputEvent::Either(_) => {
                    return Err(NoTemplate::Allocates(self.span));
                }
            }
        }
        let first = state.decisions.iter().last();
        Ok(LoopPath {
            effect: self.exit(pool, state, edge, target.clone())?,
            state: state.clone(),
            stays,
            inputs,
            turned_at: first
                .and_then(Decision::taken)
                .map_or(edge, |(_, edge)| edge),
        })
    }

    /// A state behind the entry as an exit: what it is reached by, and what it holds.
    ///
    /// # Errors
    /// If objects were made or removed on the way.
    pub fn exit(
        &self,
        pool: &mut TermPool,
        state: &State,
        edge: EdgeId,
        target: ExitTarget,
    ) -> Result<TemplateExit, NoTemplate> {
        let before = &self.entry.state;
        let mut exit = TemplateExit {
            edge,
            condition: pool.conj(state.path_cond.to_vec()),
            iterations: None,
            registers: Vec::new(),
            cells: Vec::new(),
            arrays: Vec::new(),
            last_inputs: Vec::new(),
            inner: Vec::new(),
            target,
        };
        for object in written(&before.memory, &state.memory) {
            let objects = before.memory.object(object);
            let objects = objects.zip(state.memory.object(object));
            if objects.is_none_or(|(old, new)| old.alive != new.alive) {
                return Err(NoTemplate::Allocates(self.span));
            }
        }
        let ExitTarget::Location(location) = exit.target else {
            return Ok(exit);
        };
        let kept = (self.live)(before.location.node);
        for reg in (self.live)(location.node) {
            let value = state.frame.get(reg);
            if !kept.contains(&reg) || value != before.frame.get(reg) {
                exit.registers.push((reg, value));
            }
        }
        for object in self.objects_of(state) {
            let content = state.memory.object(object).map(|object| &object.content);
            let base = content.map(|content| content.base().clone());
            if let Some(Base::Array(FlatArray { cell_bytes, .. })) = base {
                let mut memory = state.memory.clone();
                let flat = memory.object_mut(object).flatten(pool, cell_bytes);
                exit.arrays.push((object, flat));
                continue;
            }
            for (offset, bytes) in cells_of(pool, &state.memory, object) {
                let mut memory = state.memory.clone();
                let at = self.machine.pointer_sized(pool, offset);
                let value = memory.read(pool, object, at, bytes);
                exit.cells.push((object, offset, value));
            }
        }
        Ok(exit)
    }

    /// The objects in which a state differs from the entry.
    pub fn objects_of(&self, state: &State) -> Vec<ObjectId> {
        written(&self.entry.state.memory, &state.memory)
    }

    pub fn get(&self, path: PathId) -> &LoopPath {
        &self.paths[path.0]
    }

    pub fn ids(&self) -> impl Iterator<Item = PathId> + use<> {
        (0..self.paths.len()).map(PathId)
    }

    /// One iteration of a path from a state at the header; its inputs are new ones. The state has the entry's
    /// shape, as all have that come back to the header.
    pub fn take<'s>(&'s self, pool: &mut TermPool, state: &'s State, path: PathId) -> Taken<'s> {
        let path = self.get(path);
        let mut composition = Composition::new(pool, &self.entry.symbols(), &self.aligned, state);
        for input in &path.inputs {
            let name = pool.symbol_name(*input).to_owned();
            let sort = pool.symbol_sort(*input);
            composition.bind(*input, pool.fresh(&name, sort));
        }
        let condition = pool.substitute(path.effect.condition, &mut composition);
        Taken {
            from: state,
            effect: &path.effect,
            composition,
            condition,
        }
    }

    /// A term over the entry as it is in a state at the header.
    pub fn in_state(&self, pool: &mut TermPool, state: &State, term: TermId) -> TermId {
        let mut composition = Composition::new(pool, &self.entry.symbols(), &self.aligned, state);
        pool.substitute(term, &mut composition)
    }

    /// The state at the entry on which a path was taken.
    pub fn after_one(&self, path: PathId) -> &State {
        &self.get(path).state
    }
}

/// A path as two, where it is taken on both sides of an interval: a counter comes by each at another
/// time.
fn split(pool: &mut TermPool, path: &State) -> Vec<State> {
    let conjuncts = path.path_cond.to_vec();
    let sides = (0..).zip(&conjuncts);
    let mut sides = sides.filter_map(|(position, part)| Some((position, outside(pool, *part)?)));
    let Some((position, sides)) = sides.next() else {
        return vec![path.clone()];
    };
    let sides = sides.into_iter().map(|side| {
        let mut path = path.clone();
        let mut conjuncts = conjuncts.clone();
        conjuncts[position] = side;
        path.path_cond = PathCondition::default();
        for conjunct in conjuncts {
            path.path_cond.assume(pool, conjunct);
        }
        path
    });
    sides.collect()
}

/// The two sides of an interval between constants outside of which a value is.
fn outside(pool: &mut TermPool, condition: TermId) -> Option<[TermId; 2]> {
    let [one, other] = pool.disjuncts(condition).try_into().ok()?;
    for [below, above] in [[one, other], [other, one]] {
        let (Term::Compare(op, low, end), Term::Compare(same, last, high)) =
            (pool.view(below), pool.view(above))
        else {
            return None;
        };
        let is_strict = matches!(op, CmpOp::Ult | CmpOp::Slt) && op == same;
        if !is_strict || low != high || !pool.is_const(end) || !pool.is_const(last) {
            continue;
        }
        // They have nothing in common.
        if pool.compare(op, last, end) != TermId::TRUE {
            return Some([below, above]);
        }
    }
    None
}

/// The terms of an exit.
fn terms_of(exit: &TemplateExit) -> impl Iterator<Item = TermId> {
    let registers = exit.registers.iter().map(|(_, value)| *value);
    let cells = exit.cells.iter().map(|(_, _, value)| *value);
    let arrays = exit.arrays.iter().map(|(_, flat)| flat.array);
    registers.chain(cells).chain(arrays).chain([exit.condition])
}
