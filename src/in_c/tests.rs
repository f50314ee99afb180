use super::*;
use frontend::find_clang;
use std::fmt::Write as _;
use std::process::Command;
use term::{ArrayValue, Assignment, Bv, Sort};

/// The variables of a program.
struct Variables {
    pool: TermPool,
    types: BTreeMap<String, InputType>,
    /// Numbers, and arrays of eight, each as its name in C, its type there and its bits.
    numbers: Vec<(SymbolId, &'static str, &'static str, u32)>,
    arrays: Vec<(SymbolId, &'static str, &'static str, u32)>,
}

const IN_ARRAY: u64 = 8;

fn variables() -> Variables {
    let mut pool = TermPool::new();
    let mut types = BTreeMap::new();
    let numbers = [
        ("c", "signed char", 8),
        ("d", "unsigned char", 8),
        ("s", "short", 16),
        ("t", "unsigned short", 16),
        ("i", "int", 32),
        ("u", "unsigned", 32),
        ("l", "long long", 64),
        ("m", "unsigned long long", 64),
    ];
    let numbers = numbers.map(|(name, ty, bits)| {
        let reading = match ty.starts_with("unsigned") {
            true => Reading::Unsigned,
            false => Reading::Signed,
        };
        let known = InputType::Number(NumberType { bits, reading });
        types.insert(name.to_owned(), known);
        (pool.symbol(name, Sort::Bv(bits)), name, ty, bits)
    });
    let arrays = [
        ("text", "signed char", 8),
        ("bytes", "unsigned char", 8),
        ("all", "int", 32),
    ];
    let arrays = arrays.map(|(name, ty, bits)| {
        let reading = match ty.starts_with("unsigned") {
            true => Reading::Unsigned,
            false => Reading::Signed,
        };
        let known = InputType::Array {
            element: Box::new(InputType::Number(NumberType { bits, reading })),
            length: Some(IN_ARRAY),
        };
        types.insert(name.to_owned(), known);
        let (index, value) = (64, bits);
        (
            pool.symbol(name, Sort::Array { index, value }),
            name,
            ty,
            bits,
        )
    });
    Variables {
        pool,
        types,
        numbers: numbers.to_vec(),
        arrays: arrays.to_vec(),
    }
}

impl Variables {
    fn in_c(&self, term: TermId) -> Option<String> {
        let writer = InC {
            pool: &self.pool,
            names: &SymbolNames::default(),
            types: &self.types,
            counters: &BTreeSet::new(),
        };
        writer.truth(term)
    }

    fn number(&self, name: &str) -> TermId {
        let symbol = self.pool.symbol_named(name).expect("it is a variable");
        self.pool.symbol_term(symbol)
    }

    fn constant(&mut self, bits: u32, value: i64) -> TermId {
        self.pool.constant(&Bv::from_i64(bits, value))
    }

    fn element(&mut self, array: &str, offset: TermId) -> TermId {
        let array = self.number(array);
        self.pool.select(array, offset)
    }

    /// A random number of so many bits.
    fn value(&mut self, rng: &mut fastrand::Rng, bits: u32, depth: u32) -> TermId {
        let is_leaf = depth == 0 || rng.u8(..5) == 0;
        if is_leaf {
            return match rng.u8(..4) {
                0 => {
                    let value = rng.i64(-4..70) << [0, 0, 0, bits - 7][rng.usize(..4)];
                    self.constant(bits, value)
                }
                1 if bits == 8 || bits == 32 => {
                    let fitting = self.arrays.iter().filter(|array| array.3 == bits);
                    let fitting: Vec<&str> = fitting.map(|array| array.1).collect();
                    let name = fitting[rng.usize(..fitting.len())];
                    let at = self.value(rng, 32, 0);
                    let mask = self.constant(32, 7);
                    let at = self.pool.binary(BinOp::And, at, mask);
                    let at = self.pool.cast(CastOp::ZExt, 64, at);
                    let bytes = self.constant(64, i64::from(bits / 8));
                    let offset = self.pool.binary(BinOp::Mul, at, bytes);
                    self.element(name, offset)
                }
                _ => {
                    let fitting = self.numbers.iter().filter(|number| number.3 == bits);
                    let fitting: Vec<SymbolId> = fitting.map(|number| number.0).collect();
                    self.pool.symbol_term(fitting[rng.usize(..fitting.len())])
                }
            };
        }
        match rng.u8(..8) {
            0 => {
                let narrower: Vec<u32> = [8, 16, 32].into_iter().filter(|n| *n < bits).collect();
                if narrower.is_empty() {
                    let wide = self.value(rng, 32, depth - 1);
                    return self.pool.extract(8 * rng.u32(..3), bits, wide);
                }
                let from = narrower[rng.usize(..narrower.len())];
                let of = self.value(rng, from, depth - 1);
                let op = [CastOp::ZExt, CastOp::SExt][rng.usize(..2)];
                self.pool.cast(op, bits, of)
            }
            1 if bits < 64 => {
                let wide = self.value(rng, 64, depth - 1);
                self.pool.extract(rng.u32(..=64 - bits), bits, wide)
            }
            2 => {
                let condition = self.condition(rng, depth - 1);
                let then = self.value(rng, bits, depth - 1);
                let otherwise = self.value(rng, bits, depth - 1);
                self.pool.ite(condition, then, otherwise)
            }
            3 => {
                let op = [BinOp::UDiv, BinOp::SDiv, BinOp::URem, BinOp::SRem][rng.usize(..4)];
                let by = self.constant(bits, rng.i64(2..20));
                let of = self.value(rng, bits, depth - 1);
                self.pool.binary(op, of, by)
            }
            4 => {
                let op = [BinOp::Shl, BinOp::LShr, BinOp::AShr][rng.usize(..3)];
                let by = self.constant(bits, rng.i64(1..8));
                let of = self.value(rng, bits, depth - 1);
                self.pool.binary(op, of, by)
            }
            5 => {
                let of = self.condition(rng, depth - 1);
                self.pool.cast(CastOp::ZExt, bits, of)
            }
            _ => {
                let ops = [
                    BinOp::Add,
                    BinOp::Sub,
                    BinOp::Mul,
                    BinOp::And,
                    BinOp::Or,
                    BinOp::Xor,
                ];
                let lhs = self.value(rng, bits, depth - 1);
                let rhs = self.value(rng, bits, depth - 1);
                self.pool.binary(ops[rng.usize(..ops.len())], lhs, rhs)
            }
        }
    }

    /// A random condition.
    fn condition(&mut self, rng: &mut fastrand::Rng, depth: u32) -> TermId {
        if depth > 0 && rng.u8(..3) == 0 {
            let op = [BinOp::And, BinOp::Or, BinOp::Xor][rng.usize(..3)];
            let lhs = self.condition(rng, depth - 1);
            let rhs = self.condition(rng, depth - 1);
            return self.pool.binary(op, lhs, rhs);
        }
        let bits = [8, 16, 32, 64][rng.usize(..4)];
        let lhs = self.value(rng, bits, depth);
        let rhs = self.value(rng, bits, depth);
        let op = CmpOp::ALL[rng.usize(..CmpOp::ALL.len())];
        let compared = self.pool.compare(op, lhs, rhs);
        if rng.bool() {
            self.pool.not(compared)
        } else {
            compared
        }
    }
}

#[test]
fn conditions_read_as_in_the_program() {
    let mut all = variables();
    let zero = all.constant(64, 0);
    let one = all.constant(64, 1);
    let four = all.constant(64, 4);
    let first = all.element("text", zero);
    let second = all.element("bytes", one);
    let word = all.element("all", four);
    let (i, u, c) = (all.number("i"), all.number("u"), all.number("c"));
    let mut said = |op: CmpOp, lhs: TermId, value: i64| {
        let value = all.constant(all.pool.width(lhs), value);
        let term = all.pool.compare(op, lhs, value);
        all.in_c(term).unwrap()
    };
    assert_eq!(said(CmpOp::Eq, first, 123), "text[0] == '{'");
    assert_eq!(said(CmpOp::Ne, first, 39), "text[0] != '\\''");
    assert_eq!(said(CmpOp::Sgt, first, 47), "text[0] >= '0'");
    assert_eq!(said(CmpOp::Slt, first, 58), "text[0] <= '9'");
    assert_eq!(said(CmpOp::Ugt, second, -56), "bytes[1] > 200");
    assert_eq!(said(CmpOp::Eq, second, -1), "bytes[1] == 255");
    assert_eq!(said(CmpOp::Eq, first, -1), "text[0] == -1");
    assert_eq!(said(CmpOp::Ult, first, 10), "(unsigned char)text[0] < 10");
    assert_eq!(said(CmpOp::Ult, c, 200), "(unsigned char)c < 200");
    assert_eq!(said(CmpOp::Slt, word, 7), "all[1] < 7");
    assert_eq!(said(CmpOp::Sgt, i, -1), "i >= 0");
    assert_eq!(said(CmpOp::Ult, u, 8), "u < 8");
    assert_eq!(said(CmpOp::Ult, i, 8), "(unsigned)i < 8");
    assert_eq!(said(CmpOp::Slt, u, 0), "(int)u < 0");
}

#[test]
fn what_has_no_form_in_c_is_not_written() {
    let mut all = variables();
    let text = all.number("text");
    let (zero, byte) = (all.constant(64, 0), all.number("c"));
    let index = all.number("l");
    let changed = all.pool.store(text, zero, byte);
    let read = all.pool.select(changed, index);
    let condition = all.pool.eq(read, byte);
    // A read of what was written is a choice of two, which is one of C; the array alone is none.
    let said = all.in_c(condition);
    assert!(said.is_none_or(|said| said.contains("text[l]")));
    let wide = all.pool.symbol("wide", Sort::Bv(24));
    let wide = all.pool.symbol_term(wide);
    let number = all.constant(24, 5);
    let condition = all.pool.eq(wide, number);
    assert_eq!(all.in_c(condition), None);
}

/// Random conditions are compiled and asked about random numbers.
#[test]
fn clang_reads_what_the_term_means() {
    (0..8).for_each(clang_reads_conditions_of);
}

fn clang_reads_conditions_of(seed: u64) {
    let clang = find_clang().expect("the tests need clang");
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut all = variables();
    let mut terms = Vec::new();
    let mut n_unwritten = 0;
    while terms.len() < 1500 {
        let depth = rng.u32(1..4);
        let term = all.condition(&mut rng, depth);
        match all.in_c(term) {
            Some(text) => terms.push((term, text)),
            None => n_unwritten += 1,
        }
    }
    assert!(n_unwritten < 750, "{n_unwritten} are not written");
    let mut code = String::new();
    for (_, name, ty, _) in &all.numbers {
        let _ = writeln!(code, "static {ty} {name};");
    }
    for (_, name, ty, _) in &all.arrays {
        let _ = writeln!(code, "static {ty} {name}[{IN_ARRAY}];");
    }
    for (number, (_, text)) in terms.iter().enumerate() {
        let _ = writeln!(code, "static int f{number}(void) {{ return {text}; }}");
    }
    let functions: Vec<String> = (0..terms.len())
        .map(|number| format!("f{number}"))
        .collect();
    let _ = writeln!(
        code,
        "static int (*const all_of_them[])(void) = {{{}}};\nint putchar(int);\nint main(void) {{",
        functions.join(", ")
    );
    let mut assignments = Vec::new();
    for _ in 0..24 {
        let mut assignment = Assignment::new();
        let mut number = |bits: u32| {
            let value = [rng.u64(..), rng.u64(..200), !rng.u64(..200)][rng.usize(..3)];
            Bv::new(bits, value & (u64::MAX >> (64 - bits)))
        };
        for (symbol, name, ty, bits) in &all.numbers {
            let value = number(*bits);
            let _ = writeln!(code, "{name} = ({ty}){}ULL;", value.to_biguint());
            assignment.set(*symbol, value);
        }
        for (symbol, name, ty, bits) in &all.arrays {
            let mut content = ArrayValue::constant(Bv::zero(*bits));
            for at in 0..IN_ARRAY {
                let value = number(*bits);
                let _ = writeln!(code, "{name}[{at}] = ({ty}){}ULL;", value.to_biguint());
                content
                    .entries
                    .insert(Bv::new(64, at * u64::from(bits / 8)), value);
            }
            assignment.set_array(*symbol, content);
        }
        let n = terms.len();
        let _ = writeln!(
            code,
            "for (int k = 0; k < {n}; k++) putchar('0' + !!all_of_them[k]());"
        );
        assignments.push(assignment);
    }
    code.push_str("return 0; }\n");
    let folder = tempfile::tempdir().unwrap();
    let (file, program) = (folder.path().join("all.c"), folder.path().join("all"));
    std::fs::write(&file, &code).unwrap();
    let mut compile = Command::new(clang);
    compile
        .args(["-w", "-fwrapv"])
        .arg(&file)
        .arg("-o")
        .arg(&program);
    let compiled = compile.output().unwrap();
    let said = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{said}");
    let output = Command::new(&program).output().unwrap().stdout;
    let mut bytes = output.iter();
    for assignment in &assignments {
        for (term, text) in &terms {
            let expected = all.pool.evaluate(*term, assignment).unwrap();
            let got = bytes.next().expect("each has an answer");
            let meant = all.pool.display(*term);
            assert_eq!(*got == b'1', !expected.is_zero(), "{text}\nis {meant}");
        }
    }
}
