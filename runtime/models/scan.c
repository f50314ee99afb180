/* Models of formatted input, in the C locale: sscanf and its kin, and what scanf and its kin do with a
 * stream (streams.c).
 *
 * Compiled and linked as string.c is. Conditions on characters have no branches within, and a number is one sum of
 * its digits, so that reading it is a path for each number of digits. What is not known here ends the path: long
 * double, %p, wide characters that are no ASCII, numbered arguments, floats of more than 60 characters.
 */
typedef __SIZE_TYPE__ size_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __WCHAR_TYPE__ wchar_t;
typedef __builtin_va_list va_list;
#define NULL ((void *)0)

enum { ERANGE = 34 };

__attribute__((noreturn)) void __compact_se_unsupported(const char *what);
void compact_se_set_errno(int number);
void *malloc(size_t bytes);
/* Of numbers.c. */
int compact_se_exceeds(const char *digits, size_t n, unsigned base, uint64_t value, uint64_t most);
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

static int is_space(char c) { return (c == ' ') | ((unsigned)c - '\t' < 5); }

static int is_sign(char c) { return (c == '-') | (c == '+'); }

static int is_figure(char c) { return (unsigned)c - '0' < 10; }

/* Whether a letter is this small one, or its capital. */
static int is_letter(char c, char small) { return ((unsigned char)c | 32) == small; }

static int is_hexadecimal(char c) { return is_figure(c) | (((unsigned)c | 32u) - 'a' < 6); }

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

/* Which numbers a conversion gives: those of strtol, strtoul, strtoll or strtoull. */
struct limits {
    uint64_t most;
    int is_signed;
};

/* Reads the number that begins at `*from` and takes at most `width` characters; `*from` is where it
 * ends. Whether there is one: of none, a sign is consumed. A prefix that no digit follows is a zero
 * with its letter. */
static int read_integer(struct source *source, size_t *from, size_t width, unsigned base,
                        int has_binary, struct limits limits, uint64_t *value, int *is_out_of_range) {
    const char *text = source->text;
    size_t at = *from, end = width > (size_t)-1 - at ? (size_t)-1 : at + width, digits;
    int has_zero = 0;
    uint64_t number = 0, negative = 0;
    if (at < end && is_sign(text[at])) {
        negative = text[at] == '-';
        at++;
    }
    if ((base == 0 || base == 16 || (has_binary && base == 2)) && at < end && text[at] == '0') {
        has_zero = 1;
        at++;
        if (base != 2 && at < end && is_letter(text[at], 'x')) {
            at++;
            base = 16;
        } else if (has_binary && base != 16 && at < end && is_letter(text[at], 'b')) {
            at++;
            base = 2;
        } else if (base == 0) {
            base = 8;
        }
    } else if (base == 0) {
        base = 10;
    }
    digits = at;
    if (base == 16)
        while (at < end && is_hexadecimal(text[at])) {
            number = 16 * number + digit_of(text[at]);
            at++;
        }
    else
        while (at < end && (unsigned)text[at] - '0' < base) {
            number = base * number + ((unsigned)text[at] - '0');
            at++;
        }
    /* A character behind is looked at, also where no more are taken. */
    look(source, at);
    *from = at;
    if (at == digits && !has_zero)
        return 0;
    if (limits.is_signed)
        limits.most += negative;
    if (compact_se_exceeds(text + digits, at - digits, base, number, limits.most)) {
        *is_out_of_range = 1;
        number = limits.most;
        negative &= (uint64_t)limits.is_signed;
    }
    *value = (number ^ -negative) + negative;
    return 1;
}

#define MOST_FLOAT 60

/* What is read of a float, as strtod reads it. */
struct number {
    char text[MOST_FLOAT + 1];
    size_t length;
};

static void append(struct number *number, char c) {
    if (number->length == MOST_FLOAT)
        __compact_se_unsupported("float of many characters in formatted input");
    number->text[number->length++] = c;
}

/* The rest of a word that has begun; a character that is none of it is taken too. */
static int read_word(struct source *source, size_t *at, size_t end, const char *rest, struct number *number) {
    for (; *rest != '\0'; rest++) {
        int is_it;
        if (*at >= end || is_at_end(source, *at))
            return 0;
        is_it = is_letter(source->text[*at], *rest);
        (*at)++;
        if (!is_it)
            return 0;
        append(number, *rest);
    }
    return 1;
}

/* Infinity or no number, behind a sign: whether there is one. */
static int read_name(struct source *source, size_t *at, size_t end, struct number *number) {
    char first = (char)(source->text[*at] | 32);
    append(number, first);
    (*at)++;
    if (first == 'n')
        return read_word(source, at, end, "an", number);
    if (!read_word(source, at, end, "nf", number))
        return 0;
    if (*at >= end || is_at_end(source, *at) || !is_letter(source->text[*at], 'i'))
        return 1;
    return read_word(source, at, end, "inity", number);
}

/* Reads the characters that may be those of a float, as read_integer does those of an integer, into
 * `number`; whether there are any. As in glibc an exponent without digits belongs to it. */
static int read_float(struct source *source, size_t *from, size_t width, struct number *number) {
    const char *text = source->text;
    size_t at = *from, end = width > (size_t)-1 - at ? (size_t)-1 : at + width, start = 0;
    int has_digit = 0, has_point = 0, has_exponent = 0, is_name, is_there = 1;
    char exponent = 'e';
    number->length = 0;
    if (at < end && !is_at_end(source, at) && is_sign(text[at])) {
        append(number, text[at++]);
        start = 1;
    }
    is_name = at < end && !is_at_end(source, at) && (is_letter(text[at], 'i') | is_letter(text[at], 'n'));
    if (is_name)
        is_there = read_name(source, &at, end, number);
    for (; !is_name && at < end && !is_at_end(source, at); at++) {
        char c = text[at], before = number->length == 0 ? '\0' : number->text[number->length - 1];
        if (is_figure(c) || (exponent == 'p' && !has_exponent && is_hexadecimal(c)))
            has_digit = 1;
        else if (has_exponent && before == exponent && is_sign(c))
            ;
        else if (has_digit && !has_exponent && is_letter(c, exponent)) {
            has_exponent = has_point = 1;
            c = exponent;
        } else if (!has_point && c == '.')
            has_point = 1;
        else if (number->length == start + 1 && before == '0' && is_letter(c, 'x') && at + 1 < end) {
            exponent = 'p';
            has_digit = 0;
        } else
            break;
        append(number, c);
    }
    number->text[number->length] = '\0';
    *from = at;
    /* A prefix alone is none; as in glibc it is one only where one more character may be taken. */
    return is_there && number->length > start && !(exponent == 'p' && number->length == start + 2);
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

/* In the C locale a character is a byte. */
static wchar_t wide_of(char c) {
    if (c < 0)
        __compact_se_unsupported("a byte of 128 or more as a wide character in formatted input");
    return c;
}

/* A character of a text that is stored, of bytes or of wide characters. */
static void store_character(void *to, int is_wide, size_t at, char c) {
    if (is_wide)
        ((wchar_t *)to)[at] = wide_of(c);
    else
        ((char *)to)[at] = c;
}

/* Gives back where it has come to. */
#define END_WITH(result)                                                                           \
    {                                                                                              \
        if (is_out_of_range)                                                                       \
            compact_se_set_errno(ERANGE);                                                          \
        source->consumed = at;                                                                     \
        return result;                                                                             \
    }

static int scan(struct source *source, const char *format, va_list arguments, int has_binary) {
    const char *text = source->text;
    size_t at = 0, end;
    int done = 0, is_out_of_range = 0;
    va_list rest;
    __builtin_va_copy(rest, arguments);
    while (*format != '\0') {
        char letter = *format++;
        int is_suppressed = 0, is_allocated = 0, is_wide, is_long, is_plain, size;
        const char *sizes;
        size_t width = 0;
        /* Where glibc comes to the end once more it restores errno. */
        if (is_out_of_range && (letter != '%' || *format != 'n')) {
            if (!is_at_end(source, at))
                compact_se_set_errno(ERANGE);
            is_out_of_range = 0;
        }
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
        if (*format == 'm') {
            is_allocated = 1;
            format++;
        }
        sizes = format;
        size = read_size(&format);
        is_plain = format == sizes;
        is_long = format == sizes + 1 && *sizes == 'l';
        letter = *format++;
        is_wide = is_long;
        if (letter == 'S' || letter == 'C') {
            is_wide = 1;
            letter |= 32;
        }
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
            const int is_signed = letter == 'd' || letter == 'i';
            const uint64_t all = size > (int)sizeof(long) ? (uint64_t)-1 : (unsigned long)-1;
            const struct limits limits = {is_signed ? all / 2 : all, is_signed};
            if (!read_integer(source, &end, width == 0 ? (size_t)-1 : width, base, has_binary, limits,
                              &value, &is_out_of_range)) {
                at = end;
                END_WITH(done)
            }
            if (!is_suppressed)
                store(__builtin_va_arg(rest, void *), size, value);
        } else if (((letter | 32) == 'f' || (letter | 32) == 'e' || (letter | 32) == 'g' ||
                    (letter | 32) == 'a') &&
                   (is_plain || is_long)) {
            struct number number = {{0}, 0};
            char *number_end = number.text;
            double value = 0;
            float narrow = 0;
            int is_there = read_float(source, &end, width == 0 ? (size_t)-1 : width, &number);
            if (is_there && is_long)
                value = strtod(number.text, &number_end);
            else if (is_there)
                narrow = strtof(number.text, &number_end);
            if (number_end == number.text) {
                at = end;
                END_WITH(done)
            }
            if (!is_suppressed && is_long)
                *(double *)__builtin_va_arg(rest, void *) = value;
            else if (!is_suppressed)
                *(float *)__builtin_va_arg(rest, void *) = narrow;
        } else if ((letter == 'c' || letter == 's' || letter == '[') && (is_plain || is_long)) {
            const char *set = format;
            void *to = NULL;
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
            if (!is_suppressed && !is_allocated)
                to = __builtin_va_arg(rest, void *);
            while ((width == 0 || end - at < width) && !is_at_end(source, end) &&
                   (letter == 'c' || (letter == 's' && !is_space(text[end])) ||
                    (letter == '[' && is_member(text[end], set, format - 1)))) {
                if (to)
                    store_character(to, is_wide, end - at, text[end]);
                end++;
            }
            if (end == at)
                END_WITH(done)
            if (!is_suppressed && is_allocated) {
                size_t length = end - at, n = length + (letter != 'c');
                to = malloc(n * (is_wide ? sizeof(wchar_t) : 1));
                *__builtin_va_arg(rest, void **) = to;
                for (size_t i = 0; i < length; i++)
                    store_character(to, is_wide, i, text[at + i]);
            }
            if (to && letter != 'c')
                store_character(to, is_wide, end - at, '\0');
        } else {
            __compact_se_unsupported("formatted input of values other than integers, floats, characters and texts");
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

/* Functions with these names, which scan texts of such characters. */
#define SCAN(name, scan, character, has_binary)                                                    \
    int name(const character *restrict text, const character *restrict format, ...) {              \
        int done;                                                                                  \
        va_list arguments;                                                                         \
        __builtin_va_start(arguments, format);                                                     \
        done = scan(text, format, arguments, has_binary);                                          \
        __builtin_va_end(arguments);                                                               \
        return done;                                                                               \
    }
#define SCAN_LIST(name, scan, character, has_binary)                                               \
    int name(const character *restrict text, const character *restrict format, va_list arguments) { \
        return scan(text, format, arguments, has_binary);                                          \
    }

SCAN(sscanf, scan_text, char, 0)
SCAN(__isoc99_sscanf, scan_text, char, 0)
SCAN(__isoc23_sscanf, scan_text, char, 1)
SCAN_LIST(vsscanf, scan_text, char, 0)
SCAN_LIST(__isoc99_vsscanf, scan_text, char, 0)
SCAN_LIST(__isoc23_vsscanf, scan_text, char, 1)

/* Of what is left of a stream; gives back how much of it is taken, and whether more was asked for. */
int compact_se_scan_rest(const char *rest, size_t length, const char *format, va_list arguments,
                         int has_binary, size_t *consumed, int *saw_end) {
    struct source source = {rest, length, 0, 0};
    int done = scan(&source, format, arguments, has_binary);
    *consumed = source.consumed;
    *saw_end = source.saw_end;
    return done;
}

/* --- Wide characters ------------------------------------------------------------------------ */

enum { LONGEST_TEXT = 500 };

static void narrow_text(const wchar_t *text, char to[LONGEST_TEXT + 1]) {
    size_t i;
    for (i = 0; text[i] != 0; i++) {
        if (i == LONGEST_TEXT)
            __compact_se_unsupported("formatted input from a wide text of more than 500 characters");
        if ((unsigned)text[i] > 127)
            __compact_se_unsupported("a wide character of 128 or more in formatted input");
        to[i] = (char)text[i];
    }
    to[i] = '\0';
}

static int scan_wide(const wchar_t *text, const wchar_t *format, va_list arguments, int has_binary) {
    char narrow[LONGEST_TEXT + 1] = {0}, narrow_format[LONGEST_TEXT + 1] = {0};
    narrow_text(text, narrow);
    narrow_text(format, narrow_format);
    return scan_text(narrow, narrow_format, arguments, has_binary);
}

/* Of what is left of a stream, whose bytes are its characters. */
int compact_se_scan_wide_rest(const char *rest, size_t length, const wchar_t *format, va_list arguments,
                              int has_binary, size_t *consumed, int *saw_end) {
    char narrow_format[LONGEST_TEXT + 1] = {0};
    int done, has_others = 0;
    narrow_text(format, narrow_format);
    done = compact_se_scan_rest(rest, length, narrow_format, arguments, has_binary, consumed, saw_end);
    /* With the one behind, which was looked at. */
    for (size_t i = 0; i < length && i <= *consumed; i++)
        has_others |= rest[i] < 0;
    if (has_others)
        __compact_se_unsupported("a byte of 128 or more as a wide character in formatted input");
    return done;
}

SCAN(swscanf, scan_wide, wchar_t, 0)
SCAN(__isoc99_swscanf, scan_wide, wchar_t, 0)
SCAN(__isoc23_swscanf, scan_wide, wchar_t, 1)
SCAN_LIST(vswscanf, scan_wide, wchar_t, 0)
SCAN_LIST(__isoc99_vswscanf, scan_wide, wchar_t, 0)
SCAN_LIST(__isoc23_vswscanf, scan_wide, wchar_t, 1)
