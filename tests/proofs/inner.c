// An inner loop counts on what the outer one counts.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int i = 0, k = 0, n = __VERIFIER_nondet_int();
    while (i < n) {
        int j = i;
        while (j < n && __VERIFIER_nondet_int())
            j++;
        k += j - i;
        i++;
    }
#ifdef FALSE
    if (!(k >= 0 && k != 4))
#else
    if (!(k >= 0 && (n <= 0 || i == n)))
#endif
        reach_error();
    return 0;
}
