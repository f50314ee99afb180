/* Compares the model of sscanf and its kin with the C library's functions, on random formats and
 * texts. The models are linked with the prefix `model_`. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <errno.h>
#include <string.h>
#include <wchar.h>

#include "random.h"

void model_compact_se_set_errno(int number) { errno = number; }
void *model_malloc(size_t bytes) { return malloc(bytes); }
void *model_memset(void *to, int byte, size_t bytes) { return memset(to, byte, bytes); }
int model_swscanf(const wchar_t *, const wchar_t *, ...);

int model_sscanf(const char *, const char *, ...), model___isoc99_sscanf(const char *, const char *, ...);
int model___isoc23_sscanf(const char *, const char *, ...);
int model_vsscanf(const char *, const char *, va_list);

/* What a model refuses is not compared; few calls are. */
static jmp_buf refused;
static int refusals;
static char reason[100];
_Noreturn void model___compact_se_unsupported(const char *what) {
    snprintf(reason, sizeof reason, "%s", what);
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
    static const char *const words[] = {"inf", "-INFx", "+infinity", "infinit", "iNfi,", "nan", "-NaN(5)", "na ",
                                        "inn", "0x1.8p3", "0x.", "-0X.8p-2,", "0x1p", "0xep+1", "0x.p1", "0x1e5"};
    if (below(6) == 0)
        strcpy(text, PICK(words));
    if (below(8) == 0)
        for (unsigned i = 0, many = 8 + below(15); i <= many; i++)
            text[i] = i == many ? '\0' : "00198"[below(5)];
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
    errno = 0;
    int done = sscanf(text, format, theirs.bytes[0], theirs.bytes[1], &n);
    int number = errno;
    errno = 0;
    int model_done = (below(2) ? model_sscanf : model___isoc99_sscanf)(
        text, format, ours.bytes[0], ours.bytes[1], &model_n);
    /* What glibc leaves where it skips white space up to the end is not followed, nor what strtod says. */
    int is_followed = strpbrk(format, "fFeEgGaA") == NULL && strpbrk(text, " \t") == NULL;
    EXPECT(number == errno || !is_followed, "\"%s\" by \"%s\": %d and %d", text, format, number, errno);
    EXPECT(done == model_done && n == model_n && memcmp(&theirs, &ours, sizeof ours) == 0,
           "\"%s\" by \"%s\": %d and %d, %d and %d, \"%.20s\" and \"%.20s\"", text, format, done,
           model_done, n, model_n, theirs.bytes[0], ours.bytes[0]);
}

/* Texts into blocks of their own, and wide ones. */
static void check_blocks(void) {
    static const char *const formats[] = {"%ms%n", "%3mc%n", "%m[a-c]%n", "%mls%n", "%4ms%n", "%ml[^,]%n"};
    static const char *const wide[] = {"%ls%n", "%2lc%n", "%S %lc%n", "%l[^ ,]%n", "%3ls%n"};
    char text[16];
    unsigned length = below(12);
    for (unsigned i = 0; i < length; i++)
        text[i] = " ,abcdef"[below(8)];
    text[length] = '\0';
    unsigned which = below(sizeof formats / sizeof *formats);
    char *theirs = NULL, *ours = NULL;
    int n = -7, model_n = -7;
    int done = sscanf(text, formats[which], &theirs, &n);
    int model_done = model_sscanf(text, formats[which], &ours, &model_n);
    EXPECT(done == model_done && n == model_n, "\"%s\" by %s: %d and %d", text, formats[which], done, model_done);
    if (done == 1 && which == 1)
        EXPECT(memcmp(theirs, ours, 3) == 0 || n < 3, "\"%s\" by %s", text, formats[which]);
    else if (done == 1 && strchr(formats[which], 'l'))
        EXPECT(wcscmp((wchar_t *)theirs, (wchar_t *)ours) == 0, "\"%s\" by %s", text, formats[which]);
    else if (done == 1)
        EXPECT(strcmp(theirs, ours) == 0, "\"%s\" by %s", text, formats[which]);
    wchar_t their_wide[2][20], our_wide[2][20];
    wmemset(their_wide[0], L'#', 40);
    wmemset(our_wide[0], L'#', 40);
    const char *format = PICK(wide);
    done = sscanf(text, format, their_wide[0], their_wide[1], &n);
    model_done = model_sscanf(text, format, our_wide[0], our_wide[1], &model_n);
    EXPECT(done == model_done && wmemcmp(their_wide[0], our_wide[0], 40) == 0, "\"%s\" by %s", text, format);
}

static void check_wide(void) {
    static const wchar_t *const formats[] = {L"%d%n", L"%x,%n", L" %ls%n", L"%l[^ ,]%n", L"%lf%n", L"%3d%n"};
    wchar_t text[16];
    unsigned length = below(12);
    for (unsigned i = 0; i < length; i++)
        text[i] = (wchar_t)" ,-123456789abc"[below(15)];
    text[length] = 0;
    struct result theirs, ours;
    int n = -7, model_n = -7;
    memset(&theirs, '#', sizeof theirs);
    memset(&ours, '#', sizeof ours);
    const wchar_t *format = PICK(formats);
    int done = swscanf(text, format, theirs.bytes[0], &n);
    int model_done = model_swscanf(text, format, ours.bytes[0], &model_n);
    EXPECT(done == model_done && n == model_n && memcmp(&theirs, &ours, sizeof ours) == 0,
           "\"%ls\" by %ls: %d and %d", text, format, done, model_done);
}

int main(void) {
    int n = 0;
    for (int i = 0; i < times(100000); i++)
        check();
    EXPECT(refusals == 0, "%d refusals", refusals);
    if (setjmp(refused) == 0)
        for (int i = 0; i < times(10000); i++) {
            check_blocks();
            check_wide();
        }
    else
        EXPECT(0, "%s", reason);
    EXPECT(model___isoc23_sscanf("0b101", "%i", &n) == 1 && n == 5, "%d", n);
    EXPECT(model_sscanf("0b101", "%i", &n) == 1 && n == 0, "%d", n);
    return failures != 0;
}
