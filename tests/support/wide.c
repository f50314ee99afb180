/* Compares the models for wide characters and multibyte texts with the C library's functions, on random texts
 * over a small alphabet, and on every character. The models are linked with the prefix `model_`. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <uchar.h>
#include <wchar.h>
#include <wctype.h>

#include "random.h"

void model___compact_se_unsupported(const char *what) { abort(); }
void *model_malloc(size_t bytes) { return malloc(bytes); }
void *model_memcpy(void *to, const void *from, size_t bytes) { return memcpy(to, from, bytes); }
void *model_memmove(void *to, const void *from, size_t bytes) { return memmove(to, from, bytes); }

static int sign(int value) { return (value > 0) - (value < 0); }

enum { LONGEST = 6, ROOM = 4 * LONGEST };

static void random_text(wchar_t *text) {
    static const wchar_t alphabet[] = {L'a', L'b', L'B', -5, 0x10ffff};
    unsigned length = below(LONGEST + 1);
    for (unsigned i = 0; i < length; i++)
        text[i] = alphabet[below(below(3) ? 2 : 5)];
    text[length] = 0;
}

#define SAME_RESULT(type, name, parameters, arguments)                                             \
    {                                                                                              \
        type model_##name parameters;                                                              \
        EXPECT(model_##name arguments == name arguments, "%ls and %ls", s, t);                     \
    }
/* Both change a text of their own. */
#define SAME_CHANGE(name, parameters, rest)                                                        \
    {                                                                                              \
        wchar_t *model_##name parameters, ours[ROOM], theirs[ROOM];                                \
        wmemset(ours, L'#', ROOM);                                                                 \
        wcscpy(ours, s);                                                                           \
        wmemcpy(theirs, ours, ROOM);                                                               \
        long distance = model_##name(ours, rest) - ours;                                           \
        EXPECT(distance == name(theirs, rest) - theirs, "%ls and %ls", s, t);                      \
        EXPECT(wmemcmp(ours, theirs, ROOM) == 0, "%ls and %ls", s, t);                             \
    }
#define COMMA ,

static void check_texts(void) {
    wchar_t s[ROOM], t[ROOM];
    random_text(s);
    random_text(t);
    wchar_t c = t[0];
    size_t limit = below(LONGEST + 2), both = wcslen(s) < wcslen(t) ? wcslen(s) : wcslen(t);
    size_t within = below((unsigned)both + 1);
    SAME_RESULT(size_t, wcslen, (const wchar_t *), (s))
    SAME_RESULT(size_t, wcsnlen, (const wchar_t *, size_t), (s, limit))
    SAME_RESULT(size_t, wcsspn, (const wchar_t *, const wchar_t *), (s, t))
    SAME_RESULT(size_t, wcscspn, (const wchar_t *, const wchar_t *), (s, t))
    SAME_RESULT(wchar_t *, wcschr, (const wchar_t *, wchar_t), (s, c))
    SAME_RESULT(wchar_t *, wcschrnul, (const wchar_t *, wchar_t), (s, c))
    SAME_RESULT(wchar_t *, wcsrchr, (const wchar_t *, wchar_t), (s, c))
    SAME_RESULT(wchar_t *, wmemchr, (const wchar_t *, wchar_t, size_t), (s, c, within))
    SAME_RESULT(wchar_t *, wcspbrk, (const wchar_t *, const wchar_t *), (s, t))
    SAME_RESULT(wchar_t *, wcsstr, (const wchar_t *, const wchar_t *), (s, t))
    int model_wcscmp(const wchar_t *, const wchar_t *), model_wcscoll(const wchar_t *, const wchar_t *);
    int model_wcsncmp(const wchar_t *, const wchar_t *, size_t), model_wmemcmp(const wchar_t *, const wchar_t *, size_t);
    EXPECT(sign(model_wcscmp(s, t)) == sign(wcscmp(s, t)), "%ls and %ls", s, t);
    EXPECT(sign(model_wcscoll(s, t)) == sign(wcscoll(s, t)), "%ls and %ls", s, t);
    EXPECT(sign(model_wcsncmp(s, t, limit)) == sign(wcsncmp(s, t, limit)), "%ls and %ls", s, t);
    EXPECT(sign(model_wmemcmp(s, t, within)) == sign(wmemcmp(s, t, within)), "%ls and %ls", s, t);
    int model_wcscasecmp(const wchar_t *, const wchar_t *);
    int model_wcsncasecmp(const wchar_t *, const wchar_t *, size_t);
    EXPECT(sign(model_wcscasecmp(s, t)) == sign(wcscasecmp(s, t)), "%ls and %ls", s, t);
    EXPECT(sign(model_wcsncasecmp(s, t, limit)) == sign(wcsncasecmp(s, t, limit)), "%ls and %ls", s, t);
    SAME_RESULT(int, wcswidth, (const wchar_t *, size_t), (s, limit))
    SAME_CHANGE(wcpncpy, (wchar_t *, const wchar_t *, size_t), t COMMA limit)
    SAME_CHANGE(wcscpy, (wchar_t *, const wchar_t *), t)
    SAME_CHANGE(wcpcpy, (wchar_t *, const wchar_t *), t)
    SAME_CHANGE(wcsncpy, (wchar_t *, const wchar_t *, size_t), t COMMA limit)
    SAME_CHANGE(wcscat, (wchar_t *, const wchar_t *), t)
    SAME_CHANGE(wcsncat, (wchar_t *, const wchar_t *, size_t), t COMMA limit)
    SAME_CHANGE(wmemcpy, (wchar_t *, const wchar_t *, size_t), t COMMA within)
    SAME_CHANGE(wmempcpy, (wchar_t *, const wchar_t *, size_t), t COMMA within)
    SAME_CHANGE(wmemmove, (wchar_t *, const wchar_t *, size_t), t COMMA within)
    SAME_CHANGE(wmemset, (wchar_t *, wchar_t, size_t), c COMMA limit)
    wchar_t ours_moved[ROOM], theirs_moved[ROOM];
    size_t model_wcsxfrm(wchar_t *, const wchar_t *, size_t);
    wmemset(ours_moved, L'#', ROOM);
    wmemset(theirs_moved, L'#', ROOM);
    EXPECT(model_wcsxfrm(ours_moved, s, limit) == wcsxfrm(theirs_moved, s, limit), "%ls", s);
    EXPECT(limit <= wcslen(s) || wmemcmp(ours_moved, theirs_moved, ROOM) == 0, "%ls", s);
    wchar_t *model_wcsdup(const wchar_t *), *copy = model_wcsdup(s);
    EXPECT(wcscmp(copy, s) == 0, "%ls", s);
    free(copy);
    wchar_t *model_wcstok(wchar_t *, const wchar_t *, wchar_t **), *our_rest, *their_rest;
    wchar_t ours[ROOM], theirs[ROOM], *our_part = ours, *their_part = theirs;
    wcscpy(ours, s);
    wcscpy(theirs, s);
    for (int first = 1; our_part != NULL && their_part != NULL; first = 0) {
        our_part = model_wcstok(first ? ours : NULL, t, &our_rest);
        their_part = wcstok(first ? theirs : NULL, t, &their_rest);
        EXPECT(!our_part == !their_part, "%ls and %ls", s, t);
        EXPECT(!our_part || !their_part || our_part - ours == their_part - theirs, "%ls and %ls", s, t);
    }
    EXPECT(wmemcmp(ours, theirs, wcslen(s) + 1) == 0, "%ls and %ls", s, t);
}

#define CLASS(name)                                                                                \
    {                                                                                              \
        int model_##name(wint_t);                                                                  \
        EXPECT(!model_##name(c) == !name(c), "%d", (int)c);                                        \
    }

static void check_character(wint_t c) {
    CLASS(iswdigit) CLASS(iswlower) CLASS(iswupper) CLASS(iswalpha) CLASS(iswalnum) CLASS(iswxdigit)
    CLASS(iswblank) CLASS(iswspace) CLASS(iswcntrl) CLASS(iswprint) CLASS(iswgraph) CLASS(iswpunct)
    wint_t model_towlower(wint_t), model_towupper(wint_t);
    unsigned long model_wctype(const char *);
    int model_iswctype(wint_t, unsigned long);
    const int *model_wctrans(const char *);
    wint_t model_towctrans(wint_t, const int *);
    static const char *const classes[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower",
                                          "print", "punct", "space", "upper", "xdigit", "up", ""};
    static const char *const conversions[] = {"tolower", "toupper"};
    const char *name = PICK(classes), *conversion = PICK(conversions);
    EXPECT(!model_wctype(name) == !wctype(name), "%s", name);
    EXPECT(!model_iswctype(c, model_wctype(name)) == !iswctype(c, wctype(name)), "%s %d", name, (int)c);
    EXPECT(model_towctrans(c, model_wctrans(conversion)) == towctrans(c, wctrans(conversion)), "%d", (int)c);
    EXPECT(model_wctrans("title") == NULL && wctrans("title") == NULL, "%d", (int)c);
    EXPECT(model_towlower(c) == towlower(c) && model_towupper(c) == towupper(c), "%d", (int)c);
}

static void check_bytes(void) {
    char s[ROOM], ours[ROOM], theirs[ROOM];
    wchar_t our_wide[ROOM], their_wide[ROOM];
    unsigned length = below(LONGEST);
    for (unsigned i = 0; i < length; i++)
        s[i] = (char)(1 + below(127));
    s[length] = '\0';
    size_t limit = below(LONGEST + 2), model_mbstowcs(wchar_t *, const char *, size_t);
    size_t model_wcstombs(char *, const wchar_t *, size_t);
    wmemset(our_wide, L'#', ROOM);
    wmemset(their_wide, L'#', ROOM);
    EXPECT(model_mbstowcs(our_wide, s, limit) == mbstowcs(their_wide, s, limit), "%s %zu", s, limit);
    EXPECT(wmemcmp(our_wide, their_wide, ROOM) == 0, "%s %zu", s, limit);
    EXPECT(model_mbstowcs(NULL, s, limit) == mbstowcs(NULL, s, limit), "%s", s);
    mbstowcs(their_wide, s, ROOM);
    memset(ours, '#', ROOM);
    memset(theirs, '#', ROOM);
    EXPECT(model_wcstombs(ours, their_wide, limit) == wcstombs(theirs, their_wide, limit), "%s %zu", s, limit);
    EXPECT(memcmp(ours, theirs, ROOM) == 0, "%s %zu", s, limit);
    EXPECT(model_wcstombs(NULL, their_wide, limit) == wcstombs(NULL, their_wide, limit), "%s", s);
    wint_t model_btowc(int);
    int model_wctob(wint_t), model_mblen(const char *, size_t), model_mbtowc(wchar_t *, const char *, size_t);
    int model_wctomb(char *, wchar_t);
    size_t model_mbrtowc(wchar_t *, const char *, size_t, mbstate_t *), model_wcrtomb(char *, wchar_t, mbstate_t *);
    mbstate_t state = {0};
    EXPECT(model_btowc(s[0]) == btowc(s[0]) && model_wctob((wint_t)s[0]) == wctob((wint_t)s[0]), "%s", s);
    EXPECT(model_btowc(EOF) == WEOF && model_wctob(WEOF) == EOF, "%s", s);
    EXPECT(model_mblen(s, limit) == mblen(s, limit), "%s %zu", s, limit);
    EXPECT(model_mbtowc(our_wide, s, limit) == mbtowc(their_wide, s, limit), "%s %zu", s, limit);
    EXPECT(model_mbrtowc(our_wide, s, limit, NULL) == mbrtowc(their_wide, s, limit, &state), "%s %zu", s, limit);
    EXPECT(limit == 0 || our_wide[0] == their_wide[0], "%s", s);
    EXPECT(model_wctomb(ours, s[0]) == wctomb(theirs, s[0]) && ours[0] == theirs[0], "%s", s);
    EXPECT(model_wcrtomb(ours, s[0], NULL) == wcrtomb(theirs, s[0], &state) && ours[0] == theirs[0], "%s", s);
    EXPECT(model_wcrtomb(NULL, s[0], NULL) == wcrtomb(NULL, s[0], &state), "%s", s);
}

/* A limited conversion of the first characters, and where the source stands then. */
static void check_restartable(void) {
    char s[ROOM], ours[ROOM], theirs[ROOM];
    wchar_t wide[ROOM], our_wide[ROOM], their_wide[ROOM];
    unsigned length = below(LONGEST);
    for (unsigned i = 0; i <= length; i++)
        wide[i] = s[i] = i == length ? '\0' : (char)(1 + below(127));
    size_t limit = below(LONGEST + 2), most = below(LONGEST + 2);
    mbstate_t state = {0};
    int has_target = below(4) != 0;
    size_t model_mbsnrtowcs(wchar_t *, const char **, size_t, size_t, mbstate_t *);
    size_t model_mbsrtowcs(wchar_t *, const char **, size_t, mbstate_t *);
    size_t model_wcsnrtombs(char *, const wchar_t **, size_t, size_t, mbstate_t *);
    size_t model_wcsrtombs(char *, const wchar_t **, size_t, mbstate_t *);
#define SAME_CONVERSION(type, ours, theirs, source, ...)                                           \
    {                                                                                              \
        const type *our_source = source, *their_source = source;                                   \
        memset(ours, '#', sizeof ours);                                                            \
        memset(theirs, '#', sizeof ours);                                                          \
        EXPECT(CONVERT(model_, ours, &our_source, __VA_ARGS__) ==                                  \
                   CONVERT(, theirs, &their_source, __VA_ARGS__),                                  \
               "%s %zu %zu", s, most, limit);                                                      \
        EXPECT(our_source == their_source && memcmp(ours, theirs, sizeof ours) == 0, "%s %zu %zu", s, most, \
               limit);                                                                             \
    }
#define CONVERT(prefix, target, source, name, ...)                                                 \
    prefix##name(has_target ? target : NULL, source, __VA_ARGS__, &state)
    SAME_CONVERSION(char, our_wide, their_wide, s, mbsnrtowcs, most, limit)
    SAME_CONVERSION(char, our_wide, their_wide, s, mbsrtowcs, limit)
    SAME_CONVERSION(wchar_t, ours, theirs, wide, wcsnrtombs, most, limit)
    SAME_CONVERSION(wchar_t, ours, theirs, wide, wcsrtombs, limit)
}

static void check_unicode(void) {
    char s[2] = {(char)below(128), '\0'}, ours[2] = "##", theirs[2] = "##";
    mbstate_t state = {0};
    size_t limit = below(3);
#define SAME_UNICODE(bits)                                                                         \
    {                                                                                              \
        char##bits##_t our = 7, their = 7;                                                         \
        size_t model_mbrtoc##bits(char##bits##_t *, const char *, size_t, void *);                 \
        size_t model_c##bits##rtomb(char *, char##bits##_t, void *);                               \
        EXPECT(model_mbrtoc##bits(&our, s, limit, &state) == mbrtoc##bits(&their, s, limit, &state) && \
                   our == their,                                                                   \
               "%d %zu", s[0], limit);                                                             \
        EXPECT(model_mbrtoc##bits(&our, NULL, 0, &state) == mbrtoc##bits(&their, NULL, 0, &state) && \
                   our == their,                                                                   \
               "%d %d", (int)our, (int)their);                                                     \
        EXPECT(model_c##bits##rtomb(ours, s[0], &state) == c##bits##rtomb(theirs, s[0], &state) && \
                   ours[0] == theirs[0],                                                           \
               "%d", s[0]);                                                                        \
    }
    SAME_UNICODE(16)
    SAME_UNICODE(32)
}

int main(void) {
    for (wint_t c = 0; c < 0x11000; c++)
        check_character(c);
    check_character(WEOF);
    for (int i = 0; i < times(100000); i++) {
        check_texts();
        check_bytes();
        check_restartable();
        check_unicode();
    }
    return failures != 0;
}
