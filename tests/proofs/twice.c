// Two loops of the same length, the second by way of the first.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0, k = 0;
    if (n < 0)
        return 0;
    while (i < n) {
        if (__VERIFIER_nondet_int())
            k++;
        i++;
    }
    while (i > 0) {
        if (k > 0)
            k--;
        i--;
    }
#ifdef FALSE
    if (!(k == 0 && n != 3))
#else
    if (!(k == 0))
#endif
        reach_error();
    return 0;
}
