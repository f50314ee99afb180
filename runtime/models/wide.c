/* Models of the functions for wide characters and multibyte texts, in the C locale.
 *
 * Compiled and linked as string.c is, whose loops these are.
 */
typedef __SIZE_TYPE__ size_t;
typedef __WCHAR_TYPE__ wchar_t;
typedef __WINT_TYPE__ wint_t;
#define NULL ((void *)0)

void *malloc(size_t bytes);
__attribute__((noreturn)) void __compact_se_unsupported(const char *what);

/* --- Length and copying --------------------------------------------------------------------- */

size_t wcslen(const wchar_t *s) {
    size_t i = 0;
    while (s[i] != 0)
        i++;
    return i;
}

size_t wcsnlen(const wchar_t *s, size_t limit) {
    size_t i = 0;
    while (i < limit && s[i] != 0)
        i++;
    return i;
}

wchar_t *wcpcpy(wchar_t *restrict to, const wchar_t *restrict from) {
    size_t i = 0;
    while (from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    to[i] = 0;
    return to + i;
}

wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from) {
    wcpcpy(to, from);
    return to;
}

wchar_t *wcsncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t limit) {
    size_t i = 0;
    while (i < limit && from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    while (i < limit)
        to[i++] = 0;
    return to;
}

wchar_t *wcpncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t limit) {
    size_t length = wcsnlen(from, limit);
    wcsncpy(to, from, limit);
    return to + length;
}

/* As texts compare in the C locale. */
size_t wcsxfrm(wchar_t *restrict to, const wchar_t *restrict from, size_t limit) {
    size_t length = wcslen(from), i;
    for (i = 0; i < limit && i <= length; i++)
        to[i] = from[i];
    return length;
}

wchar_t *wcscat(wchar_t *restrict to, const wchar_t *restrict from) {
    wcpcpy(to + wcslen(to), from);
    return to;
}

wchar_t *wcsncat(wchar_t *restrict to, const wchar_t *restrict from, size_t limit) {
    wchar_t *end = to + wcslen(to);
    size_t i = 0;
    while (i < limit && from[i] != 0) {
        end[i] = from[i];
        i++;
    }
    end[i] = 0;
    return to;
}

wchar_t *wcsdup(const wchar_t *s) {
    wchar_t *copy = malloc((wcslen(s) + 1) * sizeof *copy);
    if (copy != NULL)
        wcscpy(copy, s);
    return copy;
}

wchar_t *wmemcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t count) {
    return __builtin_memcpy(to, from, count * sizeof *to);
}

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t count) {
    return __builtin_memmove(to, from, count * sizeof *to);
}

wchar_t *wmempcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t count) {
    return wmemcpy(to, from, count) + count;
}

wchar_t *wmemset(wchar_t *to, wchar_t c, size_t count) {
    size_t i;
    for (i = 0; i < count; i++)
        to[i] = c;
    return to;
}

/* --- Comparing and searching ---------------------------------------------------------------- */

int wcscmp(const wchar_t *s, const wchar_t *t) {
    size_t i = 0;
    while (s[i] == t[i] && s[i] != 0)
        i++;
    return (s[i] > t[i]) - (s[i] < t[i]);
}

int wcscoll(const wchar_t *s, const wchar_t *t) { return wcscmp(s, t); }

int wcsncmp(const wchar_t *s, const wchar_t *t, size_t limit) {
    size_t i = 0;
    while (i < limit && s[i] == t[i] && s[i] != 0)
        i++;
    return i == limit ? 0 : (s[i] > t[i]) - (s[i] < t[i]);
}

int wmemcmp(const wchar_t *s, const wchar_t *t, size_t count) {
    size_t i = 0;
    while (i < count && s[i] == t[i])
        i++;
    return i == count ? 0 : (s[i] > t[i]) - (s[i] < t[i]);
}

wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t count) {
    size_t i = 0;
    while (i < count && s[i] != c)
        i++;
    return i == count ? NULL : (wchar_t *)s + i;
}

wchar_t *wcschr(const wchar_t *s, wchar_t c) {
    size_t i = 0;
    while (s[i] != c && s[i] != 0)
        i++;
    return s[i] == c ? (wchar_t *)s + i : NULL;
}

wchar_t *wcschrnul(const wchar_t *s, wchar_t c) {
    size_t i = 0;
    while (s[i] != c && s[i] != 0)
        i++;
    return (wchar_t *)s + i;
}

wchar_t *wcsrchr(const wchar_t *s, wchar_t c) {
    const wchar_t *last = NULL;
    size_t i = 0;
    for (;; i++) {
        if (s[i] == c)
            last = s + i;
        if (s[i] == 0)
            return (wchar_t *)last;
    }
}

static wchar_t small(wchar_t c) { return c + 32 * ((unsigned)c - 'A' < 26); }

int wcscasecmp(const wchar_t *s, const wchar_t *t) {
    size_t i = 0;
    while (small(s[i]) == small(t[i]) && s[i] != 0)
        i++;
    return (small(s[i]) > small(t[i])) - (small(s[i]) < small(t[i]));
}

int wcsncasecmp(const wchar_t *s, const wchar_t *t, size_t limit) {
    size_t i = 0;
    while (i < limit && small(s[i]) == small(t[i]) && s[i] != 0)
        i++;
    return i == limit ? 0 : (small(s[i]) > small(t[i])) - (small(s[i]) < small(t[i]));
}

static int is_among(wchar_t c, const wchar_t *set) {
    size_t i = 0;
    while (set[i] != c && set[i] != 0)
        i++;
    return set[i] != 0;
}

size_t wcsspn(const wchar_t *s, const wchar_t *set) {
    size_t i = 0;
    while (s[i] != 0 && is_among(s[i], set))
        i++;
    return i;
}

size_t wcscspn(const wchar_t *s, const wchar_t *set) {
    size_t i = 0;
    while (s[i] != 0 && !is_among(s[i], set))
        i++;
    return i;
}

wchar_t *wcspbrk(const wchar_t *s, const wchar_t *set) {
    s += wcscspn(s, set);
    return *s != 0 ? (wchar_t *)s : NULL;
}

wchar_t *wcsstr(const wchar_t *s, const wchar_t *part) {
    size_t length = wcslen(part), i;
    for (i = 0;; i++) {
        if (wcsncmp(s + i, part, length) == 0)
            return (wchar_t *)s + i;
        if (s[i] == 0)
            return NULL;
    }
}

wchar_t *wcswcs(const wchar_t *s, const wchar_t *part) { return wcsstr(s, part); }

wchar_t *wcstok(wchar_t *restrict s, const wchar_t *restrict set, wchar_t **restrict rest) {
    if (s == NULL)
        s = *rest;
    if (s == NULL)
        return NULL;
    s += wcsspn(s, set);
    if (*s == 0) {
        *rest = NULL;
        return NULL;
    }
    wchar_t *end = s + wcscspn(s, set);
    *rest = *end == 0 ? NULL : end + 1;
    *end = 0;
    return s;
}

/* --- Classes -------------------------------------------------------------------------------- */

#define BETWEEN(c, low, high) ((unsigned)(c) - (low) <= (high) - (low))

int iswdigit(wint_t c) { return BETWEEN(c, '0', '9'); }
int iswlower(wint_t c) { return BETWEEN(c, 'a', 'z'); }
int iswupper(wint_t c) { return BETWEEN(c, 'A', 'Z'); }
int iswalpha(wint_t c) { return BETWEEN(c, 'a', 'z') | BETWEEN(c, 'A', 'Z'); }
int iswalnum(wint_t c) { return iswalpha(c) | iswdigit(c); }
int iswxdigit(wint_t c) { return BETWEEN(c, 'a', 'f') | BETWEEN(c, 'A', 'F') | iswdigit(c); }
int iswblank(wint_t c) { return (c == ' ') | (c == '\t'); }
int iswspace(wint_t c) { return (c == ' ') | BETWEEN(c, '\t', '\r'); }
int iswcntrl(wint_t c) { return BETWEEN(c, 0, 31) | (c == 127); }
int iswprint(wint_t c) { return BETWEEN(c, 32, 126); }
int iswgraph(wint_t c) { return BETWEEN(c, 33, 126); }
int iswpunct(wint_t c) { return BETWEEN(c, 33, 126) & !iswalnum(c); }
wint_t towlower(wint_t c) { return c + 32 * BETWEEN(c, 'A', 'Z'); }
wint_t towupper(wint_t c) { return c - 32 * BETWEEN(c, 'a', 'z'); }

/* Classes and conversions by name: their numbers in these lists, from 1. */
static int is_name(const char *name, const char *known) {
    int i = 0;
    while (name[i] == known[i] && name[i] != '\0')
        i++;
    return name[i] == known[i];
}

static unsigned long number_of(const char *name, const char *const *names) {
    unsigned long number = 1;
    for (; *names != NULL; names++, number++)
        if (is_name(name, *names))
            return number;
    return 0;
}

unsigned long wctype(const char *name) {
    static const char *const names[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower",
                                        "print", "punct", "space", "upper", "xdigit", NULL};
    return number_of(name, names);
}

int iswctype(wint_t c, unsigned long type) {
    switch (type) {
    case 1: return iswalnum(c);
    case 2: return iswalpha(c);
    case 3: return iswblank(c);
    case 4: return iswcntrl(c);
    case 5: return iswdigit(c);
    case 6: return iswgraph(c);
    case 7: return iswlower(c);
    case 8: return iswprint(c);
    case 9: return iswpunct(c);
    case 10: return iswspace(c);
    case 11: return iswupper(c);
    case 12: return iswxdigit(c);
    default: return 0;
    }
}

const int *wctrans(const char *name) {
    static const char *const names[] = {"tolower", "toupper", NULL};
    static const int numbers[3];
    unsigned long number = number_of(name, names);
    return number == 0 ? NULL : numbers + number;
}

wint_t towctrans(wint_t c, const int *conversion) {
    if (conversion == NULL)
        return c;
    return conversion == wctrans("tolower") ? towlower(c) : towupper(c);
}

/* Columns of a terminal; characters that are not printed have none. */
int wcwidth(wchar_t c) { return c == 0 ? 0 : BETWEEN(c, 32, 126) ? 1 : -1; }

int wcswidth(const wchar_t *s, size_t limit) {
    size_t i;
    for (i = 0; i < limit && s[i] != 0; i++)
        if (!BETWEEN(s[i], 32, 126))
            return -1;
    return (int)i;
}

/* --- Multibyte texts ------------------------------------------------------------------------ */

/* In the C locale a character is a byte. What bytes from 128 on stand for, versions of the library disagree
 * about. */
static wchar_t wide_of(char c) {
    if (c < 0)
        __compact_se_unsupported("a byte of 128 or more as a multibyte character");
    return c;
}

static char byte_of(wchar_t c) {
    if (c < 0 || c > 127)
        __compact_se_unsupported("a wide character of 128 or more as a byte");
    return (char)c;
}

wint_t btowc(int c) {
    if (c == -1)
        return (wint_t)-1;
    return (wint_t)wide_of((char)c);
}

int wctob(wint_t c) {
    if (c == (wint_t)-1)
        return -1;
    return byte_of((wchar_t)c);
}

size_t mbrtowc(wchar_t *restrict to, const char *restrict from, size_t limit, void *restrict state) {
    (void)state;
    if (from == NULL)
        return 0;
    if (limit == 0)
        return (size_t)-2;
    wchar_t c = wide_of(*from);
    if (to != NULL)
        *to = c;
    return c != 0;
}

size_t mbrlen(const char *restrict from, size_t limit, void *restrict state) {
    return mbrtowc(NULL, from, limit, state);
}

int mbsinit(const void *state) {
    (void)state;
    return 1;
}

int mbtowc(wchar_t *restrict to, const char *restrict from, size_t limit) {
    if (from == NULL)
        return 0;
    /* The GNU C library looks at the end first. */
    if (limit == 0 && *from != '\0')
        return -1;
    return (int)mbrtowc(to, from, 1, NULL);
}

int mblen(const char *from, size_t limit) { return mbtowc(NULL, from, limit); }

size_t wcrtomb(char *restrict to, wchar_t c, void *restrict state) {
    (void)state;
    if (to != NULL)
        *to = byte_of(c);
    return 1;
}

int wctomb(char *to, wchar_t c) {
    if (to == NULL)
        return 0;
    *to = byte_of(c);
    return 1;
}

size_t mbstowcs(wchar_t *restrict to, const char *restrict from, size_t limit) {
    size_t i;
    for (i = 0; to == NULL || i < limit; i++) {
        wchar_t c = wide_of(from[i]);
        if (to != NULL)
            to[i] = c;
        if (c == 0)
            break;
    }
    return i;
}

size_t wcstombs(char *restrict to, const wchar_t *restrict from, size_t limit) {
    size_t i;
    for (i = 0; to == NULL || i < limit; i++) {
        char c = byte_of(from[i]);
        if (to != NULL)
            to[i] = c;
        if (c == 0)
            break;
    }
    return i;
}

/* The source is followed to where it was read, unless nothing is stored. */
#define RESTARTABLE_LIMITED(name, from_type, to_type, convert)                                     \
    size_t name(to_type *restrict to, const from_type **restrict from, size_t most, size_t limit,  \
                void *restrict state) {                                                            \
        const from_type *s = *from;                                                                \
        size_t i;                                                                                  \
        (void)state;                                                                               \
        for (i = 0; i < most && (to == NULL || i < limit); i++) {                                  \
            to_type c = convert(s[i]);                                                             \
            if (to != NULL)                                                                        \
                to[i] = c;                                                                         \
            if (c == 0) {                                                                          \
                if (to != NULL)                                                                    \
                    *from = NULL;                                                                  \
                return i;                                                                          \
            }                                                                                      \
        }                                                                                          \
        if (to != NULL)                                                                            \
            *from = s + i;                                                                         \
        return i;                                                                                  \
    }
#define RESTARTABLE(name, limited, from_type, to_type)                                             \
    size_t name(to_type *restrict to, const from_type **restrict from, size_t limit,               \
                void *restrict state) {                                                            \
        return limited(to, from, (size_t)-1, limit, state);                                        \
    }

RESTARTABLE_LIMITED(mbsnrtowcs, char, wchar_t, wide_of)
RESTARTABLE_LIMITED(wcsnrtombs, wchar_t, char, byte_of)
RESTARTABLE(mbsrtowcs, mbsnrtowcs, char, wchar_t)
RESTARTABLE(wcsrtombs, wcsnrtombs, wchar_t, char)

/* --- Characters of Unicode ------------------------------------------------------------------ */

#define TO_UNICODE(name, type)                                                                     \
    size_t name(type *restrict to, const char *restrict from, size_t limit, void *restrict state) { \
        wchar_t c = 0;                                                                             \
        size_t result = mbrtowc(&c, from, limit, state);                                           \
        if (to != NULL && from != NULL && limit != 0)                                              \
            *to = (type)c;                                                                         \
        return result;                                                                             \
    }
#define FROM_UNICODE(name, type)                                                                   \
    size_t name(char *restrict to, type c, void *restrict state) {                                 \
        return wcrtomb(to, (wchar_t)c, state);                                                     \
    }

TO_UNICODE(mbrtoc16, __UINT16_TYPE__)
TO_UNICODE(mbrtoc32, __UINT32_TYPE__)
FROM_UNICODE(c16rtomb, __UINT16_TYPE__)
FROM_UNICODE(c32rtomb, __UINT32_TYPE__)
