/* What output functions read of the program's memory, for programs whose accesses are checked: stdio.c,
 * files.c and environment.c say what these functions do, and nobody looks at what is put out.
 *
 * Compiled and linked as stdio.c is. A text is read up to its end or its precision, of other blocks the
 * first and the last byte: what lies between is part of the same object.
 */
typedef __SIZE_TYPE__ size_t;
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

void compact_se_reads_text(const char *text) { read_characters(text, -1); }

/* Where nobody reads files back, streams are memory of the system. */
void compact_se_uses_stream(const void *file) { compact_se_reads_bytes(file, 1); }

void __compact_se_free_of_system(void *block);

void compact_se_closes_stream(void *file) {
    compact_se_uses_stream(file);
    __compact_se_free_of_system(file);
}

static int read_number(const char **format) {
    int value = 0;
    for (; **format >= '0' && **format <= '9'; (*format)++)
        value = value > 100000 ? value : 10 * value + (**format - '0');
    return value;
}

/* The texts among the arguments; of a conversion that is not known, and of what comes behind it, nothing. */
static void read_arguments(const char *format, va_list arguments) {
    va_list rest;
    __builtin_va_copy(rest, arguments);
    while (*format != '\0') {
        int precision = -1, size = sizeof(int);
        if (*format++ != '%')
            continue;
        while (*format == '-' || *format == '+' || *format == ' ' || *format == '#' ||
               *format == '0' || *format == '\'')
            format++;
        if (*format == '*') {
            format++;
            (void)__builtin_va_arg(rest, int);
        } else {
            read_number(&format);
        }
        if (*format == '.') {
            format++;
            if (*format == '*') {
                format++;
                precision = __builtin_va_arg(rest, int);
            } else {
                precision = read_number(&format);
            }
        }
        for (; *format == 'h' || *format == 'l' || *format == 'q' || *format == 'j' || *format == 'z' ||
               *format == 'Z' || *format == 't';
             format++)
            if (*format != 'h')
                size = *format == 'q' || *format == 'j' || (*format == 'l' && size == sizeof(long))
                           ? sizeof(long long)
                           : sizeof(long);
        switch (*format++) {
        case 'd': case 'i': case 'u': case 'x': case 'X': case 'o': case 'c':
            if (size == sizeof(long long))
                (void)__builtin_va_arg(rest, long long);
            else
                (void)__builtin_va_arg(rest, int);
            break;
        case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
            (void)__builtin_va_arg(rest, double);
            break;
        case 's': {
            const char *text = __builtin_va_arg(rest, const char *);
            /* The C library puts "(null)" out. Wide texts are not looked at. */
            if (text != NULL && format[-2] != 'l')
                read_characters(text, precision < 0 ? -1 : precision);
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

#define READING(name, check, ...)                                                                  \
    int name(__VA_ARGS__, ...) {                                              \
        va_list arguments;                                                                         \
        check                                                                                      \
        __builtin_va_start(arguments, format);                                                     \
        read_arguments(format, arguments);                                                         \
        __builtin_va_end(arguments);                                                               \
        compact_se_may_set_errno();                                                                \
        return 0;                                                                                  \
    }
#define READING_LIST(name, check, ...)                                                             \
    int name(__VA_ARGS__, va_list arguments) {                                \
        check                                                                                      \
        read_arguments(format, arguments);                                                         \
        compact_se_may_set_errno();                                                                \
        return 0;                                                                                  \
    }

READING(compact_se_reading_printf, , const char *format)
READING(compact_se_reading_fprintf, compact_se_only_output(file);, void *file, const char *format)
READING(compact_se_reading_dprintf, compact_se_only_output_to(file);, int file, const char *format)
READING_LIST(compact_se_reading_vprintf, , const char *format)
READING_LIST(compact_se_reading_vfprintf, compact_se_only_output(file);, void *file, const char *format)
