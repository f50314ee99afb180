//! The constraint systems of a program's chains, for display (Phase 2).
//!
//! Each root chain has one, and each subchain with loop nodes one over the values at its start. Here every
//! chain is listed separately; navigation merges chains of equal effect.

use flowgraph::{Action, ChainForm, ChainId, EdgeId, Function};
use indexmap::IndexMap;
use limits::Interrupt;
use necessary::{
    AbstractPath, AppliedSummary, BuildOptions, InnerCounter, LoopBackbone, NecessaryCondition,
    Summary,
};
use property::Property;
use semantics::Machine;
use std::rc::Rc;
use std::time::{Duration, Instant};
use term::{SymbolId, TermId, TermPool};

/// κ_c^r: which executions a counter counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CounterName {
    /// The update chain c.
    pub chain: ChainId,
    /// The reset chain r, where that is no root chain.
    pub reset: Option<ChainId>,
    /// Only executions of c within this chain; chains that begin alike share subchains.
    pub along: Option<ChainId>,
}

/// S(c) of a chain c.
pub struct ChainSystem {
    pub chain: ChainId,
    /// Width 1: those that mention a counter.
    pub constraints: Vec<TermId>,
    /// Width 1: further facts about sums of counters.
    pub bounds: Vec<TermId>,
    /// Of a root chain: its whole condition, with what mentions no counter; *true* for others.
    pub condition: TermId,
    /// By symbol.
    pub counters: IndexMap<SymbolId, CounterName>,
}

/// The effects of the chains of a loop node on variables.
pub struct LoopFunctions {
    pub chains: Vec<ChainId>,
    pub summary: Rc<Summary>,
    /// By symbol.
    pub counters: IndexMap<SymbolId, CounterName>,
}

/// A program's chains with their systems.
pub struct ChainSystems<'f> {
    pub form: ChainForm<'f>,
    /// By loop node, in the order of root chains.
    pub loops: Vec<LoopFunctions>,
    /// Root chains first.
    pub systems: Vec<ChainSystem>,
    /// Root chains of which nothing is said: a condition on the way is false, or something there
    /// is not understood.
    pub n_without: usize,
    /// Time for the chains, and for the systems.
    pub time: (Duration, Duration),
}

/// What is found on the way from a loop node to its chains.
struct Naming<'a, 'f> {
    form: &'a ChainForm<'f>,
    function: &'a Function,
}

impl<'f> ChainSystems<'f> {
    /// The chains to the targets of a program, at most so many, and their systems.
    pub fn of(
        machine: &Machine<'f>,
        pool: &mut TermPool,
        property: Property,
        interrupt: &Interrupt,
        most: usize,
    ) -> ChainSystems<'f> {
        let program = machine.program;
        let function = program.function(program.main);
        let started = Instant::now();
        let form = ChainForm::of(function, &|edge| is_target(function, edge), most);
        let for_chains = started.elapsed();
        let started = Instant::now();
        let options = BuildOptions {
            join: false,
            ..BuildOptions::of_chains()
        };
        let condition = NecessaryCondition::of(machine, pool, &options, property, interrupt);
        let naming = Naming {
            form: &form,
            function,
        };
        let mut found = Found::default();
        for path in condition.paths.iter().filter(|path| path.reaches_target()) {
            let root = form
                .chains()
                .take(form.n_root())
                .find(|(_, chain)| chain.edges == path.edges);
            if let Some((root, _)) = root {
                naming.of_root(pool, root, path, &mut found);
            }
        }
        found.systems.sort_by_key(|system| system.chain);
        let n_roots = |systems: &[ChainSystem]| {
            let mut roots: Vec<ChainId> = systems.iter().map(|system| system.chain).collect();
            roots.retain(|chain| chain.index() < form.n_root());
            roots.dedup();
            roots.len()
        };
        let n_without = form.n_root() - n_roots(&found.systems);
        let systems = ChainSystems {
            loops: found.loops.into_values().collect(),
            systems: found.systems,
            n_without,
            time: (for_chains, started.elapsed()),
            form,
        };
        debug_assert!(systems.check(pool).is_ok(), "{:?}", systems.check(pool));
        systems
    }

    /// Whether each counter κ_c^r counts a chain c that lies inside its reset chain r (Lemma 1), the
    /// only one that the system around names, and whether each that a loop's functions or a system
    /// mention is known.
    ///
    /// # Errors
    /// With what does not hold.
    pub fn check(&self, pool: &TermPool) -> Result<(), String> {
        for system in &self.systems {
            let of = system.chain;
            let reset = (!self.form.chain(of).is_root()).then_some(of);
            for (symbol, name) in &system.counters {
                let shown = pool.symbol_name(*symbol);
                if name.reset != reset {
                    return Err(format!("S({of}) has {shown} of another reset chain"));
                }
                if !self.form.lies_inside(name.chain, of) {
                    return Err(format!("{} of {shown} is not inside {of}", name.chain));
                }
                if let Some(along) = name.along
                    && !(self.form.lies_inside(name.chain, along)
                        && self.form.lies_inside(along, of))
                {
                    return Err(format!("{shown} of {of} does not pass {along}"));
                }
            }
        }
        // Chains that were not built have no names.
        let is_whole = !self.form.is_cut();
        for functions in self.loops.iter().filter(|_| is_whole) {
            for backbone in &functions.summary.backbones {
                let inner = backbone.inner.iter().map(|inner| inner.all);
                for counter in [backbone.counter].into_iter().chain(inner) {
                    let Some(name) = functions.counters.get(&counter) else {
                        let shown = pool.symbol_name(counter);
                        return Err(format!("{shown} counts a chain that is not known"));
                    };
                    let is_inside = |loop_chain: &ChainId| {
                        name.chain == *loop_chain || self.form.lies_inside(name.chain, *loop_chain)
                    };
                    if !functions.chains.iter().any(is_inside) {
                        return Err(format!("{} is in no chain of its loop", name.chain));
                    }
                }
            }
        }
        Ok(())
    }
}

#[derive(Default)]
struct Found {
    /// By the edges to the loop node.
    loops: IndexMap<Vec<EdgeId>, LoopFunctions>,
    systems: Vec<ChainSystem>,
}

impl Naming<'_, '_> {
    fn of_root(&self, pool: &mut TermPool, root: ChainId, path: &AbstractPath, found: &mut Found) {
        let mut counters = IndexMap::new();
        for applied in &path.loops {
            let prefix = self.up_to(&path.edges, applied);
            self.name(pool, &prefix, applied, None, &mut counters);
            self.of_loop(pool, &prefix, &applied.summary, found);
        }
        let constraints = mentioning(pool, path.condition, &counters);
        found.systems.push(ChainSystem {
            chain: root,
            constraints,
            bounds: path.bounds().collect(),
            condition: path.condition,
            counters,
        });
    }

    /// The functions of a loop, and the systems of its chains.
    fn of_loop(
        &self,
        pool: &mut TermPool,
        prefix: &[EdgeId],
        summary: &Rc<Summary>,
        found: &mut Found,
    ) {
        if found.loops.contains_key(prefix) {
            return;
        }
        let mut functions = LoopFunctions {
            chains: Vec::new(),
            summary: Rc::clone(summary),
            counters: IndexMap::new(),
        };
        let mut inside = Vec::new();
        for backbone in &summary.backbones {
            let Some(chain) = self.chain_of(prefix, backbone) else {
                continue;
            };
            functions.chains.push(chain);
            let name = |of, along| CounterName {
                chain: of,
                reset: None,
                along,
            };
            functions
                .counters
                .insert(backbone.counter, name(chain, None));
            for inner in &backbone.inner {
                if let Some(of) = self.chain_of_inner(prefix, backbone, inner) {
                    functions.counters.insert(inner.all, name(of, Some(chain)));
                }
            }
            if !backbone.loops.is_empty() {
                inside.push((chain, backbone));
            }
        }
        functions.chains.sort_unstable();
        found.loops.insert(prefix.to_vec(), functions);
        for (chain, backbone) in inside {
            let mut counters = IndexMap::new();
            let mut bounds = Vec::new();
            for applied in &backbone.loops {
                let mut inner = prefix.to_vec();
                inner.extend(self.up_to(&backbone.edges, applied));
                self.name(pool, &inner, applied, Some(chain), &mut counters);
                self.of_loop(pool, &inner, &applied.summary, found);
                bounds.extend(applied.together.iter().map(|together| together.bound));
            }
            found.systems.push(ChainSystem {
                chain,
                constraints: mentioning(pool, backbone.condition, &counters),
                bounds,
                condition: TermId::TRUE,
                counters,
            });
        }
    }

    /// The edges of a chain before a loop along it.
    fn up_to(&self, edges: &[EdgeId], applied: &AppliedSummary) -> Vec<EdgeId> {
        let entry = applied.summary.entry;
        let last = edges
            .iter()
            .position(|edge| self.function.target(*edge) == entry);
        edges[..last.map_or(0, |last| last + 1)].to_vec()
    }

    fn chain_of(&self, prefix: &[EdgeId], backbone: &LoopBackbone) -> Option<ChainId> {
        let mut chains = self.form.subchains(prefix).into_iter();
        chains.find(|chain| self.form.chain(*chain).edges == backbone.edges)
    }

    /// The chain that an inner counter counts.
    fn chain_of_inner(
        &self,
        prefix: &[EdgeId],
        backbone: &LoopBackbone,
        inner: &InnerCounter,
    ) -> Option<ChainId> {
        let applied = backbone.loops.get(inner.loop_index)?;
        let mut at = prefix.to_vec();
        at.extend(self.up_to(&backbone.edges, applied));
        self.chain_of_counter(&at, applied, inner.index)
    }

    fn chain_of_counter(
        &self,
        prefix: &[EdgeId],
        applied: &AppliedSummary,
        mut index: usize,
    ) -> Option<ChainId> {
        let backbones = &applied.summary.backbones;
        if let Some(backbone) = backbones.get(index) {
            return self.chain_of(prefix, backbone);
        }
        index -= backbones.len();
        for backbone in backbones {
            if let Some(inner) = backbone.inner.get(index) {
                return self.chain_of_inner(prefix, backbone, inner);
            }
            index -= backbone.inner.len();
        }
        None
    }

    /// Names the counters of a loop, in a system of the chain `reset` or of a root chain.
    fn name(
        &self,
        pool: &TermPool,
        prefix: &[EdgeId],
        applied: &AppliedSummary,
        reset: Option<ChainId>,
        counters: &mut IndexMap<SymbolId, CounterName>,
    ) {
        let backbones = applied.summary.backbones.iter();
        let along: Vec<Option<ChainId>> = backbones
            .clone()
            .map(|_| None)
            .chain(backbones.flat_map(|backbone| {
                let chain = self.chain_of(prefix, backbone);
                backbone.inner.iter().map(move |_| chain)
            }))
            .collect();
        for (index, counter) in applied.chain_counters().enumerate() {
            let chain = self.chain_of_counter(prefix, applied, index);
            if let (Some(symbol), Some(chain)) = (pool.as_symbol(counter), chain) {
                let along = along[index];
                let name = CounterName {
                    chain,
                    reset,
                    along,
                };
                counters.insert(symbol, name);
            }
        }
    }
}

/// The conjuncts that mention a counter.
fn mentioning<T>(
    pool: &mut TermPool,
    condition: TermId,
    counters: &IndexMap<SymbolId, T>,
) -> Vec<TermId> {
    let mut conjuncts = pool.conjuncts(condition);
    conjuncts.retain(|conjunct| {
        let symbols = pool.symbols_of(*conjunct);
        symbols.iter().any(|symbol| counters.contains_key(symbol))
    });
    conjuncts
}

fn is_target(function: &Function, edge: EdgeId) -> bool {
    let steps = &function.edge(edge).steps;
    steps.iter().any(|step| step.action == Action::Target)
}
