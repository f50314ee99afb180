/* Models of the string and memory functions of the C library.
 *
 * compact-se compiles this file for the data model of the analysed program and links each function
 * that the program calls and leaves undefined. memcpy, memmove and memset are not here: the engine
 * executes them, as it does malloc and free.
 *
 * The loops are written to be folded: one counter from zero, one comparison of a read byte a
 * round, no pointer that is advanced. Overlapping or too short arguments, which the C standard
 * leaves undefined, behave as these loops do.
 *
 * Freestanding: no header, since those of the C library are not installed for every data model.
 */
typedef __SIZE_TYPE__ size_t;
#define NULL ((void *)0)

void *malloc(size_t bytes);

/* --- Length -------------------------------------------------------------------------------- */

size_t strlen(const char *s) {
    size_t i = 0;
    while (s[i] != '\0')
        i++;
    return i;
}

size_t strnlen(const char *s, size_t limit) {
    size_t i = 0;
    while (i < limit && s[i] != '\0')
        i++;
    return i;
}

/* --- Copying ------------------------------------------------------------------------------- */

char *stpcpy(char *restrict to, const char *restrict from) {
    size_t i = 0;
    while (from[i] != '\0') {
        to[i] = from[i];
        i++;
    }
    to[i] = '\0';
    return to + i;
}

char *strcpy(char *restrict to, const char *restrict from) {
    size_t i = 0;
    while (from[i] != '\0') {
        to[i] = from[i];
        i++;
    }
    to[i] = '\0';
    return to;
}

/* Fills up with zeros to `bytes`; writes no terminator if `from` is that long or longer. */
char *strncpy(char *restrict to, const char *restrict from, size_t bytes) {
    size_t i = 0;
    while (i < bytes && from[i] != '\0') {
        to[i] = from[i];
        i++;
    }
    while (i < bytes) {
        to[i] = '\0';
        i++;
    }
    return to;
}

char *strcat(char *restrict to, const char *restrict from) {
    size_t end = 0, i = 0;
    while (to[end] != '\0')
        end++;
    while (from[i] != '\0') {
        to[end + i] = from[i];
        i++;
    }
    to[end + i] = '\0';
    return to;
}

/* Appends at most `limit` bytes and always a terminator. */
char *strncat(char *restrict to, const char *restrict from, size_t limit) {
    size_t end = 0, i = 0;
    while (to[end] != '\0')
        end++;
    while (i < limit && from[i] != '\0') {
        to[end + i] = from[i];
        i++;
    }
    to[end + i] = '\0';
    return to;
}

char *strdup(const char *s) {
    size_t length = 0, i = 0;
    char *copy;
    while (s[length] != '\0')
        length++;
    copy = malloc(length + 1);
    if (copy == NULL)
        return NULL;
    while (i < length) {
        copy[i] = s[i];
        i++;
    }
    copy[length] = '\0';
    return copy;
}

char *strndup(const char *s, size_t limit) {
    size_t length = 0, i = 0;
    char *copy;
    while (length < limit && s[length] != '\0')
        length++;
    copy = malloc(length + 1);
    if (copy == NULL)
        return NULL;
    while (i < length) {
        copy[i] = s[i];
        i++;
    }
    copy[length] = '\0';
    return copy;
}

/* --- Comparison: of unsigned bytes, the result is their difference --------------------------- */

int strcmp(const char *lhs, const char *rhs) {
    size_t i = 0;
    while (lhs[i] != '\0' && lhs[i] == rhs[i])
        i++;
    return (unsigned char)lhs[i] - (unsigned char)rhs[i];
}

/* In the C locale the collating order is that of the bytes. */
int strcoll(const char *lhs, const char *rhs) {
    size_t i = 0;
    while (lhs[i] != '\0' && lhs[i] == rhs[i])
        i++;
    return (unsigned char)lhs[i] - (unsigned char)rhs[i];
}

/* In the C locale the texts themselves compare as strcoll does; with what has no room, nothing may be done. */
size_t strxfrm(char *restrict to, const char *restrict from, size_t room) {
    size_t i = 0;
    while (i < room && from[i] != '\0') {
        to[i] = from[i];
        i++;
    }
    if (i < room)
        to[i] = '\0';
    return strlen(from);
}

int strncmp(const char *lhs, const char *rhs, size_t limit) {
    size_t i = 0;
    while (i < limit && lhs[i] != '\0' && lhs[i] == rhs[i])
        i++;
    if (i == limit)
        return 0;
    return (unsigned char)lhs[i] - (unsigned char)rhs[i];
}

/* As tolower; a program's own tolower does not change what the library compares. */
static int lower(int c) { return c + 32 * ((unsigned)c - 'A' <= 'Z' - 'A'); }

int strcasecmp(const char *lhs, const char *rhs) {
    size_t i = 0;
    while (lhs[i] != '\0' && lower((unsigned char)lhs[i]) == lower((unsigned char)rhs[i]))
        i++;
    return lower((unsigned char)lhs[i]) - lower((unsigned char)rhs[i]);
}

int strncasecmp(const char *lhs, const char *rhs, size_t limit) {
    size_t i = 0;
    while (i < limit && lhs[i] != '\0' &&
           lower((unsigned char)lhs[i]) == lower((unsigned char)rhs[i]))
        i++;
    if (i == limit)
        return 0;
    return lower((unsigned char)lhs[i]) - lower((unsigned char)rhs[i]);
}

/* Both blocks have to be as large as is told, wherever they differ. */
static void has_last(const unsigned char *block, size_t bytes) {
    (void)((const volatile unsigned char *)block)[bytes - 1];
}

int memcmp(const void *lhs, const void *rhs, size_t bytes) {
    const unsigned char *l = lhs, *r = rhs;
    size_t i = 0;
    while (i < bytes && l[i] == r[i])
        i++;
    if (i == bytes)
        return 0;
    has_last(l, bytes);
    has_last(r, bytes);
    return l[i] - r[i];
}

int bcmp(const void *lhs, const void *rhs, size_t bytes) {
    const unsigned char *l = lhs, *r = rhs;
    size_t i = 0;
    while (i < bytes && l[i] == r[i])
        i++;
    if (i == bytes)
        return 0;
    has_last(l, bytes);
    has_last(r, bytes);
    return 1;
}

/* --- Search -------------------------------------------------------------------------------- */

char *strchr(const char *s, int c) {
    size_t i = 0;
    while (s[i] != '\0' && s[i] != (char)c)
        i++;
    return s[i] == (char)c ? (char *)s + i : NULL;
}

char *strchrnul(const char *s, int c) {
    size_t i = 0;
    while (s[i] != '\0' && s[i] != (char)c)
        i++;
    return (char *)s + i;
}

/* From the end, so that the search stops at the first byte that matches. */
char *strrchr(const char *s, int c) {
    size_t i = 0;
    while (s[i] != '\0')
        i++;
    while (i > 0 && s[i] != (char)c)
        i--;
    return s[i] == (char)c ? (char *)s + i : NULL;
}

/* Of 4.3BSD. */
char *index(const char *s, int c) { return strchr(s, c); }
char *rindex(const char *s, int c) { return strrchr(s, c); }

char *strstr(const char *text, const char *word) {
    size_t i = 0;
    for (;;) {
        size_t j = 0;
        while (word[j] != '\0' && text[i + j] == word[j])
            j++;
        if (word[j] == '\0')
            return (char *)text + i;
        if (text[i + j] == '\0')
            return NULL;
        i++;
    }
}

void *memchr(const void *memory, int c, size_t bytes) {
    const unsigned char *m = memory;
    size_t i = 0;
    while (i < bytes && m[i] != (unsigned char)c)
        i++;
    return i < bytes ? (void *)(m + i) : NULL;
}

void *memrchr(const void *memory, int c, size_t bytes) {
    const unsigned char *m = memory;
    size_t i = bytes;
    while (i > 0 && m[i - 1] != (unsigned char)c)
        i--;
    return i > 0 ? (void *)(m + i - 1) : NULL;
}

size_t strspn(const char *s, const char *accepted) {
    size_t i = 0;
    for (;;) {
        size_t j = 0;
        while (accepted[j] != '\0' && accepted[j] != s[i])
            j++;
        if (accepted[j] == '\0' || s[i] == '\0')
            return i;
        i++;
    }
}

size_t strcspn(const char *s, const char *rejected) {
    size_t i = 0;
    while (s[i] != '\0') {
        size_t j = 0;
        while (rejected[j] != '\0' && rejected[j] != s[i])
            j++;
        if (rejected[j] != '\0')
            return i;
        i++;
    }
    return i;
}

char *strpbrk(const char *s, const char *accepted) {
    size_t i = 0;
    while (s[i] != '\0') {
        size_t j = 0;
        while (accepted[j] != '\0' && accepted[j] != s[i])
            j++;
        if (accepted[j] != '\0')
            return (char *)s + i;
        i++;
    }
    return NULL;
}

/* --- Words ---------------------------------------------------------------------------------- */

/* Whether a character, not the end, is among those of a text. */
static int is_in(char c, const char *set) {
    size_t i = 0;
    while (set[i] != '\0' && set[i] != c)
        i++;
    return set[i] != '\0';
}

static char *next_word(char *s, const char *delimiters, char **rest) {
    size_t start = 0, end;
    if (s == NULL)
        s = *rest;
    while (s[start] != '\0' && is_in(s[start], delimiters))
        start++;
    if (s[start] == '\0') {
        *rest = s + start;
        return NULL;
    }
    end = start;
    while (s[end] != '\0' && !is_in(s[end], delimiters))
        end++;
    *rest = s + end;
    if (s[end] != '\0') {
        s[end] = '\0';
        *rest = s + end + 1;
    }
    return s + start;
}

char *strtok_r(char *restrict s, const char *restrict delimiters, char **restrict rest) {
    return next_word(s, delimiters, rest);
}

char *__strtok_r(char *restrict s, const char *restrict delimiters, char **restrict rest) {
    return next_word(s, delimiters, rest);
}

char *strtok(char *restrict s, const char *restrict delimiters) {
    static char *rest;
    return next_word(s, delimiters, &rest);
}

char *strsep(char **restrict rest, const char *restrict delimiters) {
    char *s = *rest;
    size_t end = 0;
    if (s == NULL)
        return NULL;
    while (s[end] != '\0' && !is_in(s[end], delimiters))
        end++;
    *rest = NULL;
    if (s[end] != '\0') {
        s[end] = '\0';
        *rest = s + end + 1;
    }
    return s;
}

char *strcasestr(const char *text, const char *word) {
    size_t i = 0;
    for (;;) {
        size_t j = 0;
        while (word[j] != '\0' &&
               lower((unsigned char)text[i + j]) == lower((unsigned char)word[j]))
            j++;
        if (word[j] == '\0')
            return (char *)text + i;
        if (text[i + j] == '\0')
            return NULL;
        i++;
    }
}

void *memmem(const void *memory, size_t bytes, const void *part, size_t part_bytes) {
    const unsigned char *m = memory, *p = part;
    size_t i = 0;
    while (part_bytes <= bytes && i <= bytes - part_bytes) {
        size_t j = 0;
        while (j < part_bytes && m[i + j] == p[j])
            j++;
        if (j == part_bytes)
            return (void *)(m + i);
        i++;
    }
    return NULL;
}

void *rawmemchr(const void *memory, int c) {
    const unsigned char *m = memory;
    size_t i = 0;
    while (m[i] != (unsigned char)c)
        i++;
    return (void *)(m + i);
}

/* --- Copying as systems other than C have it ------------------------------------------------- */

char *stpncpy(char *restrict to, const char *restrict from, size_t bytes) {
    size_t i = 0, end;
    while (i < bytes && from[i] != '\0') {
        to[i] = from[i];
        i++;
    }
    end = i;
    while (i < bytes) {
        to[i] = '\0';
        i++;
    }
    return to + end;
}

void *mempcpy(void *restrict to, const void *restrict from, size_t bytes) {
    return (char *)__builtin_memcpy(to, from, bytes) + bytes;
}

/* Up to the byte and with it; null where it is not among them. */
void *memccpy(void *restrict to, const void *restrict from, int c, size_t bytes) {
    unsigned char *t = to;
    const unsigned char *f = from;
    size_t i = 0;
    while (i < bytes && f[i] != (unsigned char)c) {
        t[i] = f[i];
        i++;
    }
    if (i == bytes)
        return NULL;
    t[i] = f[i];
    return t + i + 1;
}

/* What was to be copied; all but the terminator fits if that is less than `bytes`. */
size_t strlcpy(char *restrict to, const char *restrict from, size_t bytes) {
    size_t i = 0, length;
    while (i + 1 < bytes && from[i] != '\0') {
        to[i] = from[i];
        i++;
    }
    if (bytes > 0)
        to[i] = '\0';
    length = i;
    while (from[length] != '\0')
        length++;
    return length;
}

size_t strlcat(char *restrict to, const char *restrict from, size_t bytes) {
    size_t end = 0, i = 0;
    while (end < bytes && to[end] != '\0')
        end++;
    while (from[i] != '\0') {
        if (end + i + 1 < bytes)
            to[end + i] = from[i];
        i++;
    }
    if (end < bytes)
        to[end + i < bytes ? end + i : bytes - 1] = '\0';
    return end + i;
}

/* --- Paths and pairs of bytes --------------------------------------------------------------- */

/* The GNU function of <string.h>, and that of <libgen.h>, which may change the path. */
char *basename(const char *path) {
    char *last = strrchr(path, '/');
    return last == NULL ? (char *)path : last + 1;
}

/* The length without slashes at the end, but for a first one. */
static size_t length_of_path(const char *path, size_t length) {
    while (length > 1 && path[length - 1] == '/')
        length--;
    return length;
}

char *__xpg_basename(char *path) {
    static char here[2] = ".";
    if (path == NULL || path[0] == '\0')
        return here;
    size_t length = strlen(path), end = length_of_path(path, length);
    if (end < length && end > 0 && path[end - 1] != '/')
        path[end] = '\0';
    else if (path[end - 1] == '/')
        return path + length - 1;
    while (end > 0 && path[end - 1] != '/')
        end--;
    return path + end;
}

char *dirname(char *path) {
    static char here[2] = ".";
    if (path == NULL)
        return here;
    size_t end = length_of_path(path, strlen(path));
    while (end > 0 && path[end - 1] != '/')
        end--;
    if (end == 0)
        return here;
    end = length_of_path(path, end);
    /* POSIX has two slashes at the beginning mean what they like. */
    if (end == 1 && path[0] == '/' && path[1] == '/' && path[2] != '/')
        end = 2;
    path[end] = '\0';
    return path;
}

/* The last byte of an odd number stays; an area may overlap itself. */
void swab(const void *restrict from, void *restrict to, long bytes) {
    const char *source = from;
    char *target = to;
    long i;
    for (i = 0; i + 1 < bytes; i += 2) {
        char first = source[i];
        target[i] = source[i + 1];
        target[i + 1] = first;
    }
}

void bcopy(const void *from, void *to, size_t bytes) { __builtin_memmove(to, from, bytes); }
void bzero(void *to, size_t bytes) { __builtin_memset(to, 0, bytes); }
void explicit_bzero(void *to, size_t bytes) { __builtin_memset(to, 0, bytes); }

void *memfrob(void *at, size_t bytes) {
    char *s = at;
    size_t i;
    for (i = 0; i < bytes; i++)
        s[i] ^= 42;
    return at;
}

/* --- Versions ------------------------------------------------------------------------------- */

static int is_figure(char c) { return (unsigned)c - '0' < 10; }

/* As strcmp, but numbers in the texts by their values; one that begins with a zero stands behind a point. */
int strverscmp(const char *s, const char *t) {
    size_t i = 0, start, length;
    int is_number, difference;
    while (s[i] == t[i] && s[i] != '\0')
        i++;
    difference = (unsigned char)s[i] - (unsigned char)t[i];
    for (start = i; start > 0 && is_figure(s[start - 1]);)
        start--;
    if (start < i && s[start] == '0') {
        while (start < i && s[start] == '0')
            start++;
        /* Of zeros alone, the one that ends is greater. */
        if (start == i && is_figure(s[i]) != is_figure(t[i]))
            return is_figure(s[i]) ? -1 : 1;
        return difference;
    }
    is_number = is_figure(s[i]) & is_figure(t[i]);
    if (start < i && !is_number && is_figure(s[i]) != is_figure(t[i]))
        return is_figure(s[i]) ? 1 : -1;
    if (!is_number || (start == i && (s[i] == '0' || t[i] == '0')))
        return difference;
    for (length = i; is_figure(s[length]) && is_figure(t[length]);)
        length++;
    if (is_figure(s[length]) != is_figure(t[length]))
        return is_figure(s[length]) ? 1 : -1;
    return difference;
}
