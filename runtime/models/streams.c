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
    if ((__compact_se_input_i32("tmpfile") & 1) != 0)
        file = fopen(name, "w+b");
    if (file != NULL)
        unlink(name);
    return file;
}

/* --- Formatted input ------------------------------------------------------------------------ */

/* Of environment.c, and of a replay: what is left of a stream, and taking from it. */
const char *compact_se_rest_of_stream(void *file, size_t *length);
void compact_se_skip_in_stream(void *file, size_t bytes, int saw_end);
int compact_se_scan_rest(const char *rest, size_t length, const char *format, va_list arguments,
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

#define SCAN_STREAM(name, has_binary)                                                              \
    int name(void *restrict file, const char *restrict format, ...) {                              \
        int done;                                                                                  \
        va_list arguments;                                                                         \
        __builtin_va_start(arguments, format);                                                     \
        done = scan_stream(file, format, arguments, has_binary);                                   \
        __builtin_va_end(arguments);                                                               \
        return done;                                                                               \
    }
#define SCAN_STREAM_LIST(name, has_binary)                                                         \
    int name(void *restrict file, const char *restrict format, va_list arguments) {                \
        return scan_stream(file, format, arguments, has_binary);                                   \
    }
#define SCAN_INPUT(name, has_binary)                                                               \
    int name(const char *restrict format, ...) {                                                   \
        int done;                                                                                  \
        va_list arguments;                                                                         \
        __builtin_va_start(arguments, format);                                                     \
        done = scan_stream(stdin, format, arguments, has_binary);                                  \
        __builtin_va_end(arguments);                                                               \
        return done;                                                                               \
    }
#define SCAN_INPUT_LIST(name, has_binary)                                                          \
    int name(const char *restrict format, va_list arguments) {                                     \
        return scan_stream(stdin, format, arguments, has_binary);                                  \
    }

SCAN_STREAM(fscanf, 0)
SCAN_STREAM(__isoc99_fscanf, 0)
SCAN_STREAM(__isoc23_fscanf, 1)
SCAN_STREAM_LIST(vfscanf, 0)
SCAN_STREAM_LIST(__isoc99_vfscanf, 0)
SCAN_STREAM_LIST(__isoc23_vfscanf, 1)
SCAN_INPUT(scanf, 0)
SCAN_INPUT(__isoc99_scanf, 0)
SCAN_INPUT(__isoc23_scanf, 1)
SCAN_INPUT_LIST(vscanf, 0)
SCAN_INPUT_LIST(__isoc99_vscanf, 0)
SCAN_INPUT_LIST(__isoc23_vscanf, 1)
