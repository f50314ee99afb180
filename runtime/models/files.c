/* Models of the output to files that nobody reads back, and of what is done to them: as stdio.c, for
 * programs that are analysed without an environment of their own. With one, environment.c has these
 * functions.
 */
typedef __SIZE_TYPE__ size_t;
typedef __INTPTR_TYPE__ ssize_t; /* as wide as size_t */
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __WCHAR_TYPE__ wchar_t;
typedef __WINT_TYPE__ wint_t;

__attribute__((pure, nothrow)) uint32_t __compact_se_input_i32(const char *name);
__attribute__((pure, nothrow)) uint64_t __compact_se_input_i64(const char *name);
void compact_se_may_set_errno(void);

/* Of reads.c, where accesses to memory are checked; else they do nothing. */
void compact_se_reads_text(const char *text);
void compact_se_reads_wide_text(const wchar_t *text);
void compact_se_reads_bytes(const void *from, size_t bytes);
void compact_se_uses_stream(const void *file);
void compact_se_closes_stream(void *file);
/* For formatted output, of stdio.c. */
void compact_se_only_output(void *file) { compact_se_uses_stream(file); }

/* 0, or -1 for what went wrong. */
#define SUCCESS_OR_FAILURE(name) -(int)(__compact_se_input_i32(name) & 1)
#define HAS_EFFECT_ELSEWHERE compact_se_may_set_errno()

/* --- Output --------------------------------------------------------------------------------- */

/* EOF, or a number that is not negative: the sign is everywhere then. */
#define TEXT_OUTPUT(name, read, ...)                                                               \
    int name(__VA_ARGS__) {                                                                        \
        int result = (int)__compact_se_input_i32(#name);                                           \
        compact_se_uses_stream(file);                                                              \
        read(text);                                                                                \
        HAS_EFFECT_ELSEWHERE;                                                                      \
        return result | result >> 31;                                                              \
    }

TEXT_OUTPUT(fputs, compact_se_reads_text, const char *text, void *file)
TEXT_OUTPUT(fputs_unlocked, compact_se_reads_text, const char *text, void *file)
TEXT_OUTPUT(fputws, compact_se_reads_wide_text, const wchar_t *text, void *file)

/* The character, or EOF. */
#define CHARACTER_OUTPUT(name, ...)                                                                \
    int name(__VA_ARGS__) {                                                                        \
        compact_se_uses_stream(file);                                                              \
        HAS_EFFECT_ELSEWHERE;                                                                      \
        return (unsigned char)c | SUCCESS_OR_FAILURE(#name);                                       \
    }

CHARACTER_OUTPUT(putc, int c, void *file)
CHARACTER_OUTPUT(fputc, int c, void *file)
CHARACTER_OUTPUT(_IO_putc, int c, void *file)
CHARACTER_OUTPUT(putc_unlocked, int c, void *file)
CHARACTER_OUTPUT(fputc_unlocked, int c, void *file)

/* The wide character, or WEOF. */
#define WIDE_CHARACTER_OUTPUT(name)                                                                \
    wint_t name(wchar_t c, void *file) {                                                           \
        compact_se_uses_stream(file);                                                              \
        HAS_EFFECT_ELSEWHERE;                                                                      \
        return (wint_t)c | (wint_t)SUCCESS_OR_FAILURE(#name);                                      \
    }

WIDE_CHARACTER_OUTPUT(putwc)
WIDE_CHARACTER_OUTPUT(fputwc)

#if __SIZEOF_SIZE_T__ == 8
#define SIZE(name) __compact_se_input_i64(name)
#else
#define SIZE(name) __compact_se_input_i32(name)
#endif

/* At most all, or -1. */
ssize_t write(int file, const void *from, size_t bytes) {
    size_t written = SIZE("write");
    compact_se_reads_bytes(from, bytes);
    HAS_EFFECT_ELSEWHERE;
    return (ssize_t)(written | -(size_t)(written > bytes));
}

/* At most all. */
size_t fwrite(const void *from, size_t size, size_t count, void *file) {
    size_t written = SIZE("fwrite");
    compact_se_uses_stream(file);
    compact_se_reads_bytes(from, size * count);
    HAS_EFFECT_ELSEWHERE;
    return written & -(size_t)((written <= count) & (size != 0));
}

size_t fwrite_unlocked(const void *from, size_t size, size_t count, void *file) {
    return fwrite(from, size, count, file);
}

/* --- Files ---------------------------------------------------------------------------------- */

void *__compact_se_calloc_of_system(size_t count, size_t bytes);
void __compact_se_uninit(void *memory, size_t bytes, const char *name);
void __compact_se_assume(int condition);
__attribute__((noreturn)) void __compact_se_unsupported(const char *what);

/* A file that is only written to is opened or not; what is written to it is lost. */
static void *open_some(const char *input) {
    enum { SIZE_OF_STREAM = 216 };
    HAS_EFFECT_ELSEWHERE;
    if ((__compact_se_input_i32(input) & 1) == 0)
        return (void *)0;
    return __compact_se_calloc_of_system(1, SIZE_OF_STREAM);
}

static void *open_to_write(const char *mode) {
    /* No loop, which would be one of the program. */
    int has_plus = mode[0] != '\0' && mode[1] != '\0' &&
                   (mode[1] == '+' || mode[2] == '+' || (mode[2] != '\0' && mode[3] == '+'));
    if ((mode[0] != 'w' && mode[0] != 'a') || has_plus)
        __compact_se_unsupported("call of fopen for reading (modelled with --sym-stdin, --sym-file or --sym-arg)");
    return open_some("fopen");
}

void *fopen(const char *path, const char *mode) { return open_to_write(mode); }
void *fopen64(const char *path, const char *mode) { return open_to_write(mode); }
void *tmpfile(void) { return open_some("tmpfile"); }
void *tmpfile64(void) { return open_some("tmpfile"); }

/* A new file whose name ends with any figures and letters, by its descriptor; or -1. */
static int open_new(char *name, size_t behind) {
    size_t length = 0;
    int number = (int)__compact_se_input_i32("mkstemp"), is_template = 1;
    while (name[length] != '\0')
        length++;
    HAS_EFFECT_ELSEWHERE;
    if (length < behind + 6)
        return -1;
    for (char *c = name + length - behind - 6; c < name + length - behind; c++)
        is_template &= *c == 'X';
    if (!is_template)
        return -1;
    __compact_se_uninit(name + length - behind - 6, 6, "mkstemp");
    for (char *c = name + length - behind - 6; c < name + length - behind; c++)
        __compact_se_assume(((unsigned)*c - '0' < 10) | ((unsigned)(*c | 32) - 'a' < 26));
    __compact_se_assume((number == -1) | (number > 2));
    return number;
}

int mkstemp(char *name) { return open_new(name, 0); }
int mkstemp64(char *name) { return open_new(name, 0); }
int mkstemps(char *name, int behind) { return behind < 0 ? -1 : open_new(name, (size_t)behind); }

/* The standard streams begin with their number and one, those that are opened here with zero. */
int fileno(void *file) {
    int number = *(const int *)file - 1;
    if (number < 0)
        __compact_se_unsupported("call of fileno for a file that the program opens (with --sym-stdin, --sym-file or "
                                 "--sym-arg it is known)");
    return number;
}
int fileno_unlocked(void *file) { return fileno(file); }

#define EFFECT(name, ...)                                                                          \
    int name(__VA_ARGS__) {                                                                        \
        HAS_EFFECT_ELSEWHERE;                                                                      \
        return SUCCESS_OR_FAILURE(#name);                                                          \
    }

/* All streams, for a null pointer. */
int fflush(void *file) {
    if (file != (void *)0)
        compact_se_uses_stream(file);
    HAS_EFFECT_ELSEWHERE;
    return SUCCESS_OR_FAILURE("fflush");
}

int fflush_unlocked(void *file) { return fflush(file); }

int fclose(void *file) {
    compact_se_closes_stream(file);
    HAS_EFFECT_ELSEWHERE;
    return SUCCESS_OR_FAILURE("fclose");
}

EFFECT(fsync, int file)
EFFECT(close, int file)
EFFECT(remove, const char *path)
EFFECT(unlink, const char *path)
EFFECT(rename, const char *from, const char *to)
EFFECT(mkdir, const char *path, unsigned mode)
EFFECT(rmdir, const char *path)
EFFECT(chmod, const char *path, unsigned mode)
EFFECT(access, const char *path, int mode)

/* Any number but 0 where it cannot be done. */
int setvbuf(void *file, char *buffer, int mode, size_t bytes) {
    compact_se_uses_stream(file);
    HAS_EFFECT_ELSEWHERE;
    return (int)__compact_se_input_i32("setvbuf");
}

void setbuf(void *file, char *buffer) {
    compact_se_uses_stream(file);
    HAS_EFFECT_ELSEWHERE;
}
void setlinebuf(void *file) { setbuf(file, (char *)0); }
