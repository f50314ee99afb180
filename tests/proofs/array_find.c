// What a search found is there.
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
#ifdef FALSE
    if (!(at == n || a[at] > 3))
#else
    if (!(at == n || a[at] == wanted))
#endif
        reach_error();
    return 0;
}
