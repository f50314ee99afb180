//! Application of a template: state ⋄ exit (lines 10 to 16 of Algorithm 2).

use super::compose::Composition;
use super::{
    ExitTarget, IterationInput, KAPPA, RecursionTemplate, Returns, Template, TemplateExit,
};
use flowgraph::EdgeId;
use memory::{Base, FlatArray};
use semantics::{Decision, FoldedCalls, FoldedFrames, InputEvent, State, callers_of};
use std::rc::Rc;
use term::{Sort, SymbolId, TermId, TermPool};

/// A template applied to a state of its shape, with a path counter of its own.
pub struct Application<'a> {
    template: &'a Template,
    state: &'a State,
    /// The path counter: fresh, or the number of iterations.
    pub kappa: TermId,
    composition: Composition,
    /// The frames that the iterations leave on the stack, if they do.
    folded: Option<FoldedCalls>,
}

impl<'a> Application<'a> {
    /// Prepares the composition with `state`, which must have the template's shape.
    #[must_use]
    pub fn new(pool: &mut TermPool, template: &'a Template, state: &'a State) -> Application<'a> {
        let sort = pool.symbol_sort(template.kappa);
        let kappa = pool.fresh(KAPPA, sort);
        let mut composition = Composition::new(pool, &template.symbols, &template.aligned, state);
        composition.bind(template.kappa, kappa);
        for counter in &template.inner_counters {
            let name = pool.symbol_name(*counter).to_owned();
            let sort = pool.symbol_sort(*counter);
            composition.bind(*counter, pool.fresh(&name, sort));
        }
        let last_inputs = template.exits.iter().flat_map(|exit| &exit.last_inputs);
        for IterationInput { array, .. } in template.inputs.iter().chain(last_inputs) {
            if !composition.is_bound(*array) {
                let name = pool.symbol_name(*array).to_owned();
                let sort = pool.symbol_sort(*array);
                debug_assert!(
                    matches!(sort, Sort::Array { .. }),
                    "inputs of iterations are arrays"
                );
                composition.bind(*array, pool.fresh(&name, sort));
            }
        }
        Application {
            template,
            state,
            kappa,
            composition,
            folded: None,
        }
    }

    /// Prepares the composition with `state`, which is at the entry of a recursive function and
    /// has the shape of the descent.
    #[must_use]
    pub fn descent(
        pool: &mut TermPool,
        recursion: &'a RecursionTemplate,
        state: &'a State,
    ) -> Application<'a> {
        let mut application = Application::new(pool, &recursion.descent, state);
        if let Returns::Frames { frames, .. } = &recursion.returns {
            let sort = pool.symbol_sort(recursion.descent.kappa);
            let number = pool.symbol("τ", sort);
            let mut inside = application.composition.clone();
            inside.bind(recursion.descent.kappa, pool.symbol_term(number));
            let waits_at = frames.waits_at.iter();
            let waits_at = waits_at.map(|waits| pool.substitute(*waits, &mut inside));
            let waits_at = waits_at.collect();
            let locals = frames.locals.iter();
            let locals = locals.map(|(reg, value)| (*reg, pool.substitute(*value, &mut inside)));
            let frames = FoldedFrames {
                function: frames.function,
                sites: frames.sites.clone(),
                waits_at,
                number,
                locals: locals.collect(),
            };
            application.folded = Some(FoldedCalls {
                count: application.kappa,
                frames: Rc::new(frames),
            });
        }
        application
    }

    /// Gives another symbol of the template its value.
    pub(super) fn bind(&mut self, symbol: SymbolId, value: TermId) {
        self.composition.bind(symbol, value);
    }

    /// The same application for a number of iterations, a term as wide as the template's κ.
    pub(super) fn with_iterations(&self, iterations: TermId) -> Application<'a> {
        let mut composition = self.composition.clone();
        composition.bind(self.template.kappa, iterations);
        Application {
            template: self.template,
            state: self.state,
            kappa: iterations,
            composition,
            folded: self.folded.clone(),
        }
    }

    /// The counters of the inner loops that an exit leaves in the last iteration.
    pub(super) fn inner(&self, pool: &TermPool, exit: &TemplateExit) -> Vec<(EdgeId, SymbolId)> {
        let fresh = |counter: &SymbolId| pool.as_symbol(self.composition.value(*counter));
        let inner = exit.inner.iter();
        inner
            .filter_map(|(edge, counter)| Some((*edge, fresh(counter)?)))
            .collect()
    }

    /// u.θ⟨term⟩.
    pub(super) fn compose(&self, pool: &mut TermPool, term: TermId) -> TermId {
        pool.substitute(term, &mut self.composition.clone())
    }

    /// The number of iterations before an exit, where that follows from the counters of phases.
    pub(super) fn iterations(&self, pool: &mut TermPool, exit: &TemplateExit) -> Option<TermId> {
        Some(self.compose(pool, exit.iterations?))
    }

    /// u.θ⟨φ_x\[κ\]⟩: the condition under which the state leaves through an exit.
    pub fn condition(&mut self, pool: &mut TermPool, exit: &TemplateExit) -> TermId {
        let condition = pool.substitute(exit.condition, &mut self.composition);
        match self.iterations(pool, exit) {
            Some(iterations) => {
                let counted = pool.eq(self.kappa, iterations);
                pool.and(condition, counted)
            }
            None => condition,
        }
    }

    /// The composed state s ⋄ (x, θ_x\[κ\], φ_x\[κ\]); `condition` is that of the exit.
    pub fn leave(&mut self, pool: &mut TermPool, exit: &TemplateExit, condition: TermId) -> State {
        self.leave_by(pool, exit, condition, exit.edge)
    }

    /// The same by another edge than that of the exit.
    pub(super) fn leave_by(
        &mut self,
        pool: &mut TermPool,
        exit: &TemplateExit,
        condition: TermId,
        edge: EdgeId,
    ) -> State {
        let mut next = behind(pool, &mut self.composition, self.state, exit, condition);
        self.note_inputs(pool, &mut next, exit);
        let function = self.template.entry.function;
        for (edge, counter) in &exit.inner {
            next.decisions.push_front_mut(Decision::Edge {
                function,
                edge: *edge,
                callers: callers_of(self.state),
                kappa: Some(self.composition.value(*counter)),
            });
        }
        next.decisions.push_front_mut(Decision::Edge {
            function,
            edge,
            callers: callers_of(self.state),
            kappa: Some(self.kappa),
        });
        next.frame.folded.clone_from(&self.folded);
        next
    }

    fn note_inputs(&self, pool: &mut TermPool, next: &mut State, exit: &TemplateExit) {
        let fresh = |input: &IterationInput| (self.composition.value(input.array), input.site);
        if !self.template.inputs.is_empty() {
            let arrays = self.template.inputs.iter().map(fresh).collect();
            next.inputs.push_front_mut(InputEvent::Iterations {
                kappa: self.kappa,
                arrays,
            });
        }
        for input in &exit.last_inputs {
            let (array, site) = fresh(input);
            let term = pool.select(array, self.kappa);
            next.inputs.push_front_mut(InputEvent::Value { term, site });
        }
    }
}

/// The state behind an exit, but for inputs and decisions; `condition` is that of the exit.
pub(super) fn behind(
    pool: &mut TermPool,
    composition: &mut Composition,
    state: &State,
    exit: &TemplateExit,
    condition: TermId,
) -> State {
    let mut next = state.clone();
    next.path_cond.assume(pool, condition);
    next.memory = composition.memory().clone();
    if let ExitTarget::Location(location) = exit.target {
        next.location = location;
    }
    for (reg, value) in &exit.registers {
        let value = pool.substitute(*value, composition);
        next.frame.set(*reg, value);
    }
    for (object, offset, value) in &exit.cells {
        let value = pool.substitute(*value, composition);
        let address = pool.symbol_term(*object);
        let offset = pool.bv(pool.width(address), *offset);
        next.memory.write(pool, *object, offset, value);
    }
    for (object, flat) in &exit.arrays {
        let array = pool.substitute(flat.array, composition);
        let flat = FlatArray { array, ..*flat };
        next.memory.object_mut(*object).reset(Base::Array(flat));
    }
    next
}
