//! Tables: closed forms of reads, and truth values that depend on one look-up.

use crate::bv::word;
use crate::pool::{LOOK_UP, Map, TermData};
use crate::{BinOp, CastOp, LookUpTable, Sort, TermId, TermPool, Work};

/// Positions at which a read may be, for closed forms to be searched for.
const MOST_POSITIONS: u64 = 1 << 12;
/// Affine pieces of a read.
const MOST_PIECES: usize = 3;
/// Values of an index for which a truth value is tried.
const MOST_VALUES: u64 = 1 << 16;
/// Intervals of an index that stand for a truth value.
const MOST_INTERVALS: usize = 16;
/// Operators between a look-up and the truth value that depends on it.
const MOST_OPERATORS: usize = 48;

/// Positions at which a read may be for each number that was stored, to make a table of these.
const MOST_POSITIONS_A_STORE: u64 = 16;

/// The indices at which a read may be: first + k·step for k from 0 to `last`.
struct Positions {
    first: u64,
    step: u64,
    last: u64,
}

/// value(k) = start + slope·(k − first) for positions k from `first` on.
#[derive(Clone, Copy)]
struct Piece {
    first: u64,
    start: u64,
    slope: u64,
}

impl Piece {
    /// The value at position 0, if it continued to there: pieces of one line have the same.
    fn origin(self, mask: u64) -> u64 {
        self.start.wrapping_sub(self.slope.wrapping_mul(self.first)) & mask
    }
}

impl TermPool {
    /// The array of constants with these contents, cut to `value_bits` bits.
    ///
    /// # Panics
    /// If an index or a value has more than 64 bits.
    pub fn table(&mut self, index_bits: u32, value_bits: u32, table: LookUpTable) -> TermId {
        assert!(
            (1..=64).contains(&index_bits) && (1..=64).contains(&value_bits),
            "indices and values of tables have up to 64 bits"
        );
        let table = table.trimmed(value_bits);
        if table.values().is_empty() {
            let zero = self.bv(value_bits, 0);
            return self.const_array(index_bits, zero);
        }
        self.count_work(Work::CONSTRUCTION * (table.values().len() as u64 / 16));
        let sort = Sort::Array {
            index: index_bits,
            value: value_bits,
        };
        self.intern(TermData::Table(table.into()), sort)
    }

    /// A closed form of a read at an index that is not constant.
    pub(super) fn look_up(
        &mut self,
        table: &LookUpTable,
        index: TermId,
        bits: u32,
    ) -> Option<TermId> {
        let Positions { first, step, last } = self.positions(index, table.stride())?;
        self.count_work(Work::CONSTRUCTION * (last / 16));
        let values: Vec<u64> = (0..=last).map(|k| table.at(first + k * step)).collect();
        let mask = word::mask(bits);
        if let Some(pieces) = pieces(&values, mask) {
            return Some(self.choose_piece(&pieces, index, (first, step), bits));
        }
        self.flipped_bits(&values, index, (first, step), bits)
    }

    /// A read at an index that is not constant of numbers that were stored one by one, as one of a table.
    pub(super) fn read_stored(
        &mut self,
        array: TermId,
        index: TermId,
        (index_bits, value_bits): (u32, u32),
    ) -> Option<TermId> {
        let stores = self.store_indices.get(&array)?.clone();
        if index_bits > 64 || value_bits > 64 {
            return None;
        }
        let Positions { first, step, last } = self.positions(index, 1)?;
        if last / MOST_POSITIONS_A_STORE > stores.entries.len() as u64 {
            return None;
        }
        self.count_work(Work::CONSTRUCTION * (last / 4));
        let mut values = Vec::new();
        for k in 0..=last {
            let at = self.bv(index_bits, first + k * step);
            let stored = stores.entries.get(&at).copied();
            let value = stored.unwrap_or_else(|| self.select(stores.base, at));
            values.push(self.as_u64(value)?);
        }
        // rule: select-stored
        let table = self.table(index_bits, value_bits, LookUpTable::new(step, values));
        let first = self.bv(index_bits, first);
        let position = self.sub(index, first);
        Some(self.select(table, position))
    }

    /// Where a read may be that is not at a constant index, at multiples of `stride`; `None` where those are too
    /// many.
    fn positions(&self, index: TermId, stride: u64) -> Option<Positions> {
        if !self.is_multiple_of(index, stride) {
            return None;
        }
        let (low, high) = self.index_range(index);
        // Where the index is in steps greater than the stride: fields of structures.
        let steps = self.linear(index);
        let step = steps
            .terms
            .iter()
            .map(|(factor, _)| 1 << factor.trailing_zeros().min(62))
            .min()?;
        let step = stride.max(step);
        let first = low + steps.constant.wrapping_sub(low) % step;
        if first > high {
            return None;
        }
        let last = (high - first) / step;
        (last < MOST_POSITIONS).then_some(Positions { first, step, last })
    }

    /// Least and greatest unsigned value of an index; extended bytes may be read as signed.
    fn index_range(&self, index: TermId) -> (u64, u64) {
        let signed = self.signed_range(index);
        match (u64::try_from(signed.low), u64::try_from(signed.high)) {
            (Ok(low), Ok(high)) => (low.max(self.umin(index)), high.min(self.umax(index))),
            _ => (self.umin(index), self.umax(index)),
        }
    }

    /// The value as one to three affine pieces of the position.
    fn choose_piece(
        &mut self,
        pieces: &[Piece],
        index: TermId,
        (first, step): (u64, u64),
        bits: u32,
    ) -> TermId {
        let index_bits = self.width(index);
        let first = self.bv(index_bits, first);
        let distance = self.sub(index, first);
        let shift = self.bv(index_bits, u64::from(step.trailing_zeros()));
        let position = self.binary(BinOp::LShr, distance, shift);
        let value_of = |pool: &mut TermPool, piece: Piece| {
            let position = if bits <= index_bits {
                pool.extract(0, bits, position)
            } else {
                pool.cast(CastOp::ZExt, bits, position)
            };
            let slope = pool.bv(bits, piece.slope);
            let origin = pool.bv(bits, piece.origin(word::mask(bits)));
            let rise = pool.mul(slope, position);
            pool.add(origin, rise)
        };
        let below = |pool: &mut TermPool, term: TermId, bound: u64| {
            let bound = pool.bv(index_bits, bound);
            pool.ult(term, bound)
        };
        match *pieces {
            // rule: table-affine
            [all] => value_of(self, all),
            // rule: table-pieces
            [one, two] => {
                let early = below(self, position, two.first);
                let (one, two) = (value_of(self, one), value_of(self, two));
                self.ite(early, one, two)
            }
            [one, two, three] => {
                let mask = word::mask(bits);
                let same_line = one.slope == three.slope && one.origin(mask) == three.origin(mask);
                if same_line {
                    let start = self.bv(index_bits, two.first);
                    let offset = self.sub(position, start);
                    let within = below(self, offset, three.first - two.first);
                    let (one, two) = (value_of(self, one), value_of(self, two));
                    return self.ite(within, two, one);
                }
                let (early, middle) = (
                    below(self, position, two.first),
                    below(self, position, three.first),
                );
                let (one, two) = (value_of(self, one), value_of(self, two));
                let three = value_of(self, three);
                let later = self.ite(middle, two, three);
                self.ite(early, one, later)
            }
            _ => unreachable!("there are one to three pieces"),
        }
    }

    /// The value is that at position 0, and each bit of the position flips bits of it: a linear
    /// function of bits, as in tables of cyclic redundancy checks.
    fn flipped_bits(
        &mut self,
        values: &[u64],
        index: TermId,
        (first, step): (u64, u64),
        bits: u32,
    ) -> Option<TermId> {
        let n = values.len();
        if !n.is_power_of_two() || !first.is_multiple_of(step.checked_mul(n as u64)?) {
            return None;
        }
        let flips: Vec<u64> = (0..n.trailing_zeros())
            .map(|bit| values[1 << bit] ^ values[0])
            .collect();
        let is_linear = (1..n).all(|position| {
            let lowest = position.trailing_zeros();
            values[position] == values[position & (position - 1)] ^ flips[lowest as usize]
        });
        if !is_linear {
            return None;
        }
        // rule: table-bits
        let mut value = self.bv(bits, values[0]);
        let none = self.bv(bits, 0);
        for (bit, flip) in (step.trailing_zeros()..).zip(flips) {
            let is_set = self.extract(bit, 1, index);
            let flip = self.bv(bits, flip);
            let flip = self.ite(is_set, flip, none);
            value = self.xor(value, flip);
        }
        Some(value)
    }

    /// A truth value, as a condition on an index if it depends on nothing else than look-ups at
    /// that.
    pub(super) fn tabulated(&mut self, truth: TermId) -> TermId {
        if self.flags(truth) & LOOK_UP == 0 {
            return truth;
        }
        #[cfg(test)]
        if self.keeps_look_ups {
            return truth;
        }
        if let Some(known) = self.tabulated.get(&truth) {
            return *known;
        }
        // rule: table-truth
        let result = self.tabulate(truth).unwrap_or(truth);
        self.tabulated.insert(truth, result);
        result
    }

    /// Keeps truth values that depend on look-ups as they are.
    #[cfg(test)]
    pub(crate) fn without_tabulation(&mut self) {
        self.keeps_look_ups = true;
    }

    fn tabulate(&mut self, truth: TermId) -> Option<TermId> {
        let index = self.look_up_index(truth)?;
        let pivot = self.atom_of(index);
        let range = self.unsigned_range(pivot);
        let (low, high) = (
            u64::try_from(range.low).ok()?,
            u64::try_from(range.high).ok()?,
        );
        if high - low < MOST_VALUES {
            let holds = self.try_values(truth, pivot, low, high - low + 1, 1)?;
            return self.intervals(pivot, low, 1, &holds, None);
        }
        // Outside the tables everything is read as 0, if nothing but reads depends on the index.
        let (end, stride) = self.extent_of_reads(truth, index)?;
        if end / stride > MOST_VALUES || self.width(index) < 64 && end >> self.width(index) != 0 {
            return None;
        }
        let mut holds = self.try_values(truth, index, 0, end / stride + 1, stride)?;
        let outside = holds.pop()?;
        self.intervals(index, 0, stride, &holds, Some(outside))
    }

    /// The index of a look-up that depends on no other.
    fn look_up_index(&self, truth: TermId) -> Option<TermId> {
        let mut term = truth;
        loop {
            let mut below = None;
            self.for_each_child(term, |child, binders| {
                if binders == 0 && below.is_none() && self.flags(child) & LOOK_UP != 0 {
                    below = Some(child);
                }
            });
            term = match (below, self.data(term)?) {
                (Some(below), _) => below,
                (None, TermData::Select(_, index)) => return Some(*index),
                (None, _) => return None,
            };
        }
    }

    /// The term that an index is an extension or a multiple of, constants apart.
    fn atom_of(&self, index: TermId) -> TermId {
        let mut term = index;
        loop {
            term = match self.data(term) {
                Some(TermData::Sum { terms, .. }) if terms.len() == 1 => terms[0].1,
                Some(TermData::Cast(_, of)) => *of,
                _ => return term,
            };
        }
    }

    /// The first index behind all tables that are read at `index`, and the least stride; `None`
    /// where a table is read elsewhere, or at indices between its values, or where something else than
    /// a read of a table depends on the index.
    fn extent_of_reads(&self, truth: TermId, index: TermId) -> Option<(u64, u64)> {
        let mut extent: Option<(u64, u64)> = None;
        let mut seen: Map<TermId, ()> = Map::default();
        let mut stack = vec![truth];
        while let Some(term) = stack.pop() {
            let Some(data) = self.data(term) else {
                // A constant.
                continue;
            };
            if seen.insert(term, ()).is_some() {
                continue;
            }
            if term == index || seen.len() > MOST_OPERATORS {
                return None;
            }
            match data {
                TermData::Select(array, at) => {
                    // Other arrays may have something at any index.
                    let Some(TermData::Table(table)) = self.data(*array) else {
                        return None;
                    };
                    if *at != index || !self.is_multiple_of(index, table.stride()) {
                        return None;
                    }
                    let (end, stride) = extent.unwrap_or((0, u64::MAX));
                    extent = Some((end.max(table.end()), stride.min(table.stride())));
                }
                TermData::Symbol(_) | TermData::Bound(_) => return None,
                _ => self.for_each_child(term, |child, _| stack.push(child)),
            }
        }
        extent
    }

    /// Whether a truth value holds for n values of the pivot, from the first on; `None` where it
    /// depends on something else.
    fn try_values(
        &self,
        truth: TermId,
        pivot: TermId,
        first: u64,
        n: u64,
        stride: u64,
    ) -> Option<Vec<bool>> {
        let program = self.compile(&[truth], &[pivot], MOST_OPERATORS)?;
        self.count_work(program.work() * n);
        let mut values = Vec::with_capacity(program.len());
        Some(
            (0..n)
                .map(|k| program.holds(&[first + k * stride], &mut values))
                .collect(),
        )
    }

    /// The condition that `term`, which is first + k·stride for some k, has a k with `holds[k]`,
    /// or that `outside` holds and there is no such k among these.
    fn intervals(
        &mut self,
        term: TermId,
        first: u64,
        stride: u64,
        holds: &[bool],
        outside: Option<bool>,
    ) -> Option<TermId> {
        let runs_of = |wanted: bool| {
            let mut runs: Vec<(u64, u64)> = Vec::new();
            for k in (0u64..)
                .zip(holds)
                .filter(|(_, holds)| **holds == wanted)
                .map(|(k, _)| k)
            {
                match runs.last_mut() {
                    Some((_, last)) if *last + 1 == k => *last = k,
                    _ => runs.push((k, k)),
                }
            }
            runs
        };
        let (yes, no) = (runs_of(true), runs_of(false));
        let wanted = match outside {
            Some(outside) => !outside,
            None => yes.len() <= no.len(),
        };
        let runs = if wanted { yes } else { no };
        if runs.len() > MOST_INTERVALS {
            return None;
        }
        let width = self.width(term);
        let end = holds.len() as u64 - 1;
        let mut parts = Vec::new();
        for (from, to) in runs {
            // Values outside are arbitrary, unless a base is given.
            let open = outside.is_none();
            let part = match (open && from == 0, open && to == end) {
                (true, true) => TermId::TRUE,
                (true, false) => {
                    let last = self.bv(width, first + to * stride);
                    self.ule(term, last)
                }
                (false, true) => {
                    let start = self.bv(width, first + from * stride);
                    self.ule(start, term)
                }
                (false, false) => {
                    let start = self.bv(width, first + from * stride);
                    let offset = self.sub(term, start);
                    let length = self.bv(width, (to - from) * stride);
                    self.ule(offset, length)
                }
            };
            parts.push(part);
        }
        let any = self.disj(parts);
        Some(if wanted { any } else { self.not(any) })
    }
}

/// The values as at most three affine pieces.
fn pieces(values: &[u64], mask: u64) -> Option<Vec<Piece>> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut position = 0;
    while position < values.len() {
        if pieces.len() == MOST_PIECES {
            return None;
        }
        let start = values[position];
        let slope = values
            .get(position + 1)
            .map_or(0, |next| next.wrapping_sub(start) & mask);
        pieces.push(Piece {
            first: position as u64,
            start,
            slope,
        });
        let mut expected = start;
        while values.get(position) == Some(&expected) {
            expected = expected.wrapping_add(slope) & mask;
            position += 1;
        }
    }
    Some(pieces)
}
