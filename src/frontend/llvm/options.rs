//! Compiler options that begin with `-f` or `-m`, by their effect on the meaning of a program.
//!
//! | option | becomes |
//! |---|---|
//! | known to change neither meaning nor layout | ignored |
//! | allows a compiler, or a sanitizer, to do more than C | ignored, with a note |
//! | about unsupported features (threads, instrumentation, x87 arithmetic) | refused, with a remedy |
//! | any other | passed on to clang, which refuses those it does not know |
//!
//! # Invariants
//! - No option is dropped that is in none of the lists.

/// The treatment of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionUse {
    /// Clang gets it.
    Passed,
    /// It changes nothing that is analysed.
    Ignored,
    /// The same, and a note says so.
    Noted(String),
    /// The program is not analysed, with the reason and a remedy.
    Refused(String),
}

/// Words; one that ends in `*` is a beginning.
type Names = &'static str;

/// Behind `-f` and `-fno-`: options about optimisation, code generation, messages, debug information and
/// profiles, those of gcc too.
const IGNORED_F: Names = "abi-compat-version=* abi-version* addrsig aggressive-loop* align-functions* align-jumps* \
    align-labels* align-loops* allocation-dce allow-store-data-races analyzer* ansi-escape-codes \
    argument-alias argument-noalias* asynchronous-unwind-tables auto-inc-dec auto-profile* \
    basic-block-* bit-tests branch-* btr-bb-exclusive build-session-* call-saved-* call-used-* \
    caller-saves callgraph-info* canonical-system-headers caret-diagnostics* cf-protection* \
    check-data-deps checking* code-hoisting color-diagnostics combine-stack-adjustments compare-* \
    conserve-s* coverage-* cprop-registers crash-diagnostics* crossjumping cse-* data-sections \
    dbg-cnt* dce debug-* declone-ctor-dtor defer-pop delayed-branch delete-dead-exceptions \
    delete-null-pointer-checks devirtualize* diagnostics-* direct-access-external-data dse dump-* \
    dwarf* early-inlining eliminate-* emit-class-debug-always emit-struct-debug-* emulated-tls \
    escaping-block-tail-calls expensive-optimizations extended-identifiers fat-lto-objects \
    file-prefix-map=* finite-loops fixed-* float-store force-addr forward-propagate \
    fp-int-builtin-inexact function-cse function-sections gcse* global-isel gnat-encodings* \
    gnu-unique graphite* guess-branch-probability harden-* hoist-adjacent-loads ident if-conversion* \
    indirect-inlining inhibit-size-directive inline inline-* integrated-as integrated-cc1 ipa-* \
    ira-* isolate-* ivopts jump-tables keep-* large-source-files lifetime-dse* \
    limit-function-alignment live-* loop-* lra-remat lto* math-errno max-errors=* mem-report* \
    memory-profile* merge-constants merge-debug-strings message-length=* modulo-sched* move-loop-* \
    non-call-exceptions nothrow-opt omit-frame-pointer opt-info* optimize-* partial-inlining \
    patchable-function-entry* pcc-struct-return pch-* peel-loops peephole* permissive PIC pic PIE \
    pie plt post-ipa-mem-report pre-ipa-mem-report predictive-commoning prefetch-loop-arrays \
    preprocessed pretty-templates printf-return-value proc-stat-report* profile* \
    pseudo-probe-for-profiling random-seed* record-* ree reg-struct-return regmove rename-registers \
    reorder-* report-bug rerun-* reschedule-* rounding-math save-optimization-record* sched* \
    section-anchors see sel-sched-* selective-* semantic-interposition show-* shrink-wrap* \
    signaling-nans simd-cost-model* slp-vectorize spell-checking* split-* ssa-* stack-* \
    standalone-debug stats stdarg-opt store-merging strength-reduce strict-aliasing* \
    strict-overflow* strict-volatile-bitfields strict-vtable-pointers strong-eval-order* \
    sync-libcalls syntax-only tabstop=* temp-file template-backtrace-limit=* test-coverage \
    thread-jumps time-* tls-model=* toplevel-reorder tracer track-macro-expansion* trampolines \
    trapping-math tree-* unconstrained-commons unique-section-names unit-at-a-time unroll-* \
    unsafe-loop-* unswitch-loops unwind-tables use-init-array use-ld=* use-linker-plugin \
    var-tracking* variable-expansion-in-unroller vect-cost-model* vectorize verbose-asm \
    version-loops-for-strides visibility* vpt vtable-verify=* vtv-* web whole-program* \
    working-directory wrapv* xray-* zee zero-call-used-regs=* zero-initialized-in-bss";

/// Behind `-m` and `-mno-`: how code is chosen and laid out for a processor.
const IGNORED_M: Names = "80387 8bit-idiv accumulate-outgoing-args align-branch* align-data=* align-functions=* \
    align-jumps=* align-loops=* align-stringops avx256-split-* branch-cost=* \
    branches-within-32B-boundaries call-ms2sysv-xlogues cet-switch cld cmodel=* constructor-aliases \
    cpu=* direct-extern-access dispatch-scheduler fancy-math-387 fentry* force-drap \
    force-indirect-call fp-ret-in-387 fpmath=sse function-return=* general-regs-only glibc \
    global-merge hard-float harden-* ieee-fp implicit-float incoming-stack-boundary=* \
    indirect-branch* inline-* instrument-return=* large-data-threshold=* lvi-* manual-endbr \
    memcpy-strategy=* memset-strategy=* mitigate-rop move-max=* needed nop-mcount \
    omit-leaf-frame-pointer outline* pad-max-prefix-size=* prefer-avx128 prefer-vector-width=* \
    preferred-stack-boundary=* push-args recip* record-* red-zone regparm=* relax* retpoline* rtd \
    seses skip-rax-setup soft-float speculative-load-hardening sseregparm stack-* stackrealign \
    store-max=* stringop-strategy=* stv tls-* tune-ctrl=* tune=* veclibabi=* vzeroupper";

/// Options that let compilers change results of floating-point arithmetic.
const FASTER_FLOATS: Names = "-fapprox-func -fassociative-math -fcx-fortran-rules -fcx-limited-range -fdenormal-fp-math* \
    -ffast-math -ffinite-math-only -ffp-contract=fast* -ffp-model=aggressive -ffp-model=fast \
    -fno-honor-infinities -fno-honor-nans -fno-signed-zeros -freciprocal-math \
    -funsafe-math-optimizations -mdaz-ftz -Ofast";
/// Their opposites, which are what is analysed.
const EXACT_FLOATS: Names = "-ffp-exception-behavior=* -ffp-model=precise -ffp-model=strict -fhonor-infinities -fhonor-nans \
    -fno-approx-func -fno-associative-math -fno-cx-fortran-rules -fno-cx-limited-range \
    -fno-fast-math -fno-finite-math-only -fno-reciprocal-math -fno-unsafe-math-optimizations \
    -fsigned-zeros -mno-daz-ftz";

/// Opposites of what is refused.
const NOT_REFUSED: Names = "-fno-gnu-tm -fno-instrument-functions -fno-openacc -fno-openmp";

/// Unsupported features, with a remedy.
const REFUSED: [(Names, &str); 7] = [
    (
        "-fopenmp -fopenmp=* -fopenacc* -ftree-parallelize-loops=*",
        "threads are not supported; drop the option to analyse the program with one thread",
    ),
    ("-fgnu-tm", "transactions are not supported"),
    (
        "-funsigned-bitfields -fno-signed-bitfields",
        "clang has no such option; declare the fields unsigned",
    ),
    (
        "-finstrument-functions* -fplugin* -fpass-plugin*",
        "its effect on the program is not known; drop the option",
    ),
    (
        "-mfpmath=387 -mfpmath=both -mfpmath=sse,387 -mfpmath=sse+387 -mpc32 -mpc64 -fsingle-precision-constant",
        "floating-point arithmetic always has the precision of its types; drop the option",
    ),
    (
        "-mx32 -m16 -miamcu -mabi=ms",
        "the platform is Linux on x86-64, or with -m32 on x86",
    ),
    (
        "-mllvm*",
        "pass it on with --clang-arg=-mllvm --clang-arg=OPTION",
    ),
];

/// The treatment of an option that begins with `-f` or `-m`, or of an optimisation level (`-O2`).
#[must_use]
pub fn use_of_option(option: &str) -> OptionUse {
    if let Some((_, why)) = REFUSED.iter().find(|(names, _)| is_in(option, names)) {
        return OptionUse::Refused(format!("{option} is not supported: {why}"));
    }
    if option.starts_with("-fsanitize") || option.starts_with("-fno-sanitize") {
        return OptionUse::Noted(
            "options of sanitizers are ignored: --check selects the checks, for example --check all"
                .to_owned(),
        );
    }
    if is_in(option, FASTER_FLOATS) {
        return OptionUse::Noted(format!(
            "{option} is ignored: floating-point arithmetic is that of IEEE 754"
        ));
    }
    let name = |prefix: &str| {
        let name = option.strip_prefix(prefix)?;
        Some(name.strip_prefix("no-").unwrap_or(name))
    };
    let is_ignored = is_in(option, EXACT_FLOATS)
        || is_in(option, NOT_REFUSED)
        || option.starts_with("-O")
        || name("-f").is_some_and(|name| is_in(name, IGNORED_F))
        || name("-m").is_some_and(|name| is_in(name, IGNORED_M));
    match is_ignored {
        true => OptionUse::Ignored,
        false => OptionUse::Passed,
    }
}

fn is_in(name: &str, names: Names) -> bool {
    names.split_whitespace().any(|known| fits(name, known))
}

/// Whether a name is this one, or begins so.
fn fits(name: &str, known: &str) -> bool {
    match known.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => name == known,
    }
}

#[cfg(test)]
mod tests {
    use super::{OptionUse, use_of_option};

    #[test]
    fn options_that_change_meaning_are_never_dropped() {
        let passed = "-fno-builtin -fno-builtin-abs -ffreestanding -fwritable-strings -fsigned-char \
                      -funsigned-char -fno-signed-char -fno-unsigned-char -fpack-struct -fpack-struct=1 \
                      -fshort-wchar -fshort-enums -ftrapv -fcommon -fgnu89-inline -fdeclspec -fno-asm \
                      -fblocks -fms-extensions -fms-compatibility -ftrivial-auto-var-init=zero \
                      -fstrict-flex-arrays=3 -fmacro-prefix-map=a=b -fexec-charset=latin1 -fno-exceptions \
                      -fno-rtti -fno-elide-constructors -fchar8_t -ffp-contract=off \
                      -fmerge-all-constants -fno-such-option -m32 -m64 -mms-bitfields -malign-double \
                      -mlong-double-64 -march=haswell -mavx2 -mno-sse -mno-such-option -fno-threadsafe-statics";
        for option in passed.split_whitespace() {
            assert_eq!(use_of_option(option), OptionUse::Passed, "{option}");
        }
    }

    #[test]
    fn options_about_code_are_ignored() {
        let ignored = "-fPIC -fno-strict-aliasing -fstack-protector-strong -fno-plt -fwrapv \
                       -fvisibility=hidden -fomit-frame-pointer -fno-math-errno -flto=auto -fno-tree-vrp \
                       -fno-delete-null-pointer-checks -ffp-model=strict -mtune=native -mno-red-zone \
                       -mcmodel=kernel -mpreferred-stack-boundary=3 -mfpmath=sse";
        for option in ignored.split_whitespace() {
            assert_eq!(use_of_option(option), OptionUse::Ignored, "{option}");
        }
    }

    #[test]
    fn notes_and_refusals_name_the_option() {
        assert_eq!(use_of_option("-O2"), OptionUse::Ignored);
        for option in [
            "-Ofast",
            "-ffast-math",
            "-fno-signed-zeros",
            "-ffp-contract=fast",
        ] {
            let used = use_of_option(option);
            let OptionUse::Noted(note) = used else {
                panic!("{option}: {used:?}");
            };
            assert!(note.starts_with(option), "{note}");
        }
        let sanitized = use_of_option("-fsanitize=address,undefined");
        assert_eq!(sanitized, use_of_option("-fno-sanitize-recover=all"));
        assert!(matches!(sanitized, OptionUse::Noted(_)));
        for option in [
            "-fopenmp",
            "-fplugin=a.so",
            "-mfpmath=387",
            "-mx32",
            "-mllvm",
        ] {
            let used = use_of_option(option);
            assert!(
                matches!(&used, OptionUse::Refused(why) if why.starts_with(option)),
                "{used:?}"
            );
        }
        assert_eq!(use_of_option("-fopenmp-simd"), OptionUse::Passed);
    }
}
