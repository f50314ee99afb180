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

int memcmp(const void *lhs, const void *rhs, size_t bytes) {
    const unsigned char *l = lhs, *r = rhs;
    size_t i = 0;
    while (i < bytes && l[i] == r[i])
        i++;
    if (i == bytes)
        return 0;
    return l[i] - r[i];
}

int bcmp(const void *lhs, const void *rhs, size_t bytes) {
    const unsigned char *l = lhs, *r = rhs;
    size_t i = 0;
    while (i < bytes && l[i] == r[i])
        i++;
    return i != bytes;
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
