// A matrix in one array is copied row by row.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int a[1200], b[1200];

int main(void) {
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 30; j++)
            a[i * 30 + j] = __VERIFIER_nondet_int();
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 30; j++)
            b[i * 30 + j] = a[i * 30 + j];
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= 1200)
        return 0;
#ifdef FALSE
    if (!(b[k] == a[k] && b[k] != 77))
#else
    if (!(b[k] == a[k]))
#endif
        reach_error();
    return 0;
}
