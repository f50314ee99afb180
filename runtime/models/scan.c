/* Models of formatted input, in the C locale: sscanf and its kin, and what scanf and its kin do with a
 * stream (streams.c).
 *
 * Compiled and linked as string.c is. What is not known here ends the path: hexadecimal floats, infinities
 * and NaN, long double, %p, wide characters, memory that is allocated (%ms), numbered arguments, integers
 * of more than 18 digits, floats of more than 60 characters.
 */
typedef __SIZE_TYPE__ size_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __builtin_va_list va_list;

__attribute__((noreturn)) void __compact_se_unsupported(const char *what);
double strtod(const char *restrict text, char **restrict end);
float strtof(const char *restrict text, char **restrict end);

/* What is read: a text up to the zero behind it, or what is left of a stream, which may hold zeros
 * and has one behind it. */
struct source {
    const char *text;
    size_t length;   /* of a stream */
    size_t consumed; /* when it is read */
    int saw_end;     /* whether a stream was asked for more than it has */
};
#define IS_TEXT ((size_t)-1)

static char look(struct source *source, size_t at) {
    source->saw_end |= at == source->length;
    return source->text[at];
}

static int is_at_end(struct source *source, size_t at) {
    char c = look(source, at);
    return source->length == IS_TEXT ? c == '\0' : at == source->length;
}

static int is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* Among figures and letters, as numbers.c has it. */
static int is_digit_of(char c, unsigned base) {
    unsigned figures = base < 10 ? base : 10, letters = base < 10 ? 0 : base - 10;
    return ((unsigned)c - '0' < figures) | (((unsigned)c | 32u) - 'a' < letters);
}

static unsigned digit_of(char c) {
    return (unsigned)c - '0' - 7 * (unsigned)(c > '9') - 32 * (unsigned)(c > 'Z');
}

static void store(void *to, int size, uint64_t value) {
    if (size == 1)
        *(unsigned char *)to = (unsigned char)value;
    else if (size == 2)
        *(unsigned short *)to = (unsigned short)value;
    else if (size == 4)
        *(unsigned *)to = (unsigned)value;
    else
        *(uint64_t *)to = value;
}

/* Reads the number that begins at `*from` and takes at most `width` characters; `*from` is where it
 * ends. Whether there is one: of none, a sign is consumed. A prefix that no digit follows is a zero
 * with its letter. */
static int read_integer(struct source *source, size_t *from, size_t width, unsigned base,
                        int has_binary, uint64_t *value) {
    const char *text = source->text;
    size_t at = *from, end = width > (size_t)-1 - at ? (size_t)-1 : at + width, digits;
    int negative = 0, has_zero = 0;
    uint64_t number = 0;
    if (at < end && (text[at] == '-' || text[at] == '+')) {
        negative = text[at] == '-';
        at++;
    }
    if ((base == 0 || base == 16 || (has_binary && base == 2)) && at < end && text[at] == '0') {
        has_zero = 1;
        at++;
        if (base != 2 && at < end && (text[at] | 32) == 'x') {
            at++;
            base = 16;
        } else if (has_binary && base != 16 && at < end && (text[at] | 32) == 'b') {
            at++;
            base = 2;
        } else if (base == 0) {
            base = 8;
        }
    } else if (base == 0) {
        base = 10;
    }
    digits = at;
    while (at < end && is_digit_of(text[at], base)) {
        number = base * number + digit_of(text[at]);
        at++;
    }
    /* A character behind is looked at, also where no more are taken. */
    look(source, at);
    *from = at;
    if (at == digits && !has_zero)
        return 0;
    if (at - digits > 12 && (base != 10 || at - digits > 18))
        __compact_se_unsupported("number of many digits in formatted input");
    *value = negative ? -number : number;
    return 1;
}

#define MOST_FLOAT 60

static int is_sign(char c) { return c == '-' || c == '+'; }

/* Reads the characters that may be those of a float, as read_integer does those of an integer, into
 * `number`. As in glibc an exponent without digits belongs to it. */
static void read_float(struct source *source, size_t *from, size_t width, char number[MOST_FLOAT + 1]) {
    const char *text = source->text;
    size_t at = *from, end = width > (size_t)-1 - at ? (size_t)-1 : at + width, length = 0;
    int has_digit = 0, has_point = 0, has_exponent = 0;
    for (; at < end && !is_at_end(source, at); at++) {
        char c = text[at], before = length == 0 ? '\0' : number[length - 1];
        int is_first = length == 0 || (length == 1 && is_sign(before));
        if (is_digit_of(c, 10))
            has_digit = 1;
        else if (is_sign(c) && (length == 0 || (has_exponent && before == 'e')))
            ;
        else if (has_digit && !has_exponent && (c | 32) == 'e') {
            has_exponent = has_point = 1;
            c = 'e';
        } else if (!has_point && c == '.')
            has_point = 1;
        else if (is_first && ((c | 32) == 'i' || (c | 32) == 'n'))
            __compact_se_unsupported("infinity or NaN in formatted input");
        else if ((c | 32) == 'x' && before == '0' && (length == 1 || (length == 2 && is_sign(number[0]))))
            __compact_se_unsupported("hexadecimal float in formatted input");
        else
            break;
        if (length == MOST_FLOAT)
            __compact_se_unsupported("float of many characters in formatted input");
        number[length++] = c;
    }
    number[length] = '\0';
    *from = at;
}

/* Whether a character is in the set of %[, which ends before `end`. */
static int is_member(char c, const char *set, const char *end) {
    int is_excluding = *set == '^', is_found = 0;
    const char *first = set += is_excluding;
    for (; set < end; set++) {
        if (*set == '-' && set > first && set + 1 < end &&
            (unsigned char)set[-1] <= (unsigned char)set[1]) {
            is_found |= (unsigned char)set[-1] <= (unsigned char)c &&
                        (unsigned char)c <= (unsigned char)set[1];
        }
        else
            is_found |= c == *set;
    }
    return is_found != is_excluding;
}

static int read_size(const char **format) {
    char letter = **format;
    if (letter == 'h' && (*format)[1] == 'h') {
        *format += 2;
        return 1;
    }
    if (letter == 'l' && (*format)[1] == 'l') {
        *format += 2;
        return sizeof(long long);
    }
    if (letter != 'h' && letter != 'l' && letter != 'q' && letter != 'j' && letter != 'z' &&
        letter != 't')
        return sizeof(int);
    (*format)++;
    return letter == 'h'                    ? sizeof(short)
           : letter == 'q' || letter == 'j' ? sizeof(long long)
                                            : sizeof(long);
}

enum { END_OF_INPUT = -1 };

/* Gives back where it has come to. */
#define END_WITH(result)                                                                           \
    {                                                                                              \
        source->consumed = at;                                                                     \
        return result;                                                                             \
    }

static int scan(struct source *source, const char *format, va_list arguments, int has_binary) {
    const char *text = source->text;
    size_t at = 0, end;
    int done = 0;
    va_list rest;
    __builtin_va_copy(rest, arguments);
    while (*format != '\0') {
        char letter = *format++;
        int is_suppressed = 0, is_letter_size, is_long, is_plain, size;
        const char *sizes;
        size_t width = 0;
        if (is_space(letter)) {
            while (is_space(look(source, at)))
                at++;
            continue;
        }
        if (letter != '%') {
            if (is_at_end(source, at))
                END_WITH(done == 0 ? END_OF_INPUT : done)
            if (text[at] != letter)
                END_WITH(done)
            at++;
            continue;
        }
        if (*format == '*') {
            is_suppressed = 1;
            format++;
        }
        while (*format >= '0' && *format <= '9') {
            if (width > 100000)
                __compact_se_unsupported("format with a width above 100,000");
            width = 10 * width + (size_t)(*format++ - '0');
        }
        if (*format == '$')
            __compact_se_unsupported("format with numbered arguments");
        is_letter_size = *format == 'l' || *format == 'h';
        sizes = format;
        size = read_size(&format);
        is_plain = format == sizes;
        is_long = format == sizes + 1 && *sizes == 'l';
        letter = *format++;
        if (letter != '[' && letter != 'c' && letter != 'n')
            while (is_space(look(source, at)))
                at++;
        if (letter == 'n') {
            if (!is_suppressed)
                store(__builtin_va_arg(rest, void *), size, at);
            continue;
        }
        if (is_at_end(source, at))
            END_WITH(done == 0 ? END_OF_INPUT : done)
        if (letter == '%') {
            if (text[at] != '%')
                END_WITH(done)
            at++;
            continue;
        }
        end = at;
        if (letter == 'd' || letter == 'i' || letter == 'u' || letter == 'x' || letter == 'X' ||
            letter == 'o') {
            uint64_t value = 0;
            unsigned base = letter == 'i'                    ? 0
                            : letter == 'o'                  ? 8
                            : letter == 'd' || letter == 'u' ? 10
                                                             : 16;
            if (!read_integer(source, &end, width == 0 ? (size_t)-1 : width, base, has_binary,
                              &value)) {
                at = end;
                END_WITH(done)
            }
            if (!is_suppressed)
                store(__builtin_va_arg(rest, void *), size, value);
        } else if (((letter | 32) == 'f' || (letter | 32) == 'e' || (letter | 32) == 'g' ||
                    (letter | 32) == 'a') &&
                   (is_plain || is_long)) {
            char number[MOST_FLOAT + 1], *number_end;
            double value = 0;
            float narrow = 0;
            read_float(source, &end, width == 0 ? (size_t)-1 : width, number);
            if (is_long)
                value = strtod(number, &number_end);
            else
                narrow = strtof(number, &number_end);
            if (number_end == number) {
                at = end;
                END_WITH(done)
            }
            if (!is_suppressed && is_long)
                *(double *)__builtin_va_arg(rest, void *) = value;
            else if (!is_suppressed)
                *(float *)__builtin_va_arg(rest, void *) = narrow;
        } else if ((letter == 'c' || letter == 's' || letter == '[') && !is_letter_size) {
            const char *set = format;
            char *to = is_suppressed ? 0 : __builtin_va_arg(rest, char *);
            if (letter == 'c' && width == 0)
                width = 1;
            if (letter == '[') {
                format += *format == '^';
                /* A bracket that comes first belongs to the set. */
                format += *format == ']';
                while (*format != ']') {
                    if (*format == '\0')
                        END_WITH(done)
                    format++;
                }
                format++;
            }
            while ((width == 0 || end - at < width) && !is_at_end(source, end) &&
                   (letter == 'c' || (letter == 's' && !is_space(text[end])) ||
                    (letter == '[' && is_member(text[end], set, format - 1)))) {
                if (to)
                    to[end - at] = text[end];
                end++;
            }
            if (end == at)
                END_WITH(done)
            if (to && letter != 'c')
                to[end - at] = '\0';
        } else {
            __compact_se_unsupported("formatted input of other than integers, floats, characters and texts");
        }
        at = end;
        done += !is_suppressed;
    }
    __builtin_va_end(rest);
    END_WITH(done)
}

static int scan_text(const char *text, const char *format, va_list arguments, int has_binary) {
    struct source source = {text, IS_TEXT, 0, 0};
    return scan(&source, format, arguments, has_binary);
}

#define SCAN(name, has_binary)                                                                     \
    int name(const char *restrict text, const char *restrict format, ...) {                        \
        int done;                                                                                  \
        va_list arguments;                                                                         \
        __builtin_va_start(arguments, format);                                                     \
        done = scan_text(text, format, arguments, has_binary);                                          \
        __builtin_va_end(arguments);                                                               \
        return done;                                                                               \
    }
#define SCAN_LIST(name, has_binary)                                                                \
    int name(const char *restrict text, const char *restrict format, va_list arguments) {          \
        return scan_text(text, format, arguments, has_binary);                                          \
    }

SCAN(sscanf, 0)
SCAN(__isoc99_sscanf, 0)
SCAN(__isoc23_sscanf, 1)
SCAN_LIST(vsscanf, 0)
SCAN_LIST(__isoc99_vsscanf, 0)
SCAN_LIST(__isoc23_vsscanf, 1)

/* Of what is left of a stream; gives back how much of it is taken, and whether more was asked for. */
int compact_se_scan_rest(const char *rest, size_t length, const char *format, va_list arguments,
                         int has_binary, size_t *consumed, int *saw_end) {
    struct source source = {rest, length, 0, 0};
    int done = scan(&source, format, arguments, has_binary);
    *consumed = source.consumed;
    *saw_end = source.saw_end;
    return done;
}
