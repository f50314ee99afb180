//! Substitution θ⟨φ⟩, and the change of bound variables.
//!
//! All traversals are iterative and memoised, so that neither depth nor sharing of a term matters.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::pool::{Map, TermData};
use super::{CmpOp, Sort, SymbolId, TermId, TermPool, Work};

/// A simultaneous substitution of symbols.
///
/// All replacements of symbols are closed and have the symbol's sort.
pub trait Substitution {
    /// The replacement of a symbol; `None` keeps it.
    fn symbol(&mut self, pool: &mut TermPool, symbol: SymbolId) -> Option<TermId>;

    /// The replacement of a read of a symbolic array; `None` reads the replacement of the array
    /// symbol. The index is already substituted; it, and so the answer, may mention bound
    /// variables. An array symbol that is replaced only here must not be used other than in reads.
    fn select(&mut self, pool: &mut TermPool, array: SymbolId, index: TermId) -> Option<TermId> {
        let _ = (pool, array, index);
        None
    }
}

impl<S: std::hash::BuildHasher> Substitution for IndexMap<SymbolId, TermId, S> {
    fn symbol(&mut self, _: &mut TermPool, symbol: SymbolId) -> Option<TermId> {
        self.get(&symbol).copied()
    }
}

impl Substitution for BTreeMap<SymbolId, TermId> {
    fn symbol(&mut self, _: &mut TermPool, symbol: SymbolId) -> Option<TermId> {
        self.get(&symbol).copied()
    }
}

/// A bottom-up rewrite of a term.
pub(super) trait Rewrite {
    /// The result for a whole subterm that stands under `depth` binders; `None` descends.
    fn enter(&mut self, pool: &mut TermPool, term: TermId, depth: u32) -> Option<TermId>;

    /// Whether results depend on the number of binders above.
    const DEPENDS_ON_DEPTH: bool;

    /// The result for a term some of whose operands changed.
    fn leave(
        &mut self,
        pool: &mut TermPool,
        term: TermId,
        operands: &[TermId],
        done: &Map<(TermId, u32), TermId>,
    ) -> TermId {
        let _ = done;
        pool.rebuild(term, operands)
    }

    /// True iff `leave` is called even when no operand changed.
    fn insists(&self, pool: &TermPool, term: TermId) -> bool {
        let _ = (pool, term);
        false
    }
}

pub(super) fn rewrite<R: Rewrite>(pool: &mut TermPool, root: TermId, rewrite: &mut R) -> TermId {
    let mut done: Map<(TermId, u32), TermId> = Map::default();
    let mut stack = vec![(root, 0, false)];
    let mut operands: Vec<(TermId, u32)> = Vec::new();
    let mut results: Vec<TermId> = Vec::new();
    while let Some((term, depth, operands_done)) = stack.pop() {
        if done.contains_key(&(term, depth)) {
            continue;
        }
        if !operands_done && let Some(result) = rewrite.enter(pool, term, depth) {
            done.insert((term, depth), result);
            continue;
        }
        operands.clear();
        pool.for_each_child(term, |child, binders| {
            let below = if R::DEPENDS_ON_DEPTH {
                depth + binders
            } else {
                0
            };
            operands.push((child, below));
        });
        if operands_done {
            results.clear();
            results.extend(operands.iter().map(|operand| done[operand]));
            let changed = operands
                .iter()
                .zip(&results)
                .any(|((before, _), after)| before != after);
            let result = if changed || rewrite.insists(pool, term) {
                rewrite.leave(pool, term, &results, &done)
            } else {
                term
            };
            done.insert((term, depth), result);
        } else {
            stack.push((term, depth, true));
            let open = operands
                .iter()
                .filter(|operand| !done.contains_key(*operand));
            stack.extend(open.map(|(child, below)| (*child, *below, false)));
        }
    }
    pool.count_work(Work::EVALUATION * done.len() as u64);
    done[&(root, 0)]
}

struct Replace<'a> {
    theta: &'a mut dyn Substitution,
}

impl Rewrite for Replace<'_> {
    const DEPENDS_ON_DEPTH: bool = false;

    fn enter(&mut self, pool: &mut TermPool, term: TermId, _: u32) -> Option<TermId> {
        if pool.is_const(term) {
            return Some(term);
        }
        let symbol = pool.as_symbol(term)?;
        let Some(replacement) = self.theta.symbol(pool, symbol) else {
            return Some(term);
        };
        assert_eq!(
            pool.sort(replacement),
            pool.symbol_sort(symbol),
            "a replacement has the sort of its symbol"
        );
        Some(replacement)
    }

    fn insists(&self, pool: &TermPool, term: TermId) -> bool {
        matches!(pool.data(term), Some(TermData::Select(..)))
    }

    fn leave(
        &mut self,
        pool: &mut TermPool,
        term: TermId,
        operands: &[TermId],
        done: &Map<(TermId, u32), TermId>,
    ) -> TermId {
        if let Some(&TermData::Select(array, index)) = pool.data(term) {
            if let Some(read) = self.read(pool, array, operands[1], done) {
                return read;
            }
            if operands == [array, index] {
                return term;
            }
        }
        pool.rebuild(term, operands)
    }
}

impl Replace<'_> {
    /// A read of an array, some of whose symbols are replaced by [`Substitution::select`]; `None`
    /// when none is.
    fn read(
        &mut self,
        pool: &mut TermPool,
        array: TermId,
        index: TermId,
        done: &Map<(TermId, u32), TermId>,
    ) -> Option<TermId> {
        // The values of all symbols below stores and choices; None inside: not replaced so.
        let mut replaced = false;
        let mut reads: Map<TermId, TermId> = Map::default();
        let mut stack = vec![(array, false)];
        while let Some((top, operands_done)) = stack.pop() {
            if reads.contains_key(&top) {
                continue;
            }
            let value = match pool.data(top) {
                Some(&TermData::Symbol(symbol)) => {
                    if let Some(value) = self.theta.select(pool, symbol, index) {
                        replaced = true;
                        value
                    } else {
                        pool.select(done[&(top, 0)], index)
                    }
                }
                Some(&TermData::Store(inner, at, value)) => {
                    if !operands_done {
                        stack.push((top, true));
                        stack.push((inner, false));
                        continue;
                    }
                    let same = pool.eq(done_or_self(done, at), index);
                    pool.ite(same, done_or_self(done, value), reads[&inner])
                }
                Some(&TermData::Ite(c, t, e)) => {
                    if !operands_done {
                        stack.push((top, true));
                        stack.push((t, false));
                        stack.push((e, false));
                        continue;
                    }
                    pool.ite(done_or_self(done, c), reads[&t], reads[&e])
                }
                _ => pool.select(done[&(top, 0)], index),
            };
            reads.insert(top, value);
        }
        replaced.then(|| reads[&array])
    }
}

fn done_or_self(done: &Map<(TermId, u32), TermId>, term: TermId) -> TermId {
    done.get(&(term, 0)).copied().unwrap_or(term)
}

/// A symbol becomes the variable of a new binder around the term.
struct Abstract {
    symbol: SymbolId,
}

impl Rewrite for Abstract {
    const DEPENDS_ON_DEPTH: bool = true;

    fn enter(&mut self, pool: &mut TermPool, term: TermId, depth: u32) -> Option<TermId> {
        match pool.data(term)? {
            TermData::Symbol(symbol) if *symbol == self.symbol => {
                let sort = pool.sort(term);
                Some(pool.intern(TermData::Bound(depth), sort))
            }
            TermData::Symbol(_) | TermData::Constant(_) => Some(term),
            TermData::Bound(index) if *index >= depth => {
                let (index, sort) = (*index, pool.sort(term));
                Some(pool.intern(TermData::Bound(index + 1), sort))
            }
            _ => None,
        }
    }
}

/// The variable of the binder that is taken away becomes a value.
struct Instantiate {
    value: TermId,
}

impl Rewrite for Instantiate {
    const DEPENDS_ON_DEPTH: bool = true;

    fn enter(&mut self, pool: &mut TermPool, term: TermId, depth: u32) -> Option<TermId> {
        if pool.is_surely_closed(term) {
            return Some(term);
        }
        let Some(TermData::Bound(index)) = pool.data(term) else {
            return None;
        };
        let (index, sort) = (*index, pool.sort(term));
        Some(match index.cmp(&depth) {
            std::cmp::Ordering::Less => term,
            std::cmp::Ordering::Equal => shift(pool, self.value, depth),
            std::cmp::Ordering::Greater => pool.intern(TermData::Bound(index - 1), sort),
        })
    }
}

/// The variable of the binder around is below its limit, which is closed.
struct Below {
    limit: TermId,
}

impl Rewrite for Below {
    const DEPENDS_ON_DEPTH: bool = true;

    fn enter(&mut self, pool: &mut TermPool, term: TermId, depth: u32) -> Option<TermId> {
        if pool.is_surely_closed(term) {
            return Some(term);
        }
        let &TermData::Compare(op, a, b) = pool.data(term)? else {
            return None;
        };
        let is_variable =
            |one| matches!(pool.data(one), Some(TermData::Bound(index)) if *index == depth);
        match op {
            CmpOp::Ult if is_variable(a) && b == self.limit => Some(TermId::TRUE),
            CmpOp::Ule if a == self.limit && is_variable(b) => Some(TermId::FALSE),
            _ => None,
        }
    }
}

/// The variable of the binder around is counted from the end: τ becomes `last` − τ, for a closed `last`.
struct Reverse {
    last: TermId,
}

impl Rewrite for Reverse {
    const DEPENDS_ON_DEPTH: bool = true;

    fn enter(&mut self, pool: &mut TermPool, term: TermId, depth: u32) -> Option<TermId> {
        if pool.is_surely_closed(term) {
            return Some(term);
        }
        match pool.data(term)? {
            TermData::Bound(index) if *index == depth => Some(pool.sub(self.last, term)),
            _ => None,
        }
    }
}

/// A part that mentions the variable of the binder around is another term, outside of other binders.
struct WithPart {
    part: TermId,
    by: TermId,
}

impl Rewrite for WithPart {
    const DEPENDS_ON_DEPTH: bool = true;

    fn enter(&mut self, pool: &mut TermPool, term: TermId, depth: u32) -> Option<TermId> {
        if depth > 0 || !pool.may_mention_bound(term, 0) {
            return Some(term);
        }
        (term == self.part).then_some(self.by)
    }
}

/// Closed terms that are others.
struct Known<'a> {
    known: &'a BTreeMap<TermId, TermId>,
}

impl Rewrite for Known<'_> {
    const DEPENDS_ON_DEPTH: bool = false;

    fn enter(&mut self, _: &mut TermPool, term: TermId, _: u32) -> Option<TermId> {
        self.known.get(&term).copied()
    }
}

/// Free bound variables move below `by` more binders.
struct Shift {
    by: u32,
}

impl Rewrite for Shift {
    const DEPENDS_ON_DEPTH: bool = true;

    fn enter(&mut self, pool: &mut TermPool, term: TermId, depth: u32) -> Option<TermId> {
        if pool.is_surely_closed(term) {
            return Some(term);
        }
        match pool.data(term)? {
            TermData::Bound(index) => {
                let (index, sort) = (*index, pool.sort(term));
                let index = if index >= depth {
                    index + self.by
                } else {
                    index
                };
                Some(pool.intern(TermData::Bound(index), sort))
            }
            _ => None,
        }
    }
}

fn shift(pool: &mut TermPool, term: TermId, by: u32) -> TermId {
    if by == 0 || pool.is_surely_closed(term) {
        term
    } else {
        rewrite(pool, term, &mut Shift { by })
    }
}

impl TermPool {
    /// θ⟨φ⟩: all symbols of the term replaced at once; each distinct subterm is visited once.
    ///
    /// ```
    /// use compact_se_term::{Sort, SymbolId, TermId, TermPool};
    /// use std::collections::BTreeMap;
    /// let mut pool = TermPool::new();
    /// let x = pool.symbol("x", Sort::Bv(32));
    /// let (term, three) = (pool.symbol_term(x), pool.bv(32, 3));
    /// let square = pool.mul(term, term);
    /// let mut theta: BTreeMap<SymbolId, TermId> = [(x, three)].into();
    /// let nine = pool.substitute(square, &mut theta);
    /// assert_eq!(pool.as_u64(nine), Some(9));
    /// ```
    pub fn substitute(&mut self, term: TermId, theta: &mut dyn Substitution) -> TermId {
        rewrite(self, term, &mut Replace { theta })
    }

    /// The term with these closed terms replaced by others of their sorts.
    pub fn replace_closed(&mut self, term: TermId, known: &BTreeMap<TermId, TermId>) -> TermId {
        rewrite(self, term, &mut Known { known })
    }

    /// The term below a new binder, which binds the symbol.
    pub(super) fn abstract_symbol(&mut self, term: TermId, symbol: SymbolId) -> TermId {
        debug_assert!(
            matches!(self.symbol_sort(symbol), Sort::Bv(_)),
            "bound variables are bits"
        );
        rewrite(self, term, &mut Abstract { symbol })
    }

    /// The term below a binder whose variable (`Bound` 0) is below this limit, so that nothing in it asks
    /// whether it is.
    pub(super) fn below_limit(&mut self, body: TermId, limit: TermId) -> TermId {
        if self.is_const(limit) || !self.is_surely_closed(limit) {
            return body;
        }
        rewrite(self, body, &mut Below { limit })
    }

    /// The term below a binder whose variable (`Bound` 0) goes from a closed value down to 0 instead of up.
    pub(super) fn counted_from(&mut self, body: TermId, last: TermId) -> TermId {
        rewrite(self, body, &mut Reverse { last })
    }

    /// The term below a binder, in which a part that mentions its variable (`Bound` 0) becomes a
    /// closed term; what is below further binders stays.
    pub(super) fn with_part(&mut self, body: TermId, part: TermId, by: TermId) -> TermId {
        rewrite(self, body, &mut WithPart { part, by })
    }

    /// The term outside of its binder, whose variable (`Bound` 0) becomes a value.
    pub(super) fn instantiate_bound(&mut self, body: TermId, value: TermId) -> TermId {
        rewrite(self, body, &mut Instantiate { value })
    }
}
