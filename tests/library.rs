//! What programs call that they do not define: functions of the C library are no inputs, nor are
//! other tools' words; what nobody defines is one. Parameters of `main` are what a system passes.

use compact_se::analysis::{Analysis, AnalysisOptions, analyze};
use compact_se::frontend::{ForeignFunctions, LoadOptions, StandIn, StandInKind, load};
use compact_se::property::Reason;
use compact_se::symex::Verdict;
use std::path::PathBuf;
use std::time::Duration;

/// Line 1 holds the declarations, line 2 main's body.
fn analysis_of(declarations: &str, main: &str, foreign: ForeignFunctions) -> Analysis {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("program.c");
    let text = format!("{declarations} extern void reach_error(void);\n{main}\n");
    std::fs::write(&file, &text).expect("the folder is writable");
    let mut load = LoadOptions::new([&file]);
    load.executable = Some(PathBuf::from(env!("CARGO_BIN_EXE_compact-se")));
    load.foreign_functions = foreign;
    let mut options = AnalysisOptions::new(load);
    options.execution.budget.time = Duration::from_secs(60);
    analyze(&options, &mut |_| ()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn reasons(analysis: &Analysis) -> Vec<String> {
    let all = analysis.report.reasons.iter();
    all.map(|(reason, _)| reason.to_string()).collect()
}

/// No input leads to the target, whatever is said of foreign functions.
fn unreachable(declarations: &str, body: &str) {
    for foreign in [
        ForeignFunctions::Unsupported,
        ForeignFunctions::WithoutEffect,
    ] {
        let main = format!("int main(void) {{ {body} return 0; }}");
        let analysis = analysis_of(declarations, &main, foreign);
        let verdict = analysis.report.verdict.name();
        assert_eq!(verdict, "unreachable", "{body}: {:?}", reasons(&analysis));
    }
}

/// Some inputs lead to the target, and a replay confirms that; the inputs' names.
fn reachable(declarations: &str, body: &str) -> (Vec<String>, Analysis) {
    let main = format!("int main(void) {{ {body} return 0; }}");
    main_reaches(declarations, &main)
}

fn main_reaches(declarations: &str, main: &str) -> (Vec<String>, Analysis) {
    let analysis = analysis_of(declarations, main, ForeignFunctions::Unsupported);
    let Verdict::Reachable(witness) = &analysis.report.verdict else {
        panic!("{main}: not reached: {:?}", reasons(&analysis));
    };
    assert!(analysis.replayed, "{main}");
    let names = witness.inputs.iter().map(|input| input.name.clone());
    (names.collect(), analysis)
}

/// The verdict is open, and a call on line 2 is named as the reason, whatever is said of foreign
/// functions.
fn refused(declarations: &str, body: &str, what: &str) {
    for foreign in [
        ForeignFunctions::Unsupported,
        ForeignFunctions::WithoutEffect,
    ] {
        let main = format!("int main(void) {{ {body} return 0; }}");
        let analysis = analysis_of(declarations, &main, foreign);
        let verdict = analysis.report.verdict.name();
        assert_eq!(verdict, "unknown", "{body}: {:?}", reasons(&analysis));
        let named = analysis
            .report
            .reasons
            .iter()
            .any(|(reason, _)| match reason {
                Reason::Unsupported(text, span) => text.contains(what) && span.line == 2,
                _ => false,
            });
        assert!(named, "{body}: {:?}", reasons(&analysis));
    }
}

#[test]
fn functions_with_exact_models() {
    unreachable(
        "unsigned short htons(unsigned short), ntohs(unsigned short);
         unsigned htonl(unsigned), ntohl(unsigned);"
            .replace('\n', " ")
            .as_str(),
        "unsigned n; if (htons(1) != 256 || ntohs(htons(n)) != (unsigned short)n) reach_error();
         if (htonl(1) != 0x1000000 || ntohl(htonl(n)) != n) reach_error();",
    );
    unreachable(
        "#include <stdlib.h>\n",
        "int a; div_t d = div(a, 7); if (d.quot != a / 7 || d.rem != a % 7) reach_error();
         ldiv_t l = ldiv(-9, 2); if (l.quot != -4 || l.rem != -1) reach_error();",
    );
    unreachable(
        "int __isnan(double), __fpclassify(double);",
        "double x; if (__isnan(x) != (x != x)) reach_error();
         if (__fpclassify(0.0) != 2 || __fpclassify(1e-310) != 3 || __fpclassify(1.0) != 4
             || __fpclassify(1 / 0.0) != 1 || __fpclassify(0 / 0.0) != 0) reach_error();",
    );
    unreachable(
        "#include <stdlib.h>\n#include <errno.h>\n",
        "char *end; errno = 0; if (strtol(\"-12x\", &end, 10) != -12 || *end != 'x') reach_error();
         if (errno || strtod(\"1e400\", 0) != 1 / 0.0 || errno != ERANGE) reach_error();",
    );
    unreachable(
        "int fegetround(void), getpagesize(void);",
        "if (fegetround() != 0 || getpagesize() != 4096) reach_error();",
    );
}

#[test]
fn wide_characters_and_their_texts() {
    unreachable(
        "#include <stdio.h>\n#include <wchar.h>\n#include <uchar.h>\n",
        "unsigned n; wchar_t text[8], *end; n %= 1000; int k = swprintf(text, 8, L\"%u:%ls\", n, L\"x\");
         if (k < 3 || k > 5 || (n >= 100 && text[3] != L':') || text[k] != 0) reach_error();
         if (swprintf(text, 4, L\"%s\", \"long\") != -1 || text[3] != 0) reach_error();
         if (wprintf(L\"%u\\n\", n) > 4 || fwprintf(stderr, L\"%C\", L'c') > 1) reach_error();
         wint_t c = putwchar(L'x'); if (c != L'x' && c != WEOF) reach_error();
         if (wcstol(L\" -42z\", &end, 10) != -42 || *end != L'z') reach_error();
         char16_t unit; mbstate_t state = {0};
         if (mbrtoc16(&unit, \"a\", 1, &state) != 1 || unit != u'a') reach_error();
         if (wcscasecmp(L\"Word\", L\"wORD\") != 0 || fputws(text, stdout) < -1) reach_error();"
            .replace('\n', " ")
            .as_str(),
    );
    let (_, analysis) = reachable(
        "#include <wchar.h>\n",
        "if (wprintf(L\"%d\", 12) == -1) reach_error();",
    );
    let mut stand_ins = analysis.loaded.stand_ins.iter();
    assert!(stand_ins.any(|one| one.name == "wprintf"));
    refused(
        "#include <wchar.h>\n#line 1\n",
        "wchar_t text[8]; swprintf(text, 8, L\"%ls\", L\"\\u20ac\"); reach_error();",
        "a wide character of 128 or more",
    );
    refused(
        "#include <wchar.h>\n#line 1\n",
        "int n; wprintf(L\"%d%n\", 1, &n); reach_error();",
        "a format that may write",
    );
}

#[test]
fn functions_of_floats_that_are_exact_somewhere() {
    let declarations = "#include <math.h>\n#include <complex.h>\n";
    unreachable(
        declarations,
        "int n; n &= 15; if (pow(2, n) != 1 << n || pow(3, 4) != 81) reach_error(); \
         if (sin(0) != 0 || exp(0) != 1 || log2(1024) != 10 || exp2(-1) != 0.5 || hypot(0, -3) != 3 || hypot(-3, 4) != 5) reach_error(); \
         if (remquo(5, 3, &n) != -1 || n != 2) reach_error(); \
         double complex z = 2 + 3 * I; z *= z; if (creal(z) != -5 || cimag(z) != 12) reach_error();",
    );
    for (body, what) in [
        ("if (pow(2, 0.5) > 1) reach_error();", "call of pow with"),
        ("if (sin(1) > 2) reach_error();", "call of sin with"),
        ("if (cabs(1 + I) > 2) reach_error();", "call of hypot with"),
        (
            "double complex z = I; z = z / z; if (creal(z) < 0) reach_error();",
            "a quotient of complex numbers",
        ),
    ] {
        refused(&format!("{declarations}#line 1\n"), body, what);
    }
}

#[test]
fn names_and_numbers_of_files() {
    unreachable(
        "#define _GNU_SOURCE\n#include <stdio.h>\n",
        "if (fileno(stdout) != 1 || fileno_unlocked(stderr) != 2) reach_error();",
    );
    refused(
        "#define _GNU_SOURCE\n#include <stdio.h>\n#line 1\n",
        "FILE *file = fopen(\"x\", \"w\"); if (file && fileno(file) == 7) reach_error();",
        "call of fileno for a file that the program opens",
    );
    unreachable(
        "#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n",
        "FILE *file = tmpfile(); if (file && fputs(\"x\", file) < -1) reach_error(); \
         char name[] = \"fileXXXXXX\", other[L_tmpnam]; int number = mkstemp(name); \
         if (number >= 0 && (number < 3 || name[3] != 'e' || name[10] != 0 || name[9] == '/')) reach_error(); \
         if (strlen(tmpnam(other)) >= L_tmpnam || mkstemp(other + L_tmpnam - 1) != -1) reach_error();",
    );
    reachable(
        "#include <stdlib.h>\n",
        "char name[] = \"fileXXXXXX\"; if (mkstemp(name) == 7 && name[4] == 'q') reach_error();",
    );
}

#[test]
fn what_may_be_said_of_the_rounding_mode() {
    unreachable(
        "#include <fenv.h>\n",
        "if (fesetround(FE_TONEAREST) != 0 || fesetround(1) == 0) reach_error();
         if (feclearexcept(FE_ALL_EXCEPT) != 0 || fegetround() != FE_TONEAREST) reach_error();"
            .replace('\n', " ")
            .as_str(),
    );
    refused(
        "#include <fenv.h>\n#line 1\n",
        "fesetround(FE_UPWARD); reach_error();",
        "fesetround for a mode other",
    );
    refused(
        "#include <fenv.h>\n#line 1\n",
        "if (fetestexcept(FE_INEXACT)) reach_error();",
        "call of fetestexcept",
    );
}

#[test]
fn results_that_c_and_posix_constrain() {
    unreachable(
        "#include <stdlib.h>\n",
        "if (rand() < 0 || random() < 0) reach_error();",
    );
    unreachable(
        "int getpid(void), getpgrp(void); unsigned getuid(void);",
        "if (getpid() < 1 || getpid() != getpid()) reach_error();
         if (getpgrp() < 1 || getuid() != getuid()) reach_error();",
    );
    unreachable("int isatty(int);", "if (isatty(1) == 7) reach_error();");
    // Behind random bytes, memory stays as it is.
    unreachable(
        "unsigned arc4random_uniform(unsigned); int getentropy(void *, unsigned long);",
        "unsigned char salt[4] = {0};
         if (getentropy(salt, 2) != 0 || salt[2] != 0 || arc4random_uniform(10) > 9) reach_error();
         if (getentropy(salt, 257) == 0) reach_error();",
    );
    unreachable(
        "long time(long *), clock(void);",
        "long now; if (time(&now) != now || time(0) < 0) reach_error();
         long first = clock(); if (first < 0 || clock() < first) reach_error();",
    );
    unreachable(
        "int getchar(void);",
        "int c = getchar(); if (c < -1 || c > 255) reach_error();",
    );
}

#[test]
fn results_within_the_constraints_are_inputs_that_are_replayed() {
    let cases = [
        (
            "int rand(void); void srand(unsigned);",
            "srand(1); if (rand() == 77) reach_error();",
            "rand",
        ),
        (
            "int getpid(void);",
            "if (getpid() == 77) reach_error();",
            "getpid",
        ),
        (
            "int isatty(int);",
            "if (isatty(1)) reach_error();",
            "isatty",
        ),
        (
            "void arc4random_buf(void *, unsigned long);",
            "unsigned char salt[4]; arc4random_buf(salt, 4); if (salt[3] == 7) reach_error();",
            "arc4random_buf",
        ),
        (
            "long time(long *);",
            "if (time(0) == 77) reach_error();",
            "time",
        ),
        (
            "int getchar(void);",
            "if (getchar() == -1) reach_error();",
            "getchar",
        ),
    ];
    for (declarations, body, input) in cases {
        let (inputs, analysis) = reachable(declarations, body);
        let is_it = |name: &String| name.starts_with(input);
        assert!(inputs.iter().any(is_it), "{body}: {inputs:?}");
        let stands_in = |name: &str| {
            let mut all = analysis.loaded.stand_ins.iter();
            all.any(|one| one.name == name && one.by == StandInKind::Inputs)
        };
        assert!(stands_in(input), "{body}");
    }
}

/// Times, dates and their texts: those of Greenwich, whatever the system's zone is.
#[test]
fn dates_are_computed() {
    let declarations =
        "#define _GNU_SOURCE\n#include <string.h>\n#include <time.h>\n#include <sys/time.h>\n";
    unreachable(
        declarations,
        "time_t day = 951782400; struct tm *d = gmtime(&day); \
         if (d->tm_mday != 29 || d->tm_mon != 1 || timegm(d) != day) reach_error(); \
         char text[20]; if (strftime(text, 20, \"%F %T\", d) != 19 || strcmp(text, \"2000-02-29 00:00:00\")) reach_error(); \
         struct timespec a, b; clock_gettime(CLOCK_MONOTONIC, &a); clock_gettime(CLOCK_MONOTONIC, &b); \
         if (b.tv_sec < a.tv_sec || b.tv_nsec > 999999999) reach_error();",
    );
    // The last day of a year, and which one is found out.
    let leap = "unsigned char n; time_t t = n * 259200L; struct tm *d = gmtime(&t);";
    reachable(
        declarations,
        &format!("{leap} if (d->tm_yday == 364 && d->tm_year == 71) reach_error();"),
    );
    let (inputs, _) = reachable(
        declarations,
        "struct timeval now; gettimeofday(&now, 0); if (now.tv_usec == 77) reach_error();",
    );
    assert_eq!(
        inputs.last().map(String::as_str),
        Some("gettimeofday, microseconds")
    );
    reachable(
        declarations,
        "struct timespec a, b; clock_gettime(CLOCK_REALTIME_COARSE, &a); clock_gettime(CLOCK_REALTIME_COARSE, &b); \
         if (b.tv_sec < a.tv_sec) reach_error();",
    );
    reachable(
        "#include <errno.h>\n#include <time.h>\n",
        "time_t t = 0; errno = 0; localtime(&t); if (errno) reach_error();",
    );
    for (body, what) in [
        (
            "struct tm d = {0}; d.tm_isdst = 1; if (mktime(&d)) reach_error();",
            "daylight saving time",
        ),
        (
            "struct tm d = {0}; d.tm_mon = 12; char b[9]; strftime(b, 9, \"%b\", &d); reach_error();",
            "strftime for a date",
        ),
        (
            "struct timespec a; clock_gettime(9, &a); reach_error();",
            "clock_gettime for an alarm",
        ),
    ] {
        refused("#include <time.h>\n#line 1\n", body, what);
    }
    // The zone is assumed, which an answer says.
    let local = "time_t t = 86400; struct tm *d = localtime(&t); if (d->tm_mday != 2 || mktime(d) != t) reach_error();";
    unreachable(declarations, local);
    let main = format!("int main(void) {{ {local} return 0; }}");
    let analysis = analysis_of(declarations, &main, ForeignFunctions::Unsupported);
    let assumed: Vec<_> = analysis
        .loaded
        .stand_ins
        .iter()
        .filter_map(StandIn::assumption)
        .collect();
    assert!(assumed.contains(&"the time zone is UTC"), "{assumed:?}");
    reachable(
        declarations,
        "unsigned char n; time_t t = n * 3600L; if (localtime(&t)->tm_hour == 23 && ctime(&t)[9] == '5') reach_error();",
    );
}

#[test]
fn wide_characters_are_known() {
    let declarations = "#include <wchar.h>\n#include <wctype.h>\n#include <stdlib.h>\n";
    unreachable(
        declarations,
        "wchar_t c, t[8] = L\"ab\"; wcscat(t, L\"c\"); if (wcslen(t) != 3 || wcscmp(t, L\"abc\")) reach_error(); \
         if (iswdigit(c) && (c < L'0' || c > L'9')) reach_error(); \
         char b[4]; if (wcstombs(b, t, 4) != 3 || b[2] != 'c' || b[3]) reach_error();",
    );
    reachable(
        declarations,
        "wchar_t c, t[3] = {L'x', c, 0}; if (wcschr(L\"ab\", t[1]) && wcsspn(t, L\"xb\") == 2) reach_error();",
    );
}

#[test]
fn texts_for_people_are_those_of_the_c_library() {
    unreachable(
        "#include <string.h>\n#include <errno.h>\n#include <stdlib.h>\n#include <err.h>\n",
        "if (strcmp(strerror(ENOENT), \"No such file or directory\")) reach_error(); \
         errno = 0; if (reallocarray(0, -1, 2) || errno != ENOMEM) reach_error(); \
         warnx(\"%s\", \"no effect\"); errx(3, \"end %d\", 3); reach_error();",
    );
    unreachable(
        "#include <libgen.h>\n#include <string.h>\n#include <locale.h>\n",
        "char path[] = \"/usr/lib/\"; if (strcmp(basename(path), \"lib\")) reach_error(); \
         if (strcmp(dirname(path), \"/usr\")) reach_error(); \
         if (!setlocale(LC_ALL, \"C\") || localeconv()->decimal_point[0] != '.') reach_error();",
    );
    refused(
        "#include <locale.h>\n#line 1\n",
        "if (setlocale(LC_ALL, \"de_DE\")) reach_error();",
        "setlocale for a locale other than C",
    );
}

/// One thread waits for nobody but itself.
#[test]
fn mutexes_of_one_thread() {
    let declarations = "#include <pthread.h>\nstatic pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; static int n; static void count(void) { n++; }\n#line 1\n";
    unreachable(
        declarations,
        "static pthread_once_t once = PTHREAD_ONCE_INIT; pthread_once(&once, count); pthread_once(&once, count); \
         if (n != 1 || pthread_mutex_lock(&lock) || !pthread_mutex_trylock(&lock)) reach_error(); \
         if (pthread_mutex_unlock(&lock) || pthread_mutex_lock(&lock)) reach_error(); \
         pthread_mutex_lock(&lock); reach_error();",
    );
    refused(
        "#include <pthread.h>\n static void *body(void *x) { return x; }\n#line 1\n",
        "pthread_t other; if (!pthread_create(&other, 0, body, 0)) reach_error();",
        "call of pthread_create",
    );
}

/// A file that is only written to is there or not.
#[test]
fn files_are_written_that_nobody_reads() {
    let declarations = "#include <stdio.h>\n#include <unistd.h>\n#line 1\n";
    let writes = "FILE *f = fopen(\"log\", \"w\"); if (f) { fprintf(f, \"%d\", 3); fclose(f); }";
    reachable(declarations, &format!("{writes} if (f) reach_error();"));
    reachable(
        declarations,
        &format!("{writes} if (!f && rename(\"a\", \"b\")) reach_error();"),
    );
    unreachable(
        declarations,
        &format!("{writes} if (access(\"log\", R_OK) > 0) reach_error();"),
    );
    for mode in ["r", "rb", "w+", "r+"] {
        let body = format!("if (fopen(\"log\", \"{mode}\")) reach_error();");
        refused(
            declarations,
            &body,
            "call of fopen for reading (modelled with --sym-stdin",
        );
    }
}

/// The model of standard input reads by formats that are known when the program is loaded.
#[test]
fn formats_that_are_not_constant_are_refused() {
    refused(
        "int scanf(const char *, ...); char format[3] = \"%d\";",
        "int n; if (scanf(format, &n)) reach_error();",
        "a format that is not constant",
    );
}

/// What a reading leaves behind restricts the bytes that come, not the byte that is put back, and numbers may begin
/// with a letter or a point.
#[test]
fn what_may_follow_a_reading() {
    let declarations = "#include <stdio.h>\n#line 1\n";
    reachable(
        declarations,
        "int n; if (scanf(\"%d\", &n) != 1) return 0; ungetc('5', stdin); char s[9]; \
         if (scanf(\"%8[a-z]\", s) == 0 && getchar() == '5') reach_error();",
    );
    for (skipped, declared, format) in [("%*[^.]", "double", "%lf"), ("%*[^a]", "int", "%x")] {
        let main = format!(
            "int main(void) {{ {declared} d; scanf(\"{skipped}\"); \
             if (scanf(\"{format}\", &d) == 1) reach_error(); return 0; }}"
        );
        let analysis = analysis_of(declarations, &main, ForeignFunctions::Unsupported);
        assert_ne!(analysis.report.verdict.name(), "unreachable", "{main}");
    }
}

#[test]
fn sequences_that_begin_anew_are_refused() {
    let declarations = "int rand(void); void srand(unsigned);";
    refused(
        declarations,
        "srand(3); int a = rand(); srand(3); if (rand() != a) reach_error();",
        "call of srand",
    );
    refused(
        declarations,
        "int a = rand(); srand(1); if (rand() != a) reach_error();",
        "call of srand",
    );
}

#[test]
fn handlers_run_where_the_program_ends() {
    let declarations = "int atexit(void (*)(void)); void exit(int); void _Exit(int);";
    reachable(declarations, "atexit(reach_error);");
    reachable(declarations, "atexit(reach_error); exit(1);");
    let labels = "static void *to[] = {&&one, &&two}; goto *to[rand() & 1]; one: two:";
    let with_labels = format!("{declarations} int rand(void);");
    reachable(&with_labels, &format!("atexit(reach_error); {labels}"));
    let body = "atexit(reach_error); _Exit(1);";
    let main = format!("int main(void) {{ {body} }}");
    let analysis = analysis_of(declarations, &main, ForeignFunctions::Unsupported);
    assert_eq!(analysis.report.verdict.name(), "unreachable");
}

/// Destructors come behind handlers, the largest priority first, else from the last to the first; one that
/// ends the program is the last.
#[test]
fn destructors_run_behind_handlers() {
    let declarations = "#define LAST __attribute__((destructor))
        #define EARLY __attribute__((destructor(300)))
        static int at; int atexit(void (*)(void)); void exit(int); void _Exit(int);
        static void step(int n) { if (at++ != n) exit(9); }
        static void h(void) { step(1); }
        LAST static void c(void) { step(3); } LAST static void b(void) { step(2); }
        EARLY static void d(void) { step(4); if (at == 5) reach_error(); }";
    let declarations = format!("extern void reach_error(void);\n{declarations}\n");
    let (inputs, _) = reachable(&declarations, "atexit(h); if (at != 0) exit(8); at++;");
    assert!(inputs.is_empty(), "{inputs:?}");
    reachable(&declarations, "atexit(h); at++; exit(3);");
    for ends in ["_Exit(0);", "at = 7; exit(0);", "atexit(h);"] {
        let main = format!("int main(void) {{ {ends} return 0; }}");
        let analysis = analysis_of(&declarations, &main, ForeignFunctions::Unsupported);
        assert_eq!(analysis.report.verdict.name(), "unreachable", "{ends}");
    }
}

/// A variable is there or not, with any text, and stays as it is.
#[test]
fn variables_of_the_environment_are_inputs() {
    let declarations = "char *getenv(const char *), *secure_getenv(const char *);
        int strcmp(const char *, const char *);"
        .replace('\n', " ");
    let (inputs, _) = reachable(&declarations, "if (!getenv(\"HOME\")) reach_error();");
    assert_eq!(inputs, ["getenv"]);
    let body = "char *m = getenv(\"MODE\"); if (m && !strcmp(m, \"on\")) reach_error();";
    let (inputs, _) = reachable(&declarations, body);
    assert_eq!(inputs, ["getenv", "strlen(getenv)", "getenv#2"]);
    let body = "if (getenv(\"A\") && !getenv(\"B\") && secure_getenv(\"A\")) reach_error();";
    reachable(&declarations, body);
    unreachable(
        &declarations,
        "char *a = getenv(\"A\"); char *b = secure_getenv(\"A\"); if (a != b) reach_error();
         if (getenv(\"A=\")) reach_error();"
            .replace('\n', " ")
            .as_str(),
    );
    refused(
        "int setenv(const char *, const char *, int);",
        "if (setenv(\"A\", \"b\", 1)) reach_error();",
        "call of setenv",
    );
}

#[test]
fn a_product_and_a_sum_are_rounded_once() {
    let declarations = "double fma(double, double, double); float fmaf(float, float, float);";
    unreachable(
        declarations,
        "double e = 0x1p-30, x = 1 + e, y = 1 - e; if (fma(x, y, -1) != -0x1p-60) reach_error();
         if (fmaf(1 + 0x1p-20f, 1 - 0x1p-20f, -1) != -0x1p-40f) reach_error();"
            .replace('\n', " ")
            .as_str(),
    );
    let body = "unsigned char n; if (fma(n, 0.5, 1.0) == 33.5) reach_error();";
    reachable(declarations, body);
}

/// Nothing that is written in `main` or before it is reached, but an execution ends in undefined behaviour.
/// The headers of the machine may be older than these functions.
#[test]
fn functions_of_later_c_libraries_need_no_declaration() {
    unreachable(
        "#include <string.h>\n",
        "char t[4]; if (strlcpy(t, \"hello\", sizeof t) != 5 || t[2] != 'l' || t[3]) reach_error(); \
         if (strlcat(t, \"x\", sizeof t) != 4) reach_error();",
    );
    // A program may have its own.
    unreachable(
        "",
        "if (strlcpy(1) != 2) reach_error(); return 0; } int strlcpy(int n) { return n + 1;",
    );
}

fn jump_is_lost(declarations: &str, body: &str) {
    let declarations = format!("#include <setjmp.h>\nstatic jmp_buf at, other; {declarations}");
    let main = format!("int main(void) {{ {body} return 0; }}");
    let analysis = analysis_of(&declarations, &main, ForeignFunctions::Unsupported);
    let reasons = reasons(&analysis);
    assert_eq!(analysis.report.verdict.name(), "unknown", "{body}");
    let lost = "undefined behaviour: longjmp with a buffer";
    let is_lost = |reason: &String| reason.starts_with(lost);
    assert!(
        !reasons.is_empty() && reasons.iter().all(is_lost),
        "{body}: {reasons:?}"
    );
}

#[test]
fn jumps_that_c_does_not_define_keep_the_verdict_open() {
    jump_is_lost("", "longjmp(at, 1); reach_error();");
    jump_is_lost("", "if (setjmp(other)) reach_error(); longjmp(at, 1);");
    // A local buffer holds nothing, whatever is in its memory.
    jump_is_lost(
        "int __VERIFIER_nondet_int(void);",
        "jmp_buf mine; if (setjmp(other)) reach_error();
         if (__VERIFIER_nondet_int()) setjmp(mine); else longjmp(mine, 1);"
            .replace('\n', " ")
            .as_str(),
    );
    let over = "static int set(void) { return setjmp(at); }";
    jump_is_lost(over, "if (set()) reach_error(); longjmp(at, 1);");
    // Another call of the function is alive, but not the one that has set the buffer.
    let again = "static void f(int n) { if (n == 0) { if (setjmp(at)) reach_error(); return; }
                 f(n - 1); if (n == 2 && setjmp(other)) reach_error(); if (n == 2) longjmp(at, 1); }";
    let again = format!(
        "extern void reach_error(void); {}",
        again.replace('\n', " ")
    );
    jump_is_lost(&again, "f(2);");
}

#[test]
fn jumps_that_are_not_followed_are_refused_by_their_names() {
    let declarations = "#include <setjmp.h>\nextern void reach_error(void); static jmp_buf at;\n";
    for (functions, body, name) in [
        (
            "int main(void);",
            "static int n; if (n++ == 0) main(); if (setjmp(at)) reach_error();",
            "call of setjmp in",
        ),
        (
            "",
            "static void *words[5]; if (__builtin_setjmp(words)) reach_error();",
            "__builtin_setjmp",
        ),
    ] {
        let main = format!("{functions} int main(void) {{ {body} return 0; }}");
        let analysis = analysis_of(declarations, &main, ForeignFunctions::WithoutEffect);
        let reasons = reasons(&analysis);
        assert!(
            reasons.iter().any(|reason| reason.contains(name)),
            "{reasons:?}"
        );
    }
}

#[test]
fn no_value_is_lost_on_the_way_of_a_jump() {
    // Computed before setjmp, used behind it: `&&`, conditional operators and variable-length arrays.
    unreachable(
        "#include <setjmp.h>\nstatic jmp_buf at; static int n; static void jump(void) { n++; longjmp(at, 3); }",
        "unsigned char a; int k = a; int many[k + 1]; many[k] = k; int b = k > 3 && setjmp(at) == 0 ? 1 : 2;
         if (k > 3 && n == 0) { if (b != 1) reach_error(); jump(); }
         if (n > 0 && (b != 2 || k <= 3 || many[k] != k)) reach_error();"
            .replace('\n', " ")
            .as_str(),
    );
    // Out of a function with variable arguments, and back to a result that is a structure.
    unreachable(
        "#include <setjmp.h>\n#include <stdarg.h>\nstruct pair { long a, b; }; static jmp_buf at; _Noreturn static void fail(int n, ...) { va_list l; va_start(l, n); int v = va_arg(l, int); va_end(l); longjmp(at, v); } static struct pair get(int x) { struct pair p = {x, x}; if (x > 5) fail(1, x); return p; }",
        "int x; int y = x; int got = setjmp(at); if (got == 0) { struct pair p = get(y); if (y > 5 || p.b != y) reach_error(); }
         else if (got != y || y <= 5) reach_error();"
            .replace('\n', " ")
            .as_str(),
    );
}

#[test]
fn options_are_read_from_arguments() {
    // Operands are moved behind the options; the variable is the program's until getopt comes back.
    unreachable(
        "#include <unistd.h>\n",
        "char p[] = \"p\", x[] = \"x\", b[] = \"-bone\"; char *argv[] = {p, x, b, 0}; \
         if (getopt(3, argv, \"ab:\") != 'b' || optarg != b + 2 || optind != 3) reach_error(); \
         if (getopt(3, argv, \"ab:\") != -1 || optind != 2 || argv[1] != b) reach_error();",
    );
    let declarations = "#include <getopt.h>\nextern char __VERIFIER_nondet_char(void);";
    let reads = "char p[] = \"p\", c = __VERIFIER_nondet_char(), o[] = {'-', '-', c, 'o', 0}; int flag = 0; \
                 char *argv[] = {p, o, 0}; \
                 struct option all[] = {{\"go\", 0, &flag, 5}, {\"no\", 0, &flag, 6}, {0}}; \
                 if (getopt_long(2, argv, \"\", all, 0) == 0 && flag == 6";
    reachable(declarations, &format!("{reads}) reach_error();"));
    unreachable(
        declarations,
        &format!("{reads} && c != 'n') reach_error();"),
    );
}

#[test]
fn handlers_of_signals_run_where_signals_are_raised() {
    let handler = "#include <signal.h>\nstatic volatile sig_atomic_t seen;\n\
                   static void on(int number) { seen = number; }";
    let raises = "int n = __VERIFIER_nondet_int(); signal(SIGINT, on); signal(SIGPIPE, SIG_IGN); \
                  if (n == SIGINT || n == SIGPIPE || n == SIGCHLD) raise(n); \
                  if (seen != 0";
    let declarations = &format!("{handler}\nextern int __VERIFIER_nondet_int(void);");
    reachable(declarations, &format!("{raises}) reach_error();"));
    unreachable(
        declarations,
        &format!("{raises} && n != SIGINT) reach_error();"),
    );
    // By default it ends the program.
    unreachable(handler, "raise(SIGTERM); reach_error();");
    refused(
        "void (*signal(int, void (*)(int)))(int); static void on(int number) {}",
        "signal(11, on); reach_error();",
        "signal for SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS or SIGTRAP",
    );
    // With a set of signals that wait meanwhile.
    let acts = "struct sigaction new = {0}, old; new.sa_handler = on; sigemptyset(&new.sa_mask); \
                sigaddset(&new.sa_mask, SIGTERM); sigaction(SIGINT, &new, &old); raise(SIGINT); \
                if (old.sa_handler != SIG_DFL || seen != SIGINT || sigismember(&new.sa_mask, SIGINT)) reach_error();";
    unreachable(handler, acts);
    refused(
        "#include <signal.h>\n#line 1\n",
        "sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, 0); raise(SIGINT); reach_error();",
        "raise of a signal that is blocked",
    );
    refused(
        "#include <signal.h>\n#line 1\n",
        "sigset_t all; signal(SIGINT, SIG_IGN); sigfillset(&all); sigprocmask(SIG_BLOCK, &all, 0); raise(SIGINT); reach_error();",
        "raise of a signal that is blocked",
    );
    refused(
        "#include <setjmp.h>\n#include <signal.h>\nstatic sigjmp_buf at;\n#line 1\n",
        "sigset_t old; sigprocmask(SIG_BLOCK, 0, &old); if (sigsetjmp(at, 1)) reach_error();",
        "call of sigsetjmp in a program that",
    );
    let again = "#include <signal.h>\nstatic void again(int number) { raise(number); }";
    let main = "int main(void) { signal(SIGINT, again); raise(SIGINT); reach_error(); }";
    let reasons = reasons(&analysis_of(again, main, ForeignFunctions::Unsupported));
    let what =
        "not supported: raise of a signal that is blocked, or whose handler has not returned";
    assert_eq!(reasons, [what]);
}

#[test]
fn variables_of_programs_are_not_those_of_models() {
    unreachable(
        "#include <unistd.h>\nint optind = 2;",
        "char p[] = \"p\", x[] = \"-x\", a[] = \"-a\"; char *argv[] = {p, x, a, 0}; \
         if (getopt(3, argv, \"a\") != 'a' || optind != 3) reach_error();",
    );
}

#[test]
fn functions_without_a_model_are_refused() {
    refused(
        "double cbrt(double);",
        "if (cbrt(8.0) != 2.0) reach_error();",
        "call of cbrt",
    );
    refused(
        "char *ttyname(int);",
        "if (!ttyname(3)) reach_error();",
        "call of ttyname",
    );
    refused(
        "int on_exit(void (*)(int, void *), void *);",
        "on_exit(0, 0); reach_error();",
        "call of on_exit",
    );
    refused(
        "int fork(void);",
        "if (fork() == fork()) reach_error();",
        "call of fork",
    );
    refused(
        "int __popcountdi2(long);",
        "if (__popcountdi2(7) != 3) reach_error();",
        "__popcountdi2",
    );
    refused(
        "extern int optind;",
        "if (optind == 7) reach_error();",
        "variable optind",
    );
}

#[test]
fn functions_that_change_later_operations_are_refused() {
    for name in ["feenableexcept", "feholdexcept", "_controlfp", "fesetenv"] {
        let declarations = format!("int {name}(int);");
        let body =
            format!("{name}(1024); volatile double x = 1; if (x / 3 != 1.0 / 3) reach_error();");
        refused(&declarations, &body, &format!("call of {name}"));
    }
}

#[test]
fn words_of_other_tools_are_refused() {
    refused(
        "void klee_alias_function(const char *, const char *);",
        "klee_alias_function(\"f\", \"g\"); reach_error();",
        "call of klee_alias_function",
    );
    refused(
        "_Bool __CPROVER_r_ok(const void *, unsigned long);",
        "int n; if (!__CPROVER_r_ok(&n, 4)) reach_error();",
        "call of __CPROVER_r_ok",
    );
    refused(
        "int __SMACK_nondet_int(void);",
        "if (__SMACK_nondet_int()) reach_error();",
        "__SMACK_",
    );
    refused(
        "void __VERIFIER_assert(int);",
        "__VERIFIER_assert(0); reach_error();",
        "__VERIFIER_assert",
    );
    refused(
        "int compact_se_i7(const char *);",
        "if (compact_se_i7(\"n\")) reach_error();",
        "compact_se_i7",
    );
}

#[test]
fn what_nobody_defines_is_an_input() {
    let (inputs, analysis) = reachable("int sensor(int);", "if (sensor(3) == 4) reach_error();");
    assert!(inputs[0].starts_with("sensor"), "{inputs:?}");
    assert_eq!(analysis.loaded.stand_ins, []);
    // A definition of the program wins over the library's, but not within the library.
    unreachable(
        "int rand(void) { return -4; }",
        "if (rand() != -4) reach_error();",
    );
}

#[test]
fn output_gives_what_it_may_give() {
    let stdio = "int printf(const char *, ...), puts(const char *), putchar(int);";
    let (_, analysis) = reachable(
        stdio,
        "int n; printf(\"%d\", n); if (n == 5) reach_error();",
    );
    let kinds: Vec<_> = analysis.loaded.stand_ins.iter().map(|one| one.by).collect();
    assert_eq!(kinds, [StandInKind::NoEffect]);
    unreachable(
        stdio,
        "int n = printf(\"a%db\", 10); if (n != 4 && n != -1) reach_error();",
    );
    reachable(
        stdio,
        "if (printf(\"%s\", \"ab\") == 2 && printf(\"ab\") == -1) reach_error();",
    );
    refused(
        "int snprintf(char *, unsigned long, const char *, ...);",
        "char a[9]; if (snprintf(a, 9, \"%p\", a) == 7) reach_error();",
        "format with a conversion other",
    );
    refused(
        stdio,
        "int n = 0; printf(\"ab%n\", &n); if (!n) reach_error();",
        "%n",
    );
    unreachable(
        stdio,
        "if (puts(\"ab\") < -1 || putchar(65) == 66) reach_error();",
    );
    reachable(
        stdio,
        "if (puts(\"ab\") == 9 && putchar(65) == -1) reach_error();",
    );
    let unistd = "long write(int, const void *, unsigned long); int close(int);";
    unreachable(
        unistd,
        "long n = write(1, \"ab\", 2); if (n < -1 || n > 2) reach_error();",
    );
    unreachable(
        unistd,
        "int c = close(1); if (c != 0 && c != -1) reach_error();",
    );
    reachable(
        unistd,
        "if (write(1, \"ab\", 2) == 1 && close(1)) reach_error();",
    );
}

#[test]
fn errno_may_change_where_the_library_is_called() {
    let errno = "#include <errno.h>\nextern int remove(const char *);";
    unreachable("#include <errno.h>\n", "if (errno != 0) reach_error();");
    unreachable(
        errno,
        "errno = 5; remove(\"x\"); if (errno <= 0) reach_error();",
    );
    reachable(errno, "if (remove(\"x\") && errno == 2) reach_error();");
}

#[test]
fn parameters_of_main_are_what_a_system_passes() {
    let never = [
        "if (argv[argc] != 0) reach_error();",
        "if (argv == 0 || argc > 2 && (argv[0] == 0 || argv[1] == 0)) reach_error();",
    ];
    for body in never {
        let main = format!("int main(int argc, char **argv) {{ {body} return 0; }}");
        let analysis = analysis_of("", &main, ForeignFunctions::Unsupported);
        let verdict = analysis.report.verdict.name();
        assert_eq!(verdict, "unreachable", "{body}: {:?}", reasons(&analysis));
    }
    // Texts behind the eighth are of unknown origin.
    let main = "int main(int argc, char **argv) { if (argc > 9 && argv[9][0] != argv[9][0]) reach_error(); }";
    let analysis = analysis_of("", main, ForeignFunctions::Unsupported);
    assert_eq!(
        reasons(&analysis),
        ["not supported: access through a pointer of unknown origin"]
    );
    let main = "int main(int argc, char **argv) { if (argc < 0 || argc + 1 < 0) reach_error(); }";
    let analysis = analysis_of("", main, ForeignFunctions::Unsupported);
    assert_eq!(analysis.report.verdict.name(), "unreachable");
    // Handed on, but read by nobody.
    let main = "static int count(int argc, char **argv, int more) {
            if (more > 0) return count(argc, argv, more - 1); return argc; }
        int main(int argc, char **argv) { if (count(argc, argv, 0) < 0) reach_error(); }";
    let analysis = analysis_of("", main, ForeignFunctions::Unsupported);
    assert_eq!(analysis.report.verdict.name(), "unreachable");
    let main = main.replace("count(argc, argv, more - 1)", "argc");
    let analysis = analysis_of("", &main, ForeignFunctions::Unsupported);
    assert_eq!(analysis.report.verdict.name(), "unreachable");
    let main = "int main(int argc, char **argv, char **envp) { if (!envp[0]) reach_error(); }";
    let analysis = analysis_of("", main, ForeignFunctions::Unsupported);
    assert_eq!(
        reasons(&analysis),
        ["not supported: the third parameter of main"]
    );
}

#[test]
fn arguments_are_texts() {
    main_reaches(
        "int strcmp(const char *, const char *); unsigned long strlen(const char *);",
        "int main(int argc, char **argv) {
           if (argc == 3 && !strcmp(argv[1], \"ab\") && strlen(argv[2]) == 4) reach_error(); }",
    );
    main_reaches(
        "",
        "int main(int argc, char **argv) { if (argc == 1000) reach_error(); }",
    );
    main_reaches(
        "",
        "int main(int argc, char **argv) { if (!argv[0]) reach_error(); }",
    );
    // There is an end before the object's.
    let main = "int main(int argc, char **argv) {
        if (argc != 2) return 0;
        int n = 0; while (argv[1][n] && n < 4) n++;
        if (n > 4) reach_error(); return 0; }";
    let analysis = analysis_of("", main, ForeignFunctions::Unsupported);
    assert_eq!(analysis.report.verdict.name(), "unreachable");
}

#[test]
fn texts_are_printed_into_blocks() {
    let declared =
        "#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n";
    let print = "char *text = 0; int n = asprintf(&text, \"%d:%s\", 42, \"ab\");";
    unreachable(
        declared,
        &format!("{print} if (n != 5 || strcmp(text, \"42:ab\") != 0) reach_error(); free(text);"),
    );
    reachable(
        declared,
        &format!("{print} if (text[3] == 'a') reach_error();"),
    );
}

#[test]
fn floats_are_scanned() {
    let declared = "#include <stdio.h>\n";
    let scan =
        "float x = 0; double y = 0; int n = sscanf(\"1.5,-2e3 z\", \"%f ,%lf%f\", &x, &y, &x);";
    unreachable(
        declared,
        &format!("{scan} if (n != 2 || x != 1.5f || y != -2000.0) reach_error();"),
    );
    reachable(
        declared,
        &format!("{scan} if (n == 2 && y < 0) reach_error();"),
    );
    // An x is one of a hexadecimal float behind the first 0 alone.
    let scan = "float x = 0, y = 0; int n = sscanf(\"10x20\", \"%fx%f\", &x, &y);";
    unreachable(
        declared,
        &format!("{scan} if (n != 2 || x != 10 || y != 20) reach_error();"),
    );
}

/// What is said of a program that uses what is declared weak and what a library may define, and how often.
fn use_of_weak(declarations: &str, main: &str) -> (&'static str, Vec<String>) {
    let declarations = format!(
        "extern int __VERIFIER_nondet_int(void); __attribute__((weak)) int vhangup(void); \
         __attribute__((weak)) extern int daylight; {declarations}"
    );
    let main = format!("int main(void) {{ {main} return 0; }}");
    let analysis = analysis_of(&declarations, &main, ForeignFunctions::Unsupported);
    (analysis.report.verdict.name(), reasons(&analysis))
}

#[test]
fn what_may_be_missing_ends_the_paths_that_use_it() {
    for (declarations, main, name) in [
        ("", "if (!vhangup) reach_error();", "vhangup"),
        ("", "if (vhangup() == 7) reach_error();", "vhangup"),
        ("", "if (daylight == 7) reach_error();", "daylight"),
        (
            "",
            "int (*call)(void) = vhangup; if (call) reach_error();",
            "vhangup",
        ),
        (
            "int use(int x) { return x ? vhangup() : 0; }",
            "if (use(1)) reach_error();",
            "vhangup",
        ),
    ] {
        let (verdict, reasons) = use_of_weak(declarations, main);
        assert_eq!(verdict, "unknown", "{main}: {reasons:?}");
        let expected = format!("use of {name}, which is declared weak and not defined");
        assert!(reasons[0].contains(&expected), "{main}: {reasons:?}");
    }
}

#[test]
fn what_may_be_missing_and_is_not_used_on_a_path_does_not_matter() {
    let unused = "int unused(void) { return vhangup ? vhangup() : daylight; }";
    for (declarations, main, expected) in [
        (
            unused,
            "int x = __VERIFIER_nondet_int(); if (x * 2 == 7) reach_error();",
            "unreachable",
        ),
        (
            unused,
            "int x = __VERIFIER_nondet_int(); if (x == 7) reach_error();",
            "reachable",
        ),
        (
            "",
            "int x = __VERIFIER_nondet_int(); if (x == 7) reach_error(); if (vhangup) vhangup();",
            "reachable",
        ),
        (
            "",
            "int x = __VERIFIER_nondet_int() & 3; if (x == 5 && vhangup()) reach_error();",
            "unreachable",
        ),
    ] {
        let (verdict, reasons) = use_of_weak(declarations, main);
        assert_eq!(verdict, expected, "{main}: {reasons:?}");
    }
}

#[test]
fn what_may_be_missing_within_a_constant_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("program.c");
    let text = "extern void reach_error(void); __attribute__((weak)) int vhangup(void);
        int (*all[])(void) = {vhangup};
        int main(int argc, char **argv) { if (!all[argc > 1]) reach_error(); return 0; }";
    std::fs::write(&file, text).expect("the folder is writable");
    let mut options = LoadOptions::new([&file]);
    options.executable = Some(PathBuf::from(env!("CARGO_BIN_EXE_compact-se")));
    let error = load(&options).expect_err("whether it is there is not known");
    let error = error.to_string();
    assert!(error.contains("vhangup is declared weak"), "{error}");
    assert!(error.contains("define it"), "{error}");
}

#[test]
fn what_is_allocated_after_a_free_may_lie_where_the_freed_block_was() {
    // The native run has blocks that never lie where others did.
    let main = "int main(void) { char *before = malloc(24); unsigned long address = (unsigned long)before; \
                free(before); char *after = malloc(24); \
                if (address == (unsigned long)after) reach_error(); return 0; }";
    let analysis = analysis_of("#include <stdlib.h>\n", main, ForeignFunctions::Unsupported);
    assert_eq!(analysis.report.verdict.name(), "unknown");
    let reasons = reasons(&analysis);
    assert!(
        reasons[0].starts_with("the target is reached only with a memory layout"),
        "{reasons:?}"
    );
}

#[test]
fn literals_and_variables_of_calls_that_are_over_may_share_their_places() {
    let literals =
        "const char *text = \"abc\", *longer = \"xabc\"; if (text == longer + 1) reach_error();";
    reachable("", literals);
    let functions = "static unsigned long first(void) { int x = 1, *place = &x; return (unsigned long)place; } \
                     static unsigned long second(void) { int y = 2, *place = &y; return (unsigned long)place; }";
    reachable(functions, "if (first() == second()) reach_error();");
}
