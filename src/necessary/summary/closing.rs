//! Closing of a loop: θ^κ⃗ and φ^κ⃗ from the effects and conditions of single iterations.

use super::changes::Changes;
use super::{Executed, LoopBackbone, Summary};
use crate::arrays::Counting;
use crate::build::Build;
use crate::chains::{CountedTogether, InnerCounter};
use crate::each::Each;
use crate::forms::{Effect, Form, Loop, Rule, Rules, in_phases, iterate, lacks_order};
use crate::order::Follows;
use flowgraph::{Induced, NodeId, RegId};
use indexmap::IndexMap;
use memory::FlatArray;
use semantics::{InputEvent, InputSite, State};
use solver::bits_until_failure;
use std::cell::OnceCell;
use template::{Entry, EntrySymbols, WrittenArrays};
use term::{Sort, SymbolId, TermId, TermPool};

/// As wide as a path counter has to be where nothing is known: no machine does 2^64 iterations of
/// anything.
const WIDEST: u32 = 64;

/// The input of Algorithm 2.
pub(crate) struct Closing<'a> {
    pub(super) entry: &'a Entry,
    pub symbols: &'a EntrySymbols,
    pub(super) memory: &'a Changes,
    pub(super) live: &'a [RegId],
    pub executed: &'a [Executed],
    /// Counters of inner chains, along each backbone.
    pub(super) inner: Vec<Vec<InnerCounter>>,
    pub(super) start: NodeId,
    /// Which way may follow which, once it was asked.
    pub(super) known_follows: OnceCell<Option<Follows>>,
}

/// θ^κ⃗ with its counters.
pub(crate) struct Iterated {
    pub counters: Vec<SymbolId>,
    pub total: SymbolId,
    pub each: Vec<Each>,
    pub forms: IndexMap<SymbolId, Form>,
    stars: Vec<SymbolId>,
}

impl Closing<'_> {
    /// How many bits number all iterations that are possible: what every backbone demands fails
    /// some time, perhaps.
    pub(super) fn bits(&self, pool: &mut TermPool, build: &mut Build) -> u32 {
        let rules = match build.options.rules {
            // Counters of single chains say less of all iterations than their number.
            Rules::OfChains => Rules::All,
            rules => rules,
        };
        let iterated = self.iterate(pool, build, rules, WIDEST);
        let bits = self.common(pool).into_iter().filter_map(|conjunct| {
            let closed = iterated.over_total(pool, conjunct)?;
            bits_until_failure(pool, closed, iterated.total)
        });
        bits.min().unwrap_or(WIDEST)
    }

    /// The conjuncts of all φ′ᵢ.
    pub(crate) fn common(&self, pool: &TermPool) -> Vec<TermId> {
        let conjuncts = |backbone: &Executed| pool.conjuncts(backbone.condition);
        let mut common = conjuncts(&self.executed[0]);
        for backbone in &self.executed[1..] {
            let own = conjuncts(backbone);
            common.retain(|conjunct| own.contains(conjunct));
        }
        common.retain(|conjunct| !pool.is_true(*conjunct));
        common
    }

    /// Lines 1 to 10, with arrays as ⋆.
    pub(crate) fn iterate(
        &self,
        pool: &mut TermPool,
        build: &mut Build,
        rules: Rules,
        bits: u32,
    ) -> Iterated {
        let found = self.find_forms(pool, build, rules, bits);
        self.unknown_elsewhere(pool, build, found)
    }

    /// Lines 1 to 10, with comprehensions of arrays.
    fn iterate_with_arrays(
        &self,
        pool: &mut TermPool,
        build: &mut Build,
        rules: Rules,
        bits: u32,
    ) -> Iterated {
        let mut found = self.find_forms(pool, build, rules, bits);
        if !self.memory.arrays.is_empty() {
            let counting = Counting {
                each: &found.each,
                counters: &found.counters,
                total: found.total,
            };
            self.close_arrays(pool, build, &counting, &mut found.forms);
        }
        self.unknown_elsewhere(pool, build, found)
    }

    /// Which way may follow which, if that is known.
    pub(crate) fn follows(&self, pool: &mut TermPool, build: &Build) -> Option<&Follows> {
        let known = (self.known_follows).get_or_init(|| self.query_successors(pool, build));
        known.as_ref()
    }

    /// The objects that iterations write as arrays.
    pub(crate) fn arrays(&self) -> &WrittenArrays {
        &self.memory.arrays
    }

    /// The values that the rules find.
    fn find_forms(
        &self,
        pool: &mut TermPool,
        build: &mut Build,
        rules: Rules,
        bits: u32,
    ) -> Iterated {
        let n = self.executed.len();
        let counters: Vec<SymbolId> = (0..n)
            .map(|index| {
                let name = if n == 1 {
                    "κ".to_owned()
                } else {
                    format!("κ{}", index + 1)
                };
                pool.symbol(&name, Sort::Bv(bits))
            })
            .collect();
        let total = if n == 1 {
            counters[0]
        } else {
            pool.symbol("κ", Sort::Bv(bits))
        };
        let each: Vec<Each> = self
            .executed
            .iter()
            .map(|backbone| Each::of(pool, backbone.unknowns.iter().copied(), bits))
            .collect();
        let effects: Vec<Effect> = self
            .executed
            .iter()
            .map(|backbone| backbone.effect.clone())
            .collect();
        let of = Loop {
            rules,
            effects: &effects,
            each: &each,
            inner: &self.inner,
            counters: &counters,
            total,
        };
        let mut forms = iterate(pool, &build.unknowns, &of);
        if rules == Rules::All && lacks_order(pool, &of, &forms) {
            let order = self.follows(pool, build).and_then(Follows::order);
            if let Some(order) = order {
                in_phases(pool, &build.unknowns, &of, &order, &mut forms);
            }
        }
        Iterated {
            counters,
            total,
            each,
            forms,
            stars: Vec::new(),
        }
    }

    /// ⋆ for variables without a form.
    fn unknown_elsewhere(
        &self,
        pool: &mut TermPool,
        build: &mut Build,
        mut iterated: Iterated,
    ) -> Iterated {
        for symbol in self.symbols.keys() {
            if !iterated.forms.contains_key(symbol) {
                let name = pool.given_name(*symbol).to_owned();
                let (sort, divisor) = (pool.symbol_sort(*symbol), pool.symbol_divisor(*symbol));
                let star = build.unknowns.star(pool, &name, sort, divisor);
                iterated.stars.push(star);
                let form = Form {
                    symbol: *symbol,
                    rule: Rule::Unknown,
                    value: pool.symbol_term(star),
                };
                iterated.forms.insert(*symbol, form);
            }
        }
        iterated
    }

    /// Lines 11 to 18, and what the loop leaves behind.
    pub(super) fn close(
        &self,
        pool: &mut TermPool,
        build: &mut Build,
        induced: &Induced,
        bits: u32,
    ) -> Result<Summary, String> {
        let rules = build.options.rules;
        let mut iterated = self.iterate_with_arrays(pool, build, rules, bits);
        let mut unknowns: Vec<SymbolId> = match rules {
            Rules::OfChains => Vec::new(),
            Rules::OfThePaper | Rules::All => (iterated.each.iter())
                .flat_map(|each| each.arrays.values().copied())
                .collect(),
        };
        let (mut demanded, mut number) = (Vec::new(), iterated.total);
        let mut earlier = Vec::new();
        let conditions = match rules {
            Rules::OfThePaper => self.by_counters(pool, &iterated, &mut unknowns, &mut earlier),
            Rules::All => self.by_positions(pool, build, &iterated, &mut unknowns, &mut earlier),
            Rules::OfChains => {
                (demanded, number) = self.of_each_iteration(pool, build, bits);
                self.one_before(pool, build, &iterated, &self.inner, &mut unknowns)
            }
        };
        earlier.retain(|(array, _)| unknowns.contains(array));
        let mut conditions: Vec<TermId> = conditions
            .into_iter()
            .map(|condition| build.unknowns.weaken(pool, condition, &build.end))
            .collect();
        if iterated.counters.len() > 1 && build.options.rules == Rules::All {
            conditions.push(iterated.total_is_sum(pool));
        }
        if rules == Rules::All
            && let Some(ends) = self.ends(pool, build, &iterated)
        {
            conditions.push(ends.condition);
            unknowns.extend(ends.unknowns);
            for form in ends.forms {
                iterated.forms.insert(form.symbol, form);
            }
        }
        let condition = pool.conj(conditions);
        let mut registers = Vec::new();
        for reg in self.live {
            let value = iterated.after(pool, self.entry.state.frame.get(*reg));
            registers.push((*reg, value));
        }
        let mut before = self.entry.state.memory.clone();
        let mut cells = Vec::new();
        for (object, offset, bytes) in &self.memory.cells {
            let at = build.machine.pointer_sized(pool, *offset);
            let value = before.read(pool, *object, at, *bytes);
            cells.push((*object, *offset, iterated.after(pool, value)));
        }
        let (mut contents, mut aligned) = (Vec::new(), Vec::new());
        for (object, cell_bytes) in &self.memory.whole {
            if let Some((_, symbol)) = self.memory.arrays.content(*object)
                && let Some(form) = iterated.forms.get(&symbol)
                && form.rule != Rule::Unknown
            {
                aligned.push(symbol);
                let content = FlatArray {
                    array: form.value,
                    cell_bytes: *cell_bytes,
                };
                contents.push((*object, content));
                continue;
            }
            let name = pool.given_name(*object).trim_start_matches('&').to_owned();
            let index = pool.width(pool.symbol_term(*object));
            let value = cell_bytes * 8;
            let star = (build.unknowns).star(pool, &name, Sort::Array { index, value }, 1);
            iterated.stars.push(star);
            let content = FlatArray {
                array: pool.symbol_term(star),
                cell_bytes: *cell_bytes,
            };
            contents.push((*object, content));
        }
        let backbones = self.executed.iter().enumerate();
        let backbones = backbones.map(|(way, executed)| LoopBackbone {
            edges: executed.trail.edges.clone(),
            passed: executed.trail.passed.clone(),
            n_backbones: executed.trail.n_backbones,
            counter: iterated.counters[way],
            condition: executed.condition,
            loops: executed.trail.loops.clone(),
            relations: executed.relations.iter().collect(),
            inner: self.inner[way].clone(),
            together: CountedTogether::in_iteration(&self.inner[way], &executed.trail.loops),
            inputs: match rules {
                Rules::OfChains => Vec::new(),
                Rules::OfThePaper | Rules::All => {
                    inputs_of(pool, &executed.trail.state, &iterated.each[way])
                }
            },
        });
        let backbones = backbones.collect();
        let touched = self.memory.whole.keys().copied();
        let touched = touched.chain(self.memory.cells.iter().map(|(object, ..)| *object));
        let pointer_bits = build.machine.program.pointer_bits;
        Ok(Summary {
            entry: self.start,
            nodes: induced.body().cloned().unwrap_or_default(),
            shape: self.entry.shape(pointer_bits, touched),
            symbols: self.entry.symbols(),
            backbones,
            total: iterated.total,
            unknowns,
            earlier,
            stars: iterated.stars,
            forms: iterated.forms.into_values().collect(),
            condition,
            demanded,
            number,
            registers,
            cells,
            contents,
            aligned,
        })
    }
}

impl Iterated {
    /// θ^κ⃗⟨term⟩.
    fn after(&self, pool: &mut TermPool, term: TermId) -> TermId {
        let mut theta: IndexMap<SymbolId, TermId> = self
            .forms
            .iter()
            .map(|(symbol, form)| (*symbol, form.value))
            .collect();
        pool.substitute(term, &mut theta)
    }

    /// θ^κ⃗⟨term⟩ where that depends on the number of all iterations only, and on no unknown of a
    /// single one.
    pub(crate) fn over_total(&self, pool: &mut TermPool, term: TermId) -> Option<TermId> {
        let symbols = pool.symbols_of(term);
        let of_iteration = |symbol: &SymbolId| {
            let mut each = self.each.iter();
            each.any(|each| each.arrays.contains_key(symbol))
        };
        if symbols.iter().any(of_iteration) {
            return None;
        }
        let closed = self.after(pool, term);
        let symbols = pool.symbols_of(closed);
        let is_free = |symbol: &SymbolId| {
            let is_counter = *symbol != self.total && self.counters.contains(symbol);
            let mut each = self.each.iter();
            is_counter
                || self.stars.contains(symbol)
                || each.any(|each| each.arrays.values().any(|array| array == symbol))
        };
        (!symbols.iter().any(is_free)).then_some(closed)
    }

    /// The number of all iterations is the sum of the path counters. It does not wrap: the counters
    /// are wide enough for all iterations.
    fn total_is_sum(&self, pool: &mut TermPool) -> TermId {
        let mut sum = pool.bv(pool.width(pool.symbol_term(self.total)), 0);
        let total = pool.symbol_term(self.total);
        let mut parts = Vec::new();
        for counter in &self.counters {
            let counter = pool.symbol_term(*counter);
            sum = pool.add(sum, counter);
            parts.push(pool.ule(counter, total));
        }
        parts.push(pool.eq(sum, total));
        pool.conj(parts)
    }
}

/// The values that an iteration reads from outside, as arrays, in order; those of loops inside have
/// no place in it.
fn inputs_of(pool: &TermPool, end: &State, each: &Each) -> Vec<(SymbolId, Option<InputSite>)> {
    let inputs = end.inputs.iter().filter_map(|event| match event {
        InputEvent::Value { term, site } => {
            let array = each.arrays.get(&pool.as_symbol(*term)?)?;
            Some((*array, *site))
        }
        InputEvent::Memory { .. } | InputEvent::Iterations { .. } | InputEvent::Either(_) => None,
    });
    let mut inputs: Vec<_> = inputs.collect();
    inputs.reverse();
    inputs
}
