/* What output functions read of the program's memory, for programs whose accesses are checked: stdio.c,
 * files.c and environment.c say what these functions do, and nobody looks at what is put out.
 *
 * Compiled and linked as stdio.c is. A text is read up to its end or its precision, of other blocks the
 * first and the last byte: what lies between is part of the same object.
 */
typedef __SIZE_TYPE__ size_t;
typedef __WCHAR_TYPE__ wchar_t;
typedef __WINT_TYPE__ wint_t;
typedef __builtin_va_list va_list;
#define NULL ((void *)0)

void __compact_se_use(unsigned long long value);

void compact_se_reads_bytes(const void *from, size_t bytes) {
    const volatile char *start = from;
    if (bytes > 0) {
        __compact_se_use((unsigned char)start[0]);
        __compact_se_use((unsigned char)start[bytes - 1]);
    }
}

/* So many characters at most; all for a negative number. */
static void read_characters(const char *text, int most) {
    for (int i = 0; i != most && ((const volatile char *)text)[i] != '\0'; i++)
        ;
}

static void read_wide_characters(const wchar_t *text, int most) {
    for (int i = 0; i != most && ((const volatile wchar_t *)text)[i] != 0; i++)
        ;
}

void compact_se_reads_text(const char *text) { read_characters(text, -1); }
void compact_se_reads_wide_text(const wchar_t *text) { read_wide_characters(text, -1); }

/* Where nobody reads files back, streams are memory of the system. */
void compact_se_uses_stream(const void *file) { compact_se_reads_bytes(file, 1); }

void __compact_se_free_of_system(void *block);

void compact_se_closes_stream(void *file) {
    compact_se_uses_stream(file);
    __compact_se_free_of_system(file);
}

/* A format of characters, or of wide ones; of those that are no ASCII, some character that no conversion
 * has. */
struct format {
    const char *narrow;
    const wchar_t *wide;
};

static char look(const struct format *format) {
    if (format->narrow != NULL)
        return *format->narrow;
    return *format->wide < 0 || *format->wide > 127 ? '\x7f' : (char)*format->wide;
}

static char take(struct format *format) {
    char c = look(format);
    if (format->narrow != NULL)
        format->narrow++;
    else
        format->wide++;
    return c;
}

static int read_number(struct format *format) {
    int value = 0;
    while (look(format) >= '0' && look(format) <= '9') {
        char digit = take(format);
        value = value > 100000 ? value : 10 * value + (digit - '0');
    }
    return value;
}

/* The texts among the arguments; of a conversion that is not known, and of what comes behind it, nothing. */
static void read_arguments(struct format format, va_list arguments) {
    va_list rest;
    __builtin_va_copy(rest, arguments);
    while (look(&format) != '\0') {
        int precision = -1, size = sizeof(int), is_wide = 0;
        if (take(&format) != '%')
            continue;
        while (look(&format) == '-' || look(&format) == '+' || look(&format) == ' ' ||
               look(&format) == '#' || look(&format) == '0' || look(&format) == '\'')
            take(&format);
        if (look(&format) == '*') {
            take(&format);
            (void)__builtin_va_arg(rest, int);
        } else {
            read_number(&format);
        }
        if (look(&format) == '.') {
            take(&format);
            if (look(&format) == '*') {
                take(&format);
                precision = __builtin_va_arg(rest, int);
            } else {
                precision = read_number(&format);
            }
        }
        for (char letter = look(&format); letter == 'h' || letter == 'l' || letter == 'q' ||
                                          letter == 'j' || letter == 'z' || letter == 'Z' || letter == 't';
             letter = look(&format)) {
            take(&format);
            is_wide = letter == 'l';
            if (letter != 'h')
                size = letter == 'q' || letter == 'j' || (letter == 'l' && size == sizeof(long))
                           ? sizeof(long long)
                           : sizeof(long);
        }
        switch (take(&format)) {
        case 'd': case 'i': case 'u': case 'x': case 'X': case 'o':
            if (size == sizeof(long long))
                (void)__builtin_va_arg(rest, long long);
            else
                (void)__builtin_va_arg(rest, int);
            break;
        case 'c':
            (void)__builtin_va_arg(rest, int);
            break;
        case 'C':
            (void)__builtin_va_arg(rest, wint_t);
            break;
        case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
            (void)__builtin_va_arg(rest, double);
            break;
        case 'S':
            is_wide = 1;
            __attribute__((fallthrough));
        case 's': {
            const void *text = __builtin_va_arg(rest, const void *);
            int most = precision < 0 ? -1 : precision;
            /* The C library puts "(null)" out. */
            if (text != NULL && is_wide)
                read_wide_characters(text, most);
            else if (text != NULL)
                read_characters(text, most);
            break;
        }
        case 'p':
            (void)__builtin_va_arg(rest, void *);
            break;
        case '%': case 'm':
            break;
        default:
            __builtin_va_end(rest);
            return;
        }
    }
    __builtin_va_end(rest);
}

/* Of stdio.c: do nothing but read. */
void compact_se_only_output(void *file);
void compact_se_only_output_to(int descriptor);
void compact_se_may_set_errno(void);

#define NARROW ((struct format){format, NULL})
#define WIDE ((struct format){NULL, format})

#define READING(name, width, check, ...)                                                           \
    int name(__VA_ARGS__, ...) {                                                                   \
        va_list arguments;                                                                         \
        check                                                                                      \
        __builtin_va_start(arguments, format);                                                     \
        read_arguments(width, arguments);                                                          \
        __builtin_va_end(arguments);                                                               \
        compact_se_may_set_errno();                                                                \
        return 0;                                                                                  \
    }
#define READING_LIST(name, width, check, ...)                                                      \
    int name(__VA_ARGS__, va_list arguments) {                                                     \
        check                                                                                      \
        read_arguments(width, arguments);                                                          \
        compact_se_may_set_errno();                                                                \
        return 0;                                                                                  \
    }
#define TO_STREAM compact_se_only_output(file);

READING(compact_se_reading_printf, NARROW, , const char *format)
READING(compact_se_reading_fprintf, NARROW, TO_STREAM, void *file, const char *format)
READING(compact_se_reading_dprintf, NARROW, compact_se_only_output_to(file);, int file, const char *format)
READING_LIST(compact_se_reading_vdprintf, NARROW, compact_se_only_output_to(file);, int file, const char *format)
READING_LIST(compact_se_reading_vprintf, NARROW, , const char *format)
READING_LIST(compact_se_reading_vfprintf, NARROW, TO_STREAM, void *file, const char *format)
READING(compact_se_reading_wprintf, WIDE, , const wchar_t *format)
READING(compact_se_reading_fwprintf, WIDE, TO_STREAM, void *file, const wchar_t *format)
READING_LIST(compact_se_reading_vwprintf, WIDE, , const wchar_t *format)
READING_LIST(compact_se_reading_vfwprintf, WIDE, TO_STREAM, void *file, const wchar_t *format)
