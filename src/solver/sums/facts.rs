//! Facts about bounded sums, for an abstraction in which sums are unknown numbers.
//!
//! For s = Στ<κ. d(τ) of w bits, d between l and m (by intervals, of τ below the greatest κ too):
//! - `nothing`: κ = 0 → s = 0;
//! - `bounds`: l·κ ≤ s ≤ m·κ, where m·κ does not overflow; likewise signed;
//! - `ends`: κ ≠ 0 → s = d(κ − 1) + Στ<κ−1. d(τ), and s = d(0) + Στ<κ−1. d(τ + 1);
//! - `some`: s ≠ 0 → d(τ₀) ≠ 0 for an iteration τ₀ < κ, a new symbol; for truth values d also
//!   s ≠ κ → d(τ₁) = 0 for an iteration τ₁ < κ, where κ fits into w bits.
//!
//! For two sums of truth values g, h over the same limit:
//! - `disjoint`: pairwise disjoint guards: the sum of their sums is at most κ; exactly κ if one of
//!   them always holds;
//! - `implied`: g → h: the sum of g is at most that of h.
//!
//! For two sums of the same d over κ and λ:
//! - `monotone`: κ = λ → the sums are equal; κ ≤ λ → 0 ≤ the difference ≤ m·(λ − κ), where m·λ does
//!   not overflow.
//!
//! All hold for every assignment and some value of the new symbols.

use rustc_hash::FxHashMap;

use crate::quantifiers::resize;
use crate::{Limits, Query, Solver};
use term::{CastOp, Sort, Term, TermId, TermPool};

/// Sums that are compared with each other.
const MAX_COMPARED: usize = 12;

/// State kept between queries.
#[derive(Default)]
pub(super) struct Facts {
    /// Variables of binders, by the number of binders around and width.
    variables: FxHashMap<(usize, u32), TermId>,
    /// Iterations whose summand is not 0, or not 1.
    witnesses: FxHashMap<(TermId, bool), TermId>,
    /// Whether truth values have no common model.
    contradictions: FxHashMap<Vec<TermId>, bool>,
}

/// A sum taken apart.
#[derive(Clone, Copy)]
struct SumParts {
    term: TermId,
    limit: TermId,
    body: TermId,
    /// Of an iteration with no more bits than the limit has: for its bounds.
    summand: TermId,
    width: u32,
    limit_width: u32,
    /// Greatest summand; `None` when nothing is known.
    most: Option<u64>,
    least: u64,
    /// All summands are 0 or 1, extended from a truth value.
    is_count: bool,
}

impl SumParts {
    /// Of at most 64 bits, as its limit.
    fn of(pool: &mut TermPool, facts: &mut Facts, term: TermId) -> Option<SumParts> {
        let Term::SumBelow { limit, body } = pool.view(term) else {
            return None;
        };
        let (width, limit_width) = (pool.width(term), pool.width(limit));
        if width > 64 || limit_width > 64 {
            return None;
        }
        let summand = facts.summand(pool, term, limit);
        let most = pool.umax(summand);
        let is_count = matches!(
            pool.view(body),
            Term::Cast(CastOp::ZExt, truth) if pool.width(truth) == 1
        );
        Some(SumParts {
            term,
            limit,
            body,
            summand,
            width,
            limit_width,
            most: (most < ones(width)).then_some(most),
            least: pool.umin(summand),
            is_count,
        })
    }

    /// factor·n does not overflow the bits of the sum below `top`, for n as wide as the limit.
    fn fits(&self, pool: &mut TermPool, n: TermId, factor: u64, top: u64) -> TermId {
        let most = top.checked_div(factor).unwrap_or(u64::MAX);
        if most >= ones(self.limit_width) {
            return TermId::TRUE;
        }
        let most = pool.bv(self.limit_width, most);
        pool.ule(n, most)
    }

    /// factor·n in the bits of the sum.
    fn scaled(&self, pool: &mut TermPool, n: TermId, factor: u64) -> TermId {
        let n = resize(pool, n, self.width);
        let factor = pool.bv(self.width, factor);
        pool.mul(factor, n)
    }
}

fn ones(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

impl Facts {
    /// Facts about closed sums; with sums themselves, all closed. Each query below has the work
    /// of the limits.
    pub(super) fn about(
        &mut self,
        pool: &mut TermPool,
        below: &mut dyn Solver,
        limits: &Limits,
        sums: &[TermId],
    ) -> Vec<TermId> {
        let mut facts = Vec::new();
        let sums: Vec<SumParts> = (sums.iter())
            .filter_map(|sum| SumParts::of(pool, self, *sum))
            .collect();
        for sum in &sums {
            simple(pool, sum, &mut facts);
            let variable = self.variable(pool, 0, sum.limit_width);
            self.ends(pool, sum, variable, &mut facts);
            self.some(pool, sum, &mut facts);
        }
        let compared = &sums[..sums.len().min(MAX_COMPARED)];
        for (position, a) in compared.iter().enumerate() {
            for b in &compared[position + 1..] {
                if a.body == b.body && a.limit_width == b.limit_width && a.limit != b.limit {
                    monotone(pool, a, b, &mut facts);
                    monotone(pool, b, a, &mut facts);
                }
            }
        }
        self.counts(pool, below, limits, compared, &mut facts);
        facts.retain(|fact| *fact != TermId::TRUE);
        facts
    }

    /// A variable of this width for the iterations of a binder below so many others.
    pub(super) fn variable(&mut self, pool: &mut TermPool, depth: usize, width: u32) -> TermId {
        *self
            .variables
            .entry((depth, width))
            .or_insert_with(|| pool.fresh("iteration", Sort::Bv(width)))
    }

    /// A summand, of an iteration with no more bits than the limit has.
    fn summand(&mut self, pool: &mut TermPool, sum: TermId, limit: TermId) -> TermId {
        let width = pool.width(limit);
        let last = pool.umax(limit).saturating_sub(1);
        let bits = (u64::BITS - last.leading_zeros()).clamp(1, width);
        let variable = self.variable(pool, 0, bits);
        let iteration = resize(pool, variable, width);
        pool.instantiate(sum, iteration)
    }

    fn witness(&mut self, pool: &mut TermPool, sum: &SumParts, zero: bool) -> TermId {
        *self
            .witnesses
            .entry((sum.term, zero))
            .or_insert_with(|| pool.fresh("iteration", Sort::Bv(sum.limit_width)))
    }

    /// `tau` is a symbol for the variable, which occurs nowhere else.
    fn ends(&mut self, pool: &mut TermPool, sum: &SumParts, tau: TermId, facts: &mut Vec<TermId>) {
        // fact: ends
        let (no_iteration, one) = (pool.bv(sum.limit_width, 0), pool.bv(sum.limit_width, 1));
        let some = pool.ne(sum.limit, no_iteration);
        let previous = pool.sub(sum.limit, one);
        let symbol = pool.as_symbol(tau).expect("a symbol was made");
        let here = pool.instantiate(sum.term, tau);
        let next = pool.add(tau, one);
        let there = pool.instantiate(sum.term, next);
        for (shifted, iteration) in [(here, previous), (there, no_iteration)] {
            let rest = pool.sum_below(symbol, previous, shifted);
            let summand = pool.instantiate(sum.term, iteration);
            let total = pool.add(rest, summand);
            let equal = pool.eq(sum.term, total);
            facts.push(pool.implies(some, equal));
            let mut inner = Vec::new();
            if let Some(rest) = SumParts::of(pool, self, rest) {
                simple(pool, &rest, &mut inner);
            }
            for fact in inner {
                facts.push(pool.implies(some, fact));
            }
        }
    }

    fn some(&mut self, pool: &mut TermPool, sum: &SumParts, facts: &mut Vec<TermId>) {
        // fact: some
        let zero = pool.bv(sum.width, 0);
        let iteration = self.witness(pool, sum, false);
        let inside = pool.ult(iteration, sum.limit);
        let summand = pool.instantiate(sum.term, iteration);
        let counts = pool.ne(summand, zero);
        let there = pool.and(inside, counts);
        let is_something = pool.ne(sum.term, zero);
        facts.push(pool.implies(is_something, there));
        if sum.is_count {
            let iteration = self.witness(pool, sum, true);
            let inside = pool.ult(iteration, sum.limit);
            let summand = pool.instantiate(sum.term, iteration);
            let misses = pool.eq(summand, zero);
            let there = pool.and(inside, misses);
            let all = sum.scaled(pool, sum.limit, 1);
            let not_all = pool.ne(sum.term, all);
            let fits = sum.fits(pool, sum.limit, 1, ones(sum.width));
            let not_all = pool.and(fits, not_all);
            facts.push(pool.implies(not_all, there));
        }
    }

    /// Facts about several sums of truth values over the same limit.
    fn counts(
        &mut self,
        pool: &mut TermPool,
        below: &mut dyn Solver,
        limits: &Limits,
        sums: &[SumParts],
        facts: &mut Vec<TermId>,
    ) {
        let mut groups: Vec<Vec<SumParts>> = Vec::new();
        for sum in sums.iter().filter(|sum| sum.is_count) {
            let group = groups
                .iter_mut()
                .find(|group| group[0].limit == sum.limit && group[0].width == sum.width);
            match group {
                Some(group) => group.push(*sum),
                None => groups.push(vec![*sum]),
            }
        }
        for group in groups.iter().filter(|group| group.len() > 1) {
            let guards: Vec<TermId> = group.iter().map(|sum| self.guard(pool, sum)).collect();
            self.disjoint(pool, below, limits, group, &guards, facts);
            for (i, j) in (0..group.len()).flat_map(|i| (0..group.len()).map(move |j| (i, j))) {
                // fact: implied
                let not_j = pool.not(guards[j]);
                if i != j && self.contradict(pool, below, limits, &[guards[i], not_j]) {
                    let less = pool.ule(group[i].term, group[j].term);
                    let fits = group[j].fits(pool, group[j].limit, 1, ones(group[j].width));
                    facts.push(pool.implies(fits, less));
                }
            }
        }
    }

    /// The truth value that a sum counts, at the variable of its width.
    fn guard(&mut self, pool: &mut TermPool, sum: &SumParts) -> TermId {
        let variable = self.variable(pool, 0, sum.limit_width);
        let summand = pool.instantiate(sum.term, variable);
        let zero = pool.bv(sum.width, 0);
        pool.ne(summand, zero)
    }

    fn disjoint(
        &mut self,
        pool: &mut TermPool,
        below: &mut dyn Solver,
        limits: &Limits,
        group: &[SumParts],
        guards: &[TermId],
        facts: &mut Vec<TermId>,
    ) {
        // fact: disjoint
        let mut used = vec![false; group.len()];
        for first in 0..group.len() {
            if used[first] {
                continue;
            }
            // Greedily: whatever excludes all that are in it.
            let mut clique = vec![first];
            for other in 0..group.len() {
                let apart = other != first
                    && clique.iter().all(|member| {
                        self.contradict(pool, below, limits, &[guards[*member], guards[other]])
                    });
                if apart {
                    clique.push(other);
                }
            }
            if clique.len() < 2 {
                continue;
            }
            clique.iter().for_each(|member| used[*member] = true);
            let none: Vec<TermId> = clique.iter().map(|i| pool.not(guards[*i])).collect();
            let exhaustive = self.contradict(pool, below, limits, &none);
            let zero = pool.bv(group[first].width, 0);
            let total = clique
                .iter()
                .fold(zero, |total, i| pool.add(total, group[*i].term));
            let sum = &group[first];
            let iterations = sum.scaled(pool, sum.limit, 1);
            if exhaustive {
                // Modulo 2^w, whatever the limit.
                facts.push(pool.eq(total, iterations));
            }
            let fits = sum.fits(pool, sum.limit, 1, ones(sum.width));
            let most = pool.ule(total, iterations);
            facts.push(pool.implies(fits, most));
            // The parts do not wrap either.
            for member in &clique {
                let rest = pool.sub(iterations, group[*member].term);
                let others = pool.sub(total, group[*member].term);
                let most = pool.ule(others, rest);
                facts.push(pool.implies(fits, most));
            }
        }
    }

    /// True only if truth values cannot hold together.
    pub(super) fn contradict(
        &mut self,
        pool: &mut TermPool,
        below: &mut dyn Solver,
        limits: &Limits,
        truths: &[TermId],
    ) -> bool {
        let both = pool.conj(truths.iter().copied());
        if both == TermId::FALSE {
            return true;
        }
        if both == TermId::TRUE || pool.has_sum(both) {
            return false;
        }
        let mut key = pool.conjuncts(both);
        key.sort_unstable();
        if let Some(known) = self.contradictions.get(&key) {
            return *known;
        }
        let limits = match limits.work {
            Some(work) => limits.within_work(pool, work),
            None => limits.clone(),
        };
        let answer = below.check(pool, &Query::new(&key, &limits)).is_unsat();
        self.contradictions.insert(key, answer);
        answer
    }
}

fn simple(pool: &mut TermPool, sum: &SumParts, facts: &mut Vec<TermId>) {
    // fact: nothing
    let (no_iteration, zero) = (pool.bv(sum.limit_width, 0), pool.bv(sum.width, 0));
    let never = pool.eq(sum.limit, no_iteration);
    let nothing = pool.eq(sum.term, zero);
    facts.push(pool.implies(never, nothing));
    // fact: bounds
    if let Some(most) = sum.most {
        let fits = sum.fits(pool, sum.limit, most, ones(sum.width));
        let top = sum.scaled(pool, sum.limit, most);
        let mut bounded = pool.ule(sum.term, top);
        if sum.least > 0 {
            let bottom = sum.scaled(pool, sum.limit, sum.least);
            let above = pool.ule(bottom, sum.term);
            bounded = pool.and(bounded, above);
        }
        facts.push(pool.implies(fits, bounded));
    }
    let (low, high) = pool.signed_bounds(sum.summand);
    let half = ones(sum.width) >> 1;
    let size = low.unsigned_abs().max(high.unsigned_abs());
    if low < 0 && size <= half {
        let fits = sum.fits(pool, sum.limit, size, half);
        let bottom = pool.bv_signed(sum.width, low);
        let top = pool.bv_signed(sum.width, high);
        let iterations = resize(pool, sum.limit, sum.width);
        let (bottom, top) = (pool.mul(bottom, iterations), pool.mul(top, iterations));
        let (above, below) = (pool.sle(bottom, sum.term), pool.sle(sum.term, top));
        let bounded = pool.and(above, below);
        facts.push(pool.implies(fits, bounded));
    }
}

/// For sums of the same body: over more iterations it is not smaller.
fn monotone(pool: &mut TermPool, short: &SumParts, long: &SumParts, facts: &mut Vec<TermId>) {
    // fact: monotone
    let same = pool.eq(short.limit, long.limit);
    let equal = pool.eq(short.term, long.term);
    facts.push(pool.implies(same, equal));
    if let Some(most) = long.most {
        let fits = long.fits(pool, long.limit, most, ones(long.width));
        let shorter = pool.ule(short.limit, long.limit);
        let premise = pool.and(fits, shorter);
        let less = pool.ule(short.term, long.term);
        let iterations = pool.sub(long.limit, short.limit);
        let most = long.scaled(pool, iterations, most);
        let gained = pool.sub(long.term, short.term);
        let bounded = pool.ule(gained, most);
        let bounded = pool.and(less, bounded);
        facts.push(pool.implies(premise, bounded));
    }
}
