/* Model of atexit, of its kin in C++, of at_quick_exit and of destructors: handlers run where the program ends by a return from main or by
 * exit, the latest first, then destructors. The preparation calls `compact_se_run_exit_handlers` before
 * both (exit_handlers.rs), that of quick_exit before this, and gives the destructors before anything else happens.
 *
 * Compiled and linked as string.c is.
 */
__attribute__((noreturn)) void __compact_se_unsupported(const char *what);

/* C promises so many; with more the path ends. */
enum { MOST_HANDLERS = 32 };

/* Of atexit, or of __cxa_atexit, which hands an argument over. */
static struct {
    void (*plain)(void);
    void (*with)(void *);
    void *argument;
} handlers[MOST_HANDLERS];
static unsigned n_handlers;

static void check_room(void) {
    if (n_handlers == MOST_HANDLERS)
        __compact_se_unsupported("more than 32 handlers by atexit, or static variables of C++ with destructors");
}

int atexit(void (*handler)(void)) {
    check_room();
    handlers[n_handlers].plain = handler;
    handlers[n_handlers++].with = 0;
    return 0;
}

/* What C++ registers for each static variable with a destructor. */
int __cxa_atexit(void (*handler)(void *), void *argument, void *library) {
    check_room();
    handlers[n_handlers].with = handler;
    handlers[n_handlers++].argument = argument;
    return 0;
}

static void (*quick_handlers[MOST_HANDLERS])(void);
static unsigned n_quick_handlers;

int at_quick_exit(void (*handler)(void)) {
    if (n_quick_handlers == MOST_HANDLERS)
        __compact_se_unsupported("more than 32 handlers by at_quick_exit");
    quick_handlers[n_quick_handlers++] = handler;
    return 0;
}

void compact_se_run_quick_exit_handlers(void) {
    while (n_quick_handlers > 0)
        quick_handlers[--n_quick_handlers]();
}

static void (*destructors[MOST_HANDLERS])(void);
static unsigned n_destructors;

/* The one that comes last is run first. */
void compact_se_add_destructor(void (*destructor)(void)) {
    destructors[n_destructors++] = destructor;
}

static void run_handlers(void) {
    while (n_handlers > 0) {
        n_handlers--;
        if (handlers[n_handlers].with != 0)
            handlers[n_handlers].with(handlers[n_handlers].argument);
        else
            handlers[n_handlers].plain();
    }
}

/* Handlers may register further ones, and destructors may do so too. One that calls exit ends the
 * program without the other destructors. */
void compact_se_run_exit_handlers(void) {
    unsigned n = n_destructors;
    run_handlers();
    n_destructors = 0;
    while (n > 0)
        destructors[--n]();
    run_handlers();
}
