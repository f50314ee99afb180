/* Compares each model with the C library's function, exhaustively on short strings over a small
 * alphabet and on every character, and on random strings, numbers and floats. The models are linked with
 * the prefix `model_`. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <fenv.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#undef isascii
#undef toascii
#undef tolower
#undef toupper

#include "random.h"

void *model_memset(void *to, int byte, size_t bytes) { return memset(to, byte, bytes); }
void *model_memmove(void *to, const void *from, size_t bytes) { return memmove(to, from, bytes); }
void *model_memcpy(void *to, const void *from, size_t bytes) { return memcpy(to, from, bytes); }
void model_compact_se_set_errno_if(int condition, int number) {
    if (condition)
        errno = number;
}
void model_compact_se_set_errno(int number) { errno = number; }
void model___compact_se_unsupported(const char *what) { abort(); }
void *model_malloc(size_t bytes) { return malloc(bytes); }
void *model_realloc(void *block, size_t bytes) { return realloc(block, bytes); }
void *model_aligned_alloc(size_t alignment, size_t bytes) { return aligned_alloc(alignment, bytes); }

size_t model_strlen(const char *), model_strnlen(const char *, size_t);
char *model_stpcpy(char *, const char *), *model_strcpy(char *, const char *);
char *model_strncpy(char *, const char *, size_t), *model_strcat(char *, const char *);
char *model_strncat(char *, const char *, size_t), *model_strdup(const char *);
char *model_strndup(const char *, size_t);
int model_strcmp(const char *, const char *), model_strcoll(const char *, const char *);
int model_strncmp(const char *, const char *, size_t);
int model_strcasecmp(const char *, const char *);
int model_strncasecmp(const char *, const char *, size_t);
int model_memcmp(const void *, const void *, size_t), model_bcmp(const void *, const void *, size_t);
char *model_strchr(const char *, int), *model_strchrnul(const char *, int);
char *model_strrchr(const char *, int), *model_strstr(const char *, const char *);
void *model_memchr(const void *, int, size_t), *model_memrchr(const void *, int, size_t);
size_t model_strspn(const char *, const char *), model_strcspn(const char *, const char *);
char *model_strpbrk(const char *, const char *);
const unsigned short **model___ctype_b_loc(void);
int model_abs(int);
long model_labs(long), model_atol(const char *);
long long model_llabs(long long), model_atoll(const char *);
int model_atoi(const char *);
intmax_t model_imaxabs(intmax_t);
int model_ffs(int), model_ffsl(long), model_ffsll(long long);

div_t model_div(int, int);
ldiv_t model_ldiv(long, long);
lldiv_t model_lldiv(long long, long long);
imaxdiv_t model_imaxdiv(intmax_t, intmax_t);
int model_getpagesize(void), model_fegetround(void);
size_t model___ctype_get_mb_cur_max(void), __ctype_get_mb_cur_max(void);
uint16_t model_htons(uint16_t), model_ntohs(uint16_t);
uint32_t model_htonl(uint32_t), model_ntohl(uint32_t);
int __fpclassify(double), __fpclassifyf(float), __isnan(double), __isnanf(float);
int __isinf(double), __isinff(float), __finite(double), __finitef(float);
int model___fpclassify(double), model___fpclassifyf(float);
int model___isnan(double), model___isnanf(float), model_isnan(double), model_isnanf(float);
int model___isinf(double), model___isinff(float), model_isinf(double), model_isinff(float);
int model___finite(double), model___finitef(float), model_finite(double), model_finitef(float);

static int sign(int value) { return (value > 0) - (value < 0); }

/* LONGEST is that of the strings that are enumerated, RANDOM_LENGTH that of the others. */
enum { LONGEST = 4, ALPHABET = 4, RANDOM_LENGTH = 60, N_CALLS = 10000 };
static const char alphabet[ALPHABET] = {'a', 'B', 'b', '\xff'};

/* The string with number `number`; 0 is the empty one. Returns the number of strings. */
static int nth_string(int number, char *string) {
    int count = 1, total = 0;
    for (int length = 0; length <= LONGEST; length++, count *= ALPHABET) {
        if (number >= total && number < total + count) {
            int rest = number - total;
            for (int i = 0; i < length; i++, rest /= ALPHABET)
                string[i] = alphabet[rest % ALPHABET];
            string[length] = '\0';
        }
        total += count;
    }
    return total;
}

static void check_one(const char *s) {
    EXPECT(model_strlen(s) == strlen(s), "%s", s);
    for (size_t limit = 0; limit <= LONGEST + 1; limit++) {
        EXPECT(model_strnlen(s, limit) == strnlen(s, limit), "%s %zu", s, limit);
        char *copy = model_strndup(s, limit), *expected = strndup(s, limit);
        EXPECT(strcmp(copy, expected) == 0, "%s %zu", s, limit);
        free(copy);
        free(expected);
    }
    char *copy = model_strdup(s);
    EXPECT(strcmp(copy, s) == 0, "%s", s);
    free(copy);
    for (int c = -1; c < 256; c++) {
        EXPECT(model_strchr(s, c) == strchr(s, c), "%s %d", s, c);
        EXPECT(model_strchrnul(s, c) == strchrnul(s, c), "%s %d", s, c);
        EXPECT(model_strrchr(s, c) == strrchr(s, c), "%s %d", s, c);
        for (size_t bytes = 0; bytes <= strlen(s); bytes++) {
            EXPECT(model_memchr(s, c, bytes) == memchr(s, c, bytes), "%s %d %zu", s, c, bytes);
            EXPECT(model_memrchr(s, c, bytes) == memrchr(s, c, bytes), "%s %d %zu", s, c, bytes);
        }
    }
}

static void check_two(const char *s, const char *t) {
    EXPECT(sign(model_strcmp(s, t)) == sign(strcmp(s, t)), "%s %s", s, t);
    EXPECT(sign(model_strcoll(s, t)) == sign(strcoll(s, t)), "%s %s", s, t);
    EXPECT(sign(model_strcasecmp(s, t)) == sign(strcasecmp(s, t)), "%s %s", s, t);
    EXPECT(model_strstr(s, t) == strstr(s, t), "%s %s", s, t);
    EXPECT(model_strspn(s, t) == strspn(s, t), "%s %s", s, t);
    EXPECT(model_strcspn(s, t) == strcspn(s, t), "%s %s", s, t);
    EXPECT(model_strpbrk(s, t) == strpbrk(s, t), "%s %s", s, t);
    for (size_t limit = 0; limit <= LONGEST + 1; limit++) {
        EXPECT(sign(model_strncmp(s, t, limit)) == sign(strncmp(s, t, limit)), "%s %s", s, t);
        EXPECT(sign(model_strncasecmp(s, t, limit)) == sign(strncasecmp(s, t, limit)), "%s %s", s,
               t);
        if (limit <= strlen(s) && limit <= strlen(t)) {
            EXPECT(sign(model_memcmp(s, t, limit)) == sign(memcmp(s, t, limit)), "%s %s", s, t);
            EXPECT(!model_bcmp(s, t, limit) == !memcmp(s, t, limit), "%s %s", s, t);
        }
        char ours[3 * RANDOM_LENGTH], theirs[3 * RANDOM_LENGTH];
        memset(ours, '#', sizeof ours);
        memset(theirs, '#', sizeof theirs);
        EXPECT(model_strncpy(ours, s, limit) == ours, "%s", s);
        strncpy(theirs, s, limit);
        EXPECT(memcmp(ours, theirs, sizeof ours) == 0, "%s %zu", s, limit);
        EXPECT(model_strcpy(ours, s) == ours, "%s", s);
        strcpy(theirs, s);
        EXPECT(memcmp(ours, theirs, sizeof ours) == 0, "%s", s);
        EXPECT(model_strncat(ours, t, limit) == ours, "%s", s);
        strncat(theirs, t, limit);
        EXPECT(memcmp(ours, theirs, sizeof ours) == 0, "%s %s %zu", s, t, limit);
        EXPECT(model_strcat(ours, t) == ours, "%s", s);
        strcat(theirs, t);
        EXPECT(memcmp(ours, theirs, sizeof ours) == 0, "%s %s", s, t);
        EXPECT(model_stpcpy(ours, s) == ours + strlen(s), "%s", s);
        EXPECT(strcmp(ours, s) == 0, "%s", s);
    }
}

static void check_characters(void) {
    for (int c = -1; c < 256; c++) {
#define CLASS(name)                                                                               \
    {                                                                                             \
        int model_##name(int);                                                                    \
        EXPECT(!model_##name(c) == !(name)(c), "%d", c);                                          \
    }
#define CONVERSION(name)                                                                          \
    {                                                                                             \
        int model_##name(int);                                                                    \
        EXPECT(model_##name(c) == (name)(c), "%d", c);                                            \
    }
        CLASS(isalnum)
        CLASS(isalpha)
        CLASS(isascii)
        CLASS(isblank)
        CLASS(iscntrl)
        CLASS(isdigit)
        CLASS(isgraph)
        CLASS(islower)
        CLASS(isprint)
        CLASS(ispunct)
        CLASS(isspace)
        CLASS(isupper)
        CLASS(isxdigit)
        CONVERSION(toascii)
        CONVERSION(tolower)
        CONVERSION(toupper)
    }
    for (int c = -128; c < 256; c++)
        EXPECT((*model___ctype_b_loc())[c] == (*__ctype_b_loc())[c], "%d: %x", c,
               (*__ctype_b_loc())[c]);
    const int **model___ctype_tolower_loc(void), **model___ctype_toupper_loc(void);
    for (int c = -128; c < 256; c++)
        EXPECT((*model___ctype_tolower_loc())[c] == (*__ctype_tolower_loc())[c] &&
                   (*model___ctype_toupper_loc())[c] == (*__ctype_toupper_loc())[c],
               "%d", c);
}

static void check_numbers(void) {
    static const char *const texts[] = {"",     "0",    "7",   "-7",         "+12", " \t\n42x",
                                        "2147", "- 5",  "--5", "-2147483648", "a1",  "  +0009",
                                        "+-3",  "12 3", "\v8", "2147483647"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        EXPECT(model_atoi(texts[i]) == atoi(texts[i]), "%s", texts[i]);
        EXPECT(model_atol(texts[i]) == atol(texts[i]), "%s", texts[i]);
        EXPECT(model_atoll(texts[i]) == atoll(texts[i]), "%s", texts[i]);
    }
    for (int value = -3; value <= 3; value++) {
        EXPECT(model_abs(value) == abs(value), "%d", value);
        EXPECT(model_labs(value) == labs(value), "%d", value);
        EXPECT(model_llabs(value) == llabs(value), "%d", value);
        EXPECT(model_imaxabs(value) == imaxabs(value), "%d", value);
        for (int shift = 0; shift < 64; shift++) {
            long long shifted = (long long)((unsigned long long)value << shift);
            EXPECT(model_ffs((int)shifted) == ffs((int)shifted), "%lld", shifted);
            EXPECT(model_ffsl((long)shifted) == ffsl((long)shifted), "%lld", shifted);
            EXPECT(model_ffsll(shifted) == ffsll(shifted), "%lld", shifted);
        }
    }
}

static void check_quotients(void) {
    static const int values[] = {INT_MIN + 1, -100, -7, -1, 1, 3, 7, 100, INT_MAX};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        for (size_t j = 0; j < sizeof values / sizeof *values; j++) {
            int a = values[i], b = values[j];
            div_t d = div(a, b), e = model_div(a, b);
            ldiv_t l = ldiv(a, b), m = model_ldiv(a, b);
            lldiv_t n = lldiv(a, b), o = model_lldiv(a, b);
            imaxdiv_t p = imaxdiv(a, b), q = model_imaxdiv(a, b);
            EXPECT(d.quot == e.quot && d.rem == e.rem, "%d, %d", a, b);
            EXPECT(l.quot == m.quot && l.rem == m.rem, "%d, %d", a, b);
            EXPECT(n.quot == o.quot && n.rem == o.rem, "%d, %d", a, b);
            EXPECT(p.quot == q.quot && p.rem == q.rem, "%d, %d", a, b);
        }
}

static void check_byte_order(void) {
    for (uint32_t n = 0; n < 1 << 16; n++) {
        uint32_t wide = n * 0x9e3779b9u;
        EXPECT(htons((uint16_t)n) == model_htons((uint16_t)n), "%u", n);
        EXPECT(ntohs((uint16_t)n) == model_ntohs((uint16_t)n), "%u", n);
        EXPECT(htonl(wide) == model_htonl(wide), "%u", wide);
        EXPECT(ntohl(wide) == model_ntohl(wide), "%u", wide);
    }
}

/* A string of any characters, or of few, so that strings have parts in common. */
static void random_string(char *string) {
    unsigned length = below(RANDOM_LENGTH), n_characters = PICK(((unsigned[]){2, 4, 255}));
    for (unsigned i = 0; i < length; i++)
        string[i] = n_characters == 255 ? (char)(1 + below(255)) : alphabet[below(n_characters)];
    string[length] = '\0';
}

static void check_random_strings(void) {
    char s[RANDOM_LENGTH + 1], t[RANDOM_LENGTH + 1];
    for (int i = 0; i < N_CALLS; i++) {
        random_string(s);
        random_string(t);
        /* A common beginning, or a part of the other. */
        if (below(3) == 0)
            memcpy(t, s, below((unsigned)(strlen(s) < strlen(t) ? strlen(s) : strlen(t)) + 1));
        else if (below(3) == 0)
            snprintf(t, sizeof t, "%.*s", (int)below(8), s + below((unsigned)strlen(s) + 1));
        if (i % 20 == 0)
            check_one(s);
        check_two(s, t);
    }
}

static void check_random_numbers(void) {
    for (int i = 0; i < N_CALLS; i++) {
        uint64_t bits = random_64() >> below(64);
        long long a = below(2) ? (long long)bits : -(long long)(bits >> 1);
        long long b = (long long)(random_64() >> below(64));
        int c = (int)a, d = (int)b;
        if (c != INT_MIN)
            EXPECT(model_abs(c) == abs(c), "%d", c);
        if (a != LLONG_MIN) {
            EXPECT(model_labs(a) == labs(a) && model_llabs(a) == llabs(a), "%lld", a);
            EXPECT(model_imaxabs(a) == imaxabs(a), "%lld", a);
        }
        EXPECT(model_ffs(c) == ffs(c) && model_ffsl(a) == ffsl(a), "%lld", a);
        EXPECT(model_ffsll(a) == ffsll(a), "%lld", a);
        if (d != 0 && (c != INT_MIN || d != -1)) {
            div_t p = div(c, d), q = model_div(c, d);
            EXPECT(p.quot == q.quot && p.rem == q.rem, "%d, %d", c, d);
        }
        if (b != 0 && (a != LLONG_MIN || b != -1)) {
            ldiv_t l = ldiv(a, b), m = model_ldiv(a, b);
            lldiv_t n = lldiv(a, b), o = model_lldiv(a, b);
            imaxdiv_t p = imaxdiv(a, b), q = model_imaxdiv(a, b);
            EXPECT(l.quot == m.quot && l.rem == m.rem, "%lld, %lld", a, b);
            EXPECT(n.quot == o.quot && n.rem == o.rem, "%lld, %lld", a, b);
            EXPECT(p.quot == q.quot && p.rem == q.rem, "%lld, %lld", a, b);
        }
        /* What does not fit is undefined. */
        char text[64];
        const char *ends[] = {"", " ", "a", "-", ".5", "\xff"};
        snprintf(text, sizeof text, "%.*s%d%s", (int)below(4), " \t\n", c, PICK(ends));
        EXPECT(model_atoi(text) == atoi(text), "%s", text);
        snprintf(text, sizeof text, below(2) ? "%+lld%s" : "0%lld%s", a, PICK(ends));
        EXPECT(model_atol(text) == atol(text) && model_atoll(text) == atoll(text), "%s", text);
    }
}

static void check_float(double x) {
    float f = (float)x;
    EXPECT(__fpclassify(x) == model___fpclassify(x), "%g", x);
    EXPECT(__fpclassifyf(f) == model___fpclassifyf(f), "%g", f);
    EXPECT(__isnan(x) == model___isnan(x) && __isnan(x) == model_isnan(x), "%g", x);
    EXPECT(__isnanf(f) == model___isnanf(f) && __isnanf(f) == model_isnanf(f), "%g", f);
    EXPECT(__isinf(x) == model___isinf(x) && __isinf(x) == model_isinf(x), "%g", x);
    EXPECT(__isinff(f) == model___isinff(f) && __isinff(f) == model_isinff(f), "%g", f);
    EXPECT(__finite(x) == model___finite(x) && __finite(x) == model_finite(x), "%g", x);
    EXPECT(__finitef(f) == model___finitef(f) && __finitef(f) == model_finitef(f), "%g", f);
}

static void check_floats(void) {
    static const double values[] = {0, -0.0, 1, -1.5, DBL_MIN, -DBL_MIN / 2, DBL_MIN - 5e-324,
                                    5e-324, DBL_MAX, HUGE_VAL, -HUGE_VAL, NAN, FLT_MIN,
                                    FLT_MIN / 2, FLT_MAX};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        check_float(values[i]);
    for (int i = 0; i < N_CALLS; i++) {
        uint64_t bits = random_64();
        /* Exponents at both ends. */
        if (below(3) == 0)
            bits = below(2) ? bits | 0x7ff0000000000000u : bits & ~0x7ff0000000000000u;
        double x;
        memcpy(&x, &bits, sizeof x);
        check_float(x);
        uint32_t few = (uint32_t)bits;
        float f;
        memcpy(&f, &few, sizeof f);
        check_float(f);
    }
    int model_fesetround(int);
    EXPECT(fegetround() == model_fegetround(), "%d", fegetround());
    EXPECT(fesetround(0) == model_fesetround(0) && fesetround(7) == model_fesetround(7), "%d",
           fesetround(7));
}

int main(void) {
    char s[LONGEST + 1], t[LONGEST + 1];
    int count = nth_string(0, s);
    for (int i = 0; i < count; i++) {
        nth_string(i, s);
        check_one(s);
        for (int j = 0; j < count; j++) {
            nth_string(j, t);
            check_two(s, t);
        }
    }
    check_random_strings();
    check_characters();
    check_numbers();
    check_random_numbers();
    check_quotients();
    check_byte_order();
    check_floats();
    EXPECT(getpagesize() == model_getpagesize(), "%d", getpagesize());
    EXPECT(__ctype_get_mb_cur_max() == model___ctype_get_mb_cur_max(), "in the C locale");
    return failures != 0;
}
