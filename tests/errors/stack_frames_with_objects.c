// check: memory
// Calls whose frames have objects of their own are not folded.
extern int __VERIFIER_nondet_int(void);

static int down(volatile int n) {
    volatile char room[4096];
    room[0] = 1;
#ifdef FIXED
    if (n > 100)
        return 0;
#endif
    return down(n + 1) + room[0]; // error: stack overflow
}

int main(void) {
    return __VERIFIER_nondet_int() == 8 ? down(0) : 0;
}
