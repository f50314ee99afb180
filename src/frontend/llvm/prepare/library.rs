//! The owner of a function or variable that the program only declares.
//!
//! A name that the platform's C library defines has the meaning given by that library, so that its result is
//! not an input; a name of another verification tool or of the compiler has an unknown meaning. Only
//! undefined names are inputs.
//!
//! Names are looked up in lists that were made from the GNU C library and the standards (`runtime/names/`),
//! so that answers are the same on every machine, and also in the C library of this process, so that
//! functions of a newer library do not become inputs.

use crate::llvm::symbols::in_source;
use std::collections::BTreeSet;
use std::ffi::CString;
use std::sync::OnceLock;

const LISTS: [&str; 2] = [
    include_str!("../../../../runtime/names/glibc.txt"),
    include_str!("../../../../runtime/names/others.txt"),
];

/// Libraries of the platform that programs are linked with.
const LIBRARIES: [&std::ffi::CStr; 2] = [c"libc.so.6", c"libm.so.6"];

/// Beginnings of the names that other verification tools give a meaning to, that compilers
/// reserve for built-in functions and for what they put into programs, and that are ours.
const WORDS_OF_TOOLS: [&str; 33] = [
    "klee_",
    "__CPROVER_",
    "__ESBMC_",
    "__SMACK_",
    "__VERIFIER_",
    "__CRAB_",
    "__seahorn_",
    "__sea_",
    "__symbiotic_",
    "__INSTR_",
    "__DIVINE_",
    "__vmutil_",
    "__dios_",
    "__TRACER_",
    "__AVT_",
    "Frama_C_",
    "DeepState_",
    "s2e_",
    "compact_se_",
    "__builtin_",
    "__sync_",
    "__atomic_",
    "__c11_atomic_",
    "__sanitizer_",
    "__ubsan_",
    "__asan_",
    "__msan_",
    "__tsan_",
    "__cxa_",
    "__dynamic_cast",
    "__gxx_personality_",
    "_Unwind_",
    "__kmpc_",
];

/// Names of SV-COMP that stand for nothing in a program of one thread.
const WITHOUT_MEANING: [&str; 2] = ["__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"];

/// Who defines it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Owner {
    /// The C library or the compiler's runtime.
    Library,
    /// Another tool, or the compiler.
    Tool,
    Nobody,
}

/// Who defines what is declared under this name.
pub(super) fn owner(name: &str) -> Owner {
    if name.starts_with("__VERIFIER_nondet_") && name != "__VERIFIER_nondet_memory"
        || WITHOUT_MEANING.contains(&name)
    {
        Owner::Nobody
    } else if WORDS_OF_TOOLS.iter().any(|word| name.starts_with(word)) {
        Owner::Tool
    } else if is_listed(name) || platform_defines(name) || is_of_cplusplus(name) {
        Owner::Library
    } else {
        Owner::Nobody
    }
}

/// Those of these names that the C library defines, as C names them.
pub(in crate::llvm) fn of_library(names: impl IntoIterator<Item = String>) -> BTreeSet<String> {
    let of_library = |name: &String| !name.starts_with("_Z") && owner(name) == Owner::Library;
    names.into_iter().filter(of_library).collect()
}

/// Whether the symbol is of the C++ library or its run-time support.
fn is_of_cplusplus(symbol: &str) -> bool {
    const NAMESPACES: [&str; 4] = ["std::", "__gnu_cxx::", "__cxxabiv1::", "operator "];
    let name = in_source(symbol);
    let of = ["{vtable(", "{vtt(", "typeinfo for ", "typeinfo name for "];
    let name = of
        .into_iter()
        .find_map(|kind| name.strip_prefix(kind))
        .unwrap_or(&name);
    symbol.starts_with("_Z") && NAMESPACES.iter().any(|space| name.starts_with(space))
}

fn is_listed(name: &str) -> bool {
    static NAMES: OnceLock<BTreeSet<&str>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let lines = LISTS.iter().flat_map(|list| list.lines());
        lines.filter(|line| !line.starts_with('#')).collect()
    });
    names.contains(name)
}

/// Whether the C library of this process has such a symbol; no, where it is another one than the
/// GNU C library.
fn platform_defines(name: &str) -> bool {
    let Ok(name) = CString::new(name) else {
        return false;
    };
    LIBRARIES.iter().any(|library| {
        // SAFETY: both texts end with a zero; a library that is loaded already is not initialised
        // again, and the handle is given back.
        unsafe {
            let handle = libc::dlopen(library.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD);
            if handle.is_null() {
                return false;
            }
            let found = !libc::dlsym(handle, name.as_ptr()).is_null();
            libc::dlclose(handle);
            found
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{Owner, is_listed, is_of_cplusplus, owner, platform_defines};

    #[test]
    fn names_have_owners() {
        for name in [
            "strtok",
            "__strtok_r",
            "sscanf",
            "htons",
            "cbrt",
            "getpid",
            "round",
            "fesetround",
            "_controlfp",
            "atexit",
            "isnormal",
            "environ",
            "__popcountdi2",
            "_ZSt4cout",
            "_ZNSolsEi",
            "_Znwm",
            "_ZTVN10__cxxabiv117__class_type_infoE",
        ] {
            assert_eq!(owner(name), Owner::Library, "{name}");
            let is_known = is_listed(name) || is_of_cplusplus(name);
            assert!(is_known, "{name} is known on every machine");
        }
        for name in [
            "klee_assume",
            "__CPROVER_assume",
            "__SMACK_nondet_int",
            "__builtin_nonsense",
            "__VERIFIER_assert",
            "__VERIFIER_nondet_memory",
            "compact_se_i7",
        ] {
            assert_eq!(owner(name), Owner::Tool, "{name}");
        }
        for name in [
            "r_strncpy",
            "_Z3getv",
            "_ZN5Shape4areaEv",
            "sslv3_base_method",
            "my_read",
            "struct_init",
            "__VERIFIER_nondet_int",
            "__VERIFIER_atomic_begin",
        ] {
            assert_eq!(owner(name), Owner::Nobody, "{name}");
        }
    }

    #[test]
    fn the_platform_is_asked_for_its_own_symbols_only() {
        assert!(platform_defines("cbrt") && platform_defines("getpid"));
        // Of this executable, not of the C library.
        assert!(!platform_defines("Z3_mk_config") && !platform_defines("LLVMContextCreate"));
    }
}
