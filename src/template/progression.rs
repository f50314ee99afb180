//! Progressions (recurrences and their solutions): closed forms of variables over iterations.
//!
//! Lines 3 to 18 of Algorithm 1, on demand: only for variables that the path condition or a live variable at
//! an exit needs. All rules are exact modulo 2^w.
//!
//! | rule | one iteration | after κ iterations |
//! |---|---|---|
//! | `unchanged` | a | a |
//! | `arithmetic` (line 9) | a + d, d unchanged | a + κ·d |
//! | `polynomial` | a + d + e·κ | a + κ·d + e·κ(κ−1)/2 |
//! | `geometric` (line 12) | a·c | a·c^κ |
//! | `alternating` | d − a, d unchanged | κ odd: d − a, else a |
//! | `returning` | g(a), g(g(g(a))) = g(a), all else in g unchanged | κ = 0: a; κ odd: g(a), else g(g(a)) |
//! | `sum` | a + d, d with a closed form | a + Σ_{τ<κ} θ*\[τ\](d) |
//! | `flag` | c where γ holds, else a; c unchanged | c where γ has held in some iteration, else a |
//! | `comprehension` | stores at offsets that move | see [`super::comprehension`] |
//! | `frame` | value in frame κ of a recursion | given |
//! | `reset` (line 15) | g over variables with closed forms | ite(κ > 0, θ*\[κ−1\](g), a) |

use super::comprehension::reads_of;
use indexmap::IndexMap;
use term::{Bv, CastOp, Sort, SymbolId, Term, TermId, TermPool};

/// The rule by which a variable got its closed form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rule {
    Unchanged,
    Arithmetic,
    Polynomial,
    Geometric,
    Alternating,
    Returning,
    Sum,
    Flag,
    Comprehension,
    Frame,
    Reset,
}

/// Which rules there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rules {
    /// Those for single cycles.
    OfCycles,
    /// These and those for merged paths: sums and flags.
    OfLoops,
}

impl Rule {
    /// The name that reports cite.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Rule::Unchanged => "unchanged",
            Rule::Arithmetic => "arithmetic",
            Rule::Polynomial => "polynomial",
            Rule::Geometric => "geometric",
            Rule::Alternating => "alternating",
            Rule::Returning => "returning",
            Rule::Sum => "sum",
            Rule::Flag => "flag",
            Rule::Comprehension => "comprehension",
            Rule::Frame => "frame",
            Rule::Reset => "reset",
        }
    }
}

/// A variable with its closed form.
#[derive(Clone, Debug)]
pub struct Progression {
    pub symbol: SymbolId,
    pub rule: Rule,
    /// θ*\[κ\] of the variable, over entry symbols and κ.
    pub value: TermId,
}

/// The effect of one iteration, and the closed forms found so far.
pub struct Progressions {
    /// θ: entry symbol to its value after one iteration; `None` is a value that no rule covers.
    /// Symbols that are not in it do not change.
    pub step: IndexMap<SymbolId, Option<TermId>>,
    /// The inputs of one iteration, with the array that holds those of all iterations.
    pub inputs: IndexMap<SymbolId, SymbolId>,
    /// Symbols of cells that are elements of an array that is written: the reads that they stand
    /// for.
    pub same_as: IndexMap<SymbolId, TermId>,
    /// Array symbols that may be read only at multiples of this number of bytes.
    pub aligned: IndexMap<SymbolId, u64>,
    /// The path counter.
    pub kappa: SymbolId,
    pub rules: Rules,
    known: IndexMap<SymbolId, Found>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    /// Being asked for: a variable that needs itself again has no closed form by these rules.
    Open,
    Closed(Rule, TermId),
    None,
}

/// After how many iterations variables repeat their values.
struct Period {
    /// The bits of a joint period of closed forms; 0 where nothing changes.
    period: u32,
    /// The bits of what later iterations keep of earlier ones.
    carried: u32,
    /// Iterations before the period begins.
    before: u128,
}

/// The variable that has no closed form.
pub struct NoClosedForm(pub SymbolId);

impl Progressions {
    pub fn new(
        step: IndexMap<SymbolId, Option<TermId>>,
        inputs: IndexMap<SymbolId, SymbolId>,
        kappa: SymbolId,
        rules: Rules,
    ) -> Progressions {
        Progressions {
            step,
            inputs,
            same_as: IndexMap::new(),
            aligned: IndexMap::new(),
            kappa,
            rules,
            known: IndexMap::new(),
        }
    }

    /// The closed forms found, in the order in which they were needed.
    pub fn found(&self) -> Vec<Progression> {
        self.known
            .iter()
            .filter_map(|(symbol, found)| match found {
                Found::Closed(rule, value) => Some(Progression {
                    symbol: *symbol,
                    rule: *rule,
                    value: *value,
                }),
                Found::Open | Found::None => None,
            })
            .collect()
    }

    /// θ*\[κ\]⟨term⟩: what `term` is after κ iterations; an input of the iteration becomes that of
    /// iteration κ.
    ///
    /// # Errors
    /// A variable in it that has no closed form.
    pub fn after(&mut self, pool: &mut TermPool, term: TermId) -> Result<TermId, NoClosedForm> {
        let kappa = pool.symbol_term(self.kappa);
        let term = self.resolve_same(pool, term);
        let mut map: IndexMap<SymbolId, TermId> = IndexMap::new();
        for symbol in pool.symbols_of(term).iter().copied() {
            if let Some(divisor) = self.aligned.get(&symbol) {
                let reads = reads_of(pool, symbol, term);
                if reads
                    .iter()
                    .any(|read| !pool.is_multiple_of(*read, *divisor))
                {
                    return Err(NoClosedForm(symbol));
                }
            }
            if let Some(array) = self.inputs.get(&symbol) {
                let array = pool.symbol_term(*array);
                map.insert(symbol, pool.select(array, kappa));
            } else if self.step.contains_key(&symbol) {
                let (_, value) = self.closed_form(pool, symbol)?;
                map.insert(symbol, value);
            }
        }
        Ok(pool.substitute(term, &mut map))
    }

    /// The term with cells of written arrays as reads of the arrays.
    pub fn resolve_same(&self, pool: &mut TermPool, term: TermId) -> TermId {
        if self.same_as.is_empty() {
            return term;
        }
        let mut map: IndexMap<SymbolId, TermId> = self.same_as.clone();
        pool.substitute(term, &mut map)
    }

    /// Whether a symbol has a closed form already.
    pub fn is_closed(&self, symbol: SymbolId) -> bool {
        matches!(self.known.get(&symbol), Some(Found::Closed(..)))
    }

    /// Gives a variable the value that it has in iteration κ.
    pub fn give(&mut self, symbol: SymbolId, value: TermId) {
        self.known.insert(symbol, Found::Closed(Rule::Frame, value));
    }

    /// Takes a variable out again.
    pub fn forget(&mut self, symbol: SymbolId) {
        self.step.shift_remove(&symbol);
        self.known.shift_remove(&symbol);
    }

    /// Whether what is there after all iterations, and whether all iterations are possible, does
    /// not depend on the order of the iterations: what a variable becomes depends on itself, on
    /// what frames hold and on what does not change, and the changes commute.
    pub fn is_order_free(&self, pool: &mut TermPool, path_cond: TermId) -> bool {
        let is_fixed = |symbol: &SymbolId| match self.known.get(symbol) {
            Some(Found::Closed(rule, _)) => matches!(rule, Rule::Frame | Rule::Unchanged),
            Some(Found::Open | Found::None) => false,
            None => !self.step.contains_key(symbol) && !self.inputs.contains_key(symbol),
        };
        let condition = pool.symbols_of(path_cond);
        if !condition.iter().all(is_fixed) {
            return false;
        }
        self.found().iter().all(|found| {
            let commutes = match found.rule {
                Rule::Unchanged | Rule::Frame => return true,
                Rule::Arithmetic
                | Rule::Polynomial
                | Rule::Geometric
                | Rule::Alternating
                | Rule::Returning
                | Rule::Sum
                | Rule::Flag => true,
                Rule::Comprehension | Rule::Reset => false,
            };
            let Some(Some(step)) = self.step.get(&found.symbol) else {
                return false;
            };
            let needs = pool.symbols_of(*step);
            commutes && (needs.iter()).all(|symbol| *symbol == found.symbol || is_fixed(symbol))
        })
    }

    /// Gives an array its closed form.
    pub fn close_array(&mut self, symbol: SymbolId, value: TermId) {
        self.known
            .insert(symbol, Found::Closed(Rule::Comprehension, value));
    }

    /// How many bits number all the states that iterations can lead to, so that a larger number of
    /// iterations reaches nothing new: a joint period of the closed forms, which is a power of two,
    /// a bit more for the iterations before it begins, and the variables through which the inputs
    /// of one iteration decide about later ones (`path_cond` is the condition of an iteration).
    /// Sums and flags keep what all iterations before have done: each value of them is a state of
    /// its own.
    pub(super) fn kappa_bits(&self, pool: &mut TermPool, path_cond: TermId) -> u32 {
        let Period {
            period,
            carried,
            before,
        } = self.period(pool, path_cond);
        // No machine does 2^64 iterations of anything.
        let period = (period.max(1) + carried).min(64);
        let iterations = (1_u128 << period) + before;
        iterations.next_power_of_two().trailing_zeros().min(64)
    }

    /// Whether nothing changes any more after some first iterations, however many follow: the next
    /// ones do what the last one did, unless they read inputs. κ numbers those first ones and one
    /// more.
    pub(super) fn stabilises(&self, pool: &mut TermPool, path_cond: TermId) -> bool {
        let Period {
            period, carried, ..
        } = self.period(pool, path_cond);
        period == 0 && carried == 0
    }

    fn period(&self, pool: &mut TermPool, path_cond: TermId) -> Period {
        let mut period = 0;
        let mut before: u128 = 0;
        let mut carried = 0;
        let relevant = self.relevant_later(pool, path_cond);
        for Progression { symbol, rule, .. } in self.found() {
            let Sort::Bv(width) = pool.symbol_sort(symbol) else {
                continue;
            };
            let step = self.step[&symbol].expect("a variable with a closed form has a step");
            let bits = match rule {
                Rule::Unchanged | Rule::Comprehension | Rule::Frame => 0,
                Rule::Arithmetic => {
                    let start = pool.symbol_term(symbol);
                    let step = pool.sub(step, start);
                    width
                        - pool
                            .as_u64(step)
                            .map_or(0, |step| step.trailing_zeros().min(width - 1))
                }
                Rule::Polynomial => width + 1,
                Rule::Geometric => {
                    before += u128::from(width);
                    width
                }
                Rule::Alternating => 1,
                Rule::Returning => {
                    before += 1;
                    1
                }
                Rule::Sum => {
                    // Over one period of what is added it moves by a constant.
                    carried += width;
                    0
                }
                Rule::Flag => {
                    // It changes once, within one period of what it depends on.
                    carried += 1;
                    0
                }
                Rule::Reset => {
                    // In a chain of resets each takes an iteration.
                    before += 1;
                    if relevant.contains(&symbol) && self.depends_on_inputs(pool, step) {
                        carried += width;
                    }
                    0
                }
            };
            period = period.max(bits);
        }
        Period {
            period,
            carried,
            before,
        }
    }

    /// The variables that decide, at once or in later iterations, whether an iteration continues,
    /// what sums add up or whether flags are raised.
    fn relevant_later(&self, pool: &mut TermPool, path_cond: TermId) -> Vec<SymbolId> {
        let mut open: Vec<SymbolId> = pool.symbols_of(path_cond).to_vec();
        open.extend(self.found().iter().filter_map(|found| {
            matches!(found.rule, Rule::Sum | Rule::Flag).then_some(found.symbol)
        }));
        let mut relevant: Vec<SymbolId> = Vec::new();
        while let Some(symbol) = open.pop() {
            if relevant.contains(&symbol) {
                continue;
            }
            relevant.push(symbol);
            if let Some(Some(step)) = self.step.get(&symbol) {
                open.extend(pool.symbols_of(*step).to_vec());
            }
        }
        relevant
    }

    /// Whether a value of an iteration depends on inputs of this or earlier iterations.
    fn depends_on_inputs(&self, pool: &mut TermPool, value: TermId) -> bool {
        let mut seen: Vec<SymbolId> = Vec::new();
        let mut open: Vec<SymbolId> = pool.symbols_of(value).to_vec();
        while let Some(symbol) = open.pop() {
            if self.inputs.contains_key(&symbol) {
                return true;
            }
            if let Some(step) = self.step.get(&symbol)
                && !seen.contains(&symbol)
            {
                seen.push(symbol);
                open.extend(step.iter().flat_map(|step| pool.symbols_of(*step).to_vec()));
            }
        }
        false
    }

    /// The closed form of a variable, by which rule.
    ///
    /// # Errors
    /// The variable, where no rule applies.
    pub fn closed_form(
        &mut self,
        pool: &mut TermPool,
        symbol: SymbolId,
    ) -> Result<(Rule, TermId), NoClosedForm> {
        match self.known.get(&symbol) {
            Some(Found::Closed(rule, value)) => return Ok((*rule, *value)),
            Some(Found::Open | Found::None) => return Err(NoClosedForm(symbol)),
            None => {}
        }
        self.known.insert(symbol, Found::Open);
        let found = self.derive(pool, symbol);
        match found {
            Some((rule, value)) => {
                self.known.insert(symbol, Found::Closed(rule, value));
                Ok((rule, value))
            }
            None => {
                self.known.insert(symbol, Found::None);
                Err(NoClosedForm(symbol))
            }
        }
    }

    fn derive(&mut self, pool: &mut TermPool, symbol: SymbolId) -> Option<(Rule, TermId)> {
        let start = pool.symbol_term(symbol);
        let step = self.step[&symbol]?;
        if step == start {
            return Some((Rule::Unchanged, start));
        }
        if let Sort::Array { .. } = pool.symbol_sort(symbol) {
            return None;
        }
        self.arithmetic(pool, symbol, start, step)
            .or_else(|| self.geometric(pool, start, step))
            .or_else(|| self.alternating(pool, symbol, start, step))
            .or_else(|| self.returning(pool, symbol, start, step))
            .or_else(|| self.sum(pool, symbol, start, step))
            .or_else(|| self.flag(pool, symbol, start, step))
            .or_else(|| self.reset(pool, symbol, start, step))
    }

    /// a + d where d has a closed form.
    fn sum(
        &mut self,
        pool: &mut TermPool,
        symbol: SymbolId,
        start: TermId,
        step: TermId,
    ) -> Option<(Rule, TermId)> {
        if self.rules != Rules::OfLoops {
            return None;
        }
        let difference = pool.sub(step, start);
        if pool.symbols_of(difference).contains(&symbol) {
            return None;
        }
        let d = self.after(pool, difference).ok()?;
        let (tau, d) = self.in_iteration(pool, d);
        let kappa = pool.symbol_term(self.kappa);
        let sum = pool.sum_below(tau, kappa, d);
        Some((Rule::Sum, pool.add(start, sum)))
    }

    /// c where γ holds and a elsewhere; c is unchanged, γ does not depend on a.
    fn flag(
        &mut self,
        pool: &mut TermPool,
        symbol: SymbolId,
        start: TermId,
        step: TermId,
    ) -> Option<(Rule, TermId)> {
        if self.rules != Rules::OfLoops {
            return None;
        }
        let (raised, value) = raised(pool, start, step)?;
        for part in [raised, value] {
            if pool.symbols_of(part).contains(&symbol) {
                return None;
            }
        }
        if self.mentions_inputs(pool, value) {
            return None;
        }
        let value = self.after(pool, value).ok()?;
        if pool.symbols_of(value).contains(&self.kappa) {
            return None;
        }
        let raised = self.after(pool, raised).ok()?;
        let (tau, raised) = self.in_iteration(pool, raised);
        let kappa = pool.symbol_term(self.kappa);
        let some = pool.exists_below(tau, kappa, raised);
        Some((Rule::Flag, pool.ite(some, value, start)))
    }

    /// A value of iteration κ as that of an iteration τ.
    fn in_iteration(&self, pool: &mut TermPool, value: TermId) -> (SymbolId, TermId) {
        let sort = pool.symbol_sort(self.kappa);
        let tau = pool.symbol("τ", sort);
        let mut at_tau: IndexMap<SymbolId, TermId> =
            IndexMap::from([(self.kappa, pool.symbol_term(tau))]);
        (tau, pool.substitute(value, &mut at_tau))
    }

    /// a + d where d is unchanged, or itself arithmetic.
    fn arithmetic(
        &mut self,
        pool: &mut TermPool,
        symbol: SymbolId,
        start: TermId,
        step: TermId,
    ) -> Option<(Rule, TermId)> {
        let difference = pool.sub(step, start);
        if pool.symbols_of(difference).contains(&symbol) || self.mentions_inputs(pool, difference) {
            return None;
        }
        let kappa = self.kappa_as(pool, pool.width(start));
        let d = self.after(pool, difference).ok()?;
        if !pool.symbols_of(d).contains(&self.kappa) {
            let sum = pool.mul(kappa, d);
            return Some((Rule::Arithmetic, pool.add(start, sum)));
        }
        // Σ_{t<κ} (d₀ + e·t) = κ·d₀ + e·κ(κ−1)/2, where d is linear in κ.
        let mut at_zero = self.at_iteration(pool, 0);
        let d0 = pool.substitute(d, &mut at_zero);
        let mut at_one = self.at_iteration(pool, 1);
        let d1 = pool.substitute(d, &mut at_one);
        let e = pool.sub(d1, d0);
        let slope = pool.mul(kappa, e);
        let linear = pool.add(d0, slope);
        if linear != d {
            return None;
        }
        let iterations = pool.symbol_term(self.kappa);
        let second = pool.triangle_times(iterations, e);
        let first = pool.mul(kappa, d0);
        let sum = pool.add(first, second);
        Some((Rule::Polynomial, pool.add(start, sum)))
    }

    /// a·c for a constant c.
    fn geometric(
        &mut self,
        pool: &mut TermPool,
        start: TermId,
        step: TermId,
    ) -> Option<(Rule, TermId)> {
        let factor = self.factor_of(pool, start, step)?;
        let kappa = pool.symbol_term(self.kappa);
        let power = pool.power(&factor, kappa);
        Some((Rule::Geometric, pool.mul(start, power)))
    }

    /// The constant c with step = c·start.
    fn factor_of(&self, pool: &mut TermPool, start: TermId, step: TermId) -> Option<Bv> {
        let [(coefficient, part)] = pool.linear_terms(step)? else {
            return None;
        };
        let (coefficient, part) = (*coefficient, *part);
        if part != start {
            return None;
        }
        let width = pool.width(start);
        let factor = pool.bv(width, coefficient);
        let product = pool.mul(factor, start);
        (product == step).then(|| Bv::new(width, coefficient))
    }

    /// d − a where d is unchanged: a, d − a, a, …
    fn alternating(
        &mut self,
        pool: &mut TermPool,
        symbol: SymbolId,
        start: TermId,
        step: TermId,
    ) -> Option<(Rule, TermId)> {
        let sum = pool.add(step, start);
        if pool.symbols_of(sum).contains(&symbol) || self.mentions_inputs(pool, sum) {
            return None;
        }
        let sum = self.after(pool, sum).ok()?;
        if pool.symbols_of(sum).contains(&self.kappa) {
            return None;
        }
        let kappa = pool.symbol_term(self.kappa);
        let odd = pool.extract(0, 1, kappa);
        let other = pool.sub(sum, start);
        Some((Rule::Alternating, pool.ite(odd, other, start)))
    }

    /// g(a) where g three times is g once, and nothing else in it changes: a flag that is toggled, bits that are
    /// masked, the larger of two numbers.
    fn returning(
        &mut self,
        pool: &mut TermPool,
        symbol: SymbolId,
        start: TermId,
        step: TermId,
    ) -> Option<(Rule, TermId)> {
        let needs = pool.symbols_of(step);
        let is_fixed = |other: &SymbolId| {
            let step = self.step.get(other).copied();
            *other == symbol
                || step.is_none_or(|step| step == Some(pool.symbol_term(*other)))
                    && !self.inputs.contains_key(other)
        };
        if !needs.contains(&symbol) || !needs.iter().all(is_fixed) {
            return None;
        }
        let again = |pool: &mut TermPool, value| {
            pool.substitute(step, &mut IndexMap::from([(symbol, value)]))
        };
        let twice = again(pool, step);
        if again(pool, twice) != step {
            return None;
        }
        let kappa = pool.symbol_term(self.kappa);
        let odd = pool.extract(0, 1, kappa);
        let later = pool.ite(odd, step, twice);
        if twice == start {
            return Some((Rule::Returning, later));
        }
        let zero = pool.bv(pool.width(kappa), 0);
        let is_first = pool.eq(kappa, zero);
        Some((Rule::Returning, pool.ite(is_first, start, later)))
    }

    /// ite(κ > 0, θ*\[κ−1\](g), a).
    fn reset(
        &mut self,
        pool: &mut TermPool,
        symbol: SymbolId,
        start: TermId,
        step: TermId,
    ) -> Option<(Rule, TermId)> {
        if pool.symbols_of(step).contains(&symbol) {
            return None;
        }
        let at_kappa = self.after(pool, step).ok()?;
        let kappa = pool.symbol_term(self.kappa);
        let one = pool.bv(pool.width(kappa), 1);
        let previous = pool.sub(kappa, one);
        let mut map: IndexMap<SymbolId, TermId> = IndexMap::from([(self.kappa, previous)]);
        let value = pool.substitute(at_kappa, &mut map);
        let zero = pool.bv(pool.width(kappa), 0);
        let first = pool.eq(kappa, zero);
        Some((Rule::Reset, pool.ite(first, start, value)))
    }

    fn mentions_inputs(&self, pool: &mut TermPool, term: TermId) -> bool {
        pool.symbols_of(term)
            .iter()
            .any(|symbol| self.inputs.contains_key(symbol))
    }

    fn at_iteration(&self, pool: &mut TermPool, iteration: u64) -> IndexMap<SymbolId, TermId> {
        let bits = pool.width(pool.symbol_term(self.kappa));
        IndexMap::from([(self.kappa, pool.bv(bits, iteration))])
    }

    /// κ in another width: its low bits, or zeros above.
    fn kappa_as(&self, pool: &mut TermPool, width: u32) -> TermId {
        let kappa = pool.symbol_term(self.kappa);
        let op = if pool.width(kappa) > width {
            CastOp::Trunc
        } else {
            CastOp::ZExt
        };
        pool.cast(op, width, kappa)
    }
}

/// The condition under which `step` is not `start`, and what it is then: one term, in whichever
/// case of a case distinction.
pub(super) fn raised(pool: &mut TermPool, start: TermId, step: TermId) -> Option<(TermId, TermId)> {
    if pool.width(start) == 1 {
        // A case distinction of truth values is a disjunction or a conjunction.
        let mut others = pool.disjuncts(step);
        if others.contains(&start) {
            others.retain(|part| *part != start);
            return Some((pool.disj(others), TermId::TRUE));
        }
        let mut others = pool.conjuncts(step);
        if others.contains(&start) {
            others.retain(|part| *part != start);
            let kept = pool.conj(others);
            return Some((pool.not(kept), TermId::FALSE));
        }
    }
    let Term::Ite(condition, then, otherwise) = pool.view(step) else {
        return None;
    };
    let case = |pool: &mut TermPool, value: TermId| {
        if value == start {
            Some((TermId::FALSE, None))
        } else if matches!(pool.view(value), Term::Ite(..)) {
            raised(pool, start, value).map(|(raised, value)| (raised, Some(value)))
        } else {
            Some((TermId::TRUE, Some(value)))
        }
    };
    let (raised_then, value_then) = case(pool, then)?;
    let (raised_otherwise, value_otherwise) = case(pool, otherwise)?;
    let value = match (value_then, value_otherwise) {
        (Some(one), Some(other)) if one != other => return None,
        (one, other) => one.or(other)?,
    };
    Some((pool.ite(condition, raised_then, raised_otherwise), value))
}
