//! The cache of templates of recursion.

use super::ascent::{Ascended, Ascent, about_to_return, state_above};
use super::compute::{Ascents, Iterations, Phases, down_of};
use super::meta::{Unrolled, sites_of};
use super::{Phase, RecursionTemplate};
use crate::entry::generic_state;
use crate::lookup::{Known, keep, look_up};
use crate::offsets::Offsets;
use crate::table::{Refused, RegisterShape, register_shape};
use crate::{Folding, KAPPA, Region};
use flowgraph::{FunctionId, Liveness};
use indexmap::IndexMap;
use semantics::{CallSite, FoldedCalls, FoldedFrames, Machine, Oracle, State};
use std::rc::Rc;
use std::sync::Arc;
use term::{Sort, TermPool, Work};

/// A way in which a function calls itself, and what was computed for it, one entry a shape.
pub struct RecursionRecord {
    /// The iterations of the descent; for a function that cannot be examined, its calls.
    pub region: Region,
    pub templates: Vec<Rc<RecursionTemplate>>,
    pub refused: Refused,
    phases: Option<Rc<Phases>>,
}

/// The results for recursive functions.
pub(crate) struct Recursions {
    functions: IndexMap<FunctionId, FunctionCalls>,
    /// By the frames that states have: where returns begin, and for pointers into which objects.
    ascents: Vec<KnownAscents>,
    n_most: usize,
    folding: Folding,
}

/// The calls of a function to itself.
struct FunctionCalls {
    liveness: Arc<Liveness>,
    /// All paths merged, where that is requested, then each core.
    records: Vec<RecursionRecord>,
}

/// Second parts that were computed for folded frames.
struct KnownAscents {
    frames: Rc<FoldedFrames>,
    phases: Rc<Phases>,
    known: Vec<Rc<Ascent>>,
    /// For how many shapes there is none.
    n_refused: usize,
}

/// Second parts are kept for so many folds, the latest ones.
const MOST_FRAMES: usize = 64;

/// So many shapes of states at a return are tried for the same frames.
const MOST_REFUSED: usize = 4;

impl Recursions {
    pub fn new(n_most: usize, folding: Folding) -> Recursions {
        Recursions {
            functions: IndexMap::new(),
            ascents: Vec::new(),
            n_most,
            folding,
        }
    }

    /// How many results there are, refusals included.
    pub fn n_computed(&self) -> usize {
        let records = self.records();
        records
            .map(|(_, record)| record.templates.len() + record.refused.len())
            .sum()
    }

    pub fn records(&self) -> impl Iterator<Item = (FunctionId, &RecursionRecord)> {
        self.functions.iter().flat_map(|(function, calls)| {
            let records = calls.records.iter();
            records.map(|record| (*function, record))
        })
    }

    /// The templates for a state: that of all paths merged, or those of cores; none that is missing is
    /// computed once the work clock has reached `until`.
    pub fn templates_for(
        &mut self,
        machine: &Machine,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        state: &State,
        until: Option<Work>,
    ) -> Vec<Rc<RecursionTemplate>> {
        let id = state.location.function;
        let is_entry = state.location.node == machine.program.function(id).entry;
        let is_fresh = state.frame.folded.is_none() && state.frame.allocas.is_empty();
        if !is_entry || !is_fresh || id == machine.program.main {
            return Vec::new();
        }
        let (n_most, folding) = (self.n_most, self.folding);
        let calls = self
            .functions
            .entry(id)
            .or_insert_with(|| FunctionCalls::of(machine, id, n_most, folding));
        let mut found = Vec::new();
        for record in &mut calls.records {
            let may_compute = until.is_none_or(|until| pool.work() <= until);
            let may_compute = may_compute && !oracle.is_exhausted();
            let liveness = &calls.liveness;
            let template = record.template(machine, pool, oracle, state, liveness, may_compute);
            let is_merged = record.is_merged();
            found.extend(template);
            if is_merged && !found.is_empty() {
                break;
            }
        }
        found
    }

    /// Computes the templates of all functions for states of which nothing is known.
    pub fn compute_all(&mut self, machine: &Machine, pool: &mut TermPool, oracle: &mut dyn Oracle) {
        for id in machine.program.function_ids() {
            let function = machine.program.function(id);
            if id == machine.program.main || sites_of(function, id).is_empty() {
                continue;
            }
            let location = semantics::Location {
                function: id,
                node: function.entry,
            };
            let live = function.liveness().regs_at(function, function.entry);
            let live: Vec<_> = live.collect();
            let state = generic_state(machine, pool, location, &live);
            self.templates_for(machine, pool, oracle, &state, None);
        }
    }

    /// The ways in which a state leaves its folded frames.
    pub fn ascend(
        &mut self,
        machine: &Machine,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        state: &State,
    ) -> Option<Vec<Ascended>> {
        let folded: FoldedCalls = state.frame.folded.clone()?;
        let (edge, value) = about_to_return(machine, pool, state)?;
        let position = self
            .ascents
            .iter()
            .position(|known| Rc::ptr_eq(&known.frames, &folded.frames));
        let position = match position {
            Some(position) => position,
            None => {
                let phases = self.phases_of(&folded.frames)?;
                if self.ascents.len() >= MOST_FRAMES {
                    self.ascents.remove(0);
                }
                self.ascents.push(KnownAscents {
                    frames: Rc::clone(&folded.frames),
                    phases,
                    known: Vec::new(),
                    n_refused: 0,
                });
                self.ascents.len() - 1
            }
        };
        let KnownAscents {
            frames,
            phases,
            known,
            n_refused,
        } = &mut self.ascents[position];
        let above = state_above(machine, pool, phases, state, frames, value);
        let fits = known
            .iter()
            .find(|ascent| ascent.returns.shape.matches(pool, &above));
        let ascent = match fits {
            Some(ascent) => Rc::clone(ascent),
            None if *n_refused >= MOST_REFUSED => return None,
            None => {
                let count = pool.symbol(KAPPA, Sort::Bv(pool.width(folded.count)));
                match Ascent::compute(machine, pool, oracle, phases, &above, frames, count) {
                    Ok(ascent) => {
                        let ascent = Rc::new(ascent);
                        known.push(Rc::clone(&ascent));
                        ascent
                    }
                    Err(_) => {
                        *n_refused += 1;
                        return None;
                    }
                }
            }
        };
        Some(ascent.leave(machine, pool, phases, &above, &folded, edge))
    }

    /// The phases by which frames were folded: those with the same calls.
    fn phases_of(&self, frames: &FoldedFrames) -> Option<Rc<Phases>> {
        let calls = self.functions.get(&frames.function)?;
        let mut phases = calls
            .records
            .iter()
            .filter_map(|record| record.phases.as_ref());
        let found = phases.find(|phases| phases.sites == frames.sites);
        found.map(Rc::clone)
    }
}

impl FunctionCalls {
    fn of(machine: &Machine, id: FunctionId, n_most: usize, folding: Folding) -> FunctionCalls {
        let function = machine.program.function(id);
        let liveness = Arc::clone(function.liveness());
        let sites: Vec<CallSite> = sites_of(function, id);
        let mut records = Vec::new();
        if !sites.is_empty() {
            match down_of(machine, id, &liveness, &sites, n_most) {
                Ok((down, cores)) => {
                    let merged = (folding == Folding::Loops).then_some(Iterations::Merged);
                    let mut ups = Ascents::default();
                    let record = |iterations| {
                        let down: &Rc<Unrolled> = &down;
                        let phases = Phases::along(
                            machine, id, &liveness, down, &sites, iterations, &mut ups,
                        );
                        RecursionRecord {
                            region: phases.region(Phase::Descent),
                            templates: Vec::new(),
                            refused: Refused::default(),
                            phases: Some(Rc::new(phases)),
                        }
                    };
                    records.extend(merged.into_iter().chain(cores).map(record));
                }
                Err(reason) => records.push(RecursionRecord {
                    region: Region::Core(sites.iter().map(|site| site.edge).collect()),
                    templates: Vec::new(),
                    refused: Refused::from_iter([(RegisterShape::new(), reason)]),
                    phases: None,
                }),
            }
        }
        FunctionCalls { liveness, records }
    }
}

impl RecursionRecord {
    fn is_merged(&self) -> bool {
        match &self.region {
            Region::Recursion(recursion) => recursion.folding == Folding::Loops,
            Region::Core(_) | Region::Loop(_) => false,
        }
    }

    fn template(
        &mut self,
        machine: &Machine,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        state: &State,
        liveness: &Liveness,
        may_compute: bool,
    ) -> Option<Rc<RecursionTemplate>> {
        let phases = self.phases.as_ref()?;
        let shape = |pool: &mut TermPool| register_shape(machine, pool, liveness, state);
        let shape = match look_up(&self.templates, &self.refused, pool, state, shape) {
            Known::Computed(known) => return known.ok(),
            Known::New(_) if !may_compute => return None,
            Known::New(shape) => shape,
        };
        let offsets = Offsets::after(self.templates.iter().map(|known| &known.descent));
        let result = phases.template(machine, pool, oracle, state, offsets);
        keep(
            &mut self.templates,
            &mut self.refused,
            oracle,
            shape,
            result,
        )
        .ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowgraph::Program;
    use semantics::{Location, Trusting};

    /// Three branchings before a call, and so eight cores that end with it.
    const TEXT: &str = "program block pointers 32 main @main\n\
        fn @main() -> i32 {\n\
        start -> end: return 0:32\n\
        }\n\
        fn @f(%n: i32) -> i32 {\n\
        reg %r: i32\n\
        a -> g: assume %n == 0:32\n\
        a -> b: assume %n != 0:32\n\
        b -> c: assume %n == 1:32\n\
        b -> c: assume %n != 1:32\n\
        c -> d: assume %n == 2:32\n\
        c -> d: assume %n != 2:32\n\
        d -> e: assume %n == 3:32\n\
        d -> e: assume %n != 3:32\n\
        e -> h: %r = call @f(%n - 1:32)\n\
        h -> i: return %r\n\
        g -> i: return 0:32\n\
        }\n";

    fn recursive() -> (Program, FunctionId) {
        let program: Program = TEXT.parse().unwrap();
        let id = program.function_by_name("f").unwrap();
        (program, id)
    }

    #[test]
    fn cores_that_end_with_the_same_call_share_their_ascent() {
        let (program, id) = recursive();
        let machine = Machine::new(&mut TermPool::new(), &program);
        let calls = FunctionCalls::of(&machine, id, 100, Folding::Cycles);
        let records = calls.records.iter();
        let phases: Vec<_> = records.filter_map(|record| record.phases.clone()).collect();
        assert_eq!(phases.len(), 8);
        assert!(phases.iter().all(|one| Rc::ptr_eq(&one.up, &phases[0].up)));
    }

    #[test]
    fn no_template_is_computed_without_work() {
        let (program, id) = recursive();
        let mut pool = TermPool::new();
        let machine = Machine::new(&mut pool, &program);
        let function = program.function(id);
        let location = Location {
            function: id,
            node: function.entry,
        };
        let live: Vec<_> = function
            .liveness()
            .regs_at(function, location.node)
            .collect();
        let state = generic_state(&machine, &mut pool, location, &live);
        let mut recursions = Recursions::new(100, Folding::Cycles);
        for (until, n_computed) in [(Some(Work::ZERO), 0), (None, 8)] {
            recursions.templates_for(&machine, &mut pool, &mut Trusting, &state, until);
            assert_eq!(recursions.n_computed(), n_computed);
        }
    }
}
