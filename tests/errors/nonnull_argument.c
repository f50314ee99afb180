// check: nonnull
extern int __VERIFIER_nondet_int(void);

static int used;
__attribute__((nonnull)) static void use(int *what) { used += what == &used; }

int main(void) {
    int n = __VERIFIER_nondet_int();
    int *what = n == 3 ? 0 : &used;
#ifdef FIXED
    if (!what)
        return 1;
#endif
    use(what); // error: null for a parameter that is declared non-null
    return 0;
}
