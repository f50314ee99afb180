/* Models of formatted output to texts, in the C locale: snprintf, swprintf and their kin.
 *
 * Compiled and linked as string.c is. Integers, characters and texts are written branch by branch
 * as few as there are digits; floats are exact, by large integers. What is not known here ends the
 * path: %p, wide characters that are no ASCII, %m, long floats, numbered arguments.
 */
typedef __SIZE_TYPE__ size_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __INT64_TYPE__ int64_t;
typedef __WCHAR_TYPE__ wchar_t;
typedef __WINT_TYPE__ wint_t;
typedef __builtin_va_list va_list;
#define NULL ((void *)0)

__attribute__((noreturn)) void __compact_se_unsupported(const char *what);
void *malloc(size_t bytes);
void compact_se_may_set_errno(void);

/* --- Where it goes -------------------------------------------------------------------------- */

/* A text of `size` bytes, its terminator among them; `length` counts what does not fit, too. */
struct output {
    char *text;
    size_t size, length;
};

static void put(struct output *output, char c) {
    if (output->length + 1 < output->size)
        output->text[output->length] = c;
    output->length++;
}

static void put_many(struct output *output, char c, int count) {
    for (int i = 0; i < count; i++)
        put(output, c);
}

/* --- What stands behind % ------------------------------------------------------------------- */

struct conversion {
    int left, plus, space, alternative, zero;
    int width;
    int precision; /* negative where none is given */
    int size;      /* bytes of an integer */
};

/* `length` characters, with a sign or prefix before them, and what fills up the width. */
static void put_field(struct output *output, const struct conversion *conversion,
                      const char *prefix, int n_prefix, const char *text, int length, int zeros,
                      int may_fill_with_zeros) {
    int fill = conversion->width - n_prefix - zeros - length;
    int fill_zeros = conversion->zero && !conversion->left && may_fill_with_zeros;
    if (!conversion->left && !fill_zeros)
        put_many(output, ' ', fill);
    for (int i = 0; i < n_prefix; i++)
        put(output, prefix[i]);
    put_many(output, '0', fill_zeros ? zeros + (fill > 0 ? fill : 0) : zeros);
    for (int i = 0; i < length; i++)
        put(output, text[i]);
    if (conversion->left)
        put_many(output, ' ', fill);
}

/* --- Integers ------------------------------------------------------------------------------- */

/* Enough for 64 bits in octal. */
enum { MOST_DIGITS = 22 };

#define DIGITS(name, type)                                                                         \
    static int name(type value, type base, char ten, char digits[MOST_DIGITS]) {                   \
        int at = MOST_DIGITS;                                                                      \
        while (value != 0) {                                                                       \
            type digit = value % base;                                                             \
            digits[--at] = (char)('0' + digit + (type)(ten - '0' - 10) * (digit > 9));             \
            value /= base;                                                                         \
        }                                                                                          \
        return at;                                                                                 \
    }
DIGITS(digits_of_32, uint32_t)
DIGITS(digits_of_64, uint64_t)

static void put_integer(struct output *output, const struct conversion *conversion, char letter,
                        uint64_t value) {
    char digits[MOST_DIGITS] = {0}, prefix[2] = {0}, ten = letter == 'X' ? 'A' : 'a';
    unsigned base = letter == 'o' ? 8 : (letter == 'x' || letter == 'X') ? 16 : 10;
    int n_prefix = 0, at, length, zeros;
    int is_signed = letter == 'd' || letter == 'i';
    if (is_signed && (int64_t)value < 0) {
        prefix[n_prefix++] = '-';
        value = -value;
    } else if (is_signed && conversion->plus) {
        prefix[n_prefix++] = '+';
    } else if (is_signed && conversion->space) {
        prefix[n_prefix++] = ' ';
    }
    if (base == 16 && conversion->alternative && value != 0) {
        prefix[n_prefix++] = '0';
        prefix[n_prefix++] = letter;
    }
    if (conversion->size <= 4)
        at = digits_of_32((uint32_t)value, base, ten, digits);
    else
        at = digits_of_64(value, base, ten, digits);
    length = MOST_DIGITS - at;
    zeros = (conversion->precision < 0 ? 1 : conversion->precision) - length;
    if (zeros < 0)
        zeros = 0;
    if (base == 8 && conversion->alternative && zeros == 0)
        zeros = (length == 0 || digits[at] != '0');
    put_field(output, conversion, prefix, n_prefix, digits + at, length, zeros,
              conversion->precision < 0);
}

/* --- Floats --------------------------------------------------------------------------------- */

/* A double is at most 53 bits times 2^971, or times 5^1074 over 10^1074: 768 digits. */
enum { WORDS = 84, MOST_DECIMALS = 800 };

/* The decimal digits of m · 2^exponent, in reverse; how many there are, at least one. Those before
 * the position *point are behind the point. */
__attribute__((cold)) static int decimals(uint64_t m, int exponent, char *reversed, int *point) {
    uint32_t word[WORDS] = {0};
    uint32_t factor = exponent < 0 ? 5 : 2;
    int n_words = 2, n = 0, n_steps = exponent < 0 ? -exponent : exponent;
    word[0] = (uint32_t)m;
    word[1] = (uint32_t)(m >> 32);
    for (int step = 0; step < n_steps; step++) {
        uint64_t carry = 0;
        for (int i = 0; i < n_words; i++) {
            carry += (uint64_t)word[i] * factor;
            word[i] = (uint32_t)carry;
            carry >>= 32;
        }
        if (carry != 0)
            word[n_words++] = (uint32_t)carry;
    }
    while (n_words > 0) {
        uint64_t rest = 0;
        for (int i = n_words - 1; i >= 0; i--) {
            rest = rest << 32 | word[i];
            word[i] = (uint32_t)(rest / 1000000000);
            rest %= 1000000000;
        }
        for (int i = 0; i < 9; i++) {
            reversed[n++] = (char)('0' + rest % 10);
            rest /= 10;
        }
        while (n_words > 0 && word[n_words - 1] == 0)
            n_words--;
    }
    while (n > 1 && reversed[n - 1] == '0')
        n--;
    *point = exponent < 0 ? -exponent : 0;
    return n;
}

/* Rounds to nearest, ties to even: digits before `first` become 0. How many digits there are then. */
__attribute__((cold)) static int round_decimals(char *reversed, int n, int first) {
    int is_up, is_more = 0, i;
    if (first <= 0)
        return n;
    if (first > n) {
        for (i = 0; i < n; i++)
            reversed[i] = '0';
        return n;
    }
    for (i = 0; i < first - 1; i++)
        is_more |= reversed[i] != '0';
    is_up = reversed[first - 1] > '5' ||
            (reversed[first - 1] == '5' &&
             (is_more || (first < n && (reversed[first] - '0') % 2 == 1)));
    for (i = 0; i < first; i++)
        reversed[i] = '0';
    if (!is_up)
        return n;
    for (; i < n && reversed[i] == '9'; i++)
        reversed[i] = '0';
    if (i == n) {
        reversed[n] = '1';
        return n + 1;
    }
    reversed[i]++;
    return n;
}

/* Digits and more of a float, written one behind the other. */
struct body {
    char text[2 * MOST_DECIMALS];
    int length;
};

__attribute__((cold)) static void put_exponent(struct body *body, char letter, int exponent) {
    body->text[body->length++] = letter;
    body->text[body->length++] = exponent < 0 ? '-' : '+';
    if (exponent < 0)
        exponent = -exponent;
    if (exponent >= 100)
        body->text[body->length++] = (char)('0' + exponent / 100);
    body->text[body->length++] = (char)('0' + exponent / 10 % 10);
    body->text[body->length++] = (char)('0' + exponent % 10);
}

/* So many digits behind the point are computed; more of them are 0, and refused. */
enum { MOST_PRECISION = 700 };

/* A leading digit, and four bits of the fraction a digit: exact, or rounded to nearest, ties to even. */
__attribute__((cold)) static void put_hexadecimal(struct output *output,
                                                  const struct conversion *conversion, char letter,
                                                  uint64_t bits, const char *sign, int n_sign) {
    char prefix[3] = {0};
    struct body body = {{0}, 0};
    int exponent = (int)(bits >> 52 & 0x7ff), n_digits = 13, n_zeros = 0, n_prefix = 0;
    uint64_t m = bits & (((uint64_t)1 << 52) - 1);
    if (exponent != 0)
        m |= (uint64_t)1 << 52;
    else if (m != 0)
        exponent = 1;
    exponent = m == 0 ? 0 : exponent - 1023;
    if (conversion->precision < 0) {
        while (n_digits > 0 && (m >> (52 - 4 * n_digits) & 15) == 0)
            n_digits--;
        m >>= 52 - 4 * n_digits;
    } else if (conversion->precision < 13) {
        int dropped = 52 - 4 * conversion->precision;
        uint64_t half = (uint64_t)1 << (dropped - 1), rest = m & (2 * half - 1);
        n_digits = conversion->precision;
        m >>= dropped;
        m += rest > half || (rest == half && m % 2 == 1);
    } else {
        n_zeros = conversion->precision - 13;
    }
    if (n_sign > 0)
        prefix[n_prefix++] = sign[0];
    prefix[n_prefix++] = '0';
    prefix[n_prefix++] = letter == 'a' ? 'x' : 'X';
    body.text[body.length++] = (char)('0' + (m >> 4 * n_digits));
    if (n_digits > 0 || conversion->alternative)
        body.text[body.length++] = '.';
    for (int i = n_digits - 1; i >= 0; i--) {
        int digit = (int)(m >> 4 * i & 15);
        body.text[body.length++] = (char)(digit < 10 ? '0' + digit : letter + digit - 10);
    }
    for (int i = 0; i < n_zeros; i++)
        body.text[body.length++] = '0';
    body.text[body.length++] = letter == 'a' ? 'p' : 'P';
    body.text[body.length++] = exponent < 0 ? '-' : '+';
    if (exponent < 0)
        exponent = -exponent;
    for (int power = 1000; power > 0; power /= 10)
        if (exponent >= power || power == 1)
            body.text[body.length++] = (char)('0' + exponent / power % 10);
    put_field(output, conversion, prefix, n_prefix, body.text, body.length, 0, 1);
}

__attribute__((cold)) static void put_double(struct output *output,
                                             const struct conversion *conversion, char letter,
                                             double value) {
    union {
        double value;
        uint64_t bits;
    } both = {value};
    uint64_t m = both.bits & (((uint64_t)1 << 52) - 1);
    int exponent = (int)(both.bits >> 52 & 0x7ff), n_prefix = 0;
    int is_capital = letter < 'a', is_general = letter == 'g' || letter == 'G';
    int precision = conversion->precision < 0 ? 6 : conversion->precision;
    int n, point, decimal_exponent, is_zero, is_exponential = letter == 'e' || letter == 'E';
    char prefix[1] = {0}, reversed[MOST_DECIMALS + 400] = {0};
    struct body body = {{0}, 0};
    if (both.bits >> 63)
        prefix[n_prefix++] = '-';
    else if (conversion->plus)
        prefix[n_prefix++] = '+';
    else if (conversion->space)
        prefix[n_prefix++] = ' ';
    if (exponent == 0x7ff) {
        const char *text = m == 0 ? (is_capital ? "INF" : "inf") : (is_capital ? "NAN" : "nan");
        put_field(output, conversion, prefix, n_prefix, text, 3, 0, 0);
        return;
    }
    if (precision > MOST_PRECISION)
        __compact_se_unsupported("format of a float with more than 700 digits");
    if (letter == 'a' || letter == 'A') {
        put_hexadecimal(output, conversion, letter, both.bits, prefix, n_prefix);
        return;
    }
    if (exponent == 0)
        exponent = 1;
    else
        m |= (uint64_t)1 << 52;
    is_zero = m == 0;
    exponent -= 1075;
    while (m % 2 == 0 && exponent < 0) {
        m /= 2;
        exponent++;
    }
    n = decimals(m, exponent, reversed, &point);
    if (is_general && precision == 0)
        precision = 1;
    /* The exponent is that of the rounded number. */
    if (is_exponential || is_general) {
        int kept = is_general ? precision : precision + 1;
        int n_before = n;
        n = round_decimals(reversed, n, n - kept);
        /* glibc leaves zeros out that C asks for. */
        if (is_general && conversion->alternative && n > n_before)
            __compact_se_unsupported("%#g of a number that is rounded up to a power of ten");
        decimal_exponent = is_zero ? 0 : n - 1 - point;
        if (is_general) {
            is_exponential = decimal_exponent < -4 || decimal_exponent >= precision;
            precision -= is_exponential ? 1 : decimal_exponent + 1;
        }
    } else {
        n = round_decimals(reversed, n, point - precision);
        decimal_exponent = 0;
    }
    /* Positions count as in `reversed`; what it does not have is 0. */
    {
        int top = is_exponential ? n - 1 : point, last, behind = precision;
        if (!is_exponential && n > point)
            top = n - 1;
        if (is_zero && is_exponential)
            top = 0;
        last = is_exponential ? top : point;
        for (int at = top; at >= last; at--)
            body.text[body.length++] = at < n ? reversed[at] : '0';
        if (is_general && !conversion->alternative)
            while (behind > 0 && (last - behind < 0 || last - behind >= n ||
                                  reversed[last - behind] == '0'))
                behind--;
        if (behind > 0 || conversion->alternative)
            body.text[body.length++] = '.';
        for (int at = last - 1; at >= last - behind; at--)
            body.text[body.length++] = at >= 0 && at < n ? reversed[at] : '0';
    }
    if (is_exponential)
        put_exponent(&body, is_capital ? 'E' : 'e', decimal_exponent);
    put_field(output, conversion, prefix, n_prefix, body.text, body.length, 0, 1);
}

/* --- Texts ---------------------------------------------------------------------------------- */

static void put_text(struct output *output, const struct conversion *conversion,
                     const char *text) {
    int length = 0, precision = conversion->precision;
    if (text == NULL)
        text = precision < 0 || precision >= 6 ? "(null)" : "";
    while ((precision < 0 || length < precision) && text[length] != '\0')
        length++;
    put_field(output, conversion, NULL, 0, text, length, 0, 0);
}

/* In the C locale a wide character is a byte. */
static char byte_of(wint_t c) {
    if (c > 127)
        __compact_se_unsupported("a wide character of 128 or more in formatted output");
    return (char)c;
}

static void put_wide_text(struct output *output, const struct conversion *conversion,
                          const wchar_t *text) {
    int length = 0, precision = conversion->precision, fill;
    if (text == NULL) {
        put_text(output, conversion, NULL);
        return;
    }
    while ((precision < 0 || length < precision) && text[length] != 0)
        length++;
    fill = conversion->width - length;
    if (!conversion->left)
        put_many(output, ' ', fill);
    for (int i = 0; i < length; i++)
        put(output, byte_of((wint_t)text[i]));
    if (conversion->left)
        put_many(output, ' ', fill);
}

/* --- Formats -------------------------------------------------------------------------------- */

static int read_number(const char **format) {
    int value = 0;
    while (**format >= '0' && **format <= '9') {
        if (value > 100000)
            __compact_se_unsupported("format with a width or precision above 100,000");
        value = 10 * value + (*(*format)++ - '0');
    }
    return value;
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
        letter != 'Z' && letter != 't')
        return sizeof(int);
    (*format)++;
    return letter == 'h'                    ? sizeof(short)
           : letter == 'q' || letter == 'j' ? sizeof(long long)
                                            : sizeof(long);
}

/* The argument, extended with its sign where that is asked for. */
static uint64_t narrow(uint64_t value, int size, int is_signed) {
    if (size == 1)
        return is_signed ? (uint64_t)(int64_t)(signed char)value : (unsigned char)value;
    if (size == 2)
        return is_signed ? (uint64_t)(int64_t)(short)value : (unsigned short)value;
    if (size == 4)
        return is_signed ? (uint64_t)(int64_t)(int)value : (unsigned)value;
    return value;
}

static void store_length(void *to, int size, size_t length) {
    if (size == 1)
        *(signed char *)to = (signed char)length;
    else if (size == 2)
        *(short *)to = (short)length;
    else if (size == 4)
        *(int *)to = (int)length;
    else
        *(long long *)to = (long long)length;
}

static int print(struct output *output, const char *format, va_list arguments) {
    va_list rest;
    __builtin_va_copy(rest, arguments);
    while (*format != '\0') {
        struct conversion conversion = {0, 0, 0, 0, 0, 0, -1, 4};
        char letter = *format++;
        int is_flag = 1, is_wide;
        if (letter != '%') {
            put(output, letter);
            continue;
        }
        while (is_flag) {
            letter = *format++;
            if (letter == '-')
                conversion.left = 1;
            else if (letter == '+')
                conversion.plus = 1;
            else if (letter == ' ')
                conversion.space = 1;
            else if (letter == '#')
                conversion.alternative = 1;
            else if (letter == '0')
                conversion.zero = 1;
            else if (letter != '\'')
                is_flag = 0;
        }
        format--;
        if (*format == '*') {
            format++;
            conversion.width = __builtin_va_arg(rest, int);
            if (conversion.width < 0) {
                conversion.left = 1;
                conversion.width = -conversion.width;
            }
        } else {
            conversion.width = read_number(&format);
        }
        if (*format == '.') {
            format++;
            if (*format == '*') {
                format++;
                conversion.precision = __builtin_va_arg(rest, int);
            } else if (*format == '-') {
                __compact_se_unsupported("format with a negative precision");
            } else {
                conversion.precision = read_number(&format);
            }
        }
        if (*format == '$')
            __compact_se_unsupported("format with numbered arguments");
        is_wide = format[0] == 'l' && format[1] != 'l';
        conversion.size = read_size(&format);
        letter = *format++;
        if (letter == '%') {
            put(output, '%');
        } else if (letter == 'C' || (letter == 'c' && is_wide)) {
            char c = byte_of(__builtin_va_arg(rest, wint_t));
            put_field(output, &conversion, NULL, 0, &c, 1, 0, 0);
        } else if (letter == 'S' || (letter == 's' && is_wide)) {
            put_wide_text(output, &conversion, __builtin_va_arg(rest, const wchar_t *));
        } else if (letter == 'c' && conversion.size == 4) {
            char c = (char)__builtin_va_arg(rest, int);
            put_field(output, &conversion, NULL, 0, &c, 1, 0, 0);
        } else if (letter == 's' && conversion.size == 4) {
            put_text(output, &conversion, __builtin_va_arg(rest, const char *));
        } else if (letter == 'd' || letter == 'i') {
            uint64_t value = conversion.size == 8 ? (uint64_t)__builtin_va_arg(rest, long long)
                                                  : (uint64_t)__builtin_va_arg(rest, int);
            put_integer(output, &conversion, letter, narrow(value, conversion.size, 1));
        } else if (letter == 'u' || letter == 'x' || letter == 'X' || letter == 'o') {
            uint64_t value = conversion.size == 8 ? __builtin_va_arg(rest, unsigned long long)
                                                  : __builtin_va_arg(rest, unsigned);
            put_integer(output, &conversion, letter, narrow(value, conversion.size, 0));
        } else if (letter == 'e' || letter == 'E' || letter == 'f' || letter == 'F' ||
                   letter == 'g' || letter == 'G' || letter == 'a' || letter == 'A') {
            put_double(output, &conversion, letter, __builtin_va_arg(rest, double));
        } else if (letter == 'n') {
            store_length(__builtin_va_arg(rest, void *), conversion.size, output->length);
        } else {
            __compact_se_unsupported("format with a conversion other than of integers, characters, "
                                     "texts and floats");
        }
    }
    __builtin_va_end(rest);
    return (int)output->length;
}

static int print_text(char *text, size_t size, const char *format, va_list arguments) {
    struct output output = {text, size, 0};
    int length = print(&output, format, arguments);
    if (size > 0)
        text[output.length < size ? output.length : size - 1] = '\0';
    return length;
}

/* No text is larger, and what is written to one of this size is not cut off. */
#define NO_LIMIT ((size_t)-1 / 2)

int vsnprintf(char *restrict text, size_t size, const char *restrict format, va_list arguments) {
    return print_text(text, size, format, arguments);
}

int vsprintf(char *restrict text, const char *restrict format, va_list arguments) {
    return print_text(text, NO_LIMIT, format, arguments);
}

#define PRINT(name, size, ...)                                                                     \
    int name(__VA_ARGS__, ...) {                                                                   \
        int length;                                                                                \
        va_list arguments;                                                                         \
        __builtin_va_start(arguments, format);                                                     \
        length = print_text(text, size, format, arguments);                                        \
        __builtin_va_end(arguments);                                                               \
        return length;                                                                             \
    }

PRINT(snprintf, size, char *restrict text, size_t size, const char *restrict format)
PRINT(sprintf, NO_LIMIT, char *restrict text, const char *restrict format)

/* A format of one float, without flags and width. */
int strfromd(char *restrict text, size_t size, const char *restrict format, double value) {
    return snprintf(text, size, format, value);
}
int strfromf(char *restrict text, size_t size, const char *restrict format, float value) {
    return snprintf(text, size, format, (double)value);
}
char *gcvt(double value, int digits, char *text) {
    sprintf(text, "%.*g", digits < 17 ? digits : 17, value);
    return text;
}

/* Into a block that fits: malloc always finds one. */
int vasprintf(char **restrict text, const char *restrict format, va_list arguments) {
    size_t size = (size_t)print_text(NULL, 0, format, arguments) + 1;
    *text = malloc(size);
    return print_text(*text, size, format, arguments);
}

int asprintf(char **restrict text, const char *restrict format, ...) {
    int length;
    va_list arguments;
    __builtin_va_start(arguments, format);
    length = vasprintf(text, format, arguments);
    __builtin_va_end(arguments);
    return length;
}

/* For output elsewhere (stdio.c). */
int compact_se_print_length(const char *format, va_list arguments) {
    return print_text(NULL, 0, format, arguments);
}

/* --- Wide characters ------------------------------------------------------------------------ */

enum { LONGEST_FORMAT = 500 };

static void narrow_format(const wchar_t *format, char to[LONGEST_FORMAT + 1]) {
    int i;
    for (i = 0; format[i] != 0; i++) {
        if (i == LONGEST_FORMAT)
            __compact_se_unsupported("a wide format of more than 500 characters");
        to[i] = byte_of((wint_t)format[i]);
    }
    to[i] = '\0';
}

/* Written as bytes first, which take the first quarter of the place. What does not fit is an error. */
int vswprintf(wchar_t *restrict text, size_t size, const wchar_t *restrict format, va_list arguments) {
    char narrow[LONGEST_FORMAT + 1] = {0};
    size_t length, kept;
    if (size == 0)
        return -1;
    narrow_format(format, narrow);
    length = (size_t)print_text((char *)text, size, narrow, arguments);
    kept = length < size ? length : size - 1;
    for (size_t i = kept + 1; i-- > 0;) {
        char c = ((const char *)text)[i];
        if (c < 0)
            __compact_se_unsupported("a byte of 128 or more in wide formatted output");
        text[i] = c;
    }
    if (kept == length)
        return (int)length;
    compact_se_may_set_errno();
    return -1;
}

int swprintf(wchar_t *restrict text, size_t size, const wchar_t *restrict format, ...) {
    int length;
    va_list arguments;
    __builtin_va_start(arguments, format);
    length = vswprintf(text, size, format, arguments);
    __builtin_va_end(arguments);
    return length;
}

int compact_se_wide_print_length(const wchar_t *format, va_list arguments) {
    char narrow[LONGEST_FORMAT + 1] = {0};
    narrow_format(format, narrow);
    return print_text(NULL, 0, narrow, arguments);
}
