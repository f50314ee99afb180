//! Application of a summary at the end of a trail.

use super::Summary;
use crate::build::Build;
use crate::chains::CountedTogether;
use crate::walk::{AppliedSummary, Trail};
use memory::{Base, FlatArray};
use semantics::{Decision, InputEvent, callers_of};
use std::rc::Rc;
use template::Composition;
use term::{SymbolId, TermPool};

impl Build<'_, '_> {
    /// Lines 20 and 22 of Algorithm 1: the summary after the trail.
    pub(crate) fn apply(&mut self, pool: &mut TermPool, summary: &Rc<Summary>, trail: &mut Trail) {
        let state = &mut trail.state;
        let mut theta = Composition::new(pool, &summary.symbols, &summary.aligned, state);
        let fresh = |pool: &mut TermPool, symbol: SymbolId| {
            let name = pool.given_name(symbol).to_owned();
            pool.fresh(&name, pool.symbol_sort(symbol))
        };
        for star in &summary.stars {
            let another = self.unknowns.another(pool, *star);
            theta.bind(*star, pool.symbol_term(another));
        }
        for unknown in &summary.unknowns {
            let value = fresh(pool, *unknown);
            theta.bind(*unknown, value);
        }
        let earlier = summary.earlier.iter();
        let earlier = earlier
            .map(|(array, is)| (theta.value(*array), *is))
            .collect();
        let mut counters = Vec::with_capacity(summary.backbones.len());
        for backbone in &summary.backbones {
            let counter = fresh(pool, backbone.counter);
            theta.bind(backbone.counter, counter);
            counters.push(counter);
        }
        if summary.backbones.len() > 1 {
            let total = fresh(pool, summary.total);
            theta.bind(summary.total, total);
        }
        let total = theta.value(summary.total);
        let mut inner = Vec::with_capacity(summary.backbones.len());
        for backbone in &summary.backbones {
            let mut all = Vec::with_capacity(backbone.inner.len());
            for counter in &backbone.inner {
                let value = fresh(pool, counter.all);
                theta.bind(counter.all, value);
                all.push(value);
            }
            inner.push(all);
        }
        let together = CountedTogether::in_loop(pool, summary, &counters, &mut theta);
        let condition = pool.substitute(summary.condition, &mut theta);
        state.path_cond.assume(pool, condition);
        let mut memory = theta.memory().clone();
        for (reg, value) in &summary.registers {
            let value = pool.substitute(*value, &mut theta);
            state.frame.set(*reg, value);
        }
        for (object, offset, value) in &summary.cells {
            let value = pool.substitute(*value, &mut theta);
            let at = self.machine.pointer_sized(pool, *offset);
            memory.write(pool, *object, at, value);
        }
        for (object, content) in &summary.contents {
            let array = pool.substitute(content.array, &mut theta);
            let base = Base::Array(FlatArray { array, ..*content });
            memory.object_mut(*object).reset(base);
        }
        state.memory = memory;
        let function = state.location.function;
        for (backbone, counter) in summary.backbones.iter().zip(&counters) {
            if !backbone.inputs.is_empty() {
                let arrays = backbone.inputs.iter();
                let arrays = arrays.map(|(array, site)| (theta.value(*array), *site));
                state.inputs.push_front_mut(InputEvent::Iterations {
                    kappa: *counter,
                    arrays: arrays.collect(),
                });
            }
            if let Some(edge) = backbone.edges.first() {
                let callers = callers_of(state);
                state.decisions.push_front_mut(Decision::Edge {
                    function,
                    edge: *edge,
                    callers,
                    kappa: Some(*counter),
                });
            }
        }
        trail.loops.push(AppliedSummary {
            summary: Rc::clone(summary),
            counters,
            total,
            earlier,
            inner,
            together,
        });
    }
}
