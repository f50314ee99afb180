/* Models of the functions that sort and search arrays.
 *
 * Compiled and linked as string.c is. Elements that are equal keep their order, as glibc's merge sort
 * leaves them; which of them bsearch finds is what glibc's bisection finds. Both are more than C
 * promises.
 */
typedef __SIZE_TYPE__ size_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
#define NULL ((void *)0)

typedef int comparison(const void *, const void *);
typedef int comparison_with(const void *, const void *, void *);

#define SWAP(type)                                                                                 \
    for (size_t i = 0; i < size / sizeof(type); i++) {                                             \
        type kept = ((type *)a)[i];                                                                \
        ((type *)a)[i] = ((type *)b)[i];                                                           \
        ((type *)b)[i] = kept;                                                                     \
    }

/* In pieces as large as elements have them, so that pointers and numbers stay whole. */
static void swap(void *a, void *b, size_t size) {
    if (size % 8 == 0)
        SWAP(uint64_t)
    else if (size % 4 == 0)
        SWAP(uint32_t)
    else
        SWAP(unsigned char)
}

/* Insertion: few comparisons where little is to be done, and no memory. */
#define SORT(compare)                                                                              \
    char *elements = base;                                                                         \
    for (size_t sorted = 1; sorted < count; sorted++)                                              \
        for (size_t i = sorted; i > 0; i--) {                                                      \
            char *here = elements + i * size;                                                      \
            if (compare <= 0)                                                                      \
                break;                                                                             \
            swap(here - size, here, size);                                                         \
        }

void qsort(void *base, size_t count, size_t size, comparison *compare) {
    SORT(compare(here - size, here))
}

void qsort_r(void *base, size_t count, size_t size, comparison_with *compare, void *with) {
    SORT(compare(here - size, here, with))
}

void *bsearch(const void *key, const void *base, size_t count, size_t size, comparison *compare) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *element = (const char *)base + middle * size;
        int order = compare(key, element);
        if (order == 0)
            return (void *)element;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

void *lfind(const void *key, const void *base, size_t *count, size_t size, comparison *compare) {
    const char *elements = base;
    for (size_t i = 0; i < *count; i++)
        if (compare(key, elements + i * size) == 0)
            return (void *)(elements + i * size);
    return NULL;
}

/* Adds what is not there. */
void *lsearch(const void *key, void *base, size_t *count, size_t size, comparison *compare) {
    char *elements = base;
    for (size_t i = 0; i < *count; i++)
        if (compare(key, elements + i * size) == 0)
            return elements + i * size;
    return __builtin_memcpy(elements + size * (*count)++, key, size);
}

/* --- Lists ---------------------------------------------------------------------------------- */

struct element {
    struct element *next, *previous;
};

void insque(void *element, void *behind) {
    struct element *new = element, *before = behind;
    new->next = before == NULL ? NULL : before->next;
    new->previous = before;
    if (new->next != NULL)
        new->next->previous = new;
    if (before != NULL)
        before->next = new;
}

void remque(void *element) {
    struct element *old = element;
    if (old->next != NULL)
        old->next->previous = old->previous;
    if (old->previous != NULL)
        old->previous->next = old->next;
}
