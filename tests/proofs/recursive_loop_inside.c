// A loop in a function that calls itself.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int descend(int n) {
    int k = 0;
    while (k < 3 && __VERIFIER_nondet_int())
        k++;
    if (n <= 0)
        return k;
    return descend(n - 1 - k);
}

int main(void) {
    int k = descend(__VERIFIER_nondet_int());
#ifdef FALSE
    if (!(k >= 0 && k <= 2))
#else
    if (!(k >= 0 && k <= 3))
#endif
        reach_error();
    return 0;
}
