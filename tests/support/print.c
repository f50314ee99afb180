/* Compares the model of snprintf and its kin with the C library's functions, on random formats and
 * arguments. The models are linked with the prefix `model_`. */
#define _GNU_SOURCE
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "random.h"

int model_snprintf(char *, size_t, const char *, ...), model_sprintf(char *, const char *, ...);
int model_vsnprintf(char *, size_t, const char *, va_list);
int model_vsprintf(char *, const char *, va_list);
int model_asprintf(char **, const char *, ...);
int model_swprintf(wchar_t *, size_t, const wchar_t *, ...);
void model_compact_se_may_set_errno(void) {}
void *model_malloc(size_t bytes) { return malloc(bytes); }
void *model_memset(void *to, int byte, size_t bytes) { return memset(to, byte, bytes); }
void *model_memcpy(void *to, const void *from, size_t bytes) { return memcpy(to, from, bytes); }

/* What a model refuses is not compared; few calls are. */
static jmp_buf refused;
static int refusals;
_Noreturn void model___compact_se_unsupported(const char *what) {
    (void)what;
    longjmp(refused, 1);
}

static char theirs[4000], ours[4000];

/* One conversion, between other characters, into enough space and into too little. */
#define CHECK(format, ...)                                                                        \
    do {                                                                                          \
        memset(theirs, '#', sizeof theirs);                                                       \
        memset(ours, '#', sizeof ours);                                                           \
        int length = sprintf(theirs, format, __VA_ARGS__);                                        \
        int model_length = model_sprintf(ours, format, __VA_ARGS__);                              \
        EXPECT(length == model_length && memcmp(theirs, ours, sizeof ours) == 0,                  \
               "\"%s\": \"%s\" and \"%s\", %d and %d", format, theirs, ours, length,              \
               model_length);                                                                     \
        size_t size = below((unsigned)length + 3);                                                \
        memset(theirs, '#', sizeof theirs);                                                       \
        memset(ours, '#', sizeof ours);                                                           \
        length = snprintf(theirs, size, format, __VA_ARGS__);                                     \
        model_length = model_snprintf(ours, size, format, __VA_ARGS__);                           \
        EXPECT(length == model_length && memcmp(theirs, ours, sizeof ours) == 0,                  \
               "\"%s\" in %zu bytes", format, size);                                              \
        char *their_block, *our_block;                                                            \
        length = asprintf(&their_block, format, __VA_ARGS__);                                     \
        model_length = model_asprintf(&our_block, format, __VA_ARGS__);                           \
        EXPECT(length == model_length &&                                                          \
                   memcmp(their_block, our_block, (size_t)length + 1) == 0,                       \
               "\"%s\" in a block", format);                                                      \
        free(their_block);                                                                        \
        free(our_block);                                                                          \
    } while (0)

static void random_conversion(char *format, const char *size, const char *letters,
                              unsigned most_precision) {
    static const char flags[] = "-+ #0'";
    strcpy(format, below(2) ? "a%" : "%");
    for (unsigned n = below(3); n > 0; n--)
        sprintf(format + strlen(format), "%c", flags[below(6)]);
    if (below(2))
        sprintf(format + strlen(format), "%u", 1 + below(below(4) ? 8 : 40));
    if (below(2))
        sprintf(format + strlen(format), ".%u", below(most_precision));
    else if (below(8) == 0)
        strcat(format, ".");
    sprintf(format + strlen(format), "%s%c%s", size, letters[below((unsigned)strlen(letters))],
            below(2) ? " %% b" : "");
}

static void check_integers(void) {
    static const char letters[] = "diuxXo";
    char format[64];
    uint64_t value = random_64() >> below(64);
    value = below(10) ? value : (uint64_t)1 << below(64);
    value = below(3) ? value : -value;
    value = below(10) ? value : 0;
    random_conversion(format, "", letters, 30);
    CHECK(format, (int)value);
    random_conversion(format, below(2) ? "l" : "ll", letters, 30);
    CHECK(format, (long long)value);
    random_conversion(format, below(2) ? "z" : below(2) ? "t" : "j", letters, 30);
    CHECK(format, (size_t)value);
    random_conversion(format, below(2) ? "h" : "hh", letters, 30);
    CHECK(format, (int)value);
}

static void check_texts(void) {
    static const char *const texts[] = {"", "a", "word", "a longer text", "\xff\x80"};
    char format[64];
    random_conversion(format, "", "s", 12);
    const char *text = PICK(texts);
    CHECK(format, text);
    random_conversion(format, "", "c", 12);
    int c = (int)below(256), width = (int)below(20) - 10, precision = (int)below(6) - 2;
    CHECK(format, c);
    random_conversion(format, "", "s", 12);
    CHECK(format, (char *)NULL);
    CHECK("%*d|%-*d|%.*s", width, 5, precision + 3, 7, precision, "text");
    signed char tiny[2];
    int n[2];
    long wide[2];
    sprintf(theirs, "%d%n%s%hhn%c%ln", 12, &n[0], "ab", &tiny[0], 'c', &wide[0]);
    model_sprintf(ours, "%d%n%s%hhn%c%ln", 12, &n[1], "ab", &tiny[1], 'c', &wide[1]);
    EXPECT(n[0] == n[1] && tiny[0] == tiny[1] && wide[0] == wide[1], "%d", n[1]);
    /* More arguments than registers. */
    CHECK("%d %d %d %d %d %d %s %ld %f %c", 1, 2, 3, 4, 5, 6, "seven", 8L, 9.5, '0');
}

/* Wide texts by formats of bytes, and formats of wide characters. What does not fit is an error. */
#define CHECK_WIDE(format, ...)                                                                    \
    do {                                                                                           \
        wchar_t wide[100], our_wide[200], their_wide[200];                                         \
        size_t i = 0, size = 1 + below(40);                                                        \
        do                                                                                         \
            wide[i] = format[i];                                                                   \
        while (format[i++] != '\0');                                                               \
        wmemset(our_wide, L'#', 200);                                                              \
        wmemset(their_wide, L'#', 200);                                                            \
        int length = swprintf(their_wide, size, wide, __VA_ARGS__);                                \
        int model_length = model_swprintf(our_wide, size, wide, __VA_ARGS__);                      \
        size_t compared = length < 0 ? size - 1 : 200;                                             \
        EXPECT(length == model_length && wmemcmp(our_wide, their_wide, compared) == 0,             \
               "\"%s\" in %zu: \"%ls\" and \"%ls\", %d and %d", format, size, their_wide, our_wide, length, \
               model_length);                                                                      \
    } while (0)

static void check_wide(void) {
    static const wchar_t *const texts[] = {L"", L"a", L"word", L"a longer text", NULL};
    char format[64];
    const wchar_t *text = PICK(texts);
    random_conversion(format, "l", "s", 12);
    CHECK(format, text);
    CHECK_WIDE(format, text);
    random_conversion(format, "", "S", 12);
    CHECK(format, text);
    random_conversion(format, "l", "c", 12);
    wint_t c = 1 + below(127);
    unsigned number = below(100000);
    double value = (double)below(1000) / 8;
    const char *narrow = below(2) ? "text" : "";
    CHECK(format, c);
    CHECK_WIDE(format, c);
    random_conversion(format, "", "s", 12);
    CHECK_WIDE(format, narrow);
    random_conversion(format, "", "dxo", 12);
    CHECK_WIDE(format, number);
    random_conversion(format, "", "e", 12);
    CHECK_WIDE(format, value);
}

static double random_double(void) {
    static const double edges[] = {0.0,  -0.0, 0.5,  1.5,   2.5,    0.25,     9.5,  99.5, 0.05, 1e15,
                                   1e16, 1e17, 1e-4, 1e-5,  9.9999, 9.99e-5,  1e22, 1e23, INFINITY,
                                   -INFINITY, NAN,   5e-324, 1.7976931348623157e308, 123456.5,
                                   999999.5,  0.000099999995};
    double value;
    uint64_t bits = random_64();
    switch (below(5)) {
    case 0:
        return PICK(edges);
    case 1:
        memcpy(&value, &bits, sizeof value);
        return value;
    case 2:
        return (double)(int)below(200000) / 8 - 1000;
    case 3:
        return (double)(random_64() >> below(64)) * pow(10, (int)below(30) - 15);
    default:
        return (double)below(1000) / 100;
    }
}

static void check_floats(void) {
    char format[64];
    if (setjmp(refused)) {
        refusals++;
        return;
    }
    random_conversion(format, below(2) ? "" : "l", "eEfFgGaA", below(10) ? 25 : 400);
    double value = random_double();
    CHECK(format, value);
}

static void check_single_floats(void) {
    static const char *const formats[] = {"%f", "%.3e", "%.0g", "%.10a"};
    const char *format = PICK(formats);
    double value = (double)(int)below(10000) / 64 - 50;
    int model_strfromd(char *, size_t, const char *, double), model_strfromf(char *, size_t, const char *, float);
    char *model_gcvt(double, int, char *);
    size_t size = below(12);
    EXPECT(strfromd(theirs, 30, format, value) == model_strfromd(ours, 30, format, value) &&
               strcmp(theirs, ours) == 0,
           "%a by %s", value, format);
    EXPECT(strfromf(theirs, 30, format, (float)value) == model_strfromf(ours, 30, format, (float)value) &&
               strcmp(theirs, ours) == 0,
           "%a by %s", value, format);
    EXPECT(strcmp(gcvt(value, (int)size + 1, theirs), model_gcvt(value, (int)size + 1, ours)) == 0, "%a", value);
}

static int through_list(char *text, size_t size, int is_model, int is_limited, const char *format,
                        ...) {
    va_list arguments, copy;
    va_start(arguments, format);
    va_copy(copy, arguments);
    int length = is_limited ? (is_model ? model_vsnprintf : vsnprintf)(text, size, format, copy)
                            : (is_model ? model_vsprintf : vsprintf)(text, format, copy);
    va_end(copy);
    /* The list of the caller is as it was. */
    EXPECT(va_arg(arguments, int) == 3, "%s", format);
    va_end(arguments);
    return length;
}

int main(void) {
    for (int i = 0; i < times(10000); i++) {
        check_floats();
        check_floats();
    }
    if (setjmp(refused) == 0)
        for (int i = 0; i < times(10000); i++) {
            check_integers();
            check_texts();
            check_wide();
            check_single_floats();
        }
    else
        EXPECT(0, "only floats are refused");
    EXPECT(0 < refusals && refusals < times(100), "%d refusals", refusals);
    for (int is_limited = 0; is_limited < 2; is_limited++) {
        int length = through_list(theirs, 4, 0, is_limited, "%d %s", 3, "four");
        int model_length = through_list(ours, 4, 1, is_limited, "%d %s", 3, "four");
        EXPECT(length == model_length && strcmp(theirs, ours) == 0, "%s %s", theirs, ours);
    }
    EXPECT(model_snprintf(NULL, 0, "%d", 123) == 3, "%d", 3);
    return failures != 0;
}
