/* Models of functions that change nothing that a program can see but what goes to standard output
 * or to files, which nobody reads back: what reads files is refused, or modelled by environment.c.
 *
 * Compiled and linked as string.c is, but without debug information. Whether the system does what
 * it is asked for is an input, which is dropped where the program does not use the result: hence
 * without branches and assumptions. Arguments are not looked at, but where accesses to memory are
 * checked (reads.c).
 *
 * Where the result depends on the format, a call whose result is used calls the function that counts
 * (formats.rs); one that may write through its arguments (%n) is refused before it gets here.
 */
typedef __SIZE_TYPE__ size_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __WCHAR_TYPE__ wchar_t;
typedef __WINT_TYPE__ wint_t;

__attribute__((pure, nothrow)) uint32_t __compact_se_input_i32(const char *name);
void compact_se_may_set_errno(void);

/* Of environment.c: files that are read back are not written to by these. Else of files.c, and nothing. */
void compact_se_only_output(void *file);
void compact_se_only_output_to(int descriptor);
/* Of reads.c; else they do nothing. */
void compact_se_reads_text(const char *text);

#define TO_STREAM compact_se_only_output(file);
#define TO_DESCRIPTOR compact_se_only_output_to(file);

/* 0, or -1 for what went wrong. */
#define SUCCESS_OR_FAILURE(name) -(int)(__compact_se_input_i32(name) & 1)
#define HAS_EFFECT_ELSEWHERE compact_se_may_set_errno()

/* --- Formatted output ----------------------------------------------------------------------- */

#define FORMATTED(name, check, ...)                                                                \
    int name(__VA_ARGS__) {                                                                        \
        check                                                                                      \
        HAS_EFFECT_ELSEWHERE;                                                                      \
        return 0;                                                                                  \
    }

FORMATTED(printf, , const char *format, ...)
FORMATTED(fprintf, TO_STREAM, void *file, const char *format, ...)
FORMATTED(dprintf, TO_DESCRIPTOR, int file, const char *format, ...)
FORMATTED(vdprintf, TO_DESCRIPTOR, int file, const char *format, void *arguments)
FORMATTED(vprintf, , const char *format, void *arguments)
FORMATTED(vfprintf, TO_STREAM, void *file, const char *format, void *arguments)
FORMATTED(__printf_chk, , int flag, const char *format, ...)
FORMATTED(__fprintf_chk, TO_STREAM, void *file, int flag, const char *format, ...)
FORMATTED(printk, , const char *format, ...)
FORMATTED(wprintf, , const wchar_t *format, ...)
FORMATTED(fwprintf, TO_STREAM, void *file, const wchar_t *format, ...)
FORMATTED(vwprintf, , const wchar_t *format, void *arguments)
FORMATTED(vfwprintf, TO_STREAM, void *file, const wchar_t *format, void *arguments)
FORMATTED(__wprintf_chk, , int flag, const wchar_t *format, ...)
FORMATTED(__fwprintf_chk, TO_STREAM, void *file, int flag, const wchar_t *format, ...)

/* What was written, or -1. */
int compact_se_print_length(const char *format, __builtin_va_list arguments);
int compact_se_wide_print_length(const wchar_t *format, __builtin_va_list arguments);

#define COUNTED_LIST(function, name, length_of, check, ...)                                        \
    int function(__VA_ARGS__, __builtin_va_list arguments) {                                       \
        check                                                                                      \
        HAS_EFFECT_ELSEWHERE;                                                                      \
        return length_of(format, arguments) | SUCCESS_OR_FAILURE(name);                            \
    }
#define COUNTED(function, name, length_of, check, ...)                                             \
    int function(__VA_ARGS__, ...) {                                                               \
        int length;                                                                                \
        __builtin_va_list arguments;                                                               \
        __builtin_va_start(arguments, format);                                                     \
        check                                                                                      \
        length = length_of(format, arguments);                                                     \
        __builtin_va_end(arguments);                                                               \
        HAS_EFFECT_ELSEWHERE;                                                                      \
        return length | SUCCESS_OR_FAILURE(name);                                                  \
    }

#define NARROW compact_se_print_length
#define WIDE compact_se_wide_print_length

COUNTED(compact_se_counted_printf, "printf", NARROW, , const char *format)
COUNTED(compact_se_counted_fprintf, "fprintf", NARROW, TO_STREAM, void *file, const char *format)
COUNTED(compact_se_counted_dprintf, "dprintf", NARROW, TO_DESCRIPTOR, int file, const char *format)
COUNTED_LIST(compact_se_counted_vdprintf, "vdprintf", NARROW, TO_DESCRIPTOR, int file, const char *format)
COUNTED_LIST(compact_se_counted_vprintf, "vprintf", NARROW, , const char *format)
COUNTED_LIST(compact_se_counted_vfprintf, "vfprintf", NARROW, TO_STREAM, void *file, const char *format)
COUNTED(compact_se_counted_wprintf, "wprintf", WIDE, , const wchar_t *format)
COUNTED(compact_se_counted_fwprintf, "fwprintf", WIDE, TO_STREAM, void *file, const wchar_t *format)
COUNTED_LIST(compact_se_counted_vwprintf, "vwprintf", WIDE, , const wchar_t *format)
COUNTED_LIST(compact_se_counted_vfwprintf, "vfwprintf", WIDE, TO_STREAM, void *file, const wchar_t *format)

void syslog(int priority, const char *format, ...) { HAS_EFFECT_ELSEWHERE; }
void openlog(const char *name, int option, int facility) { HAS_EFFECT_ELSEWHERE; }
void closelog(void) { HAS_EFFECT_ELSEWHERE; }
void warn(const char *format, ...) { HAS_EFFECT_ELSEWHERE; }
void warnx(const char *format, ...) { HAS_EFFECT_ELSEWHERE; }
void vwarn(const char *format, void *arguments) { HAS_EFFECT_ELSEWHERE; }
void vwarnx(const char *format, void *arguments) { HAS_EFFECT_ELSEWHERE; }

_Noreturn void exit(int status);
_Noreturn void err(int status, const char *format, ...) { exit(status); }
_Noreturn void errx(int status, const char *format, ...) { exit(status); }
_Noreturn void verr(int status, const char *format, void *arguments) { exit(status); }
_Noreturn void verrx(int status, const char *format, void *arguments) { exit(status); }
void error(int status, int number, const char *format, ...) {
    if (status != 0)
        exit(status);
    HAS_EFFECT_ELSEWHERE;
}
void perror(const char *text) {
    if (text != (const char *)0)
        compact_se_reads_text(text);
    HAS_EFFECT_ELSEWHERE;
}

/* --- Output --------------------------------------------------------------------------------- */

/* EOF, or a number that is not negative: the sign is everywhere then. */
int puts(const char *text) {
    int result = (int)__compact_se_input_i32("puts");
    compact_se_reads_text(text);
    HAS_EFFECT_ELSEWHERE;
    return result | result >> 31;
}

/* The character, or EOF. */
#define CHARACTER_OUTPUT(name, ...)                                                                \
    int name(__VA_ARGS__) {                                                                        \
        HAS_EFFECT_ELSEWHERE;                                                                      \
        return (unsigned char)c | SUCCESS_OR_FAILURE(#name);                                       \
    }

CHARACTER_OUTPUT(putchar, int c)
CHARACTER_OUTPUT(putchar_unlocked, int c)

/* The wide character, or WEOF. */
wint_t putwchar(wchar_t c) {
    HAS_EFFECT_ELSEWHERE;
    return (wint_t)c | (wint_t)SUCCESS_OR_FAILURE("putwchar");
}

int usleep(unsigned microseconds) {
    HAS_EFFECT_ELSEWHERE;
    return SUCCESS_OR_FAILURE("usleep");
}
