// verdict: reachable
// inputs: 1000000000, 4321
// classic: unknown  # as many iterations as that
// Out of a loop of any length, two calls deep.
#include <setjmp.h>
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

static jmp_buf found;
static unsigned wanted, n_steps;

static void look(unsigned i) {
    if (i == wanted)
        longjmp(found, 7);
}

static void search(unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        look(i);
        n_steps += 2;
    }
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    wanted = __VERIFIER_nondet_uint();
    if (setjmp(found) == 7) {
        if (n_steps == 8642u)
            reach_error();
        return 0;
    }
    search(n);
    return 0;
}
