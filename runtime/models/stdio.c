/* Models of functions that change nothing that a program can see but files, which nobody reads
 * back: what reads files is refused.
 *
 * Compiled and linked as string.c is, but without debug information. Whether the system does what
 * it is asked for is an input, which is dropped where the program does not use the result: hence
 * without branches and assumptions. Arguments are not looked at.
 *
 * Where the result depends on the format, a call whose result is used calls the function that counts
 * (formats.rs); one that may write through its arguments (%n) is refused before it gets here.
 */
typedef __SIZE_TYPE__ size_t;
typedef __INTPTR_TYPE__ ssize_t; /* as wide as size_t */
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;

__attribute__((pure, nothrow)) uint32_t __compact_se_input_i32(const char *name);
__attribute__((pure, nothrow)) uint64_t __compact_se_input_i64(const char *name);
void compact_se_may_set_errno(void);

/* 0, or -1 for what went wrong. */
#define SUCCESS_OR_FAILURE(name) -(int)(__compact_se_input_i32(name) & 1)
#define HAS_EFFECT_ELSEWHERE compact_se_may_set_errno()

/* --- Formatted output ----------------------------------------------------------------------- */

#define FORMATTED(name, ...)                                                                       \
    int name(__VA_ARGS__) {                                                                        \
        HAS_EFFECT_ELSEWHERE;                                                                      \
        return 0;                                                                                  \
    }

FORMATTED(printf, const char *format, ...)
FORMATTED(fprintf, void *file, const char *format, ...)
FORMATTED(dprintf, int file, const char *format, ...)
FORMATTED(vprintf, const char *format, void *arguments)
FORMATTED(vfprintf, void *file, const char *format, void *arguments)
FORMATTED(__printf_chk, int flag, const char *format, ...)
FORMATTED(__fprintf_chk, void *file, int flag, const char *format, ...)
FORMATTED(printk, const char *format, ...)

/* What was written, or -1. */
int compact_se_print_length(const char *format, __builtin_va_list arguments);

#define COUNTED_LIST(function, name, ...)                                                          \
    int function(__VA_ARGS__, __builtin_va_list arguments) {                                       \
        HAS_EFFECT_ELSEWHERE;                                                                      \
        return compact_se_print_length(format, arguments) | SUCCESS_OR_FAILURE(name);              \
    }
#define COUNTED(function, name, ...)                                                               \
    int function(__VA_ARGS__, ...) {                                                               \
        int length;                                                                                \
        __builtin_va_list arguments;                                                               \
        __builtin_va_start(arguments, format);                                                     \
        length = compact_se_print_length(format, arguments);                                       \
        __builtin_va_end(arguments);                                                               \
        HAS_EFFECT_ELSEWHERE;                                                                      \
        return length | SUCCESS_OR_FAILURE(name);                                                  \
    }

COUNTED(compact_se_counted_printf, "printf", const char *format)
COUNTED(compact_se_counted_fprintf, "fprintf", void *file, const char *format)
COUNTED(compact_se_counted_dprintf, "dprintf", int file, const char *format)
COUNTED_LIST(compact_se_counted_vprintf, "vprintf", const char *format)
COUNTED_LIST(compact_se_counted_vfprintf, "vfprintf", void *file, const char *format)

void syslog(int priority, const char *format, ...) { HAS_EFFECT_ELSEWHERE; }
void openlog(const char *name, int option, int facility) { HAS_EFFECT_ELSEWHERE; }
void closelog(void) { HAS_EFFECT_ELSEWHERE; }
void perror(const char *text) { HAS_EFFECT_ELSEWHERE; }

/* --- Output --------------------------------------------------------------------------------- */

/* EOF, or a number that is not negative: the sign is everywhere then. */
#define TEXT_OUTPUT(name, ...)                                                                     \
    int name(__VA_ARGS__) {                                                                        \
        int result = (int)__compact_se_input_i32(#name);                                           \
        HAS_EFFECT_ELSEWHERE;                                                                      \
        return result | result >> 31;                                                              \
    }

TEXT_OUTPUT(puts, const char *text)
TEXT_OUTPUT(fputs, const char *text, void *file)

/* The character, or EOF. */
#define CHARACTER_OUTPUT(name, ...)                                                                \
    int name(__VA_ARGS__) {                                                                        \
        HAS_EFFECT_ELSEWHERE;                                                                      \
        return (unsigned char)c | SUCCESS_OR_FAILURE(#name);                                       \
    }

CHARACTER_OUTPUT(putchar, int c)
CHARACTER_OUTPUT(putchar_unlocked, int c)
CHARACTER_OUTPUT(putc, int c, void *file)
CHARACTER_OUTPUT(fputc, int c, void *file)
CHARACTER_OUTPUT(_IO_putc, int c, void *file)

#if __SIZEOF_SIZE_T__ == 8
#define SIZE(name) __compact_se_input_i64(name)
#else
#define SIZE(name) __compact_se_input_i32(name)
#endif

/* At most all, or -1. */
ssize_t write(int file, const void *from, size_t bytes) {
    size_t written = SIZE("write");
    HAS_EFFECT_ELSEWHERE;
    return (ssize_t)(written | -(size_t)(written > bytes));
}

/* At most all. */
size_t fwrite(const void *from, size_t size, size_t count, void *file) {
    size_t written = SIZE("fwrite");
    HAS_EFFECT_ELSEWHERE;
    return written & -(size_t)((written <= count) & (size != 0));
}

/* --- Files ---------------------------------------------------------------------------------- */

#define EFFECT(name, ...)                                                                          \
    int name(__VA_ARGS__) {                                                                        \
        HAS_EFFECT_ELSEWHERE;                                                                      \
        return SUCCESS_OR_FAILURE(#name);                                                          \
    }

EFFECT(fflush, void *file)
EFFECT(fclose, void *file)
EFFECT(fsync, int file)
EFFECT(close, int file)
EFFECT(remove, const char *path)
EFFECT(unlink, const char *path)
EFFECT(usleep, unsigned microseconds)

/* Any number but 0 where it cannot be done. */
int setvbuf(void *file, char *buffer, int mode, size_t bytes) {
    HAS_EFFECT_ELSEWHERE;
    return (int)__compact_se_input_i32("setvbuf");
}

void setbuf(void *file, char *buffer) { HAS_EFFECT_ELSEWHERE; }
