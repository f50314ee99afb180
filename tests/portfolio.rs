//! Techniques side by side: the verdict is that of one of them, whatever the number of threads, and
//! what one decides alone, all decide together.

use crate::support::sample;
use compact_se::analysis::{Analysis, AnalysisOptions, Technique, Techniques, analyze};
use compact_se::frontend::{LoadOptions, Sanitizer};
use compact_se::limits::Exhausted;
use compact_se::symex::Verdict;
use compact_se::term::Work;
use std::path::{Path, PathBuf};
use std::time::Duration;

const HEAD: &str = "\
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
";

/// Only templates end this: four times something is never 15.
const FOLDS: &str = "int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  for (int k = 0; k < n; k++) i += 4;
  if (i == 15) reach_error();
}";

/// Only induction ends this: x has no closed form and never comes back.
const INDUCTIVE: &str = "int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), x = 2, i = 0;
  while (i < n) { x = x * x * __VERIFIER_nondet_uint(); i++; }
  if (i > n) reach_error();
}";

/// A few paths, one of them to the target.
const PATHS: &str = "int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (a > 3 && b * a == 35 && b > a) reach_error();
}";

/// The programs of `tests/proofs` without arrays that Horn clauses may leave open, with the work of four seconds.
const OPEN_BY_CLAUSES: &[&str] = &["poly_circle", "recursive_pairs"];

/// Reachable targets behind memory that is accessed in ways that clauses may get wrong: by several pointers, in part,
/// as another type, by further frames of a function, beyond what an index's type holds.
const ACCESSES: &[&str] = &[
    r"int g;
static void set(int *p, int n) { if (n > 0) { set(p, n - 1); return; } *p = 7; g = 1; *p += 1; }
int main(void) { set(&g, __VERIFIER_nondet_int()); if (g == 2) reach_error(); return 0; }",
    r"static void both(int *p, int *q, int n) { if (n > 0) { both(p, q, n - 1); return; } *p = 1; *q = 2; if (*p == 2) reach_error(); }
int main(void) { int x = 0; both(&x, &x, __VERIFIER_nondet_int()); return 0; }",
    r"static int two(int *p, int *q, int n) { if (n > 0) return two(q, p, n - 1); *p = 1; *q = 2; return *p; }
int main(void) { int x = 0, y = 0; two(&x, &y, __VERIFIER_nondet_int()); if (x == 2) reach_error(); return 0; }",
    r"int g;
static void low(int n) { if (n > 0) { low(n - 1); return; } *(unsigned char *)&g = 5; }
int main(void) { g = 0x100; low(__VERIFIER_nondet_int()); if (g == 0x105) reach_error(); return 0; }",
    r"union u { int i; unsigned char b[4]; } u;
static void put(int n) { if (n > 0) { put(n - 1); return; } u.b[n & 3 ? 1 : 2] = 1; }
int main(void) { u.i = 0; put(__VERIFIER_nondet_int()); if (u.i == 0x10000) reach_error(); return 0; }",
    r"union u { int i; short s[2]; } u;
static void put(int n) { if (n > 0) { put(n - 1); return; } u.i = 0x20001; }
int main(void) { u.s[0] = 0; u.s[1] = 0; put(__VERIFIER_nondet_int()); if (u.s[0] == 1 && u.s[1] == 2) reach_error(); return 0; }",
    r"int g;
static int f(int n) { int before = g; if (n <= 0) { g = 3; return 0; } f(n - 1); return before != g; }
int main(void) { if (f(__VERIFIER_nondet_int() & 7)) reach_error(); return 0; }",
    r"struct s { int a, b; } s;
static void inner(struct s *p, int n) { if (n > 0) inner(p, n - 1); else p->b = p->a + 1; }
static void outer(struct s *p, int n) { inner(p, n); p->a = 9; if (n > 100) outer(p, n - 1); }
int main(void) { s.a = 4; outer(&s, __VERIFIER_nondet_int()); if (s.b == 5 && s.a == 9) reach_error(); return 0; }",
    r"int a[1];
int main(void) { int i = __VERIFIER_nondet_int(); int n = 0; while (n < 5) { a[i] += n; n++; } if (a[0] == 10 && i == 0) reach_error(); return 0; }",
    r"int a[3];
int main(void) { unsigned long i = (unsigned long)__VERIFIER_nondet_int(); unsigned char k = 250; 
 while (__VERIFIER_nondet_int()) { k++; a[k % 3] = k; } if (a[0] == 0 && a[1] == 1 && k == 1) reach_error(); return 0; }",
    r"int a[4];
int main(void) { unsigned i = 0xfffffffeu; int n = 0; while (n < 4) { a[(i + n) & 3] = n; n++; } if (a[2] == 0 && a[1] == 3) reach_error(); return 0; }",
    r"static int f(int *from, int n) { int mine = n; if (n > 3) { *from = 99; return 0; } int r = f(&mine, n + 1); return r + (mine == 99); }
int main(void) { int x = 0; if (f(&x, __VERIFIER_nondet_int() & 3) == 1) reach_error(); return x; }",
    r"struct s { int a; short b; } s, t;
static void f(int n) { if (n > 0) { f(n - 1); return; } t = s; s.a = 1; }
int main(void) { s.a = 6; s.b = 2; f(__VERIFIER_nondet_int()); if (t.a == 6 && t.b == 2 && s.a == 1) reach_error(); return 0; }",
    r"int a[5];
int main(void) { int *p = a; int n = 0; while (p < a + 5 && __VERIFIER_nondet_int()) { *p++ = n++; } if (p - a == 5 && a[4] == 4) reach_error(); return 0; }",
    r"int a, b;
static int *pick(int n) { if (n > 10) return pick(n - 1); return n & 1 ? &a : &b; }
int main(void) { a = 1; b = 2; int *p = pick(__VERIFIER_nondet_int()); *p = 3; while (__VERIFIER_nondet_int()) a++; if (b == 3 && a == 2) reach_error(); return 0; }",
    r"int x = 1; int *p = &x; int **pp = &p;
static void f(int n) { if (n > 0) { f(n - 1); return; } **pp = 4; }
int main(void) { f(__VERIFIER_nondet_int()); if (x == 4) reach_error(); return 0; }",
    r"int a[2], b[2];
static void f(int n) { if (n > 0) { f(n - 1); return; } int *p = a; p += (n == -5); *p = 7; }
int main(void) { f(__VERIFIER_nondet_int()); if (a[1] == 7 && a[0] == 0) reach_error(); return 0; }",
    r"_Bool g; short h[2] = {1, 2};
static void f(int n) { if (n > 0) { f(n - 1); return; } g = !g; h[1] = -1; }
int main(void) { f(__VERIFIER_nondet_int()); if (g && h[1] < 0 && *(int *)h == (int)0xffff0001) reach_error(); return 0; }",
    r"int main(void) { int a[2]; int n = 0; while (n < __VERIFIER_nondet_int()) n++; a[n & 1] = 5; if (a[1] == 5 && n == 1) reach_error(); return 0; }",
    r"int a[4];
int main(void) { int n = 0; while (n < 100 && __VERIFIER_nondet_int()) { a[n & 3] = n; n++; } __builtin_memset(a, 0xff, 8); if (a[0] == -1 && a[2] == 2) reach_error(); return 0; }",
    r"int g;
static int f(int n) { g = g + 1; int r = n > 0 ? f(n - 1) : 0; return r + g; }
int main(void) { if (f(2) == 9) reach_error(); return 0; }",
    r"int a[4] = {1, 2, 3, 4};
static int sum(int *p, int n) { if (n == 0) return 0; *p += 1; return *p + sum(p + 1, n - 1); }
int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0 || n > 4) return 0; if (sum(a, n) == 14 && a[3] == 5) reach_error(); return 0; }",
    r"int a[4] = {1, 2, 3, 4};
int main(void) { int *p = a + 3; int n = 0; while (__VERIFIER_nondet_int()) n++; if (n >= 0 && n < 4) { p[-n] = 9; if (a[1] == 9 && a[3] == 4) reach_error(); } return 0; }",
    r"int main(void) { int a[20]; int n = 0; while (__VERIFIER_nondet_int()) n++; int i = __VERIFIER_nondet_uchar() % 20, j = __VERIFIER_nondet_uchar() % 20; a[i] = 1; a[j] = 2; if (a[i] == 2 && n == 1) reach_error(); return 0; }",
    r"int main(void) { int a[20]; for (int i = 0; i < 20; i++) a[i] = i; a[__VERIFIER_nondet_uchar() % 20] = 77; int k = __VERIFIER_nondet_uchar() % 20; if (a[k] != k) reach_error(); return 0; }",
    r"int a[20];
static void f(int n) { if (n <= 0) return; a[n % 20] = n; f(n - 1); }
int main(void) { f(__VERIFIER_nondet_int() & 63); int k = __VERIFIER_nondet_uchar() % 20; if (a[k] == 3) reach_error(); return 0; }",
    r"int main(void) { int a[20]; for (int i = 0; i < 20; i++) a[i] = 0; int *p = a + __VERIFIER_nondet_uchar() % 20, *q = a + __VERIFIER_nondet_uchar() % 20; *p = 1; *q = 2; if (*p == 2) reach_error(); return 0; }",
    r"int a[300];
int main(void) { unsigned char k = 0; for (int i = 0; i < 260; i++) { a[k] = i; k++; } if (a[2] == 258) reach_error(); return 0; }",
    r"int main(void) { int a[20]; for (int i = 0; i < 20; i++) a[i] = 5; __builtin_memset(a, 0, 40); int k = __VERIFIER_nondet_uchar() % 20; if (a[k] == 5) reach_error(); return 0; }",
    r"int main(void) { unsigned char a[40]; for (int i = 0; i < 40; i++) a[i] = 0; int at = __VERIFIER_nondet_uchar() % 10; *(int *)(a + 4 * at) = 0x01020304; int k = __VERIFIER_nondet_uchar() % 40; if (a[k] == 2) reach_error(); return 0; }",
    r"struct s { int a[20]; } x, y;
static void f(int n) { if (n <= 0) { y = x; return; } x.a[n % 20] = n; f(n - 1); }
int main(void) { f(__VERIFIER_nondet_int() & 7); int k = __VERIFIER_nondet_uchar() % 20; if (y.a[k] == 3) reach_error(); return 0; }",
    r"int a[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
int main(void) { int n = 0; while (n < 5) { a[n] = a[n + 1]; n++; } int k = __VERIFIER_nondet_uchar() % 12; if (a[k] == k + 2 && k > 3) reach_error(); return 0; }",
    r"int main(void) { int a[20]; for (int i = 0; i < 20; i++) a[i] = __VERIFIER_nondet_int(); int i = __VERIFIER_nondet_uchar() % 19; int t = a[i]; a[i] = a[i + 1]; a[i + 1] = t; if (a[i] > a[i + 1]) reach_error(); return 0; }",
    r"int a[20], b[20];
int main(void) { for (int i = 0; i < 20; i++) { a[i] = i; b[i] = 19 - i; } int k = __VERIFIER_nondet_uchar() % 20; if (a[k] > b[k]) reach_error(); return 0; }",
    r"static void put(int *to, int n, int at) { if (n > 0) put(to, n - 1, at); else to[at] = 9; }
int main(void) { int a[20]; for (int i = 0; i < 20; i++) a[i] = 0; int k = __VERIFIER_nondet_uchar() % 20; int before = a[k]; put(a, __VERIFIER_nondet_uchar(), k); if (before == 0 && a[k] == 9) reach_error(); return 0; }",
];

fn analysis(body: &str, techniques: Techniques, jobs: usize) -> Analysis {
    analysis_within(None, body, techniques, jobs)
}

/// The same with so much work.
fn analysis_within(
    work: Option<Work>,
    body: &str,
    techniques: Techniques,
    jobs: usize,
) -> Analysis {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("program.c");
    std::fs::write(&file, format!("{HEAD}{body}\n")).expect("the folder is writable");
    let mut load = LoadOptions::new([&file]);
    load.executable = Some(PathBuf::from(env!("CARGO_BIN_EXE_compact-se")));
    let mut options = AnalysisOptions::new(load);
    options.execution.budget.time = Duration::from_secs(60);
    options.execution.budget.work = work;
    options.techniques = techniques;
    options.jobs = jobs;
    analyze(&options, &mut |_| ()).unwrap_or_else(|error| panic!("{body}: {error}"))
}

fn verdict(body: &str, techniques: Techniques, jobs: usize) -> &'static str {
    analysis(body, techniques, jobs).report.verdict.name()
}

#[test]
fn the_verdict_does_not_depend_on_the_number_of_threads() {
    for (body, expected) in [
        (FOLDS, "unreachable"),
        (INDUCTIVE, "unreachable"),
        (PATHS, "reachable"),
    ] {
        for jobs in [1, 2, 3, 8] {
            let found = verdict(body, Techniques::usual(), jobs);
            assert_eq!(found, expected, "{jobs} threads: {body}");
        }
    }
}

/// Classic execution goes ahead down the calls, or around the loop, and asks nothing; others end these.
#[test]
fn classic_execution_without_end_lets_others_go_on() {
    let body =
        "int f(int n) { return n < 0 ? 0 : f(n + 1); } int main(void) { if (f(0)) reach_error(); }";
    let found = analysis_within(Some(Work::seconds(2)), body, Techniques::usual(), 1);
    assert_eq!(found.report.verdict.name(), "unreachable", "{body}");
    let by = found.contributions.iter().find(|one| one.decided);
    let by = by.expect("a technique decides").technique;
    assert_ne!(by, Technique::Classic, "{body}");
}

/// Nothing is behind a call of a function that calls itself on each way to a return, or another one that does.
#[test]
fn calls_that_never_return_are_not_followed() {
    for functions in [
        "int f(int n) { if (n > 9) return f(n + 2) - f(n); return f(n + 1) + f(n - 1); }",
        "int g(int n); int h(int n) { return g(n) + g(n); } int g(int n) { return h(n - 1) * h(n); }
         int f(int n) { return n ? g(n) : h(n); }",
    ] {
        let body = format!("{functions} int main(void) {{ if (f(1) == 7) reach_error(); reach_error(); }}");
        let alone = Techniques::only(Technique::Classic);
        let found = analysis_within(Some(Work::seconds(1)), &body, alone, 1);
        assert_eq!(found.report.verdict.name(), "unreachable", "{body}");
    }
    let body = "int f(int n) { reach_error(); return f(n + 1); } int main(void) { f(0); }";
    assert_eq!(verdict(body, Techniques::usual(), 1), "reachable");
}

/// At any depth of calls.
#[test]
fn the_work_of_deep_calls_is_counted() {
    let body =
        "int f(int n) { return n < 0 ? 0 : f(n + 1); } int main(void) { if (f(0)) reach_error(); }";
    let alone = Techniques::only(Technique::Classic);
    let found = analysis_within(Some(Work::seconds(1)), body, alone, 1);
    assert_eq!(found.report.verdict.name(), "unknown");
    let exhausted = found.report.exhausted();
    assert_eq!(exhausted, Some(Exhausted::Work), "{exhausted:?}");
}

#[test]
fn one_technique_decides_and_no_other_did_more() {
    for body in [FOLDS, INDUCTIVE, PATHS] {
        let contributions = analysis(body, Techniques::usual(), 1).contributions;
        let mut decided = contributions.iter().filter(|one| one.decided);
        let (winner, second) = (decided.next(), decided.next());
        let winner = winner.expect("a technique decides");
        assert!(second.is_none(), "{contributions:?}");
        // A necessary condition keeps behind the others.
        assert_ne!(winner.technique, Technique::Necessary);
        // Classic execution went ahead, until its first question.
        let others = contributions
            .iter()
            .filter(|one| one.technique != Technique::Classic);
        let most = others.map(|one| one.work).max();
        assert!(Some(winner.work) >= most, "{contributions:?}");
    }
}

#[test]
fn with_one_thread_all_is_repeated() {
    for body in [FOLDS, INDUCTIVE, PATHS] {
        let run = || analysis(body, Techniques::usual(), 1);
        let (first, second) = (run(), run());
        assert_eq!(first.contributions, second.contributions);
        let states = |analysis: &Analysis| analysis.report.statistics.n_states;
        assert_eq!(states(&first), states(&second));
    }
}

#[test]
fn induction_alone_finds_nothing() {
    let alone = || Techniques::only(Technique::Induction);
    assert_eq!(verdict(INDUCTIVE, alone(), 1), "unreachable");
    let looping = "int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  while (i < n) i++;
  if (i == 7) reach_error();
}";
    assert_eq!(verdict(looping, alone(), 1), "unknown");
    let found = analysis(looping, Techniques::usual(), 1);
    assert!(matches!(found.report.verdict, Verdict::Reachable(_)));
    assert!(found.replayed);
}

#[test]
fn a_necessary_condition_proves_and_guesses() {
    let alone = || Techniques::only(Technique::Necessary);
    assert_eq!(verdict(FOLDS, alone(), 1), "unreachable");
    let nested = "int main(void) {
  int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(), i = 0, j = 0;
  while (i < n) i += 3;
  while (j < m) j += 5;
  if (i == 3000000 && j == i) reach_error();
}";
    let found = analysis(nested, alone(), 1);
    assert!(matches!(found.report.verdict, Verdict::Reachable(_)));
    assert!(found.replayed);
}

#[test]
fn a_necessary_condition_knows_what_loops_wrote() {
    let alone = || Techniques::only(Technique::Necessary);
    let copied = |claim: &str| {
        format!(
            "int a[1000], b[1000];
int main(void) {{
  int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000) return 0;
  for (int i = 0; i < n; i++) a[i] = i + 3;
  for (int i = 0; i < n; i++) b[i] = a[i];
  if (k < 0 || k >= 1000) return 0;
  if ({claim}) reach_error();
}}"
        )
    };
    assert_eq!(
        verdict(&copied("k < n && b[k] != k + 3"), alone(), 1),
        "unreachable"
    );
    assert_eq!(
        verdict(&copied("k >= n && b[k] != 0"), alone(), 1),
        "unreachable"
    );
    let found = analysis(&copied("b[k] == 900"), alone(), 1);
    assert!(matches!(found.report.verdict, Verdict::Reachable(_)));
    assert!(found.replayed);
}

#[test]
fn a_necessary_condition_knows_how_often_inner_loops_are_iterated() {
    let alone = || Techniques::only(Technique::Necessary);
    let nested = |claim: &str| {
        format!(
            "int main(void) {{
  int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int(), j = 0;
  if (m < 1 || m > 1000 || n < 0 || n > 1000) return 0;
  for (int i = 0; i < m; i++) for (j = i; j < n; j++);
  if ({claim}) reach_error();
}}"
        )
    };
    let wrong = nested("j != (n > m - 1 ? n : m - 1)");
    assert_eq!(verdict(&wrong, alone(), 1), "unreachable");
    let found = analysis(&nested("j == 700 && n == 3"), alone(), 1);
    assert!(matches!(found.report.verdict, Verdict::Reachable(_)));
    assert!(found.replayed);
}

#[test]
fn a_guess_whose_way_is_undefined_is_none() {
    // The condition knows how often the loop is gone around, not where it reads: no rule covers j.
    // Natively, what is behind the table is read without harm.
    let body = "int table[4] = {1, 2, 3, 4}, behind[400];
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = 0, j = 0, x = 1;
  if (n > 100) return 0;
  while (i < n) { x = x * 3 + (unsigned)table[j]; j = (j * j + 7u) & 255u; i++; }
  if (i > 90 && behind[1] == 0) reach_error();
}";
    for techniques in [Techniques::only(Technique::Necessary), Techniques::usual()] {
        let found = analysis(body, techniques, 1);
        assert!(!matches!(found.report.verdict, Verdict::Reachable(_)));
    }
}

/// A program of `tests/proofs`, as C defines it, or its twin with a false claim.
fn proof(file: &Path, is_false: bool, techniques: Techniques, work: Work) -> Analysis {
    let mut load = LoadOptions::new([file]);
    load.executable = Some(PathBuf::from(env!("CARGO_BIN_EXE_compact-se")));
    load.sanitizers.push(Sanitizer::Overflow);
    if is_false {
        load.clang_args.push("-DFALSE".to_owned());
    }
    let mut options = AnalysisOptions::new(load);
    options.execution.budget.time = Duration::from_secs(300);
    options.execution.budget.work = Some(work);
    options.techniques = techniques;
    analyze(&options, &mut |_| ()).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn proofs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/proofs");
    let files = std::fs::read_dir(folder).expect("there are proofs");
    let files = files.map(|file| file.expect("the folder is readable").path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.extension().is_some()).collect();
    files.sort();
    files
}

fn name(file: &Path) -> String {
    let stem = file.file_stem().expect("programs have names");
    stem.to_string_lossy().into_owned()
}

/// Horn clauses prove the programs that are meant, and none of their false twins: one in eight, as all of
/// them are `scripts/proofs.py`'s.
fn check_clauses(is_meant: impl Fn(&str) -> bool) {
    let mut open = Vec::new();
    let meant = proofs().into_iter().filter(|file| is_meant(&name(file)));
    for file in sample(meant, 0, 8) {
        let horn = || Techniques::only(Technique::Horn);
        match proof(&file, false, horn(), Work::seconds(4)).report.verdict {
            Verdict::Unreachable => {}
            Verdict::Unknown => open.push(name(&file)),
            Verdict::Reachable(_) => panic!("{}: a proof refutes nothing", file.display()),
        }
        let twin = proof(&file, true, horn(), Work::millis(200)).report.verdict;
        assert!(matches!(twin, Verdict::Unknown), "{}", file.display());
    }
    open.retain(|name| !OPEN_BY_CLAUSES.contains(&name.as_str()));
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn clauses_prove_what_holds_of_loops_and_nothing_else() {
    let others = ["array_", "memory_", "poly_", "recursive_"];
    check_clauses(|name| !others.iter().any(|other| name.starts_with(other)));
}

#[test]
fn clauses_prove_what_holds_of_recursion_and_memory_and_nothing_else() {
    check_clauses(|name| {
        ["memory_", "recursive_"]
            .iter()
            .any(|kind| name.starts_with(kind))
    });
}

#[test]
fn clauses_prove_what_holds_of_products_and_nothing_else() {
    check_clauses(|name| name.starts_with("poly_"));
}

#[test]
fn false_claims_are_refuted_by_all_techniques() {
    for file in sample(proofs(), 1, 16) {
        let found = proof(&file, true, Techniques::usual(), Work::seconds(12));
        let verdict = found.report.verdict;
        assert!(
            matches!(verdict, Verdict::Reachable(_)),
            "{}",
            file.display()
        );
        assert!(found.replayed, "{}", file.display());
    }
}

#[test]
fn clauses_refuse_memory_that_has_no_cells() {
    for (body, reason) in [
        (
            "int a, b;
static void pick(int *p, int n) { if (n > 0) pick(n & 1 ? p : &b, n - 1); else *p = 1; }
int main(void) { pick(&a, __VERIFIER_nondet_int()); if (a > 1) reach_error(); }",
            "it accesses memory by pointers of which one object is not known",
        ),
        (
            "static int deep(int *from, int n) {
  int mine = n;
  if (n > 3) return *from = 4;
  return deep(&mine, n + 1) + mine;
}
int main(void) { int x; if (deep(&x, __VERIFIER_nondet_int()) == 1) reach_error(); }",
            "it accesses memory by pointers of which one object is not known",
        ),
        (
            "int main(void) {
  int s = 0;
  while (__VERIFIER_nondet_int()) {
    int *p = __builtin_alloca(4);
    *p = 1;
    s |= *p;
  }
  if (s > 1) reach_error();
}",
            "a variable in memory may have several instances at a time",
        ),
        (
            "void *malloc(unsigned long);
int main(void) {
  int *p = malloc(4);
  *p = 0;
  while (__VERIFIER_nondet_int()) *p ^= 1;
  if (*p > 1) reach_error();
}",
            "it accesses memory by pointers of which one object is not known",
        ),
        (
            "int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 9) return 0;
  int a[n];
  for (int i = 0; i < n; i++) a[i] = 0;
  if (a[0]) reach_error();
}",
            "it allocates memory of unknown size or on the heap",
        ),
    ] {
        let found = analysis(body, Techniques::only(Technique::Horn), 1);
        let reasons = found.report.reasons.iter();
        let reasons: Vec<String> = reasons.map(|(reason, _)| reason.to_string()).collect();
        assert_eq!(
            reasons,
            [format!("no invariants prove the program: {reason}")],
            "{body}"
        );
    }
}

/// Larger arrays, of which no cell is known by its number.
#[test]
fn one_element_stands_for_all_of_an_array() {
    let names = ["array_down", "array_fill"];
    for file in proofs()
        .iter()
        .filter(|file| names.contains(&name(file).as_str()))
    {
        let horn = || Techniques::only(Technique::Horn);
        let found = proof(file, false, horn(), Work::seconds(8)).report.verdict;
        assert!(matches!(found, Verdict::Unreachable), "{}", file.display());
        let twin = proof(file, true, horn(), Work::seconds(1)).report.verdict;
        assert!(matches!(twin, Verdict::Unknown), "{}", file.display());
    }
}

/// Spacer does not end on these, one iteration after another.
#[test]
fn many_iterations_are_one_clause() {
    let names = ["phases_again", "phases_emptied", "phases_three"];
    let is_named = |file: &&PathBuf| names.contains(&name(file).as_str());
    let files = proofs();
    let files: Vec<&PathBuf> = files.iter().filter(is_named).collect();
    assert_eq!(files.len(), names.len());
    for file in files {
        let horn = Techniques::only(Technique::Horn);
        let found = proof(file, false, horn, Work::seconds(8)).report.verdict;
        assert!(matches!(found, Verdict::Unreachable), "{}", file.display());
    }
}

#[test]
fn clauses_prove_nothing_false_of_memory() {
    for body in sample(ACCESSES, 0, 2) {
        let horn = Techniques::only(Technique::Horn);
        let found = analysis_within(Some(Work::millis(300)), body, horn, 1);
        assert_eq!(found.report.verdict.name(), "unknown", "{body}");
        assert_eq!(verdict(body, Techniques::usual(), 1), "reachable", "{body}");
    }
}

/// Over the integers y stays positive; over bit-vectors it becomes 0.
#[test]
fn a_proof_over_the_integers_alone_does_not_count() {
    let body = "int main(void) {
  int y = 1;
  while (__VERIFIER_nondet_int()) y *= 2;
  if (y <= 0) reach_error();
}";
    let found = verdict(body, Techniques::only(Technique::Horn), 1);
    assert_eq!(found, "unknown");
    assert_eq!(verdict(body, Techniques::usual(), 1), "reachable");
}

/// The second iteration frees what the first one has freed, so that an execution is undefined: no technique
/// may say that the target is unreachable.
/// Without a loop none of these is of use, and the first of them says so.
#[test]
fn techniques_of_which_none_is_of_use_leave_the_program_open() {
    let straight = "int main(void) { if (__VERIFIER_nondet_int() == 5) reach_error(); }";
    let useless = [Technique::KInduction, Technique::Induction, Technique::Horn];
    let techniques = Techniques::of(|one| useless.contains(&one)).unwrap();
    assert_eq!(verdict(straight, techniques, 2), "unknown");
}

#[test]
fn blocks_that_loops_free_are_not_forgotten() {
    let body = "#include <stdlib.h>
int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar();
  int *block = malloc(8);
  if (!block) return 0;
  for (unsigned i = 0; i < n % 16u; i++) {
    if (i > 100) reach_error();
    free(block);
  }
  return 0;
}";
    for technique in Technique::ALL {
        let found = verdict(body, Techniques::only(technique), 1);
        assert_eq!(found, "unknown", "{}", technique.name());
    }
    assert_eq!(verdict(body, Techniques::usual(), 1), "unknown");
}

/// What is freed is the start of a block for one value of the input, and then the path goes on.
#[test]
fn a_pointer_that_may_be_the_start_of_a_block_may_be_freed() {
    let body = "#include <stdlib.h>
int main(void) {
  unsigned char i = __VERIFIER_nondet_uchar();
  char *block = malloc(8);
  if (!block || i > 7) return 0;
  free(block + i);
  reach_error();
}";
    for technique in [Technique::Compact, Technique::Classic] {
        let found = verdict(body, Techniques::only(technique), 1);
        assert_eq!(found, "reachable", "{}", technique.name());
    }
}

/// What makes the sum wrap around here in two folded loops reads two million inputs, which takes long to write and to
/// run; a path of a few iterations does it too.
#[test]
fn a_witness_of_many_inputs_is_work() {
    let body = "int main(void) {
  int x = 1, y = 1;
  while (__VERIFIER_nondet_int()) { x += y; if (__VERIFIER_nondet_int()) y += x; }
  if (!(x >= 1 && y >= 1)) reach_error();
}";
    let n_inputs = |techniques| match analysis(body, techniques, 1).report.verdict {
        Verdict::Reachable(witness) => witness.inputs.len(),
        other => panic!("{}", other.name()),
    };
    let (alone, all) = (
        n_inputs(Techniques::only(Technique::Compact)),
        n_inputs(Techniques::usual()),
    );
    assert!(all < 10_000 && all < alone, "{all} instead of {alone}");
}
