/* Model of atexit: handlers run where the program ends by a return from main or by exit, the latest
 * first. The preparation calls `compact_se_run_exit_handlers` before both (exit_handlers.rs).
 *
 * Compiled and linked as string.c is.
 */
__attribute__((noreturn)) void __compact_se_unsupported(const char *what);

/* C promises so many; with more the path ends. */
enum { MOST_HANDLERS = 32 };

static void (*handlers[MOST_HANDLERS])(void);
static unsigned n_handlers;

int atexit(void (*handler)(void)) {
    if (n_handlers == MOST_HANDLERS)
        __compact_se_unsupported("more than 32 handlers by atexit");
    handlers[n_handlers++] = handler;
    return 0;
}

/* Handlers may register further ones. */
void compact_se_run_exit_handlers(void) {
    while (n_handlers > 0)
        handlers[--n_handlers]();
}
