//! Bounded sums Στ<n. x mod 2^w.

use super::period::{Period, RemainderFrom};
use crate::bv::word;
use crate::pool::{Map, TermData};
use crate::{BinOp, CastOp, Linear, Sort, SymbolId, TermId, TermPool};

/// Sums over a constant number of up to this many iterations are written out.
const MAX_EXPLICIT: u64 = 64;

/// Terms in a summand that are examined for the direction of its variable.
const MOST_LOOKED_AT: usize = 1000;

impl TermPool {
    /// Στ. τ <u limit: body, modulo 2^w for a body of w bits. The symbol `tau` is bound in `body`
    /// (not in `limit`) and does not occur in the result; it has the width of the limit.
    ///
    /// ```
    /// use compact_se_term::{Sort, TermPool};
    /// let mut pool = TermPool::new();
    /// let tau = pool.symbol("tau", Sort::Bv(32));
    /// let (variable, four) = (pool.symbol_term(tau), pool.bv(32, 4));
    /// let sum = pool.sum_below(tau, four, variable);
    /// assert_eq!(pool.as_u64(sum), Some(6)); // 0 + 1 + 2 + 3
    /// ```
    ///
    /// # Panics
    /// When the widths of `tau` and `limit` differ or the body is an array.
    pub fn sum_below(&mut self, tau: SymbolId, limit: TermId, body: TermId) -> TermId {
        assert_eq!(
            self.symbol_sort(tau),
            Sort::Bv(self.width(limit)),
            "the bound variable is as wide as its limit"
        );
        let body = self.abstract_symbol(body, tau);
        self.sum_bound(limit, body)
    }

    /// 0 + 1 + … + (n − 1) = n(n − 1)/2 mod 2^width, for n of any width; one bit more before the
    /// division keeps it exact.
    pub fn triangle(&mut self, n: TermId, width: u32) -> TermId {
        let n = self.resized(n, width + 1);
        let one = self.bv(width + 1, 1);
        let previous = self.sub(n, one);
        let product = self.mul(n, previous);
        self.extract(1, width, product)
    }

    /// factor·(0 + 1 + … + (n − 1)) mod 2^w, for a factor of w bits and n of any width.
    pub fn triangle_times(&mut self, n: TermId, factor: TermId) -> TermId {
        let width = self.width(factor);
        if let Some(half) = self.halved(factor) {
            let n = self.resized(n, width);
            let square = self.mul(n, n);
            let product = self.sub(square, n);
            return self.mul(half, product);
        }
        let triangle = self.triangle(n, width);
        self.mul(factor, triangle)
    }

    /// A term h with 2h = the term, where all its coefficients are even; for at most 64 bits.
    fn halved(&mut self, term: TermId) -> Option<TermId> {
        if self.width(term) > 64 {
            return None;
        }
        let mut form = self.linear(term);
        let coefficients = form.terms.iter_mut().map(|(coefficient, _)| coefficient);
        for coefficient in coefficients.chain([&mut form.constant]) {
            if !coefficient.is_multiple_of(2) {
                return None;
            }
            *coefficient /= 2;
        }
        Some(self.linear_term(form))
    }

    /// The low bits of a term, or zeros above it.
    fn resized(&mut self, term: TermId, width: u32) -> TermId {
        let op = if self.width(term) > width {
            CastOp::Trunc
        } else {
            CastOp::ZExt
        };
        self.cast(op, width, term)
    }

    /// The sum of a body in which the variable already is `Bound` 0.
    pub(crate) fn sum_bound(&mut self, limit: TermId, body: TermId) -> TermId {
        let width = self.width(body);
        // rule: sum-constant
        if let Some(iterations) = self.as_u64(limit)
            && iterations <= MAX_EXPLICIT
        {
            return self.sum_of_iterations(limit, iterations, body);
        }
        // rule: sum-unused
        if !self.may_mention_bound(body, 0) {
            let zero = self.bv(self.width(limit), 0);
            let summand = self.instantiate_bound(body, zero);
            let iterations = self.resized(limit, width);
            return self.mul(iterations, summand);
        }
        if width > 64 {
            return self.sum_node(limit, body);
        }
        // rule: sum-limit
        let within = self.below_limit(body, limit);
        if within != body {
            return self.sum_bound(limit, within);
        }
        let Some(done) = self.sum_split(limit, body) else {
            return self.sum_node(limit, body);
        };
        done
    }

    /// Whether the variable occurs in linear forms only, each of which subtracts it: `a[n - 1 - τ]`.
    fn counts_down(&self, body: TermId) -> bool {
        let mut counts_down = false;
        let mut seen: Map<(TermId, u32), ()> = Map::default();
        let mut stack = vec![(body, 0)];
        while let Some((term, depth)) = stack.pop() {
            if !self.may_mention_bound(term, depth) || seen.insert((term, depth), ()).is_some() {
                continue;
            }
            if seen.len() > MOST_LOOKED_AT {
                return false;
            }
            let is_variable = |term: TermId| matches!(self.data(term), Some(TermData::Bound(index)) if *index == depth);
            match self.data(term) {
                Some(TermData::Bound(index)) if *index == depth => return false,
                Some(TermData::Sum { terms, .. }) => {
                    let sign = 1 << (self.width(term) - 1);
                    for (coefficient, part) in terms {
                        if !is_variable(*part) {
                            stack.push((*part, depth));
                        } else if coefficient & sign == 0 {
                            return false;
                        } else {
                            counts_down = true;
                        }
                    }
                }
                _ => {
                    self.for_each_child(term, |child, binders| stack.push((child, depth + binders)))
                }
            }
        }
        counts_down
    }

    /// The sum of what has no closed form.
    fn sum_node(&mut self, limit: TermId, body: TermId) -> TermId {
        // rule: sum-direction
        if self.is_surely_closed(limit) && self.counts_down(body) {
            let one = self.bv(self.width(limit), 1);
            let last = self.sub(limit, one);
            let reversed = self.counted_from(body, last);
            // Simplification may turn it round again.
            if !self.counts_down(reversed) {
                return self.sum_bound(limit, reversed);
            }
        }
        self.sum_as_it_is(limit, body)
    }

    fn sum_as_it_is(&mut self, limit: TermId, body: TermId) -> TermId {
        let sort = self.sort(body);
        self.intern(TermData::SumBelow { limit, body }, sort)
    }

    fn sum_of_iterations(&mut self, limit: TermId, iterations: u64, body: TermId) -> TermId {
        let (bits, width) = (self.width(limit), self.width(body));
        let summands: Vec<TermId> = (0..iterations)
            .map(|iteration| {
                let iteration = self.bv(bits, iteration);
                self.instantiate_bound(body, iteration)
            })
            .collect();
        if width <= 64 {
            return self.sum_of(width, 0, summands.into_iter().map(|term| (1, term)));
        }
        let zero = self.bv(width, 0);
        summands
            .into_iter()
            .fold(zero, |sum, summand| self.add(sum, summand))
    }

    /// The sum by its parts; `None` when the body is already as it stays. At most 64 bits.
    fn sum_split(&mut self, limit: TermId, body: TermId) -> Option<TermId> {
        let width = self.width(body);
        let bits = self.width(limit);
        let variable = self.intern(TermData::Bound(0), Sort::Bv(bits));
        let counter = self.resized(variable, width);
        let form = self.linear(body);
        // Outside: the parts without τ. Inside: the others, but multiples of τ.
        let mut outside = Linear::constant(width, form.constant);
        let mut inside = Linear::constant(width, 0);
        let mut multiple = 0u64;
        for (coefficient, part) in &form.terms {
            if !self.may_mention_bound(*part, 0) {
                outside.terms.push((*coefficient, *part));
            } else if *part == counter {
                multiple = *coefficient;
            } else {
                inside.terms.push((*coefficient, *part));
            }
        }
        let moved = multiple != 0 || outside.constant != 0 || !outside.terms.is_empty();
        let rest = match inside.terms.as_slice() {
            [] => self.bv(width, 0),
            &[(factor, part)] => {
                let sum = self.sum_of_part(limit, part);
                let sum = sum.or_else(|| self.sum_of_periods(limit, part));
                if !moved && factor == 1 {
                    return sum;
                }
                let sum = sum.unwrap_or_else(|| self.sum_node(limit, part));
                // rule: sum-factor
                let factor = self.bv(width, factor);
                self.mul(factor, sum)
            }
            _ => {
                let body = self.linear_term(inside);
                match self.sum_of_periods(limit, body) {
                    Some(sum) => sum,
                    None if !moved => return None,
                    None => self.sum_node(limit, body),
                }
            }
        };
        // rule: sum-linear
        let triangle = if multiple == 0 {
            self.bv(width, 0)
        } else {
            let multiple = self.bv(width, multiple);
            self.triangle_times(limit, multiple)
        };
        let outside = self.linear_term(outside);
        let zero = self.bv(bits, 0);
        let outside = self.instantiate_bound(outside, zero);
        let iterations = self.resized(limit, width);
        let outside = self.mul(iterations, outside);
        let sum = self.add(outside, triangle);
        Some(self.add(sum, rest))
    }

    /// The sum of a term that is no sum itself, by looking into it.
    fn sum_of_part(&mut self, limit: TermId, part: TermId) -> Option<TermId> {
        let width = self.width(part);
        match self.data(part) {
            // rule: sum-factor
            Some(&TermData::Binary(BinOp::Mul, ..)) => {
                let (mut with, mut without) = (Vec::new(), Vec::new());
                let mut rest = part;
                loop {
                    let (factor, next) = match self.data(rest) {
                        Some(&TermData::Binary(BinOp::Mul, a, b)) => (b, Some(a)),
                        _ => (rest, None),
                    };
                    if self.may_mention_bound(factor, 0) {
                        with.push(factor);
                    } else {
                        without.push(factor);
                    }
                    match next {
                        Some(next) => rest = next,
                        None => break,
                    }
                }
                if without.is_empty() {
                    return None;
                }
                let one = self.bv(width, 1);
                let body = with.into_iter().fold(one, |a, b| self.mul(a, b));
                let factor = without.into_iter().fold(one, |a, b| self.mul(a, b));
                let zero = self.bv(self.width(limit), 0);
                let factor = self.instantiate_bound(factor, zero);
                let sum = self.sum_bound(limit, body);
                Some(self.mul(factor, sum))
            }
            // rule: sum-choice
            Some(&TermData::Cast(CastOp::SExt, truth)) if self.width(truth) == 1 => {
                let bit = self.cast(CastOp::ZExt, width, truth);
                let sum = self.sum_bound(limit, bit);
                Some(self.neg(sum))
            }
            Some(&TermData::Ite(condition, t, e))
                if width > 1 && self.is_const(t) && self.is_const(e) =>
            {
                let bit = self.cast(CastOp::ZExt, width, condition);
                let bits = self.sum_bound(limit, bit);
                let difference = self.sub(t, e);
                let weighted = self.mul(difference, bits);
                let iterations = self.resized(limit, width);
                let base = self.mul(iterations, e);
                Some(self.add(base, weighted))
            }
            _ => None,
        }
    }

    /// The sum of a term that repeats its values.
    fn sum_of_periods(&mut self, limit: TermId, body: TermId) -> Option<TermId> {
        let (bits, width) = (self.width(limit), self.width(body));
        if bits > 64 {
            return None;
        }
        // rule: sum-period
        let Some(Period { length, most }) = self.period(body) else {
            return self.sum_of_remainders(limit, body);
        };
        if length > word::mask(bits) {
            return None;
        }
        let values: Vec<TermId> = (0..length)
            .map(|iteration| {
                let iteration = self.bv(bits, iteration);
                self.instantiate_bound(body, iteration)
            })
            .collect();
        let period = self.bv(bits, length);
        let whole = self.binary(BinOp::UDiv, limit, period);
        let rest = self.binary(BinOp::URem, limit, period);
        let each = self.sum_of(width, 0, values.iter().map(|value| (1, *value)));
        let whole = self.resized(whole, width);
        let mut sum = self.mul(whole, each);
        let zero = self.bv(width, 0);
        for (iteration, value) in (0..length - 1).zip(values) {
            let iteration = self.bv(bits, iteration);
            let is_there = self.ult(iteration, rest);
            let value = self.ite(is_there, value, zero);
            sum = self.add(sum, value);
        }
        let Some(most) = most.filter(|most| *most <= u128::from(word::mask(bits))) else {
            return Some(sum);
        };
        let most = self.bv(bits, u64::try_from(most).expect("it has so many bits"));
        let repeats = self.ule(limit, most);
        let otherwise = self.sum_as_it_is(limit, body);
        Some(self.ite(repeats, sum, otherwise))
    }

    /// The sum of what depends on the remainder of a counter that starts anywhere: each remainder comes
    /// as often as the limit has whole periods, and once more if it comes in the rest of one.
    fn sum_of_remainders(&mut self, limit: TermId, body: TermId) -> Option<TermId> {
        // rule: sum-remainder
        let RemainderFrom {
            remainder,
            start,
            divisor,
            greatest,
        } = self.only_remainder(body)?;
        let (bits, width, value_bits) = (self.width(limit), self.width(body), self.width(start));
        if divisor > word::mask(bits) {
            return None;
        }
        let zero_bits = self.bv(bits, 0);
        // Outside of the binder.
        let start = self.instantiate_bound(start, zero_bits);
        let values: Vec<TermId> = (0..divisor)
            .map(|value| {
                let value = self.bv(self.width(remainder), value);
                let summand = self.with_part(body, remainder, value);
                self.instantiate_bound(summand, zero_bits)
            })
            .collect();
        let period = self.bv(bits, divisor);
        let whole = self.binary(BinOp::UDiv, limit, period);
        let rest = self.binary(BinOp::URem, limit, period);
        let each = self.sum_of(width, 0, values.iter().map(|value| (1, *value)));
        let whole = self.resized(whole, width);
        let mut sum = self.mul(whole, each);
        let rest = self.resized(rest, value_bits);
        let divisor = self.bv(value_bits, divisor);
        let first = self.binary(BinOp::URem, start, divisor);
        let zero = self.bv(width, 0);
        for (number, value) in (0..).zip(values) {
            let number = self.bv(value_bits, number);
            // After how many iterations it comes first.
            let ahead = self.sub(number, first);
            let around = self.add(ahead, divisor);
            let is_ahead = self.ule(first, number);
            let wait = self.ite(is_ahead, ahead, around);
            let comes = self.ult(wait, rest);
            let value = self.ite(comes, value, zero);
            sum = self.add(sum, value);
        }
        let greatest = self.bv(value_bits, greatest);
        let is_number = self.ule(start, greatest);
        let room = self.sub(greatest, start);
        let wider = bits.max(value_bits);
        let (room, iterations) = (self.resized(room, wider), self.resized(limit, wider));
        let fits = self.ule(iterations, room);
        let repeats = self.and(is_number, fits);
        let otherwise = self.sum_as_it_is(limit, body);
        Some(self.ite(repeats, sum, otherwise))
    }
}
