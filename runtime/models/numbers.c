/* Models of the functions that read numbers from texts: strtol, strtod and their kin, in the
 * C locale.
 *
 * Compiled and linked as string.c is. Results, ends and errno are those of the GNU C library.
 *
 * The loops over digits do as little as those of atoi, and conditions on characters have no branches within. A
 * number is one sum of its digits, and whether it exceeds a type is asked of that sum. Floats of few digits are one exact operation; the
 * rest is computed with large integers, by functions that are called and not inlined (`cold`).
 */
typedef __SIZE_TYPE__ size_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __WCHAR_TYPE__ wchar_t;
#define NULL ((void *)0)

enum { EINVAL = 22, ERANGE = 34 };

void compact_se_set_errno(int number);
__attribute__((noreturn)) void __compact_se_unsupported(const char *what);

static int is_digit(char c) { return (unsigned)c - '0' < 10; }

/* Digits are the first `figures` of the figures and the first `letters` of the letters, small or
 * capital ones. Without branches, and the value by sums only, so that it is easy to reason about. */
static int is_among(char c, unsigned figures, unsigned letters) {
    return ((unsigned)c - '0' < figures) | (((unsigned)c | 32u) - 'a' < letters);
}

static int is_hexadecimal(char c) { return is_among(c, 10, 6); }

static unsigned digit_of(char c) {
    return (unsigned)c - '0' - 7 * (unsigned)(c > '9') - 32 * (unsigned)(c > 'Z');
}

static size_t space_before(const char *s) {
    size_t i = 0;
    while ((s[i] == ' ') | ((unsigned)s[i] - '\t' < 5))
        i++;
    return i;
}

static int is_sign(char c) { return (c == '-') | (c == '+'); }

/* Whether a letter is this small one, or its capital. */
static int is_letter(char c, char small) { return ((unsigned char)c | 32) == small; }

/* --- Integers ------------------------------------------------------------------------------- */

/* For scan.c, too: whether the number of `n` digits exceeds `most`; its value modulo 2^64 is given. `fitting` digits
 * never do, and `whole` digits never exceed 64 bits. */
int compact_se_exceeds(const char *digits, size_t n, unsigned base, uint64_t value, uint64_t most) {
    const size_t whole = base == 10 ? 19 : base == 16 ? 16 : base == 8 ? 21 : 12;
    const size_t fitting = most > 0xffffffff ? whole - 1 : base == 10 ? 9 : 5;
    uint64_t rest = 0;
    int is_more = 0, does = 0;
    if (n <= fitting)
        return 0;
    if (n <= whole)
        return value > most;
    for (size_t i = 0; i < n - whole; i++)
        is_more |= digits[i] != '0';
    if (!is_more)
        return value > most;
    /* 16^16 exceeds all, 10^19 and 8^21 exceed what is signed. */
    if (base == 16 || ((base == 10 || base == 8) && most <= (uint64_t)1 << 63))
        return 1;
    for (size_t i = 0; i < n; i++) {
        unsigned digit = digit_of(digits[i]);
        does |= (rest > most / base) | (rest * base > most - digit);
        rest = rest * base + digit;
    }
    return does;
}

/* The number whose digits begin at `start`. With `is_signed`, `most` is the largest number of the
 * type, and -most - 1 the smallest; without, the negative of what is read wraps around. */
static uint64_t read_digits(const char *s, size_t start, char **end, uint64_t negative, unsigned base,
                            uint64_t most, int is_signed) {
    uint64_t value = 0;
    size_t i = start;
    if (base <= 10)
        while ((unsigned)s[i] - '0' < base) {
            value = value * base + ((unsigned)s[i] - '0');
            i++;
        }
    else
        while (is_among(s[i], 10, base - 10)) {
            value = value * base + digit_of(s[i]);
            i++;
        }
    if (end != NULL)
        *end = (char *)(i == start ? s : s + i);
    if (is_signed)
        most += negative;
    if (compact_se_exceeds(s + start, i - start, base, value, most)) {
        compact_se_set_errno(ERANGE);
        value = most;
        negative &= (uint64_t)is_signed;
    }
    return (value ^ -negative) + negative;
}

/* Each base that the text chooses has a call of its own, so that it is a constant there. */
static uint64_t read_integer(const char *s, char **end, int base, uint64_t most, int is_signed,
                             int has_binary) {
    size_t i = space_before(s);
    uint64_t negative = 0;
    if (base < 0 || base == 1 || base > 36) {
        compact_se_set_errno(EINVAL);
        return 0;
    }
    if (is_sign(s[i])) {
        negative = s[i] == '-';
        i++;
    }
    if ((base == 0 || base == 16) && s[i] == '0' && is_letter(s[i + 1], 'x') &&
        is_hexadecimal(s[i + 2]))
        return read_digits(s, i + 2, end, negative, 16, most, is_signed);
    if (has_binary && (base == 0 || base == 2) && s[i] == '0' && is_letter(s[i + 1], 'b') &&
        is_among(s[i + 2], 2, 0))
        return read_digits(s, i + 2, end, negative, 2, most, is_signed);
    if (base != 0)
        return read_digits(s, i, end, negative, (unsigned)base, most, is_signed);
    if (s[i] == '0')
        return read_digits(s, i, end, negative, 8, most, is_signed);
    return read_digits(s, i, end, negative, 10, most, is_signed);
}

#define LONG_MOST ((uint64_t)__LONG_MAX__)
#define ULONG_MOST (2 * LONG_MOST + 1)
#define LLONG_MOST ((uint64_t)__LONG_LONG_MAX__)
#define ULLONG_MOST (2 * LLONG_MOST + 1)

#define INTEGER(name, type, most, is_signed, has_binary)                                           \
    type name(const char *restrict s, char **restrict end, int base) {                             \
        return (type)read_integer(s, end, base, most, is_signed, has_binary);                      \
    }

INTEGER(strtol, long, LONG_MOST, 1, 0)
INTEGER(strtoul, unsigned long, ULONG_MOST, 0, 0)
INTEGER(strtoll, long long, LLONG_MOST, 1, 0)
INTEGER(strtoull, unsigned long long, ULLONG_MOST, 0, 0)
INTEGER(strtoq, long long, LLONG_MOST, 1, 0)
INTEGER(strtouq, unsigned long long, ULLONG_MOST, 0, 0)
INTEGER(strtoimax, __INTMAX_TYPE__, LLONG_MOST, 1, 0)
INTEGER(strtoumax, __UINTMAX_TYPE__, ULLONG_MOST, 0, 0)

/* What headers from glibc 2.38 on call for C23, which has binary numbers. */
INTEGER(__isoc23_strtol, long, LONG_MOST, 1, 1)
INTEGER(__isoc23_strtoul, unsigned long, ULONG_MOST, 0, 1)
INTEGER(__isoc23_strtoll, long long, LLONG_MOST, 1, 1)
INTEGER(__isoc23_strtoull, unsigned long long, ULLONG_MOST, 0, 1)
INTEGER(__isoc23_strtoimax, __INTMAX_TYPE__, LLONG_MOST, 1, 1)
INTEGER(__isoc23_strtoumax, __UINTMAX_TYPE__, ULLONG_MOST, 0, 1)

/* --- Large integers ------------------------------------------------------------------------- */

/* Words of 32 bits, the lowest first; those from `n` on are zero. The largest number here is about
 * 10^1202, of 3993 bits. */
enum { WORDS = 128 };
struct large {
    uint32_t word[WORDS];
    int n;
};

__attribute__((cold)) static void multiply_add(struct large *a, uint32_t factor, uint32_t more) {
    uint64_t carry = more;
    for (int i = 0; i < a->n; i++) {
        carry += (uint64_t)a->word[i] * factor;
        a->word[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0)
        a->word[a->n++] = (uint32_t)carry;
}

__attribute__((cold)) static void multiply_by_power_of_ten(struct large *a, int64_t exponent) {
    for (; exponent >= 9; exponent -= 9)
        multiply_add(a, 1000000000, 0);
    for (; exponent > 0; exponent--)
        multiply_add(a, 10, 0);
}

/* Position of the highest bit of a number that is not 0, from 1. */
__attribute__((cold)) static int bits_of(const struct large *a) {
    int bits = 32 * (a->n - 1);
    for (uint32_t rest = a->word[a->n - 1]; rest != 0; rest >>= 1)
        bits++;
    return bits;
}

__attribute__((cold)) static void shift_left(struct large *a, int bits) {
    int words = bits / 32;
    if (words > 0) {
        for (int i = a->n - 1; i >= 0; i--)
            a->word[i + words] = a->word[i];
        for (int i = 0; i < words; i++)
            a->word[i] = 0;
        a->n += words;
    }
    multiply_add(a, (uint32_t)1 << bits % 32, 0);
}

/* Negative, 0 or positive, as a is less than, equal to or greater than b. */
__attribute__((cold)) static int compare(const struct large *a, const struct large *b) {
    int i = a->n - 1;
    if (a->n != b->n)
        return a->n - b->n;
    while (i > 0 && a->word[i] == b->word[i])
        i--;
    return (a->word[i] > b->word[i]) - (a->word[i] < b->word[i]);
}

/* a - b, of an a that is not less. */
__attribute__((cold)) static void subtract(struct large *a, const struct large *b) {
    uint64_t borrow = 0;
    for (int i = 0; i < a->n; i++) {
        uint64_t less = (uint64_t)(i < b->n ? b->word[i] : 0) + borrow;
        borrow = a->word[i] < less;
        a->word[i] -= (uint32_t)less;
    }
    while (a->n > 1 && a->word[a->n - 1] == 0)
        a->n--;
}

/* --- Floats --------------------------------------------------------------------------------- */

/* The next bit of a/b, and what is left of it, doubled. */
__attribute__((cold)) static uint64_t next_bit(struct large *a, const struct large *b) {
    uint64_t bit = compare(a, b) >= 0;
    if (bit)
        subtract(a, b);
    multiply_add(a, 2, 0);
    return bit;
}

/* The bits of the float nearest to a/b · 2^exponent, both not 0, ties to even. The format has
 * significands of `precision` bits and normal numbers from 2^least on. What is too large or too
 * small is ERANGE; too small is what is tiny after rounding and not exact. */
__attribute__((cold)) static uint64_t round_quotient(struct large *a, struct large *b,
                                                     int64_t exponent, int precision, int least) {
    const uint64_t smallest_normal = (uint64_t)1 << (precision - 1);
    const uint64_t infinity = (uint64_t)(2 * (1 - least) + 1) << (precision - 1);
    int difference = bits_of(a) - bits_of(b), order;
    int64_t count = precision;
    uint64_t bits = 0;
    if (difference > 0)
        shift_left(b, difference);
    else
        shift_left(a, -difference);
    exponent += difference;
    if (compare(a, b) < 0) {
        multiply_add(a, 2, 0);
        exponent--;
    }
    /* Now 1 <= a/b < 2. */
    if (exponent > 1 - least) {
        compact_se_set_errno(ERANGE);
        return infinity;
    }
    if (exponent < least)
        count -= least - exponent;
    if (count < 0) {
        compact_se_set_errno(ERANGE);
        return 0;
    }
    for (int64_t i = 0; i < count; i++)
        bits = bits << 1 | next_bit(a, b);
    if (exponent > least)
        bits += (uint64_t)(exponent - least) << (precision - 1);
    if (a->word[a->n - 1] == 0)
        return bits;
    order = compare(a, b);
    bits += (order > 0) | ((order == 0) & (bits & 1));
    if (bits >= infinity)
        compact_se_set_errno(ERANGE);
    else if (bits < smallest_normal)
        compact_se_set_errno(ERANGE);
    else if (bits == smallest_normal && exponent < least) {
        /* Not tiny if one more bit would be rounded up to it too. */
        if (next_bit(a, b) == 0 || compare(a, b) < 0)
            compact_se_set_errno(ERANGE);
    }
    return bits;
}

/* More digits than these do not matter, but whether one of them is not 0. */
enum { MOST_DIGITS = 800 };
/* Powers of ten beyond which every float is infinite or 0. */
enum { MOST_EXPONENT = 400 };

/* The bits of the float nearest to the digits, a point among them perhaps, up to `end`, times
 * 10^exponent, where `exponent` is for the digits without the point. */
__attribute__((cold)) static uint64_t round_decimal(const char *digits, const char *end,
                                                    int64_t exponent, int precision, int least) {
    struct large a = {0}, b = {0};
    int n = 0, is_more = 0;
    for (; digits < end; digits++) {
        if (*digits == '.' || (n == 0 && *digits == '0'))
            continue;
        if (n < MOST_DIGITS) {
            multiply_add(&a, 10, (uint32_t)(*digits - '0'));
            n++;
        } else {
            is_more |= *digits != '0';
            exponent++;
        }
    }
    if (n == 0)
        return 0;
    if (n + exponent > MOST_EXPONENT) {
        compact_se_set_errno(ERANGE);
        return (uint64_t)(2 * (1 - least) + 1) << (precision - 1);
    }
    if (n + exponent < -MOST_EXPONENT) {
        compact_se_set_errno(ERANGE);
        return 0;
    }
    if (is_more) {
        multiply_add(&a, 10, 1);
        exponent--;
    }
    b.word[0] = 1;
    b.n = 1;
    if (exponent > 0)
        multiply_by_power_of_ten(&a, exponent);
    else
        multiply_by_power_of_ten(&b, -exponent);
    return round_quotient(&a, &b, 0, precision, least);
}

/* As round_decimal, of hexadecimal digits and a power of two. */
__attribute__((cold)) static uint64_t round_hexadecimal(const char *digits, const char *end,
                                                        int64_t exponent, int precision,
                                                        int least) {
    struct large a = {0}, b = {0};
    uint32_t is_more = 0;
    int n = 0;
    for (; digits < end; digits++) {
        if (*digits == '.' || (n == 0 && *digits == '0'))
            continue;
        if (n < 24) {
            multiply_add(&a, 16, digit_of(*digits));
            n++;
        } else {
            is_more |= *digits != '0';
            exponent += 4;
        }
    }
    if (n == 0)
        return 0;
    multiply_add(&a, 2, is_more);
    b.word[0] = 1;
    b.n = 1;
    return round_quotient(&a, &b, exponent - 1, precision, least);
}

/* The digits of an exponent, and behind which it ends. What is far too large for any float stays
 * so. */
static int64_t read_exponent(const char *s, size_t *n) {
    int64_t value = 0;
    size_t i = 0;
    while (is_digit(s[i])) {
        value = 10 * value + (s[i] - '0');
        i++;
    }
    *n = i;
    if (i > 18) {
        value = 0;
        for (size_t j = 0; j < i; j++)
            if (value < 100000000000000000)
                value = 10 * value + (s[j] - '0');
    }
    return value;
}

enum { DECIMAL, HEXADECIMAL, INFINITE, NOT_A_NUMBER, NOTHING };

/* What stands in the text, behind white space and sign: of digits the number without its point,
 * modulo 2^64, how many there are, where they end, and the exponent that belongs to that number;
 * of a NaN the payload. `end` is where it ends. */
static int read_parts(const char *s, const char **end, uint64_t *value, size_t *n_digits,
                      const char **digits_end, int64_t *exponent) {
    size_t i = 0, n = 0, before_point;
    int negative = 0, kind = DECIMAL;
    uint64_t number = 0;
    int64_t power = 0;
    if (s[0] == '0' && is_letter(s[1], 'x') &&
        (is_hexadecimal(s[2]) || (s[2] == '.' && is_hexadecimal(s[3])))) {
        kind = HEXADECIMAL;
        i = 2;
        while (is_hexadecimal(s[i])) {
            number = 16 * number + digit_of(s[i]);
            i++;
        }
        n = i - 2;
        if (s[i] == '.') {
            before_point = ++i;
            while (is_hexadecimal(s[i])) {
                number = 16 * number + digit_of(s[i]);
                i++;
            }
            n += i - before_point;
            power = -4 * (int64_t)(i - before_point);
        }
    } else if (is_digit(s[0]) || (s[0] == '.' && is_digit(s[1]))) {
        while (is_digit(s[i])) {
            number = 10 * number + (uint64_t)(s[i] - '0');
            i++;
        }
        n = i;
        if (s[i] == '.') {
            before_point = ++i;
            while (is_digit(s[i])) {
                number = 10 * number + (uint64_t)(s[i] - '0');
                i++;
            }
            n += i - before_point;
            power = -(int64_t)(i - before_point);
        }
    } else if (is_letter(s[0], 'i') && is_letter(s[1], 'n') && is_letter(s[2], 'f')) {
        int is_long = is_letter(s[3], 'i') && is_letter(s[4], 'n') && is_letter(s[5], 'i') &&
                      is_letter(s[6], 't') && is_letter(s[7], 'y');
        *end = s + (is_long ? 8 : 3);
        return INFINITE;
    } else if (is_letter(s[0], 'n') && is_letter(s[1], 'a') && is_letter(s[2], 'n')) {
        *end = s + 3;
        *value = 0;
        if (s[3] == '(') {
            char *payload_end;
            for (i = 4; is_among(s[i], 10, 26) || s[i] == '_'; i++)
                ;
            if (s[i] == ')') {
                uint64_t payload = read_integer(s + 4, &payload_end, 0, ULLONG_MOST, 0, 0);
                if (payload_end == s + i)
                    *value = payload;
                *end = s + i + 1;
            }
        }
        return NOT_A_NUMBER;
    } else {
        return NOTHING;
    }
    *value = number;
    *n_digits = n;
    *digits_end = s + i;
    if (is_letter(s[i], kind == DECIMAL ? 'e' : 'p')) {
        size_t at = i + 1, n_exponent = 0;
        if (s[at] == '-') {
            negative = 1;
            at++;
        } else if (s[at] == '+') {
            at++;
        }
        if (is_digit(s[at])) {
            int64_t given = read_exponent(s + at, &n_exponent);
            power += negative ? -given : given;
            i = at + n_exponent;
        }
    }
    *exponent = power;
    *end = s + i;
    return kind;
}

/* The bits of what read_parts has found. */
__attribute__((cold)) static uint64_t round_float(int kind, uint64_t value, const char *text,
                                                  const char *digits_end, int64_t exponent,
                                                  int precision, int least) {
    const uint64_t infinity = (uint64_t)(2 * (1 - least) + 1) << (precision - 1);
    const uint64_t quiet = (uint64_t)1 << (precision - 2);
    if (kind == INFINITE)
        return infinity;
    if (kind == NOT_A_NUMBER)
        return infinity | quiet | (value & (quiet - 1));
    if (kind == HEXADECIMAL)
        return round_hexadecimal(text + 2, digits_end, exponent, precision, least);
    return round_decimal(text, digits_end, exponent, precision, least);
}

static double double_of(uint64_t bits) {
    union {
        uint64_t bits;
        double value;
    } both = {bits};
    return both.value;
}

static float float_of(uint32_t bits) {
    union {
        uint32_t bits;
        float value;
    } both = {bits};
    return both.value;
}

/* The powers of ten that are floats. */
static const double double_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
static const float float_powers[] = {1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f,
                                     1e6f, 1e7f, 1e8f, 1e9f, 1e10f};
#define N_POWERS(powers) (int64_t)(sizeof powers / sizeof *powers)

/* `n_decimal` decimal and `n_hexadecimal` hexadecimal digits always fit the significand. With a
 * power that is exact too, their product or quotient is rounded once. */
#define FLOATING(type, bits, precision, least, n_decimal, n_hexadecimal)                           \
    static type read_##type(const char *restrict s, char **restrict end) {                                       \
        size_t start = space_before(s), n_digits = 0;                                              \
        const char *number_end = s, *digits_end = s;                                               \
        int negative = 0, kind;                                                                    \
        uint##bits##_t value = 0;                                                                  \
        uint64_t number = 0;                                                                       \
        int64_t exponent = 0;                                                                      \
        type result = 0;                                                                           \
        if (is_sign(s[start])) {                                                                   \
            negative = s[start] == '-';                                                            \
            start++;                                                                               \
        }                                                                                          \
        kind = read_parts(s + start, &number_end, &number, &n_digits, &digits_end, &exponent);     \
        if (end != NULL)                                                                           \
            *end = (char *)number_end;                                                             \
        if (kind == NOTHING)                                                                       \
            return 0;                                                                              \
        if (kind == DECIMAL && n_digits <= n_decimal && exponent == 0) {                           \
            result = (type)(int64_t)number;                                                        \
        } else if (kind == DECIMAL && n_digits <= n_decimal &&                                     \
                   -N_POWERS(type##_powers) < exponent && exponent < 0) {                          \
            result = (type)(int64_t)number / type##_powers[-exponent];                             \
        } else if (kind == DECIMAL && n_digits <= n_decimal && 0 < exponent &&                     \
                   exponent < N_POWERS(type##_powers)) {                                           \
            result = (type)(int64_t)number * type##_powers[exponent];                              \
        } else if (kind == HEXADECIMAL && n_digits <= n_hexadecimal && least <= exponent &&        \
                   exponent < -least - precision) {                                                \
            value = (uint##bits##_t)(exponent + 1 - least) << (precision - 1);                     \
            result = (type)(int64_t)number * type##_of(value);                                     \
        } else {                                                                                   \
            value = (uint##bits##_t)round_float(kind, number, s + start, digits_end, exponent,     \
                                                precision, least);                                 \
            result = type##_of(value);                                                             \
        }                                                                                          \
        return negative ? -result : result;                                                        \
    }

FLOATING(double, 64, 53, -1022, 15, 13)
FLOATING(float, 32, 24, -126, 7, 6)

double strtod(const char *restrict s, char **restrict end) { return read_double(s, end); }
float strtof(const char *restrict s, char **restrict end) { return read_float(s, end); }
double atof(const char *s) { return read_double(s, NULL); }

/* --- Numbers in wide texts ------------------------------------------------------------------ */

enum { LONGEST_NUMBER = 200 };

/* The beginning of a text, as far as it may be of a number, in bytes. */
static void narrow_number(const wchar_t *s, char to[LONGEST_NUMBER + 1]) {
    unsigned n;
    for (n = 0;; n++) {
        unsigned c = (unsigned)s[n];
        if (!((c == ' ') | (c - '\t' < 5) | (c - '(' <= '9' - '(') | ((c | 32) - 'a' < 26) | (c == '_')))
            break;
        if (n == LONGEST_NUMBER)
            __compact_se_unsupported("a wide text of more than 200 characters read as a number");
        to[n] = (char)c;
    }
    to[n] = '\0';
}

#define OF_WIDE_TEXT(type, name, narrow_name, parameters, arguments)                               \
    type name parameters {                                                                         \
        char narrow[LONGEST_NUMBER + 1] = {0}, *narrow_end = NULL;                                 \
        type value;                                                                                \
        narrow_number(s, narrow);                                                                  \
        value = narrow_name arguments;                                                             \
        if (end != NULL && narrow_end != NULL)                                                     \
            *end = (wchar_t *)s + (narrow_end - narrow);                                           \
        return value;                                                                              \
    }
#define WIDE_INTEGER(name, narrow_name, type)                                                      \
    OF_WIDE_TEXT(type, name, narrow_name,                                                          \
                 (const wchar_t *restrict s, wchar_t **restrict end, int base), (narrow, &narrow_end, base))
#define WIDE_FLOAT(name, narrow_name, type)                                                        \
    OF_WIDE_TEXT(type, name, narrow_name, (const wchar_t *restrict s, wchar_t **restrict end),     \
                 (narrow, &narrow_end))

WIDE_INTEGER(wcstol, strtol, long)
WIDE_INTEGER(wcstoul, strtoul, unsigned long)
WIDE_INTEGER(wcstoll, strtoll, long long)
WIDE_INTEGER(wcstoull, strtoull, unsigned long long)
WIDE_INTEGER(wcstoq, strtoll, long long)
WIDE_INTEGER(wcstouq, strtoull, unsigned long long)
WIDE_INTEGER(wcstoimax, strtoimax, __INTMAX_TYPE__)
WIDE_INTEGER(wcstoumax, strtoumax, __UINTMAX_TYPE__)
WIDE_INTEGER(__isoc23_wcstol, __isoc23_strtol, long)
WIDE_INTEGER(__isoc23_wcstoul, __isoc23_strtoul, unsigned long)
WIDE_INTEGER(__isoc23_wcstoll, __isoc23_strtoll, long long)
WIDE_INTEGER(__isoc23_wcstoull, __isoc23_strtoull, unsigned long long)
WIDE_INTEGER(__isoc23_wcstoimax, __isoc23_strtoimax, __INTMAX_TYPE__)
WIDE_INTEGER(__isoc23_wcstoumax, __isoc23_strtoumax, __UINTMAX_TYPE__)
WIDE_FLOAT(wcstod, strtod, double)
WIDE_FLOAT(wcstof, strtof, float)
