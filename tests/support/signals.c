/* Compares the models of signal, sigaction, sets of signals and raise with the C library's, on random signals and handlers. The models are
 * linked with the prefix `model_`. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

typedef void handler(int);

handler *model_signal(int, handler *);
handler *model_sysv_signal(int, handler *);
int model_raise(int);
int model_sigaction(int, const struct sigaction *, struct sigaction *);
int model_sigemptyset(sigset_t *), model_sigfillset(sigset_t *), model_sigaddset(sigset_t *, int);
int model_sigdelset(sigset_t *, int), model_sigismember(const sigset_t *, int);
int model_sigprocmask(int, const sigset_t *, sigset_t *), model_sigpending(sigset_t *);
void model_compact_se_set_errno(int number) { errno = number; }
void model_compact_se_set_errno_if(int condition, int number) {
    if (condition)
        errno = number;
}
void *model_memcpy(void *to, const void *from, size_t bytes) { return memcpy(to, from, bytes); }
void *model_memset(void *to, int byte, size_t bytes) { return memset(to, byte, bytes); }
/* None of these signals ends the program. */
void model_abort(void) { abort(); }
void model___compact_se_killed(int number) { abort(); }
void model__exit(int status) { abort(); }
void model___compact_se_unsupported(const char *what) { abort(); }

/* What the handlers saw. */
static int seen[8], n_seen;

static void note(int number) {
    if (n_seen < 8)
        seen[n_seen++] = number;
}
static void first(int number) { note(number); }
static void second(int number) { note(1000 + number); }

/* Neither ends the program where nothing handles it. */
static const int harmless[] = {SIGCHLD, SIGURG, SIGWINCH, SIGCONT};
static const int numbers[] = {SIGHUP,  SIGINT,  SIGPIPE, SIGUSR1,  SIGTERM,  SIGKILL, SIGSTOP, SIGCHLD,
                              SIGURG,  SIGCONT, 0,       -1,       32,       33,      34,      64,
                              65,      1000,    SIGVTALRM, SIGTSTP, SIGWINCH, SIGALRM};
static handler *const handlers[] = {first, second, SIG_IGN, SIG_DFL};

static int is_harmless(int number) {
    for (unsigned i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (harmless[i] == number)
            return 1;
    return number <= 0 || number == 32 || number == 33 || number > 64;
}

/* The numbers that the system knows are in both or in none. */
static int same(const sigset_t *x, const sigset_t *y) {
    for (int number = 1; number <= 64; number++)
        if (sigismember(x, number) != sigismember(y, number))
            return 0;
    return 1;
}

/* Random members, by the functions of both. */
static void fill(sigset_t *ours, sigset_t *theirs) {
    if (below(4) == 0) {
        EXPECT(model_sigfillset(ours) == 0 && sigfillset(theirs) == 0, "sigfillset");
    } else {
        EXPECT(model_sigemptyset(ours) == 0 && sigemptyset(theirs) == 0, "sigemptyset");
    }
    for (unsigned i = below(6); i > 0; i--) {
        int number = PICK(numbers), is_added = below(2) == 0;
        errno = 0;
        int found = is_added ? model_sigaddset(ours, number) : model_sigdelset(ours, number), our_errno = errno;
        errno = 0;
        int expected = is_added ? sigaddset(theirs, number) : sigdelset(theirs, number);
        EXPECT(found == expected && our_errno == errno, "set with %d", number);
        errno = 0;
        found = model_sigismember(ours, number), our_errno = errno;
        errno = 0;
        EXPECT(found == sigismember(theirs, number) && our_errno == errno, "set with %d", number);
    }
    EXPECT(same(ours, theirs), "sets");
}

/* Signals that nobody raises here are blocked and let through. */
static void check_masks(void) {
    static const int ways[] = {SIG_BLOCK, SIG_UNBLOCK, SIG_SETMASK, 3, -1};
    sigset_t ours, theirs, our_old, their_old;
    int how = PICK(ways);
    fill(&ours, &theirs);
    errno = 0;
    int found = model_sigprocmask(how, &ours, &our_old), our_errno = errno;
    errno = 0;
    int expected = sigprocmask(how, &theirs, &their_old);
    EXPECT(found == expected && our_errno == errno, "sigprocmask %d", how);
    EXPECT(expected != 0 || same(&our_old, &their_old), "sigprocmask %d", how);
    EXPECT(model_sigpending(&ours) == 0 && sigpending(&theirs) == 0 && same(&ours, &theirs), "sigpending");
    sigemptyset(&ours);
    EXPECT(model_sigprocmask(SIG_SETMASK, &ours, &our_old) == 0, "sigprocmask");
    EXPECT(sigprocmask(SIG_SETMASK, &ours, &their_old) == 0 && same(&our_old, &their_old), "sigprocmask");
}

/* What was there before, and a handler like those of signal; both libraries share the system's. */
static void check_action(handler *known[65]) {
    static const int some_flags[] = {0, SA_RESTART, SA_NODEFER, SA_NOCLDSTOP, SA_RESTART | SA_NODEFER};
    int number = PICK(numbers);
    struct sigaction ours, theirs, our_old, their_old;
    memset(&ours, 0, sizeof ours);
    ours.sa_handler = PICK(handlers);
    ours.sa_flags = PICK(some_flags);
    for (unsigned i = below(3); i > 0; i--)
        sigaddset(&ours.sa_mask, PICK(numbers));
    theirs = ours;
    int is_set = below(3) != 0, asks = below(3) != 0;
    errno = 0;
    int found = model_sigaction(number, is_set ? &ours : NULL, asks ? &our_old : NULL), our_errno = errno;
    errno = 0;
    int expected = sigaction(number, is_set ? &theirs : NULL, asks ? &their_old : NULL);
    EXPECT(found == expected && our_errno == errno, "sigaction %d: %d and %d, errno %d and %d", number, found, expected,
           our_errno, errno);
    if (expected != 0)
        return;
    if (asks) {
        EXPECT(our_old.sa_handler == their_old.sa_handler, "sigaction %d", number);
        EXPECT(our_old.sa_flags == their_old.sa_flags, "sigaction %d: %x and %x", number, our_old.sa_flags,
               their_old.sa_flags);
        EXPECT(same(&our_old.sa_mask, &their_old.sa_mask), "sigaction %d", number);
    }
    if (is_set)
        known[number] = ours.sa_handler;
}

/* Both libraries share the system's handlers, so that the model's come first, without any effect there. */
static void check_signals(handler *known[65]) {
    int number = PICK(numbers);
    if (below(4) == 0)
        return check_masks();
    if (below(4) == 0)
        return check_action(known);
    if (below(2) == 0) {
        handler *new = PICK(handlers);
        int once = below(2) == 0;
        errno = 0;
        handler *ours = once ? model_sysv_signal(number, new) : model_signal(number, new);
        int our_errno = errno;
        errno = 0;
        handler *theirs = once ? sysv_signal(number, new) : signal(number, new);
        EXPECT(ours == theirs && our_errno == errno, "signal %d: errno %d and %d", number, our_errno, errno);
        if (theirs != SIG_ERR)
            known[number] = once && (new == first || new == second) ? NULL : new;
        return;
    }
    /* One for one time may be gone. */
    if (!is_harmless(number) && (number == SIGKILL || number == SIGSTOP || known[number] == NULL))
        return;
    if (number > 0 && number <= 64 && known[number] == SIG_DFL && !is_harmless(number))
        return;
    int ours_seen[8], n_ours;
    errno = 0, n_seen = 0;
    int ours = model_raise(number), our_errno = errno;
    n_ours = n_seen;
    memcpy(ours_seen, seen, sizeof seen);
    errno = 0, n_seen = 0;
    int theirs = raise(number);
    EXPECT(ours == theirs && our_errno == errno && n_ours == n_seen &&
               memcmp(seen, ours_seen, sizeof *seen * (unsigned)n_seen) == 0,
           "raise %d: %d and %d, errno %d and %d, %d and %d handlers", number, ours, theirs, our_errno, errno,
           n_ours, n_seen);
}

int main(void) {
    handler *known[65] = {NULL};
    for (unsigned i = 0; i < sizeof harmless / sizeof *harmless; i++)
        known[harmless[i]] = SIG_DFL;
    for (int i = 0; i < 100000; i++)
        check_signals(known);
    return failures != 0;
}
