//! Coverage of each loop by templates, or the obstacles to them.
//!
//! It is read from a table after a run; only the assignment of cycles to loops is computed here.

use super::{CycleRecord, LoopRecord, NoTemplate, Refused, TemplateTable};
use flowgraph::{Cycle, Function, FunctionId, Loop, LoopId, LoopNest, Program};
use std::sync::Arc;

/// A natural loop, and what a run found out about it.
pub struct LoopCoverage<'t> {
    /// From 1, through all functions of the program.
    pub number: usize,
    pub function: FunctionId,
    pub id: LoopId,
    pub nest: Arc<LoopNest>,
    /// The templates of the whole loop, where some were requested.
    pub whole: Option<&'t LoopRecord>,
    /// The cycles of this loop and of no loop inside of it, with their templates.
    pub cycles: Vec<&'t CycleRecord>,
    pub coverage: Coverage,
}

/// How the iterations of a loop are executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Coverage {
    /// By one template for all of its paths.
    Whole,
    /// By templates of single cycles.
    Cycles {
        /// How many of the cycles from the header have one.
        n_templates: usize,
        /// How many cycles from the header an iteration can take.
        n_cycles: usize,
        /// Whether iterations may also go through loops inside, which is no cycle of this one.
        has_inner: bool,
        /// Why the rest has none, or the loop as a whole.
        obstacle: Option<NoTemplate>,
    },
    /// By the template of an outer loop.
    Within {
        /// The number of the outer loop.
        outer: usize,
        /// Whether the iterations are one step of its iterations; else they are unrolled there.
        in_one_step: bool,
    },
    /// Iteration by iteration.
    Nothing(NoTemplate),
    /// It was not needed: no execution reached it, or those that did went through it with known
    /// values only.
    NotMet,
}

impl LoopCoverage<'_> {
    /// The loop.
    #[must_use]
    pub fn natural(&self) -> &Loop {
        &self.nest.loops[self.id.index()]
    }

    /// Whether all its templates are of cycles whose iterations come back to values that were there
    /// before, so that execution goes around and closes covered states instead.
    #[must_use]
    pub fn revisits_states(&self) -> bool {
        let whole = self.whole.iter().flat_map(|record| &record.templates);
        let cycles = self.cycles.iter().flat_map(|record| &record.templates);
        let mut templates = whole.chain(cycles).peekable();
        templates.peek().is_some() && !templates.any(|template| template.makes_progress(|_| true))
    }
}

impl TemplateTable {
    /// All natural loops of a program, function by function, by header.
    #[must_use]
    pub fn coverage(&self, program: &Program) -> Vec<LoopCoverage<'_>> {
        let mut all: Vec<LoopCoverage> = Vec::new();
        for function in program.function_ids() {
            let known = self.of_function(function);
            let data = program.function(function);
            let nest = known.map_or_else(
                || Arc::clone(data.loops()),
                |(_, loops, _)| Arc::clone(loops),
            );
            let first = all.len();
            let numbered = (first + 1..).zip((0..).map(LoopId));
            for ((number, id), natural) in numbered.zip(&nest.loops) {
                let cycles = known.map_or(&[][..], |(cycles, _, _)| cycles);
                let cycles = cycles
                    .iter()
                    .filter(|record| innermost(&nest, data, &record.cycle) == Some(id));
                let whole = known.and_then(|(_, _, records)| records.get(&id));
                let cycles: Vec<&CycleRecord> = cycles.collect();
                let has_inner = nest.loops.iter().any(|other| other.parent == Some(id));
                let coverage = of_loop(natural, has_inner, whole, &cycles);
                all.push(LoopCoverage {
                    number,
                    function,
                    id,
                    nest: Arc::clone(&nest),
                    whole,
                    cycles,
                    coverage,
                });
            }
            take_in(&mut all[first..]);
        }
        all
    }
}

/// The smallest loop around a cycle.
fn innermost(nest: &LoopNest, function: &Function, cycle: &Cycle) -> Option<LoopId> {
    let mut found = nest.innermost(cycle.entry);
    while let Some(id) = found {
        let natural = &nest.loops[id.index()];
        let mut nodes = cycle.nodes(function);
        if nodes.all(|node| natural.body.contains(node.index())) {
            return Some(id);
        }
        found = natural.parent;
    }
    None
}

fn of_loop(
    natural: &Loop,
    has_inner: bool,
    whole: Option<&LoopRecord>,
    cycles: &[&CycleRecord],
) -> Coverage {
    if whole.is_some_and(|record| !record.templates.is_empty()) {
        return Coverage::Whole;
    }
    let from_header = || {
        let cycles = cycles.iter();
        cycles.filter(|record| record.cycle.entry == natural.header)
    };
    let is_obstacle = |reason: &&NoTemplate| **reason != NoTemplate::Infeasible;
    let reasons = |refused: &Refused| -> Option<NoTemplate> {
        let mut reasons = refused.values();
        reasons.find(is_obstacle).cloned()
    };
    let of_whole = whole.and_then(|record| reasons(&record.refused));
    let obstacle = of_whole
        .or_else(|| from_header().find_map(|record| reasons(&record.refused)))
        .or_else(|| {
            let mut refused = whole.iter().flat_map(|record| record.refused.values());
            refused.next().cloned()
        });
    let n_templates = from_header()
        .filter(|record| !record.templates.is_empty())
        .count();
    match obstacle {
        obstacle if n_templates > 0 => Coverage::Cycles {
            n_templates,
            n_cycles: from_header().count(),
            has_inner,
            obstacle,
        },
        Some(reason) => Coverage::Nothing(reason),
        None if from_header().any(|record| !record.refused.is_empty()) => {
            Coverage::Nothing(NoTemplate::Infeasible)
        }
        None => Coverage::NotMet,
    }
}

/// Loops inside of a folded one are executed by its template.
fn take_in(loops: &mut [LoopCoverage]) {
    for index in 0..loops.len() {
        let mut around = loops[index].natural().parent;
        let mut outermost = None;
        while let Some(id) = around {
            let outer = &loops[id.index()];
            if outer.coverage == Coverage::Whole {
                outermost = Some(outer.number);
            }
            around = outer.natural().parent;
        }
        if let Some(outer) = outermost {
            let in_one_step = loops[index]
                .whole
                .is_some_and(|record| !record.templates.is_empty());
            loops[index].coverage = Coverage::Within { outer, in_one_step };
        }
    }
}
