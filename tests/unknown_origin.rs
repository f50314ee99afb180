//! Objects that come into being when a pointer of unknown origin is used: what is reached through
//! them is replayed with such an object, and nothing is concluded from their being objects of
//! their own.

use compact_se::analysis::{Analysis, AnalysisOptions, CheckChoice, analyze};
use compact_se::frontend::{DataModel, EntryFunction, LoadOptions, ObjectBytes};
use compact_se::property::{Check, Reason};
use compact_se::symex::{InputValue, Verdict};
use std::path::PathBuf;
use std::time::Duration;

const HEAD: &str = r"
#include <stddef.h>
extern void *malloc(size_t);
extern void free(void *);
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
struct node { struct node *next; int value; };
";

fn analysis_for(body: &str, data_model: DataModel) -> Analysis {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("program.c");
    std::fs::write(&file, format!("{HEAD}{body}")).expect("the folder is writable");
    let mut load = LoadOptions::new([&file]);
    load.executable = Some(PathBuf::from(env!("CARGO_BIN_EXE_compact-se")));
    load.data_model = Some(data_model);
    let mut options = AnalysisOptions::new(load);
    options.execution.budget.time = Duration::from_secs(20);
    analyze(&options, &mut |_| ()).unwrap_or_else(|error| panic!("{body}: {error}"))
}

/// Where the objects lie that the witness of a replayed *reachable* puts somewhere.
fn reached(body: &str) -> Vec<u64> {
    let analysis = analysis_for(body, DataModel::Lp64);
    let Verdict::Reachable(witness) = &analysis.report.verdict else {
        let reasons: Vec<_> = analysis.report.reasons.iter().collect();
        panic!("{body}: not reached: {reasons:?}");
    };
    assert!(analysis.replayed, "{body}");
    let addresses = witness.inputs.iter().filter_map(|input| match input.value {
        InputValue::Memory { address, .. } => address,
        InputValue::Value(_) => None,
    });
    addresses.collect()
}

/// The verdict is open, since a pointer may be any.
fn open(body: &str) {
    let analysis = analysis_for(body, DataModel::Lp64);
    assert_eq!(analysis.report.verdict.name(), "unknown", "{body}");
    let mut reasons = analysis.report.reasons.iter();
    let is_told = reasons.any(|(reason, _)| match reason {
        Reason::Unsupported(what, _) => what.contains("unknown origin"),
        _ => false,
    });
    assert!(is_told, "{body}");
}

#[test]
fn a_local_that_was_never_assigned() {
    let body = "int main(void) { int *p; *p = 7; if (*p == 7) reach_error(); }";
    assert_eq!(reached(body).len(), 1);
}

#[test]
fn a_number_that_is_made_a_pointer() {
    let body = "int main(void) { int *p = (int *)__VERIFIER_nondet_ulong();
        if (p && p[3] == 5 && p[4] == 6) reach_error(); }";
    assert_eq!(reached(body).len(), 1);
}

#[test]
fn a_list_in_memory_that_was_never_written() {
    let body = "int main(void) { struct node *p = malloc(sizeof *p);
        int sum = p->value + p->next->value + p->next->next->value;
        if (sum == 1234567 && p->value == 3 && p->next->next->next == p->next) reach_error(); }";
    assert_eq!(reached(body).len(), 2);
}

#[test]
fn the_same_place_is_the_same_object() {
    let body = "int main(void) { struct node *p = malloc(sizeof *p);
        p->next->value = 5; struct node *q = p->next; q->value++;
        if (p->next->value == 6) reach_error(); }";
    assert_eq!(reached(body).len(), 1);
    let body = body.replace("== 6", "!= 6");
    open(&body);
}

#[test]
fn a_pointer_to_a_member_leads_to_what_is_around_it() {
    let body = "int main(void) { int *member;
        struct node *around = (struct node *)((char *)member - offsetof(struct node, value));
        if (*member == 9 && around->next == around) reach_error(); }";
    assert_eq!(reached(body).len(), 1);
}

#[test]
fn pointers_of_32_bits() {
    pointer_of_32_bits("int main(void) { int *p; if (*p == 9) reach_error(); }");
}

/// `AddressSanitizer` has its shadow memory in the middle of 32 bits.
#[test]
fn pointers_of_32_bits_under_a_sanitizer() {
    pointer_of_32_bits("int *get(void); int main(void) { return 100 / *get(); }");
}

fn pointer_of_32_bits(body: &str) {
    let head = HEAD.replace("#include <stddef.h>", "typedef unsigned size_t;");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("program.c");
    std::fs::write(&file, format!("{head}{body}")).expect("the folder is writable");
    let mut load = LoadOptions::new([&file]);
    load.executable = Some(PathBuf::from(env!("CARGO_BIN_EXE_compact-se")));
    load.data_model = Some(DataModel::Ilp32);
    let mut options = AnalysisOptions::new(load);
    if !body.contains("reach_error") {
        options.checks = CheckChoice::These([Check::Division].into_iter().collect());
    }
    let analysis = analyze(&options, &mut |_| ()).expect("it loads");
    // Without the C library for 32 bits there is no replay, and so no verdict.
    let not_replayable = |(reason, _)| matches!(reason, &Reason::NotReplayable(_));
    assert!(
        analysis.replayed || analysis.report.reasons.iter().any(not_replayable),
        "{:?}",
        analysis.report.reasons
    );
}

#[test]
fn nothing_is_concluded_from_objects_of_their_own() {
    // Each is unreachable only if a pointer leads to an object of its own.
    let aliases = "int main(void) { int *p, *q; *p = 1; *q = 2; if (*p != 1) reach_error(); }";
    open(aliases);
    let known = "int x = 3; int main(void) { int *p; *p = 4; if (x == 4) reach_error(); }";
    open(known);
    // The program may know where the pointer leads: that an object is there is not known.
    let fixed = "int main(void) { unsigned long p = __VERIFIER_nondet_ulong();
        if (p != 0x20008000) return 0; *(int *)p = 1; if (*(int *)p != 1) reach_error(); }";
    open(fixed);
    let freed = "int main(void) { int *p; *p = 1; free(p); if (*p != 1) reach_error(); }";
    open(freed);
}

#[test]
fn loops_over_lists_of_unknown_length() {
    let body = "int main(void) { struct node *p; int n = 0;
        while (p) { if (p->value == 7) n++; p = p->next; if (n == 3) reach_error(); } }";
    assert_eq!(reached(body).len(), 3);
}

#[test]
fn states_are_told_apart_by_what_such_objects_hold() {
    // With what p leads to left out, the second iteration would be subsumed by the first.
    let body = "int main(void) { int *p; *p = 0;
        while (__VERIFIER_nondet_ulong()) { if (*p == 2) reach_error(); *p = *p + 1; } }";
    assert_eq!(reached(body).len(), 1);
}

#[test]
fn calls_through_such_pointers_stay_open() {
    let body = "int main(void) { void (*f)(void); int n = 1; f(); if (n != 1) reach_error(); }";
    let analysis = analysis_for(body, DataModel::Lp64);
    assert_eq!(analysis.report.verdict.name(), "unknown");
}

/// What is added to a null pointer, or a number, is no pointer of unknown origin.
#[test]
fn a_null_pointer_with_an_offset_is_called_so() {
    let reasons = |body: &str| {
        let analysis = analysis_for(body, DataModel::Lp64);
        let reasons = analysis.report.reasons.iter();
        let reasons: Vec<String> = reasons.map(|(reason, _)| reason.to_string()).collect();
        (analysis.report.verdict.name(), reasons.join("; "))
    };
    let (verdict, said) =
        reasons("int main(void) { int *p = NULL; if (p[50000]) reach_error(); return 0; }");
    let expected = "access at 0x30d40, which is a null pointer with an offset, or an integer";
    assert!(verdict == "unknown" && said.contains(expected), "{said}");
    let (verdict, said) = reasons(
        "int main(void) { int *p = NULL; unsigned long i = __VERIFIER_nondet_ulong(); \
         if (i < 90000 && p[i]) reach_error(); return 0; }",
    );
    let expected = "access through a null pointer with an index, or through an integer";
    assert!(verdict == "unknown" && said.contains(expected), "{said}");
}

/// The error of a program whose memory is checked, and the verdict.
fn error_of(body: &str, entry: Option<&str>) -> (&'static str, Option<String>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("program.c");
    std::fs::write(&file, format!("{HEAD}{body}")).expect("the folder is writable");
    let mut load = LoadOptions::new([&file]);
    load.executable = Some(PathBuf::from(env!("CARGO_BIN_EXE_compact-se")));
    load.entry = entry.map(|name| EntryFunction {
        name: name.to_owned(),
        pointer_bytes: ObjectBytes::exactly(64),
    });
    let mut options = AnalysisOptions::new(load);
    options.checks = CheckChoice::These([Check::Memory].into_iter().collect());
    options.execution.budget.time = Duration::from_secs(20);
    let analysis = analyze(&options, &mut |_| ()).expect("the program is C");
    let verdict = &analysis.report.verdict;
    let error = match verdict {
        Verdict::Reachable(witness) => Some(witness.error.to_string()),
        _ => None,
    };
    (verdict.name(), error)
}

/// An index may be so small that the access is through the null pointer itself.
#[test]
fn a_null_pointer_with_an_index_is_an_error_where_memory_is_checked() {
    let body = "int main(void) { int *p = NULL; unsigned long i = __VERIFIER_nondet_ulong(); \
                return i < 90000 ? p[i] : 0; }";
    let (_, error) = error_of(body, None);
    assert_eq!(error.as_deref(), Some("null pointer access"));
}

#[test]
fn a_pointer_that_inputs_decide_may_be_null() {
    for body in [
        "int main(void) { int *p; return *p; }",
        // No object is at address 1 either.
        "int main(void) { int *p; return p ? *p : 0; }",
        "int main(void) { int *p = (int *)__VERIFIER_nondet_ulong(); return p[3]; }",
        "int main(void) { struct node *p = malloc(sizeof *p); return p->next->value; }",
        "int main(void) { int (*p)(void) = (int (*)(void))__VERIFIER_nondet_ulong(); return p(); }",
    ] {
        let (_, error) = error_of(body, None);
        assert_eq!(error.as_deref(), Some("null pointer access"), "{body}");
    }
    for body in [
        // Made of an address.
        "int main(void) { int x = 1, *p = (int *)((unsigned long)&x ^ 0x100); return *p; }",
        "int main(void) { return *(int *)0x404040; }",
    ] {
        let (verdict, error) = error_of(body, None);
        assert_eq!((verdict, error.as_deref()), ("unknown", None), "{body}");
    }
}

#[test]
fn no_pointer_that_arguments_lead_to_is_null() {
    let body = "int sum(struct node *p) { int sum = 0;
        for (int i = 0; i < 40; i++) { sum += p->value; p = p->next; } return sum; }
        union word { int *p; unsigned long number; };
        int behind(union word *word) { return *word->p; }
        int main(void) { return 0; }";
    for entry in ["sum", "behind"] {
        let (verdict, error) = error_of(body, Some(entry));
        assert_eq!((verdict, error), ("unknown", None), "{entry}");
    }
}
