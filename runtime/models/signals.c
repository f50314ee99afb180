/* Models of signal and raise, as glibc has them. No signal comes from anywhere but from raise.
 *
 * Compiled and linked as string.c is.
 */
__attribute__((noreturn)) void __compact_se_unsupported(const char *what);
void compact_se_set_errno(int number);
_Noreturn void abort(void), _exit(int status);

typedef void handler(int);

/* As Linux numbers them. */
enum {
    ILL = 4, TRAP = 5, ABRT = 6, BUS = 7, FPE = 8, KILL = 9, SEGV = 11, CHLD = 17, CONT = 18, STOP = 19,
    TSTP = 20, TTOU = 22, URG = 23, WINCH = 28, SYS = 31,
    /* The C library has these for itself. */
    CANCEL = 32, SETXID = 33,
    LAST = 64
};
enum { INVALID = 22 };

#define DEFAULT ((handler *)0)
#define IGNORE ((handler *)1)
#define ERROR ((handler *)-1)

static handler *handlers[LAST + 1];
/* Whether the signal's handler was called and has not returned; it may have been left by a jump. */
static _Bool is_handled[LAST + 1];
/* Whether the handler is for one time, as System V has it. */
static _Bool is_for_once[LAST + 1];

static int is_signal(int number) {
    return number > 0 && number <= LAST && number != CANCEL && number != SETXID;
}

static handler *set(int number, handler *new, _Bool once) {
    if (!is_signal(number) || number == KILL || number == STOP || new == ERROR) {
        compact_se_set_errno(INVALID);
        return ERROR;
    }
    /* These come from faults and from abort, behind which nothing is executed here. */
    if (new != DEFAULT && ((number >= ILL && number <= FPE) || number == SEGV || number == SYS))
        __compact_se_unsupported("signal for SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS or SIGTRAP");
    handler *old = handlers[number];
    handlers[number] = new;
    is_for_once[number] = once;
    return old;
}

handler *signal(int number, handler *new) { return set(number, new, 0); }
handler *bsd_signal(int number, handler *new) { return set(number, new, 0); }
handler *sysv_signal(int number, handler *new) { return set(number, new, 1); }
/* What headers call signal where they keep to a standard. */
handler *__sysv_signal(int number, handler *new) { return set(number, new, 1); }

static void act_by_default(int number) {
    if (number == CHLD || number == CONT || number == URG || number == WINCH)
        return;
    if (number == STOP || (number >= TSTP && number <= TTOU))
        __compact_se_unsupported("raise of a signal that stops the program");
    if (number == ABRT)
        abort();
    _exit(128 + number);
}

int raise(int number) {
    if (number == 0)
        return 0;
    if (!is_signal(number)) {
        compact_se_set_errno(INVALID);
        return -1;
    }
    handler *here = handlers[number];
    if (here == IGNORE)
        return 0;
    if (here == DEFAULT) {
        act_by_default(number);
        return 0;
    }
    if (is_for_once[number]) {
        handlers[number] = DEFAULT;
        here(number);
        return 0;
    }
    if (is_handled[number])
        __compact_se_unsupported("raise of a signal whose handler has not returned");
    is_handled[number] = 1;
    here(number);
    is_handled[number] = 0;
    return 0;
}
