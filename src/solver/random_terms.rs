//! Random formulas and a brute-force oracle, for tests.

use term::{
    ArrayValue, Assignment, BinOp, Bv, CastOp, CmpOp, LookUpTable, Sort, SymbolId, SymbolValue,
    TermId, TermPool,
};

/// Makes formulas over a few small symbols.
pub(super) struct Generator {
    pub(super) rng: fastrand::Rng,
    /// Width of words.
    pub(super) width: u32,
    pub(super) words: Vec<SymbolId>,
    /// From 2 bits to `width` bits.
    pub(super) arrays: Vec<SymbolId>,
    /// Whether quantifiers are made.
    pub(super) quantifiers: bool,
    /// Whether bounded sums are made.
    pub(super) sums: bool,
    bound: Vec<TermId>,
}

const ARRAY_INDEX: u32 = 2;

impl Generator {
    pub(super) fn new(
        pool: &mut TermPool,
        seed: u64,
        width: u32,
        n_words: usize,
        n_arrays: usize,
    ) -> Generator {
        let words = (0..n_words)
            .map(|i| pool.symbol(&format!("x{i}"), Sort::Bv(width)))
            .collect();
        let sort = Sort::Array {
            index: ARRAY_INDEX,
            value: width,
        };
        let arrays = (0..n_arrays)
            .map(|i| pool.symbol(&format!("a{i}"), sort))
            .collect();
        let rng = fastrand::Rng::with_seed(seed);
        Generator {
            rng,
            width,
            words,
            arrays,
            quantifiers: false,
            sums: false,
            bound: Vec::new(),
        }
    }

    /// All symbols that terms may have.
    pub(super) fn symbols(&self) -> Vec<SymbolId> {
        self.words.iter().chain(&self.arrays).copied().collect()
    }

    pub(super) fn word(&mut self, pool: &mut TermPool, depth: u32) -> TermId {
        let width = self.width;
        if depth == 0 || self.rng.u32(0..4) == 0 {
            if !self.bound.is_empty() && self.rng.u32(0..3) > 0 {
                return self.bound[self.rng.usize(0..self.bound.len())];
            }
            return if self.words.is_empty() || self.rng.u32(0..3) == 0 {
                pool.bv(width, self.rng.u64(0..1 << width))
            } else {
                let symbol = self.words[self.rng.usize(0..self.words.len())];
                pool.symbol_term(symbol)
            };
        }
        if self.sums && self.bound.len() < 2 && self.rng.u32(0..3) == 0 {
            return self.sum(pool, depth);
        }
        const OPS: [BinOp; 16] = [
            BinOp::Add,
            BinOp::Add,
            BinOp::Add,
            BinOp::Sub,
            BinOp::Mul,
            BinOp::UDiv,
            BinOp::SDiv,
            BinOp::URem,
            BinOp::SRem,
            BinOp::Shl,
            BinOp::LShr,
            BinOp::AShr,
            BinOp::And,
            BinOp::Or,
            BinOp::Xor,
            BinOp::Sub,
        ];
        match self.rng.u32(0..10) {
            0..=5 => {
                let op = OPS[self.rng.usize(0..OPS.len())];
                let a = self.word(pool, depth - 1);
                let b = self.word(pool, depth - 1);
                pool.binary(op, a, b)
            }
            6 => {
                let c = self.truth(pool, depth - 1);
                let a = self.word(pool, depth - 1);
                let b = self.word(pool, depth - 1);
                pool.ite(c, a, b)
            }
            7 if width > 1 => {
                let low = self.rng.u32(0..width);
                let n = self.rng.u32(1..=width - low);
                let a = self.word(pool, depth - 1);
                let part = pool.extract(low, n, a);
                let op = if self.rng.bool() {
                    CastOp::ZExt
                } else {
                    CastOp::SExt
                };
                pool.cast(op, width, part)
            }
            8 => {
                let base = Bv::new(width, self.rng.u64(0..1 << width));
                let exponent = self.word(pool, depth - 1);
                pool.power(&base, exponent)
            }
            _ if self.arrays.is_empty() => self.word(pool, depth - 1),
            _ => {
                let array = self.array(pool, depth - 1);
                let index = self.index(pool, depth - 1);
                pool.select(array, index)
            }
        }
    }

    fn index(&mut self, pool: &mut TermPool, depth: u32) -> TermId {
        let word = self.word(pool, depth);
        if self.width >= ARRAY_INDEX {
            pool.extract(0, ARRAY_INDEX, word)
        } else {
            pool.cast(CastOp::ZExt, ARRAY_INDEX, word)
        }
    }

    fn array(&mut self, pool: &mut TermPool, depth: u32) -> TermId {
        match self.rng.u32(0..8) {
            4 | 5 if self.width <= 64 => {
                let n = self.rng.usize(1..=1 << ARRAY_INDEX);
                let values = (0..n).map(|_| self.rng.u64(..)).collect();
                let stride = 1 << self.rng.u32(0..2);
                let table = LookUpTable::new(stride, values);
                pool.table(ARRAY_INDEX, self.width, table)
            }
            0 if depth > 0 => {
                let c = self.truth(pool, depth - 1);
                let a = self.array(pool, depth - 1);
                let b = self.array(pool, depth - 1);
                pool.ite(c, a, b)
            }
            1 | 2 if depth > 0 => {
                let array = self.array(pool, depth - 1);
                let index = self.index(pool, depth - 1);
                let value = self.word(pool, depth - 1);
                pool.store(array, index, value)
            }
            3 if depth > 0 => {
                let value = self.word(pool, depth - 1);
                pool.const_array(ARRAY_INDEX, value)
            }
            _ => {
                let symbol = self.arrays[self.rng.usize(0..self.arrays.len())];
                pool.symbol_term(symbol)
            }
        }
    }

    pub(super) fn truth(&mut self, pool: &mut TermPool, depth: u32) -> TermId {
        const OPS: [CmpOp; 6] = [
            CmpOp::Eq,
            CmpOp::Ne,
            CmpOp::Ult,
            CmpOp::Ule,
            CmpOp::Slt,
            CmpOp::Sle,
        ];
        if depth > 0 && self.quantifiers && self.bound.len() < 2 && self.rng.u32(0..4) == 0 {
            return self.quantifier(pool, depth);
        }
        if depth > 0 && self.rng.u32(0..3) == 0 {
            let a = self.truth(pool, depth - 1);
            let b = self.truth(pool, depth - 1);
            return match self.rng.u32(0..4) {
                0 => pool.and(a, b),
                1 => pool.or(a, b),
                2 => pool.eq(a, b),
                _ => pool.not(a),
            };
        }
        let op = OPS[self.rng.usize(0..OPS.len())];
        let a = self.word(pool, depth.saturating_sub(1));
        let b = self.word(pool, depth.saturating_sub(1));
        pool.compare(op, a, b)
    }

    fn sum(&mut self, pool: &mut TermPool, depth: u32) -> TermId {
        let limit = self.word(pool, depth - 1);
        let tau = pool.symbol("tau", Sort::Bv(self.width));
        let term = pool.symbol_term(tau);
        self.bound.push(term);
        let body = if self.rng.bool() {
            let truth = self.truth(pool, depth - 1);
            pool.cast(CastOp::ZExt, self.width, truth)
        } else {
            self.word(pool, depth - 1)
        };
        self.bound.pop();
        pool.sum_below(tau, limit, body)
    }

    fn quantifier(&mut self, pool: &mut TermPool, depth: u32) -> TermId {
        let limit = self.word(pool, depth - 1);
        let tau = pool.symbol("tau", Sort::Bv(self.width));
        let term = pool.symbol_term(tau);
        self.bound.push(term);
        let body = self.truth(pool, depth - 1);
        self.bound.pop();
        if self.rng.bool() {
            pool.forall_below(tau, limit, body)
        } else {
            pool.exists_below(tau, limit, body)
        }
    }
}

/// An assignment of the symbols (bit-vectors, and arrays of few small cells) that makes all
/// conjuncts true, by trying all.
pub(super) fn brute_force(
    pool: &TermPool,
    symbols: &[SymbolId],
    conjuncts: &[TermId],
) -> Option<Assignment> {
    let domains: Vec<u64> = symbols
        .iter()
        .map(|symbol| match pool.symbol_sort(*symbol) {
            Sort::Bv(width) => 1 << width,
            Sort::Array { index, value } => 1 << (value << index),
        })
        .collect();
    let total: u64 = domains.iter().product();
    (0..total).find_map(|number| {
        let mut rest = number;
        let mut assignment = Assignment::new();
        for (symbol, domain) in symbols.iter().zip(&domains) {
            let mut code = rest % domain;
            rest /= domain;
            match pool.symbol_sort(*symbol) {
                Sort::Bv(width) => assignment.set(*symbol, Bv::new(width, code)),
                Sort::Array { index, value } => {
                    let mut array = ArrayValue::constant(Bv::zero(value));
                    for cell in 0..1u64 << index {
                        array
                            .entries
                            .insert(Bv::new(index, cell), Bv::new(value, code));
                        code >>= value;
                    }
                    assignment.set_array(*symbol, array);
                }
            }
        }
        let holds = conjuncts.iter().all(|c| {
            pool.evaluate(*c, &assignment)
                .expect("few iterations")
                .is_ones()
        });
        holds.then_some(assignment)
    })
}

#[test]
fn the_oracle_finds_the_only_solution() {
    let mut pool = TermPool::new();
    let generator = Generator::new(&mut pool, 0, 2, 2, 1);
    let (x, y) = (generator.words[0], generator.words[1]);
    let (tx, ty) = (pool.symbol_term(x), pool.symbol_term(y));
    let a = pool.symbol_term(generator.arrays[0]);
    let (two, three) = (pool.bv(2, 2), pool.bv(2, 3));
    let read = pool.select(a, tx);
    let conjuncts = [pool.eq(tx, two), pool.eq(read, three), pool.ult(three, ty)];
    let symbols = [x, y, generator.arrays[0]];
    assert_eq!(brute_force(&pool, &symbols, &conjuncts), None);
    let conjuncts = [conjuncts[0], conjuncts[1], pool.eq(tx, ty)];
    let found = brute_force(&pool, &symbols, &conjuncts).unwrap();
    assert_eq!(found.get(y), Some(&SymbolValue::Bits(Bv::new(2, 2))));
    assert_eq!(
        found.array(symbols[2]).unwrap().get(&Bv::new(2, 2)),
        &Bv::new(2, 3)
    );
}
