/* Compares the models of signal and raise with the C library's, on random signals and handlers. The models are
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
void model_compact_se_set_errno(int number) { errno = number; }
/* None of these signals ends the program. */
void model_abort(void) { abort(); }
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

/* Both libraries share the system's handlers, so that the model's come first, without any effect there. */
static void check_signals(handler *known[65]) {
    int number = PICK(numbers);
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
