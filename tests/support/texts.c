/* Compares the models of functions that search and cut texts and sort arrays with the C library's,
 * on random texts over a small alphabet. The models are linked with the prefix `model_`. */
#define _GNU_SOURCE
#include <libgen.h>
/* There are two functions of this name. */
#undef basename
char *basename(const char *) __asm__("basename");
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "random.h"

void *model_memset(void *to, int byte, size_t bytes) { return memset(to, byte, bytes); }
void *model_memmove(void *to, const void *from, size_t bytes) { return memmove(to, from, bytes); }
void *model_malloc(size_t bytes) { return malloc(bytes); }
void *model_memcpy(void *to, const void *from, size_t bytes) { return memcpy(to, from, bytes); }

char *model_strtok(char *, const char *), *model_strtok_r(char *, const char *, char **);
char *model___strtok_r(char *, const char *, char **), *model_strsep(char **, const char *);
char *model_strcasestr(const char *, const char *), *model_stpncpy(char *, const char *, size_t);
void *model_memmem(const void *, size_t, const void *, size_t);
void *model_rawmemchr(const void *, int), *model_mempcpy(void *, const void *, size_t);
void *model_memccpy(void *, const void *, int, size_t);
size_t model_strlcpy(char *, const char *, size_t), model_strlcat(char *, const char *, size_t);
void model_qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void model_qsort_r(void *, size_t, size_t, int (*)(const void *, const void *, void *), void *);
void *model_bsearch(const void *, const void *, size_t, size_t,
                    int (*)(const void *, const void *));
void *model_lfind(const void *, const void *, size_t *, size_t, int (*)(const void *, const void *));
void *model_lsearch(const void *, void *, size_t *, size_t, int (*)(const void *, const void *));

char *model_index(const char *, int), *model_rindex(const char *, int);
size_t model_strxfrm(char *, const char *, size_t);
char *model_basename(const char *), *model___xpg_basename(char *), *model_dirname(char *);
void model_swab(const void *, void *, ssize_t);

static void random_text(char *text, unsigned most, const char *alphabet) {
    unsigned length = below(most + 1);
    for (unsigned i = 0; i < length; i++)
        text[i] = alphabet[below((unsigned)strlen(alphabet))];
    text[length] = '\0';
}

/* Positions in the two copies, and the copies, agree; a null pointer is its own position. */
#define SAME(theirs, ours)                                                                        \
    EXPECT(((theirs) == NULL) == ((ours) == NULL) &&                                              \
               ((theirs) == NULL || (theirs)-text == (ours)-copy) &&                              \
               memcmp(text, copy, sizeof text) == 0,                                              \
           "%s in %s", delimiters, original)

static void check_words(void) {
    char original[32] = "", text[32] = "", copy[32] = "", delimiters[4];
    random_text(original, 20, "ab,; \xff");
    random_text(delimiters, 3, ",; \xff");
    char *theirs, *ours, *rest = text, *model_rest = copy;
    strcpy(text, original);
    strcpy(copy, original);
    theirs = strtok(text, delimiters);
    ours = model_strtok(copy, delimiters);
    SAME(theirs, ours);
    for (int i = 0; theirs != NULL && i < 25; i++) {
        theirs = strtok(NULL, delimiters);
        ours = model_strtok(NULL, delimiters);
        SAME(theirs, ours);
    }
    strcpy(text, original);
    strcpy(copy, original);
    theirs = strtok_r(text, delimiters, &rest);
    ours = (below(2) ? model_strtok_r : model___strtok_r)(copy, delimiters, &model_rest);
    SAME(theirs, ours);
    for (int i = 0; theirs != NULL && i < 25; i++) {
        SAME(rest, model_rest);
        theirs = strtok_r(NULL, delimiters, &rest);
        ours = model_strtok_r(NULL, delimiters, &model_rest);
        SAME(theirs, ours);
    }
    strcpy(text, original);
    strcpy(copy, original);
    rest = text;
    model_rest = copy;
    do {
        theirs = strsep(&rest, delimiters);
        ours = model_strsep(&model_rest, delimiters);
        SAME(theirs, ours);
        SAME(rest, model_rest);
    } while (theirs != NULL);
}

static void check_search(void) {
    char text[32], word[8];
    random_text(text, 12, "abAB");
    random_text(word, below(4), "abAB");
    EXPECT(model_strcasestr(text, word) == strcasestr(text, word), "%s %s", text, word);
    size_t bytes = below((unsigned)strlen(text) + 1), part = below((unsigned)strlen(word) + 1);
    EXPECT(model_memmem(text, bytes, word, part) == memmem(text, bytes, word, part), "%s %s", text,
           word);
    int c = text[below((unsigned)strlen(text) + 1)];
    EXPECT(model_rawmemchr(text, c) == rawmemchr(text, c), "%s", text);
}

static void check_versions(void) {
    char text[16], word[16];
    int model_strverscmp(const char *, const char *);
    random_text(text, 7, "019a");
    random_text(word, 7, "019a");
    if (below(2))
        memcpy(word, text, below((unsigned)strlen(text) + 1));
    int theirs = strverscmp(text, word), ours = model_strverscmp(text, word);
    EXPECT((theirs > 0) == (ours > 0) && (theirs < 0) == (ours < 0), "%s %s: %d %d", text, word, theirs,
           ours);
}

/* The library may be older than strlcpy: what it says is repeated here. */
static void check_copies(void) {
    char from[16] = "", text[32], copy[32], original[32] = "";
    const char *delimiters = from;
    random_text(from, 9, "ab\xff");
    random_text(original, 5, "cd");
    size_t bytes = below(14);
    memcpy(text, original, sizeof text);
    memcpy(copy, original, sizeof copy);
    char *theirs = stpncpy(text, from, bytes), *ours = model_stpncpy(copy, from, bytes);
    SAME(theirs, ours);
    theirs = mempcpy(text, from, bytes);
    ours = model_mempcpy(copy, from, bytes);
    SAME(theirs, ours);
    theirs = memccpy(text, from, 'b', bytes);
    ours = model_memccpy(copy, from, 'b', bytes);
    SAME(theirs, ours);
    memcpy(text, original, sizeof text);
    memcpy(copy, original, sizeof copy);
    size_t length = (size_t)snprintf(bytes > 0 ? text : NULL, bytes, "%s", from);
    EXPECT(model_strlcpy(copy, from, bytes) == length, "%s %zu", from, bytes);
    EXPECT(memcmp(text, copy, sizeof text) == 0, "%s %zu", from, bytes);
    memcpy(text, original, sizeof text);
    memcpy(copy, original, sizeof copy);
    size_t end = strnlen(text, bytes);
    length = end + strlen(from);
    if (end < bytes)
        snprintf(text + end, bytes - end, "%s", from);
    EXPECT(model_strlcat(copy, from, bytes) == length, "%s %s %zu", original, from, bytes);
    EXPECT(memcmp(text, copy, sizeof text) == 0, "%s %s %zu", original, from, bytes);
}

static void check_paths(void) {
    char original[16] = "", text[16] = "", copy[16] = "";
    const char *delimiters = "a path";
    random_text(original, 9, "a.//");
    strcpy(text, original);
    strcpy(copy, original);
    char *theirs = basename(text), *ours = model_basename(copy);
    SAME(theirs, ours);
    theirs = __xpg_basename(text), ours = model___xpg_basename(copy);
    EXPECT(strcmp(theirs, ours) == 0 && memcmp(text, copy, sizeof text) == 0, "%s", original);
    strcpy(text, original);
    strcpy(copy, original);
    theirs = dirname(text), ours = model_dirname(copy);
    EXPECT(strcmp(theirs, ours) == 0 && memcmp(text, copy, sizeof text) == 0, "%s: %s and %s", original, theirs, ours);
    EXPECT(strcmp(model___xpg_basename(NULL), ".") == 0 && strcmp(model_dirname(NULL), ".") == 0, "no path");
}

/* What the C locale makes of texts, pairs of bytes, and old names. */
static void check_pairs(void) {
    char original[16] = "", text[16] = "", copy[16] = "";
    const char *delimiters = original;
    random_text(original, 12, "ab\xff");
    size_t room = below(16);
    EXPECT(model_strxfrm(copy, original, room) == strxfrm(text, original, room), "%s %zu", original, room);
    EXPECT(strlen(original) >= room || strcmp(text, copy) == 0, "%s %zu", original, room);
    memcpy(text, original, sizeof text);
    memcpy(copy, original, sizeof copy);
    char *theirs = index(text, 'b'), *ours = model_index(copy, 'b');
    SAME(theirs, ours);
    theirs = rindex(text, 'b'), ours = model_rindex(copy, 'b');
    SAME(theirs, ours);
    swab(original, text, (ssize_t)room - 2);
    model_swab(original, copy, (ssize_t)room - 2);
    EXPECT(memcmp(text, copy, sizeof text) == 0, "%s %zu", original, room);
}

/* --- Arrays: elements of any size, ordered by their first byte only ------------------------------ */

static int by_first(const void *lhs, const void *rhs) {
    return *(const unsigned char *)lhs - *(const unsigned char *)rhs;
}

static int by_first_with(const void *lhs, const void *rhs, void *with) {
    (void)with;
    return by_first(lhs, rhs);
}

static void check_arrays(void) {
    enum { MOST_BYTES = 24, MOST_ELEMENTS = 12 };
    unsigned char theirs[MOST_BYTES * (MOST_ELEMENTS + 1)], ours[sizeof theirs], again[sizeof theirs];
    unsigned char key[MOST_BYTES] = {0};
    size_t size = 1 + below(MOST_BYTES), count = below(MOST_ELEMENTS + 1);
    for (size_t i = 0; i < sizeof theirs; i++)
        theirs[i] = (unsigned char)below(6);
    memcpy(ours, theirs, sizeof ours);
    memcpy(again, theirs, sizeof again);
    key[0] = (unsigned char)below(6);
    size_t n_theirs = count, n_ours = count;
    EXPECT((unsigned char *)model_lfind(key, ours, &n_ours, size, by_first) ==
               (unsigned char *)lfind(key, ours, &n_theirs, size, by_first),
           "%zu of %zu", count, size);
    qsort(theirs, count, size, by_first);
    model_qsort(ours, count, size, by_first);
    model_qsort_r(again, count, size, by_first_with, NULL);
    EXPECT(memcmp(theirs, ours, sizeof ours) == 0, "%zu of %zu", count, size);
    EXPECT(memcmp(theirs, again, sizeof again) == 0, "%zu of %zu", count, size);
    EXPECT(model_bsearch(key, ours, count, size, by_first) ==
               bsearch(key, ours, count, size, by_first),
           "%zu of %zu", count, size);
    unsigned char *found = lsearch(key, theirs, &n_theirs, size, by_first);
    unsigned char *model_found = model_lsearch(key, ours, &n_ours, size, by_first);
    EXPECT(n_ours == n_theirs && model_found - ours == found - theirs, "%zu of %zu", count, size);
    EXPECT(memcmp(theirs, ours, sizeof ours) == 0, "%zu of %zu", count, size);
}

int main(void) {
    for (int i = 0; i < times(10000); i++) {
        check_words();
        check_search();
        check_versions();
        check_copies();
        check_paths();
        check_pairs();
        check_arrays();
    }
    return failures != 0;
}
