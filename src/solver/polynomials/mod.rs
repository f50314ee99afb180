//! Ring arithmetic for equations between polynomials.
//!
//! The preservation of an equation between products by an assignment is an identity of polynomials modulo
//! 2^w, which is very hard for a bit-vector solver and immediate by ring arithmetic. A query that requires p
//! ≠ q is unsatisfiable if p − q is a sum of multiples of polynomials that its equations make 0 (`ideal`).
//!
//! ```text
//! conjuncts --p = q--> facts --p ≠ q--> target --ideal--> Unsat, or the query is passed on
//! ```
//!
//! Terms that are not polynomials are indeterminates, with additional facts: dividends are sums of quotient
//! and remainder. Consequences of the linear conjuncts are queried from the link below: no wrap-around below
//! a sign extension, the value of a remainder, and the equation from a ≤ b ≤ a.
//!
//! # Invariants
//! - The only answer is `Unsat`.
//! - Queries without a product of unknowns are passed on unchanged.
//!
//! # Source
//! Müller-Olm, Seidl, *Analysis of Modular Arithmetic*, TOPLAS 29(5), 2007, for the ring;
//! Cachera, Jensen, Jobin, Kirchner, *Inference of Polynomial Invariants for Imperative Programs: A
//! Farewell to Gröbner Bases*, SAS 2012, for the reduction by linear algebra.

mod ideal;
mod ring;

#[cfg(test)]
mod tests;

use self::ideal::{MOST_TERMS, follows};
use self::ring::{Atom, Monomial, Polynomial};
use super::{Answer, LinkStatistics, Query, Solver};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::rc::Rc;
use term::{BinOp, CastOp, CmpOp, Term, TermId, TermPool, Work};

/// Looking at a term of a polynomial. An estimate.
const TERM: Work = Work::units(200);
/// Wider equations have no coefficients in words.
const WIDEST: u32 = 64;
/// No more queries of a kind are asked below for one query.
const MOST_ASKED: usize = 12;

/// Settings of the link.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PolynomialPolicy {
    /// Work of a query about what linear conjuncts imply; with none nothing is asked. Default: none,
    /// since most queries that come here are satisfiable.
    pub implied: Work,
}

/// See the module's head.
pub struct Polynomials {
    options: PolynomialPolicy,
    below: Box<dyn Solver>,
    /// Whether a term has a product of unknowns.
    products: FxHashMap<TermId, bool>,
    statistics: LinkStatistics,
}

impl Polynomials {
    /// Asks `below` what is not decided by ring arithmetic.
    #[must_use]
    pub fn new(options: PolynomialPolicy, below: Box<dyn Solver>) -> Polynomials {
        Polynomials {
            options,
            below,
            products: FxHashMap::default(),
            statistics: LinkStatistics::new("polynomials"),
        }
    }

    fn answer(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        let targets: Vec<(TermId, TermId)> = (query.conjuncts.iter())
            .filter_map(|conjunct| unequal(pool, *conjunct))
            .filter(|(lhs, _)| pool.width(*lhs) <= WIDEST)
            .collect();
        let has_product = |conjunct: &TermId| has_product(&mut self.products, pool, *conjunct);
        if !targets.is_empty() && query.conjuncts.iter().any(has_product) {
            for (lhs, rhs) in targets {
                if let Some(reason) = query.limits.reached(pool) {
                    return Answer::Unknown(reason);
                }
                if self.is_implied(pool, query, lhs, rhs) {
                    self.statistics.hits += 1;
                    return Answer::Unsat(None);
                }
            }
        }
        self.below.check(pool, query)
    }

    /// Whether the equations among the conjuncts imply one more.
    fn is_implied(
        &mut self,
        pool: &mut TermPool,
        query: &Query<'_>,
        lhs: TermId,
        rhs: TermId,
    ) -> bool {
        let products = &mut self.products;
        let linear: Vec<TermId> = (query.conjuncts.iter())
            .filter(|conjunct| !has_product(products, pool, **conjunct))
            .copied()
            .collect();
        let width = pool.width(lhs);
        let mut system = Equations {
            pool,
            query,
            linear: &linear,
            below: &mut *self.below,
            implied: self.options.implied,
            n_asked: 0,
            may_ask: 0,
            width,
            polynomials: FxHashMap::default(),
            atoms: Vec::new(),
            numbers: FxHashMap::default(),
            facts: Vec::new(),
        };
        let found = system.decide(lhs, rhs);
        let asked = system.n_asked;
        for _ in 0..asked {
            self.statistics.event("asked below");
        }
        found
    }
}

/// The sides of a disequality.
fn unequal(pool: &TermPool, conjunct: TermId) -> Option<(TermId, TermId)> {
    match pool.view(conjunct) {
        Term::Not(of) => equal(pool, of),
        _ => None,
    }
}

/// The sides of an equation between numbers.
fn equal(pool: &TermPool, conjunct: TermId) -> Option<(TermId, TermId)> {
    match pool.view(conjunct) {
        Term::Compare(CmpOp::Eq, lhs, rhs) if pool.width(lhs) > 1 => Some((lhs, rhs)),
        _ => None,
    }
}

/// Whether a term has a product of unknowns.
fn has_product(known: &mut FxHashMap<TermId, bool>, pool: &TermPool, term: TermId) -> bool {
    let mut pending = vec![term];
    while let Some(top) = pending.last().copied() {
        if known.contains_key(&top) {
            pending.pop();
            continue;
        }
        let is_product = matches!(pool.view(top), Term::Binary(BinOp::Mul, lhs, rhs)
            if !pool.is_const(lhs) && !pool.is_const(rhs));
        let mut open = Vec::new();
        let mut found = is_product;
        pool.for_each_operand(top, |operand| match known.get(&operand) {
            Some(has) => found |= *has,
            None => open.push(operand),
        });
        if found || open.is_empty() {
            known.insert(top, found);
            pending.pop();
        } else {
            pending.extend(open);
        }
    }
    known[&term]
}

/// The equations of a query, modulo 2^w.
struct Equations<'a> {
    pool: &'a mut TermPool,
    query: &'a Query<'a>,
    /// The conjuncts without products.
    linear: &'a [TermId],
    below: &'a mut dyn Solver,
    implied: Work,
    n_asked: usize,
    /// Queries that are left for what is searched for.
    may_ask: usize,
    /// w.
    width: u32,
    /// Those of terms, which share their parts; `None` for what is too long.
    polynomials: FxHashMap<TermId, Option<Rc<Polynomial>>>,
    /// The terms that are indeterminates; wider or narrower ones stand for what is in their low bits.
    atoms: Vec<TermId>,
    numbers: FxHashMap<TermId, Atom>,
    facts: Vec<Polynomial>,
}

impl Equations<'_> {
    fn decide(&mut self, lhs: TermId, rhs: TermId) -> bool {
        let Some(target) = self.difference(lhs, rhs) else {
            return false;
        };
        let equations: Vec<(TermId, TermId)> = (self.query.conjuncts.iter())
            .filter_map(|conjunct| equal(self.pool, *conjunct))
            .collect();
        for (lhs, rhs) in equations {
            self.equation(lhs, rhs);
        }
        self.divisions();
        if self.follows(&target) {
            return true;
        }
        // What linear conjuncts imply takes queries: only where ring arithmetic alone does not do.
        if self.implied == Work::ZERO {
            return false;
        }
        for look in [Self::extensions, Self::remainders, Self::bounds] {
            let n_facts = self.facts.len();
            self.may_ask = MOST_ASKED;
            look(self);
            if self.facts.len() > n_facts && self.follows(&target) {
                return true;
            }
        }
        false
    }

    fn follows(&self, target: &Polynomial) -> bool {
        let (found, n_terms) = follows(&self.facts, target);
        self.pool.count_work(TERM * n_terms as u64);
        found
    }

    fn difference(&mut self, lhs: TermId, rhs: TermId) -> Option<Polynomial> {
        let mut difference = (*self.polynomial(lhs)?).clone();
        let rhs = self.polynomial(rhs)?;
        difference.add(u64::MAX, &Monomial::default(), &rhs);
        Some(difference)
    }

    /// That two terms are equal, as a fact modulo 2^w. Of narrower terms it is one of what extends them.
    fn equation(&mut self, lhs: TermId, rhs: TermId) {
        let bits = self.pool.width(lhs);
        if bits >= self.width {
            let fact = self.difference(lhs, rhs);
            self.facts.extend(fact);
            return;
        }
        // That a sum in more bits is an extension says that it does not wrap around: see `extensions`.
        let is_sum = |side: TermId| matches!(self.pool.view(side), Term::Sum { .. });
        let is_extension = |side: TermId| matches!(self.pool.view(side), Term::Cast(..));
        if is_sum(lhs) && is_extension(rhs) || is_extension(lhs) && is_sum(rhs) {
            return;
        }
        for op in [CastOp::ZExt, CastOp::SExt] {
            let [lhs, rhs] = [lhs, rhs].map(|side| self.pool.cast(op, self.width, side));
            let fact = self.difference(lhs, rhs);
            self.facts.extend(fact);
        }
    }

    /// The low w bits of a term that has as many or more; `None` if it is too long.
    fn polynomial(&mut self, term: TermId) -> Option<Rc<Polynomial>> {
        if let Some(known) = self.polynomials.get(&term) {
            return known.clone();
        }
        let found = self.polynomial_of(term).map(Rc::new);
        let n_terms = found.as_ref().map_or(1, |found| found.n_terms());
        self.pool.count_work(TERM * n_terms as u64);
        self.polynomials.insert(term, found.clone());
        found
    }

    fn polynomial_of(&mut self, term: TermId) -> Option<Polynomial> {
        let width = self.width;
        if let Some(value) = self.pool.as_const(term) {
            let low = value.cast(CastOp::Trunc, width.min(value.width()));
            return Some(Polynomial::constant(width, low.to_u64()?));
        }
        let found = match self.pool.view(term) {
            Term::Sum { constant, terms } => {
                let parts = terms.to_vec();
                let mut sum = Polynomial::constant(width, constant);
                for (coefficient, part) in parts {
                    let part = self.polynomial(part)?;
                    sum.add(coefficient, &Monomial::default(), &part);
                }
                sum
            }
            Term::Binary(op @ (BinOp::Add | BinOp::Mul), lhs, rhs) => {
                let lhs = self.polynomial(lhs)?;
                let rhs = self.polynomial(rhs)?;
                if op == BinOp::Add {
                    let mut sum = (*lhs).clone();
                    sum.add(1, &Monomial::default(), &rhs);
                    sum
                } else if lhs.n_terms() * rhs.n_terms() <= MOST_TERMS * 4 {
                    self.pool
                        .count_work(TERM * (lhs.n_terms() * rhs.n_terms()) as u64);
                    lhs.times(&rhs)
                } else {
                    return None;
                }
            }
            // The low bits of a number are those of a wider one.
            Term::Extract { low: 0, of } => (*self.polynomial(of)?).clone(),
            _ => self.atom(term),
        };
        (found.n_terms() <= MOST_TERMS).then_some(found)
    }

    fn atom(&mut self, term: TermId) -> Polynomial {
        // Wider terms are the same as their low bits.
        let term = if self.pool.width(term) > self.width {
            self.pool.cast(CastOp::Trunc, self.width, term)
        } else {
            term
        };
        let next = Atom::try_from(self.atoms.len()).unwrap_or(Atom::MAX);
        let atoms = &mut self.atoms;
        let number = *self.numbers.entry(term).or_insert_with(|| {
            atoms.push(term);
            next
        });
        Polynomial::atom(self.width, number)
    }

    /// A dividend is the sum of its remainder and the product of quotient and divisor, by 0 too.
    fn divisions(&mut self) {
        let mut next = 0;
        let mut done = FxHashSet::default();
        while let Some(term) = self.atoms.get(next).copied() {
            next += 1;
            let Some((op, of, by)) = division(self.pool, term) else {
                continue;
            };
            if self.pool.width(of) != self.width || !done.insert((op == BinOp::SDiv, of, by)) {
                continue;
            }
            let remainder = match op {
                BinOp::SDiv => BinOp::SRem,
                _ => BinOp::URem,
            };
            let quotient = self.pool.binary(op, of, by);
            let rest = self.pool.binary(remainder, of, by);
            let parts = [of, quotient, by, rest].map(|part| self.polynomial(part));
            let [Some(of), Some(quotient), Some(by), Some(rest)] = parts else {
                continue;
            };
            let mut fact = (*of).clone();
            fact.add(u64::MAX, &Monomial::default(), &quotient.times(&by));
            fact.add(u64::MAX, &Monomial::default(), &rest);
            self.facts.push(fact);
        }
    }

    /// Whether the linear conjuncts imply that two terms are equal.
    fn are_equal(&mut self, lhs: TermId, rhs: TermId) -> bool {
        let same = self.pool.eq(lhs, rhs);
        if self.pool.is_true(same) {
            return true;
        }
        if self.may_ask == 0 {
            return false;
        }
        self.may_ask -= 1;
        self.n_asked += 1;
        let mut conjuncts = self.linear.to_vec();
        let differ = self.pool.not(same);
        conjuncts.push(differ);
        let limits = self.query.limits.within_work(self.pool, self.implied);
        let query = Query::new(&conjuncts, &limits);
        self.below.check(self.pool, &query).is_unsat()
    }

    /// An extension of a sum is the sum of what is extended, if nothing wraps around.
    fn extensions(&mut self) {
        for term in self.atoms.clone() {
            let Term::Cast(op, of) = self.pool.view(term) else {
                continue;
            };
            let Term::Sum { constant, terms } = self.pool.view(of) else {
                continue;
            };
            let terms = terms.to_vec();
            let (bits, width) = (self.pool.width(of), self.width);
            // Coefficients as numbers with a sign: x − 1 does not wrap around where x > 0.
            let signed = |value: u64| {
                let unused = 64 - bits;
                (value.cast_signed() << unused) >> unused
            };
            let mut sum = self.pool.bv_signed(width, signed(constant));
            for (coefficient, part) in terms {
                let part = self.pool.cast(op, width, part);
                let factor = self.pool.bv_signed(width, signed(coefficient));
                let part = self.pool.mul(factor, part);
                sum = self.pool.add(sum, part);
            }
            if self.are_equal(term, sum) {
                let fact = self.difference(term, sum);
                self.facts.extend(fact);
            }
        }
    }

    /// Remainders that the linear conjuncts determine.
    fn remainders(&mut self) {
        for term in self.atoms.clone() {
            if !is_remainder(self.pool, term) || self.pool.width(term) != self.width {
                continue;
            }
            for value in [0, 1] {
                let value = self.pool.bv(self.width, value);
                if self.are_equal(term, value) {
                    let fact = self.difference(term, value);
                    self.facts.extend(fact);
                    break;
                }
            }
        }
    }

    /// Numbers of which one is not larger than the other, nor smaller.
    fn bounds(&mut self) {
        for conjunct in self.linear {
            let of = match self.pool.view(*conjunct) {
                Term::Not(of) => of,
                _ => *conjunct,
            };
            let Term::Compare(op, lhs, rhs) = self.pool.view(of) else {
                continue;
            };
            if op == CmpOp::Eq {
                continue;
            }
            // x < c + 1 and not x < c say x = c.
            let one = self.pool.bv(self.pool.width(lhs), 1);
            let below = match (self.pool.is_const(lhs), self.pool.is_const(rhs)) {
                (false, true) => self.pool.sub(rhs, one),
                _ => rhs,
            };
            let least = match (self.pool.is_const(lhs), self.pool.is_const(rhs)) {
                (true, false) => self.pool.add(lhs, one),
                _ => lhs,
            };
            for (lhs, rhs) in [(lhs, rhs), (lhs, below), (least, rhs)] {
                if self.are_equal(lhs, rhs) {
                    self.equation(lhs, rhs);
                    break;
                }
            }
        }
    }
}

/// Kind, dividend and divisor where a term is a quotient or a remainder.
fn division(pool: &mut TermPool, term: TermId) -> Option<(BinOp, TermId, TermId)> {
    let bits = pool.width(term);
    match pool.view(term) {
        Term::Binary(BinOp::UDiv | BinOp::URem, of, by) => Some((BinOp::UDiv, of, by)),
        Term::Binary(BinOp::SDiv | BinOp::SRem, of, by) => Some((BinOp::SDiv, of, by)),
        // x / 2^k and x % 2^k, as they are simplified.
        Term::Cast(CastOp::ZExt, part) => {
            let Term::Extract { low, of } = pool.view(part) else {
                return None;
            };
            let taken = pool.width(part);
            let (power, is_whole) = if low == 0 {
                (taken, true)
            } else {
                (low, low + taken == pool.width(of))
            };
            let is_division = is_whole && pool.width(of) == bits && power < bits.min(64);
            if !is_division {
                return None;
            }
            let by = pool.bv(bits, 1 << power);
            Some((BinOp::UDiv, of, by))
        }
        _ => None,
    }
}

fn is_remainder(pool: &TermPool, term: TermId) -> bool {
    match pool.view(term) {
        Term::Binary(BinOp::URem | BinOp::SRem, ..) => true,
        Term::Cast(CastOp::ZExt, part) => {
            matches!(pool.view(part), Term::Extract { low: 0, .. })
        }
        _ => false,
    }
}

counted_link!(Polynomials);
