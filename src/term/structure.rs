//! Facts about the structure of a term: closedness, size, symbols.

use std::rc::Rc;

use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

use super::pool::{BOUND_BITS, BOUND_MASK, BOUND_STICKY, PRODUCT, QUANTIFIER, SUMMATION, TermData};
use super::{BinOp, CastOp, Sort, SymbolId, TermId, TermPool, Work};

type Set<T> = HashSet<T, FxBuildHasher>;

impl TermPool {
    /// True iff a quantifier occurs in the term.
    #[must_use]
    pub fn has_quantifier(&self, term: TermId) -> bool {
        self.flags(term) & QUANTIFIER != 0
    }

    /// True iff a bounded sum occurs in the term.
    #[must_use]
    pub fn has_sum(&self, term: TermId) -> bool {
        self.flags(term) & SUMMATION != 0
    }

    /// True iff a product, quotient or remainder occurs of which neither operand is a constant.
    #[must_use]
    pub fn has_product(&self, term: TermId) -> bool {
        self.flags(term) & PRODUCT != 0
    }

    /// How many pairs of bits are multiplied, where the products, quotients and remainders of unknown numbers are
    /// translated to bits once. Counts work.
    #[must_use]
    pub fn products(&self, terms: &[TermId]) -> u64 {
        let (mut pairs, mut spared): (u64, u64) = (0, 0);
        self.for_each_node(terms, |node, _| {
            pairs = pairs.saturating_add(self.pairs_of_bits(node));
            spared = spared.saturating_add(self.bits_spared(node));
        });
        pairs.saturating_sub(spared)
    }

    /// The same of those that depend on a bound variable, checks for overflow included.
    #[must_use]
    pub fn bound_products(&self, term: TermId) -> u64 {
        let mut seen: Set<TermId> = Set::default();
        let mut stack = vec![term];
        let mut pairs: u64 = 0;
        while let Some(top) = stack.pop() {
            if !self.has_product(top) || !seen.insert(top) {
                continue;
            }
            if !self.is_surely_closed(top) {
                pairs = pairs.saturating_add(self.pairs_of_bits(top));
            }
            self.for_each_child(top, |child, _| stack.push(child));
        }
        pairs
    }

    /// How many factors the longest product in these terms has once products in products are written out, as
    /// Z3 does: 2^n for n squares in a row. Counts work.
    #[must_use]
    pub fn most_factors(&self, terms: &[TermId]) -> u64 {
        let mut factors: HashMap<TermId, u64, FxBuildHasher> = HashMap::default();
        let mut stack: Vec<(TermId, bool)> = terms.iter().map(|term| (*term, false)).collect();
        while let Some((top, ready)) = stack.pop() {
            if !self.has_product(top) || factors.contains_key(&top) {
                continue;
            }
            if !ready {
                stack.push((top, true));
                self.for_each_child(top, |child, _| stack.push((child, false)));
                continue;
            }
            let of = |term: &TermId| factors.get(term).copied().unwrap_or(1);
            let n_factors = match self.data(top) {
                Some(TermData::Binary(BinOp::Mul, a, b)) => of(a).saturating_add(of(b)),
                Some(TermData::Sum { constant: 0, terms }) if let [(_, only)] = &terms[..] => {
                    of(only)
                }
                _ => 1,
            };
            factors.insert(top, n_factors);
        }
        self.count_work(Work::EVALUATION * factors.len() as u64);
        factors.into_values().max().unwrap_or(1)
    }

    /// The pairs of bits that a product, quotient or remainder of unknown numbers multiplies; none of other terms.
    fn pairs_of_bits(&self, term: TermId) -> u64 {
        match self.data(term) {
            Some(TermData::Binary(op, a, b))
                if op.is_multiplicative() && !self.is_const(*a) && !self.is_const(*b) =>
            {
                u64::from(self.width(term)).pow(2)
            }
            _ => 0,
        }
    }

    /// How many bits the operations of a term compute, products counting each pair of bits. Counts work.
    #[must_use]
    pub fn n_bits(&self, term: TermId) -> u64 {
        let (mut bits, mut spared): (u64, u64) = (0, 0);
        self.for_each_node(&[term], |node, _| {
            bits = bits.saturating_add(self.bits_computed(node));
            spared = spared.saturating_add(self.bits_spared(node));
        });
        bits.saturating_sub(spared)
    }

    /// The same of an instance, on average of the quantifiers and sums in these terms: of the operations that
    /// depend on a bound variable.
    #[must_use]
    pub fn instance_bits(&self, terms: &[TermId]) -> u64 {
        let (mut bits, mut spared, mut n_binders): (u64, u64, u64) = (0, 0, 0);
        self.for_each_node(terms, |node, binders| {
            n_binders += u64::from(binders);
            if !self.is_surely_closed(node) {
                bits = bits.saturating_add(self.bits_computed(node));
                spared = spared.saturating_add(self.bits_spared(node));
            }
        });
        bits.saturating_sub(spared) / n_binders.max(1)
    }

    /// Visits each node in these terms once, with the number of variables that it binds.
    fn for_each_node(&self, terms: &[TermId], mut visit: impl FnMut(TermId, u32)) {
        let mut seen: Set<TermId> = Set::default();
        let mut stack = terms.to_vec();
        while let Some(top) = stack.pop() {
            if seen.insert(top) {
                let mut n_bound = 0;
                self.for_each_child(top, |child, binders| {
                    n_bound = n_bound.max(binders);
                    stack.push(child);
                });
                visit(top, n_bound);
            }
        }
        self.count_work(Work::EVALUATION * seen.len() as u64);
    }

    /// The truth values in a term on which values depend that are no truth values: conditions of choices
    /// and what is extended, each once.
    #[must_use]
    pub fn guards_of(&self, term: TermId) -> Vec<TermId> {
        let mut guards = Vec::new();
        self.for_each_node(&[term], |node, _| {
            let Some(&(TermData::Ite(guard, ..) | TermData::Cast(_, guard))) = self.data(node)
            else {
                return;
            };
            if self.width(guard) == 1 && !guards.contains(&guard) {
                guards.push(guard);
            }
        });
        guards
    }

    /// The extensions in a term of values that are no truth values, each once.
    #[must_use]
    pub fn extensions_of(&self, term: TermId) -> Vec<TermId> {
        let mut extensions = Vec::new();
        self.for_each_node(&[term], |node, _| {
            if let Some(&TermData::Cast(op, value)) = self.data(node)
                && op != CastOp::Trunc
                && self.width(value) > 1
            {
                extensions.push(node);
            }
        });
        extensions
    }

    /// The bits that the outermost operation of a term computes.
    fn bits_computed(&self, term: TermId) -> u64 {
        let width = |term: TermId| u64::from(self.width(term));
        match self.data(term) {
            Some(TermData::Sum { terms, .. }) => terms.len() as u64 * width(term),
            Some(TermData::Binary(op, ..)) if !op.is_multiplicative() => width(term),
            Some(TermData::Binary(..) | TermData::Power { .. }) => width(term).pow(2),
            Some(TermData::FloatBinary(_, a, _) | TermData::FloatCast(_, a)) => width(*a).pow(2),
            Some(TermData::Compare(_, a, _)) => width(*a),
            Some(TermData::Ite(_, then, _)) => match self.sort(*then) {
                Sort::Bv(width) => u64::from(width),
                Sort::Array { .. } => 0,
            },
            Some(TermData::Select(..)) => width(term),
            _ => 0,
        }
    }

    /// The bits of a product in more bits that nothing but a check for overflow needs, which is translated without it.
    fn bits_spared(&self, term: TermId) -> u64 {
        let Some((factor, _)) = self.fitting_product(term) else {
            return 0;
        };
        let Some(&TermData::Compare(_, wide, _)) = self.data(term) else {
            return 0;
        };
        let [narrow, wide] = [factor, wide].map(|term| u64::from(self.width(term)));
        wide.pow(2) - narrow.pow(2)
    }

    /// True iff no bound variable occurs free.
    #[must_use]
    pub fn is_closed(&self, term: TermId) -> bool {
        let mask = self.flags(term) & BOUND_MASK;
        mask == 0 || (mask & BOUND_STICKY != 0 && !self.mentions_far_bound(term))
    }

    /// True only if no bound variable occurs free; may miss terms with very deep quantifiers.
    pub(super) fn is_surely_closed(&self, term: TermId) -> bool {
        self.flags(term) & BOUND_MASK == 0
    }

    /// The exact answer where the flags only say that a variable of some far binder may be free.
    fn mentions_far_bound(&self, term: TermId) -> bool {
        let mut seen: Set<(TermId, u32)> = Set::default();
        let mut stack = vec![(term, 0)];
        while let Some((top, depth)) = stack.pop() {
            if self.is_surely_closed(top) || !seen.insert((top, depth)) {
                continue;
            }
            match self.data(top) {
                Some(TermData::Bound(index)) if *index >= depth => return true,
                _ => {
                    self.for_each_child(top, |child, binders| stack.push((child, depth + binders)))
                }
            }
        }
        false
    }

    /// False only if `Bound` `index` does not occur free in the term.
    pub(super) fn may_mention_bound(&self, term: TermId, index: u32) -> bool {
        self.flags(term) & (1 << index.min(BOUND_BITS - 1)) != 0
    }

    /// The innermost binder that a term may depend on: the least free index, `None` when closed.
    pub(super) fn least_bound(&self, term: TermId) -> Option<u32> {
        let mask = self.flags(term) & BOUND_MASK;
        (mask != 0).then_some(mask.trailing_zeros())
    }

    /// Number of distinct operators, symbols and constants in a term.
    #[must_use]
    pub fn size(&self, term: TermId) -> usize {
        let mut seen: Set<TermId> = Set::default();
        let mut stack = vec![term];
        while let Some(top) = stack.pop() {
            if seen.insert(top) {
                self.for_each_child(top, |child, _| stack.push(child));
            }
        }
        seen.len()
    }

    /// The symbols of a term, sorted and distinct; cached.
    pub fn symbols_of(&mut self, term: TermId) -> Rc<[SymbolId]> {
        if let Some(found) = self.symbol_sets.get(&term) {
            return found.clone();
        }
        let mut seen: Set<TermId> = Set::default();
        let mut symbols = Vec::new();
        let mut stack = vec![term];
        while let Some(top) = stack.pop() {
            if !seen.insert(top) {
                continue;
            }
            if let Some(symbol) = self.as_symbol(top) {
                symbols.push(symbol);
            } else if let Some(known) = self.symbol_sets.get(&top) {
                symbols.extend(known.iter().copied());
            } else {
                self.for_each_child(top, |child, _| stack.push(child));
            }
        }
        self.count_work(Work::EVALUATION * seen.len() as u64);
        symbols.sort_unstable();
        symbols.dedup();
        let symbols: Rc<[SymbolId]> = symbols.into();
        self.symbol_sets.insert(term, symbols.clone());
        symbols
    }
}
