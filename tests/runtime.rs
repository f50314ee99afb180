//! The runtime: the replay library reports every outcome, for both data models, and the models of
//! C library functions agree with that library.

use crate::support::{Outcome, clang, replay, repository};
use std::path::{Path, PathBuf};

/// What the replay library gives to prepared programs; they declare it themselves.
const PRELUDE: &str = r"
#include <stddef.h>
#include <stdint.h>
uint8_t __compact_se_input_i8(const char *);
uint16_t __compact_se_input_i16(const char *);
uint32_t __compact_se_input_i32(const char *);
uint64_t __compact_se_input_i64(const char *);
void __compact_se_uninit(void *, size_t, const char *);
void *__compact_se_malloc(size_t);
void *__compact_se_calloc(size_t, size_t);
void *__compact_se_realloc(void *, size_t);
void __compact_se_free(void *);
void __compact_se_target(void);
void __compact_se_assume(int);
#define CHECK(condition) do { if (!(condition)) return __LINE__; } while (0)
";

/// Links `body`, the functions of a prepared program, for each data model.
fn link(folder: &Path, body: &str) -> Vec<PathBuf> {
    let source = folder.join("program.c");
    std::fs::write(&source, format!("{PRELUDE}#line 1\n{body}")).expect("the folder is writable");
    ["-m64", "-m32"]
        .iter()
        .map(|model| {
            let program = folder.join(format!("program{model}"));
            clang(&[
                model,
                "-Wall",
                "-Wextra",
                "-Werror",
                "-o",
                program
                    .to_str()
                    .expect("temporary folders have plain names"),
                source.to_str().expect("temporary folders have plain names"),
                repository("runtime/replay/replay.c")
                    .to_str()
                    .expect("the repository has a plain name"),
            ]);
            program
        })
        .collect()
}

/// Asserts how the program `body` ends on each of `runs` (records, exit code, report), in both
/// data models.
fn assert_outcomes(body: &str, runs: &[(&str, i32, &str)]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for program in link(folder.path(), body) {
        for (records, code, report) in runs {
            let expected = Outcome {
                code: Some(*code),
                report: (*report).to_owned(),
            };
            assert_eq!(
                replay(&program, records),
                expected,
                "{} on\n{records}",
                program.display()
            );
        }
    }
}

#[test]
fn reaches_the_target_with_inputs_of_every_width() {
    assert_outcomes(
        r#"
        int main(void) {
            CHECK(__compact_se_input_i8("a") == 255);
            CHECK(__compact_se_input_i16("b") == 65535);
            CHECK(__compact_se_input_i32("c") == 4294967295u);
            CHECK(__compact_se_input_i64("d") == 18446744073709551615u);
            CHECK(__compact_se_input_i32("e") == 0);
            __compact_se_target();
            return 0;
        }"#,
        &[
            (
                "i8 255 a\ni16 65535 b\ni32 4294967295 c\ni64 18446744073709551615 d\ni32 0 e\n",
                86,
                "compact-se: target reached",
            ),
            (
                // Hexadecimal numbers, other names, and no line end at the end.
                "i8 0xff x\ni16 0xFFFF x\ni32 0xffffffff x\ni64 0xffffffffffffffff x\ni32 0x0 x",
                86,
                "compact-se: target reached",
            ),
        ],
    );
}

#[test]
fn reads_inputs_of_128_bits() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // 32-bit C has no such type.
    let body = r#"
        #ifdef __SIZEOF_INT128__
        unsigned __int128 __compact_se_input_i128(const char *);
        int main(void) {
            unsigned __int128 wide = __compact_se_input_i128("wide");
            CHECK((uint64_t)(wide >> 64) == 0x123456789abcdef0u);
            CHECK((uint64_t)wide == 0xfedcba9876543210u);
            __compact_se_target();
        }
        #else
        int main(void) { __compact_se_target(); }
        #endif"#;
    let programs = link(folder.path(), body);
    assert_eq!(
        replay(
            &programs[0],
            "i128 0x123456789abcdef0fedcba9876543210 wide\n"
        ),
        Outcome::target_reached()
    );
}

#[test]
fn writes_nothing_if_the_program_ends_without_the_target() {
    assert_outcomes(
        r#"
        #include <stdlib.h>
        int main(void) {
            int n = (int)__compact_se_input_i32("n");
            if (n == 1)
                exit(7);
            if (n == -1)
                __compact_se_target();
            return 0;
        }"#,
        &[
            ("i32 0 n\n", 0, ""),
            ("i32 1 n\n", 7, ""),
            ("i32 4294967295 n\n", 86, "compact-se: target reached"),
        ],
    );
}

#[test]
fn says_how_inputs_diverge() {
    assert_outcomes(
        r#"
        int main(void) {
            char buffer[4];
            __compact_se_input_i8("c");
            __compact_se_uninit(buffer, sizeof buffer, "buffer");
            return 0;
        }"#,
        &[
            ("i8 1 c\nbytes 4 00 buffer\n", 0, ""),
            (
                "",
                87,
                "compact-se: inputs diverge: record 1 does not exist, the program asks for i8 c",
            ),
            (
                "i8 1 c\n",
                87,
                "compact-se: inputs diverge: record 2 does not exist, \
                 the program asks for bytes 4 buffer",
            ),
            (
                "i32 1 c\n",
                87,
                "compact-se: inputs diverge: record 1 is of kind i32, the program asks for i8 c",
            ),
            (
                "i8 256 c\n",
                87,
                "compact-se: inputs diverge: record 1 holds a value that is too wide, \
                 the program asks for i8 c",
            ),
            (
                "i8 340282366920938463463374607431768211456 c\n",
                87,
                "compact-se: inputs diverge: record 1 holds a number that is too large, \
                 the program asks for i8 c",
            ),
            (
                "i8 one c\n",
                87,
                "compact-se: inputs diverge: record 1 is malformed, the program asks for i8 c",
            ),
            (
                "i8 1 c\nbytes 5 00 buffer\n",
                87,
                "compact-se: inputs diverge: record 2 is of another size, \
                 the program asks for bytes 4 buffer",
            ),
            (
                "i8 1 c\nbytes 4 00 buffer 3:0102\n",
                87,
                "compact-se: inputs diverge: record 2 has bytes beyond its size, \
                 the program asks for bytes 4 buffer",
            ),
            (
                "i8 1 c\nbytes 4 00 buffer 3:1\n",
                87,
                "compact-se: inputs diverge: record 2 is malformed, \
                 the program asks for bytes 4 buffer",
            ),
        ],
    );
}

#[test]
fn reports_a_violated_assumption() {
    assert_outcomes(
        r#"
        int main(void) {
            __compact_se_assume(__compact_se_input_i32("n") > 5);
            __compact_se_target();
        }"#,
        &[
            ("i32 5 n\n", 88, "compact-se: assumption violated"),
            ("i32 6 n\n", 86, "compact-se: target reached"),
        ],
    );
}

#[test]
fn fills_memory_sparsely() {
    assert_outcomes(
        r#"
        static unsigned char block[200000];
        int main(void) {
            __compact_se_uninit(block, sizeof block, "block");
            CHECK(block[0] == 0xab && block[1] == 1 && block[2] == 2 && block[3] == 0xab);
            CHECK(block[199998] == 0xab && block[199999] == 0xff);
            __compact_se_uninit(block, 0, "nothing");
            CHECK(block[0] == 0xab);
            __compact_se_target();
        }"#,
        &[(
            "bytes 200000 ab block 1:0102 199999:FF\nbytes 0 00 nothing\n",
            86,
            "compact-se: target reached",
        )],
    );
}

#[test]
fn reads_records_longer_than_its_buffer() {
    let bytes: String = (0..100_000_u32)
        .map(|i| format!("{:02x}", i % 251))
        .collect();
    assert_outcomes(
        r#"
        static unsigned char block[100000];
        int main(void) {
            __compact_se_uninit(block, sizeof block, "block");
            for (int i = 0; i < 100000; i++)
                CHECK(block[i] == i % 251);
            __compact_se_target();
        }"#,
        &[(
            &format!("bytes 100000 00 block 0:{bytes}\n"),
            86,
            "compact-se: target reached",
        )],
    );
}

#[test]
fn large_blocks_become_zero_as_a_whole() {
    assert_outcomes(
        r#"
        int main(void) {
            size_t bytes = 3000001, within = 2500000;
            unsigned char *other = __compact_se_malloc(2000000);
            unsigned char *block = __compact_se_malloc(bytes);
            CHECK(other[1999999] == 0 && block[5] == 0xcc && block[bytes - 1] == 0xcc);
            for (size_t i = 0; i < bytes; i++)
                block[i] = 1;
            other[7] = 2;
            __compact_se_uninit(block + 3, within, "block");
            for (size_t i = 0; i < bytes; i++)
                CHECK(block[i] == (i == 5 ? 0xee : i < 3 || i >= 3 + within));
            CHECK(other[7] == 2);
            __compact_se_free(other);
            block = __compact_se_realloc(block, 2000000);
            CHECK(block[0] == 1 && block[5] == 0xee && block[1999999] == 0);
            block = __compact_se_realloc(block, 8);
            CHECK(block[0] == 1 && block[5] == 0xee && block[7] == 0);
            __compact_se_free(block);
            __compact_se_target();
        }"#,
        &[(
            "bytes 2000000 00 malloc\nbytes 3000001 cc malloc\nbytes 2500000 00 block 2:ee\n\
             bytes 2000000 55 realloc\nbytes 8 55 realloc\n",
            86,
            "compact-se: target reached",
        )],
    );
}

#[test]
fn manages_the_heap() {
    assert_outcomes(
        r#"
        int main(void) {
            unsigned char *m = __compact_se_malloc(4);
            CHECK(m[0] == 9 && m[1] == 9 && m[2] == 7 && m[3] == 9);
            CHECK((uintptr_t)m % 16 == 0);
            unsigned char *c = __compact_se_calloc(2, 3);
            for (int i = 0; i < 6; i++)
                CHECK(c[i] == 0);
            CHECK(__compact_se_calloc(SIZE_MAX, 2) == NULL);
            /* The old content replaces the beginning only. */
            m[1] = 1;
            m = __compact_se_realloc(m, 6);
            CHECK(m[0] == 9 && m[1] == 1 && m[2] == 7 && m[3] == 9 && m[4] == 5 && m[5] == 6);
            m = __compact_se_realloc(m, 2);
            CHECK(m[0] == 9 && m[1] == 1);
            unsigned char *r = __compact_se_realloc(NULL, 1);
            CHECK(r[0] == 0x42);
            CHECK(__compact_se_malloc(0) != NULL);
            __compact_se_free(m);
            __compact_se_free(c);
            __compact_se_free(r);
            __compact_se_free(NULL);
            __compact_se_target();
        }"#,
        &[(
            "bytes 4 09 malloc 2:07\nbytes 6 00 realloc 4:0506\nbytes 2 00 realloc\n\
             bytes 1 42 realloc\nbytes 0 00 malloc\n",
            86,
            "compact-se: target reached",
        )],
    );
}

#[test]
fn costs_no_memory_for_zeros() {
    // One gigabyte of address space, one page of memory.
    assert_outcomes(
        r#"
        int main(void) {
            size_t bytes = (size_t)1 << 30;
            unsigned char *block = __compact_se_malloc(bytes);
            CHECK(block[bytes - 1] == 0x11);
            __compact_se_target();
        }"#,
        &[(
            "bytes 1073741824 00 malloc 1073741823:11\n",
            86,
            "compact-se: target reached",
        )],
    );
}

#[test]
fn notices_a_foreign_block_and_an_exhausted_heap() {
    assert_outcomes(
        r#"
        int main(void) {
            static uint64_t block[8];
            if (__compact_se_input_i8("which"))
                __compact_se_free(block + 4);
            __compact_se_malloc(SIZE_MAX);
            return 0;
        }"#,
        &[(
            "i8 1 which\n",
            87,
            "compact-se: inputs diverge: a freed or resized block was not allocated",
        )],
    );
    let folder = tempfile::tempdir().expect("a temporary folder");
    let programs = link(
        folder.path(),
        "int main(void) { __compact_se_malloc(SIZE_MAX / 2); }",
    );
    for program in programs {
        let outcome = replay(&program, "");
        assert_eq!(outcome.code, Some(87));
        assert!(
            outcome
                .report
                .starts_with("compact-se: inputs diverge: no memory for a block"),
            "{outcome:?}"
        );
    }
}

#[test]
fn survives_a_program_with_its_own_library_functions() {
    assert_outcomes(
        r#"
        #include <stdlib.h>
        long read(int fd, void *buffer, unsigned long bytes);
        long read(int fd, void *buffer, unsigned long bytes) {
            (void)fd; (void)buffer; (void)bytes;
            abort();
        }
        long write(int fd, const void *buffer, unsigned long bytes);
        long write(int fd, const void *buffer, unsigned long bytes) {
            (void)fd; (void)buffer; (void)bytes;
            abort();
        }
        void *memset(void *to, int c, size_t bytes) { (void)c; (void)bytes; (void)to; abort(); }
        size_t strlen(const char *s) { (void)s; abort(); }
        int main(void) {
            if (__compact_se_input_i32("n") == 3)
                __compact_se_target();
            return 0;
        }"#,
        &[("i32 3 n\n", 86, "compact-se: target reached")],
    );
}

#[test]
fn the_header_works_without_preparation() {
    let header = repository("runtime/include/compact_se.h");
    let body = format!(
        r#"
        #include "{}"
        int main(void) {{
            char line[8];
            compact_se_make_symbolic(line, sizeof line, "line");
            CHECK(compact_se_bool("b") && compact_se_i8("i") == -1 && compact_se_u16("u") == 7);
            CHECK(compact_se_int("n") == -5 && compact_se_i64("l") == INT64_MIN);
            compact_se_assume(line[7] == 'x');
            compact_se_target();
        }}"#,
        header.display()
    );
    assert_outcomes(
        &body,
        &[(
            "bytes 8 78 line\ni8 1 b\ni8 255 i\ni16 7 u\ni32 4294967291 n\n\
             i64 9223372036854775808 l\n",
            86,
            "compact-se: target reached",
        )],
    );
}

/// Compiles models under names with a prefix, and runs the program `tests/support/<driver>.c`, which
/// compares them with the functions of the C library.
fn assert_models_agree(driver: &str, models: &[&str]) {
    assert_models_agree_with("", driver, models);
}

/// The same with a text in front of each model.
fn assert_models_agree_with(head: &str, driver: &str, models: &[&str]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| {
        let path = folder.path().join(name);
        path.to_str()
            .expect("temporary folders have plain names")
            .to_owned()
    };
    std::fs::write(path("head.h"), head).expect("the folder is writable");
    let driver = repository(&format!("tests/support/{driver}.c"));
    let mut arguments = vec![
        "-Wall".to_owned(),
        "-Werror".to_owned(),
        "-Wno-format".to_owned(),
        "-fno-builtin".to_owned(),
        "-o".to_owned(),
        path("check"),
        driver.display().to_string(),
    ];
    for model in models {
        let source = repository(&format!("runtime/models/{model}.c"))
            .display()
            .to_string();
        let object = path(&format!("{model}.o"));
        for data_model in ["-m32", "-m64"] {
            clang(&[
                data_model,
                "-c",
                "-ffreestanding",
                "-fno-builtin",
                "-fwrapv",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-include",
                &path("head.h"),
                "-o",
                &object,
                &source,
            ]);
        }
        let status = std::process::Command::new("/usr/lib/llvm-19/bin/llvm-objcopy")
            .args(["--prefix-symbols=model_", &object])
            .status()
            .expect("llvm-objcopy comes with LLVM 19");
        assert!(status.success());
        arguments.push(object);
    }
    arguments.push("-lm".to_owned());
    clang(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    // What runs the tests may have signals ignored, as nohup has.
    let output = std::process::Command::new("env")
        .args(["--default-signal", &path("check")])
        .output()
        .expect("the program was just linked");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
}

#[test]
fn models_agree_with_the_c_library() {
    let models = ["string", "ctype", "stdlib", "inet", "floats"];
    assert_models_agree("models", &models);
}

#[test]
fn numbers_are_read_as_the_c_library_reads_them() {
    assert_models_agree("numbers", &["numbers"]);
}

#[test]
fn texts_are_cut_and_arrays_sorted_as_by_the_c_library() {
    assert_models_agree("texts", &["string", "search"]);
}

#[test]
fn options_are_read_as_by_the_c_library() {
    assert_models_agree("getopt", &["getopt"]);
}

#[test]
fn signals_are_handled_as_by_the_c_library() {
    assert_models_agree("signals", &["signals"]);
}

#[test]
fn dates_are_those_of_the_c_library() {
    assert_models_agree("dates", &["dates"]);
}

#[test]
fn wide_characters_are_handled_as_by_the_c_library() {
    assert_models_agree("wide", &["wide"]);
}

#[test]
fn errors_and_signals_are_described_as_by_the_c_library() {
    assert_models_agree("messages", &["messages"]);
}

#[test]
fn addresses_are_read_and_written_as_by_the_c_library() {
    assert_models_agree("addresses", &["inet"]);
}

#[test]
fn fixed_sequences_of_random_numbers_are_those_of_the_c_library() {
    assert_models_agree("sequences", &["stdlib"]);
}

#[test]
fn one_thread_and_the_c_locale_are_as_in_the_c_library() {
    assert_models_agree("one_thread", &["threads", "locale"]);
}

#[test]
fn formats_are_filled_in_as_by_the_c_library() {
    assert_models_agree("print", &["print"]);
}

#[test]
fn texts_are_scanned_as_by_the_c_library() {
    assert_models_agree("scan", &["scan", "numbers"]);
}

#[test]
fn files_are_read_and_written_as_by_the_c_library() {
    let head = "#define ARGUMENTS\n#define MOST_ARGC 1\n#define STDIN_BYTES 0\n\
                #define FILES FILE_OF(\"A\", \"@file:A\", 24)\n";
    assert_models_agree_with(
        head,
        "environment",
        &["environment", "streams", "scan", "numbers"],
    );
}

#[test]
fn floats_are_rounded_as_by_the_c_library() {
    assert_models_agree("floats", &["floats"]);
}
