// run: --target goal => 1
// run: --target outer => 1
// run: --target goal -DFIXED => 0
// run: --target always_inline.c:11 => 1
// Nothing is left of functions that clang always inlines, and calls of them count.
int __VERIFIER_nondet_int(void);
int seen;
static inline __attribute__((always_inline)) void goal(int x) {
    if (x != 7)
        return;
    seen = 1;
}
__attribute__((always_inline)) inline void outer(int x) { goal(x); }
int main(void) {
    int n = __VERIFIER_nondet_int();
#ifndef FIXED
    if (n == 3)
        outer(n + 1);
    outer(n);
#endif
    return seen;
}
