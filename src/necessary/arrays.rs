//! Arrays that the iterations of a loop write, as comprehensions.
//!
//! If all backbones write an array in the same way, or only one writes it, its content after κ⃗ iterations
//! depends on one counter only: the number of all iterations, or that of the writing backbone. Then the rule
//! of templates applies: cell j holds the value written by the only iteration that reaches it, or its old
//! value. In all other cases the content is ⋆.
//!
//! # Source
//! ISSTA 2012, Section 5 (mutable arrays are supported); the closed form is that of
//! [`template::WrittenArrays`].

use super::build::Build;
use super::each::Each;
use super::forms::{Effect, Form, Rule};
use super::summary::Closing;
use indexmap::IndexMap;
use memory::ObjectId;
use semantics::{Admission, Oracle, PathCondition};
use solver::Answer;
use template::{Progressions, Rule as TemplateRule, Rules as TemplateRules, reads_of};
use term::{Sort, SymbolId, TermId, TermPool};

/// The counters of a loop, and the unknowns that iterations have by them.
pub(super) struct Counting<'a> {
    pub each: &'a [Each],
    pub counters: &'a [SymbolId],
    pub total: SymbolId,
}

/// Iterations that write an array: all, or those along one backbone.
struct Writers {
    step: TermId,
    counter: SymbolId,
    /// The backbone, where its unknowns are those of all of these iterations.
    way: Option<usize>,
    /// The condition of each.
    condition: TermId,
}

impl Closing<'_> {
    /// The closed forms of arrays, and of single cells of them, in addition to those of other variables.
    pub(super) fn close_arrays(
        &self,
        pool: &mut TermPool,
        build: &Build,
        counting: &Counting,
        forms: &mut IndexMap<SymbolId, Form>,
    ) {
        let mut oracle = Apart(build);
        let mut open: Vec<ObjectId> = self.arrays().objects().collect();
        // An array may take values of another one, which then comes first.
        loop {
            let n_open = open.len();
            open.retain(|object| {
                build.end.is_reached(pool)
                    || !self.close_array(pool, &mut oracle, counting, *object, forms)
            });
            if open.is_empty() || open.len() == n_open {
                return;
            }
        }
    }

    /// Gives an array its form; false where it has none, or not yet.
    fn close_array(
        &self,
        pool: &mut TermPool,
        oracle: &mut Apart,
        counting: &Counting,
        object: ObjectId,
        forms: &mut IndexMap<SymbolId, Form>,
    ) -> bool {
        let Some((bytes, content)) = self.arrays().content(object) else {
            return false;
        };
        let Some(writers) = self.writers(pool, counting, content) else {
            return false;
        };
        if !self.is_aligned(pool, content, u64::from(bytes)) {
            return false;
        }
        let mut progressions = self.progressions(pool, counting, &writers, content, forms);
        let condition = writers.condition;
        let arrays = self.arrays();
        let closed = arrays.close_alone(pool, oracle, &mut progressions, object, condition);
        let Some(value) = closed else {
            return false;
        };
        let rule = Rule::Each(TemplateRule::Comprehension);
        let mut give = |symbol, value| {
            let form = Form {
                symbol,
                rule,
                value,
            };
            forms.insert(symbol, form);
        };
        give(content, value);
        let mut after = IndexMap::from([(content, value)]);
        for (cell, read) in arrays.cells_of(pool, object) {
            give(cell, pool.substitute(read, &mut after));
        }
        true
    }

    /// Which iterations write an array; `None` where more than one counter matters.
    fn writers(
        &self,
        pool: &mut TermPool,
        counting: &Counting,
        content: SymbolId,
    ) -> Option<Writers> {
        let steps = self.executed.iter().map(|executed| {
            let step = executed.effect.get(&content);
            step.copied().flatten()
        });
        let steps: Vec<TermId> = steps.collect::<Option<_>>()?;
        let unchanged = pool.symbol_term(content);
        if steps.iter().all(|step| *step == steps[0]) {
            let common = self.common(pool);
            return Some(Writers {
                step: steps[0],
                counter: counting.total,
                way: (steps.len() == 1).then_some(0),
                condition: pool.conj(common),
            });
        }
        let mut ways = (0..steps.len()).filter(|way| steps[*way] != unchanged);
        let way = ways.next()?;
        if ways.next().is_some() {
            return None;
        }
        Some(Writers {
            step: steps[way],
            counter: counting.counters[way],
            way: Some(way),
            condition: self.executed[way].condition,
        })
    }

    /// Whether iterations read a content at multiples of the width of its cells only.
    fn is_aligned(&self, pool: &mut TermPool, content: SymbolId, bytes: u64) -> bool {
        self.executed.iter().all(|executed| {
            let values = executed.effect.values().flatten().copied();
            let mut terms = values.chain([executed.condition]);
            terms.all(|term| {
                let reads = reads_of(pool, content, term);
                reads.iter().all(|read| pool.is_multiple_of(*read, bytes))
            })
        })
    }

    /// What variables hold in an iteration of the writers, as far as that depends on their counter
    /// only.
    fn progressions(
        &self,
        pool: &mut TermPool,
        counting: &Counting,
        writers: &Writers,
        content: SymbolId,
        forms: &IndexMap<SymbolId, Form>,
    ) -> Progressions {
        let all = counting.counters.iter().chain([&counting.total]);
        let others: Vec<SymbolId> = all
            .filter(|other| **other != writers.counter)
            .copied()
            .collect();
        let mut step: Effect = self.symbols.keys().map(|s| (*s, None)).collect();
        step.insert(content, Some(writers.step));
        let mut inputs = IndexMap::new();
        for (way, each) in counting.each.iter().enumerate() {
            for (unknown, array) in &each.arrays {
                let is_value = matches!(pool.symbol_sort(*unknown), Sort::Bv(_));
                if is_value && writers.way == Some(way) {
                    inputs.insert(*unknown, *array);
                    step.shift_remove(unknown);
                } else if !inputs.contains_key(unknown) {
                    step.insert(*unknown, None);
                }
            }
        }
        let rules = TemplateRules::OfLoops;
        let mut progressions = Progressions::new(step, inputs, writers.counter, rules);
        for (symbol, form) in forms {
            let mentioned = pool.symbols_of(form.value);
            let each = counting.each.iter().enumerate();
            let of_others = each
                .filter(|(way, _)| writers.way != Some(*way))
                .flat_map(|(_, each)| each.arrays.values());
            let depends = others
                .iter()
                .chain(of_others)
                .any(|other| mentioned.contains(other));
            if !depends && *symbol != content {
                progressions.give(*symbol, form.value);
            }
        }
        progressions
    }
}

/// The solver decides whether two iterations reach the same cell.
struct Apart<'a>(&'a Build<'a, 'a>);

impl Oracle for Apart<'_> {
    fn admits(
        &mut self,
        pool: &mut TermPool,
        path_cond: &PathCondition,
        condition: TermId,
    ) -> Admission {
        let mut conjuncts = path_cond.to_vec();
        conjuncts.extend(pool.conjuncts(condition));
        let Apart(build) = self;
        match build.ask(pool, &conjuncts, build.options.apart) {
            Answer::Sat(_) => Admission::Feasible,
            Answer::Unsat(_) => Admission::Infeasible,
            Answer::Unknown(_) => Admission::Unknown,
        }
    }
}
