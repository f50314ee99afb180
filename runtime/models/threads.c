/* Models of what a program with one thread does with <pthread.h>: pthread_create is refused, and what waits
 * for another thread too.
 *
 * Compiled and linked as string.c is.
 */
#define NULL ((void *)0)

__attribute__((noreturn)) void __compact_se_unsupported(const char *what);
void __compact_se_assume(int condition);

/* As the GNU C library lays it out, which initialises it in the program. */
struct mutex {
    int is_locked;
    unsigned count;
    int owner;
#if __SIZEOF_LONG__ == 8
    unsigned users;
#endif
    int kind;
};

enum { NORMAL, RECURSIVE, CHECKED, ADAPTIVE, KINDS = 3 };
enum { NOT_PERMITTED = 1 /* EPERM */, BUSY = 16 /* EBUSY */, INVALID = 22 /* EINVAL */, DEADLOCK = 35 /* EDEADLK */ };

int pthread_mutexattr_init(int *attributes) {
    *attributes = NORMAL;
    return 0;
}
int pthread_mutexattr_destroy(int *attributes) {
    (void)attributes;
    return 0;
}
int pthread_mutexattr_settype(int *attributes, int kind) {
    if (kind < NORMAL || kind > ADAPTIVE)
        return INVALID;
    *attributes = kind;
    return 0;
}

int pthread_mutex_init(struct mutex *mutex, const int *attributes) {
    mutex->is_locked = 0;
    mutex->count = 0;
    mutex->owner = 0;
    mutex->kind = attributes == NULL ? NORMAL : *attributes;
    return 0;
}

int pthread_mutex_destroy(struct mutex *mutex) { return mutex->is_locked ? BUSY : 0; }

static int try_to_lock(struct mutex *mutex) {
    int kind = mutex->kind & KINDS;
    if (mutex->is_locked && kind != RECURSIVE)
        return BUSY;
    mutex->is_locked = 1;
    mutex->count++;
    return 0;
}

int pthread_mutex_trylock(struct mutex *mutex) { return try_to_lock(mutex); }

int pthread_mutex_lock(struct mutex *mutex) {
    if (try_to_lock(mutex) == 0)
        return 0;
    if ((mutex->kind & KINDS) == CHECKED)
        return DEADLOCK;
    /* The thread waits for itself, and for ever. */
    __compact_se_assume(0);
    return 0;
}

int pthread_mutex_unlock(struct mutex *mutex) {
    int kind = mutex->kind & KINDS;
    if (!mutex->is_locked) {
        if (kind == RECURSIVE || kind == CHECKED)
            return NOT_PERMITTED;
        __compact_se_unsupported("pthread_mutex_unlock of a mutex that is not locked");
    }
    mutex->count--;
    if (mutex->count == 0)
        mutex->is_locked = 0;
    return 0;
}

/* --- Once ----------------------------------------------------------------------------------- */

int pthread_once(int *control, void (*function)(void)) {
    enum { DONE = 2 };
    if (*control == 0) {
        /* 1 while it goes on; a second call in it would wait for itself. */
        *control = 1;
        function();
        *control = DONE;
    }
    __compact_se_assume(*control == DONE);
    return 0;
}

/* --- Conditions ----------------------------------------------------------------------------- */

/* Nobody waits. */
int pthread_cond_init(void *condition, const void *attributes) {
    (void)attributes;
    __builtin_memset(condition, 0, 48);
    return 0;
}
int pthread_cond_destroy(void *condition) {
    (void)condition;
    return 0;
}
int pthread_cond_signal(void *condition) {
    (void)condition;
    return 0;
}
int pthread_cond_broadcast(void *condition) {
    (void)condition;
    return 0;
}
