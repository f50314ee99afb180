//! The second part: returns from the folded calls.
//!
//! Iteration τ of the returns pops the frame κ − 1 − τ. If the changes commute, the returns have the same
//! total effect in the order of the calls, with frame τ in iteration τ: their closed forms are those of a
//! loop.

use super::compute::Phases;
use super::{Phase, Unrolled};
use crate::apply::Application;
use crate::compute::{Counting, ExecutedOnce, FrameValues};
use crate::entry::{Assumed, Entry};
use crate::iteration::IterationExit;
use crate::table::live_at;
use crate::{EntryValue, ExitTarget, NoTemplate, Region, Template, TemplateExit};
use flowgraph::{Action, EdgeId, Function, Span};
use indexmap::IndexMap;
use memory::Pointer;
use semantics::{FoldedCalls, FoldedFrames, Location, Machine, Oracle, PathEnd, State};
use std::rc::Rc;
use term::{Sort, SymbolId, TermId, TermPool};

/// The second part of a template.
pub struct Ascent {
    /// All exits of the frames, over entry symbols and the number of frames. The first is the
    /// way past the last frame, after all returns; the others lead out of some frame, whose number
    /// stands in the place of κ.
    pub returns: Template,
    /// How many frames there are.
    pub count: SymbolId,
    unrolled: Rc<Unrolled>,
}

/// A way in which a state leaves its folded frames.
pub struct Ascended {
    /// The condition, which the state already assumes.
    pub condition: TermId,
    pub state: State,
    /// How the path ends there, if it does.
    pub end: Option<PathEnd>,
    /// For the execution tree.
    pub region: Region,
    pub span: Span,
}

/// A state that is at a return into folded frames, as one at the header of the ascent: in a frame
/// of any number, with the result that is handed to it.
pub(super) fn state_above(
    machine: &Machine,
    pool: &mut TermPool,
    phases: &Phases,
    state: &State,
    frames: &FoldedFrames,
    result: Option<TermId>,
) -> State {
    let up: &Unrolled = &phases.up;
    let mut above = state.clone();
    machine.drop_allocas(&mut above);
    let over = machine.over(pool, &up.program, phases.function);
    above.frame = over.frame_instead(state, phases.function);
    for (reg, value) in &frames.locals {
        above.frame.set(*reg, *value);
    }
    for (flag, value) in up.waits_at.iter().zip(&frames.waits_at) {
        above.frame.set(*flag, *value);
    }
    if let Some((reg, value)) = up.result.zip(result) {
        above.frame.set(reg, value);
    }
    above.location = Location {
        function: phases.function,
        node: up.header,
    };
    above
}

impl Ascent {
    /// The function with its returns as edges: its registers are those of the ascent.
    #[must_use]
    pub fn function(&self) -> &Function {
        let id = self.returns.entry.function;
        self.unrolled.program.function(id)
    }

    /// The second part for states of the shape of `above`; `count` stands for the number of frames.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) fn compute(
        machine: &Machine,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        phases: &Phases,
        above: &State,
        frames: &FoldedFrames,
        count: SymbolId,
    ) -> Result<Ascent, NoTemplate> {
        let up = machine.over(pool, &phases.up.program, phases.function);
        let (entry, iteration, mut ways) =
            phases.iteration(&up, pool, oracle, above, Phase::Ascent, Assumed::default())?;
        if !iteration.end.inputs.is_empty() || ways.iter().any(|way| !way.state.inputs.is_empty()) {
            let why = "inputs are read on the way back from a recursive call";
            let span = iteration.span;
            return Err(NoTemplate::Recursion { why, span });
        }
        let function = machine.program.function(phases.function);
        for way in &mut ways {
            if way.edge.index() >= function.n_edges() {
                // A call behind which no way leads to a return: it is left by the call's own edge.
                way.edge = phases.call_before(&way.target);
            }
        }
        let function = phases.up.program.function(phases.function);
        let outside = Location {
            function: phases.function,
            node: phases.up.outside,
        };
        let past = IterationExit {
            edge: function.in_edges(phases.up.header)[0],
            state: entry.state.clone(),
            target: ExitTarget::Location(outside),
            inner: Vec::new(),
        };
        ways.insert(0, past);
        let held = held_by_frames(phases, &entry, frames);
        let bits = pool.width(pool.symbol_term(count));
        let in_frame = |pool: &mut TermPool, number: TermId| -> Vec<(SymbolId, TermId)> {
            let values = held.iter().map(|(symbol, is_offset, value)| {
                let value = frames.at(pool, *value, number);
                if *is_offset {
                    let pointer = Pointer::resolve(pool, &above.memory, value);
                    let pointer = pointer.expect("what frame τ holds is a pointer for every τ");
                    return (*symbol, pointer.offset);
                }
                (*symbol, value)
            });
            values.collect()
        };
        let live = |node| live_at(&phases.up.liveness, node);
        let close = |pool: &mut TermPool, oracle: &mut dyn Oracle, values: &FrameValues| {
            let executed = ExecutedOnce {
                machine: &up,
                entry: &entry,
                iteration: &iteration,
                ways: &ways,
                live: &live,
                region: phases.region(Phase::Ascent),
                counting: Counting::Returns(bits, values),
            };
            executed.template_and_order(pool, oracle)
        };
        let downwards = |pool: &mut TermPool, kappa: TermId| {
            let number = from_above(pool, count, kappa);
            in_frame(pool, number)
        };
        let (mut returns, commutes) = close(pool, oracle, &downwards)?;
        let n_frames = pool.symbol_term(count);
        if commutes {
            let (mut upwards, _) = close(pool, oracle, &in_frame)?;
            let mut after_all = IndexMap::from([(upwards.kappa, n_frames)]);
            rewrite(pool, &mut upwards.exits[0], &mut after_all);
            returns.exits[0] = upwards.exits.swap_remove(0);
            returns.progressions = upwards.progressions;
            returns.symbols = upwards.symbols;
        }
        let mut after_all = IndexMap::from([(returns.kappa, n_frames)]);
        rewrite(pool, &mut returns.exits[0], &mut after_all);
        let number = pool.symbol("ν", Sort::Bv(bits));
        let number_term = pool.symbol_term(number);
        let exists = pool.ult(number_term, n_frames);
        let before = from_above(pool, count, number_term);
        let mut so_far = IndexMap::from([(returns.kappa, before)]);
        for exit in &mut returns.exits[1..] {
            rewrite(pool, exit, &mut so_far);
            exit.condition = pool.and(exists, exit.condition);
        }
        returns.kappa = number;
        Ok(Ascent {
            returns,
            count,
            unrolled: Rc::clone(&phases.up),
        })
    }

    /// The ways in which a state at the header of the ascent leaves its folded frames; the state's
    /// own frame is that of the call that returns.
    pub(super) fn leave(
        &self,
        machine: &Machine,
        pool: &mut TermPool,
        phases: &Phases,
        above: &State,
        folded: &FoldedCalls,
        returned_by: EdgeId,
    ) -> Vec<Ascended> {
        let (past, within) = self
            .returns
            .exits
            .split_first()
            .expect("there is a way past");
        let mut ways = Vec::with_capacity(self.returns.exits.len());
        let mut application = Application::new(pool, &self.returns, above);
        application.bind(self.count, folded.count);
        let mut application = application.with_iterations(folded.count);
        let condition = application.condition(pool, past);
        let mut next = application.leave_by(pool, past, condition, returned_by);
        let value = phases.up.result.map(|reg| next.frame.get(reg));
        // The frame's own objects died before.
        next.frame = machine.frame_instead(above, phases.function);
        let (state, end) = match machine.leave_frame(next.clone(), value) {
            Some(state) => (state, None),
            None => (next, Some(PathEnd::Returned)),
        };
        ways.push(Ascended {
            condition,
            state,
            end,
            region: self.returns.region.clone(),
            span: machine.edge_span(phases.function, returned_by),
        });
        for exit in within {
            ways.push(self.leave_within(machine, pool, phases, above, folded, exit));
        }
        ways
    }

    /// An exit of some folded frame.
    fn leave_within(
        &self,
        machine: &Machine,
        pool: &mut TermPool,
        phases: &Phases,
        above: &State,
        folded: &FoldedCalls,
        exit: &TemplateExit,
    ) -> Ascended {
        let mut application = Application::new(pool, &self.returns, above);
        application.bind(self.count, folded.count);
        let number = application.kappa;
        let condition = application.condition(pool, exit);
        let mut state = application.leave(pool, exit, condition);
        let end = match &exit.target {
            ExitTarget::End(end) => Some(end.clone()),
            ExitTarget::Location(_) => None,
        };
        let left = state.frame.clone();
        state.frame = machine.frame_instead(above, phases.function);
        let function = machine.program.function(phases.function);
        for reg in function.reg_ids() {
            state.frame.set(reg, left.get(reg));
        }
        if end.is_some() {
            // Nothing but the meta-edges knows the header.
            state.location.node = function.source(exit.edge);
        }
        state.frame.folded = Some(FoldedCalls {
            count: number,
            frames: Rc::clone(&folded.frames),
        });
        Ascended {
            condition,
            state,
            end,
            region: self.returns.region.clone(),
            span: machine.edge_span(phases.function, exit.edge),
        }
    }
}

/// Replaces symbols in all that an exit says.
fn rewrite(pool: &mut TermPool, exit: &mut TemplateExit, theta: &mut IndexMap<SymbolId, TermId>) {
    exit.condition = pool.substitute(exit.condition, theta);
    for (_, value) in &mut exit.registers {
        *value = pool.substitute(*value, theta);
    }
    for (_, _, value) in &mut exit.cells {
        *value = pool.substitute(*value, theta);
    }
    for (_, flat) in &mut exit.arrays {
        flat.array = pool.substitute(flat.array, theta);
    }
}

/// The entry symbols whose values frames hold, whether it is the offset of a pointer, and what
/// frame τ holds.
fn held_by_frames(
    phases: &Phases,
    entry: &Entry,
    frames: &FoldedFrames,
) -> Vec<(SymbolId, bool, TermId)> {
    let flags = phases.up.waits_at.iter().copied();
    let flags = flags.zip(frames.waits_at.iter().copied());
    let held: Vec<_> = frames.locals.iter().copied().chain(flags).collect();
    let symbols = entry.symbols();
    let found = symbols.iter().filter_map(|(symbol, meaning)| {
        let (reg, is_offset) = match meaning {
            EntryValue::Register(reg) => (reg, false),
            EntryValue::Offset(reg) => (reg, true),
            EntryValue::Cell(..) | EntryValue::CellOffset(..) | EntryValue::Content(..) => {
                return None;
            }
        };
        let (_, value) = held.iter().find(|(held, _)| held == reg)?;
        Some((*symbol, is_offset, *value))
    });
    found.collect()
}

/// count − 1 − κ.
fn from_above(pool: &mut TermPool, count: SymbolId, kappa: TermId) -> TermId {
    let count = pool.symbol_term(count);
    let one = pool.bv(pool.width(count), 1);
    let highest = pool.sub(count, one);
    pool.sub(highest, kappa)
}

/// The value that a state is about to return, and the edge, where a return is the next step.
pub(super) fn about_to_return(
    machine: &Machine,
    pool: &mut TermPool,
    state: &State,
) -> Option<(EdgeId, Option<TermId>)> {
    let function = machine.program.function(state.location.function);
    let [edge] = function.out_edges(state.location.node) else {
        return None;
    };
    match function.edge(*edge).steps.first().map(|step| &step.action) {
        Some(Action::Return(value)) => {
            let value = value.as_ref();
            let value = value.map(|value| machine.evaluate(pool, state, value));
            Some((*edge, value))
        }
        _ => None,
    }
}
