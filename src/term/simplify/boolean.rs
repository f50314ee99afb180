//! Width 1: conjunction, disjunction, negation, equivalence.

use crate::pool::TermData;
use crate::{BinOp, CmpOp, Sort, TermId, TermPool, Work};

use super::FLAT;
use rustc_hash::FxHashSet;

impl TermPool {
    /// A binary operation of width 1 that is not constant.
    pub(super) fn boolean_binary(&mut self, op: BinOp, a: TermId, b: TermId) -> TermId {
        // rule: bool-arithmetic
        match op {
            BinOp::Add | BinOp::Sub | BinOp::Xor => {
                let equal = self.mk_eq(a, b);
                self.negate(equal)
            }
            BinOp::And | BinOp::Mul => self.junction(BinOp::And, &[a, b]),
            BinOp::Or => self.junction(BinOp::Or, &[a, b]),
            BinOp::UDiv | BinOp::SDiv => {
                let b = self.negate(b);
                self.junction(BinOp::Or, &[a, b])
            }
            BinOp::URem | BinOp::SRem | BinOp::Shl | BinOp::LShr => {
                let b = self.negate(b);
                self.junction(BinOp::And, &[a, b])
            }
            BinOp::AShr => a,
        }
    }

    /// The conjunction of truth values; true when there are none.
    pub fn conj(&mut self, parts: impl IntoIterator<Item = TermId>) -> TermId {
        let parts: Vec<TermId> = parts.into_iter().collect();
        self.junction(BinOp::And, &parts)
    }

    /// The disjunction of truth values; false when there are none.
    pub fn disj(&mut self, parts: impl IntoIterator<Item = TermId>) -> TermId {
        let parts: Vec<TermId> = parts.into_iter().collect();
        self.junction(BinOp::Or, &parts)
    }

    /// a → b.
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not_a = self.negate(a);
        self.or(not_a, b)
    }

    /// The parts of nested conjunctions, none of them a conjunction; t alone when it is none, and
    /// nothing for the constant true.
    #[must_use]
    pub fn conjuncts(&self, term: TermId) -> Vec<TermId> {
        self.parts_of(BinOp::And, term)
    }

    /// The parts of nested disjunctions, none of them a disjunction; t alone when it is none, and
    /// nothing for the constant false.
    #[must_use]
    pub fn disjuncts(&self, term: TermId) -> Vec<TermId> {
        self.parts_of(BinOp::Or, term)
    }

    fn parts_of(&self, op: BinOp, term: TermId) -> Vec<TermId> {
        let mut parts = Vec::new();
        self.push_parts(op, term, &mut parts);
        parts.retain(|part| *part != neutral(op));
        parts
    }

    /// Appends the parts of a nest of `op`, from left to right. Nests share nests: each is examined once.
    fn push_parts(&self, op: BinOp, term: TermId, parts: &mut Vec<TermId>) {
        assert_eq!(self.width(term), 1, "a truth value has width 1");
        let mut stack = vec![term];
        let mut seen = FxHashSet::default();
        while let Some(top) = stack.pop() {
            match self.data(top) {
                Some(TermData::Binary(found, a, b)) if *found == op => {
                    if seen.insert(top) {
                        stack.push(*b);
                        stack.push(*a);
                    }
                }
                _ => parts.push(top),
            }
        }
    }

    /// Whether nests of `op` have more than so many parts together. Looks at no more of them than it takes to
    /// know: path conditions have thousands.
    fn has_more_parts(&self, op: BinOp, nests: &[TermId], most: usize) -> bool {
        let mut stack = nests.to_vec();
        let mut n_parts = 0;
        // Whatever waits has one at least.
        while n_parts + stack.len() <= most {
            let Some(top) = stack.pop() else {
                return false;
            };
            match self.data(top) {
                Some(TermData::Binary(found, a, b)) if *found == op => stack.extend([*b, *a]),
                _ => n_parts += 1,
            }
        }
        true
    }

    /// Conjunction (`And`) or disjunction (`Or`) of truth values.
    fn junction(&mut self, op: BinOp, operands: &[TermId]) -> TermId {
        let (neutral, absorbing) = (neutral(op), neutral(dual(op)));
        if operands.contains(&absorbing) {
            return absorbing;
        }
        // Two operands of which one is large: no rules beyond the simplest ones.
        if let &[a, b] = operands {
            if a == b || b == neutral {
                return a;
            }
            if a == neutral {
                return b;
            }
            if self.has_more_parts(op, &[a, b], FLAT) {
                return self.plain(op, a, b);
            }
        }
        // rule: bool-flat
        let mut parts = Vec::new();
        for operand in operands {
            self.push_parts(op, *operand, &mut parts);
        }
        self.count_work(Work::CONJUNCT * parts.len() as u64);
        loop {
            parts.retain(|part| *part != neutral);
            parts.sort_unstable();
            parts.dedup();
            if parts.contains(&absorbing) {
                return absorbing;
            }
            let negated: Vec<TermId> = parts.iter().map(|part| self.negate(*part)).collect();
            // rule: bool-complement
            if negated.iter().any(|part| parts.binary_search(part).is_ok()) {
                return absorbing;
            }
            if parts.len() > FLAT || !self.absorb(op, &mut parts, &negated) {
                break;
            }
        }
        let mut parts = parts.into_iter();
        let Some(mut result) = parts.next() else {
            return neutral;
        };
        for part in parts {
            result = self.plain(op, result, part);
        }
        result
    }

    /// Applies one absorption or resolution; true when something changed.
    fn absorb(&mut self, op: BinOp, parts: &mut Vec<TermId>, negated: &[TermId]) -> bool {
        for position in 0..parts.len() {
            let part = parts[position];
            match self.data(part) {
                Some(TermData::Binary(found, ..)) if *found == dual(op) => {}
                _ => continue,
            }
            if self.has_more_parts(dual(op), &[part], FLAT) {
                continue;
            }
            let mut inner = Vec::new();
            self.push_parts(dual(op), part, &mut inner);
            // rule: bool-absorb
            if inner.iter().any(|i| parts.binary_search(i).is_ok()) {
                parts.remove(position);
                return true;
            }
            // rule: bool-resolve
            let before = inner.len();
            inner.retain(|i| !negated.contains(i));
            if inner.len() < before {
                parts.remove(position);
                let rest = self.junction(dual(op), &inner);
                self.push_parts(op, rest, parts);
                return true;
            }
        }
        false
    }

    /// The node of two operands. Up to [`FLAT`] parts come here in order, left part first; larger
    /// nests are ordered by their handles.
    fn plain(&mut self, op: BinOp, a: TermId, b: TermId) -> TermId {
        let is_small = !self.has_more_parts(op, &[a], FLAT - 1);
        let (a, b) = if is_small && !self.is_nest(op, b) {
            (a, b)
        } else {
            (a.min(b), a.max(b))
        };
        self.binary_node(op, a, b)
    }

    fn is_nest(&self, op: BinOp, term: TermId) -> bool {
        matches!(self.data(term), Some(TermData::Binary(found, ..)) if *found == op)
    }

    /// ¬a.
    pub(super) fn negate(&mut self, a: TermId) -> TermId {
        // rule: not-push
        if let Some(done) = self.negate_simple(a) {
            return done;
        }
        // `And`, `Or`, `Ite`: bottom-up over their boolean structure, remembered.
        let mut stack = vec![a];
        while let Some(&top) = stack.last() {
            if self.negations.contains_key(&top) {
                stack.pop();
                continue;
            }
            let operands = self.boolean_operands(top);
            let open: Vec<TermId> = operands
                .iter()
                .copied()
                .filter(|t| !self.negations.contains_key(t) && self.is_compound(*t))
                .collect();
            if !open.is_empty() {
                stack.extend(open);
                continue;
            }
            let negated = match self.data(top) {
                Some(&TermData::Ite(c, t, e)) => {
                    let (t, e) = (self.negate_known(t), self.negate_known(e));
                    self.ite(c, t, e)
                }
                Some(&TermData::Binary(op, ..)) => {
                    let parts: Vec<TermId> = operands
                        .iter()
                        .map(|part| self.negate_known(*part))
                        .collect();
                    self.junction(dual(op), &parts)
                }
                _ => unreachable!("only compound truth values are pushed"),
            };
            self.negations.insert(top, negated);
            self.negations.entry(negated).or_insert(top);
            stack.pop();
        }
        self.negations[&a]
    }

    /// The negation of a truth value without operands to negate, or a remembered one: comparisons are
    /// remembered too, since each junction searches for its parts' negations.
    fn negate_simple(&mut self, a: TermId) -> Option<TermId> {
        if let Some(value) = self.as_u64(a) {
            return Some(TermPool::truth_value(value == 0));
        }
        match self.data(a) {
            Some(&TermData::Not(inner)) => Some(inner),
            Some(&TermData::Compare(op, x, y)) if op != CmpOp::Eq => {
                if let Some(known) = self.negations.get(&a) {
                    return Some(*known);
                }
                let negated = self.compare(op.negated(), x, y);
                self.negations.insert(a, negated);
                Some(negated)
            }
            Some(TermData::Binary(BinOp::And | BinOp::Or, ..) | TermData::Ite(..)) => {
                self.negations.get(&a).copied()
            }
            _ => Some(self.intern(TermData::Not(a), Sort::Bv(1))),
        }
    }

    fn negate_known(&mut self, a: TermId) -> TermId {
        self.negate_simple(a).expect("operands are negated first")
    }

    fn is_compound(&self, a: TermId) -> bool {
        matches!(
            self.data(a),
            Some(TermData::Binary(BinOp::And | BinOp::Or, ..) | TermData::Ite(..))
        )
    }

    /// The truth values whose negations make the negation of a compound one.
    fn boolean_operands(&self, term: TermId) -> Vec<TermId> {
        match self.data(term) {
            Some(&TermData::Ite(_, t, e)) => vec![t, e],
            Some(&TermData::Binary(op, ..)) => self.parts_of(op, term),
            _ => unreachable!("only compound truth values have operands to negate"),
        }
    }

    /// True iff the canonical condition or side of an equivalence is the negation instead.
    pub(super) fn is_negative(&self, a: TermId) -> bool {
        matches!(
            self.data(a),
            Some(
                TermData::Not(_)
                    | TermData::Compare(CmpOp::Ule | CmpOp::Sle, ..)
                    | TermData::Binary(BinOp::Or, ..)
            )
        )
    }

    /// a = b for width 1.
    pub(super) fn mk_equivalence(&mut self, a: TermId, b: TermId) -> TermId {
        // rule: eq-bool
        let (mut a, mut b) = (a, b);
        let mut positive = true;
        for side in [&mut a, &mut b] {
            if self.is_negative(*side) {
                *side = self.negate(*side);
                positive = !positive;
            }
        }
        let result = if let Some(value) = self.as_u64(a) {
            if value == 1 { b } else { self.negate(b) }
        } else if let Some(value) = self.as_u64(b) {
            if value == 1 { a } else { self.negate(a) }
        } else if a == b {
            TermId::TRUE
        } else if self.negate(a) == b {
            TermId::FALSE
        } else {
            self.intern(
                TermData::Compare(CmpOp::Eq, a.min(b), a.max(b)),
                Sort::Bv(1),
            )
        };
        if positive {
            result
        } else {
            self.negate(result)
        }
    }
}

fn neutral(op: BinOp) -> TermId {
    TermPool::truth_value(op == BinOp::And)
}

fn dual(op: BinOp) -> BinOp {
    if op == BinOp::And {
        BinOp::Or
    } else {
        BinOp::And
    }
}
