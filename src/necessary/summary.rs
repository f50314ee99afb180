//! Algorithm 2: the summary of a loop along a backbone.
//!
//! ```text
//! P(C, v) --Algorithm 1--> (πᵢ, θ′ᵢ, φ′ᵢ) --rules--> θ^κ⃗
//!                                         --for all iterations--> φ^κ⃗
//! ```
//!
//! Like templates, summaries are computed for a shape, since the effect of code depends on the targets of
//! pointers. A loop that moves a pointer to another object, allocates, frees or calls has no summary; code
//! after it is unsupported.

mod apply;
mod changes;
mod closing;
mod moment;

pub(super) use self::closing::{Closing, Iterated};

use self::changes::{Changes, made_since};
use super::build::Build;
use super::chains::{CountedTogether, InnerCounter};
use super::forms::{Effect, Form, Rules};
use super::relation::Relations;
use super::simpler::Earlier;
use super::walk::{AppliedSummary, Trail};
use flowgraph::{BitSet, EdgeId, Induced, NodeId, RegId};
use memory::{FlatArray, ObjectId};
use semantics::{InputSite, PathEnd, State};
use std::cell::OnceCell;
use std::rc::Rc;
use template::{Assumed, Entry, EntrySymbols, Shape};
use term::{SymbolId, TermId, TermPool};

/// The summary (θ^κ⃗, φ^κ⃗) of a loop for states of a shape at its entry.
pub struct Summary {
    /// The loop entry v.
    pub entry: NodeId,
    /// The loop C.
    pub nodes: BitSet,
    /// Which states it applies to.
    pub shape: Shape,
    /// The meaning of symbols at the entry.
    pub symbols: EntrySymbols,
    pub backbones: Vec<LoopBackbone>,
    /// The number of all iterations: the sum of the path counters, or the only one.
    pub total: SymbolId,
    /// Further symbols that a formula quantifies existentially: unknowns of iterations, as arrays.
    pub unknowns: Vec<SymbolId>,
    /// What some of these say.
    pub(super) earlier: Vec<(SymbolId, Earlier)>,
    /// The values ⋆ in it.
    pub stars: Vec<SymbolId>,
    /// θ^κ⃗.
    pub forms: Vec<Form>,
    /// φ^κ⃗.
    pub condition: TermId,
    /// Of constraint systems: what each iteration demands, by its number, and the number.
    pub(super) demanded: Vec<TermId>,
    pub(super) number: SymbolId,
    registers: Vec<(RegId, TermId)>,
    cells: Vec<(ObjectId, u64, TermId)>,
    contents: Vec<(ObjectId, FlatArray)>,
    /// Symbols of contents that are read at multiples of the width of their cells only.
    aligned: Vec<SymbolId>,
}

/// A backbone of an induced flowgraph.
pub struct LoopBackbone {
    pub edges: Vec<EdgeId>,
    /// The edges of all of them.
    pub passed: BitSet,
    /// How many backbones with the same effect these are.
    pub n_backbones: u64,
    /// κᵢ.
    pub counter: SymbolId,
    /// φ′ᵢ: over entry symbols, and without ⋆.
    pub condition: TermId,
    /// The loops along it.
    pub loops: Vec<AppliedSummary>,
    /// Counters of these loops that the state before the iteration determines, each with what it is.
    pub relations: Vec<(SymbolId, TermId)>,
    /// Of constraint systems: the counters of chains inside, by loop along it.
    pub inner: Vec<InnerCounter>,
    /// And what is known of sums of them, for one execution of this backbone.
    pub(super) together: Vec<CountedTogether<SymbolId>>,
    /// The inputs of an iteration, as arrays indexed by iteration.
    inputs: Vec<(SymbolId, Option<InputSite>)>,
}

/// An executed backbone of the induced flowgraph: θ′ᵢ and φ′ᵢ.
pub(super) struct Executed {
    pub trail: Trail,
    pub condition: TermId,
    pub effect: Effect,
    /// Counters of loops along it that the state determines; neither of both mentions them.
    pub relations: Relations,
    /// Symbols that were made for this iteration.
    pub unknowns: Vec<SymbolId>,
}

impl Build<'_, '_> {
    /// Lines 4 to 9 of Algorithm 1: the summary of a loop for the shape of a state at its entry,
    /// `None` if no iteration is feasible, and why there is none, if so.
    pub(super) fn summary(
        &mut self,
        pool: &mut TermPool,
        induced: &Induced,
        state: &State,
    ) -> Result<Option<Rc<Summary>>, String> {
        let known = self.summaries.get(&induced.start()).into_iter().flatten();
        for summary in known {
            if Some(&summary.nodes) == induced.body() && summary.shape.matches(pool, state) {
                return Ok(Some(Rc::clone(summary)));
            }
        }
        let Some(summary) = self.compute_summary(pool, induced, state)? else {
            return Ok(None);
        };
        let summary = Rc::new(summary);
        let of_entry = self.summaries.entry(induced.start()).or_default();
        of_entry.push(Rc::clone(&summary));
        Ok(Some(summary))
    }

    fn compute_summary(
        &mut self,
        pool: &mut TermPool,
        induced: &Induced,
        model: &State,
    ) -> Result<Option<Summary>, String> {
        let live = self.live(induced.start());
        let mut assumed = Assumed::default();
        let (entry, mark, back) = loop {
            let mark = pool.n_symbols();
            let entry = Entry::like(self.machine, pool, model, &live, &assumed);
            let walked = self.walk(pool, induced, entry.state.clone());
            for ended in &walked.ended {
                if let PathEnd::Unsupported(what, _) = &ended.end {
                    return Err(what.clone());
                }
                if matches!(ended.end, PathEnd::Undecided(_)) {
                    return Err("an iteration whose feasibility is undecided".to_owned());
                }
            }
            let mut is_less = false;
            for trail in &walked.back {
                is_less |= assumed.weaken(pool, &entry, &trail.state);
            }
            if !is_less {
                break (entry, mark, walked.back);
            }
        };
        let mut conditions = Vec::with_capacity(back.len());
        for trail in &back {
            conditions.push(self.condition(pool, trail));
        }
        let (back, conditions): (Vec<Trail>, Vec<TermId>) = (back.into_iter().zip(conditions))
            .filter(|(_, condition)| !pool.is_false(*condition))
            .unzip();
        if back.is_empty() {
            return Ok(None);
        }
        let memory = Changes::of(pool, &entry, &back, self.options.rules)?;
        let mut executed = Vec::with_capacity(back.len());
        for (mut trail, condition) in back.into_iter().zip(conditions) {
            let mut effect = self.effect(pool, &entry, &memory, &trail.state)?;
            let (relations, condition) = self.relate(pool, &trail.loops, condition);
            for value in effect.values_mut().flatten() {
                *value = relations.apply(pool, *value);
            }
            relations.apply_to(pool, &mut trail.loops);
            executed.push(Executed {
                trail,
                condition,
                effect,
                relations,
                unknowns: Vec::new(),
            });
        }
        let symbols = entry.symbols();
        for backbone in &mut executed {
            backbone.unknowns = made_since(pool, mark, &symbols, backbone)
                .into_iter()
                .filter(|symbol| {
                    let term = pool.symbol_term(*symbol);
                    self.unknowns.in_term(pool, term).is_none()
                })
                .collect();
        }
        // A first pass over wide path counters finds the rules, from which follows how wide they
        // have to be.
        let closing = Closing {
            entry: &entry,
            symbols: &symbols,
            memory: &memory,
            live: &live,
            inner: (executed.iter())
                .map(|executed| match self.options.rules {
                    Rules::OfChains => InnerCounter::of(pool, &executed.trail.loops),
                    Rules::OfThePaper | Rules::All => Vec::new(),
                })
                .collect(),
            executed: &executed,
            start: induced.start(),
            known_follows: OnceCell::new(),
        };
        let bits = closing.bits(pool, self);
        closing.close(pool, self, induced, bits).map(Some)
    }
}
