/* Models of signal, sigaction and raise, as glibc has them. No signal comes from anywhere but from raise.
 *
 * Compiled and linked as string.c is.
 */
__attribute__((noreturn)) void __compact_se_unsupported(const char *what);
void compact_se_set_errno(int number);
void compact_se_set_errno_if(int condition, int number);
_Noreturn void abort(void), __compact_se_killed(int number);

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

/* A signal is bit n - 1. Programs have room for more. */
typedef unsigned long long set_of_signals;
struct sigset { unsigned long bits[1024 / (8 * sizeof(long))]; };
#define BIT(number) ((set_of_signals)1 << ((number) - 1))

/* As the GNU C library has it. */
struct sigaction {
    handler *function;
    struct sigset mask;
    int flags;
    void (*restorer)(void);
};
enum { WITH_INFORMATION = 4, RESTORES = 0x4000000, RESTART = 0x10000000, NOT_DEFERRED = 0x40000000 };
#define FOR_ONCE (int)0x80000000

static handler *handlers[LAST + 1];
static int flags[LAST + 1];
static set_of_signals masks[LAST + 1];
/* Signals that wait: those that the program blocks, those whose handlers have not returned, and what these
 * block. A handler may have been left by a jump. */
static set_of_signals blocked;

static int is_signal(int number) {
    return number > 0 && number <= LAST && number != CANCEL && number != SETXID;
}

static int is_refused(int number, int is_set) {
    int is_refused = !is_signal(number) || (is_set && (number == KILL || number == STOP));
    compact_se_set_errno_if(is_refused, INVALID);
    return is_refused;
}

static handler *set(int number, handler *new, set_of_signals mask, int how) {
    handler *old = handlers[number];
    /* These come from faults and from abort, behind which nothing is executed here. */
    if (new != DEFAULT && ((number >= ILL && number <= FPE) || number == SEGV || number == SYS))
        __compact_se_unsupported("signal for SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS or SIGTRAP");
    handlers[number] = new;
    masks[number] = mask;
    flags[number] = how | RESTORES;
    return old;
}

static handler *set_simply(int number, handler *new, int how) {
    set_of_signals mask;
    if (new == ERROR) {
        compact_se_set_errno(INVALID);
        return ERROR;
    }
    if (is_refused(number, 1))
        return ERROR;
    mask = how & FOR_ONCE ? 0 : BIT(number);
    return set(number, new, mask, how);
}

handler *signal(int number, handler *new) { return set_simply(number, new, RESTART); }
handler *bsd_signal(int number, handler *new) { return set_simply(number, new, RESTART); }
handler *sysv_signal(int number, handler *new) { return set_simply(number, new, FOR_ONCE | NOT_DEFERRED); }
/* What headers call signal where they keep to a standard. */
handler *__sysv_signal(int number, handler *new) { return set_simply(number, new, FOR_ONCE | NOT_DEFERRED); }

int sigaction(int number, const struct sigaction *restrict new, struct sigaction *restrict old) {
    struct sigaction before = {0};
    if (is_refused(number, new != 0))
        return -1;
    before.function = handlers[number];
    before.flags = flags[number];
    __builtin_memcpy(&before.mask, &masks[number], sizeof masks[number]);
    if (new != 0) {
        set_of_signals mask;
        __builtin_memcpy(&mask, &new->mask, sizeof mask);
        set(number, new->function, mask & ~(BIT(KILL) | BIT(STOP)), new->flags);
    }
    if (old != 0)
        *old = before;
    return 0;
}

/* --- Sets of signals ------------------------------------------------------------------------ */

int sigemptyset(struct sigset *set) {
    __builtin_memset(set, 0, sizeof *set);
    return 0;
}

int sigfillset(struct sigset *set) {
    set_of_signals all = ~(BIT(CANCEL) | BIT(SETXID));
    __builtin_memset(set, 0xff, sizeof *set);
    __builtin_memcpy(set, &all, sizeof all);
    return 0;
}

/* Adds a signal, or takes it out. */
static int change(struct sigset *set, int number, int is_added) {
    set_of_signals all;
    if (!is_signal(number)) {
        compact_se_set_errno(INVALID);
        return -1;
    }
    __builtin_memcpy(&all, set, sizeof all);
    all = is_added ? all | BIT(number) : all & ~BIT(number);
    __builtin_memcpy(set, &all, sizeof all);
    return 0;
}

int sigaddset(struct sigset *set, int number) { return change(set, number, 1); }
int sigdelset(struct sigset *set, int number) { return change(set, number, 0); }

int sigismember(const struct sigset *set, int number) {
    set_of_signals all;
    if (number < 1 || number > LAST) {
        compact_se_set_errno(INVALID);
        return -1;
    }
    __builtin_memcpy(&all, set, sizeof all);
    return (all & BIT(number)) != 0;
}

/* No signal waits: raise of one that is blocked is refused. */
int sigprocmask(int how, const struct sigset *restrict set, struct sigset *restrict old) {
    enum { BLOCK, UNBLOCK, EXACTLY };
    set_of_signals before = blocked, these;
    if (set != 0) {
        if (how < BLOCK || how > EXACTLY) {
            compact_se_set_errno(INVALID);
            return -1;
        }
        __builtin_memcpy(&these, set, sizeof these);
        these &= ~(BIT(KILL) | BIT(STOP) | BIT(CANCEL) | BIT(SETXID));
        blocked = how == BLOCK ? before | these : how == UNBLOCK ? before & ~these : these;
    }
    if (old != 0) {
        sigemptyset(old);
        __builtin_memcpy(old, &before, sizeof before);
    }
    return 0;
}

int sigpending(struct sigset *set) { return sigemptyset(set); }

/* --- Raising -------------------------------------------------------------------------------- */

static void act_by_default(int number) {
    if (number == CHLD || number == CONT || number == URG || number == WINCH)
        return;
    if (number == STOP || (number >= TSTP && number <= TTOU))
        __compact_se_unsupported("raise of a signal that stops the program");
    if (number == ABRT)
        abort();
    __compact_se_killed(number);
}

int raise(int number) {
    if (number == 0)
        return 0;
    if (!is_signal(number)) {
        compact_se_set_errno(INVALID);
        return -1;
    }
    handler *here = handlers[number];
    /* It would wait, even if it is ignored. */
    if (blocked & BIT(number))
        __compact_se_unsupported("raise of a signal that is blocked, or whose handler has not returned");
    if (here == IGNORE)
        return 0;
    if (here == DEFAULT) {
        act_by_default(number);
        return 0;
    }
    if (flags[number] & WITH_INFORMATION)
        __compact_se_unsupported("raise of a signal whose handler takes information (SA_SIGINFO)");
    if (flags[number] & FOR_ONCE)
        handlers[number] = DEFAULT;
    set_of_signals before = blocked;
    blocked |= masks[number] | (flags[number] & NOT_DEFERRED ? 0 : BIT(number));
    here(number);
    blocked = before;
    return 0;
}
