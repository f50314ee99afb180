// A matrix is filled row by row.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int a[40][30];

int main(void) {
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 30; j++)
            a[i][j] = 5;
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    if (i < 0 || i >= 40 || j < 0 || j >= 30)
        return 0;
#ifdef FALSE
    if (!(a[i][j] == 5 && i != 39))
#else
    if (!(a[i][j] == 5))
#endif
        reach_error();
    return 0;
}
