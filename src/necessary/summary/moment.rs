//! Conditions of all iterations: the condition of one iteration, at each moment.

use super::{Closing, Iterated};
use crate::build::Build;
use crate::each::AtIteration;
use crate::simpler::Earlier;
use indexmap::IndexMap;
use term::{Sort, SymbolId, TermId, TermPool};

impl Closing<'_> {
    /// ψᵢ ≡ ∀τᵢ<κᵢ ∃τ⃗ᵢ≤κ⃗ᵢ ∃κ⃗′ᵢ. γᵢ for each backbone (line 16).
    pub(super) fn by_counters(
        &self,
        pool: &mut TermPool,
        iterated: &Iterated,
        unknowns: &mut Vec<SymbolId>,
        earlier: &mut Vec<(SymbolId, Earlier)>,
    ) -> Vec<TermId> {
        let mut conditions = Vec::new();
        for (way, executed) in self.executed.iter().enumerate() {
            let mut at = Moment::of(pool, iterated, way);
            let gamma = at.holds(pool, iterated, executed.condition);
            let counters = at.others(pool, iterated, unknowns);
            earlier.extend(at.earlier(iterated));
            let mut body = vec![gamma];
            for (other, before) in counters {
                let kappa = pool.symbol_term(other);
                body.push(pool.ule(before, kappa));
            }
            conditions.push(at.in_all_iterations(pool, iterated, body));
        }
        conditions
    }

    /// What all backbones demand holds in all iterations; further conditions of each hold in its iterations,
    /// whose positions among all iterations grow.
    pub(super) fn by_positions(
        &self,
        pool: &mut TermPool,
        build: &mut Build,
        iterated: &Iterated,
        unknowns: &mut Vec<SymbolId>,
        earlier: &mut Vec<(SymbolId, Earlier)>,
    ) -> Vec<TermId> {
        if self.executed.len() == 1 {
            return self.by_counters(pool, iterated, unknowns, earlier);
        }
        let common: Vec<(TermId, TermId)> = self
            .common(pool)
            .into_iter()
            .filter_map(|conjunct| Some((conjunct, iterated.over_total(pool, conjunct)?)))
            .collect();
        let closed: Vec<TermId> = common.iter().map(|(_, closed)| *closed).collect();
        let closed = pool.conj(closed);
        let total = pool.symbol_term(iterated.total);
        let tau = pool.symbol("τ", pool.symbol_sort(iterated.total));
        let mut at_tau = IndexMap::from([(iterated.total, pool.symbol_term(tau))]);
        let closed = pool.substitute(closed, &mut at_tau);
        let mut conditions = vec![pool.forall_below(tau, total, closed)];
        for (way, executed) in self.executed.iter().enumerate() {
            let own = pool.conjuncts(executed.condition).into_iter();
            let own: Vec<TermId> = own
                .filter(|conjunct| common.iter().all(|(common, _)| common != conjunct))
                .collect();
            let own = pool.conj(own);
            let mut at = Moment::of(pool, iterated, way);
            let gamma = at.holds(pool, iterated, own);
            let gamma = build.unknowns.weaken(pool, gamma, &build.end);
            let others = at.others(pool, iterated, unknowns);
            earlier.extend(at.earlier(iterated));
            let mut body = vec![gamma];
            if !pool.is_true(gamma) {
                body.extend(at.position_holds(pool, iterated, &others, unknowns));
            }
            conditions.push(at.in_all_iterations(pool, iterated, body));
        }
        conditions
    }
}

/// The moment before an iteration along one backbone.
struct Moment {
    way: usize,
    /// τᵢ.
    tau: SymbolId,
    /// τⱼ for the others, as functions of τᵢ.
    before: IndexMap<SymbolId, SymbolId>,
    /// The number of all iterations before, likewise.
    position: Option<SymbolId>,
    needs_others: Vec<SymbolId>,
    needs_position: bool,
}

impl Moment {
    fn of(pool: &mut TermPool, iterated: &Iterated, way: usize) -> Moment {
        let sort = pool.symbol_sort(iterated.total);
        let name = if iterated.counters.len() == 1 {
            "τ".to_owned()
        } else {
            format!("τ{}", way + 1)
        };
        Moment {
            way,
            tau: pool.symbol(&name, sort),
            before: IndexMap::new(),
            position: None,
            needs_others: Vec::new(),
            needs_position: false,
        }
    }

    /// The facts about its arrays.
    fn earlier(&self, iterated: &Iterated) -> Vec<(SymbolId, Earlier)> {
        let before = self.before.iter().map(|(kappa, array)| {
            let along = iterated.counters.iter().position(|other| other == kappa);
            (*array, along)
        });
        let position = self.position.iter().map(|array| (*array, None));
        let way = self.way;
        let all = before.chain(position);
        all.map(|(array, along)| (array, Earlier { way, along }))
            .collect()
    }

    /// γᵢ: a condition of the iteration, over entry symbols of the loop.
    fn holds(&mut self, pool: &mut TermPool, iterated: &Iterated, condition: TermId) -> TermId {
        let tau = pool.symbol_term(self.tau);
        let counter = iterated.counters[self.way];
        let bits = pool.width(tau);
        let mut at_tau: IndexMap<SymbolId, TermId> = IndexMap::from([(counter, tau)]);
        let of_tau = Sort::Array {
            index: bits,
            value: bits,
        };
        if iterated.counters.len() > 1 {
            for (other, kappa) in iterated.counters.iter().enumerate() {
                if other != self.way {
                    let array = pool.symbol(&format!("τ{}", other + 1), of_tau);
                    self.before.insert(*kappa, array);
                    let array = pool.symbol_term(array);
                    at_tau.insert(*kappa, pool.select(array, tau));
                }
            }
            let array = pool.symbol("position", of_tau);
            self.position = Some(array);
            let array = pool.symbol_term(array);
            at_tau.insert(iterated.total, pool.select(array, tau));
        }
        let mut values: IndexMap<SymbolId, TermId> = IndexMap::new();
        for (symbol, form) in &iterated.forms {
            values.insert(*symbol, pool.substitute(form.value, &mut at_tau));
        }
        let mut at = AtIteration {
            values,
            each: &iterated.each[self.way],
            iteration: tau,
        };
        let gamma = pool.substitute(condition, &mut at);
        let symbols = pool.symbols_of(gamma);
        self.needs_others = (self.before.iter())
            .filter(|(_, array)| symbols.contains(array))
            .map(|(kappa, _)| *kappa)
            .collect();
        self.needs_position = self.position.is_some_and(|array| symbols.contains(&array));
        gamma
    }

    /// κⱼ and τⱼ for the other backbones whose numbers of iterations matter.
    fn others(
        &self,
        pool: &mut TermPool,
        iterated: &Iterated,
        unknowns: &mut Vec<SymbolId>,
    ) -> Vec<(SymbolId, TermId)> {
        let tau = pool.symbol_term(self.tau);
        let mut others = Vec::new();
        for kappa in &iterated.counters {
            if self.needs_others.contains(kappa) {
                let array = self.before[kappa];
                unknowns.push(array);
                let array = pool.symbol_term(array);
                others.push((*kappa, pool.select(array, tau)));
            }
        }
        others
    }

    /// What is known of the position, and of how it grows.
    fn position_holds(
        &self,
        pool: &mut TermPool,
        iterated: &Iterated,
        others: &[(SymbolId, TermId)],
        unknowns: &mut Vec<SymbolId>,
    ) -> Vec<TermId> {
        let Some(array) = self
            .position
            .filter(|_| self.needs_position || !others.is_empty())
        else {
            return Vec::new();
        };
        unknowns.push(array);
        let array = pool.symbol_term(array);
        let tau = pool.symbol_term(self.tau);
        let bits = pool.width(tau);
        let position = pool.select(array, tau);
        let total = pool.symbol_term(iterated.total);
        let mut holds = vec![pool.ult(position, total)];
        // Iterations before: τᵢ along this backbone, and τⱼ, at most κⱼ, along the others.
        let mut at_least = tau;
        for (kappa, before) in others {
            let kappa = pool.symbol_term(*kappa);
            holds.push(pool.ule(*before, kappa));
            at_least = pool.add(at_least, *before);
        }
        let all_others = others.len() + 1 == iterated.counters.len();
        holds.push(if all_others {
            pool.eq(position, at_least)
        } else {
            pool.ule(at_least, position)
        });
        let own = pool.symbol_term(iterated.counters[self.way]);
        let left = pool.sub(own, tau);
        let end = pool.add(position, left);
        holds.push(pool.ule(end, total));
        // The next iteration along this backbone comes later.
        let one = pool.bv(bits, 1);
        let next = pool.add(tau, one);
        let next_position = pool.select(array, next);
        let grows = pool.ult(position, next_position);
        let is_last = pool.ule(own, next);
        holds.push(pool.or(is_last, grows));
        holds
    }

    /// ∀τᵢ < κᵢ.
    fn in_all_iterations(
        &self,
        pool: &mut TermPool,
        iterated: &Iterated,
        body: Vec<TermId>,
    ) -> TermId {
        let body = pool.conj(body);
        let kappa = pool.symbol_term(iterated.counters[self.way]);
        pool.forall_below(self.tau, kappa, body)
    }
}
