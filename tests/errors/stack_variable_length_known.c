// check: memory
// The size is computed, from what is known.
extern int __VERIFIER_nondet_int(void);

#ifdef FIXED
enum { MEGABYTES = 1 };
#else
enum { MEGABYTES = 100 };
#endif

static void fill(unsigned long bytes) {
    char *block = __builtin_alloca(bytes); // error: stack overflow
    block[0] = 5;
}

int main(void) {
    unsigned long size = MEGABYTES << 20;
    if (__VERIFIER_nondet_int() == 8)
        fill(size);
    return 0;
}
