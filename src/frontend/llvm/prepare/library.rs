//! Which names are those of library functions: what they do is written in a standard, so that
//! "without effect" would be wrong for them.

/// Beginnings of names that C and POSIX reserve, and of families of functions that read or write
/// through their pointers.
const PREFIXES: [&str; 43] = [
    "str",
    "mem",
    "wcs",
    "wmem",
    "mb",
    "sn",
    "vsn",
    "pthread_",
    "sem_",
    "__builtin_",
    "__isoc99_",
    "atomic_",
    "__atomic_",
    "__sync_",
    "ato",
    "fread",
    "fwrite",
    "fget",
    "fput",
    "fscanf",
    "fprintf",
    "fopen",
    "fseek",
    "ftell",
    "frexp",
    "fstat",
    "fcntl",
    "freopen",
    "fdopen",
    "get",
    "set",
    "put",
    "read",
    "write",
    "recv",
    "send",
    "pipe",
    "poll",
    "select",
    "stat",
    "lstat",
    "time",
    "clock",
];

/// Names that do not begin so.
const NAMES: [&str; 46] = [
    "asctime",
    "asctime_r",
    "asprintf",
    "bcmp",
    "bcopy",
    "bsearch",
    "bzero",
    "ctime",
    "ctime_r",
    "gmtime",
    "gmtime_r",
    "iconv",
    "index",
    "ioctl",
    "localtime",
    "localtime_r",
    "longjmp",
    "lsearch",
    "mktime",
    "modf",
    "modff",
    "nanosleep",
    "open",
    "pread",
    "printf",
    "qsort",
    "qsort_r",
    "rand_r",
    "realpath",
    "regcomp",
    "regexec",
    "remquo",
    "rindex",
    "scanf",
    "setjmp",
    "sigaction",
    "sincos",
    "sprintf",
    "sscanf",
    "stpcpy",
    "swab",
    "tmpnam",
    "vasprintf",
    "vscanf",
    "vsprintf",
    "waitpid",
];

/// Whether a standard or the C library says what the function does. Errs to yes.
pub(super) fn is_library_function(name: &str) -> bool {
    let plain = name.trim_start_matches('_');
    NAMES.contains(&plain)
        || PREFIXES
            .iter()
            .any(|prefix| name.starts_with(prefix) || plain.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::is_library_function;

    #[test]
    fn library_functions_are_known_by_name() {
        for name in [
            "strtok",
            "__strtok_r",
            "memccpy",
            "sscanf",
            "fgets",
            "qsort",
            "_longjmp",
        ] {
            assert!(is_library_function(name), "{name}");
        }
        for name in ["r_strncpy", "sslv3_base_method", "do_something", "my_read"] {
            assert!(!is_library_function(name), "{name}");
        }
    }
}
