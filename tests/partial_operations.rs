//! Operations that trap or are undefined for some operands count also where nobody uses their
//! results: the path ends there, and undefined behaviour keeps the verdict open.

use compact_se::analysis::{AnalysisOptions, Technique, Techniques, analyze};
use compact_se::frontend::LoadOptions;
use std::path::PathBuf;

/// What every program begins with.
const DECLARATIONS: &str = "#include <stdint.h>
    #include <stdlib.h>
    int __VERIFIER_nondet_int(void); unsigned char __VERIFIER_nondet_uchar(void);
    void reach_error(void) {}\n";

fn answer(text: &str, technique: Technique) -> (String, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = folder.path().join("program.c");
    std::fs::write(&source, format!("{DECLARATIONS}{text}")).expect("the folder is writable");
    let mut load = LoadOptions::new([source]);
    load.executable = Some(PathBuf::from(env!("CARGO_BIN_EXE_compact-se")));
    let mut options = AnalysisOptions::new(load);
    options.techniques = Techniques::only(technique);
    let report = analyze(&options, &mut |_| ())
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
        .report;
    let reasons: Vec<String> = (report.reasons.iter())
        .map(|(reason, _)| reason.to_string())
        .collect();
    (report.verdict.name().to_owned(), reasons.join("; "))
}

/// Demands a verdict, and of an unknown one that a reason says so.
fn check(verdict: &str, reason: &str, programs: &[&str]) {
    for program in programs {
        for technique in [Technique::Compact, Technique::Classic] {
            let (found, reasons) = answer(program, technique);
            assert_eq!(found, verdict, "{technique:?}: {reasons}\n{program}");
            assert!(reasons.contains(reason), "{reasons}\n{program}");
        }
    }
}

#[test]
fn unused_operations_trap() {
    check(
        "unreachable",
        "",
        &[
            "int main(void) { int n = __VERIFIER_nondet_int(); int x = 5 / n;
               if (n == 0) reach_error(); return 0; }",
            "int main(void) { int n = __VERIFIER_nondet_int(); 7u % n;
               if (n == 0) reach_error(); return 0; }",
            "int main(void) { int n = __VERIFIER_nondet_int(); int x = n / -1;
               if (n == INT32_MIN) reach_error(); return 0; }",
            "int main(void) { int n = __VERIFIER_nondet_int(); int x = INT32_MIN % n;
               if (n == -1) reach_error(); return 0; }",
            "int main(void) { int *p = 0; int x = *p; reach_error(); return 0; }",
            "int main(void) { int i = 0; int *p = __VERIFIER_nondet_int() ? &i : 0; *p;
               if (!p) reach_error(); return 0; }",
            // Inlining would fold both operations.
            "static int quotient(int a, int b) { return a / b; }
             int main(void) { int n = __VERIFIER_nondet_int(); quotient(0, n);
               if (n == 0) reach_error(); return 0; }",
            "static int one(int n) { return n / n; }
             int main(void) { int n = __VERIFIER_nondet_int(); if (one(n) == 1 && n == 0)
               reach_error(); return 0; }",
            // What says that it has no effect may be dropped by LLVM.
            "__attribute__((const)) static int half(int n) { return n ? 8 / n : half(n - 8) / n; }
             int main(void) { int n = __VERIFIER_nondet_uchar() & 8; half(n);
               if (n == 0) reach_error(); return 0; }",
        ],
    );
}

#[test]
fn traps_are_followed_by_nothing_and_precede_nothing() {
    check(
        "reachable",
        "",
        &[
            "int main(void) { int n = __VERIFIER_nondet_int(); int x = 5 / n;
               if (n == 1) reach_error(); return 0; }",
            "int main(void) { int n = __VERIFIER_nondet_int(), i = 3; int *p = n == 7 ? &i : 0;
               int x = *p; if (n == 7) reach_error(); return 0; }",
            // The functions that divide wide numbers do not trap.
            "int main(void) { __int128 least = (__int128)1 << 127; int n = __VERIFIER_nondet_int();
               if (least / n == least && n == -1) reach_error(); return 0; }",
            "int main(void) { char text[2]; char *none = 0; int n = __VERIFIER_nondet_uchar();
               __builtin_memset(none, 1, 0); __builtin_memcpy(text, none, 0);
               if (n == 3) reach_error(); return 0; }",
        ],
    );
}

#[test]
fn unused_accesses_are_undefined() {
    check(
        "unknown",
        "access",
        &[
            "int main(void) { int *p = malloc(4); *p = 1; free(p); int x = *p;
               if (x == 2) reach_error(); return 0; }",
            "int main(void) { int *p = malloc(4); free(p); *p; if (0) reach_error(); return 0; }",
            "int main(void) { int a[4] = {0}; int i = __VERIFIER_nondet_uchar(); int x = a[i & 7];
               if (i > 300) reach_error(); return 0; }",
            "int main(void) { int a = 1; long x = *(long *)&a; if (a == 2) reach_error(); return 0; }",
            // All of the table is zero, so that inlining would fold the read.
            "static const int zeros[4];
             static int zero(int i) { return zeros[i]; }
             int main(void) { if (zero(__VERIFIER_nondet_uchar())) reach_error(); return 0; }",
            "static const int zeros[4];
             static int zero(int i) { return zeros[i]; }
             int main(void) { zero(7); if (0) reach_error(); return 0; }",
        ],
    );
}

#[test]
fn unused_results_are_undefined() {
    check(
        "unknown",
        "shift by the width",
        &[
            "int main(void) { int n = __VERIFIER_nondet_uchar(); int x = 1 << n;
               if (n > 300) reach_error(); return 0; }",
            "static int shifted(int n) { return 1 << n; }
             int main(void) { shifted(40); if (0) reach_error(); return 0; }",
        ],
    );
    check(
        "unknown",
        "does not fit",
        &[
            "int main(void) { double d = __VERIFIER_nondet_int(); d = d * d; int x = (int)d;
             if (d < 0) reach_error(); return 0; }",
        ],
    );
    check(
        "unknown",
        "no result",
        &[
            "int main(void) { int x = 1 << 40; if (0) reach_error(); return 0; }",
            "int main(void) { int n = __VERIFIER_nondet_uchar(); int x = n == 3 ? 5 / 0 : 1;
               if (n > 300) reach_error(); return 0; }",
            "int main(void) { if (5 % 0) return 1; if (0) reach_error(); return 0; }",
        ],
    );
}

#[test]
fn zeros_of_zero_are_not_counted() {
    check(
        "unknown",
        "of zero",
        &[
            "int main(void) { unsigned n = __VERIFIER_nondet_uchar();
               if (__builtin_ctz(n) == 32) reach_error(); return 0; }",
            "int main(void) { unsigned long n = __VERIFIER_nondet_uchar();
               if (__builtin_clzl(n) == 64) reach_error(); return 0; }",
            "int main(void) { unsigned n = __VERIFIER_nondet_uchar(); int x = __builtin_clz(n);
               if (n > 300) reach_error(); return 0; }",
        ],
    );
    check(
        "unreachable",
        "",
        &[
            "int main(void) { unsigned n = __VERIFIER_nondet_uchar() | 8;
             if (__builtin_ctz(n) > 3 || __builtin_clz(n) > 28) reach_error(); return 0; }",
        ],
    );
    check(
        "reachable",
        "",
        &[
            "int main(void) { unsigned n = __VERIFIER_nondet_uchar();
             if (n && __builtin_ctz(n) == 5 && __builtin_clz(n) == 26) reach_error(); return 0; }",
            // Counts zeros also of zero, and does not use what comes out.
            "int main(void) { int n = __VERIFIER_nondet_uchar();
             if (__builtin_ffs(n) == 0) reach_error(); return 0; }",
        ],
    );
}

#[test]
fn objects_keep_their_alignment() {
    check(
        "unreachable",
        "",
        &[
            "_Alignas(64) static int g;
             int main(void) { _Alignas(128) char c = 1; int *p = &g;
               if ((uintptr_t)&c % 128 != 0 || ((uintptr_t)p & 63)) reach_error(); return 0; }",
            "struct __attribute__((aligned(32))) pair { int a, b; };
             int main(void) { struct pair pairs[2];
               if (((uintptr_t)&pairs[1].b & 31) != 4) reach_error(); return 0; }",
            "int main(void) { char *p = aligned_alloc(256, 512); void *q;
               if (posix_memalign(&q, 64, 10) != 0) return 0;
               if ((uintptr_t)(p + 3) % 256 != 3 || (uintptr_t)q % 64) reach_error(); return 0; }",
            "int main(void) { int *p = malloc(3), i; int *q = &i;
               if ((uintptr_t)p & 15 || ((uintptr_t)q | 1) == (uintptr_t)q) reach_error(); return 0; }",
        ],
    );
    check(
        "reachable",
        "",
        &[
            "int main(void) { _Alignas(64) int i = __VERIFIER_nondet_uchar();
               if (((uintptr_t)&i & 63) == 0 && i == 7) reach_error(); return 0; }",
            "int main(void) { int *p = aligned_alloc(4096, 8192);
               if ((uintptr_t)p % 4096 == 0 && p[2000] == 7) { free(p); reach_error(); } return 0; }",
        ],
    );
}
