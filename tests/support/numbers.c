/* Compares the models of strtol, strtod and their kin with the C library's functions, on random
 * texts that look like numbers. The models are linked with the prefix `model_`. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "random.h"

_Noreturn void model___compact_se_unsupported(const char *what) {
    puts(what);
    abort();
}
void *model_memset(void *to, int byte, size_t bytes) { return memset(to, byte, bytes); }
void model_compact_se_set_errno(int number) { errno = number; }

/* --- Integers ------------------------------------------------------------------------------- */

#define INTEGER(type, name)                                                                       \
    type model_##name(const char *, char **, int);                                                \
    static void check_##name(const char *text, int base) {                                        \
        char *end = NULL, *model_end = NULL;                                                      \
        errno = 7;                                                                                \
        type value = name(text, &end, base);                                                      \
        int number = errno;                                                                       \
        errno = 7;                                                                                \
        type model_value = model_##name(text, &model_end, base);                                  \
        EXPECT(value == model_value && end == model_end && number == errno,                       \
               "%s in base %d: %lld and %lld, ends %td and %td, errno %d and %d", text, base,     \
               (long long)value, (long long)model_value, end - text, model_end - text, number,    \
               errno);                                                                            \
        EXPECT(model_##name(text, NULL, base) == value, "%s", text);                              \
    }
INTEGER(long, strtol)
INTEGER(unsigned long, strtoul)
INTEGER(long long, strtoll)
INTEGER(unsigned long long, strtoull)
INTEGER(long long, strtoq)
INTEGER(unsigned long long, strtouq)
INTEGER(intmax_t, strtoimax)
INTEGER(uintmax_t, strtoumax)

long model___isoc23_strtol(const char *, char **, int);
unsigned long model___isoc23_strtoul(const char *, char **, int);

static void check_integers(const char *text, int base) {
    check_strtol(text, base);
    check_strtoul(text, base);
    check_strtoll(text, base);
    check_strtoull(text, base);
    check_strtoq(text, base);
    check_strtouq(text, base);
    check_strtoimax(text, base);
    check_strtoumax(text, base);
    if (strpbrk(text, "bB") == NULL) {
        EXPECT(model___isoc23_strtol(text, NULL, base) == strtol(text, NULL, base), "%s", text);
        EXPECT(model___isoc23_strtoul(text, NULL, base) == strtoul(text, NULL, base), "%s", text);
    }
}

/* The same of wide texts; what no number has may follow. */
static void check_wide(const char *text, int base) {
    wchar_t wide[2100], *end = NULL, *model_end = NULL;
    size_t at;
    for (at = 0; text[at] != '\0'; at++)
        wide[at] = text[at];
    wide[at++] = below(2) ? 0 : 0x20ac;
    wide[at] = 0;
#define SAME_WIDE(type, name, parameters, ...)                                                     \
    {                                                                                              \
        type model_##name parameters, value, model_value;                                          \
        errno = 7;                                                                                 \
        value = name(wide, &end __VA_ARGS__);                                                      \
        int number = errno;                                                                        \
        errno = 7;                                                                                 \
        model_value = model_##name(wide, &model_end __VA_ARGS__);                                  \
        EXPECT(memcmp(&value, &model_value, sizeof value) == 0 && end == model_end &&              \
                   number == errno,                                                                \
               "%s by " #name ": ends %td and %td, errno %d and %d", text, end - wide,             \
               model_end - wide, number, errno);                                                   \
    }
#define COMMA ,
#define SAME_INTEGER(type, name)                                                                   \
    SAME_WIDE(type, name, (const wchar_t *, wchar_t **, int), COMMA base)
#define SAME_FLOAT(type, name) SAME_WIDE(type, name, (const wchar_t *, wchar_t **), )
    if (at > 190)
        return;
    SAME_INTEGER(long, wcstol)
    SAME_INTEGER(unsigned long, wcstoul)
    SAME_INTEGER(long long, wcstoll)
    SAME_INTEGER(unsigned long long, wcstoull)
    SAME_INTEGER(intmax_t, wcstoimax)
    SAME_FLOAT(double, wcstod)
    SAME_FLOAT(float, wcstof)
}

/* The library may be older than C23. */
static void check_binary(void) {
    char *end;
    EXPECT(model___isoc23_strtol("0b101", &end, 0) == 5 && *end == '\0', "%s", end);
    EXPECT(model___isoc23_strtol("-0B12", &end, 2) == -1 && *end == '2', "%s", end);
    EXPECT(model___isoc23_strtol("0b2", &end, 0) == 0 && *end == 'b', "%s", end);
    EXPECT(model___isoc23_strtol("0b1", &end, 16) == 0xb1 && *end == '\0', "%s", end);
}

static const char *random_integer(void) {
    static char text[100];
    static const char *const prefixes[] = {"", "", " \t\n", "-", "+", "0x", "-0X", "0", "0b", "+-", "\v\f\r 0x"};
    static const char *const limits[] = {
        "2147483647", "2147483648", "4294967295", "4294967296", "9223372036854775807",
        "9223372036854775808", "18446744073709551615", "18446744073709551616",
        "7fffffffffffffff", "8000000000000000", "ffffffffffffffff", "10000000000000000",
        "777777777777777777777", "1777777777777777777777", "2000000000000000000000",
        "1y2p0ij32e8e7", "1y2p0ij32e8e8", "3w5e11264sgsf", "3w5e11264sgsg"};
    static const char *const alphabets[] = {"0123456789", "01", "01234567", "0123456789abcdefABCDEF",
                                            "0123456789azAZ", "09xX-+ .@[`{/:\x80\xff"};
    strcpy(text, PICK(prefixes));
    if (below(4) == 0) {
        strcat(text, PICK(limits));
    } else {
        const char *alphabet = PICK(alphabets);
        unsigned length = below(below(3) == 0 ? 70 : 6);
        size_t at = strlen(text);
        for (unsigned i = 0; i < length; i++)
            text[at++] = alphabet[below((unsigned)strlen(alphabet))];
        text[at] = '\0';
    }
    if (below(4) == 0)
        strcat(text, "z ");
    return text;
}

/* --- Floats --------------------------------------------------------------------------------- */

#define FLOATING(type, bits, name)                                                                \
    type model_##name(const char *, char **);                                                     \
    static void check_##name(const char *text) {                                                  \
        char *end = NULL, *model_end = NULL;                                                      \
        uint##bits##_t value_bits, model_bits;                                                    \
        errno = 7;                                                                                \
        type value = name(text, &end);                                                            \
        int number = errno;                                                                       \
        errno = 7;                                                                                \
        type model_value = model_##name(text, &model_end);                                        \
        memcpy(&value_bits, &value, sizeof value);                                                \
        memcpy(&model_bits, &model_value, sizeof value);                                          \
        EXPECT(value_bits == model_bits && end == model_end && number == errno,                   \
               "%s: %a and %a, ends %td and %td, errno %d and %d", text, value, model_value,      \
               end - text, model_end - text, number, errno);                                      \
    }
FLOATING(double, 64, strtod)
FLOATING(float, 32, strtof)
double model_atof(const char *);

static void check_floats(const char *text) {
    check_strtod(text);
    check_strtof(text);
    double value = atof(text), model_value = model_atof(text);
    EXPECT(memcmp(&value, &model_value, sizeof value) == 0, "%s", text);
}

static void append_digits(char *text, const char *alphabet, unsigned n) {
    size_t at = strlen(text);
    while (n-- > 0)
        text[at++] = alphabet[below((unsigned)strlen(alphabet))];
    text[at] = '\0';
}

static const char *random_float(void) {
    static char text[2000];
    static const char *const words[] = {
        "inf", "INFINITY", "infinit", "nan", "NaN()", "nan(12)", "nan(0x7_)", "nan(0xfffffffffffff)",
        "nan(99999999999999999999999)", "nan(a-b)", "nan(", "nan(12x)", "nanx", "in", "i", "n", "",
        ".", "+", "-", "e5", ".e1", "0x", "0x.", "0xp1", "0x.p1", "1e", "1e+", "1e-", "1.e5", "0x1p",
        "0x1p+", "0e999999999999999999999999", "0.0000e-99999999999999999999", "1e999999999999999999999",
        "1e-999999999999999999999", "0x1p99999999999999999999", "0x1p-99999999999999999999",
        "1e00000000000000000000000000005", "0x0p5", "-0", "-0x0p-9999999", "nan(0)", "nan(010)"};
    static const char *const edges[] = {
        /* About the largest and smallest of both formats, and halves between. */
        "1.7976931348623157e308", "1.7976931348623158e308", "1.797693134862315807e308",
        "1.79769313486231580793e308", "1.7976931348623159e308", "3.4028234663852886e38",
        "3.4028235677973366e38", "3.4028235677973365e38", "3.40282356779733661637e38",
        "2.2250738585072014e-308", "2.2250738585072011e-308", "2.2250738585072012e-308",
        "2.22507385850720113605740979670913197593481954635164564e-308", "4.9406564584124654e-324",
        "2.4703282292062327e-324", "2.4703282292062328e-324", "2.47032822920623272e-324",
        "1.1754943508222875e-38", "1.17549428e-38", "1.17549435e-38", "1.1754942807573643e-38",
        "1.4012984643248171e-45", "7.006492321624085e-46", "7.0064923216240854e-46",
        "9007199254740993", "9007199254740992.9999999999999999999", "16777217", "16777219",
        "9007199254740993.00000000000000000000000000000000000000000000000000000001",
        "0x1.fffffffffffff7p1023", "0x1.fffffffffffff8p1023", "0x1.fffffffffffff7ffffffffffffffp1023",
        "0x0.fffffffffffff8p-1022", "0x0.fffffffffffffcp-1022", "0x0.fffffffffffffbp-1022",
        "0x0.fffffffffffff7p-1022", "0x1p-1074", "0x1p-1075", "0x1.0000000000000000001p-1075",
        "0x1.fffffep127", "0x1.ffffffp127", "0x1.fffffefp127", "0x0.ffffffp-126",
        "0x0.ffffffcp-126", "0x0.ffffff8p-126", "0x1p-149", "0x1p-150", "0x1.8p-149", "0x1p-1076"};
    static const char digits[] = "0123456789", hexadecimal[] = "0123456789abcdefABCDEF";
    static const char *const spaces[] = {"", "", "", " \t", "\n\v\f\r "};
    static const char *const signs[] = {"", "", "-", "+"};
    strcpy(text, PICK(spaces));
    strcat(text, PICK(signs));
    switch (below(8)) {
    case 0:
        strcat(text, PICK(words));
        break;
    case 1:
        strcat(text, PICK(edges));
        break;
    case 2:
    case 3: {
        strcat(text, "0x");
        append_digits(text, hexadecimal, below(below(3) == 0 ? 40 : 4));
        if (below(2) == 0)
            strcat(text, ".");
        append_digits(text, hexadecimal, below(below(3) == 0 ? 40 : 4));
        if (below(2) == 0)
            sprintf(text + strlen(text), "p%d", (int)below(2400) - 1200);
        break;
    }
    default: {
        unsigned kind = below(3);
        append_digits(text, digits, below(kind == 0 ? 5 : kind == 1 ? 25 : 900));
        if (below(2) == 0)
            strcat(text, ".");
        append_digits(text, below(3) == 0 ? "0" : digits, below(kind == 0 ? 5 : 25));
        append_digits(text, digits, below(5));
        if (below(2) == 0)
            sprintf(text + strlen(text), "%c%d", below(2) ? 'e' : 'E', (int)below(800) - 400);
        else if (below(2) == 0)
            sprintf(text + strlen(text), "e%+d", (int)below(60) - 30);
    }
    }
    static const char *const ends[] = {"", "", "", "x", "e", ".", "(", "9"};
    strcat(text, PICK(ends));
    return text;
}

/* A float that is a random pattern of bits, in so few digits that it comes back or nearly so. */
static const char *random_bits(void) {
    static char text[100];
    uint64_t bits = random_64();
    double value;
    memcpy(&value, &bits, sizeof value);
    sprintf(text, "%.*e", (int)below(20), value);
    return text;
}

int main(void) {
    static const int bases[] = {0, 0, 10, 10, 16, 16, 8, 2, 36, 35, 3, 11, 1, 37, -1};
    for (int i = 0; i < times(100000); i++) {
        check_integers(random_integer(), PICK(bases));
        if (i % 8 == 0) {
            check_wide(random_integer(), PICK(bases));
            check_wide(random_float(), 10);
        }
    }
    check_binary();
    for (int i = 0; i < times(60000); i++) {
        check_floats(random_float());
        check_floats(random_bits());
    }
    return failures != 0;
}
