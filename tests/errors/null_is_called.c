// check: memory
extern int __VERIFIER_nondet_int(void);
static void one(void) {}
static void two(void) {}

int main(void) {
    static void (*const actions[])(void) = {one, two, 0};
    unsigned chosen = __VERIFIER_nondet_int();
#ifdef FIXED
    if (chosen < 2)
#else
    if (chosen <= 2)
#endif
        actions[chosen](); // error: null pointer access
    return 0;
}
