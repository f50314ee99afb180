/* Compares the models of what one thread does with mutexes with the C library's functions, on random calls; and
 * those of the C locale. The models are linked with the prefix `model_`. */
#define _GNU_SOURCE
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

int model_pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *), model_pthread_mutex_lock(pthread_mutex_t *);
int model_pthread_mutex_trylock(pthread_mutex_t *), model_pthread_mutex_unlock(pthread_mutex_t *);
int model_pthread_mutex_destroy(pthread_mutex_t *), model_pthread_mutexattr_init(pthread_mutexattr_t *);
int model_pthread_mutexattr_settype(pthread_mutexattr_t *, int), model_pthread_mutexattr_destroy(pthread_mutexattr_t *);
int model_pthread_once(pthread_once_t *, void (*)(void)), model_pthread_cond_init(pthread_cond_t *, const void *);
int model_pthread_cond_signal(pthread_cond_t *), model_pthread_cond_broadcast(pthread_cond_t *);
int model_pthread_cond_destroy(pthread_cond_t *);
char *model_setlocale(int, const char *);
struct lconv *model_localeconv(void);
void *model_memset(void *to, int byte, size_t bytes) { return memset(to, byte, bytes); }
void model___compact_se_assume(int condition) {
    if (!condition)
        abort();
}
void model___compact_se_unsupported(const char *what) { abort(); }

static void check_mutex(void) {
    static const int kinds[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK};
    pthread_mutex_t ours, theirs;
    pthread_mutexattr_t our_kind, their_kind;
    int kind = PICK(kinds), n_locked = 0;
    EXPECT(model_pthread_mutexattr_init(&our_kind) == 0 && pthread_mutexattr_init(&their_kind) == 0, "init");
    EXPECT(model_pthread_mutexattr_settype(&our_kind, 7) == pthread_mutexattr_settype(&their_kind, 7), "settype");
    EXPECT(model_pthread_mutexattr_settype(&our_kind, kind) == pthread_mutexattr_settype(&their_kind, kind), "settype");
    model_pthread_mutex_init(&ours, kind == PTHREAD_MUTEX_NORMAL && below(2) ? NULL : &our_kind);
    pthread_mutex_init(&theirs, &their_kind);
    for (unsigned i = below(20); i > 0; i--) {
        int is_normal = kind == PTHREAD_MUTEX_NORMAL, found = 0, expected = 0;
        switch (below(3)) {
        case 0:
            if (is_normal && n_locked > 0)
                break;
            found = model_pthread_mutex_lock(&ours), expected = pthread_mutex_lock(&theirs);
            n_locked += expected == 0;
            break;
        case 1:
            found = model_pthread_mutex_trylock(&ours), expected = pthread_mutex_trylock(&theirs);
            n_locked += expected == 0;
            break;
        default:
            if (is_normal && n_locked == 0)
                break;
            found = model_pthread_mutex_unlock(&ours), expected = pthread_mutex_unlock(&theirs);
            n_locked -= expected == 0;
        }
        EXPECT(found == expected, "kind %d, locked %d times: %d and %d", kind, n_locked, found, expected);
    }
    EXPECT(model_pthread_mutex_destroy(&ours) == pthread_mutex_destroy(&theirs), "kind %d", kind);
}

static int n_calls;
static void count(void) { n_calls++; }

int main(void) {
    for (int i = 0; i < 20000; i++)
        check_mutex();
    pthread_once_t once = PTHREAD_ONCE_INIT;
    model_pthread_once(&once, count);
    model_pthread_once(&once, count);
    EXPECT(n_calls == 1, "%d", n_calls);
    pthread_cond_t condition;
    EXPECT(model_pthread_cond_init(&condition, NULL) == 0 && model_pthread_cond_signal(&condition) == 0, "condition");
    EXPECT(model_pthread_cond_broadcast(&condition) == 0 && model_pthread_cond_destroy(&condition) == 0, "condition");
    static const char *const names[] = {NULL, "C", "POSIX", ""};
    static const char *const variables[] = {"LANG", "LC_ALL", "LC_CTYPE", "LC_NUMERIC", "LC_TIME", "LC_COLLATE"};
    for (unsigned i = 0; i < sizeof variables / sizeof *variables; i++)
        unsetenv(variables[i]);
    for (int category = 0; category <= LC_IDENTIFICATION; category++)
        for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
            EXPECT(strcmp(model_setlocale(category, names[i]), setlocale(category, names[i])) == 0, "%d", category);
    struct lconv *found = model_localeconv(), *expected = localeconv();
    char *const *our_texts = (char *const *)found, *const *their_texts = (char *const *)expected;
    for (int i = 0; i < 10; i++)
        EXPECT(strcmp(our_texts[i], their_texts[i]) == 0, "text %d", i);
    EXPECT(memcmp(&found->int_frac_digits, &expected->int_frac_digits, 14) == 0, "numbers");
    return failures != 0;
}
