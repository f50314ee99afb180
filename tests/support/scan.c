/* Compares the model of sscanf and its kin with the C library's functions, on random formats and
 * texts. The models are linked with the prefix `model_`. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

int model_sscanf(const char *, const char *, ...), model___isoc99_sscanf(const char *, const char *, ...);
int model___isoc23_sscanf(const char *, const char *, ...);
int model_vsscanf(const char *, const char *, va_list);

double model_strtod(const char *text, char **end) { return strtod(text, end); }
float model_strtof(const char *text, char **end) { return strtof(text, end); }

/* What a model refuses is not compared; few calls are. */
static jmp_buf refused;
static int refusals;
_Noreturn void model___compact_se_unsupported(const char *what) {
    (void)what;
    longjmp(refused, 1);
}

/* Two conversions write into these. */
struct result {
    char bytes[2][64];
};

static void random_conversion(char *format) {
    static const char *const sizes[] = {"", "", "", "h", "hh", "l", "ll", "z", "j", "t"};
    static const char *const sets[] = {"[a-c]", "[^ ,]", "[]x]", "[^]]", "[a-]", "[-1]", "[c-a]",
                                       "[0-9a-f]"};
    static const char integers[] = "diuxXo", floats[] = "fFeEgGaA";
    static const char *const between[] = {"", "", " ", ",", " , ", "x", "%%", "\n"};
    strcat(format, PICK(between));
    strcat(format, below(6) == 0 ? "%*" : "%");
    if (below(3) == 0)
        sprintf(format + strlen(format), "%u", 1 + below(6));
    switch (below(7)) {
    case 0:
        strcat(format, "s");
        break;
    case 1:
        strcat(format, "c");
        break;
    case 2:
        strcat(format, PICK(sets));
        break;
    case 3:
        sprintf(format + strlen(format), "%s%c", below(2) ? "" : "l", floats[below(8)]);
        break;
    default:
        sprintf(format + strlen(format), "%s%c", PICK(sizes), integers[below(6)]);
    }
}

static void check(void) {
    static const char alphabet[] = "0123456789 ,-+xXabcef.%]\t";
    static struct result theirs, ours;
    char format[64] = "", text[24];
    unsigned length = below(20);
    for (unsigned i = 0; i < length; i++)
        text[i] = alphabet[below(below(3) ? 10 : sizeof alphabet - 1)];
    text[length] = '\0';
    if (below(6) == 0)
        strcpy(text, below(2) ? "0x" : "-0xg");
    if (below(6) == 0)
        sprintf(text, "%s%u.%ue%d", below(2) ? "" : "-", below(200), below(10000), (int)below(60) - 30);
    if (below(12) == 0)
        strcpy(text, below(2) ? "12e,5" : "-.5e+ 7e");
    random_conversion(format);
    random_conversion(format);
    if (below(2))
        strcat(format, "%n");
    memset(&theirs, '#', sizeof theirs);
    memset(&ours, '#', sizeof ours);
    int n = -7, model_n = -7;
    /* A suppressed conversion shifts the arguments: the third is there for %n, or not used. */
    int is_shifted = strchr(format, '*') != NULL;
    if (is_shifted && strstr(format, "%n"))
        return;
    if (setjmp(refused)) {
        refusals++;
        return;
    }
    int done = sscanf(text, format, theirs.bytes[0], theirs.bytes[1], &n);
    int model_done = (below(2) ? model_sscanf : model___isoc99_sscanf)(
        text, format, ours.bytes[0], ours.bytes[1], &model_n);
    EXPECT(done == model_done && n == model_n && memcmp(&theirs, &ours, sizeof ours) == 0,
           "\"%s\" by \"%s\": %d and %d, %d and %d, \"%.20s\" and \"%.20s\"", text, format, done,
           model_done, n, model_n, theirs.bytes[0], ours.bytes[0]);
}

int main(void) {
    int n = 0;
    for (int i = 0; i < 100000; i++)
        check();
    EXPECT(refusals < 8000, "%d refusals", refusals);
    EXPECT(model___isoc23_sscanf("0b101", "%i", &n) == 1 && n == 5, "%d", n);
    EXPECT(model_sscanf("0b101", "%i", &n) == 1 && n == 0, "%d", n);
    return failures != 0;
}
