//! Computation of both parts of a template for recursive calls.

use super::ascent::{self, Ascent};
use super::meta::{Unrolled, ascending, cores_through, descending};
use super::{Phase, RecursionRegion, RecursionTemplate, Returns};
use crate::compute::{Counting, ExecutedOnce, iteration_of_cycle, written};
use crate::entry::{Assumed, Entry};
use crate::iteration::{Iteration, IterationExit};
use crate::natural::LoopContext;
use crate::offsets::{Offsets, for_offsets};
use crate::table::{FunctionLoops, live_at};
use crate::{AutomatonPolicy, EntryValue, ExitTarget, Folding, NoTemplate, Region, Template};
use flowgraph::{Cycle, EdgeId, Function, FunctionId, Liveness, NodeId, RegId, Span};
use semantics::{
    CallSite, FoldedFrames, Frame, Location, Machine, MemoryFault, Oracle, PathEnd, State,
};
use std::rc::Rc;
use std::sync::Arc;
use term::{Sort, TermId, TermPool};

/// Which iterations: those along one path, or along all.
#[derive(Clone)]
pub(super) enum Iterations {
    /// A core of the function with calls as edges to its entry.
    Core(Rc<[EdgeId]>),
    Merged,
}

/// The ascents of a function, by the calls that they come back from: thousands of cores may end with
/// the same call.
#[derive(Default)]
pub(super) struct Ascents(Vec<(Vec<CallSite>, Rc<Unrolled>)>);

impl Ascents {
    /// That of these calls, built if it is new.
    fn of(&mut self, sites: &[CallSite], build: impl FnOnce() -> Unrolled) -> Rc<Unrolled> {
        if let Some((_, up)) = self.0.iter().find(|(of, _)| of == sites) {
            return Rc::clone(up);
        }
        let up = Rc::new(build());
        self.0.push((sites.to_vec(), Rc::clone(&up)));
        up
    }
}

/// What is folded in a function: its calls, and the function with meta-edges for either phase.
pub(super) struct Phases {
    pub function: FunctionId,
    pub sites: Vec<CallSite>,
    pub iterations: Iterations,
    pub down: Rc<Unrolled>,
    pub up: Rc<Unrolled>,
}

impl Phases {
    /// Phases of a descent along one core, which ends with one of the calls.
    pub fn along(
        machine: &Machine,
        function: FunctionId,
        liveness: &Liveness,
        down: &Rc<Unrolled>,
        sites: &[CallSite],
        iterations: Iterations,
        ups: &mut Ascents,
    ) -> Phases {
        let sites: Vec<CallSite> = match &iterations {
            Iterations::Merged => sites.to_vec(),
            Iterations::Core(core) => {
                let call = core.last();
                let sites = sites.iter().filter(|site| Some(&site.edge) == call);
                sites.copied().collect()
            }
        };
        let up = ups.of(&sites, || {
            ascending(machine.program, function, liveness, &sites)
        });
        Phases {
            function,
            sites,
            iterations,
            down: Rc::clone(down),
            up,
        }
    }

    pub fn region(&self, phase: Phase) -> Region {
        let unrolled = match phase {
            Phase::Descent => &self.down,
            Phase::Ascent => &self.up,
        };
        let function = unrolled.program.function(self.function);
        let (folding, locations) = match (&self.iterations, phase) {
            (Iterations::Core(core), Phase::Descent) => {
                let region = Region::Core(Rc::clone(core));
                (Folding::Cycles, region.locations(function))
            }
            (Iterations::Core(_), Phase::Ascent) => {
                let core = self.core_of_returns().unwrap_or_default();
                let region = Region::Core(core.into());
                (Folding::Cycles, region.locations(function))
            }
            (Iterations::Merged, _) => {
                let nest = function.loops();
                let natural = nest.by_header(unrolled.header);
                let natural = natural.map(|id| nest.loops[id.index()].clone());
                let region = natural.map(|natural| Region::Loop(Rc::new(natural)));
                let locations = region.map(|region| region.locations(function));
                (Folding::Loops, locations.unwrap_or_default())
            }
        };
        Region::Recursion(Rc::new(RecursionRegion {
            phase,
            calls: self.sites.iter().map(|site| site.edge).collect(),
            locations,
            folding,
        }))
    }

    /// The only path from behind the call to the return, if there is only one.
    fn core_of_returns(&self) -> Option<Vec<EdgeId>> {
        let function = self.up.program.function(self.function);
        match cores_through(function, self.up.header, 2).as_slice() {
            [core] => Some(core.clone()),
            _ => None,
        }
    }

    /// One iteration of a phase, for states of the shape of `model` of which this much is assumed.
    pub fn iteration(
        &self,
        machine: &Machine,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        model: &State,
        phase: Phase,
        assumed: Assumed,
    ) -> Result<(Entry, Iteration, Vec<IterationExit>), NoTemplate> {
        let unrolled = match phase {
            Phase::Descent => &self.down,
            Phase::Ascent => &self.up,
        };
        let function = unrolled.program.function(self.function);
        let live = |node| live_at(&unrolled.liveness, node);
        let span = self.span(machine);
        let core = match (&self.iterations, phase) {
            (Iterations::Merged, _) => None,
            (Iterations::Core(core), Phase::Descent) => Some(core.to_vec()),
            (Iterations::Core(_), Phase::Ascent) => Some(self.core_of_returns().ok_or({
                let why = "the path from the recursive call to the return branches";
                NoTemplate::Recursion { why, span }
            })?),
        };
        if let Some(core) = core {
            let cycle = Cycle::of_core(function, core);
            return iteration_of_cycle(machine, pool, oracle, model, &cycle, &live, assumed);
        }
        let nest = function.loops();
        let Some(id) = nest.by_header(unrolled.header) else {
            let why = "no path leads from the recursive call to the return";
            return Err(NoTemplate::Recursion { why, span });
        };
        let natural = Rc::new(nest.loops[id.index()].clone());
        let liveness = Arc::clone(&unrolled.liveness);
        let automata = AutomatonPolicy::default();
        let mut inner = FunctionLoops::new(liveness, Arc::clone(nest), automata);
        let mut inner = |pool: &mut TermPool, oracle: &mut dyn Oracle, state: &State, id| {
            inner.template(machine, pool, oracle, state, id)
        };
        let context = LoopContext {
            machine,
            model,
            natural: &natural,
            nest,
            live: &live,
        };
        context.merged_iteration(pool, oracle, &mut inner, assumed)
    }

    /// The call behind which an exit leads.
    pub fn call_before(&self, target: &ExitTarget) -> EdgeId {
        let behind = |site: &&CallSite| matches!(target, ExitTarget::Location(location) if location.node == site.return_to);
        let site = self.sites.iter().find(behind).or(self.sites.first());
        site.expect("a recursion has a call").edge
    }

    fn span(&self, machine: &Machine) -> Span {
        let site = self.sites.first();
        let span = site.map(|site| machine.edge_span(self.function, site.edge));
        span.unwrap_or_default()
    }

    /// Both parts, for states of the shape of `model` at the entry of the function.
    ///
    /// # Errors
    /// Why there is none.
    pub fn template(
        &self,
        machine: &Machine,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        model: &State,
        offsets: Offsets,
    ) -> Result<RecursionTemplate, NoTemplate> {
        let down = machine.over(pool, &self.down.program, self.function);
        let function = machine.program.function(self.function);
        let mut model = model.clone();
        model.frame = widened(pool, &model.frame, function, &self.down, self.function);
        let live = live_at(&self.down.liveness, self.down.header);
        for_offsets(&down, pool, &model, &live, offsets, &mut |pool, assumed| {
            self.template_assuming(machine, pool, oracle, &model, assumed)
        })
    }

    /// The same for states of which this much is assumed.
    fn template_assuming(
        &self,
        machine: &Machine,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        model: &State,
        assumed: Assumed,
    ) -> Result<RecursionTemplate, NoTemplate> {
        let down = machine.over(pool, &self.down.program, self.function);
        let (entry, iteration, mut ways) =
            self.iteration(&down, pool, oracle, model, Phase::Descent, assumed)?;
        let live = |node: NodeId| live_at(&self.down.liveness, node);
        let is_tail = self.is_tail(machine, pool, oracle, model)?;
        let n_ways = ways.len();
        let span = self.span(machine);
        ways.push(IterationExit {
            edge: self.sites[0].edge,
            state: iteration.end.clone(),
            target: ExitTarget::End(PathEnd::Fault(MemoryFault::StackOverflow, span)),
            inner: Vec::new(),
        });
        let counting = if is_tail {
            Counting::States
        } else {
            // What the frames keep, as if the descent could be left for a place that reads it.
            let outside = Location {
                function: self.function,
                node: self.down.outside,
            };
            ways.push(IterationExit {
                edge: self.sites[0].edge,
                state: iteration.end.clone(),
                target: ExitTarget::Location(outside),
                inner: Vec::new(),
            });
            Counting::Frames
        };
        let executed = ExecutedOnce {
            machine: &down,
            entry: &entry,
            iteration: &iteration,
            ways: &ways,
            live: &live,
            region: self.region(Phase::Descent),
            counting,
        };
        let mut descent = executed.template(pool, oracle)?;
        let deeper = descent.exits.remove(n_ways);
        if is_tail {
            self.forget_kept(pool, &mut descent, &[], &[])?;
            return Ok(RecursionTemplate {
                descent,
                deeper,
                returns: Returns::Tail,
            });
        }
        let frames = self.frames(pool, &mut descent)?;
        let result = self.up.result.map(|reg| {
            let data = self.up.program.function(self.function).reg(reg);
            pool.fresh(&data.name, Sort::Bv(data.bits))
        });
        let above = ascent::state_above(machine, pool, self, model, &frames, result);
        let ascent = Ascent::compute(machine, pool, oracle, self, &above, &frames, descent.kappa)?;
        Ok(RecursionTemplate {
            descent,
            deeper,
            returns: Returns::Frames {
                frames,
                ascent: Box::new(ascent),
            },
        })
    }

    /// Takes what frames keep out of the descent, where it is one of the exits.
    fn frames(
        &self,
        pool: &mut TermPool,
        descent: &mut Template,
    ) -> Result<FoldedFrames, NoTemplate> {
        let outside = |target: &ExitTarget| matches!(target, ExitTarget::Location(location) if location.node == self.down.outside);
        let position = descent.exits.iter().position(|exit| outside(&exit.target));
        let exit = position.map(|position| descent.exits.remove(position));
        let registers = exit.map(|exit| exit.registers).unwrap_or_default();
        let value_of = |reg: &RegId| {
            let mut values = registers.iter();
            let found = values.find(|(kept, _)| kept == reg);
            found.map(|(_, value)| *value)
        };
        let down = &self.down;
        let mut locals = Vec::with_capacity(down.locals.len());
        for (local, kept) in down.locals.iter().zip(&down.kept) {
            // A descent along one core passes one of the calls only.
            if self.up.locals.contains(local) {
                locals.push((*local, value_of(kept).ok_or_else(not_known)?));
            }
        }
        let mut waits_at = Vec::with_capacity(self.up.waits_at.len());
        for flag in down.waits_at.iter().take(self.up.waits_at.len()) {
            waits_at.push(value_of(flag).ok_or_else(not_known)?);
        }
        self.forget_kept(pool, descent, &locals, &waits_at)?;
        Ok(FoldedFrames {
            function: self.function,
            sites: self.sites.clone(),
            waits_at,
            number: descent.kappa,
            locals,
        })
    }

    /// Removes the registers that only the meta-edges know.
    ///
    /// # Errors
    /// If something mentions what they hold at the entry.
    fn forget_kept(
        &self,
        pool: &mut TermPool,
        descent: &mut Template,
        locals: &[(RegId, TermId)],
        waits_at: &[TermId],
    ) -> Result<(), NoTemplate> {
        let is_kept =
            |reg: &RegId| self.down.kept.contains(reg) || self.down.waits_at.contains(reg);
        let kept = |meaning: &EntryValue| match meaning {
            EntryValue::Register(reg) | EntryValue::Offset(reg) => is_kept(reg),
            EntryValue::Cell(..) | EntryValue::CellOffset(..) | EntryValue::Content(..) => false,
        };
        let symbols = descent.symbols.iter();
        let symbols = symbols.filter(|(_, meaning)| kept(meaning));
        let gone: Vec<_> = symbols.map(|(symbol, _)| *symbol).collect();
        let mut terms: Vec<TermId> = locals.iter().map(|(_, value)| *value).collect();
        terms.extend(waits_at);
        for exit in &mut descent.exits {
            exit.registers.retain(|(reg, _)| !is_kept(reg));
            terms.push(exit.condition);
            terms.extend(exit.registers.iter().map(|(_, value)| *value));
            terms.extend(exit.cells.iter().map(|(_, _, value)| *value));
            terms.extend(exit.arrays.iter().map(|(_, flat)| flat.array));
        }
        let mentions = terms.into_iter().any(|term| {
            let symbols = pool.symbols_of(term);
            gone.iter().any(|symbol| symbols.contains(symbol))
        });
        descent.symbols.retain(|symbol, _| !gone.contains(symbol));
        descent
            .progressions
            .retain(|progression| !gone.contains(&progression.symbol));
        descent.shape.registers.retain(|(reg, _)| !is_kept(reg));
        descent.shape.alignments.retain(|(reg, _)| !is_kept(reg));
        descent.shape.offsets.retain(|(reg, _)| !is_kept(reg));
        if mentions {
            return Err(not_known());
        }
        Ok(())
    }

    /// Whether each return hands the result on and does nothing else, whatever frames hold.
    fn is_tail(
        &self,
        machine: &Machine,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        model: &State,
    ) -> Result<bool, NoTemplate> {
        let function = self.up.program.function(self.function);
        let up = machine.over(pool, &self.up.program, self.function);
        let mut above = model.clone();
        above.frame = up.frame_instead(model, self.function);
        above.location.node = self.up.header;
        let live: Vec<RegId> = live_at(&self.up.liveness, self.up.header);
        for reg in live {
            let data = function.reg(reg);
            let value = pool.fresh(&data.name, Sort::Bv(data.bits));
            above.frame.set(reg, value);
        }
        let (entry, iteration, ways) =
            match self.iteration(&up, pool, oracle, &above, Phase::Ascent, Assumed::default()) {
                Ok(iteration) => iteration,
                // With pointers that are known it may be possible.
                Err(NoTemplate::Unsupported { .. } | NoTemplate::Splits(_)) => return Ok(false),
                Err(reason) => return Err(reason),
            };
        let hands_on = self
            .up
            .result
            .is_none_or(|result| iteration.end.frame.get(result) == entry.state.frame.get(result));
        // If every state reaches the end of the iteration there is no exit, as long as a state continues in one
        // way only; that is requested, not relied on.
        let path_cond = pool.conj(iteration.end.path_cond.to_vec());
        let is_sure = pool.is_true(path_cond);
        let reads = |meaning: &EntryValue| !matches!(meaning, EntryValue::Register(_));
        Ok(hands_on
            && is_sure
            && ways.is_empty()
            && iteration.end.inputs.is_empty()
            && written(&entry.state.memory, &iteration.end.memory).is_empty()
            && !entry.symbols().values().any(reads))
    }
}

fn not_known() -> NoTemplate {
    NoTemplate::Recursion {
        why: "the variables kept by a frame are not known",
        span: Span::UNKNOWN,
    }
}

/// A frame of a function with the registers that the meta-edges need.
fn widened(
    pool: &mut TermPool,
    frame: &Frame,
    function: &Function,
    unrolled: &Unrolled,
    id: FunctionId,
) -> Frame {
    let further = &unrolled.program.function(id).regs[function.regs.len()..];
    let zeros: Vec<TermId> = further.iter().map(|reg| pool.bv(reg.bits, 0)).collect();
    frame.extended(zeros)
}

/// The function with meta-edges for its calls, and the iterations that may be folded: all paths
/// merged, or each core.
///
/// # Errors
/// Why nothing is folded.
pub(super) fn down_of(
    machine: &Machine,
    function: FunctionId,
    liveness: &Liveness,
    sites: &[CallSite],
    n_most: usize,
) -> Result<(Rc<Unrolled>, Vec<Iterations>), NoTemplate> {
    let down = descending(machine.program, function, liveness, sites)?;
    let graph = down.program.function(function);
    let cores = cores_through(graph, down.header, n_most);
    let cores = cores.into_iter().map(|core| Iterations::Core(core.into()));
    Ok((Rc::new(down), cores.collect()))
}
