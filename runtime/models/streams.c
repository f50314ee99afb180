/* Models of what reads streams and is made of more elementary functions: formatted input and whole
 * lines. For programs that are analysed with an environment of their own (environment.c).
 *
 * Compiled and linked as string.c is, and part of a replay: that calls the C library's functions
 * which are used here.
 */
typedef __SIZE_TYPE__ size_t;
typedef __INTPTR_TYPE__ ssize_t; /* as wide as size_t */

#define NULL ((void *)0)
enum { EINVAL = 22, END_OF_FILE = -1, FIRST_BYTES = 120 };

typedef __WCHAR_TYPE__ wchar_t;
typedef __WINT_TYPE__ wint_t;
typedef __builtin_va_list va_list;

int fgetc(void *file), ferror(void *file);
wint_t fgetwc(void *file);
void *realloc(void *block, size_t bytes);
void compact_se_set_errno(int number);
void compact_se_may_set_errno(void);
extern void *stdin;

/* --- Lines ---------------------------------------------------------------------------------- */

/* How much larger than a line its memory is, is for the library to choose. */
static ssize_t read_up_to(char **line, size_t *bytes, int delimiter, void *file) {
    size_t length = 0;
    int c;
    if (line == NULL || bytes == NULL) {
        compact_se_set_errno(EINVAL);
        return -1;
    }
    if (ferror(file))
        return -1;
    if (*line == NULL || *bytes == 0) {
        *bytes = FIRST_BYTES;
        *line = realloc(*line, *bytes);
    }
    while ((c = fgetc(file)) != END_OF_FILE) {
        if (length + 2 > *bytes) {
            *bytes *= 2;
            *line = realloc(*line, *bytes);
        }
        (*line)[length++] = (char)c;
        if (c == delimiter)
            break;
    }
    if (length == 0)
        return -1;
    (*line)[length] = '\0';
    return (ssize_t)length;
}

ssize_t getline(char **line, size_t *bytes, void *file) {
    return read_up_to(line, bytes, '\n', file);
}
ssize_t getdelim(char **line, size_t *bytes, int delimiter, void *file) {
    return read_up_to(line, bytes, (unsigned char)delimiter, file);
}
ssize_t __getdelim(char **line, size_t *bytes, int delimiter, void *file) {
    return read_up_to(line, bytes, (unsigned char)delimiter, file);
}

wchar_t *fgetws(wchar_t *to, int count, void *file) {
    int n = 0;
    if (count <= 0)
        return NULL;
    while (n < count - 1) {
        wint_t c = fgetwc(file);
        if (c == (wint_t)END_OF_FILE)
            break;
        to[n++] = (wchar_t)c;
        if (c == '\n')
            break;
    }
    if (n == 0 && count > 1)
        return NULL;
    to[n] = 0;
    return to;
}

/* --- Files without a name ------------------------------------------------------------------- */

void *fopen(const char *path, const char *mode);
int unlink(const char *path);
__attribute__((pure, nothrow)) __UINT32_TYPE__ __compact_se_input_i32(const char *name);

void *tmpfile(void) {
    static const char name[] = ".tmpfile";
    void *file = NULL;
    if ((__compact_se_input_i32("tmpfile") & 1) == 0)
        compact_se_may_set_errno();
    else
        file = fopen(name, "w+b");
    if (file != NULL)
        unlink(name);
    return file;
}

void __compact_se_uninit(void *memory, size_t bytes, const char *name);
void __compact_se_assume(int condition);
int open(const char *path, int flags, ...);

/* A new file whose name ends with any figures and letters before so many characters, by its descriptor; or -1. */
static int open_new(char *name, size_t behind) {
    enum { READ_AND_WRITE = 2, CREATE = 0100, EXCLUSIVE = 0200, FOR_OWNER = 0600, CHOSEN = 6 };
    size_t length = 0;
    char *chosen;
    int is_template = 1, descriptor;
    while (name[length] != '\0')
        length++;
    if (length < behind + CHOSEN) {
        compact_se_set_errno(EINVAL);
        return -1;
    }
    chosen = name + length - behind - CHOSEN;
    for (int i = 0; i < CHOSEN; i++)
        is_template &= chosen[i] == 'X';
    if (!is_template) {
        compact_se_set_errno(EINVAL);
        return -1;
    }
    if ((__compact_se_input_i32("mkstemp") & 1) == 0) {
        compact_se_may_set_errno();
        return -1;
    }
    __compact_se_uninit(chosen, CHOSEN, "mkstemp");
    for (int i = 0; i < CHOSEN; i++)
        __compact_se_assume(((unsigned)chosen[i] - '0' < 10) | ((unsigned)(chosen[i] | 32) - 'a' < 26));
    descriptor = open(name, READ_AND_WRITE | CREATE | EXCLUSIVE, FOR_OWNER);
    /* Names that are taken are not chosen. */
    __compact_se_assume(descriptor >= 0);
    return descriptor;
}

int mkstemp(char *name) { return open_new(name, 0); }
int mkstemp64(char *name) { return open_new(name, 0); }
int mkstemps(char *name, int behind) {
    if (behind < 0) {
        compact_se_set_errno(EINVAL);
        return -1;
    }
    return open_new(name, (size_t)behind);
}

/* --- Formatted input ------------------------------------------------------------------------ */

/* Of environment.c, and of a replay: what is left of a stream, and taking from it. */
const char *compact_se_rest_of_stream(void *file, size_t *length);
void compact_se_skip_in_stream(void *file, size_t bytes, int saw_end);
const char *compact_se_rest_of_wide_stream(void *file, size_t *length);
int compact_se_scan_rest(const char *rest, size_t length, const char *format, va_list arguments,
                         int has_binary, size_t *consumed, int *saw_end);
int compact_se_scan_wide_rest(const char *rest, size_t length, const wchar_t *format, va_list arguments,
                              int has_binary, size_t *consumed, int *saw_end);

static int scan_stream(void *file, const char *format, va_list arguments, int has_binary) {
    size_t length = 0, consumed = 0;
    int saw_end = 0;
    const char *rest = compact_se_rest_of_stream(file, &length);
    int done;
    if (rest == NULL)
        return END_OF_FILE;
    done = compact_se_scan_rest(rest, length, format, arguments, has_binary, &consumed, &saw_end);
    compact_se_skip_in_stream(file, consumed, saw_end);
    return done;
}

static int scan_wide_stream(void *file, const wchar_t *format, va_list arguments, int has_binary) {
    size_t length = 0, consumed = 0;
    int saw_end = 0;
    const char *rest = compact_se_rest_of_wide_stream(file, &length);
    int done;
    if (rest == NULL)
        return END_OF_FILE;
    done = compact_se_scan_wide_rest(rest, length, format, arguments, has_binary, &consumed, &saw_end);
    compact_se_skip_in_stream(file, consumed, saw_end);
    return done;
}

/* Functions with these names, which scan streams by a format of such characters. */
#define SCAN_STREAM(name, scan, character, has_binary)                                             \
    int name(void *restrict file, const character *restrict format, ...) {                         \
        int done;                                                                                  \
        va_list arguments;                                                                         \
        __builtin_va_start(arguments, format);                                                     \
        done = scan(file, format, arguments, has_binary);                                          \
        __builtin_va_end(arguments);                                                               \
        return done;                                                                               \
    }
#define SCAN_STREAM_LIST(name, scan, character, has_binary)                                        \
    int name(void *restrict file, const character *restrict format, va_list arguments) {           \
        return scan(file, format, arguments, has_binary);                                          \
    }
#define SCAN_INPUT(name, scan, character, has_binary)                                              \
    int name(const character *restrict format, ...) {                                              \
        int done;                                                                                  \
        va_list arguments;                                                                         \
        __builtin_va_start(arguments, format);                                                     \
        done = scan(stdin, format, arguments, has_binary);                                         \
        __builtin_va_end(arguments);                                                               \
        return done;                                                                               \
    }
#define SCAN_INPUT_LIST(name, scan, character, has_binary)                                         \
    int name(const character *restrict format, va_list arguments) {                                \
        return scan(stdin, format, arguments, has_binary);                                         \
    }

/* Names are written out, since models are looked for by them. */
SCAN_STREAM(fscanf, scan_stream, char, 0)
SCAN_STREAM_LIST(vfscanf, scan_stream, char, 0)
SCAN_INPUT(scanf, scan_stream, char, 0)
SCAN_INPUT_LIST(vscanf, scan_stream, char, 0)
SCAN_STREAM(fwscanf, scan_wide_stream, wchar_t, 0)
SCAN_STREAM_LIST(vfwscanf, scan_wide_stream, wchar_t, 0)
SCAN_INPUT(wscanf, scan_wide_stream, wchar_t, 0)
SCAN_INPUT_LIST(vwscanf, scan_wide_stream, wchar_t, 0)
SCAN_STREAM(__isoc99_fscanf, scan_stream, char, 0)
SCAN_STREAM_LIST(__isoc99_vfscanf, scan_stream, char, 0)
SCAN_INPUT(__isoc99_scanf, scan_stream, char, 0)
SCAN_INPUT_LIST(__isoc99_vscanf, scan_stream, char, 0)
SCAN_STREAM(__isoc99_fwscanf, scan_wide_stream, wchar_t, 0)
SCAN_STREAM_LIST(__isoc99_vfwscanf, scan_wide_stream, wchar_t, 0)
SCAN_INPUT(__isoc99_wscanf, scan_wide_stream, wchar_t, 0)
SCAN_INPUT_LIST(__isoc99_vwscanf, scan_wide_stream, wchar_t, 0)
SCAN_STREAM(__isoc23_fscanf, scan_stream, char, 1)
SCAN_STREAM_LIST(__isoc23_vfscanf, scan_stream, char, 1)
SCAN_INPUT(__isoc23_scanf, scan_stream, char, 1)
SCAN_INPUT_LIST(__isoc23_vscanf, scan_stream, char, 1)
SCAN_STREAM(__isoc23_fwscanf, scan_wide_stream, wchar_t, 1)
SCAN_STREAM_LIST(__isoc23_vfwscanf, scan_wide_stream, wchar_t, 1)
SCAN_INPUT(__isoc23_wscanf, scan_wide_stream, wchar_t, 1)
SCAN_INPUT_LIST(__isoc23_vwscanf, scan_wide_stream, wchar_t, 1)
