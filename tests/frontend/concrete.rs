//! Differential test: the flowgraph, interpreted concretely, against the prepared bitcode, run
//! natively with the same inputs.

use super::interpreter::{End, Inputs, Machine};
use super::{check, files_below, load_c_with, options, target};
use crate::support::sample;
use compact_se::flowgraph::{EndKind, Granularity};
use compact_se::frontend::{DataModel, Loaded, load};
use compact_se::replay::{Build, ReplayLimits, ReplayOutcome, Runnable};
use compact_se::term::Bv;
use std::path::Path;
use std::sync::Arc;

/// Runs the program with these inputs, then random ones, both ways. How the interpreter ended.
fn compare(name: &str, loaded: &Loaded, native: &dyn Runnable, given: &[Bv], seed: u64) -> End {
    let mut machine = Machine::new(&loaded.program, Inputs::new(given.to_vec(), seed));
    let end = machine.run();
    let expected = match &end {
        End::Target => ReplayOutcome::Reached,
        End::Returned(code) => ReplayOutcome::NotReached(i32::try_from(code & 0xff).unwrap()),
        End::AssumptionFailed => ReplayOutcome::AssumptionViolated,
        End::Ended(EndKind::Abort) => ReplayOutcome::Crashed(libc::SIGABRT),
        End::Ended(EndKind::AssertFail) => ReplayOutcome::AssertionFailed,
        End::Ended(EndKind::DivisionTrap | EndKind::DivisionOverflow) => {
            ReplayOutcome::Crashed(libc::SIGFPE)
        }
        // The exit code is not part of the flowgraph; the others say nothing about machines.
        End::Ended(_) | End::Unsupported(_) | End::InvalidAccess | End::TooLong => return end,
    };
    let records = &machine.inputs.records;
    let outcome = native
        .run(&records.clone().into(), &ReplayLimits::default())
        .unwrap();
    let outcome = match outcome {
        ReplayOutcome::Aborted(signal, _) => ReplayOutcome::Crashed(signal),
        outcome => outcome,
    };
    assert_eq!(outcome, expected, "{name}, seed {seed}, inputs {records:?}");
    end
}

fn compile(loaded: &Loaded) -> Arc<dyn Runnable> {
    loaded.replayer.prepare(Build::Plain).unwrap()
}

/// The value of `// key: value` in the head of a corpus file.
fn header<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    text.lines()
        .take_while(|line| line.starts_with("//"))
        .find_map(|line| {
            line.strip_prefix("// ")?
                .strip_prefix(key)?
                .strip_prefix(": ")
        })
        .map(|value| value.split("  # ").next().unwrap_or(value).trim())
}

fn numbers(text: &str) -> Option<Vec<Bv>> {
    if text == "unchecked" || text == "none" {
        return None;
    }
    text.split([',', ' '])
        .filter(|part| !part.is_empty())
        .map(|part| Some(Bv::from_bigint(129, &part.parse().ok()?)))
        .collect()
}

/// One file in twelve of the corpus, at one granularity, with or without inlining.
fn check_corpus(granularity: Granularity, inline: bool, first: usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let files = files_below(&folder, "c");
    assert!(files.len() > 50, "the corpus is there");
    let mut n_reached = 0;
    for path in sample(files, first, 12) {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(&path).unwrap();
        let mut options = options(&[&path]);
        options.granularity = granularity;
        options.inline = inline;
        if let Some(label) = header(&text, "target") {
            options.target = target(label);
        }
        let loaded = load(&options).unwrap_or_else(|error| panic!("{error}"));
        check(&loaded, granularity);
        let native = compile(&loaded);
        let reachable = header(&text, "verdict") == Some("reachable");
        if let Some(given) = header(&text, "inputs").and_then(numbers) {
            // Up to where the interpreter goes; native runs go on to the target (`corpus_native`).
            match compare(&name, &loaded, &*native, &given, 0) {
                End::TooLong => {}
                end => {
                    assert_eq!(end, End::Target, "{name} with the inputs of its header");
                    n_reached += 1;
                }
            }
        }
        // Where a machine cannot run what C defines, for example objects larger than its stack.
        let n_seeds = if header(&text, "native").is_some() {
            0
        } else {
            3
        };
        for seed in 1..=n_seeds {
            let end = compare(&name, &loaded, &*native, &[], seed);
            assert!(reachable || end != End::Target, "{name}, seed {seed}");
        }
    }
    assert!(
        n_reached > 3,
        "most reachable programs have inputs: {n_reached}"
    );
}

#[test]
fn corpus_in_blocks() {
    check_corpus(Granularity::Block, true, 0);
}

#[test]
fn corpus_split_without_inlining() {
    check_corpus(Granularity::Split, false, 2);
}

/// A program that mixes everything it is given into one number and returns it.
fn check_program(text: &str, n_seeds: u64) {
    for (granularity, inline, data_model) in [
        (Granularity::Block, true, DataModel::Lp64),
        (Granularity::Split, false, DataModel::Lp64),
        (Granularity::Block, false, DataModel::Ilp32),
    ] {
        let loaded = load_c_with(text, |options| {
            options.granularity = granularity;
            options.inline = inline;
            options.data_model = Some(data_model);
        });
        let native = compile(&loaded);
        let mut n_compared = 0;
        for seed in 0..n_seeds {
            let end = compare(text, &loaded, &*native, &[], seed);
            match end {
                End::Returned(_)
                | End::Ended(EndKind::DivisionTrap | EndKind::DivisionOverflow) => n_compared += 1,
                End::Ended(EndKind::Overshift) => {}
                end => panic!("{end:?}\n{text}"),
            }
        }
        assert!(n_compared > 0, "some runs end normally\n{text}");
    }
}

const NONDET: &str = "
    int __VERIFIER_nondet_int(void); unsigned __VERIFIER_nondet_uint(void);
    char __VERIFIER_nondet_char(void); short __VERIFIER_nondet_short(void);
    long __VERIFIER_nondet_long(void); _Bool __VERIFIER_nondet_bool(void);
    long long __VERIFIER_nondet_longlong(void); unsigned char __VERIFIER_nondet_uchar(void);
    unsigned hash = 17;
    void mix(unsigned long long x) { hash = hash * 31 + (unsigned)x + (unsigned)(x >> 32); }
";

fn with_main(body: &str, before: &str) -> String {
    format!(
        "{NONDET}\n{before}\nint main(void) {{ {body} return (hash ^ hash >> 8 ^ hash >> 16 ^ hash >> 24) & 127; }}"
    )
}

#[test]
fn integer_instructions() {
    check_program(
        &with_main(
            "int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
             unsigned u = a, v = b; long long l = __VERIFIER_nondet_longlong();
             short s = __VERIFIER_nondet_short(); char c = __VERIFIER_nondet_char();
             unsigned char uc = c; _Bool t = __VERIFIER_nondet_bool();
             mix(a + b); mix(a - b); mix(a * b); mix(a & b); mix(a | b); mix(a ^ b); mix(~a);
             mix(u >> 3); mix(a >> 3); mix(a << 4); mix(l >> 40); mix(l * a);
             mix(a < b); mix(u < v); mix(a <= b); mix(u >= v); mix(a == b); mix(a != b);
             mix((long long)s); mix((unsigned short)s); mix((long long)c); mix(uc); mix(t);
             mix((char)a); mix((short)b); mix((unsigned char)l); mix((_Bool)a); mix(!b); mix(-c);
             mix(a > 3 && b < 5); mix(a > 3 || b < 5); mix(a ? b : s);
             mix((u << (v & 31)) | (u >> (31 - (v & 31))));",
            "",
        ),
        12,
    );
}

#[test]
fn division_traps_as_the_machine_does() {
    check_program(
        &with_main(
            "int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
             unsigned u = __VERIFIER_nondet_uint(), v = __VERIFIER_nondet_uint();
             if (v) { mix(u / v); mix(u % v); } mix(a / 7); mix(a % -3); mix(a / b); mix(a % b);",
            "",
        ),
        12,
    );
}

#[test]
fn structs_unions_and_layout() {
    check_program(
        &with_main(
            "struct S s = make(__VERIFIER_nondet_char()); mix(s.a); mix(s.b); mix(s.c[2]); mix(s.in.d);
             struct S t = s; t.in.l += 5; mix(sum(t)); mix(sum(s)); mix(by_pointer(&t)); mix(t.b);
             mix(sizeof(struct S)); mix((unsigned long)&((struct S *)0)->in);
             union U u; u.l = __VERIFIER_nondet_longlong(); mix(u.b[1]); mix(u.s[3]); u.b[0] = 3; mix(u.l);
             struct P p = small(__VERIFIER_nondet_int()); mix(p.x); mix(p.y);
             struct Q q = pair(__VERIFIER_nondet_longlong()); mix(q.x); mix(q.y);
             struct B bits = {0}; bits.a = __VERIFIER_nondet_int(); bits.b = 5; mix(bits.a); mix(bits.b + bits.c);
             struct K k = packed; mix(k.l); mix(sizeof k); mix(table[1].in.l); mix(table[2].c[1]);",
            "struct S { char a; int b; short c[3]; struct { char d; long long l; } in; };
             union U { long long l; unsigned char b[8]; short s[4]; };
             struct P { int x; short y; }; struct Q { long long x; int y; };
             struct B { int a : 5; unsigned b : 9; int c : 3; };
             struct __attribute__((packed)) K { char c; long long l; } packed = { 1, -2 };
             struct S table[3] = { { 1, 2, { 3, 4, 5 }, { 6, 7 } }, { .in = { 8, -9 } }, { .c = { 10, -11 } } };
             struct S make(char a) { struct S s = { a, 2 * a, { 1, 2, a }, { 4, 5 } }; return s; }
             long long sum(struct S s) { s.b++; return s.a + s.b + s.c[2] + s.in.d + s.in.l; }
             int by_pointer(struct S *s) { s->b = s->c[2]; return s->b; }
             struct P small(int x) { struct P p = { x, 3 }; return p; }
             struct Q pair(long long x) { struct Q q = { x, (int)x }; return q; }",
        ),
        4,
    );
}

#[test]
fn arrays_pointers_and_strings() {
    check_program(
        &with_main(
            "int n = __VERIFIER_nondet_uchar() % 8 + 1; int vla[n]; for (int i = 0; i < n; i++) vla[i] = i * i;
             for (int i = 0; i < n; i++) mix(vla[i]); int grid[3][4] = { { 1 }, { 2, 3 } };
             grid[n % 3][n % 4] = 7; for (int i = 0; i < 12; i++) mix((&grid[0][0])[i]);
             char text[16] = \"hello\"; strcpy(text + 5, \" you\"); mix(strlen(text)); mix(strcmp(text, word));
             memmove(text + 1, text, 5); mix(text[3]); memset(text, n, 3); mix(text[2]);
             int *p = vla, *q = vla + n; mix(q - p); mix(p < q); mix(*--q); mix(pointers[1][2]); mix(*pointer);
             mix(functions[n & 1](5)); static int calls; calls += n; mix(calls); mix(last->value);",
            "#include <stddef.h>
             size_t strlen(const char *); char *strcpy(char *, const char *); int strcmp(const char *, const char *);
             void *memmove(void *, const void *, size_t); void *memset(void *, int, size_t);
             const char *word = \"hello you\"; const char *pointers[2] = { \"one\", \"two\" };
             int numbers[4] = { 1, 2, 3, 4 }; int *pointer = &numbers[3];
             struct node { int value; struct node *next; } first = { 1, 0 }, second = { 2, &first }, *last = &second;
             int twice(int x) { return 2 * x; } int square(int x) { return x * x; }
             int (*functions[2])(int) = { twice, square };",
        ),
        6,
    );
}

#[test]
fn control_flow() {
    check_program(
        &with_main(
            "int n = __VERIFIER_nondet_uchar();
             switch (n % 7) { case 0: mix(1); case 1: mix(2); break; case 2: case 3: mix(3); break; default: mix(4); }
             switch (n) { case 1 ... 5: mix(5); break; case 200: mix(6); }
             for (int i = 0; i < n % 10; i++) { if (i == 3) continue; if (i == 7) break; mix(i); }
             int k = n % 5; do { mix(k); } while (k-- > 0);
             again: if (++k < 4) { mix(k); goto again; }
             mix(fibonacci(n % 9)); mix(is_even(n % 12));",
            "int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
             int is_odd(int n); int is_even(int n) { return n == 0 ? 1 : is_odd(n - 1); }
             int is_odd(int n) { return n == 0 ? 0 : is_even(n - 1); }",
        ),
        6,
    );
}

#[test]
fn uninitialised_memory_is_an_input() {
    check_program(
        &with_main(
            "int a; char b; long long l; int array[5]; struct { char c; int d; } s; int n = 3; int vla[n];
             mix(a); mix(b); mix(l); for (int i = 0; i < 5; i++) mix(array[i]); mix(s.c); mix(s.d); mix(vla[2]);
             for (int i = 0; i < 3; i++) { int fresh; char buffer[3]; mix(fresh); mix(buffer[1]); mix(address(&fresh)); }
             mix(half(n)); goto inside; { int jumped; inside: mix(jumped); mix(address(&jumped)); }
             char *heap = malloc(6); mix(heap[4]); heap = realloc(heap, 9); mix(heap[4]); mix(heap[8]); free(heap);
             int *zeros = calloc(3, sizeof(int)); mix(zeros[2]);",
            "#include <stddef.h>
             void *malloc(size_t); void *realloc(void *, size_t); void free(void *); void *calloc(size_t, size_t);
             int address(int *p) { return *p + 1; } int half(int x) { int r; if (x & 1) r = x / 2; return r; }",
        ),
        6,
    );
}

#[test]
fn intrinsics() {
    check_program(
        &with_main(
            "unsigned u = __VERIFIER_nondet_uint(); int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), r;
             long long l = __VERIFIER_nondet_longlong(), m;
             mix(__builtin_bswap32(u)); mix(__builtin_bswap16(u)); mix(__builtin_bswap64(l)); mix(__builtin_popcount(u));
             mix(__builtin_parity(u)); if (u) { mix(__builtin_clz(u)); mix(__builtin_ctz(u)); } mix(__builtin_ffs(a));
             mix(__builtin_add_overflow(a, b, &r)); mix(r); mix(__builtin_mul_overflow(a, b, &r)); mix(r);
             mix(__builtin_sub_overflow(u, 5u, &u)); mix(u); mix(__builtin_add_overflow(l, 1ll << 62, &m)); mix(m);
             mix(__builtin_rotateleft32(u, a)); mix(__builtin_rotateright16(u, b)); mix(__builtin_bitreverse8(u));
             mix(__builtin_expect(a, 1)); mix(__builtin_constant_p(a)); mix(__builtin_abs(a));
             mix(__builtin_elementwise_max(a, b)); mix(__builtin_elementwise_add_sat(u, 7u));
             mix(__atomic_fetch_add(&r, 3, 0)); mix(__atomic_exchange_n(&r, 8, 0)); mix(r);
             mix(__sync_bool_compare_and_swap(&r, 8, a)); mix(r); mix(__sync_val_compare_and_swap(&r, 8, b)); mix(r);
             __asm__ volatile(\"\" ::: \"memory\");",
            "",
        ),
        10,
    );
}
