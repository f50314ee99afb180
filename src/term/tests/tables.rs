//! Tables: reads, their closed forms, and truth values that depend on one look-up.

use fastrand::Rng;

use crate::{
    Assignment, BinOp, Bv, CastOp, CmpOp, LookUpTable, Sort, SymbolId, Term, TermId, TermPool,
};

struct Lab {
    pool: TermPool,
    byte: SymbolId,
}

impl Lab {
    fn new() -> Lab {
        let mut pool = TermPool::new();
        let byte = pool.symbol("c", Sort::Bv(8));
        Lab { pool, byte }
    }

    fn byte(&self) -> TermId {
        self.pool.symbol_term(self.byte)
    }

    /// The byte, extended, times a factor, and an offset added.
    fn index(&mut self, op: CastOp, factor: u64, offset: u64) -> TermId {
        let byte = self.byte();
        let wide = self.pool.cast(op, 64, byte);
        let (factor, offset) = (self.pool.bv(64, factor), self.pool.bv(64, offset));
        let product = self.pool.mul(factor, wide);
        self.pool.add(product, offset)
    }

    fn table(&mut self, bits: u32, stride: u64, values: &[u64]) -> TermId {
        let table = LookUpTable::new(stride, values.to_vec());
        self.pool.table(64, bits, table)
    }

    /// Compares a term with a function of the byte.
    fn expect(&self, term: TermId, expected: impl Fn(u8) -> u64) {
        let width = self.pool.width(term);
        for c in 0..=255u8 {
            let mut assignment = Assignment::new();
            assignment.set(self.byte, Bv::new(8, u64::from(c)));
            let value = self.pool.evaluate(term, &assignment).expect("no binders");
            assert_eq!(value, Bv::new(width, expected(c)), "for {c}");
        }
    }

    fn reads(&self, term: TermId) -> bool {
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            if matches!(self.pool.view(term), Term::Table(_)) {
                return true;
            }
            self.pool
                .for_each_operand(term, |operand| stack.push(operand));
        }
        false
    }
}

fn crc_table() -> Vec<u64> {
    let step = |crc: u64| {
        if crc & 1 == 1 {
            crc >> 1 ^ 0xedb8_8320
        } else {
            crc >> 1
        }
    };
    (0..256)
        .map(|byte| (0..8).fold(byte, |crc, _| step(crc)))
        .collect()
}

#[test]
fn reads_at_constants_and_equal_values() {
    let mut lab = Lab::new();
    let table = lab.table(16, 2, &[7, 0x1_0008, 0, 9, 0, 0]);
    for (index, expected) in [(0, 7), (2, 8), (1, 0), (6, 9), (8, 0), (1 << 40, 0)] {
        let at = lab.pool.bv(64, index);
        let value = lab.pool.select(table, at);
        assert_eq!(lab.pool.as_u64(value), Some(expected), "at {index}");
    }
    let fives = lab.table(32, 4, &[5; 256]);
    let index = lab.index(CastOp::ZExt, 4, 0);
    let value = lab.pool.select(fives, index);
    assert_eq!(lab.pool.as_u64(value), Some(5));
    let zeros = lab.table(32, 4, &[0; 16]);
    assert!(matches!(lab.pool.view(zeros), Term::ConstArray(_)));
}

#[test]
fn lines_pieces_and_bits_have_closed_forms() {
    let line: Vec<u64> = (0..256).map(|k| 1000 - 3 * k).collect();
    let lower: Vec<u64> = (0..256u64)
        .map(|c| if (65..91).contains(&c) { c + 32 } else { c })
        .collect();
    let classes: Vec<u64> = (0..256u64)
        .map(|c| {
            if c < 10 {
                1
            } else if c < 200 {
                2
            } else {
                3
            }
        })
        .collect();
    for values in [line, lower, classes, crc_table()] {
        for (op, factor, offset) in [(CastOp::ZExt, 4, 0), (CastOp::SExt, 4, 512)] {
            let mut lab = Lab::new();
            let table = lab.table(32, 4, &values);
            let index = lab.index(op, factor, offset);
            let value = lab.pool.select(table, index);
            assert!(!lab.reads(value), "{}", lab.pool.display(value));
            lab.expect(value, |c| {
                let position = if op == CastOp::ZExt { c } else { c ^ 0x80 };
                values[usize::from(position)]
            });
        }
    }
}

/// As a program fills a table before it reads it.
#[test]
fn what_was_stored_number_by_number_is_a_table() {
    let values: Vec<u64> = (0..256u64).map(|c| c * 167 % 256).collect();
    for n_stored in [256usize, 64, 17] {
        let mut lab = Lab::new();
        let everywhere = lab.pool.bv(32, 9);
        let mut array = lab.pool.const_array(64, everywhere);
        for (k, value) in values.iter().enumerate().take(n_stored) {
            let at = lab.pool.bv(64, 4 * k as u64 + 8);
            let value = lab.pool.bv(32, *value);
            array = lab.pool.store(array, at, value);
        }
        let index = lab.index(CastOp::ZExt, 4, 8);
        let read = lab.pool.select(array, index);
        if let Term::Select(read, _) = lab.pool.view(read) {
            assert!(!matches!(lab.pool.view(read), Term::Store(..)));
        }
        lab.expect(read, |c| match usize::from(c) {
            c if c < n_stored => values[c],
            _ => 9,
        });
    }
}

/// First all are the same, then each gets its number: most stores are hidden.
#[test]
fn an_inverse_table_that_is_filled_twice() {
    let mut lab = Lab::new();
    let sort = Sort::Array {
        index: 64,
        value: 8,
    };
    let mut array = lab.pool.fresh("a", sort);
    let numbers = (0..256)
        .map(|k| (k, 255))
        .chain((0..64).map(|k| (k * 3 + 1, k)));
    for (at, value) in numbers {
        let (at, value) = (lab.pool.bv(64, at), lab.pool.bv(8, value));
        array = lab.pool.store(array, at, value);
    }
    let byte = lab.byte();
    let low = lab.pool.extract(0, 6, byte);
    let index = lab.pool.cast(CastOp::ZExt, 64, low);
    let read = lab.pool.select(array, index);
    let is_inverse = |k: u8| if k % 3 == 1 { u64::from(k / 3) } else { 255 };
    lab.expect(read, |c| is_inverse(c & 63));
    assert!(lab.pool.symbols_of(read).len() == 1);
}

/// Where something else may be read, the stores stay.
#[test]
fn what_was_not_stored_stays_open() {
    let mut lab = Lab::new();
    let sort = Sort::Array {
        index: 64,
        value: 32,
    };
    let mut array = lab.pool.fresh("a", sort);
    for k in (0..256).filter(|k| *k != 77) {
        let at = lab.pool.bv(64, 4 * k);
        let value = lab.pool.bv(32, k);
        array = lab.pool.store(array, at, value);
    }
    let index = lab.index(CastOp::ZExt, 4, 0);
    let read = lab.pool.select(array, index);
    assert!(matches!(lab.pool.view(read), Term::Select(read, _) if read == array));
}

#[test]
fn fields_of_structures() {
    // struct { unsigned char op, bits; unsigned short val; }, by bytes.
    let fields = |k: u64| [k % 7, 3, k, 1];
    let values: Vec<u64> = (0..256).flat_map(fields).collect();
    let mut lab = Lab::new();
    let table = lab.table(8, 1, &values);
    for field in 0..4u32 {
        let index = lab.index(CastOp::ZExt, 4, u64::from(field));
        let value = lab.pool.select(table, index);
        assert_eq!(lab.reads(value), field == 0, "field {field}");
        lab.expect(value, |c| fields(u64::from(c))[field as usize]);
    }
}

#[test]
fn what_has_no_closed_form_stays_a_read() {
    let mut rng = Rng::with_seed(1);
    let values: Vec<u64> = (0..256).map(|_| rng.u64(..)).collect();
    let mut lab = Lab::new();
    let table = lab.table(64, 8, &values);
    let index = lab.index(CastOp::ZExt, 8, 0);
    let value = lab.pool.select(table, index);
    assert!(matches!(lab.pool.view(value), Term::Select(array, _) if array == table));
    lab.expect(value, |c| values[usize::from(c)]);
    // Between the values, and beyond them, everything is 0.
    for (factor, offset) in [(3, 0), (8, 1024), (16, 8)] {
        let index = lab.index(CastOp::ZExt, factor, offset);
        let value = lab.pool.select(table, index);
        lab.expect(value, |c| {
            let at = u64::from(c) * factor + offset;
            let position = usize::try_from(at / 8).expect("small");
            values
                .get(position)
                .filter(|_| at % 8 == 0)
                .copied()
                .unwrap_or(0)
        });
    }
}

/// A truth value that compares what look-ups gave, over tables of few and of many values.
fn random_truth(lab: &mut Lab, rng: &mut Rng) -> TermId {
    let n_values = 1 << rng.u32(1..5);
    let ranges = rng.bool();
    let mut class = 0;
    let values: Vec<u64> = (0..1 << rng.u32(4..9))
        .map(|_| {
            if !ranges || rng.u8(0..12) == 0 {
                class = rng.u64(0..n_values);
            }
            class
        })
        .collect();
    let stride = 1 << rng.u32(0..3);
    let table = lab.table(16, stride, &values);
    let op = [CastOp::ZExt, CastOp::SExt][rng.usize(0..2)];
    let offset = [0, 128 * stride, 5 * stride, stride.wrapping_neg()][rng.usize(0..4)];
    let index = lab.index(op, stride, offset);
    let pool = &mut lab.pool;
    let mut value = pool.select(table, index);
    for _ in 0..rng.u32(0..3) {
        let op = [BinOp::And, BinOp::Add, BinOp::Xor, BinOp::LShr, BinOp::Mul][rng.usize(0..5)];
        let operand = pool.bv(16, rng.u64(0..8));
        value = pool.binary(op, value, operand);
    }
    if rng.u8(0..3) == 0 {
        let bit = rng.u32(0..16);
        return pool.extract(bit, 1, value);
    }
    let bound = if rng.u8(0..3) == 0 {
        let byte = pool.symbol_term(lab.byte);
        pool.cast(CastOp::ZExt, 16, byte)
    } else {
        pool.bv(16, rng.u64(0..8))
    };
    let comparison = CmpOp::ALL[rng.usize(0..CmpOp::ALL.len())];
    pool.compare(comparison, value, bound)
}

#[test]
fn truth_values_of_one_look_up_are_conditions_on_its_index() {
    let mut rng = Rng::with_seed(7);
    let mut simple = 0;
    for _ in 0..600 {
        let mut lab = Lab::new();
        let state = rng.clone();
        let truth = random_truth(&mut lab, &mut rng);
        // The same without the rule: operands are evaluated as they are built.
        let mut plain = Lab::new();
        plain.pool.without_tabulation();
        let expected = random_truth(&mut plain, &mut state.clone());
        simple += u32::from(!lab.reads(truth) && plain.reads(expected));
        for c in 0..=255u64 {
            let value = |lab: &Lab, truth| {
                let mut assignment = Assignment::new();
                assignment.set(lab.byte, Bv::new(8, c));
                lab.pool.evaluate(truth, &assignment).expect("no binders")
            };
            assert_eq!(
                value(&lab, truth),
                value(&plain, expected),
                "for {c}: {} and {}",
                lab.pool.display(truth),
                plain.pool.display(expected)
            );
        }
    }
    assert!(simple > 300, "{simple} of 600");
}

#[test]
fn wide_indices_outside_the_table() {
    let mut pool = TermPool::new();
    let x = pool.symbol("x", Sort::Bv(64));
    let table = pool.table(64, 8, LookUpTable::new(4, vec![1, 1, 0, 2, 2, 1]));
    let (four, two) = (pool.bv(64, 4), pool.bv(8, 2));
    let index = pool.symbol_term(x);
    let index = pool.mul(four, index);
    let value = pool.select(table, index);
    for op in CmpOp::ALL {
        let truth = pool.compare(op, value, two);
        let mut stack = vec![truth];
        while let Some(term) = stack.pop() {
            assert!(!matches!(pool.view(term), Term::Table(_)), "{op:?}");
            pool.for_each_operand(term, |operand| stack.push(operand));
        }
        let far = [
            6,
            7,
            1 << 61,
            1 << 62,
            (1 << 62) + 3,
            u64::MAX,
            u64::MAX / 4,
        ];
        for k in (0..6).chain(far) {
            let read = [1, 1, 0, 2, 2, 1]
                .get((k & (u64::MAX >> 2)) as usize)
                .copied();
            let mut assignment = Assignment::new();
            assignment.set(x, Bv::new(64, k));
            let expected = Bv::compare(op, &Bv::new(8, read.unwrap_or(0)), &Bv::new(8, 2));
            assert_eq!(
                pool.evaluate(truth, &assignment),
                Ok(Bv::truth(expected)),
                "{op:?} {k}"
            );
        }
    }
}

/// Outside of a table a truth value may be another one at each index where something else depends on that, as a read of
/// what was stored at an index far away does.
#[test]
fn what_depends_on_the_index_beside_a_look_up() {
    const FAR: u64 = 0xffff_ffff_0000_0000;
    let mut pool = TermPool::new();
    let x = pool.symbol("x", Sort::Bv(64));
    let index = pool.symbol_term(x);
    let table = pool.table(64, 8, LookUpTable::new(1, vec![3, 1]));
    let zero = pool.bv(8, 0);
    let mut stored = pool.const_array(64, zero);
    for (at, value) in [(FAR, 1), (0, 3), (1, 1)] {
        let (at, value) = (pool.bv(64, at), pool.bv(8, value));
        stored = pool.store(stored, at, value);
    }
    let (looked_up, read) = (pool.select(table, index), pool.select(stored, index));
    let wide = pool.cast(CastOp::ZExt, 64, looked_up);
    let sum = pool.add(wide, index);
    let (seven, five) = (pool.bv(64, 7), pool.bv(64, 5));
    let (below, nothing) = (pool.ult(index, five), pool.eq(looked_up, zero));
    let value = |x: u64| {
        [3, 1]
            .get(usize::try_from(x).expect("64 bits"))
            .copied()
            .unwrap_or(0)
    };
    let truths: [(TermId, &dyn Fn(u64) -> bool); 3] = [
        (pool.eq(read, looked_up), &|x| x != FAR),
        (pool.eq(sum, seven), &|x| {
            u64::wrapping_add(value(x), x) == 7
        }),
        (pool.and(below, nothing), &|x| x < 5 && value(x) == 0),
    ];
    for (truth, expected) in truths {
        for at in (0..20).chain([FAR, FAR + 1, u64::MAX]) {
            let mut assignment = Assignment::new();
            assignment.set(x, Bv::new(64, at));
            let found = pool.evaluate(truth, &assignment);
            assert_eq!(
                found,
                Ok(Bv::truth(expected(at))),
                "{} at {at}",
                pool.display(truth)
            );
        }
    }
}

#[test]
fn two_look_ups_in_a_row() {
    let mut rng = Rng::with_seed(3);
    let inner: Vec<u64> = (0..256u64)
        .map(|c| u64::from(c.is_multiple_of(50)) * 4)
        .collect();
    let outer: Vec<u64> = (0..8).map(|_| rng.u64(0..250)).collect();
    let mut lab = Lab::new();
    let (first, second) = (lab.table(64, 1, &inner), lab.table(8, 1, &outer));
    let index = lab.index(CastOp::ZExt, 1, 0);
    let class = lab.pool.select(first, index);
    let value = lab.pool.select(second, class);
    let bound = lab.pool.bv(8, outer[0]);
    let truth = lab.pool.eq(value, bound);
    assert!(!lab.reads(truth), "{}", lab.pool.display(truth));
    lab.expect(truth, |c| {
        u64::from(outer[usize::try_from(inner[usize::from(c)]).expect("small")] == outer[0])
    });
}

#[test]
fn tables_of_characters_are_shown_as_text() {
    let mut lab = Lab::new();
    let text: Vec<u64> = b"hello".iter().map(|byte| u64::from(*byte)).collect();
    let (characters, words) = (lab.table(8, 1, &text), lab.table(32, 4, &text));
    assert_eq!(lab.pool.display(characters).to_string(), "\"hello\"");
    assert_eq!(
        lab.pool.display(words).to_string(),
        "{104, 101, 108, 108, 111}"
    );
}
