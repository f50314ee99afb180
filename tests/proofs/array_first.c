// What a search went past is not what it looked for.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a[1000];
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    int wanted = __VERIFIER_nondet_int(), at = 0;
    while (at < n && a[at] != wanted)
        at++;
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n)
        return 0;
#ifdef FALSE
    if (!(k > at || a[k] != wanted))
#else
    if (!(k >= at || a[k] != wanted))
#endif
        reach_error();
    return 0;
}
